/* The firmware without the Arduino core: what `make` builds. */
#include "touchmove/src/port/avr.h"

int main(void)
{
    port_start();
    board_start();
    for (;;) {
        board_poll();
        port_idle();
    }
}
