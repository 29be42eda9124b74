/* Architecture registers. */
#include "eu/arf.h"

#include <string.h>

static void
read_sr0(const struct eu_thread *t, uint32_t *w)
{
   /* EU-027 */
   w[0] = t->sr0[0] | (uint32_t)(t->ffid & 15) << 24 | (uint32_t)(t->half_slice & 1) << 12 |
          (uint32_t)(t->eu & 15) << 8 | (t->slot & 7);
   w[1] = t->sr0[1] | (uint32_t)t->fftid << 24;
   w[2] = t->dispatch_mask;
   w[3] = t->vector_mask;
}

void
eu_arf_read(struct eu_thread *t, const struct eu_detail *d, unsigned reg,
            uint8_t image[ARF_IMAGE_SIZE])
{
   uint32_t w[8] = {0};
   switch (reg & 0xf0) {
   case EU_ARF_A:
      memcpy(w, t->a0, 16);
      break;
   case EU_ARF_FLAG: /* EU-024 */
      w[0] = t->flag[reg & 1];
      break;
   case EU_ARF_CE: /* EU-026 */
      w[0] = d->no_mask ? UINT32_MAX : ~t->waiting;
      break;
   case EU_ARF_SR:
      read_sr0(t, w);
      break;
   case EU_ARF_CR:
      memcpy(w, t->cr0, 12);
      break;
   case EU_ARF_N:
      memcpy(w, t->n0, 12);
      break;
   case EU_ARF_IP:
      w[0] = t->ip;
      break;
   case EU_ARF_TDR: {
      for (unsigned i = 0; i < 8; i++)
         w[i / 2] |= (t->tdr[i] & 0xffff) << (i % 2 * 16);
      break;
   }
   case EU_ARF_TM:
      /* EU-036: model time: a tick an instruction, so that it is the same on every run. A later
       * dispatch starts where all instructions of those before it have ended. */
      w[0] = (uint32_t)(t->env->clock + t->instructions);
      w[1] = (uint32_t)((t->env->clock + t->instructions) >> 32);
      w[2] = t->tm0[2] & 1;
      t->tm0[2] = 0;
      break;
   case EU_ARF_SP:
      w[0] = t->sp_reg[0];
      break;
   case EU_ARF_FC:
      memcpy(w, t->sp_reg + 1, 16);
      break;
   case EU_ARF_DBG:
      w[0] = t->sp_reg[5];
      break;
   }
   memcpy(image, w, ARF_IMAGE_SIZE);
}

void
eu_arf_write(struct eu_thread *t, unsigned reg, const uint8_t image[ARF_IMAGE_SIZE],
             uint32_t written)
{
   uint32_t w[8];
   memcpy(w, image, ARF_IMAGE_SIZE);
   if (!written)
      return;
   /* EU-007: registers that are not listed take no write. */
   switch (reg & 0xf0) {
   case EU_ARF_A:
      memcpy(t->a0, w, 16);
      for (unsigned i = 2; i < 8; i++)
         t->a0[i] &= 0xfff; /* EU-023: only the first two hold 16 bits */
      break;
   case EU_ARF_FLAG:
      t->flag[reg & 1] = w[0];
      break;
   case EU_ARF_CR: {
      /* EU-029, EU-031, EU-032: the fields that exist. The master exception bit can only be cleared
       * by software. */
      uint32_t master = t->cr0[0] & w[0] & CR0_MASTER;
      t->cr0[0] = (w[0] & 0x807f & ~CR0_MASTER) | master;
      t->cr0[1] = w[1] & 0xfc00b800u;
      t->cr0[2] = w[2] & ~7u;
      break;
   }
   case EU_ARF_IP: /* EU-034 */
      t->ip = w[0] & ~7u;
      break;
   case EU_ARF_TDR:
      for (unsigned i = 0; i < 8; i++) /* EU-035: any write of a word ends the dependency */
         if (written >> (i * 2) & 3)
            t->tdr[i] &= ~0x8000u;
      break;
   case EU_ARF_SP:
      t->sp_reg[0] = w[0];
      break;
   case EU_ARF_FC:
      memcpy(t->sp_reg + 1, w, 16);
      break;
   case EU_ARF_DBG:
      t->sp_reg[5] = w[0];
      break;
   }
}
