import Testing

@testable import HostSystem

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

    @Test func `A signal of another thread ends a wait without a limit`() throws {
        let signal = ThreadSignal()
        let thread = try SystemThread { signal.signal() }
        signal.wait(microseconds: nil)
        thread.join()
    }

    @Test func `The longest of waits is within what the clock can count`() {
        let signal = ThreadSignal()
        signal.signal()
        signal.wait(microseconds: .max)
    }
}
