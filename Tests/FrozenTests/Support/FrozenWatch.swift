import DeviceModel
import Watch
import WatchLink

/// A watch on a flash chip with frozen contents, on a virtual clock; nothing takes any time.
final class FrozenWatch<Handler: TapHandler> {
    let port = TapePort()
    let flash: SharedFlash
    let watch: VirtualWatch<RuntimeProgram<SimulatedBoard<SharedFlash>, Handler>>

    init(_ chip: MemoryFlash, handler: Handler, seed: UInt64 = 11) throws {
        flash = SharedFlash(chip)
        let board = try SimulatedBoard(
            flash: flash, radio: port, clock: .virtual(VirtualClock()),
            calendar: .set(LocalTime(seconds: 1_795_169_310), at: .start))
        watch = try VirtualWatch(running: RuntimeProgram(on: board, handler: handler, seed: seed))
        run()
    }

    var screen: ScreenDescription { watch.snapshot.description }

    /// Whether the open rows are these titles in this order. The watch has a part of a title that is too long for it.
    func show(_ titles: [String]) -> Bool {
        let rows = screen.rows.filter { $0.state == .waiting }
        return rows.count == titles.count
            && zip(rows, titles).allSatisfy { row, title in
                switch row.completeness {
                case .whole: row.title == title
                case .cut: title.hasPrefix(row.title)
                }
            }
    }

    /// Runs until the watch has nothing more to do at this instant.
    func run() {
        _ = watch.wait(until: watch.now) { _ in false }
    }

    /// Taps the row at a position on the panel and waits until the row is gone.
    func tap(_ position: Int) {
        port.note(.tap(position))
        watch.send(.tap(row: position))
        _ = watch.wait(for: .milliseconds(400)) { _ in false }
    }

    /// Plays a tape to the watch: taps as its wearer did, and receives what it received.
    func play(_ tape: Tape) {
        port.connect(playing: tape)
        while true {
            run()
            switch port.nextUnlessArriving() {
            case .tap(let position): tap(position)
            // It did not send this one again.
            case .fromWatch: break
            case .toWatch: guard port.isUp else { return }
            case nil: return run()
            }
        }
    }
}

extension MemoryFlash {
    /// A chip with frozen contents, whose size says which of the frozen kinds it is.
    init(frozen contents: [UInt8]) {
        self.init(contents.count == FlashGeometry.smallPart.capacity ? .smallPart : .memoryLCD, contents: contents)
    }
}

extension FlashGeometry {
    /// The chip of the profile "memory-lcd" and of the command's watch.
    static let memoryLCD = FlashGeometry(pageSize: 256, sectorSize: 4_096, sectorCount: 16)
    /// A smaller part of another make.
    static let smallPart = FlashGeometry(pageSize: 128, sectorSize: 1_024, sectorCount: 16)
}
