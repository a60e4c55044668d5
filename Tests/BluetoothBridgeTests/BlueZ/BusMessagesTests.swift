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
        let owners = BusOwners()
        var signal = BusSignal(
            sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged",
            body: [.string("org.bluez"), .string(""), .string(":1.7")])
        #expect(match.fits(signal, owners))
        signal.body[0] = .string("org.other")
        #expect(!match.fits(signal, owners))
        signal.body = []
        #expect(!match.fits(signal, owners))
        signal.body = [.string("org.bluez")]
        signal.member = "NameAcquired"
        #expect(!match.fits(signal, owners))
    }

    @Test func `what a stranger says about the bus fits nothing`() {
        var signal = BusSignal(
            path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
            body: [.string("org.bluez"), .string(":1.5"), .string(":1.7")])
        for sender in [nil, "", ":1.7", "org.bluez"] {
            signal.sender = sender
            #expect(!match.fits(signal, BusOwners()))
        }
    }

    @Test func `of a name with an owner, that one's signals fit; of a unique name, its own`() {
        var owners = BusOwners()
        let match = BusMatch(sender: "org.bluez", interface: "org.bluez.Test")
        var signal = BusSignal(sender: ":1.5", path: "/", interface: "org.bluez.Test", member: "Any", body: [])
        #expect(!match.fits(signal, owners))
        owners.ask(about: "org.bluez", cookie: 3)
        _ = owners.take(":1.5", cookie: 3)
        #expect(match.fits(signal, owners))
        for sender in [nil, "", ":1.50", "org.bluez"] {
            signal.sender = sender
            #expect(!match.fits(signal, owners))
        }
        signal.sender = ":1.7"
        #expect(BusMatch(sender: ":1.7", interface: "org.bluez.Test").fits(signal, owners))
    }
}

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
