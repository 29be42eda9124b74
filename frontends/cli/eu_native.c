/* pergola eu native: what a kernel becomes on this host. */
#include "eu.h"

#include <getopt.h>
#include <string.h>

static void
usage(FILE *out)
{
   fprintf(out,
           "usage: pergola eu native FILE [OPTIONS]\n\n"
           "Prints the native code of a kernel beside its instructions and what is between:\n"
           "who reads and writes which register, and where a loop keeps it.\n\n"
           "  --binary             FILE holds bytes (so do names that end in .bin)\n"
           "  --device NAME        the part; 'pergola devices' lists them\n"
           "  --check LEVEL        rules: off, report (default) or stop; they make code longer\n"
           "  --all                also what lies aside: in and out, slow paths, ways out\n");
}

static void
print(void *data, const char *text)
{
   fprintf(data, "%s\n", text);
}

struct request {
   const char *file;
   bool binary, all;
   struct pergola_config config;
};

/* -1: go on. */
static int
parse(struct request *r, int argc, char **argv)
{
   static const struct option longs[] = {
       {"binary", no_argument, 0, 'b'},      {"device", required_argument, 0, 'd'},
       {"check", required_argument, 0, 'c'}, {"all", no_argument, 0, 'a'},
       {"help", no_argument, 0, 'h'},        {0},
   };
   int c;
   optind = 1;
   while ((c = getopt_long(argc, argv, ":h", longs, NULL)) != -1) {
      if (c == '?' || c == ':')
         return cli_bad_option("eu native", argv, c);
      if (c == 'h') {
         usage(stdout);
         return CLI_OK;
      }
      if (c == 'b')
         r->binary = true;
      if (c == 'a')
         r->all = true;
      if (c == 'd' && !cli_part(r->config.sku = optarg))
         return CLI_USAGE;
      if (c == 'c' && !cli_parse_check(optarg, &r->config.check))
         return cli_bad_value("eu native", "check", "off, report or stop", optarg);
   }
   if (optind + 1 < argc)
      return cli_surplus("eu native", argv[optind + 1]);
   if (optind == argc) {
      usage(stderr);
      return CLI_USAGE;
   }
   r->file = argv[optind];
   return -1;
}

int
eu_native(int argc, char **argv)
{
   struct request r = {.config = {.check = PERGOLA_CHECK_REPORT}};
   const char *error = NULL;
   int code = parse(&r, argc, argv);
   if (code >= 0)
      return code;
   struct pergola_eu_bench *bench = pergola_eu_create(&r.config, &error);
   if (!bench) {
      fprintf(stderr, "pergola: %s\n", error);
      return CLI_USAGE;
   }
   code = eu_load(bench, r.file, r.binary) ? CLI_OK : CLI_FAILED;
   if (code == CLI_OK && pergola_eu_native(bench, r.all, print, stdout)) {
      fprintf(stderr, "pergola: %s: has no native code here\n", r.file);
      code = CLI_FAILED;
   }
   pergola_eu_destroy(bench);
   return code;
}
