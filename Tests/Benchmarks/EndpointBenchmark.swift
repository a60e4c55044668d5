import BluetoothBridge
import Foundation
import GuestAdapters
import HostSystem
import TestSupport
import WatchLink
import Wormhole

struct EndpointBenchmark: Sendable {
    static let fileSize = 512 << 10
    private let directory = TemporaryDirectory()
    private let phone: Wormhole
    private let watch: Wormhole
    private let peer: PeerIdentity
    private let answering: AnswerRegistration
    private let removing: Task<Void, Never>
    private let clock = SystemClock()

    struct Turn {
        /// In microseconds: a question with its answer, and a round trip over the bare socket.
        let (question, bareTrip): (Double, Double)
        /// In KiB a second: the file, and one-way datagrams over the bare socket.
        let (file, bareDatagrams): (Double, Double)
    }

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
        let bare = try await BareWay(size: L2CAPChannel.usualLargestArriving).measure(air, listener)
        let begun = clock.now
        try await withTaskExecutorPreference(Wormhole.socketExecutor) {
            for _ in 0..<ChannelBenchmark.roundTrips {
                _ = try await phone.ask(Probe.text, under: Probe.name, for: String.self, of: peer)
            }
        }
        let asked = clock.now
        let sent = clock.now
        let transfer = try await phone.send(fileAt: directory.file("file"), as: "file", to: peer)
        let fate = await transfer.finalFate()
        precondition(fate == .applied, "the file has not arrived: \(fate)")
        return Turn(
            question: Double((asked - begun).count) / Double(ChannelBenchmark.roundTrips),
            bareTrip: bare.roundTrip, file: ChannelTimes.kibibytes(EndpointBenchmark.fileSize, clock.now - sent),
            bareDatagrams: bare.rate)
    }

    func close() async {
        answering.end()
        await phone.close()
        await watch.close()
        await removing.value
    }
}
