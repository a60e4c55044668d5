import BluetoothBridge
import Foundation
import Glibc
import GuestAdapters
import HostSystem
import TestSupport
import WatchLink
import Wormhole

/// What questions and files of two endpoints cost over a channel, beside a bare socket with datagrams as long as theirs.
struct EndpointBenchmark: Sendable {
    /// Bytes of the file of a turn.
    static let fileSize = 512 << 10
    private let directory = TemporaryDirectory()
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
        let files = directory.file("files")
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        let bytes = Data((0..<EndpointBenchmark.fileSize).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bytes.write(to: URL(filePath: directory.file("file")))
        let listener = try L2CAPListener(on: air.watch.address)
        watch = .quiet(.listens(listener), as: .watch, store: try MessageStore(path: directory.file("watch")))
        phone = .quiet(
            .connects(
                L2CAPConnector(to: air.watchPeer, psm: listener.psm, from: air.phone.address, timeLimit: .seconds(20))),
            as: .phone, store: try MessageStore(path: directory.file("phone")))
        answering = try watch.answer(Probe.name, of: String.self) { text, _ in text }
        let reception = try watch.receiveFiles(into: files)
        removing = Task { for await file in reception.files { try? FileManager.default.removeItem(atPath: file.path) } }
        try await watch.start()
        try await phone.start()
        peer = try await phone.firstPeer()
    }

    func turn(_ air: Air, _ listener: L2CAPListener) async throws -> Turn {
        let bare = try BareDatagrams(air, listener)
        let bareTrip = try bare.roundTrip(clock)
        let begun = clock.now
        try await withTaskExecutorPreference(Wormhole.socketExecutor) {
            for _ in 0..<ChannelBenchmark.roundTrips {
                _ = try await phone.ask(Probe.text, under: Probe.name, for: String.self, of: peer)
            }
        }
        let asked = clock.now
        let bareDatagrams = try bare.rate(clock)
        bare.close()
        let sent = clock.now
        let transfer = try await phone.send(fileAt: directory.file("file"), as: "file", to: peer)
        let fate = await transfer.finalFate()
        precondition(fate == .applied, "the file has not arrived: \(fate)")
        return Turn(
            question: Double((asked - begun).count) / Double(ChannelBenchmark.roundTrips), bareTrip: bareTrip,
            file: ChannelTimes.kibibytes(EndpointBenchmark.fileSize, clock.now - sent), bareDatagrams: bareDatagrams)
    }

    func close() async {
        answering.end()
        await phone.close()
        await watch.close()
        await removing.value
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
    func roundTrip(_ clock: SystemClock) throws -> Double {
        let echo = try SystemThread { [far] in
            var buffer = [UInt8](repeating: 0, count: BareDatagrams.size)
            for _ in 0..<ChannelBenchmark.roundTrips {
                let count = recv(far, &buffer, buffer.count, 0)
                guard count > 0, send(far, buffer, count, 0) == count else { return }
            }
        }
        var buffer = [UInt8](repeating: 1, count: BareDatagrams.size)
        let begun = clock.now
        for _ in 0..<ChannelBenchmark.roundTrips {
            _ = send(near, buffer, 20, 0)
            _ = recv(near, &buffer, buffer.count, 0)
        }
        let time = clock.now - begun
        echo.join()
        return Double(time.count) / Double(ChannelBenchmark.roundTrips)
    }

    /// KiB a second, one way, from the first datagram until the far end has the last.
    func rate(_ clock: SystemClock) throws -> Double {
        let count = EndpointBenchmark.fileSize / BareDatagrams.size
        let taker = try SystemThread { [far] in
            var buffer = [UInt8](repeating: 0, count: BareDatagrams.size)
            for _ in 0..<count { guard recv(far, &buffer, buffer.count, 0) > 0 else { return } }
        }
        let buffer = [UInt8](repeating: 1, count: BareDatagrams.size)
        let begun = clock.now
        for _ in 0..<count { _ = send(near, buffer, BareDatagrams.size, 0) }
        taker.join()
        return ChannelTimes.kibibytes(EndpointBenchmark.fileSize, clock.now - begun)
    }

    func close() { for end in [near, far] { Glibc.close(end) } }
}
