/* Render target write: the payload forms, and the plain write of a colour. */
#include "rules/plural.h"
#include "shared_functions/dataport/dataport.h"
#include "machine/float_bits.h"
#include "shared_functions/pixel_backend.h"
#include "surface/hazard.h"

enum {
   ROTATE_90 = GEN7_RENDER_SURFACE_STATE_RENDER_TARGET_ROTATION_90_DEGREES,
   ROTATE_RESERVED,
   ROTATE_270 = GEN7_RENDER_SURFACE_STATE_RENDER_TARGET_ROTATION_270_DEGREES,
};

static bool
is_simd16(unsigned type)
{
   return type == RT_SIMD16 || type == RT_REPDATA;
}

/* DP-362, DP-366, DP-368 and the rows between: four slots are the four pixels of a subspan. */
struct rt_slot_place
rt_slot_place(unsigned simd, unsigned samples, unsigned sample_pair, unsigned slot)
{
   unsigned quad = slot / 4, per_message = simd / 4; /* quads that a message of this width has */
   struct rt_slot_place p = {.pixel = slot % 4};
   if (samples <= per_message) {
      p.subspan = (uint8_t)(quad / samples);
      p.sample = (uint8_t)(quad % samples);
   } else { /* a part of the samples of one subspan: SSPI says which */
      p.sample = (uint8_t)(2 * sample_pair + quad);
   }
   return p;
}

/* Bits that the register counts of DP-465 are made of. */
struct form {
   unsigned alpha, omask, color, depth, total; /* first register of each part after the header */
   unsigned width;                             /* registers that one value of all slots takes */
};

/* DP-323 to DP-348: source 0 alpha, oMask, colours, depth, each only when present. */
static struct form
payload_form(const struct rt_write *w)
{
   struct form f = {.width = w->type == RT_SIMD16 ? 2 : 1};
   unsigned at = 0;
   f.alpha = at;
   at += w->has_source0_alpha ? f.width : 0;
   f.omask = at;
   at += w->has_omask;
   f.color = at;
   at += w->replicated ? 1 : (w->dual_source ? 8 : 4 * f.width);
   f.depth = at;
   at += w->has_depth ? f.width : 0;
   f.total = at;
   return f;
}

static void
read_slot(struct dp *d, const struct rt_write *w, const struct form *f, unsigned i,
          struct rt_slot *s)
{
   unsigned group = i / 8, lane = i % 8; /* DP-321: slots 7:0 first */
   unsigned slot16 = w->first_slot + i;
   if (w->replicated) {
      for (unsigned c = 0; c < 4; c++)
         s->color[0][c] = dp_in(d, f->color)[c]; /* DP-392 */
   } else {
      for (unsigned c = 0; c < 4; c++)
         s->color[0][c] = dp_in(d, f->color + c * f->width + group)[lane]; /* DP-389, DP-391 */
   }
   for (unsigned c = 0; c < 4 && w->dual_source; c++)
      s->color[1][c] = dp_in(d, f->color + 4 + c)[lane]; /* DP-394 */
   s->omask = 0xffff;
   if (w->has_omask) { /* DP-386, DP-388: the register always has 16 slots */
      uint32_t pair = dp_in(d, f->omask)[slot16 / 2];
      s->omask = (uint16_t)(slot16 & 1 ? pair >> 16 : pair);
   }
   if (w->has_source0_alpha) /* DP-385 */
      s->source0_alpha = bits_float(dp_in(d, f->alpha + group)[lane]);
   if (w->has_depth) /* DP-395 */
      s->depth = bits_float(dp_in(d, f->depth + group)[lane]);
}

/* SMP-365: what keeps a target from being rotated; NULL: nothing. */
static const char *
rotation_problem(const struct surface *s)
{
   static const uint16_t formats[] = {
       GEN7_SURFACE_FORMAT_B5G6R5_UNORM,           GEN7_SURFACE_FORMAT_B5G6R5_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM,         GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_R8G8B8X8_UNORM,         GEN7_SURFACE_FORMAT_R8G8B8X8_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_B8G8R8A8_UNORM,         GEN7_SURFACE_FORMAT_B8G8R8A8_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_B8G8R8X8_UNORM,         GEN7_SURFACE_FORMAT_B8G8R8X8_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_B10G10R10A2_UNORM,      GEN7_SURFACE_FORMAT_B10G10R10A2_UNORM_SRGB,
       GEN7_SURFACE_FORMAT_B10G10R10X2_UNORM,      GEN7_SURFACE_FORMAT_R10G10B10A2_UNORM,
       GEN7_SURFACE_FORMAT_R10G10B10A2_UNORM_SRGB, GEN7_SURFACE_FORMAT_R16G16B16A16_FLOAT,
       GEN7_SURFACE_FORMAT_R16G16B16X16_FLOAT};
   unsigned i = 0, count = sizeof(formats) / sizeof(formats[0]);
   while (i < count && formats[i] != s->format)
      i++;
   if (s->rotation == ROTATE_RESERVED)
      return "the value is reserved";
   if (i == count)
      return "the format cannot be rotated";
   if (s->type != SURFTYPE_2D || s->array || s->min_array_element || s->rt_lod || s->samples > 1)
      return "only a plain 2D surface can be rotated";
   if (s->tiling != MEM_TILE_X)
      return "only a surface in X tiles can be rotated";
   if (s->x_offset || s->y_offset)
      return "a rotated surface has no X or Y offset";
   if (s->width % 2 || s->height % 2)
      return "width and height must be even";
   if ((uint32_t)s->height * s->info->bits / 8 > s->pitch_B)
      return "the height, turned into the width, is more than the pitch";
   return NULL;
}

/* SMP-365: clockwise; the picture in memory is as wide as the target is high. */
static void
rotate(const struct surface *s, unsigned *x, unsigned *y)
{
   unsigned from_x = *x, from_y = *y;
   if (s->rotation == ROTATE_90) {
      *x = s->height - 1u - from_y;
      *y = from_x;
   } else if (s->rotation == ROTATE_270) {
      *x = from_y;
      *y = s->width - 1u - from_x;
   }
}

static bool
locate(const struct rt_write *w, unsigned x, unsigned y, unsigned sample, uint32_t *address)
{
   const struct surface_view *v = &w->view; /* DP-422: of the absolute LOD */
   if (v->type == SURFTYPE_STRBUF || sample >= v->samples || w->surface.rt_lod > 14 ||
       !surface_view_contains(v, x, y, w->layer))
      return false; /* DP-460 */
   rotate(&w->surface, &x, &y);
   return surface_view_address(v, x, y, w->layer, sample, address);
}

/* DP-310: pixels go through the render cache. */
static void
observe(struct eu_thread *t, const struct rt_write *w, uint32_t address, unsigned size, bool write)
{
   struct surface_cache *cache = t->env->dev->surfaces;
   if (hazard_on(cache))
      sf_hazard(t, w->message, HAZARD_RENDER, address, size, write);
}

/* Two pixels share a dword: each writes its luma, the even one the chroma. */
static void
store_yuv(struct mem_space *space, const struct rt_write *w, unsigned x, uint32_t address,
          const uint32_t color[4])
{
   const struct format_yuv422_order *o = format_yuv422_order(w->surface.format); /* SMP-407 */
   uint8_t v[3];
   for (unsigned c = 0; c < 3; c++)
      v[c] = (uint8_t)format_float_to_unorm(bits_float(color[c]), 8);
   mem_write(space, address + (x & 1 ? o->y1 : o->y0), &v[1], 1);
   if (!(x & 1)) {
      mem_write(space, address + o->u, &v[2], 1); /* SMP-158: blue is Cb */
      mem_write(space, address + o->v, &v[0], 1);
   }
}

bool
rt_element(struct eu_thread *t, const struct rt_write *w, unsigned x, unsigned y, unsigned sample,
           bool write, uint32_t *address)
{
   if (!locate(w, x, y, sample, address))
      return false;
   observe(t, w, *address, w->surface.info->bits / 8, write);
   return true;
}

void
rt_store(struct eu_thread *t, const struct rt_write *w, unsigned x, unsigned y, unsigned sample,
         const uint32_t color[4])
{
   const struct format_info *f = w->surface.info;
   uint8_t element[32];
   uint32_t address;
   if (!locate(w, x, y, sample, &address))
      return;
   observe(t, w, address, f->bits / 8, true);
   if (f->layout == FORMAT_YUV422) {
      store_yuv(t->env->space, w, x, address, color);
   } else if (f->layout == FORMAT_PLAIN && f->bits <= 128) {
      format_pack(f, color, element);
      mem_write(t->env->space, address, element, f->bits / 8);
   }
}

bool
rt_load(struct eu_thread *t, const struct rt_write *w, unsigned x, unsigned y, unsigned sample,
        uint32_t color[4])
{
   const struct format_info *f = w->surface.info;
   uint8_t element[32] = {0};
   uint32_t address;
   if (f->layout != FORMAT_PLAIN || f->bits > 128 || !locate(w, x, y, sample, &address))
      return false;
   observe(t, w, address, f->bits / 8, false);
   mem_read(t->env->space, address, element, f->bits / 8);
   format_unpack(f, element, color);
   return true;
}

/* DP-396: with no windower every pixel function is off. */
static void
plain_pixels(struct eu_thread *t, struct rt_write *w, bool per_sample)
{
   for (unsigned i = 0; i < w->slot_count && !w->color_dropped; i++) {
      const struct rt_slot *s = &w->slot[i];
      if (!s->enabled)
         continue;
      unsigned first = per_sample ? s->sample : 0,
               last = per_sample ? s->sample : w->surface.samples - 1u;
      for (unsigned n = first; n <= last; n++)
         if (s->omask >> n & 1) /* DP-387 */
            rt_store(t, w, s->x, s->y, n, s->color[0]);
   }
}

static void
check_surface(struct dp *d, const struct rt_write *w)
{
   const struct surface *s = &d->s;
   if (s->type == SURFTYPE_NULL)
      return;
   if (!(s->info->capabilities & FORMAT_RENDER)) /* SMP-395 */
      dp_note(d, PERGOLA_ERROR, "DP-466", "format %s is no render target format",
              s->info->name[0] ? s->info->name : "(reserved)");
   if (s->type == SURFTYPE_STRBUF || s->type == SURFTYPE_RESERVED)
      dp_note(d, PERGOLA_ERROR, "DP-457", "surface type %u cannot be a render target", s->type);
   if (s->vls)
      dp_note(d, PERGOLA_ERROR, "DP-457", "a render target in field mode");
   if (w->dual_source && s->rotation)
      dp_note(d, PERGOLA_ERROR, "DP-457", "dual source on a rotated render target");
   if (w->replicated && s->tiling == MEM_LINEAR)
      dp_note(d, PERGOLA_ERROR, "DP-393", "replicated data on a linear render target"); /* DP-356 */
   if (s->rules & SURFACE_BAD_SAMPLES)
      dp_note(d, PERGOLA_ERROR, "DP-361", "the sample count is reserved");
   if (s->rules & (SURFACE_BAD_BASE | SURFACE_BAD_PITCH | SURFACE_BAD_SIZE))
      dp_note(d, PERGOLA_ERROR, "DP-423", "the render target breaks the base, pitch or size rule");
   if (w->render_target_index && s->info->layout == FORMAT_YUV422)
      dp_note(d, PERGOLA_ERROR, "DP-359", "several render targets with a YCRCB format");
}

/* DP-457, DP-381: buffers and 1D surfaces have one row, buffers one element. index: as the message
 * has it. */
static void
check_row(struct dp *d, const struct rt_write *w, uint32_t index)
{
   bool buffer = d->s.type == SURFTYPE_BUFFER;
   bool below = false;
   if (!buffer && d->s.type != SURFTYPE_1D)
      return;
   for (unsigned i = 0; i < w->slot_count; i++)
      below |= w->slot[i].enabled && w->slot[i].y;
   if (below)
      dp_note(d, PERGOLA_ERROR, "DP-457", "Y is not 0 on a %s", buffer ? "buffer" : "1D surface");
   if (buffer && index)
      dp_note(d, PERGOLA_ERROR, "DP-457", "Render Target Array Index is %u on a buffer", index);
}

static void
check_rotation(struct dp *d, struct rt_write *w)
{
   const char *why = w->surface.rotation ? rotation_problem(&w->surface) : NULL;
   if (!why)
      return;
   dp_note(d, PERGOLA_ERROR, "SMP-365", "Render Target Rotation %u: %s; it is written unrotated",
           w->surface.rotation, why);
   w->surface.rotation = 0;
}

static void
check_message(struct dp *d, const struct rt_write *w)
{
   const struct pixel_backend *pixel = d->t->env->pixel;
   if (!pixel)
      dp_note(d, PERGOLA_WARNING, "DP-318", "the thread was not dispatched by the windower");
   if (hw_reserved_control(d->m->desc, GEN7_DP_RENDER_TARGET_WRITE_DESCRIPTOR__MBZ_0))
      dp_note(d, PERGOLA_ERROR, "DP-371", "bit 13 of the descriptor is reserved");
   if (w->replicated && pixel && pixel->dispatch_width == 8)
      dp_note(d, PERGOLA_ERROR, "DP-464", "replicated data from a SIMD8 pixel shader");
   if (w->has_source0_alpha && (w->dual_source || w->replicated))
      dp_note(d, PERGOLA_ERROR, "DP-463", "source 0 alpha with dual source or replicated data");
   if (w->has_source0_alpha && w->render_target_index == 0)
      dp_note(d, PERGOLA_WARNING, "DP-463", "source 0 alpha with render target 0");
   if (w->replicated && w->has_depth)
      dp_note(d, PERGOLA_ERROR, "DP-356", "replicated data with source depth");
   if (w->type == RT_SIMD16 && w->surface.samples == 8 && w->has_depth)
      dp_note(d, PERGOLA_ERROR, "DP-464", "a SIMD16 message with depth on an 8X target");
   if (w->slot_group && (!pixel || pixel->dispatch_width < 32))
      dp_note(d, PERGOLA_ERROR, "DP-374", "SLOTGRP_HI is for dispatches of 32 pixels");
   if (d->m->eot && !w->last)
      dp_note(d, PERGOLA_ERROR, "DP-458",
              "the message ends the thread without Last Render Target Select");
}

static bool
unpack_header(struct dp *d, struct rt_write *w)
{
   struct hw_dp_render_target_write_header h;
   const struct pixel_backend *pixel = d->t->env->pixel;
   struct rt_bypass bypass;
   const uint32_t *dw = d->header;
   if (!dw) { /* DP-461 */
      if (!pixel || !pixel->bypass || !pixel->bypass(pixel->data, d->t, w->slot_group, &bypass)) {
         dp_reject(d, "DP-318", "a thread that the windower did not dispatch sends no header");
         return false;
      }
      dw = bypass.header;
   }
   gen7_dp_render_target_write_header_unpack(&h, dw);
   w->has_depth = d->header ? h.source_depth_present : bypass.source_depth;
   w->has_omask = d->header ? h.omask_present : bypass.omask;
   w->has_source0_alpha = d->header ? h.source0_alpha_present : false;
   w->render_target_index = d->header ? (uint8_t)h.render_target_index : 0;
   w->back_facing = h.back_facing;
   w->viewport = (uint8_t)h.viewport_index;
   w->sample_pair = (uint8_t)h.starting_sample_pair_index;
   w->color_calc_state = h.color_calculator_state_pointer;
   w->layer = h.render_target_array_index;
   w->enables = (uint16_t)h.pixel_sample_enables;
   w->dispatched = (uint16_t)h.dispatched_pixel_sample_enables;
   uint32_t xs[4] = {h.x0, h.x1, h.x2, h.x3}, ys[4] = {h.y0, h.y1, h.y2, h.y3};
   bool per_sample = pixel && pixel->per_sample;
   unsigned samples = !per_sample      ? 1
                      : pixel->samples ? pixel->samples
                                       : w->surface.samples,
            simd = w->slot_count;
   for (unsigned i = 0; i < w->slot_count; i++) {
      struct rt_slot *s = &w->slot[i];
      unsigned number = w->first_slot + i;
      struct rt_slot_place p =
          rt_slot_place(w->first_slot ? 16 : simd, samples, w->sample_pair, number);
      s->x = (uint16_t)(xs[p.subspan & 3] + (p.pixel & 1)); /* DP-360 */
      s->y = (uint16_t)(ys[p.subspan & 3] + (p.pixel >> 1));
      s->sample = p.sample;
      s->enabled = w->enables >> number & 1; /* DP-459: not the execution mask */
   }
   return true;
}

enum sf_status
dp_render_target_write(struct dp *d)
{
   struct hw_dp_render_target_write_descriptor desc;
   struct rt_write w = {0};
   const struct pixel_backend *pixel = d->t->env->pixel;
   gen7_dp_render_target_write_descriptor_unpack(&desc, &d->m->desc);
   w.type = (uint8_t)desc.message_type;
   if (w.type > RT_SIMD8)
      return dp_reject(d, "DP-371", "render target message type %u is reserved", w.type);
   if (d->bti == DP_BTI_STATELESS)
      return dp_reject(d, "DP-457", "the stateless model has no render targets");
   if (d->header && d->m->mlen < 2)
      return dp_reject(d, "DP-376", "the header has two registers");
   if (!dp_bind(d, false))
      return SF_OK;
   w.message = d->m;
   w.surface = d->s;
   check_rotation(d, &w);
   w.binding_table_index = (uint8_t)d->bti;
   w.last = desc.last_render_target_select;
   w.slot_group = (uint8_t)desc.slot_group_select;
   w.dual_source = w.type == RT_DUAL_LO || w.type == RT_DUAL_HI;
   w.replicated = w.type == RT_REPDATA;
   w.first_slot = w.type == RT_DUAL_HI ? 8 : 0; /* DP-322: type 100 has slots 7:0 only */
   w.slot_count = is_simd16(w.type) ? 16 : 8;
   if (!unpack_header(d, &w))
      return SF_OK;
   uint32_t index = w.layer;
   surface_view_make(&w.view, &w.surface, w.surface.rt_lod);
   w.layer = surface_view_layer(&w.view, index);
   if (d->header) { /* DP-320: two registers of header */
      d->data += EU_REG_SIZE;
      d->data_regs--;
   }
   struct form f = payload_form(&w);
   if (d->data_regs != f.total)
      dp_note(d, PERGOLA_ERROR, "DP-465", "%u data register%s %s sent where the form has %u",
              d->data_regs, plural(d->data_regs), are(d->data_regs), f.total);
   if (rules_on(d->t->env->dev)) {
      check_surface(d, &w);
      check_message(d, &w);
      if (pixel && pixel->record)
         dp_check_order(d, &w);
      check_row(d, &w, index);
      if (d->m->rlen)
         dp_expect(d, 0, 0, "DP-033");
   }
   for (unsigned i = 0; i < w.slot_count; i++)
      read_slot(d, &w, &f, i, &w.slot[i]);
   if (w.last) /* DP-350, DP-353, DP-357 */
      w.scoreboard = (uint16_t)(w.dispatched & (DP_ALL_SLOTS(w.slot_count) << w.first_slot));
   w.color_dropped = pixel && pixel->dual_source_blend && !w.dual_source; /* DP-351 */
   if (w.dual_source && pixel && !pixel->dual_source_blend)
      w.dual_source = false; /* DP-354 */
   if (pixel && pixel->pixels)
      pixel->pixels(pixel->pixels_data, d->t, &w);
   else
      plain_pixels(d->t, &w, pixel && pixel->per_sample);
   return SF_OK;
}
