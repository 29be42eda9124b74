/* Commands a second: a 64 MiB mix of MI_NOOP, MI_LOAD_REGISTER_IMM and MI_STORE_DATA_IMM, beside a
 * plain C loop over the same dwords that does the same stores. */
#include "pergola/pergola_machine.h"
#include "machine/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH_BYTES (64u << 20)
#define RAM_BYTES (BATCH_BYTES + (1u << 20))
#define PHYS 0x10000000u
#define DATA (BATCH_BYTES + 0x10000u)
#define RING (BATCH_BYTES + 0x80000u)
#define PREDICATE_SRC0 0x2400u

static double
seconds(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Eight dwords a turn: two no-ops, one register load, one store of a dword, less one. */
static uint64_t
fill(uint32_t *dw)
{
   uint32_t n = BATCH_BYTES / 4 - 8, i = 0, k = 0;
   uint64_t commands = 0;
   for (; i + 9 <= n; k++) {
      dw[i++] = 0;
      dw[i++] = 0;
      dw[i++] = 0x11000001;
      dw[i++] = PREDICATE_SRC0;
      dw[i++] = k;
      dw[i++] = 0x10400002;
      dw[i++] = 0;
      dw[i++] = DATA + (k & 0xfff) * 4;
      dw[i++] = k;
      commands += 4;
   }
   dw[i] = 0x05000000;
   return commands + 1;
}

/* The same work with nothing in between: no translation, no checks, no registers but an array. */
static uint64_t
plain_loop(const uint32_t *dw, uint8_t *memory, uint32_t *registers)
{
   uint64_t commands = 0;
   for (uint32_t i = 0;; commands++) {
      uint32_t header = dw[i];
      switch (header >> 23) {
      case 0x00:
         i++;
         break;
      case 0x22:
         registers[dw[i + 1] >> 2] = dw[i + 2];
         i += 3;
         break;
      case 0x20:
         memcpy(memory + dw[i + 2], &dw[i + 3], 4);
         i += 4;
         break;
      default:
         return commands + 1;
      }
   }
}

static double
run_device(enum pergola_check check, const uint8_t *ram)
{
   struct pergola_config config = {.check = check, .host_threads = 1};
   struct pergola_machine_memory memory = {
       .physical = PHYS, .size = RAM_BYTES, .mapped = RAM_BYTES};
   struct pergola_machine m;
   uint32_t ring[2] = {0x18800000, 0};
   if (pergola_machine_create(&m, &config, &memory, NULL))
      exit(1);
   struct pergola_device *dev = m.dev;
   memcpy(m.memory, ram, RAM_BYTES);
   memcpy(m.memory + RING, ring, sizeof(ring));
   pergola_mmio_write(dev, 0x2038, 4, RING);
   pergola_mmio_write(dev, 0x203c, 4, 1);
   pergola_mmio_write(dev, 0x2030, 4, 8);
   double begin = seconds();
   enum pergola_run_result result = pergola_run(dev, 0);
   double spent = seconds() - begin;
   if (result != PERGOLA_RUN_IDLE || pergola_diagnostic_count(dev, PERGOLA_WARNING)) {
      fprintf(stderr, "bench_cs: the batch did not run clean\n");
      exit(1);
   }
   pergola_machine_destroy(&m);
   return spent;
}

static double
best(enum pergola_check check, const uint8_t *ram)
{
   double least = 1e9;
   for (int i = 0; i < 3; i++) {
      double t = run_device(check, ram);
      least = t < least ? t : least;
   }
   return least;
}

int
main(void)
{
   uint8_t *ram = aligned_alloc(4096, RAM_BYTES);
   uint32_t *registers = calloc(0x80000, 4);
   if (!ram || !registers)
      return 1;
   memset(ram, 0, RAM_BYTES);
   uint64_t commands = fill((uint32_t *)ram);
   double plain = 1e9;
   for (int i = 0; i < 5; i++) {
      double begin = seconds();
      uint64_t n = plain_loop((const uint32_t *)ram, ram, registers);
      double t = seconds() - begin;
      if (n != commands)
         return 1;
      plain = t < plain ? t : plain;
   }
   double checked = best(PERGOLA_CHECK_REPORT, ram), unchecked = best(PERGOLA_CHECK_OFF, ram);
   printf("cs: 64 MiB, %llu commands\n", (unsigned long long)commands);
   printf("  plain C loop   %7.1f M commands/s\n", (double)commands / plain * 1e-6);
   printf("  rules on       %7.1f M commands/s, %.1fx the loop (goal 10x)\n",
          (double)commands / checked * 1e-6, checked / plain);
   printf("  rules off      %7.1f M commands/s, %.1fx the loop (goal 5x)\n",
          (double)commands / unchecked * 1e-6, unchecked / plain);
   free(ram);
   free(registers);
   return 0;
}
