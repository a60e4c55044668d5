import Testing
import WatchLink

@testable import Soak

/// Somebody puts a copy of a phone's database in its place while the log of a killed program lies beside it.
struct FileRollbackTests {
    /// A day in which the phone's program ends `restarts` times between the copy and its return, each time with a log of its own.
    private func story(restarts: Int) -> (violation: Violation?, lines: [String]) {
        var events: [(Int, Happening)] = [
            (1_000, .add(phone: 0, count: 3)), (2_000, .saveDatabase(phone: 0)), (3_000, .tap(watch: 0, row: 0)),
        ]
        for restart in 0..<restarts {
            events.append((7_000 + 3_000 * restart, .restartHost(milliseconds: 200)))
            events.append((9_000 + 3_000 * restart, .tap(watch: 0, row: 1)))
        }
        events.append((20_000, .restoreFile(phone: 0, milliseconds: 500)))
        events.append((24_000, .tap(watch: 0, row: 0)))
        let plan = Plan(seed: 5, watches: 1, items: [8], events: events.map { PlannedEvent(at: $0.0, what: $0.1) })
        let disk = VirtualDisk(seed: plan.seed)
        return VirtualDisk.use(disk) {
            JobPump.use { pump in
                let world = World(plan, parts: WorldParts(), pump: pump, disk: disk, story: .told)
                world.begin()
                defer { world.end() }
                for event in plan.events {
                    world.run(until: Instant(microseconds: UInt64(event.at) * 1_000))
                    world.happen(event.what)
                }
                world.conclude()
                return (world.violation, world.story.lines)
            }
        }
    }

    @Test func `The log of another state of the file is refused, and is taken away`() {
        let (violation, lines) = story(restarts: 2)
        #expect(violation == nil, "\(lines.joined(separator: "\n"))")
        #expect(lines.contains { $0.hasSuffix("the log is taken away") }, "\(lines.joined(separator: "\n"))")
    }

    @Test func `The log that was begun on the file is played, and nothing is lost`() {
        let (violation, lines) = story(restarts: 0)
        #expect(violation == nil, "\(lines.joined(separator: "\n"))")
        #expect(lines.contains { $0.hasSuffix("beside the log that was there") })
        #expect(!lines.contains { $0.hasSuffix("the log is taken away") || $0.hasSuffix("a loss is told") })
    }
}
