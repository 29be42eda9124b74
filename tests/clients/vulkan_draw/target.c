/* Scenes of targets: formats, several at once, levels, layers, slices, clears. */
#include "vk_draw.h"

#include <string.h>

#define EDGES 12

static void
colored(struct draw *d)
{
   begin(d);
   look(d, &(struct look){0});
   triangle(d);
}

/* Integers: what the shader gives is rounded down. */
static void
integers(struct draw *d)
{
   const struct code *const *fs = d->data;
   bool is_signed = *fs == &frag_out_int;
   const float values[8] = {200,
                            200,
                            200,
                            200,
                            is_signed ? -100.0f : 0,
                            is_signed ? -100.0f : 0,
                            is_signed ? -100.0f : 0,
                            1};
   begin(d);
   look(d, &(struct look){.fs = *fs});
   push(d, values, sizeof(values));
   triangle(d);
}
static const struct code *const out_uint = &frag_out_uint, *const out_int = &frag_out_int;

static void
many(struct draw *d)
{
   begin(d);
   look(d, &(struct look){.fs = &frag_many});
   triangle(d);
}

/* Draws into an image, and then that image over the picture. */
static void
shown(struct draw *d, VkImageView view)
{
   VkSampler s = sampler_of(d, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST,
                            VK_SAMPLER_ADDRESS_MODE_REPEAT);
   begin(d);
   look(d, &(struct look){.fs = &frag_tex_2d, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
   see(d, &(struct seen){.texture = view, .sampler = s});
   coordinates(d, 0, 0, 1, 1);
}

static void
level(struct draw *d)
{
   static const VkViewport v = {0, 0, SIZE, SIZE, 0, 1};
   struct image i = image_of(d, &(struct shape){VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM,
                                                SIZE * 4, SIZE * 4, .levels = 4});
   VkImageView one = view_of(d, &i, VK_IMAGE_VIEW_TYPE_2D, i.aspect, 2, 1, 0, 1);
   begin_image(d, one, i.format, VK_NULL_HANDLE, 0, SIZE, SIZE, 1, true);
   look(d, &(struct look){.viewport = &v});
   triangle(d);
   end(d);
   shown(d, one);
}

static void
layer(struct draw *d)
{
   const VkImageViewType *type = d->data;
   bool volume = *type == VK_IMAGE_VIEW_TYPE_3D;
   struct image i = image_of(d, &(struct shape){*type, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE,
                                                .depth = volume ? 6 : 1, .layers = volume ? 1 : 6});
   VkImageView one = view_of(d, &i, VK_IMAGE_VIEW_TYPE_2D, i.aspect, 0, 1, 3, 1);
   begin_image(d, one, i.format, VK_NULL_HANDLE, 0, SIZE, SIZE, 1, true);
   look(d, &(struct look){0});
   triangle(d);
   end(d);
   if (!volume) {
      shown(d, one);
      return;
   }
   VkSampler s = sampler_of(d, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST,
                            VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   const struct point p[4] = {{{-1, -1, 0.5f, 1}, {0, 0, 3.5f / 6}},
                              {{1, -1, 0.5f, 1}, {1, 0, 3.5f / 6}},
                              {{-1, 1, 0.5f, 1}, {0, 1, 3.5f / 6}},
                              {{1, 1, 0.5f, 1}, {1, 1, 3.5f / 6}}};
   begin(d);
   look(d, &(struct look){.fs = &frag_tex_3d, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
   see(d, &(struct seen){.texture = i.view, .sampler = s});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 4, 1, 0, 0);
}
static const VkImageViewType array = VK_IMAGE_VIEW_TYPE_2D_ARRAY, cube = VK_IMAGE_VIEW_TYPE_CUBE,
                             volume = VK_IMAGE_VIEW_TYPE_3D;

/* Four layers side by side. */
static void
show_layers(struct draw *d, const struct image *i)
{
   VkSampler s = sampler_of(d, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST,
                            VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   begin(d);
   look(d, &(struct look){.fs = &frag_tex_array, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
   see(d, &(struct seen){.texture = i->view, .sampler = s});
   for (unsigned n = 0; n < i->layers; n++) {
      struct box b = cell(n, 2);
      struct point p[4];
      for (unsigned k = 0; k < 4; k++)
         p[k] = (struct point){.p = {k & 1 ? b.x1 : b.x0, k & 2 ? b.y1 : b.y0, 0.5f, 1},
                               .c = {k & 1, k >> 1, (float)n, 0}};
      vertices(d, p, sizeof(p));
      vkCmdDraw(d->cb, 4, 1, 0, 0);
   }
}

/* The vertex shader chooses the layer; one draw fills all four. */
static void
layered(struct draw *d)
{
   struct image i = image_of(d, &(struct shape){VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                                VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, .layers = 4});
   begin_image(d, i.view, i.format, VK_NULL_HANDLE, 0, SIZE, SIZE, 4, true);
   look(d, &(struct look){.vs = &vert_layer, .fs = &frag_layer});
   static const struct point p[3] = {{{-0.8f, -0.7f, 0.2f, 1}, {1, 0, 0, 1}},
                                     {{0.85f, -0.5f, 0.5f, 1}, {0, 1, 0, 1}},
                                     {{-0.1f, 0.9f, 0.9f, 1}, {0, 0, 1, 1}}};
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 3, 4, 0, 0);
   end(d);
   show_layers(d, &i);
}

/* ---- clears ------------------------------------------------------------------------------------
 */

static void
clear_attachments(struct draw *d)
{
   const VkClearAttachment a[2] = {
       {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color = {.float32 = {0.9f, 0.4f, 0.1f, 1}}}},
       {VK_IMAGE_ASPECT_DEPTH_BIT, 0, {.depthStencil = {0.3f, 0}}}};
   const VkClearRect r[2] = {{{{10, 20}, {50, 30}}, 0, 1}, {{{70, 64}, {33, 44}}, 0, 1}};
   begin(d);
   look(d, &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_LESS});
   quad(d, -0.9f, -0.9f, 0.2f, 0.9f, 0.5f, red, blue);
   vkCmdClearAttachments(d->cb, 2, a, 2, r);
   look(d, &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_LESS});
   quad(d, -0.5f, -0.5f, 0.9f, 0.9f, 0.4f, green, white);
}

/* What another pass left is kept, and a part is drawn over. */
static void
loaded(struct draw *d)
{
   begin(d);
   look(d, &(struct look){0});
   triangle(d);
   end(d);
   begin_image(d, d->color[0].view, d->color[0].format, VK_NULL_HANDLE, 0, SIZE, SIZE, 1, false);
   look(d, &(struct look){.fs = &frag_facing});
   quad(d, -0.3f, -0.3f, 0.9f, 0.2f, 0.5f, red, green);
}

static void
clear_image(struct draw *d)
{
   const VkClearColorValue c = {.float32 = {0.3f, 0.6f, 0.9f, 0.5f}};
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   vkCmdClearColorImage(d->cb, d->color[0].image, VK_IMAGE_LAYOUT_GENERAL, &c, 1, &all);
   vkc_barrier(d->cb);
   begin_image(d, d->color[0].view, d->color[0].format, VK_NULL_HANDLE, 0, SIZE, SIZE, 1, false);
   look(d, &(struct look){0});
   quad(d, 0, 0, 0.5f, 0.5f, 0.5f, red, green);
}

#define UINT(name)                                                                                 \
   {                                                                                               \
      "target_" #name, integers, 1, EDGES, &out_uint, .format = VK_FORMAT_##name,                  \
                                                      .scale = 1 / 255.f, .clear = {               \
                                                         0,                                        \
                                                         0,                                        \
                                                         0,                                        \
                                                         1                                         \
                                                      }                                            \
   }
#define SINT(name)                                                                                 \
   {                                                                                               \
      "target_" #name, integers, 1, EDGES, &out_int, .format = VK_FORMAT_##name,                   \
                                                     .scale = 1 / 255.f, .bias = 0.5f, .clear = {  \
                                                        0,                                         \
                                                        0,                                         \
                                                        0,                                         \
                                                        1                                          \
                                                     }                                             \
   }
#define FLOAT(name, unit)                                                                          \
   {                                                                                               \
      "target_" #name, colored, unit, EDGES, .format = VK_FORMAT_##name                            \
   }
const struct scene target_scenes[] = {
    FLOAT(R8_UNORM, 1),
    FLOAT(R8G8_UNORM, 1),
    FLOAT(B8G8R8A8_UNORM, 1),
    FLOAT(R8G8B8A8_SRGB, 3),
    FLOAT(B8G8R8A8_SRGB, 3),       /* near black the curve has several values for a unit */
    FLOAT(R5G6B5_UNORM_PACK16, 9), /* a unit of five bits */
    FLOAT(A1R5G5B5_UNORM_PACK16, 9),
    FLOAT(A2B10G10R10_UNORM_PACK32, 1),
    FLOAT(R16_UNORM, 1),
    FLOAT(R16G16_UNORM, 1),
    FLOAT(R16G16B16A16_UNORM, 1),
    FLOAT(R16_SFLOAT, 1),
    FLOAT(R16G16B16A16_SFLOAT, 1),
    FLOAT(R32_SFLOAT, 1),
    FLOAT(R32G32_SFLOAT, 1),
    FLOAT(R32G32B32A32_SFLOAT, 1),
    FLOAT(B10G11R11_UFLOAT_PACK32, 4), /* a unit of five bits of mantissa */
    UINT(R8_UINT),
    UINT(R8G8B8A8_UINT),
    UINT(R16G16_UINT),
    UINT(R32_UINT),
    UINT(R32G32B32A32_UINT),
    SINT(R8G8B8A8_SINT),
    SINT(R16G16B16A16_SINT),
    SINT(R32G32_SINT),
    {"targets_2", many, 1, EDGES, .targets = 2},
    {"targets_8", many, 1, EDGES, .targets = 8},
    {"target_level", level, 1, EDGES},
    {"target_layer", layer, 1, EDGES, &array},
    {"target_face", layer, 1, EDGES, &cube},
    {"target_slice", layer, 1, EDGES, &volume},
    {"target_layered", layered, 1, 24},
    {"clear_black", colored, 1, EDGES, .clear = {0, 0, 0, 1}},
    {"clear_white", colored, 1, EDGES, .clear = {1, 1, 1, 1}},
    {"clear_attachments", clear_attachments, 1, 0, .depth = VK_FORMAT_D32_SFLOAT},
    {"clear_image", clear_image, 1, 0},
    {"load", loaded, 1, EDGES},
    {0}};
