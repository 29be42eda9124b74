/* Migration as version 2 of VFIO's has it: the device is stopped, its state is read out or written
 * in, and it runs on. Guest memory is the peer's business. */
#include "server.h"

#include <errno.h>
#include <linux/vfio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DATA (64u << 20) /* that a peer may write: more is no snapshot of a device */

static void
drop_data(struct migration *g)
{
   free(g->data);
   g->data = NULL;
   g->size = g->at = 0;
}

/* ---- states -----------------------------------------------------------------------------------
 */

static int
take_data(struct server *s)
{
   const char *error;
   int ret = -pergola_device_restore(s->dev, s->migration.data, s->migration.size, &error);
   drop_data(&s->migration);
   if (ret)
      s->migration.state = VFIO_DEVICE_STATE_ERROR; /* a reset leads out of it */
   else
      irq_command_written(s);
   return ret;
}

static int
make_data(struct server *s)
{
   struct migration *g = &s->migration;
   int64_t size = pergola_runner_save(s->runner, NULL, 0);
   g->data = size > 0 ? malloc((size_t)size) : NULL;
   if (!g->data || pergola_runner_save(s->runner, g->data, (size_t)size) != size) {
      drop_data(g);
      return ENOMEM;
   }
   g->size = (size_t)size;
   return 0;
}

/* All ways lead through STOP. */
static int
leave_state(struct server *s)
{
   struct migration *g = &s->migration;
   int error = 0;
   if (g->state == VFIO_DEVICE_STATE_ERROR)
      return EINVAL;
   if (g->state == VFIO_DEVICE_STATE_RUNNING)
      pergola_runner_stop(s->runner);
   else if (g->state == VFIO_DEVICE_STATE_RESUMING)
      error = take_data(s);
   if (error)
      return error;
   drop_data(g);
   g->state = VFIO_DEVICE_STATE_STOP;
   return 0;
}

static int
set_state(struct server *s, uint32_t state)
{
   struct migration *g = &s->migration;
   if (state != VFIO_DEVICE_STATE_STOP && state != VFIO_DEVICE_STATE_RUNNING &&
       state != VFIO_DEVICE_STATE_STOP_COPY && state != VFIO_DEVICE_STATE_RESUMING)
      return EINVAL;
   if (state == g->state)
      return 0;
   int error = leave_state(s);
   if (!error && state == VFIO_DEVICE_STATE_RUNNING)
      error = -pergola_runner_start(s->runner);
   if (!error && state == VFIO_DEVICE_STATE_STOP_COPY)
      error = make_data(s);
   if (!error)
      g->state = state;
   return error;
}

void
migration_reset(struct server *s)
{
   struct migration *g = &s->migration;
   drop_data(g);
   if (g->state != VFIO_DEVICE_STATE_RUNNING && !pergola_runner_start(s->runner))
      g->state = VFIO_DEVICE_STATE_RUNNING;
}

/* ---- messages ---------------------------------------------------------------------------------
 */

#define OPERATIONS (VFIO_DEVICE_FEATURE_GET | VFIO_DEVICE_FEATURE_SET | VFIO_DEVICE_FEATURE_PROBE)

/* What may be done with it; 0: there is no such feature. */
static uint32_t
operations(uint32_t feature)
{
   switch (feature) {
   case VFIO_DEVICE_FEATURE_MIGRATION:
      return VFIO_DEVICE_FEATURE_GET;
   case VFIO_DEVICE_FEATURE_MIG_DEVICE_STATE:
      return VFIO_DEVICE_FEATURE_GET | VFIO_DEVICE_FEATURE_SET;
   default:
      return 0;
   }
}

/* Both features have eight bytes. */
static void
get_feature(const struct server *s, uint32_t feature, uint8_t value[8])
{
   const struct vu_migration_state state = {.state = s->migration.state, .fd = -1};
   const uint64_t flags = VFIO_MIGRATION_STOP_COPY;
   memcpy(value, feature == VFIO_DEVICE_FEATURE_MIGRATION ? (const void *)&flags : &state, 8);
}

/* The answer is as long as what was asked for, with what was asked in it. */
int
migration_feature(struct server *s, const struct message *m)
{
   struct vu_feature f;
   uint8_t value[8] = {0};
   if (m->size < sizeof(f))
      return EINVAL;
   memcpy(&f, m->data, sizeof(f));
   uint32_t feature = f.flags & VFIO_DEVICE_FEATURE_MASK, want = f.flags & OPERATIONS,
            one = want & ~VFIO_DEVICE_FEATURE_PROBE, may = operations(feature);
   if (!may)
      return ENOTTY;
   bool probe = want & VFIO_DEVICE_FEATURE_PROBE, set = want == VFIO_DEVICE_FEATURE_SET;
   if (f.flags & ~(VFIO_DEVICE_FEATURE_MASK | OPERATIONS) || one & ~may || (!one && !probe))
      return EINVAL;
   size_t size = sizeof(f) + (probe ? 0 : sizeof(value));
   if (f.argsz < size || (!probe && one == OPERATIONS - VFIO_DEVICE_FEATURE_PROBE) ||
       (set && m->size < size))
      return EINVAL;
   if (set) {
      struct vu_migration_state state;
      memcpy(&state, m->data + sizeof(f), sizeof(state));
      int error = set_state(s, state.state);
      if (error)
         return error;
   }
   if (m->header.flags & VU_NO_REPLY)
      return 0;
   uint8_t *out = stream_answer(&s->stream, &m->header, size);
   if (!out)
      return ENOMEM;
   f.argsz = (uint32_t)size;
   memcpy(out, &f, sizeof(f));
   if (!probe) {
      get_feature(s, feature, value);
      memcpy(out + sizeof(f), value, sizeof(value));
   }
   return 0;
}

/* The next bytes of the state; none: that was all. */
int
migration_read(struct server *s, const struct message *m)
{
   struct migration *g = &s->migration;
   struct vu_migration_data d;
   if (m->size < sizeof(d) || m->header.flags & VU_NO_REPLY ||
       g->state != VFIO_DEVICE_STATE_STOP_COPY)
      return EINVAL;
   memcpy(&d, m->data, sizeof(d));
   if (d.size > VU_MAX_DATA || d.argsz < sizeof(d) || d.size > d.argsz - sizeof(d))
      return EINVAL;
   if (d.size > g->size - g->at)
      d.size = (uint32_t)(g->size - g->at);
   uint8_t *out = stream_answer(&s->stream, &m->header, sizeof(d) + d.size);
   if (!out)
      return ENOMEM;
   d.argsz = (uint32_t)(sizeof(d) + d.size);
   memcpy(out, &d, sizeof(d));
   memcpy(out + sizeof(d), g->data + g->at, d.size);
   g->at += d.size;
   return 0;
}

int
migration_write(struct server *s, const struct message *m)
{
   struct migration *g = &s->migration;
   struct vu_migration_data d;
   if (m->size < sizeof(d) || g->state != VFIO_DEVICE_STATE_RESUMING)
      return EINVAL;
   memcpy(&d, m->data, sizeof(d));
   if (d.size > m->size - sizeof(d))
      return EINVAL;
   if (d.size > MOST_DATA - g->size)
      return EFBIG;
   uint8_t *data = d.size ? realloc(g->data, g->size + d.size) : g->data;
   if (d.size && !data)
      return ENOMEM;
   g->data = data;
   if (d.size)
      memcpy(data + g->size, m->data + sizeof(d), d.size);
   g->size += d.size;
   return 0;
}
