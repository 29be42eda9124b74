/* A machine with memory, page tables and contexts. */
#ifndef PERGOLA_TEST_GEN11_MACHINE_H
#define PERGOLA_TEST_GEN11_MACHINE_H

#include "gen11_test.h"
#include "pergola/pergola_machine.h"

enum {
   PHYSICAL = 0x10000000,
   SIZE = 0x400000,
   GLOBAL = 0x100000, /* graphics address of PHYSICAL in the global GTT */
   STATUS = 0x0,      /* status pages, one an engine; offsets in memory from here on */
   RINGS = 0x10000,   /* a ring of 4 KiB a context */
   IMAGES = 0x40000,  /* 4 pages a context */
   TABLES = 0x80000,  /* PML4, PDP, PD, PT of all contexts */
   DATA = 0x100000,
   BATCH = 0x180000,
   USER = 0x40000000, /* address of PHYSICAL + DATA in the process's space */
};

struct machine {
   struct pergola_machine machine;
   struct pergola_device *dev; /* the machine's, and its memory */
   uint8_t *memory;
   uint32_t tail[8]; /* by context */
};

static inline uint32_t *
at(struct machine *m, uint32_t offset)
{
   return (uint32_t *)(m->memory + offset);
}

static inline void
put64(struct machine *m, uint32_t offset, uint64_t value)
{
   memcpy(m->memory + offset, &value, 8);
}

/* 4 levels: DATA by pages of 4 KiB at USER, 64 KiB pages at USER + 2 MiB, one of 2 MiB at + 4. */
static inline void
make_tables(struct machine *m)
{
   uint64_t pml4 = PHYSICAL + TABLES, pdp = pml4 + 0x1000, pd = pdp + 0x1000, pt = pd + 0x1000,
            wide = pt + 0x1000;
   put64(m, TABLES + 8 * 0, pdp | 3);
   put64(m, TABLES + 0x1000 + 8 * (USER >> 30), pd | 3);
   put64(m, TABLES + 0x2000 + 8 * 0, pt | 3);
   put64(m, TABLES + 0x2000 + 8 * 1, wide | 0x803);
   put64(m, TABLES + 0x2000 + 8 * 2, (PHYSICAL + 0x200000) | 0x83);
   for (unsigned i = 0; i < 256; i++)
      put64(m, TABLES + 0x3000 + 8 * i, (PHYSICAL + DATA + 0x1000 * i) | 3);
   put64(m, TABLES + 0x3000 + 8 * 7, (PHYSICAL + DATA + 0x7000) | 1); /* not writable */
   put64(m, TABLES + 0x4000 + 8 * 16, (PHYSICAL + DATA) | 3);         /* 64 KiB, the second */
}

static inline struct machine
new_machine(void)
{
   struct machine m = {0};
   const struct pergola_config config = {.sku = "icl", .check = PERGOLA_CHECK_REPORT};
   const struct pergola_machine_memory memory = {
       .physical = PHYSICAL, .size = SIZE, .graphics = GLOBAL, .mapped = SIZE};
   assert_int_equal(pergola_machine_create(&m.machine, &config, &memory, NULL), 0);
   m.dev = m.machine.dev;
   m.memory = m.machine.memory;
   for (unsigned e = 0; e < GEN11_ENGINES; e++)
      wr(m.dev, gen11_engines[e].base + 0x80, GLOBAL + STATUS + 0x1000 * e);
   for (uint32_t reg = 0x190030; reg <= 0x190044; reg += 4)
      wr(m.dev, reg, ~0u);
   static const uint32_t masks[] = {0x190090, 0x1900a0, 0x1900a8, 0x1900ac, 0x1900d0};
   for (unsigned i = 0; i < 5; i++)
      wr(m.dev, masks[i], 0);
   make_tables(&m);
   return m;
}

static inline void
end_machine(struct machine *m)
{
   pergola_machine_destroy(&m->machine);
}

/* A context's image as the driver makes it: nothing but the ring and the tables. */
static inline uint64_t
context(struct machine *m, unsigned c)
{
   uint32_t *image = at(m, IMAGES + 0x4000 * c + 0x1000);
   image[3] = 0x00090009; /* restore inhibited, no switch at a semaphore */
   image[9] = GLOBAL + RINGS + 0x1000 * c;
   image[11] = 1;
   image[0x33] = PHYSICAL + TABLES;
   return (uint64_t)(c + 1) << 37 | (GLOBAL + IMAGES + 0x4000 * c) | 0x119; /* valid, 4 levels */
}

static inline void
emit(struct machine *m, unsigned c, const uint32_t *dw, unsigned count)
{
   for (unsigned i = 0; i < count; i++, m->tail[c] = (m->tail[c] + 4) & 0xfff)
      *at(m, RINGS + 0x1000 * c + m->tail[c]) = dw[i];
   if (m->tail[c] & 4) {
      *at(m, RINGS + 0x1000 * c + m->tail[c]) = 0;
      m->tail[c] = (m->tail[c] + 4) & 0xfff;
   }
   *at(m, IMAGES + 0x4000 * c + 0x1000 + 4 * 7) = m->tail[c];
}
#define EMIT(m, c, ...)                                                                            \
   emit(m, c, (const uint32_t[]){__VA_ARGS__},                                                     \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static inline void
submit(struct machine *m, enum gen11_engine e, uint64_t first, uint64_t second)
{
   uint32_t base = gen11_engines[e].base;
   pergola_mmio_write(m->dev, base + 0x510, 8, first);
   pergola_mmio_write(m->dev, base + 0x518, 8, second);
   wr(m->dev, base + 0x550, 1);
}

/* The status buffer of an engine: entries since the last call. */
static inline unsigned
events(struct machine *m, enum gen11_engine e, unsigned *read, uint32_t *status)
{
   unsigned n = 0, write = *at(m, STATUS + 0x1000 * e + 4 * 0x2f);
   assert_int_equal(write, rd(m->dev, gen11_engines[e].base + 0x3a0) & 0xf);
   for (; *read != write && n < 12; n++) {
      *read = (*read + 1) % 12;
      status[n] = *at(m, STATUS + 0x1000 * e + 4 * (0x10 + 2 * *read));
   }
   return n;
}

#define SDI(where, value) 0x10400002u, (where), 0, (value) /* global GTT */
#define DATA_AT(offset) (GLOBAL + DATA + (offset))

#endif
