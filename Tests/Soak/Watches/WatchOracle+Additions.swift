import HostSystem
import PhoneHost

/// What the oracle must know about owners' edits and restored databases to check additions of past items.
struct AddedTitles {
    /// For each title that an owner has edited, the number of all taps before the last edit.
    private var edits: [String: Int] = [:]
    /// For each title, how often an owner reopened an item while another item with that title was open.
    private var doubles: [String: Int] = [:]
    /// The phones whose database was restored. Such a phone may not know a past item that a watch offers.
    private(set) var rolledBack: Set<Int> = []

    mutating func edited(_ title: String, after taps: Int) { edits[title] = taps }
    mutating func doubled(_ title: String) { doubles[title, default: 0] += 1 }
    mutating func rolledBack(_ phone: Int) { rolledBack.insert(phone) }

    /// Returns whether no owner has edited the title since the tap with this index.
    func isLeftAlone(_ title: String, since tap: Int) -> Bool { edits[title, default: 0] <= tap }

    /// Returns the maximum number of open items with this title on a list.
    func most(_ title: String) -> Int { 1 + doubles[title, default: 0] }
}

extension WatchOracle {
    /// Counts a phone's history entries for taps on one title, by the tap's effect. A tap without effect counts in
    /// `either`, because its entry does not say whether the tap was an addition or a check-off.
    struct Effects {
        var added = 0
        var checked = 0
        var either = 0

        init(of title: String, in history: [HistoryEntry]) {
            let titles = WatchOracle.titles(in: history)
            for entry in history where (entry.title ?? titles[entry.item]) == title {
                guard case .watch = entry.origin else { continue }
                switch entry.event {
                case .added, .unchecked: added += 1
                case .checked: checked += 1
                case .repeated, .rejected: either += 1
                case .renamed, .described, .removed: break
                }
            }
        }
    }

    /// Returns whether a phone's history has every tap on a title.
    func isSettled(_ title: String, in history: [HistoryEntry]) -> Bool {
        let effects = Effects(of: title, in: history)
        return effects.added + effects.checked + effects.either >= taps.count { $0.title == title }
    }

    func judgeAdditions(_ evidence: Evidence) -> Violation? {
        for title in owners.filter({ $0.value == evidence.phone }).keys.sorted() {
            for list in evidence.open {
                let count = list.count { $0 == title }
                guard count > additions.most(title) else { continue }
                return Violation(.nothingInvented, "\(title) is on the list \(CountText(count, "time"))")
            }
            guard taps.contains(where: { $0.title == title && $0.isAddition }) else { continue }
            if let violation = judgeKinds(title, evidence) ?? judgeLast(title, evidence) { return violation }
        }
        return nil
    }

    private func judgeKinds(_ title: String, _ evidence: Evidence) -> Violation? {
        let effects = Effects(of: title, in: evidence.history)
        let touches = taps.filter { $0.title == title }
        for (isAddition, certain, verb) in [
            (true, effects.added, "added"), (false, effects.checked, "checked off"),
        ] {
            let own = touches.filter { $0.isAddition == isAddition }
            let (possible, felt) = (own.count(where: \.isPossible), own.count { $0.isFelt && $0.fate == .safe })
            if certain > possible {
                return Violation(
                    .nothingInvented,
                    "\(title) was \(verb) \(CountText(possible, "time")), and the phone has it \(CountText(certain, "time"))"
                )
            }
            if certain + effects.either < felt, !isUnnamedPossible(title) {
                return Violation(
                    .feltIsKept,
                    "\(title) was \(verb) \(CountText(felt, "time")), and the phone has it "
                        + "\(CountText(certain + effects.either, "time"))")
            }
        }
        return nil
    }

    private func judgeLast(_ title: String, _ evidence: Evidence) -> Violation? {
        guard let index = taps.lastIndex(where: { $0.title == title && $0.isPossible }), taps[index].isFelt,
            taps[index].deed == .addition(isPlain: true), taps[index].fate == .safe,
            additions.isLeftAlone(title, since: index), !additions.rolledBack.contains(evidence.phone),
            !evidence.open.contains(where: { $0.contains(title) })
        else { return nil }
        return Violation(.feltIsKept, "\(title) was added, and is not on the list")
    }

    func isUnnamedPossible(_ title: String) -> Bool {
        guard !vanished.contains(title) else { return true }
        return owners[title].map { additions.rolledBack.contains($0) } == true
            && taps.contains { $0.title == title && $0.isAddition }
    }
}
