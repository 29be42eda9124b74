/* A device and memory for fuzzers of units. */
#ifndef PERGOLA_FUZZ_STAND_H
#define PERGOLA_FUZZ_STAND_H

#include "pergola/pergola_machine.h"

#include <stdlib.h>
#include <string.h>

#define FUZZ_PHYSICAL 0x20000000u
#define FUZZ_NO_HOLE UINT32_MAX

/* The memory of a stand from graphics address `base` on, but for the page at `hole`. */
static inline void
fuzz_map(struct pergola_device *dev, uint32_t base, uint32_t size, uint32_t hole)
{
   struct pergola_machine m = {.dev = dev};
   uint32_t first = hole < size ? hole : size, next = first + 4096;
   pergola_machine_map(&m, base, FUZZ_PHYSICAL, first / 4096);
   if (next < size)
      pergola_machine_map(&m, base + next, FUZZ_PHYSICAL + next, (size - next) / 4096);
}

/* Its memory is mapped from `base` on, but for the page at `hole`. It is not pergola_machine's: it
 * comes from the heap, where a sanitizer sees who writes beside it. */
static inline struct pergola_device *
fuzz_stand(const struct pergola_config *config, uint32_t base, uint32_t size, uint32_t hole,
           uint8_t **ram)
{
   struct pergola_device *dev = pergola_device_create(config, NULL);
   *ram = aligned_alloc(4096, size);
   if (!dev || !*ram || pergola_memory_add(dev, FUZZ_PHYSICAL, *ram, size, 0))
      abort();
   memset(*ram, 0x5a, size);
   fuzz_map(dev, base, size, hole);
   return dev;
}

/* As much of the input as is left, zeros behind it. */
struct fuzz_input {
   const uint8_t *data;
   size_t left;
};

static inline void
fuzz_take(struct fuzz_input *in, void *to, size_t size)
{
   size_t n = in->left < size ? in->left : size;
   memset(to, 0, size);
   if (n)
      memcpy(to, in->data, n);
   in->data += n;
   in->left -= n;
}

static inline uint64_t
fuzz_number(struct fuzz_input *in, unsigned bytes)
{
   uint64_t v = 0;
   fuzz_take(in, &v, bytes < sizeof(v) ? bytes : sizeof(v));
   return v;
}

/* The size of an access on the bus, chosen by the upper bits of an operation: some are none. */
static inline unsigned
fuzz_access_size(uint8_t op)
{
   static const unsigned sizes[8] = {4, 4, 4, 1, 2, 8, 3, 0};
   return sizes[op >> 5];
}

#endif
