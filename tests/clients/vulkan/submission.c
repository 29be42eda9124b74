/* How work reaches the device: command buffers in flight, secondary ones, semaphores, queries,
 * bases, caches. */
#include "cases.h"

#include "args.h"
#include "base.h"
#include "chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 2048 };

const struct shader chain_shader = {chain_spv, sizeof(chain_spv)};

struct step {
   uint32_t factor, term;
};

static struct step
step_at(unsigned k)
{
   return (struct step){2 * k + 3, 1000 * k + 7};
}

static struct vkc_job
chain_job(const struct vkc_buffer *c, struct step *s)
{
   return (struct vkc_job){SPIRV(chain), .bindings = {{.buffer = c}}, .binding_count = 1,
                           .push = s,    .push_size = sizeof(*s),     .groups = {N / 64, 1, 1}};
}

static void
chain_on_cpu(uint32_t *want, struct step s)
{
   for (uint32_t i = 0; i < N; i++)
      want[i] = want[i] * s.factor + s.term + i;
}

static void
record_step(VkCommandBuffer cb, const struct vkc_job *job, const struct vkc_program *p)
{
   vkc_barrier(cb);
   vkc_bind(cb, job, p);
   vkCmdDispatch(cb, job->groups[0], 1, 1);
   vkc_barrier(cb);
}

/* Forty submissions without a wait, each building on the one before; every fourth has three
 * dispatches. */
static bool
in_flight(struct run *r)
{
   enum { COUNT = 40 };
   struct vkc_buffer c = vkc_buffer(&r->vk, N * 4, 0);
   struct step s;
   struct vkc_job job = chain_job(&c, &s);
   struct vkc_program p = vkc_program(&r->vk, &job);
   VkCommandBuffer cb[COUNT];
   VkFence fence[COUNT];
   VkFenceCreateInfo fci = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   static uint32_t want[N];
   memset(want, 0, sizeof(want));
   for (unsigned k = 0; k < COUNT; k++) {
      cb[k] = vkc_begin(&r->vk);
      VKC_CHECK(vkCreateFence(r->vk.device, &fci, NULL, &fence[k]));
      for (unsigned again = 0; again < (k % 4 ? 1 : 3); again++) {
         s = step_at(k + again);
         record_step(cb[k], &job, &p);
         chain_on_cpu(want, s);
      }
      vkc_submit(&r->vk, cb[k], fence[k]);
   }
   VKC_CHECK(vkWaitForFences(r->vk.device, 1, &fence[COUNT - 1], VK_TRUE, UINT64_C(600000000000)));
   bool ok = same_words(r, c.map, want, N);
   keep(r, c.map, c.size);
   for (unsigned k = 0; k < COUNT; k++) {
      if (vkGetFenceStatus(r->vk.device, fence[k]) != VK_SUCCESS && ok) {
         snprintf(r->why, sizeof(r->why), "fence %u is not set, a later one is", k);
         ok = false;
      }
      vkDestroyFence(r->vk.device, fence[k], NULL);
   }
   vkFreeCommandBuffers(r->vk.device, r->vk.pool, COUNT, cb);
   vkc_program_free(&r->vk, &p);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

/* One command buffer, recorded once, submitted five times; it calls two secondary ones, one of them
 * twice. */
static bool
secondary(struct run *r)
{
   struct vkc_buffer c = vkc_buffer(&r->vk, N * 4, 0);
   struct step s;
   struct vkc_job job = chain_job(&c, &s);
   struct vkc_program p = vkc_program(&r->vk, &job);
   VkCommandBufferAllocateInfo cbai = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = r->vk.pool,
                                       .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                       .commandBufferCount = 2};
   VkCommandBufferInheritanceInfo inherit = {.sType =
                                                 VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
   VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                     .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                     .pInheritanceInfo = &inherit};
   VkCommandBuffer second[2], cb;
   VKC_CHECK(vkAllocateCommandBuffers(r->vk.device, &cbai, second));
   for (unsigned k = 0; k < 2; k++) {
      s = step_at(k);
      VKC_CHECK(vkBeginCommandBuffer(second[k], &begin));
      record_step(second[k], &job, &p);
      VKC_CHECK(vkEndCommandBuffer(second[k]));
   }
   cbai.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
   cbai.commandBufferCount = 1;
   begin.pInheritanceInfo = NULL;
   VKC_CHECK(vkAllocateCommandBuffers(r->vk.device, &cbai, &cb));
   VKC_CHECK(vkBeginCommandBuffer(cb, &begin));
   s = step_at(9);
   record_step(cb, &job, &p);
   VkCommandBuffer order[3] = {second[1], second[0], second[1]};
   vkCmdExecuteCommands(cb, 3, order);
   record_step(cb, &job, &p); /* what was bound before is bound no more */
   VKC_CHECK(vkEndCommandBuffer(cb));
   VkSubmitInfo si = {
       .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cb};
   static uint32_t want[N];
   memset(want, 0, sizeof(want));
   for (unsigned k = 0; k < 5; k++) {
      VKC_CHECK(vkQueueSubmit(r->vk.queue, 1, &si, VK_NULL_HANDLE));
      static const unsigned steps[5] = {9, 1, 0, 1, 9};
      for (unsigned j = 0; j < 5; j++)
         chain_on_cpu(want, step_at(steps[j]));
   }
   VKC_CHECK(vkQueueWaitIdle(r->vk.queue));
   keep(r, c.map, c.size);
   bool ok = same_words(r, c.map, want, N);
   vkFreeCommandBuffers(r->vk.device, r->vk.pool, 2, second);
   vkFreeCommandBuffers(r->vk.device, r->vk.pool, 1, &cb);
   vkc_program_free(&r->vk, &p);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static VkSemaphore
semaphore(struct vkc *v, VkSemaphoreType type)
{
   VkSemaphoreTypeCreateInfo kind = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                     .semaphoreType = type};
   VkSemaphoreCreateInfo sci = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &kind};
   VkSemaphore s;
   VKC_CHECK(vkCreateSemaphore(v->device, &sci, NULL, &s));
   return s;
}

static const VkPipelineStageFlags everything = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

/* Submissions that wait for each other by binary semaphores. */
static bool
binary_semaphores(struct run *r)
{
   enum { COUNT = 6 };
   struct vkc_buffer c = vkc_buffer(&r->vk, N * 4, 0);
   struct step s;
   struct vkc_job job = chain_job(&c, &s);
   struct vkc_program p = vkc_program(&r->vk, &job);
   VkCommandBuffer cb[COUNT];
   VkSemaphore sem[COUNT];
   static uint32_t want[N];
   memset(want, 0, sizeof(want));
   for (unsigned k = 0; k < COUNT; k++) {
      sem[k] = semaphore(&r->vk, VK_SEMAPHORE_TYPE_BINARY);
      cb[k] = vkc_begin(&r->vk);
      s = step_at(k);
      record_step(cb[k], &job, &p);
      chain_on_cpu(want, s);
      VKC_CHECK(vkEndCommandBuffer(cb[k]));
      VkSubmitInfo si = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &cb[k],
                         .waitSemaphoreCount = k > 0,
                         .pWaitSemaphores = k ? &sem[k - 1] : NULL,
                         .pWaitDstStageMask = &everything,
                         .signalSemaphoreCount = k + 1 < COUNT,
                         .pSignalSemaphores = &sem[k]};
      VKC_CHECK(vkQueueSubmit(r->vk.queue, 1, &si, VK_NULL_HANDLE));
   }
   VKC_CHECK(vkQueueWaitIdle(r->vk.queue));
   keep(r, c.map, c.size);
   bool ok = same_words(r, c.map, want, N);
   for (unsigned k = 0; k < COUNT; k++)
      vkDestroySemaphore(r->vk.device, sem[k], NULL);
   vkFreeCommandBuffers(r->vk.device, r->vk.pool, COUNT, cb);
   vkc_program_free(&r->vk, &p);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

/* A submission waits for a value that the host sets later: until then nothing may happen. */
static bool
timeline_semaphore(struct run *r)
{
   static const char *const name = VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME;
   if (!vkc_has_extension(&r->vk, name))
      return skip(r, "no timeline semaphores");
   VkPhysicalDeviceTimelineSemaphoreFeatures on = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
       .timelineSemaphore = VK_TRUE};
   struct vkc v;
   vkc_open_with(&v, &(struct vkc_wish){.extensions = &name, .extension_count = 1, .next = &on});
   struct vkc_buffer c = vkc_buffer(&v, N * 4, 0);
   struct step s = step_at(0);
   struct vkc_job job = chain_job(&c, &s);
   struct vkc_program p = vkc_program(&v, &job);
   VkSemaphore sem = semaphore(&v, VK_SEMAPHORE_TYPE_TIMELINE);
   VkCommandBuffer cb = vkc_begin(&v);
   record_step(cb, &job, &p);
   VKC_CHECK(vkEndCommandBuffer(cb));
   uint64_t wait = 5, signal = 9, value = 0;
   VkTimelineSemaphoreSubmitInfo values = {.sType =
                                               VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                           .waitSemaphoreValueCount = 1,
                                           .pWaitSemaphoreValues = &wait,
                                           .signalSemaphoreValueCount = 1,
                                           .pSignalSemaphoreValues = &signal};
   VkSubmitInfo si = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                      .pNext = &values,
                      .commandBufferCount = 1,
                      .pCommandBuffers = &cb,
                      .waitSemaphoreCount = 1,
                      .pWaitSemaphores = &sem,
                      .pWaitDstStageMask = &everything,
                      .signalSemaphoreCount = 1,
                      .pSignalSemaphores = &sem};
   VKC_CHECK(vkQueueSubmit(v.queue, 1, &si, VK_NULL_HANDLE));
   VkSemaphoreSignalInfo set = {
       .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = sem, .value = 4};
   VKC_CHECK(vkSignalSemaphore(v.device, &set)); /* not enough */
   usleep(20000);
   VKC_CHECK(vkGetSemaphoreCounterValue(v.device, sem, &value));
   bool early = value != 4 || ((volatile uint32_t *)c.map)[5] != 0;
   set.value = 5;
   VKC_CHECK(vkSignalSemaphore(v.device, &set));
   VkSemaphoreWaitInfo until = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &sem,
                                .pValues = &signal};
   VKC_CHECK(vkWaitSemaphores(v.device, &until, UINT64_C(600000000000)));
   static uint32_t want[N];
   memset(want, 0, sizeof(want));
   chain_on_cpu(want, s);
   bool ok = same_words(r, c.map, want, N);
   if (early)
      snprintf(r->why, sizeof(r->why), "the work did not wait for its semaphore");
   VKC_CHECK(vkQueueWaitIdle(v.queue));
   vkFreeCommandBuffers(v.device, v.pool, 1, &cb);
   vkDestroySemaphore(v.device, sem, NULL);
   vkc_program_free(&v, &p);
   vkc_buffer_free(&v, &c);
   vkc_close(&v);
   return ok && !early;
}

/* Arguments made by a shader of the same command buffer, at an offset; and a dispatch of no groups.
 */
static bool
indirect_from_shader(struct run *r)
{
   uint32_t n[3] = {3, 6, 4}, total = 16 * 21 * 10;
   struct vkc_buffer a = vkc_buffer(&r->vk, 16, 0), c = vkc_buffer(&r->vk, total * 4, 0);
   struct vkc_buffer args = vkc_buffer(
       &r->vk, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   memcpy(a.map, n, 12);
   struct vkc_job make = {SPIRV(args), .bindings = {{.buffer = &a}, {.buffer = &args}},
                          .binding_count = 2};
   struct vkc_job use = {SHADER_OF(ids_shader), .bindings = {{.buffer = &c}}, .binding_count = 1};
   struct vkc_program p = vkc_program(&r->vk, &make), q = vkc_program(&r->vk, &use);
   VkCommandBuffer cb = vkc_begin(&r->vk);
   vkc_bind(cb, &make, &p);
   vkCmdDispatch(cb, 1, 1, 1);
   vkc_barrier(cb);
   vkc_bind(cb, &use, &q);
   vkCmdDispatchIndirect(cb, args.buffer, 16);
   vkc_barrier(cb);
   vkc_finish(&r->vk, cb);
   uint32_t *want = calloc(total, 4);
   if (!want)
      abort();
   for (uint32_t z = 0, i = 0; z < 10; z++)
      for (uint32_t y = 0; y < 21; y++)
         for (uint32_t x = 0; x < 16; x++, i++)
            want[i] =
                ((z % 2) * 12 + (y % 3) * 4 + x % 4) | (x / 4) << 8 | (y / 3) << 16 | (z / 2) << 24;
   bool ok = same_words(r, c.map, want, total);
   keep(r, c.map, c.size);
   memset(c.map, 0x77, c.size);
   cb = vkc_begin(&r->vk);
   vkc_bind(cb, &use, &q);
   vkCmdDispatchIndirect(cb, args.buffer, 32);
   vkCmdDispatch(cb, 0, 5, 5);
   vkc_barrier(cb);
   vkc_finish(&r->vk, cb);
   memset(want, 0x77, total * 4);
   ok = ok && same_words(r, c.map, want, total);
   free(want);
   vkc_program_free(&r->vk, &p);
   vkc_program_free(&r->vk, &q);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &args);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

/* A grid in three pieces; the group ids count from the base. */
static bool
dispatch_base(struct run *r)
{
   enum { TOTAL = 64 * 32 * 4 };
   struct vkc_buffer c = vkc_buffer(&r->vk, TOTAL * 4, 0);
   struct vkc_job job = {SPIRV(base), .bindings = {{.buffer = &c}}, .binding_count = 1,
                         .flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT};
   struct vkc_program p = vkc_program(&r->vk, &job);
   VkCommandBuffer cb = vkc_begin(&r->vk);
   vkc_bind(cb, &job, &p);
   static const uint32_t piece[3][6] = {
       {0, 0, 0, 16, 16, 1}, {3, 2, 1, 10, 13, 3}, {15, 15, 3, 1, 1, 1}};
   for (unsigned k = 0; k < 3; k++)
      vkCmdDispatchBase(cb, piece[k][0], piece[k][1], piece[k][2], piece[k][3], piece[k][4],
                        piece[k][5]);
   vkc_barrier(cb);
   vkc_finish(&r->vk, cb);
   keep(r, c.map, c.size);
   static uint32_t want[TOTAL];
   memset(want, 0, sizeof(want));
   for (unsigned k = 0; k < 3; k++)
      for (uint32_t z = 0; z < 4; z++)
         for (uint32_t y = 0; y < 32; y++)
            for (uint32_t x = 0; x < 64; x++) {
               uint32_t g[3] = {x / 4, y / 2, z};
               bool in = true;
               for (unsigned d = 0; d < 3; d++)
                  in &= g[d] >= piece[k][d] && g[d] < piece[k][d] + piece[k][3 + d];
               if (in)
                  want[(z * 32 + y) * 64 + x] += 1 + g[0] + g[1] * 100 + g[2] * 10000;
            }
   bool ok = same_words(r, c.map, want, TOTAL);
   vkc_program_free(&r->vk, &p);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

/* As many groups in a row as the API promises, of one invocation. */
static bool
wide_grid(struct run *r)
{
   enum { GROUPS = 65535 };
   struct vkc_buffer c = vkc_buffer(&r->vk, GROUPS * 4 * 24, 0);
   struct vkc_job job = {SHADER_OF(ids_shader), .bindings = {{.buffer = &c}}, .binding_count = 1,
                         .groups = {GROUPS, 1, 1}};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   bool ok = true;
   const uint32_t *got = c.map;
   for (uint32_t z = 0, i = 0; z < 2 && ok; z++)
      for (uint32_t y = 0; y < 3 && ok; y++)
         for (uint32_t x = 0; x < GROUPS * 4 && ok; x++, i++) {
            ok = got[i] == ((z * 12 + y * 4 + x % 4) | (x / 4) << 8);
            if (!ok)
               snprintf(r->why, sizeof(r->why), "invocation %u, %u, %u left 0x%08x", x, y, z,
                        got[i]);
         }
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

/* Timestamps rise with the work between them; those not written are not there; a reset takes them
 * away. */
static bool
queries(struct run *r)
{
   enum { COUNT = 6 };
   VkQueryPoolCreateInfo qpci = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                 .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                 .queryCount = COUNT + 2};
   VkQueryPool pool;
   VKC_CHECK(vkCreateQueryPool(r->vk.device, &qpci, NULL, &pool));
   struct vkc_buffer c = vkc_buffer(&r->vk, N * 4, 0);
   struct step s = step_at(1);
   struct vkc_job job = chain_job(&c, &s);
   struct vkc_program p = vkc_program(&r->vk, &job);
   VkCommandBuffer cb = vkc_begin(&r->vk);
   vkCmdResetQueryPool(cb, pool, 0, COUNT + 2);
   for (unsigned k = 0; k < COUNT; k++) {
      vkCmdWriteTimestamp(cb, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, k);
      for (unsigned j = 0; j < k * 4; j++)
         record_step(cb, &job, &p);
   }
   vkc_finish(&r->vk, cb);
   uint64_t t[COUNT + 2][2];
   memset(t, 0xee, sizeof(t));
   VkResult some =
       vkGetQueryPoolResults(r->vk.device, pool, 0, COUNT + 2, sizeof(t), t, 16,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
   uint32_t low[COUNT];
   VKC_CHECK(vkGetQueryPoolResults(r->vk.device, pool, 0, COUNT, sizeof(low), low, 4, 0));
   const char *wrong = NULL;
   for (unsigned k = 0; k < COUNT + 2; k++)
      if ((t[k][1] != 0) != (k < COUNT))
         wrong = "availability";
   for (unsigned k = 1; k < COUNT; k++)
      if (t[k][0] < t[k - 1][0] ||
          (low[k] != (uint32_t)t[k][0] && low[k] != UINT32_MAX)) /* may saturate */
         wrong = "a timestamp that falls, or differs in 32 bits";
   if (t[COUNT - 1][0] <= t[1][0])
      wrong = "no time in the work";
   for (unsigned k = 2; k < COUNT && strstr(r->vk.properties.deviceName, "Intel"); k++)
      if (t[k][0] - t[k - 1][0] <=
          t[k - 1][0] - t[k - 2][0]) /* a software driver's time is the host's */
         wrong = "more work takes no more time";
   if (some != VK_NOT_READY)
      wrong = "queries that nobody wrote are there";
   cb = vkc_begin(&r->vk);
   vkCmdResetQueryPool(cb, pool, 2, 2);
   vkc_finish(&r->vk, cb);
   for (unsigned k = 0; k < COUNT; k++)
      if ((vkGetQueryPoolResults(r->vk.device, pool, k, 1, 4, low, 4, 0) == VK_SUCCESS) ==
          (k == 2 || k == 3))
         wrong = "a reset";
   if (wrong)
      snprintf(r->why, sizeof(r->why), "queries: %s", wrong);
   vkDestroyQueryPool(r->vk.device, pool, NULL);
   vkc_program_free(&r->vk, &p);
   vkc_buffer_free(&r->vk, &c);
   return !wrong;
}

/* The host sees the event while the queue is still busy, and then the work before it is done; the
 * device takes it away again. */
static bool
event_tells(struct run *r)
{
   VkEventCreateInfo eci = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
   VkEvent e, gone;
   VKC_CHECK(vkCreateEvent(r->vk.device, &eci, NULL, &e));
   VKC_CHECK(vkCreateEvent(r->vk.device, &eci, NULL, &gone));
   VKC_CHECK(vkSetEvent(r->vk.device, gone));
   struct vkc_buffer c = vkc_buffer(&r->vk, N * 4, 0);
   struct step s = step_at(2);
   struct vkc_job job = chain_job(&c, &s);
   struct vkc_program p = vkc_program(&r->vk, &job);
   static uint32_t want[N];
   memset(want, 0, sizeof(want));
   VkCommandBuffer cb = vkc_begin(&r->vk);
   for (unsigned k = 0; k < 30; k++) {
      record_step(cb, &job, &p);
      chain_on_cpu(want, s);
   }
   vkCmdResetEvent(cb, gone, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
   vkCmdSetEvent(cb, e, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
   vkc_submit(&r->vk, cb, VK_NULL_HANDLE);
   for (unsigned ms = 0; ms < 60000 && vkGetEventStatus(r->vk.device, e) == VK_EVENT_RESET; ms++)
      usleep(1000);
   bool ok = vkGetEventStatus(r->vk.device, e) == VK_EVENT_SET;
   if (!ok)
      snprintf(r->why, sizeof(r->why), "the event was never set");
   ok = ok && same_words(r, c.map, want, N);
   VKC_CHECK(vkQueueWaitIdle(r->vk.queue));
   if (ok && vkGetEventStatus(r->vk.device, gone) != VK_EVENT_RESET) {
      snprintf(r->why, sizeof(r->why), "the device did not reset the event");
      ok = false;
   }
   vkFreeCommandBuffers(r->vk.device, r->vk.pool, 1, &cb);
   vkDestroyEvent(r->vk.device, e, NULL);
   vkDestroyEvent(r->vk.device, gone, NULL);
   vkc_program_free(&r->vk, &p);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static VkPipelineCache
cache_of(struct run *r, const void *data, size_t size)
{
   VkPipelineCacheCreateInfo pcci = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                     .initialDataSize = size,
                                     .pInitialData = data};
   VkPipelineCache cache;
   VKC_CHECK(vkCreatePipelineCache(r->vk.device, &pcci, NULL, &cache));
   return cache;
}

/* A pipeline from the bytes of another one's cache does the same. */
static bool
pipeline_cache(struct run *r)
{
   struct vkc_buffer c = vkc_buffer(&r->vk, N * 4, 0);
   struct step s = step_at(4);
   struct vkc_job job = chain_job(&c, &s);
   static uint32_t want[N];
   memset(want, 0, sizeof(want));
   job.cache = cache_of(r, NULL, 0);
   vkc_run(&r->vk, &job);
   chain_on_cpu(want, s);
   size_t size = 0;
   VKC_CHECK(vkGetPipelineCacheData(r->vk.device, job.cache, &size, NULL));
   void *data = malloc(size);
   if (!data)
      abort();
   VKC_CHECK(vkGetPipelineCacheData(r->vk.device, job.cache, &size, data));
   vkDestroyPipelineCache(r->vk.device, job.cache, NULL);
   job.cache = cache_of(r, data, size);
   s = step_at(5);
   vkc_run(&r->vk, &job);
   chain_on_cpu(want, s);
   vkDestroyPipelineCache(r->vk.device, job.cache, NULL);
   free(data);
   keep(r, c.map, c.size);
   bool ok = same_words(r, c.map, want, N);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

const struct test_case submission_cases[] = {
    {"in_flight", in_flight, true},
    {"secondary_command_buffers", secondary, true},
    {"binary_semaphores", binary_semaphores, true},
    {"timeline_semaphore", timeline_semaphore, false},
    {"indirect_from_shader", indirect_from_shader, true},
    {"dispatch_base", dispatch_base, true},
    {"wide_grid", wide_grid, true},
    {"queries", queries, false},
    {"event_tells", event_tells, false},
    {"pipeline_cache", pipeline_cache, true},
    {0},
};
