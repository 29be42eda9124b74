/* The message: descriptor, payload, surfaces, state; what comes back. */
#include "shared_functions/vme/trace.h"
#include "shared_functions/vme/vme.h"

#include <stdio.h>
#include <string.h>

#define BASIC_PHASES 5u
#define VME_COST 4096u /* of the budget, as much as so many instructions */

/* VME-239, VME-048; VME-049: a reserved size is taken as 16x16. */
static void
take_sizes(struct vme *v)
{
   unsigned size = v->m0.srcsize;
   v->src_w = size == 3 ? 8 : 16;
   v->src_h = size == 1 || size == 3 ? 8 : 16;
   v->su_w = size == 1 || size == 3 ? 8 : 4;
   v->su_h = size == 3 ? 8 : 4;
   /* VME-204, VME-205: an illegal size is taken as the next legal one. */
   unsigned w = v->m0.refwidth & ~3u, h = v->m0.refheight & ~3u;
   v->ref_w = w < 20 ? 20 : w > VME_WINDOW_MAX ? VME_WINDOW_MAX : w;
   v->ref_h = h < 20 ? 20 : h > VME_WINDOW_MAX ? VME_WINDOW_MAX : h;
   v->points_x = v->ref_w - v->src_w;
   v->points_y = v->ref_h - v->src_h;
}

/* Reserved codes act as 0 (VME-213, VME-223, VME-230, VME-236). */
static void
take_codes(struct vme *v)
{
   static const uint8_t legal_search =
       1 << VME_ONE_START | 1 << VME_TWO_STARTS | 1 << VME_TWO_RECORDS | 1 << VME_TWO_REFERENCES;
   if (!(legal_search >> v->m0.searchctrl & 1))
      v->m0.searchctrl = VME_ONE_START;
   if (v->m0.subpelmode > GEN7_VME_M0_SUBPELMODE_HALF &&
       v->m0.subpelmode != GEN7_VME_M0_SUBPELMODE_QUARTER)
      v->m0.subpelmode = GEN7_VME_M0_SUBPELMODE_INTEGER;
   v->dual = v->m0.searchctrl == VME_TWO_REFERENCES;
}

static void
take_fields(struct vme *v)
{
   gen7_vme_m0_unpack(&v->m0, v->in[0]);
   gen7_vme_m1_unpack(&v->m1, v->in[1]);
   take_codes(v);
   take_sizes(v);
   v->inter = v->d.message_type & GEN7_VME_MESSAGE_DESCRIPTOR_MESSAGE_TYPE_INTER; /* VME-197 */
   v->intra = v->d.message_type & GEN7_VME_MESSAGE_DESCRIPTOR_MESSAGE_TYPE_INTRA;
   v->costs.scale = v->m1.mvcostscalefactor;
   v->center[0] = (struct vme_mv){v->m1.costcenter0x, v->m1.costcenter0y};
   v->center[1] = (struct vme_mv){v->m1.costcenter1x, v->m1.costcenter1y};
   v->dsp = vme_dsp_select();
   v->haar = v->m0.intersad == GEN7_VME_M0_INTERSAD_HAAR; /* VME-120, VME-214 */
   /* VME-195: phases that did not come cannot be taken. */
   v->stream_in =
       v->inter && v->d.stream_in_enable && v->m->mlen >= BASIC_PHASES + (v->dual ? 4u : 2u);
}

/* VME-138, VME-139, VME-190, VME-200: source, reference 0 and 1 follow one another. */
static void
bind_plane(struct vme *v, unsigned which, bool field, unsigned polarity)
{
   const struct eu_env *env = v->t->env;
   struct vme_plane *p = &v->plane[which];
   struct media_surface s;
   uint32_t entry, bti = v->d.binding_table_index + which;
   uint32_t at = env->surface_state_base + v->t->binding_table + 4 * bti;
   p->field = field;
   p->polarity = (uint8_t)polarity;
   p->height = 1;
   if (!mem_read(env->space, at, &entry, 4)) {
      vme_report(v, PERGOLA_ERROR, "VME-138", "Binding Table Index",
                 "binding table entry %u at 0x%08x is not mapped", bti, at);
      return;
   }
   uint32_t state =
       env->surface_state_base + (entry & GEN7_BINDING_TABLE_STATE__SURFACE_STATE_POINTER);
   if (!media_surface_get(env->dev->surfaces, env->space, state, &s)) {
      vme_report(v, PERGOLA_ERROR, "VME-139", "Binding Table Index",
                 "the surface state of entry %u at 0x%08x is not mapped", bti, state);
      return;
   }
   if (rules_on(env->dev))
      media_surface_report(&s, MEDIA_VME, v->t, v->m);
   p->ok = media_surface_plane(&s, MEDIA_PLANE_Y, &p->plane);
   p->height = field && s.height > 1 ? s.height / 2u : s.height; /* VME-193 */
}

static bool
needs_reference1(const struct vme *v)
{
   uint32_t centers = v->m0.skiptype ? 0xaa : 0x02; /* VME-181, VME-248 */
   return v->dual || (v->m1.skipmodeen && v->m1.skipcentermask & centers);
}

static void
load_window(struct vme *v, unsigned r, int32_t x, int32_t y)
{
   struct vme_window *w = &v->window[r];
   w->x = x;
   w->y = y;
   vme_fetch(v, 1 + r, (int32_t)v->m0.srcx + x, (int32_t)v->m0.srcy + y, v->ref_w, v->ref_h,
             w->px + VME_ORIGIN, VME_STRIDE);
   vme_window_extend(w, v->ref_w, v->ref_h);
}

/* VME-044, VME-234, VME-235, VME-241 … VME-246, VME-309 */
static void
load_pixels(struct vme *v)
{
   bind_plane(v, 0, v->m0.srcaccess, v->m1.srcfieldpolarity);
   vme_fetch(v, 0, (int32_t)v->m0.srcx, (int32_t)v->m0.srcy, 16, 16, v->src, 16);
   if (!v->inter)
      return;
   bind_plane(v, 1, v->m0.refaccess, v->m1.ref0fieldpolarity);
   load_window(v, 0, v->m0.ref0x, v->m0.ref0y);
   if (!needs_reference1(v))
      return;
   bind_plane(v, 2, v->m0.refaccess, v->m1.ref1fieldpolarity);
   if (v->dual)
      load_window(v, 1, v->m0.ref1x, v->m0.ref1y);
}

/* VME-140 … VME-142 */
static void
load_state(struct vme *v, uint32_t dw[32])
{
   const struct eu_env *env = v->t->env;
   uint32_t at =
       env->dynamic_state_base + v->t->sampler_states + 128 * v->d.search_path_lut_state_index;
   if (!mem_read(env->space, at, dw, 128))
      vme_report(v, PERGOLA_ERROR, "VME-142", "VME_SEARCH_PATH_LUT State Index",
                 "the state at 0x%08x is not mapped", at);
   vme_state_unpack(v, dw);
}

static void
tell(const struct vme *v, const char *text, const uint32_t *dwords, uint32_t count)
{
   struct pergola_device *dev = v->t->env->dev;
   struct pergola_event e = {.kind = PERGOLA_EVENT_VME,
                             .engine = "EU",
                             .time_ns = dev->time_ns,
                             .a = v->m0.srcx | v->m0.srcy << 16,
                             .b = v->t->id,
                             .text = text,
                             .dwords = dwords,
                             .count = count};
   trace_emit(&dev->trace, &e);
}

static void
say(void *data, const char *text)
{
   tell(data, text, NULL, 0);
}

static void
tell_registers(const struct vme *v, const char *letter, uint32_t regs[][8], unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      char name[16];
      snprintf(name, sizeof(name), "%s%u", letter, i);
      tell(v, name, regs[i], 8);
   }
}

/* All that was sent, to the bit: with the pictures it is the request again. */
static void
tell_message(struct vme *v, const uint32_t state[32])
{
   tell(v, "descriptor", &v->m->desc, 1);
   tell_registers(v, "M", v->in, v->m->mlen < 9 ? v->m->mlen : 9);
   tell(v, "state", state, 32);
}

static void
answer(struct vme *v)
{
   uint32_t out[10][8], state[32];
   struct vme_tell listener = {say, v};
   if (trace_wants(&v->t->env->dev->trace, PERGOLA_EVENT_VME))
      v->tell = &listener;
   load_state(v, state);
   load_pixels(v);
   if (rules_on(v->t->env->dev))
      vme_check_request(v, state);
   if (v->tell) {
      tell_message(v, state);
      vme_tell_request(v);
   }
   vme_run(v);
   unsigned regs = vme_result(v, out);
   if (v->tell)
      tell_registers(v, "W", out, regs);
   if (!v->m->response)
      return;
   unsigned n = v->m->rlen < regs ? v->m->rlen : regs;
   memset(v->m->response, 0, (size_t)v->m->rlen * EU_REG_SIZE);
   memcpy(v->m->response, out, n * sizeof(out[0]));
}

enum sf_status
sf_vme(struct eu_thread *t, const struct sf_message *m)
{
   struct vme v;
   memset(&v, 0, offsetof(struct vme, src));
   v.t = t;
   v.m = m;
   unsigned phases = m->mlen < 9 ? m->mlen : 9;
   gen7_vme_message_descriptor_unpack(&v.d, &m->desc);
   memcpy(v.in, m->payload, phases * sizeof(v.in[0])); /* may lie where the response goes */
   take_fields(&v);
   if (rules_on(t->env->dev))
      vme_check_message(&v);
   if (m->eot) { /* VME-188: reported; nobody would take the answer */
      if (m->response)
         memset(m->response, 0, (size_t)m->rlen * EU_REG_SIZE);
      return SF_OK;
   }
   answer(&v);
   eu_thread_owes(t, VME_COST);
   return SF_OK;
}
