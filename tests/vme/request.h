/* A request of VME as plain data: what the model and the independent reference are both fed with.
 */
#ifndef PERGOLA_TEST_VME_REQUEST_H
#define PERGOLA_TEST_VME_REQUEST_H

#include <stdint.h>

struct vme_picture {
   uint32_t width, height; /* pixels; frame lines */
   const uint8_t *pixels;  /* luma, a row is `width` bytes */
};

struct vme_request {
   uint32_t descriptor; /* bits 19:0 of the message descriptor; state index and binding table index
                           are 0 */
   uint32_t in[9][8];   /* M0 to M4, then 0, 2 or 4 stream-in phases */
   uint8_t state[128];  /* VME_SEARCH_PATH_LUT_STATE */
   struct vme_picture source, reference[2];
};

#define VME_TYPE_INTER 1u
#define VME_TYPE_INTRA 2u
#define VME_TYPE_BOTH 3u
#define VME_DESCRIPTOR(type) (1u << 19 | (type) << 13)
#define VME_STREAM_IN (1u << 16)
#define VME_STREAM_OUT (1u << 15)

#endif
