/* The URB: size, handles, reads, writes, swizzles, masks, atomics, rules. */
#include "../media/stage.h"
#include "shared_functions/quick.h"
#include "tests/proves.h"

struct bench {
   struct stage *s;
   struct urb *urb;
   struct eu_thread *t;
   struct eu_env env;
   uint32_t payload[16][8]; /* header and data */
   uint32_t w[16][8];       /* response */
   uint32_t mask;
};

enum { WRITE_HWORD, WRITE_OWORD, READ_HWORD, READ_OWORD, ATOMIC_MOV, ATOMIC_INC };
#define INTERLEAVED (1u << 14)
#define COMPLETE (1u << 15)
#define PER_SLOT (1u << 16)
#define HEADER (1u << 19)
#define OFFSET(n) ((uint32_t)(n) << 3)

static struct bench *
begin(struct stage *s)
{
   static struct bench b;
   static struct eu_thread thread;
   b = (struct bench){.s = s, .urb = s->dev->urb, .t = &thread, .mask = 0xff};
   b.env = (struct eu_env){.dev = s->dev, .space = &s->dev->ggtt, .engine = "EU"};
   memset(&thread, 0, sizeof(thread));
   thread.env = &b.env;
   thread.ffid = 7;
   b.payload[0][5] = 0xff00; /* all dwords */
   memset(b.w, 0xee, sizeof(b.w));
   rig_forget(s->rig);
   return &b;
}

static void
say_eot(struct bench *b, uint32_t desc, unsigned mlen, unsigned rlen, bool eot)
{
   struct sf_message m = {.sfid = SFID_URB,
                          .eot = eot,
                          .header = desc >> 19 & 1,
                          .mlen = (uint8_t)mlen,
                          .rlen = (uint8_t)rlen,
                          .exec_size = 8,
                          .desc = desc,
                          .exec_mask = b->mask,
                          .payload = (uint8_t *)b->payload,
                          .response = rlen ? (uint8_t *)b->w : NULL,
                          .ip = 16 * b->s->commands++};
   assert_int_equal(sf_urb(b->t, &m), SF_OK);
}

static void
say(struct bench *b, uint32_t desc, unsigned mlen, unsigned rlen)
{
   say_eot(b, HEADER | desc, mlen, rlen, false);
}

static uint32_t
dword(struct bench *b, uint32_t byte)
{
   uint32_t v;
   assert_true(urb_read(b->urb, byte, &v, 4));
   return v;
}

static void
fill(struct bench *b, unsigned first, unsigned count)
{
   for (unsigned r = first; r < first + count; r++)
      for (unsigned i = 0; i < 8; i++)
         b->payload[r][i] = 0x100 * r + i;
}

/* SF-085, SF-086, SF-087, SF-088, SFV-025, SFV-026, SFV-108, MEDIA-468: rows of the part, half of
 * them while shared local memory has its share. */
static void
sizes(void **state)
{
   proves("SF-085", "SF-086", "SF-087", "SF-088", "SFV-025", "SFV-026", "SFV-108", "MEDIA-468");
   (void)state;
   static const struct {
      const char *sku;
      unsigned rows, slm;
   } c[] = {{"ivb-gt1", 4096, 2048}, {"ivb-gt2", 8192, 4096}, {"vlv", 3072, 1024}};
   for (unsigned i = 0; i < 3; i++) {
      struct stage *s = stage_create(c[i].sku);
      struct urb *urb = s->dev->urb;
      reg_set(s->dev, 0xb020, 0x00080040);
      assert_int_equal(urb_rows(urb), c[i].rows);
      reg_set(s->dev, 0xb020, 0x00080041);
      assert_int_equal(urb_rows(urb), c[i].slm);
      assert_non_null(urb_row(urb, c[i].slm - 1, 1));
      assert_null(urb_row(urb, c[i].slm - 1, 2));
      stage_destroy(s);
   }
}

/* SFV-027, SFV-108, SFV-109, SFV-110: Valleyview's ways, as drivers program them; the other L3
 * registers only divide. */
static void
valleyview_ways(void **state)
{
   proves("SFV-027", "SFV-108", "SFV-109", "SFV-110");
   struct stage *s = *state;
   struct urb *urb = s->dev->urb;
   assert_int_equal(urb_rows(urb), 3072);
   for (unsigned ways = 36; ways <= 48; ways += 4) {
      reg_set(s->dev, 0xb020, (ways - 32) << 1);
      assert_int_equal(urb_rows(urb), ways * 2048 / 32);
   }
   reg_set(s->dev, 0xb020, 63u << 1); /* no more than there is memory for */
   assert_int_equal(urb_rows(urb), 128 * 1024 / 32);
   reg_set(s->dev, 0xb020, 0x00080040);
   reg_set(s->dev, 0xb024, 0xffffffff);
   reg_set(s->dev, 0xb028, 0xffffffff);
   assert_int_equal(urb_rows(urb), 3072);
   struct stage *ivb = stage_create("ivb-gt2"); /* whose ways are others */
   reg_set(ivb->dev, 0xb020, (40u - 32) << 1);
   assert_int_equal(urb_rows(ivb->dev->urb), 8192);
   stage_destroy(ivb);
}

/* Three rows at offset 5 of handle 20. */
static struct bench *
three_rows(struct stage *s)
{
   struct bench *b = begin(s);
   b->payload[0][0] = 0xabcd0000 | 20; /* handle id, handle */
   fill(b, 1, 3);
   say(b, WRITE_HWORD | OFFSET(5), 4, 0);
   assert_quiet(b->s);
   return b;
}

static void
hword_rows_are_written(void **state)
{
   proves("SF-092", "SF-098", "SF-103", "SF-111", "SF-126", "SF-127", "SFV-031", "SFV-036",
          "SFV-045", "SFV-057");
   struct bench *b = three_rows(*state);
   for (unsigned r = 0; r < 3; r++)
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(dword(b, 20 * 64 + (5 + r) * 32 + i * 4), 0x100 * (r + 1) + i);
   for (unsigned i = 0; i < 8; i++) { /* and no others */
      assert_int_equal(dword(b, 20 * 64 + 4 * 32 + i * 4), 0);
      assert_int_equal(dword(b, 20 * 64 + 8 * 32 + i * 4), 0);
   }
}

static void
hword_rows_are_read(void **state)
{
   proves("SF-097", "SF-130", "SF-131", "SFV-043", "SFV-061");
   struct bench *b = three_rows(*state);
   say(b, READ_HWORD | OFFSET(6), 1, 2);
   assert_memory_equal(b->w[0], b->payload[2], 64);
   assert_int_equal(b->w[2][0], 0xeeeeeeee);
   assert_quiet(b->s);
}

/* Arithmetic on handles: one unit is 64 bytes, and offsets reach beyond 6 bits. */
static void
handles_are_units_of_64_bytes(void **state)
{
   proves("SF-093", "SFV-032", "MEDIA-263");
   struct bench *b = three_rows(*state);
   b->payload[0][0]++;
   say(b, READ_HWORD | OFFSET(4), 1, 1);
   assert_memory_equal(b->w[0], b->payload[2], 32);
   b->payload[0][0] -= 21;
   say(b, READ_HWORD | OFFSET(20 * 2 + 5 + 1), 1, 1);
   assert_memory_equal(b->w[0], b->payload[2], 32);
   b->payload[0][0] = 120;
   say(b, WRITE_HWORD | OFFSET(300), 2, 0);
   assert_int_equal(dword(b, 120 * 64 + 300 * 32), 0x100);
   assert_quiet(b->s);
}

static void
hword_interleaved(void **state)
{
   proves("SF-110", "SF-125", "SF-128", "SF-132", "SFV-044", "SFV-056", "SFV-058", "SFV-060",
          "SFV-062");
   struct bench *b = begin(*state);
   b->payload[0][0] = 0xabcd0000 | 100; /* SFV-056: the ids have no part in the address */
   b->payload[0][1] = 0x98760000 | 200;
   fill(b, 1, 2);
   say(b, INTERLEAVED | WRITE_HWORD | OFFSET(1), 3, 0);
   for (unsigned r = 0; r < 2; r++) /* both entries advance by 128 bits a register */
      for (unsigned i = 0; i < 4; i++) {
         assert_int_equal(dword(b, 100 * 64 + 32 + r * 16 + i * 4), 0x100 * (r + 1) + i);
         assert_int_equal(dword(b, 200 * 64 + 32 + r * 16 + i * 4), 0x100 * (r + 1) + 4 + i);
      }
   say(b, INTERLEAVED | READ_HWORD | OFFSET(1), 1, 2);
   assert_memory_equal(b->w, b->payload[1], 64);
   /* without interleave the second handle is ignored */
   b->payload[0][1] = 0xffff;
   say(b, READ_HWORD | OFFSET(1), 1, 1);
   assert_int_equal(b->w[0][4], 0x200);
   assert_quiet(b->s);
}

/* SF-129, SFV-059, SF-135, SFV-064: two entries that meet are named; here the later half stands.
 * With one half off, with reads, or side by side, all is well. */
static void
overlapping_entries(void **state)
{
   proves("SF-129", "SFV-059", "SF-135", "SFV-064");
   struct bench *b = begin(*state);
   b->payload[0][0] = b->payload[0][1] = 100;
   fill(b, 1, 2);
   say(b, INTERLEAVED | WRITE_HWORD, 2, 0);
   assert_said(b->s, "SF-129");
   assert_int_equal(dword(b, 100 * 64), 0x104);
   rig_forget(b->s->rig);
   say(b, INTERLEAVED | WRITE_OWORD, 2, 0);
   assert_said(b->s, "SF-129");
   rig_forget(b->s->rig);
   b->payload[0][3] = 0,
   b->payload[0][4] = 1; /* 32 bytes apart: two registers are 32 bytes of each entry */
   say(b, PER_SLOT | INTERLEAVED | WRITE_HWORD, 3, 0);
   say(b, INTERLEAVED | READ_HWORD, 1, 1);
   for (b->mask = 0x0f; b->mask <= 0xf0; b->mask <<= 4) {
      say(b, INTERLEAVED | WRITE_HWORD, 2, 0);
      assert_quiet(b->s);
   }
   b->mask = 0xff;
   fill(b, 1, 3);
   say(b, PER_SLOT | INTERLEAVED | WRITE_HWORD, 4, 0);
   assert_said(b->s, "SF-129");
   for (unsigned first = 0; first < 4; first++) { /* one dword of each half */
      rig_forget(b->s->rig);
      b->mask = 1u << first | 0x80u >> first;
      say(b, INTERLEAVED | WRITE_HWORD, 2, 0);
      assert_said(b->s, "SF-129");
   }
}

static void
slot_offsets(void **state)
{
   proves("SF-107", "SF-121", "SF-122", "SF-123", "SF-112", "SFV-040", "SFV-052", "SFV-053",
          "SFV-054");
   struct bench *b = begin(*state);
   b->payload[0][0] = 100;
   b->payload[0][1] = 200;
   b->payload[0][3] = 7;
   b->payload[0][4] = 9;
   fill(b, 1, 1);
   say(b, INTERLEAVED | WRITE_HWORD | OFFSET(1), 2, 0); /* not asked for: ignored */
   assert_int_equal(dword(b, 100 * 64 + 32), 0x100);
   say(b, PER_SLOT | INTERLEAVED | WRITE_HWORD | OFFSET(1), 2, 0);
   assert_int_equal(dword(b, 100 * 64 + 8 * 32), 0x100);
   assert_int_equal(dword(b, 200 * 64 + 10 * 32), 0x104);
   say(b, PER_SLOT | WRITE_OWORD | OFFSET(2), 2, 0); /* 128-bit units */
   assert_int_equal(dword(b, 100 * 64 + 9 * 16), 0x100);
   assert_quiet(b->s);
   b->payload[0][3] = 1023;
   say(b, PER_SLOT | READ_HWORD | OFFSET(1), 1, 1);
   assert_said(b->s, "SF-122");
   say(b, READ_HWORD | OFFSET(1024), 1, 1);
   assert_said(b->s, "SF-112");
   b->payload[0][3] = 2047;
   say(b, PER_SLOT | READ_OWORD, 1, 1);
   assert_quiet(b->s);
   say(b, PER_SLOT | READ_OWORD | OFFSET(1), 1, 1);
   assert_said(b->s, "SF-122");
}

/* SF-095, SF-104, SF-119, SF-120, SFV-034, SFV-037, SFV-051: mask of the message and execution
 * mask, dword by dword, in every data phase. */
static void
masks(void **state)
{
   proves("SF-095", "SF-104", "SF-119", "SF-120", "SFV-034", "SFV-037", "SFV-051");
   struct bench *b = begin(*state);
   fill(b, 1, 2);
   b->payload[0][0] = 50;
   b->payload[0][5] = 0xb700; /* 1011 0111 */
   b->mask = 0xffffff5f;      /* 0101 1111: only the low 8 count */
   say(b, WRITE_HWORD, 3, 0);
   for (unsigned r = 0; r < 2; r++)
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(dword(b, 50 * 64 + r * 32 + i * 4),
                          0xb7u >> i & 0x5fu >> i & 1 ? 0x100 * (r + 1) + i : 0);
   uint32_t zero[16] = {0};
   urb_write(b->urb, 50 * 64, zero, 64);
   say(b, READ_HWORD, 1, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(b->w[0][i], 0xb7u >> i & 0x5fu >> i & 1 ? 0 : 0xeeeeeeee);
   /* interleaved: bits 15:12 are those of the second entry */
   b->mask = 0xff;
   b->payload[0][1] = 60;
   b->payload[0][5] = 0x1800;
   say(b, INTERLEAVED | WRITE_HWORD, 2, 0);
   assert_int_equal(dword(b, 50 * 64 + 12), 0x103);
   assert_int_equal(dword(b, 60 * 64), 0x104);
   assert_int_equal(dword(b, 60 * 64 + 4), 0);
   assert_int_equal(dword(b, 50 * 64), 0);
   assert_quiet(b->s);
}

static void
owords_of_one_entry(void **state)
{
   proves("SF-099", "SF-100", "SF-118", "SF-134", "SF-136", "SF-137", "SF-139", "SFV-050",
          "SFV-063", "SFV-066");
   struct bench *b = begin(*state);
   fill(b, 1, 1);
   b->payload[0][0] = 70;
   say(b, WRITE_OWORD | OFFSET(3), 2, 0); /* low half */
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(dword(b, 70 * 64 + 48 + i * 4), 0x100 + i);
   assert_int_equal(dword(b, 70 * 64 + 64), 0);
   b->payload[0][5] = 1u << 16 | 0xff00; /* high half */
   say(b, WRITE_OWORD | OFFSET(4), 2, 0);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(dword(b, 70 * 64 + 64 + i * 4), 0x104 + i);
   say(b, READ_OWORD | OFFSET(3), 1, 1);
   assert_int_equal(b->w[0][3], 0xeeeeeeee); /* not written */
   assert_int_equal(b->w[0][4], 0x100);
   assert_int_equal(b->w[0][7], 0x103);
   b->payload[0][5] = 1u << 16 | 0x1000; /* SF-139: lane 4 of the register */
   memset(b->w, 0xee, sizeof(b->w));
   say(b, READ_OWORD | OFFSET(3), 1, 1);
   assert_int_equal(b->w[0][4], 0x100);
   assert_int_equal(b->w[0][5], 0xeeeeeeee);
   b->payload[0][5] = 0xff00;
   say(b, READ_OWORD | OFFSET(4), 1, 1);
   assert_int_equal(b->w[0][0], 0x104);
   assert_int_equal(b->w[0][5], 0xeeeeeeee);
   assert_quiet(b->s);
}

static void
owords_of_two_entries(void **state)
{
   proves("SF-133", "SF-135", "SF-138", "SFV-064", "SFV-068");
   struct bench *b = begin(*state);
   fill(b, 1, 1);
   b->payload[0][0] = 70;
   b->payload[0][1] = 80;
   b->payload[0][5] = 0xff00;
   say(b, INTERLEAVED | WRITE_OWORD | OFFSET(8), 2, 0);
   assert_int_equal(dword(b, 70 * 64 + 128), 0x100);
   assert_int_equal(dword(b, 80 * 64 + 128), 0x104);
   memset(b->w, 0, sizeof(b->w));
   say(b, INTERLEAVED | READ_OWORD | OFFSET(8), 1, 1);
   assert_memory_equal(b->w[0], b->payload[1], 32);
   assert_quiet(b->s);
}

static void
atomics(void **state)
{
   proves("SF-101", "SF-102", "SF-140", "SF-142", "SF-143", "SF-144", "SFV-069", "SFV-071",
          "SFV-072", "SFV-073");
   struct bench *b = begin(*state);
   b->payload[0][0] = 0xffff0000 | 90;
   b->payload[0][2] = 0xfffffffe;
   b->payload[0][5] = 0;
   b->mask = 0; /* always enabled */
   say(b, ATOMIC_MOV | OFFSET(11), 1, 0);
   assert_int_equal(dword(b, 90 * 64 + 44), 0xfffffffe);
   for (uint32_t i = 0; i < 3; i++) {
      say(b, ATOMIC_INC | OFFSET(11), 1, 1);
      assert_int_equal(b->w[0][0], 0xfffffffe + i); /* the old value; wraps */
      assert_int_equal(b->w[0][1], 0xeeeeeeee);
   }
   assert_int_equal(dword(b, 90 * 64 + 44), 1);
   assert_quiet(b->s);
   memset(b->w, 0xee, sizeof(b->w));
   say(b, ATOMIC_MOV | OFFSET(11), 1, 1); /* answers nothing, whatever is asked for */
   assert_int_equal(b->w[0][0], 0xeeeeeeee);
}

static void
atomic_rules(void **state)
{
   proves("SF-108", "SF-141", "SFV-041", "SFV-070");
   struct bench *b = begin(*state);
   b->payload[0][0] = 90;
   b->payload[0][2] = 77;
   say(b, ATOMIC_MOV | OFFSET(11), 1, 0);
   assert_int_equal(dword(b, 90 * 64 + 44), 77);
   say(b, ATOMIC_INC | OFFSET(11), 1, 1);
   assert_quiet(b->s);
   say(b, PER_SLOT | ATOMIC_INC | OFFSET(11), 1, 1);
   assert_said(b->s, "SF-108");
   say(b, ATOMIC_MOV, 1, 1);
   assert_said(b->s, "SF-141");
}

/* SF-096, SFV-035, MEDIA-468: outside, reads are 0 and writes nothing; it is named. */
static void
out_of_bounds(void **state)
{
   proves("SF-096", "SFV-035", "MEDIA-468");
   struct bench *b = begin(*state);
   fill(b, 1, 2);
   unsigned rows = urb_rows(b->urb);
   b->payload[0][0] = rows / 2 - 1; /* the last two rows */
   say(b, WRITE_HWORD, 3, 0);
   assert_quiet(b->s);
   assert_int_equal(dword(b, (rows - 1) * 32), 0x200);
   say(b, WRITE_HWORD | OFFSET(1), 3, 0); /* the second lies outside */
   assert_said(b->s, "SF-096");
   assert_int_equal(dword(b, (rows - 1) * 32), 0x100);
   say(b, READ_HWORD | OFFSET(1), 1, 2);
   assert_said(b->s, "SF-096");
   assert_int_equal(b->w[0][0], 0x100);
   assert_int_equal(b->w[1][0], 0);
   b->payload[0][0] = 0xffff;
   say(b, ATOMIC_INC, 1, 1);
   assert_said(b->s, "SF-096");
   assert_int_equal(b->w[0][0], 0);
   b->payload[0][3] = 0xffffffff; /* no wrap of 32-bit sums */
   b->payload[0][0] = 0;
   say(b, PER_SLOT | READ_HWORD, 1, 1);
   assert_said(b->s, "SF-096");
}

/* SF-086, SFV-026: entries of media threads are known: 8 rows behind each handle here. */
static void
outside_the_entry(void **state)
{
   proves("SF-086", "SFV-026");
   struct stage *s = *state;
   stage_standard(s, false);
   struct bench *b = begin(s);
   b->env.media_pipeline = true;
   uint32_t first = s->media->vfe.handle[0];
   fill(b, 1, 3);
   b->payload[0][0] = first;
   b->payload[0][1] = s->media->vfe.handle[1];
   say(b, WRITE_HWORD | OFFSET(5), 4, 0); /* rows 5, 6 and 7 */
   b->payload[0][0] = first + 2;          /* arithmetic within the entry */
   say(b, READ_HWORD | OFFSET(3), 1, 1);
   say(b, READ_OWORD | OFFSET(7), 1, 1);
   b->payload[0][0] = first;
   say(b, INTERLEAVED | WRITE_HWORD | OFFSET(7), 3, 0);
   say(b, ATOMIC_INC | OFFSET(63), 1, 1);
   assert_quiet(s);
   say(b, WRITE_HWORD | OFFSET(9), 1, 0); /* outside, but without a row: its length is told */
   assert_int_equal(rig_count(s->rig, "SF-086"), 0);
   rig_forget(s->rig);
   say(b, WRITE_HWORD | OFFSET(6), 4, 0); /* into the next one */
   assert_said(s, "SF-086");
   say(b, ATOMIC_INC | OFFSET(64), 1, 1);
   assert_said(s, "SF-086");
   say(b, READ_OWORD | OFFSET(16), 1, 1);
   assert_said(s, "SF-086");
   b->payload[0][1] = 1; /* descriptors: no entry at all */
   say(b, INTERLEAVED | READ_HWORD, 1, 1);
   assert_said(s, "SF-086");
}

static void
message_forms(void **state)
{
   proves("SF-105", "SF-106", "SF-113", "SF-114", "SFV-038", "SFV-039", "SFV-046", "SFV-047",
          "SFV-065", "SFV-067");
   struct bench *b = begin(*state);
   fill(b, 1, 2);
   say_eot(b, WRITE_HWORD, 2, 0, false);
   assert_said(b->s, "SF-106");
   for (unsigned op = 6; op < 8; op++) { /* Broadwell's opcodes do not exist here */
      memset(b->w, 0xee, sizeof(b->w));
      say(b, op, 2, 1);
      assert_said(b->s, "SF-113");
      assert_int_equal(b->w[0][0], 0xeeeeeeee);
   }
   rig_forget(b->s->rig);
   say(b, WRITE_OWORD, 2, 0);
   say(b, READ_OWORD, 1, 1);
   assert_quiet(b->s);
   say(b, WRITE_OWORD, 3, 0); /* SFV-065: the first register only */
   assert_said(b->s, "SFV-065");
   assert_int_equal(dword(b, 16), 0x104);
   say(b, READ_OWORD, 1, 2);
   assert_said(b->s, "SFV-067");
   say(b, READ_HWORD, 2, 1);
   assert_said(b->s, "SF-114");
   rig_forget(b->s->rig);
   say(b, WRITE_HWORD, 2, 1);
   assert_said(b->s, "SF-114");
}

static void
end_of_thread(void **state)
{
   proves("SF-094", "SF-167", "SFV-033");
   struct bench *b = begin(*state);
   fill(b, 1, 2);
   say_eot(b, HEADER | WRITE_HWORD, 2, 0, true); /* a media thread may not */
   assert_said(b->s, "SF-094");
   for (unsigned ffid = 0; ffid < 16;
        ffid++) { /* SF-167: HS 4, DS 5, VS 9, GS 12 may, with a write */
      bool may = ffid == 4 || ffid == 5 || ffid == 9 || ffid == 12;
      b->t->ffid = (uint8_t)ffid;
      rig_forget(b->s->rig);
      say_eot(b, HEADER | WRITE_HWORD, 2, 0, true);
      assert_int_equal(rig_count(b->s->rig, "SF-094"), !may);
   }
   b->t->ffid = 4;
   rig_forget(b->s->rig);
   say_eot(b, HEADER | READ_HWORD, 1, 0, true);
   assert_said(b->s, "SF-094");
   rig_forget(b->s->rig);
   say_eot(b, HEADER | ATOMIC_INC, 1, 0, true);
   assert_said(b->s, "SF-094");
}

/* SF-109, SF-115, SF-116, SF-124, SFV-042, SFV-049, SFV-055, SFV-107: fields that the URB itself
 * does nothing with; a read without a response releases and reads nothing. */
static void
fields_without_effect(void **state)
{
   proves("SF-109", "SF-115", "SF-116", "SF-124", "SFV-042", "SFV-049", "SFV-055", "SFV-107");
   struct bench *b = begin(*state);
   fill(b, 1, 1);
   b->payload[0][0] = 33;
   say(b, WRITE_HWORD, 2, 0);
   b->payload[0][5] |= 0xff;      /* cull test */
   b->payload[0][2] = 0x12345678; /* vertices of a GS */
   b->payload[0][6] = b->payload[0][7] = ~0u;
   say(b, COMPLETE | READ_HWORD, 1, 1);
   assert_memory_equal(b->w[0], b->payload[1], 32);
   memset(b->w, 0xee, sizeof(b->w));
   say(b, COMPLETE | READ_HWORD, 1, 0);
   assert_int_equal(b->w[0][0], 0xeeeeeeee);
   say(b, COMPLETE | WRITE_HWORD, 2, 0);
   say(b, COMPLETE | ATOMIC_INC | OFFSET(0), 1, 1);
   assert_int_equal(b->w[0][0], 0x100);
   assert_quiet(b->s);
}

/* SF-089, SF-090, SF-091, SFV-028, SFV-029, SFV-030, MEDIA-015: descriptors, constants, payload and
 * threads all meet in it; the dispatcher reads it; the host has no window to it. */
static void
who_reads_and_writes(void **state)
{
   proves("SF-089", "SF-090", "SF-091", "SFV-028", "SFV-029", "SFV-030", "MEDIA-015");
   struct stage *s = *state;
   stage_standard(s, false);
   struct hw_interface_descriptor_data d = stage_descriptor(1);
   d.constant_urb_entry_read_length = 1;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct bench *b = begin(s);
   b->payload[0][0] = 16; /* row 32: a thread writes into CURBE */
   fill(b, 1, 1);
   say(b, WRITE_HWORD, 2, 0);
   uint32_t data[1] = {5};
   stage_object(s, &(struct hw_media_object){.interface_descriptor_offset = 1}, data, 1);
   stage_flush(s);
   assert_int_equal(s->record[0].r[1][0], 0x100); /* the dispatcher delivers what it finds */
   assert_int_equal(s->record[0].r[2][0], 5);
   uint8_t *first = s->dev->urb->data, *last = first + s->dev->urb->size_B;
   assert_true(last <= s->rig->ram || first >= s->rig->ram + RIG_RAM); /* in no graphics memory */
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, stage_setup, stage_teardown)

/* The fast path does what the general code does, or nothing: random messages through both. */
static void
fast_path(void **state)
{
   proves("SF-112", "SF-127", "SF-129", "SF-131");
   struct bench *b = begin(*state);
   enum { ROWS = 64, PAYLOAD = 20, RESPONSE = 60, MESSAGES = 20000 };
   static uint8_t before[ROWS * 32], grf[sizeof(b->t->grf)];
   unsigned taken = 0, refused = 0;
   uint32_t seed = 1;
   for (unsigned n = 0; n < MESSAGES; n++) {
      uint32_t r[6];
      for (unsigned i = 0; i < 6; i++)
         r[i] = (seed = seed * 1664525u + 1013904223u) >> 8;
      bool write = r[0] & 1, eot = write && r[0] & 2;
      unsigned length = 1 + (r[0] >> 2 & 3);
      uint32_t desc = HEADER | (write ? WRITE_HWORD : READ_HWORD) | (r[0] & 16 ? INTERLEAVED : 0) |
                      (r[0] & 32 ? PER_SLOT : 0) | OFFSET(r[1] & 3) |
                      (write ? 1 + length : 1) << 25 | (write ? 0 : length) << 20;
      b->t->ffid = r[0] & 64 ? 9 : 7;
      b->env.media_pipeline = !(r[0] & 0xf00);
      b->mask = r[0] & 128 ? 0xff : r[2] & 0xff;
      for (unsigned i = 0; i < sizeof(b->t->grf) / 4; i++)
         ((uint32_t *)(void *)b->t->grf)[i] = (uint32_t)n << 16 | i;
      uint32_t *header = eu_grf(b->t, PAYLOAD);
      header[0] = r[3] & 15, header[1] = r[3] >> 4 & 15;
      if (r[3] >> 8 & 1)
         header[r[3] >> 9 & 1] = (r[3] >> 10 & 1 ? urb_rows(b->urb) / 2 - 1 : 0xffff);
      header[3] = r[4] & 3, header[4] = r[4] >> 2 & 3;
      header[5] = r[4] & 16 ? 0xff00 : r[5] & 0xff00;
      struct sf_quick q;
      assert_true(sf_quick_select(&q, b->s->dev, SFID_URB, desc, eot, PAYLOAD,
                                  write ? EU_GRF_COUNT : RESPONSE));
      assert_true(urb_read(b->urb, 0, before, sizeof(before)));
      memcpy(grf, b->t->grf, sizeof(grf));
      bool done = q.fn(b->t, &q, b->mask);
      static uint8_t fast_urb[sizeof(before)], fast_grf[sizeof(grf)];
      assert_true(urb_read(b->urb, 0, fast_urb, sizeof(fast_urb)));
      memcpy(fast_grf, b->t->grf, sizeof(grf));
      assert_true(urb_write(b->urb, 0, before, sizeof(before)));
      memcpy(b->t->grf, grf, sizeof(grf));
      if (!done) { /* nothing has been touched */
         assert_memory_equal(fast_urb, before, sizeof(before));
         assert_memory_equal(fast_grf, grf, sizeof(grf));
         refused++;
         continue;
      }
      taken++;
      struct sf_message m = {.sfid = SFID_URB,
                             .eot = eot,
                             .header = true,
                             .mlen = desc >> 25 & 15,
                             .rlen = desc >> 20 & 31,
                             .exec_size = 8,
                             .desc = desc,
                             .exec_mask = b->mask,
                             .payload = (uint8_t *)header,
                             .response = write ? NULL : (uint8_t *)eu_grf(b->t, RESPONSE)};
      rig_forget(b->s->rig);
      assert_int_equal(sf_urb(b->t, &m), SF_OK);
      assert_quiet(b->s);
      assert_true(urb_read(b->urb, 0, before, sizeof(before)));
      assert_memory_equal(fast_urb, before, sizeof(before));
      assert_memory_equal(fast_grf, b->t->grf, sizeof(grf));
   }
   assert_true(taken > MESSAGES / 4 && refused > MESSAGES / 8);
   /* the last offset that there is, and the first that is told */
   b->t->ffid = 9;
   b->env.media_pipeline = false;
   for (unsigned offset = 1023; offset <= 1024; offset++) {
      struct sf_quick q;
      uint32_t *header = eu_grf(b->t, PAYLOAD);
      memset(header, 0, 32);
      header[3] = offset;
      header[5] = 0xff00;
      assert_true(sf_quick_select(&q, b->s->dev, SFID_URB,
                                  HEADER | READ_HWORD | PER_SLOT | 1u << 25 | 1u << 20, false,
                                  PAYLOAD, RESPONSE));
      assert_int_equal(q.fn(b->t, &q, 0xff), offset == 1023);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(sizes),
       cmocka_unit_test_setup_teardown(valleyview_ways, stage_setup_vlv, stage_teardown),
       CASE(hword_rows_are_written),
       CASE(hword_rows_are_read),
       CASE(handles_are_units_of_64_bytes),
       CASE(hword_interleaved),
       CASE(overlapping_entries),
       CASE(slot_offsets),
       CASE(masks),
       CASE(owords_of_one_entry),
       CASE(owords_of_two_entries),
       CASE(atomics),
       CASE(atomic_rules),
       CASE(out_of_bounds),
       CASE(outside_the_entry),
       CASE(message_forms),
       CASE(end_of_thread),
       CASE(fields_without_effect),
       CASE(who_reads_and_writes),
       CASE(fast_path),
   };
   return cmocka_run_group_tests_name("urb", tests, NULL, NULL);
}
