#include "apng.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static uint8_t *
put32(uint8_t *at, uint32_t v)
{
   for (int i = 24; i >= 0; i -= 8)
      *at++ = (uint8_t)(v >> i);
   return at;
}

static void
chunk(struct apng *a, const char kind[4], const uint8_t *data, size_t size)
{
   uint8_t head[8], tail[4];
   put32(head, (uint32_t)size);
   memcpy(head + 4, kind, 4);
   uLong crc = crc32(crc32(0, NULL, 0), head + 4, 4);
   if (size)
      crc = crc32(crc, data, (uInt)size);
   put32(tail, (uint32_t)crc);
   fwrite(head, 1, 8, a->f);
   fwrite(data, 1, size, a->f);
   fwrite(tail, 1, 4, a->f);
}

bool
apng_begin(struct apng *a, const char *path, uint32_t width, uint32_t height, uint32_t frames)
{
   static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
   *a = (struct apng){.f = fopen(path, "wb"), .width = width, .height = height};
   if (!a->f) {
      fprintf(stderr, "pergola: %s: %s\n", path, strerror(errno));
      return false;
   }
   uint8_t header[13] = {0}, control[8];
   put32(put32(header, width), height);
   header[8] = 8; /* bits, and then: colour without alpha */
   header[9] = 2;
   put32(put32(control, frames), 0);
   fwrite(magic, 1, 8, a->f);
   chunk(a, "IHDR", header, sizeof(header));
   chunk(a, "acTL", control, sizeof(control));
   return true;
}

static void
put_control(struct apng *a, const struct apng_frame *frame)
{
   uint8_t control[26] = {0}, *at = put32(control, a->sequence++);
   at = put32(put32(put32(put32(at, frame->width), frame->height), frame->x), frame->y);
   at[0] = (uint8_t)(frame->delay_ms >> 8);
   at[1] = (uint8_t)frame->delay_ms;
   at[2] = 1000 >> 8;
   at[3] = 1000 & 255;
   chunk(a, "fcTL", control, sizeof(control));
}

void
apng_add(struct apng *a, const struct apng_frame *frame, const uint8_t *pixels)
{
   bool first = !a->sequence;
   size_t row = (size_t)frame->width * 3 + 1, size = row * frame->height;
   uLongf packed = compressBound((uLong)size);
   uint8_t *rows = calloc(1, size), *out = malloc(packed + 4);
   for (uint32_t y = 0; rows && y < frame->height; y++) /* a byte before each: no filter */
      memcpy(rows + y * row + 1, pixels + (((size_t)frame->y + y) * a->width + frame->x) * 3,
             row - 1);
   if (!rows || !out || compress(out + 4, &packed, rows, (uLong)size) != Z_OK) {
      a->failed = true;
   } else {
      put_control(a, frame);
      if (!first)
         put32(out, a->sequence++);
      chunk(a, first ? "IDAT" : "fdAT", first ? out + 4 : out, first ? packed : packed + 4);
   }
   free(rows);
   free(out);
}

bool
apng_end(struct apng *a, const char *path)
{
   chunk(a, "IEND", NULL, 0);
   bool bad = ferror(a->f) || a->failed;
   bad |= fclose(a->f) != 0;
   if (bad)
      fprintf(stderr, "pergola: %s cannot be written\n", path);
   return !bad;
}
