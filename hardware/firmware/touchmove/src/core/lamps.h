/* The picture: a palette digit for each square, colours with blink patterns, and the host-lost lights. */
#ifndef TOUCHMOVE_LAMPS_H
#define TOUCHMOVE_LAMPS_H

#include <stdbool.h>
#include <stdint.h>

void lamps_start(void);
/* 64 digits, a1 first. False, and nothing changed, where one is no digit. */
bool lamps_picture(const char *digits);
void lamps_palette(uint8_t index, uint32_t colour, uint16_t slots);
void lamps_host_lost(bool lost);
/* Something changed that the picture does not show by itself, such as the brightness. */
void lamps_renew(void);
/* Writes the chain if it must change now; true when it was written, or needed no writing. */
bool lamps_show(uint32_t now);

#endif
