import TapLatency
import TapLatencyTesting
import Testing
import Watch
import WatchLink

@Suite struct ExpectWithinTests {
    /// Counts ten million instructions.
    private struct Counting: CountedStage {
        static var name: StaticString { "counting" }
        static var instructions: Int { 10_000_000 }
        static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    private struct Careless: ComposedTapHandler {
        var stages: some TapHandler {
            Immediate(Counting.self)
            ShippingHandler()
        }
    }

    @Test func `A budget that is kept is a line in a test`() {
        expect(ShippingHandler(), .updated, within: .milliseconds(8), taps: 10)
    }

    @Test func `A budget that is not kept fails the test with the stage that broke it`() {
        withKnownIssue {
            _ = expect(Careless(), .updated, within: .milliseconds(8), taps: 3)
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("stage 'counting' takes 234 ms of it, 100 % CPU") }
        }
    }
}
