/* Attribute values: OTLP's AnyValue, and a key with one.
 *
 * Strings and bytes are slices into the batch's wire buffer or arena. Arrays and maps stay in their encoded
 * form, checked for well-formedness and depth when they came in, with references into the string table
 * already replaced by what they name, so that they can be copied from batch to batch as they are.
 */
#ifndef PROFCOL_PDATA_VALUE_H
#define PROFCOL_PDATA_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/api.h"
#include "base/slice.h"

enum value_kind {
    VALUE_EMPTY, /* none of the oneof is set: legal */
    VALUE_STRING,
    VALUE_BOOL,
    VALUE_INT,
    VALUE_DOUBLE,
    VALUE_ARRAY,  /* encoded: an encoded ArrayValue */
    VALUE_KVLIST, /* encoded: an encoded KeyValueList */
    VALUE_BYTES,
};

struct value {
    enum value_kind kind;
    union {
        struct slice string; /* STRING and BYTES */
        bool boolean;
        int64_t integer;
        double real;
        struct slice encoded; /* ARRAY and KVLIST */
    };
};

struct key_value {
    struct slice key;
    struct value value;
};

/* Equal kind and equal content, doubles by their bits, arrays and maps by their encoding. */
PROFCOL_API bool value_equal(const struct value *a, const struct value *b);
uint64_t value_hash(const struct value *value);

#endif
