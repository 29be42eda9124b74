/* The hardware scoreboard: which threads in flight a new root thread depends on. Marks are not kept
 * apart: a position is marked while a thread that uses the scoreboard holds it. */
#include "media/ts.h"

/* MEDIA-311: positions wrap at 512 and match within one color only. */
const struct ts_thread *
scoreboard_find(const struct ts *ts, unsigned x, unsigned y, unsigned color)
{
   for (unsigned i = 0; i < TS_MAX_THREADS; i++) {
      const struct ts_thread *t = &ts->thread[i];
      if (t->state != TS_FREE && t->marks && t->request.x == x && t->request.y == y &&
          t->request.color == color)
         return t;
   }
   return NULL;
}

static struct walk_vector
delta(const struct hw_media_vfe_state *s, unsigned n)
{
   switch (n) { /* MEDIA-310 */
   case 0:
      return (struct walk_vector){s->scoreboard_0_delta_x, s->scoreboard_0_delta_y};
   case 1:
      return (struct walk_vector){s->scoreboard_1_delta_x, s->scoreboard_1_delta_y};
   case 2:
      return (struct walk_vector){s->scoreboard_2_delta_x, s->scoreboard_2_delta_y};
   case 3:
      return (struct walk_vector){s->scoreboard_3_delta_x, s->scoreboard_3_delta_y};
   case 4:
      return (struct walk_vector){s->scoreboard_4_delta_x, s->scoreboard_4_delta_y};
   case 5:
      return (struct walk_vector){s->scoreboard_5_delta_x, s->scoreboard_5_delta_y};
   case 6:
      return (struct walk_vector){s->scoreboard_6_delta_x, s->scoreboard_6_delta_y};
   default:
      return (struct walk_vector){s->scoreboard_7_delta_x, s->scoreboard_7_delta_y};
   }
}

/* MEDIA-234: the thread's mask and that of the state. */
static bool
depends(const struct media *m, const struct ts_request *r, unsigned n)
{
   const struct hw_media_vfe_state *s = &m->vfe.state;
   return s->scoreboard_enable && r->use_scoreboard && r->mask & s->scoreboard_mask & 1u << n;
}

/* The thread in flight that dependency n of a request names, or NULL. */
static const struct ts_thread *
scoreboard_dependency(const struct media *m, const struct ts_request *r, unsigned n)
{
   if (!depends(m, r, n))
      return NULL;
   struct walk_vector d = delta(&m->vfe.state, n);
   return scoreboard_find(m->ts, (r->x + (unsigned)d.x) & 511, (r->y + (unsigned)d.y) & 511,
                          r->color);
}

unsigned
scoreboard_places(const struct media *m, const struct ts_request *r, uint32_t place[8])
{
   unsigned count = 0;
   for (unsigned n = 0; n < 8; n++) {
      struct walk_vector d = delta(&m->vfe.state, n);
      if (depends(m, r, n))
         place[count++] = scoreboard_place(r->x + (unsigned)d.x, r->y + (unsigned)d.y, r->color);
   }
   return count;
}

/* MEDIA-311: held at the head of the root queue while any dependency is in flight. */
bool
scoreboard_holds(const struct media *m, const struct ts_request *r)
{
   if (m->vfe.state.scoreboard_type)
      return false;
   for (unsigned n = 0; n < 8; n++)
      if (scoreboard_dependency(m, r, n))
         return true;
   return false;
}

/* MEDIA-312: the non-stalling scoreboard tells the thread itself; sendc waits. */
void
scoreboard_fill_tdr(const struct media *m, const struct ts_request *r, uint32_t tdr[8])
{
   if (!m->vfe.state.scoreboard_type)
      return;
   for (unsigned n = 0; n < 8; n++) {
      const struct ts_thread *t = scoreboard_dependency(m, r, n);
      tdr[n] = t ? GEN7_THREAD_DEPENDENCY__VALID | t->place.fftid : 0;
   }
}
