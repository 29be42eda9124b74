/* Commands: MI, PIPE_CONTROL, MI_FLUSH_DW. */
#include "gen11/gen11_internal.h"
#include "gen11/mi.h"

#include "hw/header.h"

#include <stdio.h>
#include <string.h>

/* Dwords that are looked at: as many as an MI command can have. What is longer is none of them, and
 * is skipped by its length. */
#define COMMAND_MOST 1025u
#define RESULT REG_RCS0_PREDICATE_RESULT__RESULT
#define BATCH_ADDRESS ((UINT64_C(1) << 48) - 4)
#define TOLD_MOST 64u /* of a command that is skipped, observers are told no more */

/* Where the next dwords lie, and how many bytes of the ring are left before it wraps. */
static uint64_t
here(const struct engine *e)
{
   if (e->level)
      return e->batch[e->level];
   return (uint64_t)(engine_get(e, ENGINE_RING_START) & REG_RCS0_RING_START__STARTING_ADDRESS) +
          (engine_get(e, ENGINE_RING_HEAD) & REG_RCS0_RING_HEAD__HEAD_OFFSET);
}

static uint32_t
ring_size(const struct engine *e)
{
   return (engine_get(e, ENGINE_RING_CTL) & REG_RCS0_RING_CTL__BUFFER_LENGTH) +
          4096; /* pages - 1 */
}

static void
advance(struct engine *e, uint32_t dwords)
{
   if (e->level) {
      e->batch[e->level] = (e->batch[e->level] + 4ull * dwords) & BATCH_ADDRESS;
      return;
   }
   uint32_t head = engine_get(e, ENGINE_RING_HEAD), wraps = head & REG_RCS0_RING_HEAD__WRAP_COUNT;
   uint32_t at = head & REG_RCS0_RING_HEAD__HEAD_OFFSET, size = ring_size(e);
   at += 4 * dwords;
   if (at >= size) {
      at %= size;
      wraps += REG_RCS0_RING_HEAD__WRAP_COUNT & -REG_RCS0_RING_HEAD__WRAP_COUNT;
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
   uint64_t start = engine_get(e, ENGINE_RING_START) & REG_RCS0_RING_START__STARTING_ADDRESS;
   for (uint32_t i = 0, size = ring_size(e); i < count; i++)
      gen11_mem_read(e, false, start + (at + 4 * i) % size, &dw[i], 4);
}

/* A batch of the process's own space may not do what the kernel may. */
static bool
privileged(const struct engine *e)
{
   return !e->level || !e->batch_ppgtt[1];
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

#define SLOT(name) REG_RCS0_FORCE_TO_NONPRIV_0__##name

/* A user batch may write general and predicate registers of its engine and what the kernel allows.
 */
static bool
may_write(const struct engine *e, uint32_t offset)
{
   uint32_t own = offset - e->info->base;
   if (privileged(e) || (own >= ENGINE_CS_GPR_0 && own <= ENGINE_CS_GPR_15 + 4) ||
       (own >= ENGINE_PREDICATE_SRC0 && own <= ENGINE_PREDICATE_RESULT_1))
      return true;
   for (unsigned i = 0; i < 12; i++) {
      uint32_t slot = engine_get(e, ENGINE_FORCE_TO_NONPRIV_0 + 4 * i);
      uint32_t span = 4u << 2 * hw_get(slot, SLOT(RANGE)), at = slot & SLOT(OFFSET) & ~(span - 1);
      bool writes = !(slot & SLOT(DENY)) && hw_get(slot, SLOT(ACCESS)) != SLOT(ACCESS_READ);
      if (at && writes && offset >= at && offset < at + span)
         return true;
   }
   return false;
}

static void
mi_write_register(struct engine *e, const struct mi_command *c, uint32_t offset, uint32_t value,
                  uint32_t byte_mask)
{
   if (!may_write(e, offset)) {
      gen11_report(e, "GEN11-22", c->name, offset,
                   "a batch of a process writes a register that it may not; skipped");
      return;
   }
   gen11_write(e->g, offset, value, byte_mask, e->info->name);
}

static uint32_t
place(const struct engine *e, uint32_t offset, bool relative)
{
   return (offset + (relative ? e->info->base : 0)) & GEN11_MI_LOAD_REGISTER_IMM__REGISTER_OFFSET;
}

static void
load_register_imm(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_load_register_imm v;
   gen11_mi_load_register_imm_unpack(&v, c->dw);
   uint32_t byte_mask = 0;
   for (unsigned byte = 0; byte < 4; byte++)
      byte_mask |= v.byte_write_disables >> byte & 1 ? 0 : 0xffu << 8 * byte;
   for (uint32_t i = 1; i + 1 < c->length; i += 2)
      mi_write_register(e, c,
                        place(e, c->dw[i] & GEN11_MI_LOAD_REGISTER_IMM__REGISTER_OFFSET,
                              v.add_cs_mmio_start_offset),
                        c->dw[i + 1], byte_mask);
}

static void
load_register_reg(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_load_register_reg v;
   gen11_mi_load_register_reg_unpack(&v, c->dw);
   uint32_t from = place(e, v.source_register_address, v.add_cs_mmio_start_offset_source),
            to = place(e, v.destination_register_address, v.add_cs_mmio_start_offset_destination);
   mi_write_register(e, c, to, gen11_read(e->g, from, e->info->name), ~0u);
}

static void
load_register_mem(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_load_register_mem v;
   bool ppgtt;
   uint32_t value;
   gen11_mi_load_register_mem_unpack(&v, c->dw);
   if (mi_space(e, c, v.use_global_gtt, &ppgtt) &&
       gen11_mem_read(e, ppgtt, v.memory_address, &value, 4))
      mi_write_register(e, c, place(e, v.register_address, v.add_cs_mmio_start_offset), value, ~0u);
}

static void
store_register_mem(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_store_register_mem v;
   bool ppgtt;
   gen11_mi_store_register_mem_unpack(&v, c->dw);
   if (!mi_space(e, c, v.use_global_gtt, &ppgtt) ||
       (v.predicate_enable && !(engine_get(e, ENGINE_PREDICATE_RESULT) & RESULT)))
      return;
   uint32_t from = place(e, v.register_address, v.add_cs_mmio_start_offset);
   uint32_t value = gen11_read(e->g, from, e->info->name);
   gen11_mem_write(e, ppgtt, v.memory_address, &value, 4);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static void
store_data_imm(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_store_data_imm v;
   bool ppgtt;
   gen11_mi_store_data_imm_unpack(&v, c->dw);
   if (mi_space(e, c, v.use_global_gtt, &ppgtt))
      gen11_mem_write(e, ppgtt, v.address, &c->dw[3], 4ull * (c->length - 3));
}

static void
store_data_index(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_store_data_index v;
   gen11_mi_store_data_index_unpack(&v, c->dw);
   uint64_t page = v.use_per_process_hardware_status_page ? e->list[e->current]
                                                          : engine_get(e, ENGINE_STATUS_PAGE);
   page &= REG_RCS0_STATUS_PAGE__ADDRESS;
   gen11_mem_write(e, false, page + v.offset, &c->dw[2], c->length > 3 ? 8 : 4);
}

static void
copy_mem_mem(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_copy_mem_mem v;
   bool to, from;
   uint32_t value;
   gen11_mi_copy_mem_mem_unpack(&v, c->dw);
   if (mi_space(e, c, v.use_global_gtt_destination, &to) &&
       mi_space(e, c, v.use_global_gtt_source, &from) &&
       gen11_mem_read(e, from, v.source_memory_address, &value, 4))
      gen11_mem_write(e, to, v.destination_memory_address, &value, 4);
}

/* Post-sync operations of PIPE_CONTROL and MI_FLUSH_DW. */
static void
post_sync(struct engine *e, const struct mi_command *c, unsigned operation, bool global, bool index,
          uint64_t address, uint64_t data)
{
   bool ppgtt = false, stamp = operation == GEN11_POST_SYNC_WRITE_TIMESTAMP;
   uint64_t value = stamp ? gen11_timestamp(e->g) : data;
   if (operation == GEN11_POST_SYNC_NO_WRITE)
      return;
   if (operation == GEN11_POST_SYNC_WRITE_PS_DEPTH_COUNT)
      value = 0; /* a count of pixels: nothing is drawn here */
   if (index)
      address = (engine_get(e, ENGINE_STATUS_PAGE) & REG_RCS0_STATUS_PAGE__ADDRESS) +
                (address & (MEM_PAGE_SIZE - 4));
   else if (!mi_space(e, c, global, &ppgtt))
      return;
   /* A dword where the address is not aligned to more. */
   gen11_mem_write(e, ppgtt, address, &value, stamp || !(address & 7) ? 8 : 4);
}

static void
flush_dw(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_flush_dw v;
   uint64_t low = c->length > 3 ? c->dw[3] : 0, high = c->length > 4 ? c->dw[4] : 0;
   gen11_mi_flush_dw_unpack(&v, c->dw);
   post_sync(e, c, v.post_sync_operation, v.destination_address_type, v.store_data_index, v.address,
             low | high << 32);
   if (v.notify_enable)
      gen11_engine_event(e, STREAMER_EVENT(NOTIFY));
}

static void
pipe_control(struct engine *e, const struct mi_command *c)
{
   struct gen11_pipe_control v;
   gen11_pipe_control_unpack(&v, c->dw);
   if (v.lri_post_sync_operation) /* the operation is a register load */
      mi_write_register(e, c, (uint32_t)v.address & GEN11_MI_LOAD_REGISTER_IMM__REGISTER_OFFSET,
                        (uint32_t)v.immediate_data, ~0u);
   else
      post_sync(e, c, v.post_sync_operation, v.destination_address_type, v.store_data_index,
                v.address, v.immediate_data);
   if (v.notify_enable)
      gen11_engine_event(e, STREAMER_EVENT(NOTIFY));
}

/* ---- flow -------------------------------------------------------------------------------------
 */

static void
batch_start(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_batch_buffer_start v;
   gen11_mi_batch_buffer_start_unpack(&v, c->dw);
   bool ppgtt = v.address_space_indicator;
   unsigned to = e->level == 0 ? 1 : v.second_level_batch_buffer ? e->level + 1u : e->level;
   if (to > 2) {
      gen11_report(e, "GEN11-23", c->name, here(e), "there is no third level of batches; it ends");
      e->level = 0;
      return;
   }
   if (v.predication_enable && !(engine_get(e, ENGINE_PREDICATE_RESULT_1) & RESULT))
      return; /* predicated off */
   if (e->level && e->batch_ppgtt[1] && !ppgtt) {
      gen11_report(e, "GEN11-21", c->name, here(e),
                   "a batch of a process goes to the global GTT; it stays in its own space");
      ppgtt = true;
   }
   e->level = (uint8_t)to;
   e->batch[to] = v.batch_buffer_start_address;
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
   case GEN11_SEMAPHORE_COMPARISON_GREATER:
      return memory > data;
   case GEN11_SEMAPHORE_COMPARISON_GREATER_OR_EQUAL:
      return memory >= data;
   case GEN11_SEMAPHORE_COMPARISON_LESS:
      return memory < data;
   case GEN11_SEMAPHORE_COMPARISON_LESS_OR_EQUAL:
      return memory <= data;
   case GEN11_SEMAPHORE_COMPARISON_EQUAL:
      return memory == data;
   default:
      return memory != data;
   }
}

/* True: it is passed. */
static bool
semaphore_wait(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_semaphore_wait v;
   bool ppgtt;
   uint32_t value;
   gen11_mi_semaphore_wait_unpack(&v, c->dw);
   if (v.compare_operation > GEN11_SEMAPHORE_COMPARISON_NOT_EQUAL)
      gen11_report(e, "GEN11-24", c->name, here(e),
                   "this comparison is reserved; taken as not equal");
   if (v.register_poll_mode)
      value = gen11_read(
          e->g, (uint32_t)v.semaphore_address & GEN11_MI_LOAD_REGISTER_IMM__REGISTER_OFFSET,
          e->info->name);
   else if (!mi_space(e, c, v.use_global_gtt, &ppgtt))
      return true;
   else
      gen11_mem_read(e, ppgtt, v.semaphore_address, &value, 4);
   if (compare(v.compare_operation, value, v.semaphore_data_dword))
      return true;
   if (!e->waits)
      gen11_engine_event(e, STREAMER_EVENT(WAIT_ON_SEMAPHORE));
   return false;
}

/* Ends the batch unless memory and data compare; without a mode of its own, as greater. */
static void
conditional_end(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_conditional_batch_buffer_end v;
   bool ppgtt;
   uint32_t value;
   gen11_mi_conditional_batch_buffer_end_unpack(&v, c->dw);
   unsigned operation =
       v.compare_semaphore ? v.compare_operation : GEN11_SEMAPHORE_COMPARISON_GREATER;
   if (v.compare_mask_mode)
      gen11_report(e, "GEN11-28", c->name, here(e), "the mask mode is not modelled; no mask");
   if (!mi_space(e, c, v.use_global_gtt, &ppgtt))
      return;
   gen11_mem_read(e, ppgtt, v.compare_address, &value, 4);
   if (!compare(operation, value, v.compare_data_dword))
      batch_end(e);
}

static void
set_predicate(struct engine *e, const struct mi_command *c)
{
   bool two = engine_get(e, ENGINE_PREDICATE_RESULT_2) & RESULT,
        one = engine_get(e, ENGINE_PREDICATE_RESULT) & RESULT;
   switch (c->dw[0] & GEN11_MI_SET_PREDICATE__PREDICATE_ENABLE) {
   case GEN11_MI_SET_PREDICATE_PREDICATE_ENABLE_NOOP_ON_RESULT2_SET:
      e->predicated = two;
      break;
   case GEN11_MI_SET_PREDICATE_PREDICATE_ENABLE_NOOP_ON_RESULT2_CLEAR:
      e->predicated = !two;
      break;
   case GEN11_MI_SET_PREDICATE_PREDICATE_ENABLE_NOOP_ON_RESULT_SET:
      e->predicated = one;
      break;
   case GEN11_MI_SET_PREDICATE_PREDICATE_ENABLE_NOOP_ON_RESULT_CLEAR:
      e->predicated = !one;
      break;
   case GEN11_MI_SET_PREDICATE_PREDICATE_ENABLE_NOOP_ALWAYS:
      e->predicated = true;
      break;
   default:
      e->predicated = false;
      break;
   }
}

static uint64_t
wide(const struct engine *e, uint32_t reg)
{
   return engine_get(e, reg) | (uint64_t)engine_get(e, reg + 4) << 32;
}

static void
predicate(struct engine *e, const struct mi_command *c)
{
   struct gen11_mi_predicate v;
   gen11_mi_predicate_unpack(&v, c->dw);
   bool result = engine_get(e, ENGINE_PREDICATE_RESULT) & RESULT;
   uint64_t a = wide(e, ENGINE_PREDICATE_SRC0), b = wide(e, ENGINE_PREDICATE_SRC1);
   bool tests[4] = {true, false, a == b, a - b == wide(e, ENGINE_PREDICATE_DATA)};
   bool test = tests[v.compare_operation];
   bool combined[4] = {test, result && test, result || test, result ^ test};
   if (v.load_operation == GEN11_MI_PREDICATE_LOAD_OPERATION_LOAD)
      result = combined[v.combine_operation];
   else if (v.load_operation == GEN11_MI_PREDICATE_LOAD_OPERATION_LOADINV)
      result = !combined[v.combine_operation];
   engine_set(e, ENGINE_PREDICATE_RESULT, result);
}

/* SYS-179..182 */
#define WAKEUP(name) GEN11_MI_FORCE_WAKEUP__##name
static void
force_wakeup(struct engine *e, const struct mi_command *c)
{
#define MEDIA_SLICE(n) (3u << (WAKE_VDBOX0 + 2 * (n)) | 1u << (WAKE_VEBOX0 + (n)))
   static const struct {
      uint32_t bit, wakes;
   } domains[] = {
       {WAKEUP(FORCE_MEDIA_SLICE_0_AWAKE), 1u << WAKE_RENDER | MEDIA_SLICE(0)},
       {WAKEUP(FORCE_RENDER_AWAKE), 1u << WAKE_RENDER},
       {WAKEUP(FORCE_MEDIA_SLICE_1_AWAKE), MEDIA_SLICE(1)},
       {WAKEUP(FORCE_MEDIA_SLICE_2_AWAKE), MEDIA_SLICE(2)},
       {WAKEUP(FORCE_MEDIA_SLICE_3_AWAKE), MEDIA_SLICE(3)},
   };
   if (e->id == GEN11_RCS0) {
      gen11_report(e, "SYS-182", c->name, here(e), "the render streamer may not; skipped");
      return;
   }
   struct gen11_mi_force_wakeup v;
   gen11_mi_force_wakeup_unpack(&v, c->dw);
   for (unsigned i = 0; i < sizeof(domains) / sizeof(domains[0]); i++)
      if (v.mask_bits & domains[i].bit)
         e->g->cs_awake = c->dw[1] & domains[i].bit ? e->g->cs_awake | domains[i].wakes
                                                    : e->g->cs_awake & ~domains[i].wakes;
}

/* SYS-182: bit 5 with its mask, bit 13. */
static void
pipeline_select(struct engine *e, const struct mi_command *c)
{
   struct gen11_pipeline_select v;
   gen11_pipeline_select_unpack(&v, c->dw);
   if (v.mask_bits & GEN11_PIPELINE_SELECT__FORCE_MEDIA_AWAKE)
      e->g->cs_awake =
          v.force_media_awake ? e->g->cs_awake | WAKE_ALL_MEDIA : e->g->cs_awake & ~WAKE_ALL_MEDIA;
}

/* ---- one command ------------------------------------------------------------------------------
 */

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
execute(struct engine *e, const struct mi_command *c)
{
   switch (c->id) {
   case GEN11_MI_SET_PREDICATE_ID:
      set_predicate(e, c);
      return true;
   case GEN11_MI_USER_INTERRUPT_ID:
      gen11_engine_event(e, STREAMER_EVENT(USER));
      return true;
   case GEN11_MI_ARB_ON_OFF_ID:
      e->arbitrates = c->dw[0] & GEN11_MI_ARB_ON_OFF__ARBITRATION_ENABLE;
      return true;
   case GEN11_MI_PREDICATE_ID:
      predicate(e, c);
      return true;
   case GEN11_MI_MATH_ID:
      mi_math(e, c);
      return true;
   case GEN11_MI_SEMAPHORE_WAIT_ID:
      e->waits = !semaphore_wait(e, c);
      return !e->waits;
   case GEN11_MI_FORCE_WAKEUP_ID:
      force_wakeup(e, c);
      return true;
   case GEN11_MI_STORE_DATA_IMM_ID:
      store_data_imm(e, c);
      return true;
   case GEN11_MI_STORE_DATA_INDEX_ID:
      store_data_index(e, c);
      return true;
   case GEN11_MI_LOAD_REGISTER_IMM_ID:
      load_register_imm(e, c);
      return true;
   case GEN11_MI_STORE_REGISTER_MEM_ID:
      store_register_mem(e, c);
      return true;
   case GEN11_MI_FLUSH_DW_ID:
      flush_dw(e, c);
      return true;
   case GEN11_MI_REPORT_PERF_COUNT_ID:
      mi_report_counters(e, c);
      return true;
   case GEN11_MI_LOAD_REGISTER_MEM_ID:
      load_register_mem(e, c);
      return true;
   case GEN11_MI_LOAD_REGISTER_REG_ID:
      load_register_reg(e, c);
      return true;
   case GEN11_MI_COPY_MEM_MEM_ID:
      copy_mem_mem(e, c);
      return true;
   case GEN11_MI_ATOMIC_ID:
      mi_atomic(e, c);
      return true;
   case GEN11_MI_NOOP_ID:
      if (c->dw[0] & GEN11_MI_NOOP__IDENTIFICATION_NUMBER_REGISTER_WRITE_ENABLE)
         engine_set(e, ENGINE_RING_NOPID, c->dw[0] & GEN11_MI_NOOP__IDENTIFICATION_NUMBER);
      return true;
   case GEN11_MI_ARB_CHECK_ID:
   case GEN11_MI_RS_CONTROL_ID:
   case GEN11_MI_REPORT_HEAD_ID:
   case GEN11_MI_SUSPEND_FLUSH_ID:
   case GEN11_MI_TOPOLOGY_FILTER_ID:
      return true;
   case GEN11_PIPE_CONTROL_ID:
      pipe_control(e, c);
      return true;
   case GEN11_PIPELINE_SELECT_ID:
      pipeline_select(e, c);
      return true;
   default:
      unknown(e, c->dw[0]);
      return true;
   }
}

/* Where the engine is, for those who look. */
static void
tell_place(struct engine *e, uint32_t header)
{
   uint64_t at = here(e);
   engine_set(e, ENGINE_RING_ACTHD, (uint32_t)at);
   engine_set(e, ENGINE_ACTHD_UDW, (uint32_t)(at >> 32));
   engine_set(e, ENGINE_RING_IPEHR, header);
   engine_set(e, ENGINE_BB_ADDR, e->level ? (uint32_t)e->batch[1] | REG_RCS0_BB_ADDR__VALID : 0);
   engine_set(e, ENGINE_BB_ADDR_UDW, e->level ? (uint32_t)(e->batch[1] >> 32) : 0);
}

static void
broken_field(void *data, const struct hw_layout *layout, const struct hw_field *field, uint64_t raw,
             const char *why)
{
   (void)raw;
   struct engine *e = data;
   gen11_report(e, field->ledger[0] ? field->ledger : "GEN11-28", layout->name, here(e), why);
}

/* Whether it is a command, and whole. */
static bool
is_sound(struct engine *e, const struct hw_command *desc, const struct mi_command *c,
         uint32_t whole)
{
   if (!desc) {
      unknown(e, c->dw[0]);
      if (hw_client(c->dw[0]) == HW_CLIENT_MI) /* an MI command that does not exist */
         gen11_instruction_error(e);
      return false;
   }
   if (whole < desc->layout.length_dw) {
      gen11_report(e, "GEN11-25", c->name, here(e), "it is too short; skipped");
      gen11_instruction_error(e);
      return false;
   }
   if (!e->waits)
      hw_validate(&desc->layout, c->dw, c->length, broken_field, e);
   return true;
}

void
gen11_command(struct engine *e)
{
   uint32_t dw[COMMAND_MOST];
   struct mi_command c = {.dw = dw, .name = "command", .id = GEN11_COMMAND_COUNT};
   fetch(e, dw, 1);
   const struct hw_command *desc = hw_command_find(dw[0], e->info->hw_engine, HW_ICL);
   uint32_t whole = desc ? hw_command_length(desc, dw[0]) : hw_default_length(dw[0], HW_ICL);
   c.length = whole < COMMAND_MOST ? whole : COMMAND_MOST;
   if (desc) {
      c.name = desc->layout.name;
      c.id = desc->id;
   } else if (c.length > TOLD_MOST) {
      c.length = TOLD_MOST;
   }
   if (c.length > 1)
      fetch(e, dw, c.length);
   tell_place(e, dw[0]);
   if (!e->waits)
      announce(e, &c);
   clock_advance(e->g->dev, 40);
   if ((e->predicated && c.id != GEN11_MI_SET_PREDICATE_ID &&
        c.id != GEN11_MI_BATCH_BUFFER_END_ID) ||
       !is_sound(e, desc, &c, whole)) {
      advance(e, whole);
   } else if (c.id == GEN11_MI_BATCH_BUFFER_START_ID) { /* comes back behind itself */
      advance(e, whole);
      batch_start(e, &c);
   } else if (c.id == GEN11_MI_BATCH_BUFFER_END_ID) {
      advance(e, whole);
      batch_end(e);
   } else if (c.id == GEN11_MI_CONDITIONAL_BATCH_BUFFER_END_ID) {
      advance(e, whole);
      conditional_end(e, &c);
   } else if (execute(e, &c)) {
      advance(e, whole);
      if (c.id == GEN11_MI_ARB_CHECK_ID || c.id == GEN11_MI_WAIT_FOR_EVENT_ID)
         gen11_arbitrate(e);
   }
}
