/* Operands: registers, regions, swizzles, types, immediates. */
#include "eu/isa/asm_parse.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Longest name first where one begins another. */
static const struct {
   const char *name;
   uint8_t arf;
   uint8_t instances;
} arf_registers[] = {
    {"null", EU_ARF_NULL, 0}, {"acc", EU_ARF_ACC, 16}, {"mask", EU_ARF_CE, 16},
    {"ce", EU_ARF_CE, 16},    {"sr", EU_ARF_SR, 16},   {"sp", EU_ARF_SP, 16},
    {"cr", EU_ARF_CR, 16},    {"ip", EU_ARF_IP, 0},    {"tdr", EU_ARF_TDR, 16},
    {"tm", EU_ARF_TM, 16},    {"fc", EU_ARF_FC, 16},   {"dbg", EU_ARF_DBG, 16},
    {"arf", 0, 0xFF},         {"a", EU_ARF_A, 16},     {"f", EU_ARF_FLAG, 16},
    {"n", EU_ARF_N, 16},
};

static bool
parse_type(struct asm_cursor *c, bool immediate, uint8_t *type)
{
   static const char *const order[] = {"UD", "UW", "UB", "UV", "DF", "VF", "D", "W", "B", "F", "V"};
   static const uint8_t codes[] = {EU_TYPE_UD, EU_TYPE_UW, EU_TYPE_UB, EU_TYPE_UV,
                                   EU_TYPE_DF, EU_TYPE_VF, EU_TYPE_D,  EU_TYPE_W,
                                   EU_TYPE_B,  EU_TYPE_F,  EU_TYPE_V};
   const char *start = c->at;
   asm_take(c, ":");
   for (unsigned i = 0; i < sizeof(codes); i++) {
      if (!asm_take(c, order[i]))
         continue;
      bool vector = codes[i] & 8;
      if (immediate ? codes[i] == EU_TYPE_UB || codes[i] == EU_TYPE_B : vector) {
         c->at = start;
         return asm_fail(c, immediate ? "there are no byte immediates"
                                      : "a vector type needs an immediate");
      }
      if (c->at < c->end && isalnum((unsigned char)*c->at))
         break;
      *type = codes[i];
      return true;
   }
   c->at = start;
   return asm_fail(c, "expected a type (UD D UW W UB B DF F%s)", immediate ? " V UV VF" : "");
}

static bool
parse_indirect(struct asm_cursor *c, struct eu_operand *o)
{
   unsigned sub = 0, imm = 0;
   o->file = EU_FILE_GRF;
   o->indirect = true;
   if (!asm_expect(c, "a0"))
      return false;
   if (asm_take(c, ".") && !asm_number_up_to(c, 7, "address sub-register", &sub))
      return false;
   if (!asm_skip(c))
      return false;
   bool negative = asm_take(c, "-");
   if (!negative)
      asm_take(c, "+");
   if (!asm_skip(c))
      return false;
   if (c->at < c->end && isdigit((unsigned char)*c->at)) {
      if (!asm_number_up_to(c, negative ? 512 : 1023, "address offset", &imm))
         return false;
   }
   /* A ten-bit pattern: 1008 is -16. */
   int value = negative ? -(int)imm : imm > 511 ? (int)imm - 1024 : (int)imm;
   o->addr_subnr = (uint8_t)sub;
   o->addr_imm = (int16_t)value;
   return asm_expect(c, "]");
}

static bool
parse_general(struct asm_cursor *c, struct eu_operand *o, char file)
{
   unsigned nr;
   if (asm_take(c, "["))
      return parse_indirect(c, o);
   o->file = EU_FILE_GRF;
   if (!asm_number_up_to(c, file == 'm' ? 15 : 255, "register", &nr))
      return false;
   /* There is no message register file any more: m<n> is g<112+n>. */
   o->nr = (uint8_t)(file == 'm' ? 112 + nr : nr);
   return true;
}

static bool
parse_architecture(struct asm_cursor *c, struct eu_operand *o)
{
   for (unsigned i = 0; i < sizeof(arf_registers) / sizeof(arf_registers[0]); i++) {
      unsigned nr = 0;
      const char *start = c->at;
      if (!asm_take(c, arf_registers[i].name))
         continue;
      bool digit = c->at < c->end && isdigit((unsigned char)*c->at);
      if (arf_registers[i].instances ? !digit : digit) {
         c->at = start;
         continue;
      }
      if (digit &&
          !asm_number_up_to(c, arf_registers[i].instances == 16 ? 15 : 255, "register", &nr))
         return false;
      o->file = EU_FILE_ARF;
      o->nr = (uint8_t)(arf_registers[i].arf + nr);
      return true;
   }
   struct asm_cursor word = *c;
   const char *name;
   size_t length = asm_name(&word, &name);
   if (!length)
      return asm_fail(c, "expected a register");
   return asm_fail(c, "expected a register, not '%.*s'; a label is written 'JIP: %.*s'",
                   (int)length, name, (int)length, name);
}

/* The sub-register stays in elements until the type is known. */
static bool
parse_register(struct asm_cursor *c, struct eu_operand *o, unsigned *sub)
{
   *sub = 0;
   if (c->end - c->at >= 2 && strchr("grm", c->at[0]) &&
       (isdigit((unsigned char)c->at[1]) || c->at[1] == '[')) {
      char file = *c->at++;
      if (!parse_general(c, o, file))
         return false;
   } else if (!parse_architecture(c, o)) {
      return false;
   }
   if (!o->indirect && c->end - c->at >= 2 && c->at[0] == '.' && isdigit((unsigned char)c->at[1])) {
      c->at++;
      return asm_number_up_to(c, 31, "sub-register", sub);
   }
   return true;
}

static bool
parse_element_count(struct asm_cursor *c, unsigned limit, bool zero, const char *what, uint8_t *out)
{
   unsigned v;
   const char *start;
   if (!asm_skip(c))
      return false;
   start = c->at;
   if (!asm_number_up_to(c, limit, what, &v))
      return false;
   if ((v & (v - 1)) || (!v && !zero)) {
      c->at = start;
      return asm_fail(c, "%s %u is no power of two", what, v);
   }
   *out = (uint8_t)v;
   return asm_skip(c);
}

/* After "<": v> | v,w,h> | v;w,h> | w,h> | VxH,w,h>. */
static bool
parse_region(struct asm_cursor *c, struct eu_operand *o)
{
   if (asm_take(c, "VxH"))
      o->vstride = EU_VSTRIDE_VXH;
   else if (!parse_element_count(c, 32, true, "vertical stride", &o->vstride))
      return false;
   if (asm_take(c, ">")) {
      o->width = 1, o->hstride = 0;
      return true;
   }
   if (!asm_take(c, ",") && !asm_take(c, ";"))
      return asm_fail(c, "expected ',' or '>' in a region");
   if (!parse_element_count(c, 16, true, "width", &o->width))
      return false;
   if (asm_take(c, ">")) {
      /* Two numbers: width and horizontal stride, one address per row. */
      o->hstride = o->width;
      o->width = o->vstride;
      o->vstride = EU_VSTRIDE_VXH;
   } else if (!asm_expect(c, ",") ||
              !parse_element_count(c, 4, true, "horizontal stride", &o->hstride) ||
              !asm_expect(c, ">")) {
      return false;
   }
   if (!o->width || o->width > 16 || o->hstride > 4)
      return asm_fail(c, "the region has no such width or stride");
   return true;
}

static int
channel_of(char ch)
{
   return ch >= 'x' && ch <= 'z' ? ch - 'x' : ch == 'w' ? 3 : -1;
}

/* After ".": one letter for all four, or four letters. */
static bool
parse_swizzle(struct asm_cursor *c, uint8_t *swizzle)
{
   unsigned n = 0, v = 0;
   for (; n < 4 && c->at < c->end && channel_of(*c->at) >= 0; n++, c->at++)
      v |= (unsigned)channel_of(*c->at) << n * 2;
   if (n == 1)
      v *= 0x55;
   else if (n != 4)
      return asm_fail(c, "a swizzle has one or four letters of xyzw");
   *swizzle = (uint8_t)v;
   return true;
}

/* After ".": a subset of xyzw in this order, possibly empty. */
static bool
parse_writemask(struct asm_cursor *c, uint8_t *mask)
{
   int last = -1;
   *mask = 0;
   for (; c->at < c->end && channel_of(*c->at) >= 0; c->at++) {
      if (channel_of(*c->at) <= last)
         return asm_fail(c, "the letters of a write mask go in the order xyzw");
      last = channel_of(*c->at);
      *mask |= (uint8_t)(1u << last);
   }
   return true;
}

static bool
set_subnr(struct asm_cursor *c, struct eu_operand *o, unsigned sub)
{
   unsigned bytes = sub * eu_type_size(o->type);
   if (bytes > 31)
      return asm_fail(c, "sub-register %u lies outside the register", sub);
   o->subnr = (uint8_t)bytes;
   return true;
}

/* ip, tdr0 and null may be written without one. */
static bool
parse_operand_type(struct asm_cursor *c, struct asm_operand *out)
{
   struct eu_operand *o = &out->o;
   bool untyped = o->file == EU_FILE_ARF &&
                  (o->nr == EU_ARF_IP || o->nr == EU_ARF_TDR || o->nr == EU_ARF_NULL);
   if (!untyped || out->has_region || c->at >= c->end || isupper((unsigned char)*c->at) ||
       *c->at == ':')
      return parse_type(c, false, &o->type);
   o->type = o->nr == EU_ARF_TDR ? EU_TYPE_UW : EU_TYPE_UD;
   return true;
}

bool
asm_dst(struct asm_cursor *c, struct asm_operand *out)
{
   struct eu_operand *o = &out->o;
   unsigned sub;
   memset(out, 0, sizeof(*out));
   o->hstride = 1;
   o->writemask = 0xF;
   if (!asm_skip(c) || !parse_register(c, o, &sub))
      return false;
   if (asm_take(c, "<")) {
      if (!parse_element_count(c, 4, true, "horizontal stride", &o->hstride) || !asm_expect(c, ">"))
         return false;
      out->has_region = true;
   }
   if (asm_take(c, ".")) {
      out->has_swizzle = true;
      if (!parse_writemask(c, &o->writemask))
         return false;
   }
   return parse_operand_type(c, out) && set_subnr(c, o, sub);
}

static bool
check_immediate(struct asm_cursor *c, uint64_t v, bool negative, const char *start,
                struct eu_operand *o)
{
   unsigned bits = o->type == EU_TYPE_UW || o->type == EU_TYPE_W   ? 16
                   : o->type == EU_TYPE_F || o->type == EU_TYPE_DF ? 64
                                                                   : 32;
   uint64_t limit = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
   if (negative ? v > limit / 2 + 1 : v > limit) {
      c->at = start;
      return asm_fail(c, "the immediate does not fit its type");
   }
   o->imm = (negative ? -v : v) & limit;
   return true;
}

/* A number with a point or an exponent is a value; without them it is the bit pattern. */
static bool
parse_float_value(struct asm_cursor *c, struct eu_operand *o)
{
   char buffer[64];
   size_t n = 0;
   const char *p = c->at;
   while (p < c->end && n < sizeof(buffer) - 1 &&
          (isdigit((unsigned char)*p) || strchr("+-.e", *p)))
      buffer[n++] = *p++;
   buffer[n] = 0;
   char *stop;
   double value = strtod(buffer, &stop);
   const char *start = c->at;
   c->at += stop - buffer;
   if (!parse_type(c, true, &o->type))
      return false;
   if (isinf(o->type == EU_TYPE_F ? (float)value : value)) {
      c->at = start;
      return asm_fail(c, "the immediate does not fit its type");
   }
   if (o->type == EU_TYPE_F) {
      float f = (float)value;
      uint32_t u;
      memcpy(&u, &f, 4);
      o->imm = u;
   } else if (o->type == EU_TYPE_DF) {
      memcpy(&o->imm, &value, 8);
   } else {
      return asm_fail(c, "a number with a point or an exponent is of type F or DF");
   }
   return true;
}

static bool
has_point_or_exponent(const struct asm_cursor *c)
{
   const char *p = c->at;
   while (p < c->end && (isdigit((unsigned char)*p) || *p == '-'))
      p++;
   bool exponent = p > c->at && p < c->end && *p == 'e';
   if (exponent && p + 1 < c->end && (p[1] == '-' || p[1] == '+'))
      p++;
   return p + 1 < c->end && (exponent || *p == '.') && isdigit((unsigned char)p[1]);
}

/* [a, b, c, d]VF: the four bytes. */
static bool
parse_vector(struct asm_cursor *c, struct eu_operand *o)
{
   for (unsigned i = 0; i < 4; i++) {
      unsigned v;
      if (!asm_skip(c) || !asm_number_up_to(c, 255, "vector element", &v) ||
          !asm_expect(c, i < 3 ? "," : "]"))
         return false;
      o->imm |= (uint64_t)v << i * 8;
   }
   if (!parse_type(c, true, &o->type))
      return false;
   return o->type == EU_TYPE_VF || asm_fail(c, "four numbers in brackets are of type VF");
}

static bool
parse_immediate(struct asm_cursor *c, struct eu_operand *o)
{
   uint64_t v;
   const char *start = c->at;
   o->file = EU_FILE_IMM;
   o->width = 1;
   if (asm_take(c, "["))
      return parse_vector(c, o);
   if (has_point_or_exponent(c))
      return parse_float_value(c, o);
   bool negative = asm_take(c, "-");
   if (!asm_number(c, &v) || !parse_type(c, true, &o->type))
      return false;
   return check_immediate(c, v, negative, start, o);
}

bool
asm_src(struct asm_cursor *c, struct asm_operand *out)
{
   struct eu_operand *o = &out->o;
   unsigned sub;
   memset(out, 0, sizeof(*out));
   o->swizzle = 0xE4;
   o->width = 1;
   int ch = asm_peek(c);
   bool minus = (ch == '-' || ch == '~') && c->end - c->at >= 2;
   if (isdigit(ch) || ch == '[' || (minus && isdigit((unsigned char)c->at[1])))
      return parse_immediate(c, o);
   if (minus) {
      c->at++;
      o->negate = true;
   }
   if (asm_take(c, "(abs)"))
      o->abs = true;
   if (!parse_register(c, o, &sub))
      return false;
   if (asm_take(c, "<")) {
      out->has_region = true;
      if (!parse_region(c, o))
         return false;
   }
   if (asm_take(c, ".")) {
      out->has_swizzle = true;
      if (!parse_swizzle(c, &o->swizzle))
         return false;
   }
   return parse_operand_type(c, out) && set_subnr(c, o, sub);
}
