/* The prompt of `pergola eu run --step`. */
#include "eu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#ifdef PERGOLA_EDITLINE
#include <editline/readline.h>
#endif

#define MAX_POINTS 32
#define MAX_WATCHES 8

/* A breakpoint, by its number. */
struct point {
   uint32_t offset;
   bool there, disabled;
};

struct watch {
   bool there;
   struct eu_place place;
   char text[48];
   uint8_t old[64];
   size_t size;
};

struct prompt {
   struct eu_session *s;
   unsigned thread;
   enum pergola_eu_state state;
   bool quit;
   struct point point[MAX_POINTS];
   struct watch watch[MAX_WATCHES];
};

bool
eu_find(struct eu_session *s, const char *where, uint32_t *offset)
{
   uint64_t n;
   if (!strncmp(where, "0x", 2) && cli_parse_u64(where, &n) && n <= UINT32_MAX) {
      *offset = (uint32_t)n;
      return true;
   }
   if (cli_parse_u64(where, &n))
      return n <= 10000000 && !pergola_eu_line(s->bench, (unsigned)n, offset);
   return !pergola_eu_label(s->bench, where, offset);
}

/* A thread that has come to its end stands nowhere. */
static bool
say_over(struct prompt *p, const struct pergola_eu_view *v)
{
   bool ended = v->state == PERGOLA_EU_ENDED, over = ended || v->state == PERGOLA_EU_FAULTED;
   if (over)
      fprintf(p->s->out, "thread %u has %s\n", p->thread, ended ? "ended" : "faulted");
   return over;
}

static void
show_position(struct prompt *p)
{
   struct pergola_eu_view v;
   char text[512] = "";
   pergola_eu_view(p->s->bench, p->thread, &v);
   pergola_eu_text(p->s->bench, v.ip, text, sizeof(text));
   if (say_over(p, &v))
      return;
   fprintf(p->s->out, "t%u %s0x%05x [%08x] %s\n", p->thread, eu_line(p->s, v.ip, "", " ").text,
           v.ip, v.active_mask, text);
}

static void
step(struct prompt *p, uint64_t n)
{
   for (uint64_t i = 0; i < n; i++) {
      p->state = pergola_eu_step(p->s->bench, p->thread, 1);
      if (p->state == PERGOLA_EU_BREAK) /* it stood there: pass it */
         p->state = pergola_eu_step(p->s->bench, p->thread, 1);
      if (p->state != PERGOLA_EU_READY)
         break;
   }
   show_position(p);
}

/* To the instruction below, whatever is called or looped in between. */
static void
next(struct prompt *p)
{
   struct pergola_eu_view v;
   char text[512];
   pergola_eu_view(p->s->bench, p->thread, &v);
   uint32_t target = v.ip + pergola_eu_text(p->s->bench, v.ip, text, sizeof(text));
   for (uint64_t i = 0; i < p->s->max_instructions; i++) {
      p->state = pergola_eu_step(p->s->bench, p->thread, 1);
      pergola_eu_view(p->s->bench, p->thread, &v);
      if (p->state != PERGOLA_EU_READY || v.ip == target)
         break;
   }
   show_position(p);
}

/* ---- watches ----------------------------------------------------------------------------------
 */

static const uint8_t *
watched(struct prompt *p, const struct watch *w)
{
   const struct eu_place *e = &w->place;
   size_t size = eu_value_size(e->typed ? e->type : EU_UD);
   if (e->buffer)
      return p->s->buffer[e->index] + e->sub * size;
   return (const uint8_t *)pergola_eu_grf(p->s->bench, p->thread) + e->index * 32 + e->sub * size;
}

static bool
any_watch(const struct prompt *p)
{
   for (unsigned i = 0; i < MAX_WATCHES; i++)
      if (p->watch[i].there)
         return true;
   return false;
}

/* Tells of what has changed since it was looked at last. */
static bool
watch_changed(struct prompt *p)
{
   bool changed = false;
   for (unsigned i = 0; i < MAX_WATCHES; i++) {
      struct watch *w = &p->watch[i];
      if (!w->there || !memcmp(w->old, watched(p, w), w->size))
         continue;
      memcpy(w->old, watched(p, w), w->size);
      fprintf(p->s->out, "watch %u, %s, has changed:\n", i + 1, w->text);
      eu_print_place(p->s, p->thread, &w->place);
      changed = true;
   }
   return changed;
}

static void
add_watch(struct prompt *p, const char *argument)
{
   struct watch w = {.there = true};
   unsigned i = 0;
   while (i < MAX_WATCHES && p->watch[i].there)
      i++;
   bool good = eu_parse_place(argument, &w.place) &&
               (!w.place.buffer || p->s->buffer[w.place.index]) && i < MAX_WATCHES;
   size_t size = good ? eu_value_size(w.place.typed ? w.place.type : EU_UD) : 0;
   if (good && w.place.buffer) {
      w.size = (w.place.count ? w.place.count : 1) * size;
      w.place.count = w.size / size;
      good = w.size <= sizeof(w.old) &&
             w.place.sub * size + w.size <= p->s->buffer_size[w.place.index];
   } else if (good) {
      w.size = w.place.sub ? size : 32;
      w.place.last = w.place.index;
      good = w.place.index * 32 + w.place.sub * size + w.size <= PERGOLA_EU_GRF_SIZE;
   }
   if (!good) {
      fprintf(p->s->out, "'%s' cannot be watched; g4, g4.2:f and b0.3:ud can\n", argument);
      return;
   }
   snprintf(w.text, sizeof(w.text), "%s", argument);
   memcpy(w.old, watched(p, &w), w.size);
   p->watch[i] = w;
   fprintf(p->s->out, "watch %u on %s\n", i + 1, argument);
}

/* ---- running ----------------------------------------------------------------------------------
 */

static void
find_break(struct prompt *p)
{
   for (unsigned t = 0; t < p->s->threads; t++) {
      struct pergola_eu_view v;
      pergola_eu_view(p->s->bench, t, &v);
      if (v.state == PERGOLA_EU_BREAK)
         p->thread = t;
   }
}

/* With watches this thread goes instruction by instruction. */
static void
run_watching(struct prompt *p)
{
   for (uint64_t i = 0; i < p->s->max_instructions; i++) {
      p->state = pergola_eu_step(p->s->bench, p->thread, 1);
      if (watch_changed(p) || p->state != PERGOLA_EU_READY)
         return;
   }
}

static void
go_on(struct prompt *p, const char *argument)
{
   (void)argument;
   if (any_watch(p))
      run_watching(p);
   if (!any_watch(p) || p->state == PERGOLA_EU_WAITING) {
      p->state = pergola_eu_run(p->s->bench, p->s->max_instructions);
      watch_changed(p);
   }
   find_break(p);
   if (p->state == PERGOLA_EU_READY && !any_watch(p))
      fprintf(p->s->out, "out of budget\n");
   if (p->state == PERGOLA_EU_WAITING)
      eu_print_deadlock(p->s, p->s->out);
   show_position(p);
}

static void
until(struct prompt *p, const char *argument)
{
   uint32_t offset;
   if (!eu_find(p->s, argument, &offset)) {
      fprintf(p->s->out, "'%s' is no label, line or offset of the program\n", argument);
      return;
   }
   struct pergola_eu_view v;
   for (uint64_t i = 0; i < p->s->max_instructions; i++) {
      p->state = pergola_eu_step(p->s->bench, p->thread, 1);
      pergola_eu_view(p->s->bench, p->thread, &v);
      if (p->state != PERGOLA_EU_READY || v.ip == offset)
         break;
   }
   show_position(p);
}

static void
step_some(struct prompt *p, const char *argument)
{
   uint64_t n = 1;
   step(p, *argument && cli_parse_u64(argument, &n) ? n : 1);
}

static void
next_one(struct prompt *p, const char *argument)
{
   (void)argument;
   next(p);
}

/* ---- breakpoints ------------------------------------------------------------------------------
 */

static void
add_break(struct prompt *p, const char *argument)
{
   uint32_t offset;
   unsigned i = 0;
   while (i < MAX_POINTS && p->point[i].there)
      i++;
   if (i == MAX_POINTS || !eu_find(p->s, argument, &offset) ||
       pergola_eu_break(p->s->bench, offset)) {
      fprintf(p->s->out, "'%s' is no label, line or offset of the program\n", argument);
      return;
   }
   p->point[i] = (struct point){.offset = offset, .there = true};
   fprintf(p->s->out, "breakpoint at 0x%05x, number %u\n", offset, i + 1);
}

static struct point *
point_of(struct prompt *p, const char *argument)
{
   uint64_t n;
   if (cli_parse_u64(argument, &n) && n >= 1 && n <= MAX_POINTS && p->point[n - 1].there)
      return &p->point[n - 1];
   fprintf(p->s->out, "there is no breakpoint '%s'; 'info' lists them\n", argument);
   return NULL;
}

static void
delete_break(struct prompt *p, const char *argument)
{
   struct point *b = *argument ? point_of(p, argument) : NULL;
   if (*argument && !b)
      return;
   for (unsigned i = 0; i < MAX_POINTS; i++)
      if (p->point[i].there && (!b || b == &p->point[i])) {
         if (!p->point[i].disabled)
            pergola_eu_unbreak(p->s->bench, p->point[i].offset);
         p->point[i].there = false;
      }
   if (!b)
      memset(p->watch, 0, sizeof(p->watch));
}

static void
disable_break(struct prompt *p, const char *argument)
{
   struct point *b = point_of(p, argument);
   if (b && !b->disabled)
      pergola_eu_unbreak(p->s->bench, b->offset);
   if (b)
      b->disabled = true;
}

static void
enable_break(struct prompt *p, const char *argument)
{
   struct point *b = point_of(p, argument);
   if (b && b->disabled)
      b->disabled = pergola_eu_break(p->s->bench, b->offset) != 0;
}

static void
info(struct prompt *p, const char *argument)
{
   (void)argument;
   for (unsigned i = 0; i < MAX_POINTS; i++)
      if (p->point[i].there)
         fprintf(p->s->out, "breakpoint %u at 0x%05x%s%s\n", i + 1, p->point[i].offset,
                 eu_line(p->s, p->point[i].offset, ", ", "").text,
                 p->point[i].disabled ? ", disabled" : "");
   for (unsigned i = 0; i < MAX_WATCHES; i++)
      if (p->watch[i].there)
         fprintf(p->s->out, "watch %u on %s\n", i + 1, p->watch[i].text);
}

/* ---- looking ----------------------------------------------------------------------------------
 */

static void
registers(struct prompt *p, const char *argument)
{
   struct eu_place place;
   const uint8_t *grf = pergola_eu_grf(p->s->bench, p->thread);
   if (*argument) {
      if (eu_parse_place(argument, &place))
         eu_print_place(p->s, p->thread, &place);
      else
         fprintf(p->s->out, "'%s' is no register, like g4 or g4-g7:f\n", argument);
      return;
   }
   for (unsigned r = 0; r < 128; r++)
      if (memcmp(grf + r * 32, p->s->start[p->thread] + r * 32, 32))
         eu_print_register(p->s->out, grf, r, (enum eu_value_type)p->s->type[r], true);
   struct pergola_eu_view v;
   pergola_eu_view(p->s->bench, p->thread, &v);
   fprintf(p->s->out, " f0 0x%08x  f1 0x%08x  a0", v.flag[0], v.flag[1]);
   for (unsigned i = 0; i < 8; i++)
      fprintf(p->s->out, " 0x%x", v.address[i]);
   fprintf(p->s->out, "\n");
}

static void
memory(struct prompt *p, const char *argument)
{
   struct eu_place place;
   bool good = eu_parse_place(argument, &place) && place.buffer;
   if (good && !p->s->buffer[place.index])
      fprintf(p->s->out, "there is no buffer b%u; --buffer makes one\n", place.index);
   else if (good)
      eu_print_place(p->s, p->thread, &place);
   else
      fprintf(p->s->out, "'%s' is no buffer, like b0:f:16\n", argument);
}

/* Where the channels are: those that run, and those that wait, by address. */
static void
masks(struct prompt *p)
{
   struct pergola_eu_view v;
   pergola_eu_view(p->s->bench, p->thread, &v);
   uint32_t left = v.dispatch_mask;
   if (say_over(p, &v))
      return;
   fprintf(p->s->out, "dispatched %08x\n", v.dispatch_mask);
   while (left) {
      uint32_t at = v.channel_ip[__builtin_ctz(left)], group = 0;
      for (unsigned c = 0; c < 32; c++)
         if (left >> c & 1 && v.channel_ip[c] == at)
            group |= 1u << c;
      fprintf(p->s->out, "  %08x at 0x%05x%s%s\n", group, at, eu_line(p->s, at, " ", "").text,
              at == v.ip ? " (active)" : "");
      left &= ~group;
   }
}

static void
show_masks(struct prompt *p, const char *argument)
{
   (void)argument;
   masks(p);
}

static void
choose_thread(struct prompt *p, const char *argument)
{
   uint64_t n;
   if (!cli_parse_u64(argument, &n) || n >= p->s->threads) {
      fprintf(p->s->out, "there is no thread '%s'; the last is %u\n", argument, p->s->threads - 1);
      return;
   }
   p->thread = (unsigned)n;
   show_position(p);
}

/* g4.2:f=1,2 or b0.3:ud=7 */
static void
set(struct prompt *p, const char *argument)
{
   char name[64];
   struct eu_place e;
   size_t n = strcspn(argument, "="), used = 0;
   snprintf(name, sizeof(name), "%.*s", n < sizeof(name) ? (int)n : 0, argument);
   bool good = argument[n] && eu_parse_place(name, &e) && (!e.buffer || p->s->buffer[e.index]);
   enum eu_value_type type = good && e.typed ? e.type : EU_UD;
   size_t at = good ? e.sub * eu_value_size(type) + (e.buffer ? 0 : e.index * 32) : 0;
   size_t room = !good ? 0 : e.buffer ? p->s->buffer_size[e.index] : PERGOLA_EU_GRF_SIZE;
   uint8_t *to = !good      ? NULL
                 : e.buffer ? p->s->buffer[e.index]
                            : pergola_eu_grf(p->s->bench, p->thread);
   if (!good || at >= room) {
      fprintf(p->s->out, "'%s' is not PLACE=VALUES, like g4:f=1,2 or b0.3:ud=7\n", argument);
      return;
   }
   if (!eu_parse_values(p->s->out, "set", argument + n + 1, type, to + at, room - at, &used))
      return;
   if (!e.buffer)
      pergola_eu_mark(p->s->bench, p->thread, (unsigned)(at / 32),
                      (unsigned)((at % 32 + used + 31) / 32));
}

static void
print_values(struct prompt *p, const uint8_t *from, size_t offset, size_t count,
             enum eu_value_type type, bool hex)
{
   unsigned size = eu_value_size(type);
   for (size_t i = 0; i < count; i++) {
      uint64_t bits = 0;
      if (i % (32 / size) == 0)
         fprintf(p->s->out, "%s0x%05zx:", i ? "\n" : "", offset + i * size);
      fputc(' ', p->s->out);
      memcpy(&bits, from + i * size, size);
      if (hex)
         fprintf(p->s->out, "%0*" PRIx64, (int)(2 * size), bits);
      else
         eu_print_value(p->s->out, type, from + i * size, false);
   }
   fputc('\n', p->s->out);
}

/* slm [OFFSET [TYPE]] */
static void
slm(struct prompt *p, const char *argument)
{
   char word[16] = "ud";
   unsigned long long offset = 0;
   enum eu_value_type type;
   if (*argument && sscanf(argument, "%lli %15s", &offset, word) < 1)
      offset = 0x10000;
   if (!eu_parse_type(word, strlen(word), &type) || offset > 0x10000 - 64) {
      fprintf(p->s->out, "'%s' is not OFFSET TYPE, below 0xffc0\n", argument);
      return;
   }
   print_values(p, (const uint8_t *)pergola_eu_slm(p->s->bench) + offset, offset,
                64 / eu_value_size(type), type, false);
}

/* x/8xw b0.4: count, format (x d u f), size (b h w g); the place is a buffer, a register or slm.N
 */
static void
examine(struct prompt *p, const char *argument)
{
   static const char usage[] = "x/COUNT FORMAT SIZE PLACE, like x/8xw b0.4, x/4fw g10 or x/16xb "
                               "slm.64\n";
   unsigned count = 8, sub = 0;
   bool known = true;
   char format = 'x', size = 'w', place[64];
   const char *at = argument;
   if (*at == '/') {
      char *end;
      unsigned long n = strtoul(at + 1, &end, 10);
      count = n && n <= 256 ? (unsigned)n : 8;
      for (at = end; *at && *at != ' '; at++) {
         if (strchr("xduf", *at))
            format = *at;
         else if (strchr("bhwg", *at))
            size = *at;
         else
            known = false;
      }
   }
   while (*at == ' ')
      at++;
   snprintf(place, sizeof(place), "%s", at);
   unsigned bytes = size == 'b' ? 1 : size == 'h' ? 2 : size == 'w' ? 4 : 8;
   enum eu_value_type type = format == 'f'   ? (bytes == 8   ? EU_DF
                                                : bytes == 2 ? EU_HF
                                                             : EU_F)
                             : format == 'd' ? (bytes == 1   ? EU_B
                                                : bytes == 2 ? EU_W
                                                             : EU_D)
                                             : (bytes == 1   ? EU_UB
                                                : bytes == 2 ? EU_UW
                                                             : EU_UD);
   if (bytes == 8 && format != 'f')
      type = EU_DF; /* eight bytes; shown as bits */
   const uint8_t *from = NULL;
   size_t room = 0;
   struct eu_place e;
   if (!strncmp(place, "slm", 3)) {
      from = pergola_eu_slm(p->s->bench);
      room = 0x10000;
      sub = place[3] == '.' ? (unsigned)strtoul(place + 4, NULL, 0) : 0;
   } else if (eu_parse_place(place, &e) && e.buffer) {
      from = p->s->buffer[e.index];
      room = p->s->buffer_size[e.index];
      sub = e.sub * bytes;
   } else if (eu_parse_place(place, &e)) {
      from = pergola_eu_grf(p->s->bench, p->thread);
      room = PERGOLA_EU_GRF_SIZE;
      sub = e.index * 32 + e.sub * bytes;
   }
   if (!known || !from || sub >= room || (room - sub) / bytes == 0) {
      fputs(usage, p->s->out);
      return;
   }
   if (count > (room - sub) / bytes)
      count = (unsigned)((room - sub) / bytes);
   print_values(p, from + sub, sub, count, type, format == 'x' || (bytes == 8 && format != 'f'));
}

#define LIST_BEFORE 4u
#define LIST_AFTER 6u

/* From the start, because instructions are of two sizes. */
static void
list(struct prompt *p, const char *argument)
{
   (void)argument;
   struct pergola_eu_view v;
   char text[512];
   uint32_t last[LIST_BEFORE] = {0}, from = 0, count = 0, length, shown = 0;
   pergola_eu_view(p->s->bench, p->thread, &v);
   while (from < v.ip && (length = pergola_eu_text(p->s->bench, from, text, sizeof(text)))) {
      last[count++ % LIST_BEFORE] = from;
      from += length;
   }
   from = count ? last[count < LIST_BEFORE ? 0 : count % LIST_BEFORE] : 0;
   while (shown <= LIST_AFTER &&
          (length = pergola_eu_text(p->s->bench, from, text, sizeof(text)))) {
      fprintf(p->s->out, "%s %s0x%05x %s\n", from == v.ip ? "=>" : "  ",
              eu_line(p->s, from, "", " ").text, from, text);
      shown += from >= v.ip;
      from += length;
   }
}

static void
quit(struct prompt *p, const char *argument)
{
   (void)argument;
   p->quit = true;
}

/* ---- commands ---------------------------------------------------------------------------------
 */

static void help(struct prompt *p, const char *argument);

/* A beginning that only one has is enough; of several the first counts. */
static const struct command {
   const char *name, *arguments, *says, *more;
   void (*run)(struct prompt *p, const char *argument);
} commands[] = {
    {"step", "[N]", "execute N instructions of this thread (1)",
     "An empty line repeats it. A breakpoint on the way stops it.", step_some},
    {"next", "", "go to the instruction below", "Loops and calls in between are run through.",
     next_one},
    {"continue", "", "run all threads to a breakpoint or the end",
     "With watches this thread goes instruction by instruction, until one changes.", go_on},
    {"until", "WHERE", "run this thread to a label, a line, or 0xOFFSET", "", until},
    {"break", "WHERE", "breakpoint at a label, a line, or 0xOFFSET",
     "It has a number, for delete, disable and enable. 'info' lists them.", add_break},
    {"regs", "[PLACE]", "registers that changed, or PLACE: g4, g4-g7:f", "", registers},
    {"print", "[PLACE]", "the same as regs", "", registers},
    {"list", "", "the instructions around this one", "", list},
    {"mem", "PLACE", "a buffer: b0:f:16", "", memory},
    {"bt", "", "where the channels are",
     "Those that are active, and those that wait for the others, by address.", show_masks},
    {"thread", "N", "look at another thread", "", choose_thread},
    {"delete", "[N]", "remove a breakpoint, or all with the watches", "", delete_break},
    {"disable", "N", "a breakpoint that stays in the list and does not stop", "", disable_break},
    {"enable", "N", "the opposite", "", enable_break},
    {"info", "", "breakpoints and watches", "", info},
    {"watch", "PLACE", "stop when it changes: g4, g4.2:f, b0.3:ud",
     "Registers are those of the thread that is looked at.", add_watch},
    {"set", "PLACE=VALUES", "write registers or a buffer: g4:f=1,2 or b0.3:ud=7", "", set},
    {"slm", "[OFFSET [TYPE]]", "64 bytes of shared local memory", "", slm},
    {"x", "/NFS PLACE", "memory as numbers: x/8xw b0.4, x/4fw g10, x/16xb slm.64",
     "N how many; F the format: x, d, u, f; S the size: b 1, h 2, w 4, g 8 bytes.", examine},
    {"help", "[COMMAND]", "this, or more of one", "", help},
    {"quit", "", "end", "", quit},
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct command *
find_command(const char *word)
{
   size_t n = strcspn(word, "/");
   for (size_t i = 0; n && i < COMMANDS; i++)
      if (!strncmp(commands[i].name, word, n))
         return &commands[i];
   return NULL;
}

static void
help(struct prompt *p, const char *argument)
{
   const struct command *c = *argument ? find_command(argument) : NULL;
   if (*argument && !c) {
      fprintf(p->s->out, "'%s' is no command; 'help' lists them\n", argument);
      return;
   }
   for (size_t i = 0; i < COMMANDS; i++) {
      if (c && c != &commands[i])
         continue;
      char usage[48];
      snprintf(usage, sizeof(usage), "%s %s", commands[i].name, commands[i].arguments);
      fprintf(p->s->out, "%-22s %s\n", usage, commands[i].says);
      if (c && c->more[0])
         fprintf(p->s->out, "%s\n", c->more);
   }
}

static void
command(struct prompt *p, const char *line)
{
   char word[64] = "", argument[160] = "";
   sscanf(line, "%63s %159[^\n]", word, argument);
   const struct command *c = find_command(word[0] ? word : "step");
   if (!c) {
      fprintf(p->s->out, "'%s' is no command; 'help' lists them\n", word);
      return;
   }
   if (c->run != examine) {
      c->run(p, argument);
      return;
   }
   char all[240];
   snprintf(all, sizeof(all), "%s %s", word + 1, argument);
   examine(p, all);
}

/* The next line, or NULL at the end. */
static char *
read_line(struct eu_session *s, char *line, int size)
{
#ifdef PERGOLA_EDITLINE
   if (isatty(STDIN_FILENO)) {
      char *edited = readline("(eu) ");
      if (!edited)
         return NULL;
      if (*edited)
         add_history(edited);
      snprintf(line, (size_t)size, "%s", edited);
      free(edited);
      return line;
   }
#endif
   fprintf(s->out, "(eu) ");
   fflush(s->out);
   return fgets(line, size, stdin);
}

enum pergola_eu_state
eu_prompt(struct eu_session *s)
{
   struct prompt p = {.s = s};
   char line[256];
   show_position(&p);
   while (!p.quit && read_line(s, line, sizeof(line)))
      command(&p, line);
   fprintf(s->out, "\n");
   return p.state;
}
