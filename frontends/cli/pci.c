/* pergola pci: configuration space of a part, register by register or for lspci. */
#include "cli.h"

#include "pergola/pergola.h"

#include <getopt.h>
#include <stdlib.h>

static const char usage_text[] =
    "usage: pergola pci [--device PART] [--dump]\n\n"
    "Shows the PCI configuration space of a part as it is after reset: offset, name, value, the\n"
    "bits that can be written, and the rule that says so.\n\n"
    "  --device PART   as 'pergola devices' lists them (ivb-gt2)\n"
    "  --dump          in the form that 'lspci -F FILE -vvv' reads\n";

static void
dump(struct pergola_device *dev)
{
   printf("00:02.0 Display controller: %s\n", pergola_device_sku(dev)->description);
   for (uint32_t at = 0; at < pergola_pci_size(dev); at += 16) {
      printf("%02x:", at);
      for (uint32_t i = 0; i < 16; i++)
         printf(" %02x", pergola_pci_read(dev, at + i, 1));
      putchar('\n');
   }
   putchar('\n');
}

static int
by_offset(const void *a, const void *b)
{
   const struct pergola_pci_register *x = a, *y = b;
   return x->offset - y->offset;
}

static uint32_t
value_of(struct pergola_device *dev, const struct pergola_pci_register *r)
{
   uint32_t value = 0;
   for (unsigned i = 0; i < r->size; i++) /* one of them has three bytes */
      value |= pergola_pci_read(dev, r->offset + i, 1) << 8 * i;
   return value;
}

static void
show(struct pergola_device *dev)
{
   enum { MOST = 256 };
   struct pergola_pci_register r[MOST];
   size_t count = 0;
   while (count < MOST && pergola_pci_register_at(dev, count, &r[count]))
      count++;
   qsort(r, count, sizeof(r[0]), by_offset);
   printf("%-5s %-15s %-10s %-10s %s\n", "at", "register", "value", "writable", "rule");
   for (size_t i = 0; i < count; i++) {
      int digits = 2 * r[i].size;
      printf("%03x   %-15s %0*x%*s %0*x%*s %s\n", r[i].offset, r[i].name, digits,
             value_of(dev, &r[i]), 10 - digits, "", digits, r[i].writable, 10 - digits, "",
             r[i].rule);
   }
}

int
cli_pci(int argc, char **argv)
{
   static const struct option options[] = {
       {"device", 1, NULL, 'd'}, {"dump", 0, NULL, 'x'}, {"help", 0, NULL, 'h'}, {0}};
   struct pergola_config config = {.check = PERGOLA_CHECK_OFF};
   bool raw = false;
   for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
      switch (c) {
      case 'd':
         config.sku = optarg;
         if (!cli_part(optarg))
            return CLI_USAGE;
         break;
      case 'x':
         raw = true;
         break;
      case 'h':
         fputs(usage_text, stdout);
         return CLI_OK;
      default:
         return cli_bad_option("pci", argv, c);
      }
   }
   if (optind < argc)
      return cli_surplus("pci", argv[optind]);
   const char *error = NULL;
   struct pergola_device *dev = pergola_device_create(&config, &error);
   if (!dev) {
      fprintf(stderr, "pergola pci: %s\n", error);
      return CLI_USAGE;
   }
   if (raw)
      dump(dev);
   else
      show(dev);
   pergola_device_destroy(dev);
   return CLI_OK;
}
