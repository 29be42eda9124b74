/* Messages: the most common ones in line, others through their short ways. */
#include "eu/jit/translate.h"

#include "shared_functions/quick.h"

#include <string.h>

/* Knows no surface: what comes after a message that took another way looks here, and takes another way too. */
const struct sf_buffers jit_no_buffers;

#define FIELD(base, type, member) x86_mem(base, (int32_t)offsetof(type, member))

void
jit_short_way(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   const void *fn;
   memcpy(&fn, &op->d->quick.fn, sizeof(fn));
   x86_op(a, X86_LOAD, false, RDX, x86_reg(RAX));
   x86_mov_imm(a, RSI, (uint64_t)(uintptr_t)&op->d->quick);
   jit_call(j, fn);
   x86_op(a, X86_TEST8, false, RAX, x86_reg(RAX));
}

/* ---- rows of a raw buffer, in line -------------------------------------------------------------- */

struct ways_out {
   size_t at[DETOUR_WAYS];
   unsigned count;
};

static void
out_if(struct jit *j, struct ways_out *w, enum x86_cond cond)
{
   size_t at = x86_jump_if(&j->a, cond);
   if (w->count < DETOUR_WAYS)
      w->at[w->count++] = at;
   else
      j->failed = true; /* cannot be: they are counted */
}

/* REG_BUFFERS: the buffers that the host thread knows, if they are those of this thread and nobody observes. */
static void
load_buffers(struct jit *j, struct ways_out *w)
{
   struct x86 *a = &j->a;
   const struct pergola_device *dev = j->k->space->dev;
   x86_op(a, X86_LOAD, true, REG_BUFFERS, THREAD(buffers));
   x86_op(a, X86_TEST, true, REG_BUFFERS, x86_reg(REG_BUFFERS));
   out_if(j, w, CC_Z);
   x86_mov_imm(a, RCX, (uint64_t)(uintptr_t)dev);
   x86_test_imm(a, FIELD(RCX, struct pergola_device, trace.wanted),
                1u << PERGOLA_EVENT_MESSAGE | 1u << PERGOLA_EVENT_MEMORY);
   out_if(j, w, CC_NZ);
   x86_op(a, X86_LOAD, true, RCX, FIELD(RCX, struct pergola_device, surfaces));
   x86_op(a, X86_MOVZX8, false, RDX, FIELD(RCX, struct surface_cache, hazards));
   x86_op(a, X86_TEST, false, RDX, x86_reg(RDX));
   out_if(j, w, CC_NZ);
   x86_op(a, X86_LOAD, false, RDX, FIELD(RCX, struct surface_cache, generation));
   x86_op(a, X86_CMP, false, RDX, FIELD(REG_BUFFERS, struct sf_buffers, generation));
   out_if(j, w, CC_NE);
   x86_op(a, X86_LOAD, true, RCX, THREAD(env));
   x86_op(a, X86_LOAD, true, RDX, FIELD(RCX, struct eu_env, space));
   x86_op(a, X86_CMP, true, RDX, FIELD(REG_BUFFERS, struct sf_buffers, space));
   out_if(j, w, CC_NE);
   x86_op(a, X86_LOAD, false, RDX, FIELD(RCX, struct eu_env, surface_state_base));
   x86_op(a, X86_ADD, false, RDX, THREAD(binding_table));
   x86_op(a, X86_CMP, false, RDX, FIELD(REG_BUFFERS, struct sf_buffers, table));
   out_if(j, w, CC_NE);
}

static struct x86_rm
register_or_memory(const struct jit *j, unsigned offset)
{
   int kept = jit_find_kept(j, offset);
   return kept < 0 ? jit_grf(offset) : x86_reg(KEPT + (unsigned)kept);
}

/* eax = the first slot's offset; leaves unless all slots follow it, dword by dword. */
static void
check_row(struct jit *j, const struct sf_quick *q, struct ways_out *w)
{
   struct x86 *a = &j->a;
   int kept = jit_find_kept(j, q->payload);
   if (kept >= 0)
      vex128(a, VMOVD_STORE, KEPT + (unsigned)kept, 0, x86_reg(RAX));
   else
      x86_op(a, X86_LOAD, false, RAX, jit_grf(q->payload));
   vex(a, VPBROADCASTD, SCRATCH, 0, kept >= 0 ? x86_reg(KEPT + (unsigned)kept) : jit_grf(q->payload));
   vex(a, VPADDD, SCRATCH + 1, SCRATCH, CONSTANT(dwords[0]));
   vex(a, VPXOR, SCRATCH + 1, SCRATCH + 1, register_or_memory(j, q->payload));
   if (q->row == 2) {
      vex(a, VPADDD, SCRATCH + 2, SCRATCH, CONSTANT(dwords[8]));
      vex(a, VPXOR, SCRATCH + 2, SCRATCH + 2, register_or_memory(j, q->payload + 32u));
      vex(a, VPOR, SCRATCH + 1, SCRATCH + 1, x86_reg(SCRATCH + 2));
   }
   vex(a, VPTEST, SCRATCH + 1, 0, x86_reg(SCRATCH + 1));
   out_if(j, w, CC_NZ);
   x86_test_imm(a, x86_reg(RAX), 3);
   out_if(j, w, CC_NZ);
}

/* rsi = host address of the row at offset eax; leaves unless it lies inside, in one page that is translated. */
static void
locate_row(struct jit *j, const struct sf_quick *q, struct ways_out *w)
{
   struct x86 *a = &j->a;
   int32_t size = 32 * q->row;
   int32_t buffer = (int32_t)(offsetof(struct sf_buffers, buffer) + q->bti * sizeof(struct sf_buffer));
   x86_test_imm(a, x86_mem(REG_BUFFERS, (int32_t)offsetof(struct sf_buffers, known) + q->bti / 32 * 4),
                1u << q->bti % 32);
   out_if(j, w, CC_Z);
   x86_op(a, X86_LEA, true, RDI, x86_mem(RAX, size));
   x86_op(a, X86_LOAD, false, RDX, x86_mem(REG_BUFFERS, buffer + (int32_t)offsetof(struct sf_buffer, size)));
   x86_op(a, X86_CMP, true, RDI, x86_reg(RDX));
   out_if(j, w, CC_A);
   x86_op(a, X86_ADD, false, RAX, x86_mem(REG_BUFFERS, buffer + (int32_t)offsetof(struct sf_buffer, base)));
   x86_op(a, X86_LOAD, false, RDI, x86_reg(RAX));
   x86_imm(a, X86_AND_I, false, x86_reg(RDI), MEM_PAGE_SIZE - 1);
   x86_imm(a, X86_CMP_I, false, x86_reg(RDI), (int32_t)MEM_PAGE_SIZE - size);
   out_if(j, w, CC_A);
   x86_shift(a, false, RAX, 12);
   x86_imm(a, X86_CMP_I, false, x86_reg(RAX), MEM_SPACE_PAGES);
   out_if(j, w, CC_AE);
   x86_op(a, X86_LOAD, true, RSI, FIELD(REG_BUFFERS, struct sf_buffers, space));
   x86_op(a, X86_LOAD, true, RSI, FIELD(RSI, struct mem_space, table));
   x86_load_indexed(a, RSI, RSI, RAX);
   x86_test_imm(a, x86_reg(RSI), q->writes ? MEM_ENTRY_WRITE : MEM_ENTRY_READ);
   out_if(j, w, CC_Z);
   x86_imm(a, X86_AND_I, true, x86_reg(RSI), ~(int32_t)MEM_ENTRY_FLAGS);
   x86_op(a, X86_ADD, true, RSI, x86_reg(RDI));
}

static void
copy_row(struct jit *j, const struct sf_quick *q)
{
   struct x86 *a = &j->a;
   unsigned r[2] = {0, 0};
   for (unsigned i = 0; i < q->row; i++) {
      unsigned offset = q->payload + 32u * (q->row + i);
      int kept = jit_find_kept(j, offset);
      if (!q->writes) {
         r[i] = jit_new_register(j);
         vex(a, VMOVDQU_LOAD, r[i], 0, x86_mem(RSI, 32 * (int32_t)i));
         continue;
      }
      r[i] = kept >= 0 ? KEPT + (unsigned)kept : SCRATCH + i;
      if (kept < 0)
         vex(a, VMOVDQU_LOAD, r[i], 0, jit_grf(offset));
   }
   for (unsigned i = 0; i < q->row; i++) {
      if (q->writes)
         vex(a, VMOVDQU_STORE, r[i], 0, x86_mem(RSI, 32 * (int32_t)i));
      else
         jit_store_whole(j, q->response + 32u * i, r[i]);
   }
}

static void
row(struct jit *j, const struct eu_op *op)
{
   const struct sf_quick *q = &op->d->quick;
   struct ways_out w = {.count = 0};
   if (!j->kept.buffers)
      load_buffers(j, &w);
   check_row(j, q, &w);
   locate_row(j, q, &w);
   copy_row(j, q);
   for (unsigned i = 0; i < 2 && j->rules && !q->writes; i++) {
      if (!q->marks[i])
         continue;
      x86_mov_imm(&j->a, RAX, q->marks[i]);
      x86_op(&j->a, X86_OR_TO, true, RAX, i ? THREAD(initialised[1]) : THREAD(initialised[0]));
   }
   j->kept.buffers = true;
   size_t here = j->a.size;
   struct detour *s = jit_detour(j, DETOUR_SHORT_WAY, op);
   memcpy(s->from, w.at, sizeof(w.at));
   s->back = here;
   s->kept = j->kept;
}

/* ---- all of them -------------------------------------------------------------------------------- */

bool
jit_message(struct jit *j, const struct eu_op *op)
{
   struct x86 *a = &j->a;
   const struct eu_detail *d = op->d;
   if (!d->quick.fn || d->align16 || d->predicate > 1 || d->exec_size > 16)
      return false;
   if (d->predicate && d->flag_shift + d->exec_size > 32) /* goes on at the flag's start */
      return false;
   bool all_slots = d->exec_size == 8 * d->quick.row && (j->version == FULL || d->no_mask) && !d->predicate;
   if (d->quick.row && all_slots) {
      row(j, op);
      return true;
   }
   bool buffers = j->kept.buffers; /* the short way changes nothing of them */
   jit_channels(j, op, true);
   jit_short_way(j, op);
   j->kept.buffers = buffers;
   struct detour *s = jit_detour(j, DETOUR_SEND, op);
   s->from[0] = x86_jump_if(a, CC_Z);
   s->back = a->size;
   s->kept = j->kept;
   if (!d->inst.eot)
      return true;
   x86_store_imm(a, THREAD(ip), op->next_ip);
   x86_store_imm(a, THREAD(stop), EU_STOP_EOT);
   x86_op(a, X86_XOR, false, RAX, x86_reg(RAX));
   x86_patch(a, x86_jump(a), j->leave);
   return true;
}
