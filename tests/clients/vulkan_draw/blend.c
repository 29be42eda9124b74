/* Scenes of blending, logic operations and write masks. */
#include "vk_draw.h"

#define ALL                                                                                        \
   .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT |                         \
                     VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT

static const float over[4] = {0.9f, 0.3f, 0.1f, 0.35f}, over2[4] = {0.1f, 0.6f, 1, 0.8f},
                   under[4] = {0.2f, 0.8f, 0.5f, 0.6f}, under2[4] = {0.7f, 0.1f, 0.9f, 0.2f};
static const float constants[4] = {0.25f, 0.5f, 0.75f, 0.4f};

static void
background(struct draw *d)
{
   begin(d);
   look(d, &(struct look){0});
   quad(d, -1, -1, 1, 1, 0.5f, under, under2);
}

/* All factors of one kind: a cell each. */
static void
factors(struct draw *d)
{
   const bool *source = d->data;
   background(d);
   for (unsigned i = 0; i <= VK_BLEND_FACTOR_SRC_ALPHA_SATURATE; i++) {
      VkBlendFactor f = (VkBlendFactor)i, other = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
      /* SRC_ALPHA_SATURATE as a destination is allowed too. */
      VkPipelineColorBlendAttachmentState b = {.blendEnable = true,
                                               .srcColorBlendFactor = *source ? f : other,
                                               .dstColorBlendFactor = *source ? other : f,
                                               .srcAlphaBlendFactor = *source ? f : other,
                                               .dstAlphaBlendFactor = *source ? other : f,
                                               ALL};
      struct look l = {.blend = &b};
      struct box c = cell(i, 4);
      for (unsigned k = 0; k < 4; k++)
         l.constants[k] = constants[k];
      look(d, &l);
      quad(d, c.x0, c.y0, c.x1, c.y1, 0.5f, over, over2);
   }
}
static const bool of_source = true, of_destination = false;

static void
operations(struct draw *d)
{
   background(d);
   for (unsigned i = 0; i < 10; i++) {
      VkPipelineColorBlendAttachmentState b = {.blendEnable = true,
                                               .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
                                               .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                               .colorBlendOp = (VkBlendOp)(i % 5),
                                               .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                               .dstAlphaBlendFactor = VK_BLEND_FACTOR_DST_ALPHA,
                                               .alphaBlendOp = (VkBlendOp)(i < 5 ? i : 9 - i),
                                               ALL};
      struct box c = cell(i, 4);
      look(d, &(struct look){.blend = &b});
      quad(d, c.x0, c.y0, c.x1, c.y1, 0.5f, over, over2);
   }
}

static void
dual_source(struct draw *d)
{
   static const VkBlendFactor f[4] = {
       VK_BLEND_FACTOR_SRC1_COLOR, VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR, VK_BLEND_FACTOR_SRC1_ALPHA,
       VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA};
   background(d);
   for (unsigned i = 0; i < 16; i++) {
      VkPipelineColorBlendAttachmentState b = {.blendEnable = true,
                                               .srcColorBlendFactor = f[i & 3],
                                               .dstColorBlendFactor = f[i >> 2],
                                               .srcAlphaBlendFactor = f[i & 3],
                                               .dstAlphaBlendFactor = f[i >> 2],
                                               ALL};
      struct box c = cell(i, 4);
      look(d, &(struct look){.fs = &frag_dual, .blend = &b});
      quad(d, c.x0, c.y0, c.x1, c.y1, 0.5f, over, over2);
   }
}

/* Colors that eight bits have exactly: an operation on bits makes much of a unit. */
static void
logic(struct draw *d)
{
   static const float over[4] = {229 / 255.f, 77 / 255.f, 26 / 255.f, 89 / 255.f},
                      under[4] = {51 / 255.f, 204 / 255.f, 128 / 255.f, 153 / 255.f};
   begin(d);
   look(d, &(struct look){0});
   quad(d, -1, -1, 1, 1, 0.5f, under, under);
   for (unsigned i = 0; i < 16; i++) {
      struct box c = cell(i, 4);
      look(d, &(struct look){.logic = true, .op = (VkLogicOp)i});
      quad(d, c.x0, c.y0, c.x1, c.y1, 0.5f, over, over);
   }
}

static void
masks(struct draw *d)
{
   background(d);
   for (unsigned i = 0; i < 16; i++) {
      VkPipelineColorBlendAttachmentState b = {.colorWriteMask = i};
      struct box c = cell(i, 4);
      look(d, &(struct look){.blend = &b});
      quad(d, c.x0, c.y0, c.x1, c.y1, 0.5f, over, over2);
   }
}

static void
independent(struct draw *d)
{
   VkPipelineColorBlendAttachmentState b[4] = {
       {ALL},
       {.blendEnable = true,
        .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        ALL},
       {.colorWriteMask = VK_COLOR_COMPONENT_G_BIT},
       {.blendEnable = true,
        .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
        .dstColorBlendFactor = VK_BLEND_FACTOR_ONE,
        .colorBlendOp = VK_BLEND_OP_REVERSE_SUBTRACT,
        .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
        ALL}};
   begin(d);
   look(d, &(struct look){.fs = &frag_many});
   quad(d, -1, -1, 1, 1, 0.5f, under, under2);
   look(d, &(struct look){.fs = &frag_many, .blend = b});
   quad(d, -0.7f, -0.7f, 0.7f, 0.7f, 0.5f, over, over2);
}

static void
blend_constants(struct draw *d)
{
   static const VkDynamicState states[] = {VK_DYNAMIC_STATE_BLEND_CONSTANTS};
   VkPipelineColorBlendAttachmentState b = {
       .blendEnable = true,
       .srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR,
       .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR,
       .srcAlphaBlendFactor = VK_BLEND_FACTOR_CONSTANT_ALPHA,
       .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA,
       ALL};
   background(d);
   look(d, &(struct look){.blend = &b, .dynamic = states, .dynamics = 1});
   for (unsigned i = 0; i < 4; i++) {
      float f = (float)i / 3;
      struct box c = cell(i, 2);
      vkCmdSetBlendConstants(d->cb, (float[4]){f, 1 - f, 0.5f, f});
      quad(d, c.x0, c.y0, c.x1, c.y1, 0.5f, over, over2);
   }
}

static void
layers_of_glass(struct draw *d)
{
   VkPipelineColorBlendAttachmentState b = {.blendEnable = true,
                                            .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
                                            .dstColorBlendFactor =
                                                VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                            .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
                                            ALL};
   background(d);
   look(d, &(struct look){.blend = &b});
   for (unsigned i = 0; i < 8; i++) {
      float at = -0.9f + 0.15f * (float)i;
      quad(d, at, at, at + 0.7f, at + 0.9f, 0.5f, i & 1 ? over : over2, i & 2 ? over2 : over);
   }
}

/* Float, and what an sRGB target stores: its curve multiplies differences near black. */
#define SRGB VK_FORMAT_R8G8B8A8_SRGB
#define HALVES VK_FORMAT_R16G16B16A16_SFLOAT
/* Dual source: llvmpipe rounds each product to eight bits. A unit of five bits is 8 or 9 of eight.
 */
const struct scene blend_scenes[] = {
    {"blend_source_factors", factors, 1, 0, &of_source},
    {"blend_destination_factors", factors, 1, 0, &of_destination},
    {"blend_operations", operations, 1, 0},
    {"blend_dual_source", dual_source, 2, 0},
    {"blend_constants", blend_constants, 1, 0},
    {"blend_srgb", layers_of_glass, 3, 0, .format = SRGB},
    {"blend_float", factors, 1, 0, &of_source, .format = HALVES},
    {"blend_rgb565", layers_of_glass, 9, 0, .format = VK_FORMAT_R5G6B5_UNORM_PACK16},
    {"blend_rgb10a2", layers_of_glass, 1, 0, .format = VK_FORMAT_A2B10G10R10_UNORM_PACK32},
    {"blend_r8", layers_of_glass, 2, 0, .format = VK_FORMAT_R8_UNORM},
    {"blend_layers", layers_of_glass, 2, 0},
    {"blend_independent", independent, 1, 0, .targets = 4},
    {"logic_operations", logic, 0, 0},
    {"write_masks", masks, 1, 0},
    {0}};
