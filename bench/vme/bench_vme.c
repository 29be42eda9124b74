/* Macroblocks a second of VME, on one core, beside what a person would use instead.
 *
 * usage: bench_vme [SECONDS]
 *
 * The work: luma of 1280x720, the frame before as reference, messages made as a kernel would make
 * them. Peers in the same run, when they are installed: ffmpeg's mestimate (exhaustive and EPZS,
 * ±16) and x264's search (umh, one thread); psadbw is what the CPU does at best. */
#include "pergola/pergola_machine.h"
#include "shared_functions/vme/vme.h"
#include "surface/surface.h"

#include <immintrin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define W 1280u
#define H 720u
#define BASE 0x100000u
#define SIZE 0x1000000u
#define STATE 0x100000u
#define LUT 0x110000u
#define PICTURE(i) (0x200000u + 0x200000u * (i))
#define FRAMES 8

static double
now(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts); /* what others do on the machine does not count */
   return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* Smooth texture that pans, with noise: a quarter pixel a frame off the grid. */
static void
draw(uint8_t *px, unsigned frame)
{
   uint32_t seed = 1 + frame;
   double dx = 2.25 * frame, dy = -1.5 * frame;
   static float wave[3][4096];
   for (unsigned k = 0; k < 3; k++)
      for (unsigned i = 0; i < 4096; i++)
         wave[k][i] = (float)sin(i * 2 * M_PI / 4096 * (k + 1) + k);
   for (unsigned y = 0; y < H; y++)
      for (unsigned x = 0; x < W; x++) {
         unsigned a = (unsigned)((x + dx) * 41 + (y + dy) * 23),
                  b = (unsigned)((x + dx) * 151 - (y + dy) * 97);
         unsigned c = (unsigned)((y + dy) * 301 + (x + dx) * 17);
         seed = seed * 1664525u + 1013904223u;
         px[y * W + x] = (uint8_t)(128 + 50 * wave[0][a % 4096] + 35 * wave[1][b % 4096] +
                                   25 * wave[2][c % 4096] + (seed >> 24) % 8);
      }
}

struct bench {
   struct pergola_machine machine;
   struct pergola_device *dev;
   uint8_t *host;
   struct eu_env env;
   struct eu_thread *t;
   uint8_t (*frame)[W * H];
};

static void
setup(struct bench *b)
{
   struct pergola_config config = {.check = PERGOLA_CHECK_OFF, .host_threads = 1};
   struct pergola_machine_memory memory = {
       .physical = BASE, .size = SIZE, .graphics = BASE, .mapped = SIZE};
   b->frame = malloc(FRAMES * sizeof(*b->frame));
   b->t = aligned_alloc(64, (sizeof(*b->t) + 63) & ~(size_t)63);
   if (!b->frame || !b->t || pergola_machine_create(&b->machine, &config, &memory, NULL))
      exit(1);
   b->dev = b->machine.dev;
   b->host = b->machine.memory;
   for (unsigned i = 0; i < FRAMES; i++)
      draw(b->frame[i], i);
   for (uint32_t i = 0; i < 3; i++) {
      uint32_t dw[8], at = 0x1000 + 32 * i;
      struct hw_media_surface_state st = {.surface_base_address = PICTURE(i),
                                          .width = W - 1,
                                          .height = H - 1,
                                          .surface_format = GEN7_MEDIA_SURFACE_FORMAT_Y8_UNORM,
                                          .surface_pitch = W - 1};
      gen7_media_surface_state_pack(dw, &st);
      memcpy(b->host + (STATE - BASE) + at, dw, 32);
      memcpy(b->host + (STATE - BASE) + 4 * i, &at, 4);
      memcpy(b->host + (PICTURE(i) - BASE), b->frame[i == 0 ? 1 : i == 1 ? 0 : 2], W * H);
   }
   b->env = (struct eu_env){.dev = b->dev,
                            .space = &b->dev->ggtt,
                            .surface_state_base = STATE,
                            .dynamic_state_base = LUT,
                            .engine = "EU",
                            .media_pipeline = true};
   memset(b->t, 0, sizeof(*b->t));
   b->t->env = &b->env;
}

struct work {
   const char *name;
   unsigned search; /* 0: the whole 48x40 window, 1: 16 units and the adaptive walk */
   unsigned subpel, shapes, dual;
};

static void
make_request(struct bench *b, const struct work *w, uint32_t in[5][8])
{
   uint8_t path[128] = {0};
   unsigned n = 0, columns = w->dual ? 4 : 8, rows = w->dual ? 4 : 6;
   if (w->search) {
      static const uint8_t turn[4] = {0x01, 0x10, 0x0f, 0xf0};
      for (unsigned side = 1, k = 0; n < 15; k++) {
         for (unsigned i = 0; i < side && n < 15; i++)
            path[n++] = turn[k % 4];
         side += k & 1;
      }
   } else {
      for (unsigned y = 0; y < rows; y++) {
         for (unsigned i = 1; i < columns; i++)
            path[n++] = y % 2 ? 0x0f : 0x01;
         if (y + 1 < rows)
            path[n++] = 0x10;
      }
   }
   for (unsigned i = 0; i < 8; i++)
      path[72 + i] = (uint8_t)(2 * i);
   memcpy(b->host + (LUT - BASE), path, 128);
   struct hw_vme_m0 m0 = {.ref0x = w->dual ? -8 : -16,
                          .ref0y = w->dual ? -8 : -12,
                          .ref1x = -8,
                          .ref1y = -8,
                          .refwidth = w->dual ? 32 : 48,
                          .refheight = w->dual ? 32 : 40,
                          .subpelmode = w->subpel,
                          .submbpartmask = w->shapes,
                          .searchctrl = w->dual ? 7 : 0};
   struct hw_vme_m1 m1 = {.lensp = n + 1,
                          .maxnumsu = w->search ? 40 : n + 1,
                          .adaptiveen = w->search,
                          .maxnummvs = 32,
                          .biweight = 32};
   if (w->search) {
      m1.start0x = 3;
      m1.start0y = 2;
   }
   memset(in, 0, 5 * 32);
   gen7_vme_m0_pack(in[0], &m0);
   gen7_vme_m1_pack(in[1], &m1);
}

/* Macroblocks a second. */
static double
measure(struct bench *b, const struct work *w, double seconds, double *units)
{
   uint32_t in[5][8];
   uint64_t count = 0, searched = 0;
   struct sf_message m = {.sfid = SFID_VME,
                          .header = true,
                          .mlen = 5,
                          .rlen = 6,
                          .exec_size = 8,
                          .exec_mask = 0xff,
                          .desc = 0x0a680000 | 1u << 13};
   m.payload = b->t->grf + 10 * EU_REG_SIZE;
   m.response = b->t->grf + 40 * EU_REG_SIZE;
   make_request(b, w, in);
   memcpy(eu_grf(b->t, 10), in, sizeof(in));
   double start = now(), end;
   do {
      for (unsigned y = 0; y < H / 16; y++)
         for (unsigned x = 0; x < W / 16; x++) {
            eu_grf(b->t, 10)[2] = x * 16 | y * 16 << 16;
            sf_vme(b->t, &m);
            searched += eu_grf(b->t, 40)[1] >> 8 & 0xff;
         }
      count += (W / 16) * (H / 16);
      end = now();
   } while (end - start < seconds);
   *units = (double)searched / (double)count;
   return (double)count / (end - start);
}

/* ---- peers ---- */

static void
write_video(struct bench *b, const char *path, unsigned repeats)
{
   FILE *f = fopen(path, "wb");
   uint8_t chroma[W / 2];
   memset(chroma, 128, sizeof(chroma));
   if (!f)
      return;
   fprintf(f, "YUV4MPEG2 W%u H%u F25:1 Ip C420jpeg\n", W, H);
   for (unsigned i = 0; i < FRAMES * repeats; i++) {
      fputs("FRAME\n", f);
      fwrite(b->frame[i % (2 * FRAMES) < FRAMES ? i % FRAMES : FRAMES - 1 - i % FRAMES], W * H, 1,
             f);
      for (unsigned y = 0; y < H; y++)
         fwrite(chroma, W / 2, 1, f);
   }
   fclose(f);
}

/* CPU seconds of a command and what it started; below 0: it is not there or failed. */
static double
cpu_seconds(const char *command)
{
   struct rusage before, after;
   getrusage(RUSAGE_CHILDREN, &before);
   int status = system(command);
   getrusage(RUSAGE_CHILDREN, &after);
   if (status)
      return -1;
#define SECONDS(r)                                                                                 \
   ((double)(r).ru_utime.tv_sec + 1e-6 * (double)(r).ru_utime.tv_usec +                            \
    (double)(r).ru_stime.tv_sec + 1e-6 * (double)(r).ru_stime.tv_usec)
   return SECONDS(after) - SECONDS(before);
}

/* Macroblocks a second of a command over so many frames, less what the same without the search
 * takes. */
static double
peer(const char *name, const char *with, const char *without, unsigned frames)
{
   double a = cpu_seconds(with), b = without ? cpu_seconds(without) : 0;
   if (a <= 0 || b < 0 || a <= b) {
      printf("%-44s not measured (not installed, or failed)\n", name);
      return 0;
   }
   double rate = (double)frames * (W / 16) * (H / 16) / (a - b);
   printf("%-44s %10.0f macroblocks/s\n", name, rate);
   return rate;
}

static double
psadbw(void)
{
   static uint8_t a[32 * 64], c[32 * 64];
   uint64_t sum = 0, count = 0;
   double start = now(), end;
   do {
      for (unsigned i = 0; i < 100000; i++) {
         __m128i s = _mm_setzero_si128();
         for (unsigned k = 0; k < 64; k++)
            s = _mm_add_epi64(s, _mm_sad_epu8(_mm_load_si128((__m128i *)(void *)a + (k + i) % 64),
                                              _mm_load_si128((__m128i *)(void *)c + k)));
         sum += (uint64_t)_mm_cvtsi128_si64(s);
      }
      count += 6400000;
      end = now();
   } while (end - start < 0.2);
   a[0] = (uint8_t)sum;
   return (double)count / (end - start);
}

int
main(int argc, char **argv)
{
   static const struct work works[] = {
       {"whole 48x40 window, all shapes", 0, 0, 0, 0},
       {"whole 48x40 window, all shapes, quarter", 0, 3, 0, 0},
       {"16 units + walk, 16x16 and 8x8, quarter", 1, 3, 0x76, 0},
       {"16 units + walk, all shapes, quarter", 1, 3, 0, 0},
       {"two 32x32 windows, all shapes, quarter, BME", 0, 3, 0, 1},
   };
   double seconds = argc > 1 ? atof(argv[1]) : 1, rate[5];
   struct bench b;
   char path[64], with[512], without[512];
   setup(&b);
   printf("%s, 1280x720, one core\n", vme_dsp_select()->name);
   for (unsigned i = 0; i < 5; i++) {
      double units;
      rate[i] = measure(&b, &works[i], seconds, &units);
      printf("%-44s %10.0f macroblocks/s, %4.1f units each, 1080p %5.1f frames/s\n", works[i].name,
             rate[i], units, rate[i] / 8160);
   }
   snprintf(path, sizeof(path), "/tmp/bench_vme-%d.y4m", (int)getpid());
   write_video(&b, path, 8);
#define FFMPEG                                                                                     \
   "ffmpeg -nostdin -v error -threads 1 -filter_threads 1 -i %s -frames:v %u %s -f null - "        \
   ">/dev/null 2>&1"
   snprintf(without, sizeof(without), FFMPEG, path, 8u, "");
   snprintf(with, sizeof(with), FFMPEG, path, 4u,
            "-vf mestimate=method=esa:mb_size=16:search_param=16");
   double esa = peer("ffmpeg mestimate esa, +-16", with, NULL, 3);
   snprintf(without, sizeof(without), FFMPEG, path, 32u, "");
   snprintf(with, sizeof(with), FFMPEG, path, 32u,
            "-vf mestimate=method=epzs:mb_size=16:search_param=16");
   double epzs = peer("ffmpeg mestimate epzs, +-16", with, without, 31);
#define X264                                                                                       \
   "x264 --quiet --no-progress --threads 1 --me %s --subme %u --merange 16 --ref 1 --bframes 0 "   \
   "--no-mbtree --rc-lookahead 0 --scenecut 0 --qp 28 -o /dev/null %s >/dev/null 2>&1"
   snprintf(with, sizeof(with), X264, "umh", 4u, path);
   snprintf(without, sizeof(without), X264, "dia", 0u, path);
   double umh = peer("x264 umh, subme 4, over dia, subme 0", with, without, 63);
   unlink(path);
   printf("%-44s %10.2f Gop/s\n", "psadbw", psadbw() / 1e9);
   if (esa)
      printf("whole window: %.0f times esa (goal 30)\n", rate[0] / esa);
   if (epzs)
      printf("16 units + walk, quarter: %.2f times epzs (goal 2)\n", rate[2] / epzs);
   if (umh)
      printf("16 units + walk, quarter: %.2f times x264 umh (goal 0.3)\n", rate[2] / umh);
   printf("1080p: %.1f frames/s (goal 30)\n", rate[2] / 8160);
   return 0;
}
