import Foundation
import TestSupport
import Testing
import WatchLink
import Wormhole
import WormholeTesting

@testable import PhoneHost

@Suite(.timeLimit(.minutes(60))) struct ServedFilesTests {
    private final class Phone {
        let radioLink = InMemoryLink()
        let directory: TemporaryDirectory
        let store: PhoneStore
        let sockets: SocketDirectory
        let server: PhoneServer

        init() async throws {
            directory = TemporaryDirectory()
            store = try PhoneStore(path: directory.file("phone.sqlite"))
            sockets = try SocketDirectory(path: directory.file("sockets"))
            server = PhoneServer(
                store: store, watches: radioLink.listener,
                control: try ControlSocket.endpoint(.phone).listener(in: sockets), logger: .silent)
            try await server.start()
        }

        func watch() async throws -> FakeWatch {
            let watch = FakeWatch(radioLink.connector, name: "A")
            try await watch.endpoint.start()
            await watch.wait { $0.clears == 1 }
            return watch
        }

        /// Cuts the link of the connected watch, and waits until the phone counts it as away. Returns its identity.
        func cut() async throws -> String {
            let watch = try #require(await server.connectedWatches.first)
            radioLink.cut()
            while await !server.connectedWatches.isEmpty { await Task.yield() }
            return watch.description
        }

        func file(_ content: [UInt8]) throws -> String {
            let path = directory.file("photo.pbm")
            try Data(content).write(to: URL(filePath: path))
            return path
        }

        func newDirectory(_ name: String) throws -> String {
            let path = directory.file(name)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            return path
        }

        func begin(_ request: ControlCommand) async throws -> ControlChannel {
            let channel = try await ControlChannel(to: .endpoint(.phone), in: sockets)
            try await channel.send(request)
            return channel
        }

        func send(_ path: String, to watch: String? = nil) async throws -> ControlChannel {
            try await begin(
                .send(path: path, label: "photo.pbm", recipient: watch, timeout: 60_000))
        }

        func transfers() async throws -> [TransferRecord] { try MessageStore(store).transfers() }
    }

    private func replies(
        _ channel: ControlChannel, until isLast: (ControlReply) -> Bool = { _ in false }
    ) async throws -> [ControlReply] {
        var replies: [ControlReply] = []
        while true {
            let reply = try await channel.receive()
            replies.append(reply)
            if case .done = reply { return replies }
            if case .failed = reply { return replies }
            if isLast(reply) { return replies }
        }
    }

    private func stages(_ replies: [ControlReply]) -> [String] {
        replies.compactMap { if case .fate(_, let fate) = $0 { fate.word } else { nil } }
    }

    /// Disconnects the watch and sends a file to it. Waits until the phone has queued the file.
    private func sendWhileAway(
        _ phone: Phone
    ) async throws -> (watch: String, sending: ControlChannel, number: UInt64) {
        let identity = try await phone.cut()
        let sending = try await phone.send(try phone.file(content), to: identity)
        return (identity, sending, try #require(number(try await replies(sending, until: isQueued))))
    }

    private func number(_ replies: [ControlReply]) -> UInt64? {
        for case .file(let file) in replies { return file.transfer }
        return nil
    }

    private func isQueued(_ reply: ControlReply) -> Bool {
        guard case .fate(_, let fate) = reply else { return false }
        return fate == .queued
    }

    private let content = [UInt8](repeating: 0x5A, count: 40_000)

    @Test func `a program sends a file to a watch, and is told how far it has got`() async throws {
        let phone = try await Phone()
        let watch = try await phone.watch()
        let reception = try watch.endpoint.receiveFiles(into: try phone.newDirectory("wrist"))
        let replies = try await replies(try await phone.send(try phone.file(content)))
        #expect(stages(replies) == ["queued", "sent", "delivered", "applied"])
        let progress = replies.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
        #expect(progress.last?.done == 40_000 && progress.last?.total == 40_000)
        var files = reception.files.makeAsyncIterator()
        let file = try #require(await files.next())
        #expect(try Data(contentsOf: URL(filePath: file.path)) == Data(content))
        #expect(try await phone.transfers().isEmpty)
        await watch.endpoint.close()
        await phone.server.stop()
    }

    @Test func `a program cancels a file that waits for its watch`() async throws {
        let phone = try await Phone()
        let watch = try await phone.watch()
        let (_, sending, number) = try await sendWhileAway(phone)
        let cancelling = try await replies(try await phone.begin(.cancel(.file(number))))
        #expect(cancelling == [.done])
        #expect(stages(try await replies(sending)) == ["failed"])
        #expect(try await phone.transfers().isEmpty)
        await watch.endpoint.close()
        await phone.server.stop()
    }

    @Test func `what a watch offers is refused, unless a program receives`() async throws {
        let phone = try await Phone()
        let watch = try await phone.watch()
        let path = try phone.file(content)
        let refused = try await watch.endpoint.send(fileAt: path, as: "log", to: .phone)
        #expect(await refused.finalFate() == .failed(.fileRefused(.noReceiver)))
        let receiving = try await phone.begin(.receive(directory: try phone.newDirectory("in"), atMost: nil))
        while true {
            let sent = try await watch.endpoint.send(fileAt: path, as: "log", to: .phone)
            // The phone refuses the file until the program is registered as a receiver, a moment after its request.
            if await sent.finalFate() == .applied { break }
        }
        let replies = try await replies(receiving) { if case .received = $0 { true } else { false } }
        guard case .received(let file) = replies.last else {
            Issue.record("nothing was received")
            return
        }
        #expect(try Data(contentsOf: URL(filePath: file.path)) == Data(content))
        receiving.close()
        await watch.endpoint.close()
        await phone.server.stop()
    }

    @Test func `a watch that is forgotten takes its files with it`() async throws {
        let phone = try await Phone()
        let watch = try await phone.watch()
        let (identity, sending, _) = try await sendWhileAway(phone)
        _ = try await phone.store.forgetWatch(identity)
        #expect(try await phone.transfers().isEmpty)
        await phone.server.listChanged()
        #expect(stages(try await replies(sending)) == ["failed"])
        await watch.endpoint.close()
        await phone.server.stop()
    }

    @Test func `the phone's hello takes questions and files, in the bytes that every hello has room for`() async throws
    {
        let directory = TemporaryDirectory()
        let link = InMemoryLink()
        let server = PhoneServer(
            store: try PhoneStore(path: directory.file("phone.sqlite")), watches: link.listener,
            control: InMemoryLink().listener, name: String(repeating: "n", count: 40))
        try await server.start()
        let channel = try await link.connector.connect()
        var limits = LinkLimits(largestSDU: 512)
        limits.kinds = .all
        let hello = Hello(role: .watch, identity: .max, epoch: .max, limits: limits)
        try await channel.send(
            try [UInt8](capacity: 128) { writer throws(CBORError) in
                try ControlFrame.hello(hello).encode(into: &writer)
            })
        let answer = try await channel.receive()
        guard case .hello(let phone) = try ControlFrame(answer.span) else {
            Issue.record("it is no hello")
            return
        }
        #expect(phone.limits.kinds.rawValue == 3)
        #expect(answer.count <= LinkLimits.longestControlFrame)
        channel.close()
        await server.stop()
    }
}
