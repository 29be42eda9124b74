/* The code of a region (ir.h), around its operations.
 *
 * Values are brought home at its top, where the plain code comes in, and written back wherever
 * control leaves: in between the thread's own copy is old, and nothing that is emitted here reads
 * it. An iteration is charged at once; one that does not fit into the budget is for the plain code,
 * which charges block by block (EU-188).
 *
 * Where some channels are off, the region computes all lanes of its values as if they were on: the
 * right lanes are those of the channels that are, the thread's copy has the others. So there is
 * nothing to blend until channels leave: then the lanes of all that were on are written back. They
 * never come back into the region before it ends.
 *
 * What is settled of NaN (EU-055) is settled on the way out, too: inside, floats may be any NaN, as
 * long as only floats are made of them. So that what is written back is settled rightly, a loop
 * that starts with any other NaN than the one that is made is left to the plain code. */
#include "eu/jit/operand.h"
#include "eu/jit/show.h"

/* ---- homes ---------------------------------------------------------------------------------- */

const struct ir_value *
jit_value(const struct jit *j, enum ir_kind kind, unsigned offset)
{
   return j->region ? ir_find(j->region, kind, offset) : NULL;
}

struct x86_rm
jit_slot(const struct ir_region *r, const struct ir_value *v)
{
   return x86_mem(RSP, (int32_t)(v - r->value) * 32);
}

/* Where all lanes are right, the thread's own memory is as good as a slot. */
static bool
has_slot(const struct ir_region *r, const struct ir_value *v)
{
   return v->reg < 0 && (r->version == MASKED || v->kind == IR_SPREAD);
}

struct x86_rm
jit_home(const struct jit *j, unsigned offset)
{
   const struct ir_value *v = jit_value(j, IR_VECTOR, offset);
   return v && has_slot(j->region, v) ? jit_slot(j->region, v) : jit_grf(offset);
}

bool
jit_stays_open(const struct jit *j, const struct eu_op *op, unsigned half)
{
   if (j->wide)
      return true;
   const struct ir_value *v = jit_value(j, IR_VECTOR, op->dst[half]);
   return v && op->dst_kind == FAST_TO_DWORDS && ir_is_open(v);
}

/* ---- out ------------------------------------------------------------------------------------ */

/* ymm0: the lanes whose channels are off, by sign. */
static void
load_idle_lanes(struct jit *j, unsigned channel)
{
   struct x86_rm shift = CONSTANT(shift);
   shift.disp += 4 * (int32_t)channel;
   vex(&j->a, VPBROADCASTD, 0, 0, THREAD(active));
   vex(&j->a, VPSLLVD, 0, 0, shift);
   vex(&j->a, VPXOR, 0, 0, CONSTANT(ones));
}

static void
write_back(struct jit *j, const struct ir_region *r, const struct ir_value *v)
{
   struct x86 *a = &j->a;
   struct x86_rm at = jit_grf(v->offset);
   unsigned from = v->reg < 0 ? 1 : KEPT + (unsigned)v->reg;
   if (v->reg < 0)
      vex(a, VMOVDQU_LOAD, from, 0, has_slot(r, v) ? jit_slot(r, v) : at);
   if (ir_is_open(v)) {
      jit_settle(j, 1, from);
      from = 1;
   }
   if (r->version == MASKED) {
      load_idle_lanes(j, v->channel);
      vex_blend(a, 1, from, at, 0);
      from = 1;
   }
   vex(a, VMOVDQU_STORE, from, 0, at);
}

void
jit_region_flush(struct jit *j, const struct ir_region *r, uint64_t hidden)
{
   jit_write_back_flags(j, r);
   for (unsigned last = 0; last < 2; last++)
      for (unsigned i = 0; i < r->count; i++) {
         const struct ir_value *v = &r->value[i];
         bool elsewhere = v->reg >= 0 || has_slot(r, v), first = hidden >> i & 1;
         if (v->written && (elsewhere || ir_is_open(v)) && first == !last)
            write_back(j, r, v);
      }
}

/* Some channels have left. What hidden values had for the same bytes must not be written over what
 * those have left there; nobody reads them before they are written again. */
void
jit_region_renew(struct jit *j, const struct ir_region *r, uint64_t hidden)
{
   for (unsigned i = 0; i < r->count; i++) {
      const struct ir_value *v = &r->value[i];
      unsigned to = v->reg < 0 ? 1 : KEPT + (unsigned)v->reg;
      if (!(hidden >> i & 1))
         continue;
      vex(&j->a, VMOVDQU_LOAD, to, 0, jit_grf(v->offset));
      if (has_slot(r, v))
         vex(&j->a, VMOVDQU_STORE, to, 0, jit_slot(r, v));
   }
}

/* ---- in ------------------------------------------------------------------------------------- */

void
jit_region_enter(struct jit *j, uint32_t i)
{
   for (unsigned n = 0; n < j->region_count; n++) {
      struct ir_region *r = &j->region_list[n];
      if (r->first != i)
         continue;
      if (r->meets && j->version == FULL)
         r->full = x86_jump(&j->a);
      if (r->version != j->version)
         continue;
      r->from = x86_jump(&j->a);
      r->plain = j->a.size;
   }
}

static void
plain_if(struct jit *j, const struct ir_region *r, enum x86_cond cond)
{
   x86_patch(&j->a, x86_jump_if(&j->a, cond), r->plain);
}

/* With no channel left a branch goes another way; those that wait inside would have to be woken
 * there. */
static void
ask_channels(struct jit *j, const struct ir_region *r)
{
   struct x86 *a = &j->a;
   uint32_t start = j->k->ops[r->first].ip, size = j->k->ops[r->last].ip - start;
   x86_imm(a, X86_CMP_I, false, THREAD(active), 0);
   plain_if(j, r, CC_E);
   if (!r->joins)
      return;
   x86_op(a, X86_LOAD, false, RAX, THREAD(waiting));
   x86_op(a, X86_TEST, false, RAX, x86_reg(RAX));
   size_t none = x86_jump_if(a, CC_Z);
   for (unsigned half = 0; half < 2; half++) {
      struct x86_rm pip = THREAD(pip[0]);
      pip.disp += 32 * (int32_t)half;
      x86_mov_imm(a, RCX, start);
      vex128(a, VMOVD_FROM, 0, 0, x86_reg(RCX));
      vex(a, VPBROADCASTD, 0, 0, x86_reg(0));
      vex(a, VMOVDQU_LOAD, 1, 0, pip);
      vex(a, VPSUBD, 1, 1, x86_reg(0));
      x86_mov_imm(a, RCX, size);
      vex128(a, VMOVD_FROM, 0, 0, x86_reg(RCX));
      vex(a, VPBROADCASTD, 0, 0, x86_reg(0));
      vex(a, VPMINUD, 0, 0, x86_reg(1));
      vex(a, VPCMPEQD, 0, 0, x86_reg(1));
      vex(a, VMOVMSKPS, half ? RDX : RSI, 0, x86_reg(0));
   }
   x86_shift(a, true, RDX, 8);
   x86_op(a, X86_OR, false, RDX, x86_reg(RSI));
   x86_op(a, X86_TEST, false, RDX, x86_reg(RAX));
   plain_if(j, r, CC_NZ);
   x86_patch(a, none, a->size);
}

/* A NaN that is not the one that arithmetic gives would not be the same on the way out. */
static void
ask_nan(struct jit *j, const struct ir_region *r)
{
   struct x86 *a = &j->a;
   bool any = false;
   for (unsigned i = 0; i < r->count; i++) {
      struct x86_rm at = jit_grf(r->value[i].offset);
      if (!ir_is_open(&r->value[i]))
         continue;
      if (!any)
         vex(a, VPXOR, SCRATCH, SCRATCH, x86_reg(SCRATCH));
      any = true;
      vex(a, VMOVDQU_LOAD, SCRATCH + 1, 0, at);
      vex_imm(a, VCMPPS_I, SCRATCH + 2, SCRATCH + 1, x86_reg(SCRATCH + 1), 3); /* unordered */
      vex(a, VPCMPEQD, SCRATCH + 1, SCRATCH + 1, CONSTANT(nan));
      vex(a, VPANDN, SCRATCH + 1, SCRATCH + 1, x86_reg(SCRATCH + 2));
      vex(a, VPOR, SCRATCH, SCRATCH, x86_reg(SCRATCH + 1));
   }
   if (!any)
      return;
   vex(a, VTESTPS, SCRATCH, 0, x86_reg(SCRATCH));
   plain_if(j, r, CC_NZ);
}

static void
ask_constants(struct jit *j, const struct ir_region *r)
{
   for (unsigned i = 0; i < r->constants; i++) {
      uint32_t value = j->k->ops[r->constant[i].op].vec[0][0];
      x86_imm(&j->a, X86_CMP_I, false, jit_grf(r->constant[i].offset), (int32_t)value);
      plain_if(j, r, CC_NE);
   }
}

/* EU-206: what the region reads before it writes it, and what it writes. */
static void
registers_of(const struct jit *j, const struct ir_region *r, uint64_t reads[2], uint64_t writes[2])
{
   uint32_t until = 0;
   for (uint32_t i = r->first; i <= r->last; i++) {
      const struct eu_op *op = &j->k->ops[i];
      bool apart = ir_is_apart(j, i, &until);
      for (unsigned w = 0; w < 2 && op->fn != eu_exec_join; w++) {
         reads[w] |= op->d->reads[w] & ~writes[w];
         if (apart) /* perhaps nobody does: it has to be there already */
            reads[w] |= op->d->writes[w] & ~writes[w];
         else
            writes[w] |= op->d->writes[w];
      }
   }
}

static void
bring_home(struct jit *j, const struct ir_region *r)
{
   struct x86 *a = &j->a;
   for (unsigned i = 0; i < r->count; i++) {
      const struct ir_value *v = &r->value[i];
      bool slot = has_slot(r, v);
      unsigned to = slot ? SCRATCH : KEPT + (unsigned)v->reg;
      if (!slot && v->reg < 0)
         continue;
      vex(a, v->kind == IR_SPREAD ? VPBROADCASTD : VMOVDQU_LOAD, to, 0, jit_grf(v->offset));
      if (slot)
         vex(a, VMOVDQU_STORE, to, 0, jit_slot(r, v));
   }
}

/* From the plain code, unless something speaks against it. */
static void
enter(struct jit *j, const struct ir_region *r, uint64_t writes[2])
{
   uint64_t reads[2] = {0, 0};
   x86_patch(&j->a, r->from, j->a.size);
   if (r->full)
      x86_patch(&j->a, r->full, j->a.size);
   registers_of(j, r, reads, writes);
   if (r->nearest) {
      x86_test_imm(&j->a, THREAD(cr0[0]), CR0_ROUNDING);
      plain_if(j, r, CC_NZ);
   }
   for (unsigned w = 0; w < 2 && j->rules; w++)
      if (reads[w])
         x86_patch(&j->a, jit_ask_registers(j, w, reads[w]), r->plain);
   ask_constants(j, r);
   if (r->version == MASKED)
      ask_channels(j, r);
   ask_nan(j, r);
   bring_home(j, r);
   jit_load_flags(j, r);
   jit_empty_meets(j, r);
   x86_imm(&j->a, X86_ADD_I, false, THREAD(regions[0]), 1);
   if (r->meets)
      x86_imm(&j->a, X86_ADD_I, false, THREAD(regions[2]), 1);
}

/* ---- rounds --------------------------------------------------------------------------------- */

/* The start of an iteration. */
static void
start(struct jit *j, const struct ir_region *r)
{
   j->rest = r->instructions;
   struct detour *s = jit_detour(j, DETOUR_PLAIN, &j->k->ops[r->first]);
   x86_imm(&j->a, X86_SUB_I, true, x86_reg(REG_LEFT), (int32_t)j->rest);
   s->from[0] = x86_jump_if(&j->a, CC_B);
   jit_count(j, r->first, j->rest, 1);
}

/* An operation is next: the values that have host registers then. */
static void
turn_to(struct jit *j, struct ir_region *r, uint32_t i)
{
   const struct eu_op *op = &j->k->ops[i];
   uint64_t before = ir_hidden(r);
   if (op->fn != eu_exec_join && !jit_is_flow(op))
      ir_turn_to(r, op);
   for (unsigned k = 0; k < KEPT_ALL && ir_hidden(r) != before; k++)
      if (!(r->registers >> k & 1))
         j->kept.offset[k] = OFFSET_NONE; /* might be what is hidden now */
   for (unsigned n = 0; n < r->count; n++) {
      const struct ir_value *v = &r->value[n];
      if (v->reg >= 0)
         j->kept.offset[v->reg] = v->kind == IR_VECTOR && !v->hidden ? v->offset : OFFSET_NONE;
   }
}

/* From its start to the branch back. */
static void
emit_round(struct jit *j, struct ir_region *r)
{
   j->at = r->first;
   j->writes[0] = j->writes[1] = 0;
   j->apart = false;
   j->turns = NULL;
   uint32_t until = 0;
   jit_forget(j);
   for (uint32_t i = r->first; i <= r->last; i++) /* as an iteration leaves them */
      turn_to(j, r, i);
   jit_mark(j, MARK_ROUND, r->first);
   start(j, r);
   for (uint32_t i = r->first; i <= r->last; i++) {
      const struct eu_op *op = &j->k->ops[i];
      j->apart = ir_is_apart(j, i, &until);
      for (unsigned w = 0; w < 2 && op->fn != eu_exec_join && !j->apart; w++)
         j->writes[w] |= op->d->writes[w];
      turn_to(j, r, i);
      j->at = i;
      if (op->fn == eu_exec_join)
         jit_meet(j, i);
      else
         jit_one(j, i);
   }
   j->at = r->last + 1;
   jit_jump_to(j, x86_jump(&j->a), &j->k->ops[r->last + 1], r->version);
}

/* Rounds after the first come here, and go on in the second form if they can. Returns the jump to
 * it. */
static size_t
emit_settling(struct jit *j, struct ir_region *r, size_t differ[IR_CHOICES])
{
   r->latch = j->a.size;
   jit_mark(j, MARK_SETTLE, r->first);
   jit_settle_choices(j, r, differ);
   x86_imm(&j->a, X86_ADD_I, false, THREAD(regions[1]), 1);
   return x86_jump(&j->a);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void
emit(struct jit *j, struct ir_region *r)
{
   uint64_t writes[2] = {0, 0};
   size_t differ[IR_CHOICES] = {0}, steady = 0;
   j->version = r->version;
   j->region = r;
   jit_mark(j, MARK_ENTER, r->first);
   j->region = NULL;
   enter(j, r, writes);
   j->region = r;
   size_t over = j->rules || r->steady ? x86_jump(&j->a) : 0;
   if (r->steady)
      steady = emit_settling(j, r, differ);
   else
      r->latch = j->a.size;
   for (unsigned t = 0; t < IR_CHOICES; t++)
      if (differ[t])
         x86_patch(&j->a, differ[t], j->a.size);
   if (j->rules)
      jit_mark_registers(j, writes);
   if (over)
      x86_patch(&j->a, over, j->a.size);
   emit_round(j, r);
   if (r->steady) {
      r->latch = j->a.size;
      x86_patch(&j->a, steady, j->a.size);
      if (j->rules)
         jit_mark_registers(j, writes);
      j->steady = true;
      emit_round(j, r);
      j->steady = false;
   }
   j->region = NULL;
   j->apart = false;
   jit_forget(j);
}

void
jit_emit_regions(struct jit *j)
{
   for (unsigned n = 0; n < j->region_count; n++)
      if (j->region_list[n].from)
         emit(j, &j->region_list[n]);
}
