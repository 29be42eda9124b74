/* The fast path of sample, sample_b, sample_l and sample_d, with a comparison or without: surfaces
 * of one to three axes, arrays and cubes of plain and compressed formats that become floats,
 * nearest, linear and anisotropic filters, all mip filters. Bit for bit what filter.c does, eight
 * pixels at a time; what is not for it is left to the slow path before anything is written. */
#include "machine/fpmode.h"
#include "shared_functions/sampler/quick_bits.h"
#include "shared_functions/sampler/quick_message.h"

/* ---- one level ------------------------------------------------------------------------------- */

typedef bool (*level_fn)(struct texture *x, struct mem_space *space, unsigned level, bool minified,
                         const struct where8 *p, const struct stretch8 *s, v8f out[4]);
/* A whole message of one level. */
typedef bool (*message_fn)(struct eu_thread *t, const struct sf_quick *q, struct texture *x,
                           uint32_t mask);

static ALWAYS_INLINE bool plain(struct eu_thread *t, const struct sf_quick *q, struct texture *x,
                                uint32_t mask, unsigned regs, struct shape k);

/* Functions for elements of 32 bits, by tiling and address mode. */
#define EDGE GEN7_TEXTURE_COORDINATE_MODE_CLAMP
#define SHAPE(tiles, mode_, ...)                                                                   \
   ((struct shape){                                                                                \
       .tiling = tiles, .size_log2 = 2, .mode = {mode_, mode_}, .bytes = true, __VA_ARGS__})
#define LEVEL_ARGUMENTS                                                                            \
   struct texture *x, struct mem_space *space, unsigned level, bool minified,                      \
       const struct where8 *p, const struct stretch8 *s, v8f out[4]
#define MESSAGE_ARGUMENTS                                                                          \
   struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t mask
#define COMMON(name, tiles, mode)                                                                  \
   static bool nearest_##name(LEVEL_ARGUMENTS)                                                     \
   {                                                                                               \
      (void)s;                                                                                     \
      return sample_once(x, space, level, minified, SHAPE(tiles, mode, .linear = false), p, out);  \
   }                                                                                               \
   static bool bilinear_##name(LEVEL_ARGUMENTS)                                                    \
   {                                                                                               \
      (void)s;                                                                                     \
      return sample_once(x, space, level, minified, SHAPE(tiles, mode, .linear = true), p, out);   \
   }                                                                                               \
   static bool stretched_##name(LEVEL_ARGUMENTS)                                                   \
   {                                                                                               \
      if (mode == BITS_APART)                                                                      \
         return bits_stretched(x, space, level, minified, p, s, out);                              \
      return sample_stretched(x, space, level, minified,                                           \
                              SHAPE(tiles, mode, .linear = true, .stretched = true), p, s, out);   \
   }                                                                                               \
   static bool nearest8_##name(MESSAGE_ARGUMENTS)                                                  \
   {                                                                                               \
      return plain(t, q, x, mask, 1, SHAPE(tiles, mode, .linear = false, .mips = false));          \
   }                                                                                               \
   static bool nearest16_##name(MESSAGE_ARGUMENTS)                                                 \
   {                                                                                               \
      return plain(t, q, x, mask, 2, SHAPE(tiles, mode, .linear = false, .mips = false));          \
   }                                                                                               \
   static bool bilinear8_##name(MESSAGE_ARGUMENTS)                                                 \
   {                                                                                               \
      return plain(t, q, x, mask, 1, SHAPE(tiles, mode, .linear = true, .mips = false));           \
   }                                                                                               \
   static bool bilinear16_##name(MESSAGE_ARGUMENTS)                                                \
   {                                                                                               \
      return plain(t, q, x, mask, 2, SHAPE(tiles, mode, .linear = true, .mips = false));           \
   }                                                                                               \
   static bool nearest8_mips_##name(MESSAGE_ARGUMENTS)                                             \
   {                                                                                               \
      return plain(t, q, x, mask, 1, SHAPE(tiles, mode, .linear = false, .mips = true));           \
   }                                                                                               \
   static bool nearest16_mips_##name(MESSAGE_ARGUMENTS)                                            \
   {                                                                                               \
      return plain(t, q, x, mask, 2, SHAPE(tiles, mode, .linear = false, .mips = true));           \
   }                                                                                               \
   static bool bilinear8_mips_##name(MESSAGE_ARGUMENTS)                                            \
   {                                                                                               \
      return plain(t, q, x, mask, 1, SHAPE(tiles, mode, .linear = true, .mips = true));            \
   }                                                                                               \
   static bool bilinear16_mips_##name(MESSAGE_ARGUMENTS)                                           \
   {                                                                                               \
      return plain(t, q, x, mask, 2, SHAPE(tiles, mode, .linear = true, .mips = true));            \
   }

COMMON(linear_wrap, MEM_LINEAR, WRAP_BITS)
COMMON(linear_edge, MEM_LINEAR, EDGE)
COMMON(x_wrap, MEM_TILE_X, WRAP_BITS)
COMMON(x_edge, MEM_TILE_X, EDGE)
COMMON(y_wrap, MEM_TILE_Y, WRAP_BITS)
COMMON(y_edge, MEM_TILE_Y, EDGE)
COMMON(bits, MEM_LINEAR, BITS_APART) /* any tiling */

/* Any of those textures, by what they are bound with. */
static ALWAYS_INLINE struct shape
shape_of(const struct texture *x, const struct surface_view *v, bool linear, bool stretched)
{
   return (struct shape){.tiling = v->tiling,
                         .size_log2 = v->size_log2,
                         .mode = {x->state.mode[0], x->state.mode[1]},
                         .linear = linear,
                         .stretched = stretched};
}

enum filter { NEAREST, BILINEAR, STRETCHED };

#define ANY(name, floats_)                                                                         \
   static bool name##_nearest(LEVEL_ARGUMENTS)                                                     \
   {                                                                                               \
      struct shape k = shape_of(x, &x->level[level], false, false);                                \
      k.floats = floats_;                                                                          \
      (void)s;                                                                                     \
      return sample_once(x, space, level, minified, k, p, out);                                    \
   }                                                                                               \
   static bool name##_bilinear(LEVEL_ARGUMENTS)                                                    \
   {                                                                                               \
      struct shape k = shape_of(x, &x->level[level], true, false);                                 \
      k.floats = floats_;                                                                          \
      (void)s;                                                                                     \
      return sample_once(x, space, level, minified, k, p, out);                                    \
   }                                                                                               \
   static bool name##_stretched(LEVEL_ARGUMENTS)                                                   \
   {                                                                                               \
      struct shape k = shape_of(x, &x->level[level], true, true);                                  \
      k.floats = floats_;                                                                          \
      return sample_stretched(x, space, level, minified, k, p, s, out);                            \
   }
ANY(any, false)
ANY(floats, true)

/* What has no function of its own. The thread may flush denormals; texels are not. */
static bool
general_level(struct texture *x, struct mem_space *space, unsigned level, bool minified,
              enum filter filter, const struct where8 *p, const struct stretch8 *s, v8f out[4])
{
   struct shape k = {
       .linear = filter != NEAREST, .stretched = filter == STRETCHED, .general = true};
   uint32_t modes = fpmode_get();
   fpmode_set(FPMODE_HOST);
   bool good = k.stretched ? sample_stretched(x, space, level, minified, k, p, s, out)
                           : general_once(x, space, level, minified, k, p, out);
   fpmode_set(modes);
   return good;
}

#define ROW(name)                                                                                  \
   {                                                                                               \
      name##_wrap, name##_edge                                                                     \
   }
#define ROWS(prefix)                                                                               \
   {                                                                                               \
      ROW(prefix##_linear), ROW(prefix##_x), ROW(prefix##_y)                                       \
   }
/* [filter][tiling][edge] */
static const level_fn common[3][3][2] = {ROWS(nearest), ROWS(bilinear), ROWS(stretched)};
static const level_fn bits[3] = {nearest_bits, bilinear_bits, stretched_bits};
static const level_fn any[2][3] = {{any_nearest, any_bilinear, any_stretched},
                                   {floats_nearest, floats_bilinear, floats_stretched}};
/* [levels by detail][registers - 1][filter][tiling][edge] */
static const message_fn messages[2][2][2][3][2] = {
    {{ROWS(nearest8), ROWS(bilinear8)}, {ROWS(nearest16), ROWS(bilinear16)}},
    {{ROWS(nearest8_mips), ROWS(bilinear8_mips)}, {ROWS(nearest16_mips), ROWS(bilinear16_mips)}}};
static const message_fn bits_messages[2][2][2] = {
    {{nearest8_bits, bilinear8_bits}, {nearest16_bits, bilinear16_bits}},
    {{nearest8_mips_bits, bilinear8_mips_bits}, {nearest16_mips_bits, bilinear16_mips_bits}}};

/* Are offsets bits of x beside bits of y? They are those of the first slice. */
static ALWAYS_INLINE bool
in_bits(const struct texture *x, unsigned level)
{
   return x->common == 0 && x->bits[level].good;
}

/* False: not for the fast path. */
static ALWAYS_INLINE bool
level_of(struct texture *x, struct mem_space *space, unsigned level, bool minified,
         enum filter filter, const struct where8 *p, const struct stretch8 *s, v8f out[4])
{
   const struct surface_view *v = texture_level(x, level);
   if (!(v->users & VIEW_TEXELS))
      return false;
   if (x->general || p->many || p->moved || p->compares)
      return general_level(x, space, level, minified, filter, p, s, out);
   level_fn fn = x->common == TEXTURE_UNCOMMON    ? any[!x->codes][filter]
                 : in_bits(x, level) && !p->slice ? bits[filter]
                                                  : common[filter][v->tiling][x->common];
   return fn(x, space, level, minified, p, s, out) ||
          (x->borders && general_level(x, space, level, minified, filter, p, s, out));
}

static ALWAYS_INLINE void
blend(v8f out[4], const v8f in[4], v8i on)
{
   for (unsigned c = 0; c < 4; c++)
      out[c] = v8f_choose(on, in[c], out[c]);
}

/* Lanes of one level and filter. */
static bool
sample_alike(struct texture *x, struct mem_space *space, unsigned level, bool minified, v8i on,
             const struct where8 *p, const struct stretch8 *s, v8f out[4])
{
   unsigned filter = minified ? x->state.min : x->state.mag;
   v8i stretched = v8i_all(0);
   if (filter == GEN7_MAP_FILTER_ANISOTROPIC && s->most > 1)
      stretched = v8i_and(v8i_more(s->ways, v8i_all(1)), on);
   v8i rest = v8i_and_not(on, stretched);
   v8f t[4];
   if (!v8i_none(stretched)) { /* lanes that are not stretched are sampled by themselves */
      if (!level_of(x, space, level, minified, STRETCHED, p, s, t))
         return false;
      blend(out, t, stretched);
   }
   if (v8i_none(rest))
      return true;
   if (!level_of(x, space, level, minified, filter == GEN7_MAP_FILTER_NEAREST ? NEAREST : BILINEAR,
                 p, s, t))
      return false;
   blend(out, t, rest);
   return true;
}

/* Levels and filters may differ from lane to lane: alike ones together. */
static ALWAYS_INLINE bool
sample_levels(struct texture *x, struct mem_space *space, v8i level, v8i minified, v8i on,
              const struct where8 *p, const struct stretch8 *s, v8f out[4])
{
   uint32_t numbers[8], left = v8i_signs(on), small = v8i_signs(minified);
   v8i_store(numbers, level);
   while (left) {
      unsigned first = (unsigned)__builtin_ctz(left);
      bool min = small >> first & 1;
      v8i alike = v8i_and(v8i_equal(level, v8i_all(numbers[first])), on);
      alike = v8i_and(alike, v8i_equal(minified, v8i_all(min ? UINT32_MAX : 0)));
      struct where8 q = *p;
      q.u = only8(p->u, alike, first);
      q.v = only8(p->v, alike, first);
      q.r = only8(p->r, alike, first);
      q.slices = v8_as_int(only8(v8_as_float(p->slices), alike, first));
      if (!sample_alike(x, space, numbers[first], min, alike, &q, s, out))
         return false;
      left &= ~v8i_signs(alike);
   }
   return true;
}

/* ---- the message ----------------------------------------------------------------------------- */

/* The levels of eight pixels, if they are the same ones. */
static ALWAYS_INLINE bool
one_level(const struct texture *x, v8i raw, v8i on, unsigned first, unsigned *level, bool *minified,
          v8i *beta)
{
   struct levels8 l = levels8(x, raw);
   v8i one = v8i_spread(l.level, first);
   uint32_t small = v8i_signs(v8i_and(l.minified, on));
   *level = (uint32_t)v8i_lane(one, 0);
   *minified = small != 0;
   *beta = v8i_and(l.beta, on);
   return v8i_apart(v8i_xor(l.level, one), on) && (!small || small == v8i_signs(on));
}

/* Where eight pixels of a message sample a plain 2D texture: u and v as they came. */
static ALWAYS_INLINE struct where8
plane8(const uint8_t *payload, struct numbers n, unsigned step)
{
   struct where8 p;
   p.slice = 0;
   p.u = v8_as_float(v8i_load(payload + n.u * step));
   p.v = v8_as_float(v8i_load(payload + n.v * step));
   p.extra[0] = p.extra[1] = v8f_all(0);
   return p;
}

/* Some slots are off, or the level's host address is not known. */
static __attribute__((noinline)) bool
bits_seldom(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t mask,
            unsigned regs, bool linear)
{
   if (!x->plain.bits.host && !find_bits_host(x, t->env->space))
      return false;
   if (regs == 1)
      return linear ? bits_linear(t, q, x, mask, 1, true) : bits_nearest(t, q, x, mask, 1, true);
   return linear ? bits_linear(t, q, x, mask, 2, true) : bits_nearest(t, q, x, mask, 2, true);
}

/* A message whose pixels are all of the first level, with one filter: nothing is written before all
 * texels are found. The thread's floating-point modes flush denormal coordinates. */
static ALWAYS_INLINE bool
plain_level(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t mask,
            unsigned regs, struct shape k)
{
   uint32_t slots = (1u << 8 * regs) - 1;
   if (k.mode[0] == BITS_APART) {
      if (__builtin_expect((mask & slots) != slots || !x->plain.bits.host, 0))
         return bits_seldom(t, q, x, mask, regs, k.linear);
      return k.linear ? bits_linear(t, q, x, mask, regs, false)
                      : bits_nearest(t, q, x, mask, regs, false);
   }
   struct numbers n = numbers_of(q->like);
   unsigned level = (unsigned)x->level_none, step = regs * EU_REG_SIZE;
   struct found8 found[2];
   for (unsigned r = 0; r < regs; r++) {
      const uint8_t *payload = t->grf + q->payload + r * EU_REG_SIZE;
      uint32_t exec = mask >> 8 * r & 0xff;
      struct where8 p = plane8(payload, n, step);
      if (__builtin_expect(exec != 0xff, 0)) {
         if (!exec)
            continue;
         p.u = only8(p.u, lanes8(exec), (unsigned)__builtin_ctz(exec));
         p.v = only8(p.v, lanes8(exec), (unsigned)__builtin_ctz(exec));
      }
      if (!find_texels(x, t->env->space, level, false, k, &p, &found[r]))
         return false;
   }
   for (unsigned r = 0; r < regs; r++) {
      v8f out[4];
      if (!(mask >> 8 * r & 0xff))
         continue;
      settle(&found[r]);
      filter_texels(x, level, k, &found[r], out);
      respond(t, q, mask, regs, r, out);
   }
   sf_quick_mark(t, q);
   return true;
}

/* Eight pixels in one level or in two next to each other. */
struct between8 {
   struct found8 found[2];
   unsigned level[2];
   v8i beta; /* weight of the second, 8 fraction bits */
   bool both;
};

/* False: not for the fast path. */
static ALWAYS_INLINE bool
find_between(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t exec,
             unsigned regs, unsigned r, struct shape k, struct between8 *b)
{
   struct numbers n = numbers_of(q->like);
   const uint8_t *payload = t->grf + q->payload + r * EU_REG_SIZE;
   unsigned step = regs * EU_REG_SIZE, first = 0;
   bool minified = false;
   v8i on = v8i_all(-1), raw;
   struct stretch8 none;
   struct where8 p = plane8(payload, n, step);
   if (__builtin_expect(exec != 0xff, 0)) {
      on = lanes8(exec);
      first = (unsigned)__builtin_ctz(exec);
   }
   v8f u = input8(payload + n.u * step), v = input8(payload + n.v * step);
   if (!raw_lod8(q, x, payload, step, u, v, u, on, &none, &raw) ||
       !one_level(x, raw, on, first, &b->level[0], &minified, &b->beta) ||
       !(texture_level(x, b->level[0])->users & VIEW_TEXELS))
      return false;
   if (__builtin_expect(exec != 0xff, 0)) {
      p.u = only8(p.u, on, first);
      p.v = only8(p.v, on, first);
   }
   b->both = !v8i_none(b->beta);
   b->level[1] = b->level[0] + 1 < x->s.levels ? b->level[0] + 1 : b->level[0];
   return find_texels(x, t->env->space, b->level[0], minified, k, &p, &b->found[0]) &&
          (!b->both || (texture_level(x, b->level[1])->users & VIEW_TEXELS &&
                        find_texels(x, t->env->space, b->level[1], minified, k, &p, &b->found[1])));
}

static ALWAYS_INLINE void
filter_between(struct texture *x, struct shape k, struct between8 *b, v8f out[4])
{
   v8f other[4], weight = v8f_times(v8i_to_float(b->beta), v8f_all(1.0f / 256)),
                 rest = v8f_sub(v8f_all(1.0f), weight);
   settle(&b->found[0]);
   filter_texels(x, b->level[0], k, &b->found[0], out);
   if (!b->both)
      return;
   settle(&b->found[1]);
   filter_texels(x, b->level[1], k, &b->found[1], other);
   for (unsigned c = 0; c < 4; c++) /* exact where the weight is 0 */
      out[c] = v8f_add(v8f_times(out[c], rest), v8f_times(other[c], weight));
}

/* The same for pixels of any level, or of two next to each other. */
static ALWAYS_INLINE bool
plain_levels(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t mask,
             unsigned regs, struct shape k)
{
   struct between8 b[2];
   for (unsigned r = 0; r < regs; r++) {
      uint32_t exec = mask >> 8 * r & 0xff;
      if (exec && !find_between(t, q, x, exec, regs, r, k, &b[r]))
         return false;
   }
   for (unsigned r = 0; r < regs; r++) {
      v8f out[4];
      if (!(mask >> 8 * r & 0xff))
         continue;
      filter_between(x, k, &b[r], out);
      respond(t, q, mask, regs, r, out);
   }
   sf_quick_mark(t, q);
   return true;
}

static bool sample_rest8(MESSAGE_ARGUMENTS);
static bool sample_rest16(MESSAGE_ARGUMENTS);

static ALWAYS_INLINE bool
plain(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t mask,
      unsigned regs, struct shape k)
{
   if (k.mips ? plain_levels(t, q, x, mask, regs, k) : plain_level(t, q, x, mask, regs, k))
      return true;
   return regs == 2 ? sample_rest16(t, q, x, mask) : sample_rest8(t, q, x, mask);
}

/* NULL: something is special. */
static ALWAYS_INLINE message_fn
plain_of(const struct eu_thread *t, const struct sf_quick *q, struct texture *x, unsigned regs)
{
   struct numbers n = numbers_of(q->like);
   bool element = x->s.array && q->sources > n.element;
   if (x->common == TEXTURE_UNCOMMON || element || q->compares || q->header || q->sources <= n.v ||
       t->cr0[0] & GEN7_CONTROL_REGISTER__ROUNDING_MODE || x->stretches ||
       x->state.min != x->state.mag || (q->rules && q->like == SAMPLER_SAMPLE_B))
      return NULL;
   const struct surface_view *v = texture_level(x, (unsigned)x->level_none);
   if (!(v->users & VIEW_TEXELS))
      return NULL;
   bool linear = x->state.mag != GEN7_MAP_FILTER_NEAREST;
   bool rounds = !linear && !x->needs_lod && (x->state.round[0][0] || x->state.round[0][1]);
   bool by_bits = in_bits(x, (unsigned)x->level_none) && !rounds;
   for (unsigned i = 0; i < x->s.levels && x->needs_lod && by_bits; i++)
      by_bits = texture_level(x, i)->users & VIEW_TEXELS && in_bits(x, i);
   return by_bits ? bits_messages[x->needs_lod][regs - 1][linear]
                  : messages[x->needs_lod][regs - 1][linear][v->tiling][x->common];
}

/* Eight pixels, some of them on. */
static ALWAYS_INLINE bool
sample8(struct eu_thread *t, const struct sf_quick *q, struct texture *x, unsigned regs, unsigned r,
        uint32_t exec, v8f out[4])
{
   const uint8_t *payload = t->grf + q->payload + r * EU_REG_SIZE;
   unsigned step = regs * EU_REG_SIZE, first = (unsigned)__builtin_ctz(exec);
   v8i on = lanes8(exec), raw;
   struct where8 p;
   struct stretch8 s; /* a member each: a whole one is cleared slowly */
   unsigned channel;
   s.most = 1;
   s.ways = v8i_all(1);
   s.ratio = v8f_all(1.0f);
   s.step_x = s.step_y = v8f_all(0);
   p.extra[0] = p.extra[1] = v8f_all(0);
   if (!read_header8(q, x, t->grf + q->payload, step, &p, &channel) ||
       !locate8(t, q, x, payload, step, on, first, &p) ||
       !raw_lod8(q, x, payload, step, p.u, p.v, p.r, on, &s, &raw))
      return false;
   if (x->s.type == SURFTYPE_CUBE)
      onto_faces8(&p);
   struct levels8 l = levels8(x, raw);
   if (!sample_levels(x, t->env->space, l.level, l.minified, on, &p, &s, out))
      return false;
   v8i mixed = v8i_and_not(on, v8i_equal(l.beta, v8i_all(0)));
   if (v8i_none(mixed))
      return true;
   v8f other[4], both[4];
   v8f beta = v8f_times(v8i_to_float(l.beta), v8f_all(1.0f / 256));
   v8f rest = v8f_sub(v8f_all(1.0f), beta);
   for (unsigned c = 0; c < 4; c++)
      other[c] = v8f_all(0);
   v8i next = min8(v8i_add(l.level, v8i_all(1)), x->s.levels - 1);
   if (!sample_levels(x, t->env->space, next, l.minified, mixed, &p, &s, other))
      return false;
   for (unsigned c = 0; c < 4; c++)
      both[c] = v8f_add(v8f_times(out[c], rest), v8f_times(other[c], beta));
   blend(out, both, mixed);
   return true;
}

/* Whatever has no function of its own. */
static ALWAYS_INLINE bool
sample_rest(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t exec_mask,
            unsigned regs)
{
   v8f out[2][4];
   for (unsigned r = 0; r < regs; r++)
      for (unsigned c = 0; c < 4; c++)
         out[r][c] = v8f_all(0);
   uint32_t modes = FPMODE_HOST;
   bool good = true;
   /* As for the slow path: to the nearest, no flushing. What is flushed could only matter to the
    * axes of anisotropic filters, and to texels that are floats. */
   bool as_it_is = !x->stretches && x->codes && !x->general &&
                   !(t->cr0[0] & GEN7_CONTROL_REGISTER__ROUNDING_MODE);
   if (!as_it_is) {
      modes = fpmode_get();
      fpmode_set(FPMODE_HOST);
   }
   for (unsigned r = 0; r < regs && good; r++)
      if (exec_mask >> 8 * r & 0xff)
         good = sample8(t, q, x, regs, r, exec_mask >> 8 * r & 0xff, out[r]);
   if (!as_it_is)
      fpmode_set(modes);
   if (!good)
      return false;
   for (unsigned r = 0; r < regs; r++)
      respond(t, q, exec_mask, regs, r, out[r]);
   sf_quick_mark(t, q);
   return true;
}

static __attribute__((noinline)) bool
sample_rest8(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t exec_mask)
{
   return sample_rest(t, q, x, exec_mask, 1);
}

static __attribute__((noinline)) bool
sample_rest16(struct eu_thread *t, const struct sf_quick *q, struct texture *x, uint32_t exec_mask)
{
   return sample_rest(t, q, x, exec_mask, 2);
}

/* The function is chosen for the first message of a kind, and remembered. False: not for the fast
 * path. */
static __attribute__((noinline)) bool
choose(const struct eu_thread *t, const struct sf_quick *q, struct texture *x, unsigned regs)
{
   if (!quick_knows(q, x))
      return false;
   struct texture_plain *p = &x->plain;
   struct numbers n = numbers_of(q->like);
   message_fn fn = plain_of(t, q, x, regs);
   unsigned level = (unsigned)x->level_none, step = regs * EU_REG_SIZE;
   float unit = x->state.mag == GEN7_MAP_FILTER_NEAREST ? 1.0f / 256 : 1.0f;
   p->key = q->texture | hw_get(t->cr0[0], GEN7_CONTROL_REGISTER__ROUNDING_MODE) << 28;
   fn = fn ? fn : regs == 2 ? sample_rest16 : sample_rest8;
   memcpy(&p->fn, &fn, sizeof(fn));
   p->u_B = (uint16_t)(n.u * step);
   p->v_B = (uint16_t)(n.v * step);
   texture_level(x, level);
   for (unsigned i = 0; i < 2; i++) {
      p->scale[i] = x->scale[level][i] * unit;
      p->rounding[i] = x->rounding[0][i] * unit;
   }
   p->bits = x->bits[level];
   for (unsigned c = 0; c < 4; c++) {
      unsigned byte = x->swapped && c != 1 && c != 3 ? 2 - c : c;
      p->thrice[c] = 3u << 8 * byte;
      p->unit[c] = code_unit(byte);
   }
   p->thrice[3] = x->opaque ? 0 : p->thrice[3];
   p->alpha = x->opaque ? 1.0f : 0.0f;
   return true;
}

static ALWAYS_INLINE bool
sample(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask, unsigned regs)
{
   struct sf_buffers *b = t->buffers;
   if (sf_observed(t) || !sf_buffers_good(b, t) ||
       b->samplers != t->env->dynamic_state_base + t->sampler_states)
      return false;
   struct texture *x = (struct texture *)(void *)((uint8_t *)b + q->texture_B);
   uint32_t key = q->texture | hw_get(t->cr0[0], GEN7_CONTROL_REGISTER__ROUNDING_MODE) << 28;
   if (__builtin_expect(x->plain.key != key, 0) && !choose(t, q, x, regs))
      return false;
   message_fn fn;
   memcpy(&fn, &x->plain.fn, sizeof(fn));
   return fn(t, q, x, exec_mask);
}

static bool
sample8_message(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return sample(t, q, exec_mask, 1);
}

static bool
sample16_message(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask)
{
   return sample(t, q, exec_mask, 2);
}

const sf_quick_fn HOST_NAME(sampler_quick_sample)[2] = {sample8_message, sample16_message};
