/* The write-back: W0 to W5, then the records that are streamed out. */
#include "shared_functions/vme/stream.h"
#include "shared_functions/vme/trace.h"

#include <string.h>

/* The best inter code: a candidate or the skip vectors. */
struct winner {
   bool valid, skip;
   int32_t cost;
   struct vme_candidate c; /* of skip: its shape and directions */
};

static struct winner
best_inter(const struct vme *v)
{
   struct winner w = {.cost = VME_NONE};
   for (unsigned i = 0; i < 2; i++) {
      const struct vme_candidate *c = &v->candidate[i];
      if (c->valid && c->total < w.cost)
         w = (struct winner){.valid = true, .cost = c->total, .c = *c};
   }
   if (!v->skip.performed || w.cost < v->skip.cost) /* VME-095, VME-096, VME-103 */
      return w;
   static const uint8_t direction[4] = {0, VME_FORWARD, VME_BACKWARD, VME_BIDIRECTIONAL};
   w = (struct winner){.valid = true, .skip = true, .cost = v->skip.cost};
   /* VME-390 */
   w.c.major = v->m0.skiptype ? VME_MAJOR_8X8 : VME_MAJOR_16X16;
   w.c.direct = 15;
   for (unsigned k = 0; k < 4; k++) {
      w.c.direction[k] = direction[v->skip.centers[k]];
      /* VME-370: costs count where they were added. */
      w.c.unit[k] = v->skip.raw8x8[k] + (v->skip.passed ? 0 : v->skip.zero_mv[k]);
   }
   if (!v->m0.skiptype)
      w.c.unit[0] += w.c.unit[1] + w.c.unit[2] + w.c.unit[3];
   return w;
}

static uint32_t
saturate(int32_t cost) /* VME-121 */
{
   return cost < VME_WORST ? (uint32_t)cost : VME_WORST;
}

/* VME-386: two parts, by their directions. */
static uint32_t
pair_type(unsigned first, unsigned second, bool tall)
{
   static const uint8_t type[3][3] = {{0x4, 0x8, 0xc}, {0xa, 0x6, 0xe}, {0x10, 0x12, 0x14}};
   return type[first][second] + (uint32_t)tall;
}

static uint32_t
inter_type(const struct vme *v, const struct vme_candidate *c)
{
   const uint8_t *d = c->direction;
   switch (c->major) {
   case VME_MAJOR_16X16:
      return 1u + d[0];
   case VME_MAJOR_16X8: /* VME-240: of a 16x8 source both parts are one */
      return pair_type(d[0], v->src_h == 16 ? d[1] : d[0], false);
   case VME_MAJOR_8X16:
      return pair_type(d[0], d[1], true);
   default:
      return 0x16;
   }
}

/* VME-236 … VME-238 */
static uint32_t
remap(unsigned how, uint32_t type)
{
   static const uint8_t to[3][3] = {{0, 0, 0}, {1, 4, 5}, {2, 6, 7}};
   if (how == 0 || how > 2 || type == 0x16)
      return type;
   return type <= 3 ? to[how][0] : to[how][1 + (type & 1)];
}

/* The vectors of a unit's block, one for each direction. */
static void
vectors_of(const struct vme *v, const struct winner *w, unsigned unit, unsigned block,
           struct vme_mv mv[2])
{
   unsigned direction = w->c.direction[unit];
   for (unsigned r = 0; r < 2; r++) {
      bool used = direction == VME_BIDIRECTIONAL || direction == r;
      uint32_t dw = v->in[2][2 * (w->c.major == VME_MAJOR_8X8 ? unit : 0) + r];
      mv[r] = (struct vme_mv){0, 0}; /* VME-368: a direction that it has not */
      if (used && w->c.direct >> unit & 1)
         mv[r] = (struct vme_mv){(int16_t)dw, (int16_t)(dw >> 16)};
      else if (used)
         mv[r] = v->record[r].e[block].mv;
   }
}

/* VME-346, VME-347 */
static uint32_t
border(const struct vme *v, unsigned reference, struct vme_mv mv)
{
   int32_t x = (mv.x - 4 * v->window[reference].x) >> 2,
           y = (mv.y - 4 * v->window[reference].y) >> 2;
   return (x <= 0 ? 1u : 0) | (x >= (int32_t)v->points_x - 1 ? 2u : 0) | (y <= 0 ? 4u : 0) |
          (y >= (int32_t)v->points_y - 1 ? 8u : 0);
}

static uint32_t
pack_mv(struct vme_mv mv)
{
   return (uint16_t)mv.x | (uint32_t)(uint16_t)mv.y << 16;
}

/* The cost of one block of a winner without shape penalty (VME-370). */
static int32_t
block_cost(const struct vme *v, const struct winner *w, unsigned unit, unsigned block)
{
   unsigned direction = w->c.direction[unit];
   uint8_t blocks[4];
   if (w->c.direct >> unit & 1 || vme_unit_blocks(&w->c, unit, blocks) == 1)
      return w->c.unit[unit];
   return direction == VME_BIDIRECTIONAL ? vme_bidirectional_cost(v, block)
                                         : v->record[direction].e[block].cost;
}

/* VME-366, VME-367, VME-370, VME-391, VME-392: vectors and distortions by 4x4 block; then in the
 * form that was chosen. */
static void
put_vectors(struct vme *v, const struct winner *w, bool minor, uint32_t out[10][8])
{
   uint32_t mv[16][2] = {{0}};
   uint32_t distortion[16] = {0};
   for (unsigned u = 0; u < vme_units(v, w->c.major); u++) {
      uint8_t blocks[4];
      unsigned n = vme_unit_blocks(&w->c, u, blocks);
      for (unsigned i = 0; i < n; i++) {
         struct vme_mv pair[2];
         unsigned cells = vme_blocks[blocks[i]].cells;
         vectors_of(v, w, u, blocks[i], pair);
         for (unsigned c = 0; c < 16; c++)
            if (cells >> c & 1) {
               mv[c][0] = pack_mv(pair[0]);
               mv[c][1] = pack_mv(pair[1]);
            }
         distortion[__builtin_ctz(cells)] = saturate(block_cost(v, w, u, blocks[i]));
         for (unsigned r = 0; r < vme_records(v); r++)
            if (w->c.direction[u] == VME_BIDIRECTIONAL || w->c.direction[u] == r) {
               v->w0.reference_0_border_reached |= r ? 0 : border(v, 0, pair[0]);
               v->w0.reference_1_border_reached |= r ? border(v, 1, pair[1]) : 0;
            }
      }
   }
   for (unsigned slot = 0; slot < 16; slot++) {
      bool first = !minor && slot < 4;
      unsigned cell = first ? 4 * slot : minor ? slot : slot & ~3u;
      memcpy(&out[1 + slot / 4][2 * (slot % 4)], mv[cell], 8);
      uint32_t d = first ? distortion[4 * slot] : minor ? distortion[slot] : 0;
      out[5][slot / 2] |= d << 16 * (slot % 2);
   }
}

static void
put_inter(struct vme *v, const struct winner *w, uint32_t out[10][8])
{
   struct hw_vme_w0 *w0 = &v->w0;
   bool minor = false;
   if (!w->valid)
      return;
   for (unsigned u = 0; u < vme_units(v, w->c.major); u++) {
      w0->submbpredmode |= (uint32_t)w->c.direction[u] << 2 * u; /* VME-327, VME-328 */
      w0->submbshape |= (uint32_t)w->c.shape[u] << 2 * u;        /* VME-329 */
      minor |= w->c.shape[u] != 0;
   }
   w0->intermbmode = w->c.major;               /* VME-364, VME-365 */
   w0->mbskipflag = w->skip && v->skip.passed; /* VME-363 */
   w0->direct8x8pattern = w->c.direct;         /* VME-097, VME-337 */
   put_vectors(v, w, minor, out);
}

/* What belongs to an inter result alone. */
static void
put_inter_type(struct vme *v, const struct winner *w)
{
   struct hw_vme_w0 *w0 = &v->w0;
   bool minor = w0->submbshape != 0;
   unsigned quantity = 0;
   uint8_t blocks[4];
   for (unsigned u = 0; u < vme_units(v, w->c.major); u++)
      if (!(w->c.direct >> u & 1))
         quantity +=
             vme_unit_blocks(&w->c, u, blocks) * (w->c.direction[u] == VME_BIDIRECTIONAL ? 2 : 1);
   w0->mvquantity = quantity & 31; /* VME-350, VME-351 */
   w0->mvsize = minor ? 6 : 4;     /* VME-352, VME-353 */
   w0->mbtype = remap(v->m0.mbtyperemap, inter_type(v, &w->c));
   w0->transform8x8flag = v->m1.t8x8flagforinteren && v->src_h == 16 && !minor; /* VME-355 */
}

static void
put_intra(struct vme *v, bool wins)
{
   struct hw_vme_w0 *w0 = &v->w0;
   uint32_t modes[4] = {0};
   for (unsigned c = 0; c < 16; c++) /* VME-334, VME-336, VME-393 */
      modes[c / 4] |= (uint32_t)(v->ipe.valid ? v->ipe.mode[c] : 0) << 4 * (c % 4);
   w0->lumaintrapredmodes_0 = modes[0];
   w0->lumaintrapredmodes_1 = modes[1];
   w0->lumaintrapredmodes_2 = modes[2];
   w0->lumaintrapredmodes_3 = modes[3];
   w0->intrambmode = v->ipe.valid ? v->ipe.type : 0; /* VME-362 */
   if (!wins)
      return;
   w0->intrambflag = true; /* VME-357 */
   w0->transform8x8flag = w0->intrambmode == GEN7_VME_W0_INTRAMBMODE_INTRA_8X8;
   w0->mbtype = w0->intrambmode ? 0 : 0x15 + v->ipe.mode[0]; /* VME-388, VME-389 */
}

unsigned
vme_result(struct vme *v, uint32_t out[10][8])
{
   struct hw_vme_w0 *w0 = &v->w0;
   struct winner w = best_inter(v);
   int32_t intra = v->ipe.valid ? v->ipe.cost : VME_NONE;
   bool intra_wins = intra < w.cost || !w.valid; /* VME-128, VME-344 */
   unsigned searched = v->searched[0] + v->searched[1];
   memset(out, 0, 10 * sizeof(out[0]));
   put_inter(v, &w, out);
   if (!intra_wins)
      put_inter_type(v, &w);
   put_intra(v, intra_wins);
   w0->extendedform = true; /* VME-348, VME-349 */
   w0->dcblockcodedyflag = w0->dcblockcodedcbflag = w0->dcblockcodedcrflag = true; /* VME-354 */
   w0->fieldmbflag = v->m0.srcaccess;
   w0->fieldmbpolarityflag = v->m0.srcaccess && v->m1.srcfieldpolarity; /* VME-361 */
   w0->minimal_distortion = saturate(intra_wins ? intra : w.cost);
   w0->interdistortion = saturate(w.cost); /* VME-342 */
   w0->bestintradistortion = saturate(intra);
   w0->skiprawdistortioninvalid = !v->skip.performed; /* VME-340 */
   w0->skiprawdistortion = v->skip.performed ? saturate(v->skip.tested) : VME_WORST;
   w0->search_path_length = searched; /* VME-345 */
   w0->alternate_search_path_length = v->searched[1] & 63;
   w0->total_vme_compute_clocks = searched < 255 ? searched : 255; /* VME-136 */
   w0->mbintrastruct = v->m1.mbintrastruct;                        /* VME-333 */
   gen7_vme_w0_pack(out[0], w0);
   if (v->tell)
      vme_tell_result(v);
   if (!v->inter)
      return 1;
   return v->d.stream_out_enable ? 6 + vme_stream_out(v, out + 6) : 6;
}
