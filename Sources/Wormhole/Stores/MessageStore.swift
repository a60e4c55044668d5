import WatchLink

/// A store for ordinary programs: in memory, or in a file that survives a crash at any point.
///
/// A program whose messages change something of its own gives a handler, which is called for every queued message that
/// has arrived and has to make the change durable before it returns. The note that the message is applied follows; a
/// crash in between calls the handler once more for the same peer, epoch and sequence. A program that keeps those three
/// with its change, in one transaction, has every message exactly once; one that conforms to `Persisting` itself needs
/// no handler.
public actor MessageStore: Persisting {
    /// Applies a queued message, durably. It throws `.storage` where it cannot at present.
    public typealias Handler = @Sendable (InboundMessage) async throws(WormholeError) -> ApplyOutcome

    private enum Medium {
        case memory
        case file(StoreLog)
        case closed
    }

    private var state: StoreState
    private var medium: Medium
    private let handler: Handler?

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
    ///   - durability: what a message that was passed or acknowledged survives.
    ///   - handler: applies queued messages.
    /// - Throws: `.alreadyServed` where another process has the store open; `.storage` where the file is no such store;
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

    /// Gives the file back, so that another may open it. Whatever would change the store then throws `.closed`.
    public func close() {
        medium = .closed
    }

    /// Makes a record durable and takes it in, or neither.
    private func commit(_ record: StoreRecord) throws(WormholeError) {
        switch medium {
        case .memory: state.take(record)
        case .closed: throw .closed
        case .file(var log):
            defer { medium = .file(log) }
            try log.append(record)
            state.take(record)
            guard log.isDueForCompaction else { return }
            // The record is durable as it is. Where there is no room for a second file, the first goes on growing.
            try? log.compact(to: .snapshot(state))
        }
    }

    /// What peers know this endpoint by.
    public func identity(proposal: UInt64) throws(WormholeError) -> UInt64 {
        if let identity = state.identity { return identity }
        try commit(.identity(proposal))
        return proposal
    }

    /// The peers that ever said hello.
    public func peers() -> [PeerIdentity] {
        state.peers.keys.sorted().map(PeerIdentity.init(rawValue:))
    }

    /// Where the streams between this endpoint and a peer go on.
    public func resume(
        _ peer: PeerIdentity, meeting: PeerHandshake?, newEpoch: UInt32
    ) throws(WormholeError) -> PeerStreams {
        if state.peers[peer.rawValue] == nil { try commit(.met(peer: peer.rawValue, epoch: newEpoch)) }
        guard let streams = state.streams(of: peer) else { preconditionFailure("the peer was met just now") }
        guard let hello = meeting?.hello else { return streams }
        if !streams.positions.agree(with: hello, epoch: streams.epoch) {
            try commit(.renumbered(peer: peer.rawValue, epoch: newEpoch))
        } else if hello.knows(epoch: streams.epoch) {
            try acknowledged(Acknowledgement(queued: hello.queuedApplied, latest: hello.latestApplied), by: peer)
        }
        return state.streams(of: peer) ?? streams
    }

    /// Appends a message to the queue of a peer and returns its sequence.
    ///
    /// - Throws: `.unknownPeer` for one that never said hello; `.system`.
    public func append(_ message: OutboundMessage, to peer: PeerIdentity) throws(WormholeError) -> UInt32 {
        guard let streams = state.peers[peer.rawValue] else { throw .unknownPeer }
        let kept = StoreState.Message(name: message.name, payload: message.payload)
        try commit(.queued(peer: peer.rawValue, message: kept))
        return streams.issued + 1
    }

    /// The message with that sequence in the queue of a peer.
    public func queued(_ sequence: UInt32, to peer: PeerIdentity) -> OutboundMessage? {
        guard let streams = state.peers[peer.rawValue], sequence > streams.acknowledged, sequence <= streams.issued
        else { return nil }
        let message = streams.queue[Int(sequence - streams.acknowledged - 1)]
        return OutboundMessage(name: message.name, payload: message.payload)
    }

    /// Replaces the value of a name and returns its revision.
    public func replace(_ value: OutboundValue, for recipients: Recipients) throws(WormholeError) -> UInt32 {
        let peer: UInt64? =
            switch recipients {
            case .everyone: nil
            case .only(let one): one.rawValue
            }
        let payload: [UInt8]? =
            switch value.content {
            case .value(let bytes): bytes
            case .cleared: nil
            }
        let revision = state.revision + 1
        try commit(.replaced(StoreState.Value(name: value.name, peer: peer, revision: revision, payload: payload)))
        return revision
    }

    /// The value with the lowest revision above `revision` that is meant for a peer.
    public func value(after revision: UInt32, for peer: PeerIdentity) -> RevisedValue? {
        let candidates = state.values.filter { $0.revision > revision && $0.isMeant(for: peer.rawValue) }
        guard let next = candidates.min(by: { $0.revision < $1.revision }) else { return nil }
        let content = next.payload.map(OutboundValue.Content.value) ?? .cleared
        return RevisedValue(revision: next.revision, value: OutboundValue(name: next.name, content: content))
    }

    /// The highest sequence and the highest revision that were ever issued to a peer.
    public func issued(to peer: PeerIdentity) -> IssuedPositions {
        IssuedPositions(queued: state.peers[peer.rawValue]?.issued ?? 0, latest: state.latestIssued(to: peer))
    }

    /// A peer has applied messages or refused some.
    public func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) throws(WormholeError) {
        guard let streams = state.peers[peer.rawValue],
            acknowledgement.queued > streams.acknowledged || acknowledgement.latest > streams.latestAcknowledged
        else { return }
        try commit(
            .acknowledged(peer: peer.rawValue, queued: acknowledgement.queued, latest: acknowledgement.latest))
    }

    /// Applies a message that has arrived: a queued one by the handler, a latest value here.
    public func apply(_ message: InboundMessage) async throws(WormholeError) -> ApplyOutcome {
        guard !state.hasApplied(message) else { return .applied }
        var note = StoreRecord.Application(
            peer: message.peer.rawValue, epoch: message.epoch,
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

    /// Where both sides pass a value under one name at the same moment, the phone's stands on both.
    private func isAccepted(_ name: MessageName, from peer: PeerIdentity) -> Bool {
        peer == .phone || !state.hasValueUnderWay(name, to: peer)
    }

    /// The value that was last replaced or applied under a name, encoded.
    public func currentValue(under name: MessageName) -> [UInt8]? {
        state.mailbox[name]
    }

    /// The names that have a value.
    public func namesWithValue() -> [MessageName] {
        state.mailbox.keys.sorted()
    }
}
