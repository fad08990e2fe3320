/* The touchmove board for the Arduino IDE: Uno, Nano or Mega 2560. Open this folder as a sketch and upload it.
 * Wiring and settings are in the README beside this folder. Serial is used by the board itself: do not call
 * Serial.begin. */
#include "src/port/avr.h"

void setup() {
  port_start();
  board_start();
}

void loop() {
  board_poll();
  port_idle();
}
