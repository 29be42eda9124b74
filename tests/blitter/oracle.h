/* A second 2D engine, for comparison: it reads the packets by dword and bit as the manual prints
 * them, and draws pixel by pixel and bit by bit. It shares no code with src/blitter. */
#ifndef BLITTER_ORACLE_H
#define BLITTER_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

struct oracle {
   uint8_t *memory; /* graphics addresses from `base` on; beyond it reads are 0 and writes vanish */
   uint32_t base, size;
   uint32_t swctrl;
   uint32_t br01, br05, br06, br07, br09, br20, br21; /* setup */
   uint32_t channel_mask;                             /* bits 21:20 of the setup's header */
   bool setup, mono_pattern;
   int clip_x1, clip_y1, clip_x2, clip_y2;
};

void oracle_execute(struct oracle *o, const uint32_t *dw, unsigned count);

#endif
