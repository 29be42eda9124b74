/* The operands of a blit: surfaces, sources, patterns, the clip rectangle. */
#include "blitter/blt.h"

#include "machine/bounds.h"
#include "rules/plural.h"

#include <string.h>

void
blt_set_depth(struct blt *t, unsigned depth)
{
   static const uint8_t cpp[4] = {1, 2, 2, 4};
   t->depth = (uint8_t)depth; /* BLT-040 */
   t->cpp = cpp[depth & 3];
}

/* BLT-050, BLT-051, BLT-052, BLT-061: the pitch of a tiled surface counts dwords. */
static struct blt_surface
surface(const struct blitter *b, uint32_t base, int32_t pitch, bool tiled, uint32_t y_bit)
{
   struct blt_surface s = {base, pitch, MEM_LINEAR, base};
   if (reg_get(b->dev, REG_BCS_SWCTRL) & y_bit)
      s.tiling = MEM_TILE_Y;
   else if (tiled)
      s.tiling = MEM_TILE_X;
   if (s.tiling != MEM_LINEAR) {
      s.pitch_B = pitch * 4;
      s.base &= ~0xfffu;
   }
   return s;
}

void
blt_destination(const struct blitter *b, struct blt *t, uint32_t base, int32_t pitch, bool tiled)
{
   t->dst = surface(b, base, pitch, tiled, REG_BCS_SWCTRL__TILE_Y_DESTINATION);
}

/* BLT-053, BLT-054 */
void
blt_clip(const struct blitter *b, struct blt *t, bool clipping)
{
   struct blt_rect *r = &t->rect;
   r->x1 = int_most(r->x1, 0);
   r->y1 = int_most(r->y1, 0);
   if (!clipping)
      return;
   r->x1 = int_most(r->x1, b->clip.x1);
   r->y1 = int_most(r->y1, b->clip.y1);
   r->x2 = int_least(r->x2, b->clip.x2);
   r->y2 = int_least(r->y2, b->clip.y2);
}

void
blt_color_source(const struct blitter *b, struct blt *t, int32_t x, int32_t y, uint32_t base,
                 int32_t pitch, bool tiled)
{
   t->source = BLT_SOURCE_COLOR;
   t->src = surface(b, base, pitch, tiled, REG_BCS_SWCTRL__TILE_Y_SOURCE);
   t->src_dx = x - t->rect.x1;
   t->src_dy = y - t->rect.y1;
   t->upwards = t->src.base == t->dst.base && t->src_dy < 0; /* BLT-057 */
   /* BLT-055 */
   t->rect.x1 += x < 0 ? -x : 0;
   t->rect.y1 += y < 0 ? -y : 0;
}

static uint32_t
round_up(uint32_t value, uint32_t step)
{
   return (value + step - 1) / step * step;
}

/* `packing`: what the line of bits is rounded up to. BLT-035, BLT-047 */
void
blt_mono_source(struct blt *t, uint32_t address, unsigned start, unsigned packing, bool transparent,
                uint32_t background, uint32_t foreground)
{
   t->source = BLT_SOURCE_MONO;
   t->mono.address = address;
   t->mono.start = start;
   t->mono.x1 = t->rect.x1;
   t->mono.y1 = t->rect.y1;
   t->mono.transparent = transparent;
   t->mono.background = background;
   t->mono.foreground = foreground;
   uint32_t width = t->rect.x2 > t->rect.x1 ? (uint32_t)(t->rect.x2 - t->rect.x1) : 0;
   t->mono.line_bits = round_up(start + width, packing);
}

/* Immediate data follow the fixed part of the command. */
static uint32_t
immediate(struct blitter *b, const struct cs_command *c)
{
   uint32_t first = c->desc->layout.length_dw;
   uint32_t count = c->count_dw > first ? c->count_dw - first : 0;
   count = count < BLT_IMMEDIATE_MAX ? count : BLT_IMMEDIATE_MAX;
   memset(b->immediate, 0, sizeof(b->immediate));
   memcpy(b->immediate, c->dw + first, count * 4);
   return count;
}

/* BLT-068, BLT-069, BLT-070 */
void
blt_immediate_source(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   uint32_t count = immediate(b, c);
   t->mono.immediate = true;
   t->mono.size_B = count * 4;
   int32_t height = t->rect.y2 - t->rect.y1, width = t->rect.x2 - t->rect.x1;
   if (height <= 0 || width <= 0)
      return;
   uint64_t bits =
       (uint64_t)(uint32_t)(height - 1) * t->mono.line_bits + t->mono.start + (uint32_t)width;
   if (count & 1)
      blt_report(b, c, PERGOLA_ERROR, "BLT-068", "Immediate Data",
                 "%u dword%s of immediate data %s not an even number", count, plural(count),
                 are(count));
   if (bits > (uint64_t)count * 32)
      blt_report(b, c, PERGOLA_ERROR, "BLT-069", "Immediate Data",
                 "the rectangle needs %llu bit%s and the command carries %u",
                 (unsigned long long)bits, plural(bits), count * 32);
   if (count * 4 > 128)
      blt_report(b, c, PERGOLA_WARNING, "BLT-070", "Immediate Data",
                 "%u bytes of immediate source are more than 128", count * 4);
}

void
blt_immediate_pattern(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   uint32_t count = immediate(b, c), needed = 16u * t->cpp;
   t->pattern = BLT_PATTERN_COLOR;
   memcpy(t->pattern_color, b->immediate, 64u * t->cpp);
   if (count < needed)
      blt_report(b, c, PERGOLA_ERROR, "BLT-069", "Immediate Data",
                 "the pattern needs %u dwords and the command carries %u", needed, count);
}

void
blt_memory_pattern(struct blitter *b, const struct cs_command *c, struct blt *t, uint32_t address)
{
   t->pattern = BLT_PATTERN_COLOR;
   if (address % (64u * t->cpp))
      blt_report(b, c, PERGOLA_ERROR, "BLT-065", "Pattern Base Address",
                 "0x%08x is not a multiple of the pattern's %u bytes", address, 64u * t->cpp);
   if (blt_rop_uses_pattern(t->rop)) /* BLT-037 */
      blt_pattern_load(t, address);
}

/* BLT-045 */
void
blt_mono_pattern(struct blt *t, bool solid, bool transparent, uint32_t background,
                 uint32_t foreground)
{
   t->pattern = solid && !transparent ? BLT_PATTERN_SOLID : BLT_PATTERN_MONO;
   t->pattern_solid = solid;
   t->pattern_transparent = transparent;
   t->pattern_background = background;
   t->pattern_foreground = foreground;
   if (solid)
      memset(t->pattern_mono, 0, sizeof(t->pattern_mono));
}

void
blt_solid_color(struct blt *t, uint32_t color)
{
   t->pattern = BLT_PATTERN_SOLID;
   t->pattern_background = color;
}
