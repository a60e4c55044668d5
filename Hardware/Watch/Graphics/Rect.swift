/// The pixels with `left <= x < right` and `top <= y < bottom`. Edges are from -32,768 to 32,767, so that a rectangle takes
/// eight bytes.
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

/// The position of a pixel: x to the right of the panel's left edge, y below its top edge. Both are from -32,768 to 32,767.
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

struct Sweep: Equatable, Sendable, BitwiseCopyable {
    /// The angle of the arc's end, clockwise from 12 o'clock, in 1024ths of a turn.
    private let turns: Int
    /// The vector (x, y) points from the centre to the arc's end, with x to the right and y down. Its length is `unit`
    /// within 0.2 %.
    let x: Int
    let y: Int

    static var unit: Int { 1_024 }

    static var full: Sweep { Sweep(1, of: 1) }

    /// Makes an arc of `amount / whole` of a turn, at most a full turn. If `whole` is 0, the arc is a full turn.
    init(_ amount: UInt32, of whole: UInt32) {
        // Both numbers are reduced below 2^16, so that 1,024 times `amount` fits into 32 bits.
        var part = min(amount, whole)
        var all = max(whole, 1)
        while all > 0xFFFF {
            part /= 2
            all /= 2
        }
        turns = whole == 0 ? 1_024 : Int(part * 1_024 / all)
        x = Sweep.sine(turns)
        y = -Sweep.sine((turns + 256) % 1_024)
    }

    var isFull: Bool { turns == 1_024 }

    var isNone: Bool { turns == 0 }

    /// Whether the arc has a point in the direction (x, y) from the centre.
    func contains(x otherX: Int, y otherY: Int) -> Bool {
        // The direction is before the arc's end, clockwise, if their cross product is not positive.
        let isBefore = x * otherY - y * otherX <= 0
        return turns <= 512 ? otherX >= 0 && isBefore && turns > 0 : otherX >= 0 || isBefore
    }

    /// `unit` times the sine of an angle in 1024ths of a turn. Bhaskara's approximation is at most 0.2 % off: less than a pixel
    /// on any ring that fits on the panel.
    private static func sine(_ angle: Int) -> Int {
        let half = angle % 512
        // An Int has 32 bits on the device. The product is below 2^31 for every angle.
        let product = half * (512 - half)
        let sine = 16 * product * unit / (5 * 512 * 512 - 4 * product)
        return angle % 1_024 < 512 ? sine : -sine
    }
}
