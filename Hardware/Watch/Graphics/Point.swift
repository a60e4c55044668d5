/// A pixel's place: x counts from the panel's left edge, y from its top. Points outside the panel are allowed everywhere;
/// what is drawn there is clipped away.
public struct Point: Equatable, Sendable, BitwiseCopyable {
    private let column: Int16
    private let line: Int16

    /// The pixel in column `x` of line `y`, both between -32,768 and 32,767.
    public init(x: Int, y: Int) {
        column = Int16(truncatingIfNeeded: x)
        line = Int16(truncatingIfNeeded: y)
    }

    /// Pixels from the left edge.
    public var x: Int { Int(column) }

    /// Lines from the top.
    public var y: Int { Int(line) }
}
