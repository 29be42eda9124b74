/* What a row of the ledger says of a layout, as text in the manual's way, and a case for each row:
 *   "Ref0X 0[15:0] S0"  a field, at dword 0, bits 15:0; signed, no digit after the point
 *   "SrcSize 3[1:0] {16x16=0|8x8=3}"  these values and no other are legal; in (): these have names
 *   "Binding Table Index 0[7:0] <=254"
 *   "Surface Format 0[26:18] !"  other values than those that are listed are illegal
 *   "MBZ 3[31]"  bits that must be zero
 *   "Data 2[31:0] $SO_DECL"  the field holds such a structure
 * Facts end with a semicolon. */
#ifndef TESTS_FACTS_H
#define TESTS_FACTS_H

#include "tests/places.h"
#include "tests/proves.h"

#include <ctype.h>

struct facts {
   const char *id;     /* the row */
   const char *layout; /* a structure, message or command of Ivy Bridge */
   unsigned length_dw; /* 0: another row says it */
   const char *fields;
};

static inline const struct hw_layout *
facts_layout(const char *name)
{
   if (strstr(name, "/2")) { /* the second structure of that name: Haswell's */
      size_t n = strcspn(name, "/"), seen = 0;
      for (size_t i = 0; i < hw_struct_count; i++)
         if (strlen(hw_structs[i].name) == n && !strncmp(hw_structs[i].name, name, n) &&
             ++seen == 2)
            return &hw_structs[i];
      fail_msg("no second layout %s", name);
   }
   const struct hw_command *c = hw_command_by_name(name, HW_IVB);
   const struct hw_layout *l = c ? &c->layout : hw_struct_by_name(name);
   if (!l)
      fail_msg("no layout %s", name);
   return l;
}

/* "A=0|B=1" up to `close`: exactly these values. Returns what follows. */
static inline char *
check_values(const struct hw_layout *l, const struct hw_field *f, char *text, char close)
{
   char *end = strchr(text, close);
   assert_non_null(end);
   *end = 0;
   unsigned count = 0;
   for (char *one = strtok(text, "|"); one; one = strtok(NULL, "|"), count++) {
      char *equals = strrchr(one, '=');
      assert_non_null(equals);
      *equals = 0;
      unsigned long value = strtoul(equals + 1, NULL, 0);
      bool there = false;
      for (unsigned i = 0; i < f->value_count; i++)
         there |= f->values[i].value == value && !strcmp(f->values[i].name, one);
      if (!there)
         fail_msg("%s: %s has no value %s = %lu", l->name, f->name, one, value);
   }
   if (f->value_count != count)
      fail_msg("%s: %s has %u values", l->name, f->name, f->value_count);
   if (f->closed != (close == '}'))
      fail_msg("%s: other values of %s are %s", l->name, f->name, f->closed ? "illegal" : "legal");
   return end + 1;
}

static inline void
check_fact(const struct hw_layout *l, char *fact)
{
   char *open = strchr(fact, '['), *p;
   assert_non_null(open);
   char *dword = open;
   while (dword > fact && isdigit((unsigned char)dword[-1]))
      dword--;
   assert_true(dword > fact);
   dword[-1] = 0; /* the blank after the name */
   unsigned dw = (unsigned)strtoul(dword, NULL, 10), hi = (unsigned)strtoul(open + 1, &p, 10);
   unsigned lo = *p == ':' ? (unsigned)strtoul(p + 1, &p, 10) : hi;
   if (!strcmp(fact, "MBZ")) {
      uint32_t mask = (uint32_t)((1ull << (hi + 1)) - (1ull << lo));
      assert_true(dw < l->length_dw);
      if ((l->mbz[dw] & mask) != mask)
         fail_msg("%s: bits %u:%u of dword %u may be one", l->name, hi, lo, dw);
      return;
   }
   check_place(l, &(struct place){fact, dw, hi, lo, NULL});
   const struct hw_field *f = find(l, fact);
   for (p++; *p;)
      if (*p == '<') {
         assert_true(f->has_max);
         assert_int_equal(f->max, strtol(p + 2, &p, 0));
      } else if (*p == '>') {
         assert_true(f->has_min);
         assert_int_equal(f->min, strtol(p + 2, &p, 0));
      } else if (*p == 'S' || *p == 'U') {
         assert_int_equal(f->type == HW_INT, *p == 'S');
         assert_int_equal(f->fraction, strtoul(p + 1, &p, 10));
      } else if (*p == '{' || *p == '(')
         p = check_values(l, f, p + 1, *p == '{' ? '}' : ')');
      else if (*p == '!') {
         assert_true(f->closed);
         p++;
      } else if (*p == '$') {
         assert_string_equal(f->structure, p + 1);
         break;
      } else
         p++;
}

static inline void
facts_of_a_row(void **state)
{
   const struct facts *r = *state;
   proves(r->id);
   const struct hw_layout *l = facts_layout(r->layout);
   if (r->length_dw)
      assert_int_equal(l->length_dw, r->length_dw);
   char text[4096];
   assert_true(strlen(r->fields) < sizeof(text));
   strcpy(text, r->fields);
   for (char *fact = text, *end; *fact; fact = end + 1 + strspn(end + 1, " ")) {
      end = strchr(fact, ';');
      assert_non_null(end);
      *end = 0;
      check_fact(l, fact);
   }
}

/* Adds a case for every entry of the table. Their names differ: results are told apart by them. */
static inline size_t
facts_cases(struct CMUnitTest *tests, const struct facts *table, size_t count)
{
   static char names[256][96];
   static size_t used;
   if (used + count > N(names))
      abort();
   for (size_t i = 0; i < count; i++) {
      char *name = names[used++];
      snprintf(name, sizeof(names[0]), "facts of %s: %s", table[i].layout, table[i].id);
      tests[i] = (struct CMUnitTest){
          .name = name, .test_func = facts_of_a_row, .initial_state = (void *)&table[i]};
   }
   return count;
}

#endif
