/* vk_random OUT FILE.spv:GROUPS...: runs each shader of generate.py on the first Vulkan device and
 * writes what it left in its buffers and its image to OUT/FILE.bin. Inputs are the same for every
 * shader and driver; random_shaders.py runs it and compares what it wrote. */
#include "vkc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IN_WORDS 1024u
#define UBO_WORDS 64u
#define COUNTERS 16u
#define SIDE 64u
#define INVOCATIONS (SIDE * SIDE / 2) /* more than a shader has */
#define OUT_WORDS (4 * INVOCATIONS)

static uint32_t
next_word(uint32_t *state)
{
   *state ^= *state << 13;
   *state ^= *state >> 17;
   *state ^= *state << 5;
   return *state >> (*state & 31 & -(*state >> 30 & 1)); /* half of them are small */
}

static void
fill(struct vkc_buffer *b, uint32_t seed)
{
   for (size_t i = 0; i < b->size / 4; i++)
      ((uint32_t *)b->map)[i] = next_word(&seed);
}

static uint32_t *
read_shader(const char *path, size_t *size)
{
   static const size_t most = 16u << 20;
   FILE *f = fopen(path, "rb");
   uint32_t *words = malloc(most);
   if (!f || !words || !(*size = fread(words, 1, most, f))) {
      perror(path);
      exit(1);
   }
   fclose(f);
   return words;
}

struct objects {
   struct vkc_buffer in, out, counters, own, uniforms, texels;
   struct vkc_image image;
};

/* Image to or from the texel buffer. */
static void
copy_image(struct vkc *v, struct objects *o, bool back)
{
   VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                               .imageExtent = {SIDE, SIDE, 1}};
   VkCommandBuffer cb = vkc_begin(v);
   vkc_barrier(cb);
   if (back)
      vkCmdCopyImageToBuffer(cb, o->image.image, VK_IMAGE_LAYOUT_GENERAL, o->texels.buffer, 1,
                             &region);
   else
      vkCmdCopyBufferToImage(cb, o->texels.buffer, o->image.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                             &region);
   vkc_barrier(cb);
   vkc_finish(v, cb);
}

static void
write_result(const char *dir, const char *path, const struct objects *o)
{
   const struct vkc_buffer *const all[] = {&o->out, &o->counters, &o->own, &o->texels};
   const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
   char to[1024];
   snprintf(to, sizeof(to), "%s/%s.bin", dir, name);
   FILE *f = fopen(to, "wb");
   for (unsigned i = 0; f && i < sizeof(all) / sizeof(*all); i++)
      if (fwrite(all[i]->map, 1, all[i]->size, f) != all[i]->size)
         exit(1);
   if (!f || fclose(f)) {
      perror(to);
      exit(1);
   }
}

static void
run(struct vkc *v, struct objects *o, const char *dir, const char *path, uint32_t groups,
    uint32_t width)
{
   struct vkc_job job = {
       .bindings = {{.buffer = &o->in},
                    {.buffer = &o->out},
                    {.buffer = &o->counters},
                    {.buffer = &o->own},
                    {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .buffer = &o->uniforms},
                    {.image = &o->image}},
       .binding_count = 6,
       .groups = {groups, 1, 1},
       .subgroup_size = width};
   uint32_t *words = read_shader(path, &job.spirv_size);
   job.spirv = words;
   fill(&o->in, 1);
   fill(&o->uniforms, 2);
   fill(&o->counters, 3);
   fill(&o->own, 4);
   fill(&o->texels, 5);
   memset(o->out.map, 0xee, o->out.size);
   copy_image(v, o, false);
   vkc_run(v, &job);
   copy_image(v, o, true);
   write_result(dir, path, o);
   free(words);
}

int
main(int argc, char **argv)
{
   struct vkc v;
   const char *width = getenv("SUBGROUP_SIZE"); /* or as the driver likes */
   const char *const wanted[] = {VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME};
   VkPhysicalDeviceSubgroupSizeControlFeaturesEXT sizes = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT,
       .subgroupSizeControl = VK_TRUE};
   struct vkc_wish wish = {.extensions = wanted, .extension_count = 1, .next = &sizes};
   if (argc < 2) {
      fprintf(stderr, "usage: vk_random OUT FILE.spv:GROUPS...\n");
      return 2;
   }
   if (width)
      vkc_open_with(&v, &wish);
   else
      vkc_open(&v);
   printf("# device: %s\n", v.properties.deviceName);
   struct objects o = {
       .in = vkc_buffer(&v, 4 * IN_WORDS, 0),
       .out = vkc_buffer(&v, 4 * OUT_WORDS, 0),
       .counters = vkc_buffer(&v, 4 * COUNTERS, 0),
       .own = vkc_buffer(&v, 4 * INVOCATIONS, 0),
       .uniforms = vkc_buffer(&v, 4 * UBO_WORDS, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT),
       .texels = vkc_buffer(&v, 4 * SIDE * SIDE,
                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT),
       .image = vkc_storage_image(&v, SIDE, SIDE, VK_FORMAT_R32_UINT)};
   for (int i = 2; i < argc; i++) {
      char *groups = strrchr(argv[i], ':');
      if (!groups)
         return 2;
      *groups++ = 0;
      run(&v, &o, argv[1], argv[i], (uint32_t)strtoul(groups, NULL, 10),
          width ? (uint32_t)strtoul(width, NULL, 10) : 0);
   }
   struct vkc_buffer *const all[] = {&o.in, &o.out, &o.counters, &o.own, &o.uniforms, &o.texels};
   for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)
      vkc_buffer_free(&v, all[i]);
   vkc_image_free(&v, &o.image);
   vkc_close(&v);
   return 0;
}
