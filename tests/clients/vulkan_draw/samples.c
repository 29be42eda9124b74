/* Scenes with four samples a pixel: drawn to an image that has them, then resolved to the picture.
 */
#include "vk_draw.h"

#include <math.h>
#include <string.h>

static VkFormat
format_of(const struct draw *d)
{
   return d->color[0].format;
}

static struct image
sampled_image(struct draw *d, VkFormat format)
{
   return image_of(d, &(struct shape){.view = VK_IMAGE_VIEW_TYPE_2D,
                                      .format = format,
                                      .width = SIZE,
                                      .height = SIZE,
                                      .samples = 4});
}

/* The pass begins on such an image, and depth. */
static struct image
begin_samples(struct draw *d)
{
   struct image color = sampled_image(d, format_of(d)), depth = {0};
   if (d->scene->depth)
      depth = sampled_image(d, d->scene->depth);
   d->samples = 4;
   begin_image(d, color.view, color.format, depth.view, depth.format, SIZE, SIZE, 1, true);
   return color;
}

/* A part of it to the picture. */
static void
resolve_part(struct draw *d, const struct image *from, int32_t x, int32_t y, uint32_t width,
             uint32_t height)
{
   VkImageResolve r = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                       .srcOffset = {x, y, 0},
                       .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                       .dstOffset = {x, y, 0},
                       .extent = {width, height, 1}};
   end(d);
   d->samples = 0;
   vkCmdResolveImage(d->cb, from->image, VK_IMAGE_LAYOUT_GENERAL, d->color[0].image,
                     VK_IMAGE_LAYOUT_GENERAL, 1, &r);
   vkc_barrier(d->cb);
}

static void
resolve(struct draw *d, const struct image *from)
{
   resolve_part(d, from, 0, 0, SIZE, SIZE);
}

/* Eight thin triangles around the middle, at `z` and beyond. */
static void
star(struct draw *d, float turn, float z)
{
   struct point p[24], r[8];
   ring(r, 8, 1);
   for (unsigned i = 0; i < 24; i++) {
      float a = turn + 0.1f + 6.2831853f * (float)(i / 3) / 8, b = a + (i % 3 == 2 ? 0.3f : 0);
      p[i] = r[i / 3];
      p[i].p[0] = i % 3 ? 0.93f * cosf(b) : 0.02f;
      p[i].p[1] = i % 3 ? 0.93f * sinf(b) : 0.01f;
      p[i].p[2] = z + 0.02f * (float)i;
      for (unsigned k = 0; k < 2 && i % 3; k++) /* something to interpolate */
         p[i].c[k] *= 0.6f;
   }
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 24, 1, 0, 0);
}

/* A pipeline and the star; data: struct look. */
static void
looked_at(struct draw *d)
{
   struct image i = begin_samples(d);
   look(d, d->data);
   star(d, 0, 0.1f);
   resolve(d, &i);
}
static void
twice(struct draw *d)
{
   struct image i = begin_samples(d);
   look(d, d->data);
   star(d, 0, 0.1f);
   star(d, 0.35f, 0.3f);
   star(d, 0.2f, 0.05f);
   resolve(d, &i);
}
static void
faded(struct draw *d) /* alpha from left to right */
{
   static const float from[4] = {1, 0.8f, 0.2f, 0}, to[4] = {1, 0.8f, 0.2f, 1};
   struct image i = begin_samples(d);
   look(d, d->data);
   quad(d, -1, -1, 1, 1, 0.5f, from, to);
   resolve(d, &i);
}
static void
parts(struct draw *d)
{
   begin(d);
   end(d);
   struct image i = begin_samples(d);
   look(d, &(struct look){0});
   star(d, 0, 0.1f);
   resolve_part(d, &i, 13, 21, 78, 79);
}
static void
clears(struct draw *d) /* of rectangles, inside the pass */
{
   struct image i = begin_samples(d);
   look(d, &(struct look){0});
   star(d, 0, 0.1f);
   for (unsigned k = 0; k < 6; k++) {
      VkClearAttachment a = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {{{k & 1, k >> 1 & 1, k > 3, 1}}}};
      VkClearRect r = {{{(int32_t)(19 * k + 3), (int32_t)(17 * k + 2)}, {21, 30}}, 0, 1};
      vkCmdClearAttachments(d->cb, 1, &a, 1, &r);
   }
   star(d, 0.3f, 0.1f);
   resolve(d, &i);
}
static void
fetched(struct draw *d) /* samples one by one */
{
   struct image i = begin_samples(d);
   look(d, &(struct look){0});
   star(d, 0, 0.1f);
   end(d);
   d->samples = 0;
   begin(d);
   look(d, &(struct look){.fs = &frag_tex_samples});
   see(d, &(struct seen){.texture = i.view});
   quad(d, -1, -1, 1, 1, 0.5f, black, black);
}
static void
lines(struct draw *d)
{
   struct point p[48];
   struct image image = begin_samples(d);
   ring(p, 48, 0.95f);
   for (unsigned i = 0; i < 48; i += 2)
      p[i].p[0] = 0.1f * p[i + 1].p[0], p[i].p[1] = 0.1f * p[i + 1].p[1];
   look(d, d->data);
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 48, 1, 0, 0);
   resolve(d, &image);
}

/* Samples where the pipeline says. The peer cannot choose: it draws an image for each of them, the
 * pixels moved, and adds these up. */
struct places {
   unsigned count;
   VkSampleLocationEXT at[8];
};

static void
added_up(struct draw *d, const struct places *p)
{
   static const VkPipelineColorBlendAttachmentState add = {
       .blendEnable = true,
       .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
       .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
       .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
       .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
       .colorWriteMask = 15};
   struct image image[8];
   const float part = 1 / (float)p->count;
   const float values[8] = {part, part, part, part, 0, 0, 1, 1};
   for (unsigned i = 0; i < p->count; i++) {
      const VkViewport moved = {0.5f - p->at[i].x, 0.5f - p->at[i].y, SIZE, SIZE, 0, 1};
      image[i] = image_of(d, &(struct shape){.view = VK_IMAGE_VIEW_TYPE_2D,
                                             .format = format_of(d),
                                             .width = SIZE,
                                             .height = SIZE});
      begin_image(d, image[i].view, format_of(d), VK_NULL_HANDLE, 0, SIZE, SIZE, 1, true);
      look(d, &(struct look){.viewport = &moved});
      star(d, 0, 0.1f);
      end(d);
   }
   begin(d);
   look(d, &(struct look){.fs = &frag_show, .blend = &add, .one_blend = true});
   VkSampler s = sampler_of(d, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST,
                            VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   for (unsigned i = 0; i < p->count; i++) {
      see(d, &(struct seen){.texture = image[i].view, .sampler = s});
      push(d, values, sizeof(values));
      quad(d, -1, -1, 1, 1, 0.5f, black, black);
   }
}

static void
placed(struct draw *d)
{
   const struct places *p = d->data;
   if (strstr(d->vk->properties.deviceName, "llvmpipe")) {
      added_up(d, p);
      return;
   }
   const VkPipelineSampleLocationsStateCreateInfoEXT places = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT,
       .sampleLocationsEnable = true,
       .sampleLocationsInfo = {.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                               .sampleLocationsPerPixel = (VkSampleCountFlagBits)p->count,
                               .sampleLocationGridSize = {1, 1},
                               .sampleLocationsCount = p->count,
                               .pSampleLocations = p->at}};
   struct image color = image_of(d, &(struct shape){.view = VK_IMAGE_VIEW_TYPE_2D,
                                                    .format = format_of(d),
                                                    .width = SIZE,
                                                    .height = SIZE,
                                                    .samples = p->count});
   d->samples = p->count;
   begin_image(d, color.view, color.format, VK_NULL_HANDLE, 0, SIZE, SIZE, 1, true);
   look(d, &(struct look){.samples_next = &places});
   star(d, 0, 0.1f);
   resolve(d, &color);
}

/* In sixteenths, from the middle outwards. */
#define AT(x, y)                                                                                   \
   {                                                                                               \
      (x) / 16.0f, (y) / 16.0f                                                                     \
   }
static const struct places four = {4, {AT(7, 9), AT(12, 6), AT(3, 4), AT(14, 15)}},
                           eight = {8,
                                    {AT(8, 9), AT(6, 7), AT(10, 11), AT(4, 9), AT(12, 5), AT(3, 4),
                                     AT(13, 14), AT(1, 0)}};

static const uint32_t mask = 6;
static const VkPipelineColorBlendAttachmentState add = {.blendEnable = true,
                                                        .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                                        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                        .colorWriteMask = 15},
                                                 over = {.blendEnable = true,
                                                         .srcColorBlendFactor =
                                                             VK_BLEND_FACTOR_SRC_ALPHA,
                                                         .dstColorBlendFactor =
                                                             VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                         .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                                         .colorWriteMask = 15};
static const struct look plain = {0}, masked = {.sample_mask = &mask},
                         blended = {.blend = &add, .one_blend = true},
                         deep = {.test = true, .write = true, .compare = VK_COMPARE_OP_LESS},
                         covering = {.to_coverage = true},
                         one = {.to_one = true, .blend = &over, .one_blend = true},
                         by_sample = {.shading = 1, .fs = &frag_sample_varying},
                         id = {.fs = &frag_sample_id}, omask = {.fs = &frag_omask},
                         mask_in = {.fs = &frag_mask_in}, centroid = {.fs = &frag_centroid},
                         at_offset = {.fs = &frag_at_offset}, at_sample = {.fs = &frag_at_sample},
                         at_centroid = {.fs = &frag_at_centroid},
                         outline = {.polygon = VK_POLYGON_MODE_LINE},
                         rays = {.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST};

/* How alpha becomes coverage is the implementation's: one of four samples. Colors of lines go along
 * them here, over a rectangle there. */
const struct scene sample_scenes[] = {
    {"samples_star", looked_at, 1, 4, &plain, .rows = "P3D-372"},
    {"samples_blend", twice, 1, 4, &blended},
    {"samples_depth", twice, 1, 4, &deep, .depth = VK_FORMAT_D32_SFLOAT},
    {"samples_depth16", twice, 1, 4, &deep, .depth = VK_FORMAT_D16_UNORM},
    {"samples_mask", looked_at, 1, 4, &masked, .rows = "P3D-266"},
    {"samples_to_coverage", faded, 64, 0, &covering},
    {"samples_to_one", faded, 1, 0, &one},
    {"samples_shading", looked_at, 1, 4, &by_sample, .rows = "P3D-371"},
    {"samples_id", looked_at, 1, 4, &id, .rows = "P3D-371"},
    {"samples_omask", looked_at, 1, 4, &omask},
    {"samples_mask_in", looked_at, 1, 4, &mask_in, .rows = "P3D-279"},
    {"samples_centroid", looked_at, 1, 4, &centroid, .rows = "P3D-272"},
    {"samples_at_offset", looked_at, 1, 4, &at_offset, .rows = "P3D-330"},
    {"samples_at_sample", looked_at, 1, 4, &at_sample, .rows = "P3D-330"},
    {"samples_at_centroid", looked_at, 1, 4, &at_centroid, .rows = "P3D-330"},
    {"samples_part", parts, 1, 4, .rows = "P3D-369"},
    {"samples_float", looked_at, 1, 4, &plain, .format = VK_FORMAT_R16G16B16A16_SFLOAT},
    {"samples_clears", clears, 1, 4, .rows = "P3D-361"},
    {"samples_white", looked_at, 1, 4, &plain, .clear = {1, 1, 1, 1}, .rows = "P3D-364"},
    {"samples_fetch", fetched, 1, 4, .rows = "P3D-361"},
    {"samples_placed_4", placed, 2, 4, &four, .clear = {0, 0, 0, 0.004f}, .rows = "P3D-260"},
    {"samples_placed_8", placed, 4, 4, &eight, .clear = {0, 0, 0, 0.004f}, .rows = "P3D-260"},
    {"samples_outline", looked_at, 3, 24, &outline},
    {"samples_lines", lines, 4, 24, &rays, .rows = "P3D-232"},
    {0}};
