/* The small messages around OTLP: service responses, partial success, google.rpc.Status with its details.
 * Fixed bounds, by nanopb; JSON by hand for the few fields.
 */
#ifndef PROFCOL_CODEC_OTLP_SERVICE_H
#define PROFCOL_CODEC_OTLP_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

enum { OTLP_MESSAGE_SIZE = 1024 };

/* ExportProfilesServiceResponse. On full success both are zero and partial_success stays unset. */
struct otlp_response {
    int64_t rejected_profiles;
    char error_message[OTLP_MESSAGE_SIZE];
};

bool otlp_response_encode(const struct otlp_response *response, struct buffer *out);
bool otlp_response_encode_json(const struct otlp_response *response, struct buffer *out);
/* Text beyond OTLP_MESSAGE_SIZE is cut. */
bool otlp_response_decode(struct slice bytes, struct otlp_response *response, struct error *err);
bool otlp_response_decode_json(struct slice bytes, struct otlp_response *response, struct error *err);

/* google.rpc.Status; retry_delay_ms < 0: no RetryInfo; `field` empty: no BadRequest. */
struct otlp_status {
    int32_t code;
    char message[OTLP_MESSAGE_SIZE];
    int64_t retry_delay_ms;
    char field[256]; /* BadRequest.field_violations[0].field, with the message as its description */
};

bool otlp_status_encode(const struct otlp_status *status, struct buffer *out);
bool otlp_status_encode_json(const struct otlp_status *status, struct buffer *out);
bool otlp_status_decode(struct slice bytes, struct otlp_status *status, struct error *err);

#endif
