import Testing

@testable import BluetoothBridge

struct BluetoothErrorTests {
    private static let address = BluetoothAddress("00:AA:01:00:00:23")

    @Test(arguments: [
        ("org.freedesktop.DBus.Error.ServiceUnknown", BluetoothError.noDaemon),
        ("org.freedesktop.DBus.Error.NameHasNoOwner", .noDaemon),
        ("org.freedesktop.DBus.Error.NoReply", .noDaemon),
        ("org.freedesktop.DBus.Error.AccessDenied", .notAllowed),
        ("org.freedesktop.DBus.Error.TimedOut", .timedOut),
        ("org.bluez.Error.Failed", .refused("org.bluez.Error.Failed", "why")),
    ])
    func `errors of the bus`(_ name: String, _ error: BluetoothError) {
        #expect(BluetoothError(BusFault(name: name, message: "why")) == error)
    }

    @Test func `errors of BlueZ in the light of what was asked`() throws {
        let address = try #require(BluetoothErrorTests.address)
        let device = BluetoothError.Subject.device(address, adapter: "hci1")
        let cases: [(String, String, BluetoothError)] = [
            ("org.bluez.Error.NotReady", "", .adapterDown(name: "hci1")),
            ("org.bluez.Error.Blocked", "", .adapterBlocked(name: "hci1")),
            ("org.bluez.Error.AlreadyExists", "", .alreadyPaired(address)),
            ("org.bluez.Error.DoesNotExist", "", .outOfReach(address)),
            ("org.freedesktop.DBus.Error.UnknownObject", "", .outOfReach(address)),
            ("org.bluez.Error.Failed", "le-connection-abort-by-local", .outOfReach(address)),
            ("org.bluez.Error.Failed", "else", .refused("org.bluez.Error.Failed", "else")),
        ]
        for (name, message, expected) in cases {
            #expect(BluetoothError.refused(name, message).about(device) == expected)
        }
        for name in ["Failed", "Canceled", "Rejected", "Timeout"] {
            let error = BluetoothError.refused("org.bluez.Error.Authentication" + name, "").about(device)
            guard case .pairingFailed(address, _) = error else {
                Issue.record("\(name): \(error)")
                continue
            }
        }
        #expect(
            BluetoothError.refused("org.freedesktop.DBus.Error.UnknownObject", "").about(.adapter("hci4"))
                == .noAdapter(name: "hci4"))
        #expect(BluetoothError.noDaemon.about(device) == .noDaemon)
    }

    @Test func `every error is one line`() throws {
        let address = try #require(BluetoothErrorTests.address)
        for error in [
            BluetoothError.timedOut, .cancelled, .alreadyPaired(address), .noDaemon, .notAllowed, .noBus("gone"),
            .noAdapter(name: nil), .pairingFailed(address, "no"), .noService(address),
        ] {
            #expect(!error.description.isEmpty && !error.description.contains("\n"))
        }
    }
}
