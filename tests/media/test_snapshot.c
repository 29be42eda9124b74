/* Snapshots: at every turn boundary of a piece of work, a device that is restored ends as the one
 * that was never interrupted: all of its memory, and all that a snapshot of its end has. Elsewhere
 * in this process at each of them, in another process at some. */
#include "snapshot_works.h"

#include "device/assembly.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TURNS 4000u   /* no piece of work has more */
#define ELSEWHERE 16u /* of so many turns one is continued in another process */

/* ---- running them -----------------------------------------------------------------------------
 */

/* One turn. The host does its part in some: it asks for preemption, and later goes back. */
static bool
turn(struct stage *s, const struct work *w, unsigned number)
{
   uint32_t after = *stage_memory(s, RIG_DATA);
   enum pergola_run_result r = pergola_run(s->dev, w->turn);
   if (!w->preempts)
      return r == PERGOLA_RUN_BUDGET;
   if (number == 6)
      rig_set(s->rig, 0x2134, after | 1);
   if (number == 30) { /* back, at the address of the command that was preempted */
      s->rig->tail[RCS] = rig_reg(s->rig, 0x2030);
      RING(s->rig, RCS, SET_CONTEXT(CONTEXT_A, 0), BBS, rig_reg(s->rig, 0x2148), 0);
   }
   return number < 30 || r == PERGOLA_RUN_BUDGET;
}

static unsigned
turns(struct stage *s, const struct work *w, unsigned from)
{
   while (from < TURNS && turn(s, w, from))
      from++;
   return from + 1;
}

static uint64_t
hash(const uint8_t *data, size_t size)
{
   uint64_t h = 1469598103934665603u;
   for (size_t i = 0; i < size; i++)
      h = (h ^ data[i]) * 1099511628211u;
   return h;
}

struct end {
   uint64_t memory, device;
};

static struct end
end_of(struct stage *s)
{
   size_t size = (size_t)pergola_device_save(s->dev, NULL, 0);
   uint8_t *device = malloc(size);
   assert_int_equal(pergola_device_save(s->dev, device, size), size);
   struct end e = {hash(s->rig->ram, RIG_RAM), hash(device, size)};
   free(device);
   return e;
}

static struct stage *
bench(void)
{
   struct stage *s = stage_create("ivb-gt2");
   media_set_run(s->media, eu_run_inside);
   return s;
}

/* The rest of the work from a file, on another device. */
static struct end
continued(const struct work *w, const char *path, unsigned from)
{
   struct stage *s = bench();
   const char *error = NULL;
   if (pergola_machine_load(&s->rig->machine, path, &error))
      fail_msg("%s, turn %u: refused: %s", w->name, from, error);
   turns(s, w, from);
   struct end e = end_of(s);
   stage_destroy(s);
   return e;
}

/* This program again, told to do just that. */
static struct end
continued_elsewhere(const struct work *w, const char *path, unsigned from)
{
   char self[4096], command[8600];
   ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
   assert_true(length > 0);
   self[length] = 0;
   snprintf(command, sizeof(command), "'%s' --continue %u '%s' %u", self, (unsigned)(w - works),
            path, from);
   FILE *f = popen(command, "r");
   assert_non_null(f);
   struct end e = {0};
   assert_int_equal(fscanf(f, "%lx %lx", &e.memory, &e.device), 2);
   assert_int_equal(pclose(f), 0);
   return e;
}

static void
assert_same(const struct work *w, unsigned at, const char *where, struct end is, struct end was)
{
   if (is.memory != was.memory || is.device != was.device)
      fail_msg("%s, saved after turn %u, continued %s: the %s differs", w->name, at, where,
               is.memory != was.memory ? "memory" : "device");
}

static void
every_turn(void **state)
{
   const struct work *w = *state;
   char path[] = "/tmp/pergola-snapshot-XXXXXX";
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   close(fd);
   struct stage *s = bench(), *t = bench();
   w->put(s);
   unsigned count = turns(s, w, 0);
   struct end end = end_of(s);
   if (w->check)
      w->check(s);
   /* There is something in the middle, and messages that do much cost much. */
   assert_in_range(count, w->least ? w->least : 16, TURNS - 1);
   w->put(t);
   for (unsigned i = 0; i + 1 < count; i++) {
      const char *error = NULL;
      turn(t, w, i);
      if (pergola_machine_save(&t->rig->machine, path, &error))
         fail_msg("%s", error);
      assert_same(w, i, "here", continued(w, path, i + 1), end);
      if (i % ELSEWHERE == 7)
         assert_same(w, i, "elsewhere", continued_elsewhere(w, path, i + 1), end);
   }
   turn(t, w, count - 1);
   assert_same(w, count, "not at all", end_of(t), end);
   stage_destroy(s);
   stage_destroy(t);
   unlink(path);
}

/* ---- hostile ones -----------------------------------------------------------------------------
 */

struct bytes {
   uint8_t *data;
   size_t size;
};

/* A snapshot from the middle of the work. */
static struct bytes
middle_of(struct stage *s, const struct work *w, unsigned turns_before)
{
   w->put(s);
   for (unsigned i = 0; i < turns_before; i++)
      turn(s, w, i);
   struct bytes b = {.size = (size_t)pergola_device_save(s->dev, NULL, 0)};
   b.data = malloc(b.size);
   assert_int_equal(pergola_device_save(s->dev, b.data, b.size), b.size);
   return b;
}

/* After a refusal the device is as new: a store from a ring arrives. */
static void
assert_works(struct stage *s)
{
   rig_start(s->rig, RCS, 16, 0);
   *stage_memory(s, RIG_DATA) = 0;
   SUBMIT(s->rig, RCS, SDI, 0, RIG_DATA, 0x600d);
   assert_int_equal(*stage_memory(s, RIG_DATA), 0x600d);
}

static void
assert_refused(struct stage *s, const void *data, size_t size, const char *why)
{
   const char *error = "";
   assert_int_equal(pergola_device_restore(s->dev, data, size, &error), -EINVAL);
   assert_string_equal(error, why);
}

/* Too little room, cut off, too long, damaged, of another version, of another part. */
static void
headers_that_lie(void **state)
{
   (void)state;
   struct stage *s = bench(), *other = stage_create("ivb-gt1");
   struct bytes b = middle_of(s, &works[0], 20);
   uint8_t *copy = malloc(b.size + 8);
   memset(copy, 0x5a, b.size + 8);
   assert_int_equal(pergola_device_save(s->dev, copy, b.size - 1), b.size);
   for (size_t i = 0; i < b.size; i++)
      assert_int_equal(copy[i], 0x5a); /* nothing is written where it does not fit */
   memcpy(copy, b.data, b.size);
   for (size_t n = 0; n < b.size; n += n < 128 ? 1 : b.size / 61)
      assert_refused(s, b.data, n, "it is cut off");
   assert_refused(s, copy, b.size + 8, "something lies behind its end");
   assert_refused(other, b.data, b.size, "it is of another part");
   for (size_t i = 64; i < b.size; i += b.size / 97) {
      copy[i] ^= 1u << i % 8;
      assert_refused(s, copy, b.size, "it is damaged");
      copy[i] ^= 1u << i % 8;
   }
   copy[0] ^= 1;
   assert_refused(s, copy, b.size, "it is no snapshot of a device");
   copy[0] ^= 1;
   copy[8]++;
   assert_refused(s, copy, b.size, "it was made by another version");
   device_snapshot_seal(s->dev, copy, b.size - 1);
   assert_refused(s, copy, b.size - 1, "it is cut off"); /* whatever the header says */
   assert_works(s);
   /* … and the one that was not touched is taken. */
   assert_int_equal(pergola_device_restore(s->dev, b.data, b.size, NULL), 0);
   free(copy);
   free(b.data);
   stage_destroy(s);
   stage_destroy(other);
}

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

#define FLIPS 150u

/* Bits that are flipped behind a header that fits: refused, and the device works; or taken, and
 * whatever it then does ends. */
static void
flipped_bits(void **state)
{
   const struct work *w = *state;
   struct stage *s = bench();
   struct bytes b = middle_of(s, w, 24);
   uint8_t *copy = malloc(b.size);
   uint32_t seed = 7;
   unsigned refused = 0;
   for (unsigned i = 0; i < FLIPS; i++) {
      const char *error = NULL;
      memcpy(copy, b.data, b.size);
      for (unsigned n = 1 + next(&seed) % 3; n; n--)
         copy[64 + next(&seed) % (b.size - 64)] ^= (uint8_t)(1u << next(&seed) % 8);
      device_snapshot_seal(s->dev, copy, b.size);
      refused += pergola_device_restore(s->dev, copy, b.size, &error) != 0;
      for (unsigned k = 0; k < 20 && !error; k++)
         turn(s, w, 100 + k);
   }
   assert_in_range(refused, 1, FLIPS);
   pergola_function_reset(s->dev);
   assert_works(s);
   free(copy);
   free(b.data);
   stage_destroy(s);
}

/* A machine's file: the same questions of it. */
static void
files_that_lie(void **state)
{
   (void)state;
   char path[] = "/tmp/pergola-snapshot-XXXXXX";
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   struct stage *s = bench();
   const char *error = NULL;
   free(middle_of(s, &works[0], 20).data);
   assert_int_equal(pergola_machine_save(&s->rig->machine, path, &error), 0);
   static const struct {
      off_t at;
      uint8_t with;
      const char *why;
   } table[] = {{0, 'Q', "it is no saved machine"},
                {8, 99, "it was made by another version"},
                {16, 1, "its memory has another size"},
                {27, 1, "it is cut off"},
                {33, 1, "it is cut off"},
                {40, 'Q', "it is no snapshot of a device"}};
   for (unsigned i = 0; i < COUNT(table); i++) {
      uint8_t was;
      assert_int_equal(pread(fd, &was, 1, table[i].at), 1);
      assert_int_equal(pwrite(fd, &table[i].with, 1, table[i].at), 1);
      assert_int_equal(pergola_machine_load(&s->rig->machine, path, &error), -EINVAL);
      assert_string_equal(error, table[i].why);
      assert_int_equal(pwrite(fd, &was, 1, table[i].at), 1);
   }
   assert_int_equal(pergola_machine_load(&s->rig->machine, path, &error), 0);
   off_t size = lseek(fd, 0, SEEK_END);
   uint64_t far = RIG_RAM / 4096;
   assert_int_equal(pwrite(fd, &far, 8, size - 4104), 8);
   assert_int_equal(pergola_machine_load(&s->rig->machine, path, &error), -EINVAL);
   assert_string_equal(error, "a page lies outside the memory");
   assert_int_equal(ftruncate(fd, size - 1), 0);
   assert_int_equal(pergola_machine_load(&s->rig->machine, path, &error), -EINVAL);
   unlink(path);
   assert_int_equal(pergola_machine_load(&s->rig->machine, path, &error), -EIO);
   assert_int_equal(pergola_machine_save(&s->rig->machine, "/", &error), -EIO);
   close(fd);
   stage_destroy(s);
}

static int
continue_work(char **argv)
{
   const struct work *w = &works[strtoul(argv[0], NULL, 0)];
   struct end e = continued(w, argv[1], (unsigned)strtoul(argv[2], NULL, 0));
   printf("%lx %lx\n", e.memory, e.device);
   return 0;
}

int
main(int argc, char **argv)
{
   struct CMUnitTest tests[2 * WORKS + 2];
   if (argc == 5 && !strcmp(argv[1], "--continue"))
      return continue_work(argv + 2);
   static char names[2 * WORKS][64];
   for (unsigned i = 0; i < 2 * WORKS; i++) {
      const struct work *w = &works[i % WORKS];
      snprintf(names[i], sizeof(names[i]), "%s, %s", w->name,
               i < WORKS ? "every turn" : "flipped bits");
      tests[i] = (struct CMUnitTest){.name = names[i],
                                     .test_func = i < WORKS ? every_turn : flipped_bits,
                                     .initial_state = (void *)(uintptr_t)w};
   }
   tests[2 * WORKS] = (struct CMUnitTest)cmocka_unit_test(headers_that_lie);
   tests[2 * WORKS + 1] = (struct CMUnitTest)cmocka_unit_test(files_that_lie);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
