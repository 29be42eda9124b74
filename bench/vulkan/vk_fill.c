/* What drawing costs through Vulkan: pixels or triangles per second of processor time, a line each.
 *
 * usage: vk_fill [NAME] */
#include "../../tests/clients/vulkan_draw/vk_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WIDE 1024u /* pixels of the target, both ways */
#define GRID 256u  /* squares of the mesh, both ways */
#define TIMES 8u   /* in one command buffer */

static const VkViewport all = {0, 0, WIDE, WIDE, 0, 1};
static const VkRect2D everything = {{0, 0}, {WIDE, WIDE}};

static double
processor_time(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Commands that are submitted again and again. */
static void
measure(struct draw *d, const char *name, double work)
{
   VkSubmitInfo submit = {
       .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &d->cb};
   double start = 0, used = 0;
   unsigned times = 0;
   end(d);
   VKC_CHECK(vkEndCommandBuffer(d->cb));
   for (unsigned i = 0; used < 0.7; i++) { /* the first one is not counted */
      VKC_CHECK(vkQueueSubmit(d->vk->queue, 1, &submit, VK_NULL_HANDLE));
      VKC_CHECK(vkQueueWaitIdle(d->vk->queue));
      if (i == 0)
         start = processor_time();
      else
         times += TIMES;
      used = i ? processor_time() - start : 0;
   }
   printf("%s %.3f\n", name, work * times / used * 1e-6);
   fflush(stdout);
}

/* ---- cases ------------------------------------------------------------------------------------
 */

static void
fill(struct draw *d, const struct code *fs)
{
   static const float from[4] = {0, 0.2f, 0.5f, 1}, to[4] = {4, 0.7f, 0.1f, 1};
   look(d, &(struct look){.fs = fs, .viewport = &all, .scissor = &everything});
   for (unsigned i = 0; i < TIMES; i++)
      quad(d, -1, -1, 1, 1, 0.5f, from, to);
}

static void
flat(struct draw *d)
{
   fill(d, &frag_flat);
}

static void
varying(struct draw *d)
{
   fill(d, &frag_colored);
}

static void
texture(struct draw *d)
{
   struct image i = textured(d, VK_IMAGE_VIEW_TYPE_2D, 256, 256, 1, 1, 1);
   VkSampler s = sampler_of(d, VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_NEAREST,
                            VK_SAMPLER_ADDRESS_MODE_REPEAT);
   see(d, &(struct seen){.texture = i.view, .sampler = s});
   fill(d, &frag_tex_2d);
}

static struct point
mesh_point(unsigned n)
{
   float x = (float)(n % (GRID + 1)) / GRID, y = (float)(n / (GRID + 1)) / GRID;
   return (struct point){{2 * x - 1, 2 * y - 1, 0.5f, 1}, {x, y, 0.5f, 1}};
}

static void
mesh(struct draw *d, VkCullModeFlags cull)
{
   static struct point p[(GRID + 1) * (GRID + 1)];
   static uint32_t index[GRID * GRID][6];
   for (unsigned i = 0; i < COUNT(p); i++)
      p[i] = mesh_point(i);
   for (unsigned i = 0; i < COUNT(index); i++) {
      uint32_t a = i / GRID * (GRID + 1) + i % GRID, b = a + GRID + 1;
      const uint32_t two[6] = {a, a + 1, b, b, a + 1, b + 1};
      memcpy(index[i], two, sizeof(two));
   }
   look(d, &(struct look){.cull = cull, .viewport = &all, .scissor = &everything});
   vertices(d, p, sizeof(p));
   vkCmdBindIndexBuffer(d->cb, buffer_of(d, index, sizeof(index)), 0, VK_INDEX_TYPE_UINT32);
   for (unsigned i = 0; i < TIMES; i++)
      vkCmdDrawIndexed(d->cb, 6 * GRID * GRID, 1, 0, 0, 0);
}

static void
small(struct draw *d)
{
   mesh(d, VK_CULL_MODE_NONE);
}

static void
discarded(struct draw *d)
{
   mesh(d, VK_CULL_MODE_FRONT_AND_BACK);
}

int
main(int argc, char **argv)
{
   static const struct {
      const char *name;
      void (*draw)(struct draw *d);
      double work;
   } cases[] = {{"flat_mpixels", flat, WIDE * WIDE},
                {"varying_mpixels", varying, WIDE * WIDE},
                {"textured_mpixels", texture, WIDE * WIDE},
                {"small_mtriangles", small, 2 * GRID * GRID},
                {"discarded_mtriangles", discarded, 2 * GRID * GRID}};
   static const struct scene scene;
   struct vkc v;
   vkc_open(&v);
   fprintf(stderr, "%s\n", v.properties.deviceName);
   for (unsigned i = 0; i < COUNT(cases); i++) {
      if (argc > 1 && strcmp(argv[1], cases[i].name))
         continue;
      struct draw d = {.vk = &v, .scene = &scene};
      struct image target = image_of(&d, &(struct shape){VK_IMAGE_VIEW_TYPE_2D,
                                                         VK_FORMAT_R8G8B8A8_UNORM, WIDE, WIDE}),
                   /* Nobody tests it; without, the peer forgets what a later draw covers. */
          depth = image_of(
              &d, &(struct shape){VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_D32_SFLOAT, WIDE, WIDE});
      VkCommandBufferAllocateInfo cbai = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = v.pool,
                                          .commandBufferCount = 1};
      VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
      VKC_CHECK(vkAllocateCommandBuffers(v.device, &cbai, &d.cb));
      VKC_CHECK(vkBeginCommandBuffer(d.cb, &begin));
      begin_image(&d, target.view, target.format, depth.view, depth.format, WIDE, WIDE, 1, true);
      cases[i].draw(&d);
      measure(&d, cases[i].name, cases[i].work);
   }
   return 0;
}
