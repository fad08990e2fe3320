/* sim FIRMWARE.elf --mcu NAME --sock PATH [--pty LINK] [--watch ENTRY IDLE]
 *
 * A line in on the socket gives a line out. With --pty it runs in real time; without, only when told to step, and two
 * runs are the same to the cycle. ENTRY and IDLE are byte addresses: the longest time from the first to the second is
 * the firmware's longest loop. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "sim.h"
#include "sim_elf.h"

avr_t *avr;
static int client = -1;
static bool quit;
static const char *link_name;
static uint32_t watch_entry, watch_idle;
static avr_cycle_count_t entered;
static double longest_loop_us, loops_us;
static uint64_t loops;
static uint32_t seed = 0x1234567;

uint32_t sim_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static uint16_t lowest_stack = 0xffff;

static void watch(void)
{
    uint16_t stack = (uint16_t)(avr->data[R_SPL] | avr->data[R_SPH] << 8);
    if (loops && stack < lowest_stack) /* after the first loop: before, it is still being set up */
        lowest_stack = stack;
    if (avr->pc == watch_entry) {
        entered = avr->cycle;
    } else if (avr->pc == watch_idle && entered) {
        double us = us_between(entered, avr->cycle);
        entered = 0;
        loops_us += us;
        loops++;
        if (us > longest_loop_us)
            longest_loop_us = us;
    }
}

static avr_cycle_count_t here(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)when, (void)param;
    return 0;
}

/* A sleeping chip jumps to its next event, so there must be one at `cycle`. */
static void run_until(avr_cycle_count_t cycle)
{
    if (cycle > avr->cycle)
        avr_cycle_timer_register(avr, cycle - avr->cycle, here, NULL);
    while (avr->cycle < cycle) {
        avr_run(avr);
        if (watch_idle)
            watch();
        if (avr->state == cpu_Done || avr->state == cpu_Crashed) {
            fprintf(stderr, "the chip stopped in state %d at cycle %llu\n", avr->state, (unsigned long long)avr->cycle);
            exit(3);
        }
    }
}

static void restart(void)
{
    lamps_before_reset();
    avr_reset(avr);
    matrix_after_reset();
}

static void reply(const char *text)
{
    if (write(client, text, strlen(text)) < 0 || write(client, "\n", 1) < 0)
        quit = true;
}

/* ---- commands ---- */

static void step(unsigned us)
{
    static uint8_t bytes[1 << 16];
    static char text[(1 << 17) + 32];
    int count, length = 0;
    run_until(avr->cycle + avr_usec_to_cycles(avr, us));
    count = line_take(bytes, sizeof bytes);
    lamps_poll();
    length = sprintf(text, "%llu ", (unsigned long long)lamps.frames);
    for (int i = 0; i < count; i++)
        length += sprintf(text + length, "%02x", bytes[i]);
    text[length] = 0;
    reply(text);
}

static void give(const char *hex)
{
    unsigned byte;
    uint8_t one;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2) {
        one = (uint8_t)byte;
        line_give(&one, 1);
    }
    reply("ok");
}

static void set_board(const char *hex)
{
    unsigned long long squares = strtoull(hex, NULL, 16);
    for (int square = 0; square < 64; square++)
        matrix_set(square / 8, square % 8, squares >> square & 1);
    reply("ok");
}

static void tell_lamps(void)
{
    char text[64 * 6 + 40];
    int length;
    lamps_poll();
    length = sprintf(text, "%llu ", (unsigned long long)lamps.frames);
    for (int i = 0; i < lamps.count; i++)
        length += sprintf(text + length, "%02x%02x%02x", lamps.frame[3 * i + 1], lamps.frame[3 * i], lamps.frame[3 * i + 2]);
    reply(text);
}

static void tell_stats(void)
{
    char text[700];
    lamps_poll();
    snprintf(text, sizeof text,
             "{\"cycle\":%llu,\"sent\":%llu,\"received\":%llu,\"overruns\":%llu,\"spoilt\":%llu,\"bounces\":%u,"
             "\"lamp_frames\":%llu,\"lamp_violations\":%d,\"zero_us\":[%.4f,%.4f],\"one_us\":[%.4f,%.4f],\"gap_us\":%.2f,"
             "\"longest_loop_us\":%.1f,\"loops\":%llu,\"loops_us\":%.0f,\"stack\":%d}",
             (unsigned long long)avr->cycle, (unsigned long long)line_sent, (unsigned long long)line_received,
             (unsigned long long)line_overruns, (unsigned long long)line_garblings, matrix_bounces,
             (unsigned long long)lamps.frames, lamps.violations, lamps.low_min, lamps.low_max, lamps.high_min,
             lamps.high_max, lamps.longest_gap, longest_loop_us, (unsigned long long)loops, loops_us,
             avr->ramend - lowest_stack);
    reply(text);
}

static void unplug(void)
{
    line_close_pty();
    reply("ok");
}

static void plug(void)
{
    line_open_pty(link_name);
    restart();
    reply(line_pty_name);
}

static void command(char *line)
{
    char word[16] = "", rest[1 << 16] = "";
    int a = 0, b = 0, c = 0;
    sscanf(line, "%15s %65000[^\n]", word, rest);
    sscanf(rest, "%d %d %d", &a, &b, &c);
    if (!strcmp(word, "step"))
        step((unsigned)a);
    else if (!strcmp(word, "give"))
        give(rest);
    else if (!strcmp(word, "board"))
        set_board(rest);
    else if (!strcmp(word, "lamps"))
        tell_lamps();
    else if (!strcmp(word, "stats"))
        tell_stats();
    else if (!strcmp(word, "unplug"))
        unplug();
    else if (!strcmp(word, "plug"))
        plug();
    else {
        if (!strcmp(word, "set"))
            matrix_set(a / 8, a % 8, b);
        else if (!strcmp(word, "stick"))
            matrix_stick(a / 8, a % 8, b);
        else if (!strcmp(word, "button"))
            matrix_button(a, b);
        else if (!strcmp(word, "diodes"))
            matrix_diodes = a;
        else if (!strcmp(word, "bounce"))
            matrix_bounce_us = (uint32_t)a;
        else if (!strcmp(word, "rise"))
            matrix_rise_us = a;
        else if (!strcmp(word, "garble"))
            line_garbled = atof(rest);
        else if (!strcmp(word, "lose"))
            line_lost = atof(rest);
        else if (!strcmp(word, "seed"))
            seed = (uint32_t)a | 1;
        else if (!strcmp(word, "reset"))
            restart();
        else if (!strcmp(word, "forget"))
            longest_loop_us = loops_us = 0, loops = 0, entered = 0;
        else if (!strcmp(word, "quit"))
            quit = true;
        else {
            reply("unknown");
            return;
        }
        reply("ok");
    }
}

static void take_commands(void)
{
    static char text[1 << 17];
    static size_t length;
    char *end;
    ssize_t count = recv(client, text + length, sizeof text - length - 1, link_name ? MSG_DONTWAIT : 0);
    if (count == 0) {
        quit = true;
        return;
    }
    if (count > 0)
        length += (size_t)count;
    while ((end = memchr(text, '\n', length))) {
        *end++ = 0;
        command(text);
        length -= (size_t)(end - text);
        memmove(text, end, length);
    }
}

/* ---- running ---- */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void run_in_real_time(void)
{
    double start = seconds();
    avr_cycle_count_t start_cycle = avr->cycle;
    while (!quit) {
        struct pollfd fds[2] = {{client, POLLIN, 0}, {line_fd(), POLLIN, 0}};
        struct timespec quantum = {0, 500000};
        avr_cycle_count_t wanted = start_cycle + (avr_cycle_count_t)((seconds() - start) * avr->frequency);
        take_commands();
        line_poll_pty();
        if (line_reset_asked) {
            line_reset_asked = false;
            restart();
        }
        if (wanted > avr->cycle + avr->frequency / 10) { /* a busy machine: time is lost, not caught up */
            start_cycle -= wanted - avr->cycle - avr->frequency / 10;
            wanted = avr->cycle + avr->frequency / 10;
        }
        run_until(wanted);
        line_flush();
        ppoll(fds, line_fd() < 0 ? 1 : 2, &quantum, NULL);
    }
}

/* simavr's own would sleep at each timer event. */
static void no_sleep(avr_t *a, avr_cycle_count_t cycles)
{
    (void)a, (void)cycles;
}

static void start_chip(const char *elf, const char *mcu)
{
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(elf, &firmware) || !(avr = avr_make_mcu_by_name(mcu))) {
        fprintf(stderr, "cannot run %s on %s\n", elf, mcu);
        exit(2);
    }
    firmware.frequency = 16000000;
    avr_init(avr);
    avr->log = LOG_ERROR;
    avr_load_firmware(avr, &firmware);
    avr->frequency = 16000000;
    avr->sleep = no_sleep;
    matrix_attach(!strcmp(mcu, "atmega2560"));
    lamps_attach((struct pin){'B', 4});
    line_attach();
}

static void connect_control(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(client, (struct sockaddr *)&address, sizeof address)) {
        perror(path);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    const char *mcu = "atmega328p", *sock = NULL;
    for (int i = 2; i < argc; i++) {
        if (!strcmp(argv[i], "--mcu"))
            mcu = argv[++i];
        else if (!strcmp(argv[i], "--sock"))
            sock = argv[++i];
        else if (!strcmp(argv[i], "--pty"))
            link_name = argv[++i];
        else if (!strcmp(argv[i], "--watch") && i + 2 < argc) {
            watch_entry = (uint32_t)strtoul(argv[++i], NULL, 16);
            watch_idle = (uint32_t)strtoul(argv[++i], NULL, 16);
        }
    }
    if (argc < 2 || !sock)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    connect_control(sock);
    start_chip(argv[1], mcu);
    if (link_name)
        line_open_pty(link_name);
    reply("ready");
    if (link_name)
        run_in_real_time();
    while (!quit)
        take_commands();
    if (link_name)
        unlink(link_name);
    return 0;
}
