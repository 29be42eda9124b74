/* Samples textures from compute shaders and writes what they gave: "name kind count", then the
 * numbers, a case each, to the file of --dump. Prints TAP; what the numbers must be is for the
 * program that runs it on two drivers (test_texture.py).
 *
 * kind: "exact" where no arithmetic of the driver is between texel and result, else "filter". */
#include "vkc.h"

#include "../options.h"
#include "texture_shaders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 4096u

struct program {
   const uint32_t *spirv;
   size_t size;
};
#define PROGRAM(name)                                                                              \
   {                                                                                               \
      tex_##name##_spv, sizeof(tex_##name##_spv)                                                   \
   }
static const struct program lod_1d = PROGRAM(lod_1d), lod_2d = PROGRAM(lod_2d),
                            lod_2d_array = PROGRAM(lod_2d_array), lod_3d = PROGRAM(lod_3d),
                            lod_cube = PROGRAM(lod_cube), grad_2d = PROGRAM(grad_2d),
                            offset_2d = PROGRAM(offset_2d), gather_0 = PROGRAM(gather_0),
                            gather_2 = PROGRAM(gather_2), fetch_2d = PROGRAM(fetch_2d),
                            shadow_2d = PROGRAM(shadow_2d), query_2d = PROGRAM(query_2d),
                            gather_shadow = PROGRAM(gather_shadow);

enum { NEAREST, LINEAR };
#define REPEAT VK_SAMPLER_ADDRESS_MODE_REPEAT
#define MIRROR VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT
#define EDGE VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
#define BORDER VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
#define ONCE VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE

struct tcase {
   const char *name;
   const struct program *program;
   VkImageViewType view;
   VkFormat format;
   uint32_t width, height, depth, layers, levels;
   int filter, mip;
   VkSamplerAddressMode mode;
   VkBorderColor border;
   float low, high; /* of the coordinates */
   float lod;       /* up to this */
   VkCompareOp compare;
   float anisotropy;
   bool exact;
};

#define FLAT VK_IMAGE_VIEW_TYPE_2D
#define RGBA8 VK_FORMAT_R8G8B8A8_UNORM
#define WHITE VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE
#define CLEAR VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK

static const struct tcase cases[] = {
    {"nearest_repeat", &lod_2d, FLAT, RGBA8, 64, 64, 1, 1, 1, NEAREST, 0, REPEAT, 0, -2, 3, 0,
     .exact = true},
    {"nearest_repeat_npot", &lod_2d, FLAT, RGBA8, 61, 37, 1, 1, 1, NEAREST, 0, REPEAT, 0, -2, 3, 0,
     .exact = true},
    {"nearest_mirror", &lod_2d, FLAT, RGBA8, 64, 32, 1, 1, 1, NEAREST, 0, MIRROR, 0, -2, 3, 0,
     .exact = true},
    {"nearest_edge", &lod_2d, FLAT, RGBA8, 61, 37, 1, 1, 1, NEAREST, 0, EDGE, 0, -2, 3, 0,
     .exact = true},
    {"nearest_border", &lod_2d, FLAT, RGBA8, 61, 37, 1, 1, 1, NEAREST, 0, BORDER, WHITE, -1, 2, 0,
     .exact = true},
    {"nearest_mips", &lod_2d, FLAT, RGBA8, 64, 64, 1, 1, 7, NEAREST, NEAREST, REPEAT, 0, 0, 1, 7,
     .exact = true},
    {"bilinear_repeat", &lod_2d, FLAT, RGBA8, 64, 64, 1, 1, 1, LINEAR, 0, REPEAT, 0, -2, 3, 0},
    {"bilinear_repeat_npot", &lod_2d, FLAT, RGBA8, 61, 37, 1, 1, 1, LINEAR, 0, REPEAT, 0, -2, 3, 0},
    {"bilinear_mirror", &lod_2d, FLAT, RGBA8, 64, 64, 1, 1, 1, LINEAR, 0, MIRROR, 0, -2, 3, 0},
    {"bilinear_edge", &lod_2d, FLAT, RGBA8, 61, 37, 1, 1, 1, LINEAR, 0, EDGE, 0, -1, 2, 0},
    {"bilinear_border", &lod_2d, FLAT, RGBA8, 61, 37, 1, 1, 1, LINEAR, 0, BORDER, WHITE, -1, 2, 0},
    {"bilinear_border_clear", &lod_2d, FLAT, RGBA8, 16, 16, 1, 1, 1, LINEAR, 0, BORDER, CLEAR, -1,
     2, 0},
    {"trilinear", &lod_2d, FLAT, RGBA8, 64, 64, 1, 1, 7, LINEAR, LINEAR, REPEAT, 0, 0, 1, 7},
    {"trilinear_npot", &lod_2d, FLAT, RGBA8, 61, 37, 1, 1, 6, LINEAR, LINEAR, REPEAT, 0, 0, 1, 6},
    {"linear_mip_nearest", &lod_2d, FLAT, RGBA8, 64, 64, 1, 1, 7, LINEAR, NEAREST, REPEAT, 0, 0, 1,
     7},
    {"line", &lod_1d, VK_IMAGE_VIEW_TYPE_1D, RGBA8, 61, 1, 1, 1, 1, LINEAR, 0, REPEAT, 0, -2, 3, 0},
    {"array", &lod_2d_array, VK_IMAGE_VIEW_TYPE_2D_ARRAY, RGBA8, 32, 32, 1, 5, 3, LINEAR, LINEAR,
     EDGE, 0, -1, 2, 3},
    {"volume", &lod_3d, VK_IMAGE_VIEW_TYPE_3D, RGBA8, 16, 16, 16, 1, 4, LINEAR, LINEAR, EDGE, 0, -1,
     2, 4},
    {"volume_nearest", &lod_3d, VK_IMAGE_VIEW_TYPE_3D, RGBA8, 15, 9, 12, 1, 1, NEAREST, 0, REPEAT,
     0, -1, 2, 0, .exact = true},
    {"cube_nearest", &lod_cube, VK_IMAGE_VIEW_TYPE_CUBE, RGBA8, 32, 32, 1, 6, 1, NEAREST, 0, EDGE,
     0, -1, 1, 0, .exact = true},
    {"cube", &lod_cube, VK_IMAGE_VIEW_TYPE_CUBE, RGBA8, 32, 32, 1, 6, 4, LINEAR, LINEAR, EDGE, 0,
     -1, 1, 4},
    {"gradients", &grad_2d, FLAT, RGBA8, 64, 64, 1, 1, 1, LINEAR, 0, REPEAT, 0, 0, 1, 0},
    {"offsets", &offset_2d, FLAT, RGBA8, 64, 64, 1, 1, 1, NEAREST, 0, REPEAT, 0, 0, 1, 0,
     .exact = true},
    {"gather_red", &gather_0, FLAT, RGBA8, 64, 64, 1, 1, 1, LINEAR, 0, REPEAT, 0, -2, 3, 0,
     .exact = true},
    {"gather_blue", &gather_2, FLAT, RGBA8, 61, 37, 1, 1, 1, LINEAR, 0, EDGE, 0, -2, 3, 0,
     .exact = true},
    {"fetch", &fetch_2d, FLAT, RGBA8, 61, 37, 1, 1, 3, NEAREST, 0, EDGE, 0, 0, 1, 0, .exact = true},
    {"query", &query_2d, FLAT, RGBA8, 61, 37, 1, 1, 3, NEAREST, 0, EDGE, 0, 0, 1, 0, .exact = true},
    {"shadow", &shadow_2d, FLAT, VK_FORMAT_D32_SFLOAT, 64, 64, 1, 1, 1, LINEAR, 0, EDGE, 0, 0, 1, 0,
     VK_COMPARE_OP_LESS_OR_EQUAL},
    {"shadow_greater", &shadow_2d, FLAT, VK_FORMAT_D32_SFLOAT, 64, 64, 1, 1, 1, NEAREST, 0, EDGE, 0,
     0, 1, 0, VK_COMPARE_OP_GREATER, .exact = true},
    {"gather_shadow", &gather_shadow, FLAT, VK_FORMAT_D32_SFLOAT, 64, 64, 1, 1, 1, LINEAR, 0, EDGE,
     0, 0, 1, 0, VK_COMPARE_OP_LESS, .exact = true},
    {"rgba16f", &lod_2d, FLAT, VK_FORMAT_R16G16B16A16_SFLOAT, 64, 64, 1, 1, 1, LINEAR, 0, REPEAT, 0,
     -1, 2, 0},
    {"rgba32f", &lod_2d, FLAT, VK_FORMAT_R32G32B32A32_SFLOAT, 64, 64, 1, 1, 1, LINEAR, 0, REPEAT, 0,
     -1, 2, 0},
    {"r8", &lod_2d, FLAT, VK_FORMAT_R8_UNORM, 64, 64, 1, 1, 1, LINEAR, 0, REPEAT, 0, -1, 2, 0},
    {"rg8_snorm", &lod_2d, FLAT, VK_FORMAT_R8G8_SNORM, 64, 64, 1, 1, 1, LINEAR, 0, REPEAT, 0, -1, 2,
     0},
    {"bgra8", &lod_2d, FLAT, VK_FORMAT_B8G8R8A8_UNORM, 64, 64, 1, 1, 1, LINEAR, 0, MIRROR, 0, -1, 2,
     0},
    {"rgba8_srgb", &lod_2d, FLAT, VK_FORMAT_R8G8B8A8_SRGB, 64, 64, 1, 1, 1, LINEAR, 0, REPEAT, 0,
     -1, 2, 0},
    {"b5g6r5", &lod_2d, FLAT, VK_FORMAT_R5G6B5_UNORM_PACK16, 64, 64, 1, 1, 1, NEAREST, 0, REPEAT, 0,
     -1, 2, 0},
    {"a2b10g10r10", &lod_2d, FLAT, VK_FORMAT_A2B10G10R10_UNORM_PACK32, 64, 64, 1, 1, 1, LINEAR, 0,
     REPEAT, 0, -1, 2, 0},
    {"b10g11r11", &lod_2d, FLAT, VK_FORMAT_B10G11R11_UFLOAT_PACK32, 64, 64, 1, 1, 1, NEAREST, 0,
     REPEAT, 0, -1, 2, 0, .exact = true},
    {"e5b9g9r9", &lod_2d, FLAT, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 64, 64, 1, 1, 1, NEAREST, 0,
     REPEAT, 0, -1, 2, 0, .exact = true},
    {"bc1", &lod_2d, FLAT, VK_FORMAT_BC1_RGBA_UNORM_BLOCK, 64, 64, 1, 1, 1, NEAREST, 0, REPEAT, 0,
     -1, 2, 0},
    {"bc3", &lod_2d, FLAT, VK_FORMAT_BC3_UNORM_BLOCK, 64, 64, 1, 1, 1, LINEAR, 0, REPEAT, 0, -1, 2,
     0},
    {"bc7", &lod_2d, FLAT, VK_FORMAT_BC7_UNORM_BLOCK, 64, 64, 1, 1, 1, NEAREST, 0, REPEAT, 0, -1, 2,
     0},
};

static uint32_t seed;

static uint32_t
next(void)
{
   seed = seed * 1664525u + 1013904223u;
   return seed >> 8;
}

static float
between(float low, float high)
{
   return low + (high - low) * (float)next() / 16777216.0f;
}

static unsigned
texel_bits(VkFormat f)
{
   switch (f) {
   case VK_FORMAT_R8_UNORM:
      return 8;
   case VK_FORMAT_R8G8_SNORM:
   case VK_FORMAT_R5G6B5_UNORM_PACK16:
      return 16;
   case VK_FORMAT_R16G16B16A16_SFLOAT:
      return 64;
   case VK_FORMAT_R32G32B32A32_SFLOAT:
      return 128;
   case VK_FORMAT_BC1_RGBA_UNORM_BLOCK:
      return 4;
   case VK_FORMAT_BC3_UNORM_BLOCK:
   case VK_FORMAT_BC7_UNORM_BLOCK:
      return 8;
   default:
      return 32;
   }
}

static void
fill(VkFormat f, void *data, size_t size)
{
   for (size_t i = 0; i + 4 <= size; i += 4) {
      uint32_t v = next() << 8 ^ next();
      float x = between(0, 1);
      if (f == VK_FORMAT_R16G16B16A16_SFLOAT)
         v &= 0x3bff3bff;
      if (f == VK_FORMAT_B10G11R11_UFLOAT_PACK32)
         v &= ~(1u << 10 | 1u << 21 | 1u << 31);
      if (f == VK_FORMAT_R8G8_SNORM) /* no -128 */
         v &= 0x7f7f7f7f;
      if (f == VK_FORMAT_R32G32B32A32_SFLOAT || f == VK_FORMAT_D32_SFLOAT)
         memcpy(&v, &x, 4);
      memcpy((char *)data + i, &v, 4);
   }
}

struct texture {
   VkImage image;
   VkImageView view;
   VkDeviceMemory memory;
   VkSampler sampler;
};

static void
upload(struct vkc *v, const struct tcase *c, const struct texture *t, VkImageAspectFlags aspect)
{
   struct vkc_buffer b = vkc_buffer(v, 8 << 20, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
   VkCommandBuffer cb = vkc_begin(v);
   VkImageMemoryBarrier to = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                              .dstAccessMask =
                                  VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                              .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                              .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                              .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                              .image = t->image,
                              .subresourceRange = {aspect, 0, c->levels, 0, c->layers}};
   vkCmdPipelineBarrier(cb, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        0, 0, NULL, 0, NULL, 1, &to);
   fill(c->format, b.map, b.size);
   VkDeviceSize at = 0;
   for (uint32_t level = 0; level < c->levels; level++) {
      uint32_t w = c->width >> level ? c->width >> level : 1,
               h = c->height >> level ? c->height >> level : 1,
               d = c->depth >> level ? c->depth >> level : 1;
      VkBufferImageCopy copy = {.bufferOffset = at,
                                .imageSubresource = {aspect, level, 0, c->layers},
                                .imageExtent = {w, h, d}};
      vkCmdCopyBufferToImage(cb, b.buffer, t->image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
      at += ((VkDeviceSize)((w + 3) & ~3u) * ((h + 3) & ~3u) * d * c->layers *
                 texel_bits(c->format) / 8 +
             15) &
            ~15ull;
   }
   vkc_barrier(cb);
   vkc_finish(v, cb);
   vkc_buffer_free(v, &b);
}

static struct texture
make_texture(struct vkc *v, const struct tcase *c)
{
   struct texture t;
   bool cube = c->view == VK_IMAGE_VIEW_TYPE_CUBE;
   VkImageAspectFlags aspect =
       c->format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
   VkImageCreateInfo ici = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                            .flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                            .imageType = c->view == VK_IMAGE_VIEW_TYPE_1D   ? VK_IMAGE_TYPE_1D
                                         : c->view == VK_IMAGE_VIEW_TYPE_3D ? VK_IMAGE_TYPE_3D
                                                                            : VK_IMAGE_TYPE_2D,
                            .format = c->format,
                            .extent = {c->width, c->height, c->depth},
                            .mipLevels = c->levels,
                            .arrayLayers = c->layers,
                            .samples = VK_SAMPLE_COUNT_1_BIT,
                            .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   VKC_CHECK(vkCreateImage(v->device, &ici, NULL, &t.image));
   VkMemoryRequirements req;
   vkGetImageMemoryRequirements(v->device, t.image, &req);
   t.memory = vkc_allocate(v, &req, 0, NULL);
   VKC_CHECK(vkBindImageMemory(v->device, t.image, t.memory, 0));
   upload(v, c, &t, aspect);
   VkImageViewCreateInfo vci = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                .image = t.image,
                                .viewType = c->view,
                                .format = c->format,
                                .subresourceRange = {aspect, 0, c->levels, 0, c->layers}};
   VKC_CHECK(vkCreateImageView(v->device, &vci, NULL, &t.view));
   VkSamplerCreateInfo sci = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                              .magFilter = (VkFilter)c->filter,
                              .minFilter = (VkFilter)c->filter,
                              .mipmapMode = (VkSamplerMipmapMode)c->mip,
                              .addressModeU = c->mode,
                              .addressModeV = c->mode,
                              .addressModeW = c->mode,
                              .anisotropyEnable = c->anisotropy > 0,
                              .maxAnisotropy = c->anisotropy,
                              .compareEnable = c->compare != 0,
                              .compareOp = c->compare,
                              .maxLod = (float)c->levels,
                              .borderColor = c->border};
   VKC_CHECK(vkCreateSampler(v->device, &sci, NULL, &t.sampler));
   return t;
}

/* Where a texel or a step of a weight hangs on the last bit, drivers may differ: such coordinates
 * are moved away. */
static float
safe(float x, uint32_t size, bool exact)
{
   float steps = (float)size * (exact ? 2.0f : 1.0f);
   float y = x * steps, rest = y - floorf(y);
   if (!exact)
      return x;
   return rest < 0.02f   ? (floorf(y) + 0.02f) / steps
          : rest > 0.98f ? (floorf(y) + 0.98f) / steps
                         : x;
}

static void
coordinates(const struct tcase *c, float *in)
{
   for (unsigned i = 0; i < COUNT; i++, in += 8) {
      in[0] = safe(between(c->low, c->high), c->width, c->exact);
      in[1] = safe(between(c->low, c->high), c->height, c->exact);
      in[2] = c->view == VK_IMAGE_VIEW_TYPE_2D_ARRAY
                  ? (float)(next() % 7)
                  : safe(between(c->low, c->high), c->depth, c->exact);
      in[3] = c->lod > 0 ? between(0, c->lod) : 0;
      if (c->mip == NEAREST && c->levels > 1 && in[3] - floorf(in[3]) > 0.4f &&
          in[3] - floorf(in[3]) < 0.6f)
         in[3] += 0.25f;
      if (c->view == VK_IMAGE_VIEW_TYPE_CUBE) {
         for (unsigned k = 0; k < 3; k++)
            in[k] = between(-0.95f, 0.95f);
         in[next() % 3] = next() & 1 ? 1.0f : -1.0f;
      }
      in[4] = between(0, 1); /* reference, or gradients */
      in[5] = in[6] = in[7] = 0;
      if (c->program == &fetch_2d) {
         in[3] = (float)(next() % c->levels);
         in[0] = (float)(next() % (c->width >> (int)in[3]));
         in[1] = (float)(next() % (c->height >> (int)in[3]));
      }
      if (c->program == &query_2d)
         in[3] = 1; /* lavapipe takes one level for all invocations of a vector */
   }
}

static bool
offered(struct vkc *v, const struct tcase *c)
{
   VkFormatProperties p;
   vkGetPhysicalDeviceFormatProperties(v->physical, c->format, &p);
   VkFormatFeatureFlags want =
       VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
   return (p.optimalTilingFeatures & want) == want;
}

static void
run(struct vkc *v, const struct tcase *c, unsigned number, FILE *dump)
{
   if (!offered(v, c)) {
      printf("ok %u - %s # SKIP the driver does not sample the format\n", number, c->name);
      return;
   }
   seed = number * 7919;
   struct texture t = make_texture(v, c);
   struct vkc_buffer in = vkc_buffer(v, COUNT * 32, 0), out = vkc_buffer(v, COUNT * 16, 0);
   coordinates(c, in.map);
   memset(out.map, 0xff, COUNT * 16);
   struct vkc_image image = {.image = t.image, .view = t.view};
   struct vkc_job job = {
       .spirv = c->program->spirv,
       .spirv_size = c->program->size,
       .binding_count = 3,
       .bindings = {{.buffer = &in}, {.buffer = &out}, {.image = &image, .sampler = t.sampler}},
       .groups = {COUNT / 64, 1, 1}};
   vkc_run(v, &job);
   bool numbers = true;
   for (unsigned i = 0; i < COUNT * 4; i++)
      numbers &= ((uint32_t *)out.map)[i] != 0xffffffffu;
   printf("%sok %u - %s\n", numbers ? "" : "not ", number, c->name);
   if (dump) {
      fprintf(dump, "%s %s %u\n", c->name, c->exact ? "exact" : "filter", COUNT * 4);
      fwrite(out.map, 16, COUNT, dump);
   }
   vkDestroySampler(v->device, t.sampler, NULL);
   vkDestroyImageView(v->device, t.view, NULL);
   vkDestroyImage(v->device, t.image, NULL);
   vkFreeMemory(v->device, t.memory, NULL);
   vkc_buffer_free(v, &in);
   vkc_buffer_free(v, &out);
}

int
main(int argc, char **argv)
{
   struct vkc v;
   struct vkc_wish wish = {.features = {.samplerAnisotropy = VK_TRUE,
                                        .textureCompressionBC = VK_TRUE,
                                        .imageCubeArray = VK_TRUE}};
   struct options o = options_read(argc, argv);
   FILE *dump = o.dump ? fopen(o.dump, "wb") : NULL;
   vkc_open_with(&v, &wish);
   unsigned count = sizeof(cases) / sizeof(cases[0]);
   printf("1..%u\n# %s\n", count, v.properties.deviceName);
   for (unsigned i = 0; i < count; i++) {
      run(&v, &cases[i], i + 1, dump);
      fflush(stdout);
   }
   if (dump)
      fclose(dump);
   vkc_close(&v);
   return 0;
}
