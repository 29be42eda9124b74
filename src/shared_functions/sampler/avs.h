/* Private to sample_8x8: its state, and where its samples come from. */
#ifndef PERGOLA_SAMPLER_AVS_H
#define PERGOLA_SAMPLER_AVS_H

#include "shared_functions/sampler/media.h"

/* SMP-382: by table (0: Y and G, 1: the others), direction (X, Y), phase, tap. */
struct avs_state {
   int8_t k[2][2][17][8];
   uint8_t sharpness, max4, max8, transition4, transition8;
   bool bypass[2];    /* X, Y: Default Sharpness Level */
   bool all_channels; /* adapt as luma does */
   bool rgb_adaptive; /* by the luma of all colours, not by green alone */
   bool disabled;     /* the 8x8 filter: smooth only */
   bool ief_bypass;   /* the detail filter is off */
   bool key;          /* samples are compared with a chroma key */
   uint8_t strong, weak, weight[3], gain;
   uint32_t key_low, key_high; /* SMP-085 */
};

/* Where a channel comes from: a plane, and a byte or field of its elements. */
struct avs_source {
   bool there;
   struct media_plane plane;
   uint8_t shift, bits; /* in the element, little endian */
   uint8_t bytes;       /* of the element to read */
};

/* False: it cannot be read, which is reported. */
bool avs_read_state(const struct media_message_in *in, const struct media_surface *s,
                    struct avs_state *a);

#endif
