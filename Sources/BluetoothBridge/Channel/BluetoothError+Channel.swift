import Glibc
import SystemPackage
import Wormhole

extension BluetoothError {
    /// What the reason that the kernel gives for a channel that did not come about means.
    ///
    /// The kernel turns what the controller says into numbers of its own (Linux, `bt_to_errno` in net/bluetooth/lib.c),
    /// and what the other side's L2CAP says (`l2cap_le_connect_rsp` in l2cap_core.c).
    init(connectingTo peer: BluetoothAddress, psm: UInt16, _ reason: Errno) {
        self =
            switch reason {
            // No such number there; a side that takes nobody more; a refusal without a reason.
            case .connectionRefused: .notListening(peer, psm: psm)
            // 0x05 authentication failed, 0x18 pairing not allowed: it has no keys of ours, or not good enough ones.
            // 0x06: it says that it has lost them.
            case .permissionDenied, .keyMissing: .bondLost(peer)
            // 0x04 page timed out, 0x08 unheard for too long, 0x10 not accepted in time; and with no number of its own
            // 0x3e, the connection was never established.
            case .hostIsDown, .timedOut, .noFunction: .outOfReach(peer)
            // 0x13 to 0x16, the link was ended by either side; so it is when pairing fails on the way.
            case .connectionReset, .connectionAbort: .cutOff(peer)
            case let reason: .system(call: "connect", reason)
            }
    }

    /// What went wrong with a socket, in this module's terms.
    init(_ error: WormholeError) {
        self =
            switch error {
            case .closed: .ended
            case .system(let call, _, let reason): .system(call: call, reason)
            case .pathTooLong, .unsafeDirectory, .alreadyServed, .nobodyListening, .foreignPeer, .datagramTooLong,
                .transport, .invalidName, .messageTooLarge, .notSupportedYet, .unknownPeer, .coding, .storage,
                .versionMismatch:
                .unexpectedAnswer(error.description)
            }
    }
}

extension WormholeError {
    /// What went wrong over Bluetooth, in one line.
    init(_ error: BluetoothError) {
        self = error == .ended ? .closed : .transport(error.description)
    }
}

extension Errno {
    /// EBADE, which is what becomes of the controller's 0x06, "PIN or key missing".
    static let keyMissing = Errno(rawValue: EBADE)
}
