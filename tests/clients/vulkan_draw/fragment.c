/* Scenes of fragment shaders, and what they count. */
#include "vk_draw.h"

#define EDGES 12

static void
triangle_by(struct draw *d)
{
   begin(d);
   look(d, &(struct look){.fs = d->data});
   triangle(d);
}

static void
quad_by(struct draw *d)
{
   static const float left[4] = {-1.8f, -0.2f, 0.1f, 1}, right[4] = {0.6f, 0.9f, 0.7f, 1};
   begin(d);
   look(d, &(struct look){.fs = d->data});
   quad(d, -0.95f, -0.95f, 0.95f, 0.95f, 0.5f, left, right);
}

static void
fractal(struct draw *d)
{
   const struct point p[4] = {{{-1, -1, 0.5f, 1}, {-2, -1.2f}},
                              {{1, -1, 0.5f, 1}, {0.6f, -1.2f}},
                              {{-1, 1, 0.5f, 1}, {-2, 1.2f}},
                              {{1, 1, 0.5f, 1}, {0.6f, 1.2f}}};
   begin(d);
   look(d, &(struct look){.fs = &frag_loop, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 4, 1, 0, 0);
}

static void
specialised(struct draw *d)
{
   static const VkSpecializationMapEntry entry = {0, 0, 4};
   static const int32_t bands = 7;
   const VkSpecializationInfo info = {1, &entry, sizeof(bands), &bands};
   begin(d);
   look(d, &(struct look){.fs = &frag_bands, .spec = &info});
   triangle(d);
}

static void
pushed(struct draw *d)
{
   static const float v[8] = {-0.5f, 0.25f, 1, 0, 0.75f, 0.5f, 0, 1};
   begin(d);
   look(d, &(struct look){.fs = &frag_pushed});
   push(d, v, sizeof(v));
   triangle(d);
}

/* ---- counts become bars -------------------------------------------------------------------------
 */

static void
bar(struct draw *d, unsigned row, uint64_t value, uint64_t most)
{
   float x = -1 + 2 * (float)value / (float)most, y = -0.95f + 0.15f * (float)row;
   quad(d, -1, y, x, y + 0.1f, 0.5f, red, green);
}

/* Everything so far is done; the commands begin again. */
static void
finish(struct draw *d)
{
   end(d);
   vkc_finish(d->vk, d->cb);
   d->cb = vkc_begin(d->vk);
}

static void
stores(struct draw *d)
{
   struct vkc_buffer b = mapped(d, 64);
   begin(d);
   look(d, &(struct look){.fs = &frag_store});
   see(d, &(struct seen){.storage = b.buffer});
   quad(d, -0.5f, -0.5f, 0.5f, 0.25f, 0.5f, white, white); /* 64 by 48 pixels */
   quad(d, -1, 0, -0.5f, 1, 0.5f, white, white);           /* 32 by 64 */
   finish(d);
   uint32_t count = *(const uint32_t *)b.map;
   begin(d);
   look(d, &(struct look){0});
   bar(d, 0, count, 8192);
   for (unsigned i = 0; i < 13; i++) /* its bits too */
      bar(d, 1 + i, (count >> i & 1) + 1, 3);
}

static void
occlusion(struct draw *d)
{
   VkQueryPool pool;
   VkQueryPoolCreateInfo qpci = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                 .queryType = VK_QUERY_TYPE_OCCLUSION,
                                 .queryCount = 3};
   uint64_t result[3] = {0};
   VKC_CHECK(vkCreateQueryPool(d->vk->device, &qpci, NULL, &pool));
   vkCmdResetQueryPool(d->cb, pool, 0, 3);
   begin(d);
   look(d, &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_LESS});
   quad(d, -0.5f, -0.5f, 0.5f, 0.25f, 0.4f, white, half);
   for (unsigned i = 0; i < 3; i++) {
      vkCmdBeginQuery(d->cb, pool, i, VK_QUERY_CONTROL_PRECISE_BIT);
      if (i < 2)
         quad(d, -0.25f, -0.25f, 0.75f, 0.75f, i ? 0.2f : 0.5f, red, blue);
      vkCmdEndQuery(d->cb, pool, i);
   }
   finish(d);
   VKC_CHECK(vkGetQueryPoolResults(d->vk->device, pool, 0, 3, sizeof(result), result, 8,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
   begin(d);
   look(d, &(struct look){0});
   for (unsigned i = 0; i < 3; i++)
      bar(d, i, result[i], 8192);
}

/* Numbers that both drivers must count alike: vertices, primitives, invocations of the clipper. */
static void
statistics(struct draw *d)
{
   VkQueryPool pool;
   VkQueryPoolCreateInfo qpci = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                 .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
                                 .queryCount = 1,
                                 .pipelineStatistics =
                                     VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                                     VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
                                     VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
                                     VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |
                                     VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT |
                                     VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT};
   uint64_t result[6] = {0};
   struct point p[12];
   ring(p, 12, 0.9f);
   VKC_CHECK(vkCreateQueryPool(d->vk->device, &qpci, NULL, &pool));
   vkCmdResetQueryPool(d->cb, pool, 0, 1);
   begin(d);
   look(d, &(struct look){.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN});
   vertices(d, p, sizeof(p));
   vkCmdBeginQuery(d->cb, pool, 0, 0);
   vkCmdDraw(d->cb, 11, 2, 0, 0);
   vkCmdEndQuery(d->cb, pool, 0);
   look(d, &(struct look){0});
   quad(d, -1, -1, 1, 1, 0.5f, black, half);
   finish(d);
   VKC_CHECK(vkGetQueryPoolResults(d->vk->device, pool, 0, 1, sizeof(result), result, 8,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
   begin(d);
   look(d, &(struct look){0});
   for (unsigned i = 0; i < 5; i++)
      bar(d, i, result[i], 32);
   bar(d, 5, result[5] > 5000, 2); /* how many shade helper pixels is the driver's affair */
}

const struct scene fragment_scenes[] = {
    {"fragment_discard", triangle_by, 1, 16, &frag_discard},
    {"fragment_derivatives", triangle_by, 1, EDGES, &frag_derivative},
    {"fragment_loop", fractal, 1, 64},
    {"fragment_specialised", specialised, 1, 40},
    {"fragment_pushed", pushed, 1, EDGES},
    {"fragment_clamped", quad_by, 1, 0, &frag_colored},
    {"fragment_stores", stores, 1, 0},
    {"query_occlusion", occlusion, 1, 0},
    {"query_statistics", statistics, 1, 0},
    {0}};
