/* Private to src/render: a primitive command under way. */
#ifndef PERGOLA_RENDER_DRAW_H
#define PERGOLA_RENDER_DRAW_H

#include "eu/eu.h"
#include "hw/hw.h"
#include "render/render.h"
#include "shared_functions/pixel_backend.h"

#include <string.h>

#define VUE_SLOTS 34u /* as many as there can be vertex elements */
#define VERTEX_BUFFERS 33u
#define ATTRIBUTES 32u

/* A vertex as it lies in the URB: a slot for each vertex element. Slot 0 is the header, slot 1 the position. */
struct vue {
   uint32_t slot[VUE_SLOTS][4];
};

/* An object after setup. */
struct rectangle {
   int32_t x0, y0, x1, y1; /* pixels, the last ones excluded */
   float position[3][4];   /* of the vertices, with the origin of the drawing rectangle */
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
   struct pixel_backend pixel;
   /* How far it is. */
   uint32_t instance, object;
   bool open; /* `now` is drawn, … */
   struct rectangle now;
   int32_t x, y; /* … the next subspan of it */
};

struct render {
   struct pergola_device *dev;
   struct eu_thread *t;
   bool running;       /* the thread has not ended yet … */
   bool stuck;         /* … and never will */
   uint32_t header[16]; /* R0 and R1 of the thread, as dispatched */
   struct rt_record record;
   uint32_t threads;   /* dispatched so far */
   struct draw draw;
};

/* A 64-bit counter. */
static inline void
render_count(struct render *r, uint32_t reg, uint64_t by)
{
   uint64_t value;
   uint32_t *at = &r->dev->mmio[reg / 4];
   memcpy(&value, at, 8);
   value += by;
   memcpy(at, &value, 8);
}

/* state.c. What of it is not modelled, or NULL. */
const char *draw_state(struct draw *d, struct pergola_device *dev, const struct cs_command *c);
/* vf.c. Vertex v of an instance. */
void vf_vertex(const struct draw *d, uint32_t instance, uint32_t v, struct vue *out);
/* sf.c. False: there is nothing of it to draw. */
bool sf_rectangle(const struct draw *d, const struct vue v[3], struct rectangle *out);
/* wm.c. Runs the pixel shader over the rectangle: CS_DONE, or CS_AGAIN at the end of the budget. */
enum cs_result wm_rectangle(struct render *r, uint64_t *budget);

#endif
