/* Prints "name seconds" for each way to sample, or for those named, on the first Vulkan device:
 * 1024 by 1024 texels of RGBA8 or of a compressed format, in the driver's own tiling or linear, 256
 * by 256 invocations of 64 samples. What the texels hold does not matter. */
#include "vkc.h"

#include "sampler_lod.h"
#include "sampler_gather.h"
#include "sampler_grad.h"

#include <stdio.h>
#include <string.h>

#define SIZE 1024u
#define GROUPS 32u

struct way {
   const char *name;
   VkFilter filter;
   VkSamplerMipmapMode mip;
   uint32_t levels;
   float lod, stretch, anisotropy;
   bool linear_tiling, gathers;
   VkFormat format; /* or RGBA8 */
};

static void
measure(struct vkc *v, const struct way *w)
{
   struct vkc_image_shape shape = {.format = w->format ? w->format : VK_FORMAT_R8G8B8A8_UNORM,
                                   .view = VK_IMAGE_VIEW_TYPE_2D,
                                   .width = SIZE,
                                   .height = SIZE,
                                   .levels = w->levels,
                                   .linear = w->linear_tiling,
                                   .sampled = true};
   struct vkc_image image = vkc_image(v, &shape);
   struct vkc_buffer out = vkc_buffer(v, GROUPS * GROUPS * 64 * 16, 0);
   VkSampler sampler;
   VkSamplerCreateInfo sci = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                              .magFilter = w->filter,
                              .minFilter = w->filter,
                              .mipmapMode = w->mip,
                              .anisotropyEnable = w->anisotropy > 0,
                              .maxAnisotropy = w->anisotropy,
                              .maxLod = 16};
   VKC_CHECK(vkCreateSampler(v->device, &sci, NULL, &sampler));
   float push[3] = {w->lod, 1.0f / SIZE, w->stretch / SIZE};
   struct vkc_job job = {.spirv = sampler_lod_spv,
                         .spirv_size = sizeof(sampler_lod_spv),
                         .bindings = {{.buffer = &out}, {.image = &image, .sampler = sampler}},
                         .binding_count = 2,
                         .push = push,
                         .push_size = sizeof(push),
                         .groups = {GROUPS, GROUPS, 1}};
   if (w->anisotropy > 0) {
      job.spirv = sampler_grad_spv;
      job.spirv_size = sizeof(sampler_grad_spv);
   } else if (w->gathers) {
      job.spirv = sampler_gather_spv;
      job.spirv_size = sizeof(sampler_gather_spv);
   }
   printf("%s %.9f\n", w->name, vkc_time(v, &job, 0.5));
   fflush(stdout);
   vkDestroySampler(v->device, sampler, NULL);
   vkc_image_free(v, &image);
   vkc_buffer_free(v, &out);
}

int
main(int argc, char **argv)
{
   struct vkc v;
   struct vkc_wish wish = {
       .features = {.samplerAnisotropy = VK_TRUE, .textureCompressionBC = VK_TRUE}};
   static const struct way ways[] = {
       {"nearest", VK_FILTER_NEAREST, 0, 1, 0, 0, 0, false},
       {"nearest_linear_tiling", VK_FILTER_NEAREST, 0, 1, 0, 0, 0, true},
       {"bilinear", VK_FILTER_LINEAR, 0, 1, 0, 0, 0, false},
       {"bilinear_linear_tiling", VK_FILTER_LINEAR, 0, 1, 0, 0, 0, true},
       {"trilinear", VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR, 11, 0.5f, 0, 0, false},
       {"anisotropic_16", VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR, 11, 0, 16, 16, false},
       {"gather", VK_FILTER_NEAREST, 0, 1, 0, 0, 0, .gathers = true},
       {"bc1_bilinear", VK_FILTER_LINEAR, 0, 1, 0, 0, 0, .format = VK_FORMAT_BC1_RGBA_UNORM_BLOCK},
       {"bc7_bilinear", VK_FILTER_LINEAR, 0, 1, 0, 0, 0, .format = VK_FORMAT_BC7_UNORM_BLOCK},
   };
   vkc_open_with(&v, &wish);
   fprintf(stderr, "%s\n", v.properties.deviceName);
   for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
      bool wanted = argc < 2;
      for (int k = 1; k < argc; k++)
         wanted |= !strcmp(argv[k], ways[i].name);
      if (wanted)
         measure(&v, &ways[i]);
   }
   vkc_close(&v);
   return 0;
}
