/* The objects of a topology by the tables of the fact sheet (3.6, 8.2, 9), as formulas of the
 * object's number: an oracle for whatever makes objects vertex by vertex. */
#ifndef PERGOLA_TEST_OBJECTS_H
#define PERGOLA_TEST_OBJECTS_H

#include <stdbool.h>

enum { LEADING, TRAILING };

struct expected {
   unsigned count;    /* vertices; 0: there is no such object */
   unsigned v[6];     /* as a geometry shader has them */
   unsigned inner[3]; /* as stream output writes them */
   unsigned inners;
};

static inline struct expected
expect_of(unsigned inners, unsigned a, unsigned b, unsigned c)
{
   return (struct expected){inners, {a, b, c}, {a, b, c}, inners};
}

/* Triangle k of a strip, whose winding is the other one. */
static inline struct expected
expect_odd(unsigned k, unsigned order)
{
   return order == LEADING ? expect_of(3, k, k + 2, k + 1) : expect_of(3, k + 1, k, k + 2);
}

static inline struct expected
expect_strip_adjacent(unsigned n, unsigned k, unsigned gs, unsigned so)
{
   unsigned objects = n < 6 ? 0 : n / 2 - 2;
   struct expected none = {0};
   if (k >= objects)
      return none;
   unsigned before = k ? 2 * k - 2 : 1, behind = k + 1 == objects ? 2 * k + 5 : 2 * k + 6;
   if (k % 2 == 0)
      return (struct expected){6,
                               {2 * k, before, 2 * k + 2, behind, 2 * k + 4, 2 * k + 3},
                               {2 * k, 2 * k + 2, 2 * k + 4},
                               3};
   struct expected e = {6, {2 * k, 2 * k + 3, 2 * k + 4, behind, 2 * k + 2, before}, {0}, 3};
   if (gs == TRAILING)
      e = (struct expected){6, {2 * k + 2, before, 2 * k, 2 * k + 3, 2 * k + 4, behind}, {0}, 3};
   e.inner[0] = so == LEADING ? 2 * k : 2 * k + 2;
   e.inner[1] = so == LEADING ? 2 * k + 4 : 2 * k;
   e.inner[2] = so == LEADING ? 2 * k + 2 : 2 * k + 4;
   return e;
}

/* Object k of n vertices. gs, so: the order of odd triangles for each of the two. */
static inline struct expected
expect_object(unsigned topology, unsigned n, unsigned k, unsigned gs, unsigned so)
{
   struct expected none = {0}, e;
   unsigned q = k / 2;
   switch (topology) {
   case 0x01: /* points, of both kinds */
   case 0x11:
      return k < n ? expect_of(1, k, 0, 0) : none;
   case 0x02:
      return k < n / 2 ? expect_of(2, 2 * k, 2 * k + 1, 0) : none;
   case 0x03: /* line strips */
   case 0x12:
   case 0x13:
   case 0x14:
      return k + 1 < n ? expect_of(2, k, k + 1, 0) : none;
   case 0x10: /* a loop: the last one goes back */
      return n < 2 || k >= n ? none : expect_of(2, k, k + 1 < n ? k + 1 : 0, 0);
   case 0x04:
   case 0x0f:
      return k < n / 3 ? expect_of(3, 3 * k, 3 * k + 1, 3 * k + 2) : none;
   case 0x05:
   case 0x0d: /* strips, and those that begin the other way */
      if (k + 2 >= n)
         return none;
      if (k % 2 == (topology == 0x0d))
         return expect_of(3, k, k + 1, k + 2);
      e = expect_odd(k, gs);
      struct expected out = expect_odd(k, so);
      for (unsigned i = 0; i < 3; i++)
         e.inner[i] = out.inner[i];
      return e;
   case 0x06: /* fans */
   case 0x0e:
   case 0x16:
      return k + 2 < n ? expect_of(3, 0, k + 1, k + 2) : none;
   case 0x07: /* quads: polygons that begin with the last vertex */
      return q >= n / 4   ? none
             : k % 2 == 0 ? expect_of(3, 4 * q + 3, 4 * q, 4 * q + 1)
                          : expect_of(3, 4 * q + 3, 4 * q + 1, 4 * q + 2);
   case 0x08:
      return n < 4 || q >= n / 2 - 1 ? none
             : k % 2 == 0            ? expect_of(3, 2 * q + 3, 2 * q + 2, 2 * q)
                                     : expect_of(3, 2 * q + 3, 2 * q, 2 * q + 1);
   case 0x09:
   case 0x0a: {
      unsigned f = topology == 0x09 ? 4 * k : k;
      return (topology == 0x09 ? k < n / 4 : k + 3 < n)
                 ? (struct expected){4, {f, f + 1, f + 2, f + 3}, {f + 1, f + 2}, 2}
                 : none;
   }
   case 0x0b:
      return k < n / 6
                 ? (struct expected){6,
                                     {6 * k, 6 * k + 1, 6 * k + 2, 6 * k + 3, 6 * k + 4, 6 * k + 5},
                                     {6 * k, 6 * k + 2, 6 * k + 4},
                                     3}
                 : none;
   case 0x0c:
      return expect_strip_adjacent(n, k, gs, so);
   default:
      return none;
   }
}

#endif
