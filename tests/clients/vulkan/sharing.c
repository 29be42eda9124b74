/* Memory and semaphores that leave the device: two devices in one process, client memory. */
#include "cases.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 16384 }; /* words: 64 KiB, whole pages */

static const uint32_t step[2] = {3, 11};

static struct vkc_job
chain_job(const struct vkc_buffer *c)
{
   return (struct vkc_job){SHADER_OF(chain_shader),   .bindings = {{.buffer = c}},
                           .binding_count = 1,        .push = step,
                           .push_size = sizeof(step), .groups = {N / 64, 1, 1}};
}

static void
chain_on_cpu(uint32_t *want)
{
   for (uint32_t i = 0; i < N; i++)
      want[i] = want[i] * step[0] + step[1] + i;
}

/* A buffer whose memory comes with `next` in its allocation. */
static struct vkc_buffer
special_buffer(struct vkc *v, VkExternalMemoryHandleTypeFlags handle, const void *next)
{
   struct vkc_buffer b = {.size = N * 4};
   VkExternalMemoryBufferCreateInfo external = {
       .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = handle};
   VkBufferCreateInfo bci = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .pNext = &external,
                             .size = b.size,
                             .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   VKC_CHECK(vkCreateBuffer(v->device, &bci, NULL, &b.buffer));
   VkMemoryRequirements req;
   vkGetBufferMemoryRequirements(v->device, b.buffer, &req);
   b.memory = vkc_allocate(v, &req, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, next);
   VKC_CHECK(vkBindBufferMemory(v->device, b.buffer, b.memory, 0));
   return b;
}

static int
export_memory(struct vkc *v, const struct vkc_buffer *b, VkExternalMemoryHandleTypeFlagBits handle)
{
   PFN_vkGetMemoryFdKHR get =
       (PFN_vkGetMemoryFdKHR)vkGetDeviceProcAddr(v->device, "vkGetMemoryFdKHR");
   VkMemoryGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                .memory = b->memory,
                                .handleType = handle};
   int fd = -1;
   VKC_CHECK(get(v->device, &info, &fd));
   return fd;
}

static bool
opens(struct vkc *v, struct run *r, const char *const *extensions, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++)
      if (!vkc_has_extension(&r->vk, extensions[i]))
         return false;
   vkc_open_with(v, &(struct vkc_wish){.extensions = extensions, .extension_count = count});
   return true;
}

/* One device writes, hands the memory over as a descriptor, the other goes on with it; the first
 * sees that. */
static bool
two_devices(struct run *r)
{
   static const char *const extensions[] = {"VK_KHR_external_memory_fd",
                                            "VK_EXT_external_memory_dma_buf"};
   VkExternalMemoryHandleTypeFlagBits handle = *(const VkExternalMemoryHandleTypeFlagBits *)r->data;
   uint32_t count = handle == VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT ? 2 : 1;
   struct vkc first, second;
   if (!opens(&first, r, extensions, count))
      return skip(r, "memory does not leave this driver as a descriptor");
   opens(&second, r, extensions, count);
   VkExportMemoryAllocateInfo out = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                     .handleTypes = handle};
   struct vkc_buffer a = special_buffer(&first, handle, &out);
   VKC_CHECK(vkMapMemory(first.device, a.memory, 0, VK_WHOLE_SIZE, 0, &a.map));
   memset(a.map, 0, a.size);
   static uint32_t want[N];
   memset(want, 0, sizeof(want));
   struct vkc_job job = chain_job(&a);
   vkc_run(&first, &job);
   chain_on_cpu(want);
   VkImportMemoryFdInfoKHR in = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                 .handleType = handle,
                                 .fd = export_memory(&first, &a, handle)};
   struct vkc_buffer b = special_buffer(&second, handle, &in);
   job = chain_job(&b);
   vkc_run(&second, &job);
   chain_on_cpu(want);
   job = chain_job(&a);
   vkc_run(&first, &job);
   chain_on_cpu(want);
   bool ok = same_words(r, a.map, want, N);
   vkc_buffer_free(&first, &a); /* the pages live on in the other device */
   vkc_close(&first);
   VKC_CHECK(vkMapMemory(second.device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.map));
   ok = ok && same_words(r, b.map, want, N);
   vkc_buffer_free(&second, &b);
   vkc_close(&second);
   return ok;
}

/* The client's own pages as a buffer. */
static bool
client_memory(struct run *r)
{
   static const char *const extensions[] = {"VK_EXT_external_memory_host"};
   struct vkc v;
   if (!opens(&v, r, extensions, 1))
      return skip(r, "no memory of the client's");
   uint32_t *mine = aligned_alloc(4096, N * 4);
   if (!mine)
      abort();
   static uint32_t want[N];
   for (unsigned i = 0; i < N; i++)
      mine[i] = want[i] = next_random(r);
   VkImportMemoryHostPointerInfoEXT in = {
       .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
       .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
       .pHostPointer = mine};
   struct vkc_buffer b = special_buffer(&v, in.handleType, &in);
   struct vkc_job job = chain_job(&b);
   vkc_run(&v, &job);
   chain_on_cpu(want);
   bool ok = same_words(r, mine, want, N);
   keep(r, mine, N * 4);
   vkc_buffer_free(&v, &b);
   vkc_close(&v);
   free(mine);
   return ok;
}

static VkSemaphore
semaphore(struct vkc *v, const void *next)
{
   VkSemaphoreCreateInfo sci = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = next};
   VkSemaphore s;
   VKC_CHECK(vkCreateSemaphore(v->device, &sci, NULL, &s));
   return s;
}

static void
submit(struct vkc *v, VkCommandBuffer cb, VkSemaphore wait, VkSemaphore signal)
{
   VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   VKC_CHECK(vkEndCommandBuffer(cb));
   VkSubmitInfo si = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                      .commandBufferCount = 1,
                      .pCommandBuffers = &cb,
                      .waitSemaphoreCount = wait != VK_NULL_HANDLE,
                      .pWaitSemaphores = &wait,
                      .pWaitDstStageMask = &all,
                      .signalSemaphoreCount = signal != VK_NULL_HANDLE,
                      .pSignalSemaphores = &signal};
   VKC_CHECK(vkQueueSubmit(v->queue, 1, &si, VK_NULL_HANDLE));
}

/* The second device starts on the first one's memory when its semaphore, handed over, says so:
 * nobody waits. */
static bool
semaphore_between_devices(struct run *r)
{
   static const char *const extensions[] = {"VK_KHR_external_memory_fd",
                                            "VK_KHR_external_semaphore_fd"};
   struct vkc v[2];
   if (!opens(&v[0], r, extensions, 2))
      return skip(r, "semaphores do not leave this driver");
   opens(&v[1], r, extensions, 2);
   VkExternalMemoryHandleTypeFlagBits memory = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
   VkExternalSemaphoreHandleTypeFlagBits sync = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
   VkExportMemoryAllocateInfo out = {.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
                                     .handleTypes = memory};
   struct vkc_buffer b[2] = {special_buffer(&v[0], memory, &out)};
   VkImportMemoryFdInfoKHR in = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                 .handleType = memory,
                                 .fd = export_memory(&v[0], &b[0], memory)};
   b[1] = special_buffer(&v[1], memory, &in);
   VKC_CHECK(vkMapMemory(v[0].device, b[0].memory, 0, VK_WHOLE_SIZE, 0, &b[0].map));
   memset(b[0].map, 0, b[0].size);

   VkExportSemaphoreCreateInfo exported = {.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
                                           .handleTypes = sync};
   VkSemaphore s[2] = {semaphore(&v[0], &exported), semaphore(&v[1], NULL)};
   VkSemaphoreGetFdInfoKHR get = {
       .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, .semaphore = s[0], .handleType = sync};
   VkImportSemaphoreFdInfoKHR put = {.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
                                     .semaphore = s[1],
                                     .handleType = sync};
   PFN_vkGetSemaphoreFdKHR get_fd =
       (PFN_vkGetSemaphoreFdKHR)vkGetDeviceProcAddr(v[0].device, "vkGetSemaphoreFdKHR");
   PFN_vkImportSemaphoreFdKHR import_fd =
       (PFN_vkImportSemaphoreFdKHR)vkGetDeviceProcAddr(v[1].device, "vkImportSemaphoreFdKHR");
   VKC_CHECK(get_fd(v[0].device, &get, &put.fd));
   VKC_CHECK(import_fd(v[1].device, &put));

   static uint32_t want[N];
   memset(want, 0, sizeof(want));
   struct vkc_job job[2] = {chain_job(&b[0]), chain_job(&b[1])};
   struct vkc_program p[2];
   VkCommandBuffer cb[2];
   for (unsigned d = 0; d < 2; d++) {
      p[d] = vkc_program(&v[d], &job[d]);
      cb[d] = vkc_begin(&v[d]);
      for (unsigned k = 0; k < (d ? 2 : 20); k++) {
         vkc_barrier(cb[d]);
         vkc_bind(cb[d], &job[d], &p[d]);
         vkCmdDispatch(cb[d], N / 64, 1, 1);
         chain_on_cpu(want);
      }
      vkc_barrier(cb[d]);
      submit(&v[d], cb[d], d ? s[1] : VK_NULL_HANDLE, d ? VK_NULL_HANDLE : s[0]);
   }
   VKC_CHECK(vkQueueWaitIdle(v[1].queue));
   bool ok = same_words(r, b[0].map, want, N);
   VKC_CHECK(vkQueueWaitIdle(v[0].queue));
   for (unsigned d = 0; d < 2; d++) {
      vkFreeCommandBuffers(v[d].device, v[d].pool, 1, &cb[d]);
      vkc_program_free(&v[d], &p[d]);
      vkDestroySemaphore(v[d].device, s[d], NULL);
      vkc_buffer_free(&v[d], &b[d]);
      vkc_close(&v[d]);
   }
   return ok;
}

struct worker {
   pthread_t thread;
   bool ok;
};

/* A device of its own: opened, used and closed while others do the same. */
static void *
work(void *data)
{
   struct worker *w = data;
   struct vkc v;
   vkc_open(&v);
   struct vkc_buffer c = vkc_buffer(&v, N * 4, 0);
   struct vkc_job job = chain_job(&c);
   uint32_t *want = calloc(N, 4);
   if (!want)
      abort();
   for (unsigned k = 0; k < 8; k++) {
      vkc_run(&v, &job);
      chain_on_cpu(want);
   }
   w->ok = !memcmp(c.map, want, N * 4);
   free(want);
   vkc_buffer_free(&v, &c);
   vkc_close(&v);
   return NULL;
}

static bool
devices_in_threads(struct run *r)
{
   enum { THREADS = 4 };
   struct worker w[THREADS] = {{0}};
   bool ok = true;
   for (unsigned i = 0; i < THREADS; i++)
      if (pthread_create(&w[i].thread, NULL, work, &w[i]))
         abort();
   for (unsigned i = 0; i < THREADS; i++) {
      pthread_join(w[i].thread, NULL);
      if (!w[i].ok)
         snprintf(r->why, sizeof(r->why), "thread %u has wrong results", i);
      ok &= w[i].ok;
   }
   return ok;
}

static const VkExternalMemoryHandleTypeFlagBits opaque =
                                                    VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
                                                dma_buf =
                                                    VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;

const struct test_case sharing_cases[] = {
    {"two_devices_opaque", two_devices, false, &opaque},
    {"two_devices_dma_buf", two_devices, false, &dma_buf},
    {"client_memory", client_memory, true},
    {"devices_in_threads", devices_in_threads, false},
    {"semaphore_between_devices", semaphore_between_devices, false},
    {0},
};
