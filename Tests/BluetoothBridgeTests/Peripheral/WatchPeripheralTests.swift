import BluetoothBridgeTesting
import HostSystem
import Testing
import WatchLink
import WormholeTesting

@testable import BluetoothBridge

private final class TestWearer: Wearer {
    struct State: Equatable {
        var openings = 0
        var questions = 0
        var decision = PairingDecision.accept
        var seesOpenMode = false
    }

    let state = Published(State())

    var openings: Int { state.value.openings }

    func showPairingMode(isOpen: Bool) { state.update { $0.seesOpenMode = isOpen } }

    func compare(_ request: PairingRequest) async -> PairingDecision {
        state.update { $0.questions += 1 }
        return state.value.decision
    }
}

@Suite(.timeLimit(.minutes(60)))
struct WatchPeripheralTests {
    private let clock = ManualClock()
    private let air: InMemoryBluetooth
    private let watch: InMemoryControl
    private let phone: InMemoryControl
    private let watchPeer: BluetoothPeer
    private let phonePeer: BluetoothPeer
    private let notes = Published<[PeripheralNote]>([])
    private let wearer = TestWearer()
    private let banned = BannedPeers()

    init() throws {
        air = InMemoryBluetooth(clock: clock, digits: { "042042" })
        watchPeer = BluetoothPeer(try #require(BluetoothAddress("00:AA:01:00:00:23")), .public)
        phonePeer = BluetoothPeer(try #require(BluetoothAddress("00:AA:01:01:00:24")), .public)
        watch = air.machine(
            adapters: [
                BluetoothAdapter(name: "hci0", address: watchPeer.address, alias: "watch", isOn: true, isPairable: true)
            ])
        phone = air.machine(
            adapters: [BluetoothAdapter(name: "hci0", address: phonePeer.address, alias: "phone", isOn: true)])
    }

    private func start() async throws -> WatchPeripheral {
        let peripheral = WatchPeripheral(
            watch, adapter: "hci0", advertisement: BluetoothAdvertisement(name: "wrist"), wearer: wearer,
            phone: Published(nil), banned: banned, clock: clock
        ) { [notes] note in
            notes.update { $0.append(note) }
        }
        try await peripheral.start(letsPhonesPair: false)
        return peripheral
    }

    /// Advances the clock by this many seconds, and calls `check` twice a second as `WatchPeripheral.run` does.
    private func pass(_ seconds: UInt32, _ peripheral: WatchPeripheral) async {
        for _ in 0..<(2 * seconds) {
            clock.advance(by: .milliseconds(500))
            await peripheral.check()
        }
    }

    private var isPairable: Bool {
        get async throws { try await watch.adapter(named: "hci0").isPairable }
    }

    private func pair() async throws {
        try await phone.pair(with: watchPeer, on: "hci0") { _ in .accept }
    }

    @Test
    func `A watch without a bond can be paired with for two minutes from its start; the adapter is pairable only then`()
        async throws
    {
        let peripheral = try await start()
        #expect(try await isPairable)
        await pass(119, peripheral)
        #expect(try await isPairable && wearer.state.value.seesOpenMode)
        await pass(2, peripheral)
        #expect(try await !isPairable && !wearer.state.value.seesOpenMode)
        await #expect(throws: BluetoothError.self) { try await pair() }
        #expect(notes.value == [.pairingOpen, .pairingClosed])
    }

    @Test func `A watch with a bond can be paired with after its owner has asked for it, by one phone`() async throws {
        var peripheral = try await start()
        try await pair()
        await pass(1, peripheral)
        #expect(notes.value == [.pairingOpen, .paired(phonePeer), .pairingClosed])
        #expect(try await !isPairable)
        notes.set([])
        // BlueZ makes an adapter that was plugged in pairable.
        try watch.setPairable(true, of: "hci0")
        peripheral = try await start()
        #expect(try await !isPairable)
        #expect(notes.value == [.pairingClosed])
        wearer.state.update { $0.openings += 1 }
        await pass(1, peripheral)
        #expect(try await isPairable && wearer.state.value.seesOpenMode)
    }

    @Test
    func `A pairing without a comparison closes the adapter at once, is told, and the next is possible after a pause`()
        async throws
    {
        let peripheral = try await start()
        for pause in [2, 4, 8] as [UInt32] {
            #expect(try await isPairable)
            #expect(throws: BluetoothError.notCompared(watchPeer.address, .passkey)) {
                try phone.pair(with: watchPeer, on: "hci0", by: .passkey)
            }
            #expect(try await !isPairable)
            let refused = PeripheralNote.refused(phonePeer, .passkey, resuming: pause)
            await hear(refused)
            await pass(pause - 1, peripheral)
            #expect(try await !isPairable)
            await pass(2, peripheral)
        }
        #expect(wearer.state.value.questions == 0)
        #expect(banned.contains(phonePeer), "it might have guessed right")
        // The phone's owner says no after the wearer's yes.
        await #expect(throws: BluetoothError.self) {
            try await phone.pair(with: watchPeer, on: "hci0") { _ in .reject }
        }
        await pass(60, peripheral)
        #expect(banned.contains(phonePeer))
        #expect(try await isPairable)
        try await pair()
        #expect(!banned.contains(phonePeer), "it opens its channel before the next look")
        await peripheral.check()
        #expect(!banned.contains(phonePeer))
    }

    @Test func `A device that does nothing is disconnected after seconds, with a line a minute at most`() async throws {
        let peripheral = try await start()
        var visits = 0
        for _ in 0..<110 {
            if try await !isConnected {
                try await phone.connect(to: watchPeer, on: "hci0")
                visits += 1
            }
            await pass(1, peripheral)
            await settled()
        }
        #expect(visits > 10)
        let told = notes.value.compactMap { note -> UInt32? in
            if case .disconnected(phonePeer, .didNotPair, let others) = note { others } else { nil }
        }
        #expect(told.count == 2)
        #expect(told.last ?? 0 > 5)
    }

    @Test func `While a device is connected the watch is advertised again, for others`() async throws {
        let peripheral = try await start()
        let before = air.advertisements(of: watchPeer.address)
        try await phone.connect(to: watchPeer, on: "hci0")
        await peripheral.check()
        let during = air.advertisements(of: watchPeer.address)
        #expect(before.count == 1 && during.count == 1 && before != during)
        await peripheral.check()
        #expect(air.advertisements(of: watchPeer.address) == during)
    }

    @Test func `At the end nothing is left: no advertisement, and no adapter that is pairable`() async throws {
        let peripheral = try await start()
        let run = Task { await peripheral.run() }
        run.cancel()
        await run.value
        #expect(air.advertisements(of: watchPeer.address).isEmpty)
        #expect(try await !isPairable)
    }

    private var isConnected: Bool {
        get async throws { try await watch.devices(on: "hci0").contains { $0.connection != .none } }
    }

    /// Yields, so that the tasks that disconnect devices can run.
    private func settled() async {
        for _ in 0..<20 { await Task.yield() }
    }

    private func hear(_ note: PeripheralNote) async {
        for await notes in notes.values() where notes.last == note { return }
    }
}
