/* Rules about what has to stand between draws: stalls before state that earlier draws still use.
 * Here every draw is over before the next command is read, so that nothing goes wrong without them;
 * a chip may hang. */
#include "cs/cs_internal.h"

#define DEPTH_COMMANDS 4u

static bool
is_ivy_bridge(const struct cs *cs)
{
   return cs->dev->hw_device == HW_IVB;
}

/* P3D-019: what the vertex shader is set to. */
static bool
is_vertex_state(unsigned id)
{
   return id == GEN7_3DSTATE_VS_ID || id == GEN7_3DSTATE_URB_VS_ID ||
          id == GEN7_3DSTATE_CONSTANT_VS_ID || id == GEN7_3DSTATE_BINDING_TABLE_POINTERS_VS_ID ||
          id == GEN7_3DSTATE_SAMPLER_STATE_POINTERS_VS_ID;
}

/* P3D-022: a bit for each command of the depth buffer; 0: it is none of them. */
static unsigned
depth_command(unsigned id)
{
   return id == GEN7_3DSTATE_DEPTH_BUFFER_ID        ? 1
          : id == GEN7_3DSTATE_STENCIL_BUFFER_ID    ? 2
          : id == GEN7_3DSTATE_HIER_DEPTH_BUFFER_ID ? 4
          : id == GEN7_3DSTATE_CLEAR_PARAMS_ID      ? 8
                                                    : 0;
}

void
cs_order_state(struct cs *cs, unsigned id)
{
   struct cs_order *o = &cs->order;
   if (is_vertex_state(id) && is_ivy_bridge(cs) && o->drawn && !o->vertex_stall) {
      cs_report(cs, PERGOLA_WARNING, "P3D-019", NULL,
                "vertex shader state behind a draw, without a PIPE_CONTROL with Depth Stall Enable "
                "and a post-sync operation between them");
      o->vertex_stall = true; /* once a draw */
   }
   if (id == GEN7_3DSTATE_PUSH_CONSTANT_ALLOC_PS_ID)
      o->allocated = is_ivy_bridge(cs);
   unsigned depth = depth_command(id);
   if (depth && !o->depth_given && o->drawn_with_depth && o->depth_steps < 3)
      cs_report(cs, PERGOLA_WARNING, "P3D-022", NULL,
                "a depth buffer behind draws with another, without depth stall, depth cache flush "
                "and depth stall between them");
   o->depth_given |= (uint8_t)depth;
}

void
cs_order_pipe_control(struct cs *cs, uint32_t flags)
{
   struct cs_order *o = &cs->order;
   bool depth_stall = flags & GEN7_PIPE_CONTROL__DEPTH_STALL_ENABLE,
        depth_flush = flags & GEN7_PIPE_CONTROL__DEPTH_CACHE_FLUSH_ENABLE;
   if (depth_stall && flags & GEN7_PIPE_CONTROL__POST_SYNC_OPERATION)
      o->vertex_stall = true;
   if (flags & GEN7_PIPE_CONTROL__COMMAND_STREAMER_STALL_ENABLE) {
      o->stalled = true;
      o->allocated = false;
   }
   if (o->depth_steps == 1 ? depth_flush : depth_stall && o->depth_steps < 3)
      o->depth_steps++;
}

static bool
geometry_enabled(const struct cs *cs)
{
   struct hw_3dstate_gs gs;
   const struct cs_slot *s = &cs->slots[GEN7_3DSTATE_GS_ID];
   if (!s->count)
      return false;
   gen7_3dstate_gs_unpack(&gs, s->dw);
   return gs.enable;
}

static bool
has_depth(const struct cs *cs)
{
   struct hw_3dstate_depth_buffer depth;
   const struct cs_slot *s = &cs->slots[GEN7_3DSTATE_DEPTH_BUFFER_ID];
   if (!s->count)
      return false;
   gen7_3dstate_depth_buffer_unpack(&depth, s->dw);
   return depth.surface_type != GEN7_3DSTATE_DEPTH_BUFFER_SURFACE_TYPE_NULL;
}

void
cs_order_draw(struct cs *cs)
{
   struct cs_order *o = &cs->order;
   bool gs = geometry_enabled(cs);
   if (o->allocated)
      cs_report(cs, PERGOLA_WARNING, "P3D-020", NULL,
                "3DSTATE_PUSH_CONSTANT_ALLOC_PS without a PIPE_CONTROL with Command Streamer Stall "
                "Enable behind it");
   if (o->drawn && gs != o->geometry && !o->stalled && is_ivy_bridge(cs) &&
       cs->dev->sku.half_slices == 2)
      cs_report(
          cs, PERGOLA_WARNING, "P3D-021", NULL,
          "the geometry shader is %s since the last draw, without a PIPE_CONTROL with Command "
          "Streamer Stall Enable between them",
          gs ? "on" : "off");
   unsigned given = (unsigned)__builtin_popcount(o->depth_given);
   if (given && given < DEPTH_COMMANDS)
      cs_report(cs, PERGOLA_WARNING, "P3D-022", NULL,
                "only %u of the four commands of a depth buffer since the last draw", given);
   *o = (struct cs_order){.drawn = true, .drawn_with_depth = has_depth(cs), .geometry = gs};
}
