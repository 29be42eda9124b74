/* Private to src/eu/jit: the translation under way. */
#ifndef PERGOLA_EU_JIT_TRANSLATE_H
#define PERGOLA_EU_JIT_TRANSLATE_H

#include "eu/jit/ir.h"
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
   /* Inside a region, where nothing is called: its flags, the active channels where some are not.
    */
   REG_FLAG = R8, /* and R9 */
   REG_ACTIVE = R10,
};
/* Vector registers: scratch, results that are kept, masks of channels 0-7 and 8-15. The kept ones
 * have indices; a region may also have the upper two scratch registers, and those of the masks,
 * which come before and behind them. */
enum {
   SCRATCH = 0,
   KEPT = 2,
   KEPT_FIRST = 2,
   KEPT_COUNT = 12,
   KEPT_ALL = 14,
   MASK0 = 14,
   MASK1 = 15
};
#define KEPT_SCRATCH 3u /* their indices, a bit each */

/* On the host's stack, for values of a region that have no register: a slot each. */
#define FRAME_B (IR_VALUES * 32)
/* … then the caller's stack pointer, then who waits inside a region (sides.c), a mask each. */
#define FRAME_MEETS (int32_t)(FRAME_B + 8)
/* … then, if the kernel has such messages, where texels lie (texels.c). */
#define FRAME_TEXELS (int32_t)(FRAME_B + 64)
#define TEXEL_PLACES 16u
#define TEXEL_PLACE_B 64u

struct fixup {
   size_t end; /* of the distance */
   uint32_t op;
   uint8_t version; /* or FIX_FLOW: the masked code of a flow instruction, past its block's start */
};
#define FIX_FLOW 2
#define FIX_INSIDE 3 /* inside the region of a loop (sides.c) */

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
   DETOUR_ROWS,      /* texels of two tiles, one above the other; else as the one before */
   DETOUR_NO_BUFFERS, /* what is known of buffers is not for this thread */
   DETOUR_SEND,       /* the slow path of a message */
   DETOUR_WAIT,       /* nobody has notified the thread: it stops */
   DETOUR_EXIT,       /* out of a region */
   DETOUR_PLAIN,      /* the next iteration is for the plain code */
   DETOUR_PARK,       /* channels leave a region: those in eax */
   DETOUR_NOBODY,     /* inside a region nobody is left behind a branch */
};
#define DETOUR_WAYS 8
struct detour {
   enum detour_kind kind;
   size_t from[DETOUR_WAYS]; /* jumps that lead here; 0: unused */
   size_t back;              /* where it goes on */
   uint32_t op;
   uint32_t refund;                /* instructions behind `at` that are charged, not executed */
   struct kept kept;               /* what must be in registers when going back */
   const struct ir_region *region; /* whose values are written back first, or NULL */
   uint64_t hidden;                /* its values that were not written last, a bit each */
   uint64_t writes[2];             /* EU-206: of an iteration until now */
   bool steady;                    /* of its second form (steady.c), before … */
   uint32_t at;                    /* … this operation */
   uint8_t to;                     /* of DETOUR_EXIT: as in struct fixup */
   uint8_t version;                /* of the code that it leads away from */
   uint32_t park_ip;               /* of DETOUR_PARK … */
   bool apart;                     /* … where others may wait inside */
   uint8_t place[2], lost; /* texels.c; lost: those of `place`, a bit each, that are not found */
};

/* texels.c: what the frame has found for the coordinates in a register. */
struct texel_place {
   uint32_t name; /* of what the register contained; 0: nothing */
   uint8_t bti;
   bool writes, rows;
};

struct jit {
   struct x86 a;
   const struct eu_kernel *k;
   enum jit_kind kind;
   bool rules;
   bool counts; /* eu/tally.h */
   bool has_full;
   bool waits;   /* the kernel does, … */
   bool rounds;  /* … and goes on with the next thread then (eu/series.h) */
   bool wide;    /* wide.c: rounds to nearest, and settles NaN itself */
   uint32_t all; /* channels of the full version */
   enum version version;
   uint8_t *leader;    /* by operation: a block starts here */
   bool *unordered;    /* by operation: a write may come before it with no fence in between */
   uint32_t *label[4]; /* by operation: code offset + 1; indices as in struct fixup */
   struct fixup *fix;
   size_t fix_count, fix_room;
   struct detour *detour;
   size_t detour_count, detour_room;
   struct detour nowhere; /* written, never read: the translation has failed */
   struct kept kept;
   unsigned victim;             /* next kept register to give up */
   uint32_t pinned;             /* kept registers that the operation at hand uses */
   uint32_t rest;               /* instructions of the block behind the one at hand */
   size_t leave, dispatch;      /* common code */
   size_t table;                /* where its address, of the entries, has to be put */
   bool failed;                 /* no memory, or no registers left */
   struct jit_iterate *iterate; /* iterate.c: what is needed of the loop at hand, or NULL */
   struct jit_listing *listing;
   struct ir_region region_list[IR_REGIONS];
   unsigned region_count;
   const struct ir_region *region; /* that is being translated … */
   bool steady;                    /* … in its second form */
   uint32_t at;                    /* the operation at hand … */
   bool apart;                     /* … while channels may wait inside the region */
   const struct eu_op *turns; /* sides.c: MASK0 and MASK1 are of this `if`, or of its other side */
   uint64_t writes[2];        /* EU-206: what its iteration has written until now */
   /* texels.c: registers with the same name have the same contents. */
   bool texels; /* it has such messages */
   uint32_t name[EU_GRF_COUNT], names;
   struct texel_place place[TEXEL_PLACES];
   unsigned next_place;
   /* The operation before this one has left its flags in edx, those of the channels that write. */
   uint32_t bits_until; /* operation, or 0 */
   uint32_t below;      /* the same of an operation that stores them with its own; or 0 */
   struct flag_bits {
      uint8_t flag_reg;
      int8_t first;      /* bit of the thread's first channel */
      uint32_t channels; /* bits of the flag register */
   } bits;
};

/* Constants that generated code reaches from REG_CONST. */
struct jit_constants {
   uint32_t
       shift[40]; /* 31, 30, …: shifts a mask so that lane k's sign is bit s + k, from &shift[s] */
   uint32_t sign[8], magnitude[8], zero[8], ones[8], count[8];
   uint32_t low_half[8], nan[8], not_block[8];
   float one[8], two_16[8], two_31[8], two_32[8];
   uint32_t
       first_and_second[8];  /* permutation: element 0 to the lower four lanes, 1 to the upper */
   uint32_t lanes[2][16][8]; /* by the mask of four channels, in the lower four lanes or in both */
   double one_d[4];
   float half[8], root_error[8]; /* math.c */
   uint32_t dwords[16];          /* byte offsets of slots in a row */
   uint8_t low_words[32];        /* shuffle: the low words of dwords to the front of each half */
   /* texels.c */
   uint32_t fifteen[8], thirty_one[8];
   uint32_t low_dwords[8]; /* of quadwords */
   uint32_t four_rows[8];  /* from the first of them */
   uint32_t last_row[8];   /* 16 times the last row of a tile that three more follow */
   uint32_t columns[8];    /* permutation */
   float bytes[8], unit[8];
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
struct jit_listing; /* show.h: or NULL */
size_t jit_emit(const struct eu_kernel *k, enum jit_kind kind, struct jit_code *c, size_t room,
                struct jit_listing *listing);
/* For the listing, if there is one; kind: enum mark_kind. */
void jit_mark(struct jit *j, unsigned kind, uint32_t op);
struct detour *jit_detour(struct jit *j, enum detour_kind kind, const struct eu_op *op);
void jit_jump_to(struct jit *j, size_t end, const struct eu_op *op, unsigned version);
void jit_forget(struct jit *j);                /* what registers hold is no longer known */
void jit_load_masks(struct jit *j);            /* MASK0, MASK1 */
void jit_one(struct jit *j, uint32_t i);       /* an operation, and the start of a block */
void jit_operation(struct jit *j, uint32_t i); /* without the latter */
/* iterate.c: the loop over threads, if the kernel is one for it. */
void jit_emit_iterations(struct jit *j, struct jit_code *c);
/* Jumps that are taken where a message cannot be done in line. */
void jit_not_in_line(struct jit *j, const size_t at[], unsigned count);
/* n instructions from this operation on are counted, or taken back. */
void jit_count(struct jit *j, uint32_t i, uint32_t n, int32_t sign);
void jit_call(struct jit *j, const void *fn); /* rdi is set to the thread; forgets */
/* ecx = the predicate of the instruction's channels, bit 0 the first; uses esi. */
void jit_predicate(struct jit *j, const struct eu_detail *d);
/* eax = channels of the instruction that write, in the instruction's numbering; uses ecx and esi.
 * Without `predicated` the predicate is left out. */
void jit_channels(struct jit *j, const struct eu_op *op, bool predicated);

/* alu.c. False: nothing was emitted, there is no native form. */
bool jit_alu(struct jit *j, const struct eu_op *op);
/* message.c */
/* Is it one that a region may have? */
bool jit_is_message(const struct eu_op *op);
bool jit_message(struct jit *j, const struct eu_op *op);
/* Is a row one of shared local memory? */
static inline bool
jit_is_shared(const struct sf_quick *q)
{
   return q->bti == 254; /* DP-047 */
}
/* Messages whose only fast path is this. */
static inline bool
jit_is_barrier(const struct eu_detail *d)
{
   return d->quick.fn && d->inst.sfid == SFID_GATEWAY;
}
static inline bool
jit_is_fence(const struct eu_detail *d)
{
   const unsigned memory_fence = 7; /* message type */
   return d->quick.fn && (d->inst.sfid == SFID_DP_DATA0 || d->inst.sfid == SFID_DP_RENDER) &&
          (d->inst.desc >> 14 & 31) == memory_fence;
}
void jit_load_buffers(struct jit *j, const struct eu_op *op);
/* Jumps out of the code of a message. */
struct ways_out {
   size_t at[DETOUR_WAYS];
   unsigned count;
};
void jit_out_if(struct jit *j, struct ways_out *w, enum x86_cond cond);
/* What the code before cannot do is left to the fast path, which goes on here. */
struct detour *jit_or_fast_path(struct jit *j, const struct eu_op *op, const struct ways_out *w);
/* texels.c */
void jit_find_texels(struct jit *j);
/* At the start of a block nothing is known of what registers contain. */
void jit_name_all(struct jit *j);
/* Behind an operation. */
void jit_name_results(struct jit *j, const struct eu_op *op);
/* A typed message of a block of texels, in line. False: nothing was emitted. */
bool jit_texels(struct jit *j, const struct eu_op *op);
/* Out of the way: forgets what a message has not found … */
void jit_lose_places(struct jit *j, const struct detour *s);
/* … reads four rows wherever they lie. The jumps are taken where there are none. */
void jit_texel_rows(struct jit *j, const struct detour *s, size_t none[2]);
/* fences.c */
void jit_find_unordered(struct jit *j);
bool jit_wait(struct jit *j, const struct eu_op *op);
/* translate.c: reg = the series, of a kernel that goes on with the next thread when one waits. */
void jit_load_rounds(struct jit *j, unsigned reg);
/* The count that a wait takes one from. */
struct x86_rm jit_notifications(const struct eu_op *op);
/* Calls the fast path, by this function; eax: the channels. Zero flag: it was not taken. */
void jit_fast_path(struct jit *j, const struct eu_op *op, sf_quick_fn fn);
/* A read of dwords from anywhere, if all of them lie in the window. Returns the jump that is taken
 * where they do not. kept: the registers that have to hold the response as well as memory. */
size_t jit_gather(struct jit *j, const struct sf_quick *q, const struct kept *kept);
/* The same of shared local memory where a load for eight slots does; goes on at `back` then, else
 * behind. */
void jit_permuted(struct jit *j, const struct sf_quick *q, const struct kept *kept, size_t back);
/* A vector register for a result, and what it means once it has been stored. */
unsigned jit_new_register(struct jit *j);
int jit_find_kept(const struct jit *j, unsigned offset);
void jit_store_whole(struct jit *j, unsigned offset, unsigned r);
/* flow.c */
bool jit_is_flow(const struct eu_op *op);
/* Not `plain`: a breakpoint or an illegal instruction, which only the interpreter knows. */
void jit_flow(struct jit *j, const struct eu_op *op, bool plain);
void jit_wake(struct jit *j, uint32_t ip);
/* The channels in ecx wait at ip. Uses ymm0 and ymm1 only. */
void jit_park(struct jit *j, uint32_t ip);
/* eax = the active channels of the instruction whose predicate holds, in thread numbering. Uses
 * ecx and esi. */
void jit_taken(struct jit *j, const struct eu_op *op);
/* Has it a native form at all? */
bool jit_is_simple_flow(const struct eu_op *op);
/* Kept registers that are not for results. */
static inline uint32_t
jit_reserved(const struct jit *j)
{
   return KEPT_SCRATCH | (j->region ? j->region->registers : 0);
}
/* flags.c: a flag register, and the active channels, where the code at hand has them. */
struct x86_rm jit_flag(const struct jit *j, unsigned f);
struct x86_rm jit_active(const struct jit *j);
void jit_load_flags(struct jit *j, const struct ir_region *r);
void jit_write_back_flags(struct jit *j, const struct ir_region *r); /* uses edx and esi */
/* The region at hand holds the operation's flags: edx has its new ones, bit 0 the first. */
void jit_set_flags(struct jit *j, const struct eu_op *op);
/* sides.c */
/* if, else, endif, cont: channels part. */
void jit_part_in_region(struct jit *j, const struct eu_op *op);
/* A join: they meet. */
void jit_meet(struct jit *j, uint32_t i);
/* At the top nobody waits inside. */
void jit_empty_meets(struct jit *j, const struct ir_region *r);
/* Where a branch has left nobody: on to where channels wait. */
void jit_nobody(struct jit *j, const struct detour *s);
/* Will the `if` go by what is known of a comparison? */
bool jit_side_is_told(const struct jit *j, const struct truth *t, const struct eu_op *op);
/* The register with the active lanes from a channel on, by sign; of lanes that are not the region's
 * any. */
unsigned jit_side_lanes(struct jit *j, unsigned channel, unsigned scratch);
/* steady.c: before the second form of a region. The jumps are taken where a comparison is not alike
 * in all lanes, one each. */
void jit_settle_choices(struct jit *j, const struct ir_region *r, size_t differ[IR_CHOICES]);
/* The thread gets its choices, as they are before the operation `at`. Uses rax and ymm1 only. */
void jit_store_choices(struct jit *j, const struct ir_region *r, uint32_t at);
/* Is there nothing to do for an operation in the form at hand? */
bool jit_is_left_out(const struct jit *j, uint32_t i);
/* Is a source a choice? Where it is then: by rax, which is set. */
bool jit_is_chosen(const struct jit *j, const struct eu_op *op, unsigned n, unsigned half);
struct x86_rm jit_chosen(struct jit *j, const struct eu_op *op, unsigned n, unsigned half);
/* region.c */
/* At the start of a block: the way into its region, if it starts one. */
void jit_region_enter(struct jit *j, uint32_t i);
void jit_emit_regions(struct jit *j);
/* The value of the region at hand with these bytes, or NULL. */
const struct ir_value *jit_value(const struct jit *j, enum ir_kind kind, unsigned offset);
/* The memory of 32 bytes of the GRF: where the region at hand has them, or the thread. */
struct x86_rm jit_home(const struct jit *j, unsigned offset);
/* A value's slot of the frame. */
struct x86_rm jit_slot(const struct ir_region *r, const struct ir_value *v);
/* May the result be any NaN for now? */
bool jit_stays_open(const struct jit *j, const struct eu_op *op, unsigned half);
/* The thread has all values that the region has written. Uses ymm0 and ymm1 only. */
void jit_region_flush(struct jit *j, const struct ir_region *r, uint64_t hidden);
/* Behind a flush: values that were not written last are what the thread has. Uses ymm1 only. */
void jit_region_renew(struct jit *j, const struct ir_region *r, uint64_t hidden);
/* translate.c: a detour leads out of its region: the thread is as if it had none. */
void jit_leave_region(struct jit *j, const struct detour *s);
/* translate.c: instructions of the block or round behind the detour's are given back. */
void jit_refund(struct jit *j, const struct detour *s);
/* EU-206 */
void jit_mark_registers(struct jit *j, const uint64_t writes[2]);
/* EU-206: the way to `plain` if one of these was never written. */
size_t jit_ask_registers(struct jit *j, unsigned word, uint64_t reads);

#endif
