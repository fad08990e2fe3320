#include "wire.h"

#include "port.h"

static uint16_t out_crc;

static char line[WIRE_LONGEST_IN];
static uint8_t line_length; /* WIRE_LONGEST_IN: too long, dropped up to its end */
static uint8_t field_end;   /* of the frame in `line`: where its last field ends */
static uint8_t cursor;
static bool malformed;
static uint16_t garbled;

/* CRC-16/CCITT-FALSE, one byte, without a table. */
static uint16_t crc_step(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)((crc >> 8) | (crc << 8));
    crc ^= byte;
    crc ^= (uint16_t)((crc & 0xff) >> 4);
    crc ^= (uint16_t)(crc << 12);
    crc ^= (uint16_t)((crc & 0xff) << 5);
    return crc;
}

void wire_start(void)
{
    line_length = 0;
    garbled = 0;
    port_tx('\n');
}

/* ---- writing ---- */

static void put(char character)
{
    out_crc = crc_step(out_crc, (uint8_t)character);
    port_tx((uint8_t)character);
}

void wire_digits(uint32_t value, uint8_t digits)
{
    while (digits--) {
        uint8_t digit = (uint8_t)(value >> (4 * digits)) & 15;
        put((char)(digit < 10 ? '0' + digit : 'a' + digit - 10));
    }
}

void wire_space(void)
{
    put(' ');
}

void wire_begin(char letter)
{
    out_crc = 0xffff;
    put(letter);
}

void wire_hex(uint32_t value, uint8_t digits)
{
    put(' ');
    wire_digits(value, digits);
}

void wire_text(const char *text)
{
    put(' ');
    while (*text)
        put(*text++);
}

void wire_squares(const uint8_t squares[8])
{
    put(' ');
    for (uint8_t rank = 8; rank--;)
        wire_digits(squares[rank], 2);
}

void wire_end(void)
{
    put(' ');
    wire_digits(out_crc, 4);
    port_tx('\n');
}

/* ---- reading ---- */

uint8_t wire_unhex(char digit)
{
    if (digit >= '0' && digit <= '9')
        return (uint8_t)(digit - '0');
    if (digit >= 'a' && digit <= 'f')
        return (uint8_t)(digit - 'a' + 10);
    return 255;
}

/* Whether the line is a frame: a letter, then perhaps fields, a space and the checksum of all before it. */
static bool is_frame(void)
{
    uint16_t crc = 0xffff, told = 0;
    if (line_length && line[line_length - 1] == '\r')
        line_length--;
    if (line_length < 6 || line_length >= WIRE_LONGEST_IN)
        return false;
    field_end = (uint8_t)(line_length - 5);
    for (uint8_t i = 0; i <= field_end; i++)
        crc = crc_step(crc, (uint8_t)line[i]);
    for (uint8_t i = (uint8_t)(field_end + 1); i < line_length; i++) {
        uint8_t digit = wire_unhex(line[i]);
        if (digit > 15)
            return false;
        told = (uint16_t)(told << 4 | digit);
    }
    return told == crc && line[field_end] == ' ' && (field_end == 1 || line[1] == ' ');
}

bool wire_take(uint8_t byte)
{
    bool valid;
    if (byte != '\n') {
        if (line_length < WIRE_LONGEST_IN)
            line[line_length++] = (char)byte;
        return false;
    }
    valid = is_frame();
    if (!valid && line_length)
        garbled++;
    line_length = 0;
    cursor = 1;
    malformed = false;
    return valid;
}

char wire_letter(void)
{
    return line[0];
}

const char *wire_field_text(uint8_t length)
{
    const char *text = &line[cursor + 1];
    if (malformed || cursor >= field_end || line[cursor] != ' ' || length > field_end - cursor - 1
        || (line[cursor + 1 + length] != ' ')) {
        malformed = true;
        return 0;
    }
    cursor = (uint8_t)(cursor + 1 + length);
    return text;
}

bool wire_field(uint8_t digits, uint32_t *value)
{
    const char *text = wire_field_text(digits);
    *value = 0;
    if (!text)
        return false;
    while (digits--) {
        uint8_t digit = wire_unhex(*text++);
        if (digit > 15) {
            malformed = true;
            return false;
        }
        *value = *value << 4 | digit;
    }
    return true;
}

bool wire_done(void)
{
    return !malformed && cursor == field_end;
}

uint16_t wire_garbled(void)
{
    return garbled;
}
