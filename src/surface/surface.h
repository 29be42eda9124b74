/* Surface state, formats, the address of a texel. */
#ifndef PERGOLA_SURFACE_H
#define PERGOLA_SURFACE_H

#include "machine/device.h"

struct format_info;

enum surface_type {
   SURFTYPE_1D = GEN7_SURFACE_TYPE_1D,
   SURFTYPE_2D = GEN7_SURFACE_TYPE_2D,
   SURFTYPE_3D = GEN7_SURFACE_TYPE_3D,
   SURFTYPE_CUBE = GEN7_SURFACE_TYPE_CUBE,
   SURFTYPE_BUFFER = GEN7_SURFACE_TYPE_BUFFER,
   SURFTYPE_STRBUF = GEN7_SURFACE_TYPE_STRBUF,
   SURFTYPE_RESERVED,
   SURFTYPE_NULL = GEN7_SURFACE_TYPE_NULL,
};

/* Media Boundary Pixel Mode */
enum surface_boundary {
   SURFACE_BOUNDARY_NORMAL = GEN7_RENDER_SURFACE_STATE_MEDIA_BOUNDARY_PIXEL_MODE_NORMAL_MODE,
   SURFACE_BOUNDARY_RESERVED,
   SURFACE_BOUNDARY_PROGRESSIVE =
       GEN7_RENDER_SURFACE_STATE_MEDIA_BOUNDARY_PIXEL_MODE_PROGRESSIVE_FRAME,
   SURFACE_BOUNDARY_INTERLACED =
       GEN7_RENDER_SURFACE_STATE_MEDIA_BOUNDARY_PIXEL_MODE_INTERLACED_FRAME,
};

/* What a state breaks; found once, reported by the messages that care. */
enum surface_rule {
   SURFACE_BAD_RESERVED = 1 << 0,  /* a must-be-zero bit or a reserved value */
   SURFACE_BAD_BASE = 1 << 1,      /* base alignment */
   SURFACE_BAD_PITCH = 1 << 2,     /* pitch alignment or smaller than a row */
   SURFACE_BAD_TILED = 1 << 3,     /* tiled buffer, W walk, … */
   SURFACE_BAD_FORMAT = 1 << 4,    /* code without a meaning */
   SURFACE_BAD_SIZE = 1 << 5,      /* over 2 GiB */
   SURFACE_BAD_SAMPLES = 1 << 6,   /* reserved sample count or layout */
   SURFACE_BAD_OFFSET = 1 << 7,    /* X/Y offset on a linear surface */
   SURFACE_BAD_BOUNDARY = 1 << 8,  /* media boundary mode with an odd height */
   SURFACE_BAD_RAW_SIZE = 1 << 9,  /* raw buffer whose size is no multiple of 4 */
   SURFACE_BAD_MULTIPLE = 1 << 10, /* media surface that ends in the midst of a chroma sample */
};

/* RENDER_SURFACE_STATE as the units use it: sizes are counts, not counts less one. */
struct surface {
   uint32_t base;
   uint32_t pitch_B;
   uint32_t entries; /* BUFFER, STRBUF */
   uint32_t rules;   /* enum surface_rule */
   uint8_t type;     /* enum surface_type */
   uint8_t tiling;   /* enum mem_tiling */
   uint16_t format;
   uint32_t min_array_element;
   const struct format_info *info; /* never NULL */
   /* What buffers need ends here. */
   uint16_t width, height; /* of LOD 0, in pixels (elements of the view) */
   uint16_t depth;         /* slices of a 3D surface or elements of an array */
   uint8_t array, lod0_spacing;
   uint8_t halign, valign; /* pixels */
   uint8_t levels;         /* MIP count, at least 1 */
   uint8_t rt_lod;         /* render target: the LOD that is written */
   uint8_t min_lod;
   uint8_t samples;       /* 1, 4, 8 */
   uint8_t interleaved;   /* MSFMT_DEPTH_STENCIL */
   uint8_t vls, vlso;     /* Vertical Line Stride, Offset */
   uint8_t boundary_mode; /* enum surface_boundary */
   uint8_t cube_faces;
   uint8_t rotation;
   uint8_t mocs;
   uint8_t palette;      /* multisample position palette index */
   uint8_t clear_colour; /* bit 3 R, 2 G, 1 B, 0 A */
   uint8_t append_enable;
   uint16_t x_offset, y_offset; /* pixels, rows */
   uint16_t view_extent;
   uint16_t resource_min_lod;          /* U4.8 */
   uint32_t mcs_base, mcs_pitch_tiles; /* mcs_pitch_tiles 0: no MCS */
   uint32_t append_address;
   uint32_t uv_x, uv_y; /* planar formats: offset of the UV plane */
   uint32_t qpitch;     /* rows between array slices, in elements */
   uint32_t state;      /* graphics address of the state */
};

struct surface_cache *surface_cache_create(struct pergola_device *dev);
void surface_cache_destroy(struct surface_cache *cache);
/* State cache invalidate, TLB invalidate, STATE_BASE_ADDRESS: surfaces are unpacked again. */
void surface_cache_invalidate(struct surface_cache *cache);

/* Copies the surface whose state lies at `address` (32-byte aligned); unpacks it when it is not
 * known. Any number of host threads. False: the state cannot be read (a page fault, reported); *out
 * is then a null surface. `buffer_only`: only the members down to `info` are wanted. */
bool surface_get(struct surface_cache *cache, struct mem_space *space, uint32_t address,
                 bool buffer_only, struct surface *out);

/* A surface that is not there. */
void surface_null(struct surface *s);
/* The unpacking itself, for tests and decoders. */
void surface_unpack(struct surface *s, const uint32_t dw[8], unsigned hw_device);

/* ---- layout ---- */

struct surface_extent {
   uint32_t width, height, depth;
};
/* SMP-472: rows between two slices of a surface that is otherwise described, in elements. */
uint32_t surface_qpitch(const struct surface *s);
/* Size of a level in pixels; depth is slices (3D) or array elements. */
struct surface_extent surface_level_size(const struct surface *s, unsigned lod);

/* Position of the first element of a level and slice, in elements (blocks of a compressed format)
 * from the start of the surface. Slice: array element × samples for MSS, z for 3D. */
void surface_level_position(const struct surface *s, unsigned lod, uint32_t slice, uint32_t *x_el,
                            uint64_t *y_el);

struct surface_texel {
   uint32_t x, y, slice; /* slice: array element, cube face, or z */
   uint8_t lod, sample;
};
/* Byte address of the element that holds a texel that lies inside the surface. The caller has
 * checked the coordinates (surface_contains). False: the address does not exist (past 4 GiB). */
bool surface_address(const struct surface *s, const struct surface_texel *at, uint32_t *address);
/* Is it a texel of the surface? Slice counts from the first element of the view. */
bool surface_contains(const struct surface *s, const struct surface_texel *at);
/* Byte address of a place given in bytes and rows from the base (media blocks, planes). */
bool surface_byte_address(const struct surface *s, uint32_t x_B, uint64_t row, uint32_t *address);

#endif
