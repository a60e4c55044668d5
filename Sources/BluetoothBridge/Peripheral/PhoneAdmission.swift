import Synchronization
import WatchLink

/// Decides whether the watch may accept a channel from a phone now. Each accepted channel makes the watch update its screen and
/// send its hello, even if the phone then sends nothing. A phone that repeatedly opens channels without sending a hello has to
/// wait before the next channel, longer each time.
package struct ChannelThrottle: Equatable, Sendable {
    /// How many channels in a row a phone may open without a hello before pauses begin. A pause follows each further channel. A
    /// few channels without a hello are normal, because a link may be lost at any moment.
    static var free: UInt32 { 4 }
    static var shortestPause: Microseconds { .seconds(1) }
    /// The maximum number of times that the pause doubles: from 1 s to 64 s. A phone that never says hello thus gets at most 66
    /// channels in an hour.
    static var mostDoublings: UInt32 { 6 }
    /// The maximum number of phones to remember. A watch has fewer bonds. To remember one more, the throttle forgets the phone
    /// that asked for a channel longest ago.
    static var mostPhones: Int { 16 }

    private struct Record: Equatable, Sendable {
        let phone: BluetoothPeer
        /// How many channels in a row the phone has opened without a hello. The count stops when the pause has reached its
        /// maximum.
        var silent: UInt32 = 0
        var barredUntil = Instant.start
    }

    private var records: [Record] = []

    package init() {}

    /// Returns whether the watch may accept a channel from the phone now. If so, counts the channel as one without a hello.
    /// `greeted` resets the count.
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

/// The set of devices that tried to pair without comparing digits. Such a device may have guessed a passkey before it was
/// disconnected. Its link then has the security level that a channel needs. A device in this set therefore gets no channel
/// until it pairs again and the wearer confirms the digits.
package final class BannedPeers: Sendable {
    /// The maximum number of bans. There is a maximum because an attacker can use any number of addresses. The oldest ban is
    /// forgotten first. The link of its device has ended by then.
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
