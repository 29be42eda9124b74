#include "hang/ecode.h"

#include "hang/units.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- the line ------------------------------------------------------------------------------- */

/* Up to three numbers with colons between them, at most 8 hexadecimal digits each. */
struct numbers {
   unsigned count;
   uint32_t value[3];
   bool prefixed[3]; /* by 0x */
   unsigned digits[3];
};

static const char *
read_numbers(const char *s, struct numbers *n)
{
   *n = (struct numbers){0};
   for (;;) {
      unsigned i = n->count;
      n->prefixed[i] = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
      s += n->prefixed[i] ? 2 : 0;
      while (isxdigit((unsigned char)*s) && n->digits[i] < 9) {
         char digit[2] = {*s++, 0};
         n->value[i] = n->value[i] << 4 | (uint32_t)strtoul(digit, NULL, 16);
         n->digits[i]++;
      }
      if (!n->digits[i] || n->digits[i] > 8 || isalnum((unsigned char)*s))
         return NULL;
      n->count++;
      if (*s != ':' || n->count == 3)
         return s;
      s++;
   }
}

/* Kernels count engines (0 render, 1 video, 2 blitter), and from 4.x on give a mask of them. A
 * number before a prefixed code may be either; the mask of the newest has no prefix behind it. */
static unsigned
engines_of(uint32_t number, bool surely_mask)
{
   unsigned as_mask = number < 8 ? number : 0;
   unsigned as_count = number < 3 ? 1u << number : 0;
   return surely_mask ? as_mask : as_mask | as_count;
}

static unsigned
named_engine(const char *line)
{
   static const struct {
      const char *name;
      unsigned engine;
   } names[] = {{"rcs0", HW_RCS},        {"vcs0", HW_VCS},     {"bcs0", HW_BCS},
                {"render ring", HW_RCS}, {"bsd ring", HW_VCS}, {"blitter ring", HW_BCS}};
   const char *at = strstr(line, "hang on ");
   for (size_t i = 0; at && i < sizeof(names) / sizeof(names[0]); i++)
      if (!strncmp(at + 8, names[i].name, strlen(names[i].name)))
         return names[i].engine;
   return 0;
}

bool
hang_ecode_parse(const char *line, struct hang_ecode *out)
{
   struct numbers n;
   const char *at = strstr(line, "ecode ");
   const char *s = at ? at + 6 : line + strspn(line, " \t");
   const char *end = read_numbers(s, &n);
   bool bare = !at;
   if (!end || (bare && end[strspn(end, " \t\r\n")]))
      return false;
   unsigned last = n.count - 1;
   /* Without the word it must look like a code: eight digits, or a prefix. */
   if (bare && !n.prefixed[last] && n.digits[last] != 8)
      return false;
   *out = (struct hang_ecode){.code = n.value[last]};
   if (n.count == 3)
      out->generation = n.value[0];
   if (n.count > 1)
      out->engines = engines_of(n.value[last - 1], n.count == 3 && !n.prefixed[last]);
   unsigned named = named_engine(line);
   if (named)
      out->engines = named;
   return true;
}

/* ---- the code ------------------------------------------------------------------------------- */

static const struct {
   const char *command, *waits;
} waiting[] = {
    {"PIPE_CONTROL", "for the work before it"},
    {"MI_FLUSH", "for the work before it"},
    {"MI_FLUSH_DW", "for the work before it"},
    {"MEDIA_STATE_FLUSH", "for the media threads before it"},
    {"MI_WAIT_FOR_EVENT", "for an event of the display or a condition code"},
    {"MI_SEMAPHORE_MBOX", "for a semaphore that another engine signals"},
    {"MI_SET_CONTEXT", "for the work of the context before it"},
    {"MI_CONDITIONAL_BATCH_BUFFER_END", "for the work before it"},
    {"3DPRIMITIVE", "for the pipeline to take its vertices"},
    {"GPGPU_WALKER", "for slots for its threads"},
    {"GPGPU_OBJECT", "for slots for its threads"},
    {"MEDIA_OBJECT", "for slots for its threads"},
    {"MEDIA_OBJECT_PRT", "for slots for its threads"},
    {"MEDIA_OBJECT_WALKER", "for slots for its threads"},
    {"MEDIA_VFE_STATE", "for the threads of the state before it"},
    {"PIPELINE_SELECT", "for the pipeline before it to become idle"},
    {"STATE_BASE_ADDRESS", "for the work before it"},
    {"MI_BATCH_BUFFER_START", "for the first bytes of the batch"},
};

const char *
hang_command_waits(const struct hw_command *c)
{
   for (size_t i = 0; i < sizeof(waiting) / sizeof(waiting[0]); i++)
      if (!strcmp(c->layout.name, waiting[i].command))
         return waiting[i].waits;
   return c->client == HW_CLIENT_2D ? "for the blit before it" : NULL;
}

/* Can the streamer have met this header? Adds to the cost what is unusual about it. */
static bool
header_fits(const struct hw_command *c, uint32_t header, unsigned *cost)
{
   const struct hw_layout *l = &c->layout;
   uint32_t length = hw_command_length(c, header), known = c->header_mask;
   if (l->mbz && header & l->mbz[0])
      return false;
   if (c->length_bits)
      known |= ((1u << c->length_bits) - 1) << c->length_lo;
   if (length < l->length_dw)
      return false;
   if (l->variable)
      *cost += length > l->length_dw + 32u;
   else if (length != l->length_dw)
      return false;
   *cost += (unsigned)__builtin_popcount(header & ~known);
   return true;
}

static unsigned
cost_of(const struct hw_command *c, uint32_t busy, uint32_t ring)
{
   unsigned cost = 2 * (unsigned)__builtin_popcount(busy & ~ring);
   cost += busy & ring ? 0 : 3; /* a ring that hangs has commands left */
   cost += hang_command_waits(c) ? 0 : 3;
   return cost;
}

static void
keep(struct hang_candidate *list, unsigned *count, unsigned most, const struct hang_candidate *new)
{
   unsigned at = 0;
   for (unsigned i = 0; i < *count; i++)
      if (list[i].command == new->command && list[i].engine == new->engine) {
         if (list[i].cost <= new->cost)
            return;
         memmove(&list[i], &list[i + 1], (--*count - i) * sizeof(*list));
         break;
      }
   while (at < *count && list[at].cost <= new->cost)
      at++;
   if (at == most)
      return;
   unsigned kept = *count < most ? (*count)++ : most - 1;
   memmove(&list[at + 1], &list[at], (kept - at) * sizeof(*list));
   list[at] = *new;
}

struct search {
   uint32_t code, units, ring;
   unsigned engine, device_bit;
   struct hang_candidate *out;
   unsigned *count, most;
};

static void
try_set(const struct search *s, uint32_t busy)
{
   uint32_t header = s->code ^ ~busy;
   const struct hw_command *c = hw_command_find(header, s->engine, s->device_bit);
   unsigned cost = c ? cost_of(c, busy, s->ring) : 0;
   if (!c || !header_fits(c, header, &cost))
      return;
   const struct hang_candidate new = {c, s->engine, header, ~busy, cost};
   keep(s->out, s->count, s->most, &new);
}

/* Every set of so many units more, of those from bit `from` on. */
static void
try_sets(const struct search *s, uint32_t busy, unsigned from, unsigned units)
{
   try_set(s, busy);
   for (unsigned i = from; units && i < 32; i++)
      if (s->units & ~s->ring & 1u << i)
         try_sets(s, busy | 1u << i, i + 1, units - 1);
}

/* Nearly every bit of the video engine's INSTDONE is a unit: if all might be busy, every code would
 * fit every command. */
static void
explain_engine(struct search *s)
{
   const struct hw_layout *instdone = hang_instdone(s->engine, s->device_bit);
   unsigned units = s->engine == HW_VCS ? 2 : 32;
   s->units = hang_unit_bits(instdone);
   s->ring = hang_ring_bit(instdone);
   try_sets(s, 0, 0, units);
   try_sets(s, s->ring, 0, units);
}

unsigned
hang_ecode_explain(uint32_t code, unsigned engines, unsigned device_bit, struct hang_candidate *out,
                   unsigned most)
{
   unsigned count = 0;
   for (unsigned engine = HW_RCS; engine <= HW_BCS; engine <<= 1)
      if (most && (!engines || engines & engine)) {
         struct search s = {.code = code,
                            .engine = engine,
                            .device_bit = device_bit,
                            .out = out,
                            .count = &count,
                            .most = most};
         explain_engine(&s);
      }
   return count;
}
