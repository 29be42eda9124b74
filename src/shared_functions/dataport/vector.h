/* Registers on their way to and from memory, a vector at a time. */
#ifndef PERGOLA_DATAPORT_VECTOR_H
#define PERGOLA_DATAPORT_VECTOR_H

#include <stdint.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))

typedef uint32_t v4 __attribute__((vector_size(16)));

/* Vectors, wherever they lie: a memcpy of 64 bytes may become a string instruction, which starts
 * slowly. */
typedef uint32_t v4_anywhere __attribute__((vector_size(16), aligned(1), may_alias));

static ALWAYS_INLINE v4
load4(const void *p)
{
   return *(const v4_anywhere *)p;
}

static ALWAYS_INLINE void
store4(void *p, v4 v)
{
   *(v4_anywhere *)p = v;
}

/* A register: 32 bytes. */
static ALWAYS_INLINE void
copy_reg(uint8_t *to, const uint8_t *from)
{
   v4 low = load4(from), high = load4(from + 16);
   store4(to, low);
   store4(to + 16, high);
}

/* 1, 2 or 4 registers, to or from memory that is no register. */
static ALWAYS_INLINE void
copy_regs(uint8_t *to, const uint8_t *from, unsigned regs)
{
   copy_reg(to, from);
   if (regs == 1)
      return;
   copy_reg(to + 32, from + 32);
   if (regs == 2)
      return;
   copy_reg(to + 64, from + 64);
   copy_reg(to + 96, from + 96);
}

#endif
