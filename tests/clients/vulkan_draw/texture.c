/* Scenes of textures in fragment shaders. */
#include "vk_draw.h"

#include <string.h>

#define NEAREST VK_FILTER_NEAREST
#define LINEAR VK_FILTER_LINEAR
#define MIP_NEAREST VK_SAMPLER_MIPMAP_MODE_NEAREST
#define MIP_LINEAR VK_SAMPLER_MIPMAP_MODE_LINEAR
#define REPEAT VK_SAMPLER_ADDRESS_MODE_REPEAT
#define MIRROR VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT
#define EDGE VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
#define BORDER VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER

struct texture_case {
   VkFilter filter;
   VkSamplerMipmapMode mip;
   VkSamplerAddressMode mode;
   const struct code *fs;
   VkImageViewType view;
   uint32_t width, height, depth, layers, levels;
   float s0, t0, s1, t1;
   float bias, anisotropy;
   VkBorderColor border;
   VkComponentMapping swizzle;
};

static VkSampler
sampler(struct draw *d, const struct texture_case *t)
{
   return sampler_with(d, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                                 .magFilter = t->filter,
                                                 .minFilter = t->filter,
                                                 .mipmapMode = t->mip,
                                                 .addressModeU = t->mode,
                                                 .addressModeV = t->mode,
                                                 .addressModeW = t->mode,
                                                 .mipLodBias = t->bias,
                                                 .anisotropyEnable = t->anisotropy > 1,
                                                 .maxAnisotropy = t->anisotropy,
                                                 .borderColor = t->border,
                                                 .maxLod = t->levels > 1 ? 16 : 0});
}

static void
flat(struct draw *d)
{
   const struct texture_case *t = d->data;
   struct image i = textured(d, t->view, t->width, t->height, t->depth, t->layers, t->levels);
   begin(d);
   look(d, &(struct look){.fs = t->fs, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
   see(d, &(struct seen){.texture = i.view, .texture2 = i.view, .sampler = sampler(d, t)});
   coordinates(d, t->s0, t->t0, t->s1, t->t1);
}

#define D1 VK_IMAGE_VIEW_TYPE_1D
#define D2 VK_IMAGE_VIEW_TYPE_2D
#define D3 VK_IMAGE_VIEW_TYPE_3D
#define T2 &frag_tex_2d
static const struct texture_case
    nearest = {NEAREST, 0, REPEAT, T2, D2, 32, 32, 1, 1, 1, -0.3f, -0.4f, 1.7f, 1.9f},
    linear = {LINEAR, 0, REPEAT, T2, D2, 32, 32, 1, 1, 1, -0.3f, -0.4f, 1.7f, 1.9f},
    npot = {LINEAR, 0, REPEAT, T2, D2, 37, 21, 1, 1, 1, 0, 0, 2, 2},
    mirror = {LINEAR, 0, MIRROR, T2, D2, 32, 32, 1, 1, 1, -1.5f, -1.2f, 1.7f, 1.9f},
    to_edge = {LINEAR, 0, EDGE, T2, D2, 32, 32, 1, 1, 1, -0.5f, -0.5f, 1.5f, 1.5f},
    to_border = {LINEAR, 0,     BORDER, T2,   D2,
                 32,     32,    1,      1,    1,
                 -0.5f,  -0.5f, 1.5f,   1.5f, .border = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE},
    mips = {NEAREST, MIP_NEAREST, REPEAT, T2, D2, 64, 64, 1, 1, 7, 0, 0, 9, 5},
    /* Halfway between two levels: llvmpipe makes the way from one to the other shorter. */
    trilinear = {LINEAR, MIP_LINEAR, REPEAT, T2, D2, 64, 64, 1, 1, 7, 0, 0, 5.656854f, 3},
    lod_bias = {LINEAR, MIP_NEAREST, REPEAT, T2, D2, 64, 64, 1, 1, 7, 0, 0, 2, 2, .bias = 1.25f},
    explicit_lod = {LINEAR, MIP_LINEAR, REPEAT, &frag_tex_lod, D2, 64, 64, 1, 1, 7, 0, 0, 1, 1},
    shader_bias = {LINEAR, MIP_NEAREST, REPEAT, &frag_tex_bias, D2, 64, 64, 1, 1, 7, 0, 0, 2, 2},
    gradients = {LINEAR, MIP_NEAREST, REPEAT, &frag_tex_grad, D2, 64, 64, 1, 1, 7, 0, 0, 1, 1},
    gather = {LINEAR, 0, REPEAT, &frag_tex_gather, D2, 32, 32, 1, 1, 1, 0, 0, 1, 1},
    offset = {NEAREST, 0, REPEAT, &frag_tex_offset, D2, 32, 32, 1, 1, 1, 0, 0, 1, 1},
    projected = {LINEAR, 0, REPEAT, &frag_tex_proj, D2, 32, 32, 1, 1, 1, 0, 0, 1, 1},
    fetch = {NEAREST, 0, REPEAT, &frag_tex_fetch, D2, 128, 128, 1, 1, 4, 0, 0, 1, 1},
    size = {NEAREST, 0, REPEAT, &frag_tex_size, D2, 61, 37, 1, 1, 5, 0, 0, 1, 1},
    query = {LINEAR, MIP_LINEAR, REPEAT, &frag_tex_query, D2, 64, 64, 1, 1, 7, 0, 0, 9, 9},
    two = {LINEAR, 0, REPEAT, &frag_tex_two, D2, 32, 32, 1, 1, 1, 0, 0, 1, 1},
    line = {LINEAR, 0, REPEAT, &frag_tex_1d, D1, 50, 1, 1, 1, 1, 0, 0, 2, 1};

/* Three coordinates: the third grows from one corner to the other. */
static void
deep(struct draw *d)
{
   const struct texture_case *t = d->data;
   struct image i = textured(d, t->view, t->width, t->height, t->depth, t->layers, t->levels);
   struct point p[4];
   for (unsigned k = 0; k < 4; k++) {
      float x = k & 1 ? 1 : -1, y = k & 2 ? 1 : -1;
      p[k] = (struct point){.p = {x, y, 0.5f, 1}, .c = {k & 1, k >> 1, (x + y) * t->s0 + t->t0, 1}};
      if (t->view == VK_IMAGE_VIEW_TYPE_CUBE || t->view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY)
         memcpy(p[k].c, (float[4]){x * 1.5f, y * 1.31f, 0.43f + x * y, y + 1}, 16);
   }
   begin(d);
   look(d, &(struct look){.fs = t->fs, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
   see(d, &(struct seen){.texture = i.view, .sampler = sampler(d, t)});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 4, 1, 0, 0);
}
static const struct texture_case
    array = {LINEAR, 0, REPEAT,     &frag_tex_array, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 32, 32, 1,
             5,      1, .s0 = 1.2f, .t0 = 2.1f},
    volume = {LINEAR, 0, REPEAT, &frag_tex_3d, D3, 16, 16, 8, 1, 1, .s0 = 0.3f, .t0 = 0.4f},
    volume_nearest = {NEAREST, 0, EDGE, &frag_tex_3d, D3, 16, 16, 8, 1, 1, .s0 = 0.3f, .t0 = 0.45f},
    cube = {NEAREST, 0, EDGE, &frag_tex_cube, VK_IMAGE_VIEW_TYPE_CUBE, 16, 16, 1, 6, 1},
    cube_linear = {LINEAR, 0, EDGE, &frag_tex_cube, VK_IMAGE_VIEW_TYPE_CUBE, 16, 16, 1, 6, 1},
    cube_array = {NEAREST, 0,  EDGE, &frag_tex_cube_array, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, 16, 16,
                  1,       18, 1};

/* The floor of a room: levels change with the distance. */
static void
floor_scene(struct draw *d)
{
   const struct texture_case *t = d->data;
   struct image i = textured(d, t->view, t->width, t->height, t->depth, t->layers, t->levels);
   struct point p[4];
   for (unsigned k = 0; k < 4; k++) {
      float w = k & 2 ? 9 : 1, x = k & 1 ? 1 : -1;
      p[k] = (struct point){.p = {x * 2, k & 2 ? 1 : 1.6f, 0.5f * w, w},
                            .c = {k & 1 ? 3 : 0, k & 2 ? 8 : 0}};
   }
   begin(d);
   look(d, &(struct look){.fs = t->fs, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
   see(d, &(struct seen){.texture = i.view, .sampler = sampler(d, t)});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 4, 1, 0, 0);
}
static const struct texture_case floor_linear = {LINEAR, MIP_NEAREST, REPEAT, T2, D2,
                                                 64,     64,          1,      1,  7},
                                 floor_nearest = {NEAREST, MIP_NEAREST, REPEAT, T2, D2,
                                                  64,      64,          1,      1,  7};

static void
swizzled(struct draw *d)
{
   struct image i = textured(d, D2, 32, 32, 1, 1, 1);
   VkImageView view;
   VkImageViewCreateInfo vci = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                .image = i.image,
                                .viewType = D2,
                                .format = i.format,
                                .components = {VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_ONE,
                                               VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_ONE},
                                .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
   VKC_CHECK(vkCreateImageView(d->vk->device, &vci, NULL, &view));
   begin(d);
   look(d, &(struct look){.fs = T2, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
   see(d, &(struct seen){.texture = view, .sampler = sampler_of(d, LINEAR, MIP_NEAREST, REPEAT)});
   coordinates(d, 0, 0, 1, 1);
}

/* A depth image that was drawn, compared with 1/2. */
static void
shadow(struct draw *d)
{
   const VkFormat format = VK_FORMAT_D32_SFLOAT;
   struct image i = image_of(d, &(struct shape){D2, format, SIZE, SIZE});
   begin_image(d, VK_NULL_HANDLE, 0, i.view, format, SIZE, SIZE, 1, true);
   look(d, &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_LESS});
   triangle(d);
   end(d);
   VkSampler s =
       sampler_with(d, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                              .addressModeU = EDGE,
                                              .addressModeV = EDGE,
                                              .addressModeW = EDGE,
                                              .compareEnable = true,
                                              .compareOp = *(const VkCompareOp *)d->data});
   begin(d);
   look(d,
        &(struct look){.fs = &frag_tex_shadow, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
   see(d, &(struct seen){.texture = i.view, .sampler = s});
   coordinates(d, 0, 0, 1, 1);
}
static const VkCompareOp less = VK_COMPARE_OP_LESS, greater = VK_COMPARE_OP_GREATER_OR_EQUAL;

static void
texel_buffer(struct draw *d)
{
   uint8_t bytes[32 * 4];
   VkBufferView view;
   for (unsigned i = 0; i < sizeof(bytes); i++)
      bytes[i] = (uint8_t)(i * 29);
   VkBufferViewCreateInfo bvci = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                  .buffer = buffer_of(d, bytes, sizeof(bytes)),
                                  .format = VK_FORMAT_R8G8B8A8_UNORM,
                                  .range = VK_WHOLE_SIZE};
   VKC_CHECK(vkCreateBufferView(d->vk->device, &bvci, NULL, &view));
   begin(d);
   look(d, &(struct look){.fs = &frag_tex_buffer});
   see(d, &(struct seen){.texels = view});
   triangle(d);
}

#define FLAT(name, unit, edge)                                                                     \
   {                                                                                               \
      "texture_" #name, flat, unit, edge, &name                                                    \
   }
/* Where a level or a texel changes, coordinates a rounding apart choose another: `edge`. */
const struct scene texture_scenes[] = {
    FLAT(nearest, 1, 64),
    FLAT(linear, 2, 0),
    FLAT(npot, 2, 0),
    FLAT(mirror, 2, 0),
    FLAT(to_edge, 2, 0),
    FLAT(to_border, 2, 0),
    FLAT(mips, 1, 64),
    FLAT(trilinear, 4, 64),
    FLAT(lod_bias, 2, 0),
    FLAT(explicit_lod, 4, 64),
    FLAT(shader_bias, 2, 0),
    FLAT(gradients, 4, 200),
    FLAT(gather, 1, 64),
    FLAT(offset, 1, 64),
    FLAT(projected, 2, 0),
    FLAT(fetch, 1, 64),
    FLAT(size, 1, 0),
    FLAT(query, 3, 0),
    FLAT(two, 2, 0),
    FLAT(line, 2, 0),
    {"texture_array", deep, 2, 300, &array},
    {"texture_3d", deep, 2, 0, &volume},
    {"texture_3d_nearest", deep, 1, 64, &volume_nearest},
    {"texture_cube", deep, 1, 64, &cube},
    {"texture_cube_linear", deep, 2, 0, &cube_linear},
    {"texture_cube_array", deep, 1, 200, &cube_array},
    {"texture_floor_linear", floor_scene, 3, 300, &floor_linear},
    {"texture_floor_nearest", floor_scene, 1, 300, &floor_nearest},
    {"texture_swizzle", swizzled, 2, 0},
    {"texture_shadow_less", shadow, 1, 24, &less},
    {"texture_shadow_greater", shadow, 1, 24, &greater},
    {"texture_buffer", texel_buffer, 1, 12},
    {0}};
