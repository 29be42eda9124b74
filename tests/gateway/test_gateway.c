/* Message gateway: every sub-function, every error code, the rules of the descriptor. */
#include "../media/stage.h"
#include "shared_functions/quick.h"

#include <stdlib.h>
#include "tests/proves.h"

struct pair {
   struct stage *s;
   struct eu_thread *from, *to; /* two threads of the media pipe, resident */
   uint32_t w[8];               /* the requester's response register */
};

static enum eu_stop
resides(struct stage *s, struct eu_thread *t, unsigned step)
{
   return s->value[63] ? stage_end(t) : EU_STOP_BUDGET;
}

static void
setup_pair(struct pair *p, struct stage *s, bool bypass)
{
   struct hw_media_vfe_state v = stage_vfe();
   uint32_t data[1] = {0};
   stage_standard(s, false);
   v.bypass_gateway_control = bypass;
   v.gateway_mmio_access_control = 2;
   stage_put_vfe(s, &v);
   s->actor[1] = resides;
   for (unsigned i = 0; i < 2; i++)
      stage_object(s,
                   &(struct hw_media_object){.interface_descriptor_offset = 1,
                                             .half_slice_destination_select =
                                                 s->dev->sku.half_slices > 1 ? 1 + i : 0},
                   data, 1);
   uint64_t budget = 100;
   media_drain(s->media, &budget);
   assert_int_equal(s->count, 2);
   *p = (struct pair){.s = s};
   for (unsigned i = 0; i < TS_MAX_THREADS; i++) {
      struct ts_thread *th = &s->media->ts->thread[i];
      if (th->state == TS_FREE)
         continue;
      if (!p->from)
         p->from = th->t;
      else
         p->to = th->t;
   }
   rig_forget(s->rig);
}

/* Sends; each message at a new place, so that diagnostics repeat. */
static void
say(struct pair *p, struct eu_thread *t, uint32_t desc, const uint32_t *dw, bool eot)
{
   struct sf_message m = {.sfid = SFID_GATEWAY,
                          .eot = eot,
                          .mlen = 1,
                          .rlen = desc >> 14 & 1 && !eot,
                          .exec_size = 8,
                          .desc = desc,
                          .payload = (const uint8_t *)dw,
                          .header = desc >> 19 & 1,
                          .ip = 16 * p->s->commands++};
   for (unsigned i = 0; i < 8; i++)
      p->w[i] = 0xeeeeeeee;
   m.response = m.rlen ? (uint8_t *)p->w : NULL;
   assert_int_equal(sf_gateway(t, &m), SF_OK);
}

#define ACK (1u << 14)
enum { OPEN, CLOSE, FORWARD, TIME, BARRIER, UPDATE, MMIO };
#define DW(...) ((const uint32_t[8]){__VA_ARGS__})

static uint32_t
address_of(const struct eu_thread *t)
{
   return (t->sr0[0] & 0xffff) << 16; /* SF-047: a thread passes on its sr0.0 word */
}

static void
assert_ack(struct pair *p, unsigned error)
{
   assert_int_equal(p->w[0], 3u << 16 | error);
   for (unsigned i = 1; i < 8; i++)
      assert_int_equal(p->w[i], 0xeeeeeeee);
}

/* Two dwords for register 3, dword 2, of the window of the other thread. */
#define TO_THE_OTHER(p)                                                                            \
   DW(0xabcd, 0, 0, 0, address_of((p)->to) | 0x5555 /* key: ignored */,                            \
      3u << 21 | 2u << 18 | 2u << 8)

static void
opens_for_others(void **state)
{
   proves("SF-001", "SF-004", "SF-006", "SF-016", "SF-018", "SF-024", "SF-039", "SFV-074",
          "SFV-078", "SFV-088");
   struct pair p;
   setup_pair(&p, *state, false);
   say(&p, p.from, ACK | FORWARD, TO_THE_OTHER(&p), false);
   assert_ack(&p, 2); /* closed */
   assert_said(p.s, "SF-039");
   say(&p, p.to, ACK | OPEN, DW(0, 0, 0, 0, 0, 20u << 21 | 2u << 8), false);
   say(&p, p.from, ACK | FORWARD, TO_THE_OTHER(&p), false);
   assert_ack(&p, 0);
   assert_int_equal(eu_grf(p.to, 23)[2], 0xabcd); /* RegBase 20 + 3, dword 2 */
}

static void
closes_to_others(void **state)
{
   proves("SF-005", "SF-017", "SF-034", "SFV-079", "SFV-097", "MEDIA-296");
   struct pair p;
   setup_pair(&p, *state, false);
   say(&p, p.to, ACK | OPEN, DW(0, 0, 0, 0, 0, 20u << 21 | 2u << 8), false);
   say(&p, p.to, ACK | CLOSE, DW(0), false);
   say(&p, p.from, ACK | FORWARD, TO_THE_OTHER(&p), false);
   assert_ack(&p, 2);
   assert_int_not_equal(eu_grf(p.to, 23)[2], 0xabcd);
}

/* A second open replaces the first: a thread has one gateway. */
static void
one_gateway_with_its_base(void **state)
{
   proves("SF-029", "SF-043", "SFV-099");
   struct pair p;
   setup_pair(&p, *state, false);
   say(&p, p.to, OPEN, DW(0, 0, 0, 0, 0, 20u << 21), false);
   say(&p, p.to, OPEN, DW(0, 0, 0, 0, 0, 40u << 21), false);
   say(&p, p.from, FORWARD, TO_THE_OTHER(&p), false);
   assert_int_equal(eu_grf(p.to, 43)[2], 0xabcd);
   assert_int_not_equal(eu_grf(p.to, 23)[2], 0xabcd);
}

static void
acknowledges_to_the_opener(void **state)
{
   proves("SF-025", "SF-033", "SF-035", "SF-037", "SFV-089", "SFV-096", "SFV-098", "SFV-111");
   struct pair p;
   setup_pair(&p, *state, false);
   say(&p, p.to, ACK | OPEN, DW(0, 0, 0, 0, 0, 20u << 21 | 2u << 8), false);
   assert_ack(&p, 0);
   say(&p, p.to, ACK | CLOSE, DW(0), false);
   assert_ack(&p, 0);
}

static void
acknowledges_to_the_sender(void **state)
{
   proves("SF-013", "SF-040", "SF-050", "SFV-085");
   struct pair p;
   setup_pair(&p, *state, false);
   say(&p, p.from, ACK | FORWARD, TO_THE_OTHER(&p), false);
   assert_ack(&p, 2);
   rig_forget(p.s->rig);
   say(&p, p.from, FORWARD, TO_THE_OTHER(&p), false); /* no acknowledge, not even of an error */
   assert_int_equal(p.w[0], 0xeeeeeeee);
   say(&p, p.to, OPEN, DW(0, 0, 0, 0, 0, 20u << 21), false);
   say(&p, p.from, ACK | FORWARD, TO_THE_OTHER(&p), false);
   assert_ack(&p, 0);
}

static void
keys_mean_nothing(void **state)
{
   proves("SF-027", "SF-032", "SFV-091", "SFV-092");
   struct pair p;
   setup_pair(&p, *state, false);
   say(&p, p.to, OPEN, DW(0, 0, 0, 0, 0, 20u << 21), false);
   for (uint32_t key = 0; key < 0x10000; key += 0x1357) {
      eu_grf(p.to, 23)[2] = 0;
      say(&p, p.from, ACK | FORWARD,
          DW(key + 1, 0, 0, 0, address_of(p.to) | key, 3u << 21 | 2u << 18 | 2u << 8), false);
      assert_ack(&p, 0);
      assert_int_equal(eu_grf(p.to, 23)[2], key + 1);
   }
}

/* SF-004, SFV-078, SF-045: each thread has a gateway of its own; a register past the last one
 * cannot be reached. */
static void
own_gateways(void **state)
{
   proves("SF-004", "SFV-078", "SF-045");
   struct pair p;
   setup_pair(&p, *state, false);
   say(&p, p.to, OPEN, DW(0, 0, 0, 0, 0, 100u << 21 | 2u << 8), false);
   say(&p, p.to, ACK | FORWARD, DW(1, 0, 0, 0, address_of(p.from), 2u << 21 | 2u << 8), false);
   assert_ack(&p, 2); /* the other one has not opened its own */
   rig_forget(p.s->rig);
   say(&p, p.from, ACK | FORWARD, DW(0xabc, 0, 0, 0, address_of(p.to), 27u << 21 | 2u << 8), false);
   assert_ack(&p, 0);
   assert_int_equal(eu_grf(p.to, 127)[0], 0xabc);
   assert_quiet(p.s);
   say(&p, p.from, FORWARD, DW(0xdef, 0, 0, 0, address_of(p.to), 28u << 21 | 2u << 8), false);
   assert_said(p.s, "SF-045"); /* register 128 */
}

/* SF-002, SF-030, SF-051, SFV-075, SFV-095: bypassed, no open is needed and RegBase is 0; sizes are
 * not checked against. */
static void
bypass(void **state)
{
   proves("SF-002", "SF-030", "SF-051", "SFV-075", "SFV-095");
   struct pair p;
   setup_pair(&p, *state, true);
   say(&p, p.to, OPEN, DW(0, 0, 0, 0, 0, 20u << 21), false);
   say(&p, p.from, ACK | FORWARD, DW(7, 0, 0, 0, address_of(p.to), 90u << 21 | 2u << 8), false);
   assert_ack(&p, 0);
   assert_int_equal(eu_grf(p.to, 90)[0], 7);
   assert_quiet(p.s);
   for (unsigned size = 0; size < 6; size++)
      say(&p, p.to, OPEN, DW(0, 0, 0, 0, 0, size << 8), false);
   assert_quiet(p.s);
   say(&p, p.to, OPEN, DW(0, 0, 0, 0, 0, 6u << 8), false); /* 64 registers: Valleyview only */
   assert_said(p.s, "SF-030");
}

/* SFV-095: Valleyview takes all eight sizes; SFV-119, SFV-076, SFV-112: one half-slice, whatever
 * HSID says. */
static void
valleyview_gateway(void **state)
{
   proves("SFV-095", "SFV-119", "SFV-076", "SFV-112");
   struct pair p;
   setup_pair(&p, *state, true);
   for (unsigned size = 0; size < 8; size++)
      say(&p, p.to, OPEN, DW(0, 0, 0, 0, 0, size << 8), false);
   assert_quiet(p.s);
   say(&p, p.from, ACK | FORWARD,
       DW(7, 0, 0, 0, address_of(p.to) | 0xf0000000, 90u << 21 | 2u << 8), false);
   assert_ack(&p, 0);
   assert_int_equal(eu_grf(p.to, 90)[0], 7);
}

/* SF-003: ForwardMsg crosses half-slices. SF-042, SF-052, SF-038, SF-048, SF-049: lengths and
 * lanes; the rest of the register is untouched. */
static void
forward_lengths(void **state)
{
   proves("SF-003", "SF-042", "SF-052", "SF-038", "SF-048", "SF-049", "SF-050");
   struct pair p;
   setup_pair(&p, *state, true);
   assert_int_not_equal(p.from->half_slice, p.to->half_slice);
   const struct {
      unsigned length, dword, byte;
      uint32_t expect[8];
   } c[] = {
       {1, 1, 2, {0, 0xa3a20000}}, /* word lane 1 */
       {1, 0, 0, {0x0000a1a0}},
       {2, 5, 0, {0, 0, 0, 0, 0, 0xa3a2a1a0}},
       {3, 2, 0, {0, 0, 0xa3a2a1a0, 0xb0}},
       {4, 4, 0, {0, 0, 0, 0, 0xa3a2a1a0, 0xb0, 0xc0, 0xd0}},
   };
   for (unsigned i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
      memset(eu_grf(p.to, 60), 0, 32);
      say(&p, p.from, ACK | FORWARD,
          DW(0xa3a2a1a0, 0xb0, 0xc0, 0xd0, address_of(p.to),
             60u << 21 | c[i].dword << 18 | c[i].byte << 16 | c[i].length << 8),
          false);
      assert_ack(&p, 0);
      assert_memory_equal(eu_grf(p.to, 60), c[i].expect, 32);
   }
   for (unsigned byte = 0; byte < 4; byte++) { /* one byte, in every lane of the message */
      memset(eu_grf(p.to, 60), 0, 32);
      say(&p, p.from, ACK | FORWARD,
          DW(0xa2a2a2a2, 0, 0, 0, address_of(p.to), 60u << 21 | 1u << 18 | byte << 16), false);
      assert_ack(&p, 0);
      assert_int_equal(eu_grf(p.to, 60)[1], 0xa2u << 8 * byte);
      assert_int_equal(eu_grf(p.to, 60)[0] | eu_grf(p.to, 60)[2], 0);
   }
   assert_quiet(p.s);
   say(&p, p.from, FORWARD, DW(0xa3a2a1a0, 0, 0, 0, address_of(p.to), 60u << 21 | 2u << 16), false);
   assert_said(p.s, "SF-048"); /* the lanes differ: the one of the destination is taken */
   assert_int_equal(eu_grf(p.to, 60)[0], 0x00a20000);
   for (unsigned length = 5; length < 8; length++) { /* SF-050: invalid size */
      say(&p, p.from, ACK | FORWARD, DW(0, 0, 0, 0, address_of(p.to), 60u << 21 | length << 8),
          false);
      assert_ack(&p, 6);
      assert_said(p.s, "SF-050");
   }
}

/* SFV-113, SF-042: of each length at each place, only the bytes of the segment are written: what
 * stood around them stays. */
static void
forward_touches_its_bytes_only(void **state)
{
   proves("SFV-113", "SF-042");
   struct pair p;
   setup_pair(&p, *state, true);
   for (unsigned length = 0; length < 5; length++) {
      unsigned size = length == 4 ? 16 : 1u << length;
      for (unsigned byte = 0; byte < 32; byte += size) {
         uint8_t want[96], *there = (uint8_t *)eu_grf(p.to, 59);
         memset(there, 0x5a, sizeof(want));
         memset(want, 0x5a, sizeof(want));
         memset(want + 32 + byte, 0xc3, size);
         say(&p, p.from, ACK | FORWARD,
             DW(0xc3c3c3c3, 0xc3c3c3c3, 0xc3c3c3c3, 0xc3c3c3c3, address_of(p.to),
                60u << 21 | byte / 4 << 18 | byte % 4 << 16 | length << 8),
             false);
         assert_ack(&p, 0);
         assert_memory_equal(there, want, sizeof(want));
      }
   }
   assert_quiet(p.s);
}

/* SF-044, SF-045: alignment, and registers that cannot be written. */
static void
forward_rules(void **state)
{
   proves("SF-044", "SF-045", "SF-039");
   struct pair p;
   setup_pair(&p, *state, true);
   say(&p, p.from, FORWARD, DW(1, 0, 0, 0, address_of(p.to), 60u << 21 | 2u << 16 | 2u << 8),
       false);
   assert_said(p.s, "SF-044");
   uint32_t r0[8];
   memcpy(r0, eu_grf(p.to, 0), 32);
   say(&p, p.from, FORWARD, DW(1, 0, 0, 0, address_of(p.to), 2u << 8), false);
   assert_said(p.s, "SF-045");
   assert_memory_equal(eu_grf(p.to, 0), r0, 32);
   say(&p, p.from, ACK | FORWARD, DW(1, 0, 0, 0, 7u << 24, 60u << 21 | 2u << 8),
       false); /* nobody there */
   assert_ack(&p, 2);
   assert_said(p.s, "SF-039");
}

/* SF-010, SF-012, SF-041, SF-169, SFV-084: which counter; after the data; not of other
 * sub-functions. */
static void
notify(void **state)
{
   proves("SF-010", "SF-012", "SF-041", "SF-169", "SFV-084");
   struct pair p;
   setup_pair(&p, *state, true);
   const uint32_t *msg = DW(1, 0, 0, 0, address_of(p.to), 60u << 21 | 2u << 8);
   say(&p, p.from, FORWARD, msg, false);
   assert_int_equal(p.to->n0[0] + p.to->n0[1] + p.to->n0[2], 0);
   say(&p, p.from, 1u << 15 | FORWARD, msg, false);
   say(&p, p.from, 1u << 15 | FORWARD, msg, false);
   assert_int_equal(p.to->n0[0], 2);
   say(&p, p.from, 2u << 15 | FORWARD, msg, false);
   assert_int_equal(p.to->n0[2], 1);
   assert_quiet(p.s);
   say(&p, p.from, 3u << 15 | FORWARD, msg, false);
   assert_said(p.s, "SF-010");
   say(&p, p.to, 1u << 15 | OPEN, DW(0), false);
   say(&p, p.to, 1u << 15 | UPDATE, DW(0), false);
   assert_int_equal(p.to->n0[0], 2);
}

/* SFV-077: seven messages, and no eighth. */
static void
message_set(void **state)
{
   proves("SFV-077", "SF-023");
   struct pair p;
   setup_pair(&p, *state, true);
   for (unsigned op = 0; op < 8; op++) {
      say(&p, p.from, ACK | op, DW(0, 0, 0, 0, address_of(p.to), 60u << 21 | 2u << 8), false);
      assert_int_equal(rig_count(p.s->rig, "SF-023"), op == 7);
      rig_forget(p.s->rig);
   }
}

static void
descriptor_rules(void **state)
{
   proves("SF-011", "SF-013", "SF-014", "SF-015", "SF-023", "SF-010", "SFV-086", "SFV-087");
   struct pair p;
   setup_pair(&p, *state, true);
   say(&p, p.from, 1u << 19 | OPEN, DW(0), false);
   assert_said(p.s, "SF-011");
   say(&p, p.from, 1u << 5 | OPEN, DW(0), false);
   assert_said(p.s, "SF-010");
   say(&p, p.from, ACK | 7, DW(0), false);
   assert_said(p.s, "SF-023");
   assert_ack(&p, 5);
   say(&p, p.from, ACK | OPEN, DW(0), true); /* SF-015: with end of thread */
   assert_said(p.s, "SF-015");
   assert_int_equal(p.w[0], 0xeeeeeeee);
   uint32_t payload[8] = {0};
   struct sf_message m = {.sfid = SFID_GATEWAY,
                          .mlen = 1,
                          .rlen = 1,
                          .response = (uint8_t *)p.w,
                          .payload = (uint8_t *)payload,
                          .desc = OPEN,
                          .ip = 0x9000};
   sf_gateway(p.from, &m);
   assert_said(p.s, "SF-014");
   m.desc = ACK | OPEN;
   m.response = NULL;
   m.rlen = 0;
   m.ip += 16;
   sf_gateway(p.from, &m);
   assert_said(p.s, "SF-014");
   say(&p, p.from, ACK | OPEN, DW(0), false);
   assert_quiet(p.s);
}

/* SF-026, SF-031, SF-036, SF-046, SFV-090, SFV-101: with EOT an open closes; Dispatch ID is not the
 * gateway's. */
static void
open_with_end_of_thread(void **state)
{
   proves("SF-026", "SF-031", "SF-036", "SF-046", "SFV-090", "SFV-101");
   struct pair p;
   setup_pair(&p, *state, false);
   say(&p, p.to, OPEN, DW(0, 0, 0, 0, 0, 10u << 21 | 0xff), false);
   say(&p, p.from, ACK | FORWARD, DW(1, 0, 0, 0, address_of(p.to), 1u << 21 | 2u << 8 | 0xee),
       false);
   assert_ack(&p, 0);
   say(&p, p.to, OPEN, DW(0, 0, 0, 0, 0, 10u << 21), true);
   assert_false(p.s->dev->gateway->port[p.to->half_slice][p.to->eu][p.to->slot].open);
   say(&p, p.from, ACK | FORWARD, DW(1, 0, 0, 0, address_of(p.to), 1u << 21 | 2u << 8), false);
   assert_ack(&p, 2);
}

static void
time_stamps(void **state)
{
   proves("SF-019", "SF-053", "SF-058", "SF-059", "SF-060", "SF-061", "SF-062", "SF-063", "SF-064",
          "SFV-114");
   struct pair p;
   struct stage *s = *state;
   setup_pair(&p, s, true);
   s->dev->time_ns = 10000000; /* 10 ms */
   say(&p, p.from, ACK | TIME, DW(0), false);
   uint64_t now = ((uint64_t)p.w[1] << 32 | p.w[0]) >> 20;
   assert_int_equal(now, 10000000ull * 4); /* quarters of a nanosecond */
   assert_int_equal(p.w[0] & 0xfffff, 0);
   assert_int_equal(p.w[1], 10000000ull * 4 / 4096); /* 1.024 us units */
   for (unsigned i = 4; i < 8; i++)
      assert_int_equal(p.w[i], 0xeeeeeeee);
   uint32_t low[4];
   memcpy(low, p.w, 16);
   say(&p, p.from, ACK | TIME, DW(0, 0, 0, 0, 0, 1u << 31), false); /* to the high half */
   assert_memory_equal(p.w + 4, low, 16);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(p.w[i], 0xeeeeeeee);
   assert_quiet(s);
   say(&p, p.from, TIME, DW(0), false);
   assert_said(s, "SF-058");
}

/* SF-054 SF-056 SF-172: both count from a reset, each from its own. MEDIA-295: what resets them. */
static void
beginnings_of_time(void **state)
{
   proves("SF-054", "SF-056", "SF-172", "MEDIA-295");
   struct pair p;
   struct stage *s = *state;
   setup_pair(&p, s, true);
   s->dev->time_ns = 10000000;
   s->dev->gateway->timer_start_ns = s->dev->gateway->absolute_start_ns = 10000000;
   s->dev->time_ns += 4000;
   for (unsigned late = 0; late < 160; late += 79) { /* SF-172: it ticks every 80 ns */
      s->dev->time_ns = 10004000 + late;
      say(&p, p.from, ACK | TIME, DW(0), false);
      assert_int_equal(((uint64_t)p.w[3] << 32 | p.w[2]) >> 20, (4000 + late / 80 * 80) * 4);
      assert_int_equal(((uint64_t)p.w[1] << 32 | p.w[0]) >> 20, (4000 + late / 80 * 80) * 4);
   }
   s->dev->gateway->timer_start_ns += 800; /* each has its own beginning */
   say(&p, p.from, ACK | TIME, DW(0), false);
   assert_int_equal(((uint64_t)p.w[3] << 32 | p.w[2]) >> 20, (4080 - 800) * 4);
   assert_int_equal(((uint64_t)p.w[1] << 32 | p.w[0]) >> 20, 4080 * 4);
   s->value[63] = 1;
   stage_flush(s);
   struct hw_media_vfe_state v = stage_vfe();
   v.reset_gateway_timer = true;
   stage_put_vfe(s, &v);
   assert_int_equal(s->dev->gateway->timer_start_ns, s->dev->gateway->absolute_start_ns);
   assert_true(s->dev->gateway->timer_start_ns > 10000000);
   uint64_t start = s->dev->gateway->timer_start_ns;
   v.reset_gateway_timer = false;
   stage_put_vfe(s, &v);
   assert_int_equal(s->dev->gateway->timer_start_ns, start); /* kept */
   /* SF-055: relative time is saved with the context and stands still in between */
   uint8_t image[1024];
   s->dev->time_ns = start + 8000;
   media_context_save(s->media, image);
   s->dev->time_ns += 5000000;
   media_context_restore(s->media, image);
   assert_int_equal(s->dev->time_ns - s->dev->gateway->timer_start_ns, 8000);
}

/* SF-007, SF-008, SF-021, SFV-081, SFV-118: kept, acknowledged, invisible. */
static void
update_state(void **state)
{
   proves("SF-007", "SF-008", "SF-021", "SFV-081", "SFV-118");
   struct pair p;
   setup_pair(&p, *state, true);
   say(&p, p.from, ACK | UPDATE, DW(0x1ff, 0, 5u << 24), false);
   assert_ack(&p, 0);
   assert_int_equal(p.s->dev->gateway->barrier_byte[p.from->half_slice][5], 0xff);
   assert_int_not_equal(p.to->half_slice,
                        p.from->half_slice); /* the other half-slice has its own */
   assert_int_equal(p.s->dev->gateway->barrier_byte[p.to->half_slice][5], 0);
   say(&p, p.to, ACK | UPDATE, DW(0x7e, 0, 5u << 24), false);
   assert_int_equal(p.s->dev->gateway->barrier_byte[p.to->half_slice][5], 0x7e);
   assert_int_equal(p.s->dev->gateway->barrier_byte[p.from->half_slice][5], 0xff);
   assert_int_equal(p.to->n0[0], 0);
   assert_quiet(p.s);
}

static void
registers(void **state)
{
   proves("SF-009", "SF-022", "SF-081", "SF-082", "SF-083", "SF-084", "SF-171", "SFV-082",
          "SFV-117", "MEDIA-297");
   struct pair p;
   struct stage *s = *state;
   setup_pair(&p, s, true);
   rig_set(s->rig, 0x2500, 0x1234);
   uint32_t payload[8] = {[2] = 0xff802503}; /* bits 31:23 and 1:0 are ignored */
   struct sf_message m = {.sfid = SFID_GATEWAY,
                          .mlen = 1,
                          .rlen = 1,
                          .response = (uint8_t *)p.w,
                          .payload = (uint8_t *)payload,
                          .desc = MMIO,
                          .ip = 0x100};
   memset(p.w, 0xee, sizeof(p.w));
   assert_int_equal(sf_gateway(p.from, &m), SF_OK);
   assert_int_equal(p.w[0], 0x1234);
   assert_int_equal(p.w[1], 0xeeeeeeee);
   say(&p, p.from, MMIO, DW(77, 0, 0x2504, 1), false);
   assert_int_equal(rig_reg(s->rig, 0x2504), 77);
   say(&p, p.from, ACK | MMIO, DW(78, 0, 0x2504, 1), false);
   assert_ack(&p, 0);
   assert_int_equal(rig_reg(s->rig, 0x2504), 78);
   assert_quiet(s);
   static const unsigned no[] = {0, 1, 3}; /* none, and what is not defined */
   for (unsigned i = 0; i < 3; i++) {
      s->media->vfe.state.gateway_mmio_access_control = no[i];
      vfe_tell_gateway(s->media);
      m.ip += 16;
      memset(p.w, 0xee, sizeof(p.w));
      sf_gateway(p.from, &m);
      assert_said(s, "SF-009");
      assert_int_equal(p.w[0], 0); /* an answer, or the thread would hang */
      say(&p, p.from, MMIO, DW(99, 0, 0x2504, 1), false);
      assert_int_equal(rig_reg(s->rig, 0x2504), 78);
      rig_forget(s->rig);
   }
}

/* CS-024, SF-082: what has side effects waits for the end of the turn, in order, and not without
 * end; a reset of their engine forgets it, one of another does not. */
static void
registers_with_side_effects(void **state)
{
   proves("CS-024", "SF-082");
   struct pair p;
   struct stage *s = *state;
   setup_pair(&p, s, true);
   uint32_t before = rig_reg(s->rig, 0x2094);
   say(&p, p.from, MMIO, DW(1u << 5 | 1u << 21, 0, 0x20c0, 1),
       false); /* a sync flush, which runs this very thread */
   say(&p, p.from, MMIO, DW(0x1000, 0, 0x2134, 1), false);
   assert_int_equal(s->dev->posted_count, 2);
   assert_int_equal(rig_reg(s->rig, 0x2134), 0);
   s->value[63] = 1;
   stage_run(s);
   assert_int_equal(s->dev->posted_count, 0);
   assert_int_equal(s->ended, 2);
   assert_int_equal(rig_reg(s->rig, 0x2134), 0x1000);
   assert_int_equal(rig_reg(s->rig, 0x2094), before);
   rig_forget(s->rig);
   for (unsigned i = 0; i < 2 * MAX_POSTED_WRITES;
        i++) { /* storage is written at once, and does not wait */
      uint32_t value = i | (i & 1) << 31;
      say(&p, p.from, MMIO, DW(value, 0, 0x2400, 1), false);
      assert_int_equal(rig_reg(s->rig, 0x2400), value);
   }
   assert_int_equal(s->dev->posted_count, 0);
   for (unsigned i = 0; i < MAX_POSTED_WRITES; i++)
      say(&p, p.from, MMIO, DW(i, 0, 0x2134, 1), false);
   assert_quiet(s);
   say(&p, p.from, MMIO, DW(99, 0, 0x2134, 1), false);
   assert_int_equal(rig_find(s->rig, "CS-024")->address, 0x2134);
   assert_said(s, "CS-024");
   rig_set(s->rig, 0x941c, 8);
   assert_int_equal(s->dev->posted_count, MAX_POSTED_WRITES);
   rig_set(s->rig, 0x941c, 2);
   assert_int_equal(s->dev->posted_count, 0);
}

/* SF-167, DP-009: who answers to which number. Each is sent what it must refuse, and tells it by a
 * rule of its own. (The numbers of fixed functions are proven where they end threads: message_rules
 * of the URB.) */
static void
function_numbers(void **state)
{
   proves("SF-167", "DP-009", "EU-192", "SF-023", "DP-051", "SF-113", "MEDIA-269");
   struct pair p;
   setup_pair(&p, *state, true);
   static const struct {
      unsigned sfid;
      uint32_t desc;
      const char *rule;
   } table[] = {{1, 0, "EU-192"},
                {3, 7, "SF-023"},
                {4, 15u << 14, "DP-051"},
                {5, 15u << 14, "DP-051"},
                {6, 1u << 19 | 7, "SF-113"},
                {7, 1u << 2, "MEDIA-269"},
                {7, 1u << 5, "MEDIA-269"},
                {7, 1u << 18, "MEDIA-269"},
                {9, 15u << 14, "DP-051"},
                {10, 15u << 14, "DP-051"},
                {12, 0, "EU-192"},
                {13, 0, "EU-192"},
                {14, 0, "EU-192"},
                {15, 0, "EU-192"}};
   static const struct {
      unsigned sfid;
      const char *name;
   } subjects[] = {{4, "data port message"}, {6, "URB"}, {7, "thread spawner"}};
   uint32_t payload[8] = {0};
   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      struct sf_message m = {.sfid = (uint8_t)table[i].sfid,
                             .mlen = 1,
                             .exec_size = 8,
                             .exec_mask = 0xff,
                             .desc = table[i].desc | 1u << 25,
                             .header = table[i].desc >> 19 & 1,
                             .payload = (uint8_t *)payload,
                             .ip = 0x8000 + 16 * i};
      assert_int_equal(sf_send(p.from, &m), SF_OK);
      const struct rig_diagnostic *d = rig_find(p.s->rig, table[i].rule);
      if (!d)
         fail_msg("shared function %u did not say %s", table[i].sfid, table[i].rule);
      for (unsigned k = 0; k < 3; k++)
         if (subjects[k].sfid == table[i].sfid)
            assert_string_equal(d->subject, subjects[k].name);
      rig_forget(p.s->rig);
   }
   static const uint8_t known[3] = {2, 8, 11}; /* sampler, motion estimation, pixel interpolator */
   for (unsigned i = 0; i < 3; i++) {
      struct sf_message m = {.sfid = known[i],
                             .mlen = 1,
                             .exec_size = 8,
                             .payload = (uint8_t *)payload,
                             .desc = 1u << 25,
                             .ip = 0x9000 + 16 * i};
      assert_int_equal(sf_send(p.from, &m), SF_OK);
      assert_null(rig_find(p.s->rig, "EU-192"));
   }
   rig_forget(p.s->rig);
   struct sf_message null = {.sfid = 0, .mlen = 1, .payload = (uint8_t *)payload, .desc = 1u << 25};
   assert_int_equal(sf_send(p.from, &null), SF_OK);
   assert_quiet(p.s);
}

/* ---- barriers -------------------------------------------------------------------------------- */

static struct eu_thread threads[4];
static struct eu_thread *const pointers[4] = {&threads[0], &threads[1], &threads[2], &threads[3]};

static void
make_group(struct stage *s, struct eu_group *g, struct eu_env *env)
{
   *env = (struct eu_env){.dev = s->dev, .space = &s->dev->ggtt, .engine = "EU"};
   *g = (struct eu_group){.barrier_enabled = true,
                          .barrier_id = 6,
                          .barrier_count = 4,
                          .thread_count = 4,
                          .threads = pointers};
   memset(threads, 0, sizeof(threads));
   for (unsigned i = 0; i < 4; i++) {
      threads[i].env = env;
      threads[i].group = g;
      threads[i].group_index = (uint8_t)i;
   }
}

static void
count_barriers(struct stage *s)
{
   struct pair p = {.s = s};
   struct eu_group g;
   struct eu_env env;
   stage_standard(s, true);
   rig_forget(s->rig);
   make_group(s, &g, &env);
   const uint32_t *msg = DW(0, 0, 6u << 24 | 0x00ff01ff); /* 23:16 and 8:0 are ignored */
   for (unsigned round = 0; round < 3; round++) {
      for (unsigned i = 0; i < 3; i++)
         say(&p, &threads[i], BARRIER, msg, false);
      for (unsigned i = 0; i < 4; i++)
         assert_int_equal(threads[i].n0[0], round);
      say(&p, &threads[3], BARRIER, msg, false);
      for (unsigned i = 0; i < 4; i++)
         assert_int_equal(threads[i].n0[0], round + 1);
   }
   for (unsigned i = 0; i < 32 * 128; i++) /* nothing is written to registers */
      assert_int_equal(threads[0].grf[i], 0);
   for (unsigned i = 0; i < 4; i++) /* and no other counter moves */
      assert_int_equal(threads[i].n0[1] + threads[i].n0[2], 0);
   /* a count of the message's own: N messages, not N + 1 */
   const uint32_t *two = DW(0, 0, 6u << 24 | 1u << 15 | 2u << 9);
   say(&p, &threads[1], BARRIER, two, false);
   assert_int_equal(threads[1].n0[0], 3);
   say(&p, &threads[2], ACK | BARRIER, two, false);
   assert_ack(&p, 0);
   assert_int_equal(threads[1].n0[0], 4);
   assert_int_equal(threads[2].n0[0], 4);
   assert_int_equal(threads[0].n0[0], 3);
   assert_quiet(s);
   /* SF-072: all must send the same count */
   say(&p, &threads[0], BARRIER, two, false);
   say(&p, &threads[1], BARRIER, DW(0, 0, 6u << 24 | 1u << 15 | 3u << 9), false);
   assert_said(s, "SF-072");
}

static void
barrier_counting(void **state)
{
   proves("SF-067", "SF-072", "SF-073", "SF-076", "SF-065", "SF-068", "SFV-115", "SFV-116",
          "SF-020", "MEDIA-278");
   count_barriers(*state);
}

/* SF-003, SF-039: threads of a group reach each other by their place; one that has ended is no
 * longer there. */
static void
forward_in_a_group(void **state)
{
   proves("SF-003", "SF-039");
   struct stage *s = *state;
   struct pair p = {.s = s};
   struct eu_group g;
   struct eu_env env;
   struct hw_media_vfe_state v = stage_vfe();
   stage_standard(s, true);
   v.bypass_gateway_control = true;
   stage_put_vfe(s, &v);
   rig_forget(s->rig);
   make_group(s, &g, &env);
   for (unsigned i = 0; i < 4; i++) {
      threads[i].eu = (uint8_t)(i & 1);
      threads[i].slot = (uint8_t)(i >> 1);
   }
   /* EUID [27:24] and TID [18:16] of M0.4: where sr0.0 has them */
   for (unsigned i = 1; i < 4; i++) {
      struct hw_forwardmsg_payload f = {
          .euid = i & 1, .tid = i >> 1, .register_offset = 60, .length = 2};
      uint32_t dw[8];
      gen7_forwardmsg_payload_pack(dw, &f);
      dw[0] = 0x50 + i;
      say(&p, &threads[0], ACK | FORWARD, dw, false);
      assert_ack(&p, 0);
      for (unsigned k = 0; k < 4; k++)
         assert_int_equal(eu_grf(&threads[k], 60)[0], k && k <= i ? 0x50 + k : 0);
   }
   assert_quiet(s);
   /* the same place of the other half-slice is none of the group */
   struct hw_forwardmsg_payload f = {.hsid = 1, .tid = 1, .register_offset = 61, .length = 2};
   uint32_t dw[8];
   gen7_forwardmsg_payload_pack(dw, &f);
   say(&p, &threads[0], ACK | FORWARD, dw, false);
   assert_ack(&p, 2);
   assert_said(s, "SF-039");
   assert_int_equal(eu_grf(&threads[2], 61)[0], 0);
   g.state[2] = GROUP_ENDED;
   f = (struct hw_forwardmsg_payload){.tid = 1, .register_offset = 60, .length = 2};
   gen7_forwardmsg_payload_pack(dw, &f);
   say(&p, &threads[0], ACK | FORWARD, dw, false);
   assert_ack(&p, 2);
   assert_said(s, "SF-039");
   assert_int_equal(eu_grf(&threads[2], 60)[0], 0x52); /* what it got before */
}

/* SF-075, SF-076: an inactive barrier. */
static void
barrier_inactive(void **state)
{
   proves("SF-075", "SF-076");
   struct stage *s = *state;
   struct pair p;
   setup_pair(&p, s, true);
   say(&p, p.from, ACK | BARRIER, DW(0, 0, 0), false); /* media threads have none */
   assert_ack(&p, 1);
   assert_said(s, "SF-075");
   struct eu_group g;
   struct eu_env env;
   make_group(s, &g, &env);
   say(&p, &threads[0], ACK | BARRIER, DW(0, 0, 5u << 24), false); /* another's */
   assert_ack(&p, 1);
   assert_int_equal(g.barrier_arrived, 0);
   g.barrier_enabled = false;
   say(&p, &threads[0], ACK | BARRIER, DW(0, 0, 6u << 24), false);
   assert_ack(&p, 1);
}

/* SFV-102, SFV-076: the same on Valleyview. */
static void
valleyview_barrier(void **state)
{
   proves("SFV-102", "SFV-076");
   count_barriers(*state);
}

/* ---- the fast path --------------------------------------------------------------------------- */

struct twin {
   struct eu_group g;
   struct eu_thread thread[5];
   struct eu_thread *pointer[5];
};

static struct twin *
make_twin(const struct eu_env *env)
{
   struct twin *w = aligned_alloc(64, (sizeof(*w) + 63) & ~63u);
   memset(w, 0, sizeof(*w));
   w->g = (struct eu_group){.barrier_enabled = true,
                            .barrier_id = 3,
                            .barrier_count = 5,
                            .thread_count = 5,
                            .threads = w->pointer};
   for (unsigned i = 0; i < 5; i++) {
      w->pointer[i] = &w->thread[i == 4 ? 3 : i == 3 ? 4 : i]; /* not all one after the other */
      w->thread[i].env = env;
      w->thread[i].group = &w->g;
   }
   return w;
}

static unsigned
said_so_far(const struct rig *r)
{
   unsigned n = 0;
   for (const struct rig_diagnostic *d = r->diagnostics; d; d = d->next)
      n++;
   return n;
}

/* True: the fast path has done it. */
static bool
tell(struct eu_thread *t, bool quick, unsigned sfid, uint32_t desc, bool eot, uint32_t ip)
{
   struct sf_quick q;
   if (quick && sf_quick_select(&q, t->env->dev, sfid, desc, eot, 100, EU_GRF_COUNT) &&
       q.fn(t, &q, 0xffff))
      return true;
   struct sf_message m = {.sfid = (uint8_t)sfid,
                          .eot = eot,
                          .mlen = 1,
                          .rlen = desc >> 20 & 31,
                          .exec_size = 8,
                          .desc = desc,
                          .header = desc >> 19 & 1,
                          .payload = (uint8_t *)eu_grf(t, 100),
                          .ip = ip};
   assert_int_equal(sf_send(t, &m), SF_OK);
   return false;
}

/* SF-070, SF-071, SF-072, SF-074, SF-075, SF-077, SF-079, MEDIA-261: barriers and ends by both
 * ways, the same outcome and the same said. */
static void
both_ways(void **state)
{
   proves("SF-070", "SF-071", "SF-072", "SF-074", "SF-075", "SF-077", "SF-079", "MEDIA-261",
          "MEDIA-272");
   struct stage *s = *state;
   stage_standard(s, true);
   rig_forget(s->rig);
   struct eu_env env = {.dev = s->dev, .space = &s->dev->ggtt, .engine = "EU"};
   struct twin *a = make_twin(&env), *b = make_twin(&env);
   uint32_t seed = 99, quick = 0;
   for (unsigned round = 0; round < 4000; round++) {
      seed = seed * 1664525u + 1013904223u;
      uint32_t r = seed >> 8, who = r % 5, id = r >> 4 & 15 ? 3u : 2u, own = !(r >> 8 & 3),
               count = 1 + (r >> 10) % 5;
      bool end = r >> 16 & 1;
      uint32_t desc =
          1u << 25 | (end ? 1u << 4 : BARRIER) | (r >> 17 & 15 ? 0 : 1u << (r >> 21) % 19);
      if (!end && !((desc & 7) == BARRIER))
         continue; /* another message */
      eu_grf(&a->thread[who], 100)[2] = eu_grf(&b->thread[who], 100)[2] =
          id << 24 | own << 15 | count << 9;
      unsigned sfid = end ? SFID_THREAD_SPAWNER : SFID_GATEWAY;
      rig_forget(s->rig);
      quick += tell(&a->thread[who], true, sfid, desc, end, 32 * round);
      unsigned said = said_so_far(s->rig);
      tell(&b->thread[who], false, sfid, desc, end, 32 * round + 16);
      assert_int_equal(said_so_far(s->rig), 2 * said);
      for (unsigned i = 0; i < 5; i++)
         assert_memory_equal(a->thread[i].n0, b->thread[i].n0, sizeof(a->thread[i].n0));
      assert_int_equal(a->g.barrier_arrived, b->g.barrier_arrived);
      assert_int_equal(a->g.barrier_waiting, b->g.barrier_waiting);
      assert_int_equal(a->g.released, b->g.released);
      if (!b->g.barrier_arrived) /* released: nobody is left over */
         assert_int_equal(b->g.barrier_waiting, 0);
      if (round % 64 == 0)
         a->g.released = b->g.released = 0;
   }
   if (quick < 2000)
      fail_msg("only %u messages took the fast path", quick);
   free(a);
   free(b);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)
#define CASE_VLV(f) cmocka_unit_test_setup_teardown(f, stage_setup_vlv, stage_teardown)

int
main(void)
{
   const struct CMUnitTest tests[] = {
       CASE(own_gateways),
       CASE(forward_in_a_group),
       CASE(opens_for_others),
       CASE(closes_to_others),
       CASE(one_gateway_with_its_base),
       CASE(acknowledges_to_the_opener),
       CASE(acknowledges_to_the_sender),
       CASE(keys_mean_nothing),
       CASE(bypass),
       CASE_VLV(valleyview_gateway),
       CASE(forward_lengths),
       CASE(forward_touches_its_bytes_only),
       CASE(forward_rules),
       CASE(notify),
       CASE(message_set),
       CASE(descriptor_rules),
       CASE(open_with_end_of_thread),
       CASE(time_stamps),
       CASE(beginnings_of_time),
       CASE(update_state),
       CASE(registers),
       CASE(function_numbers),
       CASE(registers_with_side_effects),
       CASE(barrier_counting),
       CASE(barrier_inactive),
       CASE_VLV(valleyview_barrier),
       CASE(both_ways),
   };
   return cmocka_run_group_tests_name("gateway", tests, NULL, NULL);
}
