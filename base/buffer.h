/* Bytes that grow: output of encoders, text that is put together, bodies that are read.
 *
 * Failure is sticky: after one, appending does nothing and buffer_failed() tells at the end. The content is
 * always followed by a NUL that does not count, once something was appended. One owner, who calls
 * buffer_fini; buffer_take moves the memory out.
 */
#ifndef PROFCOL_BASE_BUFFER_H
#define PROFCOL_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/api.h"
#include "base/slice.h"

struct buffer {
    char *data;
    size_t len, capacity;
    size_t limit; /* most bytes that it may hold; 0: no bound */
    bool failed;
};

PROFCOL_API void buffer_fini(struct buffer *buffer);
/* Empty, memory kept, failure forgotten. */
PROFCOL_API void buffer_clear(struct buffer *buffer);
/* Room for `extra` more bytes at data + len; NULL on failure. */
PROFCOL_API char *buffer_reserve(struct buffer *buffer, size_t extra);
PROFCOL_API void buffer_append(struct buffer *buffer, struct slice bytes);
PROFCOL_API void buffer_append_byte(struct buffer *buffer, char byte);
PROFCOL_API void buffer_append_text(struct buffer *buffer, const char *text);
PROFCOL_API void buffer_format(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A JSON string with its quotes; bytes that are no UTF-8 become U+FFFD. */
PROFCOL_API void buffer_append_json(struct buffer *buffer, struct slice text);

static inline struct slice buffer_slice(const struct buffer *buffer)
{
    return (struct slice){buffer->data, buffer->len};
}

/* Moves the memory to the caller, who frees it with mem_free; the buffer is empty afterwards. */
PROFCOL_API char *buffer_take(struct buffer *buffer, size_t *len);

#endif
