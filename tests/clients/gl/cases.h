/* The OpenGL compute cases. */
#ifndef GL_CASES_H
#define GL_CASES_H

#include "glc.h"

enum { GL_WORDS = 4096, GL_MAX_BUFFERS = 4 };

/* A shader between buffers, compared word by word with `cpu`; or, with `fn`, a program of its own.
 */
struct gl_case {
   const char *name;
   const char *source;
   unsigned inputs; /* buffers 0 … inputs - 1: random words */
   unsigned words;  /* of the result, which is buffer `inputs` */
   unsigned groups[3];
   bool indirect;
   uint32_t uniform; /* value of the uniform `u`, if there is one */
   void (*cpu)(uint32_t *want, uint32_t *const *in, uint32_t u);
   bool (*fn)(struct glc *g, uint32_t *got,
              const void *data); /* leaves `words` in got, says what is wrong */
   const void *data;
   const char *extensions; /* lines for OpenGL; ES has it all or nothing */
   const char *not_in_es;  /* why the case is left out there */
};

uint32_t gl_random(uint32_t *seed);
/* False, and says where. */
bool gl_same(const char *name, const uint32_t *got, const uint32_t *want, unsigned words);

extern const struct gl_case gl_object_cases[];

#endif
