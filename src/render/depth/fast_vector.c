/* Depth of eight pixels, which are two subspans, at once: no stencil, one sample, 32 bits. Whole
 * numbers throughout: what the host does with denormals does not matter. */
#include "render/compare.h"
#include "render/depth/depth.h"
#include "render/pixel.h"
#include "shared_functions/view_vector.h"

/* ---- values -----------------------------------------------------------------------------------
 */

/* Whole numbers whose order is that of floats, both zeros alike. */
static ALWAYS_INLINE v8i
order8(v8i bits)
{
   v8i magnitude = v8i_and(bits, v8i_all(0x7fffffff)), sign = v8i_asr_by(bits, 31);
   return v8i_sub(v8i_xor(magnitude, sign), sign);
}

static ALWAYS_INLINE v8i
nan8(v8i bits)
{
   return v8i_more(v8i_and(bits, v8i_all(0x7fffffff)), v8i_all(0x7f800000));
}

static ALWAYS_INLINE bool
is_nan(float f)
{
   return f != f;
}

/* As depth_clamp. */
static ALWAYS_INLINE v8i
clamp8(v8i z, const float range[2])
{
   if (is_nan(range[0]) || is_nan(range[1]))
      return z;
   v8i low = v8_as_int(v8f_all(range[0])), high = v8_as_int(v8f_all(range[1])), at = order8(z),
       nan = nan8(z);
   v8i below = v8i_and_not(v8i_more(order8(low), at), nan),
       above = v8i_and_not(v8i_more(at, order8(high)), nan);
   return v8i_choose(below, low, v8i_choose(above, high, z));
}

/* As depth_encode for 24 bits. */
static ALWAYS_INLINE v8i
encode8_24(v8i z)
{
   v8f f = v8f_max(v8_as_float(z), v8f_all(0)); /* NaN becomes 0 */
   f = v8f_min(f, v8f_all(1.0f));
   v8d wide = v8f_widen(f);
   return v8d_truncate(V8_EACH(v8d, wide.p[k] * 16777215.0 + 0.5));
}

/* Lanes that a function accepts. */
static ALWAYS_INLINE v8i
accept8(unsigned function, v8i a, v8i b, v8i nan)
{
   const v8i all = v8i_all(-1);
   v8i out;
   switch (function) {
   case COMPARE_ALWAYS:
      return all;
   case COMPARE_NEVER:
      return v8i_all(0);
   case COMPARE_LESS:
      out = v8i_more(b, a);
      break;
   case COMPARE_EQUAL:
      out = v8i_equal(a, b);
      break;
   case COMPARE_LEQUAL:
      out = v8i_xor(v8i_more(a, b), all);
      break;
   case COMPARE_GREATER:
      out = v8i_more(a, b);
      break;
   case COMPARE_NOTEQUAL:
      return v8i_or(v8i_xor(v8i_equal(a, b), all), nan);
   default:
      out = v8i_xor(v8i_more(b, a), all);
   }
   return v8i_and_not(out, nan);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Host address of a subspan's upper row; its lower one is 16 bytes behind (MEM-021). NULL: slow
 * path. */
static ALWAYS_INLINE uint8_t *
subspan_at(const struct depth *d, struct slice s, uint32_t x, uint32_t y, enum mem_access access)
{
   const struct surface_view *v = &d->view;
   x += (uint32_t)d->offset_x;
   y += (uint32_t)d->offset_y;
   if (x >= v->width || y >= v->height || x + 1 >= v->width || y + 1 >= v->height)
      return NULL;
   uint32_t x_B = (x + s.x_el) * 4, row = y + s.row;
   uint32_t offset = row / 32 * (v->pitch_B * 32) + x_B / 128 * 4096 + x_B % 128 / 16 * 512 +
                     row % 32 * 16 + x_B % 16;
   return mem_known(d->space, v->base + offset, access);
}

static ALWAYS_INLINE v8i
load_two(const uint8_t *a, const uint8_t *b)
{
   if (b == a + 8) /* both lie in 32 bytes */
      return v8i_crossed(v8i_load(a));
   uint64_t rows[4];
   memcpy(&rows[0], a, 8);
   memcpy(&rows[1], a + 16, 8);
   memcpy(&rows[2], b, 8);
   memcpy(&rows[3], b + 16, 8);
   return v8i_load(rows);
}

static ALWAYS_INLINE void
store_two(uint8_t *a, uint8_t *b, v8i v, uint32_t on)
{
   if (b == a + 8 && on & 15 && on >> 4) {
      v8i_store(a, v8i_crossed(v));
      return;
   }
   uint64_t rows[4];
   v8i_store(rows, v);
   if (on & 15) {
      memcpy(a, &rows[0], 8);
      memcpy(a + 16, &rows[1], 8);
   }
   if (on >> 4) {
      memcpy(b, &rows[2], 8);
      memcpy(b + 16, &rows[3], 8);
   }
}

/* ---- groups -----------------------------------------------------------------------------------
 */

/* Four subspans side by side, in two columns of one tile. */
static ALWAYS_INLINE bool
is_row(const struct depth *d, const struct pixel_group *g, struct slice s)
{
   uint64_t x, y;
   if (g->subspans != 4)
      return false;
   memcpy(&x, g->x, 8);
   memcpy(&y, g->y, 8);
   return x == g->x[0] * UINT64_C(0x0001000100010001) + UINT64_C(0x0006000400020000) &&
          y == g->y[0] * UINT64_C(0x0001000100010001) &&
          !((g->x[0] + (uint32_t)d->offset_x + s.x_el) & 7);
}

/* Bits of eight lit pixels that pass. */
static ALWAYS_INLINE uint32_t
test_two(const struct depth *d, const float range[2], const float *z_in, uint8_t *a, uint8_t *b,
         uint32_t lit, bool commit)
{
   v8i z = clamp8(v8i_load(z_in), range), old = load_two(a, b), code, pass;
   const v8i bit = v8i_of(1, 2, 4, 8, 16, 32, 64, 128);
   v8i on = v8i_equal(v8i_and(v8i_all(lit), bit), bit);
   if (d->format == DEPTH_D24_UNORM_X8) {
      code = encode8_24(z);
      pass = accept8(d->function, code, v8i_and(old, v8i_all(0xffffff)), nan8(z));
   } else {
      code = z;
      pass = accept8(d->function, order8(z), order8(old), v8i_or(nan8(z), nan8(old)));
   }
   if (d->test)
      on = v8i_and(on, pass);
   uint32_t passed = v8i_signs(on);
   if (commit && d->write && passed)
      store_two(a, b, v8i_choose(on, code, old), passed);
   return passed;
}

/* A block of which each two rows are 32 bytes of two columns of a tile, which lie below each other
 * (MEM-021). */
static ALWAYS_INLINE uint64_t
test_block(const struct depth *d, const float range[2], const float (*z)[16], uint8_t *at,
           uint64_t lit, bool commit)
{
   uint64_t passed = 0;
   for (unsigned i = 0; i < 8; i++) {
      uint32_t two = (uint32_t)(lit >> 8 * i & 0xff);
      uint8_t *a = at + 32 * (i / 2) + 512 * (i & 1);
      if (two)
         passed |= (uint64_t)test_two(d, range, &z[i / 2][8 * (i & 1)], a, a + 8, two, commit)
                   << 8 * i;
   }
   return passed;
}

static bool
block_fast(const struct depth *d, const struct pixel_group *g, int32_t x, int32_t y,
           const float (*z)[16], uint64_t *lit, bool commit)
{
   const struct surface_view *v = &d->view;
   enum mem_access access = d->write && commit ? MEM_READ | MEM_WRITE : MEM_READ;
   uint32_t layer = surface_view_layer(v, g->layer), left = (uint32_t)(x + d->offset_x),
            top = (uint32_t)(y + d->offset_y);
   if (layer >= v->depth)
      return false;
   struct slice s = slice_of(v, v->depth == UINT32_MAX ? 0 : layer);
   if ((left + s.x_el) & 7 || (top + s.row) & 7 || left >= v->width || left + 7 >= v->width ||
       top >= v->height || top + 7 >= v->height)
      return false;
   uint8_t *at = subspan_at(d, s, (uint32_t)x, (uint32_t)y, access);
   if (!at)
      return false;
   for (unsigned i = 0; i < 4; i++) /* the next block to the right */
      __builtin_prefetch(at + 1024 + 512 * (i / 2) + 64 * (i & 1));
   *lit = test_block(d, d->clamp[g->viewport & (DEPTH_VIEWPORTS - 1)], z, at, *lit, commit);
   return true;
}

static bool
group_fast(const struct depth *d, const struct pixel_group *g, const float *z, uint32_t *lit,
           bool commit)
{
   const struct surface_view *v = &d->view;
   enum mem_access access = d->write && commit ? MEM_READ | MEM_WRITE : MEM_READ;
   uint32_t layer = surface_view_layer(v, g->layer), passed = 0;
   uint8_t *at[PIXEL_SUBSPANS];
   if (layer >= v->depth)
      return false;
   struct slice s = slice_of(v, v->depth == UINT32_MAX ? 0 : layer);
   uint8_t *some = NULL;
   if (is_row(d, g, s)) { /* one question for all of it */
      some = subspan_at(d, s, g->x[0], g->y[0], access);
      if (!some || g->x[3] + 1u + (uint32_t)d->offset_x >= v->width)
         return false;
      at[0] = some, at[1] = some + 8, at[2] = some + 512, at[3] = some + 520;
      if (!(g->y[0] & 7)) /* the next eight pixels to the right, and eight rows */
         for (unsigned i = 0; i < 4; i++)
            __builtin_prefetch(some + 1024 + 512 * (i / 2) + 64 * (i & 1));
   }
   bool row = some != NULL;
   for (unsigned i = 0; i < g->subspans && !row; i++) {
      at[i] = *lit >> 4 * i & 15 ? subspan_at(d, s, g->x[i], g->y[i], access) : NULL;
      if (*lit >> 4 * i & 15 && !at[i])
         return false;
   }
   for (unsigned i = 0; i < g->subspans && !some; i++)
      some = at[i];
   const float *range = d->clamp[g->viewport & (DEPTH_VIEWPORTS - 1)];
   for (unsigned i = 0; i < g->subspans; i += 2) {
      uint32_t two = *lit >> 4 * i & 0xff;
      if (!two)
         continue;
      uint8_t *a = at[i] ? at[i] : some, *b = i + 1 < g->subspans && at[i + 1] ? at[i + 1] : some;
      passed |= test_two(d, range, z + 4 * i, a, b, two, commit) << 4 * i;
   }
   *lit = passed;
   return true;
}

const struct depth_fast_functions HOST_NAME(depth_fast) = {.group = group_fast,
                                                           .block = block_fast};
