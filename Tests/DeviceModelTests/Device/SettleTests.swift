import HostSystem
import Synchronization
import Testing
import Watch
import WatchLink

@testable import DeviceModel

/// A wait for earlier inputs ends if the watch handles none of them, not because it handles them slowly.
@Suite struct SettleTests {
    @Test func `A watch that handles one input in each wait is awaited until it has handled all`() throws {
        let watch = try SlowWatch(handlesAtMost: 5)
        for _ in 0..<5 { watch.send(.press(.crown)) }
        #expect(watch.settle().handledIfMet == InputNumber(5))
    }

    @Test func `A watch that handles no more input is given up`() throws {
        let watch = try SlowWatch(handlesAtMost: 3)
        for _ in 0..<5 { watch.send(.press(.crown)) }
        let outcome = watch.settle()
        #expect(outcome.handledIfMet == nil)
        #expect(outcome.snapshot.handled == InputNumber(3))
    }
}

extension WaitOutcome {
    fileprivate var handledIfMet: InputNumber? {
        switch self {
        case .met(let snapshot): snapshot.handled
        case .timedOut, .stopped: nil
        }
    }
}

/// A watch that handles one input while a wait for it lasts, which then times out.
private final class SlowWatch: WatchDevice {
    private struct State {
        var snapshot = WatchSnapshot()
        var sent: UInt64 = 0
        var handled: UInt64 = 0
    }

    private let state = Mutex(State())
    private let most: UInt64
    let changes: EventDescriptor

    init(handlesAtMost most: UInt64) throws {
        self.most = most
        changes = try EventDescriptor()
    }

    var now: Instant { .start }
    var snapshot: WatchSnapshot { state.withLock { $0.snapshot } }
    var sent: InputNumber { state.withLock { InputNumber($0.sent) } }
    var faults: FaultSwitches? { nil }

    @discardableResult func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber {
        state.withLock {
            $0.sent += 1
            return InputNumber($0.sent)
        }
    }

    func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        let snapshot = state.withLock { state -> WatchSnapshot in
            state.handled = min(state.handled + 1, most)
            state.snapshot.handled = InputNumber(state.handled)
            return state.snapshot
        }
        return condition(snapshot) ? .met(snapshot) : .timedOut(snapshot)
    }

    func stop() {}
}
