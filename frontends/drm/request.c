/* Requests: from execbuffer to the ring to completion. */
#include "kernel.h"

#include "dump.h"
#include "gen7_hw.h"
#include "pergola/pergola_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t reset_bit[ENGINES] = {
    REG_GDRST__RENDER_DOMAIN_RESET, REG_GDRST__MEDIA_DOMAIN_RESET, REG_GDRST__BLITTER_DOMAIN_RESET};

/* Memory and ring of what was running are somebody else's from then on. */
static void
engine_reset(struct kernel *k, const struct engine *e)
{
   bus_write(k, REG_GDRST, reset_bit[e->id]);
   bus_flush(k);
}

struct request *
request_create(struct kernel *k, struct context *ctx, int engine)
{
   struct request *r = calloc(1, sizeof(*r));
   if (!r)
      return NULL;
   r->fence = fence_create(engine);
   if (!r->fence || vm_pin(ctx->vm)) {
      fence_unref(r->fence);
      free(r);
      return NULL;
   }
   r->ctx = context_ref(ctx);
   r->vm = vm_ref(ctx->vm);
   r->engine = engine;
   r->created_ns = monotonic_ns();
   r->number = ++k->requests;
   r->fence->timeline = ctx->timeline + (uint64_t)engine;
   return r;
}

#define SPARE_MOST 0x10000u

static void
shadow_free(struct kernel *k, struct gem_object *o, uint64_t ggtt)
{
   if (ggtt)
      ggtt_unbind(k, ggtt, o->size);
   gem_unref(o);
}

void
shadow_drop_spare(struct kernel *k)
{
   if (k->spare)
      shadow_free(k, k->spare, k->spare_ggtt);
   k->spare = NULL;
}

/* Pages and place in the GGTT wait for the next request, which would have to be given them anew. */
static bool
shadow_keep(struct kernel *k, struct request *r)
{
   struct gem_object *o = r->shadow;
   if (!r->shadow_ggtt || o->size > SPARE_MOST || o->arena != &k->objects || gem_busy(o, false))
      return false;
   while (o->vmas)
      vm_unbind(o->vmas);
   shadow_drop_spare(k);
   k->spare = o;
   k->spare_ggtt = r->shadow_ggtt;
   return true;
}

bool
shadow_take_spare(struct request *r, uint64_t size)
{
   struct kernel *k = r->ctx->k;
   if (!k->spare || k->spare->size != size)
      return false;
   r->shadow = k->spare;
   r->shadow_ggtt = k->spare_ggtt;
   k->spare = NULL;
   memset(r->shadow->host, 0, size);
   return true;
}

void
request_free(struct request *r)
{
   struct kernel *k = r->ctx->k;
   for (unsigned i = 0; i < r->deps; i++)
      fence_unref(r->dep[i]);
   free(r->dep);
   for (unsigned i = 0; i < r->objects; i++)
      gem_unref(r->object[i]);
   free(r->object);
   free(r->capture);
   dump_free(r->dump);
   if (r->shadow && !shadow_keep(k, r))
      shadow_free(k, r->shadow, r->shadow_ggtt);
   if (r->zombie)
      context_finish(r->zombie);
   context_unref(r->previous);
   fence_unref(r->fence);
   vm_unpin(r->vm);
   vm_unref(r->vm);
   context_unref(r->ctx);
   free(r);
}

int
request_depend(struct request *r, struct fence *f)
{
   if (!f || fence_done(f))
      return 0;
   if (r->deps == r->dep_room) {
      unsigned room = r->dep_room ? r->dep_room * 2 : 8;
      void *bigger = realloc(r->dep, room * sizeof(r->dep[0]));
      if (!bigger)
         return -ENOMEM;
      r->dep = bigger;
      r->dep_room = room;
   }
   r->dep[r->deps++] = fence_ref(f);
   return 0;
}

static bool
ready(struct request *r)
{
   for (unsigned i = 0; i < r->deps; i++) {
      struct fence *d = r->dep[i];
      bool same_ring = d->engine == r->engine && d->emitted;
      if (!same_ring && !fence_done(d))
         return false;
   }
   return true;
}

static void
append(struct request ***end, struct request *r)
{
   r->next = NULL;
   **end = r;
   *end = &r->next;
}

void
request_queue(struct kernel *k, struct request *r)
{
   struct engine *e = &k->engine[r->engine];
   append(&e->queue_end, r);
   requests_submit(k);
}

static bool
banned(const struct request *r)
{
   return r->ctx->banned >> r->engine & 1;
}

static bool
anything_in_flight(const struct kernel *k)
{
   for (int i = 0; i < ENGINES; i++)
      if (k->engine[i].inflight)
         return true;
   return false;
}

static void
drop(struct kernel *k, struct request *r)
{
   kreport_batch_dropped(k, r);
   fence_signal(r->fence, -EIO);
   request_free(r);
}

/* One at a time: what a dump or the sanitizer finds belongs to it alone. */
static bool
alone(const struct kernel *k)
{
   return dump_wanted(k) || k->options.sanitize & PERGOLA_SANITIZE_MEMORY;
}

/* For the sanitizer: what the client has named. */
static void
name_objects(struct kernel *k, const struct request *r)
{
   struct pergola_object *list =
       k->options.sanitize & PERGOLA_SANITIZE_MEMORY ? calloc(r->objects + 1, sizeof(*list)) : NULL;
   size_t count = 0;
   for (unsigned i = 0; list && i <= r->objects; i++) {
      const struct gem_object *o = i < r->objects ? r->object[i] : r->shadow;
      const struct vma *v = o ? vm_find(r->vm, o) : NULL;
      if (v)
         list[count++] = (struct pergola_object){v->address, o->size, o->handle};
   }
   if (list)
      bus_set_objects(k, list, count);
   free(list);
}

static bool
submit_one(struct kernel *k, struct engine *e)
{
   if (!ring_has_room(e, REQUEST_DWORDS) || (alone(k) && anything_in_flight(k)))
      return false;
   for (struct request **p = &e->queue; *p; p = &(*p)->next) {
      struct request *r = *p;
      if (!ready(r))
         continue;
      *p = r->next;
      if (e->queue_end == &r->next)
         e->queue_end = p;
      if (banned(r) || r->cancelled) {
         drop(k, r);
         sync_files_poll(k);
         kernel_wake(k);
         return true;
      }
      r->started_ns = (uint64_t)monotonic_ns();
      name_objects(k, r);
      /* First, for the runner's thread may be at the end of it before this one goes on. */
      __atomic_fetch_add(&e->outstanding, 1, __ATOMIC_RELEASE);
      ring_emit_request(k, e, r);
      r->fence->emitted = true;
      append(&e->inflight_end, r);
      return true;
   }
   return false;
}

void
requests_submit(struct kernel *k)
{
   bool any;
   do {
      any = false;
      for (int i = 0; i < ENGINES; i++)
         while (submit_one(k, &k->engine[i]))
            any = true;
   } while (any);
}

static struct request *
pop_inflight(struct engine *e)
{
   struct request *r = e->inflight;
   e->inflight = r->next;
   if (!e->inflight)
      e->inflight_end = &e->inflight;
   __atomic_fetch_sub(&e->outstanding, 1, __ATOMIC_RELEASE);
   return r;
}

static bool
retire_engine(struct kernel *k, struct engine *e)
{
   bool any = false;
   uint32_t done = __atomic_load_n(&e->hws[HWS_SEQNO / 4], __ATOMIC_ACQUIRE);
   while (e->inflight && (int32_t)(done - e->inflight->seqno) >= 0) {
      struct request *r = pop_inflight(e);
      e->ring.free_from = r->ring_end;
      __atomic_store_n(&e->busy_budget, 0, __ATOMIC_RELAXED);
      kreport_batch_done(k, r, false);
      fence_signal(r->fence, 0);
      request_free(r);
      any = true;
   }
   return any;
}

bool
requests_retire(struct kernel *k)
{
   bool any = false;
   for (int i = 0; i < ENGINES; i++)
      any |= retire_engine(k, &k->engine[i]);
   if (any) {
      requests_submit(k);
      sync_files_poll(k);
   }
   return any;
}

static void
forget_list(struct request *r)
{
   while (r) {
      struct request *next = r->next;
      r->zombie = NULL; /* the image stays: a context may not be switched away from here */
      fence_signal(r->fence, 0);
      request_free(r);
      r = next;
   }
}

void
requests_forget(struct kernel *k)
{
   for (int i = 0; i < ENGINES; i++) {
      struct engine *e = &k->engine[i];
      struct request *queue = e->queue, *inflight = e->inflight;
      e->queue = e->inflight = NULL;
      e->queue_end = &e->queue;
      e->inflight_end = &e->inflight;
      e->outstanding = 0;
      e->current = NULL; /* a new device has no context yet */
      forget_list(inflight);
      forget_list(queue);
   }
}

bool
requests_outstanding(const struct kernel *k)
{
   for (int i = 0; i < ENGINES; i++)
      if (k->engine[i].inflight || k->engine[i].queue)
         return true;
   return false;
}

static bool
any_older(const struct kernel *k, const struct request *r, const struct drm_file *f,
          int64_t than_ns)
{
   for (; r; r = r->next)
      if (f ? r->ctx->file == f && r->created_ns < than_ns
            : r->ctx == k->kernel_context || r->created_ns < than_ns)
         return true;
   return false;
}

/* DRM-118 */
bool
requests_older(const struct kernel *k, const struct drm_file *f, int64_t than_ns)
{
   for (int i = 0; i < ENGINES; i++)
      if (any_older(k, k->engine[i].inflight, f, than_ns) ||
          any_older(k, k->engine[i].queue, f, than_ns))
         return true;
   return false;
}

static void
drop_list(struct kernel *k, struct request *r)
{
   while (r) {
      struct request *next = r->next;
      drop(k, r);
      r = next;
   }
}

/* DRM-107 */
void
requests_cancel(struct kernel *k)
{
   for (int i = 0; i < ENGINES; i++) {
      struct engine *e = &k->engine[i];
      struct request *inflight = e->inflight;
      /* What waits for somebody else's fence fails when that has come. */
      for (struct request *r = e->queue; r; r = r->next)
         r->cancelled = true;
      if (!inflight)
         continue;
      e->inflight = NULL;
      e->inflight_end = &e->inflight;
      __atomic_store_n(&e->outstanding, 0, __ATOMIC_RELEASE);
      __atomic_store_n(&e->busy_budget, 0, __ATOMIC_RELAXED);
      engine_reset(k, e);
      engine_start(k, e);
      drop_list(k, inflight);
   }
   requests_submit(k);
   sync_files_poll(k);
   kernel_wake(k);
}

void
requests_abandon(struct kernel *k)
{
   for (int i = 0; i < ENGINES; i++) {
      struct request *lists[] = {k->engine[i].inflight, k->engine[i].queue};
      for (unsigned j = 0; j < 2; j++)
         for (struct request *r = lists[j]; r; r = r->next) {
            kreport_batch_dropped(k, r);
            fence_signal(r->fence, -EIO);
         }
   }
   sync_files_poll(k);
   kernel_wake(k);
}

/* Takes all requests of banned contexts off a list. They end when it is whole again: with the last
 * of a context's the context goes, which may queue a request of the kernel's own. (DRM-113) */
static void
cancel_banned(struct kernel *k, struct request **list, struct request ***end)
{
   struct request **p = list, *off = NULL, **off_end = &off;
   while (*p) {
      struct request *r = *p;
      if (!banned(r)) {
         p = &r->next;
         continue;
      }
      *p = r->next;
      append(&off_end, r);
   }
   *end = p;
   drop_list(k, off);
}

#define SECOND_NS 1000000000ll
#define CONTEXT_FAST_NS (120 * SECOND_NS)
#define CLIENT_FAST_NS (60 * SECOND_NS)
#define SCORE_FAST 1u /* soon after the last hang */
#define SCORE_BAN 3u
#define SCORE_BANNED 9u

/* DRM-114 */
bool
client_banned(const struct drm_file *f)
{
   return f->ban_score >= SCORE_BANNED;
}

/* DRM-114 */
static void
blame_client(struct drm_file *f, bool ban, int64_t now)
{
   if (ban)
      f->ban_score += SCORE_BAN;
   if (f->hang_ns && now - f->hang_ns < CLIENT_FAST_NS)
      f->ban_score += SCORE_FAST;
   f->hang_ns = now;
}

/* By the kernel's rules: true if the context loses the engine. (DRM-071, DRM-072, DRM-113) */
static bool
blame_context(struct context *c)
{
   int64_t now = monotonic_ns();
   c->batch_active++;
   if (!c->file)
      return true; /* closed: nobody waits for more */
   if (!c->bannable)
      return false;
   bool third = c->hang_ns[0] && now - c->hang_ns[0] < CONTEXT_FAST_NS;
   c->hang_ns[0] = c->hang_ns[1];
   c->hang_ns[1] = now;
   bool ban = !c->recoverable || third;
   blame_client(c->file, ban, now);
   return ban;
}

/* DRM-070, DRM-073 */
void
engine_hang(struct kernel *k, struct engine *e, const char *why, const char *threads)
{
   kreport_hang(k, e, why, threads);
   error_state_capture(k, e);
   k->resets++;
   engine_reset(k, e);
   engine_start(k,
                e); /* it has no context from here on that it would save: those that go now, go */

   /* Where it stopped is to blame; what waits behind it goes on the ring again. */
   struct request *again = NULL, **again_end = &again,
                  *guilty = e->inflight ? pop_inflight(e) : NULL;
   if (guilty) {
      kreport_batch_done(k, guilty, true);
      if (blame_context(guilty->ctx))
         guilty->ctx->banned |= 1u << e->id;
   }
   while (e->inflight) {
      struct request *r = pop_inflight(e);
      r->fence->emitted = false;
      append(&again_end, r);
   }
   *again_end = e->queue;
   if (e->queue)
      again_end = e->queue_end;
   e->queue = again;
   e->queue_end = again ? again_end : &e->queue;
   if (guilty) {
      fence_signal(guilty->fence, -EIO);
      request_free(guilty);
   }
   cancel_banned(k, &e->queue, &e->queue_end);
   __atomic_store_n(&e->busy_budget, 0, __ATOMIC_RELAXED);
   requests_submit(k);
   sync_files_poll(k);
   kernel_wake(k);
}
