import DeviceModel

/// How many inputs are with the board: no more than it has room for, so that none is lost.
///
/// The board hears the bench line whenever it looks for input, and between two looks a ring of 256 bytes keeps what comes.
/// Twelve inputs of at most 15 bytes as frames, a question of 9 and a `go` of 23 have room in it; so do twelve in the 32
/// places for inputs that wait.
struct InputFlow {
    /// The most inputs that the board is given before it has handled the first of them.
    static var mostOutstanding: UInt64 { 12 }

    /// Inputs that were given to the board.
    private(set) var sent: UInt64 = 0
    /// The board's count of the inputs that it has handled, as it was last told.
    private var counted: UInt32 = 0
    private var done: UInt64 = 0

    /// The newest input that the board has handled.
    var handled: InputNumber { InputNumber(done) }

    /// Whether the board may be given another one.
    var hasRoom: Bool { sent - done < InputFlow.mostOutstanding }

    /// Notes that the board was given one.
    mutating func send() {
        sent += 1
    }

    /// Notes the board's count, which wraps at 2^32. What it cannot have handled it has not.
    ///
    /// - Returns: the inputs that it has handled since the last count, nil for none.
    @discardableResult mutating func handle(_ count: UInt32) -> ClosedRange<InputNumber>? {
        let more = UInt64(count &- counted)
        guard more > 0, more <= sent - done else { return nil }
        counted = count
        done += more
        return InputNumber(done - more + 1)...InputNumber(done)
    }
}
