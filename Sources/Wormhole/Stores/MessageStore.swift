import WatchLink

/// A store for ordinary programs: in memory, or in a file that survives a crash at any point.
///
/// A program whose messages change something of its own provides a handler, which is called for every queued message
/// that arrives and has to make the change durable before it returns. The store then notes that the message is applied;
/// a crash in between calls the handler once more for the same peer, origin and sequence. A program that keeps those
/// three with its change, in one transaction, applies every message exactly once.
public actor MessageStore: Persisting {
    /// Applies a queued message, durably. It throws `.storage` where it cannot at present.
    public typealias Handler = @Sendable (InboundMessage) async throws(WormholeError) -> ApplyOutcome

    /// The most messages that wait for one peer, of at most 64 KiB each: a peer that never comes again holds no more than that.
    public static let mostWaiting = 4_096

    private enum Medium {
        case memory
        case file(StoreLog)
        case closed
    }

    private var state: StoreState
    private var medium: Medium
    private let handler: Handler?
    /// The peers whose streams have the epoch of this run.
    private var begun: Set<UInt64> = []

    /// A store that lives as long as the object: it survives the restart of an endpoint, not that of the process.
    public init(applying handler: Handler? = nil) {
        state = StoreState()
        medium = .memory
        self.handler = handler
    }

    /// A store in a file, created where it is missing.
    ///
    /// - Parameters:
    ///   - path: the file. Its directory has to exist.
    ///   - durability: which failures a passed or acknowledged message survives.
    ///   - handler: applies queued messages.
    /// - Throws: `.alreadyServed` where another process has the store open; `.storage` where the file is not a store;
    ///   `.system`.
    public init(
        path: String, durability: StoreDurability = .powerLoss, applying handler: Handler? = nil
    ) throws(WormholeError) {
        var log = try StoreLog(path: path, durability: durability)
        var state = StoreState()
        for record in try log.replay() { state.take(record) }
        medium = .file(log)
        self.state = state
        self.handler = handler
    }

    /// Closes the file, so that another process may open it. Every later change throws `.closed`.
    public func close() {
        medium = .closed
    }

    /// Makes a record durable and applies it to the state, or neither.
    private func commit(_ record: StoreRecord) throws(WormholeError) {
        switch medium {
        case .memory: state.take(record)
        case .closed: throw .closed
        case .file(var log):
            defer { medium = .file(log) }
            try log.append(record)
            state.take(record)
            guard log.isDueForCompaction else { return }
            // The record is durable as it is. Where there is no room for a second file, the first continues to grow.
            try? log.compact(to: .snapshot(state))
        }
    }

    package func identity(proposal: UInt64) throws(WormholeError) -> UInt64 {
        if let identity = state.identity { return identity }
        try commit(.identity(proposal))
        return proposal
    }

    package func peers() -> [PeerIdentity] {
        state.peers.keys.sorted().map(PeerIdentity.init(rawValue:))
    }

    /// Its peers connect over sockets of one user, who may take any identity.
    package func admits(_ peer: PeerIdentity, from device: TransportPeer) -> Bool { true }

    package func resume(
        _ peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32
    ) throws(WormholeError) -> PeerStreams {
        if state.peers[peer.rawValue] == nil {
            try commit(.met(peer: peer.rawValue, epoch: newEpoch))
        } else if !begun.contains(peer.rawValue) {
            try commit(.began(peer: peer.rawValue, epoch: newEpoch))
        }
        begun.insert(peer.rawValue)
        guard let streams = state.streams(of: peer) else { preconditionFailure("the peer was entered just now") }
        guard let hello = handshake?.hello else { return streams }
        if state.peers[peer.rawValue]?.peerEpoch != hello.epoch {
            try commit(.entered(peer: peer.rawValue, epoch: hello.epoch))
        }
        let claimed = Acknowledgement(queued: hello.queuedApplied, latest: hello.latestApplied)
        let past = hello.knownEpoch.flatMap { state.peers[peer.rawValue]?.runs?.end(of: $0) }
        if !streams.positions.agree(with: hello, epoch: streams.epoch) {
            // A watch's messages keep their names, so that none is applied twice.
            try commit(
                peer == .phone
                    ? .began(peer: peer.rawValue, epoch: newEpoch)
                    : .renumbered(peer: peer.rawValue, epoch: newEpoch))
        } else if hello.knows(epoch: streams.epoch) {
            try acknowledged(claimed, by: peer)
        } else if let past, peer != .phone {
            if claimed.queued <= past.queued, claimed.latest <= past.latest {
                try acknowledged(claimed, by: peer)
            } else {
                try commit(.renumbered(peer: peer.rawValue, epoch: newEpoch))
            }
        }
        return state.streams(of: peer) ?? streams
    }

    package func append(_ message: OutboundMessage, to peer: PeerIdentity) throws(WormholeError) -> UInt32 {
        guard let streams = state.peers[peer.rawValue] else { throw .unknownPeer }
        guard streams.queue.count < MessageStore.mostWaiting else { throw .queueFull(limit: MessageStore.mostWaiting) }
        try commit(.queued(peer: peer.rawValue, message: message))
        return streams.issued + 1
    }

    package func queued(_ sequence: UInt32, to peer: PeerIdentity) -> OutboundMessage? {
        guard let streams = state.peers[peer.rawValue], sequence > streams.acknowledged, sequence <= streams.issued
        else { return nil }
        return streams.queue[Int(sequence - streams.acknowledged - 1)]
    }

    /// A phone's messages have no origin: its watch says which run it has followed.
    package func origin(of sequence: UInt32, to peer: PeerIdentity) -> UInt32? {
        peer == .phone ? state.peers[peer.rawValue]?.runs?.origin(of: sequence) : nil
    }

    package func replace(
        _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) throws(WormholeError) -> UInt32 {
        let peer: UInt64? =
            switch recipients {
            case .everyone: nil
            case .only(let one): one.rawValue
            }
        let revision = state.revision + 1
        try commit(.replaced(StoreState.Value(name: name, peer: peer, revision: revision, payload: payload)))
        return revision
    }

    package func value(after revision: UInt32, for peer: PeerIdentity) -> RevisedValue? {
        let candidates = state.values.filter { $0.revision > revision && $0.isMeant(for: peer.rawValue) }
        guard let next = candidates.min(by: { $0.revision < $1.revision }) else { return nil }
        return RevisedValue(revision: next.revision, name: next.name, payload: next.payload)
    }

    package func issued(to peer: PeerIdentity) -> (queued: UInt32, latest: UInt32) {
        (state.peers[peer.rawValue]?.issued ?? 0, state.latestIssued(to: peer))
    }

    package func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) throws(WormholeError) {
        guard let streams = state.peers[peer.rawValue],
            acknowledgement.queued > streams.acknowledged || acknowledgement.latest > streams.latestAcknowledged
        else { return }
        try commit(
            .acknowledged(peer: peer.rawValue, queued: acknowledgement.queued, latest: acknowledgement.latest))
    }

    /// The handler applies a queued message; a latest value is applied here.
    package func apply(_ message: InboundMessage) async throws(WormholeError) -> ApplyOutcome {
        guard !state.hasApplied(message) else { return .applied }
        var note = StoreRecord.Application(
            peer: message.peer.rawValue, epoch: message.epoch,
            origin: message.origin == message.epoch ? nil : message.origin,
            stream: message.content.delivery == .latest ? .latest : .queued, sequence: message.sequence)
        var outcome = ApplyOutcome.applied
        switch message.content {
        case .queued:
            if let handler { outcome = try await handler(message) }
        case .latest(let name, let payload) where isAccepted(name, from: message.peer):
            note.name = name
            note.payload = payload
        case .cleared(let name) where isAccepted(name, from: message.peer): note.name = name
        case .latest, .cleared, .nothing: break
        }
        try commit(.applied(note))
        return outcome
    }

    /// Where both sides pass a value under one name at the same moment, the phone's value wins on both.
    private func isAccepted(_ name: MessageName, from peer: PeerIdentity) -> Bool {
        peer == .phone || !state.hasValueUnderWay(name, to: peer)
    }

    package func currentValue(under name: MessageName) -> [UInt8]? {
        state.mailbox[name]
    }

    package func namesWithValue() -> [MessageName] {
        state.mailbox.keys.sorted()
    }
}
