/* Inside the 2D engine: one blit, taken from a command, and the steps that draw it. */
#ifndef PERGOLA_BLT_H
#define PERGOLA_BLT_H

#include "blitter/blitter.h"

/* Coordinates are 16-bit signed and clipped at 0; widths of the linear commands are 16-bit bytes.
 */
#define BLT_ROW_MAX (32768u * 4 + 64)
#define BLT_IMMEDIATE_MAX 260

struct blt_surface {
   uint32_t base;
   int32_t pitch_B;
   enum mem_tiling tiling;
   uint32_t given; /* the base as the command has it */
};

enum blt_source_kind { BLT_SOURCE_NONE, BLT_SOURCE_COLOR, BLT_SOURCE_MONO };
enum blt_pattern_kind { BLT_PATTERN_NONE, BLT_PATTERN_SOLID, BLT_PATTERN_COLOR, BLT_PATTERN_MONO };

struct blt_rect {
   int32_t x1, y1, x2, y2;
};

struct blt {
   uint8_t rop;
   uint8_t depth; /* as in BR13 */
   uint8_t cpp;   /* bytes of a pixel */
   bool write_alpha, write_rgb;
   struct mem_space *space;
   struct blt_surface dst;
   struct blt_rect rect; /* what is drawn, after clipping */
   uint32_t cut_B;       /* bytes at the end of each line that are not part of it */

   enum blt_source_kind source;
   struct blt_surface src;
   int32_t src_dx, src_dy; /* source pixel = destination pixel + this */
   struct {
      bool immediate, transparent;
      uint32_t address, start;
      uint32_t line_bits; /* from one line to the next */
      int32_t x1, y1;     /* destination pixel of the first bit */
      uint32_t size_B;    /* of the immediate data */
      uint32_t background, foreground;
   } mono;

   enum blt_pattern_kind pattern;
   uint8_t horizontal_seed, vertical_seed;
   bool pattern_solid, pattern_transparent;
   uint8_t pattern_mono[8];
   uint8_t pattern_color[256];
   uint32_t pattern_background, pattern_foreground; /* a solid pattern is the background */

   uint8_t key_mode; /* Transparency Range Mode */
   uint32_t key_low, key_high;

   bool upwards;    /* scan lines from the last to the first */
   int32_t done;    /* scan lines drawn so far */
   int32_t by_line; /* before this row bands have been tried in vain */
};

/* The memory of the pages of a band, to find those that are there twice. An entry is the address
 * of the page with the number of the band in the low bits; others are free. */
#define BLT_BAND_SLOTS 2048u
struct blt_band_pages {
   uintptr_t slot[BLT_BAND_SLOTS];
   uint32_t band, count;
};

/* What XY_SETUP_* leave behind (BR01, BR05, BR06, BR07, BR09, BR20, BR21). */
struct blt_setup {
   bool valid, mono_pattern, solid, clipping, source_transparent, pattern_transparent, tiled;
   bool write_alpha, write_rgb;
   uint8_t depth, rop;
   int32_t pitch;
   uint32_t base, background, foreground, pattern_base, pattern_data[2];
};

struct blitter {
   struct pergola_device *dev;
   struct blt_setup setup;
   struct blt_rect clip; /* BR24, BR25 */
   struct blt current;   /* of the command in hand */
   uint32_t immediate[BLT_IMMEDIATE_MAX];
   uint8_t *source, *destination, *pattern, *mask; /* a scan line each */
   struct blt_band_pages band_pages;
};

/* Of key_mode: set in every mode, and in those that look at the destination. */
#define BLT_KEYED 1u
#define BLT_KEY_DESTINATION 4u
/* packet.c: false if there is nothing to draw (a setup, an empty rectangle, a dropped blit). */
bool blt_parse(struct blitter *b, const struct cs_command *c, struct blt *t);
/* operand.c: what the fields of a packet say about an operand */
void blt_set_depth(struct blt *t, unsigned depth);
void blt_destination(const struct blitter *b, struct blt *t, uint32_t base, int32_t pitch,
                     bool tiled);
void blt_clip(const struct blitter *b, struct blt *t, bool clipping);
void blt_color_source(const struct blitter *b, struct blt *t, int32_t x, int32_t y, uint32_t base,
                      int32_t pitch, bool tiled);
void blt_mono_source(struct blt *t, uint32_t address, unsigned start, unsigned packing,
                     bool transparent, uint32_t background, uint32_t foreground);
void blt_immediate_source(struct blitter *b, const struct cs_command *c, struct blt *t);
void blt_immediate_pattern(struct blitter *b, const struct cs_command *c, struct blt *t);
void blt_memory_pattern(struct blitter *b, const struct cs_command *c, struct blt *t,
                        uint32_t address);
void blt_mono_pattern(struct blt *t, bool solid, bool transparent, uint32_t background,
                      uint32_t foreground);
void blt_solid_color(struct blt *t, uint32_t color);
/* pattern.c */
void blt_pattern_mono(struct blt *t, uint32_t data0, uint32_t data1);
bool blt_pattern_fixed(struct blt *t, unsigned number);
void blt_pattern_load(struct blt *t, uint32_t address);
void blt_pattern_line(const struct blt *t, int32_t y, uint8_t *line, uint8_t *mask);
/* source.c */
void blt_source_mono_line(const struct blitter *b, const struct blt *t, int32_t y, uint8_t *line,
                          uint8_t *mask);
void blt_key_line(const struct blt *t, const uint8_t *line, uint8_t *mask);
/* surface.c: a line of pixels, from byte x_B of row y. */
uint32_t blt_address(const struct blt_surface *s, int32_t y, uint32_t x_B);
void blt_read_line(struct mem_space *space, const struct blt_surface *s, int32_t y, uint32_t x_B,
                   uint8_t *line, uint32_t size_B);
/* A NULL mask writes all; else bytes whose mask is 0xff. */
void blt_write_line(struct mem_space *space, const struct blt_surface *s, int32_t y, uint32_t x_B,
                    const uint8_t *line, const uint8_t *mask, uint32_t size_B);
/* Straight from source to destination, when both are linear and do not overlap; else false, and
 * nothing is done. */
bool blt_copy_line(struct mem_space *space, const struct blt_surface *src, int32_t src_y,
                   uint32_t src_x_B, const struct blt_surface *dst, int32_t dst_y, uint32_t dst_x_B,
                   uint32_t size_B);
#define BLT_Y_COLUMN_B 16u
#define BLT_Y_COLUMN_STEP 512u
#define BLT_Y_TILE_B 128u
/* Part of a row that lies in one Y tile; `at` is its first byte, in column x_B. */
void blt_y_row_read(const uint8_t *at, uint32_t x_B, uint8_t *line, uint32_t size_B);
void blt_y_row_write(uint8_t *at, uint32_t x_B, const uint8_t *line, uint32_t size_B);
/* band.c: copies up to `rows` scan lines from row y on, tile by tile, and says how many; 0 if they
 * have to be drawn one after the other. */
int32_t blt_copy_band(struct blitter *b, struct blt *t, int32_t y, int32_t rows);
/* rop.c: whether a raster operation depends on an operand; the operation, into `pattern`. */
bool blt_rop_uses_source(uint8_t rop);
bool blt_rop_uses_pattern(uint8_t rop);
bool blt_rop_uses_destination(uint8_t rop);
void blt_rop_line(uint8_t rop, uint8_t *pattern, const uint8_t *source, const uint8_t *destination,
                  uint32_t size_B);
/* draw.c */
enum cs_result blt_draw(struct blitter *b, uint64_t *budget);
/* check.c: the restrictions that a finished packet can break. False: the blit is dropped. */
bool blt_check(struct blitter *b, const struct cs_command *c, const struct blt *t);

/* Reports about a field of the command that is being executed. */
__attribute__((format(printf, 6, 7))) void blt_report(struct blitter *b, const struct cs_command *c,
                                                      enum pergola_severity severity,
                                                      const char *rule, const char *field,
                                                      const char *format, ...);

static inline uint32_t
blt_line_B(const struct blt *t)
{
   return (uint32_t)(t->rect.x2 - t->rect.x1) * t->cpp - t->cut_B;
}

#endif
