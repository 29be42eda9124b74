/* What the `error` file tells after a hang: registers, the batch where the engine read it, ring,
 * status page, context, and the objects that the client asked to have captured, in the form of
 * Linux 6.1. A file that the user has asked for gets all objects: enough to run it again. */
#include "kernel.h"

#include "gen7_hw.h"
#include "hang/error_state_write.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* More than that is left out: a client may ask for gigabytes. */
#define CAPTURE_LIMIT (64u << 20)
#define FIXED 4u /* blocks of an engine beside the client's objects */

struct collection {
   struct error_state state;
   struct error_state_memory *memory;
   unsigned room, left_out;
   uint64_t bytes;
};

static uint32_t
read_register(void *data, uint32_t offset)
{
   return bus_read(data, offset);
}

static void
add(struct collection *c, const struct engine *e, const char *name, uint64_t address,
    const void *bytes, uint64_t size)
{
   if (size > CAPTURE_LIMIT - c->bytes || c->state.memories == c->room) {
      c->left_out++;
      return;
   }
   c->bytes += size;
   c->memory[c->state.memories++] =
       (struct error_state_memory){(unsigned)e->id, name, address, size, bytes};
}

static void
add_object(struct collection *c, const struct engine *e, const char *name, struct vm *vm,
           const struct gem_object *o)
{
   const struct vma *v = vm_find(vm, o);
   if (v && o->host)
      add(c, e, name, v->address, o->host, o->size);
}

/* The one that the engine reads: a copy that the command parser has checked, where there is one. */
static void
add_batch(struct collection *c, const struct engine *e, const struct request *r)
{
   if (r->shadow && r->shadow_ggtt)
      add(c, e, "batch", r->shadow_ggtt, r->shadow->host, r->shadow->size);
   else
      add_object(c, e, "batch", r->vm, r->object[r->batch]);
}

static void
add_engine(struct collection *c, struct kernel *k, const struct engine *e, bool all)
{
   const struct request *r = e->inflight;
   add(c, e, "HW Status", e->hws_ggtt, e->hws, PAGE);
   if (r->objects)
      add_batch(c, e, r);
   for (unsigned i = 0; i < r->objects; i++) {
      bool asked = r->capture && r->capture[i], again = i == r->batch && !r->shadow;
      if (asked || (all && !again))
         add_object(c, e, "user", r->vm, r->object[i]);
   }
   if (all && r->shadow)
      add_object(c, e, "user", r->vm, r->shadow);
   add(c, e, "ring", e->ring.ggtt, e->ring.host, e->ring.size);
   if (e->id == KERNEL_RCS && r->ctx->image_ggtt)
      add(c, e, "HW context", r->ctx->image_ggtt,
          k->memory.host + (r->ctx->image_physical - k->memory.physical), CONTEXT_IMAGE_SIZE);
}

static bool
collect(struct collection *c, struct kernel *k, const struct engine *hung, bool all)
{
   for (int i = 0; i < ENGINES; i++)
      c->room += k->engine[i].inflight ? k->engine[i].inflight->objects + FIXED + 1 : 0;
   c->memory = calloc(c->room ? c->room : 1, sizeof(*c->memory));
   if (!c->memory)
      return false;
   for (int i = 0; i < ENGINES; i++) {
      const struct engine *e = &k->engine[i];
      const struct request *r = e->inflight;
      if (!r)
         continue;
      c->state.engine[i] = (struct error_state_engine){.active = true,
                                                       .hung = e == hung,
                                                       .head = r->ring_begin,
                                                       .postfix = r->ring_postfix,
                                                       .tail = r->ring_end};
      add_engine(c, k, e, all);
   }
   c->state.memory = c->memory;
   return true;
}

static bool
write_state(FILE *f, struct kernel *k, const struct engine *e, bool all, unsigned *left_out)
{
   char process[16] = "";
   struct collection c = {.state = {.read = read_register,
                                    .data = k,
                                    .process = process,
                                    .pid = (int)getpid(),
                                    .resets = k->resets,
                                    .sku = k->sku}};
   prctl(PR_GET_NAME, process);
   bool ok = collect(&c, k, e, all) && error_state_write(f, &c.state);
   *left_out = c.left_out;
   free(c.memory);
   return ok;
}

/* For later, under the name that the user has given. Whoever looks meanwhile, from whatever
 * process, sees a whole file or none; a pipe or a device stays what it is. */
static void
save(struct kernel *k, const struct engine *e)
{
   const char *path = k->options.error_state;
   char fresh[KERNEL_PATH_MAX + 24];
   unsigned left_out = 0;
   struct stat s;
   bool special = !stat(path, &s) && !S_ISREG(s.st_mode);
   snprintf(fresh, sizeof(fresh), special ? "%s" : "%s.%d", path, (int)getpid());
   FILE *f = fopen(fresh, "we");
   bool ok = f && write_state(f, k, e, true, &left_out);
   if (f)
      ok &= fclose(f) == 0;
   if (!ok || (!special && rename(fresh, path))) {
      kreport_unwritten(k, path, errno);
      if (!special)
         unlink(fresh);
      return;
   }
   fprintf(stderr, "pergola: the error state is in %s; 'pergola replay' runs it again\n", path);
   if (left_out)
      fprintf(stderr, "pergola: objects that are too large to be in it: %u\n", left_out);
}

/* DRM-106 */
void
error_state_capture(struct kernel *k, const struct engine *e)
{
   const struct request *r = e->inflight;
   unsigned left_out;
   /* The first one counts, until somebody has looked at it and clears it. */
   if (k->error_state || (r && r->ctx->no_error_capture))
      return;
   FILE *f = open_memstream(&k->error_state, &k->error_size);
   if (!f)
      return;
   bool ok = write_state(f, k, e, false, &left_out);
   if (fclose(f) || !ok)
      error_state_clear(k);
   else if (k->options.error_state[0])
      save(k, e);
}

void
error_state_clear(struct kernel *k)
{
   free(k->error_state);
   k->error_state = NULL;
   k->error_size = 0;
}
