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

#include "hw/message.h"
#include "machine/float_bits.h"
#include "shared_functions/quick.h"
#include "surface/texture.h"
#include "shared_functions/sf.h"

enum sampler_simd {
   SAMPLER_SIMD4X2 = GEN7_SAMPLER_SIMD_MODE_SIMD4X2,
   SAMPLER_SIMD8 = GEN7_SAMPLER_SIMD_MODE_SIMD8,
   SAMPLER_SIMD16 = GEN7_SAMPLER_SIMD_MODE_SIMD16,
   SAMPLER_SIMD32 = GEN7_SAMPLER_SIMD_MODE_SIMD32_64,
};

enum sampler_type { /* SMP-231 */
                    SAMPLER_SAMPLE = GEN7_SAMPLER_MESSAGE_SAMPLE,
                    SAMPLER_SAMPLE_B = GEN7_SAMPLER_MESSAGE_SAMPLE_B,
                    SAMPLER_SAMPLE_L = GEN7_SAMPLER_MESSAGE_SAMPLE_L,
                    SAMPLER_SAMPLE_C = GEN7_SAMPLER_MESSAGE_SAMPLE_C,
                    SAMPLER_SAMPLE_D = GEN7_SAMPLER_MESSAGE_SAMPLE_D,
                    SAMPLER_SAMPLE_B_C = GEN7_SAMPLER_MESSAGE_SAMPLE_B_C,
                    SAMPLER_SAMPLE_L_C = GEN7_SAMPLER_MESSAGE_SAMPLE_L_C,
                    SAMPLER_LD = GEN7_SAMPLER_MESSAGE_LD,
                    SAMPLER_GATHER4 = GEN7_SAMPLER_MESSAGE_GATHER4,
                    SAMPLER_LOD = GEN7_SAMPLER_MESSAGE_LOD,
                    SAMPLER_RESINFO = GEN7_SAMPLER_MESSAGE_RESINFO,
                    SAMPLER_SAMPLEINFO = GEN7_SAMPLER_MESSAGE_SAMPLEINFO,
                    SAMPLER_KILLPIX = GEN7_SAMPLER_MESSAGE_SAMPLE_KILLPIX,
                    SAMPLER_GATHER4_C = GEN7_SAMPLER_MESSAGE_GATHER4_C,
                    SAMPLER_GATHER4_PO = GEN7_SAMPLER_MESSAGE_GATHER4_PO,
                    SAMPLER_GATHER4_PO_C = GEN7_SAMPLER_MESSAGE_GATHER4_PO_C,
                    SAMPLER_SAMPLE_D_C = GEN7_SAMPLER_MESSAGE_SAMPLE_D_C,
                    SAMPLER_LD_MCS = GEN7_SAMPLER_MESSAGE_LD_MCS,
                    SAMPLER_LD2DMS = GEN7_SAMPLER_MESSAGE_LD2DMS,
                    SAMPLER_LD2DSS = GEN7_SAMPLER_MESSAGE_LD2DSS,
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

/* Which of the sampler states (SMP-211). */
static inline unsigned
sampler_index(const struct sf_message *m)
{
   return hw_get(m->desc, GEN7_SAMPLER_DESCRIPTOR__SAMPLER_INDEX);
}
static inline uint32_t
sampler_state_address(const struct eu_thread *t, unsigned sampler)
{
   return t->env->dynamic_state_base + t->sampler_states + 4 * GEN7_SAMPLER_STATE_LENGTH * sampler;
}
/* SMP-209: the header of a message; all fields are 0 when there is none. */
void sampler_read_header(const struct sf_message *m, struct hw_sampler_header *h);
/* SMP-216: channels that are not given back, a bit each. */
static inline uint8_t
sampler_masked(const struct hw_sampler_header *h)
{
   return (uint8_t)(h->red_write_channel_mask | h->green_write_channel_mask << 1 |
                    h->blue_write_channel_mask << 2 | h->alpha_write_channel_mask << 3);
}

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

/* Of quick_sample.c, quick_gather.c and quick_ld.c, [SIMD16]; a set for each kind of host
 * (HOST_NAME). */
extern const sf_quick_fn sampler_quick_sample_avx2[2], sampler_quick_sample_baseline[2];
extern const sf_quick_fn sampler_quick_gather_avx2[2], sampler_quick_gather_baseline[2];
extern const sf_quick_fn sampler_quick_ld_avx2[2], sampler_quick_ld_baseline[2];

__attribute__((format(printf, 4, 5))) void sampler_report(struct sampler_message *s,
                                                          enum pergola_severity severity,
                                                          const char *rule, const char *format,
                                                          ...);
#define EACH_PIXEL(s, i)                                                                           \
   for (unsigned i = 0; i < (s)->pixels; i++)                                                      \
      if ((s)->valid >> i & 1)

/* As the execution units do it: denormals are zero. NaN is zero too. */
static inline float
sampler_input(uint32_t u)
{
   uint32_t exponent = u >> 23 & 0xff;
   if (exponent == 0 || (exponent == 0xff && u & 0x7fffff))
      return 0;
   return bits_float(u);
}

#endif
