/* The server: life, and what each message asks for. */
#include "server.h"

#include "json/json.h"

#include <errno.h>
#include <linux/vfio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The runner blocks all signals on its threads; one that the kernel must deliver may come. */
static void
thread_begins(void)
{
   sigset_t faults;
   sigemptyset(&faults);
   sigaddset(&faults, SIGBUS);
   pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
}

bool
server_create(struct server *s, const struct pergola_config *config, uint32_t clock_divider,
              const char **error)
{
   *s = (struct server){
       .irq.event = {-1, -1}, .stream.fd = -1, .migration.state = VFIO_DEVICE_STATE_RUNNING};
   s->dev = pergola_device_create(config, error);
   if (!s->dev)
      return false;
   struct pergola_runner_config c = {.thread_begins = thread_begins,
                                     .data = s,
                                     .interrupt = irq_raise,
                                     .live_clock = true,
                                     .clock_divider = clock_divider};
   s->runner = pergola_runner_create(s->dev, &c);
   *error = "out of memory";
   if (!s->runner) {
      pergola_device_destroy(s->dev);
      return false;
   }
   pthread_mutex_init(&s->irq.lock, NULL);
   regions_measure(s);
   *error = "no thread for the device";
   if (pergola_runner_start(s->runner)) {
      server_destroy(s);
      return false;
   }
   return true;
}

void
server_destroy(struct server *s)
{
   pergola_runner_destroy(s->runner);
   irq_forget(s);
   pergola_device_destroy(s->dev);
   free(s->migration.data);
   pthread_mutex_destroy(&s->irq.lock);
}

/* ---- messages ---------------------------------------------------------------------------------
 */

/* What we offer, with a zero at its end; its length, or 0: there is no memory. */
static size_t
capabilities(const struct server *s, char *text, size_t size)
{
   struct json j = {.file = fmemopen(text, size, "w")};
   if (!j.file)
      return 0;
   json_object(&j, NULL);
   json_object(&j, "capabilities");
   json_unsigned(&j, "max_msg_fds", VU_MAX_FDS);
   json_unsigned(&j, "max_data_xfer_size", VU_MAX_DATA);
   json_unsigned(&j, "max_dma_maps", VU_MAX_MAPS);
   json_unsigned(&j, "pgsizes", 4096);
   if (s->write_multiple)
      json_bool(&j, "write_multiple", true);
   json_end_object(&j);
   json_end_object(&j);
   return fclose(j.file) ? 0 : strlen(text);
}

static int
version(struct server *s, const struct message *m)
{
   struct vu_version v;
   if (s->versioned || m->size < sizeof(v))
      return EINVAL;
   memcpy(&v, m->data, sizeof(v));
   if (v.major != 0)
      return EINVAL;
   const char *said = m->size > sizeof(v) ? (const char *)m->data + sizeof(v) : "";
   bool ends =
       m->size == sizeof(v) || memchr(said, 0, m->size - sizeof(v)) == m->data + m->size - 1;
   if (!ends || !capabilities_read(said, &s->write_multiple))
      return EINVAL;
   s->versioned = true;
   if (m->header.flags & VU_NO_REPLY)
      return 0;
   char text[256];
   size_t n = capabilities(s, text, sizeof(text));
   uint8_t *out = n ? stream_answer(&s->stream, &m->header, sizeof(v) + n + 1) : NULL;
   if (!out)
      return ENOMEM;
   v.minor = 0;
   memcpy(out, &v, sizeof(v));
   memcpy(out + sizeof(v), text, n + 1);
   return 0;
}

/* An answer of a fixed size, if one is wanted. */
static int
answer(struct server *s, const struct message *m, const void *data, size_t size)
{
   if (m->header.flags & VU_NO_REPLY)
      return 0;
   void *out = stream_answer(&s->stream, &m->header, size);
   if (!out)
      return ENOMEM;
   memcpy(out, data, size);
   return 0;
}

static int
device_info(struct server *s, const struct message *m)
{
   struct vu_device_info i;
   if (m->size < sizeof(i))
      return EINVAL;
   memcpy(&i, m->data, sizeof(i));
   if (i.argsz < sizeof(i))
      return EINVAL;
   i = (struct vu_device_info){.argsz = sizeof(i),
                               .flags = VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI,
                               .num_regions = VFIO_PCI_NUM_REGIONS,
                               .num_irqs = VFIO_PCI_NUM_IRQS};
   return answer(s, m, &i, sizeof(i));
}

static int
region_info(struct server *s, const struct message *m)
{
   struct vu_region_info i;
   if (m->size < sizeof(i))
      return EINVAL;
   memcpy(&i, m->data, sizeof(i));
   if (i.index >= VFIO_PCI_NUM_REGIONS || i.argsz < sizeof(i))
      return EINVAL;
   uint64_t size = s->region_size[i.index];
   i = (struct vu_region_info){
       .argsz = sizeof(i),
       .flags = size ? VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE : 0,
       .index = i.index,
       .size = size};
   return answer(s, m, &i, sizeof(i));
}

static int
irq_info(struct server *s, const struct message *m)
{
   struct vu_irq_info i;
   if (m->size < sizeof(i))
      return EINVAL;
   memcpy(&i, m->data, sizeof(i));
   if (i.index >= VFIO_PCI_NUM_IRQS || i.argsz < sizeof(i))
      return EINVAL;
   bool line = i.index == VFIO_PCI_INTX_IRQ_INDEX, message = i.index == VFIO_PCI_MSI_IRQ_INDEX;
   i = (struct vu_irq_info){.argsz = sizeof(i),
                            .flags = line ? VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_MASKABLE |
                                                VFIO_IRQ_INFO_AUTOMASKED
                                     : message ? VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_NORESIZE
                                               : 0,
                            .index = i.index,
                            .count = line || message};
   return answer(s, m, &i, sizeof(i));
}

static int
unmap(struct server *s, const struct message *m)
{
   struct vu_dma_unmap r;
   if (m->size < sizeof(r))
      return EINVAL;
   memcpy(&r, m->data, sizeof(r));
   if (r.argsz < sizeof(r))
      return EINVAL;
   if (r.flags & ~VFIO_DMA_UNMAP_FLAG_ALL)
      return ENOTSUP;
   int error = 0;
   if (!r.flags)
      error = dma_remove(s, r.address, r.size);
   else if (r.address || r.size)
      error = EINVAL;
   else
      dma_forget(s);
   return error ? error : answer(s, m, &r, sizeof(r));
}

static int
read_region(struct server *s, const struct message *m)
{
   struct vu_region_access a;
   if (m->size < sizeof(a))
      return EINVAL;
   memcpy(&a, m->data, sizeof(a));
   if (!region_holds(s, a.region, a.offset, a.count))
      return EINVAL; /* before there is an answer that would have to be taken back */
   uint8_t *out = stream_answer(&s->stream, &m->header, sizeof(a) + a.count);
   if (!out)
      return ENOMEM;
   memcpy(out, &a, sizeof(a));
   region_read(s, a.region, a.offset, out + sizeof(a), a.count);
   return 0;
}

static int
write_region(struct server *s, const struct message *m)
{
   struct vu_region_access a;
   if (m->size < sizeof(a))
      return EINVAL;
   memcpy(&a, m->data, sizeof(a));
   if (a.count > m->size - sizeof(a))
      return EINVAL;
   int error = region_write(s, a.region, a.offset, m->data + sizeof(a), a.count);
   return error ? error : answer(s, m, &a, sizeof(a));
}

static int
write_many(struct server *s, const struct message *m)
{
   uint64_t count;
   if (!s->write_multiple)
      return ENOTSUP;
   if (m->size < sizeof(count))
      return EINVAL;
   memcpy(&count, m->data, sizeof(count));
   if (count > (m->size - sizeof(count)) / sizeof(struct vu_multi_write))
      return EINVAL;
   for (uint64_t i = 0; i < count && !stream_gone(&s->stream); i++) {
      struct vu_multi_write w;
      memcpy(&w, m->data + sizeof(count) + i * sizeof(w), sizeof(w));
      int error =
          w.count > sizeof(w.data) ? EINVAL : region_write(s, w.region, w.offset, w.data, w.count);
      if (error)
         return error;
   }
   return answer(s, m, &count, sizeof(count));
}

/* Those that answer by themselves return 0; for the others an empty answer follows. */
static int
handle(struct server *s, struct message *m, bool *answered)
{
   *answered = true;
   switch (m->header.command) {
   case VU_VERSION:
      return version(s, m);
   case VU_GET_INFO:
      return device_info(s, m);
   case VU_GET_REGION_INFO:
      return region_info(s, m);
   case VU_GET_IRQ_INFO:
      return irq_info(s, m);
   case VU_DMA_UNMAP:
      return unmap(s, m);
   case VU_REGION_READ:
      return m->header.flags & VU_NO_REPLY ? EINVAL : read_region(s, m);
   case VU_REGION_WRITE:
      return write_region(s, m);
   case VU_REGION_WRITE_MULTI:
      return write_many(s, m);
   case VU_FEATURE:
      return migration_feature(s, m);
   case VU_MIG_DATA_READ:
      return migration_read(s, m);
   default:
      break;
   }
   *answered = false;
   switch (m->header.command) {
   case VU_DMA_MAP:
      return dma_add(s, m);
   case VU_SET_IRQS:
      return irq_set(s, m);
   case VU_RESET:
      pergola_runner_reset(s->runner);
      irq_reset(s);
      migration_reset(s);
      return 0;
   case VU_MIG_DATA_WRITE:
      return migration_write(s, m);
   default:
      return ENOTSUP;
   }
}

static bool
serve_one(struct server *s, struct message *m)
{
   const struct vu_header *h = &m->header;
   s->count.messages++;
   if ((h->flags & VU_TYPE_MASK) != 0)
      return false; /* an answer to nothing */
   if (!s->versioned && h->command != VU_VERSION)
      return false; /* nothing else comes first */
   bool answered, quiet = h->flags & VU_NO_REPLY;
   int error = handle(s, m, &answered);
   if (error) {
      s->count.refused++;
      if (!quiet)
         stream_refuse(&s->stream, h, error);
   } else if (!answered && !quiet) {
      stream_answer(&s->stream, h, 0);
   }
   return true;
}

void
server_serve(struct server *s, int fd)
{
   if (!stream_open(&s->stream, fd)) {
      stream_close(&s->stream);
      return;
   }
   s->count.clients++;
   s->versioned = s->write_multiple = false;
   struct message m;
   for (bool ok = true; ok && !stream_gone(&s->stream) && stream_receive(&s->stream, &m);) {
      ok = serve_one(s, &m);
      stream_done(&m);
   }
   stream_flush(&s->stream);
   /* The memory goes with the peer; nothing may go on that knows it. */
   irq_forget(s);
   pergola_runner_reset(s->runner);
   irq_reset(s);
   migration_reset(s);
   dma_forget(s);
   stream_close(&s->stream);
}
