/* What the invocations of a group do together: subgroups, shared memory to its limit, descriptor
 * arrays. */
#include "cases.h"

#include "arrays.h"
#include "big_group.h"
#include "clock.h"
#include "shared_atomics.h"
#include "subgroups_16.h"
#include "subgroups_200.h"
#include "subgroups_8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 32 }; /* that an invocation of subgroups.comp writes */

/* A subgroup as the device reported it: who sits where. */
struct subgroup {
   unsigned global[32]; /* invocation by place; ~0u: nobody */
   unsigned first;      /* lowest place that is taken */
};

static void
gather(struct subgroup *g, const uint32_t *out, unsigned start, unsigned local, uint32_t id)
{
   memset(g, 0xff, sizeof(*g));
   for (unsigned k = start; k < start + local; k++)
      if (out[k * WORDS] == id && out[k * WORDS + 1] < 32)
         g->global[out[k * WORDS + 1]] = k;
   for (g->first = 0; g->first < 31 && g->global[g->first] == ~0u;)
      g->first++;
}

static void
expect_votes(const struct subgroup *g, const uint32_t *a, unsigned me, uint32_t *w)
{
   uint32_t ballot = 0, any = 0, equal = 1;
   for (unsigned p = 0; p < 32; p++) {
      if (g->global[p] == ~0u)
         continue;
      uint32_t v = a[g->global[p]];
      ballot |= (v & 1) << p;
      any |= v % 11 == 0;
      equal &= (v & 0xff) == (a[g->global[g->first]] & 0xff);
   }
   w[4] = any;
   w[5] = !any;
   w[6] = equal | 2;
   w[7] = ballot;
   w[8] = (uint32_t)__builtin_popcount(ballot);
   w[9] = (uint32_t)__builtin_popcount(ballot & ((1u << me) - 1));
   w[10] = w[9] + (ballot >> me & 1);
   w[11] = (ballot >> me & 1) | (ballot >> 3 & 1) << 1;
   w[22] = me == g->first;
   if (ballot >> me & 1) {
      unsigned leader = (unsigned)__builtin_ctz(ballot);
      w[23] = a[g->global[leader]];
      w[24] = ballot;
      w[25] = (me == leader) | 2;
   }
   if (ballot)
      w[26] = (uint32_t)__builtin_ctz(ballot) | (31 - (uint32_t)__builtin_clz(ballot)) << 8;
}

/* Values of places where nobody sits are undefined, as are those outside: `got` is taken for them.
 */
static void
expect_moves(const struct subgroup *g, const uint32_t *a, unsigned me, const uint32_t *got,
             uint32_t *w)
{
   const unsigned from[10] = {g->first,       5,      (me * 3 + 1) & 7, me ^ 3, me - 1, me + 2,
                              (me & ~3u) | 2, me ^ 1, me ^ 2,           me ^ 3};
   for (unsigned k = 0; k < 10; k++)
      w[12 + k] = from[k] < 32 && g->global[from[k]] != ~0u ? a[g->global[from[k]]] : got[12 + k];
}

/* Every invocation has a place of its own; what is said about the group is the same for all. */
static bool
places_are_right(struct run *r, const uint32_t *out, unsigned start, unsigned local)
{
   for (unsigned k = start; k < start + local; k++) {
      const uint32_t *o = out + k * WORDS;
      bool ok = o[0] < o[2] && o[1] < o[3] && o[1] < 32 && o[2] == out[start * WORDS + 2];
      for (unsigned j = start; j < k && ok; j++)
         ok = out[j * WORDS] != o[0] || out[j * WORDS + 1] != o[1];
      if (!ok) {
         snprintf(r->why, sizeof(r->why), "invocation %u: subgroup %u of %u, place %u of %u", k,
                  o[0], o[2], o[1], o[3]);
         return false;
      }
   }
   return true;
}

struct subgroup_shape {
   struct shader shader;
   unsigned local;
};

static bool
has_subgroup_operations(const struct vkc *v)
{
   VkPhysicalDeviceSubgroupProperties has = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
   VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                    .pNext = &has};
   vkGetPhysicalDeviceProperties2(v->physical, &p);
   VkSubgroupFeatureFlags need = VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
                                 VK_SUBGROUP_FEATURE_SHUFFLE_BIT |
                                 VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT |
                                 VK_SUBGROUP_FEATURE_QUAD_BIT;
   return (has.supportedOperations & need) == need;
}

/* Every operation in every invocation; with `size` every invocation must see that size. */
static bool
run_subgroups(struct run *r, struct vkc *v, const struct subgroup_shape *shape, uint32_t size)
{
   unsigned local = shape->local, n = local * 5;
   struct vkc_buffer a = vkc_buffer(v, n * 4, 0), c = vkc_buffer(v, n * WORDS * 4, 0);
   for (unsigned i = 0; i < n; i++)
      ((uint32_t *)a.map)[i] = next_random(r);
   struct vkc_job job = {SHADER_OF(shape->shader), .bindings = {{.buffer = &a}, {.buffer = &c}},
                         .binding_count = 2, .groups = {5, 1, 1}, .subgroup_size = size};
   vkc_run(v, &job);
   uint32_t *want = calloc(n * WORDS, 4);
   bool ok = want != NULL;
   for (unsigned i = 0; i < n && ok; i++) {
      const uint32_t *got = (uint32_t *)c.map + i * WORDS;
      unsigned start = i / local * local;
      if (i == start && !places_are_right(r, c.map, start, local)) {
         ok = false;
         break;
      }
      struct subgroup g;
      gather(&g, c.map, start, local, got[0]);
      memcpy(want + i * WORDS, got, 16);
      if (size) {
         want[i * WORDS + 2] = (local + size - 1) / size;
         want[i * WORDS + 3] = size;
      }
      expect_votes(&g, a.map, got[1], want + i * WORDS);
      expect_moves(&g, a.map, got[1], got, want + i * WORDS);
   }
   ok = ok && same_words(r, c.map, want, n * WORDS);
   free(want);
   vkc_buffer_free(v, &a);
   vkc_buffer_free(v, &c);
   return ok;
}

static bool
subgroups(struct run *r)
{
   if (!has_subgroup_operations(&r->vk))
      return skip(r, "not all of the subgroup operations");
   return run_subgroups(r, &r->vk, r->data, 0);
}

/* The same shader in every width that the device has: on this one threads of 8, 16 and 32 channels.
 */
static bool
subgroup_sizes(struct run *r)
{
   static const char *const name = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
   VkPhysicalDeviceSubgroupSizeControlPropertiesEXT sizes = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES_EXT};
   VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                    .pNext = &sizes};
   vkGetPhysicalDeviceProperties2(r->vk.physical, &p);
   if (!vkc_has_extension(&r->vk, name) ||
       !(sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) ||
       !has_subgroup_operations(&r->vk))
      return skip(r, "the size of a subgroup cannot be asked for");
   VkPhysicalDeviceSubgroupSizeControlFeaturesEXT on = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES_EXT,
       .subgroupSizeControl = VK_TRUE};
   struct vkc v;
   vkc_open_with(&v, &(struct vkc_wish){.extensions = &name, .extension_count = 1, .next = &on});
   bool ok = true;
   for (uint32_t size = sizes.minSubgroupSize; size <= sizes.maxSubgroupSize && size <= 32 && ok;
        size *= 2)
      ok = run_subgroups(r, &v, r->data, size);
   vkc_close(&v);
   return ok;
}

/* Twenty times the work takes longer, by the clock of the EU. */
static bool
shader_clock(struct run *r)
{
   enum { N = 512 };
   static const char *const name = VK_KHR_SHADER_CLOCK_EXTENSION_NAME;
   VkPhysicalDeviceShaderClockFeaturesKHR on = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR};
   VkPhysicalDeviceFeatures2 has = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                    .pNext = &on};
   vkGetPhysicalDeviceFeatures2(r->vk.physical, &has);
   if (!vkc_has_extension(&r->vk, name) || !on.shaderSubgroupClock ||
       !strstr(r->vk.properties.deviceName, "Intel"))
      return skip(r, "no clock of the shader's own");
   struct vkc v;
   vkc_open_with(&v, &(struct vkc_wish){.extensions = &name, .extension_count = 1, .next = &on});
   struct vkc_buffer c = vkc_buffer(&v, (1024 + N * 4) * 4, 0);
   uint32_t *words = c.map;
   for (unsigned i = 0; i < 1024; i++)
      words[i] = next_random(r);
   struct vkc_job job = {SPIRV(clock), .bindings = {{.buffer = &c}}, .binding_count = 1,
                         .groups = {N / 32, 1, 1}};
   vkc_run(&v, &job);
   bool ok = true;
   for (uint32_t i = 0; i < N && ok; i++) {
      const uint32_t *got = words + 1024 + i * 4;
      uint32_t x = i;
      for (unsigned k = 0; k < 210; k++)
         x = x * 1664525 + words[x & 1023] + 1013904223;
      ok = got[0] > 0 && got[1] > 10 * got[0] && got[1] < 40 * got[0] && got[2] == x;
      if (!ok)
         snprintf(r->why, sizeof(r->why), "invocation %u: %u and %u ticks, 0x%08x for 0x%08x", i,
                  got[0], got[1], got[2], x);
   }
   vkc_buffer_free(&v, &c);
   vkc_close(&v);
   return ok;
}

static void
big_group_on_cpu(const uint32_t *a, uint32_t *want, uint32_t words)
{
   uint32_t *s = malloc(words * 4), *next = malloc(words * 4), sum[1024] = {0};
   if (!s || !next)
      abort();
   for (uint32_t k = 0; k < words; k++)
      s[k] = a[k % 1024] ^ k;
   for (uint32_t round = 0; round < 4; round++) {
      memcpy(next, s, words * 4);
      for (uint32_t t = 0; t < 1024; t++) {
         uint32_t at = (t * 37 + round * 911) % words;
         sum[t] = sum[t] * 31 + s[at];
      }
      for (uint32_t t = 0; t < 1024; t++) {
         uint32_t at = (t * 37 + round * 911) % words;
         if (at / 1024 % 2 == 0)
            next[(at + 1) % words] += s[at];
      }
      for (uint32_t t = 0; t < 1024; t++)
         next[words - 1 - t] ^= round;
      memcpy(s, next, words * 4);
   }
   for (uint32_t t = 0; t < 1024; t++)
      want[t] = sum[t] ^ s[t] ^ s[words - 1 - t];
   free(s);
   free(next);
}

/* 1024 invocations on all of the shared memory that there is, then on 32 KiB, which every driver
 * has. */
static bool
big_group(struct run *r)
{
   enum { GROUPS = 6 };
   const VkPhysicalDeviceLimits *limits = &r->vk.properties.limits;
   if (limits->maxComputeWorkGroupInvocations < 1024 || limits->maxComputeSharedMemorySize < 32768)
      return skip(r, "no groups of 1024 with 32 KiB");
   struct vkc_buffer a = vkc_buffer(&r->vk, GROUPS * 4096, 0),
                     c = vkc_buffer(&r->vk, GROUPS * 4096, 0);
   for (unsigned i = 0; i < GROUPS * 1024; i++)
      ((uint32_t *)a.map)[i] = next_random(r);
   static uint32_t want[GROUPS * 1024];
   uint32_t sizes[2] = {limits->maxComputeSharedMemorySize / 4, 8192};
   bool ok = true;
   for (unsigned k = 0; k < 2 && ok; k++) {
      VkSpecializationMapEntry entry = {0, 0, 4};
      VkSpecializationInfo info = {1, &entry, 4, &sizes[k]};
      struct vkc_job job = {SPIRV(big_group), .bindings = {{.buffer = &a}, {.buffer = &c}},
                            .binding_count = 2, .spec = &info, .groups = {GROUPS, 1, 1}};
      vkc_run(&r->vk, &job);
      for (unsigned g = 0; g < GROUPS; g++)
         big_group_on_cpu((uint32_t *)a.map + g * 1024, want + g * 1024, sizes[k]);
      ok = same_words(r, c.map, want, GROUPS * 1024);
   }
   keep(r, c.map, c.size);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static void
shared_atomics_on_cpu(const uint32_t *a, uint32_t *w)
{
   w[1] = w[3] = ~0u;
   int32_t lowest = INT32_MAX, highest = INT32_MIN;
   for (unsigned t = 0; t < 128; t++) {
      uint32_t v = a[t];
      w[0] += v;
      w[1] = v < w[1] ? v : w[1];
      w[2] = v > w[2] ? v : w[2];
      w[3] &= v | 0x0ff00ff0;
      w[4] |= v & 0x01111111;
      w[5] ^= v;
      w[6] += v & 7;
      lowest = (int32_t)v < lowest ? (int32_t)v : lowest;
      highest = (int32_t)v > highest ? (int32_t)v : highest;
      w[16 + (t + 1) % 128] = v * 3;
      w[16 + 128 + t] = a[(t + 1) % 128];
      w[16 + 256 + t] = 1;
   }
   w[7] = 128;
   w[8] = (uint32_t)lowest;
   w[9] = (uint32_t)highest;
}

static bool
shared_atomics(struct run *r)
{
   enum { GROUPS = 20 };
   struct vkc_buffer a = vkc_buffer(&r->vk, GROUPS * 128 * 4, 0),
                     c = vkc_buffer(&r->vk, GROUPS * 400 * 4, 0);
   for (unsigned i = 0; i < GROUPS * 128; i++)
      ((uint32_t *)a.map)[i] = next_random(r);
   struct vkc_job job = {SPIRV(shared_atomics), .bindings = {{.buffer = &a}, {.buffer = &c}},
                         .binding_count = 2, .groups = {GROUPS, 1, 1}};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   static uint32_t want[GROUPS * 400];
   memset(want, 0, sizeof(want));
   for (unsigned g = 0; g < GROUPS; g++)
      shared_atomics_on_cpu((uint32_t *)a.map + g * 128, want + g * 400);
   bool ok = same_words(r, c.map, want, GROUPS * 400);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

/* Arrays of buffers, uniform buffers and images; the group chooses. */
static bool
arrays(struct run *r)
{
   enum { BUFFERS = 24, TABLES = 6, IMAGES = 5, GROUPS = 120 };
   struct vkc_buffer a[BUFFERS], u[TABLES], c = vkc_buffer(&r->vk, GROUPS * 128, 0);
   struct vkc_image image[IMAGES];
   for (unsigned i = 0; i < BUFFERS; i++)
      a[i] = vkc_buffer(&r->vk, 256, 0);
   for (unsigned i = 0; i < TABLES; i++)
      u[i] = vkc_buffer(&r->vk, 64, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
   for (unsigned i = 0; i < IMAGES; i++)
      image[i] = vkc_image(&r->vk, &(struct vkc_image_shape){.format = VK_FORMAT_R32_UINT,
                                                             .width = 32,
                                                             .height = 1,
                                                             .view = VK_IMAGE_VIEW_TYPE_2D,
                                                             .linear = true});
   for (unsigned i = 0; i < BUFFERS * 32; i++)
      ((uint32_t *)a[i / 32].map)[i % 32] = next_random(r);
   for (unsigned i = 0; i < TABLES * 16; i++)
      ((uint32_t *)u[i / 16].map)[i % 16] = next_random(r);
   for (unsigned i = 0; i < IMAGES; i++)
      memset(image[i].map, 0, 128);
   struct vkc_job job = {
       SPIRV(arrays),
       .bindings = {{.buffer = a, .count = BUFFERS},
                    {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .buffer = u, .count = TABLES},
                    {.image = image, .count = IMAGES},
                    {.buffer = &c}},
       .binding_count = 4, .groups = {GROUPS, 1, 1}};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   static uint32_t want[GROUPS * 32], sums[IMAGES][32];
   memset(sums, 0, sizeof(sums));
   bool ok = true;
   for (unsigned g = 0; g < GROUPS; g++)
      for (unsigned i = 0; i < 32; i++) {
         uint32_t v = ((uint32_t *)a[g * 7 % BUFFERS].map)[i] +
                      ((uint32_t *)u[g % TABLES].map)[(i & 3) * 4 + 2];
         want[g * 32 + i] = v * 2;
         sums[g % IMAGES][i] += v;
      }
   ok = same_words(r, c.map, want, GROUPS * 32);
   for (unsigned i = 0; i < IMAGES; i++) {
      ok = ok && same_words(r, image[i].map, sums[i], 32);
      vkc_image_free(&r->vk, &image[i]);
   }
   for (unsigned i = 0; i < BUFFERS; i++)
      vkc_buffer_free(&r->vk, &a[i]);
   for (unsigned i = 0; i < TABLES; i++)
      vkc_buffer_free(&r->vk, &u[i]);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static const struct subgroup_shape eight = {{subgroups_8_spv, sizeof(subgroups_8_spv)}, 8},
                                   sixteen = {{subgroups_16_spv, sizeof(subgroups_16_spv)}, 16},
                                   ragged = {{subgroups_200_spv, sizeof(subgroups_200_spv)}, 200};

/* Which invocations make a subgroup is the driver's choice: nothing to compare between drivers. */
const struct test_case group_cases[] = {
    {"subgroups_of_8", subgroups, false, &eight},
    {"subgroups_of_16", subgroups, false, &sixteen},
    {"subgroups_of_200", subgroups, false, &ragged},
    {"subgroup_sizes", subgroup_sizes, false, &ragged},
    {"shader_clock", shader_clock, false},
    {"big_group", big_group, true},
    {"shared_atomics", shared_atomics, true},
    {"descriptor_arrays", arrays, true},
    {0},
};
