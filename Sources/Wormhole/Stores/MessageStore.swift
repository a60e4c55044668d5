import GRDB
import WatchLink

/// The messages of an endpoint in an SQLite database that one process at a time has open. It survives a crash at any point.
///
/// A program whose messages change something of its own provides a handler, which is called for every queued message
/// that arrives and has to make the change durable before it returns. The store then notes that the message is applied;
/// a crash in between calls the handler once more for the same peer, origin and sequence. A program that keeps those
/// three with its change, in one transaction, applies every message exactly once. A program that does something else when a
/// message comes has them kept in an inbox, from which it takes each when it is done with it.
public final actor MessageStore: MessageStorage {
    /// Applies a queued message, durably. It throws `.storage` where it cannot at present.
    public typealias Handler = @Sendable (InboundMessage) async throws(WormholeError) -> ApplyOutcome

    /// The most messages that wait for one peer, of at most 64 KiB each: a peer that never comes again holds no more than that.
    public static let mostWaiting = 16_384

    /// Who else may have the database open.
    private enum Ownership {
        /// Whoever the caller lets.
        case caller
        /// Nobody, by this name, nor by another one of the same file.
        case locked(ServiceLock, FileClaim)
        case closed
    }

    /// What becomes of queued messages that arrive.
    private enum Reception {
        /// Listeners hear them, and nothing is kept.
        case heard
        case applied(by: Handler)
        case kept(most: Int)
        /// In the transaction that notes that they are applied.
        case delegated(to: any MessageStoreDelegate)

        var delegate: (any MessageStoreDelegate)? {
            switch self {
            case .heard, .applied, .kept: nil
            case .delegated(let delegate): delegate
            }
        }
    }

    private let transactions: GroupedTransactions
    private var ownership: Ownership
    private let reception: Reception

    /// A store in a file, created where it is missing.
    ///
    /// - Parameters:
    ///   - path: the file. Its directory has to exist. SQLite keeps two more beside it, PATH-wal and PATH-shm.
    ///   - durability: which failures a passed or acknowledged message survives.
    ///   - handler: applies queued messages.
    /// - Throws: `.alreadyServed` where another process has the store open; `.storage` where the file is not a store;
    ///   `.system`.
    public init(
        path: String, durability: StoreDurability = .powerLoss, applying handler: Handler? = nil
    ) throws(WormholeError) {
        try self.init(path: path, durability, handler.map(Reception.applied) ?? .heard)
    }

    /// A store in a file with an inbox: queued messages that arrive are kept until they are taken.
    ///
    /// - Parameters:
    ///   - path: the file, as for `init(path:durability:applying:)`.
    ///   - durability: which failures a message survives.
    ///   - most: the most messages in the inbox, at least 1; further ones are rejected, because there is no room.
    /// - Throws: as `init(path:durability:applying:)`.
    public init(
        path: String, durability: StoreDurability = .powerLoss, keeping most: Int
    ) throws(WormholeError) {
        try self.init(path: path, durability, .kept(most: max(most, 1)))
    }

    private init(path: String, _ durability: StoreDurability, _ reception: Reception) throws(WormholeError) {
        let lock = try ServiceLock(forFileAt: path)
        // A link to the file has a log beside it of another name, which is not that of the file's.
        let claim = try FileClaim(fileAt: path)
        transactions = GroupedTransactions(try StoreFile.open(path, durability))
        ownership = .locked(lock, claim)
        self.reception = reception
    }

    /// A store with an inbox, in a file system in memory that SQLite has been given. Every transaction runs on the caller's thread.
    package init(inMemory path: String, keeping most: Int) throws(WormholeError) {
        transactions = GroupedTransactions(try StoreFile.open(virtual: path, .powerLoss), .inline)
        ownership = .caller
        reception = .kept(most: max(most, 1))
    }

    /// A store in memory; `WormholeTesting` gives it to tests.
    package init(inMemoryApplying handler: Handler?) throws(WormholeError) {
        transactions = GroupedTransactions(try StoreFile.open(virtual: ":memory:", .processCrash))
        ownership = .caller
        reception = handler.map(Reception.applied) ?? .heard
    }

    /// The store in the database of a program that has more tables there.
    package init(in transactions: GroupedTransactions, delegate: any MessageStoreDelegate) {
        self.transactions = transactions
        ownership = .caller
        reception = .delegated(to: delegate)
    }

    private var delegate: (any MessageStoreDelegate)? { reception.delegate }

    /// One transaction, which is durable when this returns, or has changed nothing.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(WormholeError) -> Value {
        do { return try await transactions.change(body).get() } catch { throw failure(error) }
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database, inout AfterCommit) throws -> Value
    ) async throws(WormholeError) -> Value {
        let (value, after) = try await write { db in
            var after = AfterCommit()
            return (try body(db, &after), after)
        }
        after.run()
        return value
    }

    /// One transaction that changes nothing.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(WormholeError) -> Value {
        do { return try await transactions.look { try $0.reading(body) }.get() } catch { throw failure(error) }
    }

    private func failure(_ error: any Error) -> WormholeError {
        if let error = error as? WormholeError { return error }
        return delegate?.failure(error) ?? WormholeError(storing: error, in: transactions.path)
    }

    /// What is in the inbox, from the oldest on.
    ///
    /// - Parameter number: only messages after this one.
    /// - Throws: `.storage`, `.closed`.
    public func inbox(after number: UInt64 = 0) async throws(WormholeError) -> [KeptMessage] {
        try await read { try InboxTable.messages($0, after: number) }
    }

    /// Removes a message from the inbox, for somebody who is done with it. One that is not there changes nothing.
    ///
    /// - Throws: `.storage`, `.closed`.
    public func take(_ number: UInt64) async throws(WormholeError) {
        try await write { try InboxTable.remove($0, number) }
    }

    /// Closes the file, so that another process may open it. Every later change throws `.closed`.
    public func close() async {
        try? transactions.close()
        ownership = .closed
    }

    package func identity(proposal: UInt64) async throws(WormholeError) -> UInt64 {
        try await write { db in
            try db.execute(
                cached: "INSERT OR IGNORE INTO endpoint (number, identity) VALUES (1, ?)",
                arguments: [Int64(bitPattern: proposal)])
            let row = try StoredRow.one(db, of: "endpoint", sql: "SELECT identity FROM endpoint")
            guard let identity: Int64 = try row?["identity"] else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            return UInt64(bitPattern: identity)
        }
    }

    package func beginRun(_ drawEpoch: @escaping @Sendable () -> UInt32) async throws(WormholeError) {
        try await write { try RunTable.begin($0, drawEpoch) }
    }

    package func peers() async throws(WormholeError) -> [PeerIdentity] {
        try await read(PeerRow.identities)
    }

    /// Without a delegate, peers connect over sockets of one user, who may take any identity.
    package func admits(_ peer: PeerIdentity, from device: TransportPeer) async throws(WormholeError) -> Bool {
        guard let delegate else { return true }
        let (isAdmitted, after) = try await read { db in
            var after = AfterCommit()
            return (try delegate.admits(db, peer, from: device, &after), after)
        }
        after.run()
        return isAdmitted
    }

    package func resume(
        _ peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32
    ) async throws(WormholeError) -> PeerStreams {
        let step = StoreHandshake(peer: peer, handshake: handshake, newEpoch: newEpoch, delegate: delegate)
        return try await write { db, after in try step.resume(db, &after) }
    }

    package func append(
        _ message: OutboundMessage, to peer: PeerIdentity, paying payment: ComplicationPayment?
    ) async throws(WormholeError) -> IssuedMessage {
        try check(message.name)
        let limit = delegate?.mostWaiting ?? MessageStore.mostWaiting
        return try await write { try QueueTable.append($0, message, to: peer, paying: payment, atMost: limit) }
    }

    /// The delegate puts its messages into the database itself: whoever passes under one of its names is another program.
    private func check(_ name: MessageName) throws(WormholeError) {
        if let delegate, !delegate.isFree(name) { throw .reservedName(name) }
    }

    package func queue(
        to peer: PeerIdentity, from sequence: UInt32, most: Int
    ) async throws(WormholeError) -> [QueuedMessage] {
        try await read { db in
            try QueueTable.messages(db, to: peer, from: sequence, most: most).withoutGaps(from: sequence)
        }
    }

    package func replace(
        _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) async throws(WormholeError) -> UInt32 {
        try check(name)
        return try await write { try ValueTable.replace($0, name, with: payload, for: recipients) }
    }

    package func value(
        after revision: UInt32, for peer: PeerIdentity
    ) async throws(WormholeError) -> RevisedValue? {
        try await read { try ValueTable.value($0, after: revision, for: peer) }
    }

    package func issued(to peers: [PeerIdentity]) async throws(WormholeError) -> [PeerIdentity: IssuedPositions] {
        try await read { db in
            var issued: [PeerIdentity: IssuedPositions] = [:]
            for peer in peers {
                let row = try PeerRow.find(db, peer)
                issued[peer] = IssuedPositions(
                    epoch: row?.epoch ?? 0, queued: row?.issued ?? 0, latest: try ValueTable.issued(db, to: row, peer))
            }
            return issued
        }
    }

    package func acknowledged(
        _ acknowledgement: Acknowledgement, by peer: PeerIdentity
    ) async throws(WormholeError) {
        try await write { [delegate] db, after in
            try delegate?.heard(db, from: peer, &after)
            guard let row = try PeerRow.find(db, peer) else { return }
            let rejected = try StoreHandshake.acknowledge(db, acknowledgement, row)
            try delegate?.acknowledged(db, acknowledgement, rejected: rejected, before: row, &after)
        }
    }

    /// Queued messages are applied by the handler or the delegate, or kept; latest values are applied here.
    package func apply(_ messages: [InboundMessage]) async throws(WormholeError) -> [ArrivalOutcome] {
        let arrivals = StoredArrivals(messages: messages)
        switch reception {
        case .applied(let handler): return try await apply(arrivals, by: handler)
        case .heard: return try await applyTogether(arrivals) { db, arrivals, _ in try arrivals.keep(db, room: nil) }
        case .kept(let most):
            return try await applyTogether(arrivals) { db, arrivals, _ in try arrivals.keep(db, room: most) }
        case .delegated(let delegate):
            return try await applyTogether(arrivals) { db, arrivals, after in
                try arrivals.apply(db, by: delegate, &after)
            }
        }
    }

    /// In one transaction. Where one of several cannot be applied, the first is by itself: no message is held up by those after
    /// it.
    private func applyTogether(
        _ arrivals: StoredArrivals,
        _ body: @escaping @Sendable (Database, StoredArrivals, inout AfterCommit) throws -> [ArrivalOutcome]
    ) async throws(WormholeError) -> [ArrivalOutcome] {
        do throws(WormholeError) {
            return try await write { db, after in try body(db, arrivals, &after) }
        } catch {
            guard let first = arrivals.first else { throw error }
            return try await write { db, after in try body(db, first, &after) }
        }
    }

    /// By a handler, one after the other until it fails; what it has done is noted together.
    private func apply(
        _ arrivals: StoredArrivals, by handler: Handler
    ) async throws(WormholeError) -> [ArrivalOutcome] {
        let isNew = try await read(arrivals.areNew)
        var outcomes: [ApplyOutcome] = []
        var failure: WormholeError?
        do throws(WormholeError) {
            for (message, isNew) in zip(arrivals.messages, isNew) {
                switch (message.content, isNew) {
                case (.queued, true): outcomes.append(try await handler(message))
                case (.queued, false), (.latest, _), (.cleared, _), (.nothing, _): outcomes.append(.applied)
                }
            }
        } catch {
            failure = error
        }
        if let failure, outcomes.isEmpty { throw failure }
        let done = StoredArrivals(messages: Array(arrivals.messages.prefix(outcomes.count)))
        let kept = try await write { try done.keep($0, room: nil) }
        // The handler was not called for what is sent again, and knows nothing of values.
        return zip(outcomes, kept).map { $1 == .repeated ? .repeated : ArrivalOutcome($0) }
    }

    package func currentValue(under name: MessageName) async throws(WormholeError) -> [UInt8]? {
        try await read { try ValueTable.current($0, name) }
    }

    package func namesWithValue() async throws(WormholeError) -> [MessageName] {
        try await read(ValueTable.names)
    }

    package func complicationBudget(of peer: PeerIdentity) async throws(WormholeError) -> ComplicationBudget {
        try await read { try BudgetTable.budget($0, of: peer) }
    }

    package func outstanding() async throws(WormholeError) -> [OutstandingMessage] {
        try await read(QueueTable.outstanding)
    }

    package func fate(of number: MessageNumber) async throws(WormholeError) -> MessageFate? {
        try await read { try QueueTable.fate($0, of: number) }
    }

    package func place(of number: MessageNumber) async throws(WormholeError) -> QueuePlace? {
        try await read { try QueueTable.place($0, of: number) }
    }

    package func withdraw(_ number: MessageNumber) async throws(WormholeError) -> QueuePlace? {
        try await write { try QueueTable.withdraw($0, number) }
    }

    package func noteTooLarge(
        _ sequence: UInt32, to peer: PeerIdentity, bytes: Int, limit: Int
    ) async throws(WormholeError) {
        try await write {
            try QueueTable.noteTooLarge($0, sequence, to: peer, bytes: bytes, limit: limit)
        }
    }

    package func transfers() async throws(WormholeError) -> [TransferRecord] {
        try await read(TransferTable.all)
    }

    package func add(_ record: TransferRecord) async throws(WormholeError) {
        try await write { try TransferTable.add($0, record) }
    }

    package func begun(_ transfer: UInt64) async throws(WormholeError) {
        try await write { try TransferTable.begun($0, transfer) }
    }

    package func remove(_ transfer: UInt64) async throws(WormholeError) {
        try await write { try TransferTable.remove($0, transfer) }
    }
}
