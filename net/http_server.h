/* One small, strict HTTP/1.1 server for every listener that profcol has: OTLP/HTTP, health, own metrics.
 *
 * POST and GET, Content-Length and chunked bodies, keep-alive, TLS. Everything ambiguous in framing is
 * refused and the connection closed: CL with TE, two CLs, bare LF, folded headers, spaces before colons,
 * anything but HTTP/1.0 and 1.1. The body is read straight into its final buffer. Bounds, all with counters:
 * header bytes and count, body bytes, connections, bytes in flight; timeouts for handshake, header, body
 * (a minimum rate after a grace), idle. Sources: RFC 9110, RFC 9112.
 *
 * Threads: all in its event loop's thread. A handler either answers at once or keeps the exchange and
 * answers later, from any thread, with http_exchange_respond; each exchange must be answered exactly once.
 */
#ifndef PROFCOL_NET_HTTP_SERVER_H
#define PROFCOL_NET_HTTP_SERVER_H

#include "base/budget.h"
#include "base/buffer.h"
#include "base/log.h"
#include "net/event_loop.h"
#include "net/tls.h"

struct http_server_options {
    struct slice endpoint; /* host:port, port 0: any; unix:///path */
    bool has_tls;
    struct tls_server_options tls;
    uint64_t max_request_body_size; /* as received, before decompression */
    uint32_t max_header_bytes, max_headers;
    uint32_t max_connections;
    int64_t read_header_timeout_ms, read_timeout_ms, write_timeout_ms, idle_timeout_ms;
    uint64_t min_body_rate; /* bytes per second, after 10 s of body */
    bool keep_alives_enabled;
};
extern const struct http_server_options http_server_defaults;

struct http_server;
struct http_exchange;

struct http_header {
    struct slice name, value;
};

struct http_request {
    struct slice method, path, query; /* path as sent, not decoded */
    const struct http_header *headers;
    size_t header_count;
    struct slice body;
    struct slice peer; /* address:port, for logs */
};

/* NULL data where there is none; names compare without case. */
struct slice http_request_header(const struct http_request *request, const char *name);

struct http_response {
    unsigned status;
    const char *content_type;   /* NULL: no body */
    struct slice body;          /* copied */
    int64_t retry_after_s;      /* < 0: no such header */
    const char *extra_headers;  /* whole lines with CRLF, or NULL */
    bool close;
};

struct http_handler {
    /* The request stays valid until the exchange is answered. */
    void (*handle)(void *user, struct http_exchange *exchange, const struct http_request *request);
    /* Called when the header is there and before the body is read: false refuses with *response (417, 413,
     * 404 …) and closes. May be NULL. */
    bool (*accept)(void *user, const struct http_request *request, struct http_response *response);
    void *user;
};

struct http_server_counts {
    uint64_t connections_accepted, connections_open, connections_refused, requests, requests_malformed;
    uint64_t timeouts_handshake, timeouts_header, timeouts_body, timeouts_idle, timeouts_write;
};

/* Binds and listens at once; `budget` may be NULL. NULL on failure. The options must outlive the server. */
struct http_server *http_server_new(const struct http_server_options *options, const struct http_handler *handler,
                                    struct event_loop *loop, struct budget *budget, struct log *log,
                                    struct error *err);
/* The port that was bound. */
uint16_t http_server_port(const struct http_server *server);
struct http_server_counts http_server_get_counts(struct http_server *server);
/* Stops accepting, lets exchanges in progress finish until the deadline, closes the rest. From another thread. */
void http_server_stop(struct http_server *server, int64_t deadline_ms);
void http_server_free(struct http_server *server); /* NULL is fine */

/* From any thread. Moves the request's body out of the exchange to the caller, who frees it with mem_free;
 * its bytes stay charged to the budget until http_exchange_respond. */
char *http_exchange_take_body(struct http_exchange *exchange, size_t *len);
void http_exchange_respond(struct http_exchange *exchange, const struct http_response *response);

#endif
