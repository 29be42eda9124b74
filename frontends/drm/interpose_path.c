/* stat, access, readlink, realpath, directories: the calls on paths. */
#include "interpose.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int
fill(enum node_kind kind, bool writable, struct stat *s)
{
   memset(s, 0, sizeof(*s));
   s->st_nlink = 1;
   s->st_blksize = 4096;
   s->st_ino = 226 + (ino_t)kind;
   switch (kind) {
   case NODE_DIRECTORY:
      s->st_mode = S_IFDIR | 0755;
      s->st_nlink = 2;
      return 0;
   case NODE_SW_SYNC:
   case NODE_FILE:
      s->st_mode = S_IFREG | (writable ? 0644 : 0444);
      s->st_size = 4096;
      return 0;
   case NODE_REGISTERS:
      s->st_mode = S_IFREG | 0600;
      s->st_size = REGISTERS_SIZE;
      return 0;
   case NODE_LINK:
      s->st_mode = S_IFLNK | 0777;
      return 0;
   case NODE_RENDER:
   case NODE_PRIMARY:
      s->st_mode = S_IFCHR | 0666;
      s->st_rdev = makedev(226, kind == NODE_RENDER ? 128 : 0);
      return 0;
   default:
      errno = ENOENT;
      return -1;
   }
}

static bool
stat_ours(const char *path, bool follow, struct stat *s, int *ret)
{
   struct node n;
   if (!node_lookup(path, follow, &n))
      return false;
   *ret = fill(n.kind, n.writable, s);
   return true;
}

static bool
fstat_ours(int fd, struct stat *s, int *ret)
{
   struct kernel *k = preload_kernel();
   char path[NODE_PATH_MAX];
   if (path_find(fd, path))
      return stat_ours(path, false, s, ret); /* it may stand for a link itself */
   if (!k)
      return false;
   kernel_lock(k);
   struct fd_entry e = fd_find(k, fd);
   bool render = e.kind == FD_DRM && ((struct drm_file *)e.what)->render_node;
   pthread_mutex_unlock(&k->lock);
   if (e.kind != FD_DRM)
      return false;
   *ret = fill(render ? NODE_RENDER : NODE_PRIMARY, true, s);
   return true;
}

/* struct stat and struct stat64 are one on this platform. */
#define STAT(name, follow)                                                                         \
   EXPORT int name(const char *path, struct stat *s);                                              \
   EXPORT int name(const char *path, struct stat *s)                                               \
   {                                                                                               \
      REAL(name, int (*)(const char *, struct stat *));                                            \
      int ret;                                                                                     \
      return stat_ours(path, follow, s, &ret) ? ret : real(path, s);                               \
   }
#define STAT64(name, follow)                                                                       \
   EXPORT int name(const char *path, struct stat64 *s);                                            \
   EXPORT int name(const char *path, struct stat64 *s)                                             \
   {                                                                                               \
      REAL(name, int (*)(const char *, struct stat64 *));                                          \
      int ret;                                                                                     \
      return stat_ours(path, follow, (struct stat *)s, &ret) ? ret : real(path, s);                \
   }
STAT(stat, true)
STAT(lstat, false)
STAT64(stat64, true)
STAT64(lstat64, false)

#define XSTAT(name, follow)                                                                        \
   EXPORT int name(int version, const char *path, void *s);                                        \
   EXPORT int name(int version, const char *path, void *s)                                         \
   {                                                                                               \
      REAL(name, int (*)(int, const char *, void *));                                              \
      int ret;                                                                                     \
      return stat_ours(path, follow, s, &ret) ? ret : real(version, path, s);                      \
   }
XSTAT(__xstat, true)
XSTAT(__xstat64, true)
XSTAT(__lxstat, false)
XSTAT(__lxstat64, false)

EXPORT int
fstat(int fd, struct stat *s)
{
   REAL(fstat, int (*)(int, struct stat *));
   int ret;
   return fstat_ours(fd, s, &ret) ? ret : real(fd, s);
}

EXPORT int
fstat64(int fd, struct stat64 *s)
{
   REAL(fstat64, int (*)(int, struct stat64 *));
   int ret;
   return fstat_ours(fd, (struct stat *)s, &ret) ? ret : real(fd, s);
}

#define FXSTAT(name)                                                                               \
   EXPORT int name(int version, int fd, void *s);                                                  \
   EXPORT int name(int version, int fd, void *s)                                                   \
   {                                                                                               \
      REAL(name, int (*)(int, int, void *));                                                       \
      int ret;                                                                                     \
      return fstat_ours(fd, s, &ret) ? ret : real(version, fd, s);                                 \
   }
FXSTAT(__fxstat)
FXSTAT(__fxstat64)

#define FSTATAT(name, type)                                                                        \
   EXPORT int name(int dir, const char *path, type *s, int flags);                                 \
   EXPORT int name(int dir, const char *path, type *s, int flags)                                  \
   {                                                                                               \
      REAL(name, int (*)(int, const char *, type *, int));                                         \
      int ret;                                                                                     \
      char joined[2 * NODE_PATH_MAX];                                                              \
      if (stat_ours(path_at(dir, path, joined), *path && !(flags & AT_SYMLINK_NOFOLLOW),           \
                    (struct stat *)s, &ret))                                                       \
         return ret;                                                                               \
      if (flags & AT_EMPTY_PATH && !*path && fstat_ours(dir, (struct stat *)s, &ret))              \
         return ret;                                                                               \
      if (*path)                                                                                   \
         path_leaves(&dir, &path, joined);                                                         \
      return real(dir, path, s, flags);                                                            \
   }
FSTATAT(fstatat, struct stat)
FSTATAT(fstatat64, struct stat64)

EXPORT int
statx(int dir, const char *restrict path, int flags, unsigned mask, struct statx *restrict x)
{
   REAL(statx, int (*)(int, const char *, int, unsigned, struct statx *));
   struct stat s;
   int ret;
   char joined[2 * NODE_PATH_MAX];
   bool follow =
       *path && !(flags & AT_SYMLINK_NOFOLLOW); /* a descriptor may stand for a link itself */
   bool mine = stat_ours(path_at(dir, path, joined), follow, &s, &ret);
   if (!mine && flags & AT_EMPTY_PATH && !*path)
      mine = fstat_ours(dir, &s, &ret);
   if (!mine) {
      const char *there = path;
      if (*path)
         path_leaves(&dir, &there, joined);
      return real(dir, there, flags, mask, x);
   }
   if (ret)
      return ret;
   memset(x, 0, sizeof(*x));
   /* libudev insists on what all current kernels tell: one mount, of which this is not the root. */
   x->stx_mask = STATX_BASIC_STATS | STATX_MNT_ID;
   x->stx_attributes_mask = STATX_ATTR_MOUNT_ROOT;
   x->stx_mnt_id = 1;
   x->stx_blksize = 4096;
   x->stx_nlink = (uint32_t)s.st_nlink;
   x->stx_mode = (uint16_t)s.st_mode;
   x->stx_ino = s.st_ino;
   x->stx_size = (uint64_t)s.st_size;
   x->stx_rdev_major = major(s.st_rdev);
   x->stx_rdev_minor = minor(s.st_rdev);
   return 0;
}

/* Our files are a sysfs; libudev looks. */
static bool
statfs_ours(const char *path, struct statfs *s, int *ret)
{
   struct node n;
   if (!node_lookup(path, true, &n) || strncmp(n.path, "/sys/", 5))
      return false;
   memset(s, 0, sizeof(*s));
   s->f_type = SYSFS_MAGIC;
   s->f_bsize = 4096;
   s->f_namelen = 255;
   *ret = n.kind == NODE_NONE ? -1 : 0;
   if (*ret)
      errno = ENOENT;
   return true;
}

/* struct statfs and struct statfs64 are one on this platform. */
#define STATFS(name, type)                                                                         \
   EXPORT int name(const char *path, type *s)                                                      \
   {                                                                                               \
      REAL(name, int (*)(const char *, type *));                                                   \
      int ret;                                                                                     \
      return statfs_ours(path, (struct statfs *)s, &ret) ? ret : real(path, s);                    \
   }
STATFS(statfs, struct statfs)
STATFS(statfs64, struct statfs64)

#define FSTATFS(name, type)                                                                        \
   EXPORT int name(int fd, type *s)                                                                \
   {                                                                                               \
      REAL(name, int (*)(int, type *));                                                            \
      int ret;                                                                                     \
      char path[NODE_PATH_MAX];                                                                    \
      if (path_find(fd, path) && statfs_ours(path, (struct statfs *)s, &ret))                      \
         return ret;                                                                               \
      return real(fd, s);                                                                          \
   }
FSTATFS(fstatfs, struct statfs)
FSTATFS(fstatfs64, struct statfs64)

static bool
access_ours(const char *path, int mode, int *ret)
{
   struct node n;
   if (!node_lookup(path, true, &n))
      return false;
   *ret = 0;
   if (n.kind == NODE_NONE)
      errno = ENOENT;
   else if (mode & W_OK && n.kind == NODE_FILE && !n.writable)
      errno = EACCES;
   else if (mode & X_OK && n.kind != NODE_DIRECTORY)
      errno = EACCES;
   else
      return true;
   *ret = -1;
   return true;
}

EXPORT int
access(const char *path, int mode)
{
   REAL(access, int (*)(const char *, int));
   int ret;
   return access_ours(path, mode, &ret) ? ret : real(path, mode);
}

EXPORT int
faccessat(int dir, const char *path, int mode, int flags)
{
   REAL(faccessat, int (*)(int, const char *, int, int));
   int ret;
   char joined[2 * NODE_PATH_MAX];
   return access_ours(path_at(dir, path, joined), mode, &ret) ? ret : real(dir, path, mode, flags);
}

/* Who may open the nodes is not changed by this: everybody of this process may. */
EXPORT int
chmod(const char *path, mode_t mode)
{
   REAL(chmod, int (*)(const char *, mode_t));
   struct node n;
   if (!node_lookup(path, true, &n))
      return real(path, mode);
   if (n.kind != NODE_NONE)
      return 0;
   errno = ENOENT;
   return -1;
}

/* The path that a link of /proc/self/fd would show for a node of ours. */
static const char *
proc_target(const char *path, char ours[NODE_PATH_MAX])
{
   struct kernel *k = preload_kernel();
   int fd = preload_proc_fd(path);
   if (fd >= 0 && path_find(fd, ours))
      return ours;
   if (!k || fd < 0)
      return NULL;
   kernel_lock(k);
   struct fd_entry e = fd_find(k, fd);
   bool render = e.kind == FD_DRM && ((struct drm_file *)e.what)->render_node;
   pthread_mutex_unlock(&k->lock);
   return e.kind != FD_DRM ? NULL : render ? "/dev/dri/renderD128" : "/dev/dri/card0";
}

static bool
readlink_ours(const char *path, char *to, size_t size, ssize_t *ret)
{
   struct node n;
   char own[NODE_PATH_MAX];
   const char *text = proc_target(path, own);
   if (!text) {
      if (!node_lookup(path, false, &n))
         return false;
      if (n.kind != NODE_LINK) {
         errno = n.kind == NODE_NONE ? ENOENT : EINVAL;
         *ret = -1;
         return true;
      }
      node_link_text(&n, own);
      text = own;
   }
   size_t length = strlen(text);
   *ret = (ssize_t)(length < size ? length : size);
   memcpy(to, text, (size_t)*ret);
   return true;
}

EXPORT ssize_t
readlink(const char *restrict path, char *restrict to, size_t size)
{
   REAL(readlink, ssize_t(*)(const char *, char *, size_t));
   ssize_t ret;
   return readlink_ours(path, to, size, &ret) ? ret : real(path, to, size);
}

EXPORT ssize_t __readlink_chk(const char *path, char *to, size_t size, size_t room);
EXPORT ssize_t
__readlink_chk(const char *path, char *to, size_t size, size_t room)
{
   return readlink(path, to, size < room ? size : room);
}

EXPORT ssize_t
readlinkat(int dir, const char *restrict path, char *restrict to, size_t size)
{
   REAL(readlinkat, ssize_t(*)(int, const char *, char *, size_t));
   ssize_t ret;
   char joined[2 * NODE_PATH_MAX];
   return readlink_ours(path_at(dir, path, joined), to, size, &ret) ? ret
                                                                    : real(dir, path, to, size);
}

static bool
realpath_ours(const char *path, char *to, char **ret)
{
   struct node n;
   char own[NODE_PATH_MAX];
   const char *text = proc_target(path, own);
   if (!text) {
      if (!node_lookup(path, true, &n))
         return false;
      if (n.kind == NODE_NONE) {
         errno = ENOENT;
         *ret = NULL;
         return true;
      }
      text = n.path;
   }
   *ret = to ? strcpy(to, text) : strdup(text);
   return true;
}

EXPORT char *
realpath(const char *restrict path, char *restrict to)
{
   REAL(realpath, char *(*)(const char *, char *));
   char *ret;
   return realpath_ours(path, to, &ret) ? ret : real(path, to);
}

EXPORT char *__realpath_chk(const char *path, char *to, size_t room);
EXPORT char *
__realpath_chk(const char *path, char *to, size_t room)
{
   REAL(__realpath_chk, char *(*)(const char *, char *, size_t));
   char *ret;
   if (room >= NODE_PATH_MAX && realpath_ours(path, to, &ret))
      return ret;
   return real(path, to, room);
}

EXPORT char *
canonicalize_file_name(const char *path)
{
   REAL(canonicalize_file_name, char *(*)(const char *));
   char *ret;
   return realpath_ours(path, NULL, &ret) ? ret : real(path);
}
