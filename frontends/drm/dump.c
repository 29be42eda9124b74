/* --dump: every batch with all that it takes to run it again.
 *
 * DIR/batch-NNNNN-RING/ has the state of the device (device.bin) and `index`, lines of words that
 * `pergola exec` reads and people can: which memory there was, at which physical and graphics
 * addresses, before and after. Memory itself is in DIR/memory, a file per content: what does not
 * change from batch to batch is there once. */
#include "kernel.h"

#include "dump.h"
#include "gen7_hw.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct block {
   uint64_t physical, size, graphics;
   bool mapped; /* graphics: where; else it is the kernel's own */
   const char *kind;
   const uint8_t *host;
   struct gem_object *object; /* or NULL; the request has a reference */
   uint64_t hash;
};

struct dump {
   char path[1200]; /* of the batch's directory */
   unsigned blocks;
   bool failed;
   uint8_t *kept; /* the kernel's memory as the batch found it */
   struct block block[];
};

bool
dump_wanted(const struct kernel *k)
{
   return (k->options.dump[0] || k->aub) && k->report;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static uint64_t
hash_of(const uint8_t *data, uint64_t size)
{
   uint64_t h = UINT64_C(0xcbf29ce484222325) ^ size;
   for (uint64_t i = 0; i + 8 <= size; i += 8) {
      uint64_t word;
      memcpy(&word, data + i, 8);
      h = (h ^ word) * UINT64_C(0x100000001b3);
      h ^= h >> 29;
   }
   return h;
}

/* Pages of zeros become holes. */
static bool
write_pages(FILE *f, const uint8_t *data, uint64_t size)
{
   static const uint8_t zeros[PAGE];
   for (uint64_t at = 0; at < size; at += PAGE) {
      bool last = at + PAGE >= size;
      if (!last && !memcmp(data + at, zeros, PAGE)) {
         if (fseeko(f, PAGE, SEEK_CUR))
            return false;
      } else if (fwrite(data + at, 1, last ? size - at : PAGE, f) != (last ? size - at : PAGE)) {
         return false;
      }
   }
   return true;
}

static FILE *
open_in(const char *directory, const char *name, const char *mode)
{
   char path[1400];
   snprintf(path, sizeof(path), "%s/%s", directory, name);
   return fopen(path, mode);
}

static bool
close_file(FILE *f, bool ok)
{
   return f && !fclose(f) && ok;
}

static void
name_of(char name[40], const struct block *b)
{
   snprintf(name, 40, "%016" PRIx64 "-%" PRIx64 ".bin", b->hash, b->size);
}

/* One with this content may be there already. */
static bool
store(const struct kernel *k, const struct block *b)
{
   char name[40], directory[KERNEL_PATH_MAX + 8];
   name_of(name, b);
   snprintf(directory, sizeof(directory), "%s/memory", k->options.dump);
   FILE *f = open_in(directory, name, "rbe");
   if (f) {
      fclose(f);
      return true;
   }
   f = open_in(directory, name, "wbe");
   return close_file(f, f && write_pages(f, b->host, b->size));
}

/* What the kernel keeps for itself, up to the last byte in use: rings, status pages, contexts, page
 * tables. */
static uint64_t
kernel_bytes(const struct kernel *k)
{
   const struct range_alloc *s = &k->memory.space;
   uint64_t end = k->memory.physical;
   for (size_t i = 0; i < s->count; i++) {
      const struct range_node *n = &s->node[i < s->gap ? i : i + s->room - s->count];
      end = n->end > end ? n->end : end;
   }
   return (end - k->memory.physical + PAGE - 1) / PAGE * PAGE;
}

static bool
readable(const struct gem_object *o)
{
   return o->host && (o->arena || o->user_bound);
}

static void
add_object(struct dump *d, struct gem_object *o, uint64_t graphics, const char *kind)
{
   for (unsigned i = 0; i < d->blocks; i++)
      if (d->block[i].physical == o->physical)
         return;
   if (readable(o))
      d->block[d->blocks++] = (struct block){.physical = o->physical,
                                             .size = o->size,
                                             .graphics = graphics,
                                             .mapped = true,
                                             .kind = kind,
                                             .host = (const uint8_t *)o->host,
                                             .object = o};
}

static void
list_blocks(struct kernel *k, struct dump *d, struct request *r)
{
   d->block[d->blocks++] = (struct block){.physical = k->memory.physical,
                                          .size = kernel_bytes(k),
                                          .kind = "kernel",
                                          .host = (const uint8_t *)k->memory.host};
   for (unsigned i = 0; i < r->objects; i++) {
      const struct vma *v = vm_find(r->vm, r->object[i]);
      if (v)
         add_object(d, r->object[i], v->address, i == r->batch ? "batch" : "object");
   }
   if (r->shadow)
      add_object(d, r->shadow, r->shadow_ggtt, "checked-batch");
}

/* What the device may have written in the kernel's memory; the rest is written by the kernel alone,
 * which goes on meanwhile: page tables, images of new contexts. */
static void
see_device_writes(const struct kernel *k, struct dump *d, uint64_t physical, uint64_t size)
{
   const struct block *b = &d->block[0];
   uint64_t at = physical - k->memory.physical;
   if (at < b->size && size <= b->size - at)
      memcpy(d->kept + at, k->memory.host + at, size);
}

static void
kernel_after(const struct kernel *k, struct dump *d, const struct request *r)
{
   for (unsigned i = 0; i < ENGINES; i++)
      see_device_writes(k, d, k->engine[i].hws_physical, PAGE);
   see_device_writes(k, d, k->scratch_physical, PAGE);
   see_device_writes(k, d, r->ctx->image_physical, CONTEXT_IMAGE_SIZE);
   if (r->previous)
      see_device_writes(k, d, r->previous->image_physical, CONTEXT_IMAGE_SIZE);
   d->block[0].host = d->kept;
}

/* ---- the index --------------------------------------------------------------------------------
 */

static void
complain(struct kernel *k, struct dump *d)
{
   if (!d->failed)
      kreport_dump_failed(k, d->path, errno ? errno : EIO);
   d->failed = true;
}

static bool
write_head(FILE *f, struct kernel *k, const struct engine *e, const struct request *r,
           uint32_t tail)
{
   fprintf(f, "pergola-dump 1\npart %s\nengine %s\n", k->sku->name, kernel_ring_names[e->id]);
   fprintf(f, "deterministic %u\nthreads %u\n", k->options.deterministic, k->options.threads);
   fprintf(f, "start 0x%08x %s\n", r->first, r->first_secure ? "ggtt" : "ppgtt");
   fprintf(f, "tail 0x%06x 0x%08x\n", e->base + ENGINE_RING_BUFFER_TAIL, tail);
   return !ferror(f);
}

static bool
write_before(FILE *f, const struct kernel *k, struct dump *d)
{
   bool ok = true;
   for (unsigned i = 0; i < d->blocks; i++) {
      struct block *b = &d->block[i];
      char name[40];
      b->hash = hash_of(b->host, b->size);
      name_of(name, b);
      fprintf(f, "memory 0x%010" PRIx64 " 0x%" PRIx64, b->physical, b->size);
      if (b->mapped)
         fprintf(f, " 0x%08" PRIx64 " %s %s\n", b->graphics, b->kind, name);
      else
         fprintf(f, " - %s %s\n", b->kind, name);
      ok &= store(k, b);
   }
   return ok;
}

static bool
write_device(struct kernel *k, const struct dump *d)
{
   int64_t size = pergola_runner_save(k->runner, NULL, 0), more = 0;
   uint8_t *state = NULL;
   while (size > 0 && size != more) { /* it may grow meanwhile */
      free(state);
      state = malloc((size_t)size);
      more = size;
      size = state ? pergola_runner_save(k->runner, state, (size_t)size) : -ENOMEM;
   }
   if (size <= 0) {
      free(state);
      errno = (int)-size;
      return false;
   }
   FILE *f = open_in(d->path, "device.bin", "wbe");
   bool ok = f && fwrite(state, 1, (size_t)size, f) == (size_t)size;
   free(state);
   return close_file(f, ok);
}

static bool
make_directories(const struct kernel *k, const struct dump *d)
{
   char memory[KERNEL_PATH_MAX + 8];
   snprintf(memory, sizeof(memory), "%s/memory", k->options.dump);
   return (!mkdir(memory, 0777) || errno == EEXIST) && (!mkdir(d->path, 0777) || errno == EEXIST);
}

void
dump_before(struct kernel *k, const struct engine *e, struct request *r, uint32_t tail)
{
   if (r->zombie || !k->runner)
      return;
   record_before(k, r);
   if (!k->options.dump[0])
      return;
   struct dump *d = calloc(1, sizeof(*d) + (r->objects + 2) * sizeof(d->block[0]));
   dump_free(r->dump); /* after a reset it may be here for the second time */
   r->dump = d;
   if (!d)
      return;
   kreport_dump_name(k, r, d->path, sizeof(d->path));
   list_blocks(k, d, r);
   errno = ENOMEM;
   d->kept = malloc(d->block[0].size);
   if (!d->kept) {
      complain(k, d);
      return;
   }
   memcpy(d->kept, d->block[0].host, d->block[0].size);
   errno = 0;
   bool ok = make_directories(k, d) && write_device(k, d);
   FILE *f = ok ? open_in(d->path, "index", "we") : NULL;
   ok = f && write_head(f, k, e, r, tail) && write_before(f, k, d);
   if (!close_file(f, ok))
      complain(k, d);
}

void
dump_after(struct kernel *k, struct request *r, bool hung)
{
   struct dump *d = r->dump;
   record_after(k, r, hung);
   if (!d || d->failed)
      return;
   FILE *f = open_in(d->path, "index", "ae");
   bool ok = f != NULL;
   kernel_after(k, d, r);
   for (unsigned i = 0; ok && i < d->blocks; i++) {
      struct block *b = &d->block[i];
      if (b->object && !readable(b->object))
         continue; /* the client has taken it away */
      uint64_t hash = hash_of(b->host, b->size);
      if (hash == b->hash)
         continue;
      b->hash = hash;
      char name[40];
      name_of(name, b);
      fprintf(f, "after 0x%010" PRIx64 " %s\n", b->physical, name);
      ok = store(k, b);
   }
   if (f)
      fprintf(f, "end %s\n", hung ? "hung" : "done");
   if (!close_file(f, ok && f && !ferror(f)))
      complain(k, d);
}

/* A batch may wait for the client itself, or for a fence that is somebody else's. An AUB file has
 * what the client writes meanwhile: there a batch that waits, or that goes on for so long, is taken
 * for one that does. */
#define WAIT_NS 10000000000ll
#define LOOK_NS 20000000ll
#define SETTLE_NS 100000ll
#define WAIT_UNITS 20000000u

static bool
may_want_client(const struct kernel *k)
{
   for (unsigned i = 0; i < ENGINES; i++) {
      const struct engine *e = &k->engine[i];
      if (__atomic_load_n(&e->waits_since, __ATOMIC_RELAXED) ||
          __atomic_load_n(&e->busy_budget, __ATOMIC_RELAXED) > WAIT_UNITS)
         return !k->options.dump[0];
   }
   return false;
}

static bool
engines_run(const struct kernel *k)
{
   for (unsigned i = 0; i < ENGINES; i++) {
      struct pergola_engine_status s;
      pergola_runner_engine(k->runner, (enum pergola_engine)k->engine[i].id, &s);
      if (s.state == PERGOLA_ENGINE_RUNNING)
         return true;
   }
   return false;
}

void
dump_settle(struct kernel *k)
{
   int64_t deadline = monotonic_ns() + WAIT_NS;
   while (k->runner && engines_run(k) && monotonic_ns() < deadline && !may_want_client(k))
      kernel_wait(k, monotonic_ns() + SETTLE_NS);
}

void
dump_wait(struct kernel *k, struct fence *f)
{
   int64_t deadline = monotonic_ns() + WAIT_NS;
   while (f->emitted && !fence_done(f) && monotonic_ns() < deadline && !may_want_client(k))
      kernel_wait(k, monotonic_ns() + LOOK_NS);
   fence_unref(f);
}

void
dump_free(struct dump *d)
{
   if (d)
      free(d->kept);
   free(d);
}
