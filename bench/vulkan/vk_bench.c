/* Prints "name seconds" for each of the kernels, or for those named, on the first Vulkan device. */
#include "vkc.h"
#include "work.h"

#include "bitonic.h"
#include "branchy.h"
#include "chain.h"
#include "chains.h"
#include "filter.h"
#include "gather.h"
#include "hash64.h"
#include "histogram.h"
#include "image.h"
#include "image8.h"
#include "mandel.h"
#include "nbody.h"
#include "reduce.h"
#include "saxpy.h"
#include "scan.h"
#include "sgemm.h"
#include "sha256.h"
#include "transpose.h"

#include <stdio.h>
#include <string.h>

static void
fill(struct vkc_buffer *b, bool integers)
{
   uint32_t seed = 1;
   for (size_t i = 0; i < b->size / 4; i++) {
      seed = seed * 1664525u + 1013904223u;
      if (integers)
         ((uint32_t *)b->map)[i] = seed >> 3;
      else
         ((float *)b->map)[i] = (float)(seed >> 8) / 16777216.0f;
   }
}

struct spec {
   const char *name;
   const uint32_t *spirv;
   size_t spirv_size;
   uint64_t sizes[3];
   bool integers;
   uint32_t push[3];
   unsigned push_size;
   uint32_t groups[3];
   VkFormat images; /* of two images in the driver's own tiling instead of buffers; what they hold
                       does not matter */
};

static void
make_images(struct vkc *v, const struct spec *s, struct vkc_image images[2], struct vkc_job *job)
{
   for (; s->images && job->binding_count < 2; job->binding_count++) {
      images[job->binding_count] = vkc_storage_image(v, IMAGE_WIDTH, IMAGE_HEIGHT, s->images);
      job->bindings[job->binding_count].image = &images[job->binding_count];
   }
}

static void
measure(struct vkc *v, const struct spec *s)
{
   struct vkc_buffer b[3];
   struct vkc_image images[2];
   struct vkc_job job = {
       .spirv = s->spirv, .spirv_size = s->spirv_size, .push = s->push, .push_size = s->push_size};
   memcpy(job.groups, s->groups, sizeof(job.groups));
   make_images(v, s, images, &job);
   for (; job.binding_count < 3 && s->sizes[job.binding_count]; job.binding_count++) {
      unsigned k = job.binding_count;
      b[k] = vkc_buffer(v, s->sizes[k], 0);
      fill(&b[k], s->integers);
      job.bindings[k].buffer = &b[k];
   }
   printf("%s %.9f\n", s->name, vkc_time(v, &job, LEAST_SECONDS));
   fflush(stdout);
   for (unsigned k = 0; k < job.binding_count; k++)
      if (s->images)
         vkc_image_free(v, &images[k]);
      else
         vkc_buffer_free(v, &b[k]);
}

#define CODE(x) x##_spv, sizeof(x##_spv)

static bool
asked_for(int argc, char **argv, const char *name)
{
   for (int i = 1; i < argc; i++)
      if (!strcmp(argv[i], name))
         return true;
   return argc < 2;
}

int
main(int argc, char **argv)
{
   struct vkc v;
   vkc_open(&v);
   fprintf(stderr, "%s\n", v.properties.deviceName);
   float a = 1.0009f;
   struct spec specs[] = {
       {"saxpy", CODE(saxpy), {SAXPY_N * 4, SAXPY_N * 4}, false, {0}, 4, {SAXPY_N / 256, 1, 1}, 0},
       {"sgemm",
        CODE(sgemm),
        {SGEMM_N * SGEMM_N * 4, SGEMM_N * SGEMM_N * 4, SGEMM_N * SGEMM_N * 4},
        false,
        {SGEMM_N},
        4,
        {SGEMM_N / 16, SGEMM_N / 16, 1},
        0},
       {"nbody",
        CODE(nbody),
        {NBODY_N * 16, NBODY_N * 16},
        false,
        {NBODY_N},
        4,
        {NBODY_N / 64, 1, 1},
        0},
       {"histogram",
        CODE(histogram),
        {HISTOGRAM_N * 4, 1024},
        true,
        {0},
        0,
        {HISTOGRAM_N / 4096, 1, 1},
        0},
       {"scan", CODE(scan), {SCAN_N * 4, SCAN_N * 4}, true, {0}, 0, {SCAN_N / 256, 1, 1}, 0},
       {"mandelbrot",
        CODE(mandel),
        {MANDEL_WIDTH * MANDEL_HEIGHT * 4},
        true,
        {MANDEL_WIDTH, MANDEL_HEIGHT, MANDEL_LIMIT},
        12,
        {MANDEL_WIDTH / 16, MANDEL_HEIGHT / 8, 1},
        0},
       {"image",
        CODE(image),
        {0},
        true,
        {0},
        0,
        {IMAGE_WIDTH / 8, IMAGE_HEIGHT / 8, 1},
        VK_FORMAT_R32_UINT},
       {"image8",
        CODE(image8),
        {0},
        true,
        {0},
        0,
        {IMAGE_WIDTH / 8, IMAGE_HEIGHT / 8, 1},
        VK_FORMAT_R8G8B8A8_UNORM},
       {"sha256", CODE(sha256), {LANES * 64, LANES * 4}, true, {0}, 0, {LANES / 64, 1, 1}, 0},
       {"bitonic", CODE(bitonic), {SCAN_N * 4, SCAN_N * 4}, true, {0}, 0, {SCAN_N / 256, 1, 1}, 0},
       {"mad_chain", CODE(chain), {LANES * 4}, false, {HALF}, 4, {LANES / 64, 1, 1}, 0},
       {"mad_chains", CODE(chains), {LANES * 4}, false, {HALF}, 4, {LANES / 64, 1, 1}, 0},
       {"branchy", CODE(branchy), {LANES * 4}, true, {0}, 0, {LANES / 64, 1, 1}, 0},
       {"reduction", CODE(reduce), {SAXPY_N * 4, 4096}, false, {0}, 0, {SAXPY_N / 1024, 1, 1}, 0},
       {"transpose",
        CODE(transpose),
        {SAXPY_N * 4, SAXPY_N * 4},
        true,
        {1024},
        4,
        {SAXPY_N / 1024 / 16, 1024 / 16, 1},
        0},
       {"filter",
        CODE(filter),
        {IMAGE_WIDTH * IMAGE_HEIGHT * 4, IMAGE_WIDTH * IMAGE_HEIGHT * 4},
        false,
        {IMAGE_WIDTH, IMAGE_HEIGHT},
        8,
        {IMAGE_WIDTH / 16, IMAGE_HEIGHT / 8, 1},
        0},
       {"gather",
        CODE(gather),
        {SAXPY_N * 4, LANES * 4},
        true,
        {SAXPY_N - 1},
        4,
        {LANES / 64, 1, 1},
        0},
       {"hash64", CODE(hash64), {SAXPY_N * 4, LANES * 4}, true, {0}, 0, {LANES / 64, 1, 1}, 0},
   };
   memcpy(specs[0].push, &a, 4);
   for (unsigned i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
      if (asked_for(argc, argv, specs[i].name))
         measure(&v, &specs[i]);
   vkc_close(&v);
   return 0;
}
