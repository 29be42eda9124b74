/* Scenes of vertex fetch: formats, indices, instances, indirect draws, topologies. */
#include "vk_draw.h"

#include <string.h>

#define EDGES 12 /* of slanted shapes: pixels on them that two grids of vertices decide apart */
#define LINES 40 /* the same of lines, where llvmpipe's rule is not that of diamonds either */

static void
plain(struct draw *d)
{
   begin(d);
   look(d, &(struct look){0});
   triangle(d);
}

/* ---- formats ----------------------------------------------------------------------------------
 */

struct format_case {
   VkFormat format;
   unsigned size;
   const struct code *vs;
   float scale, bias;
};

/* Seven vertices of one attribute, in a fan whose colors are what was read. */
static void
formats(struct draw *d)
{
   const struct format_case *f = d->data;
   uint8_t bytes[16 * 8];
   for (unsigned i = 0; i < sizeof(bytes); i++)
      bytes[i] = (uint8_t)(i * 37 + 11);
   if (f->format == VK_FORMAT_R32_SFLOAT || f->format == VK_FORMAT_R32G32_SFLOAT ||
       f->format == VK_FORMAT_R32G32B32_SFLOAT)
      for (unsigned i = 0; i < sizeof(bytes) / 4; i++)
         memcpy(bytes + 4 * i, &(float){(float)(i * 5 % 7) / 7}, 4);
   if (f->format == VK_FORMAT_R16_SFLOAT || f->format == VK_FORMAT_R16G16_SFLOAT ||
       f->format == VK_FORMAT_R16G16B16A16_SFLOAT)
      for (unsigned i = 0; i < sizeof(bytes) / 2; i++)
         memcpy(bytes + 2 * i, &(uint16_t){(uint16_t)(0x3000 + i * 611 % 0xc00)}, 2);
   if (f->format == VK_FORMAT_R32G32B32A32_UINT || f->format == VK_FORMAT_R32G32B32A32_SINT)
      for (unsigned i = 0; i < sizeof(bytes) / 4; i++)
         memcpy(bytes + 4 * i, &(int32_t){(int32_t)(i * 53 % 256) - (f->bias > 0 ? 128 : 0)}, 4);
   VkVertexInputBindingDescription binding = {0, f->size, VK_VERTEX_INPUT_RATE_VERTEX};
   VkVertexInputAttributeDescription attribute = {0, 0, f->format, 0};
   VkPipelineVertexInputStateCreateInfo input = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
       .vertexBindingDescriptionCount = 1,
       .pVertexBindingDescriptions = &binding,
       .vertexAttributeDescriptionCount = 1,
       .pVertexAttributeDescriptions = &attribute};
   const float values[8] = {f->scale, f->scale, f->scale, f->scale,
                            f->bias,  f->bias,  f->bias,  f->bias};
   begin(d);
   look(d, &(struct look){
               .vs = f->vs, .input = &input, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN});
   push(d, values, sizeof(values));
   vertices(d, bytes, sizeof(bytes));
   vkCmdDraw(d->cb, 7, 1, 0, 0);
}

#define F(name) VK_FORMAT_##name
static const struct format_case r8_unorm = {F(R8_UNORM), 1, &vert_floats, 1, 0},
                                rg8_snorm = {F(R8G8_SNORM), 2, &vert_floats, 0.5f, 0.5f},
                                rgba8_unorm = {F(R8G8B8A8_UNORM), 4, &vert_floats, 1, 0},
                                bgra8_unorm = {F(B8G8R8A8_UNORM), 4, &vert_floats, 1, 0},
                                rgba8_uscaled = {F(R8G8B8A8_USCALED), 4, &vert_floats, 1 / 255.f,
                                                 0},
                                rgba8_sscaled = {F(R8G8B8A8_SSCALED), 4, &vert_floats, 1 / 255.f,
                                                 0.5f},
                                rgba8_uint = {F(R8G8B8A8_UINT), 4, &vert_uints, 1 / 255.f, 0},
                                rgba8_sint = {F(R8G8B8A8_SINT), 4, &vert_ints, 1 / 255.f, 0.5f},
                                rg16_unorm = {F(R16G16_UNORM), 4, &vert_floats, 1, 0},
                                rgba16_snorm = {F(R16G16B16A16_SNORM), 8, &vert_floats, 0.5f, 0.5f},
                                r16_float = {F(R16_SFLOAT), 2, &vert_floats, 1, 0},
                                rgba16_float = {F(R16G16B16A16_SFLOAT), 8, &vert_floats, 1, 0},
                                rg16_uint = {F(R16G16_UINT), 4, &vert_uints, 1 / 65535.f, 0},
                                r32_float = {F(R32_SFLOAT), 4, &vert_floats, 1, 0},
                                rg32_float = {F(R32G32_SFLOAT), 8, &vert_floats, 1, 0},
                                rgb32_float = {F(R32G32B32_SFLOAT), 12, &vert_floats, 1, 0},
                                rgba32_uint = {F(R32G32B32A32_UINT), 16, &vert_uints, 1 / 255.f, 0},
                                rgba32_sint = {F(R32G32B32A32_SINT), 16, &vert_ints, 1 / 255.f,
                                               0.5f},
                                rgb10a2 = {F(A2B10G10R10_UNORM_PACK32), 4, &vert_floats, 1, 0},
                                r11g11b10 = {F(B10G11R11_UFLOAT_PACK32), 4, &vert_floats, 1, 0};
#undef F

/* ---- indices ----------------------------------------------------------------------------------
 */

/* A strip of ten around the middle, twice, with a cut between. */
static void
indexed(struct draw *d)
{
   const VkIndexType *type = d->data;
   struct point p[10];
   uint8_t bytes[21 * 4];
   unsigned size = *type == VK_INDEX_TYPE_UINT8_EXT ? 1 : *type == VK_INDEX_TYPE_UINT16 ? 2 : 4;
   ring(p, 5, 0.9f);
   ring(p + 5, 5, 0.4f);
   for (unsigned i = 0; i < 13; i++) {
      uint32_t index = i == 6 ? UINT32_MAX : (i % 2) * 5 + (i / 2 + (i > 6)) % 5;
      memcpy(bytes + i * size, &index, size);
   }
   begin(d);
   look(d, &(struct look){.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, .restart = true});
   VkBuffer b = buffer_of(d, bytes, sizeof(bytes));
   vkCmdBindIndexBuffer(d->cb, b, 0, *type);
   vertices(d, p, sizeof(p));
   vkCmdDrawIndexed(d->cb, 13, 1, 0, 0, 0);
}
static const VkIndexType index_8 = VK_INDEX_TYPE_UINT8_EXT, index_16 = VK_INDEX_TYPE_UINT16,
                         index_32 = VK_INDEX_TYPE_UINT32;

static void
list_restart(struct draw *d)
{
   static const uint16_t index[] = {0, 1, 2, 3, 0xffff, 4, 5, 6, 7, 8, 0xffff, 9, 10, 11};
   struct point p[12];
   ring(p, 12, 0.9f);
   begin(d);
   look(d, &(struct look){.restart = true});
   vkCmdBindIndexBuffer(d->cb, buffer_of(d, index, sizeof(index)), 0, VK_INDEX_TYPE_UINT16);
   vertices(d, p, sizeof(p));
   vkCmdDrawIndexed(d->cb, COUNT(index), 1, 0, 0, 0);
}

static void
base_vertex(struct draw *d)
{
   static const uint32_t index[] = {9, 10, 11, 7, 8, 9};
   struct point p[12];
   ring(p, 12, 0.9f);
   begin(d);
   look(d, &(struct look){0});
   vkCmdBindIndexBuffer(d->cb, buffer_of(d, index, sizeof(index)), 0, VK_INDEX_TYPE_UINT32);
   vertices(d, p, sizeof(p));
   vkCmdDrawIndexed(d->cb, 3, 1, 0, -9, 0);
   vkCmdDrawIndexed(d->cb, 3, 1, 3, 2, 0);
}

/* ---- instances --------------------------------------------------------------------------------
 */

static void
instances_by(struct draw *d, const void *next, unsigned first)
{
   static const VkVertexInputBindingDescription bindings[] = {
       {0, sizeof(struct point), VK_VERTEX_INPUT_RATE_VERTEX},
       {1, 16, VK_VERTEX_INPUT_RATE_INSTANCE}};
   static const VkVertexInputAttributeDescription attributes[] = {
       {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
       {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 16},
       {2, 1, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
   VkPipelineVertexInputStateCreateInfo input = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
       .pNext = next,
       .vertexBindingDescriptionCount = 2,
       .pVertexBindingDescriptions = bindings,
       .vertexAttributeDescriptionCount = 3,
       .pVertexAttributeDescriptions = attributes};
   float place[8][4];
   for (unsigned i = 0; i < 8; i++)
      memcpy(
          place[i],
          ((float[4]){(float)(i % 3) * 0.6f - 0.6f, (float)(i / 3) * 0.6f - 0.6f, (float)i / 8, 0}),
          16);
   begin(d);
   look(d, &(struct look){.vs = &vert_instances, .input = &input});
   VkBuffer b = buffer_of(d, place, sizeof(place));
   vkCmdBindVertexBuffers(d->cb, 1, 1, &b, &(VkDeviceSize){0});
   static const struct point p[3] = {{{-0.8f, -0.7f, 0.2f, 1}, {1, 0, 0, 1}},
                                     {{0.85f, -0.5f, 0.5f, 1}, {0, 1, 0, 1}},
                                     {{-0.1f, 0.9f, 0.9f, 1}, {0, 0, 1, 1}}};
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 3, 5, 0, first);
}
static void
instances(struct draw *d)
{
   instances_by(d, NULL, 0);
}
static void
first_instance(struct draw *d)
{
   instances_by(d, NULL, 3);
}
static void
divided(struct draw *d)
{
   VkVertexInputBindingDivisorDescriptionEXT by = {1, *(const uint32_t *)d->data};
   VkPipelineVertexInputDivisorStateCreateInfoEXT divisor = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
       .vertexBindingDivisorCount = 1,
       .pVertexBindingDivisors = &by};
   instances_by(d, &divisor, 0);
}
static const uint32_t two = 2;

/* ---- indirect ---------------------------------------------------------------------------------
 */

static void
parameters(struct draw *d)
{
   struct point p[12];
   static const uint16_t index[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
   ring(p, 12, 0.9f);
   begin(d);
   look(d, &(struct look){.vs = &vert_parameters, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN});
   vertices(d, p, sizeof(p));
   vkCmdBindIndexBuffer(d->cb, buffer_of(d, index, sizeof(index)), 0, VK_INDEX_TYPE_UINT16);
}
static const VkDrawIndirectCommand direct_commands[] = {
    {5, 1, 0, 0}, {7, 2, 3, 1}, {4, 1, 6, 2}, {9, 1, 2, 3}};
static void
indirect(struct draw *d)
{
   VkBuffer b = buffer_of(d, direct_commands, sizeof(direct_commands));
   parameters(d);
   vkCmdDrawIndirect(d->cb, b, 0, 3, sizeof(direct_commands[0]));
}
static void
indexed_indirect(struct draw *d)
{
   static const VkDrawIndexedIndirectCommand c[] = {
       {5, 1, 0, 0, 0}, {6, 2, 2, 1, 1}, {4, 1, 1, 5, 2}};
   VkBuffer b = buffer_of(d, c, sizeof(c));
   parameters(d);
   vkCmdDrawIndexedIndirect(d->cb, b, 0, 3, sizeof(c[0]));
}
static void
indirect_count(struct draw *d)
{
   VkBuffer b = buffer_of(d, direct_commands, sizeof(direct_commands)),
            count = buffer_of(d, &two, sizeof(two));
   parameters(d);
   vkCmdDrawIndirectCount(d->cb, b, 0, count, 0, 4, sizeof(direct_commands[0]));
}
static void
draw_parameters(struct draw *d)
{
   parameters(d);
   vkCmdDraw(d->cb, 5, 2, 4, 1);
   vkCmdDrawIndexed(d->cb, 4, 1, 1, 3, 3);
}

/* ---- constants --------------------------------------------------------------------------------
 */

static void
push_constants(struct draw *d)
{
   begin(d);
   look(d, &(struct look){.vs = &vert_pushed});
   for (unsigned i = 0; i < 4; i++) {
      float v[8] = {0.4f,
                    0.4f - 0.2f * (float)(i & 1),
                    0.3f * (float)i,
                    0,
                    i & 1 ? 0.5f : -0.5f,
                    i & 2 ? 0.5f : -0.5f,
                    1 - 0.3f * (float)i,
                    0.25f * (float)i};
      push(d, v, sizeof(v));
      triangle(d);
   }
}
static void
uniform_block(struct draw *d)
{
   static const float block[8][4] = {{0.6f, 0.5f, 0, 0},  {-0.5f, 0.6f, 0, 0}, {0, 0, 1, 0},
                                     {0.1f, -0.1f, 0, 1}, {1, 0.5f, 1, 1},     {0.5f, 1, 1, 1},
                                     {1, 1, 0.25f, 1},    {1, 1, 1, 1}};
   begin(d);
   look(d, &(struct look){.vs = &vert_uniform});
   see(d, &(struct seen){.uniform = buffer_of(d, block, sizeof(block))});
   triangle(d);
}

/* ---- topologies -------------------------------------------------------------------------------
 */

static void
topology(struct draw *d)
{
   const VkPrimitiveTopology *t = d->data;
   struct point p[12];
   ring(p, 12, 0.9f);
   for (unsigned i = 1; i < 12; i += 2)
      p[i].p[0] *= 0.5f, p[i].p[1] *= 0.5f;
   begin(d);
   look(d, &(struct look){.topology = *t, .points = *t == VK_PRIMITIVE_TOPOLOGY_POINT_LIST});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 11, 1, 0, 0);
}
static const VkPrimitiveTopology points = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                 lines = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
                                 line_strip = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
                                 triangles = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                 strip = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                 fan = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
                                 lines_adjacency = VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
                                 strip_adjacency =
                                     VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;

#define FORMAT(name)                                                                               \
   {                                                                                               \
      "vertex_" #name, formats, 1, EDGES, &name                                                    \
   }
const struct scene vertex_scenes[] = {
    {"triangle", plain, 1, EDGES, .rows = "P3D-375"},
    FORMAT(r8_unorm),
    FORMAT(rg8_snorm),
    FORMAT(rgba8_unorm),
    FORMAT(bgra8_unorm),
    FORMAT(rgba8_uscaled),
    FORMAT(rgba8_sscaled),
    FORMAT(rgba8_uint),
    FORMAT(rgba8_sint),
    FORMAT(rg16_unorm),
    FORMAT(rgba16_snorm),
    FORMAT(r16_float),
    FORMAT(rgba16_float),
    FORMAT(rg16_uint),
    FORMAT(r32_float),
    FORMAT(rg32_float),
    FORMAT(rgb32_float),
    FORMAT(rgba32_uint),
    FORMAT(rgba32_sint),
    FORMAT(rgb10a2),
    FORMAT(r11g11b10),
    {"index_8", indexed, 1, EDGES, &index_8, .extension = VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME},
    {"index_16", indexed, 1, EDGES, &index_16},
    {"index_32", indexed, 1, EDGES, &index_32},
    {"list_restart", list_restart, 1, EDGES},
    {"base_vertex", base_vertex, 1, EDGES},
    {"instances", instances, 1, EDGES},
    {"first_instance", first_instance, 1, EDGES},
    {"instance_divisor", divided, 1, EDGES, &two},
    {"indirect", indirect, 1, EDGES},
    {"indexed_indirect", indexed_indirect, 1, EDGES},
    {"indirect_count", indirect_count, 1, EDGES},
    {"draw_parameters", draw_parameters, 1, EDGES},
    {"push_constants", push_constants, 1, EDGES},
    {"uniform_block", uniform_block, 1, EDGES},
    {"topology_points", topology, 1, 0, &points},
    {"topology_lines", topology, 1, LINES, &lines},
    {"topology_line_strip", topology, 1, LINES, &line_strip},
    {"topology_triangles", topology, 1, EDGES, &triangles},
    {"topology_strip", topology, 1, EDGES, &strip},
    {"topology_fan", topology, 1, EDGES, &fan},
    {"topology_lines_adjacency", topology, 1, LINES, &lines_adjacency},
    {"topology_strip_adjacency", topology, 1, EDGES, &strip_adjacency},
    {0}};
