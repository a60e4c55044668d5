import Testing

@testable import BluetoothBridge

struct ObjectTreeTests {
    private let device = "/org/bluez/hci1/dev_00_AA_01_00_00_23"

    @Test func `a device comes, changes and goes as the signals say`() throws {
        var tree = ObjectTree()
        tree.apply(
            .added(
                device, BlueZ.device,
                [
                    "Address": .string("00:AA:01:00:00:23"), "AddressType": .string("random"),
                    "RSSI": .number("n", -60),
                    "UUIDs": .strings([BluetoothUUID.tapline.rawValue.uppercased()]), "Paired": .no,
                ]))
        var found = try #require(tree.devices(on: "hci1").first)
        #expect(found.peer.kind == .random && found.signalStrength == -60 && found.trust == .stranger)
        #expect(found.services == [.tapline] && found.connection == .none)
        #expect(tree.devices(on: "hci0").isEmpty && tree.devices(on: "hci").isEmpty)

        tree.apply(.changed(device, BlueZ.device, ["Paired": .yes, "Bonded": .no, "Connected": .yes], gone: ["RSSI"]))
        found = try #require(tree.device(at: device))
        #expect(found.trust == .paired && found.signalStrength == nil && found.connection == .connected)
        tree.apply(.changed(device, BlueZ.device, ["Bonded": .yes, "ServicesResolved": .yes]))
        found = try #require(tree.device(at: device))
        #expect(found.trust == .bonded && found.connection == .resolved)
        tree.apply(.changed(device, BlueZ.device, ["Connected": .no]))
        #expect(tree.device(at: device)?.connection == .resolved)

        tree.apply(.removed(device, BlueZ.device))
        #expect(tree == ObjectTree())
    }

    @Test func `a characteristic is found by its service as well`() {
        var tree = ObjectTree()
        for (number, service) in [BluetoothUUID.battery, .tapline].enumerated() {
            tree.apply(.added("\(device)/s\(number)", BlueZ.gattService, ["UUID": .string(service.rawValue)]))
            tree.apply(
                .added(
                    "\(device)/s\(number)/c", BlueZ.gattCharacteristic,
                    [
                        "UUID": .string(BluetoothUUID.channelNumber.rawValue),
                        "Service": .objectPath("\(device)/s\(number)"),
                    ]))
        }
        #expect(tree.characteristic(.channelNumber, in: .tapline, of: device) == "\(device)/s1/c")
        #expect(tree.characteristic(.batteryLevel, in: .tapline, of: device) == nil)
        #expect(tree.characteristic(.channelNumber, in: .tapline, of: device + "0") == nil)
    }

    @Test func `signals that are not as documented change nothing`() {
        var tree = ObjectTree()
        for signal in [
            BusSignal(path: "/", interface: BlueZ.objectManager, member: "InterfacesAdded", body: []),
            BusSignal(path: "/", interface: BlueZ.objectManager, member: "InterfacesAdded", body: [.yes, .no]),
            BusSignal(path: "/", interface: BlueZ.objectManager, member: "InterfacesRemoved", body: [.yes]),
            BusSignal(path: "/x", interface: BlueZ.properties, member: "PropertiesChanged", body: [.string("a")]),
            .changed(device, BlueZ.device, ["Paired": .yes]),
        ] {
            tree.apply(signal)
            #expect(tree == ObjectTree())
        }
    }

    @Test func `the path of a device is its address on an adapter`() throws {
        let address = try #require(BluetoothAddress("00:AA:01:00:00:23"))
        #expect(BlueZ.path(of: address, on: "hci1") == device)
        #expect(BlueZ.device(at: device)?.adapter == "hci1" && BlueZ.device(at: device)?.address == address)
        for path in ["/org/bluez/hci1", device + "/service0001", "/org/other/hci1/dev_00_AA_01_00_00_23", ""] {
            #expect(BlueZ.device(at: path) == nil)
        }
    }

    @Test(
        arguments: [
            ("wrist", "wrist"), ("\u{1B}[31mred\nPaired with X: ok", "[31mredPaired with X: ok"), ("a\u{202E}b", "ab"),
            ("M\u{FC}sli \u{1F95C}", "M\u{FC}sli \u{1F95C}"), ("\r\n", nil),
        ] as [(String, String?)])
    func `what a device calls itself does nothing on a terminal`(told: String, shown: String?) throws {
        var tree = ObjectTree()
        tree.apply(
            .added(device, BlueZ.device, ["Address": .string("00:AA:01:00:00:23"), "Name": .string(told)]))
        #expect(try #require(tree.device(at: device)).name == shown)
    }
}
