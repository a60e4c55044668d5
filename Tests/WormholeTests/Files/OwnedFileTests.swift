import Foundation
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

/// Files that were made to be sent, and belong to their transfers.
@Suite(.timeLimit(.minutes(60)))
struct OwnedFileTests {
    /// Why a transfer ends.
    enum Ending: CaseIterable {
        case arrives
        case isRefused
        case isCancelled
    }

    /// A file in a directory of its own.
    private func file(_ pair: FilePair, _ name: String) throws -> String {
        let directory = pair.directory.path(of: "sent/made")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        return try pair.file(content(1_000), named: "made/\(name)")
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test(arguments: Ending.allCases)
    func `It is removed when its transfer has ended, however, and its directory with the last`(_ ending: Ending)
        async throws
    {
        let pair = try FilePair()
        try await pair.start()
        let (path, other) = (try file(pair, "one"), try file(pair, "two"))
        let reception = ending == .arrives ? try pair.phone.receiveFiles(into: pair.directory.path(of: "phone")) : nil
        if ending == .isCancelled { await pair.phone.close() }
        for path in [path, other] {
            let transfer = try await pair.watch.send(
                fileAt: path, as: "photo", to: .phone, encodedMetadata: nil, owner: .transfer)
            if ending == .isCancelled {
                #expect(exists(path))
                await transfer.cancel()
            }
            #expect(await transfer.finalFate().isFinal)
            while exists(path) { await Task.yield() }
            #expect(exists(other) == (path != other))
        }
        let directory = pair.directory.path(of: "sent/made")
        while exists(directory) { await Task.yield() }
        #expect(exists(pair.directory.path(of: "sent")))
        withExtendedLifetime(reception) {}
        await pair.close()
    }

    @Test func `Where sending it fails it stays, and one of the sender's always does`() async throws {
        let pair = try FilePair()
        try await pair.start()
        let path = try file(pair, "one")
        await #expect(throws: WormholeError.unknownPeer) {
            try await pair.phone.send(
                fileAt: path, as: "photo", to: PeerIdentity(rawValue: 5), encodedMetadata: nil, owner: .transfer)
        }
        let transfer = try await pair.watch.send(fileAt: path, as: "photo", to: .phone)
        #expect(await transfer.finalFate() == .failed(.fileRefused(.nobody)))
        // One behind it has ended too.
        let last = try file(pair, "two")
        _ = try await pair.watch.send(fileAt: last, as: "photo", to: .phone, encodedMetadata: nil, owner: .transfer)
        while exists(last) { await Task.yield() }
        #expect(exists(path))
        await pair.close()
    }

    @Test func `A store remembers whose it is`() async throws {
        let directory = TemporaryDirectory()
        let records = ([.sender, .transfer] as [FileOwner]).enumerated().map { index, owner in
            TransferRecord(
                transfer: UInt64(index) + 1, peer: .phone, label: "photo", path: "/photo", length: 1,
                hash: [UInt8](repeating: 7, count: 32), metadata: nil, owner: owner, state: .waiting)
        }
        let store = try MessageStore(path: directory.path(of: "store"))
        _ = try store.resume(.phone, handshake: nil, newEpoch: 5)
        for record in records { try store.add(record) }
        store.close()
        let again = try MessageStore(path: directory.path(of: "store"))
        #expect(try again.transfers() == records)
        again.close()
    }
}
