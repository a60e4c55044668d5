import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct PassingTests {
    @Test(arguments: AirKind.allCases)
    func `A message that was passed can be read under its name on both sides`(_ kind: AirKind) async throws {
        let pair = try await Pair.started(kind)
        let heard = pair.watch.messages(of: String.self, under: "title")
        try await pair.phone.pass("Shopping", under: "title")
        #expect(try await heard.first(1) == ["Shopping"])
        #expect(try await pair.phone.value(of: String.self, under: "title") == "Shopping")
        #expect(try await pair.watch.value(of: String.self, under: "title") == "Shopping")
        #expect(try await pair.watch.value(of: String.self, under: "other") == nil)
        await #expect(throws: WormholeError.self) { try await pair.watch.value(of: Int.self, under: "title") }
        await pair.close()
    }

    @Test(arguments: AirKind.allCases)
    func `Clearing a name leaves the others, and clearing all leaves none`(_ kind: AirKind) async throws {
        let pair = try await Pair.started(kind)
        let heard = pair.watch.messages(withPrefix: "")
        for name in ["a", "b", "c"] as [MessageName] { try await pair.phone.pass(1, under: name) }
        _ = try await heard.first(3)
        try await pair.phone.clear("a")
        #expect(try await pair.phone.value(of: Int.self, under: "a") == nil)
        #expect(try await pair.phone.value(of: Int.self, under: "b") == 1)
        try await pair.phone.pass(2, under: "d")
        let since = try await heard.first(2)
        #expect(since.map(\.name) == ["a", "d"] && since.map(\.isCleared) == [true, false])
        #expect(try await pair.watch.value(of: Int.self, under: "a") == nil)
        #expect(try await pair.watch.value(of: Int.self, under: "b") == 1)

        try await pair.watch.clearAll()
        let back = pair.phone.messages(of: Int.self, under: "e")
        try await pair.watch.pass(3, under: "e")
        #expect(try await back.first(1) == [3])
        for name in ["a", "b", "c", "d"] as [MessageName] {
            #expect(try await pair.phone.value(of: Int.self, under: name) == nil)
            #expect(try await pair.watch.value(of: Int.self, under: name) == nil)
        }
        await pair.close()
    }

    @Test(arguments: AirKind.allCases)
    func `Nil wakes the listeners of its name on both sides, and keeps nothing`(_ kind: AirKind) async throws {
        let pair = try await Pair.started(kind)
        let before = pair.watch.messages(of: Int.self, under: "a")
        try await pair.phone.pass(1, under: "a")
        #expect(try await before.first(1) == [1])
        let woken = pair.watch.notifications(under: "a")
        let own = pair.phone.notifications(under: "a")
        let optional = pair.watch.messages(of: Int?.self, under: "a")
        let numbers = pair.watch.messages(of: Int.self, under: "a")
        let others = pair.watch.messages(withPrefix: "b")
        #expect(try await pair.phone.pass(Int?.none, under: "a") == nil)
        #expect(try await own.first(1) == [.own])
        #expect(try await woken.first(1).count == 1)
        #expect(try await optional.first(1) == [nil])
        // The name still has its value.
        #expect(try await pair.phone.value(of: Int.self, under: "a") == 1)
        // The other listeners were not woken. They hear only what the phone passes next.
        try await pair.phone.pass(2, under: "a", delivery: .queued)
        try await pair.phone.pass(3, under: "b", delivery: .queued)
        #expect(try await numbers.first(1) == [2])
        #expect(try await others.first(1).map(\.name) == ["b"])
        await pair.close()
    }

    @Test func `A burst of notifications wakes a listener at least once after the last, and is not sent one by one`()
        async throws
    {
        let pair = try await Pair.started(.memory)
        let woken = pair.watch.notifications(under: "a")
        for _ in 0..<1_000 { try await pair.phone.pass(Int?.none, under: "a") }
        try await pair.phone.pass(0, under: "end", delivery: .queued)
        #expect(try await woken.first(1).count == 1)
        await pair.close()
    }

    @Test func `Without a peer, messages and notifications reach the listeners of this side, with its origin`()
        async throws
    {
        let pair = try Pair(.memory)
        let (woken, heard) = (pair.phone.notifications(under: "a"), pair.phone.messages(withPrefix: ""))
        try await pair.phone.pass(Int?.none, under: "a")
        try await pair.phone.pass(1, under: "a")
        #expect(try await woken.first(1) == [.own])
        #expect(try await heard.first(2).map(\.origin) == [.own, .own])
        await pair.close()
    }

    @Test(arguments: AirKind.allCases)
    func `Every listener of a name hears each message, and no message of another name`(_ kind: AirKind) async throws {
        let pair = try await Pair.started(kind)
        let first = pair.watch.messages(of: Int.self, under: "a")
        let second = pair.watch.messages(of: Int.self, under: "a")
        let other = pair.watch.messages(of: Int.self, under: "ab")
        let many = pair.watch.messages(withPrefix: "a")
        for number in 1...3 {
            try await pair.phone.pass(number, under: "a", delivery: .queued)
            try await pair.phone.pass(-number, under: "ab", delivery: .queued)
            try await pair.phone.pass(100, under: "b", delivery: .queued)
        }
        #expect(try await first.first(3) == [1, 2, 3])
        #expect(try await second.first(3) == [1, 2, 3])
        #expect(try await other.first(3) == [-1, -2, -3])
        let numbers = try await many.first(6).map { try $0.decoded(as: Int.self) }
        #expect(numbers == [1, -1, 2, -2, 3, -3])
        await pair.close()
    }

    @Test func `A listener that stops is forgotten, and closing ends those that listen`() async throws {
        let pair = try Pair(.memory)
        let stopped = Task {
            for await _ in pair.phone.messages(withPrefix: "") {}
        }
        while pair.phone.heard.listenerCount == 0 { await Task.yield() }
        stopped.cancel()
        await stopped.value
        #expect(pair.phone.heard.listenerCount == 0)
        let listening = pair.phone.messages(withPrefix: "")
        await pair.close()
        #expect(try await listening.first(1).isEmpty)
        #expect(try await pair.phone.messages(withPrefix: "").first(1).isEmpty)
        await #expect(throws: WormholeError.closed) { try await pair.phone.pass(1, under: "a") }
    }

    @Test func `A message that a listener cannot decode is left out and ends nothing`() async throws {
        let pair = try Pair(.memory)
        let heard = pair.phone.messages(of: Int.self, under: "a")
        try await pair.phone.pass("text", under: "a")
        try await pair.phone.pass(2, under: "a")
        #expect(try await heard.first(1) == [2])
        await pair.close()
    }

    @Test func `The last value survives the restart of both sides`() async throws {
        let directory = TemporaryDirectory()
        for round in 0..<2 {
            let phoneStore = try MessageStore(path: directory.file("phone"), durability: .processCrash)
            let watchStore = try MessageStore(path: directory.file("watch"), durability: .processCrash)
            let pair = try Pair(.unix, phoneStore: phoneStore, watchStore: watchStore)
            if round == 0 {
                try await pair.start()
                let heard = pair.watch.messages(of: String.self, under: "title")
                try await pair.phone.pass("Shopping", under: "title")
                _ = try await heard.first(1)
            }
            #expect(try await pair.phone.value(of: String.self, under: "title") == "Shopping")
            #expect(try await pair.watch.value(of: String.self, under: "title") == "Shopping")
            await pair.close()
            phoneStore.close()
            watchStore.close()
        }
    }

    @Test func `A value that was passed before there was a watch reaches every watch that comes`() async throws {
        let link = InMemoryLink()
        let phone = Wormhole.quick(.phone, .listens(link.listener))
        try await phone.pass("Shopping", under: "title")
        try await phone.start()
        for _ in 0..<3 {
            let watch = Wormhole.quick(.watch, .connects(link.connector))
            let heard = watch.messages(of: String.self, under: "title")
            try await watch.start()
            #expect(try await heard.first(1) == ["Shopping"])
            await watch.close()
        }
        await phone.close()
    }
}
