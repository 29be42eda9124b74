/* Threads that run as a series (native code, set up but for little) against threads that the
 * interpreter runs one by one: what a thread leaves behind must not reach the next one. */
#include "stage.h"

#include "machine/host.h"
#include "eu/jit/jit.h"

#include <stdio.h>
#include "tests/proves.h"

#define GROUPS 40u
#define THREADS 4u
#define ROWS 16u
#define RESULT_SIZE (GROUPS * THREADS * 64)

/* g40: where the sixteen results of the thread go: group, then thread (its first constant is 16
 * times its number). */
#define PLACE                                                                                      \
   "mov(8) g30<1>UW 0x76543210V { align1 WE_all 1Q };\n"                                           \
   "add(8) g30.8<1>UW g30<8,8,1>UW 0x0008UW { align1 WE_all 1Q };\n"                               \
   "mov(16) g32<1>D g30<8,8,1>UW { align1 WE_all 1H };\n"                                          \
   "shl(16) g32<1>D g32<8,8,1>D 0x00000002UD { align1 WE_all 1H };\n"                              \
   "mov(16) g34<1>UD g0.1<0,1,0>UD { align1 WE_all 1H };\n"                                        \
   "shl(16) g34<1>D g34<8,8,1>D 0x00000008UD { align1 WE_all 1H };\n"                              \
   "mov(16) g36<1>UD g1<0,1,0>UD { align1 WE_all 1H };\n"                                          \
   "shl(16) g36<1>D g36<8,8,1>D 0x00000002UD { align1 WE_all 1H };\n"                              \
   "add(16) g40<1>D g32<8,8,1>D g34<8,8,1>D { align1 WE_all 1H };\n"                               \
   "add(16) g40<1>D g40<8,8,1>D g36<8,8,1>D { align1 WE_all 1H };\n"
/* g42 to memory. */
#define WRITE                                                                                      \
   "send(16) null<1>UW g40<8,8,1>UD 0x08035e00 data MsgDesc: mlen 4 rlen 0 { align1 1H };\n"
#define WRITE_ALL                                                                                  \
   "send(16) null<1>UW g40<8,8,1>UD 0x08035e00 data MsgDesc: mlen 4 rlen 0 { align1 WE_all 1H "    \
   "};\n"
#define END                                                                                        \
   "mov(8) g127<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"                                          \
   "send(8) null<1>UW g127<8,8,1>UD 0x02000010 thread_spawner MsgDesc: mlen 1 rlen 0 { align1 "    \
   "WE_all 1Q EOT };\n"

static const struct {
   const char *what, *text;
   bool series; /* is it one that can be run so? */
} kernels[] = {
    {"a constant that is read late", "mov(16) g42<1>UD g16.3<0,1,0>UD { align1 1H };\n", true},
    {"one register written, its neighbour a constant",
     "mov(8) g5<1>UD 7UD { align1 1Q };\n"
     "mov(16) g42<1>UD g5<8,8,1>UD { align1 1H };\n",
     true},
    {"flags before they are written, and written at the end",
     "(+f0.0) sel(16) g42<1>UD g2<8,8,1>UD g4<8,8,1>UD { align1 1H };\n"
     "cmp.nz.f0.0(16) null<1>D g40<8,8,1>D 1D { align1 1H };\n",
     true},
    {"a register that some channels write",
     "cmp.g.f0.0(16) null<1>D g32<8,8,1>D 20D { align1 1H };\n"
     "(+f0.0) mov(16) g10<1>UD 99UD { align1 1H };\n"
     "mov(16) g42<1>UD g10<8,8,1>UD { align1 1H };\n",
     true},
    {"half of a register as words",
     "mov(8) g7<1>UW g32<16,8,2>UW { align1 1Q };\n"
     "mov(16) g42<1>UD g7<8,8,1>UD { align1 1H };\n",
     true},
    {"a loop that channels leave one by one",
     "mov(16) g20<1>D 0D { align1 1H };\n"
     "again:\n"
     "add(16) g20<1>D g20<8,8,1>D g3<8,8,1>D { align1 1H };\n"
     "add(16) g20<1>D g20<8,8,1>D 3D { align1 1H };\n"
     "cmp.g.f0.0(16) null<1>D g20<8,8,1>D g32<8,8,1>D { align1 1H };\n"
     "(+f0.0) break(16) JIP: out UIP: out { align1 1H };\n"
     "mov(16) g12<1>D g20<8,8,1>D { align1 1H };\n"
     "out:\n"
     "while(16) JIP: again { align1 1H };\n"
     "add(16) g42<1>D g20<8,8,1>D g12<8,8,1>D { align1 1H };\n",
     true},
    {"nothing that goes by the mask", "mov(16) g42<1>UD g40<8,8,1>UD { align1 WE_all 1H };\n",
     true},
    {"the accumulator before it is written",
     "mov(16) g42<1>F acc0<8,8,1>F { align1 1H };\n"
     "mov(16) acc0<1>F g2<8,8,1>F { align1 1H };\n",
     false},
    {"the address register before it is written",
     "mov(1) g8<1>UW a0<0,1,0>UW { align1 WE_all 1N };\n"
     "mov(1) a0<1>UW 64UW { align1 WE_all 1N };\n"
     "mov(16) g42<1>UD g8<0,1,0>UW { align1 1H };\n",
     false},
    {"a rounding mode that stays behind",
     "add(16) g42<1>F g2<8,8,1>F 0.3F { align1 1H };\n"
     "mul(16) g42<1>F g42<8,8,1>F 0.7F { align1 1H };\n"
     "or(1) cr0<1>UD cr0<0,1,0>UD 0x00000020UD { align1 WE_all 1N switch };\n",
     false},
};

/* The results of all threads, and whether they ran as a series. */
static bool
run(const char *body, unsigned native_after, uint32_t mask, uint8_t *result)
{
   bool by_mask = strstr(body, "1H };") && !strstr(body, "WE_all 1H };");
   char text[8192];
   struct stage *s = stage_create("ivb-gt2");
   assert_non_null(s);
   s->dev->eu->native_after = native_after;
   media_set_run(s->media, eu_run_inside);
   stage_standard(s, true);
   *stage_memory(s, STAGE_SURFACE) = 0x40;
   gen7_render_surface_state_pack(
       stage_memory(s, STAGE_SURFACE + 0x40),
       &(struct hw_render_surface_state){.surface_type = 4,
                                         .surface_format = 0x1ff,
                                         .surface_base_address = STAGE_OUT,
                                         .width = (RESULT_SIZE - 1) & 127,
                                         .height = (RESULT_SIZE - 1) >> 7});
   snprintf(text, sizeof(text), "%s%s%s%s", PLACE, body, by_mask ? WRITE : WRITE_ALL, END);
   stage_assemble(s, text, 0x400);
   memset(stage_memory(s, STAGE_OUT), 0xee, RESULT_SIZE);
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400,
                                            .constant_urb_entry_read_length = ROWS};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   struct hw_gpgpu_walker w = stage_walk(1, 16, THREADS, GROUPS, 1, 1);
   w.right_execution_mask = mask;
   stage_walker(s, &w);
   stage_flush(s);
   memcpy(result, stage_memory(s, STAGE_OUT), RESULT_SIZE);
   bool series = ((struct group_worker *)(void *)s->media->crew.worker[0])->again != NULL;
   stage_destroy(s);
   return series;
}

/* EU-037: every thread starts in the same state, whoever had its place before. */
static void
threads_of_a_series(void **state)
{
   proves("EU-037");
   (void)state;
   static uint8_t one_by_one[RESULT_SIZE], as_series[RESULT_SIZE];
   static const uint32_t masks[] = {0xffff, 0x0fff, 0x8421, 0};
   if (!host_has_vectors())
      skip();
   for (unsigned i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
      for (unsigned m = 0; m < 4; m++) {
         assert_false(run(kernels[i].text, 0, masks[m], one_by_one));
         bool series = run(kernels[i].text, 1, masks[m], as_series);
         if (series != kernels[i].series)
            fail_msg("%s: %s", kernels[i].what,
                     series ? "ran as a series" : "did not run as a series");
         for (unsigned n = 0; n < RESULT_SIZE / 4; n++) {
            uint32_t a, b;
            memcpy(&a, one_by_one + 4 * n, 4);
            memcpy(&b, as_series + 4 * n, 4);
            if (a != b)
               fail_msg(
                   "%s, mask %#x: group %u, thread %u, channel %u: one by one %#x, as a series %#x",
                   kernels[i].what, masks[m], n / 16 / THREADS, n / 16 % THREADS, n % 16, a, b);
         }
      }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(threads_of_a_series)};
   return cmocka_run_group_tests_name("media_series", tests, NULL, NULL);
}
