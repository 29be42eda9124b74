/* Shared memory, atomics, uniform buffers, scratch, storage images. */
#include "cases.h"

#include "atomics.h"
#include "image.h"
#include "image8.h"
#include "matmul.h"
#include "reduce.h"
#include "scan.h"
#include "scratch.h"
#include "ubo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct vkc_buffer
random_buffer(struct run *r, unsigned words, VkBufferUsageFlags usage)
{
   struct vkc_buffer b = vkc_buffer(&r->vk, words * 4, usage);
   for (unsigned i = 0; i < words; i++)
      ((uint32_t *)b.map)[i] = next_random(r);
   return b;
}

static bool
reduce(struct run *r)
{
   enum { GROUPS = 96, SIZE = 128 };
   struct vkc_buffer a = random_buffer(r, GROUPS * SIZE, 0), c = vkc_buffer(&r->vk, GROUPS * 4, 0);
   struct vkc_job job = {SPIRV(reduce), .bindings = {{.buffer = &a}, {.buffer = &c}},
                         .binding_count = 2, .groups = {GROUPS, 1, 1}};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   uint32_t want[GROUPS];
   for (unsigned g = 0; g < GROUPS; g++) {
      uint32_t s[SIZE];
      memcpy(s, (uint32_t *)a.map + g * SIZE, sizeof(s));
      for (unsigned k = SIZE / 2; k; k /= 2)
         for (unsigned t = 0; t < k; t++)
            s[t] += s[t + k] ^ k;
      want[g] = s[0];
   }
   bool ok = same_words(r, c.map, want, GROUPS);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static bool
scan(struct run *r)
{
   enum { GROUPS = 40, SIZE = 256 };
   struct vkc_buffer a = random_buffer(r, GROUPS * SIZE, 0);
   struct vkc_buffer c = vkc_buffer(&r->vk, GROUPS * SIZE * 4, 0);
   struct vkc_job job = {SPIRV(scan), .bindings = {{.buffer = &a}, {.buffer = &c}},
                         .binding_count = 2, .groups = {GROUPS, 1, 1}};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   static uint32_t want[GROUPS * SIZE];
   for (unsigned i = 0; i < GROUPS * SIZE; i++)
      want[i] = ((uint32_t *)a.map)[i] + (i % SIZE ? want[i - 1] : 0);
   bool ok = same_words(r, c.map, want, GROUPS * SIZE);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static bool
atomics(struct run *r)
{
   enum { N = 16384 };
   struct vkc_buffer a = random_buffer(r, N, 0), c = vkc_buffer(&r->vk, 264 * 4, 0);
   struct vkc_buffer d = vkc_buffer(&r->vk, N * 4, 0);
   uint32_t *bins = c.map, want[264] = {0};
   want[256] = bins[256] = ~0u;        /* min */
   want[258] = bins[258] = ~0u;        /* and */
   want[262] = bins[262] = 0x7fffffff; /* signed min */
   want[263] = bins[263] = 0x80000000; /* signed max */
   struct vkc_job job = {SPIRV(atomics),
                         .bindings = {{.buffer = &a}, {.buffer = &c}, {.buffer = &d}},
                         .binding_count = 3, .groups = {N / 64, 1, 1}};
   vkc_run(&r->vk, &job);
   static uint32_t ticket[N];
   for (unsigned i = 0; i < N; i++) {
      uint32_t v = ((uint32_t *)a.map)[i];
      want[v & 255]++;
      want[256] = v < want[256] ? v : want[256];
      want[257] = v > want[257] ? v : want[257];
      want[258] &= v | 0xff00ff00;
      want[259] |= v & 0x0f0f0f0f;
      want[260] ^= v;
      want[261] += v & 3;
      want[262] = (int32_t)v < (int32_t)want[262] ? v : want[262];
      want[263] = (int32_t)v > (int32_t)want[263] ? v : want[263];
      uint32_t count = 0;
      for (unsigned k = i & ~63u; k < (i & ~63u) + 64; k++)
         count += ((uint32_t *)a.map)[k] >> 28 == (i & 15);
      ticket[i] = count;
   }
   bool ok = same_words(r, c.map, want, 264) && same_words(r, d.map, ticket, N);
   keep(r, c.map, c.size);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &c);
   vkc_buffer_free(&r->vk, &d);
   return ok;
}

static bool
uniforms(struct run *r)
{
   enum { N = 2048 };
   struct vkc_buffer u = random_buffer(r, 256, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
   struct vkc_buffer a = random_buffer(r, N, 0), c = vkc_buffer(&r->vk, N * 4, 0);
   struct vkc_job job = {SPIRV(ubo),
                         .bindings = {{.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .buffer = &u},
                                      {.buffer = &a},
                                      {.buffer = &c}},
                         .binding_count = 3, .groups = {N / 64, 1, 1}};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   uint32_t want[N], *table = u.map;
   for (unsigned i = 0; i < N; i++) {
      uint32_t v = ((uint32_t *)a.map)[i];
      want[i] = table[(v & 63) * 4 + (v >> 6 & 3)] + table[21];
   }
   bool ok = same_words(r, c.map, want, N);
   vkc_buffer_free(&r->vk, &u);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

/* One set, bound five times with other offsets into the table and the result. */
static bool
dynamic_offsets(struct run *r)
{
   enum { N = 256, ROUNDS = 5 };
   struct vkc_buffer u = random_buffer(r, 256 * ROUNDS, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
   struct vkc_buffer a = random_buffer(r, N, 0), c = vkc_buffer(&r->vk, N * ROUNDS * 4, 0);
   struct vkc_job job = {
       SPIRV(ubo),
       .bindings =
           {{.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, .buffer = &u, .range = 1024},
            {.buffer = &a},
            {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, .buffer = &c, .range = N * 4}},
       .binding_count = 3};
   struct vkc_program p = vkc_program(&r->vk, &job);
   VkCommandBuffer cb = vkc_begin(&r->vk);
   vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
   for (uint32_t k = 0; k < ROUNDS; k++) {
      uint32_t offset[2] = {(k * 3 % ROUNDS) * 1024, k * N * 4};
      vkCmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0, 1, &p.set, 2,
                              offset);
      vkCmdDispatch(cb, N / 64, 1, 1);
   }
   vkc_barrier(cb);
   vkc_finish(&r->vk, cb);
   keep(r, c.map, c.size);
   uint32_t want[N * ROUNDS];
   for (unsigned i = 0; i < N * ROUNDS; i++) {
      uint32_t v = ((uint32_t *)a.map)[i % N],
               *table = (uint32_t *)u.map + (i / N * 3 % ROUNDS) * 256;
      want[i] = table[(v & 63) * 4 + (v >> 6 & 3)] + table[21];
   }
   bool ok = same_words(r, c.map, want, N * ROUNDS);
   vkc_program_free(&r->vk, &p);
   vkc_buffer_free(&r->vk, &u);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static bool
scratch(struct run *r)
{
   enum { N = 1024 };
   struct vkc_buffer a = random_buffer(r, N, 0), c = vkc_buffer(&r->vk, N * 4, 0);
   struct vkc_job job = {SPIRV(scratch), .bindings = {{.buffer = &a}, {.buffer = &c}},
                         .binding_count = 2, .groups = {N / 64, 1, 1}};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   uint32_t want[N];
   for (unsigned i = 0; i < N; i++) {
      uint32_t t[128], at = i & 127, sum = 0;
      for (unsigned k = 0; k < 128; k++)
         t[k] = ((uint32_t *)a.map)[(i + k) & 1023];
      for (unsigned k = 0; k < 256; k++) {
         at = (at + t[at]) & 127;
         t[at] = t[at] * 5 + k;
         sum ^= t[at];
      }
      want[i] = sum;
   }
   bool ok = same_words(r, c.map, want, N);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static bool
matmul(struct run *r)
{
   enum { N = 64 };
   struct vkc_buffer a = random_buffer(r, N * N, 0), b = random_buffer(r, N * N, 0);
   struct vkc_buffer c = vkc_buffer(&r->vk, N * N * 4, 0);
   uint32_t n = N;
   struct vkc_job job = {
       SPIRV(matmul),      .bindings = {{.buffer = &a}, {.buffer = &b}, {.buffer = &c}},
       .binding_count = 3, .push = &n,
       .push_size = 4,     .groups = {N / 16, N / 16, 1}};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   static uint32_t want[N * N];
   const uint32_t *p = a.map, *q = b.map;
   for (unsigned i = 0; i < N * N; i++) {
      want[i] = 0;
      for (unsigned k = 0; k < N; k++)
         want[i] += p[i / N * N + k] * q[k * N + i % N];
   }
   bool ok = same_words(r, c.map, want, N * N);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &b);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

enum { SIDE = 64 };

static void
image_phases(struct run *r, struct vkc_job *job, VkFormat format, unsigned phases,
             struct vkc_buffer *c)
{
   struct vkc_image image = vkc_storage_image(&r->vk, SIDE, SIDE, format);
   *c = vkc_buffer(&r->vk, SIDE * SIDE * 4, 0);
   job->bindings[0].image = &image;
   job->bindings[1].buffer = c;
   job->binding_count = 2;
   job->groups[0] = job->groups[1] = SIDE / 8;
   job->groups[2] = 1;
   for (uint32_t phase = 0; phase < phases; phase++) {
      uint32_t push[2] = {phase, SIDE};
      job->push = push;
      job->push_size = sizeof(push);
      vkc_run(&r->vk, job);
   }
   keep(r, c->map, c->size);
   vkc_image_free(&r->vk, &image);
}

static bool
storage_image(struct run *r)
{
   struct vkc_job job = {SPIRV(image)};
   struct vkc_buffer c;
   image_phases(r, &job, VK_FORMAT_R32_UINT, 3, &c);
   static uint32_t want[SIDE * SIDE];
   for (uint32_t y = 0; y < SIDE; y++)
      for (uint32_t x = 0; x < SIDE; x++)
         want[y * SIDE + x] = x * 1000 + y + (y << 16);
   bool ok = same_words(r, c.map, want, SIDE * SIDE);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static bool
storage_image_unorm(struct run *r)
{
   struct vkc_job job = {SPIRV(image8)};
   struct vkc_buffer c;
   image_phases(r, &job, VK_FORMAT_R8G8B8A8_UNORM, 2, &c);
   static uint32_t want[SIDE * SIDE];
   for (uint32_t y = 0; y < SIDE; y++)
      for (uint32_t x = 0; x < SIDE; x++)
         want[y * SIDE + x] = x | y << 8 | (x ^ y) << 16 | (255 - x) << 24;
   bool ok = same_words(r, c.map, want, SIDE * SIDE);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

const struct test_case memory_cases[] = {
    {"shared_reduce", reduce, true},
    {"shared_scan", scan, true},
    {"atomics", atomics, true},
    {"uniform_buffer", uniforms, true},
    {"dynamic_offsets", dynamic_offsets, true},
    {"scratch", scratch, true},
    {"matmul", matmul, true},
    {"storage_image", storage_image, true},
    {"storage_image_unorm", storage_image_unorm, true},
    {0},
};
