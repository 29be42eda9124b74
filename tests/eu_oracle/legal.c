/* The region rules (EU-083 to EU-109), by looking at every address. */
#include "generate.h"

static unsigned
exec_size_bytes(enum exec_type e)
{
   return e == EXEC_W ? 2 : e == EXEC_DF ? 8 : 4;
}

struct span {
   uint32_t at[32];
   unsigned first, last; /* registers */
};

static void
note_span(struct span *s, unsigned n)
{
   s->first = s->last = s->at[0] / 32;
   for (unsigned ch = 1; ch < n; ch++) {
      unsigned r = s->at[ch] / 32;
      s->first = r < s->first ? r : s->first;
      s->last = r > s->last ? r : s->last;
   }
}

static bool
aligned_inside(const struct span *s, unsigned n, unsigned size)
{
   for (unsigned ch = 0; ch < n; ch++)
      if (s->at[ch] % size || s->at[ch] > 4096 - size)
         return false;
   return s->last - s->first <= 1;
}

static bool
dst_span(const struct oracle *o, const struct eu_inst *i, struct span *s, unsigned *halves)
{
   unsigned n = i->exec_size;
   *halves = oracle_halves(o, i);
   if (i->dst.indirect && *halves == 2 && i->dst.addr_subnr > 6)
      return false;
   if (i->align16 && i->dst.indirect && oracle_dst_address(o, i, 0, 0) % 16)
      return false;
   for (unsigned ch = 0; ch < n; ch++)
      s->at[ch] = oracle_dst_address(o, i, ch, *halves == 2 && ch >= n / 2);
   note_span(s, n);
   if (i->dst.indirect && *halves == 2) {
      /* Each half has an address of its own: each must stay in its register. */
      for (unsigned ch = 0; ch < n; ch++)
         if (s->at[ch] / 32 != s->at[ch < n / 2 ? 0 : n / 2] / 32 ||
             s->at[ch] % eu_type_size(i->dst.type) || s->at[ch] > 4096 - eu_type_size(i->dst.type))
            return false;
      return true;
   }
   if (!aligned_inside(s, n, i->dst.type == EU_TYPE_DF ? 4 : eu_type_size(i->dst.type)))
      return false;
   for (unsigned ch = 0; *halves == 2 && ch < n; ch++)
      if (s->at[ch] / 32 != s->first + (ch >= n / 2))
         return false;
   return true;
}

static bool
region_shape(const struct eu_inst *i, const struct eu_operand *s)
{
   if (s->vstride == EU_VSTRIDE_VXH)
      return s->width == 1 ? !s->hstride : s->width <= i->exec_size;
   if (i->exec_size < s->width)
      return false;
   if (i->exec_size == s->width && s->hstride && s->vstride != s->width * s->hstride)
      return false;
   if (s->width == 1 && s->hstride)
      return false;
   if (i->exec_size == 1 && s->width == 1 && (s->vstride || s->hstride))
      return false;
   return s->vstride || s->hstride || s->width == 1;
}

static bool
rows_inside(const struct eu_inst *i, const struct eu_operand *s, const struct span *p)
{
   for (unsigned ch = 0; ch < i->exec_size; ch++)
      if (p->at[ch] / 32 != p->at[ch - ch % s->width] / 32)
         return false;
   return true;
}

static bool
is_scalar(const struct eu_operand *s)
{
   return s->rep_ctrl || (!s->vstride && s->width == 1 && !s->hstride);
}

/* Rules that bind a source to the destination's split. */
static bool
split_fits(const struct eu_inst *i, const struct eu_operand *s, const struct span *p,
           const struct span *d, unsigned halves)
{
   unsigned n = i->exec_size;
   if (is_scalar(s))
      return true;
   if (halves == 1) {
      if (p->first == p->last)
         return true;
      bool one_oword = true, even = true;
      for (unsigned ch = 0; ch < n; ch++) {
         one_oword &= d->at[ch] / 16 == d->at[0] / 16;
         even &= d->at[ch] / 16 == d->at[ch < n / 2 ? 0 : n / 2] / 16;
      }
      return one_oword || even;
   }
   if (p->first == p->last)
      return !s->indirect && eu_type_size(s->type) == 2 && eu_type_size(i->dst.type) == 4 &&
             i->dst.hstride == 1 && s->hstride == 1 && s->width * s->hstride == s->vstride &&
             p->at[n / 2] == p->at[0] + 16;
   if (s->indirect)
      return false;
   for (unsigned ch = 0; ch < n / 2; ch++)
      if (p->at[ch] / 32 != p->first || p->at[ch + n / 2] != p->at[ch] + 32)
         return false;
   return true;
}

static bool
source_legal(const struct oracle *o, const struct eu_inst *i, unsigned n, const struct span *d,
             unsigned halves)
{
   const struct eu_operand *s = &i->src[n];
   struct span p = {0};
   unsigned size = eu_type_size(s->type), count = i->exec_size;
   bool three = eu_opcodes[i->opcode].format == EU_FORMAT_THREE;
   if (s->file == EU_FILE_IMM || (s->file == EU_FILE_ARF && s->nr == EU_ARF_NULL))
      return true;
   if (!i->align16 && !three && !region_shape(i, s))
      return false;
   if (s->file == EU_FILE_ARF)
      return true; /* built legal */
   if (s->indirect && i->align16 &&
       (oracle_source_address(o, i, n, 0, 0) - (s->swizzle & 3) * size) % 16)
      return false;
   if (s->indirect && s->vstride == EU_VSTRIDE_VXH &&
       (halves == 2 || s->addr_subnr + count / s->width > 8 || s->addr_subnr % (count / s->width)))
      return false;
   if (s->indirect && halves == 2 && !is_scalar(s)) {
      if (s->addr_subnr > 6)
         return false;
      for (unsigned ch = 0; ch < count; ch++) {
         unsigned half = ch >= count / 2;
         p.at[ch] = oracle_source_address(o, i, n, ch, half);
         if (p.at[ch] % size || p.at[ch] > 4096 - size ||
             p.at[ch] / 32 != p.at[half ? count / 2 : 0] / 32)
            return false;
      }
      return rows_inside(i, s, &p);
   }
   for (unsigned ch = 0; ch < count; ch++)
      p.at[ch] = oracle_source_address(o, i, n, ch, halves == 2 && ch >= count / 2);
   note_span(&p, count);
   if (s->vstride == EU_VSTRIDE_VXH) {
      for (unsigned ch = 0; ch < count; ch++)
         if (p.at[ch] % size || p.at[ch] > 4096 - size)
            return false;
      return rows_inside(i, s, &p);
   }
   if (!aligned_inside(&p, count, s->type == EU_TYPE_DF ? 4 : size))
      return false;
   if (i->align16 || three)
      return three || halves == 1 || !s->vstride || p.first != p.last;
   return rows_inside(i, s, &p) && split_fits(i, s, &p, d, halves);
}

static bool
vector_immediate_legal(const struct eu_inst *i)
{
   const struct eu_opcode_info *info = &eu_opcodes[i->opcode];
   const struct eu_operand *s = &i->src[info->sources - 1];
   unsigned step = i->dst.hstride * eu_type_size(i->dst.type);
   if (s->file != EU_FILE_IMM || !(s->type & 8))
      return true;
   if (i->dst.subnr & 15)
      return false;
   if (s->type == EU_TYPE_VF)
      return step == 4 && (info->sources == 1 || i->src[0].type == EU_TYPE_F);
   return step == 2 && (info->sources == 1 || eu_type_size(i->src[0].type) <= 2);
}

static bool
dst_stride_legal(const struct eu_inst *i, enum exec_type e, bool raw)
{
   unsigned size = eu_type_size(i->dst.type), need = exec_size_bytes(e);
   if (i->align16 || raw || size >= need || i->dst.file != EU_FILE_GRF)
      return true;
   if (i->exec_size > 1 && size * i->dst.hstride < need)
      return false;
   if (i->dst.indirect)
      return true;
   return i->dst.subnr % need == 0 || (size == 1 && i->dst.subnr % need == 1);
}

static bool
movi_source_legal(const struct oracle *o, const struct eu_inst *i)
{
   int nr = (o->a0[0] >> 5 & 127) + (i->src[0].addr_imm >> 5);
   return nr >= 0 && nr < 128;
}

/* EU-077: when one source is read at once and the other in two halves from the same register, the
 * model of this oracle, which has one register file for both, cannot tell them apart. */
static bool
sources_share(const struct oracle *o, const struct eu_inst *i)
{
   for (unsigned ch = 0; ch < i->exec_size; ch++) {
      if (i->src[0].file != EU_FILE_GRF || i->src[1].file != EU_FILE_GRF)
         return false;
      unsigned half = ch >= i->exec_size / 2u;
      for (unsigned n = 0; n < 2; n++)
         if (oracle_source_address(o, i, n, ch, half) / 32 ==
                 oracle_source_address(o, i, !n, 0, 0) / 32 &&
             eu_type_size(i->src[!n].type) == 2)
            return true;
   }
   return false;
}

bool
gen_legal(const struct oracle *o, const struct eu_inst *i)
{
   const struct eu_opcode_info *info = &eu_opcodes[i->opcode];
   enum exec_type e = oracle_exec_type(i);
   struct span d = {0};
   unsigned halves = 1, largest = eu_type_size(i->dst.type);
   bool raw = i->opcode == EU_OP_MOV && i->dst.type == i->src[0].type && !i->src[0].negate &&
              !i->src[0].abs && !i->saturate;
   if (i->opcode == EU_OP_NOP || i->opcode == EU_OP_JMPI)
      return true;
   if (i->opcode == EU_OP_MOVI)
      return movi_source_legal(o, i) && dst_span(o, i, &d, &halves) && halves == 1;
   for (unsigned n = 0; n < info->sources; n++)
      if (eu_type_size(i->src[n].type) > largest)
         largest = eu_type_size(i->src[n].type);
   if (largest == 8)
      largest = 4;
   if (i->exec_size * largest > 64)
      return false;
   if (i->exec_size == 32 &&
       (i->cond_modifier || i->predicate || i->opcode == EU_OP_SEL || i->acc_write))
      return false;
   if (!vector_immediate_legal(i) || !dst_stride_legal(i, e, raw))
      return false;
   if (i->dst.file == EU_FILE_GRF && !dst_span(o, i, &d, &halves))
      return false;
   if (i->dst.file == EU_FILE_ARF)
      for (unsigned ch = 0; ch < i->exec_size; ch++)
         d.at[ch] = ch * largest, halves = oracle_halves(o, i);
   /* Which lanes belong to a destination that is split, spread or moved in other ways is not
    * defined. */
   bool acc = i->acc_write || i->opcode == EU_OP_SADA2 || i->opcode == EU_OP_MAC;
   if (acc && halves == 2 && (i->dst.subnr || e == EXEC_W))
      return false;
   if (acc && i->dst.subnr && (i->align16 || i->dst.hstride != 1))
      return false;
   if (acc && i->exec_size < 8 && i->quarter)
      return false;
   if (i->dst.indirect && halves == 1 && i->dst.file == EU_FILE_GRF && d.first != d.last)
      return false;
   for (unsigned n = 0; n < info->sources; n++)
      if (!source_legal(o, i, n, &d, halves))
         return false;
   return halves == 1 || info->sources != 2 || !sources_share(o, i);
}
