/* Force wake: domains by range, registers that need none, media boxes. */
#include "gen11/gen11_internal.h"

/* SYS-421: the first offset of a range; it ends where the next begins. */
static const struct {
   uint32_t first;
   uint8_t domain;
} ranges[] = {
    {0x0, WAKE_NONE},        {0x2000, WAKE_RENDER},
    {0x2700, WAKE_GT},       {0x3000, WAKE_RENDER},
    {0x4000, WAKE_GT},       {0x5200, WAKE_RENDER},
    {0x8000, WAKE_GT},       {0x8140, WAKE_RENDER},
    {0x8160, WAKE_GT},       {0x8300, WAKE_RENDER},
    {0x8500, WAKE_GT},       {0x8800, WAKE_NONE},
    {0x8c00, WAKE_RENDER},   {0x8d00, WAKE_GT},
    {0x94d0, WAKE_RENDER},   {0x9560, WAKE_NONE},
    {0x9600, WAKE_GT},       {0xb000, WAKE_RENDER},
    {0xb480, WAKE_GT},       {0xdf00, WAKE_RENDER},
    {0xe900, WAKE_GT},       {0x16e00, WAKE_RENDER},
    {0x1a000, WAKE_GT},      {0x24000, WAKE_NONE},
    {0x24080, WAKE_GT},      {0x24180, WAKE_RENDER},
    {0x24300, WAKE_GT},      {0x24400, WAKE_RENDER},
    {0x25000, WAKE_GT},      {0x40000, WAKE_NONE},
    {0x1c0000, WAKE_VDBOX0}, {0x1c4000, WAKE_NONE},
    {0x1c8000, WAKE_VEBOX0}, {0x1d0000, WAKE_VDBOX0 + 2},
    {0x1d4000, WAKE_NONE},
};

enum wake_domain
gen11_wake_domain(uint32_t offset)
{
   /* SYS-423: reset needs no force wake, nor do the requests themselves. */
   if (offset == REG_ICL_GDRST)
      return WAKE_NONE;
   enum wake_domain domain = WAKE_NONE;
   for (unsigned i = 0; i < sizeof(ranges) / sizeof(ranges[0]) && ranges[i].first <= offset; i++)
      domain = ranges[i].domain;
   return domain;
}

static bool
is_request(uint32_t offset)
{
   return offset == REG_ICL_FORCEWAKE_GT || offset == REG_ICL_FORCEWAKE_RENDER ||
          (offset >= REG_ICL_FORCEWAKE_MEDIA_VDBOX_0 && offset <= REG_ICL_FORCEWAKE_MEDIA_VEBOX_3);
}

bool
gen11_shadowed(uint32_t offset)
{
   static const uint32_t bases[] = {0x2000,   0x22000,  0x1c0000, 0x1c4000,
                                    0x1c8000, 0x1d0000, 0x1d4000, 0x1d8000};
   if (is_request(offset) || offset == 0xa008 || offset == 0xa00c)
      return true;
   for (unsigned i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
      uint32_t own = offset - bases[i];
      if (own == ENGINE_RING_TAIL || own == ENGINE_EXECLIST_CONTROL)
         return true;
      if ((own == ENGINE_EXECLIST_SUBMIT && i) ||
          (own >= ENGINE_EXECLIST_SQ_0 && own < ENGINE_EXECLIST_CONTROL))
         return true;
   }
   return false;
}

struct client_range {
   const char *name;
   uint32_t first, last;
};

/* SYS-198..209 */
static const struct client_range vdbox[] = {
    {"VCS", 0x0000, 0x07ff},   {"MFX", 0x0800, 0x0fff},  {"VCS", 0x1000, 0x1fff},
    {"HuC", 0x2000, 0x27ff},   {"HEVC", 0x2800, 0x29ff}, {"HEVCFE", 0x2a00, 0x2bff},
    {"CPCFG", 0x3f00, 0x3fff},
};
static const struct client_range vebox[] = {{"VECS", 0x0000, 0x1fff}, {"VFW", 0x2000, 0x20ff}};

/* SYS-185: slice s has 64 KiB; in it two decoders and an enhancer of 16 KiB. */
bool
gen11_media_client(uint32_t offset, struct media_client *c)
{
   if (offset < 0x1c0000 || offset >= 0x200000)
      return false;
   unsigned slice = (offset - 0x1c0000) >> 16, box = offset >> 14 & 3;
   uint32_t own = offset & 0x3fff;
   *c = (struct media_client){.slice = (uint8_t)slice};
   const struct client_range *r = vdbox;
   unsigned count = sizeof(vdbox) / sizeof(vdbox[0]);
   if (box == 3)
      return false;
   c->box = box == 2 ? "VEBOX" : "VDBOX";
   c->index = (uint8_t)(box == 2 ? slice : 2 * slice + box);
   c->subslice = (uint8_t)(box == 1);
   if (box == 2) {
      r = vebox;
      count = sizeof(vebox) / sizeof(vebox[0]);
   }
   for (unsigned i = 0; i < count; i++)
      if (own >= r[i].first && own <= r[i].last)
         c->client = r[i].name;
   return true;
}
