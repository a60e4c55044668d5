import Synchronization
import WatchLink

/// Decides which phone may have a channel now. A channel on which the phone never says hello costs the watch a picture, a
/// hello of its own and a wait; a phone that opens such channels again and again has to wait, longer each time.
package struct ChannelThrottle: Equatable, Sendable {
    /// Channels without a hello, one after the other, that are no trouble: a link may be lost at any moment.
    static var free: UInt32 { 4 }
    /// The pause behind the first one that is.
    static var shortestPause: Microseconds { .seconds(1) }
    /// The doublings of that pause: the longest is 64 s, so that it gets at most 66 channels in an hour.
    static var mostDoublings: UInt32 { 6 }
    /// The phones that are remembered, more than a watch has bonds: the latest ones.
    static var mostPhones: Int { 16 }

    private struct Record: Equatable, Sendable {
        let phone: BluetoothPeer
        /// Channels without a hello since the last one with a hello.
        var silent: UInt32 = 0
        /// The time before which it gets no channel.
        var barredUntil = Instant.start
    }

    private var records: [Record] = []

    package init() {}

    /// Whether a phone may have a channel. One that may is expected to say hello on it.
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

/// Devices that tried to pair without comparing digits. One of them may have guessed a passkey before it was disconnected,
/// and its link then has the security level that a channel needs: so they get no channel, until the wearer has confirmed
/// their digits.
package final class BannedPeers: Sendable {
    /// An attacker can have any number of addresses; each is banned for longer than its link can last.
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

    /// Bans a device no longer.
    ///
    /// - Returns: whether it was banned.
    @discardableResult func admit(_ peer: BluetoothPeer) -> Bool {
        peers.withLock { peers in
            defer { peers.removeAll { $0 == peer } }
            return peers.contains(peer)
        }
    }
}
