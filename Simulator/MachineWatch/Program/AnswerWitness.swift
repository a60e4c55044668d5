import CortexM

/// Sees how the calls of a program are answered, in the order in which it makes them. The copy of the program that describes the
/// screen is not seen.
package protocol AnswerWitness: Sendable {
    /// A call was answered.
    ///
    /// - Parameters:
    ///   - before: the processor at the breakpoint of the call.
    ///   - after: the same behind it, with what the answer has put into its registers and its memory.
    func answered(_ before: CortexM4, _ after: CortexM4)
}
