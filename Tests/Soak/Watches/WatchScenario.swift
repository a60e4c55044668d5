import DeviceModel
import PhoneHost
import Watch
import WatchLink

final class WatchScenario: Scenario {
    typealias Event = WatchEvent
    typealias Cast = WatchCast
    typealias Program = PhoneProgram
    typealias Machine = PhoneComputer

    static let name = "watches"
    static let profile = DeviceProfile.memoryLCD

    let plan: Plan<WatchScenario>
    let parts: Parts
    let simulation: Simulation
    let computers: [PhoneComputer]
    private(set) var wearers: [SimulatedWearer] = []
    /// The number of the phone that serves the watches. Its program may be down for a while.
    var served = 0
    var oracle = WatchOracle()
    var random: SplitMix64
    var touching: PendingTouch?
    /// The number of titles so far. Each new title contains its number.
    var titles = 0
    var lastComparison: Comparison?
    /// For each phone, the titles that its owner bought before the plan begins.
    var bought: [Int: [String]] = [:]
    var files: [SentFile] = []
    var folder: FileFolder?
    var hasForgottenWatch = false
    /// For each wearer, when the next event is due. `nextDue` computes this before each step.
    private var dues: [Instant?] = []

    init(_ plan: Plan<WatchScenario>, _ parts: Parts, in simulation: Simulation) {
        self.plan = plan
        self.parts = parts
        self.simulation = simulation
        random = SplitMix64(seed: plan.seed ^ 0x5EED)
        computers = plan.cast.items.indices.map {
            PhoneComputer($0, seed: plan.seed &* 31 &+ UInt64($0), clock: simulation.clock)
        }
        wearers = (0..<plan.cast.watches).map { number in
            let radio = AirRadio(
                WatchScenario.profile.radio, seed: plan.seed &+ UInt64(number), from: .start,
                connect: { [unowned self] in self.connect(number) }, tamper: parts.tamper)
            return SimulatedWearer(number, radio: radio, wiring: parts.flash, takesFiles: plan.sendsFiles)
        }
    }

    var phones: [PhoneComputer] { computers }
    func wearer(_ number: Int) -> SimulatedWearer { wearers[number % wearers.count] }
    func phone(_ number: Int) -> PhoneComputer { phones[number % phones.count] }

    static func problem(of plan: Plan<WatchScenario>) -> String? {
        let (watches, items) = (plan.cast.watches, plan.cast.items)
        let isRight =
            (1...4).contains(watches) && (1...2).contains(items.count) && items.allSatisfy { (0...500).contains($0) }
        return isRight ? nil : "a plan has 1 to 4 watches, 1 or 2 phones, and at most 500 items each"
    }

    static func smaller(_ cast: WatchCast) -> [WatchCast] {
        func changed(_ change: (inout WatchCast) -> Void) -> WatchCast {
            var smaller = cast
            change(&smaller)
            return smaller
        }
        let fewerWatches = (1..<max(cast.watches, 1)).map { count in changed { $0.watches = count } }
        let onePhone = cast.items.count > 1 ? [changed { $0.items.removeLast() }] : []
        let fewerItems = [1, 2, 3].filter { $0 < cast.items[0] }.map { count in changed { $0.items[0] = count } }
        return onePhone + fewerWatches + fewerItems
    }

    private func connect(_ watch: Int) -> AirChannel? {
        guard wearers[watch].reach == .near, let channel = phones[served].program?.open() else { return nil }
        tell("\(wearers[watch].name)'s watch connects to \(phones[served].name)")
        return channel
    }

    // MARK: Time

    func nextDue() -> Instant? {
        dues = wearers.map { $0.due(at: now) }
        return dues.reduce(nil, earlier)
    }

    func act(before horizon: Instant) {
        for (number, wearer) in wearers.enumerated() where dues[number].map({ $0 <= now }) ?? false {
            var horizon = horizon
            for (other, due) in dues.enumerated() where other != number { horizon = min(horizon, due ?? horizon) }
            advance(wearer, horizon: max(now, horizon))
        }
    }

    func carry() -> Bool {
        for file in files { file.checkFate() }
        for wearer in wearers { wearer.radio.takeFromPhone(at: now) }
        return false
    }

    private func advance(_ wearer: SimulatedWearer, horizon: Instant) {
        switch wearer.power {
        case .off(let end):
            if end <= now { turnOn(wearer) }
            return
        case .on: break
        }
        followSurroundings(of: wearer)
        guard let run = wearer.run else { return }
        if wearer.radio.carry(until: now) { run.wake(at: now) }
        if wearer.radio.isOver {
            wearer.radio.cut(at: now)
            run.wake(at: now)
        }
        if let attempt = wearer.radio.attemptDue, attempt <= now { run.wake(at: now) }
        if let due = run.due, due <= now {
            let (sent, handled) = (wearer.radio.sent, run.handled)
            // A datagram may arrive before the next work that the watch does by itself.
            let arrival = wearer.radio.nextDue(at: now) ?? horizon
            run.advance(to: max(now, min(horizon, arrival))) {
                wearer.radio.sent != sent || run.handled != handled || !wearer.flash.hasPower
            }
        }
        if touching?.watch != wearer.number { takePulses(of: wearer) }
        guard !wearer.flash.hasPower else { return }
        if wearer.isCutAgain { count(.powerCutTwice) }
        wearer.isCutAgain = false
        goDark(wearer)
    }

    private func followSurroundings(of wearer: SimulatedWearer) {
        if case .away(let end) = wearer.reach, end <= now {
            wearer.reach = .near
            wearer.radio.encourage(at: now)
            tell("\(wearer.name) is near the phone again")
        }
        if let end = wearer.noiseEnds, end <= now {
            wearer.noiseEnds = nil
            wearer.radio.change(WatchFaults(), at: now)
        }
    }

    /// Assigns a click to the wearer's last touch without a visible strike. Returns nil if there was no such touch in
    /// the 100 ms before the click. A new list from the phone may have removed the touched row before the wearer could
    /// see the strike. The wearer still takes the click as the receipt for that row.
    private func feltUnseen(on wearer: SimulatedWearer, at time: Instant) -> FeltTap? {
        guard let touch = wearer.unseen, time - touch.time <= .milliseconds(100) else { return nil }
        wearer.unseen = nil
        oracle.saw(touch.title, struckOn: wearer.number, at: touch.interrupt)
        return oracle.felt(on: wearer.number, at: time)
    }

    func takePulses(of wearer: SimulatedWearer) {
        for pulse in wearer.takePulses() {
            switch pulse.pattern {
            case .click, .success:
                let tap = oracle.felt(on: wearer.number, at: pulse.time) ?? feltUnseen(on: wearer, at: pulse.time)
                simulation.tell("\(wearer.name) feels \(tap?.title ?? "a click for nothing")", at: pulse.time)
                if let tap { judgePromptness(of: tap, at: pulse.time, on: wearer) }
            case .failure:
                let title = oracle.refused(on: wearer.number)
                simulation.tell(
                    "\(wearer.name) feels the failure\(title.map { " of \($0)" } ?? "")", at: pulse.time)
            }
        }
    }
}
