/* A device with memory, ready for work: what a test, an example or a tool wants first.
 *
 * Everything here is done by the calls of pergola.h, on a device that stays the caller's to use. */
#ifndef PERGOLA_PERGOLA_MACHINE_H
#define PERGOLA_PERGOLA_MACHINE_H

#include "pergola/pergola.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pergola_machine {
   struct pergola_device *dev;
   uint8_t *memory; /* zero at first */
   uint64_t size;
};

/* What memory the device gets and how much of it the GGTT maps, in order. Numbers are multiples of
 * 4096. */
struct pergola_machine_memory {
   uint64_t physical, size; /* for the device */
   uint32_t graphics;       /* graphics address of the first byte */
   uint64_t mapped;         /* bytes from there; at most 2 GiB - graphics */
};

/* 0, or -EINVAL, -ENOMEM and *error (static text); then there is nothing to destroy. */
PERGOLA_API int pergola_machine_create(struct pergola_machine *m,
                                       const struct pergola_config *config,
                                       const struct pergola_machine_memory *memory,
                                       const char **error);
PERGOLA_API void pergola_machine_destroy(struct pergola_machine *m);

/* The machine as a file: pergola_device_save() and the memory. 0, -ENOMEM, -EIO. */
PERGOLA_API int pergola_machine_save(struct pergola_machine *m, const char *path,
                                     const char **error);
/* Into a machine of the same part, with as much memory at the same place; it goes on where the
 * other one was, bit for bit. -EIO, or -EINVAL and *error: this is no such file, and the device may
 * have been reset. The file need not be trusted. */
PERGOLA_API int pergola_machine_load(struct pergola_machine *m, const char *path,
                                     const char **error);

/* Maps `count` pages from graphics address `graphics` to physical memory, valid and writable. */
PERGOLA_API void pergola_machine_map(struct pergola_machine *m, uint32_t graphics,
                                     uint64_t physical, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif
