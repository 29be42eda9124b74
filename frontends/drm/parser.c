/* The i915 command parser: which batches run with privileges on Gen7. */
#include "kernel.h"

#include <errno.h>

#define MI(op) ((op) << 23)
#define MI_MASK 0xff800000u
#define GFX_MASK 0xffff0000u
#define BATCH_END MI(0x0au)
#define BATCH_START MI(0x31u)

enum verdict { SAFE, REJECT, REGISTERS, BITS };

/* bits that must be zero; if `when` is not zero only while dword 1 has any of those set */
struct bits {
   uint8_t dword;
   uint32_t mask, when_mask;
};

struct command {
   uint32_t mask, value;
   uint8_t fixed;        /* dwords; 0: by the length field */
   uint32_t length_mask; /* of the length field, total less two */
   enum verdict verdict;
   uint8_t step; /* REGISTERS: pairs of register and value (2), or one register in dword 1 (0) */
   struct bits bits[3];
};

#define GGTT_BIT (1u << 22)
#define FIXED(op, n, v)                                                                            \
   {                                                                                               \
      MI_MASK, MI(op), n, 0, v, 0,                                                                 \
      {                                                                                            \
         {                                                                                         \
            0                                                                                      \
         }                                                                                         \
      }                                                                                            \
   }
#define SIZED(op, m, v)                                                                            \
   {                                                                                               \
      MI_MASK, MI(op), 0, m, v, 0,                                                                 \
      {                                                                                            \
         {                                                                                         \
            0                                                                                      \
         }                                                                                         \
      }                                                                                            \
   }

static const struct command common[] = {
    FIXED(0x00u, 1, SAFE),                                        /* MI_NOOP */
    FIXED(0x02u, 1, REJECT),                                      /* MI_USER_INTERRUPT */
    FIXED(0x03u, 1, REJECT),                                      /* MI_WAIT_FOR_EVENT */
    FIXED(0x05u, 1, SAFE),                                        /* MI_ARB_CHECK */
    FIXED(0x07u, 1, SAFE),                                        /* MI_REPORT_HEAD */
    FIXED(0x0bu, 1, SAFE),                                        /* MI_SUSPEND_FLUSH */
    SIZED(0x16u, 0xff, REJECT),                                   /* MI_SEMAPHORE_MBOX */
    SIZED(0x21u, 0xff, REJECT),                                   /* MI_STORE_DWORD_INDEX */
    {MI_MASK, MI(0x22u), 0, 0xff, REGISTERS, 2, {{0}}},           /* MI_LOAD_REGISTER_IMM */
    {MI_MASK, MI(0x24u), 3, 0, REGISTERS, 0, {{0, GGTT_BIT, 0}}}, /* MI_STORE_REGISTER_MEM */
    {MI_MASK, MI(0x29u), 3, 0, REGISTERS, 0, {{0, GGTT_BIT, 0}}}, /* MI_LOAD_REGISTER_MEM */
    SIZED(0x31u, 0xff, SAFE), /* MI_BATCH_BUFFER_START: never gets this far */
};

#define POST_SYNC_PC (3u << 14)

static const struct command render[] = {
    FIXED(0x04u, 1, SAFE),                                        /* MI_FLUSH */
    FIXED(0x08u, 1, REJECT),                                      /* MI_ARB_ON_OFF */
    FIXED(0x0cu, 1, SAFE),                                        /* MI_PREDICATE */
    FIXED(0x0du, 1, SAFE),                                        /* MI_TOPOLOGY_FILTER */
    FIXED(0x0eu, 1, SAFE),                                        /* MI_SET_APPID */
    SIZED(0x14u, 0xff, REJECT),                                   /* MI_DISPLAY_FLIP */
    SIZED(0x18u, 0xff, REJECT),                                   /* MI_SET_CONTEXT */
    SIZED(0x19u, 0xff, SAFE),                                     /* MI_URB_CLEAR */
    {MI_MASK, MI(0x20u), 0, 0x3f, BITS, 0, {{0, GGTT_BIT, 0}}},   /* MI_STORE_DATA_IMM */
    SIZED(0x23u, 0xff, REJECT),                                   /* MI_UPDATE_GTT */
    {MI_MASK, MI(0x27u), 0, 0x3ff, BITS, 0, {{0, GGTT_BIT, 0}}},  /* MI_CLFLUSH */
    {MI_MASK, MI(0x28u), 0, 0x3f, BITS, 0, {{1, 1u, 0}}},         /* MI_REPORT_PERF_COUNT */
    {MI_MASK, MI(0x36u), 0, 0xff, BITS, 0, {{0, GGTT_BIT, 0}}},   /* MI_CONDITIONAL_BATCH_BUFFER_END
                                                                   */
    {GFX_MASK, 0x690b0000u, 1, 0, SAFE, 0, {{0}}},                /* 3DSTATE_VF_STATISTICS */
    {GFX_MASK, 0x69040000u, 1, 0, SAFE, 0, {{0}}},                /* PIPELINE_SELECT */
    {GFX_MASK, 0x70000000u, 0, 0xffff, BITS, 0, {{2, 0x18u, 0}}}, /* MEDIA_VFE_STATE */
    {GFX_MASK, 0x71040000u, 0, 0xff, SAFE, 0, {{0}}},             /* GPGPU_OBJECT */
    {GFX_MASK, 0x71050000u, 0, 0xff, SAFE, 0, {{0}}},             /* GPGPU_WALKER */
    {GFX_MASK, 0x79170000u, 0, 0x1ff, SAFE, 0, {{0}}},            /* 3DSTATE_SO_DECL_LIST */
    {GFX_MASK,
     0x7a000000u,
     0,
     0xff,
     BITS,
     0,
     {{1, 1u << 23 | 1u << 8, 0}, {1, 1u << 24 | 1u << 21, POST_SYNC_PC}}}, /* PIPE_CONTROL */
};

#define FLUSH_DW(mask)                                                                             \
   {                                                                                               \
      MI_MASK, MI(0x26u), 0, mask, BITS, 0,                                                        \
      {                                                                                            \
         {0, 1u << 8, 0}, {1, 1u << 2, 3u << 14},                                                  \
         {                                                                                         \
            0, 1u << 21, 3u << 14                                                                  \
         }                                                                                         \
      }                                                                                            \
   }

static const struct command video[] = {
    FIXED(0x08u, 1, REJECT),
    FIXED(0x0eu, 1, SAFE),
    {MI_MASK, MI(0x20u), 0, 0xff, BITS, 0, {{0, GGTT_BIT, 0}}},
    SIZED(0x23u, 0x3f, REJECT),
    FLUSH_DW(0x3f),
    {MI_MASK, MI(0x36u), 0, 0xff, BITS, 0, {{0, GGTT_BIT, 0}}},
    {GFX_MASK, 0x68000000u, 1, 0, SAFE, 0, {{0}}}, /* MFX_WAIT */
};

static const struct command blitter[] = {
    SIZED(0x14u, 0xff, REJECT),
    {MI_MASK, MI(0x20u), 0, 0x3ff, BITS, 0, {{0, GGTT_BIT, 0}}},
    SIZED(0x23u, 0x3f, REJECT),
    FLUSH_DW(0x3f),
    {0xffc00000u, 0x40000000u | 0x40u << 22, 0, 0x3f, SAFE, 0, {{0}}}, /* COLOR_BLT */
    {0xffc00000u, 0x40000000u | 0x43u << 22, 0, 0x3f, SAFE, 0, {{0}}}, /* SRC_COPY_BLT */
};

struct register_range {
   uint32_t first, last;
};

static const struct register_range render_registers[] = {
    {0x2290, 0x2294},                   /* GPGPU_THREADS_DISPATCHED */
    {0x2300, 0x2354},                   /* pipeline statistics */
    {0x2358, 0x235c},                   /* TIMESTAMP */
    {0x2400, 0x240c},                   /* MI_PREDICATE_SRC0, SRC1 */
    {0x2420, 0x2420}, {0x2430, 0x2440}, /* 3DPRIM_* */
    {0x2500, 0x2508},                   /* GPGPU_DISPATCHDIM */
    {0x4358, 0x435c}, {0x22358, 0x2235c},
    {0x5200, 0x525c},                   /* SO_NUM_PRIMS_WRITTEN, SO_PRIM_STORAGE_NEEDED */
    {0x5280, 0x528c},                   /* SO_WRITE_OFFSET */
    {0xb010, 0xb010}, {0xb020, 0xb024}, /* L3 configuration */
};
static const struct register_range blitter_registers[] = {
    {0x2358, 0x235c},
    {0x4358, 0x435c},
    {0x22200, 0x22200},
    {0x22358, 0x2235c},
};

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
      if ((header & table[i].mask) == table[i].value)
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
   uint32_t client = header >> 29, subclient = header >> 27 & 3, opcode = header >> 24 & 7;
   if (client == 0)
      return 0x3f;
   if (engine == KERNEL_BCS)
      return client == 2 ? 0xff : 0;
   if (client != 3)
      return 0;
   if (subclient != 2)
      return 0xff;
   if (engine == KERNEL_RCS)
      return 0xffff;
   return opcode == 6 ? 0xffff : 0xfff;
}

static bool
registers_allowed(int engine, const struct command *c, const uint32_t *dw, uint32_t n)
{
   for (uint32_t i = 1; i < n; i += c->step) {
      if (!register_allowed(engine, dw[i] & 0x7ffffc))
         return false;
      if (!c->step)
         break;
   }
   return true;
}

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
      /* The condition of PIPE_CONTROL is in its flags, that of MI_FLUSH_DW in its header. */
      uint32_t condition = c->mask == GFX_MASK ? dw[1] : dw[0];
      if (b->when_mask && !(condition & b->when_mask))
         continue;
      if (dw[b->dword] & b->mask)
         return false;
   }
   return true;
}

int
parser_check(int engine, const uint32_t *batch, uint32_t dwords)
{
   uint32_t at = 0;
   while (at < dwords) {
      uint32_t header = batch[at];
      if (header == BATCH_END)
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
      if ((header & MI_MASK) == BATCH_START)
         return -EACCES;
      at += n;
   }
   return -EINVAL; /* no end */
}
