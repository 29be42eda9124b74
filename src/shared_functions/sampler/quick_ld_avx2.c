/* The fast path of ld: texels of one slice that all lie inside the map, for all slots. */
#include "shared_functions/view_avx2.h"
#include "shared_functions/sampler/sampler.h"

/* A message on its way. */
struct fetch {
   v8 x[2], y[2];
   struct slice slice;
   v8 at; /* offsets of the left texels of pairs */
};

/* Lanes 0, 2, 4, 6 of both. */
static ALWAYS_INLINE v8
evens(v8 a, v8 b)
{
   __m256 f = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88);
   return _mm256_permute4x64_epi64(_mm256_castps_si256(f), 0xd8);
}

static ALWAYS_INLINE v8
odds(v8 a, v8 b)
{
   __m256 f = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0xdd);
   return _mm256_permute4x64_epi64(_mm256_castps_si256(f), 0xd8);
}

/* Do slots 2n and 2n + 1 fetch texels that lie side by side, as those of a subspan do that is not
 * magnified? */
static ALWAYS_INLINE bool
in_pairs(const struct surface_view *m, struct fetch *f, unsigned regs)
{
   v8 x = evens(f->x[0], f->x[regs - 1]), y = evens(f->y[0], f->y[regs - 1]), one = all8(1);
   v8 apart = _mm256_xor_si256(odds(f->x[0], f->x[regs - 1]), _mm256_add_epi32(x, one));
   apart = _mm256_or_si256(apart, _mm256_xor_si256(odds(f->y[0], f->y[regs - 1]), y));
   if (m->tiling != MEM_LINEAR) /* a pair may lie in two columns or tiles */
      apart =
          _mm256_or_si256(apart, _mm256_and_si256(_mm256_add_epi32(x, all8(f->slice.x_el)), one));
   f->at = element_offsets(m, f->slice, x, y);
   return none8(apart);
}

static ALWAYS_INLINE v8
halves(const uint8_t *low, const uint8_t *high)
{
   return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)low)),
                                  _mm_loadu_si128((const void *)high), 1);
}

static ALWAYS_INLINE __m128i
quarters(const uint8_t *low, const uint8_t *high)
{
   return _mm_unpacklo_epi64(_mm_loadl_epi64((const void *)low),
                             _mm_loadl_epi64((const void *)high));
}

/* Four pairs; word i of each texel. */
static ALWAYS_INLINE void
load_pairs(const struct surface_view *m, const uint32_t *offset, v8 word[4])
{
   const uint8_t *host = m->window[0].host;
   const uint8_t *p[4] = {host + offset[0], host + offset[1], host + offset[2], host + offset[3]};
   uint32_t step = step_of(m), narrow[8];
   __m256 low, high;
   switch (m->size_log2) {
   case 2:
      word[0] = _mm256_inserti128_si256(_mm256_castsi128_si256(quarters(p[0], p[1])),
                                        quarters(p[2], p[3]), 1);
      return;
   case 3:
      low = _mm256_castsi256_ps(halves(p[0], p[2]));
      high = _mm256_castsi256_ps(halves(p[1], p[3]));
      word[0] = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88));
      word[1] = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0xdd));
      return;
   case 4:
      for (unsigned i = 0; i < 4; i++)
         word[i] = halves(p[i / 2] + (i & 1 ? step : 0), p[2 + i / 2] + (i & 1 ? step : 0));
      transpose(word);
      return;
   case 1:
      for (unsigned i = 0; i < 8; i++)
         narrow[i] = p[i / 2][2 * (i & 1)] | (uint32_t)p[i / 2][2 * (i & 1) + 1] << 8;
      break;
   default:
      for (unsigned i = 0; i < 8; i++)
         narrow[i] = p[i / 2][i & 1];
   }
   word[0] = load8(narrow);
}

/* Eight texels, wherever they lie. */
static void
load_each(const struct surface_view *m, v8 at, v8 word[4])
{
   uint32_t offset[8], words[4][8] = {{0}};
   unsigned size = 1u << m->size_log2, part = size < 4 ? size : 4;
   const struct view_window *window = &m->window[0];
   store8(offset, _mm256_sub_epi32(at, all8(window->start)));
   for (unsigned i = 0; i < 8; i++)
      for (unsigned w = 0; 4 * w < size; w++)
         memcpy(&words[w][i], window->host + offset[i] + 4 * w, part);
   for (unsigned w = 0; w < 4; w++)
      word[w] = load8(words[w]);
}

static ALWAYS_INLINE void
write_back(struct eu_thread *t, const struct sf_quick *q, const struct surface_view *m,
           const v8 word[4], unsigned regs, unsigned r)
{
   uint8_t *to = t->grf + q->response + r * EU_REG_SIZE;
   unsigned step = regs * EU_REG_SIZE;
   store8(to, decode_elements(m, word, 0));
   store8(to + step, decode_elements(m, word, 1));
   store8(to + 2 * step, decode_elements(m, word, 2));
   store8(to + 3 * step, decode_elements(m, word, 3));
}

/* Do all slots fetch the same texel? So do constants that are indexed by a number in common. */
static ALWAYS_INLINE bool
is_one(const struct fetch *f, unsigned regs)
{
   v8 x = _mm256_broadcastd_epi32(_mm256_castsi256_si128(f->x[0])),
      y = _mm256_broadcastd_epi32(_mm256_castsi256_si128(f->y[0])), apart = _mm256_setzero_si256();
   for (unsigned r = 0; r < regs; r++)
      apart = _mm256_or_si256(
          apart, _mm256_or_si256(_mm256_xor_si256(f->x[r], x), _mm256_xor_si256(f->y[r], y)));
   return none8(apart);
}

static bool
fetch_one(struct eu_thread *t, const struct sf_quick *q, struct surface_view *m, v8 at,
          unsigned regs)
{
   v8 word[4];
   unsigned size = 1u << m->size_log2;
   uint32_t words[4] = {0, 0, 0, 0};
   if (!reach(m, t->env->space, at, size - 1, false))
      return false;
   const uint8_t *from =
       m->window[0].host + ((uint32_t)_mm256_extract_epi32(at, 0) - m->window[0].start);
   for (unsigned w = 0; 4 * w < size; w++)
      memcpy(&words[w], from + 4 * w, size < 4 ? size : 4);
   for (unsigned w = 0; w < 4; w++)
      word[w] = all8(words[w]);
   for (unsigned r = 0; r < regs; r++)
      write_back(t, q, m, word, regs, r);
   return true;
}

/* Entries of a buffer, which may begin at any byte. */
static bool
fetch_entries(struct eu_thread *t, const struct sf_quick *q, struct surface_view *m,
              struct fetch *f, unsigned regs)
{
   uint32_t size = 1u << m->size_log2;
   v8 at[2], word[4];
   for (unsigned r = 0; r < regs; r++)
      at[r] = _mm256_mullo_epi32(f->x[r], all8(m->step_B));
   if (is_one(f, regs))
      return fetch_one(t, q, m, at[0], regs);
   if (!reach(m, t->env->space, at[0], size - 1, false) ||
       !elements_in(&m->window[0], at[regs - 1], size - 1))
      return false;
   for (unsigned r = 0; r < regs; r++) {
      load_each(m, at[r], word);
      write_back(t, q, m, word, regs, r);
   }
   return true;
}

/* The texels are all inside. */
static ALWAYS_INLINE bool
fetch(struct eu_thread *t, const struct sf_quick *q, struct surface_view *m, struct fetch *f,
      unsigned regs)
{
   v8 word[4];
   if (__builtin_expect(in_pairs(m, f, regs), 1)) {
      uint32_t offset[8];
      if (!reach(m, t->env->space, f->at, step_of(m), false))
         return false;
      store8(offset, _mm256_sub_epi32(f->at, all8(m->window[0].start)));
      fetch_ahead(m, m->window[0].host, offset);
      for (unsigned r = 0; r < regs; r++) {
         load_pairs(m, offset + 4 * r, word);
         write_back(t, q, m, word, regs, r);
      }
      return true;
   }
   if (is_one(f, regs))
      return fetch_one(t, q, m, element_offsets(m, f->slice, f->x[0], f->y[0]), regs);
   v8 at[2];
   for (unsigned r = 0; r < regs; r++)
      at[r] = element_offsets(m, f->slice, f->x[r], f->y[r]);
   if (!reach(m, t->env->space, at[0], 0, false) || !elements_in(&m->window[0], at[regs - 1], 0))
      return false;
   for (unsigned r = 0; r < regs; r++) {
      load_each(m, at[r], word);
      write_back(t, q, m, word, regs, r);
   }
   return true;
}

/* SMP-232: u, lod, v, r; SMP-266, SMP-304. SMP-048: lod 0 is the first level in reach. */
static ALWAYS_INLINE bool
ld(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask, unsigned regs)
{
   const uint8_t *payload = t->grf + q->payload;
   uint32_t all = (1u << 8 * regs) - 1, slice = 0;
   v8 zero = _mm256_setzero_si256(), wrong = zero, inside = all8(UINT32_MAX);
   struct fetch f;
   f.y[0] = f.y[1] = zero;
   if ((exec_mask & all) != all || sf_observed(t))
      return false;
   if (q->sources > 3)
      memcpy(&slice, payload + 3 * regs * EU_REG_SIZE, 4);
   struct surface_view other, *m = sf_view_of(t, q->bti, &other);
   if (!(m->users & (VIEW_FETCH | VIEW_ENTRIES)) || slice >= m->depth ||
       (m->converts && eu_rounding(t))) /* rounds to nearest */
      return false;
   f.slice = slice_of(m, m->depth == UINT32_MAX ? 0 : slice);
   for (unsigned r = 0; r < regs; r++) {
      f.x[r] = load8(payload + r * EU_REG_SIZE);
      if (q->sources > 1)
         wrong = _mm256_or_si256(wrong, load8(payload + (regs + r) * EU_REG_SIZE));
      if (q->sources > 2)
         f.y[r] = load8(payload + (2 * regs + r) * EU_REG_SIZE);
      if (q->sources > 3)
         wrong = _mm256_or_si256(
             wrong, _mm256_xor_si256(load8(payload + (3 * regs + r) * EU_REG_SIZE), all8(slice)));
      inside = _mm256_and_si256(
          inside, _mm256_and_si256(below8(f.x[r], m->width), below8(f.y[r], m->height)));
   }
   if (!none8(wrong) || !every8(inside) ||
       !(m->users & VIEW_ENTRIES
             ? fetch_entries(t, q, m, &f, regs)
             : fetch(t, q, m, &f,
                     regs))) /* what is read has been read: the response may lie there */
      return false;
   sf_quick_mark(t, q);
   return true;
}

bool
sampler_quick_ld8(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return ld(t, q, exec_mask, 1);
}

bool
sampler_quick_ld16(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return ld(t, q, exec_mask, 2);
}
