import WatchLink

/// Which copy of a message has which number, so that a peer's acknowledgement finds the handle that the program holds.
struct DeliveryTracker {
    private struct Entry {
        let name: MessageName
        let copy: MessageCopy
        var currency = Currency.current
    }

    /// Whether a newer value of the name has come.
    private enum Currency {
        case current
        case replaced
    }

    private struct Streams {
        private var queued: [UInt32: Entry] = [:]
        private var latest: [UInt32: Entry] = [:]
        /// The peer's newest acknowledgement, for a copy that is entered after it has arrived.
        fileprivate var acknowledged = Acknowledgement(queued: 0, latest: 0)

        subscript(delivery: LinkDelivery) -> [UInt32: Entry] {
            get {
                switch delivery {
                case .queued: queued
                case .latest: latest
                }
            }
            set {
                switch delivery {
                case .queued: queued = newValue
                case .latest: latest = newValue
                }
            }
        }

        /// Enters a copy. Where the peer has acknowledged it already, it is settled at once.
        mutating func enter(_ entry: Entry, _ sequence: UInt32) {
            queued[sequence] = entry
            if sequence <= acknowledged.queued { settle(sequence, entry) }
        }

        private mutating func settle(_ sequence: UInt32, _ entry: Entry) {
            entry.copy.settle(acknowledged.rejected.reason(of: sequence))
            queued[sequence] = nil
        }

        /// Updates the copies from an acknowledgement.
        mutating func settle(_ newest: Acknowledgement) {
            // No copy is below the one before: thousands may wait behind the few that are done.
            let done = min(acknowledged.queued, newest.queued)..<newest.queued
            acknowledged = newest
            if done.count < queued.count {
                for sequence in done { if let entry = queued[sequence + 1] { settle(sequence + 1, entry) } }
            } else {
                for (sequence, entry) in queued where sequence <= newest.queued { settle(sequence, entry) }
            }
            settleLatest()
        }

        /// Updates the copies of values from the newest acknowledgement.
        mutating func settleLatest() {
            for (revision, entry) in latest where revision <= acknowledged.latest {
                let rejection = acknowledged.rejectedLatest.flatMap { $0.sequence == revision ? $0.reason : nil }
                if case .replaced = entry.currency, entry.copy.fate == .queued {
                    entry.copy.advance(to: .expired)
                } else {
                    entry.copy.settle(rejection)
                }
                latest[revision] = nil
            }
        }

        /// The value of a name was replaced or cleared with this revision.
        mutating func replace(_ name: MessageName, below newest: UInt32) {
            for (revision, entry) in latest where entry.name == name && revision < newest {
                if entry.copy.fate == .queued {
                    entry.copy.advance(to: .expired)
                    latest[revision] = nil
                } else {
                    latest[revision]?.currency = .replaced
                }
            }
        }
    }

    private var peers: [PeerIdentity: Streams] = [:]

    private mutating func change(_ peer: PeerIdentity, _ body: (inout Streams) -> Void) {
        body(&peers[peer, default: Streams()])
    }

    mutating func enterQueued(_ copy: MessageCopy, at place: QueuePlace) {
        change(place.peer) { $0.enter(Entry(name: place.name, copy: copy), place.sequence) }
    }

    /// The copy of a queued message that this program has passed since its start, and that is not done.
    func copy(of number: MessageNumber) -> MessageCopy? {
        for streams in peers.values {
            if let entry = streams[.queued].values.first(where: { $0.copy.number == number }) { return entry.copy }
        }
        return nil
    }

    /// A message was taken back.
    mutating func withdrawn(_ sequence: UInt32, to peer: PeerIdentity) {
        change(peer) { $0[.queued].removeValue(forKey: sequence)?.copy.advance(to: .expired) }
    }

    /// Enters a latest value. Older ones of its name expire, except one that the transport has accepted: the peer may
    /// still apply it.
    mutating func enterLatest(_ copy: MessageCopy, _ revision: UInt32, name: MessageName, to peer: PeerIdentity) {
        change(peer) { streams in
            streams.replace(name, below: revision)
            streams[.latest][revision] = Entry(name: name, copy: copy)
            streams.settleLatest()
        }
    }

    /// The value of a name was cleared for every peer with this revision.
    mutating func cleared(_ name: MessageName, at revision: UInt32) {
        for peer in peers.keys { peers[peer]?.replace(name, below: revision) }
    }

    mutating func sent(_ delivery: LinkDelivery, _ number: UInt32, to peer: PeerIdentity) {
        change(peer) { $0[delivery][number]?.copy.advance(to: .sent) }
    }

    mutating func failed(_ delivery: LinkDelivery, _ number: UInt32, to peer: PeerIdentity, _ failure: MessageFailure) {
        change(peer) { $0[delivery].removeValue(forKey: number)?.copy.advance(to: .failed(failure)) }
    }

    mutating func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) {
        change(peer) { streams in
            streams.settle(acknowledgement)
        }
    }

    /// Forgets a peer, unless a program waits for the fate of a message to it.
    mutating func forget(_ peer: PeerIdentity) {
        guard let streams = peers[peer], streams[.queued].isEmpty, streams[.latest].isEmpty else { return }
        peers[peer] = nil
    }

    /// The streams to a peer continue in a new connection or epoch at these positions, where `before` was the highest
    /// queued sequence. Where fewer are issued now, that number of messages has left the front of the queue, and those
    /// behind them have new numbers.
    mutating func resumed(_ peer: PeerIdentity, _ positions: StreamPositions, before: UInt32) {
        let shift = before - min(before, positions.queuedIssued)
        guard var streams = peers[peer] else { return }
        if shift > 0 {
            // Messages that were applied have left the queue; their sequences would be below one.
            for (sequence, entry) in streams[.queued] where sequence <= shift { entry.copy.advance(to: .applied) }
            let moved = streams[.queued].filter { $0.key > shift }.map { ($0.key - shift, $0.value) }
            streams[.queued] = Dictionary(uniqueKeysWithValues: moved)
        }
        for (revision, entry) in streams[.latest] where revision > positions.latestAcknowledged {
            // It was sent when the channel was lost, and is not sent again.
            guard case .replaced = entry.currency else { continue }
            entry.copy.advance(to: .expired)
            streams[.latest][revision] = nil
        }
        // In another epoch the numbers of the one before mean nothing.
        streams.acknowledged = Acknowledgement(queued: 0, latest: 0)
        streams.settle(
            Acknowledgement(queued: positions.queuedAcknowledged, latest: positions.latestAcknowledged))
        peers[peer] = streams
    }
}

extension MessageCopy {
    /// The peer has applied or rejected the message.
    fileprivate func settle(_ rejection: RejectionReason?) {
        advance(to: .sent)
        advance(to: .delivered)
        advance(to: rejection.map { .failed(.rejected($0)) } ?? .applied)
    }
}
