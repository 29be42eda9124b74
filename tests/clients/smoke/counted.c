/* A known dispatch inside a stock tool: loaded into its process, it waits until the file
 * $COUNTED_GO is there, runs 64 threads of the kernel of kernel.h, and makes the file
 * $COUNTED_DONE. */
#include "kernel.h"

#include <errno.h>
#include <pthread.h>

#define GROUPS 64u

static void *
dispatch(void *data)
{
   (void)data;
   while (access(getenv("COUNTED_GO"), F_OK))
      usleep(10000);
   int fd = open_render();
   uint32_t code = stores(fd, GROUPS, 0x1000), target = create(fd, GROUPS * ROW);
   const uint32_t *view = map(fd, target, GROUPS * ROW, I915_MMAP_OFFSET_WB);
   bool ok = view != MAP_FAILED && !stores_dispatch(fd, 0, code, target) &&
             !wait_idle(fd, target) && !stores_wrong(view, GROUPS, 0x1000);
   FILE *done = fopen(getenv("COUNTED_DONE"), "w");
   if (done) {
      fputs(ok ? "stored\n" : "wrong\n", done);
      fclose(done);
   }
   return NULL;
}

__attribute__((constructor)) static void
start(void)
{
   pthread_t thread;
   const char *tool = getenv("COUNTED_TOOL");
   if (tool && getenv("COUNTED_GO") && getenv("COUNTED_DONE") &&
       !strcmp(program_invocation_short_name, tool))
      pthread_create(&thread, NULL, dispatch, NULL);
}
