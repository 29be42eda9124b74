#include "cli.h"

#include "eu/isa/asm.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TEXT (64u << 20)

static void
help(FILE *out)
{
   fprintf(out, "usage: pergola asm IN [-o OUT] [--device ivb|hsw] [--format raw|hex|c]\n\n"
                "Assembles an EU program (text of the i965_asm dialect; - is standard input).\n\n"
                "  -o OUT            write there instead of standard output\n"
                "  --device NAME     ivb (also vlv; default) or hsw\n"
                "  --format FORMAT   raw bytes (default), hex (bytes, an instruction per line) or "
                "c (dwords)\n");
}

static void
write_hex(FILE *out, const struct eu_program *p)
{
   for (size_t i = 0; i < p->line_count; i++) {
      size_t end = i + 1 < p->line_count ? p->lines[i + 1].offset : p->size;
      for (size_t at = p->lines[i].offset; at < end; at++)
         fprintf(out, "%02x%s", p->bytes[at], at + 1 < end ? " " : "\n");
   }
}

static void
write_c(FILE *out, const struct eu_program *p)
{
   for (size_t i = 0; i < p->line_count; i++) {
      size_t end = i + 1 < p->line_count ? p->lines[i + 1].offset : p->size;
      for (size_t at = p->lines[i].offset; at < end; at += 4) {
         uint32_t dw;
         memcpy(&dw, p->bytes + at, 4);
         fprintf(out, "0x%08x,%s", dw, at + 4 < end ? " " : "\n");
      }
   }
}

static int
write_program(const char *path, const char *format, const struct eu_program *p)
{
   FILE *out = path ? fopen(path, "wb") : stdout;
   if (!out) {
      fprintf(stderr, "pergola: cannot write '%s'\n", path);
      return CLI_FAILED;
   }
   if (!strcmp(format, "hex"))
      write_hex(out, p);
   else if (!strcmp(format, "c"))
      write_c(out, p);
   else
      fwrite(p->bytes, 1, p->size, out);
   bool bad = fflush(out) || ferror(out);
   if (path)
      bad |= fclose(out) != 0;
   if (bad)
      fprintf(stderr, "pergola: writing '%s' failed\n", path ? path : "standard output");
   return bad ? CLI_FAILED : CLI_OK;
}

bool
cli_eu_device(const char *name, unsigned *device)
{
   if (!strcmp(name, "ivb") || !strcmp(name, "vlv"))
      *device = HW_IVB;
   else if (!strcmp(name, "hsw"))
      *device = HW_HSW;
   else
      return false;
   return true;
}

int
cli_asm(int argc, char **argv)
{
   const char *in = NULL, *out = NULL, *format = "raw";
   unsigned device = HW_IVB;
   for (int i = 1; i < argc; i++) {
      const char *value = i + 1 < argc ? argv[i + 1] : NULL;
      if (!strcmp(argv[i], "--help")) {
         help(stdout);
         return CLI_OK;
      } else if (!strcmp(argv[i], "-o") && value) {
         out = argv[++i];
      } else if (!strcmp(argv[i], "--device") && value && cli_eu_device(value, &device)) {
         i++;
      } else if (!strcmp(argv[i], "--format") && value &&
                 (!strcmp(value, "raw") || !strcmp(value, "hex") || !strcmp(value, "c"))) {
         format = argv[++i];
      } else if (!in && (argv[i][0] != '-' || !argv[i][1])) {
         in = argv[i];
      } else {
         help(stderr);
         return CLI_USAGE;
      }
   }
   if (!in) {
      help(stderr);
      return CLI_USAGE;
   }
   size_t size;
   uint8_t *text = cli_read_file(in, MAX_TEXT, &size);
   if (!text)
      return CLI_FAILED;
   struct eu_program program;
   struct eu_asm_error error;
   int result = CLI_FAILED;
   if (eu_asm_text((const char *)text, size, device, &program, &error)) {
      result = write_program(out, format, &program);
      eu_program_free(&program);
   } else {
      fprintf(stderr, "%s:%u:%u: error: %s\n", in, error.line, error.column, error.message);
   }
   free(text);
   return result;
}
