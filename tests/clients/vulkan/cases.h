/* The Vulkan compute cases. Each fills inputs from a fixed sequence, runs a shader, and compares
 * every word with a computation on the CPU written apart from the shader. */
#ifndef CASES_H
#define CASES_H

#include "vkc.h"

#include <stddef.h>

struct run {
   struct vkc vk;
   uint32_t seed;
   char why[256];    /* first difference */
   bool skipped;     /* the driver does not offer what the case needs; `why` says what */
   const void *dump; /* result to compare between drivers, or NULL */
   size_t dump_size;
   const void *data; /* of the case */
};

struct test_case {
   const char *name;
   bool (*fn)(struct run *r);
   bool exact; /* the API defines every bit: drivers must agree */
   const void *data;
};

uint32_t next_random(struct run *r);
float random_float(struct run *r, float lo, float hi);
bool same_words(struct run *r, const void *got, const void *want, size_t words);
bool near_floats(struct run *r, const float *got, const double *want, const double *relative,
                 const double *absolute, size_t count, unsigned kinds);
void keep(struct run *r, const void *data, size_t size); /* copies: for --dump */

bool skip(struct run *r, const char *why); /* true: the driver does not offer it */

extern const struct test_case arithmetic_cases[], pipeline_cases[], memory_cases[], image_cases[],
    group_cases[], submission_cases[], sharing_cases[], robust_cases[], transfer_cases[];

struct shader {
   const uint32_t *spirv;
   size_t size;
};
extern const struct shader vadd_shader, ids_shader, chain_shader; /* each used in two files */

#define SHADER_OF(x) .spirv = (x).spirv, .spirv_size = (x).size
#define SPIRV(name) .spirv = name##_spv, .spirv_size = sizeof(name##_spv)

#endif
