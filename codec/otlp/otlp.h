/* OTLP profiles <-> struct profiles: protobuf and JSON, pure functions.
 *
 * Protobuf is decoded in one pass over the bytes after a pass that counts, so that each table is allocated
 * once; every rule of the specification about references, counts, lengths and UTF-8 is checked once, here,
 * and everything after may trust the batch. Nesting costs no stack. Groups are refused.
 *
 * Layout generations: 1.10 and 1.11 are current; 1.8 and 1.9 are converted; older ones are refused with an
 * error that names the generation and what to upgrade.
 *
 * Sources: opentelemetry-proto 1.11 (profiles/v1development), protobuf encoding guide, OTLP/JSON section of
 * the OTLP specification.
 */
#ifndef PROFCOL_CODEC_OTLP_OTLP_H
#define PROFCOL_CODEC_OTLP_OTLP_H

#include "base/buffer.h"
#include "pdata/profiles.h"

enum otlp_mode {
    OTLP_STRICT,  /* the first broken rule refuses the request; the error names path and value */
    OTLP_LENIENT, /* broken elements are dropped and counted, the rest goes on */
    OTLP_OFF,     /* nothing is checked but the outer shape: the batch stays unresolved, its bytes go through.
                     profiles_resolve decodes it strictly if somebody needs its tables */
};

/* Why an element was dropped or repaired. */
enum otlp_fault {
    OTLP_FAULT_REFERENCE,        /* a sample whose reference is broken: dropped */
    OTLP_FAULT_SHAPE,            /* a sample whose values and timestamps do not fit: dropped */
    OTLP_FAULT_DUPLICATE_KEY,    /* the later attribute: dropped */
    OTLP_FAULT_ATTRIBUTE,        /* an attribute whose reference or value is broken: dropped */
    OTLP_FAULT_LINK,             /* a link with ids of the wrong length: unset */
    OTLP_FAULT_PAYLOAD,          /* original_payload without its format or the reverse: dropped */
    OTLP_FAULT_UTF8,             /* a string that is no UTF-8: replaced by U+FFFD where it is broken */
    OTLP_FAULT_PROFILE,          /* a profile with broken fields of its own: dropped */
    OTLP_FAULT_OUTSIDE_WINDOW,   /* a timestamp outside the profile's window: kept, in both modes */
    OTLP_FAULT_COUNT,
};
extern const char *const otlp_fault_names[OTLP_FAULT_COUNT]; /* labels: "reference", "shape", ... */

enum otlp_generation { OTLP_1_4, OTLP_1_6, OTLP_1_7, OTLP_1_8, OTLP_1_9, OTLP_1_11, OTLP_GENERATION_COUNT };
extern const char *const otlp_generation_names[OTLP_GENERATION_COUNT]; /* "1.4/1.5", ... "1.10/1.11" */

struct otlp_limits {
    size_t max_items;         /* elements of all tables together; 0: 16 Mi */
    uint32_t max_value_depth; /* nesting of attribute values; 0: 64 */
};

/* What decoding found out besides the batch. */
struct otlp_report {
    enum otlp_generation generation;
    uint32_t faults[OTLP_FAULT_COUNT];
    uint32_t rejected_profiles, rejected_samples; /* dropped whole, in lenient mode */
    char first_fault[ERROR_MESSAGE_SIZE];         /* in words, empty where there was none */
};

/* Decodes an ExportProfilesServiceRequest (or ProfilesData). `wire` must stay until free_wire is called with
 * `owner` when the batch goes, or, where decoding fails, before the call returns (free_wire NULL: the caller
 * keeps the bytes alive). Zero bytes give an empty batch. `report` may be NULL. NULL on failure. */
struct profiles *otlp_decode(struct slice wire, void (*free_wire)(void *owner), void *owner, enum otlp_mode mode,
                             const struct otlp_limits *limits, struct otlp_report *report, struct error *err);

/* The same from OTLP/JSON. The text is not kept. */
struct profiles *otlp_json_decode(struct slice json, enum otlp_mode mode, const struct otlp_limits *limits,
                                  struct otlp_report *report, struct error *err);

/* Appends the batch as an ExportProfilesServiceRequest: unchanged parts byte for byte, changed parts anew
 * with their unknown fields kept, attributes of resources and scopes inline. */
bool otlp_encode(const struct profiles *batch, struct buffer *out, struct error *err);
/* The bytes of an unchanged batch, without a copy; data NULL where it must be encoded. */
struct slice otlp_wire(const struct profiles *batch);

/* Appends one JSON object without line breaks. */
bool otlp_json_encode(const struct profiles *batch, struct buffer *out, struct error *err);

#endif
