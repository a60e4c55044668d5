import TestDoubles
import WatchLink

extension CalendarScenario {
    func overwrite(_ pick: Int) {
        let items = onServer.filter { versions[$0.path, default: []].count > 1 }
        guard hiddenUntil == nil, !items.isEmpty else { return }
        let (path, todo) = items[pick % items.count]
        guard let old = versions[path]?.dropLast().last, let number = expected.number(of: todo.title) else { return }
        server.put(old.text, at: path)
        noteVersions()
        happened(.itemOverwritten, "another program writes an older text over \(todo.title): \(old.title)")
        excuse(number, path, old, over: todo)
        looksRestored.hasOlderText = true
        excuseWhatLooksRestored()
    }

    func excuseWhatLooksRestored() {
        guard looksRestored == (refusesTokens: true, hasOlderText: true) else { return }
        for number in expected.items.keys { expected.excuse(number, .back) }
    }

    /// Allows what may follow when an older text replaces a text that a phone may not have seen.
    private func excuse(_ number: Int, _ path: String, _ old: ForeignTodo, over todo: ForeignTodo) {
        expected.excuse(number, .mixed)
        noteOlder([todo.sight, old.sight], of: number)
        // If both phones have a check-off, it outlives an older text from before it, until an editor changes that text.
        if let second = todo.checkedAt, old.checkedAt == nil, let modified = old.modified, modified < second,
            phones.allSatisfy({ rows(of: $0)?.contains { $0.sight.checkedAt == second } == true })
        {
            stale[path] = StaleItem(number: number, newest: todo.sight, older: [old.sight])
            expected.comeBack(ShownItem(title: old.title, checkedAt: second), of: number)
        } else {
            for sight in [todo.sight, old.sight] { expected.comeBack(sight, of: number) }
        }
    }

    private func noteOlder(_ sights: [ShownItem], of number: Int) {
        for phone in phones { phone.unseenOlder[number, default: []].formUnion(sights) }
    }

    /// Allows older values of an item to return if the owner edits the item before the phone knows of an older text on
    /// the server.
    func noteEdit(of number: Int, on phone: SharingPhone) {
        let older = phone.unseenOlder[number, default: []].union(phone.meeting[number, default: []])
        for sight in older.sorted(by: { ($0.title, $0.checkedAt ?? 0) < ($1.title, $1.checkedAt ?? 0) }) {
            expected.comeBack(sight, of: number)
        }
    }

    /// Notes an item's new text on the server. If an editor made it from an older text, the older values may stay.
    func noteEdit(at path: String, _ todo: ForeignTodo) {
        guard let item = stale.removeValue(forKey: path) else { return }
        let titles = [item.newest.title] + item.older.map(\.title)
        if todo.checkedAt == item.newest.checkedAt, titles.contains(todo.title) { return }
        for sight in item.older { expected.comeBack(sight, of: item.number) }
    }

    func restoreServer() {
        guard let copy, hiddenUntil == nil else { return }
        let before = server.items
        isServerRestored = true
        happened(.serverRestored, "the copy is put back: \(copy.count) items")
        for (path, item) in copy.sorted(by: { $0.key < $1.key }) where before[path]?.text != item.text {
            let old = ForeignTodo(item.text)
            guard let number = expected.number(of: old.title) else { continue }
            expected.excuse(number, .mixed)
            let texts = versions[path, default: []]
            let since = texts[(texts.lastIndex { $0.text == old.text } ?? 0)...].map(\.sight)
            noteOlder(since, of: number)
            if let todo = before[path].map({ ForeignTodo($0.text) }), isKnown(todo, old, number), since.count <= 8 {
                stale[path] = StaleItem(number: number, newest: todo.sight, older: since)
            } else {
                for sight in since { expected.comeBack(sight, of: number) }
            }
        }
        let inCopy = Set(copy.values.compactMap { expected.number(of: ForeignTodo($0.text).title) })
        for number in expected.items.keys {
            expected.excuse(number, .back)
            if !inCopy.contains(number) { expected.excuse(number, .lost) }
        }
        let known = stale
        server.restore(copy)
        noteVersions()
        stale = known
    }

    /// Whether both phones show the server's text `todo`, and can tell that the copy's text `old` is older.
    private func isKnown(_ todo: ForeignTodo, _ old: ForeignTodo, _ number: Int) -> Bool {
        guard let modified = todo.modified, let before = old.modified, before < modified else { return false }
        return phones.allSatisfy { phone in
            guard phone.program?.sync == nil, expected.hasSeen(old.sight, of: number, phone.editor) else {
                return false
            }
            return rows(of: phone)?.contains { $0.sight == todo.sight } == true
        }
    }

    func heal() {
        healComputers()
        troubles = []
        delay = .milliseconds(40)
        show()
        for phone in phones { phone.awayUntil = nil }
    }
}
