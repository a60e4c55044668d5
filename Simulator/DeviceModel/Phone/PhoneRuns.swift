import ListFeed
import WatchLink

/// What a simulated phone has applied of each run of its watch.
struct PhoneRuns {
    private var present: AppliedMessages?
    private var former: [UInt32: AppliedMessages] = [:]

    /// The watch is in the run that its hello names; returns what was applied of it, and what is lost.
    mutating func meet(_ hello: PeerHello) -> WatchReturn {
        let newest = former.values.map(\.queued).max() ?? 0
        if let present { former[present.epoch] = present }
        let origin = hello.floorOrigin.map { WatchFloor.Origin.applied(upTo: former[$0]?.queued ?? 0) } ?? .unknown
        let arrival = WatchReturn(
            hello, present: present, former: former[hello.epoch],
            floor: WatchFloor(hello.queuedFloor, origin: origin, newest: max(newest, present?.queued ?? 0)))
        if let origin = hello.floorOrigin {
            var run = former[origin] ?? AppliedMessages(epoch: origin)
            run.queued = max(run.queued, hello.queuedFloor)
            former[origin] = run
        }
        present = former.removeValue(forKey: hello.epoch) ?? arrival.applied
        return arrival
    }

    /// Notes a queued message of the present run; returns whether it was not applied before, in whatever run.
    mutating func note(queued sequence: UInt32, origin: UInt32?) -> Bool {
        guard var present else { return false }
        defer {
            present.queued = max(present.queued, sequence)
            self.present = present
        }
        guard let origin, origin != present.epoch else { return present.isNew(queued: sequence) }
        var issued = former[origin] ?? AppliedMessages(epoch: origin)
        guard issued.isNew(queued: sequence) else { return false }
        issued.queued = sequence
        former[origin] = issued
        return true
    }
}
