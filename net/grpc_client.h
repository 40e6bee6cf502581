/* A gRPC client for unary calls, on gRPC C core: one channel and one completion thread.
 *
 * Core connects by itself, again after 1 s up to 30 s where it fails; a call that finds no connection fails
 * with UNAVAILABLE, or waits for one until its deadline with wait_for_ready. Core retries nothing.
 * Messages come compressed by the caller. Core can send gzip and zlib ("deflate") so, and nothing else: it
 * takes no grpc-encoding that it does not know, zstd for one.
 */
#ifndef PROFCOL_NET_GRPC_CLIENT_H
#define PROFCOL_NET_GRPC_CLIENT_H

#include "base/compress.h"
#include "base/error.h"
#include "base/log.h"
#include "net/tls.h"

struct rpc_client;

/* The strings and TLS options must outlive the client. */
struct rpc_client_settings {
    const char *target; /* host:port, dns:///…, unix:///… */
    struct tls_client_options tls;
    const char *authority, *user_agent; /* NULL: core's */
    bool wait_for_ready;
    bool round_robin;                                /* else pick_first */
    int64_t keepalive_time_ms, keepalive_timeout_ms; /* 0: off */
    bool keepalive_permit_without_stream;
    size_t max_response_bytes; /* also after decompression; 0: 4 MiB */
};

struct rpc_result {
    int code; /* gRPC's */
    const char *text;
    struct slice message; /* of the response, decompressed */
    struct slice details; /* grpc-status-details-bin, decoded; empty where there is none */
};

struct rpc_metadata {
    const char *key, *value;
};

struct rpc_call_out {
    const char *path;                    /* must outlive the client */
    struct slice message;                /* already compressed as `compression` says; must stay until done */
    enum compression compression;        /* NONE, GZIP or ZLIB */
    const struct rpc_metadata *metadata; /* copied */
    size_t metadata_count;
    int64_t timeout_ms;
    void (*done)(void *user, const struct rpc_result *result);
    void *user;
};

/* NULL on failure: files of TLS, memory. Connects with the first call. */
struct rpc_client *rpc_client_new(const struct rpc_client_settings *settings, struct log *log,
                                  struct error *err);
/* From any thread; `call` itself is copied. `done` comes exactly once, in the client's thread, or, where the
 * call could not even begin, before this returns. It may come somewhat after the timeout: when core has let
 * go of the message. */
void rpc_client_send(struct rpc_client *client, const struct rpc_call_out *call);
/* Cancels all calls, waits for their done, frees. Nobody may send meanwhile. NULL is fine. */
void rpc_client_free(struct rpc_client *client);

#endif
