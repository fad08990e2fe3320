/* The firmware's .elf in simavr, with a reed matrix, a chain of lamps and a serial line around it. A tool for the tests:
 * it links simavr (GPL-3) and is no part of what is installed. */
#ifndef SIM_H
#define SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "sim_avr.h"
#include "avr_ioport.h"
#include "sim_io.h"
#include "sim_time.h"

extern avr_t *avr;

struct pin {
    char port;
    uint8_t bit;
};

static inline double us_between(avr_cycle_count_t from, avr_cycle_count_t to)
{
    return (double)(to - from) * 1e6 / avr->frequency;
}

/* matrix.c: contacts, diodes or none, bounce, stuck contacts, columns that rise slowly, a button. */
void matrix_attach(bool mega);
void matrix_after_reset(void);
void matrix_set(int row, int column, bool closed);
void matrix_stick(int row, int column, int how); /* 0 open, 1 closed, -1 free */
void matrix_button(int number, bool down);
extern bool matrix_diodes;
extern uint32_t matrix_bounce_us, matrix_bounces;
extern double matrix_rise_us;

/* lamps.c: decodes WS2812 and keeps what its timing was. */
void lamps_attach(struct pin pin);
void lamps_poll(void);
void lamps_before_reset(void);
struct lamps {
    uint8_t frame[64 * 3]; /* as latched, green red blue */
    int count;
    uint64_t frames;
    int violations;
    double low_min, low_max; /* how long a 0 is high */
    double high_min, high_max;
    double longest_gap;
};
extern struct lamps lamps;

/* line.c: the UART at line rate, garbling and losing bytes, to a pty or to the control socket. */
void line_attach(void);
void line_open_pty(const char *link);
void line_close_pty(void);
void line_poll_pty(void);
void line_flush(void);
void line_give(const uint8_t *bytes, int count);
int line_take(uint8_t *bytes, int most);
bool line_has_client(void);
int line_fd(void);
extern double line_garbled, line_lost; /* share of bytes, both ways */
extern uint64_t line_sent, line_received, line_overruns, line_garblings;
extern bool line_reset_asked; /* a client opened the port */
extern const char *line_pty_name;

uint32_t sim_random(void);

#endif
