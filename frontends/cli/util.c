#include "cli.h"

#include "device/part.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIFO_MS 3000 /* for which the other end of a FIFO is waited for */

/* A FIFO that nobody writes to would wait for ever. */
FILE *
cli_open_input(const char *path, const char **why)
{
   int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
   struct stat s;
   *why = fd < 0 || fstat(fd, &s) ? strerror(errno) : NULL;
   if (!*why && S_ISDIR(s.st_mode))
      *why = "it is a directory, and a file is wanted";
   struct pollfd p = {.fd = fd, .events = POLLIN};
   if (!*why && S_ISFIFO(s.st_mode) && poll(&p, 1, FIFO_MS) <= 0)
      *why = "it is a FIFO, and nobody writes to it";
   if (!*why && S_ISREG(s.st_mode) && !s.st_size)
      *why = "the file is empty";
   FILE *f = *why || fcntl(fd, F_SETFL, 0) ? NULL : fdopen(fd, "rb");
   if (!f && !*why)
      *why = strerror(errno);
   if (!f && fd >= 0)
      close(fd);
   return f;
}

uint8_t *
cli_read_file(const char *path, size_t limit, size_t *size)
{
   const char *why = NULL;
   FILE *f = strcmp(path, "-") ? cli_open_input(path, &why) : stdin;
   if (!f) {
      fprintf(stderr, "pergola: %s: %s\n", path, why);
      return NULL;
   }
   uint8_t *data = NULL;
   size_t used = 0, room = 0;
   for (;;) {
      if (used == room) {
         room = room ? room * 2 : 65536;
         uint8_t *bigger = room <= limit * 2 ? realloc(data, room) : NULL;
         if (!bigger)
            break;
         data = bigger;
      }
      size_t n = fread(data + used, 1, room - used, f);
      used += n;
      if (!n || used > limit)
         break;
   }
   bool bad = ferror(f) != 0;
   if (f != stdin)
      fclose(f);
   if (bad || used > limit) {
      fprintf(stderr, "pergola: %s: %s\n", path, bad ? "read error" : "file is too large");
      free(data);
      return NULL;
   }
   *size = used;
   return data;
}

bool
cli_parse_u64(const char *text, uint64_t *value)
{
   char *end;
   errno = 0;
   *value = strtoull(text, &end, 0);
   return !errno && end != text && !*end && text[0] != '-';
}

bool
cli_parse_check(const char *text, enum pergola_check *check)
{
   static const char *const names[] = {"off", "report", "stop"};
   for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
      if (!strcmp(text, names[i])) {
         *check = (enum pergola_check)i;
         return true;
      }
   return false;
}

int
cli_bad_option(const char *command, char **argv, int c)
{
   const char *option = argv[optind - 1];
   if (c == ':')
      fprintf(stderr, "pergola: %s needs a value; 'pergola %s --help' says more\n", option,
              command);
   else
      fprintf(stderr, "pergola: %s has no option '%s'; 'pergola %s --help' lists them\n", command,
              option, command);
   return CLI_USAGE;
}

int
cli_bad_value(const char *command, const char *option, const char *wants, const char *value)
{
   fprintf(stderr, "pergola %s: --%s is %s, not '%s'\n", command, option, wants, value);
   return CLI_USAGE;
}

int
cli_surplus(const char *command, const char *word)
{
   fprintf(stderr, "pergola %s: '%s' is one word too many; 'pergola %s --help' says more\n",
           command, word, command);
   return CLI_USAGE;
}

int
cli_try_file(const char *path)
{
   struct stat s;
   if (!path[0])
      return ENOENT;
   if (!stat(path, &s) && S_ISFIFO(s.st_mode)) { /* to open it would wait for who reads */
      int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
      int error = fd < 0 ? errno : 0;
      if (fd >= 0)
         close(fd);
      return error;
   }
   if (!stat(path, &s))
      return S_ISDIR(s.st_mode) ? EISDIR : access(path, W_OK) ? errno : 0;
   char *directory = strdup(path);
   if (!directory || errno != ENOENT) {
      free(directory);
      return errno;
   }
   char *slash = strrchr(directory, '/');
   if (slash)
      slash[slash == directory] = 0;
   int error = access(slash ? directory : ".", W_OK | X_OK) ? errno : 0;
   free(directory);
   return error;
}

bool
cli_path_ok(const char *option, const char *path, int error)
{
   if (error)
      fprintf(stderr, "pergola: %s '%s': %s\n", option, path,
              error == ENXIO    ? "it is a FIFO, and nobody reads it"
              : error == ESPIPE ? "it is a FIFO, and a file is wanted"
                                : strerror(error));
   return !error;
}

bool
cli_outputs_ok(const struct cli_output *list, size_t count)
{
   for (size_t i = 0; i < count; i++)
      if (list[i].path && strcmp(list[i].path, list[i].dash ? "-" : "") &&
          !cli_path_ok(list[i].option, list[i].path, cli_try_file(list[i].path)))
         return false;
   return true;
}

bool
cli_hw_device(const char *name, unsigned *bit)
{
   const struct part *part = part_find(name);
   const struct hw_device *family = hw_device_find(name);
   if (!part && !family) {
      fprintf(
          stderr,
          "pergola: --device: '%s' is not a part; 'pergola devices' lists them, and the families "
          "are ivb, vlv, hsw, icl\n",
          name);
      return false;
   }
   *bit = part ? part->hw_device : family->bit;
   return true;
}

bool
cli_part(const char *name)
{
   if (part_find(name))
      return true;
   fprintf(stderr, "pergola: --device: '%s' is not a part; 'pergola devices' lists them\n", name);
   return false;
}

unsigned
cli_device_bit(const struct pergola_device *dev)
{
   return part_find(pergola_device_sku(dev)->name)->hw_device;
}

bool
cli_color(void)
{
   return isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
}

void
cli_show_source(FILE *out, const char *text, size_t size, unsigned line, unsigned column)
{
   const char *end = text + size;
   for (unsigned n = 1; n < line && text < end; text++)
      n += *text == '\n';
   size_t length = 0;
   while (text + length < end && text[length] != '\n' && length < 200)
      length++;
   if (!length || column > length + 1)
      return;
   fprintf(out, "%5u | %.*s\n      | ", line, (int)length, text);
   for (unsigned i = 1; i < column; i++)
      fputc(text[i - 1] == '\t' ? '\t' : ' ', out);
   fputs("^\n", out);
}

enum pergola_report_format
cli_report_format(const char *path)
{
   const char *dot = strrchr(path, '.');
   if (dot && !strcmp(dot, ".json"))
      return PERGOLA_REPORT_JSON;
   return dot && !strcmp(dot, ".sarif") ? PERGOLA_REPORT_SARIF : PERGOLA_REPORT_TEXT;
}
