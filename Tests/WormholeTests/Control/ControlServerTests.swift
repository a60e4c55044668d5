import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct ControlServerTests {
    private final class Program: Sendable {
        let temporary = TemporaryDirectory()
        let pair: Pair
        let directory: SocketDirectory
        let inbox: MessageStore
        private let server: ControlServer
        private let serving: Task<Void, Never>

        init() async throws {
            inbox = try MessageStore(path: temporary.file("phone"), durability: .processCrash, keeping: 100)
            pair = try Pair(.memory, phoneStore: inbox)
            directory = try SocketDirectory(path: temporary.file("sockets"))
            server = try ControlServer(pair.phone, inbox: inbox, in: directory, logger: .quiet)
            serving = Task { [server] in await server.serve() }
            try await pair.start()
        }

        func begin(_ request: ControlCommand) async throws -> ControlChannel {
            let channel = try await ControlChannel(to: .endpoint(.phone), in: directory)
            try await channel.send(request)
            return channel
        }

        func close() async {
            await endServing()
            await pair.close()
        }

        func endServing() async {
            server.close()
            await serving.value
        }
    }

    private func kept(_ channel: ControlChannel, _ count: Int) async throws -> [UInt64] {
        var numbers: [UInt64] = []
        while numbers.count < count {
            guard case .heard(_, let number?) = try await channel.receive() else { continue }
            numbers.append(number)
        }
        return numbers
    }

    @Test
    func `Every listener gets every queued message, also one that another has taken, and a taken one comes no more`()
        async throws
    {
        let program = try await Program()
        let (first, second) = (
            try await program.begin(.listen(.prefix(""))), try await program.begin(.listen(.prefix("")))
        )
        for number in 1...3 { try await program.pair.watch.pass(number, under: "n", delivery: .queued) }
        let numbers = try await kept(first, 3)
        for number in numbers { try await first.send(.taken(number)) }
        #expect(try await kept(second, 3) == numbers)
        while try await !program.inbox.inbox().isEmpty { await Task.yield() }
        try await program.pair.watch.pass(4, under: "n", delivery: .queued)
        let third = try await program.begin(.listen(.name("n")))
        #expect(try await kept(third, 1) == [4])
        for channel in [first, second, third] { channel.close() }
        await program.close()
    }

    @Test
    func `A program whose request is not read before the server ends is told that nothing comes of it`() async throws {
        let program = try await Program()
        let channel = try await ControlChannel(to: .endpoint(.phone), in: program.directory)
        await program.close()
        let reply = try await channel.receive()
        #expect(reply == .failed(.closed))
        channel.close()
    }

    @Test func `What a program follows is not done when the server ends: it is told that nothing more comes`()
        async throws
    {
        let program = try await Program()
        let watch = try await program.pair.watchIdentity()
        await program.pair.watch.close()
        _ = await program.pair.phone.waitUntilUnreachable(watch)
        let payload = try JSONText(text: "1").payload
        let passing = try await program.begin(.pass("n", payload: payload, delivery: .queued))
        guard case .passed(let copies) = try await passing.receive(), let number = copies.first?.number else {
            throw WormholeError.closed
        }
        let following = try await program.begin(.fate(.message(MessageNumber(rawValue: number)), isFollowed: true))
        for channel in [passing, following] {
            guard case .fate(_, .queued) = try await channel.receive() else { throw WormholeError.closed }
        }
        await program.endServing()
        for channel in [passing, following] {
            #expect(try await channel.receive() == .failed(.closed))
            channel.close()
        }
        await program.close()
    }

    @Test(
        arguments: [
            .pass("n", payload: nil, delivery: .latest, timeout: 240_000),
            .pass("n", payload: [0x01], delivery: .interactive, timeout: 240_000),
            .ask("n", payload: [0x01], timeout: 240_000), .send(path: "/proc/version", label: "a", timeout: 240_000),
        ] as [ControlCommand])
    func `A wait for a peer that the end of the server cuts short is no time that is over`(_ request: ControlCommand)
        async throws
    {
        let temporary = TemporaryDirectory()
        let directory = try SocketDirectory(path: temporary.file("sockets"))
        let phone = Wormhole.quick(.phone, .listens(InMemoryLink().listener))
        try await phone.start()
        let control = EndpointControl(phone, inbox: nil)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let listener = try ControlSocket.endpoint(.phone).listener(in: directory)
        let server = ControlServer(listener, logger: .quiet) { request, exchange throws(WormholeError) in
            begin.yield()
            try await control.perform(request, exchange)
        }
        let serving = Task { await server.serve() }
        let channel = try await ControlChannel(to: .endpoint(.phone), in: directory)
        try await channel.send(request)
        for await _ in begun { break }
        server.close()
        await serving.value
        #expect(try await channel.receive() == .failed(.closed))
        channel.close()
        await phone.close()
    }

    @Test
    func `A program hears values and queued messages in the order in which the endpoint hears them`() async throws {
        let program = try await Program()
        let channel = try await program.begin(.listen(.prefix("")))
        // A program that has received one message hears all later ones.
        try await program.pair.watch.pass(0, under: "first", delivery: .queued)
        _ = try await kept(channel, 1)
        let heard = program.pair.phone.messages(withPrefix: "")
        for number in 1...60 {
            try await program.pair.watch.pass(number, under: "value")
            try await program.pair.watch.pass(number, under: "message", delivery: .queued)
        }
        try await program.pair.watch.pass(0, under: "last", delivery: .queued)
        var expected: [HeardMessage] = []
        for await message in heard where message.origin != .own {
            expected.append(message)
            if message.name == "last" { break }
        }
        var received: [HeardMessage] = []
        while received.last?.name != "last" {
            guard case .heard(let message, _) = try await channel.receive() else { throw WormholeError.closed }
            received.append(message)
        }
        #expect(received == expected)
        #expect(received.count > 61)
        channel.close()
        await program.close()
    }

    @Test
    func `A program that is told that it has taken a message may leave at once: it is not given again`() async throws {
        let program = try await Program()
        for number in 1...50 {
            try await program.pair.watch.pass(number, under: "n", delivery: .queued)
            let channel = try await program.begin(.listen(.name("n")))
            for kept in try await kept(channel, 1) {
                try await channel.send(.taken(kept))
                while try await channel.receive() != .taken(kept) {}
            }
            channel.close()
            #expect(try await program.inbox.inbox().isEmpty)
        }
        await program.close()
    }

    /// Asks a question under the name "lap". Asks again as long as no program has registered that name.
    private func ask(_ program: Program) -> Task<Result<Int, WormholeError>, Never> {
        Task {
            while true {
                do throws(WormholeError) {
                    let answer = try await program.pair.watch.ask(
                        1, under: "lap", for: Int.self, of: .phone, within: .seconds(240), reaching: .now)
                    return .success(answer)
                } catch {
                    guard error == .noAnswer(.noListener) else { return .failure(error) }
                }
            }
        }
    }

    /// Registers a program that answers "lap". Tries again while an earlier program still has the name. Waits for a
    /// question, and returns its number.
    private func answer(_ program: Program) async throws -> (ControlChannel, UInt64) {
        while true {
            let channel = try await program.begin(.answer("lap"))
            let reply = try await channel.receive()
            if case .failed = reply {
                channel.close()
                continue
            }
            // The program is registered, and gets questions from now on.
            guard reply == .ready, case .asked(let number, _) = try await channel.receive() else {
                throw WormholeError.closed
            }
            return (channel, number)
        }
    }

    @Test
    func `A notification waits for a peer that can be reached: a shell that passes one has often just opened its end`()
        async throws
    {
        let program = try await Program()
        let watch = try await program.pair.watchIdentity()
        await program.pair.watch.close()
        _ = await program.pair.phone.waitUntilUnreachable(watch)
        let channel = try await program.begin(.pass("tick", payload: nil, delivery: .latest, timeout: 60_000))
        let next = Wormhole.quick(.watch, .connects(program.pair.air.connector))
        let woken = next.notifications(under: "tick")
        try await next.start()
        #expect(try await woken.first(1).count == 1)
        #expect(try await channel.receive() == .passed([]))
        await next.close()
        await program.close()
    }

    @Test
    func `A program that leaves takes its answering with it: who has asked learns of it, and the next may answer`()
        async throws
    {
        let program = try await Program()
        let asked = ask(program)
        let (first, _) = try await answer(program)
        first.close()
        #expect(await asked.value == .failure(.noAnswer(.failed)))
        let again = ask(program)
        let (second, number) = try await answer(program)
        try await second.send(.answered(number, JSONText(text: "7").payload))
        #expect(await again.value == .success(7))
        second.close()
        await program.close()
    }

    @Test func `A command that begins with what is none is told so, and the others go on`() async throws {
        let program = try await Program()
        let wrong = try await program.begin(.taken(1))
        guard case .failed = try await wrong.receive() else { throw WormholeError.closed }
        let path = program.directory.path(of: "phone.control")
        let raw = try await UnixConnector(path: path).connect()
        #expect(try MessageDecoder().decode(ControlReply.self, from: try await raw.receive()) == .serving)
        try await raw.send([0xFF, 0x00])
        await #expect(throws: WormholeError.closed) { _ = try await raw.receive() }
        let values = try await program.begin(.read(nil))
        #expect(try await values.receive() == .done)
        await program.close()
    }

    @Test func `A long command goes on beside any number of short ones`() async throws {
        let link = InMemoryLink()
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let server = ControlServer(link.listener, logger: .quiet) { _, exchange in
            for await _ in exchange.further {}
            end.yield()
        }
        let serving = Task { await server.serve() }
        func begin() async throws -> any DatagramTransport {
            let connection = try await link.connector.connect()
            try await connection.send(encoding: ControlCommand.changing)
            return connection
        }
        let long = try await begin()
        var heard = ends.makeAsyncIterator()
        for _ in 0..<2 * ControlServer.mostConnections {
            try await begin().close()
            await heard.next()
        }
        try await long.send(encoding: ControlCommand.changing)
        long.close()
        await heard.next()
        server.close()
        await serving.value
    }

    @Test func `A program performs a command of its own without a socket, and what it has begun ends with it`()
        async throws
    {
        let program = try await Program()
        let control = EndpointControl(program.pair.phone, inbox: program.inbox)
        let value = try JSONText(text: "2").payload
        let pass = ControlChannel(
            performing: .pass("score", payload: value, delivery: .latest), by: control.perform)
        guard case .passed = try await pass.receive() else { throw WormholeError.closed }
        let read = ControlChannel(performing: .read(nil), by: control.perform)
        #expect(try await read.receive() == .value("score", value))
        #expect(try await read.receive() == .done)
        await #expect(throws: WormholeError.closed) { _ = try await read.receive() }
        let first = ControlChannel(performing: .answer("lap"), by: control.perform)
        #expect(try await first.receive() == .ready)
        first.close()
        while true {
            let second = ControlChannel(performing: .answer("lap"), by: control.perform)
            if try await second.receive() == .ready { break }
        }
        let wrong = ControlChannel(performing: .changing, by: control.perform)
        #expect(try await wrong.receive() == .failed(.notServed))
        await program.close()
    }
}
