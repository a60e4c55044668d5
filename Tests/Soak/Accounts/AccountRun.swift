import WatchLink

/// What has come of a plan of accounts.
package struct AccountOutcome: Equatable, Sendable {
    /// The promise that was not kept, nil where all were.
    package var violation: Violation?
    /// What happened, in plain words, where it was asked for.
    package var story: [String]
    /// The faults that happened, of each kind.
    package var faults: [SharingFault: Int]
    /// What was synced, of each kind.
    package var synced: [String: Int]
    /// The length of it on the world's clock.
    package var length: Microseconds
}

extension AccountPlan {
    /// Has the plan happen, on this thread.
    package func run(_ telling: Plan.Telling = .silent) -> AccountOutcome { run(telling, parts: AccountParts()) }

    func run(_ telling: Plan.Telling, parts: AccountParts) -> AccountOutcome {
        let disk = VirtualDisk(seed: seed &+ 23, syncing: parts.syncing)
        return VirtualDisk.use(disk) {
            JobPump.use { pump in
                let world = AccountWorld(self, parts: parts, pump: pump, disk: disk, story: telling.story)
                world.begin()
                for event in accounts {
                    world.run(until: Instant(microseconds: UInt64(max(0, event.at)) * 1_000))
                    guard world.violation == nil else { break }
                    world.happen(event.what)
                }
                world.conclude()
                world.end()
                return AccountOutcome(
                    violation: world.violation, story: world.story.lines, faults: world.counts.filter { $0.value > 0 },
                    synced: world.synced, length: world.now - .start)
            }
        }
    }
}
