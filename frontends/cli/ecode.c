/* pergola ecode: what a "GPU HANG: ecode ..." line of the kernel's log tells. */
#include "cli.h"

#include "hang/ecode.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CANDIDATES 4u
#define INPUT_LIMIT (64u << 20)

static const char usage_text[] =
    "usage: pergola ecode [--all] [TEXT|FILE|-]\n"
    "\n"
    "Explains the code of a GPU hang: which command was in hand and which units were busy.\n"
    "TEXT: a line of the kernel's log, or the code alone: 7:0:0x85fdfffd. FILE or - (standard\n"
    "input, also without an argument): every line with a code is explained.\n"
    "--all: more of the less likely explanations.\n"
    "Exit code: 0 explained, 1 no code was found or no command fits, 2 usage.\n";

static const char *
engine_name(unsigned engine)
{
   return engine == HW_RCS ? "render" : engine == HW_VCS ? "video" : "blitter";
}

struct unit_list {
   const char *between;
   bool names;
   const char *last; /* several units may have the same meaning */
};

static void
print_unit(void *data, const char *unit, const char *meaning)
{
   struct unit_list *l = data;
   if (!l->names && l->last && !strcmp(l->last, meaning))
      return;
   l->last = meaning;
   printf("%s%s", l->between, l->names ? unit : meaning);
   l->between = l->names ? ", " : "; ";
}

static void
print_candidate(const struct hang_candidate *c, bool one_engine)
{
   const char *waits = hang_command_waits(c->command);
   struct unit_list meanings = {""}, names = {" (", true};
   if (!one_engine)
      printf("%s: ", engine_name(c->engine));
   printf("%s %s; busy: ", c->command->layout.name, waits ? "waits" : "is in hand");
   if (!hang_busy_units(c->instdone, c->engine, HW_IVB, print_unit, &meanings))
      printf("no unit but the ring");
   printf("\n   IPEHR 0x%08x, INSTDONE 0x%08x", c->ipehr, c->instdone);
   if (hang_busy_units(c->instdone, c->engine, HW_IVB, print_unit, &names))
      putchar(')');
   if (waits)
      printf("; it waits %s", waits);
   putchar('\n');
}

static bool
explain(const struct hang_ecode *e, unsigned most)
{
   struct hang_candidate list[16];
   unsigned n = hang_ecode_explain(e->code, e->engines, HW_IVB, list, most);
   bool one_engine = e->engines && !(e->engines & (e->engines - 1));
   printf("ecode 0x%08x", e->code);
   if (e->generation)
      printf(", generation %u", e->generation);
   if (one_engine)
      printf(", %s engine", engine_name(e->engines));
   putchar('\n');
   if (e->generation && e->generation != 7)
      printf("note: not a Gen7 GPU; what follows holds as far as the layouts agree\n");
   if (!n) {
      printf(e->generation && e->generation != 7
                 ? "no command of Gen7 fits\n"
                 : "no command fits: the streamer read foreign memory\n");
      return false;
   }
   for (unsigned i = 0; i < n; i++) {
      printf(i ? "or " : "   ");
      print_candidate(&list[i], one_engine);
   }
   return true;
}

/* Every line of a text. 1: at least one explained. */
static int
explain_lines(char *text, unsigned most)
{
   unsigned found = 0, explained = 0;
   for (char *save = NULL, *line = strtok_r(text, "\n", &save); line;
        line = strtok_r(NULL, "\n", &save)) {
      struct hang_ecode e;
      if (!hang_ecode_parse(line, &e))
         continue;
      if (found++)
         putchar('\n');
      explained += explain(&e, most);
   }
   if (!found)
      fprintf(stderr, "pergola: no code found; a line such as 'GPU HANG: ecode 7:0:0x85fdfffd' "
                      "has one\n");
   return explained ? CLI_OK : CLI_FAILED;
}

static int
explain_file(const char *path, unsigned most)
{
   size_t size;
   uint8_t *bytes = cli_read_file(path, INPUT_LIMIT, &size);
   char *text = bytes ? malloc(size + 1) : NULL;
   int result = CLI_FAILED;
   if (text) {
      for (size_t i = 0; i < size; i++) /* a text has no zero bytes; a hostile file may */
         text[i] = bytes[i] ? (char)bytes[i] : ' ';
      text[size] = 0;
      result = explain_lines(text, most);
   }
   free(text);
   free(bytes);
   return result;
}

int
cli_ecode(int argc, char **argv)
{
   static const struct option options[] = {
       {"all", no_argument, NULL, 'a'}, {"help", no_argument, NULL, 'h'}, {0}};
   unsigned most = CANDIDATES;
   for (int o; (o = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
      if (o == 'h') {
         fputs(usage_text, stdout);
         return CLI_OK;
      }
      if (o != 'a')
         return cli_bad_option("ecode", argv, o);
      most = 16;
   }
   if (argc - optind > 1) {
      fputs("pergola: one text or file; put a log line in quotes\n", stderr);
      return CLI_USAGE;
   }
   const char *what = optind < argc ? argv[optind] : "-";
   if (!strcmp(what, "-") || !access(what, R_OK))
      return explain_file(what, most);
   struct hang_ecode e;
   if (!hang_ecode_parse(what, &e)) {
      fprintf(stderr,
              "pergola: '%s' is no file that can be read, and has no code; a line such as 'GPU "
              "HANG: ecode 7:0:0x85fdfffd' has one\n",
              what);
      return CLI_FAILED;
   }
   char *text = strdup(what);
   int result = text ? explain_lines(text, most) : CLI_FAILED;
   free(text);
   return result;
}
