#include "cli.h"

#include "hw/hw.h"
#include "pergola/pergola.h"
#include "rules/rules.h"

#include <getopt.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char usage_text[] =
    "usage: pergola regs [--device=PART] [NAME|OFFSET [VALUE]]\n"
    "\n"
    "Without arguments: every register, a line each.\n"
    "NAME: the register of that name, or those whose names contain it; RCS_RING_BUFFER_TAIL.\n"
    "OFFSET: the register at that MMIO offset; 0x2030.\n"
    "VALUE: decode this value field by field.\n"
    "--device=PART: one of 'pergola devices'; ivb-gt2 if not given.\n";

static const char *const access_names[] = {"read and write", "read only",
                                           "write only",     "write one to clear",
                                           "masked write",   "cleared by reading"};
static const char *const reset_names[] = {
    "chip only",  "full graphics reset", "render reset", "media reset", "blitter reset",
    "RCS0 reset", "BCS0 reset",          "VCS0 reset",   "VCS2 reset",  "VECS0 reset"};

/* The row of another dword of the register: tables of several parts lie between. */
static const struct hw_register *
dword_of(const struct hw_register *r, uint32_t dword)
{
   return hw_register_at(r->offset - 4 * r->dword + 4 * dword, r->devices);
}

static const char *
access_word(const struct hw_register *r)
{
   static const char *const words[] = {"rw", "ro", "wo", "w1c", "masked", "rc"};
   return words[r->access];
}

static void
print_line(const struct hw_register *r)
{
   uint64_t value = r->default_value;
   if (r->layout->length_dw > 1)
      value |= (uint64_t)dword_of(r, 1)->default_value << 32;
   printf("0x%06x  %-32s %-7s %2u bits  0x%08llx  %s\n", r->offset, r->layout->name, access_word(r),
          32u * r->layout->length_dw, (unsigned long long)value, r->layout->unit);
}

static bool
contains(const char *name, const char *part)
{
   size_t n = strlen(part);
   for (; *name; name++)
      if (!strncasecmp(name, part, n))
         return true;
   return !n;
}

static unsigned
list(unsigned device_bit, const char *part)
{
   unsigned count = 0;
   for (size_t i = 0; i < hw_register_count; i++) {
      const struct hw_register *r = &hw_registers[i];
      if (!(r->devices & device_bit) || r->dword || !contains(r->layout->name, part))
         continue;
      print_line(r);
      count++;
   }
   return count;
}

static void
print_values(const struct hw_field *f)
{
   for (unsigned i = 0; i < f->value_count; i++)
      printf("              %u = %s\n", f->values[i].value, f->values[i].name);
}

static void
print_field(const struct hw_field *f, const uint32_t *value, size_t count_dw)
{
   char bits[16], text[128] = "";
   if (f->start == f->end)
      snprintf(bits, sizeof(bits), "%u", f->start);
   else
      snprintf(bits, sizeof(bits), "%u:%u", f->end, f->start);
   bool reserved = f->type >= HW_MBZ;
   uint64_t raw = value ? hw_field_get(f, value, count_dw) : 0;
   if (reserved && (!value || (f->type == HW_MBZ && !raw)))
      return;
   if (value)
      hw_field_print(f, raw, text, sizeof(text));
   printf("  [%5s]  %-44s %s%s\n", bits, reserved ? "reserved" : f->name, text,
          reserved && f->type == HW_MBZ ? "  must be zero" : "");
   if (!value)
      print_values(f);
}

/* The structures of which one lies in the field: what is set of each, or all that can be. */
static void
print_structures(const struct hw_field *f, const uint32_t *value, size_t count_dw)
{
   const struct hw_layout *l;
   uint32_t inside = value ? (uint32_t)hw_field_get(f, value, count_dw) : 0;
   for (unsigned n = 0; (l = hw_field_structure(f, n)); n++) {
      const struct ledger_row *row = ledger_find(l->ledger);
      printf("\n%s as %s%s%s\n", f->name, l->name, row ? ", manual " : "", row ? row->source : "");
      for (unsigned i = l->field_count; i-- > 0;)
         if (!value || hw_field_get(&l->fields[i], &inside, 1))
            print_field(&l->fields[i], value ? &inside : NULL, 1);
   }
}

static void
explain(const struct hw_register *r, const uint32_t *value)
{
   const struct hw_layout *l = r->layout;
   printf("%s  0x%06x  (%s)\n\n", l->name, r->offset, l->unit);
   printf("  access    %s\n  default   0x%08x", access_names[r->access], r->default_value);
   if (l->length_dw > 1)
      printf(", 0x%08x", dword_of(r, 1)->default_value);
   printf("\n  reset     %s\n", reset_names[r->reset]);
   if (r->context)
      printf("  context   saved and restored\n");
   if (r->hooked)
      printf("  effect    reading or writing does something\n");
   const struct ledger_row *row = l->ledger[0] ? ledger_find(l->ledger) : NULL;
   if (row)
      printf("  rule      %s, manual %s\n", row->id, row->source);
   if (value)
      printf("  value     0x%08x%s", value[0], l->length_dw > 1 ? "" : "\n");
   if (value && l->length_dw > 1)
      printf(", 0x%08x\n", value[1]);
   putchar('\n');
   for (unsigned i = l->field_count; i-- > 0;)
      print_field(&l->fields[i], value, l->length_dw);
   for (unsigned i = l->field_count; i-- > 0;)
      print_structures(&l->fields[i], value, l->length_dw);
}

static const struct hw_register *
find(const char *what, unsigned device_bit)
{
   const struct hw_register *r = hw_register_by_name(what, device_bit);
   uint64_t offset;
   if (r || !isdigit((unsigned char)what[0]) || !cli_parse_u64(what, &offset) ||
       offset > UINT32_MAX)
      return r;
   r = hw_register_at((uint32_t)offset & ~3u, device_bit);
   if (r && r->dword)
      r = dword_of(r, 0);
   return r;
}

static int
show(const char *what, const char *value_text, unsigned device_bit)
{
   uint64_t number;
   uint32_t value[2];
   const struct hw_register *r = find(what, device_bit);
   if (!r && !value_text && list(device_bit, what))
      return CLI_OK;
   if (!r) {
      fprintf(stderr, "pergola: no register '%s' on this part; 'pergola regs' lists them\n", what);
      return CLI_FAILED;
   }
   if (value_text) {
      if (!cli_parse_u64(value_text, &number) ||
          (r->layout->length_dw == 1 && number > UINT32_MAX)) {
         fprintf(stderr, "pergola: '%s' is not a value of %u bits; give a number such as 0x1000\n",
                 value_text, 32u * r->layout->length_dw);
         return CLI_USAGE;
      }
      value[0] = (uint32_t)number;
      value[1] = (uint32_t)(number >> 32);
   }
   explain(r, value_text ? value : NULL);
   return CLI_OK;
}

int
cli_regs(int argc, char **argv)
{
   unsigned device_bit = HW_IVB;
   static const struct option options[] = {
       {"help", no_argument, NULL, 'h'}, {"device", required_argument, NULL, 'd'}, {0}};
   for (int c; (c = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
      if (c == '?' || c == ':')
         return cli_bad_option("regs", argv, c);
      if (c == 'h') {
         fputs(usage_text, stdout);
         return CLI_OK;
      }
      if (!cli_hw_device(optarg, &device_bit))
         return CLI_USAGE;
   }
   if (argc - optind > 2)
      return cli_surplus("regs", argv[optind + 2]);
   if (optind < argc)
      return show(argv[optind], argv[optind + 1], device_bit); /* NULL ends argv */
   list(device_bit, "");
   return CLI_OK;
}
