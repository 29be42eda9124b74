#include "oracle.h"

#include <stdlib.h>
#include <string.h>

static unsigned
field(uint32_t dw, unsigned hi, unsigned lo)
{
   return dw >> lo & (uint32_t)((UINT64_C(1) << (hi - lo + 1)) - 1);
}

static int
half(uint32_t dw, bool upper)
{
   return (int16_t)(upper ? dw >> 16 : dw);
}

static uint8_t
load(const struct oracle *o, uint32_t address)
{
   uint32_t at = address - o->base;
   return at < o->size ? o->memory[at] : 0;
}

static void
store(struct oracle *o, uint32_t address, uint8_t value)
{
   uint32_t at = address - o->base;
   if (at < o->size)
      o->memory[at] = value;
}

struct plane {
   uint32_t base;
   int pitch; /* bytes */
   char tiling;
};

static struct plane
plane(const struct oracle *o, uint32_t base, int pitch_field, bool tiled, unsigned y_bit)
{
   struct plane p = {base, pitch_field, 'L'};
   if (o->swctrl & 1u << y_bit)
      p.tiling = 'Y';
   else if (tiled)
      p.tiling = 'X';
   if (p.tiling != 'L') {
      p.pitch = pitch_field * 4;
      p.base = base / 4096 * 4096;
   }
   return p;
}

static uint32_t
byte_address(const struct plane *p, int x_byte, int y)
{
   unsigned x = (unsigned)x_byte, row = (unsigned)y;
   if (p->tiling == 'X') {
      unsigned tiles_wide = (unsigned)p->pitch / 512;
      return p->base + ((row >> 3) * tiles_wide + (x >> 9)) * 4096 + (row & 7) * 512 + (x & 511);
   }
   if (p->tiling == 'Y') {
      unsigned tiles_wide = (unsigned)p->pitch / 128;
      unsigned inside = (x & 15) | (row & 31) << 4 | (x >> 4 & 7) << 9;
      return p->base + ((row >> 5) * tiles_wide + (x >> 7)) * 4096 + inside;
   }
   return p->base + (uint32_t)(y * p->pitch) + x;
}

static uint32_t
pixel(const struct oracle *o, const struct plane *p, int x, int y, int bytes)
{
   uint32_t v = 0;
   for (int i = 0; i < bytes; i++)
      v |= (uint32_t)load(o, byte_address(p, x * bytes + i, y)) << 8 * i;
   return v;
}

struct job {
   int x1, y1, x2, y2; /* as the packet has them */
   int depth, bytes;
   unsigned rop;
   bool alpha, rgb, clipping;
   struct plane dst;
   char source; /* 'C'olour, 'M'ono, 0 */
   struct plane src;
   int sx, sy;
   uint32_t mono_address;
   const uint32_t *mono_data; /* immediate, or NULL */
   unsigned mono_data_bytes, mono_start, mono_packing;
   bool mono_transparent;
   uint32_t source_bg, source_fg;
   char pattern; /* 'S'olid, 'C'olour, 'M'ono, 0 */
   uint32_t colors[64];
   uint8_t mono[8];
   bool pattern_transparent, solid;
   uint32_t pattern_bg, pattern_fg;
   int hseed, vseed;
   unsigned key;
   uint32_t key_low, key_high;
};

static bool
mono_bit(const struct oracle *o, const struct job *j, int x, int y)
{
   unsigned width = (unsigned)(j->x2 - j->x1);
   unsigned line =
       (j->mono_start + width + j->mono_packing - 1) / j->mono_packing * j->mono_packing;
   uint64_t bit = (uint64_t)line * (unsigned)(y - j->y1) + j->mono_start + (unsigned)(x - j->x1);
   uint32_t byte = (uint32_t)(bit / 8);
   uint8_t v;
   if (j->mono_data)
      v = byte < j->mono_data_bytes ? (uint8_t)(j->mono_data[byte / 4] >> byte % 4 * 8) : 0;
   else
      v = load(o, j->mono_address + byte);
   return v >> (7 - bit % 8) & 1;
}

static bool
component_in(uint32_t v, uint32_t low, uint32_t high, unsigned hi, unsigned lo)
{
   return field(v, hi, lo) >= field(low, hi, lo) && field(v, hi, lo) <= field(high, hi, lo);
}

static bool
key_in_range(const struct job *j, uint32_t v, bool alpha)
{
   uint32_t l = j->key_low, h = j->key_high;
   switch (j->depth) {
   case 0:
      return component_in(v, l, h, 7, 0);
   case 1:
      return component_in(v, l, h, 15, 11) && component_in(v, l, h, 10, 5) &&
             component_in(v, l, h, 4, 0);
   case 2:
      return component_in(v, l, h, 14, 10) && component_in(v, l, h, 9, 5) &&
             component_in(v, l, h, 4, 0) && (!alpha || component_in(v, l, h, 15, 15));
   default:
      return component_in(v, l, h, 23, 16) && component_in(v, l, h, 15, 8) &&
             component_in(v, l, h, 7, 0) && (!alpha || component_in(v, l, h, 31, 24));
   }
}

static void
draw_pixel(struct oracle *o, const struct job *j, int x, int y, uint32_t s, bool s_bit)
{
   uint32_t p = 0;
   int row = (y + j->vseed) % 8, column = (x + j->hseed) % 8;
   bool write = true;
   switch (j->pattern) {
   case 'S':
      p = j->pattern_bg;
      break;
   case 'C':
      p = j->colors[row * 8 + column];
      break;
   case 'M': {
      bool one = !j->solid && j->mono[row] >> (7 - column) & 1;
      p = one ? j->pattern_fg : j->pattern_bg;
      write = one || !j->pattern_transparent;
   }
   }
   if (j->source == 'M' && j->mono_transparent && !s_bit)
      write = false;
   uint32_t d = pixel(o, &j->dst, x, y, j->bytes);
   if ((j->key == 1 || j->key == 3) && j->source == 'C')
      write = write && !key_in_range(j, s, j->key == 3);
   if (j->key == 5 || j->key == 7)
      write = write && key_in_range(j, d, j->key == 5);
   if (!write)
      return;
   uint32_t r = 0;
   for (int bit = 0; bit < 8 * j->bytes; bit++) {
      unsigned index = (p >> bit & 1) << 2 | (s >> bit & 1) << 1 | (d >> bit & 1);
      r |= (uint32_t)(j->rop >> index & 1) << bit;
   }
   for (int i = 0; i < j->bytes; i++) {
      if (j->bytes == 4 && !(i == 3 ? j->alpha : j->rgb))
         continue;
      store(o, byte_address(&j->dst, x * j->bytes + i, y), (uint8_t)(r >> 8 * i));
   }
}

static bool
drawn(const struct oracle *o, const struct job *j, int x, int y)
{
   if (x < 0 || y < 0)
      return false;
   if (j->clipping && (x < o->clip_x1 || x >= o->clip_x2 || y < o->clip_y1 || y >= o->clip_y2))
      return false;
   if (j->source == 'C' && (j->sx + x - j->x1 < 0 || j->sy + y - j->y1 < 0))
      return false;
   return true;
}

static void
draw_line(struct oracle *o, const struct job *j, int y)
{
   int width = j->x2 - j->x1;
   uint32_t *s = calloc((size_t)width, sizeof(*s));
   bool *bits = calloc((size_t)width, sizeof(*bits));
   for (int i = 0; i < width; i++) {
      int x = j->x1 + i;
      if (!drawn(o, j, x, y))
         continue;
      if (j->source == 'C')
         s[i] = pixel(o, &j->src, j->sx + i, j->sy + y - j->y1, j->bytes);
      if (j->source == 'M') {
         bits[i] = mono_bit(o, j, x, y);
         s[i] = bits[i] ? j->source_fg : j->source_bg;
      }
   }
   for (int i = 0; i < width; i++)
      if (drawn(o, j, j->x1 + i, y))
         draw_pixel(o, j, j->x1 + i, y, s[i], bits[i]);
   free(s);
   free(bits);
}

static void
draw(struct oracle *o, const struct job *j)
{
   if (j->x2 <= j->x1 || j->y2 <= j->y1)
      return;
   if (j->dst.tiling != 'L' && j->dst.pitch < 0)
      return;
   if (j->source == 'C' && j->src.tiling != 'L' && j->src.pitch < 0)
      return;
   bool up = j->source == 'C' && j->src.base == j->dst.base && j->sy < j->y1;
   for (int i = 0; i < j->y2 - j->y1; i++)
      draw_line(o, j, up ? j->y2 - 1 - i : j->y1 + i);
}

static void
take_br13(struct job *j, uint32_t br13, uint32_t channels)
{
   static const int bytes[4] = {1, 2, 2, 4};
   j->depth = (int)field(br13, 25, 24);
   j->bytes = bytes[j->depth];
   j->rop = field(br13, 23, 16);
   j->clipping = br13 >> 30 & 1;
   j->alpha = channels >> 21 & 1;
   j->rgb = channels >> 20 & 1;
}

static void
take_rect(struct job *j, uint32_t d1, uint32_t d2)
{
   j->x1 = half(d1, false);
   j->y1 = half(d1, true);
   j->x2 = half(d2, false);
   j->y2 = half(d2, true);
}

static void
take_source(const struct oracle *o, struct job *j, uint32_t dw0, uint32_t s1, uint32_t pitch,
            uint32_t base)
{
   j->source = 'C';
   j->sx = half(s1, false);
   j->sy = half(s1, true);
   j->src = plane(o, base, half(pitch, false), dw0 >> 15 & 1, 0);
}

static void
take_mono(struct job *j, uint32_t dw0, uint32_t br13, uint32_t address, uint32_t bg, uint32_t fg)
{
   j->source = 'M';
   j->mono_address = address;
   j->mono_start = field(dw0, 19, 17);
   j->mono_packing = 16;
   j->mono_transparent = br13 >> 29 & 1;
   j->source_bg = bg;
   j->source_fg = fg;
}

static void
take_seeds(struct job *j, uint32_t dw0)
{
   j->hseed = (int)field(dw0, 14, 12);
   j->vseed = (int)field(dw0, 10, 8);
}

static void
memory_colors(const struct oracle *o, struct job *j, uint32_t address)
{
   j->pattern = 'C';
   for (int i = 0; i < 64; i++)
      for (int k = 0; k < j->bytes; k++)
         j->colors[i] |= (uint32_t)load(o, address / 64 * 64 + (uint32_t)(i * j->bytes + k))
                         << 8 * k;
}

static void
packet_colors(struct job *j, const uint32_t *dw, unsigned first, unsigned count)
{
   j->pattern = 'C';
   for (int i = 0; i < 64; i++)
      for (int k = 0; k < j->bytes; k++) {
         unsigned byte = (unsigned)(i * j->bytes + k);
         uint32_t word = first + byte / 4 < count ? dw[first + byte / 4] : 0;
         j->colors[i] |= (word >> byte % 4 * 8 & 0xff) << 8 * k;
      }
}

static void
mono_pattern(struct job *j, uint32_t br13, uint32_t low, uint32_t high, uint32_t bg, uint32_t fg)
{
   j->pattern = 'M';
   for (int i = 0; i < 8; i++)
      j->mono[i] = (uint8_t)((i < 4 ? low : high) >> i % 4 * 8);
   j->solid = br13 >> 31;
   j->pattern_transparent = br13 >> 28 & 1;
   j->pattern_bg = bg;
   j->pattern_fg = fg;
}

/* The drawings of the manual, a string of eight pixels a line. */
static void
fixed_pattern(struct job *j, unsigned number)
{
   static const char *const lines[16][8] = {
       {"........", "........", "........", "########", "........", "........", "........",
        "........"},
       {"....#...", "....#...", "....#...", "....#...", "....#...", "....#...", "....#...",
        "....#..."},
       {"#.......", ".#......", "..#.....", "...#....", "....#...", ".....#..", "......#.",
        ".......#"},
       {".......#", "......#.", ".....#..", "....#...", "...#....", "..#.....", ".#......",
        "#......."},
       {"....#...", "....#...", "....#...", "########", "....#...", "....#...", "....#...",
        "....#..."},
       {"#......#", ".#....#.", "..#..#..", "...##...", "...##...", "..#..#..", ".#....#.",
        "#......#"},
       [8] = {".#.#.#.#", "#.#.#.#.", ".#.#.#.#", "#.#.#.#.", ".#.#.#.#", "#.#.#.#.", ".#.#.#.#",
              "#.#.#.#."},
       [9] = {"##..##..", "..##..##", "##..##..", "..##..##", "##..##..", "..##..##", "##..##..",
              "..##..##"},
       [10] = {"#...#...", ".#...#..", "..#...#.", "...#...#", "#...#...", ".#...#..", "..#...#.",
               "...#...#"},
       [11] = {".###.###", "#.###.##", "##.###.#", "###.###.", ".###.###", "#.###.##", "##.###.#",
               "###.###."},
   };
   for (int y = 0; y < 8; y++) {
      j->mono[y] = 0;
      for (int x = 0; x < 8; x++)
         if (lines[number][y] && lines[number][y][x] == '#')
            j->mono[y] |= (uint8_t)(0x80 >> x);
   }
}

static void
linear_command(struct oracle *o, const uint32_t *dw, bool copy)
{
   struct job j = {0};
   take_br13(&j, dw[1], dw[0]);
   int width = (int)field(dw[2], 15, 0), height = (int)field(dw[2], 31, 16);
   int back = copy && dw[1] >> 30 & 1 ? width - 1 : 0;
   uint8_t *s = calloc((size_t)width + 1, 1);
   for (int y = 0; y < height; y++) {
      uint32_t to = dw[3] + (uint32_t)(y * half(dw[1], false)) - (uint32_t)back;
      uint32_t from = copy ? dw[5] + (uint32_t)(y * half(dw[4], false)) - (uint32_t)back : 0;
      for (int x = 0; copy && x < width; x++)
         s[x] = load(o, from + (uint32_t)x);
      for (int x = 0; x < width; x++) {
         int channel = x % j.bytes;
         if (j.bytes == 4 && !(channel == 3 ? j.alpha : j.rgb))
            continue;
         uint8_t p = copy ? 0 : (uint8_t)(dw[4] >> 8 * channel), d = load(o, to + (uint32_t)x),
                 r = 0;
         for (int bit = 0; bit < 8; bit++) {
            unsigned index =
                (unsigned)((p >> bit & 1) << 2 | (s[x] >> bit & 1) << 1 | (d >> bit & 1));
            r |= (uint8_t)((j.rop >> index & 1) << bit);
         }
         store(o, to + (uint32_t)x, r);
      }
   }
   free(s);
}

static void
set_clip(struct oracle *o, uint32_t c1, uint32_t c2)
{
   o->clip_x1 = half(c1, false);
   o->clip_y1 = half(c1, true);
   o->clip_x2 = half(c2, false);
   o->clip_y2 = half(c2, true);
}

static void
setup(struct oracle *o, const uint32_t *dw, bool mono)
{
   o->setup = true;
   o->mono_pattern = mono;
   o->channel_mask = dw[0];
   o->br01 = dw[1];
   set_clip(o, dw[2], dw[3]);
   o->br09 = dw[4];
   o->br05 = dw[5];
   o->br06 = dw[6];
   if (mono) {
      o->br20 = dw[7];
      o->br21 = dw[8];
   } else {
      o->br07 = dw[7];
   }
}

static void
setup_command(struct oracle *o, unsigned opcode, const uint32_t *dw, unsigned count)
{
   struct job j = {0};
   if (!o->setup)
      return;
   take_br13(&j, o->br01, o->channel_mask);
   j.dst = plane(o, o->br09, half(o->br01, false), dw[0] >> 11 & 1, 1);
   take_rect(&j, dw[1], opcode == 0x24 ? 0 : dw[2]);
   switch (opcode) {
   case 0x24:
      j.x2 = j.x1 + 1;
      j.y2 = j.y1 + 1;
      j.pattern = 'S';
      j.pattern_bg = o->br05;
      break;
   case 0x25:
      take_seeds(&j, dw[0]);
      if (o->mono_pattern)
         mono_pattern(&j, o->br01, o->br20, o->br21, o->br05, o->br06);
      else
         memory_colors(o, &j, o->br07);
      break;
   default:
      take_mono(&j, 0, o->mono_pattern ? 0 : o->br01, dw[3], o->br05, o->br06);
      j.mono_packing = dw[0] >> 16 & 1 ? 8 : 1;
      if (opcode == 0x31) {
         j.mono_data = dw + 3;
         j.mono_data_bytes = (count - 3) * 4;
      }
   }
   draw(o, &j);
}

void
oracle_execute(struct oracle *o, const uint32_t *dw, unsigned count)
{
   unsigned opcode = field(dw[0], 28, 22);
   switch (opcode) {
   case 0x01:
      setup(o, dw, false);
      return;
   case 0x11:
      setup(o, dw, true);
      return;
   case 0x03:
      set_clip(o, dw[1], dw[2]);
      return;
   case 0x24:
   case 0x25:
   case 0x26:
   case 0x31:
      setup_command(o, opcode, dw, count);
      return;
   case 0x40:
   case 0x43:
      linear_command(o, dw, opcode == 0x43);
      return;
   }
   struct job j = {0};
   take_br13(&j, dw[1], dw[0]);
   take_rect(&j, dw[2], dw[3]);
   j.dst = plane(o, dw[4], half(dw[1], false), dw[0] >> 11 & 1, 1);
   switch (opcode) {
   case 0x50:
      j.pattern = 'S';
      j.pattern_bg = dw[5];
      break;
   case 0x76:
      j.key_low = dw[6];
      j.key_high = dw[7];
      /* fall through */
   case 0x51:
      take_seeds(&j, dw[0]);
      memory_colors(o, &j, dw[5]);
      break;
   case 0x77:
      j.key_low = dw[5];
      j.key_high = dw[6];
      take_seeds(&j, dw[0]);
      packet_colors(&j, dw, 7, count);
      break;
   case 0x72:
      take_seeds(&j, dw[0]);
      packet_colors(&j, dw, 5, count);
      break;
   case 0x52:
      take_seeds(&j, dw[0]);
      mono_pattern(&j, dw[1] & 0x7fffffff, dw[7], dw[8], dw[5], dw[6]);
      break;
   case 0x59:
      take_seeds(&j, dw[0]);
      mono_pattern(&j, dw[1] & 0x7fffffff, 0, 0, dw[5], dw[6]);
      fixed_pattern(&j, field(dw[0], 18, 15));
      break;
   case 0x73:
      j.key_low = dw[8];
      j.key_high = dw[9];
      /* fall through */
   case 0x53:
      take_source(o, &j, dw[0], dw[5], dw[6], dw[7]);
      break;
   case 0x54:
      take_mono(&j, dw[0], dw[1], dw[5], dw[6], dw[7]);
      break;
   case 0x71:
      take_mono(&j, dw[0], dw[1], 0, dw[5], dw[6]);
      j.mono_data = dw + 7;
      j.mono_data_bytes = (count - 7) * 4;
      break;
   case 0x55:
      take_seeds(&j, dw[0]);
      take_source(o, &j, dw[0], dw[6], dw[5], dw[7]);
      memory_colors(o, &j, dw[8]);
      break;
   case 0x74:
      take_seeds(&j, dw[0]);
      take_source(o, &j, dw[0], dw[6], dw[5], dw[7]);
      packet_colors(&j, dw, 8, count);
      break;
   case 0x56:
      take_seeds(&j, dw[0]);
      take_mono(&j, dw[0], dw[1], dw[5], dw[6], dw[7]);
      memory_colors(o, &j, dw[8]);
      break;
   case 0x75:
      take_seeds(&j, dw[0]);
      take_mono(&j, dw[0], dw[1], dw[5], dw[6], dw[7]);
      packet_colors(&j, dw, 8, count);
      break;
   case 0x57:
      take_seeds(&j, dw[0]);
      take_source(o, &j, dw[0], dw[6], dw[5], dw[7]);
      mono_pattern(&j, dw[1], dw[10], dw[11], dw[8], dw[9]);
      break;
   case 0x58:
      take_seeds(&j, dw[0]);
      take_mono(&j, dw[0], dw[1], dw[5], dw[6], dw[7]);
      mono_pattern(&j, dw[1], dw[10], dw[11], dw[8], dw[9]);
      break;
   default:
      return;
   }
   if (opcode == 0x73 || opcode == 0x76 || opcode == 0x77)
      j.key = field(dw[0], 19, 17);
   draw(o, &j);
}
