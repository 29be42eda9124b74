/* Pictures that stock Vulkan drivers draw: what the scenes share. */
#ifndef VK_DRAW_H
#define VK_DRAW_H

#include "vkc.h"

#include <stddef.h>

#define SIZE 128u /* pixels of a picture, both ways */
#define TARGETS 8u
#define COUNT(a) ((unsigned)(sizeof(a) / sizeof((a)[0])))

struct image {
   VkImage image;
   VkImageView view; /* of all of it */
   VkFormat format;
   VkImageAspectFlags aspect;
   uint32_t width, height, depth, layers, levels;
};

/* A picture under way: a pass of color targets and depth, and its commands. */
struct draw {
   struct vkc *vk;
   VkCommandBuffer cb;
   const struct scene *scene;
   const void *data; /* the scene's */
   struct image color[TARGETS], depth;
   unsigned colors;
   VkRenderPass pass;
   VkFramebuffer frame;
   bool open;        /* the pass has begun */
   unsigned samples; /* of the pass and its pipelines; 0: one */
};

/* A picture. Channels may differ from another driver's by `unit`; `edge` pixels may differ by
 * more: those whose sample lies on an edge as near as the grid of vertices goes. */
struct scene {
   const char *name;
   void (*draw)(struct draw *d);
   unsigned unit, edge;
   const void *data;
   VkFormat format, depth; /* of the targets; undefined: RGBA8, no depth */
   unsigned targets;       /* 0: one */
   float clear[4];         /* 0 alpha: the usual background */
   float scale, bias;      /* how values of other formats become colors; 0: as they are */
   const char *rows;       /* of the ledger, that it would go red for */
   const char *extension;  /* that it needs */
};

extern const struct scene vertex_scenes[], raster_scenes[], depth_scenes[], blend_scenes[],
    target_scenes[], texture_scenes[], fragment_scenes[], command_scenes[], sample_scenes[],
    stage_scenes[];

/* ---- shaders ----------------------------------------------------------------------------------
 */

struct code {
   const uint32_t *spirv;
   size_t size;
};
#define X(name) extern const struct code name;
#include "draw_names.h"
#undef X

/* ---- pipelines --------------------------------------------------------------------------------
 */

struct look {
   const struct code *vs, *fs;                        /* NULL: position and color of the vertices */
   const struct code *tcs, *tes, *gs;                 /* NULL: absent */
   unsigned patch;                                    /* vertices of one */
   const VkPipelineVertexInputStateCreateInfo *input; /* NULL: struct point */
   VkPrimitiveTopology topology;                      /* 0: triangles */
   bool points, restart;
   VkPolygonMode polygon;
   VkCullModeFlags cull;
   VkFrontFace front;
   bool clamp, discard, bias;
   float bias_constant, bias_clamp, bias_slope, line_width;
   bool test, write; /* of depth */
   VkCompareOp compare;
   bool stencil;
   VkStencilOpState face, back;                      /* back.compareMask 0: as face */
   const VkPipelineColorBlendAttachmentState *blend; /* one for each target, or NULL */
   bool one_blend;                                   /* `blend` is for all of them */
   bool logic;
   VkLogicOp op;
   float constants[4];
   unsigned viewports; /* 0: one of the whole picture */
   const VkViewport *viewport;
   const VkRect2D *scissor; /* as many */
   const VkDynamicState *dynamic;
   unsigned dynamics;
   const VkSpecializationInfo *spec;
   const void *raster_next;
   unsigned subpass;
   const uint32_t *sample_mask;
   const void *samples_next;
   bool to_coverage, to_one;
   float shading;     /* by sample: at least this part of them */
   VkRenderPass pass; /* 0: the picture's */
   unsigned colors;   /* of that pass */
};

/* Makes a pipeline and binds it. */
void look(struct draw *d, const struct look *l);
/* … to another command buffer. */
void look_in(struct draw *d, VkCommandBuffer cb, const struct look *l);

/* ---- data -------------------------------------------------------------------------------------
 */

struct point {
   float p[4], c[4];
};

/* A buffer with these bytes; it lives until the program ends. */
VkBuffer buffer_of(struct draw *d, const void *data, size_t size);
struct vkc_buffer mapped(struct draw *d, size_t size);
void vertices(struct draw *d, const void *data, size_t size);
void push(struct draw *d, const void *data, uint32_t size);

struct shape {
   VkImageViewType view;
   VkFormat format;
   uint32_t width, height, depth, layers, levels; /* 0: 1 */
   VkImageUsageFlags usage;
   unsigned samples; /* 0: one */
};
struct image image_of(struct draw *d, const struct shape *s);
VkImageView view_of(struct draw *d, const struct image *i, VkImageViewType type,
                    VkImageAspectFlags aspect, unsigned level, unsigned levels, unsigned layer,
                    unsigned layers);
/* A picture of RGBA8 with something in each level and layer. */
struct image textured(struct draw *d, VkImageViewType view, uint32_t width, uint32_t height,
                      uint32_t depth, uint32_t layers, uint32_t levels);
void upload(struct draw *d, const struct image *i, const void *texels, size_t size, unsigned level,
            unsigned layer);
VkSampler sampler_of(struct draw *d, VkFilter filter, VkSamplerMipmapMode mip,
                     VkSamplerAddressMode mode);
VkSampler sampler_with(struct draw *d, const VkSamplerCreateInfo *s);

/* What shaders of the next draws see; each may be absent. */
struct seen {
   VkImageView texture, texture2;
   VkSampler sampler;
   VkBuffer uniform, storage;
   VkImageView input;
   VkBufferView texels;
};
void see(struct draw *d, const struct seen *s);

/* ---- passes -----------------------------------------------------------------------------------
 */

void begin(struct draw *d); /* clears */
void end(struct draw *d);
/* A pass of one color image (a level and layer of it), and depth or none; cleared, or loaded. */
void begin_image(struct draw *d, VkImageView color, VkFormat format, VkImageView depth,
                 VkFormat depth_format, uint32_t width, uint32_t height, uint32_t layers,
                 bool clear);
VkRenderPass pass_of(struct draw *d, const VkFormat *formats, unsigned colors, VkFormat depth,
                     bool clear);
VkPipelineLayout layout_of(void);

/* ---- what many scenes draw ---------------------------------------------------------------------
 */

/* A triangle in three colors. */
void triangle(struct draw *d);
/* From x0, y0 to x1, y1 of clip space, two triangles; c: colors left and right. */
void quad(struct draw *d, float x0, float y0, float x1, float y1, float z, const float left[4],
          const float right[4]);
/* Cell n of a grid of so many both ways: its corners. */
struct box {
   float x0, y0, x1, y1;
};
struct box cell(unsigned n, unsigned across);
/* Texture coordinates from (s0, t0) to (s1, t1) over the whole picture, in .c. */
void coordinates(struct draw *d, float s0, float t0, float s1, float t1);
/* n points around the middle. */
void ring(struct point *p, unsigned n, float radius);

extern const float red[4], green[4], blue[4], white[4], black[4], half[4];

#endif
