#include "vkc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void
vkc_check(VkResult result, const char *what, const char *file, int line)
{
   if (result == VK_SUCCESS)
      return;
   fprintf(stderr, "%s:%d: %s: VkResult %d\n", file, line, what, result);
   exit(1);
}

void
vkc_open(struct vkc *v)
{
   memset(v, 0, sizeof(*v));
   VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                            .pApplicationName = "pergola client",
                            .apiVersion = VK_API_VERSION_1_1};
   VkInstanceCreateInfo ici = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pApplicationInfo = &app};
   VKC_CHECK(vkCreateInstance(&ici, NULL, &v->instance));
   uint32_t count = 1;
   VkResult r = vkEnumeratePhysicalDevices(v->instance, &count, &v->physical);
   if (count < 1 || (r != VK_SUCCESS && r != VK_INCOMPLETE)) {
      fprintf(stderr, "no Vulkan device\n");
      exit(1);
   }
   vkGetPhysicalDeviceProperties(v->physical, &v->properties);
   vkGetPhysicalDeviceFeatures(v->physical, &v->features);
   vkGetPhysicalDeviceMemoryProperties(v->physical, &v->memory);

   VkQueueFamilyProperties family;
   count = 1;
   vkGetPhysicalDeviceQueueFamilyProperties(v->physical, &count, &family);
   v->timestamp_bits = family.timestampValidBits;
   float priority = 1.0f;
   VkDeviceQueueCreateInfo qci = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                  .queueCount = 1,
                                  .pQueuePriorities = &priority};
   VkPhysicalDeviceFeatures wanted = {
      .shaderFloat64 = v->features.shaderFloat64,
      .shaderInt64 = v->features.shaderInt64,
   };
   VkDeviceCreateInfo dci = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &qci,
                             .pEnabledFeatures = &wanted};
   VKC_CHECK(vkCreateDevice(v->physical, &dci, NULL, &v->device));
   vkGetDeviceQueue(v->device, 0, 0, &v->queue);
   VkCommandPoolCreateInfo pci = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
   VKC_CHECK(vkCreateCommandPool(v->device, &pci, NULL, &v->pool));
}

void
vkc_close(struct vkc *v)
{
   vkDestroyCommandPool(v->device, v->pool, NULL);
   vkDestroyDevice(v->device, NULL);
   vkDestroyInstance(v->instance, NULL);
}

static VkDeviceMemory
allocate(struct vkc *v, const VkMemoryRequirements *req, VkMemoryPropertyFlags flags)
{
   uint32_t type = 0;
   while (type < v->memory.memoryTypeCount &&
          (!(req->memoryTypeBits >> type & 1) ||
           (v->memory.memoryTypes[type].propertyFlags & flags) != flags))
      type++;
   if (type == v->memory.memoryTypeCount) {
      fprintf(stderr, "no memory type fits\n");
      exit(1);
   }
   VkMemoryAllocateInfo mai = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                               .allocationSize = req->size,
                               .memoryTypeIndex = type};
   VkDeviceMemory memory;
   VKC_CHECK(vkAllocateMemory(v->device, &mai, NULL, &memory));
   return memory;
}

struct vkc_buffer
vkc_buffer(struct vkc *v, uint64_t size, VkBufferUsageFlags usage)
{
   struct vkc_buffer b = {.size = size};
   VkBufferCreateInfo bci = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = size,
                             .usage = usage ? usage : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   VKC_CHECK(vkCreateBuffer(v->device, &bci, NULL, &b.buffer));
   VkMemoryRequirements req;
   vkGetBufferMemoryRequirements(v->device, b.buffer, &req);
   b.memory = allocate(v, &req,
                       VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
   VKC_CHECK(vkBindBufferMemory(v->device, b.buffer, b.memory, 0));
   VKC_CHECK(vkMapMemory(v->device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.map));
   memset(b.map, 0, size);
   return b;
}

void
vkc_buffer_free(struct vkc *v, struct vkc_buffer *b)
{
   vkDestroyBuffer(v->device, b->buffer, NULL);
   vkFreeMemory(v->device, b->memory, NULL);
}

struct vkc_image
vkc_storage_image(struct vkc *v, uint32_t width, uint32_t height, VkFormat format)
{
   struct vkc_image i = {.width = width, .height = height};
   VkImageCreateInfo ici = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                            .imageType = VK_IMAGE_TYPE_2D,
                            .format = format,
                            .extent = {width, height, 1},
                            .mipLevels = 1,
                            .arrayLayers = 1,
                            .samples = VK_SAMPLE_COUNT_1_BIT,
                            .tiling = VK_IMAGE_TILING_OPTIMAL,
                            .usage = VK_IMAGE_USAGE_STORAGE_BIT};
   VKC_CHECK(vkCreateImage(v->device, &ici, NULL, &i.image));
   VkMemoryRequirements req;
   vkGetImageMemoryRequirements(v->device, i.image, &req);
   i.memory = allocate(v, &req, 0);
   VKC_CHECK(vkBindImageMemory(v->device, i.image, i.memory, 0));
   VkImageViewCreateInfo vci = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                .image = i.image,
                                .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                .format = format,
                                .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
   VKC_CHECK(vkCreateImageView(v->device, &vci, NULL, &i.view));
   return i;
}

void
vkc_image_free(struct vkc *v, struct vkc_image *i)
{
   vkDestroyImageView(v->device, i->view, NULL);
   vkDestroyImage(v->device, i->image, NULL);
   vkFreeMemory(v->device, i->memory, NULL);
}

struct objects {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkShaderModule module;
   VkPipeline pipeline;
   VkDescriptorPool pool;
   VkDescriptorSet set;
};

static VkDescriptorType
binding_type(const struct vkc_binding *b)
{
   if (b->image)
      return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
   return b->type ? b->type : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static void
make_pipeline(struct vkc *v, const struct vkc_job *job, struct objects *o)
{
   VkDescriptorSetLayoutBinding slots[VKC_MAX_BINDINGS] = {0};
   for (unsigned i = 0; i < job->binding_count; i++) {
      slots[i].binding = i;
      slots[i].descriptorType = binding_type(&job->bindings[i]);
      slots[i].descriptorCount = 1;
      slots[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
   }
   VkDescriptorSetLayoutCreateInfo slci = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = job->binding_count,
      .pBindings = slots};
   VKC_CHECK(vkCreateDescriptorSetLayout(v->device, &slci, NULL, &o->set_layout));
   VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, job->push_size};
   VkPipelineLayoutCreateInfo plci = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &o->set_layout,
                                      .pushConstantRangeCount = job->push_size ? 1 : 0,
                                      .pPushConstantRanges = &range};
   VKC_CHECK(vkCreatePipelineLayout(v->device, &plci, NULL, &o->layout));
   VkShaderModuleCreateInfo smci = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                    .codeSize = job->spirv_size,
                                    .pCode = job->spirv};
   VKC_CHECK(vkCreateShaderModule(v->device, &smci, NULL, &o->module));
   VkComputePipelineCreateInfo cpci = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = o->module,
                .pName = "main",
                .pSpecializationInfo = job->spec},
      .layout = o->layout};
   VKC_CHECK(vkCreateComputePipelines(v->device, VK_NULL_HANDLE, 1, &cpci, NULL, &o->pipeline));
}

static void
make_set(struct vkc *v, const struct vkc_job *job, struct objects *o)
{
   VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VKC_MAX_BINDINGS},
                                   {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VKC_MAX_BINDINGS},
                                   {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VKC_MAX_BINDINGS}};
   VkDescriptorPoolCreateInfo dpci = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                      .maxSets = 1,
                                      .poolSizeCount = 3,
                                      .pPoolSizes = sizes};
   VKC_CHECK(vkCreateDescriptorPool(v->device, &dpci, NULL, &o->pool));
   VkDescriptorSetAllocateInfo dsai = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = o->pool,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &o->set_layout};
   VKC_CHECK(vkAllocateDescriptorSets(v->device, &dsai, &o->set));
   for (unsigned i = 0; i < job->binding_count; i++) {
      const struct vkc_binding *b = &job->bindings[i];
      VkDescriptorBufferInfo dbi = {b->buffer ? b->buffer->buffer : VK_NULL_HANDLE, 0,
                                    VK_WHOLE_SIZE};
      VkDescriptorImageInfo dii = {VK_NULL_HANDLE, b->image ? b->image->view : VK_NULL_HANDLE,
                                   VK_IMAGE_LAYOUT_GENERAL};
      VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                    .dstSet = o->set,
                                    .dstBinding = i,
                                    .descriptorCount = 1,
                                    .descriptorType = binding_type(b),
                                    .pBufferInfo = b->buffer ? &dbi : NULL,
                                    .pImageInfo = b->image ? &dii : NULL};
      vkUpdateDescriptorSets(v->device, 1, &write, 0, NULL);
   }
}

static void
record(VkCommandBuffer cb, const struct vkc_job *job, const struct objects *o)
{
   VkCommandBufferBeginInfo cbbi = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
   VKC_CHECK(vkBeginCommandBuffer(cb, &cbbi));
   VkMemoryBarrier before = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                             .srcAccessMask = VK_ACCESS_HOST_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT,
                             .dstAccessMask = VK_ACCESS_SHADER_READ_BIT |
                                              VK_ACCESS_SHADER_WRITE_BIT |
                                              VK_ACCESS_INDIRECT_COMMAND_READ_BIT};
   vkCmdPipelineBarrier(cb, VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                        0, 1, &before, 0, NULL, 0, NULL);
   if (job->timestamps) {
      vkCmdResetQueryPool(cb, job->timestamps, 0, 2);
      vkCmdWriteTimestamp(cb, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, job->timestamps, 0);
   }
   if (job->wait_event)
      vkCmdWaitEvents(cb, 1, &job->wait_event, VK_PIPELINE_STAGE_HOST_BIT,
                      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, NULL, 0, NULL, 0, NULL);
   vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, o->pipeline);
   vkCmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_COMPUTE, o->layout, 0, 1, &o->set, 0, NULL);
   if (job->push_size)
      vkCmdPushConstants(cb, o->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, job->push_size, job->push);
   if (job->indirect)
      vkCmdDispatchIndirect(cb, job->indirect->buffer, 0);
   else
      vkCmdDispatch(cb, job->groups[0], job->groups[1], job->groups[2]);
   if (job->set_event)
      vkCmdSetEvent(cb, job->set_event, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
   if (job->timestamps)
      vkCmdWriteTimestamp(cb, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, job->timestamps, 1);
   VkMemoryBarrier after = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                            .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                            .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
   vkCmdPipelineBarrier(cb, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                        &after, 0, NULL, 0, NULL);
   VKC_CHECK(vkEndCommandBuffer(cb));
}

static void
release(struct vkc *v, struct objects *o)
{
   vkDestroyDescriptorPool(v->device, o->pool, NULL);
   vkDestroyPipeline(v->device, o->pipeline, NULL);
   vkDestroyShaderModule(v->device, o->module, NULL);
   vkDestroyPipelineLayout(v->device, o->layout, NULL);
   vkDestroyDescriptorSetLayout(v->device, o->set_layout, NULL);
}

static void
submit(struct vkc *v, const struct vkc_job *job, const struct objects *o)
{
   VkCommandBufferAllocateInfo cbai = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = v->pool,
                                       .commandBufferCount = 1};
   VkCommandBuffer cb;
   VKC_CHECK(vkAllocateCommandBuffers(v->device, &cbai, &cb));
   record(cb, job, o);
   VkFenceCreateInfo fci = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkFence fence;
   VKC_CHECK(vkCreateFence(v->device, &fci, NULL, &fence));
   VkSubmitInfo si = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                      .commandBufferCount = 1,
                      .pCommandBuffers = &cb};
   VKC_CHECK(vkQueueSubmit(v->queue, 1, &si, fence));
   VKC_CHECK(vkWaitForFences(v->device, 1, &fence, VK_TRUE, UINT64_C(600000000000)));
   vkDestroyFence(v->device, fence, NULL);
   vkFreeCommandBuffers(v->device, v->pool, 1, &cb);
}

void
vkc_run(struct vkc *v, const struct vkc_job *job)
{
   struct objects o = {0};
   make_pipeline(v, job, &o);
   make_set(v, job, &o);
   submit(v, job, &o);
   release(v, &o);
}

static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double
vkc_time(struct vkc *v, const struct vkc_job *job, double least_seconds)
{
   struct objects o = {0};
   make_pipeline(v, job, &o);
   make_set(v, job, &o);
   submit(v, job, &o); /* warm: pages, caches, a driver's lazy compilation */
   double best = 1e30, start = seconds();
   do {
      double before = seconds();
      submit(v, job, &o);
      double spent = seconds() - before;
      best = spent < best ? spent : best;
   } while (seconds() - start < least_seconds);
   release(v, &o);
   return best;
}
