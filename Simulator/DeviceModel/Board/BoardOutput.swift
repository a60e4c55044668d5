import Watch
import WatchLink

/// What has come out of a board since it started: the picture, the haptic pulses and the runtime's own reports.
public struct BoardOutput: Sendable, Equatable {
    /// What the panel shows.
    public internal(set) var frame = PanelFrame()
    /// Lines that were sent to the panel.
    package internal(set) var linesWritten = 0
    /// The haptic patterns that were played.
    public internal(set) var haptics = HapticLog()
    /// The histories of the last taps.
    package internal(set) var taps = TapLog()
    /// What else the wearer has waited for.
    package internal(set) var moments = MomentLog()
    /// Which inputs have begun a tap.
    package internal(set) var begunTaps = BegunTaps()
    /// Whether the times of the haptic patterns are those at which they are felt.
    package var hapticTimes = HapticTimes.known
    /// Whether the battery had too little charge for something.
    package internal(set) var voltage = VoltageWarning.none
    /// How often the runtime reported that its screen has changed.
    package internal(set) var screenChanges = 0
    /// Whether more of the screen may follow the last lines that were sent.
    package internal(set) var panelRun = PanelRun.last
    /// The earliest time of a finger that counts for what the panel shows: its last change, and a scan of the touch controller
    /// where there is one.
    package internal(set) var touchableFrom = Instant.start
    /// The last failure of the flash journal, or nil when there was none.
    public internal(set) var journalFailure: JournalError?
    /// The wearer's answers to pairing requests, oldest first: the first 65,536.
    public internal(set) var pairingAnswers: [PairingAnswer] = []
    /// The stages, and what was done for messages, buttons and files, that were charged nothing because nobody has counted them.
    package internal(set) var uncounted: Set<String> = []
    /// What the board has done and where its time went.
    package internal(set) var work = BoardWork()
    /// Counts the changes of everything above except the work, so that an observer sees that there is news.
    public internal(set) var revision: UInt64 = 0

    /// A dark panel and nothing else, as at the start.
    public init() {}
}

extension BoardOutput {
    /// Shows the pixels of one line. A line outside the panel, or of another length than 18 bytes, is not shown.
    public mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        frame.setLine(line, to: pixels)
        linesWritten += 1
        revision += 1
    }

    /// Enters a pattern that the wearer feels.
    public mutating func play(_ pulse: HapticPulse) {
        haptics.enter(pulse)
        revision += 1
    }

    /// Enters a pattern that the wearer feels at its time, and that as the time at which the tap was felt whose stage plays it.
    mutating func playFelt(_ pulse: HapticPulse) {
        play(pulse)
        taps.felt(at: pulse.time)
    }

    /// Enters a tap that one of these inputs began.
    package mutating func beginTap(oneOf inputs: ClosedRange<InputNumber>) {
        begunTaps.enter(oneOf: inputs)
    }

    /// Forgets what the program had reported, which counts its taps from 1 again.
    mutating func losePower() {
        taps = TapLog()
        moments = MomentLog()
        panelRun = .last
        journalFailure = nil
        revision += 1
    }

    /// Notes that the battery has too little charge for an operation, which is left out.
    mutating func warnOfVoltage(at time: Instant) {
        voltage = .raised(times: voltage.times + 1, last: time)
        revision += 1
    }

    /// Enters what the wearer said to the digits of a pairing.
    public mutating func answerPairing(_ answer: PairingAnswer) {
        guard pairingAnswers.count < 65_536 else { return }
        pairingAnswers.append(answer)
        revision += 1
    }

    /// Enters what the runtime reports into the tap histories, or counts it.
    public mutating func enter(_ event: TraceEvent) {
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

/// Whether the battery had too little charge for an operation, which was then left out.
package enum VoltageWarning: Sendable, Equatable {
    case none
    /// This many times, the last one at `last`.
    case raised(times: Int, last: Instant)

    var times: Int {
        switch self {
        case .none: 0
        case .raised(let times, _): times
        }
    }
}

/// Whether the times of a board's haptic patterns are those at which they are felt.
package enum HapticTimes: Sendable, Equatable {
    /// They are.
    case known
    /// The board says that it plays a pattern, and not when.
    case unknown
}
