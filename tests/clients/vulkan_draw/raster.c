/* Scenes of clipping, setup and the windower. */
#include "vk_draw.h"

#include <math.h>
#include <string.h>

#define EDGES 12

/* Two triangles, one of each winding. */
static void
both_windings(struct draw *d)
{
   static const struct point p[6] = {
       {{-0.9f, -0.7f, 0.2f, 1}, {1, 0, 0, 1}}, {{0, -0.8f, 0.3f, 1}, {0, 1, 0, 1}},
       {{-0.4f, 0.8f, 0.8f, 1}, {0, 0, 1, 1}},  {{0.1f, -0.6f, 0.1f, 1}, {1, 1, 0, 1}},
       {{0.5f, 0.8f, 0.9f, 1}, {0, 1, 1, 1}},   {{0.9f, -0.7f, 0.4f, 1}, {1, 0, 1, 1}}};
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 6, 1, 0, 0);
}

static void
windings(struct draw *d)
{
   begin(d);
   look(d, d->data);
   both_windings(d);
}
static const struct look cull_back = {.cull = VK_CULL_MODE_BACK_BIT},
                         cull_front = {.cull = VK_CULL_MODE_FRONT_BIT},
                         cull_clockwise = {.cull = VK_CULL_MODE_BACK_BIT,
                                           .front = VK_FRONT_FACE_CLOCKWISE},
                         cull_all = {.cull = VK_CULL_MODE_FRONT_AND_BACK},
                         facing = {.fs = &frag_facing},
                         wireframe = {.polygon = VK_POLYGON_MODE_LINE},
                         corners = {.polygon = VK_POLYGON_MODE_POINT},
                         discarded = {.discard = true}, flat = {.fs = &frag_flat},
                         primitive_id = {.fs = &frag_primitive}, clip = {.vs = &vert_clip},
                         cull = {.vs = &vert_cull}, centroid = {.fs = &frag_centroid};
static const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT last_vertex = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
    .provokingVertexMode = VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT};
static const struct look provoking_last = {.fs = &frag_flat, .raster_next = &last_vertex};

/* A floor that goes through the eye and behind it. */
static void
floor_triangles(struct draw *d)
{
   static const float at[6][3] = {{-9, 1, -3},     {9, 1, -3},  {2, 1, 20},
                                  {-3, -1.5f, -2}, {5, -1, -4}, {-1, -0.7f, 15}};
   static const float colors[3][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
   struct point p[6];
   for (unsigned i = 0; i < 6; i++) {
      float z = at[i][2], near = 0.5f, far = 10;
      p[i] = (struct point){
          .p = {at[i][0] * 1.4f, at[i][1] * 1.4f, far / (far - near) * (z - near), z}};
      memcpy(p[i].c, colors[i % 3], 16);
   }
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 6, 1, 0, 0);
}
static void
floor_scene(struct draw *d)
{
   begin(d);
   look(d, d->data);
   floor_triangles(d);
}
static const struct look plain = {0}, clamped = {.clamp = true},
                         coordinates_of = {.fs = &frag_fragcoord},
                         floor_lines = {.polygon = VK_POLYGON_MODE_LINE};

/* All of it in front of the eye: behind it, values that are linear on the screen have no meaning.
 */
static void
affine(struct draw *d)
{
   static const struct point p[3] = {{{-1.5f, -0.9f, 0.5f, 1}, {1, 0, 0, 1}},
                                     {{3, -2, 4.5f, 4}, {0, 1, 0, 1}}, /* beyond the far plane */
                                     {{0.5f, 1.9f, 1, 2}, {0, 0, 1, 1}}};
   begin(d);
   look(d, &(struct look){.fs = &frag_affine});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 3, 1, 0, 0);
}

static void
giant(struct draw *d)
{
   static const struct point p[3] = {{{-5000, -4000, 0.5f, 1}, {1, 0, 0, 1}},
                                     {{6000, -3000, 0.5f, 1}, {0, 1, 0, 1}},
                                     {{100, 7000, 0.5f, 1}, {0, 0, 1, 1}}};
   begin(d);
   look(d, &(struct look){0});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 3, 1, 0, 0);
}

/* ---- points and lines --------------------------------------------------------------------------
 */

static void
point_sizes(struct draw *d)
{
   struct point p[9];
   float v[8] = {7.5f, 0};
   ring(p, 9, 0.7f);
   for (unsigned i = 0; i < 9; i++)
      p[i].c[3] = (float)i / 3;
   begin(d);
   look(d, &(struct look){.vs = &vert_points, .fs = d->data, .points = true});
   push(d, v, sizeof(v));
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 9, 1, 0, 0);
}

/* Lines along the axes: others differ by rules that the API leaves open. */
static void
wide_lines(struct draw *d)
{
   struct point p[8];
   for (unsigned i = 0; i < 8; i++) {
      float at = -0.7f + 0.45f * (float)(i / 2 % 2), to = i & 1 ? 0.8f : -0.8f;
      p[i] = (struct point){.p = {i < 4 ? at : to, i < 4 ? to : at + 0.5f, 0.5f, 1},
                            .c = {i & 1, (float)i / 8, 1, 1}};
   }
   begin(d);
   look(d, &(struct look){.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST, .line_width = 5});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 8, 1, 0, 0);
}

/* By Bresenham's rule, from the middle outwards; dashes along the axes, from edge to edge of
 * pixels, as the peer measures other lines by their length. */
static void
bresenham(struct draw *d)
{
   const VkPipelineRasterizationLineStateCreateInfoEXT *rule = d->data;
   struct point p[48];
   ring(p, 48, 0.95f);
   for (unsigned i = 0; i < 48; i += 2)
      for (unsigned k = 0; k < 2; k++) {
         float *from = &p[i].p[k], *to = &p[i + 1].p[k];
         *from = 0.1f * *to;
         if (rule->stippledLineEnable && k == i / 2 % 2) {
            *from = *to = (floorf(*to * 64) + 0.5f) / 64;
         } else if (rule->stippledLineEnable) {
            *from = floorf(*from * 64) / 64;
            *to = floorf(*to * 64) / 64;
         }
      }
   begin(d);
   look(d, &(struct look){
               .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST, .fs = &frag_flat, .raster_next = rule});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 48, 1, 0, 0);
}
static const VkPipelineRasterizationLineStateCreateInfoEXT
    solid = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
             .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT},
    dashed = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
              .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
              .stippledLineEnable = true,
              .lineStippleFactor = 3,
              .lineStipplePattern = 0x5b17};

/* ---- viewports, scissors ------------------------------------------------------------------------
 */

static void
viewport(struct draw *d)
{
   begin(d);
   look(d, &(struct look){.viewport = d->data});
   triangle(d);
}
static const VkViewport lower_right = {40.5f, 50.25f, 70, 60, 0, 1},
                        upside_down = {0, SIZE, SIZE, -(float)SIZE, 0, 1};

static void
scissor(struct draw *d)
{
   static const VkRect2D inner = {{30, 20}, {70, 77}};
   begin(d);
   look(d, &(struct look){.scissor = &inner});
   triangle(d);
}

static void
viewports(struct draw *d)
{
   static const VkViewport v[4] = {
       {0, 0, 64, 64, 0, 1}, {64, 0, 64, 64, 0, 1}, {0, 64, 64, 64, 0, 1}, {50, 50, 78, 78, 0, 1}};
   static const VkRect2D s[4] = {
       {{0, 0}, {64, 64}}, {{70, 10}, {30, 100}}, {{5, 64}, {64, 50}}, {{0, 0}, {128, 128}}};
   struct point p[12];
   for (unsigned i = 0; i < 4; i++)
      ring(p + 3 * i, 3, 0.9f);
   begin(d);
   look(d, &(struct look){.vs = &vert_viewport, .viewports = 4, .viewport = v, .scissor = s});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 12, 1, 0, 0);
}

static void
dynamic(struct draw *d)
{
   static const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
   static const VkViewport v[2] = {{0, 0, 64, SIZE, 0, 1}, {64, 32, 64, 64, 0, 1}};
   static const VkRect2D s[2] = {{{0, 0}, {128, 100}}, {{64, 50}, {50, 78}}};
   begin(d);
   look(d, &(struct look){.dynamic = states, .dynamics = 2});
   for (unsigned i = 0; i < 2; i++) {
      vkCmdSetViewport(d->cb, 0, 1, &v[i]);
      vkCmdSetScissor(d->cb, 0, 1, &s[i]);
      triangle(d);
   }
}

/* ---- depth bias ---------------------------------------------------------------------------------
 */

/* Two copies of a shape in the same plane: the second is seen where the bias pulls it nearer. */
static void
biased(struct draw *d)
{
   begin(d);
   look(d, &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_LESS});
   triangle(d);
   look(d, d->data);
   triangle(d);
}
#define BIASED .test = true, .compare = VK_COMPARE_OP_LESS, .fs = &frag_facing, .bias = true
static const struct look bias_nearer = {BIASED, .bias_constant = -4},
                         bias_away = {BIASED, .bias_constant = 4},
                         bias_slope = {BIASED, .bias_slope = -1.5f},
                         bias_clamp = {BIASED, .bias_constant = -1e6f, .bias_clamp = -0.01f},
                         bias_lines = {BIASED, .bias_constant = -400,
                                       .polygon = VK_POLYGON_MODE_LINE},
                         bias_no_lines = {BIASED, .bias_constant = 400,
                                          .polygon = VK_POLYGON_MODE_LINE};

#define WINDINGS(name)                                                                             \
   {                                                                                               \
#name, windings, 1, EDGES, &name                                                             \
   }
#define D24 VK_FORMAT_X8_D24_UNORM_PACK32
const struct scene raster_scenes[] = {
    WINDINGS(cull_back),
    WINDINGS(cull_front),
    WINDINGS(cull_clockwise),
    WINDINGS(cull_all),
    WINDINGS(facing),
    {"wireframe", windings, 1, 24, &wireframe},
    {"corners", windings, 1, 0, &corners},
    WINDINGS(discarded),
    WINDINGS(flat),
    WINDINGS(primitive_id),
    WINDINGS(clip),
    WINDINGS(cull),
    WINDINGS(centroid),
    {"provoking_last", windings, 1, EDGES, &provoking_last,
     .extension = VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME},
    {"clip_planes", floor_scene, 1, 24, &plain},
    {"depth_clamp", floor_scene, 1, 24, &clamped},
    {"noperspective", affine, 1, EDGES},
    {"fragcoord", floor_scene, 1, 24, &coordinates_of},
    {"clipped_wireframe", floor_scene, 1, 40, &floor_lines, .rows = "P3D-193"},
    {"giant", giant, 1, EDGES},
    {"point_sizes", point_sizes, 1, EDGES, &frag_colored},
    {"point_coordinates", point_sizes, 1, EDGES, &frag_pointcoord},
    {"wide_lines", wide_lines, 1, EDGES},
    {"lines_bresenham", bresenham, 1, 24, &solid},
    {"lines_stippled", bresenham, 1, 0, &dashed, .rows = "P3D-236"},
    {"viewport", viewport, 1, EDGES, &lower_right},
    {"viewport_upside_down", viewport, 1, EDGES, &upside_down},
    {"scissor", scissor, 1, EDGES},
    {"viewports", viewports, 1, EDGES},
    {"dynamic_viewport", dynamic, 1, EDGES},
    {"depth_bias_nearer", biased, 1, EDGES, &bias_nearer, .depth = D24},
    {"depth_bias_away", biased, 1, EDGES, &bias_away, .depth = D24},
    {"depth_bias_slope", biased, 1, EDGES, &bias_slope, .depth = D24},
    {"depth_bias_clamp", biased, 1, EDGES, &bias_clamp, .depth = D24},
    {"depth_bias_lines", biased, 1, 24, &bias_lines, .depth = D24, .rows = "P3D-222"},
    {"depth_bias_no_lines", biased, 1, EDGES, &bias_no_lines, .depth = D24, .rows = "P3D-222"},
    {0}};
