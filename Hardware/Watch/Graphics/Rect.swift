/// The pixels with `left <= x < right` and `top <= y < bottom`, none where either range is empty.
///
/// Edges are from -32,768 to 32,767, in eight bytes, because areas are passed often.
struct Rect: Equatable, Sendable, BitwiseCopyable {
    private let edges: (left: Int16, top: Int16, right: Int16, bottom: Int16)

    init(x: Int, y: Int, width: Int, height: Int) {
        self.init(left: x, top: y, right: x &+ width, bottom: y &+ height)
    }

    init(left: Int, top: Int, right: Int, bottom: Int) {
        edges = (
            Int16(truncatingIfNeeded: left), Int16(truncatingIfNeeded: top), Int16(truncatingIfNeeded: right),
            Int16(truncatingIfNeeded: bottom)
        )
    }

    var left: Int { Int(edges.left) }

    var top: Int { Int(edges.top) }

    var right: Int { Int(edges.right) }

    var bottom: Int { Int(edges.bottom) }

    static var panel: Rect {
        Rect(x: 0, y: 0, width: PanelGeometry.width, height: PanelGeometry.height)
    }

    var width: Int { max(0, right &- left) }

    var height: Int { max(0, bottom &- top) }

    var isEmpty: Bool { left >= right || top >= bottom }

    func intersection(_ other: Rect) -> Rect {
        Rect(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }

    func contains(x: Int, y: Int) -> Bool {
        x >= left && x < right && y >= top && y < bottom
    }

    static func == (left: Rect, right: Rect) -> Bool {
        left.edges == right.edges
    }
}
