/* Message and state to plain numbers. */
#include "tests/vme/reference/reference.h"

#include <string.h>

static unsigned
bits(uint32_t dw, int high, int low)
{
   return (dw >> low) & ((2u << (high - low)) - 1);
}

static struct ref_vector
pair(uint32_t dw)
{
   return (struct ref_vector){(int16_t)(dw & 0xffff), (int16_t)(dw >> 16)};
}

/* VME-122, VME-147 */
static int
u4u4(unsigned byte)
{
   return (int)((byte & 15) << (byte >> 4));
}

static int
at_most(int v, int limit)
{
   return v < limit ? v : limit;
}

static int
window(int size)
{
   size &= ~3;
   return size < 20 ? 20 : size > 64 ? 64 : size;
}

/* VME-144, VME-146, VME-148 */
static void
decode_costs(const uint8_t state[128], unsigned set, struct ref_fields *f)
{
   const uint8_t *high = state + 4 * 14 + 2 * set;
   const uint8_t *low = state + 4 * 16 + 16 * set;
   for (int i = 0; i < 9; i++) {
      bool wide = (i >= 1 && i <= 4) || i == 8;
      f->lut_mode[i] = at_most(u4u4(i < 8 ? low[i] : high[0]), wide ? 0xfff : 0x3ff);
   }
   for (int i = 0; i < 8; i++)
      f->lut_mv[i] = at_most(u4u4(low[8 + i]), 0x3ff);
   f->bwd_penalty = (high[1] & 15) << (high[1] >> 4 & 7);
   f->bwd_penalty_forward = high[1] >> 7;
}

static void
decode_m0(const uint32_t m[8], struct ref_fields *f)
{
   f->ref[0] = pair(m[0]);
   f->ref[1] = pair(m[1]);
   f->src_x = (int)bits(m[2], 15, 0);
   f->src_y = (int)bits(m[2], 31, 16);
   unsigned size = bits(m[3], 1, 0);
   f->src_w = size == 3 ? 8 : 16;
   f->src_h = size == 3 || size == 1 ? 8 : 16;
   f->remap = bits(m[3], 5, 4);
   f->src_field = bits(m[3], 6, 6);
   f->ref_field = bits(m[3], 7, 7);
   f->search_ctrl = bits(m[3], 10, 8);
   f->two_references = f->search_ctrl == 7;
   f->two_records = f->search_ctrl == 7 || f->search_ctrl == 3;
   f->split_path = f->two_records && bits(m[3], 11, 11);
   f->sub_pel = bits(m[3], 13, 12);
   f->skip_4mvp = bits(m[3], 14, 14);
   f->block_skip = bits(m[3], 19, 19);
   f->inter_haar = bits(m[3], 21, 20) == 2;
   f->intra_haar = bits(m[3], 23, 22) == 2;
   f->part_mask = bits(m[3], 30, 24);
   f->win_w = window((int)bits(m[5], 23, 16));
   f->win_h = window((int)bits(m[5], 31, 24));
}

static void
decode_m1(const uint32_t m[8], struct ref_fields *f)
{
   f->skip_en = bits(m[0], 0, 0);
   f->adaptive = bits(m[0], 1, 1);
   f->bi_mix_dis = bits(m[0], 2, 2);
   f->second_en = bits(m[0], 3, 3);
   f->early = bits(m[0], 4, 4);
   f->early_ime = bits(m[0], 5, 5);
   f->quit_inter = bits(m[0], 6, 6);
   f->t8x8 = bits(m[0], 7, 7);
   f->skip_success = u4u4(bits(m[0], 15, 8));
   f->fme_success = u4u4(bits(m[0], 23, 16));
   f->ime_stop = u4u4(bits(m[0], 31, 24));
   f->limit = (int)bits(m[1], 5, 0);
   f->weight = (int)bits(m[1], 21, 16);
   f->bi_mask = bits(m[1], 27, 24);
   f->uni_mix_dis = bits(m[1], 28, 28);
   f->validation = bits(m[1], 29, 29);
   f->prune_en = bits(m[1], 30, 30);
   f->repart = bits(m[1], 31, 31);
   f->len_sp = (int)bits(m[2], 7, 0);
   f->max_su = (int)bits(m[2], 15, 8);
   if (!f->len_sp)
      f->len_sp = 1;
   if (!f->max_su)
      f->max_su = 1;
   f->start_x[0] = (int)bits(m[2], 19, 16);
   f->start_y[0] = (int)bits(m[2], 23, 20);
   f->start_x[1] = (int)bits(m[2], 27, 24);
   f->start_y[1] = (int)bits(m[2], 31, 28);
   f->prune_threshold = u4u4(bits(m[3], 7, 0));
   f->tolerance = u4u4(bits(m[3], 15, 8));
   f->too_bad = u4u4(bits(m[3], 23, 16));
   f->too_good = u4u4(bits(m[3], 31, 24));
   f->center[0] = pair(m[4]);
   f->center[1] = pair(m[5]);
   f->intra_part_mask = bits(m[7], 2, 0);
   f->non_skip_zero = bits(m[7], 5, 5);
   f->non_skip_mode = bits(m[7], 6, 6);
   f->corner_swap = bits(m[7], 7, 7);
   f->intra_struct = bits(m[7], 15, 8);
   f->cost_scale = (int)bits(m[7], 17, 16);
   f->bilinear = bits(m[7], 18, 18);
   f->src_polarity = (int)bits(m[7], 19, 19);
   f->ref_polarity[0] = (int)bits(m[7], 20, 20);
   f->ref_polarity[1] = (int)bits(m[7], 21, 21);
   f->skip_mask = bits(m[7], 31, 24);
}

void
ref_decode(const struct vme_request *q, struct ref_fields *f)
{
   memset(f, 0, sizeof(*f));
   unsigned type = bits(q->descriptor, 14, 13);
   f->inter = type & 1;
   f->intra = type & 2;
   f->stream_out = f->inter && bits(q->descriptor, 15, 15);
   f->stream_in = f->inter && bits(q->descriptor, 16, 16);
   decode_m0(q->in[0], f);
   decode_m1(q->in[1], f);
   for (int k = 0; k < 4; k++)
      for (int r = 0; r < 2; r++)
         f->skip[k][r] = pair(q->in[2][2 * k + r]);
   decode_costs(q->state, bits(q->descriptor, 12, 11), f);
   if (!f->two_references)
      f->ref[1] = f->ref[0];
}
