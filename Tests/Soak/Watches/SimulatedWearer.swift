import DeviceModel
import Watch
import WatchLink

/// A wearer and a watch: its flash, its radio, its program while it has power, and what the wearer notices.
final class SimulatedWearer {
    enum Power {
        case on(any WearerProgram)
        /// It gets power again at this time.
        case off(until: Instant)
    }

    enum Reach: Equatable {
        case near
        case away(until: Instant)
    }

    let number: Int
    let name: String
    let flash: WearerFlash
    let radio: AirRadio
    var power = Power.off(until: .start)
    var reach = Reach.near
    /// When the radio noise ends; nil without noise.
    var noiseEnds: Instant?
    var starts = 0
    /// The number of times that it got power, including interrupted starts.
    var attempts = 0
    /// The number of runs in which its chip stored nothing.
    var wornRuns = 0
    /// The number of flash operations until the next loss of power.
    var secondCut: Int?
    /// Whether another loss of power is planned since its start.
    var isCutAgain = false
    var outage = Microseconds.milliseconds(500)
    /// The haptic patterns that the wearer has felt since it started, and the number at which the power failed.
    var pulsesFelt = 0
    private var pulsesAtCut: Int?
    var saved: (image: [UInt8], moment: Int)?
    /// The last touch without a visible strike.
    var unseen: PendingTouch?
    /// By how many seconds its wall clock is forward.
    var clockShift = 0
    private(set) var notices: [String] = []

    let files: ShownFiles
    private static let names = ["Ann", "Bob", "Cleo", "Dan"]
    static let geometry = FlashGeometry(sectorCount: 16)
    /// The same for the journal, with room for two files.
    static let geometryWithFiles = FlashGeometry(sectorCount: 22, fileSectorCount: 6)

    init(_ number: Int, radio: AirRadio, wiring: WearerFlash.Wiring, takesFiles: Bool) {
        self.number = number
        name = SimulatedWearer.names[number]
        files = ShownFiles(of: name)
        self.radio = radio
        flash = WearerFlash(
            takesFiles ? SimulatedWearer.geometryWithFiles : SimulatedWearer.geometry, wiring: wiring)
        radio.power = { [flash] in flash.hasPower }
        flash.lostPower = { [unowned self] in self.pulsesAtCut = self.run?.haptics.count }
    }

    var run: (any WearerProgram)? {
        switch power {
        case .on(let run): run
        case .off: nil
        }
    }

    func due(at now: Instant) -> Instant? {
        switch power {
        case .off(let end): return end
        case .on(let run):
            // It notices that an attempt is due when it is not busy.
            let attempt = radio.attemptDue.map { max($0, run.now) }
            var due = earlier(earlier(run.due, radio.nextDue(at: now)), earlier(attempt, noiseEnds))
            if radio.isOver { due = now }
            if case .away(let end) = reach { due = min(due ?? end, end) }
            return due.map { max($0, now) }
        }
    }

    private var pulsesPlayed: Int {
        guard let count = run?.haptics.count else { return 0 }
        return min(count, pulsesAtCut ?? count)
    }

    /// Whether the wearer has felt a pattern since the last `takePulses`.
    var hasPulsed: Bool { pulsesPlayed > pulsesFelt }

    /// The patterns that the wearer has felt since the last call.
    func takePulses() -> [HapticPulse] {
        guard let log = run?.haptics, hasPulsed else { return [] }
        let count = pulsesPlayed
        let missed = log.count - log.pulses.count
        let pulses = Array(log.pulses[max(0, pulsesFelt - missed)..<max(0, count - missed)])
        pulsesFelt = count
        return pulses
    }

    func note(_ screen: ScreenDescription) {
        guard let line = screen.noticeLine, notices.last != line else { return }
        notices.append(line)
    }

    func turnOn(_ run: any WearerProgram) {
        power = .on(run)
        starts += 1
        pulsesFelt = 0
        pulsesAtCut = nil
    }
}

/// A touch of a row that a wearer has begun.
struct PendingTouch {
    var watch: Int
    var deed: FeltTap.Deed
    /// The row's title when the wearer looked.
    var title: String
    var time: Instant
    var interrupt: Instant
}
