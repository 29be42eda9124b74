/* Checks a layout against a list of bit ranges written in the manual's way: "1[5:0] 1[8] 2[31:0]".
 */
#ifndef TEST_LAYOUTS_H
#define TEST_LAYOUTS_H

#include "gen7_hw.h"
#include "tests/proves.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct expected_layout {
   const char *ledger;
   unsigned device; /* enum hw_device_bit */
   uint32_t header;
   const char *name;
   unsigned length_dw; /* 0: variable */
   const char *fields;
};

static inline const struct hw_field *
field_at(const struct hw_layout *l, unsigned start, unsigned end)
{
   for (unsigned i = 0; i < l->field_count; i++)
      if (l->fields[i].start == start && l->fields[i].end == end)
         return &l->fields[i];
   return NULL;
}

static inline bool
is_named(const struct hw_field *f)
{
   return f->type != HW_MBZ && f->type != HW_MBO && f->type != HW_IGNORED;
}

/* Every range is a named field, and there is no named field beside them. */
static inline void
check_ranges(const struct hw_layout *l, const char *ranges)
{
   unsigned expected = 0, named = 0;
   for (const char *p = ranges; *p; expected++) {
      char *end;
      unsigned dw = (unsigned)strtoul(p, &end, 10);
      unsigned hi = (unsigned)strtoul(end + 1, &end, 10);
      unsigned lo = *end == ':' ? (unsigned)strtoul(end + 1, &end, 10) : hi;
      const struct hw_field *f = field_at(l, dw * 32 + lo, dw * 32 + hi);
      if (!f || !is_named(f))
         fail_msg("%s has no field at dword %u bits %u:%u", l->name, dw, hi, lo);
      p = end + 1;
      while (*p == ' ')
         p++;
   }
   for (unsigned i = 0; i < l->field_count; i++)
      named += is_named(&l->fields[i]);
   if (named != expected)
      fail_msg("%s has %u named fields, not %u", l->name, named, expected);
}

static inline void
check_command(const struct expected_layout *e)
{
   const struct hw_command *c = hw_command_find(e->header, HW_RCS, e->device);
   if (!c)
      fail_msg("no command starts with 0x%08x (%s)", e->header, e->name);
   assert_string_equal(c->layout.name, e->name);
   if (strncmp(e->ledger, "SMP", 3))
      assert_string_equal(c->layout.ledger, e->ledger);
   assert_int_equal(c->layout.variable, e->length_dw == 0);
   if (e->length_dw) {
      assert_int_equal(c->layout.length_dw, e->length_dw);
      assert_int_equal(hw_command_length(c, e->header), e->length_dw);
   }
   check_ranges(&c->layout, e->fields);
   assert_null(hw_command_find(e->header, HW_VCS, e->device));
   assert_null(hw_command_find(e->header, HW_BCS, e->device));
}

static inline void
check_struct(const struct expected_layout *e)
{
   const struct hw_layout *l = hw_struct_by_name(e->name);
   if (!l)
      fail_msg("no structure %s", e->name);
   assert_string_equal(l->ledger, e->ledger);
   assert_int_equal(l->length_dw, e->length_dw);
   check_ranges(l, e->fields);
}

/* The layouts of a table that belong to one row of the ledger: a case. */
struct layout_row {
   const struct expected_layout *table, *first;
   size_t count;
   void (*check)(const struct expected_layout *e);
};

static inline void
layouts_of_a_row(void **state)
{
   const struct layout_row *r = *state;
   proves(r->first->ledger);
   for (size_t i = 0; i < r->count; i++)
      if (!strcmp(r->table[i].ledger, r->first->ledger))
         r->check(&r->table[i]);
}

/* Adds a case for every row that the table names. */
static inline size_t
layout_cases(struct CMUnitTest *tests, const struct expected_layout *table, size_t count,
             void (*check)(const struct expected_layout *e))
{
   static struct layout_row rows[128];
   static size_t used;
   size_t before = used;
   for (size_t i = 0; i < count; i++) {
      bool again = false;
      for (size_t k = 0; k < i; k++)
         again |= !strcmp(table[k].ledger, table[i].ledger);
      if (again || used == sizeof(rows) / sizeof(rows[0]))
         continue;
      rows[used] = (struct layout_row){table, &table[i], count, check};
      tests[used - before] = (struct CMUnitTest){
          .name = table[i].name, .test_func = layouts_of_a_row, .initial_state = &rows[used]};
      used++;
   }
   return used - before;
}
#define LAYOUT_CASES(tests, table, check)                                                          \
   layout_cases(tests, table, sizeof(table) / sizeof((table)[0]), check)

/* Bits of the ranges, per dword. */
static inline void
add_ranges(uint32_t *bits, unsigned count, const char *ranges)
{
   for (const char *p = ranges; *p;) {
      char *end;
      unsigned dw = (unsigned)strtoul(p, &end, 10);
      unsigned hi = (unsigned)strtoul(end + 1, &end, 10);
      unsigned lo = *end == ':' ? (unsigned)strtoul(end + 1, &end, 10) : hi;
      assert_true(dw < count && lo <= hi && hi < 32);
      bits[dw] |= 0xffffffffu >> (31 - hi) & ~((1u << lo) - 1);
      p = end + 1;
      while (*p == ' ')
         p++;
   }
}

/* Bits of a command that are in none of the ranges must be zero. In its header, those from `low`,
 * above the length, up to the opcode at `high`. */
static inline void
check_rest_is_reserved(const struct hw_layout *l, const char *ranges, unsigned low, unsigned high)
{
   uint32_t bits[32] = {~((1u << high) - 1) | ((1u << low) - 1)};
   assert_true(l->length_dw <= 32);
   add_ranges(bits, l->length_dw, ranges);
   for (unsigned i = 0; i < l->length_dw; i++)
      if (l->mbz[i] != ~bits[i])
         fail_msg("%s: in dword %u 0x%08x must be zero, not 0x%08x", l->name, i, l->mbz[i],
                  ~bits[i]);
}

/* A one in a reserved bit is reported, once, at that bit; with all as it should be nothing is. */
static inline unsigned
check_reserved_bits(const struct hw_layout *l, uint32_t header)
{
   uint32_t dw[256] = {header};
   unsigned checked = 0;
   assert_true(l->length_dw <= 256);
   for (unsigned i = 0; i < l->length_dw; i++)
      dw[i] |= l->mbo[i];
   unsigned clean = hw_validate(l, dw, l->length_dw, NULL, NULL);
   if (!l->ranged)
      assert_int_equal(clean, 0);
   for (unsigned bit = 0; bit < l->length_dw * 32u; bit++) {
      if (!(l->mbz[bit / 32] >> bit % 32 & 1))
         continue;
      dw[bit / 32] ^= 1u << bit % 32;
      assert_int_equal(hw_validate(l, dw, l->length_dw, NULL, NULL), clean + 1);
      dw[bit / 32] ^= 1u << bit % 32;
      checked++;
   }
   return checked;
}

#endif
