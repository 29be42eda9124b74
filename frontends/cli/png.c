#include "cli.h"

#ifdef PERGOLA_PNG
#include <png.h>

bool
cli_write_png(const char *path, enum cli_pixels pixels, uint32_t width, uint32_t height,
              const void *data)
{
   static const png_uint_32 format[] = {
       [CLI_RGB] = PNG_FORMAT_RGB, [CLI_BGRA] = PNG_FORMAT_BGRA, [CLI_GRAY] = PNG_FORMAT_GRAY};
   png_image image = {
       .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = format[pixels]};
   if (png_image_write_to_file(&image, path, 0, data, 0, NULL))
      return true;
   fprintf(stderr, "pergola: %s: %s\n", path, image.message);
   return false;
}
#else
bool
cli_write_png(const char *path, enum cli_pixels pixels, uint32_t width, uint32_t height,
              const void *data)
{
   (void)pixels, (void)width, (void)height, (void)data;
   fprintf(stderr, "pergola: %s: this pergola was built without libpng\n", path);
   return false;
}
#endif
