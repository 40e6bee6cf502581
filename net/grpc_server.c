#include "net/grpc_server.h"

#include <stdio.h>

#include <netdb.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/thread.h"
#include "net/grpc_call.h"

enum { ENDPOINT_SIZE = 512, FINAL_WAIT_MS = 1000 };

const struct grpc_server_options grpc_server_defaults = {
    .max_recv_bytes = 64u << 20,
    .max_concurrent_streams = 8,
    .max_metadata_bytes = 16 * 1024,
    .max_connections = 10000,
    .max_connection_idle_ms = 5 * 60 * 1000,
    .keepalive_time_ms = 2 * 60 * 1000,
    .keepalive_timeout_ms = 20 * 1000,
    .keepalive_min_time_ms = 10 * 1000,
    .keepalive_permit_without_stream = true,
    .handshake_timeout_ms = 10 * 1000,
};

/* Core tells the reason of a failed bind only to its log: the same bind by hand has it, too. */
static bool explain_bind(struct slice endpoint, struct error *err)
{
    char text[ENDPOINT_SIZE];
    snprintf(text, sizeof(text), "%.*s", SLICE_ARGS(endpoint));
    char *colon = strrchr(text, ':');
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found = NULL;
    if (colon)
        *colon = 0;
    int failed = colon ? getaddrinfo(text[0] ? text : NULL, colon + 1, &hints, &found) : EAI_NONAME;
    if (failed)
        error_set(err, ERROR_SYSTEM, "%s", gai_strerror(failed));
    for (struct addrinfo *address = found; address && err->code == ERROR_NONE; address = address->ai_next) {
        int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || bind(fd, address->ai_addr, address->ai_addrlen) != 0)
            error_errno(err, "bind");
        if (fd >= 0)
            close(fd);
    }
    if (found)
        freeaddrinfo(found);
    error_set(err, ERROR_SYSTEM, "gRPC could not bind it");
    return error_prefix(err, "can not listen on %.*s: ", SLICE_ARGS(endpoint));
}

static bool bind_port(struct rpc_server *server, struct error *err)
{
    struct slice endpoint = server->options->endpoint;
    char text[ENDPOINT_SIZE];
    if (endpoint.len + sizeof("[::]") > sizeof(text))
        return error_set(err, ERROR_INVALID, "the endpoint is too long");
    snprintf(text, sizeof(text), "%s%.*s", endpoint.len > 0 && endpoint.data[0] == ':' ? "[::]" : "",
             SLICE_ARGS(endpoint));
    grpc_server_credentials *credentials =
        server->tls ? rpc_tls_server_credentials(server->tls) : grpc_insecure_server_credentials_create();
    int port = grpc_server_add_http2_port(server->server, text, credentials);
    grpc_server_credentials_release(credentials);
    if (port <= 0)
        return explain_bind(endpoint, err);
    /* Core says 1 for a socket without ports. */
    server->port = slice_starts_with(endpoint, SLICE("unix:")) ? 0 : (uint16_t)port;
    return true;
}

static void add_limits(const struct grpc_server_options *options, struct rpc_args *args)
{
    rpc_args_add(args, GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
    rpc_args_add(args, GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, options->max_recv_bytes);
    rpc_args_add(args, GRPC_ARG_MAX_CONCURRENT_STREAMS, options->max_concurrent_streams);
    rpc_args_add(args, GRPC_ARG_MAX_METADATA_SIZE, options->max_metadata_bytes);
#ifdef GRPC_ARG_ABSOLUTE_MAX_METADATA_SIZE
    rpc_args_add(args, GRPC_ARG_ABSOLUTE_MAX_METADATA_SIZE, options->max_metadata_bytes);
#endif
#ifdef GRPC_ARG_MAX_ALLOWED_INCOMING_CONNECTIONS
    rpc_args_add(args, GRPC_ARG_MAX_ALLOWED_INCOMING_CONNECTIONS, options->max_connections);
#endif
    /* Else a second process would take the same port, without a word. */
    rpc_args_add(args, GRPC_ARG_ALLOW_REUSEPORT, 0);
}

static void add_times(const struct grpc_server_options *options, struct rpc_args *args)
{
    const struct {
        const char *key;
        int64_t value_ms;
    } times[] = {
        {GRPC_ARG_MAX_CONNECTION_IDLE_MS, options->max_connection_idle_ms},
        {GRPC_ARG_MAX_CONNECTION_AGE_MS, options->max_connection_age_ms},
        {GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, options->max_connection_age_grace_ms},
        {GRPC_ARG_KEEPALIVE_TIME_MS, options->keepalive_time_ms},
        {GRPC_ARG_KEEPALIVE_TIMEOUT_MS, options->keepalive_timeout_ms},
        {GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, options->handshake_timeout_ms},
    };
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        if (times[i].value_ms > 0)
            rpc_args_add(args, times[i].key, (uint64_t)times[i].value_ms);
    }
    rpc_args_add(args, GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                 (uint64_t)options->keepalive_min_time_ms);
    rpc_args_add(args, GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, options->keepalive_permit_without_stream);
}

static grpc_server *create_server(const struct grpc_server_options *options)
{
    struct rpc_args args = {0};
    add_limits(options, &args);
    add_times(options, &args);
    grpc_resource_quota *quota = grpc_resource_quota_create("profcol");
    if (options->memory_limit_bytes > 0)
        grpc_resource_quota_resize(quota, (size_t)options->memory_limit_bytes);
    rpc_args_add_pointer(&args, GRPC_ARG_RESOURCE_QUOTA, quota, grpc_resource_quota_arg_vtable());
    grpc_server *server = grpc_server_create(&(grpc_channel_args){args.count, args.items}, NULL);
    grpc_resource_quota_unref(quota);
    return server;
}

static size_t count_threads(const struct grpc_server_options *options)
{
    cpu_set_t cpus;
    if (options->threads > 0)
        return options->threads;
    if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0)
        return 1;
    size_t half = (size_t)CPU_COUNT(&cpus) / 2;
    return half > 0 ? half : 1;
}

static bool allocate(struct rpc_server *server, size_t method_count)
{
    size_t threads = count_threads(server->options);
    server->endpoint_count = method_count + 1;
    server->endpoints = mem_calloc(server->endpoint_count, sizeof(*server->endpoints));
    server->completions = mem_calloc(threads, sizeof(*server->completions));
    if (!server->endpoints || !server->completions)
        return false;
    server->completion_count = threads;
    for (size_t i = 0; i < threads; i++) {
        server->completions[i].server = server;
        server->completions[i].armed = mem_calloc(server->endpoint_count, sizeof(uint32_t));
        if (!server->completions[i].armed)
            return false;
    }
    return true;
}

static void add_queues(struct rpc_server *server)
{
    for (size_t i = 0; i < server->completion_count; i++) {
        server->completions[i].queue = grpc_completion_queue_create_for_next(NULL);
        grpc_server_register_completion_queue(server->server, server->completions[i].queue, NULL);
    }
}

static bool add_methods(struct rpc_server *server, const struct rpc_method *methods, struct error *err)
{
    for (size_t i = 0; i + 1 < server->endpoint_count; i++) {
        void *registered = grpc_server_register_method(server->server, methods[i].path, NULL,
                                                       GRPC_SRM_PAYLOAD_READ_INITIAL_BYTE_BUFFER, 0);
        if (!registered)
            return error_set(err, ERROR_INVALID, "the method %s is there already", methods[i].path);
        server->endpoints[i] = (struct endpoint){.method = &methods[i], .registered = registered};
    }
    return true;
}

/* All that may fail for lack of memory comes before core's server, which can not be destroyed without a
 * queue. */
static bool set_up(struct rpc_server *server, const struct rpc_method *methods, size_t method_count,
                   struct error *err)
{
    if (!allocate(server, method_count))
        return error_memory(err, "a gRPC server");
    if (server->options->has_tls) {
        server->tls = rpc_tls_server_new(&server->options->tls, server->log, err);
        if (!server->tls)
            return false;
    }
    server->server = create_server(server->options);
    add_queues(server);
    return add_methods(server, methods, err) && bind_port(server, err);
}

struct rpc_server *rpc_server_new(const struct grpc_server_options *options, const struct rpc_method *methods,
                                  size_t method_count, struct log *log, struct error *err)
{
    struct rpc_server *server = mem_calloc(1, sizeof(*server));
    if (!server) {
        error_memory(err, "a gRPC server");
        return NULL;
    }
    server->options = options;
    server->log = log;
    pthread_mutex_init(&server->mutex, NULL);
    condition_init(&server->changed);
    rpc_core_enter(&server->core, log);
    if (set_up(server, methods, method_count, err))
        return server;
    rpc_server_free(server);
    return NULL;
}

uint16_t rpc_server_port(const struct rpc_server *server)
{
    return server->port;
}

static void set_phase(struct rpc_server *server, enum server_phase phase)
{
    pthread_mutex_lock(&server->mutex);
    server->phase = phase;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->mutex);
}

bool rpc_server_start(struct rpc_server *server, struct error *err)
{
    for (size_t i = 0; i < server->completion_count; i++) {
        struct completion *completion = &server->completions[i];
        if (!thread_start(&completion->thread, "grpc", rpc_complete, completion, err))
            return false;
        completion->running = true;
    }
    grpc_server_start(server->server);
    set_phase(server, SERVER_STARTED);
    return true;
}

static bool wait_stopped(struct rpc_server *server, int64_t deadline_ms)
{
    pthread_mutex_lock(&server->mutex);
    bool in_time = true;
    while (!server->stopped && in_time)
        in_time = condition_wait_until(&server->changed, &server->mutex, deadline_ms);
    bool stopped = server->stopped;
    pthread_mutex_unlock(&server->mutex);
    return stopped;
}

void rpc_server_stop(struct rpc_server *server, int64_t deadline_ms)
{
    grpc_server_shutdown_and_notify(server->server, server->completions[0].queue, server);
    set_phase(server, SERVER_STOPPING);
    if (server->completions[0].running && !wait_stopped(server, deadline_ms))
        grpc_server_cancel_all_calls(server->server);
}

static void end_completion(struct completion *completion)
{
    if (completion->queue) {
        grpc_completion_queue_shutdown(completion->queue);
        if (completion->running)
            pthread_join(completion->thread, NULL);
        else
            rpc_complete(completion);
        grpc_completion_queue_destroy(completion->queue);
    }
    mem_free(completion->armed);
}

static void end_server(struct rpc_server *server)
{
    if (server->phase != SERVER_STOPPING)
        rpc_server_stop(server, 0);
    while (server->completions[0].running && !wait_stopped(server, clock_ms(&clock_system) + FINAL_WAIT_MS))
        log_debug(server->log, "gRPC calls still wait for their answer");
}

void rpc_server_free(struct rpc_server *server)
{
    if (!server)
        return;
    if (server->server)
        end_server(server);
    for (size_t i = 0; i < server->completion_count; i++)
        end_completion(&server->completions[i]);
    if (server->server)
        grpc_server_destroy(server->server);
    rpc_tls_server_free(server->tls);
    rpc_core_leave(&server->core);
    pthread_cond_destroy(&server->changed);
    pthread_mutex_destroy(&server->mutex);
    mem_free(server->completions);
    mem_free(server->endpoints);
    mem_free(server);
}
