import DeviceModel
import HostSystem
import PhoneHost
import WatchLink

/// Judges by titles and times, as wearers and owners see them. It knows no internal number of the product.
struct WatchOracle {
    /// The texts with which watch and phone report a loss.
    enum Wording {
        static let host = ["not in the database", "gets everything again", "list again", "two watches"]
        static let watch = ["not stored", "flash failing", "flash damaged", "phone restored", "in use twice"]
    }

    private(set) var taps: [FeltTap] = []
    /// The seen taps of each watch that were not felt yet, oldest first.
    private var awaiting: [Int: [Int]] = [:]
    private(set) var owners: [String: Int] = [:]
    private(set) var additions = AddedTitles()
    /// The watches on which taps may be applied in another order, because a fault has copied or put back their records.
    private var reordered: Set<Int> = []
    /// The titles of items that a phone has lost with a restored database.
    private(set) var vanished: Set<String> = []

    // MARK: What people do

    mutating func added(_ title: String, to phone: Int) { owners[title] = phone }

    /// The phone that has or had a title on its list; nil if no owner has written it.
    func owner(of title: String) -> Int? { owners[title] }

    mutating func edited(_ title: String) { additions.edited(title, after: taps.count) }

    /// Records that an owner puts an item back while another with its title is open.
    mutating func doubled(_ title: String) { additions.doubled(title) }

    mutating func saw(_ title: String, struckOn watch: Int, at time: Instant) {
        saw(title, .checkOff, on: watch, at: time)
    }

    mutating func saw(_ title: String, _ deed: FeltTap.Deed, on watch: Int, at time: Instant) {
        taps.append(FeltTap(watch: watch, deed: deed, title: title, touched: time))
        awaiting[watch, default: []].append(taps.count - 1)
    }

    /// Records a haptic receipt. Returns its tap.
    mutating func felt(on watch: Int, at time: Instant) -> FeltTap? {
        next(on: watch).map {
            taps[$0].feeling = .felt(time)
            return taps[$0]
        }
    }

    mutating func refused(on watch: Int) -> String? {
        next(on: watch).map {
            taps[$0].feeling = .refused
            return taps[$0].title
        }
    }

    mutating func wentDark(_ watch: Int) {
        for tap in awaiting[watch] ?? [] { taps[tap].feeling = .cutOff }
        awaiting[watch] = nil
    }

    private mutating func next(on watch: Int) -> Int? {
        guard let first = awaiting[watch]?.first else { return nil }
        awaiting[watch]?.removeFirst()
        return first
    }

    // MARK: What faults do

    /// The number of a watch's taps that its flash may have, as a moment to put it back to. A tap not yet felt may be absent.
    func moment(of watch: Int) -> Int { awaiting[watch]?.first ?? taps.count }

    /// A watch's records are of an earlier moment. What it has done since, and the phone has not got, cannot be known.
    mutating func putBack(_ watch: Int, to moment: Int, history: [[HistoryEntry]]) {
        reordered.insert(watch)
        var open = unapplied(history)
        for index in taps.indices.reversed() where taps[index].watch == watch && index >= moment {
            let title = taps[index].title
            taps[index].isRemembered = false
            guard let count = open[title], count > 0 else { continue }
            open[title] = count - 1
            taps[index].fate = .destroyed
        }
    }

    mutating func replaced(_ watch: Int, by other: Int, history: [[HistoryEntry]]) {
        putBack(watch, to: 0, history: history)
        reordered.insert(other)
    }

    mutating func damaged(_ watch: Int, history: [[HistoryEntry]]) {
        reordered.insert(watch)
        let open = unapplied(history)
        for index in taps.indices where taps[index].watch == watch && (open[taps[index].title] ?? 0) > 0 {
            if taps[index].fate == .safe { taps[index].fate = .endangered }
        }
    }

    /// The phone's database is of an earlier moment: its check-offs since are lost unless they come again. Items that were
    /// added since are gone, but a watch may still check one off: the history has that without a title.
    ///
    /// - Parameter known: the titles that the database has now.
    mutating func rolledBack(
        _ phone: Int, before: [HistoryEntry], after: [HistoryEntry], known: Set<String>
    ) {
        additions.rolledBack(phone)
        let gone = WatchOracle.applied(before).merging(WatchOracle.applied(after)) { $0 - $1 }.filter { $0.value > 0 }
        // An entry without a title concerns an item that the database had lost before: of these, the newest, because a copy
        // lacks the end. It does not tell whether it was a check-off or an addition.
        var unnamed = [true: gone[""] ?? 0, false: gone[""] ?? 0]
        for index in taps.indices.reversed() {
            let (title, fate, isAddition) = (taps[index].title, taps[index].fate, taps[index].isAddition)
            if gone[title] != nil {
                endanger(index)
            } else if let count = unnamed[isAddition], count > 0, fate == .safe, taps[index].isFelt,
                owners[title] == phone, isUnnamedPossible(title)
            {
                unnamed[isAddition] = count - 1
                endanger(index)
            }
        }
        let named = known.union(after.compactMap(\.title))
        vanished.formUnion(owners.filter { $0.value == phone && !named.contains($0.key) }.keys)
        // The copy may have an earlier item of a title, and lack a newer one.
        let added = WatchOracle.added(after)
        vanished.formUnion(WatchOracle.added(before).filter { $0.value > added[$0.key, default: 0] }.keys)
    }

    private static func added(_ history: [HistoryEntry]) -> [String: Int] {
        let titles = history.filter { $0.event == .added }.compactMap(\.title)
        return Dictionary(titles.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private mutating func endanger(_ index: Int) {
        reordered.insert(taps[index].watch)
        switch (taps[index].fate, taps[index].isRemembered) {
        case (.safe, true): taps[index].fate = .endangered
        // The database was the only one that knew.
        case (.safe, false), (.endangered, false): taps[index].fate = .destroyed
        case (.endangered, true), (.destroyed, _): break
        }
    }

    /// The number of taps on each title that no phone has applied.
    private func unapplied(_ histories: [[HistoryEntry]]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for tap in taps { counts[tap.title, default: 0] += 1 }
        for history in histories {
            for (title, count) in WatchOracle.applied(history) { counts[title, default: 0] -= count }
        }
        return counts
    }

    // MARK: Judging

    /// How often a watch's tap on each title is in a history; a title that the phone does not know is "".
    static func applied(_ history: [HistoryEntry]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for title in tapped(history) { counts[title, default: 0] += 1 }
        return counts
    }

    /// The titles that watches have checked off or added, in order.
    static func tapped(_ history: [HistoryEntry]) -> [String] {
        let titles = titles(in: history)
        return history.compactMap { entry in
            guard case .watch = entry.origin else { return nil }
            switch entry.event {
            case .checked, .repeated, .rejected, .added, .unchecked: return entry.title ?? titles[entry.item] ?? ""
            case .renamed, .described, .removed: return nil
            }
        }
    }

    static func titles(in history: [HistoryEntry]) -> [ItemIdentifier: String] {
        var titles: [ItemIdentifier: String] = [:]
        for entry in history { if let title = entry.title { titles[entry.item] = title } }
        return titles
    }

    struct Evidence {
        var phone: Int
        var history: [HistoryEntry]
        /// The titles of the open items of each list.
        var open: [[String]] = []
        var log: [String]
        var notices: [String]
    }

    func judge(_ evidence: [Evidence]) -> Violation? {
        let told =
            taps.contains { $0.fate == .endangered }
            && evidence.contains { WatchOracle.says($0.log, Wording.host) }
            && evidence.contains { WatchOracle.says($0.notices, Wording.watch) }
        for one in evidence {
            if let violation = judgeTitles(one, wasTold: told) ?? judgeOrder(one) ?? judgeAdditions(one) {
                return violation
            }
        }
        return nil
    }

    static func says(_ lines: [String], _ words: [String]) -> Bool {
        lines.contains { line in words.contains { line.lowercased().contains($0) } }
    }

    private func judgeTitles(_ evidence: Evidence, wasTold isTold: Bool) -> Violation? {
        let applied = WatchOracle.applied(evidence.history)
        for title in applied.keys.sorted() where title != "" {
            guard let owner = owners[title] else {
                return Violation(
                    .onlyYourPhone, "\(WatchOracle.name(evidence.phone)) has a tap on \(title), which no owner added")
            }
            if owner != evidence.phone {
                return Violation(
                    .onlyYourPhone,
                    "\(WatchOracle.name(evidence.phone)) has a tap on \(title), which is \(WatchOracle.name(owner))'s")
            }
        }
        let own = owners.filter { $0.value == evidence.phone }.keys.sorted()
        var unnamed = applied[""] ?? 0
        let onVanished = taps.count {
            isUnnamedPossible($0.title) && owners[$0.title] == evidence.phone && $0.isPossible
        }
        if unnamed > onVanished {
            return Violation(
                .onlyYourPhone, "\(WatchOracle.name(evidence.phone)) has a tap on something that was never on its list")
        }
        for title in own {
            let touches = taps.filter { $0.title == title }
            guard !touches.isEmpty || applied[title] != nil else { continue }
            if let violation = judge(title, touches, count: applied[title] ?? 0, unnamed: &unnamed, wasTold: isTold) {
                return violation
            }
        }
        return nil
    }

    /// - Parameter unnamed: the taps in the history without a title: vanished items, felt or cut off.
    private func judge(
        _ title: String, _ touches: [FeltTap], count: Int, unnamed: inout Int, wasTold isTold: Bool
    ) -> Violation? {
        let felt = touches.count(where: \.isFelt)
        // The loss of a record that was destroyed before it was sent cannot be known; one that was damaged is said to be lost.
        let excused = touches.count { $0.isFelt && ($0.fate == .destroyed || $0.fate == .endangered && isTold) }
        let possible = touches.count(where: \.isPossible)
        var count = count
        if isUnnamedPossible(title) {
            let found = min(unnamed, max(0, felt - excused - count))
            unnamed -= found
            count += found
        }
        if count < felt - excused {
            return Violation(
                .feltIsKept,
                "\(title) was felt \(CountText(felt, "time")), and the phone has it \(CountText(count, "time"))")
        }
        if count > possible {
            return Violation(
                .nothingInvented,
                "\(title) was tapped \(CountText(possible, "time")), and the phone has it \(CountText(count, "time"))")
        }
        return nil
    }

    /// Judges whether felt taps were applied in order, for titles that were tapped once.
    private func judgeOrder(_ evidence: Evidence) -> Violation? {
        let order = WatchOracle.tapped(evidence.history)
        for watch in Set(taps.map(\.watch)).sorted() where !reordered.contains(watch) {
            var last = (place: -1, title: "")
            for tap in taps where tap.watch == watch && tap.isFelt && owners[tap.title] == evidence.phone {
                guard taps.count(where: { $0.title == tap.title }) == 1, let place = order.firstIndex(of: tap.title)
                else { continue }
                if place < last.place {
                    return Violation(.feltIsKept, "\(tap.title) was tapped after \(last.title), and applied before it")
                }
                last = (place, tap.title)
            }
        }
        return nil
    }

    static func name(_ phone: Int) -> String { phone == 0 ? "phone A" : "phone B" }
}
