/* Any state of depth, stencil and the colour calculator, with any pixels, on a device with a little
 * memory. The fast paths must make the same of them as the general code.
 *
 * Input: the commands and structures as they lie in memory, then groups of pixels. */
#include "stand.h"

#include "eu/fpmode.h"
#include "machine/float_bits.h"
#include "render/cc/fast.h"
#include "render/depth/depth.h"
#include "render/pixel.h"

#include <stdlib.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RAM 0x20000u
#define BASE 0x00400000u
#define HOLE 0x6000u /* a page in the middle that is not mapped */
#define GROUPS 8u

static struct pergola_device *dev;
static uint8_t *ram;

static void
make(void)
{
   struct pergola_config config = {
       .sku = "ivb-gt2", .check = PERGOLA_CHECK_REPORT, .host_threads = 1};
   dev = fuzz_stand(&config, BASE, RAM, HOLE, &ram);
}

struct choices {
   uint8_t samples, format, flags, format_high;
   uint32_t depth[7], stencil[3], clear[3], state[3], cc[6], blend[2], viewport[4];
};

static void
bind(struct depth *d, struct choices *c, unsigned samples)
{
   struct depth_source s = {0};
   if (c->flags & 1) /* inside memory, more often than chance would have it */
      c->depth[2] = BASE + (c->depth[2] & 0xf000);
   if (c->flags & 2)
      c->stencil[2] = BASE + (c->stencil[2] & 0xf000);
   gen7_3dstate_depth_buffer_unpack(&s.buffer, c->depth);
   gen7_3dstate_stencil_buffer_unpack(&s.stencil, c->stencil);
   gen7_3dstate_clear_params_unpack(&s.clear, c->clear);
   gen7_depth_stencil_state_unpack(&s.state, c->state);
   gen7_color_calc_state_unpack(&s.cc, c->cc);
   for (unsigned i = 0; i < DEPTH_VIEWPORTS; i++)
      gen7_cc_viewport_unpack(&s.viewport[i], c->viewport + 2 * (i & 1));
   depth_bind(d, &s, dev, &dev->ggtt, samples);
}

/* Twice, the second time without the fast path, from the same memory. */
static void
test_group(struct depth *d, const struct pixel_group *g, bool commit)
{
   static uint8_t before[RAM], after[RAM];
   uint32_t lit[2][DEPTH_SAMPLES];
   memcpy(lit[0], g->lit, sizeof(lit[0]));
   memcpy(lit[1], g->lit, sizeof(lit[1]));
   const struct depth_fast_functions *fast = d->fast;
   if (fast)
      memcpy(before, ram, RAM);
   depth_group(d, g, g->z, lit[0], commit);
   if (!fast)
      return;
   memcpy(after, ram, RAM);
   memcpy(ram, before, RAM);
   d->fast = NULL;
   depth_group(d, g, g->z, lit[1], commit);
   d->fast = fast;
   if (memcmp(lit[0], lit[1], sizeof(lit[0])) || memcmp(after, ram, RAM))
      abort();
}

static void
run_depth(struct fuzz_input *in, struct choices *c)
{
   static const uint8_t counts[4] = {1, 1, 4, 8};
   struct depth d;
   struct pixel_group g;
   unsigned samples = counts[c->samples & 3];
   bind(&d, c, samples);
   for (unsigned n = 0; n < GROUPS && in->left; n++) {
      fuzz_take(in, &g, sizeof(g));
      g.subspans = g.subspans % PIXEL_SUBSPANS + 1;
      g.samples = (uint8_t)samples;
      g.back_facing = g.viewport >> 7;
      for (unsigned i = 0; i < PIXEL_SUBSPANS;
           i++) { /* small more often, and never twice the same */
         g.x[i] = (uint16_t)((g.x[i] & (c->flags & 4 ? 0x3ffe : 0x1e)) + 32 * i);
         g.y[i] &= c->flags & 4 ? 0x3ffe : 0x3e;
      }
      for (unsigned s = 0; s < DEPTH_SAMPLES && g.subspans < PIXEL_SUBSPANS; s++)
         g.lit[s] &= (1u << 4 * g.subspans) - 1;
      test_group(&d, &g, c->flags & 8);
   }
   int32_t x = g.x[0] & 255, y = g.y[0] & 255;
   depth_clear(&d, x, y, x + (g.x[1] & 63), y + (g.y[1] & 63), g.layer, g.z[0][0]);
}

static void
run_color(struct fuzz_input *in, const struct choices *c)
{
   const struct format_info *f = format_get((c->format | c->format_high << 8) & 0x1ff);
   struct hw_blend_state_entry e;
   struct hw_color_calc_state s;
   struct cc_target t;
   struct surface surface;
   struct surface_view v;
   cc_mix_fn mix;
   cc_mix_row_fn row;
   uint32_t color[4][8], word[4][8] = {{0}}, element[8][4];
   if (!(f->capabilities & FORMAT_RENDER) || f->layout != FORMAT_PLAIN || f->bits > 128)
      return;
   gen7_blend_state_entry_unpack(&e, c->blend);
   gen7_color_calc_state_unpack(&s, c->cc);
   cc_resolve(&t, &e, &s, f);
   surface_null(&surface);
   surface.type = SURFTYPE_2D;
   surface.width = surface.height = 64;
   surface.pitch_B = 2048;
   surface.format = f->code;
   surface.info = f;
   surface_view_make(&v, &surface, 0);
   fuzz_take(in, color, sizeof(color));
   fuzz_take(in, element, sizeof(element));
   unsigned size = f->bits / 8u, words = (size + 3) / 4;
   for (unsigned i = 0; i < 8; i++) {
      uint32_t one[2][4] = {{color[0][i], color[1][i], color[2][i], color[3][i]}};
      for (unsigned k = 0; k < words; k++)
         memcpy(&word[k][i], &element[i][k], size < 4 ? size : 4);
      cc_element(&t, i, c->flags, (const uint32_t(*)[4])one, element[i]);
   }
   if (!cc_choose_fast(&t, &v, &mix, &row) || !mix)
      return;
   unsigned modes = fpmode_get();
   fpmode_set(FPMODE_HOST | FPMODE_FLUSH); /* as threads have them */
   mix(&t, &v, (const uint32_t(*)[8])color, 1, word);
   fpmode_set(modes);
   for (unsigned i = 0; i < 8; i++)
      for (unsigned k = 0; k < words; k++)
         if (memcmp(&word[k][i], &element[i][k], size < 4 ? size : 4))
            abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct fuzz_input in = {data, size};
   struct choices c;
   if (!dev)
      make();
   fuzz_take(&in, &c, sizeof(c));
   if (c.flags & 0x80)
      run_color(&in, &c);
   else
      run_depth(&in, &c);
   return 0;
}
