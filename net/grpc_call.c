#include "net/grpc_call.h"

#include <stdatomic.h>
#include <stdio.h>

#include <grpc/byte_buffer.h>
#include <grpc/support/alloc.h>
#include <grpc/support/time.h>

#include "base/alloc.h"

enum { ARMED_PER_METHOD = 16, ARMED_FOR_OTHERS = 2, SCARCE_RETRY_MS = 1000, PATH_SHOWN_MAX = 256 };

enum call_state { CALL_ARMED, CALL_ANSWERED };

/* Waits for a client (armed), then is that client's call until the answer went out. Other threads touch it
 * between handle and answer only; `state` orders their writes before those of the completion thread. */
struct rpc_call {
    struct completion *completion;
    const struct endpoint *endpoint;
    _Atomic enum call_state state;
    grpc_call *call;
    gpr_timespec deadline;
    grpc_metadata_array metadata;
    grpc_call_details details; /* of other paths */
    grpc_byte_buffer *payload;
    grpc_byte_buffer *response;
    grpc_metadata status_details;
    int cancelled;
};

static void call_free(struct rpc_call *call)
{
    if (call->call)
        grpc_call_unref(call->call);
    grpc_byte_buffer_destroy(call->payload);
    grpc_byte_buffer_destroy(call->response);
    grpc_metadata_array_destroy(&call->metadata);
    grpc_call_details_destroy(&call->details);
    grpc_slice_unref(call->status_details.value);
    mem_free(call);
}

static grpc_call_error request_call(struct rpc_call *call)
{
    grpc_server *server = call->completion->server->server;
    grpc_completion_queue *queue = call->completion->queue;
    if (!call->endpoint->method)
        return grpc_server_request_call(server, &call->call, &call->details, &call->metadata, queue, queue,
                                        call);
    return grpc_server_request_registered_call(server, call->endpoint->registered, &call->call,
                                               &call->deadline, &call->metadata, &call->payload, queue, queue,
                                               call);
}

static bool arm(struct completion *completion, const struct endpoint *endpoint)
{
    struct rpc_call *call = mem_calloc(1, sizeof(*call));
    if (!call)
        return false;
    call->completion = completion;
    call->endpoint = endpoint;
    call->status_details.value = grpc_empty_slice();
    grpc_metadata_array_init(&call->metadata);
    grpc_call_details_init(&call->details);
    if (request_call(call) == GRPC_CALL_OK)
        return true;
    call_free(call);
    return false;
}

/* Keeps enough calls waiting at each endpoint that clients need not wait for us. */
static void arm_all(struct completion *completion)
{
    const struct rpc_server *server = completion->server;
    completion->scarce = false;
    for (size_t i = 0; i < server->endpoint_count && !completion->scarce; i++) {
        const struct endpoint *endpoint = &server->endpoints[i];
        uint32_t wanted = endpoint->method ? ARMED_PER_METHOD : ARMED_FOR_OTHERS;
        while (completion->armed[i] < wanted && !completion->scarce) {
            completion->scarce = !arm(completion, endpoint);
            completion->armed[i] += !completion->scarce;
        }
    }
}

static void respond_text(struct rpc_call *call, int code, const char *text)
{
    rpc_call_respond(call, code, text, (struct slice){0}, (struct slice){0});
}

static bool has_service(const struct rpc_server *server, struct slice service_with_slashes)
{
    for (size_t i = 0; i + 1 < server->endpoint_count; i++) {
        if (slice_starts_with(slice_from(server->endpoints[i].method->path), service_with_slashes))
            return true;
    }
    return false;
}

/* The words are those of grpc-go, which people search for. */
static void refuse_path(struct rpc_call *call)
{
    struct slice path = rpc_slice_view(&call->details.method);
    char text[PATH_SHOWN_MAX + 64];
    size_t name = path.len;
    while (name > 0 && path.data[name - 1] != '/')
        name--;
    if (path.len > PATH_SHOWN_MAX || name < 2)
        snprintf(text, sizeof(text), "malformed method name");
    else if (has_service(call->completion->server, (struct slice){path.data, name}))
        snprintf(text, sizeof(text), "unknown method %.*s for service %.*s", (int)(path.len - name),
                 path.data + name, (int)name - 2, path.data + 1);
    else
        snprintf(text, sizeof(text), "unknown service %.*s", (int)name - 2, path.data + 1);
    respond_text(call, GRPC_CODE_UNIMPLEMENTED, text);
}

static void handle(struct rpc_call *call)
{
    const struct rpc_method *method = call->endpoint->method;
    if (!method) {
        refuse_path(call);
    } else if (!call->payload) {
        respond_text(call, GRPC_CODE_INTERNAL, "the call had no whole message");
    } else if (rpc_message_is_mislabelled(call->payload)) {
        respond_text(call, GRPC_CODE_INTERNAL, "the message is compressed without a known grpc-encoding");
    } else {
        struct rpc_request request = {.message_bytes = rpc_message_size(call->payload),
                                      .compression = rpc_message_compression(call->payload)};
        method->handle(method->user, call, &request);
    }
}

static void on_arrival(struct rpc_call *call, bool ok)
{
    struct completion *completion = call->completion;
    completion->armed[call->endpoint - completion->server->endpoints]--;
    if (ok) {
        arm_all(completion);
        handle(call);
    } else {
        completion->closed = true;
        call_free(call);
    }
}

static void on_stopped(struct rpc_server *server)
{
    pthread_mutex_lock(&server->mutex);
    server->stopped = true;
    pthread_cond_broadcast(&server->changed);
    pthread_mutex_unlock(&server->mutex);
}

static enum server_phase wait_started(struct rpc_server *server)
{
    pthread_mutex_lock(&server->mutex);
    while (server->phase == SERVER_NEW)
        pthread_cond_wait(&server->changed, &server->mutex);
    enum server_phase phase = server->phase;
    pthread_mutex_unlock(&server->mutex);
    return phase;
}

static grpc_event next_event(const struct completion *completion)
{
    gpr_timespec until = gpr_inf_future(GPR_CLOCK_MONOTONIC);
    if (completion->scarce)
        until =
            gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_millis(SCARCE_RETRY_MS, GPR_TIMESPAN));
    return grpc_completion_queue_next(completion->queue, until, NULL);
}

static void on_event(struct completion *completion, void *tag, bool ok)
{
    struct rpc_call *call = tag;
    if (tag == completion->server)
        on_stopped(completion->server);
    else if (atomic_load_explicit(&call->state, memory_order_acquire) == CALL_ARMED)
        on_arrival(call, ok);
    else
        call_free(call);
}

void *rpc_complete(void *arg)
{
    struct completion *completion = arg;
    if (wait_started(completion->server) == SERVER_STARTED)
        arm_all(completion);
    for (;;) {
        grpc_event event = next_event(completion);
        if (event.type == GRPC_QUEUE_SHUTDOWN)
            return NULL;
        if (event.type == GRPC_OP_COMPLETE)
            on_event(completion, event.tag, event.success);
        else if (!completion->closed)
            arm_all(completion);
    }
}

bool rpc_call_take_message(struct rpc_call *call, struct slice *message, void (**free_owner)(void *owner),
                           void **owner)
{
    struct rpc_message whole;
    grpc_byte_buffer *payload = call->payload;
    call->payload = NULL;
    if (!rpc_message_init(&whole, payload))
        return false;
    *message = rpc_message_take(&whole, free_owner, owner);
    return true;
}

void rpc_call_peer(const struct rpc_call *call, char *text, size_t size)
{
    char *peer = grpc_call_get_peer(call->call);
    snprintf(text, size, "%s", peer ? peer : "");
    gpr_free(peer);
}

static grpc_byte_buffer *response_buffer(struct slice message)
{
    grpc_slice bytes = rpc_slice_copy(message);
    grpc_byte_buffer *buffer = grpc_raw_byte_buffer_create(&bytes, 1);
    grpc_slice_unref(bytes);
    return buffer;
}

void rpc_call_respond(struct rpc_call *call, int code, const char *text, struct slice message,
                      struct slice details)
{
    grpc_op ops[4] = {
        {.op = GRPC_OP_SEND_INITIAL_METADATA},
        {.op = GRPC_OP_RECV_CLOSE_ON_SERVER, .data.recv_close_on_server.cancelled = &call->cancelled},
        {.op = GRPC_OP_SEND_STATUS_FROM_SERVER},
        {.op = GRPC_OP_SEND_MESSAGE}};
    grpc_slice status_text = grpc_slice_from_copied_string(text);
    ops[2].data.send_status_from_server.status = (grpc_status_code)code;
    ops[2].data.send_status_from_server.status_details = &status_text;
    if (details.len > 0) {
        call->status_details.key = grpc_slice_from_static_string("grpc-status-details-bin");
        call->status_details.value = rpc_slice_copy(details);
        ops[2].data.send_status_from_server.trailing_metadata = &call->status_details;
        ops[2].data.send_status_from_server.trailing_metadata_count = 1;
    }
    if (code == GRPC_CODE_OK) {
        call->response = response_buffer(message);
        ops[3].data.send_message.send_message = call->response;
    }
    grpc_byte_buffer_destroy(call->payload);
    call->payload = NULL;
    atomic_store_explicit(&call->state, CALL_ANSWERED, memory_order_release);
    if (grpc_call_start_batch(call->call, ops, code == GRPC_CODE_OK ? 4 : 3, call, NULL) != GRPC_CALL_OK)
        call_free(call);
    grpc_slice_unref(status_text);
}
