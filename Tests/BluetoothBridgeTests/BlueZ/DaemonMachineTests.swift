import Testing

@testable import BluetoothBridge

struct DaemonMachineTests {
    private static let tree: ObjectTree = {
        var tree = ObjectTree()
        let properties: [String: BusValue] = [
            "Address": .string("00:AA:01:00:00:23"), "Powered": .no, "Alias": .string("a"),
        ]
        tree.apply(.added("/org/bluez/hci0", BlueZ.adapter, properties))
        return tree
    }()

    private func powered(_ value: BusValue, from sender: String) -> DaemonMachine.Event {
        .signal(.changed("/org/bluez/hci0", BlueZ.adapter, ["Powered": value], sender: sender))
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
        #expect(machine.adapter("hci0")?.isOn == false)
        _ = machine.handle(powered(.yes, from: ":1.5"))
        #expect(machine.adapter("hci0")?.isOn == true)
    }

    private func running() -> DaemonMachine {
        var machine = DaemonMachine()
        _ = machine.handle(.connected)
        _ = machine.handle(.owner(":1.5"))
        _ = machine.handle(.objects(owner: ":1.5", .success(ObjectTree())))
        return machine
    }

    @Test func `one that goes is absent, the next has been restarted`() {
        var machine = running()
        #expect(machine.handle(.owner(nil)) == [])
        #expect(machine.state == .absent)
        #expect(machine.handle(.owner(":1.9")) == [.askObjects(owner: ":1.9")])
        // The old daemon answers too late.
        #expect(machine.handle(.objects(owner: ":1.5", .success(ObjectTree()))) == [])
        #expect(machine.state == .loading(owner: ":1.9"))
        _ = machine.handle(.objects(owner: ":1.9", .success(ObjectTree())))
        #expect(machine.isRunning && machine.runs == 2)
    }

    @Test func `a daemon met over a new bus is another one, though it may have the old name`() {
        var machine = running()
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
        tree != nil
    }

    private var tree: ObjectTree? {
        if case .running(_, let tree) = state { tree } else { nil }
    }

    func adapter(_ name: String) -> BluetoothAdapter? { tree?.adapter(name) }

    func devices(on adapter: String) -> [BluetoothDevice] { tree?.devices(on: adapter) ?? [] }
}

extension BlueZControl {
    func waitForDaemon(_ isMet: (DaemonMachine) -> Bool) async {
        for await machine in link.changes() where isMet(machine) { return }
    }
}
