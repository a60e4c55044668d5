import WatchLink
import Wormhole
import WormholeTesting

/// Asks a peer over the bridge.
struct BridgeAsker: Asker {
    private let other: OtherProcess
    private let phone: Wormhole
    private let watch: PeerIdentity
    private let executor: any TaskExecutor

    init(_ other: OtherProcess, on executor: any TaskExecutor) async throws {
        self.other = other
        self.executor = executor
        let directory = try SocketDirectory(path: other.directory.path)
        phone = .timed(.listens(try UnixListener(Bridge.socket, in: directory)), as: .phone)
        try await phone.start()
        watch = try await phone.firstPeer()
    }

    func ask(for length: Duration) async throws -> RoundTrips {
        try await withTaskExecutorPreference(executor) {
            var trips = RoundTrips(for: length)
            while trips.begin() {
                _ = try await phone.ask(Probe.text, under: Bridge.name, for: String.self, of: watch)
            }
            return trips
        }
    }
}

/// Answers over the bridge with what it is asked.
struct BridgeAnswerer: Answerer {
    func serve(in directory: String) async throws {
        let path = try SocketDirectory(path: directory).path(of: Bridge.socket)
        let watch = Wormhole.timed(.connects(UnixConnector(path: path)), as: .watch)
        let registration = try watch.answer(Bridge.name, of: String.self) { text, _ in text }
        try await watch.start()
        try await OtherProcess.waitForEnd()
        registration.end()
        await watch.close()
    }
}

private enum Bridge {
    static let socket = "bridge"
    static let name: MessageName = "probe"
}

extension Wormhole {
    /// An endpoint as it usually is. Its messages are kept in memory: questions and answers are not kept at all.
    static func timed(_ source: ChannelSource, as role: LinkRole) -> Wormhole {
        Wormhole(
            source, store: MessageStore.inMemory(), configuration: WormholeConfiguration(role: role),
            logger: .silent)
    }
}
