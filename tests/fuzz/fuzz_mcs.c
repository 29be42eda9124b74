/* Any control surface: writes and clears of a multisampled target over any bytes. Samples that are
 * not written stay what they were, those that are become their colour, whatever slices they share.
 *
 * Input: what the target is, bytes of control and slices, then writes. */
#include "stand.h"

#include "render/pixel_private.h"
#include "surface/mcs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RAM 0x20000u
#define BASE 0x00400000u
#define HOLE 0x1f000u /* a page that is not mapped */
#define WRITES 64u

static struct pergola_device *dev;
static uint8_t *ram;

static void
make(void)
{
   struct pergola_config config = {
       .sku = "ivb-gt2", .check = PERGOLA_CHECK_REPORT, .host_threads = 1};
   dev = fuzz_stand(&config, BASE, RAM, HOLE, &ram);
}

/* What the control surface says a sample is: its element; false: it cannot be read. */
static bool
sample_of(const struct rt_write *m, unsigned x, unsigned y, unsigned sample, uint8_t element[16])
{
   struct surface mcs;
   struct surface_view v;
   uint32_t at, control = 0, color[4];
   mcs_surface(&m->surface, &mcs);
   surface_view_make(&v, &mcs, 0);
   if (!surface_view_address(&v, x, y, m->layer, 0, &at) ||
       !mem_read(&dev->ggtt, at, &control, m->surface.samples == 8 ? 4 : 1))
      return false;
   memset(element, 0, 16);
   if (mcs_is_clear(m->surface.samples, control)) {
      pixel_clear_color(&m->surface, color);
      format_pack(m->surface.info, color, element);
      return true;
   }
   return surface_view_address(&m->view, x, y, m->layer,
                               mcs_slice(m->surface.samples, control, sample), &at) &&
          mem_read(&dev->ggtt, at, element, m->surface.info->bits / 8);
}

static void
one_write(struct eu_thread *t, struct rt_write *m, const struct cc_target *target,
          struct fuzz_input *in)
{
   struct {
      uint8_t x, y, samples, clear;
      uint32_t color[2][4];
   } w;
   uint8_t before[8][16], after[16], fresh[16] = {0};
   bool known[8];
   fuzz_take(in, &w, sizeof(w));
   if (w.clear >= 0xf0) {
      mcs_clear(t, m, w.x & 31, w.y & 31, (w.x & 31) + 8, (w.y & 31) + 2);
      return;
   }
   struct rt_slot slot = {.x = w.x & 31, .y = w.y & 31, .enabled = true};
   memcpy(slot.color, w.color, sizeof(slot.color));
   if (slot.x >= m->view.width || slot.y >= m->view.height) {
      mcs_write(t, m, target, &slot, w.samples);
      return;
   }
   for (unsigned s = 0; s < m->surface.samples; s++)
      known[s] = sample_of(m, slot.x, slot.y, s, before[s]);
   mcs_write(t, m, target, &slot, w.samples);
   cc_element(target, slot.x, slot.y, slot.color, fresh);
   for (unsigned s = 0; s < m->surface.samples; s++)
      if (known[s] && sample_of(m, slot.x, slot.y, s, after) &&
          memcmp(after, w.samples >> s & 1 ? fresh : before[s], target->element_B))
         abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static const uint16_t formats[8] = {
       GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM,     GEN7_SURFACE_FORMAT_R32G32B32A32_UINT,
       GEN7_SURFACE_FORMAT_R16G16B16A16_FLOAT, GEN7_SURFACE_FORMAT_R8_UNORM,
       GEN7_SURFACE_FORMAT_B5G6R5_UNORM,       GEN7_SURFACE_FORMAT_R32_FLOAT,
       GEN7_SURFACE_FORMAT_R16G16_UNORM,       GEN7_SURFACE_FORMAT_B8G8R8A8_UNORM_SRGB};
   struct fuzz_input in = {data, size};
   struct {
      uint8_t format, samples, width, height, clear, place, pitch, rest;
   } c;
   static struct eu_thread t;
   struct eu_env env = {0};
   struct sf_message message = {0};
   struct rt_write m = {.message = &message};
   struct surface *s = &m.surface;
   struct cc_target target;
   if (!dev)
      make();
   fuzz_take(&in, &c, sizeof(c));
   env.dev = dev;
   env.space = &dev->ggtt;
   t.env = &env;
   surface_null(s);
   s->type = SURFTYPE_2D;
   s->format = formats[c.format & 7];
   s->info = format_get(s->format);
   s->samples = c.samples & 1 ? 8 : 4;
   s->width = (c.width & 31) + 1;
   s->height = (uint16_t)(c.height % 28 + 1); /* eight slices end before the control */
   s->depth = 1;
   s->tiling = MEM_TILE_Y;
   s->pitch_B = 512;
   s->valign = 4;
   s->lod0_spacing = 1;
   s->qpitch = surface_qpitch(s);
   s->base = BASE;
   s->clear_colour = c.clear & 15;
   s->mcs_base = BASE + 0x1e000;
   s->mcs_pitch_tiles = (c.pitch & 1) + 1u;
   surface_view_make(&m.view, s, 0);
   /* Control at its place; slices from what is left, again and again. */
   fuzz_take(&in, ram + 0x1e000, 4096);
   for (uint32_t i = 0; i < 0x1e000; i++)
      ram[i] = (uint8_t)(i * 7 + (i >> 8) + c.rest);
   cc_resolve(&target, &(struct hw_blend_state_entry){0}, &(struct hw_color_calc_state){0},
              s->info);
   for (unsigned n = 0; n < WRITES && in.left; n++)
      one_write(&t, &m, &target, &in);
   return 0;
}
