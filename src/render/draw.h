/* Private to src/render: the pipeline's state, unpacked, and a primitive command under way. */
#ifndef PERGOLA_RENDER_DRAW_H
#define PERGOLA_RENDER_DRAW_H

#include "dispatch/stage.h"
#include "eu/eu.h"
#include "hw/hw.h"
#include "machine/busy.h"
#include "memory/area.h"
#include "render/object.h"
#include "render/pixel.h"
#include "render/render.h"
#include "render/setup.h"
#include "render/te/te.h"

#include <string.h>

#define VERTEX_ELEMENTS 34u
#define VERTEX_BUFFERS 33u
#define VIEWPORTS 16u
#define PS_KERNELS 3u /* by width: 8, 16, 32 */

/* State commands, unpacked when they change; pointers are followed when a draw begins. */
struct render_state {
   struct hw_3dstate_vs vs;
   struct hw_3dstate_urb_vs urb_vs;
   struct hw_3dstate_constant_vs constant_vs;
   struct hw_3dstate_index_buffer index;
   struct hw_3dstate_vf_statistics vf_statistics;
   struct hw_3dstate_clip clip;
   struct hw_3dstate_sf sf;
   struct hw_3dstate_sbe sbe;
   struct hw_3dstate_wm wm;
   struct hw_3dstate_ps ps;
   struct hw_3dstate_constant_ps constant_ps;
   struct hw_3dstate_drawing_rectangle area;
   struct hw_3dstate_multisample multisample;
   struct hw_3dstate_sample_mask sample_mask;
   struct hw_3dstate_cc_state_pointers cc;
   struct hw_3dstate_binding_table_pointers_vs table_vs;
   struct hw_3dstate_binding_table_pointers_ps table_ps;
   struct hw_3dstate_sampler_state_pointers_vs samplers_vs;
   struct hw_3dstate_sampler_state_pointers_ps samplers_ps;
   struct hw_3dstate_viewport_state_pointers_sf_clip viewports;
   struct hw_3dstate_scissor_state_pointers scissors;
   struct hw_3dstate_hs hs;
   struct hw_3dstate_urb_hs urb_hs;
   struct hw_3dstate_constant_hs constant_hs;
   struct hw_3dstate_binding_table_pointers_hs table_hs;
   struct hw_3dstate_sampler_state_pointers_hs samplers_hs;
   struct hw_3dstate_te te;
   struct hw_3dstate_ds ds;
   struct hw_3dstate_urb_ds urb_ds;
   struct hw_3dstate_constant_ds constant_ds;
   struct hw_3dstate_binding_table_pointers_ds table_ds;
   struct hw_3dstate_sampler_state_pointers_ds samplers_ds;
   struct hw_3dstate_gs gs;
   struct hw_3dstate_urb_gs urb_gs;
   struct hw_3dstate_constant_gs constant_gs;
   struct hw_3dstate_binding_table_pointers_gs table_gs;
   struct hw_3dstate_sampler_state_pointers_gs samplers_gs;
   struct hw_3dstate_streamout streamout;
   uint32_t stipple[32];
   struct hw_3dstate_poly_stipple_offset stipple_offset;
   struct hw_3dstate_line_stipple line_stipple;
   struct hw_3dstate_aa_line_parameters aa_line;
   struct hw_vertex_buffer_state buffer[VERTEX_BUFFERS];
   uint64_t has_buffer; /* a bit each */
   struct hw_vertex_element_state element[VERTEX_ELEMENTS];
   unsigned elements;
   uint8_t wrap[16]; /* by attribute: components that take the shortest way around */
   /* Read from memory when a draw begins. */
   struct hw_sf_clip_viewport viewport[VIEWPORTS];
   struct hw_scissor_rect scissor[VIEWPORTS];
};

/* ---- vertex fetch -----------------------------------------------------------------------------
 */

#define VF_ENTRIES 1024u /* of the URB that are in use at once: the most */
#define VF_TAGS 2048u    /* of vertices that may be used again */
#define VF_INDICES 384u  /* read at once: of whole triangles */

/* How an element is fetched. */
struct vf_element {
   const struct format_info *format;
   uint8_t buffer, size_B;
   uint8_t words; /* 32-bit channels that need no conversion; 0: it does */
   bool reads;    /* any component is from memory */
   bool edge_flag;
   uint8_t id[4]; /* components that are ids: their control, else 0 */
   bool ids;
   uint32_t offset;
   uint32_t absent[4];              /* what channels are that the format lacks */
   uint32_t source[4], constant[4]; /* component: source of memory, or constant */
   /* Whole words or none, a vertex each: components are these, or what was read under the mask. */
   bool quick;
   _Alignas(16) uint32_t mask[4];
   _Alignas(16) uint32_t fill[4];
};

/* The part of a buffer that is translated, where vertices were read last. */
struct vf_window {
   uint32_t start, size; /* bytes that lie side by side in host memory */
   const uint8_t *host;
};

struct vf {
   struct vf_element element[VERTEX_ELEMENTS];
   unsigned elements, slots; /* slots: without the edge flag */
   bool stores_primitive_id;
   struct vf_window window[VERTEX_BUFFERS];
   /* The command. */
   uint8_t topology;
   bool indexed, cut_enable, reuse;
   uint32_t vertices, start, instances, start_instance, base;
   uint32_t instance, v; /* how far it is */
   bool over;
   /* Entries of the URB. */
   uint8_t *urb;         /* the first one, of … */
   unsigned urb_entries; /* … so many: vertices lie there while they are shaded, or … */
   bool stored;          /* … only then, and in `spare` before and after */
   uint32_t stride_B;
   uint32_t first_handle;
   /* They are filled from the first to the last, and then from the first on again: those from
    * `used` to `known` still have vertices of the round before. */
   unsigned entries, used, shaded; /* there are, fetched, and through the vertex shader */
   unsigned known;                 /* have a vertex */
   unsigned limit; /* where `used` has to stop: an object of the list needs what is there */
   struct vertex vertex[VF_ENTRIES];
   struct {
      uint32_t index;
      uint16_t epoch, entry;
   } tag[VF_TAGS];
   uint16_t tag_of[VF_ENTRIES]; /* the tag that an entry was given, which may be another's by now */
   uint16_t epoch;              /* tags of another one are void */
   uint32_t index[VF_INDICES], index_first, index_count;
   uint8_t *spare;         /* entries beside the URB's */
   struct assembly strip;  /* the topology under way */
   uint64_t vertices_seen; /* to be counted */
};

/* ---- setup ------------------------------------------------------------------------------------
 */

#define BIN_SIZE (2u << 20) /* bytes of objects that the windower gets at once */
#define BIN_SETUPS 2048u
#define BIN_TILES 256u /* both ways */
#define BIN_LINKS (BIN_TILES * BIN_TILES)
#define OBJECT_SETUPS 32u /* that one object may become */

/* A vertex on the screen. */
struct sf_vertex {
   double x, y, z, rhw; /* for what is interpolated */
   int32_t qx, qy;      /* on the grid */
};

/* What clipping and setup have found of a vertex of the fetcher: it is in six triangles of a mesh.
 * Viewports are counted from 1; 0: not known. Small, since all that is asked of a triangle that is
 * not seen is here. */
struct vertex_found {
   int32_t qx, qy;
   uint32_t code;
   uint8_t code_viewport, viewport;
   uint8_t number; /* 1: it is on the screen at all (P3D-205) */
   uint8_t none;
};

/* Where an attribute comes from. */
struct sbe_output {
   uint8_t slot;      /* of the VUE */
   uint8_t slot_back; /* of objects that face away */
   bool flat, sprite, absent;
   bool w_to_x; /* INPUTATTR_W */
   uint8_t override_, source, wrap;
   bool plain; /* none of these but slot */
};

struct bin {
   uint8_t *data;
   uint32_t used_B;
   unsigned setups;
   uint32_t at[BIN_SETUPS]; /* where they lie */
   unsigned done;           /* walked over, or … */
   unsigned end;            /* … under way */
   bool open;               /* a walk is under way */
   int32_t row;             /* of a rectangle that goes as a whole: from its top */
   /* Screen tiles, and the objects of each in their order. */
   unsigned tile_shift;
   unsigned links;
   struct bin_link {
      uint32_t setup, next;
   } * link;
   uint32_t *head, *tail; /* by tile; 0: none, else a link's number + 1 */
   unsigned tiles;        /* that have some … */
   uint32_t *tile;        /* … and which */
};

/* ---- the windower and its threads -------------------------------------------------------------
 */

/* Threads of an object that move texels (ps/move.c): rows of blocks are copied. */
struct ps_move_axis {
   int32_t first, end; /* pixels: their texels lie … */
   uint32_t by;        /* … so much further */
};
struct ps_move {
   const struct eu_series *series; /* of such threads that runs; NULL: others */
   const struct sf_quick *fetch;   /* their message */
   struct surface_view *from;
   struct ps_move_axis x, y;
   bool known; /* the rest has been asked for */
   uint32_t lod, slice;
};

/* Threads of an object that all do the same (ps/alike.c): one runs, the pixels of the others are
 * filled. */
struct ps_alike {
   bool may;                  /* nothing but threads decides over pixels: by the draw */
   bool on;                   /* a series of such threads runs */
   struct rt_plain plain;     /* what the last one's message was */
   const struct setup *s;     /* the object whose threads store … */
   uint32_t element[4];       /* … this, … */
   uint32_t slice;            /* … to this slice of … */
   struct surface_view *view; /* … this target, … */
   uint32_t cost;             /* … and take so much of the budget each */
   bool large;                /* it is more than the host's caches hold */
   uint64_t filled;           /* blocks, in all */
   struct ps_move move;       /* or they move texels */
   uint64_t moved;            /* blocks, of those */
};

/* A worker of pixel shader threads. */
struct ps_worker {
   struct stage_worker w;
   struct pixel_backend backend;
   struct rt_record record;
   struct rt_rows rows;
   /* The walk over a tile. */
   bool in_tile;
   uint32_t link;              /* of the next object, + 1 */
   const struct setup *s;      /* the object, or NULL */
   const struct setup *object; /* whose header is made */
   int32_t x0, y0;             /* of the tile */
   bool inside;                /* the object covers all of its blocks there */
   int32_t bx, by;             /* the next block of 8x8 pixels, … */
   int32_t bx0, bx1, by1;      /* … and where they end */
   int32_t mx, my;             /* the block of … */
   uint64_t mask;              /* … pixels that are left, 16 bits for each two rows */
   uint32_t lit;               /* of the group: what goes to the thread */
   uint32_t number;            /* of the next thread */
   unsigned width;             /* of the thread: 8, 16, 32 */
   bool is_row;                /* its pixels are two rows of a block: known, or asked for */
   /* More than one sample: */
   uint64_t masks[DEPTH_SAMPLES];   /* `mask` of each */
   uint32_t covered[DEPTH_SAMPLES]; /* of the group, before any test (P3D-279) */
   uint32_t channels;               /* that the thread has */
   uint8_t part, parts;             /* the group's next thread */
   uint8_t pair;                    /* Starting Sample Pair Index of the thread */
   uint64_t invocations;
   struct ps_alike alike;
   const struct setup *loaded[PS_KERNELS]; /* whose attributes are in row */
   _Alignas(32) uint32_t header[8];        /* R0 of the object's threads, but for what is its own */
   _Alignas(32) struct rt_bypass bypass;   /* R0 and R1 of the thread, as dispatched */
   _Alignas(32) uint32_t upper[8];         /* R2 of one of 32 slots */
   _Alignas(32) struct pixel_worker pixel;
   _Alignas(32) uint32_t row[PS_KERNELS][EU_GRF_COUNT][8];
};

#define WM_TILE_NUMBERS 4096u /* of threads, before those of the next tile */
#define WM_BLOCK_COST 8u      /* of the budget: 8x8 pixels that are walked over */
#define WM_OWED_MOST 8192     /* before the walk over pixels that make no thread is interrupted */

struct wm_kernel {
   bool on;
   uint32_t start;
   unsigned grf, constants, attributes; /* first register, registers, attributes */
};

struct wm {
   unsigned subspans;                     /* of the widest kernel */
   uint8_t kernel_of[PIXEL_SUBSPANS + 1]; /* by the subspans of a group */
   struct wm_kernel kernel[PS_KERNELS];   /* by width: 8, 16, 32 */
   _Alignas(32) uint32_t constant[EU_GRF_COUNT][8];
   unsigned constants;
   double sx, sy;   /* where in a pixel its sample point is */
   uint8_t samples; /* of a pixel: 1, 4, 8 */
   uint8_t mask;    /* P3D-266: samples that may be covered */
   bool pattern;    /* P3D-260: each has a point of its own */
   bool per_sample; /* P3D-280: a slot is a sample, not a pixel */
   uint8_t parts;   /* threads that a group makes then */
   struct wm_sample {
      uint8_t u, v;   /* sixteenths of the pixel, from its upper left corner */
      int16_t dx, dy; /* from the pixel's sample point, on the grid of vertices */
   } sample[DEPTH_SAMPLES];
   bool own;         /* threads have more of their own than two registers: … */
   bool own_weights; /* … barycentrics and nothing else */
   bool at_pixels;   /* that is of the pixels' own place, whatever their samples */
   uint32_t first_thread;
};

/* ---- the vertex shader's ----------------------------------------------------------------------
 */

struct vs {
   unsigned constants, read; /* registers */
   unsigned first;           /* entry that the walk began with */
   unsigned pairs;
   _Alignas(32) uint32_t row[EU_GRF_COUNT][8];
   bool walking;
};

/* ---- entries of the URB -----------------------------------------------------------------------
 */

/* Those that a stage has for what its threads write (P3D-072). */
struct entries {
   uint8_t *data; /* of the first one */
   uint32_t stride_B, first_handle;
   unsigned count;
};

static inline uint16_t
entry_handle(const struct entries *e, unsigned n)
{
   return (uint16_t)(e->first_handle + n * (e->stride_B / 64u));
}

/* entries.c. stage: an enum urb_stage. What passes the end of the URB is reported, and not there.
 */
void entries_find(struct render *r, struct entries *e, unsigned stage, uint32_t start_8k,
                  uint32_t size_64, uint32_t count);
/* No stage has any until it looks for them. */
void entries_forget(struct render *r);

/* ---- the geometry shader's --------------------------------------------------------------------
 */

#define GS_SLOTS 512u     /* entries that are in use at once: the most */
#define GS_VERTICES 4096u /* that objects of a list are made of */

struct gs {
   struct pipe_stage stage;
   struct stage_crew crew;
   struct entries entries;
   unsigned constants, first_vertex; /* registers, and the first behind them */
   unsigned instances, per_thread;   /* instances of an object; entries of a thread */
   bool walking, emitting;
   const struct object_list *in;
   unsigned first, threads, all; /* of the walk, and all of the list */
   uint32_t ended[GS_SLOTS];     /* vertices that a thread's two entries have */
   /* What comes out. */
   unsigned slot;       /* whose vertices are next … */
   unsigned vertex_at;  /* … and which of them */
   unsigned slot_count; /* vertices that it has; they begin with … */
   unsigned slot_first; /* … this one of: */
   unsigned vertices;
   struct vertex vertex[GS_VERTICES];
   struct assembly assembly;
   struct object_list out;
   _Alignas(32) uint32_t row[EU_GRF_COUNT][8];
};

/* ---- tessellation -----------------------------------------------------------------------------
 */

#define HS_INSTANCES 16u /* of a patch: the most */

struct hs {
   struct dispatch_crew crew;
   struct entries entries;
   unsigned constants; /* registers */
   const struct object_list *in;
   unsigned first, patches; /* of the walk */
   _Alignas(32) uint32_t row[EU_GRF_COUNT][8];
};

#define DS_POINTS 4608u /* of a batch: no fewer than a patch may have */
_Static_assert(DS_POINTS >= TE_MAX_POINTS, "a patch fits");

struct ds_pair {
   uint16_t first; /* point */
   uint8_t patch;  /* of the hull shader's walk */
   bool both;
};

struct ds {
   struct stage_crew crew;
   struct entries entries;
   unsigned constants, read;         /* registers */
   unsigned points, pairs;           /* of the batch */
   unsigned first_pair, walked;      /* of the walk */
   struct te_point point[DS_POINTS]; /* where they are, … */
   struct vertex vertex[DS_POINTS];  /* … and what was made of them */
   struct ds_pair pair[DS_POINTS];   /* two points a thread */
   uint8_t *store;                   /* of vertices that are more than there are entries */
   uint32_t store_stride_B;
   _Alignas(32) uint32_t row[EU_GRF_COUNT][8];
};

#define TESS_INDICES 32768u
#define TESS_PIECES 256u
_Static_assert(TESS_INDICES >= TE_MAX_INDICES, "a patch fits");

/* Patches between the hull shader and the next stage. */
struct tess {
   struct pipe_stage stage;
   enum { TESS_HULL, TESS_POINTS, TESS_DOMAIN, TESS_EMIT } phase;
   bool walking;
   struct te_state te_state;
   struct te_output *te; /* of one patch */
   unsigned patch;       /* of the walk: the next one */
   bool ready;           /* it is in `te`, from … */
   unsigned te_at;       /* … this index on */
   /* The batch: indices of points, in pieces that belong to a patch each. */
   unsigned indices, pieces;
   uint16_t index[TESS_INDICES];
   struct tess_piece {
      unsigned first, end;
      uint32_t id;
   } piece[TESS_PIECES];
   unsigned piece_at, index_at; /* how far objects have been made */
   struct assembly assembly;
   struct object_list out;
};

/* ---- stream output ----------------------------------------------------------------------------
 */

#define SOL_COPIES 512u    /* of a vertex: 128 declarations of four components */
#define SOL_VERTEX_DW 512u /* in a buffer, at most */

struct sol_copy {
   uint16_t from, at, count; /* dwords: of the VUE, in the buffer */
   uint8_t buffer;
};

struct sol {
   struct pipe_stage stage;
   struct sol_buffer {
      bool on;
      uint32_t base, size, pitch;
   } buffer[4];
   struct sol_stream {
      uint8_t selected, buffers; /* bits: that it names, and those of them that are on */
      unsigned first, window;    /* registers of the VUE that are read */
      unsigned copies;
      struct sol_copy copy[SOL_COPIES];
   } stream[4];
   uint64_t written[4], needed[4];   /* to be counted */
   const struct object_list *passed; /* what the next stage has */
   struct object_list out;
};

struct render {
   struct pergola_device *dev;
   bool known;                         /* state has been unpacked at all */
   bool vectors;                       /* the host has those that fast paths need */
   uint32_t stamp[GEN7_COMMAND_COUNT]; /* of the commands, as unpacked */
   struct render_state state;
   uint32_t urb_stamp[4]; /* of the 3DSTATE_URB commands, at the last draw */
   struct eu_env env;     /* of the draw */
   struct hw_3dprimitive primitive;
   uint32_t address; /* of the command */
   struct vf vf;
   struct vs vs;
   struct sbe_output sbe[ATTRIBUTES];
   unsigned sbe_count;
   uint32_t dash_stamp;                   /* of the command that `dash` began with */
   uint32_t dash;                         /* P3D-236: pixels of the line stipple so far */
   struct vertex_found found[VF_ENTRIES]; /* by entry */
   double place[VF_ENTRIES][4];           /* the rest of struct sf_vertex, if `viewport` is known */
   struct bin bin;
   struct wm wm;
   struct pixel pixel;
   struct stage_crew vs_crew, ps_crew;
   struct hs hs;
   struct ds ds;
   struct tess tess;
   struct gs gs;
   struct sol sol;
   struct pipe_stage raster;     /* clip, setup, windower: the last one */
   struct pipe_stage *first;     /* behind the vertex shader */
   struct object_list list;      /* for it */
   struct triangle_list waiting; /* to be part of the list */
   bool sifted;                  /* what can be dropped of it by found_drop() has been */
   enum { DRAW_FETCH, DRAW_SHADE, DRAW_PASS, DRAW_FINISH, DRAW_OVER } phase;
   uint32_t threads; /* pixel shader threads so far, roughly: numbers are not given twice */
   uint64_t clip_in, clip_out; /* to be counted */
};

/* A turn of a stage's walk. */
static inline enum cs_result
render_dispatch(struct dispatch_crew *c, uint64_t *budget)
{
   enum dispatch_result d = dispatch_run(c, budget);
   return d == DISPATCH_DONE ? CS_DONE : d == DISPATCH_AGAIN ? CS_AGAIN : CS_ERROR;
}

/* P3D-091: its thread has failed. Without a position, objects that have it vanish in setup. */
static inline void
vertex_spoil(uint32_t *vue)
{
   for (unsigned i = 4; i < 8; i++)
      vue[i] = 0x7fc00000; /* not a number */
}

/* Of a vertex of the fetcher; NULL: another stage has made it. */
static inline struct vertex_found *
render_found(struct render *r, const struct vertex *v)
{
   uintptr_t at = (uintptr_t)v - (uintptr_t)r->vf.vertex;
   return at < sizeof(r->vf.vertex) ? &r->found[at / sizeof(*v)] : NULL;
}

/* Its entry has another vertex now. */
static inline void
render_forget(struct render *r, const struct vertex *v)
{
   struct vertex_found *f = render_found(r, v);
   if (f)
      f->code_viewport = f->viewport = 0;
}

/* sf/found.c: what clipping and setup ask of a vertex, for many at once. Can it be so in this draw?
 */
bool found_all(const struct render *r);
/* Of entries first … end - 1, which have been shaded. */
void found_find(struct render *r, unsigned first, unsigned end);
/* Is nothing to be seen of the object? Then it is counted, and that is all. */
bool found_dropped(struct render *r, const struct object *o);
/* The same for all triangles that wait, which are fewer then. */
void found_drop(struct render *r);

/* A 64-bit counter. */
static inline void
render_count(struct render *r, uint32_t reg, uint64_t by)
{
   if (by)
      __atomic_fetch_add((uint64_t *)(void *)&r->dev->mmio[reg / 4], by, __ATOMIC_RELAXED);
}

__attribute__((format(printf, 4, 5))) void render_report(struct render *r,
                                                         enum pergola_severity severity,
                                                         const char *rule, const char *format, ...);

/* render.c. A draw begins; false: there is nothing to draw. */
bool render_begin(struct render *r, const struct cs_command *c);

/* state.c. Unpacks what has changed. */
void state_begin(struct render *r);
/* The buffers of 3DSTATE_CONSTANT_*, one behind the other from a register on; returns the one
 * behind them (P3D-080). */
unsigned state_constants(struct render *r, const uint32_t at[4], const uint32_t length[4],
                         unsigned reg, uint32_t (*row)[8]);
/* … of 3DSTATE_CONSTANT_VS, _HS, _DS, _GS or _PS, which have the same fields. */
#define STATE_CONSTANTS(r, c, reg, row)                                                            \
   state_constants(                                                                                \
       r,                                                                                          \
       (const uint32_t[4]){(c)->pointer_to_constant_buffer_0, (c)->pointer_to_constant_buffer_1,   \
                           (c)->pointer_to_constant_buffer_2, (c)->pointer_to_constant_buffer_3},  \
       (const uint32_t[4]){(c)->constant_buffer_0_read_length, (c)->constant_buffer_1_read_length, \
                           (c)->constant_buffer_2_read_length,                                     \
                           (c)->constant_buffer_3_read_length},                                    \
       reg, row)

/* The line stipple's counter, as far as the draw has taken it. */
void state_keep_dash(struct render *r);

/* rules.c */
void rules_check_draw(struct render *r);

/* vf/vf.c. The fetch plan of elements and buffers. */
void vf_state_changed(struct render *r);
/* The draw begins. False: there is nothing to draw. */
bool vf_begin(struct render *r);
/* The command goes on: translations, and what is in memory, may have changed. */
void vf_turn(struct render *r);
/* Fetches vertices and makes objects of them, until the list or the URB is full or there are no
 * more. False: the budget has ended before; what follows the last object is not known yet. */
bool vf_run(struct render *r, uint64_t *budget);
/* The list has gone down the pipeline: entries are free but for those that the topology holds. */
void vf_recycle(struct render *r);
/* vf/fetch.c. Vertices to their entries, which lie side by side. Their indices are these ids, from
 * `from` on. */
void vf_fetch(struct render *r, uint32_t from, const uint32_t *id, uint32_t primitive_id,
              struct vertex *out, unsigned count);
/* vs/vs.c */
extern const struct stage vs_stage;
void vs_begin(struct render *r);
enum cs_result vs_run(struct render *r, uint64_t *budget);

/* hs/hs.c */
bool hs_create(struct render *r);
bool hs_begin(struct render *r); /* false: nothing can come out */
void hs_walk(struct render *r, const struct object_list *in, unsigned first);
unsigned hs_threads(struct render *r, pergola_thread_fn fn, void *data);
/* ds/ds.c */
extern const struct stage ds_stage;
bool ds_begin(struct render *r);
void ds_walk(struct render *r, unsigned first);
/* Pairs that a walk has entries for. */
static inline unsigned
ds_room(const struct ds *d)
{
   return d->entries.count / 2;
}
/* The batch has more of them, and its vertices lie in the store. */
static inline bool
ds_stored(const struct ds *d)
{
   return d->pairs > ds_room(d);
}
unsigned ds_walk_pairs(const struct ds *d); /* of the walk from first_pair on */
uint8_t *ds_entry(const struct ds *d, unsigned pair, unsigned k);
void ds_lay_out(struct ds *d, unsigned pair); /* the vertices of a pair that has been shaded */
/* tessellate.c */
bool tess_needed(const struct render *r);
bool tess_begin(struct render *r);
void tess_begin_batch(struct render *r);
void tess_reset(struct render *r);
void tess_destroy(struct render *r);

/* sol/sol.c */
bool sol_needed(const struct render *r);
void sol_begin(struct render *r);
void sol_choose(struct render *r, const struct object_list *in); /* what the next stage gets */

/* gs/gs.c */
extern const struct stage gs_stage;
bool gs_begin(struct render *r); /* false: nothing can come out */
void gs_reset(struct render *r);
void gs_begin_list(struct render *r, const struct object_list *in);
unsigned gs_walk_threads(const struct gs *g); /* of the walk that is next: as there are entries */
/* The object and instance of one of a thread's entries; NULL: it has none there. */
const struct object *gs_slot_object(const struct render *r, unsigned thread, unsigned slot,
                                    unsigned *instance);
/* gs/emit.c. Objects of the vertices that the threads of a walk have made, to the next stage. */
void gs_emit_begin(struct render *r);
struct vertex gs_vertex(const struct gs *g, uint32_t at, unsigned slots);
enum cs_result gs_emit(struct render *r, uint64_t *budget);

/* clip/clip.c. An object to setup. */
void clip_object(struct render *r, const struct object *o);

/* A part of a clipped triangle or line: weights of the source's vertices. */
#define CLIP_VERTICES 24u
#define CLIP_NEW_EDGE 3u
struct clip_part {
   unsigned count;
   double weight[CLIP_VERTICES][3];
   /* The edge from here on lies on this one of the source, or is new: CLIP_NEW_EDGE (P3D-193). */
   uint8_t edge[CLIP_VERTICES];
};

/* sf: objects to the bin. part: NULL, or what clipping has left of it. */
void sf_object(struct render *r, const struct object *o, const struct clip_part *part);
/* bias: added to depth, of points and lines that fill modes make of triangles. */
void sf_point(struct render *r, const struct object *o, unsigned inner, bool back, double bias);
void sf_line(struct render *r, const struct object *o, unsigned from, unsigned to, bool back,
             double bias, const struct clip_part *part);

/* sf/line_style.c. Pixels of an 8x8 block that the line stipple leaves (bits as wm_coverage). */
uint64_t line_dashes(const struct render *r, const struct setup *s, int32_t x, int32_t y);
/* P3D-233, P3D-235: coverage of a pixel of an antialiased line, from 0 to 1. */
float line_coverage(const struct render *r, const struct setup *s, int32_t x, int32_t y);
/* … of the pixels of a group. */
void line_group(struct ps_worker *w);

/* sbe/sbe.c */
void sbe_state_changed(struct render *r);
/* which: the inner vertices that are v0, v1, v2. */
void sbe_triangle(const struct render *r, const struct object *o, struct setup *s);
void sbe_line(const struct render *r, const struct object *o, unsigned from, unsigned to,
              struct setup *s);
void sbe_point(const struct render *r, const struct object *o, unsigned inner, struct setup *s);

/* wm/bin.c */
bool bin_create(struct bin *b);
void bin_destroy(struct bin *b);
bool bin_full(const struct render *r);
struct setup *bin_new(struct render *r);         /* to be filled in, and … */
void bin_add(struct render *r, struct setup *s); /* … added */
/* Gives as many of the objects to their tiles as there is room for. */
void bin_sort(struct render *r);
void bin_empty(struct bin *b);
#define BIN_SETUP_ROOM (sizeof(struct setup) + ATTRIBUTES * 64u) /* that one may take */
static inline struct setup *
bin_setup(const struct bin *b, unsigned number)
{
   return (struct setup *)(void *)(b->data + b->at[number]);
}

/* wm/wm.c */
void wm_state_changed(struct render *r);
void wm_begin(struct render *r); /* a draw */
/* Walks over what is in the bin. */
enum cs_result wm_run(struct render *r, uint64_t *budget);
/* ps/ps.c. Tests the pixels of the block before they are shaded; `mask` is what is left. */
void ps_test_block(struct ps_worker *w);
/* wm/walk.c. The next group of a worker; false: its tile has no more (and w->s is NULL), or so much
 * is owed that the walk is interrupted. */
bool wm_next_group(struct ps_worker *w);
/* The block that comes next is the worker's; `mask` is still to be found. */
static inline void
wm_take_block(struct ps_worker *w)
{
   w->w.owed += WM_BLOCK_COST;
   w->mx = w->bx;
   w->my = w->by;
   w->bx += 8;
   if (w->bx >= w->bx1) {
      w->bx = w->bx0;
      w->by += 8;
   }
}
/* Two rows of the block, of which these pixels are lit, are the group. */
static inline void
wm_take_row(struct ps_worker *w, struct pixel_group *g, unsigned row, uint32_t bits)
{
   /* All four coordinates at once: they are read so, too. */
   uint64_t x = (uint64_t)w->mx * UINT64_C(0x0001000100010001) + UINT64_C(0x0006000400020000),
            y = ((uint64_t)w->my + 2 * row) * UINT64_C(0x0001000100010001);
   memcpy(g->x, &x, sizeof(x));
   memcpy(g->y, &y, sizeof(y));
   g->subspans = 4;
   g->lit[0] = bits;
   w->mask &= ~(UINT64_C(0xffff) << 16 * row);
}
/* The same, of several samples. */
static inline void
wm_take_samples(const struct ps_worker *w, struct pixel_group *g, unsigned row, uint32_t bits)
{
   for (unsigned s = 0; s < g->samples; s++)
      g->lit[s] = (uint32_t)(w->masks[s] >> 16 * row & bits);
}
void wm_enter_tile(struct ps_worker *w, uint32_t tile);
void wm_enter_object(struct ps_worker *w, const struct setup *s);
/* wm/coverage.c. Pixels of the 8x8 block that are inside all edges: 16 bits for each two rows, four
 * for each subspan. */
uint64_t wm_coverage(const struct setup *s, int32_t x, int32_t y);
/* The same for another point of the pixels, dx and dy from their own, on the grid of vertices. */
uint64_t wm_coverage_at(const struct setup *s, int32_t x, int32_t y, int32_t dx, int32_t dy);
uint64_t wm_coverage_plain(const struct setup *s, int32_t x, int32_t y, int32_t dx, int32_t dy);

/* msaa/samples.c */
void msaa_state_changed(struct render *r);
void msaa_check(struct render *r); /* rules of a draw */
/* Pixels of the block with any sample inside; those of each sample to w->masks. */
uint64_t msaa_coverage(struct ps_worker *w, int32_t x, int32_t y);
/* P3D-270: depth of all samples of the group. */
void msaa_depths(struct ps_worker *w);
/* What is covered is kept; returns the pixels. */
uint32_t msaa_begin_group(struct ps_worker *w);
/* The next thread of the group: its slots to w->lit and w->channels. False: it has no lit slot. */
bool msaa_choose_part(struct ps_worker *w);
/* Upper left pixels of the quads of a thread whose slots are samples: Y, X. */
void msaa_places(const struct ps_worker *w, uint32_t place[PIXEL_SUBSPANS]);
/* msaa/interpolator.c: pixel_backend.interpolate. */
void msaa_interpolate(void *data, const struct eu_thread *t, const struct pi_request *q,
                      float b[2][PI_SLOTS]);
/* msaa/payload.c */
void msaa_load_own(struct ps_worker *w);

/* ps/ */
extern const struct stage ps_stage;
/* ps/alike.c */
void ps_alike_begin(struct ps_worker *w);                             /* a draw */
void ps_alike_series(struct ps_worker *w, const struct eu_series *s); /* of threads begins */
/* The thread has ended by its message. */
void ps_alike_ended(struct ps_worker *w, uint32_t cost);
/* Fills the block that the walk has come to, of which all pixels are lit, and those that follow, as
 * far as the threads are alike. False: it has not been filled. */
bool ps_alike_fill(struct ps_worker *w);
/* The worker's next tiles, side by side, if their threads are alike and nothing else is there: they
 * are filled at once. Returns how many; 0: nothing has been done. */
unsigned ps_alike_tiles(struct ps_worker *w);
/* ps/move.c: can the object's other threads be done without? The first has ended. */
bool ps_move_ended(struct ps_worker *w, const struct rt_plain *plain);
/* The texels of whole blocks. False: nothing has been done. */
bool ps_move_box(struct ps_worker *w, int32_t x0, int32_t y0, int32_t x1, int32_t y1);
/* Pixels of a slice of a view in host memory. False: they cannot be reached as a whole. */
struct ps_box {
   uint32_t x, y, width, height;
};
struct ps_area {
   struct mem_area area;
   uint8_t *first, *end; /* it lies between these */
};
bool ps_area(struct ps_worker *w, struct surface_view *v, uint32_t slice, const struct ps_box *b,
             bool write, struct ps_area *out);
/* What threads of the worker's object have in common. */
void ps_enter_object(struct ps_worker *w);

#endif
