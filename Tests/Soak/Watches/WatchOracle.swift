import DeviceModel
import HostSystem
import PhoneHost
import WatchLink

/// Checks a run by titles and times, as wearers and owners see them. It uses no internal identifier of the product.
struct WatchOracle {
    /// Parts of the texts with which a phone's log (`host`) and a watch's notices (`watch`) report a loss.
    enum Wording {
        static let host = ["not in the database", "gets everything again", "list again", "two watches"]
        static let watch = ["not stored", "flash failing", "flash damaged", "phone restored", "in use twice"]
    }

    private(set) var taps: [FeltTap] = []
    /// For each watch, the indices in `taps` of the taps that the wearer has seen but not felt, oldest first.
    private var awaiting: [Int: [Int]] = [:]
    private(set) var owners: [String: Int] = [:]
    private(set) var additions = AddedTitles()
    /// The watches whose taps may be applied in another order, because a fault copied, damaged or restored their
    /// records.
    private var reordered: Set<Int> = []
    /// The titles of items that a phone lost when its database was restored.
    private(set) var vanished: Set<String> = []

    // MARK: What people do

    mutating func added(_ title: String, to phone: Int) { owners[title] = phone }

    /// Returns the phone on whose list the title is or was; nil if no owner has added the title.
    func owner(of title: String) -> Int? { owners[title] }

    mutating func edited(_ title: String) { additions.edited(title, after: taps.count) }

    /// Records that an owner reopens an item while another item with the same title is open.
    mutating func doubled(_ title: String) { additions.doubled(title) }

    mutating func saw(_ title: String, struckOn watch: Int, at time: Instant) {
        saw(title, .checkOff, on: watch, at: time)
    }

    mutating func saw(_ title: String, _ deed: FeltTap.Deed, on watch: Int, at time: Instant) {
        taps.append(FeltTap(watch: watch, deed: deed, title: title, touched: time))
        awaiting[watch, default: []].append(taps.count - 1)
    }

    /// Records that the wearer feels a click. Returns the oldest tap that was not felt before; nil if there is none.
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

    /// Returns an index in `taps`. The watch has stored its taps before this index. The watch may not have stored its
    /// later taps, because they are not felt yet.
    func moment(of watch: Int) -> Int { awaiting[watch]?.first ?? taps.count }

    /// Records that a watch's flash was restored from an older copy. The copy has the watch's taps before the index
    /// `moment`. If no phone has a later tap, that tap is lost, and neither side can notice the loss.
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

    /// Records that an older copy of a phone's database was restored. Check-offs after the copy are lost unless the
    /// watch sends them again. Items added after the copy are gone. If a watch checks off such an item, the history
    /// entry has no title.
    ///
    /// - Parameter known: the titles in the restored database.
    mutating func rolledBack(
        _ phone: Int, before: [HistoryEntry], after: [HistoryEntry], known: Set<String>
    ) {
        additions.rolledBack(phone)
        let gone = WatchOracle.applied(before).merging(WatchOracle.applied(after)) { $0 - $1 }.filter { $0.value > 0 }
        // An entry without a title concerns an item that the database had lost before. The copy lacks the newest
        // entries, so the newest taps count as lost. The entry does not tell whether the tap was a check-off or an
        // addition.
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
        // The copy may have an older item with a title, and lack a newer item with the same title.
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
        // Only the database had a record of the tap.
        case (.safe, false), (.endangered, false): taps[index].fate = .destroyed
        case (.endangered, true), (.destroyed, _): break
        }
    }

    private func unapplied(_ histories: [[HistoryEntry]]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for tap in taps { counts[tap.title, default: 0] += 1 }
        for history in histories {
            for (title, count) in WatchOracle.applied(history) { counts[title, default: 0] -= count }
        }
        return counts
    }

    // MARK: Judging

    /// Returns the number of taps on each title in a history. Taps on an item whose title the phone does not know count
    /// for the title "".
    static func applied(_ history: [HistoryEntry]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for title in tapped(history) { counts[title, default: 0] += 1 }
        return counts
    }

    /// Returns the title of each item that a watch has checked off or added, in the order of the history.
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
        /// For each list, the titles of its open items.
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

    /// - Parameter unnamed: the number of history entries that have no title and are not matched to a tap yet. Taps on
    ///   `title` reduce this number.
    private func judge(
        _ title: String, _ touches: [FeltTap], count: Int, unnamed: inout Int, wasTold isTold: Bool
    ) -> Violation? {
        let felt = touches.count(where: \.isFelt)
        // Neither side can know that a destroyed record is lost. A damaged record may be lost only if both sides report
        // a loss.
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

    /// Checks that the phone applied felt taps in order. Skips titles that were tapped more than once.
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
