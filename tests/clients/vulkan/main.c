/* vk_compute [--dump DIR] [CASE...]: runs the cases on the first Vulkan device and prints TAP. */
#include "cases.h"

#include "../options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t
next_random(struct run *r)
{
   r->seed ^= r->seed << 13;
   r->seed ^= r->seed >> 17;
   r->seed ^= r->seed << 5;
   return r->seed;
}

float
random_float(struct run *r, float lo, float hi)
{
   return lo + (hi - lo) * ((float)(next_random(r) >> 8) / 16777216.0f);
}

bool
same_words(struct run *r, const void *got, const void *want, size_t words)
{
   const uint32_t *g = got, *w = want;
   for (size_t i = 0; i < words; i++) {
      if (g[i] == w[i])
         continue;
      snprintf(r->why, sizeof(r->why), "word %zu is 0x%08x, not 0x%08x", i, g[i], w[i]);
      return false;
   }
   return true;
}

bool
near_floats(struct run *r, const float *got, const double *want, const double *relative,
            const double *absolute, size_t count, unsigned kinds)
{
   for (size_t i = 0; i < count; i++) {
      double bound = fabs(want[i]) * relative[i % kinds] + absolute[i % kinds];
      if (isfinite(got[i]) && fabs(got[i] - want[i]) <= bound)
         continue;
      snprintf(r->why, sizeof(r->why), "value %zu (kind %zu) is %.9g, not %.9g", i, i % kinds,
               got[i], want[i]);
      return false;
   }
   return true;
}

void
keep(struct run *r, const void *data, size_t size)
{
   void *copy = malloc(size);
   if (!copy)
      abort();
   memcpy(copy, data, size);
   free((void *)r->dump);
   r->dump = copy;
   r->dump_size = size;
}

bool
skip(struct run *r, const char *why)
{
   snprintf(r->why, sizeof(r->why), "%s", why);
   r->skipped = true;
   return true;
}

static void
write_dump(const struct run *r, const char *dir, const char *name)
{
   char path[512];
   snprintf(path, sizeof(path), "%s/%s.bin", dir, name);
   FILE *f = fopen(path, "wb");
   if (!f || fwrite(r->dump, 1, r->dump_size, f) != r->dump_size || fclose(f)) {
      perror(path);
      exit(1);
   }
}

int
main(int argc, char **argv)
{
   struct options o = options_read(argc, argv);
   const struct test_case *lists[] = {arithmetic_cases, pipeline_cases, memory_cases,
                                      image_cases,      group_cases,    submission_cases,
                                      sharing_cases,    robust_cases,   transfer_cases};
   struct run r = {0};
   vkc_open_with(&r.vk,
                 &(struct vkc_wish){.features = {.shaderStorageBufferArrayDynamicIndexing = true,
                                                 .shaderUniformBufferArrayDynamicIndexing = true,
                                                 .shaderStorageImageArrayDynamicIndexing = true,
                                                 .shaderStorageImageExtendedFormats = true,
                                                 .shaderStorageImageWriteWithoutFormat = true}});
   printf("# device: %s\n", r.vk.properties.deviceName);
   unsigned number = 0, failed = 0;
   for (unsigned l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
      for (const struct test_case *c = lists[l]; c->name; c++) {
         if (!options_name(&o, c->name))
            continue;
         r.seed = 0x9e3779b9;
         r.why[0] = 0;
         free((void *)r.dump);
         r.dump = NULL;
         r.skipped = false;
         r.data = c->data;
         bool ok = c->fn(&r);
         failed += !ok;
         printf("%sok %u - vk_%s%s%s\n", ok ? "" : "not ", ++number, c->name,
                r.skipped ? " # SKIP "
                : ok      ? ""
                          : " # ",
                ok && !r.skipped ? "" : r.why);
         fflush(stdout);
         if (ok && o.dump && c->exact && r.dump)
            write_dump(&r, o.dump, c->name);
      }
   }
   printf("1..%u\n", number);
   free((void *)r.dump);
   vkc_close(&r.vk);
   return failed || !number;
}
