/* pergola oa: what a recording of `pergola run --oa` counted. */
#include "cli.h"

#include "oa/oa_file.h"

#include <getopt.h>
#include <stdlib.h>

#define INPUT_LIMIT (UINT64_C(1) << 30)

static const char usage_text[] =
    "usage: pergola oa [--json|--csv] [--total] FILE\n"
    "\n"
    "Shows what the performance counters counted in a run recorded by 'pergola run --oa FILE': a\n"
    "line for every dispatch and one in all. The counters are Ice Lake's (docs/counters.md).\n"
    "\n"
    "  --json    as JSON\n"
    "  --csv     as comma-separated values, all counters\n"
    "  --total   the sum of all dispatches alone\n";

int
cli_oa(int argc, char **argv)
{
   static const struct option options[] = {
       {"json", 0, 0, 'j'}, {"csv", 0, 0, 'c'}, {"total", 0, 0, 't'}, {"help", 0, 0, 'h'}, {0}};
   enum oa_file_form form = OA_FILE_TEXT;
   bool total = false;
   int c;
   while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
      switch (c) {
      case 'j':
         form = OA_FILE_JSON;
         break;
      case 'c':
         form = OA_FILE_CSV;
         break;
      case 't':
         total = true;
         break;
      case 'h':
         fputs(usage_text, stdout);
         return CLI_OK;
      default:
         return cli_bad_option("oa", argv, c);
      }
   }
   if (optind + 1 < argc)
      return cli_surplus("oa", argv[optind + 1]);
   if (optind == argc) {
      fputs(usage_text, stderr);
      return CLI_USAGE;
   }
   size_t size;
   uint8_t *data = cli_read_file(argv[optind], INPUT_LIMIT, &size);
   if (!data)
      return CLI_FAILED;
   struct oa_file f;
   const char *problem = oa_file_read(&f, data, size);
   if (problem)
      fprintf(stderr, "pergola: %s: %s\n", argv[optind], problem);
   else
      oa_file_print(&f, stdout, form, total);
   free(data);
   return problem ? CLI_FAILED : CLI_OK;
}
