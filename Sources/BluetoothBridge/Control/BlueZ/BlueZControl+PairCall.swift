import WatchLink

extension BlueZControl {
    /// The time limit for a pairing: both sides have 30 s for each of its steps.
    private static let pairingLimit = Microseconds.seconds(90)
    /// The time limit for the question to a person, which mostly comes within two seconds.
    static let questionLimit = Microseconds.seconds(25)
    private static let attempts = 3

    /// Has bluetoothd pair with a device.
    ///
    /// A link from before can keep a pairing from getting on: to the kernel its security is on the way, and nothing is sent
    /// (seen with Linux 6.1 where a host was connecting while its bond was deleted). Where nobody is asked in time, the link is
    /// ended and the pairing begun anew.
    func callPair(_ path: String, with peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        for attempt in 1...BlueZControl.attempts {
            switch await beginPairing(path) {
            case .over(let result): return try result.get()
            case .unasked:
                await cancelPairing(path)
                guard attempt < BlueZControl.attempts else { throw .timedOut }
                try? await disconnect(from: peer, on: adapter)
                try await find(peer, on: adapter)
            }
        }
    }

    private enum PairCall: Sendable {
        case over(Result<Void, BluetoothError>)
        /// It goes on without a question.
        case unasked
    }

    /// Calls `Pair`, and gives up where that asks nobody in time.
    private func beginPairing(_ path: String) async -> PairCall {
        await withTaskGroup(of: PairCall?.self) { [link, agent] group in
            group.addTask {
                do throws(BluetoothError) {
                    try await link.call(path, BlueZ.device, "Pair", within: BlueZControl.pairingLimit)
                    return .over(.success(()))
                } catch {
                    return .over(.failure(error))
                }
            }
            group.addTask {
                try? await link.clock.sleep(until: link.clock.now + BlueZControl.questionLimit)
                return agent.hasAsked(path) ? nil : .unasked
            }
            defer { group.cancelAll() }
            for await outcome in group {
                if let outcome { return outcome }
            }
            return .over(.failure(.cancelled))
        }
    }
}
