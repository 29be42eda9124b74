/* The 2D engine: one blit at a time, in the order of the commands. */
#include "blitter/blt.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct blitter *
blitter_create(struct pergola_device *dev)
{
   struct blitter *b = calloc(1, sizeof(*b));
   uint8_t *lines = b ? calloc(4, BLT_ROW_MAX) : NULL;
   if (!lines) {
      free(b);
      return NULL;
   }
   b->dev = dev;
   b->source = lines;
   b->destination = lines + BLT_ROW_MAX;
   b->pattern = lines + 2 * BLT_ROW_MAX;
   b->mask = lines + 3 * BLT_ROW_MAX;
   return b;
}

void
blitter_destroy(struct blitter *b)
{
   if (!b)
      return;
   free(b->source);
   free(b);
}

void
blitter_reset(struct blitter *b)
{
   b->setup = (struct blt_setup){0};
   b->clip = (struct blt_rect){0};
}

void
blt_report(struct blitter *b, const struct cs_command *c, enum pergola_severity severity,
           const char *rule, const char *field, const char *format, ...)
{
   struct rule_place place = {.engine = "BCS",
                              .subject = c->desc->layout.name,
                              .field = field,
                              .address = c->address,
                              .has_address = true};
   char text[256];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   rule_report(b->dev, severity, rule, &place, "%s", text);
}

enum cs_result
blitter_command(struct blitter *b, const struct cs_command *c, uint64_t *budget)
{
   if (!c->desc || c->count_dw < c->desc->layout.length_dw)
      return CS_DONE; /* the command streamer has named it */
   if (!cs_begun(c) && !blt_parse(b, c, &b->current))
      return CS_DONE;
   cs_begin(c);
   return blt_draw(b, budget);
}
