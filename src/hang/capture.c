#include "hang/capture_build.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define FIFO_MS 3000                     /* for which the other end of a FIFO is waited for */
#define PACKED_LIMIT (UINT64_C(2) << 30) /* of a packed file, unpacked */
#define PLAIN_LIMIT (UINT64_C(16) << 30)

const char *const capture_engine_names[CAPTURE_ENGINES] = {"render", "video", "blitter"};
const char *const capture_kind_names[CAPTURE_KIND_COUNT] = {
    "batch",      "ring",       "status page", "context", "user object",
    "workaround", "semaphores", "memory",      "remark",  "register write"};

static void
free_bytes(const struct capture_block *b)
{
   if (!b->in_file)
      free(b->bytes);
}

bool
capture_add_block(struct capture *c, const struct capture_block *b)
{
   bool room = c->blocks < CAPTURE_BLOCKS &&
               (b->in_file || (c->bytes <= CAPTURE_BYTES && b->size <= CAPTURE_BYTES - c->bytes));
   /* The array doubles: its size is the power of two at or above the count. */
   if (room && !(c->blocks & (c->blocks - 1))) {
      void *more = realloc(c->block, (c->blocks ? 2 * c->blocks : 1) * sizeof(*c->block));
      room = more != NULL;
      c->block = more ? more : c->block;
   }
   if (!room) {
      free_bytes(b);
      return false;
   }
   c->block[c->blocks++] = *b;
   c->bytes += b->size;
   return true;
}

bool
capture_add_object(struct capture *c, uint64_t address, uint64_t size)
{
   if (c->objects == CAPTURE_BLOCKS)
      return false;
   if (!(c->objects & (c->objects - 1))) {
      void *more = realloc(c->object, (c->objects ? 2 * c->objects : 1) * sizeof(*c->object));
      if (!more)
         return false;
      c->object = more;
   }
   c->object[c->objects++] = (struct capture_object){address, size};
   return true;
}

void
capture_add_register(struct capture_registers *r, const char *name, size_t length, uint64_t value)
{
   if (r->count == CAPTURE_REGISTERS || length >= sizeof(r->reg[0].name))
      return;
   struct capture_register *reg = &r->reg[r->count++];
   memcpy(reg->name, name, length);
   reg->name[length] = 0;
   reg->value = value;
}

bool
capture_register(const struct capture_registers *r, const char *name, uint64_t *value)
{
   for (unsigned i = 0; i < r->count; i++)
      if (!strcmp(r->reg[i].name, name)) {
         *value = r->reg[i].value;
         return true;
      }
   return false;
}

const struct capture_block *
capture_find(const struct capture *c, enum capture_kind kind, int engine)
{
   for (unsigned i = 0; i < c->blocks; i++)
      if (c->block[i].kind == kind && (engine < 0 || c->block[i].engine == engine))
         return &c->block[i];
   return NULL;
}

/* By the code, where there is one: it is the first hung engine's IPEHR xor INSTDONE. */
unsigned
capture_hung_engine(const struct capture *c)
{
   for (unsigned i = 0; i < CAPTURE_ENGINES; i++) {
      uint64_t ipehr, instdone;
      const struct capture_registers *r = &c->engine[i].registers;
      if (c->has_ecode && capture_register(r, "IPEHR", &ipehr) &&
          capture_register(r, "INSTDONE", &instdone) && (uint32_t)(ipehr ^ instdone) == c->ecode)
         return i;
   }
   for (unsigned i = 0; i < CAPTURE_ENGINES; i++)
      if (c->engine[i].hung)
         return i;
   for (unsigned i = 0; i < CAPTURE_ENGINES; i++)
      if (capture_find(c, CAPTURE_BATCH, (int)i))
         return i;
   return 0;
}

void
capture_free(struct capture *c)
{
   if (!c)
      return;
   for (unsigned i = 0; i < c->blocks; i++)
      free_bytes(&c->block[i]);
   free(c->block);
   free(c->object);
   free(c->file);
   free(c);
}

static const struct {
   bool (*is)(const uint8_t *, size_t);
   bool (*read)(struct reader *);
} formats[] = {
    {hang_dump_is, hang_dump_read}, {aub_is, aub_read}, {error_state_is, error_state_read}};

bool
capture_known(const uint8_t *bytes, size_t size)
{
   if (size > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b)
      return true; /* gzip's */
   for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
      if (formats[i].is(bytes, size))
         return true;
   return false;
}

struct capture *
capture_parse(const uint8_t *bytes, size_t size, char error[160])
{
   struct reader r = {calloc(1, sizeof(struct capture)), bytes, size, error};
   error[0] = 0;
   if (!r.capture) {
      snprintf(error, 160, "no memory left");
      return NULL;
   }
   for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
      if (formats[i].is(bytes, size)) {
         if (formats[i].read(&r))
            return r.capture;
         capture_free(r.capture);
         return NULL;
      }
   snprintf(error, 160, "neither an i915 error state nor an AUB file nor a hang dump");
   capture_free(r.capture);
   return NULL;
}

/* How much of it there may be, and how much is expected: of a file that is not packed, what it has,
 * and one to see its end. */
static uint64_t
expected(gzFile f, const struct stat *st, uint64_t *limit)
{
   uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
   bool plain = gzdirect(f) && S_ISREG(st->st_mode);
   *limit = plain ? PLAIN_LIMIT : PACKED_LIMIT;
   *limit = *limit < memory ? *limit : memory;
   return plain && (uint64_t)st->st_size < *limit ? (uint64_t)st->st_size + 1 : 1u << 20;
}

/* zlib's files: packed or not, it reads both. */
static uint8_t *
read_all(gzFile f, const struct stat *st, size_t *size, char error[160])
{
   uint64_t limit;
   size_t room = expected(f, st, &limit);
   uint8_t *bytes = malloc(room);
   *size = 0;
   while (bytes) {
      int got =
          gzread(f, bytes + *size, (unsigned)(room - *size > 1u << 24 ? 1u << 24 : room - *size));
      if (got < 0) {
         snprintf(error, 160, "it does not unpack: the file is damaged");
         break;
      }
      *size += (size_t)got;
      if (!got)
         return bytes;
      if (*size < room)
         continue;
      if (room >= limit) {
         snprintf(error, 160, "it is larger than %llu bytes, unpacked", (unsigned long long)limit);
         break;
      }
      room *= 2;
      uint8_t *more = realloc(bytes, room);
      if (!more)
         break;
      bytes = more;
   }
   if (!error[0])
      snprintf(error, 160, "no memory left");
   free(bytes);
   return NULL;
}

/* A FIFO that nobody writes to would be waited for without end. */
static gzFile
open_file(const char *path, struct stat *st, char error[160])
{
   int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
   struct pollfd p = {.fd = fd, .events = POLLIN};
   error[0] = 0;
   if (fd < 0 || fstat(fd, st))
      snprintf(error, 160, "%s", strerror(errno));
   else if (S_ISDIR(st->st_mode))
      snprintf(error, 160, "it is a directory");
   else if (S_ISFIFO(st->st_mode) && poll(&p, 1, FIFO_MS) <= 0)
      snprintf(error, 160, "it is a FIFO, and nobody writes to it");
   gzFile f = error[0] || fcntl(fd, F_SETFL, 0) ? NULL : gzdopen(fd, "rb");
   if (!f && !error[0])
      snprintf(error, 160, "no memory left");
   if (!f && fd >= 0)
      close(fd);
   return f;
}

struct capture *
capture_read(const char *path, char error[160])
{
   struct stat st = {0};
   size_t size;
   gzFile f = open_file(path, &st, error);
   if (!f)
      return NULL;
   gzbuffer(f, 1u << 18);
   uint8_t *bytes = read_all(f, &st, &size, error);
   gzclose_r(f);
   struct capture *c = NULL;
   if (bytes && !size)
      snprintf(error, 160, "it is empty");
   else if (bytes)
      c = capture_parse(bytes, size, error);
   if (c)
      c->file = bytes; /* blocks may be there */
   else
      free(bytes);
   return c;
}
