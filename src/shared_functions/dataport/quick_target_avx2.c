/* The short way of render target writes: whole subspans inside the target, of a pixel shader
 * thread, by the header of its dispatch. */
#include "shared_functions/view_avx2.h"
#include "shared_functions/pixel_backend.h"

static ALWAYS_INLINE void
store_pair(uint8_t *to, uint32_t step, __m128i left, __m128i right)
{
   _mm_storeu_si128((void *)to, left);
   _mm_storeu_si128((void *)(to + step), right);
}

static ALWAYS_INLINE void
store_narrow(uint8_t *to, uint32_t left, uint32_t right, bool byte)
{
   uint32_t pair = byte ? left | right << 8 : left | right << 16;
   memcpy(to, &pair, byte ? 2 : 4);
}

/* Eight slots are two subspans. offset: of their upper rows, and four further of their lower ones.
 */
static ALWAYS_INLINE void
store_elements(const struct surface_view *m, const uint32_t *offset, v8 word[4])
{
   uint8_t *host = m->window[1].host;
   uint8_t *row[4] = {host + offset[0], host + offset[4], host + offset[1], host + offset[5]};
   v8 low, high;
   uint32_t narrow[8];
   uint64_t pair[4];
   switch (m->size_log2) {
   case 2:
      store8(pair, word[0]);
      for (unsigned i = 0; i < 4; i++)
         memcpy(row[i], &pair[i], 8);
      return;
   case 3:
      low = _mm256_unpacklo_epi32(word[0], word[1]);
      high = _mm256_unpackhi_epi32(word[0], word[1]);
      _mm_storeu_si128((void *)row[0], _mm256_castsi256_si128(low));
      _mm_storeu_si128((void *)row[1], _mm256_castsi256_si128(high));
      _mm_storeu_si128((void *)row[2], _mm256_extracti128_si256(low, 1));
      _mm_storeu_si128((void *)row[3], _mm256_extracti128_si256(high, 1));
      return;
   case 4:
      transpose(word);
      for (unsigned i = 0; i < 2; i++) {
         store_pair(row[i], step_of(m), _mm256_castsi256_si128(word[2 * i]),
                    _mm256_castsi256_si128(word[2 * i + 1]));
         store_pair(row[2 + i], step_of(m), _mm256_extracti128_si256(word[2 * i], 1),
                    _mm256_extracti128_si256(word[2 * i + 1], 1));
      }
      return;
   default:
      store8(narrow, word[0]);
      for (unsigned i = 0; i < 4; i++)
         store_narrow(row[i], narrow[2 * i], narrow[2 * i + 1], !m->size_log2);
   }
}

/* Nothing that the record of the thread would make a rule of: this is its first message, and its
 * last. */
static ALWAYS_INLINE bool
in_order(const struct pixel_backend *pixel, const struct rt_record *r, const struct sf_quick *q,
         uint32_t dispatched, unsigned slots)
{
   return none8(load8(r->written)) && q->ends_pixels && pixel->dispatch_width == slots &&
          dispatched == (uint16_t)r->dispatched;
}

static ALWAYS_INLINE bool
target(struct eu_thread *t, const struct sf_quick *q, unsigned regs, bool replicated)
{
   const struct pixel_backend *pixel = t->env->pixel;
   const uint8_t *payload = t->grf + q->payload;
   unsigned slots = 8 * regs;
   uint32_t all = (1u << slots) - 1;
   const struct rt_bypass *b = pixel ? pixel->now : NULL; /* DP-461 */
   if (!b || pixel->pixels || pixel->per_sample || pixel->dual_source_blend || sf_observed(t) ||
       b->omask || b->source_depth || (b->header[15] & all) != all) /* DP-459 */
      return false;
   struct rt_record *r = q->rules && pixel->record ? pixel->record(pixel->data, t) : NULL;
   if (r && !in_order(pixel, r, q, b->header[15] >> 16, slots))
      return false;
   struct surface_view *m = sf_target_of(t, q->bti);
   if (!m || (m->converts && t->cr0[0] >> 4 & 3)) /* rounds to nearest */
      return false;
   if (replicated && q->rules &&
       (m->tiling == MEM_LINEAR || pixel->dispatch_width == 8)) /* DP-393, DP-464 */
      return false;
   uint32_t layer = surface_view_layer(m, b->header[0] >> 16 & 0x7ff);
   if (layer >= m->depth)
      return false;
   struct slice slice = slice_of(m, m->depth == UINT32_MAX ? 0 : layer);
   /* DP-360: the upper rows of the subspans, and their lower ones; of two, each twice. */
   v8 place = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(b->header + 10)));
   if (regs == 1)
      place = _mm256_permutevar8x32_epi32(place, _mm256_setr_epi32(0, 1, 0, 1, 0, 1, 0, 1));
   v8 x = _mm256_and_si256(place, all8(0xffff)), y = _mm256_srli_epi32(place, 16);
   y = _mm256_add_epi32(y, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
   v8 inside =
       _mm256_and_si256(below8(_mm256_add_epi32(x, all8(1)), m->width), below8(y, m->height));
   if (!every8(inside) || !none8(_mm256_and_si256(_mm256_add_epi32(x, all8(slice.x_el)),
                                                  all8(1)))) /* a pair lies side by side */
      return false;
   v8 at = element_offsets(m, slice, x, y);
   if (!reach(m, t->env->space, at, step_of(m), true))
      return false;
   uint32_t offset[8];
   store8(offset, _mm256_sub_epi32(at, all8(m->window[1].start)));
   for (unsigned h = 0; h < regs; h++) {
      v8 color[4], word[4];
      for (unsigned c = 0; c < 4; c++) /* DP-389, DP-391, DP-392 */
         color[c] = replicated ? _mm256_broadcastd_epi32(_mm_loadu_si32(payload + 4 * c))
                               : load8(payload + (c * regs + h) * EU_REG_SIZE);
      encode_elements(m, color, word);
      store_elements(m, offset + 2 * h, word);
   }
   if (r)
      r->written[0] = all;
   return true;
}

bool
dp_quick_target8(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   (void)exec_mask; /* DP-459: is not asked */
   return target(t, q, 1, false);
}

bool
dp_quick_target16(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   (void)exec_mask;
   return target(t, q, 2, false);
}

bool
dp_quick_target_replicated(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   (void)exec_mask;
   return target(t, q, 2, true);
}
