#include "cli.h"

#include "decode_capture.h"
#include "hw/decode.h"
#include "pergola/pergola.h"
#include "rules/plural.h"

#include <getopt.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE (size_t)1 << 30
#define CAPTURE_BUDGET 20000000u

static const char help[] =
    "usage: pergola decode [OPTIONS] FILE\n\n"
    "Shows a batch, a file of little-endian dwords ('-': standard input), command by command and\n"
    "field by field. Batches that it starts are followed when they lie in the same file.\n"
    "An i915 error state, an AUB file or a hang dump (also packed by gzip) is shown as a tree:\n"
    "registers, rings and batches with the place of ACTHD, kernels and surfaces in use, memory.\n\n"
    "  --engine rcs|vcs|bcs  the command streamer (rcs), on Ice Lake vecs too\n"
    "  --device NAME         a part, as 'pergola devices' lists them, or ivb, vlv, hsw, icl (ivb)\n"
    "  --base ADDRESS        graphics address of the file's first byte (0)\n"
    "  --ring                the file is a ring: batches come back to it\n"
    "  --all                 goes on after MI_BATCH_BUFFER_END\n"
    "  --brief               only fields that are not zero, and what is wrong\n"
    "  --json                an array, one command per line\n"
    "  --no-color            no colours (also when NO_COLOR is set)\n"
    "  --no-pager            no pager on a terminal\n\n"
    "Exit code 1: something in the file is not a command, or it is cut off.\n";

struct decode_options {
   const char *file;
   unsigned engine_bit, device_bit;
   uint32_t base;
   bool ring, all, brief, json, no_color, no_pager;
};

static bool
parse_engine(const char *text, unsigned *bit)
{
   static const char *const names[] = {"rcs", "vcs", "bcs", "vecs"};
   for (unsigned i = 0; i < 4; i++)
      if (!strcasecmp(text, names[i])) {
         *bit = 1u << i;
         return true;
      }
   cli_bad_value("decode", "engine", "rcs, vcs, bcs or vecs", text);
   return false;
}

static bool
parse_base(const char *text, uint32_t *base)
{
   uint64_t v;
   if (cli_parse_u64(text, &v) && v <= UINT32_MAX && !(v & 3)) {
      *base = (uint32_t)v;
      return true;
   }
   cli_bad_value("decode", "base", "an address below 4 GiB that is a multiple of 4", text);
   return false;
}

static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                        {"engine", required_argument, NULL, 'e'},
                                        {"device", required_argument, NULL, 'd'},
                                        {"base", required_argument, NULL, 'b'},
                                        {"ring", no_argument, NULL, 'r'},
                                        {"all", no_argument, NULL, 'a'},
                                        {"brief", no_argument, NULL, 'B'},
                                        {"json", no_argument, NULL, 'j'},
                                        {"no-color", no_argument, NULL, 'c'},
                                        {"no-pager", no_argument, NULL, 'p'},
                                        {0}};

/* False: the value is wrong, which has been said. */
static bool
take(struct decode_options *o, int option)
{
   switch (option) {
   case 'e':
      return parse_engine(optarg, &o->engine_bit);
   case 'd':
      return cli_hw_device(optarg, &o->device_bit);
   case 'b':
      return parse_base(optarg, &o->base);
   case 'r':
      return o->ring = true;
   case 'a':
      return o->all = true;
   case 'B':
      return o->brief = true;
   case 'j':
      return o->json = true;
   case 'c':
      return o->no_color = true;
   default:
      return o->no_pager = true;
   }
}

/* True, or CLI exit code in *code. */
static bool
parse(int argc, char **argv, struct decode_options *o, int *code)
{
   *code = CLI_USAGE;
   for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
      if (c == '?' || c == ':') {
         *code = cli_bad_option("decode", argv, c);
         return false;
      }
      if (c == 'h') {
         fputs(help, stdout);
         *code = CLI_OK;
         return false;
      }
      if (!take(o, c))
         return false;
   }
   if (optind + 1 < argc)
      fprintf(stderr, "pergola: decode takes one file, and got '%s' and '%s'\n", argv[optind],
              argv[optind + 1]);
   else if (optind == argc)
      fputs(help, stderr);
   o->file = optind + 1 == argc ? argv[optind] : NULL;
   return o->file != NULL;
}

static int
show(const struct decode_options *o, const uint8_t *data, size_t size)
{
   struct hw_decode_request r = {.dw = (const uint32_t *)data,
                                 .count_dw = size / 4,
                                 .base = o->base,
                                 .engine_bit = o->engine_bit,
                                 .device_bit = o->device_bit,
                                 .ring = o->ring,
                                 .all = o->all};
   int pid;
   bool color = !o->no_color && !o->json && cli_color();
   FILE *out = cli_pager_open(!o->no_pager && !o->json, &pid);
   struct hw_decode_writer w = {.out = out,
                                .color = color,
                                .brief = o->brief,
                                .engine_bit = o->engine_bit,
                                .device_bit = o->device_bit};
   struct hw_decode_sink sink;
   struct hw_decode_result result;
   (o->json ? hw_decode_json : hw_decode_text)(&w, &sink);
   if (o->json)
      hw_decode_json_begin(&w);
   bool ok = hw_decode(&r, &sink, &result);
   if (o->json)
      hw_decode_json_end(&w);
   fflush(out);
   bool lost = ferror(out) && errno != EPIPE;
   cli_pager_close(out, pid);
   if (!ok || lost) {
      fprintf(stderr, "pergola: %s\n", ok ? "the output cannot be written" : "out of memory");
      return CLI_FAILED;
   }
   if (result.unknown)
      fprintf(stderr, "pergola: %s: %llu of %llu commands %s unknown on this engine\n", o->file,
              (unsigned long long)result.unknown, (unsigned long long)result.commands,
              are(result.unknown));
   if (result.cut_off)
      fprintf(stderr, "pergola: %s: the last command is cut off\n", o->file);
   if (size % 4)
      fprintf(stderr, "pergola: %s: %zu byte%s after the last whole dword %s left out\n", o->file,
              size % 4, plural(size % 4), are(size % 4));
   return result.unknown || result.cut_off ? CLI_FAILED : CLI_OK;
}

/* What a hung GPU left behind is told by its first bytes; *shown: it was such a file. */
static int
show_capture(const struct decode_options *o, const uint8_t *data, size_t size, bool *shown)
{
   char error[160] = "";
   *shown = capture_known(data, size);
   if (!*shown)
      return CLI_FAILED;
   struct capture *c =
       strcmp(o->file, "-") ? capture_read(o->file, error) : capture_parse(data, size, error);
   if (!c) {
      fprintf(stderr, "pergola: %s: %s\n", o->file, error);
      return CLI_FAILED;
   }
   int pid;
   FILE *out = cli_pager_open(!o->no_pager, &pid);
   decode_capture(out, c, !o->no_color && cli_color(), CAPTURE_BUDGET);
   fflush(out);
   bool lost = ferror(out) && errno != EPIPE;
   cli_pager_close(out, pid);
   capture_free(c);
   if (lost)
      fprintf(stderr, "pergola: the output cannot be written\n");
   return lost ? CLI_FAILED : CLI_OK;
}

int
cli_decode(int argc, char **argv)
{
   struct decode_options o = {.engine_bit = HW_RCS, .device_bit = HW_IVB};
   int code;
   if (!parse(argc, argv, &o, &code))
      return code;
   size_t size;
   uint8_t *data = cli_read_file(o.file, MAX_FILE, &size);
   if (!data)
      return CLI_FAILED;
   if (size < 4) {
      fprintf(stderr,
              "pergola: %s holds %zu byte%s; a batch is a file of dwords, such as 'pergola run "
              "--dump' writes\n",
              o.file, size, plural(size));
      free(data);
      return CLI_FAILED;
   }
   signal(SIGPIPE, SIG_IGN); /* the pager may be left early */
   bool shown = false;
   int as_capture = show_capture(&o, data, size, &shown);
   code = shown ? as_capture : show(&o, data, size);
   free(data);
   return code;
}
