/* Functions that do not compile here, and what to use instead. Included before every file by the build. */
#ifndef PROFCOL_BASE_BANNED_H
#define PROFCOL_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok gmtime localtime ctime asctime alloca
#define atoi(text) atoi_is_banned_use_slice_to_uint64(text)
#define rand() rand_is_banned

#endif
