/* Which diagnostics count: rules to ignore, and those of a baseline, a file with a line for each
 * that is known already. Addresses differ from run to run, so they are not in it. */
#include "verdict.h"

#include "client.h"
#include "summary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Hashes of lines; open addressing, 0: free. */
struct line_set {
   uint64_t *slot;
   size_t count, size;
};

struct verdict {
   const char *ignore; /* "RULE,RULE" */
   struct line_set known, written;
   int fd; /* of the baseline that is written, or -1 */
   bool failed;
};

#define LINE_MAX 1024

static uint64_t
hash_of(const char *text, size_t length)
{
   uint64_t h = 14695981039346656037ull;
   for (size_t i = 0; i < length; i++)
      h = (h ^ (uint8_t)text[i]) * 1099511628211ull;
   return h ? h : 1;
}

static bool
has(const struct line_set *s, uint64_t hash)
{
   for (size_t i = hash; s->size; i++) {
      uint64_t v = s->slot[i & (s->size - 1)];
      if (!v || v == hash)
         return v != 0;
   }
   return false;
}

static void
put(struct line_set *s, uint64_t hash)
{
   if (has(s, hash))
      return;
   if (2 * s->count >= s->size) {
      struct line_set bigger = {.size = s->size ? 2 * s->size : 256};
      bigger.slot = calloc(bigger.size, sizeof(uint64_t));
      if (!bigger.slot)
         return;
      for (size_t i = 0; i < s->size; i++)
         if (s->slot[i])
            put(&bigger, s->slot[i]);
      free(s->slot);
      *s = bigger;
   }
   size_t i = hash;
   while (s->slot[i & (s->size - 1)])
      i++;
   s->slot[i & (s->size - 1)] = hash;
   s->count++;
}

/* Fields of the sanitizer may hold an address. */
static size_t
line_of(const struct pergola_diagnostic *d, char line[LINE_MAX])
{
   int n = snprintf(line, LINE_MAX, "%s\t%s\t%s\t%s\n", d->rule, d->engine, d->subject,
                    summary_finding(d->rule) ? "" : d->field);
   return n < LINE_MAX ? (size_t)n : LINE_MAX - 1;
}

static bool
in_list(const char *list, const char *word)
{
   size_t length = strlen(word);
   while (*list) {
      size_t n = strcspn(list, ",");
      if (n == length && !strncasecmp(list, word, n))
         return true;
      list += n + (list[n] == ',');
   }
   return false;
}

static bool
filter(void *data, const struct pergola_diagnostic *d)
{
   const struct verdict *v = data;
   char line[LINE_MAX];
   if (in_list(v->ignore, d->rule))
      return false;
   return !v->known.count || !has(&v->known, hash_of(line, line_of(d, line)));
}

static void
write_line(void *data, const struct pergola_diagnostic *d)
{
   struct verdict *v = data;
   char line[LINE_MAX];
   size_t length = line_of(d, line);
   uint64_t hash = hash_of(line, length);
   if (d->severity < PERGOLA_WARNING || has(&v->written, hash))
      return;
   put(&v->written, hash);
   v->failed |= write(v->fd, line, length) != (ssize_t)length;
}

static int
read_baseline(struct verdict *v, const char *path)
{
   char line[LINE_MAX];
   FILE *f = fopen(path, "re");
   if (!f)
      return -errno;
   while (fgets(line, sizeof(line), f))
      if (line[0] != '#')
         put(&v->known, hash_of(line, strlen(line)));
   int error = ferror(f) ? -EIO : 0;
   fclose(f);
   return error;
}

int
verdict_open(struct verdict **out, struct pergola_device *dev, const struct verdict_options *o,
             const char **file)
{
   struct verdict *v = calloc(1, sizeof(*v));
   if (!v)
      return -ENOMEM;
   *out = v;
   v->fd = -1;
   v->ignore = o->ignore;
   *file = o->baseline;
   int ret = o->baseline[0] ? read_baseline(v, o->baseline) : 0;
   if (!ret && o->write_baseline[0]) {
      *file = o->write_baseline;
      v->fd = open(o->write_baseline, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
      ret = v->fd < 0 ? -errno : 0;
   }
   if (ret)
      return ret;
   if (v->ignore[0] || v->known.count)
      pergola_set_diagnostic_filter(dev, filter, v);
   if (v->fd >= 0)
      ret = pergola_add_diagnostic_sink(dev, write_line, v);
   return ret;
}

bool
verdict_failed(const struct verdict *v)
{
   return v && v->failed;
}

void
verdict_close(struct verdict *v)
{
   if (!v)
      return;
   if (v->fd >= 0)
      sys_close(v->fd);
   free(v->known.slot);
   free(v->written.slot);
   free(v);
}
