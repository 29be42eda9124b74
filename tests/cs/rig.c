#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
sink(void *data, const struct pergola_diagnostic *d)
{
   struct rig *r = data;
   struct rig_diagnostic *n = calloc(1, sizeof(*n));
   snprintf(n->rule, sizeof(n->rule), "%s", d->rule);
   snprintf(n->field, sizeof(n->field), "%s", d->field);
   snprintf(n->subject, sizeof(n->subject), "%s", d->subject);
   snprintf(n->message, sizeof(n->message), "%s", d->message);
   n->severity = d->severity;
   n->address = d->has_address ? d->address : UINT64_MAX;
   n->next = r->diagnostics;
   r->diagnostics = n;
}

static void
interrupt(void *data, bool asserted)
{
   struct rig *r = data;
   r->line = asserted;
   r->interrupts += asserted;
}

uint32_t *
rig_ggtt(struct rig *r, uint32_t address)
{
   return (uint32_t *)(r->ram + address);
}

uint32_t *
rig_pp(struct rig *r, uint32_t address)
{
   return (uint32_t *)(r->ram + RIG_PPGTT_RAM + address);
}

uint32_t
rig_reg(struct rig *r, uint32_t offset)
{
   return (uint32_t)pergola_mmio_read(r->dev, offset, 4);
}

void
rig_set(struct rig *r, uint32_t offset, uint32_t value)
{
   pergola_mmio_write(r->dev, offset, 4, value);
}

void
rig_start(struct rig *r, enum engine_id e, uint32_t pages, uint32_t ctl_flags)
{
   uint32_t base = engine_base[e];
   rig_set(r, base + R_CTL, 0);
   rig_set(r, base + R_HEAD, 0);
   rig_set(r, base + R_TAIL, 0);
   rig_set(r, base + R_START, RIG_RING(e));
   rig_set(r, base + R_CTL, (pages - 1) << 12 | ctl_flags | 1);
   r->tail[e] = 0;
   r->ring_size[e] = pages * 4096;
   memset(rig_ggtt(r, RIG_RING(e)), 0, pages * 4096);
}

static void
prepare_engine(struct rig *r, enum engine_id e)
{
   rig_set(r, 0x4080 + 0x100 * e, RIG_STATUS(e));
   rig_set(r, engine_base[e] + 0xa8, 0); /* IMR: nothing masked */
   rig_start(r, e, 4, 0);
}

struct rig *
rig_create(const char *sku, enum pergola_check check)
{
   struct rig *r = calloc(1, sizeof(*r));
   struct pergola_config config = {.sku = sku, .check = check, .host_threads = 1};
   const char *error = NULL;
   struct pergola_machine_memory memory = {
       .physical = RIG_PHYS, .size = RIG_RAM, .mapped = RIG_GGTT_SIZE};
   assert_int_equal(pergola_machine_create(&r->machine, &config, &memory, &error), 0);
   r->dev = r->machine.dev;
   r->ram = r->machine.memory;
   pergola_add_diagnostic_sink(r->dev, sink, r);
   pergola_set_interrupt_handler(r->dev, interrupt, r);
   rig_set(r, 0x44014, 0);          /* GTIMR */
   rig_set(r, 0x4401c, 0xffffffff); /* GTIER */
   rig_set(r, 0x4400c, 1u << 31);   /* master */
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      prepare_engine(r, e);
   rig_forget(r);
   return r;
}

void
rig_destroy(struct rig *r)
{
   rig_forget(r);
   pergola_machine_destroy(&r->machine);
   free(r);
}

int
rig_setup(void **state)
{
   *state = rig_create("ivb-gt2", PERGOLA_CHECK_REPORT);
   return 0;
}

int
rig_teardown(void **state)
{
   rig_destroy(*state);
   return 0;
}

/* One directory for all engines: GTT slots from 1 GiB up, the page table at RAM + 8 MiB. */
void
rig_ppgtt(struct rig *r)
{
   uint32_t directory = 0x40000, table = 0x800000;
   for (uint32_t i = 0; i < 1024; i++)
      *(uint32_t *)(r->ram + table + 4 * i) = (RIG_PHYS + RIG_PPGTT_RAM + i * 4096) | 7;
   for (uint32_t i = 0; i < 512; i++)
      rig_set(r, 0x200000 + 4 * (directory + i), i ? 0 : (RIG_PHYS + table) | 1);
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      rig_set(r, engine_base[e] + 0x220, 0xffffffff);
      rig_set(r, engine_base[e] + 0x228, (directory * 4 / 64) << 16);
      rig_set(r, engine_base[e] + 0x29c, 1u << 25 | 1u << 9);
   }
}

void
rig_ring(struct rig *r, enum engine_id e, const uint32_t *dw, unsigned count)
{
   while (!r->allow_wrap && r->tail[e] && r->tail[e] + (count + 1) * 4 > r->ring_size[e]) {
      *rig_ggtt(r, RIG_RING(e) + r->tail[e]) = 0;
      r->tail[e] = (r->tail[e] + 4) % r->ring_size[e];
   }
   for (unsigned i = 0; i < count + (count & 1); i++) {
      *rig_ggtt(r, RIG_RING(e) + r->tail[e]) = i < count ? dw[i] : 0;
      r->tail[e] = (r->tail[e] + 4) % r->ring_size[e];
   }
   rig_set(r, engine_base[e] + R_TAIL, r->tail[e]);
}

/* The device goes on from a snapshot of itself; one of what was restored is the same. */
void
rig_pass_on(struct rig *r)
{
   bool line = r->line;
   unsigned interrupts = r->interrupts;
   int64_t size = pergola_device_save(r->dev, NULL, 0);
   assert_true(size > 0);
   uint8_t *saved = malloc((size_t)size), *again = malloc((size_t)size);
   assert_int_equal(pergola_device_save(r->dev, saved, (size_t)size), size);
   pergola_function_reset(r->dev);
   const char *error = NULL;
   if (pergola_device_restore(r->dev, saved, (size_t)size, &error))
      fail_msg("the snapshot is refused: %s", error);
   assert_int_equal(pergola_device_save(r->dev, again, (size_t)size), size);
   assert_memory_equal(again + 64, saved + 64, size - 64);
   r->line = line;
   r->interrupts = interrupts;
   free(saved);
   free(again);
}

void
rig_looks_at_caches(struct rig *r)
{
   r->caches_stay = true;
}

/* PERGOLA_TEST_TURN=N: in turns of N, from snapshot to snapshot; else at once. */
enum pergola_run_result
rig_run(struct rig *r)
{
   const char *text = getenv("PERGOLA_TEST_TURN");
   uint64_t turn = text ? strtoull(text, NULL, 0) : 0, left = 1000000;
   if (!turn || r->caches_stay)
      return pergola_run(r->dev, left);
   for (;;) {
      enum pergola_run_result result = pergola_run(r->dev, turn < left ? turn : left);
      left -= turn < left ? turn : left;
      rig_pass_on(r);
      if (result != PERGOLA_RUN_BUDGET || !left)
         return result;
   }
}

enum pergola_run_result
rig_submit(struct rig *r, enum engine_id e, const uint32_t *dw, unsigned count)
{
   rig_ring(r, e, dw, count);
   return rig_run(r);
}

enum pergola_run_result
rig_batch(struct rig *r, enum engine_id e, bool nonsecure, const uint32_t *dw, unsigned count)
{
   uint32_t *to = nonsecure ? rig_pp(r, RIG_BATCH) : rig_ggtt(r, RIG_BATCH);
   memcpy(to, dw, count * 4);
   to[count] = BBE;
   to[count + 1] = 0;
   return SUBMIT(r, e, BBS | (nonsecure ? 1u << 8 : 0), RIG_BATCH);
}

void
rig_reset(struct rig *r, enum engine_id e)
{
   rig_set(r, 0x941c, 2u << e);
   prepare_engine(r, e);
}

unsigned
rig_count(struct rig *r, const char *rule)
{
   unsigned n = 0;
   for (struct rig_diagnostic *d = r->diagnostics; d; d = d->next)
      n += !strcmp(d->rule, rule);
   return n;
}

const struct rig_diagnostic *
rig_find(struct rig *r, const char *rule)
{
   for (struct rig_diagnostic *d = r->diagnostics; d; d = d->next)
      if (!strcmp(d->rule, rule))
         return d;
   return NULL;
}

void
rig_forget(struct rig *r)
{
   while (r->diagnostics) {
      struct rig_diagnostic *d = r->diagnostics;
      r->diagnostics = d->next;
      free(d);
   }
}

void
rig_expect_at(struct rig *r, const char *rule, const char *file, int line)
{
   if (!rig_count(r, rule)) {
      for (struct rig_diagnostic *d = r->diagnostics; d; d = d->next)
         print_error("   reported: %s %s %s: %s\n", d->rule, d->subject, d->field, d->message);
      print_error("expected %s\n", rule);
      _fail(file, line);
   }
   rig_forget(r);
}

void
rig_clean_at(struct rig *r, const char *file, int line)
{
   bool dirty = false;
   for (struct rig_diagnostic *d = r->diagnostics; d; d = d->next) {
      if (d->severity < PERGOLA_WARNING)
         continue;
      print_error("   reported: %s %s %s: %s\n", d->rule, d->subject, d->field, d->message);
      dirty = true;
   }
   if (dirty)
      _fail(file, line);
   rig_forget(r);
}
