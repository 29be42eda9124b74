/* A thread as it is shown to people. */
#include "eu/eu.h"
#include "eu/isa/asm.h"

/* Spaces and ends of lines, which line up listings, become one space: what is told of a thread is a
 * sentence. */
static void
squeeze(char *text)
{
   char *to = text;
   for (const char *from = text; *from; from++) {
      bool blank = *from == ' ' || *from == '\n' || *from == '\t';
      if (!blank)
         *to++ = *from;
      else if (to > text && to[-1] != ' ')
         *to++ = ' ';
   }
   *to = 0;
}

void
eu_thread_tell(struct eu_thread *t, struct pergola_thread *info, pergola_thread_fn fn, void *data)
{
   const struct eu_env *env = t->env;
   char text[EU_DISASM_MAX] = "";
   uint8_t bytes[16];
   uint32_t ip = env->instruction_base + t->ip;
   size_t room = (ip & 0xfff) > 0xff0 && !mem_probe(env->space, ip, 16, MEM_READ) ? 8 : 16;
   if (mem_probe(env->space, ip, room, MEM_READ) && mem_read(env->space, ip, bytes, room)) {
      eu_disasm(bytes, room, env->dev->hw_device, text);
      squeeze(text);
   } else if (info->waits_for) {
      info->waits_for = "its next instruction: the page is not there";
   }
   info->id = t->id;
   info->half_slice = t->half_slice;
   info->eu = t->eu;
   info->slot = t->slot;
   info->kernel = env->instruction_base + t->kernel_start;
   info->ip = ip;
   info->instructions = t->instructions;
   info->instruction = text;
   fn(data, info);
   info->instruction = "";
}
