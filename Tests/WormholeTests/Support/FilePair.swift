import Foundation
import HostSystem
import Logging
import Synchronization
import TestSupport
import WatchLink
import WormholeTesting

@testable import Wormhole

/// A phone and a watch that are connected in memory. In `directory`, the folder `sent` has the files to send. The
/// folders `phone` and `watch` have the files that have arrived.
final class FilePair: Sendable {
    let link: InMemoryLink
    let phone: Wormhole
    let watch: Wormhole
    let directory = TemporaryDirectory()
    let tap = Tap()

    init(
        largestDatagram: Int = 65_535, capacity: Int = 16, phoneSystem: FileSystem = FileSystem(),
        watchStore: MessageStore = MessageStore.inMemory(), watchTakes kinds: LinkKinds = .all,
        phoneStore: MessageStore = MessageStore.inMemory(), phoneClock: any LinkClock = SystemClock()
    ) throws {
        link = InMemoryLink(largestDatagram: largestDatagram, capacity: capacity)
        phone = Wormhole(
            .listens(link.listener), storage: phoneStore, configuration: .quick(.phone), clock: phoneClock,
            logger: .quiet, fileSystem: phoneSystem)
        var configuration = WormholeConfiguration.quick(.watch)
        configuration.kinds = kinds
        watch = FilePair.watch(tap.connector(around: link.connector), configuration, watchStore)
        for name in ["phone", "watch", "sent"] {
            try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
        }
    }

    static func watch(
        _ connector: any TransportConnector, _ configuration: WormholeConfiguration,
        _ store: MessageStore = MessageStore.inMemory()
    ) -> Wormhole {
        Wormhole(.connects(connector), store: store, configuration: configuration, logger: .quiet)
    }

    static func started(
        largestDatagram: Int = 65_535, capacity: Int = 16, phoneSystem: FileSystem = FileSystem(),
        watchStore: MessageStore = .inMemory(), watchTakes kinds: LinkKinds = .all
    ) async throws -> FilePair {
        let pair = try FilePair(
            largestDatagram: largestDatagram, capacity: capacity, phoneSystem: phoneSystem, watchStore: watchStore,
            watchTakes: kinds)
        try await pair.start()
        return pair
    }

    func start() async throws {
        try await phone.start()
        try await watch.start()
        await watch.waitUntilReachable(.phone)
    }

    func watchIdentity() async throws -> PeerIdentity { try await phone.firstReachablePeer() }

    func close() async {
        await watch.close()
        await phone.close()
    }

    func file(_ content: [UInt8], named name: String = "file") throws -> String {
        let path = directory.file("sent/" + name)
        try Data(content).write(to: URL(filePath: path))
        return path
    }

    func visible(_ name: String = "phone") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.file(name)).filter { !$0.hasPrefix(".") }
            .sorted()
    }

    func hidden(_ name: String = "phone") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.file(name)).filter { $0.hasPrefix(".") }
            .sorted()
    }

    func bytes(at path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}

func content(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var numbers = SplitMix64(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
        let number = numbers.next()
        withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(count))
}

func sha256(_ bytes: [UInt8]) -> [UInt8] { SHA256.digest(of: bytes) }

/// Records the frames on all channels of a connector.
final class Tap: Sendable {
    struct Noted: Sendable {
        let channel: Int
        let way: ObservedTransport.Direction
        let kind: UInt8
        let header: FileHeader?
        let bytes: Int
    }

    private let notes = Mutex<(channels: Int, all: [Noted])>((0, []))

    var all: [Noted] { notes.withLock { $0.all } }

    func files(_ way: ObservedTransport.Direction) -> [FileHeader] { all.filter { $0.way == way }.compactMap(\.header) }

    func connector(around connector: any TransportConnector) -> any TransportConnector {
        Connector(tap: self, connector: connector)
    }

    private func note(_ datagram: [UInt8], _ way: ObservedTransport.Direction, _ channel: Int) {
        let header = try? FileHeader(datagram.span)
        notes.withLock {
            $0.all.append(
                Noted(channel: channel, way: way, kind: datagram[0], header: header, bytes: datagram.count))
        }
    }

    private struct Connector: TransportConnector {
        let tap: Tap
        let connector: any TransportConnector

        func connect() async throws(WormholeError) -> any DatagramTransport {
            let transport = try await connector.connect()
            let channel = tap.notes.withLock {
                $0.channels += 1
                return $0.channels
            }
            return ObservedTransport(transport) { datagram, way in tap.note(datagram, way, channel) }
        }
    }
}
