import Watch
import WatchLink

/// A simulated board: the hardware under a watch's program.
///
/// Only the runtime's thread may use the board, but any thread may use `inputs`, `clock`, `calendarControl` and `post`.
///
/// Each operation takes as long as on the profile's device: the board charges that time to its clock. A virtual clock jumps by
/// that time, and `idle` makes it jump to the next event. Two runs with the same inputs are therefore identical. On the real
/// clock, the thread waits until that time has passed, and `idle` waits in poll(2).
public final class SimulatedBoard<Flash: NORFlash & ~Copyable>: WatchSurface, Board {
    /// The board's clock.
    public let clock: SimulatedClock
    /// Inputs that the runtime has not taken, such as touches, turns of the crown and button presses.
    public let inputs: InputQueue
    /// The flash chip. Tests inspect it and make it fail; the runtime uses the board's methods.
    public var flash: Flash
    /// The board's output since it started.
    public internal(set) var output = BoardOutput()

    let radio: (any RadioPort)?
    let profile: DeviceProfile
    package var counts = CountTable.measured(items: 128)
    /// The condition of the program: working or failed.
    public internal(set) var condition = SurfaceCondition.working
    let switches: FaultSwitches
    /// True if an event of the radio ended a wait, and the runtime has not called `receiveDatagram` since.
    var hasUnreadDatagram = false
    var panelBus = PanelBus()
    var drawing = DrawnLines.screen
    /// For each running stage, the value of `output.work` when the stage began. The innermost stage is last.
    var stageStarts: [BoardWork] = []
    /// The wall clock. Never nil: the type is optional because `WatchSurface` requires it.
    public let calendarControl: CalendarControl?
    /// The value of `inputs.taken` when `idle` last returned at once, because an input was ready. Until `inputs.taken`
    /// changes, a ready input does not end a wait.
    var announcedAfter: InputNumber?
    var erase: SectorErase?
    /// Where the watch is: on the wrist or off it.
    public internal(set) var wrist = WristState.worn
    /// When a scan of the touch controller last detected a finger. Before the first touch, the time of the controller's first
    /// scan.
    var fingerScan: Instant
    var fingerWait: Microseconds

    /// Creates a board whose panel is dark.
    ///
    /// - Parameters:
    ///   - flash: the flash chip.
    ///   - radio: the simulator's end of the radio. Nil for a board without a radio.
    ///   - clock: the board's clock.
    ///   - calendar: the initial wall clock.
    ///   - profile: the time and energy of each operation. By default, operations take no time.
    ///   - faults: switches the board's faults on and off.
    /// - Throws: `.systemCall` if the process is out of file descriptors.
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

    /// Sends the watch an input now. Any thread may call this. Returns the input's number.
    @discardableResult public func post(_ input: Input) -> InputNumber {
        inputs.post(TimedInput(input, at: clock.now))
    }

    package func post(_ inputs: [Input]) {
        for input in inputs { post(input) }
    }
}

struct SectorErase {
    var sector: Int
    var until: Instant
    /// When the erase began or was last resumed. The board does not suspend it again before the chip's minimum time has passed.
    var resumed: Instant
}

extension SimulatedBoard where Flash: ~Copyable {
    /// The time since the board started.
    public var now: Instant { clock.now }

    /// The time on the wall clock now. Nil if it is not set.
    public var calendar: LocalTime? { calendar(at: clock.now) }

    /// The time on the wall clock at `instant`. Nil if it is not set.
    public func calendar(at instant: Instant) -> LocalTime? {
        let passed = Int64(clamping: (clock.now - instant).count)
        return calendarControl?.time(at: instant, ahead: (control?.ahead ?? 0) - passed)
    }

    /// Controls the clock's speed, and pauses it. Nil for a virtual clock.
    public var control: ClockControl? { clock.control }

    /// Sets the wall clock. Does nothing if the wall clock follows this machine's clock.
    public func setCalendar(_ time: LocalTime) {
        calendarControl?.set(time, at: clock.now)
    }

    /// Plays `pattern`, and records when the motor begins to move. Does nothing if the battery is too low.
    public func play(_ pattern: HapticPattern) {
        guard !isBatteryLow else { return }
        output.work.hapticPatterns += 1
        charge(profile.haptic.busWrite, to: \.haptic)
        output.playFelt(pattern, at: clock.now, profile.haptic)
    }

    /// Whether the battery is too low for a haptic pattern.
    public var isBatteryLow: Bool { switches.faults.supply == .low }

    /// The state of the radio. `.down` without a radio.
    public var radioState: RadioState {
        guard let radio else { return .down }
        radio.service(at: clock.now)
        return radio.state
    }

    /// Sends one datagram. Returns `.refused` without a radio.
    public func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome {
        radio?.send(bytes) ?? .refused
    }

    /// Moves the next datagram into `buffer`, and returns the datagram's full length, which can exceed the buffer's. Returns
    /// nil if no datagram has arrived.
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

    /// The number of the newest input that the runtime has taken. While the runtime is idle, it has also handled that input
    /// completely.
    public var handled: InputNumber { inputs.taken }

    /// Waits for a running erase, then performs a request on the flash chip. Afterwards, cuts and restores the power, unless
    /// the request is `.read`. Only the wait for the erase takes time on the watch's clock.
    ///
    /// - Returns: the contents of the flash after the request.
    /// - Throws: `.otherChip` if the image to load does not have the chip's layout; `.flashFailed` if the chip fails.
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
        if request != .read { losePower() }
        return image
    }

    private func replaceContents(with new: FlashImage) throws(FlashError) -> FlashImage {
        let old = try flash.readImage()
        do throws(FlashError) {
            try flash.replaceContents(with: new)
        } catch {
            // If the old contents cannot be restored either, the first error is still thrown.
            try? flash.replaceContents(with: old)
            throw error
        }
        return new
    }

    /// Closes the radio channel, and forgets what a power cut loses. The clock, the picture and the haptic log stay.
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
    /// Charges for finding the first changed line. Also charges for drawing the lines if a struck-through row disappears or the
    /// phone has sent a change.
    public func beginLines() {
        switch drawing {
        // If the wearer has opened a screen, `writeLine` charges the drawing of each line.
        case .stages, .before, .screen: break
        case .removal: execute { $0[.removal] }
        case .news: execute { $0[.news] }
        }
        execute { $0[.flush] }
    }

    /// Waits for a free transfer buffer, then sends a line through it to the panel. The picture does not change if `line` is
    /// outside the panel or `pixels` is not 18 bytes long.
    public func writeLine(_ line: Int, pixels: Span<UInt8>) {
        awaitPanel(until: panelBus.bufferFree)
        if drawing == .screen { execute { $0[.drawnLine] } }
        execute { $0[.line] }
        panelBus.transfer(at: clock.now, profile.panel)
        output.work.panelLines += 1
        output.writeLine(line, pixels: pixels)
    }

    /// Waits until the panel has received the last line.
    public func finishLines() {
        execute { $0[.meanwhile] }
        awaitPanel(until: panelBus.idle)
        // The runtime sends a screen in parts of 20 lines, so that a touch never waits for a whole screen.
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

/// The panel's bus. A DMA engine sends lines from two buffers: while it sends one buffer, the processor fills the other.
struct PanelBus {
    var lines = 0
    /// When the older of the last two transfers ends. The buffer of that transfer is then free. Nil before the second transfer.
    private(set) var bufferFree: Instant?
    /// When the newest transfer ends. Nil before the first transfer.
    private(set) var idle: Instant?

    mutating func transfer(at now: Instant, _ cost: PanelCost) {
        let length = cost.time(lines: lines + 1) - cost.time(lines: lines)
        bufferFree = idle
        idle = max(now, idle ?? now) + length
        lines += 1
    }
}

/// Why the program draws the next lines. The reason decides how much time the board charges for drawing them.
package enum DrawnLines: Sendable, Equatable {
    case stages
    /// A struck-through row disappears.
    case removal
    case news
    case screen
    /// The time to draw these lines was already charged with the previous lines.
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
        case (.datagram, .removal): self = .news
        case (.datagram, _): break
        case (.input, _): self = .screen
        case (.stage, _): self = .stages
        case (.sent, _): self = .before
        }
    }
}
