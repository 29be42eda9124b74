/* Pictures and video for pergola vme. */
#include "cli.h"
#include "rules/plural.h"
#include "vme.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIDE 8176u /* 511 macroblocks: what a thread's header can name */
#define MAX_PIXELS 0x3000000u

bool
vme_image_create(struct vme_image *p, uint32_t width, uint32_t height)
{
   memset(p, 0, sizeof(*p));
   if (!width || !height || width > MAX_SIDE || height > MAX_SIDE) {
      fprintf(stderr, "pergola: a picture of %ux%u cannot be searched\n", width, height);
      return false;
   }
   p->width = width;
   p->height = height;
   p->stride = (width + 15) & ~15u;
   p->rows = (height + 15) & ~15u;
   p->y = (uint64_t)((p->stride + 63) & ~63u) * p->rows <= MAX_PIXELS ? calloc(p->stride, p->rows)
                                                                      : NULL;
   if (!p->y)
      fprintf(stderr, "pergola: a picture of %ux%u is too large\n", width, height);
   return p->y != NULL;
}

void
vme_image_free(struct vme_image *p)
{
   free(p->y);
   p->y = NULL;
}

static void
vme_image_extend(struct vme_image *p)
{
   for (uint32_t y = 0; y < p->height; y++) {
      uint8_t *row = p->y + (size_t)y * p->stride;
      memset(row + p->width, row[p->width - 1], p->stride - p->width);
   }
   for (uint32_t y = p->height; y < p->rows; y++)
      memcpy(p->y + (size_t)y * p->stride, p->y + (size_t)(p->height - 1) * p->stride, p->stride);
}

static uint8_t *
rows(void *data, uint32_t width, uint32_t height, uint32_t *stride)
{
   struct vme_image *p = data;
   if (!vme_image_create(p, width, height))
      return NULL;
   *stride = p->stride;
   return p->y;
}

bool
vme_image_read_png(struct vme_image *p, const char *path)
{
   memset(p, 0, sizeof(*p));
   if (!cli_read_png(path, rows, p)) {
      vme_image_free(p);
      return false;
   }
   vme_image_extend(p);
   return true;
}

/* ---- video ---- */

/* Chroma bytes of a frame, by the C tag; false: not eight bits. */
static bool
chroma_size(const char *tag, uint64_t w, uint64_t h, uint64_t *size)
{
   uint64_t half_w = (w + 1) / 2, half_h = (h + 1) / 2;
   if (!strncmp(tag, "420p1", 5) || strstr(tag, "p10") || strstr(tag, "p12") || strstr(tag, "p16"))
      return false;
   if (!strncmp(tag, "420", 3))
      *size = 2 * half_w * half_h;
   else if (!strncmp(tag, "422", 3))
      *size = 2 * half_w * h;
   else if (!strncmp(tag, "444", 3))
      *size = 2 * w * h;
   else if (!strncmp(tag, "mono", 4))
      *size = 0;
   else
      return false;
   return true;
}

static bool
read_y4m_header(struct vme_video *v)
{
   char line[256], tag[32] = "420";
   if (!fgets(line, sizeof(line), v->f) || strncmp(line, "YUV4MPEG2 ", 10) || !strchr(line, '\n'))
      return false;
   v->first = strlen(line);
   char *save = NULL;
   for (char *word = strtok_r(line + 10, " \n", &save); word; word = strtok_r(NULL, " \n", &save)) {
      if (word[0] == 'W')
         v->width = (uint32_t)strtoul(word + 1, NULL, 10);
      else if (word[0] == 'H')
         v->height = (uint32_t)strtoul(word + 1, NULL, 10);
      else if (word[0] == 'C')
         snprintf(tag, sizeof(tag), "%s", word + 1);
   }
   uint64_t chroma;
   if (!v->width || !v->height || v->width > MAX_SIDE || v->height > MAX_SIDE ||
       !chroma_size(tag, v->width, v->height, &chroma))
      return false;
   v->frame_B = (uint64_t)v->width * v->height + chroma + strlen("FRAME\n");
   return true;
}

bool
vme_video_open(struct vme_video *v, const char *path, uint32_t width, uint32_t height)
{
   uint64_t w = width, h = height;
   memset(v, 0, sizeof(*v));
   v->path = path;
   v->y4m = !width;
   v->width = width;
   v->height = height;
   const char *why = NULL;
   v->f = cli_open_input(path, &why);
   if (!v->f) {
      fprintf(stderr, "pergola: '%s': %s\n", path, why);
      return false;
   }
   v->frame_B = w * h + 2 * ((w + 1) / 2) * ((h + 1) / 2);
   if (v->y4m && !read_y4m_header(v)) {
      fprintf(stderr, "pergola: '%s' is no Y4M video of 8 bits\n", path);
      vme_video_close(v);
      return false;
   }
   if (fseeko(v->f, 0, SEEK_END) || ftello(v->f) < (off_t)v->first) {
      fprintf(stderr, "pergola: '%s' cannot be searched in\n", path);
      vme_video_close(v);
      return false;
   }
   v->frames = (unsigned)(((uint64_t)ftello(v->f) - v->first) / v->frame_B);
   return true;
}

void
vme_video_close(struct vme_video *v)
{
   if (v->f)
      fclose(v->f);
   v->f = NULL;
}

/* Frames of a Y4M file have a line of their own, which may carry parameters: those are refused. */
bool
vme_video_read(struct vme_video *v, unsigned frame, struct vme_image *p)
{
   char line[6] = "FRAME\n";
   if (frame >= v->frames) {
      fprintf(stderr, "pergola: '%s' has %u frame%s; there is no frame %u\n", v->path, v->frames,
              plural(v->frames), frame);
      return false;
   }
   if (!vme_image_create(p, v->width, v->height))
      return false;
   bool ok = !fseeko(v->f, (off_t)(v->first + frame * v->frame_B), SEEK_SET) &&
             (!v->y4m || (fread(line, 6, 1, v->f) == 1 && !memcmp(line, "FRAME\n", 6)));
   for (uint32_t y = 0; ok && y < p->height; y++)
      ok = fread(p->y + (size_t)y * p->stride, p->width, 1, v->f) == 1;
   if (!ok) {
      fprintf(stderr, "pergola: frame %u of '%s' cannot be read\n", frame, v->path);
      vme_image_free(p);
      return false;
   }
   vme_image_extend(p);
   return true;
}
