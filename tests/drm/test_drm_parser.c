/* The command parser's verdicts. */
#include "rig.h"
#include "tests/proves.h"

#define END BATCH_END
enum { OK = 0, NO = -EACCES, BAD = -EINVAL };

struct verdict {
   int engine, want;
   uint32_t dw[8];
   uint32_t n;
};

static void
check(const struct verdict *v, size_t n)
{
   for (size_t i = 0; i < n; i++) {
      int got = parser_check(v[i].engine, v[i].dw, v[i].n);
      if (got != v[i].want)
         print_error("row %zu, command 0x%08x\n", i, v[i].dw[0]);
      assert_int_equal(got, v[i].want);
   }
}
#define CHECK_ALL(v) check(v, sizeof(v) / sizeof(v[0]))
#define R KERNEL_RCS
#define V KERNEL_VCS
#define B KERNEL_BCS

/* DRM-090: what only the kernel may say is refused: interrupts, events, semaphores, status page
 * writes, arbitration, contexts, translation updates, flips. */
static void
kernel_only(void **state)
{
   proves("DRM-090");
   static const struct verdict v[] = {
       {R, OK, {0, END}, 2},
       {R, NO, {0x01000000, END}, 2},           /* MI_USER_INTERRUPT */
       {R, NO, {0x01800000, END}, 2},           /* MI_WAIT_FOR_EVENT */
       {V, NO, {0x0b000001, 0, 0, END}, 4},     /* MI_SEMAPHORE_MBOX */
       {B, NO, {0x10800001, 0x100, 0, END}, 4}, /* MI_STORE_DATA_INDEX */
       {R, NO, {0x04000000, END}, 2},           /* MI_ARB_ON_OFF */
       {V, NO, {0x04000000, END}, 2},
       {R, NO, {0x0c000000, 0, END}, 3}, /* MI_SET_CONTEXT */
       {R, NO, {0x11800000, 0, END}, 3}, /* MI_UPDATE_GTT */
       {B, NO, {0x11800000, 0, END}, 3},
       {B, NO, {0x0a000001, 0, 0, END}, 4}, /* MI_DISPLAY_FLIP */
       {R, NO, {0x18800100, 0, END}, 3},    /* MI_BATCH_BUFFER_START */
   };
   CHECK_ALL(v);
}

/* DRM-091: registers by the engine's list; every pair of a long MI_LOAD_REGISTER_IMM is looked at.
 */
static void
registers(void **state)
{
   proves("DRM-091", "P3D-081");
   static const struct verdict v[] = {
       {R, OK, {0x11000001, 0x2500, 1, END}, 4},
       {R, OK, {0x11000003, 0xb020, 1, 0xb024, 1, END}, 6},
       {R, NO, {0x11000003, 0xb020, 1, 0x2030, 1, END}, 6},
       {R, NO, {0x11000001, 0x20c0, 1, END}, 4},
       {R, NO, {0x11000001, 0x20c0, 0x00410041, END}, 4},
       {R, OK, {0x11000001, 0x20c0, 0x00400040, END}, 4}, /* P3D-081: what crocus needs */
       {R, OK, {0x12000001, 0x2358, 0, END}, 4},
       {R, NO, {0x12400001, 0x2358, 0, END}, 4}, /* to the GGTT */
       {R, OK, {0x14800001, 0x2400, 0, END}, 4},
       {R, NO, {0x14c00001, 0x2400, 0, END}, 4},
       {R, NO, {0x14800001, 0x229c, 0, END}, 4},
       {B, OK, {0x11000001, 0x22200, 1, END}, 4},
       {B, NO, {0x11000001, 0x2500, 1, END}, 4},
       {V, NO, {0x12000001, 0x12358, 0, END}, 4},
   };
   CHECK_ALL(v);
}

/* DRM-092: bits that lead out of the client's address space must be zero. */
static void
bits(void **state)
{
   proves("DRM-092");
   static const struct verdict v[] = {
       {R, OK, {0x10000002, 0, 0, 0, END}, 5},
       {R, NO, {0x10400002, 0, 0, 0, END}, 5},
       {B, NO, {0x10400002, 0, 0, 0, END}, 5},
       {R, OK, {0x7a000003, 1u << 14, 0, 0, 0, END}, 6},
       {R, NO, {0x7a000003, 1u << 14 | 1u << 24, 0, 0, 0, END}, 6},
       {R, OK, {0x7a000003, 1u << 24, 0, 0, 0, END}, 6}, /* no post-sync write: no address */
       {R, NO, {0x7a000003, 1u << 14 | 1u << 21, 0, 0, 0, END}, 6},
       {R, NO, {0x7a000003, 1u << 8, 0, 0, 0, END}, 6},  /* notify */
       {R, NO, {0x7a000003, 1u << 23, 0, 0, 0, END}, 6}, /* MMIO write */
       {B, OK, {0x13004001, 0x1000, 0, END}, 4},
       {B, NO, {0x13004001, 0x1004, 0, END}, 4},
       {V, NO, {0x13204001, 0x1000, 0, END}, 4},
       {V, NO, {0x13000101, 0, 0, END}, 4},
       {R, NO, {0x70000002, 0, 0x8, 0, END}, 5}, /* MEDIA_VFE_STATE MMIO access */
       {R, OK, {0x70000002, 0, 0, 0, END}, 5},
       {R, NO, {0x14000001, 1, 0, END}, 4}, /* MI_REPORT_PERF_COUNT */
       {R, NO, {0x1b400000, 0, END}, 3},    /* MI_CONDITIONAL_BATCH_BUFFER_END */
   };
   CHECK_ALL(v);
}

/* DRM-093: no end, a length past the end, or a client that the engine does not have is malformed.
 */
static void
malformed(void **state)
{
   proves("DRM-093");
   static const struct verdict v[] = {
       {R, BAD, {0, 0}, 2},
       {R, BAD, {0x7a0000f0, 0, END}, 3},
       {R, BAD, {0x40000000, 0, END}, 3}, /* 2D on render */
       {B, BAD, {0x7a000002, 0, 0, 0, END}, 5},
       {B, OK, {0x50000003 | 0x50u << 22, 0, 0, 0, 0, END}, 6},
       {V, OK, {0x70000002, 0, 0, 0, END}, 5},
       {R, BAD, {0x20000000, 0, END}, 3},
       {R, OK, {0x71050009 & 0xffffff00, 0, END}, 3},
   };
   CHECK_ALL(v);
   assert_int_equal(parser_check(R, NULL, 0), BAD);
}

/* DRM-093: a command of one dword has no length field: its low bits are its own, and what follows
 * is looked at. The first batch is the shape of hasvk's with a graphics pipeline and secondary
 * command buffers: it ends in a jump, so it runs without privileges. */
static void
single_dwords(void **state)
{
   proves("DRM-093");
   static const struct verdict v[] = {
       {R, NO, {0x680b0001, 0x7a000002, 0, 0, 0, 0x18800100, 0x1000}, 7},
       {R, OK, {0x680b0001, END}, 2}, /* 3DSTATE_VF_STATISTICS */
       {R, NO, {0x680b0001, 0x01000000, END}, 3},
       {R, OK, {0x69040002, END}, 2}, /* PIPELINE_SELECT */
       {R, NO, {0x69040002, 0x01000000, END}, 3},
       {R, BAD, {0x690b0001, END}, 2}, /* not a single one: its length leads past the end */
       {V, OK, {0x68000001, END}, 2},  /* MFX_WAIT */
   };
   CHECK_ALL(v);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(kernel_only), cmocka_unit_test(registers),
                                      cmocka_unit_test(bits), cmocka_unit_test(malformed),
                                      cmocka_unit_test(single_dwords)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
