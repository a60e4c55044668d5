/// Gives every message of an endpoint to each listening program, in the order of arrival. A queued message stays in the store's
/// inbox until one of the programs takes it.
final actor EndpointInbox {
    private let store: MessageStore
    private let endpoint: Wormhole
    /// The task that distributes messages. It runs from the first call of `listen()` until the endpoint closes.
    private var following: Task<Void, Never>?
    /// The number of the inbox message that was distributed last; 0 before the first.
    private var last: UInt64 = 0
    /// The messages that were read from the inbox but not yet distributed, in order. Their numbers are above `last`.
    private var fetched: ArraySlice<KeptMessage> = []
    private var listeners: [UInt64: AsyncStream<Arrival>.Continuation] = [:]
    private var nextListener: UInt64 = 0

    /// `number` is nil if the inbox does not keep the message.
    typealias Arrival = (message: HeardMessage, number: UInt64?)

    init(_ store: MessageStore, of endpoint: Wormhole) {
        self.store = store
        self.endpoint = endpoint
    }

    private func follow(_ heard: AsyncStream<HeardMessage>) async {
        await giveKept()
        for await message in heard {
            if message.isKept {
                await giveKept(until: message)
            } else {
                give((message, nil))
            }
        }
        for listener in listeners.values { listener.finish() }
        listeners = [:]
    }

    func listen() async throws(WormholeError) -> AsyncStream<Arrival> {
        if following == nil {
            let heard = endpoint.messages(withPrefix: "")
            following = Task { await follow(heard) }
        }
        var (waiting, seen): ([KeptMessage], UInt64)
        // Repeat if messages were distributed while the store was read.
        repeat { (seen, waiting) = (last, try await store.inbox(after: 0)) } while seen != last
        let (stream, continuation) = AsyncStream.makeStream(of: Arrival.self)
        let number = nextListener
        nextListener += 1
        listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.forget(number) } }
        for message in waiting where message.number <= last { continuation.yield((message.message, message.number)) }
        return stream
    }

    func take(_ number: UInt64) async { try? await store.take(number) }

    private func forget(_ number: UInt64) { listeners[number] = nil }

    /// Distributes the inbox's messages up to and including `heard`. If `heard` is nil or not in the inbox, distributes all
    /// messages. The messages after `heard` wait, because the endpoint may first report a message that the inbox does not keep.
    private func giveKept(until heard: HeardMessage? = nil) async {
        while await fetch(), let message = fetched.popFirst() {
            give((message.message, message.number))
            last = message.number
            if message.message == heard { return }
        }
    }

    /// Reads more of the inbox if `fetched` is empty. Returns false if there is nothing to distribute. If the store fails, the
    /// next message triggers another attempt.
    private func fetch() async -> Bool {
        if fetched.isEmpty { fetched = (try? await store.inbox(after: last))?[...] ?? [] }
        return !fetched.isEmpty
    }

    private func give(_ arrival: Arrival) {
        for listener in listeners.values { listener.yield(arrival) }
    }
}

extension HeardMessage {
    fileprivate var isKept: Bool {
        switch (delivery, origin) {
        case (.queued, .peer), (.complication, .peer): true
        case (.queued, .own), (.complication, .own), (.latest, _), (.interactive, _), (.file, _): false
        }
    }
}
