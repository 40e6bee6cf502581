/* One thread with libevent's core: sockets, timers, work posted from other threads.
 *
 * Callbacks run in the loop's thread and must not block. A loop is owned by whoever made it.
 */
#ifndef PROFCOL_NET_EVENT_LOOP_H
#define PROFCOL_NET_EVENT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct event_base; /* libevent's */
struct event_loop;

struct event_loop *event_loop_new(const char *name, struct error *err);
/* Ends the thread and frees; NULL is fine. Nothing may be armed on it any more. */
void event_loop_free(struct event_loop *loop);
/* For those who add events of their own, in the loop's thread only. */
struct event_base *event_loop_base(struct event_loop *loop);
bool event_loop_is_current(const struct event_loop *loop);

/* Runs `call(arg)` in the loop's thread, soon; from any thread. False: no memory. */
bool event_loop_post(struct event_loop *loop, void (*call)(void *arg), void *arg);
/* The same, and waits until it has run; at once when called in the loop's thread. */
void event_loop_run_sync(struct event_loop *loop, void (*call)(void *arg), void *arg);

/* A timer; all its functions in the loop's thread. */
struct timer;
struct timer *timer_new(struct event_loop *loop, void (*call)(void *arg), void *arg); /* NULL: no memory */
void timer_arm(struct timer *timer, int64_t delay_ms);
void timer_disarm(struct timer *timer);
void timer_free(struct timer *timer);

#endif
