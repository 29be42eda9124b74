/* Messages in words. */
#include "eu/isa/disasm_text.h"

#include <string.h>

static const char *const sampler_modes[4] = {"SIMD4x2", "SIMD8", "SIMD16", "SIMD32/64"};
static const char *const gateway_functions[8] = {
    "open",
    "close",
    "forward msg",
    "get time stamp",
    "barrier",
    "update gateway state",
    "mmio read/write",
    "reserved",
};
static const char *const urb_opcodes[8] = {
    "write HWord", "write OWord", "read HWord", "read OWord",
    "atomic mov",  "atomic inc",  "reserved",   "reserved",
};
static const char *const data_types[16] = {
    "OWord block read",
    "unaligned OWord block read",
    "OWord dual block read",
    "DWord scattered read",
    "byte scattered read",
    "untyped surface read",
    "untyped atomic",
    "memory fence",
    "OWord block write",
    "reserved",
    "OWord dual block write",
    "DWord scattered write",
    "byte scattered write",
    "untyped surface write",
    "reserved",
    "reserved",
};
static const char *const render_types[16] = {
    "reserved",          "reserved",
    "reserved",          "reserved",
    "media block read",  "typed surface read",
    "typed atomic",      "memory fence",
    "reserved",          "reserved",
    "media block write", "reserved",
    "RT write",          "typed surface write",
    "reserved",          "reserved",
};
static const char *const data1_types[16] = {
    "reserved",
    "untyped surface read",
    "untyped atomic",
    "untyped atomic SIMD4x2",
    "media block read",
    "typed surface read",
    "typed atomic",
    "typed atomic SIMD4x2",
    "reserved",
    "untyped surface write",
    "media block write",
    "atomic counter",
    "atomic counter SIMD4x2",
    "typed surface write",
    "reserved",
    "reserved",
};
static const char *const cache_types[16] = {
    "OWord block read",
    "unaligned OWord block read",
    "OWord dual block read",
    "DWord scattered read",
    "media block read",
    "reserved",
    "reserved",
    "reserved",
    "reserved",
    "reserved",
    "reserved",
    "reserved",
    "reserved",
    "reserved",
    "reserved",
    "reserved",
};

static unsigned
field(uint32_t desc, unsigned high, unsigned low)
{
   return desc >> low & ((1u << (high - low + 1)) - 1);
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
   return sfid == EU_SFID_DATA && field(d, 18, 18);
}

const char *
eu_message_name(unsigned sfid, uint32_t d)
{
   const char *const *types = data_port_types(sfid);
   if (is_scratch(sfid, d))
      return field(d, 17, 17) ? "scratch block write" : "scratch block read";
   return types                     ? types[field(d, 17, 14)]
          : sfid == EU_SFID_GATEWAY ? gateway_functions[field(d, 2, 0)]
                                    : NULL;
}

bool
eu_message_is_other(unsigned sfid, uint32_t desc, const char *words, size_t length)
{
   const char *name = eu_message_name(sfid, desc);
   if (!name || (strlen(name) == length && !memcmp(name, words, length)))
      return false;
   for (uint32_t k = 0; k < 32; k++) {
      uint32_t d = sfid == EU_SFID_GATEWAY ? k & 7 : k << 14;
      name = eu_message_name(sfid, d);
      if (strlen(name) == length && !memcmp(name, words, length))
         return true;
   }
   return false;
}

static void
message_function(struct line *l, unsigned sfid, uint32_t d)
{
   const char *name = eu_message_name(sfid, d);
   switch (sfid) {
   case EU_SFID_SAMPLER:
      line_add(l, " (type %u, %s, bti %u, sampler %u)", field(d, 16, 12),
               sampler_modes[field(d, 18, 17)], field(d, 7, 0), field(d, 11, 8));
      break;
   case EU_SFID_GATEWAY:
      line_add(l, " (%s)", name);
      break;
   case EU_SFID_URB:
      line_add(l, " (offset %u, %s%s%s%s)", field(d, 13, 3), urb_opcodes[field(d, 2, 0)],
               field(d, 14, 14) ? ", interleave" : "", field(d, 15, 15) ? ", complete" : "",
               field(d, 16, 16) ? ", per-slot" : "");
      break;
   case EU_SFID_THREAD_SPAWNER:
      line_add(l, " (%s, %s)", field(d, 0, 0) ? "spawn" : "dereference",
               field(d, 1, 1) ? "child" : "root");
      break;
   case EU_SFID_VME:
      line_add(l, " (type %u, bti %u)", field(d, 14, 13), field(d, 7, 0));
      break;
   case EU_SFID_PIXEL_INTERP:
      line_add(l, " (%s, type %u, 0x%02x)", field(d, 14, 14) ? "linear" : "perspective",
               field(d, 13, 12), field(d, 7, 0));
      break;
   default:
      if (is_scratch(sfid, d))
         line_add(l, " (%s, offset %u)", name, field(d, 11, 0));
      else if (name)
         line_add(l, " (%s, bti %u, control 0x%x)", name, field(d, 7, 0), field(d, 13, 8));
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
   line_add(l, " mlen %u rlen %u", field(i->desc, 28, 25), field(i->desc, 24, 20));
}
