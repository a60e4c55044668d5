import DeviceModel
import WatchLink
import Wormhole

/// Two ends of a wormhole pass messages and files over a link, with every kind of delivery.
final class DeliveryScenario: Scenario {
    typealias Event = DeliveryEvent
    typealias Cast = DeliveryCast
    typealias Program = EndProgram

    final class Machine: Computer<EndProgram> {
        let end: LinkEnd
        let folder: FileFolder

        init(_ end: LinkEnd, seed: UInt64, clock: SimulationClock) {
            self.end = end
            folder = FileFolder(end.rawValue)
            super.init("the \(end)", folder: end.rawValue, seed: seed, clock: clock)
        }
    }

    static let name = "deliveries"

    let plan: Plan<DeliveryScenario>
    let parts: Parts
    let simulation: Simulation
    let computers: [Machine]
    let facts = DeliveryFacts()
    var wires: [Wire] = []
    var delay = Microseconds.milliseconds(5)
    /// When the ends can reach each other again; nil while they can.
    private var partedUntil: Instant?
    var intents = Intents()
    private var random: SplitMix64
    /// The ends whose disk may have no room for files.
    var fullEnds: Set<LinkEnd> = []
    /// The number of facts at the end of `probe()`. The later facts show whether its notifications arrive.
    var factsBeforeProbes = 0

    init(_ plan: Plan<DeliveryScenario>, _ parts: Parts, in simulation: Simulation) {
        self.plan = plan
        self.parts = parts
        self.simulation = simulation
        random = SplitMix64(seed: plan.seed ^ 0xDE11_7E2)
        computers = LinkEnd.allCases.enumerated().map { number, end in
            Machine(end, seed: plan.seed &* 77 &+ 5 &+ UInt64(number), clock: simulation.clock)
        }
    }

    func side(_ end: LinkEnd) -> Machine {
        switch end {
        case .phone: computers[0]
        case .watch: computers[1]
        }
    }

    // MARK: The programs

    func begin() {
        for side in computers {
            disk.restore(DatabaseTemplate.messages.image(at: side.path), in: side.directory)
            start(side)
        }
        run(until: Instant(microseconds: 250_000))
    }

    func launch(_ side: Machine, _ process: DiskProcess) throws -> EndProgram {
        process.fileFailed = { [weak simulation] in simulation?.count(.filesFull) }
        return try EndProgram(
            of: side, process, simulation.clock, executor, seenBy: facts, store: parts.store,
            connect: { [unowned self] in self.connect() })
    }

    private func connect() -> AirChannel? {
        if let end = partedUntil {
            guard end <= now else { return nil }
            partedUntil = nil
        }
        guard let phone = side(.phone).program, phone.process.isRunning, side(.watch).program != nil else {
            return nil
        }
        let wire = Wire(tamper: parts.tamper)
        wires.append(wire)
        phone.endpoint.accept(wire.channel(of: .phone))
        tell("the watch connects")
        return wire.channel(of: .watch)
    }

    func ending(_ side: Machine, _ loss: Loss) {
        guard case .power = loss else { return }
        // A machine without power says nothing to the other end.
        for wire in wires where wire.channel(of: side.end).isOpen {
            for end in LinkEnd.allCases { wire.deafen(end) }
        }
    }

    func ended(_ side: Machine, _ loss: Loss?) {
        intents.forgets(side.end)
        if case .power? = loss { side.folder.losePower(&random) }
    }

    // MARK: The link

    func nextDue() -> Instant? { wires.reduce(nil) { earlier($0, $1.nextDue) } }

    func carry() -> Bool {
        var isNews = false
        for wire in wires {
            if wire.takeSent(at: now, delay: delay) { isNews = true }
            if wire.carry(at: now) { isNews = true }
        }
        wires.removeAll { $0.isOver && $0.isEmpty }
        return isNews
    }

    func part(for milliseconds: Int) {
        for wire in wires { wire.cut() }
        partedUntil = now + Microseconds(milliseconds: milliseconds)
        happened(.away, "the ends are out of reach for \(milliseconds) ms")
    }

    func heal() {
        healComputers()
        partedUntil = nil
        delay = .milliseconds(5)
    }
}
