#include "stand.h"

#define PHYSICAL 0x20000000u

static void
sink(void *data, const struct pergola_diagnostic *d)
{
   struct stand *s = data;
   snprintf(s->rule, sizeof(s->rule), "%s", d->rule);
   snprintf(s->message, sizeof(s->message), "%s", d->message);
   size_t used = strlen(s->seen);
   snprintf(s->seen + used, sizeof(s->seen) - used, " %s", d->rule);
}

static void
shuffle(struct stand *s)
{
   uint64_t seed = 12345;
   unsigned count = STAND_SIZE / 4096;
   for (unsigned i = 0; i < count; i++)
      s->page[i] = (uint16_t)i;
   for (unsigned i = count - 1; i > 0; i--) {
      unsigned k = (unsigned)(stand_next(&seed) % (i + 1));
      uint16_t t = s->page[i];
      s->page[i] = s->page[k];
      s->page[k] = t;
   }
}

struct stand *
stand_create(const char *sku, enum pergola_check check)
{
   struct stand *s = calloc(1, sizeof(*s));
   struct pergola_config config = {.sku = sku, .check = check, .host_threads = 1};
   assert_non_null(s);
   struct pergola_machine_memory memory = {.physical = PHYSICAL, .size = STAND_SIZE};
   assert_int_equal(pergola_machine_create(&s->machine, &config, &memory, NULL), 0);
   s->dev = s->machine.dev;
   s->ram = s->machine.memory;
   s->oracle.memory = calloc(1, STAND_SIZE);
   s->oracle.base = STAND_BASE;
   s->oracle.size = STAND_SIZE;
   shuffle(s);
   for (unsigned i = 0; i < STAND_SIZE / 4096; i++)
      pergola_mmio_write(s->dev, 0x200000 + 4 * (STAND_BASE / 4096 + i), 4,
                         (PHYSICAL + s->page[i] * 4096u) | 7);
   pergola_add_diagnostic_sink(s->dev, sink, s);
   s->budget = UINT64_MAX;
   stand_fill(s, 0);
   return s;
}

void
stand_destroy(struct stand *s)
{
   pergola_machine_destroy(&s->machine);
   free(s->oracle.memory);
   free(s);
}

int
stand_setup(void **state)
{
   *state = stand_create("ivb-gt2", PERGOLA_CHECK_REPORT);
   return 0;
}

int
stand_teardown(void **state)
{
   stand_destroy(*state);
   return 0;
}

void
stand_forget(struct stand *s)
{
   s->rule[0] = s->seen[0] = 0;
}

bool
stand_saw(const struct stand *s, const char *rule)
{
   return strstr(s->seen, rule) != NULL;
}

uint8_t *
stand_byte(struct stand *s, uint32_t address)
{
   uint32_t at = address - STAND_BASE;
   assert_true(at < STAND_SIZE);
   return s->ram + s->page[at / 4096] * 4096u + at % 4096;
}

uint32_t
stand_pixel(struct stand *s, uint32_t address, unsigned bytes)
{
   uint32_t v = 0;
   for (unsigned i = 0; i < bytes; i++)
      v |= (uint32_t)*stand_byte(s, address + i) << 8 * i;
   return v;
}

void
stand_fill(struct stand *s, uint8_t value)
{
   memset(s->ram, value, STAND_SIZE);
   memset(s->oracle.memory, value, STAND_SIZE);
}

void
stand_copy_to_oracle(struct stand *s)
{
   for (unsigned i = 0; i < STAND_SIZE / 4096; i++)
      memcpy(s->oracle.memory + i * 4096, s->ram + s->page[i] * 4096u, 4096);
}

void
stand_random(struct stand *s, uint64_t *seed)
{
   for (uint32_t i = 0; i < STAND_SIZE; i += 8) {
      uint64_t v = stand_next(seed);
      memcpy(s->ram + i, &v, 8);
   }
   stand_copy_to_oracle(s);
}

void
stand_swctrl(struct stand *s, uint32_t bits)
{
   pergola_mmio_write(s->dev, 0x22200, 4, 0x00030000 | bits);
   s->oracle.swctrl = bits;
}

void
stand_run(struct stand *s, uint32_t *dw, unsigned count)
{
   dw[0] = (dw[0] & ~0xffu) | (count - 2);
   s->address += 0x1000;
   enum cs_hand hand = CS_FRESH;
   struct cs_command c = {.dev = s->dev,
                          .hand = &hand,
                          .desc = hw_command_find(dw[0], HW_BCS, HW_IVB),
                          .dw = dw,
                          .count_dw = count,
                          .address = s->address,
                          .space = &s->dev->ggtt};
   assert_non_null(c.desc);
   enum cs_result r;
   s->calls = 0;
   do {
      uint64_t budget = s->budget;
      r = blitter_command(s->dev->blitter, &c, &budget);
      s->calls++;
   } while (r == CS_AGAIN && s->calls < 1000000);
   assert_int_equal(r, CS_DONE);
}

uint32_t
stand_difference(struct stand *s)
{
   for (unsigned i = 0; i < STAND_SIZE / 4096; i++) {
      const uint8_t *a = s->ram + s->page[i] * 4096u, *b = s->oracle.memory + i * 4096;
      if (!memcmp(a, b, 4096))
         continue;
      for (unsigned k = 0; k < 4096; k++)
         if (a[k] != b[k])
            return STAND_BASE + i * 4096 + k;
   }
   return 0;
}

void
stand_both(struct stand *s, uint32_t *dw, unsigned count, const char *what)
{
   stand_run(s, dw, count);
   oracle_execute(&s->oracle, dw, count);
   uint32_t at = stand_difference(s);
   if (!at)
      return;
   print_message("# %s: memory differs at 0x%08x: engine 0x%02x, oracle 0x%02x\n", what, at,
                 *stand_byte(s, at), s->oracle.memory[at - STAND_BASE]);
   for (unsigned i = 0; i < count; i++)
      print_message("#   dw%u 0x%08x\n", i, dw[i]);
   fail_msg("the engine and the oracle differ");
}
