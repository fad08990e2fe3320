/* WS2812: 24 bits a lamp, green red blue; a pulse of about 0.35 us is a 0, of about 0.8 us a 1; a pause latches. */
#include <string.h>

#include "sim.h"

/* The tightest of the data sheets (WS2812, WS2812B, SK6812), microseconds. */
#define ZERO_MIN 0.20
#define ZERO_MAX 0.50
#define ONE_MIN 0.55
#define ONE_MAX 5.0
#define SPLIT 0.525
#define LATCH_US 50.0

struct lamps lamps = {.low_min = 1e9, .high_min = 1e9};
static uint8_t shifted[64 * 3];
static int bits;
static avr_cycle_count_t rose, fell;
static bool is_up;

static void latch(void)
{
    if (!bits)
        return;
    if (bits % 24)
        lamps.violations++;
    memcpy(lamps.frame, shifted, sizeof shifted);
    memset(shifted, 0, sizeof shifted);
    lamps.count = bits / 24;
    lamps.frames++;
    bits = 0;
}

void lamps_poll(void)
{
    if (bits && !is_up && us_between(fell, avr->cycle) > LATCH_US)
        latch();
}

static void measure(double high_us, bool one)
{
    double *least = one ? &lamps.high_min : &lamps.low_min, *most = one ? &lamps.high_max : &lamps.low_max;
    if (high_us < *least)
        *least = high_us;
    if (high_us > *most)
        *most = high_us;
    if (one ? high_us < ONE_MIN || high_us > ONE_MAX : high_us < ZERO_MIN || high_us > ZERO_MAX)
        lamps.violations++;
}

static void edge(avr_irq_t *irq, uint32_t level, void *param)
{
    (void)irq, (void)param;
    if (level) {
        double gap_us = us_between(fell, avr->cycle);
        if (gap_us > LATCH_US)
            latch();
        else if (bits && gap_us > lamps.longest_gap)
            lamps.longest_gap = gap_us;
        rose = avr->cycle;
        is_up = true;
    } else if (is_up) { /* simavr tells the first level after a reset as an edge */
        bool one = us_between(rose, avr->cycle) > SPLIT;
        is_up = false;
        fell = avr->cycle;
        measure(us_between(rose, fell), one);
        if (bits < 64 * 24) {
            shifted[bits / 8] |= (uint8_t)(one << (7 - bits % 8));
            bits++;
        } else {
            lamps.violations++;
        }
    }
}

/* A chip that loses its power, or is reset as the port is opened, may be in the middle of a frame: no fault of its. */
void lamps_before_reset(void)
{
    lamps_poll();
    memset(shifted, 0, sizeof shifted);
    bits = 0;
    is_up = false;
}

void lamps_attach(struct pin pin)
{
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin.port), pin.bit), edge, NULL);
}
