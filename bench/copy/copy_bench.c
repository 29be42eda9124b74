/* Prints "name MB/s" for transfers of 32 MB, or for those named, on the first Vulkan device. What
 * has been written is compared. */
#include "vkc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE (32u << 20)
#define WIDTH 2048u /* pixels of four bytes */
#define HEIGHT (SIZE / 4 / WIDTH)
#define LEAST_SECONDS 0.5
#define WORD 0x89abcdefu
#define RED 0xff0000ffu /* 1, 0, 0, 1 */
#define BOTH (VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT)

struct bench {
   struct vkc v;
   struct vkc_buffer from, to;
   struct vkc_image image[2];
};

static const VkBufferImageCopy whole = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                        .imageExtent = {WIDTH, HEIGHT, 1}};

static void
copy_buffer(const struct bench *b, VkCommandBuffer cb)
{
   vkCmdCopyBuffer(cb, b->from.buffer, b->to.buffer, 1, &(VkBufferCopy){0, 0, SIZE});
}

static void
fill_buffer(const struct bench *b, VkCommandBuffer cb)
{
   vkCmdFillBuffer(cb, b->to.buffer, 0, SIZE, WORD);
}

static void
buffer_to_image(const struct bench *b, VkCommandBuffer cb)
{
   vkCmdCopyBufferToImage(cb, b->from.buffer, b->image[0].image, VK_IMAGE_LAYOUT_GENERAL, 1,
                          &whole);
}

static void
copy_image(const struct bench *b, VkCommandBuffer cb)
{
   VkImageCopy all = {
       whole.imageSubresource, {0, 0, 0}, whole.imageSubresource, {0, 0, 0}, whole.imageExtent};
   vkCmdCopyImage(cb, b->image[0].image, VK_IMAGE_LAYOUT_GENERAL, b->image[1].image,
                  VK_IMAGE_LAYOUT_GENERAL, 1, &all);
}

static void
image_to_buffer(const struct bench *b, VkCommandBuffer cb)
{
   vkCmdCopyImageToBuffer(cb, b->image[0].image, VK_IMAGE_LAYOUT_GENERAL, b->to.buffer, 1, &whole);
}

static void
second_image_to_buffer(const struct bench *b, VkCommandBuffer cb)
{
   vkCmdCopyImageToBuffer(cb, b->image[1].image, VK_IMAGE_LAYOUT_GENERAL, b->to.buffer, 1, &whole);
}

static void
clear_image(const struct bench *b, VkCommandBuffer cb)
{
   VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   vkCmdClearColorImage(cb, b->image[1].image, VK_IMAGE_LAYOUT_GENERAL,
                        &(VkClearColorValue){.float32 = {1, 0, 0, 1}}, 1, &range);
}

static const struct {
   const char *name;
   void (*record)(const struct bench *b, VkCommandBuffer cb);
} transfers[] = {{"copy_buffer", copy_buffer},         {"fill_buffer", fill_buffer},
                 {"buffer_to_image", buffer_to_image}, {"image_to_buffer", image_to_buffer},
                 {"copy_image", copy_image},           {"clear_image", clear_image}};

static double
submit(struct bench *b, void (*record)(const struct bench *b, VkCommandBuffer cb))
{
   VkCommandBuffer cb = vkc_begin(&b->v);
   record(b, cb);
   vkc_barrier(cb);
   double before = vkc_seconds();
   vkc_finish(&b->v, cb);
   return vkc_seconds() - before;
}

static double
best_time(struct bench *b, void (*record)(const struct bench *b, VkCommandBuffer cb))
{
   double best = submit(b, record),
          start = vkc_seconds(); /* the first one also warms pages and caches */
   do {
      double spent = submit(b, record);
      best = spent < best ? spent : best;
   } while (vkc_seconds() - start < LEAST_SECONDS);
   return best;
}

/* Are the right bytes there? What is in an image comes to the buffer first. */
static bool
right(struct bench *b, void (*record)(const struct bench *b, VkCommandBuffer cb))
{
   const uint32_t *to = b->to.map, filled = record == fill_buffer ? WORD : RED;
   if (record == buffer_to_image)
      submit(b, image_to_buffer);
   if (record == copy_image || record == clear_image)
      submit(b, second_image_to_buffer);
   if (record != fill_buffer && record != clear_image)
      return !memcmp(to, b->from.map, SIZE);
   for (size_t i = 0; i < SIZE / 4; i++)
      if (to[i] != filled)
         return false;
   return true;
}

static bool
asked_for(int argc, char **argv, const char *name)
{
   for (int i = 1; i < argc; i++)
      if (!strcmp(argv[i], name))
         return true;
   return argc < 2;
}

static void
make(struct bench *b)
{
   struct vkc_image_shape shape = {.format = VK_FORMAT_R8G8B8A8_UNORM,
                                   .view = VK_IMAGE_VIEW_TYPE_2D,
                                   .width = WIDTH,
                                   .height = HEIGHT,
                                   .depth = 1,
                                   .layers = 1};
   vkc_open(&b->v);
   fprintf(stderr, "%s\n", b->v.properties.deviceName);
   b->from = vkc_buffer(&b->v, SIZE, BOTH);
   b->to = vkc_buffer(&b->v, SIZE, BOTH);
   for (unsigned i = 0; i < 2; i++)
      b->image[i] = vkc_image(&b->v, &shape);
   uint32_t seed = 1;
   for (size_t i = 0; i < SIZE / 4; i++)
      ((uint32_t *)b->from.map)[i] = seed = seed * 1664525u + 1013904223u;
}

int
main(int argc, char **argv)
{
   static struct bench b;
   make(&b);
   submit(&b, buffer_to_image); /* what is read later has been written */
   for (unsigned i = 0; i < sizeof(transfers) / sizeof(transfers[0]); i++) {
      if (!asked_for(argc, argv, transfers[i].name))
         continue;
      memset(b.to.map, 0, SIZE);
      printf("%s %.1f\n", transfers[i].name, SIZE / 1e6 / best_time(&b, transfers[i].record));
      fflush(stdout);
      if (!right(&b, transfers[i].record)) {
         fprintf(stderr, "copy_bench: %s has written something else\n", transfers[i].name);
         return EXIT_FAILURE;
      }
   }
   for (unsigned i = 0; i < 2; i++)
      vkc_image_free(&b.v, &b.image[i]);
   vkc_buffer_free(&b.v, &b.from);
   vkc_buffer_free(&b.v, &b.to);
   vkc_close(&b.v);
   return 0;
}
