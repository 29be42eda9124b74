/* The pixel back end: its state, the tests before the shader, what comes out of it. */
#include "render/pixel.h"

#include "cs/cs.h"
#include "eu/tally.h"
#include "machine/float_bits.h"
#include "machine/host.h"
#include "render/compare.h"
#include "render/pixel_private.h"

#include <string.h>

/* ---- state ---------------------------------------------------------------------------------- */

static const uint32_t *
command(const struct pergola_device *dev, unsigned id)
{
   static const uint32_t zeros[16];
   uint32_t count;
   const uint32_t *dw = cs_state_command(dev, id, &count);
   return dw ? dw : zeros;
}

/* A state that lies in memory, or zeros. P3D-001: read when the primitive comes. */
static void
read_state(const struct eu_env *env, uint32_t offset, uint32_t *dw, unsigned count)
{
   memset(dw, 0, count * 4);
   mem_read(env->space, env->dynamic_state_base + offset, dw, count * 4);
}

static void
read_depth(struct depth_source *in, const struct pergola_device *dev, const struct eu_env *env)
{
   struct hw_3dstate_depth_stencil_state_pointers ds;
   struct hw_3dstate_viewport_state_pointers_cc viewports;
   uint32_t dw[2 * DEPTH_VIEWPORTS];
   gen7_3dstate_depth_buffer_unpack(&in->buffer, command(dev, GEN7_3DSTATE_DEPTH_BUFFER_ID));
   gen7_3dstate_stencil_buffer_unpack(&in->stencil, command(dev, GEN7_3DSTATE_STENCIL_BUFFER_ID));
   gen7_3dstate_clear_params_unpack(&in->clear, command(dev, GEN7_3DSTATE_CLEAR_PARAMS_ID));
   gen7_3dstate_depth_stencil_state_pointers_unpack(
       &ds, command(dev, GEN7_3DSTATE_DEPTH_STENCIL_STATE_POINTERS_ID));
   gen7_3dstate_viewport_state_pointers_cc_unpack(
       &viewports, command(dev, GEN7_3DSTATE_VIEWPORT_STATE_POINTERS_CC_ID));
   read_state(env, ds.pointer_to_depth_stencil_state, dw, 3);
   gen7_depth_stencil_state_unpack(&in->state, dw);
   read_state(env, viewports.cc_viewport_pointer, dw, 2 * DEPTH_VIEWPORTS);
   for (unsigned i = 0; i < DEPTH_VIEWPORTS; i++)
      gen7_cc_viewport_unpack(&in->viewport[i], dw + 2 * i);
}

static void
read_color(struct pixel *p, const struct pergola_device *dev, const struct eu_env *env)
{
   struct hw_3dstate_cc_state_pointers cc;
   struct hw_3dstate_blend_state_pointers blend;
   uint32_t dw[2 * CC_TARGETS];
   gen7_3dstate_cc_state_pointers_unpack(&cc, command(dev, GEN7_3DSTATE_CC_STATE_POINTERS_ID));
   gen7_3dstate_blend_state_pointers_unpack(&blend,
                                            command(dev, GEN7_3DSTATE_BLEND_STATE_POINTERS_ID));
   read_state(env, cc.color_calc_state_pointer, dw, 6);
   gen7_color_calc_state_unpack(&p->cc, dw);
   read_state(env, blend.blend_state_pointer, dw, 2 * CC_TARGETS);
   for (unsigned i = 0; i < CC_TARGETS; i++) {
      gen7_blend_state_entry_unpack(&p->blend[i], dw + 2 * i);
      cc_resolve_alpha(&p->alpha[i], &p->blend[i], &p->cc);
   }
}

/* May a pixel that fails now be left out although others of the draw have yet to write? Only if
 * what they write cannot make it pass, and its failing writes nothing. */
static bool
fails_for_good(const struct depth *d)
{
   bool one_way = d->function == COMPARE_NEVER || d->function == COMPARE_LESS ||
                  d->function == COMPARE_LEQUAL || d->function == COMPARE_GREATER ||
                  d->function == COMPARE_GEQUAL;
   return !d->stencil_write && (d->test || d->stencil) && (!d->test || !d->write || one_way);
}

/* 13.3 of the fact sheet. Testing late is right wherever testing early is not asked for: early
 * tests are for speed. */
static enum pixel_when
choose_when(const struct pixel *p, const struct hw_3dstate_wm *wm, const struct hw_3dstate_ps *ps)
{
   bool may_kill = wm->pixel_shader_kills_pixel || ps->omask_present_to_rendertarget ||
                   p->alpha[0].test || p->alpha[0].to_coverage;
   if (!p->dispatch ||
       wm->early_depth_stencil_control ==
           GEN7_3DSTATE_WM_EARLY_DEPTH_STENCIL_CONTROL_EDSC_PREPS) /* P3D-285, P3D-289 */
      return PIXEL_BEFORE;
   if (wm->early_depth_stencil_control == GEN7_3DSTATE_WM_EARLY_DEPTH_STENCIL_CONTROL_EDSC_PSEXEC ||
       p->computed) /* P3D-288, P3D-308 */
      return PIXEL_AFTER;
   if (!may_kill) /* P3D-290 */
      return PIXEL_BEFORE;
   return fails_for_good(&p->depth) ? PIXEL_BOTH : PIXEL_AFTER;
}

void
pixel_bind(struct pixel *p, struct pergola_device *dev, const struct eu_env *env,
           const struct hw_3dstate_wm *wm, const struct hw_3dstate_ps *ps, unsigned samples)
{
   struct depth_source in;
   memset(p, 0, sizeof(*p));
   p->dev = dev;
   p->samples = (uint8_t)samples;
   p->per_sample = wm->multisample_dispatch_mode ==
                   GEN7_3DSTATE_WM_MULTISAMPLE_DISPATCH_MODE_MSDISPMODE_PERSAMPLE;
   read_color(p, dev, env);
   read_depth(&in, dev, env);
   in.cc = p->cc;
   depth_bind(&p->depth, &in, dev, env->space, samples);
   p->clear_depth = wm->depth_buffer_clear;
   p->resolve_depth =
       wm->depth_buffer_resolve_enable || wm->hierarchical_depth_buffer_resolve_enable;
   p->whole = p->clear_depth || p->resolve_depth;
   p->fast_clear = ps->render_target_fast_clear_enable;
   p->resolve = ps->render_target_resolve_enable;
   p->dispatch = wm->thread_dispatch_enable && !p->whole;
   p->computed = (uint8_t)wm->pixel_shader_computed_depth_mode;
   p->count = wm->statistics_enable && !p->whole; /* P3D-292, P3D-312 */
   p->oa = eu_counts(dev->eu) && !p->whole;
   p->when = (uint8_t)choose_when(p, wm, ps);
   const struct depth *d = &p->depth;
   p->tests = d->test || d->write || d->stencil;
   p->early = !p->whole && p->when != PIXEL_AFTER && (p->tests || p->count);
   p->needs_z = !p->whole && (d->test || d->write);
   if (!p->dispatch)
      p->early = !p->whole;
   /* Blocks that are left out are not counted. */
   p->blocks = p->early && p->tests && p->when == PIXEL_BEFORE && samples == 1 && !p->oa;
   pixel_check_rectangles(p, wm);
   pixel_check_unmodelled(p);
}

void
pixel_worker_begin(struct pixel_worker *w, const struct pixel *p)
{
   w->p = p;
   for (unsigned i = 0; i < CC_TARGETS; i++)
      w->target[i].format = w->fast[i].known = NULL;
   memset(w->survived, 0, sizeof(w->survived));
   memset(&w->oa, 0, sizeof(w->oa));
}

void
pixel_worker_end(struct pixel_worker *w)
{
   if (w->passed) /* P3D-292 */
      __atomic_fetch_add((uint64_t *)(void *)&w->p->dev->mmio[REG_PS_DEPTH_COUNT / 4], w->passed,
                         __ATOMIC_RELAXED);
   w->passed = 0;
   if (w->p->oa)
      pixel_oa_leave(w);
}

void
pixel_backend_bind(struct pixel_backend *b, struct pixel_worker *w)
{
   b->pixels_data = w;
   b->pixels = pixel_write;
   b->mix = pixel_mix;
   b->samples = w->p->samples;
   b->per_sample = w->p->per_sample && w->p->samples > 1;
}

/* ---- before the shader ---------------------------------------------------------------------- */

void
pixel_count(struct pixel_worker *w, const uint32_t *lit)
{
   for (unsigned s = 0; s < w->p->samples && w->p->count; s++)
      w->passed += !lit[s] ? 0 : lit[s] == 0xffff ? 16 : (unsigned)__builtin_popcount(lit[s]);
}

uint32_t
pixel_early(struct pixel_worker *w)
{
   const struct pixel *p = w->p;
   struct pixel_group *g = &w->group;
   bool all = p->when == PIXEL_BEFORE;
   uint32_t before[DEPTH_SAMPLES];
   if (__builtin_expect(p->oa, 0))
      memcpy(before, g->lit, sizeof(before));
   depth_group(&p->depth, g, (const float(*)[32])g->z, g->lit, all);
   if (all)
      pixel_count(w, g->lit);
   if (__builtin_expect(p->oa, 0) && p->tests)
      pixel_oa_early(w, before);
   return p->dispatch ? any_sample(g->lit, g->samples) : 0;
}

/* Two rows of a block. */
static uint32_t
test_rows(const struct depth *d, const struct pixel_group *object, int32_t x, int32_t y,
          const float z[16], uint32_t lit)
{
   struct pixel_group g;
   g.subspans = 4;
   g.samples = 1;
   g.back_facing = object->back_facing;
   g.viewport = object->viewport;
   g.layer = object->layer;
   for (unsigned i = 0; i < 4; i++) {
      g.x[i] = (uint16_t)(x + 2 * (int32_t)i);
      g.y[i] = (uint16_t)y;
   }
   memcpy(g.z[0], z, 16 * sizeof(float));
   depth_group(d, &g, (const float(*)[32])g.z, &lit, true);
   return lit;
}

uint64_t
pixel_early_block(struct pixel_worker *w, int32_t x, int32_t y, const float (*z)[16], uint64_t lit)
{
   const struct pixel *p = w->p;
   const struct depth *d = &p->depth;
   if (!d->fast || !d->fast->block(d, &w->group, x, y, z, &lit, true)) {
      uint64_t passed = 0;
      for (unsigned i = 0; i < 4; i++)
         if (lit >> 16 * i & 0xffff)
            passed |= (uint64_t)test_rows(&p->depth, &w->group, x, y + 2 * (int32_t)i, z[i],
                                          (uint32_t)(lit >> 16 * i & 0xffff))
                      << 16 * i;
      lit = passed;
   }
   w->passed += p->count ? (unsigned)__builtin_popcountll(lit) : 0;
   return p->dispatch ? lit : 0;
}

void
pixel_rectangle(const struct pixel *p, int32_t x0, int32_t y0, int32_t x1, int32_t y1, float z,
                uint32_t layer)
{
   pixel_check_place(p, x0, y0, x1, y1);
   if (p->clear_depth) /* P3D-312: resolves have nothing to do */
      depth_clear(&p->depth, x0, y0, x1, y1, layer, z);
}
