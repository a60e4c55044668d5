import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

/// Over real sockets, because the control socket is one.
@Suite(.timeLimit(.minutes(60)))
struct EndpointSharingTests {
    private final class Shared: Sendable {
        let temporary = TemporaryDirectory()
        let pair: Pair
        let directory: SocketDirectory
        let inbox: MessageStore
        private let sharing: EndpointSharing
        private let serving: Task<Void, Never>

        init() async throws {
            inbox = try MessageStore(path: temporary.path(of: "phone"), durability: .processCrash, keeping: 100)
            pair = try Pair(.memory, phoneStore: inbox)
            directory = try SocketDirectory(path: temporary.path(of: "sockets"))
            sharing = try EndpointSharing(pair.phone, inbox: inbox, in: directory, logger: .quiet)
            serving = Task { [sharing] in await sharing.serve() }
            try await pair.start()
        }

        func begin(_ request: SharedRequest) async throws -> SharedChannel {
            let channel = try await SharedChannel(to: .phone, in: directory)
            try await channel.send(request)
            return channel
        }

        func close() async {
            await pair.close()
            sharing.close()
            await serving.value
        }
    }

    private func kept(_ channel: SharedChannel, _ count: Int) async throws -> [UInt64] {
        var numbers: [UInt64] = []
        while numbers.count < count {
            guard case .kept(let number, _) = try await channel.receive(SharedReply.self) else { continue }
            numbers.append(number)
        }
        return numbers
    }

    @Test
    func `Every listener gets every queued message, whoever takes it first, and one that was taken comes no more`()
        async throws
    {
        let shared = try await Shared()
        let (first, second) = (
            try await shared.begin(.listen(.prefix(""))), try await shared.begin(.listen(.prefix("")))
        )
        for number in 1...3 { try await shared.pair.watch.pass(number, under: "n", delivery: .queued) }
        let numbers = try await kept(first, 3)
        for number in numbers { try await first.send(SharedRequest.taken(number)) }
        #expect(try await kept(second, 3) == numbers)
        while try await !shared.inbox.inbox().isEmpty { await Task.yield() }
        try await shared.pair.watch.pass(4, under: "n", delivery: .queued)
        let third = try await shared.begin(.listen(.name("n")))
        #expect(try await kept(third, 1) == [4])
        for channel in [first, second, third] { channel.close() }
        await shared.close()
    }

    @Test
    func `A program hears values and queued messages in the order in which the endpoint hears them`() async throws {
        let shared = try await Shared()
        let channel = try await shared.begin(.listen(.prefix("")))
        // It listens from the first message on that it gets.
        try await shared.pair.watch.pass(0, under: "first", delivery: .queued)
        _ = try await kept(channel, 1)
        let heard = shared.pair.phone.messages(withPrefix: "")
        for number in 1...60 {
            try await shared.pair.watch.pass(number, under: "value")
            try await shared.pair.watch.pass(number, under: "message", delivery: .queued)
        }
        try await shared.pair.watch.pass(0, under: "last", delivery: .queued)
        var expected: [SharedReply.Heard] = []
        for await message in heard where message.origin != .own {
            guard case .heard(let content) = SharedReply(message) else { continue }
            expected.append(content)
            if message.name == "last" { break }
        }
        var received: [SharedReply.Heard] = []
        while received.last?.name != "last" {
            switch try await channel.receive(SharedReply.self) {
            case .kept(_, let content), .heard(let content): received.append(content)
            case let other: Issue.record("\(other)")
            }
        }
        #expect(received == expected)
        #expect(received.count > 61)
        channel.close()
        await shared.close()
    }

    @Test
    func `A program that is told that it has taken a message may leave at once: nobody is given it again`() async throws
    {
        let shared = try await Shared()
        for number in 1...50 {
            try await shared.pair.watch.pass(number, under: "n", delivery: .queued)
            let channel = try await shared.begin(.listen(.name("n")))
            for kept in try await kept(channel, 1) {
                try await channel.send(SharedRequest.taken(kept))
                while try await channel.receive(SharedReply.self) != .taken(kept) {}
            }
            channel.close()
            #expect(try await shared.inbox.inbox().isEmpty)
        }
        await shared.close()
    }

    /// Asks until somebody has registered for the name.
    private func ask(_ shared: Shared) -> Task<Result<Int, WormholeError>, Never> {
        Task {
            while true {
                do throws(WormholeError) {
                    let answer = try await shared.pair.watch.ask(
                        1, under: "lap", for: Int.self, of: .phone, within: .seconds(240), reaching: .now)
                    return .success(answer)
                } catch {
                    guard error == .noAnswer(.nobody) else { return .failure(error) }
                }
            }
        }
    }

    /// Answers the name, once whoever has answered it before is gone; returns when a question has come.
    private func answer(_ shared: Shared) async throws -> (SharedChannel, UInt64) {
        while true {
            let channel = try await shared.begin(.answer("lap"))
            let reply = try await channel.receive(SharedReply.self)
            if case .failed = reply {
                channel.close()
                continue
            }
            // From here on it is asked.
            guard reply == .ready, case .asked(let number, _) = try await channel.receive(SharedReply.self) else {
                throw WormholeError.closed
            }
            return (channel, number)
        }
    }

    @Test
    func `A notification waits for a peer that can be reached: a shell that passes one has often just opened its end`()
        async throws
    {
        let shared = try await Shared()
        let watch = try await shared.pair.watchIdentity()
        await shared.pair.watch.close()
        _ = await shared.pair.phone.waitUntilUnreachable(watch)
        let passing = SharedRequest.Passing(name: "tick", payload: nil, delivery: .latest, patience: 60_000)
        let channel = try await shared.begin(.pass(passing))
        let next = Wormhole(
            .connects(shared.pair.air.connector), store: MessageStore.inMemory(), configuration: .quick(.watch),
            logger: .quiet)
        let woken = next.notifications(under: "tick")
        try await next.start()
        #expect(try await woken.first(1).count == 1)
        #expect(try await channel.receive(SharedReply.self) == .passed([]))
        await next.close()
        await shared.close()
    }

    @Test func `A program hears that it is registered before its end has links: nobody is told that nobody is there`()
        async throws
    {
        let shared = try await Shared()
        for request in [SharedRequest.receive(directory: shared.temporary.path, atMost: nil), .answer("lap")] {
            let channel = try await shared.begin(request)
            #expect(try await channel.receive(SharedReply.self) == .ready)
            channel.close()
        }
        await shared.close()
    }

    @Test
    func `A program that leaves takes its answering with it: who has asked learns of it, and the next may answer`()
        async throws
    {
        let shared = try await Shared()
        let asked = ask(shared)
        let (first, _) = try await answer(shared)
        first.close()
        #expect(await asked.value == .failure(.noAnswer(.failed)))
        let again = ask(shared)
        let (second, number) = try await answer(shared)
        try await second.send(SharedRequest.answered(number, JSONText(text: "7").payload))
        #expect(await again.value == .success(7))
        second.close()
        await shared.close()
    }

    @Test func `A command that begins with what is none is told so, and the others go on`() async throws {
        let shared = try await Shared()
        let wrong = try await shared.begin(.taken(1))
        guard case .failed = try await wrong.receive(SharedReply.self) else { throw WormholeError.closed }
        let path = shared.directory.path(of: "phone.control")
        let raw = try await UnixConnector(path: path).connect()
        #expect(try MessageDecoder().decode(SharedReply.self, from: try await raw.receive()) == .serving)
        try await raw.send([0xFF, 0x00])
        await #expect(throws: WormholeError.closed) { _ = try await raw.receive() }
        let names = try await shared.begin(.names)
        #expect(try await names.receive(SharedReply.self) == .done)
        await shared.close()
    }
}
