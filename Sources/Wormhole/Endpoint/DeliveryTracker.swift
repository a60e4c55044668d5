import WatchLink

/// Which copy of a message has which number, so that what a peer acknowledges finds the handle that the program holds.
struct DeliveryTracker {
    private struct Entry {
        let name: MessageName
        let copy: MessageCopy
        /// Whether a newer value of the name has come.
        var currency = Currency.current
    }

    private enum Currency {
        case current
        case replaced
    }

    private struct Streams {
        var queued: [UInt32: Entry] = [:]
        var latest: [UInt32: Entry] = [:]
        /// The newest word of the peer, for a copy that is entered after the peer has spoken about it.
        var lastWord = Acknowledgement(queued: 0, latest: 0)
    }

    private var peers: [PeerIdentity: Streams] = [:]

    /// Enters a queued message.
    mutating func enterQueued(_ sequence: UInt32, name: MessageName, to peer: PeerIdentity) -> MessageCopy {
        let copy = MessageCopy()
        peers[peer, default: Streams()].queued[sequence] = Entry(name: name, copy: copy)
        settle(peer)
        return copy
    }

    /// Enters a latest value. Older ones of its name expire, but for one that the transport has: the peer may still
    /// apply it.
    mutating func enterLatest(_ revision: UInt32, name: MessageName, to peer: PeerIdentity) -> MessageCopy {
        replace(name, below: revision, to: peer)
        let copy = MessageCopy()
        // Of two that were passed at the same time the later may have been entered first.
        if peers[peer]?.latest.contains(where: { $0.key > revision && $0.value.name == name }) ?? false {
            copy.advance(to: .expired)
            return copy
        }
        peers[peer, default: Streams()].latest[revision] = Entry(name: name, copy: copy)
        settle(peer)
        return copy
    }

    /// The value of a name was replaced or cleared with this revision.
    mutating func replace(_ name: MessageName, below newest: UInt32, to peer: PeerIdentity) {
        guard var streams = peers[peer] else { return }
        for (revision, entry) in streams.latest where entry.name == name && revision < newest {
            if entry.copy.fate == .queued {
                entry.copy.advance(to: .expired)
                streams.latest[revision] = nil
            } else {
                streams.latest[revision]?.currency = .replaced
            }
        }
        peers[peer] = streams
    }

    /// The peers to which something is on its way.
    var knownPeers: [PeerIdentity] { Array(peers.keys) }

    /// The transport has taken a message.
    func sent(_ delivery: LinkDelivery, _ number: UInt32, to peer: PeerIdentity) {
        switch delivery {
        case .queued: peers[peer]?.queued[number]?.copy.advance(to: .sent)
        case .latest: peers[peer]?.latest[number]?.copy.advance(to: .sent)
        }
    }

    /// A queued message will never be applied.
    mutating func failed(queued sequence: UInt32, to peer: PeerIdentity, _ failure: MessageFailure) {
        peers[peer]?.queued.removeValue(forKey: sequence)?.copy.advance(to: .failed(failure))
    }

    /// A latest value will never be applied.
    mutating func failed(latest revision: UInt32, to peer: PeerIdentity, _ failure: MessageFailure) {
        peers[peer]?.latest.removeValue(forKey: revision)?.copy.advance(to: .failed(failure))
    }

    /// The peer has spoken.
    mutating func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) {
        peers[peer, default: Streams()].lastWord = acknowledgement
        settle(peer)
    }

    /// The streams to a peer go on in a new connection, with sequences lower by `shift` where they were numbered
    /// afresh.
    mutating func resumed(_ peer: PeerIdentity, _ positions: StreamPositions, shift: UInt32) {
        guard var streams = peers[peer] else { return }
        if shift > 0 {
            // What was done before is not among them: those have left the queue, and their sequences would be below
            // one.
            let moved = streams.queued.filter { $0.key > shift }.map { ($0.key - shift, $0.value) }
            for (sequence, entry) in streams.queued where sequence <= shift { entry.copy.advance(to: .applied) }
            streams.queued = Dictionary(uniqueKeysWithValues: moved)
        }
        for (revision, entry) in streams.latest where revision > positions.latestAcknowledged {
            // It was under way when the channel was lost, and will not be sent again.
            guard case .replaced = entry.currency else { continue }
            entry.copy.advance(to: .expired)
            streams.latest[revision] = nil
        }
        streams.lastWord = Acknowledgement(
            queued: positions.queuedAcknowledged, latest: positions.latestAcknowledged)
        peers[peer] = streams
        settle(peer)
    }

    /// Updates every copy from the peer's newest acknowledgement.
    private mutating func settle(_ peer: PeerIdentity) {
        guard var streams = peers[peer] else { return }
        let word = streams.lastWord
        for (sequence, entry) in streams.queued where sequence <= word.queued {
            entry.copy.settle(word.rejected.reason(of: sequence))
            streams.queued[sequence] = nil
        }
        for (revision, entry) in streams.latest where revision <= word.latest {
            let rejection = word.rejectedLatest.flatMap { $0.sequence == revision ? $0.reason : nil }
            if case .replaced = entry.currency, entry.copy.fate == .queued {
                entry.copy.advance(to: .expired)
            } else {
                entry.copy.settle(rejection)
            }
            streams.latest[revision] = nil
        }
        peers[peer] = streams
    }
}

extension MessageCopy {
    /// The peer is done with the message.
    fileprivate func settle(_ rejection: RejectionReason?) {
        advance(to: .sent)
        advance(to: .delivered)
        advance(to: rejection.map { .failed(.rejected($0)) } ?? .applied)
    }
}
