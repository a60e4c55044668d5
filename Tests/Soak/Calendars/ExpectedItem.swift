struct ShownItem: Hashable {
    let title: String
    /// When the item was checked off, in seconds since 1970; nil if it is open.
    let checkedAt: Int64?
}

struct ExpectedItem {
    enum Certainty {
        case certain
        /// The edit may be missing or may not count. For example, its phone was killed before it had stored the edit.
        case unknown
    }

    enum Value: Hashable {
        case title(String)
        case open
        /// Checked off at this time, in seconds since 1970.
        case checked(Int64)
        /// Opened again. The number is unique for each reopening, and differs from `Edit.place`.
        case reopened(Int)
    }

    struct Edit {
        let value: Value
        let editor: ListEditor
        let place: Int
        var certainty: Certainty
        /// Whether an editor that had seen this value has replaced it.
        var isOverwritten = false
        let over: [Value]
        /// The values in `over` that may return, because an older text has come back.
        var revived: Set<Value> = []
    }

    enum Removal {
        case none, unknown, certain
    }

    /// A deviation from the expected result that a fault allows.
    enum Excuse {
        /// The item may be missing, because the server was restored to a copy without it.
        case lost
        /// The item may be there although it was removed. For example, the server was restored to a copy with the item.
        case back
        /// An older text may have replaced a newer one, so an older value may stand in place of one that is lost.
        case mixed
        /// A phone was restored to a copy that still had to send an edit of the item. The phone's owner edited the item
        /// again before the next sync. If the server already has the first edit, the phone may mistake the first edit
        /// for an edit by another editor.
        case doubtful
    }

    let number: Int
    private(set) var added: Certainty
    let addedBy: ListEditor
    private(set) var edits: [Edit] = []
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

    /// Records that an editor's phone was restored to a copy, made after the first `place` edits of the list. The
    /// editor's later edits become uncertain, unless the server has or had their values.
    ///
    /// - Parameters:
    ///   - reached: whether the server has or had a value.
    ///   - isGone: whether the server had the item and no longer has it. Later removals then stay.
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

    /// Records that an editor has seen a value, which proves that the edit was stored.
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
