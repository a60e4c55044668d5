import Synchronization

/// What can be passed: any value that defines its own encoding.
public typealias Passable = Codable & Sendable

/// A message as a listener to many names receives it.
public struct HeardMessage: Sendable, Hashable, Codable {
    /// The name that it was passed under.
    public let name: MessageName
    /// The side that passed it.
    public let origin: MessageOrigin
    /// How it was delivered.
    public let delivery: Delivery
    /// Its encoded value: one CBOR data item; null if the name was cleared.
    public let payload: [UInt8]
    /// Whether it has a value.
    public private(set) var act = Act.passed

    /// What somebody did with a name.
    public enum Act: Hashable, Sendable, Codable {
        /// They passed a message or a notification under it.
        case passed
        /// They cleared its value.
        case cleared
    }

    /// Null in CBOR: what a notification has for a value.
    static let nothing: [UInt8] = [0xF6]

    /// Whether it has no value.
    public var isNotification: Bool { delivery == .interactive && payload == HeardMessage.nothing }

    /// The message as a value of a type.
    ///
    /// - Throws: `.coding` if it is no such value.
    public func decoded<Message: Passable>(as type: Message.Type) throws(WormholeError) -> Message {
        try MessageDecoder().decode(type, from: payload)
    }
}

extension HeardMessage {
    /// A notification: a name that was passed without a value.
    init(notifying name: MessageName, from origin: MessageOrigin) {
        self.init(name: name, origin: origin, delivery: .interactive, payload: HeardMessage.nothing)
    }

    /// A name that was cleared.
    init(clearing name: MessageName, from origin: MessageOrigin) {
        self.init(name: name, origin: origin, delivery: .latest, payload: HeardMessage.nothing, act: .cleared)
    }
}

/// The side that passed a message.
public enum MessageOrigin: Hashable, Sendable, Codable {
    /// This endpoint itself.
    case own
    /// A peer.
    case peer(PeerIdentity)
}

/// A queued message of a peer that waits in the inbox of a store until a program takes it.
public struct KeptMessage: Hashable, Sendable {
    /// Its number in the inbox; messages have ascending numbers in the order of their arrival.
    public let number: UInt64
    /// The message, which was delivered by `.queued` or `.complication`.
    public let message: HeardMessage
}

/// Sends every element to every present listener, in order. A listener that is slow misses none until `mostUnread` wait for it; then
/// the oldest go.
///
/// A lock of its own keeps deliveries in order, for the reason that `Published` gives.
final class Broadcast<Element: Sendable>: Sendable {
    /// Called with each element, and with nil at the end.
    typealias Listener = @Sendable (Element?) -> Void

    struct Source {
        var count: UInt64 = 0
        var listeners: [UInt64: Listener] = [:]
    }

    /// The most elements that wait for one listener.
    static var mostUnread: Int { 10_000 }

    /// Nil once it is finished.
    let source = Mutex<Source?>(Source())
    private let delivery = Mutex(())

    /// A sequence of `history` and then of everything that is sent from now on.
    func listen(after history: [Element] = []) -> AsyncStream<Element> {
        listen(after: history) { $0 }
    }

    /// A sequence of the values that `transform` returns for everything from now on, without nil.
    func listen<Output: Sendable>(
        after history: [Element] = [], keeping mostUnread: Int = Broadcast.mostUnread,
        _ transform: @escaping @Sendable (Element) -> Output?
    ) -> AsyncStream<Output> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Output.self, bufferingPolicy: .bufferingNewest(mostUnread))
        let listener: Listener = { element in
            guard let element else { return continuation.finish() }
            if let output = transform(element) { continuation.yield(output) }
        }
        for element in history { listener(element) }
        let number: UInt64? = source.withLock { source in
            source?.count += 1
            guard let number = source?.count else { return nil }
            source?.listeners[number] = listener
            return number
        }
        if let number {
            continuation.onTermination = { [weak self] _ in self?.forget(number) }
        } else {
            continuation.finish()
        }
        return stream
    }

    func send(_ element: Element) {
        delivery.withLock { _ in
            let source = source.withLock { $0 }
            source?.listeners.values.forEach { $0(element) }
        }
    }

    func finish() {
        let ended = source.withLock { source in
            defer { source = nil }
            return source
        }
        ended?.listeners.values.forEach { $0(nil) }
    }

    private func forget(_ number: UInt64) {
        // Removed under the lock and released outside of it.
        let gone = source.withLock { $0?.listeners.removeValue(forKey: number) }
        withExtendedLifetime(gone) {}
    }
}
