/* What a dumped batch consists of: batches of all levels, kernels, surfaces, as files for people.
 *
 * Nothing is guessed from memory: the batch is run again, and what the engines and threads touch is
 * written down. Addresses are the render engine's or those of the engine that ran it. */
#include "dump.h"

#include "cli.h"
#include "eu/isa/asm.h"
#include "hw/decode.h"
#include "memory/memory.h"
#include "memory/peek.h"
#include "surface/format.h"
#include "surface/surface.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_THINGS 4096u
#define KERNEL_MOST (1u << 20) /* bytes */
#define PICTURE_MOST 16384u    /* pixels, either way */
#define SURFACE_MOST (64u << 20)

struct level {
   uint32_t first, end; /* addresses; end: behind the last command that was executed */
};

struct seen_surface {
   uint32_t state, dw[8];
   bool media;
};

struct dump_view {
   struct dump *d;
   unsigned batches, kernels, surfaces, depth;
   struct level batch[MOST_THINGS];
   unsigned stack[4]; /* of batches that are being executed */
   uint32_t kernel[MOST_THINGS];
   struct seen_surface surface[MOST_THINGS];
   FILE *index;
   bool failed;
};

/* ---- what is seen -----------------------------------------------------------------------------
 */

static unsigned
batch_at(struct dump_view *v, uint32_t address)
{
   for (unsigned i = 0; i < v->batches; i++)
      if (v->batch[i].first == address)
         return i;
   if (v->batches == MOST_THINGS)
      return MOST_THINGS - 1;
   v->batch[v->batches] = (struct level){address, address};
   return v->batches++;
}

static void
see_batch(struct dump_view *v, const struct pergola_event *e)
{
   if (e->flags & 1) {
      if (v->depth < 4)
         v->stack[v->depth] = batch_at(v, (uint32_t)e->a);
      v->depth++;
   } else if (v->depth) {
      v->depth--;
   }
}

static void
see_command(struct dump_view *v, const struct pergola_event *e)
{
   if (!v->depth || v->depth > 4)
      return;
   struct level *l = &v->batch[v->stack[v->depth - 1]];
   uint64_t end = e->a + 4ull * e->count;
   if (e->a >= l->first && end > l->end && end <= UINT32_MAX)
      l->end = (uint32_t)end;
}

static void
see_kernel(struct dump_view *v, uint32_t address)
{
   for (unsigned i = 0; i < v->kernels; i++)
      if (v->kernel[i] == address)
         return;
   if (v->kernels < MOST_THINGS)
      v->kernel[v->kernels++] = address;
}

static void
see_surface(struct dump_view *v, const struct pergola_event *e)
{
   for (unsigned i = 0; i < v->surfaces; i++)
      if (v->surface[i].state == e->a && !memcmp(v->surface[i].dw, e->dwords, 32))
         return;
   if (v->surfaces == MOST_THINGS || e->count != 8)
      return;
   struct seen_surface *s = &v->surface[v->surfaces++];
   *s = (struct seen_surface){.state = (uint32_t)e->a, .media = e->flags & 1};
   memcpy(s->dw, e->dwords, sizeof(s->dw));
}

static void
see(void *data, const struct pergola_event *e)
{
   struct dump_view *v = data;
   bool ours = e->engine && !strcmp(e->engine, engine_names[v->d->engine]);
   if (e->kind == PERGOLA_EVENT_BATCH && ours)
      see_batch(v, e);
   else if (e->kind == PERGOLA_EVENT_COMMAND && ours)
      see_command(v, e);
   else if (e->kind == PERGOLA_EVENT_DISPATCH)
      see_kernel(v, (uint32_t)e->a);
   else if (e->kind == PERGOLA_EVENT_SURFACE)
      see_surface(v, e);
}

/* Batches of all levels, kernels and surfaces are collected while it runs and written beside the
 * index, which gets a line for each. NULL: no memory. */
static struct dump_view *
dump_view_begin(struct dump *d)
{
   struct dump_view *v = calloc(1, sizeof(*v));
   uint32_t kinds = 1u << PERGOLA_EVENT_BATCH | 1u << PERGOLA_EVENT_COMMAND |
                    1u << PERGOLA_EVENT_DISPATCH | 1u << PERGOLA_EVENT_SURFACE;
   if (v && pergola_add_observer(d->dev, kinds, see, v)) {
      free(v);
      return NULL;
   }
   if (v)
      v->d = d;
   return v;
}

/* ---- files ------------------------------------------------------------------------------------
 */

static char *
path_in(const struct dump_view *v, const char *name)
{
   char *path;
   return asprintf(&path, "%s/%s", v->d->directory, name) < 0 ? NULL : path;
}

static FILE *
open_file(struct dump_view *v, const char *name)
{
   char *path = path_in(v, name);
   FILE *f = path ? fopen(path, "wbe") : NULL;
   v->failed |= !f;
   free(path);
   return f;
}

static void
close_file(struct dump_view *v, FILE *f)
{
   bool bad = ferror(f);
   v->failed |= fclose(f) || bad;
}

static void
write_bytes(struct dump_view *v, const char *name, const void *data, size_t size)
{
   FILE *f = open_file(v, name);
   if (!f)
      return;
   fwrite(data, 1, size, f);
   close_file(v, f);
}

static struct mem_space *
space_of(const struct dump_view *v)
{
   return device_data_space(v->d->dev, v->d->engine);
}

/* ---- batches ----------------------------------------------------------------------------------
 */

static void
decode_batch(struct dump_view *v, const char *name, const void *data, const struct level *l)
{
   FILE *f = open_file(v, name);
   if (!f)
      return;
   unsigned engine = 1u << v->d->engine, device = v->d->dev->hw_device;
   struct hw_decode_request r = {.dw = data,
                                 .count_dw = (l->end - l->first) / 4,
                                 .base = l->first,
                                 .engine_bit = engine,
                                 .device_bit = device};
   struct hw_decode_writer w = {.out = f, .engine_bit = engine, .device_bit = device};
   struct hw_decode_sink sink;
   struct hw_decode_result result;
   hw_decode_text(&w, &sink);
   v->failed |= !hw_decode(&r, &sink, &result);
   close_file(v, f);
}

static void
write_batch(struct dump_view *v, const struct level *l)
{
   size_t size = l->end - l->first;
   uint8_t *data = size && size <= SURFACE_MOST ? malloc(size) : NULL;
   struct mem_space *space =
       v->d->start_global && l->first == v->d->start ? &v->d->dev->ggtt : space_of(v);
   if (data && (mem_peek(space, l->first, data, size) == size ||
                mem_peek(&v->d->dev->ggtt, l->first, data, size) == size)) {
      char name[64];
      snprintf(name, sizeof(name), "batch-%08x.bin", l->first);
      write_bytes(v, name, data, size);
      fprintf(v->index, "batch 0x%08x 0x%zx %s\n", l->first, size, name);
      snprintf(name, sizeof(name), "batch-%08x.txt", l->first);
      decode_batch(v, name, data, l);
   }
   free(data);
}

/* ---- kernels ----------------------------------------------------------------------------------
 */

/* A program ends behind the first EOT that no branch before it leads beyond. */
static size_t
kernel_size(const uint8_t *bytes, size_t avail, unsigned device)
{
   size_t furthest = 0;
   for (size_t at = 0; at + 8 <= avail;) {
      struct eu_inst i;
      const char *why;
      if (!eu_inst_decode(bytes + at, avail - at, device, &i, &why))
         return at;
      const struct eu_opcode_info *info = eu_opcode_info(i.opcode, device);
      if (info && info->attrs & EU_OP_JIP && i.jip > 0 && at + 8u * (size_t)i.jip > furthest)
         furthest = at + 8u * (size_t)i.jip;
      if (info && info->attrs & EU_OP_UIP && i.uip > 0 && at + 8u * (size_t)i.uip > furthest)
         furthest = at + 8u * (size_t)i.uip;
      at += i.size;
      if (i.eot && at > furthest)
         return at;
   }
   return avail;
}

static void
write_kernel(struct dump_view *v, uint32_t address)
{
   uint8_t *data = malloc(KERNEL_MOST);
   size_t avail = data ? mem_peek(space_of(v), address, data, KERNEL_MOST) : 0;
   size_t size = avail ? kernel_size(data, avail, v->d->dev->hw_device) : 0;
   if (size) {
      char name[64];
      snprintf(name, sizeof(name), "kernel-%08x.bin", address);
      write_bytes(v, name, data, size);
      snprintf(name, sizeof(name), "kernel-%08x.asm", address);
      FILE *f = open_file(v, name);
      if (f) {
         eu_disasm_program(f, data, size, v->d->dev->hw_device);
         close_file(v, f);
      }
      fprintf(v->index, "kernel 0x%08x 0x%zx %s\n", address, size, name);
   }
   free(data);
}

/* ---- surfaces ---------------------------------------------------------------------------------
 */

static uint8_t
to_byte(const struct format_info *f, unsigned channel, uint32_t value)
{
   if (f->channel_class != FORMAT_CLASS_FLOAT) { /* integers: as large as fits */
      unsigned bits = f->channel[channel].bits;
      return (uint8_t)(bits > 8 ? value >> (bits - 8) : value);
   }
   float x;
   memcpy(&x, &value, sizeof(x));
   if (f->srgb && channel < 3)
      x = format_linear_to_srgb(x);
   return !(x > 0) ? 0 : x >= 1 ? 255 : (uint8_t)(x * 255 + 0.5f);
}

/* One texel, in colours that a picture can have. */
static void
colour_of(const struct surface *s, const uint8_t *element, uint32_t x, uint32_t y, uint8_t rgb[3])
{
   const struct format_info *f = s->info;
   format_texel t[64];
   if (f->layout == FORMAT_BLOCK)
      format_decode_block(f, element, t);
   else
      format_unpack(f, element, t[0]);
   unsigned which = f->layout == FORMAT_BLOCK ? y % f->block_h * f->block_w + x % f->block_w : 0;
   bool grey = f->layout == FORMAT_PLAIN && f->channel[1].type == CHANNEL_NONE;
   for (unsigned i = 0; i < 3; i++)
      rgb[i] = to_byte(f, grey ? 0 : i, t[which][grey ? 0 : i]);
}

static bool
has_colours(const struct format_info *f)
{
   return f->layout == FORMAT_PLAIN || f->layout == FORMAT_SHAREDEXP ||
          (f->layout == FORMAT_BLOCK && f->block_w * f->block_h <= 64);
}

/* The first level, slices below each other. */
static void
write_picture(struct dump_view *v, const struct surface *s, const char *name, uint32_t slices)
{
   uint32_t width = s->width, height = s->height;
   uint8_t *rgb = malloc((size_t)width * height * slices * 3), *at = rgb;
   if (!rgb)
      return;
   for (uint32_t slice = 0; slice < slices; slice++)
      for (uint32_t y = 0; y < height; y++)
         for (uint32_t x = 0; x < width; x++, at += 3) {
            struct surface_texel t = {.x = x, .y = y, .slice = slice};
            uint8_t element[16] = {0};
            uint32_t address;
            if (surface_address(s, &t, &address))
               mem_peek(space_of(v), address, element, (s->info->bits + 7u) / 8);
            colour_of(s, element, x, y, at);
         }
   char *path = path_in(v, name);
   v->failed |= !path || !cli_write_png(path, CLI_RGB, width, height * slices, rgb);
   free(path);
   free(rgb);
}

/* Elements in the order of rows and slices, whatever the tiling; a buffer as it lies. */
static size_t
copy_linear(struct dump_view *v, const struct surface *s, uint8_t *to, uint32_t slices)
{
   uint32_t bytes = (s->info->bits + 7u) / 8, w = s->info->block_w, h = s->info->block_h;
   size_t done = 0;
   for (uint32_t slice = 0; slice < slices; slice++)
      for (uint32_t y = 0; y < s->height; y += h)
         for (uint32_t x = 0; x < s->width; x += w, done += bytes) {
            struct surface_texel t = {.x = x, .y = y, .slice = slice};
            uint32_t address;
            if (surface_address(s, &t, &address))
               mem_peek(space_of(v), address, to + done, bytes);
         }
   return done;
}

static bool
is_image(const struct surface *s)
{
   return s->type <= SURFTYPE_CUBE && s->width && s->height && s->samples == 1 && s->info->bits &&
          s->info->bits % 8 == 0 && s->info->bits <= 128;
}

static void
write_image(struct dump_view *v, const struct surface *s, const char *stem)
{
   char name[80];
   uint64_t each =
       (uint64_t)s->width * s->height * ((s->info->bits + 7u) / 8); /* at least as much */
   uint32_t slices = s->depth ? s->depth : 1;
   if (s->type == SURFTYPE_CUBE)
      slices *= 6;
   while (slices > 1 && (each * slices > SURFACE_MOST || s->height * slices > PICTURE_MOST))
      slices--;
   uint8_t *data = each <= SURFACE_MOST ? calloc(each, slices) : NULL;
   if (!data)
      return;
   snprintf(name, sizeof(name), "%s.bin", stem);
   write_bytes(v, name, data, copy_linear(v, s, data, slices));
   free(data);
   fprintf(v->index, " %ux%ux%u %s", s->width, s->height, slices, name);
   if (!has_colours(s->info) || s->width > PICTURE_MOST || s->height > PICTURE_MOST)
      return;
   snprintf(name, sizeof(name), "%s.png", stem);
   write_picture(v, s, name, slices);
   fprintf(v->index, " %s", name);
}

static void
write_buffer(struct dump_view *v, const struct surface *s, const char *stem)
{
   char name[80];
   uint64_t step = s->type == SURFTYPE_STRBUF || s->info->layout == FORMAT_RAW
                       ? s->pitch_B
                       : (s->info->bits + 7u) / 8;
   if (s->info->layout == FORMAT_RAW && s->type == SURFTYPE_BUFFER)
      step = 1;
   uint64_t size = s->entries * step;
   uint8_t *data = size && size <= SURFACE_MOST ? malloc(size) : NULL;
   size_t there = data ? mem_peek(space_of(v), s->base, data, size) : 0;
   snprintf(name, sizeof(name), "%s.bin", stem);
   if (there)
      write_bytes(v, name, data, there);
   fprintf(v->index, " 0x%" PRIx64 "%s%s", size, there ? " " : "", there ? name : "");
   free(data);
}

static void
print_state(struct dump_view *v, const struct seen_surface *seen, const char *stem)
{
   char name[80], line[256];
   const struct hw_layout *l =
       hw_struct_by_name(seen->media ? "MEDIA_SURFACE_STATE" : "RENDER_SURFACE_STATE");
   snprintf(name, sizeof(name), "%s.txt", stem);
   FILE *f = l ? open_file(v, name) : NULL;
   if (!f)
      return;
   for (unsigned i = 0; i < l->field_count; i++) {
      const struct hw_field *field = &l->fields[i];
      if (field->type == HW_MBZ || field->type == HW_IGNORED)
         continue;
      hw_field_print(field, hw_field_get(field, seen->dw, 8), line, sizeof(line));
      fprintf(f, "%s: %s\n", field->name, line);
   }
   close_file(v, f);
}

static void
write_surface(struct dump_view *v, unsigned number)
{
   static const char *const types[] = {"1d",     "2d",         "3d",       "cube",
                                       "buffer", "structured", "reserved", "null"};
   const struct seen_surface *seen = &v->surface[number];
   char stem[64];
   struct surface s;
   unsigned again = 0;
   for (unsigned i = 0; i < number; i++)
      again += v->surface[i].state == seen->state;
   if (again) /* the state has been changed in its place */
      snprintf(stem, sizeof(stem), "surface-%08x-%u", seen->state, again + 1);
   else
      snprintf(stem, sizeof(stem), "surface-%08x", seen->state);
   print_state(v, seen, stem);
   if (seen->media) {
      fprintf(v->index, "surface 0x%08x media %s.txt\n", seen->state, stem);
      return;
   }
   surface_unpack(&s, seen->dw, v->d->dev->hw_device);
   fprintf(v->index, "surface 0x%08x %s 0x%08x %s", seen->state, types[s.type & 7], s.base,
           s.info->name[0] ? s.info->name : "-");
   if (s.type == SURFTYPE_BUFFER || s.type == SURFTYPE_STRBUF)
      write_buffer(v, &s, stem);
   else if (is_image(&s))
      write_image(v, &s, stem);
   fprintf(v->index, " %s.txt\n", stem);
}

/* ---- registers --------------------------------------------------------------------------------
 */

static void
write_registers(struct dump_view *v)
{
   FILE *f = open_file(v, "registers.txt");
   if (!f)
      return;
   unsigned device = v->d->dev->hw_device;
   for (size_t i = 0; i < hw_register_count; i++) {
      const struct hw_register *r = &hw_registers[i];
      uint32_t value = r->devices & device && r->access != HW_WO && r->access != HW_RC
                           ? (uint32_t)pergola_mmio_read(v->d->dev, r->offset, 4)
                           : 0;
      if (value)
         fprintf(f, "0x%06x %-36s 0x%08x\n", r->offset, r->layout->name, value);
   }
   close_file(v, f);
   fprintf(v->index, "registers registers.txt\n");
}

static bool
dump_view_end(struct dump_view *v)
{
   char *path = path_in(v, "index");
   v->index = path ? fopen(path, "ae") : NULL;
   free(path);
   bool ok = v->index != NULL;
   if (ok) {
      for (unsigned i = 0; i < v->batches; i++)
         write_batch(v, &v->batch[i]);
      for (unsigned i = 0; i < v->kernels; i++)
         write_kernel(v, v->kernel[i]);
      for (unsigned i = 0; i < v->surfaces; i++)
         write_surface(v, i);
      write_registers(v);
      fprintf(v->index, "described\n");
      close_file(v, v->index);
   }
   ok &= !v->failed;
   free(v);
   return ok;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

#define DESCRIBE_BUDGET 100000000u

struct description {
   bool failed;
};

static bool
describe(void *data, const char *path)
{
   struct description *all = data;
   struct dump d;
   struct pergola_config config = {.check = PERGOLA_CHECK_OFF};
   bool ok = dump_read(&d, path), done = ok && d.described;
   struct dump_view *v = ok && !done && dump_load(&d, &config) ? dump_view_begin(&d) : NULL;
   if (v) {
      dump_run(&d, DESCRIBE_BUDGET);
      done = dump_view_end(v);
   }
   all->failed |= !done;
   dump_free(&d);
   return true;
}

bool
dump_describe(const char *directory)
{
   struct description all = {0};
   return dump_each(directory, describe, &all) && !all.failed;
}
