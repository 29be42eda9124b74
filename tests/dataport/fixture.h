/* A device with memory, a thread made by hand, and a sink that remembers which rules were broken.
 */
#ifndef PERGOLA_TEST_DATAPORT_FIXTURE_H
#define PERGOLA_TEST_DATAPORT_FIXTURE_H

#include "eu/group.h"
#include "pergola/pergola_machine.h"
#include "shared_functions/quick.h"
#include "shared_functions/sf.h"
#include "surface/format.h"
#include "surface/hazard.h"
#include "surface/surface.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define FX_MEMORY 0x2000000u /* 32 MiB, mapped one to one from graphics address 0x100000 on */
#define FX_FIRST 0x100000u
#define FX_STATE 0x100000u   /* surface state base */
#define FX_TABLE 0x40u       /* binding table */
#define FX_STATES 0x1000u    /* surface states, 32 bytes each */
#define FX_GENERAL 0x200000u /* general state base */
#define FX_DATA 0x400000u
#define FX_PAYLOAD 10u
#define FX_RESPONSE 80u

struct fx {
   struct pergola_machine machine;
   struct pergola_device *dev; /* the machine's, and its memory */
   uint8_t *host;
   struct eu_env env;
   struct eu_thread t;
   struct eu_group group;
   uint8_t slm[0x10000];
   char rules[64][12];
   unsigned rule_count;
   uint32_t exec_mask;
   unsigned exec_size;
   bool slow_path; /* no message takes the fast path */
   unsigned quick; /* messages that took it */
};

static inline uint8_t *
fx_at(struct fx *f, uint32_t address)
{
   return f->host + (address - FX_FIRST);
}

static inline uint32_t *
fx_dw(struct fx *f, uint32_t address)
{
   return (uint32_t *)(void *)fx_at(f, address);
}

static inline void
fx_sink(void *data, const struct pergola_diagnostic *d)
{
   struct fx *f = data;
   if (f->rule_count < 64)
      snprintf(f->rules[f->rule_count++], sizeof(f->rules[0]), "%s", d->rule);
}

static inline bool
fx_said(const struct fx *f, const char *rule)
{
   for (unsigned i = 0; i < f->rule_count; i++)
      if (!strcmp(f->rules[i], rule))
         return true;
   return false;
}

/* A broken rule is named; then the slate is clean. Diagnostics repeat only for a new place: the ip
 * moves. */
#define assert_rule(f, rule)                                                                       \
   do {                                                                                            \
      if (!fx_said(f, rule))                                                                       \
         fail_msg("%s was not reported", rule);                                                    \
      (f)->rule_count = 0;                                                                         \
   } while (0)
#define assert_silent(f)                                                                           \
   do {                                                                                            \
      if ((f)->rule_count)                                                                         \
         fail_msg("%s was reported", (f)->rules[0]);                                               \
   } while (0)

static inline int
fx_setup_config(void **state, const char *sku, enum pergola_check check, unsigned sanitize)
{
   struct fx *f = aligned_alloc(64, (sizeof(*f) + 63) & ~63u);
   struct pergola_config config = {
       .sku = sku, .check = check, .host_threads = 1, .sanitize = sanitize};
   memset(f, 0, sizeof(*f));
   struct pergola_machine_memory memory = {
       .physical = FX_FIRST, .graphics = FX_FIRST, .size = FX_MEMORY, .mapped = FX_MEMORY};
   if (pergola_machine_create(&f->machine, &config, &memory, NULL))
      return -1;
   f->dev = f->machine.dev;
   f->host = f->machine.memory;
   f->env = (struct eu_env){.dev = f->dev,
                            .space = &f->dev->ggtt,
                            .general_state_base = FX_GENERAL,
                            .surface_state_base = FX_STATE,
                            .engine = "EU",
                            .media_pipeline = true};
   f->t.env = &f->env;
   f->t.binding_table = FX_TABLE;
   f->group = (struct eu_group){.slm = f->slm, .slm_size_B = sizeof(f->slm)};
   f->t.group = &f->group;
   f->exec_mask = 0xffff;
   f->exec_size = 16;
   pergola_add_diagnostic_sink(f->dev, fx_sink, f);
   *state = f;
   return 0;
}

static inline int
fx_setup_checked(void **state, const char *sku, enum pergola_check check)
{
   return fx_setup_config(state, sku, check, 0);
}

static inline int
fx_setup_sku(void **state, const char *sku)
{
   return fx_setup_checked(state, sku, PERGOLA_CHECK_REPORT);
}

static inline int
fx_setup_off(void **state)
{
   return fx_setup_checked(state, NULL, PERGOLA_CHECK_OFF);
}

static inline int
fx_setup(void **state)
{
   return fx_setup_sku(state, NULL);
}

static inline int
fx_teardown(void **state)
{
   struct fx *f = *state;
   pergola_machine_destroy(&f->machine);
   free(f);
   return 0;
}

/* Writes a state for a binding table index and lets the caches forget the old one. */
static inline void
fx_surface_dw(struct fx *f, unsigned bti, const uint32_t dw[8])
{
   uint32_t state = FX_STATES + 32 * bti;
   memcpy(fx_at(f, FX_STATE + state), dw, 32);
   *fx_dw(f, FX_STATE + FX_TABLE + 4 * bti) = state;
   surface_cache_invalidate(f->dev->surfaces);
}

static inline void
fx_surface(struct fx *f, unsigned bti, const struct hw_render_surface_state *st)
{
   uint32_t dw[8];
   gen7_render_surface_state_pack(dw, st);
   fx_surface_dw(f, bti, dw);
}

static inline struct hw_render_surface_state
fx_buffer_state(unsigned type, unsigned format, uint32_t base, uint32_t entries, uint32_t pitch)
{
   uint32_t n = entries - 1;
   return (struct hw_render_surface_state){.surface_type = type,
                                           .surface_format = format,
                                           .surface_base_address = base,
                                           .width = n & 0x7f,
                                           .height = n >> 7 & 0x3fff,
                                           .depth = n >> 21,
                                           .surface_pitch = pitch - 1};
}

static inline void
fx_buffer(struct fx *f, unsigned bti, unsigned format, uint32_t base, uint32_t entries,
          uint32_t pitch)
{
   struct hw_render_surface_state st =
       fx_buffer_state(SURFTYPE_BUFFER, format, base, entries, pitch);
   fx_surface(f, bti, &st);
}

static inline void
fx_raw(struct fx *f, unsigned bti, uint32_t base, uint32_t bytes)
{
   fx_buffer(f, bti, 0x1ff, base, bytes, 1);
}

static inline uint32_t *
fx_in(struct fx *f, unsigned reg) /* payload register */
{
   return eu_grf(&f->t, FX_PAYLOAD + reg);
}

static inline uint32_t *
fx_out(struct fx *f, unsigned reg) /* response register */
{
   return eu_grf(&f->t, FX_RESPONSE + reg);
}

/* Sends. control: descriptor bits 18:0. Header present when `header`. */
static inline enum sf_status
fx_send_full(struct fx *f, unsigned sfid, uint32_t control, bool header, unsigned mlen,
             unsigned rlen, bool eot)
{
   struct sf_message m = {.sfid = (uint8_t)sfid,
                          .header = header,
                          .mlen = (uint8_t)mlen,
                          .rlen = (uint8_t)rlen,
                          .eot = eot,
                          .exec_size = (uint8_t)f->exec_size,
                          .exec_mask = f->exec_mask,
                          .payload = f->t.grf + FX_PAYLOAD * EU_REG_SIZE,
                          .response = rlen ? f->t.grf + FX_RESPONSE * EU_REG_SIZE : NULL};
   m.desc = control | (uint32_t)header << 19 | rlen << 20 | mlen << 25 | (uint32_t)eot << 31;
   m.ip = f->t.ip;
   f->t.ip += 16; /* every send is a place of its own */
   struct sf_quick q;
   if (!f->slow_path &&
       sf_quick_select(&q, f->dev, sfid, m.desc, eot, FX_PAYLOAD,
                       rlen ? FX_RESPONSE : EU_GRF_COUNT) &&
       q.fn(&f->t, &q, m.exec_mask)) {
      f->quick++;
      return SF_OK;
   }
   return sf_dataport(&f->t, &m);
}

static inline void
fx_send(struct fx *f, unsigned sfid, uint32_t control, bool header, unsigned mlen, unsigned rlen)
{
   assert_int_equal(fx_send_full(f, sfid, control, header, mlen, rlen, false), SF_OK);
}

static inline void
fx_fill_response(struct fx *f, unsigned regs, uint32_t value)
{
   for (unsigned i = 0; i < regs * 8; i++)
      fx_out(f, 0)[i] = value;
}

static inline void
fx_clear_payload(struct fx *f)
{
   memset(fx_in(f, 0), 0, 16 * EU_REG_SIZE);
}

/* Bytes that tell where they are. */
static inline void
fx_pattern(struct fx *f, uint32_t address, uint32_t size)
{
   for (uint32_t i = 0; i < size; i += 4)
      *fx_dw(f, address + i) = 0xA0000000u + i;
}

#define FX_TEST(name) cmocka_unit_test_setup_teardown(name, fx_setup, fx_teardown)

#endif
