/* pergola eu: what its files share. */
#ifndef PERGOLA_CLI_EU_H
#define PERGOLA_CLI_EU_H

#include "cli.h"

#include "pergola/pergola_eu.h"
#include "pergola/pergola_trace.h"

enum eu_value_type { EU_F, EU_D, EU_UD, EU_W, EU_UW, EU_B, EU_UB, EU_HF, EU_DF, EU_VALUE_TYPES };

/* "g4.2:d", "g4-g9:f", "b0:f:16": registers of a thread, or elements of a buffer. */
struct eu_place {
   bool buffer;
   unsigned index; /* first register, or buffer */
   unsigned last;  /* last register */
   unsigned sub;   /* element that it starts at */
   size_t count;   /* elements of a buffer; 0: as many as a line takes */
   enum eu_value_type type;
   bool typed; /* a type was given */
};

#define EU_MAX_PLACES 64
#define EU_MAX_BUFFER (1u << 28)

struct eu_session {
   struct pergola_eu_bench *bench;
   uint8_t *buffer[PERGOLA_EU_MAX_BUFFERS];
   size_t buffer_size[PERGOLA_EU_MAX_BUFFERS];
   unsigned threads;
   uint64_t max_instructions;
   bool json, trace;
   const char *svg_path;
   struct eu_svg *svg; /* or NULL */
   FILE *out;
   uint8_t start[PERGOLA_EU_MAX_THREADS]
                [PERGOLA_EU_GRF_SIZE]; /* registers before the first instruction */
   uint8_t shadow[PERGOLA_EU_MAX_THREADS][PERGOLA_EU_GRF_SIZE]; /* as the trace last saw them */
   uint8_t type[128]; /* enum eu_value_type of the last write */
   uint8_t
       writes[(1u << 20) / 8]; /* by instruction: the type that it writes, plus one; 0: not known */
   struct eu_place show[EU_MAX_PLACES];
   unsigned show_count;
};

/* eu.c: from a file, assembly or bytes; false: told. */
bool eu_load(struct pergola_eu_bench *bench, const char *file, bool is_binary);
/* eu_native.c */
int eu_native(int argc, char **argv);

/* eu_values.c */
extern const char *const eu_type_words[EU_VALUE_TYPES];
unsigned eu_value_size(enum eu_value_type type);
bool eu_parse_type(const char *text, size_t length, enum eu_value_type *type);
bool eu_parse_place(const char *text, struct eu_place *place);
/* "1,2.5,-3" into memory. *used: bytes written. False, and a message that begins with `what`: a bad
 * number, or more than `room` bytes; then nothing is written. */
bool eu_parse_values(FILE *say, const char *what, const char *text, enum eu_value_type type,
                     uint8_t *out, size_t room, size_t *used);
void eu_print_value(FILE *out, enum eu_value_type type, const uint8_t *p, bool json);

/* eu_print.c */
struct eu_line_text {
   char text[32];
};
/* "line 5" between these; of the bytes of a program, which have no lines, nothing. */
struct eu_line_text eu_line(struct eu_session *s, uint32_t offset, const char *before,
                            const char *after);
void eu_print_register(FILE *out, const uint8_t *grf, unsigned reg, enum eu_value_type type,
                       bool marked);
void eu_print_place(struct eu_session *s, unsigned thread, const struct eu_place *place);
void eu_print_result(struct eu_session *s, enum pergola_eu_state state);
void eu_print_json(struct eu_session *s, enum pergola_eu_state state);
/* All threads that are left wait: for what. */
void eu_print_deadlock(struct eu_session *s, FILE *out);
/* The types of registers after a run that nobody watched: of the last instruction in the text that
 * writes each. */
void eu_guess_types(struct eu_session *s);
/* A pergola_eu_trace_fn; data is the session. Keeps types, prints when tracing. */
void eu_trace_instruction(void *data, unsigned thread, uint32_t offset, const char *text,
                          uint32_t channels);

/* eu_svg.c: every step as a picture. NULL: no memory. */
struct eu_svg *eu_svg_open(void);
void eu_svg_step(struct eu_svg *v, unsigned thread, const char *text, const char *line,
                 uint32_t channels);
void eu_svg_register(struct eu_svg *v, unsigned reg, enum eu_value_type type, const uint8_t *now,
                     const uint8_t *before);
/* Frees it. False and a message: it cannot be written. */
bool eu_svg_write(struct eu_svg *v, const char *path);

/* eu_debug.c: the prompt. Returns when the user quits or the program has ended. */
enum pergola_eu_state eu_prompt(struct eu_session *s);
/* A label, a source line, or an offset as 0x…; false: none of these. */
bool eu_find(struct eu_session *s, const char *where, uint32_t *offset);

#endif
