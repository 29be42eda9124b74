/* Register accesses per second on one core, over the registers a driver touches; beside stores and
 * loads of a plain array through a function call. */
#include "machine/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ACCESSES (1u << 24)

static double
now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* whatever else the machine does */
   return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads and writes in turn, of a part: scratch, masks, counters, chicken bits; of Ice Lake also
 * registers that are steered and those of the performance counters. */
static const struct part {
   const char *sku;
   uint32_t offsets[16];
} parts[] = {
    {"ivb-gt2",
     {0x4f100, 0xa010, 0x14050, 0x7010, 0xa014, 0xb01c, 0x4028, 0x2500, 0x9400, 0xa02c, 0x101000,
      0xe100, 0x2430, 0xb020, 0x4034, 0x4f11c}},
    {"icl",
     {0x4080, 0x4024, 0x20a0, 0x4ab8, 0x4dd4, 0x40a0, 0x7020, 0x9840, 0x2774, 0x2600, 0x22600,
      0x1c0600, 0x5500, 0x7100, 0x2b20, 0x2718}},
};

static __attribute__((noinline)) void
array_write(volatile uint32_t *a, uint32_t offset, uint32_t value)
{
   a[offset >> 2] = value;
}

static __attribute__((noinline)) uint32_t
array_read(volatile uint32_t *a, uint32_t offset)
{
   return a[offset >> 2];
}

static int
measure(const struct part *p, uint32_t *array)
{
   struct pergola_config c = {.sku = p->sku, .check = PERGOLA_CHECK_REPORT};
   struct pergola_device *dev = pergola_device_create(&c, NULL);
   if (!dev)
      return 1;
   pergola_pci_write(dev, 4, 2, 0x6);
   double best = 1e9, peer = 1e9;
   uint64_t sum = 0;
   for (unsigned round = 0; round < 5; round++) {
      double start = now();
      for (uint32_t i = 0; i < ACCESSES; i += 2) {
         uint32_t o = p->offsets[i >> 1 & 15];
         pergola_mmio_write(dev, o, 4, 1 | (i & 2)); /* values that break no rule */
         sum += pergola_mmio_read(dev, o, 4);
      }
      double t = now() - start;
      best = t < best ? t : best;
      start = now();
      for (uint32_t i = 0; i < ACCESSES; i += 2) {
         uint32_t o = p->offsets[i >> 1 & 15];
         array_write(array, o, 1 | (i & 2));
         sum += array_read(array, o);
      }
      t = now() - start;
      peer = t < peer ? t : peer;
   }
   if (pergola_diagnostic_count(dev, PERGOLA_NOTE)) {
      fprintf(stderr, "the accesses break a rule: this would measure its report\n");
      return 1;
   }
   double rate = ACCESSES / best / 1e6;
   printf("%-16s %6.1f M accesses/s  (target >= 20: %s)\n", p->sku, rate,
          rate >= 20 ? "met" : "missed");
   printf("plain array      %6.1f M accesses/s\n", ACCESSES / peer / 1e6);
   printf("ratio            %6.2f  (checksum %llx)\n", best / peer, (unsigned long long)sum);
   pergola_device_destroy(dev);
   return 0;
}

int
main(void)
{
   uint32_t *array = calloc(1, 0x200000);
   if (!array)
      return 1;
   int status = 0;
   for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]) && !status; i++)
      status = measure(&parts[i], array);
   free(array);
   return status;
}
