import Watch
import WatchLink

/// A watch with its program, a phone, and the radio link between the two, all on one virtual clock. For a tap handler, use
/// `WatchBench`.
///
/// The same calls always give the same snapshots, byte for byte, at the same times.
public class ProgramBench<Program: WatchProgram & ~Copyable> {
    /// Creates a watch's program. The number seeds the program's identity.
    package typealias ProgramMaker = (BenchHardware, UInt64) throws(DeviceModelError) -> sending Program

    package let phone: InMemoryPhone
    package private(set) var watch: VirtualWatch<Program>
    package private(set) var radio: VirtualRadio
    /// The watch's flash, which keeps its contents when the watch restarts.
    package let flash: SharedFlash
    private let makeProgram: ProgramMaker
    package let profile: DeviceProfile
    private let seed: UInt64
    private let datagramTime: Microseconds?
    private let calendar: BoardCalendar
    private let switches = FaultSwitches()
    /// Increased at each start of the watch, so that each start has a different seed.
    private var starts: UInt64 = 7

    /// The current faults of the board, the radio link and the phone. They stay after a restart of the watch. A cut link stays
    /// cut until `connect`.
    package var faults: WatchFaults {
        get { switches.faults }
        set {
            switches.faults = newValue
            radio.faults = newValue
            switch newValue.link {
            case .open: break
            case .cut, .cutUntil: radio.cut()
            }
        }
    }

    /// Creates a bench with a new watch that is not connected. `WatchBench.init` describes the other parameters.
    ///
    /// - Parameter makeProgram: creates the program at each start of the watch.
    /// - Throws: `.systemCall` if the process is out of file descriptors.
    package init(
        phone: InMemoryPhone, profile: DeviceProfile, seed: UInt64, datagramTime: Microseconds? = nil,
        calendar: BoardCalendar, flash: MemoryFlash = .usual, makeProgram: @escaping ProgramMaker
    ) throws(DeviceModelError) {
        self.phone = phone
        (phone.cost, phone.calendar, phone.faults) = (profile.phone, calendar, switches)
        self.profile = profile
        self.seed = seed
        self.datagramTime = datagramTime
        self.calendar = calendar
        self.flash = SharedFlash(flash)
        self.makeProgram = makeProgram
        let clock = VirtualClock()
        let radio = Self.radio(to: phone, clock, profile.radio, seed: seed, datagramTime)
        self.radio = radio
        watch = try VirtualWatch(
            running: makeProgram(
                BenchHardware(
                    flash: self.flash, radio: radio, clock: clock, calendar: calendar, profile: profile,
                    faults: switches), 7))
    }

    private static func radio(
        to phone: InMemoryPhone, _ clock: VirtualClock, _ cost: RadioCost, seed: UInt64, _ datagramTime: Microseconds?
    ) -> VirtualRadio {
        if let datagramTime { return VirtualRadio(to: phone, clock: clock, latency: datagramTime) }
        return VirtualRadio(to: phone, clock: clock, cost: cost, seed: seed)
    }

    package var clock: VirtualClock { watch.clock }

    /// The newest state of the watch: its screen, link and tap histories.
    public var snapshot: WatchSnapshot { watch.snapshot }

    /// The stages, messages, buttons and files whose handler code took no simulated time, because no table has its instruction
    /// counts. Examples are "button 0" and "stopwatch/elapsed: value". The order is alphabetical. If the list is empty, every
    /// time is the device's time.
    public var uncounted: [String] { watch.output.uncounted.sorted() }

    /// The database IDs of the items that are checked off on the phone, in the order in which the check-offs arrived.
    public var checkOffs: [UInt32] { phone.checkOffs.map(\.id) }

    package var work: BoardWork { watch.output.work }

    package var screen: ScreenDescription { watch.snapshot.description }

    /// The titles of the rows on the screen, including rows that are struck through.
    package var titles: [String] { screen.rows.map(\.title) }

    /// Opens a channel to the phone, and waits until watch and phone are in sync.
    public func connect() {
        radio.connect()
        run(until: { $0.description.isSynchronized })
    }

    /// Cuts the link to the phone. It stays cut until `connect`.
    public func disconnect() {
        radio.cut()
    }

    /// Runs for `length` on the virtual clock.
    public func run(for length: Microseconds) {
        _ = watch.wait(for: length) { _ in false }
    }

    /// Runs until a snapshot satisfies `condition`, for at most a minute of virtual time. Returns whether a snapshot did.
    @discardableResult
    public func run(until condition: (WatchSnapshot) -> Bool) -> Bool {
        switch watch.wait(for: .seconds(60), until: condition) {
        case .met: true
        case .timedOut, .stopped: false
        }
    }

    /// Waits until the panel has shown its rows for one scan of the touch controller, and taps the row at `position`. Runs until
    /// the watch has handled the tap.
    public func tap(_ position: Int) {
        send(.tap(row: position))
    }

    /// Waits until the panel has not changed for one scan of the touch controller, and taps a pixel. Runs until the watch has
    /// handled the tap.
    public func tap(x: Int16, y: Int16) {
        send(.tap(x: x, y: y))
    }

    /// Waits until the panel has not changed for one scan of the touch controller, and sends the inputs of a tap, all at the same
    /// time. Runs until the watch has handled them.
    public func send(_ tap: [Input]) {
        watch.waitUntilTouchable()
        watch.sendOnceShown(tap)
        _ = watch.settle()
    }

    /// Sends an input. A touch waits until the panel has not changed for one scan of the touch controller. Runs until the watch
    /// has handled the input.
    public func send(_ input: Input) {
        switch input {
        case .touch: watch.waitUntilTouchable()
        case .moved, .lifted, .crown, .press, .hold, .pairing, .wrist, .clock: break
        }
        watch.sendOnceShown(input)
        _ = watch.settle()
    }

    /// Changes the phone, which then sends the change to the watch.
    package func onPhone(_ change: (InMemoryPhone) -> Void) {
        // Brings the phone's clock to the time of the change.
        radio.runPhone()
        change(phone)
        radio.runPhone()
    }

    /// Cuts and restores the watch's power. The watch keeps its flash, and is not connected afterwards.
    public func restart() throws(DeviceModelError) {
        radio.cut()
        let chip = watch.inspect { $0.chip }
        watch.stop()
        starts += 1
        let clock = VirtualClock()
        radio = Self.radio(to: phone, clock, profile.radio, seed: seed, datagramTime)
        radio.faults = faults
        let hardware = BenchHardware(
            flash: flash, radio: radio, clock: clock, calendar: calendar, profile: profile, faults: switches, chip: chip
        )
        watch = try VirtualWatch(running: makeProgram(hardware, starts))
    }
}

/// The hardware that a bench gives the program of its watch.
package struct BenchHardware: Sendable {
    package let flash: SharedFlash
    package let radio: VirtualRadio
    package let clock: VirtualClock
    package let calendar: BoardCalendar
    package let profile: DeviceProfile
    package let faults: FaultSwitches
    /// The contents of the flash chip when the previous program ended. Nil at the first start, or if the chip is not a part of
    /// the program.
    package var chip: [UInt8]?
}

// Messages between the watch and programs on the phone. Their names are those that the handler declares.
extension ProgramBench where Program: ~Copyable {
    /// Everything that the watch has sent to programs: values, messages, questions, replies and rejections, in order of
    /// arrival.
    public var heard: [ProgramMessage] { phone.heard }

    /// Sends a latest value to the watch. A newer value of the same name replaces it.
    public func pass(latest name: String, _ value: some MessageValue) {
        onPhone { $0.pass(latest: name, ProgramMessage.bytes(of: value)) }
    }

    /// Clears a latest value.
    public func clear(_ name: String) {
        onPhone { $0.pass(latest: name, []) }
    }

    /// Sends a message that the phone queues until the watch has it.
    public func pass(queued name: String, _ value: some MessageValue) {
        onPhone { $0.pass(queued: name, ProgramMessage.bytes(of: value)) }
    }

    /// Asks the watch a question. The reply appears in `heard`.
    ///
    /// - Parameter timeout: the longest time to wait for the reply, in milliseconds.
    public func ask(_ name: String, _ value: some MessageValue, timeout: UInt32 = 2_000) {
        onPhone { $0.ask(name, ProgramMessage.bytes(of: value), timeout: timeout) }
    }

    /// Answers the watch's questions of this name from now on. If `answer` returns nil, the question fails.
    public func answer<Value: MessageValue & SendableMetatype>(
        _ name: String, with answer: @escaping @Sendable (ProgramMessage) -> Value?
    ) {
        phone.answer(name) { payload in
            answer(ProgramMessage(name: name, way: .asked, payload: payload)).map { ProgramMessage.bytes(of: $0) }
        }
    }
}

// Files from programs on the phone to the watch.
extension ProgramBench where Program: ~Copyable {
    /// The state of each file, by the file's transfer number.
    public var fileStates: [UInt64: PhoneFileState] { phone.files }

    /// Sends a file to the watch. The phone keeps the file until the watch accepts it. Traps if the transfer number was used
    /// before.
    public func send(_ file: PhoneFile) {
        onPhone { $0.send(file) }
    }

    /// Cancels a file. Does nothing if the transfer has ended.
    public func cancelFile(transfer: UInt64) {
        onPhone { $0.cancelFile(transfer: transfer) }
    }
}

/// A watch with a tap handler, a phone, and the radio link between the two, all on one virtual clock. For tests and
/// measurements.
///
/// The same calls always give the same snapshots, byte for byte, at the same times.
public final class WatchBench<Handler: TapHandler>: ProgramBench<RuntimeProgram<SharedFlash, Handler>> {
    /// Creates a bench with a new watch that is not connected.
    ///
    /// - Parameters:
    ///   - phone: the phone. From now on, its database work takes the time that the profile gives.
    ///   - handler: the code that runs when the wearer taps a row.
    ///   - counts: instruction counts of the program's parts. Nil for the counts measured for this number of items.
    ///   - seed: seeds the faults of the radio link.
    ///   - datagramTime: a fixed transmission time for every datagram. Nil for the connection events of the profile.
    ///   - calendar: the wall clock of both watch and phone.
    ///   - rows: the rows that snapshots describe. Fewer rows make the simulation faster.
    /// - Throws: `.systemCall` if the process is out of file descriptors.
    package init(
        phone: InMemoryPhone, handler: Handler, profile: DeviceProfile = .memoryLCD,
        counts: CountTable? = nil, seed: UInt64 = 1, datagramTime: Microseconds? = nil,
        calendar: BoardCalendar = .set(BoardCalendar.example, at: .start),
        flash: MemoryFlash = .usual, describing rows: DescribedRows = .all
    ) throws(DeviceModelError) {
        let counts = counts ?? .measured(items: phone.waitingCount)
        try super.init(
            phone: phone, profile: profile, seed: seed, datagramTime: datagramTime, calendar: calendar, flash: flash
        ) { hardware, seed throws(DeviceModelError) in
            let board = try SimulatedBoard(
                flash: hardware.flash, radio: hardware.radio, clock: .virtual(hardware.clock),
                calendar: hardware.calendar, profile: hardware.profile, faults: hardware.faults)
            board.counts = counts
            return RuntimeProgram(on: board, handler: handler, seed: seed, describing: rows)
        }
    }

    /// Creates a bench with a new watch that is not connected. The phone has `count` items, called "Item 1" and so on, with IDs
    /// from 1.
    ///
    /// - Throws: `.systemCall` if the process is out of file descriptors.
    public convenience init(
        items count: Int, handler: Handler, profile: DeviceProfile = .memoryLCD, seed: UInt64 = 1
    ) throws(DeviceModelError) {
        try self.init(phone: InMemoryPhone(items: count), handler: handler, profile: profile, seed: seed)
    }
}
