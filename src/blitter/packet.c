/* From the dwords of a command to a blit. The layouts are those of spec/commands/blitter.xml;
 * fields of one meaning have one name in all of them, which is what the macros below rely on. */
#include "blitter/blt.h"

#include <string.h>

/* BR13 and the channel mask: in every command that carries its own control. */
#define TAKE_CONTROL(t, v)                                                                         \
   do {                                                                                            \
      blt_set_depth(t, (v).color_depth);                                                           \
      (t)->rop = (uint8_t)(v).raster_operation;                                                    \
      (t)->write_alpha = (v)._32bpp_alpha_write_enable;                                            \
      (t)->write_rgb = (v)._32bpp_rgb_write_enable;                                                \
   } while (0)

#define TAKE_RECT(t, v)                                                                            \
   ((t)->rect = (struct blt_rect){(v).destination_x1_coordinate, (v).destination_y1_coordinate,    \
                                  (v).destination_x2_coordinate, (v).destination_y2_coordinate})

#define TAKE_DESTINATION(b, t, v)                                                                  \
   blt_destination(b, t, (v).destination_base_address, (v).destination_pitch,                      \
                   (v).destination_tiling_enable)

#define TAKE_SEEDS(t, v)                                                                           \
   ((t)->horizontal_seed = (uint8_t)(v).pattern_horizontal_seed,                                   \
    (t)->vertical_seed = (uint8_t)(v).pattern_vertical_seed)

#define TAKE_SOURCE(b, t, v)                                                                       \
   blt_color_source(b, t, (v).source_x1_coordinate, (v).source_y1_coordinate,                      \
                    (v).source_base_address, (v).source_pitch, (v).source_tiling_enable)

/* Non-text monochrome sources are word aligned. */
#define TAKE_MONO_SOURCE(t, v, address)                                                            \
   blt_mono_source(t, address, (v).monochrome_source_start, 16,                                    \
                   (v).monochrome_source_transparency_mode, (v).source_background_color,           \
                   (v).source_foreground_color)

#define TAKE_KEY(t, v)                                                                             \
   ((t)->key_mode = (uint8_t)(v).transparency_range_mode,                                          \
    (t)->key_low = (v).transparency_color_low, (t)->key_high = (v).transparency_color_high)

/* A parser per command: unpacks, takes what all have in common, then its own operands, then clips.
 */
#define TAKE_COMMON(b, c, t, command)                                                              \
   struct hw_##command v;                                                                          \
   gen7_##command##_unpack(&v, (c)->dw);                                                           \
   TAKE_CONTROL(t, v);                                                                             \
   TAKE_RECT(t, v);                                                                                \
   TAKE_DESTINATION(b, t, v)

static void
parse_xy_color_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_color_blt);
   blt_solid_color(t, v.solid_pattern_color);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_pat_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_pat_blt);
   TAKE_SEEDS(t, v);
   blt_memory_pattern(b, c, t, v.pattern_base_address);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_pat_blt_immediate(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_pat_blt_immediate);
   TAKE_SEEDS(t, v);
   blt_immediate_pattern(b, c, t);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_pat_chroma_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_pat_chroma_blt);
   TAKE_SEEDS(t, v);
   TAKE_KEY(t, v);
   blt_memory_pattern(b, c, t, v.pattern_base_address);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_pat_chroma_blt_immediate(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_pat_chroma_blt_immediate);
   TAKE_SEEDS(t, v);
   TAKE_KEY(t, v);
   blt_immediate_pattern(b, c, t);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_mono_pat_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_mono_pat_blt);
   TAKE_SEEDS(t, v);
   blt_pattern_mono(t, v.pattern_data_0, v.pattern_data_1);
   blt_mono_pattern(t, false, v.monochrome_pattern_transparency_mode, v.pattern_background_color,
                    v.pattern_foreground_color);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_mono_pat_fixed_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_mono_pat_fixed_blt);
   TAKE_SEEDS(t, v);
   if (!blt_pattern_fixed(t, v.fixed_pattern))
      blt_report(b, c, PERGOLA_ERROR, "BLT-034", "Fixed Pattern", "fixed pattern %u is reserved",
                 v.fixed_pattern);
   blt_mono_pattern(t, false, v.monochrome_pattern_transparency_mode, v.pattern_background_color,
                    v.pattern_foreground_color);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_src_copy_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_src_copy_blt);
   TAKE_SOURCE(b, t, v);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_src_copy_chroma_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_src_copy_chroma_blt);
   TAKE_KEY(t, v);
   TAKE_SOURCE(b, t, v);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_mono_src_copy_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_mono_src_copy_blt);
   TAKE_MONO_SOURCE(t, v, v.source_address);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_mono_src_copy_immediate_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_mono_src_copy_immediate_blt);
   TAKE_MONO_SOURCE(t, v, 0);
   blt_immediate_source(b, c, t);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_full_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_full_blt);
   TAKE_SEEDS(t, v);
   TAKE_SOURCE(b, t, v);
   blt_memory_pattern(b, c, t, v.pattern_base_address);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_full_immediate_pattern_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_full_immediate_pattern_blt);
   TAKE_SEEDS(t, v);
   TAKE_SOURCE(b, t, v);
   blt_immediate_pattern(b, c, t);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_full_mono_src_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_full_mono_src_blt);
   TAKE_SEEDS(t, v);
   TAKE_MONO_SOURCE(t, v, v.source_address);
   blt_memory_pattern(b, c, t, v.pattern_base_address);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_full_mono_src_immediate_pattern_blt(struct blitter *b, const struct cs_command *c,
                                             struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_full_mono_src_immediate_pattern_blt);
   TAKE_SEEDS(t, v);
   TAKE_MONO_SOURCE(t, v, v.source_address);
   blt_immediate_pattern(b, c, t);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_full_mono_pattern_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_full_mono_pattern_blt);
   TAKE_SEEDS(t, v);
   TAKE_SOURCE(b, t, v);
   blt_pattern_mono(t, v.pattern_data_0, v.pattern_data_1);
   blt_mono_pattern(t, v.solid_pattern_select, v.monochrome_pattern_transparency_mode,
                    v.pattern_background_color, v.pattern_foreground_color);
   blt_clip(b, t, v.clipping_enable);
}

static void
parse_xy_full_mono_pattern_mono_src_blt(struct blitter *b, const struct cs_command *c,
                                        struct blt *t)
{
   TAKE_COMMON(b, c, t, xy_full_mono_pattern_mono_src_blt);
   TAKE_SEEDS(t, v);
   TAKE_MONO_SOURCE(t, v, v.source_address);
   blt_pattern_mono(t, v.pattern_data_0, v.pattern_data_1);
   blt_mono_pattern(t, v.solid_pattern_select, v.monochrome_pattern_transparency_mode,
                    v.pattern_background_color, v.pattern_foreground_color);
   blt_clip(b, t, v.clipping_enable);
}

/* The linear commands: bytes, no coordinates. BLT-031 */
static void
linear_rect(struct blt *t, uint32_t width_B, uint32_t height)
{
   uint32_t pixels = (width_B + t->cpp - 1) / t->cpp;
   t->cut_B = pixels * t->cpp - width_B;
   t->rect = (struct blt_rect){0, 0, (int32_t)pixels, (int32_t)height};
}

static void
parse_color_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   struct hw_color_blt v;
   gen7_color_blt_unpack(&v, c->dw);
   TAKE_CONTROL(t, v);
   linear_rect(t, v.destination_byte_width, v.destination_height);
   t->dst = (struct blt_surface){v.destination_address, v.destination_pitch, MEM_LINEAR,
                                 v.destination_address};
   blt_solid_color(t, v.solid_pattern_color);
   (void)b;
}

/* BLT-060: written from right to left, the addresses are those of the right-most bytes. */
static void
parse_src_copy_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   struct hw_src_copy_blt v;
   gen7_src_copy_blt_unpack(&v, c->dw);
   TAKE_CONTROL(t, v);
   linear_rect(t, v.destination_byte_width, v.destination_height);
   uint32_t back = v.x_direction && v.destination_byte_width ? v.destination_byte_width - 1 : 0;
   t->dst = (struct blt_surface){v.destination_address - back, v.destination_pitch, MEM_LINEAR,
                                 v.destination_address - back};
   t->src = (struct blt_surface){v.source_address - back, v.source_pitch, MEM_LINEAR,
                                 v.source_address - back};
   t->source = BLT_SOURCE_COLOR;
   (void)b;
}

/* BLT-072 */
static void
set_clip(struct blitter *b, const struct cs_command *c, struct blt_rect r)
{
   b->clip = r;
   if (r.x1 < 0 || r.y1 < 0 || r.x2 < 0 || r.y2 < 0)
      blt_report(b, c, PERGOLA_ERROR, "BLT-072", "ClipRect",
                 "the clip rectangle (%d,%d)-(%d,%d) has a negative coordinate", r.x1, r.y1, r.x2,
                 r.y2);
}

#define CLIP_OF(v)                                                                                 \
   ((struct blt_rect){(v).cliprect_x1_coordinate, (v).cliprect_y1_coordinate,                      \
                      (v).cliprect_x2_coordinate, (v).cliprect_y2_coordinate})

/* BLT-027 */
#define SETUP_OF(v)                                                                                \
   .valid = true, .clipping = (v).clipping_enable, .tiled = (v).destination_tiling_enable,         \
   .write_alpha = (v)._32bpp_alpha_write_enable, .write_rgb = (v)._32bpp_rgb_write_enable,         \
   .depth = (uint8_t)(v).color_depth, .rop = (uint8_t)(v).raster_operation,                        \
   .pitch = (v).destination_pitch, .base = (v).setup_destination_base_address,                     \
   .background = (v).setup_background_color, .foreground = (v).setup_foreground_color

static void
setup_blt(struct blitter *b, const struct cs_command *c)
{
   struct hw_xy_setup_blt v;
   gen7_xy_setup_blt_unpack(&v, c->dw);
   b->setup =
       (struct blt_setup){SETUP_OF(v), .source_transparent = v.monochrome_source_transparency_mode,
                          .pattern_base = v.setup_pattern_base_address};
   set_clip(b, c, CLIP_OF(v));
}

static void
setup_mono_pattern(struct blitter *b, const struct cs_command *c)
{
   struct hw_xy_setup_mono_pattern_sl_blt v;
   gen7_xy_setup_mono_pattern_sl_blt_unpack(&v, c->dw);
   b->setup = (struct blt_setup){SETUP_OF(v), .mono_pattern = true, .solid = v.solid_pattern_select,
                                 .pattern_transparent = v.monochrome_pattern_transparency_mode,
                                 .pattern_data = {v.pattern_data_0, v.pattern_data_1}};
   set_clip(b, c, CLIP_OF(v));
}

static void
setup_clip(struct blitter *b, const struct cs_command *c)
{
   struct hw_xy_setup_clip_blt v;
   gen7_xy_setup_clip_blt_unpack(&v, c->dw);
   set_clip(b, c, CLIP_OF(v));
}

/* BLT-027: what a drawing command takes from the setup. */
static void
from_setup(struct blitter *b, const struct cs_command *c, struct blt *t, bool tiled)
{
   const struct blt_setup *s = &b->setup;
   blt_set_depth(t, s->depth);
   t->rop = s->rop;
   t->write_alpha = s->write_alpha;
   t->write_rgb = s->write_rgb;
   /* BLT-073: its own tiling bit counts. */
   blt_destination(b, t, s->base, s->pitch, tiled);
   if (tiled != s->tiled)
      blt_report(b, c, PERGOLA_ERROR, "BLT-073", "Destination Tiling Enable",
                 "the setup said %s and this command says %s", s->tiled ? "tiled" : "linear",
                 tiled ? "tiled" : "linear");
}

static void
parse_xy_pixel_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   struct hw_xy_pixel_blt v;
   gen7_xy_pixel_blt_unpack(&v, c->dw);
   int32_t x = v.destination_x1_coordinate, y = v.destination_y1_coordinate;
   t->rect = (struct blt_rect){x, y, x + 1, y + 1};
   from_setup(b, c, t, v.destination_tiling_enable);
   blt_solid_color(t, b->setup.background); /* BR05 */
   blt_clip(b, t, b->setup.clipping);
}

static void
parse_xy_scanlines_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   struct hw_xy_scanlines_blt v;
   gen7_xy_scanlines_blt_unpack(&v, c->dw);
   TAKE_RECT(t, v);
   TAKE_SEEDS(t, v);
   from_setup(b, c, t, v.destination_tiling_enable);
   const struct blt_setup *s = &b->setup;
   if (s->mono_pattern) {
      blt_pattern_mono(t, s->pattern_data[0], s->pattern_data[1]);
      blt_mono_pattern(t, s->solid, s->pattern_transparent, s->background, s->foreground);
   } else {
      blt_memory_pattern(b, c, t, s->pattern_base);
   }
   blt_clip(b, t, s->clipping);
}

static void
text_source(struct blitter *b, struct blt *t, uint32_t address, bool byte_packed)
{
   const struct blt_setup *s = &b->setup;
   blt_mono_source(t, address, 0, byte_packed ? 8 : 1, s->source_transparent, s->background,
                   s->foreground);
}

static void
parse_xy_text_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   struct hw_xy_text_blt v;
   gen7_xy_text_blt_unpack(&v, c->dw);
   TAKE_RECT(t, v);
   from_setup(b, c, t, v.destination_tiling_enable);
   text_source(b, t, v.source_address, v.byte_packed);
   blt_clip(b, t, b->setup.clipping);
}

static void
parse_xy_text_immediate_blt(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   struct hw_xy_text_immediate_blt v;
   gen7_xy_text_immediate_blt_unpack(&v, c->dw);
   TAKE_RECT(t, v);
   from_setup(b, c, t, v.destination_tiling_enable);
   text_source(b, t, 0, v.byte_packed);
   blt_immediate_source(b, c, t);
   blt_clip(b, t, b->setup.clipping);
}

struct packet {
   uint16_t id;
   bool setup; /* draws with what XY_SETUP_* left */
   void (*parse)(struct blitter *b, const struct cs_command *c, struct blt *t);
};

static const struct packet packets[] = {
    {GEN7_COLOR_BLT_ID, false, parse_color_blt},
    {GEN7_SRC_COPY_BLT_ID, false, parse_src_copy_blt},
    {GEN7_XY_PIXEL_BLT_ID, true, parse_xy_pixel_blt},
    {GEN7_XY_SCANLINES_BLT_ID, true, parse_xy_scanlines_blt},
    {GEN7_XY_TEXT_BLT_ID, true, parse_xy_text_blt},
    {GEN7_XY_TEXT_IMMEDIATE_BLT_ID, true, parse_xy_text_immediate_blt},
    {GEN7_XY_COLOR_BLT_ID, false, parse_xy_color_blt},
    {GEN7_XY_PAT_BLT_ID, false, parse_xy_pat_blt},
    {GEN7_XY_MONO_PAT_BLT_ID, false, parse_xy_mono_pat_blt},
    {GEN7_XY_MONO_PAT_FIXED_BLT_ID, false, parse_xy_mono_pat_fixed_blt},
    {GEN7_XY_SRC_COPY_BLT_ID, false, parse_xy_src_copy_blt},
    {GEN7_XY_MONO_SRC_COPY_BLT_ID, false, parse_xy_mono_src_copy_blt},
    {GEN7_XY_FULL_BLT_ID, false, parse_xy_full_blt},
    {GEN7_XY_FULL_MONO_SRC_BLT_ID, false, parse_xy_full_mono_src_blt},
    {GEN7_XY_FULL_MONO_PATTERN_BLT_ID, false, parse_xy_full_mono_pattern_blt},
    {GEN7_XY_FULL_MONO_PATTERN_MONO_SRC_BLT_ID, false, parse_xy_full_mono_pattern_mono_src_blt},
    {GEN7_XY_MONO_SRC_COPY_IMMEDIATE_BLT_ID, false, parse_xy_mono_src_copy_immediate_blt},
    {GEN7_XY_PAT_BLT_IMMEDIATE_ID, false, parse_xy_pat_blt_immediate},
    {GEN7_XY_SRC_COPY_CHROMA_BLT_ID, false, parse_xy_src_copy_chroma_blt},
    {GEN7_XY_FULL_IMMEDIATE_PATTERN_BLT_ID, false, parse_xy_full_immediate_pattern_blt},
    {GEN7_XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT_ID, false,
     parse_xy_full_mono_src_immediate_pattern_blt},
    {GEN7_XY_PAT_CHROMA_BLT_ID, false, parse_xy_pat_chroma_blt},
    {GEN7_XY_PAT_CHROMA_BLT_IMMEDIATE_ID, false, parse_xy_pat_chroma_blt_immediate},
};

static const struct packet *
find_packet(unsigned id)
{
   for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i++)
      if (packets[i].id == id)
         return &packets[i];
   return NULL;
}

bool
blt_parse(struct blitter *b, const struct cs_command *c, struct blt *t)
{
   switch (c->desc->id) {
   case GEN7_XY_SETUP_BLT_ID:
      setup_blt(b, c);
      return false;
   case GEN7_XY_SETUP_MONO_PATTERN_SL_BLT_ID:
      setup_mono_pattern(b, c);
      return false;
   case GEN7_XY_SETUP_CLIP_BLT_ID:
      setup_clip(b, c);
      return false;
   }
   const struct packet *p = find_packet(c->desc->id);
   if (!p) {
      blt_report(b, c, PERGOLA_ERROR, "BLT-029", "", "this is no command of the 2D engine");
      return false;
   }
   if (p->setup && !b->setup.valid) {
      blt_report(b, c, PERGOLA_ERROR, "BLT-028", "",
                 "no XY_SETUP command has been executed; nothing is drawn");
      return false;
   }
   memset(t, 0, sizeof(*t));
   t->space = c->space;
   p->parse(b, c, t);
   bool keep = blt_check(b, c, t);
   if (t->source == BLT_SOURCE_NONE && !(t->key_mode & BLT_KEY_DESTINATION))
      t->key_mode = 0;                                                /* BLT-071 */
   return keep && t->rect.x1 < t->rect.x2 && t->rect.y1 < t->rect.y2; /* BLT-030 */
}
