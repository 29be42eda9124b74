/* Storage images: formats, tilings, dimensions, atomics, edges; texel buffers. */
#include "cases.h"
#include "half.h"

#include "image_atomics_i.h"
#include "image_atomics_u.h"
#include "image_size.h"
#include "texel_buffers.h"
#include "texel_shaders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { UNORM, SNORM, UINT, SINT, FLOAT };

struct texel_format {
   struct shader store, load;
   VkFormat format;
   enum kind kind;
   unsigned bits[4];
   VkImageViewType view;
   unsigned depth, layers;
};

#define SHADER(name)                                                                               \
   {texel_store_##name##_spv, sizeof(texel_store_##name##_spv)},                                   \
   {                                                                                               \
      texel_load_##name##_spv, sizeof(texel_load_##name##_spv)                                     \
   }
#define FLAT VK_IMAGE_VIEW_TYPE_2D, 1, 1

static const struct texel_format
    r32ui = {SHADER(r32ui), VK_FORMAT_R32_UINT, UINT, {32}, FLAT},
    r32i = {SHADER(r32i), VK_FORMAT_R32_SINT, SINT, {32}, FLAT},
    r32f = {SHADER(r32f), VK_FORMAT_R32_SFLOAT, FLOAT, {32}, FLAT},
    rg32ui = {SHADER(rg32ui), VK_FORMAT_R32G32_UINT, UINT, {32, 32}, FLAT},
    rgba32f = {SHADER(rgba32f), VK_FORMAT_R32G32B32A32_SFLOAT, FLOAT, {32, 32, 32, 32}, FLAT},
    rgba32i = {SHADER(rgba32i), VK_FORMAT_R32G32B32A32_SINT, SINT, {32, 32, 32, 32}, FLAT},
    rgba16 = {SHADER(rgba16), VK_FORMAT_R16G16B16A16_UNORM, UNORM, {16, 16, 16, 16}, FLAT},
    rgba16f = {SHADER(rgba16f), VK_FORMAT_R16G16B16A16_SFLOAT, FLOAT, {16, 16, 16, 16}, FLAT},
    rgba16i = {SHADER(rgba16i), VK_FORMAT_R16G16B16A16_SINT, SINT, {16, 16, 16, 16}, FLAT},
    rg16_snorm = {SHADER(rg16_snorm), VK_FORMAT_R16G16_SNORM, SNORM, {16, 16}, FLAT},
    r16f = {SHADER(r16f), VK_FORMAT_R16_SFLOAT, FLOAT, {16}, FLAT},
    r16ui = {SHADER(r16ui), VK_FORMAT_R16_UINT, UINT, {16}, FLAT},
    rgba8_snorm = {SHADER(rgba8_snorm), VK_FORMAT_R8G8B8A8_SNORM, SNORM, {8, 8, 8, 8}, FLAT},
    rgba8ui = {SHADER(rgba8ui), VK_FORMAT_R8G8B8A8_UINT, UINT, {8, 8, 8, 8}, FLAT},
    rgba8 = {SHADER(rgba8), VK_FORMAT_R8G8B8A8_UNORM, UNORM, {8, 8, 8, 8}, FLAT},
    rg8 = {SHADER(rg8), VK_FORMAT_R8G8_UNORM, UNORM, {8, 8}, FLAT},
    r8i = {SHADER(r8i), VK_FORMAT_R8_SINT, SINT, {8}, FLAT},
    rgb10_a2ui = {SHADER(rgb10_a2ui),
                  VK_FORMAT_A2B10G10R10_UINT_PACK32,
                  UINT,
                  {10, 10, 10, 2},
                  FLAT},
    array_2d =
        {SHADER(array_2d), VK_FORMAT_R32_UINT, UINT, {32}, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 1, 5},
    array_2d_16 = {SHADER(array_2d_16),
                   VK_FORMAT_R16G16B16A16_UINT,
                   UINT,
                   {16, 16, 16, 16},
                   VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                   1,
                   5},
    line = {SHADER(line), VK_FORMAT_R32_UINT, UINT, {32}, VK_IMAGE_VIEW_TYPE_1D, 1, 1},
    line_array =
        {SHADER(line_array), VK_FORMAT_R32_SINT, SINT, {32}, VK_IMAGE_VIEW_TYPE_1D_ARRAY, 1, 7},
    volume = {SHADER(volume), VK_FORMAT_R32_UINT, UINT, {32}, VK_IMAGE_VIEW_TYPE_3D, 9, 1},
    volume_8 = {SHADER(volume_8),
                VK_FORMAT_R8G8B8A8_UINT,
                UINT,
                {8, 8, 8, 8},
                VK_IMAGE_VIEW_TYPE_3D,
                9,
                1},
    volume_16 = {SHADER(volume_16),
                 VK_FORMAT_R16G16B16A16_UINT,
                 UINT,
                 {16, 16, 16, 16},
                 VK_IMAGE_VIEW_TYPE_3D,
                 9,
                 1},
    cube = {SHADER(cube), VK_FORMAT_R32_UINT, UINT, {32}, VK_IMAGE_VIEW_TYPE_CUBE, 1, 6};

/* Not a multiple of a group or a tile; 1D images are a row, cubes square. */
struct extent {
   uint32_t x, y, z;
};

static struct extent
extent_of(const struct texel_format *f)
{
   if (f->view == VK_IMAGE_VIEW_TYPE_1D || f->view == VK_IMAGE_VIEW_TYPE_1D_ARRAY)
      return (struct extent){150, 1, f->layers};
   if (f->view == VK_IMAGE_VIEW_TYPE_CUBE)
      return (struct extent){36, 36, 6};
   return (struct extent){150, 45, f->depth * f->layers};
}

/* Values that every channel holds without loss, so that nothing depends on rounding: halves are
 * whole to 2048. */
static void
range_of(const struct texel_format *f, uint32_t mask[4], int32_t bias[4])
{
   for (unsigned c = 0; c < 4; c++) {
      unsigned bits = f->bits[c] ? f->bits[c] : 8;
      unsigned keep = f->kind == FLOAT && bits == 16 ? 11 : bits == 32 ? 20 : bits;
      mask[c] = (1u << keep) - 1;
      bias[c] = f->kind == SINT || f->kind == SNORM || f->kind == FLOAT
                    ? -(int32_t)(1u << (keep - 1))
                    : 0;
      if (f->kind == SNORM)
         bias[c]++; /* the lowest code means the same as the next */
      if (f->kind == SNORM)
         mask[c]--;
   }
}

static int32_t
value_at(const struct texel_format *f, uint32_t x, uint32_t y, uint32_t z, unsigned c)
{
   uint32_t mask[4], h = x * 7 + y * 131 + z * 1031;
   int32_t bias[4];
   range_of(f, mask, bias);
   return (int32_t)((h * (2 * c + 1) + c) & mask[c]) + bias[c];
}

static int32_t
loaded(const struct texel_format *f, uint32_t x, uint32_t y, uint32_t z, unsigned c)
{
   if (f->bits[c])
      return value_at(f, x, y, z, c);
   if (c < 3)
      return 0;
   return f->kind == UNORM   ? (1 << f->bits[0]) - 1
          : f->kind == SNORM ? (1 << (f->bits[0] - 1)) - 1
                             : 1;
}

/* The texel as it must lie in memory. */
static void
pack(const struct texel_format *f, uint32_t x, uint32_t y, uint8_t *out, unsigned bytes)
{
   uint8_t texel[16] = {0};
   unsigned at = 0;
   for (unsigned c = 0; c < 4 && f->bits[c]; c++) {
      int32_t v = value_at(f, x, y, 0, c);
      uint32_t code = (uint32_t)v;
      float real = (float)v;
      if (f->kind == FLOAT && f->bits[c] == 16)
         code = to_half(real);
      else if (f->kind == FLOAT)
         memcpy(&code, &real, 4);
      for (unsigned b = 0; b < f->bits[c]; b++, at++)
         texel[at / 8] |= (uint8_t)((code >> b & 1) << at % 8);
   }
   memcpy(out, texel, bytes);
}

enum tiling { LINEAR, TILED_X, TILED_Y, DRIVERS };

/* Where a byte of a row lies: X tiles are 8 rows of 512 bytes, Y tiles columns of 16 bytes, 32 rows
 * high. */
static size_t
place_of(enum tiling tiling, size_t x, size_t y, size_t pitch)
{
   if (tiling == TILED_X)
      return (y / 8 * (pitch / 512) + x / 512) * 4096 + y % 8 * 512 + x % 512;
   if (tiling == TILED_Y)
      return (y / 32 * (pitch / 128) + x / 128) * 4096 + x % 128 / 16 * 512 + y % 32 * 16 + x % 16;
   return y * pitch + x;
}

static bool
raw_is_right(struct run *r, const struct texel_format *f, enum tiling tiling,
             const struct vkc_image *image, struct extent e)
{
   unsigned bytes = (f->bits[0] + f->bits[1] + f->bits[2] + f->bits[3]) / 8;
   for (uint32_t y = 0; y < e.y; y++)
      for (uint32_t x = 0; x < e.x; x++) {
         uint8_t want[16];
         pack(f, x, y, want, bytes);
         if (!memcmp(image->map + image->layout.offset +
                         place_of(tiling, x * bytes, y, image->layout.rowPitch),
                     want, bytes))
            continue;
         snprintf(r->why, sizeof(r->why), "texel %u, %u does not lie where it must", x, y);
         return false;
      }
   return true;
}

static bool
store_and_load(struct run *r, struct vkc *vk, const struct texel_format *f, enum tiling tiling)
{
   static const char *const names[] = {"linear", "X-tiled", "Y-tiled", "tiled"};
   static const uint64_t modifiers[] = {
       [TILED_X] = UINT64_C(1) << 56 | 1, [TILED_Y] = UINT64_C(1) << 56 | 2};
   struct extent e = extent_of(f);
   struct vkc_image_shape shape = {.format = f->format,
                                   .view = f->view,
                                   .width = e.x,
                                   .height = e.y,
                                   .depth = f->depth,
                                   .layers = f->layers,
                                   .linear = tiling == LINEAR};
   if (tiling == TILED_X || tiling == TILED_Y)
      shape.modifier = &modifiers[tiling];
   struct vkc_image image = vkc_image(vk, &shape);
   size_t count = (size_t)e.x * e.y * e.z;
   struct vkc_buffer c = vkc_buffer(vk, count * 16, 0);
   struct {
      uint32_t mask[4];
      int32_t bias[4];
      uint32_t size[3];
   } push = {.size = {e.x, e.y, e.z}};
   range_of(f, push.mask, push.bias);
   struct vkc_job job = {SHADER_OF(f->store),       .bindings = {{.image = &image}, {.buffer = &c}},
                         .binding_count = 2,        .push = &push,
                         .push_size = sizeof(push), .groups = {(e.x + 7) / 8, (e.y + 3) / 4, e.z}};
   vkc_run(vk, &job);
   job.spirv = f->load.spirv;
   job.spirv_size = f->load.size;
   vkc_run(vk, &job);
   keep(r, c.map, c.size);
   bool ok = true;
   const int32_t *got = c.map;
   for (uint32_t z = 0, i = 0; z < e.z && ok; z++)
      for (uint32_t y = 0; y < e.y && ok; y++)
         for (uint32_t x = 0; x < e.x && ok; x++)
            for (unsigned k = 0; k < 4 && ok; k++, i++) {
               ok = got[i] == loaded(f, x, y, z, k);
               if (!ok)
                  snprintf(r->why, sizeof(r->why), "%s texel %u, %u, %u channel %u is %d, not %d",
                           names[tiling], x, y, z, k, got[i], loaded(f, x, y, z, k));
            }
   ok = ok && (tiling == DRIVERS || raw_is_right(r, f, tiling, &image, e));
   vkc_buffer_free(vk, &c);
   vkc_image_free(vk, &image);
   return ok;
}

/* One format: in the driver's tiling, and linear where it offers that, which only it must for plain
 * 2D images. */
static bool
image_format(struct run *r)
{
   const struct texel_format *f = r->data;
   VkFormatProperties p;
   vkGetPhysicalDeviceFormatProperties(r->vk.physical, f->format, &p);
   if (!(p.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT))
      return skip(r, "no storage images of this format");
   bool linear = f->view == VK_IMAGE_VIEW_TYPE_2D &&
                 p.linearTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
   return (!linear || store_and_load(r, &r->vk, f, LINEAR)) &&
          store_and_load(r, &r->vk, f, DRIVERS);
}

/* In the tilings that can be asked for by name, whose layout is known: the CPU reads the bytes
 * where they must be. */
static bool
image_tilings(struct run *r)
{
   static const char *const name = "VK_EXT_image_drm_format_modifier";
   static const struct texel_format *const formats[] = {&r32ui,   &rgba8,  &rgba8ui,
                                                        &rgba16f, &rgba16, &rgba32f};
   if (!vkc_has_extension(&r->vk, name))
      return skip(r, "tilings cannot be asked for");
   struct vkc vk;
   vkc_open_with(&vk, &(struct vkc_wish){.features = {.shaderStorageImageExtendedFormats = true},
                                         .extensions = &name,
                                         .extension_count = 1});
   bool ok = true;
   unsigned done = 0;
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]) && ok; i++) {
      VkDrmFormatModifierPropertiesEXT list[16];
      VkDrmFormatModifierPropertiesListEXT m = {
          .sType = VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT,
          .drmFormatModifierCount = 16,
          .pDrmFormatModifierProperties = list};
      VkFormatProperties2 p = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &m};
      vkGetPhysicalDeviceFormatProperties2(vk.physical, formats[i]->format, &p);
      for (uint32_t k = 0; k < m.drmFormatModifierCount && ok; k++) {
         enum tiling tiling = list[k].drmFormatModifier & 3;
         if (list[k].drmFormatModifier >> 56 != 1 || (tiling != TILED_X && tiling != TILED_Y) ||
             !(list[k].drmFormatModifierTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT))
            continue;
         ok = store_and_load(r, &vk, formats[i], tiling);
         done++;
      }
   }
   vkc_close(&vk);
   if (!done)
      return skip(r, "no storage image has a tiling to ask for");
   return ok;
}

enum { LEVELS = 3, LAYERS = 2, VIEWS = LEVELS * LAYERS };

static VkImageView
view_of(struct run *r, const struct vkc_image *image, VkFormat format, uint32_t level,
        uint32_t layer)
{
   VkImageViewCreateInfo info = {
       .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
       .image = image->image,
       .viewType = VK_IMAGE_VIEW_TYPE_2D,
       .format = format,
       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, layer, 1}};
   VkImageView view;
   VKC_CHECK(vkCreateImageView(r->vk.device, &info, NULL, &view));
   return view;
}

/* Every level of every layer is filled by itself; then all are read: none has disturbed another. */
static bool
image_levels(struct run *r)
{
   const struct texel_format *f = r->data;
   enum { W = 75, H = 50 };
   struct vkc_image image =
       vkc_image(&r->vk, &(struct vkc_image_shape){.format = f->format,
                                                   .view = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                                   .width = W,
                                                   .height = H,
                                                   .layers = LAYERS,
                                                   .levels = LEVELS});
   struct vkc_buffer c = vkc_buffer(&r->vk, W * H * 16, 0);
   struct vkc_image one[VIEWS];
   bool ok = true;
   for (unsigned i = 0; i < VIEWS; i++)
      one[i] = (struct vkc_image){.view = view_of(r, &image, f->format, i % LEVELS, i / LEVELS)};
   for (unsigned k = 0; k < 2 * VIEWS && ok; k++) {
      unsigned i = k % VIEWS;
      uint32_t w = W >> i % LEVELS, h = H >> i % LEVELS;
      struct {
         uint32_t mask[4], bias[4], size[3];
      } push = {{255, 255, 255, 255}, {i * 256, i * 256, i * 256, i * 256}, {w, h, 1}};
      struct shader shader = k < VIEWS ? f->store : f->load;
      struct vkc_job job = {
          SHADER_OF(shader),         .bindings = {{.image = &one[i]}, {.buffer = &c}},
          .binding_count = 2,        .push = &push,
          .push_size = sizeof(push), .groups = {(w + 7) / 8, (h + 3) / 4, 1}};
      vkc_run(&r->vk, &job);
      for (uint32_t t = 0; t < w * h && k >= VIEWS && ok; t++) {
         uint32_t want = ((t % w * 7 + t / w * 131) & 255) + i * 256;
         ok = ((uint32_t *)c.map)[t * 4] == want;
         if (!ok)
            snprintf(r->why, sizeof(r->why), "level %u, layer %u, texel %u, %u is %u, not %u",
                     i % LEVELS, i / LEVELS, t % w, t / w, ((uint32_t *)c.map)[t * 4], want);
      }
   }
   keep(r, c.map, (size_t)(W >> (LEVELS - 1)) * (H >> (LEVELS - 1)) * 16);
   for (unsigned i = 0; i < VIEWS; i++)
      vkDestroyImageView(r->vk.device, one[i].view, NULL);
   vkc_buffer_free(&r->vk, &c);
   vkc_image_free(&r->vk, &image);
   return ok;
}

static uint32_t
operate(unsigned kind, bool is_signed, uint32_t old, uint32_t v)
{
   bool less = is_signed ? (int32_t)v < (int32_t)old : v < old;
   switch (kind) {
   case 0:
      return old + v;
   case 1:
      return less ? v : old;
   case 2:
      return less || v == old ? old : v;
   case 3:
      return old & v;
   case 4:
      return old | v;
   case 5:
      return old ^ v;
   default:
      return v;
   }
}

static bool
image_atomics(struct run *r)
{
   enum { ROWS = 64 };
   const struct texel_format *f = r->data;
   bool is_signed = f->kind == SINT;
   struct vkc_image image = vkc_storage_image(&r->vk, 16, 8, f->format);
   struct vkc_buffer c = vkc_buffer(&r->vk, 256 * 4, 0),
                     a = vkc_buffer(&r->vk, (1024 + 128) * 4, 0);
   uint32_t *in = a.map, phase, want[256], *pixel = want + 128;
   for (unsigned i = 0; i < 1024 + 128; i++)
      in[i] = next_random(r);
   struct vkc_job job = {.spirv = is_signed ? image_atomics_i_spv : image_atomics_u_spv,
                         .spirv_size =
                             is_signed ? sizeof(image_atomics_i_spv) : sizeof(image_atomics_u_spv),
                         .bindings = {{.image = &image}, {.buffer = &c}, {.buffer = &a}},
                         .binding_count = 3,
                         .push = &phase,
                         .push_size = 4,
                         .groups = {1, ROWS / 4, 1}};
   for (phase = 0; phase < 4; phase++)
      vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   memcpy(pixel, in + 1024, 128 * 4);
   for (unsigned kind = 0; kind < 6; kind++)
      for (unsigned i = 0; i < ROWS * 16; i++) {
         uint32_t v = kind == 3 ? in[i] | 0x00ff00ff : kind == 4 ? in[i] & 0x0f0f0f0f : in[i];
         pixel[kind * 16 + i % 16] = operate(kind, is_signed, pixel[kind * 16 + i % 16], v);
      }
   for (unsigned i = 0; i < 128; i++) {
      want[i] = pixel[i];
      if (i < 112)
         pixel[i] = operate(i / 16, is_signed, pixel[i], in[i]);
      else if (i % 2 == 0 || pixel[i] == in[i])
         pixel[i] = in[i] * 3;
   }
   bool ok = same_words(r, c.map, want, 256);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &c);
   vkc_image_free(&r->vk, &image);
   return ok;
}

static bool
image_edges(struct run *r)
{
   static const VkImageViewType views[3] = {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_3D,
                                            VK_IMAGE_VIEW_TYPE_2D_ARRAY};
   struct vkc_image image[3];
   for (unsigned i = 0; i < 3; i++)
      image[i] = vkc_image(&r->vk, &(struct vkc_image_shape){.format = VK_FORMAT_R32_UINT,
                                                             .view = views[i],
                                                             .width = 33,
                                                             .height = 17,
                                                             .depth = i == 1 ? 5 : 1,
                                                             .layers = i == 2 ? 6 : 1});
   struct vkc_buffer c = vkc_buffer(&r->vk, 14 * 4, 0);
   struct vkc_job job = {SPIRV(image_size), .binding_count = 4, .groups = {1, 1, 1}};
   for (unsigned i = 0; i < 3; i++)
      job.bindings[i].image = &image[i];
   job.bindings[3].buffer = &c;
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   static const uint32_t want[14] = {33, 17, 33, 17, 5, 33, 17, 6, 11};
   bool ok = same_words(r, c.map, want, 14);
   for (unsigned i = 0; i < 3; i++)
      vkc_image_free(&r->vk, &image[i]);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static VkBufferView
buffer_view(struct run *r, const struct vkc_buffer *b, VkFormat format)
{
   VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                  .buffer = b->buffer,
                                  .format = format,
                                  .range = VK_WHOLE_SIZE};
   VkBufferView view;
   VKC_CHECK(vkCreateBufferView(r->vk.device, &info, NULL, &view));
   return view;
}

static bool
texel_buffers(struct run *r)
{
   enum { N = 2048 };
   static const VkFormat format[4] = {VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R16G16_SFLOAT,
                                      VK_FORMAT_R32_UINT, VK_FORMAT_R32G32B32A32_SFLOAT};
   static const unsigned size[4] = {N * 4, N * 4, (N + 8) * 4, N * 16};
   struct vkc_buffer b[4], c = vkc_buffer(&r->vk, N * 16, 0);
   struct vkc_job job = {SPIRV(texel_buffers), .binding_count = 5, .groups = {N / 64, 1, 1}};
   for (unsigned i = 0; i < 4; i++) {
      bool uniform = i < 2;
      b[i] = vkc_buffer(&r->vk, size[i],
                        uniform ? VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT
                                : VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
      for (unsigned k = 0; k < size[i] / 4; k++)
         ((uint32_t *)b[i].map)[k] =
             next_random(r) & (i == 1 ? 0xbbffbbff : ~0u); /* no infinities */
      job.bindings[i].type = uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                     : VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
      job.bindings[i].view = buffer_view(r, &b[i], format[i]);
   }
   job.bindings[4].buffer = &c;
   static uint32_t want[N * 4], words[N + 8];
   static float wide[N * 4];
   memcpy(words, b[2].map, sizeof(words));
   for (unsigned i = 0; i < N; i++) {
      const uint8_t *byte = (uint8_t *)b[0].map + 4 * i;
      const uint16_t *half = (uint16_t *)b[1].map + 2 * (N - 1 - i);
      want[4 * i] = ((uint32_t *)b[0].map)[i];
      want[4 * i + 1] = float_bits(from_half(half[0]));
      want[4 * i + 2] = float_bits(from_half(half[1]));
      want[4 * i + 3] = words[i];
      for (unsigned k = 0; k < 4; k++)
         wide[4 * i + k] = byte[k];
   }
   for (unsigned i = 0; i < N; i++)
      words[N + 7 - (i & 7)] += ((uint8_t *)b[0].map)[4 * i];
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   bool ok = same_words(r, c.map, want, N * 4) && same_words(r, b[2].map, words, N + 8) &&
             same_words(r, b[3].map, wide, N * 4);
   for (unsigned i = 0; i < 4; i++) {
      vkDestroyBufferView(r->vk.device, job.bindings[i].view, NULL);
      vkc_buffer_free(&r->vk, &b[i]);
   }
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

#define FORMAT(name)                                                                               \
   {                                                                                               \
      "image_" #name, image_format, true, &name                                                    \
   }

const struct test_case image_cases[] = {
    FORMAT(r32ui),
    FORMAT(r32i),
    FORMAT(r32f),
    FORMAT(rg32ui),
    FORMAT(rgba32f),
    FORMAT(rgba32i),
    FORMAT(rgba16),
    FORMAT(rgba16f),
    FORMAT(rgba16i),
    FORMAT(rg16_snorm),
    FORMAT(r16f),
    FORMAT(r16ui),
    FORMAT(rgba8_snorm),
    FORMAT(rgba8ui),
    FORMAT(rgba8),
    FORMAT(rg8),
    FORMAT(r8i),
    FORMAT(rgb10_a2ui),
    FORMAT(array_2d),
    FORMAT(array_2d_16),
    FORMAT(line),
    FORMAT(line_array),
    FORMAT(volume),
    FORMAT(volume_8),
    FORMAT(volume_16),
    FORMAT(cube),
    {"image_tilings", image_tilings, false},
    {"image_levels_r32ui", image_levels, true, &r32ui},
    {"image_levels_rgba16f", image_levels, true, &rgba16f},
    {"image_levels_rgba32f", image_levels, true, &rgba32f},
    {"image_levels_r16ui", image_levels, true, &r16ui},
    {"image_atomics_unsigned", image_atomics, true, &r32ui},
    {"image_atomics_signed", image_atomics, true, &r32i},
    {"image_edges", image_edges, true},
    {"texel_buffers", texel_buffers, true},
    {0},
};
