import Synchronization
import Testing

@testable import HostSystem

@Suite(.timeLimit(.minutes(60))) struct WaitableStateTests {
    private struct Refusal: Error {}

    @Test func `Each of several waiting tasks gets one value`() async {
        let state = WaitableState([Int]())
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 { group.addTask { await state.wait { numbers in numbers.popLast() } } }
            for number in 0..<20 { state.change { $0.append(number) } }
            var taken: Set<Int> = []
            for await number in group { taken.insert(number ?? -1) }
            #expect(taken == Set(0..<20))
        }
    }

    @Test func `A task that takes a value wakes those that wait for room`() async {
        let state = WaitableState([1])
        async let put: Void? = state.wait { numbers in
            guard numbers.isEmpty else { return nil }
            numbers.append(2)
            return ()
        }
        #expect(await state.wait { numbers in numbers.first == 1 ? numbers.removeFirst() : nil } == 1)
        #expect(await put != nil)
        #expect(state.value == [2])
    }

    @Test func `A wait ends with the cancellation of its task`() async {
        let state = WaitableState(0)
        let waiting = Task { await state.wait { $0 == 1 ? true : nil } }
        waiting.cancel()
        #expect(await waiting.value == nil)
    }

    @Test func `A wait that must not be cut short outlasts the cancellation of its task`() async {
        let state = WaitableState(0)
        let order = Mutex<[String]>([])
        let waiting = Task {
            await state.waitEvenIfCancelled { $0 == 1 }
            order.withLock { $0.append("returned") }
        }
        waiting.cancel()
        order.withLock { $0.append("changed") }
        state.change { $0 = 1 }
        await waiting.value
        #expect(order.withLock { $0 } == ["changed", "returned"])
    }

    @Test func `An error of the condition ends the wait`() async {
        let state = WaitableState(0)
        let waiting = Task {
            try await state.wait { number throws(Refusal) -> Bool? in
                guard number == 0 else { throw Refusal() }
                return nil
            }
        }
        state.change { $0 = 1 }
        await #expect(throws: Refusal.self) { _ = try await waiting.value }
    }

    @Test func `A blocked thread goes on when the state is what it needs`() async throws {
        let state = WaitableState(0)
        async let seen = SystemThread.result {
            state.block { number in number == 3 ? .finish(number) : .wait(microseconds: nil) }
        }
        for _ in 1...3 { state.change { $0 += 1 } }
        #expect(try await seen == 3)
    }

    @Test func `A blocked thread looks again when its time is over`() {
        var looks = 0
        let state = WaitableState(())
        state.block { _ in
            looks += 1
            return looks == 2 ? .finish(()) : .wait(microseconds: 1_000)
        }
        #expect(looks == 2)
    }
}

@Suite(.timeLimit(.minutes(60))) struct ThreadSignalTests {
    @Test func `A wait without a signal ends when its time is over, and no sooner`() {
        let signal = ThreadSignal()
        let clock = ContinuousClock()
        for limit: UInt64 in [0, 1, 999, 20_000] {
            let length = clock.measure { signal.wait(microseconds: limit) }
            #expect(length >= .microseconds(Int64(limit)))
        }
    }

    @Test func `A signal ends the next wait, and only that`() {
        let signal = ThreadSignal()
        signal.signal()
        signal.signal()
        signal.wait(microseconds: nil)
        let length = ContinuousClock().measure { signal.wait(microseconds: 20_000) }
        #expect(length >= .milliseconds(20))
    }

    @Test func `The longest of waits is within what the clock can count`() {
        let signal = ThreadSignal()
        signal.signal()
        signal.wait(microseconds: .max)
    }
}
