/* Runs one compute shader from a file over three buffers, which it sees as texels of the sampler
 * and of images too: vk_kernel FILE.spv --groups N [--twice]
 * [--barrier]. */
#include "vkc.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 1024, BUFFERS = 3 };

static const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                        VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                        VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;

static uint32_t *
read_words(const char *path, size_t *size)
{
   FILE *f = fopen(path, "rb");
   uint32_t *words = malloc(1 << 20);
   if (!f || !words) {
      fprintf(stderr, "%s cannot be read\n", path);
      exit(1);
   }
   *size = fread(words, 1, 1 << 20, f);
   fclose(f);
   return words;
}

/* One that the host never touches. */
static struct vkc_buffer
untouched(struct vkc *v)
{
   struct vkc_buffer b = {.size = WORDS * 4};
   VkBufferCreateInfo info = {
       .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = b.size, .usage = usage};
   VkMemoryRequirements needs;
   VKC_CHECK(vkCreateBuffer(v->device, &info, NULL, &b.buffer));
   vkGetBufferMemoryRequirements(v->device, b.buffer, &needs);
   b.memory = vkc_allocate(v, &needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, NULL);
   VKC_CHECK(vkBindBufferMemory(v->device, b.buffer, b.memory, 0));
   return b;
}

static VkBufferView
texels(struct vkc *v, const struct vkc_buffer *b)
{
   VkBufferView view;
   VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                  .buffer = b->buffer,
                                  .format = VK_FORMAT_R32_UINT,
                                  .range = b->size};
   VKC_CHECK(vkCreateBufferView(v->device, &info, NULL, &view));
   return view;
}

int
main(int argc, char **argv)
{
   bool twice = false, barrier = false;
   uint32_t groups = 1;
   static const struct option known[] = {{"twice", no_argument, NULL, 't'},
                                         {"barrier", no_argument, NULL, 'b'},
                                         {"groups", required_argument, NULL, 'g'},
                                         {0}};
   for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
      if (c == '?')
         return 2;
      twice |= c == 't';
      barrier |= c == 'b';
      if (c == 'g')
         groups = (uint32_t)strtoul(optarg, NULL, 0);
   }
   if (optind != argc - 1)
      return 2;
   struct vkc v;
   vkc_open(&v);
   struct vkc_buffer buffer[BUFFERS];
   struct vkc_job job = {.groups = {groups, 1, 1}, .binding_count = 3 * BUFFERS};
   job.spirv = read_words(argv[optind], &job.spirv_size);
   for (unsigned i = 0; i < BUFFERS; i++) {
      buffer[i] = i < 2 ? vkc_buffer(&v, WORDS * 4, usage) : untouched(&v);
      job.bindings[i] = (struct vkc_binding){.buffer = &buffer[i]};
      job.bindings[BUFFERS + i] = (struct vkc_binding){
          .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .view = texels(&v, &buffer[i])};
      job.bindings[2 * BUFFERS + i] = (struct vkc_binding){
          .type = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, .view = job.bindings[BUFFERS + i].view};
      for (uint32_t k = 0; i < 2 && k < WORDS; k++)
         ((uint32_t *)buffer[i].map)[k] = k;
   }
   struct vkc_program p = vkc_program(&v, &job);
   VkCommandBuffer cb = vkc_begin(&v);
   vkc_bind(cb, &job, &p);
   vkCmdDispatch(cb, groups, 1, 1);
   if (barrier)
      vkc_barrier(cb);
   if (twice)
      vkCmdDispatch(cb, groups, 1, 1);
   vkc_finish(&v, cb);
   puts("done");
   vkc_program_free(&v, &p);
   for (unsigned i = 0; i < BUFFERS; i++)
      vkDestroyBufferView(v.device, job.bindings[BUFFERS + i].view, NULL);
   for (unsigned i = 0; i < BUFFERS; i++)
      vkc_buffer_free(&v, &buffer[i]);
   vkc_close(&v);
   return 0;
}
