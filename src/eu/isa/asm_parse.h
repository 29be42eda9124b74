/* The assembler's reading position, shared by its files. */
#ifndef PERGOLA_EU_ASM_PARSE_H
#define PERGOLA_EU_ASM_PARSE_H

#include "eu/isa/asm.h"
#include "eu/isa/isa_tables.h"

/* All functions that return bool return false after the first mistake, which is then in *error. */
struct asm_cursor {
   const char *text, *end, *at;
   const char *line_start;
   unsigned line;
   unsigned device;
   struct eu_asm_error *error;
};

__attribute__((format(printf, 2, 3))) bool asm_fail(struct asm_cursor *c, const char *format, ...);
/* Blanks and comments. */
bool asm_skip(struct asm_cursor *c);
/* The next character after blanks, 0 at the end. */
int asm_peek(struct asm_cursor *c);
/* Takes the literal if the text goes on with it (no blanks skipped inside). */
bool asm_take(struct asm_cursor *c, const char *literal);
/* As asm_take, and no letter, digit or underscore follows. */
bool asm_take_word(struct asm_cursor *c, const char *word);
bool asm_expect(struct asm_cursor *c, const char *literal);
/* Unsigned number: decimal or 0x with lower case digits (upper case ones are type letters). */
bool asm_number(struct asm_cursor *c, uint64_t *value);
bool asm_number_up_to(struct asm_cursor *c, uint64_t limit, const char *what, unsigned *value);
/* A name: letter or underscore, then letters, digits, underscores. Length 0: none here. */
size_t asm_name(struct asm_cursor *c, const char **start);

struct asm_operand {
   struct eu_operand o;
   bool has_swizzle; /* or a write mask */
   bool has_region;
};

bool asm_dst(struct asm_cursor *c, struct asm_operand *out);
bool asm_src(struct asm_cursor *c, struct asm_operand *out);

/* The candidate that is next to a word, if any is close; zeros at the start. */
struct asm_near {
   const char *word;
   unsigned distance;
};
void asm_near_look(struct asm_near *n, const char *word, size_t length, const char *candidate);
/* Fails at the word: it is no such thing, and what it may have been meant to be. */
bool asm_unknown(struct asm_cursor *c, const char *kind, const char *word, size_t length,
                 const struct asm_near *near);

#endif
