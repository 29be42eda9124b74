/* What the files of this room share. */
#ifndef PERGOLA_GEN11_INTERNAL_H
#define PERGOLA_GEN11_INTERNAL_H

#include "gen11/gen11.h"
#include "gen11/interrupt.h"
#include "oa/gen11.h"

/* ---- power ------------------------------------------------------------------------------------
 */

/* SYS-164..177 */
enum wake_domain {
   WAKE_GT,
   WAKE_RENDER,
   WAKE_VDBOX0,
   WAKE_VEBOX0 = WAKE_VDBOX0 + 8,
   WAKE_DOMAINS = WAKE_VEBOX0 + 4
};
#define WAKE_NONE WAKE_DOMAINS
#define WAKE_ALL_MEDIA (0xfffu << WAKE_VDBOX0)

enum wake_domain gen11_wake_domain(uint32_t offset);
/* SYS-422: a write that reaches a sleeping unit. */
bool gen11_shadowed(uint32_t offset);

/* SYS-185..209: the unit of a media box that an offset belongs to. */
struct media_client {
   const char *box, *client; /* "VDBOX", "VCS"; client NULL: unassigned */
   uint8_t index, slice, subslice;
};
bool gen11_media_client(uint32_t offset, struct media_client *c);

/* ---- steering ---------------------------------------------------------------------------------
 */

#define STEER_SLICES 2u
#define STEER_INSTANCES 8u
#define STEER_FIRST RANGE_ICL_STEERED_WMBE_FIRST
#define STEER_DWORDS ((RANGE_ICL_STEERED_SUBSLICE_E4_LAST + 1 - STEER_FIRST) / 4)

/* ---- engines ----------------------------------------------------------------------------------
 */

#define EXECLIST_ELEMENTS 8u
#define CSB_ENTRIES 12u

struct engine_info {
   const char *name;
   uint32_t base;
   uint8_t class, instance;
   enum hw_engine_bit hw_engine;
   uint32_t reset_domain; /* of regs_reset() */
   uint32_t gdrst;        /* SYS-423 */
   bool has_render_image;
};
extern const struct engine_info gen11_engines[GEN11_ENGINES];

struct engine {
   struct gen11 *g;
   const struct engine_info *info;
   enum gen11_engine id;
   uint64_t list[EXECLIST_ELEMENTS];    /* that is executed; from `current` on */
   uint64_t pending[EXECLIST_ELEMENTS]; /* that was loaded behind it */
   uint8_t count, current, pending_count;
   bool loaded; /* list[current] is in the registers */
   bool arbitrates;
   bool waits;      /* at a semaphore */
   bool predicated; /* MI_SET_PREDICATE: commands are skipped */
   uint8_t level;   /* 0: ring, 1: batch, 2: second-level batch */
   bool batch_ppgtt[3];
   uint64_t batch[3];   /* where it reads next; [0] is not used */
   uint64_t started_ns; /* when the context was loaded */
   uint64_t requests;   /* contexts that were completed */
};

struct gen11 {
   struct pergola_device *dev;
   uint64_t *gtt; /* 1 Mi entries of the global GTT */
   struct interrupts host, scheduler;
   struct engine engine[GEN11_ENGINES];
   bool power_gating;
   uint32_t cs_awake; /* domains that a streamer's command holds awake */
   uint8_t slices, slice_enable;
   uint32_t (*steered)[STEER_INSTANCES][STEER_DWORDS]; /* by slice */
   struct oa11 oa;
   uint64_t oa_ns; /* the time that it has come to */
};

static inline uint32_t
engine_get(const struct engine *e, uint32_t reg)
{
   return reg_get(e->g->dev, e->info->base + reg);
}
static inline void
engine_set(struct engine *e, uint32_t reg, uint32_t value)
{
   reg_set(e->g->dev, e->info->base + reg, value);
}

/* A register as a source sees it: "bus", or the name of a streamer. Aligned dwords. */
uint32_t gen11_read(struct gen11 *g, uint32_t offset, const char *source);
void gen11_write(struct gen11 *g, uint32_t offset, uint32_t value, uint32_t byte_mask,
                 const char *source);
uint64_t gen11_timestamp(const struct gen11 *g);
/* Of the timestamp, in so much time: 12 MHz. */
static inline uint64_t
gen11_ticks(uint64_t ns)
{
   return ns * 12 / 1000;
}

/* memory.c: an address of an engine; ppgtt false: the global GTT. Any size, across pages; a part
 * that is not there reads as 0, is not written, and is latched and reported. */
bool gen11_mem_read(struct engine *e, bool ppgtt, uint64_t address, void *data, size_t size);
bool gen11_mem_write(struct engine *e, bool ppgtt, uint64_t address, const void *data, size_t size);

/* context.c */
void gen11_context_load(struct engine *e, uint64_t descriptor);
void gen11_context_save(struct engine *e, uint64_t descriptor);
/* Only the tail, of the context that runs. */
void gen11_context_tail(struct engine *e, uint64_t descriptor);

/* engine.c */
void gen11_execlist_load(struct engine *e);
void gen11_engine_event(struct engine *e, uint16_t data);
void gen11_engine_reset(struct engine *e);
void gen11_instruction_error(struct engine *e);
/* A point at which another list may take over. True: it has. */
bool gen11_arbitrate(struct engine *e);
bool gen11_step(struct engine *e);

/* Has any engine a list? */
bool gen11_busy(const struct gen11 *g);

/* oa.c: performance counters */
void gen11_oa_init(struct gen11 *g);
void gen11_oa_reset(struct gen11 *g);
void gen11_oa_settle(struct gen11 *g);
/* Time alone may bring an interrupt. */
bool gen11_oa_waits(const struct gen11 *g);
uint32_t gen11_oa_read(struct gen11 *g, uint32_t offset);
void gen11_oa_written(struct gen11 *g, const struct reg_write *w);
/* The render streamer loads a context; has no more. */
void gen11_oa_context_load(struct engine *e, uint32_t id);
void gen11_oa_context_idle(struct engine *e);

/* mi.c: one command. */
void gen11_command(struct engine *e);

void gen11_report(struct engine *e, const char *rule, const char *subject, uint64_t address,
                  const char *text);

#endif
