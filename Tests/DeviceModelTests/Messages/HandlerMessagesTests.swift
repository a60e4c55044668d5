import DeviceModel
import TestDoubles
import Testing
import Watch
import WatchLink

private typealias Number = UInt32

private func connectedBench() throws -> WatchBench<NotingHandler> {
    let bench = try WatchBench(items: 8, handler: NotingHandler())
    bench.connect()
    return bench
}

extension ProgramBench where Program: ~Copyable {
    fileprivate var says: String? { snapshot.description.sheet?.text }

    fileprivate func run(untilItSays text: String) -> Bool { run { $0.description.sheet?.text == text } }

    fileprivate func heard(_ name: String, _ way: ProgramMessage.Way) -> [UInt32] {
        heard.filter { $0.name == name && $0.way == way }.compactMap { $0.value() }
    }

    fileprivate func rejections(_ name: String) -> [RejectionReason] {
        heard.filter { $0.name == name }.compactMap {
            switch $0.way {
            case .rejected(let reason): reason
            case .latest, .queued, .asked, .replied: nil
            }
        }
    }

    fileprivate func replies(_ name: String) -> [ReplyStatus] {
        heard.filter { $0.name == name }.compactMap {
            switch $0.way {
            case .replied(let status): status
            case .latest, .queued, .asked, .rejected: nil
            }
        }
    }

    fileprivate func press(_ button: Int16) { send(.tap(x: 24 + 48 * button, y: 150)) }
}

struct HandlerMessagesTests {
    // MARK: Latest values

    @Test func `the phone's latest value reaches the handler, and of a burst the last`() throws {
        let bench = try connectedBench()
        for value in 1...9 as ClosedRange<Number> { bench.pass(latest: "limit", value) }
        #expect(bench.run(untilItSays: "limit 9"))
        bench.run(for: .seconds(2))
        #expect(bench.rejections("limit").isEmpty)
    }

    @Test func `a cleared value is told`() throws {
        let bench = try connectedBench()
        bench.pass(latest: "limit", 5 as Number)
        #expect(bench.run(untilItSays: "limit 5"))
        bench.clear("limit")
        #expect(bench.run(untilItSays: "limit cleared"))
    }

    @Test func `the phone's value is there again after the watch has lost its power, before it hears of the phone`()
        throws
    {
        let bench = try connectedBench()
        bench.pass(latest: "limit", 5 as Number)
        #expect(bench.run(untilItSays: "limit 5"))
        bench.disconnect()
        bench.run(for: .seconds(1))
        try bench.restart()
        bench.run(for: .milliseconds(10))
        // It is told to the handler once more.
        #expect(bench.run(untilItSays: "limit 5"))
    }

    @Test func `a value that was in memory alone when the power went comes again`() throws {
        let bench = try connectedBench()
        bench.pass(latest: "limit", 5 as Number)
        #expect(bench.run(untilItSays: "limit 5"))
        bench.run(for: .seconds(1))
        try bench.restart()
        bench.connect()
        #expect(bench.run(untilItSays: "limit 5"))
    }

    @Test func `a value of the list that follows it does not lose one that was in memory alone`() throws {
        let bench = try connectedBench()
        bench.pass(latest: "limit", 5 as Number)
        #expect(bench.run(untilItSays: "limit 5"))
        bench.onPhone { $0.add(PhoneItem(id: 99, title: "Eggs")) }
        bench.run(for: .seconds(1))
        try bench.restart()
        bench.connect()
        #expect(bench.run(untilItSays: "limit 5"))
    }

    @Test(arguments: 0...3)
    func `a loss of power while values are written loses none of them, whatever their order`(operations: Int) throws {
        let bench = try connectedBench()
        bench.pass(latest: "limit", 1 as Number)
        bench.pass(latest: "floor", 2 as Number)
        bench.run(for: .seconds(1))
        // The first name has the newest revision now.
        bench.pass(latest: "limit", 3 as Number)
        bench.run(for: .seconds(1))
        bench.flash.change { $0.power = .failing(operations: operations, noise: FlashNoise(seed: 7)) }
        bench.disconnect()
        _ = bench.watch.wait(for: .seconds(3)) { _ in !bench.flash.isPowered }
        bench.flash.change { $0.power = .on }
        try bench.restart()
        bench.connect()
        bench.run(for: .seconds(1))
        bench.ask("values", Nothing())
        #expect(bench.run { _ in bench.heard("values", .replied(.answered)) == [3_002] })
    }

    @Test func `a value that changes every second for an hour wears no bank out`() throws {
        let bench = try connectedBench()
        let before = bench.work.sectorErases
        for second in 0..<3_600 as Range<Number> {
            bench.pass(latest: "limit", second)
            bench.run(for: .seconds(1))
        }
        #expect(bench.says == "limit 3599")
        #expect(bench.work.sectorErases - before <= 8)
    }

    @Test func `what the watch passes last reaches the phone, now and after a restart of the watch`() throws {
        let bench = try connectedBench()
        bench.tap(0)
        bench.run(for: .seconds(1))
        bench.tap(0)
        bench.run { $0.description.isSynchronized }
        #expect(bench.heard("taps", .latest).last == 2)
        try bench.restart()
        bench.connect()
        #expect(bench.heard("taps", .latest).last == 2)
    }

    @Test func `values longer than their names have room for are rejected, and undeclared ones are done`() throws {
        let bench = try connectedBench()
        bench.pass(latest: "limit", ShortText("more than nine"))
        bench.pass(latest: "stranger", 1 as Number)
        #expect(bench.run { _ in bench.rejections("limit") == [.noRoom] })
        bench.run(for: .seconds(1))
        #expect(bench.rejections("stranger").isEmpty)
    }

    // MARK: Queued messages

    @Test func `queued messages of the watch arrive once each, in order, with the check-offs`() throws {
        let bench = try connectedBench()
        for _ in 0..<3 {
            bench.tap(0)
            bench.run(for: .seconds(1))
        }
        #expect(bench.heard("note", .queued) == [1, 2, 3])
        #expect(bench.checkOffs == [1, 2, 3])
    }

    @Test func `queued messages wait for the phone through a loss of power`() throws {
        let bench = try connectedBench()
        bench.disconnect()
        for _ in 0..<3 {
            bench.tap(0)
            bench.run(for: .seconds(1))
        }
        #expect(bench.snapshot.description.waitingMessages == 6)
        try bench.restart()
        #expect(bench.run { $0.description.waitingMessages == 6 })
        bench.connect()
        #expect(bench.heard("note", .queued) == [1, 2, 3])
        #expect(bench.checkOffs == [1, 2, 3])
    }

    @Test func `as many wait as were declared, and a check-off is never refused for them`() throws {
        let bench = try connectedBench()
        bench.disconnect()
        for _ in 0..<8 {
            bench.tap(0)
            bench.run(for: .seconds(1))
        }
        bench.connect()
        #expect(bench.checkOffs.count == 8)
        // `note` and `echo` share six places.
        #expect(bench.heard("note", .queued) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `places of messages that the phone has acknowledged are used again, and come back right from flash`()
        throws
    {
        let bench = try WatchBench(items: 40, handler: NotingHandler())
        bench.connect()
        for _ in 0..<20 {
            bench.tap(0)
            bench.run(for: .milliseconds(400))
        }
        bench.disconnect()
        for _ in 0..<4 {
            bench.tap(0)
            bench.run(for: .seconds(1))
        }
        try bench.restart()
        bench.connect()
        #expect(bench.heard("note", .queued) == Array(1...24))
    }

    @Test func `queued messages of the phone are given to the handler once each, in order`() throws {
        let bench = try connectedBench()
        // More than wait at once: the phone waits for the watch.
        for value in 1...6 as ClosedRange<Number> { bench.pass(queued: "order", value) }
        #expect(bench.run { _ in bench.heard("echo", .queued).count == 6 })
        for value in 7...12 as ClosedRange<Number> { bench.pass(queued: "order", value) }
        #expect(bench.run { _ in bench.heard("echo", .queued).count == 12 })
        bench.run(for: .seconds(5))
        #expect(bench.heard("echo", .queued) == Array(1...12))
    }

    @Test(arguments: 1...12)
    func `a loss of power at any operation of flash loses none of the phone's messages`(operations: Int) throws {
        let bench = try connectedBench()
        bench.flash.change { $0.power = .failing(operations: operations, noise: FlashNoise(seed: 7)) }
        for value in 1...4 as ClosedRange<Number> { bench.pass(queued: "order", value) }
        _ = bench.watch.wait(for: .seconds(3)) { _ in !bench.flash.isPowered }
        bench.flash.change { $0.power = .on }
        try bench.restart()
        bench.connect()
        #expect(bench.run { _ in Set(bench.heard("echo", .queued)) == [1, 2, 3, 4] })
        // One whose receipt was cut is given again.
        #expect(bench.heard("echo", .queued).count <= 5)
    }

    @Test func `a queued message under a name that the handler has not declared is rejected, as on the phone`() throws {
        let bench = try connectedBench()
        bench.pass(queued: "stranger", 1 as Number)
        bench.pass(queued: "order", 2 as Number)
        #expect(bench.run { _ in bench.heard("echo", .queued) == [2] })
        #expect(bench.rejections("stranger") == [.unknownName])
    }

    @Test func `a queued message that is too long is rejected, and the next one is not held up`() throws {
        let bench = try connectedBench()
        bench.pass(queued: "order", ShortText("more than nine"))
        bench.pass(queued: "order", 2 as Number)
        #expect(bench.run { _ in bench.heard("echo", .queued) == [2] })
        #expect(bench.rejections("order") == [.noRoom])
    }

    // MARK: Questions

    @Test func `the phone answers what the watch asks`() throws {
        let bench = try connectedBench()
        bench.answer("start") { (message: ProgramMessage) -> Number? in message.value(Number.self).map { $0 * 3 } }
        bench.pass(latest: "limit", 5 as Number)
        #expect(bench.run(untilItSays: "limit 5"))
        bench.press(0)
        #expect(bench.run(untilItSays: "start 21"))
        bench.press(0)
        bench.run(for: .seconds(1))
        #expect(bench.heard("start", .asked) == [7, 7])
    }

    @Test func `no program answers, a program fails, and a receipt has no value`() throws {
        let bench = try connectedBench()
        bench.pass(latest: "limit", 5 as Number)
        #expect(bench.run(untilItSays: "limit 5"))
        bench.press(0)
        #expect(bench.run(untilItSays: "start refused 1"))
        bench.answer("start") { (_: ProgramMessage) -> Number? in nil }
        bench.press(0)
        #expect(bench.run(untilItSays: "start refused 2"))
        bench.answer("hello") { (_: ProgramMessage) -> Nothing? in Nothing() }
        bench.press(1)
        #expect(bench.run(untilItSays: "hello 0"))
    }

    @Test func `a second question of a name waits for the end of the first, which the handler is told`() throws {
        let bench = try connectedBench()
        bench.answer("start") { (_: ProgramMessage) -> Number? in 21 }
        bench.pass(latest: "limit", 5 as Number)
        #expect(bench.run(untilItSays: "limit 5"))
        // Without packets, the first question has no answer before the second press.
        bench.faults.loss = 1
        bench.press(0)
        bench.press(0)
        #expect(bench.says == "busy")
        bench.faults.loss = 0
        #expect(bench.run(untilItSays: "start 21"))
        #expect(bench.heard("start", .asked) == [7])
    }

    @Test func `another handler is given the values that the one before had no name for`() throws {
        let before = try WatchBench.connected(items: 3)
        before.pass(latest: "limit", 5 as Number)
        before.run(for: .seconds(2))
        before.onPhone { $0.add(PhoneItem(id: 99, title: "Eggs")) }
        before.run(for: .seconds(2))
        let bench = try WatchBench(
            phone: InMemoryPhone(restoredFrom: before.phone), handler: NotingHandler(), flash: before.flash.contents)
        bench.connect()
        #expect(bench.run(untilItSays: "limit 5"))
    }

    @Test func `out of reach is told at once`() throws {
        let bench = try connectedBench()
        bench.pass(latest: "limit", 5 as Number)
        #expect(bench.run(untilItSays: "limit 5"))
        bench.answer("start") { (_: ProgramMessage) -> Number? in 1 }
        bench.faults.link = .cut
        bench.run(for: .seconds(1))
        bench.press(0)
        #expect(bench.says == "out of reach")
    }

    @Test func `the watch answers what the phone asks, and refuses a question without a handler`() throws {
        let bench = try connectedBench()
        bench.ask("status", 8 as Number)
        bench.ask("stranger", 8 as Number)
        bench.ask("status", ShortText("more than the sixteen bytes"))
        bench.run(for: .seconds(1))
        #expect(bench.heard("status", .replied(.answered)) == [9])
        #expect(bench.replies("stranger") == [.noListener])
        #expect(bench.replies("status").contains(.failed))
    }

    @Test func `an answer may come later, and a second question of the name meanwhile finds it busy`() throws {
        let bench = try connectedBench()
        bench.ask("later", 1 as Number, timeout: 30_000)
        #expect(bench.run(untilItSays: "later"))
        bench.ask("later", 2 as Number, timeout: 30_000)
        bench.run(for: .seconds(1))
        #expect(bench.replies("later") == [.busy])
        bench.press(2)
        bench.run(for: .seconds(1))
        #expect(bench.heard("later", .replied(.answered)) == [42])
    }

    @Test func `the phone is told that a question was not answered in its time, and once`() throws {
        let bench = try connectedBench()
        bench.ask("later", 1 as Number, timeout: 500)
        #expect(bench.run(untilItSays: "later"))
        bench.run(for: .seconds(1))
        #expect(bench.replies("later") == [.late])
        bench.press(2)
        bench.run(for: .seconds(1))
        #expect(bench.replies("later") == [.late])
        #expect(bench.snapshot.description.link == .reachable)
    }

    @Test func `more questions at once than names are each told that the watch has no answer`() throws {
        let bench = try connectedBench()
        for _ in 0..<9 { bench.ask("stranger", 8 as Number) }
        #expect(bench.run { _ in bench.replies("stranger").count == 9 })
        #expect(bench.replies("stranger").allSatisfy { $0 == .noListener })
        #expect(bench.snapshot.description.link == .reachable)
    }

    @Test func `a handler without names takes no questions, and its hello says so`() throws {
        let bench = try WatchBench.connected(items: 3)
        bench.ask("status", 8 as Number)
        bench.run(for: .seconds(3))
        #expect(bench.heard.isEmpty)
        #expect(bench.snapshot.description.link == .reachable)
    }
}

extension ShortText {
    fileprivate init(_ text: StaticString) {
        self.init()
        append(text)
    }
}
