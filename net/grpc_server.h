/* A gRPC server for unary calls, on gRPC C core.
 *
 *     server = rpc_server_new(&options, methods, 1, log, &err);
 *     rpc_server_start(server, &err);
 *     ...      methods[0].handle → rpc_call_take_message → rpc_call_respond
 *     rpc_server_stop(server, deadline_ms);
 *     rpc_server_free(server);
 *
 * Core's own decompression is off: messages come as they were sent and are inflated by the receiver with a
 * cap. Each completion thread has its own queue. A path that no method has is answered with UNIMPLEMENTED, a
 * call without a whole message, or with one that says to be compressed without saying how, with INTERNAL, a
 * message over max_recv_bytes with RESOURCE_EXHAUSTED (by core); none of them reaches a handler.
 *
 * What core 1.51 can not do: bound the connections (newer core can, then max_connections holds), give up on a
 * client that sends a message slowly (max_connection_age_ms bounds it), tell an unknown grpc-encoding from
 * none. Core buffers every message whole before anybody sees it, max_concurrent_streams of them for each
 * connection; memory_limit_bytes is the last resort: beyond it core breaks off calls with RESOURCE_EXHAUSTED.
 */
#ifndef PROFCOL_NET_GRPC_SERVER_H
#define PROFCOL_NET_GRPC_SERVER_H

#include "base/compress.h"
#include "base/error.h"
#include "base/log.h"
#include "net/tls.h"

struct grpc_server_options {
    struct slice endpoint; /* host:port, unix:///path; port 0: any; no host: all addresses */
    bool has_tls;
    struct tls_server_options tls;
    uint64_t max_recv_bytes; /* of one message, as received */
    uint32_t max_concurrent_streams;
    uint32_t max_metadata_bytes;
    uint32_t max_connections;    /* where core can */
    uint64_t memory_limit_bytes; /* of what core buffers; 0: none */
    uint32_t threads;            /* completion threads; 0: one for each two cores */
    int64_t max_connection_idle_ms, max_connection_age_ms, max_connection_age_grace_ms; /* 0: none */
    int64_t keepalive_time_ms, keepalive_timeout_ms;
    int64_t keepalive_min_time_ms; /* a client that pings more often is sent away */
    bool keepalive_permit_without_stream;
    int64_t handshake_timeout_ms;
};
extern const struct grpc_server_options grpc_server_defaults;

enum {
    GRPC_CODE_OK = 0,
    GRPC_CODE_CANCELLED = 1,
    GRPC_CODE_INVALID_ARGUMENT = 3,
    GRPC_CODE_DEADLINE_EXCEEDED = 4,
    GRPC_CODE_RESOURCE_EXHAUSTED = 8,
    GRPC_CODE_UNIMPLEMENTED = 12,
    GRPC_CODE_INTERNAL = 13,
    GRPC_CODE_UNAVAILABLE = 14
};

struct rpc_server;
struct rpc_call;

struct rpc_request {
    size_t message_bytes;         /* as received */
    enum compression compression; /* how it came */
};

struct rpc_method {
    const char *path; /* "/package.Service/Method" */
    /* In a completion thread, or keeps the call and answers later from any thread; exactly one answer. */
    void (*handle)(void *user, struct rpc_call *call, const struct rpc_request *request);
    void *user;
};

/* Binds and listens. The options with their strings, the methods and the log must outlive the server. NULL on
 * failure. */
struct rpc_server *rpc_server_new(const struct grpc_server_options *options, const struct rpc_method *methods,
                                  size_t method_count, struct log *log, struct error *err);
bool rpc_server_start(struct rpc_server *server, struct error *err);
uint16_t rpc_server_port(const struct rpc_server *server); /* the one that was bound; 0: none (unix) */
/* Takes no more calls, lets those in progress finish until the deadline (of clock_system) and cancels the
 * rest; a handler must still answer those that it keeps. */
void rpc_server_stop(struct rpc_server *server, int64_t deadline_ms);
/* Waits until every call was answered, joins the threads, frees. NULL is fine. */
void rpc_server_free(struct rpc_server *server);

/* The message in one piece, with its owner: pass both to otlp_decode, or call `*free_owner(*owner)`. At most
 * once for each call, before the answer. False: no memory. */
bool rpc_call_take_message(struct rpc_call *call, struct slice *message, void (**free_owner)(void *owner),
                           void **owner);
/* The client's address, for logs. Cut to `size`. */
void rpc_call_peer(const struct rpc_call *call, char *text, size_t size);
/* `message` is copied, and sent where the code is OK; `details` is an encoded google.rpc.Status for
 * grpc-status-details-bin, or empty. The call is gone afterwards. */
void rpc_call_respond(struct rpc_call *call, int code, const char *text, struct slice message,
                      struct slice details);

#endif
