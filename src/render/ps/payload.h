/* What is in the registers of a pixel shader thread when it starts. Inlined into the loop that
 * dispatches them. */
#ifndef PERGOLA_RENDER_PS_PAYLOAD_H
#define PERGOLA_RENDER_PS_PAYLOAD_H

#include "render/draw.h"
#include "render/ps/quad.h"

/* P3D-270: of all subspans of the group. */
PS_INLINE void
ps_depths(struct ps_worker *w)
{
   struct pixel_group *g = &w->pixel.group;
   if (g->subspans == 4) {
      struct quads z = quads_of(&w->s->z, quads_at(g->x), quads_at(g->y));
      store_quads(&g->z[0][0], &g->z[0][8], &z);
      return;
   }
   for (unsigned n = 0; n < g->subspans; n++)
      store_quad(&g->z[0][4 * n], quad_of(&w->s->z, g->x[n], g->y[n]));
}

/* Of the pixels of a block that are left, two rows each. */
PS_INLINE void
ps_block_depths(const struct ps_worker *w, float z[4][16])
{
   const quad_d apart = {0, 2, 4, 6};
   double x = w->mx;
   for (unsigned i = 0; i < 4; i++) {
      double y = w->my + 2 * (int32_t)i;
      if (!(w->mask >> 16 * i & 0xffff))
         continue;
      struct quads q = quads_of(&w->s->z, x + apart, (quad_d){y, y, y, y});
      store_quads(&z[i][0], &z[i][8], &q);
   }
}

/* Where a value of subspan n lies, in the registers from `reg` on: two subspans to a register,
 * `step` registers from one to the next. */
PS_INLINE uint32_t *
place_of(struct eu_thread *t, unsigned reg, unsigned n, unsigned step)
{
   return eu_grf(t, reg + n / 2 * step) + 4 * (n & 1);
}

/* The same for all of 16 slots. */
PS_INLINE void
load_barycentric_16(struct ps_worker *w, unsigned reg, bool perspective, quad_d x, quad_d y)
{
   const struct setup *s = w->s;
   struct eu_thread *t = w->w.t;
   struct quads b1 = quads_of(perspective ? &s->n1 : &s->l1, x, y),
                b2 = quads_of(perspective ? &s->n2 : &s->l2, x, y);
   if (perspective) {
      struct quads d = quads_of(&s->d, x, y);
      for (unsigned i = 0; i < 4; i++) {
         quad_d by = 1.0 / d.pixel[i];
         b1.pixel[i] *= by;
         b2.pixel[i] *= by;
      }
   }
   store_quads(eu_grf(t, reg), eu_grf(t, reg + 2), &b1);
   store_quads(eu_grf(t, reg + 1), eu_grf(t, reg + 3), &b2);
}

/* P3D-268: b1 and b2 in two registers for each eight slots. */
PS_INLINE void
load_barycentric(struct ps_worker *w, unsigned reg, unsigned first, unsigned count,
                 bool perspective)
{
   const struct pixel_group *g = &w->pixel.group;
   const struct setup *s = w->s;
   perspective &= s->perspective;
   if (count == 4 && !first && g->subspans == 4) {
      load_barycentric_16(w, reg, perspective, quads_at(g->x), quads_at(g->y));
      return;
   }
   const struct plane *p1 = perspective ? &s->n1 : &s->l1, *p2 = perspective ? &s->n2 : &s->l2;
   for (unsigned n = 0; n < count; n++) {
      quad_d b1 = {0, 0, 0, 0}, b2 = b1;
      if (first + n < g->subspans) {
         double x = g->x[first + n], y = g->y[first + n];
         b1 = quad_of(p1, x, y);
         b2 = quad_of(p2, x, y);
         if (perspective) {
            quad_d by = 1.0 / quad_of(&s->d, x, y);
            b1 *= by;
            b2 *= by;
         }
      }
      store_quad(place_of(w->w.t, reg, n, 2), b1);
      store_quad(place_of(w->w.t, reg + 1, n, 2), b2);
   }
}

/* P3D-277 */
PS_INLINE void
load_plane(struct ps_worker *w, unsigned reg, unsigned first, unsigned count, const struct plane *p,
           bool reciprocal)
{
   const struct pixel_group *g = &w->pixel.group;
   for (unsigned n = 0; n < count; n++) {
      quad_d v = {0, 0, 0, 0};
      if (first + n < g->subspans) {
         v = quad_of(p, g->x[first + n], g->y[first + n]);
         v = reciprocal ? 1.0 / v : v;
      }
      store_quad(place_of(w->w.t, reg, n, 1), v);
   }
}

/* P3D-278, P3D-279 */
PS_INLINE unsigned
load_samples(struct ps_worker *w, const struct render *r, unsigned reg, unsigned first,
             unsigned count)
{
   if (r->state.ps.position_xy_offset_select) { /* the middle of the pixel: U4.4 */
      memset(eu_grf(w->w.t, reg), 0, EU_REG_SIZE);
      memset(eu_grf(w->w.t, reg), 8, 2 * 4 * count);
      reg++;
   }
   if (r->state.wm.pixel_shader_uses_input_coverage_mask) {
      for (unsigned i = 0; i < 4 * count; i++)
         eu_grf(w->w.t, reg + i / 8)[i % 8] = w->lit >> (4 * first + i) & 1;
      reg += count / 2;
   }
   return reg;
}

/* Of up to 16 slots: what order the groups have (G3D-098, P3D-274). Returns the register behind
 * them. */
PS_INLINE unsigned
load_half(struct ps_worker *w, const struct render *r, unsigned reg, unsigned first, unsigned count)
{
   const struct hw_3dstate_wm *wm = &r->state.wm;
   for (unsigned mode = 0; mode < 6; mode++)
      if (wm->barycentric_interpolation_mode >> mode & 1) {
         load_barycentric(w, reg, first, count, mode < 3);
         reg += count;
      }
   if (wm->pixel_shader_uses_source_depth) {
      load_plane(w, reg, first, count, &w->s->z, false);
      reg += count / 2;
   }
   if (wm->pixel_shader_uses_source_w) {
      load_plane(w, reg, first, count, &w->s->d, true);
      reg += count / 2;
   }
   return load_samples(w, r, reg, first, count);
}

PS_INLINE void
ps_load_own(struct ps_worker *w, const struct render *r)
{
   if (w->width < 32) {
      load_half(w, r, 2, 0, w->width / 4);
      return;
   }
   load_half(w, r, load_half(w, r, 3, 0, 4), 4, 4); /* P3D-320 */
}

/* Of the first four subspans, y above x; 0 where there is none. */
typedef uint32_t ps_places __attribute__((vector_size(16)));

PS_INLINE ps_places
places_of(const struct pixel_group *g)
{
   typedef uint16_t words __attribute__((vector_size(16)));
   typedef uint64_t pair __attribute__((vector_size(16)));
   uint64_t x, y, there = g->subspans < 4 ? (UINT64_C(1) << 16 * g->subspans) - 1 : UINT64_MAX;
   memcpy(&x, g->x, sizeof(x));
   memcpy(&y, g->y, sizeof(y));
   words both = (words)(pair){x & there, y & there};
   return (ps_places)__builtin_shufflevector(both, both, 0, 4, 1, 5, 2, 6, 3, 7);
}

/* R1 or R2: where four subspans are, and which of their pixels are lit. */
PS_INLINE stage_row
places_row(ps_places at, uint32_t lit)
{
   ps_places more = {lit << 16 | lit, 0, 0, 0};
   return __builtin_shufflevector(at, more, 5, 5, 0, 1, 2, 3, 5, 4);
}

/* R0 of the thread. */
PS_INLINE stage_row
header_row(const struct ps_worker *w, const struct render *r)
{
   uint32_t fftid = w->w.place.fftid,
            scratch = fftid * (1024u << r->state.ps.per_thread_scratch_space);
   ps_places low, high = {w->header[4], (w->header[5] + scratch) | fftid,
                          w->number & GEN7_R0_PS__THREAD_ID, 0};
   memcpy(&low, w->header, sizeof(low));
   if (__builtin_expect(w->pair, 0)) /* P3D-280 */
      low |= (ps_places){hw_put(w->pair, GEN7_R0_PS__STARTING_SAMPLE_PAIR_INDEX), 0, 0, 0};
   return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* What the threads of an object have of it in common. */
PS_INLINE void
ps_make_header(struct ps_worker *w, const struct render *r)
{
   const struct hw_3dstate_ps *ps = &r->state.ps;
   const struct setup *s = w->s;
   *(stage_row *)(void *)w->header =
       (stage_row){hw_put(s->viewport, GEN7_R0_PS__VIEWPORT_INDEX) |
                       hw_put(s->layer, GEN7_R0_PS__RENDER_TARGET_ARRAY_INDEX) |
                       hw_put(s->back_facing, GEN7_R0_PS__BACK_FACING) |
                       hw_put(w->bypass.source_depth, GEN7_R0_PS__SOURCE_DEPTH_TO_RENDER_TARGET) |
                       hw_put(w->bypass.omask, GEN7_R0_PS__OMASK_TO_RENDER_TARGET) |
                       hw_put(s->topology, GEN7_R0_PS__TOPOLOGY),
                   r->state.cc.color_calc_state_pointer,
                   0,
                   r->state.samplers_ps.pointer_to_sampler_state | ps->per_thread_scratch_space,
                   r->state.table_ps.pointer_to_binding_table,
                   ps->scratch_space_base_pointer,
                   0,
                   0};
}

/* G3D-097, P3D-318: R0 and R1, and R2 of 32 slots. */
PS_INLINE void
ps_load_header(struct ps_worker *w, const struct render *r)
{
   const struct pixel_group *g = &w->pixel.group;
   stage_row *grf = (stage_row *)(void *)w->w.t->grf, *kept = (stage_row *)(void *)w->bypass.header;
   grf[0] = kept[0] = header_row(w, r);
   if (__builtin_expect(w->width < 32 && !r->wm.per_sample, 1)) {
      grf[1] = kept[1] = places_row(places_of(g), w->lit & 0xffff);
      return;
   }
   uint32_t place[8];
   for (unsigned n = 0; n < PIXEL_SUBSPANS; n++)
      place[n] = n < g->subspans ? (uint32_t)g->y[n] << 16 | g->x[n] : 0;
   if (r->wm.per_sample) /* P3D-280: of the slots' own subspan */
      msaa_places(w, place);
   ps_places low = {place[0], place[1], place[2], place[3]},
             high = {place[4], place[5], place[6], place[7]};
   grf[1] = kept[1] = places_row(low, w->lit & 0xffff);
   if (w->width == 32)
      grf[2] = *(stage_row *)(void *)w->upper = places_row(high, w->lit >> 16);
}

#endif
