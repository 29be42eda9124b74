/* Characters, names and numbers. */
#include "eu/isa/asm_parse.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

bool
asm_fail(struct asm_cursor *c, const char *format, ...)
{
   va_list ap;
   c->error->line = c->line;
   c->error->column = (unsigned)(c->at - c->line_start) + 1;
   va_start(ap, format);
   vsnprintf(c->error->message, sizeof(c->error->message), format, ap);
   va_end(ap);
   return false;
}

static bool
skip_block_comment(struct asm_cursor *c)
{
   const char *p = c->at + 2;
   for (; p + 1 < c->end; p++) {
      if (*p == '\n') {
         c->line++;
         c->line_start = p + 1;
      }
      if (p[0] == '*' && p[1] == '/') {
         c->at = p + 2;
         return true;
      }
   }
   return asm_fail(c, "the comment does not end");
}

bool
asm_skip(struct asm_cursor *c)
{
   while (c->at < c->end) {
      if (*c->at == '\n') {
         c->at++;
         c->line++;
         c->line_start = c->at;
      } else if (*c->at == ' ' || *c->at == '\t' || *c->at == '\r') {
         c->at++;
      } else if (c->end - c->at >= 2 && c->at[0] == '/' && c->at[1] == '/') {
         while (c->at < c->end && *c->at != '\n')
            c->at++;
      } else if (c->end - c->at >= 2 && c->at[0] == '/' && c->at[1] == '*') {
         if (!skip_block_comment(c))
            return false;
      } else {
         break;
      }
   }
   return true;
}

int
asm_peek(struct asm_cursor *c)
{
   /* An endless comment is reported by whoever expects something here. */
   return asm_skip(c) && c->at < c->end ? (unsigned char)*c->at : 0;
}

bool
asm_take(struct asm_cursor *c, const char *literal)
{
   size_t n = strlen(literal);
   if ((size_t)(c->end - c->at) < n || memcmp(c->at, literal, n))
      return false;
   c->at += n;
   return true;
}

static bool
is_word(int ch)
{
   return isalnum(ch) || ch == '_';
}

bool
asm_take_word(struct asm_cursor *c, const char *word)
{
   const char *old = c->at;
   if (!asm_take(c, word))
      return false;
   if (c->at < c->end && is_word((unsigned char)*c->at)) {
      c->at = old;
      return false;
   }
   return true;
}

bool
asm_expect(struct asm_cursor *c, const char *literal)
{
   if (!asm_skip(c))
      return false;
   return asm_take(c, literal) || asm_fail(c, "expected '%s'", literal);
}

static int
digit_of(int ch, unsigned base)
{
   if (ch >= '0' && ch <= '9')
      return ch - '0';
   return base == 16 && ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

bool
asm_number(struct asm_cursor *c, uint64_t *value)
{
   unsigned base = asm_take(c, "0x") ? 16 : 10;
   unsigned digits = 0;
   for (*value = 0; c->at < c->end && digit_of((unsigned char)*c->at, base) >= 0;
        c->at++, digits++) {
      unsigned d = (unsigned)digit_of((unsigned char)*c->at, base);
      if (*value > (UINT64_MAX - d) / base)
         return asm_fail(c, "the number does not fit 64 bits");
      *value = *value * base + d;
   }
   return digits || asm_fail(c, "expected a number");
}

bool
asm_number_up_to(struct asm_cursor *c, uint64_t limit, const char *what, unsigned *value)
{
   uint64_t v;
   const char *start = c->at;
   if (!asm_number(c, &v))
      return false;
   if (v > limit) {
      c->at = start;
      return asm_fail(c, "%s %llu is above %llu", what, (unsigned long long)v,
                      (unsigned long long)limit);
   }
   *value = (unsigned)v;
   return true;
}

size_t
asm_name(struct asm_cursor *c, const char **start)
{
   *start = c->at;
   if (c->at < c->end && isdigit((unsigned char)*c->at))
      return 0;
   while (c->at < c->end && is_word((unsigned char)*c->at))
      c->at++;
   return (size_t)(c->at - *start);
}
