/* Media block read and write: a rectangle of raw bytes. */
#include "shared_functions/dataport/media_block.h"

#include "machine/bounds.h"
#include "rules/plural.h"
#include "surface/hazard.h"

static unsigned
max_rows(unsigned width_B)
{
   return width_B <= 4    ? 64
          : width_B <= 8  ? 32
          : width_B <= 16 ? 16
          : width_B <= 32 ? 8
                          : 4; /* DP-139 */
}

/* DP-151 */
static unsigned
register_pitch(unsigned width_B)
{
   unsigned p = 4;
   while (p < width_B)
      p *= 2;
   return p;
}

static unsigned
media_block_regs(const struct media_block *b)
{
   return (b->rows * b->reg_pitch_B + EU_REG_SIZE - 1) / EU_REG_SIZE;
}

static void
unpack_pixels(struct dp *d, struct media_block *b)
{
   const struct format_info *f = d->s.info;
   b->yuv422 = f->layout == FORMAT_YUV422;
   b->yuyv = f->code == GEN7_SURFACE_FORMAT_YCRCB_NORMAL ||
             f->code == GEN7_SURFACE_FORMAT_YCRCB_SWAPUV; /* DP-113, DP-114 */
   if (b->yuv422)
      b->pixel_B = 2;
   else if (f->layout == FORMAT_PLAIN && (f->bits == 8 || f->bits == 16 || f->bits == 32))
      b->pixel_B = f->bits / 8;
   else
      b->pixel_B = 0;
}

/* DP-126, DP-127: the descriptor may see a frame as a field, or a field as part of a frame. */
static void
unpack_stride(struct dp *d, struct media_block *b)
{
   struct hw_dp_media_block_descriptor desc;
   gen7_dp_media_block_descriptor_unpack(&desc, &d->m->desc);
   if (hw_reserved_control(d->m->desc, GEN7_DP_MEDIA_BLOCK_DESCRIPTOR__MBZ_0))
      dp_note(d, PERGOLA_ERROR, "DP-126", "bits 13:11 of the descriptor must be 0");
   b->vls = d->s.vls;
   b->vlso = d->s.vls ? d->s.vlso : 0;
   b->height = d->s.height;
   if (!desc.vertical_line_stride_override)
      return;
   b->vls = desc.override_vertical_line_stride;
   b->vlso = b->vls ? desc.override_vertical_line_stride_offset : 0;
   if (!d->s.vls && b->vls) {
      if (d->s.height & 1)
         dp_note(d, PERGOLA_ERROR, "DP-128", "a surface of %u row%s is accessed as a field",
                 d->s.height, plural(d->s.height));
      b->height = d->s.height / 2u;
   } else if (d->s.vls && !b->vls) {
      b->height = d->s.height * 2u;
   }
}

static void
check_surface(struct dp *d)
{
   if (d->s.type != SURFTYPE_2D || d->s.array || d->s.levels > 1)
      dp_note(d, PERGOLA_ERROR, "DP-098", "surface %u is no plain SURFTYPE_2D surface", d->bti);
   if (d->s.base & 31)
      dp_note(d, PERGOLA_ERROR, "DP-101", "base address 0x%08x is not 32-byte aligned", d->s.base);
   if (d->s.tiling == MEM_LINEAR && d->s.pitch_B & 63)
      dp_note(d, PERGOLA_ERROR, "DP-107", "pitch %u of a linear surface is no multiple of 64",
              d->s.pitch_B);
   if (d->s.rules & SURFACE_BAD_BOUNDARY)
      dp_note(d, PERGOLA_ERROR, "DP-002", "height %u is odd with a frame boundary mode",
              d->s.height);
   if (d->s.boundary_mode == SURFACE_BOUNDARY_RESERVED)
      dp_note(d, PERGOLA_ERROR, "DP-001", "Media Boundary Pixel Mode 1 is reserved");
   if (d->s.rules & SURFACE_BAD_OFFSET)
      dp_note(d, PERGOLA_ERROR, "DP-419", "X or Y Offset on a linear surface");
   if (d->s.vls && d->s.y_offset & 3)
      dp_note(d, PERGOLA_ERROR, "DP-419", "Y Offset %u in field mode is no multiple of 4",
              d->s.y_offset);
   if (d->s.rules & SURFACE_BAD_PITCH && d->s.tiling != MEM_LINEAR)
      dp_note(d, PERGOLA_ERROR, "DP-423", "pitch %u does not fit the tiling", d->s.pitch_B);
}

static void
check_block(struct dp *d, const struct media_block *b, bool write)
{
   uint32_t x = (uint32_t)b->h.x_offset;
   if (b->rows > max_rows(b->width_B))
      dp_note(d, PERGOLA_ERROR, "DP-139", "%u rows of %u byte%s: at most %u rows are allowed",
              b->rows, b->width_B, plural(b->width_B), max_rows(b->width_B));
   if (b->width_B > 32 && d->s.tiling == MEM_TILE_Y)
      dp_note(d, PERGOLA_ERROR, "DP-140", "a block of %u bytes on a Y-major surface", b->width_B);
   bool raw =
       !write || !b->h.color_processing_enable; /* the colour pipe has a format list of its own */
   if (raw && !b->pixel_B)
      dp_note(d, PERGOLA_ERROR, "DP-116", "format %s has no element size of 8, 16 or 32 bits",
              d->s.info->name[0] ? d->s.info->name : "(reserved)");
   else if (raw && !b->yuv422 && (x % b->pixel_B || b->width_B % b->pixel_B))
      dp_note(d, PERGOLA_ERROR, "DP-103",
              "X offset %d or width %u is no multiple of the %u-byte pixel", b->h.x_offset,
              b->width_B, b->pixel_B);
   if (raw && b->yuv422 && (x % 4 || b->width_B % 4))
      dp_note(d, PERGOLA_ERROR, "DP-104", "X offset %d or width %u splits a pixel pair",
              b->h.x_offset, b->width_B);
   if (write && (x & 3))
      dp_note(d, PERGOLA_ERROR, "DP-144", "X offset %d of a write is not dword aligned",
              b->h.x_offset);
   if (write && (b->width_B & 3))
      dp_note(d, PERGOLA_ERROR, "DP-141", "width %u of a write is no multiple of 4", b->width_B);
   if (write && ((x & 3) || (b->width_B & 3)))
      dp_note(d, PERGOLA_ERROR, "DP-105", "a write is not dword aligned");
   if (b->h.message_mode && (b->h.y_offset & 3))
      dp_note(d, PERGOLA_ERROR, "DP-143", "Y offset %d is no multiple of 4 in PIXEL_MASK mode",
              b->h.y_offset);
   if (b->h.message_mode && (x & 31))
      dp_note(d, PERGOLA_ERROR, "DP-144", "X offset %d is no multiple of 32 in PIXEL_MASK mode",
              b->h.x_offset);
}

/* Unpacks header and surface, names what is wrong. False: rejected. */
static bool
media_block_open(struct dp *d, struct media_block *b, bool write)
{
   gen7_dp_media_block_header_unpack(&b->h, d->header);
   if (d->bti == DP_BTI_STATELESS) { /* SMP-336 */
      dp_reject(d, "DP-098", "the stateless model has no media blocks");
      return false;
   }
   if (!dp_bind(d, false))
      return false;
   if (d->s.type == SURFTYPE_NULL) {
      dp_reject(d, "DP-420", "a media block message on a null surface");
      return false;
   }
   if (d->s.type >= SURFTYPE_BUFFER) {
      dp_reject(d, "DP-098", "surface %u is no SURFTYPE_2D", d->bti);
      return false;
   }
   if (d->m->sfid == SFID_DP_SAMPLER)
      b->h.message_mode = 0; /* DP-134 */
   b->pixel_mask = ~0u;
   b->width_B = b->h.block_width + 1;
   b->rows = b->h.block_height + 1;
   if (b->h.message_mode) { /* DP-132: 4 rows of 32 bytes; DP-133: never wider */
      b->pixel_mask = write ? d->header[2] : ~0u; /* DP-142: a read returns all pixels */
      b->width_B = 32;
      b->rows = 4;
   }
   b->reg_pitch_B = register_pitch(b->width_B);
   b->row_B = d->s.width * 4u; /* DP-418 */
   unpack_pixels(d, b);
   unpack_stride(d, b);
   if (rules_on(d->t->env->dev)) {
      check_surface(d);
      check_block(d, b, write);
   }
   if (b->vls && d->s.tiling == MEM_TILE_X && d->cache == HAZARD_RENDER)
      d->cache = HAZARD_RENDER_FIELD;
   return true;
}

/* Bytes that follow one another in memory from x on. */
static unsigned
contiguous(const struct surface *s, uint32_t x_B, unsigned size)
{
   unsigned run = s->tiling == MEM_LINEAR   ? size
                  : s->tiling == MEM_TILE_X ? 512 - (x_B & 511)
                                            : 16 - (x_B & 15);
   return run < size ? run : size;
}

/* The bytes [x_B, x_B + size) of frame row `row`; all inside the surface. */
static void
media_block_load(struct dp *d, uint32_t x_B, uint32_t row, void *data, unsigned size)
{
   uint8_t *out = data;
   x_B += d->s.x_offset * 4u; /* DP-419 */
   while (size) {
      unsigned n = contiguous(&d->s, x_B, size);
      uint32_t address;
      if (!surface_byte_address(&d->s, x_B, (uint64_t)row + d->s.y_offset, &address))
         memset(out, 0, n);
      else if (n == 16)
         dp_load(d, address, out, 16); /* sizes that tiles have, in line */
      else if (n == 32)
         dp_load(d, address, out, 32);
      else
         dp_load(d, address, out, n);
      out += n;
      x_B += n;
      size -= n;
   }
}

void
media_block_store(struct dp *d, uint32_t x_B, uint32_t row, const void *data, unsigned size)
{
   const uint8_t *in = data;
   x_B += d->s.x_offset * 4u;
   while (size) {
      unsigned n = contiguous(&d->s, x_B, size);
      uint32_t address;
      if (surface_byte_address(&d->s, x_B, (uint64_t)row + d->s.y_offset, &address))
         n == 16   ? dp_store(d, address, in, 16)
         : n == 32 ? dp_store(d, address, in, 32)
                   : dp_store(d, address, in, n);
      in += n;
      x_B += n;
      size -= n;
   }
}

/* DP-001: the frame row that a row address reads. */
static uint32_t
boundary_row(const struct dp *d, const struct media_block *b, int64_t y)
{
   unsigned mode = d->s.boundary_mode;
   int64_t height = b->height ? b->height : 1;
   if (b->vls) {
      if (mode == SURFACE_BOUNDARY_PROGRESSIVE)
         return (uint32_t)long_between(0, 2 * y + b->vlso, 2 * height - 1);
      return (uint32_t)(2 * long_between(0, y, height - 1) + b->vlso);
   }
   if (mode == SURFACE_BOUNDARY_INTERLACED && height > 1) {
      int64_t odd = y & 1;
      if (y < 0)
         return (uint32_t)odd;
      if (y >= height) {
         int64_t last = height - 1;
         return (uint32_t)((last & 1) == odd ? last : last - 1);
      }
   }
   return (uint32_t)long_between(0, y, height - 1);
}

/* DP-111, DP-112, DP-113, DP-114, DP-115: byte k of a dword that lies left or right of the surface,
 * as byte of the edge dword. */
static unsigned
edge_byte(const struct media_block *b, unsigned k, bool right)
{
   static const uint8_t yuyv[2][4] = {{0, 1, 0, 3}, {2, 1, 2, 3}},
                        uyvy[2][4] = {{0, 1, 2, 1}, {0, 3, 2, 3}};
   if (b->yuv422)
      return (b->yuyv ? yuyv : uyvy)[right][k];
   unsigned p = b->pixel_B ? b->pixel_B : 4;
   return (k & (p - 1)) + (right ? 4 - p : 0);
}

static void
read_row(struct dp *d, const struct media_block *b, uint32_t row, uint8_t *out)
{
   int64_t x0 = b->h.x_offset, x1 = x0 + b->width_B;
   int64_t in0 = x0 < 0 ? 0 : x0, in1 = x1 > b->row_B ? b->row_B : x1;
   uint8_t left[4], right[4];
   if (in0 < in1)
      media_block_load(d, (uint32_t)in0, row, out + (in0 - x0), (unsigned)(in1 - in0));
   if (x0 >= 0 && x1 <= b->row_B)
      return;
   media_block_load(d, 0, row, left, 4);
   media_block_load(d, b->row_B - 4, row, right, 4);
   for (int64_t x = x0; x < x1; x++) {
      if (x < 0)
         out[x - x0] = left[edge_byte(b, x & 3, false)];
      else if (x >= b->row_B)
         out[x - x0] = right[edge_byte(b, x & 3, true)];
   }
}

enum sf_status
dp_media_block_read(struct dp *d)
{
   struct media_block b;
   uint8_t row[64];
   if (!media_block_open(d, &b, false))
      return SF_OK;
   if (b.h.color_processing_enable && d->m->sfid == SFID_DP_RENDER)
      dp_note(d, PERGOLA_ERROR, "DP-138", "Color Processing Enable on a read");
   dp_expect(d, 0, media_block_regs(&b), "DP-156");
   unsigned room = d->m->rlen * EU_REG_SIZE;
   if (media_block_inside(d, &b, d->m->response, NULL, room))
      return SF_OK;
   for (unsigned i = 0; i < b.rows; i++) { /* DP-108: no mask counts */
      read_row(d, &b, boundary_row(d, &b, (int64_t)b.h.y_offset + i), row);
      unsigned at = i * b.reg_pitch_B;
      if (at + b.width_B <= room)
         memcpy(d->m->response + at, row, b.width_B);
   }
   return SF_OK;
}

/* DP-142: one bit for each dword of 8 by 4, in 2 by 2 groups. */
static bool
mask_bit(uint32_t mask, unsigned column, unsigned row)
{
   unsigned bit =
       (column & 1) | (row & 1) << 1 | (column & 2) << 1 | (row & 2) << 2 | (column & 4) << 2;
   return mask >> bit & 1;
}

static void
write_row(struct dp *d, const struct media_block *b, unsigned i, uint32_t row, const uint8_t *in)
{
   int64_t x0 = b->h.x_offset;
   if (b->pixel_mask == ~0u) {
      int64_t x1 = x0 + b->width_B, in0 = x0 < 0 ? 0 : x0, in1 = x1 > b->row_B ? b->row_B : x1;
      if (in0 < in1) /* DP-110 */
         media_block_store(d, (uint32_t)in0, row, in + (in0 - x0), (unsigned)(in1 - in0));
      return;
   }
   for (unsigned c = 0; c < 8; c++) {
      int64_t x = x0 + 4 * c;
      if (mask_bit(b->pixel_mask, c, i) && x >= 0 && x + 4 <= b->row_B)
         media_block_store(d, (uint32_t)x, row, in + 4 * c, 4);
   }
}

enum sf_status
dp_media_block_write(struct dp *d)
{
   struct media_block b;
   if (!media_block_open(d, &b, true))
      return SF_OK;
   dp_expect(d, media_block_regs(&b), d->m->rlen == 1, "DP-150");
   if (b.h.color_processing_enable)
      return dp_color_process(d, &b);
   unsigned room = d->data_regs * EU_REG_SIZE;
   if (media_block_inside(d, &b, NULL, d->data, room))
      return SF_OK;
   for (unsigned i = 0; i < b.rows; i++) {
      int64_t y = (int64_t)b.h.y_offset + i;
      unsigned at = i * b.reg_pitch_B;
      if (y < 0 || y >= b.height || at + b.width_B > room)
         continue;
      uint32_t row = (uint32_t)(b.vls ? 2 * y + b.vlso : y); /* DP-472 */
      write_row(d, &b, i, row, d->data + at);
   }
   return SF_OK;
}
