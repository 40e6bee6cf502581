/* The heap, behind one door, so that tests can make the n-th allocation fail.
 *
 * All return NULL on failure, also when a size overflows; a size of 0 gives a pointer that can be freed.
 * Whoever got a pointer frees it with mem_free.
 */
#ifndef PROFCOL_BASE_ALLOC_H
#define PROFCOL_BASE_ALLOC_H

#include <stddef.h>
#include <stdint.h>

#include "base/api.h"
#include "base/slice.h"

PROFCOL_API void *mem_alloc(size_t size);
PROFCOL_API void *mem_calloc(size_t count, size_t size);
PROFCOL_API void *mem_realloc(void *pointer, size_t size);
PROFCOL_API void mem_free(void *pointer);
/* A NUL-terminated copy. */
PROFCOL_API char *mem_copy_text(struct slice text);

/* For tests only: called before each allocation, which fails when it returns false. NULL: none. To be set
 * while one thread runs. */
void mem_set_gate(_Bool (*gate)(void *user), void *user);

#endif
