/* Private to the fast paths of sampler messages: textures that have no loops of their own. Any
 * format whose texels become floats, compressed blocks, comparisons, offsets, borders, lines,
 * volumes, cubes, arrays with an element for each pixel: bit for bit what texel.c and filter.c do.
 */
#ifndef PERGOLA_SAMPLER_QUICK_GENERAL_H
#define PERGOLA_SAMPLER_QUICK_GENERAL_H

#include "shared_functions/sampler/quick_texel.h"

/* ---- texels ---------------------------------------------------------------------------------- */

/* As small_to_float of format.c. */
static ALWAYS_INLINE v8i
wide8(v8i v, unsigned fraction_bits)
{
   uint32_t mask = (1u << fraction_bits) - 1;
   v8i fraction = and8(v, mask), exponent = and8(v8i_shr_by(v, (int)fraction_bits), 31);
   v8i wide = v8i_shl_by(v, (int)(23 - fraction_bits));
   v8i normal = add8(wide, 112u << 23), special = v8i_or(wide, v8i_all(0x7f800000));
   v8f least = v8f_all(1.0f / (float)(1u << (14 + fraction_bits)));
   v8i small = v8_as_int(v8f_times(v8i_to_float(fraction), least));
   v8i r = v8i_choose(v8i_equal(exponent, v8i_all(31)), special, normal);
   return v8i_choose(v8i_equal(exponent, v8i_all(0)), small, r);
}

static ALWAYS_INLINE v8i
bits_of(const struct format_channel *c, const v8i word[4])
{
   v8i v = v8i_shr_by(word[c->start / 32], c->start % 32);
   return c->bits < 32 ? and8(v, (1u << c->bits) - 1) : v;
}

/* As format_snorm_to_float: no quotient of so few bits lies between two floats. */
static ALWAYS_INLINE v8f
from_snorm8(const struct format_channel *c, v8i v)
{
   int up = 32 - c->bits;
   v8f f = v8i_to_float(v8i_asr_by(v8i_shl_by(v, up), up));
   f = v8f_over(f, v8f_all((float)((1u << (c->bits - 1)) - 1)));
   return v8f_max(f, v8f_all(-1.0f));
}

static ALWAYS_INLINE v8f
absent8(const struct texture *x, unsigned c)
{
   return v8f_all(x->ones >> c & 1 || c == 3 ? 1.0f : 0.0f);
}

static ALWAYS_INLINE v8f
general_channel(const struct texture *x, const struct surface_view *v, const v8i word[4],
                unsigned i)
{
   const struct format_channel *c = &v->format->channel[i];
   if (c->type == CHANNEL_NONE)
      return absent8(x, i);
   if (v->format->srgb && i < 3) /* SMP-099 */
      return v8_as_float(v8i_fetch((const uint8_t *)x->srgb, v8i_shl_by(bits_of(c, word), 2)));
   if (c->type == CHANNEL_SNORM)
      return from_snorm8(c, bits_of(c, word));
   if (c->type == CHANNEL_UNORM && c->bits > 16)
      return v8f_over(v8i_to_float(bits_of(c, word)), v8f_all((float)((1u << c->bits) - 1)));
   if (c->type != CHANNEL_FLOAT || c->bits == 32)
      return v8_as_float(decode_channel(&v->channel[i], word));
   if (c->bits == 16) {
      v8i half = bits_of(c, word), sign = v8i_shl_by(and8(half, 0x8000), 16);
      return v8_as_float(v8i_or(wide8(and8(half, 0x7fff), 10), sign));
   }
   return v8_as_float(wide8(bits_of(c, word), c->bits - 5u));
}

/* ---- axes ------------------------------------------------------------------------------------ */

struct general_axis {
   v8i i[2], w;
   v8i outside[2]; /* lanes whose texel is of the border, if it has weight */
};

static ALWAYS_INLINE unsigned
general_mode(const struct texture *x, unsigned axis)
{
   const unsigned cube = GEN7_TEXTURE_COORDINATE_MODE_CUBE,
                  clamp = GEN7_TEXTURE_COORDINATE_MODE_CLAMP;
   if (x->s.type == SURFTYPE_CUBE)
      return x->state.mode[0] == cube ? cube : clamp;
   return x->state.mode[axis] == cube ? clamp : x->state.mode[axis];
}

/* *wrong: lanes that need another face, or half of a border. */
static ALWAYS_INLINE struct general_axis
general_axis(v8i p, uint32_t size, unsigned mode, struct shape k, v8i *wrong)
{
   struct general_axis a;
   v8i zero = v8i_all(0);
   a.w = a.outside[0] = a.outside[1] = zero;
   if (k.linear)
      p = v8i_sub(p, v8i_all(128));
   v8i first = v8i_asr_by(p, 8), second = v8i_add(first, v8i_all(1));
   bool folds = mode == GEN7_TEXTURE_COORDINATE_MODE_CUBE;
   unsigned as = folds ? GEN7_TEXTURE_COORDINATE_MODE_CLAMP_BORDER : mode;
   a.i[0] = a.i[1] = texel8(as, size, first, &a.outside[0]);
   if (k.linear) {
      a.w = and8(p, 255);
      a.i[1] = texel8(as, size, second, &a.outside[1]);
      if (!k.gathers)
         a.outside[1] = v8i_and_not(a.outside[1], v8i_equal(a.w, zero));
   }
   if (folds || mode == GEN7_TEXTURE_COORDINATE_MODE_HALF_BORDER)
      *wrong = v8i_or(*wrong, v8i_or(a.outside[0], a.outside[1]));
   return a;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The texels of eight pixels. */
struct taps8 {
   unsigned count;        /* 1, 2, 4 or 8 */
   v8i in_block[8];       /* which texel of a compressed block */
   v8i at[8];             /* from the window's start */
   v8i weight[8];         /* that add up to 2^8, 2^16 or 2^24 */
   v8i outside[8], edges; /* of the border; lanes that have such a texel */
};

/* Texels of compressed blocks. */
static ALWAYS_INLINE void
block_texels(const struct surface_view *v, const uint8_t *host, v8i at, v8i in_block,
             struct decoded_blocks *decoded, v8f t[4])
{
   uint32_t offset[8], which[8], texel[8][4];
   v8i word[4];
   v8i_store(offset, at);
   v8i_store(which, in_block);
   const format_texel *block = NULL;
   for (unsigned i = 0; i < 8; i++) { /* the next one is often in the same block */
      if (!i || offset[i] != offset[i - 1])
         block = decoded_texels(decoded, v->format, host + offset[i], v->size_B);
      memcpy(texel[i], block[which[i]], sizeof(texel[i]));
   }
   for (unsigned i = 0; i < 4; i++)
      word[i] = v8i_load_halves((const uint8_t *)texel[i], (const uint8_t *)texel[4 + i]);
   transpose(word);
   for (unsigned c = 0; c < 4; c++)
      t[c] = v8_as_float(word[c]);
}

static ALWAYS_INLINE void
general_words(const struct surface_view *v, const uint8_t *host, v8i at, v8i word[4])
{
   unsigned words = v->size_B > 4 ? v->size_B / 4u : 1;
   for (unsigned i = 0; i < 4; i++)
      word[i] = i < words ? gather8(v->size_log2 < 2 ? v->size_log2 : 2, host, add8(at, 4 * i))
                          : v8i_all(0);
}

/* A border has the 1.0 of channels that the format lacks, too. */
static ALWAYS_INLINE v8f
with_border(const struct texture *x, unsigned c, v8f texel, v8i outside)
{
   v8f border = x->ones >> c & 1 ? v8f_all(1.0f) : v8_as_float(v8i_all(x->border[c]));
   return v8f_choose(outside, border, texel);
}

/* SMP-087 to SMP-094, SMP-097: as compare of texel.c. */
static ALWAYS_INLINE v8f
compare8(unsigned function, v8f texel, v8f reference)
{
   v8i holds, good = v8i_and(v8f_equal(texel, texel), v8f_equal(reference, reference));
   switch (function) {
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_ALWAYS:
      return v8f_all(0);
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_NEVER:
      return v8f_all(1.0f);
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_EQUAL:
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_NOTEQUAL:
      holds = v8f_equal(texel, reference);
      if (function == GEN7_SAMPLER_STATE_SHADOW_FUNCTION_NOTEQUAL)
         holds = v8i_not(holds);
      return v8f_choose(holds, v8f_all(0), v8f_all(1.0f));
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_LESS:
      holds = v8f_less(texel, reference);
      break;
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_LEQUAL:
      holds = v8f_at_least(reference, texel);
      break;
   case GEN7_SAMPLER_STATE_SHADOW_FUNCTION_GREATER:
      holds = v8f_more(texel, reference);
      break;
   default:
      holds = v8f_at_least(texel, reference);
   }
   return v8f_choose(v8i_and_not(good, holds), v8f_all(1.0f), v8f_all(0));
}

/* As apply_comparison. */
static ALWAYS_INLINE void
compare_texels(const struct texture *x, const struct surface_view *v, v8f reference, v8f t[4])
{
   const struct format_channel *c = v->format->channel;
   unsigned from = c[0].type == CHANNEL_NONE ? 3 : 0;
   if (c[from].type == CHANNEL_UNORM) {
      v8f inside = v8f_min(v8f_max(reference, v8f_all(0)), v8f_all(1.0f));
      reference = v8f_choose(v8f_equal(reference, reference), inside, reference);
   }
   v8f result = compare8(x->state.shadow, t[from], reference);
   for (unsigned i = 0; i < 4; i++)
      if (c[i].type != CHANNEL_NONE)
         t[i] = result;
}

/* Texel n of each pixel: of the border, or compared. Channels from `first` to before `end` alone.
 */
static ALWAYS_INLINE void
general_texels(const struct texture *x, const struct surface_view *v, const uint8_t *host,
               const struct taps8 *k, unsigned n, const struct where8 *p, unsigned first,
               unsigned end, v8f t[4])
{
   if (p->decoded) {
      block_texels(v, host, k->at[n], k->in_block[n], p->decoded, t);
   } else {
      v8i word[4];
      general_words(v, host, k->at[n], word);
      for (unsigned c = first; c < end; c++)
         t[c] = general_channel(x, v, word, c);
   }
   for (unsigned c = first; c < end; c++)
      t[c] = with_border(x, c, t[c], k->outside[n]);
   if (p->compares)
      compare_texels(x, v, p->reference, t);
}

/* As sum_floats: in pairs; a texel of no weight does not count. */
static void
general_floats(const struct texture *x, const struct surface_view *v, const uint8_t *host,
               const struct taps8 *k, const struct where8 *p, v8f out[4])
{
   v8f t[8][4];
   float scale = k->count == 2 ? 1.0f / 256 : k->count == 4 ? 1.0f / 65536 : 1.0f / 16777216;
   unsigned n = 0;
   do { /* at least one */
      general_texels(x, v, host, k, n, p, 0, 4, t[n]);
      v8f weight = v8f_times(v8i_to_float(k->weight[n]), v8f_all(scale));
      v8i some = v8i_more(k->weight[n], v8i_all(0));
      for (unsigned c = 0; c < 4 && k->count > 1; c++)
         t[n][c] = v8f_and(v8f_times(t[n][c], weight), some);
   } while (++n < k->count);
   for (unsigned left = k->count; left > 1; left /= 2)
      for (unsigned n = 0; n < left / 2; n++)
         for (unsigned c = 0; c < 4; c++)
            t[n][c] = v8f_add(t[2 * n][c], t[2 * n + 1][c]);
   for (unsigned c = 0; c < 4; c++)
      out[c] = t[0][c];
}

/* A sum of 32 bits over 255 * 2^24. */
static ALWAYS_INLINE v8f
over_volume8(v8i sum)
{
   v8d whole = v8i_to_double(v8i_xor(sum, v8i_all(0x80000000)));
   return v8d_to_float(V8_EACH(v8d, (whole.p[k] + 2147483648.0) / 4278190080.0));
}

/* As sum_codes. */
static void
general_codes(const struct texture *x, const struct surface_view *v, const uint8_t *host,
              const struct taps8 *k, v8f out[4])
{
   v8i sum[4];
   for (unsigned c = 0; c < 4; c++)
      sum[c] = v8i_all(0);
   for (unsigned n = 0; n < k->count; n++) {
      v8i word[4];
      general_words(v, host, k->at[n], word);
      for (unsigned c = 0; c < 4; c++) {
         const struct format_channel *f = &v->format->channel[c];
         if (f->type != CHANNEL_NONE)
            sum[c] = v8i_add(sum[c], v8i_mul(bits_of(f, word), k->weight[n]));
      }
   }
   for (unsigned c = 0; c < 4; c++)
      if (v->format->channel[c].type == CHANNEL_NONE)
         out[c] = absent8(x, c);
      else if (k->count == 8)
         out[c] = over_volume8(sum[c]);
      else
         out[c] = v8f_over(v8i_to_float(sum[c]), v8f_all(16711680.0f));
}

/* ---- one position in one level --------------------------------------------------------------- */

/* Places from the base: what slices lie side by side, and below each other. */
static ALWAYS_INLINE v8i
general_place(const struct surface_view *v, v8i x, v8i y, v8i slice)
{
   v8i beside = and8(slice, (1u << v->slices_log2) - 1);
   v8i below = v8i_shr_by(slice, v->slices_log2);
   v8i column = add8(v8i_add(x, mul8(beside, v->slice_el)), v->x_el);
   v8i row = add8(v8i_add(y, mul8(below, v->slice_rows)), v->row);
   return tile_offset8(v->tiling, v8i_shl_by(column, v->size_log2), row, v->pitch_B);
}

static ALWAYS_INLINE void
general_taps(const struct texture *x, const struct surface_view *v, const struct general_axis a[3],
             v8i slices, bool linear, struct taps8 *k)
{
   k->count = linear ? 1u << x->axes : 1;
   k->edges = v8i_all(0);
   for (unsigned n = 0; n < k->count; n++) {
      v8i w = v8i_all(1), outside = v8i_all(0);
      for (unsigned i = 0; i < x->axes; i++) {
         unsigned up = n >> i & 1;
         w = v8i_mul(w, up ? a[i].w : v8i_sub(v8i_all(256), a[i].w));
         outside = v8i_or(outside, a[i].outside[up]);
      }
      k->weight[n] = w;
      k->outside[n] = outside;
      k->edges = v8i_or(k->edges, outside);
      v8i column = a[0].i[n & 1], row = a[1].i[n >> 1 & 1];
      if (x->blocks) {
         column = add8(column, v->x_px);
         row = add8(row, v->y_px);
         k->in_block[n] = v8i_add(v8i_shl_by(and8(row, 3), 2), and8(column, 3));
         column = v8i_shr_by(column, 2);
         row = v8i_shr_by(row, 2);
      }
      k->at[n] = general_place(v, column, row, x->axes == 3 ? a[2].i[n >> 2 & 1] : slices);
   }
}

/* Makes places distances from the window's start. False: they do not lie in one window. */
static ALWAYS_INLINE bool
general_reach(struct surface_view *v, struct mem_space *space, struct taps8 *k)
{
   struct view_window *w = &v->window[0];
   for (unsigned again = 0; again < 2; again++) {
      v8i start = v8i_all(w->start), most = v8i_all(0);
      for (unsigned n = 0; n < k->count; n++)
         most = v8u_max(most, v8i_sub(k->at[n], start));
      if (in_window8(w, most)) {
         for (unsigned n = 0; n < k->count; n++)
            k->at[n] = v8i_sub(k->at[n], start);
         return true;
      }
      uint32_t first = (uint32_t)v8i_lane(k->at[0], 0);
      if (again || !surface_view_look(v, space, first, false))
         return false;
   }
   return false;
}

/* How many texels an axis is moved by. */
static ALWAYS_INLINE v8f
general_move(const struct where8 *p, unsigned axis, bool stretched)
{
   v8f by = p->moved ? p->offset[axis] : v8f_all(0);
   return stretched ? v8f_add(by, p->extra[axis]) : by;
}

/* Finds the texels of eight pixels. False: not for the fast path. */
static ALWAYS_INLINE bool
general_find(struct texture *x, struct mem_space *space, unsigned level, bool minified,
             struct shape k, const struct where8 *p, struct taps8 *taps)
{
   struct surface_view *v = &x->level[level];
   const uint32_t size[3] = {v->width, v->height, v->depth};
   const v8f at[3] = {p->u, p->v, p->r};
   v8i wrong = v8i_all(0), far = wrong;
   struct general_axis a[3];
   a[1].i[0] = a[1].i[1] = wrong; /* of a line */
   for (unsigned i = 0; i < x->axes; i++) {
      float rounding = x->state.round[minified][i] && !k.gathers ? 0.5f : 0.0f,
            scale = x->state.unnormalized ? 256.0f : 256.0f * (float)size[i];
      bool stretched = k.stretched && i < 2, moved = stretched || p->moved;
      v8f by = moved ? general_move(p, i, stretched) : at[i];
      v8i pos = position8(at[i], &scale, &rounding, by, moved, &far);
      a[i] = general_axis(pos, size[i], general_mode(x, i), k, &wrong);
   }
   wrong = v8i_or(wrong, v8i_more(far, v8i_all(FAR_BITS - 1)));
   if (!v8i_none(wrong))
      return false;
   general_taps(x, v, a, p->slices, k.linear, taps);
   return general_reach(v, space, taps);
}

/* False: not for the fast path. */
static bool
general_once(struct texture *x, struct mem_space *space, unsigned level, bool minified,
             struct shape k, const struct where8 *p, v8f out[4])
{
   struct surface_view *v = &x->level[level];
   struct taps8 taps;
   if (!general_find(x, space, level, minified, k, p, &taps))
      return false;
   const uint8_t *host = v->window[0].host;
   bool codes = x->codes && k.linear && x->axes > 1 && x->s.type != SURFTYPE_CUBE && !p->compares;
   if (!codes || !v8i_none(taps.edges))
      general_floats(x, v, host, &taps, p, out);
   if (!codes)
      return true;
   v8f whole[4];
   general_codes(x, v, host, &taps, whole);
   for (unsigned c = 0; c < 4; c++) /* a pixel with a border is a sum of floats */
      out[c] = v8i_none(taps.edges) ? whole[c] : v8f_choose(taps.edges, out[c], whole[c]);
   return true;
}

/* As anisotropic of filter.c: where its samples are, and their weights. */
struct line8 {
   v8f ways, last, middle, end;
};

static ALWAYS_INLINE struct line8
line8(const struct stretch8 *s)
{
   struct line8 l;
   v8f half = v8f_all(0.5f);
   l.ways = v8i_to_float(s->ways);
   l.last = v8f_sub(l.ways, v8f_all(1.0f));
   l.middle = v8f_times(l.last, half);
   l.end = v8f_times(v8f_sub(s->ratio, v8f_sub(l.ways, v8f_all(2.0f))), half);
   return l;
}

static ALWAYS_INLINE void
step8(const struct line8 *l, const struct stretch8 *s, unsigned n, struct where8 *p)
{
   v8f number = v8f_all((float)n);
   v8i used = v8f_less(number, l->ways);
   v8f along = v8f_and(v8f_sub(number, l->middle), used);
   p->extra[0] = v8f_times(s->step_x, along);
   p->extra[1] = v8f_times(s->step_y, along);
}

static ALWAYS_INLINE void
weigh8(const struct line8 *l, unsigned n, const v8f t[4], v8f sum[4])
{
   v8f number = v8f_all((float)n), one = v8f_all(1.0f);
   v8i ends = v8f_equal(number, l->last);
   v8f w = n == 0 ? l->end : v8f_choose(ends, l->end, one);
   w = v8f_and(w, v8f_less(number, l->ways));
   for (unsigned c = 0; c < 4; c++)
      sum[c] = v8f_add(sum[c], v8f_times(t[c], w));
}

/* SMP-058: samples along the longer axis of the pixel. Everything is found before the first texel
 * is read: one after the other, each sample would wait for its address. */
static ALWAYS_INLINE bool
sample_stretched(struct texture *x, struct mem_space *space, unsigned level, bool minified,
                 struct shape k, const struct where8 *p, const struct stretch8 *s, v8f out[4])
{
   struct found8 found[SAMPLER_WAYS];
   struct line8 l = line8(s);
   struct where8 q = *p;
   v8f sum[4], t[4];
   bool alike = v8i_every(v8i_equal(s->ways, v8i_all(s->most)));
   for (unsigned c = 0; c < 4; c++)
      sum[c] = v8f_all(0);
   for (unsigned n = 0; n < s->most; n++) {
      step8(&l, s, n, &q);
      if (k.general ? !general_once(x, space, level, minified, k, &q, t)
                    : !find_texels(x, space, level, minified, k, &q, &found[n]))
         return false;
      if (k.general)
         weigh8(&l, n, t, sum);
   }
   for (unsigned n = 0; n < s->most && !k.general; n++) {
      settle(&found[n]);
      filter_texels(x, level, k, &found[n], t);
      if (!alike || n == 0 || n + 1 == s->most) {
         weigh8(&l, n, t, sum);
         continue;
      }
      for (unsigned c = 0; c < 4; c++) /* all weigh 1 */
         sum[c] = v8f_add(sum[c], t[c]);
   }
   for (unsigned c = 0; c < 4; c++)
      out[c] = v8f_over(sum[c], s->ratio);
   return true;
}

/* ---- cubes ----------------------------------------------------------------------------------- */

/* Which component is the largest: Z over Y over X (SMP-481). */
struct faces8 {
   v8i number, by_z, by_y, negative;
};

static ALWAYS_INLINE v8f
magnitude8(v8f f)
{
   return v8f_and(f, v8i_all(0x7fffffff));
}

static ALWAYS_INLINE v8f
major8(const struct faces8 *f, v8f x, v8f y, v8f z)
{
   return v8f_choose(f->by_z, z, v8f_choose(f->by_y, y, x));
}

static ALWAYS_INLINE struct faces8
choose_faces8(v8f x, v8f y, v8f z)
{
   struct faces8 f;
   v8f ax = magnitude8(x), ay = magnitude8(y), az = magnitude8(z);
   f.by_z = v8i_and(v8f_at_least(az, ax), v8f_at_least(az, ay));
   f.by_y = v8i_and_not(v8f_at_least(ay, ax), f.by_z);
   v8f major = major8(&f, x, y, z);
   f.negative = v8f_less(major, v8f_all(0));
   v8i first = v8i_or(v8i_and(f.by_z, v8i_all(4)), v8i_and(f.by_y, v8i_all(2)));
   f.number = v8i_sub(first, f.negative);
   return f;
}

/* SMP-020 */
static ALWAYS_INLINE void
on_faces8(const struct faces8 *f, v8f x, v8f y, v8f z, v8f *s, v8f *t)
{
   v8i sign = v8i_all(INT32_MIN), flip = v8i_and(f->negative, sign);
   v8f by_x_s = v8f_xor(v8f_xor(z, sign), flip); /* -z, or z on the negative face */
   v8f by_z_s = v8f_xor(x, flip), by_y_t = v8f_xor(z, flip);
   *s = v8f_choose(f->by_z, by_z_s, v8f_choose(f->by_y, x, by_x_s));
   *t = v8f_choose(f->by_y, by_y_t, v8f_xor(y, sign));
}

/* A neighbour on the plane of each pixel's face. */
static ALWAYS_INLINE void
on_planes8(const struct faces8 *f, v8f own, v8f x, v8f y, v8f z, v8f *s, v8f *t)
{
   v8f ratio = v8f_over(own, major8(f, x, y, z));
   v8i near = v8i_and(v8f_more(ratio, v8f_all(0)), v8f_less(ratio, v8f_all(SAMPLER_FACE_FAR)));
   on_faces8(f, x, y, z, s, t);
   *s = v8f_choose(near, v8f_times(*s, ratio), *s);
   *t = v8f_choose(near, v8f_times(*t, ratio), *t);
}

/* As quad_differences: the quad on the plane of each pixel's face. */
static ALWAYS_INLINE struct gradients8
cube_differences8(v8f x, v8f y, v8f z)
{
   struct faces8 f = choose_faces8(x, y, z);
   v8f own = major8(&f, x, y, z), s[3], t[3];
   on_planes8(&f, own, v8f_of_each(x, 0), v8f_of_each(y, 0), v8f_of_each(z, 0), &s[0], &t[0]);
   on_planes8(&f, own, v8f_of_each(x, 1), v8f_of_each(y, 1), v8f_of_each(z, 1), &s[1], &t[1]);
   on_planes8(&f, own, v8f_of_each(x, 2), v8f_of_each(y, 2), v8f_of_each(z, 2), &s[2], &t[2]);
   return (struct gradients8){{v8f_sub(s[1], s[0]), v8f_sub(t[1], t[0])},
                              {v8f_sub(s[2], s[0]), v8f_sub(t[2], t[0])}};
}

static ALWAYS_INLINE v8i
cube_lod8(const struct texture *x, v8f u, v8f v, v8f r, struct stretch8 *s)
{
   struct gradients8 g = cube_differences8(u, v, r);
   return gradients_lod(x, &g, s);
}

/* SMP-019, SMP-299: is there something to report? */
static ALWAYS_INLINE bool
cube_divided8(v8f x, v8f y, v8f z, v8i on)
{
   v8f most = v8f_max(v8f_max(magnitude8(x), magnitude8(y)), magnitude8(z));
   v8f off = magnitude8(v8f_sub(most, v8f_all(1.0f)));
   v8i bad = v8f_more(off, v8f_all(1.0f / 256));
   return v8i_apart(bad, on);
}

/* ---- volumes --------------------------------------------------------------------------------- */

static ALWAYS_INLINE v8i
volume_lod8(const struct texture *x, v8f u, v8f v, v8f r)
{
   const v8f at[3] = {u, v, r};
   const float size[3] = {x->base_width, x->base_height, x->base_depth};
   v8f xx = v8f_all(0), yy = xx;
   for (unsigned i = 0; i < 3; i++) {
      v8f first = v8f_of_each(at[i], 0), scale = v8f_all(size[i]);
      v8f gx = v8f_times(v8f_sub(v8f_of_each(at[i], 1), first), scale);
      v8f gy = v8f_times(v8f_sub(v8f_of_each(at[i], 2), first), scale);
      xx = i ? v8f_add(xx, v8f_times(gx, gx)) : v8f_times(gx, gx);
      yy = i ? v8f_add(yy, v8f_times(gy, gy)) : v8f_times(gy, gy);
   }
   return half_log2_8(v8f_max(xx, yy));
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* As sampler_element. */
static ALWAYS_INLINE v8i
elements8(const void *parameter, uint32_t count)
{
   v8f f = v8f_max(input8(parameter), v8f_all(0));
   f = v8f_min(f, v8f_all((float)(count ? count - 1 : 0)));
   return v8f_truncate(v8f_integral(f, 0)); /* to the nearest, even one */
}

#endif
