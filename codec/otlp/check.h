/* Conformance of OTLP profiles: every broken rule of the specification, each with its path.
 *
 * Unlike decoding, which stops at or drops what is broken, this lists all there is. Rules that say SHOULD can be
 * switched. Source: opentelemetry-proto 1.11, comments of profiles.proto.
 */
#ifndef PROFCOL_CODEC_OTLP_CHECK_H
#define PROFCOL_CODEC_OTLP_CHECK_H

#include "base/error.h"
#include "base/slice.h"

struct otlp_check_options {
    bool duplicates, sample_shapes, orphans;
};

struct otlp_check_sink {
    /* Called once for each finding, in document order; `path` as in resource_profiles[0].scope_profiles[1]. */
    void (*finding)(struct otlp_check_sink *sink, const char *path, const char *message);
};

/* True when the bytes (protobuf, or JSON where they begin with '{') could be read at all; findings go to the
 * sink, *count says how many. False with an error when they are no OTLP. */
bool otlp_check(struct slice bytes, const struct otlp_check_options *options, struct otlp_check_sink *sink,
                size_t *count, struct error *err);

#endif
