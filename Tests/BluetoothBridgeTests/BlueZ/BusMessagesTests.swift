import Testing

@testable import BluetoothBridge

struct BusMatchTests {
    private let match = BusMatch(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        firstArgument: "org.bluez")

    @Test func `the rule is as the bus reads it`() {
        #expect(
            match.rule
                == "type='signal',interface='org.freedesktop.DBus',sender='org.freedesktop.DBus',"
                + "member='NameOwnerChanged',arg0='org.bluez'")
    }

    @Test func `a signal fits where sender, interface, member and first argument do`() {
        var signal = BusSignal(
            sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged",
            body: [.string("org.bluez"), .string(""), .string(":1.7")])
        #expect(match.fits(signal))
        signal.body[0] = .string("org.other")
        #expect(!match.fits(signal))
        signal.body = []
        #expect(!match.fits(signal))
        signal.body = [.string("org.bluez")]
        signal.member = "NameAcquired"
        #expect(!match.fits(signal))
    }

    @Test func `what a stranger says about the bus fits nothing`() {
        var signal = BusSignal(
            path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
            body: [.string("org.bluez"), .string(":1.5"), .string(":1.7")])
        for sender in [nil, "", ":1.7", "org.bluez"] {
            signal.sender = sender
            #expect(!match.fits(signal))
        }
    }
}
