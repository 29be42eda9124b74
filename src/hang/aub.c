/* AUB files: packets of dwords, as libdrm, IGT and Mesa write them for Gen7. */
#include "hang/aub.h"
#include "hang/capture_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t
dword(const struct reader *r, size_t at)
{
   uint32_t v;
   memcpy(&v, r->bytes + at, 4);
   return v;
}

bool
aub_is(const uint8_t *bytes, size_t size)
{
   uint32_t first;
   if (size < 8)
      return false;
   memcpy(&first, bytes, 4);
   return (first & AUB_MASK) == AUB_HEADER || (first & AUB_MASK) == 0xf70e0000u;
}

static bool
keep(struct reader *r, enum capture_kind kind, int engine, uint64_t address, size_t at, size_t size)
{
   return capture_add_block(r->capture, &(struct capture_block){.kind = kind,
                                                                .engine = engine,
                                                                .address = address,
                                                                .bytes = (uint8_t *)r->bytes + at,
                                                                .size = size,
                                                                .in_file = true});
}

/* "PCI-ID=0x166" in the comment of the header. */
static void
header_packet(struct reader *r, size_t at, size_t size)
{
   char comment[256] = "";
   size_t begin = at + 13 * 4;
   if (size <= 13 * 4)
      return;
   size_t n = size - 13 * 4 < sizeof(comment) - 1 ? size - 13 * 4 : sizeof(comment) - 1;
   memcpy(comment, r->bytes + begin, n);
   const char *id = strstr(comment, "PCI-ID=");
   if (id)
      r->capture->pci_id = (uint32_t)strtoul(id + 7, NULL, 0) & 0xffff;
}

/* Rings of command writes: PRB0 render, PRB1 video, PRB2 blitter. */
static bool
block_packet(struct reader *r, size_t at, size_t size)
{
   uint32_t dw1 = dword(r, at + 4);
   unsigned operation = dw1 & 0xff, type = dw1 >> 8 & 0xff, space = dw1 >> 16 & 0xff;
   uint64_t address = dword(r, at + 12), bytes = dword(r, at + 16);
   size_t data = at + 20;
   if (bytes > size - 20) {
      snprintf(r->error, 160, "a block at byte %zu that says it is longer than its packet", at);
      return false;
   }
   if (operation == AUB_OP_COMMENT)
      return bytes < 9 || memcmp(r->bytes + data, "Pergola: ", 9) ||
             keep(r, CAPTURE_REMARK, -1, 0, data, (size_t)bytes);
   if (operation == AUB_OP_MMIO)
      return bytes < 4 || keep(r, CAPTURE_REGISTER, -1, address, data, 4);
   if (space == AUB_SPACE_GTT_ENTRY)
      return true; /* one flat GTT: addresses are what they say */
   if (operation == AUB_OP_COMMAND && type >= AUB_TYPE_RING &&
       type < AUB_TYPE_RING + CAPTURE_ENGINES)
      return keep(r, CAPTURE_RING, (int)type - AUB_TYPE_RING, address, data, (size_t)bytes);
   return keep(r, type == AUB_TYPE_BATCH ? CAPTURE_BATCH : CAPTURE_MEMORY, -1, address, data,
               (size_t)bytes);
}

static bool
memory_packet(struct reader *r, size_t at, size_t size)
{
   uint64_t address = dword(r, at + 4) | (uint64_t)dword(r, at + 8) << 32;
   unsigned space = dword(r, at + 12) >> 28;
   uint64_t bytes = dword(r, at + 16);
   if (bytes > size - 20) {
      snprintf(r->error, 160, "a write at byte %zu that says it is longer than its packet", at);
      return false;
   }
   return space == AUB_SPACE_GTT_ENTRY ||
          keep(r, CAPTURE_MEMORY, -1, address, at + 20, (size_t)bytes);
}

static bool
packet(struct reader *r, size_t at, size_t size)
{
   uint32_t type = dword(r, at) & AUB_MASK;
   if (type == AUB_HEADER)
      header_packet(r, at, size);
   else if (type == AUB_BLOCK && size >= 20)
      return block_packet(r, at, size);
   else if (type == AUB_MEMORY_WRITE && size >= 20)
      return memory_packet(r, at, size);
   else if (type != AUB_BITMAP)
      r->capture->ignored++;
   return true;
}

/* Bytes of a packet. A block's length field is too short for its data: it counts the header alone
 * in files of old writers, so the size inside decides. */
static uint64_t
packet_size(const struct reader *r, size_t at)
{
   uint32_t first = dword(r, at);
   uint64_t size = 4 * ((uint64_t)(first & 0xffff) + ((first >> 23 & 0x3f) == 0x2e ? 1 : 2));
   uint32_t type = first & AUB_MASK;
   if (type == AUB_BLOCK && r->size - at >= 20 && size >= 20)
      size = 20 + ((uint64_t)dword(r, at + 16) + 3) / 4 * 4;
   if (type == AUB_HEADER && r->size - at >= 52)
      size = 52 + ((uint64_t)dword(r, at + 48) + 3) / 4 * 4;
   return size;
}

bool
aub_read(struct reader *r)
{
   snprintf(r->capture->format, sizeof(r->capture->format), "AUB");
   for (size_t at = 0; r->size - at >= 4;) {
      if (dword(r, at) >> 29 != 7) {
         snprintf(r->error, 160, "0x%08x at byte %zu is not the head of a packet", dword(r, at),
                  at);
         return false;
      }
      uint64_t size = packet_size(r, at);
      if (size > r->size - at && r->capture->blocks) { /* as of a program that was killed */
         r->capture->cut = true;
         return true;
      }
      if (size > r->size - at) {
         snprintf(r->error, 160, "the file ends inside the packet at byte %zu", at);
         return false;
      }
      if (!packet(r, at, (size_t)size)) {
         if (!r->error[0])
            snprintf(r->error, 160, "more memory than can be taken in");
         return false;
      }
      at += (size_t)size;
   }
   return true;
}
