/* Copies, fills and clears: the driver draws rectangles for them. */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

#define BOTH (VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT)

static void
fill_bytes(struct run *r, uint8_t *p, size_t size)
{
   for (size_t i = 0; i < size; i++)
      p[i] = (uint8_t)next_random(r);
}

/* ---- buffers -------------------------------------------------------------------------------- */

/* Any bytes to any bytes; what lies between stays. */
static bool
copy_buffers(struct run *r)
{
   enum { SIZE = 1 << 18 };
   struct vkc_buffer a = vkc_buffer(&r->vk, SIZE, BOTH), b = vkc_buffer(&r->vk, SIZE, BOTH);
   static uint8_t want[SIZE];
   static const VkBufferCopy regions[] = {{0, 0, 1},
                                          {3, 17, 5},
                                          {64, 64, 64},
                                          {129, 1000, 1023},
                                          {4096, 4096, 4096},
                                          {8192, 8196, 100},
                                          {9001, 12345, 7},
                                          {16384, 20480, 65536},
                                          {100000, 100001, 99999}};
   fill_bytes(r, a.map, SIZE);
   fill_bytes(r, b.map, SIZE);
   memcpy(want, b.map, SIZE);
   for (unsigned i = 0; i < sizeof(regions) / sizeof(regions[0]); i++)
      memcpy(want + regions[i].dstOffset, (uint8_t *)a.map + regions[i].srcOffset, regions[i].size);
   VkCommandBuffer cb = vkc_begin(&r->vk);
   vkCmdCopyBuffer(cb, a.buffer, b.buffer, sizeof(regions) / sizeof(regions[0]), regions);
   vkc_barrier(cb);
   vkc_finish(&r->vk, cb);
   keep(r, b.map, SIZE);
   bool ok = same_words(r, b.map, want, SIZE / 4);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &b);
   return ok;
}

static bool
fill_and_update(struct run *r)
{
   enum { WORDS = 40000 };
   struct vkc_buffer b = vkc_buffer(&r->vk, 4 * WORDS, BOTH);
   static uint32_t want[WORDS], data[16384];
   fill_bytes(r, b.map, 4 * WORDS);
   memcpy(want, b.map, 4 * WORDS);
   fill_bytes(r, (uint8_t *)data, sizeof(data));
   VkCommandBuffer cb = vkc_begin(&r->vk);
   vkCmdFillBuffer(cb, b.buffer, 4, 4, 0x01234567);
   vkCmdFillBuffer(cb, b.buffer, 1000, 7000, 0xfedcba98);
   vkCmdFillBuffer(cb, b.buffer, 4 * 39000, VK_WHOLE_SIZE, 0x80000001);
   vkCmdUpdateBuffer(cb, b.buffer, 12, 4, data + 7);
   vkCmdUpdateBuffer(cb, b.buffer, 40000, sizeof(data), data);
   vkc_barrier(cb);
   vkc_finish(&r->vk, cb);
   want[1] = 0x01234567;
   for (unsigned i = 0; i < 1750; i++)
      want[250 + i] = 0xfedcba98;
   for (unsigned i = 39000; i < WORDS; i++)
      want[i] = 0x80000001;
   want[3] = data[7];
   memcpy(want + 10000, data, sizeof(data));
   keep(r, b.map, 4 * WORDS);
   bool ok = same_words(r, b.map, want, WORDS);
   vkc_buffer_free(&r->vk, &b);
   return ok;
}

/* As most programs do it: to the device's memory, a dispatch there, and back. */
static bool
staging(struct run *r)
{
   enum { N = 16384 };
   struct vkc_buffer host[3], local[3];
   static uint32_t want[N];
   VkBufferUsageFlags usage = BOTH | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
   for (unsigned i = 0; i < 3; i++) {
      host[i] = vkc_buffer(&r->vk, 4 * N, usage);
      local[i] = vkc_buffer(&r->vk, 4 * N, usage);
      memset(local[i].map, 0xee, 4 * N);
   }
   for (unsigned i = 0; i < N; i++) {
      ((uint32_t *)host[0].map)[i] = next_random(r);
      ((uint32_t *)host[1].map)[i] = next_random(r);
      want[i] = ((uint32_t *)host[0].map)[i] + ((uint32_t *)host[1].map)[i];
   }
   struct vkc_job job = {SHADER_OF(vadd_shader), .binding_count = 3, .groups = {N / 64, 1, 1}};
   for (unsigned i = 0; i < 3; i++)
      job.bindings[i].buffer = &local[i];
   struct vkc_program p = vkc_program(&r->vk, &job);
   VkCommandBuffer cb = vkc_begin(&r->vk);
   for (unsigned i = 0; i < 2; i++)
      vkCmdCopyBuffer(cb, host[i].buffer, local[i].buffer, 1, &(VkBufferCopy){0, 0, 4 * N});
   vkc_barrier(cb);
   vkc_bind(cb, &job, &p);
   vkCmdDispatch(cb, job.groups[0], 1, 1);
   vkc_barrier(cb);
   vkCmdCopyBuffer(cb, local[2].buffer, host[2].buffer, 1, &(VkBufferCopy){0, 0, 4 * N});
   vkc_barrier(cb);
   vkc_finish(&r->vk, cb);
   keep(r, host[2].map, 4 * N);
   bool ok = same_words(r, host[2].map, want, N);
   vkc_program_free(&r->vk, &p);
   for (unsigned i = 0; i < 3; i++) {
      vkc_buffer_free(&r->vk, &host[i]);
      vkc_buffer_free(&r->vk, &local[i]);
   }
   return ok;
}

/* ---- images --------------------------------------------------------------------------------- */

struct kind {
   VkFormat format;
   unsigned texel_B;
   VkImageViewType view;
   uint32_t width, height, depth, layers;
};

static const struct kind bytes = {VK_FORMAT_R8_UNORM, 1, VK_IMAGE_VIEW_TYPE_2D, 61, 37, 1, 1};
static const struct kind words = {VK_FORMAT_R16_UINT, 2, VK_IMAGE_VIEW_TYPE_2D, 130, 5, 1, 1};
static const struct kind rgba8 = {
    VK_FORMAT_R8G8B8A8_UNORM, 4, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 45, 33, 1, 3};
static const struct kind dwords = {VK_FORMAT_R32_SINT, 4, VK_IMAGE_VIEW_TYPE_1D, 300, 1, 1, 1};
static const struct kind rg32 = {VK_FORMAT_R32G32_UINT, 8, VK_IMAGE_VIEW_TYPE_2D, 40, 70, 1, 1};
static const struct kind rgba32 = {
    VK_FORMAT_R32G32B32A32_SFLOAT, 16, VK_IMAGE_VIEW_TYPE_3D, 20, 11, 6, 1};

static struct vkc_image
make_image(struct run *r, const struct kind *k)
{
   return vkc_image(&r->vk, &(struct vkc_image_shape){.format = k->format,
                                                      .view = k->view,
                                                      .width = k->width,
                                                      .height = k->height,
                                                      .depth = k->depth,
                                                      .layers = k->layers});
}

static VkImageSubresourceLayers
all_layers(const struct kind *k)
{
   return (VkImageSubresourceLayers){VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, k->layers};
}

/* To one image, from there a part of it to another, and back. */
static bool
copy_images(struct run *r)
{
   const struct kind *k = r->data;
   uint32_t slices = k->depth * k->layers;
   size_t row = k->width * k->texel_B, size = row * k->height * slices,
          room = (size + 3) & ~(size_t)3;
   struct vkc_buffer from = vkc_buffer(&r->vk, room, BOTH), to = vkc_buffer(&r->vk, room, BOTH);
   struct vkc_image a = make_image(r, k), b = make_image(r, k);
   fill_bytes(r, from.map, room);
   if (k->format == VK_FORMAT_R32G32B32A32_SFLOAT) /* any float but those that a copy may change */
      for (size_t i = 0; i < size / 4; i++)
         ((float *)from.map)[i] = random_float(r, -1e9f, 1e9f);
   memset(to.map, 0xee, room);
   VkExtent3D whole = {k->width, k->height, k->depth};
   /* of the first image: from a third on; in the second: to its start */
   uint32_t x = k->width / 3, y = k->height / 3, z = k->depth / 3;
   VkImageCopy part = {all_layers(k),
                       {(int32_t)x, (int32_t)y, (int32_t)z},
                       all_layers(k),
                       {0, 0, 0},
                       {k->width - x, k->height - y, k->depth - z}};
   VkBufferImageCopy all = {.imageSubresource = all_layers(k), .imageExtent = whole};
   VkCommandBuffer cb = vkc_begin(&r->vk);
   vkCmdCopyBufferToImage(cb, from.buffer, a.image, VK_IMAGE_LAYOUT_GENERAL, 1, &all);
   vkCmdCopyBufferToImage(cb, from.buffer, b.image, VK_IMAGE_LAYOUT_GENERAL, 1, &all);
   vkc_barrier(cb);
   vkCmdCopyImage(cb, a.image, VK_IMAGE_LAYOUT_GENERAL, b.image, VK_IMAGE_LAYOUT_GENERAL, 1, &part);
   vkc_barrier(cb);
   vkCmdCopyImageToBuffer(cb, b.image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &all);
   vkc_barrier(cb);
   vkc_finish(&r->vk, cb);
   uint8_t *want = malloc(room), *source = from.map;
   memset(want, 0xee, room);
   memcpy(want, source, size);
   for (uint32_t s = 0; s < slices; s++) {
      uint32_t layer = s / k->depth, depth = s % k->depth;
      if (depth + z >= k->depth)
         continue;
      for (uint32_t j = 0; j + y < k->height; j++)
         memcpy(want + (s * k->height + j) * row,
                source + ((layer * k->depth + depth + z) * k->height + j + y) * row +
                    x * k->texel_B,
                row - x * k->texel_B);
   }
   keep(r, to.map, room);
   bool ok = same_words(r, to.map, want, room / 4);
   free(want);
   vkc_image_free(&r->vk, &a);
   vkc_image_free(&r->vk, &b);
   vkc_buffer_free(&r->vk, &from);
   vkc_buffer_free(&r->vk, &to);
   return ok;
}

static bool
clear_image(struct run *r)
{
   const struct kind *k = r->data;
   size_t texels = (size_t)k->width * k->height * k->depth * k->layers;
   struct vkc_buffer to = vkc_buffer(&r->vk, texels * k->texel_B, BOTH);
   struct vkc_image a = make_image(r, k);
   VkClearColorValue color = {.uint32 = {0x12345678, 0x9abcdef0, 0x0fedcba9, 0x87654321}};
   VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, k->layers};
   VkBufferImageCopy all = {.imageSubresource = all_layers(k),
                            .imageExtent = {k->width, k->height, k->depth}};
   VkCommandBuffer cb = vkc_begin(&r->vk);
   vkCmdClearColorImage(cb, a.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   vkc_barrier(cb);
   vkCmdCopyImageToBuffer(cb, a.image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &all);
   vkc_barrier(cb);
   vkc_finish(&r->vk, cb);
   unsigned n = k->texel_B / 4;
   uint32_t *want = malloc(texels * k->texel_B);
   for (size_t i = 0; i < texels * n; i++)
      want[i] = color.uint32[i % n];
   keep(r, to.map, texels * k->texel_B);
   bool ok = same_words(r, to.map, want, texels * n);
   free(want);
   vkc_image_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &to);
   return ok;
}

const struct test_case transfer_cases[] = {{"copy_buffers", copy_buffers, true, NULL},
                                           {"fill_and_update", fill_and_update, true, NULL},
                                           {"staging", staging, true, NULL},
                                           {"copy_images_r8", copy_images, true, &bytes},
                                           {"copy_images_r16", copy_images, true, &words},
                                           {"copy_images_rgba8_array", copy_images, true, &rgba8},
                                           {"copy_images_1d", copy_images, true, &dwords},
                                           {"copy_images_rg32", copy_images, true, &rg32},
                                           {"copy_images_3d", copy_images, true, &rgba32},
                                           {"clear_image_1d", clear_image, true, &dwords},
                                           {"clear_image_rg32", clear_image, true, &rg32},
                                           {0}};
