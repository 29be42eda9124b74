/* Private to src/eu/jit: the translation under way. */
#ifndef PERGOLA_EU_JIT_TRANSLATE_H
#define PERGOLA_EU_JIT_TRANSLATE_H

#include "eu/fast.h"
#include "eu/jit/jit.h"
#include "eu/jit/x86.h"

/* What generated code keeps where, all saved by the called function. */
enum {
   REG_THREAD = RBX,
   REG_LEFT = R12,  /* instructions that may still run */
   REG_CONST = R13, /* jit_constants */
   REG_OPS = R15,   /* the kernel's operations */
   REG_BUFFERS = RBP,
   REG_ROW = R14, /* offset of the row of slots in kept.row */
};
/* Vector registers: scratch, results that are kept, masks of channels 0-7 and 8-15. */
enum { SCRATCH = 0, SCRATCH_COUNT = 4, KEPT = 4, KEPT_COUNT = 10, MASK0 = 14, MASK1 = 15 };
/* Where there are no masks, a loop has their registers too. */
#define KEPT_ALL (KEPT_COUNT + 2)

enum version { MASKED, FULL };

struct fixup {
   size_t end; /* of the distance */
   uint32_t op;
   uint8_t version; /* or FIX_FLOW: the masked code of a flow instruction, past its block's start */
};
#define FIX_FLOW 2

/* The result of the last comparison, which has written flags, a lane each by its sign: who goes by
 * them need not ask the flags. Its registers are held until the last of them. */
struct truth {
   bool known, inverted;
   bool masked;           /* only lanes of active channels are right */
   uint8_t reg[2], count; /* of these kept registers */
   uint8_t flag_reg, flag_shift, group;
   uint32_t until; /* operation */
};

/* Which bytes of the GRF a vector register holds; at most one place each. */
struct kept {
   uint16_t offset[KEPT_ALL]; /* OFFSET_NONE: none */
   bool masks;                /* MASK0 and MASK1 are loaded */
   bool buffers; /* REG_BUFFERS is: what the thread knows of its surfaces, or jit_no_buffers */
   /* The slots' offsets in so many registers from here follow each other dword by dword from
    * REG_ROW; or it is NO_ROW, which lies in no window. OFFSET_NONE: not asked yet. */
   uint16_t row;
   uint8_t row_registers;
   struct truth truth;
};
#define NO_ROW UINT32_MAX

/* Code out of the way, emitted at the end. */
enum detour_kind {
   DETOUR_BUDGET,    /* a block does not fit into the budget, or reads what was never written:
                        interpret */
   DETOUR_LEAVE,     /* rax is not the next operation */
   DETOUR_SLOW,      /* arithmetic that the general path has to do */
   DETOUR_FAST_PATH, /* a message that the code at hand cannot do: its fast path, or the slow one */
   DETOUR_NO_BUFFERS, /* what is known of buffers is not for this thread */
   DETOUR_SEND,       /* the slow path of a message */
   DETOUR_EXIT,       /* out of a loop with registers of its own */
};
#define DETOUR_WAYS 8
struct detour {
   enum detour_kind kind;
   size_t from[DETOUR_WAYS]; /* jumps that lead here; 0: unused */
   size_t back;              /* where it goes on */
   uint32_t op;
   uint32_t refund;             /* instructions charged but not executed */
   struct kept kept;            /* what must be in registers when going back */
   const struct jit_loop *loop; /* whose registers are written back first, or NULL … */
   uint8_t version;             /* … of this one */
   uint8_t to;                  /* of DETOUR_EXIT: as in struct fixup */
};

/* loop.c: a loop whose most used places of the GRF stay in host registers. */
#define LOOP_REGISTERS 8u
#define LOOP_PLACES 24u
#define LOOPS 32u
struct jit_loop {
   uint32_t first, last; /* operations: where it starts, and its while or jmpi */
   /* The most used ones first: as many of them as there are have registers. */
   struct {
      uint16_t offset;
      bool written;
      bool open; /* a NaN in it may still have to be settled, in memory too */
   } place[LOOP_PLACES];
   unsigned count;
   bool nearest; /* is only for rounding to nearest */
   /* By version. */
   bool good[2];
   size_t from[2];  /* jump at its start to the code with registers */
   size_t plain[2]; /* behind that jump */
   size_t top[2];   /* where an iteration starts */
};

struct jit {
   struct x86 a;
   const struct eu_kernel *k;
   enum jit_kind kind;
   bool rules;
   bool counts; /* eu/tally.h */
   bool has_full;
   bool wide;    /* wide.c: rounds to nearest, and settles NaN itself */
   uint32_t all; /* channels of the full version */
   enum version version;
   uint8_t *leader;    /* by operation: a block starts here */
   uint32_t *label[3]; /* by operation: code offset + 1; indices as in struct fixup */
   struct fixup *fix;
   size_t fix_count, fix_room;
   struct detour *detour;
   size_t detour_count, detour_room;
   struct detour nowhere; /* written, never read: the translation has failed */
   struct kept kept;
   unsigned victim;        /* next kept register to give up */
   uint32_t pinned;        /* kept registers that the operation at hand uses */
   uint32_t rest;          /* instructions of the block behind the one at hand */
   size_t leave, dispatch; /* common code */
   size_t table;           /* where its address, of the entries, has to be put */
   bool failed;            /* no memory, or no registers left */
   struct jit_loop loop_list[LOOPS];
   unsigned loop_count;
   const struct jit_loop *loop; /* that is being translated with registers of its own */
   uint32_t reserved;           /* kept registers that are its own */
};

/* Constants that generated code reaches from REG_CONST. */
struct jit_constants {
   uint32_t
       shift[40]; /* 31, 30, …: shifts a mask so that lane k's sign is bit s + k, from &shift[s] */
   uint32_t sign[8], magnitude[8], zero[8], ones[8], count[8];
   uint32_t low_half[8], nan[8];
   float one[8], two_16[8], two_31[8], two_32[8];
   uint32_t
       first_and_second[8];  /* permutation: element 0 to the lower four lanes, 1 to the upper */
   uint32_t lanes[2][16][8]; /* by the mask of four channels, in the lower four lanes or in both */
   double one_d[4];
   uint32_t dwords[16];   /* byte offsets of slots in a row */
   uint8_t low_words[32]; /* shuffle: the low words of dwords to the front of each half */
};
extern const struct jit_constants jit_constants;
#define CONSTANT(member) x86_mem(REG_CONST, (int32_t)offsetof(struct jit_constants, member))
#define THREAD(member) x86_mem(REG_THREAD, (int32_t)offsetof(struct eu_thread, member))

static inline struct x86_rm
jit_op_at(const struct jit *j, const struct eu_op *op)
{
   return x86_mem(REG_OPS, (int32_t)((const char *)op - (const char *)j->k->ops));
}

static inline struct x86_rm
jit_grf(unsigned offset)
{
   return x86_mem(REG_THREAD, (int32_t)(offsetof(struct eu_thread, grf) + offset));
}

/* translate.c. The size of the code, or 0: it did not fit, or there was no memory. */
size_t jit_emit(const struct eu_kernel *k, enum jit_kind kind, struct jit_code *c, size_t room);
struct detour *jit_detour(struct jit *j, enum detour_kind kind, const struct eu_op *op);
void jit_jump_to(struct jit *j, size_t end, const struct eu_op *op, unsigned version);
void jit_forget(struct jit *j);               /* what registers hold is no longer known */
void jit_load_masks(struct jit *j);           /* MASK0, MASK1 */
void jit_one(struct jit *j, uint32_t i);      /* an operation, and the start of a block */
void jit_call(struct jit *j, const void *fn); /* rdi is set to the thread; forgets */
/* ecx = the predicate of the instruction's channels, bit 0 the first; uses esi. */
void jit_predicate(struct jit *j, const struct eu_detail *d);
/* eax = channels of the instruction that write, in the instruction's numbering; uses ecx and esi.
 * Without `predicated` the predicate is left out. */
void jit_channels(struct jit *j, const struct eu_op *op, bool predicated);

/* alu.c. False: nothing was emitted, there is no native form. */
bool jit_alu(struct jit *j, const struct eu_op *op);
/* message.c */
bool jit_message(struct jit *j, const struct eu_op *op);
/* Calls the fast path, by this function; eax: the channels. Zero flag: it was not taken. */
void jit_fast_path(struct jit *j, const struct eu_op *op, sf_quick_fn fn);
/* A read of dwords from anywhere, if all of them lie in the window. Returns the jump that is taken
 * where they do not. kept: the registers that have to hold the response as well as memory. */
size_t jit_gather(struct jit *j, const struct sf_quick *q, const struct kept *kept);
/* A vector register for a result, and what it means once it has been stored. */
unsigned jit_new_register(struct jit *j);
int jit_find_kept(const struct jit *j, unsigned offset);
void jit_store_whole(struct jit *j, unsigned offset, unsigned r);
/* flow.c */
bool jit_is_flow(const struct eu_op *op);
/* Not `plain`: a breakpoint or an illegal instruction, which only the interpreter knows. */
void jit_flow(struct jit *j, const struct eu_op *op, bool plain);
void jit_wake(struct jit *j, uint32_t ip);
/* Has it a native form at all? */
bool jit_is_simple_flow(const struct eu_op *op);
/* loop.c */
void jit_find_loops(struct jit *j);
/* At the start of a block: the way into its loop, if it starts one. */
void jit_loop_enter(struct jit *j, uint32_t i);
void jit_emit_loops(struct jit *j);
/* The index of the kept register that holds a place for the loop at hand, or -1. */
int jit_loop_register(const struct jit *j, unsigned offset);
/* May the result be any NaN for now? */
bool jit_stays_open(const struct jit *j, const struct eu_op *op, unsigned half);
void jit_loop_flush(struct jit *j, const struct jit_loop *l, enum version version);

#endif
