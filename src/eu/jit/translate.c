/* From a kernel's operations to code: blocks, budget, calls, detours. */
#include "eu/jit/show.h"

#include "eu/check.h"
#include "hw/message.h"

#include <stdlib.h>
#include <string.h>

#define MAX_OPS (1u << 17)

#define REPEAT8(v)                                                                                 \
   {                                                                                               \
      v, v, v, v, v, v, v, v                                                                       \
   }
#define LANES_OF(m, upper)                                                                         \
   {                                                                                               \
      LANE(m, 0), LANE(m, 1), LANE(m, 2), LANE(m, 3), LANE(m, 0) & (upper), LANE(m, 1) & (upper),  \
          LANE(m, 2) & (upper), LANE(m, 3) & (upper)                                               \
   }
#define LANE(m, i) ((m) >> (i)&1 ? ~0u : 0u)
#define LANES(upper)                                                                               \
   {                                                                                               \
      LANES_OF(0, upper), LANES_OF(1, upper), LANES_OF(2, upper), LANES_OF(3, upper),              \
          LANES_OF(4, upper), LANES_OF(5, upper), LANES_OF(6, upper), LANES_OF(7, upper),          \
          LANES_OF(8, upper), LANES_OF(9, upper), LANES_OF(10, upper), LANES_OF(11, upper),        \
          LANES_OF(12, upper), LANES_OF(13, upper), LANES_OF(14, upper), LANES_OF(15, upper)       \
   }
const struct jit_constants jit_constants = {
    .shift = {31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
              15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0},
    .sign = REPEAT8(0x80000000),
    .magnitude = REPEAT8(0x7fffffff),
    .zero = REPEAT8(0),
    .ones = REPEAT8(0xffffffff),
    .count = REPEAT8(31),
    .low_half = REPEAT8(0xffff),
    .nan = REPEAT8(0x7fc00000),
    .not_block = REPEAT8(~(32u - 4)),
    .one = REPEAT8(1.0f),
    .two_16 = REPEAT8(0x1p16f),
    .two_31 = REPEAT8(0x1p31f),
    .two_32 = REPEAT8(0x1p32f),
    .first_and_second = {0, 0, 0, 0, 1, 1, 1, 1},
    .lanes = {LANES(0), LANES(~0u)},
    .dwords = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60},
    .one_d = {1, 1, 1, 1},
    .half = REPEAT8(0.5f),
    .root_error = REPEAT8(0x1p-42f),
    .fifteen = REPEAT8(15),
    .thirty_one = REPEAT8(31),
    .low_dwords = {~0u, 0, ~0u, 0, ~0u, 0, ~0u, 0},
    .four_rows = {0, 1, 2, 3, 0, 1, 2, 3},
    .last_row = REPEAT8(16 * 28),
    .columns = {0, 4, 2, 6, 1, 5, 3, 7},
    .bytes = REPEAT8(255.0f),
    .unit = REPEAT8(0x1p23f),
    .low_words = {0, 1, 4, 5, 8, 9, 12, 13, 128, 128, 128, 128, 128, 128, 128, 128,
                  0, 1, 4, 5, 8, 9, 12, 13, 128, 128, 128, 128, 128, 128, 128, 128},
};

/* ---- lists ---------------------------------------------------------------------------------- */

static bool
room_for_one(struct jit *j, void **list, size_t count, size_t *room, size_t size)
{
   if (count < *room)
      return true;
   size_t more = *room ? *room * 2 : 64;
   void *p = realloc(*list, more * size);
   if (!p) {
      j->failed = true;
      return false;
   }
   *list = p;
   *room = more;
   return true;
}

void
jit_mark(struct jit *j, unsigned kind, uint32_t op)
{
   struct jit_listing *l = j->listing;
   if (!l)
      return;
   void *list = l->mark;
   bool ok = room_for_one(j, &list, l->count, &l->room, sizeof(*l->mark));
   l->mark = list;
   if (ok)
      l->mark[l->count++] =
          (struct jit_mark){.at = j->a.size,
                            .kind = (enum mark_kind)kind,
                            .op = op,
                            .steady = j->steady,
                            .region = j->region ? (int)(j->region - j->region_list) : -1};
}

struct detour *
jit_detour(struct jit *j, enum detour_kind kind, const struct eu_op *op)
{
   void *list = j->detour;
   bool ok = room_for_one(j, &list, j->detour_count, &j->detour_room, sizeof(*j->detour));
   j->detour = list;
   struct detour *s = ok ? &j->detour[j->detour_count++] : &j->nowhere;
   *s = (struct detour){.kind = kind,
                        .op = (uint32_t)(op - j->k->ops),
                        .refund = j->rest,
                        .region = j->region,
                        .steady = j->steady,
                        .at = j->at,
                        .version = (uint8_t)j->version,
                        .hidden = j->region ? ir_hidden(j->region) : 0,
                        .writes = {j->writes[0], j->writes[1]}};
   return s;
}

void
jit_jump_to(struct jit *j, size_t end, const struct eu_op *op, unsigned version)
{
   if (j->region && version == j->version && op == &j->k->ops[j->region->first]) {
      x86_patch(&j->a, end, j->region->latch);
      return;
   }
   if (j->region) {
      struct detour *s = jit_detour(j, DETOUR_EXIT, op);
      s->from[0] = end;
      s->to = (uint8_t)version;
      return;
   }
   void *list = j->fix;
   bool ok = room_for_one(j, &list, j->fix_count, &j->fix_room, sizeof(*j->fix));
   j->fix = list;
   if (ok)
      j->fix[j->fix_count++] =
          (struct fixup){.end = end, .op = (uint32_t)(op - j->k->ops), .version = (uint8_t)version};
}

/* ---- what registers hold -------------------------------------------------------------------- */

void
jit_forget(struct jit *j)
{
   uint32_t own = j->region ? j->region->registers : 0;
   for (unsigned i = 0; i < KEPT_ALL; i++)
      if (!(own >> i & 1))
         j->kept.offset[i] = OFFSET_NONE;
   j->kept.masks = j->kept.buffers = j->kept.truth.known = false;
   j->kept.row = OFFSET_NONE;
}

static void
emit_masks(struct jit *j)
{
   struct x86_rm high = CONSTANT(shift[8]);
   vex(&j->a, VPBROADCASTD, MASK0, 0, THREAD(active));
   vex(&j->a, VPSLLVD, MASK1, MASK0, high);
   vex(&j->a, VPSLLVD, MASK0, MASK0, CONSTANT(shift));
}

void
jit_load_masks(struct jit *j)
{
   if (!j->kept.masks)
      emit_masks(j);
   j->kept.masks = true;
}

static void
restore(struct jit *j, const struct kept *kept)
{
   for (unsigned i = 0; i < KEPT_COUNT; i++)
      if (kept->offset[i] != OFFSET_NONE)
         vex(&j->a, VMOVDQU_LOAD, KEPT + i, 0, jit_grf(kept->offset[i]));
   if (kept->masks)
      emit_masks(j);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void
emit_call(struct jit *j, const void *fn)
{
   x86_op(&j->a, X86_LOAD, true, RDI, x86_reg(REG_THREAD));
   x86_mov_imm(&j->a, RAX, (uint64_t)(uintptr_t)fn);
   x86_vzeroupper(&j->a);
   x86_call(&j->a, RAX);
}

void
jit_call(struct jit *j, const void *fn)
{
   emit_call(j, fn);
   jit_forget(j);
}

/* A function pointer as an address: every ABI that this code is for allows it. */
static const void *
address_of(eu_op_fn fn)
{
   const void *p;
   memcpy(&p, &fn, sizeof(p));
   return p;
}

/* rax = fn(t, op), compared with the operation behind it. */
static void
emit_interpret(struct jit *j, const struct eu_op *op)
{
   /* The registers of arithmetic that the block has already asked for (check_registers) are not
    * asked for again. */
   bool checked = op->fast && op->fn == eu_exec_checked;
   x86_op(&j->a, X86_LEA, true, RSI, jit_op_at(j, op));
   emit_call(j, address_of(checked ? op->d->checked : op->fn));
   x86_op(&j->a, X86_LEA, true, RCX, jit_op_at(j, op + 1));
   x86_op(&j->a, X86_CMP, true, RAX, x86_reg(RCX));
}

/* The interpreter's function; goes on with the next operation or leaves. */
static void
interpret(struct jit *j, const struct eu_op *op)
{
   bool message = op->d && (op->d->opcode == EU_OP_SEND || op->d->opcode == EU_OP_SENDC);
   if (!message)
      x86_imm(&j->a, X86_ADD_I, false, THREAD(ways[0]), 1);
   emit_interpret(j, op);
   jit_forget(j);
   struct detour *s = jit_detour(j, DETOUR_LEAVE, op);
   s->from[0] = x86_jump_if(&j->a, CC_NE);
}

/* ecx: whether any bit of each group of n is set, for all bits of the group. */
static void
any_of(struct jit *j, unsigned n)
{
   struct x86 *a = &j->a;
   static const uint32_t first[6] = {0, 0x55555555, 0x11111111, 0x01010101, 0x00010001, 1};
   unsigned log = 0;
   for (unsigned i = 1; i < n; i *= 2, log++) {
      x86_op(a, X86_LOAD, false, RSI, x86_reg(RCX));
      x86_shift(a, false, RSI, i);
      x86_op(a, X86_OR, false, RCX, x86_reg(RSI));
   }
   x86_imm(a, X86_AND_I, false, x86_reg(RCX), (int32_t)first[log]);
   x86_multiply(a, RCX, n == 32 ? UINT32_MAX : (1u << n) - 1);
}

/* The native form of eu_predicate. */
void
jit_predicate(struct jit *j, const struct eu_detail *d)
{
   struct x86 *a = &j->a;
   unsigned p = d->predicate;
   bool invert = d->predicate_inverse;
   struct x86_rm flag = jit_flag(j, d->flag_reg);
   if (p == 1 && flag.memory && d->flag_shift % 16 + d->exec_size <= 16) {
      flag.disp += d->flag_shift / 16 * 2; /* as it is written: a longer load would have to wait */
      x86_op(a, X86_MOVZX16, false, RCX, flag);
      if (invert)
         x86_not(a, false, RCX);
      x86_shift(a, false, RCX, d->flag_shift % 16);
      return;
   }
   x86_op(a, X86_LOAD, false, RCX, flag);
   if (d->align16 && p >= 2 && p <= 5) {
      x86_shift(a, false, RCX, p - 2);
      x86_imm(a, X86_AND_I, false, x86_reg(RCX), 0x11111111);
      x86_multiply(a, RCX, 15);
   } else if (p == 2 || p == 3) {
      x86_op(a, p == 2 ? X86_OR : X86_AND, false, RCX,
             d->flag_reg ? THREAD(flag[0]) : THREAD(flag[1]));
   } else if (d->align16 ? p == 6 || p == 7 : p >= 4 && p <= 13) {
      if (p & 1) {
         x86_not(a, false, RCX);
         invert = !invert;
      }
      any_of(j, 1u << (p / 2 - 1));
   }
   if (invert)
      x86_not(a, false, RCX);
   if (d->flag_shift)
      x86_shift(a, false, RCX, d->flag_shift);
}

void
jit_channels(struct jit *j, const struct eu_op *op, bool predicated)
{
   const struct eu_detail *d = op->d;
   uint32_t channels = d->channels & d->chan_en;
   if (d->no_mask || j->version == FULL) {
      x86_mov_imm(&j->a, RAX, channels);
   } else {
      x86_op(&j->a, X86_LOAD, false, RAX, jit_active(j));
      x86_shift(&j->a, false, RAX, d->group);
      x86_imm(&j->a, X86_AND_I, false, x86_reg(RAX), (int32_t)channels);
   }
   if (!predicated || !d->predicate)
      return;
   jit_predicate(j, d);
   x86_op(&j->a, X86_AND, false, RAX, x86_reg(RCX));
}

/* ---- blocks --------------------------------------------------------------------------------- */

static bool
is_join(const struct eu_op *op)
{
   return op->fn == eu_exec_join;
}

/* May an operation that is no branch lead into the system routine, or change how a thread runs? */
static bool
may_lead_away(const struct eu_detail *d)
{
   unsigned reg = d->dst.reg & 0xf0;
   return d->inst.debug || d->illegal ||
          (d->dst.kind == OPERAND_ARF && (reg == EU_ARF_CR || reg == EU_ARF_IP));
}

/* An operation after which control may be elsewhere, or where a thread goes on after having
 * stopped. */
static bool
ends_block(const struct eu_op *op)
{
   return !op->d || jit_is_flow(op) || op->d->opcode == EU_OP_WAIT || op->d->inst.eot ||
          may_lead_away(op->d);
}

/* Does a block start at operation i? */
static bool
leads(const struct eu_kernel *k, uint32_t i)
{
   const struct eu_op *op = &k->ops[i];
   if (i && is_join(op - 1))
      return false;
   /* Where a thread may stop it may also go on: at a wait, and before its end. */
   bool stop = op->d && !is_join(op) && (op->d->opcode == EU_OP_WAIT || op->d->inst.eot);
   return !i || ends_block(op - 1) || is_join(op) || stop || !op->d;
}

static uint32_t
block_length(const struct jit *j, uint32_t first)
{
   uint32_t n = 0;
   for (uint32_t i = first; i < j->k->op_count && (i == first || !j->leader[i]); i++)
      n += !is_join(&j->k->ops[i]);
   return n;
}

/* EU-206: which registers a block reads before it writes them, and which it writes. A message marks
 * what it returns itself. */
static void
block_registers(const struct eu_kernel *k, uint32_t first, uint64_t reads[2], uint64_t writes[2])
{
   uint64_t defined[2] = {0, 0};
   memset(reads, 0, 16);
   memset(writes, 0, 16);
   for (uint32_t i = first; i < k->op_count && (i == first || !leads(k, i)); i++) {
      const struct eu_op *op = &k->ops[i];
      if (is_join(op) || !op->d)
         continue;
      const struct eu_detail *d = op->d;
      for (unsigned w = 0; w < 2; w++) {
         reads[w] |= __atomic_load_n(&d->reads[w], __ATOMIC_RELAXED) & ~defined[w];
         writes[w] |= d->writes[w];
         defined[w] |= d->writes[w];
      }
      bool send = d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC;
      if (send && d->dst.kind == OPERAND_GRF && !d->inst.desc_is_reg)
         for (unsigned r = d->dst.reg, n = hw_response_length(d->inst.desc); n && r < EU_GRF_COUNT;
              n--, r++)
            defined[r / 64] |= UINT64_C(1) << (r % 64);
   }
}

void
jit_ask_anew(const struct eu_kernel *k, const struct eu_op *op)
{
   uint32_t first = op->number;
   uint64_t reads[2], writes[2];
   while (!leads(k, first))
      first--;
   const struct eu_detail *d = k->ops[first].d;
   block_registers(k, first, reads, writes);
   for (unsigned w = 0; w < 2 && d; w++)
      __atomic_store_n((uint64_t *)(uintptr_t)&d->asks[w], reads[w], __ATOMIC_RELAXED);
   if (k->wide)
      jit_wide_ask_anew(k->wide, k);
}

/* rcx = the registers that the thread has not; the jump is taken if `which` are among them. */
static size_t
jump_if_missing(struct jit *j, unsigned word, struct x86_rm which)
{
   x86_op(&j->a, X86_LOAD, true, RCX, word ? THREAD(initialised[1]) : THREAD(initialised[0]));
   x86_not(&j->a, true, RCX);
   x86_op(&j->a, X86_TEST, true, RCX, which);
   return x86_jump_if(&j->a, CC_NZ);
}

size_t
jit_ask_registers(struct jit *j, unsigned word, uint64_t reads)
{
   x86_mov_imm(&j->a, RAX, reads);
   return jump_if_missing(j, word, x86_reg(RAX));
}

void
jit_mark_registers(struct jit *j, const uint64_t writes[2])
{
   for (unsigned w = 0; w < 2; w++) {
      if (!writes[w])
         continue;
      x86_mov_imm(&j->a, RAX, writes[w]);
      x86_op(&j->a, X86_OR_TO, true, RAX, w ? THREAD(initialised[1]) : THREAD(initialised[0]));
   }
}

/* What the rule no longer names is no longer asked for either (jit_ask_anew): a thread would leave
 * for the interpreter each time. */
static void
check_registers(struct jit *j, uint32_t first)
{
   uint64_t reads[2], writes[2];
   block_registers(j->k, first, reads, writes);
   jit_ask_anew(j->k, &j->k->ops[first]);
   for (unsigned w = 0; w < 2; w++) {
      if (!reads[w])
         continue;
      x86_mov_imm(&j->a, RAX, (uint64_t)(uintptr_t)&j->k->ops[first].d->asks[w]);
      size_t from = jump_if_missing(j, w, x86_mem(RAX, 0));
      jit_detour(j, DETOUR_BUDGET, &j->k->ops[first])->from[0] = from;
   }
   jit_mark_registers(j, writes);
}

/* The operations from `first` to before `end`: see profile.c. */
static void
emit_profile(struct jit *j, uint32_t first, uint32_t end, int32_t sign)
{
   const uint32_t at[2] = {first, end};
   x86_push(&j->a, RAX);
   for (unsigned i = 0; i < 2; i++) {
      x86_mov_imm(&j->a, RAX, (uint64_t)(uintptr_t)&j->k->executed[at[i]]);
      x86_byte(&j->a, 0xf0); /* lock */
      x86_imm(&j->a, X86_ADD_I, true, x86_mem(RAX, 0), i ? -sign : sign);
   }
   x86_pop(&j->a, RAX);
}

void
jit_count(struct jit *j, uint32_t i, uint32_t n, int32_t sign)
{
   int32_t sum[OA_INSTRUCTION_EVENTS] = {0};
   uint32_t first = i;
   if (!j->counts)
      return;
   for (; n && i < j->k->op_count; i++) {
      const struct eu_op *op = &j->k->ops[i];
      if (is_join(op))
         continue;
      n--;
      sum[OA_BRANCH] += !op->d;
      for (unsigned e = 0; op->d && e < OA_INSTRUCTION_EVENTS; e++)
         sum[e] += op->d->events[e];
   }
   if (j->k->executed)
      emit_profile(j, first, i, sign);
   for (unsigned e = 0; e < OA_INSTRUCTION_EVENTS; e++)
      if (sum[e])
         x86_imm(&j->a, X86_ADD_I, true, THREAD(count[e]), sign * sum[e]);
}

static void
start_block(struct jit *j, uint32_t i)
{
   const struct eu_op *op = &j->k->ops[i];
   j->label[j->version][i] = (uint32_t)j->a.size + 1;
   jit_forget(j);
   jit_name_all(j);
   if (j->version == MASKED && is_join(op))
      jit_wake(j, op->ip);
   if (j->version == MASKED && j->has_full) {
      /* Two comparisons: both may just have been written, and one load of two stores has to wait
       * for them. */
      x86_imm(&j->a, X86_CMP_I, false, THREAD(active), (int32_t)j->all);
      size_t some = x86_jump_if(&j->a, CC_NE);
      x86_imm(&j->a, X86_CMP_I, false, THREAD(waiting), 0);
      jit_jump_to(j, x86_jump_if(&j->a, CC_E), op, FULL);
      x86_patch(&j->a, some, j->a.size);
   }
   jit_region_enter(j, i);
   j->rest = block_length(j, i);
   struct detour *s = jit_detour(j, DETOUR_BUDGET, op);
   x86_imm(&j->a, X86_SUB_I, true, x86_reg(REG_LEFT), (int32_t)j->rest);
   s->from[0] = x86_jump_if(&j->a, CC_B);
   if (j->rules)
      check_registers(j, i);
   jit_count(j, i, j->rest, 1);
}

/* ---- one operation -------------------------------------------------------------------------- */

void
jit_operation(struct jit *j, uint32_t i)
{
   const struct eu_op *op = &j->k->ops[i];
   const struct eu_detail *d = op->d;
   bool plain = d && !d->inst.debug && !d->illegal;
   j->at = i;
   j->pinned = 0;
   jit_mark(j, MARK_OP, i);
   if (j->region && (ir_is_constant(j->region, i) || jit_is_left_out(j, i)))
      return;
   if (j->kept.truth.until < (uint32_t)(op - j->k->ops))
      j->kept.truth.known = false;
   if (jit_is_flow(op))
      jit_flow(j, op, plain);
   else if (!plain || !(jit_message(j, op) || jit_wait(j, op) || jit_alu(j, op)))
      interpret(j, op);
   jit_name_results(j, op);
}

void
jit_one(struct jit *j, uint32_t i)
{
   j->at = i;
   if (j->leader[i] && !j->region) {
      jit_mark(j, MARK_BLOCK, i);
      start_block(j, i);
   }
   if (is_join(&j->k->ops[i]))
      return;
   j->rest--;
   jit_operation(j, i);
}

static void
translate_all(struct jit *j, enum version version)
{
   j->version = version;
   jit_mark(j, MARK_VERSION, version);
   for (uint32_t i = 0; i < j->k->op_count; i++)
      jit_one(j, i);
}

/* ---- around it ------------------------------------------------------------------------------ */

#define ROUNDS(base, member) x86_mem(base, (int32_t)offsetof(struct eu_rounds, series.member))
#define RESUME(base) x86_mem(base, (int32_t)offsetof(struct eu_rounds, resume))

/* Is there one on the stack? */
static bool
has_frame(const struct jit *j)
{
   return j->region_count || j->texels;
}

/* eu_enter_fn, and the way out. */
static void
emit_frame(struct jit *j)
{
   static const uint8_t saved[6] = {RBX, RBP, R12, R13, R14, R15};
   struct x86 *a = &j->a;
   for (unsigned i = 0; i < 6; i++)
      x86_push(a, saved[i]);
   x86_push(a, RDX); /* seven: the stack is aligned again */
   for (unsigned i = 0; i < 2 && j->rounds; i++)
      x86_push(a, R9);
   if (has_frame(j)) { /* slots of values, none in two cache lines */
      x86_op(a, X86_LOAD, true, RAX, x86_reg(RSP));
      x86_imm(a, X86_AND_I, true, x86_reg(RSP), -64);
      x86_imm(a, X86_SUB_I, true, x86_reg(RSP),
              FRAME_TEXELS + (j->texels ? (int32_t)(TEXEL_PLACES * TEXEL_PLACE_B) : 0));
      x86_op(a, X86_STORE, true, RAX, x86_mem(RSP, FRAME_B));
   }
   x86_op(a, X86_LOAD, true, REG_THREAD, x86_reg(RDI));
   x86_op(a, X86_LOAD, true, REG_LEFT, x86_mem(RDX, 0));
   x86_op(a, X86_LOAD, true, REG_OPS, x86_reg(RCX));
   x86_op(a, X86_LOAD, true, REG_BUFFERS, x86_reg(R8));
   x86_mov_imm(a, REG_CONST, (uint64_t)(uintptr_t)&jit_constants);
   x86_jump_reg(a, RSI);
   /* rax: an operation, of this kernel or not, or NULL. */
   j->dispatch = a->size;
   x86_op(a, X86_LOAD, true, RCX, x86_reg(RAX));
   x86_op(a, X86_SUB, true, RCX, x86_reg(REG_OPS));
   x86_imm(a, X86_CMP_I, true, x86_reg(RCX), (int32_t)(j->k->op_count * sizeof(struct eu_op)));
   size_t outside = x86_jump_if(a, CC_AE);
   x86_op(a, X86_LOAD, false, RCX, x86_mem(RAX, (int32_t)offsetof(struct eu_op, number)));
   j->table = x86_mov_imm64(a, RDX);
   x86_load_indexed(a, RCX, RDX, RCX);
   x86_op(a, X86_TEST, true, RCX, x86_reg(RCX));
   size_t none = x86_jump_if(a, CC_Z);
   x86_jump_reg(a, RCX);
   x86_patch(a, outside, a->size);
   x86_patch(a, none, a->size);
   j->leave = a->size;
   x86_vzeroupper(a);
   if (has_frame(j))
      x86_op(a, X86_LOAD, true, RSP, x86_mem(RSP, FRAME_B));
   if (j->rounds) {
      x86_pop(a, RDX);
      x86_pop(a, RDX);
      x86_op(a, X86_MOVZX8, false, RCX, THREAD(group_index));
      x86_op(a, X86_STORE, false, RCX, ROUNDS(RDX, at));
   }
   x86_pop(a, RDX);
   x86_op(a, X86_STORE, true, REG_LEFT, x86_mem(RDX, 0));
   for (unsigned i = 6; i-- > 0;)
      x86_pop(a, saved[i]);
   x86_ret(a);
}

/* What a fast path has given up, through the general path. */
static void
run_slowly(struct eu_thread *t, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   uint32_t mask = eu_write_mask(t, d) & op->channels & eu_predicate(t, d);
   t->ip = op->ip;
   t->ways[0]++;
   for (unsigned half = 0; half < op->count; half++)
      eu_alu_half(t, d, d->halves == 2 ? half : 0, mask, UINT32_MAX);
}

void
jit_refund(struct jit *j, const struct detour *s)
{
   if (!s->refund)
      return;
   x86_imm(&j->a, X86_ADD_I, true, x86_reg(REG_LEFT), (int32_t)s->refund);
   jit_count(j, s->at + 1, s->refund, -1); /* a way out of a region names where it goes */
}

void
jit_leave_region(struct jit *j, const struct detour *s)
{
   if (s->region && j->rules)
      jit_mark_registers(j, s->writes);
   if (s->region)
      jit_region_flush(j, s->region, s->hidden);
   if (s->steady)
      jit_store_choices(j, s->region, s->at);
}

static void
emit_long_way(struct jit *j, const struct detour *s)
{
   struct x86 *a = &j->a;
   jit_leave_region(j, s); /* it may end there */
   emit_interpret(j, &j->k->ops[s->op]);
   size_t next = x86_jump_if(a, CC_E);
   jit_refund(j, s);
   x86_patch(a, x86_jump(a), j->dispatch);
   x86_patch(a, next, a->size);
}

void
jit_load_rounds(struct jit *j, unsigned reg)
{
   if (has_frame(j))
      x86_op(&j->a, X86_LOAD, true, reg, x86_mem(RSP, FRAME_B));
   x86_op(&j->a, X86_LOAD, true, reg, x86_mem(has_frame(j) ? reg : RSP, 0));
}

/* The thread waits at this operation: on with the next one of the ring, if it has been notified
 * (eu_rounds_run). */
static void
emit_next_thread(struct jit *j, const struct detour *s)
{
   struct x86 *a = &j->a;
   struct ways_out none = {.count = 0};
   uint32_t behind_it = j->label[s->version][s->op + 1];
   j->failed |= !behind_it; /* cannot be: a block starts there */
   jit_load_rounds(j, RDX);
   x86_op(a, X86_MOVZX8, false, RCX, THREAD(group_index));
   x86_lea_indexed(a, RSI, RDX, RCX);
   x86_mov_imm(a, RAX, (uint64_t)(uintptr_t)a->code + behind_it - 1);
   x86_op(a, X86_STORE, true, RAX, RESUME(RSI));
   /* Whose turn it is. */
   x86_imm(a, X86_ADD_I, false, x86_reg(RCX), 1);
   x86_op(a, X86_CMP, false, RCX, ROUNDS(RDX, ring));
   size_t behind = x86_jump_if(a, CC_B);
   jit_out_if(j, &none, CC_NE);
   x86_op(a, X86_XOR, false, RCX, x86_reg(RCX));
   x86_patch(a, behind, a->size);
   x86_lea_indexed(a, RSI, RDX, RCX);
   x86_op(a, X86_LOAD, true, RDI, RESUME(RSI));
   x86_op(a, X86_TEST, true, RDI, x86_reg(RDI));
   jit_out_if(j, &none, CC_Z);
   x86_op(a, X86_LOAD, true, RSI, ROUNDS(RDX, threads));
   x86_load_indexed(a, RSI, RSI, RCX);
   x86_imm(a, X86_CMP_I, false, x86_mem(RSI, (int32_t)offsetof(struct eu_thread, n0[0])), 0);
   jit_out_if(j, &none, CC_E);
   /* May anybody have another turn here? */
   x86_mov_imm(a, RAX, (uint64_t)(uintptr_t)j->k->space->dev->eu->stopped);
   x86_op(a, X86_MOVZX8, false, RAX, x86_mem(RAX, 0));
   x86_op(a, X86_OR, false, RAX, THREAD(owed));
   jit_out_if(j, &none, CC_NE);
   x86_op(a, X86_LOAD, true, R8, ROUNDS(RDX, slice));
   x86_op(a, X86_LOAD, true, RAX, x86_reg(R8));
   x86_op(a, X86_SUB, true, RAX, x86_reg(REG_LEFT));
   x86_op(a, X86_SUB_TO, true, RAX, ROUNDS(RDX, room));
   size_t too_much = x86_jump_if(a, CC_B);
   x86_op(a, X86_ADD_TO, true, RAX, THREAD(instructions));
   x86_op(a, X86_LEA, true, REG_LEFT, x86_mem(R8, -1)); /* the wait has been executed */
   x86_op(a, X86_LOAD, true, REG_THREAD, x86_reg(RSI));
   x86_imm(a, X86_SUB_I, false, THREAD(n0[0]), 1);
   x86_jump_reg(a, RDI);
   x86_patch(a, too_much, a->size);
   x86_op(a, X86_ADD_TO, true, RAX, ROUNDS(RDX, room));
   for (unsigned i = 0; i < none.count; i++)
      x86_patch(a, none.at[i], a->size);
}

static void
emit_detour(struct jit *j, const struct detour *s)
{
   struct x86 *a = &j->a;
   const struct eu_op *op = &j->k->ops[s->op];
   jit_mark(j, MARK_DETOUR, s->op);
   for (unsigned i = 0; i < DETOUR_WAYS; i++)
      if (s->from[i])
         x86_patch(a, s->from[i], a->size);
   if (s->kind != DETOUR_FAST_PATH && s->kind != DETOUR_ROWS && s->kind != DETOUR_SEND &&
       s->kind != DETOUR_NO_BUFFERS && s->kind != DETOUR_NOBODY)
      jit_leave_region(j, s);
   switch (s->kind) {
   case DETOUR_EXIT:
      jit_refund(j, s);
      jit_jump_to(j, x86_jump(a), op, s->to);
      return;
   case DETOUR_PLAIN:
      x86_imm(a, X86_ADD_I, true, x86_reg(REG_LEFT), (int32_t)s->refund);
      x86_patch(a, x86_jump(a), s->region->plain);
      return;
   case DETOUR_PARK:
      jit_region_renew(j, s->region, s->hidden);
      jit_park(j, s->park_ip); /* ecx: all but those; eax: all that are left */
      x86_op(a, s->apart ? X86_AND : X86_LOAD, false, REG_ACTIVE, x86_reg(s->apart ? RCX : RAX));
      x86_op(a, X86_TEST, false, REG_ACTIVE, x86_reg(REG_ACTIVE));
      x86_patch(a, x86_jump_if(a, CC_NZ), s->back);
      if (s->apart) {
         x86_op(a, X86_TEST, false, RAX, x86_reg(RAX));
         size_t all = x86_jump_if(a, CC_Z);
         jit_nobody(j, s);
         x86_patch(a, all, a->size);
      }
      jit_refund(j, s);
      jit_jump_to(j, x86_jump(a), op->jip, MASKED);
      return;
   case DETOUR_NOBODY:
      jit_nobody(j, s);
      return;
   case DETOUR_BUDGET:
      x86_imm(a, X86_ADD_I, true, x86_reg(REG_LEFT), (int32_t)s->refund);
      x86_op(a, X86_LEA, true, RAX, jit_op_at(j, op));
      x86_patch(a, x86_jump(a), j->leave);
      return;
   case DETOUR_LEAVE:
      jit_refund(j, s);
      x86_patch(a, x86_jump(a), j->dispatch);
      return;
   case DETOUR_SLOW: {
      const void *fn;
      void (*slowly)(struct eu_thread *, const struct eu_op *) = run_slowly;
      memcpy(&fn, &slowly, sizeof(fn));
      x86_op(a, X86_LEA, true, RSI, jit_op_at(j, op));
      emit_call(j, fn);
      break;
   }
   case DETOUR_ROWS:
   case DETOUR_FAST_PATH:
      jit_lose_places(j, s);
      if (s->kind == DETOUR_ROWS) {
         size_t none[2];
         jit_texel_rows(j, s, none);
         x86_patch(a, x86_jump(a), s->back);
         x86_patch(a, none[0], a->size);
         x86_patch(a, none[1], a->size);
      }
      if (op->d->quick.row && !op->d->quick.writes) {
         if (jit_is_shared(&op->d->quick))
            jit_permuted(j, &op->d->quick, &s->kept, s->back);
         size_t outside = jit_gather(j, &op->d->quick, &s->kept);
         x86_mov_imm(a, REG_ROW, NO_ROW);
         x86_patch(a, x86_jump(a), s->back);
         x86_patch(a, outside, a->size);
      }
      x86_mov_imm(a, RAX, op->d->channels);
      jit_fast_path(j, op,
                    (op->d->quick.row || op->d->quick.dwords) && !jit_is_shared(&op->d->quick)
                        ? j->k->space->dev->eu->shared->quick_row
                        : op->d->quick.fn);
      size_t done = x86_jump_if(a, CC_NZ);
      emit_long_way(j, s);
      x86_patch(a, done, a->size);
      if (op->d->quick.row)
         x86_mov_imm(a, REG_ROW, NO_ROW);
      break;
   case DETOUR_WAIT:
      x86_store_imm(a, THREAD(ip), op->ip);
      x86_store_imm(a, THREAD(stop), EU_STOP_WAIT);
      if (j->rounds)
         emit_next_thread(j, s);
      x86_op(a, X86_XOR, false, RAX, x86_reg(RAX));
      x86_patch(a, x86_jump(a), j->leave);
      return;
   case DETOUR_NO_BUFFERS:
      x86_mov_imm(a, REG_BUFFERS, (uint64_t)(uintptr_t)&jit_no_buffers);
      x86_patch(a, x86_jump(a), s->back);
      return;
   case DETOUR_SEND:
      emit_long_way(j, s);
      break;
   }
   restore(j, &s->kept);
   x86_patch(a, x86_jump(a), s->back);
}

static void
resolve(struct jit *j)
{
   for (size_t n = 0; n < j->detour_count; n++)
      emit_detour(j, &j->detour[n]);
   for (size_t n = 0; n < j->fix_count; n++) {
      uint32_t label = j->label[j->fix[n].version][j->fix[n].op];
      if (!label) /* cannot be: every target is a block's start */
         j->failed = true;
      x86_patch(&j->a, j->fix[n].end, label ? label - 1 : 0);
   }
}

/* Who goes on with the next thread does its wait as well: all of them are for what a barrier
 * notifies. */
static void
find_waits(struct jit *j)
{
   j->rounds = j->kind == JIT_SERIES;
   for (uint32_t i = 0; i < j->k->op_count; i++) {
      const struct eu_op *op = &j->k->ops[i];
      if (!op->d || op->d->opcode != EU_OP_WAIT)
         continue;
      j->waits = true;
      j->rounds = j->rounds && jit_notifications(op).disp == THREAD(n0[0]).disp;
   }
   j->rounds = j->rounds && j->waits;
}

/* The channels of all instructions that go by the mask; 0: no full version. */
static uint32_t
all_channels(const struct eu_kernel *k)
{
   uint32_t all = 0;
   for (uint32_t i = 0; i < k->op_count; i++)
      if (k->ops[i].d && !k->ops[i].d->no_mask)
         all |= k->ops[i].mask;
   return all == 0xff || all == 0xffff ? all : 0;
}

static bool
allocate(struct jit *j)
{
   uint32_t n = j->k->op_count;
   j->leader = calloc(n, 1);
   j->unordered = calloc(n, sizeof(*j->unordered));
   for (unsigned v = 0; v < 4; v++)
      j->label[v] = calloc(n, sizeof(uint32_t));
   return j->leader && j->unordered && j->label[0] && j->label[1] && j->label[2] && j->label[3];
}

static void
translate(struct jit *j, struct jit_code *c)
{
   for (uint32_t i = 0; i < j->k->op_count; i++)
      j->leader[i] = leads(j->k, i);
   jit_find_unordered(j);
   jit_find_texels(j);
   ir_find_regions(j);
   jit_mark(j, MARK_FRAME, 0);
   emit_frame(j);
   translate_all(j, MASKED);
   if (j->has_full)
      translate_all(j, FULL);
   jit_emit_regions(j);
   resolve(j);
   jit_emit_iterations(j, c);
   jit_mark(j, MARK_END, 0);
   if (j->listing)
      memcpy(j->listing->regions, j->region_list, sizeof(j->region_list));
}

/* The table of entries, behind the code. */
static void
emit_table(struct jit *j, struct jit_code *c)
{
   struct x86 *a = &j->a;
   uint64_t start = (uint64_t)(uintptr_t)a->code;
   while (a->size & 7)
      x86_byte(a, 0);
   x86_patch64(a, j->table, start + a->size);
   c->entry = (const uint64_t *)(const void *)(a->code + a->size);
   for (uint32_t i = 0; i < j->k->op_count; i++) {
      uint32_t label = j->leader[i] ? j->label[MASKED][i] : 0;
      uint64_t entry = label ? start + label - 1 : 0;
      x86_dword(a, (uint32_t)entry);
      x86_dword(a, (uint32_t)(entry >> 32));
   }
   c->full = j->has_full ? start + j->label[FULL][0] - 1 : 0;
   c->channels = j->all;
   c->waits = j->waits;
}

size_t
jit_emit(const struct eu_kernel *k, enum jit_kind kind, struct jit_code *c, size_t room,
         struct jit_listing *listing)
{
   struct jit j = {.a = {.code = c->code, .room = room}, .k = k, .kind = kind, .listing = listing};
   j.rules = k->details[0].checked != NULL;
   j.counts = k->space->dev->eu->counting;
   j.all = all_channels(k);
   j.has_full = j.all != 0;
   find_waits(&j);
   bool ok = k->op_count <= MAX_OPS && allocate(&j);
   if (ok) {
      translate(&j, c);
      emit_table(&j, c);
   }
   ok = ok && !j.failed && j.a.size <= room;
   for (unsigned n = 0; n < j.region_count && !listing; n++)
      free(j.region_list[n].steady);
   free(j.leader);
   free(j.unordered);
   for (unsigned v = 0; v < 4; v++)
      free(j.label[v]);
   free(j.fix);
   free(j.detour);
   return ok ? j.a.size : 0;
}
