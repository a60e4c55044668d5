import CommandSupport
import Foundation
import Synchronization
import Testing

@testable import Wormhole
@testable import tapline

/// Commands that use the endpoint of another running program, over that program's control socket.
@Suite(.timeLimit(.minutes(60))) struct EndpointClientTests {
    /// A program with the phone's endpoint. It records each command, sends the replies that the test has chosen, and
    /// drops the connection.
    private final class Program: Sendable {
        private final class Log: Sendable {
            let connections = Mutex(0)
            let requests = Mutex<[ControlCommand]>([])
        }

        let directory: String
        private let listener: UnixListener
        private let log = Log()
        private let serving: Task<Void, Never>

        var connections: Int { log.connections.withLock { $0 } }
        var requests: [ControlCommand] { log.requests.withLock { $0 } }

        /// - Parameter replies: the replies to the first command, to the second, and so on. Later commands get the last
        ///   ones again.
        init(_ replies: [ControlReply]...) throws {
            // The path is short, because the path of a Unix socket has at most 107 bytes.
            directory = "\(FileManager.default.temporaryDirectory.path)/tl-\(UInt32.random(in: 1 ... .max))"
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            listener = try ControlSocket.endpoint(.phone).listener(in: SocketDirectory(path: directory))
            serving = Task { [listener, log] in
                while let transport = try? await listener.accept() {
                    log.connections.withLock { $0 += 1 }
                    await Program.send(.serving, over: transport)
                    guard let request = try? await transport.receive(ControlCommand.self) else { continue }
                    let count = log.requests.withLock { requests in
                        requests.append(request)
                        return requests.count
                    }
                    for reply in replies[min(count, replies.count) - 1] { await Program.send(reply, over: transport) }
                }
            }
        }

        private static func send(_ reply: ControlReply, over transport: any DatagramTransport) async {
            guard let datagram = try? MessageEncoder().encode(reply) else { return }
            try? await transport.send(datagram)
        }

        func options() throws -> SideOptions { try SideOptions.parse(["--sockets", directory]) }

        func end() async {
            listener.close()
            await serving.value
            try? FileManager.default.removeItem(atPath: directory)
        }
    }

    private func namesWithValue(at program: Program) async throws -> [MessageName] {
        var names: [MessageName] = []
        try await EndpointClient.with(try program.options(), .store) { side in
            try await side.perform(.read(nil)) { reply in
                if case .value(let name, _) = reply { names.append(name) }
            }
        }
        return names
    }

    @Test func `a command connects once`() async throws {
        let program = try Program([.value("a", [1]), .value("b", [2]), .done])
        #expect(try await namesWithValue(at: program) == ["a", "b"])
        #expect(program.connections == 1)
        await program.end()
    }

    @Test func `each further command of one program connects by itself`() async throws {
        let program = try Program([.done])
        try await EndpointClient.with(try program.options(), .store) { side in
            for _ in 0..<3 { try await side.perform(.read(nil)) }
        }
        #expect(program.connections == 3)
        await program.end()
    }

    @Test func `what the endpoint says of a command that failed is its error`() async throws {
        let failure = EndpointFailure(error: .unreachable("away"))
        let program = try Program([.failed(failure.error)])
        await #expect(throws: failure) {
            try await EndpointClient.with(try program.options(), .store) { try await $0.perform(.peers) }
        }
        #expect(failure.status.rawValue == EX_UNAVAILABLE)
        await program.end()
    }

    @Test func `a command that goes on and is told that it is done has lost its program`() async throws {
        let program = try Program([.value("a", [1]), .done])
        try await EndpointClient.with(try program.options(), .store) { side in
            let channel = try await side.begin(.read(nil))
            #expect(try await channel.nextOfMany() == .value("a", [1]))
            await #expect(throws: WormholeError.closed) { try await channel.nextOfMany() }
        }
        await program.end()
    }

    @Test func `a list is told once and whole though its program leaves in the middle of it`() async throws {
        let program = try Program([.value("a", [1])], [.value("a", [1]), .value("b", [2]), .done])
        #expect(try await namesWithValue(at: program) == ["a", "b"])
        #expect(program.requests == [.read(nil), .read(nil)])
        await program.end()
    }

    @Test(arguments: [[], [.failed(.closed)], [.failed(.cancelled)]] as [[ControlReply]])
    func `a question is asked again for the rest of its time when its program leaves`(_ last: [ControlReply])
        async throws
    {
        let program = try Program(last, last, [.value("lap", [0x07]), .done])
        let command = try AskCommand.parse(["lap", "1", "--within", "240s", "--sockets", program.directory])
        try await command.run()
        let timeout = program.requests.compactMap { request -> UInt32? in
            guard case .ask("lap", payload: [0x01], recipient: nil, let timeout) = request else { return nil }
            return timeout
        }
        #expect(timeout.count == 3)
        #expect(timeout.first == 240_000 && timeout == timeout.sorted(by: >) && timeout.allSatisfy { $0 > 0 })
        await program.end()
    }

    @Test func `a stored message is followed by its number when its program leaves, and a value is not called away`()
        async throws
    {
        let (copy, same) = (ControlReply.Copy(peer: .phone, number: 3), ControlReply.Copy(peer: nil, number: 3))
        let program = try Program(
            [.passed([copy]), .fate(copy, .queued)], [.fate(same, .queued)],
            [.fate(same, .queued), .fate(same, .applied), .done])
        let words = ["note", "1", "--within", "240s", "--sockets", program.directory]
        try await PassCommand.parse(words + ["--delivery", "queued"]).run()
        let follow = ControlCommand.fate(.message(MessageNumber(rawValue: 3)), isFollowed: true)
        #expect(Array(program.requests.dropFirst()) == [follow, follow])
        await program.end()
        let value = ControlReply.Copy(peer: .phone, number: nil)
        let other = try Program([.passed([value]), .fate(value, .queued), .failed(.closed)])
        let failure = await #expect(throws: CommandFailure.self) {
            try await PassCommand.parse(["note", "1", "--within", "240s", "--sockets", other.directory]).run()
        }
        #expect(failure?.status == .late)
        #expect(failure?.description == "note: queued when the program that had this end left, not yet applied")
        await other.end()
    }

    @Test func `an interactive message is passed again when its program leaves, and a final one is not`() async throws {
        let copy = ControlReply.Copy(peer: .phone, number: nil)
        let program = try Program(
            [.passed([copy]), .fate(copy, .sent), .failed(.closed)], [.passed([copy]), .fate(copy, .applied)])
        let words = ["lap", "1", "--delivery", "interactive", "--within", "240s", "--sockets", program.directory]
        try await PassCommand.parse(words).run()
        #expect(program.requests.count == 2)
        await program.end()
    }
}
