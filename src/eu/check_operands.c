/* Rules on operands: regions, alignment, register crossing. */
#include "eu/check.h"

static bool
is_alu(const struct eu_detail *d)
{
   return d->alu != NULL;
}

/* Direct or indirect GRF source with an ordinary Align1 region. */
static bool
region1(const struct eu_detail *d, const struct op_operand *o)
{
   return is_alu(d) && !d->align16 && o->vstride != 0xff &&
          (o->kind == OPERAND_GRF || o->kind == OPERAND_INDIRECT);
}

#define EACH_SOURCE(d, o)                                                                          \
   for (const struct op_operand *o = (d)->src; o < (d)->src + (d)->sources; o++)

static bool
row_wider_than_execution(const struct eu_detail *d)
{
   EACH_SOURCE(d, o) if (region1(d, o) && d->exec_size < o->width) return true;
   return false;
}

static bool
one_row_stride(const struct eu_detail *d)
{
   EACH_SOURCE(d, o)
   if (region1(d, o) && d->exec_size == o->width && o->hstride &&
       o->vstride != o->width * o->hstride)
      return true;
   return false;
}

static bool
width_one_stride(const struct eu_detail *d)
{
   EACH_SOURCE(d, o) if (region1(d, o) && o->width == 1 && o->hstride) return true;
   return false;
}

static bool
scalar_strides(const struct eu_detail *d)
{
   EACH_SOURCE(d, o)
   if (region1(d, o) && d->exec_size == 1 && o->width == 1 && (o->vstride || o->hstride))
      return true;
   return false;
}

static bool
zero_strides(const struct eu_detail *d)
{
   EACH_SOURCE(d, o)
   if (region1(d, o) && !o->vstride && !o->hstride && o->width != 1)
      return true;
   return false;
}

static bool
dst_stride_zero(const struct eu_detail *d)
{
   return is_alu(d) && !d->align16 && d->dst.kind != OPERAND_NULL && !d->inst.dst.hstride;
}

static bool
row_crosses(const struct eu_detail *d)
{
   EACH_SOURCE(d, o)
   {
      if (!region1(d, o) || o->kind != OPERAND_GRF || o->scalar)
         continue;
      for (unsigned c = 0; c < d->exec_size; c++) {
         unsigned first = o->offset[c - c % o->width], last = o->offset[c] + o->step - 1u;
         if (o->offset[c] != OFFSET_NONE && first != OFFSET_NONE && first / 32 != last / 32)
            return true;
      }
   }
   return false;
}

/* Registers between the lowest and the highest byte of a direct operand. */
static unsigned
span(const struct eu_detail *d, const struct op_operand *o)
{
   unsigned low = UINT32_MAX, high = 0;
   if (o->kind != OPERAND_GRF)
      return 0;
   for (unsigned c = 0; c < d->exec_size; c++) {
      if (o->offset[c] == OFFSET_NONE)
         continue;
      unsigned at = o->offset[c], end = at + o->step - 1u;
      low = at < low ? at : low;
      high = end > high ? end : high;
   }
   return low == UINT32_MAX ? 0 : high / 32 - low / 32 + 1;
}

static bool
more_than_two_registers(const struct eu_detail *d)
{
   if (!is_alu(d))
      return false;
   EACH_SOURCE(d, o) if (span(d, o) > 2) return true;
   return span(d, &d->dst) > 2;
}

static unsigned
channels_in_first(const struct eu_detail *d, const struct op_operand *o, unsigned unit)
{
   unsigned n = 0;
   for (unsigned c = 0; c < d->exec_size; c++)
      n += o->offset[c] / unit == o->offset[0] / unit;
   return n;
}

static bool
two_sources_one_dst(const struct eu_detail *d)
{
   if (!is_alu(d) || span(d, &d->dst) != 1 || d->exec_size == 1)
      return false;
   unsigned in_first = channels_in_first(d, &d->dst, 16);
   bool even = in_first == d->exec_size || in_first * 2 == d->exec_size;
   EACH_SOURCE(d, o) if (span(d, o) == 2 && !even) return true;
   return false;
}

static bool
two_sources_two_dst(const struct eu_detail *d)
{
   if (!is_alu(d) || span(d, &d->dst) != 2)
      return false;
   if (channels_in_first(d, &d->dst, 32) * 2 != d->exec_size)
      return true;
   EACH_SOURCE(d, o)
   if (span(d, o) == 2 && channels_in_first(d, o, 32) * 2 != d->exec_size)
      return true;
   return false;
}

static bool
packed_words_to_dwords(const struct eu_detail *d, const struct op_operand *o)
{
   return type_size[o->type] == 2 && type_size[d->dst.type] == 4 && d->dst.hstride == 1 &&
          o->hstride == 1 && o->vstride == o->width;
}

static bool
one_source_two_dst(const struct eu_detail *d)
{
   if (!is_alu(d) || span(d, &d->dst) != 2 || d->opcode == EU_OP_PLN || d->opcode == EU_OP_LINE)
      return false;
   EACH_SOURCE(d, o)
   if (span(d, o) == 1 && !o->scalar && !packed_words_to_dwords(d, o))
      return true;
   return false;
}

static bool
too_much_data(const struct eu_detail *d)
{
   unsigned largest = d->dst.step;
   if (!is_alu(d))
      return false;
   EACH_SOURCE(d, o) if (o->kind != OPERAND_NULL && o->step > largest) largest = o->step;
   return d->exec_size * largest > 64;
}

static unsigned
execution_size_B(const struct eu_detail *d)
{
   return d->exec_class == CLASS_INT ? d->exec_width / 8 : 4;
}

static bool
narrow_dst(const struct eu_detail *d)
{
   const struct op_operand *o = &d->dst;
   unsigned size = type_size[o->type], execution = execution_size_B(d);
   if (!is_alu(d) || d->align16 || d->paired || d->raw || d->opcode == EU_OP_F32TO16)
      return false;
   if (o->kind != OPERAND_GRF || size >= execution || (size == 1 && o->hstride == 1))
      return false;
   bool aligned = o->subreg % execution == 0 || (size == 1 && o->subreg % execution == 1);
   return !aligned || (d->exec_size > 1 && o->hstride * size < execution);
}

static bool
packed_bytes(const struct eu_detail *d)
{
   return is_alu(d) && d->dst.kind == OPERAND_GRF && type_size[d->dst.type] == 1 &&
          d->dst.hstride == 1 && d->exec_size > 1 && !d->raw;
}

static bool
misaligned(const struct eu_detail *d)
{
   if (!is_alu(d))
      return false;
   EACH_SOURCE(d, o)
   if (o->kind == OPERAND_GRF && o->subreg % (o->type == T_DF ? 8 : type_size[o->type]))
      return true;
   return d->dst.kind == OPERAND_GRF &&
          d->dst.subreg % (d->dst.type == T_DF ? 8 : type_size[d->dst.type]);
}

static bool
outside_file(const struct eu_detail *d, const struct op_operand *o)
{
   if (o->kind != OPERAND_GRF)
      return false;
   for (unsigned c = 0; c < d->exec_size; c++)
      if (o->offset[c] == OFFSET_NONE)
         return true;
   return false;
}

static bool
register_range(const struct eu_detail *d)
{
   if (!is_alu(d))
      return false;
   EACH_SOURCE(d, o) if (outside_file(d, o)) return true;
   return outside_file(d, &d->dst);
}

static bool
arf_as_second_source(const struct eu_detail *d)
{
   for (unsigned n = 1; is_alu(d) && n < d->sources; n++) {
      unsigned kind = d->src[n].kind;
      if (kind == OPERAND_ARF || kind == OPERAND_ACC ||
          (kind == OPERAND_NULL && d->opcode != EU_OP_MATH))
         return true;
   }
   return false;
}

static bool
align16_stride(const struct eu_detail *d)
{
   if (!is_alu(d) || !d->align16)
      return false;
   EACH_SOURCE(d, o)
   if (o->kind == OPERAND_GRF && !o->scalar && o->vstride != 0 && o->vstride != 4)
      return true;
   return d->exec_size == 16 && type_size[d->dst.type] >= 4;
}

static bool
align16_conversion(const struct eu_detail *d)
{
   if (!is_alu(d) || !d->align16)
      return false;
   EACH_SOURCE(d, o)
   if (o->kind == OPERAND_GRF && type_size[o->type] != type_size[d->dst.type] &&
       (span(d, o) > 1 || span(d, &d->dst) > 1))
      return true;
   return false;
}

static bool
vector_immediate(const struct eu_detail *d)
{
   if (!is_alu(d) || !d->sources)
      return false;
   const struct eu_operand *last = &d->inst.src[d->sources - 1];
   unsigned pitch = d->dst.hstride * type_size[d->dst.type];
   if (last->file != EU_FILE_IMM || d->dst.kind != OPERAND_GRF)
      return false;
   if (last->type == EU_TYPE_VF)
      return pitch != 4 || d->dst.subreg % 16;
   if (last->type != EU_TYPE_V && last->type != EU_TYPE_UV)
      return false;
   bool narrow = d->sources == 1 || type_size[d->src[0].type] <= 2;
   return !narrow || pitch != 2 || d->dst.subreg % 16;
}

static bool
double_with_bytes(const struct eu_detail *d)
{
   if (!is_alu(d) || !d->paired)
      return false;
   EACH_SOURCE(d, o) if (o->kind != OPERAND_NULL && type_size[o->type] == 1) return true;
   return type_size[d->dst.type] == 1;
}

static bool
mixed_sources(const struct eu_detail *d)
{
   bool f = false, i = false, df = false;
   if (!is_alu(d))
      return false;
   EACH_SOURCE(d, o)
   {
      if (o->kind == OPERAND_NULL)
         continue;
      f = f || o->type == T_F;
      df = df || o->type == T_DF;
      i = i || o->type < T_DF;
   }
   return f + i + df > 1;
}

const struct eu_check eu_operand_checks[] = {
    {"EU-002", PERGOLA_ERROR, register_range, "an operand reaches past g127"},
    {"EU-006", PERGOLA_ERROR, arf_as_second_source,
     "an architecture register cannot be source 1 or 2"},
    {"EU-059", PERGOLA_ERROR, mixed_sources, "float, double and integer sources cannot be mixed"},
    {"EU-083", PERGOLA_ERROR, too_much_data,
     "execution size times the largest element is more than 64 bytes"},
    {"EU-084", PERGOLA_ERROR, narrow_dst,
     "the destination is narrower than the execution type: its elements must be spaced and aligned "
     "as that type"},
    {"EU-085", PERGOLA_ERROR, packed_bytes, "only a raw mov may write packed bytes"},
    {"EU-086", PERGOLA_ERROR, row_wider_than_execution,
     "the width of a region is more than the execution size"},
    {"EU-087", PERGOLA_ERROR, one_row_stride,
     "a region of one row needs VertStride = Width * HorzStride"},
    {"EU-088", PERGOLA_ERROR, width_one_stride, "a width of 1 needs a horizontal stride of 0"},
    {"EU-089", PERGOLA_ERROR, scalar_strides, "a scalar needs both strides 0"},
    {"EU-090", PERGOLA_ERROR, zero_strides, "both strides 0 need a width of 1"},
    {"EU-091", PERGOLA_ERROR, dst_stride_zero,
     "the destination's horizontal stride is 0; 1 is used"},
    {"EU-092", PERGOLA_ERROR, row_crosses, "the elements of one row cross a register boundary"},
    {"EU-093", PERGOLA_ERROR, more_than_two_registers, "an operand spans more than two registers"},
    {"EU-094", PERGOLA_ERROR, two_sources_one_dst,
     "with a source of two registers the destination must lie in one OWord or be split evenly over "
     "two"},
    {"EU-095", PERGOLA_ERROR, two_sources_two_dst,
     "a destination of two registers must be split evenly, each half from one source register"},
    {"EU-096", PERGOLA_ERROR, one_source_two_dst,
     "with a destination of two registers each source must span two, be scalar, or be packed "
     "words"},
    {"EU-097", PERGOLA_ERROR, align16_stride,
     "Align16 allows vertical strides of 0 and 4, and no SIMD16 with 4-byte types"},
    {"EU-098", PERGOLA_ERROR, align16_conversion,
     "an Align16 conversion between element sizes takes one register of each operand"},
    {"EU-099", PERGOLA_ERROR, vector_immediate,
     "a vector immediate needs a destination spaced as its elements, 16-byte aligned, and a narrow "
     "source 0"},
    {"EU-100", PERGOLA_ERROR, double_with_bytes,
     "there is no conversion between bytes and doubles"},
    {"EU-109", PERGOLA_ERROR, misaligned, "an operand is not aligned to its type"},
    {0},
};
