/* What the tests of the render target write share: targets, headers, a windower that remembers. */
#ifndef PERGOLA_TEST_RENDER_TARGET_H
#define PERGOLA_TEST_RENDER_TARGET_H

#include "machine/float_bits.h"
#include "fixture.h"
#include "shared_functions/pixel_backend.h"

enum { SIMD16, REPDATA, DUAL_LO, DUAL_HI, SIMD8 };
#define RT(type) (12u << 14 | (type) << 8)
#define LAST (1u << 12)
#define OMASK (1u << 12)
#define DEPTH (1u << 13)
#define ALPHA0 (1u << 11)
#define RGBA_FLOAT 0u

/* What the windower would get. */
struct seen {
   struct rt_write w;
   unsigned calls;
   struct rt_bypass bypass;
   bool has_bypass;
   unsigned asked_group;
};

static inline void
take(void *data, struct eu_thread *t, struct rt_write *w)
{
   struct seen *s = data;
   (void)t;
   s->w = *w;
   s->calls++;
}

static inline bool
give_bypass(void *data, const struct eu_thread *t, unsigned slot_group, struct rt_bypass *out)
{
   struct seen *s = data;
   (void)t;
   s->asked_group = slot_group;
   *out = s->bypass;
   return s->has_bypass;
}

/* A pixel shader thread of 16 pixels; the data port itself writes the colours. */
static inline struct pixel_backend *
plain_windower(void)
{
   static struct pixel_backend windower = {.dispatch_width = 16};
   return &windower;
}

/* A Y-tiled target of 64 by 64 pixels at index 0, for a thread that the windower dispatched. */
static inline void
target(struct fx *f, unsigned format, unsigned samples)
{
   if (!f->env.pixel)
      f->env.pixel = plain_windower();
   struct hw_render_surface_state st = {.surface_type = SURFTYPE_2D,
                                        .surface_format = format,
                                        .tiled_surface = true,
                                        .tile_walk = 1,
                                        .surface_base_address = FX_DATA,
                                        .width = 63,
                                        .height = 63,
                                        .surface_pitch = 2047,
                                        .surface_array_spacing = samples > 1,
                                        .surface_vertical_alignment = 1,
                                        .number_of_multisamples = samples == 8   ? 3
                                                                  : samples == 4 ? 2
                                                                                 : 0};
   fx_surface(f, 0, &st);
}

/* M0 and M1: four subspans side by side at (8, 4). */
static inline void
header(struct fx *f, uint32_t dw0, uint32_t enables)
{
   fx_clear_payload(f);
   fx_in(f, 0)[0] = dw0;
   for (unsigned n = 0; n < 4; n++)
      fx_in(f, 1)[2 + n] = 4u << 16 | (8 + 2 * n);
   fx_in(f, 1)[7] = 0xffffu << 16 | enables;
}

static inline void
place_of(unsigned slot, unsigned *x, unsigned *y)
{
   *x = 8 + 2 * (slot / 4) + slot % 2;
   *y = 4 + slot % 4 / 2;
}

#endif
