/* What the host can change. Nothing is kept over a reset. */
#ifndef TOUCHMOVE_SETTINGS_H
#define TOUCHMOVE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

extern struct settings {
    uint16_t period_ms; /* of a scan */
    uint8_t debounce_scans;
    uint8_t settle_us;
    uint8_t matrix;     /* how the matrix lies, see squares_lie */
    uint8_t lamp_order; /* how the chain runs */
    uint8_t brightness;
} settings;

enum { FILES_REVERSED = 1, RANKS_REVERSED = 2, ROWS_ARE_FILES = 4, EVERY_OTHER_ROW_BACK = 8 };

void settings_start(void);
/* Puts the nearest possible value in force and tells it. False where there is no such setting. */
bool settings_put(const char key[2], uint16_t asked, uint16_t *in_force);
/* The square that lies at a row and column of wires, or of lamps. */
uint8_t square_at(uint8_t row, uint8_t column, uint8_t lie);

#endif
