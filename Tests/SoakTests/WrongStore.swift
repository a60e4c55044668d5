import ListFeed
import Synchronization
import WatchLink
import Wormhole

extension InboundMessage {
    fileprivate var isAddition: Bool {
        if case .queued(let name, _) = content { name.text == "add" } else { false }
    }
}

extension PastFeed {
    /// The payload of an offer in which each past item has the number of the one before it.
    fileprivate static func numbersMoved(in payload: [UInt8]) -> [UInt8]? {
        let rows = PastFeed(payload: payload).rows
        let moved = rows.indices.map { place in
            FeedRow(
                id: rows[(place + rows.count - 1) % rows.count].id, rank: rows[place].rank, title: rows[place].title)
        }
        return try? PastFeed(moved).message().payload
    }
}

/// A message store with something wrong between the links and it.
final class WrongStore: MessageStorage {
    enum Wrong: Sendable {
        /// A check-off is acknowledged before it is committed, which it is with the next one.
        case acknowledgesEarly
        /// A check-off that could not be committed is acknowledged.
        case acknowledgesFailures
        /// Each check-off is applied once more under another number.
        case appliesTwice
        /// Every third message to a watch is the one before it again.
        case repeatsMessages
        /// Every fifth check-off is acknowledged and not applied.
        case dropsMessages
        /// Each addition of a past item is applied once more under another number.
        case addsTwice
        /// The first message of a watch that comes back is acknowledged and not applied if it is an addition.
        case losesAdditionsOnReturn
        /// Each past item has the number of the one before it, on every second watch.
        case givesNumbersTwice
        /// A watch is not told that check-offs of it are lost.
        case hidesLosses
        /// Complication messages are charged to a budget that has no end.
        case forgetsBudget
        /// Every third latest value is acknowledged and not applied.
        case dropsValues
        /// A name that was cleared is acknowledged, and keeps its value.
        case keepsCleared
    }

    private let store: any MessageStorage
    private let wrong: Wrong
    private let waiting = Mutex<InboundMessage?>(nil)
    private let last = Mutex<QueuedMessage.Content?>(nil)
    /// The watches of which nothing has come since they came back.
    private let returned = Mutex<Set<PeerIdentity>>([])

    init(_ store: any MessageStorage, _ wrong: Wrong) {
        self.store = store
        self.wrong = wrong
    }

    /// The first of them; the endpoint calls again for the others.
    func apply(_ messages: [InboundMessage]) async throws(WormholeError) -> [ArrivalOutcome] {
        [try await apply(messages[0])]
    }

    private func apply(_ message: InboundMessage) async throws(WormholeError) -> ArrivalOutcome {
        switch wrong {
        case .acknowledgesEarly:
            let before = waiting.withLock { waiting in
                defer { waiting = message }
                return waiting
            }
            if let before { _ = try await store.apply([before]) }
            return .applied
        case .acknowledgesFailures:
            do throws(WormholeError) { return try await store.apply([message])[0] } catch { return .applied }
        case .appliesTwice: return try await applyTwice(message)
        case .addsTwice:
            return try await message.isAddition ? applyTwice(message) : store.apply([message])[0]
        case .losesAdditionsOnReturn:
            let isFirst = returned.withLock { $0.remove(message.peer) != nil }
            return isFirst && message.isAddition ? .applied : try await store.apply([message])[0]
        case .dropsMessages:
            guard message.sequence % 5 != 0 else { return .applied }
            return try await store.apply([message])[0]
        case .dropsValues:
            guard case .latest = message.content, message.sequence % 3 == 0 else {
                return try await store.apply([message])[0]
            }
            return .applied
        case .keepsCleared:
            guard case .cleared = message.content else { return try await store.apply([message])[0] }
            return .applied
        case .repeatsMessages, .hidesLosses, .forgetsBudget, .givesNumbersTwice:
            return try await store.apply([message])[0]
        }
    }

    private func applyTwice(_ message: InboundMessage) async throws(WormholeError) -> ArrivalOutcome {
        let outcome = try await store.apply([message])[0]
        let again = InboundMessage(
            peer: message.peer, epoch: message.epoch, origin: message.origin ^ 1, sequence: message.sequence,
            content: message.content)
        _ = try await store.apply([again])
        return outcome
    }

    func queue(
        to peer: PeerIdentity, from sequence: UInt32, most: Int
    ) async throws(WormholeError) -> [QueuedMessage] {
        let messages = try await store.queue(to: peer, from: sequence, most: most)
        guard case .repeatsMessages = wrong else { return messages }
        return last.withLock { last in
            messages.map { message in
                defer { last = message.content }
                let content = message.sequence % 3 == 0 ? last ?? message.content : message.content
                return QueuedMessage(sequence: message.sequence, origin: message.origin, content: content)
            }
        }
    }

    func identity(proposal: UInt64) async throws(WormholeError) -> UInt64 {
        try await store.identity(proposal: proposal)
    }

    func beginRun(_ drawEpoch: @escaping @Sendable () -> UInt32) async throws(WormholeError) {
        try await store.beginRun(drawEpoch)
    }

    func peers() async throws(WormholeError) -> [PeerIdentity] { try await store.peers() }

    func admits(_ peer: PeerIdentity, from device: TransportPeer) async throws(WormholeError) -> Bool {
        try await store.admits(peer, from: device)
    }

    func resume(
        _ peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32
    ) async throws(WormholeError) -> PeerStreams {
        returned.withLock { _ = $0.insert(peer) }
        let streams = try await store.resume(peer, handshake: handshake, newEpoch: newEpoch)
        guard case .hidesLosses = wrong else { return streams }
        return PeerStreams(epoch: streams.epoch, positions: streams.positions)
    }

    func append(
        _ message: OutboundMessage, to peer: PeerIdentity, paying payment: ComplicationPayment?
    ) async throws(WormholeError) -> IssuedMessage {
        guard case .forgetsBudget = wrong, let payment else {
            return try await store.append(message, to: peer, paying: payment)
        }
        return try await store.append(
            message, to: peer, paying: ComplicationPayment(day: payment.day, daily: payment.daily * 100))
    }

    func complicationBudget(of peer: PeerIdentity) async throws(WormholeError) -> ComplicationBudget {
        try await store.complicationBudget(of: peer)
    }

    func replace(
        _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) async throws(WormholeError) -> UInt32 {
        try await store.replace(name, with: payload, for: recipients)
    }

    func value(after revision: UInt32, for peer: PeerIdentity) async throws(WormholeError) -> RevisedValue? {
        let value = try await store.value(after: revision, for: peer)
        guard case .givesNumbersTwice = wrong, peer.rawValue % 2 == 0, let value, value.name.text == "past",
            let payload = value.payload, let moved = PastFeed.numbersMoved(in: payload)
        else { return value }
        return RevisedValue(revision: value.revision, name: value.name, payload: moved)
    }

    func issued(to peers: [PeerIdentity]) async throws(WormholeError) -> [PeerIdentity: IssuedPositions] {
        try await store.issued(to: peers)
    }

    func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) async throws(WormholeError) {
        try await store.acknowledged(acknowledgement, by: peer)
    }

    func currentValue(under name: MessageName) async throws(WormholeError) -> [UInt8]? {
        try await store.currentValue(under: name)
    }

    func namesWithValue() async throws(WormholeError) -> [MessageName] { try await store.namesWithValue() }

    func outstanding() async throws(WormholeError) -> [OutstandingMessage] { try await store.outstanding() }

    func fate(of number: MessageNumber) async throws(WormholeError) -> MessageFate? { try await store.fate(of: number) }

    func place(of number: MessageNumber) async throws(WormholeError) -> QueuePlace? {
        try await store.place(of: number)
    }

    func withdraw(_ number: MessageNumber) async throws(WormholeError) -> QueuePlace? {
        try await store.withdraw(number)
    }

    func noteTooLarge(
        _ sequence: UInt32, to peer: PeerIdentity, bytes: Int, limit: Int
    ) async throws(WormholeError) {
        try await store.noteTooLarge(sequence, to: peer, bytes: bytes, limit: limit)
    }

    func transfers() async throws(WormholeError) -> [TransferRecord] { try await store.transfers() }

    func add(_ record: TransferRecord) async throws(WormholeError) { try await store.add(record) }

    func begun(_ transfer: UInt64) async throws(WormholeError) { try await store.begun(transfer) }

    func remove(_ transfer: UInt64) async throws(WormholeError) { try await store.remove(transfer) }
}
