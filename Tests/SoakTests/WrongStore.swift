import PhoneHost
import Synchronization
import WatchLink

@testable import Wormhole

extension InboundMessage {
    fileprivate var isAddition: Bool {
        if case .queued(let name, _) = content { name.text == "add" } else { false }
    }
}

extension PastFeed {
    /// Returns the payload of an offer in which each past item has the ID of the item before it.
    fileprivate static func numbersMoved(in payload: [UInt8]) -> [UInt8]? {
        let rows = PastFeed(payload: payload).rows
        let moved = rows.indices.map { place in
            FeedRow(
                id: rows[(place + rows.count - 1) % rows.count].id, rank: rows[place].rank, title: rows[place].title)
        }
        return try? PastFeed(moved).message().payload
    }
}

/// A message store with one planted bug. It passes calls on to a correct store, and changes some of them.
final class WrongStore: MessageStorage {
    enum Wrong: Sendable {
        /// A message is acknowledged when it arrives, but stored only when the next message arrives.
        case acknowledgesEarly
        /// A message is acknowledged although its commit failed.
        case acknowledgesFailures
        /// Each message is applied a second time, under another origin.
        case appliesTwice
        /// Every third message to a watch has the content of the message before it.
        case repeatsMessages
        /// Every fifth message is acknowledged but not applied.
        case dropsMessages
        /// Each addition of a past item is applied a second time, under another origin.
        case addsTwice
        /// If the first message after a watch's return is an addition, it is acknowledged but not applied.
        case losesAdditionsOnReturn
        /// On watches with an even identity, each past item has the ID of the item before it.
        case givesNumbersTwice
        /// A watch is not told that the phone has lost some of its messages.
        case hidesLosses
        /// The daily budget of complication messages is 100 times too large.
        case forgetsBudget
        /// Every third latest value (`Delivery.latest`) is acknowledged but not applied.
        case dropsValues
        /// The clearing of a name is acknowledged, but the name keeps its value.
        case keepsCleared
    }

    private let store: any MessageStorage
    private let wrong: Wrong
    private let waiting = Mutex<InboundMessage?>(nil)
    private let last = Mutex<QueuedMessage.Content?>(nil)
    /// Unchecked, because a simulation runs on one thread.
    private struct Steps: @unchecked Sendable {
        var all: [() -> Void] = []
    }

    private let steps = Mutex(Steps())
    /// The peers that have connected again and sent no message since.
    private let returned = Mutex<Set<PeerIdentity>>([])

    init(_ store: any MessageStorage, _ wrong: Wrong) {
        self.store = store
        self.wrong = wrong
    }

    func apply(_ message: InboundMessage) throws(WormholeError) -> ArrivalOutcome {
        switch wrong {
        case .acknowledgesEarly:
            let before = waiting.withLock { waiting in
                defer { waiting = message }
                return waiting
            }
            if let before { _ = try store.apply(before) }
            return .applied
        case .acknowledgesFailures:
            return try store.apply(message)
        case .appliesTwice: return try applyTwice(message)
        case .addsTwice:
            return try message.isAddition ? applyTwice(message) : store.apply(message)
        case .losesAdditionsOnReturn:
            let isFirst = returned.withLock { $0.remove(message.peer) != nil }
            return isFirst && message.isAddition ? .applied : try store.apply(message)
        case .dropsMessages:
            guard message.sequence % 5 != 0 else { return .applied }
            return try store.apply(message)
        case .dropsValues:
            guard case .latest = message.content, message.sequence % 3 == 0 else {
                return try store.apply(message)
            }
            return .applied
        case .keepsCleared:
            guard case .cleared = message.content else { return try store.apply(message) }
            return .applied
        case .repeatsMessages, .hidesLosses, .forgetsBudget, .givesNumbersTwice:
            return try store.apply(message)
        }
    }

    private func applyTwice(_ message: InboundMessage) throws(WormholeError) -> ArrivalOutcome {
        let outcome = try store.apply(message)
        let again = InboundMessage(
            peer: message.peer, epoch: message.epoch, origin: message.origin ^ 1, sequence: message.sequence,
            content: message.content)
        _ = try store.apply(again)
        return outcome
    }

    func queue(
        to peer: PeerIdentity, from sequence: UInt32, most: Int
    ) throws(WormholeError) -> [QueuedMessage] {
        let messages = try store.queue(to: peer, from: sequence, most: most)
        guard case .repeatsMessages = wrong else { return messages }
        return last.withLock { last in
            messages.map { message in
                defer { last = message.content }
                let content = message.sequence % 3 == 0 ? last ?? message.content : message.content
                return QueuedMessage(sequence: message.sequence, origin: message.origin, content: content)
            }
        }
    }

    // MARK: Turns

    /// If the bug is `.acknowledgesFailures`, runs the steps of `afterCommit` even if the turn fails.
    func turn(_ body: () -> Void) throws(WormholeError) {
        guard case .acknowledgesFailures = wrong else { return try store.turn(body) }
        try? store.turn(body)
        let steps = self.steps.withLock { steps in
            defer { steps = Steps() }
            return steps
        }
        for step in steps.all { step() }
    }

    func savepoint(_ body: () throws(WormholeError) -> Void) throws(WormholeError) { try store.savepoint(body) }

    func afterCommit(_ step: @escaping () -> Void) {
        guard case .acknowledgesFailures = wrong else { return store.afterCommit(step) }
        let box = Steps(all: [step])
        steps.withLock { $0.all += box.all }
    }

    func identity(proposal: UInt64) throws(WormholeError) -> UInt64 {
        try store.identity(proposal: proposal)
    }

    func beginRun(_ drawEpoch: () -> UInt32) throws(WormholeError) {
        try store.beginRun(drawEpoch)
    }

    func peers() throws(WormholeError) -> [PeerIdentity] { try store.peers() }

    func admits(_ peer: PeerIdentity, from device: TransportPeer) throws(WormholeError) -> Bool {
        try store.admits(peer, from: device)
    }

    func resume(
        _ peer: PeerIdentity, handshake: PeerHandshake?, newEpoch: UInt32
    ) throws(WormholeError) -> PeerStreams {
        returned.withLock { _ = $0.insert(peer) }
        let streams = try store.resume(peer, handshake: handshake, newEpoch: newEpoch)
        guard case .hidesLosses = wrong else { return streams }
        return PeerStreams(epoch: streams.epoch, positions: streams.positions)
    }

    func append(
        _ message: OutboundMessage, to peer: PeerIdentity, paying payment: ComplicationPayment?
    ) throws(WormholeError) -> IssuedMessage {
        guard case .forgetsBudget = wrong, let payment else {
            return try store.append(message, to: peer, paying: payment)
        }
        return try store.append(
            message, to: peer, paying: ComplicationPayment(day: payment.day, daily: payment.daily * 100))
    }

    func complicationBudget(of peer: PeerIdentity) throws(WormholeError) -> ComplicationBudget {
        try store.complicationBudget(of: peer)
    }

    func replace(
        _ name: MessageName, with payload: [UInt8]?, for recipients: Recipients
    ) throws(WormholeError) -> UInt32 {
        try store.replace(name, with: payload, for: recipients)
    }

    func value(after revision: UInt32, for peer: PeerIdentity) throws(WormholeError) -> RevisedValue? {
        let value = try store.value(after: revision, for: peer)
        guard case .givesNumbersTwice = wrong, peer.rawValue % 2 == 0, let value, value.name.text == "past",
            let payload = value.payload, let moved = PastFeed.numbersMoved(in: payload)
        else { return value }
        return RevisedValue(revision: value.revision, name: value.name, payload: moved)
    }

    func issued(to peers: [PeerIdentity]) throws(WormholeError) -> [PeerIdentity: IssuedPositions] {
        try store.issued(to: peers)
    }

    func acknowledged(_ acknowledgement: Acknowledgement, by peer: PeerIdentity) throws(WormholeError) {
        try store.acknowledged(acknowledgement, by: peer)
    }

    func currentValue(under name: MessageName) throws(WormholeError) -> [UInt8]? {
        try store.currentValue(under: name)
    }

    func namesWithValue() throws(WormholeError) -> [MessageName] { try store.namesWithValue() }

    func outstanding() throws(WormholeError) -> [OutstandingMessage] { try store.outstanding() }

    func fate(of number: MessageNumber) throws(WormholeError) -> MessageFate? { try store.fate(of: number) }

    func place(of number: MessageNumber) throws(WormholeError) -> QueuePlace? {
        try store.place(of: number)
    }

    func withdraw(_ number: MessageNumber) throws(WormholeError) -> QueuePlace? {
        try store.withdraw(number)
    }

    func noteTooLarge(
        _ sequence: UInt32, to peer: PeerIdentity, bytes: Int, limit: Int
    ) throws(WormholeError) {
        try store.noteTooLarge(sequence, to: peer, bytes: bytes, limit: limit)
    }

    func transfers() throws(WormholeError) -> [TransferRecord] { try store.transfers() }

    func add(_ record: TransferRecord) throws(WormholeError) { try store.add(record) }

    func begun(_ transfer: UInt64) throws(WormholeError) { try store.begun(transfer) }

    func conclude(_ transfer: UInt64, _ fate: MessageFate) throws(WormholeError) {
        try store.conclude(transfer, fate)
    }

    func ended(_ transfer: UInt64) throws(WormholeError) -> (TransferRecord, MessageFate)? {
        try store.ended(transfer)
    }

    func ending(of file: FileOrigin) throws(WormholeError) -> FileEnding? { try store.ending(of: file) }

    func end(_ file: FileOrigin, _ ending: FileEnding) throws(WormholeError) { try store.end(file, ending) }
}
