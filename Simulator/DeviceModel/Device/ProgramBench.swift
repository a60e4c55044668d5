import Watch
import WatchLink

/// A watch that runs a `WatchProgram`, a phone, and the radio link between watch and phone, all on one virtual clock. To test a
/// tap handler, use `WatchBench`.
///
/// The same calls always give the same snapshots, byte for byte, at the same times.
public class ProgramBench<Program: WatchProgram & ~Copyable> {
    /// Creates a watch's program on this hardware. The number seeds the watch's identity.
    package typealias ProgramMaker = (BenchHardware, UInt64) throws(DeviceModelError) -> sending Program

    package let phone: InMemoryPhone
    package private(set) var watch: VirtualWatch<Program>
    package private(set) var radio: VirtualRadio
    /// The flash chip of a program on a `SimulatedBoard`. It keeps its contents when the watch restarts. A program that
    /// contains a flash chip of its own does not use this one.
    package let flash: SharedFlash
    private let makeProgram: ProgramMaker
    package let profile: DeviceProfile
    private let seed: UInt64
    private let datagramTime: Microseconds?
    private let calendar: BoardCalendar
    private let switches = FaultSwitches()
    /// The seed of the watch's newest start. `restart` increases it, so that each start has a different seed.
    private var starts: UInt64 = 7

    /// The current faults of the board, the radio link and the phone. They stay after a restart of the watch. Both `.cut` and
    /// `.cutUntil` cut the link until the next call of `connect`.
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

    /// The parts of the handler's code that took no simulated time, because no table has their instruction counts. Each part is
    /// named after its stage, message, button or file, such as "button 0" or "stopwatch/elapsed: value". The order is
    /// alphabetical. If the list is empty, the simulated times include all of the handler's code.
    public var uncounted: [String] { watch.output.uncounted.sorted() }

    /// The database IDs of the items that the watch has checked off, in the order in which the check-offs arrived at the phone.
    public var checkOffs: [UInt32] { phone.checkOffs.map(\.id) }

    package var work: BoardWork { watch.output.work }

    package var screen: ScreenDescription { watch.snapshot.description }

    /// The titles of the rows that snapshots describe, including rows that are struck through. By default, snapshots also
    /// describe rows of the list that are not on the panel.
    package var titles: [String] { screen.rows.map(\.title) }

    /// Opens a channel to the phone. Runs until watch and phone are in sync, for at most a minute of virtual time.
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

    /// Taps the row at `position` on the panel, and runs until the watch has handled the tap. Position 0 is directly below the
    /// title bar. First waits until the row can be tapped (see `waitUntilTouchable`).
    public func tap(_ position: Int) {
        send(.tap(row: position))
    }

    /// Taps a pixel, and runs until the watch has handled the tap. First waits until the current rows can be tapped (see
    /// `waitUntilTouchable`).
    public func tap(x: Int16, y: Int16) {
        send(.tap(x: x, y: y))
    }

    /// Sends the inputs of a tap, which all happen at the same time, and runs until the watch has handled them. First waits
    /// until the current rows can be tapped (see `waitUntilTouchable`).
    public func send(_ tap: [Input]) {
        watch.waitUntilTouchable()
        watch.sendOnceShown(tap)
        _ = watch.settle()
    }

    /// Sends an input, and runs until the watch has handled it. If the input is a touch, first waits until the current rows can
    /// be tapped (see `waitUntilTouchable`).
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

    /// Cuts and restores the watch's power. Afterwards, the watch has the same flash contents, is not connected, and has a new
    /// clock at time zero.
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

/// The hardware that a bench passes to its watch's program.
package struct BenchHardware: Sendable {
    package let flash: SharedFlash
    package let radio: VirtualRadio
    package let clock: VirtualClock
    package let calendar: BoardCalendar
    package let profile: DeviceProfile
    package let faults: FaultSwitches
    /// For a program that contains a flash chip of its own: the chip's contents when the watch last lost power. Nil at the
    /// first start, and for programs that use `flash`.
    package var chip: [UInt8]?
}

// Messages between the watch and programs on the phone. The watch's handler declares the messages' names.
extension ProgramBench where Program: ~Copyable {
    /// Everything that the watch has sent to programs on the phone: values, messages, questions, replies and rejections, in
    /// order of arrival.
    public var heard: [ProgramMessage] { phone.heard }

    /// Sets the value of `name` and sends it to the watch. If a newer value replaces it before it is sent, the watch receives
    /// only the newer value.
    public func pass(latest name: String, _ value: some MessageValue) {
        onPhone { $0.pass(latest: name, ProgramMessage.bytes(of: value)) }
    }

    /// Clears the value of `name`, on the phone and on the watch.
    public func clear(_ name: String) {
        onPhone { $0.pass(latest: name, []) }
    }

    /// Sends a queued message. The phone keeps it until the watch accepts or rejects it. A rejection appears in `heard`.
    public func pass(queued name: String, _ value: some MessageValue) {
        onPhone { $0.pass(queued: name, ProgramMessage.bytes(of: value)) }
    }

    /// Asks the watch a question. The reply appears in `heard`. After `timeout`, a reply with the status `.late` appears
    /// instead. If the link ends before the reply arrives, no reply appears.
    ///
    /// - Parameter timeout: the maximum time to wait for the reply, in milliseconds.
    public func ask(_ name: String, _ value: some MessageValue, timeout: UInt32 = 2_000) {
        onPhone { $0.ask(name, ProgramMessage.bytes(of: value), timeout: timeout) }
    }

    /// Answers the watch's questions of this name from now on. If `answer` returns nil, the question fails. `answer` must not
    /// use this bench.
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
    /// The state of each file that was passed to `send`, by the file's transfer number.
    public var fileStates: [UInt64: PhoneFileState] { phone.files }

    /// Sends a file to the watch. The phone offers the file on each new link until the watch has stored or refused it. Traps if
    /// an earlier file had the same transfer number.
    public func send(_ file: PhoneFile) {
        onPhone { $0.send(file) }
    }

    /// Cancels a file. Does nothing if the transfer has ended.
    public func cancelFile(transfer: UInt64) {
        onPhone { $0.cancelFile(transfer: transfer) }
    }
}

/// A watch with a tap handler, a phone, and the radio link between watch and phone, all on one virtual clock. For tests and
/// measurements.
///
/// The same calls always give the same snapshots, byte for byte, at the same times.
public final class WatchBench<Handler: TapHandler>: ProgramBench<RuntimeProgram<SharedFlash, Handler>> {
    /// Creates a bench with a new watch that is not connected.
    ///
    /// - Parameters:
    ///   - phone: the phone. From now on, its database work takes the time that the profile gives.
    ///   - handler: the code that runs when the wearer taps a row.
    ///   - counts: the instruction counts of the program's parts. Nil for the counts measured on a list as long as the phone's.
    ///   - seed: seeds the loss and the jitter of the radio link.
    ///   - datagramTime: a fixed transmission time for every datagram. If nil, datagrams travel in connection events, timed by
    ///     the profile.
    ///   - calendar: the wall clock of both watch and phone.
    ///   - flash: the watch's flash chip at its first start.
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
