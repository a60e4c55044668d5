import Glibc
import HostSystem
import WatchLink

/// If any program lets phones pair, makes such a program's agent bluetoothd's default agent. If another device starts a
/// pairing, bluetoothd asks the default agent.
///
/// bluetoothd has one default agent for all adapters, although each adapter may have its own watch. If a program lets phones
/// pair, and a device connects to the program's adapter, the program makes its own agent the default one.
///
/// bluetoothd keeps the agents as a stack, and asks the top agent. A watch that declines pairings also puts its agent on top,
/// so that no agent of another program accepts the pairings. After that, a watch that lets phones pair puts its own agent back
/// on top.
extension BlueZControl {
    func claimDefaultAgent(_ capability: PairingAgent.Capability) async throws(BluetoothError) {
        // Every new default agent makes the adapters pairable. If the new agent belongs to a watch of this user, it
        // stays on top, because bluetoothd has to ask it.
        if capability == .nothing, isRegistered(.nothing), await isExplained() { return }
        try await registerDefaultAgent(capability)
    }

    func registerDefaultAgent(_ capability: PairingAgent.Capability) async throws(BluetoothError) {
        try await registerAgent(capability)
        try await requestDefaultAgent(capability)
    }

    private func requestDefaultAgent(_ capability: PairingAgent.Capability) async throws(BluetoothError) {
        func tell(_ moment: AgentNotice.Moment) {
            link.bus.emit(AgentNotice(notifier: notifier, moment: moment, capability: capability).signal)
        }
        tell(.requesting)
        try await link.call(
            BlueZ.manager, BlueZ.agentManager, "RequestDefaultAgent", [.objectPath(PairingAgent.path)])
        tell(.requested)
    }

    /// While this program lets phones pair, makes its agent the default one again whenever another agent may have replaced it.
    /// The caller ends this by cancelling the returned tasks. The tasks may begin late, but they react to every change since
    /// this call.
    func keepAgentDefault(on adapter: String) -> [Task<Void, Never>] {
        let (declining, connected) = (notices.value.lastDeclining, connectedDevices(link.now, on: adapter))
        return [
            Task { [self] in await reclaimAfterDeclining(since: declining) },
            Task { [self] in await followConnections(on: adapter, since: connected) },
        ]
    }

    private func reclaimAfterDeclining(since first: HeardNotices.Heard?) async {
        var last = first
        for await heard in notices.values() {
            guard let declining = heard.lastDeclining, declining != last else { continue }
            last = declining
            if await isThisUsers(declining.sender) { await reclaimDefaultAgent() }
        }
    }

    /// Makes this program's agent the default one when a device connects to the adapter, because that device may pair.
    private func followConnections(on adapter: String, since first: Set<BluetoothPeer>?) async {
        var before = first
        for await machine in link.changes() {
            guard let connected = connectedDevices(machine, on: adapter) else { continue }
            defer { before = connected }
            if let before, !connected.isSubset(of: before) { await reclaimDefaultAgent() }
        }
    }

    /// Returns the peers that are connected to the adapter. Nil while bluetoothd's objects are not known, for example because
    /// bluetoothd does not run.
    private func connectedDevices(_ machine: DaemonMachine, on adapter: String) -> Set<BluetoothPeer>? {
        guard case .running(_, let tree) = machine.state else { return nil }
        return Set(tree.devices(on: adapter).filter(\.isConnected).map(\.peer))
    }

    /// Makes this program's agent the default one again if the program still lets phones pair.
    private func reclaimDefaultAgent() async {
        guard agent.isAsking, isRegistered(.displayYesNo) else { return }
        // If bluetoothd is gone, `register` calls `claimDefaultAgent` when bluetoothd comes back.
        try? await requestDefaultAgent(.displayYesNo)
    }

    private func isExplained() async -> Bool {
        var sender: String?
        let now = link.clock.now
        notices.update { sender = $0.explain(at: now) }
        guard let sender else { return false }
        return await isThisUsers(sender)
    }

    /// Whether the sender on the bus is a program of this user or of root. Programs of other users could send false notices.
    private func isThisUsers(_ sender: String) async -> Bool {
        let question = BusCall.ofBus("GetConnectionUnixUser", .string(sender))
        guard let user = try? await link.bus.call(question).first?.number else { return false }
        return user == 0 || user == Int(getuid())
    }

    private func isRegistered(_ capability: PairingAgent.Capability) -> Bool {
        agentRegistration.withLock { $0 == AgentRegistration(run: link.now.runs, capability: capability) }
    }
}

/// A signal that a program of Tapline sends on the bus before and after it makes its agent the default one.
///
/// bluetoothd does not report that the default agent has changed. All that a program sees is that its adapter has become
/// pairable. So the watches on one machine send each other this signal.
struct AgentNotice: Hashable, Sendable {
    private static let interface = "org.tapline.DefaultAgent1"

    enum Moment: String, Hashable, Sendable {
        /// Sent before the call to bluetoothd, so that other programs get it before they see the effect of the call.
        case requesting = "Requesting"
        /// Sent after bluetoothd's answer. A program that receives this signal can now put its own agent on top, and that
        /// agent stays on top.
        case requested = "Requested"
    }

    var notifier: UInt64
    var moment: Moment
    var capability: PairingAgent.Capability

    static var match: BusMatch { BusMatch(interface: interface) }

    var signal: BusSignal {
        BusSignal(
            path: PairingAgent.path, interface: AgentNotice.interface, member: moment.rawValue,
            body: [.number("t", Int64(bitPattern: notifier)), .string(capability.rawValue)])
    }
}

extension AgentNotice {
    /// Nil if the signal is not a notice.
    init?(_ signal: BusSignal) {
        guard let moment = Moment(rawValue: signal.member), signal.body.count == 2,
            case .number("t", let notifier) = signal.body[0],
            let capability = signal.body[1].text.flatMap(PairingAgent.Capability.init)
        else { return nil }
        self.init(notifier: UInt64(bitPattern: notifier), moment: moment, capability: capability)
    }
}

/// The newest notices from other programs. A notice may explain why an adapter became pairable.
struct HeardNotices: Equatable, Sendable {
    static let lifetime = Microseconds.seconds(10)

    struct Heard: Equatable, Sendable {
        /// The sender's unique name on the bus. The bus knows which user the sender belongs to.
        var sender: String
        var time: Instant
    }

    /// The newest `requesting` notice. Nil if there was none, or `explain` has used it.
    private var unused: Heard?
    /// The newest notice from a watch that declines pairings and has made its agent the default one.
    private(set) var lastDeclining: Heard?

    mutating func hear(_ notice: AgentNotice, from sender: String, at now: Instant) {
        let heard = Heard(sender: sender, time: now)
        switch notice.moment {
        case .requesting: unused = heard
        case .requested where notice.capability == .nothing: lastDeclining = heard
        case .requested: break
        }
    }

    /// Returns the sender of the newest `requesting` notice, and uses the notice up. Nil if there is none or its lifetime has
    /// passed.
    mutating func explain(at now: Instant) -> String? {
        defer { unused = nil }
        guard let heard = unused, now < heard.time + HeardNotices.lifetime else { return nil }
        return heard.sender
    }
}
