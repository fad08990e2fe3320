/* ATmega328P and ATmega2560 at 16 MHz: USART0 with buffers both ways, a millisecond from timer 1, WS2812 by counted
 * cycles. Timer 0 and 2 are left to the Arduino core. */
#if defined(__AVR__)

#include "avr.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <util/delay_basic.h>

#include "../core/port.h"
#include "avr_pins.h"

#if F_CPU != 16000000UL
#error "The lamps' timing and the baud rate are counted for 16 MHz"
#endif

#ifdef USART_RX_vect
#define UART_RX_VECTOR USART_RX_vect
#define UART_EMPTY_VECTOR USART_UDRE_vect
#else
#define UART_RX_VECTOR USART0_RX_vect
#define UART_EMPTY_VECTOR USART0_UDRE_vect
#endif

#define RX_SIZE 128 /* powers of two */
#define TX_SIZE 128

const char port_model[] = PIN_MODEL;
const uint8_t port_flags = PORT_LIGHTS | PORT_BUTTONS;

/* ---- serial line: one side of each buffer is the interrupt's, the other the loop's ---- */

static volatile uint8_t rx_buffer[RX_SIZE], rx_head, rx_tail;
static volatile uint8_t tx_buffer[TX_SIZE], tx_head, tx_tail;

static inline void take_byte(void)
{
    uint8_t byte = UDR0, next = (rx_head + 1) & (RX_SIZE - 1);
    if (next != rx_tail) {
        rx_buffer[rx_head] = byte;
        rx_head = next;
    }
}

ISR(UART_RX_VECTOR)
{
    take_byte();
}

ISR(UART_EMPTY_VECTOR)
{
    if (tx_head == tx_tail) {
        UCSR0B &= (uint8_t) ~(1 << UDRIE0);
    } else {
        UDR0 = tx_buffer[tx_tail];
        tx_tail = (tx_tail + 1) & (TX_SIZE - 1);
    }
}

bool port_rx(uint8_t *byte)
{
    if (rx_head == rx_tail)
        return false;
    *byte = rx_buffer[rx_tail];
    rx_tail = (rx_tail + 1) & (RX_SIZE - 1);
    return true;
}

uint8_t port_tx_room(void)
{
    return (uint8_t)(tx_tail - tx_head - 1) & (TX_SIZE - 1);
}

void port_tx(uint8_t byte)
{
    tx_buffer[tx_head] = byte;
    tx_head = (tx_head + 1) & (TX_SIZE - 1);
    cli();
    UCSR0B |= 1 << UDRIE0;
    sei();
}

/* ---- time ---- */

static volatile uint32_t ticks;

ISR(TIMER1_COMPA_vect)
{
    ticks++;
}

uint32_t port_ms(void)
{
    uint32_t ms;
    cli();
    ms = ticks;
    sei();
    return ms;
}

/* ---- matrix ---- */

static void wait_us(uint8_t us)
{
    _delay_loop_2((uint16_t)us * 4); /* four cycles each */
}

void port_scan(uint8_t rows[8], uint8_t settle_us)
{
    for (uint8_t r = 0; r < 8; r++) {
        row_pull(r);
        wait_us(settle_us);
        rows[r] = (uint8_t)~columns_high();
        rows_release();
        wait_us(settle_us); /* the columns must rise again, or the next row sees this one */
    }
}

uint8_t port_buttons(void)
{
    return buttons_down();
}

uint16_t port_field(uint8_t square)
{
    (void)square;
    return 0x800;
}

/* ---- lamps: 20 cycles a bit, high for 5 (0.31 us) or 12 (0.75 us) ---- */

static void send_byte(uint8_t byte)
{
    uint8_t high = LAMP_PORT | (1 << LAMP_BIT), low = LAMP_PORT & (uint8_t) ~(1 << LAMP_BIT), bits = 8;
    __asm__ volatile("1: out %[port], %[high] \n" /* up */
                     "   nop \n nop \n nop \n"
                     "   sbrs %[byte], 7 \n"
                     "   out %[port], %[low] \n" /* a 0 ends here */
                     "   lsl %[byte] \n"
                     "   nop \n nop \n nop \n nop \n nop \n"
                     "   out %[port], %[low] \n" /* a 1 ends here */
                     "   nop \n nop \n nop \n"
                     "   dec %[bits] \n"
                     "   brne 1b \n"
                     : [byte] "+r"(byte), [bits] "+r"(bits)
                     : [port] "I"(_SFR_IO_ADDR(LAMP_PORT)), [high] "r"(high), [low] "r"(low));
}

/* Some chains take a pause of 9 us for the end of the picture, and three interrupts in a row are longer than that. So
 * they are off, and between two lamps (30 us) what cannot wait is done by hand: a byte comes every 87 us and the receiver
 * holds two; a tick comes every millisecond. */
void port_lamps(const uint8_t levels[192])
{
    cli();
    for (const uint8_t *end = levels + 192; levels != end; levels += 3) {
        send_byte(levels[0]);
        send_byte(levels[1]);
        send_byte(levels[2]);
        if (UCSR0A & 1 << RXC0)
            take_byte();
        if (TIFR1 & 1 << OCF1A) {
            TIFR1 = 1 << OCF1A;
            ticks++;
        }
    }
    sei();
}

/* ---- start and sleep ---- */

void port_start(void)
{
    pins_start();
    rows_release();
    LAMP_PORT &= (uint8_t) ~(1 << LAMP_BIT);
    LAMP_DDR |= 1 << LAMP_BIT;
    UCSR0A = 1 << U2X0;
    UBRR0 = 16; /* 117,647 baud, 2.1 % fast: what every 16 MHz Arduino has at 115,200 */
    UCSR0C = 3 << UCSZ00;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
    TCCR1A = 0;
    TCCR1B = 1 << WGM12 | 1 << CS11 | 1 << CS10; /* 16 MHz / 64 / 250 = 1 kHz */
    OCR1A = 249;
    TIMSK1 = 1 << OCIE1A;
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
}

__attribute__((noinline)) void port_idle(void)
{
    static uint8_t slept_at;
    cli();
    if (rx_head == rx_tail && (uint8_t)ticks == slept_at) {
        sleep_enable();
        sei(); /* the instruction after this is executed before any interrupt: no wake-up is missed */
        sleep_cpu();
        sleep_disable();
    }
    slept_at = (uint8_t)ticks;
    sei();
}

#endif
