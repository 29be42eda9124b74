/* What the sanitizer is told of messages. */
#include "eu/shadow.h"
#include "shared_functions/dataport/dataport.h"
#include "surface/hazard.h"

static struct sanitize_access
access_of(struct dp *d, unsigned size, enum sanitize_kind kind)
{
   return (struct sanitize_access){
       .t = d->t,
       .ip = d->m->ip,
       .kind = (uint8_t)kind,
       .port = d->m->sfid == SFID_DP_RENDER ? SANITIZE_RENDER_PORT : SANITIZE_DATA_PORT,
       .channel = d->channel,
       .bti = (uint8_t)d->bti,
       .scratch = d->scratch,
       .texel = d->texel,
       .unset = d->exchanges ? &d->unset : NULL,
       .size = size,
   };
}

void
dp_watch(struct dp *d, uint32_t address, unsigned size, enum sanitize_kind kind, const void *data)
{
   struct sanitize_access a = access_of(d, size, kind);
   a.offset = address - (d->bti < DP_BTI_SLM ? d->s.base : d->r.base);
   a.data = data;
   sanitize_memory(d->sanitizer, &a, address, size);
}

/* Bytes of shared local memory may lie across pages of the host, where they need not begin. */
void
dp_watch_slm(struct dp *d, uint64_t offset, unsigned size, enum sanitize_kind kind,
             const void *data)
{
   const uint8_t *from = data;
   for (unsigned done = 0; done < size;) {
      uint8_t *host = d->r.slm + offset + done;
      unsigned room = 4096 - ((uintptr_t)host & 0xfff);
      unsigned chunk = room < size - done ? room : size - done;
      struct sanitize_access a = access_of(d, chunk, kind);
      a.bti = DP_BTI_SLM;
      a.offset = offset + done;
      a.data = from ? from + done : NULL;
      a.host = host;
      sanitize_access(d->sanitizer, &a);
      done += chunk;
   }
}

void
dp_watch_outside(struct dp *d, uint64_t offset, unsigned size, enum sanitize_kind kind)
{
   struct sanitize_access a = access_of(d, size, kind);
   a.offset = offset;
   sanitize_outside(d->sanitizer, &a, d->scratch ? d->t->scratch_size_B : d->r.size,
                    d->r.null ? "the surface is null" : NULL);
}

void
dp_watch_channels(struct dp *d, uint64_t offset, unsigned size, unsigned channel, unsigned other)
{
   struct sanitize_access a = access_of(d, size, SANITIZE_WRITE);
   a.offset = offset;
   a.channel = (uint8_t)channel;
   sanitize_channels(d->sanitizer, &a, other);
}

void
dp_watch_payload(struct dp *d, unsigned reg, unsigned slots, uint32_t mask, unsigned size,
                 enum sanitize_kind kind, const char *what)
{
   const struct eu_shadow *s = eu_shadow_of(d->t);
   for (unsigned i = 0; s && i < slots; i++) {
      unsigned r = reg + i / 8;
      unsigned offset = (unsigned)(d->data - d->t->grf) + r * EU_REG_SIZE;
      if (r >= d->data_regs)
         return;
      if (i % 8 == 0 && !eu_shadow_unwritten(s, offset, EU_REG_SIZE)) {
         i += 7;
         continue;
      }
      if (!(mask >> i & 1) || !eu_shadow_unwritten(s, offset + i % 8 * 4, size))
         continue;
      d->channel = (uint8_t)i;
      struct sanitize_access a = access_of(d, 4, kind);
      sanitize_unwritten(d->sanitizer, &a, what);
   }
}

void
dp_watch_slots(struct dp *d, const uint64_t *offset, unsigned slots, uint32_t mask, unsigned size,
               enum sanitize_kind kind)
{
   const struct pergola_device *dev = d->t->env->dev;
   d->channel = 0;
   struct sanitize_access a = access_of(d, size, kind);
   a.address = d->r.base;
   a.host = d->r.slm;
   if (!sanitize_slots(d->sanitizer, &a, offset, slots, mask))
      return;
   d->sanitizer = NULL;
   d->observed = trace_wants(&dev->trace, PERGOLA_EVENT_MEMORY) || hazard_on(dev->surfaces);
}

/* A register of the response as an offset in the register file, if it lies there. */
static bool
response_at(const struct dp *d, unsigned reg, unsigned *offset)
{
   const uint8_t *there =
       reg < d->m->rlen && d->m->response ? d->m->response + reg * EU_REG_SIZE : NULL;
   if (!there || there < d->t->grf || there >= d->t->grf + EU_GRF_COUNT * EU_REG_SIZE)
      return false;
   *offset = (unsigned)(there - d->t->grf);
   return true;
}

void
dp_watch_exchanged(struct dp *d, unsigned reg)
{
   struct eu_shadow *s = d->unset ? eu_shadow_of(d->t) : NULL;
   unsigned offset;
   for (uint32_t left = d->unset; s && left; left &= left - 1) {
      unsigned i = (unsigned)__builtin_ctz(left);
      if (response_at(d, reg + i / 8, &offset))
         eu_shadow_set(s, offset + i % 8 * 4, 4, true);
   }
}

void
dp_watch_scratch(struct dp *d, unsigned reg, uint64_t offset, uint32_t mask, bool write)
{
   const uint8_t *there = write            ? d->data + reg * EU_REG_SIZE
                          : d->m->response ? d->m->response + reg * EU_REG_SIZE
                                           : NULL;
   if (!there || there < d->t->grf || there >= d->t->grf + EU_GRF_COUNT * EU_REG_SIZE)
      return;
   for (unsigned i = 0; i < 8; i++) {
      uint32_t address = d->r.base + (uint32_t)offset + 4 * i;
      const uint8_t *host = mask >> i & 1 && offset + 4 * i + 4 <= d->r.size
                                ? mem_look_up(d->space, address, MEM_READ)
                                : NULL;
      if (host && (address & 0xfff) <= 4092)
         sanitize_scratch(d->sanitizer, d->t, host, 4, (unsigned)(there - d->t->grf) + 4 * i,
                          write);
   }
}
