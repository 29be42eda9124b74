/* opendir, readdir, scandir: the calls on directories. */
#include "interpose.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A directory of ours behind a DIR pointer; known by its address. */
struct our_dir {
   struct our_dir *next;
   char path[NODE_PATH_MAX];
   size_t at;
   int fd;    /* -1: none asked for yet */
   DIR *host; /* a directory of the host that some of ours hang in: /sys/class, /dev; its entries
                 come first */
   struct dirent64 entry; /* the same as struct dirent here */
};

static struct our_dir *open_dirs;
static pthread_mutex_t dirs_lock = PTHREAD_MUTEX_INITIALIZER;

static struct our_dir *
our_dir(DIR *d)
{
   pthread_mutex_lock(&dirs_lock);
   struct our_dir *o = open_dirs;
   while (o && (void *)o != (void *)d)
      o = o->next;
   pthread_mutex_unlock(&dirs_lock);
   return o;
}

static DIR *
open_ours(const struct node *n, int fd)
{
   struct our_dir *o = calloc(1, sizeof(*o));
   if (!o)
      return NULL;
   o->fd = fd;
   memcpy(o->path, n->path, sizeof(o->path));
   pthread_mutex_lock(&dirs_lock);
   o->next = open_dirs;
   open_dirs = o;
   pthread_mutex_unlock(&dirs_lock);
   return (DIR *)o;
}

/* The host's directory with ours in it. */
static DIR *
open_mixed(DIR *host, const char *path)
{
   struct node n = {.kind = NODE_DIRECTORY};
   enum node_kind kind;
   size_t length = strlen(path);
   while (length > 1 && path[length - 1] == '/')
      length--;
   if (!host || length >= sizeof(n.path))
      return host;
   memcpy(n.path, path, length);
   if (!node_child(n.path, 0, &kind))
      return host;
   struct our_dir *o = (struct our_dir *)open_ours(&n, -1);
   if (!o)
      return host;
   o->host = host;
   return (DIR *)o;
}

EXPORT DIR *
opendir(const char *path)
{
   REAL(opendir, DIR * (*)(const char *));
   struct node n;
   if (!node_lookup(path, true, &n))
      return open_mixed(real(path), path);
   if (n.kind != NODE_DIRECTORY) {
      errno = n.kind == NODE_NONE ? ENOENT : ENOTDIR;
      return NULL;
   }
   return open_ours(&n, -1);
}

EXPORT DIR *
fdopendir(int fd)
{
   REAL(fdopendir, DIR * (*)(int));
   struct node n;
   char path[NODE_PATH_MAX];
   if (!path_find(fd, path) || !node_lookup(path, true, &n))
      return real(fd);
   if (n.kind == NODE_DIRECTORY)
      return open_ours(&n, fd);
   errno = ENOTDIR;
   return NULL;
}

/* One of the host's that ours does not take the place of; NULL after the last. */
static struct dirent64 *
host_entry(struct our_dir *o)
{
   REAL(readdir64, struct dirent64 * (*)(DIR *));
   for (struct dirent64 *e; (e = real(o->host));) {
      enum node_kind kind;
      const char *mine;
      bool taken = false;
      for (size_t i = 0; !taken && (mine = node_child(o->path, i, &kind)); i++)
         taken = !strcmp(mine, e->d_name);
      if (!taken)
         return e;
   }
   return NULL;
}

static struct dirent64 *
next_entry(struct our_dir *o)
{
   if (o->host && !o->at) {
      struct dirent64 *e = host_entry(o);
      if (e)
         return e;
      o->at = 2; /* it had the dots */
   }
   static const unsigned char type[] = {
       [NODE_DIRECTORY] = DT_DIR, [NODE_FILE] = DT_REG,    [NODE_LINK] = DT_LNK,
       [NODE_RENDER] = DT_CHR,    [NODE_PRIMARY] = DT_CHR, [NODE_SW_SYNC] = DT_REG};
   enum node_kind kind = NODE_DIRECTORY;
   const char *name = o->at == 0 ? "." : o->at == 1 ? ".." : node_child(o->path, o->at - 2, &kind);
   if (!name)
      return NULL;
   o->at++;
   memset(&o->entry, 0, sizeof(o->entry));
   o->entry.d_ino = o->at;
   o->entry.d_off = (off64_t)o->at;
   o->entry.d_reclen = sizeof(o->entry);
   o->entry.d_type = type[kind];
   strncpy(o->entry.d_name, name, sizeof(o->entry.d_name) - 1);
   return &o->entry;
}

EXPORT struct dirent *
readdir(DIR *d)
{
   REAL(readdir, struct dirent * (*)(DIR *));
   struct our_dir *o = our_dir(d);
   return o ? (struct dirent *)next_entry(o) : real(d);
}

EXPORT struct dirent64 *
readdir64(DIR *d)
{
   REAL(readdir64, struct dirent64 * (*)(DIR *));
   struct our_dir *o = our_dir(d);
   return o ? next_entry(o) : real(d);
}

EXPORT void
rewinddir(DIR *d)
{
   REAL(rewinddir, void (*)(DIR *));
   struct our_dir *o = our_dir(d);
   if (o)
      o->at = 0;
   if (!o || o->host)
      real(o ? o->host : d);
}

EXPORT int
closedir(DIR *d)
{
   REAL(closedir, int (*)(DIR *));
   struct our_dir *o = our_dir(d);
   if (!o)
      return real(d);
   pthread_mutex_lock(&dirs_lock);
   for (struct our_dir **p = &open_dirs; *p; p = &(*p)->next)
      if (*p == o) {
         *p = o->next;
         break;
      }
   pthread_mutex_unlock(&dirs_lock);
   if (o->host)
      real(o->host);
   if (o->fd >= 0)
      close(o->fd);
   free(o);
   return 0;
}

EXPORT int
dirfd(DIR *d)
{
   REAL(dirfd, int (*)(DIR *));
   struct our_dir *o = our_dir(d);
   if (!o || o->host)
      return real(o ? o->host : d);
   struct node n;
   if (o->fd < 0 && node_lookup(o->path, true, &n))
      o->fd = preload_open(&n, O_RDONLY | O_CLOEXEC);
   return o->fd;
}

static int
scan(const char *path, struct dirent64 ***list, int (*filter)(const struct dirent64 *),
     int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
   DIR *d = opendir(path);
   struct dirent64 *e, **found = NULL;
   int n = 0;
   if (!d)
      return -1;
   while ((e = readdir64(d))) {
      if (filter && !filter(e))
         continue;
      struct dirent64 **bigger = realloc(found, (size_t)(n + 1) * sizeof(*bigger));
      struct dirent64 *copy = malloc(sizeof(*copy));
      if (bigger)
         found = bigger;
      if (!bigger || !copy) {
         free(copy);
         break;
      }
      *copy = *e;
      found[n++] = copy;
   }
   closedir(d);
   if (compare && n)
      qsort(found, (size_t)n, sizeof(*found), (int (*)(const void *, const void *))compare);
   *list = found;
   return n;
}

#define SCANDIR(name, type)                                                                        \
   EXPORT int name(const char *restrict path, type ***restrict list, int (*filter)(const type *),  \
                   int (*compare)(const type **, const type **))                                   \
   {                                                                                               \
      REAL(name, int (*)(const char *, type ***, int (*)(const type *),                            \
                         int (*)(const type **, const type **)));                                  \
      struct node n;                                                                               \
      if (!node_lookup(path, true, &n))                                                            \
         return real(path, list, filter, compare);                                                 \
      return scan(path, (struct dirent64 ***)list, (int (*)(const struct dirent64 *))filter,       \
                  (int (*)(const struct dirent64 **, const struct dirent64 **))compare);           \
   }
SCANDIR(scandir, struct dirent)
SCANDIR(scandir64, struct dirent64)
