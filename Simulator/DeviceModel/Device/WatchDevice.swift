import HostSystem
import Watch
import WatchLink

/// How a wait ended, with the snapshot that decided it.
public enum WaitOutcome: Sendable {
    case met(WatchSnapshot)
    case timedOut(WatchSnapshot)
    case stopped(WatchSnapshot)

    /// The snapshot that decided it.
    public var snapshot: WatchSnapshot {
        switch self {
        case .met(let snapshot), .timedOut(let snapshot), .stopped(let snapshot): snapshot
        }
    }
}

/// A running watch for a front end: it takes input and shows its state.
///
/// Every method may be called from every thread.
public protocol WatchDevice: Sendable {
    var now: Instant { get }

    /// The newest snapshot. Never waits for the watch.
    var snapshot: WatchSnapshot { get }

    /// Readable if there is a newer snapshot. An event loop watches the descriptor, drains it, then reads `snapshot`. Only one
    /// event loop may use it; other callers use `wait`.
    var changes: EventDescriptor { get }

    /// Gives the watch an input at `time`, or now if `time` has passed.
    ///
    /// - Returns: the input's number, which `WatchSnapshot.handled` reaches when the watch has handled it.
    @discardableResult func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber

    var sent: InputNumber { get }

    /// The speed and the pause of its time. Like the next four properties, nil if the watch does not have that.
    var control: ClockControl? { get }

    var calendar: CalendarControl? { get }

    var faults: FaultSwitches? { get }

    var recorder: PanelRecorder? { get }

    var battery: BatteryControl? { get }

    var canRestart: Bool { get }

    /// Performs a request once the watch is at rest. Returns when the watch has started again. A paused watch runs meanwhile.
    ///
    /// - Returns: the contents of its flash then.
    @discardableResult func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage

    /// Waits until `condition` holds for a snapshot, the watch's clock reaches `deadline`, or the watch stops. Checks the
    /// condition at once, and then for each new snapshot.
    func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome

    /// Waits until `condition` holds. It gives up after `length` on the watch's clock and on this machine's, whichever ends
    /// later.
    func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome

    /// Stops the watch and returns when it has stopped. A second call does nothing.
    func stop()
}

extension WatchDevice {
    /// For a watch whose clock goes as this machine's does.
    public func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        wait(until: now + length, for: condition)
    }

    /// Gives the watch an input now.
    ///
    /// - Returns: the input's number, which `WatchSnapshot.handled` reaches when the watch has handled it.
    @discardableResult public func send(_ input: Input) -> InputNumber {
        send(input, noSoonerThan: .start)
    }

    /// Gives the watch inputs at one time, or now if that has passed.
    ///
    /// - Returns: the number of the last one.
    @discardableResult public func send(_ inputs: [Input], noSoonerThan time: Instant = .start) -> InputNumber {
        for input in inputs { send(input, noSoonerThan: time) }
        return sent
    }

    /// Nil: its time cannot be controlled.
    public var control: ClockControl? { nil }

    /// Whether the watch's time stands still.
    package var isPaused: Bool { control?.state.isPaused ?? false }

    /// Nil: its wall clock cannot be controlled.
    public var calendar: CalendarControl? { nil }

    /// Nil: its panel cannot be recorded.
    public var recorder: PanelRecorder? { nil }

    /// Nil: it has no faults.
    public var faults: FaultSwitches? { nil }

    /// Nil: it reports no battery.
    public var battery: BatteryControl? { nil }

    /// False.
    public var canRestart: Bool { false }

    /// Throws `.impossible`.
    @discardableResult public func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        throw .impossible
    }

    /// Changes the watch's faults, if it has any.
    public func make(_ change: FaultChange) {
        faults?.make(change, at: now)
    }

    /// Waits until `condition` holds, at most for `length` on the watch's clock.
    public func wait(for length: Microseconds, until condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        wait(until: now + length, for: condition)
    }

    /// Waits until the watch has handled every earlier input. It gives up if the watch handles none for `length` on the watch's
    /// clock and on this machine's, whichever ends later.
    public func settle(within length: Microseconds = .seconds(30)) -> WaitOutcome {
        let newest = sent
        var last = snapshot.handled
        while true {
            let outcome = wait(patiently: length) { $0.handled >= newest }
            guard case .timedOut(let snapshot) = outcome, snapshot.handled > last else { return outcome }
            last = snapshot.handled
        }
    }
}

extension Input {
    /// A finger that comes down on the middle of a row of the panel, 0 below the title bar.
    public static func touch(row position: Int) -> Input {
        .touch(x: middle, y: middle(ofRow: position))
    }

    package static func lifted(row position: Int) -> Input {
        .lifted(x: middle, y: middle(ofRow: position))
    }

    private static var middle: Int16 { Int16(PanelGeometry.width / 2) }

    private static func middle(ofRow position: Int) -> Int16 {
        Int16(clamping: RowGeometry.rowTop(position) + RowGeometry.rowHeight / 2)
    }
}

extension Array<Input> {
    /// A tap on a pixel: the finger comes down and lifts at once.
    public static func tap(x: Int16, y: Int16) -> [Input] { [.touch(x: x, y: y), .lifted(x: x, y: y)] }

    /// A tap on the middle of a row of the panel, 0 below the title bar.
    public static func tap(row position: Int) -> [Input] { [.touch(row: position), .lifted(row: position)] }
}

/// For scripts and tests that touch as a wearer does, after reading the panel.
///
/// A touch counts for the rows that the panel had shown for a whole scan of the touch controller before its interrupt. A program
/// can touch sooner than that.
extension WatchDevice {
    /// Waits until the panel has shown the described rows for a scan of the touch controller. It waits at most a second of the
    /// watch's time, and not at all while that stands still.
    ///
    /// - Returns: `.met` with the snapshot, or why not.
    @discardableResult public func look() -> WaitOutcome {
        let limit = now + .seconds(1)
        while !isPaused, now < limit {
            let seen = snapshot
            let outcome: WaitOutcome
            if seen.isPanelCurrent {
                let from = seen.output.touchableFrom
                guard now < from else { return .met(seen) }
                outcome = wait(until: min(from, limit), for: { $0.output.touchableFrom > from || !$0.isPanelCurrent })
            } else {
                outcome = wait(until: limit, for: \.isPanelCurrent)
            }
            switch outcome {
            case .met, .timedOut: break
            case .stopped: return outcome
            }
        }
        return .timedOut(snapshot)
    }

    /// Touches the panel of the newest snapshot once the panel has shown it for a scan of the touch controller. Sends other
    /// inputs now.
    @discardableResult package func sendOnceShown(_ input: Input) -> InputNumber {
        switch input {
        case .touch: send(input, noSoonerThan: snapshot.output.touchableFrom)
        case .moved, .lifted, .crown, .press, .hold, .pairing, .wrist, .clock: send(input)
        }
    }

    /// Taps the panel of the newest snapshot, as `sendOnceShown` touches it.
    ///
    /// - Returns: the number of the last input, with which the tap begins.
    @discardableResult package func sendOnceShown(_ tap: [Input]) -> InputNumber {
        send(tap, noSoonerThan: snapshot.output.touchableFrom)
    }

    package var shownBattery: BatteryState? {
        battery?.state.shown(with: faults?.faults.supply ?? .sufficient)
    }

    /// Ends the recording and writes it.
    ///
    /// - Parameter scale: pixels of the file, across and down, for one pixel of the panel.
    package func endRecording(scale: Int = 2) -> EndedRecording {
        guard let (recording, path) = recorder?.end(at: now) else { return .none }
        do throws(DeviceModelError) {
            try HostFile.write(try recording.file(scale: scale), to: path)
            return .written(recording, path: path)
        } catch {
            return .notWritten(error, path: path)
        }
    }
}
