/* Messages in words. */
#include "eu/isa/disasm_text.h"
#include "hw/message.h"

#include <string.h>

static const char *const sampler_modes[4] = {
    [GEN7_SAMPLER_SIMD_MODE_SIMD4X2] = "SIMD4x2",
    [GEN7_SAMPLER_SIMD_MODE_SIMD8] = "SIMD8",
    [GEN7_SAMPLER_SIMD_MODE_SIMD16] = "SIMD16",
    [GEN7_SAMPLER_SIMD_MODE_SIMD32_64] = "SIMD32/64",
};
#define FUNCTION(name) [GEN7_GATEWAY_MESSAGE_DESCRIPTOR_SUBFUNCID_##name]
static const char *const gateway_functions[8] = {
    FUNCTION(OPENGATEWAY) = "open",
    FUNCTION(CLOSEGATEWAY) = "close",
    FUNCTION(FORWARDMSG) = "forward msg",
    FUNCTION(GETTIMESTAMP) = "get time stamp",
    FUNCTION(BARRIERMSG) = "barrier",
    FUNCTION(UPDATEGATEWAYSTATE) = "update gateway state",
    FUNCTION(MMIOREADWRITE) = "mmio read/write",
};
#define OPCODE(name) [GEN7_URB_MESSAGE_DESCRIPTOR_URB_OPCODE_##name]
static const char *const urb_opcodes[8] = {
    OPCODE(WRITE_HWORD) = "write HWord", OPCODE(WRITE_OWORD) = "write OWord",
    OPCODE(READ_HWORD) = "read HWord",   OPCODE(READ_OWORD) = "read OWord",
    OPCODE(ATOMIC_MOV) = "atomic mov",   OPCODE(ATOMIC_INC) = "atomic inc",
};
static const char *const data_types[16] = {
    [GEN7_DP_DATA_MESSAGE_OWORD_BLOCK_READ] = "OWord block read",
    [GEN7_DP_DATA_MESSAGE_UNALIGNED_OWORD_BLOCK_READ] = "unaligned OWord block read",
    [GEN7_DP_DATA_MESSAGE_OWORD_DUAL_BLOCK_READ] = "OWord dual block read",
    [GEN7_DP_DATA_MESSAGE_DWORD_SCATTERED_READ] = "DWord scattered read",
    [GEN7_DP_DATA_MESSAGE_BYTE_SCATTERED_READ] = "byte scattered read",
    [GEN7_DP_DATA_MESSAGE_UNTYPED_SURFACE_READ] = "untyped surface read",
    [GEN7_DP_DATA_MESSAGE_UNTYPED_ATOMIC_OPERATION] = "untyped atomic",
    [GEN7_DP_DATA_MESSAGE_MEMORY_FENCE] = "memory fence",
    [GEN7_DP_DATA_MESSAGE_OWORD_BLOCK_WRITE] = "OWord block write",
    [GEN7_DP_DATA_MESSAGE_OWORD_DUAL_BLOCK_WRITE] = "OWord dual block write",
    [GEN7_DP_DATA_MESSAGE_DWORD_SCATTERED_WRITE] = "DWord scattered write",
    [GEN7_DP_DATA_MESSAGE_BYTE_SCATTERED_WRITE] = "byte scattered write",
    [GEN7_DP_DATA_MESSAGE_UNTYPED_SURFACE_WRITE] = "untyped surface write",
};
static const char *const render_types[16] = {
    [GEN7_DP_RENDER_MESSAGE_MEDIA_BLOCK_READ] = "media block read",
    [GEN7_DP_RENDER_MESSAGE_TYPED_SURFACE_READ] = "typed surface read",
    [GEN7_DP_RENDER_MESSAGE_TYPED_ATOMIC_OPERATION] = "typed atomic",
    [GEN7_DP_RENDER_MESSAGE_MEMORY_FENCE] = "memory fence",
    [GEN7_DP_RENDER_MESSAGE_MEDIA_BLOCK_WRITE] = "media block write",
    [GEN7_DP_RENDER_MESSAGE_RENDER_TARGET_WRITE] = "RT write",
    [GEN7_DP_RENDER_MESSAGE_TYPED_SURFACE_WRITE] = "typed surface write",
};
/* Haswell's second port to the data cache, which no part here has. */
static const char *const data1_types[16] = {
    [1] = "untyped surface read", [2] = "untyped atomic",          [3] = "untyped atomic SIMD4x2",
    [4] = "media block read",     [5] = "typed surface read",      [6] = "typed atomic",
    [7] = "typed atomic SIMD4x2", [9] = "untyped surface write",   [10] = "media block write",
    [11] = "atomic counter",      [12] = "atomic counter SIMD4x2", [13] = "typed surface write",
};
static const char *const cache_types[16] = {
    [GEN7_DP_CONSTANT_MESSAGE_OWORD_BLOCK_READ] = "OWord block read",
    [GEN7_DP_CONSTANT_MESSAGE_UNALIGNED_OWORD_BLOCK_READ] = "unaligned OWord block read",
    [GEN7_DP_CONSTANT_MESSAGE_OWORD_DUAL_BLOCK_READ] = "OWord dual block read",
    [GEN7_DP_CONSTANT_MESSAGE_DWORD_SCATTERED_READ] = "DWord scattered read",
    [GEN7_DP_SAMPLER_MESSAGE_MEDIA_BLOCK_READ] = "media block read",
};

/* A code that is not in the list is reserved. */
static const char *
name_of(const char *const *names, unsigned code)
{
   return names[code] ? names[code] : "reserved";
}

static const char *const *
data_port_types(unsigned sfid)
{
   return sfid == EU_SFID_RENDER                                ? render_types
          : sfid == EU_SFID_DATA                                ? data_types
          : sfid == EU_SFID_DATA1                               ? data1_types
          : sfid == EU_SFID_CONST || sfid == EU_SFID_DP_SAMPLER ? cache_types
                                                                : NULL;
}

static bool
is_scratch(unsigned sfid, uint32_t d)
{
   return sfid == EU_SFID_DATA && d & GEN7_DP_DATA_DESCRIPTOR__CATEGORY;
}

const char *
eu_message_name(unsigned sfid, uint32_t d)
{
   const char *const *types = data_port_types(sfid);
   if (is_scratch(sfid, d))
      return d & GEN7_DP_SCRATCH_DESCRIPTOR__WRITE ? "scratch block write" : "scratch block read";
   if (types)
      return name_of(types, hw_data_port_type(d));
   return sfid == EU_SFID_GATEWAY
              ? name_of(gateway_functions, hw_get(d, GEN7_GATEWAY_MESSAGE_DESCRIPTOR__SUBFUNCID))
              : NULL;
}

/* Message n of a function that has names for them. */
static uint32_t
descriptor_of(unsigned sfid, uint32_t n)
{
   return sfid == EU_SFID_GATEWAY ? hw_put(n, GEN7_GATEWAY_MESSAGE_DESCRIPTOR__SUBFUNCID)
                                  : hw_put(n, GEN7_DP_DATA_DESCRIPTOR__CATEGORY |
                                                  GEN7_DP_DATA_DESCRIPTOR__MESSAGE_TYPE);
}

bool
eu_message_is_other(unsigned sfid, uint32_t desc, const char *words, size_t length)
{
   const char *name = eu_message_name(sfid, desc);
   if (!name || (strlen(name) == length && !memcmp(name, words, length)))
      return false;
   for (uint32_t n = 0; n < 32; n++) {
      name = eu_message_name(sfid, descriptor_of(sfid, n));
      if (strlen(name) == length && !memcmp(name, words, length))
         return true;
   }
   return false;
}

static void
sampler_message(struct line *l, uint32_t desc)
{
   struct hw_sampler_descriptor d;
   gen7_sampler_descriptor_unpack(&d, &desc);
   line_add(l, " (type %u, %s, bti %u, sampler %u)", d.message_type, sampler_modes[d.simd_mode],
            d.binding_table_index, d.sampler_index);
}

static void
urb_message(struct line *l, uint32_t desc)
{
   struct hw_urb_message_descriptor d;
   gen7_urb_message_descriptor_unpack(&d, &desc);
   line_add(l, " (offset %u, %s%s%s%s)", d.global_offset, name_of(urb_opcodes, d.urb_opcode),
            d.swizzle_control ? ", interleave" : "", d.complete ? ", complete" : "",
            d.per_slot_offset ? ", per-slot" : "");
}

static void
spawner_message(struct line *l, uint32_t desc)
{
   struct hw_thread_spawn_message_descriptor d;
   gen7_thread_spawn_message_descriptor_unpack(&d, &desc);
   line_add(l, " (%s, %s)", d.opcode ? "spawn" : "dereference",
            d.requester_type ? "child" : "root");
}

static void
interpolator_message(struct line *l, uint32_t desc)
{
   struct hw_pixel_interpolator_descriptor d;
   gen7_pixel_interpolator_descriptor_unpack(&d, &desc);
   line_add(l, " (%s, type %u, 0x%02x)", d.interpolation_mode ? "linear" : "perspective",
            d.message_type, d.message_specific_control);
}

static void
message_function(struct line *l, unsigned sfid, uint32_t d)
{
   const char *name = eu_message_name(sfid, d);
   switch (sfid) {
   case EU_SFID_SAMPLER:
      sampler_message(l, d);
      break;
   case EU_SFID_GATEWAY:
      line_add(l, " (%s)", name);
      break;
   case EU_SFID_URB:
      urb_message(l, d);
      break;
   case EU_SFID_THREAD_SPAWNER:
      spawner_message(l, d);
      break;
   case EU_SFID_VME:
      line_add(l, " (type %u, bti %u)", hw_get(d, GEN7_VME_MESSAGE_DESCRIPTOR__MESSAGE_TYPE),
               hw_binding_table_index(d));
      break;
   case EU_SFID_PIXEL_INTERP:
      interpolator_message(l, d);
      break;
   default:
      if (is_scratch(sfid, d))
         line_add(l, " (%s, offset %u)", name, hw_get(d, GEN7_DP_SCRATCH_DESCRIPTOR__OFFSET));
      else if (name)
         line_add(l, " (%s, bti %u, control 0x%x)", name, hw_binding_table_index(d),
                  hw_get(d, GEN7_DP_DATA_DESCRIPTOR__MESSAGE_SPECIFIC_CONTROL));
      break;
   }
}

void
disasm_message(struct line *l, const struct eu_inst *i)
{
   line_add(l, " MsgDesc:");
   if (i->desc_is_reg) {
      line_add(l, " indirect");
      return;
   }
   message_function(l, i->sfid, i->desc);
   line_add(l, " mlen %u rlen %u", hw_message_length(i->desc), hw_response_length(i->desc));
}
