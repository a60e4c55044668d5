import HostSystem
import Logging
import Synchronization
import WatchLink
import WormholeTesting

@testable import Wormhole

/// A phone and a watch of this identity, with their stores, over some air; either can be restarted.
final class Pair: Sendable {
    let air: Air
    let phoneStore: MessageStore
    let watchStore: MessageStore
    let phone: Wormhole
    let watch: Wormhole

    init(
        _ kind: AirKind, phoneStore: MessageStore = MessageStore.inMemory(),
        watchStore: MessageStore = MessageStore.inMemory(),
        watchTakes largestMessage: Int = 400
    ) throws {
        air = try kind.make()
        self.phoneStore = phoneStore
        self.watchStore = watchStore
        phone = Wormhole.quick(.phone, .listens(try air.listener()), phoneStore)
        var configuration = WormholeConfiguration.quick(.watch)
        configuration.largestMessage = largestMessage
        watch = Wormhole(.connects(air.connector), store: watchStore, configuration: configuration, logger: .quiet)
    }

    static func started(_ kind: AirKind, watchTakes largestMessage: Int = 400) async throws -> Pair {
        let pair = try Pair(kind, watchTakes: largestMessage)
        try await pair.start()
        return pair
    }

    /// Starts both and waits until they reach one another.
    func start() async throws {
        try await phone.start()
        try await watch.start()
        _ = try await watchIdentity()
        await watch.waitUntilReachable(.phone)
    }

    /// What the phone knows its one watch by, once that is reachable.
    func watchIdentity() async throws -> PeerIdentity { try await phone.firstReachablePeer() }

    func close() async {
        await watch.close()
        await phone.close()
    }
}

extension MessageStorage {
    /// Appends a message that is charged to no budget.
    func append(_ message: OutboundMessage, to peer: PeerIdentity) throws(WormholeError) -> IssuedMessage {
        try append(message, to: peer, paying: nil)
    }

    /// The message with a sequence in the queue of a peer; nil if it is not there.
    func queued(_ sequence: UInt32, to peer: PeerIdentity) throws(WormholeError) -> QueuedMessage.Content? {
        try queue(to: peer, from: sequence, most: 1).first?.content
    }

    /// The epoch in which it was issued; nil for the present one.
    func origin(of sequence: UInt32, to peer: PeerIdentity) throws(WormholeError) -> UInt32? {
        try queue(to: peer, from: sequence, most: 1).first?.origin
    }

    /// Applies a message that has arrived by itself, and returns what its peer is told.
    func apply(_ message: InboundMessage) throws(WormholeError) -> ApplyOutcome {
        try apply(message).acknowledged
    }
}

extension MessageStore {
    /// Queues as many messages for a peer, in one transaction.
    func fill(_ count: Int, _ message: OutboundMessage, to peer: PeerIdentity) throws {
        try write { db in
            for _ in 0..<count { _ = try QueueTable.append(db, message, to: peer, paying: nil, atMost: count) }
        }
    }
}

extension LinkTiming {
    /// A machine that does something else for ten seconds ends no link: for tests with a clock that runs by itself.
    static let patient = LinkTiming(supervision: .seconds(120), helloTimeout: .seconds(120))
}

extension WormholeConfiguration {
    /// As usual, but with short pauses between connections, and patient on a link.
    static func quick(_ role: LinkRole, timing: LinkTiming = .patient) -> WormholeConfiguration {
        var configuration = WormholeConfiguration(role: role, name: role == .phone ? "test phone" : "test watch")
        configuration.timing = timing
        configuration.shortestPause = .milliseconds(1)
        configuration.longestPause = .milliseconds(10)
        return configuration
    }
}

extension Wormhole {
    static func quick(
        _ role: LinkRole, _ source: ChannelSource, _ store: MessageStore = .inMemory(), timing: LinkTiming = .patient,
        clock: any LinkClock = SystemClock()
    ) -> Wormhole {
        Wormhole(source, store: store, configuration: .quick(role, timing: timing), clock: clock, logger: .quiet)
    }
}

extension Microseconds {
    static var halfHour: Microseconds { .seconds(1_800) }
}

func datagram(_ frame: ControlFrame) throws -> [UInt8] {
    try LinkMachine.datagram { writer throws(CBORError) in try frame.encode(into: &writer) }
}

extension Logger {
    static var quiet: Logger { Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }) }
}

extension Wormhole {
    /// The first peer that can be reached, once there is one.
    func firstReachablePeer() async throws -> PeerIdentity {
        for await change in reachabilityChanges() where change.reachability.isReachable { return change.peer }
        throw WormholeError.closed
    }

    func waitUntilReachable(_ peer: PeerIdentity) async {
        for await change in reachabilityChanges() where change.peer == peer && change.reachability.isReachable {
            return
        }
    }

    func waitUntilUnreachable(_ peer: PeerIdentity) async -> UnreachableReason? {
        for await change in reachabilityChanges() where change.peer == peer {
            if case .unreachable(let evidence) = change.reachability { return evidence.reason }
        }
        return nil
    }
}

extension AsyncSequence where Self: Sendable {
    /// The first `count` elements.
    func first(_ count: Int) async throws -> [Element] {
        var elements: [Element] = []
        guard count > 0 else { return [] }
        for try await element in self {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }
}

/// A list that several tasks add to and one waits for.
final class Recorder<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let changes = Broadcast<Int>()

    var all: [Element] { elements.withLock { $0 } }

    func append(_ element: Element) {
        elements.withLock { elements in
            elements.append(element)
            changes.send(elements.count)
        }
    }

    /// Waits until it has `count` elements.
    func wait(for count: Int) async {
        let counts = elements.withLock { changes.listen(after: [$0.count]) }
        for await present in counts where present >= count { return }
    }
}
