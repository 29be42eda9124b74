/* A second reading of SYS-001..070: one GT interrupt interface, in the words of the rows. It shares
 * no code, table or type with src/gen11. */
#ifndef PERGOLA_TEST_INTERRUPT_MODEL_H
#define PERGOLA_TEST_INTERRUPT_MODEL_H

#include <stdbool.h>
#include <stdint.h>

struct model_unit {
   int class_id, instance_id;
   int word, bit;               /* its bit of GT INT DW */
   uint32_t enable_at, mask_at; /* MMIO offsets */
   bool high;                   /* its half of the Mask register */
   bool enable_high;
   uint16_t stored; /* Collapsing Register */
};

struct model {
   struct model_unit unit[32];
   int units;
   uint32_t registers[0x40]; /* 190000h..1900FFh, by dword: enables and masks as written */
   uint32_t visible[2], hidden[2];
   bool snapshot[2];
   uint32_t chosen[2], shown[2];
   bool enabled;
   bool wire;
   unsigned edges; /* rising ones */
};

void model_reset(struct model *m);
void model_event(struct model *m, int class_id, int instance_id, uint16_t data);
uint32_t model_read(struct model *m, uint32_t offset);
void model_write(struct model *m, uint32_t offset, uint32_t value);

#endif
