#include "debounce.h"

/* A four-bit counter for each contact, lying across four bytes a row: eight contacts are counted at once. */
static uint8_t settled[8];
static uint8_t count[8][4];

void debounce_start(const uint8_t rows[8])
{
    for (uint8_t r = 0; r < 8; r++) {
        settled[r] = rows[r];
        for (uint8_t plane = 0; plane < 4; plane++)
            count[r][plane] = 0;
    }
}

bool debounce_take(const uint8_t rows[8], uint8_t scans)
{
    bool changed = false;
    for (uint8_t r = 0; r < 8; r++) {
        uint8_t differs = rows[r] ^ settled[r], carry = differs, full = differs;
        for (uint8_t plane = 0; plane < 4; plane++) {
            uint8_t before = count[r][plane] & differs; /* contacts that agree count from 0 again */
            count[r][plane] = before ^ carry;
            carry &= before;
            full &= (scans >> plane & 1) ? count[r][plane] : (uint8_t)~count[r][plane];
        }
        if (full) {
            settled[r] ^= full;
            for (uint8_t plane = 0; plane < 4; plane++)
                count[r][plane] &= (uint8_t)~full;
            changed = true;
        }
    }
    return changed;
}

const uint8_t *debounce_rows(void)
{
    return settled;
}
