/* A PCI device for a virtual machine: one peer at a time does to a runner's bus what its messages
 * say. The runner's thread raises the interrupts. */
#ifndef PERGOLA_VFIO_USER_SERVER_H
#define PERGOLA_VFIO_USER_SERVER_H

#include "pergola/pergola_runner.h"
#include "protocol.h"

#include <pthread.h>
#include <stddef.h>

/* ---- the socket (stream.c) --------------------------------------------------------------------
 */

#define STREAM_BLOCK 0x40000u /* bytes of one read: hundreds of small messages */

struct stream_fd {
   int fd;
   uint64_t at; /* it came with the byte before this one */
};

struct stream {
   int fd;
   uint8_t *in; /* STREAM_BLOCK + VU_MAX_MESSAGE */
   size_t first, filled;
   uint64_t position; /* of in[first] in all that has come */
   struct stream_fd pending[VU_MAX_FDS];
   unsigned pending_count;
   uint8_t *out;
   size_t out_filled, out_room;
   int64_t looked_ns; /* when it was last asked whether the peer is there */
   bool gone;
};

struct message {
   struct vu_header header;
   const uint8_t *data;
   size_t size; /* of the data */
   int fd[VU_MAX_FDS];
   unsigned fds; /* whoever keeps one sets it to -1 */
};

bool stream_open(struct stream *s, int fd);
void stream_close(struct stream *s);
/* The next message; false: the peer has gone, or sends what is no message. Its descriptors are
 * closed by stream_done(). */
bool stream_receive(struct stream *s, struct message *m);
void stream_done(struct message *m);
/* Room for the data of an answer, zeroed; NULL: no memory. Sent with stream_receive() at the
 * latest. */
void *stream_answer(struct stream *s, const struct vu_header *to, size_t size);
void stream_refuse(struct stream *s, const struct vu_header *to, int error);
bool stream_flush(struct stream *s);
/* Nobody waits for an answer any more: the peer has gone, or the server is asked to end. */
bool stream_gone(struct stream *s);

/* ---- the device -------------------------------------------------------------------------------
 */

/* The runner's thread and the peer's messages meet here. */
struct irq {
   pthread_mutex_t lock;
   int event[2]; /* by enum vu_irq; -1: none */
   bool masked;  /* the line */
   bool line;    /* it is high */
   bool off;     /* it is not to be used: "interrupt disable" of the command register */
   uint64_t sent[2];
};
enum vu_irq { IRQ_LINE, IRQ_MESSAGE };

struct dma_map {
   uint64_t address, size;
   void *host; /* NULL: the peer gave no file; nothing can be reached there */
};

/* The state on its way out or in. */
struct migration {
   uint32_t state; /* enum vfio_device_mig_state */
   uint8_t *data;
   size_t size, at; /* at: read so far */
};

struct server {
   struct pergola_device *dev;
   struct pergola_runner *runner;
   uint64_t region_size[9];
   struct irq irq;
   struct dma_map map[VU_MAX_MAPS];
   unsigned maps;
   struct migration migration;
   struct stream stream;
   bool versioned, write_multiple;
   struct {
      uint64_t clients, messages, reads, writes, aperture_reads, aperture_writes, refused;
   } count;
};

bool server_create(struct server *s, const struct pergola_config *config, uint32_t clock_divider,
                   const char **error);
void server_destroy(struct server *s);
/* Serves one peer until it goes. Takes the descriptor. */
void server_serve(struct server *s, int fd);

/* ---- messages: 0, or an errno for the answer ---------------------------------------------------
 */

/* The peer's text, with a zero at its end; false: it is none. */
bool capabilities_read(const char *text, bool *write_multiple);

int irq_set(struct server *s, struct message *m);
void irq_raise(void *server, bool asserted); /* the runner's callback */
void irq_command_written(struct server *s);
void irq_reset(struct server *s);
void irq_forget(struct server *s); /* the peer has gone */

int dma_add(struct server *s, struct message *m);
int dma_remove(struct server *s, uint64_t address, uint64_t size);
void dma_forget(struct server *s);
/* Pages of files that have become shorter were replaced by empty ones: how many so far. */
uint64_t dma_lost_pages(void);

bool region_holds(const struct server *s, uint32_t region, uint64_t offset, uint32_t count);
/* Of what it holds. */
void region_read(struct server *s, uint32_t region, uint64_t offset, uint8_t *data, uint32_t count);
int region_write(struct server *s, uint32_t region, uint64_t offset, const uint8_t *data,
                 uint32_t count);
int migration_feature(struct server *s, const struct message *m);
int migration_read(struct server *s, const struct message *m);
int migration_write(struct server *s, const struct message *m);
void migration_reset(struct server *s); /* the device runs, and nothing is on its way */

void regions_measure(struct server *s);

#endif
