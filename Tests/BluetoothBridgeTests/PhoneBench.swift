import BluetoothBridgeTesting
import Synchronization
import WatchLink
import Wormhole
import WormholeTesting

@testable import BluetoothBridge

/// A phone with an in-memory radio link, the watches that it has keys for, and a clock that only the test advances.
final class PhoneBench: Sendable {
    /// A device in reach of the phone. It advertises and answers pairings as long as this value exists.
    struct Neighbour: Sendable {
        let control: InMemoryControl
        let peer: BluetoothPeer
        let advertising: BluetoothRegistration
        let answering: BluetoothRegistration

        var address: BluetoothAddress { peer.address }
    }

    struct Restless: Error, CustomStringConvertible {
        let description: String
    }

    static let phoneAddress = address(0xFF)

    let air = InMemoryBluetooth(digits: { "042042" })
    let phone: InMemoryControl
    let clock = ManualClock()
    let log = RecordedLog()
    let openings: Openings

    init() {
        openings = Openings(clock)
        phone = air.machine(
            adapters: [BluetoothAdapter(name: "hci0", address: Self.phoneAddress, alias: "phone", isOn: true)])
    }

    func makeListener(_ memory: WatchMemory = WatchMemory()) -> BondedWatches {
        BondedWatches(phone, adapter: nil, memory: memory, clock: clock, logger: log.logger(), open: openings.open)
    }

    /// Creates a device that advertises a service and accepts pairings. `number` is the last byte of its address.
    func neighbour(_ number: UInt8, _ service: BluetoothUUID = .tapline) async throws -> Neighbour {
        let address = Self.address(number)
        let control = air.machine(
            adapters: [BluetoothAdapter(name: "hci0", address: address, alias: "\(number)", isOn: true)])
        return Neighbour(
            control: control, peer: BluetoothPeer(address, .public),
            advertising: try await control.advertise(
                BluetoothAdvertisement(name: "\(number)", service: service), on: "hci0"),
            answering: try await control.answerPairing(on: "hci0") { _ in .accept })
    }

    func bond(_ neighbour: Neighbour) async throws {
        try await phone.pair(with: neighbour.peer, on: "hci0") { _ in .accept }
    }

    func bonded(_ number: UInt8, _ service: BluetoothUUID = .tapline) async throws -> Neighbour {
        let neighbour = try await neighbour(number, service)
        try await bond(neighbour)
        return neighbour
    }

    /// Waits until the sleeping tasks have exactly these deadlines, counted from the start.
    func rest(until times: Microseconds...) async throws { try await rest(until: times) }

    /// Waits as `rest` does for these deadlines, and then advances the clock to `first`.
    func pass(to first: Microseconds, _ others: Microseconds...) async throws {
        try await rest(until: [first] + others)
        go(to: first)
    }

    private func rest(until times: [Microseconds]) async throws {
        let wanted = times.map { WatchLink.Instant.start + $0 }
        while clock.deadlines != wanted {
            guard !Task.isCancelled else {
                throw Restless(description: "waiting for \(clock.deadlines), and not for \(wanted)")
            }
            await Task.yield()
        }
    }

    /// Waits until the phone has logged that it no longer serves the watch.
    func end(of watch: Neighbour) async throws {
        while !log.messages.contains("\(watch.address) is no longer a bonded watch") {
            guard !Task.isCancelled else { throw Restless(description: "\(watch.address) is still served") }
            await Task.yield()
        }
    }

    /// Sends a pong from the watch, and receives it on the phone. From then on, the phone counts the link as open.
    func openLink(over channel: any DatagramTransport, with watch: Neighbour) async throws {
        try await openings.watchEnd(of: watch.address)?.send([FrameKind.pong.rawValue, 0xA1, 0, 1])
        _ = try await channel.receive()
    }

    /// Sends a goodbye from the watch, and closes the watch's end. Closes the phone's end when the goodbye has arrived.
    func hearGoodbye(
        _ reason: GoodbyeReason, of watch: Neighbour, over channel: any DatagramTransport
    ) async throws {
        let watchEnd = openings.watchEnd(of: watch.address)
        try await watchEnd?.send([FrameKind.goodbye.rawValue, 0xA1, 0, reason.rawValue])
        watchEnd?.close()
        _ = try await channel.receive()
        channel.close()
    }

    func go(to time: Microseconds) { clock.advance(by: WatchLink.Instant.start + time - clock.now) }

    private static func address(_ number: UInt8) -> BluetoothAddress {
        // Six bytes are always a valid address.
        BluetoothAddress(bytes: [0, 0xAA, 1, 0, 0, number])!
    }
}

/// Opens in-memory channels or fails, as the test has set, and records each attempt.
final class Openings: Sendable {
    enum Answer: Sendable {
        /// Opens a channel on this PSM, and refuses other PSMs.
        case takes(psm: UInt16 = L2CAPListener.usualPSM)
        case fails(BluetoothError)
        case hangs
    }

    struct Attempt: Equatable {
        let watch: BluetoothAddress
        let psm: UInt16
        let at: Microseconds

        init(_ watch: BluetoothAddress, _ at: Microseconds, psm: UInt16 = L2CAPListener.usualPSM) {
            self.watch = watch
            self.psm = psm
            self.at = at
        }
    }

    private struct State {
        var answers: [BluetoothAddress: Answer] = [:]
        var attempts: [Attempt] = []
        var watchEnds: [BluetoothAddress: InMemoryTransport] = [:]
    }

    private let clock: ManualClock
    private let state = Mutex(State())

    init(_ clock: ManualClock) { self.clock = clock }

    var attempts: [Attempt] { state.withLock { $0.attempts } }

    /// Returns the watch's end of the newest channel to this watch.
    func watchEnd(of watch: BluetoothAddress) -> InMemoryTransport? { state.withLock { $0.watchEnds[watch] } }

    func answer(_ watch: BluetoothAddress, _ answer: Answer) { state.withLock { $0.answers[watch] = answer } }

    var open: BondedWatches.Opening {
        { [self] watch, psm, adapter throws(BluetoothError) in
            let answer = state.withLock { state in
                state.attempts.append(Attempt(watch.address, clock.now - .start, psm: psm))
                return state.answers[watch.address] ?? .takes()
            }
            switch answer {
            case .takes(psm):
                let (phoneEnd, watchEnd) = InMemoryTransport.pair()
                state.withLock { $0.watchEnds[watch.address] = watchEnd }
                return phoneEnd
            case .takes: throw .notListening(watch.address, psm: psm)
            case .fails(let error): throw error
            case .hangs:
                try? await clock.sleep(until: WatchLink.Instant(microseconds: .max))
                throw .ended
            }
        }
    }
}

extension RecordedLog {
    var warnings: [String] { lines.filter { $0.level >= .warning }.map(\.message) }
}
