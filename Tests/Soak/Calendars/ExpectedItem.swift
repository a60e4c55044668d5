struct ShownItem: Hashable {
    let title: String
    /// The second of 1970 in which it was checked off; nil if it is open.
    let checkedAt: Int64?
}

struct ExpectedItem {
    enum Certainty {
        case certain
        /// The phone was killed, or its disk failed, before its owner knew.
        case unknown
    }

    enum Value: Hashable {
        case title(String)
        case open
        /// It was checked off in this second.
        case checked(Int64)
        /// The edit with this number opened it again.
        case reopened(Int)
    }

    struct Edit {
        let value: Value
        /// The editor, and the edit's place among all edits.
        let editor: ListEditor
        let place: Int
        var certainty: Certainty
        /// Whether an editor that had seen the value gave the item another.
        var isOverwritten = false
        let over: [Value]
        /// Earlier values that may return.
        var revived: Set<Value> = []
    }

    enum Removal {
        case none, unknown, certain
    }

    /// A deviation from the expected result that a fault allows.
    enum Excuse {
        /// A restored copy on the server lacks the item.
        case lost
        /// A restored copy on the server brings the removed item back.
        case back
        /// An older value replaces one that is lost.
        case mixed
        /// Its row was edited on a phone that was put back to a copy with another edit still to be sent, before that phone synced:
        /// what the server has of that other edit looks like another editor's.
        case doubtful
    }

    let number: Int
    private(set) var added: Certainty
    let addedBy: ListEditor
    private(set) var edits: [Edit] = []
    /// The removals, with their editors and their places among all edits.
    private var removals: [(editor: ListEditor, place: Int, certainty: Certainty)] = []
    var excuses: Set<Excuse> = []

    init(_ number: Int, title: String, added: Certainty, by editor: ListEditor, place: Int) {
        self.number = number
        self.added = added
        addedBy = editor
        edits = [Value.title(title), .open].map {
            Edit(value: $0, editor: editor, place: place, certainty: added, over: [])
        }
    }

    var removal: Removal {
        if removals.contains(where: { $0.certainty == .certain }) { return .certain }
        return removals.isEmpty ? .none : .unknown
    }

    mutating func gets(
        _ value: Value, over: [Value], by editor: ListEditor, place: Int, _ certainty: Certainty
    ) {
        edits.append(Edit(value: value, editor: editor, place: place, certainty: certainty, over: over))
        if certainty == .certain { overwrite(over) }
    }

    mutating func isRemoved(by editor: ListEditor, place: Int, _ certainty: Certainty) {
        removals.append((editor, place, certainty))
    }

    /// An editor's phone is put back to a copy of when `place` edits had been made. What it has not sent since is lost.
    ///
    /// - Parameters:
    ///   - reached: whether the server has, or had, a value.
    ///   - isGone: whether the server had the item and has it no more.
    mutating func loses(
        _ editor: ListEditor, after place: Int, reached: (Value) -> Bool, isGone: Bool
    ) {
        for index in edits.indices {
            let edit = edits[index]
            guard edit.editor == editor, edit.place > place, !reached(edit.value) else { continue }
            edits[index].certainty = .unknown
            for value in edit.over {
                let isOver = edits.contains {
                    $0.certainty == .certain && $0.over.contains(value) && !$0.revived.contains(value)
                }
                if !isOver { revive(value) }
            }
            if case .title = edit.value, edit.place == edits[0].place { added = .unknown }
        }
        if !isGone { removals.removeAll { $0.editor == editor && $0.place > place } }
    }

    /// Records that an editor has seen a value, so its edit was made.
    mutating func isSeen(_ value: Value) {
        guard let index = edits.firstIndex(where: { $0.value == value }) else { return }
        guard edits[index].certainty == .unknown else { return }
        edits[index].certainty = .certain
        overwrite(edits[index].over)
    }

    mutating func revive(_ value: Value) {
        for index in edits.indices {
            if edits[index].value == value { edits[index].isOverwritten = false }
            if edits[index].over.contains(value) { edits[index].revived.insert(value) }
        }
    }

    private mutating func overwrite(_ values: [Value]) {
        for index in edits.indices where values.contains(edits[index].value) { edits[index].isOverwritten = true }
    }

    func has(_ value: Value) -> Bool { edits.contains { $0.value == value } }

    func stands(_ value: Value) -> Bool { edits.contains { $0.value == value && !$0.isOverwritten } }

    var reopenings: [Edit] {
        edits.filter {
            switch $0.value {
            case .reopened: true
            case .title, .open, .checked: false
            }
        }
    }

    var certainCheckOffs: [Int64] {
        edits.compactMap { edit in
            guard case .checked(let second) = edit.value, edit.certainty == .certain else { return nil }
            return second
        }
    }
}
