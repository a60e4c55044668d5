/// Adds up cycles, instruction by instruction, with what one does to the next.
struct CycleCounter: Equatable, Sendable {
    private(set) var cycles: UInt64 = 0
    private let timing: CoreTiming
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
        let target = isSplit ? timing.refill.unalignedTarget : 0
        let isWaiting = instruction.addressed & written != 0
        switch instruction.kind {
        case .plain: break
        case .load: spent = load(isWaiting)
        case .store: if isWaiting { spent &+= timing.addressStall }
        case .conditional, .direct: if isTaken { spent &+= timing.refill.direct &+ target }
        case .register: spent &+= timing.refill.register &+ target
        case .loaded: spent &+= timing.refill.loaded &+ target
        case .divide: spent = timing.division(bits: quotientBits)
        // It is folded into a 16-bit instruction before it (section 3.3.2).
        case .ifThen: if self.length == 2 { spent = 0 }
        case .barrier: spent &+= timing.refill.loaded
        }
        cycles &+= spent
        wasLoad = instruction.kind == .load ? .yes : .no
        written = instruction.written
        self.length = length
    }

    /// A load takes two cycles, and one behind another load whose result is not its address.
    @inline(__always)
    private func load(_ isWaiting: Bool) -> UInt64 {
        switch (wasLoad, isWaiting) {
        case (.yes, false): 1
        case (.yes, true), (.no, false): 2
        case (.no, true): 2 &+ timing.addressStall
        }
    }

    /// Counts an instruction whose condition did not hold.
    mutating func skip(length: UInt32) {
        cycles &+= 1
        (wasLoad, written) = (.no, 0)
        self.length = length
    }
}
