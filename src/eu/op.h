/* Private to src/eu: what a decoded instruction looks like.
 *
 * A struct eu_op is what the run loop touches: a function and resolved offsets. Its struct
 * eu_detail holds all of the instruction, for the general path, which is the reference for every
 * fast one. */
#ifndef PERGOLA_EU_OP_H
#define PERGOLA_EU_OP_H

#include "eu/eu.h"
#include "eu/isa/isa.h"
#include "eu/quick.h"

struct eu_op;
struct eu_fast_functions;
struct eu_shadow;
struct jit_code;
struct jit_wide;
typedef const struct eu_op *(*eu_op_fn)(struct eu_thread *t, const struct eu_op *op);

/* How a source or destination is reached. */
enum operand_kind {
   OPERAND_NULL,
   OPERAND_GRF,      /* direct */
   OPERAND_INDIRECT, /* GRF through a0 */
   OPERAND_ARF,
   OPERAND_ACC,
   OPERAND_IMM,
};

/* Type codes of register operands; immediates are expanded to these when decoded. */
enum operand_type {
   T_UD = EU_TYPE_UD,
   T_D = EU_TYPE_D,
   T_UW = EU_TYPE_UW,
   T_W = EU_TYPE_W,
   T_UB = EU_TYPE_UB,
   T_B = EU_TYPE_B,
   T_DF = EU_TYPE_DF,
   T_F = EU_TYPE_F,
};
static const uint8_t type_size[8] = {4, 4, 2, 2, 1, 1, 8, 4};

#define OFFSET_NONE 0xffffu /* outside the register file: reads 0, drops writes */

struct op_operand {
   uint8_t kind, type;
   uint8_t step; /* bytes an element takes in a region: 4 for doubles, which count as two floats */
   bool abs, negate;
   uint8_t reg, subreg;             /* subreg in bytes */
   uint8_t vstride, width, hstride; /* elements; vstride 0xff: one address per row */
   bool scalar;
   uint8_t swizzle[4], chan_en; /* align16 */
   uint8_t addr_sub;
   int16_t addr_imm;
   uint32_t imm[8]; /* expanded immediate */
   uint16_t
       offset[32]; /* by channel: from the start of the GRF (direct), of the operand (others) */
};

/* What the general path computes in. */
enum exec_class { CLASS_INT, CLASS_FLOAT, CLASS_DOUBLE };

struct eu_step;
typedef void (*eu_alu_fn)(struct eu_step *s);

struct eu_detail {
   struct eu_inst inst;
   struct op_operand dst, src[3];
   const char *complaint; /* of the decoder, or NULL */
   bool illegal;          /* not an opcode */
   uint8_t opcode, sources;
   uint8_t exec_class;
   uint8_t exec_width; /* bits of an integer execution type: 16 or 32 */
   uint8_t exec_size, group;
   uint8_t halves; /* 2: compressed, executed as two sequential halves */
   uint8_t early;  /* sources that half 1 reads as they were before half 0 wrote, a bit each */
   bool paired;    /* a DF operand: two channels make one element */
   bool align16, no_mask, saturate, acc_write, raw;
   uint8_t condition, predicate;
   bool predicate_inverse;
   uint8_t flag_reg, flag_shift; /* flag_shift: bit of channel 0 */
   uint32_t channels;            /* (1 << exec_size) - 1 */
   uint32_t chan_en; /* align16 destination mask spread over the channels, else all ones */
   int32_t jip, uip; /* bytes from the instruction */
   eu_alu_fn alu;
   eu_op_fn real;                  /* what the breakpoint goes on with */
   eu_op_fn checked, checked_slow; /* what the register check goes on with */
   struct sf_quick quick;          /* of a send whose descriptor is immediate */
   uint64_t reads[2], writes[2];   /* whole registers touched directly */
   uint64_t asks[2]; /* EU-206: what native code asks of the block that begins here; atomic */
   uint8_t events[OA_INSTRUCTION_EVENTS]; /* tally.c: what it counts as */
};

struct eu_op {
   eu_op_fn fn;   /* the fast way, or the general one */
   eu_op_fn slow; /* the general one */
   const struct eu_detail *d;
   const struct eu_op *jip, *uip; /* branch targets inside the kernel; NULL: look up */
   uint32_t ip, next_ip;
   uint32_t mask; /* channels in thread numbering */

   /* Of the fast paths: eight channels at a time, `count` times. */
   uint32_t no_mask;           /* all ones: NoMask */
   uint32_t channels;          /* that can write at all */
   uint16_t dst[2], src[3][2]; /* byte offsets in the GRF */
   uint8_t kind[3], modifier[3], dst_kind;
   uint8_t group, count, predicate, flag_reg, flag_shift;
   uint8_t operation; /* enum fast_operation, if `fast` */
   bool fast;
   bool plain;                      /* writes dwords in a row and no flags, by no predicate */
   uint32_t number;                 /* of the operation in its kernel */
   _Alignas(32) uint32_t vec[3][8]; /* immediates or permutations */
};

struct eu_kernel {
   struct eu_kernel *next; /* hash chain; published with release */
   struct mem_space *space;
   uint32_t pp_dir_base;
   uint32_t address;    /* graphics address of the first instruction */
   uint32_t start;      /* the same, from the instruction base */
   uint32_t size;       /* bytes decoded … */
   uint32_t window;     /* … of at most so many */
   uint32_t generation; /* of the instruction cache when last compared; atomic */
   bool dead;
   bool timed;      /* reads tm0 */
   bool asks_slot;  /* reads the number of its slot: FFTID or sr0 */
   uint64_t memory; /* bytes that all of this takes */
   uint8_t *bytes;
   struct eu_detail *details;
   struct eu_op *ops;
   uint32_t op_count;
   uint32_t *index; /* by (ip - start) / 8: index in ops + 1, or 0 */
   /* series.c: what can be said of all threads that run it. */
   bool simple;         /* it leaves all but registers, flags, n0 and the IP as it was … */
   bool ends;           /* … all its threads end by the plain message to the thread spawner … */
   bool quiet;          /* … and the message gateway neither hears of it nor is heard */
   uint32_t channels;   /* of its instructions */
   uint64_t needs[2];   /* registers that are read before all of those channels have written them, a
                           bit each */
   uint64_t touches[2]; /* … and that anything is written to */
   bool uniform;        /* uniform.c: all its threads do the same … */
   uint64_t uniform_needs[2]; /* … if these registers are alike */
   const struct eu_op *moves; /* moves.c: the ld of texels that its threads store; or NULL … */
   uint64_t moves_needs[2];   /* … where these registers are alike */
   struct jit_code *native;   /* of a hot kernel; published with release */
   struct jit_code *series;   /* the same for series of threads */
   bool series_tried;
   struct jit_wide *wide; /* vertices side by side */
   bool wide_tried;
   unsigned uses;     /* until there is native code; atomic */
   int64_t *executed; /* profile.c; NULL: nobody wants to know */
};

/* Reasons for struct eu_thread.careful. */
enum {
   CAREFUL_ALT = 1,     /* the fast paths know IEEE mode only */
   CAREFUL_WAITERS = 2, /* channels may wait at addresses without a join */
   CAREFUL_DEBUG = 4,   /* the thread has a debugger */
   CAREFUL_TRACE = 8,   /* somebody observes instructions */
   CAREFUL_TIME = 16,   /* the kernel reads tm0 */
   CAREFUL_SHADOW = 32, /* the sanitizer follows what is written */
};

/* cr0.0 */
enum {
   CR0_ALT = GEN7_CONTROL_REGISTER__ALT_MODE,
   CR0_ACC_DISABLE = GEN7_CONTROL_REGISTER__ACCUMULATOR_DISABLE,
   CR0_SPF = GEN7_CONTROL_REGISTER__SINGLE_PROGRAM_FLOW,
   CR0_VECTOR_MASK = GEN7_CONTROL_REGISTER__VECTOR_MASK_ENABLE,
   CR0_ROUNDING = GEN7_CONTROL_REGISTER__ROUNDING_MODE,
   CR0_DF_DENORMALS = GEN7_CONTROL_REGISTER__KEEP_DOUBLE_DENORMALS,
   CR0_BREAKPOINT_SUPPRESS = GEN7_CONTROL_REGISTER__BREAKPOINT_SUPPRESS,
   CR0_MASTER = GEN7_CONTROL_REGISTER__SYSTEM_ROUTINE,
};

/* cr0.1 */
enum {
   STATUS_BREAKPOINT = GEN7_CONTROL_REGISTER__BREAKPOINT,
   STATUS_HALT = GEN7_CONTROL_REGISTER__EXTERNAL_HALT,
   STATUS_SOFTWARE = GEN7_CONTROL_REGISTER__SOFTWARE_EXCEPTION,
   STATUS_ILLEGAL = GEN7_CONTROL_REGISTER__ILLEGAL_OPCODE,
   STATUS_STACK = GEN7_CONTROL_REGISTER__STACK_OVERFLOW,
   STATUS_FORCED = GEN7_CONTROL_REGISTER__FORCED_EXCEPTION,
   ENABLE_BREAKPOINT = GEN7_CONTROL_REGISTER__BREAKPOINT_ENABLE,
   ENABLE_SOFTWARE = GEN7_CONTROL_REGISTER__SOFTWARE_EXCEPTION_ENABLE,
   ENABLE_ILLEGAL = GEN7_CONTROL_REGISTER__ILLEGAL_OPCODE_ENABLE,
   ENABLE_STACK = GEN7_CONTROL_REGISTER__STACK_OVERFLOW_ENABLE,
};

/* The device's execution units: the cache of decoded kernels. */
#define EU_HASH 4096
struct eu {
   struct pergola_device *dev;
   pthread_mutex_t lock;
   uint32_t generation; /* atomic */
   unsigned running;    /* atomic: host threads inside */
   const bool *stopped; /* rules_stop_flag() */
   bool counting;       /* tally.h or profile.c; changes while nobody is inside. Each thread asks */
   uint64_t bytes;      /* in decoded kernels; atomic */
   struct eu_kernel *table[EU_HASH];
   const struct eu_shared *shared;       /* what SEND reaches */
   struct eu_shadow **shadow;            /* of threads, or NULL */
   struct eu_shadow *shadow_latest;      /* that was asked for */
   const struct eu_fast_functions *fast; /* that fit the host */
   unsigned native_after;      /* uses of a kernel before it becomes native code; 0: never */
   bool counting_events;       /* tally.h */
   struct eu_profile *profile; /* or NULL */
   struct eu_tally *tallies;   /* of host threads … */
   struct eu_tally *common;    /* … and of threads that have none of their own */
   pthread_mutex_t common_lock;
};

/* kernel.c: one use more; see eu_kernel_used. */
void eu_kernel_count(struct eu *eu, struct eu_kernel *k);
/* kernel.c: all are decoded anew. Under the lock, while nobody is inside. */
void eu_forget_kernels(struct eu *eu);
/* kernel.c: the op at an address of the thread; NULL: stopped with a fault. */
const struct eu_op *eu_lookup(struct eu_thread *t, uint32_t ip);
/* lower.c */
void eu_lower(struct eu_detail *d, struct eu_op *op);
/* series.c */
void eu_kernel_survey(struct eu_kernel *k);
/* uniform.c: of one that has been surveyed. */
void eu_kernel_find_uniform(struct eu_kernel *k);
/* moves.c: likewise. */
void eu_kernel_find_moves(struct eu_kernel *k);
/* Its code for series of threads, or NULL. */
const struct jit_code *eu_kernel_series(struct eu *eu, struct eu_kernel *k);
/* The same for vertices side by side. */
const struct jit_wide *eu_kernel_wide(struct eu *eu, struct eu_kernel *k);
/* build.c: decodes from ip on; NULL: reported. */
/* NULL: nothing can be fetched there, or `starved`: there is no memory for it. */
struct eu_kernel *eu_kernel_build(struct eu_thread *t, uint32_t ip, bool *starved);
void eu_kernel_free(struct eu_kernel *k);
/* fast_select.c: picks a fast function if one fits. */
void eu_fast_select(const struct eu_fast_functions *fast, struct eu_detail *d, struct eu_op *op);

/* alu.c: one half of a compressed instruction, mask and predicate given for all of it. */
void eu_alu_half(struct eu_thread *t, const struct eu_detail *d, unsigned half, uint32_t mask,
                 uint32_t predicate);
/* alu.c: everything that is not flow control or a message. */
const struct eu_op *eu_exec_alu(struct eu_thread *t, const struct eu_op *op);
/* alu.c: what comes after a write of an architecture register; t->ip was the instruction's. `old`:
 * see eu_control_written. */
const struct eu_op *eu_arf_written(struct eu_thread *t, const struct eu_op *op,
                                   const uint32_t old[2]);
const struct eu_op *eu_exec_movi(struct eu_thread *t, const struct eu_op *op);
eu_alu_fn eu_alu_select(const struct eu_detail *d);
/* flow.c */
eu_op_fn eu_flow_select(unsigned opcode);
const struct eu_op *eu_exec_join(struct eu_thread *t, const struct eu_op *op);
const struct eu_op *eu_exec_join_slow(struct eu_thread *t, const struct eu_op *op);
/* Where the channels go that leave a loop. */
uint32_t eu_behind_while(const struct eu_op *op);
/* What comes after a branch that left no channel active. */
const struct eu_op *eu_flow_next(struct eu_thread *t, const struct eu_op *op);
const struct eu_op *eu_exec_end(struct eu_thread *t, const struct eu_op *op);
/* Channels that wait exactly here become active. */
void eu_wake(struct eu_thread *t, uint32_t ip);
/* message.c */
const struct eu_op *eu_exec_send(struct eu_thread *t, const struct eu_op *op);
/* Chooses the fast path of a send, if it has one. */
void eu_send_select(const struct pergola_device *dev, struct eu_detail *d, struct eu_op *op);
const struct eu_op *eu_exec_wait(struct eu_thread *t, const struct eu_op *op);
/* shadow.c: for the sanitizer */
void eu_shadow_begin(struct eu_thread *t);
void eu_shadow_step(struct eu_shadow *s, struct eu_thread *t, const struct eu_op *op);
void eu_shadows_free(struct eu *eu);
/* profile.c: before a kernel is used, and before it goes. Under the lock. */
void eu_profile_kernel(struct eu *eu, struct eu_kernel *k);
void eu_profile_keep(struct eu *eu, struct eu_kernel *k);
static inline void
eu_profile_op(struct eu_kernel *k, const struct eu_op *op)
{
   size_t i = (size_t)(op - k->ops);
   if (i >= k->op_count)
      return;
   i += op->fn == eu_exec_join; /* it does the next one */
   __atomic_fetch_add(&k->executed[i], 1, __ATOMIC_RELAXED);
   __atomic_fetch_sub(&k->executed[i + 1], 1, __ATOMIC_RELAXED);
}
/* tally.c */
void eu_events_select(const struct eu *eu, struct eu_detail *d);
/* A message whose descriptor is known only now. */
void eu_count_message(struct eu_thread *t, unsigned sfid, uint32_t desc);
/* After a run; first: the thread's first. */
void eu_tally_thread(struct eu_thread *t, bool first);
void eu_tallies_free(struct eu *eu);
static inline void
eu_count_op(struct eu_thread *t, const struct eu_op *op)
{
   struct eu_kernel *k = t->kernel;
   if (__builtin_expect(k && k->executed, 0))
      eu_profile_op(k, op);
   if (!op->d) { /* the end of what is decoded: a jump */
      t->count[OA_BRANCH]++;
      return;
   }
   for (unsigned i = 0; i < OA_INSTRUCTION_EVENTS; i++)
      t->count[i] += op->d->events[i];
}
/* exception.c */
const struct eu_op *eu_exec_illegal(struct eu_thread *t, const struct eu_op *op);
const struct eu_op *eu_exec_breakpoint(struct eu_thread *t, const struct eu_op *op);
/* After a write of cr0: modes, return from the system routine, software exception. `old`: cr0.0 and
 * cr0.1 before. Returns what to execute next. */
const struct eu_op *eu_control_written(struct eu_thread *t, const struct eu_op *op,
                                       const uint32_t old[2]);
/* mask.c */
uint32_t eu_predicate(const struct eu_thread *t, const struct eu_detail *d);
/* W of 5.2: channels of the instruction that write. */
static inline uint32_t
eu_write_mask(const struct eu_thread *t, const struct eu_detail *d)
{
   /* EU-116, EU-076 */
   uint32_t e = d->no_mask ? UINT32_MAX : t->active >> d->group;
   if (__builtin_expect(d->exec_size == 32, 0) && !d->no_mask)
      e = (e & 0xffff) | e << 16; /* EU-081: the low half serves both */
   return e & d->channels;
}
/* Registers behind those of the destination that are written too: a remainder goes there. */
static inline unsigned
eu_writes_behind(const struct eu_detail *d)
{
   return d->opcode == EU_OP_MATH && d->inst.math_function == EU_MATH_INTDIVMOD;
}
/* run.c */
void eu_set_modes(struct eu_thread *t);
const struct eu_op *eu_stop(struct eu_thread *t, uint32_t ip, enum eu_stop why);
/* Goes on at ip after the way of running may have changed. */
const struct eu_op *eu_reenter(struct eu_thread *t, uint32_t ip);

/* The operation at an address of the kernel, or NULL. */
static inline const struct eu_op *
eu_op_in(const struct eu_kernel *k, uint32_t ip)
{
   uint32_t offset = ip - k->start;
   if (offset >= k->size || offset & 7 || !k->index[offset / 8])
      return NULL;
   return &k->ops[k->index[offset / 8] - 1];
}

/* A kernel is run: counted until it has been found worth native code. */
static inline void
eu_kernel_used(struct eu *eu, struct eu_kernel *k)
{
   if (__atomic_load_n(&k->uses, __ATOMIC_RELAXED) < eu->native_after)
      eu_kernel_count(eu, k);
}

/* The kernel that the thread remembers, if it may still be used. */
static inline struct eu_kernel *
eu_kernel_kept(const struct eu_thread *t)
{
   const struct eu_env *env = t->env;
   struct eu_kernel *k = t->kernel;
   bool good =
       k && t->kernel_generation == __atomic_load_n(&env->dev->eu->generation, __ATOMIC_ACQUIRE) &&
       k->pp_dir_base == env->space->pp_dir_base;
   return good ? k : NULL;
}

/* Its native code, if the thread can be run by it as it is: nothing unusual switched on, nobody
 * watching. */
static inline const struct jit_code *
eu_native_at_once(const struct eu_thread *t)
{
   const struct eu_kernel *k = eu_kernel_kept(t);
   bool unusual = t->cr0[0] & (CR0_ALT | CR0_SPF | CR0_VECTOR_MASK) || t->alt_mode ||
                  t->single_program_flow || t->waiting || t->debug ||
                  trace_wants(&t->env->dev->trace, PERGOLA_EVENT_INSTRUCTION);
   return k && !k->timed && !unusual ? __atomic_load_n(&k->native, __ATOMIC_ACQUIRE) : NULL;
}

static inline uint32_t
eu_dispatched(const struct eu_thread *t)
{
   return t->cr0[0] & CR0_VECTOR_MASK ? t->vector_mask : t->dispatch_mask;
}

/* Diagnostic at an instruction. */
__attribute__((format(printf, 6, 7))) void eu_report(struct eu_thread *t, const struct eu_detail *d,
                                                     uint32_t ip, enum pergola_severity severity,
                                                     const char *rule, const char *format, ...);
#endif
