/// The shared list as it should be, and what each editor has seen of it.
struct ExpectedList {
    private struct Knowledge {
        var last: ShownItem
        /// The numbers of the reopenings of the item that the editor has made or seen.
        var reopened: Set<Int> = []
    }

    private struct Seen: Hashable {
        let editor: ListEditor
        let number: Int
        let sight: ShownItem
    }

    private(set) var items: [Int: ExpectedItem] = [:]
    private var knowledge: [ListEditor: [Int: Knowledge]] = [:]
    private var seen: Set<Seen> = []
    private var lastReopening = 0
    private(set) var edits = 0

    /// Returns the item's number. The number is 5 if the title is `Item 5`, or `Item 5-7` after a rename. Returns nil
    /// if the list never had the item.
    func number(of title: String) -> Int? {
        guard title.hasPrefix("Item "), let number = Int(title.dropFirst(5).prefix { $0 != "-" }), items[number] != nil
        else { return nil }
        return number
    }

    // MARK: Edits

    mutating func add(_ number: Int, title: String, by editor: ListEditor, _ certainty: ExpectedItem.Certainty) {
        edits += 1
        items[number] = ExpectedItem(number, title: title, added: certainty, by: editor, place: edits)
    }

    mutating func check(_ number: Int, at second: Int64, by editor: ListEditor, _ certainty: ExpectedItem.Certainty) {
        let reopened = knowledge[editor]?[number]?.reopened ?? []
        edits += 1
        items[number]?.gets(
            .checked(second), over: [.open] + reopened.sorted().map { .reopened($0) }, by: editor, place: edits,
            certainty)
        change(number, by: editor, certainty) { ShownItem(title: $0.title, checkedAt: second) }
    }

    /// - Parameter second: the time of the check-off that the editor sees, in seconds since 1970.
    mutating func uncheck(_ number: Int, from second: Int64, by editor: ListEditor, _ certainty: ExpectedItem.Certainty)
    {
        lastReopening += 1
        edits += 1
        items[number]?.gets(
            .reopened(lastReopening), over: [.checked(second)], by: editor, place: edits, certainty)
        change(number, by: editor, certainty) { ShownItem(title: $0.title, checkedAt: nil) }
        if certainty == .certain { knowledge[editor]?[number]?.reopened.insert(lastReopening) }
    }

    mutating func rename(
        _ number: Int, from before: String, to title: String, by editor: ListEditor, _ certainty: ExpectedItem.Certainty
    ) {
        edits += 1
        items[number]?.gets(.title(title), over: [.title(before)], by: editor, place: edits, certainty)
        change(number, by: editor, certainty) { ShownItem(title: title, checkedAt: $0.checkedAt) }
    }

    mutating func remove(_ number: Int, by editor: ListEditor, _ certainty: ExpectedItem.Certainty) {
        edits += 1
        items[number]?.isRemoved(by: editor, place: edits, certainty)
        knowledge[editor]?[number] = nil
    }

    private mutating func change(
        _ number: Int, by editor: ListEditor, _ certainty: ExpectedItem.Certainty, _ sight: (ShownItem) -> ShownItem
    ) {
        guard let before = knowledge[editor]?[number] else { return }
        switch certainty {
        case .certain: knowledge[editor]?[number]?.last = sight(before.last)
        case .unknown: knowledge[editor]?[number] = nil
        }
    }

    // MARK: What is seen

    /// Records that an editor sees the whole list. Returns the first item that is unexpected, repeated or missing, as a
    /// violation.
    mutating func see(_ shown: [ShownItem], by editor: ListEditor) -> Violation? {
        var numbers: Set<Int> = []
        for sight in shown {
            guard let number = number(of: sight.title) else {
                return Violation(.changeKept, "\(editor.name) has \(sight.title), which no editor wrote")
            }
            guard numbers.insert(number).inserted else {
                return Violation(.listsAgree, "\(editor.name) has item \(number) twice")
            }
            items[number]?.isSeen(.title(sight.title))
            if let second = sight.checkedAt { items[number]?.isSeen(.checked(second)) }
            learn(number, sight, editor)
        }
        for number in (knowledge[editor] ?? [:]).keys.sorted() where !numbers.contains(number) {
            knowledge[editor]?[number] = nil
            guard let item = items[number], item.removal == .none, item.excuses.isEmpty else { continue }
            return Violation(.nothingDeleted, "\(editor.name) has item \(number) no more, and no editor removed it")
        }
        return nil
    }

    private mutating func learn(_ number: Int, _ sight: ShownItem, _ editor: ListEditor) {
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

    func hasSeen(_ sight: ShownItem, of number: Int, _ editor: ListEditor) -> Bool {
        seen.contains(Seen(editor: editor, number: number, sight: sight))
    }

    // MARK: What comes back

    /// Allows the title and the state in `sight` to return, because an older text of the item has replaced a newer one
    /// on the server.
    mutating func comeBack(_ sight: ShownItem, of number: Int) {
        items[number]?.revive(.title(sight.title))
        stateComesBack(sight, of: number)
    }

    mutating func stateComesBack(_ sight: ShownItem, of number: Int) {
        items[number]?.excuses.insert(.mixed)
        if let second = sight.checkedAt {
            items[number]?.revive(.checked(second))
        } else {
            open(number)
        }
    }

    /// Records that an editor's phone was restored to a copy, made after the first `place` edits. The editor forgets
    /// everything that it has seen.
    ///
    /// - Parameters:
    ///   - texts: what each item has shown on the server, by item number, oldest first.
    ///   - present: the numbers of the items that the server has now.
    mutating func goesBack(
        _ editor: ListEditor, after place: Int, texts: [Int: [ShownItem]], present: Set<Int>
    ) {
        for number in items.keys.sorted() {
            let shown = texts[number, default: []]
            let opened = opened(number, in: shown)
            items[number]?.loses(
                editor, after: place,
                reached: { value in
                    switch value {
                    case .title(let title): shown.contains { $0.title == title }
                    case .open: !shown.isEmpty
                    case .checked(let second): shown.contains { $0.checkedAt == second }
                    case .reopened(let edit): opened.contains(edit)
                    }
                }, isGone: !shown.isEmpty && !present.contains(number))
        }
        knowledge[editor] = nil
        seen = seen.filter { $0.editor != editor }
    }

    /// Returns the reopenings that have reached the server. A reopening has reached the server if a text on the server
    /// showed the check-off that is undone, and a later text showed the item open. Returns none if an older text may
    /// have replaced a newer one, because the older text may also show the item open.
    private func opened(_ number: Int, in shown: [ShownItem]) -> Set<Int> {
        var edits: Set<Int> = []
        guard let item = items[number], !item.excuses.contains(.mixed) else { return edits }
        for edit in item.reopenings {
            guard case .reopened(let opening) = edit.value, case .checked(let second)? = edit.over.first,
                let place = shown.firstIndex(where: { $0.checkedAt == second }),
                shown[place...].contains(where: { $0.checkedAt == nil })
            else { continue }
            edits.insert(opening)
        }
        return edits
    }

    /// Allows the item to be open, by recording an uncertain reopening.
    private mutating func open(_ number: Int) {
        lastReopening += 1
        items[number]?.gets(.reopened(lastReopening), over: [], by: .other, place: edits, .unknown)
    }

    mutating func excuse(_ number: Int, _ excuse: ExpectedItem.Excuse) { items[number]?.excuses.insert(excuse) }
}
