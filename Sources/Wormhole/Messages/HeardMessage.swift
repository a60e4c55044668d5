import Synchronization

/// A value that a message can carry.
public typealias Passable = Codable & Sendable

/// A message as listeners receive it.
public struct HeardMessage: Sendable, Hashable, Codable {
    /// The name that it was passed under.
    public let name: MessageName
    /// The side that passed it.
    public let origin: MessageOrigin
    /// How it was delivered.
    public let delivery: Delivery
    /// The encoded value: one CBOR data item; null if the name was cleared.
    public let payload: [UInt8]
    /// Whether the origin cleared the value of the name. Otherwise it passed a message or a notification.
    public private(set) var isCleared = false

    /// Null in CBOR, the payload of a notification.
    static let nothing: [UInt8] = [0xF6]

    /// Whether the message is a notification, which has no value.
    public var isNotification: Bool { delivery == .interactive && payload == HeardMessage.nothing }

    /// The message as a value of a type.
    ///
    /// - Throws: `.coding` if it is not a value of the type.
    public func decoded<Message: Passable>(as type: Message.Type) throws(WormholeError) -> Message {
        try MessageDecoder().decode(type, from: payload)
    }
}

extension HeardMessage {
    init(notifying name: MessageName, from origin: MessageOrigin) {
        self.init(name: name, origin: origin, delivery: .interactive, payload: HeardMessage.nothing)
    }

    init(clearing name: MessageName, from origin: MessageOrigin) {
        self.init(name: name, origin: origin, delivery: .latest, payload: HeardMessage.nothing, isCleared: true)
    }
}

/// The side that passed a message.
public enum MessageOrigin: Hashable, Sendable, Codable {
    /// This endpoint itself.
    case own
    /// A peer.
    case peer(PeerIdentity)
}

/// A queued message of a peer in the inbox of a store. It waits there until a program takes it.
public struct KeptMessage: Hashable, Sendable {
    /// The number in the inbox. Later messages have higher numbers.
    public let number: UInt64
    /// The message, delivered by `.queued` or `.complication`.
    public let message: HeardMessage
}

/// Sends each element to every present listener, in order. Beyond `mostUnread` unread elements a slow listener loses the oldest.
///
/// The lock `delivery` keeps deliveries in order. `Published` explains why `source` has another lock.
final class Broadcast<Element: Sendable>: Sendable {
    /// Called with each element, then with nil at the end.
    typealias Listener = @Sendable (Element?) -> Void

    struct Source {
        var count: UInt64 = 0
        var listeners: [UInt64: Listener] = [:]
    }

    /// The most unread elements of one listener.
    static var mostUnread: Int { 10_000 }

    /// The present listeners, and how many there have been; nil after `finish`.
    let source = Mutex<Source?>(Source())
    private let delivery = Mutex(())

    /// The elements of `history`, then each element that is sent.
    func listen(after history: [Element] = []) -> AsyncStream<Element> {
        listen(after: history) { $0 }
    }

    /// The results of `transform`: first for `history`, then for each element that is sent. Nil results are skipped.
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
        // Releases the listener outside of the lock, because that may run other code.
        let gone = source.withLock { $0?.listeners.removeValue(forKey: number) }
        withExtendedLifetime(gone) {}
    }
}
