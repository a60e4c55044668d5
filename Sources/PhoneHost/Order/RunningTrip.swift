/// The newest trip of a shop, which may still grow. A trip is a series of check-offs with gaps of at most fifteen minutes.
package struct RunningTrip: Equatable, Codable, Sendable {
    /// The longest time between two check-offs of one trip, in seconds.
    package static let longestGap: Int64 = 15 * 60
    /// The fewest items from which the order learns. With fewer, the owner may be tidying the list at home.
    package static let fewestItems = 3
    /// The most check-offs of one trip. The order ignores later ones.
    package static let mostCheckOffs = 1_024

    /// The check-offs in the order of the history, without withdrawn ones.
    package private(set) var checkOffs: [CheckOff] = []
    /// The times of the first and the last check-off; nil if there is none.
    package private(set) var span: ClosedRange<Int64>?
    /// The history number of the first check-off; 0 if there is none.
    private(set) var begin: Int64 = 0

    package init() {}

    /// Whether a check-off belongs to this trip. If its watch was out of reach, it may arrive late and be earlier than the
    /// trip's first check-off.
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

    /// Removes the check-off of an item that the owner puts back on the list during the trip. If the owner puts it back later,
    /// the check-off stays: the item was bought, and is wanted again.
    mutating func withdraw(_ item: UInt32, at time: Int64) {
        guard let last = checkOffs.last, abs(time - last.arrival) <= RunningTrip.longestGap else { return }
        checkOffs.removeAll { $0.item == item }
    }

    /// When an item was checked off. If an earlier tap in the same run of the watch has a later time, the watch's clock was
    /// set back. Then returns the latest time of the earlier taps, unless it is more than 15 minutes after the arrival of
    /// `checkOff`.
    private func time(of checkOff: CheckOff) -> Int64 {
        guard let watchRun = checkOff.watchRun else { return checkOff.time }
        let before = checkOffs.filter { $0.watchRun == watchRun && $0.sequence < checkOff.sequence }.map(\.time).max()
        guard let before, checkOff.time < before, checkOff.arrival >= before - RunningTrip.longestGap else {
            return checkOff.time
        }
        return before
    }

    /// The titles in the order of their first check-offs, each item once; nil if there are too few.
    ///
    /// The check-offs of one watch are in the order of its taps. Those of several watches are merged by time.
    package var lesson: [String]? {
        var watchRuns: [(watchRun: [UInt64]?, checkOffs: [CheckOff])] = []
        for checkOff in checkOffs {
            if let index = watchRuns.firstIndex(where: { $0.watchRun == checkOff.watchRun }) {
                watchRuns[index].checkOffs.append(checkOff)
            } else {
                watchRuns.append((checkOff.watchRun, [checkOff]))
            }
        }
        let timed = watchRuns.flatMap { RunningTrip.timed($0.checkOffs) }
        var seen: Set<ItemKey> = []
        // Swift's sort is stable, so taps of one watch within a second keep their order.
        let titles = timed.sorted { $0.time < $1.time }.map(\.title).filter { seen.insert(ItemKey(title: $0)).inserted }
        return titles.count < RunningTrip.fewestItems ? nil : titles
    }

    /// The titles and times of one source's check-offs, in order. The source is the phone, or one run of a watch. If a time
    /// is earlier than the previous one, the previous one replaces it.
    private static func timed(_ checkOffs: [CheckOff]) -> [(time: Int64, title: String)] {
        var latest = Int64.min
        return checkOffs.sorted { $0.sequence < $1.sequence }.map { checkOff in
            latest = max(latest, checkOff.time)
            return (latest, checkOff.title)
        }
    }
}
