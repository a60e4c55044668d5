import DeviceModel
import Foundation
import Synchronization
import WatchLink

final class Simulation {
    let clock = SimulationClock()
    let disk: VirtualDisk
    let executor = InlineExecutor()
    fileprivate(set) var violation: Violation?
    fileprivate(set) var story: [String]?
    fileprivate(set) var tally = Tally()
    fileprivate var movesWithoutTime = 0
    fileprivate var lastNumber = 0

    init(on disk: VirtualDisk, isTold: Bool) {
        self.disk = disk
        story = isTold ? [] : nil
    }

    func count(_ fault: Fault, _ number: Int = 1) { tally.faults[fault.rawValue, default: 0] += number }

    func hasHappened(_ fault: Fault) -> Bool { tally.faults[fault.rawValue] != nil }

    func achieved(_ kind: String, _ number: Int = 1) { tally.results[kind, default: 0] += number }

    func tell(_ text: @autoclosure () -> String, at time: Instant? = nil) {
        guard story != nil else { return }
        story?.append("\(Simulation.text(of: time ?? clock.now)) \(text())")
    }

    /// Returns the time of day with milliseconds. A plan begins at noon.
    static func text(of time: Instant) -> String {
        let milliseconds = Int(time.microseconds / 1_000)
        let seconds = milliseconds / 1_000 + 12 * 3_600
        return String(
            format: "%02d:%02d:%02d.%03d", seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60, milliseconds % 1_000)
    }
}

// What a scenario reads and reports.
extension Scenario {
    var now: Instant { simulation.clock.now }
    var disk: VirtualDisk { simulation.disk }
    var executor: InlineExecutor { simulation.executor }
    var violation: Violation? { simulation.violation }

    func newNumber() -> Int {
        simulation.lastNumber += 1
        return simulation.lastNumber
    }

    func tell(_ text: @autoclosure () -> String) { simulation.tell(text()) }

    func count(_ fault: Fault) { simulation.count(fault) }

    func happened(_ fault: Fault, _ text: @autoclosure () -> String) {
        count(fault)
        tell(text())
    }

    func fail(_ violation: Violation?) {
        guard simulation.violation == nil, let violation else { return }
        simulation.violation = violation
        tell("VIOLATION (\(violation.promise.rawValue)): \(violation.what)")
    }

    func fail(_ promise: Promise, _ what: String) { fail(Violation(promise, what)) }
}

// Time.
extension Scenario {
    private static var mostMovesWithoutTime: Int { 5_000 }

    func run(until end: Instant) {
        while violation == nil, step(until: end) {}
    }

    func run(for length: Microseconds) { run(until: now + length) }

    /// Moves the time to the next due work and performs that work. If nothing is due by `end`, moves the time to `end`
    /// and returns false.
    @discardableResult
    func step(until end: Instant) -> Bool {
        settle()
        let own = nextDue()
        var others: Instant?
        for machine in computers { others = earlier(others, earlier(machine.starts, machine.program?.due)) }
        guard let next = earlier(own, others), next <= end else {
            move(to: max(now, end))
            settle()
            return false
        }
        move(to: max(now, next))
        settle()
        act(before: max(now, min(others ?? end, end)))
        settle()
        return true
    }

    private func move(to time: Instant) {
        simulation.movesWithoutTime = time == now ? simulation.movesWithoutTime + 1 : 0
        if simulation.movesWithoutTime > Self.mostMovesWithoutTime {
            fail(.boundedCost, "something never comes to rest")
        }
        simulation.clock.advance(to: time)
        for machine in computers { if let starts = machine.starts, starts <= now { start(machine) } }
    }

    /// Runs the programs and carries their data, until nothing is left to do at the current time.
    func settle() {
        var isNews = true
        while isNews {
            executor.run()
            isNews = false
            for machine in computers where machine.program?.step() == true { isNews = true }
            for machine in computers where buryIfKilled(machine) { isNews = true }
            if carry() { isNews = true }
        }
    }
}

extension Plan {
    /// Runs the plan on this thread. Calls `began` before the first event. Calls `ending` after the last event, or
    /// after the first broken promise.
    func run(
        told isTold: Bool = false, parts: Parts = Parts(), began: (S) -> Void = { _ in },
        ending: (S) -> Void = { _ in }
    ) -> Outcome {
        let disk = VirtualDisk(seed: seed, syncs: parts.syncs)
        return VirtualDisk.use(disk) {
            let simulation = Simulation(on: disk, isTold: isTold)
            let scenario = S(self, parts, in: simulation)
            scenario.begin()
            began(scenario)
            for event in events {
                scenario.run(until: Instant(microseconds: UInt64(max(0, event.at)) * 1_000))
                if scenario.violation == nil { scenario.check() }
                guard scenario.violation == nil else { break }
                scenario.happen(event.what)
                scenario.settle()
            }
            ending(scenario)
            if scenario.violation == nil { scenario.conclude() }
            simulation.tally.plans = 1
            let log =
                isTold
                ? scenario.computers.flatMap { machine in machine.log.lines.map { "\(machine.name): \($0)" } } : []
            for machine in scenario.computers { scenario.discard(machine) }
            scenario.end()
            return Outcome(
                violation: simulation.violation, story: simulation.story ?? [], tally: simulation.tally, log: log)
        }
    }
}

final class SimulationClock: Sendable {
    private let time = Mutex(Instant.start)

    var now: Instant { time.withLock { $0 } }

    func advance(to now: Instant) { time.withLock { $0 = max($0, now) } }
}
