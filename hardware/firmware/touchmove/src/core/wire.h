/* Frames: lines of text with a checksum. firmware_bridge/PROTOCOL.md is the document. */
#ifndef TOUCHMOVE_WIRE_H
#define TOUCHMOVE_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#define WIRE_LONGEST_IN 80 /* the host's longest frame is 75 characters */
#define WIRE_LONGEST_OUT 64 /* ours is 51, the Hall readings apart */

void wire_start(void);

/* Writing: begin, fields, end. The caller has made sure of room in the transmitter. */
void wire_begin(char letter);
void wire_hex(uint32_t value, uint8_t digits);
void wire_text(const char *text);
void wire_squares(const uint8_t squares[8]); /* ranks 1 to 8; the a-file is bit 0 */
void wire_space(void);
void wire_digits(uint32_t value, uint8_t digits); /* as wire_hex, without the space before */
void wire_end(void);

/* Takes a byte; true when it ended a valid frame, which then stands until the next call. */
bool wire_take(uint8_t byte);
char wire_letter(void);
/* The next field, of exactly that many digits. False, and false from then on, where it is something else. */
bool wire_field(uint8_t digits, uint32_t *value);
/* The next field as it stands, of exactly that many characters; not ended by 0. */
const char *wire_field_text(uint8_t length);
/* Whether all fields were read and all were right. */
bool wire_done(void);

/* Lines that were no frame, wrapping. */
uint16_t wire_garbled(void);

/* 0 to 15, or 255 where it is no lower-case digit. */
uint8_t wire_unhex(char digit);

#endif
