#include "lamps.h"

#include "port.h"
#include "settings.h"
#include "wire.h"

#define SLOT_SHIFT 7   /* a slot is 128 ms */
#define LATCH_GAP_MS 2 /* the chain takes a new picture only after a pause; newer lamps want 0.3 ms */

static struct colour {
    uint8_t red, green, blue, slots;
} palette[16];

/* Four corners in amber, half a second on, half off. */
static const struct colour host_lost_colour = {48, 24, 0, 0x0f};

static uint8_t digits[64];
static bool host_lost, changed;
static uint8_t shown_slot;
static uint32_t shown_ms;

void lamps_start(void)
{
    for (uint8_t i = 0; i < 16; i++)
        palette[i].red = palette[i].green = palette[i].blue = 0, palette[i].slots = 255;
    for (uint8_t square = 0; square < 64; square++)
        digits[square] = 0;
    host_lost = changed = true;
    shown_slot = 0;
    shown_ms = 0;
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

void lamps_palette(uint8_t index, uint32_t colour, uint8_t slots)
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

/* Whether any lamp goes on or off between two slots. */
static bool blinks_between(uint8_t before, uint8_t after)
{
    for (uint8_t square = 0; square < 64; square++) {
        uint8_t slots = colour_of(square)->slots;
        if ((slots >> before & 1) != (slots >> after & 1))
            return true;
    }
    return false;
}

static uint8_t dimmed(uint8_t level)
{
    return (uint8_t)((uint16_t)level * (uint16_t)(settings.brightness + 1) >> 8);
}

static void write_chain(uint8_t slot)
{
    port_lamps_begin();
    for (uint8_t i = 0; i < 64; i++) {
        const struct colour *colour = colour_of(square_at(i >> 3, i & 7, settings.lamp_order));
        if (colour->slots >> slot & 1)
            port_lamp(dimmed(colour->red), dimmed(colour->green), dimmed(colour->blue));
        else
            port_lamp(0, 0, 0);
    }
    port_lamps_end();
}

bool lamps_show(uint32_t now)
{
    uint8_t slot = (uint8_t)(now >> SLOT_SHIFT) & 7;
    if (slot != shown_slot) {
        changed = changed || blinks_between(shown_slot, slot);
        shown_slot = slot;
    }
    if (!changed)
        return true;
    if (now - shown_ms < LATCH_GAP_MS)
        return false;
    write_chain(slot);
    changed = false;
    shown_ms = port_ms();
    return true;
}
