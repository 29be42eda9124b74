/* Media Block Write with Color Processing Enable: pixels of the message go through the colour pipe
 * into the surface. */
#include "shared_functions/dataport/iecp.h"
#include "shared_functions/dataport/media_block.h"

enum { /* DP-135 */
       YUV422_8 = GEN7_DP_MEDIA_BLOCK_HEADER_MESSAGE_FORMAT_YUV_422_8_BIT,
       YUV444_8 = GEN7_DP_MEDIA_BLOCK_HEADER_MESSAGE_FORMAT_YUV_444_8_BIT,
       YUV422_16 = GEN7_DP_MEDIA_BLOCK_HEADER_MESSAGE_FORMAT_YUV_422_16_BIT,
       YUV444_16 = GEN7_DP_MEDIA_BLOCK_HEADER_MESSAGE_FORMAT_YUV_444_16_BIT,
};
static const uint8_t message_pixel_B[4] = {2, 4, 4, 8};

struct job {
   struct dp *d;
   const struct media_block *b;
   struct iecp pipe;
   unsigned format; /* of the message */
   unsigned pixels; /* in a row of the block */
   int64_t x0;      /* first pixel */
   uint32_t width;  /* pixels of a surface row */
   bool nv12;
};

static bool
in_pairs(unsigned format)
{
   return format == YUV422_8 || format == YUV422_16;
}

/* Whole pixels in a row of the block. DP-152, DP-154: half of a pair has no colour of its own and
 * is left out. */
static unsigned
whole_pixels(unsigned format, unsigned width_B)
{
   unsigned n = width_B / message_pixel_B[format];
   return in_pairs(format) ? n & ~1u : n;
}

/* DP-125, DP-152, DP-153, DP-154, DP-155: pixel i of a row of the payload. */
static struct iecp_pixel
unpack_pixel(unsigned format, const uint8_t *row, unsigned i)
{
   struct iecp_pixel p = {0};
   uint16_t w[4];
   const uint8_t *b;
   switch (format) {
   case YUV422_8:
      b = row + i / 2 * 4;
      return (struct iecp_pixel){b[i & 1 ? 2 : 0] << 4, b[1] << 4, b[3] << 4, 0};
   case YUV444_8:
      b = row + i * 4;
      return (struct iecp_pixel){b[2] << 4, b[1] << 4, b[0] << 4, (uint16_t)(b[3] << 8)};
   case YUV422_16:
      memcpy(w, row + i / 2 * 8, 8);
      p = (struct iecp_pixel){w[i & 1 ? 2 : 0] >> 4, w[1] >> 4, w[3] >> 4, 0};
      return p;
   default:
      memcpy(w, row + i * 8, 8);
      return (struct iecp_pixel){w[1] >> 4, w[0] >> 4, w[2] >> 4, w[3] & 0xfff0}; /* DP-441 */
   }
}

/* Bits of one pixel in an RGB surface format (DP-442); the components are R, G, B after the
 * conversion. */
static uint64_t
pack_rgb(const struct format_info *f, const struct iecp_pixel *p)
{
   const int32_t c[3] = {p->y, p->u, p->v};
   uint64_t v = 0;
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *ch = &f->channel[i];
      if (ch->type == CHANNEL_NONE ||
          ch->bits > 16) /* wider ones are in no format that is allowed here */
         continue;
      uint64_t wide =
          i < 3 ? (uint64_t)c[i] << 4 : p->alpha; /* 16 bits; the most significant are kept */
      v |= wide >> (16 - ch->bits) << ch->start;
   }
   return v;
}

static void
store(struct job *j, uint32_t x_B, uint32_t row, const void *data, unsigned size)
{
   media_block_store(j->d, x_B, row, data, size);
}

static bool
inside(const struct job *j, int64_t x)
{
   return x >= 0 && x < j->width;
}

static void
write_rgb_row(struct job *j, uint32_t y, const struct iecp_pixel *px)
{
   unsigned size = j->d->s.info->bits / 8;
   for (unsigned i = 0; i < j->pixels; i++) {
      uint64_t v = pack_rgb(j->d->s.info, &px[i]);
      if (inside(j, j->x0 + i))
         store(j, (uint32_t)(j->x0 + i) * size, y, &v, size);
   }
}

/* DP-125: chroma of a pair is the mean. */
static void
write_yuv_row(struct job *j, uint32_t y, const struct iecp_pixel *px)
{
   const struct format_yuv422_order *at = format_yuv422_order(j->d->s.format);
   for (unsigned i = 0; i + 1 < j->pixels; i += 2) {
      uint8_t v[4];
      v[at->y0] = (uint8_t)(px[i].y >> 4);
      v[at->y1] = (uint8_t)(px[i + 1].y >> 4);
      v[at->u] = (uint8_t)((px[i].u + px[i + 1].u) >> 1 >> 4);
      v[at->v] = (uint8_t)((px[i].v + px[i + 1].v) >> 1 >> 4);
      if (inside(j, j->x0 + i) && inside(j, j->x0 + i + 1))
         store(j, (uint32_t)(j->x0 + i) * 2, y, v, 4);
   }
}

/* DP-123: luma of every pixel; chroma of the upper left of each 2 by 2. The chroma plane follows
 * the luma rows. */
static void
write_nv12_row(struct job *j, uint32_t y, const struct iecp_pixel *px)
{
   for (unsigned i = 0; i < j->pixels; i++) {
      uint8_t luma = (uint8_t)(px[i].y >> 4);
      if (!inside(j, j->x0 + i))
         continue;
      store(j, (uint32_t)(j->x0 + i), y, &luma, 1);
      if ((y & 1) || (i & 1))
         continue;
      uint8_t uv[2] = {(uint8_t)(px[i].u >> 4), (uint8_t)(px[i].v >> 4)};
      store(j, (uint32_t)(j->x0 + i), j->b->height + y / 2, uv, 2);
   }
}

static void
check_nv12(struct job *j)
{
   struct dp *d = j->d;
   const struct media_block *b = j->b;
   static const uint8_t widest[4] = {8, 4, 4, 0};
   if (j->width % 4)
      dp_note(d, PERGOLA_ERROR, "DP-118", "NV12 width %u is no multiple of 4 pixels", j->width);
   if (b->height % 2)
      dp_note(d, PERGOLA_ERROR, "DP-119", "NV12 height %u is odd", b->height);
   if (b->h.y_offset & 1 || j->x0 & 3)
      dp_note(d, PERGOLA_ERROR, "DP-120", "NV12 block at (%lld, %d)", (long long)j->x0,
              b->h.y_offset);
   if (j->format == YUV444_16)
      dp_note(d, PERGOLA_ERROR, "DP-122", "444 16-bit messages cannot be written as NV12");
   else if ((j->pixels != 4 && j->pixels != widest[j->format]) || b->rows % 2)
      dp_note(d, PERGOLA_ERROR, "DP-121", "NV12 block of %u by %u pixels", j->pixels, b->rows);
}

static void
check(struct job *j)
{
   struct dp *d = j->d;
   const char *points = iecp_check(&j->pipe.st);
   if (d->s.tiling == MEM_LINEAR)
      dp_note(d, PERGOLA_ERROR, "DP-106", "color processing on a linear surface");
   if (j->b->vls)
      dp_note(d, PERGOLA_ERROR, "DP-124", "color processing with Vertical Line Stride 1");
   if (!(d->s.info->capabilities & FORMAT_COLOR_PROCESSING)) /* SMP-397 */
      dp_note(d, PERGOLA_ERROR, "DP-442", "format %s is not for color processing",
              d->s.info->name[0] ? d->s.info->name : "(reserved)");
   if (in_pairs(j->format) && j->b->width_B % (2u * message_pixel_B[j->format]))
      dp_note(d, PERGOLA_ERROR, "DP-104", "width %u splits a pixel pair of the message",
              j->b->width_B);
   if (points)
      dp_note(d, PERGOLA_ERROR, "DP-443", "control points %s decrease or do not meet", points);
   if (j->pipe.st.output_control &&
       (j->pipe.st.ste_enable || j->pipe.st.tcc_enable || j->pipe.st.procamp_enable ||
        j->pipe.st.transform_enable || !j->pipe.st.std_enable))
      dp_note(d, PERGOLA_ERROR, "DP-449", "STD decisions are put out with other functions on");
   if (j->pipe.st.cgc_enable)
      dp_note(d, PERGOLA_NOTE, "DP-415",
              "gamut compression is approximated: its equations are not public");
   if (j->nv12)
      check_nv12(j);
}

/* DP-005, DP-131 */
static bool
load_state(struct dp *d, struct job *j)
{
   uint32_t dw[67], at = d->t->env->general_state_base + j->b->h.color_processing_state_pointer;
   if (!mem_read(d->space, at, dw, sizeof(dw))) {
      dp_reject(d, "DP-005", "the color processing state at 0x%08x is not mapped", at);
      return false;
   }
   iecp_open(&j->pipe, dw);
   j->pipe.dev = d->t->env->dev;
   j->pipe.histogram = j->pipe.st.full_image_histogram || j->b->h.area_of_interest; /* DP-136 */
   return true;
}

enum sf_status
dp_color_process(struct dp *d, struct media_block *b)
{
   struct job j = {.d = d, .b = b, .format = b->h.message_format};
   if (!load_state(d, &j))
      return SF_OK;
   unsigned in_B = message_pixel_B[j.format];
   const struct format_info *f = d->s.info;
   bool yuv = f->layout == FORMAT_YUV422;
   j.nv12 = d->s.format == GEN7_SURFACE_FORMAT_R16_UNORM; /* DP-117 */
   j.pixels = whole_pixels(j.format, b->width_B);
   j.x0 = b->h.x_offset / (int32_t)in_B; /* DP-145 */
   unsigned out_B = yuv ? 2 : f->bits / 8;
   j.width = j.nv12 ? d->s.width * 2u : d->s.width * 4u / (out_B ? out_B : 4);
   if (rules_on(d->t->env->dev))
      check(&j);
   if (!(f->capabilities & FORMAT_COLOR_PROCESSING))
      return SF_OK; /* DP-442 has been named: nothing is written */
   for (unsigned i = 0; i < b->rows; i++) {
      struct iecp_pixel px[32];
      unsigned at = i * b->reg_pitch_B;
      int64_t y = (int64_t)b->h.y_offset + i;
      if (at + b->width_B > d->data_regs * EU_REG_SIZE)
         break;
      for (unsigned k = 0; k < j.pixels; k++) {
         px[k] = unpack_pixel(j.format, d->data + at, k);
         iecp_run(&j.pipe, &px[k]);
      }
      if (y < 0 || y >= b->height)
         continue;
      if (j.nv12)
         write_nv12_row(&j, (uint32_t)y, px);
      else if (yuv)
         write_yuv_row(&j, (uint32_t)y, px);
      else
         write_rgb_row(&j, (uint32_t)y, px);
   }
   return SF_OK;
}
