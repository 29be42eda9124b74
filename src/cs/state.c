/* Pipeline state: the dwords of every state command, as last programmed. */
#include "cs/cs_internal.h"

#include "eu/eu.h"
#include "surface/cache.h"

#include <stdlib.h>
#include <string.h>

bool
cs_state_create(struct cs *cs)
{
   if (cs->id != RCS)
      return true;
   cs->slots = calloc(GEN7_COMMAND_COUNT, sizeof(cs->slots[0]));
   return cs->slots != NULL;
}

void
cs_state_destroy(struct cs *cs)
{
   if (!cs->slots)
      return;
   for (unsigned i = 0; i < GEN7_COMMAND_COUNT; i++)
      free(cs->slots[i].dw);
   free(cs->slots);
}

void
cs_state_reset(struct cs *cs)
{
   if (!cs->slots)
      return;
   for (unsigned i = 0; i < GEN7_COMMAND_COUNT; i++)
      cs->slots[i].count = 0;
   cs->bases = (struct state_bases){0};
   cs->pipeline = PIPELINE_3D;
   cs->media_state_cleared = cs->indirect_state_dropped = false;
   cs->order = (struct cs_order){0};
}

/* Room for `count` dwords in a slot; a guest's length field bounds it. */
static bool
slot_room(struct cs_slot *s, uint32_t count)
{
   if (count <= s->room)
      return true;
   uint32_t *bigger = realloc(s->dw, (size_t)count * 4);
   if (!bigger)
      return false;
   s->dw = bigger;
   s->room = count;
   return true;
}

#define BUFFER(name) GEN7_VERTEX_BUFFER_STATE__##name
#define ADDRESS_MODIFY BUFFER(ADDRESS_MODIFY_ENABLE) /* of a kept one: it has an address */

/* Buffers that are programmed a few at a time keep their places: the slot holds entries of `size`
 * dwords behind the header, sorted by index. RCS-154. */
static bool
keep_vertex_buffers(struct cs_slot *s, const uint32_t *dw, uint32_t count)
{
   if (!slot_room(s, 1 + 4 * 64))
      return false;
   if (!s->count)
      s->count = 1;
   for (uint32_t i = 1; i + 4 <= count; i += 4) {
      uint32_t index = hw_get(dw[i], BUFFER(VERTEX_BUFFER_INDEX)), at = 1;
      while (at < s->count && hw_get(s->dw[at], BUFFER(VERTEX_BUFFER_INDEX)) < index)
         at += 4;
      if (at >= s->count || hw_get(s->dw[at], BUFFER(VERTEX_BUFFER_INDEX)) != index) {
         memmove(s->dw + at + 4, s->dw + at, (size_t)(s->count - at) * 4);
         s->count += 4;
      } else if (!(dw[i] & ADDRESS_MODIFY)) { /* P3D-042: start and end stay as they were */
         uint32_t had = s->dw[at] & ADDRESS_MODIFY;
         s->dw[at] = dw[i] | had;
         s->dw[at + 3] = dw[i + 3];
         continue;
      }
      memcpy(s->dw + at, dw + i, 16);
   }
   s->dw[0] = (dw[0] & ~GEN7_3DSTATE_VERTEX_BUFFERS__DWORD_LENGTH) |
              hw_put(s->count - 2, GEN7_3DSTATE_VERTEX_BUFFERS__DWORD_LENGTH);
   return true;
}

/* Four commands of four dwords, one an index. RCS-150, RCS-153. */
static bool
keep_indexed(struct cs_slot *s, const uint32_t *dw, uint32_t count, uint32_t index)
{
   if (!slot_room(s, 16))
      return false;
   if (!s->count)
      memset(s->dw, 0, 64);
   s->count = 16;
   memcpy(s->dw + 4 * hw_get(dw[1], index), dw, (count < 4 ? count : 4) * 4);
   return true;
}

bool
cs_state_indexed(const struct hw_command *desc)
{
   return desc->id == GEN7_3DSTATE_SO_BUFFER_ID || desc->id == GEN7_3DSTATE_CHROMA_KEY_ID;
}

bool
cs_state_keep(struct cs *cs, const struct hw_command *desc, const uint32_t *dw, uint32_t count)
{
   if (!cs->slots)
      return true;
   struct cs_slot *s = &cs->slots[desc->id];
   s->stamp = ++cs->stamps;
   sampler_tables_command(&cs->dev->surfaces->sampler, dw, count);
   switch (desc->id) {
   case GEN7_3DSTATE_VERTEX_BUFFERS_ID:
      return keep_vertex_buffers(s, dw, count);
   case GEN7_3DSTATE_SO_BUFFER_ID:
      return keep_indexed(s, dw, count, GEN7_3DSTATE_SO_BUFFER__SO_BUFFER_INDEX);
   case GEN7_3DSTATE_CHROMA_KEY_ID:
      return keep_indexed(s, dw, count, GEN7_3DSTATE_CHROMA_KEY__CHROMAKEY_TABLE_INDEX);
   }
   /* A restored context may have it shorter than it is: who reads it finds zeros. */
   uint32_t whole = desc->layout.length_dw > count ? desc->layout.length_dw : count;
   if (!slot_room(s, whole))
      return false;
   memset(s->dw, 0, (size_t)whole * 4);
   memcpy(s->dw, dw, (size_t)count * 4);
   s->count = count;
   return true;
}

const uint32_t *
cs_state_command(const struct pergola_device *dev, unsigned id, uint32_t *count)
{
   const struct cs *cs = dev->cs[RCS];
   if (id >= GEN7_COMMAND_COUNT || !cs->slots[id].count)
      return NULL;
   if (count)
      *count = cs->slots[id].count;
   return cs->slots[id].dw;
}

uint32_t
cs_state_stamp(const struct pergola_device *dev, unsigned id)
{
   const struct cs *cs = dev->cs[RCS];
   return id < GEN7_COMMAND_COUNT && cs->slots[id].count ? cs->slots[id].stamp : 0;
}

void
cs_state_amend(struct pergola_device *dev, unsigned id, const uint32_t *dw, uint32_t count)
{
   struct cs_slot *s = &dev->cs[RCS]->slots[id];
   memcpy(s->dw, dw, (size_t)(count < s->count ? count : s->count) * 4);
}

const struct state_bases *
cs_state_bases(const struct pergola_device *dev)
{
   return &dev->cs[RCS]->bases;
}

void
cs_thread_env(struct pergola_device *dev, struct mem_space *space, struct eu_env *env)
{
   const struct state_bases *b = cs_state_bases(dev);
   *env = (struct eu_env){.dev = dev,
                          .space = space,
                          .general_state_base = b->general,
                          .surface_state_base = b->surface,
                          .dynamic_state_base = b->dynamic,
                          .indirect_object_base = b->indirect,
                          .instruction_base = b->instruction,
                          .general_state_end = b->general_end,
                          .dynamic_state_end = b->dynamic_end,
                          .indirect_object_end = b->indirect_end,
                          .instruction_end = b->instruction_end,
                          .engine = "EU",
                          .clock = dev->eu_clock};
}

bool
cs_arbitration(const struct pergola_device *dev)
{
   return !dev->cs[RCS]->arbitration_off;
}

enum pipeline
cs_pipeline(const struct pergola_device *dev)
{
   return dev->cs[RCS]->pipeline;
}

/* ---- the commands ---- */

static enum cs_result
keep(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count)
{
   if (rules_on(cs->dev) && !cs->hand)
      cs_order_state(cs, op->desc->id);
   if (cs_state_keep(cs, op->desc, dw, count))
      return CS_DONE;
   cs_report(cs, PERGOLA_FATAL, op->rule, NULL, "out of memory for %u dwords of state", count);
   return CS_ERROR;
}

enum cs_result
state_command(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
              uint64_t *budget)
{
   unsigned id = op->desc->id;
   bool palette =
       id == GEN7_3DSTATE_SAMPLER_PALETTE_LOAD0_ID || id == GEN7_3DSTATE_SAMPLER_PALETTE_LOAD1_ID;
   if (palette &&
       cs_reg(cs, R_INSTPM) &
           REG_RCS_INSTPM__TEXTURE_PALETTE_LOAD_INSTRUCTION_DISABLE) /* RCS-181: parsed and checked,
                                                                        not executed */
      return CS_DONE;
   return keep(cs, op, dw, count);
}

/* RCS-165: a hint; nothing to do in a model. */
enum cs_result
state_prefetch(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
               uint64_t *budget)
{
   return CS_DONE;
}

/* RCS-070: the old pipe is flushed before the new one is selected. */
enum cs_result
pipeline_select(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                uint64_t *budget)
{
   enum cs_result r = cs_drain(cs, budget);
   if (r != CS_DONE)
      return r;
   static const enum pipeline to[4] = {PIPELINE_3D, PIPELINE_MEDIA, PIPELINE_GPGPU, PIPELINE_3D};
   unsigned selection = dw[0] & GEN7_PIPELINE_SELECT__PIPELINE_SELECTION;
   if (selection != 3) /* reserved, named by the validation: the old one stays */
      cs->pipeline = to[selection];
   cs->pipes->media_pipeline_selected(cs->dev->media);
   return keep(cs, op, dw, count);
}

#define BASE(name) GEN7_STATE_BASE_ADDRESS__##name

static uint32_t
bound(struct cs *cs, uint32_t dw, uint32_t base, bool indirect, const char *field)
{
   uint32_t end = dw & BASE(GENERAL_STATE_ACCESS_UPPER_BOUND);
   if (indirect && end == BASE(INDIRECT_OBJECT_ACCESS_UPPER_BOUND)) /* the last page: no bound */
      return 0;
   if (end && end <= base)
      cs_report(cs, PERGOLA_ERROR, "RCS-162", field, "bound 0x%08x does not exceed its base 0x%08x",
                end, base);
   return end;
}

/* RCS-069: what lacks its modify bit keeps the old value. The slot holds the sum. */
static bool
merge_bases(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t merged[10])
{
   struct cs_slot *s = &cs->slots[op->desc->id];
   memset(merged, 0, 40);
   if (s->count)
      memcpy(merged, s->dw, 40);
   merged[0] = dw[0];
   for (unsigned i = 1; i < 10; i++) /* in every dword the same bit */
      if (dw[i] & BASE(GENERAL_STATE_BASE_ADDRESS_MODIFY_ENABLE))
         merged[i] = dw[i];
   return cs_state_keep(cs, op->desc, merged, 10);
}

enum cs_result
state_base_address(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                   uint64_t *budget)
{
   enum cs_result r = cs_drain(cs, budget); /* RCS-163: a full pipeline flush */
   if (r != CS_DONE)
      return r;
   uint32_t m[10];
   if (!merge_bases(cs, op, dw, m))
      return CS_ERROR;
   struct state_bases *b = &cs->bases;
   b->general = m[1] & BASE(GENERAL_STATE_BASE_ADDRESS);
   b->surface = m[2] & BASE(SURFACE_STATE_BASE_ADDRESS);
   b->dynamic = m[3] & BASE(DYNAMIC_STATE_BASE_ADDRESS);
   b->indirect = m[4] & BASE(INDIRECT_OBJECT_BASE_ADDRESS);
   b->instruction = m[5] & BASE(INSTRUCTION_BASE_ADDRESS);
   b->general_end = bound(cs, m[6], b->general, false, "General State Access Upper Bound");
   b->dynamic_end = bound(cs, m[7], b->dynamic, false, "Dynamic State Access Upper Bound");
   b->indirect_end = bound(cs, m[8], b->indirect, true, "Indirect Object Access Upper Bound");
   b->instruction_end = bound(cs, m[9], b->instruction, false, "Instruction Access Upper Bound");
   surface_cache_invalidate(cs->dev->surfaces);
   return CS_DONE;
}

/* RCS-060. */
enum cs_result
mi_topology_filter(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                   uint64_t *budget)
{
   return keep(cs, op, dw, count);
}

/* RCS-067: the URB contents are private to each thread's handles in the model: there is nothing of
 * the old contents to be seen. The last instance is kept. */
enum cs_result
mi_urb_clear(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
             uint64_t *budget)
{
   return keep(cs, op, dw, count);
}

/* ---- to the other units ---- */

static struct cs_command
describe(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count)
{
   return (struct cs_command){
       .cs = cs,
       .dev = cs->dev,
       .desc = op->desc,
       .dw = dw,
       .count_dw = count,
       .address = cs->at[cs->level].address,
       .space = device_data_space(cs->dev, cs->id),
       .hand = &cs->hand,
   };
}

bool
cs_command_begun(struct cs *cs, struct cs_command *c)
{
   if (cs->hand != CS_BEGUN || !cs->op)
      return false;
   *c = describe(cs, cs->op, cs->dw, cs->count);
   return true;
}

uint16_t
cs_command_held(const struct cs *cs)
{
   return cs->hand == CS_FRESH || !cs->op ? GEN7_COMMAND_COUNT : (uint16_t)cs->op->desc->id;
}

/* Behind a command that runs threads. */
static enum cs_result
threads_ran(struct cs *cs, uint64_t instructions, enum cs_result r)
{
   cs_work(cs, instructions);
   cs->attention = true;
   return r;
}

/* RCS-061, RCS-063: GPGPU_WALKER and GPGPU_OBJECT carry Predicate Enable in bit 8. */
static bool
predicated_off(struct cs *cs, const struct cs_op *op, const uint32_t *dw)
{
   uint32_t bit = op->desc->id == GEN7_GPGPU_WALKER_ID   ? GEN7_GPGPU_WALKER__PREDICATE_ENABLE
                  : op->desc->id == GEN7_GPGPU_OBJECT_ID ? GEN7_GPGPU_OBJECT__PREDICATE_ENABLE
                  : op->desc->id == GEN7_3DPRIMITIVE_ID  ? GEN7_3DPRIMITIVE__PREDICATE_ENABLE
                                                         : 0;
   return dw[0] & bit && !cs_predicate(cs);
}

enum cs_result
media_forward(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
              uint64_t *budget)
{
   if (cs_reg(cs, R_INSTPM) & REG_RCS_INSTPM__MEDIA_INSTRUCTION_DISABLE) /* RCS-181 */
      return CS_DONE;
   if (cs->pipeline == PIPELINE_3D && !cs->hand)
      cs_report(cs, PERGOLA_ERROR, "RCS-070", NULL,
                "a media command while the 3D pipe is selected");
   if (predicated_off(cs, op, dw))
      return CS_DONE;
   unsigned id = op->desc->id;
   if (id == GEN7_GPGPU_WALKER_ID && !cs->hand)
      cs_dimension_walker(cs, dw[0] & GEN7_GPGPU_WALKER__INDIRECT_PARAMETER_ENABLE);
   bool loads = id == GEN7_MEDIA_VFE_STATE_ID || id == GEN7_MEDIA_CURBE_LOAD_ID ||
                id == GEN7_MEDIA_INTERFACE_DESCRIPTOR_LOAD_ID;
   if (loads && !cs->hand) { /* VFE state, CURBE and descriptor loads are context */
      cs->media_state_cleared = false;
      enum cs_result r = keep(cs, op, dw, count);
      if (r != CS_DONE)
         return r;
   }
   struct cs_command c = describe(cs, op, dw, count);
   if (__builtin_expect(cs->dev->oa != NULL, 0) && !cs->hand && !loads &&
       id != GEN7_MEDIA_STATE_FLUSH_ID)
      cs_oa_dispatch(cs, op->desc->layout.name, c.address);
   uint64_t given = *budget;
   enum cs_result r = cs->pipes->media_command(cs->dev->media, &c, budget);
   return threads_ran(cs, given - *budget, r);
}

enum cs_result
blitter_forward(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                uint64_t *budget)
{
   struct cs_command c = describe(cs, op, dw, count);
   enum cs_result r = cs->pipes->blitter_command(cs->dev->blitter, &c, budget);
   cs->attention = true;
   return r;
}

/* Is it to be executed at all? */
static bool
primitive_wanted(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count)
{
   if (cs_reg(cs, R_INSTPM) & REG_RCS_INSTPM__3D_RENDERING_INSTRUCTION_DISABLE ||
       predicated_off(cs, op, dw))
      return false;
   if (cs->pipeline != PIPELINE_3D) { /* P3D-003 */
      cs_report(cs, PERGOLA_ERROR, "RCS-070", NULL,
                "a primitive while the media pipe is selected; nothing is drawn");
      return false;
   }
   uint32_t filter_count;
   const uint32_t *filter = cs_state_command(cs->dev, GEN7_MI_TOPOLOGY_FILTER_ID, &filter_count);
   uint32_t only = filter ? filter[0] & GEN7_MI_TOPOLOGY_FILTER__TOPOLOGY_FILTER_VALUE : 0;
   if (only && count > 1 && (dw[1] & GEN7_3DPRIMITIVE__PRIMITIVE_TOPOLOGY_TYPE) != only)
      return false; /* RCS-060: discarded */
   bool indirect = dw[0] & GEN7_3DPRIMITIVE__INDIRECT_PARAMETER_ENABLE;
   if (!indirect && count >= 7 && (!dw[2] || !dw[4]))
      return false; /* P3D-010: no vertices, or no instances of them */
   if (rules_on(cs->dev))
      cs_order_draw(cs);
   return true;
}

enum cs_result
primitive_command(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
                  uint64_t *budget)
{
   if (!cs->hand && !primitive_wanted(cs, op, dw, count))
      return CS_DONE;
   struct cs_command c = describe(cs, op, dw, count);
   if (__builtin_expect(cs->dev->oa != NULL, 0) && !cs->hand)
      cs_oa_dispatch(cs, op->desc->layout.name, c.address);
   uint64_t given = *budget;
   enum cs_result r = cs->pipes->render_primitive(cs->dev->render, &c, budget);
   return threads_ran(cs, given - *budget, r);
}

/* VCS-325: named, its length known, not executed. */
enum cs_result
mfx_command(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,
            uint64_t *budget)
{
   cs_report(cs, PERGOLA_WARNING, "VCS-325", NULL,
             "the codec engine is not modelled: not executed");
   return CS_DONE;
}
