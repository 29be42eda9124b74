/* Thread Spawner: root, synchronized root, persistent and child threads of the media pipe. */
#ifndef PERGOLA_TS_H
#define PERGOLA_TS_H

#include "media/media_internal.h"
#include "media/media_walker.h"
#include "eu/send.h"

#define TS_MAX_THREADS 128u
#define TS_ROOT_QUEUE 16u /* not published; holds requests with their payload */
#define TS_CHILD_QUEUE 8u /* MEDIA-187 */
#define TS_MESSAGES 1024u /* those that wait on the bus behind the queue included */
#define TS_PAYLOAD_ROWS 128u
#define PRT_INLINE_DWORDS 12u

enum ts_kind { TS_ROOT, TS_PERSISTENT, TS_CHILD };
enum ts_state {
   TS_FREE,
   TS_RUNNING,
   TS_WAITING,
   TS_ENDING /* its last message has not been taken */
};

struct ts_request {
   enum ts_kind kind;
   unsigned descriptor;
   bool children, synchronized, use_scoreboard, restart;
   bool fence, fence_at_entry; /* PRT_Fence Needed, PRT_FenceType */
   unsigned x, y, color, mask;
   unsigned half_slice; /* 0: either; else 1 + number */
   int handle_index;    /* -1: none */
   uint16_t handle;
   uint32_t command; /* address, for diagnostics */
   /* From a spawn message: rows of the URB. */
   bool spawned;
   uint16_t spawn_handle;
   unsigned spawn_offset, spawn_length;
   uint32_t parent; /* id */
   uint32_t tree;   /* of a child: id of the root above it */
   unsigned payload_rows;
};

/* Inline, then indirect data; what the URB entry also holds as far as it fits. */
struct ts_payload {
   uint8_t data[TS_PAYLOAD_ROWS * EU_REG_SIZE];
};

struct ts_thread {
   enum ts_state state;
   struct eu_thread *t;
   struct ts_request request;
   struct thread_place place;
   bool has_fftid, holds_handle, marks, released;
   unsigned unsent; /* messages of this thread that wait on the bus */
};

enum ts_message_kind { TS_SPAWN_CHILD, TS_SPAWN_ROOT, TS_TERMINATE };
struct ts_message {
   enum ts_message_kind kind;
   unsigned sender; /* index of the thread; only while it is on the bus */
   bool accepted;
   bool root, dereference; /* of a termination */
   unsigned fftid;
   uint16_t handle;
   unsigned offset, length, descriptor, color;
   uint32_t sender_id;
   uint32_t tree; /* id of the root above the sender, or of the sender */
};

struct ts {
   struct ts_thread thread[TS_MAX_THREADS];
   struct eu_thread *storage;
   unsigned resident, roots; /* in slots; roots outstanding */
   struct ts_request root[TS_ROOT_QUEUE];
   struct ts_payload root_payload[TS_ROOT_QUEUE];
   unsigned root_head, root_count;
   struct ts_message message[TS_MESSAGES];
   unsigned message_head, message_count;
   uint64_t fftid_used[4];
   bool fence, fence_at_entry;
   uint32_t next_id;
   unsigned turn; /* whose slice comes next */
   uint64_t debt; /* what has been done beyond the budget of earlier turns */
   struct eu_env env;
   struct cs_command from; /* place of the last primitive, for diagnostics */
   bool walking;           /* a MEDIA_OBJECT_WALKER is under way */
   struct walk walk;
   struct ts_request model; /* of its threads */
   struct ts_payload model_payload;
   bool prt_seen; /* the last persistent root of this context, for its image */
   uint32_t prt_dw[GEN7_MEDIA_OBJECT_PRT_LENGTH];
   uint64_t dispatched; /* for statistics and tests */
   unsigned peak;
};

bool ts_create(struct media *m);
bool ts_parents_run(const struct media *m); /* a root that may still spawn children */
void ts_destroy(struct media *m);
void ts_reset(struct media *m);
/* Runs until `until` says so, the budget ends (CS_AGAIN), or nothing can go on (reported, all
 * threads are ended). */
enum cs_result ts_run(struct media *m, uint64_t *budget, bool (*until)(const struct media *m));
bool ts_idle(const struct media *m);
bool ts_dispatched_all(const struct media *m);
bool ts_root_room(const struct media *m);
bool ts_entry_open(const struct media *m);
/* The request takes a place at the end of the root queue; there must be room. */
struct ts_request *ts_enqueue(struct media *m, const struct ts_request *r,
                              const struct ts_payload *payload);
/* A message of one of its threads. */
enum sf_status ts_message(struct eu_thread *t, const struct sf_message *m);
/* False: too many messages wait. */
bool ts_send(struct media *m, struct eu_thread *t, const struct ts_message *message);
/* For the gateway: the thread at a place; data: struct media. */
struct eu_thread *ts_gateway_thread(void *data, unsigned half_slice, unsigned eu, unsigned slot);
/* Could a group with these needs start now, in one half-slice? (MEDIA-356) */
bool ts_group_fits(const struct media *m, const struct kernel_state *k);

void ts_dispatch(struct media *m, const struct ts_request *r, const struct ts_payload *payload,
                 int slot);
/* Where the threads of a slot sit; false: the part has no such slot. */
bool ts_place_of(const struct media *m, unsigned slot, struct thread_place *place);
int ts_free_slot(const struct media *m, unsigned half_slice);
void ts_deadlock(struct media *m);

const struct ts_thread *scoreboard_find(const struct ts *ts, unsigned x, unsigned y,
                                        unsigned color);
/* A number for each position of each color, and those that a request depends on. */
static inline uint32_t
scoreboard_place(unsigned x, unsigned y, unsigned color)
{
   return (color & 15) << 18 | (y & 511) << 9 | (x & 511);
}
unsigned scoreboard_places(const struct media *m, const struct ts_request *r, uint32_t place[8]);
bool scoreboard_holds(const struct media *m, const struct ts_request *r);
void scoreboard_fill_tdr(const struct media *m, const struct ts_request *r, uint32_t tdr[8]);

enum cs_result media_object(struct media *m, const struct cs_command *c, uint64_t *budget);
enum cs_result media_object_prt(struct media *m, const struct cs_command *c, uint64_t *budget,
                                bool restart);
enum cs_result media_object_walker(struct media *m, const struct cs_command *c, uint64_t *budget);
/* The next thread of the walk into the root queue, if a handle is free. */
bool media_walk_feed(struct media *m);

#endif
