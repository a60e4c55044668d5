import BluetoothBridge
import BluetoothBridgeTesting
import Testing
import WatchLink
import WormholeTesting

struct InMemoryControlTests {
    private let clock: ManualClock
    private let air: InMemoryBluetooth
    private let watch: InMemoryControl
    private let phone: InMemoryControl
    private let watchPeer: BluetoothPeer
    private let phonePeer: BluetoothPeer

    init() throws {
        let clock = ManualClock()
        self.clock = clock
        air = InMemoryBluetooth(clock: clock, digits: { "042042" })
        watchPeer = BluetoothPeer(try #require(BluetoothAddress("00:AA:01:00:00:23")), .public)
        phonePeer = BluetoothPeer(try #require(BluetoothAddress("00:AA:01:01:00:24")), .public)
        watch = air.machine(
            adapters: [BluetoothAdapter(name: "hci0", address: watchPeer.address, alias: "watch", isOn: true)])
        phone = air.machine(
            adapters: [BluetoothAdapter(name: "hci0", address: phonePeer.address, alias: "phone", isOn: false)])
    }

    @Test func `an adapter is chosen by name, or the first that is on`() async throws {
        #expect(try await phone.adapter(named: nil).name == "hci0")
        #expect(try await phone.adapter(named: "hci0").isOn == false)
        await #expect(throws: BluetoothError.noAdapter(name: "hci3")) { try await phone.adapter(named: "hci3") }
        await #expect(throws: BluetoothError.noAdapter(name: nil)) {
            try await air.machine(adapters: []).adapter(named: nil)
        }
    }

    @Test func `a watch is found, paired by its digits, connected, and tells its PSM`() async throws {
        await #expect(throws: BluetoothError.adapterDown(name: "hci0")) {
            _ = try await phone.discover(.tapline, on: "hci0", for: .seconds(15))
        }
        try await phone.powerOn("hci0")
        let advertising = try await watch.advertise(BluetoothAdvertisement(name: "Tapline 7"), on: "hci0")
        let serving = try await watch.serve(
            WatchServices(channelNumber: 0x83, battery: BatteryLevel(70)),
            on: "hci0")
        let found = try await phone.discover(.tapline, on: "hci0", for: .seconds(15)) { _ in true }.first
        #expect(found?.peer == watchPeer && found?.name == "Tapline 7" && found?.trust == .stranger)
        await #expect(throws: BluetoothError.self) {
            try await phone.pair(with: watchPeer, on: "hci0") { _ in .accept }
        }
        let answering = try await watch.answerPairing(on: "hci0") { $0.digits == "042042" ? .accept : .reject }
        try await phone.pair(with: watchPeer, on: "hci0") { $0.digits == "042042" ? .accept : .reject }
        await answering.end()
        #expect(try await phone.bonds(on: "hci0").map(\.peer) == [watchPeer])
        #expect(try await watch.bonds(on: "hci0").map(\.peer) == [phonePeer])
        try await phone.connect(to: watchPeer, on: "hci0")
        #expect(try await phone.channelNumber(of: watchPeer, on: "hci0") == 0x83)
        try await phone.forget(watchPeer, on: "hci0")
        #expect(try await phone.bonds(on: "hci0").isEmpty)
        await serving.end()
        await advertising.end()
        await #expect(throws: BluetoothError.outOfReach(watchPeer.address)) {
            try await phone.connect(to: watchPeer, on: "hci0")
        }
    }

    @Test func `a discovery ends when its time is over`() async throws {
        try await phone.powerOn("hci0")
        let found = Task { [phone] in try await phone.discover(.tapline, on: "hci0", for: .seconds(15)) }
        await clock.waitForSleeper(until: .start + .seconds(15))
        clock.advance(by: .seconds(15))
        #expect(try await found.value.isEmpty)
    }

    @Test(arguments: [PairingDecision.accept, .reject])
    func `who says no leaves no keys on either side`(_ phoneSays: PairingDecision) async throws {
        try await phone.powerOn("hci0")
        let advertising = try await watch.advertise(BluetoothAdvertisement(name: "Tapline 7"), on: "hci0")
        let answering = try await watch.answerPairing(on: "hci0") { _ in phoneSays == .accept ? .reject : .accept }
        await #expect(throws: BluetoothError.self) {
            try await phone.pair(with: watchPeer, on: "hci0") { _ in phoneSays }
        }
        #expect(try await phone.bonds(on: "hci0").isEmpty)
        #expect(try await watch.bonds(on: "hci0").isEmpty)
        await answering.end()
        await advertising.end()
    }

    @Test func `a daemon that goes is an error at once; registrations wait for it`() async throws {
        let advertising = try await watch.advertise(BluetoothAdvertisement(name: "Tapline 7"), on: "hci0")
        watch.setDaemon(failing: .noDaemon)
        await #expect(throws: BluetoothError.noDaemon) { try await watch.adapters() }
        for await state in advertising.states() where state == .waiting(.noDaemon) { break }
        watch.setDaemon(failing: nil)
        for await state in advertising.states() where state == .active { break }
        await advertising.end()
        for await state in advertising.states() where state == .ended { break }
    }
}
