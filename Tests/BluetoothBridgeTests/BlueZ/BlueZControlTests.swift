import Testing

@testable import BluetoothBridge

@Suite(.timeLimit(.minutes(60)))
struct BlueZControlTests {
    private let advertisement = BluetoothAdvertisement(name: "Tapline 7")

    @Test func `without a bus every question ends at once, and says so`() async throws {
        let control = try BlueZControl(address: "unix:path=/nowhere/socket")
        let error = BluetoothError.noBus("No such file or directory")
        await #expect(throws: error) { try await control.adapters() }
        await #expect(throws: error) { try await control.powerOn("hci0") }
        await #expect(throws: error) { _ = try await control.advertise(advertisement, on: "hci0") }
        await #expect(throws: error) {
            _ = try await control.discover(.tapline, on: "hci0", for: BluetoothLimits.discovery)
        }
        await control.waitForDaemon { $0.state == .unreachable(error) }
    }

    @Test func `without bluetoothd every question ends at once, and says so`() async throws {
        let place = try PrivateBus()
        let control = try BlueZControl(address: place.address)
        await #expect(throws: BluetoothError.noDaemon) { try await control.adapters() }
        await #expect(throws: BluetoothError.noDaemon) { try await control.bonds(on: "hci0") }
        await control.waitForDaemon { $0.state == .absent }
    }

    @Test func `an adapter that is busy is asked again until it is on`() async throws {
        let place = try PrivateBus()
        let daemon = try await MadeUpDaemon(on: place, busy: 2)
        let control = try BlueZControl(address: place.address)
        await #expect(throws: BluetoothError.adapterDown(name: "hci0")) {
            _ = try await control.advertise(advertisement, on: "hci0")
        }
        try await control.powerOn("hci0")
        #expect(daemon.calls.value == ["Set", "Set", "Set"])
        #expect(try await control.adapters().map(\.isOn) == [true])
        await #expect(throws: BluetoothError.noAdapter(name: "hci7")) { try await control.powerOn("hci7") }
    }

    @Test func `a system that does not let this user in says so`() async throws {
        let place = try PrivateBus()
        let fault = BusFault(name: "org.freedesktop.DBus.Error.AccessDenied", message: "no")
        let daemon = try await MadeUpDaemon(on: place, refusing: fault)
        let control = try BlueZControl(address: place.address)
        await #expect(throws: BluetoothError.notAllowed) { try await control.powerOn("hci0") }
        withExtendedLifetime(daemon) {}
    }

    @Test func `what was registered with a daemon is registered with the next, until it ends`() async throws {
        let place = try PrivateBus()
        let control = try BlueZControl(address: place.address)
        var daemon: MadeUpDaemon? = try await MadeUpDaemon(on: place)
        await control.waitForDaemon { $0.isRunning && $0.runs == 1 }
        try await control.powerOn("hci0")
        let advertising = try await control.advertise(advertisement, on: "hci0")
        #expect(daemon?.calls.value == ["Set", "RegisterAdvertisement"])

        daemon = nil
        for await state in advertising.states() where state == .waiting(.noDaemon) { break }
        daemon = try await MadeUpDaemon(on: place)
        for await state in advertising.states() where state == .active { break }
        await control.waitForDaemon { $0.isRunning && $0.runs == 2 }
        #expect(daemon?.calls.value == ["Set", "RegisterAdvertisement"])
        await advertising.end()
        #expect(daemon?.calls.value == ["Set", "RegisterAdvertisement", "UnregisterAdvertisement"])
    }

    /// Returns a daemon and an advertisement on its adapter, after the adapter was unplugged.
    private func advertisingUnplugged(
        on place: PrivateBus
    ) async throws -> (MadeUpDaemon, BluetoothRegistration) {
        let control = try BlueZControl(address: place.address)
        let daemon = try await MadeUpDaemon(on: place)
        await control.waitForDaemon { $0.isRunning && $0.runs == 1 }
        try await control.powerOn("hci0")
        let advertising = try await control.advertise(advertisement, on: "hci0")
        daemon.unplug()
        for await state in advertising.states() where state == .waiting(.noAdapter(name: "hci0")) { break }
        return (daemon, advertising)
    }

    @Test func `what was registered on an adapter is registered again, and the adapter on, when it is plugged in anew`()
        async throws
    {
        let place = try PrivateBus()
        let (daemon, advertising) = try await advertisingUnplugged(on: place)
        daemon.plug()
        for await state in advertising.states() where state == .active { break }
        #expect(daemon.calls.value == ["Set", "RegisterAdvertisement", "Set", "RegisterAdvertisement"])
        await advertising.end()
    }

    @Test
    func
        `what an adapter that was plugged in refuses at first is registered in the end, though nothing changes meanwhile`()
        async throws
    {
        let place = try PrivateBus()
        let (daemon, advertising) = try await advertisingUnplugged(on: place)
        daemon.refuseToAdvertise(2)
        daemon.plug()
        for await state in advertising.states() where state == .active { break }
        #expect(daemon.calls.value.filter { $0 == "RegisterAdvertisement" }.count == 4)
        await advertising.end()
    }
}
