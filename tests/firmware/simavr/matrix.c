/* Eight rows pulled low one at a time, eight columns with pull-ups, a contact at each crossing. */
#include <string.h>

#include "avr_extint.h"
#include "sim.h"

bool matrix_diodes = true;
uint32_t matrix_bounce_us, matrix_bounces;
double matrix_rise_us;

static struct pin rows[8], columns[8], buttons[8];
static avr_irq_t *column_irq[8], *button_irq[8];
static int button_count;
static bool buttons_low_when_down;
static avr_ioport_t *ports[16];
static uint8_t closed[8], stuck_closed[8], stuck_open[8];
static avr_cycle_count_t bounces_until[8][8], pulled_low_at[8];
static bool evaluating;
static uint8_t buttons_down;

static bool is_closed(int r, int c)
{
    if (stuck_closed[r] >> c & 1)
        return true;
    if (stuck_open[r] >> c & 1)
        return false;
    if (avr->cycle < bounces_until[r][c]) {
        matrix_bounces++;
        return sim_random() >> 7 & 1;
    }
    return closed[r] >> c & 1;
}

/* The ports' registers are read directly: avr_ioctl walks all modules, five times slower. */
static bool is_driven_low(struct pin pin)
{
    const avr_ioport_t *port = ports[pin.port - 'A'];
    return (avr->data[port->r_ddr] >> pin.bit & 1) && !(avr->data[port->r_port] >> pin.bit & 1);
}

/* Which columns are low: those with a closed contact to a low row, and without diodes all that hangs together. */
static uint8_t low_columns(void)
{
    uint8_t low_rows = 0, low = 0, at[8];
    bool grew = true;
    for (int r = 0; r < 8; r++) {
        at[r] = 0;
        for (int c = 0; c < 8; c++)
            at[r] |= (uint8_t)(is_closed(r, c) << c);
        low_rows |= (uint8_t)(is_driven_low(rows[r]) << r);
    }
    while (grew) {
        grew = false;
        for (int r = 0; r < 8; r++) {
            if ((low_rows >> r & 1) && (at[r] & ~low)) {
                low |= at[r];
                grew = true;
            } else if (!matrix_diodes && !(low_rows >> r & 1) && (at[r] & low)) {
                low_rows |= (uint8_t)(1 << r);
                grew = true;
            }
        }
    }
    return low;
}

static void evaluate(void)
{
    uint8_t low;
    if (evaluating)
        return;
    evaluating = true;
    low = low_columns();
    for (int c = 0; c < 8; c++) {
        bool is_low = low >> c & 1;
        if (is_low)
            pulled_low_at[c] = avr->cycle;
        else if (pulled_low_at[c] && us_between(pulled_low_at[c], avr->cycle) < matrix_rise_us)
            is_low = true;
        avr_raise_irq(column_irq[c], !is_low);
    }
    for (int b = 0; b < button_count; b++)
        avr_raise_irq(button_irq[b], (buttons_down >> b & 1) != buttons_low_when_down);
    evaluating = false;
}

/* Columns are worked out when they are read, so that no write to a port can overwrite them. */
static struct wrapped {
    avr_io_addr_t address;
    avr_io_read_t read;
    void *param;
} wrapped[4];
static int wrapped_count;

static uint8_t read_pins(avr_t *a, avr_io_addr_t address, void *param)
{
    struct wrapped *one = param;
    evaluate();
    return one->read ? one->read(a, address, one->param) : a->data[address];
}

static void wrap_pins(avr_io_addr_t address)
{
    struct wrapped *one;
    int io = AVR_DATA_TO_IO(address);
    for (int i = 0; i < wrapped_count; i++)
        if (wrapped[i].address == address)
            return;
    one = &wrapped[wrapped_count++];
    one->address = address;
    one->read = avr->io[io].r.c;
    one->param = avr->io[io].r.param;
    avr->io[io].r.c = read_pins;
    avr->io[io].r.param = one;
}

static void row_moved(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)value, (void)param;
    evaluate(); /* when a column was let go matters to how long it takes to rise */
}

static void place(bool mega)
{
    for (int i = 0; i < 8; i++) {
        if (mega) {
            rows[i] = (struct pin){'A', (uint8_t)i};
            columns[i] = (struct pin){'C', (uint8_t)i};
        } else {
            rows[i] = i < 6 ? (struct pin){'D', (uint8_t)(i + 2)} : (struct pin){'B', (uint8_t)(i - 6)};
            columns[i] = i < 6 ? (struct pin){'C', (uint8_t)i} : (struct pin){'B', (uint8_t)(i - 4)};
        }
    }
    button_count = mega ? 4 : 1;
    buttons_low_when_down = mega;
    for (int i = 0; i < button_count; i++)
        buttons[i] = mega ? (struct pin){'K', (uint8_t)i} : (struct pin){'B', 5};
}

static avr_irq_t *irq_of(struct pin pin)
{
    return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(pin.port), pin.bit);
}

void matrix_attach(bool mega)
{
    place(mega);
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "port"))
            ports[((avr_ioport_t *)io)->name - 'A'] = (avr_ioport_t *)io;
    for (int i = 0; i < 8; i++) {
        column_irq[i] = irq_of(columns[i]);
        wrap_pins(ports[columns[i].port - 'A']->r_pin);
    }
    for (int i = 0; i < button_count; i++) {
        button_irq[i] = irq_of(buttons[i]);
        wrap_pins(ports[buttons[i].port - 'A']->r_pin);
    }
    for (char name = 'A'; name < 'H'; name++)
        for (int r = 0; r < 8; r++)
            if (rows[r].port == name) {
                avr_irq_t *moved = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(name), IOPORT_IRQ_DIRECTION_ALL);
                avr_irq_register_notify(moved, row_moved, NULL);
                break;
            }
    matrix_after_reset();
}

/* avr_reset clears PINx but not the pins' irqs, which then swallow a raise to the value they have; and simavr 1.6 polls
 * every cycle while an INT pin is low unless it is told not to. */
void matrix_after_reset(void)
{
    for (int i = 0; i < 2; i++)
        avr_extint_set_strict_lvl_trig(avr, (uint8_t)i, 0);
    for (int c = 0; c < 8; c++)
        avr_raise_irq(column_irq[c], !column_irq[c]->value);
    for (int b = 0; b < button_count; b++)
        avr_raise_irq(button_irq[b], !button_irq[b]->value);
    evaluate();
}

void matrix_set(int row, int column, bool now_closed)
{
    if ((closed[row] >> column & 1) == now_closed)
        return;
    closed[row] ^= (uint8_t)(1 << column);
    if (matrix_bounce_us)
        bounces_until[row][column] = avr->cycle + avr_usec_to_cycles(avr, matrix_bounce_us);
    evaluate();
}

void matrix_stick(int row, int column, int how)
{
    stuck_closed[row] = (uint8_t)((stuck_closed[row] & ~(1 << column)) | (how == 1) << column);
    stuck_open[row] = (uint8_t)((stuck_open[row] & ~(1 << column)) | (how == 0) << column);
    evaluate();
}

void matrix_button(int number, bool down)
{
    buttons_down = (uint8_t)((buttons_down & ~(1 << number)) | down << number);
    evaluate();
}
