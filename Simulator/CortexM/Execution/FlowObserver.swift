/// A change of the flow: the next instruction is not the one behind the last.
package struct Flow: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// A branch with link: where the function returns to.
        case call(returnAddress: UInt32)
        /// Any other branch.
        case jump
    }

    package let kind: Kind
    /// The address of the next instruction.
    package let target: UInt32
}

/// Hears of the flow of a program.
package protocol FlowObserver {
    /// - Parameters:
    ///   - cycles: those of the processor, the branch's included.
    ///   - instructions: those of the processor, the branch included.
    mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64)
}

/// Hears nothing.
package struct NoObserver: FlowObserver {
    package init() {}

    @inline(__always)
    package mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64) {}
}
