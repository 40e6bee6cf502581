/* HTTP requests by libcurl's multi interface on an event loop: exporters, later scrapers and discovery.
 *
 * Redirects are not followed; responses are cut off at a limit (an error, not a truncation); only http and
 * https. Connections are kept and reused per client.
 */
#ifndef PROFCOL_NET_HTTP_CLIENT_H
#define PROFCOL_NET_HTTP_CLIENT_H

#include "base/buffer.h"
#include "base/error.h"
#include "base/log.h"
#include "net/event_loop.h"
#include "net/tls.h"

struct http_client;

struct http_client_settings {
    struct tls_client_options tls;
    const char *user_agent;
    const char *proxy_url;        /* NULL: none */
    uint32_t max_connections;     /* 0: no bound */
    int64_t idle_timeout_ms;
    size_t max_response_bytes;    /* also after decompression; 0: 4 MiB */
};

struct http_result {
    bool connected;          /* false: `err` says why there is no response */
    struct error err;        /* BUSY for all network faults, TOO_LARGE for a response over the limit */
    unsigned status;
    struct slice body;       /* decompressed */
    struct slice content_type;
    struct slice retry_after; /* the header's text, empty where there is none */
};

struct http_call {
    const char *method, *url;
    const char *const *headers; /* "Name: value", NULL at the end */
    struct slice body;          /* must stay until done */
    int64_t timeout_ms;
    /* In the loop's thread; `result` is valid during the call. */
    void (*done)(void *user, const struct http_result *result);
    void *user;
};

struct http_client *http_client_new(const struct http_client_settings *settings, struct event_loop *loop,
                                    struct log *log, struct error *err);
/* From any thread; `call` is copied, its strings must stay until done. `done` comes exactly once, also on
 * failure to begin. */
void http_client_send(struct http_client *client, const struct http_call *call);
/* Ends all calls (their done comes with BUSY) and frees; from any thread but the loop's. NULL is fine. */
void http_client_free(struct http_client *client);

/* Retry-After: seconds or an HTTP date, clamped to [0, 5 min]; -1 where it is neither. */
int64_t http_retry_after_ms(struct slice value, int64_t now_unix_ms);

#endif
