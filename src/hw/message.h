/* What the descriptors of messages have at the same place. */
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

/* Of the messages that reach a surface. */
static inline unsigned
hw_binding_table_index(uint32_t desc)
{
   _Static_assert(GEN7_SAMPLER_DESCRIPTOR__BINDING_TABLE_INDEX ==
                      GEN7_DP_DATA_DESCRIPTOR__BINDING_TABLE_INDEX,
                  "sampler and data port");
   _Static_assert(GEN7_VME_MESSAGE_DESCRIPTOR__BINDING_TABLE_INDEX ==
                      GEN7_DP_DATA_DESCRIPTOR__BINDING_TABLE_INDEX,
                  "motion estimation and data port");
   return hw_get(desc, GEN7_DP_DATA_DESCRIPTOR__BINDING_TABLE_INDEX);
}

/* Of the data ports: what it means depends on the port. */
static inline unsigned
hw_data_port_type(uint32_t desc)
{
   _Static_assert(
       GEN7_DP_RENDER_DESCRIPTOR__MESSAGE_TYPE == GEN7_DP_DATA_DESCRIPTOR__MESSAGE_TYPE &&
           GEN7_DP_CONSTANT_DESCRIPTOR__MESSAGE_TYPE == GEN7_DP_DATA_DESCRIPTOR__MESSAGE_TYPE &&
           GEN7_DP_SAMPLER_DESCRIPTOR__MESSAGE_TYPE == GEN7_DP_DATA_DESCRIPTOR__MESSAGE_TYPE,
       "all data ports");
   return hw_get(desc, GEN7_DP_DATA_DESCRIPTOR__MESSAGE_TYPE);
}

/* Reserved bits that are set in the part that is a message's own. mbz: GEN7_<descriptor>__MBZ_0. */
static inline uint32_t
hw_reserved_control(uint32_t desc, uint32_t mbz)
{
   return desc & mbz & GEN7_MESSAGE_DESCRIPTOR__FUNCTION_CONTROL;
}

#endif
