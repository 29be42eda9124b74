/* The files and nodes that libraries look for. */
#include "smoke.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

static bool
file_is(const char *path, const char *text)
{
   char data[256] = "";
   FILE *f = fopen(path, "r");
   size_t n = f ? fread(data, 1, sizeof(data) - 1, f) : 0;
   if (f)
      fclose(f);
   return n == strlen(text) && !strcmp(data, text);
}

static bool
lists(const char *path, const char *name)
{
   DIR *d = opendir(path);
   bool found = false;
   for (struct dirent *e; d && (e = readdir(d));)
      found |= !strcmp(e->d_name, name);
   if (d)
      closedir(d);
   return found;
}

static bool
reads(int fd, const char *text)
{
   char data[256] = "";
   ssize_t n = read(fd, data, sizeof(data) - 1);
   close(fd);
   return n == (ssize_t)strlen(text) && !strcmp(data, text);
}

/* As IGT does it: a directory is opened, everything else is looked up from there. */
static void
relative_paths(void)
{
   struct stat s;
   char link[256] = "";
   int dir = open("/sys/dev/char/226:0/device", O_RDONLY | O_DIRECTORY);
   CHECK(dir >= 0 && !fstat(dir, &s) && S_ISDIR(s.st_mode), "a directory is a descriptor");
   CHECK(reads(openat(dir, "vendor", O_RDONLY), "0x8086\n"), "a file is opened from it");
   CHECK(reads(openat(dir, "drm/card0/dev", O_RDONLY), "226:0\n"), "and a deeper one");
   CHECK(!fstatat(dir, "drm", &s, 0) && S_ISDIR(s.st_mode), "fstatat from a directory");
   CHECK(fstatat(dir, "none", &s, 0) && errno == ENOENT, "fstatat of an absent file is ENOENT");
   CHECK(!faccessat(dir, "config", R_OK, 0), "faccessat from a directory");
   CHECK(readlinkat(dir, "driver", link, sizeof(link)) > 5 && strstr(link, "/i915"),
         "readlinkat from it");
   int copy = dup(dir), inner = openat(copy, "drm", O_RDONLY | O_DIRECTORY);
   CHECK(inner >= 0 && reads(openat(inner, "card0/dev", O_RDONLY), "226:0\n"),
         "a directory is opened from a duplicate of the directory");
   DIR *d = fdopendir(inner);
   bool found = false;
   for (struct dirent *e; d && (e = readdir(d));)
      found |= !strcmp(e->d_name, "renderD128");
   CHECK(found && dirfd(d) == inner, "fdopendir lists it");
   CHECK(d && !closedir(d) && fstat(inner, &s) && errno == EBADF, "closedir closes the descriptor");
   close(copy);
   close(dir);
   CHECK(openat(dir, "vendor", O_RDONLY) < 0 && errno == EBADF, "a closed directory is EBADF");
   CHECK(open("/sys/class/drm", O_RDWR) < 0 && errno == EISDIR, "writing a directory is EISDIR");
   int drop = open("/sys/kernel/debug/dri/0/i915_gem_drop_caches", O_WRONLY);
   CHECK(drop >= 0 && write(drop, "many", 4) < 0 && errno == EINVAL, "no number: EINVAL");
   close(drop);
}

/* As libudev does it: from the root down, a component at a time, links as themselves. */
static void
one_by_one(void)
{
   static const char *const part[] = {"sys", "class", "drm", "card0"};
   int fd = open("/", O_PATH | O_DIRECTORY);
   for (int i = 0; i < 4; i++) {
      int next = openat(fd, part[i], O_PATH | O_NOFOLLOW);
      close(fd);
      fd = next;
   }
   struct stat s;
   struct statfs fs;
   char link[256] = "";
   CHECK(fd >= 0 && !fstat(fd, &s) && S_ISLNK(s.st_mode), "the last one is a link");
   CHECK(readlinkat(fd, "", link, sizeof(link) - 1) > 0 && !strncmp(link, "../../devices/", 14),
         "that can be read, and is relative");
   int drm = open("/sys/class/drm", O_PATH | O_DIRECTORY),
       up = openat(drm, "..", O_PATH | O_DIRECTORY);
   CHECK(up >= 0 && !fstatat(up, "net", &s, 0) && !fstatat(drm, "../net", &s, 0),
         "up from ours is the host");
   snprintf(link, sizeof(link), "/proc/self/fd/%d", drm);
   int again = open(link, O_RDONLY | O_DIRECTORY);
   CHECK(again >= 0 && !fstatat(again, "card0", &s, 0), "a place is opened again by /proc/self/fd");
   close(again);
   close(up);
   close(drm);
   close(fd);
   CHECK(open("/sys/class/drm/card0", O_RDONLY | O_NOFOLLOW) < 0 && errno == ELOOP,
         "and not opened: ELOOP");
   CHECK(!statfs("/sys/class/drm/card0/", &fs) && fs.f_type == 0x62656572, "it is in a sysfs");
   struct statx x;
   CHECK(!statx(AT_FDCWD, "/sys/class/drm", 0, STATX_TYPE | STATX_MNT_ID, &x) &&
             x.stx_mask & STATX_MNT_ID && S_ISDIR(x.stx_mode),
         "statx tells the mount");
   CHECK(lists("/sys/class", "drm") && lists("/sys/class/", "net"),
         "the host's directories have ours too");
   CHECK(lists("/dev", "dri") && lists("/dev", "null"), "and /dev");
}

/* Engines have their settings; a number that is written is read again, and what is none refused. */
static void
engine_files(void)
{
#define RCS "/sys/class/drm/card0/engine/rcs0/"
   CHECK(lists("/sys/class/drm/card0/engine", "vcs0"), "the engines are listed");
   CHECK(file_is(RCS "name", "rcs0\n") && file_is(RCS "mmio_base", "0x2000\n"),
         "an engine's files");
   CHECK(file_is(RCS ".defaults/heartbeat_interval_ms", "2500\n"), "a default");
   int fd = open(RCS "heartbeat_interval_ms", O_RDWR);
   CHECK(fd >= 0 && write(fd, "300\n", 4) == 4, "a setting is written");
   CHECK(write(fd, "soon", 4) < 0 && errno == EINVAL, "a word is EINVAL");
   close(fd);
   CHECK(file_is(RCS "heartbeat_interval_ms", "300\n"), "and read again");
   CHECK(file_is("/sys/class/drm/card0/error", "No error state collected\n"), "no error yet");
   fd = open("/sys/kernel/debug/dri/0/i915_wedged", O_WRONLY);
   CHECK(fd >= 0 && write(fd, "1", 1) == 1, "a reset by hand");
   close(fd);
   char start[16] = "";
   fd = open("/sys/class/drm/card0/error", O_RDWR);
   CHECK(fd >= 0 && read(fd, start, 9) == 9 && !strcmp(start, "GPU HANG:"),
         "leaves an error state");
   CHECK(write(fd, "", 1) == 1, "which is cleared");
   close(fd);
   CHECK(file_is("/sys/class/drm/card0/error", "No error state collected\n"), "and gone");
}

#define DEVICE "/sys/dev/char/226:128/device"

int
main(void)
{
   struct stat s;
   CHECK(lists("/dev/dri", "renderD128") && lists("/dev/dri", "card0"),
         "/dev/dri lists both nodes");
   CHECK(!lists("/dev/dri", "card1"), "and no other");
   CHECK(!stat("/dev/dri/renderD128", &s) && S_ISCHR(s.st_mode) && s.st_rdev == makedev(226, 128),
         "the render node is 226:128");
   CHECK(!stat("/dev/dri/card0", &s) && s.st_rdev == makedev(226, 0), "the primary node is 226:0");
   CHECK(stat("/dev/dri/card7", &s) && errno == ENOENT, "a third is ENOENT");
   CHECK(!access("/dev/dri/renderD128", R_OK | W_OK), "the node may be opened");
   CHECK(file_is(DEVICE "/vendor", "0x8086\n"), "vendor");
   CHECK(file_is(DEVICE "/device", "0x0166\n"), "device");
   CHECK(file_is("/sys/class/drm/card0/device/revision", "0x09\n"), "revision, through two links");
   CHECK(file_is("/sys/bus/pci/devices/0000:00:02.0/class", "0x030000\n"), "class, by the bus");
   CHECK(lists("/sys/bus/pci/devices", "0000:00:02.0"), "the bus lists the device");
   CHECK(!stat(DEVICE "/drm", &s) && S_ISDIR(s.st_mode), "the drm directory");
   char link[256] = "";
   CHECK(readlink(DEVICE "/subsystem", link, sizeof(link) - 1) > 4 &&
             !strcmp(link + strlen(link) - 4, "/pci"),
         "the subsystem is pci");
   char *real = realpath("/sys/dev/char/226:0/device", NULL);
   CHECK(real && strstr(real, "0000:00:02.0"), "realpath of the device");
   free(real);
   int config = open(DEVICE "/config", O_RDONLY);
   uint8_t pci[64];
   CHECK(config >= 0 && read(config, pci, sizeof(pci)) == 64 && pci[2] == 0x66 && pci[3] == 0x01,
         "PCI configuration space");
   close(config);
   CHECK(open(DEVICE "/vendor", O_RDWR) < 0 && errno == EACCES, "a read-only file is EACCES");
   CHECK(open("/sys/module/i915/parameters/none", O_RDONLY) < 0 && errno == ENOENT,
         "an absent file is ENOENT");
   int drop = open("/sys/kernel/debug/dri/0/i915_gem_drop_caches", O_WRONLY);
   CHECK(drop >= 0 && write(drop, "0xf", 3) == 3, "the drop-caches file takes writes");
   close(drop);
   relative_paths();
   one_by_one();
   engine_files();
   CHECK(!stat("/proc/self", &s) && !stat("/etc", &s), "other paths are the host's");

   CHECK(open("/dev/dri/card0", O_RDWR | O_DIRECTORY) < 0 && errno == ENOTDIR,
         "a node is no directory");
   CHECK(open("/dev/dri/card0", O_RDWR | O_CREAT | O_EXCL, 0600) < 0 && errno == EEXIST,
         "and exists already");
   CHECK(access("/dev/dri/card0", X_OK) < 0 && errno == EACCES, "and cannot be executed");
   int events = open("/dev/dri/card0", O_RDWR | O_NONBLOCK);
   CHECK(read(events, link, sizeof(link)) < 0 && errno == EAGAIN,
         "there is no event, and nobody waits for one");
   close(events);

   int fd = open_render();
   CHECK(!fstat(fd, &s) && s.st_rdev == makedev(226, 128), "fstat of the open node");
   char path[64];
   snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
   int again = open(path, O_RDWR);
   CHECK(again >= 0 && create(again, 4096), "opened again by /proc/self/fd");
   CHECK(readlink(path, link, sizeof(link)) == 19 && !memcmp(link, "/dev/dri/renderD128", 19),
         "and its link says what it is");
   int copy = fcntl(fd, F_DUPFD_CLOEXEC, 100);
   uint32_t handle = create(fd, 4096);
   struct drm_i915_gem_busy b = {.handle = handle};
   CHECK(copy >= 100 && !call(copy, DRM_IOCTL_I915_GEM_BUSY, &b), "a duplicate shares the handles");
   close(fd);
   CHECK(!call(copy, DRM_IOCTL_I915_GEM_BUSY, &b), "and lives on");
   return smoke_end();
}
