/* Views of levels: what is asked of a surface state before its texels are touched. */
#include "surface/view.h"

#include "machine/bounds.h"
#include "machine/float_bits.h"
#include "memory/pages.h"

#include <string.h>

/* ---- formats --------------------------------------------------------------------------------- */

static void
unpack_plain(const struct format_info *f, const uint8_t *element, uint32_t x, uint32_t y,
             format_texel out)
{
   (void)x;
   (void)y;
   format_unpack(f, element, out);
}

static void
unpack_yuv422(const struct format_info *f, const uint8_t *element, uint32_t x, uint32_t y,
              format_texel out)
{
   (void)y;
   format_texel pair[2];
   format_unpack_yuv422(f, element, pair);
   memcpy(out, pair[x & 1], sizeof(format_texel));
}

static void
unpack_block(const struct format_info *f, const uint8_t *element, uint32_t x, uint32_t y,
             format_texel out)
{
   format_texel texels[64];
   format_decode_block(f, element, texels);
   memcpy(out, texels[(y % f->block_h) * f->block_w + x % f->block_w], sizeof(format_texel));
}

static const view_unpack_fn unpackers[] = {[FORMAT_PLAIN] = unpack_plain,
                                           [FORMAT_SHAREDEXP] = unpack_plain,
                                           [FORMAT_YUV422] = unpack_yuv422,
                                           [FORMAT_BLOCK] = unpack_block,
                                           [FORMAT_RAW] = NULL};

/* What the fast paths make of a channel. False: ld cannot decode it so. */
static bool
describe_channel(const struct format_info *f, unsigned i, struct view_channel *out)
{
   static const uint8_t kinds[] = {[CHANNEL_UNORM] = VIEW_CHANNEL_UNORM,
                                   [CHANNEL_UINT] = VIEW_CHANNEL_UINT,
                                   [CHANNEL_SINT] = VIEW_CHANNEL_SINT,
                                   [CHANNEL_FIXED] = 0};
   const struct format_channel *c = &f->channel[i];
   *out = (struct view_channel){.word = c->start / 32, .shift = c->start % 32, .bits = c->bits};
   if (c->type == CHANNEL_UNORM && c->bits <= 16) {
      out->most = (float)((1u << c->bits) - 1);
      out->by = 1 / out->most;
   }
   if (c->type == CHANNEL_NONE) {
      out->absent = i < 3                                    ? 0
                    : f->channel_class == FORMAT_CLASS_FLOAT ? FLOAT_ONE
                                                             : 1; /* SMP-118 */
      return true;
   }
   bool whole = c->bits == 32 &&
                (c->type == CHANNEL_UINT || c->type == CHANNEL_SINT || c->type == CHANNEL_FLOAT);
   out->kind = whole ? VIEW_CHANNEL_BITS : kinds[c->type];
   return out->kind && (out->kind != VIEW_CHANNEL_UNORM || out->bits <= 16);
}

/* Can the fast path of render target writes encode it? */
static bool
packed_channel(const struct format_channel *c)
{
   bool norm = c->type == CHANNEL_UNORM || c->type == CHANNEL_SNORM;
   return c->type <= CHANNEL_FLOAT && (!norm || c->bits <= 16);
}

/* Fills in how channels are converted; returns the users that can do it. */
static unsigned
describe_format(struct surface_view *v)
{
   const struct format_info *f = v->format;
   unsigned present = 0, users = VIEW_FETCH | VIEW_TARGET;
   v->whole = true;
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &f->channel[i];
      if (!describe_channel(f, i, &v->channel[i]))
         users &= ~(unsigned)VIEW_FETCH;
      if (!packed_channel(c))
         users &= ~(unsigned)VIEW_TARGET;
      if (c->start % 32 + c->bits > 32)
         users = 0;
      present |= (c->type != CHANNEL_NONE) << i;
      v->converts |= c->type == CHANNEL_UNORM;
      v->whole &= 4 * i < v->size_B
                      ? c->bits == 32 && c->start == 32 * i && c->type != CHANNEL_UNORM
                      : c->type == CHANNEL_NONE;
   }
   const struct format_channel *c = f->channel;
   bool eights = present == 15 && v->size_B == 4;
   for (unsigned i = 0; i < 4; i++)
      eights &= c[i].type == CHANNEL_UNORM && c[i].bits == 8;
   v->eights = !eights || c[1].start != 8 || c[3].start != 24 ? VIEW_NO_EIGHTS
               : c[0].start                                   ? VIEW_BGRA
                                                              : VIEW_RGBA;
   bool as_it_is = c[0].type == CHANNEL_UINT ||
                   (c[0].bits == 32 && (c[0].type == CHANNEL_SINT || c[0].type == CHANNEL_FLOAT));
   v->red = present == 1 && v->size_B <= 4 && c[0].bits == 8 * v->size_B && as_it_is;
   v->packed = f->capabilities & FORMAT_TYPED_WRITE && !f->srgb ? (uint8_t)present : 0;
   return f->srgb ? 0 : users;
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool
has_slices(const struct surface *s)
{
   return s->type == SURFTYPE_3D || s->type == SURFTYPE_CUBE || s->array;
}

static void
place_buffer(struct surface_view *v, const struct surface *s)
{
   bool raw = s->info->layout == FORMAT_RAW && s->type == SURFTYPE_BUFFER;
   v->width = s->entries;
   v->height = 1;
   v->depth = UINT32_MAX;
   v->step_B = raw ? 1 : s->pitch_B;
   v->line = true;
   v->layers = 1;
   v->tiling = MEM_LINEAR;
   if (s->type != SURFTYPE_BUFFER || s->tiling != MEM_LINEAR)
      return;
   /* DP-058: entries past 4 GiB are outside. */
   uint64_t room = (UINT64_C(1) << 32) - s->base, entry_B = raw ? 1 : 16;
   uint64_t size = s->entries * entry_B < room ? s->entries * entry_B : room;
   if (size >= INT32_MAX)
      return;
   v->raw_B = raw && !s->rules && s->base % 4 == 0 ? (uint32_t)size : 0;
   v->block_B = s->base % 16 == 0 ? (uint32_t)size : 0;
}

static void
place_level(struct surface_view *v, const struct surface *s, unsigned lod)
{
   struct surface_extent e = surface_level_size(s, lod);
   bool volume = s->type == SURFTYPE_3D, blocks = v->block_w > 1 || v->block_h > 1;
   uint32_t x, other_x, first = volume ? 0 : s->min_array_element; /* DP-421 */
   uint64_t y, other_y;
   first *= s->samples > 1 && !s->interleaved ? s->samples : 1; /* SMP-476 */
   surface_level_position(s, lod, first, &x, &y);
   v->width = e.width;
   v->height = e.height;
   v->depth = has_slices(s) ? e.depth : UINT32_MAX;
   v->slices_log2 = volume ? (uint8_t)lod : 0;
   if (volume) {
      surface_level_position(s, lod, 1, &other_x, &other_y);
      v->slice_el = lod ? other_x - x : 0;
      surface_level_position(s, lod, 1u << lod, &other_x, &other_y);
      v->slice_rows = (uint32_t)(other_y - y);
   } else {
      v->slice_rows = s->qpitch; /* SMP-472 */
   }
   v->x_el = x + (blocks ? 0 : s->x_offset);
   v->row = (uint32_t)y + (blocks ? 0 : s->y_offset);
   v->x_px = blocks ? s->x_offset : 0;
   v->y_px = blocks ? s->y_offset : 0;
   v->step_B = v->size_B;
   v->line = s->type == SURFTYPE_1D;
   if (s->vls && s->type == SURFTYPE_2D && !s->array) { /* DP-472 */
      v->field_step = 2;
      v->field_line = s->vlso;
   }
   v->layers = s->type == SURFTYPE_CUBE ? 6 : has_slices(s) ? s->depth : 1;
   if (s->view_extent && s->view_extent < v->layers)
      v->layers = s->view_extent;
   v->first_layer = volume ? s->min_array_element : 0;
}

static void
sample_place(const struct surface_view *v, unsigned sample, uint32_t *x, uint32_t *y,
             uint32_t *slice)
{
   if (!v->interleaved) {
      *slice = *slice * v->samples + sample; /* SMP-476 */
      return;
   }
   uint32_t px = *x, py = *y; /* SMP-475 */
   if (v->samples == 8)
      *x = (px & ~1u) << 2 | (sample & 4) | (sample & 1) << 1 | (px & 1);
   else
      *x = (px & ~1u) << 1 | (sample & 1) << 1 | (px & 1);
   *y = (py & ~1u) << 1 | (sample & 2) | (py & 1);
}

/* Bytes and rows from the base. */
static void
element_place(const struct surface_view *v, uint32_t x, uint32_t y, uint32_t slice, uint64_t *x_B,
              uint64_t *row)
{
   uint64_t side = slice & ((1u << v->slices_log2) - 1), below = slice >> v->slices_log2;
   uint64_t x_el = v->x_el + side * v->slice_el + ((uint64_t)x + v->x_px) / v->block_w;
   *row = v->row + below * v->slice_rows + ((uint64_t)y + v->y_px) / v->block_h;
   *row = *row * v->field_step + v->field_line;
   *x_B = v->bits ? x_el * v->bits / 8 : x_el * v->step_B;
}

bool
surface_view_address(const struct surface_view *v, uint32_t x, uint32_t y, uint32_t slice,
                     unsigned sample, uint32_t *address)
{
   uint64_t x_B, row;
   if (v->depth == UINT32_MAX)
      slice = 0;
   if (v->samples > 1)
      sample_place(v, sample, &x, &y, &slice);
   element_place(v, x, y, slice, &x_B, &row);
   if (x_B >> 32 || row >> 32)
      return false;
   uint64_t a = v->base + mem_tile_offset(v->tiling, (uint32_t)x_B, (uint32_t)row, v->pitch_B);
   *address = (uint32_t)a;
   return a >> 32 == 0;
}

/* ---- users ----------------------------------------------------------------------------------- */

/* The first byte behind all texels; tiles count as a whole. 2 GiB and more: nowhere. */
static uint64_t
end_of(const struct surface_view *v)
{
   static const struct {
      uint32_t x_B, row;
   } tile[] = {[MEM_LINEAR] = {0, 0}, [MEM_TILE_X] = {511, 7}, [MEM_TILE_Y] = {127, 31}};
   uint64_t x_B, row, other_x_B, other_row;
   uint32_t slices = v->depth == UINT32_MAX ? 1 : v->depth,
            beside = slices < 1u << v->slices_log2 ? slices : 1u << v->slices_log2;
   element_place(v, v->width - 1, v->height - 1, beside - 1, &x_B, &other_row);
   element_place(v, v->width - 1, v->height - 1, slices - 1, &other_x_B, &row);
   x_B += v->size_B - 1u;
   if (x_B > INT32_MAX || row > INT32_MAX)
      return UINT64_MAX;
   return v->base + 1 +
          mem_tile_offset(v->tiling, (uint32_t)x_B | tile[v->tiling].x_B,
                          (uint32_t)row | tile[v->tiling].row, v->pitch_B);
}

/* Rows that do not leave their tiles. */
static bool
rows_inside(const struct surface_view *v)
{
   uint32_t beside = v->depth == UINT32_MAX ? 1 : 1u << v->slices_log2;
   return ((uint64_t)v->x_el + (uint64_t)(beside - 1) * v->slice_el + v->width) * v->size_B <=
          v->pitch_B;
}

static void
find_users(struct surface_view *v, const struct surface *s)
{
   unsigned size = s->info->bits / 8u;
   bool blocks = s->info->layout == FORMAT_BLOCK;
   if (s->type > SURFTYPE_BUFFER || s->rules || s->vls || v->samples != 1 ||
       (s->info->layout != FORMAT_PLAIN && !blocks) || s->info->bits % 8 || !size || size > 16 ||
       size & (size - 1) || s->tiling > MEM_TILE_Y || v->lod > 14 || !v->width || !v->depth)
      return;
   bool aligned = !((s->base | s->pitch_B) % size), buffer = s->type == SURFTYPE_BUFFER;
   if (!aligned && !buffer)
      return;
   uint64_t end = end_of(v);
   if (end > INT32_MAX)
      return;
   v->end = (uint32_t)end;
   v->size_log2 = (uint8_t)__builtin_ctz(size);
   if (blocks) {
      v->users = aligned ? VIEW_TEXELS : 0;
      return;
   }
   unsigned users = describe_format(v), kind = VIEW_TEXELS;
   bool image = s->type == SURFTYPE_2D || s->type == SURFTYPE_3D;
   if (s->type != SURFTYPE_CUBE && !s->rotation && !v->slices_log2 && !v->first_layer)
      kind |= VIEW_TYPED;
   /* SMP-354, SMP-368: are named */
   bool odd = (s->array && s->type == SURFTYPE_3D) ||
              ((s->x_offset || s->y_offset) && s->tiling == MEM_LINEAR);
   if (image && rows_inside(v) && s->info->capabilities & FORMAT_SAMPLER && !odd &&
       s->levels <= 15) /* SMP-023: one more is named */
      kind |= VIEW_FETCH;
   if (image && rows_inside(v) && !s->rotation && s->info->capabilities & FORMAT_RENDER)
      kind |= VIEW_TARGET;
   v->users = aligned ? (uint8_t)(kind & (users | VIEW_TEXELS | VIEW_TYPED)) : 0;
   if (buffer && users & VIEW_FETCH && s->info->capabilities & FORMAT_SAMPLER)
      v->users |= VIEW_ENTRIES;
}

void
surface_view_make(struct surface_view *v, const struct surface *s, unsigned lod)
{
   memset(v, 0, sizeof(*v));
   v->base = s->base;
   v->pitch_B = s->pitch_B;
   v->tiling = s->tiling;
   v->type = s->type;
   v->format = s->info;
   v->unpack = s->info->layout < sizeof(unpackers) / sizeof(unpackers[0])
                   ? unpackers[s->info->layout]
                   : NULL;
   v->size_B = (uint8_t)(s->info->bits / 8);
   v->bits = s->info->bits < 8 ? (uint8_t)s->info->bits : 0;
   v->block_w = s->info->block_w ? s->info->block_w : 1;
   v->block_h = s->info->block_h ? s->info->block_h : 1;
   v->field_step = 1;
   v->samples = s->samples;
   v->interleaved = s->interleaved && s->samples > 1;
   v->lod = (uint8_t)(lod < 15 ? lod : 15);
   if (s->type == SURFTYPE_BUFFER || s->type == SURFTYPE_STRBUF) {
      v->samples = 1;
      v->interleaved = 0;
      place_buffer(v, s);
   } else if (s->type < SURFTYPE_BUFFER) {
      place_level(v, s, v->lod);
   }
   find_users(v, s);
}

void
surface_view_make_sample(struct surface_view *v, const struct surface *s, unsigned lod,
                         unsigned sample)
{
   surface_view_make(v, s, lod);
   v->row += sample * v->slice_rows; /* SMP-476 */
   v->slice_rows *= s->samples;
   v->samples = 1;
   find_users(v, s);
}

/* ---- host memory ----------------------------------------------------------------------------- */

/* Pages of a window, before and behind where it was needed: all of most images. */
#define PAGES_BEFORE 8192u
#define PAGES_BEHIND 16384u

/* Of a window that has just been opened. */
static struct view_blocks
find_blocks(const struct surface_view *v, bool write)
{
   const struct view_window *w = &v->window[write];
   int64_t first = (int32_t)w->start, behind = first + w->limit[2];
   bool bytes = write && v->eights == VIEW_RGBA, dwords = v->red || bytes;
   unsigned capability = write ? FORMAT_TYPED_WRITE : FORMAT_TYPED_READ;
   if (!(v->users & VIEW_TYPED) || v->line || v->size_B != 4 || v->tiling != MEM_TILE_Y ||
       !dwords || !(v->format->capabilities & capability) || (write && !v->packed) || first > 0 ||
       behind < (int64_t)v->end - v->base)
      return (struct view_blocks){0};
   return (struct view_blocks){.width = v->width,
                               .height = v->height < 4 ? 0 : v->height - 3,
                               .x_B = v->x_el * v->size_B,
                               .row = v->row,
                               .pitch_B = v->pitch_B,
                               .bytes = bytes,
                               .host = w->host - first};
}

bool
surface_view_look(struct surface_view *v, struct mem_space *space, uint32_t offset, bool write)
{
   enum mem_access access = write ? MEM_WRITE : MEM_READ;
   uint32_t page = (v->base + offset) / MEM_PAGE_SIZE, first = v->base / MEM_PAGE_SIZE,
            end = (uint32_t)(((uint64_t)v->end + MEM_PAGE_SIZE - 1) / MEM_PAGE_SIZE);
   if (page < first || page >= end)
      return false;
   uint8_t *host = mem_known(space, page * MEM_PAGE_SIZE, access);
   if (!host && !(host = mem_look_up(space, page * MEM_PAGE_SIZE, access)))
      return false;
   uint32_t behind = mem_pages_beside(space, page, host, 1, uint_least(end - page, PAGES_BEHIND),
                                      access),
            before = mem_pages_beside(space, page, host, -1,
                                      uint_least(page - first, PAGES_BEFORE) + 1, access) -
                     1;
   v->window[write] = (struct view_window){.start = (page - before) * MEM_PAGE_SIZE - v->base,
                                           .limit = {0, 0, (before + behind) * MEM_PAGE_SIZE},
                                           .host = host - (size_t)before * MEM_PAGE_SIZE};
   v->blocks[write] = find_blocks(v, write);
   return true;
}
