/* Typed messages in native code (eu/jit/texels.c) against the interpreter: random kernels that
 * copy, change and partly overwrite coordinates between their messages, on random images. */
#include "texels.h"

#include "../fuzz/twins.h"
#include "eu/isa/asm.h"
#include "surface/cache.h"
#include "tests/proves.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define STATES 0x00200000u /* binding table of the bench, then surface states */
#define ROUNDS 2500u
enum { BASES = 4, FIRST_BASE = 10, PAYLOADS = 6, FIRST_PAYLOAD = 40, PAYLOAD_REGISTERS = 7 };

static uint32_t seed;

static uint32_t
rnd(uint32_t n)
{
   return twins_random(&seed) % n;
}

/* ---- images ---------------------------------------------------------------------------------- */

/* Of two tiles, one above the other or beside it; the last one is smaller than it says. */
static void
make_image(struct twins *w, unsigned index)
{
   static const uint16_t formats[] = {
       GEN7_SURFACE_FORMAT_R32_UINT,       GEN7_SURFACE_FORMAT_R32_FLOAT,
       GEN7_SURFACE_FORMAT_R32_SINT,       GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM,
       GEN7_SURFACE_FORMAT_R8G8B8A8_UNORM, GEN7_SURFACE_FORMAT_B8G8R8A8_UNORM,
       GEN7_SURFACE_FORMAT_R8G8B8A8_UINT,  GEN7_SURFACE_FORMAT_R16_UINT};
   bool wide = rnd(2), small = !rnd(8);
   struct hw_render_surface_state s = {.surface_type = rnd(12) ? SURFTYPE_2D : rnd(8),
                                       .surface_format = formats[rnd(4) ? index * 3 : rnd(8)],
                                       .surface_array = rnd(2),
                                       .width = (wide ? 64 : 32) - 1 - rnd(3),
                                       .height = small ? rnd(8) : (wide ? 32 : 64) - 1 - rnd(9),
                                       .surface_pitch = (wide ? 256 : 128) - 1,
                                       .tiled_surface = rnd(12) != 0,
                                       .tile_walk = rnd(12) != 0};
   if (!rnd(6)) {
      s.x_offset = rnd(3);
      s.y_offset = rnd(3);
      s.height -= s.height > 16 ? 12 : 0;
      s.width -= 12;
   }
   if (!rnd(16))
      s.height += 64; /* past the end of what is mapped */
   for (unsigned n = 0; n < 2; n++) {
      const struct twin *one = &w->twin[n];
      const struct eu_thread *t = one->t;
      struct mem_space *space = one->dev->eu ? t->env->space : NULL;
      uint32_t at = STATES + 0x400 + index * 32, old[8];
      uint32_t *state = (uint32_t *)(void *)mem_translate(space, at, MEM_WRITE);
      struct hw_render_surface_state was;
      memcpy(old, state, sizeof(old));
      gen7_render_surface_state_unpack(&was, old);
      s.surface_base_address = was.surface_base_address & ~4095u;
      gen7_render_surface_state_pack(state, &s);
      surface_cache_invalidate(one->dev->surfaces);
   }
}

/* ---- kernels --------------------------------------------------------------------------------- */

struct text {
   char line[32768];
   size_t size;
};

__attribute__((format(printf, 2, 3))) static void
put(struct text *t, const char *format, ...)
{
   va_list list;
   va_start(list, format);
   int n = vsnprintf(t->line + t->size, sizeof(t->line) - t->size, format, list);
   va_end(list);
   assert_true(n > 0 && t->size + (size_t)n < sizeof(t->line));
   t->size += (size_t)n;
}

static unsigned
payload(void)
{
   return FIRST_PAYLOAD + PAYLOAD_REGISTERS * rnd(PAYLOADS);
}

static unsigned
base(unsigned which)
{
   return FIRST_BASE + 2 * rnd(BASES) + which;
}

/* Columns and rows of a block, mostly; or anything. */
static void
put_bases(struct text *t)
{
   static const char *const patterns[2][4] = {
       {"0x11110000V", "0x22220000V", "0x33330000V", "0x76543210V"},
       {"0x32103210V", "0x32103210V", "0x00000000V", "0x32103211V"}};
   for (unsigned i = 0; i < BASES; i++)
      for (unsigned which = 0; which < 2; which++) {
         unsigned r = FIRST_BASE + 2 * i + which;
         put(t, "mov(8) g%u<1>D %s { align1 WE_all 1Q };\n", r,
             patterns[which][rnd(4) ? 0 : rnd(4)]);
         put(t, "add(8) g%u<1>D g%u<8,8,1>D %dD { align1 1Q };\n", r, r,
             rnd(3) ? (int)rnd(28) : (int)rnd(70) - 4);
      }
}

static void
put_coordinates(struct text *t, unsigned to)
{
   if (rnd(3))
      put(t, "mov(8) g%u<1>D g%u<8,8,1>D { align1 1Q };\n", to + 1, base(0));
   if (rnd(3))
      put(t, "mov(8) g%u<1>D g%u<8,8,1>D { align1 1Q };\n", to + 2, base(1));
}

static void
put_message(struct text *t, unsigned from, unsigned to)
{
   unsigned bti = rnd(2), high = rnd(2), quarter = 1 + rnd(2);
   if (rnd(2) || bti) { /* what has four channels is written */
      unsigned mask = rnd(12) ? 0 : rnd(15), count = (unsigned)__builtin_popcount(15 & ~mask);
      put(t, "send(8) null<1>UW g%u<8,8,1>UD 0x%08x render { align1 %uQ };\n", from,
          (3 + count) << 25 | 1u << 19 | 13u << 14 | high << 13 | mask << 8 | bti, quarter);
   }
   if (rnd(4)) {
      unsigned mask = rnd(12) ? 14 : rnd(15), count = (unsigned)__builtin_popcount(15 & ~mask);
      put(t, "send(8) g%u<1>UW g%u<8,8,1>UD 0x%08x render { align1 %uQ };\n", to, from,
          3u << 25 | count << 20 | 1u << 19 | 5u << 14 | high << 13 | mask << 8 | bti, quarter);
   }
}

static void
put_step(struct text *t)
{
   unsigned to = payload(), b = base(rnd(2));
   switch (rnd(14)) {
   case 0:
   case 1:
      put(t, "add(8) g%u<1>D g%u<8,8,1>D %dD { align1 1Q };\n", b, b, (int)rnd(5) - 2);
      break;
   case 2: /* a copy that is none */
      put(t, "mov%s(8) g%u<1>D %sg%u<8,8,1>D { align1 1Q };\n", rnd(2) ? ".sat" : "", to + 1,
          rnd(2) ? "-" : "", base(0));
      break;
   case 3: /* a dword, a word of it */
      put(t, "mov(1) g%u.%u<1>UD %uD { align1 WE_all 1N };\n", to + 1 + rnd(2), rnd(8), rnd(32));
      break;
   case 4:
      put(t, "mov(1) g%u.%u<1>UW %uUW { align1 WE_all 1N };\n", to + 1 + rnd(2), rnd(16), rnd(32));
      break;
   case 5: /* the header */
      put(t, "mov(1) g%u.7<1>UD 0x%08xUD { align1 WE_all 1N };\n", to,
          rnd(4) ? UINT32_MAX : rnd(UINT32_MAX));
      break;
   case 6: /* two registers, one onto the other now and then */
      put(t, "mov(16) g%u<1>D g%u<8,8,1>D { align1 1H };\n", to + rnd(3), FIRST_BASE + rnd(7));
      break;
   case 7:
      put(t, "mov(16) g%u<1>D g%u<8,8,1>D { align1 1H };\n", to + 1, to + rnd(3));
      break;
   case 8: /* the remainder is written behind the quotient */
      put(t, "mov(8) g99<1>D %uD { align1 1Q };\n", 1u << rnd(8));
      put(t, "math intdivmod(4) g%u<1>D g%u<4,4,1>D g99<4,4,1>D { align1 WE_all 1N };\n",
          to + rnd(3), b);
      put_message(t, to, 100);
      break;
   default:
      put_coordinates(t, to);
      /* Where it answers may be coordinates of others. */
      put_message(t, to, rnd(3) ? 100 + rnd(20) : rnd(2) ? payload() + rnd(3) : base(0));
      break;
   }
}

/* One U, and more V than places are kept for. */
static void
put_column(struct text *t)
{
   unsigned p = payload(), y = base(1);
   put(t, "mov(8) g%u<1>D 0x11110000V { align1 WE_all 1Q };\n", p + 1);
   put(t, "mov(8) g%u<1>D 0x32103210V { align1 WE_all 1Q };\n", y);
   for (unsigned n = 20; n; n--) {
      put(t, "mov(8) g%u<1>D g%u<8,8,1>D { align1 1Q };\n", p + 2, y);
      put(t, "send(8) g%u<1>UW g%u<8,8,1>UD 0x%08x render { align1 1Q };\n", 100 + n, p,
          3u << 25 | 1u << 20 | 1u << 19 | 5u << 14 | 14u << 8);
      put(t, "add(8) g%u<1>D g%u<8,8,1>D 1D { align1 1Q };\n", y, y);
   }
}

static void
make_kernel(struct text *t)
{
   t->size = 0;
   put_bases(t);
   for (unsigned i = 0; i < PAYLOADS; i++) {
      unsigned p = FIRST_PAYLOAD + PAYLOAD_REGISTERS * i;
      put(t, "mov(1) g%u.7<1>UD 0x%08xUD { align1 WE_all 1N };\n", p,
          rnd(8) ? UINT32_MAX : rnd(UINT32_MAX));
      put(t, "mov(8) g%u<1>D g%u<8,8,1>D { align1 1Q };\n", p + 1, base(0));
      put(t, "mov(8) g%u<1>D g%u<8,8,1>D { align1 1Q };\n", p + 2, base(1));
   }
   for (unsigned i = 0; i < 10; i++) /* windows open */
      put_message(t, payload(), 100);
   put(t, "nop;\n");
   for (unsigned n = 8 + rnd(40); n; n--)
      put_step(t);
   if (!rnd(4))
      put_column(t);
   put(t, "send(8) null<1>UW g127<8,8,1>UD 0x82000010 thread_spawner { align1 WE_all 1Q EOT };\n");
}

/* ---- both ways ------------------------------------------------------------------------------- */

static void
compare(enum pergola_check check)
{
   static struct twins w;
   static struct text t;
   unsigned windows[2] = {0, 0};
   seed = 20261118;
   assert_true(twins_open(&w, check));
   for (unsigned n = 0; n < ROUNDS; n++) {
      struct eu_program program;
      struct eu_asm_error error;
      struct twins_input in = {.mask = rnd(8) ? 0xffff : rnd(65536) | 1,
                               .marked = rnd(16) ? 8 : (uint8_t)rnd(8),
                               .budgets = rnd(4) ? 0 : 40,
                               .series = rnd(2),
                               .seed = rnd(UINT32_MAX) & ~(rnd(8) ? 8u : 0u)};
      if (n % 4 == 0 && n)
         for (unsigned i = 0; i < 2; i++)
            make_image(&w, i);
      make_kernel(&t);
      if (!eu_asm_text(t.line, t.size, w.twin[0].dev->hw_device, &program, &error))
         fail_msg("line %u: %s\n%s", error.line, error.message, t.line);
      in.kernel = program.bytes;
      in.size = program.size;
      const char *why = twins_run(&w, &in);
      if (why)
         fail_msg("round %u, mask %x, series %d: %s\n%s", n, in.mask, in.series, why, t.line);
      eu_program_free(&program);
      for (unsigned k = 0; k < 2; k++)
         windows[k] +=
             w.twin[1].buffers.view[0].blocks[k].width || w.twin[1].buffers.view[1].blocks[k].width;
   }
   twins_close(&w);
   if (windows[0] < ROUNDS / 4 || windows[1] < ROUNDS / 4)
      fail_msg("only %u and %u windows for blocks", windows[0], windows[1]);
}

void
texels(void **state)
{
   (void)state;
   proves("DP-227", "DP-237", "MEM-021");
   compare(PERGOLA_CHECK_OFF);
}

void
texels_with_rules(void **state)
{
   (void)state;
   compare(PERGOLA_CHECK_REPORT);
}
