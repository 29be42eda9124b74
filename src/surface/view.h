/* One level of a surface as data port, sampler and render targets see it: where its texels lie,
 * how they are made, which of its pages are translated. What a message would have to ask of the
 * surface state is asked once, when the view is made; fast and slow paths use the same view. */
#ifndef PERGOLA_SURFACE_VIEW_H
#define PERGOLA_SURFACE_VIEW_H

#include "surface/format.h"
#include "surface/surface.h"

/* Which fast paths may use the view. Each means: nothing to report, elements of 1, 2, 4, 8 or 16
 * bytes that lie in one page each, all of them below 2 GiB. */
enum surface_view_user {
   VIEW_TEXELS = 1 << 0,  /* the geometry alone: any type of surface, plain format or blocks */
   VIEW_TYPED = 1 << 1,   /* typed messages of the data port */
   VIEW_FETCH = 1 << 2,   /* ld: `channel` says how to decode */
   VIEW_TARGET = 1 << 3,  /* render target writes: `channel` and `format` say how to encode */
   VIEW_ENTRIES = 1 << 4, /* ld of a buffer; these may lie anywhere, in two pages too */
};

/* Four channels of eight bits, UNORM. */
enum view_eights { VIEW_NO_EIGHTS, VIEW_RGBA, VIEW_BGRA };

enum view_channel_kind {
   VIEW_CHANNEL_ABSENT,
   VIEW_CHANNEL_BITS, /* all 32, as they are */
   VIEW_CHANNEL_UINT,
   VIEW_CHANNEL_SINT,
   VIEW_CHANNEL_UNORM
};

struct view_channel {
   uint8_t kind;              /* enum view_channel_kind */
   uint8_t word, shift, bits; /* where it lies in the element */
   uint32_t absent;           /* what it reads as if it is not there */
   float most, by;            /* UNORM: what stands for 1, and its reciprocal */
};

/* Pages that are translated and lie side by side in the host. A thing at an offset from the base
 * of the surface lies inside if the distance of the offset from the start is below the limit for
 * its size. All zeros: nothing does. */
struct view_window {
   uint32_t start;    /* offset from the base, modulo 2^32 */
   uint32_t limit[4]; /* of rows of one and of two registers, of elements, and of dwords of a raw
                         buffer */
   uint8_t *host;     /* of `start` */
};

/* What native code asks of a 2D image of dwords in Y tiles, all of whose texels lie in the window.
 * All zeros: it is none. */
struct view_blocks {
   uint32_t width;             /* texels of a column lie inside if U is below this … */
   uint32_t height;            /* … and four from V on if V is below that */
   uint32_t x_B, row, pitch_B; /* of the first texel, from the base; from a row to the next */
   uint32_t bytes; /* not 0: written as four bytes R, G, B, A, UNORM; else as they are */
   uint8_t *host;  /* of the base */
};

/* An element to the texel at (x, y) of the level. Chosen by the format. */
typedef void (*view_unpack_fn)(const struct format_info *f, const uint8_t *element, uint32_t x,
                               uint32_t y, format_texel out);

struct surface_view {
   /* Bytes. */
   uint32_t base;
   uint32_t raw_B;   /* of a raw buffer, for untyped messages; 0: slow path */
   uint32_t block_B; /* of a buffer of any format, for OWord blocks; 0: slow path */
   /* Texels. A texel is inside if x < width, y < height and slice < depth. */
   uint32_t width, height, depth; /* depth: UINT32_MAX where there are no slices */
   uint32_t step_B;               /* from an element to the next */
   uint32_t pitch_B;
   uint32_t x_el, row;            /* of the first element of slice 0, from the base */
   uint32_t slice_el, slice_rows; /* from a slice to the next one beside and below it */
   uint32_t layers;               /* slices that a render target write may choose */
   uint32_t first_layer;          /* of a 3D surface: added to the layer, or to R (DP-421) */
   uint32_t end;                  /* first address behind all of it; with a user only */
   uint16_t x_px, y_px;           /* texels before the first one, in compressed surfaces */
   uint8_t lod;
   uint8_t slices_log2;            /* 2^n slices lie side by side: levels of a 3D surface */
   uint8_t tiling;                 /* enum mem_tiling */
   uint8_t size_B, size_log2;      /* of an element; size_log2 with a user only */
   uint8_t block_w, block_h;       /* texels of an element */
   uint8_t field_step, field_line; /* rows of a field: row * step + line */
   uint8_t samples, interleaved;
   uint8_t type;   /* enum surface_type */
   uint8_t users;  /* enum surface_view_user; 0: slow paths only */
   bool line;      /* has no rows: V of a typed message, if anything, is the slice */
   bool red;       /* one channel that needs no conversion but to 32 bits */
   uint8_t packed; /* channels that there are, if elements can be packed from them; else 0 */
   bool converts;  /* to or from floats: needs rounding to nearest */
   bool whole;     /* channel i is dword i, as it is */
   uint8_t eights; /* enum view_eights */
   uint8_t bits;   /* of an element, if it is less than a byte; else 0 */
   const struct format_info *format;
   view_unpack_fn unpack; /* NULL: palettes, planar and other formats that are not fetched so */
   struct view_channel channel[4];
   struct view_window window[2]; /* for reading, for writing */
   struct view_blocks blocks[2]; /* likewise */
   uint8_t looks;                /* for as much as lies side by side, since they were forgotten */
};

/* The view of a level; an absolute LOD. */
void surface_view_make(struct surface_view *v, const struct surface *s, unsigned lod);
/* The same of one sample of its texels alone, as if it were a surface of its own. Samples lie in
 * slices: the surface is not interleaved. */
void surface_view_make_sample(struct surface_view *v, const struct surface *s, unsigned lod,
                              unsigned sample);

static inline bool
surface_view_contains(const struct surface_view *v, uint32_t x, uint32_t y, uint32_t slice)
{
   return x < v->width && y < v->height && slice < v->depth;
}

/* Byte address of the element that holds a texel, which lies inside. False: the address does not
 * exist (past 4 GiB). */
bool surface_view_address(const struct surface_view *v, uint32_t x, uint32_t y, uint32_t slice,
                          unsigned sample, uint32_t *address);

/* DP-381, DP-382, DP-421: the slice that a render target write with this Render Target Array Index
 * writes: outside the view, its first. */
static inline uint32_t
surface_view_layer(const struct surface_view *v, uint32_t index)
{
   return (index < v->layers ? index : 0) + v->first_layer;
}

/* ---- host memory, for views with a user ------------------------------------------------------ */

/* Opens the window for elements on the translated pages around an offset. False: that page is not
 * mapped, or is not the surface's; nothing is reported. */
bool surface_view_look(struct surface_view *v, struct mem_space *space, uint32_t offset,
                       bool write);

/* Host address of an element by its offset from the base; NULL: slow path. */
static inline uint8_t *
surface_view_host(struct surface_view *v, struct mem_space *space, uint32_t offset, bool write)
{
   struct view_window *w = &v->window[write];
   if (__builtin_expect(offset - w->start < w->limit[2], 1) ||
       (surface_view_look(v, space, offset, write) && offset - w->start < w->limit[2]))
      return w->host + (offset - w->start);
   return NULL;
}

/* Translations may have changed. */
static inline void
surface_view_forget(struct surface_view *v)
{
   v->window[0] = v->window[1] = (struct view_window){0};
   v->blocks[0] = v->blocks[1] = (struct view_blocks){0};
   v->looks = 0;
}

#endif
