/* What the sanitizer says of messages, held against a small model of its own. */
#include "fixture.h"
#include "sanitize/sanitize_internal.h"
#include "tests/proves.h"

#define DWORD_READ (3u << 14 | 2u << 8)
#define DWORD_WRITE (11u << 14 | 2u << 8)
#define THREADS 4u
#define ROOM 256u /* bytes that threads touch */

static uint32_t
random32(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 3 ^ *seed << 11;
}

/* SAN-011: what lies beyond the upper bound is named, what ends at it is not. */
static void
upper_bound(void **state)
{
   proves("SAN-011");
   struct fx *f = *state;
   f->env.general_state_end = FX_GENERAL + 0x1000;
   fx_clear_payload(f);
   for (unsigned i = 0; i < 8; i++)
      fx_in(f, 1)[i] = 0x3f8 + i;
   f->exec_mask = 0xff;
   fx_send(f, SFID_DP_DATA0, DWORD_READ | 255, true, 2, 1);
   fx_send(f, SFID_DP_DATA0, DWORD_WRITE | 255, true, 3, 0);
   assert_silent(f);
   fx_in(f, 1)[7] = 0x400;
   fx_send(f, SFID_DP_DATA0, DWORD_READ | 255, true, 2, 1);
   assert_rule(f, "SAN-011");
   fx_send(f, SFID_DP_DATA0, DWORD_WRITE | 255, true, 3, 0);
   assert_rule(f, "SAN-011");
}

/* Of a byte, since the last barrier. */
struct byte {
   int writer; /* -1: none */
   unsigned readers;
};

struct random_message {
   bool write, scattered;
   unsigned slots, dwords, size; /* size: of a slot, scattered */
   uint32_t mask, at[16], data[4][16];
};

static struct random_message
make(uint32_t *seed)
{
   struct random_message m = {.write = random32(seed) & 1, .scattered = random32(seed) % 3 == 0};
   bool straight = random32(seed) & 1;
   m.slots = random32(seed) & 1 ? 16 : 8;
   m.dwords = m.scattered ? 1 : 1 + random32(seed) % 4;
   m.size = m.scattered ? 1u << random32(seed) % 3 : 4 * m.dwords;
   m.mask = random32(seed) % 3 ? 0xffff : random32(seed) & 0xffff;
   uint32_t unit = m.scattered ? m.size : 4, first = random32(seed) % 64 * unit;
   for (unsigned i = 0; i < m.slots; i++) {
      uint32_t at = straight ? first + i * m.size : random32(seed) % ROOM;
      m.at[i] = (m.scattered ? at : at & ~3u) % (ROOM - 16);
      for (unsigned c = 0; c < 4; c++)
         m.data[c][i] = random32(seed) % 3 ? 0 : random32(seed);
   }
   return m;
}

/* Does it race? Bytes are those of the machine before the message. */
static bool
model(const struct random_message *m, int thread, struct byte *bytes, uint8_t *memory)
{
   bool race = false;
   unsigned step = m->scattered ? m->size : 4;
   for (unsigned c = 0; c < m->dwords; c++)
      for (unsigned i = 0; i < m->slots; i++)
         for (unsigned k = 0; k < step && m->mask >> i & 1; k++) {
            unsigned at = m->at[i] + 4 * c + k;
            struct byte *b = &bytes[at];
            bool other = b->writer >= 0 && b->writer != thread;
            if (!m->write) {
               race |= other;
               b->readers |= 1u << thread;
               continue;
            }
            uint8_t value = (uint8_t)(m->data[c][i] >> 8 * k);
            race |= (other && memory[at] != value) || b->readers & ~(1u << thread);
            *b = (struct byte){.writer = thread};
            memory[at] = value;
         }
   return race;
}

static void
send(struct fx *f, const struct random_message *m, uint32_t base, uint32_t bti)
{
   unsigned regs = m->slots / 8, simd = m->slots == 16 ? 1 : 2;
   uint32_t code = m->size == 1 ? 0 : m->size == 2 ? 1 : 2;
   uint32_t untyped = simd << 12 | (0xfu << m->dwords & 0xf) << 8;
   uint32_t bytes = code << 10 | (m->slots == 16) << 8;
   fx_clear_payload(f);
   for (unsigned i = 0; i < m->slots; i++) {
      fx_in(f, 0)[i] = base + m->at[i];
      for (unsigned c = 0; m->write && c < m->dwords; c++)
         fx_in(f, regs + c * regs)[i] = m->data[c][i];
   }
   f->exec_mask = m->mask & ((1u << m->slots) - 1);
   uint32_t control = bti | (m->scattered ? (m->write ? 12u : 4u) << 14 | bytes
                                          : (m->write ? 13u : 5u) << 14 | untyped);
   fx_send(f, SFID_DP_DATA0, control, false, regs + (m->write ? regs * m->dwords : 0),
           m->write ? 0 : regs * m->dwords);
}

/* Random messages of four threads with barriers now and then. */
static void
races(struct fx *f, uint8_t *memory, uint32_t base, uint32_t bti, const char *rule)
{
   struct byte bytes[ROOM];
   uint8_t copy[ROOM];
   uint64_t known[THREADS] = {0};
   uint32_t seed = 7;
   unsigned found = 0, clean = 0;
   f->group.thread_count = THREADS;
   memcpy(copy, memory, ROOM);
   for (unsigned run = 0; run < 6000; run++) {
      if (run % 5 == 0) {
         for (unsigned i = 0; i < THREADS; i++) {
            f->t.group_index = (uint8_t)i;
            f->t.sanitize = known[i];
            sanitize_fence(f->dev->sanitizer, &f->t, SANITIZE_DATA_PORT);
            sanitize_barrier(f->dev->sanitizer, &f->t, 0);
            known[i] = f->t.sanitize;
         }
         sanitize_release(f->dev->sanitizer, &f->group, (1u << THREADS) - 1);
         for (unsigned i = 0; i < ROOM; i++)
            bytes[i] = (struct byte){.writer = -1};
      }
      unsigned thread = random32(&seed) % THREADS;
      struct random_message m = make(&seed);
      f->t.group_index = (uint8_t)thread;
      f->t.sanitize = known[thread];
      f->rule_count = 0;
      send(f, &m, base, bti);
      known[thread] = f->t.sanitize;
      bool race = model(&m, (int)thread, bytes, copy);
      if (fx_said(f, rule) != race)
         fail_msg("run %u: %s was %sreported", run, rule, race ? "not " : "");
      assert_memory_equal(copy, memory, ROOM);
      found += race;
      clean += !race;
   }
   assert_true(found > 500 && clean > 500);
}

/* SAN-001: across two pages of the host. */
static void
slm_races(void **state)
{
   proves("SAN-001");
   struct fx *f = *state;
   uint32_t base = (4096 - ((uintptr_t)f->slm & 0xfff) - ROOM / 2) & 0xffc;
   races(f, f->slm + base, base, 254, "SAN-001");
}

/* SAN-002: across two pages. DP-309: what a thread has fenced is seen by others. */
static void
buffer_races(void **state)
{
   proves("SAN-002", "DP-309");
   struct fx *f = *state;
   fx_raw(f, 3, FX_DATA, 8192);
   races(f, fx_at(f, FX_DATA + 4096 - ROOM / 2), 4096 - ROOM / 2, 3, "SAN-002");
}

/* One thread stores a dword and adds to another. */
static void
store_and_add(struct fx *f)
{
   struct random_message m = {.write = true, .slots = 8, .dwords = 1, .size = 4, .mask = 1};
   f->group.thread_count = 1;
   f->t.group_index = 0;
   f->t.sanitize = 0;
   send(f, &m, 0, 3);
   f->exec_mask = 1;
   fx_in(f, 0)[0] = 64;
   fx_send(f, SFID_DP_DATA0, 6u << 14 | 1u << 12 | 7u << 8 | 3, false, 2, 0);
   sanitize_drained(f->dev->sanitizer);
}

/* How often it was told that there is no room for notes about memory, and about atomic operations.
 */
static void
count_limits(void *data, const struct pergola_diagnostic *d)
{
   uint64_t *told = data;
   for (unsigned i = 0; i < 2 && !strcmp(d->rule, "SAN-030"); i++)
      told[i] += !strcmp(d->field, i ? "atomic operations" : "memory") ? d->count : 0;
}

static void
assert_told_of_limits(struct fx *f, uint64_t memory, uint64_t atomics)
{
   uint64_t told[2] = {0};
   store_and_add(f);
   pergola_diagnostics(f->dev, count_limits, told);
   assert_int_equal(told[0], memory);
   assert_int_equal(told[1], atomics);
}

/* What is not watched is said, of memory and of atomic operations, of each dispatch anew. */
static void
notes_run_out(void **state)
{
   proves("SAN-030");
   struct fx *f = *state;
   struct sanitizer *s = f->dev->sanitizer;
   fx_raw(f, 3, FX_DATA, 8192);
   uint64_t limit = s->sync_limit;
   assert_told_of_limits(f, 0, 0);
   s->sync_limit = s->sync_bytes;
   assert_told_of_limits(f, 0, 1);
   s->sync_limit = limit;
   assert_told_of_limits(f, 0, 1);
   limit = s->shadow.limit;
   s->shadow.limit = s->shadow.bytes;
   fx_raw(f, 3, FX_DATA + 8192, 8192);
   assert_told_of_limits(f, 1, 1);
   assert_told_of_limits(f, 2, 1);
   s->shadow.limit = limit;
   assert_told_of_limits(f, 2, 1);
}

/* ---- objects -------------------------------------------------------------------------------- */

/* Of the diagnostics since the last look. */
struct last_words {
   unsigned count;
   char rule[12], message[400];
};

static void
keep_words(void *data, const struct pergola_diagnostic *d)
{
   struct last_words *w = data;
   w->count++;
   snprintf(w->rule, sizeof(w->rule), "%s", d->rule);
   snprintf(w->message, sizeof(w->message), "%s", d->message);
}

/* Told of once, by this rule, with the place beside the objects. */
static void
assert_stranger(struct last_words *w, const char *rule, const char *where)
{
   assert_int_equal(w->count, 1);
   assert_string_equal(w->rule, rule);
   if (!strstr(w->message, where))
      fail_msg("'%s' is not in '%s'", where, w->message);
   w->count = 0;
}

static void
read_dword(struct fx *f, unsigned bti, uint32_t byte)
{
   fx_clear_payload(f);
   fx_in(f, 1)[0] = byte / 4;
   f->exec_mask = 1;
   fx_send(f, SFID_DP_DATA0, DWORD_READ | bti, true, 2, 1);
}

/* What the batch does not name is told of when a channel touches it, in a page that has a part of
 * an object and in one that has none: as stateless memory, or as that of a surface. */
static void
strangers(void **state)
{
   proves("SAN-011", "SAN-014");
   struct fx *f = *state;
   const struct pergola_object list[] = {{FX_STATE, 0x10000, 1}, {FX_DATA, 64, 2}};
   struct last_words w = {0};
   fx_raw(f, 3, FX_DATA, 0x10000);
   pergola_add_diagnostic_sink(f->dev, keep_words, &w);
   assert_int_equal(pergola_set_objects(f->dev, true, list, 2), 0);
   f->env.general_state_end = FX_DATA + 0x10000;
   read_dword(f, 3, 60);
   read_dword(f, 255, FX_DATA - FX_GENERAL + 60);
   assert_int_equal(w.count, 0);
   read_dword(f, 3, 64);
   assert_stranger(&w, "SAN-014", "0x00400040, 0 bytes behind object 2, of 64 bytes at 0x00400000");
   read_dword(f, 255, FX_DATA - FX_GENERAL + 68);
   assert_stranger(&w, "SAN-011", "0x00400044, 4 bytes behind object 2, of 64 bytes at 0x00400000");
   read_dword(f, 3, 0x1000);
   assert_stranger(&w, "SAN-014", "0x00401000, 4032 bytes behind object 2");
   read_dword(f, 255, FX_DATA - FX_GENERAL + 0x3000);
   assert_stranger(&w, "SAN-011", "0x00403000, 12224 bytes behind object 2");
}

static void
count_strangers(void *data, const struct pergola_diagnostic *d)
{
   if (!strcmp(d->rule, "SAN-014"))
      *(uint64_t *)data += d->count;
}

/* The same by what is no channel: a page, and a kind of access, once. */
static void
strangers_of_others(void **state)
{
   proves("SAN-014");
   struct fx *f = *state;
   struct mem_space *space = &f->dev->ggtt;
   const struct pergola_object list[] = {{FX_DATA, 64, 2}};
   struct last_words w = {0};
   uint32_t value = 7;
   pergola_add_diagnostic_sink(f->dev, keep_words, &w);
   assert_int_equal(pergola_set_objects(f->dev, true, list, 1), 0);
   assert_true(mem_read(space, FX_DATA + 60, &value, 4));
   assert_int_equal(w.count, 0);
   assert_true(mem_read(space, FX_DATA + 0x1234, &value, 4));
   assert_stranger(&w, "SAN-014", "read at 0x00401234");
   assert_true(mem_read(space, FX_DATA + 0x1000, &value, 4));
   assert_int_equal(w.count, 0);
   assert_true(mem_write(space, FX_DATA + 0x1240, &value, 4));
   assert_stranger(&w, "SAN-014", "write at 0x00401240");
   assert_true(mem_read(space, FX_DATA + 0x2000, &value, 4));
   assert_stranger(&w, "SAN-014", "read at 0x00402000");
   uint64_t count = 0;
   assert_true(mem_read(space, FX_DATA + 0x2004, &value, 4));
   pergola_diagnostics(f->dev, count_strangers, &count);
   assert_int_equal(count, 5);
}

static int
setup_memory(void **state)
{
   return fx_setup_config(state, NULL, PERGOLA_CHECK_REPORT, PERGOLA_SANITIZE_MEMORY);
}

static int
setup_race(void **state)
{
   return fx_setup_config(state, NULL, PERGOLA_CHECK_OFF, PERGOLA_SANITIZE_RACE);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test_setup_teardown(upper_bound, setup_memory, fx_teardown),
       cmocka_unit_test_setup_teardown(slm_races, setup_race, fx_teardown),
       cmocka_unit_test_setup_teardown(buffer_races, setup_race, fx_teardown),
       cmocka_unit_test_setup_teardown(notes_run_out, setup_race, fx_teardown),
       cmocka_unit_test_setup_teardown(strangers, setup_memory, fx_teardown),
       cmocka_unit_test_setup_teardown(strangers_of_others, setup_memory, fx_teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
