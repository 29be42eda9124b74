/* Scenes of depth and stencil. */
#include "vk_draw.h"

#define EDGES 12
#define D24S8 VK_FORMAT_D24_UNORM_S8_UINT

/* All eight functions, a cell each: first a slope from near to far, then a flat shape. */
static void
functions(struct draw *d)
{
   begin(d);
   for (unsigned i = 0; i < 8; i++) {
      struct box b = cell(i, 3);
      struct point p[3] = {{{b.x0, b.y0, 0, 1}, {0, 0, 1, 1}},
                           {{b.x1, b.y0, 1, 1}, {0, 0.5f, 1, 1}},
                           {{b.x0, b.y1, 0.5f, 1}, {0, 0, 0.5f, 1}}};
      look(d, &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_ALWAYS});
      vertices(d, p, sizeof(p));
      vkCmdDraw(d->cb, 3, 1, 0, 0);
      look(d, &(struct look){.test = true, .write = true, .compare = (VkCompareOp)i});
      quad(d, b.x0, b.y0, b.x1, b.y1, 0.5f, red, green);
      look(d, &(struct look){.test = true, .compare = VK_COMPARE_OP_EQUAL});
      quad(d, b.x0, b.y0 + 0.2f, b.x1, b.y1, 0.75f, white, white);
   }
}

static void
no_write(struct draw *d)
{
   begin(d);
   look(d, &(struct look){.test = true, .compare = VK_COMPARE_OP_LESS});
   quad(d, -0.8f, -0.8f, 0.5f, 0.5f, 0.2f, red, red);
   quad(d, -0.2f, -0.2f, 0.8f, 0.8f, 0.6f, green, blue);
}

static void
intersect(struct draw *d)
{
   static const struct point p[6] = {
       {{-0.9f, -0.8f, 0.05f, 1}, {1, 0, 0, 1}}, {{0.9f, -0.5f, 0.7f, 1}, {1, 1, 0, 1}},
       {{-0.7f, 0.9f, 0.3f, 1}, {1, 0, 1, 1}},   {{0.9f, -0.9f, 0.1f, 1}, {0, 1, 0, 1}},
       {{0.8f, 0.9f, 0.5f, 1}, {0, 1, 1, 1}},    {{-0.9f, 0.1f, 0.6f, 1}, {0, 0, 1, 1}}};
   begin(d);
   look(d, &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_LESS});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 6, 1, 0, 0);
}

static void
depth_range(struct draw *d)
{
   static const VkViewport near = {0, 0, SIZE, SIZE, 0.1f, 0.4f}, far = {0, 0, SIZE, SIZE, 0.7f, 0};
   begin(d);
   look(d, &(struct look){
               .test = true, .write = true, .compare = VK_COMPARE_OP_LESS, .viewport = &near});
   triangle(d);
   look(d, &(struct look){.test = true,
                          .write = true,
                          .compare = VK_COMPARE_OP_LESS,
                          .viewport = &far,
                          .fs = &frag_facing});
   quad(d, -0.9f, -0.9f, 0.9f, 0.4f, 0.6f, red, green);
}

/* Draws what stencil became: a color for each value from 0 to 8. */
static void
show_stencil(struct draw *d)
{
   for (unsigned i = 0; i < 9; i++) {
      const float c[4] = {(float)(i & 1), (float)(i >> 1 & 1), (float)(i >> 2 & 1) * 0.8f, 1};
      look(d, &(struct look){
                  .stencil = true,
                  .face = {.compareOp = VK_COMPARE_OP_EQUAL, .compareMask = 255, .reference = i}});
      quad(d, -1, -1, 1, 1, 0.5f, c, c);
   }
}

static void
stencil_operations(struct draw *d)
{
   begin(d);
   for (unsigned i = 0; i < 8; i++) {
      struct box b = cell(i, 3);
      look(d, &(struct look){.stencil = true,
                             .face = {.passOp = (VkStencilOp)i,
                                      .compareOp = VK_COMPARE_OP_ALWAYS,
                                      .compareMask = 255,
                                      .writeMask = 15,
                                      .reference = 7}});
      quad(d, b.x0, b.y0, b.x1, b.y1, 0.5f, white, white);
      quad(d, b.x0, b.y0, b.x0 + 0.3f, b.y1, 0.5f, white, white);
   }
   show_stencil(d);
}

static void
stencil_functions(struct draw *d)
{
   begin(d);
   for (unsigned i = 0; i < 8; i++) {
      struct box b = cell(i, 3);
      for (unsigned k = 0; k < 3; k++) { /* 4, 5, 6 beside each other */
         look(d, &(struct look){.stencil = true,
                                .face = {.passOp = VK_STENCIL_OP_REPLACE,
                                         .compareOp = VK_COMPARE_OP_ALWAYS,
                                         .compareMask = 255,
                                         .writeMask = 255,
                                         .reference = 4 + k}});
         quad(d, b.x0 + 0.2f * (float)k, b.y0, b.x0 + 0.2f * (float)k + 0.2f, b.y1, 0.5f, half,
              half);
      }
      look(d, &(struct look){.stencil = true,
                             .face = {.failOp = VK_STENCIL_OP_ZERO,
                                      .passOp = VK_STENCIL_OP_INCREMENT_AND_WRAP,
                                      .compareOp = (VkCompareOp)i,
                                      .compareMask = 7,
                                      .writeMask = 255,
                                      .reference = 5 + 8}});
      quad(d, b.x0, b.y0, b.x1, b.y1 - 0.2f, 0.5f, white, green);
   }
}

static void
stencil_depth_fail(struct draw *d)
{
   begin(d);
   look(d, &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_LESS});
   triangle(d);
   look(d, &(struct look){.test = true,
                          .compare = VK_COMPARE_OP_LESS,
                          .stencil = true,
                          .face = {.passOp = VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                                   .depthFailOp = VK_STENCIL_OP_DECREMENT_AND_CLAMP,
                                   .compareOp = VK_COMPARE_OP_ALWAYS,
                                   .compareMask = 255,
                                   .writeMask = 255}});
   quad(d, -0.9f, -0.9f, 0.9f, 0.9f, 0.5f, half, half);
   show_stencil(d);
}

static void
two_sided(struct draw *d)
{
   static const struct point p[6] = {{{-0.9f, -0.7f, 0.2f, 1}, {0}}, {{0.5f, -0.8f, 0.3f, 1}, {0}},
                                     {{-0.4f, 0.8f, 0.8f, 1}, {0}},  {{-0.5f, -0.6f, 0.1f, 1}, {0}},
                                     {{0.5f, 0.8f, 0.9f, 1}, {0}},   {{0.9f, -0.7f, 0.4f, 1}, {0}}};
   const VkStencilOpState up = {.passOp = VK_STENCIL_OP_INCREMENT_AND_WRAP,
                                .compareOp = VK_COMPARE_OP_ALWAYS,
                                .compareMask = 255,
                                .writeMask = 255},
                          down = {.passOp = VK_STENCIL_OP_DECREMENT_AND_WRAP,
                                  .compareOp = VK_COMPARE_OP_ALWAYS,
                                  .compareMask = 255,
                                  .writeMask = 3};
   begin(d);
   look(d, &(struct look){.stencil = true, .face = up, .back = down});
   vertices(d, p, sizeof(p));
   vkCmdDraw(d->cb, 6, 1, 0, 0);
   show_stencil(d);
}

static void
dynamic_stencil(struct draw *d)
{
   static const VkDynamicState states[] = {VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
                                           VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
                                           VK_DYNAMIC_STATE_STENCIL_REFERENCE};
   begin(d);
   look(d, &(struct look){
               .stencil = true,
               .face = {.passOp = VK_STENCIL_OP_REPLACE, .compareOp = VK_COMPARE_OP_NOT_EQUAL},
               .dynamic = states,
               .dynamics = 3});
   for (unsigned i = 0; i < 4; i++) {
      vkCmdSetStencilCompareMask(d->cb, VK_STENCIL_FACE_FRONT_AND_BACK, i < 2 ? 3 : 4);
      vkCmdSetStencilWriteMask(d->cb, VK_STENCIL_FACE_FRONT_AND_BACK, 5 + i);
      vkCmdSetStencilReference(d->cb, VK_STENCIL_FACE_FRONT_AND_BACK, 2 + i);
      struct box b = cell(i, 2);
      quad(d, b.x0, b.y0, b.x1 + 0.2f, b.y1, 0.5f, half, half);
   }
   show_stencil(d);
}

/* Depth is copied to a texture that is looked at. */
static void
depth_format(struct draw *d)
{
   const VkFormat *format = d->data;
   struct image i = image_of(d, &(struct shape){VK_IMAGE_VIEW_TYPE_2D, *format, SIZE, SIZE});
   VkImageView depth = view_of(d, &i, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1);
   static const float shown[8] = {1, 1, 1, 1, 0, 1, 1, 1};
   begin_image(d, d->color[0].view, d->color[0].format, i.view, *format, SIZE, SIZE, 1, true);
   look(d, &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_LESS_OR_EQUAL});
   triangle(d);
   quad(d, 0.2f, -0.9f, 0.9f, 0.1f, 0.3f, red, red);
   end(d);
   begin(d);
   look(d, &(struct look){.fs = &frag_show});
   see(d, &(struct seen){.texture = depth,
                         .sampler = sampler_of(d, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                               VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE)});
   push(d, shown, sizeof(shown));
   quad(d, -1, -1, 1, 1, 0.5f, black, black);
}
static const VkFormat d16 = VK_FORMAT_D16_UNORM, d24 = VK_FORMAT_X8_D24_UNORM_PACK32,
                      d32 = VK_FORMAT_D32_SFLOAT, d24s8 = VK_FORMAT_D24_UNORM_S8_UINT,
                      d32s8 = VK_FORMAT_D32_SFLOAT_S8_UINT;

/* The fragment shader gives depth. */
static void
computed(struct draw *d)
{
   static const float near[4] = {1, 0.5f, 0, 0.1f}, far[4] = {0, 0.5f, 1, 0.9f};
   begin(d);
   look(d, &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_LESS});
   quad(d, -0.9f, -0.5f, 0.9f, 0.9f, 0.45f, white, half);
   look(d,
        &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_LESS, .fs = d->data});
   quad(d, -0.9f, -0.9f, 0.9f, 0.5f, d->data == &frag_depth_less ? 0.95f : 0.05f, near, far);
   look(d, &(struct look){.test = true, .compare = VK_COMPARE_OP_LESS});
   quad(d, -0.9f, -0.1f, 0.9f, 0.3f, 0.3f, red, green);
}

static void
killed(struct draw *d)
{
   begin(d);
   look(d, &(struct look){
               .test = true, .write = true, .compare = VK_COMPARE_OP_LESS, .fs = &frag_discard});
   quad(d, -0.9f, -0.9f, 0.9f, 0.5f, 0.2f, red, green);
   look(d, &(struct look){.test = true, .write = true, .compare = VK_COMPARE_OP_LESS});
   quad(d, -0.9f, -0.1f, 0.9f, 0.9f, 0.5f, blue, white);
}

static void
early(struct draw *d)
{
   static const VkPipelineColorBlendAttachmentState none = {0};
   begin(d);
   look(d, &(struct look){.test = true,
                          .write = true,
                          .compare = VK_COMPARE_OP_LESS,
                          .fs = &frag_early,
                          .blend = &none,
                          .one_blend = true});
   triangle(d);
   look(d, &(struct look){.test = true, .compare = VK_COMPARE_OP_EQUAL, .fs = &frag_early});
   triangle(d);
}

static void
stencil_only(struct draw *d)
{
   begin(d);
   look(d, &(struct look){.stencil = true,
                          .face = {.passOp = VK_STENCIL_OP_REPLACE,
                                   .compareOp = VK_COMPARE_OP_ALWAYS,
                                   .compareMask = 255,
                                   .writeMask = 255,
                                   .reference = 3}});
   triangle(d);
   show_stencil(d);
}

const struct scene depth_scenes[] = {
    {"depth_functions", functions, 1, EDGES, .depth = VK_FORMAT_D32_SFLOAT},
    {"depth_no_write", no_write, 1, 0, .depth = VK_FORMAT_D32_SFLOAT},
    {"depth_intersect", intersect, 1, 24, .depth = VK_FORMAT_X8_D24_UNORM_PACK32},
    {"depth_range", depth_range, 1, EDGES, .depth = VK_FORMAT_D16_UNORM},
    {"depth_d16", depth_format, 1, EDGES, &d16},
    {"depth_d24", depth_format, 1, EDGES, &d24},
    {"depth_d32", depth_format, 1, EDGES, &d32},
    {"depth_d24s8", depth_format, 1, EDGES, &d24s8},
    {"depth_d32s8", depth_format, 1, EDGES, &d32s8},
    {"depth_computed", computed, 1, EDGES, &frag_depth, .depth = VK_FORMAT_D32_SFLOAT},
    {"depth_computed_greater", computed, 1, EDGES, &frag_depth_greater,
     .depth = VK_FORMAT_D32_SFLOAT},
    {"depth_computed_less", computed, 1, EDGES, &frag_depth_less, .depth = VK_FORMAT_D32_SFLOAT},
    {"depth_discard", killed, 1, 4, .depth = VK_FORMAT_D32_SFLOAT},
    {"depth_early", early, 1, EDGES, .depth = VK_FORMAT_D32_SFLOAT},
    {"stencil_operations", stencil_operations, 1, 0, .depth = D24S8},
    {"stencil_functions", stencil_functions, 1, 0, .depth = D24S8},
    {"stencil_depth_fail", stencil_depth_fail, 1, EDGES, .depth = D24S8},
    {"stencil_two_sided", two_sided, 1, EDGES, .depth = D24S8},
    {"stencil_dynamic", dynamic_stencil, 1, 0, .depth = D24S8},
    {"stencil_only", stencil_only, 1, EDGES, .depth = VK_FORMAT_S8_UINT},
    {0}};
