/* MEDIA_SURFACE_STATE (SMP-172): the surfaces of deinterlace, sample_8x8 and VME, and where their
 * samples lie. */
#ifndef PERGOLA_MEDIA_SURFACE_H
#define PERGOLA_MEDIA_SURFACE_H

#include "surface/surface.h"

enum media_picture {
   MEDIA_FRAME = GEN7_MEDIA_SURFACE_STATE_PICTURE_STRUCTURE_FRAME,
   MEDIA_TOP_FIELD = GEN7_MEDIA_SURFACE_STATE_PICTURE_STRUCTURE_TOP_FIELD,
   MEDIA_BOTTOM_FIELD = GEN7_MEDIA_SURFACE_STATE_PICTURE_STRUCTURE_BOTTOM_FIELD,
};

/* The state as the units use it: sizes are counts, not counts less one. */
struct media_surface {
   uint32_t base, pitch_B;
   uint32_t rules;         /* enum surface_rule */
   uint16_t width, height; /* pixels, of the luma plane */
   uint8_t format;         /* GEN7_MEDIA_SURFACE_FORMAT_… */
   uint8_t tiling;         /* enum mem_tiling */
   uint8_t picture; /* enum media_picture; says what the picture is, moves no row (SMP-372) */
   uint8_t
       chroma_v_offset; /* quarter rows from an even luma row to its chroma; PLANAR_420_8 only */
   uint8_t interleave_chroma, half_pitch_chroma;
   uint8_t mocs, spare[5];
   uint16_t u_x, u_y, v_x,
       v_y;        /* chroma planes; of a surface that is not planar, U is its origin */
   uint32_t state; /* graphics address of the state */
};

/* The unpacking itself, for tests and decoders. */
void media_surface_unpack(struct media_surface *s, const uint32_t dw[8]);

/* Copies the surface whose state lies at `address` (32-byte aligned); unpacks it when it is not
 * known. Known until surface_cache_invalidate. Any number of host threads. False: the state cannot
 * be read (a page fault, reported); *out is then all zero. */
bool media_surface_get(struct surface_cache *cache, struct mem_space *space, uint32_t address,
                       struct media_surface *out);

/* Calls fn for everything that the state breaks, for the one that uses it. */
enum media_user { MEDIA_SAMPLE_8X8 = 1, MEDIA_DEINTERLACE = 2, MEDIA_VME = 4 };
void media_surface_rules(const struct media_surface *s, enum media_user user,
                         void (*fn)(void *data, const char *rule, const char *text), void *data);

/* SMP-372: the current and the reference picture of a deinterlace message are of one size, pitch
 * and format. */
bool media_surface_alike(const struct media_surface *a, const struct media_surface *b);

/* Samples of one kind. A format without chroma has the first plane only, whose elements are whole
 * pixels; packed YCrCb has all three, woven into each other. */
enum media_plane_id { MEDIA_PLANE_Y, MEDIA_PLANE_U, MEDIA_PLANE_V };

struct media_plane {
   uint32_t base, pitch_B;
   uint32_t x_B, y;        /* first element: bytes and rows from the base */
   uint32_t width, height; /* elements */
   uint8_t step_B;         /* from an element to the next */
   uint8_t tiling;
};

/* False: the format has no such plane. */
bool media_surface_plane(const struct media_surface *s, enum media_plane_id which,
                         struct media_plane *out);
/* Byte address of an element that lies inside the plane. False: the address does not exist (past 4
 * GiB). */
bool media_plane_address(const struct media_plane *p, uint32_t x, uint32_t y, uint32_t *address);

/* SMP-372: Y and G use table 0 of the 8x8 filter, the others table 1. */
enum media_channel { MEDIA_CHANNEL_CR_R, MEDIA_CHANNEL_Y_G, MEDIA_CHANNEL_CB_B };
static inline unsigned
media_coefficient_table(enum media_channel channel)
{
   return channel != MEDIA_CHANNEL_Y_G;
}

#endif
