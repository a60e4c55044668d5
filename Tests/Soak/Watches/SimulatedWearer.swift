import DeviceModel
import Watch
import WatchLink

/// A wearer and a watch, with the watch's flash, radio and program, and what the wearer notices.
final class SimulatedWearer {
    enum Power {
        case on(any WearerProgram)
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
    var noiseEnds: Instant?
    var starts = 0
    /// The number of times that the watch got power, including interrupted starts.
    var attempts = 0
    /// The number of runs of the program with a worn-out chip, which stores nothing.
    var wornRuns = 0
    /// The number of flash operations after the next start until the power fails again; nil if it will not fail again.
    var secondCut: Int?
    /// Whether the second loss of power, from `secondCut`, is planned for the current run.
    var isCutAgain = false
    var outage = Microseconds.milliseconds(500)
    /// The number of haptic patterns that the wearer has felt since the watch started.
    var pulsesFelt = 0
    private var pulsesAtCut: Int?
    var saved: (image: [UInt8], moment: Int)?
    /// The last touch after which the wearer did not see the row struck through.
    var unseen: PendingTouch?
    /// The seconds by which the watch's wall clock is ahead; negative if it is behind.
    var clockShift = 0
    private(set) var notices: [String] = []

    let files: ShownFiles
    private static let names = ["Ann", "Bob", "Cleo", "Dan"]
    static let geometry = FlashGeometry(sectorCount: 16)
    /// `geometry` with six more sectors, for two files.
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
            // A busy watch notices only later that an attempt to connect is due.
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

    var hasPulsed: Bool { pulsesPlayed > pulsesFelt }

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

/// A touch whose effect the wearer has not seen yet.
struct PendingTouch {
    var watch: Int
    var deed: FeltTap.Deed
    /// The row's title when the wearer looked at the panel.
    var title: String
    var time: Instant
    var interrupt: Instant
}
