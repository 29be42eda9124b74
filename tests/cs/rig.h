/* A device on a bench: memory, rings that run, and what was diagnosed. */
#ifndef CS_RIG_H
#define CS_RIG_H

#include "cs/cs_internal.h"
#include "pergola/pergola_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#define RIG_RAM 0x1000000u      /* 16 MiB */
#define RIG_PHYS 0x10000000u    /* where it lies in physical memory */
#define RIG_GGTT_SIZE 0x400000u /* GGTT 0 … 4 MiB is RAM 0 … 4 MiB */
#define RIG_PPGTT_RAM 0x400000u /* PPGTT 0 … 4 MiB is RAM 4 … 8 MiB */
#define RIG_RING(e) (0x10000u + 0x10000u * (e))
#define RIG_STATUS(e) (0x40000u + 0x1000u * (e))
#define RIG_BATCH 0x100000u /* room for batches */
#define RIG_BATCH2 0x140000u
#define RIG_DATA 0x200000u    /* room for results */
#define RIG_CONTEXT 0x300000u /* room for context images */

struct rig_diagnostic {
   char rule[16], field[64], subject[64], message[256];
   enum pergola_severity severity;
   uint64_t address; /* UINT64_MAX: none */
   struct rig_diagnostic *next;
};

struct rig {
   struct pergola_machine machine;
   struct pergola_device *dev; /* the machine's, and its memory */
   uint8_t *ram;
   uint32_t tail[ENGINE_COUNT], ring_size[ENGINE_COUNT];
   struct rig_diagnostic *diagnostics;
   bool allow_wrap; /* a submission may wrap around the end of the ring */
   bool line;       /* the interrupt line */
   unsigned interrupts;
   bool caches_stay; /* rig_looks_at_caches() */
};

/* Rings of 16 KiB, started; status pages set; interrupts unmasked. */
struct rig *rig_create(const char *sku, enum pergola_check check);
void rig_destroy(struct rig *r);
int rig_setup(void **state); /* "ivb-gt2", report */
int rig_teardown(void **state);

void rig_start(struct rig *r, enum engine_id e, uint32_t pages, uint32_t ctl_flags);
/* Gives every engine a PPGTT (RIG_PPGTT_RAM) and enables it. */
void rig_ppgtt(struct rig *r);
/* Appends to the ring, pads to a quadword, moves the tail. */
void rig_ring(struct rig *r, enum engine_id e, const uint32_t *dw, unsigned count);
enum pergola_run_result rig_run(struct rig *r);
/* For a case about what stays in a cache: a snapshot would drop it (decision 0013), so it is run
 * without. */
void rig_looks_at_caches(struct rig *r);
/* The device goes on from a snapshot of itself. */
void rig_pass_on(struct rig *r);
/* Both. */
enum pergola_run_result rig_submit(struct rig *r, enum engine_id e, const uint32_t *dw,
                                   unsigned count);
/* A batch at RIG_BATCH (MI_BATCH_BUFFER_END is added) started from the ring; non-secure: in PPGTT.
 */
enum pergola_run_result rig_batch(struct rig *r, enum engine_id e, bool nonsecure,
                                  const uint32_t *dw, unsigned count);
void rig_reset(struct rig *r, enum engine_id e); /* through GDRST; the ring starts anew */

uint32_t *rig_ggtt(struct rig *r, uint32_t address);
uint32_t *rig_pp(struct rig *r, uint32_t address);
uint32_t rig_reg(struct rig *r, uint32_t offset);
void rig_set(struct rig *r, uint32_t offset, uint32_t value);

unsigned rig_count(struct rig *r, const char *rule); /* how often a rule was reported */
const struct rig_diagnostic *rig_find(struct rig *r, const char *rule);
void rig_forget(struct rig *r);
/* The rule was reported (with this severity at least) and is forgotten. */
#define rig_expect(r, rule) rig_expect_at(r, rule, __FILE__, __LINE__)
void rig_expect_at(struct rig *r, const char *rule, const char *file, int line);
/* No warning or error at all. */
#define rig_clean(r) rig_clean_at(r, __FILE__, __LINE__)
void rig_clean_at(struct rig *r, const char *file, int line);

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
/* Submits a list of dwords to an engine's ring. */
#define SUBMIT(r, e, ...)                                                                          \
   rig_submit(r, e, (const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__})))
#define RING(r, e, ...)                                                                            \
   rig_ring(r, e, (const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__})))
#define BATCH(r, e, nonsecure, ...)                                                                \
   rig_batch(r, e, nonsecure, (const uint32_t[]){__VA_ARGS__},                                     \
             COUNT(((const uint32_t[]){__VA_ARGS__})))

/* Headers. */
#define NOOP 0u
#define LRI(n) (GEN7_MI_LOAD_REGISTER_IMM_HEADER | (2 * (n)-1))
#define SRM (GEN7_MI_STORE_REGISTER_MEM_HEADER | 1u << 22 | 1)
#define LRM (GEN7_MI_LOAD_REGISTER_MEM_HEADER | 1u << 22 | 1)
#define SDI (GEN7_MI_STORE_DATA_IMM_HEADER | 1u << 22 | 2)
#define SDI64 (GEN7_MI_STORE_DATA_IMM_HEADER | 1u << 22 | 3)
#define SDX (GEN7_MI_STORE_DATA_INDEX_HEADER | 1)
#define BBS GEN7_MI_BATCH_BUFFER_START_HEADER
#define BBE GEN7_MI_BATCH_BUFFER_END_HEADER
#define CBBE (GEN7_MI_CONDITIONAL_BATCH_BUFFER_END_HEADER | 1)
#define SEMA (GEN7_MI_SEMAPHORE_MBOX_HEADER | 1)
#define FLUSH_DW (GEN7_MI_FLUSH_DW_HEADER | 2)
#define PC (GEN7_PIPE_CONTROL_HEADER | 3)
#define GLOBAL (1u << 22)

#endif
