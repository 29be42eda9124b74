/* What the performance counters count: events of the model, summed. Every face of the unit, the
 * execution units and the dispatchers use these names. */
#ifndef PERGOLA_OA_EVENTS_H
#define PERGOLA_OA_EVENTS_H

#include <stdint.h>

/* The fixed functions that dispatch threads, in the order of the coarse filters (SYS-387..392). */
enum oa_stage { OA_VS, OA_HS, OA_DS, OA_GS, OA_PS, OA_TS, OA_STAGES };

/* SYS-367: an instruction takes one clock of its EU, in one pipeline. */
enum oa_event {
   /* Clocks: an instruction is one of them. */
   OA_FPU0_MOV,
   OA_FPU0_BINARY,
   OA_FPU0_TERNARY,
   OA_FPU0_OTHER, /* one source, or none */
   OA_FPU1_BINARY,
   OA_FPU1_OTHER,
   OA_SEND,   /* a clock, and the start of a message */
   OA_BRANCH, /* the branch unit: flow control, wait */
   OA_CLOCK_EVENTS,
   /* Messages, counted beside their clock. */
   OA_SAMPLER_2X2 = OA_CLOCK_EVENTS, /* asked of the sampler */
   OA_SLM_READ,                      /* 64 bytes each */
   OA_SLM_WRITE,
   OA_SLM_ATOMIC, /* messages; their reads and writes are in the two above */
   OA_MEMORY,     /* 64 bytes each, of surfaces that are neither textures nor render targets */
   OA_ATOMIC,     /* messages to global memory */
   OA_BARRIER,    /* messages */
   OA_TARGET_WRITE,
   OA_INSTRUCTION_EVENTS,
   /* Of the dispatchers. */
   OA_THREADS = OA_INSTRUCTION_EVENTS, /* dispatched */
   OA_STALLED,  /* clocks of an EU with a thread loaded and none that executes */
   OA_WAITED,   /* clocks that loaded threads do not execute, summed over them */
   OA_FPU_BOTH, /* clocks in which both FPUs execute: none, with one instruction a clock */
   OA_EVENTS,
};

#define OA_EUS 32u /* half-slice * 16 + EU */

/* Pixels on their way to render targets: blocks of 2x2, in the order of A21..A27. */
enum oa_pixels {
   OA_RASTERIZED,
   OA_FAST_FAILED, /* tests before the pixel shader */
   OA_SLOW_FAILED,
   OA_KILLED,
   OA_LATE_FAILED, /* tests after it */
   OA_WRITTEN,
   OA_BLENDED,
   OA_PIXEL_EVENTS,
   /* Single pixels, for Gen7 (SYS-471): tests before the shader, and why one was lost in it or
    * behind it. */
   OA_PIXELS_SLOW_PASSED = OA_PIXEL_EVENTS,
   OA_PIXELS_SLOW_FAILED,
   OA_PIXELS_KILLED,
   OA_PIXELS_ALPHA_FAILED,
   OA_PIXELS_STENCIL_FAILED,
   OA_PIXELS_DEPTH_FAILED,
   OA_PIXEL_COUNTS,
};

struct oa_events {
   uint64_t eu[OA_STAGES][OA_EUS][OA_EVENTS];
   uint64_t pixels[OA_PIXEL_COUNTS];
};

static inline uint64_t
oa_stage_sum(const struct oa_events *e, enum oa_stage stage, enum oa_event first,
             enum oa_event last)
{
   uint64_t sum = 0;
   for (unsigned n = 0; n < OA_EUS; n++)
      for (unsigned i = first; i <= last; i++)
         sum += e->eu[stage][n][i];
   return sum;
}

static inline uint64_t
oa_sum(const struct oa_events *e, enum oa_event first, enum oa_event last)
{
   uint64_t sum = 0;
   for (unsigned s = 0; s < OA_STAGES; s++)
      sum += oa_stage_sum(e, s, first, last);
   return sum;
}

static inline void
oa_events_add(struct oa_events *to, const struct oa_events *e)
{
   const uint64_t *from = &e->eu[0][0][0];
   uint64_t *sum = &to->eu[0][0][0];
   for (unsigned i = 0; i < OA_STAGES * OA_EUS * OA_EVENTS; i++)
      sum[i] += from[i];
   for (unsigned i = 0; i < OA_PIXEL_COUNTS; i++)
      to->pixels[i] += e->pixels[i];
}

#endif
