import Testing
import Watch
import WatchLink

@testable import Emulator

struct HandlerCodeTests {
    private static let tap = TapNumber(1)

    private static func mark(_ mark: TapMark) -> TracedEvent { .mark(mark, tap: tap, at: 0) }
    private static let stageBegan = TracedEvent.stageBegan("a", tap: tap)
    private static let stageEnded = TracedEvent.stageEnded("a", tap: tap)

    /// Returns what `HandlerCode` counts for these events. The number with each event is how many instructions run
    /// before it.
    private func code(_ events: [(Int, TracedEvent)]) throws(EmulatorError) -> HandlerCode {
        var code = HandlerCode()
        for (count, event) in events {
            try code.enter(
                ExecutedCode(instructions: count, cycles: 2 * count, fewestCycles: count, mostCycles: 3 * count),
                upTo: event)
        }
        return code
    }

    @Test func `what runs before, between and behind the stages is the handler's own, and nothing else is`() throws {
        let code = try code([
            (1, Self.mark(.touch)), (2, .handler(.begins)), (4, Self.stageBegan), (8, Self.stageEnded),
            (16, Self.stageBegan), (32, .line), (64, Self.stageEnded), (128, .handler(.returns)),
            (256, Self.mark(.handled)), (512, Self.mark(.updated)),
        ])
        #expect(code.immediate.instructions == 4 + 16 + 128)
        #expect(code.immediate.cycles == 2 * (4 + 16 + 128))
        #expect(code.deferred == .zero)
    }

    @Test func `what runs after the update is not waited for`() throws {
        let code = try code([
            (1, Self.mark(.touch)), (2, .handler(.begins)), (4, .handler(.returns)), (8, Self.mark(.updated)),
            (16, .handler(.begins)), (32, Self.stageBegan), (64, Self.stageEnded), (128, .handler(.returns)),
        ])
        #expect(code.immediate.instructions == 4)
        #expect(code.deferred.instructions == 32 + 128)
    }

    @Test func `a stage within a stage, as of one that waits for the phone, leaves the outer one running`() throws {
        let code = try code([
            (1, .handler(.begins)), (2, Self.stageBegan), (4, .handler(.begins)), (8, Self.stageBegan),
            (16, Self.stageEnded), (32, .handler(.returns)), (64, Self.stageEnded), (128, .handler(.returns)),
        ])
        #expect(code.deferred.instructions == 2 + 8 + 32 + 128)
    }

    @Test func `what was executed before is left out of what was executed since`() throws {
        let before = try code([(1, .handler(.begins)), (2, .handler(.returns))])
        var after = before
        try after.enter(
            ExecutedCode(instructions: 5, cycles: 5, fewestCycles: 5, mostCycles: 5), upTo: .handler(.begins))
        try after.enter(ExecutedCode(instructions: 7, cycles: 9, fewestCycles: 8, mostCycles: 9), upTo: .line)
        #expect(after.since(before).deferred.instructions == 7)
        #expect(after.since(before).deferred.cycles == 9)
    }

    @Test func `the stages that the wearer waits for are counted apart`() throws {
        let code = try code([
            (1, Self.mark(.touch)), (1, .handler(.begins)), (1, Self.stageBegan), (1, Self.stageEnded),
            (1, Self.stageBegan), (1, Self.stageEnded), (1, .handler(.returns)), (1, Self.mark(.updated)),
            (1, .handler(.begins)), (1, Self.stageBegan), (1, Self.stageEnded), (1, .handler(.returns)),
        ])
        #expect(code.immediateStages == 2)
    }

    /// If a handler could trace these events itself, it could hide the code that it executes after them.
    @Test func `a handler that reports by itself what only the runtime does is stopped`() {
        for events in [
            [Self.stageEnded], [.handler(.begins), Self.stageEnded], [.handler(.returns)],
            [.handler(.begins), Self.stageBegan, .handler(.returns)], [.handler(.begins), .stepped(isIdle: false)],
            [Self.stageBegan, .stepped(isIdle: true)], [.handler(.begins), Self.mark(.updated)],
            [.handler(.begins), Self.mark(.touch)], [.handler(.begins), Self.mark(.handled)],
        ] {
            #expect(throws: EmulatorError.unbalanced) { try code(events.map { (1, $0) }) }
        }
    }
}

struct MessageCodeTests {
    private func code(_ events: [(Int, TracedEvent)]) throws(EmulatorError) -> MessageCode {
        var code = MessageCode()
        for (count, event) in events {
            try code.enter(
                ExecutedCode(instructions: count, cycles: 2 * count, fewestCycles: count, mostCycles: 3 * count),
                upTo: event)
        }
        return code
    }

    @Test func `what runs between beginning and end is a message's, with what it asks the board for`() throws {
        let code = try code([
            (1, .messageWork("a: value", .begins)), (2, .line), (4, .messageWork("a: value", .returns)),
            (8, .messageWork("button 0", .begins)), (16, .messageWork("button 0", .returns)),
            (32, .stepped(isIdle: false)),
            (64, .messageWork("a: value", .begins)), (128, .messageWork("a: value", .returns)),
        ])
        #expect(code.runs.mapValues { $0.map(\.instructions) } == ["a: value": [6, 128], "button 0": [16]])
        #expect(code.running == nil)
    }

    @Test func `what has begun and not ended is named`() throws {
        #expect(try code([(1, .messageWork("a: value", .begins)), (2, .line)]).running == "a: value")
    }

    @Test(
        arguments: [
            [.messageWork("a", .returns)], [.messageWork("a", .begins), .messageWork("b", .returns)],
            [.messageWork("a", .begins), .messageWork("a", .begins)],
            [.messageWork("a", .begins), .stepped(isIdle: false)],
        ] as [[TracedEvent]])
    func `what ends without having begun, or the other way round, is refused`(events: [TracedEvent]) {
        #expect(throws: EmulatorError.unbalanced) { try code(events.map { (1, $0) }) }
    }
}
