/* What the cases of this directory share. */
#ifndef PERGOLA_TEST_GEN11_H
#define PERGOLA_TEST_GEN11_H

#include "gen11/gen11_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Memory space and bus mastering are on. */
static inline struct pergola_device *
new_icl(void)
{
   struct pergola_device *dev = pergola_device_create(
       &(struct pergola_config){.sku = "icl", .check = PERGOLA_CHECK_REPORT}, NULL);
   assert_non_null(dev);
   pergola_pci_write(dev, 4, 2, 0x6);
   return dev;
}

static inline uint32_t
rd(struct pergola_device *dev, uint32_t offset)
{
   return (uint32_t)pergola_mmio_read(dev, offset, 4);
}
static inline void
wr(struct pergola_device *dev, uint32_t offset, uint32_t value)
{
   pergola_mmio_write(dev, offset, 4, value);
}

/* Rules by name: how often each was reported. */
struct seen_rules {
   char rule[32][12];
   unsigned count;
};
static inline void
note_rule(void *data, const struct pergola_diagnostic *d)
{
   struct seen_rules *s = data;
   if (s->count < 32)
      strncpy(s->rule[s->count++], d->rule, 11);
}
static inline unsigned
reported(const struct seen_rules *s, const char *rule)
{
   unsigned n = 0;
   for (unsigned i = 0; i < s->count; i++)
      n += !strcmp(s->rule[i], rule);
   return n;
}

extern const struct CMUnitTest pci_tests[], interrupt_tests[], range_tests[], engine_tests[],
    oa_tests[], spec_tests[];
extern const size_t pci_test_count, interrupt_test_count, range_test_count, engine_test_count,
    oa_test_count, spec_test_count;

#endif
