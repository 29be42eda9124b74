/* Random legal requests, on content that is random, natural, flat or extreme. */
#ifndef PERGOLA_TEST_VME_GENERATOR_H
#define PERGOLA_TEST_VME_GENERATOR_H

#include "tests/vme/request.h"

#include <stdbool.h>

/* What a request may use beside the integer search. */
#define GENERATE_FRACTIONAL 1u
#define GENERATE_BIDIRECTIONAL 2u
#define GENERATE_SKIP 4u
#define GENERATE_INTRA 8u
#define GENERATE_EXITS 16u
#define GENERATE_STREAMS 32u
#define GENERATE_INTRA_ONLY 64u
#define GENERATE_ALL 63u
#define GENERATE_ILLEGAL 128u /* reserved codes and values out of range */

#define GENERATE_MAX_WIDTH 192u
#define GENERATE_MAX_HEIGHT 160u

struct generator {
   uint64_t state;
   uint32_t width[3], height[3];
   uint8_t pixels[3][GENERATE_MAX_WIDTH * GENERATE_MAX_HEIGHT]; /* source, references */
};

void generate_begin(struct generator *g, uint64_t seed);
/* New pictures, of a kind drawn at random. */
void generate_content(struct generator *g);
void generate_request(struct generator *g, unsigned features, struct vme_request *q);

#endif
