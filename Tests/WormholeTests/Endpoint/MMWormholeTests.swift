import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

/// What MMWormhole does for an app and its extension, as its own tests pin it: a test for each behaviour.
///
/// Its nil name has no counterpart: a `MessageName` is never empty, and making one that is is an error before anything happens. Its
/// nil message posts a notification.
@Suite(.timeLimit(.minutes(60)))
struct MMWormholeTests {
    private func open(_ body: (Pair) async throws -> Void) async throws {
        let pair = try Pair(.memory)
        try await pair.start()
        try await body(pair)
        await pair.close()
    }

    /// Has whatever was passed before arrive at the watch, and returns what it has heard until then.
    private func arrived(_ heard: AsyncStream<HeardMessage>, at pair: Pair) async throws -> [HeardMessage] {
        try await pair.phone.pass(true, under: "last")
        var messages: [HeardMessage] = []
        for await message in heard {
            if message.name == "last" { break }
            messages.append(message)
        }
        return messages
    }

    @Test func `A message that was passed is read under its name, again and again, until it is cleared`() async throws {
        try await open { pair in
            let heard = pair.watch.messages(withPrefix: "")
            try await pair.phone.pass(["key": "value"], under: "a")
            _ = try await arrived(heard, at: pair)
            for end in [pair.phone, pair.watch] {
                for _ in 0..<2 {
                    #expect(try await end.value(of: [String: String].self, under: "a") == ["key": "value"])
                }
            }
            try await pair.phone.clear("a")
            _ = try await arrived(pair.watch.messages(withPrefix: ""), at: pair)
            for end in [pair.phone, pair.watch] {
                #expect(try await end.value(of: [String: String].self, under: "a") == nil)
            }
        }
    }

    @Test func `Clearing one name leaves the others`() async throws {
        try await open { pair in
            for name in ["a", "b"] as [MessageName] { try await pair.phone.pass(1, under: name) }
            try await pair.phone.clear("a")
            _ = try await arrived(pair.watch.messages(withPrefix: ""), at: pair)
            for end in [pair.phone, pair.watch] {
                #expect(try await end.value(of: Int.self, under: "a") == nil)
                #expect(try await end.value(of: Int.self, under: "b") == 1)
            }
        }
    }

    @Test func `Clearing all clears every name`() async throws {
        try await open { pair in
            for name in ["a", "b", "c"] as [MessageName] { try await pair.phone.pass(1, under: name) }
            try await pair.phone.clearAll()
            #expect(try pair.phoneStore.namesWithValue().isEmpty)
            _ = try await arrived(pair.watch.messages(withPrefix: ""), at: pair)
            #expect(try pair.watchStore.namesWithValue() == ["last"])
        }
    }

    @Test func `There is no message without a name`() {
        // Not a literal, which is checked when the program is written.
        let empty = String()
        #expect(throws: WormholeError.invalidName("")) { try MessageName(empty) }
    }

    @Test
    func `A nil message is a notification: it wakes whoever listens to the name, and what is kept stays as it was`()
        async throws
    {
        try await open { pair in
            let heard = pair.watch.messages(withPrefix: "")
            let woken = pair.watch.notifications(under: "a")
            try await pair.phone.pass(1, under: "a")
            _ = try await arrived(heard, at: pair)
            #expect(try await pair.phone.pass(Int?.none, under: "a") == nil)
            #expect(try await woken.first(1).count == 1)
            for end in [pair.phone, pair.watch] { #expect(try await end.value(of: Int.self, under: "a") == 1) }
            #expect(try await pair.phone.pass(Int?.none, under: "never") == nil)
            #expect(try !pair.phoneStore.namesWithValue().contains("never"))
        }
    }

    @Test func `A listener gets the value that is passed`() async throws {
        try await open { pair in
            let heard = pair.watch.messages(of: [Int].self, under: "a")
            try await pair.phone.pass([1, 2], under: "a")
            #expect(try await heard.first(1) == [[1, 2]])
        }
    }

    @Test func `A message under one name never wakes the listener of another, also where one begins as the other`()
        async throws
    {
        try await open { pair in
            let (heard, all) = (pair.watch.messages(of: Int.self, under: "a"), pair.watch.messages(withPrefix: ""))
            let woken = pair.watch.notifications(under: "a")
            for (number, name) in (["b", "ab", "A"] as [MessageName]).enumerated() {
                try await pair.phone.pass(number, under: name)
                try await pair.phone.pass(Int?.none, under: name)
            }
            _ = try await arrived(all, at: pair)
            try await pair.phone.pass(9, under: "a")
            #expect(try await heard.first(1) == [9])
            try await pair.phone.pass(Int?.none, under: "a")
            #expect(try await woken.first(1).count == 1)
        }
    }

    @Test func `A listener that has stopped hears nothing more, and the others go on`() async throws {
        try await open { pair in
            let heard = Recorder<Int>()
            let stream = pair.watch.messages(of: Int.self, under: "a")
            let listener = Task { for await number in stream { heard.append(number) } }
            let other = pair.watch.messages(of: Int.self, under: "a")
            try await pair.phone.pass(1, under: "a")
            await heard.wait(for: 1)
            listener.cancel()
            await listener.value
            try await pair.phone.pass(2, under: "a", delivery: .queued)
            #expect(try await other.first(2) == [1, 2])
            #expect(heard.all == [1])
        }
    }

    @Test func `Whoever passes a message hears it only where it listens itself`() async throws {
        try await open { pair in
            let own = pair.phone.messages(withPrefix: "a")
            try await pair.phone.pass(1, under: "a")
            try await pair.phone.pass(2, under: "b")
            try await pair.phone.pass(3, under: "a")
            let heard = try await own.first(2)
            #expect(heard.map(\.origin) == [.own, .own])
            #expect(try heard.map { try $0.decoded(as: Int.self) } == [1, 3])
        }
    }
}
