/* Host threads that the dispatchers of a device share. */
#ifndef PERGOLA_DISPATCH_POOL_H
#define PERGOLA_DISPATCH_POOL_H

struct pool;

#define POOL_LOOK_NS 50000u /* that a host thread looks for work before it sleeps */

/* begins: called first on every thread that is made; or NULL. */
struct pool *pool_create(unsigned threads, void (*begins)(void));
void pool_destroy(struct pool *p);
unsigned pool_threads(const struct pool *p);
/* Calls fn(data, 0) on the calling thread and fn(data, 1 … threads - 1) on the others, so far as
 * they come in time; returns when all of these have. */
void pool_run(struct pool *p, void (*fn)(void *data, unsigned index), void *data);

#endif
