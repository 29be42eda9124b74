/* Predicates and the execution mask. */
#include "eu/op.h"

/* Every bit of v that is not the first of its group of n is dropped, the rest spread over the
 * group. */
static uint32_t
any_of(uint32_t v, unsigned n)
{
   for (unsigned i = 1; i < n; i *= 2)
      v |= v >> i;
   uint32_t first = n == 2    ? 0x55555555
                    : n == 4  ? 0x11111111
                    : n == 8  ? 0x01010101
                    : n == 16 ? 0x00010001
                              : 1;
   return (v & first) * (uint32_t)(n == 32 ? UINT32_MAX : (1u << n) - 1);
}

static uint32_t
all_of(uint32_t v, unsigned n)
{
   return ~any_of(~v, n);
}

/* EU-110: all 32 bits of the flag register, combined; a channel then takes its own. EU-111: the
 * vertical partner is the other flag register. */
static uint32_t
combine1(const struct eu_thread *t, const struct eu_detail *d, uint32_t f)
{
   uint32_t partner = t->flag[d->flag_reg ^ 1];
   switch (d->predicate) {
   case EU_PRED1_ANYV:
      return f | partner;
   case EU_PRED1_ALLV:
      return f & partner;
   case EU_PRED1_ANY2H:
      return any_of(f, 2);
   case EU_PRED1_ALL2H:
      return all_of(f, 2);
   case EU_PRED1_ANY4H:
      return any_of(f, 4);
   case EU_PRED1_ALL4H:
      return all_of(f, 4);
   case EU_PRED1_ANY8H:
      return any_of(f, 8);
   case EU_PRED1_ALL8H:
      return all_of(f, 8);
   case EU_PRED1_ANY16H:
      return any_of(f, 16);
   case EU_PRED1_ALL16H:
      return all_of(f, 16);
   case EU_PRED1_ANY32H:
      return any_of(f, 32);
   case EU_PRED1_ALL32H:
      return all_of(f, 32);
   default:
      return f;
   }
}

/* EU-112 */
static uint32_t
combine16(const struct eu_detail *d, uint32_t f)
{
   switch (d->predicate) {
   case EU_PRED16_X:
      return (f & 0x11111111) * 15;
   case EU_PRED16_Y:
      return (f >> 1 & 0x11111111) * 15;
   case EU_PRED16_Z:
      return (f >> 2 & 0x11111111) * 15;
   case EU_PRED16_W:
      return (f >> 3 & 0x11111111) * 15;
   case EU_PRED16_ANY4H:
      return any_of(f, 4);
   case EU_PRED16_ALL4H:
      return all_of(f, 4);
   default:
      return f;
   }
}

static uint32_t
rotate(uint32_t v, unsigned n)
{
   n &= 31;
   return n ? v >> n | v << (32 - n) : v;
}

uint32_t
eu_predicate(const struct eu_thread *t, const struct eu_detail *d)
{
   if (!d->predicate)
      return UINT32_MAX;
   uint32_t f = t->flag[d->flag_reg];
   f = d->align16 ? combine16(d, f) : combine1(t, d, f);
   if (d->predicate_inverse) /* EU-113 */
      f = ~f;
   return rotate(f, d->flag_shift);
}
