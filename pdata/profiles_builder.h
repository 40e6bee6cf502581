/* Makes new batches: pprof, perf and the merger all use it.
 *
 *     struct profiles_builder *b = profiles_builder_new();
 *     uint32_t name = profiles_builder_string(b, SLICE("main"));
 *     ...
 *     profiles_builder_resource(b, attributes, count, schema_url);
 *     profiles_builder_scope(b, &scope);
 *     profiles_builder_profile(b, &profile);
 *     profiles_builder_sample(b, &sample_in);          // any number
 *     struct profiles *batch = profiles_builder_finish(b, &err);
 *
 * Everything of the dictionary is interned: equal things get equal indices; index 0 of each table is the
 * zero value. Strings and values are copied into the batch. The builder is sticky: after a failure calls
 * return index 0, so that what is half-built stays well-formed, and profiles_builder_finish tells.
 * Indices handed in must come from the same builder.
 */
#ifndef PROFCOL_PDATA_PROFILES_BUILDER_H
#define PROFCOL_PDATA_PROFILES_BUILDER_H

#include "pdata/profiles.h"

struct profiles_builder;

struct indices {
    const uint32_t *data;
    uint32_t count;
};

struct mapping_in {
    uint64_t memory_start, memory_limit, file_offset;
    uint32_t filename_strindex;
    struct indices attributes; /* their order does not matter */
};

struct location_in {
    uint32_t mapping_index;
    uint64_t address;
    const struct line *lines;
    uint32_t line_count;
    struct indices attributes;
};

struct sample_in {
    uint32_t stack_index, link_index;
    struct indices attributes;
    const int64_t *values;
    const uint64_t *timestamps;
    uint32_t value_count, timestamp_count;
};

PROFCOL_API struct profiles_builder *profiles_builder_new(void); /* NULL: no memory */
PROFCOL_API void profiles_builder_free(struct profiles_builder *builder);

PROFCOL_API uint32_t profiles_builder_string(struct profiles_builder *builder, struct slice text);
PROFCOL_API uint32_t profiles_builder_attribute(struct profiles_builder *builder, struct slice key,
                                                const struct value *value, struct slice unit);
PROFCOL_API uint32_t profiles_builder_mapping(struct profiles_builder *builder, const struct mapping_in *mapping);
/* `wire` of what is handed in is ignored. */
PROFCOL_API uint32_t profiles_builder_function(struct profiles_builder *builder, const struct function *function);
PROFCOL_API uint32_t profiles_builder_location(struct profiles_builder *builder, const struct location_in *location);
/* Leaf first. */
PROFCOL_API uint32_t profiles_builder_stack(struct profiles_builder *builder, struct indices locations);
PROFCOL_API uint32_t profiles_builder_link(struct profiles_builder *builder, const uint8_t trace_id[16],
                                           const uint8_t span_id[8]);

/* Each begins a new element below the latest of the level above. Of the structs only the plain members
 * count: ranges and wire are set by the builder; slices and attributes are copied. */
PROFCOL_API void profiles_builder_resource(struct profiles_builder *builder, const struct resource *resource);
PROFCOL_API void profiles_builder_scope(struct profiles_builder *builder, const struct scope *scope);
PROFCOL_API void profiles_builder_profile(struct profiles_builder *builder, const struct profile *profile,
                                          struct indices attributes);
PROFCOL_API void profiles_builder_sample(struct profiles_builder *builder, const struct sample_in *sample);

/* The batch, with one reference; the builder is empty afterwards and may only be freed. NULL on failure. */
PROFCOL_API struct profiles *profiles_builder_finish(struct profiles_builder *builder, struct error *err);

#endif
