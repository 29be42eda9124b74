/* A device with memory, and a thread that runs a few lines of assembly in it. */
#ifndef PERGOLA_TESTS_EU_MACHINE_H
#define PERGOLA_TESTS_EU_MACHINE_H

#include "eu/isa/asm.h"
#include "pergola/pergola_machine.h"
#include "shared_functions/sf.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MACHINE_MEMORY (16u << 20)
#define MACHINE_PHYS 0x10000000u

struct machine {
   struct pergola_machine machine;
   struct pergola_device *dev; /* the machine's, and its memory */
   uint8_t *memory;            /* graphics addresses 0 … MACHINE_MEMORY of the GGTT */
   struct eu_env env;
   struct eu_thread *t;
   char last_rule[32], last_subject[256], last_message[256];
   unsigned diagnostics;
};

/* A kernel that only ends: the closing instruction of every test program. */
#define EOT_TEXT                                                                                   \
   "send(8) null<1>UW g127<8,8,1>UD 0x82000010 thread_spawner { align1 WE_all 1Q EOT };\n"

/* Asked for by the environment: every kernel as native code. */
bool machine_native(void);
void machine_open(struct machine *m, enum pergola_check check);
void machine_close(struct machine *m);
/* Assembles to the instruction base and starts a fresh thread there; the GRF keeps its contents. */
void machine_load(struct machine *m, const char *text);
/* The same, and runs it to its end of thread. */
void machine_run(struct machine *m, const char *text);
void machine_clear(struct machine *m);

static inline float *
grf_f(struct machine *m, unsigned reg)
{
   return (float *)(void *)(m->t->grf + reg * EU_REG_SIZE);
}
static inline uint32_t *
grf_ud(struct machine *m, unsigned reg)
{
   return (uint32_t *)(void *)(m->t->grf + reg * EU_REG_SIZE);
}
static inline int32_t *
grf_d(struct machine *m, unsigned reg)
{
   return (int32_t *)(void *)(m->t->grf + reg * EU_REG_SIZE);
}
static inline int16_t *
grf_w(struct machine *m, unsigned reg)
{
   return (int16_t *)(void *)(m->t->grf + reg * EU_REG_SIZE);
}
static inline uint8_t *
grf_b(struct machine *m, unsigned reg)
{
   return m->t->grf + reg * EU_REG_SIZE;
}
static inline double *
grf_df(struct machine *m, unsigned reg)
{
   return (double *)(void *)(m->t->grf + reg * EU_REG_SIZE);
}

#endif
