/* The parameterised media walker. The loop nest is the manual's (MEDIA-147), turned inside out so
 * that a walk can be left after each thread and taken up again. */
#include "media/media_walker.h"

#include "machine/bounds.h"

#include <string.h>

enum { GLOBAL_OUTER, GLOBAL_INNER, LOCAL_OUTER, MIDDLE, INNER, OVER };
_Static_assert(OVER + 1 == WALK_LEVELS, "of the loop nest");

struct bounds {
   int low_x, high_x, low_y, high_y; /* low inclusive, high exclusive */
};

static bool
inside(struct walk_vector v, const struct bounds *b)
{
   return v.x >= b->low_x && v.x < b->high_x && v.y >= b->low_y && v.y < b->high_y;
}

static bool
is_zero(struct walk_vector v)
{
   return !v.x && !v.y;
}

static struct walk_vector
add(struct walk_vector a, struct walk_vector b)
{
   return (struct walk_vector){a.x + b.x, a.y + b.y};
}

enum entry { ENTERS, MISSES, LEAVES };

/* MEDIA-155: a point outside, on a side that the inner step moves back from, is brought in by inner
 * steps. MISSES: the steps jump over the block, a later line may still meet it. LEAVES: it lies
 * where no inner step leads back. The point moves only if it enters. */
static enum entry
enter(struct walk_vector *point, struct walk_vector step, const struct bounds *b)
{
   struct walk_vector v = *point;
   while (!inside(v, b)) {
      if ((v.x >= b->high_x && step.x >= 0) || (v.x < b->low_x && step.x <= 0))
         return point->x >= b->high_x || point->x < b->low_x ? v.x == point->x ? LEAVES : MISSES
                                                             : LEAVES;
      if ((v.y >= b->high_y && step.y >= 0) || (v.y < b->low_y && step.y <= 0))
         return point->y >= b->high_y || point->y < b->low_y ? v.y == point->y ? LEAVES : MISSES
                                                             : LEAVES;
      v = add(v, step);
   }
   *point = v;
   return ENTERS;
}

static struct bounds
global_bounds(const struct walk_parameters *p)
{
   return (struct bounds){1 - p->block.x, p->resolution.x, 1 - p->block.y, p->resolution.y};
}

static struct bounds
local_bounds(const struct walk *w)
{
   return (struct bounds){0, w->size.x, 0, w->size.y};
}

/* MEDIA-156: the part of a block that lies in the image. */
static void
cut(int position, int block, int resolution, int *origin, int *size)
{
   if (position < 0) {
      *origin = 0;
      *size = block + position < resolution ? block + position : resolution;
   } else {
      *origin = position;
      *size = block < resolution - position ? block : resolution - position;
   }
}

/* MEDIA-151 and MEDIA-157: the block at the global position, and where its walk starts. */
static bool
block_begin(struct walk *w)
{
   const struct walk_parameters *p = &w->p;
   cut(w->global_inner.x, p->block.x, p->resolution.x, &w->origin.x, &w->size.x);
   cut(w->global_inner.y, p->block.y, p->resolution.y, &w->origin.y, &w->size.y);
   if (w->size.x <= 0 || w->size.y <= 0)
      return false;
   struct bounds b = local_bounds(w);
   w->local = p->local_start;
   if (enter(&w->local, p->local_inner, &b) != ENTERS) {
      w->local.x = int_least(p->local_start.x, w->size.x - 1);
      w->local.y = int_least(p->local_start.y, w->size.y - 1);
   }
   w->local_iteration = 0;
   w->middle_step = 0;
   return true;
}

/* The points of one inner walk. MEDIA-418: a zero step gives one. */
static void
inner_begin(struct walk *w)
{
   struct bounds b = local_bounds(w);
   struct walk_vector v = w->start;
   w->count = 1;
   w->index = 0;
   w->color = 0;
   if (is_zero(w->p.local_inner))
      return;
   for (v = add(v, w->p.local_inner); inside(v, &b); v = add(v, w->p.local_inner))
      w->count++;
}

/* MEDIA-159 and MEDIA-462: the order of the points of an inner walk. */
static unsigned
order(const struct walk *w, bool *second_half)
{
   *second_half = false;
   if (w->p.dual) {
      *second_half = w->index & 1;
      return w->index & 1 ? w->count - 1 - w->index / 2 : w->index / 2;
   }
   return w->p.repel ? w->index : w->count - 1 - w->index;
}

void
walk_begin(struct walk *w, const struct walk_parameters *p)
{
   memset(w, 0, sizeof(*w));
   w->p = *p;
   if (!w->p.colors)
      w->p.colors = 1;
   w->global_outer = p->global_start;
   w->level = GLOBAL_OUTER;
}

static unsigned
step_global_outer(struct walk *w)
{
   struct bounds b = global_bounds(&w->p);
   if (w->global_iteration > w->p.global_count)
      return OVER;
   enum entry e = enter(&w->global_outer, w->p.global_inner, &b);
   if (e == LEAVES)
      return OVER;
   w->global_inner = w->global_outer;
   return GLOBAL_INNER; /* where a line that misses the image ends at once */
}

static unsigned
step_global_inner(struct walk *w)
{
   struct bounds b = global_bounds(&w->p);
   if (inside(w->global_inner, &b)) {
      if (block_begin(w))
         return LOCAL_OUTER;
      /* nothing of this block lies in the image */
      w->local_iteration = w->p.local_count + 1;
      return LOCAL_OUTER;
   }
   w->global_outer = add(w->global_outer, w->p.global_outer);
   w->global_iteration++;
   return GLOBAL_OUTER;
}

static unsigned
step_local_outer(struct walk *w)
{
   struct bounds b = local_bounds(w);
   /* MEDIA-407: a count of c allows c + 1 iterations. */
   if (w->local_iteration <= w->p.local_count && enter(&w->local, w->p.local_inner, &b) != LEAVES) {
      w->start = w->local;
      w->middle_step = 0;
      return MIDDLE; /* where a line that misses the block ends at once */
   }
   if (is_zero(w->p.global_inner)) { /* MEDIA-418 */
      w->global_outer = add(w->global_outer, w->p.global_outer);
      w->global_iteration++;
      return GLOBAL_OUTER;
   }
   w->global_inner = add(w->global_inner, w->p.global_inner);
   return GLOBAL_INNER;
}

static unsigned
step_middle(struct walk *w)
{
   struct bounds b = local_bounds(w);
   /* MEDIA-152: extra steps + 1 inner walks at most. */
   if (w->middle_step <= w->p.middle_extra_steps && inside(w->start, &b)) {
      inner_begin(w);
      return INNER;
   }
   w->local = add(w->local, w->p.local_outer);
   w->local_iteration++;
   return LOCAL_OUTER;
}

static bool
emit(struct walk *w, struct walk_point *point)
{
   if (w->index == w->count) {
      w->start = add(w->start, w->p.middle);
      w->middle_step++;
      w->level = MIDDLE;
      return false;
   }
   unsigned k = order(w, &point->second_half);
   /* MEDIA-145: the global position is the corner of the block wherever its walk begins. */
   point->x = w->origin.x + w->start.x + (int)k * w->p.local_inner.x;
   point->y = w->origin.y + w->start.y + (int)k * w->p.local_inner.y;
   point->color = w->color;
   if (++w->color == w->p.colors) { /* MEDIA-403: the colors of a position follow each other */
      w->color = 0;
      w->index++;
   }
   return true;
}

bool
walk_next(struct walk *w, struct walk_point *point)
{
   for (;;) {
      switch (w->level) {
      case GLOBAL_OUTER:
         w->level = step_global_outer(w);
         break;
      case GLOBAL_INNER:
         w->level = step_global_inner(w);
         break;
      case LOCAL_OUTER:
         w->level = step_local_outer(w);
         break;
      case MIDDLE:
         w->level = step_middle(w);
         break;
      case INNER:
         if (emit(w, point))
            return true;
         break;
      default:
         return false;
      }
   }
}

void
walk_parameters_of(struct walk_parameters *p, const struct hw_media_object_walker *c)
{
   *p = (struct walk_parameters){
       .dual = c->dual_mode,
       .repel = c->repel,
       .colors = c->color_count_minus_one + 1,
       .middle_extra_steps = c->middle_loop_extra_steps,
       .middle = {c->mid_loop_unit_x, c->local_mid_loop_unit_y},
       .global_count = c->global_loop_exec_count,
       .local_count = c->local_loop_exec_count,
       .block = {(int)c->block_resolution_x, (int)c->block_resolution_y},
       .local_start = {(int)c->local_start_x, (int)c->local_start_y},
       .local_outer = {c->local_outer_loop_stride_x, c->local_outer_loop_stride_y},
       .local_inner = {c->local_inner_loop_unit_x, c->local_inner_loop_unit_y},
       .resolution = {(int)c->global_resolution_x, (int)c->global_resolution_y},
       .global_start = {c->global_start_x, c->global_start_y},
       .global_outer = {c->global_outer_loop_stride_x, c->global_outer_loop_stride_y},
       .global_inner = {c->global_inner_loop_unit_x, c->global_inner_loop_unit_y},
   };
}

struct walk_vector
walk_first_end(const struct walk_parameters *p)
{
   struct walk_parameters q = *p;
   q.dual = false;
   q.repel = false; /* attract: the far end comes first */
   struct walk w;
   struct walk_point point = {0};
   walk_begin(&w, &q);
   if (!walk_next(&w, &point))
      return (struct walk_vector){0, 0};
   return (struct walk_vector){point.x - w.origin.x, point.y - w.origin.y};
}
