/* gzip, zlib and zstd, whole pieces at a time, output always capped.
 *
 * Decompression never trusts a declared size: the output grows as it comes and ends at `limit`, where the
 * error is ERROR_TOO_LARGE. gzip may have several members; what follows the last one is an error. zstd
 * windows are capped at the limit too.
 */
#ifndef PROFCOL_BASE_COMPRESS_H
#define PROFCOL_BASE_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/slice.h"

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD, COMPRESSION_ZLIB };

/* "gzip", "zstd", "zlib", "deflate" (which is zlib's form), "none", "identity", "": false for any other name. */
bool compression_from_name(struct slice name, enum compression *compression);
/* What the first bytes say; NONE where they are none of ours. */
enum compression compression_sniff(struct slice bytes);

/* Appends to `out`, at most `limit` bytes in all. */
bool decompress(enum compression compression, struct slice in, size_t limit, struct buffer *out, struct error *err);
/* Appends to `out`. `level` 0: the fast default of each (gzip and zlib 1, zstd 1). */
bool compress(enum compression compression, int level, struct slice in, struct buffer *out, struct error *err);

#endif
