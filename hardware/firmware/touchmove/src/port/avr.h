/* The AVR port: start it, then board_poll and port_idle by turns. */
#ifndef TOUCHMOVE_AVR_H
#define TOUCHMOVE_AVR_H

#ifdef __cplusplus
extern "C" {
#endif

void port_start(void);
/* Sleeps until the next interrupt, at most a millisecond. */
void port_idle(void);
void board_start(void);
void board_poll(void);

#ifdef __cplusplus
}
#endif

#endif
