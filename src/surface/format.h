/* Surface formats: what spec/formats.csv says, and conversion. */
#ifndef PERGOLA_FORMAT_H
#define PERGOLA_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum format_layout {
   FORMAT_NONE,  /* the code has no meaning */
   FORMAT_PLAIN, /* channels at bit positions */
   FORMAT_SHAREDEXP,
   FORMAT_YUV422,  /* two pixels in a dword */
   FORMAT_PALETTE, /* index, perhaps alpha */
   FORMAT_BIT,     /* one bit a texel */
   FORMAT_BLOCK,   /* compressed */
   FORMAT_PLANAR,
   FORMAT_RAW,
};

enum format_channel_type {
   CHANNEL_NONE, /* absent: reads as 0 (red, green, blue) or 1 (alpha) */
   CHANNEL_UNORM,
   CHANNEL_SNORM,
   CHANNEL_UINT,
   CHANNEL_SINT,
   CHANNEL_FLOAT,
   CHANNEL_USCALED,
   CHANNEL_SSCALED,
   CHANNEL_FIXED, /* S15.16 */
};

/* What 32 bits of a channel are outside the surface. */
enum format_class { FORMAT_CLASS_FLOAT, FORMAT_CLASS_SINT, FORMAT_CLASS_UINT };

enum format_capability {
   FORMAT_SAMPLER = 1 << 0,
   FORMAT_FILTER = 1 << 1,
   FORMAT_SHADOW = 1 << 2,
   FORMAT_CHROMA_KEY = 1 << 3,
   FORMAT_RENDER = 1 << 4,
   FORMAT_BLEND = 1 << 5,
   FORMAT_VERTEX = 1 << 6,
   FORMAT_STREAM_OUT = 1 << 7,
   FORMAT_COLOR_PROCESSING = 1 << 8,
   FORMAT_TYPED_READ = 1 << 9,
   FORMAT_TYPED_WRITE = 1 << 10,
   FORMAT_TYPED_ATOMIC = 1 << 11,
};

struct format_channel {
   uint8_t type; /* enum format_channel_type */
   uint8_t start, bits;
};

struct format_info {
   const char *name; /* "" when the code has no meaning */
   uint16_t code;
   uint16_t bits;            /* of an element: texel, or block */
   uint8_t block_w, block_h; /* texels of an element */
   uint8_t layout;           /* enum format_layout */
   uint8_t codec;            /* enum format_codec, for blocks */
   uint8_t channel_class;    /* enum format_class */
   bool srgb;
   uint16_t capabilities;
   struct format_channel channel[4]; /* red, green, blue, alpha as read */
};

enum format_codec {
   CODEC_NONE,
   CODEC_BC1,
   CODEC_BC1_RGB,
   CODEC_BC2,
   CODEC_BC3,
   CODEC_BC4U,
   CODEC_BC4S,
   CODEC_BC5U,
   CODEC_BC5S,
   CODEC_BC6U,
   CODEC_BC6S,
   CODEC_BC7,
   CODEC_FXT1,
   CODEC_ETC1,
   CODEC_ETC2,
   CODEC_ETC2_PTA,
   CODEC_ETC2_EAC,
   CODEC_EAC_R,
   CODEC_EAC_RS,
   CODEC_EAC_RG,
   CODEC_EAC_RGS,
};

#define FORMAT_COUNT 512
extern const struct format_info format_table[FORMAT_COUNT];

static inline const struct format_info *
format_get(unsigned code)
{
   return &format_table[code & (FORMAT_COUNT - 1)];
}

/* One 32-bit channel: float bits, or an integer, by the class of the format. */
typedef uint32_t format_texel[4];

/* PLAIN and SHAREDEXP elements. sRGB is removed from red, green and blue. */
void format_unpack(const struct format_info *f, const void *element, format_texel out);
/* The reverse, with clamp and rounding (DP-218). Bits of no channel become 0. PLAIN only. */
void format_pack(const struct format_info *f, const format_texel in, void *element);
/* A compressed element to block_w × block_h texels, row by row. */
void format_decode_block(const struct format_info *f, const void *block, format_texel *out);
/* A YUV 4:2:2 dword to two texels: R = Cr, G = Y, B = Cb, A = 1. */
void format_unpack_yuv422(const struct format_info *f, const void *element, format_texel out[2]);
/* SMP-407: which byte of the dword is the first luma, the second, U and V. */
struct format_yuv422_order {
   uint8_t y0, y1, u, v;
};
const struct format_yuv422_order *format_yuv422_order(unsigned code);
/* Index (and alpha) of a palette element; `texel`: which of the texels in the byte, for P2. */
struct format_palette_index {
   uint8_t index;
   uint8_t alpha; /* 8 bits */
   bool has_alpha;
   uint8_t palette; /* 0 or 1 */
};
struct format_palette_index format_unpack_palette(const struct format_info *f, const void *element,
                                                  unsigned texel);

/* Channel conversions, used by the vertex fetcher and the colour calculator too. */
float format_half_to_float(uint16_t h);
uint16_t format_float_to_half(float f);
float format_unorm_to_float(uint32_t v, unsigned bits);
uint32_t format_float_to_unorm(float f, unsigned bits);
uint32_t format_float_to_snorm(float f, unsigned bits); /* two's complement in `bits` */
float format_srgb_to_linear(float f);
float format_linear_to_srgb(float f);
float format_float11_to_float(uint32_t v); /* also 10 bits with format_float10_to_float */
float format_float10_to_float(uint32_t v);
uint32_t format_float_to_float11(float f);
uint32_t format_float_to_float10(float f);

#endif
