import HostSystem
import Watch
import WatchLink

/// Why a wait ended, with the watch's newest snapshot at that time.
public enum WaitOutcome: Sendable {
    case met(WatchSnapshot)
    case timedOut(WatchSnapshot)
    case stopped(WatchSnapshot)

    /// The newest snapshot when the wait ended.
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

    /// Sends the watch an input that happens at `time`, or now if `time` has passed.
    ///
    /// - Returns: the input's number. When the watch has handled the input, `WatchSnapshot.handled` is at least this number.
    @discardableResult func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber

    var sent: InputNumber { get }

    /// Waits until the watch's program has nothing to do, then performs a request. Unless the request is `.read`, returns when
    /// the watch has started again. If the watch is paused, its clock runs during this call.
    ///
    /// - Returns: the contents of the flash after the request.
    @discardableResult func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage

    /// Waits until a snapshot satisfies `condition`, the watch's clock reaches `deadline`, or the watch stops. Checks the
    /// newest snapshot at once and after each change. If two changes come in quick succession, it may check only the second.
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

    /// Controls the speed, pauses and single steps of the watch's clock. Nil if the watch does not support this.
    public var control: ClockControl? { access.control }

    /// Controls the watch's wall clock. Nil if the watch has none.
    public var calendar: CalendarControl? { access.calendar }

    /// Switches the watch's simulated faults on and off. Nil if the watch does not support faults.
    public var faults: FaultSwitches? { access.faults }

    /// Sets the battery state that the watch reports. Nil if the watch reports no battery.
    public var battery: BatteryControl? { access.battery }

    package var isPaused: Bool { control?.state.isPaused ?? false }

    /// Sends the watch an input that happens at `time`, or now if `time` has passed. Returns the input's number.
    @discardableResult public func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber {
        let input = TimedInput(input, at: max(now, time))
        recorder.enter(input)
        return access.inputs.post(input)
    }

    /// Waits until a snapshot satisfies `condition` or the watch stops. Gives up when `length` has passed on the watch's clock.
    /// `SimulatedWatch` has its own version, because its clock can run faster than this machine's.
    public func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        wait(until: now + length, for: condition)
    }

    /// Sends the watch an input now. Returns the input's number.
    @discardableResult public func send(_ input: Input) -> InputNumber {
        send(input, noSoonerThan: .start)
    }

    /// Sends the watch several inputs that all happen at `time`, or now if `time` has passed. Returns the number of the last
    /// input.
    @discardableResult public func send(_ inputs: [Input], noSoonerThan time: Instant = .start) -> InputNumber {
        for input in inputs { send(input, noSoonerThan: time) }
        return sent
    }

    /// Changes the watch's simulated faults. Does nothing if the watch does not support faults.
    public func make(_ change: FaultChange) {
        faults?.make(change, at: now)
    }

    /// Waits until a snapshot satisfies `condition` or the watch stops. Gives up when `length` has passed on the watch's clock.
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
    /// Makes the input of a finger that touches the middle of the list row at `position` on the panel. Position 0 is directly
    /// below the title bar.
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
    /// Makes the two inputs of a tap on a pixel: the finger touches and lifts.
    public static func tap(x: Int16, y: Int16) -> [Input] { [.touch(x: x, y: y), .lifted(x: x, y: y)] }

    /// Makes the two inputs of a tap on the middle of the list row at `position` on the panel. Position 0 is directly below the
    /// title bar.
    public static func tap(row position: Int) -> [Input] { [.touch(row: position), .lifted(row: position)] }
}

/// The touch controller may report a touch up to one scan interval after the finger came down. If the rows changed during that
/// interval, the watch applies the touch to the earlier rows. So, to touch a new row, wait for one scan interval after the
/// change.
extension WatchDevice {
    /// Waits until the watch would apply a touch to the newest snapshot's rows. Waits at most 1 s on the watch's clock. Does not
    /// wait if that clock is paused.
    ///
    /// - Returns: `.met` if a touch now applies to these rows, `.stopped` if the watch has stopped, otherwise `.timedOut`.
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

    /// Sends an input and returns at once. Delays a touch until the watch applies touches to the newest snapshot's rows. Any
    /// other input happens now.
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
