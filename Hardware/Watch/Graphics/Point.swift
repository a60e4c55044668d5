/// A pixel: x counts from the panel's left edge, y from its top, both from -32,768 to 32,767. Drawing outside the panel
/// is allowed and clipped.
struct Point: Equatable, Sendable, BitwiseCopyable {
    private let column: Int16
    private let line: Int16

    init(x: Int, y: Int) {
        column = Int16(truncatingIfNeeded: x)
        line = Int16(truncatingIfNeeded: y)
    }

    var x: Int { Int(column) }

    var y: Int { Int(line) }
}
