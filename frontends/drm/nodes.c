#include "nodes.h"

#include <stdio.h>
#include <string.h>

#define PCI "/sys/devices/pci0000:00/0000:00:02.0"

struct row {
   enum node_kind kind;
   const char *path, *text;
   bool writable;
};

/* An engine as i915 shows it: no time slices and no preemption on this generation. */
#define CARD PCI "/drm/card0"
#define SETTING(name, value, directory)                                                            \
   {NODE_FILE, directory "/" name, value "\n", true},                                              \
   {                                                                                               \
      NODE_FILE, directory "/.defaults/" name, value "\n", false                                   \
   }
#define ENGINE(name, class, base, directory)                                                       \
   {NODE_DIRECTORY, directory, NULL, false}, {NODE_FILE, directory "/name", name "\n", false},     \
       {NODE_FILE, directory "/class", class "\n", false},                                         \
       {NODE_FILE, directory "/instance", "0\n", false},                                           \
       {NODE_FILE, directory "/mmio_base", base "\n", false},                                      \
       {NODE_FILE, directory "/capabilities", "\n", false},                                        \
       {NODE_FILE, directory "/known_capabilities", "\n", false},                                  \
       {NODE_DIRECTORY, directory "/.defaults", NULL, false},                                      \
       SETTING("heartbeat_interval_ms", "2500", directory),                                        \
       SETTING("max_busywait_duration_ns", "8000", directory),                                     \
       SETTING("stop_timeout_ms", "100", directory)

/* "@…" in text: made from the part by node_contents. */
static const struct row rows[] = {
    {NODE_DIRECTORY, "/dev/dri", NULL, false},
    {NODE_PRIMARY, "/dev/dri/card0", NULL, false},
    {NODE_RENDER, "/dev/dri/renderD128", NULL, false},
    {NODE_DIRECTORY, "/dev/dri/by-path", NULL, false},
    {NODE_LINK, "/dev/dri/by-path/pci-0000:00:02.0-card", "/dev/dri/card0", false},
    {NODE_LINK, "/dev/dri/by-path/pci-0000:00:02.0-render", "/dev/dri/renderD128", false},

    {NODE_LINK, "/sys/dev/char/226:0", PCI "/drm/card0", false},
    {NODE_LINK, "/sys/dev/char/226:128", PCI "/drm/renderD128", false},

    {NODE_DIRECTORY, "/sys/class/drm", NULL, false},
    {NODE_LINK, "/sys/class/drm/card0", PCI "/drm/card0", false},
    {NODE_LINK, "/sys/class/drm/renderD128", PCI "/drm/renderD128", false},
    {NODE_FILE, "/sys/class/drm/version", "drm 1.1.0 20060810\n", false},

    {NODE_DIRECTORY, "/sys/bus/pci", NULL, false},
    {NODE_DIRECTORY, "/sys/bus/pci/devices", NULL, false},
    {NODE_LINK, "/sys/bus/pci/devices/0000:00:02.0", PCI, false},
    {NODE_DIRECTORY, "/sys/bus/pci/drivers", NULL, false},
    {NODE_DIRECTORY, "/sys/bus/pci/drivers/i915", NULL, false},

    {NODE_DIRECTORY, PCI, NULL, false},
    {NODE_FILE, PCI "/uevent", "@uevent", false},
    {NODE_FILE, PCI "/vendor", "0x8086\n", false},
    {NODE_FILE, PCI "/device", "@device", false},
    {NODE_FILE, PCI "/subsystem_vendor", "0x8086\n", false},
    {NODE_FILE, PCI "/subsystem_device", "@device", false},
    {NODE_FILE, PCI "/revision", "@revision", false},
    {NODE_FILE, PCI "/class", "0x030000\n", false},
    {NODE_FILE, PCI "/irq", "16\n", false},
    {NODE_FILE, PCI "/enable", "1\n", false},
    {NODE_FILE, PCI "/boot_vga", "1\n", false},
    {NODE_FILE, PCI "/numa_node", "-1\n", false},
    {NODE_FILE, PCI "/resource",
     "0x00000000f7800000 0x00000000f7bfffff 0x0000000000140204\n"
     "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
     "0x00000000e0000000 0x00000000efffffff 0x000000000014220c\n"
     "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
     "0x000000000000f000 0x000000000000f03f 0x0000000000040101\n"
     "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
     "0x00000000000c0000 0x00000000000dffff 0x0000000000000212\n",
     false},
    {NODE_FILE, PCI "/config", "@config", false},
    {NODE_REGISTERS, PCI "/resource0", NULL, true},
    {NODE_LINK, PCI "/subsystem", "/sys/bus/pci", false},
    {NODE_LINK, PCI "/driver", "/sys/bus/pci/drivers/i915", false},
    {NODE_DIRECTORY, PCI "/drm", NULL, false},
    {NODE_DIRECTORY, PCI "/drm/card0", NULL, false},
    {NODE_FILE, PCI "/drm/card0/dev", "226:0\n", false},
    {NODE_FILE, PCI "/drm/card0/uevent",
     "MAJOR=226\nMINOR=0\nDEVNAME=dri/card0\nDEVTYPE=drm_minor\n", false},
    {NODE_FILE, PCI "/drm/card0/error", "No error state collected\n", true},
    {NODE_FILE, PCI "/drm/card0/gt_max_freq_mhz", "1150\n", true},
    {NODE_FILE, PCI "/drm/card0/gt_min_freq_mhz", "350\n", true},
    {NODE_FILE, PCI "/drm/card0/gt_boost_freq_mhz", "1150\n", true},
    {NODE_FILE, PCI "/drm/card0/gt_cur_freq_mhz", "350\n", false},
    {NODE_FILE, PCI "/drm/card0/gt_act_freq_mhz", "350\n", false},
    {NODE_FILE, PCI "/drm/card0/gt_RP0_freq_mhz", "1150\n", false},
    {NODE_FILE, PCI "/drm/card0/gt_RP1_freq_mhz", "650\n", false},
    {NODE_FILE, PCI "/drm/card0/gt_RPn_freq_mhz", "350\n", false},
    {NODE_DIRECTORY, CARD "/engine", NULL, false},
    ENGINE("rcs0", "0", "0x2000", CARD "/engine/rcs0"),
    ENGINE("bcs0", "1", "0x22000", CARD "/engine/bcs0"),
    ENGINE("vcs0", "2", "0x12000", CARD "/engine/vcs0"),
    {NODE_LINK, PCI "/drm/card0/device", PCI, false},
    {NODE_LINK, PCI "/drm/card0/subsystem", "/sys/class/drm", false},
    {NODE_DIRECTORY, PCI "/drm/renderD128", NULL, false},
    {NODE_FILE, PCI "/drm/renderD128/dev", "226:128\n", false},
    {NODE_FILE, PCI "/drm/renderD128/uevent",
     "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n", false},
    {NODE_LINK, PCI "/drm/renderD128/device", PCI, false},
    {NODE_LINK, PCI "/drm/renderD128/subsystem", "/sys/class/drm", false},

    {NODE_DIRECTORY, "/sys/kernel/debug/dri", NULL, false},
    {NODE_DIRECTORY, "/sys/kernel/debug/dri/0", NULL, false},
    {NODE_FILE, "/sys/kernel/debug/dri/0/name", "i915 dev=0000:00:02.0 unique=0000:00:02.0\n",
     false},
    {NODE_FILE, "/sys/kernel/debug/dri/0/i915_gem_drop_caches", "0x1ff\n", true},
    {NODE_FILE, "/sys/kernel/debug/dri/0/i915_wedged", "0\n", true},
    {NODE_FILE, "/sys/kernel/debug/dri/0/i915_gem_objects",
     "0 shrinkable [0 free] objects, 0 bytes\n", false},
    {NODE_DIRECTORY, "/sys/kernel/debug/dri/128", NULL, false},
    {NODE_FILE, "/sys/kernel/debug/dri/128/name", "i915 dev=0000:00:02.0 unique=0000:00:02.0\n",
     false},
    {NODE_FILE, "/sys/kernel/debug/dri/128/i915_gem_drop_caches", "0x1ff\n", true},

    {NODE_DIRECTORY, "/sys/kernel/debug/sync", NULL, false},
    {NODE_SW_SYNC, "/sys/kernel/debug/sync/sw_sync", NULL, true},

    {NODE_DIRECTORY, "/sys/module/i915", NULL, false},
    {NODE_DIRECTORY, "/sys/module/i915/parameters", NULL, false},
    {NODE_FILE, "/sys/module/i915/parameters/reset", "2\n", true},
    {NODE_FILE, "/sys/module/i915/parameters/enable_hangcheck", "Y\n", true},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* Below these every question is answered here, with "no such file" if need be. */
static const char *const roots[] = {
    "/dev/dri",
    "/sys/dev/char/226:0",
    "/sys/dev/char/226:128",
    "/sys/class/drm",
    "/sys/bus/pci",
    PCI,
    "/sys/kernel/debug/dri",
    "/sys/module/i915",
    "/sys/kernel/debug/sync",
};

static bool
under_root(const char *path)
{
   for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
      size_t n = strlen(roots[i]);
      if (!strncmp(path, roots[i], n) && (!path[n] || path[n] == '/'))
         return true;
   }
   return false;
}

static const struct row *
find(const char *path)
{
   for (size_t i = 0; i < ROWS; i++)
      if (!strcmp(rows[i].path, path))
         return &rows[i];
   return NULL;
}

/* Resolves `rest` against `done` (canonical so far), one component at a time, following links. */
static bool
resolve(char *done, const char *rest, bool follow, int depth)
{
   char name[NODE_PATH_MAX];
   while (*rest) {
      while (*rest == '/')
         rest++;
      size_t n = strcspn(rest, "/");
      if (!n)
         return true;
      if (n >= sizeof(name))
         return false;
      memcpy(name, rest, n);
      name[n] = 0;
      rest += n;
      if (!strcmp(name, "."))
         continue;
      if (!strcmp(name, "..")) {
         char *slash = strrchr(done, '/');
         if (slash)
            *slash = 0;
         continue;
      }
      size_t used = strlen(done);
      if (used + n + 2 > NODE_PATH_MAX)
         return false;
      done[used] = '/';
      memcpy(done + used + 1, name, n + 1);
      const struct row *r = find(done);
      bool last = !rest[strspn(rest, "/")];
      if (!r || r->kind != NODE_LINK || (last && !follow))
         continue;
      if (depth == 8)
         return false;
      done[0] = 0;
      if (!resolve(done, r->text, true, depth + 1))
         return false;
   }
   return true;
}

bool
node_lookup(const char *path, bool follow, struct node *node)
{
   if (!path || path[0] != '/' || (strncmp(path, "/dev/", 5) && strncmp(path, "/sys/", 5)))
      return false;
   memset(node, 0, sizeof(*node));
   if (!resolve(node->path, path, follow, 0) || !under_root(node->path))
      return false;
   const struct row *r = find(node->path);
   if (!r)
      return true;
   node->kind = r->kind;
   node->text = r->text;
   node->writable = r->writable;
   return true;
}

static size_t
pci_config(const struct pergola_sku *sku, char *data, size_t size)
{
   unsigned char c[256] = {0};
   c[0x00] = 0x86;
   c[0x01] = 0x80;
   c[0x02] = (unsigned char)sku->pci_device_id;
   c[0x03] = (unsigned char)(sku->pci_device_id >> 8);
   c[0x04] = 0x07; /* I/O, memory, bus master */
   c[0x06] = 0x90; /* capabilities */
   c[0x08] = sku->pci_revision;
   c[0x0b] = 0x03; /* display controller */
   c[0x10] = 0x04; /* BAR0: 64 bits, 0xf7800000 */
   c[0x12] = 0x80;
   c[0x13] = 0xf7;
   c[0x18] = 0x0c; /* BAR2: 64 bits, prefetchable, 0xe0000000 */
   c[0x1b] = 0xe0;
   c[0x20] = 0x01; /* BAR4: I/O 0xf000 */
   c[0x21] = 0xf0;
   c[0x2c] = 0x86;
   c[0x2d] = 0x80;
   c[0x2e] = c[0x02];
   c[0x2f] = c[0x03];
   c[0x34] = 0x90;
   c[0x3c] = 0x10;
   c[0x3d] = 0x01;
   size_t n = size < sizeof(c) ? size : sizeof(c);
   memcpy(data, c, n);
   return n;
}

size_t
node_contents(const struct node *node, const struct pergola_sku *sku, char *data, size_t size)
{
   const char *text = node->text ? node->text : "";
   int n;
   if (!strcmp(text, "@config"))
      return pci_config(sku, data, size);
   if (!strcmp(text, "@device"))
      n = snprintf(data, size, "0x%04x\n", sku->pci_device_id);
   else if (!strcmp(text, "@revision"))
      n = snprintf(data, size, "0x%02x\n", sku->pci_revision);
   else if (!strcmp(text, "@uevent"))
      n = snprintf(data, size,
                   "DRIVER=i915\nPCI_CLASS=30000\nPCI_ID=8086:%04X\nPCI_SUBSYS_ID=8086:%04X\n"
                   "PCI_SLOT_NAME=0000:00:02.0\nMODALIAS=pci:v00008086d0000%04Xsv00008086sd0000%04X"
                   "bc03sc00i00\n",
                   sku->pci_device_id, sku->pci_device_id, sku->pci_device_id, sku->pci_device_id);
   else
      n = snprintf(data, size, "%s", text);
   return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

const char *
node_child(const char *directory, size_t i, enum node_kind *kind)
{
   size_t n = strlen(directory);
   for (size_t r = 0; r < ROWS; r++) {
      const char *p = rows[r].path;
      if (strncmp(p, directory, n) || p[n] != '/' || strchr(p + n + 1, '/'))
         continue;
      if (i--)
         continue;
      *kind = rows[r].kind;
      return p + n + 1;
   }
   return NULL;
}

void
node_link_text(const struct node *node, char text[NODE_PATH_MAX])
{
   const char *from = node->path, *to = node->text;
   size_t same = 0; /* what both paths begin with, up to a slash */
   for (size_t i = 0; from[i] && from[i] == to[i]; i++)
      if (from[i] == '/')
         same = i + 1;
   size_t used = 0;
   for (const char *p = strchr(from + same, '/'); p; p = strchr(p + 1, '/'))
      used += (size_t)snprintf(text + used, NODE_PATH_MAX - used, "../");
   snprintf(text + used, NODE_PATH_MAX - used, "%s", to + same);
}
