/* What the `error` file tells after a hang: the engine's registers, the batch, and the objects that
 * the client asked to have captured, in the form that intel_error_decode and Mesa's tools read. */
#include "kernel.h"

#include "gen7_hw.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <unistd.h>

/* More than that is left out: a client may ask for gigabytes. */
#define CAPTURE_LIMIT (64u << 20)

static const char *const engine_names[ENGINES] = {"rcs0", "vcs0", "bcs0"};

/* Five characters for a dword, one for a zero. */
static void
print_dword(FILE *f, uint32_t v)
{
   char text[6] = "";
   if (!v) {
      fputc('z', f);
      return;
   }
   for (int i = 4; i >= 0; i--) {
      text[i] = (char)('!' + v % 85);
      v /= 85;
   }
   fputs(text, f);
}

static void
print_memory(FILE *f, const struct engine *e, const char *what, uint64_t address, const void *host,
             uint64_t size, uint64_t *room)
{
   fprintf(f, "%s --- %s = 0x%08x %08x\n", engine_names[e->id], what, (uint32_t)(address >> 32),
           (uint32_t)address);
   if (size > *room)
      return;
   *room -= size;
   fputc('~', f);
   for (uint64_t i = 0; i < size / 4; i++)
      print_dword(f, ((const volatile uint32_t *)host)[i]);
   fputc('\n', f);
}

static void
print_object(FILE *f, const struct engine *e, const char *what, struct vm *vm,
             const struct gem_object *o, uint64_t *room)
{
   const struct vma *v = vm_find(vm, o);
   if (v && o->host)
      print_memory(f, e, what, v->address, o->host, o->size, room);
}

static void
print_engine(FILE *f, struct kernel *k, const struct engine *e)
{
   static const struct {
      const char *name;
      uint32_t offset;
   } reg[] = {{"START", 0x38}, {"HEAD", 0x34},    {"TAIL", 0x30},  {"CTL", 0x3c},
              {"MODE", 0x9c},  {"HWS", 0},        {"ACTHD", 0x74}, {"IPEIR", 0x64},
              {"IPEHR", 0x68}, {"INSTDONE", 0x6c}};
   fprintf(f, "%s command stream:\n", engine_names[e->id]);
   for (size_t i = 0; i < sizeof(reg) / sizeof(reg[0]); i++) {
      uint32_t v = reg[i].offset ? bus_read(k, e->base + reg[i].offset) : (uint32_t)e->hws_ggtt;
      fprintf(f, "  %s: 0x%08x\n", reg[i].name, v);
   }
   fprintf(f, "  hangcheck: %u requests on the ring\n", e->outstanding);
}

static void
print_head(FILE *f, struct kernel *k, const struct engine *e)
{
   uint32_t ipehr = bus_read(k, e->base + 0x68);
   fprintf(f, "GPU HANG: ecode 7:%x:%08x\n", 1u << e->id, ipehr);
   fprintf(f, "Active process (on ring %s): [%d]\n", engine_names[e->id], (int)getpid());
   fprintf(f, "Reset count: %u\n", k->resets);
   fprintf(f, "Platform: %s\n", k->sku->name);
   fprintf(f, "PCI ID: 0x%04x\nPCI Revision: 0x%02x\n", k->sku->pci_device_id,
           k->sku->pci_revision);
   fprintf(f, "EIR: 0x%08x\n", bus_read(k, REG_RCS_EIR));
}

/* For later, under the name that the user has given. */
static void
save(const struct kernel *k)
{
   const char *path = k->options.error_state;
   FILE *f = fopen(path, "we");
   bool bad = !f || fwrite(k->error_state, 1, k->error_size, f) != k->error_size;
   if (f)
      bad |= fclose(f) != 0;
   if (bad)
      fprintf(stderr, "pergola: %s: %s\n", path, strerror(errno));
   else
      fprintf(stderr, "pergola: the error state is in %s; 'pergola replay' runs it again\n", path);
}

/* DRM-106 */
void
error_state_capture(struct kernel *k, const struct engine *e, const char *threads)
{
   const struct request *r = e->inflight;
   /* The first one counts, until somebody has looked at it and clears it. */
   if (k->error_state || (r && r->ctx->no_error_capture))
      return;
   FILE *f = open_memstream(&k->error_state, &k->error_size);
   if (!f)
      return;
   uint64_t room = CAPTURE_LIMIT;
   print_head(f, k, e);
   print_engine(f, k, e);
   fputs(threads, f);
   if (r && r->objects)
      print_object(f, e, "batch", r->vm, r->object[r->batch], &room);
   for (unsigned i = 0; r && r->capture && i < r->objects; i++)
      if (r->capture[i])
         print_object(f, e, "user", r->vm, r->object[i], &room);
   print_memory(f, e, "ring", e->ring.ggtt, e->ring.host, e->ring.size, &room);
   print_memory(f, e, "HW Status", e->hws_ggtt, e->hws, PAGE, &room);
   if (fclose(f))
      error_state_clear(k);
   else if (k->options.error_state[0])
      save(k);
}

void
error_state_clear(struct kernel *k)
{
   free(k->error_state);
   k->error_state = NULL;
   k->error_size = 0;
}
