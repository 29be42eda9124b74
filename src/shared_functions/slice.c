/* Which surfaces have short ways for ld and render target writes, and where they lie. */
#include "shared_functions/slice.h"

#include "shared_functions/quick.h"
#include "surface/format.h"

#include <string.h>

/* Pages of a window, before and behind where it was needed: a row of tiles of most images. */
#define PAGES_BEFORE 128u
#define PAGES_BEHIND 256u

/* What the short ways make of it. False: it can not be fetched by one. */
static bool
describe_channel(const struct format_info *f, unsigned i, struct sf_channel *out)
{
   static const uint8_t kinds[] = {[CHANNEL_UNORM] = SF_CHANNEL_UNORM,
                                   [CHANNEL_UINT] = SF_CHANNEL_UINT,
                                   [CHANNEL_SINT] = SF_CHANNEL_SINT,
                                   [CHANNEL_FIXED] = 0};
   const struct format_channel *c = &f->channel[i];
   *out = (struct sf_channel){.word = c->start / 32, .shift = c->start % 32, .bits = c->bits};
   if (c->type == CHANNEL_UNORM && c->bits <= 16) {
      out->most = (float)((1u << c->bits) - 1);
      out->by = 1 / out->most;
   }
   if (c->type == CHANNEL_NONE) {
      out->absent = i < 3                                    ? 0
                    : f->channel_class == FORMAT_CLASS_FLOAT ? 0x3f800000u
                                                             : 1; /* SMP-118 */
      return true;
   }
   bool whole = c->bits == 32 &&
                (c->type == CHANNEL_UINT || c->type == CHANNEL_SINT || c->type == CHANNEL_FLOAT);
   out->kind = whole ? SF_CHANNEL_BITS : kinds[c->type];
   return out->kind && (out->kind != SF_CHANNEL_UNORM || out->bits <= 16);
}

/* Can it be written? */
static bool
packed_channel(const struct format_channel *c)
{
   bool norm = c->type == CHANNEL_UNORM || c->type == CHANNEL_SNORM;
   return c->type <= CHANNEL_FLOAT && (!norm || c->bits <= 16);
}

static bool
elements_of(struct sf_slice *m, const struct format_info *f, enum sf_slice_use use)
{
   unsigned bytes = f->bits / 8u;
   if (f->layout != FORMAT_PLAIN || f->srgb || f->bits % 8 || bytes > 16 || !bytes ||
       bytes & (bytes - 1))
      return false;
   m->element_log2 = (uint8_t)__builtin_ctz(bytes);
   m->format = f;
   m->whole = true;
   for (unsigned i = 0; i < 4; i++) {
      const struct format_channel *c = &f->channel[i];
      bool fetched = describe_channel(f, i, &m->channel[i]);
      if (c->start % 32 + c->bits > 32 || !(use == SF_SLICE_TARGET ? packed_channel(c) : fetched))
         return false;
      m->converts |= c->type == CHANNEL_UNORM;
      m->whole &= 4 * i < bytes ? c->bits == 32 && c->start == 32 * i && c->type != CHANNEL_UNORM
                                : c->type == CHANNEL_NONE;
   }
   return true;
}

/* SMP-266: the array element or z that is fetched from. */
static bool
fetched_slice(const struct surface *s, const struct surface_extent *e, uint32_t *slice)
{
   if (s->type != SURFTYPE_3D && !s->array)
      *slice = 0;
   return *slice < e->depth;
}

/* DP-381, DP-382, DP-421: outside the view the first element is written. */
static bool
target_slice(const struct surface *s, const struct surface_extent *e, uint32_t *slice)
{
   bool layers = s->type == SURFTYPE_3D || s->array;
   if (!layers || (s->view_extent && *slice >= s->view_extent) || *slice >= s->depth)
      *slice = 0;
   if (s->type == SURFTYPE_3D)
      *slice += s->min_array_element;
   return s->type != SURFTYPE_3D || *slice < e->depth;
}

/* Where the elements lie. */
static bool
place_of(struct sf_slice *m, const struct surface *s, const struct surface_extent *e, unsigned lod,
         uint32_t slice)
{
   uint32_t x;
   uint64_t row;
   surface_level_position(s, lod, slice + (s->type == SURFTYPE_3D ? 0 : s->min_array_element), &x,
                          &row);
   uint64_t row_B = ((uint64_t)x + s->x_offset + e->width) << m->element_log2;
   uint64_t end = sf_texels_end(s, row_B - 1, row + s->y_offset + e->height - 1);
   if (end > INT32_MAX || row_B > s->pitch_B) /* rows do not leave their tiles */
      return false;
   m->base = s->base;
   m->end = (uint32_t)end;
   m->pitch_B = s->pitch_B;
   m->x_el = x + s->x_offset;
   m->row = (uint32_t)row + s->y_offset;
   m->tiling = s->tiling;
   m->width = e->width;
   m->height = e->height;
   return true;
}

/* False: a surface that the short ways do not know, or of which a message would have something to
 * say. */
static bool
resolve(struct sf_slice *m, const struct surface *s, enum sf_slice_use use)
{
   bool target = use == SF_SLICE_TARGET;
   unsigned lod = target ? s->rt_lod : s->min_lod;
   uint32_t slice = m->slice;
   if ((s->type != SURFTYPE_2D && s->type != SURFTYPE_3D) || s->samples != 1 || s->vls ||
       s->rules || lod > 14 || s->tiling > MEM_TILE_Y ||
       (target && (s->rotation || !(s->info->capabilities & FORMAT_RENDER))))
      return false;
   struct surface_extent e = surface_level_size(s, lod);
   return elements_of(m, s->info, use) && (target ? target_slice : fetched_slice)(s, &e, &slice) &&
          place_of(m, s, &e, lod, slice);
}

struct sf_slice *
sf_slice_find(const struct eu_thread *t, enum sf_slice_use use, unsigned bti, uint32_t slice)
{
   struct sf_buffers *b = t->buffers;
   struct surface s;
   if (!b)
      return NULL;
   struct sf_slice *m = &b->slices[use][bti % SF_SLICES];
   sf_buffers_turn(b, t);
   if (!sf_surface_read(t, bti, &s))
      return NULL;
   *m = (struct sf_slice){.known = true, .bti = (uint8_t)bti, .slice = slice};
   return resolve(m, &s, use) ? m : NULL;
}

/* Host address of a page of the image, which is translated if it can be; else NULL, and nothing is
 * said. */
static uint8_t *
page_of(const struct sf_slice *m, struct mem_space *space, uint64_t page, enum mem_access access)
{
   if (page + MEM_PAGE_SIZE <= m->base || page >= m->end)
      return NULL;
   void *host = mem_known(space, (uint32_t)page, access);
   return host ? host : mem_look_up(space, (uint32_t)page, access);
}

bool
sf_slice_look(struct sf_slice *m, struct mem_space *space, uint32_t address, bool write)
{
   enum mem_access access = write ? MEM_WRITE : MEM_READ;
   uint32_t first = address & ~(MEM_PAGE_SIZE - 1);
   uint8_t *host = page_of(m, space, first, access);
   if (!host)
      return false;
   uint64_t end = (uint64_t)first + MEM_PAGE_SIZE;
   for (unsigned i = 1; i < PAGES_BEHIND && page_of(m, space, end, access) == host + (end - first);
        i++)
      end += MEM_PAGE_SIZE;
   for (unsigned i = 0; i < PAGES_BEFORE && first &&
                        page_of(m, space, first - MEM_PAGE_SIZE, access) == host - MEM_PAGE_SIZE;
        i++) {
      first -= MEM_PAGE_SIZE;
      host -= MEM_PAGE_SIZE;
   }
   m->start = first;
   m->limit = (uint32_t)(end - first) - (1u << m->element_log2) + 1;
   m->host = host;
   return true;
}

void
sf_slices_forget(struct sf_buffers *b)
{
   for (unsigned use = 0; use < 2; use++)
      for (unsigned i = 0; i < SF_SLICES; i++)
         b->slices[use][i].limit = 0;
}
