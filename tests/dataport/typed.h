/* What the tests of the typed messages have in common: descriptors, images, headers. */
#ifndef PERGOLA_TEST_DATAPORT_TYPED_H
#define PERGOLA_TEST_DATAPORT_TYPED_H

#include "fixture.h"

/* mask: channels that are left out; high: the upper eight slots */
#define READ(mask, high) (5u << 14 | (high) << 13 | (mask) << 8)
#define WRITE(mask, high) (13u << 14 | (high) << 13 | (mask) << 8)
#define ATOMIC(op, ret, high) (6u << 14 | (ret) << 13 | (high) << 12 | (op) << 8)
#define R8G8B8A8_UINT 0xcbu
#define R32_SINT 0xd6u
#define R32_UINT 0xd7u
#define R32_FLOAT 0xd8u

/* Rows of 1024 bytes. */
static inline struct hw_render_surface_state
image(unsigned type, unsigned format, unsigned w, unsigned h, unsigned d)
{
   return (struct hw_render_surface_state){.surface_type = type,
                                           .surface_format = format,
                                           .surface_base_address = FX_DATA,
                                           .width = w - 1,
                                           .height = h - 1,
                                           .depth = d - 1,
                                           .surface_pitch = 1023,
                                           .surface_array = d > 1 && type != SURFTYPE_3D};
}

static inline void
header(struct fx *f, uint32_t pixel_mask)
{
   fx_clear_payload(f);
   fx_in(f, 0)[7] = pixel_mask;
   f->exec_mask = 0xff;
}

/* The same parameters in every slot. */
static inline void
parameters(struct fx *f, unsigned count, const uint32_t *p)
{
   header(f, 0xff);
   for (unsigned k = 0; k < count; k++)
      for (unsigned i = 0; i < 8; i++)
         fx_in(f, 1 + k)[i] = p[k];
}

#endif
