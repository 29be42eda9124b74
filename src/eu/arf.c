/* Architecture registers. */
#include "eu/arf.h"

#include <string.h>

#define CR0_BY_SOFTWARE                                                                            \
   (CR0_ALT | CR0_ACC_DISABLE | CR0_SPF | CR0_VECTOR_MASK | CR0_ROUNDING | CR0_DF_DENORMALS |      \
    CR0_BREAKPOINT_SUPPRESS)
#define CR1_FIELDS                                                                                 \
   (STATUS_BREAKPOINT | STATUS_HALT | STATUS_SOFTWARE | STATUS_ILLEGAL | STATUS_STACK |            \
    STATUS_FORCED | ENABLE_BREAKPOINT | ENABLE_SOFTWARE | ENABLE_ILLEGAL | ENABLE_STACK)

static void
read_sr0(const struct eu_thread *t, uint32_t *w)
{
   /* EU-027 */
   w[0] = t->sr0[0] | hw_put(t->ffid, GEN7_STATE_REGISTER__FFID) |
          hw_put(t->half_slice, GEN7_STATE_REGISTER__HALF_SLICE_ID) |
          hw_put(t->eu, GEN7_STATE_REGISTER__EUID) | hw_put(t->slot, GEN7_STATE_REGISTER__TID);
   w[1] = t->sr0[1] | hw_put(t->fftid, GEN7_STATE_REGISTER__FFTID);
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
      t->cr0[0] = (w[0] & CR0_BY_SOFTWARE) | master;
      t->cr0[1] = w[1] & CR1_FIELDS;
      t->cr0[2] = w[2] & GEN7_CONTROL_REGISTER__APPLICATION_IP;
      break;
   }
   case EU_ARF_IP: /* EU-034 */
      t->ip = w[0] & ~7u;
      break;
   case EU_ARF_TDR:
      for (unsigned i = 0; i < 8; i++) /* EU-035: any write of a word ends the dependency */
         if (written >> (i * 2) & 3)
            t->tdr[i] &= ~GEN7_THREAD_DEPENDENCY__VALID;
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
