/* Inside of the sampler: one message on its way, as a structure of arrays. Stages, a file each:
 *
 *   message.c      descriptor, header, parameters; write-back
 *   check.c        what a message may ask of a surface and a sampler
 *   state.c        surface and sampler state, bound
 *   coordinates.c  cube faces, array elements, gradients
 *   lod.c          level of detail, levels and their weights
 *   address.h      a coordinate to texels and weights
 *   texel.c        one texel: memory, palette, border, chroma key, comparison
 *   filter.c       nearest, linear, anisotropic, monochrome; between levels
 *   fetch.c        messages that do not filter */
#ifndef PERGOLA_SAMPLER_H
#define PERGOLA_SAMPLER_H

#include "shared_functions/quick.h"
#include "surface/texture.h"
#include "shared_functions/sf.h"

enum sampler_simd { SAMPLER_SIMD4X2, SAMPLER_SIMD8, SAMPLER_SIMD16, SAMPLER_SIMD32 };

enum sampler_type { /* SMP-231 */
                    SAMPLER_SAMPLE = 0,
                    SAMPLER_SAMPLE_B = 1,
                    SAMPLER_SAMPLE_L = 2,
                    SAMPLER_SAMPLE_C = 3,
                    SAMPLER_SAMPLE_D = 4,
                    SAMPLER_SAMPLE_B_C = 5,
                    SAMPLER_SAMPLE_L_C = 6,
                    SAMPLER_LD = 7,
                    SAMPLER_GATHER4 = 8,
                    SAMPLER_LOD = 9,
                    SAMPLER_RESINFO = 10,
                    SAMPLER_SAMPLEINFO = 11,
                    SAMPLER_KILLPIX = 12,
                    SAMPLER_GATHER4_C = 16,
                    SAMPLER_GATHER4_PO = 17,
                    SAMPLER_GATHER4_PO_C = 18,
                    SAMPLER_SAMPLE_D_C = 20,
                    SAMPLER_LD_MCS = 29,
                    SAMPLER_LD2DMS = 30,
                    SAMPLER_LD2DSS = 31,
};

/* What a parameter means. */
enum sampler_parameter {
   P_NONE,
   P_U,
   P_V,
   P_R,
   P_AI,
   P_BIAS,
   P_LOD,
   P_REF,
   P_DUDX,
   P_DUDY,
   P_DVDX,
   P_DVDY,
   P_DRDX,
   P_DRDY,
   P_SI,
   P_MCS,
   P_OFFU,
   P_OFFV,
   P_COUNT
};

#define SAMPLER_PIXELS 16u

enum sampler_flags {
   SAMPLER_USES_STATE = 1 << 0, /* has a sampler state */
   SAMPLER_GRADIENTS = 1 << 1,  /* level of detail from adjacent pixels */
   SAMPLER_COMPARES = 1 << 2,
   SAMPLER_GATHERS = 1 << 3,
   SAMPLER_LOADS = 1 << 4,    /* the ld family */
   SAMPLER_NO_4X2 = 1 << 5,   /* SMP-236 and others */
   SAMPLER_EMPTY = 1 << 6,    /* has no parameter */
   SAMPLER_OFFSETS = 1 << 7,  /* offu, offv */
   SAMPLER_EXPLICIT = 1 << 8, /* gradients in the message */
};

struct sampler_message;
/* Fills result[][] for the valid pixels. */
typedef void (*sampler_fn)(struct sampler_message *s);

struct sampler_kind {
   const char *name;
   sampler_fn fn;
   uint16_t flags;
   uint8_t order[11];  /* SIMD8, SIMD16: enum sampler_parameter */
   uint8_t order2[12]; /* SIMD4x2 */
   const char *rule;   /* SMP row of its restrictions */
};
extern const struct sampler_kind sampler_kinds[32];

/* What a compressed block became, while a message runs. */
struct sampler_block {
   const struct surface_view *view;
   uint32_t address;
   format_texel texels[32];
};

struct sampler_message {
   struct eu_thread *t;
   const struct sf_message *m;
   const struct sampler_kind *kind;
   const char *name;
   uint8_t type;           /* enum sampler_type */
   uint8_t simd;           /* enum sampler_simd */
   uint8_t pixels;         /* 2, 8 or 16 */
   uint32_t valid;         /* a bit per pixel */
   uint8_t masked;         /* write channel mask: bit 0 red … bit 3 alpha, 1 = not written */
   uint8_t gather_channel; /* 0 red … 3 alpha */
   int8_t offset[3];       /* U, V, R texel offsets */
   uint32_t killed;        /* pixels, by chroma key */
   unsigned reports;       /* errors so far */
   uint8_t pixel;          /* that texels are fetched for; kept for the sanitizer alone */
   bool watched;           /* the sanitizer has seen all texels, and nothing is wrong with them */
   uint32_t sent;          /* parameters that came, 1 << enum sampler_parameter */
   uint32_t p[P_COUNT][SAMPLER_PIXELS];
   uint32_t result[4][SAMPLER_PIXELS];
   struct texture *x;
   struct sampler_block block[4]; /* by place */
};

/* ---- stages ---------------------------------------------------------------------------------- */

/* Binds surface and sampler state: of the host thread, or in *other. NULL: reported. */
struct texture *sampler_bind(struct sampler_message *s, unsigned sampler, struct texture *other);
/* Reports what the message breaks. False: it cannot be executed, its results are 0. */
bool sampler_check(struct sampler_message *s);

/* Where one pixel samples: after cube faces and array elements, before levels. */
struct sampler_point {
   float at[3]; /* normalised, or texels with unnormalised coordinates */
   uint32_t slice;
   uint8_t face;
   int32_t offset[3];
   float ref;
};
/* SMP-302: an array index as an element. */
uint32_t sampler_element(uint32_t bits, uint32_t count);
void sampler_locate(const struct sampler_message *s, unsigned pixel, struct sampler_point *p);

/* Texels of the base level per pixel, along x and y. */
struct sampler_gradients {
   float x[3], y[3];
};
void sampler_gradients(const struct sampler_message *s, unsigned pixel,
                       struct sampler_gradients *g);

#define SAMPLER_WAYS 16u          /* samples of an anisotropic one, at most */
#define SAMPLER_LOD_FAR (64 << 8) /* beyond any level */
#define SAMPLER_FACE_FAR 65536.0f /* how far behind a face a neighbour may be */

/* SMP-036 to SMP-053: levels and how to filter them. */
struct sampler_levels {
   bool minified, outside;
   uint8_t filter;   /* GEN7_MAP_FILTER_… */
   uint8_t level[2]; /* relative to Surface Min LOD */
   int32_t beta;     /* weight of level[1], 8 fraction bits */
   int32_t lod, unclamped;
   uint8_t ways;  /* anisotropic: samples; 1: none of it */
   float ratio;   /* anisotropic: major to minor axis */
   float step[2]; /* anisotropic: one texel along the major axis */
};
/* SMP-029: from gradients, before any bias; sets the anisotropic members if there is any. */
int32_t sampler_gradients_lod(const struct texture *x, const struct sampler_gradients *g,
                              struct sampler_levels *l);
extern const uint32_t sampler_log2[256];
/* The limits that depend on state alone. */
void sampler_prepare_levels(struct texture *x);
void sampler_choose_levels(const struct sampler_message *s, unsigned pixel,
                           struct sampler_levels *l);

/* A texel of a level, or the border, with chroma key and comparison; i: after no address mode. */
void sampler_texel(struct sampler_message *s, unsigned pixel, const struct sampler_point *p,
                   unsigned level, const int32_t i[3], format_texel out);
/* Raw: an element of a level that lies inside, as a texel. */
void sampler_fetch(struct sampler_message *s, struct surface_view *v, uint32_t x, uint32_t y,
                   uint32_t slice, unsigned sample, format_texel out);
/* SMP-045, SMP-267: zero, alpha 1 where the format has none. */
void sampler_outside(const struct surface *s, bool ld, format_texel out);

/* ---- messages -------------------------------------------------------------------------------- */

void sampler_sample(struct sampler_message *s);
void sampler_gather(struct sampler_message *s);
void sampler_lod(struct sampler_message *s);
void sampler_ld(struct sampler_message *s);
void sampler_ld_mcs(struct sampler_message *s);
void sampler_ld2d(struct sampler_message *s);
void sampler_resinfo(struct sampler_message *s);
void sampler_sampleinfo(struct sampler_message *s);
/* SIMD32/64: media.c */
enum sf_status sampler_media(struct eu_thread *t, const struct sf_message *m);

/* Of quick_sample_avx2.c. */
bool sampler_quick_sample8(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);
bool sampler_quick_sample16(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);
/* Of quick_ld_avx2.c. */
bool sampler_quick_ld8(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);
bool sampler_quick_ld16(struct eu_thread *t, const struct sf_quick *q, uint32_t exec_mask);

__attribute__((format(printf, 4, 5))) void sampler_report(struct sampler_message *s,
                                                          enum pergola_severity severity,
                                                          const char *rule, const char *format,
                                                          ...);
#define EACH_PIXEL(s, i)                                                                           \
   for (unsigned i = 0; i < (s)->pixels; i++)                                                      \
      if ((s)->valid >> i & 1)

static inline float
sampler_float(uint32_t u)
{
   float f;
   __builtin_memcpy(&f, &u, 4);
   return f;
}

static inline uint32_t
sampler_bits(float f)
{
   uint32_t u;
   __builtin_memcpy(&u, &f, 4);
   return u;
}

/* As the execution units do it: denormals are zero. NaN is zero too. */
static inline float
sampler_input(uint32_t u)
{
   uint32_t exponent = u >> 23 & 0xff;
   if (exponent == 0 || (exponent == 0xff && u & 0x7fffff))
      return 0;
   return sampler_float(u);
}

#endif
