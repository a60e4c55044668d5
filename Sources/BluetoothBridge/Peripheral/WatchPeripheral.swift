import HostSystem
import WatchLink
import Wormhole

/// A watch as a Bluetooth peripheral on an adapter. It advertises, lets phones pair while the owner wants that, and ends unused
/// connections. Twice a second it asks `PairingMode` and `LinkPolicy` what to do, and does it.
final actor WatchPeripheral {
    private enum Comparison {
        case none
        case asking(BluetoothPeer)
        /// The wearer has confirmed the digits, and the phone has to confirm them before `until`. The bonds in `before` are
        /// those that existed before the pairing. If `wasBanned` is true and the pairing fails, the watch bans the device
        /// again.
        case confirmed(BluetoothPeer, before: Set<BluetoothPeer>, wasBanned: Bool, until: Instant)
    }

    private struct Answering {
        let isAsking: Bool
        let registration: BluetoothRegistration
    }

    static let checkInterval = Microseconds.milliseconds(500)
    /// How long the watch waits for the phone to confirm the digits, once the wearer has confirmed them. Pairing fails 30 s
    /// after its last message (Core Specification 5.4, volume 3, part H, section 3.4). That message came before the digits were
    /// shown, so a longer wait would be useless.
    static let confirmation = Microseconds.seconds(30)
    /// The minimum time between two notes of these kinds: a connection was unused; a pairing was refused while the pairing mode
    /// was closed.
    static let noteInterval = Microseconds.seconds(60)

    private let control: any BluetoothControl
    private let adapter: String
    private let advertisement: BluetoothAdvertisement
    private let clock: any LinkClock
    private let wearer: any Wearer
    private let phone: Published<BluetoothPeer?>
    private let note: @Sendable (PeripheralNote) -> Void
    private let banned: BannedPeers

    private var mode = PairingMode()
    private var links = LinkPolicy()
    private var comparison = Comparison.none
    private var answering: Answering?
    private var advertising: BluetoothRegistration?
    private var connected: Set<BluetoothPeer> = []
    private var leaving: Set<BluetoothPeer> = []
    private var bonds: Set<BluetoothPeer> = []
    private var lastStrangerNote: Instant?
    private var silentDrops: UInt32 = 0
    private var announced = PeripheralNote.pairingClosed
    private var openings = 0

    /// - Parameters:
    ///   - phone: the phone whose channel is open, nil if no channel is open. Another object sets it.
    ///   - banned: this watch adds each device that tries to pair without comparing digits. It removes a device when the wearer
    ///     confirms the device's digits.
    init(
        _ control: any BluetoothControl, adapter: String, advertisement: BluetoothAdvertisement, wearer: any Wearer,
        phone: Published<BluetoothPeer?>, banned: BannedPeers, clock: any LinkClock = SystemClock(),
        note: @escaping @Sendable (PeripheralNote) -> Void
    ) {
        self.control = control
        self.adapter = adapter
        self.advertisement = advertisement
        self.wearer = wearer
        self.phone = phone
        self.banned = banned
        self.clock = clock
        self.note = note
    }
}

extension WatchPeripheral {
    /// Starts to advertise. Opens the pairing mode if `letsPhonesPair` is true or the watch has no bond. Throws the errors of
    /// the control's `bonds` and `advertise`.
    func start(letsPhonesPair: Bool) async throws(BluetoothError) {
        bonds = Set(try await control.bonds(on: adapter).map(\.peer))
        advertising = try await control.advertise(advertisement, on: adapter)
        // Without a bond the watch is new, and its owner wants to pair.
        if letsPhonesPair || bonds.isEmpty { mode.open(at: clock.now) }
        await check()
        if mode.isClosed { note(.pairingClosed) }
    }

    /// Calls `check` twice a second until the task is cancelled. Then stops answering pairings, and stops advertising.
    func run() async {
        while !Task.isCancelled {
            // A cancelled pause ends the loop.
            try? await clock.sleep(until: clock.now + WatchPeripheral.checkInterval)
            await check()
        }
        await answering?.registration.end()
        await advertising?.end()
    }

    /// Does what `PairingMode` and `LinkPolicy` decide now: may open or close the pairing mode, disconnect devices and
    /// advertise again.
    func check() async {
        guard let adapters = try? await control.adapters(), let devices = try? await control.devices(on: adapter) else {
            // Registrations themselves wait for bluetoothd and the adapter.
            return
        }
        let now = clock.now
        concludeComparison(devices, at: now)
        mode.advance(to: now)
        let asked = wearer.openings
        if asked > openings {
            mode.open(at: now)
            announce(.pairingOpen)
        }
        openings = asked
        for drop in links.update(devices, channel: phone.value, pairing: pairing, at: now) {
            disconnect(drop, at: now)
        }
        await applyMode(to: adapters.first { $0.name == adapter })
        await advertiseToOthers(devices)
    }

    private var pairing: LinkPolicy.Pairing {
        switch comparison {
        case .asking(let peer), .confirmed(let peer, _, _, _): .comparing(peer)
        case .none: mode.isPairable ? .open : .closed
        }
    }
}

// MARK: Pairing

extension WatchPeripheral {
    private func compare(_ request: PairingRequest) async -> PairingDecision {
        guard mode.asks(at: clock.now) else { return .reject }
        comparison = .asking(request.peer)
        let decision = await wearer.compare(request)
        switch decision {
        case .accept:
            let deadline = clock.now + WatchPeripheral.confirmation
            // Lifts a ban at once, because a phone opens its channel as soon as it has its keys.
            let wasBanned = banned.admit(request.peer)
            comparison = .confirmed(request.peer, before: bonds, wasBanned: wasBanned, until: deadline)
        case .reject: fail(request.peer)
        }
        return decision
    }

    private func concludeComparison(_ devices: [BluetoothDevice], at now: Instant) {
        bonds = Set(devices.filter(\.isBonded).map(\.peer))
        guard case .confirmed(let peer, let before, let wasBanned, let deadline) = comparison else { return }
        // A phone may connect with one address, and bond with another address.
        if bonds.contains(peer) || !bonds.isSubset(of: before) {
            comparison = .none
            mode.succeeded()
            note(.paired(bonds.subtracting(before).first ?? peer))
        } else if now >= deadline || !devices.contains(where: { $0.peer == peer && $0.isConnected }) {
            if wasBanned { banned.ban(peer) }
            fail(peer)
        }
    }

    private func fail(_ peer: BluetoothPeer) {
        comparison = .none
        note(.notConfirmed(peer, resuming: pauseAfterFailure()))
    }

    /// Bans a device that wanted to pair without comparing digits. Its link is already ending.
    private func refuse(_ peer: BluetoothPeer, _ method: PairingMethod) {
        banned.ban(peer)
        let pause = pauseAfterFailure()
        // While no phone may pair, an attacker can cause any number of refusals.
        if pause == nil, !mayNote(at: clock.now) { return }
        note(.refused(peer, method, resuming: pause))
    }

    /// Reports a failed pairing to the pairing mode. Returns the seconds until phones may pair again, rounded up; nil if the
    /// mode is now closed.
    private func pauseAfterFailure() -> UInt32? {
        let now = clock.now
        return mode.failed(at: now).map { ($0 - now + .milliseconds(999)).wholeSeconds }
    }

    private func applyMode(to adapter: BluetoothAdapter?) async {
        let news = mode.isClosed ? PeripheralNote.pairingClosed : .pairingOpen
        if news != announced { announce(news) }
        let isPairable = mode.isPairable
        // The adapter's `isPairable` may differ from the mode: BlueZ makes every new adapter pairable, and a refusal ends that.
        let isApplied = (adapter?.isPairable ?? false) == isPairable
        if let answering, answering.isAsking == isPairable, isApplied { return }
        // The new registration replaces the old one before the old one ends.
        let old = answering
        do throws(BluetoothError) {
            answering = Answering(isAsking: isPairable, registration: try await answerPairing(isPairable))
        } catch {
            // Without bluetoothd or the adapter, the next check tries again.
            answering = nil
        }
        await old?.registration.end()
    }

    private func announce(_ news: PeripheralNote) {
        announced = news
        note(news)
        wearer.showPairingMode(isOpen: news == .pairingOpen)
    }

    private func answerPairing(_ isAsking: Bool) async throws(BluetoothError) -> BluetoothRegistration {
        let answer: PairingAnswer = { [weak self] request in await self?.compare(request) ?? .reject }
        return try await control.answerPairing(on: adapter, asking: isAsking ? answer : nil) {
            [weak self] peer, method in
            Task { await self?.refuse(peer, method) }
        }
    }
}

// MARK: Connections

extension WatchPeripheral {
    private func disconnect(_ drop: LinkPolicy.Drop, at now: Instant) {
        guard leaving.insert(drop.peer).inserted else { return }
        if mayNote(at: now) {
            note(.disconnected(drop.peer, drop.reason, others: silentDrops))
            silentDrops = 0
        } else {
            silentDrops += 1
        }
        // BlueZ takes two seconds. Meanwhile the other devices are checked.
        Task {
            try? await control.disconnect(from: drop.peer, on: adapter)
            leaving.remove(drop.peer)
        }
    }

    /// Returns true at most once in each `noteInterval`. Devices without keys could otherwise cause any number of notes.
    private func mayNote(at now: Instant) -> Bool {
        if let last = lastStrangerNote, now < last + WatchPeripheral.noteInterval { return false }
        lastStrangerNote = now
        return true
    }

    /// Advertises again after a device has connected, because each new connection stops the advertising. If the controller
    /// cannot advertise while a device is connected, the system resumes advertising when that device disconnects.
    private func advertiseToOthers(_ devices: [BluetoothDevice]) async {
        let before = connected
        connected = Set(devices.filter(\.isConnected).map(\.peer))
        if !connected.isSubset(of: before) {
            let old = advertising
            advertising = nil
            await old?.end()
        }
        if advertising == nil { advertising = try? await control.advertise(advertisement, on: adapter) }
    }
}

/// A note to the owner about the watch's Bluetooth. `line` returns its text.
public enum PeripheralNote: Hashable, Sendable {
    /// Phones may pair for two minutes.
    case pairingOpen
    /// No phone may pair until the owner opens the pairing mode.
    case pairingClosed
    /// A phone has bonded.
    case paired(BluetoothPeer)
    /// A device wanted to pair without comparing digits, and was refused. Phones may pair again after `resuming` seconds. If
    /// `resuming` is nil, no phone may pair until the owner opens the pairing mode.
    case refused(BluetoothPeer, PairingMethod, resuming: UInt32?)
    /// The digits of this device were not confirmed on both sides. Phones may pair again after `resuming` seconds. If
    /// `resuming` is nil, no phone may pair until the owner opens the pairing mode.
    case notConfirmed(BluetoothPeer, resuming: UInt32?)
    /// The watch disconnected a device because its connection was unused. Between the previous note of this kind and this note,
    /// there were `others` more disconnections.
    case disconnected(BluetoothPeer, IdleConnection, others: UInt32)
}

/// Why a connection counts as unused.
public enum IdleConnection: Hashable, Sendable {
    /// A device without keys did not pair.
    case didNotPair
    /// A bonded phone opened no channel.
    case openedNoChannel
    /// A device without keys was connected at the same time as a bonded phone, and was not allowed to pair.
    case madeWay
}

extension PeripheralNote {
    /// Returns the text of the note: one line without a full stop. `way` tells the owner how to let phones pair, such as `hold
    /// the side button on the watch's face`.
    public func line(toLetPair way: String) -> String {
        switch self {
        case .pairingOpen: "phones may pair for two minutes"
        case .pairingClosed: "no phone may pair now: \(way) to let one"
        case .paired(let peer): "paired with \(peer)"
        case .refused(let peer, let method, let pause):
            "\(peer) wanted to pair \(method) and was refused: "
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
}
