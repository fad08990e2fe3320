/* A port of the firmware's core to nothing: its line, matrix, lamps and clock are arrays that a test fills and reads. */
#include <string.h>

#include "core/board.h"
#include "core/port.h"

#ifdef HOST_FIELD
#define TX_ROOM 255
const uint8_t port_flags = PORT_LIGHTS | PORT_BUTTONS | PORT_FIELD;
#else
#define TX_ROOM 127
const uint8_t port_flags = PORT_LIGHTS | PORT_BUTTONS;
#endif
const char port_model[] = "host";

static uint8_t rx[65536], tx[65536], lamps[192];
static uint32_t rx_head, rx_tail, tx_length, clock_ms, frames_of_lamps;
uint8_t host_rows[8], host_buttons, host_settle_us;
uint16_t host_field[64];
int host_overrun;

uint32_t port_ms(void)
{
    return clock_ms;
}

bool port_rx(uint8_t *byte)
{
    if (rx_tail == rx_head)
        return false;
    *byte = rx[rx_tail++ % sizeof rx];
    return true;
}

uint8_t port_tx_room(void)
{
    return tx_length > TX_ROOM ? 0 : (uint8_t)(TX_ROOM - tx_length);
}

void port_tx(uint8_t byte)
{
    if (tx_length >= TX_ROOM)
        host_overrun = 1; /* the core wrote without asking for room: a real chip would lose bytes or stand still */
    if (tx_length < sizeof tx)
        tx[tx_length++] = byte;
}

void port_scan(uint8_t rows[8], uint8_t settle_us)
{
    memcpy(rows, host_rows, 8);
    host_settle_us = settle_us;
}

uint8_t port_buttons(void)
{
    return host_buttons;
}

void port_lamps(const uint8_t levels[192])
{
    for (int i = 0; i < 192; i += 3)
        lamps[i] = levels[i + 1], lamps[i + 1] = levels[i], lamps[i + 2] = levels[i + 2];
    frames_of_lamps++;
}

uint16_t port_field(uint8_t square)
{
    return host_field[square];
}

void host_start(uint32_t ms)
{
    rx_head = rx_tail = tx_length = frames_of_lamps = 0;
    clock_ms = ms;
    host_overrun = 0;
    board_start();
}

void host_feed(const uint8_t *bytes, uint32_t count)
{
    while (count--)
        rx[rx_head++ % sizeof rx] = *bytes++;
}

void host_poll(uint32_t ms)
{
    clock_ms = ms;
    board_poll();
}

/* Takes at most `most` bytes off the transmitter. */
uint32_t host_take(uint8_t *out, uint32_t most)
{
    uint32_t count = tx_length < most ? tx_length : most;
    memcpy(out, tx, count);
    memmove(tx, tx + count, tx_length - count);
    tx_length -= count;
    return count;
}

const uint8_t *host_lamps(void)
{
    return lamps;
}

uint32_t host_lamp_frames(void)
{
    return frames_of_lamps;
}
