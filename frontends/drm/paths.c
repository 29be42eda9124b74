/* The client's descriptors of files and directories that exist only here, by their paths. */
#include "interpose.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Not every close is seen (fclose does its own): what the descriptor was tells whether it still is.
 */
struct place {
   char *path;
   dev_t device;
   ino_t inode;
};
static struct place *places; /* by descriptor; the process is what descriptors belong to */
static int room;
static unsigned known; /* how many: most programs never open one */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool
grow(int fd)
{
   int bigger = room ? room : 256;
   while (bigger <= fd)
      bigger *= 2;
   struct place *p = realloc(places, (size_t)bigger * sizeof(*p));
   if (!p)
      return false;
   memset(p + room, 0, (size_t)(bigger - room) * sizeof(*p));
   places = p;
   room = bigger;
   return true;
}

static void
drop(int fd)
{
   if (fd < 0 || fd >= room || !places[fd].path)
      return;
   free(places[fd].path);
   places[fd].path = NULL;
   __atomic_fetch_sub(&known, 1, __ATOMIC_RELEASE);
}

bool
path_install(int fd, const char *path)
{
   bool ok = false;
   pthread_mutex_lock(&lock);
   drop(fd); /* the number was reused without our seeing the close */
   struct stat s;
   bool fits = fd >= 0 && fd < 1 << 20 && !syscall(SYS_fstat, fd, &s);
   char *copy = fits ? strdup(path) : NULL;
   if (copy && (fd < room || grow(fd))) {
      places[fd] = (struct place){copy, s.st_dev, s.st_ino};
      __atomic_fetch_add(&known, 1, __ATOMIC_RELEASE);
      ok = true;
   } else {
      free(copy);
   }
   pthread_mutex_unlock(&lock);
   return ok;
}

bool
path_find(int fd, char path[NODE_PATH_MAX])
{
   bool found = false;
   if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE))
      return false;
   pthread_mutex_lock(&lock);
   struct stat s;
   if (fd >= 0 && fd < room && places[fd].path) {
      found = !syscall(SYS_fstat, fd, &s) && s.st_dev == places[fd].device &&
              s.st_ino == places[fd].inode;
      if (found)
         snprintf(path, NODE_PATH_MAX, "%s", places[fd].path);
      else
         drop(fd);
   }
   pthread_mutex_unlock(&lock);
   return found;
}

void
path_forget(int fd)
{
   if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE))
      return;
   pthread_mutex_lock(&lock);
   drop(fd);
   pthread_mutex_unlock(&lock);
}

void
path_copy(int from, int to)
{
   char path[NODE_PATH_MAX];
   if (from == to)
      return;
   if (path_find(from, path))
      path_install(to, path);
   else
      path_forget(to);
}

/* A directory of the host that ours hang in: /, /sys, /sys/class, /dev, ... */
static bool
host_directory(int fd, char path[NODE_PATH_MAX])
{
   char link[32];
   if (fd < 0)
      return false;
   snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
   long n = syscall(SYS_readlinkat, AT_FDCWD, link, path, NODE_PATH_MAX - 1);
   if (n <= 0 || n >= NODE_PATH_MAX - 1)
      return false;
   path[n] = 0;
   if (n == 1)
      path[0] = 0; /* the root: what follows brings its slash */
   return n == 1 || !strncmp(path, "/sys", 4) || !strncmp(path, "/dev", 4);
}

const char *
path_at(int dir, const char *path, char joined[2 * NODE_PATH_MAX])
{
   char base[NODE_PATH_MAX];
   if (!path || path[0] == '/' ||
       (!path_find(dir, base) && !(path[0] && host_directory(dir, base))))
      return path;
   int n = snprintf(joined, 2 * NODE_PATH_MAX, path[0] ? "%s/%s" : "%s%s", base, path);
   return n > 0 && n < 2 * NODE_PATH_MAX ? joined : path;
}

bool
path_leaves(int *dir, const char **path, char joined[2 * NODE_PATH_MAX])
{
   struct node n = {0};
   char base[NODE_PATH_MAX];
   if (*path == NULL || **path == '/' || !path_find(*dir, base))
      return false;
   node_lookup(joined, false, &n);
   snprintf(joined, 2 * NODE_PATH_MAX, "%s", n.path[0] ? n.path : "/");
   *dir = AT_FDCWD;
   *path = joined;
   return true;
}

void
path_before_fork(void)
{
   pthread_mutex_lock(&lock);
}

void
path_after_fork(void)
{
   pthread_mutex_unlock(&lock);
}
