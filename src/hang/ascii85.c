/* The packing of captured memory since Linux 4.10: zlib, then base 85. */
#include "hang/capture_build.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A dword is five digits, the most significant first, or 'z' for zero. */
uint8_t *
ascii85_decode(const char *text, size_t length, uint64_t limit, size_t *size, bool *cut)
{
   size_t dwords = 0, at = 0;
   *size = 0;
   *cut = true;
   for (size_t i = 0; i < length; i += text[i] == 'z' ? 1 : 5)
      dwords++;
   uint8_t *out = dwords <= limit / 4 ? malloc(dwords ? 4 * dwords : 1) : NULL;
   if (!out)
      return NULL;
   *cut = false;
   for (size_t i = 0; i < length;) {
      uint64_t v = 0;
      unsigned digits = text[i] == 'z' ? 0 : 5;
      for (unsigned k = 0; k < digits && !*cut; k++) {
         unsigned digit = i + k < length ? (unsigned char)text[i + k] - '!' : 85;
         *cut = digit >= 85;
         v = 85 * v + digit;
      }
      if (*cut || v > UINT32_MAX) {
         *cut = true;
         break;
      }
      uint32_t dword = (uint32_t)v;
      memcpy(out + at, &dword, 4);
      at += 4;
      i += digits ? 5 : 1;
   }
   *size = at;
   return out;
}

uint8_t *
zlib_inflate(const uint8_t *packed, size_t packed_size, uint64_t limit, size_t *size, bool *cut)
{
   z_stream z = {.next_in = (Bytef *)packed, .avail_in = (uInt)packed_size};
   size_t room = packed_size < (1u << 20) ? 1u << 16 : 4 * packed_size;
   room = room > limit ? (size_t)limit : room;
   uint8_t *out = malloc(room ? room : 1);
   *size = 0;
   *cut = true;
   if (!out || packed_size > UINT32_MAX || inflateInit(&z) != Z_OK) {
      free(out);
      return NULL;
   }
   for (int state = Z_OK; state == Z_OK;) {
      if (*size == room) {
         if (room >= limit)
            break; /* more than anybody captured: a bomb */
         room = 2 * room > limit ? (size_t)limit : 2 * room;
         uint8_t *more = realloc(out, room);
         if (!more)
            break;
         out = more;
      }
      z.next_out = out + *size;
      z.avail_out = room - *size > UINT32_MAX ? UINT32_MAX : (uInt)(room - *size);
      state = inflate(&z, Z_NO_FLUSH);
      *size = (size_t)(z.next_out - out);
      *cut = state != Z_STREAM_END;
   }
   inflateEnd(&z);
   return out;
}
