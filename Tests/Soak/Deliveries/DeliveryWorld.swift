import WatchLink
import Wormhole

/// Two ends of a wormhole and the link between them on one virtual clock. It has a plan happen, and an oracle look on.
final class DeliveryWorld {
    /// One end: its disk and its files, and its program while that runs.
    final class Side {
        let end: WormholeEnd
        let folder: FileFolder
        let log = HostLog()
        var run: EndRun?
        /// When its program is started again; nil while it runs.
        var starts: Instant?
        /// What becomes of it when its program was killed.
        var outage = (loss: DeliveryHappening.Loss.nothing, milliseconds: 500)

        init(_ end: WormholeEnd) {
            self.end = end
            folder = FileFolder(end.rawValue)
        }

        var directory: String { VirtualDisk.root + end.rawValue + "/" }
        var path: String { directory + "messages.db" }
    }

    let plan: DeliveryPlan
    let parts: DeliveryParts
    let pump: JobPump
    let disk: VirtualDisk
    let facts = DeliveryFacts()
    let day = SharedDay()
    private(set) var now = Instant.start
    private let sides: [Side]
    var wires: [Wire] = []
    private var links = 0
    private var arrivedContent = ArrivedContent()
    /// How long a datagram takes.
    var delay = Microseconds.milliseconds(5)
    /// When the ends are in reach of one another again; nil while they are.
    var partedUntil: Instant?
    var intents = Intents()
    var story: Story
    var violation: Violation?
    var random: SplitMix64
    var counts: [DeliveryFault: Int] = [:]
    /// The ends that may have no room for files.
    var fullEnds: Set<WormholeEnd> = []
    /// What was delivered, of each kind.
    var delivered: [String: Int] = [:]
    /// The facts before the last questions and notifications, which have to have come of something.
    var probed = 0
    private let numbers: DrawnNumbers
    private var lastNumber = 0
    private var moves = 0

    init(_ plan: DeliveryPlan, parts: DeliveryParts, pump: JobPump, disk: VirtualDisk, story: Story) {
        self.plan = plan
        self.parts = parts
        self.pump = pump
        self.disk = disk
        self.story = story
        random = SplitMix64(seed: plan.seed ^ 0xDE11_7E2)
        numbers = DrawnNumbers(seed: plan.seed &* 77 &+ 5)
        sides = WormholeEnd.allCases.map(Side.init)
    }

    func side(_ end: WormholeEnd) -> Side {
        switch end {
        case .phone: sides[0]
        case .watch: sides[1]
        }
    }

    /// A number that nothing had before.
    func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func tell(_ text: @autoclosure () -> String) { story.tell(now, text()) }

    func count(_ fault: DeliveryFault) { counts[fault, default: 0] += 1 }

    func fail(_ violation: Violation) {
        guard self.violation == nil else { return }
        self.violation = violation
        tell("VIOLATION (\(violation.promise.rawValue)): \(violation.what)")
    }

    /// The lines of both programs' logs.
    var logLines: [String] { sides.flatMap { side in side.log.lines.map { "\(side.end): \($0)" } } }

    // MARK: The programs

    func begin() {
        for side in sides {
            disk.restore(StoreTemplate.image(at: side.path), in: side.directory)
            start(side)
        }
        run(until: Instant(microseconds: 250_000))
    }

    private func start(_ side: Side) {
        side.starts = nil
        let outside = EndRun.Surroundings(
            end: side.end, path: side.path, folder: side.folder, facts: facts, log: side.log, parts: parts,
            random: numbers, day: day, connect: { [unowned self] in self.connect() })
        do throws(WormholeError) {
            side.run = try EndRun(outside, on: disk, at: now, pump: pump)
            tell("the \(side.end)'s program starts")
        } catch {
            tell("the \(side.end)'s program cannot start: \(error)")
            side.starts = now + .seconds(1)
        }
    }

    /// A channel of the watch's to the phone.
    private func connect() -> AirChannel? {
        if let end = partedUntil {
            guard end <= now else { return nil }
            partedUntil = nil
        }
        guard let phone = side(.phone).run, phone.process.isRunning, let watch = side(.watch).run else { return nil }
        links += 1
        let wire = Wire(links, tamper: parts.tamper)
        wires.append(wire)
        watch.open(wire.channel(of: .watch))
        phone.offer(wire.channel(of: .phone))
        tell("the watch connects")
        return wire.channel(of: .watch)
    }

    func stop(_ side: Side) {
        guard let run = side.run else { return }
        run.stop(pump)
        noteFailures(of: run)
        disk.release(run.process)
        side.run = nil
        intents.forgets(side.end)
        tell("the \(side.end)'s program stops")
    }

    /// The program of a side was killed.
    private func bury(_ side: Side, _ run: EndRun) {
        noteFailures(of: run)
        if case .power = side.outage.loss {
            // A machine without power says nothing to the other end.
            for wire in wires where wire.channel(of: side.end).isOpen {
                for end in WormholeEnd.allCases { wire.deafen(end) }
            }
        }
        run.kill(pump)
        intents.forgets(side.end)
        side.run = nil
        switch side.outage.loss {
        case .nothing:
            disk.release(run.process)
            count(.endKill)
            tell("the \(side.end)'s program is killed at its write \(run.process.writes)")
        case .power:
            disk.losePower(side.directory)
            side.folder.losePower(&random)
            arrivedContent.doubts(side.end, of: intents)
            count(.endPowerLoss)
            tell("the \(side.end) loses its power at its write \(run.process.writes)")
        }
        side.starts = now + .milliseconds(UInt32(side.outage.milliseconds))
    }

    private func noteFailures(of run: EndRun) {
        counts[.endDiskFailure, default: 0] += run.process.failures - run.failuresNoted
        run.failuresNoted = run.process.failures
        counts[.endFilesFull, default: 0] += run.files.failures
    }

    /// Closes everything.
    func end() {
        for side in sides {
            if let run = side.run { noteFailures(of: run) }
            side.run?.kill(pump)
            side.run = nil
        }
    }
}

// Time.
extension DeliveryWorld {
    /// Runs until `end`, or until a promise is broken.
    func run(until end: Instant) {
        while violation == nil, step(until: end) {}
    }

    func run(for length: Microseconds) { run(until: now + length) }

    /// Makes the next thing happen that is due by `end`; moves there where there is none. Returns whether there was one.
    private func step(until end: Instant) -> Bool {
        settle()
        let dues = sides.flatMap { [$0.starts, $0.run?.clock.nextDeadline] } + wires.map(\.nextDue)
        guard let next = dues.compactMap({ $0 }).min(), next <= end else {
            move(to: max(now, end))
            settle()
            return false
        }
        move(to: max(now, next))
        for side in sides { if let starts = side.starts, starts <= now { start(side) } }
        settle()
        return true
    }

    private func move(to time: Instant) {
        moves = time == now ? moves + 1 : 0
        if moves > 5_000 { fail(Violation(promise: .boundedCost, what: "something never comes to rest")) }
        now = time
        for side in sides { side.run?.clock.advance(to: time) }
    }

    /// Lets the programs do what there is to do, and the link carry what is due.
    func settle() {
        var isNews = true
        while isNews {
            pump.run()
            isNews = false
            for side in sides {
                guard let run = side.run else { continue }
                if run.files.isKilled { run.process.kill() }
                if !run.process.isRunning {
                    bury(side, run)
                    isNews = true
                }
            }
            for wire in wires {
                if wire.takeSent(at: now, delay: delay) { isNews = true }
                if wire.carry(at: now, { pass($1, on: wire, to: $0) }) { isNews = true }
            }
            wires.removeAll { $0.isOver && $0.isEmpty }
        }
    }
}

extension DeliveryWorld {
    private func pass(_ datagram: [UInt8], on wire: Wire, to end: WormholeEnd) {
        guard let wrong = arrivedContent.passes(datagram, on: wire.number, to: end, of: intents) else { return }
        fail(Violation(promise: .fileIsWhole, what: wrong))
    }
}

/// The database of a new end, made once in a process: a world begins with copies.
private enum StoreTemplate {
    private static let files: [String: [UInt8]] = {
        let disk = VirtualDisk(seed: 1)
        let path = VirtualDisk.root + "template/messages.db"
        return VirtualDisk.use(disk) {
            JobPump.use { pump in
                guard let store = try? MessageStore(inMemory: path, keeping: 1) else {
                    preconditionFailure("a new store in memory opens")
                }
                _ = pump.result { await store.close() }
                let image = disk.image(of: VirtualDisk.root + "template/")
                return Dictionary(uniqueKeysWithValues: image.map { (String($0.key.dropFirst(path.count)), $0.value) })
            }
        }
    }()

    /// The files of a database at `path`: its own, and those whose names go on behind it.
    static func image(at path: String) -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: files.map { (path + $0.key, $0.value) })
    }
}
