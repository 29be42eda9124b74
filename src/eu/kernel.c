/* The cache of decoded kernels: by address and contents. Read without a lock; changed under one. */
#include "machine/host.h"
#include "eu/fast.h"
#include "eu/fpmode.h"
#include "eu/jit/jit.h"
#include "eu/shadow.h"

#include <stdlib.h>
#include <string.h>

/* Above the first the cache is emptied as soon as no thread runs; above the second nothing more is
 * decoded. */
#define CACHE_FULL (UINT64_C(256) << 20)
#define CACHE_LIMIT (UINT64_C(1) << 30)

/* The use of a kernel at which it is translated: what is used twice is used often. */
#define NATIVE_AFTER 2u

struct eu *
eu_create(struct pergola_device *dev, const struct eu_shared *shared)
{
   struct eu *eu = calloc(1, sizeof(*eu));
   if (!eu)
      return NULL;
   eu->dev = dev;
   eu->shared = shared;
   eu->stopped = rules_stop_flag(dev);
   pthread_mutex_init(&eu->lock, NULL);
   pthread_mutex_init(&eu->common_lock, NULL);
   eu->fast = eu_fast_choose();
   if (host_has_vectors() && dev->config.native != PERGOLA_NATIVE_OFF && !dev->config.sanitize)
      eu->native_after = dev->config.native == PERGOLA_NATIVE_ALWAYS ? 1 : NATIVE_AFTER;
   return eu;
}

void
eu_forget_kernels(struct eu *eu)
{
   for (unsigned i = 0; i < EU_HASH; i++) {
      struct eu_kernel *k = eu->table[i];
      eu->table[i] = NULL;
      while (k) {
         struct eu_kernel *next = k->next;
         eu_profile_keep(eu, k);
         eu_kernel_free(k);
         k = next;
      }
   }
   /* Threads may remember what has gone; who finds room in the cache must know of it. */
   eu_invalidate_instructions(eu);
   __atomic_store_n(&eu->bytes, 0, __ATOMIC_SEQ_CST);
}

/* Kernels are read without a lock, so they are freed only by a thread that knows itself alone. One
 * that enters while this happens has seen the cache full and waits for the lock. */
uint32_t
eu_enter(struct eu *eu)
{
   __atomic_add_fetch(&eu->running, 1, __ATOMIC_SEQ_CST);
   if (__atomic_load_n(&eu->bytes, __ATOMIC_SEQ_CST) > CACHE_FULL) {
      pthread_mutex_lock(&eu->lock);
      if (__atomic_load_n(&eu->running, __ATOMIC_SEQ_CST) == 1)
         eu_forget_kernels(eu);
      pthread_mutex_unlock(&eu->lock);
   }
   return fpmode_get();
}

void
eu_leave(struct eu *eu, uint32_t host_modes)
{
   fpmode_set(host_modes);
   __atomic_sub_fetch(&eu->running, 1, __ATOMIC_SEQ_CST);
}

void
eu_destroy(struct eu *eu)
{
   if (!eu)
      return;
   eu_forget_kernels(eu);
   eu_shadows_free(eu);
   eu_tallies_free(eu);
   free(eu->profile);
   pthread_mutex_destroy(&eu->lock);
   pthread_mutex_destroy(&eu->common_lock);
   free(eu);
}

void
eu_invalidate_instructions(struct eu *eu)
{
   __atomic_add_fetch(&eu->generation, 1, __ATOMIC_RELEASE);
}

static unsigned
slot_of(const struct mem_space *space, uint32_t address)
{
   uint64_t h = (address >> 3) * UINT64_C(0x9e3779b97f4a7c15) ^ (uintptr_t)space >> 4;
   return (unsigned)(h >> 20) % EU_HASH;
}

static bool
same_place(const struct eu_kernel *k, const struct eu_env *env, uint32_t ip)
{
   return k->space == env->space && k->address == env->instruction_base + ip && k->start == ip &&
          k->pp_dir_base == env->space->pp_dir_base;
}

static struct eu_kernel *
find(struct eu *eu, const struct eu_env *env, uint32_t ip)
{
   unsigned slot = slot_of(env->space, env->instruction_base + ip);
   struct eu_kernel *k = __atomic_load_n(&eu->table[slot], __ATOMIC_ACQUIRE);
   for (; k; k = k->next)
      if (same_place(k, env, ip) && !__atomic_load_n(&k->dead, __ATOMIC_RELAXED))
         return k;
   return NULL;
}

static bool
unchanged(const struct eu_kernel *k)
{
   uint32_t done = 0;
   while (done < k->size) {
      uint32_t address = k->address + done;
      uint32_t chunk = MEM_PAGE_SIZE - (address & (MEM_PAGE_SIZE - 1));
      if (chunk > k->size - done)
         chunk = k->size - done;
      const void *p = mem_probe(k->space, address, chunk, MEM_READ)
                          ? mem_translate(k->space, address, MEM_READ)
                          : NULL;
      if (!p || memcmp(p, k->bytes + done, chunk))
         return false;
      done += chunk;
   }
   return true;
}

/* Under the lock. */
static struct eu_kernel *
refresh(struct eu *eu, struct eu_thread *t, uint32_t ip, bool *starved)
{
   uint32_t generation = __atomic_load_n(&eu->generation, __ATOMIC_ACQUIRE);
   struct eu_kernel *k = find(eu, t->env, ip);
   if (k && k->generation == generation)
      return k;
   if (k && unchanged(k)) {
      __atomic_store_n(&k->generation, generation, __ATOMIC_RELEASE);
      return k;
   }
   if (k)
      __atomic_store_n(&k->dead, true, __ATOMIC_RELAXED);
   if (eu->bytes > CACHE_LIMIT) {
      *starved = true;
      return NULL;
   }
   k = eu_kernel_build(t, ip, starved);
   if (!k)
      return NULL;
   k->generation = generation;
   __atomic_add_fetch(&eu->bytes, k->memory, __ATOMIC_SEQ_CST);
   unsigned slot = slot_of(t->env->space, k->address);
   k->next = eu->table[slot];
   __atomic_store_n(&eu->table[slot], k, __ATOMIC_RELEASE);
   return k;
}

static struct eu_kernel *
kernel_at(struct eu_thread *t, uint32_t ip, bool *starved)
{
   struct eu *eu = t->env->dev->eu;
   struct eu_kernel *k = find(eu, t->env, ip);
   uint32_t generation = __atomic_load_n(&eu->generation, __ATOMIC_ACQUIRE);
   if (k && __atomic_load_n(&k->generation, __ATOMIC_ACQUIRE) == generation)
      return k;
   pthread_mutex_lock(&eu->lock);
   k = refresh(eu, t, ip, starved);
   pthread_mutex_unlock(&eu->lock);
   return k;
}

static void
translate(struct eu *eu, struct eu_kernel *k, enum jit_kind kind, struct jit_code **published)
{
   struct jit_code *code = jit_translate(k, kind);
   if (code)
      __atomic_add_fetch(&eu->bytes, code->size, __ATOMIC_SEQ_CST);
   __atomic_store_n(published, code, __ATOMIC_RELEASE);
}

/* A hot kernel becomes native code. */
void
eu_kernel_count(struct eu *eu, struct eu_kernel *k)
{
   if (__atomic_add_fetch(&k->uses, 1, __ATOMIC_RELAXED) != eu->native_after)
      return;
   pthread_mutex_lock(&eu->lock);
   translate(eu, k, JIT_ANY, &k->native);
   pthread_mutex_unlock(&eu->lock);
}

/* The first who runs a series of threads of it has it made. */
const struct jit_code *
eu_kernel_series(struct eu *eu, struct eu_kernel *k)
{
   if (__atomic_load_n(&k->series_tried, __ATOMIC_ACQUIRE))
      return k->series;
   pthread_mutex_lock(&eu->lock);
   if (!k->series_tried)
      translate(eu, k, JIT_SERIES, &k->series);
   __atomic_store_n(&k->series_tried, true, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&eu->lock);
   return k->series;
}

const struct jit_wide *
eu_kernel_wide(struct eu *eu, struct eu_kernel *k)
{
   if (__atomic_load_n(&k->wide_tried, __ATOMIC_ACQUIRE))
      return k->wide;
   pthread_mutex_lock(&eu->lock);
   if (!k->wide_tried) {
      k->wide = jit_translate_wide(k);
      if (k->wide)
         __atomic_add_fetch(&eu->bytes, k->wide->memory, __ATOMIC_SEQ_CST);
   }
   __atomic_store_n(&k->wide_tried, true, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&eu->lock);
   return k->wide;
}

static void
enter(struct eu_thread *t, struct eu_kernel *k)
{
   t->kernel = k;
   t->kernel_generation = __atomic_load_n(&k->generation, __ATOMIC_ACQUIRE);
   eu_kernel_used(t->env->dev->eu, k);
   if (k->timed)
      t->careful |= CAREFUL_TIME;
   if (t->waiting) /* where another kernel has sent them, which this one knows nothing of */
      t->careful |= CAREFUL_WAITERS;
}

/* VCS-305: what is fetched through an invalid entry never comes, and the thread waits for it. */
static enum eu_stop
fetch_fault(struct eu_thread *t, uint32_t ip)
{
   uint64_t bytes;
   const struct eu_env *env = t->env;
   bool there = mem_read(env->space, env->instruction_base + ip, &bytes, sizeof(bytes));
   eu_report(t, NULL, ip, PERGOLA_FATAL, "EU-187",
             "no instruction can be fetched at 0x%x, an offset from the instruction base", ip);
   return !there && env->dev->config.deadlocks_hang ? EU_STOP_WAIT : EU_STOP_FAULT;
}

/* The host has no memory for the decoded kernel: the thread stands still, and the batch hangs
 * rather than goes on without what it would have done. */
static enum eu_stop
no_memory(struct eu_thread *t, uint32_t ip)
{
   eu_report(t, NULL, ip, PERGOLA_FATAL, "EU-187", "no memory to decode the kernel at 0x%x", ip);
   return t->env->dev->config.deadlocks_hang ? EU_STOP_WAIT : EU_STOP_FAULT;
}

const struct eu_op *
eu_lookup(struct eu_thread *t, uint32_t ip)
{
   const struct eu_op *op = t->kernel ? eu_op_in(t->kernel, ip) : NULL;
   if (op)
      return op;
   /* Where the thread began, first: a long kernel that jumps back is not decoded anew for every
    * place that it jumps to. */
   bool starved = false;
   struct eu_kernel *k = kernel_at(t, t->kernel_start, &starved);
   op = k ? eu_op_in(k, ip) : NULL;
   if (!op && !(ip & 7)) {
      k = kernel_at(t, ip, &starved);
      op = k ? eu_op_in(k, ip) : NULL;
   }
   if (!op)
      return eu_stop(t, ip, starved ? no_memory(t, ip) : fetch_fault(t, ip));
   enter(t, k);
   return op;
}

bool
eu_kernel_sends_to(const struct eu_kernel *k, unsigned sfid)
{
   for (uint32_t i = 0; k && i < k->op_count; i++) {
      const struct eu_detail *d = k->ops[i].d;
      if (d && (d->opcode == EU_OP_SEND || d->opcode == EU_OP_SENDC) && d->inst.sfid == sfid)
         return true;
   }
   return false;
}

bool
eu_kernel_asks_slot(const struct eu_kernel *k)
{
   return k && k->asks_slot;
}
