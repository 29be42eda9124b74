/* Private to src/eu/jit: host code as text, of the instructions that x86.c encodes. */
#ifndef PERGOLA_EU_JIT_X86_TEXT_H
#define PERGOLA_EU_JIT_X86_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What memory at a base and a distance is called; false: it has no name. */
typedef bool (*x86_name_fn)(const void *data, unsigned base, int32_t disp, char out[32]);

/* The instruction at `at`, as an assembler writes it (Intel's order of operands, without the size
 * of memory); returns its length, 0: unknown. name: or NULL. */
size_t x86_text(const uint8_t *code, size_t at, size_t size, x86_name_fn name, const void *data,
                char out[128]);

#endif
