/* Table-driven checks of registers: what a row of the ledger says, against what the bus sees. */
#ifndef PERGOLA_TEST_REGISTER_TABLE_H
#define PERGOLA_TEST_REGISTER_TABLE_H

#include "machine/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct register_case {
   const char *id; /* ledger row */
   const char *name;
   uint32_t offset;
   uint32_t reset;     /* after creation */
   uint32_t ones;      /* reads back after all ones were written */
   const char *fields; /* "hi:lo Name;hi:lo Name"; NULL: one plain field */
};

static inline struct pergola_device *
new_device(const char *sku)
{
   struct pergola_config c = {.sku = sku, .check = PERGOLA_CHECK_REPORT};
   struct pergola_device *dev = pergola_device_create(&c, NULL);
   assert_non_null(dev);
   return dev;
}

static inline const struct hw_field *
find_field(const struct hw_layout *l, const char *name, size_t length)
{
   for (unsigned i = 0; i < l->field_count; i++)
      if (strlen(l->fields[i].name) == length && !strncmp(l->fields[i].name, name, length) &&
          l->fields[i].type < HW_MBZ)
         return &l->fields[i];
   return NULL;
}

static inline void
check_fields(const struct register_case *c, const struct hw_layout *l)
{
   for (const char *p = c->fields; p && *p;) {
      unsigned hi, lo;
      int used;
      assert_int_equal(sscanf(p, "%u:%u %n", &hi, &lo, &used), 2);
      p += used;
      size_t length = strcspn(p, ";");
      const struct hw_field *f = find_field(l, p, length);
      if (!f || f->start != lo || f->end != hi)
         fail_msg("%s %s: field '%.*s' is not at %u:%u", c->id, c->name, (int)length, p, hi, lo);
      p += length + (p[length] == ';');
   }
}

/* Offset by name, value after creation, value after a write of all ones, places of the fields. */
static inline void
check_registers(const struct register_case *c, size_t count, const char *sku)
{
   for (size_t i = 0; i < count; i++) {
      struct pergola_device *dev = new_device(sku);
      const struct hw_register *row = hw_register_by_name(c[i].name, dev->hw_device);
      if (!row)
         fail_msg("%s: no register %s", c[i].id, c[i].name);
      if (row->offset != c[i].offset)
         fail_msg("%s: %s is at 0x%x", c[i].id, c[i].name, row->offset);
      if (!ledger_find(c[i].id))
         fail_msg("%s: no such row", c[i].id);
      uint32_t reset = (uint32_t)pergola_mmio_read(dev, c[i].offset, 4);
      if (reset != c[i].reset)
         fail_msg("%s: %s holds 0x%08x after creation", c[i].id, c[i].name, reset);
      pergola_mmio_write(dev, c[i].offset, 4, 0xffffffff);
      uint32_t ones = (uint32_t)pergola_mmio_read(dev, c[i].offset, 4);
      if (ones != c[i].ones)
         fail_msg("%s: %s holds 0x%08x after a write of ones", c[i].id, c[i].name, ones);
      check_fields(&c[i], row->layout);
      pergola_device_destroy(dev);
   }
}
#define CHECK(table, sku) check_registers(table, sizeof(table) / sizeof((table)[0]), sku)

#endif
