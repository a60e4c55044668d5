import Synchronization
import WatchLink

/// Decides whether a phone may have a channel now. A channel without the phone's hello costs the watch a screen update, a hello
/// of its own and a wait. A phone that repeatedly opens such channels has to wait, longer each time.
package struct ChannelThrottle: Equatable, Sendable {
    /// How many channels in a row a phone may open without a hello before it has to pause. A few are normal, because a link may
    /// be lost at any moment.
    static var free: UInt32 { 4 }
    static var shortestPause: Microseconds { .seconds(1) }
    /// The most times that the pause doubles. It is then 64 s, and a phone gets at most 66 channels in an hour.
    static var mostDoublings: UInt32 { 6 }
    /// The most phones to remember; a watch has fewer bonds. If there are more, the phone that asked longest ago is forgotten.
    static var mostPhones: Int { 16 }

    private struct Record: Equatable, Sendable {
        let phone: BluetoothPeer
        /// How many channels in a row the phone has opened without a hello.
        var silent: UInt32 = 0
        var barredUntil = Instant.start
    }

    private var records: [Record] = []

    package init() {}

    /// Whether a phone may have a channel. If so, the channel counts as silent until the phone says hello.
    package mutating func admits(_ phone: BluetoothPeer, at now: Instant) -> Bool {
        var record = remove(phone) ?? Record(phone: phone)
        let isAdmitted = now >= record.barredUntil
        if isAdmitted {
            record.silent = min(record.silent + 1, ChannelThrottle.free + ChannelThrottle.mostDoublings + 1)
            if record.silent > ChannelThrottle.free {
                let doublings = record.silent - ChannelThrottle.free - 1
                record.barredUntil = now + Microseconds(ChannelThrottle.shortestPause.count << doublings)
            }
        }
        records.append(record)
        if records.count > ChannelThrottle.mostPhones { records.removeFirst() }
        return isAdmitted
    }

    package mutating func greeted(_ phone: BluetoothPeer) {
        _ = remove(phone)
    }

    private mutating func remove(_ phone: BluetoothPeer) -> Record? {
        records.firstIndex { $0.phone == phone }.map { records.remove(at: $0) }
    }
}

/// Devices that tried to pair without comparing digits. Such a device may have guessed a passkey before it was disconnected, and
/// its link then has the security level that a channel needs. It therefore gets no channel until the wearer has confirmed its
/// digits.
package final class BannedPeers: Sendable {
    /// The most devices to remember, because an attacker can use any number of addresses. The oldest ban is forgotten first.
    /// The link of that device has ended by then.
    static let most = 64

    private let peers = Mutex<[BluetoothPeer]>([])

    package init() {}

    package func contains(_ peer: BluetoothPeer) -> Bool { peers.withLock { $0.contains(peer) } }

    func ban(_ peer: BluetoothPeer) {
        peers.withLock { peers in
            peers.removeAll { $0 == peer }
            peers.append(peer)
            if peers.count > BannedPeers.most { peers.removeFirst() }
        }
    }

    /// Lifts the ban of a device. Returns whether it was banned.
    @discardableResult func admit(_ peer: BluetoothPeer) -> Bool {
        peers.withLock { peers in
            defer { peers.removeAll { $0 == peer } }
            return peers.contains(peer)
        }
    }
}
