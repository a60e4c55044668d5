/// The newest trip to a shop, which may still get check-offs. A trip is a series of check-offs with gaps of at most fifteen
/// minutes.
package struct RunningTrip: Equatable, Codable, Sendable {
    /// The maximum time between consecutive check-offs of one trip, in seconds.
    package static let longestGap: Int64 = 15 * 60
    /// The minimum number of items on a trip from which the order learns. If there are fewer, the owner may be tidying the
    /// list at home.
    package static let fewestItems = 3
    /// The maximum number of check-offs of one trip. The order does not learn from later ones.
    package static let mostCheckOffs = 1_024

    /// The check-offs in the order of the history, without those that `withdraw` has removed.
    package private(set) var checkOffs: [CheckOff] = []
    /// The earliest and the latest time of a check-off, in local seconds since 1970; nil before the first check-off.
    /// Withdrawn check-offs count too.
    package private(set) var span: ClosedRange<Int64>?
    /// The history number of the first check-off; 0 if there is none.
    private(set) var begin: Int64 = 0

    package init() {}

    /// Whether a check-off belongs to this trip: its time is within `span`, or at most 15 minutes before or after `span`.
    /// Its time can be before `span`, because a watch that was out of reach reports its check-offs late.
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

    /// Removes an item's check-offs, because the owner has put the item back on the list at `time`, in local seconds since
    /// 1970. Does nothing if `time` is more than 15 minutes from the arrival of the trip's last check-off. In that case the
    /// item was bought, and is wanted again.
    mutating func withdraw(_ item: UInt32, at time: Int64) {
        guard let last = checkOffs.last, abs(time - last.arrival) <= RunningTrip.longestGap else { return }
        checkOffs.removeAll { $0.item == item }
    }

    /// The time of a check-off, corrected if the watch's clock was set back. The clock was set back if earlier taps in the
    /// same run of the watch have later times. The result is then the latest of these times, unless that time is more than
    /// 15 minutes after the arrival of the check-off.
    private func time(of checkOff: CheckOff) -> Int64 {
        guard let watchRun = checkOff.watchRun else { return checkOff.time }
        let before = checkOffs.filter { $0.watchRun == watchRun && $0.sequence < checkOff.sequence }.map(\.time).max()
        guard let before, checkOff.time < before, checkOff.arrival >= before - RunningTrip.longestGap else {
            return checkOff.time
        }
        return before
    }

    /// The titles from which the order learns: each item once, in the order of the first check-offs. Nil if there are fewer
    /// than `fewestItems`.
    ///
    /// The check-offs of one run of a watch are in the order of its taps. Check-offs of different runs, and those of the
    /// phone, are merged by time.
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

    /// Returns the times and titles of one source's check-offs, sorted by sequence number. The source is the phone, or one
    /// run of a watch. A time that is earlier than the previous time is replaced by the previous time.
    private static func timed(_ checkOffs: [CheckOff]) -> [(time: Int64, title: String)] {
        var latest = Int64.min
        return checkOffs.sorted { $0.sequence < $1.sequence }.map { checkOff in
            latest = max(latest, checkOff.time)
            return (latest, checkOff.title)
        }
    }
}
