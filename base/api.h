/* Marks what a plugin may call: these names the executable exports, all others it hides. */
#ifndef PROFCOL_BASE_API_H
#define PROFCOL_BASE_API_H

#define PROFCOL_API __attribute__((visibility("default")))

#endif
