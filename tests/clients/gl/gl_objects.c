/* What a shader works on besides plain buffers: images, textures, counters, blocks; and what orders
 * the work. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 60, ROWS = 40 }; /* neither groups nor tiles fit evenly */

static GLuint
texture(struct glc *g, GLenum target, GLenum format, unsigned depth)
{
   GLuint t;
   g->GenTextures(1, &t);
   g->BindTexture(target, t);
   if (target == GL_TEXTURE_2D)
      g->TexStorage2D(target, 1, format, SIDE, ROWS);
   else
      g->TexStorage3D(target, 1, format, SIDE / 2, ROWS / 2, (GLsizei)depth);
   g->TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   g->TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   return t;
}

static GLuint
zero_buffer(struct glc *g, GLenum target, unsigned words)
{
   static const uint32_t zeros[GL_WORDS];
   return glc_buffer(g, target, zeros, words * 4);
}

static void
dispatch(struct glc *g, const char *source, unsigned x, unsigned y, unsigned z)
{
   GLuint program = glc_program(g, source);
   g->UseProgram(program);
   g->DispatchCompute(x, y, z);
   g->MemoryBarrier(GL_ALL_BARRIER_BITS);
   g->DeleteProgram(program);
}

/* ---- images ---------------------------------------------------------------------------------- */

struct image_kind {
   const char *name, *layout, *image, *vector;
   GLenum format;
   unsigned scale;   /* the code that 1.0 has, or 1 */
   unsigned bits[2]; /* of the first two channels; 0: there is none */
};

static uint32_t
channel(const struct image_kind *k, unsigned x, unsigned y, unsigned c)
{
   uint32_t h = x * 7 + y * 131;
   return k->bits[c] ? (h * (2 * c + 1) + c) & ((1u << k->bits[c]) - 1) : 0;
}

/* One shader writes every texel, another one reads them. */
static bool
image(struct glc *g, uint32_t *got, const void *data)
{
   const struct image_kind *k = data;
   char source[1024];
   GLuint t = texture(g, GL_TEXTURE_2D, k->format, 1),
          b = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, SIDE * ROWS);
   g->BindImageTexture(0, t, 0, GL_FALSE, 0, GL_READ_WRITE, k->format);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
   snprintf(
       source, sizeof(source),
       "layout(local_size_x = 8, local_size_y = 8) in;\nlayout(%s, binding = 0) writeonly uniform "
       "%s img;\n"
       "void main() { uvec2 p = gl_GlobalInvocationID.xy; if (p.x >= %uu || p.y >= %uu) return;\n"
       "uint h = p.x * 7u + p.y * 131u; imageStore(img, ivec2(p), %s(uvec4(h & %uu, (h * 3u + 1u) "
       "& %uu, 0u, 0u)) / %s(%u)); }\n",
       k->layout, k->image, SIDE, ROWS, k->vector, (1u << k->bits[0]) - 1, (1u << k->bits[1]) - 1,
       k->vector, k->scale);
   dispatch(g, source, (SIDE + 7) / 8, ROWS / 8, 1);
   snprintf(source, sizeof(source),
            "layout(local_size_x = 4, local_size_y = 4) in;\nlayout(%s, binding = 0) readonly "
            "uniform %s img;\n"
            "layout(std430, binding = 0) buffer C { uint c[]; };\n"
            "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy), s = imageSize(img);\n"
            "uvec4 v = uvec4(imageLoad(img, p)%s);\n"
            "if (p.x < s.x && p.y < s.y) c[p.y * s.x + p.x] = v.x | v.y << 16; }\n",
            k->layout, k->image,
            k->scale == 1     ? ""
            : k->scale == 255 ? " * 255.0 + 0.25"
                              : " * 65535.0 + 0.25");
   dispatch(g, source, (SIDE + 3) / 4, ROWS / 4, 1);
   glc_read(g, b, got, SIDE * ROWS * 4);
   uint32_t want[SIDE * ROWS];
   for (unsigned i = 0; i < SIDE * ROWS; i++)
      want[i] = channel(k, i % SIDE, i / SIDE, 0) | channel(k, i % SIDE, i / SIDE, 1) << 16;
   g->DeleteTextures(1, &t);
   g->DeleteBuffers(1, &b);
   return gl_same(k->name, got, want, SIDE * ROWS);
}

/* Volumes and arrays. */
static bool
deep_image(struct glc *g, uint32_t *got, const void *data)
{
   bool array = *(const bool *)data;
   enum { W = SIDE / 2, H = ROWS / 2, D = 6 };
   GLenum target = array ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_3D;
   GLuint t = texture(g, target, GL_R32UI, D),
          b = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, W * H * D);
   char source[1024];
   g->BindImageTexture(0, t, 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32UI);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
   for (unsigned pass = 0; pass < 2; pass++) {
      snprintf(source, sizeof(source),
               "layout(local_size_x = 2, local_size_y = 2, local_size_z = 3) in;\n"
               "layout(r32ui, binding = 0) uniform %s img;\nlayout(std430, binding = 0) buffer C { "
               "uint c[]; };\n"
               "void main() { uvec3 p = gl_GlobalInvocationID, s = uvec3(imageSize(img)); %s; }\n",
               array ? "uimage2DArray" : "uimage3D",
               pass ? "c[(p.z * s.y + p.y) * s.x + p.x] = imageLoad(img, ivec3(p)).x"
                    : "imageStore(img, ivec3(p), uvec4(p.x | p.y << 8 | p.z << 16 | s.z << 24))");
      dispatch(g, source, W / 2, H / 2, D / 3);
   }
   glc_read(g, b, got, W * H * D * 4);
   uint32_t want[W * H * D];
   for (unsigned i = 0; i < W * H * D; i++)
      want[i] = i % W | i / W % H << 8 | i / (W * H) << 16 | (uint32_t)D << 24;
   g->DeleteTextures(1, &t);
   g->DeleteBuffers(1, &b);
   return gl_same(array ? "image_array" : "image_volume", got, want, W * H * D);
}

/* Many invocations meet in a few texels. */
static bool
image_atomics(struct glc *g, uint32_t *got, const void *data)
{
   (void)data;
   GLuint t = texture(g, GL_TEXTURE_2D, GL_R32UI, 1),
          b = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, 64);
   g->BindImageTexture(0, t, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
   dispatch(g,
            "layout(local_size_x = 8) in;\nlayout(r32ui, binding = 0) uniform uimage2D img;\n"
            "void main() { imageStore(img, ivec2(gl_GlobalInvocationID.x, 30), "
            "uvec4(gl_GlobalInvocationID.x == 3u ? ~0u : 0u)); }\n",
            1, 1, 1);
   dispatch(
       g,
       "layout(local_size_x = 64) in;\nlayout(r32ui, binding = 0) uniform uimage2D img;\n"
       "void main() { uint i = gl_GlobalInvocationID.x, v = i * 2654435761u;\n"
       "imageAtomicAdd(img, ivec2(0, 30), v); imageAtomicMax(img, ivec2(1, 30), v); "
       "imageAtomicXor(img, ivec2(2, 30), v);\n"
       "imageAtomicMin(img, ivec2(3, 30), v | 5u); imageAtomicOr(img, ivec2(4, 30), v & 0x0ff0u);\n"
       "if (i == 77u) imageAtomicExchange(img, ivec2(5, 30), v);\n"
       "imageAtomicCompSwap(img, ivec2(6, 30), 0u, 99u); imageAtomicAnd(img, ivec2(7, 30), v); }\n",
       32, 1, 1);
   dispatch(g,
            "layout(local_size_x = 8) in;\nlayout(r32ui, binding = 0) uniform uimage2D img;\n"
            "layout(std430, binding = 0) buffer C { uint c[]; };\n"
            "void main() { c[gl_LocalInvocationIndex] = imageLoad(img, "
            "ivec2(gl_LocalInvocationIndex, 30)).x; }\n",
            1, 1, 1);
   glc_read(g, b, got, 32);
   uint32_t want[8] = {0, 0, 0, ~0u, 0, 77 * 2654435761u, 99, 0};
   for (uint32_t i = 0; i < 2048; i++) {
      uint32_t v = i * 2654435761u;
      want[0] += v;
      want[1] = v > want[1] ? v : want[1];
      want[2] ^= v;
      want[3] = (v | 5) < want[3] ? v | 5 : want[3];
      want[4] |= v & 0x0ff0;
   }
   g->DeleteTextures(1, &t);
   g->DeleteBuffers(1, &b);
   return gl_same("image_atomics", got, want, 8);
}

/* A texture that the CPU fills, in the driver's tiling; shaders fetch texels of it and load it as
 * an image. */
static bool
uploaded_texture(struct glc *g, uint32_t *got, const void *data)
{
   (void)data;
   static uint32_t texels[SIDE * ROWS], want[SIDE * ROWS];
   uint32_t seed = 77;
   for (unsigned i = 0; i < SIDE * ROWS; i++)
      texels[i] = gl_random(&seed);
   GLuint t = texture(g, GL_TEXTURE_2D, GL_R32UI, 1),
          b = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, SIDE * ROWS);
   g->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, ROWS, GL_RED_INTEGER, GL_UNSIGNED_INT, texels);
   g->BindImageTexture(0, t, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32UI);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
   dispatch(g,
            "layout(local_size_x = 4, local_size_y = 8) in;\nlayout(r32ui, binding = 0) readonly "
            "uniform uimage2D img;\n"
            "layout(binding = 0) uniform usampler2D tex;\nlayout(std430, binding = 0) buffer C { "
            "uint c[]; };\n"
            "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy), s = textureSize(tex, 0);\n"
            "c[p.y * s.x + p.x] = texelFetch(tex, p, 0).x * 3u + imageLoad(img, s - 1 - p).x; }\n",
            SIDE / 4, ROWS / 8, 1);
   glc_read(g, b, got, SIDE * ROWS * 4);
   for (unsigned i = 0; i < SIDE * ROWS; i++)
      want[i] = texels[i] * 3 + texels[SIDE * ROWS - 1 - i];
   g->DeleteTextures(1, &t);
   g->DeleteBuffers(1, &b);
   return gl_same("uploaded_texture", got, want, SIDE * ROWS);
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* Two counters at offsets; what they gave is each number once. */
static bool
atomic_counters(struct glc *g, uint32_t *got, const void *data)
{
   (void)data;
   uint32_t start[4] = {0, 5, 9000, 1}, end[4];
   GLuint c = glc_buffer(g, GL_ATOMIC_COUNTER_BUFFER, start, 16),
          b = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, 2048);
   g->BindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, c);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
   dispatch(
       g,
       "layout(local_size_x = 64) in;\nlayout(binding = 0, offset = 4) uniform atomic_uint up;\n"
       "layout(binding = 0, offset = 8) uniform atomic_uint down;\nlayout(std430, binding = 0) "
       "buffer C { uint c[]; };\n"
       "void main() { c[atomicCounterIncrement(up) - 5u] = gl_WorkGroupID.x + 1u - "
       "gl_WorkGroupID.x;\n"
       "if ((gl_LocalInvocationIndex & 1u) == 0u) c[1024u + (9000u - 1u - "
       "atomicCounterDecrement(down))] = 2u;\n"
       "if (atomicCounter(up) == 0u) c[2047] = 7u; }\n",
       16, 1, 1);
   glc_read(g, b, got, 2048 * 4);
   glc_read(g, c, end, 16);
   static uint32_t want[2048];
   for (unsigned i = 0; i < 2048; i++)
      want[i] = i < 1024 ? 1 : i < 1024 + 512 ? 2 : 0;
   static const uint32_t counted[4] = {0, 5 + 1024, 9000 - 512, 1};
   g->DeleteBuffers(1, &b);
   g->DeleteBuffers(1, &c);
   return gl_same("atomic_counters", got, want, 2048) && gl_same("the counters", end, counted, 4);
}

/* A uniform block at an offset, indexed by data; buffers at offsets; unsized length. */
static bool
blocks(struct glc *g, uint32_t *got, const void *data)
{
   (void)data;
   enum { N = 512 };
   static uint32_t table[1024], in[1024], want[N];
   uint32_t seed = 5;
   for (unsigned i = 0; i < 1024; i++) {
      table[i] = gl_random(&seed);
      in[i] = gl_random(&seed);
   }
   GLuint u = glc_buffer(g, GL_UNIFORM_BUFFER, table, sizeof(table));
   GLuint a = glc_buffer(g, GL_SHADER_STORAGE_BUFFER, in, sizeof(in)),
          b = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, N);
   g->BindBufferRange(GL_UNIFORM_BUFFER, 0, u, 1024, 1024);
   g->BindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, a, 2048, N * 4);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, b);
   dispatch(
       g,
       "layout(local_size_x = 32) in;\nlayout(std140, binding = 0) uniform U { uvec4 u[64]; };\n"
       "layout(std430, binding = 0) buffer A { uint a[]; };\nlayout(std430, binding = 1) buffer C "
       "{ uint c[]; };\n"
       "void main() { uint i = gl_GlobalInvocationID.x, v = a[i];\n"
       "c[i] = u[v & 63u][(v >> 8) & 3u] + u[5].z + uint(a.length()); }\n",
       N / 32, 1, 1);
   glc_read(g, b, got, N * 4);
   for (unsigned i = 0; i < N; i++) {
      uint32_t v = in[512 + i];
      want[i] = table[256 + (v & 63) * 4 + (v >> 8 & 3)] + table[256 + 22] + N;
   }
   g->DeleteBuffers(1, &u);
   g->DeleteBuffers(1, &a);
   g->DeleteBuffers(1, &b);
   return gl_same("blocks", got, want, N);
}

/* A shader makes the arguments of the next dispatch, at an offset of the same buffer; and one of no
 * groups. */
static bool
chained_indirect(struct glc *g, uint32_t *got, const void *data)
{
   (void)data;
   GLuint args = zero_buffer(g, GL_DISPATCH_INDIRECT_BUFFER, 32),
          b = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, 1024);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, args);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, b);
   dispatch(g,
            "layout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer A { uint a[]; };\n"
            "void main() { a[4] = 3u; a[5] = 2u; a[6] = 4u; a[8] = 3u; a[9] = 0u; a[10] = 4u; }\n",
            1, 1, 1);
   GLuint program = glc_program(
       g, "layout(local_size_x = 8) in;\nlayout(std430, binding = 1) buffer C { uint c[]; };\n"
          "void main() { uvec3 g = gl_WorkGroupID, n = gl_NumWorkGroups;\n"
          "atomicAdd(c[((g.z * n.y + g.y) * n.x + g.x) * 8u + gl_LocalInvocationIndex], 1u + n.x + "
          "n.y * 10u + n.z * 100u); }\n");
   g->UseProgram(program);
   g->DispatchComputeIndirect(16);
   g->DispatchComputeIndirect(32);
   g->MemoryBarrier(GL_ALL_BARRIER_BITS);
   g->DeleteProgram(program);
   glc_read(g, b, got, 1024 * 4);
   static uint32_t want[1024];
   for (unsigned i = 0; i < 1024; i++)
      want[i] = i < 3 * 2 * 4 * 8 ? 1 + 3 + 20 + 400 : 0;
   g->DeleteBuffers(1, &args);
   g->DeleteBuffers(1, &b);
   return gl_same("chained_indirect", got, want, 1024);
}

/* 1024 invocations with all of the shared memory that the API promises. */
static bool
big_group(struct glc *g, uint32_t *got, const void *data)
{
   (void)data;
   GLuint b = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, 4096);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
   dispatch(
       g,
       "layout(local_size_x = 16, local_size_y = 8, local_size_z = 8) in;\nshared uint s[8192];\n"
       "layout(std430, binding = 0) buffer C { uint c[]; };\n"
       "void main() { uint t = gl_LocalInvocationIndex, w = gl_WorkGroupID.x;\n"
       "for (uint k = 0u; k < 8u; k++) s[k * 1024u + t] = (k + 1u) * t + w;\n"
       "memoryBarrierShared(); barrier(); uint sum = 0u;\n"
       "for (uint k = 0u; k < 8u; k++) sum += s[k * 1024u + (t * 5u + k * 77u) % 1024u] << k;\n"
       "c[w * 1024u + t] = sum; }\n",
       4, 1, 1);
   glc_read(g, b, got, 4096 * 4);
   static uint32_t want[4096];
   for (uint32_t i = 0; i < 4096; i++) {
      want[i] = 0;
      for (uint32_t k = 0; k < 8; k++)
         want[i] += ((k + 1) * ((i % 1024 * 5 + k * 77) % 1024) + i / 1024) << k;
   }
   g->DeleteBuffers(1, &b);
   return gl_same("big_group", got, want, 4096);
}

/* Twelve buffers at once; each is its number times what is in it. */
static bool
many_buffers(struct glc *g, uint32_t *got, const void *data)
{
   (void)data;
   enum { N = 512, COUNT = 11 };
   static uint32_t in[COUNT][N], want[N];
   char source[2048] =
       "layout(local_size_x = 64) in;\nlayout(std430, binding = 11) buffer C { uint c[]; };\n";
   char sum[256] = "";
   GLuint b[COUNT + 1];
   uint32_t seed = 99;
   memset(want, 0, sizeof(want));
   for (unsigned k = 0; k < COUNT; k++) {
      for (unsigned i = 0; i < N; i++) {
         in[k][i] = gl_random(&seed);
         want[i] += in[k][i] * (k + 1);
      }
      b[k] = glc_buffer(g, GL_SHADER_STORAGE_BUFFER, in[k], sizeof(in[k]));
      g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, k, b[k]);
      size_t at = strlen(source), end = strlen(sum);
      snprintf(source + at, sizeof(source) - at,
               "layout(std430, binding = %u) buffer B%u { uint b%u[]; };\n", k, k, k);
      snprintf(sum + end, sizeof(sum) - end, " + b%u[i] * %uu", k, k + 1);
   }
   b[COUNT] = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, N);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, COUNT, b[COUNT]);
   size_t at = strlen(source);
   snprintf(source + at, sizeof(source) - at,
            "void main() { uint i = gl_GlobalInvocationID.x; c[i] = 0u%s; }\n", sum);
   dispatch(g, source, N / 64, 1, 1);
   glc_read(g, b[COUNT], got, N * 4);
   g->DeleteBuffers(COUNT + 1, b);
   return gl_same("many_buffers", got, want, N);
}

/* As many groups in a row as the API promises, and 20 of such rows; everybody counts in a
 * histogram. */
static bool
big_grid(struct glc *g, uint32_t *got, const void *data)
{
   (void)data;
   GLuint b = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, 1024);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
   dispatch(
       g,
       "layout(local_size_x = 8) in;\nlayout(std430, binding = 0) buffer C { uint c[]; };\n"
       "void main() { uvec3 w = gl_WorkGroupID; if (gl_LocalInvocationIndex == (w.x + w.y) % 8u)\n"
       "atomicAdd(c[(w.x * 5u + w.y * 31u) % 1024u], w.x ^ w.y); }\n",
       65535, 20, 1);
   glc_read(g, b, got, 1024 * 4);
   static uint32_t want[1024];
   memset(want, 0, sizeof(want));
   for (uint32_t y = 0; y < 20; y++)
      for (uint32_t x = 0; x < 65535; x++)
         want[(x * 5 + y * 31) % 1024] += x ^ y;
   g->DeleteBuffers(1, &b);
   return gl_same("big_grid", got, want, 1024);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* A fence after the work: when it is passed, a map that was there all the time shows the results.
 */
static bool
fence_and_persistent_map(struct glc *g, uint32_t *got, const void *data)
{
   (void)data;
   enum { N = 4096 };
   GLbitfield flags =
       GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
   GLuint b;
   g->GenBuffers(1, &b);
   g->BindBuffer(GL_SHADER_STORAGE_BUFFER, b);
   g->BufferStorage(GL_SHADER_STORAGE_BUFFER, N * 4, NULL, flags);
   uint32_t *map = g->MapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, N * 4, flags), want[N];
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
   for (uint32_t i = 0; i < N; i++)
      map[i] = want[i] = i * i;
   GLuint program = glc_program(
       g, "layout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer C { uint c[]; };\n"
          "void main() { uint i = gl_GlobalInvocationID.x; c[i] = c[i] * 5u + i; }\n");
   g->UseProgram(program);
   for (unsigned k = 0; k < 12; k++) {
      g->DispatchCompute(N / 64, 1, 1);
      g->MemoryBarrier(GL_ALL_BARRIER_BITS);
      for (uint32_t i = 0; i < N; i++)
         want[i] = want[i] * 5 + i;
   }
   GLsync s = g->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   GLenum r = g->ClientWaitSync(s, GL_SYNC_FLUSH_COMMANDS_BIT, UINT64_C(60000000000));
   bool ok = r == GL_CONDITION_SATISFIED || r == GL_ALREADY_SIGNALED;
   memcpy(got, map, N * 4);
   ok = ok && gl_same("fence_and_persistent_map", got, want, N);
   g->DeleteSync(s);
   g->UnmapBuffer(GL_SHADER_STORAGE_BUFFER);
   g->DeleteProgram(program);
   g->DeleteBuffers(1, &b);
   return ok;
}

/* Parts of a buffer and of a texture are replaced between dispatches: while the device is idle, or
 * while it still needs the old ones, when the driver copies by drawing. */
static bool
uploads(struct glc *g, uint32_t *got, const void *data)
{
   bool idle = *(const bool *)data;
   enum { N = SIDE * ROWS };
   static uint32_t in[N], want[N];
   GLuint a = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, N),
          c = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, N);
   GLuint t = texture(g, GL_TEXTURE_2D, GL_R32UI, 1);
   memset(in, 0, sizeof(in));
   g->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, ROWS, GL_RED_INTEGER, GL_UNSIGNED_INT, in);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, a);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, c);
   memset(want, 0, sizeof(want));
   for (uint32_t round = 0; round < 4; round++) {
      unsigned first = round * 9; /* rows */
      for (uint32_t i = 0; i < N; i++)
         in[i] = i >= first * SIDE && i < (first + 10) * SIDE ? round * 100000 + i : in[i];
      if (idle)
         g->Finish();
      g->BindBuffer(GL_SHADER_STORAGE_BUFFER, a);
      g->BufferSubData(GL_SHADER_STORAGE_BUFFER, first * SIDE * 4, SIDE * 10 * 4,
                       in + first * SIDE);
      g->BindTexture(GL_TEXTURE_2D, t);
      g->TexSubImage2D(GL_TEXTURE_2D, 0, 0, (GLint)first, SIDE, 10, GL_RED_INTEGER, GL_UNSIGNED_INT,
                       in + first * SIDE);
      dispatch(g,
               "layout(local_size_x = 60) in;\nlayout(binding = 0) uniform usampler2D tex;\n"
               "layout(std430, binding = 0) buffer A { uint a[]; };\nlayout(std430, binding = 1) "
               "buffer C { uint c[]; };\n"
               "void main() { uvec2 p = uvec2(gl_LocalInvocationIndex, gl_WorkGroupID.x); uint i = "
               "p.y * 60u + p.x;\n"
               "c[i] = c[i] * 5u + a[i] * 3u + texelFetch(tex, ivec2(p), 0).x; }\n",
               ROWS, 1, 1);
      for (uint32_t i = 0; i < N; i++)
         want[i] = want[i] * 5 + in[i] * 4;
   }
   glc_read(g, c, got, N * 4);
   g->DeleteTextures(1, &t);
   g->DeleteBuffers(1, &a);
   g->DeleteBuffers(1, &c);
   return gl_same("uploads", got, want, N);
}

/* From buffer to buffer, between dispatches. */
static bool
buffer_copies(struct glc *g, uint32_t *got, const void *data)
{
   (void)data;
   enum { N = 4096 };
   static uint32_t want[N];
   GLuint a = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, N),
          c = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, N);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, a);
   g->BindBuffer(GL_COPY_READ_BUFFER, a);
   g->BindBuffer(GL_COPY_WRITE_BUFFER, c);
   for (unsigned round = 0; round < 3; round++) {
      dispatch(
          g,
          "layout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer A { uint a[]; };\n"
          "void main() { uint i = gl_GlobalInvocationID.x; a[i] = a[i] * 7u + i + 1u; }\n",
          N / 64, 1, 1);
      g->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
      g->CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 4 * (100 + round),
                           4 * (7 + 1000 * round), 4 * 1003);
   }
   uint32_t value[N] = {0};
   for (unsigned round = 0; round < 3; round++) {
      for (uint32_t i = 0; i < N; i++)
         value[i] = value[i] * 7 + i + 1;
      memcpy(want + 7 + 1000 * round, value + 100 + round, 4 * 1003);
   }
   glc_read(g, c, got, N * 4);
   g->DeleteBuffers(1, &a);
   g->DeleteBuffers(1, &c);
   return gl_same("buffer_copies", got, want, N);
}

/* Time passes as the device works. */
static bool
timestamps(struct glc *g, uint32_t *got, const void *data)
{
   (void)got;
   (void)data;
   GLuint q[3], b = zero_buffer(g, GL_SHADER_STORAGE_BUFFER, 4096);
   g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
   g->GenQueries(3, q);
   for (unsigned k = 0; k < 3; k++) {
      g->QueryCounter(q[k], GL_TIMESTAMP);
      g->Finish(); /* crocus has one batch for drawing and queries, another one for compute */
      dispatch(
          g,
          "layout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer C { uint c[]; };\n"
          "void main() { uint i = gl_GlobalInvocationID.x & 4095u; for (uint k = 0u; k < 50u; k++) "
          "c[i] = c[i] * 3u + k; }\n",
          k ? 64 : 6400, 1, 1);
      g->Finish();
   }
   GLuint64 t[3];
   for (unsigned k = 0; k < 3; k++)
      g->GetQueryObjectui64v(q[k], GL_QUERY_RESULT, &t[k]);
   bool model = strstr(g->renderer, "Intel") !=
                NULL; /* a software driver's time is the host's, compiler and all */
   bool ok = t[0] < t[1] && t[1] < t[2] &&
             (!model || t[1] - t[0] > 3 * (t[2] - t[1])); /* a hundred times the work */
   if (!ok)
      printf("# timestamps: %llu, %llu, %llu\n", (unsigned long long)t[0], (unsigned long long)t[1],
             (unsigned long long)t[2]);
   g->DeleteQueries(3, q);
   g->DeleteBuffers(1, &b);
   return ok;
}

static const struct image_kind
    r32ui = {"image_r32ui", "r32ui", "uimage2D", "uvec4", GL_R32UI, 1, {16, 0}},
    r32f = {"image_r32f", "r32f", "image2D", "vec4", GL_R32F, 1, {16, 0}},
    rgba8 = {"image_rgba8", "rgba8", "image2D", "vec4", GL_RGBA8, 255, {8, 8}},
    rgba8ui = {"image_rgba8ui", "rgba8ui", "uimage2D", "uvec4", GL_RGBA8UI, 1, {8, 8}},
    rgba16f = {"image_rgba16f", "rgba16f", "image2D", "vec4", GL_RGBA16F, 1, {11, 11}},
    rgba32f = {"image_rgba32f", "rgba32f", "image2D", "vec4", GL_RGBA32F, 1, {16, 16}},
    rgba16ui = {"image_rgba16ui", "rgba16ui", "uimage2D", "uvec4", GL_RGBA16UI, 1, {16, 16}},
    rg16 = {"image_rg16", "rg16", "image2D", "vec4", GL_RG16, 65535, {16, 16}},
    r8ui = {"image_r8ui", "r8ui", "uimage2D", "uvec4", GL_R8UI, 1, {8, 0}};
static const bool is_array = true, is_volume = false, is_idle = true, is_busy = false;

#define CASE(n, w, f, ...)                                                                         \
   {                                                                                               \
      .name = n, .words = w, .fn = f, __VA_ARGS__                                                  \
   }

const struct gl_case gl_object_cases[] = {
    CASE("image_r32ui", SIDE *ROWS, image, .data = &r32ui),
    CASE("image_r32f", SIDE *ROWS, image, .data = &r32f),
    CASE("image_rgba8", SIDE *ROWS, image, .data = &rgba8),
    CASE("image_rgba8ui", SIDE *ROWS, image, .data = &rgba8ui),
    CASE("image_rgba16f", SIDE *ROWS, image, .data = &rgba16f),
    CASE("image_rgba32f", SIDE *ROWS, image, .data = &rgba32f),
    CASE("image_rgba16ui", SIDE *ROWS, image, .data = &rgba16ui),
    CASE("image_rg16", SIDE *ROWS, image, .data = &rg16,
         .not_in_es = "the language has no such layout"),
    CASE("image_r8ui", SIDE *ROWS, image, .data = &r8ui,
         .not_in_es = "the language has no such layout"),
    CASE("image_volume", SIDE *ROWS / 4 * 6, deep_image, .data = &is_volume),
    CASE("image_array", SIDE *ROWS / 4 * 6, deep_image, .data = &is_array),
    CASE("image_atomics", 8, image_atomics,
         .not_in_es = "the language has no atomic operations on images"),
    CASE("uploaded_texture", SIDE *ROWS, uploaded_texture),
    CASE("atomic_counters", 2048, atomic_counters),
    CASE("blocks", 512, blocks),
    CASE("chained_indirect", 1024, chained_indirect),
    CASE("big_group", 4096, big_group),
    CASE("many_buffers", 512, many_buffers, .not_in_es = "four buffers are promised"),
    CASE("big_grid", 1024, big_grid),
    CASE("fence_and_persistent_map", 4096, fence_and_persistent_map,
         .not_in_es = "no persistent maps"),
    CASE("uploads", SIDE *ROWS, uploads, .data = &is_idle),
    CASE("uploads_while_busy", SIDE *ROWS, uploads, .data = &is_busy),
    CASE("buffer_copies", 4096, buffer_copies),
    CASE("timestamps", 0, timestamps, .not_in_es = "no timestamps without an extension"),
    {0},
};
