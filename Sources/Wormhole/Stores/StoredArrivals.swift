import GRDB
import WatchLink

/// Messages of one peer that have arrived together, as a part of a transaction.
struct StoredArrivals: Sendable {
    let messages: [InboundMessage]

    /// The first message by itself, where there are others.
    var first: StoredArrivals? { messages.count > 1 ? StoredArrivals(messages: [messages[0]]) : nil }

    /// Which of them were not applied before.
    func areNew(_ db: Database) throws -> [Bool] {
        guard let row = try row(db) else { return messages.map { _ in true } }
        return try messages.map { try !$0.isApplied(db, row) }
    }

    /// Applies them and notes their numbers.
    ///
    /// - Parameter room: the most messages of the inbox that the queued ones go to; nil where they go nowhere.
    func keep(_ db: Database, room: Int?) throws -> [ArrivalOutcome] {
        guard var row = try row(db) else { return messages.map { _ in .applied } }
        var inbox = try room.map { try InboxTable(db, most: $0) }
        var outcomes: [ArrivalOutcome] = []
        for message in messages {
            guard try !message.isApplied(db, row) else {
                outcomes.append(.repeated)
                continue
            }
            switch message.content {
            case .queued(let name, let payload):
                outcomes.append(ArrivalOutcome(try inbox?.enter(db, name, payload, of: message) ?? .applied))
            case .latest(let name, let payload): outcomes.append(try message.take(db, name, payload, row))
            case .cleared(let name): outcomes.append(try message.take(db, name, nil, row))
            case .nothing: outcomes.append(.applied)
            }
            try message.note(db, in: &row)
        }
        try row.store(db)
        return outcomes
    }

    /// That of their peer; nil for one that has never said hello.
    private func row(_ db: Database) throws -> PeerRow? { try messages.first.flatMap { try PeerRow.find(db, $0.peer) } }
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
        try PeerRuns.change(db, of: peer) { runs in
            var run = runs.former(origin) ?? PeerRuns.Run(epoch: origin, queued: 0, latest: 0)
            run.queued = max(run.queued, sequence)
            runs.remember(run)
        }
    }

    /// Takes a value, unless a restarted peer sends it again. Where both sides pass one under one name at the same moment, the
    /// phone's wins on both.
    fileprivate func take(
        _ db: Database, _ name: MessageName, _ payload: [UInt8]?, _ row: PeerRow
    ) throws -> ArrivalOutcome {
        switch try PassedValueTable.note(db, name, payload, revision: sequence, from: peer) {
        case .repeated: return .repeated
        case .new:
            if try peer == .phone || !ValueTable.isUnderWay(db, name, to: row) {
                try ValueTable.accept(db, name, payload)
            }
            return .applied
        }
    }
}
