import WatchLink

/// What has come of a plan.
package struct SeedOutcome: Equatable, Sendable {
    /// The promise that was not kept, nil where all were.
    package var violation: Violation?
    /// What happened, in plain words, where it was asked for.
    package var story: [String]
    /// The faults that happened, of each kind.
    package var faults: [FaultKind: Int]
    /// The length of it on the world's clock.
    package var length: Microseconds
    /// The last lines of the phones' logs, where the story was asked for.
    package var log: [String]
}

extension Plan {
    /// Whether the story is kept.
    package enum Telling: Sendable {
        case silent, told

        /// The story at the beginning.
        var story: Story {
            switch self {
            case .silent: .untold
            case .told: .told
            }
        }
    }

    /// Has the plan happen, on this thread.
    package func run(_ telling: Telling = .silent) -> SeedOutcome { run(telling, parts: WorldParts()) }

    func run(_ telling: Telling, parts: WorldParts) -> SeedOutcome {
        let disk = VirtualDisk(seed: seed, syncing: parts.syncing)
        return VirtualDisk.use(disk) {
            JobPump.use { pump in
                let world = World(self, parts: parts, pump: pump, disk: disk, story: telling.story)
                world.begin()
                switch numbers {
                case .usual: break
                case .large: world.age()
                }
                for event in events {
                    world.run(until: Instant(microseconds: UInt64(event.at) * 1_000))
                    guard world.violation == nil else { break }
                    world.checkRows()
                    world.judgeCosts()
                    guard world.violation == nil else { break }
                    world.happen(event.what)
                }
                world.conclude()
                let outcome = SeedOutcome(
                    violation: world.violation, story: world.story.lines, faults: world.counts,
                    length: world.now - .start, log: telling == .told ? world.phones.flatMap(\.log.lines) : [])
                world.end()
                return outcome
            }
        }
    }
}
