/* Skip check, and the replacement of 8x8 blocks by their direct vectors. */
#include "shared_functions/vme/partition.h"
#include "shared_functions/vme/trace.h"

static struct vme_mv
skip_center(const struct vme *v, unsigned pair, unsigned reference)
{
   uint32_t dw = v->in[2][2 * pair + reference]; /* VME-306 */
   return (struct vme_mv){(int16_t)dw, (int16_t)(dw >> 16)};
}

/* VME-086, VME-180, VME-307: w by h pixels at (x, y) of the macroblock, moved by a skip vector. */
static void
predict(const struct vme *v, unsigned reference, struct vme_mv mv, unsigned x, unsigned y,
        unsigned size, uint8_t *out)
{
   uint8_t px[20 * 32]; /* rows are read 16 bytes at a time */
   int32_t left = (int32_t)v->m0.srcx + (int32_t)x + (mv.x >> 2) - 1;
   int32_t top = (int32_t)v->m0.srcy + (int32_t)y + (mv.y >> 2) - 1;
   vme_fetch(v, 1 + reference, left, top, size + 3, size + 3, px, 32);
   v->dsp->predict(px + 33, 32, (unsigned)mv.x & 3, (unsigned)mv.y & 3, v->m1.bilinearenable, size,
                   size, out);
}

/* A pair of centers: one or both directions (VME-182). */
static void
predict_pair(const struct vme *v, unsigned pair, unsigned centers, unsigned x, unsigned y,
             unsigned size, uint8_t *out)
{
   uint8_t other[16 * 16];
   predict(v, centers == 2, skip_center(v, pair, centers == 2), x, y, size, out);
   if (centers != 3)
      return;
   predict(v, 1, skip_center(v, pair, 1), x, y, size, other);
   vme_blend(out, other, size, size, v->dual ? v->m1.biweight : 32); /* VME-287 */
}

/* VME-087, VME-183, VME-248, VME-249 */
static unsigned
enabled_centers(const struct vme *v, uint8_t centers[4])
{
   unsigned count = 0;
   for (unsigned k = 0; k < 4; k++) {
      unsigned pair = v->m0.skiptype ? k : 0; /* VME-221 */
      centers[k] = v->m1.skipcentermask >> 2 * pair & 3;
      if (!centers[k])
         return 0;
      if (k == 0 || v->m0.skiptype)
         count += (unsigned)__builtin_popcount(centers[k]);
   }
   return count;
}

/* VME-216, VME-217: by 8x8 or 4x4, the largest. */
static int32_t
largest_block(const struct vme *v, const uint8_t *pred)
{
   unsigned size = v->m1.t8x8flagforinteren ? 8 : 4;
   int32_t largest = 0;
   for (unsigned y = 0; y < 16; y += size)
      for (unsigned x = 0; x < 16; x += size) {
         int32_t d = vme_distortion(v, x, y, pred + y * 16 + x, size, size);
         largest = d > largest ? d : largest;
      }
   return largest;
}

/* VME-088 … VME-092 */
static void
measure(struct vme *v, const uint8_t *pred)
{
   struct vme_skip *s = &v->skip;
   int32_t zero_mv = v->m1.nonskipzmvadded ? 2 * v->costs.mv[0] : 0;
   int32_t mode = v->m1.nonskipmodeadded;
   for (unsigned k = 0; k < 4; k++) {
      unsigned x = k % 2 * 8, y = k / 2 * 8;
      s->raw8x8[k] = vme_distortion(v, x, y, pred + y * 16 + x, 8, 8);
      s->zero_mv[k] = v->m0.skiptype || !k ? zero_mv * __builtin_popcount(s->centers[k]) : 0;
      s->direct8x8[k] =
          s->raw8x8[k] + s->zero_mv[k] + (mode ? v->costs.mode[VME_MODE_INTER_8X8Q] : 0);
      s->raw += s->raw8x8[k];
   }
   s->tested = v->m0.block_based_skip_enabled ? largest_block(v, pred) : s->raw;
}

void
vme_skip_check(struct vme *v)
{
   struct vme_skip *s = &v->skip;
   if (!v->m1.skipmodeen || v->src_h != 16) /* VME-305 */
      return;
   unsigned count = enabled_centers(v, s->centers);
   /* VME-023, VME-087: without any vectors skip is still allowed. */
   if (!count || (v->m1.maxnummvs && count > v->m1.maxnummvs))
      return;
   uint8_t pred[16 * 16];
   if (!v->m0.skiptype)
      predict_pair(v, 0, s->centers[0], 0, 0, 16, pred);
   for (unsigned k = 0; v->m0.skiptype && k < 4; k++)
      predict_pair(v, k, s->centers[k], k % 2 * 8, k / 2 * 8, 8, pred + k / 2 * 8 * 16 + k % 2 * 8);
   measure(v, pred);
   s->performed = v->w0.skip_check_performed = true;
   s->passed = s->tested <= vme_u4u4(v->m1.skipsuccess); /* VME-093, VME-129, VME-294 */
   s->cost = s->raw;
   if (!s->passed) { /* VME-096 */
      s->cost += v->m1.nonskipmodeadded ? v->costs.mode[VME_MODE_INTER_16X16] : 0;
      for (unsigned k = 0; k < 4; k++)
         s->cost += s->zero_mv[k];
   }
   if (v->tell)
      vme_say(v, "skip check: raw %d, compared %d with %d: %s, candidate at %d", s->raw, s->tested,
              vme_u4u4(v->m1.skipsuccess), s->passed ? "passed" : "failed", s->cost);
}

/* VME-099: one 8x8 of a candidate. */
static void
replace(struct vme *v, struct vme_candidate *c, unsigned k, unsigned whole)
{
   uint8_t blocks[4];
   const struct vme_skip *s = &v->skip;
   bool pair = s->centers[k] == 3, bidirectional = c->direction[k] == VME_BIDIRECTIONAL;
   unsigned limit = vme_vector_limit(v), vectors = vme_vectors(v, c);
   int32_t now = c->unit[k] + vme_unit_penalty(v, c, k);
   unsigned mine = vme_unit_blocks(c, k, blocks) * (bidirectional ? 2 : 1);
   if (s->direct8x8[k] > now)
      return;
   if (vectors + whole > limit && c->shape[k] == 0 && !bidirectional && pair)
      return;
   if (vectors - mine + (pair ? 2 : 1) > limit) /* follows from the rest; the rule says it */
      return;
   if (v->tell)
      vme_say(v, "direct 8x8: block %u: %d replaces %d", k, s->direct8x8[k], now);
   c->total += s->direct8x8[k] - now;
   c->shape[k] = 0;
   c->direction[k] = pair ? VME_BIDIRECTIONAL : s->centers[k] == 2 ? VME_BACKWARD : VME_FORWARD;
   c->unit[k] = s->raw8x8[k] + s->zero_mv[k];
   c->direct |= (uint8_t)(1 << k);
}

void
vme_direct8x8(struct vme *v)
{
   /* VME-098, VME-100, VME-101 */
   if (!v->skip.performed || !v->m0.skiptype || v->m1.unimixdisable || v->m1.bimixdis)
      return;
   for (unsigned i = 0; i < 2; i++) {
      struct vme_candidate *c = &v->candidate[i];
      unsigned whole = 0;
      if (!c->valid || c->major != VME_MAJOR_8X8)
         continue;
      for (unsigned k = 0; k < 4; k++)
         whole += c->shape[k] == 0;
      for (unsigned k = 0; k < 4; k++)
         replace(v, c, k, whole);
   }
}
