/* The picture of a search: partitions, vectors, intra blocks. */
#include "cli.h"
#include "vme.h"

#include <stdlib.h>
#include <string.h>

struct canvas {
   uint32_t width, height;
   uint8_t *rgb;
};

struct color {
   uint8_t r, g, b;
};
static const struct color edge = {90, 140, 200}, forward = {255, 210, 60}, backward = {255, 90, 90},
                          skipped = {90, 220, 120}, intra = {200, 70, 220};

static void
blend(struct canvas *c, int32_t x, int32_t y, struct color color, unsigned alpha)
{
   if (x < 0 || y < 0 || x >= (int32_t)c->width || y >= (int32_t)c->height)
      return;
   uint8_t *p = c->rgb + ((size_t)y * c->width + (size_t)x) * 3;
   p[0] = (uint8_t)((p[0] * (255 - alpha) + color.r * alpha) / 255);
   p[1] = (uint8_t)((p[1] * (255 - alpha) + color.g * alpha) / 255);
   p[2] = (uint8_t)((p[2] * (255 - alpha) + color.b * alpha) / 255);
}

static void
frame(struct canvas *c, int32_t x, int32_t y, int32_t w, int32_t h, struct color color,
      unsigned alpha)
{
   for (int32_t i = 0; i < w; i++)
      blend(c, x + i, y, color, alpha);
   for (int32_t i = 1; i < h; i++)
      blend(c, x, y + i, color, alpha);
}

static void
fill(struct canvas *c, int32_t x, int32_t y, int32_t w, int32_t h, struct color color,
     unsigned alpha)
{
   for (int32_t i = 0; i < w * h; i++)
      blend(c, x + i % w, y + i / w, color, alpha);
}

/* From the middle of a block, with a dot where it starts. */
static void
arrow(struct canvas *c, int32_t x, int32_t y, int32_t dx, int32_t dy, struct color color)
{
   int32_t steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
   for (int32_t i = 0; i <= steps; i++)
      blend(c, x + (steps ? dx * i / steps : 0), y + (steps ? dy * i / steps : 0), color, 230);
   fill(c, x - 1, y - 1, 3, 3, color, 200);
}

static void
draw_part(struct canvas *c, const struct vme_part *p, int32_t x, int32_t y, int32_t scale)
{
   int32_t left = (x + p->x) * scale, top = (y + p->y) * scale;
   frame(c, left, top, p->w * scale, p->h * scale, edge, 150);
   if (p->direct)
      fill(c, left, top, p->w * scale, p->h * scale, skipped, 30);
   for (unsigned r = 0; r < 2; r++)
      if (p->direction == 2 || p->direction == r)
         arrow(c, left + p->w * scale / 2, top + p->h * scale / 2, p->mv[r][0] * scale / 4,
               p->mv[r][1] * scale / 4, r ? backward : forward);
}

static bool
start(struct canvas *c, const struct vme_image *source, unsigned scale)
{
   c->width = source->width * scale;
   c->height = source->height * scale;
   c->rgb = malloc((size_t)c->width * c->height * 3);
   for (uint32_t y = 0; c->rgb && y < c->height; y++)
      for (uint32_t x = 0; x < c->width; x++)
         memset(c->rgb + ((size_t)y * c->width + x) * 3,
                source->y[(size_t)(y / scale) * source->stride + x / scale] * 3 / 4, 3);
   return c->rgb != NULL;
}

bool
vme_write_overlay(const char *path, const struct vme_image *source,
                  const struct vme_answer *answers, unsigned scale)
{
   struct canvas c;
   uint32_t columns = source->stride / 16;
   if (!start(&c, source, scale))
      return false;
   for (uint32_t i = 0; i < columns * (source->rows / 16); i++) {
      int32_t x = (int32_t)(i % columns * 16), y = (int32_t)(i / columns * 16), s = (int32_t)scale;
      struct vme_part parts[16];
      unsigned n = vme_parts(&answers[i], parts);
      if (!n) {
         fill(&c, x * s, y * s, 16 * s, 16 * s, intra, 90);
         frame(&c, x * s, y * s, 16 * s, 16 * s, edge, 200);
      }
      for (unsigned k = 0; k < n; k++)
         draw_part(&c, &parts[k], x, y, s);
   }
   bool ok = cli_write_png(path, CLI_RGB, c.width, c.height, c.rgb);
   free(c.rgb);
   return ok;
}

bool
vme_write_gray(const char *path, const struct vme_image *p)
{
   return cli_write_png_rows(path, CLI_GRAY, p->width, p->height, p->stride, p->y);
}
