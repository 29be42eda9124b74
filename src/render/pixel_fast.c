/* Render target writes whose colours eight at a time go through the colour calculator. */
#include "render/pixel_private.h"

/* The entry of BLEND_STATE on a format that is new to it. Rules are named by the slow path: what
 * breaks one has no fast path. */
static void
choose(struct pixel_worker *w, unsigned i, const struct surface_view *v)
{
   const struct pixel *p = w->p;
   struct cc_target *t = &w->target[i];
   if (t->format != v->format)
      cc_resolve(t, &p->blend[i], &p->cc, v->format);
   w->fast[i].known = v->format;
   w->fast[i].fast = !t->rules && cc_choose_fast(t, v, &w->fast[i].mix, &w->fast[i].mix_row);
   if (t->rules)
      t->format = NULL; /* pixel_target looks again, and reports */
}

/* Are the message's slots those of the group, in their order? */
static bool
is_group(const struct pixel_group *g, const uint32_t *header, uint32_t live)
{
   for (unsigned i = 0; i < 4; i++)
      if (live >> 4 * i & 15 && header[10 + i] != ((uint32_t)g->y[i] << 16 | g->x[i]))
         return false;
   return true;
}

bool
pixel_mix(void *data, const uint32_t *header, const struct surface_view *v, unsigned slots,
          bool last, struct rt_mix *out)
{
   struct pixel_worker *w = data;
   const struct pixel *p = w->p;
   unsigned i = header ? header[2] & (CC_TARGETS - 1) : 0; /* P3D-335 */
   if (p->fast_clear || p->resolve || p->alpha[i].test || p->computed || w->group.smooth)
      return false;
   if (p->samples > 1 && (p->when != PIXEL_BEFORE || p->alpha[i].to_coverage || p->oa))
      return false;
   if (header && !is_group(&w->group, header, out->live))
      return false;
   if (__builtin_expect(w->fast[i].known != v->format, 0))
      choose(w, i, v);
   if (!w->fast[i].fast)
      return false;
   out->reads = w->target[i].reads;
   out->state = &w->target[i];
   out->mix = w->fast[i].mix;
   out->mix_row = w->fast[i].mix_row;
   if (p->samples > 1) {
      out->samples = w->group.lit;
      out->lasting = &w->target[i].format;
      return true;
   }
   uint32_t live = out->live & w->group.lit[0], alive = live;
   if (p->when != PIXEL_BEFORE) { /* as late_tests does it, for one sample */
      uint32_t survived = (w->survived[0] |= live) & ((1u << slots) - 1);
      w->oa.late |= survived;
      depth_group_why(&p->depth, &w->group, (const float(*)[32])w->group.z, &survived, last,
                      &w->oa.stencil);
      live &= survived;
      if (last) {
         w->survived[0] &= ~((1u << slots) - 1);
         pixel_count(w, &survived);
      }
   }
   if (__builtin_expect(p->oa, 0))
      pixel_oa_message(w, alive, live, &w->target[i]);
   else if (p->when == PIXEL_BEFORE)
      out->lasting = &w->target[i].format;
   out->live = live;
   return true;
}
