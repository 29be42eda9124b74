/* Table-driven checks of registers: what a row of the ledger says, against what the bus sees. */
#ifndef PERGOLA_TEST_REGISTER_TABLE_H
#define PERGOLA_TEST_REGISTER_TABLE_H

#include "machine/device.h"
#include "tests/proves.h"

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
   const char *also;   /* other rows that this line proves; NULL: none */
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
check_register(const struct register_case *c, const char *sku)
{
   struct pergola_device *dev = new_device(sku);
   const struct hw_register *row = hw_register_by_name(c->name, dev->hw_device);
   if (!row)
      fail_msg("%s: no register %s", c->id, c->name);
   if (row->offset != c->offset)
      fail_msg("%s: %s is at 0x%x", c->id, c->name, row->offset);
   if (!ledger_find(c->id))
      fail_msg("%s: no such row", c->id);
   uint32_t reset = (uint32_t)pergola_mmio_read(dev, c->offset, 4);
   if (reset != c->reset)
      fail_msg("%s: %s holds 0x%08x after creation", c->id, c->name, reset);
   pergola_mmio_write(dev, c->offset, 4, 0xffffffff);
   uint32_t ones = (uint32_t)pergola_mmio_read(dev, c->offset, 4);
   if (ones != c->ones)
      fail_msg("%s: %s holds 0x%08x after a write of ones", c->id, c->name, ones);
   check_fields(c, row->layout);
   pergola_device_destroy(dev);
}

/* The registers of a table that belong to one row of the ledger: a case. */
struct register_row {
   const struct register_case *table;
   size_t count;
   const char *sku, *id;
   char name[48];
};

static inline void
registers_of_a_row(void **state)
{
   const struct register_row *r = *state;
   proves(r->id);
   for (size_t i = 0; i < r->count; i++) {
      if (strcmp(r->table[i].id, r->id))
         continue;
      if (r->table[i].also)
         proves(r->table[i].also);
      check_register(&r->table[i], r->sku);
   }
}

/* Adds a case for every row that the table names. */
static inline size_t
register_cases(struct CMUnitTest *tests, const struct register_case *table, size_t count,
               const char *sku)
{
   static struct register_row rows[128];
   static size_t used;
   size_t before = used;
   for (size_t i = 0; i < count; i++) {
      bool again = false;
      for (size_t k = 0; k < i; k++)
         again |= !strcmp(table[k].id, table[i].id);
      if (again || used == sizeof(rows) / sizeof(rows[0]))
         continue;
      struct register_row *r = &rows[used++];
      *r = (struct register_row){.table = table, .count = count, .sku = sku, .id = table[i].id};
      snprintf(r->name, sizeof(r->name), "registers of %s on %s", r->id, sku);
      tests[used - before - 1] =
          (struct CMUnitTest){.name = r->name, .test_func = registers_of_a_row, .initial_state = r};
   }
   return used - before;
}
#define REGISTER_CASES(tests, table, sku)                                                          \
   register_cases(tests, table, sizeof(table) / sizeof((table)[0]), sku)

#endif
