import Synchronization
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct QuestionTests {
    private struct Refusal: Error {}

    @Test(arguments: AirKind.allCases)
    func `Both sides ask and answer, values and receipts`(_ kind: AirKind) async throws {
        let pair = try await Pair.started(kind)
        let identity = try await pair.watchIdentity()
        let told = Recorder<String>()
        let lengths = try pair.phone.answer("length", of: String.self) { text, _ in text.utf8.count }
        let notes = try pair.watch.answer("note", of: String.self) { text, asker in told.append("\(asker) \(text)") }
        for text in ["", "four", "öö"] {
            #expect(
                try await pair.watch.ask(text, under: "length", for: Int.self, of: .phone, within: .halfHour)
                    == text.utf8.count)
        }
        try await pair.phone.tell("pick up milk", under: "note", to: identity, within: .halfHour)
        // When `tell` returns, the watch has taken the message.
        #expect(told.all == ["\(PeerIdentity.phone) pick up milk"])
        lengths.end()
        notes.end()
        await #expect(throws: WormholeError.noAnswer(.noListener)) {
            try await pair.watch.tell("x", under: "length", to: .phone, within: .halfHour)
        }
        await pair.close()
    }

    @Test func `Questions do not wait for one another, and each gets its own answer`() async throws {
        let pair = try await Pair.started(.memory)
        _ = try pair.phone.answer("half", of: Int.self) { number, _ in
            // Later questions wait less, so they are answered first.
            for _ in 0..<(20 - number) * 10 { await Task.yield() }
            return number / 2
        }
        let answers = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<20 {
                group.addTask {
                    (
                        number,
                        try await pair.watch.ask(number, under: "half", for: Int.self, of: .phone, within: .halfHour)
                    )
                }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1.0] = $1.1 }
        }
        #expect(answers == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, $0 / 2) }))
        await pair.close()
    }

    @Test func `No program, a failing one, another type, and an answer of another type are errors of their own`()
        async throws
    {
        let pair = try await Pair.started(.memory)
        let phone = pair.phone
        _ = try phone.answer("fails", of: Int.self) { _, _ -> Int in throw Refusal() }
        _ = try phone.answer("number", of: Int.self) { number, _ in number }
        #expect(throws: WormholeError.answered("number")) {
            try phone.answer("number", of: Int.self) { number, _ in number }
        }
        func failure(_ name: MessageName, _ text: String) async -> WormholeError? {
            do throws(WormholeError) {
                _ = try await pair.watch.ask(text, under: name, for: Int.self, of: .phone, within: .halfHour)
                return nil
            } catch {
                return error
            }
        }
        #expect(await failure("nobody", "1") == .noAnswer(.noListener))
        #expect(await failure("number", "1") == .noAnswer(.malformed))
        await #expect(throws: WormholeError.noAnswer(.failed)) {
            try await pair.watch.ask(1, under: "fails", for: Int.self, of: .phone, within: .halfHour)
        }
        do throws(WormholeError) {
            _ = try await pair.watch.ask(1, under: "number", for: String.self, of: .phone, within: .halfHour)
            Issue.record("a number is a text")
        } catch {
            guard case .coding(.typeMismatch) = error else {
                Issue.record("\(error)")
                return
            }
        }
        // A question that is too large is an error, and is not sent.
        await #expect(throws: WormholeError.self) {
            try await phone.tell(
                String(repeating: "x", count: 500), under: "number", to: try await pair.watchIdentity(),
                within: .halfHour)
        }
        await pair.close()
    }

    @Test func `A watch that takes answers of 400 bytes is told that one is longer`() async throws {
        let pair = try await Pair.started(.memory)
        _ = try pair.phone.answer("text", of: Int.self) { length, _ in String(repeating: "x", count: length) }
        #expect(
            try await pair.watch.ask(300, under: "text", for: String.self, of: .phone, within: .halfHour).count == 300)
        await #expect(throws: WormholeError.noAnswer(.tooLong)) {
            try await pair.watch.ask(600, under: "text", for: String.self, of: .phone, within: .halfHour)
        }
        await pair.close()
    }

    @Test func `An answer that hangs: the caller learns it in time, and the answering task is cancelled`() async throws
    {
        let pair = try await Pair.started(.memory)
        let cancelled = Recorder<Bool>()
        _ = try pair.phone.answer("hang", of: Int.self) { number, _ in
            do {
                // The answer does not come during the test.
                try await Task.sleep(for: .seconds(600))
            } catch {
                cancelled.append(true)
                throw error
            }
            return number
        }
        do throws(WormholeError) {
            _ = try await pair.watch.ask(
                1, under: "hang", for: Int.self, of: .phone, within: .milliseconds(50), reaching: .now)
            Issue.record("it was answered")
        } catch {
            // Each side has its own clock, so either may notice first that the time is over.
            #expect(error == .noReply || error == .noAnswer(.late))
        }
        await cancelled.wait(for: 1)
        #expect(await pair.watch.reachability(of: .phone).isReachable)
        await pair.close()
    }

    @Test func `Out of reach it is an error at once, or after the time that one waits; a peer that comes is asked`()
        async throws
    {
        let pair = try Pair(.memory)
        try await pair.watch.start()
        await #expect(throws: WormholeError.self) {
            try await pair.watch.tell(1, under: "a", to: .phone, within: .halfHour)
        }
        await #expect(throws: WormholeError.self) {
            try await pair.watch.tell(
                1, under: "a", to: .phone, within: .seconds(2), reaching: .within(.milliseconds(20)))
        }
        _ = try pair.phone.answer("a", of: Int.self) { number, _ in number + 1 }
        async let answer = pair.watch.ask(
            1, under: "a", for: Int.self, of: .phone, within: .halfHour, reaching: .within(.halfHour))
        try await pair.phone.start()
        #expect(try await answer == 2)
        await pair.close()
    }

    /// When the watch becomes reachable, the phone may not have sent its own hello yet. The question has to go out
    /// after that hello.
    @Test(arguments: AirKind.allCases)
    func `A phone that waits for its watch asks it as soon as that has connected`(_ kind: AirKind) async throws {
        for _ in 0..<20 {
            let watchStore = MessageStore.inMemory()
            let watch = PeerIdentity(rawValue: try watchStore.identity(proposal: 77))
            let pair = try Pair(kind, watchStore: watchStore)
            _ = try pair.watch.answer("a", of: Int.self) { number, _ in number + 1 }
            try await pair.phone.start()
            async let answer = pair.phone.ask(
                1, under: "a", for: Int.self, of: watch, within: .halfHour, reaching: .within(.halfHour))
            try await pair.watch.start()
            #expect(try await answer == 2)
            await pair.close()
        }
    }

    @Test func `If the link ends, or the task is cancelled, the caller does not wait on`() async throws {
        let pair = try await Pair.started(.memory)
        let began = Recorder<Int>()
        _ = try pair.phone.answer("hang", of: Int.self) { number, _ in
            began.append(number)
            // The answer does not come during the test.
            try await Task.sleep(for: .seconds(600))
            return number
        }
        func asked() -> Task<WormholeError?, Never> {
            Task {
                do throws(WormholeError) {
                    _ = try await pair.watch.ask(
                        1, under: "hang", for: Int.self, of: .phone, within: .seconds(300), reaching: .now)
                    return nil
                } catch {
                    return error
                }
            }
        }
        let cancelled = asked()
        await began.wait(for: 1)
        cancelled.cancel()
        #expect(await cancelled.value == .cancelled)
        let cut = asked()
        await began.wait(for: 2)
        await pair.phone.close()
        guard case .unreachable = await cut.value else {
            Issue.record("it has another end")
            return
        }
        await pair.close()
    }

    @Test func `Passed as interactive a message has a fate, and listeners hear it`() async throws {
        let pair = try await Pair.started(.memory)
        let heard = pair.phone.messages(of: Int.self, under: "a")
        _ = try pair.phone.answer("a", of: Int.self) { _, _ in true }
        let handle = try #require(try await pair.watch.pass(5, under: "a", delivery: .interactive))
        #expect(await handle.finalFates() == [.phone: .applied])
        #expect(try await heard.first(1) == [5])
        let unanswered = try #require(try await pair.watch.pass(5, under: "b", delivery: .interactive))
        #expect(await unanswered.finalFates() == [.phone: .failed(.notAnswered(.noAnswer(.noListener)))])
        await pair.close()
    }

    @Test func `Who asks and reads no replies is sent away, and the memory for it is bounded`() async throws {
        let pair = try Pair(.memory)
        try await pair.phone.start()
        let channel = try await pair.air.connector.connect()
        var limits = LinkLimits(largestSDU: 512)
        limits.kinds = .interactive
        let hello = Hello(role: .watch, identity: 77, epoch: 5, limits: limits)
        try await channel.send(datagram(.hello(hello)))
        var said: [ControlFrame] = []
        for number in 1...1_000 as ClosedRange<UInt32> {
            let frame = try LinkMachine.datagram { writer throws(CBORError) in
                try InteractiveHeader(number: number, timeout: 60_000, wish: .receipt).encode(into: &writer)
                try writer.text("nobody")
                try writer.unsigned(0 as UInt32)
            }
            guard (try? await channel.send(frame)) != nil else { break }
        }
        while let datagram = try? await channel.receive() {
            if let frame = try? ControlFrame(datagram.span) { said.append(frame) }
        }
        guard case .goodbye(let goodbye)? = said.last else {
            Issue.record("it was let in for all of it: \(said.count) control frames")
            return
        }
        #expect(goodbye.fault == .windowExceeded)
        await pair.close()
    }
}
