/* A disk that can be full or cut off, for one folder of one process: preloaded before libc (LD_PRELOAD).
 *
 * After baddisk_watch(folder, log) every change of a file in the folder is carried out and then written to the log, in
 * order: that is what baddisk.py works out from which bytes a cut of the power may take. After baddisk_refuse(number)
 * whatever would need room fails with that error (ENOSPC, EIO, EROFS), until baddisk_refuse(0).
 *
 * One record: kind (1 byte), lengths of name and bytes (4 each), place (8), all little-endian; then name and bytes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX];
static size_t folder_length;
static int log_descriptor = -1;
static volatile int refusal;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

int baddisk_watch(const char *watched, const char *log)
{
    log_descriptor = REAL(int, open, const char *, int, ...)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    snprintf(folder, sizeof folder, "%s/", watched);
    folder_length = strlen(folder);
    return log_descriptor;
}

void baddisk_refuse(int number) { refusal = number; }

/* The name within the folder, or NULL for a file elsewhere. */
static const char *within(const char *path)
{
    return folder_length && strncmp(path, folder, folder_length) == 0 ? path + folder_length : NULL;
}

static const char *within_fd(int descriptor, char *path)
{
    char link[64];
    ssize_t length;
    if (!folder_length || descriptor == log_descriptor)
        return NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    length = readlink(link, path, PATH_MAX - 2);
    if (length < 0)
        return NULL;
    path[length] = 0;
    if ((size_t)length == folder_length - 1 && strncmp(path, folder, length) == 0)
        return ""; /* the folder itself */
    return within(path);
}

static void note(char kind, const char *name, uint64_t place, const void *bytes, uint32_t count)
{
    unsigned char head[17];
    uint32_t length = strlen(name);
    struct iovec parts[3] = {{head, sizeof head}, {(void *)name, length}, {(void *)bytes, count}};
    head[0] = kind;
    memcpy(head + 1, &length, 4);
    memcpy(head + 5, &count, 4);
    memcpy(head + 9, &place, 8);
    if (writev(log_descriptor, parts, 3) < 0)
        _exit(99);
}

#define REFUSED(name)                                                                                                  \
    if (name && refusal) {                                                                                             \
        errno = refusal;                                                                                               \
        return -1;                                                                                                     \
    }

static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode)
{
    const char *name = within(path);
    struct stat before;
    int there, result;
    if (!name || !(flags & (O_CREAT | O_TRUNC)))
        return real(path, flags, mode);
    there = stat(path, &before) == 0;
    REFUSED((!there ? name : NULL))
    pthread_mutex_lock(&order);
    result = real(path, flags, mode);
    if (result >= 0 && !there)
        note('c', name, 0, "", 0);
    else if (result >= 0 && (flags & O_TRUNC))
        note('t', name, 0, "", 0);
    pthread_mutex_unlock(&order);
    return result;
}

#define OPEN(symbol)                                                                                                   \
    int symbol(const char *path, int flags, ...)                                                                       \
    {                                                                                                                  \
        va_list rest;                                                                                                  \
        mode_t mode;                                                                                                   \
        va_start(rest, flags);                                                                                         \
        mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                               \
        va_end(rest);                                                                                                  \
        return opened(REAL(int, symbol, const char *, int, ...), path, flags, mode);                                   \
    }
OPEN(open)
OPEN(open64)

#define PWRITE(symbol)                                                                                                 \
    ssize_t symbol(int descriptor, const void *bytes, size_t count, off_t place)                                       \
    {                                                                                                                  \
        char path[PATH_MAX];                                                                                           \
        const char *name = within_fd(descriptor, path);                                                                \
        ssize_t result;                                                                                                \
        REFUSED(name)                                                                                                  \
        pthread_mutex_lock(&order);                                                                                    \
        result = REAL(ssize_t, symbol, int, const void *, size_t, off_t)(descriptor, bytes, count, place);             \
        if (name && result > 0)                                                                                        \
            note('w', name, place, bytes, result);                                                                     \
        pthread_mutex_unlock(&order);                                                                                  \
        return result;                                                                                                 \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    char path[PATH_MAX];
    const char *name = within_fd(descriptor, path);
    ssize_t result;
    if (!name)
        return REAL(ssize_t, write, int, const void *, size_t)(descriptor, bytes, count);
    REFUSED(name)
    pthread_mutex_lock(&order);
    result = REAL(ssize_t, write, int, const void *, size_t)(descriptor, bytes, count);
    if (result > 0)
        note('w', name, lseek(descriptor, 0, SEEK_CUR) - result, bytes, result);
    pthread_mutex_unlock(&order);
    return result;
}

#define FTRUNCATE(symbol)                                                                                              \
    int symbol(int descriptor, off_t size)                                                                             \
    {                                                                                                                  \
        char path[PATH_MAX];                                                                                           \
        const char *name = within_fd(descriptor, path);                                                                \
        int result;                                                                                                    \
        pthread_mutex_lock(&order);                                                                                    \
        result = REAL(int, symbol, int, off_t)(descriptor, size);                                                      \
        if (name && result == 0)                                                                                       \
            note('t', name, size, "", 0);                                                                              \
        pthread_mutex_unlock(&order);                                                                                  \
        return result;                                                                                                 \
    }
FTRUNCATE(ftruncate)
FTRUNCATE(ftruncate64)

#define SYNC(symbol)                                                                                                   \
    int symbol(int descriptor)                                                                                         \
    {                                                                                                                  \
        char path[PATH_MAX];                                                                                           \
        const char *name = within_fd(descriptor, path);                                                                \
        if (!name)                                                                                                     \
            return REAL(int, symbol, int)(descriptor);                                                                 \
        pthread_mutex_lock(&order);                                                                                    \
        note('s', name, 0, "", 0); /* the kernel is not troubled: what counts is what was asked for */                 \
        pthread_mutex_unlock(&order);                                                                                  \
        return 0;                                                                                                      \
    }
SYNC(fsync)
SYNC(fdatasync)

int rename(const char *from, const char *to)
{
    const char *name = within(from), *better = within(to);
    int result;
    REFUSED(name)
    pthread_mutex_lock(&order);
    result = REAL(int, rename, const char *, const char *)(from, to);
    if (result == 0 && name && better)
        note('r', name, 0, better, strlen(better));
    pthread_mutex_unlock(&order);
    return result;
}

int unlink(const char *path)
{
    const char *name = within(path);
    int result;
    pthread_mutex_lock(&order);
    result = REAL(int, unlink, const char *)(path);
    if (result == 0 && name)
        note('u', name, 0, "", 0);
    pthread_mutex_unlock(&order);
    return result;
}

int remove(const char *path) { return unlink(path); }
