/* Compressed blocks that a host thread has decoded. They are found by what they are made of, not by
 * where they lie, so that none is ever stale. */
#ifndef PERGOLA_DECODED_H
#define PERGOLA_DECODED_H

#include "surface/format.h"

#include <string.h>

#define DECODED_BLOCKS_LOG2 8u

struct decoded_block {
   const struct format_info *format;
   uint64_t code[2];
   format_texel texels[16];
};

struct decoded_blocks {
   struct decoded_block block[1u << DECODED_BLOCKS_LOG2];
};

/* The texels of a block of 4 by 4, of 8 or 16 bytes. */
static inline const format_texel *
decoded_texels(struct decoded_blocks *d, const struct format_info *f, const uint8_t *element,
               unsigned size_B)
{
   uint64_t code[2] = {0, 0};
   memcpy(code, element, size_B);
   uint64_t mixed =
       (code[0] ^ code[1] * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
   struct decoded_block *b = &d->block[mixed >> (64 - DECODED_BLOCKS_LOG2)];
   if (__builtin_expect(b->code[0] != code[0] || b->code[1] != code[1] || b->format != f, 0)) {
      format_decode_block(f, code, b->texels); /* SMP-078 */
      b->format = f;
      b->code[0] = code[0];
      b->code[1] = code[1];
   }
   return (const format_texel *)b->texels;
}

#endif
