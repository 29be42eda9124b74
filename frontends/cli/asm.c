#include "cli.h"

#include "eu/isa/asm.h"

#include <errno.h>
#include <getopt.h>
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
      fprintf(stderr, "pergola: cannot write '%s': %s\n", path, strerror(errno));
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

int
cli_asm(int argc, char **argv)
{
   const char *in = NULL, *out = NULL, *format = "raw";
   unsigned device = HW_IVB;
   static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                           {"device", required_argument, NULL, 'd'},
                                           {"format", required_argument, NULL, 'f'},
                                           {0}};
   for (int c; (c = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
      if (c == '?' || c == ':')
         return cli_bad_option("asm", argv, c);
      if (c == 'h') {
         help(stdout);
         return CLI_OK;
      }
      if (c == 'd' && !cli_hw_device(optarg, &device))
         return CLI_USAGE;
      if (c == 'o')
         out = optarg;
      if (c == 'f')
         format = optarg;
   }
   if (strcmp(format, "raw") && strcmp(format, "hex") && strcmp(format, "c"))
      return cli_bad_value("asm", "format", "raw, hex or c", format);
   if (optind + 1 < argc)
      return cli_surplus("asm", argv[optind + 1]);
   if (optind == argc) {
      help(stderr);
      return CLI_USAGE;
   }
   in = argv[optind];
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
      cli_show_source(stderr, (const char *)text, size, error.line, error.column);
   }
   free(text);
   return result;
}
