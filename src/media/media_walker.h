/* The parameterised media walker: five nested loops over a plane of units. */
#ifndef PERGOLA_MEDIA_WALKER_H
#define PERGOLA_MEDIA_WALKER_H

#include "gen7_hw.h"

struct walk_vector {
   int x, y;
};

struct walk_parameters {
   bool dual, repel;
   unsigned colors; /* how often each position is emitted, 1 or more */
   unsigned middle_extra_steps;
   struct walk_vector middle;
   unsigned global_count, local_count; /* largest index of an outer iteration */
   struct walk_vector block, local_start, local_outer, local_inner;
   struct walk_vector resolution, global_start, global_outer, global_inner;
};

struct walk_point {
   int x, y;
   unsigned color;
   bool second_half; /* dual mode: of the half-walk that comes from the far end */
};

#define WALK_LEVELS 6u     /* of the loop nest, and behind it */
#define WALK_FAR (1 << 22) /* no position is farther from 0 */

struct walk {
   struct walk_parameters p;
   unsigned level; /* of the loop nest where the next step is made */
   unsigned global_iteration, local_iteration, middle_step;
   struct walk_vector global_outer, global_inner; /* positions */
   struct walk_vector origin, size;               /* of the block, cut to the image */
   struct walk_vector local, start;               /* outer point; start of the inner walk */
   unsigned count, index, color; /* points of the inner walk; next one; next color */
};

void walk_begin(struct walk *w, const struct walk_parameters *p);
/* False: the walk is over. */
bool walk_next(struct walk *w, struct walk_point *point);
void walk_parameters_of(struct walk_parameters *p, const struct hw_media_object_walker *c);
/* The last point of the first inner walk: what Local End should say (MEDIA-158). */
struct walk_vector walk_first_end(const struct walk_parameters *p);

#endif
