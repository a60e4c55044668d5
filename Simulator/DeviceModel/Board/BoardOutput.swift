import Watch
import WatchLink

/// What has come out of a board since it started: the picture, the haptic pulses and the runtime's own reports.
public struct BoardOutput: Sendable, Equatable {
    /// What the panel shows.
    public internal(set) var frame = PanelFrame()
    /// Lines that were sent to the panel.
    public internal(set) var linesWritten = 0
    /// The haptic patterns that were played.
    public internal(set) var haptics = HapticLog()
    /// The histories of the last taps.
    public internal(set) var taps = TapLog()
    /// Whether the battery had too little for something.
    public internal(set) var voltage = VoltageWarning.none
    /// How often the runtime said that its screen has changed.
    public internal(set) var screenChanges = 0
    /// The last failure of the flash journal, or nil when there was none.
    public internal(set) var journalFailure: JournalError?
    /// What the wearer has said to the digits of pairings, one after the other.
    public internal(set) var pairingAnswers: [PairingAnswer] = []
    /// What the board has done and where its time went.
    public internal(set) var work = BoardWork()
    /// Counts up with every change of anything above but the work, so that an observer sees that there is news.
    public internal(set) var revision: UInt64 = 0

    /// Nothing so far: a dark panel.
    public init() {}
}

extension BoardOutput {
    /// Shows the pixels of one line. Those of a line outside the panel, or of another length than 18 bytes, are not shown.
    public mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        frame.setLine(line, to: pixels)
        linesWritten += 1
        revision += 1
    }

    /// Enters a haptic pattern that was played.
    public mutating func play(_ pulse: HapticPulse) {
        haptics.enter(pulse)
        revision += 1
    }

    /// Enters that the battery has too little for what was to be done.
    public mutating func warnOfVoltage(at time: Instant) {
        voltage = .raised(times: voltage.times + 1, last: time)
        revision += 1
    }

    /// Enters what the wearer says to the digits of a pairing.
    public mutating func answerPairing(_ answer: PairingAnswer) {
        pairingAnswers.append(answer)
        revision += 1
    }

    /// Enters what the runtime reports into the tap histories, or counts it.
    public mutating func enter(_ event: TraceEvent) {
        switch event {
        case .mark, .stageBegan, .stageEnded: taps.enter(event)
        case .screenChanged: screenChanges += 1
        case .journalFailed(let error, _): journalFailure = error
        }
        revision += 1
    }

    /// Enters that a stage of a tap began, of which the name is known as text alone.
    public mutating func stageBegan(_ name: String, tap: TapNumber, at time: Instant) {
        taps.stageBegan(name, tap: tap, at: time)
        revision += 1
    }

    /// Enters where the time of a stage went that has just ended.
    mutating func stageSpent(_ spent: TimeSpent, _ name: String, tap: TapNumber) {
        taps.stageSpent(spent, name, tap: tap)
        revision += 1
    }

    /// Enters the instructions that a stage of a tap executed which has just ended.
    public mutating func stageExecuted(_ instructions: Int, _ name: String, tap: TapNumber) {
        taps.stageExecuted(instructions, name, tap: tap)
        revision += 1
    }

    /// Enters that a stage of a tap ended, of which the name is known as text alone.
    public mutating func stageEnded(_ name: String, tap: TapNumber, at time: Instant) {
        taps.stageEnded(name, tap: tap, at: time)
        revision += 1
    }
}

/// Whether a battery had too little for something that was to be done, which then was not.
public enum VoltageWarning: Sendable, Equatable {
    /// Never.
    case none
    /// So often, the last time at this one.
    case raised(times: Int, last: Instant)

    /// How often.
    public var times: Int {
        switch self {
        case .none: 0
        case .raised(let times, _): times
        }
    }
}
