/* Valleyview's sideband: registers of units beside the graphics device, reached by a doorbell
 * (MEM-032). Of these units the power controller (Punit) is here, as far as a kernel's driver
 * speaks with it: power wells, the frequency of the engines and that of the display, which is read
 * from the clocks (CCK). What is asked of it is done at once. */
#include "machine/regs.h"

#include <string.h>

enum port { PORT_PUNIT = 0x04, PORT_NC = 0x11, PORT_CCK = 0x14 };
enum opcode { MEMORY_READ = 0, REGISTER_READ = 6, REGISTER_WRITE = 7 };

enum punit_register {
   VIDEO_STATUS = 0x32,  /* of the video decoder and the camera: bits 1:0, 3 is off */
   DISPLAY_SPEED = 0x36, /* 15:14: the clock of the display that is wanted; 31:30: that it has */
   CAMERA_STATUS = 0x39,
   WELLS_CONTROL = 0x60, /* two bits a well: 0 on, 3 off */
   WELLS_STATUS = 0x61,
   LOWEST_FREQUENCY = 0xd3,
   FREQUENCY_REQUEST = 0xd4,
   FREQUENCY_STATUS = 0xd8, /* 15:8: the frequency; 4: its PLL is on */
};
enum fuse { FREQUENCY_FUSE = 0x1c }; /* 10:3: the highest frequency */

/* A clock is twice its source over one more than its divider: 4:0 that is wanted, 12:8 that it has.
 * The source is the PLL of 800 MHz (register 8 reads 0), for the engines the memory's clock. */
enum clock_register {
   MEMORY_CLOCK = 0x62,
   ENGINE_CLOCK = 0x67,
   DISPLAY_CLOCK = 0x6b,
   REFERENCE_CLOCK = 0x6c
};

#define OFF 3u
#define LOWEST                                                                                     \
   0xc0u /* codes of the frequency: the lowest, and the highest that the fuse allows               \
          */
#define HIGHEST 0xd4u
#define PLL_ON 0x10u

void
sideband_reset(struct pergola_device *dev)
{
   uint32_t *punit = dev->punit;
   memset(punit, 0, sizeof(dev->punit));
   punit[VIDEO_STATUS] = punit[CAMERA_STATUS] = OFF;
   punit[LOWEST_FREQUENCY] = LOWEST;
   punit[FREQUENCY_REQUEST] = LOWEST;
   punit[FREQUENCY_STATUS] = LOWEST << 8 | PLL_ON;
}

static uint32_t
clock_read(const struct pergola_device *dev, unsigned number)
{
   static const uint8_t display[] = {7, 5, 4, 4}; /* 200, 267, 320 MHz */
   uint32_t divider = 0;
   if (number == MEMORY_CLOCK || number == REFERENCE_CLOCK)
      divider = 7; /* 200 MHz */
   else if (number == ENGINE_CLOCK)
      divider = 15; /* 25 MHz a step */
   else if (number == DISPLAY_CLOCK)
      divider = display[dev->punit[DISPLAY_SPEED] >> 30];
   return divider << 8 | divider;
}

static void
punit_write(struct pergola_device *dev, unsigned number, uint32_t value)
{
   uint32_t *punit = dev->punit;
   switch (number) {
   case WELLS_CONTROL:
      punit[WELLS_CONTROL] = punit[WELLS_STATUS] = value;
      break;
   case FREQUENCY_REQUEST:
      punit[FREQUENCY_REQUEST] = value;
      punit[FREQUENCY_STATUS] = (value & 0xff) << 8 | PLL_ON;
      break;
   case DISPLAY_SPEED:
      punit[DISPLAY_SPEED] = (value & 0x3fffffff) | (value >> 14 & 3) << 30;
      break;
   case WELLS_STATUS:
   case FREQUENCY_STATUS:
   case LOWEST_FREQUENCY:
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
   unsigned port = request >> 8 & 0xff, opcode = request >> 16 & 0xff;
   uint32_t address = reg_get(dev, REG_VLV_IOSF_ADDR), value = 0;
   bool reads = opcode == REGISTER_READ || opcode == MEMORY_READ;
   bool punit = port == PORT_PUNIT && address < sizeof(dev->punit) / sizeof(dev->punit[0]);
   if (punit && opcode == REGISTER_WRITE)
      punit_write(dev, address, reg_get(dev, REG_VLV_IOSF_DATA));
   else if (punit && opcode == REGISTER_READ)
      value = dev->punit[address];
   else if (port == PORT_CCK && opcode == REGISTER_READ)
      value = clock_read(dev, address);
   else if (port == PORT_NC && opcode == REGISTER_READ && address == FREQUENCY_FUSE)
      value = HIGHEST << 3;
   else if (!punit)
      not_modelled(dev, port);
   if (reads)
      reg_set(dev, REG_VLV_IOSF_DATA, value);
}
