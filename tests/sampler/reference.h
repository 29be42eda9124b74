/* The definitions of the ledger's rows, in double precision, for one sample at a time. Written from
 * the rows, apart from the sampler: it knows nothing of messages, formats, memory or vectors.
 *
 * How far the sampler may be from it: see `slack` of a result. */
#ifndef PERGOLA_TEST_SAMPLER_REFERENCE_H
#define PERGOLA_TEST_SAMPLER_REFERENCE_H

#include <stdbool.h>

enum ref_kind { REF_1D, REF_2D, REF_3D, REF_CUBE };
enum ref_mode {
   REF_WRAP,
   REF_MIRROR,
   REF_CLAMP,
   REF_CUBE_EDGES,
   REF_BORDER,
   REF_MIRROR_ONCE,
   REF_HALF_BORDER
};
enum ref_filter { REF_NEAREST, REF_LINEAR, REF_ANISOTROPIC };
enum ref_mip { REF_MIP_NONE, REF_MIP_NEAREST, REF_MIP_LINEAR = 3 };
enum ref_compare {
   REF_ALWAYS,
   REF_NEVER,
   REF_LESS,
   REF_EQUAL,
   REF_LEQUAL,
   REF_GREATER,
   REF_NOTEQUAL,
   REF_GEQUAL
};

struct ref_texture {
   enum ref_kind kind;
   int width, height, depth; /* of level 0 of the view */
   int layers;               /* array elements; cubes: of six faces each */
   int levels;
   bool has_alpha; /* the format has: SMP-045 */
   bool unorm;     /* red is: the reference value is clamped (SMP-097) */
   /* A texel of the view: level 0 is its first. slice: z, array element, or 6 * element + face. */
   void (*texel)(const void *data, int level, int x, int y, int slice, double out[4]);
   const void *data;
};

struct ref_sampler {
   enum ref_filter mag, min;
   enum ref_mip mip;
   enum ref_mode mode[3];
   bool round[2][3]; /* [minified][axis] */
   bool unnormalized, preclamp;
   double bias, min_lod, max_lod, base;
   double resource_min_lod;     /* relative to the view */
   int max_anisotropy, quality; /* quality: 0 full, 2 medium, 3 low */
   double border[4];
   bool compares;
   enum ref_compare compare;
};

struct ref_point {
   double at[3]; /* coordinates as sent */
   double layer; /* array index as sent */
   int offset[3];
   bool has_gradients;
   double dx[3], dy[3]; /* of the coordinates as sent, per pixel; on the face for cubes */
   double lod;          /* else: what the message says or 0, before the sampler's bias */
   double ref;
};

struct ref_result {
   double value[4];
   /* How far another honest computation may be: one step of the 8-bit weights on each axis (where
    * a coordinate lies within an ulp or so of a step) costs a part of the contrast. */
   double slack[4];
   bool doubtful; /* a nearest texel, a level or a compare hangs on the last bit */
};

struct ref_result ref_sample(const struct ref_texture *t, const struct ref_sampler *s,
                             const struct ref_point *p);
/* The level of detail from gradients, before bias (SMP-029), with the anisotropy if any. */
double ref_lod(const struct ref_texture *t, const struct ref_sampler *s, const struct ref_point *p,
               double *ratio);

#endif
