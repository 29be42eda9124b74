/* A surface and a sampler state, bound: unpacked once, kept by the host thread that met them. */
#ifndef PERGOLA_TEXTURE_H
#define PERGOLA_TEXTURE_H

#include "surface/view.h"

#define TEXTURE_LEVELS 15u /* SMP-023 */
#define TEXTURE_UNCOMMON 2u
#define TEXTURE_NONE 0xffu /* as a sampler index: messages that use no sampler state */

/* SAMPLER_STATE as the stages use it: fixed point numbers have 8 fraction bits. */
struct sampler_state {
   bool disable, dx9, preclamp, unnormalized;
   bool chroma_key, replace_black, cube_override;
   uint8_t mip, mag, min; /* GEN7_…_FILTER */
   uint8_t shadow, quality, key_index;
   uint8_t max_ratio;   /* 2 … 16 */
   uint8_t mode[3];     /* GEN7_TEXTURE_COORDINATE_MODE_… of U, V, R */
   uint8_t round[2][3]; /* [minified][axis] */
   int32_t bias, min_lod, max_lod, base;
   float border[4];         /* as programmed */
   uint32_t border_pointer; /* as programmed */
};

/* A level of which an element's offset is bits of x beside bits of y: sizes and pitch are powers of
 * two, and the level begins so in its tile that nothing is carried. Pairs: x in the low half of a
 * dword, y in the high one. */
struct texture_bits {
   bool good;
   uint32_t in_tile, of_tile;       /* pairs: bits of coordinates, which wrap */
   uint32_t in_tile_B, of_tile_B;   /* pairs: what these are multiplied with */
   uint32_t x_bits, y_bits, y_step; /* bits of the offset; the lowest one of y */
   uint32_t first, last;            /* offsets: of texel 0, 0 from the base, of the last from it */
   const uint8_t *host; /* of texel 0, 0; NULL: not known whether the pages lie side by side */
};

/* What messages of one kind ask. Scale and rounding are those of the one level that there is, in
 * texels where the nearest is sampled, else in 1/256 of them. */
struct texture_plain {
   uint32_t key;      /* the kind: of struct sf_quick, and the rounding mode; 0: not chosen yet */
   uint16_t u_B, v_B; /* from the payload's start */
   void (*fn)(void);  /* of the fast path */
   float scale[2], rounding[2];
   struct texture_bits bits; /* of that level */
   uint32_t thrice[4];       /* by channel: a 3 for the byte that it is in; 0: alpha is 1 */
   float unit[4], alpha;     /* what that product is multiplied with; what is added to alpha */
};

struct texture {
   bool known;
   uint8_t bti, sampler; /* sampler: index, or TEXTURE_NONE */
   uint16_t made;        /* levels that are */
   bool quick;           /* the fast path may be taken at all */
   uint32_t clean;       /* message types for which there was nothing to report, a bit each */
   struct texture_plain plain;
   struct surface s;
   struct sampler_state state;
   format_texel border; /* what a texel outside is, by the format: SMP-189 */
   uint8_t axes;        /* coordinates that are filtered along: 1, 2, 3 */
   uint8_t ones;        /* channels that are 1.0 in DX9 mode although the format lacks them */
   bool integer;        /* texels are integers and cannot be filtered */
   bool codes;          /* channels of 8 bits UNORM: filtered exactly (docs/sampler.md) */
   /* What the fast path asks. */
   bool general;   /* by quick_general.h */
   bool blocks;    /* elements are blocks of 4 by 4 texels */
   bool borders;   /* texels may be of a border */
   bool needs_lod; /* gradients change the result */
   int32_t adjusted_min, adjusted_max, level_none;
   float base_width, base_height, base_depth; /* of a cube: half of them */
   uint8_t common;                           /* 0: both axes wrap by powers of two, 1: both clamp */
   bool stretches;                           /* anisotropic */
   bool swapped, opaque;                     /* common: red and blue are; alpha is 1 */
   const float *srgb;                        /* what 256 codes are: the device's */
   float rounding[2][2];                     /* [minified][axis]: added in 1/256 of a texel */
   float scale[TEXTURE_LEVELS][2];           /* 256 times width and height; only where made */
   struct texture_bits bits[TEXTURE_LEVELS]; /* only where made */
   struct surface_view level[TEXTURE_LEVELS]; /* relative to Surface Min LOD; only where made */
};

/* The view of a level, relative to Surface Min LOD; level < levels of the surface. */
struct surface_view *texture_make_level(struct texture *x, unsigned level);

static inline struct surface_view *
texture_level(struct texture *x, unsigned level)
{
   return x->made >> level & 1 ? &x->level[level] : texture_make_level(x, level);
}

/* The state is of somebody else, or may have changed. */
static inline void
texture_forget(struct texture *x)
{
   x->known = false;
   x->plain.key = 0;
}

/* Translations may have changed. */
static inline void
texture_forget_windows(struct texture *x)
{
   for (unsigned left = x->made; left; left &= left - 1) {
      surface_view_forget(&x->level[__builtin_ctz(left)]);
      x->bits[__builtin_ctz(left)].host = NULL;
   }
   x->plain.bits.host = NULL;
}

#endif
