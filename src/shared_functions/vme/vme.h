/* Inside of VME: one request on its way through skip check, IME, FME, BME, IPE and the result.
 *
 * message.c takes the message apart and fetches; run.c has the order of the stages; a file per
 * stage does the work on struct vme alone. Distortions and costs are in the unit of the manual:
 * every 4x4 distortion is halved (VME-118). Vectors are in quarter pixels relative to the source
 * block (VME-175). */
#ifndef PERGOLA_VME_H
#define PERGOLA_VME_H

#include "shared_functions/sf.h"
#include "shared_functions/vme/dsp.h"
#include "surface/media_surface.h"

#define VME_NONE (1 << 24) /* VME-019: above every sum that can be reached */
#define VME_WORST 0x3fff
#define VME_WINDOW_MAX 64u
#define VME_PATH_LOCATIONS 56u

/* SearchCtrl: references, records, starts. */
enum vme_search {
   VME_ONE_START = GEN7_VME_M0_SEARCHCTRL_SINGLE_REFERENCE_SINGLE_RECORD_SINGLE_START,
   VME_TWO_STARTS = GEN7_VME_M0_SEARCHCTRL_SINGLE_REFERENCE_SINGLE_RECORD_DUAL_START,
   VME_TWO_RECORDS = GEN7_VME_M0_SEARCHCTRL_SINGLE_REFERENCE_DUAL_RECORD,
   VME_TWO_REFERENCES = GEN7_VME_M0_SEARCHCTRL_DUAL_REFERENCE_DUAL_RECORD,
};

/* VME-004, VME-064: the 41 blocks of a record, largest shapes first. */
enum vme_shape { VME_16X16, VME_16X8, VME_8X16, VME_8X8, VME_8X4, VME_4X8, VME_4X4, VME_SHAPES };
enum {
   VME_AT_16X16 = 0,
   VME_AT_16X8 = 1,
   VME_AT_8X16 = 3,
   VME_AT_8X8 = 5,
   VME_AT_8X4 = 9,  /* two for each 8x8, in its order */
   VME_AT_4X8 = 17, /* likewise */
   VME_AT_4X4 = 25, /* VME-385: the numbers of AVC */
   VME_MAJORS = 9,
};
struct vme_block {
   uint8_t shape, x, y, w, h; /* pixels in the macroblock */
   uint16_t cells;            /* its 4x4 blocks, by AVC number */
};
extern const struct vme_block vme_blocks[VME_BLOCKS];

struct vme_mv {
   int32_t x, y;
};

struct vme_entry {
   int32_t cost; /* VME-067: distortion, vector and direction; VME_NONE: no vector */
   struct vme_mv mv;
   uint8_t center;   /* whose cost the vector pays */
   bool streamed_in; /* VME-173: its pixels are not here */
};
struct vme_record {
   struct vme_entry e[VME_BLOCKS];
};

/* The costs of one set of the state, decoded. */
struct vme_costs {
   int32_t mode[9];     /* LUT_MbMode 0 to 8 */
   int32_t backward[2]; /* MODE_INTER_BWD: added to forward, to backward */
   int32_t mv[8];       /* LUT_MV */
   unsigned scale;      /* VME-163 */
};
enum { /* VME-149 */
       VME_MODE_INTRA_NONPRED,
       VME_MODE_INTRA_16X16,
       VME_MODE_INTRA_8X8,
       VME_MODE_INTRA_4X4,
       VME_MODE_INTER_16X8,
       VME_MODE_INTER_8X8Q,
       VME_MODE_INTER_8X4Q,
       VME_MODE_INTER_4X4Q,
       VME_MODE_INTER_16X16,
};

/* A partition on its way to the result. A unit has a direction of its own: the 16x16, a 16x8 or
 * 8x16, an 8x8 with all that is in it. */
enum vme_direction { VME_FORWARD, VME_BACKWARD, VME_BIDIRECTIONAL };
enum vme_major { VME_MAJOR_16X16, VME_MAJOR_16X8, VME_MAJOR_8X16, VME_MAJOR_8X8 };
struct vme_candidate {
   bool valid;
   uint8_t major;        /* enum vme_major */
   uint8_t shape[4];     /* of each 8x8: 0 8x8, 1 8x4, 2 4x8, 3 4x4 */
   uint8_t direction[4]; /* of each unit */
   uint8_t direct;       /* VME-337: units that use their skip vectors */
   int32_t unit[4];      /* cost without shape penalty */
   int32_t total;        /* with it */
};

/* Pixels of one reference that are loaded, and where they lie. */
#define VME_MARGIN 16u /* columns before and after; one row before, two after */
#define VME_STRIDE (VME_WINDOW_MAX + 2 * VME_MARGIN)
#define VME_ORIGIN (VME_STRIDE + VME_MARGIN)
struct vme_window {
   int32_t x, y; /* of its first pixel, from the source block */
   _Alignas(32) uint8_t px[(VME_WINDOW_MAX + 3) * VME_STRIDE];
};
static inline const uint8_t *
vme_window_at(const struct vme_window *w, unsigned x, unsigned y)
{
   return w->px + VME_ORIGIN + y * VME_STRIDE + x;
}

struct vme_plane { /* a luma plane as the request reads it */
   struct media_plane plane;
   bool ok, field;
   uint8_t polarity;
   uint32_t height; /* lines of the picture that is read: a field has half */
};

struct vme_skip {
   bool performed, passed;
   uint8_t centers[4];   /* of each 8x8: bit 0 reference 0, bit 1 reference 1 */
   int32_t raw, tested;  /* VME-216: what the threshold was compared with */
   int32_t raw8x8[4];    /* VME-088, by 8x8 */
   int32_t zero_mv[4];   /* VME-092, by 8x8; all of SKIP_1MVP in the first */
   int32_t direct8x8[4]; /* VME-090 */
   int32_t cost;         /* as a candidate */
};

struct vme_intra {
   bool performed, valid;
   uint8_t type; /* IntraMbMode */
   int32_t cost;
   uint8_t mode[16]; /* of each 4x4 */
};

struct vme {
   /* the message */
   struct eu_thread *t;
   const struct sf_message *m;
   struct hw_vme_message_descriptor d;
   struct hw_vme_m0 m0;
   struct hw_vme_m1 m1;
   uint32_t in[9][8];
   bool inter, intra, stream_in;
   unsigned src_w, src_h;       /* of the source block */
   unsigned ref_w, ref_h;       /* of the windows */
   unsigned points_x, points_y; /* VME-207 */
   unsigned su_w, su_h;
   bool dual; /* SearchCtrl 111 */
   uint8_t path[VME_PATH_LOCATIONS];
   struct vme_costs costs;
   struct vme_mv center[2];
   const struct vme_dsp *dsp;
   unsigned haar;             /* InterSAD */
   struct vme_plane plane[3]; /* source, reference 0, reference 1 */

   /* what has been found */
   struct vme_skip skip;
   struct vme_record record[2];
   unsigned searched[2]; /* units, by path */
   uint64_t pruned[2];   /* VME-269: blocks, by record that lost */
   struct vme_candidate candidate[2];
   bool dropped; /* VME-040: the primary is gone */
   struct vme_intra ipe;
   struct hw_vme_w0 w0; /* decisions are put here as they are made */

   struct vme_tell *tell; /* NULL: nobody listens */

   /* From here on nothing is zero at first. */
   _Alignas(32) uint8_t src[16 * 16];
   struct vme_window window[2];
};
/* Of inter: pred has 16 bytes a row. */
static inline int32_t
vme_distortion(const struct vme *v, unsigned x, unsigned y, const uint8_t *pred, unsigned w,
               unsigned h)
{
   return (int32_t)v->dsp->distortion[v->haar](v->src + y * 16 + x, pred, 16, w, h);
}

/* ---- the stages, in their order (VME-003) ---- */
void vme_run(struct vme *v);
void vme_skip_check(struct vme *v);
void vme_ime(struct vme *v);
/* Chooses the candidates from the records (VME-016 … VME-039). */
void vme_partition(struct vme *v);
void vme_fme(struct vme *v);
void vme_stream_merge(struct vme *v);
void vme_bme(struct vme *v);
void vme_direct8x8(struct vme *v);
void vme_ipe(struct vme *v);
/* Registers W0 to W5 and the stream-out phases; the number of them. */
unsigned vme_result(struct vme *v, uint32_t out[10][8]);

/* ---- shared by them ---- */
void vme_state_unpack(struct vme *v, const uint32_t dw[32]);
int32_t vme_u4u4(uint32_t byte);
int32_t vme_mv_cost_1d(const struct vme_costs *c, int32_t distance);
int32_t vme_mv_cost(const struct vme *v, unsigned center, struct vme_mv mv);
/* Blocks of the source, of the record and of a unit of a candidate. */
unsigned vme_units(const struct vme *v, unsigned major);
unsigned vme_unit_blocks(const struct vme_candidate *c, unsigned unit, uint8_t blocks[4]);
int32_t vme_unit_penalty(const struct vme *v, const struct vme_candidate *c, unsigned unit);
unsigned vme_vectors(const struct vme *v, const struct vme_candidate *c);
/* Directions and total of a candidate whose shapes are given, from the records. */
void vme_evaluate(const struct vme *v, struct vme_candidate *c);
/* Which window and direction a record has. */
static inline unsigned
vme_direction_of(const struct vme *v, unsigned record)
{
   return v->dual ? record : 0;
}
static inline unsigned
vme_records(const struct vme *v) /* after IME: VME-228 has one left */
{
   return v->dual ? 2 : 1;
}
/* Repeats the edges of width by height loaded pixels into the margins. */
void vme_window_extend(struct vme_window *w, unsigned width, unsigned height);
/* A block at a vector in a window: 16 bytes a row. */
void vme_predict_window(const struct vme *v, unsigned window, const struct vme_block *b,
                        struct vme_mv mv, uint8_t *out);
/* A block of the records predicted from both its vectors. */
int32_t vme_bidirectional_cost(const struct vme *v, unsigned block);
/* VME-083: out and other weighted by alpha. */
void vme_blend(uint8_t *out, const uint8_t *other, unsigned w, unsigned h, unsigned alpha);
/* VME-192, VME-193: any place, edges repeated. */
void vme_fetch(const struct vme *v, unsigned plane, int32_t x, int32_t y, unsigned w, unsigned h,
               uint8_t *out, unsigned stride);

/* ---- rules ---- */
__attribute__((format(printf, 5, 6))) void vme_report(const struct vme *v,
                                                      enum pergola_severity severity,
                                                      const char *rule, const char *field,
                                                      const char *format, ...);
void vme_check_message(struct vme *v);
void vme_check_request(struct vme *v, const uint32_t state[32]);

#endif
