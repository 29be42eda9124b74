/* Rules about what several commands say together, looked at when a draw begins. */
#include "render/draw.h"

#include "rules/plural.h"

#define URB_COMMANDS 4u
#define AREA_UNIT 8192u

/* ---- clip and setup ---------------------------------------------------------------------------
 */

/* P3D-201 */
static void
check_clip_and_sf(struct render *r)
{
   const struct hw_3dstate_clip *c = &r->state.clip;
   const struct hw_3dstate_sf *f = &r->state.sf;
   if (!c->clip_enable)
      return;
   bool culls = c->early_cull_enable &&
                (c->front_winding != f->front_winding || c->cull_mode != f->cull_mode);
   bool provokes =
       c->triangle_strip_list_provoking_vertex_select !=
           f->triangle_strip_list_provoking_vertex_select ||
       c->line_strip_list_provoking_vertex_select != f->line_strip_list_provoking_vertex_select ||
       c->triangle_fan_provoking_vertex_select != f->triangle_fan_provoking_vertex_select;
   if (culls || provokes)
      render_report(r, PERGOLA_ERROR, "P3D-201", "3DSTATE_CLIP and 3DSTATE_SF differ in %s",
                    culls ? "winding or cull mode" : "provoking vertices");
}

/* ---- constants --------------------------------------------------------------------------------
 */

#define CONSTANT_ROWS 64u /* of a stage: the most */

/* P3D-083. allocation: the command that says how much room there is. */
static void
check_constants(struct render *r, const char *stage, const uint32_t length[4], unsigned allocation)
{
   uint32_t sum = length[0] + length[1] + length[2] + length[3], count;
   const uint32_t *dw = cs_state_command(r->dev, allocation, &count);
   uint32_t room = dw && count > 1
                       ? (dw[1] & GEN7_3DSTATE_PUSH_CONSTANT_ALLOC_PS__CONSTANT_BUFFER_SIZE) * 1024
                       : CONSTANT_ROWS * EU_REG_SIZE;
   if (sum > CONSTANT_ROWS)
      render_report(r, PERGOLA_ERROR, "P3D-083", "%s: %u registers of constants; %u can be", stage,
                    sum, CONSTANT_ROWS);
   else if (sum * EU_REG_SIZE > room)
      render_report(r, PERGOLA_ERROR, "P3D-083",
                    "%s: %u register%s of constants, %u bytes are allocated", stage, sum,
                    plural(sum), room);
   for (unsigned i = 1; i < 4; i++)
      if (length[i] && !length[i - 1])
         render_report(r, PERGOLA_WARNING, "P3D-083", "%s: constant buffer %u is used, %u is not",
                       stage, i, i - 1);
}

#define LENGTHS(c)                                                                                 \
   {                                                                                               \
      (c)->constant_buffer_0_read_length, (c)->constant_buffer_1_read_length,                      \
          (c)->constant_buffer_2_read_length, (c)->constant_buffer_3_read_length                   \
   }

static void
check_all_constants(struct render *r)
{
   const uint32_t vs[4] = LENGTHS(&r->state.constant_vs), ps[4] = LENGTHS(&r->state.constant_ps);
   if (r->state.vs.enable)
      check_constants(r, "3DSTATE_CONSTANT_VS", vs, GEN7_3DSTATE_PUSH_CONSTANT_ALLOC_VS_ID);
   if (r->state.wm.thread_dispatch_enable)
      check_constants(r, "3DSTATE_CONSTANT_PS", ps, GEN7_3DSTATE_PUSH_CONSTANT_ALLOC_PS_ID);
}

/* ---- the URB ----------------------------------------------------------------------------------
 */

static const struct {
   const char *name;
   unsigned id;
} urb_commands[URB_COMMANDS] = {{"3DSTATE_URB_VS", GEN7_3DSTATE_URB_VS_ID},
                                {"3DSTATE_URB_HS", GEN7_3DSTATE_URB_HS_ID},
                                {"3DSTATE_URB_DS", GEN7_3DSTATE_URB_DS_ID},
                                {"3DSTATE_URB_GS", GEN7_3DSTATE_URB_GS_ID}};

/* P3D-075 */
static void
check_together(struct render *r)
{
   unsigned given = 0;
   for (unsigned i = 0; i < URB_COMMANDS; i++) {
      uint32_t stamp = cs_state_stamp(r->dev, urb_commands[i].id);
      given += stamp != r->urb_stamp[i];
      r->urb_stamp[i] = stamp;
   }
   if (given && given < URB_COMMANDS)
      render_report(r, PERGOLA_WARNING, "P3D-075",
                    "only %u of the four 3DSTATE_URB commands since the last draw", given);
}

struct area {
   uint32_t start, end; /* bytes; the end is excluded */
};

/* The four have one layout. */
static struct area
area_of(const struct render *r, unsigned n)
{
   struct hw_3dstate_urb_vs u;
   uint32_t count;
   const uint32_t *dw = cs_state_command(r->dev, urb_commands[n].id, &count);
   if (!dw || count < 2)
      return (struct area){0, 0};
   gen7_3dstate_urb_vs_unpack(&u, dw);
   uint32_t start = u.urb_starting_address * AREA_UNIT;
   return (struct area){start,
                        start + u.number_of_urb_entries * (u.urb_entry_allocation_size + 1) * 64u};
}

/* P3D-073 */
static void
check_overlap(struct render *r)
{
   struct area a[URB_COMMANDS];
   for (unsigned i = 0; i < URB_COMMANDS; i++) {
      a[i] = area_of(r, i);
      for (unsigned k = 0; k < i; k++)
         if (a[i].start < a[k].end && a[k].start < a[i].end)
            render_report(r, PERGOLA_ERROR, "P3D-073", "%s and %s overlap", urb_commands[k].name,
                          urb_commands[i].name);
   }
}

/* P3D-368. The rest of it is seen in setup and in messages (pixel_clear.c). */
static void
check_fast_clear(struct render *r)
{
   if (r->state.ps.render_target_fast_clear_enable &&
       r->primitive.primitive_topology_type != RECTLIST)
      render_report(r, PERGOLA_ERROR, "P3D-368", "a fast clear: it is drawn by RECTLIST");
}

void
rules_check_draw(struct render *r)
{
   if (!rules_on(r->dev))
      return;
   check_fast_clear(r);
   check_clip_and_sf(r);
   check_all_constants(r);
   check_together(r);
   check_overlap(r);
}
