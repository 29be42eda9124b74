/* Surfaces as the short ways of ld and render target writes see them: a level and slice of it,
 * which is rows of elements, each made of channels. What a message would have to ask of the surface
 * is asked once. */
#ifndef PERGOLA_SF_SLICE_H
#define PERGOLA_SF_SLICE_H

#include <stdbool.h>
#include <stdint.h>

struct eu_thread;
struct format_info;
struct mem_space;
struct sf_buffers;

enum sf_slice_use { SF_SLICE_FETCHED, SF_SLICE_TARGET };
#define SF_SLICES 8u /* of either use that a host thread remembers */

enum sf_channel_kind {
   SF_CHANNEL_ABSENT,
   SF_CHANNEL_BITS,
   SF_CHANNEL_UINT,
   SF_CHANNEL_SINT,
   SF_CHANNEL_UNORM
};

struct sf_channel {
   uint8_t kind;              /* enum sf_channel_kind; BITS: all 32, as they are */
   uint8_t word, shift, bits; /* where it lies in the element */
   uint32_t absent;           /* what it reads as if it is not there */
   float most, by;            /* UNORM: what stands for 1, and its reciprocal */
};

struct sf_slice {
   bool known; /* it has been looked at, for this use and slice */
   uint8_t bti;
   uint8_t tiling;         /* enum mem_tiling */
   uint8_t element_log2;   /* of its bytes: 0 to 4 */
   bool converts;          /* to or from floats: needs rounding to nearest */
   bool whole;             /* channel i is dword i, as it is */
   uint32_t slice;         /* that was asked for */
   uint32_t width, height; /* 0: messages to it take the long way */
   uint32_t base, end, pitch_B;
   uint32_t x_el, row; /* of its first element */
   const struct format_info *format;
   struct sf_channel channel[4];
   /* Pages that are translated and lie side by side: an element whose address is less than `limit`
    * above the start is inside. */
   uint32_t start, limit;
   uint8_t *host;
};

/* Looks at the pages of the slice around an address, for its window. False: that page is not
 * mapped. */
bool sf_slice_look(struct sf_slice *m, struct mem_space *space, uint32_t address, bool write);
/* Translations may have changed. */
void sf_slices_forget(struct sf_buffers *b);

#endif
