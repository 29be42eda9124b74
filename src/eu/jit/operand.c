/* Sources, masks and destinations of arithmetic, eight channels in a vector: the native form of
 * fast_vector.h. */
#include "eu/jit/operand.h"

/* ---- kept registers ------------------------------------------------------------------------- */

int
jit_find_kept(const struct jit *j, unsigned offset)
{
   for (unsigned i = 0; i < KEPT_ALL; i++)
      if (j->kept.offset[i] == offset)
         return (int)i;
   return -1;
}

static void
drop_range(struct jit *j, unsigned offset, unsigned size)
{
   for (unsigned i = 0; i < KEPT_COUNT; i++) {
      unsigned at = j->kept.offset[i];
      if (at != OFFSET_NONE && at < offset + size && offset < at + 32)
         j->kept.offset[i] = OFFSET_NONE;
   }
   if (j->kept.row != OFFSET_NONE && j->kept.row < offset + size &&
       offset < j->kept.row + 32u * j->kept.row_registers)
      j->kept.row = OFFSET_NONE;
}

/* A register for a result; not one that the operation still reads. An operation that wants more
 * than there are has no native form: the translation is given up. */
unsigned
jit_new_register(struct jit *j)
{
   const uint32_t all = (1u << KEPT_COUNT) - 1;
   uint32_t busy = j->pinned | jit_reserved(j);
   for (unsigned i = 0; j->kept.truth.known && i < j->kept.truth.count; i++)
      busy |= 1u << j->kept.truth.reg[i];
   if ((busy & all) == all) {
      j->failed = true;
      return KEPT + KEPT_FIRST;
   }
   while (busy >> j->victim & 1)
      j->victim = (j->victim + 1) % KEPT_COUNT;
   unsigned i = j->victim;
   j->victim = (i + 1) % KEPT_COUNT;
   j->kept.offset[i] = OFFSET_NONE;
   j->pinned |= 1u << i;
   return KEPT + i;
}

struct x86_rm
jit_place(const struct jit *j, unsigned offset)
{
   int kept = jit_find_kept(j, offset);
   return kept < 0 ? jit_home(j, offset) : x86_reg(KEPT + (unsigned)kept);
}

/* ---- sources -------------------------------------------------------------------------------- */

static struct x86_rm
constant_of(const struct jit *j, const struct eu_op *op, unsigned n)
{
   struct x86_rm rm = jit_op_at(j, op);
   rm.disp += (int32_t)(offsetof(struct eu_op, vec) + n * sizeof(op->vec[0]));
   return rm;
}

/* A dword that a region knows in all lanes: as a value, or as a constant. */
static bool
is_spread(const struct jit *j, const struct eu_op *op, unsigned n, unsigned half, struct x86_rm *at)
{
   unsigned offset = op->src[n][half];
   if (op->kind[n] != FAST_SCALAR || !j->region)
      return false;
   const struct ir_value *v = ir_find(j->region, IR_SPREAD, offset);
   const struct ir_constant *c = ir_find_constant(j->region, offset);
   if (v)
      *at = v->reg < 0 ? jit_slot(j->region, v) : x86_reg(KEPT + (unsigned)v->reg);
   else if (c)
      *at = constant_of(j, &j->k->ops[c->op], 0);
   return v || c;
}

/* Words or bytes, one in each dword of a row. The row is loaded whole, as it was stored: a load
 * that begins inside would have to wait for two stores. */
static void
load_from_dwords(struct jit *j, unsigned offset, unsigned bits, bool is_signed, unsigned to)
{
   unsigned row = offset & ~3u, above = 32 - bits - 8 * (offset & 3);
   int kept = jit_find_kept(j, row);
   unsigned from = kept < 0 ? to : KEPT + (unsigned)kept;
   if (kept < 0)
      vex(&j->a, VMOVDQU_LOAD, to, 0, jit_grf(row));
   if (above)
      vex_shift(&j->a, VPSLLD, to, from, above);
   vex_shift(&j->a, is_signed ? VPSRAD : VPSRLD, to, above ? to : from, 32 - bits);
}

static void
load_narrow(struct jit *j, const struct eu_op *op, unsigned n, unsigned half, unsigned to)
{
   static const enum x86_op scalar[4] = {X86_MOVSX16, X86_MOVZX16, X86_MOVSX8, X86_MOVZX8};
   static const enum vex_op row[4] = {VPMOVSXWD, VPMOVZXWD, VPMOVSXBD, VPMOVZXBD};
   struct x86_rm at = jit_grf(op->src[n][half]);
   unsigned kind = op->kind[n];
   if (kind >= FAST_LOW_W) {
      bool bytes = kind >= FAST_LOW_B, is_signed = kind == FAST_LOW_W || kind == FAST_LOW_B;
      load_from_dwords(j, op->src[n][half], bytes ? 8 : 16, is_signed, to);
   } else if (kind >= FAST_WORD1) {
      x86_op(&j->a, scalar[kind - FAST_WORD1], false, RAX, at);
      vex128(&j->a, VMOVD_FROM, to, 0, x86_reg(RAX));
      vex(&j->a, VPBROADCASTD, to, 0, x86_reg(to));
   } else {
      vex(&j->a, row[kind - FAST_WORDS], to, 0, at);
   }
}

/* Lane by lane. */
static void
gather(struct jit *j, const struct eu_op *op, unsigned n, unsigned half, unsigned to)
{
   static const enum x86_op narrow[4] = {X86_MOVSX16, X86_MOVZX16, X86_MOVSX8, X86_MOVZX8};
   struct x86 *a = &j->a;
   unsigned kind = op->kind[n];
   for (unsigned part = 0; part < 2; part++) {
      unsigned x = part ? SCRATCH + 3 : to;
      for (unsigned c = 0; c < 4; c++) {
         uint32_t v = op->vec[n][4 * part + c];
         uint32_t distance = kind == FAST_PERMUTE2 ? 4 * ((v & 7) + (v >> 31) * 8) : v;
         struct x86_rm at = jit_grf(op->src[n][half] + distance);
         if (kind != FAST_GATHER_D && kind != FAST_PERMUTE2) {
            x86_op(a, narrow[kind - FAST_GATHER_W], false, RAX, at);
            at = x86_reg(RAX);
         }
         if (c)
            vex128_imm(a, VPINSRD_I, x, x, at, c);
         else
            vex128(a, VMOVD_FROM, x, 0, at);
      }
   }
   vex_imm(a, VINSERTF128_I, to, to, x86_reg(SCRATCH + 3), 1);
}

/* Four lanes that each half of the vector takes from itself, or both from the lower one, need no
 * vector of indices: swizzles of Align16. */
static void
permute(struct jit *j, const struct eu_op *op, unsigned n, unsigned half, unsigned to)
{
   const uint32_t *index = op->vec[n];
   struct x86_rm at = jit_place(j, op->src[n][half]);
   bool apart = true, lower = true;
   unsigned swizzle = 0;
   for (unsigned c = 0; c < 4; c++) {
      apart = apart && index[c] < 4 && index[c + 4] == index[c] + 4;
      lower = lower && index[c] < 4 && index[c + 4] == index[c];
      swizzle |= (index[c] & 3) << (2 * c);
   }
   if (apart) {
      vex_imm(&j->a, VPERMILPS_I, to, 0, at, swizzle);
   } else if (lower) {
      vex(&j->a, VBROADCASTI128, to, 0, jit_grf(op->src[n][half]));
      if (swizzle != 0xe4)
         vex_imm(&j->a, VPERMILPS_I, to, 0, x86_reg(to), swizzle);
   } else {
      vex(&j->a, VMOVDQU_LOAD, to, 0, constant_of(j, op, n));
      vex(&j->a, VPERMD, to, to, at);
   }
}

static void
modify(struct jit *j, const struct eu_op *op, unsigned n, unsigned reg, bool floats)
{
   struct x86 *a = &j->a;
   if (op->modifier[n] & FAST_ABS) {
      if (floats)
         vex(a, VANDPS, reg, reg, CONSTANT(magnitude));
      else
         vex(a, VPABSD, reg, 0, x86_reg(reg));
   }
   if (!(op->modifier[n] & FAST_NEGATE))
      return;
   if (floats) {
      vex(a, VXORPS, reg, reg, CONSTANT(sign));
   } else {
      unsigned zero = SCRATCH + 3;
      vex(a, VPXOR, zero, zero, x86_reg(zero));
      vex(a, VPSUBD, reg, zero, x86_reg(reg));
   }
}

/* Source n without its modifiers into the register `to`. */
static void
load_unmodified(struct jit *j, const struct eu_op *op, unsigned n, unsigned half, unsigned to)
{
   struct x86_rm at = jit_grf(op->src[n][half]), spread;
   switch (op->kind[n]) {
   case FAST_VECTOR:
      vex(&j->a, VMOVDQU_LOAD, to, 0,
          jit_is_chosen(j, op, n, half) ? jit_chosen(j, op, n, half)
                                        : jit_place(j, op->src[n][half]));
      break;
   case FAST_SCALAR:
      if (is_spread(j, op, n, half, &spread))
         vex(&j->a, VMOVDQU_LOAD, to, 0, spread);
      else
         vex(&j->a, VPBROADCASTD, to, 0, at);
      break;
   case FAST_CONST:
      vex(&j->a, VMOVDQU_LOAD, to, 0, constant_of(j, op, n));
      break;
   case FAST_PERMUTE:
      permute(j, op, n, half, to);
      break;
   case FAST_ACC: {
      struct x86_rm second = jit_grf(op->src[n][half] + 32u);
      vex(&j->a, VMOVDQU_LOAD, to, 0, at);
      vex_imm(&j->a, VSHUFPS_I, to, to, second, 0x88); /* the low dwords */
      vex_imm(&j->a, VPERMQ_I, to, 0, x86_reg(to), 0xd8);
      break;
   }
   case FAST_NEAR_U:
   case FAST_NEAR_W:
   case FAST_NEAR_B:
      vex(&j->a, VBROADCASTI128, to, 0, at);
      vex(&j->a, VPSHUFB, to, to, constant_of(j, op, n));
      if (op->kind[n] != FAST_NEAR_U)
         vex_shift(&j->a, VPSRAD, to, to, op->kind[n] == FAST_NEAR_W ? 16 : 24);
      break;
   case FAST_PERMUTE2:
   case FAST_GATHER_D:
   case FAST_GATHER_W:
   case FAST_GATHER_UW:
   case FAST_GATHER_B:
   case FAST_GATHER_UB:
      gather(j, op, n, half, to);
      break;
   default:
      load_narrow(j, op, n, half, to);
   }
}

/* Source n into the register `to`. */
void
jit_load_into(struct jit *j, const struct eu_op *op, unsigned n, unsigned half, unsigned to,
              bool floats)
{
   load_unmodified(j, op, n, half, to);
   modify(j, op, n, to, floats);
}

/* A region has few registers that are not its values': some are left for results. */
static bool
may_pin(const struct jit *j, unsigned kept)
{
   uint32_t own = jit_reserved(j), busy = j->pinned | own | 1u << kept;
   for (unsigned i = 0; j->kept.truth.known && i < j->kept.truth.count; i++)
      busy |= 1u << j->kept.truth.reg[i];
   return !j->region || own >> kept & 1 ||
          __builtin_popcount(~busy & ((1u << KEPT_COUNT) - 1)) >= 2;
}

/* Source n in some register: where it is kept, or `scratch`. */
unsigned
jit_source(struct jit *j, const struct eu_op *op, unsigned n, unsigned half, unsigned scratch,
           bool floats)
{
   struct x86_rm spread;
   int kept = jit_find_kept(j, op->src[n][half]);
   bool whole = op->kind[n] == FAST_VECTOR && !op->modifier[n] && kept >= 0;
   if (whole && may_pin(j, (unsigned)kept)) {
      j->pinned |= 1u << kept;
      return KEPT + (unsigned)kept;
   }
   if (!op->modifier[n] && is_spread(j, op, n, half, &spread) && !spread.memory)
      return spread.reg;
   jit_load_into(j, op, n, half, scratch, floats);
   return scratch;
}

struct x86_rm
jit_unmodified_rm(struct jit *j, const struct eu_op *op, unsigned n, unsigned half,
                  unsigned scratch)
{
   struct x86_rm spread;
   int kept = jit_find_kept(j, op->src[n][half]);
   bool vector = op->kind[n] == FAST_VECTOR && !jit_is_chosen(j, op, n, half);
   if (op->kind[n] == FAST_CONST)
      return constant_of(j, op, n);
   if (vector && kept < 0)
      return jit_home(j, op->src[n][half]);
   if (is_spread(j, op, n, half, &spread))
      return spread;
   if (vector && may_pin(j, (unsigned)kept)) {
      j->pinned |= 1u << kept;
      return x86_reg(KEPT + (unsigned)kept);
   }
   load_unmodified(j, op, n, half, scratch);
   return x86_reg(scratch);
}

/* The same for an operand that may be memory. */
struct x86_rm
jit_source_rm(struct jit *j, const struct eu_op *op, unsigned n, unsigned half, unsigned scratch,
              bool floats)
{
   if (!op->modifier[n])
      return jit_unmodified_rm(j, op, n, half, scratch);
   jit_load_into(j, op, n, half, scratch, floats);
   return x86_reg(scratch);
}

/* ---- masks ---------------------------------------------------------------------------------- */

bool
jit_by_mask(const struct jit *j, const struct eu_op *op)
{
   return !op->no_mask && j->version == MASKED;
}

/* Does what is known of a comparison tell the predicate of an operation? */
static bool
tells(const struct truth *t, const struct eu_op *op)
{
   return op->predicate == 1 && op->d->predicate == 1 && jit_lanes_of(op) == 8 &&
          op->flag_reg == t->flag_reg && op->flag_shift >= t->flag_shift &&
          op->flag_shift + 8 * op->count <= t->flag_shift + 8 * t->count &&
          (op->flag_shift - t->flag_shift) % 8 == 0 &&
          op->flag_shift - op->group == t->flag_shift - t->group && !(t->masked && op->no_mask);
}

static void
load_predicate(struct jit *j, const struct eu_op *op, unsigned half, unsigned to)
{
   struct x86_rm shift = CONSTANT(shift);
   if (op->predicate > 1) {
      shift.disp += 32 * (int32_t)half;
      jit_predicate(j, op->d);
      vex128(&j->a, VMOVD_FROM, to, 0, x86_reg(RCX));
      vex(&j->a, VPBROADCASTD, to, 0, x86_reg(to));
      vex(&j->a, VPSLLVD, to, to, shift);
      return;
   }
   unsigned first = op->flag_shift + 8 * half;
   struct x86_rm flag = jit_flag(j, op->flag_reg);
   bool word = flag.memory && first % 16 <= 8; /* as it is written: see jit_predicate */
   if (word) {
      flag.disp += first / 16 * 2;
      first %= 16;
   }
   shift.disp += 4 * (int32_t)first;
   if (!flag.memory) {
      vex128(&j->a, VMOVD_FROM, to, 0, flag);
      flag = x86_reg(to);
   }
   vex(&j->a, word ? VPBROADCASTW : VPBROADCASTD, to, 0, flag);
   vex(&j->a, VPSLLVD, to, to, shift);
   if (op->d->predicate_inverse)
      vex(&j->a, VPXOR, to, to, CONSTANT(ones));
}

unsigned
jit_predicate_lanes(struct jit *j, const struct eu_op *op, unsigned half, unsigned scratch,
                    bool *inverted)
{
   const struct truth *t = &j->kept.truth;
   if (t->known && tells(t, op)) {
      *inverted = t->inverted != op->d->predicate_inverse;
      return KEPT + t->reg[(op->flag_shift - t->flag_shift) / 8 + half];
   }
   load_predicate(j, op, half, scratch);
   *inverted = false;
   return scratch;
}

/* The same, the right way round. */
static unsigned
predicate_lanes(struct jit *j, const struct eu_op *op, unsigned half, unsigned scratch)
{
   bool inverted;
   unsigned r = jit_predicate_lanes(j, op, half, scratch, &inverted);
   if (!inverted)
      return r;
   vex(&j->a, VPXOR, scratch, r, CONSTANT(ones));
   return scratch;
}

/* The lanes of a half that are active. */
unsigned
jit_active_lanes(struct jit *j, const struct eu_op *op, unsigned half, unsigned scratch)
{
   unsigned first = op->group + 8 * half;
   if (j->region && j->region->meets) {
      struct x86_rm at = CONSTANT(shift);
      at.disp += 4 * (int32_t)first;
      vex128(&j->a, VMOVD_FROM, scratch, 0, x86_reg(REG_ACTIVE));
      vex(&j->a, VPBROADCASTD, scratch, 0, x86_reg(scratch));
      vex(&j->a, VPSLLVD, scratch, scratch, at);
      return scratch;
   }
   if (!j->region && (first == 0 || first == 8)) {
      jit_load_masks(j);
      return first ? MASK1 : MASK0;
   }
   struct x86_rm shift = CONSTANT(shift);
   shift.disp += 4 * (int32_t)first;
   vex(&j->a, VPBROADCASTD, scratch, 0, THREAD(active));
   vex(&j->a, VPSLLVD, scratch, scratch, shift);
   return scratch;
}

/* The lanes of a half that write, by sign. Only where some may not. */
unsigned
jit_write_lanes(struct jit *j, const struct eu_op *op, unsigned half, bool predicated,
                unsigned scratch)
{
   if (!jit_by_mask(j, op))
      return predicate_lanes(j, op, half, scratch);
   unsigned active = jit_active_lanes(j, op, half, scratch);
   if (!predicated)
      return active;
   unsigned p = predicate_lanes(j, op, half, SCRATCH + 2);
   vex(&j->a, VPAND, scratch, active, x86_reg(p));
   return scratch;
}

/* ---- destinations --------------------------------------------------------------------------- */

unsigned
jit_lanes_of(const struct eu_op *op)
{
   return op->d->exec_size < 8 ? op->d->exec_size : 8;
}

void
jit_store_whole(struct jit *j, unsigned offset, unsigned r)
{
   const struct ir_value *v = jit_value(j, IR_VECTOR, offset);
   if (v && v->reg >= 0) {
      if (r != KEPT + (unsigned)v->reg)
         vex(&j->a, VMOVDQU_LOAD, KEPT + (unsigned)v->reg, 0, x86_reg(r));
      return;
   }
   vex(&j->a, VMOVDQU_STORE, r, 0, jit_home(j, offset));
   drop_range(j, offset, 32);
   j->kept.offset[r - KEPT] = (uint16_t)offset;
}

bool
jit_is_partial(const struct eu_op *op)
{
   return op->channels != (op->count == 2 ? 0xffff : 0xff);
}

/* A register for the result of a half: that of its destination, if the region at hand has one for
 * it and all lanes are written. */
unsigned
jit_result_register(struct jit *j, const struct eu_op *op, unsigned half)
{
   bool select = op->operation == FAST_F_SEL || op->operation == FAST_I_SEL;
   bool whole = op->dst_kind == FAST_TO_DWORDS && jit_lanes_of(op) == 8 && !jit_is_partial(op) &&
                (!op->predicate || select) && !j->apart;
   const struct ir_value *v = whole ? jit_value(j, IR_VECTOR, op->dst[half]) : NULL;
   return v && v->reg >= 0 ? KEPT + (unsigned)v->reg : jit_new_register(j);
}

/* The lanes that write, of all eight. */
static unsigned
store_mask(struct jit *j, const struct eu_op *op, unsigned half, bool predicated)
{
   bool value = jit_value(j, IR_VECTOR, op->dst[half]) != NULL;
   unsigned mask;
   if (value && j->apart && !predicated)
      mask = jit_side_lanes(j, op->group + 8 * half, SCRATCH + 3);
   else
      mask = value ? predicate_lanes(j, op, half, SCRATCH + 3)
                   : jit_write_lanes(j, op, half, predicated, SCRATCH + 3);
   if (value && j->apart && predicated) {
      vex(&j->a, VPAND, SCRATCH + 3, mask,
          x86_reg(jit_side_lanes(j, op->group + 8 * half, SCRATCH + 2)));
      mask = SCRATCH + 3;
   }
   if (!jit_is_partial(op))
      return mask;
   struct x86_rm lanes = CONSTANT(lanes);
   unsigned row = (jit_lanes_of(op) == 8) * 16 + (op->channels & 15);
   lanes.disp += (int32_t)(row * sizeof(jit_constants.lanes[0][0]));
   vex(&j->a, VPAND, SCRATCH + 3, mask, lanes);
   return SCRATCH + 3;
}

static void
store_dwords(struct jit *j, const struct eu_op *op, unsigned half, unsigned r, bool predicated)
{
   struct x86 *a = &j->a;
   unsigned offset = op->dst[half], n = jit_lanes_of(op);
   struct x86_rm at = jit_grf(offset);
   bool value = n == 8 && jit_value(j, IR_VECTOR, offset);
   bool some = (jit_by_mask(j, op) && (!value || j->apart)) || predicated; /* region.c */
   if (!some && n < 8 && op->channels == op->d->channels) {
      if (n == 4)
         vex128(a, VMOVDQU_STORE, r, 0, at);
      else
         vex128(a, n == 2 ? VMOVQ_STORE : VMOVD_STORE, r, 0, at);
      drop_range(j, offset, 4 * n);
      return;
   }
   if (some || jit_is_partial(op)) {
      unsigned mask = some ? store_mask(j, op, half, predicated) : 0;
      int kept = jit_find_kept(j, offset);
      unsigned old = SCRATCH + 2;
      if (kept >= 0)
         old = KEPT + (unsigned)kept;
      else
         vex(a, VMOVDQU_LOAD, old, 0, jit_home(j, offset));
      if (some)
         vex_blend(a, r, old, x86_reg(r), mask);
      else
         vex_imm(a, VBLENDPS_I, r, old, x86_reg(r), op->channels & 0xff);
   }
   jit_store_whole(j, offset, r);
}

static void
store_words(struct jit *j, const struct eu_op *op, unsigned half, unsigned r, bool predicated)
{
   struct x86 *a = &j->a;
   unsigned offset = op->dst[half], n = jit_lanes_of(op);
   struct x86_rm at = jit_grf(offset);
   drop_range(j, offset, 2 * n);
   if (n == 1) {
      vex128(a, VMOVD_STORE, r, 0, x86_reg(RAX));
      x86_store16(a, RAX, at);
      return;
   }
   bool some = jit_by_mask(j, op) || predicated;
   if (some) {
      unsigned mask = jit_write_lanes(j, op, half, predicated, SCRATCH + 3);
      vex_shift(a, VPSRAD, SCRATCH + 3, mask, 31);
      vex_imm(a, VEXTRACTF128_I, SCRATCH + 3, 0, x86_reg(SCRATCH + 2), 1);
      vex128(a, VPACKSSDW, SCRATCH + 3, SCRATCH + 3, x86_reg(SCRATCH + 2));
      vex128(a, VMOVDQU_LOAD, SCRATCH + 2, 0, at);
   }
   vex(a, VPSHUFB, SCRATCH, r, CONSTANT(low_words));
   if (n == 8)
      vex_imm(a, VPERMQ_I, SCRATCH, 0, x86_reg(SCRATCH), 0x08);
   if (some)
      vex_blend_bytes(a, SCRATCH, SCRATCH + 2, x86_reg(SCRATCH), SCRATCH + 3);
   vex128(a, n == 8 ? VMOVDQU_STORE : n == 4 ? VMOVQ_STORE : VMOVD_STORE, SCRATCH, 0, at);
}

/* The low or the high words of dwords in a row, which is loaded and stored whole. */
static void
store_words_of_dwords(struct jit *j, const struct eu_op *op, unsigned half, unsigned r,
                      bool predicated)
{
   struct x86 *a = &j->a;
   unsigned offset = op->dst[half], row = offset & ~3u, old = SCRATCH + 2;
   bool high = offset & 2, some = jit_by_mask(j, op) || predicated;
   unsigned mask = some ? jit_write_lanes(j, op, half, predicated, SCRATCH + 3) : 0;
   if (some) {
      vex_shift(a, VPSRAD, SCRATCH + 3, mask, 31);
      vex_shift(a, high ? VPSLLD : VPSRLD, SCRATCH + 3, SCRATCH + 3, 16);
   }
   if (high)
      vex_shift(a, VPSLLD, r, r, 16);
   vex(a, VMOVDQU_LOAD, old, 0, jit_place(j, row));
   if (some)
      vex_blend_bytes(a, r, old, x86_reg(r), SCRATCH + 3);
   else
      vex_imm(a, VPBLENDW_I, r, old, x86_reg(r), high ? 0xaa : 0x55);
   jit_store_whole(j, row, r);
}

/* Lane by lane. */
static void
store_strided(struct jit *j, const struct eu_op *op, unsigned half, unsigned r)
{
   struct x86 *a = &j->a;
   unsigned size = type_size[op->d->dst.type], n = jit_lanes_of(op);
   for (unsigned c = 0; c < n; c++) {
      unsigned offset = op->d->dst.offset[half * 8 + c];
      if (c == 4)
         vex_imm(a, VEXTRACTF128_I, r, 0, x86_reg(SCRATCH), 1);
      vex128_imm(a,
                 size == 4   ? VPEXTRD_I
                 : size == 2 ? VPEXTRW_I
                             : VPEXTRB_I,
                 c < 4 ? r : SCRATCH, 0, jit_grf(offset), size == 4 ? c & 3 : (c & 3) * (4 / size));
      drop_range(j, offset, size);
   }
}

/* The result of a half, in a new register, to its place. */
void
jit_store(struct jit *j, const struct eu_op *op, unsigned half, unsigned r, bool predicated)
{
   switch (op->dst_kind) {
   case FAST_TO_NULL:
      return;
   case FAST_TO_DWORDS:
      store_dwords(j, op, half, r, predicated);
      return;
   case FAST_TO_WORDS:
      store_words(j, op, half, r, predicated);
      return;
   case FAST_TO_LOW_W:
      store_words_of_dwords(j, op, half, r, predicated);
      return;
   default:
      store_strided(j, op, half, r);
      return;
   }
}

/* The register that holds the old value of a masked destination should outlive the computation. */
void
jit_pin_destination(struct jit *j, const struct eu_op *op, unsigned half)
{
   int kept = jit_find_kept(j, op->dst[half]);
   if (op->dst_kind == FAST_TO_DWORDS && kept >= 0 && may_pin(j, (unsigned)kept))
      j->pinned |= 1u << kept;
}

/* Can the destination be written natively, whatever the operation? */
bool
jit_storable(const struct jit *j, const struct eu_op *op, bool predicated)
{
   const struct eu_detail *d = op->d;
   unsigned n = jit_lanes_of(op);
   bool some = jit_by_mask(j, op) || predicated, all = op->channels == d->channels;
   bool in_grf = op->dst[0] < EU_GRF_COUNT * EU_REG_SIZE;
   if (d->exec_size > 16)
      return false;
   switch (op->dst_kind) {
   case FAST_TO_NULL:
      return true;
   case FAST_TO_DWORDS:
      return in_grf || !some;
   case FAST_TO_WORDS:
      return all && (n == 8 || !some);
   case FAST_TO_LOW_W:
      return all && n == 8;
   default:
      return all && !some;
   }
}

#define LOOK_AHEAD 64

static bool
touches_flags_directly(const struct eu_detail *d)
{
   bool arf = d->dst.kind == OPERAND_ARF;
   for (unsigned n = 0; n < 3; n++)
      arf = arf || d->src[n].kind == OPERAND_ARF;
   return arf;
}

/* Has it a native form that leaves registers alone, on every way? */
static bool
keeps_registers(const struct jit *j, const struct eu_op *q)
{
   unsigned f = q->operation;
   bool select = f == FAST_F_SEL || f == FAST_I_SEL, math = f >= FAST_F_INV && f <= FAST_F_POW;
   return q->fast && !math && f != FAST_F_FRC && jit_storable(j, q, q->predicate && !select);
}

/* Are the flags written again in the same block before anybody has to ask them? Inside a block
 * nothing but the operations themselves can look: it is entered at its start only, and left at its
 * end or by what has no native form. t: what is known instead of them; `until` is set to the last
 * operation that goes by it. */
static bool
flags_are_dead(const struct jit *j, const struct eu_op *op, struct truth *t)
{
   uint32_t left = op->channels << op->flag_shift;
   const struct eu_op *end = j->k->ops + j->k->op_count;
   bool told = t->known;      /* still */
   if (end - op > LOOK_AHEAD) /* time stays in proportion to the kernel */
      end = op + LOOK_AHEAD;
   for (const struct eu_op *q = op + 1; q < end && !j->leader[q - j->k->ops]; q++) {
      const struct eu_detail *d = q->d;
      if (told && jit_side_is_told(j, t, q))
         t->until = (uint32_t)(q - j->k->ops);
      if (!keeps_registers(j, q) || touches_flags_directly(d))
         return false;
      bool flags = d->condition && d->opcode != EU_OP_SEL;
      if (d->predicate && (d->predicate > 1 || d->flag_reg == op->flag_reg)) {
         if (!told || flags || !tells(t, q))
            return false;
         t->until = (uint32_t)(q - j->k->ops);
      }
      told = told && !flags;
      bool same = q->flag_shift - q->group == op->flag_shift - op->group; /* channels, bit by bit */
      if (flags && d->flag_reg == op->flag_reg && same && !d->predicate &&
          (d->no_mask || !op->d->no_mask))
         left &= ~(q->channels << q->flag_shift);
      if (!left)
         return true;
   }
   return false;
}

/* What the comparison has found, as long as somebody goes by it. */
static struct truth
truth_of(const struct jit *j, const struct eu_op *op, const unsigned r[2], bool invert)
{
   bool whole = op->channels == (op->count == 2 ? 0xffff : 0xff);
   return (struct truth){.known = whole && jit_lanes_of(op) == 8 && !op->predicate &&
                                  keeps_registers(j, op),
                         .inverted = invert,
                         .masked = jit_by_mask(j, op),
                         .reg = {(uint8_t)(r[0] - KEPT), (uint8_t)(r[1] - KEPT)},
                         .count = op->count,
                         .flag_reg = op->flag_reg,
                         .flag_shift = op->flag_shift,
                         .group = op->group};
}

static bool
compares(const struct eu_op *op)
{
   unsigned f = op->operation;
   return op->fast && ((f >= FAST_F_CMP_Z && f <= FAST_F_CMP_LE) || f >= FAST_I_CMP_Z);
}

/* From edx, which has them where they are in the register then. */
static void
store_sixteen(struct jit *j, unsigned reg, unsigned first)
{
   struct x86_rm flag = reg ? THREAD(flag[1]) : THREAD(flag[0]);
   flag.disp += (int32_t)first / 8;
   x86_store16(&j->a, RDX, flag);
   x86_shift(&j->a, true, RDX, first);
}

bool
jit_flags_are_unasked(const struct jit *j, const struct eu_op *op)
{
   const unsigned none[2] = {KEPT, KEPT};
   struct truth t = truth_of(j, op, none, false);
   return flags_are_dead(j, op, &t) && !t.until;
}

/* Does the operation behind this comparison of eight channels compare the eight above, for the rest
 * of the same sixteen flags? Compilers part what has a result this way. */
static bool
goes_on_above(const struct jit *j, const struct eu_op *op)
{
   const struct eu_op *q = op + 1;
   const unsigned none[2] = {KEPT, KEPT};
   if (q >= j->k->ops + j->k->op_count || j->leader[q - j->k->ops] || !keeps_registers(j, q) ||
       jit_is_left_out(j, (uint32_t)(q - j->k->ops)) || !compares(op) || !compares(q) ||
       q->predicate || jit_by_mask(j, q) || touches_flags_directly(q->d))
      return false;
   if (op->channels != 0xff || q->channels != 0xff || op->count != 1 || q->count != 1 ||
       op->flag_shift % 16 || q->flag_shift != op->flag_shift + 8 || q->group != op->group + 8 ||
       q->flag_reg != op->flag_reg)
      return false;
   struct truth t = truth_of(j, q, none, false);
   return !flags_are_dead(j, q, &t);
}

/* Flags from comparison results: bits of both halves in eax, inverted if `invert`. The channels
 * that write are those of the instruction. */
void
jit_store_flags(struct jit *j, const struct eu_op *op, const unsigned r[2], bool invert)
{
   struct x86 *a = &j->a;
   struct x86_rm flag = op->flag_reg ? THREAD(flag[1]) : THREAD(flag[0]);
   bool some = jit_by_mask(j, op) || op->predicate;
   uint32_t all = op->channels;
   struct truth truth = truth_of(j, op, r, invert);
   bool dead = flags_are_dead(j, op, &truth);
   truth.known = truth.known && truth.until;
   j->kept.truth = truth;
   if (dead)
      return;
   uint32_t at = (uint32_t)(op - j->k->ops);
   bool held = !jit_flag(j, op->flag_reg).memory;
   if (at && j->below == at) { /* edx has those of the operation before */
      vex(a, VMOVMSKPS, RCX, 0, x86_reg(r[0]));
      if (invert)
         x86_imm(a, X86_XOR_I, false, x86_reg(RCX), (int32_t)all);
      x86_shift(a, true, RCX, 8);
      x86_op(a, X86_OR, false, RDX, x86_reg(RCX));
      store_sixteen(j, op->flag_reg, op->flag_shift - 8u);
      j->below = 0;
      j->bits_until = at + 1;
      j->bits = (struct flag_bits){.flag_reg = op->flag_reg,
                                   .first = (int8_t)(op->flag_shift - op->group),
                                   .channels = 0xffffu << (op->flag_shift - 8)};
      return;
   }
   j->bits_until = op->predicate || held ? 0 : at + 1;
   j->bits = (struct flag_bits){.flag_reg = op->flag_reg,
                                .first = (int8_t)(op->flag_shift - op->group),
                                .channels = all << op->flag_shift};
   vex(a, VMOVMSKPS, RDX, 0, x86_reg(r[0]));
   if (op->count == 2) {
      vex(a, VMOVMSKPS, RCX, 0, x86_reg(r[1]));
      x86_shift(a, true, RCX, 8);
      x86_op(a, X86_OR, false, RDX, x86_reg(RCX));
   }
   if (invert)
      x86_imm(a, X86_XOR_I, false, x86_reg(RDX), (int32_t)all);
   if (held) {
      jit_set_flags(j, op);
      return;
   }
   if (!some && goes_on_above(j, op)) {
      j->bits_until = 0;
      j->below = at + 1;
      return;
   }
   if (some) {
      jit_channels(j, op, true); /* eax; uses ecx */
      x86_op(a, X86_AND, false, RDX, x86_reg(RAX));
      x86_shift(a, true, RDX, op->flag_shift);
      x86_shift(a, true, RAX, op->flag_shift);
      x86_not(a, false, RAX);
      x86_op(a, X86_AND, false, RAX, flag);
      x86_op(a, X86_OR, false, RAX, x86_reg(RDX));
   } else {
      if (all != (op->count == 2 ? 0xffff : 0xff))
         x86_imm(a, X86_AND_I, false, x86_reg(RDX), (int32_t)all);
      if (all == 0xffff && op->flag_shift % 16 == 0) {
         store_sixteen(j, op->flag_reg, op->flag_shift);
         return;
      }
      x86_shift(a, true, RDX, op->flag_shift);
      x86_op(a, X86_LOAD, false, RAX, flag);
      x86_imm(a, X86_AND_I, false, x86_reg(RAX), (int32_t) ~(all << op->flag_shift));
      x86_op(a, X86_OR, false, RAX, x86_reg(RDX));
   }
   x86_op(a, X86_STORE, false, RAX, flag);
}
