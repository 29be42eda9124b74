/* The unit with a host that remembers what it is told. */
#ifndef OA_GEN11_UNIT_H
#define OA_GEN11_UNIT_H

#include "oa/gen11.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include "tests/proves.h"

#define LOG 65536u
struct unit {
   struct oa11 o;
   unsigned writes, interrupts, rules;
   const char *rule; /* the last one */
   uint64_t address; /* of the last report */
   bool ggtt;
   size_t bytes;
   uint32_t report[64];
   struct {
      uint32_t id, timestamp, ticks;
   } log[LOG]; /* by `writes` */
};

/* Gates whose result is always true: all ANDs see ones where signals are 0, but for the strobe,
 * whose gate is inverted; and never. */
#define ALWAYS (0xffffu | 1u << 19 | 0u)
#define NEVER 0u

static inline uint32_t
rd(struct unit *u, uint32_t offset)
{
   return oa11_read(&u->o, offset);
}
static inline void
wr(struct unit *u, uint32_t offset, uint32_t value)
{
   oa11_write(&u->o, offset, value);
}

/* Enabled, resumed, format 101, a buffer of 128 KiB. */
static inline void
counting(struct unit *u)
{
   wr(u, 0x2b0c, 0x100000);
   wr(u, 0x2b14, 0x100000 | 1);
   wr(u, 0x2b10, 0x100000);
   wr(u, 0x2360, 1);
   wr(u, 0x2b00, 5 << 2 | 1);
}

static inline void
expect_report(struct unit *u, uint32_t id, uint32_t context)
{
   assert_int_equal(u->writes, 1);
   assert_int_equal(u->report[0], id);
   assert_int_equal(u->report[2], context);
   u->writes = 0;
}

static void
unit_write(void *data, uint64_t address, bool ggtt, const void *bytes, size_t size)
{
   struct unit *u = data;
   u->address = address;
   u->ggtt = ggtt;
   u->bytes = size;
   memcpy(u->report, bytes, size);
   if (u->writes < LOG) {
      u->log[u->writes].id = u->report[0];
      u->log[u->writes].timestamp = u->report[1];
      u->log[u->writes].ticks = u->report[3];
   }
   u->writes++;
}

static void
unit_half_full(void *data)
{
   struct unit *u = data;
   u->interrupts++;
}

static void
unit_rule(void *data, const char *row, const char *reg, const char *text)
{
   struct unit *u = data;
   assert_non_null(reg);
   assert_non_null(text);
   u->rule = row;
   u->rules++;
}

static int
unit_setup(void **state)
{
   static const struct oa11_host host = {unit_write, unit_half_full, unit_rule};
   struct unit *u = calloc(1, sizeof(*u));
   if (!u)
      return -1;
   oa11_init(&u->o, &host, u);
   *state = u;
   return 0;
}

static int
unit_teardown(void **state)
{
   free(*state);
   return 0;
}

#define T(name) cmocka_unit_test_setup_teardown(name, unit_setup, unit_teardown)

#endif
