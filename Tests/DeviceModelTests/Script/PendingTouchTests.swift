import Testing
import Watch
import WatchLink

@testable import DeviceModel

/// Where a board says only of several inputs together how many taps they have begun.
@Suite struct PendingTouchTests {
    /// Line by line: a tap without and with something in its way, or a touch of anything.
    private enum Kind {
        case tap, blockedTap, anything
    }

    /// The line that is named for touches that the board took together, of which it began so many taps.
    private func line(_ kinds: [Kind], taps: Int, handled: Int? = nil) -> Int? {
        var snapshot = WatchSnapshot()
        snapshot.handled = InputNumber(UInt64(handled ?? kinds.count))
        let all = InputNumber(1)...InputNumber(UInt64(kinds.count))
        for _ in 0..<taps { snapshot.output.beginTap(oneOf: all) }
        let touches = kinds.enumerated().map { index, kind in
            let aim: PendingTouch.Aim =
                switch kind {
                case .tap: .row(1, obstacle: nil)
                case .blockedTap: .row(2, obstacle: "no row there")
                case .anything: .anything
                }
            return PendingTouch(
                aim: aim, place: ScriptPlace(file: "s", line: index + 1), input: InputNumber(UInt64(index + 1)))
        }
        return PendingTouch.miss(among: touches, in: snapshot)?.line
    }

    @Test func `As many taps as touches miss nothing`() {
        #expect(line([.tap, .blockedTap, .anything], taps: 3) == nil)
    }

    @Test func `One that had something in its way is named before the others`() {
        #expect(line([.tap, .blockedTap, .tap], taps: 2) == 2)
        #expect(line([.tap, .blockedTap, .blockedTap], taps: 2) == 3)
        #expect(line([.tap, .tap, .tap], taps: 2) == 3)
        #expect(line([.tap, .tap], taps: 0) == 1)
    }

    @Test func `One that may miss has missed before one that must not`() {
        #expect(line([.tap, .anything, .tap], taps: 2) == nil)
        #expect(line([.tap, .anything, .tap], taps: 1) == 3)
        #expect(line([.anything], taps: 0) == nil)
    }

    @Test func `Nothing is said before all are handled`() {
        #expect(line([.tap, .tap], taps: 0, handled: 1) == nil)
    }
}
