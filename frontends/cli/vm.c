/* pergola vm: a command in a virtual machine that has the model as its graphics device. The work is
 * that of a script beside the program. */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PERGOLA_VM
#define PERGOLA_VM ""
#endif

/* Beside the program, where it is installed, or where it was built from. */
static bool
find(const char *self, char path[PATH_MAX])
{
   char directory[PATH_MAX];
   snprintf(directory, sizeof(directory), "%s", self);
   *strrchr(directory, '/') = 0;
   static const char *const places[] = {"%s/pergola-vm", "%s/../libexec/pergola-vm"};
   for (unsigned i = 0; i < 2; i++) {
      int n = snprintf(path, PATH_MAX, places[i], directory);
      if (n < PATH_MAX && !access(path, X_OK))
         return true;
   }
   snprintf(path, PATH_MAX, "%s", PERGOLA_VM);
   return path[0] && !access(path, X_OK);
}

int
cli_vm(int argc, char **argv)
{
   char self[PATH_MAX], path[PATH_MAX];
   ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
   if (n <= 0)
      return CLI_FAILED;
   self[n] = 0;
   if (!find(self, path)) {
      fprintf(stderr, "pergola: the script pergola-vm is not beside this program\n");
      return CLI_FAILED;
   }
   setenv("PERGOLA", self, 1);
   char **arguments = calloc((size_t)argc + 1, sizeof(*arguments));
   if (!arguments)
      return CLI_FAILED;
   arguments[0] = path;
   memcpy(arguments + 1, argv + 1, ((size_t)argc - 1) * sizeof(*arguments));
   execv(path, arguments);
   fprintf(stderr, "pergola: %s: %s\n", path, strerror(errno));
   free(arguments);
   return CLI_FAILED;
}
