import Synchronization
import WatchLink
import Wormhole

/// Passes queued messages to the other process.
struct QueueSender: Sendable {
    fileprivate static let socket = "queue"
    fileprivate static let name: MessageName = "probe"

    private let other: OtherProcess
    private let store: MessageStore
    private let phone: Wormhole
    private let watch: PeerIdentity

    init(_ other: OtherProcess) async throws {
        self.other = other
        let directory = try SocketDirectory(path: other.directory.path)
        store = try MessageStore(path: other.directory.path + "/sender")
        phone = Wormhole(
            .listens(try UnixListener(QueueSender.socket, in: directory)), store: store,
            configuration: WormholeConfiguration(role: .phone), logger: .silent)
        try await phone.start()
        watch = try await phone.firstPeer()
    }

    /// Passes messages for so long, each as soon as an earlier one is applied. Returns how many a second were.
    ///
    /// - Parameter together: how many are on their way at any time.
    func pass(for length: Duration, _ together: Int) async throws -> Double {
        let start = steadyNanoseconds()
        let end = start + UInt64(length / .nanoseconds(1))
        let count = Atomic(0)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<together {
                group.addTask {
                    var applied = 0
                    while steadyNanoseconds() < end {
                        let handle = try await phone.pass(
                            Probe.text, under: QueueSender.name, delivery: .queued, to: .only(watch))
                        guard await handle?.finalFates()[watch] == .applied else { throw OtherProcessHasGone() }
                        applied += 1
                    }
                    return applied
                }
            }
            for try await applied in group { count.add(applied, ordering: .relaxed) }
        }
        return Double(count.load(ordering: .relaxed)) * 1e9 / Double(steadyNanoseconds() - start)
    }

    func close() async {
        await phone.close()
        await store.close()
    }
}

/// Receives queued messages, and makes it durable that it has.
enum QueueReceiver: String, Answerer {
    /// Listeners hear them.
    case heard
    /// They are kept in an inbox, from which a program takes them.
    case kept

    var title: String {
        switch self {
        case .heard: "queued"
        case .kept: "queued, kept in an inbox"
        }
    }

    func serve(in directory: String) async throws {
        let path = try SocketDirectory(path: directory).path(of: QueueSender.socket)
        let store =
            switch self {
            case .heard: try MessageStore(path: directory + "/receiver")
            case .kept: try MessageStore(path: directory + "/receiver", keeping: .max)
            }
        let watch = Wormhole(
            .connects(UnixConnector(path: path)), store: store, configuration: WormholeConfiguration(role: .watch),
            logger: .silent)
        try await watch.start()
        try await OtherProcess.waitForEnd()
        await watch.close()
    }
}
