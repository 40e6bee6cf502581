/* struct profiles: one batch of profiles, the form that every receiver makes, every processor works on and
 * every exporter writes from. It mirrors OTLP profiles 1.11: seven dictionary tables, and resources ->
 * scopes -> profiles -> samples that point into them by index.
 *
 *     resources[0] .scopes {0,2} ──► scopes[0], scopes[1]
 *     scopes[0]    .profiles {0,1} ─► profiles[0]
 *     profiles[0]  .samples {0,500} ► samples[0..499]  .stack ──► stacks[] .locations {s,n} ─► stack_locations[]
 *                                                                                          └─► locations[] ...
 *
 * Tables are flat arrays; a member of variable length is a range {start, count} into one pool. Children of
 * one parent stand together and in order. Every index was checked when the batch was made and may be
 * trusted; index 0 of each dictionary table is the zero value and always there.
 *
 * ## Who holds a batch
 * A batch is counted and immutable once shared. It is lent: who receives `const struct profiles *` may read
 * it until it returns and takes a reference (profiles_ref) to keep it longer; who made it drops it with
 * profiles_unref in the same function. To change one, call profiles_alone, which gives back the batch itself
 * where nobody else holds it, else a shallow copy that shares each table until its first edit.
 *
 * ## Changing it
 * Tables are pointers to const. They are written only through profiles_edit_...(batch, i), which marks the
 * element, so that the encoder writes it anew and copies all the rest from the bytes that it came in.
 * Edits do not report lack of memory: they return a scratch element and set `failed`, which the graph
 * checks after each component.
 *
 * ## Bytes
 * `wire` is what the batch was decoded from, an ExportProfilesServiceRequest of the current layout; empty
 * for batches made here. Each element's `wire` is the offset in it of the element's length prefix; 0: it has
 * none. WIRE_CHANGED is set on top when the element no longer equals its bytes.
 * A batch may also be unresolved: it has only its bytes and its counts. profiles_resolve fills the tables;
 * who reads tables calls it first (the graph does for components).
 *
 * Threads: a shared batch may be read from any thread, also resolved; edits need a batch held alone.
 * Source: opentelemetry-proto 1.11, profiles/v1development.
 */
#ifndef PROFCOL_PDATA_PROFILES_H
#define PROFCOL_PDATA_PROFILES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "pdata/value.h"

#define WIRE_CHANGED 0x80000000u

struct range {
    uint32_t start, count;
};

struct mapping {
    uint64_t memory_start, memory_limit, file_offset;
    uint32_t filename_strindex;
    struct range attributes; /* in attribute_indices */
    uint32_t wire;
};

struct location {
    uint64_t address;
    uint32_t mapping_index;
    struct range lines;      /* in lines; innermost inlined function first */
    struct range attributes; /* in attribute_indices */
    uint32_t wire;
};

struct line {
    uint32_t function_index;
    int64_t line, column; /* from 1; 0: not known */
};

struct function {
    uint32_t name_strindex, system_name_strindex, filename_strindex;
    int64_t start_line;
    uint32_t wire;
};

struct link {
    uint8_t trace_id[16];
    uint8_t span_id[8];
    uint32_t wire;
};

/* KeyValueAndUnit: an entry of the attribute table. */
struct attribute {
    uint32_t key_strindex, unit_strindex;
    struct value value;
    uint32_t wire;
};

struct stack {
    struct range locations; /* in stack_locations; leaf first */
    uint32_t wire;
};

struct value_type {
    uint32_t type_strindex, unit_strindex;
};

struct sample {
    uint32_t stack_index;
    uint32_t link_index;
    struct range attributes; /* in attribute_indices */
    struct range values;     /* in values */
    struct range timestamps; /* in timestamps; unix, in ns */
    uint32_t wire;
};

struct profile {
    struct value_type sample_type, period_type;
    int64_t period;
    uint64_t time_unix_nano, duration_nano;
    struct range samples;
    struct range attributes; /* in attribute_indices */
    bool has_profile_id;
    uint8_t profile_id[16];
    uint32_t dropped_attributes_count;
    struct slice original_payload_format, original_payload;
    uint32_t wire;
};

struct scope {
    struct slice name, version, schema_url;
    const struct key_value *attributes;
    uint32_t attribute_count;
    uint32_t dropped_attributes_count;
    struct range profiles;
    uint32_t wire;       /* of the ScopeProfiles */
    uint32_t scope_wire; /* of its InstrumentationScope */
};

struct resource {
    struct slice schema_url;
    const struct key_value *attributes;
    uint32_t attribute_count;
    uint32_t dropped_attributes_count;
    struct range scopes;
    uint32_t wire;          /* of the ResourceProfiles */
    uint32_t resource_wire; /* of its Resource */
};

/* The tables that can be changed one by one; bits of `changed` and `owned`. */
enum profiles_table {
    PROFILES_STRINGS = 1 << 0,
    PROFILES_MAPPINGS = 1 << 1,
    PROFILES_LOCATIONS = 1 << 2,
    PROFILES_FUNCTIONS = 1 << 3,
    PROFILES_LINKS = 1 << 4,
    PROFILES_ATTRIBUTES = 1 << 5,
    PROFILES_STACKS = 1 << 6,
    PROFILES_RESOURCES = 1 << 7,
    PROFILES_SCOPES = 1 << 8,
    PROFILES_PROFILES = 1 << 9,
    PROFILES_SAMPLES = 1 << 10,
    PROFILES_ALL = (1 << 11) - 1,
};

struct profiles {
    atomic_uint references;
    atomic_bool resolved;
    bool failed;      /* an edit had no memory: the batch must not go on */
    uint32_t changed; /* tables with a marked, added or removed element; 0: `wire` says it all */
    uint32_t owned;   /* tables that this batch may write, others belong to `parent` */
    const struct profiles *parent;
    struct arena arena;

    struct slice wire;
    void (*free_wire)(void *owner); /* called with wire_owner when the batch goes; NULL: in the arena */
    void *wire_owner;
    /* Fills the tables of an unresolved batch from its wire; set by the codec that made it. */
    bool (*resolve)(struct profiles *batch, struct error *err);

    /* The dictionary */
    const struct slice *strings;
    const struct mapping *mappings;
    const struct location *locations;
    const struct function *functions;
    const struct link *links;
    const struct attribute *attributes;
    const struct stack *stacks;
    uint32_t string_count, mapping_count, location_count, function_count, link_count, attribute_count, stack_count;

    /* The data */
    const struct resource *resources;
    const struct scope *scopes;
    const struct profile *profiles;
    const struct sample *samples;
    uint32_t resource_count, scope_count, profile_count, sample_count; /* set also when unresolved */

    /* The pools */
    const struct line *lines;
    const uint32_t *stack_locations;
    const uint32_t *attribute_indices;
    const int64_t *values;
    const uint64_t *timestamps;
    uint32_t line_count, stack_location_count, attribute_index_count, value_count, timestamp_count;

    /* What an edit returns that had no memory. */
    union {
        struct mapping mapping;
        struct location location;
        struct function function;
        struct link link;
        struct attribute attribute;
        struct stack stack;
        struct profile profile;
        struct sample sample;
    } scratch;
};

/* An empty batch with one reference, tables empty; for codecs and the builder. NULL: no memory. */
struct profiles *profiles_new(void);
PROFCOL_API void profiles_ref(const struct profiles *batch);
PROFCOL_API void profiles_unref(const struct profiles *batch); /* NULL is fine */

/* Fills the tables where they are not yet there. False: the wire is bad, or no memory. */
PROFCOL_API bool profiles_resolve(const struct profiles *batch, struct error *err);

/* The batch itself when the caller's is the only reference, else a shallow copy with one reference, which
 * the caller drops; NULL: no memory. */
PROFCOL_API struct profiles *profiles_alone(const struct profiles *batch);

PROFCOL_API struct mapping *profiles_edit_mapping(struct profiles *batch, uint32_t i);
PROFCOL_API struct location *profiles_edit_location(struct profiles *batch, uint32_t i);
PROFCOL_API struct function *profiles_edit_function(struct profiles *batch, uint32_t i);
PROFCOL_API struct link *profiles_edit_link(struct profiles *batch, uint32_t i);
PROFCOL_API struct attribute *profiles_edit_attribute(struct profiles *batch, uint32_t i);
PROFCOL_API struct stack *profiles_edit_stack(struct profiles *batch, uint32_t i);
PROFCOL_API struct profile *profiles_edit_profile(struct profiles *batch, uint32_t i);
PROFCOL_API struct sample *profiles_edit_sample(struct profiles *batch, uint32_t i);

/* Replaces the attributes of a resource (or scope) by a copy of `attributes`; the strings in them are not
 * copied and must live as long as the batch: in its arena, its wire, or constants. */
PROFCOL_API void profiles_set_resource_attributes(struct profiles *batch, uint32_t i,
                                                  const struct key_value *attributes, uint32_t count);
PROFCOL_API void profiles_set_scope_attributes(struct profiles *batch, uint32_t i, const struct key_value *attributes,
                                               uint32_t count);

/* The value of an attribute by key, NULL where there is none. */
PROFCOL_API const struct value *profiles_find_attribute(const struct key_value *attributes, uint32_t count,
                                                        struct slice key);

/* Bytes of the batch as an OTLP request: its wire's length when unchanged, else a bound from above that is
 * near (within some percent). */
PROFCOL_API size_t profiles_size_bytes(const struct profiles *batch);

#endif
