/* MI_MATH and MI_ATOMIC. */
#include "gen11/mi.h"

/* The ALU: two sources, an accumulator, zero and carry. */
struct alu {
   uint64_t a, b, accu;
   bool zero, carry;
};

#define GPR(n) (ENGINE_CS_GPR_0 + (ENGINE_CS_GPR_1 - ENGINE_CS_GPR_0) * (n))
#define OPCODE(name) GEN11_MI_MATH_ALU_INSTRUCTION_ALU_OPCODE_##name

static uint64_t
get(const struct engine *e, const struct alu *m, unsigned operand)
{
   if (operand <= GEN11_ALU_OPERAND_R15)
      return engine_get(e, GPR(operand)) | (uint64_t)engine_get(e, GPR(operand) + 4) << 32;
   switch (operand) {
   case GEN11_ALU_OPERAND_SRCA:
      return m->a;
   case GEN11_ALU_OPERAND_SRCB:
      return m->b;
   case GEN11_ALU_OPERAND_ACCU:
      return m->accu;
   case GEN11_ALU_OPERAND_ZF:
      return m->zero ? ~0ull : 0;
   case GEN11_ALU_OPERAND_CF:
      return m->carry ? ~0ull : 0;
   default:
      return 0;
   }
}

static void
put(struct engine *e, struct alu *m, unsigned operand, uint64_t value)
{
   if (operand <= GEN11_ALU_OPERAND_R15) {
      engine_set(e, GPR(operand), (uint32_t)value);
      engine_set(e, GPR(operand) + 4, (uint32_t)(value >> 32));
   } else if (operand == GEN11_ALU_OPERAND_SRCA) {
      m->a = value;
   } else if (operand == GEN11_ALU_OPERAND_SRCB) {
      m->b = value;
   }
}

static void
calculate(struct alu *m, unsigned opcode)
{
   uint64_t r = 0;
   switch (opcode) {
   case OPCODE(ADD):
      r = m->a + m->b;
      m->carry = r < m->a;
      break;
   case OPCODE(SUB):
      r = m->a - m->b;
      m->carry = m->a < m->b;
      break;
   case OPCODE(AND):
      r = m->a & m->b;
      break;
   case OPCODE(OR):
      r = m->a | m->b;
      break;
   case OPCODE(XOR):
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
      struct gen11_mi_math_alu_instruction v;
      gen11_mi_math_alu_instruction_unpack(&v, &c->dw[i]);
      unsigned one = v.operand_1, two = v.operand_2;
      switch (v.alu_opcode) {
      case OPCODE(NOOP):
         break;
      case OPCODE(LOAD):
         put(e, &m, one, get(e, &m, two));
         break;
      case OPCODE(LOADINV):
         put(e, &m, one, ~get(e, &m, two));
         break;
      case OPCODE(LOAD0):
         put(e, &m, one, 0);
         break;
      case OPCODE(LOAD1):
         put(e, &m, one, ~0ull);
         break;
      case OPCODE(STORE):
         put(e, &m, one, get(e, &m, two));
         break;
      case OPCODE(STOREINV):
         put(e, &m, one, ~get(e, &m, two));
         break;
      case OPCODE(ADD)... OPCODE(XOR):
         calculate(&m, v.alu_opcode);
         break;
      default:
         gen11_report(e, "GEN11-26", c->name, i, "there is no such ALU instruction; skipped");
         break;
      }
   }
}

#define OPERATION(name) GEN11_MI_ATOMIC_ATOMIC_OPERATION_##name

static bool
change(unsigned operation, uint64_t old, uint64_t a, uint64_t b, uint64_t *now)
{
   switch (operation) {
   case OPERATION(AND):
      *now = old & a;
      return true;
   case OPERATION(OR):
      *now = old | a;
      return true;
   case OPERATION(XOR):
      *now = old ^ a;
      return true;
   case OPERATION(MOVE):
      *now = a;
      return true;
   case OPERATION(INCREMENT):
      *now = old + 1;
      return true;
   case OPERATION(DECREMENT):
   case OPERATION(PREDECREMENT):
      *now = old - 1;
      return true;
   case OPERATION(ADD):
      *now = old + a;
      return true;
   case OPERATION(SUBTRACT):
      *now = old - a;
      return true;
   case OPERATION(REVERSE_SUBTRACT):
      *now = a - old;
      return true;
   case OPERATION(IMAX):
      *now = (int64_t)a > (int64_t)old ? a : old;
      return true;
   case OPERATION(IMIN):
      *now = (int64_t)a < (int64_t)old ? a : old;
      return true;
   case OPERATION(UMAX):
      *now = a > old ? a : old;
      return true;
   case OPERATION(UMIN):
      *now = a < old ? a : old;
      return true;
   case OPERATION(COMPARE_WRITE):
      *now = old == a ? b : old;
      return true;
   default:
      return false;
   }
}

/* What the operation works on: 32 bits keep their sign, so that comparisons of both kinds hold. */
static uint64_t
operand(uint64_t value, bool qword)
{
   return qword ? value : (uint64_t)(int64_t)(int32_t)value;
}

/* What was in memory goes to GPR 0 if it is asked for; of a predecrement what is there now. */
void
mi_atomic(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_atomic v;
   struct alu none = {0};
   bool ppgtt;
   uint64_t old = 0, now;
   gen11_mi_atomic_unpack(&v, c->dw);
   if (!mi_space(e, c, v.use_global_gtt, &ppgtt))
      return;
   bool inline_data = v.inline_data && c->length >= 11,
        qword = v.data_size == GEN11_MI_ATOMIC_DATA_SIZE_QWORD;
   uint64_t a = inline_data ? c->dw[3] | (uint64_t)c->dw[5] << 32 : get(e, &none, 1);
   uint64_t b = inline_data ? c->dw[4] | (uint64_t)c->dw[6] << 32 : get(e, &none, 2);
   if (v.data_size > GEN11_MI_ATOMIC_DATA_SIZE_QWORD ||
       v.wide_operation !=
           (qword ? GEN11_MI_ATOMIC_WIDE_OPERATION_QWORD : GEN11_MI_ATOMIC_WIDE_OPERATION_DWORD) ||
       !gen11_mem_read(e, ppgtt, v.memory_address, &old, qword ? 8 : 4) ||
       !change(v.atomic_operation, operand(old, qword), operand(a, qword), operand(b, qword),
               &now)) {
      gen11_report(e, "GEN11-27", c->name, v.memory_address,
                   "this operation is not modelled; skipped");
      return;
   }
   gen11_mem_write(e, ppgtt, v.memory_address, &now, qword ? 8 : 4);
   uint64_t told = v.atomic_operation == OPERATION(PREDECREMENT) ? now : old;
   if (v.return_data_control)
      put(e, &none, 0, qword ? told : (uint32_t)told);
}
