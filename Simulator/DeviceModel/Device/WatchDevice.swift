import HostSystem
import Watch
import WatchLink

/// How a wait for a condition ended, with the snapshot that it was judged by.
public enum WaitOutcome: Sendable {
    /// The condition holds.
    case met(WatchSnapshot)
    /// The deadline passed and the condition does not hold.
    case timedOut(WatchSnapshot)
    /// The watch was stopped, or has failed, and the condition does not hold.
    case stopped(WatchSnapshot)

    /// The snapshot that it was judged by.
    public var snapshot: WatchSnapshot {
        switch self {
        case .met(let snapshot), .timedOut(let snapshot), .stopped(let snapshot): snapshot
        }
    }
}

/// A running watch, as a front end sees it: it takes input and shows what it is like at the moment.
///
/// Every method may be called from every thread.
public protocol WatchDevice: Sendable {
    /// The time since the watch started.
    var now: Instant { get }

    /// What the watch is like at the moment. It never waits for the watch.
    var snapshot: WatchSnapshot { get }

    /// Readable when there is a newer snapshot: watch its descriptor in an event loop, drain it, then look at `snapshot`.
    /// It serves one event loop; anybody else uses `wait`.
    var changes: EventDescriptor { get }

    /// Gives the watch an input of the wearer's at `time`, or now where that is over.
    ///
    /// - Returns: the input's number, which `WatchSnapshot.handled` reaches when the watch has handled it.
    @discardableResult func send(_ input: Input, noSoonerThan time: Instant) -> InputNumber

    /// The number of the newest input that was sent.
    var sent: InputNumber { get }

    /// The way to the speed of its time, and to pausing it, where there is one.
    var control: ClockControl? { get }

    /// The way to its wall clock, where there is one.
    var calendar: CalendarControl? { get }

    /// The way to what is wrong with it, where there is one.
    var faults: FaultSwitches? { get }

    /// The way to a recording of its panel, where there is one.
    var recorder: PanelRecorder? { get }

    /// The way to the gauge of its battery, where there is one.
    var battery: BatteryControl? { get }

    /// Whether it can be restarted in place.
    var restarts: RestartSupport { get }

    /// Does what a request asks for once the watch has come to rest, and returns when the watch has started again. A watch
    /// that is paused goes on for as long as that takes.
    ///
    /// - Returns: what is in its flash then.
    @discardableResult func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage

    /// Waits until `condition` holds for a snapshot, the watch's clock reaches `deadline`, or the watch stops. The
    /// condition is judged at once and then for the newest snapshot whenever there is one.
    func wait(until deadline: Instant, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome

    /// Waits until `condition` holds, but no longer than `length` both on the watch's clock and on this machine's: for what takes
    /// the watch time, and the phone or this machine as well, whichever goes slower.
    func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome

    /// Stops the watch and returns when it has stopped. A second time it does nothing.
    func stop()
}

extension WatchDevice {
    /// The watch's clock goes as this machine's does.
    public func wait(patiently length: Microseconds, for condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        wait(until: now + length, for: condition)
    }

    /// Gives the watch an input of the wearer's, now.
    ///
    /// - Returns: the input's number, which `WatchSnapshot.handled` reaches when the watch has handled it.
    @discardableResult public func send(_ input: Input) -> InputNumber {
        send(input, noSoonerThan: .start)
    }

    /// Gives the watch inputs that the wearer makes at one time, or now where that is over.
    ///
    /// - Returns: the number of the last one.
    @discardableResult public func send(_ inputs: [Input], noSoonerThan time: Instant = .start) -> InputNumber {
        for input in inputs { send(input, noSoonerThan: time) }
        return sent
    }

    /// None: its time goes by itself.
    public var control: ClockControl? { nil }

    /// Whether the watch's time stands still, so that there is nothing to wait for.
    package var isPaused: Bool { control?.state.isPaused ?? false }

    /// None: its wall clock goes by itself.
    public var calendar: CalendarControl? { nil }

    /// None: nothing records it.
    public var recorder: PanelRecorder? { nil }

    /// None: nothing is wrong with it.
    public var faults: FaultSwitches? { nil }

    /// None: it says nothing of a battery.
    public var battery: BatteryControl? { nil }

    /// It cannot.
    public var restarts: RestartSupport { .impossible }

    /// Fails: it cannot be restarted.
    @discardableResult public func restart(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        throw .impossible
    }

    /// Changes what is wrong with the watch, where that can be.
    public func make(_ change: FaultChange) {
        faults?.make(change, at: now)
    }

    /// Waits until `condition` holds, but no longer than `length` on the watch's clock.
    public func wait(for length: Microseconds, until condition: (WatchSnapshot) -> Bool) -> WaitOutcome {
        wait(until: now + length, for: condition)
    }

    /// Waits until every input sent before has been handled, but no longer than `length` on the watch's clock and on this machine's.
    public func settle(within length: Microseconds = .seconds(30)) -> WaitOutcome {
        let newest = sent
        return wait(patiently: length) { $0.handled >= newest }
    }
}

extension Input {
    /// A finger comes down on the middle of the list's row at a position of the panel, 0 for the one below the title bar.
    public static func touch(row position: Int) -> Input {
        .touch(x: middle, y: middle(ofRow: position))
    }

    /// The finger lifts from the middle of a row.
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

    /// A tap on the middle of the list's row at a position of the panel, 0 for the one below the title bar.
    public static func tap(row position: Int) -> [Input] { [.touch(row: position), .lifted(row: position)] }
}
