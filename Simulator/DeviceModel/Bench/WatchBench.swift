import Watch
import WatchLink

/// A watch, a phone and the radio link between them on one virtual clock: what tests and measurements work with.
///
/// Everything is deterministic: the same calls give the same snapshots and the same times, to the byte.
public final class WatchBench<Handler: TapHandler> {
    /// The board that the watch runs on at present.
    package typealias Board = SimulatedBoard<SharedFlash>

    package let phone: SimulatedPhone
    /// The watch that runs at present.
    package private(set) var watch: VirtualWatch<RuntimeProgram<Board, Handler>>
    /// The radio link between the watch that runs at present and the phone.
    package private(set) var radio: VirtualRadio
    /// The watch's flash chip, which outlives a restart.
    package let flash: SharedFlash
    private let handler: Handler
    /// What the watch and the radio link cost.
    package let profile: DeviceProfile
    private let instructions: InstructionTable
    private let seed: UInt64
    private let datagramTime: Microseconds?
    private let calendar: BoardCalendar
    private let activities: ActivityLog?
    private let rows: DescribedRows
    private let switches = FaultSwitches()
    /// The starts of the watch: each has randomness of its own.
    private var starts: UInt64 = 7

    /// The faults of the board, the radio link and the phone from now on. They outlive a restart. A cut link stays cut until
    /// `connect`.
    package var faults: WatchFaults {
        get { switches.faults }
        set {
            switches.faults = newValue
            phone.faults = newValue
            radio.faults = newValue
            switch newValue.link {
            case .open: break
            case .cut, .cutUntil: radio.cut()
            }
        }
    }

    /// A bench with a new watch, not connected yet.
    ///
    /// - Parameters:
    ///   - phone: the phone, whose database costs what the profile says from now on.
    ///   - handler: what a tap on a row does.
    ///   - profile: what the board's operations and the radio link take.
    ///   - instructions: what parts of the program execute; nil for what was measured for the phone's number of items.
    ///   - seed: randomness for the faults of the radio link.
    ///   - datagramTime: what every datagram takes either way, where the link is not to have connection events; nil for
    ///     the profile's events.
    ///   - calendar: the wall clock of the watch and of the phone.
    ///   - flash: the watch's flash chip, erased by default.
    ///   - activities: where it is noted what watch, radio link and phone are busy with; nil for nowhere.
    ///   - rows: the rows that snapshots tell of: all, or for a quicker simulation those on the panel.
    /// - Throws: `.systemCall` when there are no descriptors left.
    package init(
        phone: SimulatedPhone, handler: Handler, profile: DeviceProfile = .memoryLCD,
        instructions: InstructionTable? = nil, seed: UInt64 = 1, datagramTime: Microseconds? = nil,
        calendar: BoardCalendar = WatchBench.defaultCalendar,
        flash: MemoryFlash = MemoryFlash(FlashGeometry(sectorCount: 16)), activities: ActivityLog? = nil,
        describing rows: DescribedRows = .all
    ) throws(DeviceModelError) {
        self.phone = phone
        phone.cost = profile.phone
        phone.calendar = calendar
        self.handler = handler
        self.profile = profile
        self.instructions = instructions ?? .measured(items: phone.waiting.count)
        self.seed = seed
        self.datagramTime = datagramTime
        self.calendar = calendar
        self.flash = SharedFlash(flash)
        let clock = VirtualClock()
        radio = Self.radio(to: phone, clock, profile.radio, seed: seed, datagramTime)
        let board = try Board(
            flash: self.flash, radio: radio, clock: .virtual(clock), calendar: calendar, profile: profile,
            faults: switches)
        board.instructions = self.instructions
        self.activities = activities
        self.rows = rows
        phone.activities = activities
        radio.activities = activities
        board.activities = activities
        watch = try VirtualWatch(running: RuntimeProgram(on: board, handler: handler, seed: 7, describing: rows))
    }

    /// A bench with a new watch, not connected yet, and a phone with `count` items, called "Item 1" and so on, whose numbers
    /// begin with 1.
    ///
    /// - Throws: `.systemCall` when there are no descriptors left.
    public convenience init(
        items count: Int, handler: Handler, profile: DeviceProfile = .memoryLCD, seed: UInt64 = 1
    ) throws(DeviceModelError) {
        try self.init(phone: SimulatedPhone(items: count), handler: handler, profile: profile, seed: seed)
    }

    private static func radio(
        to phone: SimulatedPhone, _ clock: VirtualClock, _ cost: RadioCost, seed: UInt64, _ datagramTime: Microseconds?
    ) -> VirtualRadio {
        if let datagramTime { return VirtualRadio(to: phone, clock: clock, latency: datagramTime) }
        return VirtualRadio(to: phone, clock: clock, cost: cost, seed: seed)
    }

    /// Friday, 2026-11-20 10:08:30 when the watch starts.
    package static var defaultCalendar: BoardCalendar {
        .set(LocalTime(seconds: 1_795_169_310), at: .start)
    }

    package var clock: VirtualClock { watch.clock }

    /// What the watch is like at the moment: its rows, its link, the histories of its taps.
    public var snapshot: WatchSnapshot { watch.snapshot }

    /// The phone's numbers of the items that have been checked off in its database, in the order in which they arrived.
    public var checkOffs: [UInt32] { phone.checkOffs.map(\.id) }

    /// What the watch that runs at present has done since it started.
    package var work: BoardWork { watch.output.work }

    /// What it took from the battery.
    package var energy: EnergyUse { profile.energy.charge(of: work, in: clock.now - .start) }

    package var screen: ScreenDescription { watch.snapshot.description }

    /// The titles of the rows, struck ones included.
    package var titles: [String] { screen.rows.map(\.title) }

    /// Opens a channel to the phone and waits until both are in sync.
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

    /// Taps the row at a position on the panel, once it has been there for a scan of the touch controller, and runs until the
    /// watch has handled it.
    public func tap(_ position: Int) {
        send(.touch(row: position))
    }

    /// Touches a pixel, once the panel has rested for a scan of the touch controller, and runs until the watch has handled it.
    package func touch(x: Int16, y: Int16) {
        send(.touch(x: x, y: y))
    }

    /// Does what the wearer would, who looks before touching, and runs until the watch has handled it.
    public func send(_ input: Input) {
        switch input {
        case .touch: watch.look()
        case .crown, .press, .hold, .pairing: break
        }
        watch.sendHavingLooked(input)
        _ = watch.settle()
    }

    /// Changes something on the phone, which then sends the change to the watch.
    package func onPhone(_ change: (SimulatedPhone) -> Void) {
        change(phone)
        radio.runPhone()
    }

    /// Takes the power away and gives it back: the watch starts again with what is in its flash, and is not connected.
    public func restart() throws(DeviceModelError) {
        radio.cut()
        watch.stop()
        starts += 1
        let clock = VirtualClock()
        radio = Self.radio(to: phone, clock, profile.radio, seed: seed, datagramTime)
        let board = try Board(
            flash: flash, radio: radio, clock: .virtual(clock), calendar: calendar, profile: profile,
            faults: switches)
        board.instructions = instructions
        radio.faults = faults
        radio.activities = activities
        board.activities = activities
        watch = try VirtualWatch(running: RuntimeProgram(on: board, handler: handler, seed: starts, describing: rows))
    }
}

extension SimulatedPhone {
    /// A phone with a list of `count` items, called "Item 1" and so on, numbered from 1.
    package convenience init(items count: Int) {
        self.init(
            list: "Groceries", items: (0..<count).map { PhoneItem(id: UInt32($0 + 1), title: "Item \($0 + 1)") })
    }
}
