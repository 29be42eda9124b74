/* The operations of the atomic messages. */
#include "shared_functions/dataport/dataport.h"
#include "shared_functions/dataport/atomic.h"

/* DP-261: sources that the payload carries, in 32-bit values. */
unsigned
dp_atomic_sources(unsigned op)
{
   switch (op) {
   case OP_INC:
   case OP_DEC:
   case OP_PREDEC:
      return 0;
   case OP_CMPWR:
      return 2;
   case OP_CMPWR8B:
      return 4; /* DP-262 */
   default:
      return 1;
   }
}

/* DP-193: indivisible against every other access to the dword. */
uint32_t
dp_atomic(uint32_t *at, unsigned op, uint32_t src0, uint32_t src1)
{
   uint32_t old;
   switch (op) {
   case OP_AND:
      return __atomic_fetch_and(at, src0, __ATOMIC_RELAXED);
   case OP_OR:
      return __atomic_fetch_or(at, src0, __ATOMIC_RELAXED);
   case OP_XOR:
      return __atomic_fetch_xor(at, src0, __ATOMIC_RELAXED);
   case OP_MOV:
      return __atomic_exchange_n(at, src0, __ATOMIC_RELAXED);
   case OP_INC:
      return __atomic_fetch_add(at, 1, __ATOMIC_RELAXED);
   case OP_DEC:
      return __atomic_fetch_sub(at, 1, __ATOMIC_RELAXED);
   case OP_ADD:
      return __atomic_fetch_add(at, src0, __ATOMIC_RELAXED);
   case OP_SUB:
      return __atomic_fetch_sub(at, src0, __ATOMIC_RELAXED);
   case OP_PREDEC:
      return __atomic_sub_fetch(at, 1, __ATOMIC_RELAXED); /* DP-208: the new value */
   case OP_CMPWR:
      old = src0;
      __atomic_compare_exchange_n(at, &old, src1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      return old;
   default:
      old = __atomic_load_n(at, __ATOMIC_RELAXED);
      while (!__atomic_compare_exchange_n(at, &old, dp_atomic_new(op, old, src0, src1), true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
         ;
      return old;
   }
}
