#include "cli.h"

#include "pergola/pergola.h"

#include <string.h>

/* What most people want comes first. */
static const struct cli_command commands[] = {
    {"run", "run a program on the modelled GPU", cli_run},
    {"exec", "execute a batch or a script of rings and registers", cli_exec},
    {"decode", "show a batch, field by field", cli_decode},
    {"replay", "run what a hung GPU left behind", cli_replay},
    {"ecode", "explain the code of a GPU hang", cli_ecode},
    {"rules", "list or explain the rules that are checked", cli_rules},
    {"regs", "explain a register, decode its value", cli_regs},
    {"eu", "run an EU kernel by itself, or debug it", cli_eu},
    {"asm", "assemble an EU program", cli_asm},
    {"disasm", "disassemble an EU program", cli_disasm},
    {"walker", "draw a media walk from its parameters", cli_walker},
    {"tess", "tessellate a patch by itself, and draw it", cli_tess},
    {"vme", "search the motion between pictures, draw and explain it", cli_vme},
    {"oa", "show what the performance counters counted in a run", cli_oa},
    {"vm", "run a command in a virtual machine that has the device", cli_vm},
    {"device", "be a PCI device of a virtual machine", cli_device},
    {"devices", "list the parts that can be modelled", cli_devices},
    {"pci", "show the PCI configuration space of a part", cli_pci},
    {"bus", "do a scripted bus session on a new device", cli_bus},
};

static void
usage(FILE *out)
{
   fprintf(out, "usage: pergola COMMAND [ARGUMENTS]\n\nAn Intel Gen7 GPU in software.\n\n");
   for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
      fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
   fprintf(out, "\n'pergola COMMAND --help' says more.\n");
}

/* Output that could not be written is an error, whatever has been printed. */
static int
finish(int code)
{
   if (!fflush(stdout) && !ferror(stdout))
      return code;
   fprintf(stderr, "pergola: standard output cannot be written\n");
   return code ? code : CLI_FAILED;
}

int
main(int argc, char **argv)
{
   if (argc < 2) {
      usage(stderr);
      return CLI_USAGE;
   }
   bool help = !strcmp(argv[1], "help");
   if (help && argc > 2) { /* pergola help COMMAND */
      argv[1] = argv[2];
      argv[2] = "--help";
      argc = 3;
   } else if (help || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
      usage(stdout);
      return finish(CLI_OK);
   }
   if (!strcmp(argv[1], "--version")) {
      printf("pergola %s\n", pergola_version());
      return finish(CLI_OK);
   }
   for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
      if (!strcmp(argv[1], commands[i].name)) {
         static char name[32]; /* getopt's errors begin with it */
         snprintf(name, sizeof(name), "pergola %s", commands[i].name);
         argv[1] = name;
         return finish(commands[i].run(argc - 1, argv + 1));
      }
   fprintf(stderr, "pergola: '%s' is not a command; 'pergola --help' lists them\n", argv[1]);
   return CLI_USAGE;
}
