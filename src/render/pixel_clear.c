/* Fast clears of colour. A pixel of the rectangle stands for a block of the target. Targets of one
 * sample are cleared in their own memory at once: nobody else on this chip reads the control
 * surface, which is left alone (P3D-365), and a resolve has nothing to do. */
#include "render/pixel_private.h"

#include "machine/float_bits.h"
#include "surface/mcs.h"

#include <string.h>

/* Of the budget, as much as so many instructions. */
#define TILE_COST 128u
#define STORE_COST 4u

struct block {
   uint32_t width, height;
};

/* 16 of the fact sheet: 128 bytes of memory, times 8 by 16. */
static struct block
block_of(const struct surface *s)
{
   uint32_t element_B = s->info->bits / 8u;
   if (s->samples == 4)
      return (struct block){8, 2};
   if (s->samples == 8)
      return (struct block){2, 2};
   return s->tiling == MEM_TILE_Y ? (struct block){32 / element_B * 8, 4 * 16}
                                  : (struct block){64 / element_B * 8, 2 * 16};
}

/* P3D-366 */
void
pixel_clear_color(const struct surface *s, uint32_t color[4])
{
   uint32_t one = s->info->channel_class == FORMAT_CLASS_FLOAT ? float_bits(1.0f) : 1;
   for (unsigned i = 0; i < 4; i++)
      color[i] = s->clear_colour >> (3 - i) & 1 ? one : 0;
}

/* P3D-368 */
static bool
check(const struct pixel_worker *w, const struct rt_write *m)
{
   const struct surface *s = &m->surface;
   const char *why = NULL;
   unsigned bits = s->info->bits;
   if (!m->replicated)
      why = "its messages have replicated data";
   else if (s->tiling == MEM_LINEAR)
      why = "the target must be tiled";
   else if (s->samples == 1 && bits != 32 && bits != 64 && bits != 128)
      why = "elements must have 32, 64 or 128 bits";
   else if (s->samples == 1 && (s->rt_lod || (s->array && s->depth > 1) || s->type == SURFTYPE_3D))
      why = "a target of one sample has one level and one element";
   if (!why)
      return true;
   struct rule_place place = {
       .engine = "WM", .subject = "3DSTATE_PS", .field = "Fast Clear Enable"};
   rule_report(w->p->dev, PERGOLA_ERROR, "P3D-368", &place, "a fast clear: %s", why);
   return m->replicated || s->tiling != MEM_LINEAR;
}

/* A block of whole tiles is cleared by the page. */
static bool
clear_tiles(struct eu_thread *t, const struct rt_write *m, uint32_t x0, uint32_t y0,
            const struct block *b, const uint8_t element[CC_ELEMENT_B])
{
   const struct surface *s = &m->surface;
   uint32_t size = s->info->bits / 8u, tile_w = (s->tiling == MEM_TILE_Y ? 128 : 512) / size,
            tile_h = s->tiling == MEM_TILE_Y ? 32 : 8;
   uint8_t page[MEM_PAGE_SIZE];
   if (s->samples != 1 || size & (size - 1) || x0 + b->width > s->width ||
       y0 + b->height > s->height || s->x_offset || s->y_offset || s->rt_lod || s->rotation ||
       s->base % MEM_PAGE_SIZE || b->width % tile_w || b->height % tile_h || m->layer ||
       s->min_array_element)
      return false;
   for (unsigned i = 0; i < MEM_PAGE_SIZE; i += size)
      memcpy(page + i, element, size);
   eu_thread_owes(t, b->height / tile_h * (b->width / tile_w) * TILE_COST);
   for (uint32_t y = y0; y < y0 + b->height; y += tile_h)
      for (uint32_t x = x0; x < x0 + b->width; x += tile_w) {
         uint32_t address;
         if (rt_element(t, m, x, y, 0, true, &address))
            mem_write(t->env->space, address, page, sizeof(page));
      }
   return true;
}

static void
clear_block(struct eu_thread *t, const struct rt_write *m, uint32_t x0, uint32_t y0,
            const struct block *b, const uint32_t color[4])
{
   uint8_t element[CC_ELEMENT_B];
   if (m->surface.info->layout != FORMAT_PLAIN || m->surface.info->bits > 8 * CC_ELEMENT_B)
      return;
   format_pack(m->surface.info, color, element);
   if (clear_tiles(t, m, x0, y0, b, element))
      return;
   eu_thread_owes(t, b->height * b->width * m->surface.samples * STORE_COST);
   for (uint32_t y = y0; y < y0 + b->height && y < m->surface.height; y++)
      for (uint32_t x = x0; x < x0 + b->width && x < m->surface.width; x++)
         for (unsigned s = 0; s < m->surface.samples; s++)
            rt_store(t, m, x, y, s, color);
}

void
pixel_fast_clear(struct pixel_worker *w, struct eu_thread *t, struct rt_write *m)
{
   const struct surface *s = &m->surface;
   uint32_t color[4];
   if (s->type == SURFTYPE_NULL || s->info->bits < 8 || !check(w, m))
      return;
   struct block b = block_of(s);
   pixel_clear_color(s, color);
   for (unsigned i = 0; i < m->slot_count; i++) {
      uint32_t x = m->slot[i].x * b.width, y = m->slot[i].y * b.height;
      if (!m->slot[i].enabled)
         continue;
      if (mcs_present(s)) { /* P3D-364 */
         eu_thread_owes(t, b.width * b.height * STORE_COST);
         mcs_clear(t, m, x, y, x + b.width, y + b.height);
      } else
         clear_block(t, m, x, y, &b, color);
   }
}
