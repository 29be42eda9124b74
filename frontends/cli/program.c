/* Why a program cannot be run on the model, if that can be seen from its file. */
#include "cli.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As execvp() finds it; to be freed. NULL: nowhere. */
static char *
find_program(const char *name)
{
   if (strchr(name, '/'))
      return strdup(name);
   const char *list = getenv("PATH");
   for (const char *at = list ? list : "/bin:/usr/bin"; at;) {
      size_t n = strcspn(at, ":");
      char *path = NULL;
      if (asprintf(&path, "%.*s/%s", (int)n, at, name) < 0)
         return NULL;
      if (!access(path, X_OK))
         return path;
      free(path);
      at = at[n] ? at + n + 1 : NULL;
   }
   return NULL;
}

static bool
has_interpreter(FILE *f, const Elf64_Ehdr *e)
{
   for (unsigned i = 0; i < e->e_phnum; i++) {
      Elf64_Phdr p;
      if (fseek(f, (long)(e->e_phoff + (uint64_t)i * sizeof(p)), SEEK_SET) ||
          fread(&p, sizeof(p), 1, f) != 1)
         return true; /* whatever it is */
      if (p.p_type == PT_INTERP)
         return true;
   }
   return false;
}

static const char *
look(FILE *f)
{
   Elf64_Ehdr e;
   struct stat s;
   if (fstat(fileno(f), &s) || fread(&e, sizeof(e), 1, f) != 1 ||
       memcmp(e.e_ident, ELFMAG, SELFMAG))
      return NULL; /* a script; its interpreter is another question */
   if (e.e_ident[EI_CLASS] != ELFCLASS64)
      return "a 32-bit program";
   if (s.st_mode & (S_ISUID | S_ISGID) && s.st_uid != geteuid())
      return "set-uid";
   if (e.e_phentsize == sizeof(Elf64_Phdr) && !has_interpreter(f, &e))
      return "statically linked";
   return NULL;
}

const char *
cli_program_obstacle(const char *name)
{
   char *path = find_program(name);
   FILE *f = path ? fopen(path, "rb") : NULL;
   const char *why = f ? look(f) : NULL;
   if (f)
      fclose(f);
   free(path);
   return why;
}
