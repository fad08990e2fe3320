/* Which wire is on which pin. Rows are pulled low one at a time (open drain), columns have pull-ups. */
#ifndef TOUCHMOVE_AVR_PINS_H
#define TOUCHMOVE_AVR_PINS_H

#include <avr/io.h>
#include <stdint.h>

#if defined(__AVR_ATmega328P__)

/* Uno and Nano: rows D2 to D9, columns A0 to A5 then D10 and D11, lamps D12, one button from D13 to 5 V (with 10 kOhm
 * from D13 to ground: a pull-up cannot work there, the board's own LED hangs on that pin). */
#define PIN_MODEL "atmega328p"
#define LAMP_PORT PORTB
#define LAMP_DDR DDRB
#define LAMP_BIT 4

static inline void pins_start(void)
{
    PORTD &= 0x03;
    PORTB &= (uint8_t)~0x03;
    PORTC |= 0x3f;
    PORTB |= 0x0c;
}
static inline void rows_release(void)
{
    DDRD &= 0x03;
    DDRB &= (uint8_t)~0x03;
}
static inline void row_pull(uint8_t row)
{
    if (row < 6)
        DDRD |= (uint8_t)(1 << (row + 2));
    else
        DDRB |= (uint8_t)(1 << (row - 6));
}
static inline uint8_t columns_high(void)
{
    return (uint8_t)((PINC & 0x3f) | ((PINB & 0x0c) << 4));
}
static inline uint8_t buttons_down(void)
{
    return PINB >> 5 & 1;
}

#elif defined(__AVR_ATmega2560__)

/* Mega: rows 22 to 29, columns 37 down to 30, lamps 10, buttons A8 to A11 to ground. */
#define PIN_MODEL "atmega2560"
#define LAMP_PORT PORTB
#define LAMP_DDR DDRB
#define LAMP_BIT 4

static inline void pins_start(void)
{
    PORTA = 0;
    DDRC = 0;
    PORTC = 0xff;
    PORTK |= 0x0f;
}
static inline void rows_release(void)
{
    DDRA = 0;
}
static inline void row_pull(uint8_t row)
{
    DDRA = (uint8_t)(1 << row);
}
static inline uint8_t columns_high(void)
{
    return PINC;
}
static inline uint8_t buttons_down(void)
{
    return (uint8_t)~PINK & 0x0f;
}

#else
#error "No pins are known for this chip: add it to avr_pins.h"
#endif

#endif
