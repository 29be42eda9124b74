/* The hardware as data, at run time: what the generator made of spec/. */
#ifndef PERGOLA_HW_H
#define PERGOLA_HW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hw_engine_bit { HW_RCS = 1, HW_VCS = 2, HW_BCS = 4, HW_VECS = 8 };
enum hw_device_bit { HW_IVB = 1, HW_VLV = 2, HW_HSW = 4, HW_ICL = 8 };

/* What the tables describe: the families of parts, and those that only the decoder and the
 * assembler know. */
struct hw_device {
   const char *name, *description; /* "ivb", "Ivy Bridge" */
   enum hw_device_bit bit;
};
extern const struct hw_device hw_devices[];
extern const size_t hw_device_count;
const struct hw_device *hw_device_find(const char *name);

/* Bits 31:29 of a command's header; the other values are reserved. */
enum hw_client { HW_CLIENT_MI, HW_CLIENT_2D = 2, HW_CLIENT_GFX };

enum hw_field_type {
   HW_UINT,
   HW_INT,
   HW_BOOL,
   HW_FLOAT,
   HW_ADDRESS, /* byte address whose low bits are implied zero */
   HW_OFFSET,  /* byte offset from a base, likewise */
   HW_MBZ,
   HW_MBO,
   HW_IGNORED,
};

struct hw_value {
   const char *name;
   uint32_t value;
};

struct hw_field {
   const char *name;
   const char *ledger; /* "" when the layout's own id covers it */
   const char *unit;   /* unit of measure for printing, or "" */
   const struct hw_value *values;
   uint16_t value_count;
   uint16_t start, end; /* absolute bits in the layout, both inclusive */
   uint8_t type;        /* enum hw_field_type */
   uint8_t fraction;    /* binary digits after the point */
   bool closed;         /* a value that is not listed is illegal */
   bool has_min, has_max;
   int64_t min, max;
   const char *structure; /* the structures of which one lies in this field, or "" */
};

/* A layout of dwords: structure, message payload, command or register body. */
struct hw_layout {
   const char *name;
   const char *unit;
   const char *ledger;
   const struct hw_field *fields;
   uint16_t field_count;
   uint16_t length_dw; /* total, or the least total when variable */
   bool variable;
   bool ranged;             /* some field has min, max or a closed value list */
   const char *tail;        /* name of the trailing array, or NULL */
   const uint32_t *mbz;     /* per dword: bits that must be zero */
   const uint32_t *mbo;     /* per dword: bits that must be one */
   const char *tail_struct; /* the structure that the tail repeats, or NULL: dwords */
};

struct hw_command {
   struct hw_layout layout;
   uint32_t header, header_mask;
   uint8_t client;                 /* enum hw_client */
   uint8_t engines;                /* enum hw_engine_bit, or-ed */
   uint8_t devices;                /* enum hw_device_bit, or-ed */
   uint8_t length_lo, length_bits; /* 0 bits: always layout.length_dw */
   uint8_t bias;
   uint16_t id; /* enum gen7_command_id, of Ice Lake's commands gen11_command_id;
                   GEN7_COMMAND_COUNT: for the decoder only */
};

enum hw_access { HW_RW, HW_RO, HW_WO, HW_W1C, HW_MASKED, HW_RC };
enum hw_reset {
   HW_RESET_NONE,
   HW_RESET_FULL,
   HW_RESET_RCS,
   HW_RESET_VCS,
   HW_RESET_BCS,
   HW_RESET_RCS0, /* Ice Lake's engines, in the order of src/gen11 */
   HW_RESET_BCS0,
   HW_RESET_VCS0,
   HW_RESET_VCS2,
   HW_RESET_VECS0,
};
enum hw_wake { HW_WAKE_BY_RANGE, HW_WAKE_RENDER, HW_WAKE_MEDIA };

/* One dword of MMIO space. A 64-bit register has two rows. */
struct hw_register {
   uint32_t offset;
   uint32_t rw_mask;  /* bits that a write stores */
   uint32_t w1c_mask; /* bits that a written one clears */
   uint32_t default_value;
   const struct hw_layout *layout; /* whole register */
   uint8_t dword;                  /* which dword of the layout this row is */
   uint8_t access;                 /* enum hw_access */
   uint8_t reset;                  /* enum hw_reset */
   uint8_t wake;                   /* enum hw_wake */
   uint8_t devices;
   bool context; /* saved and restored with the logical context */
   bool hooked;  /* reading or writing has a side effect in some unit, … */
   bool acts;    /* … beyond the rules that are checked */
};

/* A logical context image is a list of these. HW_PART_RING: Ice Lake's, what is always loaded. */
enum hw_context_part { HW_PART_POWER, HW_PART_MAIN, HW_PART_EXTENDED, HW_PART_RING };
enum hw_context_kind {
   HW_CONTEXT_NOOP,     /* `size` dwords of zero */
   HW_CONTEXT_REGISTER, /* an LRI header, then `size` pairs of offset and value */
   HW_CONTEXT_COMMAND,  /* `size` dwords: the kept command with this upper half of the header */
   HW_CONTEXT_MEDIA,    /* likewise, but the media pipeline writes it */
};
struct hw_context_item {
   uint8_t kind, part; /* enum hw_context_kind, hw_context_part */
   bool relative;      /* registers: offsets from the engine's block */
   uint16_t size;
   uint16_t opcode;           /* commands: header bits 31:16 */
   const uint16_t *registers; /* registers: offsets */
};

struct hw_context {
   const struct hw_context_item *items;
   size_t count;
};
extern const struct hw_layout hw_structs[];
extern const size_t hw_struct_count;
extern const struct hw_command hw_commands[];
extern const size_t hw_command_count;
extern const uint16_t hw_command_rows[];        /* by id: the first row with it */
extern const struct hw_register hw_registers[]; /* sorted by offset */
extern const size_t hw_register_count;

const struct hw_layout *hw_struct_by_name(const char *name);
/* The structure that lies in a field; of several that may, the one of this index. NULL: no more. */
const struct hw_layout *hw_field_structure(const struct hw_field *f, unsigned index);
/* The command that a header dword starts, on one engine of one part; NULL when there is none. */
const struct hw_command *hw_command_find(uint32_t header, unsigned engine_bit, unsigned device_bit);
const struct hw_command *hw_command_by_name(const char *name, unsigned device_bit);
/* For the facts that the generations share: name and header. */
static inline const struct hw_command *
hw_command_by_id(unsigned id)
{
   return &hw_commands[hw_command_rows[id]];
}
/* Total dwords from the header. For an unknown command use hw_default_length(). */
uint32_t hw_command_length(const struct hw_command *cmd, uint32_t header);
uint32_t hw_default_length(uint32_t header, unsigned device_bit);
const struct hw_register *hw_register_at(uint32_t offset, unsigned device_bit);
const struct hw_register *hw_register_by_name(const char *name, unsigned device_bit);

/* A field by the mask that the generator gives it: its value in a dword, and a value in its place.
 */
static inline uint32_t
hw_get(uint32_t dword, uint32_t mask)
{
   return (dword & mask) / (mask & -mask);
}
static inline uint32_t
hw_put(uint32_t value, uint32_t mask)
{
   return value * (mask & -mask) & mask;
}

uint64_t hw_field_get(const struct hw_field *f, const uint32_t *dw, size_t count_dw);
/* "Name: value (unit)" for people; returns the length that snprintf would. */
int hw_field_print(const struct hw_field *f, uint64_t raw, char *buf, size_t size);

/* What is wrong with the value of one field, as a sentence; NULL: nothing. */
const char *hw_field_problem(const struct hw_field *f, uint64_t raw);

/* Called for each broken field; `why` is a sentence. Returns the number of broken fields. */
typedef void (*hw_violation_fn)(void *data, const struct hw_layout *layout,
                                const struct hw_field *field, uint64_t raw, const char *why);
unsigned hw_validate(const struct hw_layout *layout, const uint32_t *dw, size_t count_dw,
                     hw_violation_fn fn, void *data);

#endif
