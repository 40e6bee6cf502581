/* UTF-8, strictly by RFC 3629: no overlong forms, no surrogates, nothing over U+10FFFF. */
#ifndef PROFCOL_BASE_UTF8_H
#define PROFCOL_BASE_UTF8_H

#include <stdbool.h>

#include "base/slice.h"

bool utf8_is_valid(struct slice text);
/* Length of the longest valid beginning. */
size_t utf8_valid_prefix(struct slice text);

#endif
