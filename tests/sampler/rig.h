/* A device with textures and samplers for the sampler's tests. */
#ifndef PERGOLA_TEST_SAMPLER_RIG_H
#define PERGOLA_TEST_SAMPLER_RIG_H

#include "../dataport/fixture.h"
#include "shared_functions/sampler/sampler.h"
#include "surface/view.h"
#include "tests/proves.h"

#include <math.h>

#define RIG_SAMPLERS 0x300000u /* dynamic state base: samplers, 16 bytes each */
#define RIG_BORDER 0x400u      /* border colour, from there */

enum { SIMD4X2, SIMD8, SIMD16, SIMD32 };

static inline int
rig_setup(void **state)
{
   if (fx_setup(state))
      return -1;
   struct fx *f = *state;
   f->env.dynamic_state_base = RIG_SAMPLERS;
   f->t.sampler_states = 0;
   return 0;
}

static inline void
rig_sampler(struct fx *f, unsigned index, const struct hw_sampler_state *st)
{
   uint32_t dw[4];
   gen7_sampler_state_pack(dw, st);
   memcpy(fx_at(f, RIG_SAMPLERS + 16 * index), dw, sizeof(dw));
   surface_cache_invalidate(f->dev->surfaces);
}

static inline void
rig_border(struct fx *f, float r, float g, float b, float a)
{
   float v[4] = {r, g, b, a};
   memcpy(fx_at(f, RIG_SAMPLERS + RIG_BORDER), v, sizeof(v));
   surface_cache_invalidate(f->dev->surfaces);
}

static inline uint32_t
rig_bits(float v)
{
   uint32_t u;
   memcpy(&u, &v, 4);
   return u;
}

static inline float
rig_float(uint32_t u)
{
   float v;
   memcpy(&v, &u, 4);
   return v;
}

/* Parameters as the message has them: register n behind the header, or pairs of them in SIMD16. */
static inline void
rig_put(struct fx *f, unsigned simd, bool header, unsigned n, unsigned pixel, uint32_t bits)
{
   unsigned regs = simd == SIMD16 ? 2 : 1;
   if (simd == SIMD4X2)
      fx_in(f, header + n / 4)[4 * pixel + n % 4] = bits;
   else
      fx_in(f, header + n * regs + pixel / 8)[pixel % 8] = bits;
}

static inline void
rig_put_float(struct fx *f, unsigned simd, bool header, unsigned n, unsigned pixel, float v)
{
   rig_put(f, simd, header, n, pixel, rig_bits(v));
}

static inline uint32_t
rig_get(struct fx *f, unsigned simd, unsigned channel, unsigned pixel)
{
   if (simd == SIMD4X2)
      return fx_out(f, 0)[4 * pixel + channel];
   unsigned regs = simd == SIMD16 ? 2 : 1;
   return fx_out(f, channel * regs + pixel / 8)[pixel % 8];
}

static inline float
rig_get_float(struct fx *f, unsigned simd, unsigned channel, unsigned pixel)
{
   return rig_float(rig_get(f, simd, channel, pixel));
}

/* parameters: sent, behind the header. rlen 0: what the form returns. */
static inline void
rig_send_full(struct fx *f, unsigned type, unsigned simd, unsigned bti, unsigned sampler,
              bool header, unsigned parameters, unsigned rlen, bool eot)
{
   unsigned regs = simd == SIMD16    ? 2 * parameters
                   : simd == SIMD4X2 ? (parameters + 3) / 4
                                     : parameters;
   unsigned mlen = header + regs;
   if (!rlen)
      rlen = simd == SIMD4X2 ? 1 : simd == SIMD8 ? 4 + (type == SAMPLER_KILLPIX) : 8;
   struct sf_message m = {.sfid = SFID_SAMPLER,
                          .header = header,
                          .eot = eot,
                          .mlen = (uint8_t)mlen,
                          .rlen = (uint8_t)rlen,
                          .exec_size = (uint8_t)(simd == SIMD16 ? 16 : 8),
                          .exec_mask = f->exec_mask,
                          .payload = f->t.grf + FX_PAYLOAD * EU_REG_SIZE,
                          .response = f->t.grf + FX_RESPONSE * EU_REG_SIZE};
   m.desc = bti | sampler << 8 | type << 12 | simd << 17 | (uint32_t)header << 19 | rlen << 20 |
            mlen << 25;
   m.ip = f->t.ip;
   f->t.ip += 16;
   assert_int_equal(sf_sampler(&f->t, &m), SF_OK);
}

static inline void
rig_send(struct fx *f, unsigned type, unsigned simd, unsigned bti, unsigned sampler,
         unsigned parameters)
{
   rig_send_full(f, type, simd, bti, sampler, false, parameters, 0, false);
}

/* A 2D surface of one level, linear. */
static inline struct hw_render_surface_state
rig_2d(unsigned format, unsigned width, unsigned height, unsigned pitch_B)
{
   return (struct hw_render_surface_state){.surface_type = SURFTYPE_2D,
                                           .surface_format = format,
                                           .surface_base_address = FX_DATA,
                                           .width = width - 1,
                                           .height = height - 1,
                                           .surface_pitch = pitch_B - 1};
}

#endif
