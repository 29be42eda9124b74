/* Depth and stencil: where the buffers lie, the tests of a sample, the tests of a group of pixels.
 */
#ifndef PERGOLA_RENDER_DEPTH_H
#define PERGOLA_RENDER_DEPTH_H

#include "gen7_hw.h"
#include "surface/surface.h"
#include "surface/view.h"

struct pixel_group;

#define DEPTH_VIEWPORTS 16u
#define DEPTH_SAMPLES 8u /* of a pixel, at most */

/* Codes of 3DSTATE_DEPTH_BUFFER. */
enum depth_format {
   DEPTH_D32_FLOAT = GEN7_3DSTATE_DEPTH_BUFFER_SURFACE_FORMAT_D32_FLOAT,
   DEPTH_D24_UNORM_X8 = GEN7_3DSTATE_DEPTH_BUFFER_SURFACE_FORMAT_D24_UNORM_X8_UINT,
   DEPTH_D16_UNORM = GEN7_3DSTATE_DEPTH_BUFFER_SURFACE_FORMAT_D16_UNORM,
};

/* What the test of one face does. */
struct stencil_face {
   uint8_t function;               /* enum compare */
   uint8_t fail, depth_fail, pass; /* GEN7_STENCIL_OPERATION_… */
   uint8_t test_mask, write_mask, reference;
};

struct depth;
struct pixel_group;

/* depth_group for one sample a pixel and depth of 32 bits without stencil, and the same for 8x8
 * pixels at x, y, multiples of 8: 16 bits of `lit` and z of 16 slots for each two rows of them.
 * False: nothing has been done. Of fast_vector.c, for each kind of host (HOST_NAME). */
struct depth_fast_functions {
   bool (*group)(const struct depth *d, const struct pixel_group *g, const float *z, uint32_t *lit,
                 bool commit);
   bool (*block)(const struct depth *d, const struct pixel_group *g, int32_t x, int32_t y,
                 const float (*z)[16], uint64_t *lit, bool commit);
};
extern const struct depth_fast_functions depth_fast_avx2, depth_fast_baseline;

struct depth {
   struct mem_space *space;
   uint8_t format;                          /* enum depth_format */
   uint8_t function;                        /* enum compare */
   bool test, write;                        /* of depth; never without memory */
   bool stencil, stencil_write;             /* likewise */
   bool present;                            /* there is memory for depth, also if it is not used */
   const struct depth_fast_functions *fast; /* NULL: groups have no fast path */
   struct stencil_face face[2];             /* front, back */
   float clamp[DEPTH_VIEWPORTS][2];
   struct surface_view view, stencil_view; /* of the level; never written: no windows */
   int32_t offset_x, offset_y;
   bool clear_valid; /* 3DSTATE_CLEAR_PARAMS */
   uint32_t clear_value;
};

/* State commands as programmed, structures as read from memory. */
struct depth_source {
   struct hw_3dstate_depth_buffer buffer;
   struct hw_3dstate_stencil_buffer stencil;
   struct hw_3dstate_clear_params clear;
   struct hw_depth_stencil_state state;
   struct hw_color_calc_state cc;
   struct hw_cc_viewport viewport[DEPTH_VIEWPORTS];
};
void depth_bind(struct depth *d, const struct depth_source *s, struct pergola_device *dev,
                struct mem_space *space, unsigned samples);

/* ---- one sample: pure ---- */

/* P3D-302: what is stored for a depth that is clamped already. */
uint32_t depth_encode(unsigned format, float z);
/* P3D-301 */
float depth_clamp(float z, const float range[2]);
/* P3D-301, P3D-303: z and what is stored for it against what is there. */
bool depth_compare(unsigned format, unsigned function, float z, uint32_t stored);
/* P3D-306 */
uint8_t stencil_operate(unsigned operation, uint8_t stored, uint8_t reference);

struct depth_outcome {
   bool pass;           /* both tests */
   bool stencil_passed; /* of them */
   bool write_depth, write_stencil;
   uint32_t depth;
   uint8_t stencil;
};
/* z: clamped. What the buffers hold is read only where it matters. */
struct depth_outcome depth_sample(const struct depth *d, bool back_facing, float z,
                                  uint32_t stored_depth, uint8_t stored_stencil);

/* ---- memory ---- */

/* Address of a sample in either buffer; false: outside. x, y: of the render target. */
bool depth_address(const struct depth *d, const struct surface_view *v, int32_t x, int32_t y,
                   uint32_t layer, unsigned sample, uint32_t *address);
unsigned depth_element_B(const struct depth *d);

/* ---- groups ---- */

/* Tests the samples of `lit`, by z of [sample][pixel], and takes those that fail away; `commit`:
 * writes what the tests say. */
void depth_group(const struct depth *d, const struct pixel_group *g, const float (*z)[32],
                 uint32_t *lit, bool commit);
/* The same; pixels with a sample that fails the stencil test are added to a mask. */
void depth_group_why(const struct depth *d, const struct pixel_group *g, const float (*z)[32],
                     uint32_t *lit, bool commit, uint32_t *stencil_failed);
/* P3D-311: a rectangle of the buffers gets the clear value (or z), and the stencil buffer what its
 * operation for a passed test says. x1, y1: excluded. */
void depth_clear(const struct depth *d, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                 uint32_t layer, float z);

#endif
