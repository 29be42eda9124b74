/* Integer motion estimation: search units along the fixed path, then the adaptive walk. */
#include "shared_functions/vme/trace.h"
#include "shared_functions/vme/vme.h"

#include <string.h>

#define NO_UNIT UINT16_MAX
#define PATH_MAX_UNITS 64u

/* A unit is row * 16 + column of the grid of units of this source size (VME-047, VME-048). */
struct path {
   uint16_t unit[PATH_MAX_UNITS];
   unsigned length;            /* VME-058 */
   unsigned record, reference; /* what it fills, what it walks on */
};

#define PAIRS 32u /* two tiles of 4 by 4 places, side by side, as the DSP makes them */

struct ime {
   struct vme *v;
   struct path path[2];
   uint16_t done[2][16]; /* VME-050, VME-060: a bit for each unit, by reference */
   uint16_t cost_x[2][VME_WINDOW_MAX], cost_y[2][VME_WINDOW_MAX]; /* by record */
   unsigned most;                                                 /* MaxNumSU */
   int32_t stop_below;                                            /* EarlyImeStop, or 0 */
   bool minors; /* shapes below 8x8 are seen: they may be chosen, or get vectors of larger ones */
   unsigned count;
   uint16_t visited[512]; /* searched units in their order */
   uint16_t pair[PAIRS];  /* which pairs are known; 0: none */
   struct vme_lanes lanes[2];
   _Alignas(32) vme_tile tile[PAIRS][2];
};

/* VME-055, VME-056: in steps of four pixels modulo 16; the unit that holds the place. */
static uint16_t
unit_at(const struct vme *v, unsigned x4, unsigned y4)
{
   return (uint16_t)((y4 & 15) * 4 / v->su_h * 16 + (x4 & 15) * 4 / v->su_w);
}

static bool
unit_inside(const struct vme *v, uint16_t unit)
{
   return unit % 16 * v->su_w < v->points_x && unit / 16 * v->su_h < v->points_y;
}

/* VME-051 … VME-058, VME-224, VME-225, VME-227 */
static void
build_path(const struct vme *v, struct path *p, unsigned which)
{
   const struct hw_vme_m1 *m1 = &v->m1;
   bool two_starts = v->m0.searchctrl == VME_TWO_STARTS, apart = false;
   unsigned x = which ? m1->start1x : m1->start0x, y = which ? m1->start1y : m1->start0y;
   unsigned limit = m1->lensp ? m1->lensp : 1, at = 0, step = 1;
   if (v->m0.searchctrl == VME_TWO_RECORDS || v->m0.searchctrl == VME_TWO_REFERENCES)
      apart = v->m0.dual_search_path_option;
   if (apart) {
      at = which;
      step = 2;
   }
   p->length = 0;
   p->unit[p->length++] = unit_at(v, x, y);
   if (two_starts && limit > 1) {
      x = m1->start1x;
      y = m1->start1y;
      p->unit[p->length++] = unit_at(v, x, y);
   }
   for (; p->length < limit && p->length < PATH_MAX_UNITS && at < VME_PATH_LOCATIONS; at += step) {
      uint8_t delta = v->path[at];
      if (!delta) /* VME-057 */
         break;
      x += delta & 15;
      y += delta >> 4;
      p->unit[p->length++] = unit_at(v, x, y);
   }
}

static bool
is_done(const struct ime *s, unsigned reference, uint16_t unit)
{
   return s->done[reference][unit / 16] >> unit % 16 & 1;
}

/* Marks a unit that is about to be searched; false: outside, or searched before (VME-055). */
static bool
claim(struct ime *s, const struct path *p, uint16_t unit)
{
   if (!unit_inside(s->v, unit) || is_done(s, p->reference, unit))
      return false;
   s->done[p->reference][unit / 16] |= (uint16_t)(1u << unit % 16);
   s->v->searched[p - s->path]++;
   return true;
}

/* The best place of a block so far: of equal ones the first in the order of search (VME-066). */
static struct vme_entry
best_of(const struct ime *s, const struct path *p, unsigned block)
{
   const struct vme *v = s->v;
   const struct vme_window *w = &v->window[p->reference];
   const struct vme_lanes *l = &s->lanes[p->record];
   unsigned lanes, first = UINT32_MAX, across = v->su_w / 4, x = 0, y = 0;
   uint16_t cost = v->dsp->lowest(l->cost[block], &lanes);
   if (cost == VME_LANE_NONE)
      return (struct vme_entry){.cost = VME_NONE};
   for (; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctz(lanes), order = l->order[block][lane];
      unsigned tile = order & 3, unit = s->visited[order >> 2];
      unsigned dx = tile % across * 4 + lane % 4, dy = tile / across * 4 + lane / 4;
      unsigned when = (order >> 2) * 64 + dy * v->su_w + dx;
      if (when >= first)
         continue;
      first = when;
      x = unit % 16 * v->su_w + dx;
      y = unit / 16 * v->su_h + dy;
   }
   return (struct vme_entry){.cost = cost,
                             .mv = {4 * (w->x + (int32_t)x), 4 * (w->y + (int32_t)y)},
                             .center = (uint8_t)p->record};
}

/* VME-065: the neighbour of the best place of a block, if it lies on the border of its unit. */
static uint16_t
neighbour_of(const struct ime *s, const struct path *p, const struct vme_entry *e)
{
   const struct vme *v = s->v;
   const struct vme_window *w = &v->window[p->reference];
   unsigned x = (unsigned)(e->mv.x / 4 - w->x), y = (unsigned)(e->mv.y / 4 - w->y);
   int column = (int)(x / v->su_w), row = (int)(y / v->su_h);
   int dx = x % v->su_w == 0 ? -1 : x % v->su_w == v->su_w - 1 ? 1 : 0;
   int dy = y % v->su_h == 0 ? -1 : y % v->su_h == v->su_h - 1 ? 1 : 0;
   const int step[3][2] = {{0, dy}, {dx, 0}, {dx, dy}};
   for (unsigned i = 0; i < 3; i++) {
      int c = column + step[i][0], r = row + step[i][1];
      if ((!step[i][0] && !step[i][1]) || (i == 2 && (!dx || !dy)) || c < 0 || r < 0)
         continue;
      uint16_t unit = (uint16_t)(r * 16 + c);
      if (unit_inside(v, unit) && !is_done(s, p->reference, unit))
         return unit;
   }
   return NO_UNIT;
}

/* VME-063, VME-382: by the 8x8 blocks, in their order. */
static uint16_t
adaptive_unit(const struct ime *s, const struct path *p)
{
   for (unsigned k = 0; k < vme_units(s->v, VME_MAJOR_8X8); k++) {
      struct vme_entry e = best_of(s, p, VME_AT_8X8 + k);
      uint16_t unit = e.cost < VME_NONE ? neighbour_of(s, p, &e) : NO_UNIT;
      if (unit != NO_UNIT)
         return unit;
   }
   return NO_UNIT;
}

static uint16_t
choose(const struct ime *s, const struct path *p, unsigned k)
{
   if (k < p->length)
      return p->unit[k];
   return s->v->m1.adaptiveen ? adaptive_unit(s, p) : NO_UNIT;
}

/* Two tiles from column x (a multiple of 8) on: known, or made. */
static vme_tile *
tiles_at(struct ime *s, const struct path *p, unsigned x, unsigned y)
{
   struct vme *v = s->v;
   unsigned across = (v->points_x + 7) / 8, at = y / 4 * across + x / 8;
   unsigned slot = (at + p->reference * PAIRS / 2) % PAIRS;
   uint16_t name = (uint16_t)(1 + at * 2 + p->reference);
   if (s->pair[slot] != name) {
      s->pair[slot] = name;
      v->dsp->tiles[v->haar](v->src, vme_window_at(&v->window[p->reference], x, y), VME_STRIDE,
                             v->src_w * v->src_h / 16, s->tile[slot]);
   }
   return s->tile[slot];
}

/* All places of a unit. Windows and sources are multiples of four: a tile is inside or outside
 * (VME-207). */
static void
search(struct ime *s, const struct path *p, uint16_t unit)
{
   struct vme *v = s->v;
   unsigned x0 = unit % 16 * v->su_w, y0 = unit / 16 * v->su_h, across = v->su_w / 4;
   unsigned number = s->count++;
   s->visited[number] = unit;
   for (unsigned i = 0; i < across * (v->su_h / 4); i++) {
      unsigned x = x0 + i % across * 4, y = y0 + i / across * 4;
      if (x >= v->points_x || y >= v->points_y)
         continue;
      v->dsp->update(&s->lanes[p->record], tiles_at(s, p, x & ~7u, y)[x / 4 % 2],
                     v->src_w * v->src_h / 16, s->minors, s->cost_x[p->record] + x,
                     s->cost_y[p->record] + y, number * 4 + i);
   }
}

/* VME-290: the largest block of the source, of record 0. */
static bool
stop_early(const struct ime *s)
{
   const struct vme *v = s->v;
   unsigned block = v->src_h == 16 ? VME_AT_16X16 : v->src_w == 16 ? VME_AT_16X8 : VME_AT_8X8;
   unsigned lanes;
   return s->stop_below && v->dsp->lowest(s->lanes[0].cost[block], &lanes) < s->stop_below &&
          s->lanes[0].cost[block][__builtin_ctz(lanes)] != VME_LANE_NONE;
}

static void
tell(struct ime *s, const struct path *p, uint16_t unit, bool wanted)
{
   struct vme *v = s->v;
   unsigned block = v->src_h == 16 ? VME_AT_16X16 : v->src_w == 16 ? VME_AT_16X8 : VME_AT_8X8;
   struct vme_entry e = best_of(s, p, block);
   vme_tell_unit(v, (unsigned)(p - s->path), unit, unit_inside(v, unit), wanted, &e);
}

/* The unit and whether it was worth it; true: EarlyImeStop. */
static bool
visit(struct ime *s, const struct path *p, uint16_t unit, bool wanted)
{
   if (wanted)
      search(s, p, unit);
   if (s->v->tell)
      tell(s, p, unit, wanted);
   if (!stop_early(s))
      return false;
   s->v->w0.earlyimestop = true;
   return true;
}

/* VME-379, VME-381: k counts the units up to and with this one. */
static void
walk_single(struct ime *s, const struct path *p, uint16_t unit, unsigned k)
{
   for (; unit != NO_UNIT && k <= s->most; k++) {
      bool wanted = claim(s, p, unit);
      uint16_t next = NO_UNIT;
      /* VME-061, VME-281: the choice does not see the unit in flight. */
      if (!s->v->m1.adaptivevalidationcontrol)
         next = choose(s, p, k);
      if (visit(s, p, unit, wanted))
         return;
      if (s->v->m1.adaptivevalidationcontrol) /* VME-279 */
         next = choose(s, p, k);
      unit = next;
   }
}

/* VME-062, VME-380: units of the two paths in turn. A path's choice sees all its own units. */
static void
walk_dual(struct ime *s)
{
   const struct path *p0 = &s->path[0], *p1 = &s->path[1];
   uint16_t next0 = p0->unit[0];
   for (unsigned k = 0; k < s->most; k++) {
      bool wanted = claim(s, p0, next0);
      uint16_t next1 = choose(s, p1, k);
      if (visit(s, p0, next0, wanted))
         return;
      if (next1 == NO_UNIT) {
         walk_single(s, p0, choose(s, p0, k + 1), k + 2);
         return;
      }
      wanted = claim(s, p1, next1);
      next0 = choose(s, p0, k + 1);
      if (visit(s, p1, next1, wanted))
         return;
      if (next0 == NO_UNIT) {
         walk_single(s, p1, choose(s, p1, k + 1), k + 2);
         return;
      }
   }
}

/* VME-228: of two records on one reference the better entries stay. */
static void
combine(struct vme *v)
{
   for (unsigned b = 0; b < VME_BLOCKS; b++)
      if (v->record[1].e[b].cost < v->record[0].e[b].cost) /* VME-232 */
         v->record[0].e[b] = v->record[1].e[b];
}

static void
prepare(struct ime *s)
{
   struct vme *v = s->v;
   bool dual_record = v->m0.searchctrl == VME_TWO_RECORDS || v->dual;
   s->most = v->m1.maxnumsu ? v->m1.maxnumsu : 1;
   s->minors = (v->m0.submbpartmask & 0x70) != 0x70 || v->m1.reparten;
   /* VME-290, VME-297: needs both enables. */
   s->stop_below =
       v->m1.earlysuccessen && v->m1.earlyimesuccessen ? vme_u4u4(v->m1.earlyimestop) : 0;
   for (unsigned r = 0; r < (dual_record ? 2u : 1u); r++) {
      struct path *p = &s->path[r];
      p->record = r;
      p->reference = v->dual ? r : 0;
      build_path(v, p, r);
      const struct vme_window *w = &v->window[p->reference];
      int32_t direction = v->costs.backward[vme_direction_of(v, r)]; /* VME-067 */
      for (int32_t i = 0; i < (int32_t)v->points_x; i++)
         s->cost_x[r][i] = (uint16_t)vme_mv_cost_1d(&v->costs, 4 * (w->x + i) - v->center[r].x);
      for (int32_t i = 0; i < (int32_t)v->points_y; i++)
         s->cost_y[r][i] =
             (uint16_t)(direction + vme_mv_cost_1d(&v->costs, 4 * (w->y + i) - v->center[r].y));
   }
}

static void
take_records(struct ime *s)
{
   struct vme *v = s->v;
   for (unsigned r = 0; r < (v->m0.searchctrl >= VME_TWO_RECORDS ? 2u : 1u); r++)
      for (unsigned b = 0; b < (s->minors ? (unsigned)VME_BLOCKS : VME_MAJORS); b++)
         v->record[r].e[b] = best_of(s, &s->path[r], b);
}

void
vme_ime(struct vme *v)
{
   struct ime s;
   s.v = v;
   s.count = 0;
   memset(s.done, 0, sizeof(s.done));
   memset(s.pair, 0, sizeof(s.pair));
   memset(s.lanes, 0xff, sizeof(s.lanes));
   prepare(&s);
   v->w0.ime_performed = true;
   if (v->m0.searchctrl == VME_TWO_RECORDS || v->dual)
      walk_dual(&s);
   else
      walk_single(&s, &s.path[0], s.path[0].unit[0], 1);
   take_records(&s);
   if (v->m0.searchctrl == VME_TWO_RECORDS)
      combine(v);
}
