/// Compares the final lists on the server and on the phones with the expected list.
struct CalendarOracle {
    let expected: ExpectedList
    let server: [ShownItem]

    func difference(of phone: String, _ rows: [ShownItem]) -> Violation? {
        let (here, there) = (Set(rows.map(words)), Set(server.map(words)))
        guard here != there || rows.count != server.count else { return nil }
        let what = here.symmetricDifference(there).sorted().joined(separator: ", ")
        return Violation(.listsAgree, "\(phone) and the server differ: \(what)")
    }

    private func words(_ sight: ShownItem) -> String {
        "\(sight.title) \(sight.checkedAt.map { "checked off at \($0)" } ?? "open")"
    }

    func judge() -> Violation? {
        var present: [Int: ShownItem] = [:]
        for sight in server { if let number = expected.number(of: sight.title) { present[number] = sight } }
        for (number, item) in expected.items.sorted(by: { $0.key < $1.key }) {
            if let violation = judge(item, present[number]) { return violation }
        }
        return nil
    }

    private func judge(_ item: ExpectedItem, _ sight: ShownItem?) -> Violation? {
        guard let sight else {
            let isMeant = item.removal != .none || item.added == .unknown || item.excuses.contains(.lost)
            return isMeant
                ? nil
                : Violation(.nothingDeleted, "item \(item.number) is gone, and no editor removed it")
        }
        if item.removal == .certain, !item.excuses.contains(.back) {
            return Violation(.removedStays, "item \(item.number) was removed, and is there again as \(sight.title)")
        }
        // A phone may restore an item in an older state than the state in which another editor removed it.
        if !item.excuses.isDisjoint(with: [.lost, .doubtful]) || item.removal == .certain { return nil }
        guard item.stands(.title(sight.title)) else {
            return Violation(.changeKept, "item \(item.number) is called \(sight.title) again, and was renamed since")
        }
        return judgeState(item, sight)
    }

    private func judgeState(_ item: ExpectedItem, _ sight: ShownItem) -> Violation? {
        guard let second = sight.checkedAt else {
            let isMeant = item.stands(.open) || item.reopenings.contains { !$0.isOverwritten }
            return isMeant
                ? nil : Violation(.changeKept, "\(sight.title) is open, and was checked off")
        }
        guard item.has(.checked(second)) else {
            return Violation(.changeKept, "\(sight.title) is checked off at \(second), when no editor did that")
        }
        guard item.stands(.checked(second)) else {
            return Violation(.changeKept, "\(sight.title) is checked off, and was opened since")
        }
        if item.reopenings.isEmpty, item.excuses.isDisjoint(with: [.mixed]),
            let earliest = item.certainCheckOffs.min(), earliest < second
        {
            return Violation(
                .changeKept, "\(sight.title) is checked off at \(second), and an editor did that at \(earliest)")
        }
        return nil
    }
}
