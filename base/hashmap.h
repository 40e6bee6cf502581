/* From a hash to an index: the way in which everything is interned.
 *
 * Holds only (hash, index) pairs, 8 bytes each, by open addressing; what equals what, the caller knows.
 *
 *     uint32_t *slot = index_map_slot(&map, hash, equal, user);
 *     if (!slot) return out of memory;
 *     if (*slot == INDEX_MAP_NEW) *slot = add_to_table();
 */
#ifndef PROFCOL_BASE_HASHMAP_H
#define PROFCOL_BASE_HASHMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

#define INDEX_MAP_NEW UINT32_MAX

struct index_map {
    uint64_t *entries; /* hash in the upper half, index in the lower; empty where the index is NEW */
    uint32_t count, capacity; /* capacity is a power of two, or 0 */
};

void index_map_fini(struct index_map *map);
void index_map_clear(struct index_map *map);
/* The slot of the entry with this hash that `equal(user, index)` accepts, or a fresh one that holds
 * INDEX_MAP_NEW and must be filled before the next call. NULL when there is no memory. */
uint32_t *index_map_slot(struct index_map *map, uint64_t hash, bool (*equal)(const void *user, uint32_t index),
                         const void *user);
/* The index, or INDEX_MAP_NEW where there is none. */
uint32_t index_map_find(const struct index_map *map, uint64_t hash, bool (*equal)(const void *user, uint32_t index),
                        const void *user);

uint64_t hash_bytes(struct slice bytes);
/* Mixes one more word into a hash. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t word)
{
    hash ^= word;
    hash *= 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

#endif
