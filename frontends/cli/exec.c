/* pergola exec: runs a batch or a script on one engine or more, and shows what came of it. */
#include "exec.h"

#include "cli.h"
#include "hw/header.h"
#include "pergola/pergola_trace.h"
#include "rules/plural.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define WATCHED                                                                                    \
   (1u << 18) /* units for which the threads of a batch that does not end are looked at */

const char *const exec_engine_names[PERGOLA_ENGINES] = {"RCS", "VCS", "BCS"};
const uint32_t exec_engine_base[PERGOLA_ENGINES] = {REG_BASE_RCS, REG_BASE_VCS, REG_BASE_BCS};

/* ---- the device ---- */

static void
start_ring(struct exec *x, enum pergola_engine e)
{
   static const uint32_t status[PERGOLA_ENGINES] = {REG_RCS_HWS_PGA, REG_VCS_HWS_PGA,
                                                    REG_BCS_HWS_PGA};
   uint32_t base = exec_engine_base[e];
   pergola_mmio_write(x->dev, status[e], 4, EXEC_STATUS(e));
   pergola_mmio_write(x->dev, base + ENGINE_RING_BUFFER_START, 4, EXEC_RING(e));
   pergola_mmio_write(x->dev, base + ENGINE_RING_BUFFER_CTL, 4, EXEC_RING_ON);
}

struct exec *
exec_create(const char *sku, enum pergola_check check, unsigned sanitize)
{
   struct pergola_config config = {
       .sku = sku, .check = check, .deadlocks_hang = true, .sanitize = sanitize};
   const char *error = NULL;
   struct exec *x = calloc(1, sizeof(*x));
   if (!x)
      return NULL;
   struct pergola_machine_memory memory = {.size = EXEC_MEMORY_SIZE, .mapped = EXEC_MEMORY_SIZE};
   if (pergola_machine_create(&x->machine, &config, &memory, &error)) {
      fprintf(stderr, "pergola: %s\n", error);
      free(x);
      return NULL;
   }
   x->dev = x->machine.dev;
   x->memory = x->machine.memory;
   for (unsigned e = 0; e < PERGOLA_ENGINES; e++)
      start_ring(x, e);
   x->budget = 100000000;
   return x;
}

void
exec_destroy(struct exec *x)
{
   pergola_machine_destroy(&x->machine);
   free(x);
}

uint32_t
exec_head(struct exec *x, enum pergola_engine e)
{
   uint32_t at = exec_engine_base[e] + ENGINE_RING_BUFFER_HEAD;
   return (uint32_t)pergola_mmio_read(x->dev, at, 4) & REG_RCS_RING_BUFFER_HEAD__HEAD_OFFSET;
}

bool
exec_ring(struct exec *x, enum pergola_engine e, const uint32_t *dw, unsigned count)
{
   unsigned padded = count + (count & 1);
   if (x->tail[e] + padded * 4 >= EXEC_RING_SIZE)
      return false;
   if (exec_head(x, e) == x->tail[e])
      x->begin[e] = x->tail[e];
   for (unsigned i = 0; i + 1 < count; i++)
      if ((dw[i] & HW_MI_HEADER) == GEN7_MI_BATCH_BUFFER_START_HEADER)
         x->batch[e] = dw[i + 1];
   memcpy(x->memory + EXEC_RING(e) + x->tail[e], dw, count * 4);
   x->tail[e] += padded * 4;
   pergola_mmio_write(x->dev, exec_engine_base[e] + ENGINE_RING_BUFFER_TAIL, 4, x->tail[e]);
   return true;
}

void
exec_write(struct exec *x, uint32_t address, const void *bytes, size_t size)
{
   memcpy(x->memory + address, bytes, size);
   for (uint64_t page = address / 4096; size && page <= (address + size - 1) / 4096; page++)
      x->given[page / 8] |= (uint8_t)(1u << page % 8);
}

bool
exec_object(struct exec *x, uint32_t address, uint64_t size)
{
   if (!x->objects) /* rings and status pages come first */
      x->object[x->objects++] =
          (struct pergola_object){EXEC_RING(0), EXEC_STATUS(PERGOLA_ENGINES) - EXEC_RING(0), 0};
   if (x->objects == EXEC_OBJECTS)
      return false;
   x->object[x->objects] = (struct pergola_object){address, size, x->objects};
   x->objects++;
   return !pergola_set_objects(x->dev, true, x->object, x->objects);
}

enum pergola_run_result
exec_run(struct exec *x, uint64_t budget)
{
   return pergola_run(x->dev, budget);
}

const char *
exec_result_name(enum pergola_run_result r)
{
   static const char *const names[] = {"idle", "waiting for the host", "out of budget", "stopped"};
   return names[r];
}

bool
exec_engine(const char *text, enum pergola_engine *e)
{
   for (unsigned i = 0; i < PERGOLA_ENGINES; i++)
      if (!strcasecmp(text, exec_engine_names[i])) {
         *e = i;
         return true;
      }
   return false;
}

bool
exec_register(const struct exec *x, const char *text, uint32_t *offset)
{
   uint64_t v;
   if (cli_parse_u64(text, &v) && v < 0x200000 && !(v & 3)) {
      *offset = (uint32_t)v;
      return true;
   }
   const struct hw_register *r = hw_register_by_name(text, cli_device_bit(x->dev));
   if (r)
      *offset = r->offset;
   return r != NULL;
}

/* ---- what is shown ---- */

void
exec_dump(const struct exec *x, uint32_t address, uint32_t size)
{
   for (uint32_t at = 0; at < size; at += 16) {
      printf("%08x:", address + at);
      for (uint32_t i = at; i < size && i < at + 16; i += 4) {
         uint32_t v;
         memcpy(&v, x->memory + address + i, 4);
         printf(" %08x", v);
      }
      printf("\n");
   }
}

bool
exec_show(struct exec *x, const char *name)
{
   uint32_t offset;
   if (!exec_register(x, name, &offset))
      return false;
   const struct hw_register *r = hw_register_at(offset, cli_device_bit(x->dev));
   printf("%-28s 0x%06x = 0x%08x\n", r ? r->layout->name : "", offset,
          (uint32_t)pergola_mmio_read(x->dev, offset, 4));
   return true;
}

void
exec_print_diagnostic(void *data, const struct pergola_diagnostic *d)
{
   static const char *const severity[] = {"note", "warning", "error", "fatal"};
   fprintf(stderr, "%s: %s", severity[d->severity], d->engine);
   if (d->has_address)
      fprintf(stderr, " at 0x%08llx", (unsigned long long)d->address);
   fprintf(stderr, ": %s%s%s%s%s%s%s%s [%s]\n", d->subject, d->field[0] ? ", " : "", d->field,
           d->subject[0] ? ": " : "", d->message, d->where[0] ? " (" : "", d->where,
           d->where[0] ? ")" : "", d->rule);
}

/* ---- the command line ---- */

static void
usage(FILE *out)
{
   fprintf(
       out,
       "usage: pergola exec [OPTIONS] [FILE|DIRECTORY]\n\n"
       "Executes a batch (raw little-endian dwords, loaded at 0x%x) or, with --script, a "
       "script.\n"
       "A directory of 'pergola run --dump', or that of one of its batches, is run again, each "
       "batch from\n"
       "the memory and state that it began with, and its memory is held against what it left "
       "then.\n"
       "Files of the second batch and on have its number in their names: FILE-2.\n\n"
       "  --engine rcs|vcs|bcs      who executes the batch (rcs)\n"
       "  --device NAME             the part ('pergola devices')\n"
       "  --check off|report|stop   what a broken rule does (report)\n"
       "  --sanitize LIST           faults of EU programs: memory, race, init, or all\n"
       "  --fail-on LIST            exit with 3 after error, warning, unmodelled, sanitizer, or "
       "all\n"
       "  --budget N                commands and instructions at most (100000000)\n"
       "  --dump ADDRESS:SIZE       show memory afterwards; may be repeated\n"
       "  --reg NAME|OFFSET         show a register afterwards; may be repeated\n"
       "  --trace FILE              every command, interrupt and wait as text ('-': here)\n"
       "  --perfetto FILE           the same as a Chrome trace\n"
       "  --report FILE             every diagnostic, as text, JSON lines or SARIF by its ending\n"
       "  --error-state FILE        what is left of engines that have not ended, for 'pergola "
       "replay'\n"
       "  --save FILE               the machine as it is in the end: device and memory\n"
       "  --load FILE               begin with a machine that was saved; without a batch it goes "
       "on\n"
       "  --script                  FILE is a script, a line a step:\n\n"
       "     write ADDRESS WORD...    dwords into memory; a WORD is a number or a command's name\n"
       "     image ADDRESS FILE       a file into memory\n"
       "     reg NAME|OFFSET VALUE    a register write from the bus\n"
       "     ring ENGINE WORD...      dwords behind the tail of a ring\n"
       "     batch ENGINE ADDRESS     MI_BATCH_BUFFER_START in the ring\n"
       "     run [BUDGET]             run until idle, waiting, stopped or out of budget\n"
       "     object ADDRESS SIZE      what batches may use; --sanitize names what is in none\n"
       "     dump ADDRESS SIZE, show NAME|OFFSET, expect ADDRESS WORD...\n"
       "     png FILE ADDRESS W H      a picture of W x H pixels of 32 bits\n\n"
       "256 MiB of memory lie at graphics address 0; rings at 0x10000, 0x20000, 0x30000, status "
       "pages\n"
       "at 0x40000, 0x41000, 0x42000. Exit code 1: an engine stopped, a fatal report, or an "
       "expectation failed.\n",
       EXEC_BATCH);
}

static void
bad_value(int option, const char *value)
{
   static const struct {
      int option;
      const char *name, *wants;
   } all[] = {
       {'e', "engine", "rcs, vcs or bcs"},
       {'c', "check", "off, report or stop"},
       {'b', "budget", "a number above 0"},
       {'m', "dump", "given at most 16 times"},
       {'r', "reg", "given at most 16 times"},
       {'S', "sanitize", "a list of " PERGOLA_SANITIZE_WORDS},
       {'f', "fail-on", "a list of " FAIL_WORDS},
   };
   for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
      if (all[i].option == option)
         cli_bad_value("exec", all[i].name, all[i].wants, value);
}

/* CLI_OK, or the exit code; *help: that is all. */
static int
parse_options(int argc, char **argv, struct exec_options *o, bool *help)
{
   static const struct option known[] = {
       {"engine", 1, 0, 'e'},
       {"device", 1, 0, 'd'},
       {"check", 1, 0, 'c'},
       {"budget", 1, 0, 'b'},
       {"dump", 1, 0, 'm'},
       {"reg", 1, 0, 'r'},
       {"trace", 1, 0, 't'},
       {"perfetto", 1, 0, 'p'},
       {"report", 1, 0, 'R'},
       {"sanitize", 1, 0, 'S'},
       {"save", 1, 0, 'o'},
       {"load", 1, 0, 'l'},
       {"script", 0, 0, 's'},
       {"error-state", 1, 0, 'E'},
       {"help", 0, 0, 'h'},
       {"fail-on", 1, 0, 'f'},
       {0},
   };
   *o = (struct exec_options){.check = PERGOLA_CHECK_REPORT, .budget = 100000000};
   optind = 1;
   for (int c; (c = getopt_long(argc, argv, ":", known, NULL)) != -1;) {
      bool ok = true;
      switch (c) {
      case 'e':
         ok = exec_engine(optarg, &o->engine);
         break;
      case 'd':
         o->device = optarg;
         ok = cli_part(optarg);
         break;
      case 'c':
         ok = cli_parse_check(optarg, &o->check);
         break;
      case 'b':
         ok = cli_parse_u64(optarg, &o->budget) && o->budget;
         break;
      case 'm':
         ok = o->dump_count < 16 && (o->dumps[o->dump_count++] = optarg);
         break;
      case 'r':
         ok = o->register_count < 16 && (o->registers[o->register_count++] = optarg);
         break;
      case 't':
         o->trace = optarg;
         break;
      case 'p':
         o->perfetto = optarg;
         break;
      case 'R':
         o->report = optarg;
         break;
      case 'S':
         ok = (o->sanitize = pergola_sanitize_kinds(optarg, NULL)) != 0;
         break;
      case 'f':
         ok = (o->fail = fail_bits(optarg)) != 0;
         break;
      case 'o':
         o->save = optarg;
         break;
      case 'l':
         o->load = optarg;
         break;
      case 'E':
         o->error_state = optarg;
         break;
      case 's':
         o->script = true;
         break;
      case 'h':
         *help = true;
         return CLI_OK;
      default:
         return cli_bad_option("exec", argv, c);
      }
      if (!ok) {
         bad_value(c, optarg);
         return CLI_USAGE;
      }
   }
   if (optind == argc - 1 || (optind == argc && o->load && !o->script))
      return CLI_OK;
   if (optind < argc - 1)
      return cli_surplus("exec", argv[optind + 1]);
   usage(stderr);
   return CLI_USAGE;
}

/* ADDRESS:SIZE in memory. */
static bool
parse_range(const char *text, uint32_t *at, uint32_t *length)
{
   char copy[64];
   uint64_t address, size;
   snprintf(copy, sizeof(copy), "%s", text);
   char *colon = strchr(copy, ':');
   if (colon)
      *colon = 0;
   if (!colon || !cli_parse_u64(copy, &address) || !cli_parse_u64(colon + 1, &size) ||
       address & 3 || address > EXEC_MEMORY_SIZE || size > EXEC_MEMORY_SIZE - address)
      return false;
   *at = (uint32_t)address;
   *length = (uint32_t)size & ~3u;
   return true;
}

/* What is to be shown afterwards, before anything runs. */
static bool
shown_ok(const struct exec *x, const struct exec_options *o)
{
   uint32_t at, length;
   for (unsigned i = 0; i < o->dump_count; i++)
      if (!parse_range(o->dumps[i], &at, &length)) {
         cli_bad_value("exec", "dump", "ADDRESS:SIZE in the 256 MiB of memory", o->dumps[i]);
         return false;
      }
   for (unsigned i = 0; i < o->register_count; i++)
      if (!exec_register(x, o->registers[i], &at)) {
         cli_bad_value("exec", "reg", "a register that 'pergola regs' lists, or an offset",
                       o->registers[i]);
         return false;
      }
   return true;
}

/* What the EU threads of a batch that has not ended are about. */
static void
tell_threads(struct exec *x, enum pergola_run_result result)
{
   struct pergola_story watch = {0};
   if (result == PERGOLA_RUN_BUDGET &&
       pergola_story_watch(x->dev, WATCHED, &watch) != PERGOLA_RUN_BUDGET)
      return; /* all has come to an end meanwhile */
   pergola_story_print(stdout, exec_engine_names[PERGOLA_RCS], x->dev, &watch);
}

static int
run(struct exec *x, const struct exec_options *o)
{
   enum pergola_run_result result = exec_run(x, o->budget);
   printf("%s: %s after %llu ns of model time\n", exec_engine_names[o->engine],
          exec_result_name(result), (unsigned long long)pergola_time_ns(x->dev));
   if (!o->save) /* it would go on while it is watched */
      tell_threads(x, result);
   return result == PERGOLA_RUN_IDLE || (o->save && result == PERGOLA_RUN_BUDGET) ? CLI_OK
                                                                                  : CLI_FAILED;
}

static int
run_file(struct exec *x, const struct exec_options *o, char *data, size_t size, const char *path)
{
   if (!path)
      return run(x, o);
   if (o->script)
      return exec_script(x, data, path) && !x->failures ? CLI_OK : CLI_FAILED;
   if (size & 3 || !size || size > EXEC_MEMORY_SIZE - EXEC_BATCH) {
      fprintf(stderr,
              "pergola exec: %s: %zu byte%s %s no whole dwords that fit; a script is run with "
              "--script\n",
              path, size, plural(size), are(size));
      return CLI_FAILED;
   }
   exec_write(x, EXEC_BATCH, data, size);
   uint32_t start[2] = {GEN7_MI_BATCH_BUFFER_START_HEADER, EXEC_BATCH};
   if (!exec_ring(x, o->engine, start, 2)) {
      fprintf(stderr, "pergola exec: the ring is full\n");
      return CLI_FAILED;
   }
   return run(x, o);
}

/* A fatal report is a failure, and so is a file that could not be written. */
static int
judge(struct exec *x, const struct exec_options *o, struct exec_outputs *out, int status)
{
   bool good = exec_close_outputs(x->dev, o, out);
   bool fatal = pergola_diagnostic_count(x->dev, PERGOLA_FATAL);
   if (status != CLI_OK)
      return status;
   return !good || fatal ? CLI_FAILED : fail_verdict(o->seen, o->fail, false);
}

static int
finish(struct exec *x, const struct exec_options *o, int status)
{
   const char *error;
   if (o->save && pergola_machine_save(&x->machine, o->save, &error)) {
      fprintf(stderr, "pergola exec: %s: %s\n", o->save, error);
      status = CLI_FAILED;
   }
   if (o->error_state && !exec_error_state(x, o->error_state))
      status = CLI_FAILED;
   uint32_t at, length;
   for (unsigned i = 0; i < o->dump_count; i++)
      if (parse_range(o->dumps[i], &at, &length))
         exec_dump(x, at, length);
   for (unsigned i = 0; i < o->register_count; i++)
      exec_show(x, o->registers[i]);
   return status;
}

/* Rings go on behind what they have. */
static bool
exec_load(struct exec *x, const char *path)
{
   const char *error;
   struct stat kind;
   if (!stat(path, &kind) && !S_ISREG(kind.st_mode)) { /* a FIFO would be waited for */
      fprintf(stderr, "pergola exec: %s: it is no plain file, so no saved machine\n", path);
      return false;
   }
   if (pergola_machine_load(&x->machine, path, &error)) {
      fprintf(stderr, "pergola exec: %s: %s\n", path, error);
      return false;
   }
   for (unsigned e = 0; e < PERGOLA_ENGINES; e++)
      x->tail[e] =
          (uint32_t)pergola_mmio_read(x->dev, exec_engine_base[e] + ENGINE_RING_BUFFER_TAIL, 4) &
          REG_RCS_RING_BUFFER_TAIL__TAIL_OFFSET;
   return true;
}

int
cli_exec(int argc, char **argv)
{
   struct exec_options o;
   struct run_summary seen = {.devices = 1};
   bool help = false;
   int code = parse_options(argc, argv, &o, &help);
   if (help)
      usage(stdout);
   if (help || code != CLI_OK)
      return code;
   const struct cli_output written[] = {{"--save", o.save, false},
                                        {"--error-state", o.error_state, false},
                                        {"--trace", o.trace, true},
                                        {"--perfetto", o.perfetto, true},
                                        {"--report", o.report, true}};
   if (!cli_outputs_ok(written, 5))
      return CLI_USAGE;
   o.seen = &seen;
   size_t size = 0;
   const char *path = optind < argc ? argv[optind] : NULL;
   struct stat kind;
   if (path && !o.script && !stat(path, &kind) && S_ISDIR(kind.st_mode))
      return exec_dump_directory(&o, path);
   uint8_t *data = path ? cli_read_file(path, EXEC_MEMORY_SIZE, &size) : calloc(1, 1);
   if (!data)
      return CLI_FAILED;
   char *text = realloc(data, size + 1);
   struct exec *x = text ? exec_create(o.device, o.check, o.sanitize) : NULL;
   if (!x) {
      free(text ? text : (char *)data);
      return CLI_FAILED;
   }
   text[size] = 0;
   if (!shown_ok(x, &o)) {
      exec_destroy(x);
      free(text);
      return CLI_USAGE;
   }
   x->budget = o.budget;
   pergola_add_diagnostic_sink(x->dev, exec_print_diagnostic, NULL);
   struct exec_outputs out = {0};
   int status = CLI_FAILED;
   if (exec_open_outputs(x->dev, &o, &out) && (!o.load || exec_load(x, o.load)))
      status = finish(x, &o, run_file(x, &o, text, size, path));
   status = judge(x, &o, &out, status);
   exec_destroy(x);
   free(text);
   return status;
}
