/* Scenes of passes and command buffers: subpasses, secondary buffers, copies, dynamic state. */
#include "vk_draw.h"

#include <string.h>

#define EDGES 12

/* ---- subpasses ---------------------------------------------------------------------------------
 */

/* The second subpass reads what the first drew. */
static VkRenderPass
two_subpasses(struct draw *d)
{
   const VkAttachmentDescription a[2] = {{.format = VK_FORMAT_R8G8B8A8_UNORM,
                                          .samples = 1,
                                          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                          .finalLayout = VK_IMAGE_LAYOUT_GENERAL},
                                         {.format = VK_FORMAT_R8G8B8A8_UNORM,
                                          .samples = 1,
                                          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                          .finalLayout = VK_IMAGE_LAYOUT_GENERAL}};
   const VkAttachmentReference first = {1, VK_IMAGE_LAYOUT_GENERAL},
                               second = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkSubpassDescription sub[2] = {{.colorAttachmentCount = 1, .pColorAttachments = &first},
                                        {.inputAttachmentCount = 1,
                                         .pInputAttachments = &first,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &second}};
   const VkSubpassDependency between = {.srcSubpass = 0,
                                        .dstSubpass = 1,
                                        .srcStageMask =
                                            VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                        .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                        .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                                        .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT};
   VkRenderPassCreateInfo rpci = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                  .attachmentCount = 2,
                                  .pAttachments = a,
                                  .subpassCount = 2,
                                  .pSubpasses = sub,
                                  .dependencyCount = 1,
                                  .pDependencies = &between};
   VkRenderPass pass;
   VKC_CHECK(vkCreateRenderPass(d->vk->device, &rpci, NULL, &pass));
   return pass;
}

static VkFramebuffer
frame_of(struct draw *d, VkRenderPass pass, const VkImageView *views, unsigned count)
{
   VkFramebuffer frame;
   VkFramebufferCreateInfo fci = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                  .renderPass = pass,
                                  .attachmentCount = count,
                                  .pAttachments = views,
                                  .width = SIZE,
                                  .height = SIZE,
                                  .layers = 1};
   VKC_CHECK(vkCreateFramebuffer(d->vk->device, &fci, NULL, &frame));
   return frame;
}

static void
start(struct draw *d, VkRenderPass pass, const VkImageView *views, unsigned count, VkRect2D area)
{
   const VkClearValue clear[3] = {{.color = {.float32 = {0.1f, 0.2f, 0.3f, 1}}},
                                  {.color = {.float32 = {0.8f, 0.6f, 0.1f, 1}}}};
   VkRenderPassBeginInfo rpbi = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                 .renderPass = pass,
                                 .framebuffer = frame_of(d, pass, views, count),
                                 .renderArea = area,
                                 .clearValueCount = 3,
                                 .pClearValues = clear};
   d->pass = pass;
   d->colors = 1;
   d->open = true;
   vkCmdBeginRenderPass(d->cb, &rpbi, VK_SUBPASS_CONTENTS_INLINE);
}
static const VkRect2D everything = {{0, 0}, {SIZE, SIZE}};

/* Two secondary buffers in one pass, each with pipelines and textures of its own; the second is
 * executed twice. */
static void
secondary(struct draw *d)
{
   static const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
   VkCommandBuffer primary = d->cb, buffer[2];
   VkCommandBufferAllocateInfo ai = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                     .commandPool = d->vk->pool,
                                     .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                     .commandBufferCount = 2};
   VKC_CHECK(vkAllocateCommandBuffers(d->vk->device, &ai, buffer));
   VkRenderPass pass = pass_of(d, &format, 1, 0, true);
   const VkClearValue clear = {.color = {.float32 = {0.1f, 0.2f, 0.3f, 1}}};
   VkRenderPassBeginInfo rpbi = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                 .renderPass = pass,
                                 .framebuffer = frame_of(d, pass, &d->color[0].view, 1),
                                 .renderArea = everything,
                                 .clearValueCount = 1,
                                 .pClearValues = &clear};
   d->pass = pass;
   d->colors = 1;
   struct image t = textured(d, VK_IMAGE_VIEW_TYPE_2D, 16, 16, 1, 1, 1);
   VkSampler s = sampler_of(d, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST,
                            VK_SAMPLER_ADDRESS_MODE_REPEAT);
   vkCmdBeginRenderPass(primary, &rpbi, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
   for (unsigned i = 0; i < 2; i++) {
      const VkCommandBufferInheritanceInfo from = {
          .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = pass};
      VkCommandBufferBeginInfo begins = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT |
                                                  VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                         .pInheritanceInfo = &from};
      VKC_CHECK(vkBeginCommandBuffer(buffer[i], &begins));
      d->cb = buffer[i];
      if (i) {
         look(d, &(struct look){.fs = &frag_tex_2d});
         see(d, &(struct seen){.texture = t.view, .sampler = s});
         quad(d, 0.1f, -0.9f, 0.9f, 0.2f, 0.5f, white, black);
      } else {
         look(d, &(struct look){0});
         triangle(d);
      }
      VKC_CHECK(vkEndCommandBuffer(buffer[i]));
   }
   d->cb = primary;
   vkCmdExecuteCommands(primary, 2, buffer);
   vkCmdExecuteCommands(primary, 1, buffer + 1);
   d->open = true;
}

static void
input_attachment(struct draw *d)
{
   struct image i =
       image_of(d, &(struct shape){VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE,
                                   .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                            VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT});
   pass_of(d, NULL, 0, 0, false); /* the layout of pipelines */
   VkImageView views[2] = {d->color[0].view, i.view};
   start(d, two_subpasses(d), views, 2, everything);
   look(d, &(struct look){0});
   triangle(d);
   vkCmdNextSubpass(d->cb, VK_SUBPASS_CONTENTS_INLINE);
   look(d, &(struct look){.fs = &frag_input, .subpass = 1});
   see(d, &(struct seen){.input = i.view});
   quad(d, -0.9f, -0.9f, 0.7f, 0.9f, 0.5f, white, white);
}

/* Two views of one draw. */
static void
multiview(struct draw *d)
{
   struct image i = image_of(d, &(struct shape){VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                                VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, .layers = 2});
   const VkAttachmentDescription a = {.format = i.format,
                                      .samples = 1,
                                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                      .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkAttachmentReference r = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkSubpassDescription sub = {.colorAttachmentCount = 1, .pColorAttachments = &r};
   const uint32_t mask = 3;
   VkRenderPassMultiviewCreateInfo views = {.sType =
                                                VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
                                            .subpassCount = 1,
                                            .pViewMasks = &mask};
   VkRenderPassCreateInfo rpci = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                  .pNext = &views,
                                  .attachmentCount = 1,
                                  .pAttachments = &a,
                                  .subpassCount = 1,
                                  .pSubpasses = &sub};
   VkRenderPass pass;
   VKC_CHECK(vkCreateRenderPass(d->vk->device, &rpci, NULL, &pass));
   pass_of(d, NULL, 0, 0, false);
   start(d, pass, &i.view, 1, everything);
   look(d, &(struct look){.vs = &vert_view});
   triangle(d);
   end(d);
   begin(d);
   VkSampler s = sampler_of(d, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST,
                            VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
   look(d, &(struct look){.fs = &frag_tex_array, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
   see(d, &(struct seen){.texture = i.view, .sampler = s});
   for (unsigned n = 0; n < 2; n++) {
      struct point p[4];
      for (unsigned k = 0; k < 4; k++)
         p[k] = (struct point){.p = {(k & 1 ? 1.0f : 0.0f) + (float)n - 1, k & 2 ? 1 : -1, 0.5f, 1},
                               .c = {k & 1, k >> 1, (float)n, 0}};
      vertices(d, p, sizeof(p));
      vkCmdDraw(d->cb, 4, 1, 0, 0);
   }
}

static void
render_area(struct draw *d)
{
   const VkFormat format = d->color[0].format;
   const VkRect2D area = {{20, 33}, {77, 60}};
   begin(d);
   look(d, &(struct look){0});
   quad(d, -1, -1, 1, 1, 0.5f, red, green);
   end(d);
   VkAttachmentDescription a = {.format = format,
                                .samples = 1,
                                .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkAttachmentReference r = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkSubpassDescription sub = {.colorAttachmentCount = 1, .pColorAttachments = &r};
   VkRenderPassCreateInfo rpci = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                  .attachmentCount = 1,
                                  .pAttachments = &a,
                                  .subpassCount = 1,
                                  .pSubpasses = &sub};
   VkRenderPass pass;
   VKC_CHECK(vkCreateRenderPass(d->vk->device, &rpci, NULL, &pass));
   start(d, pass, &d->color[0].view, 1, area);
   static const VkRect2D inside = {{20, 33}, {77, 60}};
   look(d, &(struct look){.scissor = &inside});
   triangle(d);
}

/* ---- copies -------------------------------------------------------------------------------------
 */

static void
blit(struct draw *d)
{
   struct image i = textured(d, VK_IMAGE_VIEW_TYPE_2D, 64, 64, 1, 1, 1);
   const VkFilter *filter = d->data;
   const VkImageSubresourceLayers all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
   const VkImageBlit b[2] = {
       {all, {{5, 7, 0}, {50, 40, 1}}, all, {{10, 10, 0}, {100, 60, 1}}},
       {all, {{60, 1, 0}, {0, 63, 1}}, all, {{30, 70, 0}, {90, 110, 1}}}}; /* mirrored */
   begin(d);
   end(d);
   vkCmdBlitImage(d->cb, i.image, VK_IMAGE_LAYOUT_GENERAL, d->color[0].image,
                  VK_IMAGE_LAYOUT_GENERAL, 2, b, *filter);
   vkc_barrier(d->cb);
}
static const VkFilter nearest = VK_FILTER_NEAREST, linear = VK_FILTER_LINEAR;

static void
copy(struct draw *d)
{
   struct image i = textured(d, VK_IMAGE_VIEW_TYPE_2D, 64, 64, 1, 1, 1);
   const VkImageSubresourceLayers all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
   const VkImageCopy c = {all, {3, 5, 0}, all, {40, 51, 0}, {55, 50, 1}};
   begin(d);
   look(d, &(struct look){0});
   triangle(d);
   end(d);
   vkCmdCopyImage(d->cb, i.image, VK_IMAGE_LAYOUT_GENERAL, d->color[0].image,
                  VK_IMAGE_LAYOUT_GENERAL, 1, &c);
   vkc_barrier(d->cb);
}

/* ---- dynamic state ------------------------------------------------------------------------------
 */

static void
extended_dynamic(struct draw *d)
{
   static const VkDynamicState states[] = {
       VK_DYNAMIC_STATE_CULL_MODE_EXT,         VK_DYNAMIC_STATE_FRONT_FACE_EXT,
       VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE_EXT, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE_EXT,
       VK_DYNAMIC_STATE_DEPTH_COMPARE_OP_EXT,  VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY_EXT};
#define CALL(name)                                                                                 \
   PFN_vkCmdSet##name##EXT name =                                                                  \
       (PFN_vkCmdSet##name##EXT)vkGetDeviceProcAddr(d->vk->device, "vkCmdSet" #name "EXT");
   CALL(CullMode)
   CALL(FrontFace)
   CALL(DepthTestEnable)
   CALL(DepthWriteEnable)
   CALL(DepthCompareOp)
   CALL(PrimitiveTopology)
#undef CALL
   struct point p[8];
   ring(p, 8, 0.9f);
   begin(d);
   look(d, &(struct look){.dynamic = states, .dynamics = COUNT(states)});
   CullMode(d->cb, VK_CULL_MODE_NONE);
   FrontFace(d->cb, VK_FRONT_FACE_CLOCKWISE);
   DepthTestEnable(d->cb, true);
   DepthWriteEnable(d->cb, true);
   DepthCompareOp(d->cb, VK_COMPARE_OP_LESS);
   PrimitiveTopology(d->cb, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 5, 1, 0, 0);
   CullMode(d->cb, VK_CULL_MODE_BACK_BIT);
   PrimitiveTopology(d->cb, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
   triangle(d);
   DepthCompareOp(d->cb, VK_COMPARE_OP_EQUAL);
   FrontFace(d->cb, VK_FRONT_FACE_COUNTER_CLOCKWISE);
   quad(d, -0.9f, -0.2f, 0.9f, 0.6f, 0.5f, white, black);
}

static void
dynamic_bias(struct draw *d)
{
   static const VkDynamicState states[] = {VK_DYNAMIC_STATE_DEPTH_BIAS};
   begin(d);
   look(d, &(struct look){.test = true,
                          .write = true,
                          .compare = VK_COMPARE_OP_LESS,
                          .bias = true,
                          .dynamic = states,
                          .dynamics = 1});
   vkCmdSetDepthBias(d->cb, 0, 0, 0);
   triangle(d);
   vkCmdSetDepthBias(d->cb, 8, 0, 0);
   quad(d, -0.9f, -0.9f, 0.9f, 0.9f, 0.5f, white, white);
   vkCmdSetDepthBias(d->cb, -8, 0, -2);
   triangle(d);
}

/* Many pipelines, one after the other, over the same vertices. */
static void
many_pipelines(struct draw *d)
{
   begin(d);
   for (unsigned i = 0; i < 9; i++) {
      struct box b = cell(i, 3);
      VkViewport v = {(b.x0 + 1) * 64, (b.y0 + 1) * 64, 38, 38, 0, 1};
      VkPipelineColorBlendAttachmentState m = {.colorWriteMask = 15 - i};
      look(d, &(struct look){.viewport = &v,
                             .fs = i & 1 ? &frag_flat : NULL,
                             .blend = &m,
                             .polygon = i & 4 ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL});
      triangle(d);
   }
}

const struct scene command_scenes[] = {
    {"input_attachment", input_attachment, 1, EDGES},
    {"multiview", multiview, 1, 24},
    {"secondary", secondary, 1, EDGES, .rows = "P3D-169"},
    {"render_area", render_area, 1, EDGES},
    {"blit_nearest", blit, 1, 64, &nearest},
    {"blit_linear", blit, 2, 0, &linear},
    {"copy_image", copy, 1, EDGES},
    {"extended_dynamic_state", extended_dynamic, 1, EDGES, .depth = VK_FORMAT_D32_SFLOAT},
    {"dynamic_bias", dynamic_bias, 1, EDGES, .depth = VK_FORMAT_X8_D24_UNORM_PACK32},
    {"many_pipelines", many_pipelines, 1, 60},
    {0}};
