/* The fast path of ld: texels of one slice that all lie inside the map, for all slots. */
#include "shared_functions/view_vector.h"
#include "shared_functions/sampler/sampler.h"

/* A message on its way. */
struct fetch {
   v8i x[2], y[2];
   struct slice slice;
   v8i at; /* offsets of the left texels of pairs */
};

/* Do slots 2n and 2n + 1 fetch texels that lie side by side, as those of a subspan do that is not
 * magnified? */
static ALWAYS_INLINE bool
in_pairs(const struct surface_view *m, struct fetch *f, unsigned regs)
{
   v8i x = v8i_evens(f->x[0], f->x[regs - 1]), y = v8i_evens(f->y[0], f->y[regs - 1]),
       one = v8i_all(1);
   v8i apart = v8i_xor(v8i_odds(f->x[0], f->x[regs - 1]), v8i_add(x, one));
   apart = v8i_or(apart, v8i_xor(v8i_odds(f->y[0], f->y[regs - 1]), y));
   if (m->tiling != MEM_LINEAR) /* a pair may lie in two columns or tiles */
      apart = v8i_or(apart, v8i_and(v8i_add(x, v8i_all(f->slice.x_el)), one));
   f->at = element_offsets(m, f->slice, x, y);
   return v8i_none(apart);
}

/* Four pairs; word i of each texel. */
static ALWAYS_INLINE void
load_pairs(const struct surface_view *m, const uint32_t *offset, v8i word[4])
{
   const uint8_t *host = m->window[0].host;
   const uint8_t *p[4] = {host + offset[0], host + offset[1], host + offset[2], host + offset[3]};
   uint32_t step = step_of(m), narrow[8];
   v8i low, high;
   switch (m->size_log2) {
   case 2:
      word[0] = v8i_load_quarters(p[0], p[1], p[2], p[3]);
      return;
   case 3:
      low = v8i_load_halves(p[0], p[2]);
      high = v8i_load_halves(p[1], p[3]);
      word[0] = v8i_near_evens(low, high);
      word[1] = v8i_near_odds(low, high);
      return;
   case 4:
      for (unsigned i = 0; i < 4; i++)
         word[i] =
             v8i_load_halves(p[i / 2] + (i & 1 ? step : 0), p[2 + i / 2] + (i & 1 ? step : 0));
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
   word[0] = v8i_load(narrow);
}

/* Eight texels, wherever they lie. */
static void
load_each(const struct surface_view *m, v8i at, v8i word[4])
{
   uint32_t offset[8], words[4][8] = {{0}};
   unsigned size = 1u << m->size_log2, part = size < 4 ? size : 4;
   const struct view_window *window = &m->window[0];
   v8i_store(offset, v8i_sub(at, v8i_all(window->start)));
   for (unsigned i = 0; i < 8; i++)
      for (unsigned w = 0; 4 * w < size; w++)
         memcpy(&words[w][i], window->host + offset[i] + 4 * w, part);
   for (unsigned w = 0; w < 4; w++)
      word[w] = v8i_load(words[w]);
}

static ALWAYS_INLINE void
write_back(struct eu_thread *t, const struct sf_quick *q, const struct surface_view *m,
           const v8i word[4], unsigned regs, unsigned r)
{
   uint8_t *to = t->grf + q->response + r * EU_REG_SIZE;
   unsigned step = regs * EU_REG_SIZE;
   v8i_store(to, decode_elements(m, word, 0));
   v8i_store(to + step, decode_elements(m, word, 1));
   v8i_store(to + 2 * step, decode_elements(m, word, 2));
   v8i_store(to + 3 * step, decode_elements(m, word, 3));
}

/* Do all slots fetch the same texel? So do constants that are indexed by a number in common. */
static ALWAYS_INLINE bool
is_one(const struct fetch *f, unsigned regs)
{
   v8i x = v8i_spread(f->x[0], 0), y = v8i_spread(f->y[0], 0), apart = v8i_all(0);
   for (unsigned r = 0; r < regs; r++)
      apart = v8i_or(apart, v8i_or(v8i_xor(f->x[r], x), v8i_xor(f->y[r], y)));
   return v8i_none(apart);
}

static bool
fetch_one(struct eu_thread *t, const struct sf_quick *q, struct surface_view *m, v8i at,
          unsigned regs)
{
   v8i word[4];
   unsigned size = 1u << m->size_log2;
   uint32_t words[4] = {0, 0, 0, 0};
   if (!reach(m, t->env->space, at, size - 1, false))
      return false;
   const uint8_t *from = m->window[0].host + ((uint32_t)v8i_lane(at, 0) - m->window[0].start);
   for (unsigned w = 0; 4 * w < size; w++)
      memcpy(&words[w], from + 4 * w, size < 4 ? size : 4);
   for (unsigned w = 0; w < 4; w++)
      word[w] = v8i_all(words[w]);
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
   v8i at[2], word[4];
   for (unsigned r = 0; r < regs; r++)
      at[r] = v8i_mul(f->x[r], v8i_all(m->step_B));
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
   v8i word[4];
   if (__builtin_expect(in_pairs(m, f, regs), 1)) {
      uint32_t offset[8];
      if (!reach(m, t->env->space, f->at, step_of(m), false))
         return false;
      v8i_store(offset, v8i_sub(f->at, v8i_all(m->window[0].start)));
      fetch_ahead(m, m->window[0].host, offset);
      for (unsigned r = 0; r < regs; r++) {
         load_pairs(m, offset + 4 * r, word);
         write_back(t, q, m, word, regs, r);
      }
      return true;
   }
   if (is_one(f, regs))
      return fetch_one(t, q, m, element_offsets(m, f->slice, f->x[0], f->y[0]), regs);
   v8i at[2];
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
   v8i zero = v8i_all(0), wrong = zero, inside = v8i_all(-1);
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
      f.x[r] = v8i_load(payload + r * EU_REG_SIZE);
      if (q->sources > 1)
         wrong = v8i_or(wrong, v8i_load(payload + (regs + r) * EU_REG_SIZE));
      if (q->sources > 2)
         f.y[r] = v8i_load(payload + (2 * regs + r) * EU_REG_SIZE);
      if (q->sources > 3)
         wrong = v8i_or(wrong,
                        v8i_xor(v8i_load(payload + (3 * regs + r) * EU_REG_SIZE), v8i_all(slice)));
      inside = v8i_and(inside, v8i_and(below8(f.x[r], m->width), below8(f.y[r], m->height)));
   }
   if (!v8i_none(wrong) || !v8i_every(inside) ||
       !(m->users & VIEW_ENTRIES
             ? fetch_entries(t, q, m, &f, regs)
             : fetch(t, q, m, &f,
                     regs))) /* what is read has been read: the response may lie there */
      return false;
   sf_quick_mark(t, q);
   return true;
}

static bool
ld8(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return ld(t, q, exec_mask, 1);
}

static bool
ld16(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return ld(t, q, exec_mask, 2);
}

const sf_quick_fn HOST_NAME(sampler_quick_ld)[2] = {ld8, ld16};
