/* Private to the pixel back end. */
#ifndef PERGOLA_RENDER_PIXEL_PRIVATE_H
#define PERGOLA_RENDER_PIXEL_PRIVATE_H

#include "render/pixel.h"

/* pixel_write.c: pixel_backend.pixels. */
void pixel_write(void *data, struct eu_thread *t, struct rt_write *m);
/* pixel_fast.c: pixel_backend.mix. */
bool pixel_mix(void *data, const uint32_t *header, const struct surface_view *v, unsigned slots,
               bool last, struct rt_mix *out);
/* Pixels of which some sample is lit. */
static inline uint32_t
any_sample(const uint32_t *lit, unsigned samples)
{
   uint32_t any = 0;
   for (unsigned s = 0; s < samples; s++)
      any |= lit[s];
   return any;
}

/* Samples that have passed everything. */
void pixel_count(struct pixel_worker *w, const uint32_t *lit);
/* pixel_oa.c: before: lit samples as they were before the early tests; a message: pixels that it
 * had, and has after all tests, target: that is written, or NULL. */
void pixel_oa_early(struct pixel_worker *w, const uint32_t *before);
void pixel_oa_message(struct pixel_worker *w, uint32_t alive, uint32_t shown,
                      const struct cc_target *target);
/* pixel_check.c: rules of clears and resolves, and of a target. */
void pixel_check_rectangles(const struct pixel *p, const struct hw_3dstate_wm *wm);
void pixel_check_unmodelled(const struct pixel *p);
void pixel_check_place(const struct pixel *p, int32_t x0, int32_t y0, int32_t x1, int32_t y1);
void pixel_check_target(const struct pixel_worker *w, const struct rt_write *m,
                        const struct cc_target *t);
/* msaa/mcs.c: a colour to samples (a bit each) of a target with a control surface. */
void mcs_write(struct eu_thread *t, const struct rt_write *m, const struct cc_target *target,
               const struct rt_slot *s, uint32_t samples);
/* Control of pixels from x0 to x1 - 1 and y0 to y1 - 1: all have the clear colour. */
void mcs_clear(struct eu_thread *t, const struct rt_write *m, uint32_t x0, uint32_t y0, uint32_t x1,
               uint32_t y1);
/* pixel_clear.c: P3D-366. */
void pixel_clear_color(const struct surface *s, uint32_t color[4]);
/* pixel_clear.c: a message of a fast clear. */
void pixel_fast_clear(struct pixel_worker *w, struct eu_thread *t, struct rt_write *m);

#endif
