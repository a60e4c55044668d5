import Testing

@testable import BluetoothBridge

struct DaemonMachineTests {
    private static let tree: ObjectTree = {
        var tree = ObjectTree()
        tree.apply(
            BusSignal(
                path: "/", interface: BlueZ.objectManager, member: "InterfacesAdded",
                body: [
                    .objectPath("/org/bluez/hci0"),
                    .dictionary(
                        keys: "s", values: "a{sv}",
                        [
                            .string(BlueZ.adapter): .named([
                                "Address": .string("00:AA:01:00:00:23"), "Powered": .no, "Alias": .string("a"),
                            ])
                        ]),
                ]))
        return tree
    }()

    private func powered(_ value: BusValue, from sender: String) -> DaemonMachine.Event {
        .signal(
            BusSignal(
                sender: sender, path: "/org/bluez/hci0", interface: BlueZ.properties, member: "PropertiesChanged",
                body: [.string(BlueZ.adapter), .named(["Powered": value]), .strings([])]))
    }

    @Test func `bus, owner, objects: then it runs, and signals change what is known`() {
        var machine = DaemonMachine()
        #expect(machine.state == .looking)
        #expect(machine.handle(.connected) == [.askOwner])
        #expect(machine.handle(.owner(":1.5")) == [.askObjects(owner: ":1.5")])
        #expect(machine.state == .loading(owner: ":1.5"))
        #expect(machine.handle(.objects(owner: ":1.5", .success(DaemonMachineTests.tree))) == [])
        #expect(machine.isRunning && machine.runs == 1)
        _ = machine.handle(powered(.yes, from: ":1.6"))
        guard case .running(_, let before) = machine.state else {
            Issue.record("\(machine.state)")
            return
        }
        #expect(before.adapter("hci0")?.isOn == false)
        _ = machine.handle(powered(.yes, from: ":1.5"))
        guard case .running(_, let after) = machine.state else {
            Issue.record("\(machine.state)")
            return
        }
        #expect(after.adapter("hci0")?.isOn == true)
    }

    @Test func `one that goes is absent, the next has been restarted`() {
        var machine = DaemonMachine()
        _ = machine.handle(.connected)
        _ = machine.handle(.owner(":1.5"))
        _ = machine.handle(.objects(owner: ":1.5", .success(ObjectTree())))
        #expect(machine.handle(.owner(nil)) == [])
        #expect(machine.state == .absent)
        #expect(machine.handle(.owner(":1.9")) == [.askObjects(owner: ":1.9")])
        #expect(machine.state == .loading(owner: ":1.9"))
        // What the old one says last comes too late.
        #expect(machine.handle(.objects(owner: ":1.5", .success(ObjectTree()))) == [])
        #expect(machine.state == .loading(owner: ":1.9"))
        _ = machine.handle(.objects(owner: ":1.9", .success(ObjectTree())))
        #expect(machine.isRunning && machine.runs == 2)
    }

    @Test func `a daemon met over a new bus is another one, though it may have the old name`() {
        var machine = DaemonMachine()
        _ = machine.handle(.connected)
        _ = machine.handle(.owner(":1.5"))
        _ = machine.handle(.objects(owner: ":1.5", .success(ObjectTree())))
        _ = machine.handle(.disconnected(.noBus("gone")))
        #expect(machine.state == .unreachable(.noBus("gone")))
        #expect(machine.handle(.connected) == [.askOwner])
        #expect(machine.handle(.owner(":1.5")) == [.askObjects(owner: ":1.5")])
        _ = machine.handle(.objects(owner: ":1.5", .success(ObjectTree())))
        #expect(machine.isRunning && machine.runs == 2)
    }

    @Test func `being told twice of the same daemon asks once`() {
        var machine = DaemonMachine()
        _ = machine.handle(.connected)
        #expect(machine.handle(.owner(":1.5")).count == 1)
        #expect(machine.handle(.owner(":1.5")).isEmpty)
    }

    @Test func `one that does not talk to us is absent, with the reason`() {
        var machine = DaemonMachine()
        _ = machine.handle(.connected)
        _ = machine.handle(.owner(":1.5"))
        _ = machine.handle(.objects(owner: ":1.5", .failure(.notAllowed)))
        #expect(machine.state == .unreachable(.notAllowed))
    }
}

extension DaemonMachine {
    var isRunning: Bool {
        switch state {
        case .running: true
        case .looking, .unreachable, .absent, .loading: false
        }
    }

    func devices(on adapter: String) -> [BluetoothDevice] {
        guard case .running(_, let tree) = state else { return [] }
        return tree.devices(on: adapter)
    }

    func isPairable(_ adapter: String) -> Bool {
        guard case .running(_, let tree) = state else { return false }
        return tree.adapter(adapter)?.isPairable == true
    }
}

extension BlueZControl {
    /// Returns when `isMet` holds.
    func waitForDaemon(_ isMet: (DaemonMachine) -> Bool) async {
        for await machine in link.changes() where isMet(machine) { return }
    }
}
