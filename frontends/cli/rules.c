#include "cli.h"

#include "rules/rules.h"

#include <getopt.h>
#include <string.h>

static void
print_row(const struct ledger_row *r)
{
   printf("%s  %s (%s, %s)\n\n%s\n", r->id, r->title, r->unit, r->kind, r->requirement);
   if (r->source[0])
      printf("\nmanual: %s\n", r->source);
   if (r->decision[0])
      printf("decision: %s\n", r->decision);
   if (r->status[0])
      printf("status: %s\n", r->status);
}

/* All rows of a unit: RCS, MEM, … */
static unsigned
list_prefix(const char *prefix)
{
   size_t n = strlen(prefix);
   unsigned count = 0;
   for (size_t i = 0; i < ledger_row_count; i++) {
      const struct ledger_row *r = &ledger_rows[i];
      if (strncasecmp(r->id, prefix, n) || r->id[n] != '-')
         continue;
      printf("%-10s %-11s %s\n", r->id, r->kind, r->title);
      count++;
   }
   return count;
}

int
cli_rules(int argc, char **argv)
{
   static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
   int c = getopt_long(argc, argv, ":", options, NULL);
   if (c == '?' || c == ':')
      return cli_bad_option("rules", argv, c);
   if (c == 'h') {
      printf("usage: pergola rules [ID|PREFIX]\n\nWithout ID: the restrictions of the manuals that "
             "the "
             "model knows, a line each.\nWith ID (RCS-117): the whole row, with its place in the "
             "manual.\nWith PREFIX (RCS): every row of that ledger.\n");
      return CLI_OK;
   }
   if (argc - optind > 1)
      return cli_surplus("rules", argv[optind + 1]);
   if (optind < argc) {
      const char *id = argv[optind];
      const struct ledger_row *r = ledger_find(id);
      if (!r && list_prefix(id))
         return CLI_OK;
      if (!r) {
         fprintf(stderr, "pergola: no rule '%s'; 'pergola rules' lists them\n", id);
         return CLI_FAILED;
      }
      print_row(r);
      return CLI_OK;
   }
   for (size_t i = 0; i < ledger_row_count; i++)
      if (!strcmp(ledger_rows[i].kind, "restriction"))
         printf("%-10s %s\n", ledger_rows[i].id, ledger_rows[i].title);
   return CLI_OK;
}
