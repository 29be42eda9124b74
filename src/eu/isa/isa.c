#include "eu/isa/isa.h"

#include "eu/isa/isa_tables.h"

#define SOURCE_FIELDS(n)                                                                           \
   {                                                                                               \
      EU_FIELD_SRC##n##_FILE, EU_FIELD_SRC##n##_TYPE, EU_FIELD_SRC##n##_SUBNR,                     \
          EU_FIELD_SRC##n##_NR, EU_FIELD_SRC##n##_ABS, EU_FIELD_SRC##n##_NEGATE,                   \
          EU_FIELD_SRC##n##_ADDR_MODE, EU_FIELD_SRC##n##_HSTRIDE, EU_FIELD_SRC##n##_WIDTH,         \
          EU_FIELD_SRC##n##_VSTRIDE, EU_FIELD_SRC##n##_SWIZZLE_XY, EU_FIELD_SRC##n##_SWIZZLE_ZW,   \
          EU_FIELD_SRC##n##_SUBNR_HIGH, EU_FIELD_SRC##n##_ALIGN16_MBZ, EU_FIELD_SRC##n##_ADDR_IMM, \
          EU_FIELD_SRC##n##_ADDR_IMM_HIGH, EU_FIELD_SRC##n##_ADDR_SUBNR                            \
   }

const struct eu_source_fields eu_source_fields[2] = {SOURCE_FIELDS(0), SOURCE_FIELDS(1)};

#define THREE_SOURCE_FIELDS(n)                                                                     \
   {                                                                                               \
      EU_FIELD_THREE_SRC##n##_ABS, EU_FIELD_THREE_SRC##n##_NEGATE, EU_FIELD_THREE_SRC##n##_REP,    \
          EU_FIELD_THREE_SRC##n##_SWIZZLE, EU_FIELD_THREE_SRC##n##_SUBNR,                          \
          EU_FIELD_THREE_SRC##n##_NR                                                               \
   }
const struct eu_three_source_fields eu_three_source_fields[3] = {
    THREE_SOURCE_FIELDS(0), THREE_SOURCE_FIELDS(1), THREE_SOURCE_FIELDS(2)};

const struct eu_opcode_info *
eu_opcode_info(unsigned opcode, unsigned device)
{
   if (opcode > 127 || !eu_opcodes[opcode].name || !(eu_opcodes[opcode].devices & device))
      return NULL;
   return &eu_opcodes[opcode];
}

unsigned
eu_type_size(enum eu_type type)
{
   switch (type) {
   case EU_TYPE_UB:
   case EU_TYPE_B:
      return 1;
   case EU_TYPE_UW:
   case EU_TYPE_W:
   case EU_TYPE_UV:
   case EU_TYPE_V:
      return 2;
   case EU_TYPE_DF:
      return 8;
   default:
      return 4;
   }
}

const char *
eu_name_of(const struct eu_name *names, int code, unsigned device)
{
   for (; names->code >= 0; names++)
      if (names->code == code && (names->devices & device))
         return names->text;
   return NULL;
}

const char *
eu_sfid_name(unsigned code, unsigned device)
{
   return eu_name_of(eu_sfid_names, (int)code, device);
}

uint64_t
eu_field_get(const uint32_t dw[4], enum eu_field field)
{
   struct eu_field_bits f = eu_fields[field];
   unsigned half = f.low / 64 * 2;
   uint64_t v = (dw[half] | (uint64_t)dw[half + 1] << 32) >> f.low % 64;
   return f.width == 64 ? v : v & ((UINT64_C(1) << f.width) - 1);
}

void
eu_field_set(uint32_t dw[4], enum eu_field field, uint64_t value)
{
   struct eu_field_bits f = eu_fields[field];
   unsigned half = f.low / 64 * 2, shift = f.low % 64;
   uint64_t mask = (f.width == 64 ? UINT64_MAX : (UINT64_C(1) << f.width) - 1) << shift;
   uint64_t v = dw[half] | (uint64_t)dw[half + 1] << 32;
   v = (v & ~mask) | (value << shift & mask);
   dw[half] = (uint32_t)v;
   dw[half + 1] = (uint32_t)(v >> 32);
}
