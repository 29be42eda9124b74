/* How often each instruction is executed. A kernel has a number for each of its operations, and one
 * more: the sum of those up to an operation is how often it was executed, so that native code
 * counts a block with two additions. What a kernel has counted outlives it. */
#include "eu/op.h"
#include "pergola/pergola_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 65536u /* a power of two; instructions beyond half of it are not counted */

struct eu_profile {
   unsigned used;
   struct pergola_instruction_count row[ROWS]; /* open addressing; count 0: free */
};

static struct pergola_instruction_count *
row_of(struct eu_profile *p, uint64_t address)
{
   uint64_t at = (address >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 48;
   for (;; at++) {
      struct pergola_instruction_count *r = &p->row[at % ROWS];
      if (r->count && r->address == address)
         return r;
      if (r->count)
         continue;
      if (p->used == ROWS / 2)
         return NULL;
      p->used++;
      r->address = address;
      return r;
   }
}

void
eu_profile_kernel(struct eu *eu, struct eu_kernel *k)
{
   if (eu->profile)
      k->executed = calloc(k->op_count + 1u, sizeof(*k->executed));
}

void
eu_profile_keep(struct eu *eu, struct eu_kernel *k)
{
   int64_t count = 0;
   for (uint32_t i = 0; eu->profile && k->executed && i < k->op_count; i++) {
      const struct eu_op *op = &k->ops[i];
      count += __atomic_exchange_n(&k->executed[i], 0, __ATOMIC_RELAXED);
      if (!op->d || op->fn == eu_exec_join || count <= 0)
         continue;
      struct pergola_instruction_count *r = row_of(eu->profile, k->address - k->start + op->ip);
      if (!r)
         continue;
      r->count += (uint64_t)count;
      memcpy(r->dwords, op->d->inst.dw, sizeof(r->dwords));
   }
   if (k->executed)
      k->executed[k->op_count] = 0;
}

int
pergola_count_instructions(struct pergola_device *dev)
{
   struct eu *eu = dev->eu;
   if (eu->profile)
      return 0;
   struct eu_profile *p = calloc(1, sizeof(*p));
   if (!p)
      return -ENOMEM;
   pthread_mutex_lock(&eu->lock);
   eu_forget_kernels(eu);
   eu->profile = p;
   eu->counting = true;
   pthread_mutex_unlock(&eu->lock);
   return 0;
}

void
pergola_instruction_counts(struct pergola_device *dev,
                           void (*fn)(void *data, const struct pergola_instruction_count *c),
                           void *data)
{
   struct eu *eu = dev->eu;
   if (!eu->profile)
      return;
   pthread_mutex_lock(&eu->lock);
   for (unsigned i = 0; i < EU_HASH; i++)
      for (struct eu_kernel *k = eu->table[i]; k; k = k->next)
         eu_profile_keep(eu, k);
   pthread_mutex_unlock(&eu->lock);
   for (unsigned i = 0; i < ROWS; i++)
      if (eu->profile->row[i].count)
         fn(data, &eu->profile->row[i]);
}
