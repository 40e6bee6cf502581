/* A gRPC client for unary calls, on gRPC C core: one channel and one completion thread. */
#ifndef PROFCOL_NET_GRPC_CLIENT_H
#define PROFCOL_NET_GRPC_CLIENT_H

#include "base/compress.h"
#include "base/error.h"
#include "base/log.h"
#include "net/tls.h"

struct rpc_client;

struct rpc_client_settings {
    const char *target; /* host:port, dns:///…, unix:///… */
    struct tls_client_options tls;
    const char *authority, *user_agent; /* NULL: core's */
    bool wait_for_ready;
    bool round_robin; /* else pick_first */
    int64_t keepalive_time_ms, keepalive_timeout_ms; /* 0: off */
    bool keepalive_permit_without_stream;
    size_t max_response_bytes; /* 0: 4 MiB */
};

struct rpc_result {
    int code; /* gRPC's */
    const char *text;
    struct slice message; /* of the response */
    struct slice details; /* grpc-status-details-bin, decoded; empty where there is none */
};

struct rpc_metadata {
    const char *key, *value;
};

struct rpc_call_out {
    const char *path;
    struct slice message; /* already compressed as `compression` says; must stay until done */
    enum compression compression;
    const struct rpc_metadata *metadata; /* must stay until done */
    size_t metadata_count;
    int64_t timeout_ms;
    void (*done)(void *user, const struct rpc_result *result); /* in the client's thread */
    void *user;
};

struct rpc_client *rpc_client_new(const struct rpc_client_settings *settings, struct log *log, struct error *err);
/* From any thread. `done` comes exactly once. */
void rpc_client_send(struct rpc_client *client, const struct rpc_call_out *call);
/* Cancels all calls, waits for their done, frees. NULL is fine. */
void rpc_client_free(struct rpc_client *client);

#endif
