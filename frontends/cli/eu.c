/* pergola eu run: one kernel, with no driver and no GPU. */
#include "eu.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

struct options {
   const char *file, *thread_id;
   bool binary, step;
   uint32_t mask;
   struct pergola_config config;
   const char *set[64], *dump[64], *breaks[64], *buffers[64];
   unsigned set_count, dump_count, break_count, buffer_count;
   const char *report; /* or NULL */
};

static void
usage(FILE *out)
{
   fprintf(
       out,
       "usage: pergola eu run FILE [OPTIONS]\n"
       "       pergola eu debug FILE [OPTIONS]    the same with --step: 'help' at its prompt\n"
       "       pergola eu native FILE [OPTIONS]   the kernel's native code; --help says more\n\n"
       "Runs an EU kernel: assembly text, or the bytes of one.\n\n"
       "  --binary             FILE holds bytes (so do names that end in .bin)\n"
       "  --device NAME        the part; 'pergola devices' lists them\n"
       "  --set REG:TYPE=V,…   fills registers before the start: g2:f=1,2.5 or g3.4:d=-1\n"
       "  --buffer N=FILE      surface N of the binding table, from a file,\n"
       "  --buffer N=zero:SIZE zeroed,\n"
       "  --buffer N=TYPE:V,…  or with these numbers\n"
       "  --dump N=FILE        writes surface N to a file at the end\n"
       "  --show PLACE         prints g4, g4-g7:f or b0:f:16 (default: what changed)\n"
       "  --threads N          a group of N threads with a barrier and shared local memory (1)\n"
       "  --thread-id REG      each thread finds its number there: g3.0\n"
       "  --mask MASK          channels that exist (0xffff)\n"
       "  --max-instructions N of all threads together (10000000)\n"
       "  --trace              each instruction with its channels and what it wrote\n"
       "  --svg FILE           the same as a picture: channels and registers step by step\n"
       "  --json               the result as JSON\n"
       "  --break WHERE        a label, a line or 0xOFFSET; stops at the prompt\n"
       "  --step               a prompt before the first instruction\n"
       "  --check LEVEL        rules: off, report (default) or stop\n"
       "  --sanitize LIST      looks for memory, race, init faults, or all of them\n"
       "  --report FILE        what is found, as text, JSON lines or SARIF by its ending\n\n"
       "Types: f d ud w uw b ub hf df. Exit code: 0 all threads ended and no rule was broken, 1 "
       "not.\n");
}

static bool
add(const char **list, unsigned *count, const char *value)
{
   if (*count == 64)
      return false;
   list[(*count)++] = value;
   return true;
}

static bool
option(struct eu_session *s, struct options *o, int c)
{
   uint64_t n = 0;
   switch (c) {
   case 'b':
      o->binary = true;
      return true;
   case 'd':
      o->config.sku = optarg;
      return pergola_sku_find(optarg) != NULL;
   case 's':
      return add(o->set, &o->set_count, optarg);
   case 'u':
      return add(o->buffers, &o->buffer_count, optarg);
   case 'o':
      return add(o->dump, &o->dump_count, optarg);
   case 'B':
      return add(o->breaks, &o->break_count, optarg);
   case 'w':
      return s->show_count < EU_MAX_PLACES && eu_parse_place(optarg, &s->show[s->show_count++]);
   case 'n':
      if (!cli_parse_u64(optarg, &n) || !n || n > PERGOLA_EU_MAX_THREADS)
         return false;
      s->threads = (unsigned)n;
      return true;
   case 'i':
      o->thread_id = optarg;
      return true;
   case 'm':
      if (!cli_parse_u64(optarg, &n) || n > UINT32_MAX)
         return false;
      o->mask = (uint32_t)n;
      return true;
   case 'M':
      return cli_parse_u64(optarg, &s->max_instructions) && s->max_instructions;
   case 't':
      return s->trace = true;
   case 'v':
      return (s->svg_path = optarg) != NULL;
   case 'j':
      return s->json = true;
   case 'p':
      return o->step = true;
   case 'c':
      return cli_parse_check(optarg, &o->config.check);
   case 'S':
      return (o->config.sanitize = pergola_sanitize_kinds(optarg, NULL)) != 0;
   case 'R':
      o->report = optarg;
      return true;
   default:
      return false;
   }
}

static const char *
wanted(int c)
{
   switch (c) {
   case 'd':
      return "a part that 'pergola devices' lists";
   case 'w':
      return "a place such as g4, g4-g7:f or b0:f:16";
   case 'n':
      return "a number from 1 to 64";
   case 'm':
      return "a mask of 32 bits";
   case 'M':
      return "a number above 0";
   case 'c':
      return "off, report or stop";
   case 'S':
      return "a list of memory, race, init, all";
   default:
      return "given 64 times at most";
   }
}
_Static_assert(PERGOLA_EU_MAX_THREADS == 64, "as wanted() says");

static int
parse(struct eu_session *s, struct options *o, int argc, char **argv)
{
   static const struct option longs[] = {
       {"binary", no_argument, 0, 'b'},
       {"device", required_argument, 0, 'd'},
       {"set", required_argument, 0, 's'},
       {"buffer", required_argument, 0, 'u'},
       {"dump", required_argument, 0, 'o'},
       {"break", required_argument, 0, 'B'},
       {"show", required_argument, 0, 'w'},
       {"threads", required_argument, 0, 'n'},
       {"thread-id", required_argument, 0, 'i'},
       {"mask", required_argument, 0, 'm'},
       {"max-instructions", required_argument, 0, 'M'},
       {"trace", no_argument, 0, 't'},
       {"svg", required_argument, 0, 'v'},
       {"json", no_argument, 0, 'j'},
       {"step", no_argument, 0, 'p'},
       {"check", required_argument, 0, 'c'},
       {"sanitize", required_argument, 0, 'S'},
       {"report", required_argument, 0, 'R'},
       {"help", no_argument, 0, 'h'},
       {0},
   };
   int c, index = 0;
   optind = 1;
   while ((c = getopt_long(argc, argv, ":h", longs, &index)) != -1) {
      if (c == 'h') {
         usage(stdout);
         return CLI_OK;
      }
      if (c == '?' || c == ':')
         return cli_bad_option("eu run", argv, c);
      if (!option(s, o, c))
         return cli_bad_value("eu run", longs[index].name, wanted(c), optarg);
   }
   if (optind + 1 < argc)
      return cli_surplus("eu run", argv[optind + 1]);
   if (optind == argc) {
      usage(stderr);
      return CLI_USAGE;
   }
   o->file = argv[optind];
   return -1;
}

bool
eu_load(struct pergola_eu_bench *bench, const char *file, bool is_binary)
{
   size_t size, length = strlen(file);
   uint8_t *data = cli_read_file(file, 1 << 20, &size);
   struct pergola_eu_error e = {0};
   if (!data)
      return false;
   bool binary = is_binary || (length > 4 && !strcmp(file + length - 4, ".bin"));
   int status = binary ? pergola_eu_load_binary(bench, data, size)
                       : pergola_eu_load_text(bench, (const char *)data, size, &e);
   if (status && e.line) {
      fprintf(stderr, "%s:%u:%u: error: %s\n", file, e.line, e.column, e.message);
      cli_show_source(stderr, (const char *)data, size, e.line, e.column);
   }
   free(data);
   if (!status)
      return true;
   if (!e.line)
      fprintf(stderr, "pergola: %s: %s\n", file, e.message[0] ? e.message : "not a kernel");
   return false;
}

/* Everything after "N=". */
static const char *
numbered(const char *text, unsigned limit, unsigned *index)
{
   char *end;
   unsigned long n = strtoul(text, &end, 10);
   if (end == text || *end != '=' || n >= limit)
      return NULL;
   *index = (unsigned)n;
   return end + 1;
}

static bool
make_buffer(struct eu_session *s, unsigned index, const void *data, size_t size)
{
   s->buffer[index] = pergola_eu_buffer(s->bench, index, size);
   s->buffer_size[index] = size;
   if (!s->buffer[index])
      return false;
   if (data)
      memcpy(s->buffer[index], data, size);
   return true;
}

/* What is wrong is said, here and in the next two. */
static bool
add_buffer(struct eu_session *s, const char *text)
{
   unsigned index;
   const char *value = numbered(text, PERGOLA_EU_MAX_BUFFERS, &index);
   enum eu_value_type type;
   uint64_t bytes;
   bool zero = value && !strncmp(value, "zero:", 5);
   bool sized = zero && cli_parse_u64(value + 5, &bytes) && bytes && bytes <= EU_MAX_BUFFER;
   if (!value || s->buffer[index] || (zero && !sized)) {
      fprintf(stderr,
              "pergola: --buffer '%s' is not N=FILE, N=zero:SIZE or N=TYPE:VALUES, with N below "
              "%u and given once, and at most %u MiB\n",
              text, PERGOLA_EU_MAX_BUFFERS, EU_MAX_BUFFER >> 20);
      return false;
   }
   if (zero)
      return make_buffer(s, index, NULL, (size_t)bytes);
   size_t colon = strcspn(value, ":"), size = 0;
   if (value[colon] && eu_parse_type(value, colon, &type)) {
      size_t room = strlen(value) * 8;
      uint8_t *data = malloc(room);
      bool ok = data &&
                eu_parse_values(stderr, "pergola: --buffer", value + colon + 1, type, data, room,
                                &size) &&
                make_buffer(s, index, data, size);
      free(data);
      return ok;
   }
   uint8_t *data = cli_read_file(value, EU_MAX_BUFFER, &size);
   bool ok = data && size && make_buffer(s, index, data, size);
   free(data);
   return ok;
}

static bool
set_registers(struct eu_session *s, const char *text)
{
   char name[64];
   size_t n = strcspn(text, "="), used;
   struct eu_place p;
   snprintf(name, sizeof(name), "%.*s", n < sizeof(name) ? (int)n : 0, text);
   if (!text[n] || !eu_parse_place(name, &p) || p.buffer) {
      fprintf(stderr, "pergola: --set '%s' is not REGISTER:TYPE=VALUES, like g2:f=1,2.5\n", text);
      return false;
   }
   enum eu_value_type type = p.typed ? p.type : EU_UD;
   size_t at = p.index * 32u + (size_t)p.sub * eu_value_size(type);
   for (unsigned t = 0; t < s->threads; t++) {
      uint8_t *grf = pergola_eu_grf(s->bench, t);
      if (!eu_parse_values(stderr, "pergola: --set", text + n + 1, type, grf + at,
                           PERGOLA_EU_GRF_SIZE - at, &used))
         return false;
      pergola_eu_mark(s->bench, t, (unsigned)(at / 32), (unsigned)((at % 32 + used + 31) / 32));
   }
   for (size_t r = at / 32; r <= (at + used - 1) / 32; r++)
      s->type[r] = (uint8_t)type;
   return true;
}

static bool
set_thread_ids(struct eu_session *s, const char *text)
{
   struct eu_place p;
   if (!eu_parse_place(text, &p) || p.buffer || p.sub > 7)
      return false;
   for (unsigned t = 0; t < s->threads; t++) {
      uint32_t id = t;
      memcpy((uint8_t *)pergola_eu_grf(s->bench, t) + p.index * 32 + p.sub * 4, &id, 4);
      pergola_eu_mark(s->bench, t, p.index, 1);
   }
   return true;
}

static void
report(void *data, const struct pergola_diagnostic *d)
{
   static const char *const words[] = {"note", "warning", "error", "fatal"};
   struct eu_session *s = data;
   unsigned line = d->has_address && d->address >= 0x10000
                       ? pergola_eu_line_of(s->bench, (uint32_t)d->address - 0x10000)
                       : 0;
   if (line)
      fprintf(stderr, "line %u: ", line);
   fprintf(stderr, "%s: %s: %s\n", words[d->severity], d->rule, d->message);
   if (d->subject[0])
      fprintf(stderr, "   %s\n", d->subject);
}

static bool
can_dump(struct eu_session *s, const char *text)
{
   unsigned index;
   const char *path = numbered(text, PERGOLA_EU_MAX_BUFFERS, &index);
   if (path && s->buffer[index])
      return cli_path_ok("--dump", path, cli_try_file(path));
   fprintf(stderr, "pergola: --dump '%s' is not N=FILE with the N of a --buffer\n", text);
   return false;
}

/* Everything before the first instruction. */
static int
prepare(struct eu_session *s, struct options *o)
{
   const char *error = NULL;
   s->bench = pergola_eu_create(&o->config, &error);
   if (!s->bench) {
      fprintf(stderr, "pergola: %s\n", error);
      return CLI_USAGE;
   }
   const struct cli_output written[] = {{"--report", o->report, true},
                                        {"--svg", s->svg_path, false}};
   if (!cli_outputs_ok(written, 2))
      return CLI_USAGE;
   struct pergola_device *dev = pergola_eu_device(s->bench);
   pergola_add_diagnostic_sink(dev, report, s);
   int ret = o->report ? pergola_report_open(dev, o->report, cli_report_format(o->report)) : 0;
   if (ret) {
      fprintf(stderr, "pergola: --report '%s': %s\n", o->report, strerror(-ret));
      return CLI_USAGE;
   }
   if (!eu_load(s->bench, o->file, o->binary))
      return CLI_FAILED;
   for (unsigned i = 0; i < o->buffer_count; i++)
      if (!add_buffer(s, o->buffers[i]))
         return CLI_USAGE;
   for (unsigned i = 0; i < o->dump_count; i++)
      if (!can_dump(s, o->dump[i]))
         return CLI_USAGE;
   pergola_eu_start(s->bench, s->threads, o->mask);
   for (unsigned i = 0; i < o->set_count; i++)
      if (!set_registers(s, o->set[i]))
         return CLI_USAGE;
   if (o->thread_id && !set_thread_ids(s, o->thread_id)) {
      fprintf(stderr, "pergola: --thread-id '%s' is not a register, like g3.0\n", o->thread_id);
      return CLI_USAGE;
   }
   for (unsigned i = 0; i < o->break_count; i++) {
      uint32_t offset;
      if (!eu_find(s, o->breaks[i], &offset) || pergola_eu_break(s->bench, offset)) {
         fprintf(stderr, "pergola: --break '%s' is not a label, line or offset\n", o->breaks[i]);
         return CLI_USAGE;
      }
   }
   for (unsigned t = 0; t < s->threads; t++) {
      memcpy(s->start[t], pergola_eu_grf(s->bench, t), PERGOLA_EU_GRF_SIZE);
      memcpy(s->shadow[t], s->start[t], PERGOLA_EU_GRF_SIZE);
   }
   return CLI_OK;
}

static bool
dump(struct eu_session *s, const char *text)
{
   unsigned index = 0;
   const char *path = numbered(text, PERGOLA_EU_MAX_BUFFERS, &index);
   FILE *f = fopen(path, "wb");
   bool ok = f && fwrite(s->buffer[index], 1, s->buffer_size[index], f) == s->buffer_size[index];
   if (f && fclose(f))
      ok = false;
   if (!ok)
      fprintf(stderr, "pergola: %s: cannot be written\n", path);
   return ok;
}

static int
execute(struct eu_session *s, struct options *o)
{
   enum pergola_eu_state state;
   int code = prepare(s, o);
   if (code != CLI_OK)
      return code;
   /* Who watches has every instruction disassembled; else they run as fast as they can. */
   s->svg = s->svg_path ? eu_svg_open() : NULL;
   bool watched = s->trace || o->step || o->break_count || s->svg;
   if (watched)
      pergola_eu_set_trace(s->bench, eu_trace_instruction, s);
   state = o->step ? eu_prompt(s) : pergola_eu_run(s->bench, s->max_instructions);
   if (state == PERGOLA_EU_BREAK && !o->step)
      state = eu_prompt(s);
   if (s->svg && !eu_svg_write(s->svg, s->svg_path))
      return CLI_FAILED;
   s->svg = NULL;
   if (!watched)
      eu_guess_types(s);
   if (s->json)
      eu_print_json(s, state);
   else if (!o->step)
      eu_print_result(s, state);
   if (state == PERGOLA_EU_WAITING && !o->step)
      eu_print_deadlock(s, stderr);
   for (unsigned i = 0; i < o->dump_count; i++)
      if (!dump(s, o->dump[i]))
         return CLI_FAILED;
   if (o->report && pergola_report_failed(pergola_eu_device(s->bench))) {
      fprintf(stderr, "pergola: %s cannot be written\n", o->report);
      return CLI_FAILED;
   }
   bool broken = pergola_diagnostic_count(pergola_eu_device(s->bench), PERGOLA_ERROR) != 0;
   return (state == PERGOLA_EU_ENDED && !broken) || o->step ? CLI_OK : CLI_FAILED;
}

int
cli_eu(int argc, char **argv)
{
   struct options o = {.mask = 0xffff, .config = {.check = PERGOLA_CHECK_REPORT}};
   if (argc > 1 && !strcmp(argv[1], "native"))
      return eu_native(argc - 1, argv + 1);
   o.step = argc > 1 && !strcmp(argv[1], "debug");
   if (argc < 2 || (!o.step && strcmp(argv[1], "run"))) {
      bool help = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
      if (argc > 1 && !help)
         fprintf(stderr,
                 "pergola eu: there are 'run', 'debug' and 'native', and no '%s'; 'pergola asm' "
                 "assembles\n",
                 argv[1]);
      else
         usage(help ? stdout : stderr);
      return help ? CLI_OK : CLI_USAGE;
   }
   struct eu_session *s = calloc(1, sizeof(*s));
   if (!s)
      return CLI_FAILED;
   s->threads = 1;
   s->max_instructions = 10000000;
   s->out = stdout;
   memset(s->type, EU_UD, sizeof(s->type));
   int code = parse(s, &o, argc - 1, argv + 1);
   if (code < 0)
      code = execute(s, &o);
   pergola_eu_destroy(s->bench);
   free(s);
   return code;
}
