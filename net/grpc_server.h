/* A gRPC server for unary calls, on gRPC C core.
 *
 * Core's own decompression is off: messages come as they were sent and are inflated by the receiver with a
 * cap. Each completion thread has its own queue. Streams per connection bound what core buffers. Unknown methods
 * are answered with UNIMPLEMENTED.
 */
#ifndef PROFCOL_NET_GRPC_SERVER_H
#define PROFCOL_NET_GRPC_SERVER_H

#include "base/budget.h"
#include "base/compress.h"
#include "base/error.h"
#include "base/log.h"
#include "net/tls.h"

struct grpc_server_options {
    struct slice endpoint; /* host:port, unix:///path; port 0: any */
    bool has_tls;
    struct tls_server_options tls;
    uint64_t max_recv_bytes; /* of one message, as received */
    uint32_t max_concurrent_streams;
    uint32_t max_metadata_bytes;
    uint32_t threads; /* completion threads; 0: one for each two cores */
    int64_t max_connection_idle_ms, max_connection_age_ms, max_connection_age_grace_ms; /* 0: none */
    int64_t keepalive_time_ms, keepalive_timeout_ms;
    int64_t keepalive_min_time_ms;
    bool keepalive_permit_without_stream;
    int64_t handshake_timeout_ms;
};
extern const struct grpc_server_options grpc_server_defaults;

enum { GRPC_CODE_OK = 0, GRPC_CODE_CANCELLED = 1, GRPC_CODE_INVALID_ARGUMENT = 3, GRPC_CODE_DEADLINE_EXCEEDED = 4,
       GRPC_CODE_RESOURCE_EXHAUSTED = 8, GRPC_CODE_UNIMPLEMENTED = 12, GRPC_CODE_INTERNAL = 13,
       GRPC_CODE_UNAVAILABLE = 14 };

struct rpc_server;
struct rpc_call;

struct rpc_request {
    struct slice message;         /* valid until rpc_call_take_message or the answer */
    enum compression compression; /* how it came */
    struct slice peer;
};

struct rpc_method {
    const char *path; /* "/package.Service/Method" */
    /* In a completion thread, or keeps the call and answers later from any thread; exactly one answer. */
    void (*handle)(void *user, struct rpc_call *call, const struct rpc_request *request);
    void *user;
};

struct rpc_server *rpc_server_new(const struct grpc_server_options *options, const struct rpc_method *methods,
                                  size_t method_count, struct budget *budget, struct log *log, struct error *err);
bool rpc_server_start(struct rpc_server *server, struct error *err);
uint16_t rpc_server_port(const struct rpc_server *server);
/* Lets calls in progress finish until the deadline, cancels the rest, joins its threads. */
void rpc_server_stop(struct rpc_server *server, int64_t deadline_ms);
void rpc_server_free(struct rpc_server *server);

/* The message in one piece, with its owner: pass both to otlp_decode, or call `*free_owner(owner)`. */
struct slice rpc_call_take_message(struct rpc_call *call, void (**free_owner)(void *owner), void **owner);
/* `message` is copied; `details` is an encoded google.rpc.Status for grpc-status-details-bin, or empty. */
void rpc_call_respond(struct rpc_call *call, int code, const char *text, struct slice message, struct slice details);

#endif
