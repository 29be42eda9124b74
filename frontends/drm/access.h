/* Which access to memory an instruction of the host is: for registers of the device that a client
 * has mapped, whose loads and stores are the device's (registers.c). */
#ifndef PERGOLA_DRM_ACCESS_H
#define PERGOLA_DRM_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access {
   bool store;
   unsigned size;     /* bytes of memory: 1, 2, 4 or 8 */
   unsigned length;   /* of the instruction */
   unsigned reg;      /* loaded or stored: 0 (rax) to 15, as the processor numbers them */
   bool high;         /* bits 15:8 of it (ah, ch, dh, bh) */
   bool immediate;    /* stores `value`, no register */
   uint64_t value;    /* cut to the size */
   unsigned reg_size; /* bytes of the register that a load writes; 4 clears the upper half */
   bool sign;         /* a load extends the sign */
};

/* Looks at no more bytes than the instruction has. False: it is no plain move between memory and a
 * register or constant. */
bool access_decode(const uint8_t *code, struct access *a);

/* The register's new contents after a load of `value`. */
uint64_t access_loaded(const struct access *a, uint64_t before, uint64_t value);
/* What a store writes, of its register's contents. */
uint64_t access_stored(const struct access *a, uint64_t reg);

#endif
