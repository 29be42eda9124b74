/* Moves of x86-64 between memory and a register or a constant: what compilers make of volatile
 * loads and stores. */
#include "access.h"

#define REX_R 4u
#define REX_W 8u

struct prefixes {
   bool operand_16;
   unsigned rex; /* 0: none */
};

static const uint8_t *
read_prefixes(const uint8_t *p, struct prefixes *x)
{
   /* 66: operand of 16 bits; 67: address of 32; 2e, 36, 3e, 26: segments without a meaning. At most
    * fifteen bytes are an instruction. */
   for (const uint8_t *end = p + 12; p < end; p++) {
      if (*p == 0x66)
         x->operand_16 = true;
      else if (*p != 0x67 && *p != 0x2e && *p != 0x36 && *p != 0x3e && *p != 0x26)
         break;
   }
   if ((*p & 0xf0) == 0x40)
      x->rex = *p++;
   return p;
}

/* Behind ModRM, SIB and displacement; NULL: the operand is a register. */
static const uint8_t *
skip_address(const uint8_t *p)
{
   unsigned mod = *p >> 6, rm = *p & 7;
   p++;
   if (mod == 3)
      return NULL;
   unsigned displacement = mod == 1 ? 1 : mod == 2 ? 4 : 0;
   if (rm == 4) {
      if (!mod && (*p & 7) == 5)
         displacement = 4;
      p++;
   } else if (!mod && rm == 5) {
      displacement = 4; /* from the instruction pointer */
   }
   return p + displacement;
}

static uint64_t
little_endian(const uint8_t *p, unsigned size)
{
   uint64_t v = 0;
   for (unsigned i = 0; i < size; i++)
      v |= (uint64_t)p[i] << 8 * i;
   return v;
}

static uint64_t
low_bytes(uint64_t v, unsigned size)
{
   return size < 8 ? v & ((UINT64_C(1) << 8 * size) - 1) : v;
}

static uint64_t
sign_extended(uint64_t v, unsigned size)
{
   unsigned shift = 64 - 8 * size;
   return (uint64_t)((int64_t)(v << shift) >> shift);
}

/* What the opcode says of the access; false: it is no move. */
static bool
opcode(const uint8_t **code, unsigned word, struct access *a)
{
   const uint8_t *p = *code;
   a->size = a->reg_size = word;
   switch (*p) {
   case 0x88:
      a->store = true;
      a->size = 1;
      break;
   case 0x89:
      a->store = true;
      break;
   case 0x8a:
      a->size = a->reg_size = 1;
      break;
   case 0x8b:
      break;
   case 0xc6:
   case 0xc7:
      a->store = a->immediate = true;
      a->size = *p == 0xc6 ? 1 : word;
      break;
   case 0x63: /* sign extension of a dword */
      a->size = 4;
      a->sign = true;
      if (word == 2)
         return false;
      break;
   case 0x0f:
      p++;
      if ((*p & 0xf6) != 0xb6) /* movzx b6, b7; movsx be, bf */
         return false;
      a->size = *p & 1 ? 2 : 1;
      a->sign = *p & 8;
      break;
   default:
      return false;
   }
   *code = p + 1;
   return true;
}

bool
access_decode(const uint8_t *code, struct access *a)
{
   struct prefixes x = {0};
   *a = (struct access){0};
   const uint8_t *p = read_prefixes(code, &x);
   unsigned word = x.rex & REX_W ? 8 : x.operand_16 ? 2 : 4;
   if (!opcode(&p, word, a))
      return false;
   unsigned middle = *p >> 3 & 7;
   if (a->immediate && middle)
      return false;
   p = skip_address(p);
   if (!p)
      return false;
   unsigned bytes = !a->immediate ? 0 : a->size == 8 ? 4 : a->size;
   if (a->immediate)
      a->value = low_bytes(sign_extended(little_endian(p, bytes), bytes), a->size);
   a->reg = middle | (x.rex & REX_R ? 8 : 0);
   bool byte_register = a->store ? a->size == 1 : a->reg_size == 1;
   if (byte_register && !x.rex && middle >= 4) {
      a->high = true;
      a->reg = middle - 4;
   }
   a->length = (unsigned)(p + bytes - code);
   return true;
}

uint64_t
access_loaded(const struct access *a, uint64_t before, uint64_t value)
{
   uint64_t v = low_bytes(value, a->size);
   if (a->sign)
      v = sign_extended(v, a->size);
   v = low_bytes(v, a->reg_size);
   if (a->reg_size >= 4) /* a dword clears the upper half */
      return v;
   unsigned shift = a->high ? 8 : 0;
   uint64_t mask = low_bytes(~UINT64_C(0), a->reg_size) << shift;
   return (before & ~mask) | v << shift;
}

uint64_t
access_stored(const struct access *a, uint64_t reg)
{
   return a->immediate ? a->value : low_bytes(a->high ? reg >> 8 : reg, a->size);
}
