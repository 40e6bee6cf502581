/* Memory that goes in one piece: what belongs to a batch, a config or a request.
 *
 *     struct arena arena;
 *     arena_init(&arena, 0);
 *     struct sample *samples = arena_new(&arena, struct sample, count);
 *     ...
 *     arena_fini(&arena);
 *
 * Blocks grow by doubling; nothing moves once given out. Failure is sticky: after one, every call returns
 * NULL and arena_failed() is true, so that a builder may test once at its end. Unused space is poisoned for
 * ASan. Not for several threads at once.
 */
#ifndef PROFCOL_BASE_ARENA_H
#define PROFCOL_BASE_ARENA_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/api.h"
#include "base/slice.h"

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first */
    char *next, *end;           /* free space of the newest */
    size_t used_bytes;          /* taken from the heap in all */
    size_t limit_bytes;         /* 0: none */
    bool failed;
};

/* `limit_bytes` bounds what the arena takes from the heap; 0: no bound. Allocates nothing. */
PROFCOL_API void arena_init(struct arena *arena, size_t limit_bytes);
/* Frees all; a zeroed arena is fine. */
PROFCOL_API void arena_fini(struct arena *arena);
/* Zeroed, aligned. */
PROFCOL_API void *arena_alloc(struct arena *arena, size_t count, size_t size, size_t align);
/* As arena_alloc, not zeroed: for arrays that are filled at once. */
PROFCOL_API void *arena_alloc_raw(struct arena *arena, size_t count, size_t size, size_t align);
PROFCOL_API struct slice arena_copy(struct arena *arena, struct slice bytes);
/* NUL-terminated. */
PROFCOL_API const char *arena_copy_text(struct arena *arena, struct slice text);
PROFCOL_API struct slice arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define arena_new(arena, type, count) ((type *)arena_alloc((arena), (count), sizeof(type), alignof(type)))
#define arena_new_raw(arena, type, count) ((type *)arena_alloc_raw((arena), (count), sizeof(type), alignof(type)))

#endif
