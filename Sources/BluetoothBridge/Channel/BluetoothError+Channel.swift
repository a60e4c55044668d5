import Glibc
import SystemPackage
import Wormhole

extension BluetoothError {
    /// The meaning of the kernel's reason why a channel was not opened.
    ///
    /// The kernel maps the controller's status to its own numbers (Linux, `bt_to_errno` in net/bluetooth/lib.c), and the
    /// response of the other side's L2CAP too (`l2cap_le_connect_rsp` in l2cap_core.c).
    init(connectingTo peer: BluetoothAddress, psm: UInt16, _ reason: Errno) {
        self =
            switch reason {
            // No such PSM; no resources for another channel; a refusal without a reason.
            case .connectionRefused: .notListening(peer, psm: psm)
            // 0x05 authentication failed, 0x18 pairing not allowed: it has no keys of ours, or weaker ones. 0x06: it reports
            // that it has lost them.
            case .permissionDenied, .keyMissing: .bondLost(peer)
            // 0x04 page timeout, 0x08 supervision timeout, 0x10 not accepted in time; and, without a number of its own,
            // 0x3e: the connection was never established.
            case .hostIsDown, .timedOut, .noFunction: .outOfReach(peer)
            // 0x13 to 0x16: either side has ended the link, for example because pairing failed.
            case .connectionReset, .connectionAbort: .cutOff(peer)
            case let reason: .system(call: "connect", reason)
            }
    }

    init(_ error: WormholeError) {
        self =
            switch error {
            case .closed: .ended
            case .system(let call, _, let reason): .system(call: call, reason)
            case .pathTooLong, .unsafeDirectory, .alreadyServed, .nobodyListening, .notAnswering, .foreignPeer,
                .datagramTooLong,
                .transport, .invalidName, .messageTooLarge, .notSupportedYet, .notTaken, .unreachable, .noAnswer,
                .answered, .tooManyOpen, .cancelled, .unknownPeer, .noSuchPeer, .reservedName, .severalPeers,
                .queueFull, .noSuchMessage, .noSuchFile, .notCancelled, .invalidLabel, .notAFile, .fileTooLarge,
                .receivesAlready,
                .coding, .storage:
                .unexpectedAnswer(error.description)
            }
    }
}

extension WormholeError {
    init(_ error: BluetoothError) {
        self = error == .ended ? .closed : .transport(error.description)
    }
}

extension Errno {
    /// EBADE, to which the kernel maps the controller's 0x06, "PIN or key missing".
    static let keyMissing = Errno(rawValue: EBADE)
}
