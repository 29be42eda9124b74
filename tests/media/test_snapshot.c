/* Snapshots: at every turn boundary of a piece of work, a device that is restored ends as the one
 * that was never interrupted: all of its memory, and all that a snapshot of its end has. Elsewhere
 * in this process at each of them, in another process at some. */
#include "stage.h"

#include "../render/scene.h"
#include "device/assembly.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TURNS 4000u   /* no piece of work has more */
#define ELSEWHERE 16u /* of so many turns one is continued in another process */

/* ---- pieces of work ---------------------------------------------------------------------------
 */

/* Binding table entry 0: a raw buffer. */
static void
put_buffer(struct stage *s)
{
   *stage_memory(s, STAGE_SURFACE) = 0x40;
   gen7_render_surface_state_pack(
       stage_memory(s, STAGE_SURFACE + 0x40),
       &(struct gen7_render_surface_state){.surface_type = 4,
                                           .surface_format = 0x1ff,
                                           .surface_base_address = STAGE_OUT,
                                           .width = 16383 & 127,
                                           .height = 16383 >> 7});
}

static void
put_kernel(struct stage *s, const char *text, struct gen7_interface_descriptor_data d)
{
   stage_standard(s, true);
   rig_set(s->rig, 0xb020, 0x00080041); /* L3 has shared local memory */
   put_buffer(s);
   stage_assemble(s, text, 0x400);
   d.kernel_start_pointer = 0x400;
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
}

static void
ring_walk(struct stage *s, unsigned simd, unsigned threads, unsigned groups)
{
   uint32_t dw[GEN7_GPGPU_WALKER_LENGTH];
   struct gen7_gpgpu_walker w = stage_walk(1, simd, threads, groups, 1, 1);
   gen7_gpgpu_walker_pack(dw, &w);
   rig_ring(s->rig, RCS, dw, GEN7_GPGPU_WALKER_LENGTH);
}

#define BARRIER                                                                                    \
   "send(8) null<1>UW g10<8,8,1>UD 0x02000004 gateway MsgDesc: mlen 1 rlen 0 { align1 WE_all 1Q "  \
   "};\n"                                                                                          \
   "wait(1) n0<1>UD { align1 WE_all 1N };\n"

/* Atomics on shared local memory and on the buffer, with barriers between. */
static void
groups(struct stage *s)
{
   put_kernel(
       s,
       "mov(8) g12<1>UD 0UD { align1 WE_all 1Q };\n"
       "mov(8) g13<1>UD 1UD { align1 WE_all 1Q };\n"
       "mov(8) g10<1>UD 0UD { align1 WE_all 1Q };\n"
       "and(1) g10.2<1>UD g0.2<0,1,0>UD 0x0f000000UD { align1 WE_all 1N };\n"
       "send(8) null<1>UW g12<8,8,1>UD 0x040197fe data MsgDesc: mlen 2 rlen 0 { align1 "
       "WE_all 1Q };\n" BARRIER
       "send(8) null<1>UW g12<8,8,1>UD 0x04019700 data MsgDesc: mlen 2 rlen 0 { align1 "
       "WE_all 1Q };\n" BARRIER END_OF_THREAD,
       (struct gen7_interface_descriptor_data){.barrier_enable = true,
                                               .shared_local_memory_size = 1,
                                               .number_of_threads_in_gpgpu_thread_group = 4});
   ring_walk(s, 8, 4, 24);
}

/* Threads by themselves, that take long, read what is there and write something else (a group that
 * ran twice would show). */
#define LONG_KERNEL                                                                                \
   "mov(8) g30<1>UW 0x76543210V { align1 WE_all 1Q };\n"                                           \
   "mov(8) g12<1>UD g30<8,8,1>UW { align1 WE_all 1Q };\n"                                          \
   "shl(8) g12<1>UD g12<8,8,1>UD 2UD { align1 WE_all 1Q };\n"                                      \
   "mov(8) g14<1>UD g0.1<0,1,0>UD { align1 WE_all 1Q };\n"                                         \
   "shl(8) g14<1>UD g14<8,8,1>UD 5UD { align1 WE_all 1Q };\n"                                      \
   "and(8) g14<1>UD g14<8,8,1>UD 0x3fffUD { align1 WE_all 1Q };\n"                                 \
   "add(8) g12<1>UD g12<8,8,1>UD g14<8,8,1>UD { align1 WE_all 1Q };\n"                             \
   "send(8) g20<1>UD g12<8,8,1>UD 0x02116e00 data MsgDesc: mlen 1 rlen 1 { align1 1Q };\n"         \
   "mov(1) g40<1>UD 20UD { align1 WE_all 1N };\n"                                                  \
   "L:\n"                                                                                          \
   "add(8) g20<1>UD g20<8,8,1>UD g12<8,8,1>UD { align1 WE_all 1Q };\n"                             \
   "add.nz.f0(1) g40<1>D g40<0,1,0>D -1D { align1 WE_all 1N };\n"                                  \
   "(+f0) jmpi(1) JIP: L { align1 WE_all 1N };\n"                                                  \
   "mov(8) g13<1>UD g20<8,8,1>UD { align1 WE_all 1Q };\n"                                          \
   "send(8) null<1>UW g12<8,8,1>UD 0x04036e00 data MsgDesc: mlen 2 rlen 0 { align1 1Q };\n"

static void
long_threads(struct stage *s)
{
   put_kernel(s, LONG_KERNEL END_OF_THREAD, (struct gen7_interface_descriptor_data){0});
   ring_walk(s, 8, 2, 20);
}

/* Root threads of a media walk, of which each waits for the one at its left. */
static void
media_walk(struct stage *s)
{
   uint32_t dw[GEN7_MEDIA_OBJECT_WALKER_LENGTH + 8];
   struct gen7_media_object_walker w = stage_raster(6, 5);
   struct gen7_media_vfe_state v = stage_vfe();
   stage_standard(s, false);
   v.scoreboard_enable = true;
   v.scoreboard_mask = 1;
   v.scoreboard_0_delta_x = -1;
   stage_put_vfe(s, &v);
   put_buffer(s);
   stage_assemble(s, LONG_KERNEL END_OF_THREAD, 0x400);
   struct gen7_interface_descriptor_data d = {.kernel_start_pointer = 0x400};
   stage_put_descriptor(s, 1, &d);
   stage_load_descriptors(s, 2);
   w.interface_descriptor_offset = 1;
   w.use_scoreboard = true;
   w.scoreboard_mask = 1;
   gen7_media_object_walker_pack(dw, &w);
   memset(dw + GEN7_MEDIA_OBJECT_WALKER_LENGTH, 0x11, 32);
   dw[0] += 8;
   rig_ring(s->rig, RCS, dw, GEN7_MEDIA_OBJECT_WALKER_LENGTH + 8);
}

#define BLIT(rop, from, to)                                                                        \
   0x54f00006 & ~0xc00u, 3u << 24 | (uint32_t)(rop) << 16 | 512, 0, 40u << 16 | 100, to, 0, 512,   \
       from

/* Copies, one of them inverted, and a fill over what was copied. */
static void
blits(struct stage *s)
{
   for (unsigned i = 0; i < 0x8000; i++)
      stage_memory(s, STAGE_OUT)[i] = i * 2654435761u;
   RING(s->rig, BCS, BLIT(0xcc, STAGE_OUT, STAGE_OUT + 0x8000),
        BLIT(0x66, STAGE_OUT, STAGE_OUT + 0x8204),
        BLIT(0xcc, STAGE_OUT + 0x8000, STAGE_OUT + 0x200), SDI, 0, STAGE_OUT, 77);
}

/* The blitter waits for the threads, the render engine then for the blitter, and in memory. */
static void
semaphores(struct stage *s)
{
   *stage_memory(s, RIG_DATA) = 0;
   RING(s->rig, BCS, SEMA | 1u << 20 | 1u << 18, 5, 0, BLIT(0x55, STAGE_OUT, STAGE_OUT), SDI, 0,
        RIG_DATA, 9);
   put_kernel(s, LONG_KERNEL END_OF_THREAD, (struct gen7_interface_descriptor_data){0});
   ring_walk(s, 8, 2, 4);
   RING(s->rig, RCS, PC, 1u << 20 | 1u << 1, 0, 0, 0, SEMA | 1u << 21 | 1u << 18, 6, 0x22040,
        SEMA | 1u << 20 | 1u << 22, 8, RIG_DATA);
   ring_walk(s, 8, 2, 4);
}

#define CONTEXT_A 0x300000u
#define CONTEXT_B 0x340000u
#define SET_CONTEXT(a, flags) 0x0c000000, (a) | 1u << 8 | (flags), 0

/* A walk in a batch that the host preempts on its way (turn()), another context with work of its
 * own, and back. */
static void
preemption(struct stage *s)
{
   RING(s->rig, RCS, SET_CONTEXT(CONTEXT_A, 1));
   put_kernel(s, LONG_KERNEL END_OF_THREAD, (struct gen7_interface_descriptor_data){0});
   struct gen7_gpgpu_walker w = stage_walk(1, 8, 2, 40, 1, 1);
   uint32_t *batch = stage_memory(s, RIG_BATCH);
   gen7_gpgpu_walker_pack(batch, &w);
   memcpy(batch + 11, IDS(0x70040000, 0, 0x02800000 /* MI_ARB_CHECK */, BBE, 0), 20);
   RING(s->rig, RCS, BBS, RIG_BATCH, 0, 0);
   s->value[2] = s->rig->tail[RCS];
   RING(s->rig, RCS, LRI(1), 0x2134, 0, PC, 1u << 20 | 1u << 1, 0, 0, 0, SET_CONTEXT(CONTEXT_B, 1));
   *stage_memory(s, RIG_DATA) = s->value[2];
}

/* A texel of a surface for every channel. */
static void
sampler(struct stage *s)
{
   put_kernel(s,
              "mov(8) g30<1>UW 0x76543210V { align1 WE_all 1Q };\n"
              "mov(8) g12<1>UD g30<8,8,1>UW { align1 WE_all 1Q };\n"
              "mov(8) g13<1>UD 0UD { align1 WE_all 1Q };\n"
              "mov(8) g14<1>UD g0.1<0,1,0>UD { align1 WE_all 1Q };\n"
              "send(8) g20<1>UD g12<8,8,1>UD 0x06427001 sampler MsgDesc: mlen 3 rlen 4 { align1 1Q "
              "};\n"
              "shl(8) g12<1>UD g12<8,8,1>UD 2UD { align1 WE_all 1Q };\n"
              "shl(8) g14<1>UD g14<8,8,1>UD 5UD { align1 WE_all 1Q };\n"
              "add(8) g12<1>UD g12<8,8,1>UD g14<8,8,1>UD { align1 WE_all 1Q };\n"
              "add(8) g13<1>UD g20<8,8,1>UD g21<8,8,1>UD { align1 WE_all 1Q };\n"
              "send(8) null<1>UW g12<8,8,1>UD 0x04036e00 data MsgDesc: mlen 2 rlen 0 { align1 1Q "
              "};\n" END_OF_THREAD,
              (struct gen7_interface_descriptor_data){0});
   stage_memory(s, STAGE_SURFACE)[1] = 0x80;
   gen7_render_surface_state_pack(
       stage_memory(s, STAGE_SURFACE + 0x80),
       &(struct gen7_render_surface_state){.surface_type = 1,
                                           .surface_format = 2, /* R32G32B32A32_UINT */
                                           .surface_base_address = STAGE_OUT + 0x8000,
                                           .width = 7,
                                           .height = 31,
                                           .surface_pitch = 127});
   for (unsigned i = 0; i < 1024; i++)
      stage_memory(s, STAGE_OUT + 0x8000)[i] = i * 2654435761u;
   ring_walk(s, 8, 1, 24);
}

/* Three rectangles over each other, of which each pixel shader takes long and reads no memory. */
static void
draws(struct stage *s)
{
   void *state;
   setup(&state);
   struct scene *c = state;
   memcpy(stage_memory(s, KERNELS), rig_ggtt(c->rig, KERNELS), 4096);
   rig_destroy(c->rig);
   c->rig = s->rig;
   load_kernel(c, 0x400,
               "add(8) g10<1>UW g1.4<2,4,0>UW 0x10101010V { align1 WE_all 1Q };\n"
               "add(8) g11<1>UW g1.5<2,4,0>UW 0x11001100V { align1 WE_all 1Q };\n"
               "mov(1) g40<1>UD 9UD { align1 WE_all 1N };\n"
               "L:\n"
               "add.nz.f0(1) g40<1>D g40<0,1,0>D -1D { align1 WE_all 1N };\n"
               "(+f0) jmpi(1) JIP: L { align1 WE_all 1N };\n"
               "mov(8) g112<1>UD g10<8,8,1>UW { align1 1Q };\n"
               "mov(8) g113<1>UD g11<8,8,1>UW { align1 1Q };\n"
               "mov(8) g114<1>UD g0.6<0,1,0>UD { align1 1Q };\n"
               "mov(8) g115<1>UD g0.5<0,1,0>UD { align1 1Q };\n" END8);
   c->ps.kernel_start_pointer_0 = 0x400;
   set_rectangle(c, 0, 0, 0, 30, 20);
   set_rectangle(c, 1, 10, 5, 40, 31);
   set_rectangle(c, 2, 3, 3, 60, 9);
   c->primitive.vertex_count_per_instance = 9;
   uint32_t dw[512];
   prepare(c);
   rig_ring(s->rig, RCS, dw, record(c, dw));
   free(c);
}

static const struct work {
   const char *name;
   void (*put)(struct stage *s);
   uint64_t turn; /* units in each */
} works[] = {
    {"groups", groups, 13},  {"threads", long_threads, 61},  {"media walk", media_walk, 67},
    {"blits", blits, 5},     {"semaphores", semaphores, 41}, {"preemption", preemption, 151},
    {"sampler", sampler, 9}, {"draws", draws, 71},
};

/* ---- running them -----------------------------------------------------------------------------
 */

/* One turn. The host does its part in some: it asks for preemption, and later goes back. */
static bool
turn(struct stage *s, const struct work *w, unsigned number)
{
   uint32_t after = *stage_memory(s, RIG_DATA);
   enum pergola_run_result r = pergola_run(s->dev, w->turn);
   if (w->put != preemption)
      return r == PERGOLA_RUN_BUDGET;
   if (number == 6)
      rig_set(s->rig, 0x2134, after | 1);
   if (number == 30) { /* back, at the address of the command that was preempted */
      s->rig->tail[RCS] = rig_reg(s->rig, 0x2030);
      RING(s->rig, RCS, SET_CONTEXT(CONTEXT_A, 0), BBS, rig_reg(s->rig, 0x2148), 0);
   }
   return number < 30 || r == PERGOLA_RUN_BUDGET;
}

static unsigned
turns(struct stage *s, const struct work *w, unsigned from)
{
   while (from < TURNS && turn(s, w, from))
      from++;
   return from + 1;
}

static uint64_t
hash(const uint8_t *data, size_t size)
{
   uint64_t h = 1469598103934665603u;
   for (size_t i = 0; i < size; i++)
      h = (h ^ data[i]) * 1099511628211u;
   return h;
}

struct end {
   uint64_t memory, device;
};

static struct end
end_of(struct stage *s)
{
   size_t size = (size_t)pergola_device_save(s->dev, NULL, 0);
   uint8_t *device = malloc(size);
   assert_int_equal(pergola_device_save(s->dev, device, size), size);
   struct end e = {hash(s->rig->ram, RIG_RAM), hash(device, size)};
   free(device);
   return e;
}

static struct stage *
bench(void)
{
   struct stage *s = stage_create("ivb-gt2");
   media_set_run(s->media, eu_run_inside);
   return s;
}

/* The rest of the work from a file, on another device. */
static struct end
continued(const struct work *w, const char *path, unsigned from)
{
   struct stage *s = bench();
   const char *error = NULL;
   if (pergola_machine_load(&s->rig->machine, path, &error))
      fail_msg("%s, turn %u: refused: %s", w->name, from, error);
   turns(s, w, from);
   struct end e = end_of(s);
   stage_destroy(s);
   return e;
}

/* This program again, told to do just that. */
static struct end
continued_elsewhere(const struct work *w, const char *path, unsigned from)
{
   char self[4096], command[8600];
   ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
   assert_true(length > 0);
   self[length] = 0;
   snprintf(command, sizeof(command), "'%s' --continue %u '%s' %u", self, (unsigned)(w - works),
            path, from);
   FILE *f = popen(command, "r");
   assert_non_null(f);
   struct end e = {0};
   assert_int_equal(fscanf(f, "%lx %lx", &e.memory, &e.device), 2);
   assert_int_equal(pclose(f), 0);
   return e;
}

static void
assert_same(const struct work *w, unsigned at, const char *where, struct end is, struct end was)
{
   if (is.memory != was.memory || is.device != was.device)
      fail_msg("%s, saved after turn %u, continued %s: the %s differs", w->name, at, where,
               is.memory != was.memory ? "memory" : "device");
}

static void
every_turn(void **state)
{
   const struct work *w = *state;
   char path[] = "/tmp/pergola-snapshot-XXXXXX";
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   close(fd);
   struct stage *s = bench(), *t = bench();
   w->put(s);
   unsigned count = turns(s, w, 0);
   struct end end = end_of(s);
   assert_in_range(count, 16, TURNS - 1); /* there is something in the middle */
   w->put(t);
   for (unsigned i = 0; i + 1 < count; i++) {
      const char *error = NULL;
      turn(t, w, i);
      if (pergola_machine_save(&t->rig->machine, path, &error))
         fail_msg("%s", error);
      assert_same(w, i, "here", continued(w, path, i + 1), end);
      if (i % ELSEWHERE == 7)
         assert_same(w, i, "elsewhere", continued_elsewhere(w, path, i + 1), end);
   }
   turn(t, w, count - 1);
   assert_same(w, count, "not at all", end_of(t), end);
   stage_destroy(s);
   stage_destroy(t);
   unlink(path);
}

/* ---- hostile ones -----------------------------------------------------------------------------
 */

struct bytes {
   uint8_t *data;
   size_t size;
};

/* A snapshot from the middle of the work. */
static struct bytes
middle_of(struct stage *s, const struct work *w, unsigned turns_before)
{
   w->put(s);
   for (unsigned i = 0; i < turns_before; i++)
      turn(s, w, i);
   struct bytes b = {.size = (size_t)pergola_device_save(s->dev, NULL, 0)};
   b.data = malloc(b.size);
   assert_int_equal(pergola_device_save(s->dev, b.data, b.size), b.size);
   return b;
}

/* After a refusal the device is as new: a store from a ring arrives. */
static void
assert_works(struct stage *s)
{
   rig_start(s->rig, RCS, 16, 0);
   *stage_memory(s, RIG_DATA) = 0;
   SUBMIT(s->rig, RCS, SDI, 0, RIG_DATA, 0x600d);
   assert_int_equal(*stage_memory(s, RIG_DATA), 0x600d);
}

static void
assert_refused(struct stage *s, const void *data, size_t size, const char *why)
{
   const char *error = "";
   assert_int_equal(pergola_device_restore(s->dev, data, size, &error), -EINVAL);
   assert_string_equal(error, why);
}

/* Too little room, cut off, too long, damaged, of another version, of another part. */
static void
headers_that_lie(void **state)
{
   (void)state;
   struct stage *s = bench(), *other = stage_create("ivb-gt1");
   struct bytes b = middle_of(s, &works[0], 20);
   uint8_t *copy = malloc(b.size + 8);
   memset(copy, 0x5a, b.size + 8);
   assert_int_equal(pergola_device_save(s->dev, copy, b.size - 1), b.size);
   for (size_t i = 0; i < b.size; i++)
      assert_int_equal(copy[i], 0x5a); /* nothing is written where it does not fit */
   memcpy(copy, b.data, b.size);
   for (size_t n = 0; n < b.size; n += n < 128 ? 1 : b.size / 61)
      assert_refused(s, b.data, n, "it is cut off");
   assert_refused(s, copy, b.size + 8, "something lies behind its end");
   assert_refused(other, b.data, b.size, "it is of another part");
   for (size_t i = 64; i < b.size; i += b.size / 97) {
      copy[i] ^= 1u << i % 8;
      assert_refused(s, copy, b.size, "it is damaged");
      copy[i] ^= 1u << i % 8;
   }
   copy[0] ^= 1;
   assert_refused(s, copy, b.size, "it is no snapshot of a device");
   copy[0] ^= 1;
   copy[8]++;
   assert_refused(s, copy, b.size, "it was made by another version");
   device_snapshot_seal(s->dev, copy, b.size - 1);
   assert_refused(s, copy, b.size - 1, "it is cut off"); /* whatever the header says */
   assert_works(s);
   /* … and the one that was not touched is taken. */
   assert_int_equal(pergola_device_restore(s->dev, b.data, b.size, NULL), 0);
   free(copy);
   free(b.data);
   stage_destroy(s);
   stage_destroy(other);
}

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

#define FLIPS 150u

/* Bits that are flipped behind a header that fits: refused, and the device works; or taken, and
 * whatever it then does ends. */
static void
flipped_bits(void **state)
{
   const struct work *w = *state;
   struct stage *s = bench();
   struct bytes b = middle_of(s, w, 24);
   uint8_t *copy = malloc(b.size);
   uint32_t seed = 7;
   unsigned refused = 0;
   for (unsigned i = 0; i < FLIPS; i++) {
      const char *error = NULL;
      memcpy(copy, b.data, b.size);
      for (unsigned n = 1 + next(&seed) % 3; n; n--)
         copy[64 + next(&seed) % (b.size - 64)] ^= (uint8_t)(1u << next(&seed) % 8);
      device_snapshot_seal(s->dev, copy, b.size);
      refused += pergola_device_restore(s->dev, copy, b.size, &error) != 0;
      for (unsigned k = 0; k < 20 && !error; k++)
         turn(s, w, 100 + k);
   }
   assert_in_range(refused, 1, FLIPS);
   pergola_function_reset(s->dev);
   assert_works(s);
   free(copy);
   free(b.data);
   stage_destroy(s);
}

/* A machine's file: the same questions of it. */
static void
files_that_lie(void **state)
{
   (void)state;
   char path[] = "/tmp/pergola-snapshot-XXXXXX";
   int fd = mkstemp(path);
   assert_true(fd >= 0);
   struct stage *s = bench();
   const char *error = NULL;
   free(middle_of(s, &works[0], 20).data);
   assert_int_equal(pergola_machine_save(&s->rig->machine, path, &error), 0);
   static const struct {
      off_t at;
      uint8_t with;
      const char *why;
   } table[] = {{0, 'Q', "it is no saved machine"},
                {8, 99, "it was made by another version"},
                {16, 1, "its memory has another size"},
                {27, 1, "it is cut off"},
                {33, 1, "it is cut off"},
                {40, 'Q', "it is no snapshot of a device"}};
   for (unsigned i = 0; i < COUNT(table); i++) {
      uint8_t was;
      assert_int_equal(pread(fd, &was, 1, table[i].at), 1);
      assert_int_equal(pwrite(fd, &table[i].with, 1, table[i].at), 1);
      assert_int_equal(pergola_machine_load(&s->rig->machine, path, &error), -EINVAL);
      assert_string_equal(error, table[i].why);
      assert_int_equal(pwrite(fd, &was, 1, table[i].at), 1);
   }
   assert_int_equal(pergola_machine_load(&s->rig->machine, path, &error), 0);
   off_t size = lseek(fd, 0, SEEK_END);
   uint64_t far = RIG_RAM / 4096;
   assert_int_equal(pwrite(fd, &far, 8, size - 4104), 8);
   assert_int_equal(pergola_machine_load(&s->rig->machine, path, &error), -EINVAL);
   assert_string_equal(error, "a page lies outside the memory");
   assert_int_equal(ftruncate(fd, size - 1), 0);
   assert_int_equal(pergola_machine_load(&s->rig->machine, path, &error), -EINVAL);
   unlink(path);
   assert_int_equal(pergola_machine_load(&s->rig->machine, path, &error), -EIO);
   assert_int_equal(pergola_machine_save(&s->rig->machine, "/", &error), -EIO);
   close(fd);
   stage_destroy(s);
}

static int
continue_work(char **argv)
{
   const struct work *w = &works[strtoul(argv[0], NULL, 0)];
   struct end e = continued(w, argv[1], (unsigned)strtoul(argv[2], NULL, 0));
   printf("%lx %lx\n", e.memory, e.device);
   return 0;
}

#define WORKS (sizeof(works) / sizeof(works[0]))

int
main(int argc, char **argv)
{
   struct CMUnitTest tests[2 * WORKS + 2];
   if (argc == 5 && !strcmp(argv[1], "--continue"))
      return continue_work(argv + 2);
   static char names[2 * WORKS][64];
   for (unsigned i = 0; i < 2 * WORKS; i++) {
      const struct work *w = &works[i % WORKS];
      snprintf(names[i], sizeof(names[i]), "%s, %s", w->name,
               i < WORKS ? "every turn" : "flipped bits");
      tests[i] = (struct CMUnitTest){.name = names[i],
                                     .test_func = i < WORKS ? every_turn : flipped_bits,
                                     .initial_state = (void *)(uintptr_t)w};
   }
   tests[2 * WORKS] = (struct CMUnitTest)cmocka_unit_test(headers_that_lie);
   tests[2 * WORKS + 1] = (struct CMUnitTest)cmocka_unit_test(files_that_lie);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
