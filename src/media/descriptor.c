/* Interface descriptors: fetched from the URB, checked, turned into the initial state of a thread.
 */
#include "media/ts.h"

#include <string.h>

struct violation_place {
   struct media *m;
   const struct cs_command *c;
};

static void
descriptor_violation(void *data, const struct hw_layout *layout, const struct hw_field *field,
                     uint64_t raw, const char *why)
{
   struct violation_place *p = data;
   const char *rule = field->ledger[0] ? field->ledger : layout->ledger;
   media_report(p->m, p->c, PERGOLA_ERROR, rule, field->name, "interface descriptor: %s (%#llx)",
                why, (unsigned long long)raw);
}

/* MEDIA-331, MEDIA-332 and MEDIA-333: the enables change their bit numbers on the way. */
static void
initial_control(struct kernel_state *k)
{
   const struct hw_interface_descriptor_data *d = &k->d;
   k->cr0[0] = hw_put((uint32_t)d->floating_point_mode, GEN7_CONTROL_REGISTER__ALT_MODE) |
               hw_put(d->single_program_flow, GEN7_CONTROL_REGISTER__SINGLE_PROGRAM_FLOW) |
               hw_put(d->rounding_mode, GEN7_CONTROL_REGISTER__ROUNDING_MODE);
   k->cr0[1] = eu_exceptions(d->illegal_opcode_exception_enable, d->maskstack_exception_enable,
                             d->software_exception_enable);
}

/* MEDIA-202: powers of two only. What is not one is rounded up, so that the kernel has its room. */
static unsigned
shared_memory_size(unsigned units)
{
   unsigned size = 1;
   while (size < units && size < 16)
      size *= 2;
   return units ? size * SLM_BLOCK : 0;
}

static void
check_shared_memory(struct media *m, const struct cs_command *c, const struct kernel_state *k)
{
   unsigned units = k->d.shared_local_memory_size;
   if (units & (units - 1) || units > 16)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-344", "Shared Local Memory Size",
                   "%u is not 0, 1, 2, 4, 8 or 16 blocks of 4 KiB; %u bytes are given to the group",
                   units, k->slm_size_B);
}

void
kernel_state_unpack(struct kernel_state *k)
{
   gen7_interface_descriptor_data_unpack(&k->d, k->dw);
   initial_control(k);
   k->slm_size_B = shared_memory_size(k->d.shared_local_memory_size);
}

bool
descriptor_fetch(struct media *m, const struct cs_command *c, unsigned index,
                 struct kernel_state *k)
{
   memset(k, 0, sizeof(*k));
   /* MEDIA-321: the field is U5; larger values wrap, and an entry that no load wrote still has what
    * the URB holds. */
   k->index = index & (VFE_DESCRIPTOR_ROWS - 1);
   if (index >= VFE_DESCRIPTOR_ROWS)
      media_report(m, c, PERGOLA_ERROR, "MEDIA-321", "Interface Descriptor Offset",
                   "%u is past the 32 descriptors; %u is used", index, k->index);
   if (!(m->vfe.descriptors_loaded >> k->index & 1))
      media_report(m, c, PERGOLA_ERROR, "MEDIA-321", "Interface Descriptor Offset",
                   "descriptor %u was not loaded by any MEDIA_INTERFACE_DESCRIPTOR_LOAD", k->index);
   /* Entry i of the URB, 8 dwords each. */
   urb_read(m->dev->urb, (uint64_t)k->index * URB_ROW_SIZE, k->dw,
            sizeof(k->dw)); /* MEDIA-099, MEDIA-320 */
   kernel_state_unpack(k);
   if (rules_on(m->dev)) {
      struct violation_place place = {m, c};
      hw_validate(m->descriptor_layout, k->dw, sizeof(k->dw) / 4, descriptor_violation, &place);
   }
   check_shared_memory(m, c, k);
   return true;
}

bool
descriptor_kernel_mapped(struct media *m, const struct eu_env *env, const struct kernel_state *k,
                         const struct cs_command *c)
{
   uint32_t address = env->instruction_base + k->d.kernel_start_pointer;
   if (mem_probe(env->space, address, 16, MEM_READ))
      return true;
   bool hangs = m->dev->config.deadlocks_hang;
   media_report(m, c, PERGOLA_ERROR, "MEDIA-327", "Kernel Start Pointer",
                "descriptor %u: the kernel at %#x is not mapped; %s", k->index, address,
                hangs ? "its threads wait for it" : "nothing is dispatched");
   return hangs;
}

void
media_env(struct media *m, const struct cs_command *c, struct eu_env *env)
{
   cs_thread_env(m->dev, c->space, env);
   env->media_pipeline = true;
   env->spawner = ts_message;
}
