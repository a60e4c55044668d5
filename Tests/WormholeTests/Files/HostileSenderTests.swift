import Foundation
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct HostileSenderTests {
    private func opened(_ body: (FilePair, RawWatch) async throws -> Void) async throws {
        let pair = try FilePair()
        try await pair.phone.start()
        let reception = try pair.phone.receiveFiles(into: pair.directory.file("phone"))
        try await body(pair, try await RawWatch(pair.link.connector))
        reception.end()
        await pair.close()
    }

    @Test(arguments: [
        "../x", "a/b", "/etc/passwd", "", ".", "..", ".hidden", "a\0b", "a\nb", "\u{1B}[2J", "x\u{202E}gnp.exe",
        String(repeating: "x", count: 256),
    ])
    func `A label that is a path, hides a file or is none is refused, and nothing is written`(_ label: String)
        async throws
    {
        try await opened { pair, watch in
            try await watch.offer(1, [1, 2, 3], as: label)
            #expect(await watch.next()?.header == FileHeader(number: 1, step: .refusal(.badLabel)))
            #expect(try pair.visible().isEmpty && pair.hidden().isEmpty)
            // The refusal does not end the link: the next file arrives.
            try await watch.offer(2, [1, 2, 3], as: "fine")
            #expect(await watch.next()?.header.step == .resume(from: 0))
            try await watch.say(2, .chunk(at: 0), [1, 2, 3])
            while let answer = await watch.next(), answer.header.step != .done {}
            #expect(try pair.visible() == ["fine"])
        }
        #expect(throws: WormholeError.invalidLabel(label)) { try FileLabel(label) }
    }

    @Test func `The longest label is a name, also with a number`() throws {
        let label = try FileLabel(String(repeating: "ö", count: 125) + ".png")
        #expect(label.name(1) == label.text && label.name(1).utf8.count == 254)
        #expect(label.name(2).hasSuffix("ö-2.png") && label.name(2).utf8.count <= 255)
        #expect(FileLabel("photo.tar.gz").name(3) == "photo.tar-3.gz" && FileLabel("notes").name(12) == "notes-12")
        let odd = try FileLabel("a." + String(repeating: "x", count: 253))
        #expect(odd.name(2).hasSuffix("-2") && odd.name(2).utf8.count == 255)
    }

    @Test func `Content with another hash is refused once, and goes`() async throws {
        try await opened { pair, watch in
            try await watch.offer(1, [1, 2, 3], hash: sha256([9]))
            #expect(await watch.next()?.header.step == .resume(from: 0))
            try await watch.say(1, .chunk(at: 0), [1, 2, 3])
            #expect(await watch.next()?.header.step == .progress(to: 3))
            #expect(await watch.next()?.header.step == .refusal(.wrongHash))
            // The phone ignores frames of a transfer that has ended.
            try await watch.say(1, .chunk(at: 0), [1, 2, 3])
            try await watch.say(1, .cancel(.cancelled))
            try await watch.offer(2, [1], transfer: 10)
            #expect(await watch.next()?.header == FileHeader(number: 2, step: .resume(from: 0)))
            #expect(try pair.visible().isEmpty)
        }
    }

    @Test func `A sender that has not heard that its file is stored offers it again, and it is not stored twice`()
        async throws
    {
        try await opened { pair, watch in
            try await watch.offer(1, [5, 6])
            _ = await watch.next()
            try await watch.say(1, .chunk(at: 0), [5, 6])
            while let answer = await watch.next(), answer.header.step != .done {}
            watch.channel.close()
            let again = try await RawWatch(pair.link.connector)
            try await again.offer(1, [5, 6])
            #expect(await again.next()?.header.step == .resume(from: 2))
            #expect(await again.next()?.header.step == .done)
            // The same file with another transfer number is another file.
            try await again.offer(2, [5, 6], transfer: 10)
            #expect(await again.next()?.header.step == .resume(from: 0))
            try await again.say(2, .chunk(at: 0), [5, 6])
            while let answer = await again.next(), answer.header.step != .done {}
            #expect(try pair.visible() == ["file", "file-2"])
            #expect(try pair.hidden().isEmpty)
        }
    }

    @Test func `Longer than a receiver takes is refused before anything is written`() async throws {
        try await opened { pair, watch in
            for (number, length) in [(1, 16 << 20 + 1), (2, Int.max)] as [(UInt32, Int)] {
                try await watch.offer(number, [], length: length)
                #expect(await watch.next()?.header == FileHeader(number: number, step: .refusal(.tooLarge)))
            }
            #expect(try pair.hidden().isEmpty)
        }
    }

    @Test
    func `More transfers at once than a receiver takes, and one that is under way, are refused as busy`() async throws {
        try await opened { _, watch in
            for number in 1...UInt32(TransferLimits.mostReceiving) {
                try await watch.offer(number, [1, 2], transfer: UInt64(number))
            }
            for number in UInt32(TransferLimits.mostReceiving) + 1..<30 {
                try await watch.offer(number, [1, 2], transfer: UInt64(number))
            }
            var refused: Set<UInt32> = []
            var resumed: Set<UInt32> = []
            while refused.count + resumed.count < 29, let answer = await watch.next() {
                if answer.header.step == .refusal(.busy) { refused.insert(answer.header.number) }
                if answer.header.step == .resume(from: 0) { resumed.insert(answer.header.number) }
            }
            #expect(resumed == Set(1...UInt32(TransferLimits.mostReceiving)) && refused.count == 21)
        }
        try await opened { _, watch in
            try await watch.offer(1, [1, 2])
            try await watch.offer(2, [1, 2])
            var steps: [FileStep] = []
            for _ in 0..<2 { steps.append(try #require(await watch.next()).header.step) }
            #expect(steps.contains(.resume(from: 0)) && steps.contains(.refusal(.busy)))
        }
    }

    enum Offence: CaseIterable {
        case moreThanSaid, outOfOrder, neverOffered, gap, beforeResume, noStep, noOffer, doneOfNothing

        var fault: ProtocolFault {
            switch self {
            case .moreThanSaid, .outOfOrder, .neverOffered, .beforeResume, .doneOfNothing: .brokenTransfer
            case .gap: .sequenceGap
            case .noStep, .noOffer: .malformedFrame
            }
        }

        func commit(_ watch: RawWatch) async throws {
            switch self {
            case .moreThanSaid:
                try await begin(watch, [UInt8](repeating: 0, count: 10))
                try await watch.say(1, .chunk(at: 0), [UInt8](repeating: 0, count: 11))
            case .outOfOrder:
                try await begin(watch, [UInt8](repeating: 0, count: 10))
                try await watch.say(1, .chunk(at: 1), [0])
            case .neverOffered: try await watch.say(1, .chunk(at: 0), [0])
            case .gap: try await watch.offer(2, [1])
            case .beforeResume:
                try await watch.offer(1, [1, 2])
                try await watch.say(1, .chunk(at: 1), [1])
            case .noStep: try await watch.say(1, .done, [0])
            case .noOffer: try await watch.say(1, .offer, [0xA0])
            case .doneOfNothing: try await watch.say(1, .done)
            }
        }

        private func begin(_ watch: RawWatch, _ content: [UInt8]) async throws {
            try await watch.offer(1, content)
            while let answer = await watch.next(), answer.header.step != .resume(from: 0) {}
        }
    }

    @Test(arguments: Offence.allCases)
    func `What does not fit its transfer is named in the goodbye, and leaves nothing that is visible`(
        _ offence: Offence
    ) async throws {
        try await opened { pair, watch in
            try await offence.commit(watch)
            #expect(await watch.fault() == offence.fault)
            #expect(try pair.visible().isEmpty)
        }
    }

    @Test func `What has arrived of a transfer that breaks the protocol goes: it is not offered again`() async throws {
        try await opened { pair, watch in
            try await watch.offer(1, content(3_000))
            #expect(await watch.next()?.header.step == .resume(from: 0))
            try await watch.say(1, .chunk(at: 0), Array(content(1_000)))
            #expect(await watch.next()?.header.step == .progress(to: 1_000))
            #expect(try pair.hidden().count == 1)
            try await watch.say(1, .chunk(at: 2_000), [0])
            #expect(await watch.fault() == .brokenTransfer)
            while try !pair.hidden().isEmpty { await Task.yield() }
        }
    }

    @Test func `A cancelled file is refused on the next link too, also to a program that was started anew`()
        async throws
    {
        let store = MessageStore.inMemory()
        let pair = try FilePair(phoneStore: store)
        try await pair.phone.start()
        let directory = pair.directory.file("phone")
        let reception = try pair.phone.receiveFiles(into: directory)
        let watch = try await RawWatch(pair.link.connector)
        try await watch.offer(1, content(3_000))
        let arriving = try #require(try await reception.arriving.first(1).first)
        await arriving.cancel()
        // The link ends before the sender has read the cancellation.
        watch.channel.close()
        for _ in 0..<2 {
            let again = try await RawWatch(pair.link.connector)
            try await again.offer(1, content(3_000))
            #expect(await again.next()?.header == FileHeader(number: 1, step: .refusal(.cancelled)))
            again.channel.close()
        }
        await pair.phone.close()
        let other = try FilePair(phoneStore: store)
        try await other.phone.start()
        let next = try other.phone.receiveFiles(into: directory)
        let again = try await RawWatch(other.link.connector)
        try await again.offer(1, content(3_000))
        #expect(await again.next()?.header == FileHeader(number: 1, step: .refusal(.cancelled)))
        // With another transfer number, it is another file.
        try await again.offer(2, content(3_000), transfer: 10)
        #expect(await again.next()?.header == FileHeader(number: 2, step: .resume(from: 0)))
        next.end()
        await other.close()
        // Only the part of that other file remains.
        while try pair.hidden().count > 1 { await Task.yield() }
        #expect(try pair.hidden().count == 1)
    }

    @Test func `Offers without an end, whose answers the sender ignores, are answered with a goodbye`() async throws {
        let pair = try FilePair()
        try await pair.phone.start()
        let watch = try await RawWatch(pair.link.connector)
        for number in 1...1_000 as ClosedRange<UInt32> {
            guard (try? await watch.offer(number, [1])) != nil else { break }
        }
        #expect(await watch.fault() == .windowExceeded)
        await pair.close()
    }
}
