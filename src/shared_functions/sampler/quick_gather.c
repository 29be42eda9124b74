/* The fast path of gather4 and its relatives: 2D surfaces, arrays and cubes of formats that become
 * floats. Bit for bit what sampler_gather does, eight pixels at a time. */
#include "machine/fpmode.h"
#include "shared_functions/sampler/quick_message.h"

/* Where the texels of eight pixels lie is asked of one level. */
static ALWAYS_INLINE unsigned
gathered_level(const struct texture *x)
{
   if (x->s.type == SURFTYPE_2D)
      return 0;
   return (unsigned)v8i_lane(levels8(x, v8i_all(0)).level, 0);
}

/* SMP-286, SMP-288: as gathered of filter.c. */
static ALWAYS_INLINE unsigned
gathered_channel(const struct texture *x, unsigned channel)
{
   bool pair = x->s.format == GEN7_SURFACE_FORMAT_R32G32_FLOAT_LD ||
               x->s.format == GEN7_SURFACE_FORMAT_R32G32_FLOAT;
   return channel == 2 && pair ? 1 : channel;
}

/* SMP-282: six bits, signed, for each pixel. */
static ALWAYS_INLINE void
read_offsets8(const uint8_t *payload, unsigned step, struct where8 *p)
{
   for (unsigned i = 0; i < 2; i++) {
      v8i offset = v8i_load(payload + (2 + i) * step);
      p->offset[i] = v8i_to_float(v8i_asr_by(v8i_shl_by(offset, 26), 26));
   }
   p->moved = true;
}

/* Eight pixels, some of them on. */
static ALWAYS_INLINE bool
gather8_pixels(struct eu_thread *t, const struct sf_quick *q, struct texture *x, unsigned regs,
               unsigned r, uint32_t exec, v8f out[4])
{
   static const uint8_t place[4] = {3, 2, 0, 1}; /* upper left, upper right, lower left, right */
   const uint8_t *payload = t->grf + q->payload + r * EU_REG_SIZE;
   unsigned step = regs * EU_REG_SIZE, first = (unsigned)__builtin_ctz(exec), channel;
   struct shape k = {.linear = true, .general = true, .gathers = true};
   struct where8 p;
   struct taps8 taps;
   v8i on = lanes8(exec);
   if (!read_header8(q, x, t->grf + q->payload, step, &p, &channel) ||
       !locate8(t, q, x, payload, step, on, first, &p))
      return false;
   if (x->s.type == SURFTYPE_CUBE)
      onto_faces8(&p);
   else if (q->like == SAMPLER_GATHER4_PO)
      read_offsets8(payload, step, &p);
   if (exec != 0xff) {
      p.u = only8(p.u, on, first);
      p.v = only8(p.v, on, first);
      p.slices = v8_as_int(only8(v8_as_float(p.slices), on, first));
      for (unsigned i = 0; i < 2 && p.moved; i++)
         p.offset[i] = only8(p.offset[i], on, first);
   }
   unsigned level = gathered_level(x);
   if (!(texture_level(x, level)->users & VIEW_TEXELS) ||
       !general_find(x, t->env->space, level, false, k, &p, &taps))
      return false;
   const struct surface_view *v = &x->level[level];
   channel = gathered_channel(x, channel);
   unsigned one = p.compares ? 0 : channel, end = p.compares ? 4 : channel + 1;
   for (unsigned n = 0; n < 4; n++) {
      v8f texel[4];
      general_texels(x, v, v->window[0].host, &taps, n, &p, one, end, texel);
      out[place[n]] = texel[channel];
   }
   return true;
}

static ALWAYS_INLINE bool
gather(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask, unsigned regs)
{
   struct sf_buffers *b = t->buffers;
   if (sf_observed(t) || !sf_buffers_good(b, t) ||
       b->samplers != t->env->dynamic_state_base + t->sampler_states)
      return false;
   struct texture *x = (struct texture *)(void *)((uint8_t *)b + q->texture_B);
   if (!quick_knows(q, x) || (x->s.type != SURFTYPE_2D && x->s.type != SURFTYPE_CUBE))
      return false;
   v8f out[2][4];
   bool good = true;
   uint32_t modes = fpmode_get();
   fpmode_set(FPMODE_HOST);
   for (unsigned r = 0; r < regs && good; r++)
      if (exec_mask >> 8 * r & 0xff)
         good = gather8_pixels(t, q, x, regs, r, exec_mask >> 8 * r & 0xff, out[r]);
   fpmode_set(modes);
   for (unsigned r = 0; r < regs && good; r++)
      if (exec_mask >> 8 * r & 0xff)
         respond(t, q, exec_mask, regs, r, out[r]);
   if (good)
      sf_quick_mark(t, q);
   return good;
}

static bool
gather8_message(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return gather(t, q, exec_mask, 1);
}

static bool
gather16_message(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return gather(t, q, exec_mask, 2);
}

const sf_quick_fn HOST_NAME(sampler_quick_gather)[2] = {gather8_message, gather16_message};
