/* A program that owns a GPU: memory, a page table entry, a ring with four commands, an interrupt.
 */
#include <pergola/pergola_machine.h>

#include <stdio.h>
#include <string.h>

enum { PAGE = 4096, RING = 0, STATUS = 1, TARGET = 2, PAGES = 3 };

static void
interrupt(void *data, bool asserted)
{
   (void)data;
   printf("interrupt line %s\n", asserted ? "rises" : "falls");
}

static void
diagnostic(void *data, const struct pergola_diagnostic *d)
{
   (void)data;
   printf("%s %s: %s\n", d->rule, d->engine, d->message);
}

int
main(void)
{
   const char *error;
   struct pergola_machine machine; /* three pages at graphics address 0 */
   struct pergola_machine_memory pages = {
       .physical = 0x100000, .size = PAGES * PAGE, .mapped = PAGES * PAGE};
   if (pergola_machine_create(&machine, NULL, &pages, &error)) {
      fprintf(stderr, "%s\n", error);
      return 1;
   }
   struct pergola_device *gpu = machine.dev;
   uint32_t *memory = (uint32_t *)machine.memory;
   pergola_set_interrupt_handler(gpu, interrupt, NULL);
   pergola_add_diagnostic_sink(gpu, diagnostic, NULL);

   static const uint32_t commands[] = {
       0x10400002, 0, TARGET * PAGE, 42, /* MI_STORE_DATA_IMM through the GGTT */
       0x01000000, 0,                    /* MI_USER_INTERRUPT, MI_NOOP */
   };
   memcpy(memory, commands, sizeof(commands));
   pergola_mmio_write(gpu, 0x4080, 4, STATUS * PAGE); /* status page */
   pergola_mmio_write(gpu, 0x20a8, 4, ~1u);           /* engine, bank and master let the */
   pergola_mmio_write(gpu, 0x44014, 4, ~1u);          /* user interrupt of the render */
   pergola_mmio_write(gpu, 0x4401c, 4, 1);            /* engine pass */
   pergola_mmio_write(gpu, 0x4400c, 4, 0x80000000);
   pergola_mmio_write(gpu, 0x2038, 4, RING * PAGE); /* ring: start, enable, tail */
   pergola_mmio_write(gpu, 0x203c, 4, 1);
   pergola_mmio_write(gpu, 0x2030, 4, sizeof(commands));
   enum pergola_run_result result = pergola_run(gpu, 1000);
   printf("%s, stored %u\n", result == PERGOLA_RUN_IDLE ? "idle" : "not idle",
          memory[TARGET * PAGE / 4]);
   bool good = result == PERGOLA_RUN_IDLE && memory[TARGET * PAGE / 4] == 42;
   pergola_machine_destroy(&machine);
   return good ? 0 : 1;
}
