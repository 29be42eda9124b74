/* Interrupts: the line (INTx) and the message (MSI), by event descriptors of the peer. */
#include "server.h"

#include <errno.h>
#include <linux/vfio.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PCI_COMMAND 0x04u
#define COMMAND_LINE_OFF 0x400u

static void
signal_event(struct irq *q, enum vu_irq which)
{
   uint64_t one = 1;
   if (q->event[which] < 0)
      return;
   /* One that is full blocks: then the peer has missed this one. */
   struct pollfd p = {.fd = q->event[which], .events = POLLOUT};
   if (poll(&p, 1, 0) != 1 || !(p.revents & POLLOUT))
      return;
   ssize_t n = write(q->event[which], &one, sizeof(one));
   q->sent[which] += n == (ssize_t)sizeof(one);
}

/* The line masks itself when it is told, until the peer says that it has been served. */
static void
tell_line(struct irq *q)
{
   if (!q->line || q->masked || q->off || q->event[IRQ_LINE] < 0)
      return;
   q->masked = true;
   signal_event(q, IRQ_LINE);
}

void
irq_raise(void *data, bool asserted)
{
   struct irq *q = &((struct server *)data)->irq;
   pthread_mutex_lock(&q->lock);
   q->line = asserted;
   if (asserted && q->event[IRQ_MESSAGE] >= 0)
      signal_event(q, IRQ_MESSAGE);
   else
      tell_line(q);
   pthread_mutex_unlock(&q->lock);
}

/* The peer, or a reset, may have changed whether the line is used. */
void
irq_command_written(struct server *s)
{
   bool off = pergola_runner_pci_read(s->runner, PCI_COMMAND, 2) & COMMAND_LINE_OFF;
   struct irq *q = &s->irq;
   pthread_mutex_lock(&q->lock);
   q->off = off;
   if (q->event[IRQ_MESSAGE] < 0)
      tell_line(q);
   pthread_mutex_unlock(&q->lock);
}

/* The device was reset: its line is low, which the runner's thread tells some time later. */
void
irq_reset(struct server *s)
{
   pthread_mutex_lock(&s->irq.lock);
   s->irq.line = false;
   pthread_mutex_unlock(&s->irq.lock);
   irq_command_written(s);
}

static void
set_event(struct irq *q, enum vu_irq which, int fd)
{
   if (q->event[which] >= 0)
      close(q->event[which]);
   q->event[which] = fd;
   if (which == IRQ_LINE)
      q->masked = false;
}

static void
mask_line(struct irq *q, bool masked)
{
   q->masked = masked;
   tell_line(q);
}

/* What is written to a pipe, a socket or a file may wait for somebody, or come back as a message.
 * The kernel's own files have no type, and of those an event counter alone takes what we write. */
static bool
is_event(int fd)
{
   struct stat st;
   return !fstat(fd, &st) && !(st.st_mode & S_IFMT);
}

/* With an event descriptor, or without one to take it away. */
static int
set_trigger(struct irq *q, enum vu_irq which, struct message *m)
{
   int fd = m->fds ? m->fd[0] : -1;
   if (m->fds > 1 || (m->fds && !is_event(fd)))
      return EINVAL;
   if (m->fds)
      m->fd[0] = -1; /* ours from here on */
   set_event(q, which, fd);
   if (which == IRQ_LINE)
      tell_line(q);
   else if (q->line)
      signal_event(q, which); /* what is pending is told once */
   return 0;
}

static int
act(struct irq *q, enum vu_irq which, uint32_t action, bool eventfd, struct message *m)
{
   if (action != VFIO_IRQ_SET_ACTION_TRIGGER) {
      if (eventfd || which != IRQ_LINE)
         return ENOTSUP;
      mask_line(q, action == VFIO_IRQ_SET_ACTION_MASK);
      return 0;
   }
   if (eventfd)
      return set_trigger(q, which, m);
   signal_event(q, which); /* the peer tries it out */
   return 0;
}

static bool
is_one_bit(uint32_t bits)
{
   return bits && !(bits & (bits - 1));
}

int
irq_set(struct server *s, struct message *m)
{
   struct vu_irq_set r;
   if (m->size < sizeof(r))
      return EINVAL;
   memcpy(&r, m->data, sizeof(r));
   uint32_t data = r.flags & VFIO_IRQ_SET_DATA_TYPE_MASK;
   uint32_t action = r.flags & VFIO_IRQ_SET_ACTION_TYPE_MASK;
   if (r.index != VFIO_PCI_INTX_IRQ_INDEX && r.index != VFIO_PCI_MSI_IRQ_INDEX)
      return r.index < VFIO_PCI_NUM_IRQS && !r.count ? 0 : EINVAL;
   if (r.start || r.count > 1 || r.flags != (data | action) || !is_one_bit(data) ||
       !is_one_bit(action))
      return EINVAL;
   if (!r.count && (data != VFIO_IRQ_SET_DATA_NONE || action != VFIO_IRQ_SET_ACTION_TRIGGER))
      return EINVAL;
   enum vu_irq which = r.index == VFIO_PCI_INTX_IRQ_INDEX ? IRQ_LINE : IRQ_MESSAGE;
   int error = 0;
   pthread_mutex_lock(&s->irq.lock);
   if (!r.count)
      set_event(&s->irq, which, -1); /* all of the index are off */
   else if (data != VFIO_IRQ_SET_DATA_BOOL)
      error = act(&s->irq, which, action, data == VFIO_IRQ_SET_DATA_EVENTFD, m);
   else if (m->size < sizeof(r) + 1)
      error = EINVAL;
   else if (m->data[sizeof(r)])
      error = act(&s->irq, which, action, false, m);
   pthread_mutex_unlock(&s->irq.lock);
   return error;
}

void
irq_forget(struct server *s)
{
   pthread_mutex_lock(&s->irq.lock);
   set_event(&s->irq, IRQ_LINE, -1);
   set_event(&s->irq, IRQ_MESSAGE, -1);
   pthread_mutex_unlock(&s->irq.lock);
}
