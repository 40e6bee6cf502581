#include "net/grpc_common.h"

#include <assert.h>
#include <limits.h>

#include <pthread.h>

#ifdef PROFCOL_HAS_GPR_LOG
#include <grpc/support/log.h>
#endif

#include "base/alloc.h"

/* Messages below this are copied out of core's read buffers. */
enum { LEND_MIN_BYTES = 64 * 1024 };

/* Core's log hook has no user pointer, so that this one list must be global. */
static struct {
    pthread_mutex_t mutex;
    struct rpc_core *users; /* guarded by mutex; newest first */
} core = {.mutex = PTHREAD_MUTEX_INITIALIZER};

#ifdef PROFCOL_HAS_GPR_LOG
static void log_of_core(gpr_log_func_args *args)
{
    pthread_mutex_lock(&core.mutex);
    if (core.users)
        log_warn(core.users->log, "grpc: %s", args->message);
    pthread_mutex_unlock(&core.mutex);
}
#endif

void rpc_core_enter(struct rpc_core *user, struct log *log)
{
#ifdef PROFCOL_HAS_GPR_LOG
    gpr_set_log_function(log_of_core);
#endif
    grpc_init();
    pthread_mutex_lock(&core.mutex);
    *user = (struct rpc_core){.log = log, .next = core.users};
    core.users = user;
    pthread_mutex_unlock(&core.mutex);
}

void rpc_core_leave(struct rpc_core *user)
{
    if (!user->log)
        return;
    pthread_mutex_lock(&core.mutex);
    struct rpc_core **link = &core.users;
    while (*link != user)
        link = &(*link)->next;
    *link = user->next;
    pthread_mutex_unlock(&core.mutex);
    *user = (struct rpc_core){0};
    grpc_shutdown();
}

static grpc_arg *next_arg(struct rpc_args *args, grpc_arg_type type, const char *key)
{
    assert(args->count < RPC_ARGS_MAX);
    grpc_arg *arg = &args->items[args->count++];
    /* Core's struct lacks the const: it only reads. */
    *arg = (grpc_arg){.type = type, .key = (char *)key};
    return arg;
}

void rpc_args_add(struct rpc_args *args, const char *key, uint64_t value)
{
    next_arg(args, GRPC_ARG_INTEGER, key)->value.integer = value < INT_MAX ? (int)value : INT_MAX;
}

void rpc_args_add_text(struct rpc_args *args, const char *key, const char *text)
{
    next_arg(args, GRPC_ARG_STRING, key)->value.string = (char *)text;
}

void rpc_args_add_pointer(struct rpc_args *args, const char *key, void *pointer,
                          const grpc_arg_pointer_vtable *vtable)
{
    grpc_arg *arg = next_arg(args, GRPC_ARG_POINTER, key);
    arg->value.pointer.p = pointer;
    arg->value.pointer.vtable = vtable;
}

size_t rpc_message_size(const grpc_byte_buffer *buffer)
{
    return buffer->data.raw.slice_buffer.length;
}

/* What the first bytes say. A first slice of fewer bytes than a magic number is nobody's honest message. */
static enum compression sniff(const grpc_byte_buffer *buffer)
{
    if (buffer->data.raw.slice_buffer.count == 0)
        return COMPRESSION_NONE;
    return compression_sniff(rpc_slice_view(&buffer->data.raw.slice_buffer.slices[0]));
}

enum compression rpc_message_compression(const grpc_byte_buffer *buffer)
{
    switch (buffer->data.raw.compression) {
    case GRPC_COMPRESS_GZIP:
        return COMPRESSION_GZIP;
    case GRPC_COMPRESS_DEFLATE:
        return COMPRESSION_ZLIB;
    case GRPC_COMPRESS_NONE:
    case GRPC_COMPRESS_ALGORITHMS_COUNT:
        break;
    }
    return sniff(buffer) == COMPRESSION_ZSTD ? COMPRESSION_ZSTD : COMPRESSION_NONE;
}

bool rpc_message_is_mislabelled(const grpc_byte_buffer *buffer)
{
    return buffer->data.raw.compression == GRPC_COMPRESS_NONE && sniff(buffer) == COMPRESSION_GZIP;
}

static char *copy_slices(const grpc_slice_buffer *slices)
{
    char *copy = mem_alloc(slices->length);
    char *next = copy;
    for (size_t i = 0; copy && i < slices->count; i++) {
        struct slice part = rpc_slice_view(&slices->slices[i]);
        if (part.len > 0)
            memcpy(next, part.data, part.len);
        next += part.len;
    }
    return copy;
}

bool rpc_message_init(struct rpc_message *message, grpc_byte_buffer *buffer)
{
    const grpc_slice_buffer *slices = &buffer->data.raw.slice_buffer;
    *message = (struct rpc_message){0};
    if (slices->count == 1) {
        message->lent = buffer;
        message->bytes = rpc_slice_view(&slices->slices[0]);
        return true;
    }
    message->copy = copy_slices(slices);
    message->bytes = (struct slice){message->copy, message->copy ? slices->length : 0};
    grpc_byte_buffer_destroy(buffer);
    return message->copy;
}

void rpc_message_fini(struct rpc_message *message)
{
    mem_free(message->copy);
    grpc_byte_buffer_destroy(message->lent);
    *message = (struct rpc_message){0};
}

static void free_lent(void *owner)
{
    grpc_byte_buffer_destroy(owner);
}

struct slice rpc_message_take(struct rpc_message *message, void (**free_owner)(void *owner), void **owner)
{
    struct slice bytes = message->bytes;
    if (message->lent && bytes.len < LEND_MIN_BYTES) {
        message->copy = mem_alloc(bytes.len);
        if (message->copy) {
            if (bytes.len > 0)
                memcpy(message->copy, bytes.data, bytes.len);
            bytes.data = message->copy;
            grpc_byte_buffer_destroy(message->lent);
            message->lent = NULL;
        }
    }
    *free_owner = message->lent ? free_lent : mem_free;
    *owner = message->lent ? (void *)message->lent : message->copy;
    *message = (struct rpc_message){0};
    return bytes;
}

grpc_slice rpc_slice_copy(struct slice bytes)
{
    return grpc_slice_from_copied_buffer(bytes.data ? bytes.data : "", bytes.len);
}

struct slice rpc_slice_view(const grpc_slice *slice)
{
    return (struct slice){(const char *)GRPC_SLICE_START_PTR(*slice), GRPC_SLICE_LENGTH(*slice)};
}
