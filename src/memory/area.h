/* Rectangles of bytes in host memory that is laid out as a surface: copied and filled, whatever the
 * tilings. */
#ifndef PERGOLA_MEMORY_AREA_H
#define PERGOLA_MEMORY_AREA_H

#include "memory/memory.h"

/* Linear, X or Y. */
struct mem_area {
   uint8_t *host; /* of the surface's base */
   uint32_t x_B, row, pitch_B;
   enum mem_tiling tiling;
};

/* Bytes from a surface's base that hold such a rectangle: whole tiles. */
struct mem_extent {
   uint64_t first, end;
};
struct mem_extent mem_area_extent(const struct mem_area *a, uint32_t width_B, uint32_t rows);

/* Neither shares memory with the other. past_caches: it is a part of more than the host's caches
 * hold, so that nobody finds it there later. */
void mem_area_copy(const struct mem_area *to, const struct mem_area *from, uint32_t width_B,
                   uint32_t rows, bool past_caches);

/* With these 16 bytes again and again. Both ends of a row are multiples of 16 bytes. */
void mem_area_fill(const struct mem_area *to, uint32_t width_B, uint32_t rows,
                   const uint32_t with[4], bool past_caches);

#endif
