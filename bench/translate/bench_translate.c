/* Address translation in a hot loop beside a plain array index: the target is a ratio of at most 2.
 */
#include "pergola/pergola_machine.h"
#include "machine/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAGES 1024u
#define ACCESSES (1u << 24)

static double
now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The same pseudo-random walk for both: the addresses cannot be guessed by the compiler. */
static uint32_t
next(uint32_t x)
{
   return x * 1664525u + 1013904223u;
}

static double
plain(const uint32_t *array, uint64_t *sum)
{
   double start = now();
   uint32_t x = 1;
   for (uint32_t i = 0; i < ACCESSES; i++) {
      x = next(x);
      *sum += array[x >> 10 & (PAGES * 1024 - 1)];
   }
   return now() - start;
}

static double
translated(struct mem_space *s, uint64_t *sum)
{
   double start = now();
   uint32_t x = 1;
   for (uint32_t i = 0; i < ACCESSES; i++) {
      x = next(x);
      const uint32_t *p = mem_translate(s, (x >> 10 & (PAGES * 1024 - 1)) * 4, MEM_READ);
      *sum += *p;
   }
   return now() - start;
}

int
main(void)
{
   struct pergola_machine m;
   struct pergola_machine_memory memory = {
       .physical = 0x40000000, .size = PAGES * 4096, .mapped = PAGES * 4096};
   if (pergola_machine_create(&m, NULL, &memory, NULL))
      return 1;
   struct pergola_device *dev = m.dev;
   uint32_t *ram = (uint32_t *)(void *)m.memory;
   for (uint32_t i = 0; i < PAGES * 1024; i++)
      ram[i] = i * 2654435761u;
   double best_plain = 1e9, best_translated = 1e9;
   for (unsigned round = 0; round < 7; round++) {
      uint64_t a = 0, b = 0;
      double p = plain(ram, &a), t = translated(&dev->ggtt, &b);
      if (a != b) {
         fprintf(stderr, "the two disagree\n");
         return 1;
      }
      best_plain = p < best_plain ? p : best_plain;
      best_translated = t < best_translated ? t : best_translated;
   }
   double ratio = best_translated / best_plain;
   printf("array index      %6.2f ns\n", best_plain / ACCESSES * 1e9);
   printf("translate        %6.2f ns\n", best_translated / ACCESSES * 1e9);
   printf("ratio            %6.2f  (target <= 2.00: %s)\n", ratio, ratio <= 2 ? "met" : "missed");
   pergola_machine_destroy(&m);
   return 0;
}
