/* GPGPU_OBJECT: one thread of a group per command. */
#include "media/ts.h"

#include "rules/plural.h"

#include <stdlib.h>
#include <string.h>

static bool
same_group(const struct gpgpu_objects *o, const struct hw_gpgpu_object *c)
{
   return o->id[0] == c->thread_group_id_x && o->id[1] == c->thread_group_id_y &&
          o->id[2] == c->thread_group_id_z && o->descriptor == c->interface_descriptor_offset;
}

/* MEDIA-428: the first thread fixes the half-slice of its group. */
static void
check_half_slice(struct media *m, const struct cs_command *c, unsigned select)
{
   struct gpgpu_objects *o = &m->objects;
   if (select > m->dev->sku.half_slices) {
      media_report(m, c, PERGOLA_ERROR, "MEDIA-427", "Half Slice Destination Select",
                   "%u is no half-slice of this part; hardware chooses", select);
      return;
   }
   if (!select)
      return;
   if (!o->count)
      o->half_slice = select;
   else if (o->half_slice != select)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-428", "Half Slice Destination Select",
                   "the group's first thread did not go to half-slice %u; this one follows it",
                   select - 1);
}

static void
check_slm(struct media *m, const struct cs_command *c, const struct hw_gpgpu_object *g)
{
   struct gpgpu_objects *o = &m->objects;
   int block = g->shared_local_memory_fixed_offset ? (int)g->shared_local_memory_offset : -1;
   if (!o->count)
      o->slm_block = block;
   else if (o->slm_block != block)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-205", "Shared Local Memory Offset",
                   "differs from that of the group's first thread, which is used");
}

/* MEDIA-082: the payload table has no indirect data here, the command has its fields. */
static void
take_indirect(struct media *m, const struct cs_command *c, const struct hw_gpgpu_object *g)
{
   struct gpgpu_objects *o = &m->objects;
   uint32_t size = g->indirect_data_length;
   o->indirect_rows[o->count] = 0;
   if (!size)
      return;
   media_report(m, c, PERGOLA_WARNING, "MEDIA-082", "Indirect Data Length",
                "indirect data is not among the payloads of this command; it is delivered");
   if (size % 32 || size > OBJECT_INDIRECT_ROWS * EU_REG_SIZE)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-429", "Indirect Data Length",
                   "%u byte%s; at most 496 dwords in steps of 32 bytes", size, plural(size));
   if (g->indirect_data_start_address % 64)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-430", "Indirect Data Start Address",
                   "%#x is not 64-byte aligned", g->indirect_data_start_address);
   if (size > OBJECT_INDIRECT_ROWS * EU_REG_SIZE)
      size = OBJECT_INDIRECT_ROWS * EU_REG_SIZE;
   if (!o->indirect)
      o->indirect = calloc(GROUP_MAX_THREADS, OBJECT_INDIRECT_ROWS * EU_REG_SIZE);
   if (!o->indirect)
      return;
   uint8_t *to = o->indirect + (size_t)o->count * OBJECT_INDIRECT_ROWS * EU_REG_SIZE;
   memset(to, 0, OBJECT_INDIRECT_ROWS * EU_REG_SIZE);
   vfe_read_indirect(m, c, g->indirect_data_start_address, size, to);
   o->indirect_rows[o->count] = (size + 31) / 32;
}

static void
place_group(struct media *m, const struct cs_command *c, struct gpgpu_job *j)
{
   struct gpgpu_objects *o = &m->objects;
   /* All places of the machine are free here: groups of GPGPU_OBJECTs run one after the other. */
   j->layout.first_half_slice =
       o->half_slice ? o->half_slice - 1 : (unsigned)(o->groups % m->dev->sku.half_slices);
   j->layout.half_slices = 1;
   j->layout.slots = 1;
   j->payload.slm_block = -1;
   unsigned blocks = j->layout.slm_blocks;
   if (o->slm_block < 0 || !blocks)
      return;
   unsigned block = (unsigned)o->slm_block;
   if (block % blocks) {
      media_report(m, c, PERGOLA_ERROR, "MEDIA-425", "Shared Local Memory Offset",
                   "block %u is not aligned to the group's %u blocks", block, blocks);
      block -= block % blocks;
   }
   j->payload.slm_block = (int)block;
}

void
gpgpu_objects_close(struct media *m, const struct cs_command *c)
{
   struct gpgpu_objects *o = &m->objects;
   struct gpgpu_job *j = &m->job;
   struct cs_command none = {.dev = m->dev, .space = device_data_space(m->dev, RCS)};
   const struct cs_command *place = c ? c : &none;
   unsigned count = o->count;
   o->count = 0;
   gpgpu_job_drop(m);
   if (!vfe_ready(m, place) || !descriptor_fetch(m, place, o->descriptor, &j->kernel))
      return;
   media_env(m, place, &j->env);
   if (!descriptor_kernel_mapped(m, &j->env, &j->kernel, place))
      return;
   memcpy(j->mask, o->mask, sizeof(j->mask));
   j->single = true;
   group_layout_init(m, &j->kernel, count, &j->layout);
   j->payload = (struct gpgpu_payload){.env = &j->env,
                                       .kernel = &j->kernel,
                                       .layout = &j->layout,
                                       .mask = j->mask,
                                       .dispatch_key = m->vfe.dispatch_key,
                                       .first_thread = m->vfe.dispatch_key,
                                       .objects = o};
   place_group(m, place, j);
   memcpy(j->first, o->id, sizeof(j->first));
   if (j->layout.barrier && j->layout.barrier_count != count)
      media_report(m, place, PERGOLA_ERROR, "MEDIA-347", "Number of Threads in GPGPU Thread Group",
                   "the descriptor says %u, the group has %u thread%s", j->layout.barrier_count,
                   count, plural(count));
   o->groups++;
   gpgpu_job_begin(m);
}

static void
collect(struct media *m, const struct cs_command *c, const struct hw_gpgpu_object *g)
{
   struct gpgpu_objects *o = &m->objects;
   if (!o->count) {
      o->id[0] = g->thread_group_id_x;
      o->id[1] = g->thread_group_id_y;
      o->id[2] = g->thread_group_id_z;
      o->descriptor = g->interface_descriptor_offset;
      o->half_slice = 0;
   }
   check_half_slice(m, c, g->half_slice_destination_select);
   check_slm(m, c, g);
   take_indirect(m, c, g);
   o->mask[o->count++] = g->execution_mask;
}

enum cs_result
gpgpu_object(struct media *m, const struct cs_command *c, uint64_t *budget)
{
   struct gpgpu_objects *o = &m->objects;
   struct hw_gpgpu_object g;
   gen7_gpgpu_object_unpack(&g, c->dw);
   gpgpu_job_resume(m);
   enum cs_result r = gpgpu_job_run(m, budget, false);
   if (r == CS_DONE)
      r = ts_run(m, budget, ts_idle);
   if (r != CS_DONE || cs_begun(c))
      return r;
   if (c->count_dw != GEN7_GPGPU_OBJECT_LENGTH)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-422", "DWord Length", "%u; it is 6 for this command",
                   c->count_dw - 2);
   /* MEDIA-421 */
   if (g.predicate_enable &&
       !(reg_get(m->dev, REG_MI_PREDICATE_RESULT) & REG_MI_PREDICATE_RESULT__RESULT))
      return CS_DONE;
   if (!vfe_ready(m, c))
      return CS_DONE;
   if (o->count && !same_group(o, &g)) { /* MEDIA-057: the group before has had no end */
      media_report(m, c, PERGOLA_ERROR, "MEDIA-057", "Thread Group ID",
                   "a thread of another group before the last one of (%u, %u, %u) was marked",
                   o->id[0], o->id[1], o->id[2]);
      gpgpu_objects_close(m, c);
      return gpgpu_job_run(m, budget, false) == CS_DONE ? gpgpu_object(m, c, budget) : CS_AGAIN;
   }
   vfe_primitive_issued(m, c, true);
   collect(m, c, &g);
   if (!g.end_of_thread_group && o->count < GROUP_MAX_THREADS)
      return CS_DONE;
   gpgpu_objects_close(m, c);
   cs_begin(c);
   return gpgpu_job_run(m, budget, false);
}
