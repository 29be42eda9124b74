/* RENDER_SURFACE_STATE to struct surface. */
#include "surface/surface.h"

#include "surface/format.h"

#include <string.h>

static uint32_t
align_up(uint32_t v, uint32_t a)
{
   return (v + a - 1) / a * a;
}

/* DP-417: the entry count is spread over Width, Height and Depth. */
static uint32_t
buffer_entries(const struct hw_render_surface_state *st, bool raw)
{
   uint32_t depth_mask = raw ? 0x3ff : 0x3f;
   return ((st->width & 0x7f) | (st->height & 0x3fff) << 7 | (st->depth & depth_mask) << 21) + 1;
}

static void
unpack_buffer(struct surface *s, const struct hw_render_surface_state *st, uint32_t dw4)
{
   bool raw = s->info->layout == FORMAT_RAW;
   s->entries = buffer_entries(st, raw && s->type == SURFTYPE_BUFFER);
   if (s->type == SURFTYPE_STRBUF) {
      struct hw_render_surface_state_dw4_strbuf strbuf;
      gen7_render_surface_state_dw4_strbuf_unpack(&strbuf, &dw4);
      s->min_array_element = strbuf.minimum_array_element; /* DP-421 */
      if (s->pitch_B % 4)
         s->rules |= SURFACE_BAD_PITCH; /* DP-423, SMP-363 */
   } else if (raw && (st->width & 3) != 3) {
      s->rules |= SURFACE_BAD_RAW_SIZE; /* DP-417 */
   }
   if (s->pitch_B > 2048)
      s->rules |= SURFACE_BAD_PITCH; /* SMP-363, SMP-478 */
   if (s->tiling != MEM_LINEAR)
      s->rules |= SURFACE_BAD_TILED; /* DP-423, SMP-478 */
   if (s->base % 4)
      s->rules |= SURFACE_BAD_BASE;
   uint64_t size = (uint64_t)s->entries * (raw && s->type == SURFTYPE_BUFFER ? 1 : s->pitch_B);
   if (size > UINT64_C(1) << 31)
      s->rules |= SURFACE_BAD_SIZE; /* DP-423, SMP-477 */
}

static void
unpack_samples(struct surface *s, const struct hw_render_surface_state *st)
{
   static const uint8_t count[8] = {1, 0, 4, 8}; /* DP-361 */
   s->samples = count[st->number_of_multisamples];
   s->interleaved = st->multisampled_surface_storage_format;
   s->palette = (uint8_t)st->multisample_position_palette_index;
   if (!s->samples) {
      s->samples = 1;
      s->rules |= SURFACE_BAD_SAMPLES;
   }
   if (s->samples > 1 && s->type != SURFTYPE_2D)
      s->rules |= SURFACE_BAD_SAMPLES;
}

static void
check_image(struct surface *s)
{
   uint32_t element_B = s->info->bits / 8;
   if (s->tiling == MEM_LINEAR) {
      /* SMP-360: counts for render targets and typed messages, which name it. */
      if (element_B && (s->base % element_B || s->pitch_B % element_B)) {
         if (s->base % element_B)
            s->rules |= SURFACE_BAD_BASE;
         else
            s->rules |= SURFACE_BAD_PITCH;
      }
      if (s->x_offset || s->y_offset)
         s->rules |= SURFACE_BAD_OFFSET; /* DP-419 */
   } else {
      if (s->base % 4096)
         s->rules |= SURFACE_BAD_BASE; /* DP-423, SMP-360, SMP-467 */
      if (s->pitch_B % (s->tiling == MEM_TILE_X ? 512 : 128))
         s->rules |= SURFACE_BAD_PITCH; /* SMP-363, SMP-467 */
   }
   if (s->boundary_mode == SURFACE_BOUNDARY_RESERVED)
      s->rules |= SURFACE_BAD_RESERVED; /* SMP-348 */
   if (s->boundary_mode >= SURFACE_BOUNDARY_PROGRESSIVE && s->height % 2)
      s->rules |= SURFACE_BAD_BOUNDARY; /* DP-002 */
}

#define VALIGN_4 GEN7_RENDER_SURFACE_STATE_SURFACE_VERTICAL_ALIGNMENT_VALIGN_4

/* SMP-469: block formats have one block, FXT1 8 by 4; the rest by the state. */
static void
unpack_alignment(struct surface *s, const struct hw_render_surface_state *st)
{
   s->halign = st->surface_horizontal_alignment ? 8 : 4;
   s->valign = st->surface_vertical_alignment == VALIGN_4 ? 4 : 2;
   if (st->surface_vertical_alignment > VALIGN_4)
      s->rules |= SURFACE_BAD_RESERVED;
   if (s->info->layout == FORMAT_BLOCK) {
      s->halign = s->info->block_w;
      s->valign = s->info->block_h;
   }
}

static void
unpack_image(struct surface *s, const struct hw_render_surface_state *st, uint32_t dw6)
{
   s->width = (uint16_t)(st->width + 1);
   s->height = (uint16_t)(st->height + 1);
   s->depth = (uint16_t)(st->depth + 1);
   s->min_array_element = st->minimum_array_element;
   s->array = st->surface_array;
   s->lod0_spacing = (uint8_t)st->surface_array_spacing;
   s->levels = (uint8_t)(st->mip_count_or_lod + 1);
   s->rt_lod = (uint8_t)st->mip_count_or_lod;
   s->min_lod = (uint8_t)st->surface_min_lod;
   s->vls = st->vertical_line_stride;
   s->vlso = st->vertical_line_stride_offset;
   s->boundary_mode = (uint8_t)st->media_boundary_pixel_mode;
   s->cube_faces =
       (uint8_t)(st->cube_face_enable_negative_x << 5 | st->cube_face_enable_positive_x << 4 |
                 st->cube_face_enable_negative_y << 3 | st->cube_face_enable_positive_y << 2 |
                 st->cube_face_enable_negative_z << 1 | st->cube_face_enable_positive_z);
   s->view_extent = (uint16_t)(st->render_target_view_extent + 1);
   s->x_offset = (uint16_t)(st->x_offset * 4);
   s->y_offset = (uint16_t)(st->y_offset * 2);
   s->resource_min_lod = (uint16_t)st->resource_min_lod;
   s->clear_colour = (uint8_t)(st->red_clear_color << 3 | st->green_clear_color << 2 |
                               st->blue_clear_color << 1 | st->alpha_clear_color);
   unpack_alignment(s, st);
   unpack_samples(s, st);
   if (s->info->layout == FORMAT_PLANAR) {
      struct hw_render_surface_state_dw6_planar planar;
      gen7_render_surface_state_dw6_planar_unpack(&planar, &dw6);
      s->uv_x = planar.x_offset_for_uv_plane;
      s->uv_y = planar.y_offset_for_uv_plane;
   } else if (st->mcs_enable) {
      s->mcs_base = st->mcs_base_address;
      s->mcs_pitch_tiles = st->mcs_surface_pitch + 1;
   }
   check_image(s);
}

/* SMP-472: rows between slices, counted in pixels of a level, then in element rows. */
uint32_t
surface_qpitch(const struct surface *s)
{
   uint32_t h = s->interleaved && s->samples > 1 ? align_up(s->height, 2) * 2 : s->height;
   uint32_t h0 = align_up(h, s->valign);
   if (s->lod0_spacing)
      return h0 / s->info->block_h;
   uint32_t h1 = align_up(h > 1 ? h / 2 : 1, s->valign);
   return (h0 + h1 + 12 * s->valign) / s->info->block_h;
}

/* SMP-477: the rows of all slices of the first level. */
static void
check_size(struct surface *s)
{
   struct surface_extent e = surface_level_size(s, 0);
   uint32_t x;
   uint64_t rows, slices = (uint64_t)e.depth * (s->interleaved ? 1 : s->samples);
   surface_level_position(s, 0, (uint32_t)slices - 1, &x, &rows);
   rows += e.height / s->info->block_h;
   if (rows * s->pitch_B > UINT64_C(1) << 31)
      s->rules |= SURFACE_BAD_SIZE;
}

void
surface_null(struct surface *s)
{
   memset(s, 0, sizeof(*s));
   s->type = SURFTYPE_NULL;
   s->info = format_get(0);
   s->samples = s->levels = 1;
   s->halign = 4;
   s->valign = 2;
}

void
surface_unpack(struct surface *s, const uint32_t dw[8], unsigned hw_device)
{
   struct hw_render_surface_state st;
   gen7_render_surface_state_unpack(&st, dw);
   surface_null(s);
   s->type = (uint8_t)st.surface_type;
   s->format = (uint16_t)st.surface_format;
   s->info = format_get(s->format);
   s->base = st.surface_base_address;
   s->pitch_B = st.surface_pitch + 1;
   s->mocs = (uint8_t)st.memory_object_control_state;
   s->tiling = !st.tiled_surface ? MEM_LINEAR : st.tile_walk ? MEM_TILE_Y : MEM_TILE_X;
   if (s->type == SURFTYPE_NULL) /* DP-420: every other field is ignored */
      return;
   if (s->type == SURFTYPE_RESERVED)
      s->rules |= SURFACE_BAD_RESERVED;
   if (s->info->layout == FORMAT_NONE)
      s->rules |= SURFACE_BAD_FORMAT;
   if (!st.mcs_enable && s->info->layout != FORMAT_PLANAR) {
      struct hw_render_surface_state_dw6_append append;
      gen7_render_surface_state_dw6_append_unpack(&append, &dw[6]);
      s->append_enable = append.append_counter_enable;
      s->append_address = append.append_counter_address;
   }
   if (s->type != SURFTYPE_STRBUF)
      s->rotation = (uint8_t)st.render_target_rotation;
   if (s->type == SURFTYPE_BUFFER || s->type == SURFTYPE_STRBUF) {
      unpack_buffer(s, &st, dw[4]);
   } else {
      unpack_image(s, &st, dw[6]);
      s->qpitch = surface_qpitch(s);
      check_size(s);
   }
}
