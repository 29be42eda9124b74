/* A device with 2 MiB of graphics memory whose pages are shuffled in physical memory, commands
 * given straight to the 2D engine, and the oracle with a copy of the memory beside it. */
#ifndef BLITTER_STAND_H
#define BLITTER_STAND_H

#include "blitter/blitter.h"
#include "pergola/pergola_machine.h"
#include "oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STAND_BASE 0x00400000u
#define STAND_SIZE 0x00200000u

struct stand {
   struct pergola_machine machine; /* its pages in another order */
   struct pergola_device *dev;
   uint8_t *ram;
   uint16_t page[STAND_SIZE / 4096]; /* graphics page to RAM page */
   struct oracle oracle;
   char rule[16]; /* of the last diagnostic */
   char message[256];
   char seen[512];   /* all of them since stand_forget */
   uint64_t budget;  /* of each call */
   unsigned calls;   /* of the last command */
   uint32_t address; /* of the last command */
};

struct stand *stand_create(const char *sku, enum pergola_check check);
void stand_destroy(struct stand *s);
int stand_setup(void **state);
int stand_teardown(void **state);
void stand_forget(struct stand *s);
bool stand_saw(const struct stand *s, const char *rule);

uint8_t *stand_byte(struct stand *s, uint32_t address);
uint32_t stand_pixel(struct stand *s, uint32_t address, unsigned bytes);
void stand_fill(struct stand *s, uint8_t value);
void stand_random(struct stand *s, uint64_t *seed);
/* Runs a command to its end; the length field is filled in. */
void stand_run(struct stand *s, uint32_t *dw, unsigned count);
/* The same on both engines, and the memories must be equal after it. */
void stand_both(struct stand *s, uint32_t *dw, unsigned count, const char *what);
void stand_swctrl(struct stand *s, uint32_t bits);
/* First graphics address where the memories differ, or 0. */
uint32_t stand_difference(struct stand *s);
void stand_copy_to_oracle(struct stand *s);

static inline uint64_t
stand_next(uint64_t *x)
{
   *x ^= *x << 13;
   *x ^= *x >> 7;
   return *x ^= *x << 17;
}

#define XY(x, y) ((uint32_t)(y) << 16 | ((uint32_t)(x)&0xffff))
#define OP(opcode) (0x40000000u | (uint32_t)(opcode) << 22)
#define CHANNELS (3u << 20)
#define DEPTH(d) ((uint32_t)(d) << 24)
#define ROP(r) ((uint32_t)(r) << 16)
#define PITCH(p) ((uint32_t)(p)&0xffff)
#define RUN(s, ...)                                                                                \
   do {                                                                                            \
      uint32_t run_dw[] = {__VA_ARGS__};                                                           \
      stand_run(s, run_dw, sizeof(run_dw) / 4);                                                    \
   } while (0)
#define BOTH(s, what, ...)                                                                         \
   do {                                                                                            \
      uint32_t run_dw[] = {__VA_ARGS__};                                                           \
      stand_both(s, run_dw, sizeof(run_dw) / 4, what);                                             \
   } while (0)

#endif
