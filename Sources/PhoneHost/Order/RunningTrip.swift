/// The newest trip of a store, which may go on: a run of check-offs without a gap of more than fifteen minutes.
package struct RunningTrip: Equatable, Codable, Sendable {
    /// The longest time between two check-offs of one trip, in seconds.
    package static let longestGap: Int64 = 15 * 60
    /// A run of fewer items teaches nothing: that is somebody who tidies the list at home.
    package static let fewestItems = 3
    /// The most check-offs that one trip has; further ones teach nothing.
    package static let mostCheckOffs = 1_024

    /// Its check-offs, in the order of the history. One that was withdrawn is not among them.
    package private(set) var checkOffs: [CheckOff] = []
    /// From when until when it was; nil where it has not begun.
    package private(set) var span: ClosedRange<Int64>?
    /// The number of its first check-off in the history; 0 where it has not begun.
    private(set) var begin: Int64 = 0

    package init() {}

    /// Whether a check-off is of this trip. One that is earlier may be, because a watch was out of reach.
    func admits(_ checkOff: CheckOff) -> Bool {
        guard let span else { return true }
        let time = time(of: checkOff)
        return time >= span.lowerBound - RunningTrip.longestGap && time <= span.upperBound + RunningTrip.longestGap
    }

    mutating func add(_ checkOff: CheckOff) {
        let time = time(of: checkOff)
        if span == nil { begin = checkOff.number }
        span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
        if checkOffs.count < RunningTrip.mostCheckOffs { checkOffs.append(checkOff) }
    }

    /// Withdraws the check-off of an item that was put back during the trip. One that is put back later is wanted once more.
    mutating func withdraw(_ item: UInt32, at time: Int64) {
        guard let last = checkOffs.last, abs(time - last.arrival) <= RunningTrip.longestGap else { return }
        checkOffs.removeAll { $0.item == item }
    }

    /// When a check-off was. A wrist's clock that goes back was set: what follows is not before what it follows.
    private func time(of checkOff: CheckOff) -> Int64 {
        guard let wrist = checkOff.wrist else { return checkOff.time }
        let before = checkOffs.filter { $0.wrist == wrist && $0.sequence < checkOff.sequence }.map(\.time).max()
        guard let before, checkOff.time < before, checkOff.arrival >= before - RunningTrip.longestGap else {
            return checkOff.time
        }
        return before
    }

    /// Its titles in the order in which they were checked off, each item once, by its first check-off; nil where it teaches
    /// nothing.
    ///
    /// Each wrist's are in the order of its taps. What several sources have checked off is merged by time.
    package var lesson: [String]? {
        var wrists: [(wrist: [UInt64]?, checkOffs: [CheckOff])] = []
        for checkOff in checkOffs {
            if let index = wrists.firstIndex(where: { $0.wrist == checkOff.wrist }) {
                wrists[index].checkOffs.append(checkOff)
            } else {
                wrists.append((checkOff.wrist, [checkOff]))
            }
        }
        let timed = wrists.flatMap { RunningTrip.timed($0.checkOffs) }
        var seen: Set<ItemKey> = []
        // Swift's sort is stable: what one wrist has tapped in the same second stays in its order.
        let titles = timed.sorted { $0.time < $1.time }.map(\.title).filter { seen.insert(ItemKey(title: $0)).inserted }
        return titles.count < RunningTrip.fewestItems ? nil : titles
    }

    /// The titles that one source has checked off, in its order, with times that do not go back.
    private static func timed(_ checkOffs: [CheckOff]) -> [(time: Int64, title: String)] {
        var latest = Int64.min
        return checkOffs.sorted { $0.sequence < $1.sequence }.map { checkOff in
            latest = max(latest, checkOff.time)
            return (latest, checkOff.title)
        }
    }
}
