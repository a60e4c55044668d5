import DeviceModel
import PhoneHost
import Watch
import WatchLink

/// Watches, phones and the air between them on one virtual clock. It has a plan happen, and an oracle look on.
final class World {
    let plan: Plan
    let parts: WorldParts
    let pump: JobPump
    let disk: VirtualDisk
    private(set) var now = Instant.start
    let phones: [Phone]
    private(set) var wrists: [Wrist] = []
    /// The phone whose program is on the socket, or will be again.
    var served = 0
    /// When it is started again; nil while it runs.
    var hostStarts: Instant?
    /// What becomes of the phone when its program has been killed.
    var outage = Outage(loss: .program, milliseconds: 500)
    var oracle = Oracle()
    var story: Story
    var violation: Violation?
    var random: SplitMix64
    var counts: [FaultKind: Int] = [:]
    /// What the disk last had trouble with.
    var diskTrouble = DiskProcess.Trouble.failing
    /// The lines in the phones' logs at earlier moments of the last minute.
    var logCounts: [(time: Instant, lines: [Int])] = []
    /// A touch whose effect has not been seen yet.
    var touching: WristTouch?
    /// The titles so far, for new ones.
    var titles = 0
    var lastSight: Sight?
    /// What the owner of each phone had bought before the beginning.
    var bought: [Int: [String]] = [:]
    /// The files that owners have sent, and where they are until they are there; nil before the first.
    var files: [SentFile] = []
    var folder: FileFolder?
    /// Whether a phone has forgotten a watch.
    var forgetting = FileOracle.Forgetting.never
    private var moves = 0

    /// How a phone's program ends.
    struct Outage {
        enum Loss {
            /// The program alone.
            case program
            /// The machine, with what it had not synced.
            case power
        }

        var loss: Loss
        var milliseconds: Int
    }

    static let profile = DeviceProfile.memoryLCD

    init(_ plan: Plan, parts: WorldParts, pump: JobPump, disk: VirtualDisk, story: Story) {
        self.plan = plan
        self.parts = parts
        self.pump = pump
        self.disk = disk
        self.story = story
        random = SplitMix64(seed: plan.seed ^ 0x5EED)
        phones = plan.items.indices.map {
            Phone($0, seed: plan.seed &* 31 &+ UInt64($0))
        }
        wrists = (0..<plan.watches).map { number in
            let radio = AirRadio(
                World.profile.radio, seed: plan.seed &+ UInt64(number), from: .start,
                in: AirRadio.Surroundings(
                    connect: { [unowned self] in self.connect(number) }, tamper: parts.tamper))
            return Wrist(
                number, plan.sendsFiles ? Wrist.geometryWithFiles : Wrist.geometry, radio: radio, wiring: parts.flash)
        }
    }

    func tell(_ text: @autoclosure () -> String) { story.tell(now, text()) }

    func count(_ fault: FaultKind) { counts[fault, default: 0] += 1 }

    func fail(_ promise: Promise, _ what: String) {
        guard violation == nil else { return }
        violation = Violation(promise: promise, what: what)
        tell("VIOLATION (\(promise.rawValue)): \(what)")
    }

    /// A channel for a watch to the phone in its reach, if there is one.
    private func connect(_ watch: Int) -> AirChannel? {
        guard wrists[watch].reach == .near, let channel = phones[served].run?.open() else { return nil }
        tell("\(wrists[watch].name)'s watch connects to \(phones[served].name)")
        wrists[watch].connections.append(now)
        return channel
    }

    // MARK: Time

    /// Runs until `end`, or until a promise is broken.
    func run(until end: Instant) {
        while violation == nil, step(until: end) {}
    }

    /// Runs for a length of time.
    func run(for length: Microseconds) { run(until: now + length) }

    /// Makes the next thing happen that is due by `end`; moves there where there is none. Returns whether there was one.
    @discardableResult
    func step(until end: Instant) -> Bool {
        settle()
        let dues = wrists.map { $0.due(at: now) }
        let host = earlier(phones[served].run?.clock.nextDeadline, hostStarts)
        let next = dues.reduce(host, earlier)
        guard let next, next <= end else {
            move(to: max(now, end))
            return false
        }
        move(to: max(now, next))
        if let hostStarts, hostStarts <= now { startHost() }
        settle()
        for (number, wrist) in wrists.enumerated() where dues[number].map({ $0 <= now }) ?? false {
            var horizon = host.map { min($0, end) } ?? end
            for (other, due) in dues.enumerated() where other != number { horizon = min(horizon, due ?? horizon) }
            advance(wrist, horizon: max(now, horizon))
        }
        settle()
        return true
    }

    private func move(to time: Instant) {
        moves = time == now ? moves + 1 : 0
        if moves > 20_000 { fail(.boundedCost, "something never comes to rest") }
        now = time
        for phone in phones {
            phone.wallClock.advance(to: time)
            phone.run?.clock.advance(to: time)
        }
    }

    /// Lets the phone's program do what there is to do, and puts on the air what it has sent.
    func settle() {
        pump.run()
        if let run = phones[served].run, !run.process.isRunning { bury(run) }
        for file in files { file.hear() }
        for wrist in wrists { wrist.radio.takeFromPhone(at: now) }
    }

    private func advance(_ wrist: Wrist, horizon: Instant) {
        switch wrist.power {
        case .off(let end):
            if end <= now { turnOn(wrist) }
            return
        case .on: break
        }
        followSurroundings(of: wrist)
        guard let run = wrist.run else { return }
        if wrist.radio.carry(until: now) { run.wake(at: now) }
        if wrist.radio.isOver {
            wrist.radio.cut(at: now)
            run.wake(at: now)
        }
        if let attempt = wrist.radio.attemptDue, attempt <= now { run.wake(at: now) }
        if let due = run.due, due <= now {
            let (sent, handled) = (wrist.radio.sent, run.handled)
            // What is on its way to the watch may come before the next thing that it does by itself.
            let arrival = wrist.radio.nextDue(at: now) ?? horizon
            run.advance(to: max(now, min(horizon, arrival))) {
                wrist.radio.sent != sent || run.handled != handled || !wrist.flash.hasPower
            }
        }
        if touching?.watch != wrist.number { takePulses(of: wrist) }
        if !wrist.flash.hasPower { goDark(wrist) }
    }

    private func followSurroundings(of wrist: Wrist) {
        if case .away(let end) = wrist.reach, end <= now {
            wrist.reach = .near
            wrist.radio.encourage(at: now)
            tell("\(wrist.name) is near the phone again")
        }
        if let end = wrist.noiseEnds, end <= now {
            wrist.noiseEnds = nil
            wrist.radio.change(WatchFaults(), at: now)
        }
    }

    /// The click for a touch whose row went from the panel as soon as it was struck, because the phone sent the list anew:
    /// the wearer meant that row, and takes the click for its receipt.
    private func feltUnseen(on wrist: Wrist, at time: Instant) -> Tap? {
        guard let touch = wrist.unseen, time - touch.time <= .milliseconds(100) else { return nil }
        wrist.unseen = nil
        oracle.saw(touch.title, struckOn: wrist.number, at: touch.interrupt)
        return oracle.felt(on: wrist.number, at: time)
    }

    /// Tells the oracle what the wearer has felt.
    func takePulses(of wrist: Wrist) {
        for pulse in wrist.takePulses() {
            switch pulse.pattern {
            case .click, .success:
                let tap = oracle.felt(on: wrist.number, at: pulse.time) ?? feltUnseen(on: wrist, at: pulse.time)
                story.tell(pulse.time, "\(wrist.name) feels \(tap?.title ?? "a click for nothing")")
                if let tap { judgePromptness(of: tap, at: pulse.time, on: wrist) }
            case .failure:
                let title = oracle.refused(on: wrist.number)
                story.tell(pulse.time, "\(wrist.name) feels the failure\(title.map { " of \($0)" } ?? "")")
            }
        }
    }
}
