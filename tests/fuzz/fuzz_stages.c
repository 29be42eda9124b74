/* Stages between vertices and pixels: tessellation factors, control data and vertex counts of
 * geometry shaders, declarations and buffers of stream output. The kernels are good ones that write
 * what the input says; all state around them is the input's.
 *
 * Byte 0: 0 to 2 a draw with HS, GS or neither of them, 3 as fuzz_rcs; byte 1: topology; byte 2:
 * vertices; byte 3: units of work at once; then the state, see struct choices. */
#include "eu/isa/asm.h"
#include "hw/hw.h"
#include "streamer.h"

#define KERNELS 0x100000u
#define GS_KERNEL 0x000u
#define HS_KERNEL 0x400u
#define DS_KERNEL 0x800u
#define CONSTANTS 0x110000u
#define VERTICES 0x120000u
#define TURNS 400u

static const char gs_text[] =
    "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
    "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"
    "mov(1) g112.2<1>UD g3.0<0,1,0>UD { align1 WE_all };\n" /* vertex counts */
    "mov(8) g113<1>UD g4<8,8,1>UD { align1 WE_all 1Q };\n"  /* control data */
    "send(8) null<1>UW g112<8,8,1>UD 0x04088000 urb MsgDesc: mlen 2 rlen 0 { align1 WE_all 1Q EOT "
    "};\n";
static const char hs_text[] =
    "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
    "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"
    "mov(1) g112.2<1>UD 0UD { align1 WE_all };\n"
    "mov(8) g113<1>UD g5<8,8,1>UD { align1 WE_all 1Q };\n" /* factors */
    "send(8) null<1>UW g112<8,8,1>UD 0x04088000 urb MsgDesc: mlen 2 rlen 0 { align1 WE_all 1Q EOT "
    "};\n";
static const char ds_text[] =
    "mov(8) g112<1>UD g0<8,8,1>UD { align1 WE_all 1Q };\n"
    "mov(1) g112.5<1>UD 0x0000ff00UD { align1 WE_all };\n"
    "mov(8) g113<1>UD g1<8,8,1>UD { align1 WE_all 1Q };\n"
    "send(8) null<1>UW g112<8,8,1>UD 0x0408c000 urb MsgDesc: mlen 2 rlen 0 { align1 1Q EOT };\n";

struct choices {
   uint32_t constants[16];
   uint32_t gs[6], hs[6], te[3], ds[5], streamout[2], so_buffer[4][3];
   uint32_t urb_gs, urb_hs, urb_ds, offset[4];
   uint32_t declarations[40];
};

static void
load(struct fuzz_streamer *s, uint32_t at, const char *text)
{
   struct eu_program p;
   struct eu_asm_error error;
   if (!eu_asm_text(text, strlen(text), HW_IVB, &p, &error))
      abort();
   memcpy(s->ram + KERNELS + at, p.bytes, p.size);
   eu_program_free(&p);
}

static unsigned
command(uint32_t *dw, uint32_t header, const uint32_t *rest, unsigned count)
{
   dw[0] = header | (count - 1);
   memcpy(dw + 1, rest, count * 4);
   return count + 1;
}

static unsigned
record(uint32_t *dw, const struct choices *c, unsigned mode, const uint8_t *data)
{
   static const uint32_t start[] = {0x69040000,
                                    0x61010008,
                                    1,
                                    1,
                                    1,
                                    1,
                                    KERNELS | 1,
                                    1,
                                    1,
                                    1,
                                    1, /* bases */
                                    0x78080003,
                                    12 | 1 << 14,
                                    VERTICES,
                                    VERTICES + 0xfff,
                                    0, /* a buffer */
                                    0x78090003,
                                    1 << 25,
                                    0x22220000,
                                    1 << 25 | 0x40 << 16,
                                    0x11130000,
                                    0x78300000,
                                    32 | 1 << 16, /* entries of vertices */
                                    0x7a000003,
                                    1 << 11,
                                    0,
                                    0,
                                    0};
   unsigned n = sizeof(start) / 4;
   uint32_t state[8];
   memcpy(dw, start, sizeof(start));
   n += command(dw + n, 0x78160000, (const uint32_t[6]){2, 0, CONSTANTS}, 6); /* CONSTANT_GS */
   n += command(dw + n, 0x78190000, (const uint32_t[6]){1, 0, CONSTANTS + 32}, 6);
   memcpy(state, c->gs, sizeof(c->gs));
   state[0] = GS_KERNEL;
   state[4] = (state[4] & ~1u) | (mode == 1);
   n += command(dw + n, 0x78110000, state, 6);
   memcpy(state, c->hs, sizeof(c->hs));
   state[1] = (state[1] & 0x7fffffff) | (uint32_t)(mode == 0) << 31;
   state[2] = HS_KERNEL;
   n += command(dw + n, 0x781b0000, state, 6);
   memcpy(state, c->te, sizeof(c->te));
   state[0] = (state[0] & ~1u) | (mode == 0);
   n += command(dw + n, 0x781c0000, state, 3);
   memcpy(state, c->ds, sizeof(c->ds));
   state[0] = DS_KERNEL;
   state[4] = (state[4] & ~1u) | (mode == 0);
   n += command(dw + n, 0x781d0000, state, 5);
   n += command(dw + n, 0x78330000, &c->urb_gs, 1);
   n += command(dw + n, 0x78310000, &c->urb_hs, 1);
   n += command(dw + n, 0x78320000, &c->urb_ds, 1);
   n += command(dw + n, 0x781e0000, c->streamout, 2);
   for (unsigned i = 0; i < 4; i++) {
      n += command(dw + n, 0x79180000, c->so_buffer[i], 3);
      dw[n++] = 0x11000001;
      dw[n++] = 0x5280 + 4 * i;
      dw[n++] = c->offset[i];
   }
   n += command(dw + n, 0x79170000, c->declarations, 40);
   n += command(dw + n, 0x7b000000,
                (const uint32_t[6]){data[1] & 0x3f, data[2] & 63, 0, 1 + (data[2] >> 6), 0, 0}, 6);
   return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct fuzz_streamer *s = fuzz_streamer_stand();
   struct choices c;
   uint32_t dw[256];
   if (size < 4)
      return 0;
   unsigned mode = data[0] & 3;
   if (mode == 3)
      return fuzz_streamer(RCS, data + 1, size - 1);
   memset(&c, 0, sizeof(c));
   memcpy(&c, data + 4, size - 4 < sizeof(c) ? size - 4 : sizeof(c));
   fuzz_fresh(s, RCS, false);
   load(s, GS_KERNEL, gs_text);
   load(s, HS_KERNEL, hs_text);
   load(s, DS_KERNEL, ds_text);
   memcpy(s->ram + CONSTANTS, c.constants, sizeof(c.constants));
   unsigned n = record(dw, &c, mode, data);
   if (n & 1) /* the tail counts pairs */
      dw[n++] = 0;
   memcpy(s->ram + FUZZ_RING, dw, n * 4);
   fuzz_write(s, engine_base[RCS] + 0x3c, 1);
   fuzz_write(s, engine_base[RCS] + 0x30, n * 4);
   for (unsigned i = 0; i < TURNS && pergola_run(s->dev, 1 + 8u * data[3]) != PERGOLA_RUN_IDLE; i++)
      ;
   fuzz_good_batch(s, RCS);
   return 0;
}
