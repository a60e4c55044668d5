import HostSystem

@testable import BluetoothBridge

/// A simulated bluetoothd on a private bus. It has two adapters and one default agent for both, with the rules of BlueZ 5.66
/// (src/agent.c, src/adapter.c).
final class MadeUpAgents: Sendable {
    struct Agent: Hashable, Sendable {
        var owner: String
        var path: String
        var capability: String
    }

    struct State: Equatable, Sendable {
        /// The key is the unique bus name of the program.
        var agents: [String: Agent] = [:]
        /// The unique names of the programs that asked to be the default agent, the newest last.
        var stack: [String] = []
        var pairable: Set<String> = []
        var requests = 0

        /// The agent that bluetoothd asks when a device begins to pair.
        var asked: Agent? { stack.last.flatMap { agents[$0] } }
    }

    static let adapters = ["hci0", "hci1"]

    private let bus: SystemBus
    let state = Published(State())

    init(on place: PrivateBus) async throws {
        bus = try SystemBus(address: place.address)
        bus.export(.passive { [:] }, at: "/")
        bus.export(object { _ in [:] }, at: BlueZ.manager)
        for name in MadeUpAgents.adapters {
            bus.export(
                object { [BlueZ.adapter: MadeUpAgents.properties(of: name, $0)] }, at: BlueZ.path(ofAdapter: name))
        }
        _ = try await bus.call(.ofBus("RequestName", .string(BlueZ.name), .number("u", 0)))
    }

    private func object(_ properties: @escaping @Sendable (State) -> [String: [String: BusValue]]) -> BusExport {
        BusExport(properties: { [state] in properties(state.value) }) { [weak self] call, answer in
            self?.handle(call)
            answer(.success([]))
        }
    }

    private static func properties(of adapter: String, _ state: State) -> [String: BusValue] {
        [
            "Address": .string(adapter == "hci0" ? "00:AA:01:00:00:23" : "00:AA:01:01:00:24"), "Powered": .yes,
            "Pairable": .boolean(state.pairable.contains(adapter)),
        ]
    }

    private func handle(_ call: BusIncomingCall) {
        let before = state.value
        state.update { state in
            switch call.member {
            case "RegisterAgent":
                state.agents[call.sender] = Agent(
                    owner: call.sender, path: call.body[0].text ?? "", capability: call.body[1].text ?? "")
            case "UnregisterAgent":
                state.agents[call.sender] = nil
                state.stack.removeAll { $0 == call.sender }
                if state.stack.isEmpty { state.pairable = [] }
            case "RequestDefaultAgent":
                state.requests += 1
                // BlueZ ignores a repeated request from the default agent.
                guard state.stack.last != call.sender else { return }
                state.stack.removeAll { $0 == call.sender }
                state.stack.append(call.sender)
                // BlueZ makes every adapter pairable when the default agent changes. A program can switch that off again.
                state.pairable = Set(MadeUpAgents.adapters)
            case "Set":
                guard let name = call.path.split(separator: "/").last, call.body[1].text == "Pairable" else { return }
                if call.body[2].truth == true {
                    state.pairable.insert(String(name))
                } else {
                    state.pairable.remove(String(name))
                }
            default: break
            }
        }
        for name in MadeUpAgents.adapters where before.pairable.contains(name) != state.value.pairable.contains(name) {
            let now = BusValue.boolean(state.value.pairable.contains(name))
            bus.emit(.changed(BlueZ.path(ofAdapter: name), BlueZ.adapter, ["Pairable": now]))
        }
    }

    func waitForAgent(of owner: String, _ capability: PairingAgent.Capability) async {
        for await now in state.values()
        where now.asked?.owner == owner && now.asked?.capability == capability.rawValue { break }
    }

    func connect(_ address: String, to adapter: String) {
        let properties: [String: BusValue] = [
            "Address": .string(address), "AddressType": .string("public"), "Connected": .yes,
        ]
        bus.emit(.added(MadeUpAgents.device(address, on: adapter), BlueZ.device, properties))
    }

    /// Asks the default agent about a device.
    ///
    /// - Throws: the error that the agent answers.
    func ask(_ member: String, about address: String, on adapter: String, _ rest: [BusValue] = []) async throws {
        guard let agent = state.value.asked else { return }
        _ = try await bus.call(
            BusCall(
                destination: agent.owner, path: agent.path, interface: BlueZ.agent, member: member,
                body: [.objectPath(MadeUpAgents.device(address, on: adapter))] + rest))
    }

    private static func device(_ address: String, on adapter: String) -> String {
        BlueZ.path(ofAdapter: adapter) + "/dev_" + String(address.map { $0 == ":" ? "_" : $0 })
    }
}
