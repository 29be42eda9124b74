/* The script of pergola exec: a line a step. */
#include "exec.h"

#include "cli.h"
#include "pergola/pergola_trace.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 1024

struct line {
   char *word[MAX_WORDS + 2];
   unsigned count;
   const char *bad, *why; /* the word that is at fault; NULL: none by itself */
};

static bool
refuse(struct line *l, const char *word, const char *why)
{
   l->bad = word;
   l->why = why;
   return false;
}

static void
split(char *text, struct line *l)
{
   l->count = 0;
   l->bad = l->why = NULL;
   char *save = NULL;
   for (char *w = strtok_r(text, " \t\r", &save); w && l->count < MAX_WORDS + 2;
        w = strtok_r(NULL, " \t\r", &save))
      l->word[l->count++] = w;
}

/* A number, or a command's name: its header with the length of its layout. */
static bool
dword(const struct exec *x, const char *text, uint32_t *value)
{
   uint64_t v;
   if (cli_parse_u64(text, &v) && v <= UINT32_MAX) {
      *value = (uint32_t)v;
      return true;
   }
   const struct hw_command *c = hw_command_by_name(text, cli_device_bit(x->dev));
   if (!c)
      return false;
   *value = c->header;
   if (c->length_bits && c->layout.length_dw >= c->bias)
      *value |= (uint32_t)(c->layout.length_dw - c->bias) << c->length_lo;
   return true;
}

static bool
dwords(const struct exec *x, struct line *l, unsigned from, uint32_t *dw)
{
   for (unsigned i = from; i < l->count; i++)
      if (!dword(x, l->word[i], &dw[i - from]))
         return refuse(l, l->word[i], "neither a number of 32 bits nor the name of a command");
   return true;
}

static bool
place(struct line *l, const char *text, uint64_t size, uint32_t *address)
{
   uint64_t v;
   if (!cli_parse_u64(text, &v) || v & 3)
      return refuse(l, text, "no address: a number, a multiple of 4");
   if (v > EXEC_MEMORY_SIZE || size > EXEC_MEMORY_SIZE - v)
      return refuse(l, text, "no address with room for that in the 256 MiB of memory");
   *address = (uint32_t)v;
   return true;
}

/* ---- the steps ---- */

static bool
step_write(struct exec *x, struct line *l)
{
   uint32_t dw[MAX_WORDS], address;
   if (l->count < 3 || !dwords(x, l, 2, dw) || !place(l, l->word[1], (l->count - 2) * 4, &address))
      return false;
   exec_write(x, address, dw, (l->count - 2) * 4);
   return true;
}

static bool
step_expect(struct exec *x, struct line *l)
{
   uint32_t dw[MAX_WORDS], address;
   if (l->count < 3 || !dwords(x, l, 2, dw) || !place(l, l->word[1], (l->count - 2) * 4, &address))
      return false;
   for (unsigned i = 0; i < l->count - 2; i++) {
      uint32_t v;
      memcpy(&v, x->memory + address + 4 * i, 4);
      if (v == dw[i])
         continue;
      printf("0x%08x holds 0x%08x, expected 0x%08x\n", address + 4 * i, v, dw[i]);
      x->failures++;
   }
   return true;
}

static bool
step_image(struct exec *x, struct line *l)
{
   uint32_t address;
   size_t size;
   if (l->count != 3)
      return false;
   uint8_t *data = cli_read_file(l->word[2], EXEC_MEMORY_SIZE, &size);
   if (!data)
      return refuse(l, l->word[2], "no file that can be read");
   bool ok = place(l, l->word[1], size, &address);
   if (ok)
      exec_write(x, address, data, size);
   free(data);
   return ok;
}

static bool
step_register(struct exec *x, struct line *l)
{
   uint32_t offset, value;
   if (l->count != 3)
      return false;
   if (!exec_register(x, l->word[1], &offset))
      return refuse(l, l->word[1], "no register");
   if (!dwords(x, l, 2, &value))
      return false;
   pergola_mmio_write(x->dev, offset, 4, value);
   return true;
}

static bool
engine(struct line *l, enum pergola_engine *e)
{
   return exec_engine(l->word[1], e) || refuse(l, l->word[1], "none of rcs, vcs, bcs");
}

static bool
step_ring(struct exec *x, struct line *l)
{
   uint32_t dw[MAX_WORDS];
   enum pergola_engine e;
   if (l->count < 3 || !engine(l, &e) || !dwords(x, l, 2, dw))
      return false;
   return exec_ring(x, e, dw, l->count - 2) || refuse(l, l->word[1], "an engine with a full ring");
}

static bool
step_batch(struct exec *x, struct line *l)
{
   uint32_t address;
   enum pergola_engine e;
   if (l->count != 3 || !engine(l, &e) || !place(l, l->word[2], 4, &address))
      return false;
   uint32_t dw[2] = {GEN7_MI_BATCH_BUFFER_START_HEADER, address};
   return exec_ring(x, e, dw, 2);
}

static bool
step_run(struct exec *x, struct line *l)
{
   uint64_t budget = x->budget;
   if (l->count > 2)
      return false;
   if (l->count == 2 && (!cli_parse_u64(l->word[1], &budget) || !budget))
      return refuse(l, l->word[1], "no number above 0");
   enum pergola_run_result r = exec_run(x, budget);
   printf("run: %s at %llu ns\n", exec_result_name(r), (unsigned long long)pergola_time_ns(x->dev));
   if (r == PERGOLA_RUN_STOPPED || r == PERGOLA_RUN_BUDGET)
      pergola_story_print(stdout, exec_engine_names[PERGOLA_RCS], x->dev, NULL);
   x->failures += r == PERGOLA_RUN_STOPPED;
   return true;
}

static bool
step_dump(struct exec *x, struct line *l)
{
   uint32_t address;
   uint64_t size;
   if (l->count != 3 || !cli_parse_u64(l->word[2], &size) || !place(l, l->word[1], size, &address))
      return false;
   exec_dump(x, address, (uint32_t)size & ~3u);
   return true;
}

static bool
step_show(struct exec *x, struct line *l)
{
   return l->count == 2 && (exec_show(x, l->word[1]) || refuse(l, l->word[1], "no register"));
}

/* Four bytes a pixel, blue first, as the 2D engine has them. */
static bool
step_png(struct exec *x, struct line *l)
{
   uint64_t width, height;
   uint32_t address;
   if (l->count != 5 || !cli_parse_u64(l->word[3], &width) || !cli_parse_u64(l->word[4], &height) ||
       !width || !height || width > 16384 || height > 16384 ||
       !place(l, l->word[2], width * height * 4, &address))
      return false;
   for (uint64_t i = 0; i < width * height; i++)
      x->memory[address + i * 4 + 3] |= 0xff; /* the fourth byte is no alpha */
   if (!cli_write_png(l->word[1], CLI_BGRA, (uint32_t)width, (uint32_t)height, x->memory + address))
      return false;
   printf("picture: %s\n", l->word[1]);
   return true;
}

/* The sanitizer knows the rings, the status pages and what the script names. */
static bool
step_object(struct exec *x, struct line *l)
{
   uint32_t address;
   uint64_t size;
   if (l->count != 3)
      return false;
   if (!cli_parse_u64(l->word[2], &size) || !size)
      return refuse(l, l->word[2], "no number of bytes");
   if (!place(l, l->word[1], size, &address))
      return false;
   return exec_object(x, address, size) || refuse(l, l->word[1], "one object too many");
}

static const struct {
   const char *name;
   bool (*run)(struct exec *x, struct line *l);
} steps[] = {
    {"write", step_write},   {"image", step_image}, {"reg", step_register},  {"ring", step_ring},
    {"batch", step_batch},   {"run", step_run},     {"dump", step_dump},     {"show", step_show},
    {"expect", step_expect}, {"png", step_png},     {"object", step_object},
};

static bool
execute(struct exec *x, struct line *l)
{
   for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
      if (!strcmp(l->word[0], steps[i].name))
         return steps[i].run(x, l);
   return refuse(l, l->word[0], "no step; 'pergola exec --help' has them all");
}

bool
exec_script(struct exec *x, char *text, const char *path)
{
   struct line *l = malloc(sizeof(*l));
   bool ok = l != NULL;
   unsigned number = 1;
   for (char *at = text; ok && at; number++) {
      char *end = strchr(at, '\n');
      if (end)
         *end = 0;
      char *comment = strchr(at, '#');
      if (comment)
         *comment = 0;
      split(at, l);
      if (l->count && !execute(x, l)) {
         fprintf(stderr, "pergola exec: %s:%u: '%s' %s%s\n", path, number,
                 l->bad ? l->bad : l->word[0], l->bad ? "is " : "",
                 l->bad ? l->why : "has too few words behind it, or too many");
         ok = false;
      }
      at = end ? end + 1 : NULL;
   }
   free(l);
   return ok;
}
