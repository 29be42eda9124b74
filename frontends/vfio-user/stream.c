/* Messages on a socket: read in large blocks, answers sent together. */
#include "server.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define OUT_FLUSH 0x10000u
#define LOOK_NS 10000000

bool
stream_open(struct stream *s, int fd)
{
   *s = (struct stream){.fd = fd};
   s->in = malloc(STREAM_BLOCK + VU_MAX_MESSAGE);
   return s->in != NULL;
}

void
stream_close(struct stream *s)
{
   for (unsigned i = 0; i < s->pending_count; i++)
      close(s->pending[i].fd);
   free(s->in);
   free(s->out);
   close(s->fd);
   *s = (struct stream){.fd = -1};
}

/* ---- in ---------------------------------------------------------------------------------------
 */

/* Descriptors come with the last byte of a read at the earliest: the system ends a read behind what
 * they were sent with. Too many are closed. */
static void
keep_descriptors(struct stream *s, struct msghdr *h, uint64_t at)
{
   for (struct cmsghdr *c = CMSG_FIRSTHDR(h); c; c = CMSG_NXTHDR(h, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
         continue;
      size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (size_t i = 0; i < count; i++) {
         int fd;
         memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
         if (s->pending_count == VU_MAX_FDS)
            close(fd);
         else
            s->pending[s->pending_count++] = (struct stream_fd){fd, at};
      }
   }
}

static bool
read_block(struct stream *s)
{
   if (s->first) {
      memmove(s->in, s->in + s->first, s->filled);
      s->first = 0;
   }
   union {
      struct cmsghdr align;
      char bytes[CMSG_SPACE(sizeof(int) * VU_MAX_FDS)];
   } control;
   struct iovec v = {s->in + s->filled, STREAM_BLOCK + VU_MAX_MESSAGE - s->filled};
   struct msghdr h = {
       .msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
   ssize_t n = recvmsg(s->fd, &h, MSG_CMSG_CLOEXEC);
   if (n <= 0)
      return false; /* gone, or a signal asks the server to end */
   s->filled += (size_t)n;
   keep_descriptors(s, &h, s->position + s->filled);
   return true;
}

/* Those that came with a byte of the message; older ones belong to nothing. */
static void
take_descriptors(struct stream *s, struct message *m)
{
   uint64_t end = s->position + m->header.size;
   unsigned kept = 0;
   m->fds = 0;
   for (unsigned i = 0; i < s->pending_count; i++) {
      struct stream_fd p = s->pending[i];
      if (p.at <= s->position)
         close(p.fd);
      else if (p.at <= end)
         m->fd[m->fds++] = p.fd;
      else
         s->pending[kept++] = p;
   }
   s->pending_count = kept;
}

bool
stream_receive(struct stream *s, struct message *m)
{
   for (;;) {
      if (s->filled >= sizeof(m->header)) {
         memcpy(&m->header, s->in + s->first, sizeof(m->header));
         if (m->header.size < sizeof(m->header) || m->header.size > VU_MAX_MESSAGE)
            return false;
         if (s->filled >= m->header.size)
            break;
      }
      if (!stream_flush(s) || !read_block(s))
         return false;
   }
   take_descriptors(s, m);
   m->data = s->in + s->first + sizeof(m->header);
   m->size = m->header.size - sizeof(m->header);
   s->first += m->header.size;
   s->filled -= m->header.size;
   s->position += m->header.size;
   return true;
}

void
stream_done(struct message *m)
{
   for (unsigned i = 0; i < m->fds; i++)
      if (m->fd[i] >= 0)
         close(m->fd[i]);
}

bool
stream_gone(struct stream *s)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   int64_t now = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
   if (!s->gone && now - s->looked_ns >= LOOK_NS) {
      struct pollfd p = {.fd = s->fd}; /* its end is told without being asked for */
      s->looked_ns = now;
      s->gone = poll(&p, 1, 0) > 0;
   }
   return s->gone;
}

/* ---- out --------------------------------------------------------------------------------------
 */

bool
stream_flush(struct stream *s)
{
   for (size_t sent = 0; sent < s->out_filled;) {
      ssize_t n = send(s->fd, s->out + sent, s->out_filled - sent, MSG_NOSIGNAL);
      if (n <= 0) {
         s->gone = true;
         return false;
      }
      sent += (size_t)n;
   }
   s->out_filled = 0;
   return true;
}

static uint8_t *
reserve(struct stream *s, size_t size)
{
   if (s->out_filled >= OUT_FLUSH && !stream_flush(s))
      return NULL;
   if (s->out_room - s->out_filled < size) {
      size_t room = s->out_filled + size + OUT_FLUSH;
      uint8_t *bigger = realloc(s->out, room);
      if (!bigger)
         return NULL;
      s->out = bigger;
      s->out_room = room;
   }
   uint8_t *at = s->out + s->out_filled;
   memset(at, 0, size);
   s->out_filled += size;
   return at;
}

void *
stream_answer(struct stream *s, const struct vu_header *to, size_t size)
{
   struct vu_header h = {.id = to->id,
                         .command = to->command,
                         .size = (uint32_t)(sizeof(h) + size),
                         .flags = VU_REPLY};
   uint8_t *at = reserve(s, sizeof(h) + size);
   if (!at)
      return NULL;
   memcpy(at, &h, sizeof(h));
   return at + sizeof(h);
}

void
stream_refuse(struct stream *s, const struct vu_header *to, int error)
{
   uint8_t *at = stream_answer(s, to, 0);
   if (!at)
      return;
   struct vu_header *h = (struct vu_header *)(void *)(at - sizeof(*h));
   struct vu_header copy;
   memcpy(&copy, h, sizeof(copy));
   copy.flags |= VU_ERROR;
   copy.error = (uint32_t)error;
   memcpy(h, &copy, sizeof(copy));
}
