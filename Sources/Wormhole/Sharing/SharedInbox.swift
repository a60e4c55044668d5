/// The inbox of an endpoint that several programs listen to: each gets every message, and the first that is done with one takes
/// it out.
actor SharedInbox {
    private let store: any KeepingArrivals
    /// The last message that the listeners of that time were given.
    private var last: UInt64 = 0
    private var listeners: [UInt64: AsyncStream<KeptMessage>.Continuation] = [:]
    private var nextListener: UInt64 = 0

    init(_ store: any KeepingArrivals) {
        self.store = store
    }

    /// Gives the listeners what arrives, until the endpoint is closed.
    func follow(_ endpoint: Wormhole) async {
        let heard = endpoint.messages(withPrefix: "")
        await look()
        for await message in heard where message.isKept { await look() }
        for listener in listeners.values { listener.finish() }
        listeners = [:]
    }

    /// What waits, and then what arrives. It is bounded by the store's inbox.
    func listen() async throws(WormholeError) -> AsyncStream<KeptMessage> {
        var (waiting, seen): ([KeptMessage], UInt64)
        // Nothing may have been given to the others while the store was asked.
        repeat { (seen, waiting) = (last, try await store.inbox(after: 0)) } while seen != last
        let (stream, continuation) = AsyncStream.makeStream(of: KeptMessage.self)
        let number = nextListener
        nextListener += 1
        listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.forget(number) } }
        // What comes after `last` every listener is given together.
        for message in waiting where message.number <= last { continuation.yield(message) }
        await look()
        return stream
    }

    func take(_ number: UInt64) async { try? await store.take(number) }

    private func forget(_ number: UInt64) { listeners[number] = nil }

    private func look() async {
        // Of a store that fails now the next message tells.
        guard let arrived = try? await store.inbox(after: last) else { return }
        // Another look may have been faster.
        for message in arrived where message.number > last {
            for listener in listeners.values { listener.yield(message) }
            last = message.number
        }
    }
}

extension HeardMessage {
    /// Whether a store with an inbox keeps it.
    var isKept: Bool {
        switch (delivery, origin) {
        case (.queued, .peer), (.complication, .peer): true
        case (.queued, .own), (.complication, .own), (.latest, _), (.interactive, _), (.file, _): false
        }
    }
}
