/* pergola decode of an error state, an AUB file or a hang dump: the whole state as a tree. Kernels
 * and surfaces are those that the request uses when it is run again. */
#include "decode_capture.h"

#include "eu/isa/asm.h"
#include "hang/ecode.h"
#include "hang/replay.h"
#include "hang/replay_aub.h"
#include "hw/decode.h"
#include "hw/header.h"
#include "machine/device.h"
#include "memory/peek.h"
#include "rules/plural.h"
#include "surface/format.h"
#include "surface/surface.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KERNELS 64u
#define SURFACES 256u
#define KERNEL_MOST 65536u /* bytes */
#define CALLED 64u         /* batches that others start, an engine */
#define CALLED_MOST_DW 65536u
#define RINGS 4096u /* of an AUB file, that are shown */

struct tree {
   FILE *out;
   const struct capture *c;
   bool color;
   uint64_t budget;
   unsigned device_bit;
   struct pergola_device *dev; /* that runs it again */
   struct {
      uint32_t address;
      uint8_t *bytes; /* when it was first dispatched; NULL: there are none */
      size_t size;
   } kernel[KERNELS];
   unsigned kernels;
   struct {
      uint32_t state, dw[8];
   } surface[SURFACES];
   unsigned surfaces;
};

/* ---- registers ------------------------------------------------------------------------------ */

/* Names that kernels print, where they are not the manual's. */
static const char *
manual_name(const char *name)
{
   static const struct {
      const char *kernel, *manual;
   } names[] = {
       {"START", "RING_BUFFER_START"},
       {"HEAD", "RING_BUFFER_HEAD"},
       {"TAIL", "RING_BUFFER_TAIL"},
       {"CTL", "RING_BUFFER_CTL"},
       {"MODE", "MI_MODE"},
       {"HWS", "HWS_PGA"},
       {"BBADDR", "BB_ADDR"},
       {"FADDR", "DMA_FADD"},
       {"RC PSMI", "PSMI_CTL"},
       {"IER", "DEIER"},
       {"INSTDONE_1", "INSTDONE"},
   };
   for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
      if (!strcmp(name, names[i].kernel))
         return names[i].manual;
   return name;
}

static const struct hw_register *
find_register(const struct tree *t, const char *name, int engine)
{
   static const char *const prefixes[] = {"RCS_", "VCS_", "BCS_"};
   static const char *const faults[] = {"GFX_ENG_FR", "MEDIA_ENG_FR", "BLT_ENG_FR"};
   char text[64];
   unsigned e = engine < 0 ? 0 : (unsigned)engine;
   if (!strcmp(name, "FAULT_REG"))
      return hw_register_by_name(faults[e], t->device_bit);
   snprintf(text, sizeof(text), "%s%.*s", prefixes[e], (int)strcspn(manual_name(name), "["),
            manual_name(name));
   const struct hw_register *r = hw_register_by_name(text, t->device_bit);
   return r ? r : hw_register_by_name(text + strlen(prefixes[e]), t->device_bit);
}

/* Fields that are not zero; of registers that tell who is done, those that are. */
static void
print_fields(const struct tree *t, const struct hw_register *r, uint32_t value, int indent)
{
   bool done = strstr(r->layout->name, "DONE") != NULL;
   for (unsigned i = r->layout->field_count; i-- > 0;) {
      const struct hw_field *f = &r->layout->fields[i];
      uint64_t raw = hw_field_get(f, &value, 1);
      char text[128];
      if (f->type >= HW_MBZ || (done ? raw != 0 : !raw) || (f->start == 0 && f->end == 31))
         continue;
      hw_field_print(f, raw, text, sizeof(text));
      if (done)
         fprintf(t->out, "%*sbusy: %.*s\n", indent, "", (int)strcspn(f->name, " "), f->name);
      else
         fprintf(t->out, "%*s%s: %s\n", indent, "", f->name, text);
   }
}

static void
print_register(const struct tree *t, const struct capture_register *reg, int engine, int indent)
{
   const struct hw_register *r = find_register(t, reg->name, engine);
   fprintf(t->out, "%*s%s = 0x%08llx", indent, "", reg->name, (unsigned long long)reg->value);
   if (!strcmp(reg->name, "IPEHR")) {
      const struct hw_command *c =
          hw_command_find((uint32_t)reg->value, 1u << (engine < 0 ? 0 : engine), t->device_bit);
      fprintf(t->out, ": %s", c ? c->layout.name : "no command of this engine");
   }
   fputc('\n', t->out);
   if (r && r->layout->length_dw == 1)
      print_fields(t, r, (uint32_t)reg->value, indent + 3);
}

static void
print_registers(const struct tree *t, const struct capture_registers *all, int engine, int indent)
{
   for (unsigned i = 0; i < all->count; i++)
      print_register(t, &all->reg[i], engine, indent);
}

/* ---- commands ------------------------------------------------------------------------------- */

/* Batches that others start, each once. */
struct called {
   uint32_t address[CALLED];
   unsigned count;
};

struct marked {
   struct hw_decode_sink inner;
   FILE *out;
   bool has_acthd;
   uint32_t acthd;
   struct called *called; /* those outside the dwords in hand */
   uint64_t first, end;   /* their addresses */
};

static void
call(struct called *called, uint32_t address)
{
   unsigned i = 0;
   while (i < called->count && called->address[i] != address)
      i++;
   if (i == called->count && i < CALLED)
      called->address[called->count++] = address;
}

static bool
is_call(uint32_t header)
{
   return (header & HW_MI_HEADER) == GEN7_MI_BATCH_BUFFER_START_HEADER;
}

static void
marked_command(void *data, const struct hw_decode_command *c)
{
   struct marked *m = data;
   if (m->has_acthd && m->acthd >= c->address && (m->acthd - c->address) / 4 < c->count_dw)
      fprintf(m->out, "====> ACTHD 0x%08x: the engine stands here\n", m->acthd);
   uint32_t target = c->count_dw > 1 ? c->dw[1] & ~3u : 0;
   if (m->called && c->desc && c->count_dw > 1 && is_call(c->dw[0]) &&
       (target < m->first || target >= m->end))
      call(m->called, target);
   m->inner.command(m->inner.data, c);
}

static void
marked_note(void *data, unsigned level, uint32_t address, const char *text)
{
   struct marked *m = data;
   if (strstr(text, "outside the file"))
      return; /* other batches have their own place in the tree */
   m->inner.note(m->inner.data, level, address, text);
}

static bool
decode_dwords(const struct tree *t, const uint32_t *dw, size_t count, uint32_t base,
              unsigned engine, const struct marked *mark, bool ring)
{
   struct hw_decode_request r = {.dw = dw,
                                 .count_dw = count,
                                 .base = base,
                                 .engine_bit = 1u << engine,
                                 .device_bit = t->device_bit,
                                 .ring = ring,
                                 .all = ring};
   struct hw_decode_writer w = {
       .out = t->out, .color = t->color, .engine_bit = 1u << engine, .device_bit = t->device_bit};
   struct marked m = *mark;
   struct hw_decode_sink sink = {.data = &m, .command = marked_command, .note = marked_note};
   struct hw_decode_result result;
   m.out = t->out;
   m.first = base;
   m.end = base + 4 * (uint64_t)count;
   hw_decode_text(&w, &m.inner);
   return hw_decode(&r, &sink, &result);
}

/* From the request's head to the tail: the rest is old, or not written yet. */
static void
decode_ring(const struct tree *t, const struct capture_block *b, unsigned engine,
            const struct marked *mark)
{
   const struct capture_registers *g = &t->c->engine[engine].registers;
   uint64_t head = 0, tail = b->size;
   if (capture_register(g, "TAIL", &tail) && !capture_register(g, "HEAD request", &head))
      capture_register(g, "HEAD", &head);
   uint32_t size = (uint32_t)b->size & ~3u;
   head = size ? (head & REG_RCS_RING_BUFFER_HEAD__HEAD_OFFSET) % size : 0;
   tail = size ? (tail & REG_RCS_RING_BUFFER_TAIL__TAIL_OFFSET) % size : 0;
   if (!tail || tail <= head)
      tail = size; /* what has wrapped is left out */
   fprintf(t->out, "   ring at 0x%08llx, %zu bytes; from 0x%llx to 0x%llx:\n",
           (unsigned long long)b->address, b->size, (unsigned long long)head,
           (unsigned long long)tail);
   decode_dwords(t, (const uint32_t *)(const void *)(b->bytes + head), (size_t)(tail - head) / 4,
                 (uint32_t)(b->address + head), engine, mark, true);
}

static bool
is_program_memory(const struct capture_block *b)
{
   return b->kind == CAPTURE_BATCH || b->kind == CAPTURE_USER || b->kind == CAPTURE_MEMORY ||
          b->kind == CAPTURE_WORKAROUND;
}

/* Copies what a block has of the dwords at an address. */
static void
overlay(const struct capture_block *b, uint64_t address, uint32_t *dw, bool *known)
{
   uint64_t end = address + 4 * CALLED_MOST_DW;
   uint64_t first = b->address > address ? b->address : address;
   uint64_t last = b->address + b->size < end ? b->address + b->size : end;
   if (b->address % 4 || b->address > UINT32_MAX || first >= last)
      return;
   uint64_t count = (last - first) / 4;
   memcpy(dw + (first - address) / 4, b->bytes + (first - b->address), 4 * (size_t)count);
   memset(known + (first - address) / 4, true, (size_t)count);
}

/* A batch in memory as the first blocks leave it. */
static void
decode_called(const struct tree *t, uint32_t address, unsigned blocks, unsigned engine,
              const struct marked *mark)
{
   uint32_t *dw = malloc(4 * CALLED_MOST_DW);
   bool *known = calloc(CALLED_MOST_DW, sizeof(*known));
   size_t count = 0;
   for (unsigned i = 0; dw && known && i < blocks; i++)
      if (is_program_memory(&t->c->block[i]))
         overlay(&t->c->block[i], address, dw, known);
   while (dw && known && count < CALLED_MOST_DW && known[count])
      count++;
   fprintf(t->out, "   batch at 0x%08x%s\n", address, count ? ":" : ": not captured");
   if (count)
      decode_dwords(t, dw, count, address, engine, mark, false);
   free(dw);
   free(known);
}

/* Those that a ring or a batch starts, and those that these start. */
static void
decode_all_called(const struct tree *t, unsigned blocks, unsigned engine, const struct marked *mark)
{
   const struct capture_block *b;
   for (unsigned i = 0; i < mark->called->count; i++) {
      unsigned shown = 0;
      while (shown < t->c->blocks &&
             !((b = &t->c->block[shown])->kind == CAPTURE_BATCH &&
               b->address == mark->called->address[i] && !aub_replay_is(t->c)))
         shown++;
      if (shown == t->c->blocks) /* else it has its own place */
         decode_called(t, mark->called->address[i], blocks, engine, mark);
   }
}

/* What a ring of an AUB file starts, in memory as it is when it does. */
static void
decode_started(const struct tree *t, unsigned ring)
{
   const struct capture_block *r = &t->c->block[ring];
   struct called called = {.count = 0};
   const struct marked mark = {.called = &called};
   for (size_t at = 0; at + 8 <= r->size; at += 4) {
      uint32_t dw[2];
      memcpy(dw, r->bytes + at, 8);
      if (is_call(dw[0]))
         call(&called, dw[1] & ~3u);
   }
   decode_all_called(t, ring, r->engine < 0 ? 0 : (unsigned)r->engine, &mark);
}

static void
decode_block(const struct tree *t, const struct capture_block *b, unsigned engine,
             const struct marked *batch, const struct marked *ring)
{
   if (b->kind == CAPTURE_RING) {
      decode_ring(t, b, engine, ring);
   } else if (b->kind == CAPTURE_BATCH) {
      fprintf(t->out, "   batch at 0x%08llx, %zu bytes%s:\n", (unsigned long long)b->address,
              b->size, b->cut ? " (cut off)" : "");
      decode_dwords(t, (const uint32_t *)(const void *)b->bytes, b->size / 4, (uint32_t)b->address,
                    engine, batch, false);
   }
}

static void
decode_blocks(const struct tree *t, unsigned engine)
{
   const struct capture_registers *g = &t->c->engine[engine].registers;
   uint64_t acthd = 0, bbaddr = 1, start = 0;
   bool is_aub = aub_replay_is(t->c);
   struct called called = {.count = 0};
   struct marked batch = {.has_acthd = capture_register(g, "ACTHD", &acthd), .called = &called};
   batch.acthd = (uint32_t)acthd;
   capture_register(g, "BBADDR", &bbaddr);
   capture_register(g, "START", &start);
   struct marked ring = {.has_acthd = batch.has_acthd && !(bbaddr & 1),
                         .acthd = (uint32_t)(start + acthd)};
   batch.has_acthd &= bbaddr & 1;
   unsigned rings = 0;
   for (unsigned i = 0; i < t->c->blocks; i++) {
      const struct capture_block *b = &t->c->block[i];
      bool ours = b->engine == (int)engine || (b->engine < 0 && !engine);
      if (!ours || b->size < 4 || b->address > UINT32_MAX || (is_aub && b->kind == CAPTURE_BATCH))
         continue;
      if (is_aub && b->kind == CAPTURE_RING && ++rings > RINGS)
         continue;
      decode_block(t, b, engine, &batch, &ring);
      if (b->kind == CAPTURE_RING && is_aub)
         decode_started(t, i);
   }
   if (rings > RINGS)
      fprintf(t->out, "   %u more ring%s %s not shown\n", rings - RINGS, plural(rings - RINGS),
              are(rings - RINGS));
   if (t->c->has_exec && !engine && t->c->exec <= UINT32_MAX)
      call(&called, (uint32_t)t->c->exec & ~3u);
   decode_all_called(t, t->c->blocks, engine, &batch);
}

/* ---- kernels and surfaces ------------------------------------------------------------------- */

/* Up to its first end of thread. */
static size_t
kernel_size(const uint8_t *bytes, size_t avail, unsigned device)
{
   for (size_t at = 0; at + 8 <= avail;) {
      struct eu_inst i;
      const char *why;
      if (!eu_inst_decode(bytes + at, avail - at, device, &i, &why))
         return at;
      at += i.size;
      if (i.eot)
         return at;
   }
   return avail;
}

/* As it is now: it may be gone when the file ends. */
static void
see_kernel(struct tree *t, uint32_t address)
{
   unsigned i = 0;
   while (i < t->kernels && t->kernel[i].address != address)
      i++;
   if (i < t->kernels || i == KERNELS)
      return;
   t->kernels++;
   t->kernel[i].address = address;
   uint8_t *bytes = malloc(KERNEL_MOST);
   size_t avail = bytes ? mem_peek(device_data_space(t->dev, RCS), address, bytes, KERNEL_MOST) : 0;
   t->kernel[i].size = avail ? kernel_size(bytes, avail, t->device_bit) : 0;
   if (avail)
      t->kernel[i].bytes = bytes;
   else
      free(bytes);
}

static void
see(void *data, const struct pergola_event *e)
{
   struct tree *t = data;
   if (e->kind == PERGOLA_EVENT_DISPATCH) {
      see_kernel(t, (uint32_t)e->a);
      return;
   }
   for (unsigned i = 0; i < t->surfaces; i++)
      if (t->surface[i].state == e->a && !memcmp(t->surface[i].dw, e->dwords, 32))
         return;
   if (t->surfaces == SURFACES || e->count != 8)
      return;
   t->surface[t->surfaces].state = (uint32_t)e->a;
   memcpy(t->surface[t->surfaces++].dw, e->dwords, 32);
}

static void
print_kernels(const struct tree *t)
{
   for (unsigned i = 0; i < t->kernels; i++) {
      fprintf(t->out, "kernel at 0x%08x, %zu bytes%s\n", t->kernel[i].address, t->kernel[i].size,
              t->kernel[i].bytes ? ":" : ": not captured");
      if (t->kernel[i].bytes)
         eu_disasm_program(t->out, t->kernel[i].bytes, t->kernel[i].size, t->device_bit);
      free(t->kernel[i].bytes);
   }
}

static void
print_surfaces(const struct tree *t)
{
   static const char *const types[] = {"1D",     "2D",         "3D",       "cube",
                                       "buffer", "structured", "reserved", "null"};
   for (unsigned i = 0; i < t->surfaces; i++) {
      struct surface s;
      surface_unpack(&s, t->surface[i].dw, t->device_bit);
      fprintf(t->out, "surface, state at 0x%08x: %s %s at 0x%08x", t->surface[i].state,
              types[s.type & 7], s.info->name[0] ? s.info->name : "-", s.base);
      if (s.type == SURFTYPE_BUFFER || s.type == SURFTYPE_STRBUF)
         fprintf(t->out, ", entries: %llu\n", (unsigned long long)s.entries);
      else
         fprintf(t->out, ", %u x %u x %u, pitch %u\n", s.width, s.height, s.depth, s.pitch_B);
   }
}

/* What was captured is run again, and what it uses is written down. */
static void
print_used(struct tree *t)
{
   char error[160];
   struct replay_options o = {.budget = t->budget};
   struct aub_replay_outcome outcome;
   bool is_aub = aub_replay_is(t->c);
   struct aub_replay *aub = is_aub ? aub_replay_create(t->c, &o, error) : NULL;
   struct replay *r = is_aub ? NULL : replay_create(t->c, &o, error);
   if (!aub && !r) {
      fprintf(t->out, "\nkernels and surfaces are not known: %s\n", error);
      return;
   }
   struct pergola_device *dev = aub ? aub_replay_device(aub) : replay_device(r);
   t->dev = dev;
   uint32_t kinds = 1u << PERGOLA_EVENT_DISPATCH | 1u << PERGOLA_EVENT_SURFACE;
   if (!pergola_add_observer(dev, kinds, see, t)) {
      if (aub)
         aub_replay_run(aub, &outcome);
      else
         replay_run(r);
      fputc('\n', t->out);
      print_kernels(t);
      print_surfaces(t);
   }
   if (aub)
      aub_replay_destroy(aub);
   else
      replay_destroy(r);
}

/* ---- the tree ------------------------------------------------------------------------------- */

static void
print_memory(const struct tree *t)
{
   fprintf(t->out, "\nmemory: %u block%s, %llu bytes\n", t->c->blocks, plural(t->c->blocks),
           (unsigned long long)t->c->bytes);
   for (unsigned i = 0; i < t->c->blocks; i++) {
      const struct capture_block *b = &t->c->block[i];
      fprintf(t->out, "   0x%08llx %9zu %s%s%s%s\n", (unsigned long long)b->address, b->size,
              capture_kind_names[b->kind], b->engine >= 0 ? " of the " : "",
              b->engine >= 0 ? capture_engine_names[b->engine] : "",
              b->cut           ? ": cut off"
              : b->engine >= 0 ? " engine"
                               : "");
   }
   for (unsigned i = 0; i < t->c->objects; i++)
      fprintf(t->out, "   0x%08llx %9llu bound, not captured\n",
              (unsigned long long)t->c->object[i].address,
              (unsigned long long)t->c->object[i].size);
}

static void
print_engine(const struct tree *t, unsigned engine)
{
   const struct capture_engine *e = &t->c->engine[engine];
   fprintf(t->out, "\n%s engine%s%s%s\n", capture_engine_names[engine], e->hung ? ", hung" : "",
           e->process[0] ? ", " : "", e->process);
   print_registers(t, &e->registers, (int)engine, 3);
   decode_blocks(t, engine);
}

void
decode_capture(FILE *out, const struct capture *c, bool color, uint64_t budget)
{
   struct tree *t = calloc(1, sizeof(*t));
   if (!t)
      return;
   *t = (struct tree){.out = out, .c = c, .color = color, .budget = budget, .device_bit = HW_IVB};
   fprintf(out, "%s%s%s", c->format, c->kernel[0] ? ", Linux " : "", c->kernel);
   if (c->pci_id)
      fprintf(out, ", PCI id 0x%04x", c->pci_id);
   fprintf(out, "\n%s%s", c->headline, c->headline[0] ? "\n" : "");
   if (c->cut)
      fprintf(out, "The file is cut off; what came before is shown.\n");
   if (c->generation && c->generation != 7)
      fprintf(out, "This is no Gen7 GPU: read what follows with care, layouts differ.\n");
   if (c->registers.count)
      fprintf(out, "\nregisters\n");
   print_registers(t, &c->registers, -1, 3);
   for (unsigned i = 0; i < c->fences; i++)
      if (c->fence[i])
         fprintf(out, "   fence %u = 0x%016llx\n", i, (unsigned long long)c->fence[i]);
   bool any = false;
   for (unsigned i = 0; i < CAPTURE_ENGINES; i++) {
      if (c->engine[i].present)
         print_engine(t, i);
      any |= c->engine[i].present;
   }
   for (unsigned i = 0; !any && i < CAPTURE_ENGINES; i++)
      if (!i || capture_find(c, CAPTURE_RING, (int)i))
         print_engine(t, i);
   print_used(t);
   print_memory(t);
   free(t);
}
