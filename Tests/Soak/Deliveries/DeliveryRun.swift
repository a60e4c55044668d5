import WatchLink

/// What has come of a plan of deliveries.
package struct DeliveryOutcome: Equatable, Sendable {
    /// The promise that was not kept, nil where all were.
    package var violation: Violation?
    /// What happened, in plain words, where it was asked for.
    package var story: [String]
    /// The faults that happened, of each kind.
    package var faults: [DeliveryFault: Int]
    /// What was delivered, of each kind.
    package var delivered: [String: Int]
    /// The length of it on the world's clock.
    package var length: Microseconds
    /// The last lines of the logs, where the story was asked for.
    package var log: [String]
}

extension DeliveryPlan {
    /// Has the plan happen, on this thread.
    package func run(_ telling: Plan.Telling = .silent) -> DeliveryOutcome { run(telling, parts: DeliveryParts()) }

    func run(_ telling: Plan.Telling, parts: DeliveryParts) -> DeliveryOutcome {
        let disk = VirtualDisk(seed: seed &+ 9, syncing: parts.syncing)
        return VirtualDisk.use(disk) {
            JobPump.use { pump in
                let world = DeliveryWorld(self, parts: parts, pump: pump, disk: disk, story: telling.story)
                world.begin()
                for event in deliveries {
                    world.run(until: Instant(microseconds: UInt64(event.at) * 1_000))
                    guard world.violation == nil else { break }
                    world.happen(event.what)
                    world.judgeVisible()
                }
                world.conclude()
                world.end()
                let outcome = DeliveryOutcome(
                    violation: world.violation, story: world.story.lines, faults: world.counts.filter { $0.value > 0 },
                    delivered: world.delivered, length: world.now - .start, log: telling == .told ? world.logLines : [])
                return outcome
            }
        }
    }
}
