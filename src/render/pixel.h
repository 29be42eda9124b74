/* The pixel back end: depth, stencil and colour of pixels, as the windower and the data port see
 * them. The windower hands over a group of pixels before its thread is dispatched; what the thread
 * writes comes through the seam of shared_functions/pixel_backend.h. */
#ifndef PERGOLA_RENDER_PIXEL_H
#define PERGOLA_RENDER_PIXEL_H

#include "eu/eu.h"
#include "oa/events.h"
#include "render/cc/cc.h"
#include "render/cc/fast.h"
#include "render/depth/depth.h"
#include "shared_functions/pixel_backend.h"

#define PIXEL_SUBSPANS 8u /* of a thread: 32 pixels */
#define PIXEL_SLOTS 32u

/* The pixels of one thread, which belong to one object. A bit of a mask is 4 * subspan + pixel
 * (G3D-096). */
struct pixel_group {
   uint8_t subspans;
   uint8_t samples; /* of a pixel: 1, 4, 8 */
   bool back_facing;
   bool smooth; /* an antialiased line: `coverage` says how much of a pixel is its */
   uint8_t viewport;
   uint16_t layer;                                /* render target array index */
   uint16_t x[PIXEL_SUBSPANS], y[PIXEL_SUBSPANS]; /* upper left pixels, even */
   uint32_t lit[DEPTH_SAMPLES];                   /* by sample: what is covered */
   /* [sample][pixel]: as interpolated; only if pixel.needs_z. */
   _Alignas(32) float z[DEPTH_SAMPLES][PIXEL_SLOTS];
   float coverage[PIXEL_SLOTS];
};

/* When the tests are made and their results written. */
enum pixel_when {
   PIXEL_BEFORE, /* the shader, all of it: nothing later can change it */
   PIXEL_AFTER,  /* with the colours of the last render target */
   PIXEL_BOTH,   /* before: what fails is not shaded; after: all of it */
};

/* What a draw has set; nobody writes it while the draw runs. */
struct pixel {
   struct pergola_device *dev;
   struct depth depth;
   struct hw_color_calc_state cc;
   struct hw_blend_state_entry blend[CC_TARGETS];
   struct cc_alpha alpha[CC_TARGETS];
   uint8_t samples;
   bool per_sample;
   uint8_t when;             /* enum pixel_when */
   bool count;               /* PS_DEPTH_COUNT */
   uint8_t computed;         /* Pixel Shader Computed Depth Mode */
   bool fast_clear, resolve; /* of colour: the thread's messages mean something else */
   bool clear_depth, resolve_depth;
   /* For the windower. */
   bool needs_z;  /* it fills pixel_group.z */
   bool early;    /* it calls pixel_early */
   bool tests;    /* there are any: of depth or stencil */
   bool blocks;   /* of blocks, by pixel_early_block, but of antialiased lines */
   bool dispatch; /* there are threads; else pixel_early does everything */
   bool oa;       /* performance counters count: pixel_oa.c */
   bool whole;    /* rectangles go to pixel_rectangle, and there are no threads */
};

/* Performance counters: of the group, pixels that … */
struct pixel_tally {
   uint32_t lit;                 /* … went to the shader, */
   uint32_t alive;               /* … a message had, */
   uint32_t shown;               /* … passed all tests of one, */
   uint32_t alpha;               /* … failed the alpha test, */
   uint32_t stencil;             /* … or the stencil test after the shader, */
   uint32_t late;                /* … of those that were tested then. */
   uint32_t written[CC_TARGETS]; /* blocks that counted for a target: its samples may come singly */
   uint64_t count[OA_PIXEL_COUNTS];
};

/* What one host thread has of it. */
struct pixel_worker {
   const struct pixel *p;
   struct pixel_group group;         /* of the thread that runs */
   uint32_t survived[DEPTH_SAMPLES]; /* what some render target has let through */
   uint64_t passed;                  /* samples, for PS_DEPTH_COUNT */
   struct pixel_tally oa;
   struct cc_target target[CC_TARGETS];
   /* The fast path of a target, as long as `known` is its view's format. */
   struct {
      const struct format_info *known;
      bool fast;
      cc_mix_fn mix;
      cc_mix_row_fn mix_row;
   } fast[CC_TARGETS];
};

/* The state of the draw that begins: everything is unpacked here. env: of its threads. */
void pixel_bind(struct pixel *p, struct pergola_device *dev, const struct eu_env *env,
                const struct hw_3dstate_wm *wm, const struct hw_3dstate_ps *ps, unsigned samples);
/* A host thread takes part in the draw. */
void pixel_worker_begin(struct pixel_worker *w, const struct pixel *p);
/* It does so no longer, or its turn is over: counts go to their register. */
void pixel_worker_end(struct pixel_worker *w);
/* How pixel shader threads of this host thread reach the back end; the windower adds the rest. */
void pixel_backend_bind(struct pixel_backend *b, struct pixel_worker *w);

/* Before the thread of w->group is dispatched, if `early`: tests what may be tested now, and takes
 * failing samples away from its lit ones. Returns the pixels that go on. */
uint32_t pixel_early(struct pixel_worker *w);
/* The same for the pixels of a block of 8x8, if `blocks`: 16 bits and 16 depths for each two rows
 * of them. Of w->group only what an object has is looked at. */
uint64_t pixel_early_block(struct pixel_worker *w, int32_t x, int32_t y, const float (*z)[16],
                           uint64_t lit);
/* If `oa`: the next group of pixels; the one before it has no threads any more; counts go to the
 * counters. */
void pixel_oa_begin(struct pixel_worker *w);
void pixel_oa_end(struct pixel_worker *w);
void pixel_oa_leave(struct pixel_worker *w);
/* If `whole`: an object with these pixels, the last ones excluded. */
void pixel_rectangle(const struct pixel *p, int32_t x0, int32_t y0, int32_t x1, int32_t y1, float z,
                     uint32_t layer);

/* In place of the group's last thread, that of the next: what it has survived is its own. */
static inline void
pixel_start(struct pixel_worker *w)
{
   for (unsigned s = 0; s < w->group.samples; s++)
      w->survived[s] = 0;
}

#endif
