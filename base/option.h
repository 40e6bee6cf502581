/* What an option of a component is: a row {key, kind + field, bounds, choices, help}, beside a struct with
 * the fields and a literal of it with the defaults. Only data; pipeline/options.h parses by it, prints by it
 * and documents by it. Below pipeline/ so that net/ can share its tables (TLS, HTTP) with all components.
 *
 *     struct thing_options { uint32_t depth; struct slice endpoint; struct tls_options tls; };
 *     #define OPTIONS_OF struct thing_options
 *     static const struct option rows[] = {
 *         {"depth", OPTION_UINT(depth), RANGE(1, 65535), HELP("Frames that a stack may have.")},
 *         {"endpoint", OPTION_STRING(endpoint), .required = true, HELP("Where to send.")},
 *         {"tls", OPTION_GROUP(tls, tls_client_rows), HELP("...")},
 *         {0},
 *     };
 *
 * A field of the wrong type does not compile.
 */
#ifndef PROFCOL_BASE_OPTION_H
#define PROFCOL_BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/slice.h"

enum option_kind {
    OPTION_KIND_BOOL,     /* bool */
    OPTION_KIND_UINT,     /* uint32_t */
    OPTION_KIND_INT,      /* int64_t */
    OPTION_KIND_FLOAT,    /* double */
    OPTION_KIND_DURATION, /* int64_t, milliseconds; written 200ms, 5s, 1h30m, 1.5h; 0 alone is allowed */
    OPTION_KIND_SIZE,     /* uint64_t, bytes; written 1024, 64KiB, 64MiB, 1GB */
    OPTION_KIND_STRING,   /* struct slice, NUL-terminated */
    OPTION_KIND_ENDPOINT, /* struct slice, NUL-terminated: host:port, [v6]:port, or a URL */
    OPTION_KIND_FILE,     /* struct slice, NUL-terminated: a path */
    OPTION_KIND_CHOICE,   /* an enum */
    OPTION_KIND_MAP,      /* struct option_map: any keys, string values */
    OPTION_KIND_STRINGS,  /* struct option_strings */
    OPTION_KIND_LIST,     /* struct option_list: a list of groups */
    OPTION_KIND_GROUP,    /* a struct of its own with rows of its own */
};

struct option_map {
    const struct option_pair {
        struct slice key, value; /* NUL-terminated */
    } *pairs;
    size_t count;
};

struct option_strings {
    const struct slice *items; /* NUL-terminated */
    size_t count;
};

struct option_list {
    const void *items; /* `count` structs of the list's element type */
    size_t count;
};

struct option {
    const char *key;
    enum option_kind kind;
    size_t offset;
    int64_t min, max;           /* inclusive; both 0 = the whole range of the kind; count for the lists */
    const char *const *choices; /* with CHOICE: the enum's names in its order, NULL at the end */
    const struct option *rows;  /* with GROUP and LIST: those of the struct inside */
    size_t size;                /* with LIST: of one element */
    const void *element;        /* with LIST: the defaults of one element; NULL: zero */
    size_t present;             /* with GROUP: 1 + offset of a bool that says whether the key was there
                                   (also with a null value, which means the defaults); 0: no such field */
    const char *help;           /* one sentence: what it does, in which unit */
    const char *alias_of;       /* an older spelling of another key of the same table: taken with a warning */
    const char *ignored;        /* the key of the Collector that means nothing here: taken with this note */
    bool required, secret;
};

/* Where a check found fault: the address of a field of the options struct. */
struct complaints;
/* Adds an error at the place in the config where `field` was set (or at its component where it was not).
 * Implemented by pipeline/options.c. Returns false. */
PROFCOL_API bool complain(struct complaints *complaints, const void *field, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct option_set {
    const struct option *rows;
    size_t size;          /* of the options struct */
    const void *defaults; /* an options struct; NULL = all zero */
    /* Fields against each other; complains once for each fault. May be NULL. */
    void (*check)(const void *options, struct complaints *complaints);
};

#define OPTION_FIELD(field, c_type)                                                                                  \
    .offset = offsetof(OPTIONS_OF, field) + _Generic(&((OPTIONS_OF *)0)->field, c_type * : (size_t)0)
#define OPTION_ENUM_FIELD(field)                                                                                     \
    .offset =                                                                                                        \
        offsetof(OPTIONS_OF, field) + _Generic(&((OPTIONS_OF *)0)->field, unsigned * : (size_t)0, int * : (size_t)0)

#define OPTION_BOOL(field) .kind = OPTION_KIND_BOOL, OPTION_FIELD(field, bool)
#define OPTION_UINT(field) .kind = OPTION_KIND_UINT, OPTION_FIELD(field, uint32_t)
#define OPTION_INT(field) .kind = OPTION_KIND_INT, OPTION_FIELD(field, int64_t)
#define OPTION_FLOAT(field) .kind = OPTION_KIND_FLOAT, OPTION_FIELD(field, double)
#define OPTION_DURATION(field) .kind = OPTION_KIND_DURATION, OPTION_FIELD(field, int64_t)
#define OPTION_SIZE(field) .kind = OPTION_KIND_SIZE, OPTION_FIELD(field, uint64_t)
#define OPTION_STRING(field) .kind = OPTION_KIND_STRING, OPTION_FIELD(field, struct slice)
#define OPTION_ENDPOINT(field) .kind = OPTION_KIND_ENDPOINT, OPTION_FIELD(field, struct slice)
#define OPTION_FILE(field) .kind = OPTION_KIND_FILE, OPTION_FIELD(field, struct slice)
#define OPTION_CHOICE(field, names) .kind = OPTION_KIND_CHOICE, OPTION_ENUM_FIELD(field), .choices = (names)
#define OPTION_MAP(field) .kind = OPTION_KIND_MAP, OPTION_FIELD(field, struct option_map)
#define OPTION_STRINGS(field) .kind = OPTION_KIND_STRINGS, OPTION_FIELD(field, struct option_strings)
#define OPTION_LIST(field, table, type, element_defaults)                                                            \
    .kind = OPTION_KIND_LIST, OPTION_FIELD(field, struct option_list), .rows = (table), .size = sizeof(type),        \
    .element = (element_defaults)
/* `c_type` is the struct that `table` was written for. */
#define OPTION_GROUP(field, c_type, table) .kind = OPTION_KIND_GROUP, OPTION_FIELD(field, c_type), .rows = (table)
/* A group that is off unless its key is there; `flag` is a bool of the outer struct. */
#define OPTION_OPTIONAL_GROUP(field, c_type, table, flag)                                                            \
    OPTION_GROUP(field, c_type, table), .present = 1 + offsetof(OPTIONS_OF, flag)
#define RANGE(low, high) .min = (low), .max = (high)
#define HELP(text) .help = (text)

#endif
