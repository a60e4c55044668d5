extension CortexM4 {
    /// Why a run has ended.
    package enum Pause: Equatable, Sendable {
        /// The next instruction is the one that it was to go on to.
        case arrived
        /// So many instructions were executed.
        case limit
    }

    /// Executes instructions, at least one.
    ///
    /// - Parameters:
    ///   - limit: the most that are executed since the first instruction of all.
    ///   - end: the address to stop at.
    @inline(__always)
    package mutating func run<Observer: FlowObserver>(
        upTo limit: UInt64, until end: UInt32, _ observer: inout Observer
    ) throws(Trap) -> Pause {
        repeat {
            let address = next
            if try step() == .branched {
                observer.moved(flow(from: address), cycles: cycles, instructions: instructions)
            }
            if next == end { return .arrived }
        } while instructions < limit
        return .limit
    }

    /// The branch at an address, which was executed just now. It was a call if the link register has the address behind it: for any
    /// other branch there the instruction that has set the register would overlap with it.
    @inline(__always)
    private func flow(from address: UInt32) -> Flow {
        let link = registers[14]
        let isCall = link == address &+ 4 | 1 || link == address &+ 2 | 1
        return Flow(kind: isCall ? .call(returnAddress: link & ~1) : .jump, target: next)
    }

    /// A register: 13 is the stack pointer, 14 the link register.
    package func register(_ number: UInt8) -> UInt32 { registers[number] }

    /// A byte of memory; nil where there is none.
    package func byte(at address: UInt32) -> UInt8? { try? memory.load(address, as: UInt8.self) }

    /// A word of memory; nil where there is none.
    package func word(at address: UInt32) -> UInt32? { try? memory.load(address, as: UInt32.self) }

    /// Bytes of RAM or flash; nil where some of them are in neither.
    package func bytes(at address: UInt32, count: Int) -> ArraySlice<UInt8>? {
        memory.bytes(at: address, count: count)
    }

    /// Writes bytes to RAM; returns whether all of them have room there.
    package mutating func write(_ bytes: some Collection<UInt8>, at address: UInt32) -> Bool {
        memory.write(bytes, at: address)
    }

    /// Writes words to RAM, lowest byte first; returns whether all of them have room there.
    package mutating func write(words: [UInt32], at address: UInt32) -> Bool {
        memory.write(
            words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word &>> (8 * $0)) } }, at: address)
    }

    /// Goes on behind the breakpoint that it stands at, with this in register 0. That takes no time.
    package mutating func answerBreakpoint(_ result: UInt32) {
        registers[0] = result
        next &+= 2
    }

    /// Goes on behind the short instruction that waits, at which it stands.
    package mutating func wake() {
        next &+= 2
    }
}
