/* The serial line. simavr's UART has a 64-byte FIFO and never overruns; here bytes come at line rate, and are lost when
 * the two the chip can hold are unread. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "avr_uart.h"
#include "sim.h"

double line_garbled, line_lost;
uint64_t line_sent, line_received, line_overruns, line_garblings;
bool line_reset_asked;
static char pty_name[64];
const char *line_pty_name = pty_name;

static avr_uart_t *uart;
static avr_irq_t *uart_input;
static uint8_t out[1 << 16], in[1 << 16];
static int out_count;
static unsigned in_head, in_tail;
static bool delivering, plugged = true, client_open;
static int master = -1;
static const char *link_path;

static double share(void)
{
    return (sim_random() >> 8) / (double)(1 << 24);
}

/* False where the byte is lost. */
static bool spoil(uint8_t *byte)
{
    if (line_lost > 0 && share() < line_lost) {
        line_garblings++;
        return false;
    }
    if (line_garbled > 0 && share() < line_garbled) {
        *byte ^= (uint8_t)(1 + sim_random() % 255);
        line_garblings++;
    }
    return true;
}

static void from_chip(avr_irq_t *irq, uint32_t value, void *param)
{
    uint8_t byte = (uint8_t)value;
    (void)irq, (void)param;
    line_sent++;
    if (plugged && (master < 0 || client_open) && spoil(&byte) && out_count < (int)sizeof out)
        out[out_count++] = byte;
}

static avr_cycle_count_t to_chip(avr_t *a, avr_cycle_count_t when, void *param)
{
    uint8_t byte;
    (void)a, (void)param;
    if (in_head == in_tail) {
        delivering = false;
        return 0;
    }
    byte = in[in_tail++ % sizeof in];
    if (spoil(&byte)) {
        if (((uart->input.write - uart->input.read) & 63) >= 3)
            line_overruns++;
        else
            avr_raise_irq(uart_input, byte);
        line_received++;
    }
    return when + uart->cycles_per_byte;
}

void line_give(const uint8_t *bytes, int count)
{
    while (count--)
        in[in_head++ % sizeof in] = *bytes++;
    if (!delivering && in_head != in_tail) {
        delivering = true;
        avr_cycle_timer_register(avr, uart->cycles_per_byte ? uart->cycles_per_byte : 1360, to_chip, NULL);
    }
}

int line_take(uint8_t *bytes, int most)
{
    int count = out_count < most ? out_count : most;
    memcpy(bytes, out, (size_t)count);
    memmove(out, out + count, (size_t)(out_count - count));
    out_count -= count;
    return count;
}

void line_attach(void)
{
    uint32_t no_flags = 0;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart") && ((avr_uart_t *)io)->name == '0')
            uart = (avr_uart_t *)io;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &no_flags);
    uart_input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), from_chip, NULL);
}

/* ---- the pty: a client that opens it resets the chip, as an Arduino's DTR does ---- */

void line_open_pty(const char *link)
{
    struct termios raw;
    int slave;
    if (openpty(&master, &slave, pty_name, NULL, NULL) < 0) {
        perror("openpty");
        exit(2);
    }
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    close(slave);
    fcntl(master, F_SETFL, O_NONBLOCK);
    plugged = true;
    client_open = false;
    if (link) {
        link_path = link;
        unlink(link);
        if (symlink(pty_name, link))
            perror("symlink");
    }
}

void line_close_pty(void)
{
    if (master >= 0)
        close(master);
    master = -1;
    plugged = client_open = false;
    in_head = in_tail = 0;
    out_count = 0;
    if (link_path)
        unlink(link_path);
}

bool line_has_client(void)
{
    return client_open;
}

int line_fd(void)
{
    return client_open ? master : -1;
}

void line_poll_pty(void)
{
    struct pollfd poller = {master, POLLIN, 0};
    uint8_t bytes[512];
    ssize_t count;
    bool open_now;
    if (master < 0 || poll(&poller, 1, 0) < 0)
        return;
    open_now = !(poller.revents & POLLHUP);
    if (open_now && !client_open) {
        line_reset_asked = true;
        out_count = 0;
    }
    client_open = open_now;
    if ((poller.revents & POLLIN) && (count = read(master, bytes, sizeof bytes)) > 0)
        line_give(bytes, (int)count);
}

void line_flush(void)
{
    ssize_t count;
    if (master < 0 || !out_count)
        return;
    count = write(master, out, (size_t)out_count);
    if (count > 0) {
        memmove(out, out + count, (size_t)(out_count - count));
        out_count -= (int)count;
    }
}
