/* Where a batch goes next. For users; who writes components reads component.h. */
#ifndef PROFCOL_PIPELINE_CONSUMER_H
#define PROFCOL_PIPELINE_CONSUMER_H

#include <stdbool.h>

#include "base/api.h"
#include "base/error.h"
#include "pdata/profiles.h"

/* A node of the graph, or a test's. Any thread may call consume, several at once. */
struct consumer {
    /* Borrows the batch until it returns. True: it was accepted down to a sending queue or delivered. False:
     * err says whether a retry can help. */
    bool (*consume)(const struct consumer *self, const struct profiles *batch, struct error *err);
    /* Whether a call may wait for the network or for room in a queue, so that event loops must not make it
     * themselves but hand it to a worker. */
    bool may_block;
};

PROFCOL_API bool consumer_consume(const struct consumer *consumer, const struct profiles *batch, struct error *err);

#endif
