import DeviceModel
import SampleHandlers
import TapLatency
import Testing
import Watch
import WatchLink

@Test func `What a handler thinks about a message takes as long as on the device`() throws {
    let bench = try WatchBench(counted: 8, handler: ThoughtfulHandler())
    bench.connect()
    for number in 1...4 as ClosedRange<UInt32> { bench.pass(queued: "thoughtful/number", number) }
    bench.run(for: .seconds(2))
    let felt = bench.snapshot.haptics.pulses.map(\.time)
    #expect(felt.count == 4)
    // Two million steps of five instructions each, at 64 MHz: 188 to 250 ms by the manual, the flash's waits, and the way
    // here.
    for (earlier, later) in zip(felt, felt.dropFirst()) {
        let thought = later - earlier
        #expect(thought > .milliseconds(188) && thought < .milliseconds(350), "\(thought)")
    }
    #expect(bench.uncounted.isEmpty)
}

@Test func `A bench without counts says what it takes no time for`() throws {
    let bench = try WatchBench(items: 8, handler: ThoughtfulHandler())
    bench.connect()
    #expect(bench.uncounted.isEmpty)
    bench.pass(queued: "thoughtful/number", 7 as UInt32)
    bench.ask("thoughtful/opinion", 7 as UInt32)
    bench.run(for: .seconds(1))
    #expect(bench.uncounted == ["thoughtful/number: queued", "thoughtful/opinion: asked"])
}
