/* What the scenes of vk_draw share: images, buffers, pipelines, passes. Objects live until the
 * program ends. */
#include "vk_draw.h"

#include "draw_shaders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X(name) const struct code name = {name##_spv, sizeof(name##_spv)};
#include "draw_names.h"
#undef X

const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1}, blue[4] = {0, 0, 1, 1},
            white[4] = {1, 1, 1, 1}, black[4] = {0, 0, 0, 1}, half[4] = {0.5f, 0.5f, 0.5f, 0.5f};

#define ALL_USES                                                                                   \
   (VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |                         \
    VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |                     \
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |                        \
    VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |                  \
    VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT)

/* ---- buffers ----------------------------------------------------------------------------------
 */

struct vkc_buffer
mapped(struct draw *d, size_t size)
{
   return vkc_buffer(d->vk, size, ALL_USES);
}

VkBuffer
buffer_of(struct draw *d, const void *data, size_t size)
{
   struct vkc_buffer b = mapped(d, size);
   memcpy(b.map, data, size);
   return b.buffer;
}

void
vertices(struct draw *d, const void *data, size_t size)
{
   VkBuffer b = buffer_of(d, data, size);
   vkCmdBindVertexBuffers(d->cb, 0, 1, &b, &(VkDeviceSize){0});
}

void
push(struct draw *d, const void *data, uint32_t size)
{
   vkCmdPushConstants(d->cb, layout_of(), VK_SHADER_STAGE_ALL_GRAPHICS, 0, size, data);
}

/* ---- images -----------------------------------------------------------------------------------
 */

static VkImageAspectFlags
aspect_of(VkFormat f)
{
   switch (f) {
   case VK_FORMAT_D16_UNORM:
   case VK_FORMAT_X8_D24_UNORM_PACK32:
   case VK_FORMAT_D32_SFLOAT:
      return VK_IMAGE_ASPECT_DEPTH_BIT;
   case VK_FORMAT_S8_UINT:
      return VK_IMAGE_ASPECT_STENCIL_BIT;
   case VK_FORMAT_D24_UNORM_S8_UINT:
   case VK_FORMAT_D32_SFLOAT_S8_UINT:
      return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
   default:
      return VK_IMAGE_ASPECT_COLOR_BIT;
   }
}

VkImageView
view_of(struct draw *d, const struct image *i, VkImageViewType type, VkImageAspectFlags aspect,
        unsigned level, unsigned levels, unsigned layer, unsigned layers)
{
   VkImageView v;
   VkImageViewCreateInfo vci = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                .image = i->image,
                                .viewType = type,
                                .format = i->format,
                                .subresourceRange = {aspect, level, levels, layer, layers}};
   VKC_CHECK(vkCreateImageView(d->vk->device, &vci, NULL, &v));
   return v;
}

static unsigned
one_if_0(unsigned n)
{
   return n ? n : 1;
}

static void
to_general(struct draw *d, const struct image *i)
{
   VkImageMemoryBarrier b = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                             .dstAccessMask =
                                 VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                             .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                             .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                             .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                             .image = i->image,
                             .subresourceRange = {i->aspect, 0, i->levels, 0, i->layers}};
   VkCommandBuffer cb = vkc_begin(d->vk);
   vkCmdPipelineBarrier(cb, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        0, 0, NULL, 0, NULL, 1, &b);
   vkc_finish(d->vk, cb);
}

struct image
image_of(struct draw *d, const struct shape *s)
{
   struct image i = {.format = s->format,
                     .aspect = aspect_of(s->format),
                     .width = s->width,
                     .height = one_if_0(s->height),
                     .depth = one_if_0(s->depth),
                     .layers = one_if_0(s->layers),
                     .levels = one_if_0(s->levels)};
   bool cube = s->view == VK_IMAGE_VIEW_TYPE_CUBE || s->view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY,
        volume = s->view == VK_IMAGE_VIEW_TYPE_3D,
        line = s->view == VK_IMAGE_VIEW_TYPE_1D || s->view == VK_IMAGE_VIEW_TYPE_1D_ARRAY;
   VkImageUsageFlags attachment = i.aspect & VK_IMAGE_ASPECT_COLOR_BIT
                                      ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                                      : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
   VkImageCreateInfo ici = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                            .flags = cube     ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT
                                     : volume ? VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT
                                              : 0u,
                            .imageType = volume ? VK_IMAGE_TYPE_3D
                                         : line ? VK_IMAGE_TYPE_1D
                                                : VK_IMAGE_TYPE_2D,
                            .format = s->format,
                            .extent = {i.width, i.height, i.depth},
                            .mipLevels = i.levels,
                            .arrayLayers = i.layers,
                            .samples = one_if_0(s->samples),
                            .usage = s->usage ? s->usage
                                              : attachment | VK_IMAGE_USAGE_SAMPLED_BIT |
                                                    VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   VKC_CHECK(vkCreateImage(d->vk->device, &ici, NULL, &i.image));
   VkMemoryRequirements req;
   vkGetImageMemoryRequirements(d->vk->device, i.image, &req);
   VKC_CHECK(vkBindImageMemory(d->vk->device, i.image, vkc_allocate(d->vk, &req, 0, NULL), 0));
   i.view = view_of(d, &i, s->view, i.aspect, 0, i.levels, 0, i.layers);
   to_general(d, &i);
   return i;
}

void
upload(struct draw *d, const struct image *i, const void *texels, size_t size, unsigned level,
       unsigned layer)
{
   uint32_t w = i->width >> level, h = i->height >> level, z = i->depth >> level;
   VkBuffer from = buffer_of(d, texels, size);
   VkBufferImageCopy copy = {.imageSubresource = {i->aspect, level, layer, 1},
                             .imageExtent = {one_if_0(w), one_if_0(h), one_if_0(z)}};
   VkCommandBuffer cb = vkc_begin(d->vk);
   vkCmdCopyBufferToImage(cb, from, i->image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   vkc_barrier(cb);
   vkc_finish(d->vk, cb);
}

/* Smooth colors with a checker of 4 texels, another shade for each level and layer. */
static uint32_t
texel(uint32_t x, uint32_t y, uint32_t z, unsigned level, unsigned layer)
{
   uint32_t r = (x * 9 + level * 60) & 255, g = (y * 7 + layer * 40) & 255,
            b = ((x / 4 + y / 4 + z) & 1) * 200 + level * 10, a = 255 - z * 8;
   return r | g << 8 | (b & 255) << 16 | (a & 255) << 24;
}

struct image
textured(struct draw *d, VkImageViewType view, uint32_t width, uint32_t height, uint32_t depth,
         uint32_t layers, uint32_t levels)
{
   struct image i = image_of(d, &(struct shape){.view = view,
                                                .format = VK_FORMAT_R8G8B8A8_UNORM,
                                                .width = width,
                                                .height = height,
                                                .depth = depth,
                                                .layers = layers,
                                                .levels = levels});
   for (unsigned level = 0; level < i.levels; level++)
      for (unsigned layer = 0; layer < i.layers; layer++) {
         uint32_t w = one_if_0(width >> level), h = one_if_0(i.height >> level),
                  z = one_if_0(i.depth >> level);
         uint32_t *texels = malloc((size_t)w * h * z * 4);
         if (!texels)
            abort();
         for (uint32_t k = 0; k < w * h * z; k++)
            texels[k] = texel(k % w, k / w % h, k / w / h, level, layer);
         upload(d, &i, texels, (size_t)w * h * z * 4, level, layer);
         free(texels);
      }
   return i;
}

VkSampler
sampler_with(struct draw *d, const VkSamplerCreateInfo *s)
{
   VkSampler sampler;
   VKC_CHECK(vkCreateSampler(d->vk->device, s, NULL, &sampler));
   return sampler;
}

VkSampler
sampler_of(struct draw *d, VkFilter filter, VkSamplerMipmapMode mip, VkSamplerAddressMode mode)
{
   return sampler_with(d, &(VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                                 .magFilter = filter,
                                                 .minFilter = filter,
                                                 .mipmapMode = mip,
                                                 .addressModeU = mode,
                                                 .addressModeV = mode,
                                                 .addressModeW = mode,
                                                 .maxLod = VK_LOD_CLAMP_NONE});
}

/* ---- descriptors ------------------------------------------------------------------------------
 */

static const VkDescriptorType binding_types[] = {
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,         VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,         VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER};

static VkDescriptorSetLayout set_layout;
static VkPipelineLayout pipeline_layout;

static void
make_layout(struct vkc *v)
{
   VkDescriptorSetLayoutBinding slots[COUNT(binding_types)] = {0};
   for (unsigned i = 0; i < COUNT(slots); i++)
      slots[i] = (VkDescriptorSetLayoutBinding){
          .binding = i,
          .descriptorType = binding_types[i],
          .descriptorCount = 1,
          .stageFlags = i == 3 ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_ALL_GRAPHICS};
   VkDescriptorSetLayoutCreateInfo slci = {.sType =
                                               VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                           .bindingCount = COUNT(slots),
                                           .pBindings = slots};
   VKC_CHECK(vkCreateDescriptorSetLayout(v->device, &slci, NULL, &set_layout));
   VkPushConstantRange range = {VK_SHADER_STAGE_ALL_GRAPHICS, 0, 32};
   VkPipelineLayoutCreateInfo plci = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &set_layout,
                                      .pushConstantRangeCount = 1,
                                      .pPushConstantRanges = &range};
   VKC_CHECK(vkCreatePipelineLayout(v->device, &plci, NULL, &pipeline_layout));
}

VkPipelineLayout
layout_of(void)
{
   return pipeline_layout;
}

/* What is in the slots that a scene leaves out: some drivers look at all of a set. */
static struct seen
with_defaults(struct draw *d, const struct seen *s)
{
   static struct seen none;
   struct seen all = *s;
   if (!none.texture) {
      none.texture =
          image_of(d, &(struct shape){VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, 4, 4,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                               VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT})
              .view;
      none.sampler = sampler_of(d, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
      none.uniform = mapped(d, 256).buffer;
      VkBufferViewCreateInfo bvci = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                     .buffer = none.uniform,
                                     .format = VK_FORMAT_R8G8B8A8_UNORM,
                                     .range = VK_WHOLE_SIZE};
      VKC_CHECK(vkCreateBufferView(d->vk->device, &bvci, NULL, &none.texels));
   }
   all.texture = s->texture ? s->texture : none.texture;
   all.texture2 = s->texture2 ? s->texture2 : none.texture;
   all.sampler = s->sampler ? s->sampler : none.sampler;
   all.uniform = s->uniform ? s->uniform : none.uniform;
   all.storage = s->storage ? s->storage : none.uniform;
   all.input = s->input ? s->input : none.texture;
   all.texels = s->texels ? s->texels : none.texels;
   return all;
}

void
see(struct draw *d, const struct seen *given)
{
   struct seen all = with_defaults(d, given), *s = &all;
   VkDescriptorPoolSize sizes[COUNT(binding_types)];
   for (unsigned i = 0; i < COUNT(sizes); i++)
      sizes[i] = (VkDescriptorPoolSize){binding_types[i], 1};
   VkDescriptorPoolCreateInfo dpci = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                      .maxSets = 1,
                                      .poolSizeCount = COUNT(sizes),
                                      .pPoolSizes = sizes};
   VkDescriptorPool pool;
   VKC_CHECK(vkCreateDescriptorPool(d->vk->device, &dpci, NULL, &pool));
   VkDescriptorSetAllocateInfo dsai = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                       .descriptorPool = pool,
                                       .descriptorSetCount = 1,
                                       .pSetLayouts = &set_layout};
   VkDescriptorSet set;
   VKC_CHECK(vkAllocateDescriptorSets(d->vk->device, &dsai, &set));
   const VkImageView views[] = {s->texture, s->texture2, 0, s->input};
   const VkBuffer buffers[] = {0, 0, s->uniform, 0, s->storage};
   for (unsigned i = 0; i < COUNT(binding_types); i++) {
      VkImageView view = i < COUNT(views) ? views[i] : VK_NULL_HANDLE;
      VkBuffer buffer = i < COUNT(buffers) ? buffers[i] : VK_NULL_HANDLE;
      VkDescriptorImageInfo image = {s->sampler, view, VK_IMAGE_LAYOUT_GENERAL};
      VkDescriptorBufferInfo bytes = {buffer, 0, VK_WHOLE_SIZE};
      VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                    .dstSet = set,
                                    .dstBinding = i,
                                    .descriptorCount = 1,
                                    .descriptorType = binding_types[i],
                                    .pImageInfo = &image,
                                    .pBufferInfo = &bytes,
                                    .pTexelBufferView = &s->texels};
      vkUpdateDescriptorSets(d->vk->device, 1, &write, 0, NULL);
   }
   vkCmdBindDescriptorSets(d->cb, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_layout, 0, 1, &set, 0,
                           NULL);
}

/* ---- pipelines --------------------------------------------------------------------------------
 */

static VkPipelineShaderStageCreateInfo
stage_of(struct draw *d, VkShaderStageFlagBits stage, const struct code *code,
         const VkSpecializationInfo *spec)
{
   VkShaderModule module;
   VkShaderModuleCreateInfo smci = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                    .codeSize = code->size,
                                    .pCode = code->spirv};
   VKC_CHECK(vkCreateShaderModule(d->vk->device, &smci, NULL, &module));
   return (VkPipelineShaderStageCreateInfo){.sType =
                                                VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                            .stage = stage,
                                            .module = module,
                                            .pName = "main",
                                            .pSpecializationInfo = spec};
}

static const VkPipelineVertexInputStateCreateInfo *
usual_input(void)
{
   static const VkVertexInputBindingDescription binding = {0, sizeof(struct point),
                                                           VK_VERTEX_INPUT_RATE_VERTEX};
   static const VkVertexInputAttributeDescription attributes[] = {
       {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct point, p)},
       {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct point, c)}};
   static const VkPipelineVertexInputStateCreateInfo input = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
       .vertexBindingDescriptionCount = 1,
       .pVertexBindingDescriptions = &binding,
       .vertexAttributeDescriptionCount = 2,
       .pVertexAttributeDescriptions = attributes};
   return &input;
}

static VkPipelineRasterizationStateCreateInfo
raster_of(const struct look *l)
{
   return (VkPipelineRasterizationStateCreateInfo){
       .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
       .pNext = l->raster_next,
       .depthClampEnable = l->clamp,
       .rasterizerDiscardEnable = l->discard,
       .polygonMode = l->polygon,
       .cullMode = l->cull,
       .frontFace = l->front,
       .depthBiasEnable = l->bias,
       .depthBiasConstantFactor = l->bias_constant,
       .depthBiasClamp = l->bias_clamp,
       .depthBiasSlopeFactor = l->bias_slope,
       .lineWidth = l->line_width > 0 ? l->line_width : 1};
}

static VkPipelineDepthStencilStateCreateInfo
depth_of(const struct look *l)
{
   return (VkPipelineDepthStencilStateCreateInfo){
       .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
       .depthTestEnable = l->test,
       .depthWriteEnable = l->write,
       .depthCompareOp = l->compare,
       .stencilTestEnable = l->stencil,
       .front = l->face,
       .back = l->back.compareMask ? l->back : l->face};
}

static VkPipeline
make_pipeline(struct draw *d, const struct look *l)
{
   static const VkViewport whole = {0, 0, SIZE, SIZE, 0, 1};
   static const VkRect2D everything = {{0, 0}, {SIZE, SIZE}};
   VkPipelineShaderStageCreateInfo stages[5] = {
       stage_of(d, VK_SHADER_STAGE_VERTEX_BIT, l->vs ? l->vs : &vert_colored, l->spec),
       stage_of(d, VK_SHADER_STAGE_FRAGMENT_BIT, l->fs ? l->fs : &frag_colored, l->spec)};
   uint32_t stage_count = 2;
   if (l->tcs)
      stages[stage_count++] =
          stage_of(d, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, l->tcs, l->spec);
   if (l->tes)
      stages[stage_count++] =
          stage_of(d, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, l->tes, l->spec);
   if (l->gs)
      stages[stage_count++] = stage_of(d, VK_SHADER_STAGE_GEOMETRY_BIT, l->gs, l->spec);
   VkPipelineTessellationStateCreateInfo tessellation = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
       .patchControlPoints = l->patch};
   VkPipelineInputAssemblyStateCreateInfo assembly = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
       .topology = l->points     ? VK_PRIMITIVE_TOPOLOGY_POINT_LIST
                   : l->topology ? l->topology
                                 : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
       .primitiveRestartEnable = l->restart};
   VkPipelineViewportStateCreateInfo viewports = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
       .viewportCount = one_if_0(l->viewports),
       .pViewports = l->viewport ? l->viewport : &whole,
       .scissorCount = one_if_0(l->viewports),
       .pScissors = l->scissor ? l->scissor : &everything};
   VkPipelineRasterizationStateCreateInfo raster = raster_of(l);
   VkPipelineMultisampleStateCreateInfo samples = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
       .pNext = l->samples_next,
       .rasterizationSamples = one_if_0(d->samples),
       .sampleShadingEnable = l->shading > 0,
       .minSampleShading = l->shading,
       .pSampleMask = l->sample_mask,
       .alphaToCoverageEnable = l->to_coverage,
       .alphaToOneEnable = l->to_one};
   VkPipelineDepthStencilStateCreateInfo depth = depth_of(l);
   VkPipelineColorBlendAttachmentState blend[TARGETS];
   for (unsigned i = 0; i < TARGETS; i++)
      blend[i] = l->blend ? l->blend[l->one_blend ? 0 : i]
                          : (VkPipelineColorBlendAttachmentState){.colorWriteMask = 15};
   VkPipelineColorBlendStateCreateInfo colors = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
       .logicOpEnable = l->logic,
       .logicOp = l->op,
       .attachmentCount = l->pass ? l->colors : d->colors,
       .pAttachments = blend};
   memcpy(colors.blendConstants, l->constants, sizeof(colors.blendConstants));
   VkPipelineDynamicStateCreateInfo dynamic = {
       .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
       .dynamicStateCount = l->dynamics,
       .pDynamicStates = l->dynamic};
   VkGraphicsPipelineCreateInfo gpci = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                        .stageCount = stage_count,
                                        .pStages = stages,
                                        .pVertexInputState = l->input ? l->input : usual_input(),
                                        .pInputAssemblyState = &assembly,
                                        .pTessellationState = l->tes ? &tessellation : NULL,
                                        .pViewportState = &viewports,
                                        .pRasterizationState = &raster,
                                        .pMultisampleState = &samples,
                                        .pDepthStencilState = &depth,
                                        .pColorBlendState = &colors,
                                        .pDynamicState = &dynamic,
                                        .layout = pipeline_layout,
                                        .renderPass = l->pass ? l->pass : d->pass,
                                        .subpass = l->subpass};
   VkPipeline p;
   VKC_CHECK(vkCreateGraphicsPipelines(d->vk->device, VK_NULL_HANDLE, 1, &gpci, NULL, &p));
   return p;
}

void
look_in(struct draw *d, VkCommandBuffer cb, const struct look *l)
{
   vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, make_pipeline(d, l));
}

void
look(struct draw *d, const struct look *l)
{
   look_in(d, d->cb, l);
}

/* ---- passes -----------------------------------------------------------------------------------
 */

VkRenderPass
pass_of(struct draw *d, const VkFormat *formats, unsigned colors, VkFormat depth, bool clear)
{
   VkAttachmentDescription a[TARGETS + 1];
   VkAttachmentReference r[TARGETS + 1];
   if (!set_layout)
      make_layout(d->vk);
   for (unsigned i = 0; i <= colors; i++) {
      VkAttachmentLoadOp load = clear ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
      a[i] = (VkAttachmentDescription){.format = i < colors ? formats[i] : depth,
                                       .samples = one_if_0(d->samples),
                                       .loadOp = load,
                                       .stencilLoadOp = load,
                                       .stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE,
                                       .initialLayout = clear ? VK_IMAGE_LAYOUT_UNDEFINED
                                                              : VK_IMAGE_LAYOUT_GENERAL,
                                       .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
      r[i] =
          (VkAttachmentReference){i, i < colors ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                                                : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
   }
   VkSubpassDescription sub = {.colorAttachmentCount = colors,
                               .pColorAttachments = r,
                               .pDepthStencilAttachment = depth ? &r[colors] : NULL};
   VkRenderPassCreateInfo rpci = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                  .attachmentCount = colors + (depth != 0),
                                  .pAttachments = a,
                                  .subpassCount = 1,
                                  .pSubpasses = &sub};
   VkRenderPass pass;
   VKC_CHECK(vkCreateRenderPass(d->vk->device, &rpci, NULL, &pass));
   return pass;
}

static void
start(struct draw *d, VkRenderPass pass, const VkImageView *views, unsigned count, unsigned colors,
      uint32_t width, uint32_t height, uint32_t layers)
{
   static const float usual[4] = {0.2f, 0.2f, 0.4f, 1};
   const float *c = d->scene->clear[3] > 0 ? d->scene->clear : usual;
   VkFramebufferCreateInfo fci = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                  .renderPass = pass,
                                  .attachmentCount = count,
                                  .pAttachments = views,
                                  .width = width,
                                  .height = height,
                                  .layers = layers};
   VKC_CHECK(vkCreateFramebuffer(d->vk->device, &fci, NULL, &d->frame));
   VkClearValue clear[TARGETS + 1];
   for (unsigned i = 0; i < colors; i++)
      memcpy(&clear[i].color, c, 16);
   clear[colors].depthStencil = (VkClearDepthStencilValue){0.75f, 5};
   VkRenderPassBeginInfo rpbi = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                 .renderPass = pass,
                                 .framebuffer = d->frame,
                                 .renderArea = {{0, 0}, {width, height}},
                                 .clearValueCount = count,
                                 .pClearValues = clear};
   d->pass = pass;
   d->colors = colors;
   vkCmdBeginRenderPass(d->cb, &rpbi, VK_SUBPASS_CONTENTS_INLINE);
   d->open = true;
}

void
begin(struct draw *d)
{
   VkFormat formats[TARGETS];
   VkImageView views[TARGETS + 1];
   unsigned colors = 0;
   for (; colors < TARGETS && d->color[colors].image; colors++) {
      formats[colors] = d->color[colors].format;
      views[colors] = d->color[colors].view;
   }
   views[colors] = d->depth.view;
   start(d, pass_of(d, formats, colors, d->depth.format, true), views, colors + !!d->depth.image,
         colors, SIZE, SIZE, 1);
}

void
begin_image(struct draw *d, VkImageView color, VkFormat format, VkImageView depth,
            VkFormat depth_format, uint32_t width, uint32_t height, uint32_t layers, bool clear)
{
   unsigned colors = color != VK_NULL_HANDLE;
   VkImageView views[2] = {color, depth};
   if (!colors)
      views[0] = depth;
   start(d, pass_of(d, &format, colors, depth ? depth_format : 0, clear), views,
         colors + (depth != VK_NULL_HANDLE), colors, width, height, layers);
}

void
end(struct draw *d)
{
   if (!d->open)
      return;
   vkCmdEndRenderPass(d->cb);
   d->open = false;
   vkc_barrier(d->cb);
}

/* ---- what many scenes draw ---------------------------------------------------------------------
 */

void
triangle(struct draw *d)
{
   static const struct point p[3] = {{{-0.8f, -0.7f, 0.2f, 1}, {1, 0, 0, 1}},
                                     {{0.85f, -0.5f, 0.5f, 1}, {0, 1, 0, 1}},
                                     {{-0.1f, 0.9f, 0.9f, 1}, {0, 0, 1, 1}}};
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 3, 1, 0, 0);
}

void
quad(struct draw *d, float x0, float y0, float x1, float y1, float z, const float left[4],
     const float right[4])
{
   struct point p[6];
   static const unsigned corner[6] = {0, 1, 2, 2, 1, 3};
   for (unsigned i = 0; i < 6; i++) {
      unsigned k = corner[i];
      p[i] = (struct point){.p = {k & 1 ? x1 : x0, k & 2 ? y1 : y0, z, 1}};
      memcpy(p[i].c, k & 1 ? right : left, 16);
   }
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 6, 1, 0, 0);
}

struct box
cell(unsigned n, unsigned across)
{
   float step = 2.0f / (float)across, x = -1 + step * (float)(n % across),
         y = -1 + step * (float)(n / across);
   return (struct box){x, y, x + step * 0.9f, y + step * 0.9f};
}

void
coordinates(struct draw *d, float s0, float t0, float s1, float t1)
{
   const struct point p[4] = {{{-1, -1, 0.5f, 1}, {s0, t0, 0, 0}},
                              {{1, -1, 0.5f, 1}, {s1, t0, 0, 0}},
                              {{-1, 1, 0.5f, 1}, {s0, t1, 0, 0}},
                              {{1, 1, 0.5f, 1}, {s1, t1, 0, 0}}};
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 4, 1, 0, 0);
}

void
ring(struct point *p, unsigned n, float radius)
{
   static const float colors[6][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1},
                                      {1, 1, 0, 1}, {0, 1, 1, 1}, {1, 0, 1, 1}};
   for (unsigned i = 0; i < n; i++) {
      float a = 6.2831853f * (float)i / (float)n + 0.3f;
      p[i] = (struct point){.p = {radius * cosf(a), radius * sinf(a), 0.5f, 1}};
      memcpy(p[i].c, colors[i % 6], 16);
   }
}
