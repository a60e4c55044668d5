import HostSystem
import Watch
import WatchLink

/// The result of a wait on a watch, with the snapshot at which the wait ended.
public enum WaitOutcome: Sendable {
    case met(WatchSnapshot)
    case timedOut(WatchSnapshot)
    case stopped(WatchSnapshot)

    /// The snapshot at which the wait ended.
    public var snapshot: WatchSnapshot {
        switch self {
        case .met(let snapshot), .timedOut(let snapshot), .stopped(let snapshot): snapshot
        }
    }
}

/// A running watch, as a front end sees it: the front end sends inputs and reads snapshots.
///
/// Every method may be called from any thread.
public protocol WatchDevice: Sendable {
    var access: WatchAccess { get }

    var now: Instant { get }

    /// The newest snapshot. Returns at once.
    var snapshot: WatchSnapshot { get }

    /// Sends the watch an input for `time`, or for now if `time` has passed.
    ///
    /// - Returns: the input's number. When the watch has handled the input, `WatchSnapshot.handled` is at least this number.
    @discardableResult func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber

    var sent: InputNumber { get }

    /// Waits until the watch's program has nothing to do, then performs a request. Unless the request is `.read`, returns when
    /// the watch has started again. If the watch is paused, its clock runs during that time.
    ///
    /// - Returns: the contents of the flash after the request.
    @discardableResult func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage

    /// Waits until a snapshot satisfies `condition`, the watch's clock reaches `deadline`, or the watch stops. Checks the
    /// newest snapshot at once, and then each newer one.
    func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome

    /// Waits until a snapshot satisfies `condition`. Gives up when `length` has passed both on the watch's clock and on this
    /// machine's.
    func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome

    /// Stops the watch, and returns when it has stopped. Does nothing if it has already stopped.
    func stop()
}

/// The parts of a watch that its callers and its program share. A control is nil if the watch does not support it.
public struct WatchAccess: Sendable {
    let mailbox: SnapshotMailbox
    let inputs: InputQueue
    var control: ClockControl?
    var calendar: CalendarControl?
    var faults: FaultSwitches?
    var battery: BatteryControl?
}

extension WatchDevice {
    /// The newest snapshot.
    public var snapshot: WatchSnapshot { access.mailbox.snapshot }

    /// A descriptor that becomes readable when there is a newer snapshot. An event loop waits for the descriptor, drains it and
    /// reads `snapshot`. Only one event loop may use it; other callers use `wait`.
    public var changes: EventDescriptor { access.mailbox.changes }

    /// Records the watch's panel.
    public var recorder: PanelRecorder { access.mailbox.recorder }

    /// The number of the newest input that a caller sent.
    public var sent: InputNumber { access.inputs.posted }

    /// Controls the speed of the watch's clock, and pauses it. Nil if the watch does not support this.
    public var control: ClockControl? { access.control }

    /// Controls the watch's wall clock. Nil if the watch has none.
    public var calendar: CalendarControl? { access.calendar }

    /// Controls the watch's faults. Nil if the watch has none.
    public var faults: FaultSwitches? { access.faults }

    /// Controls the battery's charge. Nil if the watch reports no battery.
    public var battery: BatteryControl? { access.battery }

    package var isPaused: Bool { control?.state.isPaused ?? false }

    /// Sends the watch an input for `time`, or for now if `time` has passed. Returns the input's number.
    @discardableResult public func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber {
        let input = TimedInput(input, at: max(now, time))
        recorder.enter(input)
        return access.inputs.post(input)
    }

    /// Waits until a snapshot satisfies `condition`, or until `length` has passed on the watch's clock. `SimulatedWatch`, whose
    /// clock can run fast, replaces this method.
    public func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        wait(until: now + length, for: condition)
    }

    /// Sends the watch an input now. Returns the input's number.
    @discardableResult public func send(_ input: Input) -> InputNumber {
        send(input, noSoonerThan: .start)
    }

    /// Sends the watch several inputs for one time, or for now if `time` has passed. Returns the number of the last input.
    @discardableResult public func send(_ inputs: [Input], noSoonerThan time: Instant = .start) -> InputNumber {
        for input in inputs { send(input, noSoonerThan: time) }
        return sent
    }

    /// Changes the watch's faults. Does nothing if the watch has none.
    public func make(_ change: FaultChange) {
        faults?.make(change, at: now)
    }

    /// Waits until a snapshot satisfies `condition`, or until `length` has passed on the watch's clock.
    public func wait(for length: Microseconds, until condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        wait(until: now + length, for: condition)
    }

    /// Waits until the watch has handled every input sent so far. Gives up when the watch has handled no further input for
    /// `length`, both on its own clock and on this machine's.
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
    /// A finger that touches the middle of a row of the panel. Row 0 is below the title bar.
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
    /// A tap on a pixel: the finger touches and lifts at the same time.
    public static func tap(x: Int16, y: Int16) -> [Input] { [.touch(x: x, y: y), .lifted(x: x, y: y)] }

    /// A tap on the middle of a row of the panel. Row 0 is below the title bar.
    public static func tap(row position: Int) -> [Input] { [.touch(row: position), .lifted(row: position)] }
}

/// A touch may reach the watch one scan of the touch controller after the finger came down. So a touch counts for a new row
/// only after the panel has shown the row for one scan.
extension WatchDevice {
    /// Waits until the panel has shown the newest snapshot's rows for one scan of the touch controller. Waits at most 1 s on the
    /// watch's clock, and not at all if that clock is paused.
    ///
    /// - Returns: `.met` when the panel has shown the rows, otherwise the reason why the wait ended.
    @discardableResult public func waitUntilTouchable() -> WaitOutcome {
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
            if case .stopped = outcome { return outcome }
        }
        return .timedOut(snapshot)
    }

    /// Sends a touch when the panel has shown the newest snapshot for one scan of the touch controller. Sends any other input
    /// now.
    @discardableResult package func sendOnceShown(_ input: Input) -> InputNumber {
        guard case .touch = input else { return send(input) }
        return send(input, noSoonerThan: snapshot.output.touchableFrom)
    }

    @discardableResult package func sendOnceShown(_ tap: [Input]) -> InputNumber {
        send(tap, noSoonerThan: snapshot.output.touchableFrom)
    }

    package var shownBattery: BatteryState? {
        battery?.state.shown(with: faults?.faults.supply ?? .sufficient)
    }

    package func endRecording(scale: Int = 2) -> EndedRecording {
        guard let (recording, path) = recorder.end(at: now) else { return .none }
        do throws(DeviceModelError) {
            try HostFile.write(try recording.file(scale: scale), to: path)
            return .written(recording, path: path)
        } catch {
            return .notWritten(error, path: path)
        }
    }
}
