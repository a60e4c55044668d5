import Foundation
import HostSystem
import Synchronization
import SystemPackage
import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct FileTransferTests {
    @Test(arguments: [0, 1, 16_384, 100_001])
    func `A file of any length arrives with what is said about it, from either side`(_ length: Int) async throws {
        let pair = try await FilePair.started()
        let bytes = content(length)
        let reception = try pair.phone.receiveFiles(into: pair.directory.file("phone"))
        let transfer = try await pair.watch.send(
            fileAt: try pair.file(bytes), as: "photo.png", to: .phone, metadata: ["place": "market"])
        #expect(await transfer.finalFate() == .applied)
        let file = try #require(try await reception.files.first(1).first)
        #expect(file.path == pair.directory.file("phone/photo.png") && file.label == "photo.png")
        #expect(try pair.bytes(at: file.path) == bytes && file.length == UInt64(length))
        #expect(try file.metadata(as: [String: String].self) == ["place": "market"])
        #expect(file.peer == (try await pair.watchIdentity()))
        let back = try pair.watch.receiveFiles(into: pair.directory.file("watch"))
        let answer = try await pair.phone.send(fileAt: file.path, as: "back", to: file.peer)
        let fates = try await answer.fates.first(4)
        #expect(fates == [.queued, .sent, .delivered, .applied])
        let returned = try #require(try await back.files.first(1).first)
        #expect(try pair.bytes(at: returned.path) == bytes && returned.metadata == nil)
        #expect(try pair.visible() == ["photo.png"] && pair.visible("watch") == ["back"])
        #expect(try await pair.watch.filesUnderWay().isEmpty)
        await pair.close()
    }

    @Test func `A file that has its name when the power goes gets no second name, and its hidden name goes later`()
        throws
    {
        let temporary = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: temporary.file("in"), withIntermediateDirectories: true)
        let directory = try FileDirectory(path: temporary.file("in"), system: FileSystem())
        let origin = FileOrigin(peer: .phone, transfer: 1, hash: sha256([7]))
        let expected = ExpectedFile(origin: origin, label: "a", length: 1, metadata: nil)
        let header = [UInt8](repeating: 0, count: FileHeader.longestSize)
        for kept in [0, 1] as [UInt64] {
            let part = PartFile(expected, in: directory)
            #expect(try part.open(beside: []) == kept)
            if kept == 0 { try part.append([header + [7]], after: header.count) }
            guard case .named(let path) = try part.verify() else { throw WormholeError.closed }
            #expect(path == temporary.file("in/a"))
        }
        PartFile(expected, in: directory).discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.file("in")) == ["a"])
    }

    @Test func `The store remembers the newest files that need not come again`() throws {
        let store = MessageStore.inMemory()
        let files = (0...UInt64(TransferLimits.mostEnded)).map {
            FileOrigin(peer: .phone, transfer: $0 + 1, hash: sha256([1]))
        }
        for file in files { try store.end(file, .cancelled) }
        #expect(try store.ending(of: files[0]) == nil && store.ending(of: files[1]) == .cancelled)
        try store.end(files[1], .stored)
        #expect(try store.ending(of: files[1]) == .stored && store.ending(of: files[2]) == .cancelled)
        #expect(try store.ending(of: FileOrigin(peer: .phone, transfer: 2, hash: sha256([2]))) == nil)
    }

    @Test func `Two at once under one label are two files, and replace none`() async throws {
        let pair = try await FilePair.started()
        try Data([9]).write(to: URL(filePath: pair.directory.file("phone/photo.png")))
        let reception = try pair.phone.receiveFiles(into: pair.directory.file("phone"))
        let contents = [content(300_000, seed: 1), content(200_000, seed: 2), content(200_000, seed: 2)]
        var transfers: [FileTransfer] = []
        for (index, bytes) in contents.enumerated() {
            let path = try pair.file(bytes, named: "\(index)")
            transfers.append(try await pair.watch.send(fileAt: path, as: "photo.png", to: .phone))
        }
        for transfer in transfers { #expect(await transfer.finalFate() == .applied) }
        let files = try await reception.files.first(3)
        #expect(Set(files.map(\.path)).count == 3)
        #expect(try pair.visible() == ["photo-2.png", "photo-3.png", "photo-4.png", "photo.png"])
        let arrived = try files.map { try pair.bytes(at: $0.path) }
        #expect(arrived.filter { $0 == contents[0] }.count == 1 && arrived.filter { $0 == contents[1] }.count == 2)
        #expect(try pair.bytes(at: pair.directory.file("phone/photo.png")) == [9])
        await pair.close()
    }

    @Test func `16 MiB, cut five times: no chunk that has arrived is sent again`() async throws {
        let pair = try await FilePair.started()
        let bytes = content(16 << 20)
        let reception = try pair.phone.receiveFiles(into: pair.directory.file("phone"))
        let transfer = try await pair.watch.send(fileAt: try pair.file(bytes), as: "film", to: .phone)
        var cuts: UInt64 = 0
        for await progress in transfer.progress where cuts < 5 && progress.done > (cuts + 1) * (2 << 20) {
            cuts += 1
            #expect(try pair.visible().isEmpty, "a file that is not complete is visible")
            pair.link.cut()
            pair.link.restore()
        }
        let fate = await transfer.finalFate()
        try #require(fate == .applied)
        #expect(cuts == 5)
        let file = try #require(try await reception.files.first(1).first)
        #expect(try pair.bytes(at: file.path) == bytes)
        // No chunk begins more than one window before the position that the receiver has reported.
        var written: UInt64 = 0
        var sent: UInt64 = 0
        for noted in pair.tap.all {
            switch (noted.way, noted.header?.step) {
            case (.received, .progress(let offset)?), (.received, .resume(let offset)?): written = max(written, offset)
            case (.sent, .chunk(let offset)?):
                #expect(offset + UInt64(OutgoingTransfer.window * TransferLimits.longestChunk) >= written)
                sent += UInt64(noted.bytes - FileHeader.longestSize)
            case (.sent, _), (.received, _): break
            }
        }
        for channel in Set(pair.tap.all.map(\.channel)) {
            let resumed = pair.tap.all.first { noted in
                guard noted.channel == channel, case .resume? = noted.header?.step else { return false }
                return true
            }
            let first = pair.tap.all.first { noted in
                guard noted.channel == channel, case .chunk? = noted.header?.step else { return false }
                return true
            }
            guard case .resume(let from)? = resumed?.header?.step, case .chunk(let at)? = first?.header?.step else {
                continue
            }
            #expect(from == at)
        }
        // At each cut, up to a window of chunks may be lost on the way.
        #expect(sent <= UInt64(bytes.count + 5 * (OutgoingTransfer.window + 1) * TransferLimits.longestChunk))
        await pair.close()
    }

    @Test func `The sender cancels: the fate says so, and nothing is left at the receiver`() async throws {
        let pair = try await FilePair.started()
        let reception = try pair.phone.receiveFiles(into: pair.directory.file("phone"))
        let transfer = try await pair.watch.send(fileAt: try pair.file(content(4 << 20)), as: "film", to: .phone)
        for await progress in transfer.progress where progress.done > 0 { break }
        let arriving = try #require(try await reception.arriving.first(1).first)
        await transfer.cancel()
        #expect(await transfer.finalFate() == .failed(.cancelled))
        // The progress ends when the receiver has learned that the sender cancelled.
        for await _ in arriving.progress {}
        // Another file shows that the link still works.
        let next = try await pair.watch.send(fileAt: try pair.file([1], named: "next"), as: "next", to: .phone)
        #expect(await next.finalFate() == .applied)
        #expect(try pair.visible() == ["next"])
        #expect(try pair.hidden().filter { $0.hasSuffix(".part") }.isEmpty)
        await pair.close()
    }

    @Test func `The receiver cancels: the sender learns it, and what has arrived goes`() async throws {
        let pair = try await FilePair.started()
        let reception = try pair.phone.receiveFiles(into: pair.directory.file("phone"))
        let transfer = try await pair.watch.send(fileAt: try pair.file(content(4 << 20)), as: "film", to: .phone)
        let arriving = try #require(try await reception.arriving.first(1).first)
        #expect(arriving.label == "film" && arriving.length == 4 << 20)
        for await progress in arriving.progress where progress.done > 0 { break }
        await arriving.cancel()
        #expect(await transfer.finalFate() == .failed(.fileRefused(.cancelled)))
        let next = try await pair.watch.send(fileAt: try pair.file([1], named: "next"), as: "next", to: .phone)
        #expect(await next.finalFate() == .applied)
        #expect(try pair.hidden().filter { $0.hasSuffix(".part") }.isEmpty)
        await pair.close()
    }

    @Test
    func `Without a receiver the offer is refused, also after an end; a second reception is an error`() async throws {
        let pair = try await FilePair.started()
        let path = try pair.file([1, 2, 3])
        let refused = try await pair.watch.send(fileAt: path, as: "a", to: .phone)
        #expect(await refused.finalFate() == .failed(.fileRefused(.noReceiver)))
        let directory = pair.directory.file("phone")
        let reception = try pair.phone.receiveFiles(into: directory)
        #expect(throws: WormholeError.receivesAlready(directory: directory)) {
            try pair.phone.receiveFiles(into: directory)
        }
        #expect(await (try await pair.watch.send(fileAt: path, as: "a", to: .phone)).finalFate() == .applied)
        reception.end()
        let again = try await pair.watch.send(fileAt: path, as: "b", to: .phone)
        #expect(await again.finalFate() == .failed(.fileRefused(.noReceiver)))
        #expect(throws: WormholeError.self) { try pair.phone.receiveFiles(into: directory + "/none") }
        await pair.close()
    }

    @Test func `What cannot be sent is an error before anything is sent, with its limit`() async throws {
        let pair = try await FilePair.started(largestDatagram: 512)
        let directory = pair.directory.file("phone")
        let path = try pair.file(content(16 << 20 + 1))
        await #expect(throws: WormholeError.fileTooLarge(path: path, bytes: 16 << 20 + 1, limit: 16 << 20)) {
            try await pair.watch.send(fileAt: path, as: "film", to: .phone)
        }
        await #expect(throws: WormholeError.notAFile(path: directory)) {
            try await pair.watch.send(fileAt: directory, as: "film", to: .phone)
        }
        await #expect(throws: WormholeError.system(call: "open", path: "/none", .noSuchFileOrDirectory)) {
            try await pair.watch.send(fileAt: "/none", as: "film", to: .phone)
        }
        let small = try pair.file([1], named: "small")
        do throws(WormholeError) {
            _ = try await pair.watch.send(
                fileAt: small, as: "film", to: .phone, metadata: String(repeating: "x", count: 500))
            Issue.record("it fits")
        } catch {
            guard case .messageTooLarge(_, 512) = error else {
                Issue.record("\(error)")
                return
            }
        }
        await #expect(throws: WormholeError.unknownPeer) {
            try await pair.phone.send(fileAt: small, as: "film", to: PeerIdentity(rawValue: 4))
        }
        #expect(pair.tap.files(.sent).isEmpty)
        await pair.close()
    }

    @Test func `A file of the system that says it has no bytes arrives as it reads`() async throws {
        let pair = try await FilePair.started()
        let system = try FileDescriptor.open("/proc/version", .readOnly)
        let bytes = try system.closeAfter { try system.rest(atMost: 65_536) }
        try #require(!bytes.isEmpty)
        let reception = try pair.phone.receiveFiles(into: pair.directory.file("phone"))
        let transfer = try await pair.watch.send(fileAt: "/proc/version", as: "version", to: .phone)
        #expect(transfer.length == UInt64(bytes.count))
        #expect(await transfer.finalFate() == .applied)
        let file = try #require(try await reception.files.first(1).first)
        #expect(try pair.bytes(at: file.path) == bytes)
        await pair.close()
    }

    @Test func `A peer that takes no files is sent none, whether it is here or comes`() async throws {
        let pair = try await FilePair.started(watchTakes: .interactive)
        let path = try pair.file([1])
        let identity = try await pair.watchIdentity()
        await #expect(throws: WormholeError.notTaken(.file, by: identity)) {
            try await pair.phone.send(fileAt: path, as: "a", to: identity)
        }
        await #expect(throws: WormholeError.notTaken(.file, by: .phone)) {
            try await pair.watch.send(fileAt: path, as: "a", to: .phone)
        }
        await pair.watch.close()
        for await change in pair.phone.reachabilityChanges() where !change.reachability.isReachable { break }
        let transfer = try await pair.phone.send(fileAt: path, as: "a", to: identity)
        #expect(transfer.fate == .queued)
        var configuration = WormholeConfiguration.quick(.watch)
        configuration.kinds = .none
        configuration.randomNumber = { identity.rawValue }
        let again = FilePair.watch(pair.link.connector, configuration)
        try await again.start()
        #expect(await transfer.finalFate() == .failed(.notTaken(.file)))
        await again.close()
        await pair.close()
    }

    @Test func `A sender that is restarted goes on with its list, from what the receiver has`() async throws {
        let store = MessageStore.inMemory()
        let pair = try await FilePair.started(watchStore: store)
        let identity = try await pair.watchIdentity()
        let reception = try pair.phone.receiveFiles(into: pair.directory.file("phone"))
        let bytes = content(6 << 20)
        let transfer = try await pair.watch.send(fileAt: try pair.file(bytes), as: "film", to: .phone)
        for await progress in transfer.progress where progress.done > 1 << 20 { break }
        pair.link.cut()
        await pair.watch.close()
        pair.link.restore()
        #expect(try store.transfers().map(\.state) == [.begun])
        var configuration = WormholeConfiguration.quick(.watch)
        configuration.randomNumber = { identity.rawValue }
        let again = FilePair.watch(pair.tap.connector(around: pair.link.connector), configuration, store)
        let continued = try #require(try await again.filesUnderWay().first)
        #expect(continued.fate == .sent && continued.label == "film" && continued.peer == .phone)
        try await again.start()
        let fate = await continued.finalFate()
        try #require(fate == .applied)
        #expect(try pair.bytes(at: try #require(try await reception.files.first(1).first).path) == bytes)
        #expect(try store.transfers().isEmpty)
        let resumed = pair.tap.files(.received).compactMap { header -> UInt64? in
            if case .resume(let offset) = header.step { offset } else { nil }
        }
        #expect(resumed.first == 0 && resumed.last ?? 0 > 1 << 20)
        await again.close()
        await pair.close()
    }

    @Test func `Messages pass while a file is under way, and wait for one chunk at most`() async throws {
        let pair = try await FilePair.started(largestDatagram: 512, capacity: 4)
        let reception = try pair.phone.receiveFiles(into: pair.directory.file("phone"))
        _ = try pair.phone.answer("double", of: Int.self) { number, _ in number * 2 }
        let transfer = try await pair.watch.send(fileAt: try pair.file(content(8 << 20)), as: "film", to: .phone)
        for await progress in transfer.progress where progress.done > 0 { break }
        for number in 1...20 {
            let answer = try await pair.watch.ask(number, under: "double", for: Int.self, of: .phone, within: .halfHour)
            #expect(answer == 2 * number)
            let handle = try #require(try await pair.watch.pass(number, under: "n", delivery: .queued))
            #expect(await handle.finalFates() == [.phone: .applied])
        }
        #expect(!transfer.fate.isFinal, "the file was through before the messages")
        await transfer.cancel()
        reception.end()
        await pair.close()
    }

    @Test func `A full disk at the receiver: the sender learns it, and the room is given back`() async throws {
        let written = Atomic<Int>(0)
        let system = FileSystem { call in
            call == "pwrite" && written.add(1, ordering: .relaxed).newValue > 5 ? .noSpace : nil
        }
        let pair = try await FilePair.started(phoneSystem: system)
        let reception = try pair.phone.receiveFiles(into: pair.directory.file("phone"))
        let transfer = try await pair.watch.send(fileAt: try pair.file(content(1 << 20)), as: "film", to: .phone)
        #expect(await transfer.finalFate() == .failed(.fileRefused(.noRoom)))
        #expect(await pair.watch.reachability(of: .phone).isReachable)
        reception.end()
        await pair.close()
        #expect(try pair.visible().isEmpty && pair.hidden().isEmpty)
    }

    @Test(arguments: ["open", "fsync", "link", "fstat"])
    func `A disk that fails in another way is another reason`(_ call: String) async throws {
        let system = FileSystem { $0 == call ? .ioError : nil }
        let pair = try await FilePair.started(phoneSystem: system)
        let directory = pair.directory.file("phone")
        let reception = try pair.phone.receiveFiles(into: directory)
        let transfer = try await pair.watch.send(fileAt: try pair.file(content(50_000)), as: "film", to: .phone)
        // The receiver does not call `fstat` for a file that it has just created.
        #expect(await transfer.finalFate() == (call == "fstat" ? .applied : .failed(.fileRefused(.failed))))
        reception.end()
        await pair.close()
        #expect(try pair.hidden().filter { $0.hasSuffix(".part") }.isEmpty)
    }
}
