/* What the core asks of a chip. A port is one file that has these functions; the core touches no register. */
#ifndef TOUCHMOVE_PORT_H
#define TOUCHMOVE_PORT_H

#include <stdbool.h>
#include <stdint.h>

#define PORT_LIGHTS 1
#define PORT_BUTTONS 2
#define PORT_FIELD 8

extern const char port_model[]; /* a name without spaces, at most 12 characters */
extern const uint8_t port_flags;

/* Milliseconds since the start, wrapping at 32 bits. */
uint32_t port_ms(void);

/* The next byte received, if there is one. */
bool port_rx(uint8_t *byte);

/* How many bytes can be written without waiting. Must be able to reach 127. */
uint8_t port_tx_room(void);
void port_tx(uint8_t byte);

/* Reads the matrix: bit c of rows[r] is 1 where the contact of row r and column c is closed. */
void port_scan(uint8_t rows[8], uint8_t settle_us);

/* Bit b is 1 while button b is down. */
uint8_t port_buttons(void);

/* Writes the chain: green, red, blue of each of 64 lamps, in the order of the chain. */
void port_lamps(const uint8_t levels[192]);

/* One reading of the Hall sensor of a square, 0x800 without a magnet. Only asked where PORT_FIELD is set. */
uint16_t port_field(uint8_t square);

#endif
