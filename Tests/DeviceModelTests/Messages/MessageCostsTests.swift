import Testing
import Watch
import WatchLink

@testable import DeviceModel

/// A handler with files, a value, a queued message and a button. The count table has no entries for its code.
private struct UncountedHandler: ComposedTapHandler {
    static var largestFile: Int { 65_536 }

    var stages: some TapHandler { ShippingHandler() }

    static func declare(_ names: inout MessageNames) {
        names.latest("value", from: .phone)
        names.queued("queue", from: .phone)
    }

    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        watch.sheet = HandlerSheet(title: "Uncounted", text: ShortText(), buttons: "One")
    }
}

struct MessageCostsTests {
    private func connected(counting messages: [String: CodeCount] = [:]) throws -> WatchBench<UncountedHandler> {
        var table = CountTable.measured(items: 8)
        table.messages.merge(messages) { $1 }
        let bench = try WatchBench(phone: InMemoryPhone(items: 8), handler: UncountedHandler(), counts: table)
        bench.connect()
        bench.run(for: .seconds(1))
        return bench
    }

    private func file(_ length: Int) -> PhoneFile {
        PhoneFile(label: "file", content: [UInt8](repeating: 7, count: length), transfer: 1)
    }

    @Test func `a part of a file into its hash takes what it was counted to take`() throws {
        let bench = try connected()
        let before = bench.work.cycles
        bench.send(file(65_536))
        #expect(bench.run { _ in bench.fileStates[1] == .stored })
        // 256 parts, and the final comparison of the hash.
        #expect(bench.work.cycles - before >= 257 * CountTable.fileCheck.cycles)
        #expect(bench.uncounted == ["file"])
    }

    @Test func `work without a count is named, once each`() throws {
        let bench = try connected()
        #expect(bench.uncounted.isEmpty)
        for number in 1...3 as ClosedRange<UInt32> {
            bench.pass(latest: "value", number)
            bench.pass(queued: "queue", number)
            bench.run(for: .seconds(1))
        }
        bench.clear("value")
        bench.run(for: .seconds(1))
        bench.send(.hold(.crown))
        bench.tap(x: 24, y: 150)
        #expect(bench.uncounted == ["button 0", "queue: queued", "value: cleared", "value: value"])
    }

    @Test func `a message takes what was counted of it, once each time`() throws {
        let count = CodeCount(instructions: 640_000, cycles: 640_000)
        let (quick, slow) = (try connected(), try connected(counting: ["queue: queued": count]))
        for bench in [quick, slow] {
            for number in 1...5 as ClosedRange<UInt32> { bench.pass(queued: "queue", number) }
            bench.run(for: .seconds(1))
        }
        // A watch that is busy for longer wakes up less often.
        let difference = slow.work.cycles - quick.work.cycles
        #expect((5 * count.cycles - 50_000...5 * count.cycles).contains(difference))
        #expect(slow.uncounted.isEmpty)
    }
}
