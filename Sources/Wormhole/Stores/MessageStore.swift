import GRDB
import Synchronization
import WatchLink

/// Stores the messages of an endpoint in an SQLite database. Only one process at a time can have the database open. A
/// crash of the process at any point does not damage it.
///
/// A program with its own durable state provides a handler. The handler must make the effect of each arriving queued
/// message durable before it returns. Then the store records the message as applied. If a crash or error prevents
/// this record, the store calls the handler again with the same peer, origin and sequence. A handler that commits these
/// three values together with the effect can recognise the repetition, so that every message is applied exactly once.
/// Other programs use the inbox. After a program has handled a message, it takes the message from the inbox.
public final class MessageStore: MessageStorage {
    /// Applies a queued message durably. Throws `.storage` if that is not possible now. The endpoint's thread waits
    /// until the handler returns.
    public typealias Handler = @Sendable (InboundMessage) throws(WormholeError) -> ApplyOutcome

    /// The maximum number of messages that wait for one peer. The value of each message has at most 64 KiB.
    public static let mostWaiting = 16_384

    private enum Ownership {
        case caller
        /// The store holds locks on the path and on the file itself.
        case locked(ServiceLock, FileClaim)
        case closed
    }

    private enum Reception {
        case heard
        case applied(by: Handler)
        case kept(most: Int)
        /// The delegate applies messages in the transaction that records them as applied.
        case delegated(to: any MessageStoreDelegate)
    }

    private let connection: StoreConnection
    private let ownership: Mutex<Ownership>
    private let reception: Reception

    /// Opens a store in a file, which is created if it is missing. SQLite keeps PATH-wal and PATH-shm beside the file,
    /// and the store keeps PATH.lock.
    ///
    /// Without a handler, each arriving queued message counts as applied at once, and only listeners receive it.
    ///
    /// - Throws: `.alreadyServed` if the store is open already, in this or another process; `.storage` if the file is
    ///   not a store; `.system`.
    public convenience init(
        path: String, durability: StoreDurability = .powerLoss, applying handler: Handler? = nil
    ) throws(WormholeError) {
        try self.init(path: path, durability, handler.map(Reception.applied) ?? .heard)
    }

    /// Opens a store in a file, with an inbox. Queued messages that arrive stay in the inbox until the program takes
    /// them. A full inbox rejects new messages.
    ///
    /// - Parameter most: the maximum number of messages in the inbox. A number below 1 counts as 1.
    /// - Throws: the errors of `init(path:durability:applying:)`.
    public convenience init(
        path: String, durability: StoreDurability = .powerLoss, keeping most: Int
    ) throws(WormholeError) {
        try self.init(path: path, durability, .kept(most: max(most, 1)))
    }

    private convenience init(
        path: String, _ durability: StoreDurability, _ reception: Reception
    ) throws(WormholeError) {
        try StoreFile.checkPath(path)
        let lock = try ServiceLock(forFileAt: path)
        // SQLite would use a separate log for another hard link to this file, so the store also claims the file itself.
        let claim = try FileClaim(fileAt: path)
        self.init(StoreConnection(try StoreFile.open(path, durability)), .locked(lock, claim), reception)
    }

    /// Opens a store with an inbox, in a file of an in-memory file system that is registered with SQLite.
    package convenience init(inMemory path: String, keeping most: Int) throws(WormholeError) {
        let connection = StoreConnection(try StoreFile.open(virtual: path, .powerLoss), .inline)
        self.init(connection, .caller, .kept(most: max(most, 1)))
    }

    package convenience init(inMemoryApplying handler: Handler?) throws(WormholeError) {
        let connection = StoreConnection(try StoreFile.open(virtual: ":memory:", .processCrash))
        self.init(connection, .caller, handler.map(Reception.applied) ?? .heard)
    }

    package convenience init(in connection: StoreConnection, delegate: any MessageStoreDelegate) {
        self.init(connection, .caller, .delegated(to: delegate))
    }

    private init(_ connection: StoreConnection, _ ownership: consuming Ownership, _ reception: Reception) {
        self.connection = connection
        self.ownership = Mutex(ownership)
        self.reception = reception
    }

    private var delegate: (any MessageStoreDelegate)? {
        switch reception {
        case .heard, .applied, .kept: nil
        case .delegated(let delegate): delegate
        }
    }

    package func turn(_ body: () -> Void) throws(WormholeError) {
        do { try connection.turn(body) } catch { throw failure(error) }
    }

    package func savepoint(_ body: () throws(WormholeError) -> Void) throws(WormholeError) {
        do { try connection.savepoint(body) } catch { throw failure(error) }
    }

    package func afterCommit(_ step: @escaping () -> Void) { connection.afterCommit(step) }

    package func write<Value>(_ body: (Database) throws -> Value) throws(WormholeError) -> Value {
        do { return try connection.write(body) } catch { throw failure(error) }
    }

    package func read<Value>(_ body: (Database) throws -> Value) throws(WormholeError) -> Value {
        do { return try connection.read(body) } catch { throw failure(error) }
    }

    func execute(_ sql: String, _ arguments: CachedArguments) throws(WormholeError) {
        try write { try $0.execute(cached: sql, arguments: arguments) }
    }

    private func failure(_ error: any Error) -> WormholeError {
        if let error = error as? WormholeError { return error }
        return delegate?.failure(error) ?? WormholeError(storing: error, in: connection.path)
    }

    private func perform<Value: Sendable>(
        _ call: @escaping @Sendable (StoreConnection) throws -> Value
    ) async throws(WormholeError) -> Value {
        do { return try await connection.perform(call).get() } catch { throw failure(error) }
    }

    /// Returns the messages in the inbox with numbers above `number`, oldest first. Throws `.storage`, `.closed`.
    public func inbox(after number: UInt64 = 0) async throws(WormholeError) -> [KeptMessage] {
        try await perform { _ in try self.kept(after: number) }
    }

    /// Removes the message with this number from the inbox, if there is one. Throws `.storage`, `.closed`.
    public func take(_ number: UInt64) async throws(WormholeError) {
        try await perform { _ in try self.drop(number) }
    }

    /// Closes the file, so that another process can open it. Later calls throw `.closed`.
    public func close() {
        try? connection.close()
        ownership.withLock { $0 = .closed }
    }

    package func identity(proposal: UInt64) throws(WormholeError) -> UInt64 {
        try write { db in
            try db.execute(
                cached: "INSERT OR IGNORE INTO endpoint (number, identity) VALUES (1, ?)",
                arguments: [Int64(bitPattern: proposal)])
            let row = try StoredRow.one(db, of: "endpoint", sql: "SELECT identity FROM endpoint")
            guard let identity: Int64 = try row?["identity"] else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            return UInt64(bitPattern: identity)
        }
    }

    package func beginRun(_ drawEpoch: () -> UInt32) throws(WormholeError) {
        try write { try RunTable.begin($0, drawEpoch) }
    }

    package func peers() throws(WormholeError) -> [PeerIdentity] { try read(PeerRow.identities) }

    /// Without a delegate, any peer may use any identity, because all peers then connect over sockets of the same user.
    package func admits(_ peer: PeerIdentity, from device: TransportPeer) throws(WormholeError) -> Bool {
        guard let delegate else { return true }
        return try read { try delegate.admits($0, peer, from: device) }
    }

    package func resume(
        _ peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32
    ) throws(WormholeError) -> PeerStreams {
        let step = StoreHandshake(peer: peer, handshake: handshake, newEpoch: newEpoch, delegate: delegate)
        return try write(step.resume)
    }

    package func append(
        _ message: OutboundMessage, to peer: PeerIdentity, paying payment: ComplicationPayment?
    ) throws(WormholeError) -> IssuedMessage {
        try check(message.name)
        let limit = delegate?.mostWaiting ?? MessageStore.mostWaiting
        return try write { try QueueTable.append($0, message, to: peer, paying: payment, atMost: limit) }
    }

    /// Throws `.reservedName` if the name belongs to the delegate, which writes messages with that name to the database directly.
    private func check(_ name: MessageName) throws(WormholeError) {
        if let delegate, !delegate.isFree(name) { throw .reservedName(name) }
    }

    package func replace(
        _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) throws(WormholeError) -> UInt32 {
        try check(name)
        return try write { try ValueTable.replace($0, name, with: payload, for: recipients) }
    }

    package func issued(to peers: [PeerIdentity]) throws(WormholeError) -> [PeerIdentity: IssuedPositions] {
        try read { db in
            var issued: [PeerIdentity: IssuedPositions] = [:]
            for peer in peers {
                let row = try PeerRow.find(db, peer)
                issued[peer] = IssuedPositions(
                    epoch: row?.epoch ?? 0, queued: row?.issued ?? 0, latest: try ValueTable.issued(db, to: row, peer))
            }
            return issued
        }
    }

    /// Returns the row of a peer whose message or acknowledgement has just arrived; nil if the peer is unknown. If the
    /// row has a floor (`PeerRow.floor`), the delegate handles the floor first, which may change the row.
    private func heardRow(_ db: Database, _ peer: PeerIdentity) throws -> PeerRow? {
        let row = try PeerRow.find(db, peer)
        guard let delegate, let row, row.floor > 0 else { return row }
        try delegate.heard(db, from: peer)
        return try PeerRow.find(db, peer)
    }

    package func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) throws(WormholeError) {
        try write { db in
            guard let row = try heardRow(db, peer) else { return }
            let rejected = try StoreHandshake.acknowledge(db, acknowledgement, row)
            try delegate?.acknowledged(db, acknowledgement, rejected: rejected, before: row)
        }
    }

    package func apply(_ message: InboundMessage) throws(WormholeError) -> ArrivalOutcome {
        try write { db in
            guard var row = try heardRow(db, message.peer) else { throw WormholeError.unknownPeer }
            let isApplied = try message.isApplied(db, row)
            try message.note(db, in: &row)
            try row.storeApplied(db)
            if isApplied {
                try delegate?.repeated(db, message)
                return .repeated
            }
            return try delegate?.apply(db, message) ?? applyHere(db, message, row)
        }
    }

    private func applyHere(_ db: Database, _ message: InboundMessage, _ row: PeerRow) throws -> ArrivalOutcome {
        switch message.content {
        case .latest(let name, let payload): return try ValueTable.take(db, name, payload, of: message, row)
        case .cleared(let name): return try ValueTable.take(db, name, nil, of: message, row)
        case .nothing: return .applied
        case .queued(let name, let payload):
            switch reception {
            case .heard, .delegated: return .applied
            case .applied(let handler): return ArrivalOutcome(try handler(message))
            case .kept(let most):
                return ArrivalOutcome(try InboxTable.enter(db, name, payload, of: message, atMost: most))
            }
        }
    }

    package func complicationBudget(of peer: PeerIdentity) throws(WormholeError) -> ComplicationBudget {
        try read { try BudgetTable.budget($0, of: peer) }
    }
}

extension InboundMessage {
    fileprivate func isApplied(_ db: Database, _ row: PeerRow) throws -> Bool {
        switch content.delivery {
        case .latest: try row.applied(db, of: epoch).latest >= sequence
        case .queued, .interactive, .complication, .file: try row.applied(db, of: origin).queued >= sequence
        }
    }

    fileprivate func note(_ db: Database, in row: inout PeerRow) throws {
        try row.enter(db, epoch)
        switch content.delivery {
        case .latest: row.latestApplied = max(row.latestApplied, sequence)
        case .queued, .interactive, .complication, .file:
            row.queuedApplied = max(row.queuedApplied, sequence)
            if origin != epoch { try noteOrigin(db) }
        }
    }

    private func noteOrigin(_ db: Database) throws {
        var run = try RunTable.former(db, of: peer, origin) ?? StreamRun(epoch: origin)
        guard sequence > run.queued else { return }
        run.queued = sequence
        try RunTable.remember(db, run, of: peer)
    }
}
