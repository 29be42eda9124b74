/* Vertex shader threads side by side (eu/wide.h): vertices from their entries of the URB to the
 * frame, and back. */
#include "render/vs/vs.h"

#ifdef __x86_64__
#include <immintrin.h>

#define LANES 8u
#define VERTICES (2u * WIDE_THREADS)

/* The vertices of a batch by lane, and what their threads' first register has. */
struct batch {
   unsigned threads;
   uint32_t *vue[VERTICES];
   const struct vertex *vertex; /* the first one */
};

static bool
has(const uint64_t bits[2], unsigned reg)
{
   return bits[reg / 64] >> (reg % 64) & 1;
}

/* Four dwords of eight vertices, turned. */
static inline STAGE_VECTORS void
turn(const __m256i in[4], __m256i out[4])
{
   __m256i a = _mm256_unpacklo_epi32(in[0], in[1]), b = _mm256_unpackhi_epi32(in[0], in[1]),
           c = _mm256_unpacklo_epi32(in[2], in[3]), d = _mm256_unpackhi_epi32(in[2], in[3]);
   out[0] = _mm256_unpacklo_epi64(a, c);
   out[1] = _mm256_unpackhi_epi64(a, c);
   out[2] = _mm256_unpacklo_epi64(b, d);
   out[3] = _mm256_unpackhi_epi64(b, d);
}

static STAGE_VECTORS void
load_slot(uint32_t *frame, unsigned reg, const struct batch *b, unsigned slot)
{
   for (unsigned g = 0; g < WIDE_GROUPS; g++) {
      uint32_t *const *vue = b->vue + g * LANES;
      __m256i in[4], out[4];
#pragma GCC unroll 4
      for (unsigned i = 0; i < 4; i++)
         in[i] = _mm256_inserti128_si256(
             _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(vue[i] + 4 * slot))),
             _mm_loadu_si128((const __m128i *)(vue[i + 4] + 4 * slot)), 1);
      turn(in, out);
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++)
         _mm256_store_si256((__m256i *)eu_wide_at(frame, g, reg, c), out[c]);
   }
}

/* To the entries of vertices that are there. */
static STAGE_VECTORS void
store_slot(uint32_t *frame, unsigned reg, const struct batch *b, unsigned slot)
{
   for (unsigned g = 0; g < WIDE_GROUPS; g++) {
      uint32_t *const *vue = b->vue + g * LANES;
      unsigned first = g * LANES, here = 2 * b->threads > first ? 2 * b->threads - first : 0;
      __m256i in[4], out[4];
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++)
         in[c] = _mm256_load_si256((const __m256i *)eu_wide_at(frame, g, reg, c));
      turn(in, out);
#pragma GCC unroll 8
      for (unsigned i = 0; i < LANES; i++) {
         __m128i row =
             i < 4 ? _mm256_castsi256_si128(out[i]) : _mm256_extracti128_si256(out[i - 4], 1);
         if (i < here)
            _mm_storeu_si128((__m128i *)(vue[i] + 4 * slot), row);
      }
   }
}

/* A register that all threads have alike. */
static void
load_constant(uint32_t *frame, unsigned reg, const uint32_t row[8])
{
   for (unsigned g = 0; g < WIDE_GROUPS; g++)
      for (unsigned c = 0; c < 4; c++)
         for (unsigned lane = 0; lane < LANES; lane++)
            eu_wide_at(frame, g, reg, c)[lane] = row[4 * (lane & 1) + c];
}

/* Constants that no thread overwrites are loaded once. */
static void
load_constants(struct vs_worker *v, const struct eu_wide *wide, bool again)
{
   const struct stage_common *common = &v->w.common[0];
   for (unsigned r = common->first; r < common->first + common->count; r++)
      if (has(wide->needs, r) && (!again || has(wide->writes, r)))
         load_constant(v->frame, r, common->row[r]);
}

/* P3D-086: register 0 of each thread, as vs.c makes it. */
static void
load_header(struct vs_worker *v, const struct render *r, const struct batch *b)
{
   const struct hw_3dstate_vs *s = &r->state.vs;
   struct stage_worker *w = &v->w;
   for (unsigned k = 0; k < WIDE_THREADS; k++) {
      unsigned g = k / 4, lane = k % 4 * 2, thread = k < b->threads ? k : b->threads - 1;
      if (k < b->threads) {
         w->place = w->places[w->turn];
         w->turn = w->turn + 1 < w->place_count ? w->turn + 1 : 0;
      }
      const uint32_t r0[8] = {b->vertex[2 * thread].handle,
                              b->vertex[2 * thread + 1].handle,
                              0,
                              r->state.samplers_vs.pointer_to_sampler_state |
                                  s->per_thread_scratch_space,
                              r->state.table_vs.pointer_to_binding_table,
                              (s->scratch_space_base_pointer +
                               w->place.fftid * (1024u << s->per_thread_scratch_space)) |
                                  w->place.fftid,
                              (v->pair + thread) & GEN7_R0_VERTICES__THREAD_ID,
                              0};
      for (unsigned c = 0; c < 4; c++) {
         eu_wide_at(v->frame, g, 0, c)[lane] = r0[c];
         eu_wide_at(v->frame, g, 0, c)[lane + 1] = r0[c + 4];
      }
   }
}

/* Do all threads write all channels of their own two entries? */
static bool
writes_its_own(struct vs_worker *v, const struct eu_wide *wide, const struct batch *b)
{
   for (unsigned k = 0; k < b->threads; k++) {
      unsigned g = k / 4, lane = k % 4 * 2;
      const uint32_t *x = eu_wide_at(v->frame, g, wide->header, 0),
                     *y = eu_wide_at(v->frame, g, wide->header, 1);
      if (hw_get(x[lane], GEN7_URB_MESSAGE_HEADER__URB_HANDLE_0) != b->vertex[2 * k].handle ||
          hw_get(y[lane], GEN7_URB_MESSAGE_HEADER__URB_HANDLE_1) != b->vertex[2 * k + 1].handle ||
          ~y[lane + 1] & GEN7_URB_MESSAGE_HEADER__CHANNEL_MASK)
         return false;
   }
   return true;
}

static void
load_batch(struct vs_worker *v, const struct render *r, const struct eu_wide *wide,
           const struct batch *b)
{
   const struct hw_3dstate_vs *s = &r->state.vs;
   unsigned reg = s->dispatch_grf_start_register_for_urb_data + r->vs.constants,
            slot = 2 * s->vertex_urb_entry_read_offset;
   static const uint32_t zero[8];
   load_header(v, r, b);
   for (unsigned j = 0; j < r->vs.read; j++, slot++) {
      if (!has(wide->needs, reg + j))
         continue;
      if (slot < b->vertex->vue_slots) /* P3D-094 */
         load_slot(v->frame, reg + j, b, slot);
      else
         load_constant(v->frame, reg + j, zero);
   }
}

/* Threads from the chosen one on that have both vertices, at most WIDE_THREADS. */
static unsigned
find_batch(const struct vs_worker *v, const struct render *r, struct batch *b)
{
   unsigned first = r->vs.first + 2 * v->pair, left = (r->vf.used - first) / 2,
            mine = 1 + (unsigned)(v->w.work.end - v->w.work.next),
            count = left < mine ? left : mine;
   b->threads = count < WIDE_THREADS ? count : WIDE_THREADS;
   b->vertex = &r->vf.vertex[first];
   for (unsigned i = 0; i < VERTICES && b->threads; i++)
      b->vue[i] = b->vertex[i < 2 * b->threads ? i : 0].vue;
   return b->threads;
}

bool
vs_wide(struct vs_worker *v, int64_t *budget)
{
   struct stage_worker *w = &v->w;
   const struct render *r = w->crew->data;
   struct eu_wide wide;
   struct batch b;
   if (r->state.vs.single_vertex_dispatch || !eu_wide_begin(&wide, &w->fresh[0]) ||
       wide.urb_offset * 32u + wide.rows * 16u > r->vf.stride_B)
      return false;
   load_constants(v, &wide, false);
   do {
      int64_t cost = (int64_t)WIDE_THREADS * (VS_COST + wide.instructions);
      if (*budget <= cost || !find_batch(v, r, &b))
         return false;
      load_constants(v, &wide, true);
      load_batch(v, r, &wide, &b);
      wide.enter(v->frame);
      if (!writes_its_own(v, &wide, &b)) {
         w->turn = (w->turn + w->place_count - b.threads % w->place_count) % w->place_count;
         return false; /* nothing has been written */
      }
      for (unsigned i = 0; i < wide.rows; i++)
         store_slot(v->frame, wide.header + 1 + i, &b, 2u * wide.urb_offset + i);
      *budget -= (int64_t)b.threads * (VS_COST + wide.instructions);
      v->invocations += 2 * b.threads;
      w->work.next += b.threads - 1;
      w->thread = vs_next(w) ? STAGE_CHOSEN : STAGE_NONE;
   } while (w->thread == STAGE_CHOSEN && !rules_stopped(w->work.crew->d->dev));
   return true;
}

#else

bool
vs_wide(struct vs_worker *v, int64_t *budget)
{
   (void)v;
   (void)budget;
   return false;
}

#endif
