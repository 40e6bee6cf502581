/* Logs: what the operator should know.
 *
 *     log_warn(self->log, "refused a batch from %s: %s", peer, err.message);
 *
 * Levels: error = data was lost or a part stopped; warn = somebody should look; info = at most a line a
 * minute in steady state; debug. Text is lower case without full stop. Never payload, never secrets; bytes
 * that came from outside are escaped. Each place in the code is rate-limited by itself: its format string's
 * address is its identity (`initial` lines per `tick`, then every `thereafter`-th, as the Collector's
 * sampling does). Any thread may log; a line is written with one write().
 */
#ifndef PROFCOL_BASE_LOG_H
#define PROFCOL_BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/api.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/slice.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };
enum log_encoding { LOG_TEXT, LOG_JSON };

struct log_settings {
    enum log_level level;
    enum log_encoding encoding;
    const char *path; /* "stderr", "stdout" or a file that is appended to */
    bool sampling;
    uint32_t sampling_initial, sampling_thereafter;
    int64_t sampling_tick_ms;
};

struct log; /* a sink with the name of who logs; made from a root by log_child */

/* The root. Frees with log_free, after all its children. */
struct log *log_new(const struct log_settings *settings, const struct clock *clock, struct error *err);
/* Shares the sink of `parent`; adds `kind` and `id`, such as "receiver" and "otlp/2", to each line. */
struct log *log_child(const struct log *parent, const char *kind, const char *id);
PROFCOL_API void log_free(struct log *log);
/* Reads the settings anew into the shared sink (reload). */
bool log_reconfigure(struct log *root, const struct log_settings *settings, struct error *err);

PROFCOL_API void log_write(const struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
PROFCOL_API bool log_enabled(const struct log *log, enum log_level level);

#define log_error(log, ...) log_write((log), LOG_ERROR, __VA_ARGS__)
#define log_warn(log, ...) log_write((log), LOG_WARN, __VA_ARGS__)
#define log_info(log, ...) log_write((log), LOG_INFO, __VA_ARGS__)
#define log_debug(log, ...) (log_enabled((log), LOG_DEBUG) ? log_write((log), LOG_DEBUG, __VA_ARGS__) : (void)0)

#endif
