/* Text tracer: one line an event. */
#include "eu/isa/asm.h"
#include "machine/device.h"
#include "rules/plural.h"
#include "trace/trace_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *
pergola_instruction_text(const struct pergola_device *dev, const uint32_t dwords[4], char *text,
                         size_t size)
{
   char wide[EU_DISASM_MAX];
   uint8_t bytes[EU_INST_SIZE];
   size_t n = 0;
   memcpy(bytes, dwords, sizeof(bytes));
   eu_disasm(bytes, sizeof(bytes), dev->hw_device, wide);
   for (const char *p = wide; *p && n + 1 < size; p++) { /* lines and columns are for listings */
      bool blank = *p == ' ' || *p == '\n' || *p == '\t';
      if (!blank || (n && text[n - 1] != ' '))
         text[n++] = blank ? ' ' : *p;
   }
   if (size)
      text[n] = 0;
   return text;
}

static void
details(FILE *f, const struct pergola_event *e, const struct pergola_device *dev)
{
   char text[EU_DISASM_MAX];
   switch (e->kind) {
   case PERGOLA_EVENT_MMIO:
      fprintf(f, "%s 0x%06" PRIx64 " %s 0x%08" PRIx64, e->flags & 1 ? "write" : "read", e->a,
              e->text ? e->text : "?", e->b);
      break;
   case PERGOLA_EVENT_COMMAND:
      fprintf(f, "0x%08" PRIx64 " %s", e->a, e->text ? e->text : "?");
      for (uint32_t i = 0; i < e->count && i < 8; i++)
         fprintf(f, " %08x", e->dwords[i]);
      if (e->count > 8)
         fprintf(f, " … (%u dwords)", e->count);
      break;
   case PERGOLA_EVENT_BATCH:
      fprintf(f, "%s 0x%08" PRIx64, e->flags & 1 ? "begin" : "end", e->a);
      break;
   case PERGOLA_EVENT_INTERRUPT:
      fprintf(f, "bank %" PRIu64 " bits 0x%08" PRIx64, e->a, e->b);
      break;
   case PERGOLA_EVENT_DISPATCH:
      fprintf(f, "thread %" PRIu64 " kernel 0x%08" PRIx64, e->b, e->a);
      break;
   case PERGOLA_EVENT_THREAD_END:
      fprintf(f, "thread %" PRIu64 " after %" PRIu64 " instruction%s", e->b, e->a, plural(e->a));
      break;
   case PERGOLA_EVENT_INSTRUCTION:
      fprintf(f, "thread %" PRIu64 " 0x%08" PRIx64 " mask 0x%08x ", e->b, e->a, e->flags);
      if (e->count >= 4)
         fputs(pergola_instruction_text(dev, e->dwords, text, sizeof(text)), f);
      break;
   case PERGOLA_EVENT_MESSAGE:
      fprintf(f, "thread %" PRIu64 " function %u descriptor 0x%08" PRIx64 " %s", e->b, e->flags,
              e->a, e->text ? e->text : "");
      break;
   case PERGOLA_EVENT_MEMORY:
      fprintf(f, "%s 0x%08" PRIx64 " %" PRIu64 " byte%s", e->flags & 1 ? "write" : "read", e->a,
              e->b, plural(e->b));
      break;
   case PERGOLA_EVENT_WAIT:
      fprintf(f, "%s %s", e->flags & 1 ? "begin" : "end", e->text ? e->text : "");
      break;
   case PERGOLA_EVENT_VME:
      fprintf(f, "thread %" PRIu64 " block (%" PRIu64 ", %" PRIu64 ") %s", e->b, e->a & 0xffff,
              e->a >> 16, e->text ? e->text : "");
      for (uint32_t i = 0; i < e->count; i++)
         fprintf(f, " %08x", e->dwords[i]);
      break;
   case PERGOLA_EVENT_SURFACE:
      fprintf(f, "0x%08" PRIx64 " %s", e->a, e->text ? e->text : "");
      for (uint32_t i = 0; i < e->count; i++)
         fprintf(f, " %08x", e->dwords[i]);
      break;
   default:
      break;
   }
}

static void
text_event(void *data, const struct pergola_event *e)
{
   struct pergola_trace *t = data;
   if (!trace_filter_passes(t, e))
      return;
   fprintf(t->file, "%12" PRIu64 " %-4s %-11s ", e->time_ns, e->engine ? e->engine : "",
           trace_kind_name(e->kind));
   details(t->file, e, t->dev);
   putc('\n', t->file);
}

struct pergola_trace *
pergola_trace_text(struct pergola_device *dev, const char *path, uint32_t kinds)
{
   /* batches are always listened to: a filter may ask for one */
   struct pergola_trace *t =
       trace_file_open(dev, path, kinds | 1u << PERGOLA_EVENT_BATCH, text_event, NULL);
   if (t)
      t->kinds = kinds;
   return t;
}
