/* What the operations of the atomic messages make of a dword. */
#ifndef PERGOLA_DATAPORT_ATOMIC_H
#define PERGOLA_DATAPORT_ATOMIC_H

#include "gen7_hw.h"

#include <stdint.h>

enum {
   OP_CMPWR8B = GEN7_ATOMIC_OPERATION_CMPWR8B,
   OP_AND = GEN7_ATOMIC_OPERATION_AND,
   OP_OR = GEN7_ATOMIC_OPERATION_OR,
   OP_XOR = GEN7_ATOMIC_OPERATION_XOR,
   OP_MOV = GEN7_ATOMIC_OPERATION_MOV,
   OP_INC = GEN7_ATOMIC_OPERATION_INC,
   OP_DEC = GEN7_ATOMIC_OPERATION_DEC,
   OP_ADD = GEN7_ATOMIC_OPERATION_ADD,
   OP_SUB = GEN7_ATOMIC_OPERATION_SUB,
   OP_REVSUB = GEN7_ATOMIC_OPERATION_REVSUB,
   OP_IMAX = GEN7_ATOMIC_OPERATION_IMAX,
   OP_IMIN = GEN7_ATOMIC_OPERATION_IMIN,
   OP_UMAX = GEN7_ATOMIC_OPERATION_UMAX,
   OP_UMIN = GEN7_ATOMIC_OPERATION_UMIN,
   OP_CMPWR = GEN7_ATOMIC_OPERATION_CMPWR,
   OP_PREDEC = GEN7_ATOMIC_OPERATION_PREDEC,
};

static inline uint32_t
dp_atomic_new(unsigned op, uint32_t old, uint32_t src0, uint32_t src1)
{
   switch (op) {
   case OP_AND:
      return old & src0;
   case OP_OR:
      return old | src0;
   case OP_XOR:
      return old ^ src0;
   case OP_MOV:
      return src0;
   case OP_INC:
      return old + 1;
   case OP_DEC:
   case OP_PREDEC:
      return old - 1;
   case OP_ADD:
      return old + src0;
   case OP_SUB:
      return old - src0;
   case OP_REVSUB:
      return src0 - old; /* DP-202 */
   case OP_IMAX:
      return (int32_t)old > (int32_t)src0 ? old : src0; /* DP-203 */
   case OP_IMIN:
      return (int32_t)old < (int32_t)src0 ? old : src0; /* DP-204 */
   case OP_UMAX:
      return old > src0 ? old : src0; /* DP-205 */
   case OP_UMIN:
      return old < src0 ? old : src0; /* DP-206 */
   default:
      return old == src0 ? src1 : old; /* DP-207: compare and write */
   }
}

#endif
