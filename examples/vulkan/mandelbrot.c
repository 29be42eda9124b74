/* mandelbrot [--size WIDTHxHEIGHT] [--iterations N] OUT.png: a Vulkan compute program like any
 * other; it knows nothing of the device that it runs on. */
#include "vkc.h"

#include "mandelbrot.h"

#include <getopt.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAND = 64 };

static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool
write_png(const char *path, const void *rgba, uint32_t width, uint32_t height)
{
   png_image image = {
       .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
   if (png_image_write_to_file(&image, path, 0, rgba, 0, NULL))
      return true;
   fprintf(stderr, "%s: %s\n", path, image.message);
   return false;
}

static void
progress(uint32_t done, uint32_t total)
{
   if (!isatty(STDERR_FILENO))
      return;
   fprintf(stderr, "\r  rendering %3u%% [%-40.*s]", done * 100 / total, (int)(done * 40 / total),
           "########################################");
   if (done == total)
      fputc('\n', stderr);
}

int
main(int argc, char **argv)
{
   uint32_t width = 640, height = 400, limit = 256;
   static const struct option known[] = {
       {"size", required_argument, NULL, 's'}, {"iterations", required_argument, NULL, 'i'}, {0}};
   int c;
   while ((c = getopt_long(argc, argv, "s:i:", known, NULL)) != -1) {
      if (c == 's' && sscanf(optarg, "%ux%u", &width, &height) == 2 && width && height &&
          width <= 8192 && height <= 8192)
         continue;
      if (c == 'i' && sscanf(optarg, "%u", &limit) == 1 && limit)
         continue;
      optind = argc;
   }
   if (optind != argc - 1) {
      fprintf(stderr, "usage: mandelbrot [--size WIDTHxHEIGHT] [--iterations N] OUT.png\n");
      return 2;
   }
   struct vkc v;
   vkc_open(&v);
   printf("device: %s\n", v.properties.deviceName);
   struct vkc_buffer pixels = vkc_buffer(&v, (uint64_t)width * height * 4, 0);
   struct {
      float centre[2], scale;
      uint32_t width, height, first_row, limit;
   } view = {{-0.7436f, 0.1318f}, 0.0045f, width, height, 0, limit};
   struct vkc_job job = {.spirv = mandelbrot_spv,
                         .spirv_size = sizeof(mandelbrot_spv),
                         .bindings = {{.buffer = &pixels}},
                         .binding_count = 1,
                         .push = &view,
                         .push_size = sizeof(view),
                         .groups = {(width + 15) / 16, BAND / 8, 1}};
   double start = seconds();
   for (uint32_t row = 0; row < height; row += BAND) {
      view.first_row = row;
      vkc_run(&v, &job);
      progress(row + BAND < height ? row + BAND : height, height);
   }
   printf("%ux%u pixels, up to %u iterations each, in %.2f s\n", width, height, limit,
          seconds() - start);
   bool ok = write_png(argv[optind], pixels.map, width, height);
   if (ok)
      printf("picture: %s\n", argv[optind]);
   vkc_buffer_free(&v, &pixels);
   vkc_close(&v);
   return ok ? 0 : 1;
}
