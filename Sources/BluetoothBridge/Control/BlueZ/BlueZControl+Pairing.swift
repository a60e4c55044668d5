import WatchLink

extension BlueZControl {
    /// The time limit for a pairing: both sides have 30 s for each of its steps.
    private static let pairingLimit = Microseconds.seconds(90)

    /// Pairs with a device nearby; see `BluetoothControl`.
    public func pair(
        with peer: BluetoothPeer, on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError) {
        _ = try await poweredOn(adapter)
        let path = BlueZ.path(of: peer.address, on: adapter)
        await scansEnded()
        try await find(peer, on: adapter)
        if try await link.tree().device(at: path)?.trust != .stranger { throw .alreadyPaired(peer.address) }
        try await registerAgent()
        agent.begin(path, answer)
        do {
            try await link.call(path, BlueZ.device, "Pair", within: BlueZControl.pairingLimit)
        } catch {
            _ = agent.finish(path)
            await giveUp(path, after: error)
            throw error.about(.device(peer.address, adapter: adapter))
        }
        guard agent.finish(path) else {
            // The keys are worthless: a machine in the middle could have exchanged them.
            try await forget(peer, on: adapter)
            throw .pairingFailed(peer.address, "it has no digits to compare, so it could be any device")
        }
        let isBonded = try await link.wait(within: .seconds(5)) { $0.device(at: path)?.isBonded == true ? true : nil }
        guard isBonded != nil else { throw .pairingFailed(peer.address, "the keys were not kept") }
    }

    /// Makes bluetoothd stop a pairing that nobody waits for any more. Without that it would continue.
    private func giveUp(_ path: String, after error: BluetoothError) async {
        guard error == .cancelled || error == .timedOut else { return }
        let bus = link.bus
        // This task is cancelled, which would cancel its calls too.
        await Task {
            _ = try? await bus.call(
                BusCall(destination: BlueZ.name, path: path, interface: BlueZ.device, member: "CancelPairing"))
        }.value
    }

    /// Accepts pairings that other devices start; see `BluetoothControl`.
    public func answerPairing(
        on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError) -> BluetoothRegistration {
        _ = try await known(adapter)
        let number = agent.respond(on: adapter, answer)
        do {
            return try await register(on: adapter) { [self] () throws(BluetoothError) in
                try await registerAgent()
                try await link.call(
                    BlueZ.manager, BlueZ.agentManager, "RequestDefaultAgent", [.objectPath(PairingAgent.path)])
                try await link.set(BlueZ.path(ofAdapter: adapter), BlueZ.adapter, "Pairable", .yes)
            } undo: { [agent] in
                agent.stop(number)
            }
        } catch {
            agent.stop(number)
            throw error
        }
    }
}
