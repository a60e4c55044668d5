// Makes each call of fcntl(2) that would lock a file fail, as on a file system without locks. LOCK_ERROR is the error number.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>

static int call(const char *name, int file, int command, void *argument) {
    if ((command == F_SETLK || command == F_SETLKW) && ((struct flock *)argument)->l_type != F_UNLCK) {
        errno = atoi(getenv("LOCK_ERROR"));
        return -1;
    }
    int (*next)(int, int, ...) = dlsym(RTLD_NEXT, name);
    return next(file, command, argument);
}

int fcntl(int file, int command, ...) {
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    return call("fcntl", file, command, argument);
}

int fcntl64(int file, int command, ...) {
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    return call("fcntl64", file, command, argument);
}
