import Watch
import WatchLink

@testable import DeviceModel

/// A minimal watch program for tests of devices. It shows a list of titles. A tap strikes a title through, and 250 ms
/// later the title disappears.
///
/// After a tap, the program sends the title to the phone as a datagram. An empty datagram from the phone acknowledges
/// the title. Any other datagram from the phone adds a title to the list. A press of the crown switches between the
/// list and the watch face.
struct StandInProgram<Flash: NORFlash & ~Copyable>: WatchProgram, ~Copyable {
    static var hold: Microseconds { .milliseconds(250) }

    let surface: SimulatedBoard<Flash>
    private var screen = ScreenDescription()
    private var removal: Instant?
    private var taps: UInt32 = 0
    private var deferred: [TapNumber] = []

    init(board: SimulatedBoard<Flash>, titles: [String] = ["Milk", "Bread", "Apples"]) {
        surface = board
        screen.screen = .list
        screen.title = "Groceries"
        screen.rows = titles.enumerated().map { .init(id: UInt32($0.offset) + 1, title: $0.element) }
        screen.remaining = UInt32(titles.count)
    }

    mutating func start() {
        draw()
    }

    mutating func step() -> NextStep {
        let board = surface
        if let input = board.nextInput() {
            handle(input)
            return .again
        }
        if let removal, board.now >= removal {
            self.removal = nil
            screen.rows.removeAll { $0.state == .struck }
            draw()
            return .again
        }
        if let tap = deferred.first {
            deferred.removeFirst()
            screen.remaining -= 1
            board.play(.click)
            tell(tap)
            draw()
            return .again
        }
        return listen() ? .again : .idle(until: removal)
    }

    func describe() -> ScreenDescription { screen }

    private mutating func handle(_ timed: TimedInput) {
        switch timed.input {
        case .touch, .moved: return
        case .lifted(_, let y): tap(y, at: timed.time)
        case .crown(let detents): screen.firstVisibleRow = max(0, screen.firstVisibleRow + Int(detents))
        case .press(.crown): screen.screen = screen.screen == .face ? .list : .face
        case .press(.side), .hold, .pairing, .wrist, .clock: break
        }
        draw()
    }

    private mutating func tap(_ y: Int16, at time: Instant) {
        let board = surface
        guard screen.screen == .list, let position = RowGeometry.row(atY: Int(y)) else { return }
        let index = screen.firstVisibleRow + position
        guard screen.rows.indices.contains(index), screen.rows[index].state == .waiting else { return }
        taps += 1
        let tap = TapNumber(taps)
        board.trace(.mark(.touch, tap: tap, at: time))
        board.trace(.stageBegan("list model", tap: tap, at: board.now))
        screen.rows[index].state = .struck
        board.trace(.stageEnded("list model", tap: tap, at: board.now))
        draw()
        board.trace(.mark(.updated, tap: tap, at: board.now))
        removal = board.now + Self.hold
        deferred.append(tap)
    }

    private mutating func tell(_ tap: TapNumber) {
        let board = surface
        screen.waitingMessages += 1
        screen.isSynchronized = false
        let title = Array((screen.rows.last { $0.state == .struck }?.title ?? "?").utf8)
        if board.sendDatagram(title.span) == .sent { board.trace(.mark(.sent, tap: tap, at: board.now)) }
    }

    private mutating func listen() -> Bool {
        let board = surface
        screen.link = board.radioState == .down ? .down : .reachable
        var buffer = [UInt8](repeating: 0, count: 512)
        var span = buffer.mutableSpan
        guard let count = board.receiveDatagram(into: &span) else {
            let isInStep = screen.link == .reachable && screen.waitingMessages == 0
            screen.isSynchronized = isInStep
            return false
        }
        if count == 0 {
            screen.waitingMessages = 0
        } else {
            let title = String(decoding: buffer.prefix(count), as: UTF8.self)
            screen.rows.append(.init(id: UInt32(screen.rows.count) + 100, title: title))
            screen.remaining += 1
        }
        draw()
        return true
    }

    private func draw() {
        let board = surface
        board.beginLines()
        for position in 0..<RowGeometry.rowsVisible {
            var pixels = [UInt8](repeating: 0, count: PanelGeometry.bytesPerLine)
            if let row = screen.row(at: position) { pixels[0] = row.state == .waiting ? 0x0F : 0xFF }
            board.writeLine(RowGeometry.rowTop(position), pixels: pixels.span)
        }
        board.finishLines()
        board.trace(.screenChanged(at: board.now))
    }
}

struct BlankFlash: NORFlash {
    let flashGeometry = FlashGeometry(sectorCount: 4)
    let flashActivity = FlashActivity.ready

    func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        for index in destination.indices { destination[index] = 0xFF }
    }

    func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {}

    func beginErase(sector: Int) throws(FlashError) {}

    func finishErase() {}
}
