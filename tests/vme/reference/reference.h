/* An independent reference of VME: every value computed from scratch, straight from the rows of the
 * ledger, by somebody who has not read the model. It shares no code with the model, neither layouts
 * nor tables, so that a mistake cannot be made once for both. */
#ifndef PERGOLA_TEST_VME_REFERENCE_H
#define PERGOLA_TEST_VME_REFERENCE_H

#include "tests/vme/request.h"

#include <stdbool.h>

/* The answer: 1, 6, 8 or 10 registers; returns how many. */
unsigned vme_reference_run(const struct vme_request *q, uint32_t out[10][8]);

/* What follows is the reference's own. */

#define REF_NONE (1 << 24) /* VME-019: above every sum that can be reached */
#define REF_BLOCKS 41

/* VME-064: the 41 shape positions, largest first. */
enum {
   REF_16X16 = 0,
   REF_16X8 = 1,
   REF_8X16 = 3,
   REF_8X8 = 5,
   REF_8X4 = 9,
   REF_4X8 = 17,
   REF_4X4 = 25,
};

struct ref_vector {
   int x, y; /* quarter-pels from the source block */
};

struct ref_block {
   int x, y, w, h; /* pixels in the source block */
};
struct ref_block ref_block(int index);

struct ref_entry {
   int cost; /* REF_NONE: empty */
   struct ref_vector v;
   int center;    /* cost center of the record it came from */
   bool streamed; /* VME-173 */
};

struct ref_record {
   struct ref_entry e[REF_BLOCKS];
};

struct ref_fields {
   bool inter, intra, stream_in, stream_out;
   int src_x, src_y, src_w, src_h;
   bool src_field, ref_field;
   int src_polarity, ref_polarity[2];
   struct ref_vector ref[2]; /* pixels */
   int win_w, win_h;
   unsigned search_ctrl, sub_pel, part_mask, remap;
   bool two_references, two_records, split_path;
   bool inter_haar, intra_haar, bilinear;
   bool block_skip, skip_4mvp, skip_en, t8x8, quit_inter, early_ime, early, second_en, bi_mix_dis;
   bool adaptive, validation, uni_mix_dis, prune_en, repart;
   int ime_stop, fme_success, skip_success, too_good, too_bad, tolerance, prune_threshold;
   int limit; /* MaxNumMVs as given */
   unsigned bi_mask;
   int weight;
   int len_sp, max_su;
   int start_x[2], start_y[2]; /* steps of 4 pixels */
   struct ref_vector center[2];
   unsigned skip_mask;
   struct ref_vector skip[4][2];
   int cost_scale;
   unsigned intra_struct, intra_part_mask;
   bool corner_swap, non_skip_mode, non_skip_zero;
   int lut_mode[9], lut_mv[8], bwd_penalty;
   bool bwd_penalty_forward; /* VME-148: the sign chooses the direction that pays */
};

/* One block with a prediction mode of its own: 16x16, half, or 8x8 with what it is divided in. */
struct ref_unit {
   int shape; /* VME-329 */
   int count, block[4];
   int dir; /* 0 forward, 1 backward, 2 both */
   bool direct;
   int penalty; /* of the 8x8 */
   int value[4];
   struct ref_vector v[2][4];
};

struct ref_candidate {
   bool present;
   int major; /* 0 16x16, 1 16x8, 2 8x16, 3 8x8 */
   int units;
   struct ref_unit u[4];
   int penalty; /* of the macroblock */
};

struct ref_skip {
   bool performed, passed, exit;
   int raw8[4], raw, compared;
   int zero8[4], zero;
   int distortion; /* of the candidate */
};

struct ref_intra {
   bool performed, available;
   int mode; /* 0 16x16, 1 8x8, 2 4x4 */
   int distortion;
   int modes[16];
};

struct ref_call {
   const struct vme_request *q;
   struct ref_fields f;
   uint8_t source[16][16];
   struct ref_record record[2];
   bool ime;
   int searched[2];
   bool ime_stopped, too_good, too_bad, fme_exit;
   bool pruned[REF_BLOCKS], loses[2][REF_BLOCKS];
   struct ref_candidate candidate[2]; /* primary, second */
   bool fme_done[2], bme_done[2], fme_improved, bme_improved, primary_dropped, limited;
   struct ref_skip skip;
   struct ref_intra intra;
};

void ref_decode(const struct vme_request *q, struct ref_fields *f);

/* Pixels and distortions. */
int ref_surface_pixel(const struct vme_picture *p, bool field, int polarity, int x, int y);
/* A block of the prediction; (x, y) in quarter-pels from the source block, inside the window. */
void ref_predict_window(const struct ref_call *c, int reference, struct ref_block b,
                        struct ref_vector v, uint8_t pred[16][16]);
/* The same with the whole surface to take pixels from. */
void ref_predict_surface(const struct ref_call *c, int reference, struct ref_block b,
                         struct ref_vector v, uint8_t pred[16][16]);
void ref_weigh(const uint8_t a[16][16], const uint8_t b[16][16], int weight, uint8_t out[16][16]);
int ref_distortion_4x4(const uint8_t a[16][16], const uint8_t b[16][16], int x, int y, bool haar);
int ref_distortion(const uint8_t a[16][16], const uint8_t b[16][16], struct ref_block block,
                   bool haar);

int ref_vector_cost(const struct ref_fields *f, struct ref_vector v, int center);
int ref_direction_penalty(const struct ref_fields *f, int dir);
/* Record value of a block with a vector. */
int ref_value(const struct ref_call *c, int record, int block, struct ref_vector v, int center);

void ref_empty(struct ref_record *r);
bool ref_fits(const struct ref_fields *f, int block);
void ref_search(struct ref_call *c);

int ref_directions(const struct ref_fields *f);
int ref_total(const struct ref_candidate *k);
int ref_vectors(const struct ref_candidate *k);
/* Directions and values of fixed shapes, from the records as they stand. */
void ref_evaluate(const struct ref_call *c, struct ref_candidate *k);
void ref_partition(struct ref_call *c);

void ref_prune(struct ref_call *c);
void ref_fractional(struct ref_call *c);
void ref_bidirectional(struct ref_call *c);

void ref_skip_check(struct ref_call *c);
void ref_direct(struct ref_call *c, struct ref_candidate *k);

void ref_intra_search(struct ref_call *c);

void ref_stream_in(struct ref_call *c);
unsigned ref_result(struct ref_call *c, uint32_t out[10][8]);

#endif
