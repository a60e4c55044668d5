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
    /// Whether the last lines were only a part of a screen. The runtime sends a whole screen in parts of 20 lines.
    package var wasPartOfScreen = false
    /// From this time on, touches refer to the present picture. It is one scan of the touch controller after the panel's last
    /// change.
    package internal(set) var touchableFrom = Instant.start
    /// Why the journal (the watch's log in flash) failed. Nil if it has not failed.
    package internal(set) var journalFailure: JournalError?
    /// The wearer's first 65,536 answers to pairing requests, oldest first.
    package internal(set) var pairingAnswers: [PairingAnswer] = []
    /// Stages, messages, buttons and files whose instruction counts are in no table. They took no simulated time.
    package internal(set) var uncounted: Set<String> = []
    package var work = BoardWork()
    /// Increases with every change of the output except `work`. Observers compare it.
    package internal(set) var revision: UInt64 = 0

    package init() {}
}

extension BoardOutput {
    /// Ignores a line outside the panel, and one that is not 18 bytes long.
    package mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        frame.setLine(line, to: pixels)
        linesWritten += 1
        revision += 1
    }

    package mutating func play(_ pulse: HapticPulse) {
        haptics.enter(pulse)
        revision += 1
    }

    package mutating func playFelt(_ pulse: HapticPulse) {
        play(pulse)
        taps.felt(at: pulse.time)
    }

    package mutating func beginTap(_ input: InputNumber) {
        begunTaps.enter(input)
    }

    /// Forgets the taps, because the program counts them from 1 again after a restart.
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

/// The newest 256 inputs that began a tap on a row.
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

/// A wait of the wearer for the panel, for example until the list has opened.
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

    /// The moment as a word of the script language.
    package var participle: String {
        switch self {
        case .launch: "launched"
        case .arrival: "arrived"
        case .raise: "raised"
        }
    }
}
