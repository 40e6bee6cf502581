/* Why something failed, filled by whoever fails, in a struct on the caller's stack.
 *
 *     struct error err = {0};
 *     if (!otlp_decode(..., &err))
 *         log_warn(log, "refused: %s", err.message);
 *
 * A function that can fail returns bool (or a pointer, NULL on failure) and takes `struct error *err` last,
 * never NULL. `return error_set(err, ...)` is a whole failure path. The first error is kept: setting a set
 * one changes nothing. Only receivers turn codes into gRPC and HTTP statuses.
 */
#ifndef PROFCOL_BASE_ERROR_H
#define PROFCOL_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/api.h"

enum error_code {
    ERROR_NONE,
    ERROR_INVALID,     /* the input is wrong; sending it again can not help */
    ERROR_TOO_LARGE,   /* the input is over a limit, else as INVALID */
    ERROR_BUSY,        /* not now: the same again may pass, after retry_after_ms where that is not 0 */
    ERROR_REFUSED,     /* the far end or a component refused it for good */
    ERROR_UNSUPPORTED, /* a feature, encoding or signal that is not there */
    ERROR_MEMORY,      /* an allocation failed; as BUSY for deliveries */
    ERROR_SYSTEM,      /* a system call failed; as BUSY for deliveries */
};

enum { ERROR_MESSAGE_SIZE = 512 };

struct error {
    enum error_code code;
    int64_t retry_after_ms;
    const char *reason; /* the label for counters, a constant such as "malformed"; never NULL once set */
    char message[ERROR_MESSAGE_SIZE];
};

/* Returns false. The reason becomes the code's own name in lower case. */
PROFCOL_API bool error_set(struct error *err, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with a reason of one's own, a constant. */
PROFCOL_API bool error_set_reason(struct error *err, enum error_code code, const char *reason, const char *format,
                                  ...) __attribute__((format(printf, 4, 5)));
/* Puts context before the message, on the way up. Returns false. */
PROFCOL_API bool error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
PROFCOL_API bool error_memory(struct error *err, const char *what);
/* `what` failed with errno. */
PROFCOL_API bool error_errno(struct error *err, const char *what);

/* A delivery that failed so may pass later. */
static inline bool error_is_retryable(const struct error *err)
{
    return err->code == ERROR_BUSY || err->code == ERROR_MEMORY || err->code == ERROR_SYSTEM;
}

/* Of two outcomes of one batch, keeps the worse in *worst: retryable before refused before none, so that
 * nothing is acknowledged that one branch may still lose. */
PROFCOL_API void error_keep_worst(struct error *worst, const struct error *other);

#endif
