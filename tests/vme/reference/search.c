/* Integer search: fixed paths, adaptive walk, records of 41 vectors. */
#include "tests/vme/reference/reference.h"

#include <string.h>

struct path {
   int length;
   int x[64], y[64]; /* steps of 4 pixels, modulo 16 */
};

struct board {
   bool marked[16][16]; /* by SU row and column */
};

struct search {
   struct ref_call *c;
   int su_w, su_h;
   int points_x, points_y; /* VME-207 */
   struct path path[2];
   struct board board[2]; /* by reference */
   bool stop;
};

void
ref_empty(struct ref_record *r)
{
   memset(r, 0, sizeof(*r));
   for (int i = 0; i < REF_BLOCKS; i++)
      r->e[i].cost = REF_NONE;
}

/* VME-051 to VME-057, VME-225, VME-227 */
static void
make_path(const struct ref_call *c, int which, struct path *p)
{
   const struct ref_fields *f = &c->f;
   int x = f->start_x[which], y = f->start_y[which];
   p->x[0] = x;
   p->y[0] = y;
   p->length = 1;
   if (f->search_ctrl == 1) {
      p->x[1] = x = f->start_x[1];
      p->y[1] = y = f->start_y[1];
      p->length = 2;
   }
   for (int i = f->split_path ? which : 0; i < 56; i += f->split_path ? 2 : 1) {
      unsigned delta = c->q->state[i];
      if (!delta)
         break;
      x = (x + (int)(delta & 15)) & 15;
      y = (y + (int)(delta >> 4)) & 15;
      p->x[p->length] = x;
      p->y[p->length] = y;
      p->length++;
   }
   if (p->length > f->len_sp)
      p->length = f->len_sp;
}

struct su {
   int col, row;
};

static bool
in_window(const struct search *s, struct su u)
{
   return u.col >= 0 && u.row >= 0 && u.col * s->su_w < s->points_x &&
          u.row * s->su_h < s->points_y;
}

/* VME-056 */
static struct su
path_su(const struct search *s, int path, int index)
{
   const struct path *p = &s->path[path];
   return (struct su){4 * p->x[index] / s->su_w, 4 * p->y[index] / s->su_h};
}

static struct board *
board_of(struct search *s, int path)
{
   return &s->board[s->c->f.two_references ? path : 0];
}

static void
search_location(struct search *s, int path, int lx, int ly)
{
   struct ref_call *c = s->c;
   int reference = c->f.two_references ? path : 0;
   struct ref_vector v = {4 * (c->f.ref[reference].x + lx), 4 * (c->f.ref[reference].y + ly)};
   struct ref_block whole = {0, 0, c->f.src_w, c->f.src_h};
   uint8_t pred[16][16];
   int d4[4][4];
   ref_predict_window(c, reference, whole, v, pred);
   for (int y = 0; y < whole.h; y += 4)
      for (int x = 0; x < whole.w; x += 4)
         d4[y / 4][x / 4] = ref_distortion_4x4(c->source, pred, x, y, c->f.inter_haar);
   int costs = ref_vector_cost(&c->f, v, path) + ref_direction_penalty(&c->f, reference);
   for (int i = 0; i < REF_BLOCKS; i++) {
      if (!ref_fits(&c->f, i))
         continue;
      struct ref_block b = ref_block(i);
      int value = costs;
      for (int y = b.y; y < b.y + b.h; y += 4)
         for (int x = b.x; x < b.x + b.w; x += 4)
            value += d4[y / 4][x / 4];
      if (value < c->record[path].e[i].cost) /* VME-066 */
         c->record[path].e[i] = (struct ref_entry){.cost = value, .v = v, .center = path};
   }
}

/* VME-290: the largest block of the source, record 0. */
static void
test_stop(struct search *s)
{
   struct ref_call *c = s->c;
   const struct ref_fields *f = &c->f;
   int block = f->src_h == 16 ? REF_16X16 : f->src_w == 16 ? REF_16X8 : REF_8X8;
   if (!f->early || !f->early_ime)
      return;
   if (c->record[0].e[block].cost < f->ime_stop)
      s->stop = c->ime_stopped = true;
}

static void
search_su(struct search *s, int path, struct su u, bool searched_before)
{
   if (in_window(s, u) && !searched_before) {
      s->c->searched[path]++;
      for (int y = 0; y < s->su_h; y++)
         for (int x = 0; x < s->su_w; x++) {
            int lx = u.col * s->su_w + x, ly = u.row * s->su_h + y;
            if (lx < s->points_x && ly < s->points_y)
               search_location(s, path, lx, ly);
         }
   }
   test_stop(s);
}

/* Marks; tells whether it was marked before. */
static bool
mark(struct search *s, int path, struct su u)
{
   if (!in_window(s, u))
      return true;
   bool *m = &board_of(s, path)->marked[u.row][u.col];
   bool before = *m;
   *m = true;
   return before;
}

static bool
is_free(struct search *s, int path, struct su u)
{
   return in_window(s, u) && !board_of(s, path)->marked[u.row][u.col];
}

/* VME-065, VME-382 */
static bool
neighbour(struct search *s, int path, const struct ref_record *seen, struct su *next)
{
   const struct ref_fields *f = &s->c->f;
   int reference = f->two_references ? path : 0;
   for (int k = 0; k < 4; k++) {
      const struct ref_entry *e = &seen->e[REF_8X8 + k];
      if (!ref_fits(f, REF_8X8 + k) || e->cost >= REF_NONE)
         continue;
      int lx = e->v.x / 4 - f->ref[reference].x, ly = e->v.y / 4 - f->ref[reference].y;
      struct su u = {lx / s->su_w, ly / s->su_h};
      int in_x = lx % s->su_w, in_y = ly % s->su_h;
      int dx = in_x == 0 ? -1 : in_x == s->su_w - 1 ? 1 : 0;
      int dy = in_y == 0 ? -1 : in_y == s->su_h - 1 ? 1 : 0;
      struct su tried[3] = {
          {u.col, u.row + dy},
          {u.col + dx, u.row},
          {u.col + dx, u.row + dy},
      };
      for (int i = 0; i < 3; i++)
         if (is_free(s, path, tried[i])) {
            *next = tried[i];
            return true;
         }
   }
   return false;
}

/* The SU number `index` (from 0) of a path, from what `seen` has; false: the path has ended. */
static bool
choose(struct search *s, int path, int index, const struct ref_record *seen, struct su *next)
{
   if (index < s->path[path].length) {
      *next = path_su(s, path, index);
      return true;
   }
   return s->c->f.adaptive && neighbour(s, path, seen, next);
}

/* VME-379, VME-381: `done` SUs have been taken; `u` is the next. */
static void
single(struct search *s, int path, struct su u, int done)
{
   const struct ref_fields *f = &s->c->f;
   while (!s->stop && done < f->max_su) {
      struct su next;
      bool before = mark(s, path, u);
      struct ref_record delayed = s->c->record[path]; /* VME-061 */
      search_su(s, path, u, before);
      done++;
      if (!choose(s, path, done, f->validation ? &s->c->record[path] : &delayed, &next))
         return;
      u = next;
   }
}

/* VME-380: the two paths take turns. */
static void
dual(struct search *s)
{
   struct ref_call *c = s->c;
   struct su turn[2];
   int done = 0; /* SUs of path 0 */
   turn[0] = path_su(s, 0, 0);
   for (;;) {
      bool before = mark(s, 0, turn[0]);
      bool more = choose(s, 1, done, &c->record[1], &turn[1]);
      search_su(s, 0, turn[0], before);
      done++;
      if (s->stop)
         return;
      if (!more) {
         if (choose(s, 0, done, &c->record[0], &turn[0]))
            single(s, 0, turn[0], done);
         return;
      }
      before = mark(s, 1, turn[1]);
      more = done < c->f.max_su && choose(s, 0, done, &c->record[0], &turn[0]);
      search_su(s, 1, turn[1], before);
      if (s->stop || done >= c->f.max_su)
         return;
      if (!more) {
         if (choose(s, 1, done, &c->record[1], &turn[1]))
            single(s, 1, turn[1], done);
         return;
      }
   }
}

void
ref_search(struct ref_call *c)
{
   const struct ref_fields *f = &c->f;
   struct search s = {.c = c};
   /* VME-048 */
   s.su_w = f->src_h == 16 ? 4 : 8;
   s.su_h = f->src_w == 16 ? 4 : 8;
   s.points_x = f->win_w - f->src_w;
   s.points_y = f->win_h - f->src_h;
   make_path(c, 0, &s.path[0]);
   if (!f->two_records) {
      single(&s, 0, path_su(&s, 0, 0), 0);
      return;
   }
   make_path(c, 1, &s.path[1]);
   dual(&s);
   if (f->two_references)
      return;
   /* VME-228: the best of both; VME-232: record 0 if they are equal. */
   for (int i = 0; i < REF_BLOCKS; i++)
      if (c->record[1].e[i].cost < c->record[0].e[i].cost)
         c->record[0].e[i] = c->record[1].e[i];
}
