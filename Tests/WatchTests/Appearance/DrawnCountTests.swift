import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import Watch

/// If only the count changes, the watch draws only its digits. The title bar must still look as if all of it were
/// drawn.
struct DrawnCountTests {
    private struct Subject: ~Copyable {
        private let memory = PartMemory()
        private var data: WatchData
        private var display: Display
        private var link = LinkIndicator.down

        init() {
            var arena = memory.arena
            data = WatchData(arena: &arena)
            display = Display(arena: &arena)
        }

        /// Changes the count without a call of `invalidate`, as a check-off does.
        mutating func count(_ remaining: UInt32) throws {
            let payload = try Payload.list([], more: remaining)
            _ = try data.apply(.list, payload.span, holding: nil)
        }

        mutating func rename(_ name: String) throws {
            let payload = try Payload.title(name, lastTrip: nil)
            _ = try data.apply(.title, payload.span, holding: nil)
            display.invalidate(.title)
        }

        mutating func changeLink(_ next: LinkIndicator) {
            link = next
            display.invalidate(.title)
        }

        mutating func show(_ screen: Screen) {
            display.show(screen, rows: 0)
        }

        mutating func redraw(holdingRows isHeld: Bool = false) {
            _ = display.redraw(data, link, ComplicationState(), at: nil, holdingRows: isHeld)
        }

        mutating func drawCount() {
            display.drawCount(data, link)
        }

        private var isListUp: Bool {
            mutating get {
                switch display.screen {
                case .list: true
                case .face, .sheet: false
                }
            }
        }

        var isAsDrawn: Bool {
            mutating get {
                let canvas = Canvas()
                TitleBar(title: data.title, remaining: data.remaining, link: link).draw(into: &canvas.framebuffer)
                let size = RowGeometry.titleBarHeight * PanelGeometry.bytesPerLine
                return !isListUp || Canvas.bytes(of: display.framebuffer).prefix(size) == canvas.bytes.prefix(size)
            }
        }
    }

    private static let names = ["", "Camping", "Groceries", "Groceries for Saturday", "Ğjörd ŠŽ"]
    private static let links: [LinkIndicator] = [.down, .connecting, .reachable]
    private static let screens: [Screen] = [
        .face(.now), .sheet(.status, returningTo: .list(ListState())),
        .sheet(.fullTitle(ItemID(1)), returningTo: .face(.now)),
    ]

    /// Returns a random count, often close to a count with more or fewer digits.
    private static func count(_ random: inout CanvasRandom) -> UInt32 {
        let limits: [UInt32] = [1, 10, 12, 22, 100, 111, 1_000, 10_000, 100_000, 4_000_000]
        return random.int(0...4) == 0
            ? UInt32(random.int(0...120_000)) : limits[random.int(0...limits.count - 1)] - UInt32(random.int(0...1))
    }

    @Test func `the title bar is right after any counts, names, links and screens`() throws {
        var random = CanvasRandom()
        for _ in 0..<20 {
            var subject = Subject()
            for _ in 0..<150 {
                switch random.int(0...9) {
                case 0: try subject.rename(Self.names[random.int(0...Self.names.count - 1)])
                case 1: subject.changeLink(Self.links[random.int(0...2)])
                case 2: subject.show(Self.screens[random.int(0...2)])
                case 3: subject.show(.list(ListState()))
                case 4...6: subject.redraw(holdingRows: random.int(0...1) == 0)
                case _: break
                }
                try subject.count(Self.count(&random))
                subject.drawCount()
                let isAsDrawn = subject.isAsDrawn
                #expect(isAsDrawn, random.replay)
            }
        }
    }

    @Test(arguments: [(12, 8), (101, 98), (1_001, 998), (10_001, 9_998), (100_001, 99_998)] as [(UInt32, UInt32)])
    func `the title bar is right when the count loses a digit`(first: UInt32, last: UInt32) throws {
        var subject = Subject()
        try subject.rename("Groceries for Saturday")
        try subject.count(first)
        subject.redraw()
        for count in (last..<first).reversed() {
            try subject.count(count)
            subject.drawCount()
            let isAsDrawn = subject.isAsDrawn
            #expect(isAsDrawn, "\(count)")
        }
    }

    @Test func `the title bar is right on a watch that is tapped while its link comes and goes`() throws {
        let bench = try WatchBench.connected(items: 13, for: .seconds(2))
        for tap in 0..<13 {
            bench.tap(0)
            if tap % 3 == 1 { bench.radio.cut() }
            if tap % 3 == 2 { bench.radio.connect() }
            bench.run(for: .seconds(1))
            bench.expectPanelIsAsDrawnAnew()
        }
        #expect(bench.screen.remaining == 0)
    }
}
