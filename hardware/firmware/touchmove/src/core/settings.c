#include "settings.h"

struct settings settings;

void settings_start(void)
{
    settings.period_ms = 5;
    settings.debounce_scans = 2;
    settings.settle_us = 8;
    settings.matrix = 0;
    settings.lamp_order = 0;
    settings.brightness = 255;
}

static uint16_t clamp(uint16_t value, uint16_t low, uint16_t high)
{
    return value < low ? low : value > high ? high : value;
}

bool settings_put(const char key[2], uint16_t asked, uint16_t *in_force)
{
    uint16_t pair = (uint16_t)((uint8_t)key[0] << 8 | (uint8_t)key[1]);
    switch (pair) {
    case 'h' << 8 | 'z':
        settings.period_ms = (uint16_t)(1000 / clamp(asked, 10, 500));
        *in_force = (uint16_t)(1000 / settings.period_ms);
        return true;
    case 'd' << 8 | 'b':
        *in_force = settings.debounce_scans = (uint8_t)clamp(asked, 1, 15);
        return true;
    case 'u' << 8 | 's':
        *in_force = settings.settle_us = (uint8_t)clamp(asked, 1, 100);
        return true;
    case 'm' << 8 | 'x':
        *in_force = settings.matrix = (uint8_t)clamp(asked, 0, 7);
        return true;
    case 'l' << 8 | 'd':
        *in_force = settings.lamp_order = (uint8_t)clamp(asked, 0, 15);
        return true;
    case 'b' << 8 | 'r':
        *in_force = settings.brightness = (uint8_t)clamp(asked, 0, 255);
        return true;
    default:
        return false;
    }
}

uint8_t square_at(uint8_t row, uint8_t column, uint8_t lie)
{
    uint8_t rank = row, file = column;
    if ((lie & EVERY_OTHER_ROW_BACK) && (row & 1))
        file = (uint8_t)(7 - column);
    if (lie & ROWS_ARE_FILES) {
        uint8_t swap = rank;
        rank = file;
        file = swap;
    }
    if (lie & FILES_REVERSED)
        file = (uint8_t)(7 - file);
    if (lie & RANKS_REVERSED)
        rank = (uint8_t)(7 - rank);
    return (uint8_t)(8 * rank + file);
}
