/* What a parent thread does: builds payloads in its URB entry, spawns, ends. */
#ifndef MEDIA_SPAWN_H
#define MEDIA_SPAWN_H

#include "stage.h"

static uint32_t one[1] __attribute__((unused)) = {1};

static inline uint32_t
handle_of(const struct eu_thread *t)
{
   return eu_grf((struct eu_thread *)t, 0)[0] & 0xffff;
}

/* Writes rows into the thread's URB space, as a parent builds a child's payload. */
static inline void
build(struct stage *s, uint32_t handle, unsigned row, uint32_t value)
{
   uint32_t dw[8];
   for (unsigned i = 0; i < 8; i++)
      dw[i] = value + i;
   assert_true(urb_write(s->dev->urb, handle * 64u + row * 32, dw, 32));
}

static inline void
spawn(struct eu_thread *t, unsigned descriptor, unsigned offset, unsigned length, bool root)
{
   bool child = t->ts->request.kind == TS_CHILD;
   uint32_t m[8] = {[0] = handle_of(t), [2] = descriptor << 4, [4] = length << 10 | offset};
   stage_message(t, SFID_THREAD_SPAWNER, 1u | (child ? 2u : 0) | (root ? 0x10u : 0), m, false,
                 NULL);
}

/* Root: dereferences its handle as well. */
static inline enum eu_stop
end_with_handle(struct eu_thread *t)
{
   stage_message(t, SFID_THREAD_SPAWNER, 0, eu_grf(t, 0), true, NULL);
   return EU_STOP_EOT;
}

static inline enum eu_stop
notify_parent(struct stage *s, struct eu_thread *t)
{
   struct eu_thread *parent = s->thread[0];
   uint32_t m[8] = {[0] = 0x77, [4] = (parent->sr0[0] & 0xffff) << 16, [5] = 100u << 21 | 2u << 8};
   stage_message(t, SFID_GATEWAY, 1u << 15 | 2, m, false, NULL);
   return stage_end_child(t);
}

/* MEDIA_OBJECT_PRT. */
static inline void
prt(struct stage *s, const struct hw_media_object_prt *o)
{
   uint32_t dw[GEN7_MEDIA_OBJECT_PRT_LENGTH];
   gen7_media_object_prt_pack(dw, o);
   assert_int_equal(stage_direct_all(s, dw, GEN7_MEDIA_OBJECT_PRT_LENGTH), CS_DONE);
}

/* An actor that lives as long as the test wants. */
static inline enum eu_stop
stays(struct stage *s, struct eu_thread *t, unsigned step)
{
   return s->value[0] ? stage_end(t) : EU_STOP_BUDGET;
}

#endif
