/* Targets whose samples share slices by a control surface. A pixel that is written in all samples
 * alike is one element, in slice 0; one that is written in part has each sample in its own slice.
 */
#include "render/pixel_private.h"
#include "surface/mcs.h"

#include <string.h>

/* A pixel under way. */
struct pixel_samples {
   struct eu_thread *t;
   const struct rt_write *m;
   const struct cc_target *target;
   unsigned x, y;
   uint32_t control;                             /* its element of the control surface, at … */
   uint32_t control_at;                          /* … this address */
   uint8_t element[DEPTH_SAMPLES][CC_ELEMENT_B]; /* what samples are, and will be */
};

/* False: outside. */
static bool
control_address(const struct rt_write *m, unsigned x, unsigned y, uint32_t *address)
{
   struct surface mcs;
   struct surface_view v;
   mcs_surface(&m->surface, &mcs);
   surface_view_make(&v, &mcs, 0);
   return surface_view_contains(&v, x, y, m->layer) &&
          surface_view_address(&v, x, y, m->layer, 0, address);
}

static unsigned
control_B(const struct surface *s)
{
   return s->samples == 8 ? 4 : 1;
}

/* What the sample is now: that of its slice, or the clear colour. */
static void
load_sample(struct pixel_samples *p, unsigned sample)
{
   const struct surface *s = &p->m->surface;
   uint32_t color[4], address;
   if (mcs_is_clear(s->samples, p->control)) {
      pixel_clear_color(s, color);
      format_pack(s->info, color, p->element[sample]);
   } else if (rt_element(p->t, p->m, p->x, p->y, mcs_slice(s->samples, p->control, sample), false,
                         &address)) {
      mem_read(p->t->env->space, address, p->element[sample], p->target->element_B);
   }
}

static void
store_slice(const struct pixel_samples *p, unsigned slice, unsigned sample)
{
   uint32_t address;
   if (rt_element(p->t, p->m, p->x, p->y, slice, true, &address))
      mem_write(p->t->env->space, address, p->element[sample], p->target->element_B);
}

static void
store_control(struct pixel_samples *p, uint32_t value)
{
   if (p->control != value)
      mem_write(p->t->env->space, p->control_at, &value, control_B(&p->m->surface));
}

/* Are all samples the same? */
static bool
alike(const struct pixel_samples *p, unsigned samples)
{
   for (unsigned s = 1; s < samples; s++)
      if (memcmp(p->element[0], p->element[s], p->target->element_B) != 0)
         return false;
   return true;
}

/* P3D-361, P3D-362: samples that are not written keep what they were. */
static void
store(struct pixel_samples *p, uint32_t written)
{
   unsigned samples = p->m->surface.samples;
   uint32_t all = (1u << samples) - 1, own = mcs_identity(samples);
   if (written == all && alike(p, samples)) {
      store_slice(p, 0, 0);
      store_control(p, 0);
      return;
   }
   bool expand = (p->control & mcs_bits(samples)) != own;
   for (unsigned s = 0; s < samples && expand; s++)
      if (!(written >> s & 1))
         load_sample(p, s);
   for (unsigned s = 0; s < samples; s++)
      if (expand || written >> s & 1)
         store_slice(p, s, s);
   if (expand)
      store_control(p, own);
}

void
mcs_write(struct eu_thread *t, const struct rt_write *m, const struct cc_target *target,
          const struct rt_slot *slot, uint32_t samples)
{
   struct pixel_samples p = {t, m, target, slot->x, slot->y};
   samples &= (1u << m->surface.samples) - 1;
   if (!samples || !target->element_B || m->surface.info->layout != FORMAT_PLAIN ||
       !control_address(m, p.x, p.y, &p.control_at))
      return;
   if (!mem_read(t->env->space, p.control_at, &p.control, control_B(&m->surface)))
      return;
   unsigned first = (unsigned)__builtin_ctz(samples);
   for (uint32_t left = samples; left; left &= left - 1) {
      unsigned s = (unsigned)__builtin_ctz(left);
      if (!target->reads && s != first) { /* one colour for all */
         memcpy(p.element[s], p.element[first], sizeof(p.element[s]));
         continue;
      }
      if (target->reads)
         load_sample(&p, s);
      cc_element(target, p.x, p.y, slot->color, p.element[s]);
   }
   store(&p, samples);
}

void
mcs_clear(struct eu_thread *t, const struct rt_write *m, uint32_t x0, uint32_t y0, uint32_t x1,
          uint32_t y1)
{
   const uint32_t ones = UINT32_MAX;
   uint32_t address;
   for (uint32_t y = y0; y < y1 && y < m->view.height; y++)
      for (uint32_t x = x0; x < x1 && x < m->view.width; x++)
         if (control_address(m, x, y, &address))
            mem_write(t->env->space, address, &ones, control_B(&m->surface));
}
