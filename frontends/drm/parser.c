/* The i915 command parser: which batches run with privileges on Gen7. */
#include "kernel.h"

#include "hw/header.h"

#include <errno.h>

enum parser_verdict { SAFE, REJECT, REGISTERS, BITS };

/* Bits of one dword that must be zero; if `when` is not zero only while its dword has any of those
 * set. */
struct bits {
   uint8_t dword;
   uint32_t mask;
   uint8_t when_dword;
   uint32_t when;
};

/* Commands and the places of their fields are the chip's (spec/); what the kernel thinks of them,
 * and how many bits of a length it looks at, is the kernel's own. */
struct command {
   uint32_t header;
   uint8_t fixed;        /* dwords; 0: by the length field */
   uint32_t length_mask; /* of the length field, total less two */
   enum parser_verdict verdict;
   struct bits bits[3]; /* not last: an array at the end has no bound for who checks them */
   uint8_t step; /* REGISTERS: pairs of register and value (2), or one register in dword 1 (0) */
};

#define FIXED(name, v)                                                                             \
   {                                                                                               \
      .header = GEN7_##name##_HEADER, .fixed = GEN7_##name##_LENGTH, .verdict = v                  \
   }
#define SIZED(name, m, v)                                                                          \
   {                                                                                               \
      .header = GEN7_##name##_HEADER, .length_mask = m, .verdict = v                               \
   }
#define ZERO(name, m, ...)                                                                         \
   {                                                                                               \
      .header = GEN7_##name##_HEADER, .length_mask = m, .verdict = BITS, .bits = { __VA_ARGS__ }   \
   }
#define FIELD(field) GEN7_##field##_DW, GEN7_##field

static const struct command common[] = {
    FIXED(MI_NOOP, SAFE),
    FIXED(MI_USER_INTERRUPT, REJECT),
    FIXED(MI_WAIT_FOR_EVENT, REJECT),
    FIXED(MI_ARB_CHECK, SAFE),
    FIXED(MI_REPORT_HEAD, SAFE),
    FIXED(MI_SUSPEND_FLUSH, SAFE),
    SIZED(MI_SEMAPHORE_MBOX, 0xff, REJECT),
    SIZED(MI_STORE_DATA_INDEX, 0xff, REJECT),
    {GEN7_MI_LOAD_REGISTER_IMM_HEADER, 0, 0xff, REGISTERS, {{0}}, 2},
    {GEN7_MI_STORE_REGISTER_MEM_HEADER,
     GEN7_MI_STORE_REGISTER_MEM_LENGTH,
     0,
     REGISTERS,
     {{FIELD(MI_STORE_REGISTER_MEM__USE_GLOBAL_GTT), 0, 0}},
     0},
    {GEN7_MI_LOAD_REGISTER_MEM_HEADER,
     GEN7_MI_LOAD_REGISTER_MEM_LENGTH,
     0,
     REGISTERS,
     {{FIELD(MI_LOAD_REGISTER_MEM__USE_GLOBAL_GTT), 0, 0}},
     0},
    SIZED(MI_BATCH_BUFFER_START, 0xff, SAFE), /* never gets this far */
};

/* The kernel's table knows a command that the manuals of this chip do not describe. */
#define GEN7_MI_SET_APPID_HEADER (0x0eu << 23)
#define GEN7_MI_SET_APPID_LENGTH 1

static const struct command render[] = {
    FIXED(MI_FLUSH, SAFE),
    FIXED(MI_ARB_ON_OFF, REJECT),
    FIXED(MI_PREDICATE, SAFE),
    FIXED(MI_TOPOLOGY_FILTER, SAFE),
    FIXED(MI_SET_APPID, SAFE),
    SIZED(MI_DISPLAY_FLIP, 0xff, REJECT),
    SIZED(MI_SET_CONTEXT, 0xff, REJECT),
    SIZED(MI_URB_CLEAR, 0xff, SAFE),
    ZERO(MI_STORE_DATA_IMM, 0x3f, {FIELD(MI_STORE_DATA_IMM__USE_GLOBAL_GTT), 0, 0}),
    SIZED(MI_UPDATE_GTT, 0xff, REJECT),
    ZERO(MI_CLFLUSH, 0x3ff, {FIELD(MI_CLFLUSH__USE_GLOBAL_GTT), 0, 0}),
    ZERO(MI_REPORT_PERF_COUNT, 0x3f, {FIELD(MI_REPORT_PERF_COUNT__USE_GLOBAL_GTT), 0, 0}),
    ZERO(MI_CONDITIONAL_BATCH_BUFFER_END, 0xff,
         {FIELD(MI_CONDITIONAL_BATCH_BUFFER_END__USE_GLOBAL_GTT), 0, 0}),
    FIXED(3DSTATE_VF_STATISTICS, SAFE),
    FIXED(PIPELINE_SELECT, SAFE),
    ZERO(MEDIA_VFE_STATE, 0xffff, {FIELD(MEDIA_VFE_STATE__GATEWAY_MMIO_ACCESS_CONTROL), 0, 0}),
    SIZED(GPGPU_OBJECT, 0xff, SAFE),
    SIZED(GPGPU_WALKER, 0xff, SAFE),
    SIZED(3DSTATE_SO_DECL_LIST, 0x1ff, SAFE),
    ZERO(PIPE_CONTROL, 0xff, {FIELD(PIPE_CONTROL__LRI_POST_SYNC_OPERATION), 0, 0},
         {FIELD(PIPE_CONTROL__NOTIFY_ENABLE), 0, 0},
         {GEN7_PIPE_CONTROL__DESTINATION_ADDRESS_TYPE_DW,
          GEN7_PIPE_CONTROL__DESTINATION_ADDRESS_TYPE | GEN7_PIPE_CONTROL__STORE_DATA_INDEX,
          FIELD(PIPE_CONTROL__POST_SYNC_OPERATION)}),
};

#define FLUSH_DW                                                                                   \
   ZERO(MI_FLUSH_DW, 0x3f, {FIELD(MI_FLUSH_DW__NOTIFY_ENABLE), 0, 0},                              \
        {FIELD(MI_FLUSH_DW__DESTINATION_ADDRESS_TYPE), FIELD(MI_FLUSH_DW__POST_SYNC_OPERATION)},   \
        {FIELD(MI_FLUSH_DW__STORE_DATA_INDEX), FIELD(MI_FLUSH_DW__POST_SYNC_OPERATION)})

static const struct command video[] = {
    FIXED(MI_ARB_ON_OFF, REJECT),
    FIXED(MI_SET_APPID, SAFE),
    ZERO(MI_STORE_DATA_IMM, 0xff, {FIELD(MI_STORE_DATA_IMM__USE_GLOBAL_GTT), 0, 0}),
    SIZED(MI_UPDATE_GTT, 0x3f, REJECT),
    FLUSH_DW,
    ZERO(MI_CONDITIONAL_BATCH_BUFFER_END, 0xff,
         {FIELD(MI_CONDITIONAL_BATCH_BUFFER_END__USE_GLOBAL_GTT), 0, 0}),
    FIXED(MFX_WAIT, SAFE),
};

static const struct command blitter[] = {
    SIZED(MI_DISPLAY_FLIP, 0xff, REJECT),
    ZERO(MI_STORE_DATA_IMM, 0x3ff, {FIELD(MI_STORE_DATA_IMM__USE_GLOBAL_GTT), 0, 0}),
    SIZED(MI_UPDATE_GTT, 0x3f, REJECT),
    FLUSH_DW,
    SIZED(COLOR_BLT, 0x3f, SAFE),
    SIZED(SRC_COPY_BLT, 0x3f, SAFE),
};

struct register_range {
   uint32_t first, last;
};

/* The kernel's lists have the place where earlier chips kept the video engine's TIMESTAMP. */
#define OLD_VIDEO_TIMESTAMP 0x4358u

static const struct register_range render_registers[] = {
    {REG_GPGPU_THREADS_DISPATCHED, REG_GPGPU_THREADS_DISPATCHED + 4},
    {REG_HS_INVOCATION_COUNT, REG_PS_DEPTH_COUNT + 4},
    {REG_RCS_TIMESTAMP, REG_RCS_TIMESTAMP + 4},
    {REG_MI_PREDICATE_SRC0, REG_MI_PREDICATE_SRC1 + 4},
    {REG_3DPRIM_END_OFFSET, REG_3DPRIM_END_OFFSET},
    {REG_3DPRIM_START_VERTEX, REG_3DPRIM_BASE_VERTEX},
    {REG_GPGPU_DISPATCHDIMX, REG_GPGPU_DISPATCHDIMZ},
    {OLD_VIDEO_TIMESTAMP, OLD_VIDEO_TIMESTAMP + 4},
    {REG_BCS_TIMESTAMP, REG_BCS_TIMESTAMP + 4},
    {REG_SO_NUM_PRIMS_WRITTEN_0, REG_SO_PRIM_STORAGE_NEEDED_3 + 4},
    {REG_SO_WRITE_OFFSET_0, REG_SO_WRITE_OFFSET_3},
    {REG_L3SQCREG1, REG_L3SQCREG1},
    {REG_L3CNTLREG2, REG_L3CNTLREG3},
};
static const struct register_range blitter_registers[] = {
    {REG_RCS_TIMESTAMP, REG_RCS_TIMESTAMP + 4},
    {OLD_VIDEO_TIMESTAMP, OLD_VIDEO_TIMESTAMP + 4},
    {REG_BCS_SWCTRL, REG_BCS_SWCTRL},
    {REG_BCS_TIMESTAMP, REG_BCS_TIMESTAMP + 4},
};

/* DRM-091 */
static bool
register_allowed(int engine, uint32_t reg)
{
   const struct register_range *r = engine == KERNEL_RCS ? render_registers : blitter_registers;
   size_t n = engine == KERNEL_RCS   ? sizeof(render_registers) / sizeof(*r)
              : engine == KERNEL_BCS ? sizeof(blitter_registers) / sizeof(*r)
                                     : 0;
   for (size_t i = 0; i < n; i++)
      if (reg >= r[i].first && reg <= r[i].last)
         return true;
   return false;
}

static const struct command *
find_in(const struct command *table, size_t n, uint32_t header)
{
   for (size_t i = 0; i < n; i++)
      if ((header & hw_header_mask(header)) == table[i].header)
         return &table[i];
   return NULL;
}

static const struct command *
find(int engine, uint32_t header)
{
   const struct command *c = find_in(common, sizeof(common) / sizeof(*common), header);
   if (c)
      return c;
   switch (engine) {
   case KERNEL_RCS:
      return find_in(render, sizeof(render) / sizeof(*render), header);
   case KERNEL_VCS:
      return find_in(video, sizeof(video) / sizeof(*video), header);
   default:
      return find_in(blitter, sizeof(blitter) / sizeof(*blitter), header);
   }
}

/* A command that no table names is let through; its length field is as wide as its client's. 0: a
 * client that the engine does not have. */
static uint32_t
default_length_mask(int engine, uint32_t header)
{
   enum hw_client client = hw_client(header);
   if (client == HW_CLIENT_MI)
      return 0x3f;
   if (engine == KERNEL_BCS)
      return client == HW_CLIENT_2D ? 0xff : 0;
   if (client != HW_CLIENT_GFX)
      return 0;
   if (!hw_is_media(header))
      return 0xff;
   if (engine == KERNEL_RCS)
      return 0xffff;
   return hw_get(header, GEN7_GFX_HEADER__OPCODE) == 6 ? 0xffff : 0xfff;
}

/* Constant buffer 0 has an absolute address. */
#define CONSTANT_BASE_DISABLE REG_RCS_INSTPM__CONSTANT_BUFFER_ADDRESS_OFFSET_DISABLE

/* crocus sets this bit of INSTPM in the first batch of a context, and gives absolute addresses from
 * then on. The kernel's list does not have the register; the driver draws on real chips, so it
 * takes effect there somehow (P3D-081). Nothing but that bit is let through. */
static bool
constant_base(int engine, const struct command *c, const uint32_t *dw)
{
   return engine == KERNEL_RCS && c->step == 2 &&
          (dw[0] & GEN7_MI_LOAD_REGISTER_IMM__REGISTER_OFFSET) == REG_RCS_INSTPM &&
          dw[1] >> 16 == CONSTANT_BASE_DISABLE;
}

/* DRM-091 */
static bool
registers_allowed(int engine, const struct command *c, const uint32_t *dw, uint32_t n)
{
   for (uint32_t i = 1; i < n; i += c->step) {
      if (!register_allowed(engine, dw[i] & GEN7_MI_LOAD_REGISTER_IMM__REGISTER_OFFSET) &&
          !(i + 1 < n && constant_base(engine, c, dw + i)))
         return false;
      if (!c->step)
         break;
   }
   return true;
}

/* DRM-090, DRM-092 */
static bool
allowed(int engine, const struct command *c, const uint32_t *dw, uint32_t n)
{
   if (c->verdict == REJECT)
      return false;
   if (c->verdict == REGISTERS && !registers_allowed(engine, c, dw, n))
      return false;
   for (int i = 0; i < 3 && c->bits[i].mask; i++) {
      const struct bits *b = &c->bits[i];
      if (b->dword >= n)
         continue;
      if (b->when && (b->when_dword >= n || !(dw[b->when_dword] & b->when)))
         continue;
      if (dw[b->dword] & b->mask)
         return false;
   }
   return true;
}

/* DRM-005, DRM-093 */
int
parser_check(int engine, const uint32_t *batch, uint32_t dwords)
{
   uint32_t at = 0;
   while (at < dwords) {
      uint32_t header = batch[at];
      if (header == GEN7_MI_BATCH_BUFFER_END_HEADER)
         return 0;
      const struct command *c = find(engine, header);
      uint32_t n = 1;
      if (c && c->fixed) {
         n = c->fixed;
      } else {
         uint32_t mask = c ? c->length_mask : default_length_mask(engine, header);
         if (!mask)
            return -EINVAL;
         n = (header & mask) + 2;
      }
      if (n > dwords - at)
         return -EINVAL;
      if (c && !allowed(engine, c, batch + at, n))
         return -EACCES;
      if ((header & HW_MI_HEADER) == GEN7_MI_BATCH_BUFFER_START_HEADER)
         return -EACCES;
      at += n;
   }
   return -EINVAL; /* no end */
}
