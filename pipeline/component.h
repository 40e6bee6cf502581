/* What a component is: one constant `struct factory`, found by its type in the table of built-ins or in a
 * plugin. The graph does everything that is the same for all of them: it allocates and zeroes the instance,
 * parses the options, counts, times and logs each call, holds and copies batches, resolves them.
 *
 * Life of an instance, each step in the thread of the one before:
 *     init → start → edit / consume, from any thread and several at once → stop → fini
 * fini always comes, also after a failed init and without start, and so must accept an instance that is
 * still zero; init and start therefore never clean up after themselves. stop comes only after start succeeded.
 */
#ifndef PROFCOL_PIPELINE_COMPONENT_H
#define PROFCOL_PIPELINE_COMPONENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/api.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/option.h"
#include "pdata/profiles.h"
#include "pipeline/consumer.h"

enum component_kind { RECEIVER, PROCESSOR, EXPORTER, CONNECTOR, EXTENSION, COMPONENT_KIND_COUNT };
enum stability { DEVELOPMENT, ALPHA, BETA, STABLE };

struct counter {
    atomic_uint_least64_t value;
};

static inline void counter_add(struct counter *counter, uint64_t n)
{
    atomic_fetch_add_explicit(&counter->value, n, memory_order_relaxed);
}

static inline uint64_t counter_get(const struct counter *counter)
{
    return atomic_load_explicit(&counter->value, memory_order_relaxed);
}

struct event_loop; /* net/event_loop.h */
struct pool;       /* base/thread.h */

/* Whether the process can do its work; what health_check answers. */
struct component_status {
    bool ready;         /* all components started, none stopping */
    bool healthy;       /* no component reported a fault */
    int64_t started_unix_ms;
};

/* What the graph lends to an instance; valid from init to fini. */
struct host {
    const char *id; /* as in the config, "otlp/2" */
    struct log *log;
    const struct clock *clock;
    struct event_loop *loop;        /* timers, sockets, HTTP; runs from before the first start to after the last stop */
    struct pool *pool;              /* for calls that may block */
    const struct consumer *next;    /* where a receiver, connector or processor passes batches on; else NULL */
    const char *version;            /* profcol's */

    /* A counter or gauge with the component's own label (receiver="otlp/2") and, where `label` is not NULL,
     * one more; the same name and labels give the same counter. Owned by the host. NULL: no memory. Names are
     * whole, as otelcol_receiver_accepted_profile_samples. */
    struct counter *(*counter)(const struct host *host, const char *name, const char *help, const char *label,
                               const char *value);
    /* A gauge that is read when somebody asks: until fini. */
    bool (*gauge)(const struct host *host, const char *name, const char *help, int64_t (*read)(void *user), void *user);
    /* Counts samples that end here, for good, and why; `reason` is a constant of few values. Every sample
     * that a component accepted and neither passed on nor still holds must be counted so. */
    void (*drop)(const struct host *host, const char *reason, uint64_t samples);
    struct component_status (*status)(const struct host *host);
};

struct factory {
    const char *type;    /* the name in a config, as in `stack_limit` or `stack_limit/web` */
    const char *alias;   /* an older name that the Collector's configs may have; NULL: none */
    const char *summary;
    enum component_kind kind;
    enum stability stability;
    const struct option_set *options; /* NULL: takes none */
    size_t size;                      /* of the instance */

    bool (*init)(void *self, const void *options, const struct host *host, struct error *err);
    bool (*start)(void *self, struct error *err);
    /* Stops taking new work, passes on what it holds, and returns at the deadline (of clock_system, in ms)
     * at the latest; what is left then is dropped and counted. */
    void (*stop)(void *self, int64_t deadline_ms);
    void (*fini)(void *self);

    /* At most one; which is set says whether it changes batches. Receivers and extensions have neither.
     * edit: nobody else holds the batch; change it in place, the graph passes it on.
     * consume: others may read it too; keep a reference, or pass it on with consumer_consume(host->next). */
    bool (*edit_profiles)(void *self, struct profiles *batch, struct error *err);
    bool (*consume_profiles)(void *self, const struct profiles *batch, struct error *err);
    /* Set where consume_profiles works from the bytes and needs no tables: such batches stay unresolved. */
    bool takes_unresolved;
    /* Whether consume_profiles of this instance may wait (see struct consumer). NULL: never. */
    bool (*may_block)(const void *self);
    /* Set where the component counts its own sent, failed and queued samples (queued exporters do, through
     * pipeline/queue.h). Otherwise the graph counts by the results of consume_profiles. */
    bool counts_itself;
};

/* What a plugin exports under the name `profcol_plugin`: its factory when it was built for this `abi`, else
 * NULL. The ABI number changes with any change of the structs above or of struct profiles. */
enum { PROFCOL_ABI = 1 };
typedef const struct factory *profcol_plugin_fn(uint32_t abi);

#endif
