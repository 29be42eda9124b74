/* Where EU threads spend their instructions. Kernels and instructions are known by address: when
 * another program lies there later, it counts as the same. */
#include "hot.h"

#include "pergola/pergola_trace.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 65536u /* more kernels are not counted one by one */
#define SHOWN 10u

struct row {
   uint64_t address, count, threads;
   bool used;
};

struct table {
   struct row row[ROWS]; /* open addressing */
   unsigned used;
   uint64_t all;
};

struct hot {
   struct table kernels;
};

struct instructions {
   struct pergola_instruction_count top[SHOWN];
   unsigned count;
   uint64_t all;
};

struct hot *
hot_create(void)
{
   return calloc(1, sizeof(struct hot));
}

void
hot_destroy(struct hot *h)
{
   free(h);
}

static struct row *
row_of(struct table *t, uint64_t address)
{
   uint64_t at = (address >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 48;
   for (unsigned i = 0; i < ROWS; i++) {
      struct row *r = &t->row[(at + i) % ROWS];
      if (r->used && r->address == address)
         return r;
      if (r->used)
         continue;
      if (t->used == ROWS / 2)
         return NULL;
      t->used++;
      *r = (struct row){.address = address, .used = true};
      return r;
   }
   return NULL;
}

void
hot_thread(struct hot *h, const struct pergola_event *e)
{
   struct row *r = h && e->count > 2 ? row_of(&h->kernels, e->dwords[2]) : NULL;
   if (!r)
      return;
   r->threads++;
   r->count += e->a;
   h->kernels.all += e->a;
}

/* More first; of equal ones the lower address. */
static int
compare(const void *a, const void *b)
{
   const struct row *const *x = a, *const *y = b;
   if ((*x)->count != (*y)->count)
      return (*x)->count < (*y)->count ? 1 : -1;
   return (*x)->address < (*y)->address ? -1 : (*x)->address > (*y)->address;
}

static unsigned
hottest(const struct table *t, const struct row *top[SHOWN])
{
   const struct row **list = calloc(t->used + 1, sizeof(*list));
   unsigned n = 0;
   if (!list)
      return 0;
   for (unsigned i = 0; i < ROWS; i++)
      if (t->row[i].used)
         list[n++] = &t->row[i];
   qsort(list, n, sizeof(*list), compare);
   n = n < SHOWN ? n : SHOWN;
   memcpy(top, list, n * sizeof(*list));
   free(list);
   return n;
}

/* The same order for instructions. */
static bool
hotter(const struct pergola_instruction_count *a, const struct pergola_instruction_count *b)
{
   return a->count != b->count ? a->count > b->count : a->address < b->address;
}

static void
add_instruction(void *data, const struct pergola_instruction_count *c)
{
   struct instructions *n = data;
   unsigned at = n->count;
   n->all += c->count;
   while (at && hotter(c, &n->top[at - 1]))
      at--;
   if (at == SHOWN)
      return;
   n->count += n->count < SHOWN;
   memmove(&n->top[at + 1], &n->top[at], (n->count - at - 1) * sizeof(*c));
   n->top[at] = *c;
}

static struct instructions
instructions_of(struct pergola_device *dev)
{
   struct instructions n = {0};
   if (dev)
      pergola_instruction_counts(dev, add_instruction, &n);
   return n;
}

static double
share(uint64_t all, uint64_t count)
{
   return all ? 100.0 * (double)count / (double)all : 0;
}

void
hot_print(struct hot *h, struct pergola_device *dev)
{
   const struct row *top[SHOWN];
   char text[512];
   unsigned n = h ? hottest(&h->kernels, top) : 0;
   if (n)
      fprintf(stderr, "pergola: hottest kernels:\n");
   for (unsigned i = 0; i < n; i++)
      fprintf(stderr, "pergola:   0x%08llx: %llu thread%s, %llu instruction%s (%.1f %%)\n",
              (unsigned long long)top[i]->address, (unsigned long long)top[i]->threads,
              top[i]->threads == 1 ? "" : "s", (unsigned long long)top[i]->count,
              top[i]->count == 1 ? "" : "s", share(h->kernels.all, top[i]->count));
   const struct instructions found = instructions_of(dev);
   if (found.count)
      fprintf(stderr, "pergola: hottest instructions:\n");
   for (unsigned i = 0; i < found.count; i++)
      fprintf(stderr, "pergola:   0x%08llx: %llu time%s (%.1f %%) '%s'\n",
              (unsigned long long)found.top[i].address, (unsigned long long)found.top[i].count,
              found.top[i].count == 1 ? "" : "s", share(found.all, found.top[i].count),
              pergola_instruction_text(dev, found.top[i].dwords, text, sizeof(text)));
}

void
hot_put(struct hot *h, struct json *j, struct pergola_device *dev)
{
   const struct row *top[SHOWN];
   char text[512];
   unsigned n = h ? hottest(&h->kernels, top) : 0;
   json_array(j, "kernels");
   for (unsigned i = 0; i < n; i++) {
      json_object(j, NULL);
      json_hex(j, "address", 8, top[i]->address);
      json_unsigned(j, "threads", top[i]->threads);
      json_unsigned(j, "instructions", top[i]->count);
      json_end_object(j);
   }
   json_end_array(j);
   const struct instructions found = instructions_of(dev);
   json_array(j, "hottest");
   for (unsigned i = 0; i < found.count; i++) {
      json_object(j, NULL);
      json_hex(j, "address", 8, found.top[i].address);
      json_unsigned(j, "count", found.top[i].count);
      json_text(j, "text", pergola_instruction_text(dev, found.top[i].dwords, text, sizeof(text)));
      json_end_object(j);
   }
   json_end_array(j);
}
