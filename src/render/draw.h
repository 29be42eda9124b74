/* Private to src/render: a primitive command under way. */
#ifndef PERGOLA_RENDER_DRAW_H
#define PERGOLA_RENDER_DRAW_H

#include "dispatch/stage.h"
#include "eu/eu.h"
#include "hw/hw.h"
#include "render/render.h"
#include "shared_functions/pixel_backend.h"

#include <string.h>

#define VUE_SLOTS 34u /* as many as there can be vertex elements */
#define VERTEX_BUFFERS 33u
#define ATTRIBUTES 32u

/* A vertex as it lies in the URB: a slot for each vertex element. Slot 0 is the header, slot 1 the
 * position. */
struct vue {
   uint32_t slot[VUE_SLOTS][4];
};

/* An object after setup. */
struct rectangle {
   int32_t x0, y0, x1, y1;           /* pixels, the last ones excluded */
   float position[3][4];             /* of the vertices, with the origin of the drawing rectangle */
   uint32_t setup[ATTRIBUTES][3][4]; /* a0, a1, a2 */
   uint32_t layer, viewport;
};

/* The state of the pipeline when the command came. */
struct draw {
   struct gen7_3dprimitive primitive;
   struct gen7_vertex_buffer_state buffer[VERTEX_BUFFERS];
   uint64_t has_buffer; /* a bit each */
   struct gen7_vertex_element_state element[VUE_SLOTS];
   unsigned elements;
   struct gen7_3dstate_clip clip;
   struct gen7_3dstate_sf sf;
   struct gen7_3dstate_sbe sbe;
   struct gen7_3dstate_wm wm;
   struct gen7_3dstate_ps ps;
   struct gen7_3dstate_constant_ps constants;
   struct gen7_3dstate_drawing_rectangle area;
   uint32_t color_calc_state, binding_table, samplers;
   bool masked; /* by the sample mask */
   bool wraps;  /* an attribute takes the shortest way around */
   bool count_vertices;
   struct eu_env env;
   /* How far it is. */
   uint32_t instance, object;
   bool open; /* `now` is drawn */
   struct rectangle now;
};

#define PS_KERNELS 2u /* the first of 3DSTATE_PS, and the third */

/* The windower's walk over a rectangle. Groups of subspans, a thread each, are numbered from the
 * left to the right, row by row: which thread has which pixels depends on the rectangle alone. */
struct walk {
   unsigned width;    /* pixels of a group: 8 or 16 */
   int32_t left, top; /* of the first subspan */
   uint32_t columns;  /* of subspans */
   uint64_t subspans, groups;
   uint32_t first_thread; /* number of the first group's */
   /* G3D-099, G3D-094: constants and attributes, which all threads of a kernel have in common. */
   struct {
      unsigned first, count; /* registers */
      _Alignas(32) uint32_t row[EU_GRF_COUNT][8];
   } common[PS_KERNELS];
};

/* A group of subspans: the pixels of one thread. */
struct group {
   unsigned width;              /* pixels of the dispatch */
   unsigned count;              /* of subspans */
   uint32_t lit;                /* a bit for every pixel inside */
   _Alignas(32) uint32_t r1[8]; /* G3D-097: as the thread has it; x below y of their upper left
                                   pixels from the third on */
};

/* What a host thread runs pixel shader threads with. */
struct ps_worker {
   struct stage_worker stage;
   struct render *r;
   struct pixel_backend pixel; /* of this worker's threads */
   struct rt_record record;
   struct group group; /* of the thread that was chosen */
   int32_t x, y;       /* the first subspan of the next one */
   uint32_t number;    /* thread of that group */
   uint64_t invocations;
   _Alignas(32) struct rt_bypass bypass; /* R0 and R1 of the thread, as dispatched */
};

struct render {
   struct pergola_device *dev;
   struct stage_crew ps;
   uint32_t threads; /* dispatched so far */
   struct draw draw;
   struct walk walk;
};

#define PS_DISPATCH_COST 32 /* of the budget, as much as so many instructions */

/* A 64-bit counter. */
static inline void
render_count(struct render *r, uint32_t reg, uint64_t by)
{
   __atomic_fetch_add((uint64_t *)(void *)&r->dev->mmio[reg / 4], by, __ATOMIC_RELAXED);
}

/* state.c. What of it is not modelled, or NULL. */
const char *draw_state(struct draw *d, struct pergola_device *dev, const struct cs_command *c);
/* vf.c. Vertex v of an instance. */
void vf_vertex(const struct draw *d, uint32_t instance, uint32_t v, struct vue *out);
/* sf.c. False: there is nothing of it to draw. */
bool sf_rectangle(const struct draw *d, const struct vue v[3], struct rectangle *out);
/* wm.c. The next rectangle, and its walk: runs the pixel shader over it. CS_DONE, or CS_AGAIN at
 * the end of the budget. */
void wm_begin(struct render *r);
enum cs_result wm_rectangle(struct render *r, uint64_t *budget);
/* A worker's place in the walk, before its next group. */
void wm_seek(struct ps_worker *w);
/* The next group of a worker; it has one. */
void wm_take_group(struct ps_worker *w, struct group *g);

/* ps.c */
extern const struct stage ps_stage;
/* G3D-095: which kernel for so many pixels; its place among those of `fresh`. */
unsigned ps_kernel(const struct gen7_3dstate_ps *ps, unsigned width);

/* ps_payload.c. The registers of a thread that has been prepared for the kernel. */
unsigned ps_grf_start(const struct gen7_3dstate_ps *ps, unsigned kernel);
void ps_load_common(struct render *r, unsigned kernel);
/* Registers behind the header that are a thread's own: how many. */
unsigned ps_own_registers(const struct draw *d, unsigned width);
void ps_load_own(struct ps_worker *w, const struct group *g);
/* Of the rectangle: what their headers have in common. */
void ps_load_header(struct ps_worker *w);

/* ps_series.c. Runs threads by native code. */
void ps_run_series(struct stage_worker *w, const struct eu_series *s, int64_t *budget);
/* ps.c. It has written to a render target behind the first. */
void ps_report_others(const struct ps_worker *w);

#endif
