/* SAMPLER_STATE of sample_8x8 and SAMPLER_8x8_STATE, unpacked and checked. */
#include "shared_functions/sampler/avs.h"
#include "surface/cache.h"

/* Where a coefficient of the first of the 17 elements lies, by table, direction and tap. */
#define AT(table, tap)                                                                             \
   [tap] = {GEN7_SAMPLER_8X8_STATE__TABLE_##table##_FILTER_COEFFICIENT_0_##tap,                    \
            GEN7_SAMPLER_8X8_STATE__TABLE_##table##_FILTER_COEFFICIENT_0_##tap##_DW}
#define MIDDLE(table) AT(table, 2), AT(table, 3), AT(table, 4), AT(table, 5)
#define ALL(table) AT(table, 0), AT(table, 1), MIDDLE(table), AT(table, 6), AT(table, 7)
static const struct {
   uint32_t bits; /* 0: the table has no such tap */
   uint8_t dw;
} coefficients[2][2][8] = {{{ALL(0X)}, {ALL(0Y)}}, {{MIDDLE(1X)}, {MIDDLE(1Y)}}};
#define ELEMENT_DW                                                                                 \
   (GEN7_SAMPLER_8X8_STATE__TABLE_0X_FILTER_COEFFICIENT_1_0_DW -                                   \
    GEN7_SAMPLER_8X8_STATE__TABLE_0X_FILTER_COEFFICIENT_0_0_DW)

static void
unpack_coefficients(struct avs_state *a, const uint32_t *dw)
{
   for (unsigned table = 0; table < 2; table++)
      for (unsigned direction = 0; direction < 2; direction++)
         for (unsigned tap = 0; tap < 8; tap++) {
            uint32_t bits = coefficients[table][direction][tap].bits,
                     at = coefficients[table][direction][tap].dw;
            for (unsigned n = 0; n < 17; n++)
               a->k[table][direction][n][tap] =
                   bits ? (int8_t)((dw[ELEMENT_DW * n + at] & bits) >> __builtin_ctz(bits)) : 0;
         }
}

/* SMP-383: coefficients of 6 fraction bits; the outer taps are small. */
static bool
in_range(const struct avs_state *a, unsigned table, unsigned direction, unsigned phase)
{
   static const uint8_t most[8] = {16, 32, 64, 128, 128, 64, 32, 16};
   for (unsigned tap = 0; tap < 8; tap++) {
      int k = a->k[table][direction][phase][tap];
      bool middle = tap == 3 || tap == 4;
      if (k < (table && middle ? 0 : -most[tap]) || k >= most[tap])
         return false;
   }
   return true;
}

static void
check_coefficients(const struct media_message_in *in, const struct media_surface *s,
                   const struct avs_state *a)
{
   bool rgb = s->format == GEN7_MEDIA_SURFACE_FORMAT_R10G10B10A2_UNORM ||
              s->format == GEN7_MEDIA_SURFACE_FORMAT_R8G8B8A8_UNORM;
   bool fits = true, outer = false;
   for (unsigned n = 0; n < 17; n++) {
      for (unsigned i = 0; i < 4; i++)
         fits &= in_range(a, i >> 1, i & 1, n);
      outer |= a->k[0][0][n][0] || a->k[0][0][n][1];
   }
   if (!fits)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-383",
                           "a coefficient of SAMPLER_8x8_STATE is out of its tap's range");
   if (rgb && outer)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-383",
                           "taps 0 and 1 of table 0X must be 0 for an RGB surface");
   if (!rgb && a->rgb_adaptive)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-383",
                           "RGB Adaptive with a surface that is not RGB");
}

/* SMP-384: one table for all, until the state cache is invalidated. */
static void
check_pointer(const struct media_message_in *in, uint32_t at)
{
   struct surface_cache *cache = in->t->env->dev->surfaces;
   uint32_t generation = __atomic_load_n(&cache->generation, __ATOMIC_ACQUIRE);
   uint64_t mine = (uint64_t)generation << 32 | at | 1;
   uint64_t last = __atomic_exchange_n(&cache->table_8x8, mine, __ATOMIC_RELAXED);
   if (last && last >> 32 == generation && last != mine)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-384",
                           "another SAMPLER_8x8_STATE, 0x%08x, without an invalidation", at);
}

/* SMP-176, SMP-382 */
bool
avs_read_state(const struct media_message_in *in, const struct media_surface *s,
               struct avs_state *a)
{
   const struct eu_env *env = in->t->env;
   uint32_t dw[GEN7_SAMPLER_8X8_STATE_LENGTH], table[GEN7_SAMPLER_STATE_8X8_MESSAGE_LENGTH];
   uint32_t at = sampler_state_address(in->t, sampler_index(in->m));
   struct hw_sampler_state_8x8_message st;
   struct hw_sampler_8x8_state filter;
   if (!mem_read(env->space, at, table, sizeof(table))) {
      sampler_media_report(in, PERGOLA_ERROR, "SMP-176",
                           "the sampler state at 0x%08x is not mapped", at);
      return false;
   }
   gen7_sampler_state_8x8_message_unpack(&st, table);
   at = env->dynamic_state_base + st.sampler_8x8_state_pointer;
   if (!mem_read(env->space, at, dw, sizeof(dw))) {
      sampler_media_report(in, PERGOLA_ERROR, "SMP-382",
                           "SAMPLER_8x8_STATE at 0x%08x is not mapped", at);
      return false;
   }
   if (at & 63)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-382",
                           "SAMPLER_8x8_STATE at 0x%08x is not aligned to 64 bytes", at);
   unpack_coefficients(a, dw);
   gen7_sampler_8x8_state_unpack(&filter, dw);
   a->all_channels = filter.adaptive_filter_for_all_channels;
   a->rgb_adaptive = filter.rgb_adaptive;
   a->sharpness = (uint8_t)filter.default_sharpness_level;
   a->max4 = (uint8_t)filter.max_derivative_4_pixels;
   a->max8 = (uint8_t)filter.max_derivative_8_pixels;
   a->transition4 = (uint8_t)filter.transition_area_with_4_pixels;
   a->transition8 = (uint8_t)filter.transition_area_with_8_pixels;
   a->bypass[0] = filter.bypass_x_adaptive_filtering;
   a->bypass[1] = filter.bypass_y_adaptive_filtering;
   a->disabled = st._8x8_filter_disable;
   a->ief_bypass = st.ief_bypass;
   a->strong = (uint8_t)st.strong_edge_threshold;
   a->weak = (uint8_t)st.weak_edge_threshold;
   a->weight[0] = (uint8_t)st.non_edge_weight;
   a->weight[1] = (uint8_t)st.regular_weight;
   a->weight[2] = (uint8_t)st.strong_edge_weight;
   a->gain = (uint8_t)st.gain_factor;
   a->key = st.chromakey_enable;
   a->key_low = env->dev->surfaces->sampler.chroma_key[st.chromakey_index].low;
   a->key_high = env->dev->surfaces->sampler.chroma_key[st.chromakey_index].high;
   if (rules_on(env->dev)) {
      check_coefficients(in, s, a);
      check_pointer(in, at);
   }
   return true;
}
