/* The 64-bit form and back. */
#include "eu/isa/isa.h"
#include "eu/isa/isa_tables.h"

#include <string.h>

static uint64_t
bits(uint64_t v, unsigned high, unsigned low)
{
   return v >> low & ((UINT64_C(1) << (high - low + 1)) - 1);
}

/* A compact field, by the positions of spec/eu/fields.tsv. */
static unsigned
c_get(uint64_t c, enum eu_field f)
{
   return (unsigned)bits(c, eu_fields[f].low + eu_fields[f].width - 1u, eu_fields[f].low);
}

static void
c_set(uint64_t *c, enum eu_field f, uint64_t value)
{
   *c |= value << eu_fields[f].low;
}

/* The table entries gather these fields of the full form, lowest first. */
struct gather {
   enum eu_field field;
   uint8_t width; /* of the field's low bits */
};

static const struct gather control_fields[] = {
    {EU_FIELD_ACCESS_MODE, 1},
    {EU_FIELD_MASK_CONTROL, 1},
    {EU_FIELD_NO_DD_CLEAR, 1},
    {EU_FIELD_NO_DD_CHECK, 1},
    {EU_FIELD_QUARTER, 2},
    {EU_FIELD_THREAD_CONTROL, 2},
    {EU_FIELD_PREDICATE, 4},
    {EU_FIELD_PREDICATE_INVERSE, 1},
    {EU_FIELD_EXEC_SIZE, 3},
    {EU_FIELD_SATURATE, 1},
    {EU_FIELD_FLAG_SUBNR, 1},
    {EU_FIELD_FLAG_NR, 1},
    {0, 0},
};
static const struct gather type_fields[] = {
    {EU_FIELD_DST_FILE, 2},    {EU_FIELD_DST_TYPE, 3},      {EU_FIELD_SRC0_FILE, 2},
    {EU_FIELD_SRC0_TYPE, 3},   {EU_FIELD_SRC1_FILE, 2},     {EU_FIELD_SRC1_TYPE, 3},
    {EU_FIELD_DST_HSTRIDE, 2}, {EU_FIELD_DST_ADDR_MODE, 1}, {0, 0},
};
static const struct gather subreg_fields[] = {
    {EU_FIELD_DST_SUBNR, 5},
    {EU_FIELD_SRC0_SUBNR, 5},
    {EU_FIELD_SRC1_SUBNR, 5},
    {0, 0},
};
static const struct gather source0_fields[] = {
    {EU_FIELD_SRC0_ABS, 1},
    {EU_FIELD_SRC0_NEGATE, 1},
    {EU_FIELD_SRC0_ADDR_MODE, 1},
    {EU_FIELD_SRC0_HSTRIDE, 2},
    {EU_FIELD_SRC0_WIDTH, 3},
    {EU_FIELD_SRC0_VSTRIDE, 4},
    {0, 0},
};
static const struct gather source1_fields[] = {
    {EU_FIELD_SRC1_ABS, 1},
    {EU_FIELD_SRC1_NEGATE, 1},
    {EU_FIELD_SRC1_ADDR_MODE, 1},
    {EU_FIELD_SRC1_HSTRIDE, 2},
    {EU_FIELD_SRC1_WIDTH, 3},
    {EU_FIELD_SRC1_VSTRIDE, 4},
    {0, 0},
};

static void
scatter(uint32_t dw[4], const struct gather *g, uint32_t value)
{
   for (; g->width; g++) {
      eu_field_set(dw, g->field, value & ((1u << g->width) - 1));
      value >>= g->width;
   }
}

static uint32_t
collect(const uint32_t dw[4], const struct gather *g)
{
   uint32_t value = 0;
   for (unsigned at = 0; g->width; at += g->width, g++)
      value |= (uint32_t)eu_field_get(dw, g->field) << at;
   return value;
}

static bool
has_immediate(const uint32_t dw[4])
{
   return eu_field_get(dw, EU_FIELD_SRC0_FILE) == EU_FILE_IMM ||
          eu_field_get(dw, EU_FIELD_SRC1_FILE) == EU_FILE_IMM;
}

void
eu_inst_expand(uint64_t c, uint32_t dw[4])
{
   memset(dw, 0, EU_INST_SIZE);
   eu_field_set(dw, EU_FIELD_OPCODE, c_get(c, EU_FIELD_C_OPCODE));
   eu_field_set(dw, EU_FIELD_DEBUG, c_get(c, EU_FIELD_C_DEBUG));
   eu_field_set(dw, EU_FIELD_ACC_WRITE, c_get(c, EU_FIELD_C_ACC_WRITE));
   eu_field_set(dw, EU_FIELD_COND_MODIFIER, c_get(c, EU_FIELD_C_COND_MODIFIER));
   scatter(dw, control_fields, eu_compact_control[c_get(c, EU_FIELD_C_CONTROL_INDEX)]);
   scatter(dw, type_fields, eu_compact_type[c_get(c, EU_FIELD_C_TYPE_INDEX)]);
   scatter(dw, subreg_fields, eu_compact_subreg[c_get(c, EU_FIELD_C_SUBREG_INDEX)]);
   scatter(dw, source0_fields, eu_compact_source[c_get(c, EU_FIELD_C_SRC0_INDEX)]);
   eu_field_set(dw, EU_FIELD_DST_NR, c_get(c, EU_FIELD_C_DST_NR));
   eu_field_set(dw, EU_FIELD_SRC0_NR, c_get(c, EU_FIELD_C_SRC0_NR));
   unsigned src1_index = c_get(c, EU_FIELD_C_SRC1_INDEX), src1_nr = c_get(c, EU_FIELD_C_SRC1_NR);
   if (has_immediate(dw)) {
      /* Thirteen bits, sign extended. */
      uint32_t imm = src1_nr | src1_index << 8;
      eu_field_set(dw, EU_FIELD_IMM32, imm & 0x1000 ? imm | 0xFFFFE000u : imm);
      return;
   }
   scatter(dw, source1_fields, eu_compact_source[src1_index]);
   eu_field_set(dw, EU_FIELD_SRC1_NR, src1_nr);
}

static bool
find(const uint32_t table[32], uint32_t value, unsigned *index)
{
   for (*index = 0; *index < 32; ++*index)
      if (table[*index] == value)
         return true;
   return false;
}

bool
eu_inst_compact(const uint32_t dw[4], uint64_t *compact)
{
   unsigned control, type, subreg, source0, source1;
   bool imm = has_immediate(dw);
   uint32_t value = (uint32_t)eu_field_get(dw, EU_FIELD_IMM32);
   uint32_t sub = collect(dw, subreg_fields);
   /* Any two-source layout may be compacted that the tables can hold: hardware expands
    * mechanically. An EOT bit never fits. */
   if (eu_opcodes[eu_field_get(dw, EU_FIELD_OPCODE)].format == EU_FORMAT_THREE ||
       eu_field_get(dw, EU_FIELD_NIBBLE) || eu_field_get(dw, EU_FIELD_OPCODE_HIGH) ||
       eu_field_get(dw, EU_FIELD_COMPACT) || eu_field_get(dw, EU_FIELD_RESERVED_95_91))
      return false;
   if (imm && value + 0x1000 > 0x1FFF)
      return false;
   if (!imm && eu_field_get(dw, EU_FIELD_RESERVED_127_121))
      return false;
   if (!find(eu_compact_control, collect(dw, control_fields), &control) ||
       !find(eu_compact_type, collect(dw, type_fields), &type) ||
       !find(eu_compact_subreg, imm ? sub & 0x3FF : sub, &subreg) ||
       !find(eu_compact_source, collect(dw, source0_fields), &source0))
      return false;
   if (imm)
      source1 = value >> 8 & 0x1F;
   else if (!find(eu_compact_source, collect(dw, source1_fields), &source1))
      return false;
   uint64_t c = 0;
   c_set(&c, EU_FIELD_C_OPCODE, eu_field_get(dw, EU_FIELD_OPCODE));
   c_set(&c, EU_FIELD_C_DEBUG, eu_field_get(dw, EU_FIELD_DEBUG));
   c_set(&c, EU_FIELD_C_CONTROL_INDEX, control);
   c_set(&c, EU_FIELD_C_TYPE_INDEX, type);
   c_set(&c, EU_FIELD_C_SUBREG_INDEX, subreg);
   c_set(&c, EU_FIELD_C_ACC_WRITE, eu_field_get(dw, EU_FIELD_ACC_WRITE));
   c_set(&c, EU_FIELD_C_COND_MODIFIER, eu_field_get(dw, EU_FIELD_COND_MODIFIER));
   c_set(&c, EU_FIELD_C_COMPACT, 1);
   c_set(&c, EU_FIELD_C_SRC0_INDEX, source0);
   c_set(&c, EU_FIELD_C_SRC1_INDEX, source1);
   c_set(&c, EU_FIELD_C_DST_NR, eu_field_get(dw, EU_FIELD_DST_NR));
   c_set(&c, EU_FIELD_C_SRC0_NR, eu_field_get(dw, EU_FIELD_SRC0_NR));
   c_set(&c, EU_FIELD_C_SRC1_NR, imm ? value & 0xFF : eu_field_get(dw, EU_FIELD_SRC1_NR));
   *compact = c;
   return true;
}
