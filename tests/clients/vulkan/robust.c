/* What the API says about the odd cases: accesses outside, nothing bound, rounding and denormals by
 * choice. */
#include "cases.h"
#include "half.h"

#include "float_mode_flush.h"
#include "float_mode_nan.h"
#include "float_mode_rtz.h"
#include "matrix.h"
#include "robust.h"

#include <fenv.h>
#include <stdio.h>
#include <string.h>

/* VK_EXT_robustness2: reads outside are 0, writes are lost, also through descriptors that hold
 * nothing. */
static bool
out_of_bounds(struct run *r)
{
   enum { WORDS = 48, N = 64 };
   static const char *const name = VK_EXT_ROBUSTNESS_2_EXTENSION_NAME;
   VkPhysicalDeviceRobustness2FeaturesEXT on = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
   VkPhysicalDeviceFeatures2 has = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                    .pNext = &on};
   vkGetPhysicalDeviceFeatures2(r->vk.physical, &has);
   if (!vkc_has_extension(&r->vk, name) || !on.robustBufferAccess2 || !on.nullDescriptor)
      return skip(r, "no exact rules for accesses outside");
   struct vkc v;
   vkc_open_with(&v, &(struct vkc_wish){.features = {.robustBufferAccess = true},
                                        .extensions = &name,
                                        .extension_count = 1,
                                        .next = &on});
   struct vkc_buffer a = vkc_buffer(&v, WORDS * 4, 0), c = vkc_buffer(&v, N * 24, 0);
   struct vkc_buffer u = vkc_buffer(&v, 32 * 16, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT), none = {0};
   for (unsigned i = 0; i < WORDS; i++)
      ((uint32_t *)a.map)[i] = next_random(r);
   for (unsigned i = 0; i < 32 * 4; i++)
      ((uint32_t *)u.map)[i] = next_random(r);
   uint32_t far = 1000, want[N * 6], *table = u.map, after[WORDS];
   memcpy(after, a.map, sizeof(after));
   for (unsigned i = 0; i < N; i++) {
      uint32_t *w = want + i * 6;
      w[0] = i < WORDS ? after[i] : 0;
      w[1] = i + 16 < WORDS ? after[i + 16] : 0;
      w[2] = 0;
      w[3] = i < 32 ? table[i * 4 + 1] : 0;
      w[4] = WORDS;
      w[5] = 0;
   }
   struct vkc_job job = {SPIRV(robust),
                         .bindings = {{.buffer = &a},
                                      {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .buffer = &u},
                                      {.buffer = &none},
                                      {.buffer = &c}},
                         .binding_count = 4,
                         .push = &far,
                         .push_size = 4,
                         .groups = {1, 1, 1}};
   vkc_run(&v, &job);
   keep(r, c.map, c.size);
   /* Words 40 … 47 were written by invocations 0 … 7 while others read them. */
   uint32_t *got = c.map;
   for (unsigned i = 0; i < N; i++) {
      if (i >= 40 && i < WORDS && got[i * 6] == 0xbad00000u + i - 40)
         got[i * 6] = want[i * 6];
      if (i + 16 >= 40 && i + 16 < WORDS && got[i * 6 + 1] == 0xbad00000u + i + 16 - 40)
         got[i * 6 + 1] = want[i * 6 + 1];
   }
   for (unsigned i = 40; i < WORDS; i++)
      after[i] = 0xbad00000u + i - 40;
   bool ok = same_words(r, c.map, want, N * 6) && same_words(r, a.map, after, WORDS);
   vkc_buffer_free(&v, &a);
   vkc_buffer_free(&v, &u);
   vkc_buffer_free(&v, &c);
   vkc_close(&v);
   return ok;
}

enum float_mode { RTZ, FLUSH, NANS };

struct float_case {
   struct shader shader;
   enum float_mode mode;
};

static bool
mode_is_offered(const struct run *r, enum float_mode mode)
{
   VkPhysicalDeviceFloatControlsProperties f = {
       .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
   VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                    .pNext = &f};
   vkGetPhysicalDeviceProperties2(r->vk.physical, &p);
   const VkBool32 has[3] = {f.shaderRoundingModeRTZFloat32, f.shaderDenormFlushToZeroFloat32,
                            f.shaderSignedZeroInfNanPreserveFloat32};
   return has[mode];
}

static float
flushed(float f, enum float_mode mode)
{
   return mode == FLUSH && fabsf(f) < 0x1p-126f ? copysignf(0.0f, f) : f;
}

static float
operand(struct run *r, enum float_mode mode, unsigned i)
{
   static const uint32_t special[] = {0x7f800000, 0xff800000, 0x7fc00000, 0x80000000,
                                      0,          0x3f800000, 0xbf800000};
   uint32_t bits = next_random(r);
   if (mode == RTZ) /* close to each other, so that sums round */
      bits = (bits & 0x80ffffff) | (120 + (bits >> 24 & 7)) << 23;
   else if (mode == NANS)
      bits = special[bits % 7];
   else if (i % 2)
      bits &= 0x807fffff; /* denormal */
   else                   /* products are, differences are not: compilers compare by them */
      bits = (bits & 0x807fffff) | (i % 4 ? 100u : 25u) << 23;
   float f;
   memcpy(&f, &bits, 4);
   return f;
}

static void
float_on_cpu(const float *pa, const float *pb, enum float_mode mode, float *w)
{
   volatile float a = flushed(*pa, mode), b = flushed(*pb, mode), s, d, p;
   if (mode == RTZ)
      fesetround(FE_TOWARDZERO);
   s = a + b;
   d = a - b;
   p = a * b;
   fesetround(FE_TONEAREST);
   w[0] = flushed(s, mode);
   w[1] = flushed(d, mode);
   w[2] = flushed(p, mode);
   w[3] = a < b ? 1.0f : a == b ? 2.0f : a > b ? 3.0f : 4.0f;
}

static bool
float_mode(struct run *r)
{
   enum { N = 4096 };
   const struct float_case *f = r->data;
   if (!mode_is_offered(r, f->mode))
      return skip(r, "the driver does not let a shader choose this");
   struct vkc_buffer a = vkc_buffer(&r->vk, N * 4, 0), b = vkc_buffer(&r->vk, N * 4, 0);
   struct vkc_buffer c = vkc_buffer(&r->vk, N * 16, 0);
   for (unsigned i = 0; i < N; i++) {
      ((float *)a.map)[i] = operand(r, f->mode, i);
      ((float *)b.map)[i] = operand(r, f->mode, i / 2 * 3);
   }
   struct vkc_job job = {SHADER_OF(f->shader),
                         .bindings = {{.buffer = &a}, {.buffer = &b}, {.buffer = &c}},
                         .binding_count = 3, .groups = {N / 64, 1, 1}};
   vkc_run(&r->vk, &job);
   static float want[N * 4];
   for (unsigned i = 0; i < N; i++) {
      float_on_cpu((float *)a.map + i, (float *)b.map + i, f->mode, want + i * 4);
      for (unsigned k = 0; k < 3; k++) /* any NaN is as good as another */
         if (isnan(want[i * 4 + k]) && isnan(((float *)c.map)[i * 4 + k]))
            want[i * 4 + k] = ((float *)c.map)[i * 4 + k];
   }
   bool ok = same_words(r, c.map, want, N * 4);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &b);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

static void
matrix_on_cpu(const float *a, const float *b, unsigned i, uint32_t *w)
{
   unsigned j = (i + 1) & 1023, k = (i + 2) & 1023;
   float m[3][3] = {{a[i], b[i], 1}, {2, a[j], b[j]}, {3, -1, a[k]}}, x[3] = {b[i], a[i], 2}, v[3],
         e01 = 0, e22 = 0;
   for (unsigned row = 0; row < 3; row++) {
      v[row] = m[0][row] * x[0] + m[1][row] * x[1] + m[2][row] * x[2];
      w[row] = float_bits(v[row]);
      e01 += m[1][row] * m[0][row];
      e22 += m[2][row] * m[2][row];
   }
   w[3] = float_bits(m[0][0] * m[1][1] - m[1][0] * m[0][1]);
   w[4] = float_bits(e01 + e22);
   w[5] = float_bits(m[0][0] * 3 - m[0][1] + m[0][2] * m[2][2]);
   w[6] = float_bits(m[0][2] * m[1][0] - m[0][0] * m[1][2]);
   bool less[3] = {m[0][0] < m[1][0], m[0][1] < m[1][1], m[0][2] < m[1][2]};
   w[7] = (uint32_t)less[0] | (uint32_t)(less[0] || less[1] || less[2]) << 1 |
          (uint32_t)(less[0] && less[1] && less[2]) << 2;
   w[8] = float_bits(a[i] * b[i] + b[i] * b[i] + 3 * b[i]);
   w[9] = float_bits(rintf(a[i] * 0.5f)) ^ float_bits(b[i] > 0 ? 1.0f : b[i] < 0 ? -1.0f : 0.0f);
   w[10] = float_bits(b[i] * 0.25f - floorf(b[i] * 0.25f) + (b[i] < a[i] ? 0.0f : 1.0f));
   int e;
   w[11] = float_bits(frexpf(a[i] + 0.5f, &e));
   w[12] = (uint32_t)e;
   w[13] = float_bits(ldexpf(b[i], (int)(i % 20) - 10));
   w[14] = (uint32_t)(a[i] > 0 ? a[i] : 0) | (uint32_t)(b[i] > 0 ? b[i] : 0) << 8 | 1u << 24;
   w[15] = float_bits((a[i] < b[i] ? b[i] : a[i]) + fminf(fmaxf(a[i], -3), 5));
}

/* Vectors and matrices of small whole numbers: every order of the sums gives the same. */
static bool
matrix(struct run *r)
{
   enum { N = 1024 };
   struct vkc_buffer a = vkc_buffer(&r->vk, N * 4, 0), b = vkc_buffer(&r->vk, N * 4, 0);
   struct vkc_buffer c = vkc_buffer(&r->vk, N * 64, 0);
   for (unsigned i = 0; i < N; i++) {
      ((float *)a.map)[i] = (float)(next_random(r) % 201) - 100;
      ((float *)b.map)[i] = (float)(next_random(r) % 201) - 100;
   }
   struct vkc_job job = {SPIRV(matrix),
                         .bindings = {{.buffer = &a}, {.buffer = &b}, {.buffer = &c}},
                         .binding_count = 3, .groups = {N / 64, 1, 1}};
   vkc_run(&r->vk, &job);
   keep(r, c.map, c.size);
   static uint32_t want[N * 16];
   for (unsigned i = 0; i < N; i++)
      matrix_on_cpu(a.map, b.map, i, want + i * 16);
   bool ok = same_words(r, c.map, want, N * 16);
   vkc_buffer_free(&r->vk, &a);
   vkc_buffer_free(&r->vk, &b);
   vkc_buffer_free(&r->vk, &c);
   return ok;
}

#define MODE(name, mode)                                                                           \
   {                                                                                               \
      {float_mode_##name##_spv, sizeof(float_mode_##name##_spv)}, mode                             \
   }

static const struct float_case rtz = MODE(rtz, RTZ), flush = MODE(flush, FLUSH),
                               nans = MODE(nan, NANS);

const struct test_case robust_cases[] = {
    {"out_of_bounds", out_of_bounds, false},
    {"round_to_zero", float_mode, false, &rtz},
    {"denormals_flushed", float_mode, false, &flush},
    {"infinities_and_nans", float_mode, false, &nans},
    {"vectors_and_matrices", matrix, true},
    {0},
};
