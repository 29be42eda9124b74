/* The field motion detector: how different the fields of two frames are, for a block and, in
 * registers, for the frame. */
#include "shared_functions/sampler/vdi.h"

#define MOST (255u * 255u)
#define EDGE 1 /* pixel pairs around the block that tears are looked for in */

/* Pixel pair (x, y), (x, y + 1), y even: the top line and the bottom line of a frame. */
struct pair {
   uint32_t ct_pt, cb_pb, ct_cb, ct_pb, cb_pt; /* squares of differences */
   uint32_t ct_ct, cb_cb, pt_pt, pb_pb;        /* of lines next to each other in a field */
   int rough_top, rough_bottom;                /* how far a field's line is out of order */
};

static uint32_t
square(int v)
{
   return (uint32_t)(v * v);
}

/* 0 where b lies between its neighbours of the field. */
static int
roughness(int a, int b, int c)
{
   return abs(b - a) + abs(b - c) - abs(a - c);
}

static struct pair
pair_at(const struct vdi *d, int x, int y)
{
   int c[6], p[6]; /* lines y - 2 to y + 3 */
   for (int i = 0; i < 6; i++) {
      c[i] = vdi_luma(d, VDI_CURRENT, x, y + i - 2);
      p[i] = vdi_luma(d, VDI_PREVIOUS, x, y + i - 2);
   }
   struct pair v = {.ct_pt = square(c[2] - p[2]),
                    .cb_pb = square(c[3] - p[3]),
                    .ct_cb = square(c[2] - c[3]),
                    .ct_pb = square(c[2] - p[3]),
                    .cb_pt = square(c[3] - p[2]),
                    .ct_ct = square(c[2] - c[4]),
                    .cb_cb = square(c[1] - c[3]),
                    .pt_pt = square(p[2] - p[4]),
                    .pb_pb = square(p[1] - p[3]),
                    .rough_top = roughness(c[0], c[2], c[4]),
                    .rough_bottom = roughness(c[1], c[3], c[5])};
   if (!d->has_previous) /* SMP-520: as different as can be */
      v.ct_pt = v.cb_pb = v.ct_pb = v.cb_pt = MOST;
   return v;
}

static bool
moves(const struct vdi *d, const struct pair *v)
{
   return v->ct_pt + v->cb_pb > d->st.fmd_temporal_difference_threshold;
}

static bool
is_smooth(const struct vdi *d, const struct pair *v)
{
   int most = (int)d->st.fmd_1_vertical_difference_threshold;
   return v->rough_top < most && v->rough_bottom < most;
}

/* Tears between the fields of a pair: bit 0 of the current frame, 1 and 2 across the frames. */
static unsigned
tears_of(const struct vdi *d, const struct pair *v)
{
   uint32_t least = d->st.fmd_2_vertical_difference_threshold;
   if (!moves(d, v) || !is_smooth(d, v))
      return 0;
   return (unsigned)(v->ct_cb >= least && v->ct_cb > v->ct_ct + v->cb_cb) |
          (unsigned)(v->ct_pb >= least && v->ct_pb > v->ct_ct + v->pb_pb) << 1 |
          (unsigned)(v->cb_pt >= least && v->cb_pt > v->pt_pt + v->cb_cb) << 2;
}

/* Variances 8 to 10: tears that have a neighbour of their kind. */
static void
count_tears(const struct vdi *d, uint32_t variance[FMD_VARIANCES])
{
   uint8_t tears[2 + 2 * EDGE][VDI_BLOCK_W + 2 * EDGE];
   for (int j = -EDGE; j < 2 + EDGE; j++)
      for (int x = -EDGE; x < VDI_BLOCK_W + EDGE; x++) {
         struct pair v = pair_at(d, x, 2 * j);
         tears[j + EDGE][x + EDGE] = (uint8_t)tears_of(d, &v);
      }
   for (unsigned j = EDGE; j < 2 + EDGE; j++)
      for (unsigned x = EDGE; x < VDI_BLOCK_W + EDGE; x++) {
         unsigned kept =
             tears[j][x] & (tears[j][x - 1] | tears[j][x + 1] | tears[j - 1][x] | tears[j + 1][x]);
         for (unsigned n = 0; n < 3; n++)
            variance[8 + n] += kept >> n & 1;
      }
}

/* SMP-518: of a block of four lines. */
void
vdi_detect(const struct vdi *d, uint32_t variance[FMD_VARIANCES])
{
   for (unsigned i = 0; i < FMD_VARIANCES; i++)
      variance[i] = 0;
   for (int y = 0; y < 4; y += 2)
      for (int x = 0; x < VDI_BLOCK_W; x++) {
         struct pair v = pair_at(d, x, y);
         variance[0] += v.ct_pt;
         variance[1] += v.cb_pb;
         variance[2] += v.ct_cb;
         variance[3] += v.ct_pb;
         variance[4] += v.cb_pt;
         if (!moves(d, &v))
            continue;
         variance[v.ct_cb > v.ct_ct + v.cb_cb ? 5 : 6]++;
         variance[7] += is_smooth(d, &v);
      }
   for (unsigned i = 0; i < 5; i++)
      variance[i] /= 16;
   count_tears(d, variance);
   if (variance[8] > variance[9] && variance[8] > variance[10])
      variance[7] = variance[8] = variance[9] = variance[10] = 0;
   for (unsigned i = 8; i < FMD_VARIANCES; i++)
      if (variance[i] < d->st.fmd_tear_threshold)
         variance[i] = 0;
}

static void
add(uint32_t *registers, uint32_t offset, uint32_t value)
{
   if (value)
      __atomic_fetch_add(&registers[offset / 4], value, __ATOMIC_RELAXED);
}

/* SMP-519: sums of the frame, of the stream that the state names; a read clears them. */
void
vdi_sum(const struct vdi *d, const uint32_t *variance)
{
   uint32_t *registers = d->in->t->env->dev->mmio;
   bool second = d->st.dn_di_stream_id;
   uint32_t first = second ? REG_FMD_VARIANCE_S1_0 : REG_FMD_VARIANCE_S0_0;
   for (unsigned i = 0; variance && i < FMD_VARIANCES; i++)
      add(registers, first + 4 * i, variance[i]);
   if (d->noise == 255) /* SMP-505: no estimate */
      return;
   add(registers, second ? REG_GNE_SUM_S1 : REG_GNE_SUM_S0, d->noise);
   add(registers, second ? REG_GNE_COUNT_S1 : REG_GNE_COUNT_S0, 1);
}
