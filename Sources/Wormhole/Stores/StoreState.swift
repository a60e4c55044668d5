import WatchLink

/// Everything that a message store keeps, as one value; it changes by records alone.
struct StoreState: Codable, Sendable {
    /// The streams between this endpoint and one peer.
    struct Peer: Codable, Sendable {
        var epoch: UInt32
        /// Queued messages up to and with this one are done.
        var acknowledged: UInt32 = 0
        var latestAcknowledged: UInt32 = 0
        /// What is still to be applied by the peer, in order; the first has the sequence `acknowledged` + 1.
        var queue: [OutboundMessage] = []
        var peerEpoch: UInt32 = 0
        var queuedApplied: UInt32 = 0
        var latestApplied: UInt32 = 0
        /// Nil in a file of an earlier version.
        var runs: PeerRuns?

        var issued: UInt32 { acknowledged + UInt32(queue.count) }
    }

    struct Value: Codable, Sendable {
        let name: MessageName
        /// The one peer that it is for, nil for everyone.
        let peer: UInt64?
        let revision: UInt32
        /// Nil where the name is cleared.
        let payload: [UInt8]?

        func isMeant(for other: UInt64) -> Bool { peer == nil || peer == other }
    }

    var identity: UInt64?
    /// The highest revision that was ever given.
    var revision: UInt32 = 0
    var peers: [UInt64: Peer] = [:]
    var values: [Value] = []
    /// The value that was last passed or applied under each name.
    var mailbox: [MessageName: [UInt8]] = [:]

    mutating func take(_ record: StoreRecord) {
        switch record {
        case .snapshot(let state): self = state
        case .identity(let identity): self.identity = identity
        case .met(let peer, let epoch): peers[peer] = Peer(epoch: epoch)
        case .renumbered(let peer, let epoch):
            update(peer) { streams in
                streams.epoch = epoch
                streams.acknowledged = 0
                streams.latestAcknowledged = 0
                let former = streams.runs?.former ?? []
                streams.runs = PeerRuns()
                for run in former { streams.runs?.remember(run) }
            }
        case .began(let peer, let epoch):
            let latest = latestIssued(to: PeerIdentity(rawValue: peer))
            update(peer) { streams in
                let ended = PeerRuns.Run(epoch: streams.epoch, queued: streams.issued, latest: latest)
                streams.runs = streams.runs ?? PeerRuns()
                streams.runs?.begin(epoch, after: ended, acknowledged: streams.acknowledged)
                streams.epoch = epoch
            }
        case .entered(let peer, let epoch): update(peer) { $0.enter(epoch) }
        case .queued(let peer, let message): update(peer) { $0.queue.append(message) }
        case .acknowledged(let peer, let queued, let latest):
            update(peer) { streams in
                let done = min(queued, streams.issued)
                if done > streams.acknowledged {
                    streams.queue.removeFirst(Int(done - streams.acknowledged))
                    streams.acknowledged = done
                }
                streams.latestAcknowledged = max(streams.latestAcknowledged, latest)
            }
        case .replaced(let value): replace(value)
        case .applied(let note): apply(note)
        }
    }

    private mutating func update(_ peer: UInt64, _ change: (inout Peer) -> Void) {
        guard var streams = peers[peer] else { return }
        change(&streams)
        peers[peer] = streams
    }

    private mutating func replace(_ value: Value) {
        // A value for everyone replaces those for one peer; one for a peer replaces only that peer's.
        values.removeAll { $0.name == value.name && (value.peer == nil || $0.peer == value.peer) }
        values.append(value)
        revision = max(revision, value.revision)
        mailbox[value.name] = value.payload
    }

    private mutating func apply(_ note: StoreRecord.Application) {
        update(note.peer) { streams in
            streams.enter(note.epoch)
            switch note.stream {
            case .queued:
                streams.queuedApplied = max(streams.queuedApplied, note.sequence)
                guard let origin = note.origin, origin != note.epoch else { break }
                var run = streams.runs?.former(origin) ?? PeerRuns.Run(epoch: origin, queued: 0, latest: 0)
                run.queued = max(run.queued, note.sequence)
                streams.runs = streams.runs ?? PeerRuns()
                streams.runs?.remember(run)
            case .latest: streams.latestApplied = max(streams.latestApplied, note.sequence)
            }
        }
        guard let name = note.name else { return }
        // A name has one value, whichever side passed it: a value that was passed here is not sent any more.
        values.removeAll { $0.name == name }
        mailbox[name] = note.payload
    }
}

extension StoreState.Peer {
    /// What was applied of a run of the peer.
    func applied(of epoch: UInt32) -> PeerRuns.Run {
        let present = PeerRuns.Run(epoch: peerEpoch, queued: queuedApplied, latest: latestApplied)
        return epoch == peerEpoch ? present : runs?.former(epoch) ?? PeerRuns.Run(epoch: epoch, queued: 0, latest: 0)
    }

    /// The peer is in this run from now on.
    mutating func enter(_ epoch: UInt32) {
        guard epoch != peerEpoch else { return }
        let (ended, applied) = (applied(of: peerEpoch), applied(of: epoch))
        var runs = runs ?? PeerRuns()
        if ended.epoch != 0 { runs.remember(ended) }
        runs.forgetFormer(epoch)
        self.runs = runs
        (peerEpoch, queuedApplied, latestApplied) = (epoch, applied.queued, applied.latest)
    }
}

extension StoreState {
    /// Whether a message with this number was applied before.
    func hasApplied(_ message: InboundMessage) -> Bool {
        guard let streams = peers[message.peer.rawValue] else { return false }
        return switch message.content.delivery {
        case .latest: message.sequence <= streams.applied(of: message.epoch).latest
        case .queued, .interactive, .complication, .file:
            message.sequence <= streams.applied(of: message.origin).queued
        }
    }

    /// Whether the peer has not acknowledged a value of ours under this name yet.
    func hasValueUnderWay(_ name: MessageName, to peer: PeerIdentity) -> Bool {
        let acknowledged = peers[peer.rawValue]?.latestAcknowledged ?? 0
        return values.contains {
            $0.name == name && $0.isMeant(for: peer.rawValue) && $0.revision > acknowledged
        }
    }

    func streams(of peer: PeerIdentity) -> PeerStreams? {
        guard let streams = peers[peer.rawValue] else { return nil }
        var positions = StreamPositions()
        positions.queuedIssued = streams.issued
        positions.queuedAcknowledged = streams.acknowledged
        positions.latestIssued = latestIssued(to: peer)
        positions.latestAcknowledged = streams.latestAcknowledged
        positions.peerEpoch = streams.peerEpoch == 0 ? nil : streams.peerEpoch
        positions.queuedApplied = streams.queuedApplied
        positions.latestApplied = streams.latestApplied
        return PeerStreams(epoch: streams.epoch, positions: positions)
    }

    /// The highest revision that was ever issued to a peer. Never less than it has acknowledged, though that value may
    /// be gone.
    func latestIssued(to peer: PeerIdentity) -> UInt32 {
        let meant = values.filter { $0.isMeant(for: peer.rawValue) }.map(\.revision).max() ?? 0
        return max(meant, peers[peer.rawValue]?.latestAcknowledged ?? 0)
    }
}

/// One step of a store: it has happened completely or not at all.
enum StoreRecord: Codable, Sendable {
    case snapshot(StoreState)
    /// The identity that peers know this endpoint by.
    case identity(UInt64)
    /// A new peer, and the epoch of the streams to it.
    case met(peer: UInt64, epoch: UInt32)
    /// The streams to a peer have a new epoch, in which what is queued is numbered from 1.
    case renumbered(peer: UInt64, epoch: UInt32)
    /// A new run of ours, in which the numbers of the streams to a peer go on.
    case began(peer: UInt64, epoch: UInt32)
    /// The peer is in this run of its own.
    case entered(peer: UInt64, epoch: UInt32)
    /// A message was appended to the queue of a peer.
    case queued(peer: UInt64, message: OutboundMessage)
    /// A peer is done with messages.
    case acknowledged(peer: UInt64, queued: UInt32, latest: UInt32)
    case replaced(StoreState.Value)
    case applied(Application)

    /// A message that was applied, and the value that it changed.
    struct Application: Codable, Sendable {
        enum Stream: UInt8, Codable, Sendable {
            case latest
            case queued
        }

        let peer: UInt64
        let epoch: UInt32
        /// The epoch in which the peer issued it, where that is another.
        var origin: UInt32?
        let stream: Stream
        let sequence: UInt32
        /// The name whose value it has changed, if any.
        var name: MessageName?
        /// The value of the name; nil where it is cleared.
        var payload: [UInt8]?
    }
}
