/* The sending queue: what stands between an exporter's consume_profiles and its wire. Holds batches up to a
 * bound, merges and splits them if asked, encodes, sends several requests at once, retries with backoff.
 *
 * An exporter has a transport (below) and calls queue_push from consume_profiles; all else is here, with the
 * Collector's option names (sending_queue, retry_on_failure, timeout) and metrics.
 *
 * Outcomes of a send and what follows:
 *     delivered  → counted as sent; a partial success counts the rejected part as dropped, is logged, never retried
 *     retryable  → again after max(backoff, retry_after), until max_elapsed_time is over
 *     too large  → split in half and both sent; a single sample that is too large is dropped
 *     refused    → dropped, counted by reason
 * A queue that is full refuses with ERROR_BUSY (or waits: block_on_overflow). With the queue off, or with
 * wait_for_result, queue_push returns when the outcome is known.
 *
 * Threads: queue_push from any; transport.send is called from the queue's worker threads and completes from
 * any thread through queue_done.
 */
#ifndef PROFCOL_PIPELINE_QUEUE_H
#define PROFCOL_PIPELINE_QUEUE_H

#include "base/buffer.h"
#include "pipeline/component.h"

enum queue_sizer { QUEUE_REQUESTS, QUEUE_ITEMS, QUEUE_BYTES };

struct queue_batch_options {
    int64_t flush_timeout_ms;
    uint64_t min_size, max_size;
    enum queue_sizer sizer; /* items or bytes */
};

struct queue_options {
    bool enabled;
    uint32_t num_consumers; /* requests in flight at once */
    uint64_t queue_size;
    enum queue_sizer sizer;
    bool block_on_overflow, wait_for_result;
    bool has_batch;
    struct queue_batch_options batch;
};

struct retry_options {
    bool enabled;
    int64_t initial_interval_ms, max_interval_ms, max_elapsed_time_ms; /* elapsed 0: for ever */
    double randomization_factor, multiplier;
};

/* Rows for OPTION_GROUP and their defaults, the Collector's: queue 1000 requests, 10 consumers; retry 5 s,
 * x1.5, 30 s, 300 s. */
extern const struct option queue_rows[];
extern const struct option retry_rows[];
extern const struct queue_options queue_defaults;
extern const struct retry_options retry_defaults;
void queue_check(const struct queue_options *queue, const struct retry_options *retry, struct complaints *complaints);

struct queue;

/* One attempt to send one request; belongs to the queue. */
struct queue_request {
    struct slice body; /* what encode made; stays until queue_done */
    uint64_t samples;
    void *transport_data; /* the transport's own, from send to queue_done */
};

/* How an attempt ended: err.code NONE: delivered. */
struct queue_outcome {
    struct error err;
    int64_t rejected_profiles; /* of a partial success */
    const char *message;       /* of a partial success; may be NULL */
};

struct queue_transport {
    /* The bytes of one request, compression included; called once per batch, not per attempt. May give a
     * slice of the batch's own wire instead of filling `out`. */
    bool (*encode)(void *self, const struct profiles *batch, struct buffer *out, struct slice *body, struct error *err);
    /* Begins an attempt; must lead to exactly one queue_done(queue, request, outcome), at the latest after
     * the transport's own timeout. */
    void (*send)(void *self, struct queue *queue, struct queue_request *request);
    void *self;
};

struct queue *queue_new(const struct queue_options *options, const struct retry_options *retry,
                        const struct queue_transport *transport, const struct host *host, struct error *err);
bool queue_start(struct queue *queue, struct error *err);
bool queue_push(struct queue *queue, const struct profiles *batch, struct error *err);
void queue_done(struct queue *queue, struct queue_request *request, const struct queue_outcome *outcome);
/* Whether queue_push may wait. */
bool queue_may_block(const struct queue *queue);
/* Sends what is held until the deadline, drops and counts the rest. Attempts in flight are waited for until
 * the deadline; transports must have ended all of them before queue_free. */
void queue_stop(struct queue *queue, int64_t deadline_ms);
void queue_free(struct queue *queue); /* NULL is fine */

#endif
