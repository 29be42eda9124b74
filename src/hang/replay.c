#include "hang/replay.h"

#include "hang/replay_memory.h"
#include "hw/header.h"
#include "machine/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BUDGET 200000000u
#define SLICE 1000000u
#define LOOP                                                                                       \
   65536u /* commands or instructions of a loop in which the captured place is looked for */
#define OWN_RING 0u /* pages of our own */
#define OWN_STATUS 1u
#define OWN_PAGES 2u
#define RING_ENABLE 1u

struct replay {
   const struct capture *capture;
   struct replay_options options;
   unsigned engine;
   struct pergola_device *dev;
   struct replay_memory memory;
   enum pergola_run_result result;
   struct replay_unknown unknown[REPLAY_UNKNOWN];
   unsigned unknowns;
   bool wanted;    /* some were read */
   bool unfetched; /* commands or instructions were not there */
};

static const uint32_t status_pages[CAPTURE_ENGINES] = {REG_RCS_HWS_PGA, REG_VCS_HWS_PGA,
                                                       REG_BCS_HWS_PGA};

static const uint32_t semaphores[CAPTURE_ENGINES][2] = {
    {REG_RVSYNC, REG_RBSYNC}, {REG_VBSYNC, REG_VRSYNC}, {REG_BRSYNC, REG_BVSYNC}};

/* ---- setting up ----------------------------------------------------------------------------- */

const char *
replay_part(const struct capture *c)
{
   const struct pergola_sku *sku;
   for (size_t i = 0; (sku = pergola_sku_at(i)); i++)
      if (c->pci_id && sku->pci_device_id == c->pci_id)
         return sku->name;
   return NULL;
}

/* The captured value of a register of the engine that hung. */
static bool
captured(const struct replay *r, const char *name, uint64_t *value)
{
   return capture_register(&r->capture->engine[r->engine].registers, name, value) ||
          capture_register(&r->capture->registers, name, value);
}

static void
put(struct replay *r, uint32_t offset, uint32_t value)
{
   pergola_mmio_write(r->dev, engine_base[r->engine] + offset, 4, value);
}

static bool
uses_ppgtt(const struct replay *r)
{
   uint64_t mode;
   if (captured(r, "GFX_MODE", &mode))
      return mode & REG_RCS_GFX_MODE__PER_PROCESS_GTT_ENABLE;
   return captured(r, "PP_DIR_BASE", &mode) || r->capture->has_exec;
}

/* The kernel's command parser has batches that it has checked read through the GGTT. */
static bool
batch_was_secure(const struct replay *r)
{
   uint64_t state, address;
   return captured(r, "BB_STATE", &state) && captured(r, "BBADDR", &address) && address & 1 &&
          !(state & REG_RCS_BB_STATE__ADDRESS_SPACE_INDICATOR);
}

static struct replay_layout
layout_of(const struct replay *r)
{
   struct replay_layout l = {
       .ppgtt = uses_ppgtt(r), .secure_batch = batch_was_secure(r), .own_pages = OWN_PAGES};
   uint64_t base;
   if (l.ppgtt && captured(r, "PP_DIR_BASE", &base))
      l.directory = hw_get((uint32_t)base, REG_RCS_PP_DIR_BASE__PAGE_DIRECTORY_BASE_OFFSET) * 16;
   l.has_fault = captured(r, "FAULT_REG", &base) && base & REG_GFX_ENG_FR__VALID;
   if (l.has_fault)
      l.fault = (uint32_t)base;
   return l;
}

bool
replay_lacks(const struct replay *r, uint64_t address, bool ppgtt)
{
   for (unsigned i = 0; i < r->unknowns && i < REPLAY_UNKNOWN; i++)
      if (r->unknown[i].address / REPLAY_PAGE == address / REPLAY_PAGE &&
          r->unknown[i].ppgtt == ppgtt)
         return true;
   return false;
}

/* FAULT_REG has the first page that was not there: nothing is missing in the capture. */
static bool
was_absent(const struct replay *r, uint64_t address, bool ppgtt)
{
   uint64_t fault;
   return captured(r, "FAULT_REG", &fault) && fault & REG_GFX_ENG_FR__VALID &&
          fault / REPLAY_PAGE == address / REPLAY_PAGE &&
          !(fault & REG_GFX_ENG_FR__ADDRESS_SPACE) == ppgtt;
}

static void
heard(void *data, const struct pergola_diagnostic *d)
{
   static const char *const rules[] = {"RCS-054", "VCS-306", "RCS-194", "VCS-013"};
   struct replay *r = data;
   bool fault = false;
   r->unfetched |= !strcmp(d->rule, "EU-187") || !strcmp(d->rule, "VCS-305");
   for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
      fault |= !strcmp(d->rule, rules[i]);
   if (!fault || !d->has_address)
      return;
   struct replay_unknown u = {.address = d->address, .ppgtt = !strcmp(d->subject, "PPGTT")};
   if (was_absent(r, u.address, u.ppgtt))
      return;
   u.written = strstr(d->message, "page fault on a write") != NULL;
   r->wanted |= !u.written;
   for (unsigned i = 0; i < r->capture->objects; i++) {
      const struct capture_object *o = &r->capture->object[i];
      u.bound |= d->address >= o->address && d->address - o->address < o->size;
   }
   if (r->unknowns < REPLAY_UNKNOWN)
      r->unknown[r->unknowns] = u;
   r->unknowns++;
}

static void
restore_fences_and_semaphores(struct replay *r)
{
   for (unsigned i = 0; i < r->capture->fences; i++)
      pergola_mmio_write(r->dev, REG_FENCE_0 + 8 * i, 8, r->capture->fence[i]);
   for (unsigned e = 0; e < CAPTURE_ENGINES; e++) {
      static const char *const names[2] = {"SYNC_0", "SYNC_1"};
      uint64_t v;
      for (unsigned i = 0; i < 2; i++)
         if (capture_register(&r->capture->engine[e].registers, names[i], &v))
            pergola_mmio_write(r->dev, semaphores[e][i], 4, (uint32_t)v);
   }
}

/* Kernels do not keep EXCC; but who waited for a condition code met it set. */
static void
restore_condition(struct replay *r)
{
   uint64_t ipehr;
   if (!captured(r, "IPEHR", &ipehr) ||
       ((uint32_t)ipehr & HW_MI_HEADER) != GEN7_MI_WAIT_FOR_EVENT_HEADER)
      return;
   unsigned code = hw_get((uint32_t)ipehr, GEN7_MI_WAIT_FOR_EVENT__CONDITION_CODE_WAIT_SELECT);
   if (code && code <= 5)
      put(r, ENGINE_EXCC, 0x10001u << (code - 1));
}

static void
start_engine(struct replay *r, uint32_t ring, uint32_t size, uint32_t head)
{
   put(r, ENGINE_RING_BUFFER_CTL, 0);
   put(r, ENGINE_RING_BUFFER_TAIL, head);
   put(r, ENGINE_RING_BUFFER_START, ring);
   put(r, ENGINE_RING_BUFFER_HEAD, head);
   put(r, ENGINE_RING_BUFFER_CTL, (size - REPLAY_PAGE) | RING_ENABLE);
}

static void
enable_ppgtt(struct replay *r)
{
   const uint32_t bit = REG_RCS_GFX_MODE__PER_PROCESS_GTT_ENABLE;
   if (!r->memory.ppgtt)
      return;
   put(r, ENGINE_PP_DCLV, ~0u);
   put(r, ENGINE_PP_DCLV + 4, ~0u);
   put(r, ENGINE_PP_DIR_BASE,
       hw_put(r->memory.directory / 16, REG_RCS_PP_DIR_BASE__PAGE_DIRECTORY_BASE_OFFSET));
   put(r, ENGINE_GFX_MODE, bit << 16 | bit);
}

/* Commands of our own, in a ring of our own, run to their end. */
static void
run_own(struct replay *r, const uint32_t *dw, unsigned count)
{
   memcpy(replay_memory_own(&r->memory, OWN_RING), dw, 4 * count);
   start_engine(r, r->memory.own, REPLAY_PAGE, 0);
   put(r, ENGINE_RING_BUFFER_TAIL, 4 * count);
}

/* The state that the batch was begun with: the context's image, where it was captured. */
static void
load_context(struct replay *r)
{
   const struct capture_block *b = capture_find(r->capture, CAPTURE_CONTEXT, (int)r->engine);
   if (r->engine != 0 || !b || b->cut)
      return;
   uint32_t dw[4] = {[2] = GEN7_MI_NOOP_HEADER, GEN7_MI_NOOP_HEADER};
   gen7_mi_set_context_pack(
       dw, &(struct hw_mi_set_context){.logical_context_address = (uint32_t)b->address,
                                       .extended_state_restore_enable = true,
                                       .force_restore = true});
   run_own(r, dw, 4);
   pergola_run(r->dev, SLICE);
}

/* Kernels before 4.10 do not say where the request begins, and the head stands behind the command
 * that called the batch: that command is looked for. */
static uint32_t
find_call(const struct capture_block *ring, const struct capture_block *batch, uint32_t head)
{
   uint32_t count = (uint32_t)ring->size / 4;
   for (uint32_t back = 2; batch && back <= count; back++) {
      uint32_t at = (head / 4 + count - back) % count, dw[2];
      memcpy(&dw[0], ring->bytes + 4 * at, 4);
      memcpy(&dw[1], ring->bytes + 4 * ((at + 1) % count), 4);
      if ((dw[0] & HW_MI_HEADER) == GEN7_MI_BATCH_BUFFER_START_HEADER &&
          (dw[1] & ~3u) == batch->address)
         return 4 * at;
   }
   return head;
}

/* A kernel that gives up on a request takes the call of its batch off the ring, maybe before it
 * keeps the state. The engine was in the batch: the call stood right before the head. */
static void
restore_call(struct replay *r, const struct capture_block *ring, const struct capture_block *batch)
{
   uint64_t bbaddr, head;
   uint32_t was[2];
   if (!batch || !captured(r, "BBADDR", &bbaddr) || !(bbaddr & 1) || !captured(r, "HEAD", &head))
      return;
   head &= ring->size - 4;
   if (head < 8)
      return;
   memcpy(was, ring->bytes + head - 8, 8);
   if (was[0] != GEN7_MI_NOOP_HEADER || was[1] != GEN7_MI_NOOP_HEADER)
      return;
   uint32_t space = batch_was_secure(r) ? 0 : GEN7_MI_BATCH_BUFFER_START__ADDRESS_SPACE_INDICATOR;
   uint32_t dw[2] = {GEN7_MI_BATCH_BUFFER_START_HEADER | space, (uint32_t)batch->address};
   replay_memory_write(&r->memory, &(struct capture_block){.kind = CAPTURE_RING,
                                                           .address = ring->address + head - 8,
                                                           .bytes = (uint8_t *)dw,
                                                           .size = sizeof(dw)});
}

/* From the request's start in the captured ring; without a ring, the batch alone. */
static bool
start(struct replay *r, char error[160])
{
   const struct capture_block *ring = capture_find(r->capture, CAPTURE_RING, (int)r->engine);
   const struct capture_block *batch = capture_find(r->capture, CAPTURE_BATCH, (int)r->engine);
   uint64_t head = 0, tail = 0, begin;
   bool whole = ring && ring->size && !(ring->size % REPLAY_PAGE) && !(ring->address % REPLAY_PAGE);
   batch = batch ? batch : capture_find(r->capture, CAPTURE_BATCH, -1);
   if (whole && captured(r, "TAIL", &tail) && captured(r, "HEAD", &head)) {
      uint32_t mask = (uint32_t)ring->size - 1;
      if (ring->size & mask)
         return snprintf(error, 160, "the ring's size is no power of two"), false;
      restore_call(r, ring, batch);
      head &= mask & ~3u;
      if (captured(r, "HEAD request", &begin) && begin < ring->size)
         head = begin & ~UINT64_C(3);
      else
         head = find_call(ring, batch, (uint32_t)head);
      start_engine(r, (uint32_t)ring->address, (uint32_t)ring->size, (uint32_t)head);
      put(r, ENGINE_RING_BUFFER_TAIL, (uint32_t)tail & mask & ~7u);
      return true;
   }
   if (ring && ring->size) { /* an AUB file's: nothing but what it executes */
      uint32_t dw[REPLAY_PAGE / 8] = {0};
      unsigned count = ring->size / 4 < REPLAY_PAGE / 8 ? (unsigned)ring->size / 4 : 0;
      memcpy(dw, ring->bytes, 4 * count);
      count += count & 1;
      if (count)
         run_own(r, dw, count);
      return count || (snprintf(error, 160, "the ring's commands are too long"), false);
   }
   if (!batch && !r->capture->has_exec)
      return snprintf(error, 160, "neither a ring nor a batch was captured"), false;
   uint32_t dw[] = {GEN7_MI_BATCH_BUFFER_START_HEADER |
                        (r->memory.ppgtt ? GEN7_MI_BATCH_BUFFER_START__ADDRESS_SPACE_INDICATOR : 0),
                    (uint32_t)(batch ? batch->address : r->capture->exec)};
   run_own(r, dw, 2);
   return true;
}

struct replay *
replay_create(const struct capture *c, const struct replay_options *o, char error[160])
{
   struct replay *r = calloc(1, sizeof(*r));
   const char *why = NULL;
   struct pergola_config config = {.sku = o->part ? o->part : replay_part(c),
                                   .check = PERGOLA_CHECK_REPORT,
                                   .deterministic = o->deterministic,
                                   .deadlocks_hang = true};
   snprintf(error, 160, "out of memory");
   if (!r)
      return NULL;
   r->capture = c;
   r->options = *o;
   r->engine = capture_hung_engine(c);
   r->dev = pergola_device_create(&config, &why);
   if (!r->dev)
      snprintf(error, 160, "%s", why);
   struct replay_layout layout = layout_of(r);
   bool ok = r->dev && replay_memory_create(&r->memory, c, &layout) &&
             replay_memory_bind(&r->memory, r->dev, o);
   if (ok) {
      pergola_add_diagnostic_sink(r->dev, heard, r);
      uint64_t page;
      bool has_page = captured(r, "HWS", &page) && page;
      pergola_mmio_write(r->dev, status_pages[r->engine], 4,
                         has_page ? (uint32_t)page : r->memory.own + OWN_STATUS * REPLAY_PAGE);
      restore_fences_and_semaphores(r);
      restore_condition(r);
      enable_ppgtt(r);
      load_context(r);
      ok = start(r, error);
   }
   if (ok)
      return r;
   replay_destroy(r);
   return NULL;
}

void
replay_destroy(struct replay *r)
{
   if (r->dev)
      pergola_device_destroy(r->dev);
   replay_memory_destroy(&r->memory);
   free(r);
}

struct pergola_device *
replay_device(struct replay *r)
{
   return r->dev;
}

unsigned
replay_engine(const struct replay *r)
{
   return r->engine;
}

enum pergola_run_result
replay_result(const struct replay *r)
{
   return r->result;
}

/* ---- running and judging -------------------------------------------------------------------- */

static uint32_t
model(struct replay *r, uint32_t offset)
{
   return (uint32_t)pergola_mmio_read(r->dev, engine_base[r->engine] + offset, 4);
}

/* A ring that is done reads one. */
static bool
is_idle(struct replay *r)
{
   return model(r, ENGINE_INSTDONE) & 1;
}

/* ACTHD runs ahead of the command in hand by what has been prefetched: so the same command counts,
 * told by its header, within a few cache lines of it. */
static bool
same_place(struct replay *r)
{
   uint64_t acthd, ipehr;
   bool has_place = captured(r, "ACTHD", &acthd), has_header = captured(r, "IPEHR", &ipehr);
   uint32_t here = model(r, ENGINE_ACTHD);
   if (has_header && model(r, ENGINE_IPEHR) != (uint32_t)ipehr)
      return false;
   return !has_place || (here <= acthd + 4 && acthd - here <= 256) || here == acthd;
}

/* An endless loop was stopped somewhere, and so is the model's. */
static bool
comes_by(struct replay *r)
{
   for (unsigned i = 0; r->result == PERGOLA_RUN_BUDGET && i < LOOP; i++) {
      r->result = pergola_run(r->dev, 1);
      if (same_place(r))
         return true;
   }
   return false;
}

enum replay_verdict
replay_run(struct replay *r)
{
   uint64_t budget = r->options.budget ? r->options.budget : DEFAULT_BUDGET;
   do {
      uint64_t slice = budget < SLICE ? budget : SLICE;
      r->result = pergola_run(r->dev, slice);
      budget -= slice;
   } while (r->result == PERGOLA_RUN_BUDGET && budget);
   /* What hangs for want of commands that were not captured proves nothing. */
   if (r->wanted && r->unfetched)
      return REPLAY_UNDECIDABLE;
   if (!is_idle(r) && (same_place(r) || comes_by(r)))
      return REPLAY_REPRODUCED;
   return r->wanted ? REPLAY_UNDECIDABLE : REPLAY_NOT_REPRODUCED;
}

unsigned
replay_unknown(const struct replay *r, struct replay_unknown list[REPLAY_UNKNOWN])
{
   memcpy(list, r->unknown, sizeof(r->unknown));
   return r->unknowns;
}

/* Names as new kernels have them. SC_ to ROW_INSTDONE are the render engine's alone. */
static const struct {
   const char *name;
   uint32_t offset; /* in the engine's block, or … */
   uint32_t at;     /* … of the device */
} shown[] = {
    {"HEAD", ENGINE_RING_BUFFER_HEAD, 0},
    {"TAIL", ENGINE_RING_BUFFER_TAIL, 0},
    {"ACTHD", ENGINE_ACTHD, 0},
    {"IPEIR", ENGINE_IPEIR, 0},
    {"IPEHR", ENGINE_IPEHR, 0},
    {"INSTDONE", ENGINE_INSTDONE, 0},
    {"SC_INSTDONE", 0, REG_SC_INSTDONE},
    {"SAMPLER_INSTDONE[0][0]", 0, REG_SAMPLER_INSTDONE},
    {"ROW_INSTDONE[0][0]", 0, REG_ROW_INSTDONE},
    {"INSTPM", ENGINE_INSTPM, 0},
    {"FAULT_REG", 0, REG_GFX_ENG_FR},
    {"EIR", ENGINE_EIR, 0},
    {"BBADDR", ENGINE_BB_ADDR, 0},
    {"BB_STATE", ENGINE_BB_STATE, 0},
    {"FADDR", ENGINE_DMA_FADD, 0},
};

static uint32_t
shown_register(struct replay *r, unsigned i)
{
   if (!shown[i].at)
      return model(r, shown[i].offset);
   uint32_t at = shown[i].at == REG_GFX_ENG_FR ? engine_fault[r->engine] : shown[i].at;
   return (uint32_t)pergola_mmio_read(r->dev, at, 4);
}

/* Where a kernel keeps the number of the last request that has ended: releases differ. */
static bool
seqno_row(struct replay *r, struct replay_register *row)
{
   static const unsigned places[] = {0x100, 0xc0, 0x80};
   const struct capture_block *b = capture_find(r->capture, CAPTURE_STATUS_PAGE, (int)r->engine);
   uint64_t told, page = b ? b->address / REPLAY_PAGE : REPLAY_PAGES;
   bool is_told = captured(r, "seqno", &told);
   unsigned at = 0;
   uint32_t there = 0, place = replay_memory_find(&r->memory.ggtt, page);
   if (!place || b->address % REPLAY_PAGE || b->size < REPLAY_PAGE || b->cut)
      return false;
   for (unsigned i = 0; i < 3; i++) {
      at = places[i];
      memcpy(&there, b->bytes + at, 4);
      if (!is_told || there == told)
         break;
   }
   *row =
       (struct replay_register){.name = "seqno", .known = true, .captured = is_told ? told : there};
   memcpy(&row->model, replay_memory_bytes(&r->memory, place) + at, 4);
   return true;
}

unsigned
replay_registers(struct replay *r, struct replay_register list[REPLAY_REGISTERS])
{
   static const char *const sync[2] = {"SYNC_0", "SYNC_1"};
   unsigned n = 0;
   for (unsigned i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
      if (r->engine && strstr(shown[i].name, "_INSTDONE"))
         continue;
      struct replay_register *row = &list[n++];
      *row = (struct replay_register){.name = shown[i].name, .model = shown_register(r, i)};
      row->known = captured(r, row->name, &row->captured);
      row->unknown =
          !strcmp(row->name, "FAULT_REG") && row->model & REG_GFX_ENG_FR__VALID &&
          replay_lacks(r, row->model & -REPLAY_PAGE, !(row->model & REG_GFX_ENG_FR__ADDRESS_SPACE));
   }
   for (unsigned i = 0; i < 2; i++) {
      struct replay_register *row = &list[n++];
      *row = (struct replay_register){
          .name = sync[i],
          .model = (uint32_t)pergola_mmio_read(r->dev, semaphores[r->engine][i], 4)};
      row->known = captured(r, row->name, &row->captured);
   }
   return n + seqno_row(r, &list[n]);
}
