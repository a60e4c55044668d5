import Watch
import WatchLink

/// A watch, a phone and the air between them on one virtual clock: what tests and measurements work with.
///
/// Everything is deterministic: the same calls give the same snapshots and the same times, to the byte.
public final class WatchBench<Handler: TapHandler> {
    /// The board that the watch runs on at present.
    public typealias Board = SimulatedBoard<SharedFlash>

    /// The phone.
    public let phone: SimulatedPhone
    /// The watch that runs at present.
    public private(set) var watch: VirtualWatch<RuntimeProgram<Board, Handler>>
    /// The air between the watch that runs at present and the phone.
    public private(set) var radio: VirtualRadio
    /// The watch's flash chip, which outlives a restart.
    public let flash: SharedFlash
    private let handler: Handler
    private let latency: Microseconds
    private let timing: DeviceTiming
    private let calendar: BoardCalendar

    /// A bench with a new watch, not connected yet.
    ///
    /// - Parameters:
    ///   - phone: the phone.
    ///   - handler: what a tap on a row does.
    ///   - latency: what a datagram takes either way.
    ///   - timing: what the board's operations take.
    ///   - calendar: the watch's wall clock.
    ///   - flash: the watch's flash chip, erased by default.
    /// - Throws: `.systemCall` when there are no descriptors left.
    public init(
        phone: SimulatedPhone, handler: Handler, latency: Microseconds = .milliseconds(15),
        timing: DeviceTiming = .device, calendar: BoardCalendar = WatchBench.defaultCalendar,
        flash: MemoryFlash = MemoryFlash(FlashGeometry(sectorCount: 16))
    ) throws(DeviceModelError) {
        self.phone = phone
        self.handler = handler
        self.latency = latency
        self.timing = timing
        self.calendar = calendar
        self.flash = SharedFlash(flash)
        let clock = VirtualClock()
        radio = VirtualRadio(to: phone, clock: clock, latency: latency)
        let board = try Board(
            flash: self.flash, radio: radio, clock: .virtual(clock), calendar: calendar, timing: timing)
        watch = try VirtualWatch(running: RuntimeProgram(on: board, handler: handler, seed: 7))
    }

    /// Friday, 2026-11-20 10:08:30 when the watch starts.
    public static var defaultCalendar: BoardCalendar {
        .set(LocalTime(seconds: 1_795_169_310), at: .start)
    }

    /// The watch's clock.
    public var clock: VirtualClock { watch.clock }

    /// What the watch is like at the moment.
    public var snapshot: WatchSnapshot { watch.snapshot }

    /// What the screen says.
    public var screen: ScreenDescription { watch.snapshot.description }

    /// The titles of the rows, struck ones included.
    public var titles: [String] { screen.rows.map(\.title) }

    /// Opens a channel to the phone and waits until both are in step.
    public func connect() {
        radio.connect()
        run(until: { $0.description.synchronization == .synchronized })
    }

    /// Runs for a length of virtual time.
    public func run(for length: Microseconds) {
        _ = watch.wait(for: length) { _ in false }
    }

    /// Runs until a condition holds, for a minute of virtual time at most. Returns whether it holds.
    @discardableResult
    public func run(until condition: (WatchSnapshot) -> Bool) -> Bool {
        switch watch.wait(for: .seconds(60), until: condition) {
        case .met: true
        case .timedOut, .stopped: false
        }
    }

    /// Taps the row at a position on the panel, and runs until the watch has handled it.
    public func tap(_ position: Int) {
        touch(x: 60, y: Int16(RowGeometry.rowTop(position) + RowGeometry.rowHeight / 2))
    }

    /// Touches a pixel, and runs until the watch has handled it.
    public func touch(x: Int16, y: Int16) {
        send(.touch(x: x, y: y))
    }

    /// Does what the wearer would, and runs until the watch has handled it.
    public func send(_ input: Input) {
        watch.send(input)
        _ = watch.settle()
    }

    /// Changes something on the phone, and lets it tell the watch.
    public func onPhone(_ change: (SimulatedPhone) -> Void) {
        change(phone)
        radio.runPhone()
    }

    /// Takes the power away and gives it back: the watch starts again with what is in its flash, and is not connected.
    public func restart() throws(DeviceModelError) {
        radio.cut()
        watch.stop()
        let clock = VirtualClock()
        radio = VirtualRadio(to: phone, clock: clock, latency: latency)
        let board = try Board(
            flash: flash, radio: radio, clock: .virtual(clock), calendar: calendar, timing: timing)
        watch = try VirtualWatch(running: RuntimeProgram(on: board, handler: handler, seed: 8))
    }
}

extension SimulatedPhone {
    /// A phone with a list of so many items, called "Item 1" and so on, numbered from 1.
    public convenience init(items count: Int) {
        self.init(
            list: "Groceries", items: (0..<count).map { PhoneItem(id: UInt32($0 + 1), title: "Item \($0 + 1)") })
    }
}
