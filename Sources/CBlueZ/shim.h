#pragma once
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <bluetooth/l2cap.h>
#include <sys/syscall.h>
#include <unistd.h>

// accept4(2), which the C library declares to GNU sources only: the connection is closed in child processes and never blocks.
static inline int cbluez_accept(int descriptor, struct sockaddr_l2 *peer) {
    socklen_t size = sizeof *peer;
    return (int)syscall(SYS_accept4, descriptor, peer, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
