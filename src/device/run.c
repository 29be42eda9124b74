/* The scheduler: the engines take turns in a fixed order, a quantum each, so that the same input
 * gives the same interleaving. */
#include "cs/cs.h"
#include "device/assembly.h"
#include "gen11/gen11.h"
#include "media/media.h"
#include "pergola/pergola_runner.h"
#include "render/render.h"

#define QUANTUM 256u
#define QUANTUM_ALONE (1u << 24) /* nobody else has anything to do: long walks need not stop */

struct turn {
   bool ran, waiting, stopped, ended;
   unsigned busy; /* engines that ran or wait */
};

/* Something in the ring that the engine has not come to. */
static bool
work_left(const struct pergola_device *dev, enum engine_id engine)
{
   uint32_t other = engine_base[engine] - engine_base[RCS];
   uint32_t head =
       reg_get(dev, REG_RCS_RING_BUFFER_HEAD + other) & REG_RCS_RING_BUFFER_HEAD__HEAD_OFFSET;
   return head !=
          (reg_get(dev, REG_RCS_RING_BUFFER_TAIL + other) & REG_RCS_RING_BUFFER_TAIL__TAIL_OFFSET);
}

/* One engine, at most a quantum. VCS-014: one that took a fatal fault stands still until its reset.
 */
static void
take_turn(struct pergola_device *dev, enum engine_id engine, uint64_t most, uint64_t *budget,
          struct turn *t)
{
   if (__atomic_load_n(&dev->fault_fatal, __ATOMIC_RELAXED) >> engine & 1) {
      t->stopped |= cs_state(dev->cs[engine]) != CS_IDLE || work_left(dev, engine);
      return;
   }
   uint64_t quantum = *budget < most ? *budget : most, left = quantum;
   dev->ggtt.engine = engine; /* whose fault register a GGTT fault goes to */
   enum cs_state state = cs_run(dev->cs[engine], &left);
   dev->ggtt.engine = ENGINE_COUNT;
   if (__builtin_expect(dev->fault_event != 0, 0))
      device_take_faults(dev);
   if (__builtin_expect(dev->posted_count != 0, 0))
      regs_take_posted(dev);
   uint64_t used = quantum - left;
   if (!used && state == CS_RUNNING)
      used = 1; /* running costs, so that a budget always ends */
   *budget -= used < *budget ? used : *budget;
   t->ran |= used != 0;
   t->waiting |= state == CS_WAITING;
   t->stopped |= state == CS_STOPPED;
   t->ran |= state == CS_RUNNING;
   t->ended |= cs_batch_began(dev->cs[engine]);
   t->busy += used || state == CS_RUNNING || state == CS_WAITING;
}

unsigned
pergola_threads(struct pergola_device *dev, pergola_thread_fn fn, void *data)
{
   if (dev->gen11)
      return 0;
   return media_threads(dev->media, fn, data) + render_threads(dev->render, fn, data);
}

enum pergola_run_result
pergola_run(struct pergola_device *dev, uint64_t limit)
{
   if (dev->gen11)
      return gen11_run(dev->gen11, limit);
   uint64_t budget = limit ? limit : UINT64_MAX, quantum = QUANTUM;
   for (;;) {
      struct turn t = {0};
      for (unsigned e = 0; e < ENGINE_COUNT && budget; e++) {
         if (!rules_stopped(dev) && dev->sku.engines >> e & 1)
            take_turn(dev, e, quantum, &budget, &t);
      }
      if (rules_stopped(dev))
         return PERGOLA_RUN_STOPPED;
      if (!limit)
         budget = UINT64_MAX;
      if (!budget || t.ended)
         return PERGOLA_RUN_BUDGET;
      quantum = t.busy == 1 ? QUANTUM_ALONE : QUANTUM;
      if (t.ran)
         continue;
      if (t.stopped)
         return PERGOLA_RUN_STOPPED;
      if (!t.waiting)
         return PERGOLA_RUN_IDLE;
      cs_diagnose_waits(dev);
      return PERGOLA_RUN_WAITING;
   }
}

/* That begin a turn anew: a request has one, or two; a ring many thousand. */
#define TURN_BATCHES 4u

static bool
end_turn_at_batch(struct pergola_device *dev, bool on)
{
   bool began = false;
   for (unsigned e = 0; e < ENGINE_COUNT; e++)
      if (dev->sku.engines >> e & 1)
         began |= cs_end_turn_at_batch(dev->cs[e], on);
   return began;
}

enum pergola_run_result
pergola_run_turn(struct pergola_device *dev)
{
   if (dev->gen11)
      return pergola_run(dev, PERGOLA_TURN);
   enum pergola_run_result result;
   unsigned batches = 0;
   do {
      end_turn_at_batch(dev, batches < TURN_BATCHES);
      result = pergola_run(dev, PERGOLA_TURN);
   } while (end_turn_at_batch(dev, false) && batches++ < TURN_BATCHES);
   return result;
}
