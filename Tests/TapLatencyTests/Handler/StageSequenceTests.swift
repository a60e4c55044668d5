import TapLatency
import Testing
import Watch

@Suite struct StageSequenceTests {
    private struct Own: TapHandler {
        var deferredCount: Int { 0 }
        func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
        func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    @Test func `A composed handler tells its stages and their places`() throws {
        let sequence = try #require(StageSequence(of: ShippingHandler()))
        #expect(
            sequence.stages.map(\.name).prefix(4) == [
                "list model", "strike-through", "row removal", "message to the phone",
            ])
        #expect(sequence.stages.map(\.placement).prefix(4) == [.immediate, .immediate, .immediate, .deferred])
        #expect(sequence.deferredCount == ShippingHandler().deferredCount)
    }

    @Test func `A handler and the sequence of its stages take the same`() throws {
        let sequence = try #require(StageSequence(of: LegacyHandler()))
        let one = try measure(LegacyHandler(), taps: 3, name: "legacy")
        #expect(try measure(sequence, taps: 3, name: "legacy") == one)
    }

    @Test func `A handler that is not composed is measured as one, and cannot be taken apart`() throws {
        #expect(StageSequence(of: Own()) == nil)
        #expect(try measure(Own(), taps: 2).marks.updated?.count == 2)
        #expect(throws: TapLatencyError.notComposed(handler: "own")) { try examine(Own()) }
    }

    @Test func `A count for a stage that does not exist is refused in one line`() {
        let error = #expect(throws: TapLatencyError.self) {
            try measure(StageSequence([.immediate(Haptic.self)]), taps: 1, instructions: ["hapic": 5])
        }
        #expect(error?.description == "no stage is called 'hapic'; there is haptic")
    }
}
