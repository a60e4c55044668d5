import Watch
import WatchLink

/// The output of a board since the board started: the panel's picture, the haptic patterns, and the events that the watch's
/// runtime reported.
public struct BoardOutput: Sendable, Equatable {
    package internal(set) var frame = PanelFrame()
    package internal(set) var linesWritten = 0
    package internal(set) var haptics = HapticLog()
    package internal(set) var taps = TapLog()
    package internal(set) var moments = MomentLog()
    package internal(set) var begunTaps = BegunTaps()
    package internal(set) var screenChanges = 0
    /// True if the runtime's last batch of lines for the panel had exactly 20 lines. A batch has at most 20 lines, so more
    /// lines of the same screen may follow.
    package var wasPartOfScreen = false
    /// From this time on, a touch refers to the present picture. The time is the panel's last change plus the touch
    /// controller's longest scan interval.
    package internal(set) var touchableFrom = Instant.start
    /// Why the journal (the watch's log in flash) failed. Nil if it has not failed.
    package internal(set) var journalFailure: JournalError?
    /// The wearer's decisions about pairing, oldest first: answers to a phone's request, and permissions for phones to pair.
    /// Decisions after the first 65,536 are not recorded.
    package internal(set) var pairingAnswers: [PairingAnswer] = []
    /// The names of the stages, messages, buttons and files whose code took no simulated time, because the count table has no
    /// entry for them.
    package internal(set) var uncounted: Set<String> = []
    package var work = BoardWork()
    /// Increases when the output changes, unless only `work` changes. If it has increased, the simulator publishes a new
    /// snapshot.
    package internal(set) var revision: UInt64 = 0

    package init() {}
}

extension BoardOutput {
    /// Replaces a line of the picture. The picture does not change if `line` is outside the panel or `pixels` is not 18 bytes
    /// long.
    package mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        frame.setLine(line, to: pixels)
        linesWritten += 1
        revision += 1
    }

    package mutating func play(_ pulse: HapticPulse) {
        haptics.enter(pulse)
        revision += 1
    }

    /// Plays a pattern that the watch orders at `now`.
    package mutating func playFelt(_ pattern: HapticPattern, at now: Instant, _ cost: HapticCost) {
        let pulse = HapticPulse(pattern, at: now + cost.start)
        play(pulse)
        taps.felt(at: cost.felt(pulse))
    }

    package mutating func beginTap(_ input: InputNumber) {
        begunTaps.enter(input)
    }

    /// Removes the recorded taps, the wearer's recorded waits and the journal's failure. After a restart, the program numbers
    /// its taps from 1 again.
    mutating func losePower() {
        taps = TapLog()
        moments = MomentLog()
        wasPartOfScreen = false
        journalFailure = nil
        revision += 1
    }

    package mutating func answerPairing(_ answer: PairingAnswer) {
        guard pairingAnswers.count < 65_536 else { return }
        pairingAnswers.append(answer)
        revision += 1
    }

    package mutating func enter(_ event: TraceEvent) {
        switch event {
        case .mark, .stageBegan, .stageEnded: taps.enter(event)
        case .screenChanged(let time):
            screenChanges += 1
            touchableFrom = time
        case .moment(let moment, let from, let at):
            moments.enter(MomentRecord(moment: moment, from: from, at: at))
        case .journalFailed(let error, _): journalFailure = error
        }
        revision += 1
    }

    package mutating func endStage(_ name: String, _ tap: TapNumber, at time: Instant, since before: BoardWork?) {
        let work = work
        change(tap) { $0.stageEnded(name, at: time, work, since: before) }
    }

    package mutating func change(_ tap: TapNumber, _ change: (inout TapHistory) -> Void) {
        taps.change(tap, change)
        revision += 1
    }
}

/// The numbers of the inputs that began a tap on a row, at most the newest 256.
package struct BegunTaps: Sendable, Equatable {
    static let capacity = 256

    private var inputs: [InputNumber] = []

    package init() {}

    package mutating func enter(_ input: InputNumber) {
        inputs.append(input)
        if inputs.count > BegunTaps.capacity { inputs.removeFirst() }
    }

    func contains(_ input: InputNumber) -> Bool { inputs.contains(input) }
}

/// A haptic pattern that the watch played.
public struct HapticPulse: Sendable, Equatable {
    /// The pattern.
    public var pattern: HapticPattern
    /// When the motor begins to move. The delay until the wearer feels the movement is the profile's `HapticCost.rise`.
    public var time: Instant

    package init(_ pattern: HapticPattern, at time: Instant) {
        self.pattern = pattern
        self.time = time
    }
}

/// The haptic patterns of a watch: the total number, and the last 64. A restart of the watch does not clear the log.
public struct HapticLog: Sendable, Equatable {
    static let capacity = 64

    /// The total number of patterns. A restart of the watch does not reset it.
    public private(set) var count = 0
    /// The last 64 patterns, oldest first.
    public private(set) var pulses: [HapticPulse] = []

    mutating func enter(_ pulse: HapticPulse) {
        count += 1
        pulses.append(pulse)
        if pulses.count > HapticLog.capacity { pulses.removeFirst() }
    }
}

/// One wait of the wearer for the panel. The wait began at the time `from`. It ended at the time `at`, when the panel showed
/// what the wearer waited for, for example the list.
package struct MomentRecord: Sendable, Equatable {
    package let moment: WatchMoment
    package let from: Instant
    package let at: Instant

    package var length: Microseconds { at - from }
}

package struct MomentLog: Sendable, Equatable {
    static let capacity = 64

    package private(set) var records: [MomentRecord] = []
    package private(set) var count = 0

    mutating func enter(_ record: MomentRecord) {
        records.append(record)
        count += 1
        if records.count > MomentLog.capacity { records.removeFirst() }
    }
}

extension WatchMoment {
    package static let all: [WatchMoment] = [.launch, .arrival, .raise]

    package var label: String {
        switch self {
        case .launch: "launch"
        case .arrival: "arrival"
        case .raise: "raise"
        }
    }

    /// The word for the moment in a script, such as `launched` in `expect launched within 1s`.
    package var participle: String {
        switch self {
        case .launch: "launched"
        case .arrival: "arrived"
        case .raise: "raised"
        }
    }
}
