/* Numbers, types and places on the command line of `pergola eu`. */
#include "eu.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const eu_type_words[EU_VALUE_TYPES] = {"f", "d",  "ud", "w", "uw",
                                                   "b", "ub", "hf", "df"};

unsigned
eu_value_size(enum eu_value_type type)
{
   static const uint8_t size[EU_VALUE_TYPES] = {4, 4, 4, 2, 2, 1, 1, 2, 8};
   return size[type];
}

bool
eu_parse_type(const char *text, size_t length, enum eu_value_type *type)
{
   for (unsigned i = 0; i < EU_VALUE_TYPES; i++)
      if (strlen(eu_type_words[i]) == length && !strncmp(text, eu_type_words[i], length)) {
         *type = (enum eu_value_type)i;
         return true;
      }
   return false;
}

static bool
parse_number(const char **text, unsigned limit, unsigned *value)
{
   char *end;
   if (**text < '0' || **text > '9')
      return false;
   unsigned long v = strtoul(*text, &end, 10);
   *text = end;
   *value = (unsigned)v;
   return v < limit;
}

bool
eu_parse_place(const char *text, struct eu_place *p)
{
   memset(p, 0, sizeof(*p));
   p->buffer = *text == 'b';
   if (*text != 'g' && *text != 'r' && *text != 'b')
      return false;
   text++;
   if (!parse_number(&text, p->buffer ? PERGOLA_EU_MAX_BUFFERS : 128, &p->index))
      return false;
   p->last = p->index;
   if (*text == '.' && (text++, !parse_number(&text, 1u << 26, &p->sub)))
      return false;
   if (*text == '-' && !p->buffer) {
      text++;
      if (*text == 'g' || *text == 'r')
         text++;
      if (!parse_number(&text, 128, &p->last) || p->last < p->index)
         return false;
   }
   if (*text == ':') {
      size_t n = strcspn(++text, ":=");
      if (!eu_parse_type(text, n, &p->type))
         return false;
      p->typed = true;
      text += n;
   }
   if (!p->buffer &&
       p->sub >= (PERGOLA_EU_GRF_SIZE / 128) / eu_value_size(p->typed ? p->type : EU_UD))
      return false;
   unsigned count = 0;
   if (*text == ':' && (text++, !parse_number(&text, 1u << 26, &count)))
      return false;
   p->count = count;
   return !*text;
}

static uint16_t
to_half(float f)
{
   int exponent;
   float m = frexpf(fabsf(f), &exponent);
   uint16_t sign = signbit(f) ? 0x8000 : 0;
   if (isnan(f))
      return 0x7e00;
   if (isinf(f) || exponent > 16)
      return sign | 0x7c00;
   if (f == 0 || exponent < -24)
      return sign;
   if (exponent < -13)
      return (uint16_t)(sign | (uint16_t)nearbyintf(ldexpf(m, exponent + 24)));
   return (uint16_t)(sign + ((uint16_t)(exponent + 13) << 10) +
                     (uint16_t)nearbyintf(ldexpf(m, 11)));
}

static float
from_half(uint16_t h)
{
   float sign = h & 0x8000 ? -1.0f : 1.0f;
   int exponent = h >> 10 & 31;
   float m = (float)(h & 0x3ff);
   if (exponent == 31)
      return m != 0 ? NAN : sign * INFINITY;
   return sign * (exponent ? ldexpf(m + 1024, exponent - 25) : ldexpf(m, -24));
}

/* A number of a signed type may be given by its bits, in hexadecimal. */
static bool
fits(long long v, const char *text, enum eu_value_type type)
{
   unsigned bits = 8 * eu_value_size(type);
   bool is_signed = type == EU_D || type == EU_W || type == EU_B;
   long long most = (1ll << bits) - 1;
   if (is_signed && strncasecmp(text, "0x", 2))
      return v >= -(1ll << (bits - 1)) && v < 1ll << (bits - 1);
   return v >= 0 && v <= most;
}

/* What is too large for the type has become infinite. */
static bool
too_large(double v, const char *text, enum eu_value_type type)
{
   bool meant = strchr(text, 'i') || strchr(text, 'I'); /* inf */
   bool is = type == EU_DF  ? isinf(v)
             : type == EU_F ? isinf((float)v)
                            : isinf(from_half(to_half((float)v)));
   return is && !meant;
}

/* NULL, or what is wrong with it. */
static const char *
put_value(const char *text, enum eu_value_type type, uint8_t out[8])
{
   char *end;
   errno = 0;
   if (type == EU_F || type == EU_HF || type == EU_DF) {
      double v = strtod(text, &end);
      float f = (float)v;
      uint16_t h = to_half(f);
      if (end != text && !*end && too_large(v, text, type))
         return "does not fit the type";
      memcpy(out,
             type == EU_DF  ? (void *)&v
             : type == EU_F ? (void *)&f
                            : (void *)&h,
             eu_value_size(type));
   } else {
      long long v = strtoll(text, &end, 0);
      if (end != text && !*end && (errno || !fits(v, text, type)))
         return "does not fit the type";
      memcpy(out, &v, eu_value_size(type));
   }
   return end != text && !*end ? NULL : "is no number of the type";
}

/* out is NULL: they are only looked at. */
static bool
parse_values(FILE *say, const char *what, const char *text, enum eu_value_type type, uint8_t *out,
             size_t room, size_t *used)
{
   unsigned size = eu_value_size(type);
   for (*used = 0;; text++) {
      char number[64];
      uint8_t value[8];
      size_t n = strcspn(text, ",");
      snprintf(number, sizeof(number), "%.*s", (int)n, text);
      const char *wrong = put_value(number, type, value);
      if (wrong || *used + size > room) {
         fprintf(say, "%s: '%s' %s%s%s\n", what, number,
                 wrong ? wrong : "and what follows are too many values", wrong ? " " : "",
                 wrong ? eu_type_words[type] : "");
         return false;
      }
      if (out)
         memcpy(out + *used, value, size);
      *used += size;
      text += n;
      if (!*text)
         return true;
   }
}

bool
eu_parse_values(FILE *say, const char *what, const char *text, enum eu_value_type type,
                uint8_t *out, size_t room, size_t *used)
{
   return parse_values(say, what, text, type, NULL, room, used) &&
          parse_values(say, what, text, type, out, room, used);
}

/* JSON has no infinities and no NaN: they become text. */
static void
print_float(FILE *out, double v, int digits, bool json)
{
   bool odd = isnan(v) || isinf(v);
   fprintf(out, odd && json ? "\"%.*g\"" : "%.*g", digits, v);
}

void
eu_print_value(FILE *out, enum eu_value_type type, const uint8_t *p, bool json)
{
   union {
      float f;
      int32_t d;
      uint32_t ud;
      int16_t w;
      uint16_t uw;
      int8_t b;
      uint8_t ub;
      double df;
   } v;
   memcpy(&v, p, eu_value_size(type));
   switch (type) {
   case EU_F:
      print_float(out, v.f, 9, json);
      break;
   case EU_DF:
      print_float(out, v.df, 17, json);
      break;
   case EU_HF:
      print_float(out, from_half(v.uw), 5, json);
      break;
   case EU_D:
      fprintf(out, "%d", v.d);
      break;
   case EU_UD:
      fprintf(out, json ? "%u" : "0x%08x", v.ud);
      break;
   case EU_W:
      fprintf(out, "%d", v.w);
      break;
   case EU_UW:
      fprintf(out, "%u", v.uw);
      break;
   case EU_B:
      fprintf(out, "%d", v.b);
      break;
   default:
      fprintf(out, "%u", v.ub);
      break;
   }
}
