/* Typed messages in line: two columns of four texels, as drivers number the invocations of a group
 * that touches images, of a 2D image of dwords in Y tiles.
 *
 * A kernel that looks at the neighbours of a texel has the same U and the same V in many messages,
 * copied into each of them. So what U says of a place, and what V says, is found apart, and stays
 * in the frame until the end of the block for all messages of the surface whose registers have the
 * same contents. That they have is known by names: an operation gives its results new ones, a copy
 * the one of what it copies.
 *
 * Of U: the host's addresses of both columns, as if V were 0. Of V: the distances of the four rows;
 * and that of the first one apart, for texels that lie in one tile, 16 bytes from row to row. What
 * is not there is LOST, and so is any sum of it and one of the others: its sign tells. */
#include "eu/jit/operand.h"
#include "hw/message.h"

#include <string.h>

#define LOST (UINT64_C(3) << 62)

enum { PLACE_COLUMN = 0, PLACE_OTHER = 16 };           /* of U, 8 bytes each */
enum { PLACE_FIRST = 0, PLACE_ROWS = 32, ROW_B = 16 }; /* of V */
enum { U, V };
#define T(n) (SCRATCH + (n)) /* four of them */

/* ---- names -----------------------------------------------------------------------------------
 */

static bool
is_texels(const struct eu_detail *d)
{
   return d && (d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC) && d->quick.fn &&
          d->quick.texels && d->exec_size == 8 && !d->align16 && !d->predicate && !d->inst.eot;
}

void
jit_find_texels(struct jit *j)
{
   for (uint32_t i = 0; i < j->k->op_count; i++)
      j->texels = j->texels || is_texels(j->k->ops[i].d);
}

void
jit_name_all(struct jit *j)
{
   for (unsigned r = 0; r < EU_GRF_COUNT && j->texels; r++)
      j->name[r] = ++j->names;
   memset(j->place, 0, sizeof(j->place));
}

static void
name_range(struct jit *j, unsigned first, unsigned last)
{
   for (unsigned r = first; r <= last && r < EU_GRF_COUNT; r++)
      j->name[r] = ++j->names;
}

/* Dwords of whole registers to whole registers. */
static bool
is_copy(const struct jit *j, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   bool whole = op->fast && op->operation == FAST_I_MOV && op->kind[0] == FAST_VECTOR &&
                !op->modifier[0] && op->dst_kind == FAST_TO_DWORDS && !jit_is_partial(op);
   if (!whole || d->predicate || d->saturate || jit_by_mask(j, op))
      return false;
   for (unsigned h = 0; h < op->count; h++)
      whole = whole && op->dst[h] % EU_REG_SIZE == 0 && op->src[0][h] % EU_REG_SIZE == 0 &&
              op->src[0][h] / EU_REG_SIZE < EU_GRF_COUNT;
   return whole && (op->count == 1 || op->src[0][1] != op->dst[0]);
}

void
jit_name_results(struct jit *j, const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   if (!j->texels || !d)
      return;
   const struct op_operand *o = &d->dst;
   bool send = d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC;
   if (o->kind == OPERAND_INDIRECT || (send && d->inst.desc_is_reg)) {
      name_range(j, 0, EU_GRF_COUNT - 1);
   } else if (send) {
      unsigned length = hw_response_length(d->inst.desc);
      if (o->kind == OPERAND_GRF && length)
         name_range(j, o->reg, o->reg + length - 1);
   } else if (is_copy(j, op)) {
      for (unsigned h = 0; h < op->count; h++)
         j->name[op->dst[h] / EU_REG_SIZE] = j->name[op->src[0][h] / EU_REG_SIZE];
   } else if (o->kind == OPERAND_GRF) {
      for (unsigned c = 0; c < d->exec_size; c++)
         if (o->offset[c] != OFFSET_NONE) /* at most eight bytes */
            name_range(j, o->offset[c] / EU_REG_SIZE,
                       (o->offset[c] + 7u) / EU_REG_SIZE + eu_writes_behind(d));
   }
}

/* ---- places ----------------------------------------------------------------------------------
 */

static struct x86_rm
in_place(unsigned place, unsigned distance)
{
   return x86_mem(RSP, FRAME_TEXELS + (int32_t)(place * TEXEL_PLACE_B + distance));
}

static struct x86_rm
block_field(const struct sf_quick *q, size_t member)
{
   return x86_mem(REG_BUFFERS, (int32_t)(offsetof(struct sf_buffers, view) +
                                         q->bti * sizeof(struct surface_view) +
                                         offsetof(struct surface_view, blocks) +
                                         q->writes * sizeof(struct view_blocks) + member));
}
#define BLOCK(member) block_field(q, offsetof(struct view_blocks, member))

/* The lanes of T(0) that are set, and those of `v` that are not below a limit: none, or out. */
static void
out_unless_below(struct jit *j, unsigned v, struct x86_rm limit, struct ways_out *w)
{
   struct x86 *a = &j->a;
   vex(a, VPBROADCASTD, T(2), 0, limit);
   vex(a, VPMAXUD, T(2), T(2), x86_reg(v));
   vex(a, VPCMPEQD, T(2), T(2), x86_reg(v));
   vex(a, VPOR, T(0), T(0), x86_reg(T(2)));
   vex(a, VPTEST, T(0), 0, x86_reg(T(0)));
   jit_out_if(j, w, CC_NZ);
}

/* Four slots have one U, the others too. MEM-021: columns of 16 bytes lie 512 bytes apart. */
static void
find_columns(struct jit *j, const struct sf_quick *q, unsigned place, struct ways_out *w)
{
   struct x86 *a = &j->a;
   struct x86_rm u = jit_place(j, q->payload);
   vex_imm(a, VPERMILPS_I, T(1), 0, u, 0);
   vex(a, VPXOR, T(0), T(1), u);
   out_unless_below(j, T(1), BLOCK(width), w);
   vex_shift(a, VPSLLD, T(1), T(1), 2);
   vex(a, VPBROADCASTD, T(2), 0, BLOCK(x_B));
   vex(a, VPADDD, T(1), T(1), x86_reg(T(2)));
   vex(a, VPAND, T(2), T(1), CONSTANT(fifteen));
   vex(a, VPXOR, T(1), T(1), x86_reg(T(2)));
   vex_shift(a, VPSLLD, T(1), T(1), 5);
   vex(a, VPOR, T(1), T(1), x86_reg(T(2)));
   vex(a, VPAND, T(1), T(1), CONSTANT(low_dwords));
   vex(a, VPBROADCASTQ, T(2), 0, BLOCK(host));
   vex(a, VPADDQ, T(1), T(1), x86_reg(T(2)));
   vex(a, VMOVDQU_STORE, T(1), 0, in_place(place, 0));
}

/* Four slots have V and the next three of it, the others the same. MEM-021: 32 rows of 16 bytes. */
static void
find_rows(struct jit *j, const struct sf_quick *q, unsigned place, struct ways_out *w)
{
   struct x86 *a = &j->a;
   vex(a, VMOVDQU_LOAD, T(0), 0, jit_place(j, q->payload + EU_REG_SIZE));
   vex(a, VPSUBD, T(0), T(0), CONSTANT(four_rows));
   vex(a, VPBROADCASTD, T(1), 0, x86_reg(T(0)));
   vex(a, VPXOR, T(0), T(0), x86_reg(T(1)));
   out_unless_below(j, T(1), BLOCK(height), w);
   vex(a, VPBROADCASTD, T(2), 0, BLOCK(row));
   vex(a, VPADDD, T(1), T(1), x86_reg(T(2)));
   vex(a, VPADDD, T(1), T(1), CONSTANT(four_rows));
   vex(a, VPAND, T(2), T(1), CONSTANT(thirty_one));
   vex(a, VPXOR, T(1), T(1), x86_reg(T(2)));
   vex_shift(a, VPSLLD, T(2), T(2), 4);
   vex(a, VPBROADCASTD, T(3), 0, BLOCK(pitch_B));
   vex(a, VPMULLD, T(1), T(1), x86_reg(T(3)));
   vex(a, VPADDD, T(1), T(1), x86_reg(T(2)));
   vex(a, VPCMPGTD, T(2), T(2), CONSTANT(last_row)); /* in two tiles: the sum is LOST */
   vex_shift(a, VPSLLD, T(2), T(2), 30);
   vex128(a, VPUNPCKLDQ, T(2), T(1), x86_reg(T(2)));
   vex128(a, VMOVQ_STORE, T(2), 0, in_place(place, PLACE_FIRST));
   vex(a, VPMOVZXDQ, T(1), 0, x86_reg(T(1)));
   vex(a, VMOVDQU_STORE, T(1), 0, in_place(place, PLACE_ROWS));
}

/* The place of the coordinates of a message; found now, if it has not been yet. Not where the
 * message's other ones have theirs. */
static uint8_t
place_of(struct jit *j, const struct sf_quick *q, unsigned which, unsigned other,
         struct ways_out *w, uint8_t *found_now)
{
   struct texel_place want = {.name = j->name[q->payload / EU_REG_SIZE + which],
                              .bti = q->bti,
                              .writes = q->writes,
                              .rows = which == V};
   for (unsigned i = 0; i < TEXEL_PLACES; i++) {
      const struct texel_place *p = &j->place[i];
      if (p->name == want.name && p->bti == want.bti && p->writes == want.writes &&
          p->rows == want.rows)
         return (uint8_t)i;
   }
   unsigned i = j->next_place++ % TEXEL_PLACES;
   if (i == other)
      i = j->next_place++ % TEXEL_PLACES;
   *found_now |= 1u << which;
   j->place[i] = want;
   if (which == U)
      find_columns(j, q, i, w);
   else
      find_rows(j, q, i, w);
   return (uint8_t)i;
}

void
jit_lose_places(struct jit *j, const struct detour *s)
{
   struct x86 *a = &j->a;
   if (s->lost)
      x86_mov_imm(a, RAX, LOST);
   if (s->lost & 1u << U)
      x86_op(a, X86_STORE, true, RAX, in_place(s->place[U], PLACE_COLUMN));
   if (s->lost & 1u << V) {
      x86_op(a, X86_STORE, true, RAX, in_place(s->place[V], PLACE_FIRST));
      x86_op(a, X86_STORE, true, RAX, in_place(s->place[V], PLACE_ROWS));
   }
}

/* ---- texels ----------------------------------------------------------------------------------
 */

/* rax and rcx: both columns, at their first rows. Out if that is LOST. */
static void
locate(struct jit *j, const uint8_t place[2], struct ways_out *w)
{
   struct x86 *a = &j->a;
   x86_op(a, X86_LOAD, true, RDX, in_place(place[V], PLACE_FIRST));
   x86_op(a, X86_LOAD, true, RAX, in_place(place[U], PLACE_COLUMN));
   x86_op(a, X86_LOAD, true, RCX, in_place(place[U], PLACE_OTHER));
   x86_op(a, X86_ADD, true, RAX, x86_reg(RDX));
   jit_out_if(j, w, CC_S);
   x86_op(a, X86_ADD, true, RCX, x86_reg(RDX));
   /* Groups go along the rows of an image, and columns are too far apart for the host to see it. Of
    * its two cache lines the upper one has been met. */
   x86_prefetch(a, x86_mem(RAX, 4 * 512 + 3 * ROW_B));
}

/* A column: its first two rows in the first dwords of both halves, the others in the last ones.
 * Nothing else is read than what lies between them. */
static void
load_column(struct jit *j, unsigned to, unsigned base)
{
   vex(&j->a, VMOVDQU_LOAD, to, 0, x86_mem(base, 0));
   vex_imm(&j->a, VSHUFPS_I, to, to, x86_mem(base, 3 * ROW_B + 4 - EU_REG_SIZE), 0xf0);
}

static void
read_texels(struct jit *j, const struct sf_quick *q)
{
   struct x86 *a = &j->a;
   unsigned r = jit_new_register(j);
   load_column(j, T(0), RAX);
   load_column(j, T(1), RCX);
   vex_imm(a, VBLENDPS_I, T(0), T(0), x86_reg(T(1)), 0xaa);
   vex(a, VMOVDQU_LOAD, T(1), 0, CONSTANT(columns));
   vex(a, VPERMD, r, T(1), x86_reg(T(0)));
   jit_store_whole(j, q->response, r);
}

void
jit_texel_rows(struct jit *j, const struct detour *s, size_t none[2])
{
   struct x86 *a = &j->a;
   unsigned response = j->k->ops[s->op].d->quick.response;
   x86_op(a, X86_LOAD, true, RSI, in_place(s->place[U], PLACE_COLUMN));
   x86_op(a, X86_LOAD, true, RDX, in_place(s->place[V], PLACE_ROWS));
   x86_op(a, X86_LOAD, true, RDI, in_place(s->place[U], PLACE_OTHER));
   x86_op(a, X86_TEST, true, RSI, x86_reg(RSI));
   none[0] = x86_jump_if(a, CC_S);
   x86_op(a, X86_TEST, true, RDX, x86_reg(RDX));
   none[1] = x86_jump_if(a, CC_S);
   for (unsigned r = 0; r < 4; r++) {
      x86_op(a, X86_LOAD, true, RAX, in_place(s->place[V], PLACE_ROWS + 8 * r));
      x86_op(a, X86_LOAD, true, RCX, x86_reg(RAX));
      x86_op(a, X86_ADD, true, RAX, x86_reg(RSI));
      x86_op(a, X86_ADD, true, RCX, x86_reg(RDI));
      if (r) {
         vex128_imm(a, VPINSRD_I, T(0), T(0), x86_mem(RAX, 0), r);
         vex128_imm(a, VPINSRD_I, T(1), T(1), x86_mem(RCX, 0), r);
      } else {
         vex128(a, VMOVD_FROM, T(0), 0, x86_mem(RAX, 0));
         vex128(a, VMOVD_FROM, T(1), 0, x86_mem(RCX, 0));
      }
   }
   vex_imm(a, VINSERTF128_I, T(0), T(0), x86_reg(T(1)), 1);
   vex(a, VMOVDQU_STORE, T(0), 0, jit_grf(response));
   for (unsigned k = 0; k < KEPT_COUNT; k++)
      if (s->kept.offset[k] == response)
         vex(a, VMOVDQU_LOAD, KEPT + k, 0, x86_reg(T(0)));
}

/* T(0) = four channels as bytes, as encode_channel of view_avx2.h makes them. */
static void
pack(struct jit *j, unsigned data, struct ways_out *w)
{
   struct x86 *a = &j->a;
   x86_test_imm(a, THREAD(cr0[0]), CR0_ROUNDING); /* not to the nearest */
   jit_out_if(j, w, CC_NZ);
   for (unsigned c = 0; c < 4; c++) {
      unsigned v = c ? T(1) : T(0);
      vex(a, VMOVDQU_LOAD, v, 0, jit_place(j, data + c * EU_REG_SIZE));
      vex(a, VMAXPS, v, v, CONSTANT(zero)); /* NaN becomes 0 */
      vex(a, VMINPS, v, v, CONSTANT(one));
      vex(a, VMOVDQU_LOAD, T(2), 0, CONSTANT(bytes));
      vex(a, VFMADD213PS, v, T(2), CONSTANT(unit));
      vex(a, VPXOR, v, v, CONSTANT(unit));
      if (!c)
         continue;
      vex_shift(a, VPSLLD, v, v, 8 * c);
      vex(a, VPOR, T(0), T(0), x86_reg(v));
   }
}

/* Both columns are side by side. */
static void
write_texels(struct jit *j, const struct sf_quick *q, struct ways_out *w)
{
   struct x86 *a = &j->a;
   unsigned data = q->payload + 2 * EU_REG_SIZE;
   x86_op(a, X86_LEA, true, RDX, x86_mem(RAX, 4));
   x86_op(a, X86_CMP, true, RCX, x86_reg(RDX));
   jit_out_if(j, w, CC_NE);
   x86_imm(a, X86_CMP_I, false, BLOCK(bytes), 0);
   size_t dwords = x86_jump_if(a, CC_E);
   pack(j, data, w);
   size_t packed = x86_jump(a);
   x86_patch(a, dwords, a->size);
   vex(a, VMOVDQU_LOAD, T(0), 0, jit_place(j, data));
   x86_patch(a, packed, a->size);
   vex_imm(a, VEXTRACTF128_I, T(0), 0, x86_reg(T(1)), 1);
   vex128(a, VPUNPCKLDQ, T(2), T(0), x86_reg(T(1)));
   vex128(a, VPUNPCKHDQ, T(3), T(0), x86_reg(T(1)));
   for (unsigned r = 0; r < 4; r++)
      vex128(a, r & 1 ? VMOVHPS_STORE : VMOVQ_STORE, T(2 + r / 2), 0,
             x86_mem(RAX, (int32_t)(r * ROW_B)));
}

/* DP-227: does the header let all eight slots write? */
static void
check_header(struct jit *j, const struct sf_quick *q, struct ways_out *w)
{
   struct x86 *a = &j->a;
   unsigned mask = q->payload - EU_REG_SIZE + 4 * GEN7_DP_SURFACE_HEADER__PIXEL_SAMPLE_MASK_DW;
   x86_op(a, X86_MOVZX8, false, RAX, jit_grf(mask + q->slots / 8));
   x86_imm(a, X86_CMP_I, false, x86_reg(RAX), 0xff);
   jit_out_if(j, w, CC_NE);
}

bool
jit_texels(struct jit *j, const struct eu_op *op)
{
   const struct sf_quick *q = &op->d->quick;
   struct ways_out w = {.count = 0}, lost = {.count = 0};
   uint8_t place[2], found = 0;
   if (!is_texels(op->d) || j->region || !(j->version == FULL || op->d->no_mask))
      return false;
   if (j->kind != JIT_SERIES && !j->kept.buffers)
      jit_load_buffers(j, op);
   place[U] = place_of(j, q, U, TEXEL_PLACES, &w, &found);
   place[V] = place_of(j, q, V, place[U], &w, &found);
   if (q->writes)
      check_header(j, q, &w);
   locate(j, place, &lost);
   if (q->writes)
      write_texels(j, q, &w);
   else
      read_texels(j, q);
   struct detour *s = jit_or_fast_path(j, op, &w);
   s->lost = found;
   memcpy(s->place, place, sizeof(place));
   struct detour rows = *s;
   s = jit_detour(j, q->writes ? DETOUR_FAST_PATH : DETOUR_ROWS, op);
   rows.kind = s->kind;
   *s = rows;
   s->lost = 0;
   memcpy(s->from, lost.at, sizeof(lost.at));
   return true;
}
