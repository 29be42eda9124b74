/* pergola eu run --svg: a kernel step by step, as a picture: a row for every instruction, with the
 * channels that it wrote for, and below it the registers that changed. */
#include "eu.h"

#include "rules/plural.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define REG 32u
#define ROW 22u
#define LEFT 12u
#define VALUES 150u /* where the elements of a register begin */
#define ELEMENTS 640u
#define CHANNEL 14u
#define LETTER 8u /* of 13 pixels, monospaced: a little less */
#define MOST_STEPS 2000u

struct eu_svg {
   FILE *f;
   char *body;
   size_t size;
   unsigned y, steps;
   unsigned widest; /* text, in characters */
};

struct eu_svg *
eu_svg_open(void)
{
   struct eu_svg *v = calloc(1, sizeof(*v));
   if (v)
      v->f = open_memstream(&v->body, &v->size);
   if (v && v->f)
      return v;
   free(v);
   return NULL;
}

/* Returns how many characters are seen. */
static unsigned
put_escaped(FILE *f, const char *text)
{
   unsigned seen = 0;
   for (; *text; text++) {
      bool again = *text == ' ' && text[1] == ' '; /* columns are for listings */
      seen += !again;
      switch (*text) {
      case '<':
         fputs("&lt;", f);
         break;
      case '>':
         fputs("&gt;", f);
         break;
      case '&':
         fputs("&amp;", f);
         break;
      default:
         if (!again)
            fputc(*text == '\n' ? ' ' : *text, f);
      }
   }
   return seen;
}

void
eu_svg_step(struct eu_svg *v, unsigned thread, const char *text, const char *line,
            uint32_t channels)
{
   if (v->steps++ >= MOST_STEPS)
      return;
   v->y += ROW + ROW / 2;
   fprintf(v->f, "<text x=\"%u\" y=\"%u\">", LEFT, v->y);
   int seen = fprintf(v->f, "t%u%s: ", thread, line);
   seen += (int)put_escaped(v->f, text);
   if (seen > (int)v->widest)
      v->widest = (unsigned)seen;
   fputs("</text>\n", v->f);
   v->y += ROW;
   fprintf(v->f, "<text x=\"%u\" y=\"%u\" class=\"dim\">channels</text>\n", LEFT, v->y);
   for (unsigned i = 0; i < (channels >> 16 ? 32u : 16u); i++)
      fprintf(v->f, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" class=\"%s\"/>\n",
              VALUES + i * (CHANNEL + 2), v->y - CHANNEL, CHANNEL, CHANNEL,
              channels >> i & 1 ? "on" : "off");
}

void
eu_svg_register(struct eu_svg *v, unsigned reg, enum eu_value_type type, const uint8_t *now,
                const uint8_t *before)
{
   if (v->steps > MOST_STEPS)
      return;
   unsigned size = eu_value_size(type), count = REG / size, width = ELEMENTS / count;
   v->y += ROW;
   fprintf(v->f, "<text x=\"%u\" y=\"%u\" class=\"dim\">g%u:%s</text>\n", LEFT, v->y, reg,
           eu_type_words[type]);
   for (unsigned i = 0; i < count; i++) {
      bool changed = memcmp(now + i * size, before + i * size, size) != 0;
      fprintf(v->f,
              "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" class=\"%s\"/>"
              "<text x=\"%u\" y=\"%u\" class=\"value\">",
              VALUES + i * width, v->y - ROW + 6, width - 2, ROW - 2, changed ? "new" : "old",
              VALUES + i * width + width / 2 - 1, v->y);
      eu_print_value(v->f, type, now + i * size, true);
      fputs("</text>\n", v->f);
   }
}

bool
eu_svg_write(struct eu_svg *v, const char *path)
{
   bool ok = !fclose(v->f);
   FILE *f = ok ? fopen(path, "w") : NULL;
   if (f) {
      unsigned more = v->steps > MOST_STEPS ? v->steps - MOST_STEPS : 0;
      unsigned text = v->widest * LETTER, rows = VALUES - LEFT + ELEMENTS;
      fprintf(f,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\">\n"
              "<style>text{font:13px monospace}.dim{fill:#777}.value{text-anchor:middle;font-size:"
              "11px}.on{fill:#2a7}.off{fill:#ddd}.new{fill:#fd8}.old{fill:#f2f2f2}</style>\n"
              "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
              2 * LEFT + (text > rows ? text : rows), v->y + 3 * ROW);
      fwrite(v->body, 1, v->size, f);
      if (more)
         fprintf(f, "<text x=\"%u\" y=\"%u\">… and %u more step%s</text>\n", LEFT, v->y + 2 * ROW,
                 more, plural(more));
      fputs("</svg>\n", f);
      ok = !ferror(f);
      ok &= !fclose(f);
   }
   if (!f || !ok)
      fprintf(stderr, "pergola: %s: %s\n", path, f ? "cannot be written" : strerror(errno));
   free(v->body);
   free(v);
   return f && ok;
}
