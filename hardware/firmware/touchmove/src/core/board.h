/* The board: scans, tells, shows. Call board_start once and board_poll over and over. */
#ifndef TOUCHMOVE_BOARD_H
#define TOUCHMOVE_BOARD_H

void board_start(void);
/* Does what is due and returns; never waits. */
void board_poll(void);

#endif
