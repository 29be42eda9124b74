/* Segments, the GGTT, the PPGTT, faults, accesses of any size. */
#include "pergola/pergola_machine.h"
#include "pergola/pergola_trace.h"
#include "device/assembly.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include "tests/proves.h"

#define RAM_SIZE (4u << 20)
#define RAM_BASE UINT64_C(0x1200000000) /* above 4 GiB: bits 39:32 of entries matter */

struct fixture {
   struct pergola_device *dev;
   uint8_t *ram;
   struct pergola_machine machine;
   struct pergola_diagnostic last;
   unsigned seen;
   char rule[16];
};

static void
note(void *data, const struct pergola_diagnostic *d)
{
   struct fixture *f = data;
   f->last = *d;
   f->seen++;
   snprintf(f->rule, sizeof(f->rule), "%s", d->rule);
}

static int
setup_part(void **state, const char *sku)
{
   struct fixture *f = calloc(1, sizeof(*f));
   struct pergola_config c = {.sku = sku, .check = PERGOLA_CHECK_REPORT};
   struct pergola_machine_memory memory = {.physical = RAM_BASE, .size = RAM_SIZE};
   int ret = pergola_machine_create(&f->machine, &c, &memory, NULL);
   f->dev = f->machine.dev;
   f->ram = f->machine.memory;
   *state = f;
   return ret ? ret : pergola_add_diagnostic_sink(f->dev, note, f);
}

static int
setup(void **state)
{
   return setup_part(state, "ivb-gt2");
}

static int
setup_vlv(void **state)
{
   return setup_part(state, "vlv");
}

static int
teardown(void **state)
{
   struct fixture *f = *state;
   pergola_machine_destroy(&f->machine);
   free(f);
   return 0;
}

/* An entry by the rule of the fact sheet, not by the model's code. */
static uint32_t
entry(uint64_t address, uint32_t flags)
{
   return (uint32_t)(address & 0xfffff000) | (uint32_t)(address >> 28 & 0xff0) | flags;
}

static void
map(struct fixture *f, uint32_t page, uint64_t address, uint32_t flags)
{
   pergola_mmio_write(f->dev, 0x200000 + 4 * page, 4, entry(address, flags));
}

/* Directory at cache line 0x400 of the GSM; its first table at RAM page 16. */
static void
build_ppgtt(struct fixture *f, enum engine_id e, uint32_t pde_flags)
{
   uint32_t base = engine_base[e];
   pergola_mmio_write(f->dev, 0x200000 + 0x400 * 64, 4, entry(RAM_BASE + 16 * 4096, pde_flags));
   pergola_mmio_write(f->dev, base + 0x220, 4, 0xffffffff);
   pergola_mmio_write(f->dev, base + 0x228, 4, 0x400 << 16);
}

static void
put_pte(struct fixture *f, unsigned index, uint32_t value)
{
   memcpy(f->ram + 16 * 4096 + index * 4, &value, 4);
}

static void
segments_that_make_no_sense_are_refused(void **state)
{
   proves("MEM-039", "MEM-048");
   struct fixture *f = *state;
   struct pergola_device *d = f->dev;
   assert_int_equal(pergola_memory_add(d, RAM_BASE, f->ram, 4096, 0), -EEXIST);
   assert_int_equal(pergola_memory_add(d, RAM_BASE - 4096, f->ram, 8192, 0), -EEXIST);
   assert_int_equal(pergola_memory_add(d, RAM_BASE + RAM_SIZE - 4096, f->ram, 8192, 0), -EEXIST);
   assert_int_equal(pergola_memory_add(d, 0x1001, f->ram, 4096, 0), -EINVAL);
   assert_int_equal(pergola_memory_add(d, 0x1000, f->ram + 1, 4096, 0), -EINVAL);
   assert_int_equal(pergola_memory_add(d, 0x1000, f->ram, 100, 0), -EINVAL);
   assert_int_equal(pergola_memory_add(d, 0x1000, f->ram, 0, 0), -EINVAL);
   assert_int_equal(pergola_memory_add(d, 0x1000, NULL, 4096, 0), -EINVAL);
   assert_int_equal(pergola_memory_add(d, UINT64_C(1) << 40, f->ram, 4096, 0), -EINVAL);
   assert_int_equal(pergola_memory_add(d, (UINT64_C(1) << 40) - 4096, f->ram, 8192, 0), -EINVAL);
   assert_int_equal(pergola_memory_add(d, 0x1000, f->ram, 4096, 0x80), -EINVAL);
   assert_int_equal(pergola_memory_add(d, 0x1000, f->ram, 4096, PERGOLA_MEMORY_ABSENT), -EINVAL);
   assert_int_equal(pergola_memory_add(d, 0x1000, f->ram, ~UINT64_C(4095), 0), -EINVAL);
   assert_int_equal(pergola_memory_add(d, RAM_BASE - 4096, f->ram, 4096, 0), 0);
   assert_int_equal(pergola_memory_remove(d, RAM_BASE + 4096), -ENOENT);
   assert_int_equal(pergola_memory_remove(d, RAM_BASE - 4096), 0);
   assert_int_equal(pergola_memory_remove(d, RAM_BASE - 4096), -ENOENT);
}

static void
removing_a_segment_drops_its_translations(void **state)
{
   struct fixture *f = *state;
   map(f, 1, RAM_BASE, 1);
   assert_ptr_equal(mem_translate(&f->dev->ggtt, 0x1000, MEM_READ), f->ram);
   assert_int_equal(pergola_memory_remove(f->dev, RAM_BASE), 0);
   assert_null(mem_translate(&f->dev->ggtt, 0x1000, MEM_READ));
}

/* MEM-004, RCS-197, VCS-300: bits 3:1 say where to cache, which has no effect on what is read. */
static void
ggtt_entry_holds_forty_bits(void **state)
{
   proves("MEM-004", "RCS-197", "VCS-300");
   struct fixture *f = *state;
   map(f, 5, RAM_BASE + 0x3000, 1);
   assert_ptr_equal(mem_translate(&f->dev->ggtt, 0x5123, MEM_WRITE), f->ram + 0x3123);
   for (uint32_t cache = 0; cache < 8; cache++) {
      map(f, 7 + cache, RAM_BASE + 0x4000, cache << 1 | 1);
      assert_ptr_equal(mem_translate(&f->dev->ggtt, (7 + cache) << 12, MEM_WRITE), f->ram + 0x4000);
   }
   map(f, 6, RAM_BASE + 0x3000, 0);
   assert_null(mem_translate(&f->dev->ggtt, 0x6000, MEM_READ));
   assert_int_equal(f->seen, 1);
   assert_string_equal(f->last.subject, "GGTT");
}

static void
ggtt_covers_two_gib(void **state)
{
   proves("MEM-010", "MEM-007");
   struct fixture *f = *state;
   map(f, 0x7ffff, RAM_BASE, 1);
   assert_ptr_equal(mem_translate(&f->dev->ggtt, 0x7ffff004, MEM_READ), f->ram + 4);
   assert_null(mem_translate(&f->dev->ggtt, 0x80000000, MEM_READ));
   assert_null(mem_translate(&f->dev->ggtt, 0xfffff000, MEM_WRITE));
}

static void
gtt_window_write_takes_effect_at_once(void **state)
{
   proves("MEM-001", "MEM-007");
   struct fixture *f = *state;
   map(f, 9, RAM_BASE, 1);
   assert_ptr_equal(mem_translate(&f->dev->ggtt, 0x9000, MEM_READ), f->ram);
   map(f, 9, RAM_BASE + 0x1000, 1);
   assert_ptr_equal(mem_translate(&f->dev->ggtt, 0x9000, MEM_READ), f->ram + 0x1000);
   assert_int_equal(pergola_mmio_read(f->dev, 0x200000 + 36, 4), entry(RAM_BASE + 0x1000, 1));
   assert_int_equal(pergola_mmio_read(f->dev, 0x200000 + 36 + 1, 2),
                    entry(RAM_BASE + 0x1000, 1) >> 8 & 0xffff);
}

/* MEM-005, VCS-301: the GPU's write is dropped and told in the Gunit's status; the host may write.
 */
static void
valleyview_page_without_the_write_bit_is_read_only(void **state)
{
   proves("MEM-005", "VCS-301");
   struct fixture *f = *state;
   map(f, 1, RAM_BASE, 1);
   map(f, 2, RAM_BASE + 0x1000, 3);
   assert_non_null(mem_translate(&f->dev->ggtt, 0x1000, MEM_READ));
   assert_non_null(mem_translate(&f->dev->ggtt, 0x2000, MEM_WRITE)); /* conforming */
   assert_int_equal(f->seen, 0);
   mem_write32(&f->dev->ggtt, 0x1000, 7); /* violating */
   assert_int_equal(f->seen, 1);
   assert_int_equal(mem_read32(&f->dev->ggtt, 0x1000), 0);
   device_take_faults(f->dev);
   assert_int_equal(pergola_mmio_read(f->dev, 0x1820ac, 4) & 2, 2);
   uint32_t host = 0x77;
   pergola_aperture_write(f->dev, 0x1000, &host, 4);
   assert_int_equal(mem_read32(&f->dev->ggtt, 0x1000), 0x77);
}

static void
read_only_segment_is_not_written(void **state)
{
   struct fixture *f = *state;
   assert_int_equal(pergola_memory_remove(f->dev, RAM_BASE), 0);
   assert_int_equal(
       pergola_memory_add(f->dev, RAM_BASE, f->ram, RAM_SIZE, PERGOLA_MEMORY_READ_ONLY), 0);
   map(f, 1, RAM_BASE, 1);
   f->ram[0] = 42;
   assert_int_equal(mem_read32(&f->dev->ggtt, 0x1000), 42);
   mem_write32(&f->dev->ggtt, 0x1000, 1);
   assert_int_equal(f->ram[0], 42);
   assert_int_equal(f->seen, 1);
}

/* MEM-006, RCS-194, RCS-195, VCS-008, VCS-298, VCS-006, VCS-007, VCS-148, VCS-299, VCS-302,
 * VCS-303: the directory sits in the GGTT's own table, its entries name tables in memory; the write
 * of PP_DIR_BASE is what loads it, on every engine. */
static void
ppgtt_walks_directory_in_gsm_and_table_in_memory(void **state)
{
   proves("MEM-006", "RCS-195", "VCS-008", "VCS-298", "VCS-006", "VCS-148", "VCS-299", "VCS-302",
          "VCS-303", "MEM-009");
   struct fixture *f = *state;
   for (enum engine_id e = RCS; e < ENGINE_COUNT; e++) {
      build_ppgtt(f, e, 1);
      put_pte(f, 3, entry(RAM_BASE + 0x7000, 1));
      put_pte(f, 1023, entry(RAM_BASE + 0x8000, 1));
      struct mem_space *s = &f->dev->ppgtt[e];
      mem_invalidate(s);
      assert_ptr_equal(mem_translate(s, 0x3010, MEM_WRITE), f->ram + 0x7010);
      assert_ptr_equal(mem_translate(s, 0x3ff000, MEM_READ), f->ram + 0x8000);
      assert_int_equal(f->seen, 0);
      assert_int_equal(reg_get(f->dev, engine_base[e] + 0x518), 0x4000000); /* PP_DIR_BASE_READ */
   }
   /* Entry 511 of the directory: the last 4 MiB. */
   pergola_mmio_write(f->dev, 0x200000 + 0x400 * 64 + 4 * 511, 4, entry(RAM_BASE + 16 * 4096, 1));
   assert_ptr_equal(mem_translate(&f->dev->ppgtt[RCS], 0x7fc03000, MEM_READ), f->ram + 0x7000);
   /* An entry of the directory that is not valid has no table. */
   assert_int_equal(f->seen, 0);
   build_ppgtt(f, RCS, 0);
   mem_invalidate(&f->dev->ppgtt[RCS]);
   assert_null(mem_look_up(&f->dev->ppgtt[RCS], 0x3010, MEM_READ));
   assert_null(mem_translate(&f->dev->ppgtt[RCS], 0x3010, MEM_READ));
   assert_int_equal(f->seen, 1);
   /* Nor is the page at address 0 that such an entry would name. */
   assert_int_equal(pergola_memory_add(f->dev, 0, f->ram, 4096, 0), 0);
   mem_invalidate(&f->dev->ppgtt[RCS]);
   assert_null(mem_look_up(&f->dev->ppgtt[RCS], 0x3010, MEM_READ));
}

/* Pages that were only read are not counted, nor those of another engine or of the GGTT; a new
 * watch begins with the next invalidation. */
static void
writes_of_an_engine_are_told(void **state)
{
   struct fixture *f = *state;
   build_ppgtt(f, RCS, 1);
   for (unsigned i = 0; i < 4; i++)
      put_pte(f, i, entry(RAM_BASE + 0x7000 + i * 4096, 1));
   struct mem_space *s = &f->dev->ppgtt[RCS];
   assert_false(pergola_written(f->dev, PERGOLA_RCS, 0));
   assert_int_equal(pergola_watch_writes(f->dev), 0);
   mem_invalidate_all(f->dev);
   assert_non_null(mem_translate(s, 0x1000, MEM_READ));
   assert_null(mem_known(s, 0x1000, MEM_WRITE));
   assert_ptr_equal(mem_translate(s, 0x2010, MEM_WRITE), f->ram + 0x9010);
   assert_non_null(mem_known(s, 0x2000, MEM_WRITE));
   mem_write32(s, 0x1004, 5);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(pergola_written(f->dev, PERGOLA_RCS, i * 4096 + 8), i == 1 || i == 2);
   assert_false(pergola_written(f->dev, PERGOLA_BCS, 0x1000));
   assert_false(pergola_written(f->dev, PERGOLA_RCS, UINT64_C(1) << 40));
   assert_false(pergola_written(f->dev, PERGOLA_ENGINES, 0x1000));
   assert_int_equal(pergola_watch_writes(f->dev), 0);
   mem_invalidate_all(f->dev);
   assert_non_null(mem_translate(s, 0x3000, MEM_WRITE));
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(pergola_written(f->dev, PERGOLA_RCS, i * 4096), i == 3);
}

static void
ppgtt_change_is_seen_after_invalidation(void **state)
{
   proves("MEM-008", "MEM-037");
   struct fixture *f = *state;
   build_ppgtt(f, RCS, 1);
   put_pte(f, 0, entry(RAM_BASE + 0x7000, 1));
   struct mem_space *s = &f->dev->ppgtt[RCS];
   assert_ptr_equal(mem_translate(s, 0, MEM_READ), f->ram + 0x7000);
   put_pte(f, 0, entry(RAM_BASE + 0x9000, 1));
   assert_ptr_equal(mem_translate(s, 0, MEM_READ), f->ram + 0x7000); /* cached */
   pergola_mmio_write(f->dev, REG_RCS_PP_DIR_BASE, 4, 0x400 << 16);
   assert_ptr_equal(mem_translate(s, 0, MEM_READ), f->ram + 0x9000);
   put_pte(f, 0, entry(RAM_BASE + 0xa000, 1));
   pergola_mmio_write(f->dev, REG_RCS_INSTPM, 4, 0x02200220);
   assert_ptr_equal(mem_translate(s, 0, MEM_READ), f->ram + 0xa000);
   put_pte(f, 0, entry(RAM_BASE + 0xb000, 1));
   pergola_mmio_write(f->dev, REG_GFX_FLSH_CNTL, 4, 1);
   assert_ptr_equal(mem_translate(s, 0, MEM_READ), f->ram + 0xb000);
   put_pte(f, 0, entry(RAM_BASE + 0xc000, 1));
   mem_invalidate_all(f->dev);
   assert_ptr_equal(mem_translate(s, 0, MEM_READ), f->ram + 0xc000);
}

/* MEM-009, VCS-304: and with all eight filled the walk gives the same. */
static void
pages_of_32_kib_use_the_first_of_eight_entries(void **state)
{
   proves("MEM-009", "VCS-304");
   struct fixture *f = *state;
   build_ppgtt(f, RCS, 3);
   put_pte(f, 8, entry(RAM_BASE + 0x10000, 1));
   assert_ptr_equal(mem_translate(&f->dev->ppgtt[RCS], 0x8000, MEM_READ), f->ram + 0x10000);
   assert_ptr_equal(mem_translate(&f->dev->ppgtt[RCS], 0xf008, MEM_READ), f->ram + 0x17008);
   for (unsigned i = 0; i < 8; i++)
      put_pte(f, 8 + i, entry(RAM_BASE + 0x10000 + i * 4096, 1));
   mem_invalidate(&f->dev->ppgtt[RCS]);
   for (uint32_t i = 0; i < 8; i++)
      assert_ptr_equal(mem_translate(&f->dev->ppgtt[RCS], 0x8000 + i * 4096, MEM_READ),
                       f->ram + 0x10000 + i * 4096);
}

/* RCS-054, RCS-055, MEM-011: page fault and invalid directory entry, the first one is kept. */
static void
first_fault_is_latched_and_reads_give_zero(void **state)
{
   proves("RCS-054", "RCS-055", "MEM-011");
   struct fixture *f = *state;
   struct mem_space *s = &f->dev->ppgtt[RCS];
   build_ppgtt(f, RCS, 1);
   assert_int_equal(mem_read32(s, 0x5000), 0);
   assert_int_equal(pergola_mmio_read(f->dev, REG_GFX_ENG_FR, 4), 0x5001);
   assert_int_equal(pergola_mmio_read(f->dev, REG_ERROR, 4), 1);
   mem_write32(s, 0x400000, 1); /* the second directory entry is not valid */
   assert_int_equal(pergola_mmio_read(f->dev, REG_GFX_ENG_FR, 4), 0x5001);
   assert_int_equal(pergola_mmio_read(f->dev, REG_ERROR, 4), 5);
   assert_int_equal(f->seen, 2);
   assert_string_equal(f->rule, "RCS-054");
   pergola_mmio_write(f->dev, REG_GFX_ENG_FR, 4, 0xabcdefff); /* locked */
   assert_int_equal(pergola_mmio_read(f->dev, REG_GFX_ENG_FR, 4), 0x5001);
   pergola_mmio_write(f->dev, REG_GFX_ENG_FR, 4, 0xfffffffe);
   assert_int_equal(pergola_mmio_read(f->dev, REG_GFX_ENG_FR, 4), 0);
   mem_write32(s, 0x400000, 1);
   assert_int_equal(pergola_mmio_read(f->dev, REG_GFX_ENG_FR, 4), 0x400003);
}

/* VCS-306, VCS-307, VCS-013, VCS-009, VCS-105, VCS-130, RCS-194: an unloaded group is
 * fatal and raises the interrupt, a level; the error register has no part in it. */
static void
unloaded_directory_group_is_fatal(void **state)
{
   proves("VCS-306", "VCS-307", "VCS-013", "VCS-009", "VCS-105", "VCS-130", "RCS-194");
   struct fixture *f = *state;
   struct mem_space *s = &f->dev->ppgtt[VCS];
   build_ppgtt(f, VCS, 1);
   pergola_mmio_write(f->dev, 0x12220, 4, 0xfffffffe); /* group 0 is not there */
   pergola_mmio_write(f->dev, 0x12228, 4, 0x400 << 16);
   put_pte(f, 0, entry(RAM_BASE, 1));
   pergola_mmio_write(f->dev, REG_VCS_IMR, 4, ~(1u << 19));
   pergola_mmio_write(f->dev, REG_GTIMR, 4, 0);
   assert_int_equal(mem_read32(s, 0), 0);
   assert_int_equal(pergola_mmio_read(f->dev, REG_MEDIA_ENG_FR, 4), 0x5); /* type 2, valid */
   assert_int_equal(pergola_mmio_read(f->dev, REG_GAC_ERROR, 4), 0x100);
   assert_string_equal(f->rule, "VCS-013");
   device_take_faults(f->dev);
   assert_int_equal(pergola_mmio_read(f->dev, REG_GTIIR, 4), 1u << 19);
   assert_int_equal(f->dev->fault_fatal, 1u << VCS);
   assert_int_equal(pergola_mmio_read(f->dev, REG_VCS_EIR, 4), 0);
   assert_int_equal(pergola_mmio_read(f->dev, REG_GTISR, 4), 1u << 19);
   pergola_mmio_write(f->dev, REG_MEDIA_ENG_FR, 4, 0);
   assert_int_equal(pergola_mmio_read(f->dev, REG_GTISR, 4), 0);
   /* The other groups are loaded: entry 16 is the first of group 1. */
   pergola_mmio_write(f->dev, 0x200000 + 0x400 * 64 + 64, 4, entry(RAM_BASE + 16 * 4096, 1));
   assert_non_null(mem_translate(s, 16u << 22, MEM_READ));
   mem_read32(s, 0);
   pergola_mmio_write(f->dev, REG_GDRST, 4, 4);
   assert_int_equal(f->dev->fault_fatal, 0);
   assert_int_equal(pergola_mmio_read(f->dev, REG_MEDIA_ENG_FR, 4), 0);
   /* Conforming: with the bit set the same access is fine. */
   unsigned before = f->seen;
   pergola_mmio_write(f->dev, 0x12220, 4, 1);
   pergola_mmio_write(f->dev, 0x12228, 4, 0x400 << 16);
   assert_non_null(mem_translate(s, 0, MEM_READ));
   assert_int_equal(f->seen, before);
}

/* VCS-305: the first fault of an engine is recorded, later ones only once software has cleared it.
 */
static void
each_engine_records_its_own_first_fault(void **state)
{
   proves("VCS-305");
   struct fixture *f = *state;
   build_ppgtt(f, VCS, 1);
   build_ppgtt(f, BCS, 1);
   mem_read32(&f->dev->ppgtt[VCS], 0x1000);
   mem_read32(&f->dev->ppgtt[VCS], 0x2000);
   mem_read32(&f->dev->ppgtt[BCS], 0x3000);
   assert_int_equal(pergola_mmio_read(f->dev, 0x4194, 4), 0x1001);
   assert_int_equal(pergola_mmio_read(f->dev, 0x4294, 4), 0x3001);
   assert_int_equal(pergola_mmio_read(f->dev, 0x4094, 4), 0);
   pergola_mmio_write(f->dev, 0x4194, 4, 0);
   mem_read32(&f->dev->ppgtt[VCS], 0x2000);
   assert_int_equal(pergola_mmio_read(f->dev, 0x4194, 4), 0x2001);
}

/* Without a directory at all; and one that points past the end of the GSM or at nothing. */
static void
hostile_page_tables_fault(void **state)
{
   struct fixture *f = *state;
   struct mem_space *s = &f->dev->ppgtt[BCS];
   assert_int_equal(mem_read32(s, 0x1000), 0);
   assert_int_equal(pergola_mmio_read(f->dev, REG_BLT_ENG_FR, 4), 0x1005);
   pergola_mmio_write(f->dev, 0x22220, 4, 0xffffffff);
   pergola_mmio_write(f->dev, 0x22228, 4, 0x7fff0000);
   assert_int_equal(mem_read32(s, 0x7fc00000), 0); /* entry past the GSM */
   pergola_mmio_write(f->dev, 0x22228, 4, 0x04000000);
   pergola_mmio_write(f->dev, 0x200000 + 0x400 * 64, 4, entry(UINT64_C(0xff00000000), 1));
   assert_int_equal(mem_read32(s, 0), 0); /* the table lies nowhere */
   pergola_mmio_write(f->dev, 0x200000 + 0x400 * 64, 4, entry(RAM_BASE + 16 * 4096, 1));
   put_pte(f, 0, entry(RAM_BASE + 16 * 4096, 1)); /* the table maps itself */
   mem_invalidate(s);
   assert_int_equal(mem_read32(s, 0), entry(RAM_BASE + 16 * 4096, 1));
   put_pte(f, 1, entry(UINT64_C(0x4000), 1)); /* the page lies nowhere */
   assert_int_equal(mem_read32(s, 0x1000), 0);
   assert_true(f->seen >= 4);
}

static void
accesses_cross_pages_at_any_alignment(void **state)
{
   proves("MEM-040");
   struct fixture *f = *state;
   map(f, 1, RAM_BASE + 0x8000, 1); /* neighbours in graphics space, strangers in memory */
   map(f, 2, RAM_BASE + 0x2000, 1);
   map(f, 4, RAM_BASE + 0x4000, 1);
   uint8_t data[9000], back[9000];
   for (unsigned i = 0; i < sizeof(data); i++)
      data[i] = (uint8_t)(i * 7 + 1);
   for (unsigned at = 0x1ff0; at <= 0x2000; at++) {
      assert_true(mem_write(&f->dev->ggtt, at, data, 40));
      assert_true(mem_read(&f->dev->ggtt, at, back, 40));
      assert_memory_equal(data, back, 40);
   }
   mem_write64(&f->dev->ggtt, 0x1ffd, UINT64_C(0x1122334455667788));
   assert_int_equal(mem_read64(&f->dev->ggtt, 0x1ffd), UINT64_C(0x1122334455667788));
   assert_int_equal(f->ram[0x8ffd], 0x88);
   assert_int_equal(f->ram[0x2000], 0x55);
   /* Page 3 is missing: its part is skipped, the rest arrives. */
   assert_false(mem_write(&f->dev->ggtt, 0x2f00, data, 0x1200));
   assert_int_equal(f->ram[0x2f00], data[0]);
   assert_int_equal(f->ram[0x4000], data[0x1100]);
   memset(back, 0xff, sizeof(back));
   assert_false(mem_read(&f->dev->ggtt, 0x2f00, back, 0x1200));
   assert_memory_equal(back, data, 0x100);
   for (unsigned i = 0x100; i < 0x1100; i++)
      assert_int_equal(back[i], 0);
   assert_memory_equal(back + 0x1100, data + 0x1100, 0x100);
}

static void
probe_raises_nothing(void **state)
{
   struct fixture *f = *state;
   map(f, 1, RAM_BASE, 1);
   map(f, 2, RAM_BASE, 1);
   assert_true(mem_probe(&f->dev->ggtt, 0x1ffc, 8, MEM_WRITE));
   assert_false(mem_probe(&f->dev->ggtt, 0x2ffc, 8, MEM_READ));
   assert_false(mem_probe(&f->dev->ggtt, 0x7ffffffc, 8, MEM_READ));
   assert_false(mem_probe(&f->dev->ggtt, 0xfffffffc, 8, MEM_READ));
   assert_int_equal(f->seen, 0);
}

static void
looking_up_raises_nothing(void **state)
{
   struct fixture *f = *state;
   map(f, 1, RAM_BASE, 1);
   assert_null(mem_known(&f->dev->ggtt, 0x1234, MEM_READ));
   assert_ptr_equal(mem_look_up(&f->dev->ggtt, 0x1234, MEM_READ), f->ram + 0x234);
   assert_ptr_equal(mem_known(&f->dev->ggtt, 0x1234, MEM_READ), f->ram + 0x234);
   assert_null(mem_look_up(&f->dev->ggtt, 0x2000, MEM_READ));
   assert_null(mem_look_up(&f->dev->ggtt, 0x80000000u, MEM_READ));
   assert_null(mem_look_up(&f->dev->ggtt, 0xfffff000u, MEM_READ));
   assert_int_equal(f->seen, 0);
}

static void *
translate_all(void *data)
{
   struct fixture *f = data;
   uintptr_t bad = 0;
   for (unsigned round = 0; round < 200; round++)
      for (uint32_t page = 0; page < 256; page++) {
         char *p = mem_translate(&f->dev->ppgtt[RCS], page << 12, MEM_READ);
         bad += p != (char *)f->ram + (page << 12);
      }
   return (void *)bad;
}

static void
many_threads_translate_at_once(void **state)
{
   struct fixture *f = *state;
   build_ppgtt(f, RCS, 1);
   for (unsigned i = 0; i < 256; i++)
      put_pte(f, i, entry(RAM_BASE + i * 4096, 1));
   pthread_t t[4];
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(pthread_create(&t[i], NULL, translate_all, f), 0);
   for (unsigned i = 0; i < 4; i++) {
      void *bad;
      pthread_join(t[i], &bad);
      assert_null(bad);
   }
}

/* MEM-036, RCS-005, VCS-039, VCS-041: GFX_MODE[9] and MFX_MODE[9]. */
static void
mode_bit_nine_chooses_the_data_space(void **state)
{
   proves("MEM-036", "RCS-005", "VCS-039", "VCS-041");
   struct fixture *f = *state;
   for (enum engine_id e = RCS; e < ENGINE_COUNT; e++) {
      assert_ptr_equal(device_data_space(f->dev, e), &f->dev->ggtt);
      pergola_mmio_write(f->dev, engine_base[e] + 0x29c, 4, 0x02000200);
      assert_ptr_equal(device_data_space(f->dev, e), &f->dev->ppgtt[e]);
   }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(segments_that_make_no_sense_are_refused),
       CASE(removing_a_segment_drops_its_translations),
       CASE(ggtt_entry_holds_forty_bits),
       CASE(ggtt_covers_two_gib),
       CASE(gtt_window_write_takes_effect_at_once),
       cmocka_unit_test_setup_teardown(valleyview_page_without_the_write_bit_is_read_only,
                                       setup_vlv, teardown),
       CASE(read_only_segment_is_not_written),
       CASE(ppgtt_walks_directory_in_gsm_and_table_in_memory),
       CASE(writes_of_an_engine_are_told),
       CASE(ppgtt_change_is_seen_after_invalidation),
       CASE(pages_of_32_kib_use_the_first_of_eight_entries),
       CASE(first_fault_is_latched_and_reads_give_zero),
       CASE(unloaded_directory_group_is_fatal),
       CASE(each_engine_records_its_own_first_fault),
       CASE(hostile_page_tables_fault),
       CASE(accesses_cross_pages_at_any_alignment),
       CASE(probe_raises_nothing),
       CASE(looking_up_raises_nothing),
       CASE(many_threads_translate_at_once),
       CASE(mode_bit_nine_chooses_the_data_space),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
