/* Render target writes of pixel shader threads: what of them lives, late tests, colours. The
 * general code: any message, any target. */
#include "render/pixel_private.h"

#include "machine/float_bits.h"
#include "surface/mcs.h"

#include <string.h>

/* A message's slot in its group. */
struct place {
   uint8_t pixel, sample;
};

/* DP-322: a header may send other subspans of the thread than the slots' own; coordinates say
 * which. Those of a slot that is off say nothing: it must not be taken for another one's pixel. */
static unsigned
find_subspan(const struct pixel_group *g, const struct rt_slot *s, unsigned pixel, unsigned own)
{
   unsigned x = s->x - (pixel & 1), y = s->y - (pixel >> 1);
   if (!s->enabled || (g->x[own] == x && g->y[own] == y))
      return own;
   for (unsigned i = 0; i < g->subspans; i++)
      if (g->x[i] == x && g->y[i] == y)
         return i;
   return own;
}

/* DP-373: slots 31:16 are the upper half of the group; with a thread per sample they are further
 * samples, or the next subspan. */
static struct place
place_of(const struct pixel_worker *w, const struct rt_write *m, unsigned i)
{
   const struct pixel *p = w->p;
   unsigned samples = p->per_sample ? p->samples : 1, number = m->first_slot + i;
   struct rt_slot_place at =
       rt_slot_place(m->first_slot ? 16 : m->slot_count, samples, m->sample_pair, number);
   unsigned subspan = at.subspan;
   if (m->slot_group)
      subspan += samples == 1 ? 4 : samples == 4 ? 1 : 0;
   if (m->slot_group && samples == 8) /* DP-365 */
      at.sample = (uint8_t)(at.sample + 4);
   subspan = find_subspan(&w->group, &m->slot[i], at.pixel, subspan % PIXEL_SUBSPANS);
   return (struct place){(uint8_t)(4 * subspan + at.pixel), at.sample};
}

/* The alpha that tests go by: that of the first target if it is sent along. */
static float
test_alpha(const struct rt_write *m, const struct rt_slot *s, bool to_one)
{
   if (to_one)
      return 1.0f;
   return m->has_source0_alpha ? s->source0_alpha : bits_float(s->color[0][CC_ALPHA]);
}

/* P3D-334, P3D-350, P3D-352, P3D-355: samples of a slot that the message itself leaves. */
static uint32_t
slot_samples(const struct pixel *p, const struct rt_write *m, const struct rt_slot *s,
             bool *alpha_failed)
{
   unsigned entry = m->render_target_index % CC_TARGETS;
   const struct cc_alpha *a = &p->alpha[entry];
   uint32_t mask = s->omask & ((1u << p->samples) - 1);
   if (a->to_coverage && p->samples > 1 && !m->has_omask) /* P3D-352 */
      mask &= cc_alpha_coverage(test_alpha(m, s, false), p->samples);
   bool to_one = p->blend[entry].alphatoone_enable;
   *alpha_failed = a->test && !cc_alpha_test(a, test_alpha(m, s, to_one));
   if (*alpha_failed)
      mask = 0;
   return mask;
}

/* What is lit of the message's slots. Returns the pixels that it speaks of; alive: those that it
 * enables. */
static uint32_t
message_lit(struct pixel_worker *w, const struct rt_write *m, uint32_t lit[DEPTH_SAMPLES],
            uint32_t *alive)
{
   const struct pixel *p = w->p;
   const struct pixel_group *g = &w->group;
   uint32_t pixels = 0;
   memset(lit, 0, DEPTH_SAMPLES * sizeof(*lit));
   for (unsigned i = 0; i < m->slot_count; i++) {
      struct place at = place_of(w, m, i);
      uint32_t bit = 1u << at.pixel;
      pixels |= bit;
      if (!m->slot[i].enabled)
         continue;
      bool alpha_failed;
      uint32_t samples = slot_samples(p, m, &m->slot[i], &alpha_failed);
      *alive |= bit;
      w->oa.alpha |= alpha_failed ? bit : 0;
      for (unsigned s = 0; s < p->samples; s++)
         if (samples >> s & 1 && (!p->per_sample || s == at.sample || p->samples == 1))
            lit[s] |= g->lit[s] & bit;
   }
   return pixels;
}

/* ---- late tests ----------------------------------------------------------------------------- */

/* P3D-309 */
static void
check_promise(const struct pixel_worker *w, struct eu_thread *t, const struct rt_write *m,
              float computed, float interpolated)
{
   enum {
      ON_GE = GEN7_3DSTATE_WM_PIXEL_SHADER_COMPUTED_DEPTH_MODE_PSCDEPTH_ON_GE,
      ON_LE = GEN7_3DSTATE_WM_PIXEL_SHADER_COMPUTED_DEPTH_MODE_PSCDEPTH_ON_LE,
   };
   bool broken = w->p->computed == ON_GE ? computed < interpolated
                                         : w->p->computed == ON_LE && computed > interpolated;
   if (!broken)
      return;
   struct rule_place place = {.engine = "WM",
                              .subject = "pixel shader",
                              .has_address = true,
                              .address = t->env->instruction_base + t->kernel_start};
   rule_report(w->p->dev, PERGOLA_WARNING, "P3D-309", &place,
               "a computed depth is %s than the interpolated one, which 3DSTATE_WM excludes",
               w->p->computed == ON_GE ? "less" : "greater");
}

/* P3D-308: depth of the message in place of the interpolated one. */
static void
computed_depth(const struct pixel_worker *w, struct eu_thread *t, const struct rt_write *m,
               float (*z)[PIXEL_SLOTS])
{
   const struct pixel *p = w->p;
   bool rules = rules_on(p->dev) && p->needs_z;
   for (unsigned i = 0; i < m->slot_count; i++) {
      struct place at = place_of(w, m, i);
      bool one = p->per_sample && p->samples > 1;
      for (unsigned s = one ? at.sample : 0; s <= (one ? at.sample : p->samples - 1u); s++) {
         z[s][at.pixel] = m->slot[i].depth;
         if (rules && m->slot[i].enabled && w->group.lit[s] >> at.pixel & 1)
            check_promise(w, t, m, m->slot[i].depth, w->group.z[s][at.pixel]);
      }
   }
}

/* P3D-310, P3D-351: the last message decides; what any of them has let through is written. */
static void
late_tests(struct pixel_worker *w, struct eu_thread *t, const struct rt_write *m, uint32_t pixels,
           uint32_t lit[DEPTH_SAMPLES])
{
   const struct pixel *p = w->p;
   float computed[DEPTH_SAMPLES][PIXEL_SLOTS];
   const float(*z)[32] = (const float(*)[32])w->group.z;
   if (p->computed && m->has_depth) {
      memcpy(computed, w->group.z, p->samples * sizeof(computed[0]));
      computed_depth(w, t, m, computed);
      z = (const float(*)[32])computed;
   }
   uint32_t survived[DEPTH_SAMPLES];
   for (unsigned s = 0; s < p->samples; s++)
      survived[s] = (w->survived[s] |= lit[s]) & pixels;
   for (unsigned s = 0; s < p->samples; s++)
      w->oa.late |= survived[s];
   depth_group_why(&p->depth, &w->group, z, survived, m->last, &w->oa.stencil);
   for (unsigned s = 0; s < p->samples; s++) {
      lit[s] &= survived[s];
      if (m->last)
         w->survived[s] &= ~pixels;
   }
   if (m->last)
      pixel_count(w, survived);
}

/* ---- colours -------------------------------------------------------------------------------- */

/* The target of a message: its entry of BLEND_STATE, as it acts on its format. */
static const struct cc_target *
pixel_target(struct pixel_worker *w, const struct rt_write *m)
{
   unsigned i = m->render_target_index % CC_TARGETS; /* P3D-335 */
   struct cc_target *t = &w->target[i];
   if (t->format == m->surface.info)
      return t;
   cc_resolve(t, &w->p->blend[i], &w->p->cc, m->surface.info);
   if (rules_on(w->p->dev))
      pixel_check_target(w, m, t);
   return t;
}

static void
write_sample(struct eu_thread *t, const struct rt_write *m, const struct cc_target *target,
             const struct rt_slot *s, unsigned sample)
{
   uint8_t element[CC_ELEMENT_B] = {0};
   uint32_t address;
   if (m->surface.info->layout != FORMAT_PLAIN || !target->element_B) {
      rt_store(t, m, s->x, s->y, sample, s->color[0]);
      return;
   }
   if (target->reads) {
      if (!rt_element(t, m, s->x, s->y, sample, false, &address))
         return;
      mem_read(t->env->space, address, element, target->element_B);
   }
   cc_element(target, s->x, s->y, s->color, element);
   if (rt_element(t, m, s->x, s->y, sample, true, &address))
      mem_write(t->env->space, address, element, target->element_B);
}

/* P3D-233: coverage of antialiased lines goes into alpha, before anything looks at it. */
static void
apply_coverage(const struct pixel_worker *w, struct rt_write *m)
{
   for (unsigned i = 0; i < m->slot_count; i++) {
      float by = w->group.coverage[place_of(w, m, i).pixel];
      struct rt_slot *s = &m->slot[i];
      s->color[0][CC_ALPHA] = float_bits(bits_float(s->color[0][CC_ALPHA]) * by);
      s->source0_alpha *= by;
   }
}

/* Samples of the slot's pixel that get its colour. */
static uint32_t
written_samples(const struct pixel_worker *w, const struct rt_write *m, const uint32_t *lit,
                unsigned i)
{
   const struct pixel *p = w->p;
   struct place at = place_of(w, m, i);
   uint32_t samples = 0;
   for (unsigned s = 0; s < p->samples; s++)
      if (!p->per_sample || p->samples == 1 || s == at.sample)
         samples |= (lit[s] >> at.pixel & 1) << s;
   return samples;
}

void
pixel_write(void *data, struct eu_thread *t, struct rt_write *m)
{
   struct pixel_worker *w = data;
   const struct pixel *p = w->p;
   uint32_t lit[DEPTH_SAMPLES], alive = 0;
   if (p->resolve || p->fast_clear)
      w->oa.alive = w->oa.shown = w->oa.lit;
   if (p->resolve) /* P3D-367: memory is as the resolve would make it */
      return;
   if (p->fast_clear) {
      pixel_fast_clear(w, t, m);
      return;
   }
   if (w->group.smooth && m->surface.info->channel_class == FORMAT_CLASS_FLOAT)
      apply_coverage(w, m);
   uint32_t pixels = message_lit(w, m, lit, &alive);
   if (p->when != PIXEL_BEFORE)
      late_tests(w, t, m, pixels, lit);
   bool no_color = m->color_dropped || m->surface.type == SURFTYPE_NULL; /* P3D-356 */
   const struct cc_target *target = no_color ? NULL : pixel_target(w, m);
   if (__builtin_expect(p->oa, 0))
      pixel_oa_message(w, alive, any_sample(lit, p->samples), target);
   if (no_color)
      return;
   if (mcs_present(&m->surface)) {
      for (unsigned i = 0; i < m->slot_count; i++)
         mcs_write(t, m, target, &m->slot[i], written_samples(w, m, lit, i));
      return;
   }
   for (unsigned i = 0; i < m->slot_count; i++)
      for (uint32_t left = written_samples(w, m, lit, i); left; left &= left - 1)
         write_sample(t, m, target, &m->slot[i], (unsigned)__builtin_ctz(left)); /* P3D-354 */
}
