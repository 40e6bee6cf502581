/* Time, as an object, so that a test can stand still or jump.
 *
 * Timers and deadlines use the monotonic clock, stamps the wall clock.
 */
#ifndef PROFCOL_BASE_CLOCK_H
#define PROFCOL_BASE_CLOCK_H

#include <stdint.h>

#include "base/api.h"

struct clock {
    int64_t (*monotonic_ns)(const struct clock *clock);
    int64_t (*wall_ns)(const struct clock *clock);
};

extern PROFCOL_API const struct clock clock_system;

static inline int64_t clock_ms(const struct clock *clock)
{
    return clock->monotonic_ns(clock) / 1000000;
}

static inline int64_t clock_unix_ns(const struct clock *clock)
{
    return clock->wall_ns(clock);
}

#endif
