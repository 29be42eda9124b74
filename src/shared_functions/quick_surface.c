/* Surfaces as the short ways see them, and windows of their pages. */
#include "shared_functions/quick.h"

#include "shared_functions/dataport/dataport.h"

#include <string.h>

/* ---- windows -----------------------------------------------------------------------------------
 */

void
sf_windows_forget(struct sf_buffers *b)
{
   for (unsigned w = 0; w < 4; w++)
      for (uint64_t left = b->known[w]; left; left &= left - 1)
         memset(b->window[64 * w + (unsigned)__builtin_ctzll(left)], 0, sizeof(b->window[0]));
   sf_slices_forget(b);
}

#define ROW_PAGES 32u
#define IMAGE_PAGES                                                                                \
   64u /* each way: a row of tiles above or below lies inside, unless the image is wide */

static uint32_t
limit(uint32_t size, uint32_t row)
{
   return size < row ? 0 : size - row + 1;
}

/* The end of the pages behind `end` that go on where the byte before it lies; `host` stands for
 * `first`. */
static uint64_t
side_by_side(const struct mem_space *space, uint32_t first, const uint8_t *host, uint64_t end,
             uint64_t behind, enum mem_access access)
{
   for (; end < behind; end += MEM_PAGE_SIZE)
      if (mem_known(space, (uint32_t)end, access) != host + (end - first))
         break;
   return end;
}

void
sf_window_row(struct sf_buffers *b, unsigned bti, uint32_t offset, enum mem_access access)
{
   const struct sf_buffer *buffer = &b->buffer[bti];
   if (offset >= buffer->size)
      return;
   uint32_t page = (buffer->base + offset) & ~(MEM_PAGE_SIZE - 1);
   uint32_t first = page > buffer->base ? page : buffer->base;
   uint8_t *host = mem_known(b->space, first, access);
   if (!host)
      return;
   uint64_t behind = (uint64_t)buffer->base + buffer->size,
            enough = (uint64_t)page + ROW_PAGES * MEM_PAGE_SIZE;
   uint64_t end = side_by_side(b->space, first, host, (uint64_t)page + MEM_PAGE_SIZE,
                               behind < enough ? behind : enough, access);
   uint32_t size = (uint32_t)((end < behind ? end : behind) - first);
   b->window[bti][access == MEM_WRITE] = (struct sf_window){
       .start = first - buffer->base, .limit = {limit(size, 32), limit(size, 64), 0}, .host = host};
}

/* Rows of an image lie before each other as often as behind. */
void
sf_window_image(struct sf_buffers *b, unsigned bti, uint32_t offset, enum mem_access access)
{
   uint32_t base = b->image[bti].base, first = (base + offset) & ~(MEM_PAGE_SIZE - 1);
   uint8_t *host = mem_known(b->space, first, access);
   if (!host)
      return;
   uint64_t end = (uint64_t)first + MEM_PAGE_SIZE;
   end = side_by_side(b->space, first, host, end, end + IMAGE_PAGES * MEM_PAGE_SIZE, access);
   for (unsigned i = 0; i < IMAGE_PAGES && first >= MEM_PAGE_SIZE;
        i++, first -= MEM_PAGE_SIZE, host -= MEM_PAGE_SIZE)
      if (mem_known(b->space, first - MEM_PAGE_SIZE, access) != host - MEM_PAGE_SIZE)
         break;
   b->window[bti][access == MEM_WRITE] = (struct sf_window){
       .start = first - base, .limit = {0, 0, (uint32_t)(end - first)}, .host = host};
}

/* ---- surfaces ----------------------------------------------------------------------------------
 */

bool
sf_surface_read(const struct eu_thread *t, unsigned bti, struct surface *s)
{
   const struct eu_env *env = t->env;
   uint32_t entry, at = env->surface_state_base + t->binding_table + 4 * bti;
   const void *host = mem_known(env->space, at, MEM_READ);
   if (!host)
      return false;
   memcpy(&entry, host, 4);
   if (entry & 31)
      return false;
   struct surface_cache *c = env->dev->surfaces;
   uint32_t state = env->surface_state_base + entry;
   uint32_t generation = __atomic_load_n(&c->generation, __ATOMIC_ACQUIRE);
   return surface_slot_read(surface_slot_of(c, env->space, state), env->space, state, generation,
                            SURFACE_WORDS, (uint64_t *)(void *)s);
}

static struct sf_buffer
as_buffer(const struct surface *s)
{
   if (s->type != SURFTYPE_BUFFER || s->tiling != MEM_LINEAR)
      return (struct sf_buffer){0};
   bool raw = s->format == GEN7_SURFACE_FORMAT_RAW;
   struct dp_range r = dp_buffer_range(s->base, s->entries, raw ? 1 : 16);
   uint32_t size = r.size < INT32_MAX ? (uint32_t)r.size : 0;
   return (struct sf_buffer){.base = r.base,
                             .size = raw && !s->rules && s->base % 4 == 0 ? size : 0,
                             .block_size = s->base % 16 == 0 ? size : 0};
}

/* Where a level, its rows and its slices begin. Slices of a 3D level below the first lie side by
 * side: long way. */
static void
place_level(const struct surface *s, struct sf_image *m)
{
   struct surface_extent e = surface_level_size(s, s->min_lod);
   uint32_t slice = s->type == SURFTYPE_3D ? 0 : s->min_array_element, x, next_x;
   uint64_t y, next_y;
   surface_level_position(s, s->min_lod, slice, &x, &y);
   surface_level_position(s, s->min_lod, slice + 1, &next_x, &next_y);
   bool slices = s->type == SURFTYPE_3D || s->array;
   if ((slices && next_x != x) || next_y >= INT32_MAX)
      return;
   m->last[0] = e.width - 1;
   m->last[1] = e.height - 1;
   m->last[2] = slices ? e.depth - 1 : UINT32_MAX;
   m->step_B = s->info->bits / 8;
   m->x_B = (x + s->x_offset) * m->step_B;
   m->row = (uint32_t)y + s->y_offset;
   m->slice = slices ? (uint32_t)(next_y - y) : 0;
   m->size_B = (uint8_t)m->step_B;
}

uint64_t
sf_texels_end(const struct surface *s, uint64_t x_B, uint64_t row)
{
   static const struct {
      uint32_t x_B, row;
   } tile[] = {[MEM_LINEAR] = {0, 0}, [MEM_TILE_X] = {511, 7}, [MEM_TILE_Y] = {127, 31}};
   if (x_B > INT32_MAX || row > INT32_MAX)
      return UINT64_MAX;
   return s->base + 1 +
          mem_tile_offset(s->tiling, (uint32_t)x_B | tile[s->tiling].x_B,
                          (uint32_t)row | tile[s->tiling].row, s->pitch_B);
}

static uint64_t
end_of(const struct surface *s, const struct sf_image *m)
{
   uint64_t x_B = m->x_B + (uint64_t)m->last[0] * m->step_B + m->size_B - 1;
   uint64_t row = m->row + (uint64_t)(m->line ? 0 : m->last[1]) +
                  (m->slice ? (uint64_t)m->last[2] * m->slice : 0);
   return sf_texels_end(s, x_B, row);
}

/* What the short ways make of the format. */
static void
choose_conversion(struct sf_image *m)
{
   const struct format_channel *c = m->format->channel;
   unsigned present = 0;
   for (unsigned i = 0; i < 4; i++)
      present |= (c[i].type != CHANNEL_NONE) << i;
   bool as_it_is = c[0].type == CHANNEL_UINT ||
                   (c[0].bits == 32 && (c[0].type == CHANNEL_SINT || c[0].type == CHANNEL_FLOAT));
   m->red = present == 1 && m->size_B <= 4 && c[0].bits == 8 * m->size_B && as_it_is;
   m->packed =
       m->format->capabilities & FORMAT_TYPED_WRITE && !m->format->srgb ? (uint8_t)present : 0;
}

/* Everything that messages would name of such a surface is left to them. */
static struct sf_image
as_image(const struct surface *s)
{
   static const struct sf_image none;
   unsigned size_B = s->info->bits / 8u;
   struct sf_image m = {
       .base = s->base, .tiling = s->tiling, .format = s->info, .pitch_B = s->pitch_B};
   m.line = s->type == SURFTYPE_BUFFER || s->type == SURFTYPE_1D;
   if (s->type > SURFTYPE_BUFFER || s->type == SURFTYPE_CUBE || s->rules || s->rotation || s->vls ||
       s->samples != 1 || s->info->layout != FORMAT_PLAIN || !size_B || size_B > 16 ||
       size_B & (size_B - 1) || s->tiling > MEM_TILE_Y || s->min_lod > 14)
      return none;
   if (s->type == SURFTYPE_BUFFER) {
      m.last[0] = s->entries - 1;
      m.last[2] = UINT32_MAX;
      m.step_B = s->pitch_B;
      m.size_B = (uint8_t)size_B;
   } else {
      place_level(s, &m);
   }
   if (!m.size_B || (s->base | s->pitch_B) % m.size_B || end_of(s, &m) > INT32_MAX)
      return none;
   choose_conversion(&m);
   return m;
}

void
sf_buffers_turn(struct sf_buffers *b, const struct eu_thread *t)
{
   if (sf_buffers_good(b, t))
      return;
   sf_windows_forget(b);
   memset(b->known, 0, sizeof(b->known));
   for (unsigned i = 0; i < 2 * SF_SLICES; i++)
      b->slices[i % 2][i / 2].known = false;
   b->generation = __atomic_load_n(&t->env->dev->surfaces->generation, __ATOMIC_ACQUIRE);
   b->table = t->env->surface_state_base + t->binding_table;
   b->space = t->env->space;
}

struct sf_surface
sf_surface_find(const struct eu_thread *t, unsigned bti)
{
   struct sf_buffers *c = t->buffers;
   struct surface s;
   if (c)
      sf_buffers_turn(c, t);
   if (!sf_surface_read(t, bti, &s))
      return (struct sf_surface){0};
   struct sf_surface found = {as_buffer(&s), as_image(&s)};
   if (!c || !(found.buffer.size | found.buffer.block_size | found.image.size_B))
      return found;
   c->known[bti / 64] |= UINT64_C(1) << bti % 64;
   memset(c->window[bti], 0, sizeof(c->window[bti]));
   c->buffer[bti] = found.buffer;
   c->image[bti] = found.image;
   return found;
}
