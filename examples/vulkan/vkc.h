/* A small Vulkan compute harness: what a client program needs, and nothing of Pergola's. Everything is
 * in host-visible memory, so that no transfer goes through the 3D pipeline. Any Vulkan error ends the
 * program with its place. */
#ifndef VKC_H
#define VKC_H

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#define VKC_MAX_BINDINGS 16

struct vkc {
   VkInstance instance;
   VkPhysicalDevice physical;
   VkPhysicalDeviceProperties properties;
   VkPhysicalDeviceFeatures features;
   VkPhysicalDeviceMemoryProperties memory;
   VkDevice device;
   VkQueue queue;
   uint32_t timestamp_bits;
   VkCommandPool pool;
};

struct vkc_buffer {
   VkBuffer buffer;
   VkDeviceMemory memory;
   void *map;
   uint64_t size;
};

struct vkc_image {
   VkImage image;
   VkImageView view;
   VkDeviceMemory memory;
   uint32_t width, height;
};

struct vkc_binding {
   VkDescriptorType type; /* STORAGE_BUFFER when 0 and buffer is set… see vkc_run */
   const struct vkc_buffer *buffer;
   const struct vkc_image *image;
};

struct vkc_job {
   const uint32_t *spirv;
   size_t spirv_size;
   struct vkc_binding bindings[VKC_MAX_BINDINGS];
   unsigned binding_count;
   const void *push;
   uint32_t push_size;
   const VkSpecializationInfo *spec;
   uint32_t groups[3];
   const struct vkc_buffer *indirect; /* VkDispatchIndirectCommand at its start, instead of groups */
   VkQueryPool timestamps;            /* two queries around the dispatch, or VK_NULL_HANDLE */
   VkEvent set_event, wait_event;     /* or VK_NULL_HANDLE */
};

void vkc_open(struct vkc *v);
void vkc_close(struct vkc *v);
struct vkc_buffer vkc_buffer(struct vkc *v, uint64_t size, VkBufferUsageFlags usage);
void vkc_buffer_free(struct vkc *v, struct vkc_buffer *b);
struct vkc_image vkc_storage_image(struct vkc *v, uint32_t width, uint32_t height, VkFormat format);
void vkc_image_free(struct vkc *v, struct vkc_image *i);
/* Records, submits and waits. */
void vkc_run(struct vkc *v, const struct vkc_job *job);
/* Best time of one submission, over at least so many seconds; the pipeline is made before. */
double vkc_time(struct vkc *v, const struct vkc_job *job, double least_seconds);

#define VKC_CHECK(call) vkc_check((call), #call, __FILE__, __LINE__)
void vkc_check(VkResult result, const char *what, const char *file, int line);

#endif
