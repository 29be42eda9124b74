/* Interrupt aggregation: messages of units become bits that software finds and clears. Private to
 * src/gen11. */
#ifndef PERGOLA_GEN11_INTERRUPT_H
#define PERGOLA_GEN11_INTERRUPT_H

#include "machine/device.h"

/* SYS-022: of machine 0; fields that are not named are sent as 0 and ignored. */
static inline uint32_t
interrupt_message(unsigned class, unsigned instance, uint16_t data)
{
   uint32_t message;
   gen11_interrupt_message_pack(&message, &(struct gen11_interrupt_message){
                                              .class = class, .instance = instance, .data = data});
   return message;
}

/* SYS-021: what a command streamer tells. */
#define STREAMER_EVENT(name) GEN11_STREAMER_EVENTS__##name

#define INTR_UNITS 22u   /* that the encoding has a place for on Ice Lake */
#define INTR_VMS 8u      /* SYS-024: 0 is the physical function */
#define INTR_ENABLES 12u /* 16-bit halves of the six Enable registers, the high one first */
#define INTR_MASKS 24u   /* the same of the twelve Mask registers */
#define INTR_DATA_VALID REG_ICL_IDENTITY_0__DATA_VALID

/* One machine's copy of the storage. */
struct intr_storage {
   uint16_t collapsing[INTR_UNITS]; /* INST_CR */
   uint32_t dw_iir[2], dw_cr[2];
   uint32_t served[2]; /* bits of dw_iir whose unit was selected since they rose */
   bool locked[2];     /* a read has taken a snapshot */
   uint32_t selector[2], shared[2];
   bool master_enable;
   uint32_t other_sources; /* of the master register: display, PCU, GU misc */
   bool line;
};

/* One interface: the host's, or the scheduler's. SYS-001, SYS-027 */
struct interrupts {
   struct pergola_device *dev;
   uint16_t enable[INTR_ENABLES], mask[INTR_MASKS];
   uint8_t decode_units, enhance_units; /* SYS-005: bit per instance that the product has */
   struct intr_storage vm[INTR_VMS];
   uint64_t errors; /* messages that no unit may send */
   /* The line of a machine has changed; and, for a scheduler, vector `dw` was sent. */
   void (*line_changed)(struct interrupts *i, unsigned vm, bool level);
   void (*vector)(struct interrupts *i, unsigned dw);
};

void interrupts_reset(struct interrupts *i);
/* A message arrives. */
void interrupts_message(struct interrupts *i, uint32_t message);
void interrupts_mask_written(struct interrupts *i, unsigned index, uint16_t value);

uint32_t interrupts_read_dw(struct interrupts *i, unsigned vm, unsigned dw);
void interrupts_clear_dw(struct interrupts *i, unsigned vm, unsigned dw, uint32_t bits);
void interrupts_select(struct interrupts *i, unsigned vm, unsigned dw, uint32_t selector);
void interrupts_end_service(struct interrupts *i, unsigned vm, unsigned dw, uint32_t written);
uint32_t interrupts_master(const struct interrupts *i, unsigned vm);
void interrupts_enable_master(struct interrupts *i, unsigned vm, bool on);
void interrupts_set_other(struct interrupts *i, unsigned vm, uint32_t bits, bool level);

struct snapshot;
void interrupts_snapshot(struct interrupts *i, struct snapshot *s);

#endif
