/* Force wake, media boxes, steering, the alias of MCHBAR, reserved ranges, reset. */
#include "gen11_test.h"
#include "tests/proves.h"

#include <stdio.h>

struct domain_case {
   uint32_t request, acknowledge, reg; /* reg: one of the domain that can be written, or 0 */
};

static const struct domain_case domains[14] = {
    {0xa188, 0x130044, 0x4080}, {0xa278, 0xd84, 0x20a0},   {0xa540, 0xd50, 0x1c0054},
    {0xa544, 0xd54, 0},         {0xa548, 0xd58, 0x1d0054}, {0xa54c, 0xd5c, 0},
    {0xa550, 0xd60, 0},         {0xa554, 0xd64, 0},        {0xa558, 0xd68, 0},
    {0xa55c, 0xd6c, 0},         {0xa560, 0xd70, 0x1c8054}, {0xa564, 0xd74, 0},
    {0xa568, 0xd78, 0},         {0xa56c, 0xd7c, 0},
};

static void
requests_are_acknowledged(unsigned first, unsigned last)
{
   struct pergola_device *dev = new_icl();
   for (unsigned i = first; i <= last; i++) {
      const struct domain_case *d = &domains[i];
      wr(dev, d->request, 0xffff0000);
      assert_int_equal(rd(dev, d->acknowledge), 0);
      wr(dev, d->request, 0x00010001); /* the kernel */
      wr(dev, d->request, 0x00020002); /* and a user */
      assert_int_equal(rd(dev, d->acknowledge), 3);
      wr(dev, d->request, 0x00000000); /* no mask, no change */
      wr(dev, d->request, 0x00010000);
      assert_int_equal(rd(dev, d->acknowledge), 2);
      wr(dev, d->acknowledge, 0xffff);
      assert_int_equal(rd(dev, d->acknowledge), 2);
      for (unsigned other = 0; other < 14; other++)
         if (other != i)
            assert_int_equal(rd(dev, domains[other].acknowledge), 0);
      wr(dev, d->request, 0xffff0000);
   }
   pergola_device_destroy(dev);
}
static void
requests_of_gt_render_decode(void **state)
{
   proves("SYS-164", "SYS-165", "SYS-166", "SYS-167", "SYS-168", "SYS-169", "SYS-170", "SYS-171",
          "SYS-172", "SYS-173");
   (void)state;
   requests_are_acknowledged(0, 9);
}
static void
requests_of_enhance(void **state)
{
   proves("SYS-174", "SYS-175", "SYS-176", "SYS-177");
   (void)state;
   requests_are_acknowledged(10, 13);
}

static void
sleeping_domains(void **state)
{
   proves("SYS-162", "SYS-163", "SYS-183", "SYS-184", "SYS-422");
   (void)state;
   struct pergola_device *dev = new_icl();
   struct seen_rules seen = {0};
   pergola_add_diagnostic_sink(dev, note_rule, &seen);
   for (unsigned i = 0; i < 14; i++) /* gating off: everything answers */
      if (domains[i].reg) {
         wr(dev, domains[i].reg, 0x1234);
         assert_int_equal(rd(dev, domains[i].reg), 0x1234);
      }
   assert_int_equal(seen.count, 0);
   gen11_set_power_gating(dev->gen11, true);
   for (unsigned i = 0; i < 14; i++) {
      if (!domains[i].reg)
         continue;
      seen.count = 0;
      assert_int_equal(rd(dev, domains[i].reg), 0);
      wr(dev, domains[i].reg, 0x4321);
      wr(dev, domains[i].request, 0x00010001);
      assert_int_equal(rd(dev, domains[i].reg), 0x1234);
      wr(dev, domains[i].reg, 0x5678);
      assert_int_equal(rd(dev, domains[i].reg), 0x5678);
      assert_int_equal(reported(&seen, "SYS-162"), 1); /* one place: counted, not repeated */
      wr(dev, domains[i].request, 0x00010000);
   }
   seen.count = 0;
   /* No force wake: uncore, the acknowledgements, GDRST. */
   wr(dev, 0x190030, 9);
   assert_int_equal(rd(dev, 0x190030), 9);
   wr(dev, 0x941c, 2);
   /* Shadowed: tails, the submission queues, the requests. */
   static const uint32_t shadowed[] = {0x2030,   0x22030, 0x1c0030, 0x1c8030, 0x1d0030, 0x2550,
                                       0x22510,  0x2254c, 0x1c0510, 0x1d0548, 0x1c8514, 0x22550,
                                       0x1c0550, 0x22230, 0xa008,   0xa00c};
   for (unsigned i = 0; i < sizeof(shadowed) / sizeof(shadowed[0]); i++)
      assert_true(gen11_shadowed(shadowed[i]));
   assert_true(gen11_shadowed(0x2510) && gen11_shadowed(0x254c));
   assert_false(gen11_shadowed(0x2034));
   assert_false(gen11_shadowed(0x2230));
   wr(dev, 0x22510, 0xabc0);
   assert_int_equal(reported(&seen, "SYS-162"), 0);
   assert_int_equal(rd(dev, 0x22510), 0); /* reads always need it */
   assert_int_equal(reported(&seen, "SYS-162"), 1);
   wr(dev, 0xa188, 0x00010001);
   assert_int_equal(rd(dev, 0x22510), 0xabc0);
   /* Copies in every domain: render and media awake. */
   seen.count = 0;
   rd(dev, 0x9424);
   assert_int_equal(reported(&seen, "SYS-184"), 1);
   for (unsigned i = 0; i < 14; i++)
      wr(dev, domains[i].request, 0x00010001);
   seen.count = 0;
   rd(dev, 0x9434);
   assert_int_equal(seen.count, 0);
   pergola_device_destroy(dev);
}

/* SYS-184: each domain with a copy must be awake; what the others do is no matter. */
static void
copies_in_every_domain(void **state)
{
   proves("SYS-184");
   (void)state;
   for (unsigned asleep = 0; asleep < 14; asleep++) {
      struct pergola_device *dev = new_icl();
      struct seen_rules seen = {0};
      gen11_set_power_gating(dev->gen11, true);
      for (unsigned i = 0; i < 14; i++)
         wr(dev, domains[i].request, i == asleep ? 0x00010000 : 0x00010001);
      pergola_add_diagnostic_sink(dev, note_rule, &seen);
      rd(dev, 0x9424);
      /* render, the two video boxes, the enhancement box */
      bool copy = asleep == 1 || asleep == 2 || asleep == 4 || asleep == 10;
      assert_int_equal(reported(&seen, "SYS-184"), copy);
      pergola_device_destroy(dev);
   }
}

static void
domains_by_range(void **state)
{
   proves("SYS-421");
   (void)state;
   enum { N = WAKE_NONE, G = WAKE_GT, R = WAKE_RENDER };
   static const struct {
      uint32_t first, last;
      int domain;
   } want[] = {
       {0x0, 0x1fff, N},        {0x2000, 0x26ff, R},     {0x2700, 0x2fff, G},
       {0x3000, 0x3fff, R},     {0x4000, 0x51ff, G},     {0x5200, 0x7fff, R},
       {0x8000, 0x813f, G},     {0x8140, 0x815f, R},     {0x8160, 0x82ff, G},
       {0x8300, 0x84ff, R},     {0x8500, 0x87ff, G},     {0x8800, 0x8bff, N},
       {0x8c00, 0x8cff, R},     {0x8d00, 0x9418, G},     {0x9420, 0x94cf, G},
       {0x94d0, 0x955f, R},     {0x9560, 0x95ff, N},     {0x9600, 0xafff, G},
       {0xb000, 0xb47f, R},     {0xb480, 0xdeff, G},     {0xdf00, 0xe8ff, R},
       {0xe900, 0x16dff, G},    {0x16e00, 0x19fff, R},   {0x1a000, 0x23fff, G},
       {0x24000, 0x2407f, N},   {0x24080, 0x2417f, G},   {0x24180, 0x242ff, R},
       {0x24300, 0x243ff, G},   {0x24400, 0x24fff, R},   {0x25000, 0x3ffff, G},
       {0x40000, 0x1bffff, N},  {0x1c0000, 0x1c3fff, 2}, {0x1c8000, 0x1cffff, 10},
       {0x1d0000, 0x1d3fff, 4},
   };
   for (unsigned i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
      assert_int_equal(gen11_wake_domain(want[i].first), want[i].domain);
      assert_int_equal(gen11_wake_domain(want[i].last & ~3u), want[i].domain);
   }
}

struct box_case {
   uint32_t base;
   const char *box;
   uint8_t index, slice, subslice;
};
static const struct box_case boxes[12] = {
    {0x1c0000, "VDBOX", 0, 0, 0}, {0x1c4000, "VDBOX", 1, 0, 1}, {0x1c8000, "VEBOX", 0, 0, 0},
    {0x1d0000, "VDBOX", 2, 1, 0}, {0x1d4000, "VDBOX", 3, 1, 1}, {0x1d8000, "VEBOX", 1, 1, 0},
    {0x1e0000, "VDBOX", 4, 2, 0}, {0x1e4000, "VDBOX", 5, 2, 1}, {0x1e8000, "VEBOX", 2, 2, 0},
    {0x1f0000, "VDBOX", 6, 3, 0}, {0x1f4000, "VDBOX", 7, 3, 1}, {0x1f8000, "VEBOX", 3, 3, 0},
};

/* The last diagnostic about the media range: whose place an access without a register met. */
struct named {
   char subject[32], message[96];
   unsigned count;
};
static void
note_name(void *data, const struct pergola_diagnostic *d)
{
   struct named *n = data;
   if (strcmp(d->rule, "SYS-185"))
      return;
   n->count++;
   snprintf(n->subject, sizeof(n->subject), "%s", d->subject);
   snprintf(n->message, sizeof(n->message), "%s", d->message);
}

/* A place of a box without a register says whose it is, and reads 0. */
static void
expect_name(struct pergola_device *dev, struct named *n, uint32_t at, const char *want,
            const char *why)
{
   unsigned before = n->count;
   wr(dev, at, ~0u);
   assert_int_equal(rd(dev, at), 0);
   assert_true(n->count > before);
   assert_string_equal(n->subject, want);
   assert_non_null(strstr(n->message, why));
}

/* The first and the last such place of every client. `first`: of clients, the end behind them. */
static void
expect_clients(struct pergola_device *dev, struct named *n, const struct box_case *b, bool there,
               const char *const *names, const uint32_t *first, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      char want[32];
      uint32_t low = b->base + first[i], high = b->base + first[i + 1] - 4;
      const char *why = !there     ? "lacks this box"
                        : names[i] ? "this unit has no register"
                                   : "no unit of the box";
      snprintf(want, sizeof(want), "%s%u%s%s", b->box, b->index, names[i] ? " " : "",
               names[i] ? names[i] : "");
      while (dev->reg_row[low / 4])
         low += 4;
      while (dev->reg_row[high / 4])
         high -= 4;
      assert_true(low < high);
      expect_name(dev, n, low, want, why);
      expect_name(dev, n, high, want, why);
   }
}

static void
check_boxes(unsigned first, unsigned last)
{
   static const char *const decode[] = {"VCS",  "MFX",    "VCS", "HuC",
                                        "HEVC", "HEVCFE", NULL,  "CPCFG"};
   static const uint32_t at[] = {0, 0x800, 0x1000, 0x2000, 0x2800, 0x2a00, 0x2c00, 0x3f00, 0x4000};
   static const char *const enhance[] = {"VECS", "VFW", NULL};
   static const uint32_t enhance_at[] = {0, 0x2000, 0x2100, 0x4000};
   struct pergola_device *dev = new_icl();
   struct named n = {.count = 0};
   pergola_add_diagnostic_sink(dev, note_name, &n);
   for (unsigned i = first; i <= last; i++) {
      bool there = i == 0 || i == 2 || i == 3; /* VDBOX0, VEBOX0, VDBOX2 */
      if (boxes[i].box[1] == 'D')
         expect_clients(dev, &n, &boxes[i], there, decode, at, 8);
      else
         expect_clients(dev, &n, &boxes[i], there, enhance, enhance_at, 3);
      struct media_client c;
      assert_true(gen11_media_client(boxes[i].base, &c));
      assert_int_equal(c.slice, boxes[i].slice);
      assert_int_equal(c.subslice, boxes[i].subslice);
   }
   for (unsigned s = 0; s < 4; s++) { /* behind the boxes of a slice */
      rd(dev, 0x1cc000 + 0x10000 * s);
      assert_string_equal(n.subject, "media range");
   }
   pergola_device_destroy(dev);
}
static void
media_boxes(void **state)
{
   proves("SYS-185", "SYS-186", "SYS-187", "SYS-188", "SYS-189", "SYS-190", "SYS-191");
   (void)state;
   check_boxes(0, 5);
}
static void
media_boxes_of_larger_products(void **state)
{
   proves("SYS-192", "SYS-193", "SYS-194", "SYS-195", "SYS-196", "SYS-197");
   (void)state;
   check_boxes(6, 11);
}

static void
clients_of_boxes(void **state)
{
   proves("SYS-198", "SYS-199", "SYS-200", "SYS-201", "SYS-202", "SYS-203", "SYS-204", "SYS-206",
          "SYS-207", "SYS-208");
   (void)state;
   check_boxes(0, 2);
}

static void
unassigned_media_offsets(void **state)
{
   proves("SYS-205", "SYS-209", "SYS-230");
   (void)state;
   struct pergola_device *dev = new_icl();
   wr(dev, 0x1c8000 + 0x2014, 5); /* VFW */
   assert_int_equal(rd(dev, 0x1c8000 + 0x2014), 5);
   wr(dev, 0x1c8000 + 0x14, 7); /* VECS has nothing there */
   assert_int_equal(rd(dev, 0x1c8000 + 0x14), 0);
   for (uint32_t at = 0x1c0000; at < 0x200000; at += 4) {
      struct media_client c;
      if (gen11_media_client(at, &c) && c.client && c.index != 1 && c.slice < 2)
         continue;
      wr(dev, at, ~0u);
      assert_int_equal(rd(dev, at), 0);
      at += 0xfc;
   }
   for (uint32_t at = 0x2c00; at < 0x3f00; at += 4) { /* SCR has no range at all */
      wr(dev, 0x1c0000 + at, ~0u);
      assert_int_equal(rd(dev, 0x1c0000 + at), 0);
   }
   static const uint32_t nowhere[] = {0x0, 0x1ffc, 0x50000, 0x110000, 0x1ffffc, 0x200000, 0x7ffffc};
   for (unsigned i = 0; i < sizeof(nowhere) / sizeof(nowhere[0]); i++) {
      wr(dev, nowhere[i], 1);
      assert_int_equal(rd(dev, nowhere[i]), 0);
   }
   pergola_device_destroy(dev);
}

static void
mchbar_alias(void **state)
{
   proves("SYS-071", "SYS-072", "SYS-073", "SYS-075", "SYS-076", "SYS-077");
   (void)state;
   struct pergola_device *dev = new_icl();
   struct seen_rules seen = {0};
   pergola_add_diagnostic_sink(dev, note_rule, &seen);
   assert_int_equal(rd(dev, 0x145998), 0x060616); /* frequencies */
   assert_int_equal(pergola_mmio_read(dev, 0x145998, 2), 0x0616);
   assert_int_equal(pergola_mmio_read(dev, 0x14599a, 2), 0x0006);
   assert_int_equal(pergola_mmio_read(dev, 0x145998, 8), 0x060616);
   assert_int_equal(rd(dev, 0x140000) | rd(dev, 0x14fffc), 0); /* unlisted */
   assert_int_equal(seen.count, 0);
   assert_int_equal(pergola_mmio_read(dev, 0x145998, 1), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x145999, 2), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x14599a, 4), 0);
   assert_int_equal(pergola_mmio_read(dev, 0x145994, 8), 0);
   assert_true(reported(&seen, "SYS-072") >= 3);
   wr(dev, 0x145998, 1);
   wr(dev, 0x145040, 1); /* what a public tool writes there */
   assert_int_equal(reported(&seen, "SYS-075"), 2);
   assert_int_equal(rd(dev, 0x145998), 0x060616);
   assert_int_equal(rd(dev, 0x145040), 0);
   seen.count = 0;
   rd(dev, 0x13fffc); /* the neighbours are no alias */
   rd(dev, 0x150000);
   assert_int_equal(reported(&seen, "MEM-003"), 2);
   pergola_device_destroy(dev);
}

static void
virtualization_range(void **state)
{
   proves("SYS-225", "SYS-226", "SYS-227", "SYS-228", "SYS-229");
   (void)state;
   struct pergola_device *dev = new_icl();
   for (uint32_t at = 0x178000; at < 0x179000; at += 4) {
      wr(dev, at, ~0u);
      assert_int_equal(rd(dev, at), 0);
      assert_null(hw_register_at(at, HW_ICL)); /* nothing may be defined there */
   }
   assert_int_equal(pergola_diagnostic_count(dev, PERGOLA_NOTE), 0);
   pergola_device_destroy(dev);
}

/* A register of each range that lies in the slices. */
static const uint32_t slice_registers[] = {0x5500, 0x5ffc, 0x7020, 0x9434, 0xb000, 0xb118,
                                           0xe000, 0xe100, 0xe200, 0xe420, 0xe7fc};

static uint32_t
masked_value(uint32_t offset, uint32_t value)
{
   return offset >= 0xe000 ? 0xffff0000 | value : value;
}

static void
slice_zero_is_fused_off(void)
{
   struct pergola_device *dev = new_icl();
   gen11_set_slices(dev->gen11, 2, 2); /* a larger product with only slice 1 */
   assert_int_equal(rd(dev, 0x9138), 2);
   for (unsigned i = 0; i < sizeof(slice_registers) / sizeof(slice_registers[0]); i++) {
      uint32_t at = slice_registers[i];
      wr(dev, 0xfdc, 0x80000000);
      wr(dev, at, masked_value(at, 0x1110 + i));
      assert_int_equal(rd(dev, at), 0); /* undirected */
      wr(dev, 0xfdc, 0x88000000);
      assert_int_equal(rd(dev, at), 0x1110 + i);
   }
   wr(dev, 0xfdc, 0x80000000);
   assert_int_equal(rd(dev, 0x80c0), 0); /* outside of the slices nothing changes */
   wr(dev, 0x4080, 3);
   assert_int_equal(rd(dev, 0x4080), 3);
   pergola_device_destroy(dev);
}
static void
slice_ranges(void **state)
{
   proves("SYS-210", "SYS-212", "SYS-213", "SYS-214", "SYS-215", "SYS-216", "SYS-217", "SYS-218",
          "SYS-219", "SYS-220");
   (void)state;
   slice_zero_is_fused_off();
}

static void
steering(void **state)
{
   proves("SYS-221", "SYS-222", "SYS-223", "SYS-224");
   (void)state;
   slice_zero_is_fused_off();
   struct pergola_device *dev = new_icl();
   assert_int_equal(rd(dev, 0xfdc), 0x80000000);
   assert_int_equal(rd(dev, 0x9138), 1);
   assert_int_equal(rd(dev, 0x913c) | rd(dev, 0x9134), 0);
   assert_int_equal(rd(dev, 0x9140), 0x000e00fa);
   const struct pergola_sku *k = &dev->sku; /* one slice: 8 subslices of 8 EUs, 7 threads each */
   assert_int_equal(k->half_slices, 8);
   assert_int_equal(k->eus_per_half_slice, 8);
   assert_int_equal(k->threads_per_eu, 7);
   assert_int_equal(k->max_compute_threads_per_half_slice, 8 * 7);
   wr(dev, 0xe420, 0xffff1111); /* multicast: all eight */
   wr(dev, 0xfdc, 0x03000000);  /* unicast to subslice 3 */
   wr(dev, 0xe420, 0xffff2222);
   for (unsigned i = 0; i < 8; i++) {
      wr(dev, 0xfdc, (i & 1 ? 0x80000000u : 0) | i << 24); /* reads: whatever bit 31 says */
      assert_int_equal(rd(dev, 0xe420), i == 3 ? 0x2222 : 0x1111);
   }
   wr(dev, 0xfdc, 0x05000000); /* L3: by bank */
   wr(dev, 0xb118, 0x55);
   wr(dev, 0xfdc, 0x04000000);
   assert_int_equal(rd(dev, 0xb118), 0);
   wr(dev, 0xfdc, 0x05000000);
   assert_int_equal(rd(dev, 0xb118), 0x55);
   /* To a unit that is not there: read 0, write dropped, named. */
   reg_set(dev, 0x913c, 0x20);
   uint64_t before = pergola_diagnostic_count(dev, PERGOLA_WARNING);
   wr(dev, 0xe420, 0xffff3333);
   assert_int_equal(rd(dev, 0xe420), 0);
   wr(dev, 0xfdc, 0x08000000);
   assert_int_equal(rd(dev, 0x9434), 0);
   assert_true(pergola_diagnostic_count(dev, PERGOLA_WARNING) >= before + 2);
   wr(dev, 0xfdc, 0x04000000);
   assert_int_equal(rd(dev, 0xe420), 0x1111);
   pergola_device_destroy(dev);
}

static void
reset_request(void **state)
{
   proves("SYS-423", "SYS-420");
   (void)state;
   static const struct {
      uint32_t base, bit;
   } engines[] = {{0x2000, 1u << 1},
                  {0x22000, 1u << 2},
                  {0x1c0000, 1u << 5},
                  {0x1d0000, 1u << 7},
                  {0x1c8000, 1u << 13}};
   struct pergola_device *dev = new_icl();
   for (unsigned i = 0; i < 5; i++) {
      for (unsigned e = 0; e < 5; e++)
         wr(dev, engines[e].base + 0x600, 0x77);
      wr(dev, engines[i].base + 0xd0, 0x00010001);
      assert_int_equal(rd(dev, engines[i].base + 0xd0), 3); /* requested, ready */
      wr(dev, 0x941c, engines[i].bit);
      assert_int_equal(rd(dev, 0x941c), 0);
      for (unsigned e = 0; e < 5; e++)
         assert_int_equal(rd(dev, engines[e].base + 0x600), e == i ? 0 : 0x77);
      assert_int_equal(rd(dev, engines[i].base + 0xd0), 0);
      wr(dev, engines[i].base + 0xd0, 0x00010001);
      wr(dev, engines[i].base + 0xd0, 0x00010000);
      assert_int_equal(rd(dev, engines[i].base + 0xd0), 0);
   }
   wr(dev, 0x941c, 1u << 9 | 1u << 17 | 8); /* units that are not there: done at once */
   assert_int_equal(rd(dev, 0x941c), 0);
   wr(dev, 0x4080, 5);
   wr(dev, 0x941c, 1);
   assert_int_equal(rd(dev, 0x4080), 0);
   for (unsigned e = 0; e < 5; e++)
      assert_int_equal(rd(dev, engines[e].base + 0x600), 0);
   /* R_PWR_CLK_STATE: stored; bit 19 wakes the media domains. */
   wr(dev, 0x20c8, 0x80040f87);
   assert_int_equal(rd(dev, 0x20c8), 0x80040f87);
   wr(dev, 0x1c0054, 9);
   gen11_set_power_gating(dev->gen11, true);
   wr(dev, 0xa278, 0x00010001);
   assert_int_equal(rd(dev, 0x1c0054), 0);
   wr(dev, 0x20c8, 0x00080000);
   assert_int_equal(rd(dev, 0x1c0054), 9);
   wr(dev, 0x20c8, 0);
   assert_int_equal(rd(dev, 0x1c0054), 0);
   pergola_device_destroy(dev);
}

static bool
unclaimed(struct pergola_device *dev)
{
   return rd(dev, 0x42300) == 0x80000000u;
}

/* What i915 looks at around its accesses: sticky, one to clear. */
static void
unclaimed_accesses(void **state)
{
   proves("SYS-475");
   (void)state;
   static const uint32_t none[] = {0x2004, 0x40000, 0x8f00, 0x1c0804, 0x1c4000, 0x1cc000, 0x1ffffc};
   struct pergola_device *dev = new_icl();
   assert_int_equal(rd(dev, 0x42300), 0);
   for (unsigned i = 0; i < sizeof(none) / sizeof(none[0]); i++)
      for (unsigned write = 0; write < 2; write++) {
         if (write)
            wr(dev, none[i], 1);
         else
            rd(dev, none[i]);
         assert_true(unclaimed(dev));
         assert_true(unclaimed(dev)); /* reading does not clear */
         wr(dev, 0x42300, 0x7fffffff);
         assert_true(unclaimed(dev));
         wr(dev, 0x42300, 0x80000000);
         assert_int_equal(rd(dev, 0x42300), 0);
      }
   pergola_mmio_read(dev, 0x2004, 1); /* of any width */
   assert_true(unclaimed(dev));
   wr(dev, 0x42300, 0x80000000);
   pergola_mmio_write(dev, 0x2028, 8, 0); /* one half of it has a register */
   assert_true(unclaimed(dev));
   wr(dev, 0x42300, 0x80000000);
   /* Claimed: registers of all kinds, asleep or not, the alias, the reserved range, GTT entries. */
   gen11_set_power_gating(dev->gen11, true);
   rd(dev, 0x2030);
   wr(dev, 0x1c0054, 1);
   gen11_set_power_gating(dev->gen11, false);
   rd(dev, 0x140100);
   wr(dev, 0x140100, 1);
   rd(dev, 0x178000);
   wr(dev, 0x178ffc, 1);
   rd(dev, 0x800000);
   wr(dev, 0x800000, 0);
   rd(dev, 0x2550);            /* write only */
   wr(dev, 0x2358, 1);         /* read only */
   wr(dev, 0xfdc, 0x08000000); /* steered to a unit that is not there */
   rd(dev, 0x9434);
   assert_int_equal(rd(dev, 0x42300), 0);
   gen11_read(dev->gen11, 0x2004, "RCS0"); /* a streamer's own */
   gen11_read(dev->gen11, 0x1c4000, "RCS0");
   gen11_write(dev->gen11, 0x1c4000, 1, ~0u, "VCS0");
   assert_int_equal(rd(dev, 0x42300), 0);
   pergola_device_destroy(dev);
}

const struct CMUnitTest range_tests[] = {
    cmocka_unit_test(requests_of_gt_render_decode),
    cmocka_unit_test(requests_of_enhance),
    cmocka_unit_test(sleeping_domains),
    cmocka_unit_test(copies_in_every_domain),
    cmocka_unit_test(domains_by_range),
    cmocka_unit_test(media_boxes),
    cmocka_unit_test(media_boxes_of_larger_products),
    cmocka_unit_test(clients_of_boxes),
    cmocka_unit_test(unassigned_media_offsets),
    cmocka_unit_test(mchbar_alias),
    cmocka_unit_test(virtualization_range),
    cmocka_unit_test(slice_ranges),
    cmocka_unit_test(steering),
    cmocka_unit_test(reset_request),
    cmocka_unit_test(unclaimed_accesses),
};
const size_t range_test_count = sizeof(range_tests) / sizeof(range_tests[0]);
