/* How far the texels of a kernel that moves them (moves.c) lie from its pixels. U is a function of
 * X, V one of Y; where all that is computed on the way is a·X + b, and every such number is one
 * that a float holds as it is, nothing is ever rounded: what is found for one pixel holds for all.
 * The expressions of all channels are the same, so that of channel 0 is followed. */
#include "eu/distance.h"
#include "eu/op.h"

#include <math.h>
#include <string.h>

#define VALUES 96u
#define X_B 0x28u /* R1.2: of channel 0's subspan, and of channel 0 (G3D-098) */
#define Y_B 0x2au
#define PIXELS 16384.0 /* no pixel is farther to the right, or down */
#define PARTS 256.0    /* of 1: numbers are multiples of one, and … */
#define MOST 65536.0   /* … below this, which needs 24 bits in all */

/* a·X + b, or of Y. */
struct line {
   double a, b;
   enum { OF_NOTHING, OF_X, OF_Y, OF_UNKNOWN } of;
};

struct lines {
   const struct eu_thread *t;
   bool foreign[EU_GRF_COUNT * EU_REG_SIZE / 2]; /* words that another channel has written last */
   unsigned count;
   struct {
      uint16_t at_B;
      uint8_t type;
      struct line value;
   } written[VALUES];
};

static const struct line unknown = {.of = OF_UNKNOWN};

/* The line, if all its numbers are exact. */
static struct line
exact(struct line l)
{
   double a = l.a * PARTS, b = l.b * PARTS;
   return l.of != OF_UNKNOWN && a == trunc(a) && b == trunc(b) &&
                  fabs(l.a) * PIXELS + fabs(l.b) < MOST
              ? l
              : unknown;
}

static struct line
add(struct line l, struct line m)
{
   if (l.of && m.of && l.of != m.of)
      return unknown;
   return exact((struct line){l.a + m.a, l.b + m.b, l.of ? l.of : m.of});
}

static struct line
multiply(struct line l, struct line m)
{
   if (l.of && m.of)
      return unknown;
   return exact((struct line){l.a * m.b + m.a * l.b, l.b * m.b, l.of ? l.of : m.of});
}

/* Towards zero: none of its numbers may be below, but for whole ones. */
static struct line
whole(struct line l)
{
   if (l.a != trunc(l.a) || (l.b != trunc(l.b) && (l.a < 0 || l.b < 0)))
      return unknown;
   l.b = trunc(l.b);
   return l;
}

static struct line
constant(const void *from, unsigned type)
{
   struct line l = {.of = OF_NOTHING};
   float f;
   int32_t d;
   uint32_t ud;
   int16_t w;
   uint16_t uw;
   switch (type) {
   case T_F:
      memcpy(&f, from, sizeof(f));
      l.b = (double)f;
      break;
   case T_D:
      memcpy(&d, from, sizeof(d));
      l.b = d;
      break;
   case T_UD:
      memcpy(&ud, from, sizeof(ud));
      l.b = ud;
      break;
   case T_W:
      memcpy(&w, from, sizeof(w));
      l.b = w;
      break;
   case T_UW:
      memcpy(&uw, from, sizeof(uw));
      l.b = uw;
      break;
   default:
      return unknown;
   }
   return exact(l);
}

/* What channel 0 reads there. */
static struct line
value_at(const struct lines *v, uint32_t at_B, unsigned type)
{
   if (v->foreign[at_B / 2] || v->foreign[(at_B + type_size[type] - 1) / 2])
      return unknown;
   for (unsigned i = v->count; i--;)
      if (v->written[i].at_B < at_B + type_size[type] &&
          at_B < v->written[i].at_B + type_size[v->written[i].type])
         return v->written[i].at_B == at_B && v->written[i].type == type ? v->written[i].value
                                                                         : unknown;
   if (type == T_UW && at_B == X_B)
      return (struct line){1, 0, OF_X};
   if (type == T_UW && at_B == Y_B)
      return (struct line){1, 0, OF_Y};
   if (at_B + type_size[type] > EU_REG_SIZE && at_B < 2 * EU_REG_SIZE)
      return unknown; /* places of other subspans */
   return constant(v->t->grf + at_B, type);
}

static struct line
source(const struct lines *v, const struct op_operand *o)
{
   if (o->abs || o->offset[0] == OFFSET_NONE)
      return unknown;
   struct line l = o->kind == OPERAND_IMM
                       ? constant((const uint8_t *)o->imm + o->offset[0], o->type)
                   : o->kind == OPERAND_GRF ? value_at(v, o->offset[0], o->type)
                                            : unknown;
   if (o->negate && o->type != T_F && o->type != T_D)
      return unknown;
   if (o->negate) {
      l.a = -l.a;
      l.b = -l.b;
   }
   return l;
}

static struct line
result(const struct lines *v, const struct eu_detail *d)
{
   struct line s[3] = {unknown, unknown, unknown}, l;
   bool floats = true;
   for (unsigned i = 0; i < d->sources; i++) {
      s[i] = source(v, &d->src[i]);
      floats &= d->src[i].type == T_F;
   }
   switch (d->opcode) {
   case EU_OP_MOV:
      l = s[0];
      break;
   case EU_OP_ADD:
      l = add(s[0], s[1]);
      break;
   case EU_OP_MUL:
      l = floats ? multiply(s[0], s[1]) : unknown;
      break;
   case EU_OP_MAD:
      l = floats ? add(s[0], multiply(s[1], s[2])) : unknown;
      break;
   case EU_OP_RNDZ:
      l = whole(s[0]);
      break;
   default:
      return unknown;
   }
   if (d->saturate || l.of == OF_UNKNOWN || d->dst.type == T_F)
      return d->saturate ? unknown : l;
   /* Integers: those that there are of the type. */
   l = whole(l);
   double low = l.a < 0 ? l.a * PIXELS + l.b : l.b, high = l.a > 0 ? l.a * PIXELS + l.b : l.b;
   bool fits = d->dst.type == T_D || (low >= 0 && d->dst.type == T_UD) ||
               (low >= 0 && d->dst.type == T_UW) ||
               (fabs(low) + fabs(high) < MOST / 2 && d->dst.type == T_W);
   return fits ? l : unknown;
}

/* One further for each pixel, by a whole number. */
static bool
distance(const struct lines *v, uint32_t at_B, int of, uint32_t *by)
{
   struct line l = value_at(v, at_B, T_D);
   if (l.of == OF_UNKNOWN)
      l = value_at(v, at_B, T_UD);
   *by = (uint32_t)(int32_t)l.b;
   return (int)l.of == of && l.a == 1 && l.b == trunc(l.b);
}

/* False: it cannot be followed. */
static bool
follow(struct lines *v, const struct eu_detail *d)
{
   unsigned size = type_size[d->dst.type];
   if (v->count == VALUES || d->dst.kind != OPERAND_GRF)
      return false;
   struct line l = d->group ? unknown : result(v, d);
   for (unsigned c = 0; c < d->exec_size; c++) {
      uint32_t at_B = d->dst.offset[c];
      if (at_B == OFFSET_NONE)
         return false;
      for (uint32_t w = at_B / 2; w <= (at_B + size - 1) / 2; w++)
         v->foreign[w] = d->group || c;
   }
   if (d->group)
      return true;
   v->written[v->count].at_B = d->dst.offset[0];
   v->written[v->count].type = d->dst.type;
   v->written[v->count++].value = l;
   return true;
}

bool
eu_series_distance(const struct eu_series *s, const struct eu_thread *t, uint32_t *by_x,
                   uint32_t *by_y)
{
   struct lines v = {.t = t};
   for (const struct eu_op *op = s->ops; &op->d->quick != s->fetch; op++)
      if (!follow(&v, op->d))
         return false;
   return distance(&v, s->fetch->payload, OF_X, by_x) &&
          distance(&v, s->fetch->payload + 4 * EU_REG_SIZE, OF_Y, by_y);
}
