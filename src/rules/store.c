/* Equal diagnostics are counted, not repeated. */
#include "rules/rules_internal.h"

#include <stdlib.h>
#include <string.h>

static uint32_t
mix(uint32_t h, const char *s)
{
   for (; *s; s++)
      h = (h ^ (uint8_t)*s) * 16777619u;
   return (h ^ 0xff) * 16777619u;
}

static uint32_t
hash_of(const struct pergola_diagnostic *d)
{
   uint32_t h = mix(mix(mix(mix(2166136261u, d->rule), d->engine), d->subject), d->field);
   uint64_t a = d->has_address ? d->address + 1 : 0;
   for (unsigned i = 0; i < 8; i++)
      h = (h ^ (uint8_t)(a >> 8 * i)) * 16777619u;
   return h;
}

static bool
equal(const struct pergola_diagnostic *a, const struct pergola_diagnostic *b)
{
   return a->has_address == b->has_address && (!a->has_address || a->address == b->address) &&
          !strcmp(a->rule, b->rule) && !strcmp(a->engine, b->engine) &&
          !strcmp(a->subject, b->subject) && !strcmp(a->field, b->field);
}

static bool
grow(struct diagnostic_store *s)
{
   size_t room = s->room ? s->room * 2 : 64;
   struct diagnostic_entry *entry = realloc(s->entry, room * sizeof(*entry));
   if (!entry)
      return false;
   s->entry = entry;
   uint32_t size = (uint32_t)room * 2;
   uint32_t *index = calloc(size, sizeof(*index));
   if (!index)
      return false;
   for (uint32_t i = 0; i < s->count; i++) {
      uint32_t slot = entry[i].hash & (size - 1);
      while (index[slot])
         slot = (slot + 1) & (size - 1);
      index[slot] = i + 1;
   }
   free(s->index);
   s->index = index;
   s->index_size = size;
   s->room = room;
   return true;
}

/* The caller's strings may be gone tomorrow. */
static bool
copy_strings(struct diagnostic_entry *e)
{
   const char **member[] = {&e->d.rule,  &e->d.engine,  &e->d.subject,
                            &e->d.field, &e->d.message, &e->d.where};
   enum { COUNT = sizeof(member) / sizeof(member[0]) };
   size_t size = 0;
   for (unsigned i = 0; i < COUNT; i++)
      size += strlen(*member[i]) + 1;
   char *at = e->text = malloc(size);
   if (!at)
      return false;
   for (unsigned i = 0; i < COUNT; i++) {
      size_t n = strlen(*member[i]) + 1;
      memcpy(at, *member[i], n);
      *member[i] = at;
      at += n;
   }
   return true;
}

bool
store_count(struct diagnostic_store *s, const struct pergola_diagnostic *d)
{
   uint32_t hash = hash_of(d);
   for (uint32_t slot = hash; s->index_size; slot++) {
      uint32_t i = s->index[slot & (s->index_size - 1)];
      if (!i)
         break;
      struct diagnostic_entry *e = &s->entry[i - 1];
      if (e->hash == hash && equal(&e->d, d)) {
         e->d.count++;
         return true;
      }
   }
   return false;
}

bool
store_room(struct diagnostic_store *s)
{
   return s->count < RULES_MAX_DISTINCT && (s->count < s->room || grow(s));
}

bool
store_add(struct diagnostic_store *s, const struct pergola_diagnostic *d)
{
   uint32_t hash = hash_of(d);
   struct diagnostic_entry *e = &s->entry[s->count];
   *e = (struct diagnostic_entry){.d = *d, .hash = hash};
   if (!copy_strings(e))
      return false;
   uint32_t slot = hash & (s->index_size - 1);
   while (s->index[slot])
      slot = (slot + 1) & (s->index_size - 1);
   s->index[slot] = (uint32_t)++s->count;
   return true;
}

void
store_finish(struct diagnostic_store *s)
{
   for (size_t i = 0; i < s->count; i++)
      free(s->entry[i].text);
   free(s->entry);
   free(s->index);
}
