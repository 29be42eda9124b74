/* What a packet must not ask for. */
#include "blitter/blt.h"

#include "rules/plural.h"

/* BLT-058. With equal pitches the answer is exact; else the byte ranges are compared. */
static bool
lines_overlap(const struct blt *t)
{
   int64_t width = blt_line_B(t), height = t->rect.y2 - t->rect.y1;
   int64_t d = t->dst.base + (int64_t)t->rect.y1 * t->dst.pitch_B + (int64_t)t->rect.x1 * t->cpp;
   int64_t s = t->src.base + (int64_t)(t->rect.y1 + t->src_dy) * t->src.pitch_B +
               (int64_t)(t->rect.x1 + t->src_dx) * t->cpp;
   int64_t pitch = t->dst.pitch_B;
   if (pitch == t->src.pitch_B && pitch) {
      int64_t lines = (s - d) / pitch;
      for (int64_t k = lines - 1; k <= lines + 1; k++) {
         int64_t apart = s - d - k * pitch;
         if (k > -height && k < height && apart > -width && apart < width)
            return true;
      }
      return false;
   }
   int64_t d_last = d + (height - 1) * pitch, s_last = s + (height - 1) * t->src.pitch_B;
   int64_t d_low = d < d_last ? d : d_last, d_high = (d > d_last ? d : d_last) + width;
   int64_t s_low = s < s_last ? s : s_last, s_high = (s > s_last ? s : s_last) + width;
   return s_low < d_high && d_low < s_high;
}

static void
check_overlap(struct blitter *b, const struct cs_command *c, const struct blt *t)
{
   if (t->source != BLT_SOURCE_COLOR || t->dst.tiling != MEM_LINEAR ||
       t->src.tiling != MEM_LINEAR || t->rect.x1 >= t->rect.x2 || t->rect.y1 >= t->rect.y2)
      return;
   bool linear_command =
       c->desc->id == GEN7_SRC_COPY_BLT_ID; /* the command itself gives the direction */
   bool fine =
       t->dst.base == t->src.base && t->dst.pitch_B == t->src.pitch_B && t->dst.pitch_B % 64 == 0;
   if (!fine && !linear_command && lines_overlap(t))
      blt_report(b, c, PERGOLA_WARNING, "BLT-058", "Source Base Address",
                 "source and destination overlap without equal bases and pitches of a multiple of "
                 "64 bytes");
}

/* BLT-038: which operands the command can give to the raster operation. */
static void
check_operands(struct blitter *b, const struct cs_command *c, const struct blt *t)
{
   if (t->source == BLT_SOURCE_NONE && blt_rop_uses_source(t->rop))
      blt_report(b, c, PERGOLA_ERROR, "BLT-038", "Raster Operation",
                 "operation 0x%02x needs a source, and there is none", t->rop);
   if (t->pattern == BLT_PATTERN_NONE && blt_rop_uses_pattern(t->rop))
      blt_report(b, c, PERGOLA_ERROR, "BLT-038", "Raster Operation",
                 "operation 0x%02x needs a pattern, and there is none", t->rop);
}

static void
check_surface(struct blitter *b, const struct cs_command *c, const struct blt *t,
              const struct blt_surface *s, const char *base_field, const char *pitch_field)
{
   uint32_t base = s->given;
   if (s->tiling == MEM_LINEAR) {
      if (s->pitch_B % 4)
         blt_report(b, c, PERGOLA_WARNING, "BLT-063", pitch_field,
                    "a pitch of %d byte%s is not a multiple of 4", s->pitch_B,
                    plural((uint64_t)s->pitch_B));
      if (base % t->cpp)
         blt_report(b, c, PERGOLA_WARNING, "BLT-064", base_field,
                    "0x%08x is not a multiple of the pixel's %u bytes", base, t->cpp);
      return;
   }
   int32_t tile_B = s->tiling == MEM_TILE_X ? 512 : 128;
   if (base & 0xfff)
      blt_report(b, c, PERGOLA_ERROR, "BLT-061", base_field,
                 "0x%08x is not a multiple of 4096, and the surface is tiled", base);
   if (s->pitch_B % tile_B)
      blt_report(b, c, PERGOLA_ERROR, "BLT-062", pitch_field,
                 "a pitch of %d bytes is not a multiple of the tile's %d", s->pitch_B, tile_B);
}

/* BLT-059 */
static bool
check_negative_pitch(struct blitter *b, const struct cs_command *c, const struct blt *t)
{
   bool tiled_dst = t->dst.tiling != MEM_LINEAR && t->dst.pitch_B < 0;
   bool tiled_src =
       t->source == BLT_SOURCE_COLOR && t->src.tiling != MEM_LINEAR && t->src.pitch_B < 0;
   if (tiled_dst || tiled_src) {
      blt_report(b, c, PERGOLA_ERROR, "BLT-059", tiled_dst ? "Destination Pitch" : "Source Pitch",
                 "a tiled surface cannot have a negative pitch; nothing is drawn");
      return false;
   }
   if (t->dst.pitch_B < 0 && (t->source == BLT_SOURCE_MONO || c->desc->id == GEN7_XY_PIXEL_BLT_ID))
      blt_report(b, c, PERGOLA_ERROR, "BLT-059", "Destination Pitch",
                 "a negative pitch is not allowed here");
   return true;
}

static void
check_mono(struct blitter *b, const struct cs_command *c, const struct blt *t)
{
   if (t->source != BLT_SOURCE_MONO)
      return;
   int32_t width = t->rect.x2 - t->mono.x1;
   if (width > 32745)
      blt_report(b, c, PERGOLA_ERROR, "BLT-067", "Destination X2 Coordinate",
                 "%d pixels are wider than 32745", width);
   if (!t->mono.immediate && t->mono.address % 64)
      blt_report(b, c, PERGOLA_WARNING, "BLT-066", "Source Address",
                 "0x%08x is not a multiple of 64", t->mono.address);
}

bool
blt_check(struct blitter *b, const struct cs_command *c, const struct blt *t)
{
   if (!rules_on(b->dev)) {
      bool negative = t->dst.tiling != MEM_LINEAR && t->dst.pitch_B < 0;
      return !negative &&
             !(t->source == BLT_SOURCE_COLOR && t->src.tiling != MEM_LINEAR && t->src.pitch_B < 0);
   }
   check_operands(b, c, t);
   check_surface(b, c, t, &t->dst, "Destination Base Address", "Destination Pitch");
   if (t->source == BLT_SOURCE_COLOR) {
      check_surface(b, c, t, &t->src, "Source Base Address", "Source Pitch");
      check_overlap(b, c, t);
   }
   check_mono(b, c, t);
   if (t->source == BLT_SOURCE_NONE && t->key_mode & BLT_KEYED &&
       !(t->key_mode & BLT_KEY_DESTINATION))
      blt_report(b, c, PERGOLA_ERROR, "BLT-071", "Transparency Range Mode",
                 "mode %u keys the source, and there is none", t->key_mode);
   if (t->pattern_solid && t->pattern_transparent)
      blt_report(b, c, PERGOLA_ERROR, "BLT-076", "Solid Pattern Select",
                 "a solid pattern that is transparent draws nothing");
   return check_negative_pitch(b, c, t);
}
