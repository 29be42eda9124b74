/* A number for what memory holds, page by page: the same in whatever order pages are looked at. */
#ifndef PERGOLA_HANG_PAGE_HASH_H
#define PERGOLA_HANG_PAGE_HASH_H

#include <stdint.h>
#include <string.h>

#define HASH_PAGE 4096u

/* Of one page: its place counts as well as its bytes. Those of many are added up. */
static inline uint64_t
page_hash(uint64_t address, const void *bytes)
{
   const uint64_t prime = UINT64_C(0x9e3779b97f4a7c15);
   uint64_t h = (address / HASH_PAGE + 1) * prime;
   for (unsigned i = 0; i < HASH_PAGE; i += 8) {
      uint64_t v;
      memcpy(&v, (const uint8_t *)bytes + i, 8);
      h = (h ^ v) * prime;
      h ^= h >> 32;
   }
   return h;
}

#endif
