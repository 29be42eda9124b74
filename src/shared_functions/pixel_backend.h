/* Where the data port and the windower meet. A render target write is decoded by the data port into
 * a struct rt_write; the 3D pipeline, when there is one, tests and blends; rt_store puts a colour
 * into the surface. */
#ifndef PERGOLA_PIXEL_BACKEND_H
#define PERGOLA_PIXEL_BACKEND_H

#include "shared_functions/sf.h"
#include "surface/format.h"
#include "surface/surface.h"
#include "surface/view.h"

#define RT_SLOTS 16

/* Message Type of the descriptor. */
enum rt_type {
   RT_SIMD16 = GEN7_DP_RENDER_TARGET_WRITE_DESCRIPTOR_MESSAGE_TYPE_SIMD16,
   RT_REPDATA = GEN7_DP_RENDER_TARGET_WRITE_DESCRIPTOR_MESSAGE_TYPE_SIMD16_REPDATA,
   RT_DUAL_LO = GEN7_DP_RENDER_TARGET_WRITE_DESCRIPTOR_MESSAGE_TYPE_SIMD8_DUALSRC_LO,
   RT_DUAL_HI = GEN7_DP_RENDER_TARGET_WRITE_DESCRIPTOR_MESSAGE_TYPE_SIMD8_DUALSRC_HI,
   RT_SIMD8 = GEN7_DP_RENDER_TARGET_WRITE_DESCRIPTOR_MESSAGE_TYPE_SIMD8_LO,
};

/* One slot: a pixel, or one sample of it. */
struct rt_slot {
   uint16_t x, y;
   uint8_t sample; /* PERSAMPLE: the sample; PERPIXEL: 0 */
   bool enabled;
   uint16_t omask;       /* all ones when none was sent */
   uint32_t color[2][4]; /* source 0, source 1: float, S31 or U32 by the format of the target */
   float source0_alpha;  /* alpha of render target 0 */
   float depth;
};

struct rt_write {
   const struct sf_message *message; /* it came in; diagnostics name its place */
   struct surface surface;
   struct surface_view view; /* of the level that is written */
   uint8_t type;             /* enum rt_type */
   bool last;                /* Last Render Target Select */
   bool dual_source, replicated;
   bool color_dropped; /* DP-351: the message writes no colour */
   bool has_omask, has_depth, has_source0_alpha, back_facing;
   uint8_t slot_group;             /* 0: slots 15:0; 1: 31:16 */
   uint8_t first_slot, slot_count; /* inside the group */
   uint8_t render_target_index, viewport, sample_pair;
   uint8_t binding_table_index;
   uint32_t color_calc_state;
   uint32_t layer;               /* slice of the view */
   uint16_t enables, dispatched; /* as sent or bypassed */
   uint16_t scoreboard;          /* slots whose scoreboard bits this message clears; 0: none */
   struct rt_slot slot[RT_SLOTS];
};

/* R0 and R1 of the pixel shader dispatch, for messages without a header (DP-461). */
struct rt_bypass {
   uint32_t header[16]; /* DP_RENDER_TARGET_WRITE_HEADER, for the slot group asked for */
   bool source_depth, omask;
};

/* What is kept of a thread's messages while it runs: `dispatched` is set and the rest zero at its
 * dispatch, the data port does the rest. */
struct rt_record {
   _Alignas(32) uint32_t written[8]; /* by render target: slots that messages had, valid or not */
   uint32_t dispatched;              /* slots that the thread was dispatched for */
};

struct sf_quick;

/* What becomes of eight colours, by the fast path of render target writes: `word` is what lies in
 * the target where `reads` says so, dword by dword of eight elements, and then what will. Channel i
 * of the colours is in row i * step. */
struct rt_mix {
   uint32_t live;           /* slots that are written */
   const uint32_t *samples; /* of several: slots that are written in each; else NULL */
   bool reads;
   const void *state;
   void (*mix)(const void *state, const struct surface_view *v, const uint32_t (*color)[8],
               unsigned step, uint32_t (*word)[8]); /* NULL: colours are packed and stored */
   /* The same for 16 slots and elements of a dword; or NULL. */
   void (*mix_row)(const void *state, const struct surface_view *v, const uint32_t (*color)[8],
                   uint32_t (*word)[8]);
   /* All of it but `live` holds for each message without a header that threads of the object send,
    * as long as this is the format of the view. NULL: for this message alone. */
   const struct format_info *const *lasting;
};

/* The last message that wrote 16 slots as rows: what was found for it holds for those of the
 * object's other threads. */
struct sf_target;
struct rt_rows {
   const struct sf_quick *quick; /* NULL: there is none */
   uint32_t generation;          /* of the surface cache */
   struct surface_view *view;
   uint32_t layer, x_el, row; /* its slice, and where that begins */
   struct sf_target *shared;  /* whose samples share the view's slice; or NULL: there is one */
   struct rt_mix mix;
};

#define PI_SLOTS 16

/* What the pixel interpolator asks: weights of v1 and v2 at places in the pixels of a thread. */
struct pi_request {
   bool linear;                /* else by 1/w */
   uint8_t type;               /* GEN7_PIXEL_INTERPOLATOR_MESSAGE_… */
   uint8_t first_slot, slots;  /* of the thread; 8 or 16 of them */
   int8_t offset[PI_SLOTS][2]; /* of the snapped ones: x, y, in sixteenths of a pixel */
   uint8_t sample;             /* of SAMPLE_POSITION_OFFSET */
};

/* A message of 16 slots whose colours were packed and stored, and nothing else; `view` is NULL
 * where something else became of it. The payload stays until the next thread starts. */
struct rt_plain {
   struct surface_view *view;
   uint32_t slice;
   const uint8_t *payload;
   bool replicated;
   /* The element that it has stored in every slot; false: they differ, or are of less than 32 bits.
    */
   bool (*element)(const struct rt_plain *p, uint32_t element[4]);
};

struct pixel_backend {
   void *data;
   struct rt_plain *plain; /* to be filled in by such a message; or NULL */
   struct rt_rows *rows;   /* to be remembered; who gives it forgets it when the object ends */
   uint8_t dispatch_width; /* pixels of a thread: 8, 16, 32 */
   bool per_sample;        /* multisample dispatch mode, with more than one sample */
   uint8_t samples;        /* of a pixel; 0: as many as the target has */
   bool dual_source_blend; /* 3DSTATE_WM */
   /* False: the thread was not dispatched by the windower. */
   bool (*bypass)(void *data, const struct eu_thread *t, unsigned slot_group,
                  struct rt_bypass *out);
   /* What it would give, where threads run one at a time, for the one that runs; or NULL: ask. */
   const struct rt_bypass *now;
   struct rt_record *now_record; /* likewise */
   /* Weights for the pixel interpolator, and what its rules go by. */
   void (*interpolate)(void *data, const struct eu_thread *t, const struct pi_request *q,
                       float b[2][PI_SLOTS]);
   bool linear_enable, source_w; /* Non-Perspective Barycentric Enable, Uses Source W */
   uint8_t barycentric_modes;    /* those of the payload */
   /* The record of a thread; NULL: none is kept. May be NULL itself. */
   struct rt_record *(*record)(void *data, const struct eu_thread *t);
   /* Tests, blends, stores, clears the scoreboard. With data of its own. */
   void *pixels_data;
   void (*pixels)(void *pixels_data, struct eu_thread *t, struct rt_write *w);
   /* The same for a message of one source whose elements can be reached, if that has a fast path:
    * tests, and says what to store. header: that was sent, or NULL. False: nothing has been done.
    * Of several samples it has no other effect: it may be asked in vain. */
   bool (*mix)(void *pixels_data, const uint32_t *header, const struct surface_view *v,
               unsigned slots, bool last, struct rt_mix *out);
};

/* Puts a colour (as in rt_slot) into one sample of a pixel; outside the surface: nothing. */
void rt_store(struct eu_thread *t, const struct rt_write *w, unsigned x, unsigned y,
              unsigned sample, const uint32_t color[4]);
/* What is there now, unpacked. False: outside. */
bool rt_load(struct eu_thread *t, const struct rt_write *w, unsigned x, unsigned y, unsigned sample,
             uint32_t color[4]);

/* Where it lies; false: outside. write: for what, as those hear of it who watch memory. */
bool rt_element(struct eu_thread *t, const struct rt_write *w, unsigned x, unsigned y,
                unsigned sample, bool write, uint32_t *address);

/* Pixel and sample of a slot. simd: 8, 16 or 32; samples: 1, 2, 4, 8 (of the dispatch). */
struct rt_slot_place {
   uint8_t subspan, pixel, sample;
};
struct rt_slot_place rt_slot_place(unsigned simd, unsigned samples, unsigned sample_pair,
                                   unsigned slot);

#endif
