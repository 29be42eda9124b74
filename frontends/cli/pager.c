/* Long output goes through a pager when it goes to a terminal. */
#include "cli.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void
exec_pager(void)
{
   const char *pager = getenv("PAGER");
   if (pager && pager[0])
      execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
   execlp("less", "less", "-FRSi", (char *)NULL);
   execlp("cat", "cat", (char *)NULL);
   _exit(127);
}

FILE *
cli_pager_open(bool wanted, int *pid)
{
   *pid = 0;
   int fd[2];
   if (!wanted || !isatty(STDOUT_FILENO) || pipe(fd))
      return stdout;
   fflush(stdout);
   *pid = fork();
   if (*pid < 0) {
      close(fd[0]);
      close(fd[1]);
      *pid = 0;
      return stdout;
   }
   if (*pid == 0) {
      dup2(fd[0], STDIN_FILENO);
      close(fd[0]);
      close(fd[1]);
      exec_pager();
   }
   close(fd[0]);
   FILE *out = fdopen(fd[1], "w");
   return out ? out : stdout;
}

void
cli_pager_close(FILE *out, int pid)
{
   if (out != stdout)
      fclose(out);
   if (pid > 0)
      waitpid(pid, NULL, 0);
}
