/* Kernels whose threads do the same whatever they are given of their own: no branches, one message,
 * which ends them, and every dword that they read is written before, or is in registers that they
 * say. */
#include "eu/op.h"
#include "hw/message.h"

#include <string.h>

#define DWORDS (EU_GRF_COUNT * 8u)

struct dwords {
   uint64_t bits[DWORDS / 64];
};

static void
set(struct dwords *d, unsigned at_B, unsigned size_B)
{
   for (unsigned i = at_B / 4; i <= (at_B + size_B - 1) / 4 && i < DWORDS; i++)
      d->bits[i / 64] |= UINT64_C(1) << i % 64;
}

/* Registers with a dword that has not been written before it is read. */
static void
need(struct eu_kernel *k, const struct dwords *written, unsigned at_B, unsigned size_B)
{
   for (unsigned i = at_B / 4; i <= (at_B + size_B - 1) / 4 && i < DWORDS; i++)
      if (!(written->bits[i / 64] >> i % 64 & 1))
         k->uniform_needs[i / 512] |= UINT64_C(1) << i / 8 % 64;
}

static bool
read_operand(struct eu_kernel *k, const struct eu_detail *d, const struct op_operand *o,
             const struct dwords *written)
{
   if (o->kind == OPERAND_NULL || o->kind == OPERAND_IMM)
      return true;
   if (o->kind != OPERAND_GRF)
      return false;
   if (d->opcode == EU_OP_PLN || d->opcode == EU_OP_LINE) { /* read more than their regions say */
      need(k, written, o->reg * 32u, 4 * 32);
      return true;
   }
   for (unsigned c = 0; c < d->exec_size; c++)
      if (o->offset[c] != OFFSET_NONE)
         need(k, written, o->offset[c], d->paired ? 8 : type_size[o->type]);
   return true;
}

/* What is written with all channels active, whole dwords. */
static void
write_operand(const struct eu_detail *d, struct dwords *written)
{
   const struct op_operand *o = &d->dst;
   if (o->kind != OPERAND_GRF || (d->predicate && d->opcode != EU_OP_SEL) || !d->alu || d->paired ||
       type_size[o->type] != 4)
      return;
   for (unsigned c = 0; c < d->exec_size; c++)
      if (o->offset[c] != OFFSET_NONE && d->chan_en >> c & 1)
         set(written, o->offset[c], 4);
}

static bool
send(struct eu_kernel *k, const struct eu_detail *d, const struct dwords *written)
{
   unsigned length = hw_message_length(d->inst.desc),
            size_B = d->quick.payload_B ? d->quick.payload_B : 32 * length;
   if (!d->inst.eot || !d->quick.ends_pixels || d->predicate || !length)
      return false;
   need(k, written, d->src[0].reg * 32u, size_B);
   return true;
}

void
eu_kernel_find_uniform(struct eu_kernel *k)
{
   struct dwords written = {{0}};
   memset(k->uniform_needs, 0, sizeof(k->uniform_needs));
   k->uniform = false;
   if (!k->simple)
      return;
   for (uint32_t i = 0; i + 1 < k->op_count; i++) {
      const struct eu_op *op = &k->ops[i];
      const struct eu_detail *d = op->d;
      if (op->fn == eu_exec_join || eu_flow_select(d->opcode))
         return;
      if (d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC) {
         k->uniform = send(k, d, &written) && i + 2 == k->op_count;
         return;
      }
      for (unsigned n = 0; n < 3; n++)
         if (!read_operand(k, d, &d->src[n], &written))
            return;
      write_operand(d, &written);
   }
}
