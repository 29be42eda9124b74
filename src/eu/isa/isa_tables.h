/* Tables made from spec/eu that only the instruction set's own files read. */
#ifndef PERGOLA_EU_ISA_TABLES_H
#define PERGOLA_EU_ISA_TABLES_H

#include "eu/isa/isa.h"

struct eu_field_bits {
   uint8_t low, width;
};
extern const struct eu_field_bits eu_fields[EU_FIELD_COUNT];

struct eu_name {
   int code; /* -1 ends a list */
   const char *text;
   uint8_t devices;
};
extern const struct eu_name eu_file_names[], eu_type_names[], eu_arf_names[], eu_cond_names[],
    eu_pred1_names[], eu_pred16_names[], eu_math_names[], eu_sfid_names[],
    eu_thread_control_names[];

extern const uint32_t eu_compact_control[32], eu_compact_type[32], eu_compact_subreg[32],
    eu_compact_source[32];

/* The fields of source 0 and source 1 lie in the same order. */
struct eu_source_fields {
   enum eu_field file, type, subnr, nr, abs, negate, addr_mode, hstride, width, vstride;
   enum eu_field swizzle_xy, swizzle_zw, subnr_high, align16_mbz, addr_imm, addr_imm_high,
       addr_subnr;
};
extern const struct eu_source_fields eu_source_fields[2];
/* Those of an instruction with three sources. */
struct eu_three_source_fields {
   enum eu_field abs, negate, rep, swizzle, subnr, nr;
};
extern const struct eu_three_source_fields eu_three_source_fields[3];

/* The text of a code, or NULL when it is reserved on the device. */
const char *eu_name_of(const struct eu_name *names, int code, unsigned device);

#endif
