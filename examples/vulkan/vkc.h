/* A small Vulkan compute harness: what a client program needs, and nothing of Pergola's. Everything
 * is in host-visible memory: what is to be copied is copied by the program that wants it. Any
 * Vulkan error ends the program with its place. */
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
   uint8_t *map; /* of an image whose layout is known: linear, or by modifier; it lies in
                    host-visible memory */
   VkSubresourceLayout layout; /* of such an image */
};

/* What an image is like; zeros mean a 2D image of one layer in the driver's own tiling. */
struct vkc_image_shape {
   VkFormat format;
   VkImageViewType view;
   uint32_t width, height, depth, layers, levels;
   bool linear;
   bool sampled;             /* by shaders, all levels of it, and not stored to */
   const uint64_t *modifier; /* or NULL; needs VK_EXT_image_drm_format_modifier */
};

struct vkc_binding {
   VkDescriptorType type; /* 0: a storage image if there is one, else a storage buffer */
   const struct vkc_buffer *buffer;
   const struct vkc_image *image;
   VkSampler sampler; /* or none: the image is a storage image */
   VkBufferView view; /* for the texel buffer types */
   unsigned count;    /* of an array: `buffer` is its first; 0 means 1 */
   uint64_t range;    /* bytes of the buffer, for the dynamic types; 0 means all */
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
   const struct vkc_buffer
       *indirect;                 /* VkDispatchIndirectCommand at its start, instead of groups */
   VkQueryPool timestamps;        /* two queries around the dispatch, or VK_NULL_HANDLE */
   VkEvent set_event, wait_event; /* or VK_NULL_HANDLE */
   VkPipelineCache cache;         /* or VK_NULL_HANDLE */
   VkPipelineCreateFlags flags;
   uint32_t
       subgroup_size; /* required; 0: as the driver likes. Needs VK_EXT_subgroup_size_control */
};

/* A pipeline with its descriptors, for programs that record for themselves. */
struct vkc_program {
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkShaderModule module;
   VkPipeline pipeline;
   VkDescriptorPool pool;
   VkDescriptorSet set;
};

/* What vkc_open does not ask for by itself. */
struct vkc_wish {
   VkPhysicalDeviceFeatures features; /* asked for where the driver has them */
   const char *const *extensions;
   uint32_t extension_count;
   const char *perhaps; /* an extension, where the driver has it */
   const void *next;    /* of VkDeviceCreateInfo */
};

void vkc_open(struct vkc *v);
void vkc_open_with(struct vkc *v, const struct vkc_wish *wish);
bool vkc_has_extension(const struct vkc *v, const char *name);
void vkc_close(struct vkc *v);
struct vkc_buffer vkc_buffer(struct vkc *v, uint64_t size, VkBufferUsageFlags usage);
void vkc_buffer_free(struct vkc *v, struct vkc_buffer *b);
struct vkc_image vkc_storage_image(struct vkc *v, uint32_t width, uint32_t height, VkFormat format);
/* In layout GENERAL; the view is of the first level and all layers. */
struct vkc_image vkc_image(struct vkc *v, const struct vkc_image_shape *shape);
void vkc_image_free(struct vkc *v, struct vkc_image *i);
VkDeviceMemory vkc_allocate(struct vkc *v, const VkMemoryRequirements *req,
                            VkMemoryPropertyFlags flags, const void *next);

struct vkc_program vkc_program(struct vkc *v, const struct vkc_job *job);
void vkc_program_free(struct vkc *v, struct vkc_program *p);
VkCommandBuffer vkc_begin(struct vkc *v);
void vkc_bind(VkCommandBuffer cb, const struct vkc_job *job, const struct vkc_program *p);
/* Everything before is done and seen by everything after, the host too. */
void vkc_barrier(VkCommandBuffer cb);
void vkc_submit(struct vkc *v, VkCommandBuffer cb,
                VkFence fence);                     /* ends recording; does not wait */
void vkc_finish(struct vkc *v, VkCommandBuffer cb); /* the same, waits and frees it */
/* Records, submits and waits. */
void vkc_run(struct vkc *v, const struct vkc_job *job);
/* VKC_CLOCK=cpu: processor time of the whole process, which a busy machine disturbs less. */
double vkc_seconds(void);
/* Best time of one submission, over at least so many seconds; the pipeline is made before. */
double vkc_time(struct vkc *v, const struct vkc_job *job, double least_seconds);

#define VKC_CHECK(call) vkc_check((call), #call, __FILE__, __LINE__)
void vkc_check(VkResult result, const char *what, const char *file, int line);

#endif
