/* vk_hang: a shader that never ends. The driver says that the device is lost, another device of the
 * program works on. TAP.
 *
 * usage: vk_hang endless|barrier */
#include "vkc.h"

#include "endless.h"
#include "missed_barrier.h"

#include <stdio.h>
#include <string.h>

static unsigned count, failures;

static void
check(bool ok, const char *what)
{
   printf("%sok %u - %s\n", ok ? "" : "not ", ++count, what);
   failures += !ok;
}

static struct vkc_job
job_on(const struct vkc_buffer *b, bool barrier)
{
   struct vkc_job job = {.spirv = endless_spv,
                         .spirv_size = sizeof(endless_spv),
                         .bindings = {{.buffer = b}},
                         .binding_count = 1,
                         .groups = {1, 1, 1}};
   if (barrier) {
      job.spirv = missed_barrier_spv;
      job.spirv_size = sizeof(missed_barrier_spv);
   }
   return job;
}

static VkResult
submit(struct vkc *v, VkCommandBuffer cb, VkFence fence)
{
   VkSubmitInfo si = {
       .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cb};
   return vkQueueSubmit(v->queue, 1, &si, fence);
}

int
main(int argc, char **argv)
{
   bool barrier = argc > 1 && !strcmp(argv[1], "barrier");
   struct vkc first, second;
   vkc_open(&first);
   vkc_open(&second);
   struct vkc_buffer a = vkc_buffer(&first, 4096, 0), b = vkc_buffer(&second, 4096, 0);
   struct vkc_job job = job_on(&a, barrier);
   struct vkc_program p = vkc_program(&first, &job);
   VkCommandBuffer cb = vkc_begin(&first);
   vkc_bind(cb, &job, &p);
   vkCmdDispatch(cb, 1, 1, 1);
   VKC_CHECK(vkEndCommandBuffer(cb));
   VkFenceCreateInfo fci = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkFence fence;
   VKC_CHECK(vkCreateFence(first.device, &fci, NULL, &fence));
   check(submit(&first, cb, fence) == VK_SUCCESS, "a shader that never ends is submitted");
   VkResult r = vkWaitForFences(first.device, 1, &fence, VK_TRUE, UINT64_C(120000000000));
   check(r == VK_ERROR_DEVICE_LOST, "the wait ends: the device is lost");
   check(submit(&first, cb, VK_NULL_HANDLE) == VK_ERROR_DEVICE_LOST, "and takes no more work");
   const uint32_t *left = a.map;
   check(left[8] >= (barrier ? 1 : 1000) && left[1] == (barrier ? 77 : 0),
         "what the shader has done is there");
   ((uint32_t *)b.map)[0] = 12345;
   job = job_on(&b, barrier);
   vkc_run(&second, &job);
   check(((uint32_t *)b.map)[1] == 77, "the other device works on");
   printf("1..%u\n", count);
   return failures != 0;
}
