#include "cli.h"

#include "pergola/pergola.h"

#include <getopt.h>

int
cli_devices(int argc, char **argv)
{
   static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
   int c = getopt_long(argc, argv, ":", options, NULL);
   if (c == '?' || c == ':')
      return cli_bad_option("devices", argv, c);
   if (c == 'h') {
      fputs("usage: pergola devices\n\nLists the parts by the name that --device takes.\n", stdout);
      return CLI_OK;
   }
   if (optind < argc)
      return cli_surplus("devices", argv[optind]);
   printf("%-9s %-9s %4s %8s %9s %8s  %s\n", "name", "pci", "EUs", "threads", "L3", "URB", "part");
   for (size_t i = 0;; i++) {
      const struct pergola_sku *s = pergola_sku_at(i);
      if (!s)
         break;
      unsigned eus = s->half_slices * s->eus_per_half_slice;
      printf("%-9s 8086:%04x %4u %8u %5u KiB %4u KiB  %s\n", s->name, s->pci_device_id, eus,
             eus * s->threads_per_eu, s->l3_kib, s->urb_kib, s->description);
   }
   return CLI_OK;
}
