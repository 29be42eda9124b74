/* Inside of the data port: one message on its way. */
#ifndef PERGOLA_DATAPORT_H
#define PERGOLA_DATAPORT_H

#include "hw/message.h"
#include "sanitize/sanitize.h"
#include "shared_functions/sf.h"
#include "surface/format.h"
#include "surface/surface.h"

#include <string.h>

#define DP_BTI_SLM 254u
#define DP_BTI_STATELESS 255u
#define DP_ALL_SLOTS(n) ((1u << (n)) - 1)

/* A linear range of bytes that a buffer message reaches. */
struct dp_range {
   uint32_t base; /* graphics address; SLM: 0 */
   uint64_t size; /* bytes from the base that are inside */
   uint8_t *slm;  /* shared local memory, or NULL */
   bool null;     /* a null surface: reads give 0, writes nothing */
};

struct dp {
   struct eu_thread *t;
   const struct sf_message *m;
   struct mem_space *space;
   const char *name;       /* of the message, for diagnostics */
   const uint32_t *header; /* NULL: none sent */
   const uint8_t *data;    /* payload after the header */
   unsigned data_regs;
   uint32_t bti;
   bool observed;               /* someone wants to see each memory access */
   struct sanitizer *sanitizer; /* who wants to see them channel by channel, or NULL */
   uint8_t channel;             /* that the next access is of; kept for the sanitizer alone */
   bool scratch;                /* stateless, in the thread's scratch space */
   bool exchanges;              /* an atomic operation that makes nothing of what it finds … */
   uint32_t unset;              /* … and its channels that found what nobody wrote */
   const uint32_t *texel;       /* U, V, R, LOD of the access, or NULL */
   uint8_t cache;               /* enum hazard_cache */
   struct surface s;
   struct dp_range r;
   uint32_t spare[8]; /* stands for response registers that were not asked for */
};

typedef enum sf_status (*dp_handler)(struct dp *d);

/* Messages. */
enum sf_status dp_oword_block_read(struct dp *d);
enum sf_status dp_oword_block_write(struct dp *d);
enum sf_status dp_unaligned_oword_block_read(struct dp *d);
enum sf_status dp_oword_dual_block_read(struct dp *d);
enum sf_status dp_oword_dual_block_write(struct dp *d);
enum sf_status dp_dword_scattered_read(struct dp *d);
enum sf_status dp_dword_scattered_write(struct dp *d);
enum sf_status dp_byte_scattered_read(struct dp *d);
enum sf_status dp_byte_scattered_write(struct dp *d);
enum sf_status dp_untyped_read(struct dp *d);
enum sf_status dp_untyped_write(struct dp *d);
enum sf_status dp_untyped_atomic(struct dp *d);
enum sf_status dp_typed_read(struct dp *d);
enum sf_status dp_typed_write(struct dp *d);
enum sf_status dp_typed_atomic(struct dp *d);
enum sf_status dp_media_block_read(struct dp *d);
enum sf_status dp_media_block_write(struct dp *d);
enum sf_status dp_memory_fence(struct dp *d);
enum sf_status dp_scratch(struct dp *d);
enum sf_status dp_render_target_write(struct dp *d);

/* Reports, does nothing else to memory, gives zeros back (DP-051). */
__attribute__((format(printf, 3, 4))) enum sf_status dp_reject(struct dp *d, const char *rule,
                                                               const char *format, ...);
__attribute__((format(printf, 4, 5))) void dp_note(struct dp *d, enum pergola_severity severity,
                                                   const char *rule, const char *format, ...);

/* Binding table entry to surface; false: reported and rejected. */
bool dp_bind(struct dp *d, bool buffer_only);

enum dp_range_flags {
   DP_ALLOW_SLM = 1,
   DP_STATELESS_DOUBTFUL = 2, /* DP-049: done, and noted */
};
/* The bytes that a block or scattered message reaches, by its binding table index. element_B: bytes
 * of an entry for the bounds check. False: rejected. */
bool dp_open_range(struct dp *d, unsigned element_B, unsigned base_align, unsigned flags,
                   const char *surface_rule);

/* DP-048, DP-301: General State Base + Immediate Buffer Base; DP-429: up to the upper bound,
 * SMP-323: if there is one. */
static inline struct dp_range
dp_stateless_range(const struct eu_env *env, const uint32_t *header)
{
   uint32_t base =
       env->general_state_base + (header[GEN7_DP_HEADER__IMMEDIATE_BUFFER_BASE_ADDRESS_DW] &
                                  GEN7_DP_HEADER__IMMEDIATE_BUFFER_BASE_ADDRESS);
   uint64_t end = env->general_state_end ? env->general_state_end : UINT64_C(1) << 32;
   return (struct dp_range){.base = base, .size = end > base ? end - base : 0};
}

static inline struct dp_range
dp_buffer_range(uint32_t base, uint32_t entries, unsigned entry_B)
{
   uint64_t size = (uint64_t)entries * entry_B, room = (UINT64_C(1) << 32) - base;
   return (struct dp_range){.base = base, .size = size < room ? size : room}; /* DP-058 */
}

/* Memory, any size, across pages. Outside what is mapped: zeros, or nothing. */
void dp_load_slow(struct dp *d, uint32_t address, void *data, unsigned size);
void dp_store_slow(struct dp *d, uint32_t address, const void *data, unsigned size);

/* For the sanitizer (watch.c). An access to graphics memory, to shared local memory, and one that
 * is not done because it is outside. */
void dp_watch(struct dp *d, uint32_t address, unsigned size, enum sanitize_kind kind,
              const void *data);
void dp_watch_slm(struct dp *d, uint64_t offset, unsigned size, enum sanitize_kind kind,
                  const void *data);
void dp_watch_outside(struct dp *d, uint64_t offset, unsigned size, enum sanitize_kind kind);
/* Has somebody written the slots' values in the payload, 8 a register? (Else one is named: what it
 * is used for.) size: bytes of a value, which is at the start of its dword. */
void dp_watch_payload(struct dp *d, unsigned reg, unsigned slots, uint32_t mask, unsigned size,
                      enum sanitize_kind kind, const char *what);
/* All slots of a message, `size` bytes each, all inside. If nothing is wrong with them the
 * sanitizer need not see them one by one: the message goes on as if there were none. */
void dp_watch_slots(struct dp *d, const uint64_t *offset, unsigned slots, uint32_t mask,
                    unsigned size, enum sanitize_kind kind);
/* What an exchange gives back at this response register: the channels in d->unset have nothing. */
void dp_watch_exchanged(struct dp *d, unsigned reg);
/* A register goes to scratch space, or comes from there; the mask has a bit a dword. */
void dp_watch_scratch(struct dp *d, unsigned reg, uint64_t offset, uint32_t mask, bool write);
/* Two channels write different values to the same bytes. */
void dp_watch_channels(struct dp *d, uint64_t offset, unsigned size, unsigned channel,
                       unsigned other);
static inline void
dp_outside(struct dp *d, unsigned channel, uint64_t offset, unsigned size, enum sanitize_kind kind)
{
   d->channel = (uint8_t)channel;
   if (__builtin_expect(d->sanitizer != NULL, 0))
      dp_watch_outside(d, offset, size, kind);
}

/* Host address of bytes that lie in one page and in sight of nobody; else NULL. */
static inline void *
dp_direct(struct dp *d, uint32_t address, unsigned size, enum mem_access access)
{
   if (__builtin_expect((address & 0xfff) + size > 4096 || d->observed, 0))
      return NULL;
   return mem_translate(d->space, address, access);
}

static inline void
dp_load(struct dp *d, uint32_t address, void *data, unsigned size)
{
   const void *host = dp_direct(d, address, size, MEM_READ);
   if (__builtin_expect(host != NULL, 1))
      memcpy(data, host, size);
   else
      dp_load_slow(d, address, data, size);
}

static inline void
dp_store(struct dp *d, uint32_t address, const void *data, unsigned size)
{
   void *host = dp_direct(d, address, size, MEM_WRITE);
   if (__builtin_expect(host != NULL, 1))
      memcpy(host, data, size);
   else
      dp_store_slow(d, address, data, size);
}

/* The same inside the range of the message: offset + size <= r.size has been checked. SLM wraps at
 * 64 KiB (DP-233), which the size of the range already says. */
static inline void
dp_range_load(struct dp *d, uint64_t offset, void *data, unsigned size)
{
   if (d->r.slm) {
      if (__builtin_expect(d->sanitizer != NULL, 0))
         dp_watch_slm(d, offset, size, SANITIZE_READ, NULL);
      memcpy(data, d->r.slm + offset, size);
   } else
      dp_load(d, d->r.base + (uint32_t)offset, data, size);
}

static inline void
dp_range_store(struct dp *d, uint64_t offset, const void *data, unsigned size)
{
   if (d->r.slm) {
      if (__builtin_expect(d->sanitizer != NULL, 0))
         dp_watch_slm(d, offset, size, SANITIZE_WRITE, data);
      memcpy(d->r.slm + offset, data, size);
   } else
      dp_store(d, d->r.base + (uint32_t)offset, data, size);
}

/* A dword that can be operated on atomically (aligned, so never across pages); NULL: fault. */
uint32_t *dp_atomic_host(struct dp *d, uint64_t offset);

/* Payload register n after the header; registers that were not sent read as zeros. */
static inline const uint32_t *
dp_in(struct dp *d, unsigned reg)
{
   static const uint32_t zeros[8] = {0};
   return reg < d->data_regs ? (const uint32_t *)(const void *)(d->data + reg * EU_REG_SIZE)
                             : zeros;
}

/* Response register n. */
static inline uint32_t *
dp_out(struct dp *d, unsigned reg)
{
   return reg < d->m->rlen && d->m->response
              ? (uint32_t *)(void *)(d->m->response + reg * EU_REG_SIZE)
              : d->spare;
}

/* The message is shorter, or its response, than the form needs: named, and the missing part is
 * zeros. */
void dp_expect(struct dp *d, unsigned data_regs, unsigned response_regs, const char *rule);

/* Channels of a 4-bit mask. */
static inline unsigned
dp_count4(unsigned mask)
{
   return 0x4332322132212110ull >> 4 * (mask & 15) & 7;
}

/* Global Offset of the block header; 0 when there is none (DP-030). */
static inline uint32_t
dp_global_offset(const struct dp *d)
{
   return d->header ? d->header[GEN7_DP_HEADER__GLOBAL_OFFSET_DW] : 0;
}

/* Writes 8 lanes of a register under a mask of dwords. */
static inline void
dp_put(uint32_t *reg, const uint32_t *lanes, uint32_t mask)
{
   if (__builtin_expect((mask & 0xff) == 0xff, 1)) {
      memcpy(reg, lanes, 32);
      return;
   }
   for (unsigned i = 0; i < 8; i++)
      if (mask >> i & 1)
         reg[i] = lanes[i];
}

/* What the render target writes of one thread owe to each other; for a windower that keeps a
 * record. */
struct rt_write;
void dp_check_order(struct dp *d, const struct rt_write *w);

/* One atomic operation (DP-194 … DP-208); returns what the message returns. */
uint32_t dp_atomic(uint32_t *at, unsigned op, uint32_t src0, uint32_t src1);
unsigned dp_atomic_sources(unsigned op);

#endif
