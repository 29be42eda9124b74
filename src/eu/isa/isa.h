/* The instruction set: one decoded instruction, and the ways between bytes, struct and text.
 *
 * All enums (opcodes, types, files, conditions, math functions, SFIDs) are made from spec/eu and
 * hold the hardware's codes. `device` is an or of enum hw_device_bit; Valleyview has Ivy Bridge's
 * EU. */
#ifndef PERGOLA_EU_ISA_H
#define PERGOLA_EU_ISA_H

#include "eu/isa/eu_isa_gen.h"
#include "hw/hw.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EU_INST_SIZE 16
#define EU_COMPACT_SIZE 8
/* Vertical stride code 15: one address per row (Vx1) or per element (VxH). Not an element count. */
#define EU_VSTRIDE_VXH 15

/* What an opcode allows: enum eu_opcode_attr. */
enum eu_opcode_attr {
   EU_OP_DST = 1,
   EU_OP_PREDICATE = 2,
   EU_OP_COND = 4,
   EU_OP_SATURATE = 8,
   EU_OP_SRC_MOD = 16,
   EU_OP_JIP = 32,
   EU_OP_UIP = 64,
};

struct eu_opcode_info {
   const char *name; /* NULL: not an opcode */
   uint8_t devices;  /* enum hw_device_bit, or-ed */
   uint8_t format;   /* enum eu_format */
   uint8_t sources;  /* 0…3; send counts its descriptor */
   uint8_t attrs;    /* enum eu_opcode_attr, or-ed */
   uint8_t acc;      /* enum eu_acc_rule */
   struct {
      uint16_t dst, src; /* bit per enum eu_type; dst 0 ends the list */
   } types[EU_OPCODE_TYPE_GROUPS];
};

extern const struct eu_opcode_info eu_opcodes[128];
/* NULL when the device has no such opcode. */
const struct eu_opcode_info *eu_opcode_info(unsigned opcode, unsigned device);
/* Bytes of one element; vector immediates give the size of what they expand to (2 or 4). */
unsigned eu_type_size(enum eu_type type);

struct eu_operand {
   uint8_t file;  /* enum eu_file */
   uint8_t type;  /* enum eu_type; vector immediates included */
   uint8_t nr;    /* GRF number, or ARF: kind in [7:4] (enum eu_arf), instance in [3:0] */
   uint8_t subnr; /* bytes */
   bool negate, abs;
   /* Elements. vstride may be EU_VSTRIDE_VXH. A destination has only hstride. Align16: hstride 1,
    * width 4, and vstride 0 or 4 (2 on Haswell). */
   uint8_t vstride, width, hstride;
   uint8_t swizzle;   /* Align16 source: 2 bits per channel, x lowest; 0xE4 is xyzw */
   uint8_t writemask; /* destination: x is bit 0; 0xF in Align1 */
   bool rep_ctrl;     /* three-source: every channel reads the one element */
   bool indirect;
   uint8_t addr_subnr; /* word of a0 */
   int16_t addr_imm;   /* bytes, signed */
   uint64_t imm;       /* raw: 32 bits (16-bit types: the low half), 64 for dim */
};

struct eu_inst {
   uint8_t opcode; /* enum eu_opcode, or any 7-bit value when illegal */
   uint8_t size;   /* bytes in memory: 8 or 16 */
   bool compact;
   uint8_t exec_size; /* channels */
   bool align16;
   bool no_mask;
   bool no_dd_clear, no_dd_check;
   uint8_t quarter, nibble;
   uint8_t thread_control; /* enum eu_thread_control */
   uint8_t predicate;      /* enum eu_pred1, or enum eu_pred16 when align16 */
   bool predicate_inverse;
   uint8_t flag_nr, flag_subnr; /* f<nr>.<subnr>, words */
   uint8_t cond_modifier;       /* enum eu_cond; 0 for math, send and branches */
   uint8_t math_function;       /* enum eu_math, of math */
   uint8_t sfid;                /* enum eu_sfid, of send and sendc */
   bool saturate;
   bool acc_write;
   bool debug;
   bool eot;
   struct eu_operand dst;
   struct eu_operand src[3];
   /* Branches: 8-byte units from the branch itself; Haswell's call and calla: bytes (calla
    * absolute). jmpi's distance is src[0]: an immediate (8-byte units, Haswell bytes, from the next
    * instruction) or a register. */
   int32_t jip, uip;
   bool desc_is_reg; /* send: the descriptor is a0.0; src[1] describes it */
   uint32_t desc;    /* send with an immediate descriptor: bits 28:0 */
   uint32_t dw[4];   /* the full form, expanded when compact (CmptCtrl clear) */
};

/* First of the thread's channels that channel 0 of the instruction stands for. */
static inline unsigned
eu_inst_group(const struct eu_inst *i)
{
   if (i->exec_size == 32)
      return 0;
   if (i->exec_size == 16)
      return i->quarter & 2 ? 16 : 0;
   /* EU-058: eight channels of doubles are four doubles, which go by nibbles too. */
   bool nibbles = i->exec_size < 8 || i->dst.type == EU_TYPE_DF || i->src[0].type == EU_TYPE_DF;
   return i->quarter * 8u + (nibbles ? i->nibble * 4u : 0);
}

/* Reads one instruction from `avail` bytes. Returns false with a sentence in *why when the encoding
 * is illegal (unknown opcode, reserved code or bit, cut short); *out still holds what could be
 * read, and its size says how far to go on. Never reads past avail. */
bool eu_inst_decode(const uint8_t *bytes, size_t avail, unsigned device, struct eu_inst *out,
                    const char **why);
/* The full 16-byte form with every field that text does not show in its canonical state. */
void eu_inst_encode(const struct eu_inst *inst, unsigned device, uint32_t dw[4]);
/* The 8-byte form, when one exists. */
bool eu_inst_compact(const uint32_t dw[4], uint64_t *compact);
void eu_inst_expand(uint64_t compact, uint32_t dw[4]);

/* A shared function as assembly calls it, or NULL when the code is reserved on the device. */
const char *eu_sfid_name(unsigned code, unsigned device);

/* The full form's fields. */
uint64_t eu_field_get(const uint32_t dw[4], enum eu_field field);
void eu_field_set(uint32_t dw[4], enum eu_field field, uint64_t value);

#endif
