import HostSystem
import Testing

@testable import BluetoothBridge

/// Any program on the bus can send any signal to a connection: what counts is from whom it is.
struct ForgedSignalTests {
    private let name = "org.tapline.Test"

    private func rang(_ text: String) -> BusSignal {
        BusSignal(path: "/test", interface: name, member: "Rang", body: [.string(text)])
    }

    @Test
    func `a signal is heard from the owner of the name alone, also after the name has another owner`() async throws {
        let place = try PrivateBus()
        try place.start()
        var server: SystemBus? = try await place.connection(named: name)
        let client = try SystemBus(address: place.address)
        let heard = Published<[String]>([])
        client.subscribe(BusMatch(sender: name, interface: name, member: "Rang")) { signal in
            heard.update { $0.append(signal.body.first?.text ?? "") }
        }
        try await client.awaitRules()
        try await place.forge(rang("forged"))
        server?.emit(rang("one"))
        for await texts in heard.values() where texts.last == "one" { break }
        let question = BusOwners.question(about: name)
        let first = try await client.call(question)
        server = nil
        server = try await place.connection(named: name)
        while try await client.call(question) == first {}
        try await place.forge(rang("forged"))
        server?.emit(rang("two"))
        for await texts in heard.values() where texts.last == "two" { break }
        #expect(heard.value == ["one", "two"])
    }

    @Test func `nobody but the bus says who bluetoothd is, and nobody but bluetoothd what it has`() async throws {
        let place = try PrivateBus()
        try place.start()
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
        try place.start()
        let daemon = try await MadeUpDaemon(on: place)
        let control = try BlueZControl(address: place.address)
        let services = WatchServices(
            channelNumber: 0x95,
            battery: BatteryLevel(50))
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
    /// Returns when the bus has taken in what was asked of it before, and what it had sent before is delivered.
    fileprivate func awaitRules() async throws {
        let call = BusCall(
            destination: SystemBus.name, path: "/org/freedesktop/DBus", interface: SystemBus.name, member: "GetId")
        _ = try await self.call(call)
    }
}
