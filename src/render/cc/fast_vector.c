/* The colour calculator for eight pixels. */
#include "machine/fpmode.h"
#include "render/cc/fast.h"
#include "shared_functions/view_vector.h"

/* As cc_clamp, also for what is no number and for -0. */
static ALWAYS_INLINE v8f
clamp8(v8f f, const float range[2])
{
   v8f low = v8f_all(range[0]), high = v8f_all(range[1]);
   if (range[0] == -__builtin_inff() && range[1] == __builtin_inff())
      return f;
   f = v8f_and(f, v8i_not(v8f_nan(f)));
   f = v8f_choose(v8f_less(f, low), low, f);
   return v8f_choose(v8f_more(f, high), high, f);
}

/* ---- the equation -----------------------------------------------------------------------------
 */

struct inputs {
   v8f source[4], destination[4], constant[4];
};

static ALWAYS_INLINE v8f
factor8(unsigned code, const struct inputs *in, unsigned i)
{
   const v8f one = v8f_all(1.0f);
   v8f rest, f;
   switch (code >= 17 ? code - 16 : code) {
   case GEN7_BLEND_FACTOR_SRC_COLOR:
      f = in->source[i];
      break;
   case GEN7_BLEND_FACTOR_SRC_ALPHA:
      f = in->source[CC_ALPHA];
      break;
   case GEN7_BLEND_FACTOR_DST_ALPHA:
      f = in->destination[CC_ALPHA];
      break;
   case GEN7_BLEND_FACTOR_DST_COLOR:
      f = in->destination[i];
      break;
   case GEN7_BLEND_FACTOR_SRC_ALPHA_SATURATE:
      rest = v8f_sub(one, in->destination[CC_ALPHA]);
      return i == CC_ALPHA ? one : v8f_min(in->source[CC_ALPHA], rest);
   case GEN7_BLEND_FACTOR_CONST_COLOR:
      f = in->constant[i];
      break;
   default: /* CONST_ALPHA: targets with two sources take the slow path */
      f = in->constant[CC_ALPHA];
   }
   return code >= 17 ? v8f_sub(one, f) : f;
}

static ALWAYS_INLINE v8f
term8(v8f value, unsigned code, const struct inputs *in, unsigned i)
{
   if (code == GEN7_BLEND_FACTOR_ZERO)
      return v8f_all(0);
   return code == GEN7_BLEND_FACTOR_ONE ? value : v8f_times(value, factor8(code, in, i));
}

static ALWAYS_INLINE v8f
combine8(unsigned function, v8f s, v8f d)
{
   switch (function) {
   case GEN7_BLEND_FUNCTION_SUBTRACT:
      return v8f_sub(s, d);
   case GEN7_BLEND_FUNCTION_REVERSE_SUBTRACT:
      return v8f_sub(d, s);
   case GEN7_BLEND_FUNCTION_MIN:
      return v8f_min(s, d); /* the second where one is no number, as s < d ? s : d */
   case GEN7_BLEND_FUNCTION_MAX:
      return v8f_max(s, d);
   default:
      return v8f_add(s, d);
   }
}

static ALWAYS_INLINE void
blend8(const struct cc_target *t, const struct inputs *in, v8f out[4])
{
   for (unsigned i = 0; i < 4; i++) {
      const struct cc_equation *e = i == CC_ALPHA ? &t->alpha : &t->color;
      out[i] = combine8(e->function, term8(in->source[i], e->source, in, i),
                        term8(in->destination[i], e->destination, in, i));
   }
}

/* P3D-348 */
static ALWAYS_INLINE void
keep8(const struct cc_target *t, const struct surface_view *v, const v8i old[4], v8i word[4])
{
   unsigned words = v->size_log2 > 2 ? 1u << (v->size_log2 - 2) : 1;
   for (unsigned k = 0; k < words && t->reads; k++) {
      uint32_t keep;
      memcpy(&keep, t->keep + 4 * k, 4);
      word[k] = v8i_or(v8i_and(old[k], v8i_all(keep)), v8i_and_not(word[k], v8i_all(keep)));
   }
}

/* ---- targets of fixed point -------------------------------------------------------------------
 */

static ALWAYS_INLINE void
mix_unorm(const struct cc_target *t, const struct surface_view *v, const uint32_t (*color)[8],
          unsigned step, uint32_t (*word)[8])
{
   unsigned words = v->size_log2 > 2 ? 1u << (v->size_log2 - 2) : 1;
   struct inputs in;
   v8i old[4], fresh[4], out[4];
   v8f result[4];
   for (unsigned k = 0; k < words; k++)
      old[k] = t->reads ? v8i_load(word[k]) : v8i_all(0);
   for (unsigned i = 0; i < 4; i++) {
      in.source[i] = clamp8(v8_as_float(v8i_load(color[i * step])), t->pre);
      in.constant[i] = v8f_all(t->constant[i]);
   }
   if (t->alpha_to_one)
      in.source[CC_ALPHA] = v8f_all(1.0f);
   if (t->blend) {
      for (unsigned i = 0; i < 4; i++)
         in.destination[i] = v8_as_float(decode_channel(&v->channel[i], old));
      blend8(t, &in, result);
   }
   /* Packing clamps as much as the post-blend clamp would. */
   for (unsigned i = 0; i < 4; i++)
      out[i] = v8_as_int(t->blend ? result[i] : in.source[i]);
   encode_elements(v, out, fresh);
   keep8(t, v, old, fresh);
   for (unsigned k = 0; k < words; k++)
      v8i_store(word[k], fresh[k]);
}

static void
cc_mix_unorm(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
             unsigned step, uint32_t (*word)[8])
{
   mix_unorm(target, v, color, step, word);
}

/* Channels of eight bits at these shifts, which is all that the compiler has to know. */
static ALWAYS_INLINE v8i
encode_eight(v8f f, unsigned shift)
{
   f = v8f_min(v8f_max(f, v8f_all(0)), v8f_all(1.0f));
   return v8i_shl_by(v8i_and(v8f_code(f, 255.0f), v8i_all(255)), (int)shift);
}

static ALWAYS_INLINE v8f
decode_eight(v8i word, unsigned shift)
{
   v8i code = v8i_and(v8i_shr_by(word, (int)shift), v8i_all(255));
   return v8f_of_code(code, 255.0f, 1.0f / 255.0f);
}

static ALWAYS_INLINE void
mix_eights(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
           unsigned step, uint32_t (*word)[8])
{
   const struct cc_target *t = target;
   struct inputs in;
   v8f result[4];
   v8i old[4] = {t->reads ? v8i_load(word[0]) : v8i_all(0)}, fresh[4];
   for (unsigned i = 0; i < 4; i++) {
      in.source[i] = clamp8(v8_as_float(v8i_load(color[i * step])), t->pre);
      in.constant[i] = v8f_all(t->constant[i]);
      in.destination[i] = decode_eight(old[0], v->channel[i].shift);
   }
   if (t->alpha_to_one)
      in.source[CC_ALPHA] = v8f_all(1.0f);
   if (t->blend)
      blend8(t, &in, result);
   fresh[0] = v8i_all(0);
   for (unsigned i = 0; i < 4; i++)
      fresh[0] =
          v8i_or(fresh[0], encode_eight(t->blend ? result[i] : in.source[i], v->channel[i].shift));
   keep8(t, v, old, fresh);
   v8i_store(word[0], fresh[0]);
}

static void
cc_mix_eights(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
              unsigned step, uint32_t (*word)[8])
{
   mix_eights(target, v, color, step, word);
}

static void
cc_mix_eights_row(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
                  uint32_t (*word)[8])
{
   for (unsigned h = 0; h < 2; h++)
      mix_eights(target, v, color + h, 2, word + h);
}

/* Channels of eight bits in the order of their bytes, red or blue the first. */
static ALWAYS_INLINE void
mix_over(const uint32_t (*color)[8], unsigned step, uint32_t *word, bool blue_first)
{
   static const uint8_t shifts[2][4] = {{0, 8, 16, 24}, {16, 8, 0, 24}};
   const v8f zero = v8f_all(0), one = v8f_all(1.0f);
   v8i old = v8i_load(word), fresh = v8i_all(0);
   v8f alpha = v8f_min(v8f_max(v8_as_float(v8i_load(color[CC_ALPHA * step])), zero), one),
       rest = v8f_sub(one, alpha);
   for (unsigned i = 0; i < 4; i++) {
      unsigned shift = shifts[blue_first][i];
      v8f s = i == CC_ALPHA ? alpha
                            : v8f_min(v8f_max(v8_as_float(v8i_load(color[i * step])), zero), one);
      v8f d = decode_eight(old, shift);
      fresh = v8i_or(fresh, encode_eight(v8f_add(v8f_times(s, alpha), v8f_times(d, rest)), shift));
   }
   v8i_store(word, fresh);
}

static void
cc_mix_over(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
            unsigned step, uint32_t (*word)[8])
{
   (void)target;
   mix_over(color, step, word[0], v->eights == VIEW_BGRA);
}

static void
cc_mix_over_row(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
                uint32_t (*word)[8])
{
   (void)target;
   for (unsigned h = 0; h < 2; h++)
      if (v->eights == VIEW_BGRA)
         mix_over(color + h, 2, word[h], true);
      else
         mix_over(color + h, 2, word[h], false);
}

/* ---- floats -----------------------------------------------------------------------------------
 */

/* Threads run with denormals flushed; what is written to memory keeps them. */
static void
cc_mix_float(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
             unsigned step, uint32_t (*word)[8])
{
   const struct cc_target *t = target;
   unsigned words = 1u << (v->size_log2 - 2);
   uint32_t modes = fpmode_get();
   struct inputs in;
   v8i old[4], fresh[4];
   v8f result[4];
   fpmode_set(FPMODE_HOST);
   for (unsigned k = 0; k < 4; k++)
      old[k] = t->reads && k < words ? v8i_load(word[k]) : v8i_all(0);
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &v->format->channel[i];
      in.source[i] = clamp8(v8_as_float(v8i_load(color[i * step])), t->pre);
      in.constant[i] = v8f_all(t->constant[i]);
      in.destination[i] = clamp8(c->type == CHANNEL_NONE ? v8f_all(i == CC_ALPHA ? 1.0f : 0.0f)
                                                         : v8_as_float(old[c->start / 32]),
                                 t->pre);
   }
   if (t->alpha_to_one)
      in.source[CC_ALPHA] = v8f_all(1.0f);
   if (t->blend)
      blend8(t, &in, result);
   for (unsigned i = 0; i < 4 && t->blend; i++)
      result[i] = v8f_choose(v8i_not(v8f_nan(result[i])), result[i], v8_as_float(v8i_all(CC_NAN)));
   for (unsigned i = 0; i < 4; i++)
      if (v->format->channel[i].type != CHANNEL_NONE)
         fresh[v->format->channel[i].start / 32] =
             v8_as_int(clamp8(t->blend ? result[i] : in.source[i], t->post));
   keep8(t, v, old, fresh);
   for (unsigned k = 0; k < words; k++)
      v8i_store(word[k], fresh[k]);
   fpmode_set(modes);
}

const struct cc_fast_functions HOST_NAME(cc_fast) = {
    .eights = cc_mix_eights,
    .over = cc_mix_over,
    .unorm = cc_mix_unorm,
    .floats = cc_mix_float,
    .eights_row = cc_mix_eights_row,
    .over_row = cc_mix_over_row,
};
