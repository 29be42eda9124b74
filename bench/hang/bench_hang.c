/* How fast an error state of 100 MB is read, beside zlib alone on the same stream. */
#include "hang/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define TEXT (100u << 20)
#define MEMORY (76u << 20)

static double
now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static size_t
pack85(char *out, const uint8_t *bytes, size_t size)
{
   char *at = out;
   for (size_t i = 0; i < size; i += 4) {
      uint32_t v = 0;
      memcpy(&v, bytes + i, size - i < 4 ? size - i : 4);
      if (!v) {
         *at++ = 'z';
         continue;
      }
      for (int k = 4; k >= 0; k--, v /= 85)
         at[k] = (char)('!' + v % 85);
      at += 5;
   }
   return (size_t)(at - out);
}

int
main(void)
{
   uint8_t *memory = malloc(MEMORY), *out = malloc(MEMORY);
   uLongf packed_size = compressBound(MEMORY);
   uint8_t *packed = malloc(packed_size);
   char *text = malloc(2 * (size_t)TEXT), error[160];
   uint32_t seed = 1;
   if (!memory || !out || !packed || !text)
      return 1;
   for (size_t i = 0; i < MEMORY; i++) { /* pixels and code: it packs little */
      seed = seed * 1664525u + 1013904223u;
      memory[i] = (uint8_t)(seed >> 24);
   }
   if (compress2(packed, &packed_size, memory, MEMORY, 1) != Z_OK)
      return 1;
   size_t n = (size_t)sprintf(text, "GPU HANG: ecode 7:1:85fdfffd, in a [1]\nPCI ID: 0x0166\n"
                                    "rcs0 command stream:\n  HEAD: 0x00000000\n"
                                    "rcs0 --- user = 0x00000000 01000000\n:");
   n += pack85(text + n, packed, packed_size);
   text[n++] = '\n';
   double begin = now();
   struct capture *c = capture_parse((const uint8_t *)text, n, error);
   double ours = now() - begin;
   if (!c || c->bytes != MEMORY || memcmp(c->block[0].bytes, memory, MEMORY))
      return 1;
   capture_free(c);
   uLongf size = MEMORY;
   begin = now();
   if (uncompress(out, &size, packed, packed_size) != Z_OK)
      return 1;
   double zlib = now() - begin;
   printf("error state of %.0f MB: %.2f s, %.0f MB/s; zlib alone on its stream: %.2f s (%.1f times "
          "as long)\n",
          (double)n / 1e6, ours, (double)n / 1e6 / ours, zlib, ours / zlib);
   free(memory);
   free(out);
   free(packed);
   free(text);
   return 0;
}
