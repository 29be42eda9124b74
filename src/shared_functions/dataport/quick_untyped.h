/* Private to the fast paths of untyped messages: what they reach, on any host. */
#ifndef PERGOLA_DP_QUICK_UNTYPED_H
#define PERGOLA_DP_QUICK_UNTYPED_H

#include "shared_functions/dataport/dp_quick.h"

#include "eu/group.h"
#include "shared_functions/dataport/vector.h"

#include <string.h>

/* What a message reaches: shared local memory, or a buffer. */
struct where {
   uint8_t *slm;
   const struct mem_space *space;
   uint32_t base, size; /* bytes */
};

/* The slots of a mask in order; all of them without looking. */
#define EACH_SLOT(i, mask, slots)                                                                  \
   for (uint32_t left_ = (mask), all_ = left_ == (1u << (slots)) - 1, n_ = 0, i;                   \
        (all_ ? n_ < (slots) : left_ != 0) &&                                                      \
        (i = all_ ? n_ : (uint32_t)__builtin_ctz(left_), true);                                    \
        left_ &= left_ - 1, n_++)

static ALWAYS_INLINE uint32_t
dword_at(const uint8_t *p, unsigned n)
{
   uint32_t v;
   memcpy(&v, p + 4 * n, 4);
   return v;
}

static ALWAYS_INLINE bool
whole(uint32_t mask, unsigned regs)
{
   uint32_t all = regs == 2 ? 0xffff : 0xff;
   return (mask & all) == all;
}

static ALWAYS_INLINE bool
find(const struct eu_thread *t, const struct sf_quick *q, bool slm, struct where *w)
{
   if (slm) {
      const struct eu_group *g = t->group;
      if (!g || !g->slm)
         return false;
      w->slm = g->slm;
      w->base = 0;
      w->size = g->slm_size_B < 0x10000 ? g->slm_size_B : 0x10000; /* DP-431 */
      return w->size != 0;
   }
   w->space = t->env->space;
   struct surface_view other;
   const struct surface_view *v = sf_view_of(t, q->bti, &other);
   w->base = v->base;
   w->size = v->raw_B;
   return w->size != 0;
}

/* Host address of bytes that lie inside, in one page; else NULL. */
static ALWAYS_INLINE uint8_t *
span(const struct where *w, bool slm, uint32_t offset, uint32_t size, enum mem_access access)
{
   if (offset & 3 || (uint64_t)offset + size > w->size)
      return NULL;
   if (slm)
      return w->slm + offset;
   uint32_t address = w->base + offset;
   return (address & 0xfff) + size > 4096 ? NULL : mem_known(w->space, address, access);
}

/* The rest is apart, so that the common case has no frame to set up. */
#define DP_QUICK_FUNCTION(kind, slm, regs, count)                                                  \
   static __attribute__((noinline)) bool kind##_##slm##_##regs##_##count##_rest(                   \
       struct eu_thread *t, const struct sf_quick *q, uint32_t exec)                               \
   {                                                                                               \
      return kind##_rest(t, q, exec, slm, regs, count);                                            \
   }                                                                                               \
   static bool kind##_##slm##_##regs##_##count(struct eu_thread *t, const struct sf_quick *q,      \
                                               uint32_t exec)                                      \
   {                                                                                               \
      return kind(t, q, exec, slm, regs, count, kind##_##slm##_##regs##_##count##_rest);           \
   }
#define DP_QUICK_FUNCTIONS(kind, slm, regs)                                                        \
   DP_QUICK_FUNCTION(kind, slm, regs, 1)                                                           \
   DP_QUICK_FUNCTION(kind, slm, regs, 2)                                                           \
   DP_QUICK_FUNCTION(kind, slm, regs, 3) DP_QUICK_FUNCTION(kind, slm, regs, 4)
#define DP_QUICK_ROW(kind, slm, regs)                                                              \
   {                                                                                               \
      kind##_##slm##_##regs##_1, kind##_##slm##_##regs##_2, kind##_##slm##_##regs##_3,             \
          kind##_##slm##_##regs##_4                                                                \
   }
/* A function each, by read(), write() and their rests, and the table of all of them. */
#define DP_QUICK_TABLE(name)                                                                       \
   enum { BUFFER = false, SLM = true };                                                            \
   DP_QUICK_FUNCTIONS(read, BUFFER, 1)                                                             \
   DP_QUICK_FUNCTIONS(read, BUFFER, 2)                                                             \
   DP_QUICK_FUNCTIONS(read, SLM, 1)                                                                \
   DP_QUICK_FUNCTIONS(read, SLM, 2)                                                                \
   DP_QUICK_FUNCTIONS(write, BUFFER, 1)                                                            \
   DP_QUICK_FUNCTIONS(write, BUFFER, 2)                                                            \
   DP_QUICK_FUNCTIONS(write, SLM, 1)                                                               \
   DP_QUICK_FUNCTIONS(write, SLM, 2)                                                               \
   const struct dp_quick_functions name = {                                                        \
       .read = {DP_QUICK_ROW(read, BUFFER, 1), DP_QUICK_ROW(read, BUFFER, 2)},                     \
       .slm_read = {DP_QUICK_ROW(read, SLM, 1), DP_QUICK_ROW(read, SLM, 2)},                       \
       .write = {DP_QUICK_ROW(write, BUFFER, 1), DP_QUICK_ROW(write, BUFFER, 2)},                  \
       .slm_write = {DP_QUICK_ROW(write, SLM, 1), DP_QUICK_ROW(write, SLM, 2)},                    \
   }

#endif
