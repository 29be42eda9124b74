/* pergola vme: a motion search over pictures or video, on the model. */
#include "vme.h"

#include "cli.h"
#include "rules/plural.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char vme_kernel_text[];

static const char usage[] =
    "usage: pergola vme REFERENCE.png SOURCE.png [OPTIONS]\n"
    "       pergola vme VIDEO.y4m [OPTIONS]\n"
    "       pergola vme --size WxH VIDEO.yuv [OPTIONS]\n"
    "\n"
    "Searches the motion of every macroblock of a picture by the model's VME unit, from an EU\n"
    "kernel that a media walker starts (examples/vme/search.asm).\n"
    "\n"
    "  --backward FILE       a second reference (PNG); in video --both takes the frame after\n"
    "  --frame N             the first source frame of a video (default 1)\n"
    "  --count N             so many frames (default 1; 0: to the end)\n"
    "  --distance N          from the source to its reference frames (default 1)\n"
    "  --both                two references, forward and backward\n"
    "search:\n"
    "  --window WxH          pixels that are loaded (default 48x40; 32x32 with two references)\n"
    "  --path full|small     every place, or 16 units around the middle and an adaptive walk\n"
    "  --precision whole|half|quarter   (default quarter)\n"
    "  --shapes LIST         of 16x16,16x8,8x16,8x8,8x4,4x8,4x4 (default all)\n"
    "  --haar                transform-adjusted distortions\n"
    "  --intra               intra types too\n"
    "  --skip                check the vector (0, 0) as skip first\n"
    "  --lambda N            cost of vectors and shapes, 0 (none) to 15 (default 4)\n"
    "  --set FIELD=VALUE     any field of M0 or M1 by its name in the manual, e.g. MaxNumMVs=8\n"
    "  --list                the names of these fields\n"
    "output:\n"
    "  --png FILE            the source with partitions, vectors and intra blocks drawn over it\n"
    "  --scale N             how much larger that picture is (default 2)\n"
    "  --predicted FILE      the picture that the answers predict\n"
    "  --json FILE  --csv FILE     every macroblock (- is standard output)\n"
    "  --explain X,Y         why the macroblock in column X, row Y was decided as it was\n"
    "  --kernel FILE         another kernel\n"
    "  --device SKU          see pergola devices\n"
    "\n"
    "With several frames, a %d in a file name stands for the number of the frame.\n";

struct options {
   const char *input[2];
   const char *backward, *png, *predicted, *json, *csv, *kernel, *device;
   unsigned frame, count, distance, scale, lambda;
   uint32_t raw_w, raw_h;
   bool both, haar, intra, skip, small, window_given, explain;
   unsigned window_w, window_h, precision, shape_mask, explain_x, explain_y;
   const char *set[64];
   unsigned set_count;
};

/* ---- the request ---- */

/* Centre out: the middle unit and rings of units around it, as deltas. */
static unsigned
spiral(uint8_t *path, unsigned units)
{
   static const int8_t step[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
   unsigned n = 0;
   for (unsigned side = 1, turn = 0; n + 1 < units; turn++) {
      for (unsigned i = 0; i < side && n + 1 < units; i++)
         path[n++] = (uint8_t)((step[turn % 4][0] & 15) | (step[turn % 4][1] & 15) << 4);
      side += turn & 1;
   }
   return n + 1;
}

static unsigned
serpentine(uint8_t *path, unsigned columns, unsigned rows)
{
   unsigned n = 0;
   for (unsigned row = 0; row < rows; row++) {
      for (unsigned i = 1; i < columns && n < 55; i++)
         path[n++] = row % 2 ? 0x0f : 0x01;
      if (row + 1 < rows && n < 55)
         path[n++] = 0x10;
   }
   return n + 1;
}

static uint8_t
u4u4(unsigned value)
{
   unsigned shift = 0;
   while (value > 15) {
      value >>= 1;
      shift++;
   }
   return (uint8_t)(shift << 4 | value);
}

/* Costs that grow with the distance and with the number of vectors. */
static void
set_costs(uint32_t state[32], unsigned lambda)
{
   static const uint8_t mv[8] = {0, 1, 2, 3, 4, 6, 8, 12};
   static const uint8_t mode[10] = {1, 4, 8, 16, 3, 2, 4, 7, 0, 0};
   uint8_t *bytes = (uint8_t *)state;
   for (unsigned set = 0; set < 4; set++) {
      for (unsigned i = 0; i < 8; i++) {
         bytes[64 + 16 * set + i] = u4u4(mode[i] * lambda);
         bytes[72 + 16 * set + i] = u4u4(mv[i] * lambda / 2);
      }
      bytes[56 + 2 * set] = u4u4(mode[8] * lambda);
   }
}

/* VME-204, VME-205: the window around the block; its first line is even (VME-242). */
static void
make_settings(const struct options *o, struct vme_settings *s)
{
   unsigned w = o->window_w, h = o->window_h, columns = (w - 16) / 4, rows = (h - 16) / 4;
   uint8_t path[56] = {0};
   unsigned units = o->small ? spiral(path, 16) : serpentine(path, columns, rows);
   unsigned start = o->small ? (columns - 1) / 2 | (rows - 1) / 2 << 4 : 0;
   int32_t x = -(int32_t)((w - 16) / 2), y = -(int32_t)((h - 16) / 4 * 2);
   struct hw_vme_m0 m0 = {.ref0x = x,
                          .ref0y = y,
                          .ref1x = x,
                          .ref1y = y,
                          .refwidth = w,
                          .refheight = h,
                          .submbpartmask = o->shape_mask,
                          .intersad = o->haar ? 2 : 0,
                          .intrasad = o->haar ? 2 : 0,
                          .searchctrl = o->both ? 7 : 0,
                          .subpelmode = o->precision};
   struct hw_vme_m1 m1 = {.lensp = units,
                          .maxnumsu = o->small ? 40 : units,
                          .adaptiveen = o->small,
                          .start0x = start & 15,
                          .start0y = start >> 4,
                          .start1x = start & 15,
                          .start1y = start >> 4,
                          .maxnummvs = 32,
                          .biweight = 32,
                          .skipmodeen = o->skip,
                          .skipsuccess = u4u4(o->lambda * 8),
                          .skipcentermask = 0x55,
                          .intrapartmask = o->intra ? 0 : 7};
   /* VME-285: bidirectional only what is enabled. */
   m1.bisubmbpartmask = (o->shape_mask & 1) | ((o->shape_mask & 6) == 6 ? 2u : 0) |
                        (o->shape_mask & 8 ? 4u : 0) | ((o->shape_mask & 0x70) == 0x70 ? 8u : 0);
   memset(s, 0, sizeof(*s));
   gen7_vme_m0_pack(s->in[0], &m0);
   gen7_vme_m1_pack(s->in[1], &m1);
   s->in[4][4] = 0x22222222; /* neighbours predict DC */
   memcpy(s->state, path, sizeof(path));
   set_costs(s->state, o->lambda);
}

/* ---- --set ---- */

static const struct hw_field *
find_field(const char *name, size_t length, unsigned *phase)
{
   for (*phase = 0; *phase < 2; ++*phase) {
      const struct hw_layout *l = hw_struct_by_name(*phase ? "VME M1" : "VME M0");
      for (unsigned i = 0; i < l->field_count; i++)
         if (l->fields[i].type != HW_MBZ && strlen(l->fields[i].name) == length &&
             !strncasecmp(l->fields[i].name, name, length))
            return &l->fields[i];
   }
   return NULL;
}

static bool
apply_set(struct vme_settings *s, const char *text)
{
   const char *equals = strchr(text, '=');
   unsigned phase;
   char *end;
   const struct hw_field *f = equals ? find_field(text, (size_t)(equals - text), &phase) : NULL;
   long value = f ? strtol(equals + 1, &end, 0) : 0;
   if (!f || end == equals + 1 || *end) {
      cli_bad_value("vme", "set", f ? "FIELD=NUMBER" : "FIELD=VALUE with a field that --list shows",
                    text);
      return false;
   }
   unsigned dw = f->start / 32, low = f->start % 32, bits = f->end - f->start + 1u;
   uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1);
   if (value > (long)mask || value < -((long)mask + 1) / 2) {
      char wants[48];
      snprintf(wants, sizeof(wants), "a number of %u bit%s for this field", bits, plural(bits));
      cli_bad_value("vme", "set", wants, text);
      return false;
   }
   s->in[phase][dw] = (s->in[phase][dw] & ~(mask << low)) | ((uint32_t)value & mask) << low;
   return true;
}

static int
list_fields(void)
{
   for (unsigned phase = 0; phase < 2; phase++) {
      const struct hw_layout *l = hw_struct_by_name(phase ? "VME M1" : "VME M0");
      for (unsigned i = 0; i < l->field_count; i++) {
         const struct hw_field *f = &l->fields[i];
         if (f->type != HW_MBZ && f->type != HW_IGNORED)
            printf("M%u.%u %2u:%-2u %-36s %s\n", phase, f->start / 32, f->end % 32, f->start % 32,
                   f->name, f->ledger);
      }
   }
   return CLI_OK;
}

/* ---- the command line ---- */

static bool
parse_size(const char *text, char between, uint32_t *w, uint32_t *h)
{
   char *end;
   unsigned long a = strtoul(text, &end, 10);
   if (end == text || *end != between)
      return false;
   const char *second = end + 1;
   unsigned long b = strtoul(second, &end, 10);
   if (end == second || *end || a > 65535 || b > 65535)
      return false;
   *w = (uint32_t)a;
   *h = (uint32_t)b;
   return true;
}

static bool
parse_shapes(const char *list, unsigned *mask)
{
   static const char *const names[] = {"16x16", "16x8", "8x16", "8x8", "8x4", "4x8", "4x4"};
   *mask = 0x7f;
   while (*list) {
      size_t n = strcspn(list, ",");
      unsigned i = 0;
      while (i < 7 && (strlen(names[i]) != n || strncmp(names[i], list, n)))
         i++;
      if (i == 7)
         return false;
      *mask &= ~(1u << i);
      list += n + (list[n] != 0);
   }
   return true;
}

static bool
parse_precision(const char *text, unsigned *precision)
{
   *precision = !strcmp(text, "half") ? 1 : !strcmp(text, "quarter") ? 3 : 0;
   return *precision || !strcmp(text, "whole");
}

static bool
parse_number(const char *text, unsigned least, unsigned most, unsigned *value)
{
   uint64_t v;
   if (!cli_parse_u64(text, &v) || v < least || v > most)
      return false;
   *value = (unsigned)v;
   return true;
}

enum {
   BACKWARD = 256,
   FRAME,
   COUNT_,
   DISTANCE,
   BOTH,
   WINDOW,
   PATH,
   PRECISION,
   SHAPES,
   HAAR,
   INTRA,
   SKIP,
   LAMBDA,
   SET,
   LIST,
   PNG_,
   SCALE,
   PREDICTED,
   JSON,
   CSV,
   EXPLAIN,
   KERNEL,
   DEVICE,
   SIZE,
   HELP,
};
static const struct option long_options[] = {
    {"backward", 1, 0, BACKWARD}, {"frame", 1, 0, FRAME},
    {"count", 1, 0, COUNT_},      {"distance", 1, 0, DISTANCE},
    {"both", 0, 0, BOTH},         {"window", 1, 0, WINDOW},
    {"path", 1, 0, PATH},         {"precision", 1, 0, PRECISION},
    {"shapes", 1, 0, SHAPES},     {"haar", 0, 0, HAAR},
    {"intra", 0, 0, INTRA},       {"skip", 0, 0, SKIP},
    {"lambda", 1, 0, LAMBDA},     {"set", 1, 0, SET},
    {"list", 0, 0, LIST},         {"png", 1, 0, PNG_},
    {"scale", 1, 0, SCALE},       {"predicted", 1, 0, PREDICTED},
    {"json", 1, 0, JSON},         {"csv", 1, 0, CSV},
    {"explain", 1, 0, EXPLAIN},   {"kernel", 1, 0, KERNEL},
    {"device", 1, 0, DEVICE},     {"size", 1, 0, SIZE},
    {"help", 0, 0, HELP},         {0, 0, 0, 0},
};

static bool
take_option(struct options *o, int option, const char *value)
{
   switch (option) {
   case BACKWARD:
      o->backward = value;
      o->both = true;
      return true;
   case FRAME:
      return parse_number(value, 0, 1u << 30, &o->frame);
   case COUNT_:
      return parse_number(value, 0, 1u << 30, &o->count);
   case DISTANCE:
      return parse_number(value, 1, 1000, &o->distance);
   case BOTH:
      return o->both = true;
   case WINDOW:
      o->window_given = true;
      return parse_size(value, 'x', &o->window_w, &o->window_h) && o->window_w >= 20 &&
             o->window_h >= 20 && o->window_w <= 64 && o->window_h <= 64 && o->window_w % 4 == 0 &&
             o->window_h % 4 == 0;
   case PATH:
      o->small = !strcmp(value, "small");
      return o->small || !strcmp(value, "full");
   case PRECISION:
      return parse_precision(value, &o->precision);
   case SHAPES:
      return parse_shapes(value, &o->shape_mask);
   case HAAR:
      return o->haar = true;
   case INTRA:
      return o->intra = true;
   case SKIP:
      return o->skip = true;
   case LAMBDA:
      return parse_number(value, 0, 15, &o->lambda);
   case SET:
      if (o->set_count < 64)
         o->set[o->set_count++] = value;
      return true;
   case PNG_:
      o->png = value;
      return true;
   case SCALE:
      return parse_number(value, 1, 8, &o->scale);
   case PREDICTED:
      o->predicted = value;
      return true;
   case JSON:
      o->json = value;
      return true;
   case CSV:
      o->csv = value;
      return true;
   case EXPLAIN:
      o->explain = true;
      return parse_size(value, ',', &o->explain_x, &o->explain_y);
   case KERNEL:
      o->kernel = value;
      return true;
   case DEVICE:
      o->device = value;
      return true;
   case SIZE:
      return parse_size(value, 'x', &o->raw_w, &o->raw_h) && o->raw_w && o->raw_h;
   default:
      return false;
   }
}

/* What take_option() refuses otherwise. */
static const char *
wanted(int option)
{
   switch (option) {
   case DISTANCE:
      return "a number from 1 to 1000";
   case WINDOW:
      return "WxH, each a multiple of 4 from 20 to 64";
   case PATH:
      return "full or small";
   case PRECISION:
      return "whole, half or quarter";
   case SHAPES:
      return "a list of 16x16,16x8,8x16,8x8,8x4,4x8,4x4";
   case LAMBDA:
      return "a number from 0 to 15";
   case SCALE:
      return "a number from 1 to 8";
   case EXPLAIN:
      return "X,Y, the place of a macroblock";
   case SIZE:
      return "WxH, in pixels";
   default:
      return "a number of frames";
   }
}

/* ---- the work ---- */

struct job {
   const struct options *o;
   struct vme_machine *machine;
   struct vme_settings settings;
   FILE *json, *csv;
   bool many;
};

/* The one %d of a pattern becomes the number. */
static const char *
file_name(const char *pattern, unsigned frame, char *name, size_t size)
{
   const char *at = strstr(pattern, "%d");
   if (at)
      snprintf(name, size, "%.*s%04u%s", (int)(at - pattern), pattern, frame, at + 2);
   else
      snprintf(name, size, "%s", pattern);
   return name;
}

static bool
search_frame(struct job *j, const struct vme_image *source,
             const struct vme_image *const reference[2], unsigned frame)
{
   const struct options *o = j->o;
   struct vme_image predicted;
   char name[4096];
   if (source->width != reference[0]->width || source->height != reference[0]->height ||
       (reference[1] &&
        (source->width != reference[1]->width || source->height != reference[1]->height))) {
      fprintf(stderr, "pergola: the pictures differ in size\n");
      return false;
   }
   const struct vme_answer *answers =
       vme_machine_search(j->machine, &j->settings, source, reference);
   if (!answers || !vme_compensate(&j->settings, source, reference, answers, &predicted))
      return false;
   double psnr = vme_psnr(source, &predicted);
   bool ok = true;
   if (o->png)
      ok &= vme_write_overlay(file_name(o->png, frame, name, sizeof(name)), source, answers,
                              o->scale);
   if (o->predicted)
      ok &= vme_write_gray(file_name(o->predicted, frame, name, sizeof(name)), &predicted);
   if (j->json)
      vme_write_json(j->json, source, answers, frame, psnr);
   if (j->csv)
      vme_write_csv(j->csv, source, answers, frame);
   if (j->json != stdout && j->csv != stdout && !o->explain) {
      if (j->many)
         printf("frame %u: ", frame);
      vme_print_summary(stdout, source, answers, psnr);
   }
   vme_image_free(&predicted);
   return ok;
}

static void
progress(unsigned done, unsigned all)
{
   char bar[41];
   if (!isatty(STDERR_FILENO) || all < 2)
      return;
   unsigned filled = (unsigned)((uint64_t)done * 40 / all);
   memset(bar, '.', 40);
   memset(bar, '#', filled);
   bar[40] = 0;
   fprintf(stderr, "\r[%s] %u/%u%s", bar, done, all, done == all ? "\n" : "");
}

static bool
search_pictures(struct job *j)
{
   const struct options *o = j->o;
   struct vme_image source = {0}, forward = {0}, backward = {0};
   bool ok = vme_image_read_png(&forward, o->input[0]) &&
             vme_image_read_png(&source, o->input[1]) &&
             (!o->backward || vme_image_read_png(&backward, o->backward));
   const struct vme_image *const reference[2] = {&forward, o->backward ? &backward : NULL};
   ok = ok && search_frame(j, &source, reference, 0);
   vme_image_free(&source);
   vme_image_free(&forward);
   vme_image_free(&backward);
   return ok;
}

static bool
search_one(struct job *j, struct vme_video *v, unsigned frame)
{
   const struct options *o = j->o;
   struct vme_image source = {0}, forward = {0}, backward = {0};
   bool ok = vme_video_read(v, frame, &source) &&
             vme_video_read(v, frame - o->distance, &forward) &&
             (!o->both || vme_video_read(v, frame + o->distance, &backward));
   const struct vme_image *const reference[2] = {&forward, o->both ? &backward : NULL};
   ok = ok && search_frame(j, &source, reference, frame);
   vme_image_free(&source);
   vme_image_free(&forward);
   vme_image_free(&backward);
   return ok;
}

static bool
search_video(struct job *j)
{
   const struct options *o = j->o;
   struct vme_video v;
   if (!vme_video_open(&v, o->input[0], o->raw_w, o->raw_h))
      return false;
   unsigned after = o->both ? o->distance : 0;
   unsigned last = v.frames > after ? v.frames - after : 0;
   unsigned count = o->count ? o->count : last > o->frame ? last - o->frame : 0;
   bool ok = true;
   if (o->frame < o->distance || !count || o->frame + (uint64_t)count > last) {
      fprintf(stderr, "pergola: '%s' has %u frame%s; sources go from %u to %d\n", o->input[0],
              v.frames, plural(v.frames), o->distance, (int)last - 1);
      ok = false;
   }
   j->many = count > 1;
   for (unsigned i = 0; ok && i < count; i++) {
      ok = search_one(j, &v, o->frame + i);
      progress(i + 1, count);
   }
   vme_video_close(&v);
   return ok;
}

static void
explain(void *data, const struct pergola_event *e)
{
   const struct options *o = data;
   if (!e->count && (e->a & 0xffff) == o->explain_x * 16 && e->a >> 16 == o->explain_y * 16)
      printf("%s\n", e->text);
}

static FILE *
open_table(const char *path)
{
   FILE *f = !path ? NULL : !strcmp(path, "-") ? stdout : fopen(path, "w");
   if (path && !f)
      fprintf(stderr, "pergola: cannot write '%s': %s\n", path, strerror(errno));
   return f;
}

static bool
close_table(FILE *f)
{
   return !f || f == stdout || !fclose(f);
}

/* The values of --set, before anything is read. */
static bool
settings_ok(const struct options *o)
{
   struct vme_settings s;
   make_settings(o, &s);
   for (unsigned i = 0; i < o->set_count; i++)
      if (!apply_set(&s, o->set[i]))
         return false;
   return true;
}

static bool
run(const struct options *o)
{
   struct job j = {.o = o};
   size_t size = strlen(vme_kernel_text);
   char *own = NULL;
   if (o->kernel && !(own = (char *)cli_read_file(o->kernel, 1 << 20, &size)))
      return false;
   make_settings(o, &j.settings);
   for (unsigned i = 0; i < o->set_count; i++)
      apply_set(&j.settings, o->set[i]);
   j.machine = vme_machine_create(o->device, own ? own : vme_kernel_text, size);
   free(own);
   if (!j.machine)
      return false;
   j.json = open_table(o->json);
   j.csv = open_table(o->csv);
   bool ok = (!o->json || j.json) && (!o->csv || j.csv);
   if (j.csv)
      fputs("frame,x,y,kind,shape,cost,inter,intra,units,parts\n", j.csv);
   if (o->explain)
      pergola_add_observer(vme_machine_device(j.machine), 1u << PERGOLA_EVENT_VME, explain,
                           (void *)(uintptr_t)o);
   ok = ok && (o->input[1] ? search_pictures(&j) : search_video(&j));
   bool json = close_table(j.json), csv = close_table(j.csv);
   if (!json || !csv)
      fprintf(stderr, "pergola: %s cannot be written\n", json ? o->csv : o->json);
   ok = ok && json && csv;
   vme_machine_destroy(j.machine);
   return ok;
}

int
cli_vme(int argc, char **argv)
{
   struct options o = {
       .frame = 1, .count = 1, .distance = 1, .scale = 2, .lambda = 4, .precision = 3};
   int option, which = 0;
   optind = 0;
   while ((option = getopt_long(argc, argv, ":", long_options, &which)) != -1) {
      if (option == HELP) {
         fputs(usage, stdout);
         return CLI_OK;
      }
      if (option == LIST)
         return list_fields();
      if (option == '?' || option == ':')
         return cli_bad_option("vme", argv, option);
      if (!take_option(&o, option, optarg))
         return cli_bad_value("vme", long_options[which].name, wanted(option), optarg);
   }
   for (unsigned i = 0; optind < argc && i < 2; i++)
      o.input[i] = argv[optind++];
   if (optind < argc)
      return cli_surplus("vme", argv[optind]);
   if (!o.input[0] || (o.backward && !o.input[1])) {
      fputs(usage, stderr);
      return CLI_USAGE;
   }
   if (!o.window_given) {
      o.window_w = o.both ? 32 : 48;
      o.window_h = o.both ? 32 : 40;
   }
   const struct cli_output written[] = {{"--png", o.png, false},
                                        {"--predicted", o.predicted, false},
                                        {"--json", o.json, true},
                                        {"--csv", o.csv, true}};
   if ((o.device && !cli_part(o.device)) || !settings_ok(&o) || !cli_outputs_ok(written, 4))
      return CLI_USAGE;
   return run(&o) ? CLI_OK : CLI_FAILED;
}
