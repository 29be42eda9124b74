/* Command streamers: rings, batches, the parser, MI commands. One struct cs per engine. */
#ifndef PERGOLA_CS_H
#define PERGOLA_CS_H

#include "machine/device.h"

/* The pipelines that commands go to: they stand above the command streamers and are given to them
 * when these are made. */
struct media;
struct render;
struct blitter;
struct cs_command;
enum cs_result {
   CS_DONE,  /* go on with the next command */
   CS_AGAIN, /* not finished (budget, preemption point, wait): call again with the same command */
   CS_ERROR, /* stop the engine; the handler has reported why */
};
/* How far the command in hand is, for the streamer and for the unit that executes it. */
enum cs_hand {
   CS_FRESH, /* given for the first time; or there is none in hand */
   CS_HELD,  /* has answered CS_AGAIN before it began: something else has to end first */
   CS_BEGUN, /* the unit has begun it */
};
/* The media part of the context image (RCS-151), apart: where its commands lie, and behind them a
 * time that the image has no place for. */
#define CS_MEDIA_DW(name)                                                                          \
   (GEN7_RENDER_CONTEXT_IMAGE__##name##_DW - GEN7_RENDER_CONTEXT_IMAGE__MEDIA_VFE_STATE_DW)
#define CS_MEDIA_TIMER GEN7_RENDER_CONTEXT_IMAGE_MEDIA_LENGTH
#define CS_MEDIA_TIMER_LENGTH 4u
#define CS_MEDIA_LENGTH (CS_MEDIA_TIMER + CS_MEDIA_TIMER_LENGTH)

struct cs_pipes {
   enum cs_result (*media_command)(struct media *m, const struct cs_command *c, uint64_t *budget);
   bool (*media_idle)(const struct media *m);
   enum cs_result (*media_drain)(struct media *m, uint64_t *budget);
   void (*media_flushed)(struct media *m);
   void (*media_pipeline_selected)(struct media *m);
   void (*media_context_save)(const struct media *m, void *image);
   void (*media_context_restore)(struct media *m, const void *image);
   void (*media_drop_work)(struct media *m);
   void (*media_reset)(struct media *m);
   enum cs_result (*render_primitive)(struct render *r, const struct cs_command *c,
                                      uint64_t *budget);
   void (*render_reset)(struct render *r);
   enum cs_result (*blitter_command)(struct blitter *b, const struct cs_command *c,
                                     uint64_t *budget);
};

struct cs *cs_create(struct pergola_device *dev, enum engine_id id, const struct cs_pipes *pipes);
void cs_destroy(struct cs *cs);
void cs_reset(struct cs *cs);

/* The register hooks of this engine's block; called by the register file after the value is stored.
 */
void cs_register_written(struct cs *cs, uint32_t offset, uint32_t old_value, uint32_t value);
uint32_t cs_register_read(struct cs *cs, uint32_t offset, uint32_t stored);

enum cs_state {
   CS_IDLE,    /* head == tail, or disabled */
   CS_RUNNING, /* has commands to execute */
   CS_WAITING, /* semaphore, event, arbitration … : re-evaluated on every step */
   CS_STOPPED, /* by an error or a broken rule; needs a reset */
};
/* Executes at most `budget` units; returns the state and takes what it used off *budget. */
enum cs_state cs_run(struct cs *cs, uint64_t *budget);
enum cs_state cs_state(const struct cs *cs);
/* Until it is called with false, cs_run() returns where the ring starts a batch, before its first
 * command. Returns whether that has happened. */
bool cs_end_turn_at_batch(struct cs *cs, bool on);
bool cs_batch_began(const struct cs *cs);

/* The engine has been at work for so long. CS-004: each has a clock of its own, and the device's
 * stands where the farthest is. */
/* What has been counted so far is where it belongs; and counting is as registers and recordings
 * ask for it. */
void cs_oa_settle(struct cs *cs);
void cs_oa_resume(struct cs *cs);
void cs_spend(struct cs *cs, uint64_t ns);

struct snapshot;
void cs_snapshot(struct cs *cs, struct snapshot *s);
/* The command that a unit has begun and not ended, as it would be given to it; false: there is
 * none.
 */
bool cs_command_begun(struct cs *cs, struct cs_command *c);

/* The id of the command in hand, begun or not; GEN7_COMMAND_COUNT: there is none. */
uint16_t cs_command_held(const struct cs *cs);

/* Every engine that has work waits: says once for each who waits for what. */
void cs_diagnose_waits(struct pergola_device *dev);

/* Pipeline state of the render engine, as last programmed: the raw dwords of every non-pipelined
 * and pipelined state command. Units unpack what they need. NULL: never programmed in this context.
 */
const uint32_t *cs_state_command(const struct pergola_device *dev, unsigned gen7_command_id,
                                 uint32_t *count_dw);

/* Changes whenever the command is given, restored or forgotten: who has unpacked it compares. 0: as
 * cs_state_command() gives NULL. */
uint32_t cs_state_stamp(const struct pergola_device *dev, unsigned gen7_command_id);
/* A unit has gone on with what the command set: a context saves it so. Not a new command: the stamp
 * stays. */
void cs_state_amend(struct pergola_device *dev, unsigned gen7_command_id, const uint32_t *dw,
                    uint32_t count);

/* STATE_BASE_ADDRESS as programmed. Bounds: 0 = no check; else first page past the end. */
struct state_bases {
   uint32_t general, surface, dynamic, indirect, instruction;
   uint32_t general_end, dynamic_end, indirect_end, instruction_end;
};
const struct state_bases *cs_state_bases(const struct pergola_device *dev);
/* What threads that are dispatched now have from it; the rest is zero. */
struct eu_env;
void cs_thread_env(struct pergola_device *dev, struct mem_space *space, struct eu_env *env);
enum pipeline {
   PIPELINE_3D = GEN7_PIPELINE_SELECT_PIPELINE_SELECTION_3D,
   PIPELINE_MEDIA = GEN7_PIPELINE_SELECT_PIPELINE_SELECTION_MEDIA,
   PIPELINE_GPGPU = GEN7_PIPELINE_SELECT_PIPELINE_SELECTION_GPGPU,
};
enum pipeline cs_pipeline(const struct pergola_device *dev);
/* MI_ARB_ON_OFF: may the render engine be preempted? */
bool cs_arbitration(const struct pergola_device *dev);

/* What a command handler of another unit (media, blitter, render) gets, and answers. */
struct cs_command {
   struct cs *cs;
   struct pergola_device *dev;
   const struct hw_command *desc;
   const uint32_t *dw; /* a private copy: the guest cannot change it */
   uint32_t count_dw;
   uint32_t address;        /* graphics address of the header */
   struct mem_space *space; /* data accesses */
   enum cs_hand *hand;      /* the streamer's; NULL: the command comes once only */
};

static inline bool
cs_begun(const struct cs_command *c)
{
   return c->hand && *c->hand == CS_BEGUN;
}
/* From the unit: what the command asks for is under way; given again, it goes on. */
static inline void
cs_begin(const struct cs_command *c)
{
   if (c->hand)
      *c->hand = CS_BEGUN;
}

/* Where it stands in its stream. */
void cs_where(const struct cs *cs, struct machine_where *w);

#endif
