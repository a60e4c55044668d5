import Glibc
import SystemPackage
import Testing
import Wormhole

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
}

struct ChannelErrorTests {
    // Six bytes.
    private let address = BluetoothAddress("00:1B:DC:07:32:EF")!

    @Test func `The kernel's errors are reported by their meaning on a radio link`() {
        let expected: [CInt: BluetoothError] = [
            ECONNREFUSED: .notListening(address, psm: 0x85),
            EACCES: .bondLost(address),
            EBADE: .bondLost(address),
            EHOSTDOWN: .outOfReach(address),
            ETIMEDOUT: .outOfReach(address),
            ENOSYS: .outOfReach(address),
            ECONNRESET: .cutOff(address),
            ECONNABORTED: .cutOff(address),
            ENOMEM: .system(call: "connect", .noMemory),
        ]
        for (reason, meaning) in expected {
            #expect(BluetoothError(connectingTo: address, psm: 0x85, Errno(rawValue: reason)) == meaning)
        }
    }

    @Test func `An endpoint gets the reason in one line, and an end as an end`() {
        #expect(WormholeError(.ended) == .closed)
        #expect(
            WormholeError(.outOfReach(address))
                == .transport("00:1B:DC:07:32:EF does not answer: is it nearby and switched on?"))
        #expect("\(WormholeError(.outOfReach(address)))" == "\(BluetoothError.outOfReach(address))")
        #expect(BluetoothError(.closed) == .ended)
        #expect(
            BluetoothError(.system(call: "accept", path: nil, .tooManyOpenFiles))
                == .system(call: "accept", .tooManyOpenFiles))
    }

    @Test func `A refusal of one peer differs from what stands in every peer's way`() {
        #expect(BluetoothError.insecure(address, level: 2).isRefusal)
        #expect(BluetoothError.tooNarrow(address, bytes: 23).isRefusal)
        #expect(!BluetoothError.system(call: "accept", .tooManyOpenFiles).isRefusal)
        #expect(!BluetoothError.ended.isRefusal)
    }
}

struct BluetoothAddressTests {
    @Test func `an address is read and written as it is printed on a dongle`() throws {
        let address = try #require(BluetoothAddress("00:1b:DC:07:32:eF"))
        #expect(address.bytes == [0x00, 0x1B, 0xDC, 0x07, 0x32, 0xEF])
        #expect(address.description == "00:1B:DC:07:32:EF")
    }

    @Test func `a device is written with the kind of its address, so that two devices never look the same`() throws {
        let address = try #require(BluetoothAddress("C0:1B:DC:07:32:EF"))
        #expect(BluetoothPeer(address, .public).description == "C0:1B:DC:07:32:EF")
        #expect(BluetoothPeer(address, .random).description == "C0:1B:DC:07:32:EF/random")
    }

    @Test(arguments: [
        "", "00:1B:DC:07:32", "00:1B:DC:07:32:EF:00", "00:1B:DC:07:32:G0", "0:1B:DC:07:32:EF", "001BDC0732EF",
        "+1:1B:DC:07:32:EF",
        "00:1B:DC:07:32:", "：：：：：", "00-1B-DC-07-32-EF",
    ])
    func `anything else is no address`(_ text: String) {
        #expect(BluetoothAddress(text) == nil)
    }
}
