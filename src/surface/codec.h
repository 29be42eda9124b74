/* Decoders of compressed blocks: 8 bits a channel (or half floats), row by row. */
#ifndef PERGOLA_CODEC_H
#define PERGOLA_CODEC_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct codec_bits {
   uint64_t lo, hi;
};

static inline struct codec_bits
codec_load(const void *block, unsigned bytes)
{
   struct codec_bits b = {0, 0};
   memcpy(&b.lo, block, 8);
   if (bytes == 16)
      memcpy(&b.hi, (const uint8_t *)block + 8, 8);
   return b;
}

/* Bits [start + count - 1 : start], count up to 32. */
static inline uint32_t
codec_get(const struct codec_bits *b, unsigned start, unsigned count)
{
   uint64_t v =
       start >= 64 ? b->hi >> (start - 64) : b->lo >> start | (start ? b->hi << (64 - start) : 0);
   return (uint32_t)(v & ((UINT64_C(1) << count) - 1));
}

/* Few bits to eight by repeating them. */
static inline uint8_t
codec_widen(uint32_t v, unsigned bits)
{
   v <<= 8 - bits;
   return (uint8_t)(v | v >> bits);
}

typedef uint8_t codec_rgba[4];

void codec_bc1(const uint8_t *block, bool four_colours, codec_rgba out[16]);
void codec_bc2(const uint8_t *block, codec_rgba out[16]);
void codec_bc3(const uint8_t *block, codec_rgba out[16]);
/* One channel; the values are codes of 0 … 255, or -127 … 127 when is_signed. */
void codec_bc4(const uint8_t *block, bool is_signed, int16_t out[16]);
void codec_bc6h(const uint8_t *block, bool is_signed, uint16_t out[16][3]);
void codec_bc7(const uint8_t *block, codec_rgba out[16]);
void codec_fxt1(const uint8_t *block, codec_rgba out[32]);
enum codec_etc { CODEC_ETC_1, CODEC_ETC_2, CODEC_ETC_2_PUNCH };
void codec_etc(const uint8_t *block, enum codec_etc kind, codec_rgba out[16]);
/* Codes of 0 … 2047, or -1023 … 1023 when is_signed. */
void codec_eac11(const uint8_t *block, bool is_signed, int16_t out[16]);
void codec_eac8(const uint8_t *block, uint8_t out[16]);

#endif
