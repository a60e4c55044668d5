/// The shared list as its editors meant it, with what each of them has seen.
struct MeantList {
    /// What an editor knows of an item.
    private struct Knowledge {
        var last: ItemSight
        /// The edits that opened it again, as far as that is certain.
        var reopened: Set<Int> = []
    }

    /// What an editor saw of an item.
    private struct Seen: Hashable {
        let editor: ListEditor
        let number: Int
        let sight: ItemSight
    }

    private(set) var items: [Int: MeantItem] = [:]
    private var knowledge: [ListEditor: [Int: Knowledge]] = [:]
    private var seen: Set<Seen> = []
    private var lastReopening = 0

    /// The number of the item that a title is of; nil for a title that nobody gave.
    func number(of title: String) -> Int? {
        guard title.hasPrefix("Item "), let number = Int(title.dropFirst(5).prefix { $0 != "-" }), items[number] != nil
        else { return nil }
        return number
    }

    // MARK: Edits

    mutating func add(_ number: Int, title: String, _ certainty: MeantItem.Certainty) {
        items[number] = MeantItem(number, title: title, added: certainty)
    }

    mutating func check(_ number: Int, at second: Int64, by editor: ListEditor, _ certainty: MeantItem.Certainty) {
        let reopened = knowledge[editor]?[number]?.reopened ?? []
        items[number]?.gets(.checked(second), over: [.open] + reopened.sorted().map { .reopened($0) }, certainty)
        change(number, by: editor, certainty) { ItemSight(title: $0.title, checkedAt: second) }
    }

    /// - Parameter second: when it was checked off, as the editor sees it.
    mutating func uncheck(_ number: Int, from second: Int64, by editor: ListEditor, _ certainty: MeantItem.Certainty) {
        lastReopening += 1
        items[number]?.gets(.reopened(lastReopening), over: [.checked(second)], certainty)
        change(number, by: editor, certainty) { ItemSight(title: $0.title, checkedAt: nil) }
        if certainty == .certain { knowledge[editor]?[number]?.reopened.insert(lastReopening) }
    }

    mutating func rename(
        _ number: Int, from before: String, to title: String, by editor: ListEditor, _ certainty: MeantItem.Certainty
    ) {
        items[number]?.gets(.title(title), over: [.title(before)], certainty)
        change(number, by: editor, certainty) { ItemSight(title: title, checkedAt: $0.checkedAt) }
    }

    mutating func remove(_ number: Int, by editor: ListEditor, _ certainty: MeantItem.Certainty) {
        items[number]?.isRemoved(certainty)
        knowledge[editor]?[number] = nil
    }

    private mutating func change(
        _ number: Int, by editor: ListEditor, _ certainty: MeantItem.Certainty, _ sight: (ItemSight) -> ItemSight
    ) {
        guard let before = knowledge[editor]?[number] else { return }
        switch certainty {
        case .certain: knowledge[editor]?[number]?.last = sight(before.last)
        case .unknown: knowledge[editor]?[number] = nil
        }
    }

    // MARK: What is seen

    /// An editor sees the whole list. Returns what nobody meant, in words.
    mutating func see(_ sights: [ItemSight], by editor: ListEditor) -> Violation? {
        var numbers: Set<Int> = []
        for sight in sights {
            guard let number = number(of: sight.title) else {
                return Violation(promise: .changeKept, what: "\(editor.name) has \(sight.title), which nobody wrote")
            }
            guard numbers.insert(number).inserted else {
                return Violation(promise: .listsAgree, what: "\(editor.name) has item \(number) twice")
            }
            items[number]?.isSeen(.title(sight.title))
            if let second = sight.checkedAt { items[number]?.isSeen(.checked(second)) }
            learn(number, sight, editor)
        }
        for number in (knowledge[editor] ?? [:]).keys.sorted() where !numbers.contains(number) {
            knowledge[editor]?[number] = nil
            guard let item = items[number], item.removal == .none, item.excuses.isEmpty else { continue }
            return Violation(
                promise: .nothingDeleted, what: "\(editor.name) has item \(number) no more, and nobody removed it")
        }
        return nil
    }

    private mutating func learn(_ number: Int, _ sight: ItemSight, _ editor: ListEditor) {
        seen.insert(Seen(editor: editor, number: number, sight: sight))
        guard let before = knowledge[editor]?[number] else {
            knowledge[editor, default: [:]][number] = Knowledge(last: sight)
            return
        }
        if let second = before.last.checkedAt, sight.checkedAt == nil {
            let openings = items[number]?.reopenings.filter { $0.over == [.checked(second)] } ?? []
            if openings.count == 1, case .reopened(let opening)? = openings.first?.value {
                knowledge[editor]?[number]?.reopened.insert(opening)
            }
        }
        knowledge[editor]?[number]?.last = sight
    }

    /// Whether an editor has seen this of an item.
    func hasSeen(_ sight: ItemSight, of number: Int, _ editor: ListEditor) -> Bool {
        seen.contains(Seen(editor: editor, number: number, sight: sight))
    }

    // MARK: What comes back

    /// An older text of an item is on the server again, in the place of another.
    mutating func comeBack(_ sight: ItemSight, of number: Int) {
        items[number]?.revive(.title(sight.title))
        items[number]?.excuses.insert(.mixed)
        if let second = sight.checkedAt {
            items[number]?.revive(.checked(second))
        } else {
            lastReopening += 1
            items[number]?.gets(.reopened(lastReopening), over: [], .unknown)
        }
    }

    mutating func excuse(_ number: Int, _ excuse: MeantItem.Excuse) { items[number]?.excuses.insert(excuse) }
}
