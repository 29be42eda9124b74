/* The deinterlace message: two frames, their statistics, and what is given back. */
#include "shared_functions/sampler/vdi.h"

#include "machine/bounds.h"

#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

/* SMP-498: what lies outside the picture is the nearest pixel of the nearest line of its field. */
int
vdi_line(int y, int height)
{
   if (y < 0)
      return height > 1 ? y & 1 : 0;
   if (y < height)
      return y;
   return height > 1 ? height - 1 - ((height - 1 - y) & 1) : 0;
}

static void
load_luma(struct vdi *d, enum vdi_frame f)
{
   struct mem_space *space = d->in->t->env->space;
   struct media_plane p;
   uint32_t at;
   if (!media_surface_plane(&d->frame[f], MEDIA_PLANE_Y, &p) || !p.width || !p.height)
      return;
   for (int j = 0; j < VDI_H; j++) {
      int y = vdi_line(d->y + j - VDI_ABOVE, (int)p.height);
      for (int i = 0; i < VDI_W; i++) {
         int x = d->x + i - VDI_LEFT;
         /* 16 bytes of a line lie side by side, tiled or not. */
         bool run = p.step_B == 1 && !((p.x_B + (uint32_t)x) & 15) && x >= 0 &&
                    x + 16 <= (int)p.width && i + 16 <= VDI_W;
         if (!media_plane_address(&p, (uint32_t)int_between(0, x, (int)p.width - 1), (uint32_t)y,
                                  &at))
            continue;
         mem_read(space, at, &d->luma[f][j][i], run ? 16 : 1);
         i += run ? 15 : 0;
      }
   }
}

static uint8_t
statistic(const struct vdi *d, uint32_t x_B, uint32_t y)
{
   uint32_t at;
   uint8_t byte = 0;
   if (d->has_statistics && surface_byte_address(&d->statistics, x_B, y, &at))
      mem_read(d->in->t->env->space, at, &byte, 1);
   return byte;
}

uint8_t
vdi_motion(const struct vdi *d, int x, int y)
{
   int px = int_between(0, d->x + x, d->frame[0].width - 1),
       py = int_between(0, d->y + y, d->frame[0].height - 1);
   return statistic(d, (uint32_t)px / 2, (uint32_t)py);
}

uint8_t
vdi_history(const struct vdi *d, int x, int y)
{
   int px = int_between(0, d->x + x, d->frame[0].width - 1),
       py = int_between(0, d->y + y, d->frame[0].height - 1);
   return statistic(d, d->statistics.pitch_B / 2 + (uint32_t)px / 4, (uint32_t)py / 4);
}

/* ---- state ----------------------------------------------------------------------------------- */

static uint32_t
entry_of(const struct vdi *d, unsigned bti)
{
   const struct eu_env *env = d->in->t->env;
   uint32_t entry = 0;
   mem_read(env->space, env->surface_state_base + d->in->t->binding_table + 4 * bti, &entry, 4);
   return env->surface_state_base + (entry & GEN7_BINDING_TABLE_STATE__SURFACE_STATE_POINTER);
}

/* SMP-496: the current frame, the previous one, their statistics. SMP-178: a state has eight
 * dwords, two of the sampler's. */
static bool
bind(struct vdi *d)
{
   const struct eu_env *env = d->in->t->env;
   struct surface_cache *cache = env->dev->surfaces;
   unsigned bti = hw_binding_table_index(d->in->m->desc);
   uint32_t dw[GEN7_DEINTERLACE_SAMPLER_STATE_LENGTH],
       at = sampler_state_address(d->in->t, sampler_index(d->in->m));
   if (!mem_read(env->space, at, dw, sizeof(dw))) {
      sampler_media_report(d->in, PERGOLA_ERROR, "SMP-385",
                           "the deinterlacer's sampler state at 0x%08x is not mapped", at);
      return false;
   }
   gen7_deinterlace_sampler_state_unpack(&d->st, dw);
   if (!media_surface_get(cache, env->space, entry_of(d, bti), &d->frame[VDI_CURRENT])) {
      sampler_media_report(d->in, PERGOLA_ERROR, "SMP-001", "surface %u is not mapped", bti);
      return false;
   }
   d->has_previous = !d->st.dn_di_first_frame; /* SMP-520 */
   d->frame[VDI_PREVIOUS] = d->frame[VDI_CURRENT];
   if (!d->has_previous)
      return true;
   if (!media_surface_get(cache, env->space, entry_of(d, bti + 1), &d->frame[VDI_PREVIOUS])) {
      sampler_media_report(d->in, PERGOLA_ERROR, "SMP-001", "surface %u is not mapped", bti + 1);
      return false;
   }
   d->has_statistics =
       surface_get(cache, env->space, entry_of(d, bti + 2), false, &d->statistics) &&
       d->statistics.type == SURFTYPE_2D;
   return true;
}

static bool
is_422(const struct media_surface *s)
{
   struct media_plane p;
   return media_surface_plane(s, MEDIA_PLANE_U, &p) && p.height == s->height &&
          p.width * 2 == s->width;
}

/* SMP-487 */
static unsigned
response_length(const struct vdi *d)
{
   if (d->st.di_enable)
      return !d->st.dn_enable ? 10 : d->chroma_422 ? 12 : 11;
   return d->chroma_422 ? 9 : 5;
}

static void
check(const struct vdi *d)
{
   const struct media_message_in *in = d->in;
   const struct hw_deinterlace_sampler_state *st = &d->st;
   media_surface_report(&d->frame[VDI_CURRENT], MEDIA_DEINTERLACE, in->t, in->m);
   if (d->has_previous && !media_surface_alike(&d->frame[0], &d->frame[1]))
      sampler_media_report(in, PERGOLA_ERROR, "SMP-372",
                           "the current and the previous frame are not alike");
   if (sampler_index(in->m) % 2)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-211", "the sampler index is odd");
   if (in->m->rlen != response_length(d))
      sampler_media_report(in, PERGOLA_ERROR, "SMP-487",
                           "response length is %u where the form has %u", in->m->rlen,
                           response_length(d));
   if (!st->dn_enable && !st->di_enable)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-386",
                           "neither DN nor DI is enabled; the block comes back as it is");
   if (st->di_partial)
      sampler_media_report(in, PERGOLA_WARNING, "SMP-495",
                           "no manual lists what DI Partial gives back; it is as without it");
   if (st->di_enable &&
       (st->stmm_shift_down > GEN7_DEINTERLACE_SAMPLER_STATE_STMM_SHIFT_DOWN_SHIFT_BY_6 ||
        st->stmm_shift_up > GEN7_DEINTERLACE_SAMPLER_STATE_STMM_SHIFT_UP_SHIFT_BY_8))
      sampler_media_report(in, PERGOLA_WARNING, "SMP-385",
                           "an STMM shift of 3 is reserved; it is taken as one more than 2");
   unsigned high = st->temporal_difference_threshold, low = st->low_temporal_difference_threshold;
   if ((high || low) && (high - low < 1 || high - low > 16))
      sampler_media_report(in, PERGOLA_ERROR, "SMP-386",
                           "the temporal thresholds are not 1 to 16 apart");
   if (st->di_enable && st->progressive_dn)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-386", "Progressive DN with the deinterlacer");
   if (st->di_enable && st->maximum_stmm - st->minimum_stmm != 1u << st->stmm_output_shift)
      sampler_media_report(in, PERGOLA_ERROR, "SMP-512",
                           "the STMM limits are not 2 to the STMM Output Shift apart");
   if (st->vdi_walker_enable)
      sampler_media_report(in, PERGOLA_WARNING, "SMP-385",
                           "the VDI walker is not modelled: the block is the message's");
}

/* ---- response -------------------------------------------------------------------------------- */

static uint32_t
least(uint64_t v, uint32_t most)
{
   return v < most ? (uint32_t)v : most;
}

/* SMP-491 */
static void
put_luma(uint8_t *reg, const uint8_t *row0, const uint8_t *row1)
{
   memcpy(reg, row0, 16);
   memcpy(reg + 16, row1, 16);
}

static uint8_t *
reg_of(uint8_t *out, unsigned n)
{
   return out + n * EU_REG_SIZE;
}

/* SMP-492: luma in two registers, chroma in two. */
static void
put_picture(uint8_t *out, unsigned n, const struct vdi_picture *p)
{
   for (unsigned i = 0; i < 2; i++) {
      put_luma(reg_of(out, n + i), p->luma[2 * i], p->luma[2 * i + 1]);
      put_luma(reg_of(out, n + 2 + i), p->chroma[2 * i][0], p->chroma[2 * i + 1][0]);
   }
}

/* Four values of the 4 by 4 blocks side by side: the first in the highest byte. */
static uint32_t
four(const int v[4])
{
   uint32_t dw = 0;
   for (unsigned i = 0; i < 4; i++)
      dw |= least((uint64_t)v[i], 255) << (24 - 8 * i);
   return dw;
}

/* By 4 by 4 or 4 by 8 blocks: SVCM, SHCM, STAD. */
static void
measures(const struct vdi *d, uint32_t out[3])
{
   int sum[3][4] = {{0}};
   for (int row = 0; row < d->rows / 4; row++)
      for (unsigned i = 0; i < 4; i++) {
         sum[0][i] += d->block[row][i].svcm;
         sum[1][i] += d->block[row][i].shcm;
         sum[2][i] += d->block[row][i].stad;
      }
   for (unsigned i = 0; i < 3; i++)
      out[i] = four(sum[i]);
}

static uint32_t
histories(const struct vdi *d, unsigned row)
{
   uint32_t dw = 0;
   for (unsigned i = 0; i < 4; i++)
      dw |= (uint32_t)d->block[row][i].history << 8 * i;
   return dw;
}

/* SMP-493 */
static void
put_statistics(const struct vdi *d, const uint32_t *v, uint8_t *reg)
{
   uint32_t measure[3];
   measures(d, measure);
   struct hw_deinterlace_statistics s = {.x = (uint32_t)d->x,
                                         .y = (uint32_t)d->y,
                                         .stad_0_to_3 = measure[2],
                                         .shcm_0_to_3 = measure[1],
                                         .svcm_0_to_3 = measure[0],
                                         .diff_ctpt = least(v[0], 0xffff),
                                         .diff_cbpb = least(v[1], 0xffff),
                                         .diff_ctcb = least(v[2], 0xffff),
                                         .diff_ctpb = least(v[3], 0xffff),
                                         .diff_cbpt = least(v[4], 0xffff),
                                         .motion_count = v[5] + v[6],
                                         .block_noise_estimate = d->noise,
                                         .denoise_history_0_to_3 = histories(d, 0)};
   gen7_deinterlace_statistics_pack((uint32_t *)(void *)reg, &s);
}

static void
give_deinterlaced(struct vdi *d, const uint32_t *v, uint8_t *out)
{
   const struct hw_deinterlace_sampler_state *st = &d->st;
   int first = !st->dn_di_top_first; /* parity of the first field */
   bool still = d->has_previous;     /* cadences: SMP-520 */
   struct vdi_field fields[2] = {{VDI_PREVIOUS, VDI_CURRENT, !first,
                                  still ? (uint8_t)st->fmd_for_second_field_of_previous_frame : 0},
                                 {VDI_CURRENT, VDI_PREVIOUS, first,
                                  still ? (uint8_t)st->fmd_for_first_field_of_current_frame : 0}};
   struct vdi_motion motion;
   struct vdi_vectors vectors;
   struct vdi_picture picture;
   vdi_measure(d, fields, &motion);
   bool mcdi = st->mcdi_enable && d->has_previous;
   if (mcdi)
      vdi_search(d, fields, &vectors);
   for (unsigned i = d->has_previous ? 0 : 1; i < 2; i++) {
      vdi_deinterlace(d, &fields[i], &motion, mcdi ? &vectors : NULL, &picture);
      put_picture(out, 4 * i, &picture);
   }
   memcpy(reg_of(out, 8), motion.stored, EU_REG_SIZE);
   put_statistics(d, v, reg_of(out, 9));
   if (!st->dn_enable)
      return;
   put_luma(reg_of(out, 10), &d->luma[VDI_CURRENT][VDI_ABOVE + !first][VDI_LEFT],
            &d->luma[VDI_CURRENT][VDI_ABOVE + 2 + !first][VDI_LEFT]);
   uint8_t chroma[2][VDI_BLOCK_W];
   for (int i = 0; i < 2 * VDI_BLOCK_W; i++)
      chroma[i / VDI_BLOCK_W][i % VDI_BLOCK_W] = vdi_chroma(
          d, VDI_CURRENT, (unsigned)i & 1, i % VDI_BLOCK_W & ~1, 2 * (i / VDI_BLOCK_W) + !first, 0);
   put_luma(reg_of(out, 11), chroma[0], chroma[1]);
}

/* SMP-494 */
static void
give_denoised(struct vdi *d, uint8_t *out)
{
   uint32_t measure[3];
   measures(d, measure);
   struct hw_denoise_statistics s = {.x = (uint32_t)d->x,
                                     .y = (uint32_t)d->y,
                                     .stad_0_to_3 = measure[2],
                                     .shcm_0_to_3 = measure[1],
                                     .svcm_0_to_3 = measure[0],
                                     .block_noise_estimate = d->noise,
                                     .denoise_history_4_to_7 = histories(d, 1),
                                     .denoise_history_0_to_3 = histories(d, 0)};
   gen7_denoise_statistics_pack((uint32_t *)(void *)reg_of(out, 4), &s);
   for (unsigned i = 0; i < 4; i++) {
      uint8_t chroma[2][VDI_BLOCK_W];
      put_luma(reg_of(out, i), &d->luma[VDI_CURRENT][VDI_ABOVE + 2 * i][VDI_LEFT],
               &d->luma[VDI_CURRENT][VDI_ABOVE + 2 * i + 1][VDI_LEFT]);
      for (int k = 0; k < 2 * VDI_BLOCK_W; k++)
         chroma[k / VDI_BLOCK_W][k % VDI_BLOCK_W] =
             vdi_chroma(d, VDI_CURRENT, (unsigned)k & 1, k % VDI_BLOCK_W & ~1,
                        (int)(2 * i) + k / VDI_BLOCK_W, 255);
      put_luma(reg_of(out, 5 + i), chroma[0], chroma[1]);
   }
}

/* SMP-298 */
void
media_deinterlace(const struct media_message_in *in, const uint32_t *payload)
{
   struct hw_deinterlace_block at;
   gen7_deinterlace_block_unpack(&at, payload);
   struct vdi d = {.in = in, .x = (int32_t)at.x, .y = (int32_t)at.y};
   _Alignas(4) uint8_t out[12 * EU_REG_SIZE] = {0};
   if (!bind(&d))
      return;
   d.rows = d.st.di_enable ? 4 : 8;
   d.chroma_422 = is_422(&d.frame[VDI_CURRENT]);
   if (rules_on(in->t->env->dev))
      check(&d);
   load_luma(&d, VDI_CURRENT);
   if (d.has_previous)
      load_luma(&d, VDI_PREVIOUS);
   vdi_estimate_noise(&d);
   uint32_t variance[FMD_VARIANCES];
   if (d.st.di_enable)
      vdi_detect(&d, variance);
   vdi_sum(&d, d.st.di_enable ? variance : NULL);
   if (d.st.dn_enable)
      vdi_denoise(&d);
   if (d.st.di_enable)
      give_deinterlaced(&d, variance, out);
   else
      give_denoised(&d, out);
   unsigned length = in->m->rlen < 12 ? in->m->rlen : 12;
   memcpy(in->m->response, out, (size_t)length * EU_REG_SIZE);
}
