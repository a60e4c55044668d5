/// Adds up cycles, instruction by instruction, with what one does to the next.
struct CycleCounter: Equatable, Sendable {
    private(set) var cycles: UInt64 = 0
    /// By how many cycles the manual allows fewer, and by how many more.
    private(set) var fewer: UInt64 = 0
    private(set) var more: UInt64 = 0
    private let timing: CoreTiming
    private let shortest = CoreTiming.shortest
    private let longest = CoreTiming.longest
    /// What came before.
    private var length: UInt32 = 4
    private var wasLoad = LoadBefore.no
    private var written: UInt16 = 0

    /// Whether the instruction before was a load that another one may overlap with.
    private enum LoadBefore: Sendable {
        case yes, no
    }

    init(_ timing: CoreTiming) {
        self.timing = timing
    }

    /// Counts an instruction that was executed.
    ///
    /// - Parameters:
    ///   - isTaken: whether it is a branch that was taken.
    ///   - isSplit: whether that one takes two fetches.
    ///   - quotientBits: how many bits the result of a division has.
    @inline(__always)
    mutating func count(
        _ instruction: InstructionTiming, length: UInt32, isTaken: Bool, isSplit: Bool, quotientBits: UInt64
    ) {
        var spent = UInt64(instruction.cycles)
        let isWaiting = instruction.addressed & written != 0
        switch instruction.kind {
        case .plain: break
        case .load: spent = load(isWaiting)
        case .store: if isWaiting { spent &+= stall }
        case .conditional, .direct: if isTaken { spent &+= refill(.direct, isSplit) }
        case .register: spent &+= refill(.register, isSplit)
        case .loaded: spent &+= refill(.loaded, isSplit)
        case .divide:
            spent = between(
                shortest.division(bits: quotientBits), timing.division(bits: quotientBits),
                longest.division(bits: quotientBits))
        // It is folded into a 16-bit instruction before it (section 3.3.2).
        case .ifThen: if self.length == 2 { spent = 0 }
        case .barrier: spent &+= refill(.loaded, false)
        }
        cycles &+= spent
        wasLoad = instruction.kind == .load ? .yes : .no
        written = instruction.written
        self.length = length
    }

    /// Notes what the manual leaves open, and returns what is assumed.
    @inline(__always)
    private mutating func between(_ fewest: UInt64, _ assumed: UInt64, _ most: UInt64) -> UInt64 {
        fewer &+= assumed &- fewest
        // What is assumed may lie above it: the subtraction wraps, and the sum is right again.
        more &+= most &- assumed
        return assumed
    }

    private enum Branch {
        case direct, register, loaded
    }

    /// Cycles that refill the pipeline.
    @inline(__always)
    private mutating func refill(_ branch: Branch, _ isSplit: Bool) -> UInt64 {
        func cycles(_ refill: CoreTiming.Refill) -> UInt64 {
            let target = isSplit ? refill.unalignedTarget : 0
            return switch branch {
            case .direct: refill.direct &+ target
            case .register: refill.register &+ target
            case .loaded: refill.loaded &+ target
            }
        }
        return between(cycles(shortest.refill), cycles(timing.refill), cycles(longest.refill))
    }

    /// Cycles that an access waits for its address.
    @inline(__always)
    private var stall: UInt64 {
        mutating get { between(shortest.addressStall, timing.addressStall, longest.addressStall) }
    }

    /// A load takes two cycles, and one behind another load whose result is not its address.
    @inline(__always)
    private mutating func load(_ isWaiting: Bool) -> UInt64 {
        switch (wasLoad, isWaiting) {
        case (.yes, false): 1
        case (.yes, true), (.no, false): 2
        case (.no, true): 2 &+ stall
        }
    }

    /// Counts an instruction whose condition did not hold.
    mutating func skip(length: UInt32) {
        cycles &+= 1
        (wasLoad, written) = (.no, 0)
        self.length = length
    }
}
