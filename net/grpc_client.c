#include "net/grpc_client.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>

#include <grpc/byte_buffer.h>
#include <grpc/support/time.h>
#include <pthread.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/thread.h"
#include "net/grpc_common.h"

enum {
    DEFAULT_MAX_RESPONSE_BYTES = 4 << 20,
    RECONNECT_INITIAL_MS = 1000,
    RECONNECT_MAX_MS = 30 * 1000,
    /* Messages below this are copied; above, core reads them where they are. */
    LEND_MIN_BYTES = 64 * 1024,
    /* How often to look whether core let go of a lent message. */
    LENT_POLL_MIN_MS = 1,
    LENT_POLL_MAX_MS = 100,
    STATUS_TEXT_SIZE = 1024,
};

struct rpc_client {
    struct rpc_core core;
    const struct rpc_client_settings *settings;
    struct log *log;
    grpc_completion_queue *queue;
    pthread_t thread;
    bool running;
    size_t max_response_bytes;
    struct outgoing *ended; /* of the thread alone: calls whose message core may still hold */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    grpc_channel *channel; /* guarded by mutex, as all below */
    struct tls_pem pem;
    int64_t next_reload_ms;
    struct outgoing *calls; /* begun and not yet done */
};

/* One call, from rpc_client_send to its done. */
struct outgoing {
    struct rpc_client *client;
    struct outgoing *next, **link; /* in client->calls */
    struct outgoing *next_ended;
    struct rpc_call_out out;
    grpc_call *call; /* guarded by the client's mutex; NULL once ended */
    grpc_byte_buffer *request, *response;
    grpc_metadata_array initial, trailing;
    grpc_status_code status;
    grpc_slice status_text, details;
    atomic_bool released; /* core no longer reads out.message */
    size_t metadata_count;
    grpc_metadata metadata[];
};

static void outgoing_free(struct outgoing *outgoing)
{
    for (size_t i = 0; i < outgoing->metadata_count; i++) {
        grpc_slice_unref(outgoing->metadata[i].key);
        grpc_slice_unref(outgoing->metadata[i].value);
    }
    grpc_byte_buffer_destroy(outgoing->request);
    grpc_byte_buffer_destroy(outgoing->response);
    grpc_metadata_array_destroy(&outgoing->initial);
    grpc_metadata_array_destroy(&outgoing->trailing);
    grpc_slice_unref(outgoing->status_text);
    grpc_slice_unref(outgoing->details);
    mem_free(outgoing);
}

static void on_released(void *user)
{
    struct outgoing *outgoing = user;
    atomic_store_explicit(&outgoing->released, true, memory_order_release);
}

static grpc_compression_algorithm algorithm_of(enum compression compression)
{
    switch (compression) {
    case COMPRESSION_NONE:
        return GRPC_COMPRESS_NONE;
    case COMPRESSION_GZIP:
        return GRPC_COMPRESS_GZIP;
    case COMPRESSION_ZLIB:
        return GRPC_COMPRESS_DEFLATE;
    case COMPRESSION_ZSTD:
        break;
    }
    assert(compression != COMPRESSION_ZSTD);
    return GRPC_COMPRESS_NONE;
}

static grpc_byte_buffer *request_buffer(struct outgoing *outgoing)
{
    struct slice message = outgoing->out.message;
    bool lent = message.len >= LEND_MIN_BYTES;
    atomic_init(&outgoing->released, !lent);
    /* Core's function lacks the const: it only reads. */
    grpc_slice bytes =
        lent ? grpc_slice_new_with_user_data((void *)message.data, message.len, on_released, outgoing)
             : rpc_slice_copy(message);
    grpc_byte_buffer *buffer =
        grpc_raw_compressed_byte_buffer_create(&bytes, 1, algorithm_of(outgoing->out.compression));
    grpc_slice_unref(bytes);
    return buffer;
}

static void add_metadata(struct outgoing *outgoing, const char *key, const char *value)
{
    outgoing->metadata[outgoing->metadata_count++] = (grpc_metadata){
        .key = grpc_slice_from_copied_string(key),
        .value = grpc_slice_from_copied_string(value),
    };
}

static struct outgoing *outgoing_new(struct rpc_client *client, const struct rpc_call_out *out)
{
    struct outgoing *outgoing =
        mem_calloc(1, sizeof(*outgoing) + (out->metadata_count + 1) * sizeof(outgoing->metadata[0]));
    if (!outgoing)
        return NULL;
    outgoing->client = client;
    outgoing->out = *out;
    outgoing->status_text = grpc_empty_slice();
    outgoing->details = grpc_empty_slice();
    grpc_metadata_array_init(&outgoing->initial);
    grpc_metadata_array_init(&outgoing->trailing);
    for (size_t i = 0; i < out->metadata_count; i++)
        add_metadata(outgoing, out->metadata[i].key, out->metadata[i].value);
    /* Core's own name for "the message is compressed already". */
    if (out->compression != COMPRESSION_NONE)
        add_metadata(outgoing, "grpc-internal-encoding-request",
                     out->compression == COMPRESSION_GZIP ? "gzip" : "deflate");
    outgoing->request = request_buffer(outgoing);
    return outgoing;
}

static void add_names(const struct rpc_client_settings *settings, struct rpc_args *args)
{
    if (settings->user_agent)
        rpc_args_add_text(args, GRPC_ARG_PRIMARY_USER_AGENT_STRING, settings->user_agent);
    if (settings->authority)
        rpc_args_add_text(args, GRPC_ARG_DEFAULT_AUTHORITY, settings->authority);
    if (settings->tls.server_name_override.len > 0)
        rpc_args_add_text(args, GRPC_SSL_TARGET_NAME_OVERRIDE_ARG, settings->tls.server_name_override.data);
    rpc_args_add_text(args, GRPC_ARG_LB_POLICY_NAME, settings->round_robin ? "round_robin" : "pick_first");
}

static void add_keepalive(const struct rpc_client_settings *settings, struct rpc_args *args)
{
    if (settings->keepalive_time_ms > 0) {
        rpc_args_add(args, GRPC_ARG_KEEPALIVE_TIME_MS, (uint64_t)settings->keepalive_time_ms);
        rpc_args_add(args, GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    }
    if (settings->keepalive_timeout_ms > 0)
        rpc_args_add(args, GRPC_ARG_KEEPALIVE_TIMEOUT_MS, (uint64_t)settings->keepalive_timeout_ms);
    rpc_args_add(args, GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, settings->keepalive_permit_without_stream);
}

static grpc_channel *open_channel(const struct rpc_client *client)
{
    const struct rpc_client_settings *settings = client->settings;
    struct rpc_args args = {0};
    rpc_args_add(&args, GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, client->max_response_bytes);
    rpc_args_add(&args, GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
    rpc_args_add(&args, GRPC_ARG_ENABLE_RETRIES, 0);
    rpc_args_add(&args, GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    rpc_args_add(&args, GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, RECONNECT_INITIAL_MS);
    rpc_args_add(&args, GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, RECONNECT_MAX_MS);
    add_names(settings, &args);
    add_keepalive(settings, &args);
    grpc_channel_credentials *credentials = rpc_client_credentials(&settings->tls, &client->pem);
    if (!credentials)
        return NULL;
    grpc_channel *channel =
        grpc_channel_create(settings->target, credentials, &(grpc_channel_args){args.count, args.items});
    grpc_channel_credentials_release(credentials);
    return channel;
}

/* With the mutex held: new files mean a new channel; calls in progress keep the old one alive. */
static void reload(struct rpc_client *client)
{
    const struct tls_client_options *tls = &client->settings->tls;
    int64_t now_ms = clock_ms(&clock_system);
    if (tls->insecure || tls->reload_interval_ms == 0 || now_ms < client->next_reload_ms)
        return;
    client->next_reload_ms = now_ms + tls->reload_interval_ms;
    struct tls_pem pem = {0}, old = client->pem;
    struct error err = {0};
    if (!tls_client_load(tls, &pem, &err)) {
        log_warn(client->log, "keeping the old certificates: %s", err.message);
        return;
    }
    client->pem = pem;
    grpc_channel *channel = rpc_tls_pem_equal(&pem, &old) ? NULL : open_channel(client);
    if (channel) {
        grpc_channel_destroy(client->channel);
        client->channel = channel;
        log_info(client->log, "took new certificates");
    }
    tls_pem_fini(&old);
}

static gpr_timespec after_ms(int64_t delay_ms)
{
    return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_millis(delay_ms, GPR_TIMESPAN));
}

static void link_call(struct outgoing *outgoing)
{
    struct rpc_client *client = outgoing->client;
    const struct rpc_call_out *out = &outgoing->out;
    gpr_timespec deadline =
        out->timeout_ms > 0 ? after_ms(out->timeout_ms) : gpr_inf_future(GPR_CLOCK_MONOTONIC);
    pthread_mutex_lock(&client->mutex);
    reload(client);
    outgoing->call = grpc_channel_create_call(client->channel, NULL, GRPC_PROPAGATE_DEFAULTS, client->queue,
                                              grpc_slice_from_static_string(out->path), NULL, deadline, NULL);
    outgoing->next = client->calls;
    outgoing->link = &client->calls;
    if (outgoing->next)
        outgoing->next->link = &outgoing->next;
    client->calls = outgoing;
    pthread_mutex_unlock(&client->mutex);
}

static void unlink_call(struct outgoing *outgoing)
{
    struct rpc_client *client = outgoing->client;
    pthread_mutex_lock(&client->mutex);
    *outgoing->link = outgoing->next;
    if (outgoing->next)
        outgoing->next->link = outgoing->link;
    pthread_cond_broadcast(&client->changed);
    pthread_mutex_unlock(&client->mutex);
}

static grpc_call_error begin(struct outgoing *outgoing)
{
    grpc_op ops[6] = {{.op = GRPC_OP_SEND_INITIAL_METADATA},  {.op = GRPC_OP_SEND_MESSAGE},
                      {.op = GRPC_OP_SEND_CLOSE_FROM_CLIENT}, {.op = GRPC_OP_RECV_INITIAL_METADATA},
                      {.op = GRPC_OP_RECV_MESSAGE},           {.op = GRPC_OP_RECV_STATUS_ON_CLIENT}};
    if (outgoing->client->settings->wait_for_ready)
        ops[0].flags =
            GRPC_INITIAL_METADATA_WAIT_FOR_READY | GRPC_INITIAL_METADATA_WAIT_FOR_READY_EXPLICITLY_SET;
    ops[0].data.send_initial_metadata.count = outgoing->metadata_count;
    ops[0].data.send_initial_metadata.metadata = outgoing->metadata;
    ops[1].data.send_message.send_message = outgoing->request;
    ops[3].data.recv_initial_metadata.recv_initial_metadata = &outgoing->initial;
    ops[4].data.recv_message.recv_message = &outgoing->response;
    ops[5].data.recv_status_on_client.trailing_metadata = &outgoing->trailing;
    ops[5].data.recv_status_on_client.status = &outgoing->status;
    ops[5].data.recv_status_on_client.status_details = &outgoing->status_text;
    return grpc_call_start_batch(outgoing->call, ops, 6, outgoing, NULL);
}

static void fail(const struct rpc_call_out *out, int code, const char *text)
{
    out->done(out->user, &(struct rpc_result){.code = code, .text = text});
}

void rpc_client_send(struct rpc_client *client, const struct rpc_call_out *call)
{
    struct outgoing *outgoing = outgoing_new(client, call);
    if (!outgoing) {
        fail(call, GRPC_STATUS_UNAVAILABLE, "no memory");
        return;
    }
    link_call(outgoing);
    grpc_call_error error = begin(outgoing);
    if (error == GRPC_CALL_OK)
        return;
    struct rpc_call_out out = outgoing->out;
    unlink_call(outgoing);
    grpc_call_unref(outgoing->call);
    outgoing_free(outgoing);
    fail(&out, GRPC_STATUS_INVALID_ARGUMENT, grpc_call_error_to_string(error));
}

/* In the thread: core has answered. Its metadata goes with the call. */
static void end_call(struct outgoing *outgoing)
{
    struct rpc_client *client = outgoing->client;
    for (size_t i = 0; i < outgoing->trailing.count; i++) {
        const grpc_metadata *entry = &outgoing->trailing.metadata[i];
        if (grpc_slice_str_cmp(entry->key, "grpc-status-details-bin") == 0) {
            grpc_slice_unref(outgoing->details);
            outgoing->details = grpc_slice_ref(entry->value);
        }
    }
    pthread_mutex_lock(&client->mutex);
    grpc_call *call = outgoing->call;
    outgoing->call = NULL;
    pthread_mutex_unlock(&client->mutex);
    grpc_call_unref(call);
    outgoing->next_ended = client->ended;
    client->ended = outgoing;
}

/* The response as the caller wants it; what goes wrong with it becomes the result's code and text. */
static bool open_response(struct outgoing *outgoing, struct rpc_message *whole, struct buffer *plain,
                          struct error *err)
{
    if (!outgoing->response)
        return error_set(err, ERROR_INVALID, "the server sent no response message");
    enum compression compression = rpc_message_compression(outgoing->response);
    grpc_byte_buffer *response = outgoing->response;
    outgoing->response = NULL;
    if (!rpc_message_init(whole, response))
        return error_memory(err, "a response");
    if (compression == COMPRESSION_NONE)
        return true;
    return decompress(compression, whole->bytes, outgoing->client->max_response_bytes, plain, err);
}

static void report(struct outgoing *outgoing)
{
    char text[STATUS_TEXT_SIZE];
    struct rpc_message whole = {0};
    struct buffer plain = {0};
    struct error err = {0};
    struct slice status_text = rpc_slice_view(&outgoing->status_text);
    snprintf(text, sizeof(text), "%.*s", SLICE_ARGS(status_text));
    struct rpc_result result = {
        .code = (int)outgoing->status, .text = text, .details = rpc_slice_view(&outgoing->details)};
    if (outgoing->status == GRPC_STATUS_OK) {
        if (open_response(outgoing, &whole, &plain, &err))
            result.message = plain.data ? buffer_slice(&plain) : whole.bytes;
        else
            result = (struct rpc_result){.code = GRPC_STATUS_INTERNAL, .text = err.message};
    }
    outgoing->out.done(outgoing->out.user, &result);
    buffer_fini(&plain);
    rpc_message_fini(&whole);
}

static void report_released(struct rpc_client *client)
{
    struct outgoing **link = &client->ended;
    while (*link) {
        struct outgoing *outgoing = *link;
        if (!atomic_load_explicit(&outgoing->released, memory_order_acquire)) {
            link = &outgoing->next_ended;
            continue;
        }
        *link = outgoing->next_ended;
        report(outgoing);
        unlink_call(outgoing);
        outgoing_free(outgoing);
    }
}

/* Always inside core, which else would neither reconnect nor ping. */
static void *run(void *arg)
{
    struct rpc_client *client = arg;
    int64_t poll_ms = LENT_POLL_MIN_MS;
    for (;;) {
        gpr_timespec until = client->ended ? after_ms(poll_ms) : gpr_inf_future(GPR_CLOCK_MONOTONIC);
        grpc_event event = grpc_completion_queue_next(client->queue, until, NULL);
        if (event.type == GRPC_QUEUE_SHUTDOWN)
            return NULL;
        if (event.type == GRPC_OP_COMPLETE) {
            end_call(event.tag);
            poll_ms = LENT_POLL_MIN_MS;
        } else if (poll_ms < LENT_POLL_MAX_MS) {
            poll_ms *= 2;
        }
        report_released(client);
    }
}

static bool start(struct rpc_client *client, struct error *err)
{
    const struct tls_client_options *tls = &client->settings->tls;
    if (!tls->insecure && !tls_client_load(tls, &client->pem, err))
        return false;
    client->next_reload_ms = clock_ms(&clock_system) + tls->reload_interval_ms;
    client->queue = grpc_completion_queue_create_for_next(NULL);
    client->channel = open_channel(client);
    if (!client->channel)
        return error_set(err, ERROR_INVALID, "gRPC takes neither target nor certificates of %s",
                         client->settings->target);
    client->running = thread_start(&client->thread, "grpc-client", run, client, err);
    return client->running;
}

struct rpc_client *rpc_client_new(const struct rpc_client_settings *settings, struct log *log,
                                  struct error *err)
{
    struct rpc_client *client = mem_calloc(1, sizeof(*client));
    if (!client) {
        error_memory(err, "a gRPC client");
        return NULL;
    }
    client->settings = settings;
    client->log = log;
    client->max_response_bytes =
        settings->max_response_bytes > 0 ? settings->max_response_bytes : DEFAULT_MAX_RESPONSE_BYTES;
    pthread_mutex_init(&client->mutex, NULL);
    condition_init(&client->changed);
    rpc_core_enter(&client->core, log);
    if (start(client, err))
        return client;
    rpc_client_free(client);
    return NULL;
}

/* The channel goes before the wait: its connection may hold on to messages of calls that were cancelled. */
static void end_calls(struct rpc_client *client)
{
    pthread_mutex_lock(&client->mutex);
    for (struct outgoing *outgoing = client->calls; outgoing; outgoing = outgoing->next) {
        if (outgoing->call)
            grpc_call_cancel(outgoing->call, NULL);
    }
    grpc_channel *channel = client->channel;
    client->channel = NULL;
    pthread_mutex_unlock(&client->mutex);
    if (channel)
        grpc_channel_destroy(channel);
    pthread_mutex_lock(&client->mutex);
    while (client->calls)
        pthread_cond_wait(&client->changed, &client->mutex);
    pthread_mutex_unlock(&client->mutex);
}

void rpc_client_free(struct rpc_client *client)
{
    if (!client)
        return;
    end_calls(client);
    if (client->queue) {
        grpc_completion_queue_shutdown(client->queue);
        if (client->running)
            pthread_join(client->thread, NULL);
        else
            run(client);
        grpc_completion_queue_destroy(client->queue);
    }
    tls_pem_fini(&client->pem);
    rpc_core_leave(&client->core);
    pthread_cond_destroy(&client->changed);
    pthread_mutex_destroy(&client->mutex);
    mem_free(client);
}
