/* Writes JSON to a file as it comes: no tree, no allocation. A copy of the writer can end what is
 * open while the original goes on later from the same place of the file. */
#ifndef PERGOLA_JSON_H
#define PERGOLA_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Zero but for the file at the start. */
struct json {
   FILE *file;
   unsigned depth;
   uint32_t more; /* by depth: something is there already, a comma comes next */
   bool line;     /* the next value begins a line */
};

/* key: the member's name inside of an object, NULL in an array or at the top. */
void json_object(struct json *j, const char *key);
void json_array(struct json *j, const char *key);
void json_end_object(struct json *j);
void json_end_array(struct json *j);
/* NULL text: null. */
void json_text(struct json *j, const char *key, const char *text);
void json_unsigned(struct json *j, const char *key, uint64_t value);
void json_signed(struct json *j, const char *key, int64_t value);
void json_bool(struct json *j, const char *key, bool value);
/* A text of "0x" and at least so many digits. */
void json_hex(struct json *j, const char *key, unsigned digits, uint64_t value);
/* A count of thousandths, as a number with three digits behind the point. */
void json_thousandths(struct json *j, const char *key, uint64_t value);
/* Where the caller writes one value that none of these writes. */
FILE *json_value(struct json *j, const char *key);
/* For people: the next value begins a line. */
void json_line(struct json *j);

#endif
