/* The prompt of `pergola eu run --step`. */
#include "eu.h"

#include <stdlib.h>
#include <string.h>

struct prompt {
   struct eu_session *s;
   unsigned thread;
   enum pergola_eu_state state;
   bool quit;
};

bool
eu_find(struct eu_session *s, const char *where, uint32_t *offset)
{
   uint64_t n;
   if (!strncmp(where, "0x", 2) && cli_parse_u64(where, &n) && n <= UINT32_MAX) {
      *offset = (uint32_t)n;
      return true;
   }
   if (cli_parse_u64(where, &n))
      return n <= 10000000 && !pergola_eu_line(s->bench, (unsigned)n, offset);
   return !pergola_eu_label(s->bench, where, offset);
}

static void
show_position(struct prompt *p)
{
   struct pergola_eu_view v;
   char text[512] = "";
   pergola_eu_view(p->s->bench, p->thread, &v);
   unsigned line = pergola_eu_line_of(p->s->bench, v.ip);
   pergola_eu_text(p->s->bench, v.ip, text, sizeof(text));
   if (v.state == PERGOLA_EU_ENDED || v.state == PERGOLA_EU_FAULTED) {
      fprintf(p->s->out, "thread %u has %s\n", p->thread,
              v.state == PERGOLA_EU_ENDED ? "ended" : "faulted");
      return;
   }
   fprintf(p->s->out, "t%u line %u 0x%05x [%08x] %s\n", p->thread, line, v.ip, v.active_mask, text);
}

static void
step(struct prompt *p, uint64_t n)
{
   for (uint64_t i = 0; i < n; i++) {
      p->state = pergola_eu_step(p->s->bench, p->thread, 1);
      if (p->state == PERGOLA_EU_BREAK) /* it stood there: pass it */
         p->state = pergola_eu_step(p->s->bench, p->thread, 1);
      if (p->state != PERGOLA_EU_READY)
         break;
   }
   show_position(p);
}

/* To the instruction below, whatever is called or looped in between. */
static void
next(struct prompt *p)
{
   struct pergola_eu_view v;
   char text[512];
   pergola_eu_view(p->s->bench, p->thread, &v);
   uint32_t target = v.ip + pergola_eu_text(p->s->bench, v.ip, text, sizeof(text));
   for (uint64_t i = 0; i < p->s->max_instructions; i++) {
      p->state = pergola_eu_step(p->s->bench, p->thread, 1);
      pergola_eu_view(p->s->bench, p->thread, &v);
      if (p->state != PERGOLA_EU_READY || v.ip == target)
         break;
   }
   show_position(p);
}

static void
go_on(struct prompt *p)
{
   p->state = pergola_eu_run(p->s->bench, p->s->max_instructions);
   for (unsigned t = 0; t < p->s->threads; t++) {
      struct pergola_eu_view v;
      pergola_eu_view(p->s->bench, t, &v);
      if (v.state == PERGOLA_EU_BREAK)
         p->thread = t;
   }
   if (p->state == PERGOLA_EU_READY)
      fprintf(p->s->out, "out of budget\n");
   show_position(p);
}

static void
registers(struct prompt *p, const char *argument)
{
   struct eu_place place;
   const uint8_t *grf = pergola_eu_grf(p->s->bench, p->thread);
   if (*argument) {
      if (eu_parse_place(argument, &place))
         eu_print_place(p->s, p->thread, &place);
      else
         fprintf(p->s->out, "'%s' is no register, like g4 or g4-g7:f\n", argument);
      return;
   }
   for (unsigned r = 0; r < 128; r++)
      if (memcmp(grf + r * 32, p->s->start[p->thread] + r * 32, 32))
         eu_print_register(p->s->out, grf, r, (enum eu_value_type)p->s->type[r], true);
   struct pergola_eu_view v;
   pergola_eu_view(p->s->bench, p->thread, &v);
   fprintf(p->s->out, " f0 0x%08x  f1 0x%08x  a0", v.flag[0], v.flag[1]);
   for (unsigned i = 0; i < 8; i++)
      fprintf(p->s->out, " 0x%x", v.address[i]);
   fprintf(p->s->out, "\n");
}

static void
memory(struct prompt *p, const char *argument)
{
   struct eu_place place;
   if (eu_parse_place(argument, &place) && place.buffer)
      eu_print_place(p->s, p->thread, &place);
   else
      fprintf(p->s->out, "'%s' is no buffer, like b0:f:16\n", argument);
}

/* Where the channels are: those that run, and those that wait, by address. */
static void
masks(struct prompt *p)
{
   struct pergola_eu_view v;
   pergola_eu_view(p->s->bench, p->thread, &v);
   uint32_t left = v.dispatch_mask;
   fprintf(p->s->out, "dispatched %08x\n", v.dispatch_mask);
   while (left) {
      uint32_t at = v.channel_ip[__builtin_ctz(left)], group = 0;
      for (unsigned c = 0; c < 32; c++)
         if (left >> c & 1 && v.channel_ip[c] == at)
            group |= 1u << c;
      fprintf(p->s->out, "  %08x at 0x%05x line %u%s\n", group, at,
              pergola_eu_line_of(p->s->bench, at), at == v.ip ? " (active)" : "");
      left &= ~group;
   }
}

static void
help(FILE *out)
{
   fprintf(out, "step [N]      execute N instructions of this thread (1)\n"
                "next          go to the instruction below\n"
                "continue      run all threads to a breakpoint or the end\n"
                "break WHERE   breakpoint at a label, a line, or 0xOFFSET\n"
                "regs [PLACE]  registers that changed, or PLACE: g4, g4-g7:f\n"
                "mem PLACE     a buffer: b0:f:16\n"
                "bt            where the channels are\n"
                "thread N      look at another thread\n"
                "quit\n");
}

static void
command(struct prompt *p, const char *word, const char *argument)
{
   uint64_t n = 1;
   uint32_t offset;
   if (!strcmp(word, "step") || !strcmp(word, "s"))
      step(p, *argument && cli_parse_u64(argument, &n) ? n : 1);
   else if (!strcmp(word, "next") || !strcmp(word, "n"))
      next(p);
   else if (!strcmp(word, "continue") || !strcmp(word, "c"))
      go_on(p);
   else if (!strcmp(word, "break") || !strcmp(word, "b")) {
      if (eu_find(p->s, argument, &offset) && !pergola_eu_break(p->s->bench, offset))
         fprintf(p->s->out, "breakpoint at 0x%05x\n", offset);
      else
         fprintf(p->s->out, "'%s' is no label, line or offset of the program\n", argument);
   } else if (!strcmp(word, "regs") || !strcmp(word, "r"))
      registers(p, argument);
   else if (!strcmp(word, "mem") || !strcmp(word, "m"))
      memory(p, argument);
   else if (!strcmp(word, "bt"))
      masks(p);
   else if (!strcmp(word, "thread") && cli_parse_u64(argument, &n) && n < p->s->threads) {
      p->thread = (unsigned)n;
      show_position(p);
   } else if (!strcmp(word, "quit") || !strcmp(word, "q"))
      p->quit = true;
   else
      help(p->s->out);
}

enum pergola_eu_state
eu_prompt(struct eu_session *s)
{
   struct prompt p = {.s = s};
   char line[256], word[64], argument[128];
   show_position(&p);
   while (!p.quit) {
      fprintf(s->out, "(eu) ");
      fflush(s->out);
      if (!fgets(line, sizeof(line), stdin))
         break;
      word[0] = argument[0] = 0;
      if (sscanf(line, "%63s %127s", word, argument) >= 1)
         command(&p, word, argument);
      else
         command(&p, "step", "");
   }
   fprintf(s->out, "\n");
   return p.state;
}
