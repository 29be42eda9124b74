/* The pergola command: one file per subcommand. */
#ifndef PERGOLA_CLI_H
#define PERGOLA_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pergola/pergola_trace.h"

/* Exit codes: 0 done; 1 the job failed (a rule broken with --check=stop, a kernel that faulted, a
 * file that does not decode); 2 the command line is wrong. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

struct cli_command {
   const char *name;
   const char *summary;               /* one line */
   int (*run)(int argc, char **argv); /* argv[0] is the subcommand's name */
};

/* Line and column, from 1, of a text: the line, and a caret below the place. */
void cli_show_source(FILE *out, const char *text, size_t size, unsigned line, unsigned column);

int cli_decode(int argc, char **argv);
int cli_bus(int argc, char **argv);
int cli_exec(int argc, char **argv);
int cli_device(int argc, char **argv);
int cli_vm(int argc, char **argv);
int cli_devices(int argc, char **argv);
int cli_regs(int argc, char **argv);
int cli_rules(int argc, char **argv);
int cli_walker(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_asm(int argc, char **argv);
int cli_disasm(int argc, char **argv);
int cli_eu(int argc, char **argv);
int cli_ecode(int argc, char **argv);
int cli_tess(int argc, char **argv);
int cli_replay(int argc, char **argv);
int cli_vme(int argc, char **argv);
int cli_pci(int argc, char **argv);
int cli_oa(int argc, char **argv);
/* The rows of the tables (enum hw_device_bit) for a part, or for a family: ivb, vlv, or hsw, which
 * can be decoded and assembled but not run. False, and a message: neither. */
bool cli_hw_device(const char *name, unsigned *bit);
/* Whether a part can be modelled; a message: it cannot. */
bool cli_part(const char *name);
/* … for a device. */
struct pergola_device;
unsigned cli_device_bit(const struct pergola_device *dev);

/* Says what is wrong with an option: `c` is the ':' or '?' that getopt_long gave, with ':' in front
 * of its short options. Returns CLI_USAGE. */
int cli_bad_option(const char *command, char **argv, int c);

/* The same of a value: "--scale is a number from 1 to 8, not 'x'". */
int cli_bad_value(const char *command, const char *option, const char *wants, const char *value);

/* The same of a word behind the last one that the command takes. */
int cli_surplus(const char *command, const char *word);

/* Could the file be written? 0, or why not. It is not made before there is something to write. */
int cli_try_file(const char *path);

/* Says why the file of an option cannot be used, if it cannot. */
bool cli_path_ok(const char *option, const char *path, int error);

/* Files that options ask for, tried before there is anything to write: false, and a message, if
 * one cannot be written. */
struct cli_output {
   const char *option, *path; /* path: NULL if the option was not given */
   bool dash;                 /* "-" is standard output */
};
bool cli_outputs_ok(const struct cli_output *list, size_t count);

/* An input to read, or NULL and why it is none in *why: directories, empty files and FIFOs that
 * nobody writes to are none. */
FILE *cli_open_input(const char *path, const char **why);
/* Whole file into memory (stdin for "-"), at most `limit` bytes; NULL and a message on failure. */
uint8_t *cli_read_file(const char *path, size_t limit, size_t *size);
/* Of a report, by the ending of its name: .json, .sarif, or text. */
enum pergola_report_format cli_report_format(const char *path);
bool cli_parse_u64(const char *text, uint64_t *value);
/* The word of --check. */
bool cli_parse_check(const char *text, enum pergola_check *check);
/* A picture to a file; false and a message on failure. */
enum cli_pixels { CLI_RGB, CLI_BGRA, CLI_GRAY };
bool cli_write_png(const char *path, enum cli_pixels pixels, uint32_t width, uint32_t height,
                   const void *data);
/* … whose rows lie `stride` bytes apart. */
bool cli_write_png_rows(const char *path, enum cli_pixels pixels, uint32_t width, uint32_t height,
                        uint32_t stride, const void *data);
/* A picture from a file, as gray. `rows` says where the pixels go, and how far rows are apart;
 * NULL: nowhere. False and a message on failure. */
typedef uint8_t *(*cli_rows_fn)(void *data, uint32_t width, uint32_t height, uint32_t *stride);
bool cli_read_png(const char *path, cli_rows_fn rows, void *data);
/* A pager when wanted and standard output is a terminal; else stdout. Close what open gave. */
FILE *cli_pager_open(bool wanted, int *pid);
void cli_pager_close(FILE *out, int pid);
/* Standard output is a terminal and NO_COLOR is not set. */
bool cli_color(void);

/* Why the preload library cannot get into the program; NULL: nothing is to be seen. */
const char *cli_program_obstacle(const char *name);

#endif
