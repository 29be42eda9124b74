/* The registers of configuration space that a part lists: each once, with its bytes. */
#ifndef TESTS_PCI_WIDTHS_H
#define TESTS_PCI_WIDTHS_H

#include "pergola/pergola_machine.h"

struct register_width {
   uint16_t offset, bytes;
};

/* The registers are these and no others. */
static void
check_widths(const struct pergola_device *dev, const struct register_width *w, size_t count)
{
   struct pergola_pci_register r;
   bool seen[128] = {false};
   size_t listed = 0;
   assert_true(count <= sizeof(seen));
   for (; pergola_pci_register_at(dev, listed, &r); listed++) {
      size_t i = 0;
      while (i < count && (seen[i] || w[i].offset != r.offset))
         i++;
      if (i == count || w[i].bytes != r.size)
         fail_msg("%s at %#x has %u bytes", r.name, r.offset, r.size);
      seen[i] = true;
   }
   assert_int_equal(listed, count);
}

#endif
