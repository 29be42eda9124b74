/* Messages: the most common ones in line, others through their fast paths. */
#include "eu/jit/operand.h"
#include "eu/group.h"

#include <string.h>

const struct sf_buffers jit_no_buffers;

#define FIELD(base, type, member) x86_mem(base, (int32_t)offsetof(type, member))

void
jit_fast_path(struct jit *j, const struct eu_op *op, sf_quick_fn quick)
{
   struct x86 *a = &j->a;
   const void *fn;
   memcpy(&fn, &quick, sizeof(fn));
   x86_op(a, X86_LOAD, false, RDX, x86_reg(RAX));
   x86_mov_imm(a, RSI, (uint64_t)(uintptr_t)&op->d->quick);
   jit_call(j, fn);
   x86_op(a, X86_TEST8, false, RAX, x86_reg(RAX));
}

/* ---- rows of a raw buffer, in line --------------------------------------------------------------
 */

void
jit_out_if(struct jit *j, struct ways_out *w, enum x86_cond cond)
{
   size_t at = x86_jump_if(&j->a, cond);
   if (w->count < DETOUR_WAYS)
      w->at[w->count++] = at;
   else
      j->failed = true; /* cannot be: they are counted */
}

/* REG_BUFFERS: the buffers that the host thread knows, if they are those of this thread and nobody
 * observes. */
void
jit_load_buffers(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   const struct pergola_device *dev = j->k->space->dev;
   struct ways_out w = {.count = 0};
   x86_op(a, X86_LOAD, true, REG_BUFFERS, THREAD(buffers));
   x86_op(a, X86_TEST, true, REG_BUFFERS, x86_reg(REG_BUFFERS));
   jit_out_if(j, &w, CC_Z);
   x86_mov_imm(a, RCX, (uint64_t)(uintptr_t)dev);
   x86_test_imm(a, FIELD(RCX, struct pergola_device, trace.wanted),
                1u << PERGOLA_EVENT_MESSAGE | 1u << PERGOLA_EVENT_MEMORY);
   jit_out_if(j, &w, CC_NZ);
   x86_op(a, X86_LOAD, true, RCX, FIELD(RCX, struct pergola_device, surfaces));
   x86_op(a, X86_MOVZX8, false, RDX, FIELD(RCX, struct surface_cache, hazards));
   x86_op(a, X86_TEST, false, RDX, x86_reg(RDX));
   jit_out_if(j, &w, CC_NZ);
   x86_op(a, X86_LOAD, false, RDX, FIELD(RCX, struct surface_cache, generation));
   x86_op(a, X86_CMP, false, RDX, FIELD(REG_BUFFERS, struct sf_buffers, generation));
   jit_out_if(j, &w, CC_NE);
   x86_op(a, X86_LOAD, true, RCX, THREAD(env));
   x86_op(a, X86_LOAD, true, RDX, FIELD(RCX, struct eu_env, space));
   x86_op(a, X86_CMP, true, RDX, FIELD(REG_BUFFERS, struct sf_buffers, space));
   jit_out_if(j, &w, CC_NE);
   x86_op(a, X86_LOAD, false, RDX, FIELD(RCX, struct eu_env, surface_state_base));
   x86_op(a, X86_ADD, false, RDX, THREAD(binding_table));
   x86_op(a, X86_CMP, false, RDX, FIELD(REG_BUFFERS, struct sf_buffers, table));
   jit_out_if(j, &w, CC_NE);
   struct detour *s = jit_detour(j, DETOUR_NO_BUFFERS, op);
   memcpy(s->from, w.at, sizeof(w.at));
   s->back = a->size;
   j->kept.buffers = true;
}

/* REG_ROW = the first slot's offset; leaves unless all slots follow it, dword by dword. */
static void
check_row(struct jit *j, const struct sf_quick *q, struct ways_out *w)
{
   struct x86 *a = &j->a;
   int kept = jit_find_kept(j, q->payload);
   if (j->kept.row == q->payload && j->kept.row_registers >= q->row)
      return;
   if (kept >= 0)
      vex128(a, VMOVD_STORE, KEPT + (unsigned)kept, 0, x86_reg(REG_ROW));
   else
      x86_op(a, X86_LOAD, false, REG_ROW, jit_grf(q->payload));
   vex(a, VPBROADCASTD, SCRATCH, 0,
       kept >= 0 ? x86_reg(KEPT + (unsigned)kept) : jit_grf(q->payload));
   vex(a, VPADDD, SCRATCH + 1, SCRATCH, CONSTANT(dwords[0]));
   vex(a, VPXOR, SCRATCH + 1, SCRATCH + 1, jit_place(j, q->payload));
   if (q->row == 2) {
      vex(a, VPADDD, SCRATCH + 2, SCRATCH, CONSTANT(dwords[8]));
      vex(a, VPXOR, SCRATCH + 2, SCRATCH + 2, jit_place(j, q->payload + 32u));
      vex(a, VPOR, SCRATCH + 1, SCRATCH + 1, x86_reg(SCRATCH + 2));
   }
   vex(a, VPTEST, SCRATCH + 1, 0, x86_reg(SCRATCH + 1));
   jit_out_if(j, w, CC_NZ);
   x86_test_imm(a, x86_reg(REG_ROW), 3);
   jit_out_if(j, w, CC_NZ);
   j->kept.row = q->payload;
   j->kept.row_registers = q->row;
}

static int32_t
window_of(const struct sf_quick *q)
{
   return (int32_t)(offsetof(struct sf_buffers, view) + q->bti * sizeof(struct surface_view) +
                    offsetof(struct surface_view, window) + q->writes * sizeof(struct view_window));
}

static int32_t
limit_of(const struct sf_quick *q, unsigned which)
{
   return window_of(q) + (int32_t)(offsetof(struct view_window, limit) + which * sizeof(uint32_t));
}

/* rcx = the thread's group. */
static void
load_group(struct jit *j, struct ways_out *w)
{
   x86_op(&j->a, X86_LOAD, true, RCX, THREAD(group));
   x86_op(&j->a, X86_TEST, true, RCX, x86_reg(RCX));
   jit_out_if(j, w, CC_Z);
}

/* rsi = host address of the row at REG_ROW; leaves unless it lies in shared local memory. */
static void
locate_shared(struct jit *j, const struct sf_quick *q, struct ways_out *w)
{
   struct x86 *a = &j->a;
   load_group(j, w);
   x86_op(a, X86_LOAD, false, RSI, x86_reg(REG_ROW));
   x86_op(a, X86_LEA, true, RDX, x86_mem(RSI, 32 * q->row));
   x86_op(a, X86_LOAD, false, RAX, FIELD(RCX, struct eu_group, slm_size_B));
   x86_op(a, X86_CMP, true, RDX, x86_reg(RAX));
   jit_out_if(j, w, CC_A);
   x86_op(a, X86_ADD, true, RSI, FIELD(RCX, struct eu_group, slm));
}

/* rsi = host address of the row at REG_ROW; leaves unless it lies in the window. */
static void
locate_row(struct jit *j, const struct sf_quick *q, struct ways_out *w)
{
   struct x86 *a = &j->a;
   int32_t window = window_of(q), limit = limit_of(q, q->row - 1u);
   x86_op(a, X86_LOAD, false, RSI, x86_reg(REG_ROW));
   x86_op(a, X86_SUB, false, RSI,
          x86_mem(REG_BUFFERS, window + (int32_t)offsetof(struct view_window, start)));
   x86_op(a, X86_CMP, false, RSI, x86_mem(REG_BUFFERS, limit));
   jit_out_if(j, w, CC_AE);
   x86_op(a, X86_ADD, true, RSI,
          x86_mem(REG_BUFFERS, window + (int32_t)offsetof(struct view_window, host)));
}

static void
copy_row(struct jit *j, const struct sf_quick *q)
{
   struct x86 *a = &j->a;
   unsigned r[2] = {0, 0};
   for (unsigned i = 0; i < q->row; i++) {
      unsigned offset = q->payload + 32u * (q->row + i);
      int kept = jit_find_kept(j, offset);
      if (!q->writes) {
         r[i] = jit_new_register(j);
         vex(a, VMOVDQU_LOAD, r[i], 0, x86_mem(RSI, 32 * (int32_t)i));
         continue;
      }
      r[i] = kept >= 0 ? KEPT + (unsigned)kept : SCRATCH + i;
      if (kept < 0)
         vex(a, VMOVDQU_LOAD, r[i], 0, jit_grf(offset));
   }
   for (unsigned i = 0; i < q->row; i++) {
      if (q->writes)
         vex(a, VMOVDQU_STORE, r[i], 0, x86_mem(RSI, 32 * (int32_t)i));
      else
         jit_store_whole(j, q->response + 32u * i, r[i]);
   }
}

/* rsi = where offsets count from, ymm `limit` = what they must be below. Where there is no such
 * memory, below nothing. Uses rax and rcx. */
static void
gather_from(struct jit *j, const struct sf_quick *q, unsigned limit)
{
   struct x86 *a = &j->a;
   if (!jit_is_shared(q)) {
      x86_op(a, X86_LOAD, true, RSI,
             x86_mem(REG_BUFFERS, window_of(q) + (int32_t)offsetof(struct view_window, host)));
      vex(a, VPBROADCASTD, limit, 0, x86_mem(REG_BUFFERS, limit_of(q, 3)));
      return;
   }
   x86_op(a, X86_XOR, false, RAX, x86_reg(RAX));
   x86_op(a, X86_LOAD, true, RCX, THREAD(group));
   x86_op(a, X86_TEST, true, RCX, x86_reg(RCX));
   size_t none = x86_jump_if(a, CC_Z);
   x86_op(a, X86_LOAD, false, RAX, FIELD(RCX, struct eu_group, slm_size_B));
   x86_op(a, X86_LOAD, true, RSI, FIELD(RCX, struct eu_group, slm));
   x86_patch(a, none, a->size);
   vex128(a, VMOVD_FROM, limit, 0, x86_reg(RAX));
   vex(a, VPBROADCASTD, limit, 0, x86_reg(limit));
}

/* Out of the way: nothing is kept in registers but what `kept` says. */
size_t
jit_gather(struct jit *j, const struct sf_quick *q, const struct kept *kept)
{
   struct x86 *a = &j->a;
   const unsigned at = SCRATCH + 2, mask = SCRATCH, spare = SCRATCH + 1; /* at + 1, too */
   if (!jit_is_shared(q))
      vex(a, VPBROADCASTD, mask, 0,
          x86_mem(REG_BUFFERS, window_of(q) + (int32_t)offsetof(struct view_window, start)));
   for (unsigned i = 0; i < q->row; i++) {
      vex(a, VMOVDQU_LOAD, at + i, 0, jit_grf(q->payload + 32u * i));
      if (!jit_is_shared(q))
         vex(a, VPSUBD, at + i, at + i, x86_reg(mask));
   }
   gather_from(j, q, spare);
   vex(a, VPMAXUD, mask, at, x86_reg(spare)); /* outside: not below the limit … */
   vex(a, VPCMPEQD, mask, mask, x86_reg(at));
   if (q->row == 2) {
      vex(a, VPMAXUD, spare, at + 1, x86_reg(spare));
      vex(a, VPCMPEQD, spare, spare, x86_reg(at + 1));
      vex(a, VPOR, mask, mask, x86_reg(spare));
      vex(a, VPOR, spare, at, x86_reg(at + 1));
   }
   vex_shift(a, VPSLLD, spare, q->row == 2 ? spare : at, 30); /* … or no whole dword */
   vex(a, VPOR, mask, mask, x86_reg(spare));
   vex(a, VPTEST, mask, 0, x86_reg(mask));
   size_t outside = x86_jump_if(a, CC_NZ);
   for (unsigned i = 0; i < q->row; i++) {
      unsigned offset = q->response + 32u * i, r = spare;
      for (unsigned k = 0; k < KEPT_COUNT; k++)
         if (kept->offset[k] == offset)
            r = KEPT + k;
      vex(a, VPCMPEQD, mask, mask, x86_reg(mask));
      vex_gather(a, r, RSI, at + i, mask);
      vex(a, VMOVDQU_STORE, r, 0, jit_grf(offset));
   }
   return outside;
}

/* Where each eight slots read from 32 bytes that begin at a multiple of 32 (partners in a sort, a
 * row that is turned): one load, whose dwords change places. */
void
jit_permuted(struct jit *j, const struct sf_quick *q, const struct kept *kept, size_t back)
{
   struct x86 *a = &j->a;
   struct ways_out w = {.count = 0};
   const unsigned at = SCRATCH + 2, differ = SCRATCH, spare = SCRATCH + 1; /* at + 1, too */
   static const uint8_t block[2] = {RSI, RDI};
   for (unsigned i = 0; i < q->row; i++) {
      unsigned to = i ? spare : differ;
      vex(a, VMOVDQU_LOAD, at + i, 0, jit_grf(q->payload + 32u * i));
      vex128(a, VMOVD_STORE, at + i, 0, x86_reg(block[i]));
      vex(a, VPBROADCASTD, to, 0, x86_reg(at + i));
      vex(a, VPXOR, to, to, x86_reg(at + i));
   }
   x86_op(a, X86_LOAD, false, RAX, x86_reg(RSI));
   if (q->row == 2) {
      vex(a, VPOR, differ, differ, x86_reg(spare));
      x86_op(a, X86_OR, false, RAX, x86_reg(RDI));
   }
   vex(a, VPTEST, differ, 0, CONSTANT(not_block));
   jit_out_if(j, &w, CC_NZ);
   x86_test_imm(a, x86_reg(RAX), 3);
   jit_out_if(j, &w, CC_NZ);
   load_group(j, &w);
   x86_op(a, X86_LOAD, false, RAX, FIELD(RCX, struct eu_group, slm_size_B));
   for (unsigned i = 0; i < q->row; i++) {
      x86_imm(a, X86_AND_I, false, x86_reg(block[i]), -32);
      x86_op(a, X86_LEA, true, RDX, x86_mem(block[i], 32));
      x86_op(a, X86_CMP, true, RDX, x86_reg(RAX));
      jit_out_if(j, &w, CC_A);
      x86_op(a, X86_ADD, true, block[i], FIELD(RCX, struct eu_group, slm));
   }
   for (unsigned i = 0; i < q->row; i++) {
      unsigned offset = q->response + 32u * i, r = spare;
      for (unsigned k = 0; k < KEPT_COUNT; k++)
         if (kept->offset[k] == offset)
            r = KEPT + k;
      vex_shift(a, VPSRLD, at + i, at + i, 2);
      vex(a, VPERMD, r, at + i, x86_mem(block[i], 0));
      vex(a, VMOVDQU_STORE, r, 0, jit_grf(offset));
   }
   x86_mov_imm(a, REG_ROW, NO_ROW);
   x86_patch(a, x86_jump(a), back);
   for (unsigned i = 0; i < w.count; i++)
      x86_patch(a, w.at[i], a->size);
}

struct detour *
jit_or_fast_path(struct jit *j, const struct eu_op *op, const struct ways_out *w)
{
   if (j->iterate) {
      jit_not_in_line(j, w->at, w->count);
      return NULL; /* rows of buffers only, which ask for nothing */
   }
   struct detour *s = jit_detour(j, DETOUR_FAST_PATH, op);
   memcpy(s->from, w->at, sizeof(w->at));
   s->back = j->a.size;
   s->kept = j->kept;
   if (j->rules)
      jit_mark_registers(j, op->d->quick.marks);
   return s;
}

/* ---- several dwords from one place for all slots, in line ---------------------------------------
 */

/* rsi = the first slot's offset; leaves unless all slots have it. */
static void
check_same(struct jit *j, const struct sf_quick *q, struct ways_out *w)
{
   struct x86 *a = &j->a;
   int kept = jit_find_kept(j, q->payload);
   struct x86_rm first = kept >= 0 ? x86_reg(KEPT + (unsigned)kept) : jit_grf(q->payload);
   if (kept >= 0)
      vex128(a, VMOVD_STORE, KEPT + (unsigned)kept, 0, x86_reg(RSI));
   else
      x86_op(a, X86_LOAD, false, RSI, first);
   vex(a, VPBROADCASTD, SCRATCH, 0, first);
   vex(a, VPXOR, SCRATCH + 1, SCRATCH, jit_place(j, q->payload));
   if (q->rows == 2) {
      vex(a, VPXOR, SCRATCH, SCRATCH, jit_place(j, q->payload + 32u));
      vex(a, VPOR, SCRATCH + 1, SCRATCH + 1, x86_reg(SCRATCH));
   }
   vex(a, VPTEST, SCRATCH + 1, 0, x86_reg(SCRATCH + 1));
   jit_out_if(j, w, CC_NZ);
   x86_test_imm(a, x86_reg(RSI), 3);
   jit_out_if(j, w, CC_NZ);
}

/* rsi = host address of so many dwords at the offset in it; leaves unless they lie in the window.
 */
static void
locate_dwords(struct jit *j, const struct sf_quick *q, struct ways_out *w)
{
   struct x86 *a = &j->a;
   int32_t window = window_of(q);
   x86_op(a, X86_SUB, false, RSI,
          x86_mem(REG_BUFFERS, window + (int32_t)offsetof(struct view_window, start)));
   x86_op(a, X86_LEA, true, RDX, x86_mem(RSI, 4 * (q->dwords - 1)));
   x86_op(a, X86_LOAD, false, RAX, x86_mem(REG_BUFFERS, limit_of(q, 3)));
   x86_op(a, X86_CMP, true, RDX, x86_reg(RAX));
   jit_out_if(j, w, CC_AE);
   x86_op(a, X86_ADD, true, RSI,
          x86_mem(REG_BUFFERS, window + (int32_t)offsetof(struct view_window, host)));
}

static void
same_dwords(struct jit *j, const struct eu_op *op)
{
   const struct sf_quick *q = &op->d->quick;
   struct ways_out w = {.count = 0};
   if (j->kind != JIT_SERIES && !j->kept.buffers)
      jit_load_buffers(j, op);
   check_same(j, q, &w);
   locate_dwords(j, q, &w);
   for (unsigned c = 0; c < q->dwords; c++) {
      j->pinned = 0;
      unsigned r = jit_new_register(j), to = q->response + 32u * q->rows * c;
      vex(&j->a, VPBROADCASTD, r, 0, x86_mem(RSI, 4 * (int32_t)c));
      jit_store_whole(j, to, r);
      if (q->rows == 1)
         continue;
      unsigned second = jit_new_register(j); /* who reads it need not wait for memory */
      vex(&j->a, VMOVDQU_LOAD, second, 0, x86_reg(r));
      jit_store_whole(j, to + 32, second);
   }
   jit_or_fast_path(j, op, &w);
}

/* ---- rows -------------------------------------------------------------------------------------
 */

static void
row(struct jit *j, const struct eu_op *op)
{
   const struct sf_quick *q = &op->d->quick;
   struct ways_out w = {.count = 0};
   if (j->kind != JIT_SERIES && !j->kept.buffers)
      jit_load_buffers(j, op);
   check_row(j, q, &w);
   if (jit_is_shared(q))
      locate_shared(j, q, &w);
   else
      locate_row(j, q, &w);
   copy_row(j, q);
   jit_or_fast_path(j, op, &w);
}

/* ---- fences and barriers, where nobody observes -------------------------------------------------
 */

/* As dp_memory_fence: a locked operation orders what is before and behind it. */
static void
fence(struct jit *j, const struct eu_op *op)
{
   if (j->unordered[op - j->k->ops]) {
      x86_byte(&j->a, 0xf0);
      x86_imm(&j->a, X86_ADD_I, false, x86_mem(RSP, 0), 0);
   }
   if (j->rules)
      jit_mark_registers(j, op->d->quick.marks);
}

/* As barrier_arrive of the gateway, for all but the last of a round, and a count that is the
 * group's. */
static void
barrier(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   struct ways_out w = {.count = 0};
   _Static_assert(GEN7_BARRIERMSG_PAYLOAD__BARRIERID_DW == 2 &&
                      GEN7_BARRIERMSG_PAYLOAD__BARRIER_COUNT_ENABLE_DW == 2,
                  "one dword has both");
   jit_load_rounds(j, RDX);
   x86_op(a, X86_LOAD, false, RAX, jit_grf(op->d->quick.payload + 8u));
   x86_imm(a, X86_AND_I, false, x86_reg(RAX),
           GEN7_BARRIERMSG_PAYLOAD__BARRIERID | GEN7_BARRIERMSG_PAYLOAD__BARRIER_COUNT_ENABLE);
   x86_op(a, X86_CMP, false, RAX, FIELD(RDX, struct eu_series, barrier));
   jit_out_if(j, &w, CC_NE);
   x86_op(a, X86_LOAD, true, RCX, THREAD(group));
   x86_op(a, X86_LOAD, false, RAX, FIELD(RCX, struct eu_group, barrier_count));
   x86_op(a, X86_LOAD, false, RDX, FIELD(RCX, struct eu_group, barrier_arrived));
   x86_imm(a, X86_ADD_I, false, x86_reg(RDX), 1);
   x86_op(a, X86_CMP, false, RDX, x86_reg(RAX));
   jit_out_if(j, &w, CC_AE);
   x86_op(a, X86_STORE, false, RDX, FIELD(RCX, struct eu_group, barrier_arrived));
   x86_op(a, X86_STORE, false, RAX, FIELD(RCX, struct eu_group, barrier_message_count));
   x86_op(a, X86_LOAD, true, RAX, FIELD(RCX, struct eu_group, barrier_waiting));
   x86_op(a, X86_MOVZX8, false, RDX, THREAD(group_index));
   x86_op(a, X86_BTS, true, RDX, x86_reg(RAX));
   x86_op(a, X86_STORE, true, RAX, FIELD(RCX, struct eu_group, barrier_waiting));
   jit_or_fast_path(j, op, &w);
}

struct x86_rm
jit_notifications(const struct eu_op *op)
{
   struct x86_rm n0 = THREAD(n0[0]);
   n0.disp += op->d->src[0].subreg & ~3;
   return n0;
}

bool
jit_wait(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   const struct op_operand *o = &op->d->src[0];
   if (op->d->opcode != EU_OP_WAIT || o->kind != OPERAND_ARF || (o->reg & 0xf0) != EU_ARF_N ||
       o->subreg / 4 > 2)
      return false;
   x86_imm(a, X86_CMP_I, false, jit_notifications(op), 0);
   struct detour *s = jit_detour(j, DETOUR_WAIT, op);
   s->from[0] = x86_jump_if(a, CC_E);
   x86_imm(a, X86_SUB_I, false, jit_notifications(op), 1);
   return true;
}

/* ---- all of them --------------------------------------------------------------------------------
 */

static bool
has_fast_path(const struct eu_detail *d)
{
   if (!d->quick.fn || d->align16 || d->exec_size > 16)
      return false;
   return !d->predicate || d->flag_shift + d->exec_size <= 32; /* else it goes on at its start */
}

bool
jit_is_message(const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   return (d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC) && has_fast_path(d) && !d->inst.eot;
}

bool
jit_message(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   const struct eu_detail *d = op->d;
   if (!has_fast_path(d))
      return false;
   _Static_assert(EU_STOP_EOT == 0, "which is what a thread's start has");
   if (d->quick.ends && j->k->ends && j->kind == JIT_SERIES &&
       !d->predicate) { /* the group marks it as released */
      if (j->rounds)    /* it may have waited */
         x86_store_imm(a, THREAD(stop), EU_STOP_EOT);
      x86_op(a, X86_XOR, false, RAX, x86_reg(RAX));
      x86_patch(a, x86_jump(a), j->leave);
      return true;
   }
   if (jit_is_fence(d) && j->kind == JIT_SERIES) {
      fence(j, op);
      return true;
   }
   if (jit_is_barrier(d) && j->rounds) {
      barrier(j, op);
      return true;
   }
   bool all_slots =
       d->exec_size == 8 * d->quick.row && (j->version == FULL || d->no_mask) && !d->predicate;
   if (d->quick.row && all_slots && (!jit_is_shared(&d->quick) || j->kind == JIT_SERIES)) {
      row(j, op);
      return true;
   }
   all_slots = d->exec_size == 8 * d->quick.rows && (j->version == FULL || d->no_mask);
   if (d->quick.dwords && all_slots && !d->predicate) {
      same_dwords(j, op);
      return true;
   }
   if (jit_texels(j, op))
      return true;
   bool buffers = j->kept.buffers; /* the fast path changes nothing of them */
   jit_channels(j, op, true);
   jit_fast_path(j, op, d->quick.fn);
   j->kept.buffers = buffers;
   struct detour *s = jit_detour(j, DETOUR_SEND, op);
   s->from[0] = x86_jump_if(a, CC_Z);
   s->back = a->size;
   s->kept = j->kept;
   if (!d->inst.eot)
      return true;
   x86_store_imm(a, THREAD(ip), op->next_ip);
   x86_store_imm(a, THREAD(stop), EU_STOP_EOT);
   x86_op(a, X86_XOR, false, RAX, x86_reg(RAX));
   x86_patch(a, x86_jump(a), j->leave);
   return true;
}
