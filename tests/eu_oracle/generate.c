/* Random operands and the common controls. */
#include "generate_parts.h"

#include <string.h>

uint64_t
gen_random(struct generator *g)
{
   g->random ^= g->random << 13;
   g->random ^= g->random >> 7;
   g->random ^= g->random << 17;
   return g->random * UINT64_C(0x2545F4914F6CDD1D);
}

unsigned
gen_pick(struct generator *g, unsigned n)
{
   return (unsigned)((gen_random(g) >> 32) * n >> 32);
}

bool
gen_chance(struct generator *g, unsigned percent)
{
   return gen_pick(g, 100) < percent;
}

static const uint32_t special_floats[] = {
    0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000,
    0xFFC12345, 0x7F800001, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000,
    0x7F7FFFFF, 0xFF7FFFFF, 0x3F000000, 0xBF000000, 0x40200000, 0xC0200000, 0x4B000000,
    0x4F000000, 0xCF000000, 0x4EFFFFFF, 0x33800000, 0xB3800000, 0x3F7FFFFF, 0x00C00000,
    0x01000000, 0x477FE000, 0x477FF000, 0x38800000, 0x387FC000, 0x33000000, 0x7FBFFFFF,
};

uint32_t
gen_float(struct generator *g)
{
   uint32_t r = (uint32_t)gen_random(g);
   switch (gen_pick(g, 8)) {
   case 0:
      return special_floats[gen_pick(g, sizeof(special_floats) / 4)];
   case 1:
      return r;
   case 2: { /* small whole or half numbers */
      float f = (float)((int)(r % 201) - 100) * 0.5f;
      memcpy(&r, &f, 4);
      return r;
   }
   default: /* exponents near one */
      return (r & 0x807FFFFF) | (127u - 12 + r / 0x800000 % 24) << 23;
   }
}

static uint32_t
random_dword(struct generator *g)
{
   uint32_t r = (uint32_t)gen_random(g);
   switch (gen_pick(g, 10)) {
   case 0:
      return r;
   case 1:
      return r % 33;
   case 2:
      return (uint32_t) - (int32_t)(r % 33);
   case 3: {
      static const uint32_t edges[] = {0,          1,          0x7FFFFFFF, 0x80000000,
                                       0xFFFFFFFF, 0x7FFF8000, 0x0000FFFF, 0xFFFF0000,
                                       0x7F80FF00, 0x00010001, 0x80808080, 0x8000};
      return edges[gen_pick(g, 12)];
   }
   case 4:
      return (r & 0x00FF00FF) | (r & 1 ? 0xFF00FF00 : 0);
   default:
      return gen_float(g);
   }
}

void
gen_registers(struct generator *g, uint8_t *bytes, size_t size)
{
   static const uint64_t doubles[] = {0,
                                      UINT64_C(1) << 63,
                                      0x3FF0000000000000,
                                      0x7FF0000000000000,
                                      0xFFF0000000000000,
                                      0x7FF8000000000000,
                                      0x7FF0000000000001,
                                      1,
                                      0x000FFFFFFFFFFFFF,
                                      0x0010000000000000,
                                      0x7FEFFFFFFFFFFFFF,
                                      0x3FE0000000000000,
                                      0xC008000000000000};
   for (size_t n = 0; n < size; n += 8) {
      uint64_t v;
      if (g->doubles && gen_chance(g, 80)) {
         if (gen_chance(g, 25)) {
            v = doubles[gen_pick(g, sizeof(doubles) / 8)];
         } else {
            v = gen_random(g) & UINT64_C(0x800FFFFFFFFFFFFF);
            v |= (uint64_t)(1023 - 30 + gen_pick(g, 60)) << 52;
         }
      } else {
         v = random_dword(g);
         v |= (uint64_t)random_dword(g) << 32;
      }
      memcpy(bytes + n, &v, 8);
   }
}

unsigned
gen_int_type(struct generator *g)
{
   static const uint8_t types[] = {EU_TYPE_D, EU_TYPE_D,  EU_TYPE_UD, EU_TYPE_UD, EU_TYPE_W,
                                   EU_TYPE_W, EU_TYPE_UW, EU_TYPE_UW, EU_TYPE_B,  EU_TYPE_UB};
   return types[gen_pick(g, 10)];
}

void
gen_dst(struct generator *g, struct eu_inst *i, unsigned type)
{
   struct eu_operand *d = &i->dst;
   unsigned size = eu_type_size(type);
   *d = (struct eu_operand){
       .file = EU_FILE_GRF, .type = (uint8_t)type, .hstride = 1, .writemask = 0xF};
   if (i->align16) {
      d->nr = (uint8_t)gen_pick(g, 127);
      d->subnr = i->exec_size <= 4 && gen_chance(g, 30) ? 16 : 0;
      d->writemask = gen_chance(g, 50) ? 0xF : (uint8_t)gen_pick(g, 16);
   } else {
      d->nr = (uint8_t)gen_pick(g, 127);
      d->hstride = (uint8_t)(1u << (gen_chance(g, 65) ? 0 : gen_pick(g, 3)));
      d->subnr = gen_chance(g, 60) ? 0 : (uint8_t)(gen_pick(g, 32 / size) * size);
   }
   if (gen_chance(g, 8)) {
      d->indirect = true;
      d->nr = d->subnr = 0;
      d->addr_subnr = (uint8_t)gen_pick(g, 8);
      d->addr_imm = (int16_t)((int)gen_pick(g, 64) * 16 - 512);
   }
}

/* A region for a register source of so many channels: mostly the usual ones. */
static void
pick_region(struct generator *g, const struct eu_inst *i, struct eu_operand *s)
{
   unsigned size = eu_type_size(s->type), n = i->exec_size, row = 32 / size;
   unsigned kind = gen_pick(g, 10);
   if (kind < 3 || n == 1) {
      s->vstride = 0, s->width = 1, s->hstride = 0;
      return;
   }
   if (kind < 7) {
      unsigned w = n < row ? n : row;
      w = w > 16 ? 16 : w;
      s->width = (uint8_t)w, s->vstride = (uint8_t)w, s->hstride = 1;
      return;
   }
   s->width = (uint8_t)(1u << gen_pick(g, 5));
   s->hstride = (uint8_t)((1u << gen_pick(g, 4)) >> 1);
   s->vstride = (uint8_t)((1u << gen_pick(g, 7)) >> 1);
   if (s->width == 1)
      s->hstride = 0;
   if (s->width == n && s->hstride)
      s->vstride = (uint8_t)(s->width * s->hstride);
   if (s->vstride > 32)
      s->vstride = 32;
}

static void
make_indirect(struct generator *g, const struct eu_inst *i, struct eu_operand *s, bool rows)
{
   s->indirect = true;
   s->nr = s->subnr = 0;
   s->addr_subnr = (uint8_t)gen_pick(g, 8);
   s->addr_imm = (int16_t)((int)gen_pick(g, 64) * 16 - 512);
   if (!i->align16 && rows && i->exec_size <= 8 && gen_chance(g, 50)) {
      s->vstride = EU_VSTRIDE_VXH;
      s->width = (uint8_t)(1u << gen_pick(g, 3));
      s->hstride = s->width == 1 ? 0 : 1;
      unsigned count = i->exec_size / s->width;
      if (count)
         s->addr_subnr = (uint8_t)(s->addr_subnr / count * count);
   }
}

void
gen_register(struct generator *g, struct eu_inst *i, unsigned n, unsigned type, bool modifiers)
{
   struct eu_operand *s = &i->src[n];
   unsigned size = eu_type_size(type);
   *s = (struct eu_operand){
       .file = EU_FILE_GRF, .type = (uint8_t)type, .nr = (uint8_t)gen_pick(g, 127)};
   if (modifiers) {
      s->negate = gen_chance(g, 20);
      s->abs = gen_chance(g, 12);
   }
   if (i->align16) {
      s->vstride = gen_chance(g, 70) ? 4 : 0;
      s->width = 4, s->hstride = 1;
      s->subnr = (i->exec_size <= 4 || !s->vstride) && gen_chance(g, 30) ? 16 : 0;
      s->swizzle = gen_chance(g, 40) ? 0xE4 : (uint8_t)gen_pick(g, 256);
   } else {
      s->subnr = gen_chance(g, 55) ? 0 : (uint8_t)(gen_pick(g, 32 / size) * size);
      pick_region(g, i, s);
   }
   if (gen_chance(g, 8))
      make_indirect(g, i, s, n == 0);
}

void
gen_immediate(struct generator *g, struct eu_inst *i, unsigned n, unsigned type)
{
   struct eu_operand *s = &i->src[n];
   *s = (struct eu_operand){.file = EU_FILE_IMM, .type = (uint8_t)type, .width = 1};
   s->imm = type == EU_TYPE_F ? gen_float(g) : random_dword(g);
   if (type == EU_TYPE_W || type == EU_TYPE_UW)
      s->imm &= 0xFFFF;
}

/* The last source: sometimes an immediate of the same kind. */
void
gen_last(struct generator *g, struct eu_inst *i, unsigned n, unsigned type, bool modifiers)
{
   if (!gen_chance(g, 22)) {
      gen_register(g, i, n, type, modifiers);
      return;
   }
   if (type == EU_TYPE_F)
      type = gen_chance(g, 25) ? EU_TYPE_VF : EU_TYPE_F;
   else if (eu_type_size(type) == 1)
      type = EU_TYPE_W;
   else if (eu_type_size(type) == 2 && gen_chance(g, 30))
      type = gen_chance(g, 50) ? EU_TYPE_V : EU_TYPE_UV;
   gen_immediate(g, i, n, type);
}

/* Size, group, mask, predicate; the rest is the family's. */
void
gen_controls(struct generator *g, struct eu_inst *i)
{
   static const uint8_t sizes[] = {8, 8, 8, 8, 16, 16, 16, 4, 4, 2, 1, 1};
   memset(i, 0, sizeof(*i));
   i->exec_size = sizes[gen_pick(g, sizeof(sizes))];
   i->no_mask = gen_chance(g, 30);
   if (i->exec_size == 16)
      i->quarter = gen_chance(g, 25) ? 2 : 0;
   else
      i->quarter = (uint8_t)(gen_chance(g, 60) ? 0 : gen_pick(g, 4));
   if (i->exec_size < 8)
      i->nibble = gen_chance(g, 25);
   i->no_dd_clear = gen_chance(g, 3);
   i->no_dd_check = gen_chance(g, 3);
   i->flag_nr = (uint8_t)gen_pick(g, 2);
   i->flag_subnr = (uint8_t)gen_pick(g, 2);
}

void
gen_predicate(struct generator *g, struct eu_inst *i)
{
   if (!gen_chance(g, 30))
      return;
   i->predicate = (uint8_t)(gen_chance(g, 55) ? 1 : 1 + gen_pick(g, i->align16 ? 7 : 13));
   i->predicate_inverse = gen_chance(g, 40);
}

/* Halves run one after the other: a predicate over more channels than half of them would read flags
 * that the first half has just written, and nothing says which. */
void
gen_keep_predicate_clear(struct eu_inst *i)
{
   if (i->cond_modifier && i->predicate > 3 && i->opcode != EU_OP_SEL && !i->align16)
      i->predicate = 1;
}

static const uint8_t conditions[] = {EU_COND_Z, EU_COND_NZ, EU_COND_G, EU_COND_GE,
                                     EU_COND_L, EU_COND_LE, EU_COND_O, EU_COND_U};

void
gen_condition(struct generator *g, struct eu_inst *i, unsigned percent, unsigned kinds)
{
   if (gen_chance(g, percent))
      i->cond_modifier = conditions[gen_pick(g, kinds)];
}
