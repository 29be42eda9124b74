/* A thread as it is shown to people. */
#include "eu/observe.h"

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
   while (to > text && to[-1] == ' ')
      to--;
   *to = 0;
}

bool
eu_instruction_text(const struct eu_env *env, uint32_t address, char text[EU_DISASM_MAX])
{
   uint8_t bytes[16];
   size_t room =
       (address & 0xfff) > 0xff0 && !mem_probe(env->space, address, 16, MEM_READ) ? 8 : 16;
   text[0] = 0;
   if (!mem_probe(env->space, address, room, MEM_READ) ||
       !mem_read(env->space, address, bytes, room))
      return false;
   eu_disasm(bytes, room, env->dev->hw_device, text);
   squeeze(text);
   return true;
}

void
eu_thread_tell(struct eu_thread *t, struct pergola_thread *info, pergola_thread_fn fn, void *data)
{
   const struct eu_env *env = t->env;
   char text[EU_DISASM_MAX];
   uint32_t ip = env->instruction_base + t->ip;
   if (!eu_instruction_text(env, ip, text) && info->waits_for)
      info->waits_for = "its next instruction: the page is not there";
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
