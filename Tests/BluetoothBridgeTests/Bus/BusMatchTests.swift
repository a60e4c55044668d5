import Testing

@testable import BluetoothBridge

@Suite("Matches of signals")
struct BusMatchTests {
    private let match = BusMatch(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        firstArgument: "org.bluez")

    @Test("the rule is as the bus reads it")
    func rule() {
        #expect(
            match.rule
                == "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                + "member='NameOwnerChanged',arg0='org.bluez'")
    }

    @Test("a signal fits where interface, member and first argument do")
    func fitting() {
        var signal = BusSignal(
            path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
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
}
