/* Creation, destruction, reset. */
#include "blitter/blitter.h"
#include "cs/cs.h"
#include "device/part.h"
#include "device/assembly.h"
#include "dispatch/dispatch.h"
#include "eu/eu.h"
#include "gen11/gen11.h"
#include "media/media.h"
#include "render/render.h"
#include "sanitize/sanitize.h"
#include "shared_functions/gateway.h"
#include "shared_functions/sf.h"
#include "shared_functions/urb.h"
#include "surface/surface.h"

#include <stdlib.h>
#include <string.h>

static bool
create_memory(struct pergola_device *dev)
{
   dev->gsm = calloc(1, MEM_GSM_SIZE);
   bool ok = dev->gsm && mem_space_init(&dev->ggtt, dev, false, ENGINE_COUNT);
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      ok = ok && mem_space_init(&dev->ppgtt[e], dev, true, e);
   return ok;
}

static const struct cs_pipes pipes = {
    .media_command = media_command,
    .media_idle = media_idle,
    .media_drain = media_drain,
    .media_flushed = media_flushed,
    .media_pipeline_selected = media_pipeline_selected,
    .media_context_save = media_context_save,
    .media_context_restore = media_context_restore,
    .media_drop_work = media_drop_work,
    .media_reset = media_reset,
    .render_primitive = render_primitive,
    .render_reset = render_reset,
    .blitter_command = blitter_command,
};

static bool
create_units(struct pergola_device *dev)
{
   dev->surfaces = surface_cache_create(dev);
   dev->eu = eu_create(dev, &sf_functions);
   dev->gateway = gateway_create();
   dev->urb = urb_create(dev);
   dev->dispatcher = dispatcher_create(dev);
   if (!dev->surfaces || !dev->eu || !dev->gateway || !dev->urb || !dev->dispatcher)
      return false;
   dev->media = media_create(dev);
   dev->blitter = blitter_create(dev);
   dev->render = render_create(dev);
   bool ok = dev->media && dev->blitter && dev->render;
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      dev->cs[e] = cs_create(dev, e, &pipes);
      ok = ok && dev->cs[e];
   }
   return ok;
}

static struct pergola_device *
fail(struct pergola_device *dev, const char **error, const char *text)
{
   pergola_device_destroy(dev);
   if (error)
      *error = text;
   return NULL;
}

static void
where(const struct pergola_device *dev, enum engine_id engine, struct machine_where *w)
{
   *w = (struct machine_where){0};
   if (dev->cs[engine])
      cs_where(dev->cs[engine], w);
}

static const struct machine_calls calls = {
    .where = where,
    .register_read = hook_read,
    .register_written = hook_written,
    .interrupt_changed = pci_interrupt_changed,
    .forget_memory = device_forget_memory,
};

static const struct machine_calls gen11_calls = {
    .where = gen11_where,
    .register_read = gen11_register_read,
    .register_written = gen11_register_written,
    .interrupt_changed = pci_interrupt_changed,
    .forget_memory = device_forget_memory,
};

static bool
create_gt(struct pergola_device *dev)
{
   if (dev->hw_device != HW_ICL)
      return create_memory(dev) && create_units(dev);
   dev->gen11 = gen11_create(dev);
   return dev->gen11;
}

#define TEXT_OF(x) #x
#define VERSION_TEXT(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const char *
pergola_version(void)
{
   return VERSION_TEXT(PERGOLA_VERSION_MAJOR, PERGOLA_VERSION_MINOR, PERGOLA_VERSION_PATCH);
}

struct pergola_device *
pergola_device_create(const struct pergola_config *config, const char **error)
{
   static const struct pergola_config defaults = {.check = PERGOLA_CHECK_REPORT};
   struct pergola_config whole = {0};
   if (!config)
      config = &defaults;
   if (config->size > sizeof(whole))
      return fail(NULL, error, "the configuration is of a newer version");
   memcpy(&whole, config, config->size ? config->size : sizeof(whole));
   config = &whole;
   const struct part *part = part_find(config->sku);
   if (!part)
      return fail(NULL, error, "no such part; pergola_sku_at() lists them");
   if (config->sanitize && part->hw_device == HW_ICL)
      return fail(NULL, error, "the sanitizer looks at EU threads, which this part does not run");
   struct pergola_device *dev = calloc(1, sizeof(*dev));
   if (!dev)
      return fail(NULL, error, "out of memory");
   dev->sku = part->sku;
   dev->config = *config;
   dev->config.sku = part->sku.name;
   dev->hw_device = part->hw_device;
   memcpy(dev->urb_rows, part->urb_rows, sizeof(dev->urb_rows));
   dev->calls = part->hw_device == HW_ICL ? &gen11_calls : &calls;
   dev->phys = phys_create();
   trace_init(&dev->trace);
   dev->rules = rules_create(dev, config->check);
   dev->pci = pci_create(dev);
   if (config->sanitize)
      dev->sanitizer = sanitizer_create(dev, config->sanitize);
   if ((config->sanitize && !dev->sanitizer) || !dev->rules || !dev->pci || !dev->phys ||
       !regs_create(dev) || !create_gt(dev))
      return fail(dev, error, "out of memory");
   return dev;
}

void
pergola_device_destroy(struct pergola_device *dev)
{
   if (!dev)
      return;
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      if (dev->cs[e])
         cs_destroy(dev->cs[e]);
   if (dev->render)
      render_destroy(dev->render);
   if (dev->blitter)
      blitter_destroy(dev->blitter);
   if (dev->media)
      media_destroy(dev->media);
   if (dev->dispatcher)
      dispatcher_destroy(dev->dispatcher);
   if (dev->urb)
      urb_destroy(dev->urb);
   if (dev->gateway)
      gateway_destroy(dev->gateway);
   if (dev->eu)
      eu_destroy(dev->eu);
   sanitizer_destroy(dev->sanitizer);
   if (dev->surfaces)
      surface_cache_destroy(dev->surfaces);
   gen11_destroy(dev->gen11);
   mem_space_finish(&dev->ggtt);
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      mem_space_finish(&dev->ppgtt[e]);
   phys_destroy(dev->phys);
   free(dev->gsm);
   regs_destroy(dev);
   pci_destroy(dev->pci);
   rules_destroy(dev->rules);
   trace_finish(&dev->trace);
   free(dev);
}

const struct pergola_sku *
pergola_device_sku(const struct pergola_device *dev)
{
   return &dev->sku;
}

void
device_forget_memory(struct pergola_device *dev)
{
   if (dev->gen11)
      return; /* it looks every time */
   mem_invalidate_all(dev);
   surface_cache_invalidate(dev->surfaces);
   eu_invalidate_instructions(dev->eu);
}

/* MEM-007: an entry takes effect at once; what was translated through the old one is dropped. */
void
device_gtt_written(struct pergola_device *dev, uint32_t index)
{
   __atomic_store_n(&dev->ggtt.table[index], 0, __ATOMIC_RELAXED);
}

/* The lasting interrupt status of an engine falls with it. */
static void
drop_status(struct pergola_device *dev, enum engine_id engine)
{
   reg_set(dev, REG_GTISR, reg_get(dev, REG_GTISR) & ~engine_interrupts[engine].all);
}

/* MEM-014: the engine's registers and pipeline return to default and its work is dropped; memory,
 * the GGTT, fences, display and the timestamp stay. */
void
device_reset(struct pergola_device *dev, unsigned domains)
{
   regs_reset(dev, domains);
   for (unsigned e = 0; e < ENGINE_COUNT; e++) {
      if (!(domains >> (HW_RESET_RCS + e) & 1))
         continue;
      mem_unload_directory(&dev->ppgtt[e]);
      cs_reset(dev->cs[e]);
      dev->fault_fatal &= ~(1u << e);
      drop_status(dev, e);
   }
   if (domains >> HW_RESET_RCS & 1) {
      dev->posted_count = 0; /* CS-024: its threads are gone, and what they have asked for */
      media_reset(dev->media);
      render_reset(dev->render);
   }
   if (domains >> HW_RESET_BCS & 1)
      blitter_reset(dev->blitter);
   device_forget_memory(dev);
   rules_clear_stop(dev);
   interrupt_update(dev);
}

/* SYS-435: the engines, the GT device domain and all interrupt logic; memory and GGTT entries stay.
 */
void
device_function_reset(struct pergola_device *dev)
{
   if (dev->gen11) {
      gen11_function_reset(dev->gen11);
      return;
   }
   device_reset(dev,
                1u << HW_RESET_FULL | 1u << HW_RESET_RCS | 1u << HW_RESET_VCS | 1u << HW_RESET_BCS);
   regs_reset(dev, 1u << HW_RESET_NONE);
   dev->wells_asleep = 0;
   interrupt_reset(dev);
}

/* Pending while the record of the fault is valid. VCS-105 */
static void
fault_level(struct pergola_device *dev, enum engine_id engine, bool level)
{
   interrupt_gt_level(dev, engine, engine_interrupts[engine].page_fault, level);
}

/* VCS-014: a page fault raises the engine's interrupt; one through an unloaded directory is fatal.
 */
void
device_take_faults(struct pergola_device *dev)
{
   uint32_t events = __atomic_exchange_n(&dev->fault_event, 0, __ATOMIC_RELAXED);
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      if (events >> e & 1)
         fault_level(dev, e, true);
   if (events & FAULT_EVENT_WRITE_INVALID && dev->hw_device == HW_VLV) {
      reg_set(dev, REG_VLV_ISR, reg_get(dev, REG_VLV_ISR) | REG_VLV_ISR__GAM_WRITE_INVALID);
      interrupt_display(dev, REG_VLV_IIR__GAM_WRITE_INVALID);
   }
}

void
device_fault_cleared(struct pergola_device *dev, enum engine_id engine)
{
   fault_level(dev, engine, false);
}
