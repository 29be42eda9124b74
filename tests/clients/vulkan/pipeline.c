/* What surrounds a shader: push constants, specialisation, ids, indirect dispatch, big grids,
 * timestamps, events, control flow. */
#include "cases.h"

#include "flow.h"
#include "ids.h"
#include "many.h"
#include "push.h"
#include "spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct shader ids_shader = {ids_spv, sizeof(ids_spv)};

static bool
push(struct run *r)
{
   enum { N = 4096 };
   struct {
      uint32_t scale;
      int32_t bias;
      uint32_t table[8];
   } p = {77, -12345, {1, 20, 300, 4000, 50000, 600000, 7000000, 80000000}};
   struct vkc_buffer c = vkc_buffer(&r->vk, N * 4, 0);
   struct vkc_job job = {SPIRV(push), .bindings = {{.buffer = &c}}, .binding_count = 1,
                         .push = &p,  .push_size = sizeof(p),       .groups = {N / 64, 1, 1}};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   uint32_t want[N];
   for (uint32_t i = 0; i < N; i++)
      want[i] = i * p.scale + (uint32_t)p.bias + p.table[i & 7];
   bool ok = same_words(r, c.map, want, N);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static bool
specialization(struct run *r)
{
   static const uint32_t sizes[] = {1, 8, 24, 100, 256};
   for (unsigned k = 0; k < 5; k++) {
      uint32_t values[3] = {sizes[k], 17 + k, k & 1};
      VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
      VkSpecializationInfo info = {3, entries, sizeof(values), values};
      uint32_t n = sizes[k] * 6, want[256 * 6];
      struct vkc_buffer c = vkc_buffer(&r->vk, n * 4, 0);
      struct vkc_job job = {SPIRV(spec), .bindings = {{.buffer = &c}}, .binding_count = 1,
                            .spec = &info, .groups = {6, 1, 1}};
      vkc_run(&r->vk, &job);
      keep(r, c.map, c.size);
      for (uint32_t i = 0; i < n; i++)
         want[i] = (i * values[1] + values[0]) << (values[2] != 0);
      bool ok = same_words(r, c.map, want, n);
      vkc_buffer_free(&r->vk, &c);
      if (!ok)
         return false;
   }
   return true;
}

/* Grid of gx * gy * gz groups of 4 * 3 * 2, direct or indirect. */
static bool
grid(struct run *r, uint32_t gx, uint32_t gy, uint32_t gz, bool indirect)
{
   uint32_t nx = gx * 4, ny = gy * 3, nz = gz * 2;
   size_t count = (size_t)nx * ny * nz;
   struct vkc_buffer c = vkc_buffer(&r->vk, count * 4, 0);
   struct vkc_buffer args = vkc_buffer(&r->vk, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   memcpy(args.map, (uint32_t[3]){gx, gy, gz}, 12);
   struct vkc_job job = {SPIRV(ids), .bindings = {{.buffer = &c}}, .binding_count = 1,
                         .groups = {gx, gy, gz}, .indirect = indirect ? &args : NULL};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   uint32_t *want = malloc(count * 4);
   if (!want)
      abort();
   for (uint32_t z = 0, i = 0; z < nz; z++)
      for (uint32_t y = 0; y < ny; y++)
         for (uint32_t x = 0; x < nx; x++, i++)
            want[i] =
                ((z % 2) * 12 + (y % 3) * 4 + x % 4) | (x / 4) << 8 | (y / 3) << 16 | (z / 2) << 24;
   bool ok = same_words(r, c.map, want, count);
   free(want);
   vkc_buffer_free(&r->vk, &c);
   vkc_buffer_free(&r->vk, &args);
   return ok;
}

static bool
ids(struct run *r)
{
   return grid(r, 5, 3, 4, false) && grid(r, 1, 1, 1, false) && grid(r, 1, 7, 1, false);
}

static bool
indirect(struct run *r)
{
   return grid(r, 3, 5, 2, true) && grid(r, 11, 1, 1, true);
}

static bool
big_grid(struct run *r)
{
   return grid(r, 40, 30, 20, false);
}

static bool
many_buffers(struct run *r)
{
   enum { N = 512, INPUTS = 11 };
   struct vkc_buffer a[INPUTS], c = vkc_buffer(&r->vk, N * 4, 0);
   struct vkc_job job = {SPIRV(many), .binding_count = INPUTS + 1, .groups = {N / 64, 1, 1}};
   uint32_t want[N] = {0};
   for (unsigned k = 0; k < INPUTS; k++) {
      a[k] = vkc_buffer(&r->vk, N * 4, 0);
      job.bindings[k].buffer = &a[k];
      for (unsigned i = 0; i < N; i++) {
         uint32_t v = next_random(r);
         ((uint32_t *)a[k].map)[i] = v;
         want[i] += v * (k + 1);
      }
   }
   job.bindings[INPUTS].buffer = &c;
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   bool ok = same_words(r, c.map, want, N);
   for (unsigned k = 0; k < INPUTS; k++)
      vkc_buffer_free(&r->vk, &a[k]);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static struct vkc_job
vadd_job(struct run *r, struct vkc_buffer b[3], unsigned n)
{
   for (unsigned k = 0; k < 3; k++)
      b[k] = vkc_buffer(&r->vk, n * 4, 0);
   for (unsigned i = 0; i < n; i++) {
      ((uint32_t *)b[0].map)[i] = i;
      ((uint32_t *)b[1].map)[i] = i * i;
   }
   return (struct vkc_job){SHADER_OF(vadd_shader),
                           .bindings = {{.buffer = &b[0]}, {.buffer = &b[1]}, {.buffer = &b[2]}},
                           .binding_count = 3, .groups = {n / 64, 1, 1}};
}

static bool
vadd_done(struct run *r, struct vkc_buffer b[3], unsigned n)
{
   bool ok = true;
   for (unsigned i = 0; i < n && ok; i++) {
      ok = ((uint32_t *)b[2].map)[i] == i + i * i;
      if (!ok)
         snprintf(r->why, sizeof(r->why), "word %u is wrong", i);
   }
   for (unsigned k = 0; k < 3; k++)
      vkc_buffer_free(&r->vk, &b[k]);
   return ok;
}

static bool
timestamps(struct run *r)
{
   VkQueryPoolCreateInfo qpci = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                 .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                 .queryCount = 2};
   VkQueryPool pool;
   VKC_CHECK(vkCreateQueryPool(r->vk.device, &qpci, NULL, &pool));
   struct vkc_buffer b[3];
   struct vkc_job job = vadd_job(r, b, 65536);
   job.timestamps = pool;
   vkc_run(&r->vk, &job);
   uint64_t t[2] = {0, 0};
   VKC_CHECK(vkGetQueryPoolResults(r->vk.device, pool, 0, 2, sizeof(t), t, 8,
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
   vkDestroyQueryPool(r->vk.device, pool, NULL);
   bool ok = vadd_done(r, b, 65536);
   if (ok && t[1] <= t[0]) {
      snprintf(r->why, sizeof(r->why), "timestamps do not rise: %llu, %llu",
               (unsigned long long)t[0], (unsigned long long)t[1]);
      ok = false;
   }
   return ok;
}

static bool
events(struct run *r)
{
   VkEventCreateInfo eci = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
   VkEvent e;
   VKC_CHECK(vkCreateEvent(r->vk.device, &eci, NULL, &e));
   bool ok = vkGetEventStatus(r->vk.device, e) == VK_EVENT_RESET;
   struct vkc_buffer b[3];
   struct vkc_job job = vadd_job(r, b, 4096);
   job.set_event = e;
   vkc_run(&r->vk, &job);
   ok = ok && vkGetEventStatus(r->vk.device, e) == VK_EVENT_SET;
   if (!ok)
      snprintf(r->why, sizeof(r->why), "the device did not set the event");
   ok = vadd_done(r, b, 4096) && ok;
   /* Set by the host before the device waits for it. */
   VKC_CHECK(vkResetEvent(r->vk.device, e));
   VKC_CHECK(vkSetEvent(r->vk.device, e));
   job = vadd_job(r, b, 4096);
   job.wait_event = e;
   vkc_run(&r->vk, &job);
   ok = vadd_done(r, b, 4096) && ok;
   vkDestroyEvent(r->vk.device, e, NULL);
   return ok;
}

static bool
flow(struct run *r)
{
   enum { N = 4096 };
   struct vkc_buffer a = vkc_buffer(&r->vk, N * 4, 0), c = vkc_buffer(&r->vk, N * 4, 0);
   for (unsigned i = 0; i < N; i++)
      ((uint32_t *)a.map)[i] = next_random(r);
   struct vkc_job job = {SPIRV(flow), .bindings = {{.buffer = &a}, {.buffer = &c}},
                         .binding_count = 2, .groups = {N / 64, 1, 1}};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   uint32_t want[N];
   for (unsigned i = 0; i < N; i++) {
      uint32_t n = ((uint32_t *)a.map)[i] % 1000 + 1, steps = 0, mix = 0;
      while (n != 1 && steps < 200) {
         bool odd = n & 1;
         n = odd ? 3 * n + 1 : n / 2;
         if (odd && n % 7 == 0)
            continue;
         steps++;
         unsigned k = n & 3;
         if (k == 0)
            mix += 1;
         else if (k == 1)
            mix ^= n;
         else {
            if (k == 2)
               mix += n * 3;
            mix = mix << 1 | mix >> 31;
         }
         for (unsigned j = 0; j < 4 && j != (n & 7); j++)
            mix += j;
      }
      want[i] = steps ^ mix << 8;
   }
   bool ok = same_words(r, c.map, want, N);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

const struct test_case pipeline_cases[] = {
    {"push_constants", push, true},
    {"specialization", specialization, true},
    {"ids", ids, true},
    {"indirect", indirect, true},
    {"big_grid", big_grid, true},
    {"many_buffers", many_buffers, true},
    {"timestamps", timestamps, false},
    {"events", events, false},
    {"control_flow", flow, true},
    {0},
};
