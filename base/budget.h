/* A bound on bytes in flight, shared by many: who can not have its bytes is told at once to come back. */
#ifndef PROFCOL_BASE_BUDGET_H
#define PROFCOL_BASE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct budget {
    size_t limit_bytes; /* 0: no bound */
    atomic_size_t used_bytes;
};

bool budget_take(struct budget *budget, size_t bytes);
void budget_give(struct budget *budget, size_t bytes);

#endif
