/* Pictures: the only place that knows libpng. */
#include "cli.h"

#ifdef PERGOLA_PNG
#include <errno.h>
#include <png.h>
#include <string.h>

bool
cli_write_png(const char *path, enum cli_pixels pixels, uint32_t width, uint32_t height,
              const void *data)
{
   return cli_write_png_rows(path, pixels, width, height, 0, data);
}

bool
cli_write_png_rows(const char *path, enum cli_pixels pixels, uint32_t width, uint32_t height,
                   uint32_t stride, const void *data)
{
   static const png_uint_32 format[] = {
       [CLI_RGB] = PNG_FORMAT_RGB, [CLI_BGRA] = PNG_FORMAT_BGRA, [CLI_GRAY] = PNG_FORMAT_GRAY};
   png_image image = {
       .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = format[pixels]};
   /* libpng's own function would remove what it cannot write to, a device too. */
   FILE *f = fopen(path, "wbe");
   if (!f) {
      fprintf(stderr, "pergola: %s: %s\n", path, strerror(errno));
      return false;
   }
   bool ok = png_image_write_to_stdio(&image, f, 0, data, (png_int_32)stride, NULL);
   int error = fclose(f) ? errno : 0;
   if (!ok || error)
      fprintf(stderr, "pergola: %s: %s\n", path, ok ? strerror(error) : image.message);
   return ok && !error;
}

bool
cli_read_png(const char *path, cli_rows_fn rows, void *data)
{
   png_image image = {.version = PNG_IMAGE_VERSION};
   uint32_t stride = 0;
   const char *why = NULL;
   FILE *f = cli_open_input(path, &why);
   if (!f) {
      fprintf(stderr, "pergola: '%s': %s\n", path, why);
      return false;
   }
   bool begun = png_image_begin_read_from_stdio(&image, f), ok = false;
   image.format = PNG_FORMAT_GRAY;
   uint8_t *to = begun ? rows(data, image.width, image.height, &stride) : NULL;
   if (to)
      ok = png_image_finish_read(&image, NULL, to, (png_int_32)stride, NULL);
   else if (begun)
      png_image_free(&image);
   if (!ok && (to || !begun))
      fprintf(stderr, "pergola: '%s': %s\n", path, image.message);
   fclose(f);
   return ok;
}
#else
static bool
without(const char *path)
{
   fprintf(stderr, "pergola: %s: this pergola was built without libpng\n", path);
   return false;
}

bool
cli_write_png(const char *path, enum cli_pixels pixels, uint32_t width, uint32_t height,
              const void *data)
{
   return without(path);
}

bool
cli_write_png_rows(const char *path, enum cli_pixels pixels, uint32_t width, uint32_t height,
                   uint32_t stride, const void *data)
{
   return without(path);
}

bool
cli_read_png(const char *path, cli_rows_fn rows, void *data)
{
   return without(path);
}
#endif
