import GuestAdapters
import Testing
import Wormhole

@testable import BluetoothBridge

struct LocalAdapterTests {
    // Six bytes. No adapter has this address.
    private let nobody = BluetoothAddress("00:00:00:00:00:01")!

    @Test
    func `An adapter that is not there is an error that names it, on machines without Bluetooth, too`() async throws {
        #expect(throws: BluetoothError.noAdapter(name: "hci99")) { try LocalAdapter.named("hci99") }
        #expect(throws: BluetoothError.noAdapter(name: "00:00:00:00:00:01")) { try LocalAdapter.at(nobody) }
        #expect(throws: BluetoothError.noAdapter(name: "00:00:00:00:00:01")) { _ = try L2CAPListener(on: nobody) }
        let connector = L2CAPConnector(to: BluetoothPeer(nobody, .random), psm: 0x80, from: nobody)
        await #expect(throws: BluetoothError.noAdapter(name: "00:00:00:00:00:01")) { _ = try await connector.open() }
        await #expect(throws: WormholeError(.noAdapter(name: "00:00:00:00:00:01"))) {
            _ = try await connector.connect()
        }
    }

    @Test func `Each adapter is found by its name and by its address`() throws {
        for adapter in try LocalAdapter.all() {
            #expect(adapter.name == "hci\(adapter.index)")
            #expect(try LocalAdapter.named(adapter.name) == adapter)
            #expect(try LocalAdapter.at(adapter.address) == adapter)
        }
    }
}

extension AdapterTests {
    struct LocalAdaptersTests {
        @Test
        func `Both are listed, and one that is off says so`() throws {
            let air = try Air()
            #expect(try LocalAdapter.all().map(\.name) == ["hci0", "hci1"])
            try air.power(false, air.watch)
            #expect(try LocalAdapter.all().map(\.isOn) == [false, true])
            try air.power(true, air.watch)
        }
    }
}
