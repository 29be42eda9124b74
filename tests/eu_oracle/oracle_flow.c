/* Flow control: an IP per channel, moved by the table of EU-174 and following. */
#include "oracle.h"

#include <string.h>

static bool
any_at(const struct oracle *o, uint32_t ip)
{
   uint32_t mask = oracle_mask(o);
   for (unsigned n = 0; n < ORACLE_CHANNELS; n++)
      if ((mask >> n & 1) && o->pcip[n] == ip)
         return true;
   return false;
}

/* Where each active channel goes: `taken` for the instruction's own channels that pass the
 * predicate, `other` for the rest. Returns whether any was taken. */
static bool
move_channels(struct oracle *o, const struct eu_inst *i, uint32_t taken, uint32_t other)
{
   uint32_t ip = o->ip, mask = oracle_mask(o);
   unsigned group = eu_inst_group(i);
   bool any = false;
   for (unsigned n = 0; n < ORACLE_CHANNELS; n++) {
      if (!(mask >> n & 1) || o->pcip[n] != ip)
         continue;
      bool own = n >= group && n < group + i->exec_size;
      bool pass = own && oracle_predicate(o, i, n - group);
      o->pcip[n] = pass ? taken : other;
      any |= pass;
   }
   return any;
}

static void
advance(struct oracle *o, uint32_t to)
{
   uint32_t mask = oracle_mask(o);
   for (unsigned n = 0; n < ORACLE_CHANNELS; n++)
      if ((mask >> n & 1) && o->pcip[n] == o->ip)
         o->pcip[n] = to;
   o->ip = to;
}

/* EU-186: only IP moves; the first channel's predicate decides. */
static bool
single_flow(struct oracle *o, const struct eu_inst *i)
{
   uint32_t jip = o->ip + (uint32_t)i->jip * 8, uip = o->ip + (uint32_t)i->uip * 8;
   bool pass = oracle_predicate(o, i, 0);
   switch (i->opcode) {
   case EU_OP_IF:
      o->ip = pass ? o->ip + i->size : uip;
      return true;
   case EU_OP_ELSE:
      o->ip = jip;
      return true;
   case EU_OP_ENDIF:
      o->ip += i->size;
      return true;
   case EU_OP_WHILE:
      o->ip = pass ? jip : o->ip + i->size;
      return true;
   case EU_OP_BREAK: /* beyond the while */
      o->ip = pass ? uip + EU_INST_SIZE : o->ip + i->size;
      return true;
   case EU_OP_CONT:
   case EU_OP_HALT:
      o->ip = pass ? uip : o->ip + i->size;
      return true;
   case EU_OP_JMPI:
      o->ip += i->size + (uint32_t)(pass ? (int16_t)i->src[0].imm * 8 : 0);
      return true;
   default:
      return false;
   }
}

bool
oracle_flow(struct oracle *o, const struct eu_inst *i)
{
   if (o->cr0 & 4)
      return single_flow(o, i);
   uint32_t next = o->ip + i->size, jip = o->ip + (uint32_t)i->jip * 8,
            uip = o->ip + (uint32_t)i->uip * 8;
   bool active = any_at(o, o->ip), any;
   switch (i->opcode) {
   case EU_OP_IF:
      move_channels(o, i, next, jip);
      o->ip = any_at(o, next) ? next : jip;
      return true;
   case EU_OP_ELSE:
      move_channels(o, i, jip, next);
      o->ip = any_at(o, next) ? next : jip;
      return true;
   case EU_OP_ENDIF:
      move_channels(o, i, next, next);
      o->ip = !active && !any_at(o, next) ? jip : next;
      return true;
   case EU_OP_WHILE:
   case EU_OP_BRD:
      any = move_channels(o, i, jip, next);
      o->ip = any ? jip : next;
      return true;
   case EU_OP_BREAK: /* EU-178: beyond the while; these programs have no compact ones */
      move_channels(o, i, uip + EU_INST_SIZE, next);
      o->ip = any_at(o, next) ? next : jip;
      return true;
   case EU_OP_CONT:
   case EU_OP_HALT:
   case EU_OP_BRC:
      move_channels(o, i, uip, next);
      o->ip = any_at(o, next) ? next : jip;
      return true;
   case EU_OP_JMPI:
      if (!oracle_predicate(o, i, 0))
         return false;
      advance(o, next + (uint32_t)((int16_t)i->src[0].imm * 8));
      return true;
   default:
      return false;
   }
}

void
oracle_step(struct oracle *o, const struct eu_inst *i)
{
   if (oracle_flow(o, i))
      return;
   if (i->opcode != EU_OP_NOP && i->opcode != EU_OP_JMPI)
      oracle_alu(o, i);
   if (o->cr0 & 4)
      o->ip += i->size;
   else
      advance(o, o->ip + i->size);
}
