import WatchLink

/// The peers of an endpoint, as a person names them.
struct SharedPeers {
    /// A peer, and what is known of it.
    struct Known {
        let identity: PeerIdentity
        let reachability: PeerReachability

        /// The name in its hello; empty for one that is away.
        var name: String {
            switch reachability {
            case .unreachable: ""
            case .reachable(let evidence):
                String(decoding: (0..<evidence.hello.name.count).map { evidence.hello.name.utf8[$0] }, as: UTF8.self)
            }
        }

        var report: SharedReply.Peer {
            switch reachability {
            case .unreachable(let evidence):
                SharedReply.Peer(
                    identity: identity.description, name: "", state: .unreachable,
                    evidence: evidence.reason.description)
            case .reachable:
                SharedReply.Peer(identity: identity.description, name: name, state: .reachable, evidence: "it answers")
            }
        }
    }

    private let endpoint: Wormhole

    init(_ endpoint: Wormhole) {
        self.endpoint = endpoint
    }

    func all() async throws(WormholeError) -> [Known] {
        let identities =
            endpoint.configuration.role == .watch ? [PeerIdentity.phone] : try await endpoint.peers()
        var known: [Known] = []
        for identity in identities {
            known.append(Known(identity: identity, reachability: await endpoint.reachability(of: identity)))
        }
        return known
    }

    /// Everyone, or the peer that is called so.
    ///
    /// - Parameter text: a name, an identity or the beginning of one; nil for everyone.
    /// - Throws: `.noSuchPeer`.
    func recipients(_ text: String?) async throws(WormholeError) -> Recipients {
        guard let text else { return .everyone }
        return .only(try await peer(called: text))
    }

    /// The peer that is called so, or the only one that can be reached, for which this waits.
    func one(_ text: String?, within limit: Microseconds) async throws(WormholeError) -> PeerIdentity {
        if let text { return try await peer(called: text) }
        if endpoint.configuration.role == .watch { return .phone }
        await waitForAny(limit)
        let reachable = try await all().filter(\.reachability.isReachable)
        guard let first = reachable.first else {
            throw .unreachable(UnreachableReason.neverConnected.description)
        }
        guard reachable.count == 1 else { throw .severalPeers(reachable.map(\.identity)) }
        return first.identity
    }

    private func peer(called text: String) async throws(WormholeError) -> PeerIdentity {
        let known = try await all()
        // The name of a peer that is away is not known, and every identity begins with nothing.
        guard !text.isEmpty else { throw .noSuchPeer(text, known: known.map(\.identity)) }
        let fitting = known.filter { $0.name == text || $0.identity.description == text }
        let similar = fitting.isEmpty ? known.filter { $0.identity.description.hasPrefix(text) } : fitting
        guard let first = similar.first else { throw .noSuchPeer(text, known: known.map(\.identity)) }
        guard similar.count == 1 else { throw .severalPeers(similar.map(\.identity)) }
        return first.identity
    }

    /// Waits until some peer can be reached, or the time is over.
    func waitForAny(_ limit: Microseconds) async {
        let changes = endpoint.reachabilityChanges()
        let clock = endpoint.clock
        let deadline = clock.now + limit
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await change in changes where change.reachability.isReachable { return } }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }
}
