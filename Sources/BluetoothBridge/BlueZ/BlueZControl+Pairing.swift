import WatchLink

extension BlueZControl {
    /// The time limit for a whole pairing. Each side has 30 s for each step of the pairing.
    private static let pairingLimit = Microseconds.seconds(90)

    /// Pairs with a device nearby; see `BluetoothControl`.
    public func pair(
        with peer: BluetoothPeer, on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError) {
        _ = try await poweredOn(adapter)
        let path = BlueZ.path(of: peer.address, on: adapter)
        try await find(peer, on: adapter)
        if try await link.tree().device(at: path)?.trust != .stranger { throw .alreadyPaired(peer.address) }
        try await registerAgent(.displayYesNo)
        agent.begin(path, answer)
        do {
            try await link.call(path, BlueZ.device, "Pair", within: BlueZControl.pairingLimit)
        } catch {
            let comparison = agent.finish(path)
            // Otherwise bluetoothd would continue a pairing that no caller waits for.
            if error == .cancelled || error == .timedOut { await cancelPairing(path) }
            if case .refused(let method) = comparison { throw .notCompared(peer.address, method) }
            throw error.about(.device(peer.address, adapter: adapter))
        }
        switch agent.finish(path) {
        case .compared: break
        // The keys are worthless: an attacker in the middle could have exchanged them.
        case .begun, nil:
            try await forget(peer, on: adapter)
            throw .notCompared(peer.address, .justWorks)
        case .refused(let method):
            try await forget(peer, on: adapter)
            throw .notCompared(peer.address, method)
        }
        let isBonded = try await link.wait(within: .seconds(5)) { $0.device(at: path)?.isBonded == true ? true : nil }
        guard isBonded != nil else { throw .pairingFailed(peer.address, "the keys were not kept") }
    }

    /// Ends a pairing that the agent has refused because the pairing began without a comparison of digits.
    func end(_ device: String, _ method: PairingMethod, _ starter: PairingAgent.Starter) async {
        guard let (adapter, address) = BlueZ.device(at: device) else { return }
        switch starter {
        case .us: await cancelPairing(device)
        case .them(let refuse):
            let known = try? await link.tree().device(at: device)
            let peer = known?.peer ?? BluetoothPeer(address, .public)
            // bluetoothd ends a link only after two seconds. Meanwhile a device that wants no bond can guess the passkey
            // 17 more times (measured). The kernel lets a privileged process end the link at once.
            if let local = try? LocalAdapter.named(adapter) { _ = KernelCalls.endLink(of: local, to: address) }
            // Makes the next attempt fail: an adapter that is not pairable refuses to bond, and an agent that can show
            // nothing has no passkey to guess.
            if !agent.isPairing { try? await registerDefaultAgent(.nothing) }
            // Last, because a default agent makes every adapter pairable.
            for place in Set([adapter, agent.respondingAdapter ?? adapter]) {
                try? await link.set(BlueZ.path(ofAdapter: place), BlueZ.adapter, "Pairable", .no)
            }
            refuse(peer, method)
            if known?.isBonded == true {
                // Any device can claim the address of a bonded one, so the keys stay.
                try? await disconnect(from: peer, on: adapter)
            } else {
                await forgetWithRetries(peer, at: device, on: adapter)
            }
        }
    }

    /// Forgets a device whose pairing may still be in progress. New keys from that pairing would bring the device back, so this
    /// tries up to five times.
    private func forgetWithRetries(_ peer: BluetoothPeer, at path: String, on adapter: String) async {
        for _ in 0..<5 {
            try? await forget(peer, on: adapter)
            guard let tree = try? await link.tree(), tree.device(at: path)?.isBonded == true else { return }
        }
    }

    private func cancelPairing(_ path: String) async {
        await link.undo { [link] () throws(BluetoothError) in
            try await link.call(path, BlueZ.device, "CancelPairing")
        }
    }

    /// Answers pairings that other devices start; see `BluetoothControl`.
    public func answerPairing(
        on adapter: String, asking answer: PairingAnswer?, refusing refuse: @escaping PairingRefusal
    ) async throws(BluetoothError) -> BluetoothRegistration {
        _ = try await known(adapter)
        let isAsking = answer != nil
        let number = agent.respond(on: adapter, answer, refuse)
        let staying = isAsking ? keepAgentDefault(on: adapter) : []
        do {
            return try await register(on: adapter) { [self] () throws(BluetoothError) in
                try await claimDefaultAgent(isAsking ? .displayYesNo : .nothing)
                try await link.set(BlueZ.path(ofAdapter: adapter), BlueZ.adapter, "Pairable", .boolean(isAsking))
            } undo: { [self] in
                for task in staying { task.cancel() }
                // A newer registration continues.
                guard agent.stop(number) else { return }
                await link.undo { [link] () throws(BluetoothError) in
                    try await link.set(BlueZ.path(ofAdapter: adapter), BlueZ.adapter, "Pairable", .no)
                }
                if !agent.isPairing { await unregisterAgent() }
            }
        } catch {
            for task in staying { task.cancel() }
            _ = agent.stop(number)
            throw error
        }
    }
}
