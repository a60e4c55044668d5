import Watch
import WatchLink

/// A watch that runs a program, a phone and the radio link between them on one virtual clock. For a handler use `WatchBench`.
///
/// The same calls give the same snapshots and the same times, to the byte.
public class ProgramBench<Program: WatchProgram & ~Copyable> where Program.Surface == SimulatedBoard<SharedFlash> {
    package typealias Board = SimulatedBoard<SharedFlash>
    /// Makes the program on a board. The number is randomness for the program's identity.
    package typealias ProgramMaker = (sending Board, UInt64) throws(DeviceModelError) -> sending Program

    package let phone: SimulatedPhone
    package private(set) var watch: VirtualWatch<Program>
    package private(set) var radio: VirtualRadio
    /// It outlives a restart.
    package let flash: SharedFlash
    private let makeProgram: ProgramMaker
    package let profile: DeviceProfile
    private let seed: UInt64
    private let datagramTime: Microseconds?
    private let calendar: BoardCalendar
    private let switches = FaultSwitches()
    /// Counts the starts of the watch, each with other randomness.
    private var starts: UInt64 = 7

    /// The faults of the board, the radio link and the phone from now on. A restart keeps them. A cut link stays cut until
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

    /// A bench with a new watch, not connected yet. `WatchBench.init` describes the other parameters.
    ///
    /// - Parameter makeProgram: makes the program at each start, with randomness for its identity.
    /// - Throws: `.systemCall` if there are no descriptors left.
    package init(
        phone: SimulatedPhone, profile: DeviceProfile, seed: UInt64, datagramTime: Microseconds? = nil,
        calendar: BoardCalendar, flash: MemoryFlash, makeProgram: @escaping ProgramMaker
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
        watch = try VirtualWatch(running: makeProgram(board, 7))
    }

    private static func radio(
        to phone: SimulatedPhone, _ clock: VirtualClock, _ cost: RadioCost, seed: UInt64, _ datagramTime: Microseconds?
    ) -> VirtualRadio {
        if let datagramTime { return VirtualRadio(to: phone, clock: clock, latency: datagramTime) }
        return VirtualRadio(to: phone, clock: clock, cost: cost, seed: seed)
    }

    package var clock: VirtualClock { watch.clock }

    /// The watch's rows, link and tap histories now.
    public var snapshot: WatchSnapshot { watch.snapshot }

    /// The handler's stages, messages, buttons and files that took no time because no table has their instructions, in
    /// alphabetical order: "stopwatch/elapsed: value", "button 0". If it is empty, every time is a device's time.
    public var uncounted: [String] { watch.output.uncounted.sorted() }

    /// The phone's numbers of the checked off items in its database, in order of arrival.
    public var checkOffs: [UInt32] { phone.checkOffs.map(\.id) }

    package var work: BoardWork { watch.output.work }

    package var screen: ScreenDescription { watch.snapshot.description }

    /// The titles of the rows, struck ones included.
    package var titles: [String] { screen.rows.map(\.title) }

    /// Opens a channel to the phone and waits until both are in sync.
    public func connect() {
        radio.connect()
        run(until: { $0.description.isSynchronized })
    }

    /// Cuts the link to the phone, until `connect`.
    public func disconnect() {
        radio.cut()
    }

    /// Runs for this long on the virtual clock.
    public func run(for length: Microseconds) {
        _ = watch.wait(for: length) { _ in false }
    }

    /// Runs until a condition holds, at most a minute of virtual time. Returns whether it holds.
    @discardableResult
    public func run(until condition: (WatchSnapshot) -> Bool) -> Bool {
        switch watch.wait(for: .seconds(60), until: condition) {
        case .met: true
        case .timedOut, .stopped: false
        }
    }

    /// Taps a row of the panel once the panel has shown it for a scan of the touch controller. Runs until the watch has handled
    /// the tap.
    public func tap(_ position: Int) {
        send(.tap(row: position))
    }

    /// Taps a pixel once the panel has not changed for a scan of the touch controller. Runs until the watch has handled the tap.
    public func tap(x: Int16, y: Int16) {
        send(.tap(x: x, y: y))
    }

    /// Sends inputs at one time, once the panel has not changed for a scan. Runs until the watch has handled them.
    public func send(_ tap: [Input]) {
        watch.look()
        watch.sendOnceShown(tap)
        _ = watch.settle()
    }

    /// Sends an input, once the panel has not changed for a scan. Runs until the watch has handled it.
    public func send(_ input: Input) {
        switch input {
        case .touch: watch.look()
        case .moved, .lifted, .crown, .press, .hold, .pairing, .wrist, .clock: break
        }
        watch.sendOnceShown(input)
        _ = watch.settle()
    }

    /// Changes something on the phone, which then sends the change to the watch.
    package func onPhone(_ change: (SimulatedPhone) -> Void) {
        change(phone)
        radio.runPhone()
    }

    /// Cuts and restores the power. The watch starts with its flash, and is not connected.
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
        watch = try VirtualWatch(running: makeProgram(board, starts))
    }
}

// Messages of programs on the phone, under names of the handler.
extension ProgramBench where Program: ~Copyable {
    /// The watch's values, messages, questions, replies and rejections, in order of arrival.
    public var heard: [ProgramMessage] { phone.heard }

    /// A program on the phone passes a latest value.
    public func pass(latest name: String, _ value: some MessageValue) {
        onPhone { $0.pass(latest: name, ProgramMessage.bytes(of: value)) }
    }

    /// A program on the phone clears a latest value.
    public func clear(_ name: String) {
        onPhone { $0.pass(latest: name, []) }
    }

    /// A program on the phone passes a queued message.
    public func pass(queued name: String, _ value: some MessageValue) {
        onPhone { $0.pass(queued: name, ProgramMessage.bytes(of: value)) }
    }

    /// Asks the watch a question for a program on the phone. `heard` gets the reply.
    ///
    /// - Parameter timeout: the longest wait for the reply, in milliseconds.
    public func ask(_ name: String, _ value: some MessageValue, timeout: UInt32 = 2_000) {
        onPhone { $0.ask(name, ProgramMessage.bytes(of: value), timeout: timeout) }
    }

    /// A program on the phone answers the watch's questions under a name from now on. `answer` returns nil to fail.
    public func answer<Value: MessageValue & SendableMetatype>(
        _ name: String, with answer: @escaping @Sendable (ProgramMessage) -> Value?
    ) {
        phone.answer(name) { payload in
            answer(ProgramMessage(name: name, way: .asked, payload: payload)).map { ProgramMessage.bytes(of: $0) }
        }
    }
}

// Files from programs on the phone.
extension ProgramBench where Program: ~Copyable {
    /// The state of each file, by its transfer number.
    public var fileStates: [UInt64: PhoneFileState] { phone.files }

    /// Sends a file for a program on the phone. It waits until the watch accepts a file. Traps if the transfer number was used
    /// before.
    public func send(_ file: PhoneFile) {
        onPhone { $0.send(file) }
    }

    /// Cancels a file for a program on the phone, unless the file has ended.
    public func cancelFile(transfer: UInt64) {
        onPhone { $0.cancelFile(transfer: transfer) }
    }
}

/// A watch with a handler, a phone and the radio link between them on one virtual clock, for tests and measurements.
///
/// The same calls give the same snapshots and the same times, to the byte.
public final class WatchBench<Handler: TapHandler>: ProgramBench<RuntimeProgram<SharedFlash, Handler>> {
    /// A bench with a new watch, not connected yet.
    ///
    /// - Parameters:
    ///   - phone: the phone, whose database costs what the profile says from now on.
    ///   - handler: what a tap on a row does.
    ///   - counts: what parts of the program execute; by default as measured for the phone's number of items.
    ///   - seed: randomness for the faults of the radio link.
    ///   - datagramTime: the time of every datagram in each direction; nil for the connection events of the profile.
    ///   - calendar: the wall clock of watch and phone.
    ///   - rows: the rows that snapshots describe. A simulation is faster with fewer rows.
    /// - Throws: `.systemCall` if there are no descriptors left.
    package init(
        phone: SimulatedPhone, handler: Handler, profile: DeviceProfile = .memoryLCD,
        counts: CountTable? = nil, seed: UInt64 = 1, datagramTime: Microseconds? = nil,
        calendar: BoardCalendar = .set(BoardCalendar.example, at: .start),
        flash: MemoryFlash = .usual, describing rows: DescribedRows = .all
    ) throws(DeviceModelError) {
        let counts = counts ?? .measured(items: phone.waiting.count)
        try super.init(
            phone: phone, profile: profile, seed: seed, datagramTime: datagramTime, calendar: calendar, flash: flash
        ) { board, seed in
            board.processorWork = .estimated(counts)
            return RuntimeProgram(on: board, handler: handler, seed: seed, describing: rows)
        }
    }

    /// A bench with a new watch, not connected yet, and a phone with `count` items, called "Item 1" and so on, numbered
    /// from 1.
    ///
    /// - Throws: `.systemCall` if there are no descriptors left.
    public convenience init(
        items count: Int, handler: Handler, profile: DeviceProfile = .memoryLCD, seed: UInt64 = 1
    ) throws(DeviceModelError) {
        try self.init(phone: SimulatedPhone(items: count), handler: handler, profile: profile, seed: seed)
    }
}

extension SimulatedPhone {
    /// A phone with a list of `count` items, called "Item 1" and so on, numbered from 1.
    package convenience init(items count: Int) {
        self.init(
            list: "Groceries", items: (0..<count).map { PhoneItem(id: UInt32($0 + 1), title: "Item \($0 + 1)") })
    }
}
