import HostSystem
import WatchLink

/// What a watch's owner should know of its Bluetooth: one line each.
public enum PeripheralNote: Hashable, Sendable {
    /// Phones may pair for two minutes.
    case pairingOpen
    /// No phone may pair any more.
    case pairingClosed
    /// A phone has bonded.
    case paired(BluetoothPeer)
    /// A device wanted to pair without comparing digits. The next one may pair after this many seconds; nil: after the
    /// owner has opened the pairing mode again.
    case refused(RefusedPairing, resuming: UInt32?)
    /// The digits of this device were not confirmed on both sides. The next one may pair after this many seconds; nil:
    /// after the owner has opened the pairing mode again.
    case notConfirmed(BluetoothPeer, resuming: UInt32?)
    /// A device was disconnected because its connection was of no use, after this many others since the last such line.
    case disconnected(BluetoothPeer, IdleConnection, others: UInt32)
}

/// Why a connection was of no use.
public enum IdleConnection: Hashable, Sendable {
    /// A device without keys did not pair.
    case didNotPair
    /// A bonded phone opened no channel.
    case openedNoChannel
    /// A bonded phone has come.
    case madeWay
}

extension PeripheralNote {
    /// The line, without its end.
    ///
    /// - Parameter way: what the owner does to let phones pair, such as `hold the side button on the watch's face`.
    public func line(toLetPair way: String) -> String {
        switch self {
        case .pairingOpen: "phones may pair for two minutes"
        case .pairingClosed: "no phone may pair now: \(way) to let one"
        case .paired(let peer): "paired with \(peer)"
        case .refused(let refused, let pause):
            "\(refused.peer) wanted to pair \(refused.method) and was refused: "
                + PeripheralNote.resumption(pause, way)
        case .notConfirmed(let peer, let pause):
            "the digits of \(peer) were not confirmed on both sides: " + PeripheralNote.resumption(pause, way)
        case .disconnected(let peer, let reason, let others):
            "\(peer) was disconnected: \(reason.words)"
                + (others == 0 ? "" : "; \(CountText(others, "other")) before it")
        }
    }

    private static func resumption(_ seconds: UInt32?, _ way: String) -> String {
        guard let seconds else { return "no phone may pair until you \(way)" }
        return "no phone may pair for \(seconds) s"
    }
}

extension IdleConnection {
    fileprivate var words: String {
        switch self {
        case .didNotPair: "it was connected and did not pair"
        case .openedNoChannel: "it was connected and opened no channel"
        case .madeWay: "it made way for a paired phone"
        }
    }

    init(_ reason: LinkPolicy.Reason) {
        switch reason {
        case .idleStranger: self = .didNotPair
        case .idlePhone: self = .openedNoChannel
        case .rightOfWay: self = .madeWay
        }
    }
}
