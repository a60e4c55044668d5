import Glibc
import HostSystem

/// One default agent for all adapters, and a watch of its own on each: the program to be asked is the one that lets
/// phones pair, and with several, the one whose adapter a device has just connected to.
///
/// A watch that declines makes its agent the default one too, so that there always is one that refuses. bluetoothd keeps
/// the agents as a stack, and what is on top is asked; so a watch that asks goes back there after one that declines has.
extension BlueZControl {
    /// Makes bluetoothd ask the agent where another device begins to pair.
    func beAsked(_ stance: PairingAgent.Stance) async throws(BluetoothError) {
        switch stance {
        case .asking: break
        case .declining:
            // An adapter becomes pairable with every new default agent. Where that is one of this user's watches, it is
            // the one to be asked; what another program's agent says yes to is not ours to know.
            if isRegistered(.nothing), await isExplained() { return }
        }
        try await registerDefaultAgent(stance.capability)
    }

    /// Registers the agent, and makes it the default one.
    func registerDefaultAgent(_ capability: PairingAgent.Capability) async throws(BluetoothError) {
        try await registerAgent(capability)
        try await requestDefaultAgent(capability)
    }

    private func requestDefaultAgent(_ capability: PairingAgent.Capability) async throws(BluetoothError) {
        // Others hear of it before they see what bluetoothd does.
        link.bus.emit(AgentNotice(notifier: notifier, capability: capability).signal)
        try await link.call(
            BlueZ.manager, BlueZ.agentManager, "RequestDefaultAgent", [.objectPath(PairingAgent.path)])
    }

    /// Keeps the agent of a watch that asks on top, until the tasks are cancelled.
    func stayAsked(on adapter: String, _ stance: PairingAgent.Stance) -> [Task<Void, Never>] {
        switch stance {
        case .declining: []
        case .asking:
            [
                Task { [self] in await outlastDeclining() },
                Task { [self] in await followConnections(on: adapter) },
            ]
        }
    }

    private func outlastDeclining() async {
        var last = notices.value.lastDeclining
        for await heard in notices.values() {
            guard let declining = heard.lastDeclining, declining != last else { continue }
            last = declining
            if await isThisUsers(declining.sender) { await goOnTop() }
        }
    }

    /// The device that has just connected is the one that may pair.
    private func followConnections(on adapter: String) async {
        var before: Set<BluetoothPeer>?
        for await machine in link.changes() {
            guard case .running(_, let tree) = machine.state else { continue }
            let connected = Set(tree.devices(on: adapter).filter(\.isConnected).map(\.peer))
            defer { before = connected }
            if let before, !connected.isSubset(of: before) { await goOnTop() }
        }
    }

    /// Makes the agent the default one again, as it is registered: whoever has changed that meanwhile has a reason.
    private func goOnTop() async {
        guard agent.isAsking, isRegistered(.displayYesNo) else { return }
        // Without bluetoothd the registration waits for the next.
        try? await requestDefaultAgent(.displayYesNo)
    }

    /// Whether a program of this user has said that its agent is the default one now.
    private func isExplained() async -> Bool {
        var sender: String?
        let now = link.clock.now
        notices.update { sender = $0.explain(at: now) }
        guard let sender else { return false }
        return await isThisUsers(sender)
    }

    /// Whether a connection of the bus belongs to this user, or to the system: anybody can send a signal.
    private func isThisUsers(_ sender: String) async -> Bool {
        let question = BusCall(
            destination: SystemBus.name, path: "/org/freedesktop/DBus", interface: SystemBus.name,
            member: "GetConnectionUnixUser", body: [.string(sender)])
        guard let user = try? await link.bus.call(question).first?.number else { return false }
        return user == 0 || user == Int(getuid())
    }

    private func isRegistered(_ capability: PairingAgent.Capability) -> Bool {
        agentRegistration.withLock { $0 == AgentRegistration(run: link.now.runs, capability: capability) }
    }
}
