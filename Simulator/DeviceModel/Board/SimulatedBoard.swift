import Watch
import WatchLink

/// A board made of software.
///
/// It is a handle on shared state: the copies of a runtime and of its maker are the same board. Only the runtime's thread may use
/// it, apart from `inputs` and `clock`, which every thread may use.
///
/// Every operation is charged the time that it takes on the profile's device. On a virtual clock the time jumps by that much, and
/// `idle` jumps to the next event: two runs with the same inputs give the same bytes. On the real clock the thread waits for that
/// time, and `idle` waits in poll(2).
public final class SimulatedBoard<Flash: NORFlash & ~Copyable>: WatchSurface, Board {
    /// The clock.
    public let clock: SimulatedClock
    /// Touches, turns of the crown and button presses, on their way to the runtime.
    public let inputs: InputQueue
    /// The flash chip, for tests that fail or inspect it. The runtime uses the board's methods.
    public var flash: Flash
    /// What has come out of the board so far.
    public internal(set) var output = BoardOutput()

    /// Nil for a watch without a radio.
    let radio: (any RadioPort)?
    let profile: DeviceProfile
    package var processorWork = ProcessorWork.estimated(.measured(items: 128))
    /// Whether the program still runs.
    public internal(set) var condition = SurfaceCondition.working
    let switches: FaultSwitches
    /// Whether a datagram has arrived and ended a wait, but the runtime has not read it yet.
    var hasUnreadDatagram = false
    var panelBus = PanelBus()
    var drawing = DrawnLines.screen
    /// The work done before each running stage began, the innermost stage last.
    var stageStarts: [BoardWork] = []
    /// The wall clock; nil for a board without one.
    public let calendarControl: CalendarControl?
    /// The newest input that was taken when `idle` last returned for a waiting input.
    var announcedAfter: InputNumber?
    /// The last erase, which lasts as long as the profile says.
    var erase: SectorErase?
    /// Whether the wearer wears the watch.
    public internal(set) var wrist = WristState.worn
    /// The scan in which the touch controller last saw a finger, or its first scan.
    var fingerScan: Instant
    /// The longest time that the newest touch may have waited for its scan.
    var fingerWait: Microseconds

    /// A board with a dark panel.
    ///
    /// - Parameters:
    ///   - flash: the flash chip.
    ///   - radio: the host's side of the radio; nil for none.
    ///   - clock: the clock that the board runs on.
    ///   - calendar: the source of the wall clock.
    ///   - profile: the costs of operations; nothing by default.
    ///   - faults: the switches of the board's faults.
    /// - Throws: `.systemCall` if there are no descriptors left.
    public init(
        flash: consuming Flash, radio: (any RadioPort)? = nil, clock: SimulatedClock,
        calendar: BoardCalendar, profile: DeviceProfile = .instant,
        faults: FaultSwitches = FaultSwitches()
    ) throws(DeviceModelError) {
        inputs = try InputQueue()
        self.flash = flash
        self.radio = radio
        self.clock = clock
        calendarControl = CalendarControl(calendar)
        self.profile = profile
        switches = faults
        fingerScan = profile.touch.firstScan(from: clock.now)
        fingerWait = profile.touch.scanInterval
    }

    /// Gives the watch an input now, from any thread. Returns the input's number.
    @discardableResult public func post(_ input: Input) -> InputNumber {
        inputs.post(TimedInput(input, at: clock.now))
    }

    package func post(_ inputs: [Input]) {
        for input in inputs { post(input) }
    }
}

/// The source of a board's processor time.
package enum ProcessorWork: Sendable {
    case estimated(CountTable)
    /// An emulator executes the machine code and calls `executed`.
    case executed
}

struct SectorErase {
    var sector: Int
    var until: Instant
    /// When the erase began or was last resumed. The chip does not suspend it again too soon after that.
    var resumed: Instant
}

extension SimulatedBoard where Flash: ~Copyable {
    /// The time since the board started.
    public var now: Instant { clock.now }

    /// What the wall clock shows now; nil while it is unset.
    public var calendar: LocalTime? { calendar(at: clock.now) }

    /// What the wall clock shows at `instant`; nil while it is unset.
    public func calendar(at instant: Instant) -> LocalTime? {
        let passed = Int64(clamping: (clock.now - instant).count)
        return calendarControl?.time(at: instant, ahead: (control?.ahead ?? 0) - passed)
    }

    /// The control of the clock's speed and pause; nil for a virtual clock.
    public var control: ClockControl? { clock.control }

    /// Sets the wall clock. A clock that follows this machine's is unchanged.
    public func setCalendar(_ time: LocalTime) {
        calendarControl?.set(time, at: clock.now)
    }

    /// Starts `pattern` and records when it is felt. Does nothing if the battery is too low.
    public func play(_ pattern: HapticPattern) {
        guard !isBatteryLow else { return }
        output.work.hapticPatterns += 1
        charge(profile.haptic.busWrite, to: \.haptic)
        output.playFelt(HapticPulse(pattern, at: clock.now + profile.haptic.start))
    }

    /// Whether the battery is too low for `play`.
    public var isBatteryLow: Bool { switches.faults.supply == .low }

    /// The radio's state; `.down` without a radio.
    public var radioState: RadioState {
        guard let radio else { return .down }
        radio.service(at: clock.now)
        return radio.state
    }

    /// Sends one datagram; `.refused` without a radio.
    public func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome {
        radio?.send(bytes) ?? .refused
    }

    /// Copies the next datagram into `buffer` and returns its full length; nil if none waits.
    public func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int? {
        hasUnreadDatagram = false
        guard let count = radio?.receive(into: &buffer) else { return nil }
        control?.happened("a datagram")
        drawing.follow(.datagram)
        execute { $0[.datagram] }
        return count
    }

    /// Records the wearer's answer to a pairing request.
    public func answerPairing(_ answer: PairingAnswer) {
        output.answerPairing(answer)
    }

    /// Closes the radio channel.
    public func disconnectRadio() {
        radio?.disconnect()
    }

    /// The newest input that the runtime has taken. The caller asks while the runtime is idle, so the runtime has handled it.
    public var handled: InputNumber { inputs.taken }

    /// Performs a request on the flash chip, after a running erase. Cuts and restores the power unless the request only reads.
    /// Reading and replacing the contents takes none of the watch's time.
    ///
    /// - Returns: the contents of the flash after that.
    public func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        if case .load(let new) = request, new.geometry != flashGeometry {
            throw .otherChip(expected: flashGeometry, found: new.geometry)
        }
        finishErase()
        let image: FlashImage
        do throws(FlashError) {
            image =
                switch request {
                case .read, .restart: try flash.readImage()
                case .reset: try replaceContents(with: FlashImage(erased: flashGeometry))
                case .load(let new): try replaceContents(with: new)
                }
        } catch {
            throw .flashFailed(error)
        }
        switch request {
        case .read: break
        case .restart, .reset, .load: losePower()
        }
        return image
    }

    private func replaceContents(with new: FlashImage) throws(FlashError) -> FlashImage {
        let old = try flash.readImage()
        do throws(FlashError) {
            try flash.replaceContents(with: new)
        } catch {
            // If this fails too, the first error is the one to report.
            try? flash.replaceContents(with: old)
            throw error
        }
        return new
    }

    /// Clears what a board forgets without power. Its clock, the picture and the haptic log stay.
    private func losePower() {
        radio?.disconnect()
        hasUnreadDatagram = false
        drawing = .screen
        stageStarts = []
        output.losePower()
    }
}

// MARK: The panel

extension SimulatedBoard where Flash: ~Copyable {
    /// Charges the drawing of the lines, unless it was charged before.
    public func beginLines() {
        switch drawing {
        // The lines of a screen are charged one by one.
        case .stages, .before, .screen: break
        case .removal: execute { $0[.removal] }
        case .news: execute { $0[.news] }
        }
        execute { $0[.flush] }
    }

    /// Hands a line to the panel's bus when a transfer buffer is free. Ignores a line outside the panel, or not of 18 bytes.
    public func writeLine(_ line: Int, pixels: Span<UInt8>) {
        awaitPanel(until: panelBus.bufferFree)
        if drawing == .screen { execute { $0[.drawnLine] } }
        execute { $0[.line] }
        panelBus.transfer(at: clock.now, profile.panel)
        output.work.panelLines += 1
        output.writeLine(line, pixels: pixels)
    }

    /// Waits until the last line is on the panel.
    public func finishLines() {
        execute { $0[.meanwhile] }
        awaitPanel(until: panelBus.idle)
        // The runtime sends 20 lines at a time, so that a touch never waits for a whole screen.
        output.wasPartOfScreen = panelBus.lines == 20
        panelBus.lines = 0
        execute { $0[.shown] }
        drawing.follow(.sent)
    }

    func awaitPanel(until end: Instant?) {
        let now = clock.now
        if let end, now < end { charge(end - now, to: \.panel) }
    }
}

/// The bus to the panel. A DMA engine feeds it from two transfer buffers: while one is in transfer, the processor fills the
/// other.
struct PanelBus {
    /// The lines of the present run.
    var lines = 0
    /// When the transfer before the last one ends and its buffer is free; nil before the second transfer.
    private(set) var bufferFree: Instant?
    /// When the last transfer ends; nil before the first.
    private(set) var idle: Instant?

    /// Sends a line as soon as the bus is free. Carries a fraction of a microsecond over to the next line, so that the sum of a
    /// run is exact.
    mutating func transfer(at now: Instant, _ cost: PanelCost) {
        let length = cost.time(lines: lines + 1) - cost.time(lines: lines)
        bufferFree = idle
        idle = max(now, idle ?? now) + length
        lines += 1
    }
}

/// What drew the lines that go to the panel next. Drawing is charged once, by its cause.
package enum DrawnLines: Sendable, Equatable {
    /// The stages of a tap, which are charged for it.
    case stages
    /// The program by itself, when a row's time is over.
    case removal
    /// The program, for a message of the phone.
    case news
    /// The program, for an input of the wearer.
    case screen
    /// They were drawn with the run before.
    case before

    package enum Event: Sendable {
        case waits
        case datagram
        case input
        case stage
        case sent
    }

    package mutating func follow(_ event: Event) {
        switch (event, self) {
        case (.waits, _): self = .removal
        // The lines of a stage or of the wearer's screen are drawn even if a datagram arrives.
        case (.datagram, .removal): self = .news
        case (.datagram, _): break
        case (.input, _): self = .screen
        case (.stage, _): self = .stages
        case (.sent, _): self = .before
        }
    }
}
