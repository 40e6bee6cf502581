/* The calls of a gRPC server: what grpc_server.c and grpc_call.c share, and nobody else. */
#ifndef PROFCOL_NET_GRPC_CALL_H
#define PROFCOL_NET_GRPC_CALL_H

#include <pthread.h>

#include "net/grpc_common.h"
#include "net/grpc_server.h"

/* A path that clients may call. */
struct endpoint {
    const struct rpc_method *method; /* NULL: all other paths */
    void *registered;                /* core's */
};

/* One thread with its queue, which all calls that it takes stay in. */
struct completion {
    struct rpc_server *server;
    grpc_completion_queue *queue;
    pthread_t thread;
    bool running;
    uint32_t *armed; /* calls that wait for a client, for each endpoint */
    bool scarce;     /* there was no memory to arm as many as there should be */
    bool closed;     /* core takes no more calls */
};

enum server_phase { SERVER_NEW, SERVER_STARTED, SERVER_STOPPING };

struct rpc_server {
    struct rpc_core core;
    const struct grpc_server_options *options;
    struct log *log;
    grpc_server *server;
    struct rpc_tls_server *tls;
    struct endpoint *endpoints; /* the last is for all other paths */
    size_t endpoint_count;
    struct completion *completions;
    size_t completion_count;
    uint16_t port;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum server_phase phase; /* guarded by mutex */
    bool stopped;            /* guarded by mutex: core has no more calls */
};

/* The body of a completion thread: waits for the start, takes calls, ends when its queue was shut down and
 * is empty. */
void *rpc_complete(void *completion);

#endif
