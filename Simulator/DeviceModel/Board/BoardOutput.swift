import Watch
import WatchLink

/// What has come out of a board since it started: the picture, the haptic pulses and the runtime's own reports.
public struct BoardOutput: Sendable, Equatable {
    package internal(set) var frame = PanelFrame()
    package internal(set) var linesWritten = 0
    package internal(set) var haptics = HapticLog()
    package internal(set) var taps = TapLog()
    package internal(set) var moments = MomentLog()
    package internal(set) var begunTaps = BegunTaps()
    /// Whether the board knows when the wearer feels a haptic pattern, and not only that it plays.
    package var knowsHapticTimes = true
    package internal(set) var screenChanges = 0
    /// Whether the last run of lines was as long as the parts of a screen that the runtime sends. If so, more parts may follow.
    package internal(set) var wasPartOfScreen = false
    /// The earliest time of a touch that is meant for what the panel shows. After a change the touch controller, if any, needs
    /// one scan.
    package internal(set) var touchableFrom = Instant.start
    /// The last failure of the flash journal, or nil if there was none.
    package internal(set) var journalFailure: JournalError?
    /// The wearer's first 65,536 answers to pairing requests, oldest first.
    package internal(set) var pairingAnswers: [PairingAnswer] = []
    /// Stages, messages, buttons and files that cost nothing because no table has their instructions.
    package internal(set) var uncounted: Set<String> = []
    package internal(set) var work = BoardWork()
    /// Counts all changes above except those of the work, for observers.
    package internal(set) var revision: UInt64 = 0

    package init() {}
}

extension BoardOutput {
    /// Shows the pixels of one line. A line outside the panel, or of another length than 18 bytes, is not shown.
    package mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        frame.setLine(line, to: pixels)
        linesWritten += 1
        revision += 1
    }

    package mutating func play(_ pulse: HapticPulse) {
        haptics.enter(pulse)
        revision += 1
    }

    /// Records a pattern. Its time is also the moment at which the wearer feels the running stage's tap.
    mutating func playFelt(_ pulse: HapticPulse) {
        play(pulse)
        taps.felt(at: pulse.time)
    }

    package mutating func beginTap(oneOf inputs: ClosedRange<InputNumber>) {
        begunTaps.enter(oneOf: inputs)
    }

    /// Forgets the program's reports. The program counts its taps from 1 again.
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

    /// Records a report of the runtime in the tap histories, or counts it.
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

/// The inputs that have begun a tap on a row.
package struct BegunTaps: Sendable, Equatable {
    static let capacity = 256

    /// Each range of inputs began one tap. The board does not say which input of a range it was.
    private var inputs: [ClosedRange<InputNumber>] = []

    package init() {}

    package mutating func enter(oneOf together: ClosedRange<InputNumber>) {
        inputs.append(together)
        if inputs.count > BegunTaps.capacity { inputs.removeFirst() }
    }

    /// The inputs that were reported together with this one, and how many taps they began.
    func inputs(with input: InputNumber) -> (inputs: ClosedRange<InputNumber>, taps: Int) {
        guard let together = inputs.last(where: { $0.contains(input) }) else { return (input...input, 0) }
        return (together, inputs.count { $0 == together })
    }
}

/// A haptic pattern that was played.
public struct HapticPulse: Sendable, Equatable {
    /// What was felt.
    public var pattern: HapticPattern
    /// When it began.
    public var time: Instant

    package init(_ pattern: HapticPattern, at time: Instant) {
        self.pattern = pattern
        self.time = time
    }
}

/// The haptic patterns that were played since the watch started: their number, and the last 64.
public struct HapticLog: Sendable, Equatable {
    static let capacity = 64

    /// The number of patterns since the start.
    public private(set) var count = 0
    /// The last 64, oldest first.
    public private(set) var pulses: [HapticPulse] = []

    mutating func enter(_ pulse: HapticPulse) {
        count += 1
        pulses.append(pulse)
        if pulses.count > HapticLog.capacity { pulses.removeFirst() }
    }
}

/// A wait of the wearer for something other than a tap.
package struct MomentRecord: Sendable, Equatable {
    package let moment: WatchMoment
    package let from: Instant
    /// When the panel showed the result.
    package let at: Instant

    package var length: Microseconds { at - from }
}

package struct MomentLog: Sendable, Equatable {
    static let capacity = 64

    /// Oldest first, at most `capacity`.
    package private(set) var records: [MomentRecord] = []
    /// The number of all records, including those that are no longer kept.
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

    /// The moment as a word of the script language.
    package var participle: String {
        switch self {
        case .launch: "launched"
        case .arrival: "arrived"
        case .raise: "raised"
        }
    }
}
