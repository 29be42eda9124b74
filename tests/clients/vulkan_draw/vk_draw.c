/* Draws one picture per feature and writes them to files; tests/clients/pictures.py compares them
 * with another driver's.
 *
 * usage: vk_draw --dump DIR [NAME...] */
#include "vk_draw.h"

#include "../options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct scene *const lists[] = {
    vertex_scenes,  raster_scenes,   depth_scenes,   blend_scenes,  target_scenes,
    texture_scenes, fragment_scenes, command_scenes, sample_scenes, stage_scenes};

static void
open_device(struct vkc *v)
{
   /* Those that scenes need, as far as the driver has them. */
   static const char *const wanted[] = {VK_EXT_INDEX_TYPE_UINT8_EXTENSION_NAME,
                                        VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME,
                                        VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME,
                                        VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME,
                                        VK_EXT_EXTENDED_DYNAMIC_STATE_EXTENSION_NAME,
                                        VK_KHR_DRAW_INDIRECT_COUNT_EXTENSION_NAME,
                                        VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME,
                                        VK_EXT_COLOR_WRITE_ENABLE_EXTENSION_NAME,
                                        VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME,
                                        VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME,
                                        VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME};
   VkPhysicalDeviceIndexTypeUint8FeaturesEXT uint8 = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT,
       .indexTypeUint8 = true};
   VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisor = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
       .pNext = &uint8,
       .vertexAttributeInstanceRateDivisor = true};
   VkPhysicalDeviceProvokingVertexFeaturesEXT provoking = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT,
       .pNext = &divisor,
       .provokingVertexLast = true};
   VkPhysicalDeviceExtendedDynamicStateFeaturesEXT dynamic = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT,
       .pNext = &provoking,
       .extendedDynamicState = true};
   VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT restart = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT,
       .pNext = &dynamic,
       .primitiveTopologyListRestart = true};
   VkPhysicalDeviceColorWriteEnableFeaturesEXT writes = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT,
       .pNext = &restart,
       .colorWriteEnable = true};
   VkPhysicalDeviceDepthClipEnableFeaturesEXT clip = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT,
       .pNext = &writes,
       .depthClipEnable = true};
   VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
       .pNext = &clip,
       .transformFeedback = true};
   VkPhysicalDeviceLineRasterizationFeaturesEXT lines = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT,
       .pNext = &feedback,
       .bresenhamLines = true,
       .stippledBresenhamLines = true};
   VkPhysicalDeviceVulkan11Features v11 = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
       .pNext = &lines,
       .multiview = true,
       .shaderDrawParameters = true};
   VkPhysicalDeviceVulkan12Features v12 = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
       .pNext = &v11,
       .drawIndirectCount = true,
       .shaderOutputLayer = true,
       .shaderOutputViewportIndex = true};
   struct vkc_wish wish = {.extensions = wanted,
                           .extension_count = COUNT(wanted),
                           .perhaps = VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME,
                           .next = &v12};
   memset(&wish.features, 0xff, sizeof(wish.features)); /* all that there are */
   for (size_t i = 0; i < sizeof(wish.features) / sizeof(VkBool32); i++)
      ((VkBool32 *)&wish.features)[i] = true;
   wish.features.robustBufferAccess = false;
   vkc_open_with(v, &wish);
}

/* ---- the picture ------------------------------------------------------------------------------
 */

static const struct code *
show_shader(VkFormat f)
{
   switch (f) {
   case VK_FORMAT_R8_UINT:
   case VK_FORMAT_R8G8_UINT:
   case VK_FORMAT_R8G8B8A8_UINT:
   case VK_FORMAT_R16_UINT:
   case VK_FORMAT_R16G16_UINT:
   case VK_FORMAT_R16G16B16A16_UINT:
   case VK_FORMAT_R32_UINT:
   case VK_FORMAT_R32G32_UINT:
   case VK_FORMAT_R32G32B32A32_UINT:
   case VK_FORMAT_A2B10G10R10_UINT_PACK32:
      return &frag_show_uint;
   case VK_FORMAT_R8_SINT:
   case VK_FORMAT_R8G8_SINT:
   case VK_FORMAT_R8G8B8A8_SINT:
   case VK_FORMAT_R16_SINT:
   case VK_FORMAT_R16G16_SINT:
   case VK_FORMAT_R16G16B16A16_SINT:
   case VK_FORMAT_R32_SINT:
   case VK_FORMAT_R32G32_SINT:
   case VK_FORMAT_R32G32B32A32_SINT:
      return &frag_show_int;
   default:
      return &frag_show;
   }
}

/* Targets that are no RGBA8, or that are several, become colors of one that is: side by side. */
static void
show(struct draw *d, struct image *out)
{
   unsigned count = 0, across = 1;
   struct image from[TARGETS];
   for (; count < TARGETS && d->color[count].image; count++)
      from[count] = d->color[count];
   while (across * across < count)
      across++;
   *out = image_of(d, &(struct shape){VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE});
   begin_image(d, out->view, out->format, VK_NULL_HANDLE, 0, SIZE, SIZE, 1, true);
   VkSampler s = sampler_of(d, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST,
                            VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   for (unsigned i = 0; i < count; i++) {
      float scale = d->scene->scale > 0 ? d->scene->scale : 1, n = (float)across;
      float values[8] = {scale, scale, scale, scale, d->scene->bias, 0, n, n};
      float w = 2 / n, x = -1 + w * (float)(i % across), y = -1 + w * (float)(i / across);
      look(d, &(struct look){.fs = show_shader(from[i].format)});
      see(d, &(struct seen){.texture = from[i].view, .sampler = s});
      push(d, values, sizeof(values));
      quad(d, x, y, x + w, y + w, 0.5f, black, black);
   }
   end(d);
}

static void
write_picture(struct draw *d, const struct image *i, const char *directory)
{
   struct vkc_buffer out = mapped(d, SIZE * SIZE * 4);
   VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                             .imageExtent = {SIZE, SIZE, 1}};
   vkCmdCopyImageToBuffer(d->cb, i->image, VK_IMAGE_LAYOUT_GENERAL, out.buffer, 1, &copy);
   vkc_barrier(d->cb);
   vkc_finish(d->vk, d->cb);
   char path[512];
   snprintf(path, sizeof(path), "%s/%s.rgba", directory, d->scene->name);
   FILE *f = fopen(path, "wb");
   if (!f || fwrite(out.map, 1, SIZE * SIZE * 4, f) != SIZE * SIZE * 4 || fclose(f)) {
      perror(path);
      exit(1);
   }
}

static void
draw_scene(struct vkc *v, const struct scene *s, const char *directory)
{
   struct draw d = {.vk = v, .scene = s, .data = s->data};
   VkFormat format = s->format ? s->format : VK_FORMAT_R8G8B8A8_UNORM;
   struct shape shape = {VK_IMAGE_VIEW_TYPE_2D, format, SIZE, SIZE};
   for (unsigned i = 0; i < (s->targets ? s->targets : 1); i++)
      d.color[i] = image_of(&d, &shape);
   shape.format = s->depth;
   if (s->depth)
      d.depth = image_of(&d, &shape);
   d.cb = vkc_begin(v);
   s->draw(&d);
   end(&d);
   struct image out = d.color[0];
   if (s->format || s->targets > 1)
      show(&d, &out);
   write_picture(&d, &out, directory);
   printf("# picture %s unit %u edge %u %s\n", s->name, s->unit, s->edge, s->rows ? s->rows : "");
   fflush(stdout);
}

int
main(int argc, char **argv)
{
   struct options o = options_read(argc, argv);
   struct vkc v;
   if (!o.dump) {
      fprintf(stderr, "usage: vk_draw --dump DIR [NAME...]\n");
      return 2;
   }
   open_device(&v);
   printf("# device: %s\n", v.properties.deviceName);
   for (unsigned l = 0; l < COUNT(lists); l++)
      for (const struct scene *s = lists[l]; s->name; s++)
         if (options_want(&o, s->name))
            draw_scene(&v, s, o.dump);
   vkDeviceWaitIdle(v.device);
   return 0;
}
