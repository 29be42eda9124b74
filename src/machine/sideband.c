/* Valleyview's sideband: registers of units beside the graphics device, reached by a doorbell
 * (MEM-032). Of these units the power controller (Punit) is here, as far as a kernel's driver
 * speaks with it: power wells, the frequency of the engines and that of the display, which is read
 * from the clocks (CCK). What is asked of it is done at once. */
#include "machine/regs.h"

#include <string.h>

#define PUNIT(name) GEN7_VLV_PUNIT_##name
#define REQUEST(name) REG_VLV_IOSF_DOORBELL__##name

#define OFF 3u /* of a power well */
/* Codes of the frequency: the lowest, and the highest that the fuse allows. */
#define LOWEST 0xc0u
#define HIGHEST 0xd4u

static uint32_t
frequency_status(uint32_t code)
{
   return hw_put(code, PUNIT(FREQUENCY_STATUS__FREQUENCY)) | PUNIT(FREQUENCY_STATUS__PLL_ON);
}

void
sideband_reset(struct pergola_device *dev)
{
   uint32_t *punit = dev->punit;
   memset(punit, 0, sizeof(dev->punit));
   punit[PUNIT(VIDEO_STATUS)] = punit[PUNIT(CAMERA_STATUS)] = OFF;
   punit[PUNIT(LOWEST_FREQUENCY)] = LOWEST;
   punit[PUNIT(FREQUENCY_REQUEST)] = LOWEST;
   punit[PUNIT(FREQUENCY_STATUS)] = frequency_status(LOWEST);
}

/* A clock is twice its source over one more than its divider. The source is the PLL of 800 MHz
 * (register 8 reads 0), for the engines the memory's clock. */
static uint32_t
clock_read(const struct pergola_device *dev, unsigned number)
{
   static const uint8_t display[] = {7, 5, 4, 4}; /* 200, 267, 320 MHz */
   uint32_t divider = 0;
   if (number == GEN7_VLV_CCK_MEMORY_CLOCK || number == GEN7_VLV_CCK_REFERENCE_CLOCK)
      divider = 7; /* 200 MHz */
   else if (number == GEN7_VLV_CCK_ENGINE_CLOCK)
      divider = 15; /* 25 MHz a step */
   else if (number == GEN7_VLV_CCK_DISPLAY_CLOCK)
      divider = display[hw_get(dev->punit[PUNIT(DISPLAY_SPEED)], PUNIT(DISPLAY_SPEED__CURRENT))];
   return hw_put(divider, GEN7_VLV_CLOCK__DIVIDER) |
          hw_put(divider, GEN7_VLV_CLOCK__DIVIDER_WANTED);
}

static void
punit_write(struct pergola_device *dev, unsigned number, uint32_t value)
{
   uint32_t *punit = dev->punit;
   switch (number) {
   case PUNIT(WELLS_CONTROL):
      punit[PUNIT(WELLS_CONTROL)] = punit[PUNIT(WELLS_STATUS)] = value;
      break;
   case PUNIT(FREQUENCY_REQUEST):
      punit[PUNIT(FREQUENCY_REQUEST)] = value;
      punit[PUNIT(FREQUENCY_STATUS)] =
          frequency_status(hw_get(value, PUNIT(FREQUENCY_REQUEST__FREQUENCY)));
      break;
   case PUNIT(DISPLAY_SPEED):
      punit[PUNIT(DISPLAY_SPEED)] =
          (value & ~PUNIT(DISPLAY_SPEED__CURRENT)) |
          hw_put(hw_get(value, PUNIT(DISPLAY_SPEED__WANTED)), PUNIT(DISPLAY_SPEED__CURRENT));
      break;
   case PUNIT(WELLS_STATUS):
   case PUNIT(FREQUENCY_STATUS):
   case PUNIT(LOWEST_FREQUENCY):
      break; /* read only */
   default:
      punit[number] = value;
   }
}

static void
not_modelled(struct pergola_device *dev, unsigned port)
{
   struct rule_place place = {.engine = "bus",
                              .subject = "VLV_IOSF_DOORBELL",
                              .field = "Port",
                              .address = port,
                              .has_address = true};
   rule_report(dev, PERGOLA_WARNING, "MEM-032", &place,
               "the unit at port 0x%02x of the sideband is not modelled: it reads as 0", port);
}

/* The doorbell: the address and data registers hold the rest of the request. Busy reads 0. */
void
sideband_written(struct pergola_device *dev, uint32_t request)
{
   unsigned port = hw_get(request, REQUEST(PORT)), opcode = hw_get(request, REQUEST(OPCODE));
   uint32_t address = reg_get(dev, REG_VLV_IOSF_ADDR), value = 0;
   bool reads = opcode == REQUEST(OPCODE_REGISTER_READ) || opcode == REQUEST(OPCODE_MEMORY_READ);
   bool punit = port == REQUEST(PORT_PUNIT) && address < sizeof(dev->punit) / sizeof(dev->punit[0]);
   if (punit && opcode == REQUEST(OPCODE_REGISTER_WRITE))
      punit_write(dev, address, reg_get(dev, REG_VLV_IOSF_DATA));
   else if (punit && opcode == REQUEST(OPCODE_REGISTER_READ))
      value = dev->punit[address];
   else if (port == REQUEST(PORT_CCK) && opcode == REQUEST(OPCODE_REGISTER_READ))
      value = clock_read(dev, address);
   else if (port == REQUEST(PORT_NC) && opcode == REQUEST(OPCODE_REGISTER_READ) &&
            address == GEN7_VLV_NC_FREQUENCY_FUSE)
      value = hw_put(HIGHEST, GEN7_VLV_FREQUENCY_FUSE__HIGHEST);
   else if (!punit)
      not_modelled(dev, port);
   if (reads)
      reg_set(dev, REG_VLV_IOSF_DATA, value);
}
