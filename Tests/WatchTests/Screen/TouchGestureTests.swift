import DeviceModel
import Testing
import WatchLink

@testable import Watch

struct TouchGestureTests {
    /// `TouchGesture.Action` in a form that tests can compare.
    private enum Said: Equatable {
        case nothing, tapRow(UInt32), tap(fromY: Int16, toY: Int16), longPress(UInt32), drag(Int), swipe(Int)

        init(_ action: TouchGesture.Action?) {
            self =
                switch action {
                case nil, .nothing: .nothing
                case .tapRow(let target): .tapRow(target.item.rawValue)
                case .tap(let press, let lift): .tap(fromY: press.place.y, toY: lift.y)
                case .longPress(let item): .longPress(item.rawValue)
                case .drag(let rows): .drag(rows)
                case .swipe(let step): .swipe(step)
                }
        }
    }

    private struct Finger {
        var gesture = TouchGesture()
        var time = Instant.start + .seconds(1)

        init(x: Int16 = 70, y: Int16, on item: UInt32? = 7) {
            press(x: x, y: y, on: item)
        }

        mutating func press(x: Int16 = 70, y: Int16, on item: UInt32?) {
            let target = item.map { TouchTargets.Target(item: ItemID($0), row: 0) }
            gesture.press(at: TouchGesture.Place(x: x, y: y), on: target, at: time)
        }

        mutating func move(x: Int16 = 70, y: Int16, after length: Microseconds = .milliseconds(10)) -> Said {
            time = time + length
            return Said(gesture.move(to: TouchGesture.Place(x: x, y: y), at: time))
        }

        mutating func lift(x: Int16 = 70, y: Int16, after length: Microseconds = .milliseconds(10)) -> Said {
            time = time + length
            return Said(gesture.lift(at: TouchGesture.Place(x: x, y: y), at: time))
        }

        mutating func rest(_ length: Microseconds) -> Said {
            time = time + length
            return Said(gesture.expire(at: time))
        }
    }

    private let top = Int16(RowGeometry.rowTop(1))

    @Test func `a lift within the row on which the finger came down is a tap, and the next lift is none`() {
        for (down, up) in [(12, 12), (0, 0), (12, 20), (12, 4), (20, 23), (4, 0)] as [(Int16, Int16)] {
            var finger = Finger(y: top + down)
            #expect(finger.lift(y: top + up) == .tapRow(7), "\(down) \(up)")
            #expect(finger.lift(y: top + up) == .nothing)
        }
        var sideways = Finger(x: 20, y: top)
        #expect(sideways.move(x: 50, y: top + 3) == .nothing)
        #expect(sideways.lift(x: 55, y: top + 3) == .tapRow(7))
    }

    @Test func `a lift in another row, or beside the panel, is nothing`() {
        for (down, up) in [(2, -1), (0, -8), (23, 24), (20, 28)] as [(Int16, Int16)] {
            var finger = Finger(y: top + down)
            #expect(finger.lift(y: top + up) == .nothing, "\(down) \(up)")
        }
        for (down, up) in [(2, -1), (142, 144)] as [(Int16, Int16)] {
            var finger = Finger(x: down, y: top)
            #expect(finger.lift(x: up, y: top) == .nothing)
        }
    }

    @Test func `a finger that has moved more than the slop up or down drags, and taps nothing even where it came down`()
    {
        for step in [-9, 9] as [Int16] {
            var finger = Finger(y: top + 12)
            #expect(finger.move(y: top + 12 + step) == .nothing)
            #expect(finger.lift(y: top + 12) == .nothing)
            // The same, if the touch controller reports no move between touch and lift.
            var quick = Finger(y: top + 12)
            #expect(quick.lift(y: top + 12 + step) == .nothing)
        }
    }

    @Test func `the content follows the finger by whole rows, and a trembling finger turns none back and forth`() {
        var finger = Finger(y: 140)
        #expect(finger.move(y: 117) == .nothing)
        #expect(finger.move(y: 116) == .drag(1))
        for y in [115, 117, 114, 118, 116] as [Int16] { #expect(finger.move(y: y) == .nothing) }
        #expect(finger.move(y: 60) == .drag(2))
        #expect(finger.move(y: 140) == .drag(-3))
        #expect(finger.lift(y: 164) == .drag(-1))
        #expect(finger.move(y: 10) == .nothing)
    }

    @Test func `a finger that rests for 500 ms is a long press, and its lift is nothing`() {
        var finger = Finger(y: top + 4)
        #expect(finger.gesture.deadline == finger.time + .milliseconds(500))
        #expect(finger.move(x: 78, y: top, after: .milliseconds(100)) == .nothing)
        #expect(finger.rest(.milliseconds(399)) == .nothing)
        #expect(finger.rest(.milliseconds(1)) == .longPress(7))
        #expect(finger.gesture.deadline == nil)
        #expect(finger.rest(.seconds(1)) == .nothing)
        #expect(finger.move(y: top + 100) == .nothing)
        #expect(finger.lift(y: top + 4) == .nothing)
    }

    @Test func `a lift that the watch hears of too late is what it was when it happened`() {
        var soon = Finger(y: top)
        #expect(soon.lift(y: top, after: .milliseconds(499)) == .tapRow(7))
        var late = Finger(y: top)
        #expect(late.lift(y: top, after: .milliseconds(500)) == .longPress(7))
        #expect(late.lift(y: top) == .nothing)
    }

    @Test func `a finger that has wandered sideways, or is on no row, is no long press`() {
        var sideways = Finger(y: top)
        #expect(sideways.move(x: 79, y: top) == .nothing)
        #expect(sideways.gesture.deadline == nil)
        #expect(sideways.rest(.seconds(1)) == .nothing)
        #expect(sideways.lift(x: 70, y: top) == .tapRow(7))
        var title = Finger(y: 4, on: nil)
        #expect(title.gesture.deadline == nil)
        #expect(title.rest(.seconds(1)) == .nothing)
        #expect(title.lift(y: 6) == .tap(fromY: 4, toY: 6))
    }

    @Test func `a quarter of the panel sideways is a swipe, once for each touch`() {
        for (x, step) in [(34, 1), (106, -1)] as [(Int16, Int)] {
            var finger = Finger(y: 80, on: nil)
            #expect(finger.move(x: x - Int16(step) * -1, y: 80) == .nothing)
            #expect(finger.move(x: x, y: 90) == .swipe(step))
            #expect(finger.move(x: 70 + (x - 70) * 2, y: 80) == .nothing)
            #expect(finger.lift(x: 70, y: 80) == .nothing)
            var quick = Finger(y: 80)
            #expect(quick.lift(x: x, y: 80) == .swipe(step))
        }
    }

    @Test func `what moves more sideways than up is no drag, and the other way round no swipe`() {
        var flat = Finger(x: 10, y: 80)
        #expect(flat.move(x: 25, y: 94) == .nothing)
        #expect(flat.move(x: 60, y: 100) == .swipe(-1))
        var steep = Finger(x: 10, y: 80)
        #expect(steep.move(x: 22, y: 92) == .nothing)
        #expect(steep.move(x: 60, y: 104) == .drag(-1))
    }

    /// Compares `liftForTap`, the short path for the usual tap, with `lift`, the complete one.
    @Test(arguments: [UInt64.random(in: 0...(.max)), 1])
    func `a lift that is known at once for a tap is what it is the long way, too`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var taps = 0
        for _ in 0..<5_000 {
            let (x, y) = (Int16.random(in: 0..<144, using: &random), Int16.random(in: 24..<168, using: &random))
            var finger = Finger(x: x, y: y, on: Bool.random(using: &random) ? 7 : nil)
            if Int.random(in: 0..<4, using: &random) == 0 {
                _ = finger.move(
                    x: x + .random(in: -12...12, using: &random), y: y + .random(in: -12...12, using: &random))
            }
            let lift = TouchGesture.Place(
                x: x + .random(in: -12...12, using: &random), y: y + .random(in: -12...12, using: &random))
            let time = finger.time + .milliseconds(.random(in: 400...510, using: &random))
            var short = finger.gesture
            guard let target = short.liftForTap(at: lift, at: time) else { continue }
            taps += 1
            #expect(Said(finger.gesture.lift(at: lift, at: time)) == .tapRow(target.item.rawValue), "seed \(seed)")
            #expect(Said(short.lift(at: lift, at: time)) == .nothing, "seed \(seed)")
        }
        #expect(taps > 500, "seed \(seed)")
    }

    @Test func `a second finger takes the place of one whose lift was lost`() {
        var finger = Finger(y: top, on: 7)
        finger.press(y: top + 48, on: 9)
        #expect(finger.lift(y: top + 48) == .tapRow(9))
    }

    @Test func `a lift or a move without a finger, and a finger beside the panel, are nothing`() {
        var finger = Finger(y: top)
        _ = finger.lift(y: top)
        #expect(finger.move(y: top + 60) == .nothing)
        #expect(finger.lift(y: top) == .nothing)
        finger.press(x: 144, y: top, on: nil)
        #expect(finger.lift(y: top) == .nothing)
        for (x, y) in [(Int16.min, Int16.max), (.max, .min)] {
            finger.press(y: top, on: 7)
            #expect(finger.move(x: x, y: y) != .tapRow(7))
            #expect(finger.lift(x: x, y: y) != .tapRow(7))
        }
    }

    @Test func `after something else has happened the finger means nothing until it comes down again`() {
        var finger = Finger(y: top)
        finger.gesture.cancel()
        #expect(finger.gesture.deadline == nil)
        #expect(finger.move(y: top + 60) == .nothing)
        #expect(finger.lift(y: top) == .nothing)
        finger.gesture.cancel()
        finger.press(y: top, on: 7)
        #expect(finger.lift(y: top) == .tapRow(7))
    }
}

struct TouchTargetsTests {
    private let memory = PartMemory()

    @Test func `a position leads to the item that was shown there`() {
        var arena = memory.arena
        var list = ItemList(arena: &arena)
        var targets = TouchTargets(arena: &arena)
        for id in 1...9 as ClosedRange<UInt32> {
            list.put(ListItem(id: ItemID(id), rank: id, title: Canvas.title("Item")))
        }
        #expect(targets.shownSince == nil && targets.target(at: 0) == nil)
        targets.show(list.rows(.list), firstRow: 2, visible: 6)
        list.remove(row: 0)
        #expect((0..<8).map { targets.target(at: $0)?.item.rawValue } == [3, 4, 5, 6, 7, 8, nil, nil])
        #expect(targets.target(at: 5)?.row == 7)
        let isSame = targets.areRows(list.rows(.list), firstRow: 2, visible: 6)
        let isMoved = targets.areRows(list.rows(.list), firstRow: 1, visible: 6)
        #expect(!isSame && !isMoved)
        targets.show(list.rows(.list), firstRow: 6, visible: 6)
        let isShort = targets.areRows(list.rows(.list), firstRow: 6, visible: 6)
        #expect(isShort && targets.target(at: 2) == nil)
        targets.showNone()
        #expect(targets.target(at: 0) == nil)
    }
}
