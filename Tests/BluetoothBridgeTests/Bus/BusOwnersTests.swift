import Testing

@testable import BluetoothBridge

struct BusOwnersTests {
    private func change(_ name: String, to owner: String, sender: String? = "org.freedesktop.DBus") -> BusSignal {
        BusSignal(
            sender: sender, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged", body: [.string(name), .string(""), .string(owner)])
    }

    @Test func `an answer to a question and the bus's signal say who has a name; the newest holds`() {
        var owners = BusOwners()
        owners.ask(about: "org.bluez", cookie: 4)
        let isUnasked = !owners.take(":1.5", cookie: 5)
        #expect(isUnasked)
        #expect(!owners.has(":1.5", "org.bluez"))
        _ = owners.take(":1.5", cookie: 4)
        let isAnsweredOnce = !owners.take(":1.6", cookie: 4)
        #expect(isAnsweredOnce)
        #expect(owners.has(":1.5", "org.bluez"))
        owners.take(change("org.bluez", to: ":1.6"))
        #expect(owners.has(":1.6", "org.bluez") && !owners.has(":1.5", "org.bluez"))
        owners.take(change("org.bluez", to: ""))
        #expect(!owners.has(":1.6", "org.bluez") && !owners.has("", "org.bluez"))
    }

    @Test func `a name that nobody has is nobody's`() {
        var owners = BusOwners()
        owners.ask(about: "org.bluez", cookie: 4)
        _ = owners.take(nil, cookie: 4)
        #expect(!owners.has(nil, "org.bluez") && !owners.has(":1.5", "org.bluez"))
    }

    @Test func `a stranger's signal about a name changes nothing`() {
        var owners = BusOwners()
        owners.take(change("org.bluez", to: ":1.5"))
        let before = owners
        for sender in [nil, ":1.9", "org.bluez"] { owners.take(change("org.bluez", to: ":1.9", sender: sender)) }
        var other = change("org.bluez", to: ":1.9")
        other.interface = "org.freedesktop.Other"
        owners.take(other)
        #expect(owners == before)
    }
}
