import WatchLink

/// Decides which devices may stay connected to a watch. It disconnects unused devices, because an unused connection may prevent
/// other phones from connecting. `WatchPeripheral` calls `update` about twice a second.
package struct LinkPolicy: Equatable, Sendable {
    /// How long a device without a bond may stay connected if it does not pair.
    package static var strangerLimit: Microseconds { .seconds(5) }
    /// How long a bonded device may stay connected without a channel. The limit doubles each time the device exceeds it,
    /// because a phone's operating system may reconnect again and again, although no program opens a channel.
    package static var idleLimit: Microseconds { .seconds(10) }
    /// The maximum number of times that the limit doubles: from 10 s to 320 s.
    static var mostDoublings: UInt32 { 5 }

    package enum Pairing: Hashable, Sendable {
        case closed
        case open
        /// The wearer compares the digits of this device. No other device may pair.
        case comparing(BluetoothPeer)
    }

    package struct Drop: Hashable, Sendable {
        package let peer: BluetoothPeer
        package let reason: IdleConnection
    }

    private enum Standing: Hashable, Sendable {
        case stranger
        case pairing
        /// The device is bonded, and has no channel.
        case idle
        case busy
    }

    private struct Visit: Equatable, Sendable {
        var standing: Standing
        /// When `standing` last changed, or when the device last exceeded `idleLimit`.
        var since: Instant
    }

    private var visits: [BluetoothPeer: Visit] = [:]
    /// For each bonded device, how many times in a row it has exceeded its limit without a channel; at most `mostDoublings`. A
    /// device that has not exceeded its limit has no entry.
    private var idleVisits: [BluetoothPeer: UInt32] = [:]

    package init() {}

    /// Returns the devices to disconnect. `devices` are all that the adapter knows, connected or not. `channel` is the device
    /// with an open channel, nil if there is none.
    package mutating func update(
        _ devices: [BluetoothDevice], channel: BluetoothPeer?, pairing: Pairing, at now: Instant
    ) -> [Drop] {
        let connected = devices.filter(\.isConnected)
        let bonds = Set(devices.filter(\.isBonded).map(\.peer))
        idleVisits = idleVisits.filter { bonds.contains($0.key) }
        var present: [BluetoothPeer: Visit] = [:]
        for device in connected {
            let standing: Standing =
                device.peer == channel
                ? .busy
                : device.isBonded ? .idle : pairing == .comparing(device.peer) ? .pairing : .stranger
            let before = visits[device.peer]
            present[device.peer] =
                before?.standing == standing ? before : Visit(standing: standing, since: now)
            if standing == .busy { idleVisits[device.peer] = nil }
        }
        visits = present
        let hasPhone = present.values.contains { $0.standing == .idle || $0.standing == .busy }
        // While phones may pair, a device without keys gets `strangerLimit` to begin.
        let hasRightOfWay = hasPhone && pairing != .open
        return present.sorted { $0.key.address.description < $1.key.address.description }.compactMap { peer, visit in
            drop(peer, visit, hasRightOfWay, at: now).map { Drop(peer: peer, reason: $0) }
        }
    }

    private mutating func drop(
        _ peer: BluetoothPeer, _ visit: Visit, _ hasRightOfWay: Bool, at now: Instant
    ) -> IdleConnection? {
        switch visit.standing {
        case .busy, .pairing: return nil
        case .stranger:
            if hasRightOfWay { return .madeWay }
            return now >= visit.since + LinkPolicy.strangerLimit ? .didNotPair : nil
        case .idle:
            let before = idleVisits[peer, default: 0]
            let limit = Microseconds(LinkPolicy.idleLimit.count << before)
            guard now >= visit.since + limit else { return nil }
            idleVisits[peer] = min(before + 1, LinkPolicy.mostDoublings)
            // If the connection does not end now, its time starts again.
            visits[peer] = Visit(standing: .idle, since: now)
            return .openedNoChannel
        }
    }
}
