/* Several batches into one, one into several, and one without what nothing refers to.
 *
 * Merging is linear in the input: each dictionary entry that is referred to is hashed and remapped once,
 * then samples are rewritten by table look-up. Entries that nothing refers to are left behind, equal ones
 * become one, and index 0 of each table is the zero value. Equal resources (attributes, schema) become one
 * resource, equal scopes within them one scope; profiles are never joined, and the order of everything else
 * stays. Results share nothing with the inputs. All inputs must be resolved.
 */
#ifndef PROFCOL_PDATA_PROFILES_MERGE_H
#define PROFCOL_PDATA_PROFILES_MERGE_H

#include "pdata/profiles.h"

/* NULL on failure. */
struct profiles *profiles_merge(const struct profiles *const *batches, size_t count, struct error *err);

/* The same batch with a collected and deduplicated dictionary. */
struct profiles *profiles_compact(const struct profiles *batch, struct error *err);

/* Samples [start, start + count) of the batch, counted through all profiles in order, with the profiles,
 * scopes and resources around them and a collected dictionary. A profile that is cut in two keeps its
 * fields in both. Profiles without samples go with the first sample after them, trailing ones with the last
 * piece. */
struct profiles *profiles_slice(const struct profiles *batch, uint32_t start, uint32_t count, struct error *err);

/* Receives each piece, lent; false ends the split. */
struct profiles_sink {
    bool (*piece)(struct profiles_sink *sink, const struct profiles *piece, struct error *err);
};

/* Pieces of at most `max_samples` samples and `max_bytes` bytes (each 0: no bound), in order, so that every
 * sample is in exactly one piece. A batch within both is handed on as it is. A single sample that is over
 * max_bytes is handed on alone: the caller decides. */
bool profiles_split(const struct profiles *batch, uint32_t max_samples, size_t max_bytes, struct profiles_sink *sink,
                    struct error *err);

#endif
