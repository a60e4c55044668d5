import Foundation
import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct FileOverAirTests {
    private func content(_ length: Int) -> [UInt8] { (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    @Test(arguments: AirKind.allCases)
    func `A file of many windows arrives whole, from either side`(_ kind: AirKind) async throws {
        let directory = TemporaryDirectory()
        let pair = try Pair(kind)
        try await pair.start()
        let watch = try await pair.watchIdentity()
        for (sender, receiver, peer) in [(pair.watch, pair.phone, PeerIdentity.phone), (pair.phone, pair.watch, watch)]
        {
            let bytes = content(300_000)
            let path = directory.file("sent")
            try Data(bytes).write(to: URL(filePath: path))
            let reception = try receiver.receiveFiles(into: directory.file(""))
            let transfer = try await sender.send(fileAt: path, as: "file", to: peer)
            let file = try #require(try await reception.files.first(1).first)
            #expect(await transfer.finalFate() == .applied)
            #expect([UInt8](try Data(contentsOf: URL(filePath: file.path))) == bytes)
            reception.end()
        }
        await pair.close()
    }

    @Test func `A program that is started again goes on with the files of its store`() async throws {
        let directory = TemporaryDirectory()
        let path = directory.file("sent")
        try Data(content(5_000)).write(to: URL(filePath: path))
        let link = InMemoryLink()
        let store = directory.file("store")
        let before = Wormhole(
            .connects(link.connector), store: try MessageStore(path: store, durability: .processCrash),
            configuration: .quick(.watch), logger: .quiet)
        let number = try await before.send(fileAt: path, as: "file", to: .phone, metadata: "about").number
        await before.close()
        (before.store as? MessageStore)?.close()

        let phone = Wormhole(
            .listens(link.listener), store: MessageStore.inMemory(), configuration: .quick(.phone), logger: .quiet)
        let reception = try phone.receiveFiles(into: directory.file(""))
        try await phone.start()
        let after = Wormhole(
            .connects(link.connector), store: try MessageStore(path: store, durability: .processCrash),
            configuration: .quick(.watch), logger: .quiet)
        #expect(try await after.filesUnderWay().map(\.number) == [number])
        let transfer = try #require(try await after.filesUnderWay().first)
        try await after.start()
        #expect(await transfer.finalFate() == .applied)
        let file = try #require(try await reception.files.first(1).first)
        #expect(try file.metadata(as: String.self) == "about")
        while try await !after.filesUnderWay().isEmpty { await Task.yield() }
        await after.close()
        await phone.close()
    }
}
