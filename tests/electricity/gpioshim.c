/* A fake GPIO chip under an unmodified program: preloaded, it answers for /dev/gpiochipN with the kernel's line requests
 * (GPIO uAPI v2), and puts an 8x8 matrix of reeds between sixteen of the lines.
 *
 * The state is a file that the test maps too ($GPIOSHIM_STATE):
 *   bytes 0-7   reeds of rows 0-7, bit = column, closed when set
 *   byte 8      bit 0: no diodes; bit 1: the chip has gone (every request gives ENODEV)
 *   byte 9      set when a row driven high was shorted to a row driven low
 *   bytes 10-13 lines of the matrix's chip that a push button holds to ground, bit = line (32 bits)
 *   bytes 16-23 requests to the kernel so far (64 bits, as the machine has them)
 *   bytes 24-27 microseconds a column takes to rise after it was low (32 bits)
 * $GPIOSHIM_CHIPS names the chips, as "0:pinctrl-rp1:54,10:gpio-brcmstb:4"; the first whose label begins with "pinctrl"
 * has the matrix. $GPIOSHIM_BUSY, as "17:spi0 CS0", is a line of it that somebody else has. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define CHIPS 4
#define LINES 64
#define STATE 32
#define FDS 1024

struct line { uint64_t flags; int value, owner; };
struct chip { int number, lines; char label[32]; struct line line[LINES]; };
struct request { int chip, count, offset[LINES], events, was[LINES]; }; /* chip is index + 1; 0: not ours */

static const int ROW[8] = {5, 6, 12, 13, 16, 17, 18, 19}, COLUMN[8] = {20, 21, 22, 23, 24, 25, 26, 27};
static struct chip chip[CHIPS];
static int chips, matrix, busy_line = -1;
static char busy_user[32];
static struct request request[FDS];
static int opened[FDS]; /* chip index + 1 of an open chip file */
static uint64_t low_until_ns[8];
static uint8_t was_low;
static volatile uint8_t *state;
static int (*real_open)(const char *, int, ...), (*real_ioctl)(int, unsigned long, ...), (*real_close)(int);

static void read_chips(const char *text) {
  while (text && *text && chips < CHIPS) {
    struct chip *c = &chip[chips];
    if (sscanf(text, "%d:%31[^:]:%d", &c->number, c->label, &c->lines) != 3) break;
    if (!strncmp(c->label, "pinctrl", 7) && strncmp(chip[matrix].label, "pinctrl", 7)) matrix = chips;
    chips++;
    text = strchr(text, ',');
    if (text) text++;
  }
}

static void init(void) {
  if (real_open) return;
  real_open = dlsym(RTLD_NEXT, "open");
  real_ioctl = dlsym(RTLD_NEXT, "ioctl");
  real_close = dlsym(RTLD_NEXT, "close");
  static uint8_t own[STATE];
  state = own;
  const char *path = getenv("GPIOSHIM_STATE");
  int fd = path ? real_open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd >= 0) {
    void *map = mmap(0, STATE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map != MAP_FAILED) state = map;
    real_close(fd);
  }
  const char *list = getenv("GPIOSHIM_CHIPS");
  read_chips(list ? list : "0:pinctrl-bcm2711:58");
  const char *busy = getenv("GPIOSHIM_BUSY");
  if (busy) sscanf(busy, "%d:%31[^\n]", &busy_line, busy_user);
}

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* -- the matrix */

static int drives(const struct line *l, int high) {
  if (!l->owner || !(l->flags & GPIO_V2_LINE_FLAG_OUTPUT) || !l->value != !high) return 0;
  return !high || !(l->flags & GPIO_V2_LINE_FLAG_OPEN_DRAIN);
}

static uint8_t low_columns(void) {
  struct line *line = chip[matrix].line;
  uint8_t rows = 0, high = 0, columns = 0;
  for (int r = 0; r < 8; r++) {
    rows |= drives(&line[ROW[r]], 0) << r;
    high |= drives(&line[ROW[r]], 1) << r;
  }
  for (int again = 1; again;) {
    again = 0;
    for (int r = 0; r < 8; r++) {
      if (rows >> r & 1) {
        if (state[r] & ~columns) columns |= state[r], again = 1;
      } else if (state[8] & 1 && state[r] & columns) {
        rows |= 1 << r, again = 1;
      }
    }
    if (!(state[8] & 1)) break;
  }
  if (state[8] & 1 && rows & high) state[9] = 1;
  return columns;
}

static void settle(void) {
  uint32_t rise_us;
  memcpy(&rise_us, (const void *)(state + 24), 4);
  uint8_t low = low_columns();
  for (int c = 0; c < 8; c++)
    if (was_low >> c & 1 && !(low >> c & 1)) low_until_ns[c] = now_ns() + rise_us * 1000ull;
  was_low = low;
}

static int level(int which, int offset) {
  const struct line *l = &chip[which].line[offset];
  int pulled_up = !!(l->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP);
  uint32_t held;
  memcpy(&held, (const void *)(state + 10), 4);
  if (l->flags & GPIO_V2_LINE_FLAG_OUTPUT) return l->value;
  if (which == matrix && offset < 32 && held >> offset & 1) return 0;
  if (which == matrix)
    for (int c = 0; c < 8; c++)
      if (COLUMN[c] == offset) {
        settle();
        return !(was_low >> c & 1) && pulled_up && now_ns() >= low_until_ns[c];
      }
  return pulled_up;
}

/* -- what the kernel does */

static int refuse(int number) {
  errno = number;
  return -1;
}

static void set_values(const struct request *r, uint64_t bits, uint64_t mask) {
  for (int i = 0; i < r->count; i++)
    if (mask >> i & 1) chip[r->chip - 1].line[r->offset[i]].value = bits >> i & 1;
  settle();
}

static void configure(const struct request *r, const struct gpio_v2_line_config *config) {
  for (int i = 0; i < r->count; i++) chip[r->chip - 1].line[r->offset[i]].flags = config->flags;
  for (unsigned k = 0; k < config->num_attrs; k++)
    if (config->attrs[k].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES)
      set_values(r, config->attrs[k].attr.values, config->attrs[k].mask);
}

/* A line asked for with edges: its file is the end of a pipe, into which a thread puts what the kernel would. */
static void *watch_edges(void *nothing) {
  uint32_t number = 0;
  for (;;) {
    nanosleep(&(struct timespec){0, 1000000}, 0);
    for (int fd = 0; fd < FDS; fd++) {
      struct request *r = &request[fd];
      for (int i = 0; r->chip && r->events && i < r->count; i++) {
        int now = level(r->chip - 1, r->offset[i]);
        if (now == r->was[i]) continue;
        r->was[i] = now;
        struct gpio_v2_line_event event = {.timestamp_ns = now_ns(), .offset = r->offset[i], .seqno = ++number};
        event.id = now ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE;
        if (write(r->events, &event, sizeof event) < 0) r->events = 0;
      }
    }
  }
  return nothing;
}

static int events_file(struct gpio_v2_line_request *wanted, int *events) {
  static pthread_t thread;
  int ends[2];
  *events = 0;
  if (!(wanted->config.flags & (GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING)))
    return eventfd(0, EFD_CLOEXEC);
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) return -1;
  if (!thread) pthread_create(&thread, 0, watch_edges, 0);
  *events = ends[1];
  return ends[0];
}

static int claim(int which, struct gpio_v2_line_request *wanted) {
  struct chip *c = &chip[which];
  for (unsigned i = 0; i < wanted->num_lines; i++) {
    unsigned offset = wanted->offsets[i];
    if (offset >= (unsigned)c->lines) return refuse(EINVAL);
    if (c->line[offset].owner || (which == matrix && (int)offset == busy_line)) return refuse(EBUSY);
  }
  int events, fd = events_file(wanted, &events);
  if (fd < 0 || fd >= FDS) return refuse(EMFILE);
  struct request *r = &request[fd];
  r->count = wanted->num_lines;
  for (int i = 0; i < r->count; i++) {
    r->offset[i] = wanted->offsets[i];
    c->line[r->offset[i]] = (struct line){.owner = fd};
  }
  r->chip = which + 1;
  configure(r, &wanted->config);
  for (int i = 0; i < r->count; i++) r->was[i] = level(which, r->offset[i]);
  r->events = events;
  wanted->fd = fd;
  return 0;
}

static int chip_request(int which, unsigned long number, void *arg) {
  struct chip *c = &chip[which];
  if (number == GPIO_GET_CHIPINFO_IOCTL) {
    struct gpiochip_info *info = arg;
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, "gpiochip%d", c->number);
    snprintf(info->label, sizeof info->label, "%s", c->label);
    info->lines = c->lines;
    return 0;
  }
  if (number == GPIO_V2_GET_LINEINFO_IOCTL) {
    struct gpio_v2_line_info *info = arg;
    unsigned offset = info->offset;
    if (offset >= (unsigned)c->lines) return refuse(EINVAL);
    int is_busy = which == matrix && (int)offset == busy_line;
    memset(info, 0, sizeof *info);
    info->offset = offset;
    info->flags = c->line[offset].flags | (c->line[offset].owner || is_busy ? GPIO_V2_LINE_FLAG_USED : 0);
    snprintf(info->name, sizeof info->name, "GPIO%u", offset);
    if (is_busy) snprintf(info->consumer, sizeof info->consumer, "%s", busy_user);
    return 0;
  }
  if (number == GPIO_GET_LINEINFO_IOCTL) {
    struct gpioline_info *info = arg;
    unsigned offset = info->line_offset;
    if (offset >= (unsigned)c->lines) return refuse(EINVAL);
    const struct line *l = &c->line[offset];
    int is_busy = which == matrix && (int)offset == busy_line;
    memset(info, 0, sizeof *info);
    info->line_offset = offset;
    info->flags = (l->owner || is_busy ? GPIOLINE_FLAG_KERNEL : 0) |
                  (l->flags & GPIO_V2_LINE_FLAG_OUTPUT ? GPIOLINE_FLAG_IS_OUT : 0) |
                  (l->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP ? GPIOLINE_FLAG_BIAS_PULL_UP : 0) |
                  (l->flags & GPIO_V2_LINE_FLAG_OPEN_DRAIN ? GPIOLINE_FLAG_OPEN_DRAIN : 0);
    snprintf(info->name, sizeof info->name, "GPIO%u", offset);
    if (is_busy) snprintf(info->consumer, sizeof info->consumer, "%s", busy_user);
    return 0;
  }
  if (number == GPIO_V2_GET_LINE_IOCTL) return claim(which, arg);
  fprintf(stderr, "gpioshim: request %lx of a chip is not known here\n", number);
  return refuse(EINVAL);
}

static int line_request(struct request *r, unsigned long number, void *arg) {
  struct gpio_v2_line_values *values = arg;
  switch (number) {
    case GPIO_V2_LINE_GET_VALUES_IOCTL:
      values->bits = 0;
      for (int i = 0; i < r->count; i++)
        if (values->mask >> i & 1) values->bits |= (uint64_t)level(r->chip - 1, r->offset[i]) << i;
      return 0;
    case GPIO_V2_LINE_SET_VALUES_IOCTL:
      set_values(r, values->bits, values->mask);
      return 0;
    case GPIO_V2_LINE_SET_CONFIG_IOCTL:
      configure(r, arg);
      return 0;
  }
  fprintf(stderr, "gpioshim: request %lx of lines is not known here\n", number);
  return refuse(EINVAL);
}

/* -- what is preloaded */

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int), number;
  va_end(rest);
  init();
  if (sscanf(path, "/dev/gpiochip%d", &number) != 1) return real_open(path, flags, mode);
  for (int i = 0; i < chips; i++)
    if (chip[i].number == number && !(state[8] & 2)) {
      int fd = eventfd(0, EFD_CLOEXEC);
      if (fd >= 0 && fd < FDS) opened[fd] = i + 1;
      return fd;
    }
  return refuse(ENOENT);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  return open(path, flags, mode);
}

int close(int fd) {
  init();
  if (fd >= 0 && fd < FDS) {
    struct request *r = &request[fd];
    for (int i = 0; r->chip && i < r->count; i++) chip[r->chip - 1].line[r->offset[i]] = (struct line){0};
    if (r->chip) settle();
    if (r->chip && r->events) real_close(r->events);
    r->chip = r->events = opened[fd] = 0;
  }
  return real_close(fd);
}

int ioctl(int fd, unsigned long number, ...) {
  va_list rest;
  va_start(rest, number);
  void *arg = va_arg(rest, void *);
  va_end(rest);
  init();
  if (fd < 0 || fd >= FDS || !(opened[fd] || request[fd].chip)) return real_ioctl(fd, number, arg);
  uint64_t count;
  memcpy(&count, (const void *)(state + 16), 8);
  count++;
  memcpy((void *)(state + 16), &count, 8);
  if (state[8] & 2) return refuse(ENODEV);
  return opened[fd] ? chip_request(opened[fd] - 1, number, arg) : line_request(&request[fd], number, arg);
}
