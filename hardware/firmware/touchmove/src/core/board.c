#include "board.h"

#include "debounce.h"
#include "events.h"
#include "lamps.h"
#include "port.h"
#include "settings.h"
#include "wire.h"

#define VERSION 1
#define FIRMWARE "1.0"
#define HEARTBEAT_MS 500
#define HOST_LOST_MS 2000
#define BUTTON_SETTLE_MS 20

static uint16_t session; /* 0: none open */
static uint32_t now, heard_ms, beat_ms, scan_ms;
static bool ever_heard;
static uint8_t squares[8]; /* settled, ranks 1 to 8 */
static uint8_t told[8];    /* as of the latest event */
static bool told_any;
static uint16_t merged; /* scans whose change found no room */
static uint8_t buttons, told_buttons;
static uint32_t button_ms;
static bool owes_lamps_answer;
static uint8_t picture_number;

/* ---- telling ---- */

static void tell_greeting(void)
{
    wire_begin('H');
    wire_hex(VERSION, 1);
    wire_hex(session, 4);
    wire_text(port_model);
    wire_text(FIRMWARE);
    wire_hex(port_flags, 4);
    wire_hex(now, 8);
    wire_end();
}

static void tell_state(void)
{
    if (!session) {
        tell_greeting();
        return;
    }
    wire_begin('S');
    wire_hex(session, 4);
    wire_hex(events_last(), 2);
    wire_hex(now, 8);
    wire_squares(told);
    wire_hex(wire_garbled(), 4);
    wire_hex(merged, 4);
    wire_end();
}

static void tell_field(void)
{
    wire_begin('f');
    wire_hex(now & 0xffffff, 6);
    wire_space();
    for (uint8_t square = 0; square < 64; square++)
        wire_digits(port_field(square), 3);
    wire_end();
}

/* Numbers what is new, if there is room; what finds none waits, and later changes merge with it. */
static void report(void)
{
    bool differs = !told_any;
    for (uint8_t rank = 0; rank < 8; rank++)
        differs = differs || squares[rank] != told[rank];
    if (!session)
        return;
    for (uint8_t b = 0; b < 8 && events_have_room(); b++)
        if ((buttons ^ told_buttons) >> b & 1) {
            events_put_button(button_ms, b, buttons >> b & 1);
            told_buttons ^= (uint8_t)(1 << b);
        }
    if (!differs)
        return;
    if (!events_have_room()) {
        merged++;
        return;
    }
    events_put_squares(now, squares);
    for (uint8_t rank = 0; rank < 8; rank++)
        told[rank] = squares[rank];
    told_any = true;
}

/* The settled rows, as squares: how the matrix lies is a setting. */
static void settle_squares(void)
{
    const uint8_t *rows = debounce_rows();
    for (uint8_t rank = 0; rank < 8; rank++)
        squares[rank] = 0;
    for (uint8_t row = 0; row < 8; row++)
        for (uint8_t column = 0; column < 8; column++)
            if (rows[row] >> column & 1) {
                uint8_t square = square_at(row, column, settings.matrix);
                squares[square >> 3] |= (uint8_t)(1 << (square & 7));
            }
}

/* ---- commands ---- */

static void refuse(void)
{
    char letter[2] = {wire_letter(), 0};
    wire_begin('x');
    wire_text(letter);
    wire_end();
}

static bool take_open(void)
{
    uint32_t asked;
    if (!wire_field(4, &asked) || !wire_done() || !asked)
        return false;
    if (asked != session) {
        session = (uint16_t)asked;
        events_start();
        told_any = false;
        merged = 0;
        told_buttons = buttons;
        beat_ms = now;
    }
    tell_greeting();
    report();
    return true;
}

static bool take_acknowledgement(void)
{
    uint32_t awaited, beyond;
    if (!wire_field(2, &awaited) || !wire_field(4, &beyond) || !wire_done())
        return false;
    events_acknowledge((uint8_t)awaited, (uint16_t)beyond);
    return true;
}

static bool take_heartbeat(void)
{
    uint32_t asked;
    if (!wire_field(4, &asked) || !wire_done())
        return false;
    if (asked != session)
        tell_state();
    return true;
}

static bool take_question(void)
{
    if (!wire_done())
        return false;
    tell_state();
    return true;
}

static bool take_picture(void)
{
    uint32_t number;
    const char *text;
    if (!wire_field(2, &number) || !(text = wire_field_text(64)) || !wire_done() || !lamps_picture(text))
        return false;
    picture_number = (uint8_t)number;
    owes_lamps_answer = true;
    return true;
}

static bool take_palette(void)
{
    uint32_t index, colour, slots;
    if (!wire_field(1, &index) || !wire_field(6, &colour) || !wire_field(4, &slots) || !wire_done() || !index)
        return false;
    lamps_palette((uint8_t)index, colour, (uint16_t)slots);
    wire_begin('p');
    wire_hex(index, 1);
    wire_hex(colour, 6);
    wire_hex(slots, 4);
    wire_end();
    return true;
}

static bool take_setting(void)
{
    uint32_t asked;
    uint16_t in_force;
    const char *key = wire_field_text(2);
    char name[3];
    if (!key || !wire_field(4, &asked) || !wire_done())
        return false;
    name[0] = key[0], name[1] = key[1], name[2] = 0;
    wire_begin('g');
    wire_text(name);
    wire_hex(asked, 4);
    if (settings_put(name, (uint16_t)asked, &in_force))
        wire_hex(in_force, 4);
    else
        wire_text("-");
    wire_end();
    settle_squares();
    lamps_renew();
    return true;
}

static bool take_field_question(void)
{
    if (!wire_done() || !(port_flags & PORT_FIELD))
        return false;
    tell_field();
    return true;
}

static bool take_frame(void)
{
    switch (wire_letter()) {
    case 'O':
        return take_open();
    case 'A':
        return take_acknowledgement();
    case 'T':
        return take_heartbeat();
    case 'Q':
        return take_question();
    case 'L':
        return take_picture();
    case 'P':
        return take_palette();
    case 'G':
        return take_setting();
    case 'F':
        return take_field_question();
    default:
        return false;
    }
}

/* Each frame is answered by one frame at most, so asking for that much room before each byte is enough. */
static void receive(void)
{
    uint8_t byte;
    uint8_t room = port_flags & PORT_FIELD ? 220 : WIRE_LONGEST_OUT;
    while (port_tx_room() >= room && port_rx(&byte))
        if (wire_take(byte)) {
            heard_ms = now;
            ever_heard = true;
            if (!take_frame())
                refuse();
        }
}

/* ---- scanning ---- */

static void scan(void)
{
    uint8_t rows[8];
    uint8_t pressed = port_buttons();
    port_scan(rows, settings.settle_us);
    debounce_take(rows, settings.debounce_scans);
    settle_squares();
    if (pressed != buttons && now - button_ms >= BUTTON_SETTLE_MS) {
        buttons = pressed;
        button_ms = now;
    }
    report();
}

void board_start(void)
{
    uint8_t rows[8];
    session = 0;
    now = port_ms();
    heard_ms = scan_ms = button_ms = now;
    beat_ms = now - HEARTBEAT_MS;
    ever_heard = told_any = owes_lamps_answer = false;
    merged = 0;
    settings_start();
    events_start();
    lamps_start();
    wire_start();
    port_scan(rows, settings.settle_us);
    debounce_start(rows);
    settle_squares();
    buttons = told_buttons = port_buttons();
}

void board_poll(void)
{
    now = port_ms();
    receive();
    if (now - scan_ms >= settings.period_ms) {
        /* A scan that comes late does not make the next ones hurry. */
        scan_ms = now - scan_ms >= 2u * settings.period_ms ? now : scan_ms + settings.period_ms;
        scan();
    }
    if (now - beat_ms >= HEARTBEAT_MS && port_tx_room() >= WIRE_LONGEST_OUT) {
        beat_ms = now;
        tell_state();
    }
    /* Events leave room for an answer, so that receiving never waits for them. */
    while (port_tx_room() >= WIRE_LONGEST_OUT + 34 && events_send_one(now))
        ;
    lamps_host_lost(!ever_heard || now - heard_ms >= HOST_LOST_MS);
    if ((port_flags & PORT_LIGHTS) && lamps_show(now) && owes_lamps_answer && port_tx_room() >= WIRE_LONGEST_OUT) {
        wire_begin('l');
        wire_hex(picture_number, 2);
        wire_end();
        owes_lamps_answer = false;
    }
}
