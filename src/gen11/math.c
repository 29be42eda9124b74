/* MI_MATH and MI_ATOMIC. */
#include "gen11/mi.h"

/* The ALU: two sources, an accumulator, zero and carry. */
struct alu {
   uint64_t a, b, accu;
   bool zero, carry;
};

enum {
   ALU_NOOP = 0x000,
   ALU_LOAD = 0x080,
   ALU_LOAD0 = 0x081,
   ALU_ADD = 0x100,
   ALU_SUB = 0x101,
   ALU_AND = 0x102,
   ALU_OR = 0x103,
   ALU_XOR = 0x104,
   ALU_STORE = 0x180,
   ALU_LOADINV = 0x480,
   ALU_LOAD1 = 0x481,
   ALU_STOREINV = 0x580
};

enum {
   OPERAND_SRCA = 0x20,
   OPERAND_SRCB = 0x21,
   OPERAND_ACCU = 0x31,
   OPERAND_ZF = 0x32,
   OPERAND_CF = 0x33
};

static uint64_t
get(const struct engine *e, const struct alu *m, unsigned operand)
{
   if (operand < 16)
      return engine_get(e, ENGINE_CS_GPR_0 + 8 * operand) |
             (uint64_t)engine_get(e, ENGINE_CS_GPR_0 + 8 * operand + 4) << 32;
   switch (operand) {
   case OPERAND_SRCA:
      return m->a;
   case OPERAND_SRCB:
      return m->b;
   case OPERAND_ACCU:
      return m->accu;
   case OPERAND_ZF:
      return m->zero ? ~0ull : 0;
   case OPERAND_CF:
      return m->carry ? ~0ull : 0;
   default:
      return 0;
   }
}

static void
put(struct engine *e, struct alu *m, unsigned operand, uint64_t value)
{
   if (operand < 16) {
      engine_set(e, ENGINE_CS_GPR_0 + 8 * operand, (uint32_t)value);
      engine_set(e, ENGINE_CS_GPR_0 + 8 * operand + 4, (uint32_t)(value >> 32));
   } else if (operand == OPERAND_SRCA) {
      m->a = value;
   } else if (operand == OPERAND_SRCB) {
      m->b = value;
   }
}

static void
calculate(struct alu *m, unsigned opcode)
{
   uint64_t r = 0;
   switch (opcode) {
   case ALU_ADD:
      r = m->a + m->b;
      m->carry = r < m->a;
      break;
   case ALU_SUB:
      r = m->a - m->b;
      m->carry = m->a < m->b;
      break;
   case ALU_AND:
      r = m->a & m->b;
      break;
   case ALU_OR:
      r = m->a | m->b;
      break;
   case ALU_XOR:
      r = m->a ^ m->b;
      break;
   default:
      return;
   }
   m->accu = r;
   m->zero = !r;
}

void
mi_math(struct engine *e, const struct mi_command *c)
{
   struct alu m = {0};
   for (uint32_t i = 1; i < c->length; i++) {
      unsigned opcode = c->dw[i] >> 20, one = c->dw[i] >> 10 & 0x3ff, two = c->dw[i] & 0x3ff;
      switch (opcode) {
      case ALU_NOOP:
         break;
      case ALU_LOAD:
         put(e, &m, one, get(e, &m, two));
         break;
      case ALU_LOADINV:
         put(e, &m, one, ~get(e, &m, two));
         break;
      case ALU_LOAD0:
         put(e, &m, one, 0);
         break;
      case ALU_LOAD1:
         put(e, &m, one, ~0ull);
         break;
      case ALU_STORE:
         put(e, &m, one, get(e, &m, two));
         break;
      case ALU_STOREINV:
         put(e, &m, one, ~get(e, &m, two));
         break;
      case ALU_ADD ... ALU_XOR:
         calculate(&m, opcode);
         break;
      default:
         gen11_report(e, "GEN11-26", c->name, i, "there is no such ALU instruction; skipped");
         break;
      }
   }
}

/* Operations on 32 and 64 bits; what was in memory goes to GPR 0 (and 1) if it is asked for. */
static bool
change(unsigned operation, uint64_t old, uint64_t a, uint64_t b, uint64_t *now)
{
   switch (operation) {
   case 0x04: /* move */
      *now = a;
      return true;
   case 0x05: /* increment */
      *now = old + 1;
      return true;
   case 0x06: /* decrement */
      *now = old - 1;
      return true;
   case 0x07:
      *now = old + a;
      return true;
   case 0x08:
      *now = old - a;
      return true;
   case 0x09:
      *now = a - old;
      return true;
   case 0x0c:
      *now = a < old ? a : old;
      return true;
   case 0x0d:
      *now = a > old ? a : old;
      return true;
   case 0x0e: /* compare and write */
      *now = old == a ? b : old;
      return true;
   case 0x01:
      *now = old & a;
      return true;
   case 0x02:
      *now = old | a;
      return true;
   case 0x03:
      *now = old ^ a;
      return true;
   default:
      return false;
   }
}

void
mi_atomic(struct engine *e, const struct mi_command *c)
{
   unsigned opcode = c->dw[0] >> 8 & 0xff, size = c->dw[0] >> 19 & 3;
   bool ppgtt, inline_data = c->dw[0] >> 18 & 1 && c->length >= 11, wide = size == 1;
   uint64_t address = mi_address(&c->dw[1]), old = 0, a, b, now;
   if (!mi_space(e, c, c->dw[0] >> 22 & 1, &ppgtt))
      return;
   struct alu none = {0};
   a = inline_data ? c->dw[3] | (uint64_t)c->dw[5] << 32 : get(e, &none, 1);
   b = inline_data ? c->dw[4] | (uint64_t)c->dw[6] << 32 : get(e, &none, 2);
   if (!wide) {
      a &= 0xffffffff;
      b &= 0xffffffff;
   }
   if (size > 1 || (opcode & 0xf0) != (wide ? 0x20u : 0u) ||
       !gen11_mem_read(e, ppgtt, address, &old, wide ? 8 : 4) ||
       !change(opcode & 0xf, old, a, b, &now)) {
      gen11_report(e, "GEN11-27", c->name, address, "this operation is not modelled; skipped");
      return;
   }
   gen11_mem_write(e, ppgtt, address, &now, wide ? 8 : 4);
   if (c->dw[0] >> 16 & 1)
      put(e, &none, 0, old);
}
