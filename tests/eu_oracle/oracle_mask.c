/* Which channels take part. */
#include "oracle.h"

uint32_t
oracle_mask(const struct oracle *o)
{
   return o->cr0 & 8 ? o->vector_mask : o->dispatch_mask;
}

/* EU-116 */
bool
oracle_enabled(const struct oracle *o, const struct eu_inst *i, unsigned ch)
{
   unsigned n = eu_inst_group(i) + ch;
   if (i->exec_size == 32)
      n &= 15; /* EU-081 */
   if (i->no_mask)
      return true;
   if (!(oracle_mask(o) >> n & 1))
      return false;
   return (o->cr0 & 4) || o->pcip[n] == o->ip;
}

/* EU-025 */
unsigned
oracle_flag_bit(const struct eu_inst *i, unsigned ch)
{
   return ((i->flag_subnr * 16u | eu_inst_group(i)) + ch) & 31;
}

static bool
any_of(uint32_t flags, unsigned bit, unsigned size)
{
   unsigned first = bit & ~(size - 1);
   for (unsigned n = first; n < first + size; n++)
      if (flags >> n & 1)
         return true;
   return false;
}

static bool
all_of(uint32_t flags, unsigned bit, unsigned size)
{
   return !any_of(~flags, bit, size);
}

static bool
predicate_align1(const struct oracle *o, const struct eu_inst *i, unsigned bit)
{
   uint32_t flags = o->flag[i->flag_nr], other = o->flag[!i->flag_nr];
   bool own = flags >> bit & 1, partner = other >> bit & 1;
   switch (i->predicate) {
   case EU_PRED1_NORMAL:
      return own;
   case EU_PRED1_ANYV: /* EU-111 */
      return own || partner;
   case EU_PRED1_ALLV:
      return own && partner;
   default: {
      unsigned size = 2u << (i->predicate - EU_PRED1_ANY2H) / 2;
      return i->predicate & 1 ? all_of(flags, bit, size) : any_of(flags, bit, size);
   }
   }
}

static bool
predicate_align16(const struct oracle *o, const struct eu_inst *i, unsigned ch)
{
   uint32_t flags = o->flag[i->flag_nr];
   unsigned first = oracle_flag_bit(i, ch & ~3u);
   switch (i->predicate) {
   case EU_PRED16_NORMAL:
      return flags >> oracle_flag_bit(i, ch) & 1;
   case EU_PRED16_ANY4H:
      return any_of(flags, first, 4);
   case EU_PRED16_ALL4H:
      return all_of(flags, first, 4);
   default:
      return flags >> (first + i->predicate - EU_PRED16_X) & 1;
   }
}

bool
oracle_predicate(const struct oracle *o, const struct eu_inst *i, unsigned ch)
{
   if (!i->predicate)
      return true;
   bool p =
       i->align16 ? predicate_align16(o, i, ch) : predicate_align1(o, i, oracle_flag_bit(i, ch));
   return p != i->predicate_inverse;
}
