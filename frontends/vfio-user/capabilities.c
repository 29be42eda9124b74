/* What a peer says of itself: {"capabilities": {"write_multiple": true, …}}. */
#include "server.h"

#include <string.h>

#define MOST_DEPTH 16u

/* Whose value comes next. */
enum place { WHOLE, CAPABILITIES, WRITE_MULTIPLE, ELSEWHERE };

struct reader {
   const char *at; /* a zero ends it */
   unsigned depth;
   bool write_multiple;
};

static char
next(struct reader *r)
{
   r->at += strspn(r->at, " \t\r\n");
   return *r->at;
}

static bool
take(struct reader *r, const char *word)
{
   size_t n = strlen(word);
   next(r);
   if (strncmp(r->at, word, n) != 0)
      return false;
   r->at += n;
   return true;
}

static bool
escape(struct reader *r)
{
   r->at++;
   if (*r->at != 'u')
      return *r->at && strchr("\"\\/bfnrt", *r->at) && r->at++;
   r->at++;
   if (strspn(r->at, "0123456789abcdefABCDEF") < 4)
      return false;
   r->at += 4;
   return true;
}

static bool
string(struct reader *r)
{
   if (!take(r, "\""))
      return false;
   while (*r->at != '"') {
      if (*r->at == '\\') {
         if (!escape(r))
            return false;
      } else if ((unsigned char)*r->at++ < ' ') {
         return false;
      }
   }
   r->at++;
   return true;
}

static bool
digits(struct reader *r)
{
   size_t n = strspn(r->at, "0123456789");
   r->at += n;
   return n != 0;
}

static bool
number(struct reader *r)
{
   r->at += *r->at == '-';
   if (!digits(r))
      return false;
   if (*r->at == '.' && (r->at++, !digits(r)))
      return false;
   if (*r->at != 'e' && *r->at != 'E')
      return true;
   r->at++;
   r->at += *r->at == '-' || *r->at == '+';
   return digits(r);
}

static bool value(struct reader *r, enum place place);

/* Names written with escapes are nobody's we know. */
static enum place
member(enum place of, const char *name, size_t length)
{
   static const char *const known[] = {"\"capabilities\"", "\"write_multiple\""};
   if (of == ELSEWHERE || of == WRITE_MULTIPLE)
      return ELSEWHERE;
   return length == strlen(known[of]) && !memcmp(name, known[of], length) ? of + 1 : ELSEWHERE;
}

static bool
object(struct reader *r, enum place place)
{
   if (take(r, "}"))
      return true;
   do {
      next(r);
      const char *name = r->at;
      if (!string(r))
         return false;
      size_t length = (size_t)(r->at - name);
      if (!take(r, ":") || !value(r, member(place, name, length)))
         return false;
   } while (take(r, ","));
   return take(r, "}");
}

static bool
array(struct reader *r)
{
   if (take(r, "]"))
      return true;
   do {
      if (!value(r, ELSEWHERE))
         return false;
   } while (take(r, ","));
   return take(r, "]");
}

static bool
truth(struct reader *r, enum place place)
{
   bool yes = take(r, "true");
   if (!yes && !take(r, "false"))
      return false;
   if (place == WRITE_MULTIPLE)
      r->write_multiple = yes;
   return true;
}

static bool
value(struct reader *r, enum place place)
{
   char c = next(r);
   if (place < WRITE_MULTIPLE ? c != '{' : place == WRITE_MULTIPLE && c != 't' && c != 'f')
      return false; /* of another kind than it has */
   if (c == '{' || c == '[') {
      if (++r->depth > MOST_DEPTH)
         return false;
      r->at++;
      bool ok = c == '{' ? object(r, place) : array(r);
      r->depth--;
      return ok;
   }
   if (c == '"')
      return string(r);
   if (c == 't' || c == 'f')
      return truth(r, place);
   return c == 'n' ? take(r, "null") : number(r);
}

bool
capabilities_read(const char *text, bool *write_multiple)
{
   struct reader r = {.at = text};
   bool ok = !next(&r) || (value(&r, WHOLE) && !next(&r)); /* none is right as well */
   *write_multiple = ok && r.write_multiple;
   return ok;
}
