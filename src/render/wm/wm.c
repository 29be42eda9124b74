/* The windower: what a draw sets, and the objects in the bin, tile by tile. */
#include "render/draw.h"

#define LEAST_RUNS 32u     /* of tiles, before a worker takes several at once */
#define WHOLE_ROWS 16      /* of a rectangle that is cleared, before the budget is looked at */
#define TILE_SHIFT 6u      /* 64 pixels */
#define WIDE_TILE_SHIFT 8u /* where the drawing rectangle is wider than BIN_TILES of these */

/* P3D-283: which kernel is of which width, by those that are on. */
static void
find_kernels(struct render *r)
{
   const struct hw_3dstate_ps *p = &r->state.ps;
   struct wm *wm = &r->wm;
   const bool on[PS_KERNELS] = {p->_8_pixel_dispatch_enable, p->_16_pixel_dispatch_enable,
                                p->_32_pixel_dispatch_enable};
   const uint32_t start[3] = {p->kernel_start_pointer_0, p->kernel_start_pointer_1,
                              p->kernel_start_pointer_2},
                  grf[3] = {p->dispatch_grf_start_register_for_constant_setup_data_0,
                            p->dispatch_grf_start_register_for_constant_setup_data_1,
                            p->dispatch_grf_start_register_for_constant_setup_data_2};
   unsigned widest = 0;
   for (unsigned k = 0; k < PS_KERNELS; k++) {
      bool others = on[(k + 1) % 3] || on[(k + 2) % 3];
      unsigned pointer = !others || k == 0 ? 0 : k == 1 ? 2 : 1;
      wm->kernel[k] = (struct wm_kernel){.on = on[k], .start = start[pointer], .grf = grf[pointer]};
      widest = on[k] ? k : widest;
   }
   if (on[1] && widest == 2) /* any that is on may be taken; native code has 16 channels */
      widest = 1;
   wm->subspans = 2u << widest;
   if (wm->per_sample) { /* P3D-280: one width; quads of slots are samples */
      wm->parts = (uint8_t)(wm->subspans < wm->samples ? wm->samples / wm->subspans : 1);
      wm->subspans = wm->subspans > wm->samples ? wm->subspans / wm->samples : 1;
      memset(wm->kernel_of, (int)widest, sizeof(wm->kernel_of));
      return;
   }
   /* The narrowest that has room for them. */
   for (unsigned n = 1; n <= PIXEL_SUBSPANS; n++) {
      unsigned k = 0;
      while (k < widest && (!on[k] || n > 2u << k))
         k++;
      wm->kernel_of[n] = (uint8_t)k;
   }
}

/* Is nothing of the payload wanted at a sample or a centroid, or by sample? */
static bool
is_at_pixels(const struct render *r)
{
   enum { PIXEL_MODES = 1 << 0 | 1 << 3 }; /* P3D-274: of the barycentric ones */
   const struct hw_3dstate_wm *s = &r->state.wm;
   bool depth = s->pixel_shader_uses_source_depth || s->pixel_shader_uses_source_w;
   return !r->wm.per_sample && !(s->barycentric_interpolation_mode & ~(uint32_t)PIXEL_MODES) &&
          !(depth && s->position_zw_interpolation_mode) && !r->state.ps.position_xy_offset_select &&
          !s->pixel_shader_uses_input_coverage_mask;
}

void
wm_state_changed(struct render *r)
{
   const struct hw_3dstate_wm *s = &r->state.wm;
   struct wm *wm = &r->wm;
   wm->sx = wm->sy = r->state.multisample.pixel_location ? 0 : 0.5; /* P3D-257 */
   msaa_state_changed(r);
   find_kernels(r);
   bool more = s->pixel_shader_uses_source_depth || s->pixel_shader_uses_source_w ||
               r->state.ps.position_xy_offset_select || s->pixel_shader_uses_input_coverage_mask;
   wm->own_weights = s->barycentric_interpolation_mode && !more;
   wm->own = s->barycentric_interpolation_mode || more;
   wm->at_pixels = wm->samples == 1 || is_at_pixels(r);
}

/* P3D-085, P3D-322: constants and attributes, as far as there are registers. */
static void
fit_registers(struct render *r)
{
   const struct hw_3dstate_ps *p = &r->state.ps;
   unsigned attributes = p->attribute_enable ? r->sbe_count : 0; /* P3D-321 */
   for (unsigned k = 0; k < PS_KERNELS; k++) {
      struct wm_kernel *w = &r->wm.kernel[k];
      unsigned room = EU_GRF_COUNT - w->grf;
      w->constants = r->wm.constants < room ? r->wm.constants : room;
      room = (room - w->constants) / 2;
      w->attributes = attributes < room ? attributes : room;
      if (w->on && (w->constants < r->wm.constants || w->attributes < attributes))
         render_report(r, PERGOLA_ERROR, "P3D-322",
                       "constants and attributes of the pixel shader pass register 127");
   }
}

void
wm_begin(struct render *r)
{
   const struct hw_3dstate_drawing_rectangle *a = &r->state.area;
   bool wide = (a->clipped_drawing_rectangle_x_max | a->clipped_drawing_rectangle_y_max) >=
               BIN_TILES << TILE_SHIFT;
   bin_empty(&r->bin);
   r->bin.tile_shift = wide ? WIDE_TILE_SHIFT : TILE_SHIFT;
   r->wm.constants = 0;
   if (r->state.ps.push_constant_enable) /* P3D-084 */
      r->wm.constants = STATE_CONSTANTS(r, &r->state.constant_ps, 0, r->wm.constant);
   fit_registers(r);
   dispatch_state_changed(&r->ps_crew.crew);
}

/* HiZ operations and fast clears: rectangles in their order, so many rows at a time. False: the
 * budget has ended. */
static bool
whole_rectangles(struct render *r, uint64_t *budget)
{
   struct bin *b = &r->bin;
   struct dispatch_crew *c = &r->ps_crew.crew;
   for (; b->done < b->setups; b->done++, b->row = 0) {
      const struct setup *s = (const struct setup *)(const void *)(b->data + b->at[b->done]);
      for (int32_t y = s->y0 + b->row; y < s->y1; y += WHOLE_ROWS, b->row += WHOLE_ROWS) {
         int32_t end = y + WHOLE_ROWS < s->y1 ? y + WHOLE_ROWS : s->y1;
         if (!dispatch_pay(c, budget))
            return false;
         c->debt += 1 + (s->x1 - s->x0) * WHOLE_ROWS / 8;
         pixel_rectangle(&r->pixel, s->x0, y, s->x1, end, (float)plane_at(&s->z, s->x0, s->y0),
                         s->layer);
      }
   }
   return dispatch_pay(c, budget);
}

/* Tiles that a worker takes at once: the row of a rectangle that is by itself, whose threads may be
 * all alike, or a part of it, so that there is work for all. */
static unsigned
tiles_at_once(const struct bin *b)
{
   const struct setup *s = bin_setup(b, b->done);
   if (b->end - b->done != 1 || s->edges)
      return 1;
   unsigned row = (unsigned)(((s->x1 - 1) >> b->tile_shift) - (s->x0 >> b->tile_shift)) + 1,
            most = b->tiles / LEAST_RUNS;
   while (row > most && row > 1)
      row = (row + 1) / 2;
   return row;
}

static void
begin_walk(struct render *r)
{
   bin_sort(r);
   r->wm.first_thread = r->threads;
   r->threads += r->bin.tiles * WM_TILE_NUMBERS;
   stage_begin(&r->ps_crew, r->bin.tiles, r->state.ps.maximum_number_of_threads + 1,
               tiles_at_once(&r->bin));
   r->bin.open = true;
}

enum cs_result
wm_run(struct render *r, uint64_t *budget)
{
   struct bin *b = &r->bin;
   if (r->pixel.whole || !r->wm.mask) {
      if (r->wm.mask && !whole_rectangles(r, budget))
         return CS_AGAIN;
      bin_empty(b);
      return CS_DONE;
   }
   while (b->open || b->done < b->setups) {
      if (!b->open)
         begin_walk(r);
      enum cs_result result = render_dispatch(&r->ps_crew.crew, budget);
      if (result != CS_DONE)
         return result;
      b->open = false;
      b->done = b->end;
   }
   bin_empty(b);
   return CS_DONE;
}
