/* Numbered events, kept until the host has acknowledged them: the sending side of selective repeat. */
#ifndef TOUCHMOVE_EVENTS_H
#define TOUCHMOVE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#define EVENTS_WINDOW 32
#define EVENTS_RESEND_MS 50

/* Forget all and number from 0 again. */
void events_start(void);
bool events_have_room(void);
void events_put_squares(uint32_t ms, const uint8_t squares[8]);
void events_put_button(uint32_t ms, uint8_t button, bool down);
/* All events before `awaited` have arrived, and awaited + 1 + i where bit i of `beyond` is set. */
void events_acknowledge(uint8_t awaited, uint16_t beyond);
/* Sends one event that is due; false when none is. */
bool events_send_one(uint32_t now);
/* The number of the latest event, 255 before the first. */
uint8_t events_last(void);

#endif
