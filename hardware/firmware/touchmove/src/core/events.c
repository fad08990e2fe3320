#include "events.h"

#include "wire.h"

/* Sendings are counted in 16 bits, so that "later" can be told across the wrap. */
enum { DUE = 1, HERE = 2, BUTTON = 4, SENT = 8 };

static struct event {
    uint32_t ms;
    uint16_t sent_ms;
    uint16_t sent_order;
    uint8_t marks;
    uint8_t squares[8]; /* of a button: its number, and whether it is down */
} kept[EVENTS_WINDOW];

static uint8_t first, next; /* numbers; next - first events are kept, number n in kept[n % 32] */
static uint16_t order;

static struct event *at(uint8_t number)
{
    return &kept[number % EVENTS_WINDOW];
}

void events_start(void)
{
    first = next = 0;
    order = 0;
}

bool events_have_room(void)
{
    return (uint8_t)(next - first) < EVENTS_WINDOW;
}

uint8_t events_last(void)
{
    return (uint8_t)(next - 1);
}

static struct event *put(uint32_t ms, uint8_t marks)
{
    struct event *event = at(next++);
    event->ms = ms;
    event->marks = marks;
    return event;
}

void events_put_squares(uint32_t ms, const uint8_t squares[8])
{
    struct event *event = put(ms, DUE);
    for (uint8_t rank = 0; rank < 8; rank++)
        event->squares[rank] = squares[rank];
}

void events_put_button(uint32_t ms, uint8_t button, bool down)
{
    struct event *event = put(ms, DUE | BUTTON);
    event->squares[0] = button;
    event->squares[1] = down;
}

static void arrived(const struct event *event, bool *any, uint16_t *newest)
{
    if ((event->marks & SENT) && (!*any || (int16_t)(event->sent_order - *newest) > 0)) {
        *newest = event->sent_order;
        *any = true;
    }
}

void events_acknowledge(uint8_t awaited, uint16_t beyond)
{
    bool any = false;
    uint16_t newest = 0;
    if ((uint8_t)(awaited - first) > (uint8_t)(next - first))
        return; /* acknowledges what was never sent: not for this session */
    for (; first != awaited; first++)
        arrived(at(first), &any, &newest);
    for (uint8_t i = 0; i < 16; i++) {
        uint8_t number = (uint8_t)(awaited + 1 + i);
        if ((beyond >> i & 1) && (uint8_t)(number - first) < (uint8_t)(next - first)) {
            at(number)->marks |= HERE;
            arrived(at(number), &any, &newest);
        }
    }
    if (!any)
        return;
    /* The wire keeps order: what was sent before something that has arrived, and is not here, was lost. */
    for (uint8_t number = first; number != next; number++) {
        struct event *event = at(number);
        if ((event->marks & (SENT | HERE)) == SENT && (int16_t)(event->sent_order - newest) < 0)
            event->marks |= DUE;
    }
}

static void send(uint8_t number, const struct event *event)
{
    wire_begin(event->marks & BUTTON ? 'B' : 'C');
    wire_hex(number, 2);
    wire_hex(event->ms & 0xffffff, 6);
    if (event->marks & BUTTON) {
        wire_hex(event->squares[0], 2);
        wire_hex(event->squares[1], 1);
    } else {
        wire_squares(event->squares);
    }
    wire_end();
}

bool events_send_one(uint32_t now)
{
    for (uint8_t number = first; number != next; number++) {
        struct event *event = at(number);
        if (event->marks & HERE)
            continue;
        if ((event->marks & DUE) || (uint16_t)((uint16_t)now - event->sent_ms) >= EVENTS_RESEND_MS) {
            send(number, event);
            event->marks = (uint8_t)((event->marks & ~DUE) | SENT);
            event->sent_ms = (uint16_t)now;
            event->sent_order = order++;
            return true;
        }
    }
    return false;
}
