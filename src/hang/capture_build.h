/* Private to src/hang: how the readers put a capture together. */
#ifndef PERGOLA_HANG_CAPTURE_BUILD_H
#define PERGOLA_HANG_CAPTURE_BUILD_H

#include "hang/capture.h"

struct reader {
   struct capture *capture;
   const uint8_t *bytes;
   size_t size;
   char *error; /* of 160 characters */
};

/* Each reads the whole input; false: it is not such a file, or it cannot be used (error says why).
 */
bool error_state_is(const uint8_t *bytes, size_t size);
bool error_state_read(struct reader *r);
bool aub_is(const uint8_t *bytes, size_t size);
bool aub_read(struct reader *r);
bool hang_dump_is(const uint8_t *bytes, size_t size);
bool hang_dump_read(struct reader *r);

/* A new block that takes over `bytes` (from malloc; freed on failure too). False: too many, too
 * much memory, or none left. */
bool capture_add_block(struct capture *c, const struct capture_block *b);
bool capture_add_object(struct capture *c, uint64_t address, uint64_t size);
void capture_add_register(struct capture_registers *r, const char *name, size_t length,
                          uint64_t value);

/* Data of an error state: dwords in base 85, and what zlib made of such. Both return malloc'ed
 * bytes (NULL: no memory, or more than the limit) and say by *cut that the text or the stream ends
 * too early. */
uint8_t *ascii85_decode(const char *text, size_t length, uint64_t limit, size_t *size, bool *cut);
uint8_t *zlib_inflate(const uint8_t *packed, size_t packed_size, uint64_t limit, size_t *size,
                      bool *cut);

#endif
