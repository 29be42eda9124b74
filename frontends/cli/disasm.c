#include "cli.h"

#include "eu/isa/asm.h"

#include <getopt.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (64u << 20)

static void
help(FILE *out)
{
   fprintf(out,
           "usage: pergola disasm IN [--device ivb|hsw] [--format raw|hex]\n\n"
           "Prints an EU program as text that 'pergola asm' turns into the same bytes\n"
           "(- is standard input). What is no instruction is shown as .dword with the reason.\n\n"
           "  --device NAME     ivb (also vlv; default) or hsw\n"
           "  --format FORMAT   the file holds raw bytes (default) or hex digits\n");
}

/* Hex digits in pairs; blanks between pairs; in place. */
static bool
from_hex(uint8_t *bytes, size_t *size)
{
   size_t out = 0;
   for (size_t i = 0; i < *size;) {
      if (isspace(bytes[i])) {
         i++;
         continue;
      }
      if (i + 1 >= *size || !isxdigit(bytes[i]) || !isxdigit(bytes[i + 1])) {
         fprintf(stderr, "pergola: byte %zu of the text is no pair of hex digits\n", i);
         return false;
      }
      char pair[3] = {(char)bytes[i], (char)bytes[i + 1], 0};
      bytes[out++] = (uint8_t)strtoul(pair, NULL, 16);
      i += 2;
   }
   *size = out;
   return true;
}

int
cli_disasm(int argc, char **argv)
{
   const char *in = NULL;
   bool hex = false;
   unsigned device = HW_IVB;
   static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                           {"device", required_argument, NULL, 'd'},
                                           {"format", required_argument, NULL, 'f'},
                                           {0}};
   const char *format = "raw";
   for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
      if (c == '?' || c == ':')
         return cli_bad_option("disasm", argv, c);
      if (c == 'h') {
         help(stdout);
         return CLI_OK;
      }
      if (c == 'd' && !cli_hw_device(optarg, &device))
         return CLI_USAGE;
      if (c == 'f')
         format = optarg;
   }
   hex = !strcmp(format, "hex");
   if (!hex && strcmp(format, "raw"))
      return cli_bad_value("disasm", "format", "raw or hex", format);
   if (optind + 1 < argc)
      return cli_surplus("disasm", argv[optind + 1]);
   if (optind == argc) {
      help(stderr);
      return CLI_USAGE;
   }
   in = argv[optind];
   size_t size;
   uint8_t *bytes = cli_read_file(in, MAX_BYTES, &size);
   if (!bytes)
      return CLI_FAILED;
   bool ok = !hex || from_hex(bytes, &size);
   if (ok)
      eu_disasm_program(stdout, bytes, size, device);
   free(bytes);
   return ok ? CLI_OK : CLI_FAILED;
}
