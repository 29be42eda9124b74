#include "cli.h"

#include "hw/hw.h"
#include "pergola/pergola_machine.h"
#include "pergola/pergola_trace.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define GTT_ENTRIES 524288u

static const char usage_text[] =
    "usage: pergola bus [--device=PART] [--check=off|report|stop] [--trace=KINDS] FILE\n"
    "\n"
    "Does to a new device what FILE says, a line each ('-': standard input), and prints what it\n"
    "answers. Numbers are C numbers; # begins a comment.\n"
    "\n"
    "  memory ADDRESS SIZE        add physical memory, zeroed\n"
    "  store ADDRESS DWORD...     put dwords into physical memory\n"
    "  load ADDRESS [COUNT]       show dwords of physical memory\n"
    "  write OFFSET VALUE [SIZE]  MMIO; SIZE 1, 2, 4 or 8 bytes, 4 if not given\n"
    "  read OFFSET [SIZE]\n"
    "  pte PAGE ADDRESS           a valid entry of the GTT for a page of graphics memory\n"
    "  pci-write OFFSET VALUE [SIZE], pci-read OFFSET [SIZE]\n"
    "  run [BUDGET]               run the engines; 100000 if not given\n"
    "\n"
    "--trace=KINDS: print events too; a list of mmio, cs, irq, eu, memory, all.\n";

#define MAX_MEMORY (256u << 20)
#define MAX_WORDS 64

struct session {
   struct pergola_device *dev;
   struct {
      uint64_t address, size;
      uint8_t *host;
   } memory[16];
   unsigned memory_count;
   uint64_t memory_used;
   unsigned line;
};

typedef const char *(*action_fn)(struct session *s, const uint64_t *n, unsigned count);

static uint8_t *
physical(struct session *s, uint64_t address, uint64_t size)
{
   for (unsigned i = 0; i < s->memory_count; i++) {
      uint64_t offset = address - s->memory[i].address;
      if (address >= s->memory[i].address && offset < s->memory[i].size &&
          size <= s->memory[i].size - offset)
         return s->memory[i].host + offset;
   }
   return NULL;
}

static const char *
do_memory(struct session *s, const uint64_t *n, unsigned count)
{
   (void)count;
   if (s->memory_count == 16 || n[1] > MAX_MEMORY - s->memory_used)
      return "too much memory; at most 16 pieces of 256 MiB together";
   if (!n[1] || n[1] % 4096)
      return "the size must be a multiple of 4096";
   uint8_t *host = aligned_alloc(4096, n[1]);
   if (!host)
      return "out of memory";
   memset(host, 0, n[1]);
   if (pergola_memory_add(s->dev, n[0], host, n[1], 0)) {
      free(host);
      return "this address cannot have memory: it is not a page, or overlaps";
   }
   s->memory[s->memory_count].address = n[0];
   s->memory[s->memory_count].size = n[1];
   s->memory[s->memory_count++].host = host;
   s->memory_used += n[1];
   return NULL;
}

static const char *
do_store(struct session *s, const uint64_t *n, unsigned count)
{
   uint8_t *at = physical(s, n[0], 4 * (uint64_t)(count - 1));
   if (!at)
      return "no memory there; add it with 'memory'";
   for (unsigned i = 1; i < count; i++) {
      uint32_t dword = (uint32_t)n[i];
      memcpy(at + 4 * (i - 1), &dword, 4);
   }
   return NULL;
}

static const char *
do_load(struct session *s, const uint64_t *n, unsigned count)
{
   uint64_t dwords = count > 1 ? n[1] : 1;
   const uint8_t *at = dwords <= MAX_MEMORY / 4 ? physical(s, n[0], 4 * dwords) : NULL;
   if (!at)
      return "no memory there; add it with 'memory'";
   for (uint64_t i = 0; i < dwords; i++) {
      uint32_t dword;
      memcpy(&dword, at + 4 * i, 4);
      printf("0x%llx: 0x%08x\n", (unsigned long long)(n[0] + 4 * i), dword);
   }
   return NULL;
}

static const char *
do_write(struct session *s, const uint64_t *n, unsigned count)
{
   pergola_mmio_write(s->dev, (uint32_t)n[0], count > 2 ? (unsigned)n[2] : 4, n[1]);
   return NULL;
}

static const char *
do_read(struct session *s, const uint64_t *n, unsigned count)
{
   uint64_t v = pergola_mmio_read(s->dev, (uint32_t)n[0], count > 1 ? (unsigned)n[1] : 4);
   const struct hw_register *r = hw_register_at((uint32_t)n[0] & ~3u, cli_device_bit(s->dev));
   printf("%s 0x%06llx: 0x%08llx\n", r ? r->layout->name : "GTT", (unsigned long long)n[0],
          (unsigned long long)v);
   return NULL;
}

static const char *
do_pte(struct session *s, const uint64_t *n, unsigned count)
{
   (void)count;
   if (n[0] >= GTT_ENTRIES)
      return "the GTT has 524288 entries";
   pergola_machine_map(&(struct pergola_machine){.dev = s->dev}, (uint32_t)n[0] * 4096, n[1], 1);
   return NULL;
}

static const char *
do_pci_write(struct session *s, const uint64_t *n, unsigned count)
{
   pergola_pci_write(s->dev, (uint32_t)n[0], count > 2 ? (unsigned)n[2] : 4, (uint32_t)n[1]);
   return NULL;
}

static const char *
do_pci_read(struct session *s, const uint64_t *n, unsigned count)
{
   uint32_t v = pergola_pci_read(s->dev, (uint32_t)n[0], count > 1 ? (unsigned)n[1] : 4);
   printf("PCI 0x%02llx: 0x%08x\n", (unsigned long long)n[0], v);
   return NULL;
}

static const char *
do_run(struct session *s, const uint64_t *n, unsigned count)
{
   static const char *const names[] = {"idle", "waiting", "budget ended", "stopped"};
   uint64_t budget = count && n[0] ? n[0] : 100000;
   enum pergola_run_result r = pergola_run(s->dev, budget);
   printf("run: %s, %llu ns\n", names[r], (unsigned long long)pergola_time_ns(s->dev));
   return NULL;
}

static const struct {
   const char *word;
   unsigned least, most; /* numbers */
   action_fn fn;
} actions[] = {
    {"memory", 2, 2, do_memory},       {"store", 2, MAX_WORDS, do_store}, {"load", 1, 2, do_load},
    {"write", 2, 3, do_write},         {"read", 1, 2, do_read},           {"pte", 2, 2, do_pte},
    {"pci-write", 2, 3, do_pci_write}, {"pci-read", 1, 2, do_pci_read},   {"run", 0, 1, do_run},
};

static const char *
do_line(struct session *s, char *line)
{
   uint64_t n[MAX_WORDS];
   unsigned count = 0;
   char *save = NULL, *word = strtok_r(line, " \t\r", &save);
   if (!word || word[0] == '#')
      return NULL;
   for (char *t; (t = strtok_r(NULL, " \t\r", &save)) && t[0] != '#'; count++) {
      if (count == MAX_WORDS)
         return "too many numbers in one line";
      if (!cli_parse_u64(t, &n[count]))
         return "not a number";
   }
   for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
      if (strcmp(word, actions[i].word))
         continue;
      if (count < actions[i].least || count > actions[i].most)
         return "wrong number of arguments; 'pergola bus --help' shows them";
      return actions[i].fn(s, n, count);
   }
   return "not an action; 'pergola bus --help' lists them";
}

static void
print_diagnostic(void *data, const struct pergola_diagnostic *d)
{
   const struct session *s = data;
   printf("line %u: %s: %s%s%s: %s [%s]\n", s->line,
          d->severity >= PERGOLA_ERROR ? "error" : "warning", d->engine, d->subject[0] ? " " : "",
          d->subject, d->message, d->rule);
}

static bool
stopped_by_rule(const struct pergola_device *dev)
{
   struct pergola_engine_status status;
   pergola_engine_status(dev, PERGOLA_RCS, &status);
   return status.rule_stopped;
}

static int
play(struct session *s, char *text)
{
   char *save = NULL;
   for (char *line = text; line; line = save) {
      save = strchr(line, '\n');
      if (save)
         *save++ = 0;
      s->line++;
      const char *wrong = do_line(s, line);
      if (wrong) {
         fprintf(stderr, "pergola: line %u: %s\n", s->line, wrong);
         return CLI_FAILED;
      }
   }
   return stopped_by_rule(s->dev) ? CLI_FAILED : CLI_OK;
}

struct options {
   struct pergola_config config;
   uint32_t kinds;
   struct pergola_trace_filter filter;
   const char *path;
};

/* False: the value is wrong. */
static bool
take(struct options *o, int option)
{
   if (option == 'd') {
      o->config.sku = optarg;
      return true;
   }
   if (option == 't') {
      o->kinds = pergola_trace_list(optarg, &o->filter, NULL);
      return o->kinds != 0;
   }
   return cli_parse_check(optarg, &o->config.check);
}

static int
run_session(const struct options *o, char *text)
{
   const char *error = NULL;
   struct session s = {.dev = pergola_device_create(&o->config, &error)};
   if (!s.dev) {
      fprintf(stderr, "pergola: %s\n", error);
      return CLI_USAGE;
   }
   pergola_add_diagnostic_sink(s.dev, print_diagnostic, &s);
   struct pergola_trace *trace = o->kinds ? pergola_trace_text(s.dev, "-", o->kinds) : NULL;
   pergola_trace_set_filter(trace, &o->filter);
   int status = play(&s, text);
   pergola_trace_close(trace);
   pergola_device_destroy(s.dev);
   for (unsigned i = 0; i < s.memory_count; i++)
      free(s.memory[i].host);
   return status;
}

int
cli_bus(int argc, char **argv)
{
   struct options o = {.config.check = PERGOLA_CHECK_REPORT};
   static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                           {"device", required_argument, NULL, 'd'},
                                           {"check", required_argument, NULL, 'c'},
                                           {"trace", required_argument, NULL, 't'},
                                           {0}};
   for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
      if (c == '?' || c == ':')
         return cli_bad_option("bus", argv, c);
      if (c == 'h') {
         fputs(usage_text, stdout);
         return CLI_OK;
      }
      if (c == 'd' && !cli_part(optarg))
         return CLI_USAGE;
      if (!take(&o, c)) {
         return cli_bad_value("bus", c == 'c' ? "check" : "trace",
                              c == 'c' ? "off, report or stop" : "a list of " PERGOLA_TRACE_WORDS,
                              optarg);
      }
   }
   if (optind + 1 < argc)
      return cli_surplus("bus", argv[optind + 1]);
   if (optind == argc) {
      fputs(usage_text, stderr);
      return CLI_USAGE;
   }
   o.path = argv[optind];
   size_t size;
   uint8_t *data = cli_read_file(o.path, 1u << 20, &size);
   if (!data)
      return CLI_FAILED;
   char *text = malloc(size + 1);
   if (text) {
      memcpy(text, data, size);
      text[size] = 0;
   }
   int status = text ? run_session(&o, text) : CLI_FAILED;
   free(text);
   free(data);
   return status;
}
