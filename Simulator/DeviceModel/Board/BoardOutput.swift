import Watch
import WatchLink

/// The output of a board since it started: the picture, the haptic patterns and the runtime's reports.
public struct BoardOutput: Sendable, Equatable {
    package internal(set) var frame = PanelFrame()
    package internal(set) var linesWritten = 0
    package internal(set) var haptics = HapticLog()
    package internal(set) var taps = TapLog()
    package internal(set) var moments = MomentLog()
    package internal(set) var begunTaps = BegunTaps()
    package internal(set) var screenChanges = 0
    /// Whether the newest lines may be only a part of the screen. The runtime sends a whole screen in parts of 20 lines.
    package var wasPartOfScreen = false
    /// The earliest time at which a touch means what the panel shows now. This is the time of the panel's last change, plus one
    /// scan if the board has a touch controller.
    package internal(set) var touchableFrom = Instant.start
    /// The last failure of the journal, the watch's log in flash. Nil if it has not failed.
    package internal(set) var journalFailure: JournalError?
    /// The wearer's first 65,536 answers to pairing requests, oldest first.
    package internal(set) var pairingAnswers: [PairingAnswer] = []
    /// Stages, messages, buttons and files that took no simulated time because no table has their instruction counts.
    package internal(set) var uncounted: Set<String> = []
    package var work = BoardWork()
    /// Increases with every change above, except changes of `work`. Observers compare it.
    package internal(set) var revision: UInt64 = 0

    package init() {}
}

extension BoardOutput {
    /// Shows the pixels of one line. Ignores a line outside the panel or with another length than 18 bytes.
    package mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        frame.setLine(line, to: pixels)
        linesWritten += 1
        revision += 1
    }

    package mutating func play(_ pulse: HapticPulse) {
        haptics.enter(pulse)
        revision += 1
    }

    /// Records a haptic pattern with the time at which the wearer feels it. If a stage of a tap is running, the wearer feels that
    /// tap at the same time.
    package mutating func playFelt(_ pulse: HapticPulse) {
        play(pulse)
        taps.felt(at: pulse.time)
    }

    package mutating func beginTap(_ input: InputNumber) {
        begunTaps.enter(input)
    }

    /// Removes the program's reports. After a restart, the program counts its taps from 1 again.
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

    /// Adds a report of the runtime to the tap histories or counters.
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

    package mutating func change(_ tap: TapNumber, _ change: (inout TapHistory) -> Void) {
        taps.change(tap, change)
        revision += 1
    }
}

/// The inputs that began a tap on a row, from the newest reports of the board.
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
    /// The time at which it began.
    public var time: Instant

    package init(_ pattern: HapticPattern, at time: Instant) {
        self.pattern = pattern
        self.time = time
    }
}

/// The haptic patterns since the watch started: the total number, and the last 64.
public struct HapticLog: Sendable, Equatable {
    static let capacity = 64

    /// The number of patterns since the watch started.
    public private(set) var count = 0
    /// The last 64 patterns, oldest first.
    public private(set) var pulses: [HapticPulse] = []

    mutating func enter(_ pulse: HapticPulse) {
        count += 1
        pulses.append(pulse)
        if pulses.count > HapticLog.capacity { pulses.removeFirst() }
    }
}

/// A wait of the wearer for something other than a tap, such as the opening of the list.
package struct MomentRecord: Sendable, Equatable {
    package let moment: WatchMoment
    package let from: Instant
    /// The time at which the panel showed the result.
    package let at: Instant

    package var length: Microseconds { at - from }
}

package struct MomentLog: Sendable, Equatable {
    static let capacity = 64

    /// The newest records, oldest first. At most `capacity`.
    package private(set) var records: [MomentRecord] = []
    /// The number of all records, including those that were dropped.
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

    /// The kind of wait, as a word of the script language.
    package var participle: String {
        switch self {
        case .launch: "launched"
        case .arrival: "arrived"
        case .raise: "raised"
        }
    }
}
