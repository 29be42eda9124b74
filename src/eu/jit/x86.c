/* Encoding of the few x86-64 instructions that generated code is made of. */
#include "eu/jit/x86.h"

#include <string.h>

void
x86_byte(struct x86 *a, unsigned byte)
{
   if (a->size < a->room)
      a->code[a->size] = (uint8_t)byte;
   a->size++;
}

void
x86_dword(struct x86 *a, uint32_t value)
{
   for (unsigned i = 0; i < 4; i++)
      x86_byte(a, value >> (8 * i) & 0xff);
}

void
x86_patch(struct x86 *a, size_t end, size_t target)
{
   uint32_t distance = (uint32_t)(target - end);
   for (unsigned i = 0; i < 4; i++)
      if (end - 4 + i < a->room)
         a->code[end - 4 + i] = (uint8_t)(distance >> (8 * i));
}

/* ---- stores that nobody loads --------------------------------------------------------------- */

#define VECTOR_B 32

void
x86_watch_begin(struct x86_watch *w, bool leaves_out)
{
   w->leaves_out = leaves_out;
   w->stores = 0;
   memset(w->owner, 0, sizeof(w->owner));
}

static bool
is_watched(const struct x86_watch *w, struct x86_rm rm)
{
   return w && rm.memory && rm.reg == w->base && rm.disp > w->first - VECTOR_B &&
          rm.disp < w->first + (int32_t)X86_WATCH_B;
}

static void
watch_load(struct x86_watch *w, struct x86_rm rm)
{
   for (int32_t i = rm.disp - w->first; i < rm.disp - w->first + VECTOR_B; i++)
      if (i >= 0 && i < (int32_t)X86_WATCH_B && w->owner[i])
         w->loaded[w->owner[i] - 1] = true;
}

/* Is it emitted at all? */
static bool
watch_store(struct x86_watch *w, struct x86_rm rm)
{
   if (w->stores == X86_WATCH_STORES) { /* no more are told apart */
      watch_load(w, rm);
      return true;
   }
   unsigned n = w->stores++;
   if (w->leaves_out && !w->loaded[n])
      return false;
   for (int32_t i = rm.disp - w->first; i < rm.disp - w->first + VECTOR_B; i++)
      if (i >= 0 && i < (int32_t)X86_WATCH_B)
         w->owner[i] = (uint16_t)(n + 1);
   return true;
}

/* ---- encoding ------------------------------------------------------------------------------- */

/* ModRM and displacement. rbp and r13 as a base have no form without one, so there always is one;
 * rsp and r12 take a SIB byte, as their ModRM code says that one follows. */
static void
modrm(struct x86 *a, unsigned reg, struct x86_rm rm)
{
   unsigned low = (reg & 7) << 3 | (rm.reg & 7);
   if (!rm.memory) {
      x86_byte(a, 0xc0 | low);
      return;
   }
   if (is_watched(a->watch, rm))
      watch_load(a->watch, rm);
   bool near = rm.disp >= -128 && rm.disp < 128;
   x86_byte(a, (near ? 0x40 : 0x80) | low);
   if ((rm.reg & 7) == RSP)
      x86_byte(a, 0x24); /* no index */
   if (near)
      x86_byte(a, (uint32_t)rm.disp & 0xff);
   else
      x86_dword(a, (uint32_t)rm.disp);
}

static void
rex(struct x86 *a, bool wide, unsigned reg, unsigned rm)
{
   unsigned v = 0x40 | (unsigned)wide << 3 | (reg >> 3 & 1) << 2 | (rm >> 3 & 1);
   if (v != 0x40)
      x86_byte(a, v);
}

void
x86_op(struct x86 *a, enum x86_op op, bool wide, unsigned reg, struct x86_rm rm)
{
   rex(a, wide, reg, rm.reg);
   if (op > 0xff)
      x86_byte(a, 0x0f);
   x86_byte(a, op & 0xff);
   modrm(a, reg, rm);
}

void
x86_store16(struct x86 *a, unsigned reg, struct x86_rm rm)
{
   x86_byte(a, 0x66);
   x86_op(a, X86_STORE, false, reg, rm);
}

static void
indexed(struct x86 *a, enum x86_op op, unsigned reg, unsigned base, unsigned index)
{
   x86_byte(a, 0x48 | (reg >> 3 & 1) << 2 | (index >> 3 & 1) << 1 | (base >> 3 & 1));
   x86_byte(a, op);
   x86_byte(a, 0x44 | (reg & 7) << 3); /* a byte of distance: every base has this form */
   x86_byte(a, 3 << 6 | (index & 7) << 3 | (base & 7));
   x86_byte(a, 0);
}

void
x86_load_indexed(struct x86 *a, unsigned reg, unsigned base, unsigned index)
{
   indexed(a, X86_LOAD, reg, base, index);
}

void
x86_lea_indexed(struct x86 *a, unsigned reg, unsigned base, unsigned index)
{
   indexed(a, X86_LEA, reg, base, index);
}

void
x86_imm(struct x86 *a, enum x86_imm_op op, bool wide, struct x86_rm rm, int32_t value)
{
   bool small = value >= -128 && value < 128;
   rex(a, wide, 0, rm.reg);
   x86_byte(a, small ? 0x83 : 0x81);
   modrm(a, op, rm);
   if (small)
      x86_byte(a, (uint32_t)value & 0xff);
   else
      x86_dword(a, (uint32_t)value);
}

void
x86_test_imm(struct x86 *a, struct x86_rm rm, uint32_t value)
{
   rex(a, false, 0, rm.reg);
   x86_byte(a, 0xf7);
   modrm(a, 0, rm);
   x86_dword(a, value);
}

void
x86_mov_imm(struct x86 *a, unsigned reg, uint64_t value)
{
   bool wide = value > UINT32_MAX;
   rex(a, wide, 0, reg);
   x86_byte(a, 0xb8 | (reg & 7));
   x86_dword(a, (uint32_t)value);
   if (wide)
      x86_dword(a, (uint32_t)(value >> 32));
}

size_t
x86_mov_imm64(struct x86 *a, unsigned reg)
{
   x86_mov_imm(a, reg, UINT64_MAX);
   return a->size;
}

void
x86_patch64(struct x86 *a, size_t end, uint64_t value)
{
   for (unsigned i = 0; i < 8; i++)
      if (end - 8 + i < a->room)
         a->code[end - 8 + i] = (uint8_t)(value >> (8 * i));
}

void
x86_store_imm(struct x86 *a, struct x86_rm rm, uint32_t value)
{
   rex(a, false, 0, rm.reg);
   x86_byte(a, 0xc7);
   modrm(a, 0, rm);
   x86_dword(a, value);
}

void
x86_shift(struct x86 *a, bool left, unsigned reg, unsigned count)
{
   if (!count)
      return;
   rex(a, false, 0, reg);
   x86_byte(a, 0xc1);
   modrm(a, left ? 4 : 5, x86_reg(reg));
   x86_byte(a, count);
}

void
x86_multiply(struct x86 *a, unsigned reg, uint32_t value)
{
   rex(a, false, reg, reg);
   x86_byte(a, 0x69);
   modrm(a, reg, x86_reg(reg));
   x86_dword(a, value);
}

void
x86_not(struct x86 *a, bool wide, unsigned reg)
{
   rex(a, wide, 0, reg);
   x86_byte(a, 0xf7);
   modrm(a, 2, x86_reg(reg));
}

void
x86_prefetch(struct x86 *a, struct x86_rm rm)
{
   rex(a, false, 0, rm.reg);
   x86_byte(a, 0x0f);
   x86_byte(a, 0x18);
   modrm(a, 1, rm);
}

void
x86_push(struct x86 *a, unsigned reg)
{
   rex(a, false, 0, reg);
   x86_byte(a, 0x50 | (reg & 7));
}

void
x86_pop(struct x86 *a, unsigned reg)
{
   rex(a, false, 0, reg);
   x86_byte(a, 0x58 | (reg & 7));
}

void
x86_ret(struct x86 *a)
{
   x86_byte(a, 0xc3);
}

void
x86_call(struct x86 *a, unsigned reg)
{
   rex(a, false, 0, reg);
   x86_byte(a, 0xff);
   modrm(a, 2, x86_reg(reg));
}

void
x86_jump_reg(struct x86 *a, unsigned reg)
{
   rex(a, false, 0, reg);
   x86_byte(a, 0xff);
   modrm(a, 4, x86_reg(reg));
}

size_t
x86_jump(struct x86 *a)
{
   x86_byte(a, 0xe9);
   x86_dword(a, 0);
   return a->size;
}

size_t
x86_jump_if(struct x86 *a, enum x86_cond cond)
{
   x86_byte(a, 0x0f);
   x86_byte(a, 0x80 | cond);
   x86_dword(a, 0);
   return a->size;
}

static void
encode(struct x86 *a, enum vex_op op, unsigned length, unsigned reg, unsigned v, struct x86_rm rm)
{
   unsigned map = op >> 12, prefix = op >> 8 & 15;
   x86_byte(a, 0xc4);
   x86_byte(a, (~reg >> 3 & 1) << 7 | 1 << 6 | (~(unsigned)rm.reg >> 3 & 1) << 5 | map);
   unsigned w = op == VPERMQ_I;
   x86_byte(a, w << 7 | (~v & 15) << 3 | length << 2 | prefix);
   x86_byte(a, op & 0xff);
   modrm(a, reg, rm);
}

void
vex(struct x86 *a, enum vex_op op, unsigned reg, unsigned v, struct x86_rm rm)
{
   struct x86_watch *w = a->watch;
   if (op == VMOVDQU_STORE && is_watched(w, rm)) {
      if (!watch_store(w, rm))
         return;
      a->watch = NULL; /* it is no load */
   }
   encode(a, op, 1, reg, v, rm);
   a->watch = w;
}

void
vex_imm(struct x86 *a, enum vex_op op, unsigned reg, unsigned v, struct x86_rm rm, unsigned imm)
{
   encode(a, op, 1, reg, v, rm);
   x86_byte(a, imm);
}

void
vex128(struct x86 *a, enum vex_op op, unsigned reg, unsigned v, struct x86_rm rm)
{
   encode(a, op, 0, reg, v, rm);
}

void
vex128_imm(struct x86 *a, enum vex_op op, unsigned reg, unsigned v, struct x86_rm rm, unsigned imm)
{
   encode(a, op, 0, reg, v, rm);
   x86_byte(a, imm);
}

void
vex_blend_bytes(struct x86 *a, unsigned d, unsigned v, struct x86_rm rm, unsigned mask)
{
   encode(a, VPBLENDVB, 1, d, v, rm);
   x86_byte(a, mask << 4);
}

void
vex_blend(struct x86 *a, unsigned d, unsigned v, struct x86_rm rm, unsigned mask)
{
   encode(a, VBLENDVPS, 1, d, v, rm);
   x86_byte(a, mask << 4);
}

void
vex_gather(struct x86 *a, unsigned d, unsigned base, unsigned index, unsigned mask)
{
   x86_byte(a, 0xc4);
   x86_byte(a, (~d >> 3 & 1) << 7 | (~index >> 3 & 1) << 6 | (~base >> 3 & 1) << 5 | 2);
   x86_byte(a, (~mask & 15) << 3 | 1 << 2 | 1);
   x86_byte(a, 0x90);
   x86_byte(a, 0x44 | (d & 7) << 3); /* a byte of distance: every base has this form */
   x86_byte(a, (index & 7) << 3 | (base & 7));
   x86_byte(a, 0);
}

void
vex_shift(struct x86 *a, enum vex_shift op, unsigned d, unsigned s, unsigned count)
{
   encode(a, VSHIFTD_I, 1, op, d, x86_reg(s));
   x86_byte(a, count);
}

void
x86_vzeroupper(struct x86 *a)
{
   x86_byte(a, 0xc5);
   x86_byte(a, 0xf8);
   x86_byte(a, 0x77);
}
