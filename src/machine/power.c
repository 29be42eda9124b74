/* Force wake, sleep states and the pcode mailbox: requests are granted at once. */
#include "machine/regs.h"

/* MEM-027: which power well a register lies in. */
enum hw_wake
power_well(const struct pergola_device *dev, const struct hw_register *row)
{
   if (row->wake != HW_WAKE_BY_RANGE)
      return row->wake;
   /* SYS-461: the reset register stays reachable; so do the force wake registers themselves. */
   if (row->offset == REG_GDRST || (row->offset >= REG_ECOBUS && row->offset <= REG_FORCEWAKE))
      return HW_WAKE_BY_RANGE;
   if (dev->hw_device != HW_VLV)
      return reg_in_ivb_render_well(row->offset) ? HW_WAKE_RENDER : HW_WAKE_BY_RANGE;
   return reg_in_vlv_render_well(row->offset)  ? HW_WAKE_RENDER
          : reg_in_vlv_media_well(row->offset) ? HW_WAKE_MEDIA
                                               : HW_WAKE_BY_RANGE;
}

/* SYS-462: the context of a well that nobody holds awake any more is saved; that there is one stays
 * known. */
static void
released(struct pergola_device *dev, const struct reg_write *w, uint32_t exists)
{
   if (w->old_value && !w->stored)
      reg_set(dev, REG_GTLC_WAKE_CTRL, reg_get(dev, REG_GTLC_WAKE_CTRL) | exists);
}

/* A well may sleep only once software has enabled RC6 and holds no request. */
static void
update_wells(struct pergola_device *dev)
{
   uint32_t rc = reg_get(dev, REG_RC_CONTROL);
   bool sleeps = rc & REG_RC_CONTROL__HW_CONTROL_ENABLE && rc & REG_RC_CONTROL__RC6_ENABLE;
   bool render, media;
   if (dev->hw_device == HW_VLV) {
      render = reg_get(dev, REG_FORCEWAKE_VLV) != 0;
      media = reg_get(dev, REG_FORCEWAKE_MEDIA_VLV) != 0;
   } else {
      render = reg_get(dev, REG_FORCEWAKE_MT) || reg_get(dev, REG_FORCEWAKE);
      media = render;
   }
   dev->wells_asleep = 0;
   if (sleeps && !render)
      dev->wells_asleep |= 1u << HW_WAKE_RENDER;
   if (sleeps && !media)
      dev->wells_asleep |= 1u << HW_WAKE_MEDIA;
}

/* SYS-464: known commands complete with success and data 0. */
static void
mailbox_written(struct pergola_device *dev, uint32_t value)
{
   if (!(value & REG_PCODE_MAILBOX__RUN_BUSY))
      return;
   uint32_t code = GEN7_PCODE_CODE_ILLEGAL_COMMAND;
   switch (value & REG_PCODE_MAILBOX__COMMAND_OR_COMPLETION_CODE) {
   case GEN7_PCODE_CODE_WRITE_RC6_VOLTAGES:
   case GEN7_PCODE_CODE_READ_RC6_VOLTAGES:
   case GEN7_PCODE_CODE_WRITE_MINIMUM_FREQUENCY_TABLE:
   case GEN7_PCODE_CODE_READ_MINIMUM_FREQUENCY_TABLE:
   case GEN7_PCODE_CODE_READ_RING_RATIOS:
   case GEN7_PCODE_CODE_READ_OVERCLOCKING:
   case GEN7_PCODE_CODE_READ_DISPLAY_COMPENSATION:
   case GEN7_PCODE_CODE_WRITE_DISPLAY_COMPENSATION:
      code = GEN7_PCODE_CODE_SUCCESS;
      reg_set(dev, REG_PCODE_DATA, 0);
      break;
   default:
      break;
   }
   reg_set(dev, REG_PCODE_MAILBOX, code);
}

/* SYS-462: acknowledgements and status follow the request. */
static void
wake_control_written(struct pergola_device *dev, const struct reg_write *w)
{
   uint32_t exists =
       REG_GTLC_WAKE_CTRL__RENDER_CONTEXT_EXISTS | REG_GTLC_WAKE_CTRL__MEDIA_CONTEXT_EXISTS;
   reg_set(dev, REG_GTLC_WAKE_CTRL, w->stored | (w->old_value & exists)); /* can only be set */
   uint32_t status = reg_get(dev, REG_GTLC_PW_STATUS) & ~REG_GTLC_PW_STATUS__ALLOWWAKEACK;
   if (w->stored & REG_GTLC_WAKE_CTRL__ALLOWWAKEREQ)
      status |= REG_GTLC_PW_STATUS__ALLOWWAKEACK;
   reg_set(dev, REG_GTLC_PW_STATUS, status);
}

static void
clock_forced(struct pergola_device *dev, uint32_t value)
{
   bool on = value & REG_GTLC_SURVIVABILITY__FORCE_CLOCK_ON;
   value &= ~REG_GTLC_SURVIVABILITY__CLOCK_STATUS;
   reg_set(dev, REG_GTLC_SURVIVABILITY, value | (on ? REG_GTLC_SURVIVABILITY__CLOCK_STATUS : 0));
}

/* Registers that only one of the parts has at their offset. */
static bool
vlv_written(struct pergola_device *dev, const struct reg_write *w)
{
   switch (w->row->offset) {
   case REG_GTLC_WAKE_CTRL:
      wake_control_written(dev, w);
      return true;
   case REG_GTLC_SURVIVABILITY:
      clock_forced(dev, w->stored);
      return true;
   case REG_FORCEWAKE_VLV:
      reg_set(dev, REG_FORCEWAKE_ACK_VLV, w->stored);
      released(dev, w, REG_GTLC_WAKE_CTRL__RENDER_CONTEXT_EXISTS);
      update_wells(dev);
      return true;
   case REG_VLV_IOSF_DOORBELL:
      sideband_written(dev, w->stored);
      return true;
   case REG_FORCEWAKE_MEDIA_VLV:
      reg_set(dev, REG_FORCEWAKE_ACK_MEDIA_VLV, w->stored);
      released(dev, w, REG_GTLC_WAKE_CTRL__MEDIA_CONTEXT_EXISTS);
      update_wells(dev);
      return true;
   default:
      return false;
   }
}

/* SYS-457, SYS-458: the acknowledgement copies the request. */
static bool
ivb_written(struct pergola_device *dev, const struct reg_write *w)
{
   switch (w->row->offset) {
   case REG_FORCEWAKE_MT:
      reg_set(dev, REG_FORCEWAKE_MT_ACK, w->stored);
      update_wells(dev);
      return true;
   case REG_FORCEWAKE:
      reg_set(dev, REG_FORCEWAKE_ACK, w->stored & REG_FORCEWAKE_ACK__ACKNOWLEDGE);
      update_wells(dev);
      return true;
   default:
      return false;
   }
}

bool
power_written(struct pergola_device *dev, const struct reg_write *w)
{
   switch (w->row->offset) {
   case REG_RC_CONTROL:
      update_wells(dev);
      return true;
   case REG_PCODE_MAILBOX:
      mailbox_written(dev, w->stored);
      return true;
   case REG_G2P_EVENTS:
      reg_set(dev, REG_G2P_EVENTS, 0); /* taken by the power controller at once */
      return true;
   default:
      return dev->hw_device == HW_VLV ? vlv_written(dev, w) : ivb_written(dev, w);
   }
}
