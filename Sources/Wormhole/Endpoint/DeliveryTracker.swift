import WatchLink

/// Updates the fates of stored messages as they are sent and acknowledged. It finds a `MessageCopy` (a message for
/// one recipient) by its recipient, and by its sequence or revision.
struct DeliveryTracker {
    private struct Entry {
        let name: MessageName
        let copy: MessageCopy
        var isReplaced = false
    }

    private struct Streams {
        var queued: [UInt32: Entry] = [:]
        var latest: [UInt32: Entry] = [:]
        /// The peer's newest acknowledgement. It may arrive before `enter` adds the copy that it acknowledges.
        var acknowledged = Acknowledgement(queued: 0, latest: 0)

        func copy(_ delivery: LinkDelivery, _ number: UInt32) -> MessageCopy? {
            switch delivery {
            case .queued: queued[number]?.copy
            case .latest: latest[number]?.copy
            }
        }

        /// Adds a copy. If the peer has acknowledged the copy already, the copy gets its final fate at once.
        mutating func enter(_ entry: Entry, _ sequence: UInt32) {
            queued[sequence] = entry
            if sequence <= acknowledged.queued { settle(sequence, entry) }
        }

        private mutating func settle(_ sequence: UInt32, _ entry: Entry) {
            entry.copy.settle(acknowledged.rejected.reason(of: sequence))
            queued[sequence] = nil
        }

        mutating func settle(_ newest: Acknowledgement) {
            // Every copy here has a number above the old acknowledgement. Only the newly acknowledged numbers are visited,
            // because thousands of copies may wait behind them.
            let done = min(acknowledged.queued, newest.queued)..<newest.queued
            acknowledged = newest
            if done.count < queued.count {
                for sequence in done { if let entry = queued[sequence + 1] { settle(sequence + 1, entry) } }
            } else {
                for (sequence, entry) in queued where sequence <= newest.queued { settle(sequence, entry) }
            }
            settleLatest()
        }

        mutating func settleLatest() {
            for (revision, entry) in latest where revision <= acknowledged.latest {
                let rejection = acknowledged.rejectedLatest.flatMap { $0.sequence == revision ? $0.reason : nil }
                if entry.isReplaced, entry.copy.fate == .queued {
                    entry.copy.advance(to: .expired)
                } else {
                    entry.copy.settle(rejection)
                }
                latest[revision] = nil
            }
        }

        mutating func replace(_ name: MessageName, below newest: UInt32) {
            for (revision, entry) in latest where entry.name == name && revision < newest {
                if entry.copy.fate == .queued {
                    entry.copy.advance(to: .expired)
                    latest[revision] = nil
                } else {
                    latest[revision]?.isReplaced = true
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

    /// Returns the copy of a queued message. Nil if its fate is final, or if this process has neither passed the message nor
    /// looked it up.
    func copy(of number: MessageNumber) -> MessageCopy? {
        for streams in peers.values {
            if let entry = streams.queued.values.first(where: { $0.copy.number == number }) { return entry.copy }
        }
        return nil
    }

    mutating func withdrawn(_ sequence: UInt32, to peer: PeerIdentity) {
        change(peer) { $0.queued.removeValue(forKey: sequence)?.copy.advance(to: .expired) }
    }

    /// Adds a message that is sent as a latest value (`Delivery.latest`). Older unsent values of the name expire. The peer may
    /// still apply an older value that was sent.
    mutating func enterLatest(_ copy: MessageCopy, _ revision: UInt32, name: MessageName, to peer: PeerIdentity) {
        change(peer) { streams in
            streams.replace(name, below: revision)
            streams.latest[revision] = Entry(name: name, copy: copy)
            streams.settleLatest()
        }
    }

    mutating func cleared(_ name: MessageName, at revision: UInt32) {
        for peer in peers.keys { peers[peer]?.replace(name, below: revision) }
    }

    mutating func sent(_ delivery: LinkDelivery, _ number: UInt32, to peer: PeerIdentity) {
        change(peer) { $0.copy(delivery, number)?.advance(to: .sent) }
    }

    mutating func failed(_ delivery: LinkDelivery, _ number: UInt32, to peer: PeerIdentity, _ failure: MessageFailure) {
        change(peer) { streams in
            streams.copy(delivery, number)?.advance(to: .failed(failure))
            switch delivery {
            case .queued: streams.queued[number] = nil
            case .latest: streams.latest[number] = nil
            }
        }
    }

    mutating func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) {
        change(peer) { $0.settle(acknowledgement) }
    }

    mutating func forget(_ peer: PeerIdentity) {
        guard let streams = peers[peer], streams.queued.isEmpty, streams.latest.isEmpty else { return }
        peers[peer] = nil
    }

    mutating func resumed(_ peer: PeerIdentity, _ positions: StreamPositions, renumbered: [UInt32: UInt32]?) {
        guard var streams = peers[peer] else { return }
        if let renumbered {
            let moved = streams.queued.compactMap { old, entry in renumbered[old].map { ($0, entry) } }
            streams.queued = Dictionary(uniqueKeysWithValues: moved)
        }
        for (revision, entry) in streams.latest where revision > positions.latestAcknowledged {
            // The replaced value was in transit when the channel was lost, and will not be sent again.
            guard entry.isReplaced else { continue }
            entry.copy.advance(to: .expired)
            streams.latest[revision] = nil
        }
        // Numbers of an earlier epoch have no meaning in the new one.
        streams.acknowledged = Acknowledgement(queued: 0, latest: 0)
        streams.settle(
            Acknowledgement(queued: positions.queuedAcknowledged, latest: positions.latestAcknowledged))
        peers[peer] = streams
    }
}

extension MessageCopy {
    fileprivate func settle(_ rejection: RejectionReason?) {
        advance(to: .sent)
        advance(to: .delivered)
        advance(to: rejection.map { .failed(.rejected($0)) } ?? .applied)
    }
}
