/* gl_compute [--es] [--list] [--dump DIR] [NAME...]: OpenGL compute cases, each compared with the
 * CPU. Prints TAP. */
#include "../options.h"
#include "cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
cpu_add(uint32_t *want, uint32_t *const *in, uint32_t u)
{
   for (unsigned i = 0; i < GL_WORDS; i++)
      want[i] = in[0][i] + in[1][i] * u;
}

static void
cpu_reduce(uint32_t *want, uint32_t *const *in, uint32_t u)
{
   (void)u;
   for (unsigned g = 0; g < GL_WORDS / 128; g++) {
      want[g] = 0;
      for (unsigned i = 0; i < 128; i++)
         want[g] += in[0][g * 128 + i];
   }
}

static void
cpu_histogram(uint32_t *want, uint32_t *const *in, uint32_t u)
{
   (void)u;
   memset(want, 0, 66 * 4);
   for (unsigned i = 0; i < GL_WORDS; i++) {
      want[in[0][i] & 63]++;
      want[64] = in[0][i] > want[64] ? in[0][i] : want[64];
      want[65] ^= in[0][i];
   }
}

static void
cpu_ids(uint32_t *want, uint32_t *const *in, uint32_t u)
{
   (void)in;
   (void)u;
   for (unsigned z = 0, i = 0; z < 4; z++)
      for (unsigned y = 0; y < 12; y++)
         for (unsigned x = 0; x < 20; x++, i++)
            want[i] = x | y << 8 | z << 16 | ((z % 2) * 12 + (y % 3) * 4 + x % 4) << 24;
}

static void
cpu_integer(uint32_t *want, uint32_t *const *in, uint32_t u)
{
   (void)u;
   for (unsigned i = 0; i < GL_WORDS; i++) {
      uint32_t a = in[0][i], b = in[1][i] | 1, x = a;
      for (unsigned k = 0; k < (b & 15); k++)
         x = x & 1 ? x * 3 + 1 : x >> 1;
      want[i] = (a / b) ^ (a % b) ^ (uint32_t)((int32_t)a >> (b & 31)) ^ x;
   }
}

static void
cpu_float(uint32_t *want, uint32_t *const *in, uint32_t u)
{
   (void)u;
   for (unsigned i = 0; i < GL_WORDS; i++) {
      float a = (float)(int32_t)in[0][i], b = (float)(in[1][i] >> 8), c = a * 0.5f;
      float d = c - b;
      float e = d < 0.0f ? -d : d;
      memcpy(&want[i], &e, 4);
   }
}

static void
cpu_double(uint32_t *want, uint32_t *const *in, uint32_t u)
{
   (void)u;
   for (unsigned i = 0; i < GL_WORDS / 2; i++) {
      double a = (double)(int32_t)in[0][i] * 1.0000000123, b = (double)in[1][i], c = a * b;
      double d = c - b;
      d = d < a ? d + a : d * 0.5;
      memcpy(&want[i * 2], &d, 8);
   }
}

/* Sixteen results of each of 128 invocations, all of them exact. */
static void
cpu_double_functions(uint32_t *want, uint32_t *const *in, uint32_t u)
{
   (void)u;
   for (unsigned i = 0; i < 128; i++) {
      double x = (double)(int32_t)in[0][i] / 1024, y = (double)(in[1][i] >> 16) + 1, d[16];
      d[0] = floor(x);
      d[1] = ceil(x);
      d[2] = trunc(x);
      d[3] = rint(x);
      d[4] = x - floor(x);
      d[5] = x / (1u << (in[1][i] & 15)); /* others are multiplied by a reciprocal, which rounds */
      d[6] = y;
      d[7] = (double)(int32_t)x;
      d[8] = (double)(uint32_t)fabs(x);
      d[9] =
          (double)(float)(floor(x) / 8); /* fits: which way the device rounds is its own affair */
      d[10] = x < y ? x : y;
      d[11] = x < y ? y : x;
      d[12] = fabs(x) + (x > 0 ? 1 : x < 0 ? -1 : 0);
      d[13] = x * x + y * y;
      d[14] = (x < y ? 1.0 : 0.0) + (x == floor(x) ? 2.0 : 0.0) + (x >= -y ? 4.0 : 0.0);
      d[15] = fmin(fmax(x, -100), y);
      memcpy(want + i * 32, d, sizeof(d));
   }
}

static const struct gl_case cases[] = {
    {"add_with_uniform",
     "layout(local_size_x = 64) in;\nuniform uint u;\n"
     "layout(std430, binding = 0) buffer A { uint a[]; };\n"
     "layout(std430, binding = 1) buffer B { uint b[]; };\n"
     "layout(std430, binding = 2) buffer C { uint c[]; };\n"
     "void main() { uint i = gl_GlobalInvocationID.x; c[i] = a[i] + b[i] * u; }\n",
     2,
     GL_WORDS,
     {GL_WORDS / 64, 1, 1},
     false,
     12345,
     cpu_add},
    {"shared_reduce",
     "layout(local_size_x = 128) in;\nshared uint s[128];\n"
     "layout(std430, binding = 0) buffer A { uint a[]; };\n"
     "layout(std430, binding = 1) buffer C { uint c[]; };\n"
     "void main() { uint t = gl_LocalInvocationIndex; s[t] = a[gl_GlobalInvocationID.x];\n"
     "memoryBarrierShared(); barrier(); for (uint k = 64u; k > 0u; k >>= 1) {\n"
     "if (t < k) s[t] += s[t + k];\nmemoryBarrierShared(); barrier(); }\n"
     "if (t == 0u) c[gl_WorkGroupID.x] = s[0]; }\n",
     1,
     GL_WORDS / 128,
     {GL_WORDS / 128, 1, 1},
     false,
     0,
     cpu_reduce},
    {"atomics",
     "layout(local_size_x = 64) in;\n"
     "layout(std430, binding = 0) buffer A { uint a[]; };\n"
     "layout(std430, binding = 1) buffer C { uint bins[64]; uint most; uint all; };\n"
     "void main() { uint v = a[gl_GlobalInvocationID.x]; atomicAdd(bins[v & 63u], 1u);\n"
     "atomicMax(most, v); atomicXor(all, v); }\n",
     1,
     66,
     {GL_WORDS / 64, 1, 1},
     false,
     0,
     cpu_histogram},
    {"ids_and_indirect",
     "layout(local_size_x = 4, local_size_y = 3, local_size_z = 2) in;\n"
     "layout(std430, binding = 0) buffer C { uint c[]; };\n"
     "void main() { uvec3 g = gl_GlobalInvocationID; c[(g.z * 12u + g.y) * 20u + g.x] =\n"
     "g.x | g.y << 8 | g.z << 16 | gl_LocalInvocationIndex << 24; }\n",
     0,
     960,
     {5, 4, 2},
     true,
     0,
     cpu_ids},
    {"integer_and_loops",
     "layout(local_size_x = 32) in;\n"
     "layout(std430, binding = 0) buffer A { uint a[]; };\n"
     "layout(std430, binding = 1) buffer B { uint b[]; };\n"
     "layout(std430, binding = 2) buffer C { uint c[]; };\n"
     "void main() { uint i = gl_GlobalInvocationID.x, p = a[i], q = b[i] | 1u, x = p;\n"
     "for (uint k = 0u; k < (q & 15u); k++) { if ((x & 1u) != 0u) x = x * 3u + 1u; else x >>= 1; "
     "}\n"
     "c[i] = (p / q) ^ (p % q) ^ uint(int(p) >> (q & 31u)) ^ x; }\n",
     2,
     GL_WORDS,
     {GL_WORDS / 32, 1, 1},
     false,
     0,
     cpu_integer},
    {"double",
     "layout(local_size_x = 64) in;\n"
     "layout(std430, binding = 0) buffer A { int a[]; };\n"
     "layout(std430, binding = 1) buffer B { uint b[]; };\n"
     "layout(std430, binding = 2) buffer C { double c[]; };\n"
     "void main() { uint i = gl_GlobalInvocationID.x; double x = double(a[i]) * 1.0000000123LF;\n"
     "double y = double(b[i]); precise double p = x * y; precise double d = p - y;\n"
     "c[i] = d < x ? d + x : d * 0.5LF; }\n",
     2,
     GL_WORDS,
     {GL_WORDS / 128, 1, 1},
     false,
     0,
     cpu_double,
     .extensions =
         "#extension GL_ARB_gpu_shader5 : require\n#extension GL_ARB_gpu_shader_fp64 : require\n",
     .not_in_es = "the language has no doubles"},
    {"double_functions",
     "layout(local_size_x = 32) in;\n"
     "layout(std430, binding = 0) buffer A { int a[]; };\n"
     "layout(std430, binding = 1) buffer B { uint b[]; };\n"
     "layout(std430, binding = 2) buffer C { double c[]; };\n"
     "void main() { uint i = gl_GlobalInvocationID.x, o = i * 16u;\n"
     "double x = double(a[i]) / 1024.0LF, y = double(b[i] >> 16) + 1.0LF;\n"
     "c[o] = floor(x); c[o + 1u] = ceil(x); c[o + 2u] = trunc(x); c[o + 3u] = roundEven(x); c[o + "
     "4u] = fract(x);\n"
     "c[o + 5u] = x / double(1u << (b[i] & 15u)); c[o + 6u] = sqrt(y * y); c[o + 7u] = "
     "double(int(x)); c[o + 8u] = double(uint(abs(x)));\n"
     "c[o + 9u] = double(float(floor(x) / 8.0LF)); c[o + 10u] = min(x, y); c[o + 11u] = max(x, y); "
     "c[o + 12u] = abs(x) + sign(x);\n"
     "c[o + 13u] = dot(dvec2(x, y), dvec2(x, y));\n"
     "c[o + 14u] = (x < y ? 1.0LF : 0.0LF) + (x == floor(x) ? 2.0LF : 0.0LF) + (x >= -y ? 4.0LF : "
     "0.0LF);\n"
     "c[o + 15u] = clamp(x, -100.0LF, y); }\n",
     2,
     4096,
     {4, 1, 1},
     false,
     0,
     cpu_double_functions,
     .extensions =
         "#extension GL_ARB_gpu_shader5 : require\n#extension GL_ARB_gpu_shader_fp64 : require\n",
     .not_in_es = "the language has no doubles"},
    {"float",
     "layout(local_size_x = 64) in;\n"
     "layout(std430, binding = 0) buffer A { int a[]; };\n"
     "layout(std430, binding = 1) buffer B { uint b[]; };\n"
     "layout(std430, binding = 2) buffer C { float c[]; };\n"
     "void main() { uint i = gl_GlobalInvocationID.x; precise float h = float(a[i]) * 0.5;\n"
     "precise float d = h - float(b[i] >> 8); c[i] = abs(d); }\n",
     2,
     GL_WORDS,
     {GL_WORDS / 64, 1, 1},
     false,
     0,
     cpu_float,
     .extensions = "#extension GL_ARB_gpu_shader5 : require\n"},
    {0},
};

uint32_t
gl_random(uint32_t *seed)
{
   *seed ^= *seed << 13;
   *seed ^= *seed >> 17;
   *seed ^= *seed << 5;
   return *seed;
}

bool
gl_same(const char *name, const uint32_t *got, const uint32_t *want, unsigned words)
{
   for (unsigned i = 0; i < words; i++) {
      if (got[i] == want[i])
         continue;
      printf("# %s: word %u is 0x%08x, not 0x%08x\n", name, i, got[i], want[i]);
      return false;
   }
   return true;
}

/* `precise` is not a word of ES 3.1; without it these operations are the same. */
static const char *
source_for(const struct gl_case *c, bool es, char *copy, size_t size)
{
   const char *extensions = es ? "#define precise\n" : c->extensions ? c->extensions : "";
   snprintf(copy, size, "%s%s", extensions, c->source);
   return copy;
}

static bool
run_case(struct glc *g, const struct gl_case *c, uint32_t *got)
{
   static uint32_t data[GL_MAX_BUFFERS][GL_WORDS];
   static uint32_t want[GL_WORDS];
   uint32_t *in[GL_MAX_BUFFERS], seed = 0x2545f491;
   GLuint buffers[GL_MAX_BUFFERS];
   char copy[4096];
   GLuint program = glc_program(g, source_for(c, g->es, copy, sizeof(copy)));
   g->UseProgram(program);
   if (c->uniform)
      g->Uniform1ui(g->GetUniformLocation(program, "u"), c->uniform);
   for (unsigned k = 0; k <= c->inputs; k++) {
      in[k] = data[k];
      for (unsigned i = 0; i < GL_WORDS; i++)
         data[k][i] = k < c->inputs ? gl_random(&seed) : 0;
      buffers[k] = glc_buffer(g, GL_SHADER_STORAGE_BUFFER, data[k], sizeof(data[k]));
      g->BindBufferBase(GL_SHADER_STORAGE_BUFFER, k, buffers[k]);
   }
   GLuint args = 0;
   if (c->indirect) {
      args = glc_buffer(g, GL_DISPATCH_INDIRECT_BUFFER, c->groups, sizeof(c->groups));
      g->DispatchComputeIndirect(0);
   } else {
      g->DispatchCompute(c->groups[0], c->groups[1], c->groups[2]);
   }
   glc_read(g, buffers[c->inputs], got, c->words * 4);
   bool ok = g->GetError() == GL_NO_ERROR;
   c->cpu(want, in, c->uniform);
   ok = ok && gl_same(c->name, got, want, c->words);
   g->DeleteBuffers((GLsizei)c->inputs + 1, buffers);
   if (args)
      g->DeleteBuffers(1, &args);
   g->DeleteProgram(program);
   return ok;
}

static void
write_dump(const char *dir, const struct gl_case *c, const uint32_t *got)
{
   char path[512];
   snprintf(path, sizeof(path), "%s/%s.bin", dir, c->name);
   FILE *f = fopen(path, "wb");
   if (!f || fwrite(got, 4, c->words, f) != c->words || fclose(f)) {
      perror(path);
      exit(1);
   }
}

int
main(int argc, char **argv)
{
   static const struct option known[] = {OPTIONS_KNOWN, {"es", no_argument, NULL, 'e'}, {0}};
   bool es = false;
   struct options o = {0};
   for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
      options_take(&o, c);
      es |= c == 'e';
   }
   o.name = argv + optind;
   o.names = argc - optind;
   const struct gl_case *lists[] = {cases, gl_object_cases};
   struct glc g;
   glc_open(&g, es);
   printf("# device: %s\n", g.renderer);
   static uint32_t got[GL_WORDS];
   unsigned count = 0, failed = 0;
   for (unsigned l = 0; l < 2; l++)
      for (const struct gl_case *c = lists[l]; c->name; c++) {
         if (!options_name(&o, c->name))
            continue;
         count++;
         if (es && c->not_in_es) {
            printf("ok %u - gles_%s # SKIP %s\n", count, c->name, c->not_in_es);
            continue;
         }
         bool ok =
             c->fn ? c->fn(&g, got, c->data) && g.GetError() == GL_NO_ERROR : run_case(&g, c, got);
         failed += !ok;
         printf("%sok %u - gl%s_%s\n", ok ? "" : "not ", count, es ? "es" : "", c->name);
         fflush(stdout);
         if (o.dump && ok && c->words)
            write_dump(o.dump, c, got);
      }
   printf("1..%u\n", count);
   glc_close(&g);
   return failed || !count;
}
