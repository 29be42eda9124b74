/* Private to src/eu/jit: x86-64 instructions, as bytes. Vectors are of 256 bits (AVX2) unless said
 * otherwise. Only the forms that translate.c and its neighbours need. */
#ifndef PERGOLA_EU_JIT_X86_H
#define PERGOLA_EU_JIT_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_reg {
   RAX,
   RCX,
   RDX,
   RBX,
   RSP,
   RBP,
   RSI,
   RDI,
   R8,
   R9,
   R10,
   R11,
   R12,
   R13,
   R14,
   R15,
};

/* Condition codes of jcc. */
enum x86_cond { CC_B = 2, CC_AE = 3, CC_E = 4, CC_Z = 4, CC_NE = 5, CC_NZ = 5, CC_A = 7, CC_S = 8 };

/* Which stores of whole vectors to a stretch of memory, at one base, are loaded again by the code
 * behind them. Whatever else is emitted that has an address there counts as a load of a vector. In
 * code without loops of its own, which is emitted once to find out, then once more, alike, without
 * the others. */
#define X86_WATCH_B 4096u
#define X86_WATCH_STORES 4096u
struct x86_watch {
   unsigned base;
   int32_t first;
   bool leaves_out;
   unsigned stores;
   uint16_t owner[X86_WATCH_B]; /* by byte: the store that has written it last, from 1 */
   bool loaded[X86_WATCH_STORES];
};
void x86_watch_begin(struct x86_watch *w, bool leaves_out);

struct x86 {
   uint8_t *code;
   size_t size, room;       /* past the room nothing is written, but still counted */
   struct x86_watch *watch; /* or NULL */
};

/* A register, or memory at a base and a distance. */
struct x86_rm {
   bool memory;
   uint8_t reg; /* the register, or the base */
   int32_t disp;
};

static inline struct x86_rm
x86_reg(unsigned reg)
{
   return (struct x86_rm){.reg = (uint8_t)reg};
}
static inline struct x86_rm
x86_mem(unsigned base, int32_t disp)
{
   return (struct x86_rm){.memory = true, .reg = (uint8_t)base, .disp = disp};
}

void x86_byte(struct x86 *a, unsigned byte);
void x86_dword(struct x86 *a, uint32_t value);
/* Sets the four bytes before `end` to the distance from `end` to `target`. */
void x86_patch(struct x86 *a, size_t end, size_t target);

/* ---- integers, 32 bits unless `wide` -------------------------------------------------------- */

/* The opcode's reg, r/m form: mov 8b, mov to memory 89, add 03, and 23, or 0b, sub 2b, xor 33, cmp
 * 3b, test 85, bts 0fab, movzx 0fb6 0fb7, movsx 0fbe 0fbf, lea 8d; _TO: to memory. */
enum x86_op {
   X86_ADD = 0x03,
   X86_OR = 0x0b,
   X86_AND = 0x23,
   X86_SUB = 0x2b,
   X86_XOR = 0x33,
   X86_CMP = 0x3b,
   X86_TEST = 0x85,
   X86_TEST8 = 0x84,
   /* the low bytes of the first four */ X86_STORE = 0x89,
   X86_LOAD = 0x8b,
   X86_LEA = 0x8d,
   X86_ADD_TO = 0x01,
   X86_OR_TO = 0x09,
   X86_SUB_TO = 0x29,
   X86_BTS = 0x0fab,
   X86_MOVZX8 = 0x0fb6,
   X86_MOVZX16 = 0x0fb7,
   X86_MOVSX8 = 0x0fbe,
   X86_MOVSX16 = 0x0fbf,
};
void x86_op(struct x86 *a, enum x86_op op, bool wide, unsigned reg, struct x86_rm rm);
/* The low word of reg to memory. */
void x86_store16(struct x86 *a, unsigned reg, struct x86_rm rm);
/* reg = the quadword at base + 8 * index. */
void x86_load_indexed(struct x86 *a, unsigned reg, unsigned base, unsigned index);
/* … or its address. */
void x86_lea_indexed(struct x86 *a, unsigned reg, unsigned base, unsigned index);
/* The forms with an immediate; the number is the opcode's extension. */
enum x86_imm_op { X86_ADD_I = 0, X86_AND_I = 4, X86_SUB_I = 5, X86_XOR_I = 6, X86_CMP_I = 7 };
void x86_imm(struct x86 *a, enum x86_imm_op op, bool wide, struct x86_rm rm, int32_t value);
void x86_test_imm(struct x86 *a, struct x86_rm rm, uint32_t value);
void x86_mov_imm(struct x86 *a, unsigned reg, uint64_t value);
/* The same for a value that is not known yet; returns where it ends, for x86_patch64. */
size_t x86_mov_imm64(struct x86 *a, unsigned reg);
void x86_patch64(struct x86 *a, size_t end, uint64_t value);
void x86_store_imm(struct x86 *a, struct x86_rm rm, uint32_t value);
void x86_shift(struct x86 *a, bool left, unsigned reg, unsigned count);
/* reg *= value */
void x86_multiply(struct x86 *a, unsigned reg, uint32_t value);
void x86_not(struct x86 *a, bool wide, unsigned reg);
/* What lies there is asked for; it may be any address. */
void x86_prefetch(struct x86 *a, struct x86_rm rm);
void x86_push(struct x86 *a, unsigned reg);
void x86_pop(struct x86 *a, unsigned reg);
void x86_ret(struct x86 *a);
void x86_call(struct x86 *a, unsigned reg);
void x86_jump_reg(struct x86 *a, unsigned reg);
/* Both return where the distance ends, for x86_patch. */
size_t x86_jump(struct x86 *a);
size_t x86_jump_if(struct x86 *a, enum x86_cond cond);

/* ---- vectors -------------------------------------------------------------------------------- */

/* Map (1: 0f, 2: 0f38, 3: 0f3a), mandatory prefix (0: none, 1: 66, 2: f3, 3: f2) and opcode. */
#define VEX(map, prefix, opcode) ((map) << 12 | (prefix) << 8 | (opcode))
enum vex_op {
   VMOVDQU_LOAD = VEX(1, 2, 0x6f),
   VMOVDQU_STORE = VEX(1, 2, 0x7f),
   VMOVD_FROM = VEX(1, 1, 0x6e),    /* xmm from a 32-bit register */
   VMOVD_STORE = VEX(1, 1, 0x7e),   /* 32 bits to memory */
   VMOVQ_STORE = VEX(1, 1, 0xd6),   /* 64 bits to memory */
   VMOVHPS_STORE = VEX(1, 0, 0x17), /* the upper 64 bits of 128 to memory */
   VPBROADCASTD = VEX(2, 1, 0x58),
   VPBROADCASTQ = VEX(2, 1, 0x59),
   VPBROADCASTW = VEX(2, 1, 0x79),
   VPMOVSXBD = VEX(2, 1, 0x21),
   VPMOVSXWD = VEX(2, 1, 0x23),
   VPMOVZXBD = VEX(2, 1, 0x31),
   VPMOVZXWD = VEX(2, 1, 0x33),
   VPMOVSXDQ = VEX(2, 1, 0x25),
   VPMOVZXDQ = VEX(2, 1, 0x35),
   VSHUFPS_I = VEX(1, 0, 0xc6),
   VPERMD = VEX(2, 1, 0x36),
   VPUNPCKLDQ = VEX(1, 1, 0x62),
   VPUNPCKHDQ = VEX(1, 1, 0x6a),
   VPSHUFB = VEX(2, 1, 0x00),
   VBROADCASTI128 = VEX(2, 1, 0x5a),
   VPERMQ_I = VEX(3, 1, 0x00),
   VADDPS = VEX(1, 0, 0x58),
   VSUBPS = VEX(1, 0, 0x5c),
   VADDPD = VEX(1, 1, 0x58),
   VSUBPD = VEX(1, 1, 0x5c),
   VMULPD = VEX(1, 1, 0x59),
   VUNPCKLPD = VEX(1, 1, 0x14),
   VUNPCKHPD = VEX(1, 1, 0x15),
   VPACKSSDW = VEX(1, 1, 0x6b),
   VPERMILPS_I = VEX(3, 1, 0x04),
   VMOVSLDUP = VEX(1, 2, 0x12), /* each even lane twice … */
   VMOVSHDUP = VEX(1, 2, 0x16), /* … each odd one */
   VBLENDPS_I = VEX(3, 1, 0x0c),
   VPEXTRB_I = VEX(3, 1, 0x14), /* to memory */
   VPEXTRW_I = VEX(3, 1, 0x15), /* to memory */
   VPEXTRD_I = VEX(3, 1, 0x16),
   VPINSRD_I = VEX(3, 1, 0x22),
   VMULPS = VEX(1, 0, 0x59),
   VMINPS = VEX(1, 0, 0x5d),
   VMAXPS = VEX(1, 0, 0x5f),
   VFMADD231PS = VEX(2, 1, 0xb8),  /* d = v*rm + d */
   VFMADD213PS = VEX(2, 1, 0xa8),  /* d = v*d + rm */
   VFMSUB213PS = VEX(2, 1, 0xaa),  /* d = v*d - rm */
   VFNMADD213PS = VEX(2, 1, 0xac), /* d = rm - v*d */
   VFNMADD231PS = VEX(2, 1, 0xbc), /* d = d - v*rm */
   VPTEST = VEX(2, 1, 0x17),
   VCMPPS_I = VEX(1, 0, 0xc2),
   VTESTPS = VEX(2, 1, 0x0e),
   VMOVMSKPS = VEX(1, 0, 0x50),
   VBLENDVPS = VEX(3, 1, 0x4a),
   VPBLENDVB = VEX(3, 1, 0x4c),
   VPBLENDW_I = VEX(3, 1, 0x0e),
   VROUNDPS_I = VEX(3, 1, 0x08),
   VANDPS = VEX(1, 0, 0x54),
   VXORPS = VEX(1, 0, 0x57),
   VPADDD = VEX(1, 1, 0xfe),
   VPSUBD = VEX(1, 1, 0xfa),
   VPMULLD = VEX(2, 1, 0x40),
   VPADDQ = VEX(1, 1, 0xd4),
   VPMULDQ = VEX(2, 1, 0x28),
   VPMULUDQ = VEX(1, 1, 0xf4),
   VPAND = VEX(1, 1, 0xdb),
   VPANDN = VEX(1, 1, 0xdf), /* of the first operand the complement */
   VPOR = VEX(1, 1, 0xeb),
   VPXOR = VEX(1, 1, 0xef),
   VPSLLVD = VEX(2, 1, 0x47),
   VPSRLVD = VEX(2, 1, 0x45),
   VPSRAVD = VEX(2, 1, 0x46),
   VPABSD = VEX(2, 1, 0x1e),
   VPMINSD = VEX(2, 1, 0x39),
   VPMAXSD = VEX(2, 1, 0x3d),
   VPMINUD = VEX(2, 1, 0x3b),
   VPMAXUD = VEX(2, 1, 0x3f),
   VPCMPEQD = VEX(1, 1, 0x76),
   VPCMPGTD = VEX(1, 1, 0x66),
   VCVTDQ2PS = VEX(1, 0, 0x5b),
   VCVTTPS2DQ = VEX(1, 2, 0x5b),
   VCVTPS2PD = VEX(1, 0, 0x5a),
   VCVTPD2PS = VEX(1, 1, 0x5a),
   VSQRTPD = VEX(1, 1, 0x51),
   VDIVPD = VEX(1, 1, 0x5e),
   VSQRTPS = VEX(1, 0, 0x51),
   VRSQRTPS = VEX(1, 0, 0x52),
   VDIVPS = VEX(1, 0, 0x5e),
   VEXTRACTF128_I = VEX(3, 1, 0x19),
   VINSERTF128_I = VEX(3, 1, 0x18),
   VSHIFTD_I = VEX(1, 1, 0x72), /* extension 2: right, 4: right with sign, 6: left */
};
/* op reg, v, rm. Forms without v take 0 there. */
void vex(struct x86 *a, enum vex_op op, unsigned reg, unsigned v, struct x86_rm rm);
void vex_imm(struct x86 *a, enum vex_op op, unsigned reg, unsigned v, struct x86_rm rm,
             unsigned imm);
/* The same on 128 bits. */
void vex128(struct x86 *a, enum vex_op op, unsigned reg, unsigned v, struct x86_rm rm);
void vex128_imm(struct x86 *a, enum vex_op op, unsigned reg, unsigned v, struct x86_rm rm,
                unsigned imm);
/* d = mask ? rm : v, by sign bits. */
void vex_blend(struct x86 *a, unsigned d, unsigned v, struct x86_rm rm, unsigned mask);
/* The same by bytes. */
void vex_blend_bytes(struct x86 *a, unsigned d, unsigned v, struct x86_rm rm, unsigned mask);
/* Lane by lane: d = the dword at base + index, where the mask has its sign; the mask becomes zero.
 * Three different vectors. */
void vex_gather(struct x86 *a, unsigned d, unsigned base, unsigned index, unsigned mask);
/* d = s shifted by a constant. */
/* What VCMPPS asks. */
enum vex_compare {
   VCMP_EQ_OQ = 0x00,
   VCMP_UNORD_Q = 0x03,
   VCMP_NEQ_UQ = 0x04,
   VCMP_ORD_Q = 0x07,
   VCMP_LT_OQ = 0x11,
   VCMP_LE_OQ = 0x12,
   VCMP_GE_OQ = 0x1d,
   VCMP_GT_OQ = 0x1e,
};

/* How VROUNDPS rounds. */
enum vex_round {
   VROUND_NEAREST = 0,
   VROUND_DOWN = 1,
   VROUND_UP = 2,
   VROUND_ZERO = 3,
   VROUND_QUIET = 8
};

enum vex_shift { VPSRLD = 2, VPSRAD = 4, VPSLLD = 6 };
void vex_shift(struct x86 *a, enum vex_shift op, unsigned d, unsigned s, unsigned count);
void x86_vzeroupper(struct x86 *a);

#endif
