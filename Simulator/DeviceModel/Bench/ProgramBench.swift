import Watch
import WatchLink

/// A watch that runs a program, a phone and the radio link between them on one virtual clock. `WatchBench` is the one for a
/// handler.
///
/// Everything is deterministic: the same calls give the same snapshots and the same times, to the byte.
public class ProgramBench<Program: WatchProgram & ~Copyable> where Program.Surface == SimulatedBoard<SharedFlash> {
    /// The board that the watch runs on at present.
    package typealias Board = SimulatedBoard<SharedFlash>
    /// Makes the program on a board, with randomness for its identity.
    package typealias ProgramMaker = (sending Board, UInt64) throws(DeviceModelError) -> sending Program

    package let phone: SimulatedPhone
    /// The watch that runs at present.
    package private(set) var watch: VirtualWatch<Program>
    /// The radio link between the watch that runs at present and the phone.
    package private(set) var radio: VirtualRadio
    /// The watch's flash chip, which outlives a restart.
    package let flash: SharedFlash
    private let makeProgram: ProgramMaker
    /// What the watch and the radio link cost.
    package let profile: DeviceProfile
    private let seed: UInt64
    private let datagramTime: Microseconds?
    private let calendar: BoardCalendar
    private let activities: ActivityLog?
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
    ///   - profile: what the board's operations and the radio link take.
    ///   - seed: randomness for the faults of the radio link.
    ///   - datagramTime: what every datagram takes either way, where the link is not to have connection events; nil for
    ///     the profile's events.
    ///   - calendar: the wall clock of the watch and of the phone.
    ///   - flash: the watch's flash chip.
    ///   - activities: where it is noted what watch, radio link and phone are busy with; nil for nowhere.
    ///   - makeProgram: makes the program on a board whenever the watch starts, with randomness for its identity.
    /// - Throws: `.systemCall` when there are no descriptors left.
    package init(
        phone: SimulatedPhone, profile: DeviceProfile, seed: UInt64, datagramTime: Microseconds? = nil,
        calendar: BoardCalendar, flash: MemoryFlash, activities: ActivityLog? = nil,
        makeProgram: @escaping ProgramMaker
    ) throws(DeviceModelError) {
        self.phone = phone
        phone.cost = profile.phone
        phone.calendar = calendar
        self.profile = profile
        self.seed = seed
        self.datagramTime = datagramTime
        self.calendar = calendar
        self.flash = SharedFlash(flash)
        self.makeProgram = makeProgram
        let clock = VirtualClock()
        radio = Self.radio(to: phone, clock, profile.radio, seed: seed, datagramTime)
        let board = try Board(
            flash: self.flash, radio: radio, clock: .virtual(clock), calendar: calendar, profile: profile,
            faults: switches)
        self.activities = activities
        phone.activities = activities
        radio.activities = activities
        board.activities = activities
        watch = try VirtualWatch(running: makeProgram(board, 7))
    }

    private static func radio(
        to phone: SimulatedPhone, _ clock: VirtualClock, _ cost: RadioCost, seed: UInt64, _ datagramTime: Microseconds?
    ) -> VirtualRadio {
        if let datagramTime { return VirtualRadio(to: phone, clock: clock, latency: datagramTime) }
        return VirtualRadio(to: phone, clock: clock, cost: cost, seed: seed)
    }

    package var clock: VirtualClock { watch.clock }

    /// What the watch is like at the moment: its rows, its link, the histories of its taps.
    public var snapshot: WatchSnapshot { watch.snapshot }

    /// Stages, and messages, buttons and files of the handler, that took no time so far because nobody has counted what they execute, in
    /// alphabetical order: "stopwatch/elapsed: value", "button 0". Empty where every time of this bench is what a device takes.
    public var uncounted: [String] { watch.output.uncounted.sorted() }

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

    /// Cuts the link to the phone, until `connect`.
    public func disconnect() {
        radio.cut()
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
        send(.tap(row: position))
    }

    /// Taps a pixel, once the panel has rested for a scan of the touch controller, and runs until the watch has handled it.
    public func tap(x: Int16, y: Int16) {
        send(.tap(x: x, y: y))
    }

    /// Does what the wearer would, who looks before touching, all at one time, and runs until the watch has handled it.
    public func send(_ tap: [Input]) {
        watch.look()
        watch.sendHavingLooked(tap)
        _ = watch.settle()
    }

    /// Does what the wearer would, who looks before touching, and runs until the watch has handled it.
    public func send(_ input: Input) {
        switch input {
        case .touch: watch.look()
        case .moved, .lifted, .crown, .press, .hold, .pairing, .wrist, .clock: break
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
        radio.faults = faults
        radio.activities = activities
        board.activities = activities
        watch = try VirtualWatch(running: makeProgram(board, starts))
    }
}
