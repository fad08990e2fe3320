#include "lamps.h"

#include "port.h"
#include "settings.h"
#include "wire.h"

#define SLOT_MS 100
#define LATCH_GAP_MS 2 /* the chain takes a new picture only after a pause; newer lamps want 0.3 ms */

static struct colour {
    uint8_t red, green, blue;
    uint16_t slots; /* of which it is on, the first in bit 0 */
} palette[16];

/* Four corners in amber, half the time on, half off. */
static const struct colour host_lost_colour = {48, 24, 0, 0x00ff};

static uint8_t digits[64];
static bool host_lost, changed;
static uint8_t slot;
static uint32_t slot_ms, shown_ms;

void lamps_start(void)
{
    for (uint8_t i = 0; i < 16; i++)
        palette[i].red = palette[i].green = palette[i].blue = 0, palette[i].slots = 0xffff;
    for (uint8_t square = 0; square < 64; square++)
        digits[square] = 0;
    host_lost = changed = true;
    slot = 0;
    slot_ms = shown_ms = 0;
}

bool lamps_picture(const char *text)
{
    for (uint8_t square = 0; square < 64; square++)
        if (wire_unhex(text[square]) > 15)
            return false;
    for (uint8_t square = 0; square < 64; square++)
        digits[square] = wire_unhex(text[square]);
    changed = true;
    return true;
}

void lamps_palette(uint8_t index, uint32_t colour, uint16_t slots)
{
    palette[index].red = (uint8_t)(colour >> 16);
    palette[index].green = (uint8_t)(colour >> 8);
    palette[index].blue = (uint8_t)colour;
    palette[index].slots = slots;
    changed = true;
}

void lamps_host_lost(bool lost)
{
    changed = changed || lost != host_lost;
    host_lost = lost;
}

void lamps_renew(void)
{
    changed = true;
}

static const struct colour *colour_of(uint8_t square)
{
    if (!host_lost)
        return &palette[digits[square]];
    return square == 0 || square == 7 || square == 56 || square == 63 ? &host_lost_colour : &palette[0];
}

/* Whether a colour in use goes on or off between two slots. */
static bool blinks_between(uint8_t before, uint8_t after)
{
    uint16_t was = (uint16_t)(1u << before), is = (uint16_t)(1u << after);
    if (host_lost)
        return !(host_lost_colour.slots & was) != !(host_lost_colour.slots & is);
    for (uint8_t index = 1; index < 16; index++)
        if (!(palette[index].slots & was) != !(palette[index].slots & is))
            for (uint8_t square = 0; square < 64; square++)
                if (digits[square] == index)
                    return true;
    return false;
}

static uint8_t dimmed(uint8_t level)
{
    return (uint8_t)((uint16_t)level * (uint16_t)(settings.brightness + 1) >> 8);
}

/* All levels are worked out first: lamps that wait too long between two colours take them for two pictures. */
static void write_chain(void)
{
    static uint8_t levels[192];
    uint16_t now_slot = (uint16_t)(1u << slot);
    uint8_t *level = levels;
    for (uint8_t i = 0; i < 64; i++) {
        const struct colour *colour = colour_of(square_at(i >> 3, i & 7, settings.lamp_order));
        bool lit = colour->slots & now_slot;
        *level++ = lit ? dimmed(colour->green) : 0;
        *level++ = lit ? dimmed(colour->red) : 0;
        *level++ = lit ? dimmed(colour->blue) : 0;
    }
    port_lamps(levels);
}

bool lamps_show(uint32_t now)
{
    if (now - slot_ms >= SLOT_MS) {
        uint8_t next = (slot + 1) & 15;
        slot_ms = now - slot_ms < 2 * SLOT_MS ? slot_ms + SLOT_MS : now;
        changed = changed || blinks_between(slot, next);
        slot = next;
    }
    if (!changed)
        return true;
    if (now - shown_ms < LATCH_GAP_MS)
        return false;
    write_chain();
    changed = false;
    shown_ms = port_ms();
    return true;
}
