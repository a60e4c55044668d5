import WatchLink

extension BlueZControl {
    /// How long BlueZ may take over a pairing: both sides have 30 s for each of its steps.
    private static let pairingLimit = Microseconds.seconds(90)

    /// Pairs with a device that is near, by comparing digits.
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
            // The keys are no good: anybody in between could have made them.
            try await forget(peer, on: adapter)
            throw .pairingFailed(peer.address, "it has no digits to compare, so it could be any device")
        }
        let isBonded = try await link.wait(within: .seconds(5)) { $0.device(at: path)?.isBonded == true ? true : nil }
        guard isBonded != nil else { throw .pairingFailed(peer.address, "the keys were not kept") }
    }

    /// Tells bluetoothd to stop a pairing that nobody waits for any more. It does not by itself: it does not know.
    private func giveUp(_ path: String, after error: BluetoothError) async {
        guard error == .cancelled || error == .timedOut else { return }
        let bus = link.bus
        // This task is cancelled, and so would be its calls.
        await Task {
            _ = try? await bus.call(
                BusCall(destination: BlueZ.name, path: path, interface: BlueZ.device, member: "CancelPairing"))
        }.value
    }

    /// Lets other devices pair with an adapter, until the registration ends.
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
