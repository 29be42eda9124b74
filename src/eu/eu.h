/* Execution units: thread state, and the one function that runs a thread.
 *
 * Threads know nothing of the pipeline that made them; what they reach by SEND is in struct eu_env,
 * which the dispatcher fills. */
#ifndef PERGOLA_EU_H
#define PERGOLA_EU_H

#include "gen7_hw.h"
#include "machine/device.h"
#include "oa/events.h"

#include <stddef.h>

#define EU_GRF_COUNT 128
#define EU_REG_SIZE 32
/* Where threads may sit, as SR0 and the gateway count. */
#define EU_HALF_SLICES 2
#define EU_COUNT 16
#define EU_THREADS 8

struct eu_thread;
struct sf_message;
enum sf_status {
   SF_OK,
   SF_FAULT, /* the thread cannot go on; reported */
};

/* What the messages of a dispatch need to know; one per walker, primitive or test, read only while
 * its threads run. */
struct eu_env {
   struct pergola_device *dev;
   struct mem_space *space; /* of kernels, state and data */
   uint32_t general_state_base, surface_state_base, dynamic_state_base, indirect_object_base;
   uint32_t instruction_base;
   uint32_t general_state_end, dynamic_state_end, indirect_object_end,
       instruction_end; /* 0: none */
   uint32_t sip;        /* system routine, offset from the instruction base; 0: none */
   bool media_pipeline; /* threads of VFE/TS (media or GPGPU); else 3D */
   const char *engine;  /* "EU" */
   uint64_t clock; /* instructions that the device had executed when the dispatch began: where tm0
                      starts */
   /* 3D: what stands between a render target write and the surface
    * (shared_functions/pixel_backend.h); NULL: nothing, colours are converted and written. */
   struct pixel_backend *pixel;
   /* Who hears of messages to the thread spawner from threads that are in no group; NULL: nobody.
    */
   enum sf_status (*spawner)(struct eu_thread *t, const struct sf_message *m);
};

struct eu_group;   /* eu/group.h: barrier, shared local memory, of one thread group */
struct sf_buffers; /* eu/quick.h: surfaces that a host thread has met */
struct ts_thread;  /* src/media: what the thread spawner keeps of a thread */

enum eu_stop {
   EU_STOP_EOT,    /* sent its end of thread */
   EU_STOP_WAIT,   /* executes `wait` on a notification register that is zero */
   EU_STOP_BUDGET, /* the budget ended; may go on */
   EU_STOP_FAULT,  /* cannot go on; reported */
   EU_STOP_BREAK,  /* a breakpoint of the debugger */
};

struct eu_kernel; /* decoded instructions, cached by address and contents */
/* Has it, as far as it is decoded, a send to this shared function? NULL has none. */
bool eu_kernel_sends_to(const struct eu_kernel *k, unsigned sfid);

struct eu_thread {
   _Alignas(64) uint8_t grf[(EU_GRF_COUNT + 2) * EU_REG_SIZE]; /* two spare: vector tails */
   uint32_t pip[32]; /* PcIP of the channels that wait; those that do not are where the thread is */
   uint64_t count[OA_INSTRUCTION_EVENTS]; /* eu/tally.h: zeros but while it runs */
   /* Accumulators: lanes 0-7 are acc0, 8-15 acc1 (floats) or the upper words of acc0. A lane holds
    * the last writer's value: a two's complement integer, a float in the low half, or a double. */
   _Alignas(32) uint64_t acc[16];
   uint16_t a0[16]; /* 8 on Gen7; the rest stay zero */
   uint32_t cr0[4], n0[4], tdr[8], tm0[4];
   uint32_t sp_reg[8]; /* sp and spare architecture state */

   /* What differs from thread to thread of a dispatch at their start, and what most kernels change:
    * EU_START_SIZE bytes, so that they are copied at once. */
   _Alignas(32) uint32_t flag[2]; /* f0, f1: two 16-bit subregisters each */
   uint32_t sr0[4];
   uint32_t ip;      /* byte offset from the instruction base */
   uint32_t active;  /* channels enabled now */
   uint32_t waiting; /* dispatched channels that wait at their PcIP */
   uint32_t call_mask;
   uint32_t dispatch_mask; /* channels that exist at all */
   uint32_t vector_mask;
   uint64_t initialised[2]; /* GRF written bits, for the uninitialised-register rule */
   uint64_t instructions;   /* executed so far */
   uint32_t id;             /* unique within a dispatch: for traces */
   enum eu_stop stop;       /* why eu_run returned last */
   uint16_t fftid;
   uint8_t half_slice, eu, slot; /* where the thread sits */
   uint8_t group_index;          /* in its group */
   uint8_t careful;              /* while running: reasons to go instruction by instruction */
   uint8_t ffid;                 /* GEN7_FIXED_FUNCTION_ID_…: who made it */

   _Alignas(32) const struct eu_env *env;
   uint32_t binding_table;  /* offset from the surface state base */
   uint32_t sampler_states; /* offset from the dynamic state base */
   uint32_t sampler_count;
   uint32_t scratch_base;   /* offset from the general state base, of this dispatch */
   uint32_t scratch_size_B; /* per thread; 0: none */
   uint32_t kernel_start;   /* offset from the instruction base */
   bool single_program_flow, alt_mode;
   struct eu_group *group;     /* NULL outside GPGPU */
   struct sf_buffers *buffers; /* of the host thread that runs it, or NULL */
   struct ts_thread *ts;       /* NULL when no spawner made it */

   struct eu_kernel *kernel;   /* that ran last … */
   uint32_t kernel_generation; /* … good while the instruction cache is at this one */
   struct eu_debug *debug;     /* the debugger's, or NULL */
   uint32_t owed;              /* of the budget: eu_thread_owes() */
   uint32_t urb_end;           /* dword 2 of the URB message that ended it (P3D-146) */
   uint64_t sanitize;          /* by which the sanitizer knows it; 0: not yet */
   uint32_t ways[2]; /* its instructions that native code left to the interpreter's functions, and
                        those that were interpreted: modulo 2^32, for PERGOLA_EVENT_THREAD_END */
   uint32_t regions[3]; /* of native code that it came into (jit/ir.h), second forms of them, and
                           those with sides */
};
#define EU_START_OFFSET offsetof(struct eu_thread, flag)
#define EU_START_SIZE (offsetof(struct eu_thread, env) - EU_START_OFFSET)
_Static_assert(EU_START_SIZE == 96, "three vectors");

/* A message cost as much as so many instructions beside its own. It has been done; who gave the
 * budget takes it from there (eu_thread_paid()), and soon: the thread stops when it owes much. */
#define EU_OWED_MOST 4096u
static inline void
eu_thread_owes(struct eu_thread *t, uint32_t cost)
{
   t->owed = t->owed + cost < t->owed ? UINT32_MAX : t->owed + cost;
}
/* What is to be taken from the budget for it. */
static inline uint32_t
eu_thread_paid(struct eu_thread *t)
{
   uint32_t owed = t->owed;
   if (__builtin_expect(owed != 0, 0))
      t->owed = 0;
   return owed;
}

struct eu_inst;
/* Called around every instruction of a thread that has one; both may be NULL. `before` returns true
 * to stop (EU_STOP_BREAK) with the instruction not executed. */
struct eu_debug {
   bool (*before)(struct eu_debug *debug, struct eu_thread *t, const struct eu_inst *inst);
   void (*after)(struct eu_debug *debug, struct eu_thread *t, const struct eu_inst *inst,
                 uint32_t ip, uint32_t channels);
};

struct eu_shared; /* eu/send.h: what SEND reaches */
struct eu *eu_create(struct pergola_device *dev, const struct eu_shared *shared);
void eu_destroy(struct eu *eu);
/* Instruction cache invalidate: kernels are decoded again if their bytes changed. */
void eu_invalidate_instructions(struct eu *eu);

/* Architecture state as the manual gives it at dispatch; does not clear the GRF. The caller then
 * fills payload registers, masks and the identity members. */
void eu_thread_init(struct eu_thread *t, const struct eu_env *env, uint32_t kernel_start,
                    uint32_t dispatch_mask);
/* All but the registers and PcIPs as in `fresh`, a thread that has been set up and has not run: for
 * many that are alike. */
void eu_thread_copy(struct eu_thread *t, const struct eu_thread *fresh);
/* Marks registers as written by the dispatcher. */
void eu_thread_mark(struct eu_thread *t, unsigned first_reg, unsigned count);
/* Runs at most `budget` instructions. Same thread: one caller at a time. */
enum eu_stop eu_run(struct eu_thread *t, uint64_t budget);
/* A host thread that runs many threads enters once for all of them and then runs each by
 * eu_run_inside. While anybody is inside, no decoded kernel is freed. eu_enter returns the host's
 * floating-point modes, which eu_leave puts back. */
uint32_t eu_enter(struct eu *eu);
void eu_leave(struct eu *eu, uint32_t host_modes);
enum eu_stop eu_run_inside(struct eu_thread *t, uint64_t budget);
/* EU-033: a notification (gateway) adds one to n0.<sub>; a waiting thread may then be run again. */
static inline void
eu_notify(struct eu_thread *t, unsigned sub)
{
   if (sub == 1)
      t->n0[1] = 1; /* one bit: host to thread */
   else if (sub < 3)
      t->n0[sub] = (t->n0[sub] + 1) & 0xffff;
}

/* Calls fn with what the thread itself knows of itself filled in. */
void eu_thread_tell(struct eu_thread *t, struct pergola_thread *info, pergola_thread_fn fn,
                    void *data);

/* The channels that exist. */
static inline void
eu_thread_channels(struct eu_thread *t, uint32_t dispatch_mask)
{
   t->dispatch_mask = dispatch_mask;
   /* EU-028: every channel of a group of four that has any. */
   uint32_t any = dispatch_mask | dispatch_mask >> 1;
   any |= any >> 2;
   t->vector_mask = (any & 0x11111111) * 15;
}

static inline uint32_t *
eu_grf(struct eu_thread *t, unsigned reg)
{
   return (uint32_t *)(void *)(t->grf + reg * EU_REG_SIZE);
}

/* EU-030: 0 to nearest, 1 up, 2 down, 3 toward zero. */
static inline unsigned
eu_rounding(const struct eu_thread *t)
{
   return hw_get(t->cr0[0], GEN7_CONTROL_REGISTER__ROUNDING_MODE);
}

/* cr0.1 at the start of a thread. */
static inline uint32_t
eu_exceptions(bool illegal_opcode, bool stack_overflow, bool software)
{
   return hw_put(illegal_opcode, GEN7_CONTROL_REGISTER__ILLEGAL_OPCODE_ENABLE) |
          hw_put(stack_overflow, GEN7_CONTROL_REGISTER__STACK_OVERFLOW_ENABLE) |
          hw_put(software, GEN7_CONTROL_REGISTER__SOFTWARE_EXCEPTION_ENABLE);
}

#endif
