/* Blits beside memcpy of the same bytes, in one run. Goals: a linear 32-bit copy at 30% of memcpy
 * or more; tiled copies within three times of the linear copy as measured. */
#include "pergola/pergola_machine.h"
#include "blitter/blitter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WIDTH 1920u
#define HEIGHT 1080u
#define PITCH_B 8192u /* a whole number of X tiles, and of Y tiles */
#define SURFACE_B (PITCH_B * 1088u)
#define DST 0x01000000u
#define SRC (DST + SURFACE_B)
#define ROUNDS 24

static double
now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct bench {
   struct pergola_device *dev;
   uint8_t *ram;
};

static void
run(struct bench *b, const uint32_t *dw, unsigned count)
{
   struct cs_command c = {.dev = b->dev,
                          .desc = hw_command_find(dw[0], HW_BCS, HW_IVB),
                          .dw = dw,
                          .count_dw = count,
                          .space = &b->dev->ggtt};
   uint64_t budget = UINT64_MAX;
   if (blitter_command(b->dev->blitter, &c, &budget) != CS_DONE)
      abort();
}

/* The best of several rounds, in bytes per second. */
static double
rate(struct bench *b, const uint32_t *dw, unsigned count)
{
   double best = 1e9;
   for (unsigned i = 0; i < ROUNDS; i++) {
      double t0 = now();
      run(b, dw, count);
      double t = now() - t0;
      best = t < best ? t : best;
   }
   return WIDTH * HEIGHT * 4.0 / best;
}

static double
memcpy_rate(struct bench *b)
{
   double best = 1e9;
   for (unsigned i = 0; i < ROUNDS; i++) {
      double t0 = now();
      for (unsigned y = 0; y < HEIGHT; y++)
         memcpy(b->ram + y * PITCH_B, b->ram + SURFACE_B + y * PITCH_B, WIDTH * 4);
      __asm__ volatile("" ::: "memory");
      double t = now() - t0;
      best = t < best ? t : best;
   }
   return WIDTH * HEIGHT * 4.0 / best;
}

static double
copy_rate(struct bench *b, uint32_t tiling, uint32_t swctrl, uint32_t rop)
{
   uint32_t src_pitch = tiling & 1u << 15 ? PITCH_B / 4 : PITCH_B;
   uint32_t pitch = tiling & 1u << 11 ? PITCH_B / 4 : PITCH_B;
   uint32_t dw[] = {0x40000000u | 0x53u << 22 | 3u << 20 | tiling | 6,
                    3u << 24 | rop << 16 | pitch,
                    0,
                    HEIGHT << 16 | WIDTH,
                    DST,
                    0,
                    src_pitch,
                    SRC};
   reg_set(b->dev, REG_BCS_SWCTRL, swctrl);
   return rate(b, dw, 8);
}

static bool
line(const char *name, double bytes_per_second, double peer, double least)
{
   double ratio = bytes_per_second / peer;
   bool good = ratio >= least;
   printf("%-34s %8.0f MB/s  %5.2f x memcpy (goal %.2f)%s\n", name, bytes_per_second / 1e6, ratio,
          least, good ? "" : "  MISSED");
   return good;
}

int
main(void)
{
   struct pergola_config config = {.check = PERGOLA_CHECK_REPORT, .host_threads = 1};
   size_t size = 2 * (size_t)SURFACE_B;
   struct pergola_machine m;
   struct pergola_machine_memory memory = {
       .physical = 0x40000000, .size = size, .graphics = DST, .mapped = size};
   if (pergola_machine_create(&m, &config, &memory, NULL))
      return 1;
   struct bench b = {.dev = m.dev, .ram = m.memory};
   memset(b.ram, 0x5a, size);
   double peer = memcpy_rate(&b);
   printf("%-34s %8.0f MB/s\n", "memcpy, 1920x1080 at 32 bits", peer / 1e6);
   double linear = copy_rate(&b, 0, 0, 0xcc), third = linear / peer / 3;
   bool good = line("copy, linear to linear", linear, peer, 0.30);
   good &=
       line("copy, X tiled to X tiled", copy_rate(&b, 1u << 15 | 1u << 11, 0, 0xcc), peer, third);
   good &=
       line("copy, Y tiled to Y tiled", copy_rate(&b, 1u << 15 | 1u << 11, 3, 0xcc), peer, third);
   good &= line("copy, linear to X tiled", copy_rate(&b, 1u << 11, 0, 0xcc), peer, third);
   good &= line("copy, linear to Y tiled", copy_rate(&b, 1u << 11, 2, 0xcc), peer, third);
   good &= line("copy, Y tiled to linear", copy_rate(&b, 1u << 15, 1, 0xcc), peer, third);
   good &=
       line("copy, X tiled to Y tiled", copy_rate(&b, 1u << 15 | 1u << 11, 2, 0xcc), peer, third);
   line("exclusive or, linear", copy_rate(&b, 0, 0, 0x66), peer, 0);
   reg_set(b.dev, REG_BCS_SWCTRL, 0);
   printf("the linear copy takes the time of %.2f memcpy\n", peer / linear);
   uint32_t fill[] = {0x40000000u | 0x50u << 22 | 3u << 20 | 4,
                      3u << 24 | 0xf0u << 16 | PITCH_B,
                      0,
                      HEIGHT << 16 | WIDTH,
                      DST,
                      0x11223344};
   line("fill, linear", rate(&b, fill, 6), peer, 0);
   pergola_machine_destroy(&m);
   return good ? 0 : 1;
}
