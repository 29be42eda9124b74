/* A kernel's bytes to operations: decode from the start to where it must have ended, place the
 * joins, resolve the branches. */
#include "eu/arf.h"
#include "eu/check.h"
#include "eu/jit/jit.h"

#include <stdlib.h>
#include <string.h>

/* What one decoding takes at most; a longer kernel goes on in another. OpenCL compilers that inline
 * everything make kernels of half of this. */
#define WINDOW_BYTES (1u << 20)
/* Where a thread arrives elsewhere than at its start it is not known how much of it will be run,
 * and an instruction takes a hundred times as long to decode as to execute: a little at first,
 * twice as much whenever a thread runs on behind its end. */
#define FIRST_BYTES (1u << 10)

struct builder {
   struct eu_thread *t;
   struct eu_kernel *k;
   uint32_t available;   /* bytes that could be read */
   uint32_t window;      /* bytes that are decoded at most */
   uint32_t last_target; /* the farthest that something seen jumps to, from the start */
   uint32_t count;       /* instructions */
   unsigned last_opcode; /* of the instruction before */
   uint32_t detail_room;
   uint32_t *at;  /* offset from the start, by instruction */
   uint8_t *join; /* by offset / 8 */
   bool cut;      /* the kernel goes on behind the window */
   bool starved;  /* there was no memory */
};

/* One page more; false: there is none. */
static bool
read_page(struct builder *b)
{
   const struct eu_env *env = b->t->env;
   uint32_t address = b->k->address + b->available;
   uint32_t chunk = MEM_PAGE_SIZE - (address & (MEM_PAGE_SIZE - 1));
   if (address + chunk < address || (env->instruction_end && address >= env->instruction_end))
      return false;
   if (b->available + chunk > WINDOW_BYTES) {
      b->cut = true;
      return false;
   }
   if (!mem_probe(env->space, address, chunk, MEM_READ))
      return false;
   uint8_t *bytes = realloc(b->k->bytes, b->available + chunk);
   b->starved = !bytes;
   if (!bytes)
      return false;
   b->k->bytes = bytes;
   if (!mem_read(env->space, address, bytes + b->available, chunk))
      return false;
   b->available += chunk;
   return true;
}

/* Bytes from `at` on that an instruction may take; reads on when it must. */
static uint32_t
available_at(struct builder *b, uint32_t at)
{
   if (at + EU_INST_SIZE > b->available)
      read_page(b);
   return b->available > at ? b->available - at : 0;
}

static bool
is_branch(const struct eu_inst *i)
{
   switch (i->opcode) {
   case EU_OP_IF:
   case EU_OP_ELSE:
   case EU_OP_ENDIF:
   case EU_OP_WHILE:
   case EU_OP_BREAK:
   case EU_OP_CONT:
   case EU_OP_HALT:
   case EU_OP_BRD:
   case EU_OP_BRC:
   case EU_OP_CALL:
   case EU_OP_CALLA:
      return true;
   default:
      return false;
   }
}

static bool
has_uip(const struct eu_inst *i)
{
   return eu_opcodes[i->opcode & 0x7f].attrs & EU_OP_UIP;
}

/* Somebody may wait or arrive at this offset. */
static void
mark(struct builder *b, int64_t offset)
{
   if (offset >= (int64_t)b->window)
      b->cut = true;
   if (offset < 0 || offset >= (int64_t)b->window || offset & 7)
      return;
   b->join[offset / 8] = 1;
   if (offset > b->last_target)
      b->last_target = (uint32_t)offset;
}

static bool
is_hsw(const struct builder *b)
{
   return b->t->env->dev->hw_device & HW_HSW;
}

static int64_t
jump_distance(const struct builder *b, const struct eu_inst *i)
{
   if (i->opcode == EU_OP_JMPI)
      return i->size + (is_hsw(b) ? (int64_t)(int32_t)i->src[0].imm : (int16_t)i->src[0].imm * 8);
   return i->jip * (int64_t)8;
}

static void
mark_targets(struct builder *b, const struct eu_inst *i, uint32_t at)
{
   if (i->opcode == EU_OP_JMPI && i->src[0].file == EU_FILE_IMM)
      mark(b, at + jump_distance(b, i));
   if (!is_branch(i))
      return;
   mark(b, at + jump_distance(b, i));
   mark(b, at + i->size);
   if (has_uip(i)) {
      int64_t uip = at + i->uip * (int64_t)8;
      mark(b, uip);
      if (i->opcode == EU_OP_BREAK) { /* behind the while, compact or not */
         mark(b, uip + EU_COMPACT_SIZE);
         mark(b, uip + EU_INST_SIZE);
      }
   }
}

static bool
uses_time(const struct eu_inst *i)
{
   for (unsigned n = 0; n < 3; n++)
      if (i->src[n].file == EU_FILE_ARF && (i->src[n].nr & 0xf0) == EU_ARF_TM)
         return true;
   return false;
}

/* MEDIA-211: FFTID is in r0.5, as one element (all of r0 is copied to make headers), and in sr0. */
static bool
asks_slot(const struct eu_inst *i)
{
   for (unsigned n = 0; n < 3; n++) {
      const struct eu_operand *o = &i->src[n];
      bool one = i->exec_size == 1 || (!o->vstride && o->width == 1);
      if (o->file == EU_FILE_ARF && (o->nr & 0xf0) == EU_ARF_SR)
         return true;
      if (o->file == EU_FILE_GRF && !o->indirect && !o->nr && o->subnr / 4 == 5 && one)
         return true;
   }
   return false;
}

static bool
grow(struct builder *b)
{
   if (b->count < b->detail_room)
      return true;
   uint32_t room = b->detail_room ? b->detail_room * 2 : 64;
   void *d = realloc(b->k->details, room * sizeof(*b->k->details));
   b->starved = !d;
   if (!d)
      return false;
   b->k->details = d;
   uint32_t *at = realloc(b->at, room * sizeof(*at));
   b->starved = !at;
   if (!at)
      return false;
   b->at = at;
   b->detail_room = room;
   return true;
}

/* Ends the decoding: nothing seen so far can get past it. */
static bool
ends(const struct eu_inst *i, bool legal_opcode)
{
   bool send = i->opcode == EU_OP_SEND || i->opcode == EU_OP_SENDC;
   return (send && i->eot) || !legal_opcode;
}

static bool
decode_all(struct builder *b)
{
   unsigned device = b->t->env->dev->hw_device;
   uint32_t at = 0;
   uint32_t left;
   while (at < b->window && (left = available_at(b, at)) >= EU_COMPACT_SIZE) {
      if (!grow(b))
         return false;
      struct eu_detail *d = &b->k->details[b->count];
      const char *why = NULL;
      memset(d, 0, sizeof(*d));
      bool legal = eu_inst_decode(b->k->bytes + at, left, device, &d->inst, &why);
      d->complaint = legal ? NULL : why;
      d->illegal = !eu_opcode_info(d->inst.opcode, device) || d->inst.opcode == EU_OP_ILLEGAL ||
                   (!d->inst.compact && b->k->bytes[at] & 0x80); /* EU-061, EU-208 */
      if (d->inst.size > left)
         break;
      b->at[b->count++] = at;
      b->k->timed = b->k->timed || uses_time(&d->inst);
      b->k->asks_slot = b->k->asks_slot || asks_slot(&d->inst);
      if (!d->illegal)
         mark_targets(b, &d->inst, at);
      at += d->inst.size;
      if (ends(&d->inst, !d->illegal) && at > b->last_target)
         break;
   }
   b->cut |= at >= b->window;
   b->k->size = at;
   return b->count > 0;
}

static const struct eu_op *
resolve(const struct builder *b, int64_t offset)
{
   if (offset < 0 || offset >= b->k->size || offset & 7)
      return NULL;
   uint32_t index = b->k->index[offset / 8];
   return index ? &b->k->ops[index - 1] : NULL;
}

static void
emit(struct builder *b, uint32_t n)
{
   struct eu_kernel *k = b->k;
   struct eu_detail *d = &k->details[n];
   uint32_t at = b->at[n];
   struct eu_op *op = &k->ops[k->op_count];
   memset(op, 0, sizeof(*op));
   k->index[at / 8] = k->op_count + 1;
   if (b->join[at / 8]) {
      op->fn = eu_exec_join;
      op->slow = eu_exec_join_slow;
      op->ip = op->next_ip = k->start + at;
      op->d = d;
      k->op_count++;
      op++;
      memset(op, 0, sizeof(*op));
   }
   op->ip = k->start + at;
   op->next_ip = op->ip + d->inst.size;
   eu_lower(d, op);
   if (d->illegal)
      op->fn = op->slow = d->real = eu_exec_illegal;
   else
      eu_fast_select(b->t->env->dev->eu->fast, d, op);
   if (op->fn == eu_exec_send)
      eu_send_select(b->t->env->dev, d, op);
   eu_events_select(b->t->env->dev->eu, d);
   if (rules_on(b->t->env->dev)) {
      eu_check_instruction(b->t, d, op->ip);
      eu_check_neighbours(b->t, d, op->ip, b->last_opcode);
      eu_check_registers(d);
      d->checked = op->fn;
      d->checked_slow = op->slow;
      op->fn = eu_exec_checked;
      op->slow = eu_exec_checked_slow;
   }
   b->last_opcode = d->opcode;
   if (d->inst.debug) {
      d->real = op->slow;
      op->fn = op->slow = eu_exec_breakpoint;
   }
   k->op_count++;
}

/* Whether there is an instruction is seen when a thread goes there (EU-187): it lies behind a
 * window that was too small, or in front of one that does not begin where the thread did. */
static bool
in_another_window(const struct builder *b, int64_t offset)
{
   return offset < 0 ? b->k->start + offset >= b->t->kernel_start : offset >= b->k->size && b->cut;
}

static void
check_target(struct builder *b, const struct eu_op *op, const struct eu_op *target, int64_t offset,
             const char *which)
{
   if (rules_on(b->t->env->dev) && (target || !in_another_window(b, offset)))
      eu_check_target(b->t, op, target, which);
}

static void
link_branches(struct builder *b, uint32_t n)
{
   struct eu_kernel *k = b->k;
   const struct eu_inst *i = &k->details[n].inst;
   uint32_t at = b->at[n];
   struct eu_op *op = &k->ops[k->index[at / 8] - 1];
   if (op->fn == eu_exec_join)
      op++;
   if (i->opcode == EU_OP_JMPI ? i->src[0].file == EU_FILE_IMM : is_branch(i)) {
      int64_t offset = at + jump_distance(b, i);
      op->jip = resolve(b, offset);
      check_target(b, op, op->jip, offset, i->opcode == EU_OP_JMPI ? "the jump" : "JIP");
   }
   if (has_uip(i)) {
      int64_t offset = at + i->uip * (int64_t)8;
      op->uip = resolve(b, offset);
      check_target(b, op, op->uip, offset, "UIP");
   }
}

static bool
emit_all(struct builder *b)
{
   struct eu_kernel *k = b->k;
   uint32_t joins = 0;
   for (uint32_t n = 0; n < b->count; n++)
      joins += b->join[b->at[n] / 8];
   uint32_t room = b->count + joins + 1;
   k->ops = aligned_alloc(64, (room * sizeof(*k->ops) + 63) & ~(size_t)63);
   k->index = calloc(k->size / 8 + 1, sizeof(*k->index));
   b->starved = !k->ops || !k->index;
   if (b->starved)
      return false;
   for (uint32_t n = 0; n < b->count; n++)
      emit(b, n);
   for (uint32_t n = 0; n < b->count; n++)
      if (!k->details[n].illegal)
         link_branches(b, n);
   struct eu_op *end = &k->ops[k->op_count++];
   memset(end, 0, sizeof(*end));
   end->fn = end->slow = eu_exec_end;
   end->ip = end->next_ip = k->start + k->size;
   for (uint32_t i = 0; i < k->op_count; i++)
      k->ops[i].number = i;
   eu_kernel_survey(k);
   k->memory = room * sizeof(*k->ops) + b->count * sizeof(*k->details) + k->size * 2;
   return true;
}

void
eu_kernel_free(struct eu_kernel *k)
{
   if (!k)
      return;
   free(k->executed);
   free(k->bytes);
   free(k->details);
   free(k->ops);
   free(k->index);
   jit_free(k->native);
   jit_free(k->series);
   jit_free_wide(k->wide);
   free(k);
}

static bool
build(struct builder *b)
{
   b->join = calloc(b->window / 8, 1);
   b->starved = !b->join;
   return b->join && decode_all(b) && emit_all(b);
}

static uint32_t
window_of(const struct eu_thread *t, uint32_t ip)
{
   const struct eu_kernel *before = t->kernel;
   if (ip == t->kernel_start)
      return WINDOW_BYTES;
   if (!before || ip != before->start + before->size)
      return FIRST_BYTES;
   return before->window < WINDOW_BYTES / 2 ? 2 * before->window : WINDOW_BYTES;
}

struct eu_kernel *
eu_kernel_build(struct eu_thread *t, uint32_t ip, bool *starved)
{
   struct builder b = {
       .t = t, .k = calloc(1, sizeof(struct eu_kernel)), .window = window_of(t, ip)};
   if (!b.k) {
      *starved = true;
      return NULL;
   }
   b.k->space = t->env->space;
   b.k->pp_dir_base = t->env->space->pp_dir_base;
   b.k->address = t->env->instruction_base + ip;
   b.k->start = ip;
   b.k->window = b.window;
   bool ok = build(&b);
   free(b.join);
   free(b.at);
   if (ok) {
      eu_profile_kernel(t->env->dev->eu, b.k);
      return b.k;
   }
   *starved |= b.starved;
   eu_kernel_free(b.k);
   return NULL;
}
