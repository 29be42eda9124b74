/* The colour calculator for eight pixels: compiled for AVX2, chosen by cc_choose_fast. */
#include "render/cc/fast.h"
#include "shared_functions/view_avx2.h"

typedef __m256 f8;

static ALWAYS_INLINE f8
floats(v8 v)
{
   return _mm256_castsi256_ps(v);
}

/* As cc_clamp, also for what is no number and for -0. */
static ALWAYS_INLINE f8
clamp8(f8 f, const float range[2])
{
   f8 low = _mm256_set1_ps(range[0]), high = _mm256_set1_ps(range[1]);
   if (range[0] == -__builtin_inff() && range[1] == __builtin_inff())
      return f;
   f = _mm256_and_ps(f, _mm256_cmp_ps(f, f, _CMP_ORD_Q));
   f = _mm256_blendv_ps(f, low, _mm256_cmp_ps(f, low, _CMP_LT_OQ));
   return _mm256_blendv_ps(f, high, _mm256_cmp_ps(f, high, _CMP_GT_OQ));
}

/* ---- the equation -----------------------------------------------------------------------------
 */

struct inputs {
   f8 source[4], destination[4], constant[4];
};

static ALWAYS_INLINE f8
factor8(unsigned code, const struct inputs *in, unsigned i)
{
   const f8 one = _mm256_set1_ps(1.0f);
   f8 rest, f;
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
      rest = _mm256_sub_ps(one, in->destination[CC_ALPHA]);
      return i == CC_ALPHA ? one : _mm256_min_ps(in->source[CC_ALPHA], rest);
   case GEN7_BLEND_FACTOR_CONST_COLOR:
      f = in->constant[i];
      break;
   default: /* CONST_ALPHA: targets with two sources take the slow path */
      f = in->constant[CC_ALPHA];
   }
   return code >= 17 ? _mm256_sub_ps(one, f) : f;
}

static ALWAYS_INLINE f8
term8(f8 value, unsigned code, const struct inputs *in, unsigned i)
{
   if (code == GEN7_BLEND_FACTOR_ZERO)
      return _mm256_setzero_ps();
   return code == GEN7_BLEND_FACTOR_ONE ? value : _mm256_mul_ps(value, factor8(code, in, i));
}

static ALWAYS_INLINE f8
combine8(unsigned function, f8 s, f8 d)
{
   switch (function) {
   case GEN7_BLEND_FUNCTION_SUBTRACT:
      return _mm256_sub_ps(s, d);
   case GEN7_BLEND_FUNCTION_REVERSE_SUBTRACT:
      return _mm256_sub_ps(d, s);
   case GEN7_BLEND_FUNCTION_MIN:
      return _mm256_min_ps(s, d); /* the second where one is no number, as s < d ? s : d */
   case GEN7_BLEND_FUNCTION_MAX:
      return _mm256_max_ps(s, d);
   default:
      return _mm256_add_ps(s, d);
   }
}

static ALWAYS_INLINE void
blend8(const struct cc_target *t, const struct inputs *in, f8 out[4])
{
   for (unsigned i = 0; i < 4; i++) {
      const struct cc_equation *e = i == CC_ALPHA ? &t->alpha : &t->color;
      out[i] = combine8(e->function, term8(in->source[i], e->source, in, i),
                        term8(in->destination[i], e->destination, in, i));
   }
}

/* P3D-348 */
static ALWAYS_INLINE void
keep8(const struct cc_target *t, const struct surface_view *v, const v8 old[4], v8 word[4])
{
   unsigned words = v->size_log2 > 2 ? 1u << (v->size_log2 - 2) : 1;
   for (unsigned k = 0; k < words && t->reads; k++) {
      uint32_t keep;
      memcpy(&keep, t->keep + 4 * k, 4);
      word[k] = _mm256_or_si256(_mm256_and_si256(old[k], all8(keep)),
                                _mm256_andnot_si256(all8(keep), word[k]));
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
   v8 old[4], fresh[4], out[4];
   f8 result[4];
   for (unsigned k = 0; k < words; k++)
      old[k] = t->reads ? load8(word[k]) : _mm256_setzero_si256();
   for (unsigned i = 0; i < 4; i++) {
      in.source[i] = clamp8(floats(load8(color[i * step])), t->pre);
      in.constant[i] = _mm256_set1_ps(t->constant[i]);
   }
   if (t->alpha_to_one)
      in.source[CC_ALPHA] = _mm256_set1_ps(1.0f);
   if (t->blend) {
      for (unsigned i = 0; i < 4; i++)
         in.destination[i] = floats(decode_channel(&v->channel[i], old));
      blend8(t, &in, result);
   }
   /* Packing clamps as much as the post-blend clamp would. */
   for (unsigned i = 0; i < 4; i++)
      out[i] = _mm256_castps_si256(t->blend ? result[i] : in.source[i]);
   encode_elements(v, out, fresh);
   keep8(t, v, old, fresh);
   for (unsigned k = 0; k < words; k++)
      store8(word[k], fresh[k]);
}

void
cc_mix_unorm(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
             unsigned step, uint32_t (*word)[8])
{
   mix_unorm(target, v, color, step, word);
}

/* Channels of eight bits at these shifts, which is all that the compiler has to know. */
static ALWAYS_INLINE v8
encode_eight(f8 f, unsigned shift)
{
   const f8 unit = _mm256_set1_ps(8388608.0f);
   f = _mm256_min_ps(_mm256_max_ps(f, _mm256_setzero_ps()), _mm256_set1_ps(1.0f));
   f = _mm256_fmadd_ps(f, _mm256_set1_ps(255.0f), unit);
   return _mm256_sll_epi32(_mm256_xor_si256(_mm256_castps_si256(f), _mm256_castps_si256(unit)),
                           _mm_cvtsi32_si128((int)shift));
}

static ALWAYS_INLINE f8
decode_eight(v8 word, unsigned shift)
{
   v8 code = _mm256_and_si256(_mm256_srl_epi32(word, _mm_cvtsi32_si128((int)shift)), all8(255));
   const f8 by = _mm256_set1_ps(1.0f / 255.0f), most = _mm256_set1_ps(255.0f);
   f8 f = _mm256_cvtepi32_ps(code), q = _mm256_mul_ps(f, by);
   return _mm256_fmadd_ps(_mm256_fnmadd_ps(q, most, f), by, q);
}

static ALWAYS_INLINE void
mix_eights(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
           unsigned step, uint32_t (*word)[8])
{
   const struct cc_target *t = target;
   struct inputs in;
   f8 result[4];
   v8 old[4] = {t->reads ? load8(word[0]) : _mm256_setzero_si256()}, fresh[4];
   for (unsigned i = 0; i < 4; i++) {
      in.source[i] = clamp8(floats(load8(color[i * step])), t->pre);
      in.constant[i] = _mm256_set1_ps(t->constant[i]);
      in.destination[i] = decode_eight(old[0], v->channel[i].shift);
   }
   if (t->alpha_to_one)
      in.source[CC_ALPHA] = _mm256_set1_ps(1.0f);
   if (t->blend)
      blend8(t, &in, result);
   fresh[0] = _mm256_setzero_si256();
   for (unsigned i = 0; i < 4; i++)
      fresh[0] = _mm256_or_si256(
          fresh[0], encode_eight(t->blend ? result[i] : in.source[i], v->channel[i].shift));
   keep8(t, v, old, fresh);
   store8(word[0], fresh[0]);
}

void
cc_mix_eights(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
              unsigned step, uint32_t (*word)[8])
{
   mix_eights(target, v, color, step, word);
}

void
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
   const f8 zero = _mm256_setzero_ps(), one = _mm256_set1_ps(1.0f);
   v8 old = load8(word), fresh = _mm256_setzero_si256();
   f8 alpha = _mm256_min_ps(_mm256_max_ps(floats(load8(color[CC_ALPHA * step])), zero), one),
      rest = _mm256_sub_ps(one, alpha);
   for (unsigned i = 0; i < 4; i++) {
      unsigned shift = shifts[blue_first][i];
      f8 s = i == CC_ALPHA
                 ? alpha
                 : _mm256_min_ps(_mm256_max_ps(floats(load8(color[i * step])), zero), one);
      f8 d = decode_eight(old, shift);
      fresh = _mm256_or_si256(
          fresh,
          encode_eight(_mm256_add_ps(_mm256_mul_ps(s, alpha), _mm256_mul_ps(d, rest)), shift));
   }
   store8(word, fresh);
}

void
cc_mix_over(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
            unsigned step, uint32_t (*word)[8])
{
   (void)target;
   mix_over(color, step, word[0], v->eights == VIEW_BGRA);
}

void
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
void
cc_mix_float(const void *target, const struct surface_view *v, const uint32_t (*color)[8],
             unsigned step, uint32_t (*word)[8])
{
   const struct cc_target *t = target;
   unsigned words = 1u << (v->size_log2 - 2), modes = _mm_getcsr();
   struct inputs in;
   v8 old[4], fresh[4];
   f8 result[4];
   _mm_setcsr(0x1f80);
   for (unsigned k = 0; k < 4; k++)
      old[k] = t->reads && k < words ? load8(word[k]) : _mm256_setzero_si256();
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &v->format->channel[i];
      in.source[i] = clamp8(floats(load8(color[i * step])), t->pre);
      in.constant[i] = _mm256_set1_ps(t->constant[i]);
      in.destination[i] =
          clamp8(c->type == CHANNEL_NONE ? _mm256_set1_ps(i == CC_ALPHA ? 1.0f : 0.0f)
                                         : floats(old[c->start / 32]),
                 t->pre);
   }
   if (t->alpha_to_one)
      in.source[CC_ALPHA] = _mm256_set1_ps(1.0f);
   if (t->blend)
      blend8(t, &in, result);
   for (unsigned i = 0; i < 4 && t->blend; i++)
      result[i] = _mm256_blendv_ps(floats(all8(CC_NAN)), result[i],
                                   _mm256_cmp_ps(result[i], result[i], _CMP_ORD_Q));
   for (unsigned i = 0; i < 4; i++)
      if (v->format->channel[i].type != CHANNEL_NONE)
         fresh[v->format->channel[i].start / 32] =
             _mm256_castps_si256(clamp8(t->blend ? result[i] : in.source[i], t->post));
   keep8(t, v, old, fresh);
   for (unsigned k = 0; k < words; k++)
      store8(word[k], fresh[k]);
   _mm_setcsr(modes);
}
