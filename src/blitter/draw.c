/* Draws a blit scan line by scan line. A line's source is read before its destination is written,
 * so that the direction of the pixels in it does not matter. */
#include "blitter/blt.h"

#include <string.h>

#define BYTES_PER_UNIT 256
#define BYTES_PER_NS 8 /* BLT-077: model time of a scan line */

/* BLT-041 */
static void
channel_mask(const struct blt *t, uint8_t *mask, uint32_t size_B)
{
   uint8_t rgb = t->cpp != 4 || t->write_rgb ? 0xff : 0;
   uint8_t alpha = t->cpp != 4 || t->write_alpha ? 0xff : 0;
   if (rgb == alpha) {
      memset(mask, rgb, size_B);
      return;
   }
   for (uint32_t at = 0; at < size_B; at++)
      mask[at] = at % 4 == 3 ? alpha : rgb;
}

static bool
is_masked(const struct blt *t)
{
   return (t->cpp == 4 && !(t->write_alpha && t->write_rgb)) || t->key_mode & BLT_KEYED ||
          (t->source == BLT_SOURCE_MONO && t->mono.transparent) ||
          (t->pattern == BLT_PATTERN_MONO && t->pattern_transparent);
}

/* The whole line of pixels, the bytes that are cut off at its end included. */
static uint32_t
pixels_B(const struct blt *t)
{
   return (uint32_t)(t->rect.x2 - t->rect.x1) * t->cpp;
}

/* BLT-078: observers are told of every scan line. */
static void
announce(struct blitter *b, const struct blt *t, const struct blt_surface *s, int32_t y,
         uint32_t x_B, bool write)
{
   if (!trace_wants(&b->dev->trace, PERGOLA_EVENT_MEMORY))
      return;
   struct pergola_event e = {.kind = PERGOLA_EVENT_MEMORY,
                             .engine = "BCS",
                             .time_ns = b->dev->time_ns,
                             .a = blt_address(s, y, x_B),
                             .b = blt_line_B(t),
                             .flags = write};
   trace_emit(&b->dev->trace, &e);
}

static void
read_line(struct blitter *b, const struct blt *t, const struct blt_surface *s, int32_t y,
          uint32_t x_B, uint8_t *line)
{
   announce(b, t, s, y, x_B, false);
   blt_read_line(t->space, s, y, x_B, line, blt_line_B(t));
}

static void
write_line(struct blitter *b, const struct blt *t, int32_t y, const uint8_t *line,
           const uint8_t *mask)
{
   uint32_t x_B = (uint32_t)t->rect.x1 * t->cpp;
   announce(b, t, &t->dst, y, x_B, true);
   blt_write_line(t->space, &t->dst, y, x_B, line, mask, blt_line_B(t));
}

static void
fetch_source(struct blitter *b, const struct blt *t, int32_t y, uint8_t *mask)
{
   if (t->source == BLT_SOURCE_MONO)
      blt_source_mono_line(b, t, y, b->source, mask);
   else if (t->source == BLT_SOURCE_COLOR)
      read_line(b, t, &t->src, y + t->src_dy, (uint32_t)(t->rect.x1 + t->src_dx) * t->cpp,
                b->source);
   else
      memset(b->source, 0, pixels_B(t)); /* BLT-038 */
}

static void
fetch_pattern(struct blitter *b, const struct blt *t, int32_t y, uint8_t *mask)
{
   if (t->pattern == BLT_PATTERN_NONE)
      memset(b->pattern, 0, pixels_B(t)); /* BLT-038 */
   else
      blt_pattern_line(t, y, b->pattern, mask);
}

/* The plain copy, which most blits are. */
static bool
copy_line(struct blitter *b, const struct blt *t, int32_t y)
{
   int32_t src_y = y + t->src_dy;
   uint32_t src_x_B = (uint32_t)(t->rect.x1 + t->src_dx) * t->cpp;
   uint32_t dst_x_B = (uint32_t)t->rect.x1 * t->cpp;
   if (!blt_copy_line(t->space, &t->src, src_y, src_x_B, &t->dst, y, dst_x_B, blt_line_B(t)))
      return false;
   announce(b, t, &t->src, src_y, src_x_B, false);
   announce(b, t, &t->dst, y, dst_x_B, true);
   return true;
}

static bool
is_copy(const struct blt *t)
{
   return t->rop == 0xcc && t->source == BLT_SOURCE_COLOR && !is_masked(t);
}

static void
draw_line(struct blitter *b, const struct blt *t, int32_t y)
{
   bool masked = is_masked(t);
   if (is_copy(t) && copy_line(b, t, y))
      return;
   uint8_t *mask = masked ? b->mask : NULL;
   if (masked)
      channel_mask(t, b->mask, pixels_B(t));
   bool source = blt_rop_uses_source(t->rop), pattern = blt_rop_uses_pattern(t->rop);
   bool keyed = t->key_mode & BLT_KEYED, key_source = keyed && !(t->key_mode & BLT_KEY_DESTINATION);
   /* An operand may be wanted for its mask only. */
   bool mono_mask = t->source == BLT_SOURCE_MONO && t->mono.transparent;
   bool pattern_mask = t->pattern == BLT_PATTERN_MONO && t->pattern_transparent;
   if (source || key_source || mono_mask)
      fetch_source(b, t, y, mask);
   if (blt_rop_uses_destination(t->rop) || (keyed && !key_source))
      read_line(b, t, &t->dst, y, (uint32_t)t->rect.x1 * t->cpp, b->destination);
   if (keyed)
      blt_key_line(t, key_source ? b->source : b->destination, b->mask);
   if (t->rop == 0xcc) {
      if (pattern_mask)
         fetch_pattern(b, t, y, mask);
      write_line(b, t, y, b->source, mask);
      return;
   }
   if (pattern || pattern_mask)
      fetch_pattern(b, t, y, mask);
   if (t->rop != 0xf0)
      blt_rop_line(t->rop, b->pattern, b->source, b->destination, blt_line_B(t));
   write_line(b, t, y, b->pattern, mask);
}

/* Draws one scan line or more, but not more than `rows`; says how many. */
static int32_t
draw_some(struct blitter *b, struct blt *t, int32_t rows)
{
   int32_t y = t->upwards ? t->rect.y2 - 1 - t->done : t->rect.y1 + t->done; /* BLT-057 */
   /* BLT-078: observers see the lines one by one; BLT-057: from the last one on if need be. */
   bool bands = is_copy(t) && !t->upwards && !trace_wants(&b->dev->trace, PERGOLA_EVENT_MEMORY);
   int32_t drawn = bands ? blt_copy_band(b, t, y, rows) : 0;
   if (drawn)
      return drawn;
   draw_line(b, t, y);
   return 1;
}

/* BLT-074: between scan lines the blit can be left and taken up again. */
enum cs_result
blt_draw(struct blitter *b, uint64_t *budget)
{
   struct blt *t = &b->current;
   int32_t height = t->rect.y2 - t->rect.y1;
   uint64_t cost = 1 + blt_line_B(t) / BYTES_PER_UNIT, line_ns = 1 + blt_line_B(t) / BYTES_PER_NS;
   while (t->done < height) {
      if (!*budget)
         return CS_AGAIN;
      /* The last line may cost more than is left. */
      uint64_t paid = (*budget - 1) / cost + 1;
      int32_t left = height - t->done;
      int32_t drawn = draw_some(b, t, paid < (uint64_t)left ? (int32_t)paid : left);
      uint64_t spent = cost * (uint64_t)drawn;
      *budget -= spent < *budget ? spent : *budget;
      cs_spend(b->dev->cs[BCS], line_ns * (uint64_t)drawn);
      t->done += drawn;
   }
   return CS_DONE;
}
