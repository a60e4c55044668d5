import HostSystem
import Logging
import Synchronization
import WatchLink
import WormholeTesting

@testable import Wormhole

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

    func start() async throws {
        try await phone.start()
        try await watch.start()
        _ = try await watchIdentity()
        await watch.waitUntilReachable(.phone)
    }

    func watchIdentity() async throws -> PeerIdentity { try await phone.firstReachablePeer() }

    func close() async {
        await watch.close()
        await phone.close()
    }
}

extension MessageStorage {
    func append(_ message: OutboundMessage, to peer: PeerIdentity) throws(WormholeError) -> IssuedMessage {
        try append(message, to: peer, paying: nil)
    }

    func queued(_ sequence: UInt32, to peer: PeerIdentity) throws(WormholeError) -> QueuedMessage.Content? {
        try queue(to: peer, from: sequence, most: 1).first?.content
    }

    func origin(of sequence: UInt32, to peer: PeerIdentity) throws(WormholeError) -> UInt32? {
        try queue(to: peer, from: sequence, most: 1).first?.origin
    }

    /// Applies one message, and returns the outcome that its sender is told.
    func apply(_ message: InboundMessage) throws(WormholeError) -> ApplyOutcome {
        try apply(message).acknowledged
    }
}

extension MessageStore {
    func fill(_ count: Int, _ message: OutboundMessage, to peer: PeerIdentity) throws {
        try write { db in
            for _ in 0..<count { _ = try QueueTable.append(db, message, to: peer, paying: nil, atMost: count) }
        }
    }
}

extension LinkTiming {
    /// Long timeouts for tests with a real clock. A link survives even if a busy machine pauses the test for many
    /// seconds.
    static let patient = LinkTiming(supervision: .seconds(120), helloTimeout: .seconds(120))
}

extension WormholeConfiguration {
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
    /// Waits until a peer is reachable, and returns the first one.
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

/// A list that several tasks append to. A test can wait until the list has enough elements.
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

    func wait(for count: Int) async {
        let counts = elements.withLock { changes.listen(after: [$0.count]) }
        for await present in counts where present >= count { return }
    }
}
