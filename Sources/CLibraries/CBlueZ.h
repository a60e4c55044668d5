#pragma once
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <bluetooth/l2cap.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// accept4(2), which the C library declares to GNU sources only: the connection is closed in child processes and never blocks.
static inline int cbluez_accept(int descriptor, struct sockaddr_l2 *peer) {
    socklen_t size = sizeof *peer;
    return (int)syscall(SYS_accept4, descriptor, peer, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

// The handle of an adapter's LE connection to a peer, or -1: the request's answer stands behind it, which Swift cannot lay out.
static inline int cbluez_link_handle(int adapter, const bdaddr_t *peer) {
    union {
        struct hci_conn_info_req request;
        unsigned char room[sizeof(struct hci_conn_info_req) + sizeof(struct hci_conn_info)];
    } question = {0};
    int device = hci_open_dev(adapter);
    if (device < 0) return -1;
    question.request.bdaddr = *peer;
    question.request.type = 0x80; // LE_LINK of the kernel's hci.h, which libbluetooth does not have
    int answer = ioctl(device, HCIGETCONNINFO, &question);
    close(device);
    return answer == 0 ? question.request.conn_info->handle : -1;
}
