/* Rows of buffers through windows of translated pages (native code) against the interpreter, which
 * asks for every message: pages in any order, some absent, buffers that begin and end anywhere,
 * rows that are none, and a walk during whose pauses pages move. */
#include "stage.h"

#include "machine/host.h"
#include "eu/jit/jit.h"

#include <stdio.h>

#define CASES 200u
#define GROUPS 48u
#define THREADS 4u
#define ROWS 4u
#define FROM 0x280000u /* 16 pages that are read … */
#define TO 0x290000u   /* … and 16 that are written */
#define PAGES 32u

static const char text[] =
    /* g40: group, thread and channel as an offset; g1: the first constant of a thread, four times
       its number. */
    "mov(8) g30<1>UW 0x76543210V { align1 WE_all 1Q };\n"
    "add(8) g30.8<1>UW g30<8,8,1>UW 0x0008UW { align1 WE_all 1Q };\n"
    "mov(16) g32<1>D g30<8,8,1>UW { align1 WE_all 1H };\n"
    "shl(16) g32<1>D g32<8,8,1>D %uUD { align1 WE_all 1H };\n"
    "mov(16) g34<1>UD g0.1<0,1,0>UD { align1 WE_all 1H };\n"
    "shl(16) g34<1>D g34<8,8,1>D 0x00000008UD { align1 WE_all 1H };\n"
    "mov(16) g36<1>UD g1<0,1,0>UD { align1 WE_all 1H };\n"
    "shl(16) g36<1>D g36<8,8,1>D 0x00000004UD { align1 WE_all 1H };\n"
    "add(16) g40<1>D g32<8,8,1>D g34<8,8,1>D { align1 WE_all 1H };\n"
    "add(16) g40<1>D g40<8,8,1>D g36<8,8,1>D { align1 WE_all 1H };\n"
    "add(16) g40<1>D g40<8,8,1>D %dD { align1 WE_all 1H };\n"
    "send(16) g50<1>UD g40<8,8,1>UD 0x04215e00 data MsgDesc: mlen 2 rlen 2 { align1 1H };\n"
    "add(16) g42<1>D g50<8,8,1>D g40<8,8,1>D { align1 1H };\n"
    "send(16) null<1>UW g40<8,8,1>UD 0x08035e01 data MsgDesc: mlen 4 rlen 0 { align1 1H };\n"
    /* one half of it again, and what was written is read */
    "mov(8) g52<1>D g40<8,8,1>D { align1 1Q };\n"
    "send(8) g54<1>UD g52<8,8,1>UD 0x02116e01 data MsgDesc: mlen 1 rlen 1 { align1 1Q };\n"
    "add(8) g53<1>D g54<8,8,1>D 5D { align1 1Q };\n"
    "send(8) null<1>UW g52<8,8,1>UD 0x04036e01 data MsgDesc: mlen 2 rlen 0 { align1 1Q };\n"
    "mov(8) g127<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
    "send(8) null<1>UW g127<8,8,1>UD 0x02000010 thread_spawner MsgDesc: mlen 1 rlen 0 { align1 "
    "WE_all 1Q EOT };\n";

struct plan {
   uint32_t page[PAGES]; /* entry of each page, by its number; 0: absent */
   uint32_t base[2], size[2];
   unsigned shift;
   int distance;
   uint64_t budget; /* of one turn; then two pages change places */
   bool moves;
};

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

static struct plan
plan_of(uint32_t seed)
{
   struct plan p = {.shift = 2, .budget = 1u << 30};
   for (unsigned i = 0; i < PAGES; i++)
      p.page[i] = i;
   if (next(&seed) % 2)
      for (unsigned i = 0; i < PAGES; i++) {
         unsigned other = next(&seed) % PAGES;
         uint32_t page = p.page[i];
         p.page[i] = p.page[other];
         p.page[other] = page;
      }
   for (unsigned i = 0; i < 2; i++) {
      p.base[i] = (i ? TO : FROM) + (next(&seed) % 2 ? 4 * (next(&seed) % 2048) : 0);
      p.size[i] = 1 + next(&seed) % 0x4000;
      if (next(&seed) % 8)
         p.size[i] = (p.size[i] + 15) & ~15u;
   }
   if (next(&seed) % 4 == 0)
      p.shift = next(&seed) % 4;
   static const int distances[] = {0, 0, 0, 4, 28, 32, 60, 4032, 4092, 2, -4, -64, 0x7fffff00};
   p.distance = distances[next(&seed) % COUNT(distances)];
   if (next(&seed) % 4 == 0)
      p.page[next(&seed) % PAGES] = UINT32_MAX;
   if (next(&seed) % 3 == 0) {
      p.budget = 100 + next(&seed) % 2000;
      p.moves = next(&seed) % 2;
   }
   return p;
}

/* Model page `at` of the buffers' room lies in page `from` of it. */
static void
map(struct stage *s, unsigned at, uint32_t from)
{
   uint32_t *entry = &s->dev->gsm[(FROM >> 12) + at];
   *entry = from == UINT32_MAX ? 0 : (RIG_PHYS + FROM + from * 4096) | 1;
}

static void
surface(struct stage *s, unsigned index, uint32_t base, uint32_t size)
{
   stage_memory(s, STAGE_SURFACE)[index] = 0x40 + 0x20 * index;
   gen7_render_surface_state_pack(stage_memory(s, STAGE_SURFACE + 0x40 + 0x20 * index),
                                  &(struct hw_render_surface_state){.surface_type = 4,
                                                                    .surface_format = 0x1ff,
                                                                    .surface_base_address = base,
                                                                    .width = (size - 1) & 127,
                                                                    .height = (size - 1) >> 7});
}

static void
load_kernel(struct stage *s, const struct plan *p)
{
   char whole[8192];
   snprintf(whole, sizeof(whole), text, p->shift, p->distance);
   stage_assemble(s, whole, 0x400);
}

struct outcome {
   uint8_t memory[PAGES * 4096];
   unsigned faults, others, turns;
   bool windows; /* were there any at the end? */
};

static bool
has_windows(const struct stage *s)
{
   const struct sf_buffers *b = ((struct group_worker *)(void *)s->media->crew.worker[0])->buffers;
   return b->view[0].window[0].limit[0] || b->view[1].window[1].limit[0];
}

static void
walk(struct stage *s, const struct plan *p, struct outcome *o)
{
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   struct hw_gpgpu_walker w = stage_walk(1, 16, THREADS, GROUPS, 1, 1);
   gen7_gpgpu_walker_pack(dw, &w);
   uint32_t seed = p->base[0];
   while (stage_direct(s, dw, GEN7_GPGPU_WALKER_LENGTH, p->budget) == CS_AGAIN) {
      o->turns++;
      o->windows |= has_windows(s);
      if (!p->moves)
         continue;
      unsigned a = next(&seed) % PAGES, b = next(&seed) % PAGES;
      uint32_t entry = s->dev->gsm[(FROM >> 12) + a];
      s->dev->gsm[(FROM >> 12) + a] = s->dev->gsm[(FROM >> 12) + b];
      s->dev->gsm[(FROM >> 12) + b] = entry;
      mem_invalidate_all(s->dev);
   }
   o->windows |= has_windows(s);
}

static void
run(const struct plan *p, unsigned native_after, struct outcome *o)
{
   struct stage *s = stage_create("ivb-gt2");
   memset(o, 0, sizeof(*o));
   s->dev->eu->native_after = native_after;
   media_set_run(s->media, eu_run_inside);
   stage_standard(s, true);
   for (unsigned i = 0; i < 2; i++)
      surface(s, i, p->base[i], p->size[i]);
   load_kernel(s, p);
   uint32_t seed = 1;
   for (unsigned i = 0; i < sizeof(o->memory) / 4; i++)
      stage_memory(s, FROM)[i] = next(&seed);
   for (unsigned i = 0; i < PAGES; i++)
      map(s, i, p->page[i]);
   mem_invalidate_all(s->dev);
   struct hw_interface_descriptor_data d = {.kernel_start_pointer = 0x400,
                                            .constant_urb_entry_read_length = ROWS};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   walk(s, p, o);
   memcpy(o->memory, s->rig->ram + FROM, sizeof(o->memory));
   for (const struct rig_diagnostic *r = s->rig->diagnostics; r; r = r->next)
      *(strcmp(r->rule, "RCS-054") ? &o->others : &o->faults) += 1;
   stage_destroy(s);
}

static void
rows_by_windows(void **state)
{
   (void)state;
   static struct outcome asked, native;
   unsigned windows = 0, turns = 0, faults = 0;
   if (!host_has_vectors())
      skip();
   for (unsigned i = 0; i < CASES; i++) {
      struct plan p = plan_of(i);
      run(&p, 0, &asked);
      run(&p, 1, &native);
      assert_false(asked.windows);
      windows += native.windows;
      turns += native.turns;
      faults += native.faults;
      if (asked.faults != native.faults || asked.others != native.others)
         fail_msg("case %u: %u faults and %u other reports when asked for, %u and %u with windows",
                  i, asked.faults, asked.others, native.faults, native.others);
      for (unsigned n = 0; n < sizeof(asked.memory); n++)
         if (asked.memory[n] != native.memory[n])
            fail_msg("case %u: byte %#x is %02x when asked for, %02x with windows", i, n,
                     asked.memory[n], native.memory[n]);
   }
   /* It has been a test of something. */
   assert_in_range(windows, CASES / 2, CASES);
   assert_in_range(turns, CASES, UINT32_MAX);
   assert_in_range(faults, 5, UINT32_MAX);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(rows_by_windows)};
   return cmocka_run_group_tests_name("media_windows", tests, NULL, NULL);
}
