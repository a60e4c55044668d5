import BluetoothBridge
import BluetoothBridgeTesting
import Foundation
import Glibc
import Logging
import WatchLink
import Wormhole

/// What questions and files of two endpoints cost over a channel, beside a bare socket with datagrams as long as theirs.
struct EndpointBenchmark: Sendable {
    /// Bytes of the file of a turn.
    static let fileSize = 512 << 10
    private static let name: MessageName = "probe"
    /// A text of 20 bytes when it is encoded: one byte says how long it is.
    private static let text = String(repeating: "a", count: 19)

    private let directory: URL
    private let phone: Wormhole
    private let watch: Wormhole
    private let peer: PeerIdentity
    private let answering: AnswerRegistration
    private let removing: Task<Void, Never>
    private let clock = SystemClock()

    struct Turn {
        /// Microseconds of a question with its answer, and of a round trip over the bare socket.
        let (question, bareTrip): (Double, Double)
        /// KiB a second of a file, and of datagrams over the bare socket.
        let (file, bareDatagrams): (Double, Double)
    }

    /// Both endpoints, connected. The phone asks, and sends the file.
    init(_ air: Air) async throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "endpoints-\(getpid())")
        let files = directory.appending(path: "files").path
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        let bytes = Data((0..<EndpointBenchmark.fileSize).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bytes.write(to: directory.appending(path: "file"))
        let listener = try L2CAPListener(on: air.watch.address)
        let silent = Logger(label: "benchmark", factory: { _ in SwiftLogNoOpLogHandler() })
        watch = Wormhole(
            .listens(listener), store: try MessageStore(path: directory.appending(path: "watch").path),
            configuration: WormholeConfiguration(role: .watch), logger: silent)
        phone = Wormhole(
            .connects(
                L2CAPConnector(to: air.watchPeer, psm: listener.psm, from: air.phone.address, timeLimit: .seconds(20))),
            store: try MessageStore(path: directory.appending(path: "phone").path),
            configuration: WormholeConfiguration(role: .phone), logger: silent)
        answering = try watch.answer(EndpointBenchmark.name, of: String.self) { text, _ in text }
        let reception = try watch.receiveFiles(into: files)
        removing = Task { for await file in reception.files { try? FileManager.default.removeItem(atPath: file.path) } }
        try await watch.start()
        try await phone.start()
        peer = await EndpointBenchmark.reachable(phone)
    }

    private static func reachable(_ endpoint: Wormhole) async -> PeerIdentity {
        for await change in endpoint.reachabilityChanges() where change.reachability.isReachable { return change.peer }
        preconditionFailure("an endpoint that nobody has closed tells of its peers")
    }

    func turn(_ air: Air, _ listener: L2CAPListener) async throws -> Turn {
        let bare = try BareDatagrams(air, listener)
        let bareTrip = bare.roundTrip(clock)
        let begun = clock.now
        try await withTaskExecutorPreference(Wormhole.socketExecutor) {
            for _ in 0..<ChannelBenchmark.roundTrips {
                _ = try await phone.ask(
                    EndpointBenchmark.text, under: EndpointBenchmark.name, for: String.self, of: peer)
            }
        }
        let asked = clock.now
        let bareDatagrams = bare.rate(clock)
        bare.close()
        let sent = clock.now
        let transfer = try await phone.send(fileAt: directory.appending(path: "file").path, as: "file", to: peer)
        let fate = await transfer.finalFate()
        precondition(fate == .applied, "the file has not arrived: \(fate)")
        return Turn(
            question: Double((asked - begun).count) / Double(ChannelBenchmark.roundTrips), bareTrip: bareTrip,
            file: BareDatagrams.kibibytes(EndpointBenchmark.fileSize, clock.now - sent), bareDatagrams: bareDatagrams)
    }

    func close() async {
        answering.end()
        await phone.close()
        await watch.close()
        await removing.value
        try? FileManager.default.removeItem(at: directory)
    }
}

/// A bare channel whose far end a thread serves: 20 bytes there and back, then datagrams as long as the endpoints' own.
struct BareDatagrams {
    /// The longest datagrams that a channel of ours takes.
    private static let size = L2CAPChannel.usualLargestArriving
    private let near: CInt
    private let far: CInt

    init(_ air: Air, _ listener: L2CAPListener) throws {
        near = try BareSocket.connect(air, to: listener.psm)
        far = try BareSocket.accept(from: listener)
        for end in [near, far] { BareSocket.block(end) }
    }

    /// Microseconds of a round trip of 20 bytes.
    func roundTrip(_ clock: SystemClock) -> Double {
        let echo = FarEnd(ChannelBenchmark.roundTrips) { [far] _, buffer in
            let count = recv(far, &buffer, buffer.count, 0)
            return count > 0 && send(far, buffer, count, 0) == count
        }
        var buffer = [UInt8](repeating: 1, count: BareDatagrams.size)
        let begun = clock.now
        for _ in 0..<ChannelBenchmark.roundTrips {
            _ = send(near, buffer, 20, 0)
            _ = recv(near, &buffer, buffer.count, 0)
        }
        let time = clock.now - begun
        echo.wait()
        return Double(time.count) / Double(ChannelBenchmark.roundTrips)
    }

    /// KiB a second, one way, from the first datagram until the far end has the last.
    func rate(_ clock: SystemClock) -> Double {
        let count = EndpointBenchmark.fileSize / BareDatagrams.size
        let taker = FarEnd(count) { [far] _, buffer in recv(far, &buffer, buffer.count, 0) > 0 }
        let buffer = [UInt8](repeating: 1, count: BareDatagrams.size)
        let begun = clock.now
        for _ in 0..<count { _ = send(near, buffer, BareDatagrams.size, 0) }
        taker.wait()
        return BareDatagrams.kibibytes(EndpointBenchmark.fileSize, clock.now - begun)
    }

    func close() { for end in [near, far] { Glibc.close(end) } }

    static func kibibytes(_ bytes: Int, _ time: Microseconds) -> Double {
        Double(bytes) / 1_024 * 1_000_000 / Double(max(1, time.count))
    }
}
