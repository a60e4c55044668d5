/// WDT: resets the chip if the program does not write the reload value in time. It counts the 32,768 Hz clock.
///
/// Source: nRF52832 Product Specification v1.4, chapter 40 (WDT).
package struct Watchdog: Peripheral {
    package struct Feeding: Equatable, Sendable {
        package let cycle: UInt64
        package let programCounter: UInt32
    }

    private enum State: Sendable {
        case stopped
        /// The watchdog runs. Its counter reaches 0 in tick `timeout` of the 32,768 Hz clock.
        case counting(timeout: UInt64)
        /// The event TIMEOUT has occurred. The reset follows at this tick.
        case expired(reset: UInt64)
        case elapsed
    }

    private static let reload: UInt32 = 0x6E52_4635
    private var events = EventRegisters(base: 0x4001_0000)
    private var ticks: UInt32 = .max
    private var enabledRequests: UInt32 = 1
    private var openRequests: UInt32 = 0
    private var configuration: UInt32 = 1
    private var state = State.stopped
    /// The last feeding since the watchdog was started; nil if there was none.
    package private(set) var lastFeeding: Feeding?
    var isInterrupting: Bool { events.isInterrupting }

    var due: UInt64 {
        switch state {
        case .stopped, .elapsed: .max
        case .counting(let tick), .expired(let tick): LowFrequencyClock.cycle(ofTick: tick)
        }
    }

    var resets: Bool { if case .elapsed = state { true } else { false } }

    private var isRunning: Bool { if case .stopped = state { false } else { true } }

    private mutating func restart(_ cycle: UInt64) {
        openRequests = enabledRequests
        // The time-out is (CRV + 1) / 32,768 seconds.
        state = .counting(timeout: LowFrequencyClock.tick(at: cycle) &+ UInt64(ticks) &+ 1)
    }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {
        switch state {
        case .stopped, .elapsed: break
        case .counting(let tick):
            // The reset follows two periods of the clock after TIMEOUT.
            state = .expired(reset: tick &+ 2)
            events.raise(0, &signals)
        case .expired: state = .elapsed
        }
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x000: 0
        case 0x400: isRunning ? 1 : 0
        case 0x404: openRequests
        case 0x504: ticks
        case 0x508: enabledRequests
        case 0x50C: configuration
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        switch offset {
        case 0x000: if word & 1 != 0, !isRunning { restart(signals.now) }
        // The configuration is locked while the watchdog runs.
        case 0x504: if !isRunning { ticks = max(word, 15) }
        case 0x508: if !isRunning { enabledRequests = word & 0xFF }
        case 0x50C:
            if !isRunning { configuration = word & 9 }
            // A counter that pauses while the core sleeps is not modelled.
            return word & 1 != 0
        case 0x600..<0x620: if word == Watchdog.reload { feed((offset &- 0x600) / 4, signals) }
        case _: return events.write(word, to: offset)
        }
        return true
    }

    private mutating func feed(_ register: UInt32, _ signals: Signals) {
        guard case .counting = state else { return }
        openRequests &= ~(1 &<< register)
        guard openRequests == 0 else { return }
        lastFeeding = Feeding(cycle: signals.now, programCounter: signals.programCounter)
        restart(signals.now)
    }
}
