import GRDB
import WatchLink

/// Messages of one peer that have arrived together, as a part of a transaction.
struct StoredArrivals: Sendable {
    let messages: [InboundMessage]

    /// The first message by itself, where there are others.
    var first: StoredArrivals? { messages.count > 1 ? StoredArrivals(messages: [messages[0]]) : nil }

    /// Which of them were not applied before.
    func areNew(_ db: Database) throws -> [Bool] {
        let row = try row(db)
        return try messages.map { try !$0.isApplied(db, row) }
    }

    /// Applies them and notes their numbers.
    ///
    /// - Parameter room: the most messages of the inbox that the queued ones go to; nil where they go nowhere.
    func keep(_ db: Database, room: Int?) throws -> [ArrivalOutcome] {
        var row = try row(db)
        var inbox = try room.map { try InboxTable(db, most: $0) }
        let outcomes = try messages.map { message throws -> ArrivalOutcome in
            let isApplied = try message.isApplied(db, row)
            try message.note(db, in: &row)
            guard !isApplied else { return .repeated }
            switch message.content {
            case .queued(let name, let payload):
                return ArrivalOutcome(try inbox?.enter(db, name, payload, of: message) ?? .applied)
            case .latest(let name, let payload): return try ValueTable.take(db, name, payload, of: message, row)
            case .cleared(let name): return try ValueTable.take(db, name, nil, of: message, row)
            case .nothing: return .applied
            }
        }
        try row.storeApplied(db)
        return outcomes
    }

    /// Has the store's own program apply them, and notes the number of each before.
    func apply(
        _ db: Database, by delegate: any MessageStoreDelegate, _ after: inout AfterCommit
    ) throws -> [ArrivalOutcome] {
        var outcomes: [ArrivalOutcome] = []
        for message in messages {
            try delegate.heard(db, from: message.peer, &after)
            var row = try row(db)
            let isApplied = try message.isApplied(db, row)
            try message.note(db, in: &row)
            try row.storeApplied(db)
            if isApplied {
                try delegate.repeated(db, message, &after)
                outcomes.append(.repeated)
            } else {
                outcomes.append(try delegate.apply(db, message, &after))
            }
        }
        return outcomes
    }

    /// That of their peer.
    ///
    /// - Throws: `.unknownPeer` for one that has never said hello, or was forgotten.
    private func row(_ db: Database) throws -> PeerRow {
        guard let row = try PeerRow.find(db, messages[0].peer) else { throw WormholeError.unknownPeer }
        return row
    }
}

extension InboundMessage {
    /// Whether a message with this number was applied before.
    fileprivate func isApplied(_ db: Database, _ row: PeerRow) throws -> Bool {
        switch content.delivery {
        case .latest: try row.applied(db, of: epoch).latest >= sequence
        case .queued, .interactive, .complication, .file: try row.applied(db, of: origin).queued >= sequence
        }
    }

    /// Notes in the peer's row that the message is applied.
    fileprivate func note(_ db: Database, in row: inout PeerRow) throws {
        try row.enter(db, epoch)
        switch content.delivery {
        case .latest: row.latestApplied = max(row.latestApplied, sequence)
        case .queued, .interactive, .complication, .file:
            row.queuedApplied = max(row.queuedApplied, sequence)
            if origin != epoch { try noteOrigin(db) }
        }
    }

    /// It was issued in another run than the one that has brought it.
    private func noteOrigin(_ db: Database) throws {
        var run = try RunTable.former(db, of: peer, origin) ?? StreamRun(epoch: origin)
        guard sequence > run.queued else { return }
        run.queued = sequence
        try RunTable.remember(db, run, of: peer)
    }
}
