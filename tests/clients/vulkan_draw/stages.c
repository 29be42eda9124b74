/* Scenes of the stages between vertices and pixels: geometry, tessellation, transform feedback. */
#include "vk_draw.h"

#include <string.h>

#define EDGES 16
#define LINES                                                                                      \
   90 /* of many lines in all directions, where lavapipe's rule is not that of diamonds */

/* ---- geometry ----------------------------------------------------------------------------------
 */

struct geometry {
   const struct code *gs;
   VkPrimitiveTopology topology;
   unsigned vertices, viewports;
};

static void
geometry(struct draw *d)
{
   static const float pushed[8] = {0.7f, 0.8f, 1, 1, 0.2f, 0.1f, 0, 0.5f};
   static const VkViewport part[4] = {
       {0, 0, 64, 64, 0, 1}, {64, 0, 60, 64, 0, 1}, {0, 64, 64, 50, 0, 1}, {64, 64, 64, 64, 0, 1}};
   static const VkRect2D all[4] = {{{0, 0}, {SIZE, SIZE}},
                                   {{0, 0}, {SIZE, SIZE}},
                                   {{0, 0}, {SIZE, SIZE}},
                                   {{0, 0}, {SIZE, SIZE}}};
   const struct geometry *g = d->data;
   struct point p[32];
   ring(p, g->vertices, 0.8f);
   begin(d);
   look(d, &(struct look){.gs = g->gs,
                          .topology = g->topology,
                          .points = g->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                          .viewports = g->viewports,
                          .viewport = g->viewports ? part : NULL,
                          .scissor = g->viewports ? all : NULL});
   push(d, pushed, sizeof(pushed));
   vertices(d, p, g->vertices * sizeof(p[0]));
   vkCmdDraw(d->cb, g->vertices, 1, 0, 0);
}

#define GEOMETRY(code, topology, ...)                                                              \
   &(const struct geometry)                                                                        \
   {                                                                                               \
      &geom_##code, VK_PRIMITIVE_TOPOLOGY_##topology, __VA_ARGS__                                  \
   }

/* ---- tessellation ------------------------------------------------------------------------------
 */

struct tessellation {
   const struct code *tcs, *tes, *gs;
   unsigned vertices, patches;
   float outer[4], inner[4];
};

static void
tessellation(struct draw *d)
{
   const struct tessellation *t = d->data;
   struct point p[64];
   ring(p, t->vertices * t->patches, 0.9f);
   begin(d);
   look(d, &(struct look){.tcs = t->tcs,
                          .tes = t->tes,
                          .gs = t->gs,
                          .patch = t->vertices,
                          .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST});
   push(d, t->outer, 32);
   vertices(d, p, t->vertices * t->patches * sizeof(p[0]));
   vkCmdDraw(d->cb, t->vertices * t->patches, 1, 0, 0);
}

#define TESSELLATION(tcs, tes, gs, ...)                                                            \
   &(const struct tessellation)                                                                    \
   {                                                                                               \
      &tesc_##tcs, &tese_##tes, gs, __VA_ARGS__                                                    \
   }

/* ---- transform feedback ------------------------------------------------------------------------
 */

/* What the vertex shader makes is written, then drawn from there, smaller. */
static void
feedback(struct draw *d)
{
   PFN_vkCmdBindTransformFeedbackBuffersEXT bind =
       (PFN_vkCmdBindTransformFeedbackBuffersEXT)(void *)vkGetDeviceProcAddr(
           d->vk->device, "vkCmdBindTransformFeedbackBuffersEXT");
   PFN_vkCmdBeginTransformFeedbackEXT start =
       (PFN_vkCmdBeginTransformFeedbackEXT)(void *)vkGetDeviceProcAddr(
           d->vk->device, "vkCmdBeginTransformFeedbackEXT");
   PFN_vkCmdEndTransformFeedbackEXT stop =
       (PFN_vkCmdEndTransformFeedbackEXT)(void *)vkGetDeviceProcAddr(
           d->vk->device, "vkCmdEndTransformFeedbackEXT");
   const VkDeviceSize zero = 0, size = 36 * sizeof(struct point);
   struct point p[13], empty[36];
   memset(empty, 0, sizeof(empty));
   VkBuffer out = buffer_of(d, empty, sizeof(empty));
   ring(p, 13, 0.8f);
   begin(d);
   look(d, &(struct look){.vs = &vert_feedback,
                          .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                          .discard = true});
   vertices(d, p, sizeof(p));
   bind(d->cb, 0, 1, &out, &zero, &size);
   start(d->cb, 0, 0, NULL, NULL);
   vkCmdDraw(d->cb, 13, 1, 0, 0);
   stop(d->cb, 0, 0, NULL, NULL);
   end(d);
   const VkMemoryBarrier written = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT,
                                    .dstAccessMask = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT};
   vkCmdPipelineBarrier(d->cb, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                        VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, 0, 1, &written, 0, NULL, 0, NULL);
   begin(d);
   look(d, &(struct look){0});
   vkCmdBindVertexBuffers(d->cb, 0, 1, &out, &zero);
   vkCmdDraw(d->cb, 33, 1, 0, 0);
}

const struct scene stage_scenes[] = {
    {"geometry_pass", geometry, 1, EDGES, GEOMETRY(pass, TRIANGLE_LIST, 12), .rows = "P3D-136"},
    {"geometry_shrink_strip", geometry, 1, EDGES, GEOMETRY(shrink, TRIANGLE_STRIP, 9)},
    {"geometry_shrink_fan", geometry, 1, EDGES, GEOMETRY(shrink, TRIANGLE_FAN, 9)},
    {"geometry_quads", geometry, 1, EDGES, GEOMETRY(quads, POINT_LIST, 13)},
    {"geometry_invocations", geometry, 1, EDGES, GEOMETRY(fan, POINT_LIST, 9)},
    {"geometry_bands", geometry, 1, EDGES, GEOMETRY(band, LINE_STRIP, 9)},
    {"geometry_line_adjacency", geometry, 1, EDGES,
     GEOMETRY(lines_near, LINE_LIST_WITH_ADJACENCY, 12)},
    {"geometry_triangle_adjacency", geometry, 1, EDGES,
     GEOMETRY(triangles_near, TRIANGLE_LIST_WITH_ADJACENCY, 12)},
    {"geometry_outline", geometry, 3, LINES, GEOMETRY(outline, TRIANGLE_LIST, 9)},
    {"geometry_dots", geometry, 1, EDGES, GEOMETRY(dots, TRIANGLE_LIST, 9)},
    {"geometry_numbers", geometry, 1, EDGES, GEOMETRY(numbers, TRIANGLE_FAN, 10)},
    {"geometry_pushed", geometry, 1, EDGES, GEOMETRY(pushed, TRIANGLE_LIST, 9)},
    {"geometry_viewports", geometry, 1, EDGES, GEOMETRY(viewports, TRIANGLE_LIST, 6, 4)},
    {"tessellation_quad", tessellation, 1, EDGES,
     TESSELLATION(quad, quad, NULL, 4, 2, {3, 4, 5, 6}, {4, 5})},
    {"tessellation_quad_odd", tessellation, 1, EDGES,
     TESSELLATION(quad, quad_odd, NULL, 4, 1, {3.5f, 4.1f, 5.7f, 1.2f}, {4.4f, 5.6f})},
    {"tessellation_quad_even", tessellation, 1, EDGES,
     TESSELLATION(quad, quad_even, NULL, 4, 1, {3.5f, 4.1f, 5.7f, 1.2f}, {4.4f, 7.6f})},
    {"tessellation_tri", tessellation, 1, EDGES,
     TESSELLATION(tri, tri, NULL, 3, 3, {3, 4, 5, 1}, {6, 1})},
    {"tessellation_tri_odd", tessellation, 1, EDGES,
     TESSELLATION(tri, tri_odd, NULL, 3, 2, {3.3f, 4.2f, 1, 1}, {5.5f, 1})},
    {"tessellation_tri_even", tessellation, 1, EDGES,
     TESSELLATION(tri, tri_even, NULL, 3, 2, {3.3f, 4.2f, 1, 1}, {5.5f, 1})},
    {"tessellation_tri_cw", tessellation, 1, EDGES,
     TESSELLATION(tri, tri_cw, NULL, 3, 1, {3, 2, 5, 1}, {3, 1})},
    {"tessellation_lines", tessellation, 2, LINES,
     TESSELLATION(quad, lines, NULL, 4, 1, {7, 9, 1, 1}, {1, 1})},
    {"tessellation_dots", tessellation, 1, EDGES,
     TESSELLATION(quad, dots, NULL, 4, 1, {5, 3, 4, 6}, {3, 6})},
    {"tessellation_barrier", tessellation, 2, EDGES,
     TESSELLATION(many, many, NULL, 32, 1, {8, 8, 8, 8}, {8, 8})},
    {"tessellation_geometry", tessellation, 1, 2 * EDGES,
     TESSELLATION(quad, quad, &geom_shrink, 4, 1, {3, 4, 5, 6}, {4, 5})},
    {"feedback", feedback, 1, EDGES, NULL, .rows = "P3D-165",
     .extension = "VK_EXT_transform_feedback"},
    {0},
};
