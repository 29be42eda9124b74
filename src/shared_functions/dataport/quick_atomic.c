/* Untyped atomic operations of 32 bits on raw buffers and on shared local memory. */
#include "shared_functions/dataport/quick_slots.h"

#include "shared_functions/dataport/atomic.h"
#include "shared_functions/dataport/dataport.h"

/* The slots of a message that operate, and what they get back. */
struct slots {
   uint32_t mask;
   const uint32_t *u, *src0, *src1; /* byte offsets and sources, by slot */
   uint32_t *result;
};

static ALWAYS_INLINE uint32_t
answer(unsigned op, uint32_t old, uint32_t new)
{
   return op == OP_PREDEC ? new : old; /* DP-208 */
}

/* Shared local memory belongs to the threads of one group, which run in turn: nobody comes between.
 */
static ALWAYS_INLINE void
each_plain(const struct slots *s, uint8_t *slm, unsigned op)
{
   EACH_SLOT(i, s->mask, 16)
   {
      uint32_t *at = (uint32_t *)(void *)(slm + s->u[i]);
      uint32_t old = *at, new = dp_atomic_new(op, old, s->src0[i], s->src1[i]);
      *at = new;
      s->result[i] = answer(op, old, new);
   }
}

/* All of them on one dword that has been fetched; returns what it becomes. */
static ALWAYS_INLINE uint32_t
each_same(const struct slots *s, uint32_t v, unsigned op)
{
   EACH_SLOT(i, s->mask, 16)
   {
      uint32_t new = dp_atomic_new(op, v, s->src0[i], s->src1[i]);
      s->result[i] = answer(op, v, new);
      v = new;
   }
   return v;
}

/* The operation is settled outside of the loop. */
#define EACH_OP(call)                                                                              \
   switch (op) {                                                                                   \
   case OP_AND:                                                                                    \
      call(OP_AND);                                                                                \
      break;                                                                                       \
   case OP_OR:                                                                                     \
      call(OP_OR);                                                                                 \
      break;                                                                                       \
   case OP_XOR:                                                                                    \
      call(OP_XOR);                                                                                \
      break;                                                                                       \
   case OP_MOV:                                                                                    \
      call(OP_MOV);                                                                                \
      break;                                                                                       \
   case OP_INC:                                                                                    \
      call(OP_INC);                                                                                \
      break;                                                                                       \
   case OP_DEC:                                                                                    \
      call(OP_DEC);                                                                                \
      break;                                                                                       \
   case OP_ADD:                                                                                    \
      call(OP_ADD);                                                                                \
      break;                                                                                       \
   case OP_SUB:                                                                                    \
      call(OP_SUB);                                                                                \
      break;                                                                                       \
   case OP_REVSUB:                                                                                 \
      call(OP_REVSUB);                                                                             \
      break;                                                                                       \
   case OP_IMAX:                                                                                   \
      call(OP_IMAX);                                                                               \
      break;                                                                                       \
   case OP_IMIN:                                                                                   \
      call(OP_IMIN);                                                                               \
      break;                                                                                       \
   case OP_UMAX:                                                                                   \
      call(OP_UMAX);                                                                               \
      break;                                                                                       \
   case OP_UMIN:                                                                                   \
      call(OP_UMIN);                                                                               \
      break;                                                                                       \
   case OP_CMPWR:                                                                                  \
      call(OP_CMPWR);                                                                              \
      break;                                                                                       \
   default:                                                                                        \
      call(OP_PREDEC);                                                                             \
      break;                                                                                       \
   }

static __attribute__((noinline)) void
plain(const struct slots *s, uint8_t *slm, unsigned op)
{
#define CALL(n) each_plain(s, slm, n)
   EACH_OP(CALL)
#undef CALL
}

static __attribute__((noinline)) uint32_t
same(const struct slots *s, uint32_t v, unsigned op)
{
#define CALL(n) v = each_same(s, v, n)
   EACH_OP(CALL)
#undef CALL
   return v;
}

/* DP-193: each of them indivisible; all on one dword happen at the same instant, slot after slot.
 */
static void
same_shared(const struct slots *s, uint32_t *at, unsigned op)
{
   uint32_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
   while (!__atomic_compare_exchange_n(at, &old, same(s, old, op), false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED))
      ;
}

static void
each_shared(const struct slots *s, const struct places *p, unsigned op)
{
   const uint64_t *at = (const uint64_t *)(const void *)p->at;
   EACH_SLOT(i, s->mask, 16)
   s->result[i] = dp_atomic((uint32_t *)at[i], op, s->src0[i], s->src1[i]);
}

/* All slots on dwords in a row: four of them at a time, with one locked instruction instead of
 * four, where the host has one for so many. */
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
static ALWAYS_INLINE void
row_each(const struct slots *s, uint8_t *host, unsigned regs, unsigned op)
{
   for (unsigned i = 0; i < 8 * regs; i += 4) {
      unsigned __int128 *at = (unsigned __int128 *)(void *)(host + 4 * i), old, new, seen;
      uint32_t was[4], is[4];
      for (old = *at;; old = seen) {
         memcpy(was, &old, sizeof(was));
         for (unsigned c = 0; c < 4; c++)
            is[c] = dp_atomic_new(op, was[c], s->src0[i + c], s->src1[i + c]);
         memcpy(&new, is, sizeof(new));
         seen = __sync_val_compare_and_swap(at, old, new);
         if (seen == old)
            break;
      }
      for (unsigned c = 0; c < 4; c++)
         s->result[i + c] = answer(op, was[c], is[c]);
   }
}

static __attribute__((noinline)) void
row_shared(const struct slots *s, uint8_t *host, unsigned regs, unsigned op)
{
#define CALL(n) row_each(s, host, regs, n)
   EACH_OP(CALL)
#undef CALL
}

#endif

static ALWAYS_INLINE bool
operate(struct untyped *m, const struct slots *s, bool slm, unsigned regs, unsigned op)
{
   struct places p;
   unsigned first = (unsigned)__builtin_ctz(s->mask);
   if (runs(m, regs, s->u[first], 0)) {
      uint32_t *one = (uint32_t *)(void *)span(&m->w, slm, s->u[first], 4, MEM_READ | MEM_WRITE);
      if (!one)
         return false;
      if (slm)
         *one = same(s, *one, op);
      else
         same_shared(s, one, op);
      return true;
   }
   if (slm) {
      plain(s, m->w.slm, op);
      return true;
   }
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
   if (runs_whole(m, regs, s->u[0], 4)) {
      uint8_t *row = span(&m->w, false, s->u[0], 32 * regs, MEM_READ | MEM_WRITE);
      if (row && (uintptr_t)row % 16 == 0) {
         row_shared(s, row, regs, op);
         return true;
      }
   }
#endif
   spread_mask(m, regs);
   if (!locate(m, false, regs, 4, MEM_READ | MEM_WRITE, &p))
      return false;
   each_shared(s, &p, op);
   return true;
}

static ALWAYS_INLINE bool
atomic(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, bool slm, unsigned regs)
{
   struct untyped m;
   _Alignas(32) uint32_t result[16];
   if (sf_observed(t) || !find(t, q, slm, &m.w))
      return false;
   begin(&m, t, q, regs, exec);
   if (!aligned(&m, regs, exec))
      return false;
   uint32_t answered = m.mask;
   if (q->header) /* DP-226 */
      m.mask &= dword_at(m.payload - EU_REG_SIZE, GEN7_DP_SURFACE_HEADER__PIXEL_SAMPLE_MASK_DW);
   uint32_t in = inside(&m, regs, 4);
   if (slm && m.mask & ~in)
      return false;
   m.mask &= in;
   for (unsigned r = 0; r < regs; r++)
      v8i_store(result + 8 * r, v8i_all(0));
   /* Sources that an operation does not have are read, registers or not, and left alone. */
   const uint32_t *u = (const uint32_t *)(const void *)m.payload;
   const uint32_t *src0 = q->sources > 0 ? u + 8 * regs : u,
                  *src1 = q->sources > 1 ? u + 16 * regs : u;
   struct slots s = {.mask = m.mask, .u = u, .src0 = src0, .src1 = src1, .result = result};
   if (s.mask && !operate(&m, &s, slm, regs, q->op))
      return false;
   if (q->returns)
      for (unsigned r = 0; r < regs; r++)
         put(t->grf + q->response + 32 * r, v8i_load(result + 8 * r), lanes8(answered >> 8 * r));
   sf_quick_mark(t, q);
   return true;
}

/* Counting in shared local memory, as histograms do: all slots on, nothing comes back. */
static ALWAYS_INLINE bool
count(struct eu_thread *t, const struct sf_quick *q, uint32_t exec, unsigned regs, bool add)
{
   struct untyped m;
   if (!whole(exec, regs) || sf_observed(t) || !find(t, q, true, &m.w))
      return atomic(t, q, exec, true, regs);
   begin(&m, t, q, regs, exec);
   if (!aligned(&m, regs, exec) || !whole(inside(&m, regs, 4), regs))
      return atomic(t, q, exec, true, regs);
   const uint32_t *u = (const uint32_t *)(const void *)m.payload;
   _Pragma("GCC unroll 16") for (unsigned i = 0; i < 8 * regs; i++) *
       (uint32_t *)(void *)(m.w.slm + u[i]) += add ? u[8 * regs + i] : 1;
   return true;
}

#define FUNCTION(slm, regs)                                                                        \
   static bool atomic_##slm##_##regs(struct eu_thread *t, const struct sf_quick *q, uint32_t exec) \
   {                                                                                               \
      return atomic(t, q, exec, slm, regs);                                                        \
   }

#define COUNT(name, regs, add)                                                                     \
   static bool name##_##regs(struct eu_thread *t, const struct sf_quick *q, uint32_t exec)         \
   {                                                                                               \
      return count(t, q, exec, regs, add);                                                         \
   }
COUNT(count_inc, 1, false)
COUNT(count_inc, 2, false)
COUNT(count_add, 1, true)
COUNT(count_add, 2, true)

enum { BUFFER = false, SLM = true };
FUNCTION(BUFFER, 1)
FUNCTION(BUFFER, 2)
FUNCTION(SLM, 1)
FUNCTION(SLM, 2)

const struct dp_quick_atomic_functions HOST_NAME(dp_quick_atomic) = {
    .any = {{atomic_BUFFER_1, atomic_BUFFER_2}, {atomic_SLM_1, atomic_SLM_2}},
    .count = {{count_inc_1, count_inc_2}, {count_add_1, count_add_2}},
};
