/* A private device for one kernel: include/pergola/pergola_eu.h. */
#include "pergola/pergola_eu.h"
#include "pergola/pergola_machine.h"

#include "eu/isa/asm.h"
#include "eu/jit/jit.h"
#include "eu/op.h"
#include "eu/group.h"
#include "surface/surface.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Graphics addresses. Page 0 stays unmapped. */
enum {
   CODE_ADDRESS = 0x00010000,
   CODE_SIZE = 0x00100000,
   SURFACE_ADDRESS = 0x00200000, /* binding table, then surface states */
   SURFACE_SIZE = 0x00010000,
   DYNAMIC_ADDRESS = 0x00210000,
   DYNAMIC_SIZE = 0x00010000,
   SCRATCH_ADDRESS = 0x00300000,
   SCRATCH_SIZE = 0x00100000,
   SCRATCH_PER_THREAD = 0x1000,
   BUFFER_ADDRESS = 0x01000000,
   BUFFER_END = 0x70000000,
};
#define STATES_OFFSET 0x400u
#define STATE_SIZE 32u
#define SLM_SIZE 0x10000u
#define MAX_BREAKS 64
#define SLICE 4096u

struct bench_hook {
   struct eu_debug debug;
   struct pergola_eu_bench *bench;
   unsigned thread;
   bool pass; /* the next breakpoint */
};

struct pergola_eu_bench {
   struct pergola_device *dev;
   struct eu_env env;
   uint8_t *fixed; /* everything below BUFFER_ADDRESS */
   void *buffer[PERGOLA_EU_MAX_BUFFERS];
   uint32_t address[PERGOLA_EU_MAX_BUFFERS], size[PERGOLA_EU_MAX_BUFFERS]; /* of buffers */
   uint32_t next_buffer;
   struct eu_program program;
   struct eu_thread *threads;
   struct eu_thread *pointer[PERGOLA_EU_MAX_THREADS];
   struct bench_hook hook[PERGOLA_EU_MAX_THREADS];
   enum pergola_eu_state state[PERGOLA_EU_MAX_THREADS];
   struct eu_group group;
   uint8_t slm[SLM_SIZE];
   unsigned thread_count;
   uint32_t breaks[MAX_BREAKS];
   unsigned break_count;
   pergola_eu_trace_fn trace;
   void *trace_data;
};

/* ---- the device ----------------------------------------------------------------------------- */

static bool
add_memory(struct pergola_eu_bench *b, uint32_t address, void *host, uint32_t size)
{
   uint64_t physical = UINT64_C(0x100000000) + address;
   if (pergola_memory_add(b->dev, physical, host, size, 0))
      return false;
   pergola_machine_map(&(struct pergola_machine){.dev = b->dev}, address, physical, size / 4096);
   return true;
}

static bool
open_device(struct pergola_eu_bench *b, const struct pergola_config *config, const char **error)
{
   b->dev = pergola_device_create(config, error);
   if (!b->dev)
      return false;
   *error = "this part runs no EU threads";
   if (!b->dev->eu)
      return false;
   size_t size = PERGOLA_EU_MAX_THREADS * sizeof(struct eu_thread);
   b->fixed = aligned_alloc(4096, BUFFER_ADDRESS);
   b->threads = aligned_alloc(64, (size + 63) & ~(size_t)63);
   *error = "no memory";
   if (!b->fixed || !b->threads)
      return false;
   memset(b->threads, 0, size);
   static const struct {
      uint32_t address, size;
   } parts[] = {{CODE_ADDRESS, CODE_SIZE},
                {SURFACE_ADDRESS, SURFACE_SIZE},
                {DYNAMIC_ADDRESS, DYNAMIC_SIZE},
                {SCRATCH_ADDRESS, SCRATCH_SIZE}};
   for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
      memset(b->fixed + parts[i].address, 0, parts[i].size);
      if (!add_memory(b, parts[i].address, b->fixed + parts[i].address, parts[i].size))
         return false;
   }
   return true;
}

struct pergola_eu_bench *
pergola_eu_create(const struct pergola_config *config, const char **error)
{
   const char *ignored;
   struct pergola_eu_bench *b = calloc(1, sizeof(*b));
   error = error ? error : &ignored;
   *error = "no memory";
   if (!b)
      return NULL;
   if (!open_device(b, config, error)) {
      pergola_eu_destroy(b);
      return NULL;
   }
   *error = NULL;
   b->next_buffer = BUFFER_ADDRESS;
   b->env = (struct eu_env){.dev = b->dev,
                            .space = &b->dev->ggtt,
                            .general_state_base = 0,
                            .surface_state_base = SURFACE_ADDRESS,
                            .dynamic_state_base = DYNAMIC_ADDRESS,
                            .instruction_base = CODE_ADDRESS,
                            .media_pipeline = true,
                            .engine = "EU"};
   for (unsigned i = 0; i < PERGOLA_EU_MAX_THREADS; i++)
      b->pointer[i] = &b->threads[i];
   return b;
}

void
pergola_eu_destroy(struct pergola_eu_bench *b)
{
   if (!b)
      return;
   pergola_device_destroy(b->dev);
   for (unsigned i = 0; i < PERGOLA_EU_MAX_BUFFERS; i++)
      free(b->buffer[i]);
   eu_program_free(&b->program);
   free(b->fixed);
   free(b->threads);
   free(b);
}

struct pergola_device *
pergola_eu_device(struct pergola_eu_bench *b)
{
   return b->dev;
}

/* ---- kernel and buffers --------------------------------------------------------------------- */

static int
install(struct pergola_eu_bench *b, const void *bytes, size_t size)
{
   if (!size || size > CODE_SIZE)
      return -EINVAL;
   memset(b->fixed + CODE_ADDRESS, 0, CODE_SIZE);
   memcpy(b->fixed + CODE_ADDRESS, bytes, size);
   b->env.instruction_end = CODE_ADDRESS + (uint32_t)((size + 4095) & ~(size_t)4095);
   eu_invalidate_instructions(b->dev->eu);
   return 0;
}

static int
complain(struct pergola_eu_error *error, const char *message)
{
   if (error) {
      error->line = error->column = 0;
      snprintf(error->message, sizeof(error->message), "%s", message);
   }
   return -EINVAL;
}

int
pergola_eu_load_text(struct pergola_eu_bench *b, const char *text, size_t size,
                     struct pergola_eu_error *error)
{
   struct eu_program p;
   struct eu_asm_error e;
   if (!eu_asm_text(text, size, b->dev->hw_device, &p, &e)) {
      complain(error, e.message);
      if (error)
         error->line = e.line, error->column = e.column;
      return -EINVAL;
   }
   if (install(b, p.bytes, p.size)) {
      eu_program_free(&p);
      return complain(error, "the program is empty or larger than 1 MiB");
   }
   eu_program_free(&b->program);
   b->program = p;
   return 0;
}

int
pergola_eu_load_binary(struct pergola_eu_bench *b, const void *bytes, size_t size)
{
   int status = install(b, bytes, size);
   if (status)
      return status;
   eu_program_free(&b->program);
   memset(&b->program, 0, sizeof(b->program));
   b->program.bytes = malloc(size);
   if (!b->program.bytes)
      return -ENOMEM;
   memcpy(b->program.bytes, bytes, size);
   b->program.size = size;
   return 0;
}

/* For the sanitizer: what a stateless access may reach. */
static void
set_objects(struct pergola_eu_bench *b)
{
   struct pergola_object list[PERGOLA_EU_MAX_BUFFERS + 1] = {{.size = BUFFER_ADDRESS}};
   size_t count = 1;
   for (unsigned i = 0; i < PERGOLA_EU_MAX_BUFFERS; i++)
      if (b->buffer[i])
         list[count++] = (struct pergola_object){b->address[i], b->size[i], i};
   pergola_set_objects(b->dev, true, list, count);
}

/* A raw buffer surface, and its entry in the binding table. */
static void
bind(struct pergola_eu_bench *b, unsigned index, uint32_t address, uint32_t size)
{
   uint32_t n = size - 1, at = STATES_OFFSET + index * STATE_SIZE;
   struct hw_render_surface_state s = {.surface_type = SURFTYPE_BUFFER,
                                       .surface_format = GEN7_SURFACE_FORMAT_RAW,
                                       .surface_base_address = address,
                                       .width = n & 0x7f,
                                       .height = n >> 7 & 0x3fff,
                                       .depth = n >> 21};
   struct hw_binding_table_state entry = {.surface_state_pointer = at};
   gen7_render_surface_state_pack((uint32_t *)(void *)(b->fixed + SURFACE_ADDRESS + at), &s);
   gen7_binding_table_state_pack((uint32_t *)(void *)(b->fixed + SURFACE_ADDRESS + index * 4),
                                 &entry);
   surface_cache_invalidate(b->dev->surfaces);
}

void *
pergola_eu_buffer(struct pergola_eu_bench *b, unsigned index, size_t size)
{
   if (index >= PERGOLA_EU_MAX_BUFFERS || b->buffer[index] || !size || size > (1u << 30))
      return NULL;
   uint32_t room = (uint32_t)((size + 4095) & ~(size_t)4095);
   if (b->next_buffer + room > BUFFER_END)
      return NULL;
   void *host = aligned_alloc(4096, room);
   if (!host)
      return NULL;
   memset(host, 0, room);
   if (!add_memory(b, b->next_buffer, host, room)) {
      free(host);
      return NULL;
   }
   /* The size of a raw buffer is a multiple of four. */
   b->buffer[index] = host;
   b->address[index] = b->next_buffer;
   b->size[index] = (uint32_t)((size + 3) & ~(size_t)3);
   bind(b, index, b->next_buffer, b->size[index]);
   b->next_buffer += room + 4096; /* a page between, so that an overrun is noticed */
   set_objects(b);
   return host;
}

/* ---- threads -------------------------------------------------------------------------------- */

static bool
before(struct eu_debug *debug, struct eu_thread *t, const struct eu_inst *inst)
{
   struct bench_hook *h = (struct bench_hook *)debug;
   (void)inst;
   if (h->pass) {
      h->pass = false;
      return false;
   }
   for (unsigned i = 0; i < h->bench->break_count; i++)
      if (h->bench->breaks[i] == t->ip)
         return true;
   return false;
}

static void
after(struct eu_debug *debug, struct eu_thread *t, const struct eu_inst *inst, uint32_t ip,
      uint32_t channels)
{
   struct bench_hook *h = (struct bench_hook *)debug;
   char text[EU_DISASM_MAX];
   (void)t;
   if (!h->bench->trace)
      return;
   eu_disasm_inst(inst, h->bench->dev->hw_device, text);
   h->bench->trace(h->bench->trace_data, h->thread, ip, text, channels);
}

static void
update_hooks(struct pergola_eu_bench *b)
{
   for (unsigned i = 0; i < PERGOLA_EU_MAX_THREADS; i++) {
      b->hook[i].debug = (struct eu_debug){.before = before, .after = after};
      b->hook[i].bench = b;
      b->hook[i].thread = i;
      b->threads[i].debug = b->trace || b->break_count ? &b->hook[i].debug : NULL;
   }
}

/* The header that a GPGPU thread gets (MEDIA-248). */
static void
header(struct pergola_eu_bench *b, struct eu_thread *t, unsigned index)
{
   uint32_t *r0 = eu_grf(t, 0);
   r0[2] = GEN7_R0_GPGPU__BARRIER_ENABLE | GEN7_R0_GPGPU__SLM_ENABLE;
   r0[3] = 2; /* per-thread scratch: 4 KiB */
   r0[5] = (SCRATCH_ADDRESS + index * SCRATCH_PER_THREAD) | index;
   (void)b;
}

int
pergola_eu_start(struct pergola_eu_bench *b, unsigned threads, uint32_t mask)
{
   if (!threads || threads > PERGOLA_EU_MAX_THREADS || !b->program.size)
      return -EINVAL;
   b->thread_count = threads;
   memset(b->slm, 0, sizeof(b->slm));
   b->group = (struct eu_group){.serial = b->group.serial + 1,
                                .slm = b->slm,
                                .slm_size_B = SLM_SIZE,
                                .barrier_enabled = true,
                                .thread_count = threads,
                                .threads = b->pointer,
                                .barrier_count = threads};
   for (unsigned i = 0; i < threads; i++) {
      struct eu_thread *t = &b->threads[i];
      memset(t->grf, 0, sizeof(t->grf));
      eu_thread_init(t, &b->env, 0, mask);
      t->scratch_base = SCRATCH_ADDRESS;
      t->scratch_size_B = SCRATCH_PER_THREAD;
      t->ffid = 7;
      t->fftid = (uint16_t)i;
      t->id = i;
      t->group_index = (uint8_t)i;
      t->slot = (uint8_t)(i % 8);
      t->eu = (uint8_t)(i / 8);
      t->group = &b->group;
      b->state[i] = PERGOLA_EU_READY;
      header(b, t, i);
      eu_thread_mark(t, 0, 1);
   }
   update_hooks(b);
   return 0;
}

void *
pergola_eu_grf(struct pergola_eu_bench *b, unsigned thread)
{
   return thread < PERGOLA_EU_MAX_THREADS ? b->threads[thread].grf : NULL;
}

void *
pergola_eu_slm(struct pergola_eu_bench *b)
{
   return b->slm;
}

void
pergola_eu_mark(struct pergola_eu_bench *b, unsigned thread, unsigned first, unsigned count)
{
   if (thread < PERGOLA_EU_MAX_THREADS && first < EU_GRF_COUNT && count <= EU_GRF_COUNT)
      eu_thread_mark(&b->threads[thread], first, count);
}

void
pergola_eu_view(const struct pergola_eu_bench *b, unsigned thread, struct pergola_eu_view *view)
{
   memset(view, 0, sizeof(*view));
   if (thread >= b->thread_count)
      return;
   const struct eu_thread *t = &b->threads[thread];
   view->state = b->state[thread];
   view->ip = t->ip;
   view->instructions = t->instructions;
   view->dispatch_mask = t->dispatch_mask;
   for (unsigned c = 0; c < 32; c++)
      if (t->dispatch_mask >> c & 1) {
         bool waits = t->waiting >> c & 1 && t->pip[c] != t->ip;
         view->channel_ip[c] = waits ? t->pip[c] : t->ip;
         view->active_mask |= (uint32_t)!waits << c;
      }
   memcpy(view->flag, t->flag, sizeof(view->flag));
   memcpy(view->address, t->a0, sizeof(view->address));
   memcpy(view->accumulator, t->acc, sizeof(view->accumulator));
   memcpy(view->control, t->cr0, sizeof(view->control));
   memcpy(view->notification, t->n0, sizeof(view->notification));
   view->at_barrier = b->group.barrier_waiting >> thread & 1;
   view->barrier_arrived = b->group.barrier_arrived;
   view->barrier_count = b->group.barrier_count;
}

/* ---- running -------------------------------------------------------------------------------- */

int
pergola_eu_break(struct pergola_eu_bench *b, uint32_t offset)
{
   if (offset & 7)
      return -EINVAL;
   if (b->break_count == MAX_BREAKS)
      return -ENOSPC;
   b->breaks[b->break_count++] = offset;
   update_hooks(b);
   return 0;
}

int
pergola_eu_unbreak(struct pergola_eu_bench *b, uint32_t offset)
{
   for (unsigned i = 0; i < b->break_count; i++)
      if (b->breaks[i] == offset) {
         b->breaks[i] = b->breaks[--b->break_count];
         update_hooks(b);
         return 0;
      }
   return -ENOENT;
}

void
pergola_eu_clear_breaks(struct pergola_eu_bench *b)
{
   b->break_count = 0;
   update_hooks(b);
}

void
pergola_eu_set_trace(struct pergola_eu_bench *b, pergola_eu_trace_fn fn, void *data)
{
   b->trace = fn;
   b->trace_data = data;
   update_hooks(b);
}

static enum pergola_eu_state
state_of(enum eu_stop stop)
{
   switch (stop) {
   case EU_STOP_EOT:
      return PERGOLA_EU_ENDED;
   case EU_STOP_WAIT:
      return PERGOLA_EU_WAITING;
   case EU_STOP_FAULT:
      return PERGOLA_EU_FAULTED;
   case EU_STOP_BREAK:
      return PERGOLA_EU_BREAK;
   default:
      return PERGOLA_EU_READY;
   }
}

/* Here instructions are counted, whatever their messages cost. */
static enum eu_stop
run(struct eu_thread *t, uint64_t instructions)
{
   uint64_t end = t->instructions + instructions;
   enum eu_stop stop;
   do
      stop = eu_run(t, end - t->instructions);
   while (eu_thread_paid(t) && stop == EU_STOP_BUDGET && t->instructions < end);
   return stop;
}

enum pergola_eu_state
pergola_eu_step(struct pergola_eu_bench *b, unsigned thread, uint64_t instructions)
{
   if (thread >= b->thread_count)
      return PERGOLA_EU_FAULTED;
   if (b->state[thread] == PERGOLA_EU_ENDED || b->state[thread] == PERGOLA_EU_FAULTED)
      return b->state[thread];
   b->hook[thread].pass = b->state[thread] == PERGOLA_EU_BREAK;
   return b->state[thread] = state_of(run(&b->threads[thread], instructions));
}

/* One turn of every thread. *progress: some thread did something. */
static enum pergola_eu_state
turn(struct pergola_eu_bench *b, uint64_t *left, bool *progress)
{
   for (unsigned i = 0; i < b->thread_count && *left; i++) {
      enum pergola_eu_state was = b->state[i];
      if (was == PERGOLA_EU_ENDED || was == PERGOLA_EU_FAULTED)
         continue;
      uint64_t count = b->threads[i].instructions;
      uint32_t ip = b->threads[i].ip;
      enum pergola_eu_state s = pergola_eu_step(b, i, *left < SLICE ? *left : SLICE);
      uint64_t used = b->threads[i].instructions - count;
      *left -= used < *left ? used : *left;
      *progress = *progress || s != PERGOLA_EU_WAITING || was != s || ip != b->threads[i].ip;
      if (s == PERGOLA_EU_BREAK)
         return s;
   }
   return PERGOLA_EU_READY;
}

enum pergola_eu_state
pergola_eu_run(struct pergola_eu_bench *b, uint64_t instructions)
{
   uint64_t left = instructions;
   for (;;) {
      bool progress = false, all = true, fault = false;
      enum pergola_eu_state s = turn(b, &left, &progress);
      if (s == PERGOLA_EU_BREAK)
         return s;
      for (unsigned i = 0; i < b->thread_count; i++) {
         fault = fault || b->state[i] == PERGOLA_EU_FAULTED;
         all = all && (b->state[i] == PERGOLA_EU_ENDED || b->state[i] == PERGOLA_EU_FAULTED);
      }
      if (all)
         return fault ? PERGOLA_EU_FAULTED : PERGOLA_EU_ENDED;
      if (!left)
         return PERGOLA_EU_READY;
      if (!progress)
         return PERGOLA_EU_WAITING;
   }
}

/* ---- source --------------------------------------------------------------------------------- */

int
pergola_eu_label(const struct pergola_eu_bench *b, const char *name, uint32_t *offset)
{
   return eu_program_label(&b->program, name, offset) ? 0 : -ENOENT;
}

int
pergola_eu_line(const struct pergola_eu_bench *b, unsigned line, uint32_t *offset)
{
   for (size_t i = 0; i < b->program.line_count; i++)
      if (b->program.lines[i].line >= line) {
         *offset = b->program.lines[i].offset;
         return 0;
      }
   return -ENOENT;
}

unsigned
pergola_eu_line_of(const struct pergola_eu_bench *b, uint32_t offset)
{
   for (size_t i = 0; i < b->program.line_count; i++)
      if (b->program.lines[i].offset == offset)
         return b->program.lines[i].line;
   return 0;
}

unsigned
pergola_eu_text(const struct pergola_eu_bench *b, uint32_t offset, char *text, size_t size)
{
   char line[EU_DISASM_MAX];
   if (offset >= b->program.size)
      return 0;
   size_t n =
       eu_disasm(b->program.bytes + offset, b->program.size - offset, b->dev->hw_device, line);
   snprintf(text, size, "%s", line);
   return (unsigned)n;
}

int
pergola_eu_native(struct pergola_eu_bench *b, bool all, void (*line)(void *data, const char *text),
                  void *data)
{
   if (!b->program.size || pergola_eu_start(b, 1, 0xffff))
      return -EINVAL;
   uint32_t modes = eu_enter(b->dev->eu);
   struct eu_thread *t = b->pointer[0];
   bool ok = b->dev->eu->fast && eu_lookup(t, t->ip) && jit_show(t->kernel, all, line, data);
   eu_leave(b->dev->eu, modes);
   return ok ? 0 : -ENOENT;
}
