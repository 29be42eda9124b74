#include "cases.h"
#include "half.h"

#include "convert.h"
#include "double_ops.h"
#include "float_bound.h"
#include "float_exact.h"
#include "int64.h"
#include "int_ops.h"
#include "vadd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1024u

const struct shader vadd_shader = {vadd_spv, sizeof(vadd_spv)};

/* Two inputs, one output: the shape of every case in this file. */
struct binary {
   struct vkc_buffer a, b, c;
};

static struct binary
binary_open(struct run *r, size_t in_bytes, size_t out_bytes)
{
   return (struct binary){vkc_buffer(&r->vk, in_bytes, 0), vkc_buffer(&r->vk, in_bytes, 0),
                          vkc_buffer(&r->vk, out_bytes, 0)};
}

static void
binary_run(struct run *r, struct binary *x, const uint32_t *spirv, size_t size)
{
   struct vkc_job job = {.spirv = spirv,
                         .spirv_size = size,
                         .bindings = {{.buffer = &x->a}, {.buffer = &x->b}, {.buffer = &x->c}},
                         .binding_count = 3,
                         .groups = {N / 64, 1, 1}};
   vkc_run(&r->vk, &job);
   keep(r, x->c.map, x->c.size);
}

static bool
binary_close(struct run *r, struct binary *x, const void *want)
{
   bool ok = !want || same_words(r, x->c.map, want, x->c.size / 4);
   vkc_buffer_free(&r->vk, &x->a);
   vkc_buffer_free(&r->vk, &x->b);
   vkc_buffer_free(&r->vk, &x->c);
   return ok;
}

static void
random_words(struct run *r, struct vkc_buffer *b)
{
   for (size_t i = 0; i < b->size / 4; i++)
      ((uint32_t *)b->map)[i] = next_random(r) >> (next_random(r) & 31 & -(i & 1));
}

static bool
vadd(struct run *r)
{
   struct binary x = binary_open(r, N * 4, N * 4);
   random_words(r, &x.a);
   random_words(r, &x.b);
   binary_run(r, &x, vadd_spv, sizeof(vadd_spv));
   uint32_t want[N];
   for (unsigned i = 0; i < N; i++)
      want[i] = ((uint32_t *)x.a.map)[i] + ((uint32_t *)x.b.map)[i];
   return binary_close(r, &x, want);
}

static bool
float_exact(struct run *r)
{
   struct binary x = binary_open(r, N * 4, N * 48);
   float *a = x.a.map, *b = x.b.map;
   static float want[N * 12];
   for (unsigned i = 0; i < N; i++) {
      a[i] = random_float(r, -100.0f, 100.0f) * (i % 3 ? 1.0f : 0.01f);
      b[i] = i % 7 ? random_float(r, -10.0f, 10.0f) : a[i];
   }
   binary_run(r, &x, float_exact_spv, sizeof(float_exact_spv));
   for (unsigned i = 0; i < N; i++) {
      float p = a[i], q = b[i], *w = want + i * 12;
      w[0] = p + q;
      w[1] = p - q;
      w[2] = p * q;
      w[3] = q < p ? q : p;
      w[4] = p < q ? q : p;
      w[5] = floorf(p);
      w[6] = ceilf(q);
      w[7] = truncf(p);
      w[8] = fabsf(p);
      w[9] = -q;
      w[10] = fminf(fmaxf(p, 0.0f), 1.0f);
      w[11] = p < q ? p : p == q ? 1.0f : q;
   }
   return binary_close(r, &x, want);
}

/* The bounds are Vulkan's "Precision and Operation of SPIR-V Instructions". */
static bool
float_bound(struct run *r)
{
   static const double ulp = 1.0 / 8388608.0;
   static const double relative[8] = {2.5 * ulp, 4 * ulp, 2 * ulp, 8 * ulp, 3 * ulp, 0, 0, 1e-5};
   static const double absolute[8] = {0, 0, 0, 0, 1.0 / 2097152, 1.0 / 2048, 1.0 / 2048, 0};
   struct binary x = binary_open(r, N * 4, N * 32);
   float *a = x.a.map, *b = x.b.map;
   static double want[N * 8];
   for (unsigned i = 0; i < N; i++) {
      a[i] = random_float(r, 0.01f, 1000.0f);
      b[i] = random_float(r, -3.1f, 3.1f);
      if (fabsf(b[i]) < 0.001f)
         b[i] = 0.5f;
   }
   binary_run(r, &x, float_bound_spv, sizeof(float_bound_spv));
   for (unsigned i = 0; i < N; i++) {
      double p = a[i], q = b[i], *w = want + i * 8;
      w[0] = p / q;
      w[1] = sqrt(p);
      w[2] = 1.0 / sqrt(p);
      w[3] = exp2((float)(b[i] * 0.25f));
      w[4] = log2(p);
      w[5] = sin(q);
      w[6] = cos(q);
      w[7] = pow(p, (float)(b[i] * 0.1f));
   }
   bool ok = near_floats(r, x.c.map, want, relative, absolute, N * 8, 8);
   binary_close(r, &x, NULL);
   return ok;
}

static int
highest_bit(uint32_t v)
{
   return v ? 31 - __builtin_clz(v) : -1;
}

static uint32_t
reverse(uint32_t v)
{
   uint32_t out = 0;
   for (int i = 0; i < 32; i++)
      out |= (v >> i & 1u) << (31 - i);
   return out;
}

static bool
int_ops(struct run *r)
{
   struct binary x = binary_open(r, N * 4, N * 96);
   random_words(r, &x.a);
   random_words(r, &x.b);
   binary_run(r, &x, int_ops_spv, sizeof(int_ops_spv));
   static uint32_t want[N * 24];
   for (unsigned i = 0; i < N; i++) {
      uint32_t u = ((uint32_t *)x.a.map)[i], v = ((uint32_t *)x.b.map)[i], *w = want + i * 24;
      int32_t p = (int32_t)u, q = (int32_t)v;
      unsigned sh = v & 31;
      w[0] = u + v;
      w[1] = u - v;
      w[2] = u * v;
      w[3] = (uint32_t)((int64_t)p / (q | 1));
      w[4] = u / (v | 1);
      w[5] = u % (v | 1);
      w[6] = u << sh;
      w[7] = (uint32_t)(p >> sh);
      w[8] = u >> sh;
      w[9] = (uint32_t)((uint64_t)u * v >> 32);
      w[10] = (uint32_t)((int64_t)p * q >> 32);
      w[11] = u & v;
      w[12] = u | ~v;
      w[13] = u ^ v;
      w[14] = (uint32_t)__builtin_popcount(u);
      w[15] = (uint32_t)highest_bit(p < 0 ? ~u : u);
      w[16] = v ? (uint32_t)__builtin_ctz(v) : ~0u;
      w[17] = reverse(u);
      w[18] = (uint32_t)((int32_t)(u << 18) >> 23);
      w[19] = (u & ~(0x7ffu << 7)) | (v & 0x7ffu) << 7;
      w[20] = u + v + 3u * (u + v < u);
      w[21] = u - v + 3u * (u < v);
      w[22] = (uint32_t)((p < q ? p : q) ^ (p < q ? q : p)) ^ (u < v ? u : v);
      w[23] = (p < 0 ? 0u - u : u) + (q > 0 ? 1u : q < 0 ? ~0u : 0u);
   }
   return binary_close(r, &x, want);
}

static bool
double_ops(struct run *r)
{
   if (!r->vk.features.shaderFloat64)
      return skip(r, "the driver has no shaderFloat64");
   struct binary x = binary_open(r, N * 8, N * 48);
   double *a = x.a.map, *b = x.b.map;
   for (unsigned i = 0; i < N; i++) {
      a[i] = random_float(r, -1e6f, 1e6f) * 1.0000000123;
      b[i] = random_float(r, -1e4f, 1e4f) / 3.0;
   }
   binary_run(r, &x, double_ops_spv, sizeof(double_ops_spv));
   static double want[N * 6];
   for (unsigned i = 0; i < N; i++) {
      double p = a[i], q = b[i], *w = want + i * 6;
      w[0] = p + q;
      w[1] = p - q;
      w[2] = p * q;
      w[3] = q < p ? q : p;
      w[4] = (double)(int)q + (double)(float)p;
      w[5] = p < q ? p : q * 2.0;
   }
   return binary_close(r, &x, want);
}

static bool
convert(struct run *r)
{
   struct binary x = binary_open(r, N * 4, N * 32);
   float *a = x.a.map;
   random_words(r, &x.b);
   for (unsigned i = 0; i < N; i++)
      a[i] = random_float(r, -30000.0f, 30000.0f) * (i & 1 ? 1.0f : 0.001f);
   binary_run(r, &x, convert_spv, sizeof(convert_spv));
   static uint32_t want[N * 8];
   for (unsigned i = 0; i < N; i++) {
      uint32_t n = ((uint32_t *)x.b.map)[i], *w = want + i * 8;
      w[0] = (uint32_t)(int32_t)a[i];
      w[1] = float_bits((float)(int32_t)n);
      w[2] = float_bits((float)n);
      w[3] = (uint32_t)to_half(a[i]) | (uint32_t)to_half(a[i] * 0.5f) << 16;
      w[4] = float_bits(from_half((uint16_t)(n & 0x7bff)));
      w[5] = float_bits(from_half((uint16_t)(n >> 16 & 0x7bff)));
      w[6] = (uint32_t)(int32_t)(int16_t)n + (n >> 24);
      w[7] = (uint32_t)(a[i] < 0.0f) | (uint32_t)((int32_t)n > 0) << 1;
   }
   return binary_close(r, &x, want);
}

static bool
int64(struct run *r)
{
   if (!r->vk.features.shaderInt64)
      return skip(r, "the driver has no shaderInt64");
   struct binary x = binary_open(r, N * 8, N * 48);
   random_words(r, &x.a);
   random_words(r, &x.b);
   binary_run(r, &x, int64_spv, sizeof(int64_spv));
   static uint64_t want[N * 6];
   for (unsigned i = 0; i < N; i++) {
      uint64_t p = ((uint64_t *)x.a.map)[i], q = ((uint64_t *)x.b.map)[i], *w = want + i * 6;
      w[0] = p + q;
      w[1] = p - q;
      w[2] = p * q;
      w[3] = p << (q & 63);
      w[4] = p >> (q & 63);
      w[5] = p < q ? p ^ q : p & q;
   }
   return binary_close(r, &x, want);
}

const struct test_case arithmetic_cases[] = {
    {"vadd", vadd, true},
    {"float_exact", float_exact, true},
    {"float_bound", float_bound, false},
    {"int_ops", int_ops, true},
    {"double_ops", double_ops, true},
    {"convert", convert, true},
    {"int64", int64, true},
    {0},
};
