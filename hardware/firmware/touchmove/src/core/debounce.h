/* 64 contacts, debounced: a change counts once `scans` scans in a row agree on it. */
#ifndef TOUCHMOVE_DEBOUNCE_H
#define TOUCHMOVE_DEBOUNCE_H

#include <stdbool.h>
#include <stdint.h>

void debounce_start(const uint8_t rows[8]);
/* Takes a scan; `scans` is 1 to 15. True when the settled rows changed. */
bool debounce_take(const uint8_t rows[8], uint8_t scans);
const uint8_t *debounce_rows(void);

#endif
