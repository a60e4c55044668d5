import HostSystem
import Synchronization
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct SettleTests {
    @Test func `A watch that handles one input in each wait is awaited until it has handled all`() throws {
        let watch = try SlowWatch(handlesAtMost: 5)
        for _ in 0..<5 { watch.send(.press(.crown)) }
        #expect(watch.settle().met?.handled == InputNumber(5))
    }

    @Test func `A watch that handles no more input is given up`() throws {
        let watch = try SlowWatch(handlesAtMost: 3)
        for _ in 0..<5 { watch.send(.press(.crown)) }
        let outcome = watch.settle()
        #expect(outcome.met == nil)
        #expect(outcome.snapshot.handled == InputNumber(3))
    }
}

extension WaitOutcome {
    var met: WatchSnapshot? { if case .met(let snapshot) = self { snapshot } else { nil } }
    var stopped: WatchSnapshot? { if case .stopped(let snapshot) = self { snapshot } else { nil } }
}

/// A watch that handles one input in each call of `wait`. After `most` inputs, the watch handles no more.
private final class SlowWatch: WatchDevice {
    private struct State {
        var snapshot = WatchSnapshot()
        var sent: UInt64 = 0
        var handled: UInt64 = 0
    }

    private let state = Mutex(State())
    private let most: UInt64
    let access: WatchAccess

    init(handlesAtMost most: UInt64) throws {
        self.most = most
        access = WatchAccess(mailbox: try SnapshotMailbox(), inputs: try InputQueue())
    }

    var now: Instant { .start }
    var snapshot: WatchSnapshot { state.withLock { $0.snapshot } }
    var sent: InputNumber { state.withLock { InputNumber($0.sent) } }

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

    func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage { throw .impossible }
    func stop() {}
}
