/* Mesa's hang dumps: blocks of a type, a header and bytes. */
#include "hang/capture_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC UINT64_C(0x4245012345676463)
#define NAME 64u
#define PROPERTIES 20u /* bytes, from version 2 on */

enum { HEADER = 1, BUFFER, MAP, EXEC, IMAGE, VM_FLAGS };

static uint64_t
u64(const struct reader *r, size_t at)
{
   uint64_t v;
   memcpy(&v, r->bytes + at, 8);
   return v;
}

static uint32_t
u32(const struct reader *r, size_t at)
{
   uint32_t v;
   memcpy(&v, r->bytes + at, 4);
   return v;
}

bool
hang_dump_is(const uint8_t *bytes, size_t size)
{
   const struct reader r = {.bytes = bytes, .size = size};
   return size >= 16 && u32(&r, 0) == HEADER && u64(&r, 8) == MAGIC;
}

static bool
torn(struct reader *r, size_t at)
{
   snprintf(r->error, 160, "the file ends inside the block at byte %zu", at);
   return false;
}

static bool
keep(struct reader *r, enum capture_kind kind, uint64_t address, size_t at, uint64_t size)
{
   struct capture_block b = {.kind = kind, .engine = -1, .address = address, .size = (size_t)size};
   b.bytes = malloc(size ? (size_t)size : 1);
   if (b.bytes) {
      memcpy(b.bytes, r->bytes + at, (size_t)size);
      if (capture_add_block(r->capture, &b))
         return true;
   }
   snprintf(r->error, 160, "more memory than can be taken in");
   return false;
}

/* Bytes of the body before the data; 0: there is no such block. */
static size_t
body_size(uint32_t type, uint32_t version)
{
   switch (type) {
   case HEADER:
      return 16;
   case BUFFER:
   case MAP:
      return (version >= 2 ? PROPERTIES + 4 : 0) + NAME + 16;
   case IMAGE:
      return version >= 2 ? 16 : 8; /* the first version gives no address */
   case EXEC:
   case VM_FLAGS:
      return 8;
   default:
      return 0;
   }
}

static bool
block(struct reader *r, uint32_t type, size_t body, size_t size, size_t *data)
{
   struct capture *c = r->capture;
   uint64_t bytes = 0, address = 0;
   if (type == BUFFER || type == MAP) {
      address = u64(r, body + size - 16);
      bytes = u64(r, body + size - 8);
   } else if (type == IMAGE) {
      bytes = u64(r, body);
      address = size > 8 ? u64(r, body + 8) : 0;
   } else if (type == EXEC) {
      c->exec = u64(r, body);
      c->has_exec = true;
   }
   if (type == MAP)
      return capture_add_object(c, address, bytes);
   if (type != BUFFER && type != IMAGE)
      return true;
   if (bytes > r->size - body - size)
      return torn(r, body - 8);
   *data = (size_t)bytes;
   return keep(r, type == IMAGE ? CAPTURE_CONTEXT : CAPTURE_MEMORY, address, body + size, bytes);
}

bool
hang_dump_read(struct reader *r)
{
   uint32_t version = 1;
   snprintf(r->capture->format, sizeof(r->capture->format), "hang dump");
   for (size_t at = 0; at < r->size;) {
      if (r->size - at < 8)
         return torn(r, at);
      uint32_t type = u32(r, at);
      if (type == HEADER && r->size - at >= 24)
         version = u32(r, at + 16);
      size_t size = body_size(type, version), data = 0;
      if (!size) {
         snprintf(r->error, 160, "a block of unknown type %u at byte %zu", type, at);
         return false;
      }
      if (r->size - at - 8 < size)
         return torn(r, at);
      if (!block(r, type, at + 8, size, &data))
         return false;
      at += 8 + size + data;
   }
   return true;
}
