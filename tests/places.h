/* Fields of layouts against the bit positions of the manual, written in the tests a second time. */
#ifndef TESTS_PLACES_H
#define TESTS_PLACES_H

#include "hw/hw.h"

#include <string.h>

struct place {
   const char *name;
   unsigned dw, hi, lo;
   const char *id; /* the row that the field cites, or NULL */
};

#define N(a) (sizeof(a) / sizeof((a)[0]))

static inline const struct hw_field *
find(const struct hw_layout *l, const char *name)
{
   for (unsigned i = 0; i < l->field_count; i++)
      if (!strcmp(l->fields[i].name, name))
         return &l->fields[i];
   fail_msg("%s has no field %s", l->name, name);
   return NULL;
}

static inline void
check_place(const struct hw_layout *l, const struct place *p)
{
   const struct hw_field *f = find(l, p->name);
   if (f->start != p->dw * 32 + p->lo || f->end != p->dw * 32 + p->hi)
      fail_msg("%s: %s is at dword %u, bits %u:%u", l->name, p->name, f->start / 32u, f->end % 32u,
               f->start % 32u);
   if (p->id)
      assert_string_equal(f->ledger, p->id);
}

/* These fields stand where the table says; there may be others. */
static inline void
check_places(const struct hw_layout *l, const struct place *p, size_t count)
{
   assert_non_null(l);
   for (size_t i = 0; i < count; i++)
      check_place(l, &p[i]);
}

#endif
