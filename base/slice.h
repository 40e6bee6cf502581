/* A range of bytes that somebody else owns: every string and every byte range in profcol.
 *
 * Not NUL-terminated, may hold NULs, may be empty with data NULL. Copying the struct copies nothing.
 */
#ifndef PROFCOL_BASE_SLICE_H
#define PROFCOL_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct slice {
    const char *data;
    size_t len;
};

/* A slice of a string literal, also as a constant initialiser. */
#define SLICE(literal) ((struct slice){"" literal, sizeof(literal) - 1})
/* For printf's "%.*s". */
#define SLICE_ARGS(slice) (int)(slice).len, (slice).data ? (slice).data : ""

static inline struct slice slice_from(const char *text)
{
    return (struct slice){text, strlen(text)};
}

static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool slice_equal_text(struct slice a, const char *text)
{
    return slice_equal(a, slice_from(text));
}

/* As strcasecmp for ASCII letters only, whatever the locale. */
bool slice_equal_nocase(struct slice a, struct slice b);
bool slice_starts_with(struct slice slice, struct slice prefix);
/* Without leading and trailing spaces and tabs. */
struct slice slice_trim(struct slice slice);
/* What stands before the first `separator` goes to *head, the rest is returned; without one, all goes to
 * *head and the rest is empty. */
struct slice slice_cut(struct slice slice, char separator, struct slice *head);
/* A decimal number without sign, spaces or overflow. */
bool slice_to_uint64(struct slice slice, unsigned long long *value);

#endif
