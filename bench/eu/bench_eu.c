/* Millions of SIMD8 instructions a second on one core, by class, beside a C loop with AVX2 that
 * does the same arithmetic. A SIMD16 instruction would count as two; all here are SIMD8. */
#include "eu/isa/asm.h"
#include "pergola/pergola_machine.h"
#include "shared_functions/sf.h"

#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MEMORY (1u << 20)
#define BASE 0x10000u

struct bench {
   const char *name, *body;
   unsigned instructions; /* of the body, once */
   double target;
   uint64_t (*native)(uint64_t rounds);
};

/* Time of this core's own work: what else the machine does is not measured. */
static double
now(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
   return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* The same arithmetic with registers in memory, as the machine has them. */
static float file[16][8];

__attribute__((target("avx2,fma"))) static uint64_t
native_mad(uint64_t rounds)
{
   for (uint64_t r = 0; r < rounds; r++)
      for (unsigned i = 0; i < 8; i++) {
         volatile float *d = file[i];
         __m256 a = _mm256_loadu_ps((const float *)d), b = _mm256_loadu_ps(file[8]),
                c = _mm256_loadu_ps(file[9]);
         _mm256_storeu_ps((float *)d, _mm256_fmadd_ps(b, c, a));
         __asm__ volatile("" ::: "memory");
      }
   return rounds * 8;
}

__attribute__((target("avx2"))) static uint64_t
native_int(uint64_t rounds)
{
   __m256i *f = (__m256i *)(void *)file;
   for (uint64_t r = 0; r < rounds; r++)
      for (unsigned i = 0; i < 2; i++) {
         _mm256_storeu_si256(
             f + i, _mm256_add_epi32(_mm256_loadu_si256(f + i), _mm256_loadu_si256(f + 8)));
         __asm__ volatile("" ::: "memory");
         _mm256_storeu_si256(
             f + i + 2, _mm256_xor_si256(_mm256_loadu_si256(f + i), _mm256_loadu_si256(f + 9)));
         __asm__ volatile("" ::: "memory");
         _mm256_storeu_si256(f + i + 4, _mm256_slli_epi32(_mm256_loadu_si256(f + i + 2), 3));
         __asm__ volatile("" ::: "memory");
         _mm256_storeu_si256(
             f + i + 6, _mm256_and_si256(_mm256_loadu_si256(f + i + 4), _mm256_set1_epi32(0xffff)));
         __asm__ volatile("" ::: "memory");
      }
   return rounds * 8;
}

__attribute__((target("avx2"))) static uint64_t
native_branch(uint64_t rounds)
{
   __m256i *f = (__m256i *)(void *)file;
   uint64_t n = 0;
   for (uint64_t r = 0; r < rounds; r++) {
      __m256i x = _mm256_loadu_si256(f);
      __m256i odd =
          _mm256_cmpeq_epi32(_mm256_and_si256(x, _mm256_set1_epi32(1)), _mm256_set1_epi32(1));
      __m256i up = _mm256_add_epi32(x, _mm256_set1_epi32(3)),
              down = _mm256_add_epi32(x, _mm256_set1_epi32(1));
      _mm256_storeu_si256(f, _mm256_blendv_epi8(down, up, odd));
      __asm__ volatile("" ::: "memory");
      n += 7;
   }
   return n;
}

__attribute__((target("avx2"))) static uint64_t
native_region(uint64_t rounds)
{
   __m256i *f = (__m256i *)(void *)file;
   const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6),
                 rep = _mm256_setr_epi32(0, 0, 2, 2, 4, 4, 6, 6);
   for (uint64_t r = 0; r < rounds; r++)
      for (unsigned i = 0; i < 2; i++) {
         _mm256_storeu_si256(f + i, _mm256_permutevar8x32_epi32(_mm256_loadu_si256(f + 8), even));
         __asm__ volatile("" ::: "memory");
         _mm256_storeu_si256(f + i + 2,
                             _mm256_permutevar8x32_epi32(_mm256_loadu_si256(f + i), rep));
         __asm__ volatile("" ::: "memory");
         _mm256_storeu_si256(f + i + 4,
                             _mm256_cvtepi16_epi32(_mm_loadu_si128((__m128i *)(f + i + 2))));
         __asm__ volatile("" ::: "memory");
         _mm256_storeu_si256(f + i + 6, _mm256_set1_epi32(((int *)(f + i + 4))[3]));
         __asm__ volatile("" ::: "memory");
      }
   return rounds * 8;
}

__attribute__((target("avx2"))) static uint64_t
native_math(uint64_t rounds)
{
   for (uint64_t r = 0; r < rounds; r++)
      for (unsigned i = 0; i < 2; i++) {
         _mm256_storeu_ps(file[i], _mm256_div_ps(_mm256_set1_ps(1.0f), _mm256_loadu_ps(file[8])));
         __asm__ volatile("" ::: "memory");
         _mm256_storeu_ps(file[i + 2], _mm256_sqrt_ps(_mm256_loadu_ps(file[8])));
         __asm__ volatile("" ::: "memory");
      }
   return rounds * 4;
}

/* A 64-bit product, a sum and a difference of two, as vectors have them. */
__attribute__((target("avx2"))) static uint64_t
native_long(uint64_t rounds)
{
   __m256i *f = (__m256i *)(void *)file;
   for (uint64_t r = 0; r < rounds; r++)
      for (unsigned i = 0; i < 2; i++) {
         _mm256_storeu_si256(
             f + i, _mm256_mul_epu32(_mm256_loadu_si256(f + i), _mm256_loadu_si256(f + 8)));
         __asm__ volatile("" ::: "memory");
         _mm256_storeu_si256(
             f + i + 2, _mm256_add_epi64(_mm256_loadu_si256(f + i), _mm256_loadu_si256(f + 9)));
         __asm__ volatile("" ::: "memory");
         _mm256_storeu_si256(
             f + i + 4, _mm256_sub_epi64(_mm256_loadu_si256(f + i + 2), _mm256_loadu_si256(f + 9)));
         __asm__ volatile("" ::: "memory");
      }
   return rounds *
          9; /* the body makes one of each for eight channels, twice as many as a vector has */
}

static const struct bench benches[] = {
    {"float mad chain",
     "mad(8) g10<1>F g10<4,4,1>F g2<4,4,1>F g3<4,4,1>F { align16 1Q };\n"
     "mad(8) g11<1>F g11<4,4,1>F g2<4,4,1>F g3<4,4,1>F { align16 1Q };\n"
     "mad(8) g12<1>F g12<4,4,1>F g2<4,4,1>F g3<4,4,1>F { align16 1Q };\n"
     "mad(8) g13<1>F g13<4,4,1>F g2<4,4,1>F g3<4,4,1>F { align16 1Q };\n"
     "mad(8) g14<1>F g14<4,4,1>F g2<4,4,1>F g3<4,4,1>F { align16 1Q };\n"
     "mad(8) g15<1>F g15<4,4,1>F g2<4,4,1>F g3<4,4,1>F { align16 1Q };\n"
     "mad(8) g16<1>F g16<4,4,1>F g2<4,4,1>F g3<4,4,1>F { align16 1Q };\n"
     "mad(8) g17<1>F g17<4,4,1>F g2<4,4,1>F g3<4,4,1>F { align16 1Q };\n",
     8, 250, native_mad},
    {"integer and logic",
     "add(8) g10<1>D g10<8,8,1>D g4<8,8,1>D { align1 1Q };\n"
     "xor(8) g12<1>UD g10<8,8,1>UD g5<8,8,1>UD { align1 1Q };\n"
     "shl(8) g14<1>UD g12<8,8,1>UD 3UD { align1 1Q };\n"
     "and(8) g16<1>UD g14<8,8,1>UD 0xffffUD { align1 1Q };\n"
     "add(8) g11<1>D g11<8,8,1>D g4<8,8,1>D { align1 1Q };\n"
     "xor(8) g13<1>UD g11<8,8,1>UD g5<8,8,1>UD { align1 1Q };\n"
     "shl(8) g15<1>UD g13<8,8,1>UD 3UD { align1 1Q };\n"
     "and(8) g17<1>UD g15<8,8,1>UD 0xffffUD { align1 1Q };\n",
     8, 150, native_int},
    {"branchy loop",
     "and.nz.f0.0(8) null<1>UD g10<8,8,1>UD 1UD { align1 1Q };\n"
     "(+f0.0) if(8) JIP: L_else UIP: L_end { align1 1Q };\n"
     "add(8) g10<1>D g10<8,8,1>D 3D { align1 1Q };\n"
     "else(8) JIP: L_end { align1 1Q };\n"
     "L_else:\n"
     "add(8) g10<1>D g10<8,8,1>D 1D { align1 1Q };\n"
     "L_end:\n"
     "endif(8) JIP: L_next { align1 1Q };\n"
     "L_next:\n"
     "add(8) g11<1>D g11<8,8,1>D g10<8,8,1>D { align1 1Q };\n",
     7, 150, native_branch},
    {"regions",
     "mov(8) g10<1>D g4<0,4,2>D { align1 1Q };\n"
     "mov(8) g12<1>D g10<2,2,0>D { align1 1Q };\n"
     "mov(8) g14<1>D g12<8,8,1>W { align1 1Q };\n"
     "mov(8) g16<1>D g14.3<0,1,0>D { align1 1Q };\n"
     "mov(8) g11<1>D g4<16,8,2>D { align1 1Q };\n"
     "mov(8) g13<1>D g11<4,4,1>D { align1 1Q };\n"
     "mov(8) g15<1>D g13<8,4,2>D { align1 1Q };\n"
     "mov(8) g17<1>UW g15<16,8,2>UW { align1 1Q };\n",
     8, 150, native_region},
    {"math",
     "math inv(8) g10<1>F g2<8,8,1>F null<8,8,1>F { align1 1Q };\n"
     "math sqrt(8) g11<1>F g2<8,8,1>F null<8,8,1>F { align1 1Q };\n"
     "math inv(8) g12<1>F g2<8,8,1>F null<8,8,1>F { align1 1Q };\n"
     "math sqrt(8) g13<1>F g2<8,8,1>F null<8,8,1>F { align1 1Q };\n",
     4, 0, native_math},
    {"long integers",
     "mul(8) acc0<1>UD g10<8,8,1>UD g4<16,8,2>UW { align1 1Q };\n"
     "mach(8) g11<1>UD g10<8,8,1>UD g4<8,8,1>UD { align1 1Q AccWrEnable };\n"
     "mov(8) g10<1>UD acc0<8,8,1>UD { align1 1Q };\n"
     "addc(8) g12<1>UD g10<8,8,1>UD g5<8,8,1>UD { align1 1Q AccWrEnable };\n"
     "mov(8) g13<1>UD acc0<8,8,1>UD { align1 1Q };\n"
     "add(8) g13<1>UD g13<8,8,1>UD g11<8,8,1>UD { align1 1Q };\n"
     "subb(8) g14<1>UD g12<8,8,1>UD g5<8,8,1>UD { align1 1Q AccWrEnable };\n"
     "mov(8) g15<1>UD acc0<8,8,1>UD { align1 1Q };\n"
     "add(8) g15<1>D g13<8,8,1>D -g15<8,8,1>D { align1 1Q };\n",
     9, 150, native_long},
};

/* The body in a counted loop that a jump closes. */
static void
program(const struct bench *b, unsigned device, uint8_t *out)
{
   char text[8192];
   snprintf(text, sizeof(text), "L_top:\n%s%sjmpi(1) JIP: L_top { align1 WE_all 1N };\n", b->body,
            b->body);
   if (strstr(b->body, "L_else")) /* labels may appear once */
      snprintf(text, sizeof(text), "L_top:\n%sjmpi(1) JIP: L_top { align1 WE_all 1N };\n", b->body);
   struct eu_program p;
   struct eu_asm_error e;
   if (!eu_asm_text(text, strlen(text), device, &p, &e)) {
      fprintf(stderr, "%s: line %u: %s\n", b->name, e.line, e.message);
      exit(1);
   }
   memcpy(out, p.bytes, p.size);
   eu_program_free(&p);
}

static double
measure(const struct pergola_machine *m, const struct bench *b, uint64_t budget)
{
   struct pergola_device *dev = m->dev;
   struct eu_env env = {.dev = dev, .space = &dev->ggtt, .instruction_base = BASE, .engine = "EU"};
   struct eu_thread *t = aligned_alloc(64, (sizeof(*t) + 63) & ~(size_t)63);
   double best = 0;
   memset(t, 0, sizeof(*t));
   program(b, dev->hw_device, m->memory + BASE);
   eu_invalidate_instructions(dev->eu);
   for (unsigned run = 0; run < 3; run++) {
      eu_thread_init(t, &env, 0, 0xff);
      for (unsigned i = 0; i < 64; i++) {
         ((float *)(void *)t->grf)[16 + i] = 1.0f + (float)i * 0.001f;
         eu_grf(t, 4)[i] = i * 2654435761u;
      }
      for (unsigned i = 0; i < 8; i++)
         ((float *)(void *)t->grf)[24 + i] = 0.5f;
      double start = now();
      eu_run(t, budget);
      double rate = (double)t->instructions / (now() - start) * 1e-6;
      best = rate > best ? rate : best;
   }
   free(t);
   return best;
}

static double
measure_native(const struct bench *b)
{
   double best = 0;
   for (unsigned run = 0; run < 3; run++) {
      for (unsigned i = 0; i < 8; i++)
         file[8][i] = 1.001f, file[9][i] = 0.5f;
      double start = now();
      uint64_t n = b->native(3000000);
      double rate = (double)n / (now() - start) * 1e-6;
      best = rate > best ? rate : best;
   }
   return best;
}

/* With memory under the kernel. */
static struct pergola_machine
open_machine(enum pergola_native native)
{
   struct pergola_machine m;
   struct pergola_config config = {.check = PERGOLA_CHECK_OFF, .native = native};
   struct pergola_machine_memory memory = {.physical = MEMORY, .size = MEMORY, .mapped = MEMORY};
   if (pergola_machine_create(&m, &config, &memory, NULL))
      exit(1);
   return m;
}

int
main(int argc, char **argv)
{
   uint64_t budget = argc > 1 ? strtoull(argv[1], NULL, 0) : 50000000;
   if (!budget)
      return 1;
   struct pergola_machine interpreter = open_machine(PERGOLA_NATIVE_OFF),
                          generator = open_machine(PERGOLA_NATIVE_AUTO);
   printf("M SIMD8/s\n%-20s %12s %8s %12s %12s %8s %8s\n", "class", "interpreted", "target",
          "native code", "C+AVX2", "ratio", "ratio");
   for (size_t i = 0; i < sizeof(benches) / sizeof(benches[0]); i++) {
      const struct bench *b = &benches[i];
      uint64_t instructions = b->target > 0 ? budget : budget / 20;
      double interpreted = measure(&interpreter, b, instructions);
      double native = measure(&generator, b, instructions);
      double c = measure_native(b);
      printf("%-20s %12.1f %8.0f %12.1f %12.1f %8.3f %8.3f\n", b->name, interpreted, b->target,
             native, c, interpreted / c, native / c);
   }
   pergola_machine_destroy(&interpreter);
   pergola_machine_destroy(&generator);
   return 0;
}
