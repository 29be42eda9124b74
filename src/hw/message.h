/* What the descriptors of all messages have at the same place. */
#ifndef PERGOLA_HW_MESSAGE_H
#define PERGOLA_HW_MESSAGE_H

#include "gen7_hw.h"

static inline unsigned
hw_message_length(uint32_t desc)
{
   return hw_get(desc, GEN7_MESSAGE_DESCRIPTOR__MESSAGE_LENGTH);
}

static inline unsigned
hw_response_length(uint32_t desc)
{
   return hw_get(desc, GEN7_MESSAGE_DESCRIPTOR__RESPONSE_LENGTH);
}

static inline bool
hw_header_present(uint32_t desc)
{
   return desc & GEN7_MESSAGE_DESCRIPTOR__HEADER_PRESENT;
}

#endif
