/* The URB's storage: see urb.h. The messages that reach it are in urb_message.c. */
#include "shared_functions/urb.h"

#include <stdlib.h>
#include <string.h>

struct urb *
urb_create(struct pergola_device *dev)
{
   struct urb *urb = calloc(1, sizeof(*urb));
   if (!urb)
      return NULL;
   urb->dev = dev;
   urb->size_B = dev->sku.urb_kib * 1024;
   const struct hw_register *l3 = hw_register_at(REG_L3CNTLREG2, dev->hw_device);
   urb->default_ways = l3 ? hw_get(l3->default_value, REG_L3CNTLREG2__URB_WAYS) : 0;
   urb->data = calloc(1, urb->size_B);
   if (urb->data)
      return urb;
   free(urb);
   return NULL;
}

void
urb_destroy(struct urb *urb)
{
   free(urb->data);
   free(urb);
}

/* SF-087 and SFV-027: rows of the part, fewer while L3 gives its half to shared local memory. */
uint32_t
urb_rows(const struct urb *urb)
{
   const struct pergola_device *dev = urb->dev;
   uint32_t l3 = reg_get(dev, REG_L3CNTLREG2), ways = hw_get(l3, REG_L3CNTLREG2__URB_WAYS);
   /* SFV-108: Valleyview's ways are of 2 KiB and counted from 32. */
   if (dev->hw_device == HW_VLV && l3 && ways != urb->default_ways) {
      uint32_t programmed = (ways + 32) * 2048 / URB_ROW_SIZE, rows = urb->size_B / URB_ROW_SIZE;
      return programmed < rows ? programmed : rows;
   }
   return dev->urb_rows[l3 & REG_L3CNTLREG2__SLM_ENABLE ? 1 : 0];
}

static uint64_t
region_B(const struct urb *urb)
{
   return (uint64_t)urb_rows(urb) * URB_ROW_SIZE;
}

bool
urb_read(const struct urb *urb, uint64_t address_B, void *data, size_t size_B)
{
   uint64_t end = region_B(urb);
   size_t inside = address_B >= end ? 0 : end - address_B < size_B ? end - address_B : size_B;
   if (inside)
      memcpy(data, urb->data + address_B, inside);
   if (inside < size_B)
      memset((uint8_t *)data + inside, 0, size_B - inside);
   return inside == size_B;
}

bool
urb_write(struct urb *urb, uint64_t address_B, const void *data, size_t size_B)
{
   uint64_t end = region_B(urb);
   size_t inside = address_B >= end ? 0 : end - address_B < size_B ? end - address_B : size_B;
   if (inside)
      memcpy(urb->data + address_B, data, inside);
   return inside == size_B;
}

uint8_t *
urb_row(struct urb *urb, uint32_t row, uint32_t count)
{
   uint32_t rows = urb_rows(urb);
   if (row > rows || count > rows - row)
      return NULL;
   return urb->data + (size_t)row * URB_ROW_SIZE;
}
