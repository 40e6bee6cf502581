/* What the gRPC server and client share: gRPC C core's start and end, its log, its slices and TLS.
 *
 * Core is one for the process. It starts threads of its own that inherit the signal mask, so that signals
 * must be blocked before the first rpc_core_enter: main takes them, nobody else.
 */
#ifndef PROFCOL_NET_GRPC_COMMON_H
#define PROFCOL_NET_GRPC_COMMON_H

#include <grpc/grpc.h>
#if __has_include(<grpc/credentials.h>)
#include <grpc/credentials.h>
#endif
#include <grpc/grpc_security.h>

#include "base/compress.h"
#include "base/error.h"
#include "base/log.h"
#include "base/option.h"
#include "net/tls.h"

/* Somebody who uses core, as a member of its struct. */
struct rpc_core {
    struct log *log;
    struct rpc_core *next;
};

/* Starts core for its first user. What core has to say goes to the log of the newest user, as warnings; core
 * newer than 1.64 can not be told so and writes to stderr. */
void rpc_core_enter(struct rpc_core *user, struct log *log);
/* Ends core with its last user; a zeroed user is fine. */
void rpc_core_leave(struct rpc_core *user);

/* Arguments of a channel or server, put together on the stack. */
enum { RPC_ARGS_MAX = 24 };
struct rpc_args {
    grpc_arg items[RPC_ARGS_MAX];
    size_t count;
};
/* Values beyond INT_MAX become INT_MAX, which core takes for "no bound". */
void rpc_args_add(struct rpc_args *args, const char *key, uint64_t value);
void rpc_args_add_text(struct rpc_args *args, const char *key, const char *text);
void rpc_args_add_pointer(struct rpc_args *args, const char *key, void *pointer,
                          const grpc_arg_pointer_vtable *vtable);

/* A message that core handed over, in one piece. One owner, who calls rpc_message_fini. */
struct rpc_message {
    struct slice bytes;
    char *copy;             /* what holds the bytes when core had them in several slices */
    grpc_byte_buffer *lent; /* what holds them otherwise */
};
size_t rpc_message_size(const grpc_byte_buffer *buffer);
/* How it came. Core does not know zstd and says "not compressed" then: the first bytes tell. */
enum compression rpc_message_compression(const grpc_byte_buffer *buffer);
/* True when core says that it is not compressed although its bytes are gzip: the compressed flag was set
 * without a grpc-encoding that core knows. */
bool rpc_message_is_mislabelled(const grpc_byte_buffer *buffer);
/* Takes `buffer` over, also on failure, which is a lack of memory. */
bool rpc_message_init(struct rpc_message *message, grpc_byte_buffer *buffer);
void rpc_message_fini(struct rpc_message *message);
/* Moves the bytes to the caller, who calls `*free_owner(*owner)` when done with them. Small messages are
 * copied, since they may keep a far larger read buffer alive. */
struct slice rpc_message_take(struct rpc_message *message, void (**free_owner)(void *owner), void **owner);

/* A slice of core's with a copy of the bytes; grpc_slice_unref frees it. */
grpc_slice rpc_slice_copy(struct slice bytes);
/* The bytes of a slice of core's, as long as that stays. */
struct slice rpc_slice_view(const grpc_slice *slice);

/* What core can not do of the TLS options: complains about each. */
void rpc_tls_server_check(const struct tls_server_options *options, struct complaints *complaints);
void rpc_tls_client_check(const struct tls_client_options *options, struct complaints *complaints);

bool rpc_tls_pem_equal(const struct tls_pem *a, const struct tls_pem *b);

/* Certificates of a server, which core asks for at each handshake. */
struct rpc_tls_server;
/* Loads and checks the files; options and log must outlive it. */
struct rpc_tls_server *rpc_tls_server_new(const struct tls_server_options *options, struct log *log,
                                          struct error *err);
void rpc_tls_server_free(struct rpc_tls_server *tls); /* NULL is fine; after the server that used it */
/* The caller calls grpc_server_credentials_release. */
grpc_server_credentials *rpc_tls_server_credentials(struct rpc_tls_server *tls);

/* The caller calls grpc_channel_credentials_release. */
grpc_channel_credentials *rpc_client_credentials(const struct tls_client_options *options,
                                                 const struct tls_pem *pem);

#endif
