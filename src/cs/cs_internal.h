/* Inside the command streamers. */
#ifndef PERGOLA_CS_INTERNAL_H
#define PERGOLA_CS_INTERNAL_H

#include "cs/cs.h"
#include "hw/header.h"

/* Registers of every engine, relative to its block. VCS-002: the video and blitter blocks repeat
 * the render offsets. */
#define CS_BLOCK(reg) ((reg)-REG_BASE_RCS)
enum cs_register {
   R_EXCC = CS_BLOCK(REG_RCS_EXCC),
   R_TAIL = CS_BLOCK(REG_RCS_RING_BUFFER_TAIL),
   R_HEAD = CS_BLOCK(REG_RCS_RING_BUFFER_HEAD),
   R_START = CS_BLOCK(REG_RCS_RING_BUFFER_START),
   R_CTL = CS_BLOCK(REG_RCS_RING_BUFFER_CTL),
   R_SYNC_0 = CS_BLOCK(REG_RVSYNC),
   R_SYNC_1 = CS_BLOCK(REG_RBSYNC),
   R_IPEIR = CS_BLOCK(REG_RCS_IPEIR),
   R_IPEHR = CS_BLOCK(REG_RCS_IPEHR),
   R_INSTDONE = CS_BLOCK(REG_RCS_INSTDONE),
   R_ACTHD = CS_BLOCK(REG_RCS_ACTHD),
   R_DMA_FADD = CS_BLOCK(REG_RCS_DMA_FADD),
   R_NOPID = CS_BLOCK(REG_RCS_NOPID),
   R_HWSTAM = CS_BLOCK(REG_RCS_HWSTAM),
   R_MI_MODE = CS_BLOCK(REG_RCS_MI_MODE),
   R_EIR = CS_BLOCK(REG_RCS_EIR),
   R_EMR = CS_BLOCK(REG_RCS_EMR),
   R_ESR = CS_BLOCK(REG_RCS_ESR),
   R_INSTPM = CS_BLOCK(REG_RCS_INSTPM),
   R_BB_STATE = CS_BLOCK(REG_RCS_BB_STATE),
   R_UHPTR = CS_BLOCK(REG_RCS_UHPTR),
   R_BB_ADDR = CS_BLOCK(REG_RCS_BB_ADDR),
   R_BB_PREEMPT_ADDR = CS_BLOCK(REG_BB_PREEMPT_ADDR),
   R_HEAD_PREEMPT = CS_BLOCK(REG_RING_BUFFER_HEAD_PREEMPT_REG),
   R_CTR_CTL = CS_BLOCK(REG_PR_CTR_CTL),
   R_CTR_THRSH = CS_BLOCK(REG_PR_CTR_THRSH),
   R_CCID = CS_BLOCK(REG_CCID),
   R_CTR = CS_BLOCK(REG_PR_CTR),
   R_GFX_MODE = CS_BLOCK(REG_RCS_GFX_MODE),
   R_BBA_LEVEL2 = REG_VCS_BBA_LEVEL2 - REG_BASE_VCS,
};

#define CTL_ENABLE REG_RCS_RING_BUFFER_CTL__RING_BUFFER_ENABLE
#define HEAD_OFFSET REG_RCS_RING_BUFFER_HEAD__HEAD_OFFSET
#define TAIL_OFFSET REG_RCS_RING_BUFFER_TAIL__TAIL_OFFSET
#define CTL_DISABLE_REGISTERS REG_VCS_RING_BUFFER_CTL__DISABLE_REGISTER_ACCESSES
#define CTL_SEMAPHORE_WAIT REG_RCS_RING_BUFFER_CTL__SEMAPHORE_WAIT
#define CTL_REPORT_HEAD REG_RCS_RING_BUFFER_CTL__AUTOMATIC_REPORT_HEAD_POINTER
#define CTL_RB_WAIT REG_RCS_RING_BUFFER_CTL__RBWAIT
#define MI_MODE_STOP REG_RCS_MI_MODE__STOP_RINGS
#define MI_MODE_IDLE REG_RCS_MI_MODE__RINGS_IDLE
#define MI_MODE_INVALIDATE_UHPTR REG_RCS_MI_MODE__INVALIDATE_UHPTR_ENABLE
#define MI_MODE_FLUSH_ENABLE REG_RCS_MI_MODE__MI_FLUSH_ENABLE
#define MI_MODE_SUSPEND_FLUSH REG_RCS_MI_MODE__SUSPEND_FLUSH
#define INSTPM_SYNC_FLUSH REG_RCS_INSTPM__SYNC_FLUSH_ENABLE
#define INSTPM_TLB_INVALIDATE REG_RCS_INSTPM__TLB_INVALIDATE
#define INSTPM_CLFLUSH_TOGGLE REG_RCS_INSTPM__CLFLUSH_TOGGLE
#define GFX_MODE_PPGTT REG_RCS_GFX_MODE__PER_PROCESS_GTT_ENABLE
#define GFX_MODE_FLUSH_TLB REG_RCS_GFX_MODE__FLUSH_TLB_INVALIDATION_MODE
#define CCID(name) REG_CCID__##name
#define CCID_VALID CCID(VALID)

struct cs_op;
typedef enum cs_result (*cs_handler)(struct cs *cs, const struct cs_op *op, const uint32_t *dw,
                                     uint32_t count, uint64_t *budget);

enum cs_op_flags {
   OP_PRIVILEGED = 1 << 0, /* a no-op in a non-secure batch */
   OP_RING_ONLY = 1 << 1,
   OP_SHORT_OK = 1 << 2, /* the handler copes with fewer dwords than the layout has */
   OP_STATE = 1 << 3,    /* kept as pipeline state */
};

/* What a header leads to on one engine; the hot path reads only this. */
struct cs_op {
   cs_handler run; /* NULL: unknown */
   const struct hw_command *desc;
   const char *rule; /* the row that defines the command on this engine */
   uint16_t length_mask;
   uint8_t bias;
   uint8_t flags;
   uint16_t least; /* dwords */
   uint16_t most;
   uint32_t narrow; /* bits of dword 0 that this engine reserves beyond the layout */
   const char *narrow_rule;
};

enum cs_wait_kind {
   WAIT_NONE,
   WAIT_SEMAPHORE_REGISTER, /* value of `offset` > `data` */
   WAIT_SEMAPHORE_MEMORY,   /* dword at `offset` of `space` > `data` */
   WAIT_CONDITION,          /* EXCC bit `data` clear */
   WAIT_TAIL,               /* the rest of a command */
};

struct cs_wait {
   enum cs_wait_kind kind;
   uint32_t offset, data;
   struct mem_space *space;
   bool update; /* compare and update: store `data` when the comparison holds */
   bool announced;
};

/* Where a level of the stream stands. 0: ring, 1: first level batch, 2: second. VCS-217: three
 * address storages and no stack. */
struct cs_level {
   uint32_t address;
   struct mem_space *space;
   bool nonsecure;
   uint32_t start; /* of the batch */
};

#define CS_OPCODES(mask) ((mask) / ((mask) & -(mask)) + 1) /* that fit into a field */
#define CS_INLINE_DW 1088u /* the longest state command (SO_DECL_LIST) with room */
#define CS_SLOT_MAX_DW 264u

/* One kept state command. */
struct cs_slot {
   uint32_t *dw;
   uint32_t count, room;
   uint32_t stamp; /* when it was kept: see cs_state_stamp() */
};

/* What has come since the last draw: see order.c. */
struct cs_order {
   bool drawn;                      /* there was one … */
   bool drawn_with_depth, geometry; /* … with a depth buffer, with a geometry shader */
   bool vertex_stall;               /* Depth Stall with a post-sync operation */
   bool stalled;                    /* Command Streamer Stall */
   bool allocated;                  /* 3DSTATE_PUSH_CONSTANT_ALLOC_PS, and no stall yet */
   uint8_t depth_given;             /* commands of the depth buffer */
   uint8_t depth_steps;             /* of depth stall, flush, stall */
};

struct cs {
   struct pergola_device *dev;
   const struct cs_pipes *pipes;
   enum engine_id id;
   const char *name;
   uint32_t base;
   unsigned engine_bit;
   const struct engine_interrupts *irq;

   /* the parser */
   unsigned level;
   struct cs_level at[3]; /* at[level] is current; at[0].address is a graphics address too */
   uint32_t next;         /* address after the current command; handlers may change it */
   uint32_t ring_start, ring_size, head_wrap;
   uint32_t tail;  /* offset */
   bool attention; /* something outside the straight path has to be looked at */
   bool stopped;   /* until reset */
   bool arbitration_off;
   bool sync_flush_pending;
   bool in_command;                   /* a register access comes from this engine's stream */
   bool batch_ends_turn, batch_began; /* see cs_end_turn_at_batch; false between turns */
   struct cs_wait wait;
   enum cs_state state;
   uint64_t time_ns;    /* model time at which this engine stands */
   uint64_t work_rest;  /* work that does not make a nanosecond yet: see cs_work */
   uint64_t mailbox_ns; /* when a semaphore register of this engine was last written */
   uint64_t commands;
   uint32_t last_header;

   /* the command in hand */
   const struct cs_op *op;
   enum cs_hand hand; /* not CS_FRESH: the copy in dw is executed again */
   uint32_t *dw;
   uint32_t count, room;
   uint32_t dw_inline[CS_INLINE_DW];

   /* dispatch */
   struct cs_op *ops; /* one per known command; [0] is the unknown one */
   /* Indices into ops, by opcode. */
   uint16_t mi[CS_OPCODES(GEN7_MI_HEADER__OPCODE)], two_d[CS_OPCODES(GEN7_2D_HEADER__OPCODE)];
   uint16_t gfx[CS_OPCODES(HW_GFX_OPCODE)];

   /* watchdog */
   bool watchdog_on;
   uint64_t busy_ns; /* since the performance counters have heard of it */
   uint32_t watchdog_count;
   uint64_t watchdog_start_ns;

   /* pipeline state (RCS) */
   struct cs_slot *slots; /* by command id */
   uint32_t stamps;       /* given so far */
   struct state_bases bases;
   enum pipeline pipeline;
   bool media_state_cleared;    /* Generic Media State Clear: not in the next save */
   bool indirect_state_dropped; /* Indirect State Pointers Disable */
   bool dimension_guarded, guarded_walker_done;
   uint32_t lri_display_offset; /* display register that waits for its read back; 0: none */
   struct cs_order order;
};

static inline void
cs_pass(struct cs *cs, uint64_t ns)
{
   cs->time_ns += ns;
   cs->busy_ns += ns;
   if (cs->time_ns > cs->dev->time_ns)
      clock_advance(cs->dev, cs->time_ns - cs->dev->time_ns);
}

/* ---- oa.c ---- */
/* What has happened so far reaches the performance counters. */
void cs_oa_collect(struct cs *cs);
void cs_oa_reset(struct cs *cs);
/* OACONTROL has another value. */
void cs_oa_control(struct cs *cs, uint32_t old);
/* A command that makes threads begins, and somebody records. */
void cs_oa_dispatch(struct cs *cs, const char *command, uint32_t address);

/* ---- parser.c ---- */
bool cs_ops_build(struct cs *cs);
/* Executes the next command. False: leave the loop (state says why). */
bool cs_step(struct cs *cs, uint64_t *budget);
void cs_advance(struct cs *cs);
/* Room for the copy of a command; false: no memory. */
bool cs_room_for(struct cs *cs, uint32_t count);
/* A copy that is in hand: is it a command of this engine, and as long as it says? Then it is
 * cs->op. */
bool cs_known_command(struct cs *cs, uint32_t header, uint32_t count);

/* ---- order.c: rules, looked at where rules are on ---- */
void cs_order_state(struct cs *cs, unsigned command_id);
void cs_order_pipe_control(struct cs *cs, uint32_t flags);
void cs_order_draw(struct cs *cs);

/* ---- fast.c ---- */
uint64_t cs_fast_stretch(struct cs *cs, uint64_t budget);

/* ---- ring.c ---- */
void cs_load(struct cs *cs);    /* registers → parser */
void cs_publish(struct cs *cs); /* parser → registers */
uint32_t cs_head_register(const struct cs *cs);
/* Bytes of the ring, by its control register. */
uint32_t cs_ring_size(uint32_t ctl);
void cs_report_head(struct cs *cs);
void cs_ring_moved(struct cs *cs, uint32_t from, uint32_t to);
bool cs_uhptr_take(struct cs *cs);

static inline uint32_t
cs_reg(const struct cs *cs, enum cs_register r)
{
   return reg_get(cs->dev, cs->base + r);
}
static inline void
cs_reg_set(struct cs *cs, enum cs_register r, uint32_t value)
{
   reg_set(cs->dev, cs->base + r, value);
}

static inline bool
cs_nonsecure(const struct cs *cs)
{
   return cs->level && cs->at[cs->level].nonsecure;
}

/* ---- error.c ---- */
__attribute__((format(printf, 5, 6))) void cs_report(struct cs *cs, enum pergola_severity severity,
                                                     const char *rule, const char *field,
                                                     const char *format, ...);
/* Latches an error bit: ESR, then EIR through EMR, then the master error interrupt. */
void cs_error(struct cs *cs, uint32_t bits);
void cs_error_registers(struct cs *cs); /* EMR or EIR was written */
void cs_stop(struct cs *cs);
void cs_validate(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count);

/* ---- memory of commands ---- */
/* The space that a "Use Global GTT" bit selects; a non-secure batch never gets the global one. */
struct mem_space *cs_space(struct cs *cs, bool global);
uint32_t cs_status_page(const struct cs *cs);
/* Registers from the stream. False: the register may not be accessed. */
bool cs_register_store(struct cs *cs, uint32_t offset, uint32_t value, uint32_t byte_enable);

/* ---- flush.c ---- */
/* Model time for so many instructions of EU threads. */
void cs_work(struct cs *cs, uint64_t instructions);
enum cs_result cs_drain(struct cs *cs, uint64_t *budget);
/* False: threads that have not ended hold it; it is asked for again. */
bool cs_sync_flush(struct cs *cs, uint64_t *budget);
void cs_invalidate_tlb(struct cs *cs);

/* ---- mi_sync.c ---- */
bool cs_wait_over(struct cs *cs); /* evaluates; true: go on after the command */
void cs_wait_end(struct cs *cs);

/* ---- watchdog.c ---- */
void cs_watchdog_written(struct cs *cs, uint32_t value);
void cs_watchdog_tick(struct cs *cs);

/* ---- dispatch_dim.c ---- */
void cs_dimension_loaded(struct cs *cs, uint32_t offset, uint32_t value, bool from_memory);
void cs_dimension_guard(struct cs *cs);
void cs_dimension_walker(struct cs *cs, bool indirect);

/* ---- state.c ---- */
bool cs_state_create(struct cs *cs);
void cs_state_destroy(struct cs *cs);
void cs_state_reset(struct cs *cs);
bool cs_state_keep(struct cs *cs, const struct hw_command *desc, const uint32_t *dw,
                   uint32_t count);

/* Is it kept as four of them, by an index? */
bool cs_state_indexed(const struct hw_command *desc);

void cs_statistics_reset(struct cs *cs);
bool cs_predicate(const struct cs *cs);

/* ---- handlers ---- */
#define CS_HANDLER(name)                                                                           \
   enum cs_result name(struct cs *cs, const struct cs_op *op, const uint32_t *dw, uint32_t count,  \
                       uint64_t *budget)
CS_HANDLER(mi_noop);
CS_HANDLER(mi_user_interrupt);
CS_HANDLER(mi_wait_for_event);
CS_HANDLER(mi_flush);
CS_HANDLER(mi_arb_check);
CS_HANDLER(mi_report_head);
CS_HANDLER(mi_arb_on_off);
CS_HANDLER(mi_batch_buffer_end);
CS_HANDLER(mi_suspend_flush);
CS_HANDLER(mi_predicate);
CS_HANDLER(mi_topology_filter);
CS_HANDLER(mi_display);
CS_HANDLER(mi_semaphore_mbox);
CS_HANDLER(mi_set_context);
CS_HANDLER(mi_urb_clear);
CS_HANDLER(mi_store_data_imm);
CS_HANDLER(mi_store_data_index);
CS_HANDLER(mi_load_register_imm);
CS_HANDLER(mi_update_gtt);
CS_HANDLER(mi_store_register_mem);
CS_HANDLER(mi_flush_dw);
CS_HANDLER(mi_clflush);
CS_HANDLER(mi_report_perf_count);
CS_HANDLER(mi_load_register_mem);
CS_HANDLER(mi_batch_buffer_start);
CS_HANDLER(mi_conditional_batch_buffer_end);
CS_HANDLER(pipe_control);
CS_HANDLER(pipeline_select);
CS_HANDLER(state_base_address);
CS_HANDLER(state_prefetch);
CS_HANDLER(state_command);
CS_HANDLER(primitive_command);
CS_HANDLER(media_forward);
CS_HANDLER(blitter_forward);
CS_HANDLER(mfx_command);

#endif
