/* The bus of a runner: calls of the host's threads become messages in a queue, which the runner's
 * thread carries out between two turns. */
#include "device/runner.h"
#include "pergola/pergola_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

static bool
on_runner_thread(const struct pergola_runner *r)
{
   return __atomic_load_n(&r->running, __ATOMIC_ACQUIRE) &&
          pthread_equal(pthread_self(), r->thread);
}

/* ---- memory -----------------------------------------------------------------------------------
 */

static int
add_file(struct pergola_runner *r, const struct pergola_runner_memory *m)
{
   struct runner_map *map = malloc(sizeof(*map));
   if (!map)
      return -ENOMEM;
   int access = PROT_READ | (m->flags & PERGOLA_MEMORY_READ_ONLY ? 0 : PROT_WRITE);
   void *host =
       m->size ? mmap(NULL, m->size, access, MAP_SHARED, m->fd, (off_t)m->fd_offset) : MAP_FAILED;
   int ret = m->size ? -errno : -EINVAL;
   if (host != MAP_FAILED)
      ret = pergola_memory_add(r->dev, m->address, host, m->size, m->flags);
   if (ret) {
      if (host != MAP_FAILED)
         munmap(host, m->size);
      free(map);
      return ret;
   }
   *map = (struct runner_map){m->address, m->size, host, r->maps};
   r->maps = map;
   return 0;
}

static int
add_memory(struct pergola_runner *r, const struct pergola_runner_memory *m)
{
   if (!m->host && !(m->flags & PERGOLA_MEMORY_ABSENT))
      return add_file(r, m);
   return pergola_memory_add(r->dev, m->address, m->host, m->size, m->flags);
}

static int
remove_memory(struct pergola_runner *r, uint64_t address)
{
   int ret = pergola_memory_remove(r->dev, address);
   for (struct runner_map **p = &r->maps; !ret && *p; p = &(*p)->next) {
      struct runner_map *m = *p;
      if (m->address != address)
         continue;
      *p = m->next;
      munmap(m->host, m->size);
      free(m);
      break;
   }
   return ret;
}

void
runner_unmap_all(struct pergola_runner *r)
{
   while (r->maps)
      remove_memory(r, r->maps->address);
}

/* ---- carrying out -----------------------------------------------------------------------------
 */

uint64_t
runner_follow_clock(struct pergola_runner *r)
{
   if (!r->config.live_clock || !r->idle)
      return 0;
   int64_t now = runner_host_ns(), passed = now - r->clock_host;
   r->clock_host = now;
   uint64_t ns = passed > 0 ? (uint64_t)passed : 0;
   if (r->config.clock_divider)
      ns /= r->config.clock_divider;
   clock_advance(r->dev, ns);
   return ns;
}

/* A read takes its time, so that who polls a clock sees it move. While engines work it moves by
 * what they do, and by nothing that the host decides. */
static void
count_read(struct pergola_runner *r)
{
   if (r->idle && runner_follow_clock(r) < r->config.read_ns)
      clock_advance(r->dev, r->config.read_ns);
}

/* Can it give the engines something to do? Then a sleeping runner has to look. */
static bool
acts(const struct pergola_runner *r, const struct bus_message *m)
{
   switch (m->kind) {
   case BUS_WRITE:
      return m->offset < pergola_bar_size(r->dev, 0) / 2; /* no GTT entry */
   case BUS_PCI_WRITE:
   case BUS_IO_WRITE:
   case BUS_APERTURE_WRITE:
   case BUS_ADD:
   case BUS_RESET:
      return true;
   default:
      return false;
   }
}

static uint64_t
apply(struct pergola_runner *r, const struct bus_message *m)
{
   struct pergola_device *dev = r->dev;
   uint32_t offset = m->offset > UINT32_MAX ? UINT32_MAX : (uint32_t)m->offset;
   if (acts(
           r,
           m)) { /* an engine that is given work begins now, and its time is counted from here on */
      runner_follow_clock(r);
      r->idle = false;
   }
   switch (m->kind) {
   case BUS_WRITE:
      pergola_mmio_write(dev, offset, m->size, m->value);
      return 0;
   case BUS_LOOK:
      return pergola_mmio_read(dev, offset, m->size);
   case BUS_READ:
      count_read(r);
      return pergola_mmio_read(dev, offset, m->size);
   case BUS_PCI_WRITE:
      pergola_pci_write(dev, offset, m->size, (uint32_t)m->value);
      return 0;
   case BUS_PCI_READ:
      return pergola_pci_read(dev, offset, m->size);
   case BUS_IO_WRITE:
      pergola_io_write(dev, offset, m->size, (uint32_t)m->value);
      return 0;
   case BUS_IO_READ:
      return pergola_io_read(dev, offset, m->size);
   case BUS_APERTURE_WRITE:
      pergola_aperture_write(dev, m->offset, m->source, m->value);
      return 0;
   case BUS_APERTURE_READ:
      r->looked_at = runner_host_ns();
      pergola_aperture_read(dev, m->offset, m->data, m->value);
      return 0;
   case BUS_ADD:
      return (uint64_t)(int64_t)add_memory(r, m->memory);
   case BUS_REMOVE:
      return (uint64_t)(int64_t)remove_memory(r, m->offset);
   case BUS_STATUS:
      pergola_engine_status(dev, (enum pergola_engine)m->offset, m->status);
      return 0;
   case BUS_TIME:
      return pergola_time_ns(dev);
   case BUS_OBJECTS:
      return (uint64_t)pergola_set_objects(dev, m->offset, m->source, (size_t)m->value);
   case BUS_SAVE:
      return (uint64_t)pergola_device_save(dev, m->data, (size_t)m->value);
   case BUS_RESET:
      pergola_function_reset(dev);
      r->risen = false; /* what has not been told of what was before never is */
      return 0;
   case BUS_FLUSH:
      break;
   }
   return 0;
}

/* The lock is held, and the device is nobody's else. *wake: the runner has to look. */
static uint64_t
apply_here(struct pergola_runner *r, const struct bus_message *m, bool *wake)
{
   if (!r->dev)
      return 0;
   uint64_t result = apply(r, m);
   *wake = acts(r, m) || r->risen || r->line != r->line_now;
   if (*wake)
      r->woken = r->touched = true;
   return result;
}

bool
runner_drain(struct pergola_runner *r)
{
   bool any = false;
   while (r->queued) {
      struct bus_message m = r->queue[r->first]; /* a copy: its place is free from here on */
      r->first = (r->first + 1) % BUS_QUEUE;
      r->queued--;
      if (r->room_waiters)
         pthread_cond_broadcast(&r->room);
      pthread_mutex_unlock(&r->lock);
      uint64_t result = r->dev ? apply(r, &m) : 0;
      pthread_mutex_lock(&r->lock);
      any = true;
      if (m.done) {
         *m.result = result;
         *m.done = true;
         pthread_cond_broadcast(&r->ack);
      }
   }
   r->touched |= any;
   return any;
}

/* On the runner's thread: in its turn, then and there. */
static uint64_t
apply_in_callback(struct pergola_runner *r, const struct bus_message *m)
{
   pthread_mutex_lock(&r->lock);
   runner_drain(r);
   pthread_mutex_unlock(&r->lock);
   r->touched |= acts(r, m);
   return apply(r, m);
}

static void
enqueue(struct pergola_runner *r, const struct bus_message *m)
{
   r->queue[(r->first + r->queued++) % BUS_QUEUE] = *m;
   pthread_cond_signal(&r->work);
}

/* Whoever comes while it is full waits: the queue never grows. */
static bool
wait_for_room(struct pergola_runner *r)
{
   while (r->queued == BUS_QUEUE && !r->ours) {
      r->room_waiters++;
      pthread_cond_wait(&r->room, &r->lock);
      r->room_waiters--;
   }
   return !r->ours;
}

static uint64_t
call(struct pergola_runner *r, struct bus_message m, bool wait)
{
   if (on_runner_thread(r))
      return apply_in_callback(r, &m);
   uint64_t result = 0;
   bool done = false;
   if (wait) {
      m.result = &result;
      m.done = &done;
   }
   pthread_mutex_lock(&r->lock);
   if (!wait_for_room(r)) {
      bool wake = false;
      runner_drain(r); /* what others have left when it stopped comes first */
      result = apply_here(r, &m, &wake);
      pthread_mutex_unlock(&r->lock);
      if (wake) /* now: whom it wakes wants the lock */
         pthread_cond_signal(&r->work);
      return result;
   }
   enqueue(r, &m);
   while (wait && !done)
      pthread_cond_wait(&r->ack, &r->lock);
   pthread_mutex_unlock(&r->lock);
   return result;
}

/* ---- the calls --------------------------------------------------------------------------------
 */

void
pergola_runner_write(struct pergola_runner *r, uint32_t offset, unsigned size, uint64_t value)
{
   call(r, (struct bus_message){.kind = BUS_WRITE, .offset = offset, .size = size, .value = value},
        false);
}

uint64_t
pergola_runner_read(struct pergola_runner *r, uint32_t offset, unsigned size)
{
   return call(r, (struct bus_message){.kind = BUS_READ, .offset = offset, .size = size}, true);
}

uint64_t
pergola_runner_look(struct pergola_runner *r, uint32_t offset, unsigned size)
{
   return call(r, (struct bus_message){.kind = BUS_LOOK, .offset = offset, .size = size}, true);
}

int64_t
pergola_runner_save(struct pergola_runner *r, void *buffer, size_t size)
{
   return (int64_t)call(r, (struct bus_message){.kind = BUS_SAVE, .data = buffer, .value = size},
                        true);
}

int
pergola_runner_set_objects(struct pergola_runner *r, bool global, const struct pergola_object *list,
                           size_t count)
{
   struct bus_message m = {.kind = BUS_OBJECTS, .offset = global, .source = list, .value = count};
   return (int)(int64_t)call(r, m, true);
}

void
pergola_runner_flush(struct pergola_runner *r)
{
   call(r, (struct bus_message){.kind = BUS_FLUSH}, true);
}

void
pergola_runner_reset(struct pergola_runner *r)
{
   call(r, (struct bus_message){.kind = BUS_RESET}, true);
}

void
pergola_runner_pci_write(struct pergola_runner *r, uint32_t offset, unsigned size, uint32_t value)
{
   call(r,
        (struct bus_message){.kind = BUS_PCI_WRITE, .offset = offset, .size = size, .value = value},
        false);
}

uint32_t
pergola_runner_pci_read(struct pergola_runner *r, uint32_t offset, unsigned size)
{
   struct bus_message m = {.kind = BUS_PCI_READ, .offset = offset, .size = size};
   return (uint32_t)call(r, m, true);
}

void
pergola_runner_io_write(struct pergola_runner *r, uint32_t port, unsigned size, uint32_t value)
{
   call(r, (struct bus_message){.kind = BUS_IO_WRITE, .offset = port, .size = size, .value = value},
        false);
}

uint32_t
pergola_runner_io_read(struct pergola_runner *r, uint32_t port, unsigned size)
{
   return (uint32_t)call(r, (struct bus_message){.kind = BUS_IO_READ, .offset = port, .size = size},
                         true);
}

void
pergola_runner_aperture_read(struct pergola_runner *r, uint64_t offset, void *data, size_t size)
{
   struct bus_message m = {
       .kind = BUS_APERTURE_READ, .offset = offset, .data = data, .value = size};
   call(r, m, true);
}

void
pergola_runner_aperture_write(struct pergola_runner *r, uint64_t offset, const void *data,
                              size_t size)
{
   struct bus_message m = {
       .kind = BUS_APERTURE_WRITE, .offset = offset, .source = data, .value = size};
   call(r, m, true);
}

int
pergola_runner_memory_add(struct pergola_runner *r, const struct pergola_runner_memory *m)
{
   return (int)(int64_t)call(r, (struct bus_message){.kind = BUS_ADD, .memory = m}, true);
}

int
pergola_runner_memory_remove(struct pergola_runner *r, uint64_t address)
{
   return (int)(int64_t)call(r, (struct bus_message){.kind = BUS_REMOVE, .offset = address}, true);
}

void
pergola_runner_engine(struct pergola_runner *r, enum pergola_engine engine,
                      struct pergola_engine_status *status)
{
   *status = (struct pergola_engine_status){0};
   call(r, (struct bus_message){.kind = BUS_STATUS, .offset = engine, .status = status}, true);
}

uint64_t
pergola_runner_time_ns(struct pergola_runner *r)
{
   return call(r, (struct bus_message){.kind = BUS_TIME}, true);
}
