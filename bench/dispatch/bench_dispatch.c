/* How fast threads come to life: empty SIMD16 threads, groups with a barrier and shared memory, and
 * the gain of a second host thread. Kernels are real ones, run by the execution unit. */
#include "pergola/pergola_machine.h"
#include "eu/isa/asm.h"
#include "media/media_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MEMORY 0x1000000u
#define INSTRUCTION 0x100000u
#define DYNAMIC 0x200000u

static const char *const empty_kernel = "send(8) null<1>UW g0<8,8,1>UD 0x02000010 thread_spawner "
                                        "MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q EOT };\n";
static const char *const barrier_kernel =
    "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n"
    "and(1) g10.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };\n"
    "send(8) null<1>UW g10<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q "
    "};\n"
    "wait(1) n0<1>UD { align1 WE_all 1N };\n"
    "send(8) null<1>UW g0<8,8,1>UD 0x02000010 thread_spawner MsgDesc: mlen 1 rlen 0 { align1 "
    "WE_all 1Q EOT };\n";

static uint8_t *ram;
static struct pergola_machine machine;
static struct pergola_device *dev;

static double
seconds(clockid_t clock)
{
   struct timespec t;
   clock_gettime(clock, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
command(const uint32_t *dw, unsigned count)
{
   struct cs_command c = {.cs = dev->cs[RCS],
                          .dev = dev,
                          .desc = hw_command_find(dw[0], HW_RCS, dev->hw_device),
                          .dw = dw,
                          .count_dw = count,
                          .space = &dev->ggtt};
   uint64_t budget = UINT64_MAX / 4;
   if (media_command(dev->media, &c, &budget) != CS_DONE)
      exit(1);
}

static bool
assemble(const char *text, uint32_t offset)
{
   struct eu_program p;
   struct eu_asm_error error;
   if (!eu_asm_text(text, strlen(text), HW_IVB, &p, &error)) {
      fprintf(stderr, "bench_dispatch: line %u, column %u: %s\n", error.line, error.column,
              error.message);
      return false;
   }
   memcpy(ram + INSTRUCTION + offset, p.bytes, p.size);
   eu_program_free(&p);
   return true;
}

static bool
open_device(unsigned threads)
{
   struct pergola_config config = {.check = PERGOLA_CHECK_OFF, .host_threads = threads};
   struct pergola_machine_memory memory = {
       .physical = 0x10000000, .size = MEMORY, .mapped = MEMORY};
   if (pergola_machine_create(&machine, &config, &memory, NULL))
      return false;
   dev = machine.dev;
   ram = machine.memory;
   if (!assemble(empty_kernel, 0) || !assemble(barrier_kernel, 0x400))
      return false;
   /* Bases through the ring, as a driver sets them. */
   uint32_t ring[] = {0x69040002, 0x61010008, 1, 1, DYNAMIC | 1, 1, INSTRUCTION | 1, 1, 1, 1, 1, 0};
   memcpy(ram, ring, sizeof(ring));
   pergola_mmio_write(dev, 0x2038, 4, 0);
   pergola_mmio_write(dev, 0x203c, 4, 1);
   pergola_mmio_write(dev, 0x2030, 4, sizeof(ring));
   pergola_run(dev, 0);
   uint32_t dw[8];
   gen7_media_vfe_state_pack(dw, &(struct hw_media_vfe_state){.maximum_number_of_threads = 127,
                                                              .bypass_gateway_control = true,
                                                              .curbe_allocation_size = 128});
   command(dw, 8);
   gen7_interface_descriptor_data_pack(
       (uint32_t *)(ram + DYNAMIC),
       &(struct hw_interface_descriptor_data){.constant_urb_entry_read_length = 1});
   gen7_interface_descriptor_data_pack(
       (uint32_t *)(ram + DYNAMIC + 32),
       &(struct hw_interface_descriptor_data){.kernel_start_pointer = 0x400,
                                              .barrier_enable = true,
                                              .shared_local_memory_size = 1,
                                              .number_of_threads_in_gpgpu_thread_group = 8});
   command((uint32_t[]){0x70010002, 0, 4096, 0x1000}, 4);
   command((uint32_t[]){0x70020002, 0, 64, 0}, 4);
   return true;
}

/* Groups per second, best of three. One host thread is timed by its own processor time, so that the
 * figure is that of one core on a busy machine too. */
static double
measure(unsigned descriptor, unsigned threads, unsigned groups, clockid_t clock)
{
   double best = 0;
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   struct hw_gpgpu_walker w = {.interface_descriptor_offset = descriptor,
                               .simd_size = 1,
                               .thread_width_counter_maximum = threads - 1,
                               .thread_group_id_x_dimension = groups,
                               .thread_group_id_y_dimension = 1,
                               .thread_group_id_z_dimension = 1,
                               .right_execution_mask = ~0u,
                               .bottom_execution_mask = ~0u};
   gen7_gpgpu_walker_pack(dw, &w);
   for (unsigned i = 0; i < 3; i++) {
      double start = seconds(clock);
      command(dw, GEN7_GPGPU_WALKER_LENGTH);
      double rate = groups / (seconds(clock) - start);
      if (rate > best)
         best = rate;
   }
   return best;
}

int
main(void)
{
   double core[2] = {0}, empty[2], barrier[2]; /* of one core; by the number of host threads */
   for (unsigned i = 0; i < 2; i++) {
      if (!open_device(i + 1))
         return 1;
      if (!i) {
         core[0] = measure(0, 8, 100000, CLOCK_THREAD_CPUTIME_ID) * 8;
         core[1] = measure(1, 8, 50000, CLOCK_THREAD_CPUTIME_ID);
      }
      empty[i] = measure(0, 8, 100000, CLOCK_MONOTONIC) * 8;
      barrier[i] = measure(1, 8, 50000, CLOCK_MONOTONIC);
      pergola_machine_destroy(&machine);
   }
   printf("empty SIMD16 threads, one core:       %8.2f million/s of processor time\n",
          core[0] / 1e6);
   printf("groups of 8 with a barrier, one core: %8.2f thousand/s of processor time\n",
          core[1] / 1e3);
   printf("empty threads, 2 host threads to 1:   %8.2f\n", empty[1] / empty[0]);
   printf("barrier groups, 2 host threads to 1:  %8.2f\n", barrier[1] / barrier[0]);
   return core[0] >= 3e6 ? 0 : 1; /* the least that is asked for */
}
