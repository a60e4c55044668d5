/// An area of pixels: those with `left <= x < right` and `top <= y < bottom`. Empty when either range is.
///
/// Edges lie between -32,768 and 32,767. Eight bytes, since areas are passed around a lot.
public struct Rect: Equatable, Sendable, BitwiseCopyable {
    private let edges: (left: Int16, top: Int16, right: Int16, bottom: Int16)

    /// The area of `width` x `height` pixels whose top left pixel is (x, y).
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.init(left: x, top: y, right: x &+ width, bottom: y &+ height)
    }

    /// The area between two columns and two lines; `right` and `bottom` are the first ones outside.
    public init(left: Int, top: Int, right: Int, bottom: Int) {
        edges = (
            Int16(truncatingIfNeeded: left), Int16(truncatingIfNeeded: top), Int16(truncatingIfNeeded: right),
            Int16(truncatingIfNeeded: bottom)
        )
    }

    /// The first column inside.
    public var left: Int { Int(edges.left) }

    /// The first line inside.
    public var top: Int { Int(edges.top) }

    /// The first column to the right of it.
    public var right: Int { Int(edges.right) }

    /// The first line below it.
    public var bottom: Int { Int(edges.bottom) }

    /// The whole panel.
    public static var panel: Rect {
        Rect(x: 0, y: 0, width: PanelGeometry.width, height: PanelGeometry.height)
    }

    /// Columns inside, never negative.
    public var width: Int { max(0, right &- left) }

    /// Lines inside, never negative.
    public var height: Int { max(0, bottom &- top) }

    /// Whether no pixel is inside.
    public var isEmpty: Bool { left >= right || top >= bottom }

    /// The pixels that are inside both.
    public func intersection(_ other: Rect) -> Rect {
        Rect(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }

    /// Whether the pixel in column `x` of line `y` is inside.
    public func contains(x: Int, y: Int) -> Bool {
        x >= left && x < right && y >= top && y < bottom
    }

    /// Whether both have the same edges.
    public static func == (left: Rect, right: Rect) -> Bool {
        left.edges == right.edges
    }
}
