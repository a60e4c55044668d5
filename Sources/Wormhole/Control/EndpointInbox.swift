/// What arrives at an endpoint that several programs listen to, in the order of its arrival: each listener gets every message. A queued
/// message waits in the inbox of the endpoint's store until the first program is done with it.
final actor EndpointInbox {
    private let store: MessageStore
    private let endpoint: Wormhole
    /// Gives the listeners what arrives, from the first listener on until the endpoint is closed.
    private var following: Task<Void, Never>?
    /// The last message of the store that the listeners of that time were given.
    private var last: UInt64 = 0
    /// What was read from the store behind `last`, in its order, and was not given yet.
    private var fetched: ArraySlice<KeptMessage> = []
    private var listeners: [UInt64: AsyncStream<Arrival>.Continuation] = [:]
    private var nextListener: UInt64 = 0

    /// A message as a listener gets it, with its number if it is in the inbox until a program takes it.
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

    /// What waits, and then what arrives. What waits is bounded by the store's inbox.
    func listen() async throws(WormholeError) -> AsyncStream<Arrival> {
        if following == nil {
            let heard = endpoint.messages(withPrefix: "")
            following = Task { await follow(heard) }
        }
        var (waiting, seen): ([KeptMessage], UInt64)
        // Nothing may have been given to the others while the store was asked.
        repeat { (seen, waiting) = (last, try await store.inbox(after: 0)) } while seen != last
        let (stream, continuation) = AsyncStream.makeStream(of: Arrival.self)
        let number = nextListener
        nextListener += 1
        listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.forget(number) } }
        // What comes after `last` every listener is given together.
        for message in waiting where message.number <= last { continuation.yield((message.message, message.number)) }
        return stream
    }

    func take(_ number: UInt64) async { try? await store.take(number) }

    private func forget(_ number: UInt64) { listeners[number] = nil }

    /// Gives the listeners what the store has beyond the last, up to a message that has just been heard: what comes behind that in
    /// the store is heard later, and something else may be heard before it. Gives everything without that message, or if the store
    /// does not have it.
    private func giveKept(until heard: HeardMessage? = nil) async {
        while await fetch(), let message = fetched.popFirst() {
            give((message.message, message.number))
            last = message.number
            if message.message == heard { return }
        }
    }

    /// Reads what the store has beyond the last, once everything that was read before is given. Returns whether there is anything to give.
    private func fetch() async -> Bool {
        // Of a store that fails now the next message tells.
        if fetched.isEmpty { fetched = (try? await store.inbox(after: last))?[...] ?? [] }
        return !fetched.isEmpty
    }

    private func give(_ arrival: Arrival) {
        for listener in listeners.values { listener.yield(arrival) }
    }
}

extension HeardMessage {
    /// Whether a store with an inbox keeps it.
    fileprivate var isKept: Bool {
        switch (delivery, origin) {
        case (.queued, .peer), (.complication, .peer): true
        case (.queued, .own), (.complication, .own), (.latest, _), (.interactive, _), (.file, _): false
        }
    }
}
