import PhoneHost
import WatchLink

/// Which messages a simulated phone has applied, for each run of its watch. A run is the time in which the watch counts its
/// messages under one epoch.
struct PhoneRuns {
    private var present: StreamRun?
    private var former: [UInt32: StreamRun] = [:]

    /// Switches to the run that the watch's hello names. Returns which messages of it the phone has applied, and which are
    /// lost.
    mutating func meet(_ hello: PeerHello) -> WatchReturn {
        let newest = former.values.map(\.queued).max() ?? 0
        if let present { former[present.epoch] = present }
        let origin = hello.floorOrigin.map { WatchFloor.Origin.applied(upTo: former[$0]?.queued ?? 0) } ?? .unknown
        let arrival = WatchReturn(
            hello, present: present, former: former[hello.epoch],
            floor: WatchFloor(hello.queuedFloor, origin: origin, newest: max(newest, present?.queued ?? 0)))
        if let origin = hello.floorOrigin {
            var run = former[origin] ?? StreamRun(epoch: origin)
            run.queued = max(run.queued, hello.queuedFloor)
            former[origin] = run
        }
        present = former.removeValue(forKey: hello.epoch) ?? arrival.applied
        return arrival
    }

    /// Records a queued message of the current run. Returns true if no run has applied it before.
    mutating func note(queued sequence: UInt32, origin: UInt32?) -> Bool {
        guard var present else { return false }
        defer {
            present.queued = max(present.queued, sequence)
            self.present = present
        }
        guard let origin, origin != present.epoch else { return sequence > present.queued }
        var issued = former[origin] ?? StreamRun(epoch: origin)
        guard sequence > issued.queued else { return false }
        issued.queued = sequence
        former[origin] = issued
        return true
    }
}
