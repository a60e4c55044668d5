/// Where the cycles from a touch to the last pixel of its update go. Each cycle counts for one `Kind`. While the core runs,
/// cycles count for `processor`. While the core sleeps, they count for SPI if SPI is active, otherwise for I2C if I2C is
/// active, otherwise for the radio if the radio is active, and otherwise for `tick` or `other`.
package struct TapTime: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case processor
        case spi = "SPI"
        case twi = "I2C"
        case radio
        /// The core sleeps, SPI, I2C and radio are idle, and an RTC or SysTick has an event scheduled.
        case tick = "waiting for a tick"
        /// The core sleeps, SPI, I2C and radio are idle, and neither an RTC nor SysTick has an event scheduled.
        case other = "waiting"
    }

    private var cycles: [Kind: UInt64] = [:]

    package private(set) subscript(kind: Kind) -> UInt64 {
        get { cycles[kind, default: 0] }
        set { cycles[kind] = newValue }
    }
}

extension TapTime {
    /// - Parameter ticks: whether an RTC or SysTick has an event scheduled. If true, sleep with idle buses and radio counts as
    ///   `.tick`, otherwise as `.other`.
    init(_ span: Range<UInt64>, _ sleeps: [Range<UInt64>], _ work: [BusWork], ticks: Bool) {
        self[.processor] = UInt64(span.count)
        for sleep in sleeps {
            let asleep = sleep.clamped(to: span)
            self[.processor] -= UInt64(asleep.count)
            var free = [asleep]
            for (kind, bus) in [(Kind.spi, BusWork.Kind.spi), (.twi, .twi), (.radio, .radio)] {
                for busy in work where busy.kind == bus && busy.span.overlaps(asleep) {
                    free = free.flatMap { part in
                        guard part.overlaps(busy.span) else { return [part] }
                        let shared = part.clamped(to: busy.span)
                        self[kind] += UInt64(shared.count)
                        return [part.lowerBound..<shared.lowerBound, shared.upperBound..<part.upperBound]
                            .filter { !$0.isEmpty }
                    }
                }
            }
            self[ticks ? .tick : .other] += free.reduce(0) { $0 + UInt64($1.count) }
        }
    }
}

/// Records a machine's call stack and the times at which the core sleeps.
struct TapRecorder: FlowObserver {
    private(set) var stack: CallStack
    private(set) var sleeps: [Range<UInt64>] = []

    init(_ functions: FunctionTable, of core: CortexM4) {
        stack = CallStack(functions, of: core)
    }

    mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64) {
        stack.moved(flow, cycles: cycles, instructions: instructions)
    }

    mutating func entered(
        _ exception: Int, at handler: UInt32, isChained: Bool, frame: UInt32, cycles: UInt64, instructions: UInt64
    ) {
        stack.entered(
            exception, at: handler, isChained: isChained, frame: frame, cycles: cycles, instructions: instructions)
    }

    mutating func returned(to address: UInt32, frame: UInt32, cycles: UInt64, instructions: UInt64) {
        stack.returned(to: address, frame: frame, cycles: cycles, instructions: instructions)
    }

    mutating func slept(_ asleep: UInt64, cycles: UInt64) {
        stack.slept(asleep, cycles: cycles)
        sleeps.append(cycles - asleep..<cycles)
    }

    mutating func tree(_ core: CortexM4) -> CallTree {
        stack.settle(core.spent)
        return stack.tree
    }
}

struct SleepWatch: FlowObserver {
    private(set) var start: UInt64?

    mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64) {}

    mutating func slept(_ asleep: UInt64, cycles: UInt64) {
        if start == nil { start = cycles - asleep }
    }
}
