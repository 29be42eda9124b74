#include "vkc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HOST_MEMORY (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

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
   vkc_open_with(v, &(struct vkc_wish){0});
}

void
vkc_open_with(struct vkc *v, const struct vkc_wish *wish)
{
   memset(v, 0, sizeof(*v));
   VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                            .pApplicationName = "pergola client",
                            .apiVersion = VK_API_VERSION_1_2};
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
   VkPhysicalDeviceFeatures wanted = wish->features;
   for (size_t i = 0; i < sizeof(wanted) / sizeof(VkBool32); i++)
      ((VkBool32 *)&wanted)[i] &= ((const VkBool32 *)&v->features)[i];
   wanted.shaderFloat64 = v->features.shaderFloat64;
   wanted.shaderInt64 = v->features.shaderInt64;
   uint32_t extension_count = wish->extension_count;
   const char **extensions = calloc(extension_count + 1, sizeof(*extensions));
   if (!extensions)
      exit(1);
   for (uint32_t i = 0; i < extension_count; i++)
      extensions[i] = wish->extensions[i];
   if (wish->perhaps && vkc_has_extension(v, wish->perhaps))
      extensions[extension_count++] = wish->perhaps;
   VkDeviceCreateInfo dci = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = wish->next,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &qci,
                             .enabledExtensionCount = extension_count,
                             .ppEnabledExtensionNames = extensions,
                             .pEnabledFeatures = &wanted};
   VKC_CHECK(vkCreateDevice(v->physical, &dci, NULL, &v->device));
   free(extensions);
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

bool
vkc_has_extension(const struct vkc *v, const char *name)
{
   uint32_t count = 0;
   VKC_CHECK(vkEnumerateDeviceExtensionProperties(v->physical, NULL, &count, NULL));
   VkExtensionProperties *list = calloc(count, sizeof(*list));
   bool found = false;
   if (list && vkEnumerateDeviceExtensionProperties(v->physical, NULL, &count, list) == VK_SUCCESS)
      for (uint32_t i = 0; i < count; i++)
         found |= !strcmp(list[i].extensionName, name);
   free(list);
   return found;
}

VkDeviceMemory
vkc_allocate(struct vkc *v, const VkMemoryRequirements *req, VkMemoryPropertyFlags flags,
             const void *next)
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
                               .pNext = next,
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
   b.memory = vkc_allocate(v, &req, HOST_MEMORY, NULL);
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
   return vkc_image(
       v, &(struct vkc_image_shape){
              .format = format, .view = VK_IMAGE_VIEW_TYPE_2D, .width = width, .height = height});
}

static VkImageType
image_type(VkImageViewType view)
{
   if (view == VK_IMAGE_VIEW_TYPE_1D || view == VK_IMAGE_VIEW_TYPE_1D_ARRAY)
      return VK_IMAGE_TYPE_1D;
   return view == VK_IMAGE_VIEW_TYPE_3D ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
}

static void
to_general(struct vkc *v, VkImage image, uint32_t levels, uint32_t layers)
{
   VkImageMemoryBarrier b = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                             .dstAccessMask =
                                 VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
                             .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                             .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                             .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                             .image = image,
                             .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, levels, 0, layers}};
   VkCommandBuffer cb = vkc_begin(v);
   vkCmdPipelineBarrier(cb, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                        0, 0, NULL, 0, NULL, 1, &b);
   vkc_finish(v, cb);
}

struct vkc_image
vkc_image(struct vkc *v, const struct vkc_image_shape *s)
{
   struct vkc_image i = {.width = s->width, .height = s->height};
   uint32_t layers = s->layers ? s->layers : 1, levels = s->levels ? s->levels : 1;
   bool cube = s->view == VK_IMAGE_VIEW_TYPE_CUBE || s->view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
   VkImageDrmFormatModifierListCreateInfoEXT list = {
       .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT,
       .drmFormatModifierCount = 1,
       .pDrmFormatModifiers = s->modifier};
   VkImageCreateInfo ici = {
       .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
       .pNext = s->modifier ? &list : NULL,
       .flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
       .imageType = image_type(s->view),
       .format = s->format,
       .extent = {s->width, s->height, s->depth ? s->depth : 1},
       .mipLevels = levels,
       .arrayLayers = layers,
       .samples = VK_SAMPLE_COUNT_1_BIT,
       .tiling = s->modifier ? VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
                 : s->linear ? VK_IMAGE_TILING_LINEAR
                             : VK_IMAGE_TILING_OPTIMAL,
       .usage = (s->sampled ? VK_IMAGE_USAGE_SAMPLED_BIT : VK_IMAGE_USAGE_STORAGE_BIT) |
                VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   VKC_CHECK(vkCreateImage(v->device, &ici, NULL, &i.image));
   VkMemoryRequirements req;
   vkGetImageMemoryRequirements(v->device, i.image, &req);
   bool known = s->linear || s->modifier;
   i.memory = vkc_allocate(v, &req, known ? HOST_MEMORY : 0, NULL);
   VKC_CHECK(vkBindImageMemory(v->device, i.image, i.memory, 0));
   if (known) {
      VkImageSubresource sub = {
          s->modifier ? VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT : VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
      vkGetImageSubresourceLayout(v->device, i.image, &sub, &i.layout);
      VKC_CHECK(vkMapMemory(v->device, i.memory, 0, VK_WHOLE_SIZE, 0, (void **)&i.map));
   }
   VkImageViewCreateInfo vci = {
       .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
       .image = i.image,
       .viewType = s->view,
       .format = s->format,
       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, s->sampled ? levels : 1, 0, layers}};
   VKC_CHECK(vkCreateImageView(v->device, &vci, NULL, &i.view));
   to_general(v, i.image, levels, layers);
   return i;
}

void
vkc_image_free(struct vkc *v, struct vkc_image *i)
{
   vkDestroyImageView(v->device, i->view, NULL);
   vkDestroyImage(v->device, i->image, NULL);
   vkFreeMemory(v->device, i->memory, NULL);
}

static VkDescriptorType
binding_type(const struct vkc_binding *b)
{
   if (b->image)
      return b->sampler ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                        : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
   return b->type ? b->type : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static void
make_pipeline(struct vkc *v, const struct vkc_job *job, struct vkc_program *o)
{
   VkDescriptorSetLayoutBinding slots[VKC_MAX_BINDINGS] = {0};
   for (unsigned i = 0; i < job->binding_count; i++) {
      slots[i].binding = i;
      slots[i].descriptorType = binding_type(&job->bindings[i]);
      slots[i].descriptorCount = job->bindings[i].count ? job->bindings[i].count : 1;
      slots[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
   }
   VkDescriptorSetLayoutCreateInfo slci = {.sType =
                                               VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
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
   VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT required = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT,
       .requiredSubgroupSize = job->subgroup_size};
   VkComputePipelineCreateInfo cpci = {
       .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
       .flags = job->flags,
       .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                 .pNext = job->subgroup_size ? &required : NULL,
                 .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                 .module = o->module,
                 .pName = "main",
                 .pSpecializationInfo = job->spec},
       .layout = o->layout};
   VKC_CHECK(vkCreateComputePipelines(v->device, job->cache, 1, &cpci, NULL, &o->pipeline));
}

static void
write_binding(struct vkc *v, VkDescriptorSet set, unsigned binding, unsigned element,
              const struct vkc_binding *b)
{
   const struct vkc_buffer *buffer = b->buffer ? &b->buffer[element] : NULL;
   VkDescriptorBufferInfo dbi = {buffer ? buffer->buffer : VK_NULL_HANDLE, 0,
                                 b->range ? b->range : VK_WHOLE_SIZE};
   VkDescriptorImageInfo dii = {b->sampler, b->image ? b->image[element].view : VK_NULL_HANDLE,
                                VK_IMAGE_LAYOUT_GENERAL};
   VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                 .dstSet = set,
                                 .dstBinding = binding,
                                 .dstArrayElement = element,
                                 .descriptorCount = 1,
                                 .descriptorType = binding_type(b),
                                 .pBufferInfo = b->image ? NULL : &dbi,
                                 .pImageInfo = b->image ? &dii : NULL,
                                 .pTexelBufferView = b->view ? &b->view : NULL};
   vkUpdateDescriptorSets(v->device, 1, &write, 0, NULL);
}

static void
make_set(struct vkc *v, const struct vkc_job *job, struct vkc_program *o)
{
   VkDescriptorPoolSize sizes[VKC_MAX_BINDINGS];
   for (unsigned i = 0; i < job->binding_count; i++)
      sizes[i] = (VkDescriptorPoolSize){binding_type(&job->bindings[i]),
                                        job->bindings[i].count ? job->bindings[i].count : 1};
   VkDescriptorPoolCreateInfo dpci = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                      .maxSets = 1,
                                      .poolSizeCount = job->binding_count,
                                      .pPoolSizes = sizes};
   VKC_CHECK(vkCreateDescriptorPool(v->device, &dpci, NULL, &o->pool));
   VkDescriptorSetAllocateInfo dsai = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = o->pool,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &o->set_layout};
   VKC_CHECK(vkAllocateDescriptorSets(v->device, &dsai, &o->set));
   for (unsigned i = 0; i < job->binding_count; i++)
      for (unsigned k = 0; k == 0 || k < job->bindings[i].count; k++)
         write_binding(v, o->set, i, k, &job->bindings[i]);
}

struct vkc_program
vkc_program(struct vkc *v, const struct vkc_job *job)
{
   struct vkc_program p = {0};
   make_pipeline(v, job, &p);
   make_set(v, job, &p);
   return p;
}

VkCommandBuffer
vkc_begin(struct vkc *v)
{
   VkCommandBufferAllocateInfo cbai = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                       .commandPool = v->pool,
                                       .commandBufferCount = 1};
   VkCommandBuffer cb;
   VKC_CHECK(vkAllocateCommandBuffers(v->device, &cbai, &cb));
   VkCommandBufferBeginInfo cbbi = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
   VKC_CHECK(vkBeginCommandBuffer(cb, &cbbi));
   return cb;
}

void
vkc_bind(VkCommandBuffer cb, const struct vkc_job *job, const struct vkc_program *p)
{
   vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
   vkCmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, 1, &p->set, 0, NULL);
   if (job->push_size)
      vkCmdPushConstants(cb, p->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, job->push_size, job->push);
}

void
vkc_barrier(VkCommandBuffer cb)
{
   VkMemoryBarrier b = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT,
                        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
   vkCmdPipelineBarrier(cb, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &b,
                        0, NULL, 0, NULL);
}

void
vkc_submit(struct vkc *v, VkCommandBuffer cb, VkFence fence)
{
   VKC_CHECK(vkEndCommandBuffer(cb));
   VkSubmitInfo si = {
       .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cb};
   VKC_CHECK(vkQueueSubmit(v->queue, 1, &si, fence));
}

void
vkc_finish(struct vkc *v, VkCommandBuffer cb)
{
   VkFenceCreateInfo fci = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkFence fence;
   VKC_CHECK(vkCreateFence(v->device, &fci, NULL, &fence));
   vkc_submit(v, cb, fence);
   VKC_CHECK(vkWaitForFences(v->device, 1, &fence, VK_TRUE, UINT64_C(600000000000)));
   vkDestroyFence(v->device, fence, NULL);
   vkFreeCommandBuffers(v->device, v->pool, 1, &cb);
}

static void
record(VkCommandBuffer cb, const struct vkc_job *job, const struct vkc_program *o)
{
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
   vkc_bind(cb, job, o);
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
}

void
vkc_program_free(struct vkc *v, struct vkc_program *p)
{
   vkDestroyDescriptorPool(v->device, p->pool, NULL);
   vkDestroyPipeline(v->device, p->pipeline, NULL);
   vkDestroyShaderModule(v->device, p->module, NULL);
   vkDestroyPipelineLayout(v->device, p->layout, NULL);
   vkDestroyDescriptorSetLayout(v->device, p->set_layout, NULL);
}

static void
submit(struct vkc *v, const struct vkc_job *job, const struct vkc_program *p)
{
   VkCommandBuffer cb = vkc_begin(v);
   record(cb, job, p);
   vkc_finish(v, cb);
}

void
vkc_run(struct vkc *v, const struct vkc_job *job)
{
   struct vkc_program p = vkc_program(v, job);
   submit(v, job, &p);
   vkc_program_free(v, &p);
}

double
vkc_seconds(void)
{
   struct timespec t;
   const char *clock = getenv("VKC_CLOCK");
   bool cpu = clock && !strcmp(clock, "cpu");
   if (cpu) /* what a driver's thread has done counts when it has stopped */
      nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
   clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double
vkc_time(struct vkc *v, const struct vkc_job *job, double least_seconds)
{
   struct vkc_program p = vkc_program(v, job);
   submit(v, job, &p); /* warm: pages, caches, a driver's lazy compilation */
   double best = 1e30, start = vkc_seconds();
   do {
      double before = vkc_seconds();
      submit(v, job, &p);
      double spent = vkc_seconds() - before;
      best = spent < best ? spent : best;
   } while (vkc_seconds() - start < least_seconds);
   vkc_program_free(v, &p);
   return best;
}
