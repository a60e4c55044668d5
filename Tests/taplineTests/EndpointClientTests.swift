import Foundation
import Synchronization
import Testing

@testable import Wormhole
@testable import tapline

/// A command over the control socket of a program that has the end open.
@Suite(.timeLimit(.minutes(60))) struct EndpointClientTests {
    /// A program that has the phone's end, answers each command with the replies of a test, and counts its connections.
    private final class Program: Sendable {
        private final class Count: Sendable {
            let connections = Mutex(0)
        }

        let directory: String
        private let listener: UnixListener
        private let count = Count()
        private let serving: Task<Void, Never>

        var connections: Int { count.connections.withLock { $0 } }

        init(_ replies: [ControlReply]) throws {
            // Short, because a socket's path has 107 bytes.
            directory = "\(FileManager.default.temporaryDirectory.path)/tl-\(UInt32.random(in: 1 ... .max))"
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            listener = try ControlSocket.endpoint(.phone).listener(in: SocketDirectory(path: directory))
            serving = Task { [listener, count] in
                while let transport = try? await listener.accept() {
                    count.connections.withLock { $0 += 1 }
                    await Program.send(.serving, over: transport)
                    guard (try? await transport.receive()) != nil else { continue }
                    for reply in replies { await Program.send(reply, over: transport) }
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

    @Test func `a command connects once`() async throws {
        let program = try Program([.value("a", [1]), .value("b", [2]), .done])
        var names: [MessageName] = []
        try await EndpointClient.with(try program.options(), .store) { side in
            try await side.perform(.read(nil)) { reply in
                if case .value(let name, _) = reply { names.append(name) }
            }
        }
        #expect(names == ["a", "b"])
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
}
