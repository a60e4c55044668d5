import HostSystem
import Testing

@testable import BluetoothBridge

/// Any program on the bus can send any signal to a connection. So a signal is ignored unless the right program has sent it.
/// `DaemonMachineTests` covers the signals about bluetoothd's objects.
struct ForgedSignalTests {
    @Test func `only the bus says which program is bluetoothd, and only bluetoothd what it has`() async throws {
        let place = try PrivateBus()
        let daemon = try await MadeUpDaemon(on: place)
        let control = try BlueZControl(address: place.address)
        await control.waitForDaemon { $0.isRunning }
        let before = control.link.now
        let forged = [
            BusSignal(
                path: "/org/freedesktop/DBus", interface: SystemBus.name, member: "NameOwnerChanged",
                body: [.string(BlueZ.name), .string(":1.1"), .string(":1.99")]),
            BusSignal(
                path: "/org/freedesktop/DBus", interface: SystemBus.name, member: "NameOwnerChanged",
                body: [.string(BlueZ.name), .string(":1.1"), .string("")]),
        ]
        for signal in forged {
            try await place.forge(signal)
            try await control.link.bus.awaitRules()
            #expect(control.link.now == before)
        }
        try await control.powerOn("hci0")
        #expect(daemon.calls.value == ["Set"])
    }

    @Test func `bluetoothd alone reads a watch's characteristics and stops what it was asked to tell`() async throws {
        let place = try PrivateBus()
        let daemon = try await MadeUpDaemon(on: place)
        let control = try BlueZControl(address: place.address)
        let services = WatchServices(channelNumber: 0x95, battery: BatteryLevel(50))
        try await control.powerOn("hci0")
        let registration = try await control.serve(services, on: "hci0")
        let read = BusCall(
            destination: daemon.caller.value, path: "/org/tapline/services1/service0/characteristic0",
            interface: BlueZ.gattCharacteristic, member: "ReadValue", body: [.named([:])])
        let stranger = try SystemBus(address: place.address)
        await #expect(throws: BluetoothError.notAllowed) { _ = try await stranger.call(read) }
        #expect(try await daemon.call(read) == [.bytes([0x95, 0])])
        await registration.end()
    }
}

extension SystemBus {
    /// Returns when the bus has handled all earlier calls, and this connection has received all earlier signals.
    fileprivate func awaitRules() async throws {
        _ = try await call(.ofBus("GetId"))
    }
}
