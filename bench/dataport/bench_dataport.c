/* GB/s of the data port beside memcpy of the same bytes in the same run.
 *
 * usage: bench_dataport [MEBIBYTES [PART-OF-A-NAME]]
 *
 * Every line is a message kind; the ratio is against a memcpy that moves the same number of bytes
 * per call, over the same memory. */
#include "pergola/pergola_machine.h"
#include "eu/group.h"
#include "shared_functions/quick.h"
#include "shared_functions/sf.h"
#include "surface/surface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BASE 0x100000u
#define STATE 0x100000u
#define DATA 0x1000000u

struct bench {
   struct pergola_machine machine;
   struct pergola_device *dev;
   uint8_t *host;
   uint32_t size; /* bytes that a pass moves */
   struct eu_env env;
   struct eu_thread t;
   struct eu_thread *threads[1];
   struct sf_buffers buffers;
   struct eu_group group;
   _Alignas(64) uint8_t slm[0x10000];
};

static double
now(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts); /* what others do on the machine does not count */
   return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static void
surface(struct bench *b, unsigned bti, const struct hw_render_surface_state *st)
{
   uint32_t dw[8], at = 0x1000 + 32 * bti;
   gen7_render_surface_state_pack(dw, st);
   memcpy(b->host + (STATE - BASE) + at, dw, 32);
   memcpy(b->host + (STATE - BASE) + 4 * bti, &at, 4);
}

static int
setup(struct bench *b, uint32_t size)
{
   struct pergola_config config = {.check = PERGOLA_CHECK_OFF, .host_threads = 1};
   uint32_t total = DATA - BASE + size + 4096;
   struct pergola_machine_memory memory = {
       .physical = BASE, .size = total, .graphics = BASE, .mapped = total};
   b->size = size;
   if (pergola_machine_create(&b->machine, &config, &memory, NULL))
      return -1;
   b->dev = b->machine.dev;
   b->host = b->machine.memory;
   memset(b->host, 0, total); /* there, before anything is measured */
   b->env = (struct eu_env){
       .dev = b->dev, .space = &b->dev->ggtt, .surface_state_base = STATE, .engine = "EU"};
   b->t.env = &b->env;
   b->t.buffers = &b->buffers;
   b->threads[0] = &b->t;
   b->group = (struct eu_group){.slm = b->slm,
                                .slm_size_B = sizeof(b->slm),
                                .barrier_enabled = true,
                                .barrier_count = 1,
                                .thread_count = 1,
                                .threads = b->threads};
   b->t.group = &b->group;
   uint32_t n = size / 16 - 1, bytes = size - 1;
   struct hw_render_surface_state oword = {.surface_type = SURFTYPE_BUFFER,
                                           .surface_base_address = DATA,
                                           .width = n & 0x7f,
                                           .height = n >> 7 & 0x3fff,
                                           .depth = n >> 21,
                                           .surface_pitch = 15};
   struct hw_render_surface_state raw = {.surface_type = SURFTYPE_BUFFER,
                                         .surface_format = 0x1ff,
                                         .surface_base_address = DATA,
                                         .width = bytes & 0x7f,
                                         .height = bytes >> 7 & 0x3fff,
                                         .depth = bytes >> 21};
   struct hw_render_surface_state linear = {.surface_type = SURFTYPE_2D,
                                            .surface_format = 0xd7,
                                            .surface_base_address = DATA,
                                            .width = 4096 / 4 - 1,
                                            .height = size / 4096 - 1,
                                            .surface_pitch = 4095};
   struct hw_render_surface_state tiled = linear;
   tiled.tiled_surface = true;
   struct hw_render_surface_state tiled_x = tiled, unorm;
   tiled.tile_walk = 1;
   unorm = tiled;
   unorm.surface_format = GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM;
   surface(b, 0, &oword);
   surface(b, 1, &raw);
   surface(b, 2, &linear);
   surface(b, 3, &tiled);
   surface(b, 4, &tiled_x);
   surface(b, 5, &unorm);
   return 0;
}

struct kind {
   const char *name;
   unsigned sfid, control, bytes, mlen, rlen, simd;
   bool header;
   void (*address)(struct bench *b, const struct kind *k, uint32_t offset);
};

static void
oword_address(struct bench *b, const struct kind *k, uint32_t offset)
{
   (void)k;
   eu_grf(&b->t, 10)[2] = offset / 16;
}

static void
stateless_address(struct bench *b, const struct kind *k, uint32_t offset)
{
   oword_address(b, k, offset);
   eu_grf(&b->t, 10)[5] = DATA;
}

/* Addresses are written as an execution unit writes them: a register at once, where the CPU can. */
typedef uint32_t v8 __attribute__((vector_size(32), aligned(4)));
#ifdef __x86_64__
#define WHERE_THE_CPU_CAN __attribute__((target_clones("avx2", "default")))
#else
#define WHERE_THE_CPU_CAN
#endif

WHERE_THE_CPU_CAN static void
untyped_address(struct bench *b, const struct kind *k, uint32_t offset)
{
   uint32_t step = k->bytes / k->simd;
   uint8_t *u = (uint8_t *)eu_grf(&b->t, 10);
   v8 lanes = (v8){0, 1, 2, 3, 4, 5, 6, 7} * step + offset;
   for (unsigned i = 0; i < k->simd / 8; i++, lanes += 8 * step)
      *(v8 *)(void *)(u + 32 * i) = lanes;
}

/* Blocks of 32 bytes by 8 rows, left to right, then down. */
static void
media_address(struct bench *b, const struct kind *k, uint32_t offset)
{
   uint32_t block = offset / k->bytes;
   eu_grf(&b->t, 10)[0] = block % 128 * 32;
   eu_grf(&b->t, 10)[1] = block / 128 * 8;
   eu_grf(&b->t, 10)[2] = 7u << 16 | 31;
}

/* Texels of a row, eight at a time. */
WHERE_THE_CPU_CAN static void
typed_address(struct bench *b, const struct kind *k, uint32_t offset)
{
   uint32_t texel = offset / 4;
   uint8_t *header = (uint8_t *)eu_grf(&b->t, 10);
   (void)k;
   *(v8 *)(void *)header = (v8){0, 0, 0, 0, 0, 0, 0, 0xff};
   *(v8 *)(void *)(header + 32) = (v8){0, 1, 2, 3, 4, 5, 6, 7} + texel % 1024;
   *(v8 *)(void *)(header + 64) = (v8){0} + texel / 1024;
}

/* Two columns of four texels: how drivers number the invocations of a group that touches images. */
WHERE_THE_CPU_CAN static void
typed_block_address(struct bench *b, const struct kind *k, uint32_t offset)
{
   uint32_t block = offset / 32;
   uint8_t *header = (uint8_t *)eu_grf(&b->t, 10);
   (void)k;
   *(v8 *)(void *)header = (v8){0, 0, 0, 0, 0, 0, 0, 0xff};
   *(v8 *)(void *)(header + 32) = (v8){0, 0, 0, 0, 1, 1, 1, 1} + block % 512 * 2;
   *(v8 *)(void *)(header + 64) = (v8){0, 1, 2, 3, 0, 1, 2, 3} + block / 512 * 4;
}

#define DP SFID_DP_DATA0
static const struct kind kinds[] = {
    {"OWord Block Read, 8 OWords, linear", DP, 4u << 8, 128, 1, 4, 16, true, oword_address},
    {"OWord Block Write, 8 OWords, linear", DP, 8u << 14 | 4u << 8, 128, 5, 0, 16, true,
     oword_address},
    {"OWord Block Read, 4 OWords, linear", DP, 3u << 8, 64, 1, 2, 16, true, oword_address},
    {"OWord Block Write, 4 OWords, linear", DP, 8u << 14 | 3u << 8, 64, 3, 0, 16, true,
     oword_address},
    {"OWord Block Read, 2 OWords, linear", DP, 2u << 8, 32, 1, 1, 16, true, oword_address},
    {"OWord Block Write, 2 OWords, linear", DP, 8u << 14 | 2u << 8, 32, 2, 0, 16, true,
     oword_address},
    {"OWord Block Read, 1 OWord, linear", DP, 0u << 8, 16, 1, 1, 16, true, oword_address},
    {"OWord Block Write, 1 OWord, linear", DP, 8u << 14 | 0u << 8, 16, 2, 0, 16, true,
     oword_address},
    {"OWord Block Read, 8 OWords, constants", SFID_DP_CONSTANT, 4u << 8, 128, 1, 4, 16, true,
     oword_address},
    {"OWord Block Read, 8 OWords, stateless", DP, 4u << 8 | 255, 128, 1, 4, 16, true,
     stateless_address},
    {"Untyped Read SIMD8 R", DP, 5u << 14 | 2u << 12 | 14u << 8 | 1, 32, 1, 1, 8, false,
     untyped_address},
    {"Untyped Read SIMD16 R", DP, 5u << 14 | 1u << 12 | 14u << 8 | 1, 64, 2, 2, 16, false,
     untyped_address},
    {"Untyped Read SIMD8 RGBA", DP, 5u << 14 | 2u << 12 | 1, 128, 1, 4, 8, false, untyped_address},
    {"Untyped Read SIMD16 RGBA", DP, 5u << 14 | 1u << 12 | 1, 256, 2, 8, 16, false,
     untyped_address},
    {"Untyped Write SIMD8 R", DP, 13u << 14 | 2u << 12 | 14u << 8 | 1, 32, 2, 0, 8, false,
     untyped_address},
    {"Untyped Write SIMD16 R", DP, 13u << 14 | 1u << 12 | 14u << 8 | 1, 64, 4, 0, 16, false,
     untyped_address},
    {"Untyped Write SIMD16 RGBA", DP, 13u << 14 | 1u << 12 | 1, 256, 10, 0, 16, false,
     untyped_address},
    {"Media Block Read 32x8, linear", SFID_DP_RENDER, 4u << 14 | 2, 256, 1, 8, 16, true,
     media_address},
    {"Media Block Read 32x8, tile Y", SFID_DP_RENDER, 4u << 14 | 3, 256, 1, 8, 16, true,
     media_address},
    {"Media Block Write 32x8, linear", SFID_DP_RENDER, 10u << 14 | 2, 256, 9, 0, 16, true,
     media_address},
    {"Media Block Write 32x8, tile Y", SFID_DP_RENDER, 10u << 14 | 3, 256, 9, 0, 16, true,
     media_address},
#define TR (5u << 14 | 14u << 8)
#define TW (13u << 14 | 14u << 8)
#define TA (6u << 14 | 7u << 8)
    {"Typed Read SIMD8 R32, linear", SFID_DP_RENDER, TR | 2, 32, 3, 1, 8, true, typed_address},
    {"Typed Read SIMD8 R32, tile X", SFID_DP_RENDER, TR | 4, 32, 3, 1, 8, true, typed_address},
    {"Typed Read SIMD8 R32, tile Y", SFID_DP_RENDER, TR | 3, 32, 3, 1, 8, true, typed_address},
    {"Typed Read SIMD8 R32, tile Y, 2x4", SFID_DP_RENDER, TR | 3, 32, 3, 1, 8, true,
     typed_block_address},
    {"Typed Write SIMD8 R32, linear", SFID_DP_RENDER, TW | 2, 32, 4, 0, 8, true, typed_address},
    {"Typed Write SIMD8 R32, tile X", SFID_DP_RENDER, TW | 4, 32, 4, 0, 8, true, typed_address},
    {"Typed Write SIMD8 R32, tile Y", SFID_DP_RENDER, TW | 3, 32, 4, 0, 8, true, typed_address},
    {"Typed Write SIMD8 R32, tile Y, 2x4", SFID_DP_RENDER, TW | 3, 32, 4, 0, 8, true,
     typed_block_address},
    {"Typed Write SIMD8 RGBA8, tile Y", SFID_DP_RENDER, 13u << 14 | 5, 32, 7, 0, 8, true,
     typed_address},
    {"Typed Atomic add SIMD8 R32, tile Y", SFID_DP_RENDER, TA | 3, 32, 4, 0, 8, true,
     typed_address},
};

/* Best of several passes, in bytes a second. */
static double
run_messages(struct bench *b, const struct kind *k)
{
   double best = 0;
   struct sf_message m = {.sfid = (uint8_t)k->sfid,
                          .header = k->header,
                          .mlen = (uint8_t)k->mlen,
                          .rlen = (uint8_t)k->rlen,
                          .exec_size = (uint8_t)k->simd,
                          .exec_mask = k->simd == 16 ? 0xffff : 0xff,
                          .desc = k->control | (uint32_t)k->header << 19,
                          .payload = (uint8_t *)eu_grf(&b->t, 10),
                          .response = k->rlen ? (uint8_t *)eu_grf(&b->t, 60) : NULL};
   struct sf_quick q;
   sf_quick_select(&q, b->dev, k->sfid, m.desc | k->mlen << 25 | k->rlen << 20, false, 10, 60);
   for (unsigned pass = 0; pass < 3; pass++) {
      double start = now();
      for (uint32_t offset = 0; offset + k->bytes <= b->size; offset += k->bytes) {
         k->address(b, k, offset);
         if (!q.fn || !q.fn(&b->t, &q, m.exec_mask)) /* as eu_exec_send does it */
            sf_dataport(&b->t, &m);
      }
      double rate = b->size / (now() - start);
      best = rate > best ? rate : best;
   }
   return best;
}

static double
run_memcpy(struct bench *b, unsigned chunk, bool write)
{
   double best = 0;
   uint8_t *grf = b->t.grf, *data = b->host + (DATA - BASE);
   for (unsigned pass = 0; pass < 3; pass++) {
      double start = now();
      for (uint32_t offset = 0; offset + chunk <= b->size; offset += chunk) {
         if (write)
            memcpy(data + offset, grf, chunk);
         else
            memcpy(grf, data + offset, chunk);
         __asm__ volatile("" : : "r"(grf), "r"(data) : "memory");
      }
      double rate = b->size / (now() - start);
      best = rate > best ? rate : best;
   }
   return best;
}

/* ---- messages that wait for nothing in memory: shared local memory, atomics, masks, signals ----
 */

enum pattern { ROW, ONE, SCATTERED };

static const struct small {
   const char *name;
   unsigned sfid, control, mlen, rlen;
   enum pattern pattern;
   uint32_t mask;
   bool header, eot;
} small_kinds[] = {
#define R16 (1u << 12 | 14u << 8)
    {"Read SIMD16 R, half the slots", DP, 5u << 14 | R16 | 1, 2, 2, ROW, 0x5a3c, false, false},
    {"Read SIMD16 R, one place", DP, 5u << 14 | R16 | 1, 2, 2, ONE, 0xffff, false, false},
    {"Read SIMD16 R, scattered", DP, 5u << 14 | R16 | 1, 2, 2, SCATTERED, 0xffff, false, false},
    {"Read SIMD16 RGBA, scattered", DP, 5u << 14 | 1u << 12 | 1, 2, 8, SCATTERED, 0xffff, false,
     false},
    {"Write SIMD16 R, half the slots", DP, 13u << 14 | R16 | 1, 4, 0, ROW, 0x5a3c, false, false},
    {"Write SIMD16 R, scattered", DP, 13u << 14 | R16 | 1, 4, 0, SCATTERED, 0xffff, false, false},
    {"Atomic add SIMD16, one place", DP, 6u << 14 | 7u << 8 | 1, 4, 0, ONE, 0xffff, false, false},
    {"Atomic add SIMD16, in a row", DP, 6u << 14 | 7u << 8 | 1, 4, 0, ROW, 0xffff, false, false},
    {"SLM read SIMD16 R, in a row", DP, 5u << 14 | R16 | 254, 2, 2, ROW, 0xffff, false, false},
    {"SLM read SIMD16 R, half the slots", DP, 5u << 14 | R16 | 254, 2, 2, ROW, 0x5a3c, false,
     false},
    {"SLM read SIMD16 R, one place", DP, 5u << 14 | R16 | 254, 2, 2, ONE, 0xffff, false, false},
    {"SLM read SIMD16 R, scattered", DP, 5u << 14 | R16 | 254, 2, 2, SCATTERED, 0xffff, false,
     false},
    {"SLM read SIMD16 RGBA, one place", DP, 5u << 14 | 1u << 12 | 254, 2, 8, ONE, 0xffff, false,
     false},
    {"SLM write SIMD16 R, in a row", DP, 13u << 14 | R16 | 254, 4, 0, ROW, 0xffff, false, false},
    {"SLM write SIMD16 R, half the slots", DP, 13u << 14 | R16 | 254, 4, 0, ROW, 0x5a3c, false,
     false},
    {"SLM write SIMD16 R, scattered", DP, 13u << 14 | R16 | 254, 4, 0, SCATTERED, 0xffff, false,
     false},
    {"SLM atomic inc SIMD16, scattered", DP, 6u << 14 | 5u << 8 | 254, 2, 0, SCATTERED, 0xffff,
     false, false},
    {"SLM atomic add SIMD16, scattered", DP, 6u << 14 | 7u << 8 | 254, 4, 0, SCATTERED, 0xffff,
     false, false},
    {"SLM atomic add SIMD16, answered", DP, 6u << 14 | 1u << 13 | 7u << 8 | 254, 4, 2, SCATTERED,
     0xffff, false, false},
    {"SLM atomic add SIMD16, one place", DP, 6u << 14 | 7u << 8 | 254, 4, 0, ONE, 0xffff, false,
     false},
    {"Memory fence", DP, 7u << 14 | 1u << 13, 1, 1, ROW, 0xffff, true, false},
    {"Barrier message", SFID_GATEWAY, 4, 1, 0, ROW, 0xff, false, false},
    {"End of a GPGPU thread", SFID_THREAD_SPAWNER, 1u << 4, 1, 0, ROW, 0xff, false, true},
};

static void
small_payload(struct bench *b, const struct small *k, uint32_t round)
{
   uint32_t u[16];
   for (uint32_t i = 0; i < 16; i++)
      u[i] = k->pattern == ROW   ? 64 * (round & 15) + 4 * i
             : k->pattern == ONE ? 64 * (round & 15)
                                 : ((round & 15) * 16 + i) * 2654435761u >> 18 & 0x3ff0;
   memcpy(eu_grf(&b->t, 10), u, sizeof(u));
   if (k->sfid == SFID_GATEWAY)
      eu_grf(&b->t, 10)[2] = 0;
}

/* Seconds a message, the best of several passes; the payload stays for a hundred messages. */
static double
run_small(struct bench *b, const struct small *k)
{
   enum { ROUNDS = 4000, REPEAT = 100 };
   double best = 1;
   struct sf_quick q;
   struct sf_message m = {.sfid = (uint8_t)k->sfid,
                          .eot = k->eot,
                          .header = k->header,
                          .mlen = (uint8_t)k->mlen,
                          .rlen = (uint8_t)k->rlen,
                          .exec_size = 16,
                          .exec_mask = k->mask,
                          .desc = k->control | (uint32_t)k->header << 19 | k->rlen << 20 |
                                  k->mlen << 25,
                          .payload = (uint8_t *)eu_grf(&b->t, 10),
                          .response = k->rlen ? (uint8_t *)eu_grf(&b->t, 60) : NULL};
   sf_quick_select(&q, b->dev, k->sfid, m.desc, k->eot, 10, 60);
   for (unsigned pass = 0; pass < 3; pass++) {
      double start = now();
      for (uint32_t round = 0; round < ROUNDS; round++) {
         small_payload(b, k, round);
         for (unsigned i = 0; i < REPEAT; i++)
            if (!q.fn || !q.fn(&b->t, &q, m.exec_mask))
               sf_send(&b->t, &m);
      }
      double each = (now() - start) / (ROUNDS * REPEAT);
      best = each < best ? each : best;
   }
   return best;
}

/* One memcpy of everything, memory to memory: what a person would do with that much data. */
static double
run_bulk(struct bench *b)
{
   uint8_t *other = malloc(b->size);
   double best = 0;
   if (!other)
      return 0;
   memset(other, 1, b->size);
   for (unsigned pass = 0; pass < 5; pass++) {
      double start = now();
      memcpy(other, b->host + (DATA - BASE), b->size);
      __asm__ volatile("" : : "r"(other) : "memory");
      double rate = b->size / (now() - start);
      best = rate > best ? rate : best;
   }
   free(other);
   return best;
}

int
main(int argc, char **argv)
{
   static struct bench b;
   unsigned mib = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 64;
   if (mib < 1 || mib > 512 || setup(&b, mib << 20)) {
      fprintf(stderr, "bench_dataport: cannot set up %u MiB\n", mib);
      return 1;
   }
   double bulk = run_bulk(&b);
   printf("%u MiB; memcpy of all of it %.2f GB/s\n", mib, bulk / 1e9);
   printf("%-40s %8s %10s %16s %14s\n", "message", "GB/s", "of memcpy", "of memcpy by the",
          "ns a message");
   printf("%-40s %8s %10s %16s\n", "", "", "", "message's bytes");
   for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      const struct kind *k = &kinds[i];
      if (argc > 2 && !strstr(k->name, argv[2]))
         continue;
      double chunked = run_memcpy(&b, k->bytes, k->rlen == 0), rate = run_messages(&b, k);
      printf("%-40s %8.2f %9.0f%% %15.0f%% %14.1f\n", k->name, rate / 1e9, 100 * rate / bulk,
             100 * rate / chunked, 1e9 * k->bytes / rate);
   }
   printf("\n%-40s %14s\n", "message", "ns a message");
   for (unsigned i = 0; i < sizeof(small_kinds) / sizeof(small_kinds[0]); i++)
      if (argc < 3 || strstr(small_kinds[i].name, argv[2]))
         printf("%-40s %14.1f\n", small_kinds[i].name, 1e9 * run_small(&b, &small_kinds[i]));
   pergola_machine_destroy(&b.machine);
   return 0;
}
