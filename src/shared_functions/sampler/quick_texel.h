/* Private to the fast path of sample messages: addresses and texels of eight pixels in one level.
 * Every lane has a position: those that do not matter are at 0, 0. */
#ifndef PERGOLA_SAMPLER_QUICK_TEXEL_H
#define PERGOLA_SAMPLER_QUICK_TEXEL_H

#include "shared_functions/sampler/address.h"
#include "shared_functions/sampler/quick_lod.h"

/* What a function is made for: constants of most of them. */
struct shape {
   uint8_t tiling, size_log2, mode[2];
   bool linear;
   bool bytes; /* 32 bits, channels in the order of bytes, or red and blue exchanged */
   bool stretched;
   bool mips;    /* the level of detail matters */
   bool floats;  /* texels become floats before they are filtered */
   bool general; /* quick_general.h does it */
   bool gathers; /* four texels, none of them weighed */
};

/* Modes of ours. Wrapping by a power of two; the same where offsets are bits of x and y. */
#define WRAP_BITS 8u
#define BITS_APART 9u

/* ---- addresses ------------------------------------------------------------------------------- */

/* i modulo n, for |i| < 2^23. */
static ALWAYS_INLINE v8i
modulo8(v8i i, uint32_t n)
{
   if (!(n & (n - 1)))
      return and8(i, n - 1);
   v8i q = v8f_floor(v8f_times(v8i_to_float(i), v8f_all(1.0f / (float)n)));
   v8i size = v8i_all(n), r = v8i_sub(i, mul8(q, n));
   r = v8i_add(r, v8i_and(size, v8i_asr_by(r, 31)));
   return v8i_sub(r, v8i_and_not(size, v8i_more(size, r)));
}

/* As address_texel; *outside: lanes whose texel is of a border. */
static ALWAYS_INLINE v8i
texel8(unsigned mode, uint32_t size, v8i i, v8i *outside)
{
   v8i r;
   switch (mode) {
   case WRAP_BITS:
      return and8(i, size - 1);
   case GEN7_TEXTURE_COORDINATE_MODE_WRAP:
      return modulo8(i, size);
   case GEN7_TEXTURE_COORDINATE_MODE_MIRROR:
      r = modulo8(i, 2 * size);
      return v8i_min(r, v8i_sub(v8i_all(2 * size - 1), r));
   case GEN7_TEXTURE_COORDINATE_MODE_MIRROR_ONCE:
      return min8(v8i_xor(i, v8i_asr_by(i, 31)), (int32_t)size - 1);
   case GEN7_TEXTURE_COORDINATE_MODE_CLAMP_BORDER:
   case GEN7_TEXTURE_COORDINATE_MODE_HALF_BORDER:
      r = max8(min8(i, (int32_t)size - 1), 0);
      *outside = v8i_or(*outside, v8i_xor(v8i_equal(i, r), v8i_all(-1)));
      return r;
   default:
      return max8(min8(i, (int32_t)size - 1), 0);
   }
}

/* As address_position: 8 fraction bits. A size times 256 scales as the size does, exactly. *far:
 * magnitudes of floats so far, which compare as integers; a NaN is above all of them. */
static ALWAYS_INLINE v8i
position8(v8f u, const float *scale, const float *rounding, v8f extra, bool stretched, v8i *far)
{
   v8f x = v8f_times(u, v8f_all(*scale));
   *far = v8i_max(*far, and8(v8_as_int(x), 0x7fffffff));
   if (stretched)
      x = v8f_add(x, v8f_times(extra, v8f_all(256.0f)));
   return v8f_floor(v8f_add(x, v8f_all(*rounding)));
}

#define FAR_BITS 0x4e800000u /* 256 * ADDRESS_FAR */

struct axis8 {
   v8i i[2];
   v8i w;
};

static ALWAYS_INLINE struct axis8
axis8(v8i p, uint32_t size, unsigned mode, bool linear, v8i *wrong)
{
   struct axis8 a;
   if (!linear) {
      a.w = v8i_all(0);
      a.i[0] = a.i[1] = texel8(mode, size, v8i_asr_by(p, 8), wrong);
      return a;
   }
   p = v8i_sub(p, v8i_all(128));
   a.w = and8(p, 255);
   v8i first = v8i_asr_by(p, 8), border = v8i_all(0);
   a.i[0] = texel8(mode, size, first, wrong);
   a.i[1] = texel8(mode, size, v8i_add(first, v8i_all(1)), &border);
   if (mode != WRAP_BITS) /* a border that has no weight does not count */
      *wrong = v8i_or(*wrong, v8i_and_not(border, v8i_equal(a.w, v8i_all(0))));
   return a;
}

static ALWAYS_INLINE v8i
x_part8(unsigned tiling, unsigned size_log2, uint32_t x_el, v8i x)
{
   v8i x_B = v8i_shl_by(add8(x, x_el), size_log2);
   switch (tiling) {
   case MEM_TILE_X:
      return v8i_add(and8(x_B, 511), v8i_shl_by(and8(x_B, ~511u), 3));
   case MEM_TILE_Y:
      return v8i_add(and8(x_B, 15), v8i_shl_by(and8(x_B, ~15u), 5));
   default:
      return x_B;
   }
}

static ALWAYS_INLINE v8i
y_part8(unsigned tiling, uint32_t pitch_B, uint32_t row0, v8i y)
{
   v8i row = add8(y, row0);
   switch (tiling) {
   case MEM_TILE_X:
      return v8i_add(v8i_shl_by(and8(row, 7), 9), mul8(and8(row, ~7u), pitch_B));
   case MEM_TILE_Y:
      return v8i_add(v8i_shl_by(and8(row, 31), 4), mul8(and8(row, ~31u), pitch_B));
   default:
      return mul8(row, pitch_B);
   }
}

/* ---- texels ---------------------------------------------------------------------------------- */

/* Elements of 1, 2 or 4 bytes at distances from the window's start, as dwords. */
static ALWAYS_INLINE v8i
gather8(unsigned size_log2, const uint8_t *host, v8i at)
{
   if (size_log2 == 2)
      return v8i_fetch(host, at);
   v8i dwords = v8i_fetch(host, and8(at, ~3u)), shift = v8i_shl_by(and8(at, 3), 3);
   return and8(v8i_shr(dwords, shift), size_log2 == 0 ? 0xff : 0xffff);
}

/* Bytes of the elements to the channels of the format. */
static ALWAYS_INLINE void
arrange(const struct texture *x, const struct surface_view *v, bool bytes, const v8f byte[4],
        v8f out[4])
{
   if (bytes) {
      out[0] = x->swapped ? byte[2] : byte[0];
      out[1] = byte[1];
      out[2] = x->swapped ? byte[0] : byte[2];
      out[3] = x->opaque ? v8f_all(1.0f) : byte[3];
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      if (v->channel[c].kind != VIEW_CHANNEL_ABSENT)
         out[c] = byte[v->channel[c].shift / 8 & 3];
      else
         out[c] = v8f_all(x->ones >> c & 1 || c == 3 ? 1.0f : 0.0f);
}

/* Sums of four codes by weights that add up to 2^16 are whole numbers up to 255 * 2^16. Rows first:
 * bytes 0 and 2, then 1 and 3, as words; the columns as signed ones. */
static ALWAYS_INLINE void
bilinear8(const v8i t[4], v8i wx, v8i wy, v8f byte[4])
{
   v8i right = v8i_or(wx, v8i_shl_by(wx, 16)), mask = v8i_all(0x00ff00ff);
   v8i left = v8w_sub(v8i_all(0x01000100), right), h[2][2];
   for (unsigned row = 0; row < 2; row++) {
      v8i l = t[2 * row], r = t[2 * row + 1];
      h[row][0] = v8w_add(v8w_mul(v8i_and(l, mask), left), v8w_mul(v8i_and(r, mask), right));
      h[row][1] = v8w_add(v8w_mul(v8w_shr_by(l, 8), left), v8w_mul(v8w_shr_by(r, 8), right));
      for (unsigned i = 0; i < 2; i++)
         h[row][i] = v8i_xor(h[row][i], v8i_all(0x80008000));
   }
   v8i columns = v8i_add(v8i_sub(v8i_shl_by(wy, 16), wy), v8i_all(256));
   for (unsigned i = 0; i < 2; i++) {
      v8i low = v8w_mixed(h[0][i], v8i_shl_by(h[1][i], 16));
      v8i high = v8w_mixed(v8i_shr_by(h[0][i], 16), h[1][i]);
      byte[i] = v8f_part_of(add8(v8w_dot(low, columns), 1u << 23), 16711680.0f);
      byte[i + 2] = v8f_part_of(add8(v8w_dot(high, columns), 1u << 23), 16711680.0f);
   }
}

/* What is to be multiplied with three times a byte of a dword, as the dword then holds it. */
static ALWAYS_INLINE float
code_unit(unsigned byte)
{
   return byte < 2 ? 1.0f / 765 : 1.0f / 765 / 65536;
}

/* A byte over 255, rounded once: for each of the 256 three times the byte, times the float that is
 * next to 1/765, rounds to it, which once the byte, times 1/255, does not. thrice: a 3 in its
 * place.
 */
static ALWAYS_INLINE v8f
code8(v8i t, v8i thrice, v8f unit)
{
   return v8f_times(v8i_to_float(v8w_dot_bytes(t, thrice)), unit);
}

static ALWAYS_INLINE void
nearest8(v8i t, v8f byte[4])
{
   for (unsigned i = 0; i < 4; i++)
      byte[i] = code8(t, v8i_all(3u << 8 * i), v8f_all(code_unit(i)));
}

/* ---- other formats: texels become floats ----------------------------------------------------- */

/* As sum_floats: products are added in pairs; a texel of no weight does not count. */
static ALWAYS_INLINE void
float_texels(const struct texture *x, const struct surface_view *v, const uint8_t *host,
             const v8i at[4], unsigned taps, v8i wx, v8i wy, v8f out[4])
{
   v8f t[4][4];
   unsigned words = v->size_B > 4 ? v->size_B / 4u : 1, size_log2 = v->size_log2;
   v8i rx = v8i_sub(v8i_all(256), wx), ry = v8i_sub(v8i_all(256), wy);
   for (unsigned n = 0; n < taps; n++) {
      v8i word[4], w = v8i_mul(n & 1 ? wx : rx, n & 2 ? wy : ry);
      for (unsigned i = 0; i < 4; i++)
         word[i] = i < words ? gather8(size_log2 < 2 ? size_log2 : 2, host, add8(at[n], 4 * i))
                             : v8i_all(0);
      v8f weight = v8f_times(v8i_to_float(w), v8f_all(1.0f / 65536));
      v8i some = v8i_more(w, v8i_all(0));
      for (unsigned c = 0; c < 4; c++) {
         v8f texel = v8_as_float(decode_elements(v, word, c));
         if (v->channel[c].kind == VIEW_CHANNEL_ABSENT)
            texel = v8f_all(x->ones >> c & 1 || c == 3 ? 1.0f : 0.0f);
         t[n][c] = taps == 1 ? texel : v8f_and(v8f_times(texel, weight), some);
      }
   }
   for (unsigned c = 0; c < 4; c++)
      out[c] = taps == 1 ? t[0][c] : v8f_add(v8f_add(t[0][c], t[1][c]), v8f_add(t[2][c], t[3][c]));
}

/* ---- one position in one level --------------------------------------------------------------- */

struct where8 {
   v8f u, v;
   v8f extra[2]; /* texels, if stretched */
   uint32_t slice;
   /* For quick_general.h alone. */
   bool many;                      /* slices, not one */
   bool moved;                     /* by texels, below */
   bool compares;                  /* texels with the reference */
   struct decoded_blocks *decoded; /* of compressed textures */
   v8f offset[3];                  /* texels */
   v8f r, reference;
   v8i slices;
};

/* Where lanes that do not matter are, too. */
static ALWAYS_INLINE v8f
only8(v8f u, v8i on, unsigned first)
{
   v8f one = v8f_spread(u, first);
   return v8f_choose(on, u, one);
}

static ALWAYS_INLINE bool
in_window8(const struct view_window *w, v8i at)
{
   return w->limit[2] != 0 && v8i_every(below8(at, w->limit[2]));
}

/* The texels of eight pixels: where they lie in the host, and their weights. */
struct found8 {
   const uint8_t *host;
   v8i wx, wy;
   uint32_t at[4][8]; /* from `host` */
};

/* Where the level lies, if its pages lie side by side; else NULL, and it is not asked again. */
static __attribute__((noinline, unused)) const uint8_t *
find_level(struct texture *x, struct mem_space *space, unsigned level)
{
   struct surface_view *v = &x->level[level];
   struct texture_bits *b = &x->bits[level];
   const struct view_window *w = &v->window[0];
   if (surface_view_look(v, space, b->first, false)) {
      uint32_t first = b->first - w->start, limit = w->limit[2];
      if (first < limit && b->last < limit - first)
         return b->host = w->host + first;
   }
   b->good = false;
   x->plain.key = 0;
   return NULL;
}

static ALWAYS_INLINE const uint8_t *
level_host(struct texture *x, struct mem_space *space, unsigned level)
{
   const uint8_t *host = x->bits[level].host;
   return __builtin_expect(host != NULL, 1) ? host : find_level(x, space, level);
}

/* Offsets of texels. pair: x in the low halves, y in the high ones, any bits above theirs. */
static ALWAYS_INLINE v8i
bits_offset8(const struct texture_bits *b, v8i pair)
{
   v8i in_tile = v8i_and(pair, v8i_all(b->in_tile));
   v8i of_tile = v8i_and(pair, v8i_all(b->of_tile));
   return v8i_add(v8w_dot(in_tile, v8i_all(b->in_tile_B)), v8w_dot(of_tile, v8i_all(b->of_tile_B)));
}

/* The same for the four texels around: a carry runs over the bits that are not the coordinate's. */
static ALWAYS_INLINE void
bits_around8(const struct texture_bits *b, v8i pair, uint32_t *at[4])
{
   v8i first = bits_offset8(b, pair), x = v8i_all(b->x_bits), y = v8i_all(b->y_bits);
   v8i ones = v8i_all(-1), x0 = v8i_and(first, x), y0 = v8i_and(first, y);
   v8i x1 = v8i_or(first, v8i_xor(x, ones));
   v8i y1 = v8i_or(first, v8i_xor(y, ones));
   x1 = v8i_and(add8(x1, 4), x);
   y1 = v8i_and(v8i_add(y1, v8i_all(b->y_step)), y);
   v8i_store(at[0], first);
   v8i_store(at[1], v8i_or(x1, y0));
   v8i_store(at[2], v8i_or(x0, y1));
   v8i_store(at[3], v8i_or(x1, y1));
}

/* From positions in 1/256 of a texel. */
static ALWAYS_INLINE v8i
bits_pair8(v8i px, v8i py)
{
   return v8w_mixed(v8i_shr_by(px, 8), v8i_shl_by(py, 8));
}

static ALWAYS_INLINE bool
find_bits(struct texture *x, struct mem_space *space, unsigned level, struct shape k, v8i px,
          v8i py, v8i far, struct found8 *f)
{
   const struct texture_bits *b = &x->bits[level];
   f->host = level_host(x, space, level);
   if (__builtin_expect(!f->host || !v8i_none(v8i_more(far, v8i_all(FAR_BITS - 1))), 0))
      return false;
   if (!k.linear) {
      v8i_store(f->at[0], bits_offset8(b, bits_pair8(px, py)));
      return true;
   }
   px = v8i_sub(px, v8i_all(128));
   py = v8i_sub(py, v8i_all(128));
   f->wx = and8(px, 255);
   f->wy = and8(py, 255);
   bits_around8(b, bits_pair8(px, py), (uint32_t *[]){f->at[0], f->at[1], f->at[2], f->at[3]});
   return true;
}

/* False: not for the fast path. */
static ALWAYS_INLINE bool
find_texels(struct texture *x, struct mem_space *space, unsigned level, bool minified,
            struct shape k, const struct where8 *p, struct found8 *f)
{
   struct surface_view *v = &x->level[level];
   v8i wrong = v8i_all(0), far = wrong, at[4];
   const float *scale = x->scale[level], *rounding = x->rounding[minified];
   v8i px = position8(p->u, &scale[0], &rounding[0], p->extra[0], k.stretched, &far);
   v8i py = position8(p->v, &scale[1], &rounding[1], p->extra[1], k.stretched, &far);
   if (k.mode[0] == BITS_APART)
      return find_bits(x, space, level, k, px, py, far, f);
   struct axis8 a = axis8(px, v->width, k.mode[0], k.linear, &wrong);
   struct axis8 b = axis8(py, v->height, k.mode[1], k.linear, &wrong);
   wrong = v8i_or(wrong, v8i_more(far, v8i_all(FAR_BITS - 1)));
   if (__builtin_expect(!v8i_none(wrong), 0))
      return false;
   struct slice s = slice_of(v, p->slice);
   struct view_window *w = &v->window[0];
   v8i x0 = x_part8(k.tiling, k.size_log2, s.x_el, a.i[0]),
       y0 = y_part8(k.tiling, v->pitch_B, s.row, b.i[0]), x1 = x0, y1 = y0;
   if (k.linear) {
      x1 = x_part8(k.tiling, k.size_log2, s.x_el, a.i[1]);
      y1 = y_part8(k.tiling, v->pitch_B, s.row, b.i[1]);
   }
   for (unsigned again = 0;; again++) {
      v8i start = v8i_all(w->start), row0 = v8i_sub(y0, start), most;
      at[0] = most = v8i_add(x0, row0);
      if (k.linear) {
         v8i row1 = v8i_sub(y1, start);
         at[1] = v8i_add(x1, row0);
         at[2] = v8i_add(x0, row1);
         at[3] = v8i_add(x1, row1);
         most = v8u_max(v8u_max(at[0], at[1]), v8u_max(at[2], at[3]));
      }
      if (__builtin_expect(in_window8(w, most), 1))
         break;
      uint32_t first = (uint32_t)v8i_lane(v8i_add(x0, y0), 0);
      if (again || !surface_view_look(v, space, first, false))
         return false;
   }
   for (unsigned i = 0; i < (k.linear ? 4 : 1); i++)
      v8i_store(f->at[i], at[i]);
   f->host = w->host;
   f->wx = a.w;
   f->wy = b.w;
   return true;
}

/* What has been found is in memory, and is loaded from there. */
static ALWAYS_INLINE void
settle(struct found8 *f)
{
   __asm__ volatile("" : "+m"(*f));
}

static ALWAYS_INLINE void
filter_texels(const struct texture *x, unsigned level, struct shape k, const struct found8 *f,
              v8f out[4])
{
   const struct surface_view *v = &x->level[level];
   unsigned taps = k.linear ? 4 : 1;
   v8f byte[4];
   v8i t[4];
   if (k.floats) {
      for (unsigned i = 0; i < taps; i++)
         t[i] = v8i_load(f->at[i]);
      float_texels(x, v, f->host, t, taps, f->wx, f->wy, out);
      return;
   }
   for (unsigned i = 0; i < taps; i++)
      t[i] = k.size_log2 == 2 ? v8i_fetch_by(f->host, f->at[i])
                              : gather8(k.size_log2, f->host, v8i_load(f->at[i]));
   if (k.linear)
      bilinear8(t, f->wx, f->wy, byte);
   else
      nearest8(t[0], byte);
   arrange(x, v, k.bytes, byte, out);
}

/* False: not for the fast path. */
static ALWAYS_INLINE bool
sample_once(struct texture *x, struct mem_space *space, unsigned level, bool minified,
            struct shape k, const struct where8 *p, v8f out[4])
{
   struct found8 f;
   if (!find_texels(x, space, level, minified, k, p, &f))
      return false;
   settle(&f);
   filter_texels(x, level, k, &f, out);
   return true;
}

#endif
