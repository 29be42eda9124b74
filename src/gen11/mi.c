/* Commands: MI, PIPE_CONTROL, MI_FLUSH_DW. */
#include "gen11/gen11_internal.h"
#include "gen11/mi.h"

#include <stdio.h>
#include <string.h>

#define COMMAND_MOST 64u /* dwords that are looked at; longer ones are skipped by their length */

/* Where the next dwords lie, and how many bytes of the ring are left before it wraps. */
static uint64_t
here(const struct engine *e)
{
   if (e->level)
      return e->batch[e->level];
   return (uint64_t)(engine_get(e, ENGINE_RING_START) & 0xfffff000) +
          (engine_get(e, ENGINE_RING_HEAD) & REG_RCS0_RING_HEAD__HEAD_OFFSET);
}

static uint32_t
ring_size(const struct engine *e)
{
   return ((engine_get(e, ENGINE_RING_CTL) >> 12 & 0x1ff) + 1) * 4096;
}

static void
advance(struct engine *e, uint32_t dwords)
{
   if (e->level) {
      e->batch[e->level] = (e->batch[e->level] + 4ull * dwords) & 0xfffffffffffcull;
      return;
   }
   uint32_t head = engine_get(e, ENGINE_RING_HEAD), wraps = head & ~0x1fffffu;
   uint32_t at = head & REG_RCS0_RING_HEAD__HEAD_OFFSET, size = ring_size(e);
   at += 4 * dwords;
   if (at >= size) {
      at %= size;
      wraps += 0x200000;
   }
   engine_set(e, ENGINE_RING_HEAD, wraps | at);
}

/* Up to `count` dwords from here on; the ring's go on at its start. */
static void
fetch(struct engine *e, uint32_t *dw, uint32_t count)
{
   if (e->level) {
      gen11_mem_read(e, e->batch_ppgtt[e->level], here(e), dw, 4ull * count);
      return;
   }
   uint32_t at = engine_get(e, ENGINE_RING_HEAD) & REG_RCS0_RING_HEAD__HEAD_OFFSET;
   uint64_t start = engine_get(e, ENGINE_RING_START) & 0xfffff000;
   for (uint32_t i = 0, size = ring_size(e); i < count; i++)
      gen11_mem_read(e, false, start + (at + 4 * i) % size, &dw[i], 4);
}

/* A batch of the process's own space may not do what the kernel may. */
static bool
privileged(const struct engine *e)
{
   return !e->level || !e->batch_ppgtt[1];
}

uint64_t
mi_address(const uint32_t *dw)
{
   return (dw[0] | (uint64_t)(dw[1] & 0xffff) << 32) & ~3ull;
}

/* The space that a command asks for; the global one is not a user batch's to ask for. */
bool
mi_space(struct engine *e, const struct mi_command *c, bool global, bool *ppgtt)
{
   if (global && !privileged(e)) {
      gen11_report(e, "GEN11-21", c->name, here(e),
                   "a batch of a process asks for the global GTT; the command is skipped");
      return false;
   }
   *ppgtt = !global;
   return true;
}

/* ---- registers --------------------------------------------------------------------------------
 */

/* A user batch may write general and predicate registers of its engine and what the kernel allows.
 */
static bool
may_write(const struct engine *e, uint32_t offset)
{
   uint32_t own = offset - e->info->base;
   if (privileged(e) || (own >= ENGINE_CS_GPR_0 && own < ENGINE_CS_GPR_0 + 0x80) ||
       (own >= ENGINE_PREDICATE_SRC0 && own <= ENGINE_PREDICATE_RESULT_1))
      return true;
   for (unsigned i = 0; i < 12; i++) {
      uint32_t slot = engine_get(e, ENGINE_FORCE_TO_NONPRIV_0 + 4 * i);
      uint32_t span = 4u << 2 * (slot & 3), at = slot & 0x03fffffc & ~(span - 1);
      if (at && !(slot >> 30 & 1) && (slot >> 28 & 3) != 1 && offset >= at && offset < at + span)
         return true;
   }
   return false;
}

void
mi_write_register(struct engine *e, const struct mi_command *c, uint32_t offset, uint32_t value)
{
   offset &= 0x7ffffc;
   if (!may_write(e, offset)) {
      gen11_report(e, "GEN11-22", c->name, offset,
                   "a batch of a process writes a register that it may not; skipped");
      return;
   }
   gen11_write(e->g, offset, value, 0xffffffff, e->info->name);
}

static uint32_t
place(const struct engine *e, uint32_t offset, bool relative)
{
   return (offset & 0x7ffffc) + (relative ? e->info->base : 0);
}

static void
load_register_imm(struct engine *e, const struct mi_command *c)
{
   for (uint32_t i = 1; i + 1 < c->length; i += 2)
      mi_write_register(e, c, place(e, c->dw[i], c->dw[0] & 0x80000), c->dw[i + 1]);
}

static void
load_register_reg(struct engine *e, const struct mi_command *c)
{
   uint32_t from = place(e, c->dw[1], c->dw[0] & 0x40000),
            to = place(e, c->dw[2], c->dw[0] & 0x80000);
   mi_write_register(e, c, to, gen11_read(e->g, from, e->info->name));
}

static void
load_register_mem(struct engine *e, const struct mi_command *c)
{
   bool ppgtt;
   uint32_t value;
   if (mi_space(e, c, c->dw[0] >> 22 & 1, &ppgtt) &&
       gen11_mem_read(e, ppgtt, mi_address(&c->dw[2]), &value, 4))
      mi_write_register(e, c, place(e, c->dw[1], c->dw[0] & 0x80000), value);
}

static void
store_register_mem(struct engine *e, const struct mi_command *c)
{
   bool ppgtt;
   if (!mi_space(e, c, c->dw[0] >> 22 & 1, &ppgtt))
      return;
   if (c->dw[0] >> 21 & 1 && !(engine_get(e, ENGINE_PREDICATE_RESULT) & 1))
      return; /* predicated */
   uint32_t value = gen11_read(e->g, place(e, c->dw[1], c->dw[0] & 0x80000), e->info->name);
   gen11_mem_write(e, ppgtt, mi_address(&c->dw[2]), &value, 4);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static void
store_data_imm(struct engine *e, const struct mi_command *c)
{
   bool ppgtt;
   size_t bytes = 4ull * (c->length - 3);
   if (mi_space(e, c, c->dw[0] >> 22 & 1, &ppgtt))
      gen11_mem_write(e, ppgtt, mi_address(&c->dw[1]), &c->dw[3], bytes);
}

static void
store_data_index(struct engine *e, const struct mi_command *c)
{
   uint64_t page = engine_get(e, ENGINE_STATUS_PAGE) & 0xfffff000;
   if (c->dw[0] >> 21 & 1) /* the context's own page */
      page = e->list[e->current] & 0xfffff000;
   gen11_mem_write(e, false, page + (c->dw[1] & 0xffc), &c->dw[2], c->length > 3 ? 8 : 4);
}

static void
copy_mem_mem(struct engine *e, const struct mi_command *c)
{
   bool to, from;
   uint32_t value;
   if (mi_space(e, c, c->dw[0] >> 21 & 1, &to) && mi_space(e, c, c->dw[0] >> 22 & 1, &from) &&
       gen11_mem_read(e, from, mi_address(&c->dw[3]), &value, 4))
      gen11_mem_write(e, to, mi_address(&c->dw[1]), &value, 4);
}

/* Post-sync operations of PIPE_CONTROL and MI_FLUSH_DW. */
static void
post_sync(struct engine *e, const struct mi_command *c, unsigned operation, bool global, bool index,
          uint64_t address, const uint32_t *data)
{
   bool ppgtt;
   uint64_t value = operation == 3 ? gen11_timestamp(e->g) : data[0] | (uint64_t)data[1] << 32;
   if (!operation)
      return;
   if (operation == 2)
      value = 0; /* a count of pixels: nothing is drawn here */
   if (index) {
      address = (engine_get(e, ENGINE_STATUS_PAGE) & 0xfffff000) + (address & 0xffc);
      ppgtt = false;
   } else if (!mi_space(e, c, global, &ppgtt)) {
      return;
   }
   /* A dword where the address is not aligned to more. */
   gen11_mem_write(e, ppgtt, address, &value, operation == 3 || !(address & 7) ? 8 : 4);
}

static void
flush_dw(struct engine *e, const struct mi_command *c)
{
   uint32_t data[2] = {c->length > 3 ? c->dw[3] : 0, c->length > 4 ? c->dw[4] : 0};
   post_sync(e, c, c->dw[0] >> 14 & 3, c->dw[1] & 4, c->dw[0] >> 21 & 1,
             mi_address(&c->dw[1]) & ~7ull, data);
   if (c->dw[0] >> 8 & 1)
      gen11_engine_event(e, INTR_NOTIFY);
}

static void
pipe_control(struct engine *e, const struct mi_command *c)
{
   uint32_t flags = c->dw[1], data[2] = {c->dw[4], c->dw[5]};
   if (flags >> 23 & 1) /* the operation is a register load */
      mi_write_register(e, c, c->dw[2], c->dw[4]);
   else
      post_sync(e, c, flags >> 14 & 3, flags >> 24 & 1, flags >> 21 & 1, mi_address(&c->dw[2]),
                data);
   if (flags >> 8 & 1)
      gen11_engine_event(e, INTR_NOTIFY);
}

/* ---- flow -------------------------------------------------------------------------------------
 */

static void
batch_start(struct engine *e, const struct mi_command *c)
{
   bool second = c->dw[0] >> 22 & 1, ppgtt = c->dw[0] >> 8 & 1;
   unsigned to = e->level == 0 ? 1 : second ? e->level + 1u : e->level;
   if (to > 2) {
      gen11_report(e, "GEN11-23", c->name, here(e), "there is no third level of batches; it ends");
      e->level = 0;
      return;
   }
   if (c->dw[0] >> 15 & 1 && !(engine_get(e, ENGINE_PREDICATE_RESULT_1) & 1))
      return; /* predicated off */
   if (e->level && e->batch_ppgtt[1] && !ppgtt) {
      gen11_report(e, "GEN11-21", c->name, here(e),
                   "a batch of a process goes to the global GTT; it stays in its own space");
      ppgtt = true;
   }
   e->level = (uint8_t)to;
   e->batch[to] = mi_address(&c->dw[1]);
   e->batch_ppgtt[to] = ppgtt;
}

static void
batch_end(struct engine *e)
{
   if (e->level)
      e->level--;
   e->predicated = false;
}

static bool
compare(unsigned operation, uint32_t memory, uint32_t data)
{
   switch (operation) {
   case 0:
      return memory > data;
   case 1:
      return memory >= data;
   case 2:
      return memory < data;
   case 3:
      return memory <= data;
   case 4:
      return memory == data;
   default:
      return memory != data;
   }
}

/* True: it is passed. */
static bool
semaphore_wait(struct engine *e, const struct mi_command *c)
{
   bool ppgtt;
   uint32_t value;
   unsigned operation = c->dw[0] >> 12 & 7;
   if (operation > 5)
      gen11_report(e, "GEN11-24", c->name, here(e),
                   "this comparison is reserved; taken as not equal");
   if (!mi_space(e, c, c->dw[0] >> 22 & 1, &ppgtt))
      return true;
   gen11_mem_read(e, ppgtt, mi_address(&c->dw[2]), &value, 4);
   if (compare(operation, value, c->dw[1]))
      return true;
   if (!e->waits)
      gen11_engine_event(e, INTR_WAIT_SEMAPHORE);
   return false;
}

/* Ends the batch unless memory and data compare; without a mode of its own, as greater. */
static void
conditional_end(struct engine *e, const struct mi_command *c)
{
   bool ppgtt;
   uint32_t value;
   unsigned operation = c->dw[0] >> 21 & 1 ? c->dw[0] >> 12 & 7 : 0;
   if (!mi_space(e, c, c->dw[0] >> 22 & 1, &ppgtt))
      return;
   gen11_mem_read(e, ppgtt, mi_address(&c->dw[2]), &value, 4);
   if (!compare(operation, value, c->dw[1]))
      batch_end(e);
}

static void
set_predicate(struct engine *e, uint32_t header)
{
   bool two = engine_get(e, ENGINE_PREDICATE_RESULT_2) & 1,
        one = engine_get(e, ENGINE_PREDICATE_RESULT_1) & 1;
   switch (header & 0xf) {
   case 1:
      e->predicated = two;
      break;
   case 2:
      e->predicated = !two;
      break;
   case 3:
      e->predicated = one;
      break;
   case 4:
      e->predicated = !one;
      break;
   case 15:
      e->predicated = true;
      break;
   default:
      e->predicated = false;
      break;
   }
}

/* Load operation, combine operation, compare operation. */
static void
predicate(struct engine *e, uint32_t header)
{
   bool result = engine_get(e, ENGINE_PREDICATE_RESULT) & 1;
   uint64_t a = engine_get(e, ENGINE_PREDICATE_SRC0) |
                (uint64_t)engine_get(e, ENGINE_PREDICATE_SRC0 + 4) << 32;
   uint64_t b = engine_get(e, ENGINE_PREDICATE_SRC1) |
                (uint64_t)engine_get(e, ENGINE_PREDICATE_SRC1 + 4) << 32;
   uint64_t data = engine_get(e, ENGINE_PREDICATE_DATA) |
                   (uint64_t)engine_get(e, ENGINE_PREDICATE_DATA + 4) << 32;
   bool tests[4] = {true, false, a == b, a - b == data}, test = tests[header & 3];
   unsigned combine = header >> 3 & 3, load = header >> 6 & 3;
   bool combined = combine == 0   ? test
                   : combine == 1 ? result && test
                   : combine == 2 ? result || test
                                  : result ^ test;
   if (load == 2)
      result = combined;
   else if (load == 3)
      result = !combined;
   engine_set(e, ENGINE_PREDICATE_RESULT, result);
}

/* SYS-179..182 */
static void
force_wakeup(struct engine *e, const struct mi_command *c)
{
   static const uint32_t domains[5] = {
       1u << WAKE_RENDER | 3u << WAKE_VDBOX0 | 1u << WAKE_VEBOX0,
       1u << WAKE_RENDER,
       3u << (WAKE_VDBOX0 + 2) | 1u << (WAKE_VEBOX0 + 1),
       3u << (WAKE_VDBOX0 + 4) | 1u << (WAKE_VEBOX0 + 2),
       3u << (WAKE_VDBOX0 + 6) | 1u << (WAKE_VEBOX0 + 3),
   };
   if (e->id == GEN11_RCS0) {
      gen11_report(e, "SYS-182", c->name, here(e), "the render streamer may not; skipped");
      return;
   }
   for (unsigned i = 0; i < 5; i++)
      if (c->dw[1] >> (16 + i) & 1)
         e->g->cs_awake =
             c->dw[1] >> i & 1 ? e->g->cs_awake | domains[i] : e->g->cs_awake & ~domains[i];
}

/* SYS-182: bit 5 with its mask, bit 13. */
static void
pipeline_select(struct engine *e, uint32_t header)
{
   if (header >> 13 & 1)
      e->g->cs_awake =
          header >> 5 & 1 ? e->g->cs_awake | WAKE_ALL_MEDIA : e->g->cs_awake & ~WAKE_ALL_MEDIA;
}

/* ---- one command ------------------------------------------------------------------------------
 */

static const char *const names[0x40] = {
    [0x00] = "MI_NOOP",
    [0x01] = "MI_SET_PREDICATE",
    [0x02] = "MI_USER_INTERRUPT",
    [0x03] = "MI_WAIT_FOR_EVENT",
    [0x05] = "MI_ARB_CHECK",
    [0x06] = "MI_RS_CONTROL",
    [0x07] = "MI_REPORT_HEAD",
    [0x08] = "MI_ARB_ON_OFF",
    [0x0a] = "MI_BATCH_BUFFER_END",
    [0x0b] = "MI_SUSPEND_FLUSH",
    [0x0c] = "MI_PREDICATE",
    [0x0d] = "MI_TOPOLOGY_FILTER",
    [0x1a] = "MI_MATH",
    [0x1b] = "MI_SEMAPHORE_SIGNAL",
    [0x1c] = "MI_SEMAPHORE_WAIT",
    [0x1d] = "MI_FORCE_WAKEUP",
    [0x20] = "MI_STORE_DATA_IMM",
    [0x21] = "MI_STORE_DATA_INDEX",
    [0x22] = "MI_LOAD_REGISTER_IMM",
    [0x24] = "MI_STORE_REGISTER_MEM",
    [0x26] = "MI_FLUSH_DW",
    [0x28] = "MI_REPORT_PERF_COUNT",
    [0x29] = "MI_LOAD_REGISTER_MEM",
    [0x2a] = "MI_LOAD_REGISTER_REG",
    [0x2e] = "MI_COPY_MEM_MEM",
    [0x2f] = "MI_ATOMIC",
    [0x31] = "MI_BATCH_BUFFER_START",
    [0x36] = "MI_CONDITIONAL_BATCH_BUFFER_END",
};
/* Dwords that a command must have to be what it says. */
static const uint8_t least[0x40] = {
    [0x1a] = 2, [0x1b] = 2, [0x1c] = 4, [0x1d] = 2, [0x20] = 4, [0x21] = 3, [0x22] = 3, [0x24] = 4,
    [0x26] = 3, [0x28] = 4, [0x29] = 4, [0x2a] = 3, [0x2e] = 5, [0x2f] = 3, [0x31] = 3, [0x36] = 4,
};

static void
unknown(struct engine *e, uint32_t header)
{
   char text[32];
   snprintf(text, sizeof(text), "command 0x%08x", header & 0xffff0000);
   struct rule_place place = {.engine = e->info->name, .subject = text};
   rule_report(e->g->dev, PERGOLA_WARNING, "GEN11-20", &place,
               "this part has no unit that executes it; skipped by its length");
}

static void
announce(struct engine *e, const struct mi_command *c)
{
   struct pergola_device *dev = e->g->dev;
   if (!trace_wants(&dev->trace, PERGOLA_EVENT_COMMAND))
      return;
   struct pergola_event event = {.kind = PERGOLA_EVENT_COMMAND,
                                 .engine = e->info->name,
                                 .time_ns = dev->time_ns,
                                 .a = here(e),
                                 .text = c->name,
                                 .dwords = c->dw,
                                 .count = c->length};
   trace_emit(&dev->trace, &event);
}

/* False: it stays at the command. */
static bool
execute_mi(struct engine *e, const struct mi_command *c)
{
   switch (c->dw[0] >> 23) {
   case 0x01:
      set_predicate(e, c->dw[0]);
      return true;
   case 0x02:
      gen11_engine_event(e, INTR_USER);
      return true;
   case 0x08:
      e->arbitrates = c->dw[0] & 1;
      return true;
   case 0x0c:
      predicate(e, c->dw[0]);
      return true;
   case 0x1a:
      mi_math(e, c);
      return true;
   case 0x1c:
      e->waits = !semaphore_wait(e, c);
      return !e->waits;
   case 0x1d:
      force_wakeup(e, c);
      return true;
   case 0x20:
      store_data_imm(e, c);
      return true;
   case 0x21:
      store_data_index(e, c);
      return true;
   case 0x22:
      load_register_imm(e, c);
      return true;
   case 0x24:
      store_register_mem(e, c);
      return true;
   case 0x26:
      flush_dw(e, c);
      return true;
   case 0x28:
      if (e->id == GEN11_RCS0)
         mi_report_counters(e, c);
      else
         unknown(e, c->dw[0]);
      return true;
   case 0x29:
      load_register_mem(e, c);
      return true;
   case 0x2a:
      load_register_reg(e, c);
      return true;
   case 0x2e:
      copy_mem_mem(e, c);
      return true;
   case 0x2f:
      mi_atomic(e, c);
      return true;
   case 0x00:
      if (c->dw[0] >> 22 & 1)
         engine_set(e, ENGINE_RING_NOPID, c->dw[0] & 0x3fffff);
      return true;
   case 0x05:
   case 0x06:
   case 0x07:
   case 0x0b:
   case 0x0d:
      return true;
   default:
      unknown(e, c->dw[0]);
      if (!names[c->dw[0] >> 23])
         gen11_instruction_error(e);
      return true;
   }
}

static void
execute_gfx(struct engine *e, const struct mi_command *c)
{
   uint32_t opcode = c->dw[0] >> 16;
   if (opcode == 0x7a00 && e->id == GEN11_RCS0 && c->length >= 6)
      pipe_control(e, c);
   else if (opcode == 0x6904)
      pipeline_select(e, c->dw[0]);
   else
      unknown(e, c->dw[0]);
}

/* Where the engine is, for those who look. */
static void
tell_place(struct engine *e, uint32_t header)
{
   uint64_t at = here(e);
   engine_set(e, ENGINE_RING_ACTHD, (uint32_t)at);
   engine_set(e, ENGINE_ACTHD_UDW, (uint32_t)(at >> 32));
   engine_set(e, ENGINE_RING_IPEHR, header);
   engine_set(e, ENGINE_BB_ADDR, e->level ? (uint32_t)e->batch[1] | 1 : 0);
   engine_set(e, ENGINE_BB_ADDR_UDW, e->level ? (uint32_t)(e->batch[1] >> 32) : 0);
}

/* PIPELINE_SELECT is one dword; the rest by the manual's fields. */
static uint32_t
length_of(uint32_t header)
{
   if (header >> 16 == 0x6904)
      return 1;
   uint32_t opcode = header >> 23;
   if (opcode == 0x26 || opcode == 0x28)
      return (header & 0x3f) + 2; /* MI_FLUSH_DW has flags from bit 7 on */
   if (opcode < 0x40 && opcode >= 0x10)
      return (header & (opcode == 0x20 ? 0x3ff : 0xff)) + 2;
   return hw_default_length(header);
}

void
gen11_command(struct engine *e)
{
   uint32_t dw[COMMAND_MOST];
   struct mi_command c = {.dw = dw};
   fetch(e, dw, 1);
   uint32_t whole = length_of(dw[0]), opcode = dw[0] >> 23;
   c.length = whole < COMMAND_MOST ? whole : COMMAND_MOST;
   if (c.length > 1)
      fetch(e, dw, c.length);
   c.name = opcode < 0x40 && names[opcode] ? names[opcode]
            : dw[0] >> 16 == 0x7a00        ? "PIPE_CONTROL"
                                           : "command";
   tell_place(e, dw[0]);
   if (!e->waits)
      announce(e, &c);
   clock_advance(e->g->dev, 40);
   if (opcode < 0x40 && whole < least[opcode]) {
      gen11_report(e, "GEN11-25", c.name, here(e), "it is too short; skipped");
      gen11_instruction_error(e);
      advance(e, whole);
      return;
   }
   if (e->predicated && opcode != 0x01 && opcode != 0x0a) {
      advance(e, whole);
      return;
   }
   if (opcode == 0x31) { /* comes back behind itself */
      advance(e, whole);
      batch_start(e, &c);
   } else if (opcode == 0x0a) {
      advance(e, 1);
      batch_end(e);
   } else if (opcode == 0x36) {
      advance(e, whole);
      conditional_end(e, &c);
   } else if (opcode >= 0x40) {
      execute_gfx(e, &c);
      advance(e, whole);
   } else if (execute_mi(e, &c)) {
      advance(e, whole);
      if (opcode == 0x05 || opcode == 0x03)
         gen11_arbitrate(e);
   }
}
