import Watch

/// Which inputs have begun a tap on a row.
package struct BegunTaps: Sendable, Equatable {
    /// The most taps that are kept: the older ones go.
    static let capacity = 256

    /// The inputs with which a tap came, of which it is known only together which of them began it.
    private var inputs: [ClosedRange<InputNumber>] = []

    /// No taps.
    package init() {}

    /// Enters a tap that one of these inputs began.
    package mutating func enter(oneOf together: ClosedRange<InputNumber>) {
        inputs.append(together)
        if inputs.count > BegunTaps.capacity { inputs.removeFirst() }
    }

    /// The inputs that cannot be told from this one, and how many taps they have begun together.
    func inputs(with input: InputNumber) -> (inputs: ClosedRange<InputNumber>, taps: Int) {
        guard let together = inputs.last(where: { $0.contains(input) }) else { return (input...input, 0) }
        return (together, inputs.count { $0 == together })
    }
}
