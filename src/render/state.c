/* What the pipeline is set to. Commands are unpacked when they
 * have changed; what they point to is read when a draw begins (P3D-001). */
#include "render/draw.h"

/* The command as it was programmed last, or zeros. */
static const uint32_t *
command(const struct render *r, unsigned id, uint32_t *count)
{
   static const uint32_t zeros[40];
   const uint32_t *dw = cs_state_command(r->dev, id, count);
   if (!dw)
      *count = 0;
   return dw ? dw : zeros;
}

static bool
changed(struct render *r, unsigned id)
{
   uint32_t stamp = cs_state_stamp(r->dev, id);
   if (r->known && r->stamp[id] == stamp)
      return false;
   r->stamp[id] = stamp;
   return true;
}

/* Unpacks a command if it has changed; true if so. */
#define LATCH(r, NAME, name, to)                                                                   \
   (changed(r, GEN7_##NAME##_ID) &&                                                                \
    (gen7_##name##_unpack(&(r)->state.to, command(r, GEN7_##NAME##_ID, &(uint32_t){0})), true))

/* G3D-089: those that any command has named since; RCS-154, P3D-043. */
static bool
latch_buffers(struct render *r)
{
   uint32_t count;
   if (!changed(r, GEN7_3DSTATE_VERTEX_BUFFERS_ID))
      return false;
   const uint32_t *dw = command(r, GEN7_3DSTATE_VERTEX_BUFFERS_ID, &count);
   r->state.has_buffer = 0;
   for (uint32_t i = 1; i + 4 <= count; i += 4) {
      struct hw_vertex_buffer_state b;
      gen7_vertex_buffer_state_unpack(&b, dw + i);
      if (b.vertex_buffer_index >= VERTEX_BUFFERS)
         continue;
      r->state.buffer[b.vertex_buffer_index] = b;
      r->state.has_buffer |= UINT64_C(1) << b.vertex_buffer_index;
   }
   return true;
}

/* G3D-090: valid ones from the first on. */
static bool
latch_elements(struct render *r)
{
   uint32_t count;
   if (!changed(r, GEN7_3DSTATE_VERTEX_ELEMENTS_ID))
      return false;
   const uint32_t *dw = command(r, GEN7_3DSTATE_VERTEX_ELEMENTS_ID, &count);
   r->state.elements = 0;
   for (uint32_t i = 1; i + 2 <= count && r->state.elements < VERTEX_ELEMENTS; i += 2) {
      struct hw_vertex_element_state *e = &r->state.element[r->state.elements];
      gen7_vertex_element_state_unpack(e, dw + i);
      if (!e->valid)
         break;
      r->state.elements++;
   }
   return true;
}

/* Two dwords have four enables for each attribute, in order. */
#define WRAP_DW GEN7_3DSTATE_SBE__ATTRIBUTE_0_WRAPSHORTEST_ENABLES_DW
static bool
latch_sbe(struct render *r)
{
   uint32_t count;
   if (!LATCH(r, 3DSTATE_SBE, 3dstate_sbe, sbe))
      return false;
   const uint32_t *dw = command(r, GEN7_3DSTATE_SBE_ID, &count);
   for (unsigned i = 0; i < 16; i++)
      r->state.wrap[i] = dw[WRAP_DW + i / 8] >> 4 * (i % 8) & 15;
   return true;
}

static void
latch_stipple(struct render *r)
{
   uint32_t count;
   LATCH(r, 3DSTATE_POLY_STIPPLE_OFFSET, 3dstate_poly_stipple_offset, stipple_offset);
   if (changed(r, GEN7_3DSTATE_POLY_STIPPLE_PATTERN_ID))
      memcpy(r->state.stipple, command(r, GEN7_3DSTATE_POLY_STIPPLE_PATTERN_ID, &count) + 1,
             sizeof(r->state.stipple));
}

/* P3D-237 */
static void
load_dash(struct render *r)
{
   const struct hw_3dstate_line_stipple *l = &r->state.line_stipple;
   uint32_t stamp = cs_state_stamp(r->dev, GEN7_3DSTATE_LINE_STIPPLE_ID);
   if (stamp == r->dash_stamp) /* it goes on: a device that was restored reads its state anew */
      return;
   r->dash_stamp = stamp;
   if (l->modify_enable)
      r->dash = l->current_stipple_index * l->line_stipple_repeat_count + l->current_repeat_counter;
}

/* P3D-024: a context that comes back goes on where it was. */
void
state_keep_dash(struct render *r)
{
   struct hw_3dstate_line_stipple *l = &r->state.line_stipple;
   uint32_t dw[GEN7_3DSTATE_LINE_STIPPLE_LENGTH], repeat = l->line_stipple_repeat_count;
   if (!r->state.wm.line_stipple_enable || !repeat ||
       !cs_state_stamp(r->dev, GEN7_3DSTATE_LINE_STIPPLE_ID))
      return;
   l->modify_enable = true;
   l->current_stipple_index = r->dash / repeat % 16;
   l->current_repeat_counter = r->dash % repeat;
   gen7_3dstate_line_stipple_pack(dw, l);
   cs_state_amend(r->dev, GEN7_3DSTATE_LINE_STIPPLE_ID, dw, GEN7_3DSTATE_LINE_STIPPLE_LENGTH);
}

static void
latch_vertex_stages(struct render *r)
{
   bool vf = latch_buffers(r);
   vf |= latch_elements(r);
   if (vf)
      vf_state_changed(r);
   LATCH(r, 3DSTATE_INDEX_BUFFER, 3dstate_index_buffer, index);
   LATCH(r, 3DSTATE_VF_STATISTICS, 3dstate_vf_statistics, vf_statistics);
   LATCH(r, 3DSTATE_VS, 3dstate_vs, vs);
   LATCH(r, 3DSTATE_URB_VS, 3dstate_urb_vs, urb_vs);
   LATCH(r, 3DSTATE_CONSTANT_VS, 3dstate_constant_vs, constant_vs);
   LATCH(r, 3DSTATE_BINDING_TABLE_POINTERS_VS, 3dstate_binding_table_pointers_vs, table_vs);
   LATCH(r, 3DSTATE_SAMPLER_STATE_POINTERS_VS, 3dstate_sampler_state_pointers_vs, samplers_vs);
}

static void
latch_object_stages(struct render *r)
{
   LATCH(r, 3DSTATE_HS, 3dstate_hs, hs);
   LATCH(r, 3DSTATE_URB_HS, 3dstate_urb_hs, urb_hs);
   LATCH(r, 3DSTATE_CONSTANT_HS, 3dstate_constant_hs, constant_hs);
   LATCH(r, 3DSTATE_BINDING_TABLE_POINTERS_HS, 3dstate_binding_table_pointers_hs, table_hs);
   LATCH(r, 3DSTATE_SAMPLER_STATE_POINTERS_HS, 3dstate_sampler_state_pointers_hs, samplers_hs);
   LATCH(r, 3DSTATE_TE, 3dstate_te, te);
   LATCH(r, 3DSTATE_DS, 3dstate_ds, ds);
   LATCH(r, 3DSTATE_URB_DS, 3dstate_urb_ds, urb_ds);
   LATCH(r, 3DSTATE_CONSTANT_DS, 3dstate_constant_ds, constant_ds);
   LATCH(r, 3DSTATE_BINDING_TABLE_POINTERS_DS, 3dstate_binding_table_pointers_ds, table_ds);
   LATCH(r, 3DSTATE_SAMPLER_STATE_POINTERS_DS, 3dstate_sampler_state_pointers_ds, samplers_ds);
   LATCH(r, 3DSTATE_GS, 3dstate_gs, gs);
   LATCH(r, 3DSTATE_URB_GS, 3dstate_urb_gs, urb_gs);
   LATCH(r, 3DSTATE_CONSTANT_GS, 3dstate_constant_gs, constant_gs);
   LATCH(r, 3DSTATE_BINDING_TABLE_POINTERS_GS, 3dstate_binding_table_pointers_gs, table_gs);
   LATCH(r, 3DSTATE_SAMPLER_STATE_POINTERS_GS, 3dstate_sampler_state_pointers_gs, samplers_gs);
   LATCH(r, 3DSTATE_STREAMOUT, 3dstate_streamout, streamout);
}

static void
latch_raster(struct render *r)
{
   LATCH(r, 3DSTATE_CLIP, 3dstate_clip, clip);
   LATCH(r, 3DSTATE_SF, 3dstate_sf, sf);
   LATCH(r, 3DSTATE_DRAWING_RECTANGLE, 3dstate_drawing_rectangle, area);
   LATCH(r, 3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP, 3dstate_viewport_state_pointers_sf_clip,
         viewports);
   LATCH(r, 3DSTATE_SCISSOR_STATE_POINTERS, 3dstate_scissor_state_pointers, scissors);
   LATCH(r, 3DSTATE_CC_STATE_POINTERS, 3dstate_cc_state_pointers, cc);
   LATCH(r, 3DSTATE_BINDING_TABLE_POINTERS_PS, 3dstate_binding_table_pointers_ps, table_ps);
   LATCH(r, 3DSTATE_SAMPLER_STATE_POINTERS_PS, 3dstate_sampler_state_pointers_ps, samplers_ps);
   LATCH(r, 3DSTATE_CONSTANT_PS, 3dstate_constant_ps, constant_ps);
   latch_stipple(r);
   LATCH(r, 3DSTATE_AA_LINE_PARAMETERS, 3dstate_aa_line_parameters, aa_line);
   if (LATCH(r, 3DSTATE_LINE_STIPPLE, 3dstate_line_stipple, line_stipple))
      load_dash(r);
   if (latch_sbe(r))
      sbe_state_changed(r);
   bool wm = LATCH(r, 3DSTATE_WM, 3dstate_wm, wm);
   wm |= LATCH(r, 3DSTATE_PS, 3dstate_ps, ps);
   wm |= LATCH(r, 3DSTATE_MULTISAMPLE, 3dstate_multisample, multisample);
   wm |= LATCH(r, 3DSTATE_SAMPLE_MASK, 3dstate_sample_mask, sample_mask);
   if (wm)
      wm_state_changed(r);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* P3D-208 */
static void
read_viewports(struct render *r)
{
   struct render_state *s = &r->state;
   uint32_t base = r->env.dynamic_state_base, dw[16];
   for (unsigned i = 0; i <= s->clip.maximum_vp_index && i < VIEWPORTS; i++) {
      if (s->sf.viewport_transform_enable || s->clip.guardband_clip_test_enable) {
         mem_read(r->env.space, base + s->viewports.sf_clip_viewport_pointer + 64 * i, dw, 64);
         gen7_sf_clip_viewport_unpack(&s->viewport[i], dw);
      }
      if (s->sf.scissor_rectangle_enable) {
         mem_read(r->env.space, base + s->scissors.scissor_rect_pointer + 8 * i, dw, 8);
         gen7_scissor_rect_unpack(&s->scissor[i], dw);
      }
   }
}

unsigned
state_constants(struct render *r, const uint32_t at[4], const uint32_t length[4], unsigned reg,
                uint32_t (*row)[8])
{
   bool absolute = reg_get(r->dev, REG_RCS_INSTPM) &
                   REG_RCS_INSTPM__CONSTANT_BUFFER_ADDRESS_OFFSET_DISABLE; /* P3D-081 */
   for (unsigned i = 0; i < 4; i++) {
      uint32_t rows = length[i] < EU_GRF_COUNT - reg ? length[i] : EU_GRF_COUNT - reg;
      if (rows)
         mem_read(r->env.space, at[i] + (i || absolute ? 0 : r->env.dynamic_state_base), row[reg],
                  rows * (size_t)EU_REG_SIZE);
      reg += rows;
   }
   return reg;
}

/* ---- what cannot be so ------------------------------------------------------------------------
 */

static bool
has_kernel(const struct hw_3dstate_ps *p)
{
   return p->_8_pixel_dispatch_enable || p->_16_pixel_dispatch_enable ||
          p->_32_pixel_dispatch_enable;
}

/* P3D-179 */
static void
check_clip(struct render *r)
{
   uint32_t mode = r->state.clip.clip_mode;
   if (r->state.clip.clip_enable && mode != 0 && mode != 3 && mode != 4)
      render_report(r, PERGOLA_ERROR, "P3D-179", "Clip Mode %u is reserved; it acts as NORMAL",
                    mode);
}

void
state_begin(struct render *r)
{
   latch_vertex_stages(r);
   latch_object_stages(r);
   latch_raster(r);
   r->known = true;
   read_viewports(r);
   struct hw_3dstate_wm wm = r->state.wm;
   if (wm.thread_dispatch_enable && !has_kernel(&r->state.ps)) { /* P3D-286 */
      if (!r->state.streamout.rendering_disable)                 /* else no pixel asks for one */
         render_report(
             r, PERGOLA_ERROR, "P3D-286",
             "Thread Dispatch Enable without a kernel of any width; there are no threads");
      wm.thread_dispatch_enable = false;
   }
   check_clip(r);
   rules_check_draw(r);
   msaa_check(r);
   pixel_bind(&r->pixel, r->dev, &r->env, &wm, &r->state.ps, r->wm.samples);
}
