/* The client: its memory (user.c, guard.c), its signals and waits (wait.c, sys.c). */
#ifndef PERGOLA_DRM_CLIENT_H
#define PERGOLA_DRM_CLIENT_H

#include "names.h"

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

/* user memory (user.c): 0 or -EFAULT. */
int copy_in(void *to, uint64_t user, size_t size);
int copy_out(uint64_t user, const void *from, size_t size);
bool user_mapped(uint64_t user, uint64_t size);
/* May the client itself write there? Brings the pages in, as pinning them does. */
bool user_writable(uint64_t user, uint64_t size);
/* Link n of a chain of extensions, whatever its name is: 0, -EFAULT, -E2BIG, -EINVAL. */
struct i915_user_extension;
int read_extension(struct i915_user_extension *e, uint64_t user, unsigned n);
/* A chain of extensions where none is known: 0 if empty, -EFAULT, -EINVAL. */
int no_extensions(uint64_t user);

/* faults of the device's threads in client memory (guard.c) */
void guard_thread(void); /* the calling thread is one of these: the faults are not blocked in it */
void guard_check(void);  /* before memory is used: is the handler there? Under the lock */
/* Around the time in which the device has the memory; the pages that were put in are gone after
 * guard_remove(). */
struct guard_slot *guard_add(uint64_t start,
                             uint64_t size); /* NULL: no memory, it is not guarded */
void guard_remove(struct guard_slot *slot, uint64_t start, uint64_t size);
bool guard_repaired(uint64_t start, uint64_t size); /* have any been put in? */
void guard_tell(void);                              /* on the device's thread */
/* What was just mapped, anywhere: true, they are the batch's now; map again. */
bool guard_takes(void *map, size_t size);
/* A copy that a fault ends, which is then not done. False: nothing is copied, since the handler is
 * not there. */
bool guard_copy(void *to, const void *from, size_t size, bool *done);
/* Faults of the client's own threads are shown to this first: true, the client goes on. */
void guard_client(bool (*on_fault)(const siginfo_t *info, void *context));

/* system calls that no interposer sees (sys.c); what is mapped anywhere does not come to lie where
 * the guard has a hole, but by raw_mmap() */
void *raw_mmap(void *address, size_t size, int prot, int flags, int fd, off_t offset);
void *sys_mmap(void *address, size_t size, int prot, int flags, int fd, off_t offset);
int sys_munmap(void *address, size_t size);
int sys_close(int fd);
/* This thread is at work for the kernel or the device: what it unmaps is never the client's. */
extern _Thread_local bool kernel_inside;
/* Then the client's signals wait, as they do while a real kernel works: what it had blocked itself.
 * NULL: they do not. */
extern _Thread_local const sigset_t *kernel_client_mask;
extern _Thread_local int
    kernel_client_cancel; /* whether the thread may be cancelled, while the mask is set */
struct client_state {
   bool inside;
   const sigset_t *mask;
   int cancel;
};
/* Around a wait: signals are taken meanwhile, and a handler may do what it likes. */
void kernel_step_out(struct client_state *c);
void kernel_step_in(const struct client_state *c);
void signals_block(sigset_t *before); /* all but those that tell of a fault of the thread's own */

/* Waits (wait.c) for kernel_wake() or the deadline (CLOCK_MONOTONIC ns; < 0: none: -ETIME); the
 * lock is dropped meanwhile. Signal handlers of the client run; the wait goes on after them, … */
int kernel_wait(struct kernel *k, int64_t deadline_ns);
/* … or it is -EINTR after one without SA_RESTART, … */
int kernel_wait_interruptible(struct kernel *k, int64_t deadline_ns);
/* … or after any, as for poll(). */
int kernel_wait_once(struct kernel *k, int64_t deadline_ns);
void kernel_wake(struct kernel *k); /* under the lock, or after what has changed under it */
int64_t monotonic_ns(void);

#endif
