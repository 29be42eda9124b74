/* Kernels of vertices, turned: see eu/wide.h.
 *
 * An instruction of SIMD4x2 becomes one of eight channels for each component that it writes, for
 * each group of vertices. A swizzle is a choice among vectors; only what one vertex reads of its
 * neighbour in the thread, as constants do, moves lanes. Arithmetic is that of alu.c, so that each
 * operation has one native form. A NaN may have any bits until something looks at them. */
#include "eu/jit/operand.h"
#include "eu/wide.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_OPS 1024u
#define BYTES_PER_OP 6144u
#define DWORDS (EU_GRF_COUNT * 8u)
#define SLOTS (EU_GRF_COUNT * 4u) /* of a group: vectors of eight vertices */
#define SLOT_B 32u
/* Behind the registers: what lives as long as an operation, then what lives as long as the code. */
#define SHORT_FIRST (WIDE_GROUPS * SLOTS)
#define SHORT_SLOTS 160u
#define LONG_FIRST (SHORT_FIRST + SHORT_SLOTS)
#define SLOT_END (WIDE_FRAME / 8 - 1) /* the last has no offset of its own: OFFSET_NONE */
#define NO_CHANNEL 8u
#define EVEN_LANES 0x55u
#define ODD_LANES 0xaau
#define ALL_LANES 0xffu

enum move { MOVE_EVEN, MOVE_ODD, MOVE_SWAP }; /* lanes of the first, the second; of each other */

struct wide {
   struct jit j;
   struct eu_kernel constants; /* operations whose immediates the code reads */
   struct jit_wide *out;
   struct eu_detail detail;               /* of the operation at hand, as one of eight channels */
   bool written[DWORDS];                  /* by any operation */
   uint8_t open[SLOTS];                   /* lanes where a NaN may have any bits: as in vblendps */
   uint16_t moved[2][WIDE_GROUPS][SLOTS]; /* MOVE_EVEN, MOVE_ODD of registers that never change */
   unsigned short_slots, long_slots;
};

/* ---- places --------------------------------------------------------------------------------- */

static unsigned
slot_of(unsigned dword)
{
   return dword / 8 * 4 + dword % 4;
}

static unsigned
second_of(unsigned dword) /* of the two vertices of a thread */
{
   return dword / 4 % 2;
}

static unsigned
place_of(unsigned group, unsigned slot)
{
   return (slot * WIDE_GROUPS + group) * SLOT_B;
}

static unsigned
short_place(struct wide *w)
{
   if (w->short_slots == SHORT_SLOTS) {
      w->j.failed = true;
      return SHORT_FIRST * SLOT_B;
   }
   return (SHORT_FIRST + w->short_slots++) * SLOT_B;
}

/* A source's dword of a channel. */
static unsigned
source_dword(const struct eu_op *op, unsigned n, unsigned channel)
{
   return op->d->src[n].offset[channel] / 4u;
}

static unsigned
target_dword(const struct eu_op *op, unsigned channel)
{
   return op->d->dst.offset[channel] / 4u;
}

/* ---- what can be turned --------------------------------------------------------------------- */

static bool
is_dot(unsigned f)
{
   return f >= FAST_F_DP2 && f <= FAST_F_DPH;
}

/* The math box has a second one in its encoding, used or not. */
static unsigned
sources_of(const struct eu_op *op)
{
   unsigned f = op->operation;
   bool one = f >= FAST_F_INV && f <= FAST_F_COS && f != FAST_F_FDIV;
   return one ? 1 : op->d->sources;
}

static bool
is_operation(unsigned f)
{
   bool flags = (f >= FAST_F_CMP_Z && f <= FAST_F_CMP_LE) || f >= FAST_I_CMP_Z,
        accumulator = f >= FAST_MUL_ACC && f <= FAST_SUBB;
   return !flags && !accumulator && f != FAST_F_PLN && f != FAST_F_SEL && f != FAST_I_SEL;
}

static bool
is_dwords(const struct op_operand *o, unsigned channels)
{
   bool dword = o->type == T_UD || o->type == T_D || o->type == T_F;
   for (unsigned c = 0; c < channels; c++)
      if (o->offset[c] == OFFSET_NONE || o->offset[c] % 4)
         return false;
   return o->kind == OPERAND_GRF && dword;
}

static bool
can_turn(const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   bool chooses = op->operation == FAST_F_SELL || op->operation == FAST_F_SELGE ||
                  (op->operation >= FAST_I_MIN && op->operation <= FAST_U_MAX);
   if (!op->fast || op->count != 1 || d->exec_size > 8 || d->predicate || d->inst.debug ||
       (d->condition && !chooses) || !is_operation(op->operation) ||
       !is_dwords(&d->dst, d->exec_size) || (is_dot(op->operation) && d->exec_size != 8))
      return false;
   for (unsigned n = 0; n < sources_of(op); n++)
      if (op->kind[n] != FAST_CONST && !is_dwords(&d->src[n], d->exec_size))
         return false;
   return true;
}

/* One URB write, of two entries, which ends the thread. */
static bool
ends_well(const struct eu_op *op)
{
   const struct eu_detail *d = op->d;
   const struct sf_quick *q = &d->quick;
   return (d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC) && d->inst.eot && q->fn &&
          d->inst.sfid == SFID_URB && q->urb_ends && q->urb_pairs && !q->urb_slot_offsets &&
          !d->predicate && d->exec_size == 8 && d->chan_en % 256 == 0xff && q->payload % 32 == 0 &&
          q->payload >= 32 && q->payload / 32u + q->sources <= EU_GRF_COUNT;
}

static bool
is_for_vertices(const struct eu_kernel *k)
{
   if (!k->simple || k->op_count < 2 || k->op_count > MOST_OPS || k->channels & ~0xffu)
      return false;
   for (uint32_t i = 0; i + 2 < k->op_count; i++)
      if (k->ops[i].fn == eu_exec_join || !can_turn(&k->ops[i]))
         return false;
   return k->ops[k->op_count - 2].fn != eu_exec_join && ends_well(&k->ops[k->op_count - 2]);
}

/* ---- survey --------------------------------------------------------------------------------- */

static bool
writes_channel(const struct eu_op *op, unsigned c)
{
   return c < op->d->exec_size && op->channels >> c & 1;
}

/* Which channels of source n are looked at. */
static bool
reads_channel(const struct eu_op *op, unsigned c)
{
   return is_dot(op->operation) ? c < 8 : writes_channel(op, c);
}

static void
set_bit(uint64_t bits[2], unsigned reg)
{
   bits[reg / 64] |= UINT64_C(1) << (reg % 64);
}

static void
survey_one(struct wide *w, const struct eu_op *op)
{
   for (unsigned n = 0; n < sources_of(op); n++)
      for (unsigned c = 0; c < 8 && op->kind[n] != FAST_CONST; c++)
         if (reads_channel(op, c) && !w->written[source_dword(op, n, c)])
            set_bit(w->out->needs, source_dword(op, n, c) / 8);
   for (unsigned c = 0; c < 8; c++)
      if (writes_channel(op, c)) {
         w->written[target_dword(op, c)] = true;
         set_bit(w->out->writes, target_dword(op, c) / 8);
      }
}

void
jit_wide_ask_anew(struct jit_wide *wide, const struct eu_kernel *k)
{
   uint64_t asks[2] = {0, 0}, defined[2] = {0, 0};
   for (uint32_t i = 0; i + 1 < k->op_count; i++) {
      const struct eu_detail *d = k->ops[i].d;
      for (unsigned w = 0; w < 2; w++) {
         asks[w] |= __atomic_load_n(&d->reads[w], __ATOMIC_RELAXED) & ~defined[w];
         defined[w] |= d->writes[w];
      }
   }
   for (unsigned w = 0; w < 2; w++)
      __atomic_store_n(&wide->asks[w], asks[w], __ATOMIC_RELAXED);
}

static void
survey(struct wide *w)
{
   jit_wide_ask_anew(w->out, w->j.k);
   for (uint32_t i = 0; i + 2 < w->j.k->op_count; i++)
      survey_one(w, &w->j.k->ops[i]);
}

/* ---- sources -------------------------------------------------------------------------------- */

/* Lanes of a place moved, to another place. */
static void
move_lanes(struct wide *w, enum move move, unsigned from, unsigned to)
{
   struct jit *j = &w->j;
   j->pinned = 0;
   struct x86_rm at = jit_place(j, from);
   if (!at.memory)
      j->pinned |= 1u << (at.reg - KEPT);
   unsigned r = jit_new_register(j);
   if (move == MOVE_SWAP)
      vex_imm(&j->a, VPERMILPS_I, r, 0, at, 0xb1);
   else
      vex(&j->a, move == MOVE_EVEN ? VMOVSLDUP : VMOVSHDUP, r, 0, at);
   jit_store_whole(j, to, r);
}

static unsigned
moved(struct wide *w, enum move move, unsigned group, unsigned dword)
{
   unsigned slot = slot_of(dword), from = place_of(group, slot);
   unsigned first = dword / 8 * 8 + dword % 4;
   bool never = !w->written[first] && !w->written[first + 4];
   bool lasts = never && move != MOVE_SWAP && LONG_FIRST + w->long_slots < SLOT_END;
   uint16_t *known = lasts ? &w->moved[move][group][slot] : NULL;
   if (known && *known)
      return *known;
   unsigned to = lasts ? (LONG_FIRST + w->long_slots++) * SLOT_B : short_place(w);
   move_lanes(w, move, from, to);
   if (known)
      *known = (uint16_t)to;
   return to;
}

/* even's even lanes with odd's odd ones. */
static unsigned
mixed(struct wide *w, unsigned even, unsigned odd)
{
   struct jit *j = &w->j;
   unsigned to = short_place(w);
   j->pinned = 0;
   vex(&j->a, VMOVDQU_LOAD, SCRATCH, 0, jit_place(j, even));
   struct x86_rm at = jit_place(j, odd);
   if (!at.memory)
      j->pinned |= 1u << (at.reg - KEPT);
   unsigned r = jit_new_register(j);
   vex_imm(&j->a, VBLENDPS_I, r, SCRATCH, at, ODD_LANES);
   jit_store_whole(j, to, r);
   return to;
}

/* A place whose even lanes have a dword of the first vertices' threads, the odd ones another;
 * NO_CHANNEL: they may have anything. */
static unsigned
source_place(struct wide *w, const struct eu_op *op, unsigned n, unsigned group, unsigned even,
             unsigned odd)
{
   unsigned e = even != NO_CHANNEL ? source_dword(op, n, even) : source_dword(op, n, odd),
            o = odd != NO_CHANNEL ? source_dword(op, n, odd) : e;
   if (odd == NO_CHANNEL)
      return second_of(e) ? moved(w, MOVE_ODD, group, e) : place_of(group, slot_of(e));
   if (even == NO_CHANNEL)
      return second_of(o) ? place_of(group, slot_of(o)) : moved(w, MOVE_EVEN, group, o);
   if (slot_of(e) != slot_of(o))
      return mixed(w, second_of(e) ? moved(w, MOVE_ODD, group, e) : place_of(group, slot_of(e)),
                   second_of(o) ? place_of(group, slot_of(o)) : moved(w, MOVE_EVEN, group, o));
   if (second_of(e) == second_of(o))
      return moved(w, second_of(e) ? MOVE_ODD : MOVE_EVEN, group, e);
   return second_of(o) ? place_of(group, slot_of(e)) : moved(w, MOVE_SWAP, group, e);
}

static void
settle_slot(struct wide *w, unsigned slot)
{
   struct jit *j = &w->j;
   for (unsigned g = 0; g < WIDE_GROUPS && w->open[slot]; g++) {
      unsigned at = place_of(g, slot);
      j->pinned = 0;
      unsigned r = jit_new_register(j);
      vex(&j->a, VMOVDQU_LOAD, SCRATCH + 1, 0, jit_place(j, at));
      jit_settle(j, r, SCRATCH + 1);
      if (w->open[slot] != ALL_LANES)
         vex_imm(&j->a, VBLENDPS_I, r, SCRATCH + 1, x86_reg(r), w->open[slot]);
      jit_store_whole(j, at, r);
   }
   w->open[slot] = 0;
}

/* ---- operations ----------------------------------------------------------------------------- */

/* An operation of eight vertices, from places; its immediates stay where the code finds them. */
static struct eu_op *
turned(struct wide *w, const struct eu_op *op, unsigned even, unsigned odd)
{
   struct eu_op *to = &w->constants.ops[w->constants.op_count];
   unsigned e = even != NO_CHANNEL ? even : odd, o = odd != NO_CHANNEL ? odd : e;
   *to = (struct eu_op){.d = &w->detail,
                        .no_mask = UINT32_MAX,
                        .channels = 0xff,
                        .dst_kind = FAST_TO_DWORDS,
                        .count = 1,
                        .operation = op->operation,
                        .fast = true};
   bool immediate = false;
   for (unsigned n = 0; n < sources_of(op); n++) {
      to->kind[n] = op->kind[n] == FAST_CONST ? FAST_CONST : FAST_VECTOR;
      to->modifier[n] = op->modifier[n];
      immediate = immediate || to->kind[n] == FAST_CONST;
      for (unsigned c = 0; c < 8; c++)
         to->vec[n][c] = op->vec[n][c & 1 ? o : e];
   }
   w->constants.op_count += immediate;
   return to;
}

/* Four vertices of a place as doubles. */
static void
widen(struct jit *j, unsigned to, const struct eu_op *op, unsigned n, unsigned part)
{
   if (op->kind[n] == FAST_CONST || op->modifier[n]) {
      jit_load_into(j, op, n, 0, to, true);
      if (part)
         vex_imm(&j->a, VEXTRACTF128_I, to, 0, x86_reg(to), 1);
      vex(&j->a, VCVTPS2PD, to, 0, x86_reg(to));
      return;
   }
   struct x86_rm at = jit_place(j, op->src[n][0]);
   if (at.memory) {
      at.disp += part ? 16 : 0;
   } else if (part) {
      vex_imm(&j->a, VEXTRACTF128_I, at.reg, 0, x86_reg(to), 1);
      at = x86_reg(to);
   }
   vex(&j->a, VCVTPS2PD, to, 0, at);
}

/* EU-156: in double, term by term. */
static void
dot(struct wide *w, struct eu_op *const term[4], unsigned terms, bool homogeneous, unsigned to)
{
   struct jit *j = &w->j;
   struct x86 *a = &j->a;
   unsigned x = SCRATCH, y = SCRATCH + 1, sum = SCRATCH + 2;
   j->pinned = 0;
   for (unsigned k = 0; k < terms; k++)
      for (unsigned n = 0; n < 2; n++) {
         int kept = jit_find_kept(j, term[k]->src[n][0]);
         if (kept >= 0)
            j->pinned |= 1u << kept;
      }
   unsigned r = jit_new_register(j);
   for (unsigned part = 0; part < 2; part++) {
      for (unsigned k = 0; k < terms; k++) {
         widen(j, y, term[k], 1, part);
         if (k == 3 && homogeneous) {
            vex(a, VADDPD, sum, sum, x86_reg(y));
            continue;
         }
         widen(j, x, term[k], 0, part);
         vex(a, VMULPD, k ? x : sum, x, x86_reg(y));
         if (k)
            vex(a, VADDPD, sum, sum, x86_reg(x));
      }
      vex(a, VCVTPD2PS, part ? sum : r, 0, x86_reg(sum));
   }
   vex_imm(a, VINSERTF128_I, r, r, x86_reg(sum), 1);
   if (w->detail.saturate)
      jit_saturate(j, r);
   jit_store_whole(j, to, r);
}

static void
emit_dot(struct wide *w, const struct eu_op *op, unsigned group, unsigned to)
{
   unsigned f = op->operation, terms = f == FAST_F_DP2 ? 2 : f == FAST_F_DP3 ? 3 : 4;
   struct eu_op *term[4], list[4];
   uint32_t count = w->constants.op_count;
   for (unsigned k = 0; k < terms; k++) {
      term[k] = turned(w, op, k, k + 4);
      if (w->constants.op_count == count) { /* has no immediate: its place is taken by the next */
         list[k] = *term[k];
         term[k] = &list[k];
      }
      count = w->constants.op_count;
      for (unsigned n = 0; n < 2; n++)
         if (term[k]->kind[n] == FAST_VECTOR)
            term[k]->src[n][0] = (uint16_t)source_place(w, op, n, group, k, k + 4);
   }
   dot(w, term, terms, f == FAST_F_DPH, to);
}

/* What channels `even` and `odd` of it give, to a place. */
static void
emit_operation(struct wide *w, const struct eu_op *op, unsigned group, unsigned even, unsigned odd,
               unsigned to)
{
   if (is_dot(op->operation)) {
      emit_dot(w, op, group, to);
      return;
   }
   uint16_t from[3] = {0, 0, 0};
   for (unsigned n = 0; n < sources_of(op); n++)
      if (op->kind[n] != FAST_CONST)
         from[n] = (uint16_t)source_place(w, op, n, group, even, odd);
   struct eu_op *one = turned(w, op, even, odd);
   for (unsigned n = 0; n < 3; n++)
      one->src[n][0] = from[n];
   one->dst[0] = (uint16_t)to;
   w->j.pinned = 0;
   if (!jit_alu(&w->j, one))
      w->j.failed = true;
}

static void
copy(struct wide *w, unsigned from, unsigned to, unsigned lanes)
{
   struct jit *j = &w->j;
   j->pinned = 0;
   unsigned r = jit_new_register(j);
   if (lanes == ALL_LANES) {
      vex(&j->a, VMOVDQU_LOAD, r, 0, jit_place(j, from));
   } else {
      vex(&j->a, VMOVDQU_LOAD, SCRATCH, 0, jit_place(j, to));
      vex(&j->a, VMOVDQU_LOAD, SCRATCH + 1, 0, jit_place(j, from));
      vex_imm(&j->a, VBLENDPS_I, r, SCRATCH, x86_reg(SCRATCH + 1), lanes);
   }
   jit_store_whole(j, to, r);
}

/* Are bits of a NaN looked at, or handed on? Nearly all of arithmetic sees just that it is one. */
static bool
looks_at_bits(const struct eu_op *op)
{
   return op->operation >= FAST_I_MOV;
}

/* A vector that it writes, and which channels of the instruction are in its lanes. */
struct target {
   unsigned slot, even, odd, place[WIDE_GROUPS];
};

static unsigned
find_targets(const struct eu_op *op, struct target list[8])
{
   unsigned count = 0;
   for (unsigned c = 0; c < 8; c++) {
      if (!writes_channel(op, c))
         continue;
      unsigned dword = target_dword(op, c), i = 0;
      while (i < count && list[i].slot != slot_of(dword))
         i++;
      if (i == count)
         list[count++] =
             (struct target){.slot = slot_of(dword), .even = NO_CHANNEL, .odd = NO_CHANNEL};
      *(second_of(dword) ? &list[i].odd : &list[i].even) = c;
   }
   return count;
}

/* Is any of its targets a source too? Then results wait until all have been computed. */
static bool
overlaps(const struct eu_op *op, const struct target *list, unsigned count)
{
   for (unsigned n = 0; n < sources_of(op); n++)
      for (unsigned c = 0; c < 8 && op->kind[n] != FAST_CONST; c++)
         for (unsigned i = 0; i < count; i++)
            if (reads_channel(op, c) && slot_of(source_dword(op, n, c)) == list[i].slot)
               return true;
   return false;
}

static void
settle_sources(struct wide *w, const struct eu_op *op)
{
   for (unsigned n = 0; n < sources_of(op); n++)
      for (unsigned c = 0; c < 8 && op->kind[n] != FAST_CONST; c++)
         if (reads_channel(op, c))
            settle_slot(w, slot_of(source_dword(op, n, c)));
}

static void
translate_one(struct wide *w, const struct eu_op *op)
{
   struct target list[8];
   unsigned count = find_targets(op, list);
   bool wait = overlaps(op, list, count) && count > 1, bits = looks_at_bits(op);
   w->short_slots = 0;
   w->detail = *op->d;
   w->detail.exec_size = 8;
   w->detail.channels = w->detail.chan_en = 0xff;
   w->detail.align16 = false;
   if (bits)
      settle_sources(w, op);
   for (unsigned i = 0; i < count; i++) {
      struct target *t = &list[i];
      bool part = t->even == NO_CHANNEL || t->odd == NO_CHANNEL;
      for (unsigned g = 0; g < WIDE_GROUPS; g++) {
         t->place[g] = wait || part ? short_place(w) : place_of(g, t->slot);
         if (is_dot(op->operation) && i)
            copy(w, list[0].place[g], t->place[g], ALL_LANES);
         else
            emit_operation(w, op, g, t->even, t->odd, t->place[g]);
      }
   }
   for (unsigned i = 0; i < count; i++) {
      struct target *t = &list[i];
      unsigned lanes =
          (t->even != NO_CHANNEL ? EVEN_LANES : 0) | (t->odd != NO_CHANNEL ? ODD_LANES : 0);
      for (unsigned g = 0; g < WIDE_GROUPS; g++)
         if (t->place[g] != place_of(g, t->slot))
            copy(w, t->place[g], place_of(g, t->slot), lanes);
      bool computes = op->operation < FAST_F_TO_D ||
                      (op->operation >= FAST_F_INV && op->operation <= FAST_F_POW);
      w->open[t->slot] &= (uint8_t)~lanes;
      w->open[t->slot] |= (uint8_t)(computes && !op->d->saturate ? lanes : 0);
   }
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void
translate(struct wide *w)
{
   static const uint8_t saved[3] = {REG_THREAD, REG_CONST, REG_OPS}; /* three: aligned again */
   struct jit *j = &w->j;
   struct x86 *a = &j->a;
   const struct eu_kernel *k = j->k;
   const struct sf_quick *q = &k->ops[k->op_count - 2].d->quick;
   for (unsigned i = 0; i < 3; i++)
      x86_push(a, saved[i]);
   x86_op(a, X86_LOAD, true, REG_THREAD, x86_reg(RDI));
   x86_mov_imm(a, REG_CONST, (uint64_t)(uintptr_t)&jit_constants);
   x86_mov_imm(a, REG_OPS, (uint64_t)(uintptr_t)w->constants.ops);
   jit_forget(j);
   j->k = &w->constants;
   for (uint32_t i = 0; i + 2 < k->op_count; i++)
      translate_one(w, &k->ops[i]);
   for (unsigned slot = q->payload / 32u * 4; slot < (q->payload / 32u + q->sources) * 4; slot++)
      settle_slot(w, slot);
   x86_vzeroupper(a);
   for (unsigned i = 3; i-- > 0;)
      x86_pop(a, saved[i]);
   x86_ret(a);
}

static bool
make(struct wide *w, const struct eu_kernel *k, struct jit_wide *out)
{
   const struct sf_quick *q = &k->ops[k->op_count - 2].d->quick;
   size_t room = ((size_t)k->op_count * BYTES_PER_OP + 4095) & ~(size_t)4095;
   out->size = room;
   out->code = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (out->code == MAP_FAILED) {
      out->code = NULL;
      return false;
   }
   size_t most = 1; /* that is at hand; and one for each component, or term of a sum */
   for (uint32_t i = 0; i + 2 < k->op_count; i++)
      for (unsigned n = 0; n < sources_of(&k->ops[i]); n++)
         most += k->ops[i].kind[n] == FAST_CONST ? 8 * WIDE_GROUPS : 0;
   out->constants = aligned_alloc(32, most * sizeof(struct eu_op));
   if (!out->constants)
      return false;
   w->j = (struct jit){.a = {.code = out->code, .room = room}, .k = k, .version = FULL};
   w->j.wide = true;
   w->constants.ops = out->constants;
   w->out = out;
   survey(w);
   out->header = (uint8_t)(q->payload / 32u - 1);
   out->rows = q->sources;
   out->urb_offset = q->urb_offset;
   out->instructions = k->op_count - 1;
   translate(w);
   size_t used = (w->j.a.size + 4095) & ~(size_t)4095;
   if (w->j.failed || w->j.a.size > room || mprotect(out->code, room, PROT_READ | PROT_EXEC))
      return false;
   if (used < room)
      munmap(out->code + used, room - used);
   out->size = used;
   return true;
}

struct jit_wide *
jit_translate_wide(const struct eu_kernel *k)
{
   if (!is_for_vertices(k))
      return NULL;
   struct jit_wide *out = calloc(1, sizeof(*out));
   struct wide *w = calloc(1, sizeof(*w));
   bool ok = out && w && make(w, k, out);
   if (ok)
      out->memory = out->size + (w->constants.op_count + 1) * sizeof(struct eu_op);
   free(w);
   if (ok)
      return out;
   jit_free_wide(out);
   return NULL;
}

void
jit_free_wide(struct jit_wide *w)
{
   if (!w)
      return;
   if (w->code)
      munmap(w->code, w->size);
   free(w->constants);
   free(w);
}

/* ---- running -------------------------------------------------------------------------------- */

bool
eu_wide_begin(struct eu_wide *w, const struct eu_thread *fresh)
{
   struct eu_kernel *k = fresh->kernel;
   const struct jit_wide *code = eu_kernel_wide(fresh->env->dev->eu, k);
   bool nearest = !eu_rounding(fresh);
   if (!code || fresh->dispatch_mask != 0xff || !nearest || sf_observed(fresh) ||
       fresh->env->dev->eu->counting) /* what is counted is executed thread by thread */
      return false;
   for (unsigned i = 0; i < 2; i++)
      if ((code->needs[i] | __atomic_load_n(&code->asks[i], __ATOMIC_RELAXED)) &
          ~fresh->initialised[i])
         return false;
   *w = (struct eu_wide){.instructions = code->instructions,
                         .needs = {code->needs[0], code->needs[1]},
                         .writes = {code->writes[0], code->writes[1]},
                         .header = code->header,
                         .rows = code->rows,
                         .urb_offset = code->urb_offset};
   memcpy(&w->enter, &code->code, sizeof(w->enter));
   return true;
}
