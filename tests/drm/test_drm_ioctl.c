/* The ioctl protocol itself, parameters, queries, registers. */
#include "rig.h"

#include "machine/device.h"

#include <sys/ioctl.h>
#include "tests/proves.h"

/* DRM-040: version strings: lengths are reported in full, as much as fits is copied. */
static void
version(void **state)
{
   proves("DRM-040");
   struct rig *r = *state;
   char name[8] = "", date[3] = "";
   struct drm_version v = {.name = name, .name_len = sizeof(name), .date = date, .date_len = 2};
   assert_int_equal(io(r->f, DRM_IOCTL_VERSION, &v), 0);
   assert_string_equal(name, "i915");
   assert_int_equal(v.name_len, 4);
   assert_int_equal(v.date_len, 8);
   assert_string_equal(date, "20");
   assert_int_equal(v.version_major, 1);
   assert_int_equal(v.version_minor, 6);
   v.name = (char *)16;
   v.name_len = 4;
   assert_int_equal(io(r->f, DRM_IOCTL_VERSION, &v), -EFAULT);
}

/* DRM-041: an unknown number is EINVAL, another type ENOTTY, an unreadable argument EFAULT; an
 * ioctl of the primary node is EACCES on the render node. */
static void
bad_requests(void **state)
{
   proves("DRM-041");
   struct rig *r = *state;
   char buffer[256] = {0};
   assert_int_equal(io(r->f, _IOWR('d', 0x9f, struct drm_gem_close), buffer), -EINVAL);
   assert_int_equal(io(r->f, _IOWR('T', 1, int), buffer), -ENOTTY);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE, (void *)8), -EFAULT);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CREATE, NULL), -EFAULT);
   assert_int_equal(io(r->f, DRM_IOCTL_SET_MASTER, NULL), -EACCES);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_EXECBUFFER, buffer), -EINVAL);
   struct drm_file *card = rig_open(r, false);
   assert_int_equal(io(card, DRM_IOCTL_SET_MASTER, NULL), 0);
   assert_int_equal(io(card, DRM_IOCTL_DROP_MASTER, NULL), 0);
   assert_int_equal(io(card, DRM_IOCTL_DROP_MASTER, NULL), -EINVAL);
   assert_int_equal(io(card, DRM_IOCTL_MODE_GETRESOURCES, buffer), -EOPNOTSUPP);
   rig_close(card);
}

/* DRM-042: a shorter structure is extended with zeros, a longer one is cut: both work. */
static void
structure_sizes(void **state)
{
   proves("DRM-042");
   struct rig *r = *state;
   struct {
      struct drm_i915_gem_create a;
      uint8_t more[64];
   } longer = {.a = {.size = 4096}};
   memset(longer.more, 0x55, sizeof(longer.more));
   assert_int_equal(io(r->f, _IOWR('d', DRM_COMMAND_BASE + DRM_I915_GEM_CREATE, longer), &longer),
                    0);
   assert_int_not_equal(longer.a.handle, 0);
   /* The old, shorter form of CONTEXT_CREATE: its flags read as zero. */
   struct drm_i915_gem_context_create shorter = {0};
   static struct {
      struct drm_i915_gem_create a;
      uint8_t more[8000];
   } longest = {.a = {.size = 4096}};
   memset(longest.more, 0x55, sizeof(longest.more));
   assert_int_equal(io(r->f, DRM_IOWR(DRM_COMMAND_BASE + DRM_I915_GEM_CREATE, longest), &longest),
                    0);
   assert_true(longest.a.handle && longest.more[0] == 0x55 && longest.more[7999] == 0x55);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &shorter), 0);
   assert_int_not_equal(shorter.ctx_id, 0);
   struct drm_i915_gem_mmap_gtt gtt = {.handle = longer.a.handle};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_GEM_MMAP_GTT, &gtt), 0);
   assert_int_not_equal(gtt.offset, 0);
}

static int
param(struct drm_file *f, int which, int *value)
{
   struct drm_i915_getparam a = {.param = which, .value = value};
   return io(f, DRM_IOCTL_I915_GETPARAM, &a);
}

/* DRM-043: what GETPARAM says about an Ivy Bridge; the topology is ENODEV before Haswell, an
 * unknown parameter EINVAL. */
static void
parameters(void **state)
{
   proves("DRM-043");
   struct rig *r = *state;
   const struct {
      int which, value;
   } known[] = {
       {I915_PARAM_CHIPSET_ID, 0x0166},
       {I915_PARAM_REVISION, 9},
       {I915_PARAM_HAS_GEM, 1},
       {I915_PARAM_HAS_EXECBUF2, 1},
       {I915_PARAM_HAS_BSD, 1},
       {I915_PARAM_HAS_BLT, 1},
       {I915_PARAM_HAS_VEBOX, 0},
       {I915_PARAM_HAS_BSD2, 0},
       {I915_PARAM_HAS_LLC, 1},
       {I915_PARAM_HAS_ALIASING_PPGTT, 2},
       {I915_PARAM_HAS_WAIT_TIMEOUT, 1},
       {I915_PARAM_CMD_PARSER_VERSION, 10},
       {I915_PARAM_MMAP_VERSION, 1},
       {I915_PARAM_MMAP_GTT_VERSION, 4},
       {I915_PARAM_HAS_EXEC_SOFTPIN, 1},
       {I915_PARAM_HAS_EXEC_FENCE_ARRAY, 1},
       {I915_PARAM_HAS_EXEC_TIMELINE_FENCES, 1},
       {I915_PARAM_CS_TIMESTAMP_FREQUENCY, 12500000},
       {I915_PARAM_HAS_RESOURCE_STREAMER, 0},
       {I915_PARAM_HAS_SCHEDULER, 0},
       {I915_PARAM_HAS_CONTEXT_ISOLATION, 1 << I915_ENGINE_CLASS_RENDER},
   };
   for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
      int v = -1;
      assert_int_equal(param(r->f, known[i].which, &v), 0);
      assert_int_equal(v, known[i].value);
   }
   int v;
   assert_int_equal(param(r->f, I915_PARAM_SLICE_MASK, &v), -ENODEV);
   assert_int_equal(param(r->f, I915_PARAM_SUBSLICE_TOTAL, &v), -ENODEV);
   assert_int_equal(param(r->f, I915_PARAM_EU_TOTAL, &v), -ENODEV);
   assert_int_equal(param(r->f, 9999, &v), -EINVAL);
   assert_int_equal(param(r->f, I915_PARAM_REVISION, (int *)16), -EFAULT);
}

/* DRM-044: capabilities; those of a display are EOPNOTSUPP, unknown ones EINVAL. */
static void
capabilities(void **state)
{
   proves("DRM-044");
   struct rig *r = *state;
   struct drm_get_cap c = {.capability = DRM_CAP_PRIME};
   assert_int_equal(io(r->f, DRM_IOCTL_GET_CAP, &c), 0);
   assert_int_equal(c.value, DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT);
   c.capability = DRM_CAP_SYNCOBJ_TIMELINE;
   assert_int_equal(io(r->f, DRM_IOCTL_GET_CAP, &c), 0);
   assert_int_equal(c.value, 1);
   c.capability = DRM_CAP_DUMB_BUFFER;
   assert_int_equal(io(r->f, DRM_IOCTL_GET_CAP, &c), -EOPNOTSUPP);
   c.capability = 0x1000;
   assert_int_equal(io(r->f, DRM_IOCTL_GET_CAP, &c), -EINVAL);
}

/* DRM-045: QUERY: length 0 asks for the size, a short one is EINVAL in the item, flags EINVAL;
 * engines are render, copy and video; one memory region; no topology. */
static void
queries(void **state)
{
   proves("DRM-045");
   struct rig *r = *state;
   struct drm_i915_query_item item = {.query_id = DRM_I915_QUERY_ENGINE_INFO};
   struct drm_i915_query q = {.num_items = 1, .items_ptr = (uintptr_t)&item};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_QUERY, &q), 0);
   _Alignas(8) uint8_t
       e[sizeof(struct drm_i915_query_engine_info) + 3 * sizeof(struct drm_i915_engine_info)] = {0};
   const struct drm_i915_query_engine_info *info = (const void *)e;
   assert_int_equal(item.length, sizeof(e));
   item.data_ptr = (uintptr_t)e;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_QUERY, &q), 0);
   assert_int_equal(item.length, sizeof(e));
   assert_int_equal(info->num_engines, 3);
   assert_int_equal(info->engines[0].engine.engine_class, I915_ENGINE_CLASS_RENDER);
   assert_int_equal(info->engines[1].engine.engine_class, I915_ENGINE_CLASS_COPY);
   assert_int_equal(info->engines[2].engine.engine_class, I915_ENGINE_CLASS_VIDEO);
   item.length = 8;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_QUERY, &q), 0);
   assert_int_equal(item.length, -EINVAL);
   item = (struct drm_i915_query_item){.query_id = DRM_I915_QUERY_MEMORY_REGIONS};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_QUERY, &q), 0);
   assert_true(item.length > 0);
   item = (struct drm_i915_query_item){.query_id = DRM_I915_QUERY_TOPOLOGY_INFO};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_QUERY, &q), 0);
   assert_int_equal(item.length, -ENODEV);
   item = (struct drm_i915_query_item){.query_id = 77};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_QUERY, &q), 0);
   assert_int_equal(item.length, -EINVAL);
   q.flags = 1;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_QUERY, &q), -EINVAL);
   q.flags = 0;
   q.items_ptr = 8;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_QUERY, &q), -EFAULT);
}

/* DRM-045: what this part has none of is ENODEV; of these the topology alone minds its flags. */
static void
absent_queries(void **state)
{
   proves("DRM-045");
   struct rig *r = *state;
   static const uint64_t absent[] = {DRM_I915_QUERY_TOPOLOGY_INFO, DRM_I915_QUERY_PERF_CONFIG,
                                     DRM_I915_QUERY_HWCONFIG_BLOB,
                                     DRM_I915_QUERY_GEOMETRY_SUBSLICES};
   for (unsigned i = 0; i < 8; i++) {
      struct drm_i915_query_item item = {.query_id = absent[i / 2], .flags = i & 1};
      struct drm_i915_query q = {.num_items = 1, .items_ptr = (uintptr_t)&item};
      assert_int_equal(io(r->f, DRM_IOCTL_I915_QUERY, &q), 0);
      assert_int_equal(item.length, i == 1 ? -EINVAL : -ENODEV);
   }
}

/* DRM-046: REG_READ knows the render timestamp alone, plain or with the 8-byte workaround bit, and
 * it does not run backwards. */
static void
register_read(void **state)
{
   proves("DRM-046");
   struct rig *r = *state;
   struct drm_i915_reg_read a = {.offset = 0x2358 | I915_REG_READ_8B_WA};
   assert_int_equal(io(r->f, DRM_IOCTL_I915_REG_READ, &a), 0);
   uint64_t first = a.val;
   uint32_t target = new_object(r->f, 4096);
   for (uint32_t i = 0; i < 10; i++)
      assert_int_equal(store_run(r->f, target, 0, i, I915_EXEC_RENDER), 0);
   assert_int_equal(io(r->f, DRM_IOCTL_I915_REG_READ, &a), 0);
   assert_true(a.val >= first);
   a.offset = 0x2358 | 2;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_REG_READ, &a), -EINVAL);
   a.offset = 0x2030;
   assert_int_equal(io(r->f, DRM_IOCTL_I915_REG_READ, &a), -EINVAL);
}

#define COUNT_NS 80

/* DRM-046: all 36 bits of the timestamp, after 343 seconds too; without the workaround bit its
 * halves are exchanged, as on the chip. */
static void
late_register_read(void **state)
{
   proves("DRM-046");
   struct rig *r = *state;
   pergola_runner_stop(r->k->runner); /* nobody else looks at the clock */
   clock_advance(r->k->dev, (UINT64_C(5) << 32 | 0x12345678) * COUNT_NS);
   for (unsigned plain = 0; plain < 2; plain++) {
      struct drm_i915_reg_read a = {.offset = 0x2358 | (plain ? 0 : I915_REG_READ_8B_WA)};
      uint64_t before = pergola_time_ns(r->k->dev) / COUNT_NS;
      assert_int_equal(io(r->f, DRM_IOCTL_I915_REG_READ, &a), 0);
      uint64_t count = plain ? a.val >> 32 | a.val << 32 : a.val;
      assert_int_equal(count >> 32, 5);
      assert_in_range(count, before, pergola_time_ns(r->k->dev) / COUNT_NS);
   }
}

/* DRM-100: the first on the primary node is master; a magic admits once, and only by the master who
 * gave it; the others are refused. */
static void
masters(void **state)
{
   proves("DRM-100");
   struct rig *r = *state;
   struct drm_file *a = rig_open(r, false), *b = rig_open(r, false);
   struct drm_auth magic = {0};
   assert_true(is_current_master(a) && !is_current_master(b));
   assert_int_equal(io(b, DRM_IOCTL_SET_MASTER, NULL), capable() ? -EBUSY : -EACCES);
   assert_int_equal(io(b, DRM_IOCTL_GET_MAGIC, &magic), 0);
   uint32_t first = magic.magic;
   assert_int_not_equal(first, 0);
   assert_int_equal(io(b, DRM_IOCTL_GET_MAGIC, &magic), 0);
   assert_int_equal(magic.magic, first);
   assert_int_equal(io(b, DRM_IOCTL_AUTH_MAGIC, &magic), -EACCES);
   b->authenticated = false;
   struct drm_gem_flink link = {.handle = 99};
   assert_int_equal(io(b, DRM_IOCTL_GEM_FLINK, &link), -EACCES);
   assert_int_equal(io(a, DRM_IOCTL_AUTH_MAGIC, &magic), 0);
   assert_int_equal(io(b, DRM_IOCTL_GEM_FLINK, &link), -ENOENT);
   assert_int_equal(io(a, DRM_IOCTL_AUTH_MAGIC, &magic), -EINVAL);
   magic.magic = 1000;
   assert_int_equal(io(a, DRM_IOCTL_AUTH_MAGIC, &magic), -EINVAL);

   assert_int_equal(io(a, DRM_IOCTL_DROP_MASTER, NULL), 0);
   assert_int_equal(io(a, DRM_IOCTL_DROP_MASTER, NULL), -EINVAL);
   assert_int_equal(io(a, DRM_IOCTL_AUTH_MAGIC, &magic), -EACCES);
   assert_int_equal(io(a, DRM_IOCTL_SET_MASTER, NULL), 0);
   a->opener++; /* another process has it now */
   assert_int_equal(io(a, DRM_IOCTL_DROP_MASTER, NULL), capable() ? 0 : -EACCES);
   rig_close(a);
   struct drm_file *c = rig_open(r, false);
   assert_int_equal(is_current_master(c), capable());
   struct drm_stats stats;
   memset(&stats, 1, sizeof(stats));
   assert_int_equal(io(c, DRM_IOCTL_GET_STATS, &stats), 0);
   assert_int_equal(stats.count, 0);
   rig_close(b);
   rig_close(c);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, rig_setup, rig_teardown)
   const struct CMUnitTest tests[] = {
       T(masters),      T(version), T(bad_requests),  T(structure_sizes), T(parameters),
       T(capabilities), T(queries), T(register_read), T(absent_queries),  T(late_register_read),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
