/* Host code as text: what x86.c encodes, read back. */
#include "eu/jit/x86_text.h"

#include "eu/jit/x86.h"

#include <stdio.h>
#include <string.h>

struct reader {
   const uint8_t *code;
   size_t at, size;
   x86_name_fn name;
   const void *data;
   bool wide, word, reg_high, rm_high, index_high;
   unsigned reg; /* of ModRM */
   struct x86_rm rm;
   int index; /* register, or -1 */
   unsigned scale;
   bool vectors; /* it is one of VEX: so is the index */
};

static const char name64[16][4] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                   "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
static const char name32[16][5] = {"eax", "ecx", "edx",  "ebx",  "esp",  "ebp",  "esi",  "edi",
                                   "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"};
static const char name16[16][5] = {"ax",  "cx",  "dx",   "bx",   "sp",   "bp",   "si",   "di",
                                   "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"};
static const char name8[16][5] = {"al",  "cl",  "dl",   "bl",   "spl",  "bpl",  "sil",  "dil",
                                  "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"};

/* ---- bytes ---------------------------------------------------------------------------------- */

static unsigned
byte(struct reader *r)
{
   return r->at < r->size ? r->code[r->at++] : 0;
}

static uint32_t
dword(struct reader *r)
{
   uint32_t v = 0;
   for (unsigned i = 0; i < 4; i++)
      v |= (uint32_t)byte(r) << (8 * i);
   return v;
}

static void
modrm(struct reader *r)
{
   unsigned m = byte(r), mod = m >> 6, base = m & 7;
   r->reg = (m >> 3 & 7) + 8 * r->reg_high;
   r->index = -1;
   r->rm = (struct x86_rm){.memory = mod != 3};
   if (mod != 3 && base == 4) {
      unsigned sib = byte(r);
      base = sib & 7;
      r->scale = 1u << (sib >> 6);
      if ((sib >> 3 & 7) != 4 || r->index_high)
         r->index = (int)((sib >> 3 & 7) + 8 * r->index_high);
   }
   r->rm.reg = (uint8_t)(base + 8 * r->rm_high);
   if (mod == 1)
      r->rm.disp = (int8_t)byte(r);
   else if (mod == 2)
      r->rm.disp = (int32_t)dword(r);
}

/* ---- operands ------------------------------------------------------------------------------- */

enum kind { NONE, VECTOR, XMM, INT, INT16, INT8 }; /* VECTOR: as long as the instruction says */

static void
put_register(char out[32], enum kind kind, unsigned n, bool is_long)
{
   if (kind == INT)
      snprintf(out, 32, "%s", is_long ? name64[n] : name32[n]);
   else if (kind == INT16 || kind == INT8)
      snprintf(out, 32, "%s", kind == INT16 ? name16[n] : name8[n]);
   else
      snprintf(out, 32, "%s%u", kind == VECTOR && is_long ? "ymm" : "xmm", n);
}

static void
put_memory(const struct reader *r, char out[32])
{
   int32_t disp = r->rm.disp;
   if (r->index < 0 && r->name && r->name(r->data, r->rm.reg, disp, out))
      return;
   char index[16] = "";
   uint32_t distance = disp < 0 ? 0u - (uint32_t)disp : (uint32_t)disp;
   if (r->index >= 0 && r->vectors)
      snprintf(index, sizeof(index), "+ymm%d*%u", r->index & 15, r->scale);
   else if (r->index >= 0)
      snprintf(index, sizeof(index), "+%s*%u", name64[r->index & 15], r->scale);
   snprintf(out, 32, "[%s%s%c0x%x]", name64[r->rm.reg], index, disp < 0 ? '-' : '+', distance);
}

static void
put_rm(const struct reader *r, char out[32], enum kind kind, bool is_long)
{
   if (r->rm.memory)
      put_memory(r, out);
   else
      put_register(out, kind, r->rm.reg, is_long);
}

/* ---- vectors -------------------------------------------------------------------------------- */

enum shape { RVM, RM, MR };
struct form {
   uint16_t op;
   const char *name;
   uint8_t shape, reg, rm;
   bool immediate;
};
#define THREE(op, name)                                                                            \
   {                                                                                               \
      op, name, RVM, VECTOR, VECTOR, false                                                         \
   }
#define TWO(op, name)                                                                              \
   {                                                                                               \
      op, name, RM, VECTOR, VECTOR, false                                                          \
   }
static const struct form forms[] = {
    TWO(VMOVDQU_LOAD, "vmovdqu"),
    {VMOVDQU_STORE, "vmovdqu", MR, VECTOR, VECTOR, false},
    {VMOVD_FROM, "vmovd", RM, XMM, INT, false},
    {VMOVD_STORE, "vmovd", MR, XMM, INT, false},
    {VMOVQ_STORE, "vmovq", MR, XMM, XMM, false},
    {VMOVHPS_STORE, "vmovhps", MR, XMM, XMM, false},
    {VPBROADCASTD, "vpbroadcastd", RM, VECTOR, XMM, false},
    {VPBROADCASTQ, "vpbroadcastq", RM, VECTOR, XMM, false},
    {VPBROADCASTW, "vpbroadcastw", RM, VECTOR, XMM, false},
    {VBROADCASTI128, "vbroadcasti128", RM, VECTOR, XMM, false},
    {VPMOVSXBD, "vpmovsxbd", RM, VECTOR, XMM, false},
    {VPMOVZXBD, "vpmovzxbd", RM, VECTOR, XMM, false},
    {VPMOVSXWD, "vpmovsxwd", RM, VECTOR, XMM, false},
    {VPMOVZXWD, "vpmovzxwd", RM, VECTOR, XMM, false},
    {VPMOVSXDQ, "vpmovsxdq", RM, VECTOR, XMM, false},
    {VPMOVZXDQ, "vpmovzxdq", RM, VECTOR, XMM, false},
    {VSHUFPS_I, "vshufps", RVM, VECTOR, VECTOR, true},
    THREE(VPERMD, "vpermd"),
    THREE(VPUNPCKLDQ, "vpunpckldq"),
    THREE(VPUNPCKHDQ, "vpunpckhdq"),
    THREE(VPSHUFB, "vpshufb"),
    {VPERMQ_I, "vpermq", RM, VECTOR, VECTOR, true},
    THREE(VADDPS, "vaddps"),
    THREE(VSUBPS, "vsubps"),
    THREE(VADDPD, "vaddpd"),
    THREE(VSUBPD, "vsubpd"),
    THREE(VMULPD, "vmulpd"),
    THREE(VUNPCKLPD, "vunpcklpd"),
    THREE(VUNPCKHPD, "vunpckhpd"),
    THREE(VPACKSSDW, "vpackssdw"),
    {VPERMILPS_I, "vpermilps", RM, VECTOR, VECTOR, true},
    TWO(VMOVSLDUP, "vmovsldup"),
    TWO(VMOVSHDUP, "vmovshdup"),
    {VBLENDPS_I, "vblendps", RVM, VECTOR, VECTOR, true},
    {VPEXTRB_I, "vpextrb", MR, XMM, INT, true},
    {VPEXTRW_I, "vpextrw", MR, XMM, INT, true},
    {VPEXTRD_I, "vpextrd", MR, XMM, INT, true},
    {VPINSRD_I, "vpinsrd", RVM, XMM, INT, true},
    THREE(VMULPS, "vmulps"),
    THREE(VMINPS, "vminps"),
    THREE(VMAXPS, "vmaxps"),
    THREE(VFMADD231PS, "vfmadd231ps"),
    THREE(VFMADD213PS, "vfmadd213ps"),
    THREE(VFMSUB213PS, "vfmsub213ps"),
    THREE(VFNMADD213PS, "vfnmadd213ps"),
    THREE(VFNMADD231PS, "vfnmadd231ps"),
    TWO(VPTEST, "vptest"),
    TWO(VTESTPS, "vtestps"),
    {VCMPPS_I, "vcmpps", RVM, VECTOR, VECTOR, true},
    {VMOVMSKPS, "vmovmskps", RM, INT, VECTOR, false},
    {VPBLENDW_I, "vpblendw", RVM, VECTOR, VECTOR, true},
    {VROUNDPS_I, "vroundps", RM, VECTOR, VECTOR, true},
    THREE(VANDPS, "vandps"),
    THREE(VXORPS, "vxorps"),
    THREE(VPADDD, "vpaddd"),
    THREE(VPSUBD, "vpsubd"),
    THREE(VPMULLD, "vpmulld"),
    THREE(VPADDQ, "vpaddq"),
    THREE(VPMULDQ, "vpmuldq"),
    THREE(VPMULUDQ, "vpmuludq"),
    THREE(VPAND, "vpand"),
    THREE(VPANDN, "vpandn"),
    THREE(VPOR, "vpor"),
    THREE(VPXOR, "vpxor"),
    THREE(VPSLLVD, "vpsllvd"),
    THREE(VPSRLVD, "vpsrlvd"),
    THREE(VPSRAVD, "vpsravd"),
    TWO(VPABSD, "vpabsd"),
    THREE(VPMINSD, "vpminsd"),
    THREE(VPMAXSD, "vpmaxsd"),
    THREE(VPMINUD, "vpminud"),
    THREE(VPMAXUD, "vpmaxud"),
    THREE(VPCMPEQD, "vpcmpeqd"),
    THREE(VPCMPGTD, "vpcmpgtd"),
    TWO(VCVTDQ2PS, "vcvtdq2ps"),
    TWO(VCVTTPS2DQ, "vcvttps2dq"),
    {VCVTPS2PD, "vcvtps2pd", RM, VECTOR, XMM, false},
    {VCVTPD2PS, "vcvtpd2ps", RM, XMM, VECTOR, false},
    TWO(VSQRTPD, "vsqrtpd"),
    THREE(VDIVPD, "vdivpd"),
    TWO(VSQRTPS, "vsqrtps"),
    TWO(VRSQRTPS, "vrsqrtps"),
    THREE(VDIVPS, "vdivps"),
    {VEXTRACTF128_I, "vextractf128", MR, VECTOR, XMM, true},
    {VINSERTF128_I, "vinsertf128", RVM, VECTOR, XMM, true},
};

static bool
vector_form(struct reader *r, const struct form *f, unsigned v, bool is_long, char out[128])
{
   char reg[32], rm[32], first[40] = "", imm[8] = "";
   put_register(reg, (enum kind)f->reg, r->reg, is_long && f->reg != INT);
   put_rm(r, rm, (enum kind)f->rm, is_long && f->rm != INT);
   if (f->immediate)
      snprintf(imm, sizeof(imm), ",0x%x", byte(r));
   if (f->shape == RVM) {
      put_register(first, (enum kind)f->reg, v, is_long);
      strcat(first, ",");
   }
   const char *a = f->shape == MR ? rm : reg, *b = f->shape == MR ? reg : rm;
   snprintf(out, 128, "%s %s,%s%s%s", f->name, a, first, b, imm);
   return true;
}

/* Instructions whose operands are like no other's. */
static bool
odd_vector(struct reader *r, unsigned op, unsigned v, char out[128])
{
   char rm[32];
   put_rm(r, rm, VECTOR, true);
   if (op == VBLENDVPS || op == VPBLENDVB) {
      snprintf(out, 128, "%s ymm%u,ymm%u,%s,ymm%u", op == VBLENDVPS ? "vblendvps" : "vpblendvb",
               r->reg, v, rm, byte(r) >> 4);
      return true;
   }
   if (op == VSHIFTD_I) {
      const char *name = (r->reg & 7) == VPSLLD   ? "vpslld"
                         : (r->reg & 7) == VPSRLD ? "vpsrld"
                                                  : "vpsrad";
      snprintf(out, 128, "%s ymm%u,%s,0x%x", name, v, rm, byte(r));
      return true;
   }
   if (op == VEX(2, 1, 0x90)) {
      snprintf(out, 128, "vpgatherdd ymm%u,%s,ymm%u", r->reg, rm, v);
      return true;
   }
   return false;
}

static bool
vector(struct reader *r, char out[128])
{
   unsigned second = byte(r), third = byte(r), opcode = byte(r);
   unsigned op = VEX(second & 31, third & 3, opcode), v = ~(third >> 3) & 15;
   bool is_long = third & 4;
   r->vectors = true;
   r->reg_high = !(second & 0x80);
   r->index_high = !(second & 0x40);
   r->rm_high = !(second & 0x20);
   modrm(r);
   for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
      if (forms[i].op == op)
         return vector_form(r, &forms[i], v, is_long, out);
   return odd_vector(r, op, v, out);
}

/* ---- integers ------------------------------------------------------------------------------- */

static bool
two_operands(struct reader *r, unsigned opcode, char out[128])
{
   static const struct {
      uint16_t op;
      const char *name;
      bool to_rm;
   } ops[] = {
       {X86_ADD, "add", false},      {X86_OR, "or", false},         {X86_AND, "and", false},
       {X86_SUB, "sub", false},      {X86_XOR, "xor", false},       {X86_CMP, "cmp", false},
       {X86_TEST, "test", true},     {X86_TEST8, "test", true},     {X86_STORE, "mov", true},
       {X86_LOAD, "mov", false},     {X86_LEA, "lea", false},       {X86_OR_TO, "or", true},
       {X86_ADD_TO, "add", true},    {X86_SUB_TO, "sub", true},     {X86_BTS, "bts", true},
       {X86_MOVZX8, "movzx", false}, {X86_MOVZX16, "movzx", false}, {X86_MOVSX8, "movsx", false},
       {X86_MOVSX16, "movsx", false}};
   for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
      if (ops[i].op != opcode)
         continue;
      char reg[32], rm[32];
      bool bytes = opcode == X86_TEST8, narrow = opcode >= X86_MOVZX8;
      enum kind kind = r->word ? INT16 : bytes ? INT8 : INT;
      modrm(r);
      put_register(reg, kind, r->reg, r->wide);
      put_rm(r, rm, !narrow ? kind : opcode & 1 ? INT16 : INT8, r->wide);
      snprintf(out, 128, "%s %s,%s", ops[i].name, ops[i].to_rm ? rm : reg, ops[i].to_rm ? reg : rm);
      return true;
   }
   return false;
}

static void
with_immediate(struct reader *r, const char *name, bool is_small, char out[128])
{
   char rm[32];
   put_rm(r, rm, INT, r->wide);
   uint64_t v = is_small ? (uint64_t)(int8_t)byte(r) : (uint64_t)(int32_t)dword(r);
   snprintf(out, 128, "%s %s,0x%llx", name, rm, (unsigned long long)(r->wide ? v : (uint32_t)v));
}

static bool
one_operand(struct reader *r, unsigned opcode, char out[128])
{
   static const char *const arithmetic[8] = {"add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"};
   char rm[32];
   modrm(r);
   put_rm(r, rm, INT, r->wide || opcode == 0xff);
   unsigned extension = r->reg & 7;
   switch (opcode) {
   case 0x83:
   case 0x81:
      with_immediate(r, arithmetic[extension], opcode == 0x83, out);
      return true;
   case 0xf7:
      if (extension)
         snprintf(out, 128, "not %s", rm);
      else
         with_immediate(r, "test", false, out);
      return true;
   case 0xc7:
      with_immediate(r, "mov", false, out);
      return true;
   case 0xc1:
      snprintf(out, 128, "%s %s,0x%x", extension == 4 ? "shl" : "shr", rm, byte(r));
      return true;
   case 0x69:
      snprintf(out, 128, "imul %s,%s,0x%x", name32[r->reg], rm, dword(r));
      return true;
   default:
      snprintf(out, 128, "%s %s", extension == 2 ? "call" : "jmp", rm);
      return true;
   }
}

static bool
jump(struct reader *r, const char *name, char out[128])
{
   int32_t distance = (int32_t)dword(r);
   snprintf(out, 128, "%s 0x%zx", name, (size_t)((int64_t)r->at + distance));
   return true;
}

static bool
short_form(struct reader *r, unsigned opcode, char out[128])
{
   unsigned n = (opcode & 7) + 8 * r->rm_high;
   if (opcode >= 0x50 && opcode < 0x60) {
      snprintf(out, 128, "%s %s", opcode < 0x58 ? "push" : "pop", name64[n]);
   } else if (opcode >= 0xb8 && opcode < 0xc0) {
      uint64_t v = dword(r);
      if (r->wide)
         v |= (uint64_t)dword(r) << 32;
      snprintf(out, 128, "%s %s,0x%llx", r->wide ? "movabs" : "mov",
               r->wide ? name64[n] : name32[n], (unsigned long long)v);
   } else if (opcode == 0xc3) {
      strcpy(out, "ret");
   } else {
      return false;
   }
   return true;
}

static bool
integer(struct reader *r, unsigned opcode, char out[128])
{
   static const char *const conditions[16] = {[CC_B] = "jb",   [CC_AE] = "jae", [CC_E] = "je",
                                              [CC_NE] = "jne", [CC_A] = "ja",   [CC_S] = "js"};
   if (opcode == 0x0f) {
      opcode = 0x0f00 | byte(r);
      if ((opcode & 0xf0) == 0x80 && conditions[opcode & 15])
         return jump(r, conditions[opcode & 15], out);
      if (opcode == 0x0f18) {
         char rm[32];
         modrm(r);
         put_rm(r, rm, INT, true);
         snprintf(out, 128, "prefetcht0 %s", rm);
         return true;
      }
   }
   if (opcode == 0xe9)
      return jump(r, "jmp", out);
   if (two_operands(r, opcode, out) || short_form(r, opcode, out))
      return true;
   return (opcode == 0x83 || opcode == 0x81 || opcode == 0xf7 || opcode == 0xc7 || opcode == 0xc1 ||
           opcode == 0x69 || opcode == 0xff) &&
          one_operand(r, opcode, out);
}

size_t
x86_text(const uint8_t *code, size_t at, size_t size, x86_name_fn name, const void *data,
         char out[128])
{
   struct reader r = {
       .code = code, .at = at, .size = size, .name = name, .data = data, .index = -1};
   unsigned first = byte(&r);
   if (first == 0xf0)
      first = byte(&r); /* lock */
   if (first == 0x66) {
      r.word = true;
      first = byte(&r);
   }
   if (first >= 0x40 && first < 0x50) {
      r.wide = first & 8;
      r.reg_high = first & 4;
      r.index_high = first & 2;
      r.rm_high = first & 1;
      first = byte(&r);
   }
   bool known = true;
   if (first == 0xc4)
      known = vector(&r, out);
   else if (first == 0xc5) {
      strcpy(out, "vzeroupper");
      r.at += 2;
   } else {
      known = integer(&r, first, out);
   }
   return known && r.at <= size ? r.at - at : 0;
}
