/* pergola replay: what a GPU that hung left behind, run again on the model. */
#include "cli.h"

#include "hang/ecode.h"
#include "hang/replay.h"
#include "hang/replay_aub.h"
#include "hang/to_aub.h"
#include "pergola/pergola_trace.h"
#include "rules/plural.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define WATCHED (1u << 18) /* units for which the threads of a batch that hangs are looked at */

static const char usage_text[] =
    "usage: pergola replay [OPTIONS] FILE\n"
    "\n"
    "Runs an i915 error state, an AUB file or a hang dump (also packed by gzip) on the model, "
    "from\n"
    "the start of the request that hung, and says whether it hangs here too, at which command, "
    "and\n"
    "what its threads do. Memory that was not captured is unknown: who reads it is told.\n"
    "  --device PART    the part ('pergola devices'); by the file's PCI id if not given\n"
    "  --fill VALUE     memory that was not captured reads as this dword\n"
    "  --deterministic  one order of execution, as of 'pergola run --deterministic'\n"
    "  --to-aub FILE    writes what was captured as an AUB file, and runs nothing\n"
    "  --budget N       commands and instructions at most (200000000)\n"
    "Exit code: 0 reproduced, 1 the file cannot be used, 2 usage, 3 not reproduced,\n"
    "4 undecidable for want of memory. Of an AUB file: 0 it runs to its end, with the memory that\n"
    "'pergola run --aub' has written down; 3 it hangs, or memory differs.\n";

enum { NOT_REPRODUCED = 3, UNDECIDABLE = 4 };

/* What the model said, and of which run. */
struct heard {
   struct replay *replay; /* NULL: of an AUB file, which has all memory */
   unsigned count;
};

static void
print_diagnostic(void *data, const struct pergola_diagnostic *d)
{
   struct heard *h = data;
   h->count++;
   printf("  %s %s", d->rule, d->engine);
   if (d->has_address)
      printf(" at 0x%08llx", (unsigned long long)d->address);
   printf("%s%s: %s%s%s%s", d->subject[0] ? " in " : "", d->subject, d->message,
          d->where[0] ? " (" : "", d->where, d->where[0] ? ")" : "");
   bool lacks = h->replay && d->has_address &&
                replay_lacks(h->replay, d->address, !strcmp(d->subject, "PPGTT"));
   printf(lacks ? "; the page was not captured\n" : "\n");
}

static void
print_capture(const struct capture *c, unsigned engine)
{
   printf("%s", c->format);
   if (c->kernel[0])
      printf(", Linux %s", c->kernel);
   if (c->pci_id)
      printf(", PCI id 0x%04x", c->pci_id);
   printf("; %s engine; %u block%s, %llu bytes of memory\n", capture_engine_names[engine],
          c->blocks, plural(c->blocks), (unsigned long long)c->bytes);
   if (c->cut)
      printf("The file is cut off; what came before is used.\n");
   if (c->headline[0])
      printf("%s\n", c->headline);
   if (c->generation && c->generation != 7)
      printf("This is not a Gen7 GPU: commands are taken for Gen7's, as far as layouts agree.\n");
   else if (c->pci_id && !replay_part(c))
      printf("No part with that PCI id is modelled; Ivy Bridge GT2 stands for it, or --device.\n");
}

static void
print_registers(struct replay *r)
{
   struct replay_register list[REPLAY_REGISTERS];
   unsigned n = replay_registers(r, list);
   printf("\nregister                captured    model\n");
   for (unsigned i = 0; i < n; i++) {
      char text[24] = "-";
      if (list[i].known)
         snprintf(text, sizeof(text), "%08llx", (unsigned long long)list[i].captured);
      printf("%-22s %9s %08x%s\n", list[i].name, text, list[i].model,
             !list[i].known || list[i].captured == list[i].model ? ""
             : list[i].unknown                                   ? "  for want of a captured page"
                                                                 : "  differs");
   }
}

static void
ignore_thread(void *data, const struct pergola_thread *t)
{
}

/* A heading with nothing under it looks like a fault. */
static void
print_if_nothing(const struct heard *h, bool threads)
{
   if (!h->count && !threads)
      printf("  no rule is broken\n");
}

static void
print_unit(void *data, const char *unit, const char *meaning)
{
   printf("  busy: %s (%s)\n", meaning, unit);
}

#define BEHIND 65536u /* so near behind a batch's end the engine has run past it */

static const struct capture_block *
block_at(const struct capture *c, uint64_t address)
{
   for (unsigned i = 0; i < c->blocks; i++)
      if (address >= c->block[i].address && address - c->block[i].address < c->block[i].size)
         return &c->block[i];
   return NULL;
}

/* Where the engine stood, by what was captured. A batch is captured up to the end of its object. */
static void
print_place(const struct capture *c, unsigned engine, uint64_t acthd)
{
   const struct capture_block *b = block_at(c, acthd);
   const struct capture_block *batch = capture_find(c, CAPTURE_BATCH, (int)engine);
   uint64_t batch_head, end = batch ? batch->address + batch->size : 0;
   if (capture_register(&c->engine[engine].registers, "BBADDR", &batch_head) && !(batch_head & 1))
      printf("  in the ring, in no batch\n");
   else if (b)
      printf("  in the %s at 0x%08llx, 0x%llx bytes from its start\n", capture_kind_names[b->kind],
             (unsigned long long)b->address, (unsigned long long)(acthd - b->address));
   else if (batch && !batch->cut && acthd >= end && acthd - end < BEHIND)
      printf(
          "  behind the end of the batch (0x%08llx to 0x%08llx): it has run past it, for want of "
          "MI_BATCH_BUFFER_END\n",
          (unsigned long long)batch->address, (unsigned long long)end);
   else
      printf("  in no memory that was captured\n");
}

/* What the captured registers alone tell. */
static void
print_command(const struct capture *c, unsigned engine)
{
   uint64_t ipehr, instdone, acthd = 0;
   const struct capture_registers *g = &c->engine[engine].registers;
   if (!capture_register(g, "IPEHR", &ipehr))
      return;
   const struct hw_command *cmd = hw_command_find((uint32_t)ipehr, 1u << engine, HW_IVB);
   const char *waits = cmd ? hang_command_waits(cmd) : NULL;
   bool has_place = capture_register(g, "ACTHD", &acthd);
   printf("\ncaptured: %s at 0x%08llx", cmd ? cmd->layout.name : "no command of this engine",
          (unsigned long long)acthd);
   printf(waits ? " waits %s\n" : "\n", waits);
   if (has_place)
      print_place(c, engine, acthd);
   if (capture_register(g, "INSTDONE", &instdone))
      hang_busy_units((uint32_t)instdone, 1u << engine, HW_IVB, print_unit, NULL);
}

static void
print_unknown(const struct replay *r)
{
   struct replay_unknown list[REPLAY_UNKNOWN];
   unsigned n = replay_unknown(r, list);
   if (n)
      printf("\nmemory that was wanted and not captured: %u page%s\n", n, plural(n));
   for (unsigned i = 0; i < n && i < REPLAY_UNKNOWN; i++)
      printf("  0x%08llx (%s)%s%s\n", (unsigned long long)list[i].address,
             list[i].ppgtt ? "PPGTT" : "GGTT", list[i].written ? ", written" : "",
             list[i].bound ? ": an object was bound there" : "");
}

static int
print_verdict(enum replay_verdict v, bool has_place)
{
   static const struct {
      const char *text, *next;
      int code;
   } rows[] = {
       [REPLAY_REPRODUCED] = {"reproduced: the model stays at the same command",
                              "mend what the rules and threads above name; 'pergola decode' shows "
                              "the commands around it",
                              CLI_OK},
       [REPLAY_NOT_REPRODUCED] = {"not reproduced: the model gets past that command",
                                  "look at timing, at power, at what other engines did",
                                  NOT_REPRODUCED},
       [REPLAY_UNDECIDABLE] = {"undecidable: memory that was not captured is wanted",
                               "give it a value by --fill, or have the driver capture more "
                               "(EXEC_OBJECT_CAPTURE)",
                               UNDECIDABLE},
   };
   bool nowhere = v == REPLAY_REPRODUCED && !has_place;
   printf("\nverdict: %s\nnext: %s\n",
          nowhere ? "reproduced: the model hangs; the file does not say where the engine stood"
                  : rows[v].text,
          rows[v].next);
   return rows[v].code;
}

static int
judge_aub(const struct aub_replay_outcome *o)
{
   if (o->hangs) {
      printf("\nverdict: ring %u does not end\n", o->rings);
      return NOT_REPRODUCED;
   }
   unsigned ran = o->rings - o->hung;
   printf("\nverdict: %u ring%s ran to %s end", ran, plural(ran), ran == 1 ? "its" : "their");
   if (o->hung)
      printf(", %u %s as recorded", o->hung, o->hung == 1 ? "hangs" : "hang");
   if (o->different)
      printf("; memory differs %u of %u times, first after ring %u\n", o->different, o->compared,
             o->first);
   else
      printf("; memory is as recorded, %u time%s of %u\n", o->compared, plural(o->compared),
             o->compared);
   return o->different ? NOT_REPRODUCED : CLI_OK;
}

static int
replay_aub(const struct capture *c, const struct replay_options *o, const char *path)
{
   char error[160];
   struct aub_replay_outcome outcome;
   struct aub_replay *r = aub_replay_create(c, o, error);
   if (!r) {
      fprintf(stderr, "pergola: %s: %s\n", path, error);
      return CLI_FAILED;
   }
   print_capture(c, capture_hung_engine(c));
   printf("\nwhat the model says:\n");
   struct heard heard = {0};
   pergola_add_diagnostic_sink(aub_replay_device(r), print_diagnostic, &heard);
   aub_replay_run(r, &outcome);
   print_if_nothing(&heard, outcome.hangs);
   if (outcome.error)
      fprintf(stderr, "pergola: %s: after ring %u: %s\n", path, outcome.rings, outcome.error);
   if (!outcome.error && outcome.hangs)
      pergola_story_print(stdout, "  thread", aub_replay_device(r), NULL);
   int code = outcome.error ? CLI_FAILED : judge_aub(&outcome);
   aub_replay_destroy(r);
   return code;
}

static int
replay(const struct capture *c, const struct replay_options *o, const char *path)
{
   char error[160];
   struct replay *r = replay_create(c, o, error);
   if (!r) {
      fprintf(stderr, "pergola: %s: %s\n", path, error);
      return CLI_FAILED;
   }
   print_capture(c, replay_engine(r));
   print_command(c, replay_engine(r));
   printf("\nwhat the model says:\n");
   struct heard heard = {.replay = r};
   pergola_add_diagnostic_sink(replay_device(r), print_diagnostic, &heard);
   enum replay_verdict v = replay_run(r);
   struct pergola_story watch;
   bool more = replay_result(r) == PERGOLA_RUN_BUDGET;
   if (more)
      pergola_story_watch(replay_device(r), WATCHED, &watch);
   pergola_story_print(stdout, "  thread", replay_device(r), more ? &watch : NULL);
   print_if_nothing(&heard, pergola_threads(replay_device(r), ignore_thread, NULL) != 0);
   print_unknown(r);
   print_registers(r);
   uint64_t ipehr;
   int code =
       print_verdict(v, capture_register(&c->engine[replay_engine(r)].registers, "IPEHR", &ipehr));
   replay_destroy(r);
   return code;
}

int
cli_replay(int argc, char **argv)
{
   static const struct option options[] = {{"device", required_argument, NULL, 'd'},
                                           {"fill", required_argument, NULL, 'f'},
                                           {"budget", required_argument, NULL, 'b'},
                                           {"to-aub", required_argument, NULL, 'a'},
                                           {"deterministic", no_argument, NULL, 'D'},
                                           {"help", no_argument, NULL, 'h'},
                                           {0}};
   struct replay_options o = {0};
   const char *to_aub = NULL;
   uint64_t v;
   char error[160];
   for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
      switch (c) {
      case 'd':
         o.part = optarg;
         break;
      case 'f':
         if (!cli_parse_u64(optarg, &v) || v > UINT32_MAX) {
            return cli_bad_value("replay", "fill", "a dword such as 0 or 0xdeadbeef", optarg);
         }
         o.fill = true;
         o.fill_value = (uint32_t)v;
         break;
      case 'b':
         if (!cli_parse_u64(optarg, &o.budget) || !o.budget) {
            return cli_bad_value("replay", "budget", "a number above 0", optarg);
         }
         break;
      case 'D':
         o.deterministic = true;
         break;
      case 'a':
         to_aub = optarg;
         break;
      case 'h':
         fputs(usage_text, stdout);
         return CLI_OK;
      default:
         return cli_bad_option("replay", argv, c);
      }
   }
   if (optind + 1 < argc)
      return cli_surplus("replay", argv[optind + 1]);
   if (optind == argc) {
      fputs(usage_text, stderr);
      return CLI_USAGE;
   }
   if (o.part && !cli_part(o.part))
      return CLI_USAGE;
   struct cli_output written = {.option = "--to-aub", .path = to_aub};
   if (!cli_outputs_ok(&written, 1))
      return CLI_USAGE;
   struct capture *c = capture_read(argv[optind], error);
   if (!c) {
      fprintf(stderr, "pergola: %s: %s\n", argv[optind], error);
      return CLI_FAILED;
   }
   int code = CLI_OK;
   if (to_aub && !capture_to_aub(c, to_aub, error)) {
      fprintf(stderr, "pergola: %s: %s\n", to_aub, error);
      code = CLI_FAILED;
   } else if (!to_aub) {
      code = (aub_replay_is(c) ? replay_aub : replay)(c, &o, argv[optind]);
   }
   capture_free(c);
   return code;
}
