/* Threads with names, and a pool for work that blocks.
 *
 * Every thread has an owner that joins it. Signals are blocked in all of them: only main takes signals.
 */
#ifndef PROFCOL_BASE_THREAD_H
#define PROFCOL_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* At most 15 bytes of the name are kept. */
bool thread_start(pthread_t *thread, const char *name, void *(*run)(void *arg), void *arg, struct error *err);

/* A condition variable that waits on the monotonic clock. */
void condition_init(pthread_cond_t *condition);
/* Waits until signalled or `deadline_ms` (of clock_system) is there; false then. Spurious wake-ups happen:
 * call it in a loop over the predicate. */
bool condition_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline_ms);

/* A few threads that take work in order. */
struct pool;

/* Starts `threads` threads; at most `limit` pieces of work wait. NULL on failure. */
struct pool *pool_new(const char *name, unsigned threads, unsigned limit, struct error *err);
/* Ends the threads after all the work that was taken is done; NULL is fine. */
void pool_free(struct pool *pool);
/* False when `limit` pieces are waiting already: ERROR_BUSY. */
bool pool_submit(struct pool *pool, void (*work)(void *arg), void *arg, struct error *err);

#endif
