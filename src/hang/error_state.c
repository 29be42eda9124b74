/* i915 error states, Linux 3.x to 6.x. Read by what a line says, never by the kernel's version: the
 * steps between the forms are not all known (spec/facts/hang-formats.md). */
#include "hang/capture_build.h"
#include "hang/ecode.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
   const char *text; /* not ended by a zero */
   size_t length;
};

struct state {
   struct capture *capture;
   int engine;    /* whose registers the indented lines are; -1: nobody's */
   bool in_block; /* dwords follow for … */
   struct capture_block block;
   size_t room; /* bytes that the block's buffer has */
   bool full;   /* no memory, or too much of it: what follows is left out */
};

/* ---- words ---------------------------------------------------------------------------------- */

static bool
starts(const struct line *l, const char *word)
{
   size_t n = strlen(word);
   return l->length >= n && !memcmp(l->text, word, n);
}

static const char *
find(const struct line *l, const char *word)
{
   return memmem(l->text, l->length, word, strlen(word));
}

static const char *
end_of(const struct line *l)
{
   return l->text + l->length;
}

static const char *
skip_spaces(const char *s, const char *end)
{
   while (s < end && (*s == ' ' || *s == '\t'))
      s++;
   return s;
}

/* Hexadecimal digits, at most 16; NULL: there is none. */
static const char *
read_hex(const char *s, const char *end, uint64_t *value)
{
   const char *first = s;
   *value = 0;
   for (; s < end && isxdigit((unsigned char)*s) && s - first < 16; s++)
      *value = *value << 4 | (uint64_t)(*s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10);
   return s > first ? s : NULL;
}

/* 0x1234, and 64 bits as "0x00000000 00001234" or "0x00000000_00001234". */
static const char *
read_value(const char *s, const char *end, uint64_t *value)
{
   uint64_t low;
   if (end - s > 2 && s[0] == '0' && s[1] == 'x')
      s += 2;
   const char *behind = read_hex(s, end, value);
   if (!behind || behind - s != 8 || end - behind < 9 || (*behind != ' ' && *behind != '_'))
      return behind;
   const char *more = read_hex(behind + 1, end, &low);
   if (!more || more - behind != 9 || (more < end && isalnum((unsigned char)*more)))
      return behind;
   *value = *value << 32 | low;
   return more;
}

static void
copy_text(char *out, size_t size, const char *s, const char *end)
{
   size_t n = (size_t)(end - s) < size - 1 ? (size_t)(end - s) : size - 1;
   memcpy(out, s, n);
   out[n] = 0;
}

static int
engine_of(const struct line *l)
{
   static const struct {
      const char *name;
      int engine;
   } names[] = {{"render", 0}, {"rcs0", 0}, {"bsd", 1},    {"vcs0", 1},
                {"blt", 2},    {"bcs0", 2}, {"blitter", 2}};
   for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
      if (starts(l, names[i].name) && l->length > strlen(names[i].name) &&
          !isalnum((unsigned char)l->text[strlen(names[i].name)]))
         return names[i].engine;
   return -1;
}

/* ---- blocks of memory ----------------------------------------------------------------------- */

static void
end_block(struct state *s)
{
   if (!s->in_block)
      return;
   s->block.cut |= !s->block.size;
   s->full |= !capture_add_block(s->capture, &s->block);
   s->in_block = false;
}

static void
begin_block(struct state *s, enum capture_kind kind, int engine, uint64_t address)
{
   s->block = (struct capture_block){.kind = kind, .engine = engine, .address = address};
   s->room = 0;
   s->in_block = true;
}

static void
add_dword(struct state *s, uint32_t value)
{
   struct capture_block *b = &s->block;
   if (b->size + 4 > s->room) {
      size_t room = s->room ? 2 * s->room : 4096;
      void *more = room <= CAPTURE_BYTES ? realloc(b->bytes, room) : NULL;
      if (!more) {
         b->cut = s->full = true;
         return;
      }
      b->bytes = more;
      s->room = room;
   }
   memcpy(b->bytes + b->size, &value, 4);
   b->size += 4;
}

static void
add_packed(struct state *s, const struct line *l)
{
   struct capture_block *b = &s->block;
   size_t size, packed_size;
   bool cut, torn = false;
   uint64_t left = CAPTURE_BYTES - s->capture->bytes;
   uint8_t *bytes = ascii85_decode(l->text + 1, l->length - 1, left, &packed_size, &cut);
   size = packed_size;
   if (bytes && l->text[0] == ':') {
      uint8_t *unpacked = zlib_inflate(bytes, packed_size, left, &size, &torn);
      free(bytes);
      bytes = unpacked;
   }
   free(b->bytes);
   b->bytes = bytes;
   b->size = bytes ? size : 0;
   b->cut = !bytes || cut || torn;
   end_block(s);
}

/* "00000010 :  7a000003": an offset and a dword; "[0010] 00000000 00000000 …": four of them. */
static bool
add_hex_line(struct state *s, const struct line *l)
{
   const char *end = end_of(l), *at = l->text;
   uint64_t offset, value;
   bool wide = l->length && *at == '[';
   at = read_hex(at + wide, end, &offset);
   if (!at || at == end || *at != (wide ? ']' : ' '))
      return false;
   at = skip_spaces(at + 1, end);
   if (!wide) {
      if (at == end || *at != ':')
         return false;
      at = skip_spaces(at + 1, end);
   }
   if (offset != s->block.size)
      s->block.cut = true; /* lines are missing: what comes now belongs elsewhere */
   for (unsigned i = 0; i < (wide ? 4u : 1u); i++) {
      at = at ? read_hex(skip_spaces(at, end), end, &value) : NULL;
      if (!at || value > UINT32_MAX)
         return i > 0;
      if (!s->block.cut)
         add_dword(s, (uint32_t)value);
   }
   return true;
}

/* "render ring --- gtt_offset = 0x01234000", "rcs0 (submitted by X [1]) --- batch = 0x0 01234000".
 */
static bool
block_line(struct state *s, const struct line *l)
{
   static const struct {
      const char *word;
      enum capture_kind kind;
   } kinds[] = {{"(w/a) --- gtt_offset", CAPTURE_WORKAROUND},
                {"--- gtt_offset", CAPTURE_BATCH},
                {"--- batch", CAPTURE_BATCH},
                {"--- ringbuffer", CAPTURE_RING},
                {"--- ring", CAPTURE_RING},
                {"--- HW Status", CAPTURE_STATUS_PAGE},
                {"--- HW Context", CAPTURE_CONTEXT},
                {"--- HW context", CAPTURE_CONTEXT},
                {"--- WA context", CAPTURE_WORKAROUND},
                {"--- WA batchbuffer", CAPTURE_WORKAROUND},
                {"WA ctx batch buffer", CAPTURE_WORKAROUND},
                {"--- user", CAPTURE_USER},
                {"--- Semaphores", CAPTURE_SEMAPHORES},
                {"Semaphore page", CAPTURE_SEMAPHORES}};
   for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      const char *at = find(l, kinds[i].word), *end = end_of(l);
      uint64_t address;
      if (!at)
         continue;
      at = skip_spaces(at + strlen(kinds[i].word), end);
      if (at == end || *at != '=' || !read_value(skip_spaces(at + 1, end), end, &address))
         return false;
      end_block(s);
      begin_block(s, kinds[i].kind, engine_of(l), address);
      return true;
   }
   return false;
}

/* ---- registers ------------------------------------------------------------------------------ */

/* "HEAD: 0x00000040 [0x00000000]", "TAIL: 0x00000100 [0x000000c0, 0x00000100]": the last number is
 * the request's. */
static void
add_request(struct capture_registers *r, const char *name, const char *at, const char *end)
{
   const char *comma = memchr(at, ',', (size_t)(end - at));
   char text[16];
   uint64_t value;
   if (comma)
      at = skip_spaces(comma + 1, end);
   if (!read_value(at, end, &value))
      return;
   int n = snprintf(text, sizeof(text), "%.4s request", name);
   capture_add_register(r, text, (size_t)n, value);
}

/* "  NAME: 0x…" of an engine, "NAME: 0x…" of none. */
static bool
register_line(struct state *s, const struct line *l)
{
   const char *end = end_of(l), *name = skip_spaces(l->text, end);
   const char *colon = memchr(name, ':', (size_t)(end - name));
   uint64_t value;
   if (!colon)
      return false;
   const char *at = skip_spaces(colon + 1, end);
   bool bracket = at < end && *at == '['; /* batch: [0x0_01234000, 0x0_01235000] */
   if (end - at < 3 || at[bracket] != '0' || at[bracket + 1] != 'x' ||
       !read_value(at + bracket, end, &value))
      return false;
   bool indented = name > l->text && s->engine >= 0;
   struct capture_registers *r =
       indented ? &s->capture->engine[s->engine].registers : &s->capture->registers;
   capture_add_register(r, name, (size_t)(colon - name), value);
   const char *open = indented && !bracket ? memchr(at, '[', (size_t)(end - at)) : NULL;
   if (open && colon - name == 4) /* HEAD: 0x… [0x…]: where the request begins; TAIL: ends */
      add_request(r, name, open + 1, end);
   return true;
}

/* "  fence[3] = 0123456789abcdef" */
static bool
fence_line(struct state *s, const struct line *l)
{
   const char *end = end_of(l), *at = skip_spaces(l->text, end);
   struct capture *c = s->capture;
   uint64_t value;
   if (end - at < 6 || memcmp(at, "fence[", 6))
      return false;
   unsigned n = 0; /* the file may end here: no function that wants a zero behind it */
   for (const char *digit = at + 6; digit < end && isdigit((unsigned char)*digit); digit++)
      n = n < CAPTURE_FENCES ? 10 * n + (unsigned)(*digit - '0') : n;
   at = memchr(at, '=', (size_t)(end - at));
   if (!at || n >= CAPTURE_FENCES || !read_hex(skip_spaces(at + 1, end), end, &value))
      return false;
   c->fence[n] = value;
   c->fences = c->fences > n ? c->fences : n + 1;
   return true;
}

/* An object of a list: "    01234000     4096 …", "    00000000_01234000     4096 …". */
static bool
object_line(struct state *s, const struct line *l)
{
   const char *end = end_of(l), *at = skip_spaces(l->text, end), *first = at;
   uint64_t address, size = 0;
   at = read_value(at, end, &address);
   if (first == l->text || !at || (at - first != 8 && at - first != 17) || at == end || *at != ' ')
      return false;
   at = skip_spaces(at, end);
   const char *digits = at;
   while (at < end && isdigit((unsigned char)*at) && at - digits < 12)
      size = 10 * size + (uint64_t)(*at++ - '0');
   return at > digits && size && !(size & 4095) && capture_add_object(s->capture, address, size);
}

static void
headline(struct capture *c, const struct line *l)
{
   struct hang_ecode e;
   copy_text(c->headline, sizeof(c->headline), l->text, end_of(l));
   if (!hang_ecode_parse(c->headline, &e))
      return;
   c->has_ecode = true;
   c->ecode = e.code;
   c->generation = e.generation;
}

static bool
heading_line(struct state *s, const struct line *l)
{
   struct capture *c = s->capture;
   const char *end = end_of(l);
   if (starts(l, "GPU HANG: ecode ")) {
      headline(c, l);
   } else if (find(l, " command stream:") && l->text[0] != ' ') {
      s->engine = engine_of(l);
      if (s->engine >= 0)
         c->engine[s->engine].present = true;
   } else if (starts(l, "Kernel: ")) {
      copy_text(c->kernel, sizeof(c->kernel), l->text + 8, end);
   } else if (starts(l, "PCI ID: 0x")) {
      uint64_t id;
      if (read_hex(l->text + 10, end, &id))
         c->pci_id = (uint32_t)id & 0xffff;
   } else if (starts(l, "Active process (on ring ")) {
      const struct line name = {l->text + 24, l->length - 24};
      const char *at = find(l, "): ");
      int engine = engine_of(&name);
      if (engine >= 0 && at)
         copy_text(c->engine[engine].process, sizeof(c->engine[engine].process), at + 3, end);
   } else if (s->engine >= 0 && (find(l, "hung: 1") || (find(l, "hangcheck") && find(l, "hung")))) {
      c->engine[s->engine].hung = true;
   } else {
      return false;
   }
   return true;
}

static void
take_line(struct state *s, const struct line *l)
{
   if (!l->length)
      return;
   if (s->in_block) {
      if (!s->block.size && (l->text[0] == ':' || l->text[0] == '~')) {
         add_packed(s, l);
         return;
      }
      if (starts(l, "gtt_page_sizes") || add_hex_line(s, l))
         return;
   }
   if (block_line(s, l))
      return;
   end_block(s);
   if (!heading_line(s, l) && !fence_line(s, l) && !register_line(s, l) && !object_line(s, l))
      s->capture->ignored++;
}

bool
error_state_is(const uint8_t *bytes, size_t size)
{
   static const char *const words[] = {"GPU HANG: ecode", "PCI ID: 0x",
                                       " command stream:", "rror state collected"};
   size_t first = size < 65536 ? size : 65536;
   for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
      if (memmem(bytes, first, words[i], strlen(words[i])))
         return true;
   return false;
}

bool
error_state_read(struct reader *r)
{
   struct state s = {.capture = r->capture, .engine = -1};
   const char *at = (const char *)r->bytes, *end = at + r->size;
   snprintf(r->capture->format, sizeof(r->capture->format), "i915 error state");
   while (at < end) {
      const char *eol = memchr(at, '\n', (size_t)(end - at));
      struct line l = {at, (size_t)((eol ? eol : end) - at)};
      if (l.length && l.text[l.length - 1] == '\r')
         l.length--;
      take_line(&s, &l);
      at = eol ? eol + 1 : end;
   }
   end_block(&s);
   bool any = r->capture->blocks;
   for (unsigned i = 0; i < CAPTURE_ENGINES; i++)
      any |= r->capture->engine[i].present;
   if (!any)
      snprintf(r->error, 160, "an error state that holds nothing: none was collected");
   else if (s.full)
      snprintf(r->error, 160, "more memory than an error state can hold");
   return any && !s.full;
}
