/* The socket of a PCI device: a hostile peer. The input is a list of messages: a byte for the
 * command, one for flags and descriptors, one for the length of the data, and the data. A command
 * of 0xff sends what follows as it is, header and all. The peer reads what it is told, for a server
 * ends with one that has gone. */
#include "server.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_BYTES 0x8000u /* what a socket takes with nobody reading */
#define PAGES 16u
#define FDS 3 /* memory, an event, and what is neither */

/* NULL fd: none is sent. */
static bool
send_bytes(int peer, const void *bytes, size_t size, const int *fd)
{
   union {
      struct cmsghdr align;
      char bytes[CMSG_SPACE(sizeof(int))];
   } control = {0};
   struct iovec v = {(void *)(uintptr_t)bytes, size};
   struct msghdr h = {.msg_iov = &v, .msg_iovlen = 1};
   if (fd) {
      h.msg_control = &control;
      h.msg_controllen = sizeof(control);
      struct cmsghdr *c = CMSG_FIRSTHDR(&h);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(sizeof(int));
      memcpy(CMSG_DATA(c), fd, sizeof(int));
   }
   return sendmsg(peer, &h, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size;
}

static bool
send_message(int peer, uint16_t command, uint32_t flags, const void *bytes, size_t size,
             const int *fd)
{
   uint8_t message[sizeof(struct vu_header) + 256];
   struct vu_header h = {
       .id = 1, .command = command, .size = (uint32_t)(sizeof(h) + size), .flags = flags};
   memcpy(message, &h, sizeof(h));
   memcpy(message + sizeof(h), bytes, size);
   return send_bytes(peer, message, sizeof(h) + size, fd);
}

static void
send_input(int peer, const uint8_t *data, size_t size, const int fd[FDS])
{
   size_t sent = 0;
   for (size_t at = 0; at + 3 <= size && sent < MOST_BYTES;) {
      uint8_t command = data[at], how = data[at + 1];
      size_t count = data[at + 2];
      at += 3;
      if (count > size - at)
         count = size - at;
      const int *with = how & 2 ? &fd[(how >> 2) % FDS] : NULL;
      bool ok = command == 0xff ? !count || send_bytes(peer, data + at, count, with)
                                : send_message(peer, command, how & 1 ? VU_NO_REPLY : 0, data + at,
                                               count, with);
      if (!ok)
         return;
      at += count;
      sent += count + sizeof(struct vu_header);
   }
}

/* Until the server has closed its end. */
static void *
read_answers(void *peer)
{
   char bytes[0x10000];
   while (recv(*(int *)peer, bytes, sizeof(bytes), 0) > 0)
      continue;
   return NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static struct server *s; /* as a server is: one device, many peers */
   const char *error;
   if (!s) {
      struct pergola_config c = {.check = PERGOLA_CHECK_REPORT, .host_threads = 1};
      s = calloc(1, sizeof(*s));
      if (!s || !server_create(s, &c, 0, &error))
         abort();
   }
   int pair[2], fd[FDS] = {memfd_create("guest", MFD_CLOEXEC), eventfd(0, EFD_NONBLOCK)};
   if (fd[0] < 0 || fd[1] < 0 || ftruncate(fd[0], PAGES * 4096) ||
       socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
      abort();
   fd[2] = pair[0];
   static const uint8_t version[] = "\0\0\0\0{\"capabilities\":{\"write_multiple\":true}}";
   send_message(pair[0], VU_VERSION, 0, version, sizeof(version), NULL);
   send_input(pair[0], data, size, fd);
   close(fd[0]);
   close(fd[1]);
   shutdown(pair[0], SHUT_WR);
   pthread_t reader;
   if (pthread_create(&reader, NULL, read_answers, &pair[0]))
      abort();
   server_serve(s, pair[1]);
   pthread_join(reader, NULL);
   close(pair[0]);
   if (s->maps)
      abort();
   return 0;
}
